/*
 * make_arrow.h -- a producer of Arrow record batches and streams, for tests: columns that lie in the test's own memory, and
 * a count of what is still to be released.
 *
 *   arrow_column columns[] = {{.name = "age", .format = "l", .buffers = {NULL, ages}, .n_buffers = 2}};
 *   arrow_batch(&schema, &array, columns, 1, 3);
 *   tacit_table_from_arrow(&table, NULL, &schema, &array, NULL, 1, &err);
 *   assert_int_equal(arrow_alive, 0);
 */
#ifndef MAKE_ARROW_H
#define MAKE_ARROW_H

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tacit.h"

typedef struct arrow_column arrow_column;
struct arrow_column {
    const char *name, *format;
    const void *buffers[5]; /* validity first */
    int64_t n_buffers, null_count, offset;
    int64_t length; /* 0: that of the batch */
    const arrow_column *dictionary;
};

static int arrow_alive; /* schemas, arrays and streams handed out and not released yet; below 0: released twice */

static inline void arrow_free_schema(struct ArrowSchema *schema)
{
    for (int64_t i = 0; i < schema->n_children; i++) {
        if (schema->children[i]->release)
            schema->children[i]->release(schema->children[i]);
        free(schema->children[i]);
    }
    free(schema->children);
    if (schema->dictionary) {
        schema->dictionary->release(schema->dictionary);
        free(schema->dictionary);
    }
    schema->release = NULL;
    arrow_alive--;
}

static inline void arrow_free_array(struct ArrowArray *array)
{
    for (int64_t i = 0; i < array->n_children; i++) {
        if (array->children[i]->release)
            array->children[i]->release(array->children[i]);
        free(array->children[i]);
    }
    free(array->children);
    free((void *)array->buffers);
    if (array->dictionary) {
        array->dictionary->release(array->dictionary);
        free(array->dictionary);
    }
    array->release = NULL;
    arrow_alive--;
}

static inline void *arrow_room(size_t count, size_t size)
{
    void *room = calloc(count + 1, size);

    if (!room)
        abort();
    return room;
}

static inline void arrow_schema_of(struct ArrowSchema *out, const arrow_column *column)
{
    *out = (struct ArrowSchema){
        .format = column->format, .name = column->name, .flags = ARROW_FLAG_NULLABLE, .release = arrow_free_schema};
    arrow_alive++;
    if (column->dictionary) {
        out->dictionary = arrow_room(1, sizeof *out->dictionary);
        arrow_schema_of(out->dictionary, column->dictionary);
    }
}

static inline void arrow_array_of(struct ArrowArray *out, const arrow_column *column, int64_t length)
{
    *out = (struct ArrowArray){.length = column->length ? column->length : length,
                               .null_count = column->null_count,
                               .offset = column->offset,
                               .n_buffers = column->n_buffers,
                               .buffers = arrow_room(5, sizeof(void *)),
                               .release = arrow_free_array};
    memcpy((void *)out->buffers, column->buffers, sizeof column->buffers);
    arrow_alive++;
    if (column->dictionary) {
        out->dictionary = arrow_room(1, sizeof *out->dictionary);
        arrow_array_of(out->dictionary, column->dictionary, column->dictionary->length);
    }
}

static inline void arrow_batch_schema(struct ArrowSchema *out, const arrow_column *columns, size_t n)
{
    *out = (struct ArrowSchema){.format = "+s",
                                .n_children = (int64_t)n,
                                .children = arrow_room(n, sizeof *out->children),
                                .release = arrow_free_schema};
    arrow_alive++;
    for (size_t i = 0; i < n; i++) {
        out->children[i] = arrow_room(1, sizeof **out->children);
        arrow_schema_of(out->children[i], &columns[i]);
    }
}

/* Rows from ... from + length - 1 of the columns. */
static inline void arrow_batch_array(struct ArrowArray *out, const arrow_column *columns, size_t n, int64_t from,
                                     int64_t length)
{
    *out = (struct ArrowArray){.length = length,
                               .offset = from,
                               .n_buffers = 1,
                               .buffers = arrow_room(5, sizeof(void *)),
                               .n_children = (int64_t)n,
                               .children = arrow_room(n, sizeof *out->children),
                               .release = arrow_free_array};
    arrow_alive++;
    for (size_t i = 0; i < n; i++) {
        out->children[i] = arrow_room(1, sizeof **out->children);
        arrow_array_of(out->children[i], &columns[i], from + length);
    }
}

static inline void arrow_batch(struct ArrowSchema *schema, struct ArrowArray *array, const arrow_column *columns,
                               size_t n, int64_t length)
{
    arrow_batch_schema(schema, columns, n);
    arrow_batch_array(array, columns, n, 0, length);
}

/* A stream over the same columns, so many rows at a time; fails_at: that call of get_next fails (from 1), 0: none. */
typedef struct arrow_source {
    const arrow_column *columns;
    size_t n;
    int64_t rows, at, step;
    int calls, fails_at;
} arrow_source;

static inline int arrow_stream_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    arrow_source *source = stream->private_data;

    arrow_batch_schema(out, source->columns, source->n);
    return 0;
}

static inline int arrow_stream_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    arrow_source *source = stream->private_data;
    int64_t left = source->rows - source->at, length = left < source->step ? left : source->step;

    *out = (struct ArrowArray){0};
    if (++source->calls == source->fails_at)
        return EIO;
    if (left > 0)
        arrow_batch_array(out, source->columns, source->n, source->at, length);
    source->at += length;
    return 0;
}

static inline const char *arrow_stream_error(struct ArrowArrayStream *stream)
{
    (void)stream;
    return "what the producer says";
}

static inline void arrow_stream_release(struct ArrowArrayStream *stream)
{
    stream->release = NULL;
    arrow_alive--;
}

static inline void arrow_stream(struct ArrowArrayStream *out, arrow_source *source)
{
    *out = (struct ArrowArrayStream){.get_schema = arrow_stream_schema,
                                     .get_next = arrow_stream_next,
                                     .get_last_error = arrow_stream_error,
                                     .release = arrow_stream_release,
                                     .private_data = source};
    arrow_alive++;
}

#endif
