/*
 * onnx_head.c -- the operators at the end of a classifier: from scores to probabilities, labels and names.
 *
 * A label is decided by which score is largest.  Sigmoids, softmaxes and norms keep that order, so they are dropped and
 * the scores in front of them kept: labels stay the same, and what is left is piecewise linear.
 */
#include "onnx_inside.h"

/* ---- probabilities ---- */

/* Output `index` is what an order-keeping operator made of `a`. */
static tacit_status put_head(tct_onnx *o, const TctOnnx__NodeProto *node, size_t index, const tct_value *a,
                             bool sigmoid)
{
    tct_value head = *a;

    head.kind = TCT_HEAD;
    head.sigmoid = sigmoid;
    head.made_by = o->op;
    head.made_at = o->node;
    return tct_onnx_output(o, node, index, &head);
}

tacit_status tct_onnx_sigmoid(tct_onnx *o, const TctOnnx__NodeProto *node)
{
    const tct_value *a = NULL;
    tacit_status st = tct_onnx_wire(o, node, 0, &a);

    return st ? st : put_head(o, node, 0, a, true);
}

tacit_status tct_onnx_softmax(tct_onnx *o, const TctOnnx__NodeProto *node)
{
    const tct_value *a = NULL;
    tacit_status st;

    if ((st = tct_onnx_wire(o, node, 0, &a)) || (st = tct_onnx_axis(o, node, o->opset >= 13 ? -1 : 1)))
        return st;
    if (a->columns < 2)
        return tct_onnx_fail(o, "of a single number is always 1");
    return put_head(o, node, 0, a, false);
}

tacit_status tct_onnx_normalizer(tct_onnx *o, const TctOnnx__NodeProto *node)
{
    const tct_value *a = tct_onnx_input(o, node, 0);
    const char *norm = "MAX";
    tacit_status st = tct_onnx_text(o, node, "norm", &norm);

    if (st)
        return st;
    if (a->kind != TCT_HEAD && (st = tct_onnx_features(o, node, 0, &a)))
        return st;
    if (strcmp(norm, "L1") != 0 && strcmp(norm, "L2") != 0 && strcmp(norm, "MAX") != 0)
        return tct_onnx_fail(o, "unknown norm '%.20s'", norm);
    if (a->kind == TCT_WIRE && (a->sources || (a->scores->base->depth == 0 && a->scores->scale)))
        return tct_onnx_fail(o, "of the network's inputs is not linear; it is understood after the scores only");
    if (a->columns < 2)
        return tct_onnx_fail(o, "of a single number leaves its sign at most");
    if (a->kind == TCT_WIRE && strcmp(norm, "MAX") == 0)
        return tct_onnx_fail(o, "by the largest score turns their order around where all are negative");
    return put_head(o, node, 0, a, false);
}

/* ---- labels ---- */

tacit_status tct_onnx_argmax(tct_onnx *o, const TctOnnx__NodeProto *node)
{
    const tct_value *a = tct_onnx_input(o, node, 0);
    int64_t last = 0, keep = 1;
    tct_value label;
    tacit_status st;

    if ((a->kind != TCT_HEAD && (st = tct_onnx_wire(o, node, 0, &a))) ||
        (st = tct_onnx_int(o, node, "select_last_index", &last)) || (st = tct_onnx_int(o, node, "keepdims", &keep)) ||
        (st = tct_onnx_axis(o, node, 0)))
        return st;
    if (last)
        return tct_onnx_fail(o, "select_last_index must be 0: ties go to the first class");
    if (a->columns < 2)
        return tct_onnx_fail(o, "of a single number is always 0");
    if (a->trees && (st = tct_onnx_trees_argmax(o, a)))
        return st;
    label =
        (tct_value){.kind = TCT_LABEL, .scores = a->scores, .trees = a->trees, .columns = a->columns, .flat = !keep};
    return tct_onnx_output(o, node, 0, &label);
}

/* The names that a constant gives to the labels 0, 1, ... */
tacit_status tct_onnx_feature_extractor(tct_onnx *o, const TctOnnx__NodeProto *node)
{
    const tct_value *data = tct_onnx_input(o, node, 0), *label = tct_onnx_input(o, node, 1);
    const char **names;
    tct_value named;

    if (data->kind == TCT_WIRE)
        return tct_onnx_pick(o, node);
    if (data->kind != TCT_TENSOR || label->kind != TCT_LABEL || label->names)
        return tct_onnx_fail(o,
                             "is understood where it picks columns, or the names of classes from a constant by ArgMax");
    if (data->tensor->count != label->columns)
        return tct_onnx_fail(o, "%zu names for %zu classes", data->tensor->count, label->columns);
    names = tct_onnx_alloc(o, label->columns, sizeof(*names));
    if (!names)
        return o->error.status;
    for (size_t c = 0; c < label->columns; c++) {
        names[c] = data->tensor->texts ? data->tensor->texts[c] : tct_onnx_number_text(o, data->tensor->numbers[c]);
        if (!names[c])
            return o->error.status;
    }
    named = *label;
    named.names = names;
    return tct_onnx_output(o, node, 0, &named);
}

/* One name through keys and values; NULL when it is no key. */
static const char *map_name(const char *name, const char *const *keys, const char *const *values, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        if (strcmp(keys[k], name) == 0)
            return values[k];
    }
    return NULL;
}

/* Keys and values of a LabelEncoder.  Its first version has a list of names only, which stand for 0, 1, ... */
static tacit_status get_pairs(tct_onnx *o, const TctOnnx__NodeProto *node, bool named, const char *const **keys,
                              const char *const **values, size_t *count)
{
    const char *const *classes = NULL;
    const char **numbers;
    size_t n_classes, n_values;
    tacit_status st;

    if ((st = tct_onnx_names(o, node, "classes_strings", NULL, NULL, &classes, &n_classes)) ||
        (st = tct_onnx_names(o, node, "keys_strings", "keys_int64s", "keys_floats", keys, count)) ||
        (st = tct_onnx_names(o, node, "values_strings", "values_int64s", "values_floats", values, &n_values)))
        return st;
    if (!classes && (!*keys || !*values || *count != n_values))
        return tct_onnx_fail(o, "expected as many keys as values, in lists of text, int64 or float");
    if (!classes)
        return TACIT_OK;
    numbers = tct_onnx_alloc(o, n_classes, sizeof(*numbers));
    for (size_t c = 0; numbers && c < n_classes; c++) {
        numbers[c] = tct_onnx_number_text(o, (double)c);
        if (!numbers[c])
            return o->error.status;
    }
    *keys = named ? classes : numbers;
    *values = named ? numbers : classes;
    *count = n_classes;
    return numbers ? TACIT_OK : o->error.status;
}

tacit_status tct_onnx_label_encoder(tct_onnx *o, const TctOnnx__NodeProto *node)
{
    const tct_value *label = tct_onnx_input(o, node, 0);
    const char *const *keys = NULL, *const *values = NULL;
    const char **names;
    tct_value named;
    size_t count = 0;
    tacit_status st;

    if (label->kind == TCT_WIRE)
        return tct_onnx_recode(o, node);
    if (label->kind != TCT_LABEL)
        return tct_onnx_fail(o, "is understood where it recodes categories or renames labels");
    st = get_pairs(o, node, label->names != NULL, &keys, &values, &count);
    if (st)
        return st;
    names = tct_onnx_alloc(o, label->columns, sizeof(*names));
    if (!names)
        return o->error.status;
    for (size_t c = 0; c < label->columns; c++) {
        const char *name = label->names ? label->names[c] : tct_onnx_number_text(o, (double)c);

        if (!name)
            return o->error.status;
        names[c] = map_name(name, keys, values, count);
        if (!names[c])
            return tct_onnx_fail(o, "class '%.60s' is not among its keys", name);
    }
    named = *label;
    named.names = names;
    return tct_onnx_output(o, node, 0, &named);
}

tacit_status tct_onnx_zipmap(tct_onnx *o, const TctOnnx__NodeProto *node)
{
    const tct_value *a = tct_onnx_input(o, node, 0);
    tct_value map;
    size_t count;
    tacit_status st;

    if (a->kind != TCT_HEAD && (st = tct_onnx_wire(o, node, 0, &a)))
        return st;
    map = (tct_value){.kind = TCT_MAP, .scores = a->scores, .trees = a->trees, .columns = a->columns};
    st = tct_onnx_names(o, node, "classlabels_strings", "classlabels_int64s", NULL, &map.names, &count);
    if (!st && count != a->columns)
        st = tct_onnx_fail(o, "%zu names for %zu numbers", count, a->columns);
    return st ? st : tct_onnx_output(o, node, 0, &map);
}

/* ---- LinearClassifier ---- */

/* What it does to its scores; only what keeps their order. */
static tacit_status check_transform(tct_onnx *o, const TctOnnx__NodeProto *node, bool *raw)
{
    const char *transform = "NONE";
    tacit_status st = tct_onnx_text(o, node, "post_transform", &transform);

    if (st)
        return st;
    *raw = strcmp(transform, "NONE") == 0;
    if (!*raw && strcmp(transform, "LOGISTIC") != 0 && strcmp(transform, "SOFTMAX") != 0)
        return tct_onnx_fail(o, "post_transform '%.20s' is not supported; NONE, LOGISTIC and SOFTMAX are", transform);
    return TACIT_OK;
}

/* Scores from the attributes: as many rows of coefficients as there are intercepts, or as classes. */
static tacit_status make_scores(tct_onnx *o, const TctOnnx__NodeProto *node, const tct_value *a, size_t n_names,
                                const tct_affine **scores)
{
    double *coefficients = NULL, *intercepts = NULL;
    size_t n_coefficients, n_intercepts, n;
    tacit_status st;

    if ((st = tct_onnx_floats(o, node, "coefficients", &coefficients, &n_coefficients)) ||
        (st = tct_onnx_floats(o, node, "intercepts", &intercepts, &n_intercepts)))
        return st;
    if (!coefficients || n_coefficients % a->columns != 0)
        return tct_onnx_fail(o, "%zu coefficients do not make rows of %zu", n_coefficients, a->columns);
    n = n_coefficients / a->columns;
    if (intercepts && n_intercepts != n)
        return tct_onnx_fail(o, "%zu intercepts for %zu rows of coefficients", n_intercepts, n);
    if (n != n_names && !(n == 1 && n_names == 2))
        return tct_onnx_fail(o, "%zu rows of coefficients for %zu classes", n, n_names);
    *scores = tct_affine_product(o, a->scores, coefficients, 1, a->columns, n, intercepts);
    return *scores ? TACIT_OK : o->error.status;
}

tacit_status tct_onnx_linear_classifier(tct_onnx *o, const TctOnnx__NodeProto *node)
{
    const tct_value *a = NULL;
    tct_value label = {.kind = TCT_LABEL, .flat = true}, wire;
    bool raw = false;
    tacit_status st;

    if ((st = tct_onnx_rows(o, node, 0, &a)) || (st = check_transform(o, node, &raw)) ||
        (st = tct_onnx_names(o, node, "classlabels_strings", "classlabels_ints", NULL, &label.names, &label.columns)) ||
        (st = make_scores(o, node, a, label.columns, &label.scores)) || (st = tct_onnx_output(o, node, 0, &label)))
        return st;
    wire = (tct_value){.kind = TCT_WIRE, .scores = label.scores, .columns = label.scores->width};
    if (label.columns != label.scores->width) { /* one score, given out as two columns */
        wire.columns = label.columns;
        raw = false;
    }
    return raw ? tct_onnx_output(o, node, 1, &wire) : put_head(o, node, 1, &wire, false);
}
