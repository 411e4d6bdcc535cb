/*
 * onnx_ops.c -- the operators that make up the body of a network: everything affine, and ReLU.
 *
 * Tensors in a network of ours have one row per person, so shapes are [people, numbers] throughout, and operators that
 * would mix people are refused.
 */
#include "onnx_inside.h"

/* ---- inputs and outputs of a node ---- */

const tct_value *tct_onnx_input(const tct_onnx *o, const TctOnnx__NodeProto *node, size_t index)
{
    const char *name = index < node->n_input ? node->input[index] : "";
    uint32_t found = tct_lookup_find(&o->names, name, strlen(name));

    return *name && found != TCT_LOOKUP_NONE ? o->values[found] : NULL;
}

tacit_status tct_onnx_define(tct_onnx *o, const char *name, const tct_value *value)
{
    tct_value *copy = tct_onnx_alloc(o, 1, sizeof(*copy));
    const tct_value **values;
    uint32_t known = o->names.count, index;
    tacit_status st;

    if (!copy)
        return o->error.status;
    *copy = *value;
    st = tct_lookup_add(&o->names, name, strlen(name), &index, &o->error);
    if (st)
        return st;
    if (index != known)
        return tct_onnx_fail(o, "'%.60s' is defined twice", name);
    values = tct_grow(o->values, &o->room, o->names.count, sizeof(*values));
    if (!values)
        return tct_fail_memory(&o->error);
    o->values = values;
    o->values[index] = copy;
    return TACIT_OK;
}

tacit_status tct_onnx_output(tct_onnx *o, const TctOnnx__NodeProto *node, size_t index, const tct_value *value)
{
    if (index >= node->n_output || !*node->output[index])
        return TACIT_OK;
    return tct_onnx_define(o, node->output[index], value);
}

tacit_status tct_onnx_table(tct_onnx *o, const TctOnnx__NodeProto *node, size_t index, const tct_value **out)
{
    const tct_value *value = tct_onnx_input(o, node, index);

    *out = NULL;
    if (!value)
        return tct_onnx_fail(o, "input %zu is missing", index + 1);
    switch (value->kind) {
    case TCT_TENSOR:
        return tct_onnx_fail(o, "input %zu is a constant; expected what comes from the network's inputs", index + 1);
    case TCT_HEAD:
        return tct_onnx_fail(o, "input %zu has gone through %s (node %zu), which is not piecewise linear", index + 1,
                             value->made_by, value->made_at);
    case TCT_LABEL:
    case TCT_MAP:
        return tct_onnx_fail(o, "input %zu is a label or a map, not numbers", index + 1);
    case TCT_WIRE:
        break;
    }
    *out = value;
    return TACIT_OK;
}

tacit_status tct_onnx_features(tct_onnx *o, const TctOnnx__NodeProto *node, size_t index, const tct_value **out)
{
    tacit_status st = tct_onnx_table(o, node, index, out);

    if (!st && (*out)->deep)
        st = tct_onnx_fail(
            o, "input %zu has three dimensions, as a OneHotEncoder makes them; a Reshape must come first", index + 1);
    if (!st && !(*out)->scores)
        st = tct_onnx_fail(o, "input %zu: %s", index + 1, (*out)->reason);
    return st;
}

tacit_status tct_onnx_wire(tct_onnx *o, const TctOnnx__NodeProto *node, size_t index, const tct_value **out)
{
    tacit_status st = tct_onnx_features(o, node, index, out);

    if (!st && (*out)->whole)
        st = tct_onnx_fail(o, "input %zu is of an integer type; a Cast to float must come first", index + 1);
    return st;
}

tacit_status tct_onnx_rows(tct_onnx *o, const TctOnnx__NodeProto *node, size_t index, const tct_value **out)
{
    tacit_status st = tct_onnx_features(o, node, index, out);

    if (!st && (*out)->flat)
        st = tct_onnx_fail(o, "input %zu must have one row per person", index + 1);
    return st;
}

tacit_status tct_onnx_axis(tct_onnx *o, const TctOnnx__NodeProto *node, int64_t axis)
{
    tacit_status st = tct_onnx_int(o, node, "axis", &axis);

    if (!st && axis != 1 && axis != -1)
        st = tct_onnx_fail(o, "axis %lld goes across people; expected 1 or -1", (long long)axis);
    return st;
}

tacit_status tct_onnx_numbers(tct_onnx *o, const TctOnnx__NodeProto *node, size_t index, const tct_tensor **out)
{
    const tct_value *value = tct_onnx_input(o, node, index);

    *out = NULL;
    if (!value)
        return tct_onnx_fail(o, "input %zu is missing", index + 1);
    if (value->kind != TCT_TENSOR || !value->tensor->numbers)
        return tct_onnx_fail(o, "input %zu: expected constant numbers", index + 1);
    *out = value->tensor;
    return TACIT_OK;
}

tacit_status tct_onnx_put_wire(tct_onnx *o, const TctOnnx__NodeProto *node, const tct_value *like,
                               const tct_affine *scores)
{
    tct_value value = *like;

    if (!scores)
        return o->error.status;
    value.scores = scores;
    value.sources = NULL;
    value.columns = scores->width;
    return tct_onnx_output(o, node, 0, &value);
}

/* A constant stretched over the columns of a wire: one number, or one per column. */
static tacit_status stretch(tct_onnx *o, const tct_tensor *tensor, size_t width, bool flat, double **out)
{
    size_t last = tensor->n_dims ? tensor->dims[tensor->n_dims - 1] : 1;
    char shape[TCT_ONNX_SHAPE];

    *out = NULL;
    if (tensor->count != last || (last != 1 && (last != width || flat)) || tensor->n_dims > (flat ? 1 : 2))
        return tct_onnx_fail(o, "a constant of shape %s does not fit rows of %zu", tct_onnx_shape(tensor, shape),
                             width);
    *out = tct_onnx_alloc(o, width, sizeof(double));
    if (!*out)
        return o->error.status;
    for (size_t i = 0; i < width; i++)
        (*out)[i] = tensor->numbers[last == 1 ? 0 : i];
    return TACIT_OK;
}

/* ---- layers ---- */

/* The constant matrix of a layer that reads `width` numbers: how many it makes. */
static tacit_status check_matrix(tct_onnx *o, const tct_tensor *matrix, bool transposed, size_t width, size_t *made)
{
    char shape[TCT_ONNX_SHAPE];

    if (matrix->n_dims != 2 || matrix->dims[transposed] != width)
        return tct_onnx_fail(o, "a matrix of shape %s does not fit rows of %zu", tct_onnx_shape(matrix, shape), width);
    *made = matrix->dims[!transposed];
    return TACIT_OK;
}

tacit_status tct_onnx_gemm(tct_onnx *o, const TctOnnx__NodeProto *node)
{
    const tct_value *a = NULL;
    const tct_tensor *b = NULL, *c = NULL;
    double alpha = 1, beta = 1, *bias = NULL;
    int64_t trans_a = 0, trans_b = 0;
    const tct_affine *scores;
    size_t width = 0;
    tacit_status st;

    if ((st = tct_onnx_wire(o, node, 0, &a)) || (st = tct_onnx_numbers(o, node, 1, &b)) ||
        (st = tct_onnx_float(o, node, "alpha", &alpha)) || (st = tct_onnx_float(o, node, "beta", &beta)) ||
        (st = tct_onnx_int(o, node, "transA", &trans_a)) || (st = tct_onnx_int(o, node, "transB", &trans_b)))
        return st;
    if (trans_a || a->flat)
        return tct_onnx_fail(o, "its first input must have one row per person (transA 0)");
    scores = a->scores;
    if ((st = check_matrix(o, b, trans_b != 0, a->columns, &width)))
        return st;
    if (tct_onnx_input(o, node, 2) &&
        ((st = tct_onnx_numbers(o, node, 2, &c)) || (st = stretch(o, c, width, false, &bias))))
        return st;
    for (size_t j = 0; bias && j < width; j++)
        bias[j] *= beta;
    if (alpha != 1) {
        double *factor = tct_onnx_alloc(o, a->columns, sizeof(double));
        for (size_t i = 0; factor && i < a->columns; i++)
            factor[i] = alpha;
        scores = factor ? tct_affine_scaled(o, scores, factor, NULL) : NULL;
    }
    if (scores)
        scores = trans_b ? tct_affine_product(o, scores, b->numbers, 1, b->dims[1], width, bias)
                         : tct_affine_product(o, scores, b->numbers, b->dims[1], 1, width, bias);
    return tct_onnx_put_wire(o, node, a, scores);
}

tacit_status tct_onnx_matmul(tct_onnx *o, const TctOnnx__NodeProto *node)
{
    const tct_value *a = NULL;
    const tct_tensor *b = NULL;
    size_t width = 0;
    tacit_status st;

    if ((st = tct_onnx_wire(o, node, 0, &a)) || (st = tct_onnx_numbers(o, node, 1, &b)))
        return st;
    if (a->flat)
        return tct_onnx_fail(o, "its first input must have one row per person");
    st = check_matrix(o, b, false, a->columns, &width);
    return st ? st
              : tct_onnx_put_wire(o, node, a, tct_affine_product(o, a->scores, b->numbers, b->dims[1], 1, width, NULL));
}

tacit_status tct_onnx_relu(tct_onnx *o, const TctOnnx__NodeProto *node)
{
    const tct_value *a = NULL;
    tacit_status st = tct_onnx_wire(o, node, 0, &a);

    return st ? st : tct_onnx_put_wire(o, node, a, tct_affine_relu(o, a->scores));
}

tacit_status tct_onnx_per_column(tct_onnx *o, const TctOnnx__NodeProto *node, const char *name, size_t columns,
                                 double otherwise, double **out)
{
    double *given = NULL;
    size_t count;
    tacit_status st = tct_onnx_floats(o, node, name, &given, &count);

    if (st)
        return st;
    if (given && count != 1 && count != columns)
        return tct_onnx_fail(o, "%s has %zu numbers, but rows have %zu", name, count, columns);
    *out = tct_onnx_alloc(o, columns, sizeof(double));
    if (!*out)
        return o->error.status;
    for (size_t i = 0; i < columns; i++)
        (*out)[i] = given ? given[count == 1 ? 0 : i] : otherwise;
    return TACIT_OK;
}

/* The columns of a wire after one more step each, with one number each. */
static tct_source *step_columns(tct_onnx *o, const tct_value *a, char op, const double *numbers)
{
    tct_source *columns = tct_sources_copy(o, a->sources, NULL, a->columns);

    for (size_t i = 0; columns && i < a->columns; i++)
        if (!tct_source_step(o, &columns[i], op, !a->wide, numbers[i]))
            return NULL;
    return columns;
}

/* (x - offset) * scale: in the precision of what comes in, integers as floats; floats come out. */
static const tct_source *scale_columns(tct_onnx *o, const tct_value *a, const double *offset, const double *scale)
{
    tct_source *columns = tct_sources_copy(o, a->sources, NULL, a->columns);

    for (size_t i = 0; columns && i < a->columns; i++)
        if ((!a->wide && !tct_source_to_single(o, &columns[i])) ||
            !tct_source_step(o, &columns[i], '-', !a->wide, offset[i]) ||
            !tct_source_step(o, &columns[i], '*', !a->wide, scale[i]) ||
            (a->wide && !tct_source_to_single(o, &columns[i])))
            return NULL;
    return columns;
}

tacit_status tct_onnx_scaler(tct_onnx *o, const TctOnnx__NodeProto *node)
{
    const tct_value *a = NULL;
    tct_value value;
    double *scale = NULL, *offset = NULL;
    const tct_affine *scores = NULL;
    const tct_source *columns = NULL;
    tacit_status st = tct_onnx_table(o, node, 0, &a);

    if (!st && (a->text || a->deep || a->flat))
        st = tct_onnx_fail(o, "expected rows of numbers");
    if (st || (st = tct_onnx_per_column(o, node, "scale", a->columns, 1, &scale)) ||
        (st = tct_onnx_per_column(o, node, "offset", a->columns, 0, &offset)))
        return st;
    if (!a->scores && !a->sources)
        return tct_onnx_features(o, node, 0, &a);
    if (a->sources && !(columns = scale_columns(o, a, offset, scale)))
        return o->error.status;
    for (size_t i = 0; i < a->columns; i++)
        offset[i] *= -scale[i];
    if (a->scores && !(scores = tct_affine_scaled(o, a->scores, scale, offset)))
        return o->error.status;
    value = *a;
    value.whole = value.wide = false;
    return columns ? tct_onnx_put_columns(o, node, &value, scores, columns, a->columns)
                   : tct_onnx_put_wire(o, node, &value, scores);
}

/* ---- Add, Sub, Mul, Div ---- */

/* 1 - p of a sigmoid's p: the only arithmetic on probabilities. */
static bool is_complement(const tct_value *a, const tct_value *b, char op)
{
    return op == 'S' && a && b && a->kind == TCT_TENSOR && a->tensor->numbers && a->tensor->count == 1 &&
           a->tensor->numbers[0] == 1 && b->kind == TCT_HEAD && b->sigmoid && !b->rest && b->columns == 1;
}

static tacit_status add_wires(tct_onnx *o, const TctOnnx__NodeProto *node, char op)
{
    const tct_value *a = NULL, *b = NULL;
    const tct_affine *first, *second;
    tacit_status st;

    if ((st = tct_onnx_wire(o, node, 0, &a)) || (st = tct_onnx_wire(o, node, 1, &b)))
        return st;
    if (op == 'M' || op == 'D')
        return tct_onnx_fail(o, "both inputs depend on the network's inputs, which is not piecewise linear");
    if (a->columns != b->columns || a->flat != b->flat)
        return tct_onnx_fail(o, "rows of %zu and of %zu do not fit", a->columns, b->columns);
    first = a->scores;
    second = b->scores;
    if (!tct_affine_meet(o, &first, &second)) /* a residual connection */
        return o->error.status;
    return tct_onnx_put_wire(o, node, a, tct_affine_sum(o, first, second, op == 'S' ? -1 : 1));
}

/* The affine functions after it, or NULL where there were none. */
static const tct_affine *fold_constant(tct_onnx *o, const tct_value *a, char op, bool constant_first, double *numbers)
{
    double *factor = NULL;

    if (op == 'M' || op == 'D') {
        for (size_t i = 0; i < a->columns && op == 'D'; i++)
            numbers[i] = 1 / numbers[i];
        return tct_affine_scaled(o, a->scores, numbers, NULL);
    }
    if (op == 'S' && constant_first) {
        factor = tct_onnx_alloc(o, a->columns, sizeof(double));
        if (!factor)
            return NULL;
    }
    for (size_t i = 0; i < a->columns && op == 'S'; i++) {
        if (factor)
            factor[i] = -1;
        else
            numbers[i] = -numbers[i];
    }
    return tct_affine_scaled(o, a->scores, factor, numbers);
}

/* wire op constant, or constant op wire. */
static tacit_status add_constant(tct_onnx *o, const TctOnnx__NodeProto *node, char op, bool constant_first)
{
    const tct_value *a = NULL;
    const tct_tensor *tensor = NULL;
    const tct_source *columns = NULL;
    const tct_affine *scores = NULL;
    double *numbers = NULL;
    char step = op == 'A' ? '+' : op == 'M' ? '*' : op == 'D' ? '/' : constant_first ? '~' : '-';
    tacit_status st;

    if ((st = tct_onnx_table(o, node, constant_first, &a)))
        return st;
    if ((!a->sources || a->text || a->deep || a->whole) && (st = tct_onnx_wire(o, node, constant_first, &a)))
        return st;
    if ((st = tct_onnx_numbers(o, node, !constant_first, &tensor)) ||
        (st = stretch(o, tensor, a->columns, a->flat, &numbers)))
        return st;
    if (op == 'D' && constant_first)
        return tct_onnx_fail(o, "divides by what depends on the network's inputs, which is not piecewise linear");
    for (size_t i = 0; i < a->columns && op == 'D'; i++)
        if (numbers[i] == 0)
            return tct_onnx_fail(o, "divides by 0");
    if (a->sources && !(columns = step_columns(o, a, step, numbers)))
        return o->error.status;
    if (a->scores && !(scores = fold_constant(o, a, op, constant_first, numbers)))
        return o->error.status;
    return columns ? tct_onnx_put_columns(o, node, a, scores, columns, a->columns)
                   : tct_onnx_put_wire(o, node, a, scores);
}

tacit_status tct_onnx_arithmetic(tct_onnx *o, const TctOnnx__NodeProto *node)
{
    const tct_value *a = tct_onnx_input(o, node, 0), *b = tct_onnx_input(o, node, 1);
    char op = node->op_type[0]; /* of Add, Sub, Mul, Div */

    if (is_complement(a, b, op)) {
        tct_value rest = *b;

        rest.rest = true;
        return tct_onnx_output(o, node, 0, &rest);
    }
    if (a && b && a->kind == TCT_TENSOR && b->kind == TCT_TENSOR)
        return tct_onnx_fail(o, "both inputs are constants; export the network with constants folded");
    if (a && a->kind == TCT_TENSOR)
        return add_constant(o, node, op, true);
    if (b && b->kind == TCT_TENSOR)
        return add_constant(o, node, op, false);
    return add_wires(o, node, op);
}
