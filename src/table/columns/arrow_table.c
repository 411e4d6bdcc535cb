/*
 * arrow_table.c -- tables from Arrow record batches and streams of them: who owns what.
 *
 * Everything handed over is released here, once, by whoever got it from the caller: on every way out of the two public
 * functions, and of nothing below them.  All batches of a stream are there at the same time, so that threads can fill
 * blocks that begin in one batch and end in another.
 */
#include <errno.h>
#include <string.h>

#include "arrow.h"
#include "table_columns.h"

/* Batches, and their columns as vectors. */
typedef struct batches {
    struct ArrowArray *arrays;
    tct_chunk *chunks;
    size_t n, room;
} batches;

/* Columns of the caller's, to stand beside those of the batches. */
typedef struct beside {
    const tacit_column *columns;
    size_t n, n_rows;
} beside;

static void release_schema(struct ArrowSchema *schema)
{
    if (schema && schema->release)
        schema->release(schema);
    if (schema)
        schema->release = NULL;
}

static void release_array(struct ArrowArray *array)
{
    if (array && array->release)
        array->release(array);
    if (array)
        array->release = NULL;
}

static void free_batches(batches *all)
{
    for (size_t i = 0; i < all->n; i++) {
        release_array(&all->arrays[i]);
        tct_free(all->chunks[i].vectors);
    }
    tct_free(all->arrays);
    tct_free(all->chunks);
}

/* The batch becomes ours: the caller's is marked as released. */
static tacit_status keep_batch(batches *all, struct ArrowArray *array, tacit_error *err)
{
    if (all->n == all->room) {
        size_t room = 2 * all->room + 4;
        struct ArrowArray *arrays = tct_realloc(all->arrays, room, sizeof *arrays);
        tct_chunk *chunks;

        if (!arrays)
            return tct_fail_memory(err);
        all->arrays = arrays;
        chunks = tct_realloc(all->chunks, room, sizeof *chunks);
        if (!chunks)
            return tct_fail_memory(err);
        all->chunks = chunks;
        all->room = room;
    }
    all->chunks[all->n] = (tct_chunk){0};
    all->arrays[all->n++] = *array;
    array->release = NULL;
    return TACIT_OK;
}

/* Vectors lie as the builder wants them: those of the columns first, dictionaries behind.  first: rows in the batches
 * before. */
static tacit_status describe_batch(tct_chunk *chunk, const struct ArrowSchema *schema, const struct ArrowArray *array,
                                   const beside *more, size_t first, const char *name, tacit_error *err)
{
    size_t own = (size_t)schema->n_children, n = own + more->n;
    tct_vector *pairs = tct_calloc(own, 2 * sizeof *pairs);
    tacit_status st = pairs ? tct_arrow_vectors(pairs, schema, array, name, err) : tct_fail_memory(err);

    chunk->n_rows = st ? 0 : (size_t)array->length;
    chunk->vectors = st ? NULL : tct_calloc(n, 2 * sizeof *pairs);
    if (!st && !chunk->vectors)
        st = tct_fail_memory(err);
    for (size_t i = 0; i < own && !st; i++) {
        chunk->vectors[i] = pairs[2 * i];
        chunk->vectors[n + i] = pairs[2 * i + 1];
        if (pairs[2 * i].dictionary)
            chunk->vectors[i].dictionary = &chunk->vectors[n + i];
    }
    for (size_t i = own; i < n && !st; i++)
        st = tct_column_vector(&more->columns[i - own], i, first, chunk->n_rows, &chunk->vectors[i],
                               &chunk->vectors[n + i], err);
    tct_free(pairs);
    return st;
}

/* As many rows in the columns beside as in all batches together? */
static tacit_status check_rows(const batches *all, const beside *more, const char *name, tacit_error *err)
{
    size_t n = 0;

    for (size_t i = 0; i < all->n; i++)
        if (all->arrays[i].length < 0 || __builtin_add_overflow(n, (size_t)all->arrays[i].length, &n))
            return TACIT_OK; /* that is told where the batch is read */
    if (more->n == 0 || n == more->n_rows)
        return TACIT_OK;
    return tct_fail_at(err, TACIT_E_INPUT, name, 0, more->columns[0].name, "%zu rows, where the Arrow table has %zu",
                       more->n_rows, n);
}

static tacit_status build_table(tacit_table **out, const char *name, const struct ArrowSchema *schema, batches *all,
                                const beside *more, const tacit_csv_options *options, size_t threads, tacit_error *err)
{
    size_t own = (size_t)schema->n_children, first = 0;
    const char **names = tct_calloc(own + more->n, sizeof *names);
    tct_columns columns = {.names = names, .n_columns = own + more->n, .chunks = all->chunks, .n_chunks = all->n};
    tacit_status st = names ? check_rows(all, more, name, err) : tct_fail_memory(err);

    for (size_t i = 0; i < columns.n_columns && !st; i++)
        names[i] = i < own ? schema->children[i]->name : more->columns[i - own].name;
    for (size_t i = 0; i < all->n && !st; i++) {
        st = describe_batch(&all->chunks[i], schema, &all->arrays[i], more, first, name, err);
        first += all->chunks[i].n_rows;
    }
    if (!st)
        st = tct_table_from_columns(out, name, &columns, options, threads, err);
    tct_free(names);
    return st;
}

tacit_status tacit_table_from_arrow(tacit_table **out, const char *name, struct ArrowSchema *schema,
                                    struct ArrowArray *array, const tacit_csv_options *options, size_t threads,
                                    tacit_error *err)
{
    batches all = {0};
    tacit_status st = TACIT_OK;

    *out = NULL;
    name = name ? name : "table";
    if (!schema || !schema->release || !array || !array->release)
        st = tct_fail(err, TACIT_E_USAGE, "the Arrow schema or array was released before");
    if (!st)
        st = tct_arrow_check_schema(schema, name, err);
    if (!st)
        st = keep_batch(&all, array, err);
    if (!st)
        st = build_table(out, name, schema, &all, &(beside){0}, options, threads, err);
    free_batches(&all);
    release_array(array);
    release_schema(schema);
    return st;
}

/* A stream has said no.  Its own words may tell of values, so they are not passed on. */
static tacit_status fail_stream(int code, const char *name, tacit_error *err)
{
    char room[128];

    if (code == ENOMEM)
        return tct_fail_memory(err);
    return tct_fail_at(err, TACIT_E_IO, name, 0, NULL, "the Arrow stream has failed: %s",
                       strerror_r(code, room, sizeof room));
}

static tacit_status read_stream(batches *all, struct ArrowArrayStream *stream, const char *name, tacit_error *err)
{
    tacit_status st = TACIT_OK;

    for (bool more = true; more && !st;) {
        struct ArrowArray array = {0};
        int code = stream->get_next(stream, &array);

        more = code == 0 && array.release;
        if (code)
            st = fail_stream(code, name, err);
        else if (more)
            st = keep_batch(all, &array, err);
        if (more && st)
            release_array(&array);
    }
    return st;
}

tacit_status tacit_table_from_arrow_beside(tacit_table **out, const char *name, struct ArrowArrayStream *stream,
                                           const tacit_column *columns, size_t n_columns, size_t n_rows,
                                           const tacit_csv_options *options, size_t threads, tacit_error *err)
{
    const beside more = {.columns = columns, .n = n_columns, .n_rows = n_rows};
    struct ArrowSchema schema = {0};
    batches all = {0};
    tacit_status st = TACIT_OK;
    int code;

    *out = NULL;
    name = name ? name : "table";
    if (!stream || !stream->release)
        return tct_fail(err, TACIT_E_USAGE, "the Arrow stream was released before");
    code = stream->get_schema(stream, &schema);
    if (code)
        st = fail_stream(code, name, err);
    else if (!schema.release)
        st = tct_fail(err, TACIT_E_USAGE, "the Arrow stream has no schema");
    if (!st)
        st = tct_arrow_check_schema(&schema, name, err);
    if (!st)
        st = read_stream(&all, stream, name, err);
    if (!st)
        st = build_table(out, name, &schema, &all, &more, options, threads, err);
    free_batches(&all);
    release_schema(&schema);
    stream->release(stream);
    stream->release = NULL;
    return st;
}

tacit_status tacit_table_from_arrow_stream(tacit_table **out, const char *name, struct ArrowArrayStream *stream,
                                           const tacit_csv_options *options, size_t threads, tacit_error *err)
{
    return tacit_table_from_arrow_beside(out, name, stream, NULL, 0, 0, options, threads, err);
}
