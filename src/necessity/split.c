/*
 * split.c -- one split: choose an order on the training part, train for every place, measure on the people held out.
 */
#include "logit.h"
#include "necessity.h"
#include "num.h"

/* Length of the gradient, per person, at which weights are final: decisions are those of tacit_fit. */
static const double TIGHT = 1e-10;

/* What the places of a split share. */
typedef struct split_run {
    const tacit_necessity *necessity;
    const tacit_schema *schema;
    const tct_codec *codec;
    const tct_encoded *people;
    const tct_watch *watch;
    tacit_fit_options fit;
    tct_coded_people *coded; /* training part; NULL for kinds that are trained from inputs */
    tct_encoded_rows sample; /* people held out who are played, all inputs */
    double *mean, *covariance;
    size_t *columns, *kept;
} split_run;

tacit_status tct_split_init(tct_split *split, size_t n_attributes, tacit_error *err)
{
    *split = (tct_split){.order = tct_calloc(n_attributes, sizeof *split->order),
                         .accuracy = tct_calloc(2 * n_attributes + 1, sizeof *split->accuracy),
                         .asked = tct_calloc(2 * n_attributes + 1, sizeof *split->asked)};
    return split->order && split->accuracy && split->asked ? TACIT_OK : tct_fail_memory(err);
}

void tct_split_clear(tct_split *split)
{
    tct_free(split->order);
    tct_free(split->accuracy);
    tct_free(split->asked);
    *split = (tct_split){0};
}

/* ---------------------------------------------------------------- one model */

/* A schema of some of the attributes. */
static tacit_status reduce_schema(tacit_schema **out, const tacit_schema *schema, const size_t *kept, size_t n_kept,
                                  tacit_error *err)
{
    tacit_schema *less = tct_calloc(1, sizeof *less);
    tacit_status st = TACIT_OK;

    *out = NULL;
    if (!less)
        return tct_fail_memory(err);
    for (size_t j = 0; j < n_kept && !st; j++)
        st = tct_schema_add(less, &schema->attributes[kept[j]], err);
    if (!st)
        st = tct_schema_copy_texts(&less->classes, (const char *const *)schema->classes, schema->n_classes, err);
    if (!st) {
        less->n_classes = schema->n_classes;
        less->label = tct_strdup(schema->label);
        st = less->label ? TACIT_OK : tct_fail_memory(err);
    }
    if (st)
        tacit_schema_free(less);
    else
        *out = less;
    return st;
}

/* A model around a classifier of some of the attributes, which it takes over (on failure too). */
static tacit_status make_model(tacit_model **out, const split_run *b, tct_classifier *classifier, size_t n_kept,
                               tacit_error *err)
{
    size_t d = classifier->n_inputs, all = b->codec->n_inputs;
    double *mean = tct_malloc(d, sizeof *mean), *covariance = tct_malloc(d * d, sizeof *covariance);
    tacit_schema *schema = NULL;
    tacit_status st = mean && covariance ? TACIT_OK : tct_fail_memory(err);

    *out = NULL;
    if (!st)
        st = reduce_schema(&schema, b->schema, b->kept, n_kept, err);
    if (st) {
        classifier->ops->free(classifier);
        tct_free(mean);
        tct_free(covariance);
        return st;
    }
    for (size_t i = 0; i < d; i++) {
        mean[i] = b->mean[b->columns[i]];
        for (size_t j = 0; j < d; j++)
            covariance[i * d + j] = b->covariance[b->columns[i] * all + b->columns[j]];
    }
    return tct_model_assemble(out, schema, classifier, mean, covariance, err);
}

static tacit_status tick_playing(void *context, tacit_error *err)
{
    const split_run *b = context;

    return b->watch->tick(b->watch->context, 0, err);
}

/* Attributes asked for on average, until the decision is proven. */
static tacit_status play(double *asked, split_run *b, tct_classifier *classifier, size_t n_kept, tacit_error *err)
{
    const double exact = 0;
    size_t d = classifier->n_inputs, n_sensitive = 0;
    tacit_model *model = NULL;
    tct_tally *tally = NULL;
    tct_encoded_rows people = {0};
    tacit_status st = make_model(&model, b, classifier, n_kept, err);

    for (size_t j = 0; j < n_kept; j++)
        n_sensitive += b->schema->attributes[b->kept[j]].role == TACIT_SENSITIVE;
    *asked = 0;
    if (!st && n_sensitive > 0) {
        st = tct_tally_new(&tally, n_sensitive, err);
        if (!st)
            st = tct_people_take(&people, &b->sample, b->columns, d, NULL, b->sample.n, err);
        if (!st)
            st = tct_play(model, &people, TACIT_RULE_AUTO, &exact, 1, &tally, tick_playing, b, err);
        for (size_t i = 0; i < n_sensitive && !st; i++)
            *asked += (double)tally->asked[i];
        *asked /= (double)b->sample.n;
    }
    tct_people_clear(&people, d);
    tct_tally_free(tally);
    tacit_model_free(model);
    return st;
}

/* Fill in a place; takes the classifier over.  b->kept: its attributes. */
static tacit_status measure(tct_split *split, size_t place, split_run *b, tct_classifier *classifier, size_t n_kept,
                            tacit_error *err)
{
    size_t d = tct_inputs_of(b->columns, b->codec, b->kept, n_kept), right = 0;
    tct_encoded_rows people = {0};
    tacit_status st = tct_people_take(&people, &b->people->test, b->columns, d, NULL, b->people->test.n, err);

    if (!st)
        st = tct_judge(NULL, &right, classifier, &people, err);
    tct_people_clear(&people, d);
    if (st) {
        classifier->ops->free(classifier);
        return st;
    }
    split->accuracy[place] = (double)right / (double)b->people->test.n;
    st = play(&split->asked[place], b, classifier, n_kept, err);
    return st ? st : b->watch->tick(b->watch->context, 1, err);
}

/* ---------------------------------------------------------------- all of them */

/* b->kept: the attributes of a place; returns how many. */
static size_t keep_for(const split_run *b, const tct_split *split, size_t place)
{
    size_t n = b->schema->n_attributes, n_kept = 0;

    for (size_t a = 0; a < n; a++) {
        bool gone = place == n + 1 + a;

        for (size_t k = 0; k < place && place <= n; k++)
            gone = gone || split->order[k] == a;
        if (!gone)
            b->kept[n_kept++] = a;
    }
    return n_kept;
}

/* Nothing is known: everybody gets the class with most people in the training part. */
static void measure_nothing(tct_split *split, const split_run *b)
{
    size_t counts[TCT_MAX_CLASSES] = {0}, right = 0;
    const tct_encoded_rows *train = &b->people->train, *test = &b->people->test;

    for (size_t r = 0; r < train->n; r++)
        counts[train->labels[r]]++;
    for (size_t c = 0; c < b->schema->n_classes; c++)
        split->majority = counts[c] > counts[split->majority] ? c : split->majority;
    for (size_t r = 0; r < test->n; r++)
        right += (size_t)test->labels[r] == split->majority;
    split->accuracy[b->schema->n_attributes] = (double)right / (double)test->n;
    split->asked[b->schema->n_attributes] = 0;
    if (b->schema->n_attributes == 1) { /* without the only attribute: the same */
        split->accuracy[2] = split->accuracy[1];
        split->asked[2] = 0;
    }
}

/* A place from a fit with more attributes; *out (NULL allowed) is its fit, ready to be reduced. */
static tacit_status measure_logit(tct_split *split, size_t place, split_run *b, const tct_logit *more, tct_logit **out,
                                  tacit_error *err)
{
    size_t n_kept = keep_for(b, split, place);
    tct_classifier *classifier = NULL;
    tct_logit *fit = NULL;
    tacit_status st = tct_logit_reduce(&fit, more, b->kept, n_kept, TIGHT * (double)b->coded->n, err);

    if (!st)
        st = tct_logit_classifier(&classifier, fit, err);
    if (!st)
        st = measure(split, place, b, classifier, n_kept, err);
    if (!st && out)
        st = tct_logit_curve(fit, err);
    if (st || !out) {
        tct_logit_free(fit);
        return st;
    }
    *out = fit;
    return TACIT_OK;
}

/* All places, each from its neighbour: those without one attribute from the fit with all, the others along the order. */
static tacit_status run_logits(tct_split *split, split_run *b, tacit_error *err)
{
    size_t n = b->schema->n_attributes;
    double l2 = tct_logit_penalty(&b->fit);
    tct_classifier *classifier = NULL;
    tct_logit *fit = NULL;
    tacit_status st;

    keep_for(b, split, 0);
    if ((st = tct_logit_new(&fit, b->coded, b->kept, n, l2, 0, TIGHT * (double)b->coded->n, err)) ||
        (st = tct_logit_curve(fit, err)) || (st = tct_logit_classifier(&classifier, fit, err)) ||
        (st = measure(split, 0, b, classifier, n, err)))
        goto done;
    for (size_t a = 0; a < n && n > 1 && !st; a++)
        st = measure_logit(split, n + 1 + a, b, fit, NULL, err);
    for (size_t place = 1; place < n && !st; place++) {
        tct_logit *less = NULL;

        st = measure_logit(split, place, b, fit, &less, err);
        if (!st) {
            tct_logit_free(fit);
            fit = less;
        }
    }
done:
    tct_logit_free(fit);
    return st;
}

/* All places, each trained by itself. */
static tacit_status run_models(tct_split *split, split_run *b, tacit_error *err)
{
    size_t n = b->schema->n_attributes;
    tacit_status st = TACIT_OK;

    for (size_t place = 0; place <= 2 * n && !st; place++) {
        size_t n_kept = keep_for(b, split, place), d = tct_inputs_of(b->columns, b->codec, b->kept, n_kept);
        const tct_inputs inputs = {d, b->codec, b->kept, n_kept};
        tct_classifier *classifier = NULL;
        tct_encoded_rows people = {0};

        if (n_kept == 0)
            continue;
        st = tct_people_take(&people, &b->people->train, b->columns, d, NULL, b->people->train.n, err);
        if (!st)
            st = tct_train_part(&classifier, &people, &inputs, b->schema->n_classes, &b->fit, b->watch, err);
        tct_people_clear(&people, d);
        if (!st)
            st = measure(split, place, b, classifier, n_kept, err);
    }
    return st;
}

/* ---------------------------------------------------------------- a split */

static tacit_status check_parts(const split_run *b, size_t index, tacit_error *err)
{
    const tct_encoded *people = b->people;
    const char *file = tct_csv_path(people->table->csv);
    bool seen[TCT_MAX_CLASSES] = {false};

    if (people->test.n == 0)
        return tct_fail_at(err, TACIT_E_INPUT, file, 0, NULL,
                           "too few rows: split %zu has nobody held out to measure accuracy on", index + 1);
    for (size_t r = 0; r < people->train.n; r++)
        seen[people->train.labels[r]] = true;
    for (size_t c = 0; c < b->schema->n_classes; c++)
        if (!seen[c])
            return tct_fail_at(err, TACIT_E_INPUT, file, 0, b->schema->label,
                               "class '%s' has no row in the training part of split %zu", b->schema->classes[c],
                               index + 1);
    return TACIT_OK;
}

static tacit_status begin(split_run *b, tacit_error *err)
{
    size_t d = b->codec->n_inputs;
    const tct_encoded_rows *train = &b->people->train;

    b->mean = tct_malloc(d, sizeof *b->mean);
    b->covariance = tct_malloc(d * d, sizeof *b->covariance);
    b->columns = tct_malloc(d + 1, sizeof *b->columns);
    b->kept = tct_malloc(b->schema->n_attributes, sizeof *b->kept);
    if (!b->mean || !b->covariance || !b->columns || !b->kept)
        return tct_fail_memory(err);
    tct_moments(train->x, train->n, train->n, d, b->mean, b->covariance, 1);
    return tct_people_sample(&b->sample, &b->people->test, NULL, d, b->necessity->people, err);
}

tacit_status tct_split_run(tct_split *split, const tacit_necessity *necessity, size_t index, const tacit_table *table,
                           const tct_watch *watch, tacit_error *err)
{
    split_run b = {.necessity = necessity, .schema = necessity->schema, .watch = watch, .fit = necessity->fit};
    tct_encoded *people = NULL;
    tct_codec *codec = NULL;
    tacit_status st;

    b.fit.seed = necessity->seed + index;
    b.fit.test_share = necessity->test_share;
    st = tct_fit_codec(&codec, necessity->schema, table, &b.fit, err);
    b.codec = codec;
    if (!st)
        st = tct_encoded_new(&people, table, codec, necessity->test_share, b.fit.seed, 1, err);
    b.people = people;
    if (st || (st = check_parts(&b, index, err)) || (st = begin(&b, err)) ||
        (st = tct_choose_order(split->order, &people->train, codec, &b.fit, watch, err)))
        goto done;
    split->n_train = people->train.n;
    split->n_test = people->test.n;
    split->played = b.sample.n;
    measure_nothing(split, &b);
    if (tct_is_logit(codec, &b.fit)) {
        st = tct_coded_people_new(&b.coded, &people->train, codec, NULL, 0, true, err);
        if (!st)
            st = run_logits(split, &b, err);
    } else {
        st = run_models(split, &b, err);
    }
done:
    tct_people_clear(&b.sample, codec ? codec->n_inputs : 0);
    tct_coded_people_free(b.coded);
    tct_free(b.mean);
    tct_free(b.covariance);
    tct_free(b.columns);
    tct_free(b.kept);
    tct_encoded_free(people);
    tct_codec_free(codec);
    return st;
}
