/*
 * make_onnx.h -- small ONNX files for tests, written field by field; shares no code with what reads them.
 *
 *   static net n;                                      zero: an empty network
 *   net_input(&n, "x", ONNX_FLOAT, 0, 2);              rows of 2 numbers, any number of rows
 *   net_floats(&n, "w", 2, 1, (float[]){1, 2});        a constant of shape [2, 1]
 *   net_node(&n, "MatMul", "x,w", "y", NULL);
 *   net_output(&n, "y");
 *   net_model(&n, &file);                            file.bytes, file.size
 */
#ifndef TEST_MAKE_ONNX_H
#define TEST_MAKE_ONNX_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ONNX_FLOAT = 1, ONNX_INT32 = 6, ONNX_INT64 = 7, ONNX_STRING = 8, ONNX_FLOAT16 = 10, ONNX_DOUBLE = 11 };
enum { PB_ROOM = 1 << 15 };

/* A protobuf message being written. */
typedef struct pb {
    unsigned char bytes[PB_ROOM];
    size_t size;
} pb;

static inline void pb_bytes(pb *m, const void *bytes, size_t size)
{
    if (size > PB_ROOM - m->size)
        abort();
    if (size > 0)
        memcpy(m->bytes + m->size, bytes, size);
    m->size += size;
}

static inline void pb_varint(pb *m, uint64_t value)
{
    unsigned char byte;

    for (; value >= 128; value >>= 7) {
        byte = (unsigned char)(value | 128);
        pb_bytes(m, &byte, 1);
    }
    byte = (unsigned char)value;
    pb_bytes(m, &byte, 1);
}

static inline void pb_int(pb *m, unsigned field, int64_t value)
{
    pb_varint(m, field << 3);
    pb_varint(m, (uint64_t)value);
}

static inline void pb_float(pb *m, unsigned field, float value)
{
    pb_varint(m, field << 3 | 5);
    pb_bytes(m, &value, sizeof(value)); /* tests run on little-endian machines */
}

static inline void pb_block(pb *m, unsigned field, const void *bytes, size_t size)
{
    pb_varint(m, field << 3 | 2);
    pb_varint(m, size);
    pb_bytes(m, bytes, size);
}

static inline void pb_text(pb *m, unsigned field, const char *text)
{
    pb_block(m, field, text, strlen(text));
}

static inline void pb_message(pb *m, unsigned field, const pb *inner)
{
    pb_block(m, field, inner->bytes, inner->size);
}

/* Every part of "a,b,c". */
static inline void pb_texts(pb *m, unsigned field, const char *list)
{
    while (*list) {
        size_t size = strcspn(list, ",");

        pb_block(m, field, list, size);
        list += size + (list[size] == ',');
    }
}

/* ---- attributes of a node: each adds one to the list ---- */

static inline void attr_int(pb *list, const char *name, int64_t value)
{
    pb a = {.size = 0};

    pb_text(&a, 1, name);
    pb_int(&a, 3, value);
    pb_int(&a, 20, 2);
    pb_message(list, 5, &a);
}

static inline void attr_float(pb *list, const char *name, float value)
{
    pb a = {.size = 0};

    pb_text(&a, 1, name);
    pb_float(&a, 2, value);
    pb_int(&a, 20, 1);
    pb_message(list, 5, &a);
}

static inline void attr_text(pb *list, const char *name, const char *value)
{
    pb a = {.size = 0};

    pb_text(&a, 1, name);
    pb_text(&a, 4, value);
    pb_int(&a, 20, 3);
    pb_message(list, 5, &a);
}

static inline void attr_floats(pb *list, const char *name, const float *values, size_t count)
{
    pb a = {.size = 0};

    pb_text(&a, 1, name);
    for (size_t i = 0; i < count; i++)
        pb_float(&a, 7, values[i]);
    pb_message(list, 5, &a);
}

static inline void attr_ints(pb *list, const char *name, const int64_t *values, size_t count)
{
    pb a = {.size = 0};

    pb_text(&a, 1, name);
    for (size_t i = 0; i < count; i++)
        pb_int(&a, 8, values[i]);
    pb_message(list, 5, &a);
}

static inline void attr_texts(pb *list, const char *name, const char *values)
{
    pb a = {.size = 0};

    pb_text(&a, 1, name);
    pb_texts(&a, 9, values);
    pb_message(list, 5, &a);
}

static inline void attr_tensor(pb *list, const char *name, const pb *tensor)
{
    pb a = {.size = 0};

    pb_text(&a, 1, name);
    pb_message(&a, 5, tensor);
    pb_message(list, 5, &a);
}

/* ---- tensors ---- */

/* Name, type and dimensions (0: leave the rest out; so [2] is 2, 0). */
static inline void tensor_head(pb *t, const char *name, int type, int64_t rows, int64_t columns)
{
    if (rows)
        pb_int(t, 1, rows);
    if (columns)
        pb_int(t, 1, columns);
    pb_int(t, 2, type);
    pb_text(t, 8, name);
}

/* ---- networks ---- */

typedef struct net {
    pb graph;
    int64_t opset; /* 0: 13 */
} net;

static inline void net_input(net *n, const char *name, int type, int64_t rows, int64_t columns)
{
    pb dims = {.size = 0}, tensor = {.size = 0}, kind = {.size = 0}, info = {.size = 0}, dim = {.size = 0};

    if (rows)
        pb_int(&dim, 1, rows);
    else
        pb_text(&dim, 2, "people");
    pb_message(&dims, 1, &dim);
    dim.size = 0;
    pb_int(&dim, 1, columns);
    pb_message(&dims, 1, &dim);
    pb_int(&tensor, 1, type);
    pb_message(&tensor, 2, &dims);
    pb_message(&kind, 1, &tensor);
    pb_text(&info, 1, name);
    pb_message(&info, 2, &kind);
    pb_message(&n->graph, 11, &info);
}

static inline void net_output(net *n, const char *name)
{
    pb info = {.size = 0};

    pb_text(&info, 1, name);
    pb_message(&n->graph, 12, &info);
}

static inline void net_tensor(net *n, const pb *tensor)
{
    pb_message(&n->graph, 5, tensor);
}

/* Packed float_data. */
static inline void net_floats(net *n, const char *name, int64_t rows, int64_t columns, const float *values)
{
    size_t count = (size_t)(rows ? rows : 1) * (size_t)(columns ? columns : 1);
    pb t = {.size = 0};

    tensor_head(&t, name, ONNX_FLOAT, rows, columns);
    pb_block(&t, 4, values, count * sizeof(*values));
    net_tensor(n, &t);
}

/* Any type as raw data. */
static inline void net_raw(net *n, const char *name, int type, int64_t rows, int64_t columns, const void *bytes,
                           size_t size)
{
    pb t = {.size = 0};

    tensor_head(&t, name, type, rows, columns);
    pb_block(&t, 9, bytes, size);
    net_tensor(n, &t);
}

/* Operators are of the standard domain unless called "ml:Scaler".  attributes: NULL or a list made with attr_*. */
static inline void net_node(net *n, const char *op, const char *inputs, const char *outputs, const pb *attributes)
{
    pb node = {.size = 0};

    pb_texts(&node, 1, inputs);
    pb_texts(&node, 2, outputs);
    pb_text(&node, 4, strchr(op, ':') ? strchr(op, ':') + 1 : op);
    if (strchr(op, ':'))
        pb_text(&node, 7, strncmp(op, "ml:", 3) == 0 ? "ai.onnx.ml" : "com.example");
    if (attributes)
        pb_bytes(&node, attributes->bytes, attributes->size);
    pb_message(&n->graph, 1, &node);
}

/* The file; `model` must be empty. */
static inline void net_model(const net *n, pb *model)
{
    pb set = {.size = 0};

    pb_text(&set, 1, "");
    pb_int(&set, 2, n->opset ? n->opset : 13);
    pb_int(model, 1, 8);
    pb_message(model, 8, &set);
    pb_message(model, 7, &n->graph);
}

#endif
