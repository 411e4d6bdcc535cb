/*
 * onnx_tensor.c -- what a walk through an ONNX graph stands on: its memory, its messages, constants and attributes.
 *
 * Nothing in a file is believed: sizes are multiplied with overflow checks, compared with the bytes that are really
 * there, and bounded; numbers must be finite.  Numbers of every type become doubles, which is exact for all types that
 * are read except integers beyond 2^53, and those are refused.
 */
#include "onnx_inside.h"

#include <math.h>
#include <stdarg.h>

/* In front of every piece of memory. */
typedef struct block {
    struct block *next;
    max_align_t data[];
} block;

void *tct_onnx_alloc(tct_onnx *o, size_t count, size_t size)
{
    size_t total;
    block *b;

    if (__builtin_mul_overflow(count, size, &total) || total > TCT_ONNX_BYTES - o->used) {
        tct_onnx_fail(o, "the network takes more than the %d MiB of memory allowed", TCT_ONNX_BYTES >> 20);
        return NULL;
    }
    b = tct_calloc(1, sizeof(*b) + total);
    if (!b) {
        tct_fail_memory(&o->error);
        return NULL;
    }
    o->used += total;
    b->next = o->blocks;
    o->blocks = b;
    return b->data;
}

void tct_onnx_release(tct_onnx *o)
{
    for (block *b = o->blocks, *next; b; b = next) {
        next = b->next;
        tct_free(b);
    }
    o->blocks = NULL;
}

tacit_status tct_onnx_fail(tct_onnx *o, const char *format, ...)
{
    char text[800];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    if (o->node)
        return tct_fail(&o->error, TACIT_E_INPUT, "%.200s: node %zu (%.60s): %s", o->file, o->node, o->op, text);
    return tct_fail(&o->error, TACIT_E_INPUT, "%.200s: %s", o->file, text);
}

const char *tct_onnx_shape(const tct_tensor *tensor, char text[TCT_ONNX_SHAPE])
{
    size_t used = (size_t)snprintf(text, TCT_ONNX_SHAPE, "[");

    for (size_t i = 0; i < tensor->n_dims; i++)
        used += (size_t)snprintf(text + used, TCT_ONNX_SHAPE - used, "%s%zu", i ? ", " : "", tensor->dims[i]);
    snprintf(text + used, TCT_ONNX_SHAPE - used, "]");
    return text;
}

const char *tct_onnx_type(int32_t type)
{
    static const char *const names[] = {"undefined", "float",  "uint8",     "int8",       "uint16",  "int16",
                                        "int32",     "int64",  "string",    "bool",       "float16", "double",
                                        "uint32",    "uint64", "complex64", "complex128", "bfloat16"};

    return type >= 0 && (size_t)type < sizeof(names) / sizeof(*names) ? names[type] : "of an unknown type";
}

/* ---- constants ---- */

/* Dimensions and their product. */
static tacit_status read_dims(tct_onnx *o, tct_tensor *tensor, const TctOnnx__TensorProto *proto, const char *what,
                              const char *name)
{
    tensor->n_dims = proto->n_dims;
    tensor->count = 1;
    if (proto->n_dims > TCT_ONNX_DIMS)
        return tct_onnx_fail(o, "%s '%.60s' has %zu dimensions; at most %d are read", what, name, proto->n_dims,
                             TCT_ONNX_DIMS);
    for (size_t i = 0; i < proto->n_dims; i++) {
        if (proto->dims[i] < 1)
            return tct_onnx_fail(o, "%s '%.60s': dimension %zu is %lld, expected 1 or more", what, name, i + 1,
                                 (long long)proto->dims[i]);
        if (proto->dims[i] > TCT_ONNX_NUMBERS || tensor->count * (size_t)proto->dims[i] > TCT_ONNX_NUMBERS)
            return tct_onnx_fail(o, "%s '%.60s' has more than %d elements", what, name, TCT_ONNX_NUMBERS);
        tensor->dims[i] = (size_t)proto->dims[i];
        tensor->count *= tensor->dims[i];
    }
    return TACIT_OK;
}

/* `size` bytes, the lowest first. */
static uint64_t read_word(const uint8_t *bytes, size_t size)
{
    uint64_t word = 0;

    for (size_t i = 0; i < size; i++)
        word |= (uint64_t)bytes[i] << 8 * i;
    return word;
}

/* Number i of raw data. */
static double raw_number(const uint8_t *bytes, int32_t type, size_t i)
{
    uint64_t word;
    uint32_t half;
    double number;
    float single;

    switch (type) {
    case TCT_ONNX_FLOAT:
        half = (uint32_t)read_word(bytes + 4 * i, 4);
        memcpy(&single, &half, sizeof(single));
        return single;
    case TCT_ONNX_DOUBLE:
        word = read_word(bytes + 8 * i, 8);
        memcpy(&number, &word, sizeof(number));
        return number;
    case TCT_ONNX_INT32:
        return (double)(int32_t)(uint32_t)read_word(bytes + 4 * i, 4);
    default:
        return (double)(int64_t)read_word(bytes + 8 * i, 8);
    }
}

/* How many numbers the field for this type holds; number i of it. */
static size_t field_count(const TctOnnx__TensorProto *proto, int32_t type)
{
    switch (type) {
    case TCT_ONNX_FLOAT:
        return proto->n_float_data;
    case TCT_ONNX_DOUBLE:
        return proto->n_double_data;
    case TCT_ONNX_INT32:
        return proto->n_int32_data;
    case TCT_ONNX_INT64:
        return proto->n_int64_data;
    default:
        return proto->n_string_data;
    }
}

static double field_number(const TctOnnx__TensorProto *proto, int32_t type, size_t i)
{
    switch (type) {
    case TCT_ONNX_FLOAT:
        return proto->float_data[i];
    case TCT_ONNX_DOUBLE:
        return proto->double_data[i];
    case TCT_ONNX_INT32:
        return proto->int32_data[i];
    default:
        return (double)proto->int64_data[i];
    }
}

static char *copy_bytes(tct_onnx *o, const ProtobufCBinaryData *bytes)
{
    char *text = tct_onnx_alloc(o, bytes->len + 1, 1);

    if (text && bytes->len > 0)
        memcpy(text, bytes->data, bytes->len);
    return text;
}

static tacit_status read_texts(tct_onnx *o, tct_tensor *tensor, const TctOnnx__TensorProto *proto)
{
    tensor->texts = tct_onnx_alloc(o, tensor->count, sizeof(*tensor->texts));
    if (!tensor->texts)
        return o->error.status;
    for (size_t i = 0; i < tensor->count; i++) {
        tensor->texts[i] = copy_bytes(o, &proto->string_data[i]);
        if (!tensor->texts[i])
            return o->error.status;
    }
    return TACIT_OK;
}

static tacit_status read_numbers(tct_onnx *o, tct_tensor *tensor, const TctOnnx__TensorProto *proto, const char *what,
                                 const char *name)
{
    bool raw = proto->has_raw_data && proto->raw_data.len > 0;

    tensor->numbers = tct_onnx_alloc(o, tensor->count, sizeof(double));
    if (!tensor->numbers)
        return o->error.status;
    for (size_t i = 0; i < tensor->count; i++) {
        double number = raw ? raw_number(proto->raw_data.data, tensor->type, i) : field_number(proto, tensor->type, i);

        if (!isfinite(number))
            return tct_onnx_fail(o, "%s '%.60s' holds a number that is not finite", what, name);
        if ((tensor->type == TCT_ONNX_INT32 || tensor->type == TCT_ONNX_INT64) && fabs(number) >= 0x1p53)
            return tct_onnx_fail(o, "%s '%.60s' holds a whole number beyond 2^53", what, name);
        tensor->numbers[i] = number;
    }
    return TACIT_OK;
}

/* Is there as much data as the dimensions say? */
static tacit_status check_size(tct_onnx *o, const tct_tensor *tensor, const TctOnnx__TensorProto *proto,
                               const char *what, const char *name)
{
    size_t each = tensor->type == TCT_ONNX_FLOAT || tensor->type == TCT_ONNX_INT32 ? 4 : 8;
    bool raw = proto->has_raw_data && proto->raw_data.len > 0 && tensor->type != TCT_ONNX_STRING;
    size_t has = raw ? proto->raw_data.len : field_count(proto, tensor->type);
    size_t wants = raw ? tensor->count * each : tensor->count;
    char shape[TCT_ONNX_SHAPE];

    if (has == wants)
        return TACIT_OK;
    return tct_onnx_fail(o, "%s '%.60s' of shape %s needs %zu %s, but has %zu", what, name,
                         tct_onnx_shape(tensor, shape), wants, raw ? "bytes" : "elements", has);
}

tacit_status tct_onnx_tensor(tct_onnx *o, const tct_tensor **out, const TctOnnx__TensorProto *proto, const char *what,
                             const char *name)
{
    tct_tensor *tensor = tct_onnx_alloc(o, 1, sizeof(*tensor));
    tacit_status st;

    *out = NULL;
    if (!tensor)
        return o->error.status;
    tensor->type = proto->has_data_type ? proto->data_type : 0;
    if (tensor->type != TCT_ONNX_FLOAT && tensor->type != TCT_ONNX_DOUBLE && tensor->type != TCT_ONNX_INT32 &&
        tensor->type != TCT_ONNX_INT64 && tensor->type != TCT_ONNX_STRING)
        return tct_onnx_fail(o, "%s '%.60s' is %s; float, double, int32, int64 and string are read", what, name,
                             tct_onnx_type(tensor->type));
    if (proto->has_data_location && proto->data_location != 0)
        return tct_onnx_fail(o, "%s '%.60s' is kept in another file; save the network in one file", what, name);
    if ((st = read_dims(o, tensor, proto, what, name)) || (st = check_size(o, tensor, proto, what, name)))
        return st;
    st = tensor->type == TCT_ONNX_STRING ? read_texts(o, tensor, proto) : read_numbers(o, tensor, proto, what, name);
    if (!st)
        *out = tensor;
    return st;
}

/* ---- attributes ---- */

const TctOnnx__AttributeProto *tct_onnx_attribute(const TctOnnx__NodeProto *node, const char *name)
{
    for (size_t i = 0; i < node->n_attribute; i++) {
        if (node->attribute[i]->name && strcmp(node->attribute[i]->name, name) == 0)
            return node->attribute[i];
    }
    return NULL;
}

tacit_status tct_onnx_int(tct_onnx *o, const TctOnnx__NodeProto *node, const char *name, int64_t *out)
{
    const TctOnnx__AttributeProto *attribute = tct_onnx_attribute(node, name);

    if (!attribute)
        return TACIT_OK;
    if (!attribute->has_i)
        return tct_onnx_fail(o, "attribute %s: expected a whole number", name);
    *out = attribute->i;
    return TACIT_OK;
}

tacit_status tct_onnx_float(tct_onnx *o, const TctOnnx__NodeProto *node, const char *name, double *out)
{
    const TctOnnx__AttributeProto *attribute = tct_onnx_attribute(node, name);

    if (!attribute)
        return TACIT_OK;
    if (!attribute->has_f || !isfinite(attribute->f))
        return tct_onnx_fail(o, "attribute %s: expected a finite number", name);
    *out = attribute->f;
    return TACIT_OK;
}

tacit_status tct_onnx_text(tct_onnx *o, const TctOnnx__NodeProto *node, const char *name, const char **out)
{
    const TctOnnx__AttributeProto *attribute = tct_onnx_attribute(node, name);
    const char *text;

    if (!attribute)
        return TACIT_OK;
    if (!attribute->has_s)
        return tct_onnx_fail(o, "attribute %s: expected text", name);
    text = copy_bytes(o, &attribute->s);
    if (!text)
        return o->error.status;
    *out = text;
    return TACIT_OK;
}

tacit_status tct_onnx_floats(tct_onnx *o, const TctOnnx__NodeProto *node, const char *name, double **out, size_t *count)
{
    const TctOnnx__AttributeProto *attribute = tct_onnx_attribute(node, name);

    *out = NULL;
    *count = 0;
    if (!attribute)
        return TACIT_OK;
    if (attribute->n_floats == 0)
        return tct_onnx_fail(o, "attribute %s: expected a list of numbers", name);
    *out = tct_onnx_alloc(o, attribute->n_floats, sizeof(double));
    if (!*out)
        return o->error.status;
    for (size_t i = 0; i < attribute->n_floats; i++) {
        if (!isfinite(attribute->floats[i]))
            return tct_onnx_fail(o, "attribute %s holds a number that is not finite", name);
        (*out)[i] = attribute->floats[i];
    }
    *count = attribute->n_floats;
    return TACIT_OK;
}

tacit_status tct_onnx_ints(tct_onnx *o, const TctOnnx__NodeProto *node, const char *name, const int64_t **out,
                           size_t *count)
{
    const TctOnnx__AttributeProto *attribute = tct_onnx_attribute(node, name);

    *out = NULL;
    *count = 0;
    if (!attribute)
        return TACIT_OK;
    if (attribute->n_ints == 0 && attribute->n_floats + attribute->n_strings > 0)
        return tct_onnx_fail(o, "attribute %s: expected a list of whole numbers", name);
    *out = attribute->ints;
    *count = attribute->n_ints;
    return TACIT_OK;
}

tacit_status tct_onnx_any_numbers(tct_onnx *o, const TctOnnx__NodeProto *node, const char *name, const double **out,
                                  size_t *count, bool *doubles)
{
    const TctOnnx__AttributeProto *list = tct_onnx_attribute(node, name), *tensor;
    const tct_tensor *read = NULL;
    char wide[80];
    double *numbers;
    tacit_status st;

    snprintf(wide, sizeof wide, "%s_as_tensor", name);
    tensor = tct_onnx_attribute(node, wide);
    *out = NULL;
    *count = list ? list->n_floats : 0;
    if (tensor && *count > 0)
        return tct_onnx_fail(o, "has both %s and %s", name, wide);
    if (tensor) {
        if (!tensor->t)
            return tct_onnx_fail(o, "attribute %s: expected a tensor", wide);
        st = tct_onnx_tensor(o, &read, tensor->t, "attribute", wide);
        if (!st && (!read->numbers || (read->type != TCT_ONNX_FLOAT && read->type != TCT_ONNX_DOUBLE)))
            st = tct_onnx_fail(o, "attribute %s: expected floats or doubles", wide);
        *out = st ? NULL : read->numbers;
        *count = st ? 0 : read->count;
        *doubles = *doubles || (!st && read->type == TCT_ONNX_DOUBLE);
        return st;
    }
    numbers = tct_onnx_alloc(o, *count + 1, sizeof *numbers);
    for (size_t i = 0; numbers && i < *count; i++)
        numbers[i] = list->floats[i];
    *out = numbers;
    return numbers ? TACIT_OK : o->error.status;
}

const char *tct_onnx_number_text(tct_onnx *o, double number)
{
    char *text = tct_onnx_alloc(o, 32, 1);

    if (text)
        tct_format_number(number, text, 32);
    return text;
}

/* The attribute of these that is there, with how many elements; NULL when there is none. */
static const TctOnnx__AttributeProto *find_names(const TctOnnx__NodeProto *node, const char *const kinds[3],
                                                 size_t *kind, size_t *count)
{
    for (*kind = 0; *kind < 3; ++*kind) {
        const TctOnnx__AttributeProto *a = kinds[*kind] ? tct_onnx_attribute(node, kinds[*kind]) : NULL;

        *count = !a ? 0 : *kind == 0 ? a->n_strings : *kind == 1 ? a->n_ints : a->n_floats;
        if (*count > 0)
            return a;
    }
    return NULL;
}

tacit_status tct_onnx_names(tct_onnx *o, const TctOnnx__NodeProto *node, const char *texts, const char *ints,
                            const char *floats, const char *const **out, size_t *count)
{
    const char *const kinds[3] = {texts, ints, floats};
    const char **names;
    size_t kind;
    const TctOnnx__AttributeProto *a = find_names(node, kinds, &kind, count);

    *out = NULL;
    if (!a)
        return TACIT_OK;
    names = tct_onnx_alloc(o, *count, sizeof(*names));
    if (!names)
        return o->error.status;
    for (size_t i = 0; i < *count; i++) {
        double number = kind == 1 ? (double)a->ints[i] : kind == 2 ? a->floats[i] : 0;

        if (!(fabs(number) < 0x1p53))
            return tct_onnx_fail(o, "attribute %s holds a number beyond 2^53", kinds[kind]);
        names[i] = kind == 0 ? copy_bytes(o, &a->strings[i]) : tct_onnx_number_text(o, number);
        if (!names[i])
            return o->error.status;
    }
    *out = names;
    return TACIT_OK;
}
