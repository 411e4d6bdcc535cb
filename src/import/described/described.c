/*
 * described.c -- a classifier from a description of it: the front by described_columns.c, the model here or, for trees,
 * by described_trees.c.
 *
 * Linear models and networks become affine functions of the encoded inputs, folded in double precision; the deployed
 * program adds up in an order of its own, so scores differ by rounding.  Labels follow scores as scikit-learn's do: the
 * second of two classes where its score is above 0, else the first largest.
 */
#include "described.h"

#include <math.h>

#include "described_inside.h"
#include "mlp.h"
#include "model_parts.h"

bool tct_described_looks_like(const json_t *root)
{
    const char *format = json_string_value(json_object_get(root, "format"));

    return format && strcmp(format, "tacit-classifier") == 0;
}

/* ---- what linear models and networks read ---- */

/* factor * x + shift is what the steps up to this one make of x; false: they round. */
static bool compose(const tct_step *step, double *factor, double *shift)
{
    *factor = 1;
    *shift = 0;
    if (!step)
        return true;
    if (!compose(step->before, factor, shift))
        return false;
    switch (step->op) {
    case '+':
        *shift += step->number;
        break;
    case '-':
        *shift -= step->number;
        break;
    case '*':
        *factor *= step->number;
        *shift *= step->number;
        break;
    case '/':
        *factor /= step->number;
        *shift /= step->number;
        break;
    default:
        return false;
    }
    return true;
}

/* Where a number is missing, a model sees the schema's `fill`: is that what it sees where it is deployed? */
static tacit_status check_missing(tct_description *d, size_t i)
{
    const tct_source *column = &d->sources[i];
    const tacit_attribute *a = &d->walk.codec->schema->attributes[column->attribute];

    if (isnan(column->missing) && a->missing_is_value)
        return tct_onnx_fail(&d->walk, "'%.100s' may be missing, and the model has no number that stands for it",
                             a->name);
    if (!isnan(column->missing) && (float)tct_source_value(column, a->fill) != (float)column->missing)
        return tct_onnx_fail(&d->walk,
                             "the model puts another number in place of a missing '%.100s' than the schema does: let "
                             "its fill be that number",
                             a->name);
    return TACIT_OK;
}

static tacit_status feature_functions(tct_description *d, const tct_affine **out)
{
    tct_onnx *o = &d->walk;
    double *factor = tct_onnx_alloc(o, d->n_features, sizeof *factor);
    double *shift = tct_onnx_alloc(o, d->n_features, sizeof *shift);
    const tct_affine *raw = NULL;
    const char *reason = NULL;
    tacit_status st =
        factor && shift ? tct_sources_affine(o, d->sources, d->n_features, &raw, &reason) : o->error.status;

    if (!st && !raw)
        st = tct_onnx_fail(o, "%s", reason);
    for (size_t i = 0; i < d->n_features && !st; i++) {
        const tct_source *column = &d->sources[i];

        factor[i] = 1;
        if (column->values)
            continue;
        st = check_missing(d, i);
        if (!st && !compose(column->steps, &factor[i], &shift[i]))
            st = tct_onnx_fail(o, "feature %zu is rounded to float32, which is followed for trees only", i);
    }
    *out = st ? NULL : tct_affine_scaled(o, raw, factor, shift);
    return *out ? TACIT_OK : o->error.status;
}

/* One layer: rows of weights, one for each number that it makes. */
static tacit_status read_layer(tct_description *d, const json_t *json, const tct_json_at *place, const tct_affine **a)
{
    tct_onnx *o = &d->walk;
    size_t n = json_array_size(json_object_get(json, "weights")), width = (*a)->width;
    double *weights, *bias;
    tacit_status st;

    if (n < 1 || n > TCT_MAX_WIDTH)
        return tct_json_fail(place, "weights", &o->error, "expected 1 to %d rows", TCT_MAX_WIDTH);
    weights = tct_onnx_alloc(o, n * width, sizeof *weights);
    bias = tct_onnx_alloc(o, n, sizeof *bias);
    if (!weights || !bias)
        return o->error.status;
    if ((st = tct_matrix_from_json(weights, n, width, json, "weights", place, &o->error)) ||
        (st = tct_json_get_numbers(bias, n, json, "bias", place, &o->error)))
        return st;
    *a = tct_affine_product(o, *a, weights, 1, width, n, bias);
    return *a ? TACIT_OK : o->error.status;
}

static tacit_status read_scores(tct_description *d, bool network, const tct_affine **out)
{
    static const char *const linear_keys[] = {"kind", "score", "weights", "bias"},
                             *const network_keys[] = {"kind", "score", "layers"},
                             *const layer_keys[] = {"weights", "bias"};
    const tct_json_at place = {.parent = &d->at, .key = "model"}, list = {.parent = &place, .key = "layers"};
    tacit_error *err = &d->walk.error;
    json_t *layers = NULL;
    tacit_status st = tct_json_check_keys(d->model, network ? network_keys : linear_keys, network ? 3 : 4, &place, err);

    if (!st)
        st = feature_functions(d, out);
    if (st || !network)
        return st ? st : read_layer(d, d->model, &place, out);
    st = tct_json_get_array(&layers, d->model, "layers", &place, err);
    if (!st && (json_array_size(layers) < 1 || json_array_size(layers) > TCT_MAX_LAYERS))
        st = tct_json_fail(&place, "layers", err, "expected 1 to %d", TCT_MAX_LAYERS);
    for (size_t k = 0; k < json_array_size(layers) && !st; k++) {
        const tct_json_at at = {.parent = &list, .index = k};

        if (k > 0 && !(*out = tct_affine_relu(&d->walk, *out)))
            return err->status;
        st = tct_json_check_keys(json_array_get(layers, k), layer_keys, 2, &at, err);
        if (!st)
            st = read_layer(d, json_array_get(layers, k), &at, out);
    }
    return st;
}

/* ---- the decision ---- */

/* "Above 0", where our labels say "at least 0": the last bias is the number before it. */
static const tct_affine *above_zero(tct_onnx *o, const tct_affine *scores)
{
    tct_affine *less = tct_onnx_alloc(o, 1, sizeof *less);
    double *bias = tct_onnx_alloc(o, scores->width, sizeof *bias);
    size_t last = scores->width - 1;

    if (!less || !bias)
        return NULL;
    *less = *scores;
    memcpy(bias, scores->bias, scores->width * sizeof *bias);
    bias[last] = nextafter(bias[last], -INFINITY);
    less->bias = bias;
    return less;
}

static tacit_status build_scores(tct_description *d, const tct_affine *scores, double threshold, tct_classifier **out)
{
    const tct_json_at place = {.parent = &d->at, .key = "model"};
    tct_value answer = {.kind = TCT_LABEL, .scores = scores, .columns = d->n_classes, .names = d->classes};
    size_t column[TCT_MAX_CLASSES];
    const char *score = "margin";
    tacit_status st;

    if (scores->width != d->n_classes && !(d->n_classes == 2 && scores->width == 1))
        return tct_json_fail(&place, NULL, &d->walk.error, "%zu scores for %zu classes", scores->width, d->n_classes);
    if ((st = tct_onnx_match_classes(&d->walk, &answer, column)) ||
        (st = tct_json_optional_string(&score, d->model, "score", &place, &d->walk.error)))
        return st;
    if (!isnan(threshold) && strcmp(score, "odds") != 0)
        return tct_fail(&d->walk.error, TACIT_E_USAGE,
                        "the score of this model is no log-odds to compare with a threshold");
    if (!isnan(threshold) && d->n_classes == 2 && column[1] != 1)
        return tct_onnx_fail(&d->walk, "a threshold is about the second class: put the classes into the model's order");
    if (d->n_classes == 2 && column[1] == 1 && isnan(threshold))
        scores = above_zero(&d->walk, scores);
    if (!scores)
        return d->walk.error.status;
    st = tct_onnx_build(&d->walk, out, scores, column);
    return st || isnan(threshold) ? st : tct_classifier_threshold(out, threshold, &d->walk.error);
}

static tacit_status build_trees(tct_description *d, const tacit_table *table, double threshold, tct_classifier **out)
{
    tct_value answer = {.kind = TCT_LABEL, .trees = &d->walk.trees, .columns = d->n_classes, .names = d->classes};
    size_t column[TCT_MAX_CLASSES];
    tacit_status st;

    if ((st = tct_described_trees(d, threshold)) || (st = tct_onnx_match_classes(&d->walk, &answer, column)))
        return st;
    if (!isnan(threshold) && column[1] != 1)
        return tct_onnx_fail(&d->walk, "a threshold is about the second class: put the classes into the model's order");
    st = tct_onnx_trees_arrange(&d->walk, column);
    return st ? st : tct_raw_fit(out, &d->walk.trees, d->walk.codec->schema, table, &d->walk.error);
}

static tacit_status read_model(tct_description *d, const tacit_table *table, double threshold, tct_classifier **out)
{
    const tct_json_at place = {.parent = &d->at, .key = "model"};
    const tct_affine *scores = NULL;
    const char *kind = NULL;
    bool network;
    tacit_status st = tct_json_get_string(&kind, d->model, "kind", &place, &d->walk.error);

    if (st)
        return st;
    if (strcmp(kind, "trees") == 0 || strcmp(kind, "xgboost") == 0)
        return build_trees(d, table, threshold, out);
    network = strcmp(kind, "network") == 0;
    if (!network && strcmp(kind, "linear") != 0)
        return tct_json_fail(&place, "kind", &d->walk.error, "'%.40s' is not linear, network, trees or xgboost", kind);
    st = read_scores(d, network, &scores);
    return st ? st : build_scores(d, scores, threshold, out);
}

tacit_status tct_described_read(tct_classifier **out, const json_t *root, const char *file, const tct_codec *codec,
                                const tacit_table *table, double threshold, tacit_error *err)
{
    tct_description d = {.walk = {.codec = codec, .threshold = NAN}};
    tacit_status st;

    *out = NULL;
    if (!(st = tct_described_open(&d, root, file)) && !(st = tct_onnx_raw_inputs(&d.walk)) &&
        !(st = tct_described_features(&d)))
        st = read_model(&d, table, threshold, out);
    if (st && err)
        *err = d.walk.error;
    tct_raw_clear(&d.walk.trees);
    tct_onnx_release(&d.walk);
    return st;
}
