/*
 * onnx_ops.c -- the operators that make up the body of a network: everything affine, ReLU, and the operators that only
 * change how numbers are written down or laid out.
 *
 * Tensors in a network of ours have one row per person, so shapes are [people, numbers] throughout, and operators that
 * would mix people are refused.
 */
#include "onnx_inside.h"

#include <math.h>

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
    if (o->names.count > o->room) {
        size_t room = o->room ? 2 * o->room : 64;
        const tct_value **values = tct_realloc(o->values, room, sizeof(*values));
        if (!values)
            return tct_fail_memory(&o->error);
        o->values = values;
        o->room = room;
    }
    o->values[index] = copy;
    return TACIT_OK;
}

tacit_status tct_onnx_output(tct_onnx *o, const TctOnnx__NodeProto *node, size_t index, const tct_value *value)
{
    if (index >= node->n_output || !*node->output[index])
        return TACIT_OK;
    return tct_onnx_define(o, node->output[index], value);
}

tacit_status tct_onnx_features(tct_onnx *o, const TctOnnx__NodeProto *node, size_t index, const tct_value **out)
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

/* Input `index` as a constant of numbers. */
static tacit_status get_numbers(tct_onnx *o, const TctOnnx__NodeProto *node, size_t index, const tct_tensor **out)
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

/* Output 0 is a wire like `like` with other functions, or the error that these could not be made. */
static tacit_status put_wire(tct_onnx *o, const TctOnnx__NodeProto *node, const tct_value *like,
                             const tct_affine *scores)
{
    tct_value value = *like;

    if (!scores)
        return o->error.status;
    value.scores = scores;
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

    if ((st = tct_onnx_wire(o, node, 0, &a)) || (st = get_numbers(o, node, 1, &b)) ||
        (st = tct_onnx_float(o, node, "alpha", &alpha)) || (st = tct_onnx_float(o, node, "beta", &beta)) ||
        (st = tct_onnx_int(o, node, "transA", &trans_a)) || (st = tct_onnx_int(o, node, "transB", &trans_b)))
        return st;
    if (trans_a || a->flat)
        return tct_onnx_fail(o, "its first input must have one row per person (transA 0)");
    scores = a->scores;
    if ((st = check_matrix(o, b, trans_b != 0, a->columns, &width)))
        return st;
    if (tct_onnx_input(o, node, 2) && ((st = get_numbers(o, node, 2, &c)) || (st = stretch(o, c, width, false, &bias))))
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
    return put_wire(o, node, a, scores);
}

tacit_status tct_onnx_matmul(tct_onnx *o, const TctOnnx__NodeProto *node)
{
    const tct_value *a = NULL;
    const tct_tensor *b = NULL;
    size_t width = 0;
    tacit_status st;

    if ((st = tct_onnx_wire(o, node, 0, &a)) || (st = get_numbers(o, node, 1, &b)))
        return st;
    if (a->flat)
        return tct_onnx_fail(o, "its first input must have one row per person");
    st = check_matrix(o, b, false, a->columns, &width);
    return st ? st : put_wire(o, node, a, tct_affine_product(o, a->scores, b->numbers, b->dims[1], 1, width, NULL));
}

tacit_status tct_onnx_relu(tct_onnx *o, const TctOnnx__NodeProto *node)
{
    const tct_value *a = NULL;
    tacit_status st = tct_onnx_wire(o, node, 0, &a);

    return st ? st : put_wire(o, node, a, tct_affine_relu(o, a->scores));
}

/* The numbers of an attribute, one or one per column, in full; `otherwise` where it is absent. */
static tacit_status get_columns(tct_onnx *o, const TctOnnx__NodeProto *node, const char *name, size_t columns,
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

tacit_status tct_onnx_scaler(tct_onnx *o, const TctOnnx__NodeProto *node)
{
    const tct_value *a = NULL;
    tct_value value;
    double *scale = NULL, *offset = NULL;
    tacit_status st = tct_onnx_rows(o, node, 0, &a);

    if (st || (st = get_columns(o, node, "scale", a->columns, 1, &scale)) ||
        (st = get_columns(o, node, "offset", a->columns, 0, &offset)))
        return st;
    for (size_t i = 0; i < a->columns; i++) /* (x - offset) * scale */
        offset[i] *= -scale[i];
    value = *a;
    value.whole = false;
    return put_wire(o, node, &value, tct_affine_scaled(o, a->scores, scale, offset));
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
    tacit_status st;

    if ((st = tct_onnx_wire(o, node, 0, &a)) || (st = tct_onnx_wire(o, node, 1, &b)))
        return st;
    if (op == 'M' || op == 'D')
        return tct_onnx_fail(o, "both inputs depend on the network's inputs, which is not piecewise linear");
    if (a->columns != b->columns || a->flat != b->flat)
        return tct_onnx_fail(o, "rows of %zu and of %zu do not fit", a->columns, b->columns);
    if (a->scores->base != b->scores->base)
        return tct_onnx_fail(o, "connects different layers; each layer may read only the one before it");
    return put_wire(o, node, a, tct_affine_sum(o, a->scores, b->scores, op == 'S' ? -1 : 1));
}

/* wire op constant, or constant op wire. */
static tacit_status add_constant(tct_onnx *o, const TctOnnx__NodeProto *node, char op, bool constant_first)
{
    const tct_value *a = NULL;
    const tct_tensor *tensor = NULL;
    double *numbers = NULL, *factor = NULL;
    tacit_status st;

    if ((st = tct_onnx_wire(o, node, constant_first, &a)) || (st = get_numbers(o, node, !constant_first, &tensor)) ||
        (st = stretch(o, tensor, a->columns, a->flat, &numbers)))
        return st;
    if (op == 'D' && constant_first)
        return tct_onnx_fail(o, "divides by what depends on the network's inputs, which is not piecewise linear");
    if (op == 'M' || op == 'D') {
        for (size_t i = 0; i < a->columns && op == 'D'; i++) {
            if (numbers[i] == 0)
                return tct_onnx_fail(o, "divides by 0");
            numbers[i] = 1 / numbers[i];
        }
        return put_wire(o, node, a, tct_affine_scaled(o, a->scores, numbers, NULL));
    }
    if (op == 'S' && constant_first) {
        factor = tct_onnx_alloc(o, a->columns, sizeof(double));
        if (!factor)
            return o->error.status;
    }
    for (size_t i = 0; i < a->columns && op == 'S'; i++) {
        if (factor)
            factor[i] = -1;
        else
            numbers[i] = -numbers[i];
    }
    return put_wire(o, node, a, tct_affine_scaled(o, a->scores, factor, numbers));
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

/* ---- operators that change the layout or the type ---- */

tacit_status tct_onnx_identity(tct_onnx *o, const TctOnnx__NodeProto *node)
{
    return tct_onnx_output(o, node, 0, tct_onnx_input(o, node, 0));
}

tacit_status tct_onnx_constant(tct_onnx *o, const TctOnnx__NodeProto *node)
{
    const TctOnnx__AttributeProto *attribute = tct_onnx_attribute(node, "value");
    tct_value value = {.kind = TCT_TENSOR};
    tacit_status st;

    if (!attribute || !attribute->t)
        return tct_onnx_fail(o, "attribute value: expected a tensor");
    st = tct_onnx_tensor(o, &value.tensor, attribute->t, "constant", node->n_output ? node->output[0] : "");
    return st ? st : tct_onnx_output(o, node, 0, &value);
}

tacit_status tct_onnx_flatten(tct_onnx *o, const TctOnnx__NodeProto *node)
{
    const tct_value *a = tct_onnx_input(o, node, 0);
    tacit_status st = tct_onnx_axis(o, node, 1);

    if (!st && ((a->kind != TCT_WIRE && a->kind != TCT_HEAD) || a->flat))
        st = tct_onnx_fail(o, "expected rows of numbers");
    return st ? st : tct_onnx_output(o, node, 0, a);
}

/* May the people be laid out along a dimension of this size? */
static bool is_people(const tct_onnx *o, double size)
{
    return size == -1 || size == 0 || (o->batch > 0 && size == (double)o->batch);
}

tacit_status tct_onnx_reshape(tct_onnx *o, const TctOnnx__NodeProto *node)
{
    const tct_value *a = tct_onnx_input(o, node, 0);
    const tct_tensor *shape = NULL;
    int64_t allow_zero = 0;
    char text[TCT_ONNX_SHAPE];
    const double *to;
    tct_value value;
    tacit_status st;

    if ((st = tct_onnx_int(o, node, "allowzero", &allow_zero)) || (st = get_numbers(o, node, 1, &shape)))
        return st;
    if (allow_zero)
        return tct_onnx_fail(o, "allowzero must be 0");
    if (a->kind != TCT_WIRE && a->kind != TCT_HEAD && a->kind != TCT_LABEL)
        return tct_onnx_fail(o, "expected rows of numbers or labels");
    to = shape->numbers;
    value = *a;
    value.flat = shape->n_dims == 1 && shape->count == 1;
    if (value.flat && is_people(o, to[0]) && (a->kind == TCT_LABEL || a->columns == 1))
        return tct_onnx_output(o, node, 0, &value);
    /* The second dimension: as it was, or what the first one leaves.  -1 twice is no shape. */
    if (shape->n_dims == 1 && shape->count == 2 && is_people(o, to[0]) && !(to[0] == -1 && to[1] == -1)) {
        size_t columns = a->kind == TCT_LABEL ? 1 : a->columns;

        if (to[1] == (double)columns || to[1] == -1 || (to[1] == 0 && !a->flat))
            return tct_onnx_output(o, node, 0, &value);
    }
    return tct_onnx_fail(o, "to %zu numbers of shape %s does not keep one row of %zu per person", shape->count,
                         tct_onnx_shape(shape, text), a->columns);
}

/* A constant of another type. */
static tacit_status cast_tensor(tct_onnx *o, const TctOnnx__NodeProto *node, const tct_tensor *from, int64_t to)
{
    tct_tensor *tensor = tct_onnx_alloc(o, 1, sizeof(*tensor));
    tct_value value = {.kind = TCT_TENSOR, .tensor = tensor};

    if (!tensor)
        return o->error.status;
    *tensor = *from;
    if (!from->numbers || (to != TCT_ONNX_FLOAT && to != TCT_ONNX_DOUBLE))
        return tct_onnx_fail(o, "of a constant to %s; float and double are possible", tct_onnx_type((int32_t)to));
    tensor->type = (int32_t)to;
    tensor->numbers = tct_onnx_alloc(o, from->count, sizeof(double));
    if (!tensor->numbers)
        return o->error.status;
    for (size_t i = 0; i < from->count; i++) {
        tensor->numbers[i] = to == TCT_ONNX_FLOAT ? (double)(float)from->numbers[i] : from->numbers[i];
        if (!isfinite(tensor->numbers[i]))
            return tct_onnx_fail(o, "a constant does not fit into a float");
    }
    return tct_onnx_output(o, node, 0, &value);
}

tacit_status tct_onnx_cast(tct_onnx *o, const TctOnnx__NodeProto *node)
{
    const tct_value *a = tct_onnx_input(o, node, 0);
    int64_t to = 0;
    tct_value value = *a;
    tacit_status st = tct_onnx_int(o, node, "to", &to);

    if (st)
        return st;
    if (to < INT16_MIN || to > INT16_MAX)
        to = -1; /* no type */
    if (a->kind == TCT_TENSOR)
        return cast_tensor(o, node, a->tensor, to);
    if (a->kind == TCT_LABEL && (to == TCT_ONNX_INT32 || to == TCT_ONNX_INT64 || to == TCT_ONNX_STRING))
        return tct_onnx_output(o, node, 0, &value);
    if (a->kind == TCT_MAP || (to != TCT_ONNX_FLOAT && to != TCT_ONNX_DOUBLE))
        return tct_onnx_fail(o, "to %s would lose what lies between; float and double are possible",
                             tct_onnx_type((int32_t)to));
    value.whole = false;
    return tct_onnx_output(o, node, 0, &value);
}

/* [1 - p, p] or [p, 1 - p] of one sigmoid: two columns that one score decides. */
static tacit_status join_heads(tct_onnx *o, const TctOnnx__NodeProto *node, const tct_value *a, const tct_value *b)
{
    tct_value pair = *b;
    double minus = -1;

    if (a->kind != TCT_HEAD || b->kind != TCT_HEAD || a->scores != b->scores || a->columns != 1 || a->rest == b->rest ||
        a->flat || b->flat)
        return tct_onnx_fail(o, "of probabilities other than 1 - p and p");
    pair.columns = 2;
    pair.sigmoid = pair.rest = false;
    if (b->rest)
        pair.scores = tct_affine_scaled(o, b->scores, &minus, NULL);
    return pair.scores ? tct_onnx_output(o, node, 0, &pair) : o->error.status;
}

tacit_status tct_onnx_concat(tct_onnx *o, const TctOnnx__NodeProto *node)
{
    const tct_value *first = tct_onnx_input(o, node, 0), *second = tct_onnx_input(o, node, 1);
    const tct_affine **parts;
    tacit_status st = tct_onnx_axis(o, node, 0); /* which it must say, so the default is one that is refused */

    if (st)
        return st;
    if (node->n_input == 2 && first && second && (first->kind == TCT_HEAD || second->kind == TCT_HEAD))
        return join_heads(o, node, first, second);
    parts = tct_onnx_alloc(o, node->n_input, sizeof(*parts));
    if (!parts)
        return o->error.status;
    for (size_t i = 0; i < node->n_input; i++) {
        const tct_value *a = NULL;

        if ((st = tct_onnx_features(o, node, i, &a)))
            return st;
        if (a->whole != first->whole)
            return tct_onnx_fail(o, "input %zu is not of the type of the first", i + 1);
        parts[i] = a->scores;
        if (a->flat || parts[i]->base != parts[0]->base)
            return tct_onnx_fail(o, "input %zu does not come from the layer that the first comes from", i + 1);
    }
    return put_wire(o, node, first, tct_affine_joined(o, parts, node->n_input));
}
