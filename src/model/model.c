/*
 * model.c -- the model as an object: the kinds of classifiers there are, labels from scores, putting a model together
 * from its parts, copies with other roles.
 *
 * A model owns everything it points to, its codec included, and never changes once built, but for a note of what follows
 * from it (tct_crossing_kept): that is what lets any number of threads share one.
 */
#include "cells.h"
#include "model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "gain.h"
#include "mlp.h"
#include "model_parts.h"
#include "trees.h"

/* A new kind of model is one row here. */
enum { MAX_KINDS = 12 };

static const tct_classifier_ops *kinds[MAX_KINDS] = {&tct_linear_ops, &tct_mlp_ops, &tct_trees_ops}; /* then NULL */

static size_t count_kinds(void)
{
    size_t n = 0;

    while (n < MAX_KINDS && kinds[n])
        n++;
    return n;
}

void tct_classifier_add_kind(const tct_classifier_ops *ops)
{
    size_t n = count_kinds();

    if (n < MAX_KINDS)
        kinds[n] = ops;
}

static double *copy_doubles(const double *values, size_t count)
{
    double *copy = tct_malloc(count, sizeof(double));

    if (copy)
        memcpy(copy, values, count * sizeof(double));
    return copy;
}

const char *tacit_origin_name(tacit_origin origin)
{
    return origin == TACIT_ORIGIN_TRAINED ? "trained" : origin == TACIT_ORIGIN_IMPORTED ? "imported" : "unknown";
}

/* Who trained it, where the file does not say: networks have a record of their training, and sums of terms that Tacit
 * trained have a penalty, which what is imported has not. */
static tacit_origin guess_origin(const tacit_model *model, const tacit_model_info *info)
{
    if (info->origin != TACIT_ORIGIN_UNKNOWN || !*model->data_hash)
        return info->origin;
    return info->epochs > 0 || (tct_additive(model->classifier) && info->l2 > 0) ? TACIT_ORIGIN_TRAINED
                                                                                 : TACIT_ORIGIN_UNKNOWN;
}

static void set_reference(tacit_model *model)
{
    const tct_reference *r = model->reference;
    const uint64_t none[1] = {0};

    tct_baseline_of(&model->info.train_baseline, r ? r->train : none, r ? r->n_classes : 1);
    tct_baseline_of(&model->info.test_baseline, r ? r->test : none, r ? r->n_classes : 1);
    model->info.has_reference = r != NULL;
}

/* Fill info from its origin; its strings point into the model. */
static void set_info(tacit_model *model, const tacit_model_info *origin)
{
    model->info = *origin;
    snprintf(model->data_hash, sizeof(model->data_hash), "%s", origin->data_hash ? origin->data_hash : "");
    snprintf(model->version, sizeof(model->version), "%s", origin->version ? origin->version : TACIT_VERSION);
    model->told_origin = origin->origin;
    model->info.origin = guess_origin(model, origin);
    model->info.kind = model->classifier->ops->kind;
    model->info.additive = tct_additive(model->classifier) != NULL;
    model->info.inputs = model->classifier->n_inputs;
    model->info.variables = model->variables->n;
    model->info.scores = model->classifier->n_scores;
    model->info.data_hash = model->data_hash;
    model->info.model_hash = model->model_hash;
    model->info.version = model->version;
    model->info.hidden = model->hidden;
    model->info.trees = model->info.leaves = 0; /* not those of what it is a copy of */
    model->info.in_order = false;
    if (model->classifier->ops->describe)
        model->classifier->ops->describe(model->classifier, &model->info, model->hidden);
    set_reference(model);
}

static void set_calibration(tacit_model *model, const tct_calibration *calibration)
{
    model->calibrated = true;
    model->calibration = *calibration;
    model->view = (tacit_calibration){.people = calibration->people,
                                      .alpha = calibration->alpha,
                                      .data_hash = model->calibration.data_hash,
                                      .n_rows = TCT_LEVELS,
                                      .rows = model->calibration.rows};
}

tacit_status tct_classifier_kind(const tct_classifier_ops **out, const char *name, tacit_error *err)
{
    const char *names[MAX_KINDS] = {NULL};
    const char *close;
    char list[256] = "";
    size_t used = 0, n = count_kinds();

    *out = NULL;
    for (size_t k = 0; k < n; k++) {
        names[k] = kinds[k]->kind;
        if (!strcmp(name, names[k])) {
            *out = kinds[k];
            return TACIT_OK;
        }
    }
    close = tacit_suggest(name, names, n);
    if (close)
        return tct_fail(err, TACIT_E_USAGE, "unknown kind of model '%.64s'; did you mean '%s'?", name, close);
    for (size_t k = 0; k < n && used < sizeof list; k++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s'%s'",
                                 k == 0       ? ""
                                 : k + 1 == n ? " and "
                                              : ", ",
                                 names[k]);
    return tct_fail(err, TACIT_E_USAGE, "unknown kind of model '%.64s'; there are %s", name, list);
}

tacit_status tct_classifier_codec(tct_codec **out, const tct_classifier *classifier, const tacit_schema *schema,
                                  tacit_error *err)
{
    tacit_status st = tct_codec_new(out, schema, err);

    if (!st && classifier->ops->codec)
        st = classifier->ops->codec(classifier, *out, err);
    if (st) {
        tct_codec_free(*out);
        *out = NULL;
    }
    return st;
}

tacit_status tct_classifier_threshold(tct_classifier **classifier, double threshold, tacit_error *err)
{
    tct_classifier *old = *classifier, *made = NULL;
    tacit_status st;

    if (!(threshold > 0 && threshold < 1))
        return tct_fail(err, TACIT_E_USAGE, "a threshold is a probability above 0 and below 1");
    if (old->n_scores != 1)
        return tct_fail(err, TACIT_E_USAGE, "a threshold is for two classes, not for %zu", old->n_classes);
    if (!old->ops->lowered)
        return tct_fail(err, TACIT_E_USAGE, "the score of this model is no log-odds to compare with a threshold");
    st = old->ops->lowered(&made, old, log(threshold) - log1p(-threshold), err);
    if (st)
        return st;
    old->ops->free(old);
    *classifier = made;
    return TACIT_OK;
}

size_t tct_label(const double *scores, size_t n_scores)
{
    size_t best = 0;

    if (n_scores == 1)
        return scores[0] >= 0 ? 1 : 0;
    for (size_t s = 1; s < n_scores; s++) {
        if (scores[s] > scores[best])
            best = s;
    }
    return best;
}

const double *tct_classifier_terms(const tct_classifier *classifier)
{
    const tct_linear *linear = tct_additive(classifier);

    return linear && linear->base.n_scores <= TCT_WIDE_LEVELS ? linear->weights : NULL;
}

void tct_model_parts_free(tacit_schema *schema, tct_classifier *classifier, double *mean, double *covariance)
{
    tacit_schema_free(schema);
    if (classifier)
        classifier->ops->free(classifier);
    tct_free(mean);
    tct_free(covariance);
}

tacit_status tct_model_build(tacit_model **out, tacit_schema *schema, tct_classifier *classifier, double *mean,
                             double *covariance, bool by_terms, const tacit_model_info *origin,
                             const tct_calibration *calibration, const tct_reference *reference, const char *model_hash,
                             tacit_error *err)
{
    tacit_model *model = tct_calloc(1, sizeof(*model));
    tacit_status st = TACIT_OK;

    *out = NULL;
    if (!model) {
        tct_model_parts_free(schema, classifier, mean, covariance);
        return tct_fail_memory(err);
    }
    model->schema = schema;
    model->classifier = classifier;
    model->mean = mean;
    model->covariance = covariance;
    model->crossing = tct_calloc(1, sizeof *model->crossing);
    if (!model->crossing) {
        st = tct_fail_memory(err);
        goto done;
    }
    st = tct_classifier_codec(&model->codec, classifier, schema, err);
    if (st)
        goto done;
    if (model->codec->n_inputs != classifier->n_inputs || schema->n_classes != classifier->n_classes) {
        st = tct_fail(err, TACIT_E_USAGE, "schema and classifier do not fit: %zu and %zu inputs, %zu and %zu classes",
                      model->codec->n_inputs, classifier->n_inputs, schema->n_classes, classifier->n_classes);
        goto done;
    }
    st = tct_variables_new(&model->variables, model->codec, mean, by_terms ? tct_classifier_terms(classifier) : NULL,
                           classifier->n_scores, err);
    if (st)
        goto done;
    if (reference && (st = tct_reference_copy(&model->reference, reference, err)))
        goto done;
    set_info(model, origin);
    if (calibration)
        set_calibration(model, calibration);
    if (model_hash)
        snprintf(model->model_hash, sizeof(model->model_hash), "%s", model_hash);
    else
        st = tct_model_dump(NULL, NULL, model->model_hash, model, err);
    if (st)
        goto done;
    *out = model;
    model = NULL; /* ownership moved to the caller */
done:
    tacit_model_free(model);
    return st;
}

tacit_status tct_model_assemble(tacit_model **out, tacit_schema *schema, tct_classifier *classifier, double *mean,
                                double *covariance, tacit_error *err)
{
    const tacit_model_info unknown = {.train_accuracy = NAN, .test_accuracy = NAN, .l2 = 1};

    return tct_model_build(out, schema, classifier, mean, covariance, false, &unknown, NULL, NULL, NULL, err);
}

static bool same_roles(const tacit_schema *a, const tacit_schema *b)
{
    for (size_t i = 0; i < a->n_attributes; i++)
        if (a->attributes[i].role != b->attributes[i].role)
            return false;
    return true;
}

/* A copy around `schema`, which it takes over (on failure too). */
static tacit_status copy_model(tacit_model **out, const tacit_model *model, tacit_schema *schema,
                               const tct_calibration *calibration, tacit_error *err)
{
    size_t d = model->codec->n_inputs, n = model->variables->n;
    tct_classifier *classifier = NULL;
    tacit_model_info origin = model->info;
    double *mean = copy_doubles(model->mean, d), *covariance = copy_doubles(model->covariance, n * n);
    tacit_status st = model->classifier->ops->copy(&classifier, model->classifier, err);

    origin.origin = model->told_origin;
    if (!st && (!mean || !covariance))
        st = tct_fail_memory(err);
    if (!st) /* which takes over the parts, also on failure */
        return tct_model_build(out, schema, classifier, mean, covariance, model->variables->n_wide > 0, &origin,
                               calibration, model->reference, NULL, err);
    tct_model_parts_free(schema, classifier, mean, covariance);
    return st;
}

tacit_status tct_model_with_calibration(tacit_model **out, const tacit_model *model, const tct_calibration *calibration,
                                        tacit_error *err)
{
    tacit_schema *schema = NULL;
    tacit_status st = tct_schema_copy(&schema, model->schema, err);

    *out = NULL;
    return st ? st : copy_model(out, model, schema, calibration, err);
}

tacit_status tct_model_with_sensitive(tacit_model **out, const tacit_model *model, const size_t *sensitive, size_t n,
                                      tacit_error *err)
{
    tacit_schema *schema = NULL;
    tacit_status st = tct_schema_copy(&schema, model->schema, err);

    *out = NULL;
    if (st)
        return st;
    for (size_t a = 0; a < schema->n_attributes; a++)
        schema->attributes[a].role = TACIT_PUBLIC;
    for (size_t i = 0; i < n; i++)
        schema->attributes[sensitive[i]].role = TACIT_SENSITIVE;
    return copy_model(out, model, schema, NULL, err);
}

void tct_crossing_set(const tacit_model *model, tct_crossing crossing)
{
    model->crossing->likely = crossing.likely;
    model->crossing->proofs = crossing.proofs;
    model->crossing->known = true;
}

tacit_status tct_model_for_trial(tacit_model **out, const tacit_model *model, const size_t *sensitive, size_t n,
                                 const tct_trial_terms *terms, tacit_error *err)
{
    tacit_status st = tct_model_with_sensitive(out, model, sensitive, n, err);

    if (st)
        return st;
    (*out)->first_order = terms->first_order;
    (*out)->proven = terms->proven;
    tct_crossing_set(*out, terms->crossing);
    return TACIT_OK;
}

tacit_status tacit_model_with_roles(tacit_model **out, const tacit_model *model, const char *sensitive,
                                    const char *public_, tacit_error *err)
{
    tacit_schema *schema = NULL;
    bool keep;
    tacit_status st;

    *out = NULL;
    st = tct_schema_copy(&schema, model->schema, err);
    if (!st)
        st = tacit_schema_set_roles(schema, sensitive, public_, err);
    if (st) {
        tacit_schema_free(schema);
        return st;
    }
    keep = model->calibrated && same_roles(schema, model->schema);
    return copy_model(out, model, schema, keep ? &model->calibration : NULL, err);
}

void tacit_model_free(tacit_model *model)
{
    if (!model)
        return;
    tct_codec_free(model->codec); /* before the schema it borrows */
    tct_model_parts_free(model->schema, model->classifier, model->mean, model->covariance);
    tct_variables_free(model->variables);
    tct_reference_free(model->reference);
    tct_free(model->crossing);
    tct_free(model);
}

const tacit_schema *tacit_model_schema(const tacit_model *model)
{
    return model->schema;
}

const tacit_model_info *tacit_model_info_get(const tacit_model *model)
{
    return &model->info;
}

bool tacit_model_reads(const tacit_model *model, size_t attribute)
{
    tct_region everybody = tct_region_of(model->codec, NULL, NULL);

    return attribute < model->schema->n_attributes && !tct_region_is_single(&everybody, attribute);
}

void tct_model_fill_idle(const tacit_model *model, const unsigned char *known, double *x)
{
    for (size_t a = 0; a < model->schema->n_attributes; a++) {
        const tct_domain *domain = &model->codec->domains[a];

        for (size_t i = 0; i < domain->width && !known[a] && !tacit_model_reads(model, a); i++)
            x[domain->first + i] = domain->kind == TCT_ONEHOT;
    }
}

const tacit_calibration *tacit_model_calibration(const tacit_model *model)
{
    return model->calibrated ? &model->view : NULL;
}

bool tacit_model_as_given(const tacit_model *model, size_t attribute)
{
    const struct tct_cells *cells =
        attribute < model->schema->n_attributes ? tct_codec_cells(model->codec, attribute) : NULL;

    return cells && (cells->missing || !model->schema->attributes[attribute].missing_is_value);
}
