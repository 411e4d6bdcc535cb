/*
 * fit.c -- from a table to a model: encode, split, train, measure.
 */
#include "train.h"

#include <math.h>

static tacit_status check_options(const tacit_fit_options *options, const tacit_schema *schema,
                                  const tct_trainer **trainer, tacit_error *err)
{
    tacit_status st = tct_trainer_find(trainer, options->kind, err);

    if (st)
        return st;
    if (!(options->l2 >= 0 && isfinite(options->l2)))
        return tct_fail(err, TACIT_E_USAGE, "l2 must be a number, 0 or more");
    if (options->threshold != 0 && !(options->threshold > 0 && options->threshold < 1))
        return tct_fail(err, TACIT_E_USAGE, "a threshold is a probability above 0 and below 1");
    if (options->threshold != 0 && schema->n_classes != 2)
        return tct_fail(err, TACIT_E_USAGE, "a threshold is for two classes, and %s has %zu", schema->label,
                        schema->n_classes);
    if (schema->n_attributes == 0)
        return tct_fail(err, TACIT_E_INPUT, "the schema has no attributes: nothing to learn from");
    return TACIT_OK;
}

/* Every class must have somebody to learn from. */
static tacit_status check_classes(const tct_encoded *people, const tacit_schema *schema, tacit_error *err)
{
    bool seen[TCT_MAX_CLASSES] = {false};

    for (size_t r = 0; r < people->train.n; r++)
        seen[people->train.labels[r]] = true;
    for (size_t c = 0; c < schema->n_classes; c++) {
        if (!seen[c])
            return tct_fail_at(err, TACIT_E_INPUT, tct_csv_path(people->table->csv), 0, schema->label,
                               "class '%s' has no row in the training part", schema->classes[c]);
    }
    return TACIT_OK;
}

tacit_status tct_fit_codec(tct_codec **out, const tacit_schema *schema, const tacit_table *table,
                           const tacit_fit_options *options, tacit_error *err)
{
    const tct_trainer *trainer = NULL;
    tacit_status st = tct_trainer_find(&trainer, options->kind, err);

    *out = NULL;
    if (!st)
        st = tct_codec_new(out, schema, err);
    if (!st && trainer->read)
        st = trainer->read(*out, table, options, err);
    if (st) {
        tct_codec_free(*out);
        *out = NULL;
    }
    return st;
}

/* What was trained as it will be deployed, and the people as it reads them. */
static tacit_status make_ready(tct_classifier **classifier, const tct_trainer *trainer, tct_encoded *people,
                               const tacit_fit_options *options, tacit_model_info *info, tacit_error *err)
{
    tct_codec *codec = NULL;
    tacit_status st = TACIT_OK;

    info->threshold = options->threshold;
    if (options->threshold != 0 && (*classifier)->ops->lowered) /* trees have it in their cut */
        st = tct_classifier_threshold(classifier, options->threshold, err);
    if (st || !trainer->reduce)
        return st;
    st = trainer->reduce(*classifier, err);
    if (!st)
        st = tct_classifier_codec(&codec, *classifier, people->codec->schema, err);
    if (!st)
        tct_encoded_recode(people, codec); /* takes it over */
    return st;
}

tacit_status tct_fit_encoded(tacit_model **out, tct_encoded *people, const tacit_schema *schema,
                             const tacit_fit_options *options, tacit_error *err)
{
    const tct_encoded_rows *part = &people->train;
    const tct_inputs inputs = {.n = people->d, .codec = people->codec, .n_attributes = schema->n_attributes};
    const tct_trainer *trainer = NULL;
    tacit_model_info info = {.origin = TACIT_ORIGIN_TRAINED};
    tct_classifier *classifier = NULL;
    tacit_status st;

    *out = NULL;
    if ((st = check_options(options, schema, &trainer, err)) || (st = check_classes(people, schema, err)))
        return st;
    if (people->compact)
        st = trainer->compact(&classifier, people, schema->n_classes, options, &info, err);
    else
        st = trainer->train(&classifier, part->x, part->n, part->labels, part->n, &inputs, schema->n_classes, options,
                            &info, err);
    if (!st)
        st = make_ready(&classifier, trainer, people, options, &info, err);
    if (st) {
        if (classifier)
            classifier->ops->free(classifier);
        return st;
    }
    return tct_encoded_model(out, people, schema, classifier, &info, options->threads,
                             err); /* takes the classifier over */
}

tacit_status tct_fit_options_take(tacit_fit_options *own, const tacit_fit_options *options, tacit_error *err)
{
    tacit_status st = TCT_OPTIONS_TAKE(own, tacit_fit_options, reserved, options, err);

    for (size_t i = 0; i < sizeof own->reserved / sizeof *own->reserved && !st; i++)
        if (own->reserved[i])
            st = tct_fail(err, TACIT_E_USAGE,
                          "tacit_fit_options: the program sets what this version of Tacit does not know");
    return st;
}

tacit_status tacit_fit(tacit_model **out, const tacit_table *table, const tacit_schema *schema,
                       const tacit_fit_options *given, tacit_error *err)
{
    tacit_fit_options own;
    const tacit_fit_options *options = &own;
    const tct_trainer *trainer = NULL;
    tct_encoded *people = NULL;
    tct_codec *codec = NULL;
    tacit_status st;

    *out = NULL;
    if ((st = tct_fit_options_take(&own, given, err)) || (st = check_options(options, schema, &trainer, err)) ||
        (st = tct_fit_codec(&codec, schema, table, options, err)) ||
        (st = (trainer->compact && schema->n_classes <= TCT_WIDE_LEVELS ? tct_encoded_new_compact : tct_encoded_new)(
             &people, table, codec, options->test_share, options->seed, options->threads, err)))
        goto done;
    people->with_reference = true;
    st = tct_fit_encoded(out, people, schema, options, err);
done:
    tct_encoded_free(people);
    tct_codec_free(codec);
    return st;
}
