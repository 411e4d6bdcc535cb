/*
 * onnx_layout.c -- the operators that only change how numbers are written down or laid out.
 *
 * Tensors have one row per person.  The only one of three dimensions is what a OneHotEncoder makes, [people, columns,
 * levels]; it must be laid out in rows again before anything is calculated from it.
 */
#include "onnx_inside.h"

#include <math.h>

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
    tct_value value;

    if (!st && ((a->kind != TCT_WIRE && a->kind != TCT_HEAD) || a->flat))
        st = tct_onnx_fail(o, "expected rows of numbers");
    if (st)
        return st;
    value = *a;
    value.deep = 0;
    return tct_onnx_output(o, node, 0, &value);
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

    if ((st = tct_onnx_int(o, node, "allowzero", &allow_zero)) || (st = tct_onnx_numbers(o, node, 1, &shape)))
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

        value.deep = 0;
        if (a->deep && to[1] == 0)
            columns = SIZE_MAX; /* the second of three dimensions, and what of the third? */
        if (to[1] == (double)columns || to[1] == -1 || (to[1] == 0 && !a->flat && !a->deep))
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

/* Can numbers become integers without losing anything?  Levels, where they count as whole numbers; integers as they are.
 */
static bool are_whole(const tct_onnx *o, const tct_value *a)
{
    for (size_t i = 0; a->sources && i < a->columns; i++) {
        const tct_source *c = &a->sources[i];
        const tacit_attribute *attribute = &o->codec->schema->attributes[c->attribute];

        for (size_t k = 0; c->values && k < attribute->n_levels; k++)
            if (!(fabs(c->values[k]) < 0x1p53) || c->values[k] != floor(c->values[k]))
                return false;
        if (c->texts || (!c->values && (attribute->type != TACIT_INTEGER || c->steps || c->single)))
            return false;
    }
    return a->sources != NULL;
}

/* The texts of whole numbers. */
static const char *const *spell_values(tct_onnx *o, const double *values, size_t n)
{
    const char **texts = tct_onnx_alloc(o, n, sizeof *texts);

    for (size_t k = 0; texts && k < n; k++) {
        texts[k] = tct_onnx_number_text(o, values[k]);
        if (!texts[k])
            return NULL;
    }
    return texts;
}

/* What comes from the inputs, as another type. */
static tacit_status cast_wire(tct_onnx *o, const TctOnnx__NodeProto *node, const tct_value *a, int64_t to)
{
    tct_source *columns = a->sources ? tct_sources_copy(o, a->sources, NULL, a->columns) : NULL;
    tct_value value = *a;
    bool single = to == TCT_ONNX_FLOAT && (a->wide || a->whole);

    if (a->sources && !columns)
        return o->error.status;
    value.whole = to == TCT_ONNX_INT32 || to == TCT_ONNX_INT64;
    value.text = to == TCT_ONNX_STRING;
    value.wide = to == TCT_ONNX_DOUBLE;
    if (a->text && !value.text)
        return tct_onnx_fail(o, "of texts to numbers; a OneHotEncoder or LabelEncoder says what they count as");
    if ((value.whole || (value.text && !a->text)) && !are_whole(o, a))
        return tct_onnx_fail(o, "to %s would lose what lies between; float and double are possible",
                             tct_onnx_type((int32_t)to));
    for (size_t i = 0; columns && i < a->columns; i++) {
        tct_source *c = &columns[i];

        if (single && !tct_source_to_single(o, c))
            return o->error.status;
        if (!value.text || a->text)
            continue;
        if (!c->values)
            return tct_onnx_fail(o, "of a number to text");
        c->texts = spell_values(o, c->values, o->codec->schema->attributes[c->attribute].n_levels);
        c->values = NULL;
        if (!c->texts)
            return o->error.status;
    }
    if (value.text && !a->text) {
        value.scores = NULL;
        value.reason = NULL;
        return tct_onnx_put_columns(o, node, &value, NULL, columns, a->columns);
    }
    value.sources = columns;
    return tct_onnx_output(o, node, 0, &value);
}

tacit_status tct_onnx_cast(tct_onnx *o, const TctOnnx__NodeProto *node)
{
    const tct_value *a = tct_onnx_input(o, node, 0);
    bool number, whole;
    int64_t to = 0;
    tacit_status st = tct_onnx_int(o, node, "to", &to);

    if (st)
        return st;
    if (to < INT16_MIN || to > INT16_MAX)
        to = -1; /* no type */
    number = to == TCT_ONNX_FLOAT || to == TCT_ONNX_DOUBLE;
    whole = to == TCT_ONNX_INT32 || to == TCT_ONNX_INT64;
    if (a->kind == TCT_TENSOR)
        return cast_tensor(o, node, a->tensor, to);
    if (a->kind == TCT_LABEL && (number || whole || to == TCT_ONNX_STRING))
        return tct_onnx_output(o, node, 0, a);
    if (a->kind == TCT_WIRE && (number || whole || to == TCT_ONNX_STRING))
        return cast_wire(o, node, a, to);
    if (a->kind == TCT_HEAD && number)
        return tct_onnx_output(o, node, 0, a);
    return tct_onnx_fail(o, "to %s would lose what lies between; float and double are possible",
                         tct_onnx_type((int32_t)to));
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

/* Affine functions side by side, of whichever layers; NULL with a reason in `value` where a part has none. */
static tacit_status join_scores(tct_onnx *o, const tct_value *const *parts, size_t n, tct_value *value)
{
    const tct_affine **scores = tct_onnx_alloc(o, n, sizeof(*scores));
    bool same = true;

    value->scores = NULL;
    if (!scores)
        return o->error.status;
    for (size_t i = 0; i < n; i++) {
        scores[i] = parts[i]->scores;
        value->reason = parts[i]->reason;
        if (!scores[i])
            return TACIT_OK;
    }
    for (size_t i = 1; i < n && same; i++)
        same = scores[i]->base == scores[0]->base;
    for (size_t i = 1; i < n && !same; i++) { /* of different layers: one after the other */
        const tct_affine *pair[2] = {scores[0], scores[i]};

        scores[0] = tct_affine_meet(o, &pair[0], &pair[1]) ? tct_affine_joined(o, pair, 2) : NULL;
        if (!scores[0])
            return o->error.status;
    }
    value->scores = same ? tct_affine_joined(o, scores, n) : scores[0];
    return value->scores ? TACIT_OK : o->error.status;
}

/* Columns side by side; NULL where a part is none. */
static tacit_status join_sources(tct_onnx *o, const tct_value *const *parts, size_t n, tct_value *value)
{
    tct_source *columns;
    size_t at = 0;

    value->sources = NULL;
    value->columns = 0;
    for (size_t i = 0; i < n; i++)
        value->columns += parts[i]->columns;
    for (size_t i = 0; i < n; i++)
        if (!parts[i]->sources)
            return TACIT_OK;
    columns = tct_onnx_alloc(o, value->columns, sizeof *columns);
    if (!columns)
        return o->error.status;
    for (size_t i = 0; i < n; i++) {
        memcpy(columns + at, parts[i]->sources, parts[i]->columns * sizeof *columns);
        at += parts[i]->columns;
    }
    value->sources = columns;
    return TACIT_OK;
}

/* Put inputs of the node side by side; `vectorize`: whatever numbers they are, floats come out. */
static tacit_status join_tables(tct_onnx *o, const TctOnnx__NodeProto *node, bool vectorize)
{
    const tct_value **parts = tct_onnx_alloc(o, node->n_input, sizeof(*parts));
    tct_value value;
    tacit_status st;

    if (!parts)
        return o->error.status;
    for (size_t i = 0; i < node->n_input; i++) {
        if ((st = tct_onnx_table(o, node, i, &parts[i])))
            return st;
        if (parts[i]->whole != parts[0]->whole || parts[i]->text != parts[0]->text || parts[i]->wide != parts[0]->wide)
            return tct_onnx_fail(o, "input %zu is not of the type of the first", i + 1);
        if (parts[i]->flat || (vectorize && (parts[i]->text || parts[i]->deep)))
            return tct_onnx_fail(o, "input %zu has no rows of numbers", i + 1);
        if ((parts[i]->deep != 0) != (parts[0]->deep != 0) || (parts[i]->deep && parts[i]->deep != parts[i]->columns))
            return tct_onnx_fail(o, "input %zu has not the dimensions of the first", i + 1);
    }
    value = *parts[0];
    if ((st = join_scores(o, parts, node->n_input, &value)) || (st = join_sources(o, parts, node->n_input, &value)))
        return st;
    if (!value.scores && !value.sources)
        return tct_onnx_fail(o, "joins what comes out of a layer with what cannot go into one: %s", value.reason);
    value.deep = value.deep ? value.columns : 0;
    return vectorize ? cast_wire(o, node, &value, TCT_ONNX_FLOAT) : tct_onnx_output(o, node, 0, &value);
}

tacit_status tct_onnx_concat(tct_onnx *o, const TctOnnx__NodeProto *node)
{
    const tct_value *first = tct_onnx_input(o, node, 0), *second = tct_onnx_input(o, node, 1);
    int64_t axis = 0; /* which it must say, so the default is one that is refused */
    tacit_status st = tct_onnx_int(o, node, "axis", &axis);

    if (!st && !(first && first->kind == TCT_WIRE && first->deep && (axis == 2 || axis == -1)))
        st = tct_onnx_axis(o, node, 0);
    if (!st && first && first->deep && axis == 1)
        st = tct_onnx_fail(o, "of three dimensions along the second; a Reshape must come first");
    if (st)
        return st;
    if (node->n_input == 2 && first && second && (first->kind == TCT_HEAD || second->kind == TCT_HEAD))
        return join_heads(o, node, first, second);
    return join_tables(o, node, false);
}

tacit_status tct_onnx_vectorizer(tct_onnx *o, const TctOnnx__NodeProto *node)
{
    const int64_t *sizes = NULL;
    size_t count = 0;
    tacit_status st = tct_onnx_ints(o, node, "inputdimensions", &sizes, &count);

    if (st || (st = join_tables(o, node, true)))
        return st;
    for (size_t i = 0; i < count && i < node->n_input; i++)
        if (sizes[i] < 0 || (size_t)sizes[i] != tct_onnx_input(o, node, i)->columns)
            return tct_onnx_fail(o, "inputdimensions says that input %zu has %lld columns, it has %zu", i + 1,
                                 (long long)sizes[i], tct_onnx_input(o, node, i)->columns);
    return TACIT_OK;
}

/* The axes that a node takes out or puts in: an attribute, or from operator set 13 on an input. */
static tacit_status get_axis(tct_onnx *o, const TctOnnx__NodeProto *node, int64_t *axis)
{
    const int64_t *axes = NULL;
    const tct_tensor *tensor = NULL;
    size_t count = 0;
    tacit_status st = tct_onnx_ints(o, node, "axes", &axes, &count);

    if (!st && !axes && tct_onnx_input(o, node, 1))
        st = tct_onnx_numbers(o, node, 1, &tensor);
    if (st)
        return st;
    if (tensor ? tensor->count != 1 : count != 1)
        return tct_onnx_fail(o, "expected one axis");
    *axis = tensor ? (int64_t)tensor->numbers[0] : axes[0];
    return TACIT_OK;
}

/* One column in a dimension of its own. */
static bool is_single(const tct_value *value)
{
    if (value->kind == TCT_LABEL)
        return !value->flat;
    return (value->kind == TCT_WIRE || value->kind == TCT_HEAD) && !value->deep && !value->flat && value->columns == 1;
}

tacit_status tct_onnx_squeeze(tct_onnx *o, const TctOnnx__NodeProto *node)
{
    tct_value value = *tct_onnx_input(o, node, 0);
    int64_t axis = 0;
    tacit_status st = get_axis(o, node, &axis);

    if (st)
        return st;
    if (value.kind == TCT_WIRE && value.deep && value.deep == value.columns && (axis == 1 || axis == -2))
        value.deep = 0;
    else if (is_single(&value) && (axis == 1 || axis == -1))
        value.flat = true;
    else
        return tct_onnx_fail(o, "axis %lld is not one of a single column", (long long)axis);
    return tct_onnx_output(o, node, 0, &value);
}

tacit_status tct_onnx_unsqueeze(tct_onnx *o, const TctOnnx__NodeProto *node)
{
    tct_value value = *tct_onnx_input(o, node, 0);
    int64_t axis = 0;
    tacit_status st = get_axis(o, node, &axis);

    if (!st && (value.kind == TCT_TENSOR || value.kind == TCT_MAP || !value.flat || (axis != 1 && axis != -1)))
        st = tct_onnx_fail(o, "expected one number per person, and axis 1");
    value.flat = false;
    return st ? st : tct_onnx_output(o, node, 0, &value);
}
