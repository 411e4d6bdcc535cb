/*
 * table_fill.c -- see table_fill.h.
 *
 * Rows are taken in tiles whose cells fit into the first cache, and each tile column by column: what a column is made of
 * is asked once a tile and not once a cell.
 *
 * A text that a column repeats is in the bytes of the block once, as long as there are few different ones; after that
 * each cell has its own.  So a block of usual categories is hardly more than its cells, and a place in a dictionary that
 * was seen before becomes a cell without looking at its text.
 */
#include "table_fill.h"

#include <math.h>
#include <string.h>

#include "csv_inside.h"
#include "lookup.h"

enum { TILE_ROWS = 128, MOST_REPEATED = 512, MOST_PLACES = 1 << 14 };
#define MOST_TEXT ((size_t)UINT32_MAX - TCT_MAX_RECORD) /* bytes of a block: a text more still fits */

/* The different texts of one column of a block. */
typedef struct repeats {
    tct_lookup lookup; /* of the texts as they lie in the columns, which stay */
    tct_cell *cells;   /* by their index */
    const tct_vector *dictionary;
    uint16_t *places; /* of the dictionary: 1 + index of its text, or 0: not seen yet */
} repeats;

static void clear_repeats(repeats *all, size_t n)
{
    for (size_t i = 0; all && i < n; i++) {
        tct_lookup_clear(&all[i].lookup);
        tct_free(all[i].cells);
        tct_free(all[i].places);
    }
    tct_free(all);
}

/* Places of a dictionary that is not that of the rows before. */
static tacit_status begin_places(repeats *own, const tct_vector *dictionary, tacit_error *err)
{
    if (own->dictionary == dictionary)
        return TACIT_OK;
    tct_free(own->places);
    own->places = NULL;
    own->dictionary = dictionary;
    if (!dictionary || dictionary->n > MOST_PLACES)
        return TACIT_OK;
    own->places = tct_calloc(dictionary->n + 1, sizeof(*own->places));
    return own->places ? TACIT_OK : tct_fail_memory(err);
}

static tacit_status add_text(tct_block *block, const tct_datum *value, tct_cell *cell, tacit_error *err)
{
    size_t room = block->size + value->size;
    tacit_status st = room > block->room ? tct_block_reserve(block, 2 * room, err) : TACIT_OK;

    if (st)
        return st;
    memcpy(block->bytes + block->size, value->bytes, value->size);
    *cell = (tct_cell){.start = (uint32_t)block->size, .size = (uint32_t)value->size};
    block->size = room;
    return TACIT_OK;
}

/* The cell of a text that is not empty; *index: of the text, or TCT_LOOKUP_NONE.  stays: its bytes do. */
static tacit_status place_text(repeats *own, tct_block *block, const tct_datum *value, bool stays, tct_cell *cell,
                               uint32_t *index, tacit_error *err)
{
    tacit_status st = TACIT_OK;

    *index = stays ? tct_lookup_find(&own->lookup, value->bytes, value->size) : TCT_LOOKUP_NONE;
    if (*index != TCT_LOOKUP_NONE) {
        *cell = own->cells[*index];
        return TACIT_OK;
    }
    st = add_text(block, value, cell, err);
    if (st || !stays || own->lookup.count == MOST_REPEATED)
        return st;
    if (!own->cells)
        own->cells = tct_malloc(MOST_REPEATED, sizeof(*own->cells));
    if (!own->cells)
        return tct_fail_memory(err);
    st = tct_lookup_add(&own->lookup, value->bytes, value->size, index, err);
    if (!st)
        own->cells[*index] = *cell;
    return st;
}

/* Texts of n rows of a vector.  *problem: with one of them. */
static tacit_status fill_texts(repeats *own, const tct_vector *v, size_t first, size_t n, tct_block *block,
                               tct_cell *cells, size_t stride, const char **problem, tacit_error *err)
{
    char buffer[TCT_DATUM_ROOM];
    tacit_status st = begin_places(own, v->dictionary, err);

    for (size_t r = 0; r < n && !st && !*problem; r++) {
        tct_cell *cell = &cells[r * stride];
        size_t place = 0;
        bool placed = own->places && tct_vector_place(v, first + r, &place);
        uint32_t index = TCT_LOOKUP_NONE;
        tct_datum value;

        if (placed && own->places[place]) {
            *cell = own->cells[own->places[place] - 1];
            continue;
        }
        *problem = tct_vector_value(v, first + r, TCT_TEXT, &value, buffer);
        if (!*problem && block->size > MOST_TEXT)
            *problem = "too much text in the rows before";
        *cell = (tct_cell){.start = 0, .size = 0};
        if (!*problem && value.size > 0)
            st = place_text(own, block, &value, value.bytes != buffer, cell, &index, err);
        if (placed && index != TCT_LOOKUP_NONE)
            own->places[place] = (uint16_t)(index + 1);
    }
    tct_wipe(buffer, sizeof buffer);
    return st;
}

static bool is_marker(const tct_fill *fill, double number)
{
    for (size_t i = 0; i < fill->n_markers; i++)
        if (fill->markers[i] == number)
            return true;
    return false;
}

/* Numbers of n rows of a vector; what is wrong with one, or NULL. */
static const char *fill_numbers(const tct_fill *fill, const tct_vector *v, tct_holds holds, size_t first, size_t n,
                                tct_cell *cells, size_t stride)
{
    const char *problem = NULL;

    if (!tct_vector_numbers(v, first, n, &cells->number, stride))
        for (size_t r = 0; r < n && !problem; r++) {
            tct_datum value;

            problem = tct_vector_value(v, first + r, holds, &value, NULL);
            cells[r * stride].number = value.number;
        }
    for (size_t r = 0; r < n && fill->n_markers; r++)
        if (is_marker(fill, cells[r * stride].number))
            cells[r * stride].number = NAN;
    return problem;
}

/* Column i of rows first ... first + n - 1 of the table, which may lie in several chunks. */
static tacit_status fill_column(const tct_fill *fill, repeats *own, size_t i, size_t chunk, size_t first, size_t n,
                                tct_block *block, const char **problem, tacit_error *err)
{
    size_t stride = fill->csv->n_columns, end = first + n;
    tct_holds holds = tct_csv_holds(fill->csv, i);
    tacit_status st = TACIT_OK;

    while (first < end && !st && !*problem) {
        const tct_vector *v;
        size_t at, stop;
        tct_cell *cells = block->cells + (first - fill->first) * stride + i;

        while (first >= fill->starts[chunk + 1])
            chunk++;
        v = &fill->columns->chunks[chunk].vectors[i];
        at = first - fill->starts[chunk];
        stop = fill->starts[chunk + 1] < end ? fill->starts[chunk + 1] : end;
        if (holds == TCT_TEXT)
            st = fill_texts(own, v, at, stop - first, block, cells, stride, problem, err);
        else
            *problem = fill_numbers(fill, v, holds, at, stop - first, cells, stride);
        first = stop;
    }
    return st;
}

/* Something is wrong in these rows: the first thing, row by row. */
static tacit_status fail_rows(const tct_fill *fill, size_t chunk, size_t first, size_t n, const char *problem,
                              tacit_error *err)
{
    const tct_csv *csv = fill->csv;
    char buffer[TCT_DATUM_ROOM];
    const char *found = NULL;

    for (size_t row = first; row < first + n; row++) {
        while (row >= fill->starts[chunk + 1])
            chunk++;
        for (size_t i = 0; i < csv->n_columns && !found; i++) {
            tct_datum value;

            found = tct_vector_value(&fill->columns->chunks[chunk].vectors[i], row - fill->starts[chunk],
                                     tct_csv_holds(csv, i), &value, buffer);
            if (found)
                tct_fail_at(err, TACIT_E_INPUT, csv->path, row + 1, csv->columns[i], "%s", found);
        }
        if (found)
            break;
    }
    tct_wipe(buffer, sizeof buffer);
    return found ? TACIT_E_INPUT : tct_fail_at(err, TACIT_E_INPUT, csv->path, first + 1, NULL, "%s", problem);
}

tacit_status tct_fill_rows(const tct_fill *fill, tct_block *block, size_t n, tacit_error *err)
{
    size_t columns = fill->csv->n_columns, chunk = fill->chunk;
    repeats *all = tct_calloc(columns, sizeof(*all));
    tacit_status st = all ? TACIT_OK : tct_fail_memory(err);

    for (size_t done = 0; done < n && !st; done += TILE_ROWS) {
        size_t rows = n - done < TILE_ROWS ? n - done : TILE_ROWS, first = fill->first + done;
        const char *problem = NULL;

        while (first >= fill->starts[chunk + 1])
            chunk++;
        for (size_t i = 0; i < columns && !st && !problem; i++)
            st = fill_column(fill, &all[i], i, chunk, first, rows, block, &problem, err);
        if (problem)
            st = fail_rows(fill, chunk, first, rows, problem, err);
    }
    clear_repeats(all, columns);
    return st;
}
