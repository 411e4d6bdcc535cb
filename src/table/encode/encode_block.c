/*
 * encode_block.c -- all rows of a block from cells to inputs.
 *
 * Rows are taken in tiles small enough for the first cache, and each tile column by column, so the kind of an
 * attribute is decided once per tile and not once per cell.  The usual cells are taken by encode_quick.h, numbers that
 * are numbers already by a loop of their own, all others by the functions that also encode single cells.  When a cell is wrong, the columns that follow only look at the rows
 * before it: the error that is reported is the first in the order of the file.
 */
#include <math.h>
#include <string.h>

#include "cells.h"
#include "codec_inside.h"
#include "csv_inside.h"
#include "encode_wide.h"
#include "faults.h"
#include "simd.h"

/* One attribute of one tile. */
typedef struct tile {
    const tct_binding *binding;
    const tct_block *block;
    size_t attribute;
    tct_holds holds;    /* what the cells are */
    tct_column column;  /* the rows to look at; cut short by an error */
    double *x;          /* first input of the first row */
    size_t n_rows;      /* of the block: from an input to the next */
    tct_coding outcome; /* of the row behind the last where it is not TCT_CODED */
    tct_encode_counts *counts;
    uint8_t *rows;    /* TCT_HAD_* of each, or NULL */
    uint16_t *levels; /* where levels go instead of inputs, or NULL */
} tile;

/* What happened to a row's cell, from how the counts changed. */
static void note_row(const tile *t, size_t row, const tct_encode_counts *before)
{
    if (!t->rows)
        return;
    t->rows[row] |= (uint8_t)((t->counts->clipped > before->clipped ? TCT_HAD_CLIPPED : 0) |
                              (t->counts->missing > before->missing ? TCT_HAD_MISSING : 0) |
                              (t->counts->unknown > before->unknown ? TCT_HAD_UNKNOWN : 0));
}

static void stop_tile(tile *t, size_t row, tct_coding outcome)
{
    t->column.n = row;
    t->outcome = outcome;
}

/* One cell of a tile. */
static tct_datum value_of(const tct_column *c, tct_holds holds, size_t row)
{
    const tct_cell *cell = &c->cells[row * c->stride];

    if (holds != TCT_TEXT)
        return (tct_datum){.holds = holds, .number = cell->number};
    return (tct_datum){.bytes = c->bytes + cell->start, .size = cell->size};
}

/* All of them. */
static void leave_all(size_t n, tct_rest *left)
{
    for (size_t r = 0; r < n; r++)
        left->rows[r] = (uint16_t)r;
    left->n = n;
}

/* Numbers into x, unscaled; 'stand_in' where they are missing, infinite, or not whole where they must be. */
static void take_numbers(const tct_column *c, bool whole, double stand_in, double *x, tct_rest *left)
{
    const tct_cell *cell = c->cells;

    left->n = 0;
    for (size_t r = 0; r < c->n; r++, cell += c->stride) {
        double v = cell->number;
        bool usual = fabs(v) < 0x1p53 && (!whole || v == (double)(int64_t)v); /* false for NaN */

        left->rows[left->n] = (uint16_t)r;
        left->n += !usual;
        x[r] = usual ? v : stand_in;
    }
}

/* Whole numbers into x, unscaled; 'stand_in' where the cell is anything else. */
static void take_whole(const tct_column *c, bool quick, double stand_in, double *x, tct_rest *left)
{
    const tct_cell *cell = c->cells;

    left->n = 0;
    for (size_t r = 0; r < c->n; r++, cell += c->stride) {
        double v = stand_in;

        left->rows[left->n] = (uint16_t)r;
        left->n += !(quick && tct_quick_whole(c->bytes + cell->start, cell->size, &v));
        x[r] = v;
    }
}

/* Numbers to their places in a domain, clipped, computed as tct_box_value and tct_grid_value do: at both ends, which
 * they treat apart, the quotient is exact.  Returns how many were clipped. */
TCT_INLINED uint64_t scale_body(double *restrict x, size_t n, double min, double max, bool number, uint8_t *rows)
{
    double range = max - min;
    uint64_t clipped = 0;

    for (size_t r = 0; r < n; r++)
        clipped += (x[r] < min) | (x[r] > max);
    for (size_t r = 0; clipped && rows && r < n; r++)
        rows[r] |= ((x[r] < min) | (x[r] > max)) ? TCT_HAD_CLIPPED : 0;
    for (size_t r = 0; r < n; r++) {
        double v = x[r] < min ? min : x[r];

        v = v > max ? max : v;
        x[r] = (number ? 2.0 * ((v - min) / range) : 2.0 * (v - min) / range) - 1.0;
    }
    return clipped;
}

TCT_FOR_AVX2 static uint64_t scale_avx2(double *x, size_t n, double min, double max, bool number, uint8_t *rows)
{
    return number ? scale_body(x, n, min, max, true, rows) : scale_body(x, n, min, max, false, rows);
}

static uint64_t scale_numbers(double *x, size_t n, double min, double max, bool number, uint8_t *rows)
{
    return tct_simd_level() >= TCT_SIMD_AVX2 ? scale_avx2(x, n, min, max, number, rows)
                                             : scale_body(x, n, min, max, number, rows);
}

/* One cell of a number or integer, the plain way. */
static tct_coding encode_number(const tile *t, size_t row)
{
    tct_datum value = value_of(&t->column, t->holds, row);
    bool clipped = false;
    tct_coding outcome;

    if (tct_datum_missing(t->binding->csv, &value)) {
        t->counts->missing++;
        return tct_code_fill(t->binding->codec, t->attribute, &t->x[row]);
    }
    outcome = tct_code_datum(t->binding->codec, t->binding->csv, t->attribute, &value, &t->x[row], &clipped);
    t->counts->clipped += clipped;
    return outcome;
}

/* The usual cells of numbers, scaled or as the numbers of their cells; all others are left over. */
static void encode_usual(tile *t, const tacit_attribute *a, tct_rest *left)
{
    const struct tct_cells *cells = tct_codec_cells(t->binding->codec, t->attribute);
    bool wide = cells || a->max > a->min, number = a->type == TACIT_NUMBER;
    bool quick = t->binding->quick[t->attribute].digits && wide;

    if (t->holds == TCT_TEXT && quick && !cells && tct_wide_here()) {
        t->counts->clipped += tct_wide_numbers(&t->column, a->min, a->max, number, t->x, t->rows, left);
        return;
    }
    if (t->holds == TCT_TEXT)
        take_whole(&t->column, quick, a->min, t->x, left);
    else if (wide && (t->holds != TCT_DAYS || a->dates))
        take_numbers(&t->column, !number, a->min, t->x, left);
    else
        leave_all(t->column.n, left);
    if (left->n == t->column.n)
        return;
    if (!cells) {
        t->counts->clipped += scale_numbers(t->x, t->column.n, a->min, a->max, number, t->rows);
        return;
    }
    for (size_t r = 0; r < t->column.n; r++)
        t->x[r] = tct_grid_value(tct_cell_of(cells, t->x[r]), t->binding->codec->domains[t->attribute].count);
}

static void encode_numbers(tile *t)
{
    const tacit_attribute *a = &t->binding->codec->schema->attributes[t->attribute];
    tct_rest left;

    encode_usual(t, a, &left);
    for (size_t i = 0; i < left.n && t->outcome == TCT_CODED; i++) {
        tct_encode_counts before = *t->counts;
        tct_coding outcome = encode_number(t, left.rows[i]);

        note_row(t, left.rows[i], &before);
        if (outcome != TCT_CODED)
            stop_tile(t, left.rows[i], outcome);
    }
}

/* Grid values, or levels where these are wanted, of the spellings that are found quickly. */
static void take_spellings(const tct_quick *quick, const tct_column *c, tct_holds holds, double *values,
                           uint32_t *levels, tct_rest *left)
{
    const tct_quick_slot none = {0};
    const tct_cell *cell = c->cells;

    if (holds != TCT_TEXT) {
        leave_all(c->n, left);
        return;
    }
    if (quick->slots && tct_wide_here()) {
        if (levels)
            tct_wide_levels(quick, c, levels, left);
        else
            tct_wide_values(quick, c, values, left);
        return;
    }
    left->n = 0;
    for (size_t r = 0; r < c->n; r++, cell += c->stride) {
        const tct_quick_slot *slot = quick->slots ? tct_quick_find(quick, c->bytes + cell->start, cell->size) : NULL;

        left->rows[left->n] = (uint16_t)r;
        left->n += !slot;
        slot = slot ? slot : &none;
        if (levels)
            levels[r] = slot->index;
        else
            values[r] = slot->value;
    }
}

/* One cell of a category, the plain way. */
static tct_coding encode_level(const tile *t, size_t row, size_t *level)
{
    tct_datum value = value_of(&t->column, t->holds, row);

    return tct_code_datum_level(t->binding->codec, t->binding->csv, t->attribute, &value,
                                t->binding->unknown_as_missing, level, t->counts);
}

static void encode_levels(tile *t)
{
    const tct_domain *domain = &t->binding->codec->domains[t->attribute];
    bool onehot = domain->kind == TCT_ONEHOT;
    uint32_t levels[TCT_TILE_ROWS];
    tct_rest left;

    take_spellings(&t->binding->quick[t->attribute], &t->column, t->holds, t->x, onehot ? levels : NULL, &left);
    for (size_t i = 0; i < left.n && t->outcome == TCT_CODED; i++) {
        size_t row = left.rows[i], level = 0;
        tct_encode_counts before = *t->counts;
        tct_coding outcome = encode_level(t, row, &level);

        note_row(t, row, &before);
        if (outcome != TCT_CODED)
            stop_tile(t, row, outcome);
        else if (onehot)
            levels[row] = (uint32_t)level;
        else
            t->x[row] = tct_grid_value(level, domain->count);
    }
    for (size_t r = 0; t->levels && r < t->column.n; r++)
        t->levels[r] = (uint16_t)levels[r];
    for (size_t i = 0; onehot && i < domain->width; i++)
        memset(t->x + i * t->n_rows, 0, t->column.n * sizeof(*t->x));
    for (size_t r = 0; onehot && !t->levels && r < t->column.n; r++)
        t->x[levels[r] * t->n_rows + r] = 1.0;
    tct_wipe(levels, sizeof(levels));
}

/* For messages. */
static size_t row_number(const tct_block *block, size_t r)
{
    return (size_t)tct_block_row(block, r);
}

/* The class that one cell names, the plain way. */
static tacit_status read_label(const tct_binding *binding, const tct_block *block, size_t r, int32_t *label,
                               tacit_error *err)
{
    const tct_csv *csv = binding->csv;
    const tacit_schema *schema = binding->codec->schema;
    tct_datum value = tct_datum_at(csv, block, r, binding->label);
    bool missing = tct_datum_missing(csv, &value);
    uint32_t found = missing ? TCT_LOOKUP_NONE : tct_find_datum(tct_codec_classes(binding->codec), &value);

    if (missing && binding->need_label)
        return tct_fail_at(err, TACIT_E_INPUT, csv->path, row_number(block, r), schema->label, "the label is missing");
    if (!missing && found == TCT_LOOKUP_NONE)
        return tct_fail_at(err, TACIT_E_INPUT, csv->path, row_number(block, r), schema->label,
                           "not one of the %zu classes the model knows", schema->n_classes);
    *label = missing ? -1 : (int32_t)found;
    return TACIT_OK;
}

/* Class of each row of a tile. */
static tacit_status read_labels(const tct_binding *binding, const tct_block *block, size_t first, size_t n,
                                int32_t *labels, tacit_error *err)
{
    const tct_quick *quick = &binding->quick[binding->codec->schema->n_attributes];
    size_t stride = binding->csv->n_columns;
    tct_column column = {block->bytes, block->cells + first * stride + binding->label, stride, n};
    uint32_t classes[TCT_TILE_ROWS];
    tacit_status st = TACIT_OK;
    tct_rest left;

    take_spellings(quick, &column, tct_csv_holds(binding->csv, binding->label), NULL, classes, &left);
    for (size_t r = 0; r < n && left.n < n; r++)
        labels[first + r] = (int32_t)classes[r];
    for (size_t i = 0; i < left.n && !st; i++)
        st = read_label(binding, block, first + left.rows[i], &labels[first + left.rows[i]], err);
    tct_wipe(classes, sizeof(classes));
    return st;
}

static void add_cells(tct_encode_counts *into, const tct_encode_counts *from)
{
    into->clipped += from->clipped;
    into->missing += from->missing;
    into->unknown += from->unknown;
}

/* Rows first ... first + n - 1, all attributes and the label. */
static tacit_status encode_tile(const tct_binding *binding, const tct_block *block, size_t first, size_t n, double *x,
                                int32_t *labels, tct_encode_counts *counts, const tct_encode_detail *detail,
                                tacit_error *err)
{
    const tct_codec *codec = binding->codec;
    size_t stride = binding->csv->n_columns;
    tacit_status st = TACIT_OK;

    for (size_t a = 0; a < codec->schema->n_attributes; a++) {
        tct_encode_counts own = {0};
        tile t = {.binding = binding,
                  .block = block,
                  .attribute = a,
                  .holds =
                      binding->columns[a] == TACIT_NONE ? TCT_TEXT : tct_csv_holds(binding->csv, binding->columns[a]),
                  .column = {block->bytes, block->cells + first * stride + binding->columns[a], stride, n},
                  .x = x + codec->domains[a].first * block->n_rows + first,
                  .n_rows = block->n_rows,
                  .outcome = TCT_CODED,
                  .counts = &own,
                  .rows = detail->rows ? detail->rows + first : NULL,
                  .levels = detail->levels && detail->levels[a] ? detail->levels[a] + first : NULL};

        if (binding->columns[a] == TACIT_NONE)
            continue; /* a loose binding */
        if (codec->schema->attributes[a].type == TACIT_CATEGORY)
            encode_levels(&t);
        else
            encode_numbers(&t);
        add_cells(counts, &own);
        if (detail->by_attribute)
            add_cells(&detail->by_attribute[a], &own);
        if (t.outcome != TCT_CODED) {
            n = t.column.n;
            st = tct_code_fail(&codec->schema->attributes[a], t.outcome, binding->csv->path,
                               row_number(block, first + n), err);
        }
    }
    if (labels && binding->label != TACIT_NONE) {
        tacit_status label_st = read_labels(binding, block, first, n, labels, err);

        st = label_st ? label_st : st;
    }
    return st;
}

tacit_status tct_binding_fail(const tct_csv *csv, const char *what, const char *name, tacit_error *err)
{
    const char *close = tacit_suggest(name, (const char *const *)csv->columns, csv->n_columns);

    if (close)
        return tct_fail_at(err, TACIT_E_INPUT, csv->path, 0, NULL, "no column for the %s %s; the closest is %s", what,
                           name, close);
    return tct_fail_at(err, TACIT_E_INPUT, csv->path, 0, NULL,
                       csv->n_columns == 1
                           ? "no column for the %s %s; the file has a single column (another separator?)"
                           : "no column for the %s %s",
                       what, name);
}

tacit_status tct_binding_loose(tct_binding **out, const tct_codec *codec, const tct_csv *csv, bool need_label,
                               tacit_error *err)
{
    const tacit_schema *schema = codec->schema;
    tct_binding *binding = tct_calloc(1, sizeof(*binding));
    tacit_status st = TACIT_OK;

    *out = NULL;
    if (!binding)
        return tct_fail_memory(err);
    binding->codec = codec;
    binding->csv = csv;
    binding->need_label = need_label;
    binding->columns = tct_malloc(schema->n_attributes, sizeof(*binding->columns));
    if (!binding->columns) {
        st = tct_fail_memory(err);
        goto done;
    }
    for (size_t i = 0; i < schema->n_attributes; i++) {
        binding->columns[i] = tct_csv_find(csv, schema->attributes[i].name);
        binding->lacks = binding->lacks || binding->columns[i] == TACIT_NONE;
    }
    binding->label = tct_csv_find(csv, schema->label);
    binding->lacks = binding->lacks || (need_label && binding->label == TACIT_NONE);
    st = tct_quick_new(&binding->quick, codec, csv, err);
    if (st)
        goto done;
    *out = binding;
    binding = NULL;
done:
    tct_binding_free(binding);
    return st;
}

tacit_status tct_binding_new(tct_binding **out, const tct_codec *codec, const tct_csv *csv, bool need_label,
                             tacit_error *err)
{
    tct_faults *faults = NULL;
    tacit_status st = tct_binding_loose(out, codec, csv, need_label, err);

    if (st || !(*out)->lacks)
        return st;
    st = tct_faults_new(&faults, codec->schema->n_attributes, 0, err);
    if (!st) {
        tct_faults_columns(faults, *out);
        st = tct_faults_tell(faults, *out, NULL, NULL, NULL, err);
    }
    tct_faults_free(faults);
    tct_binding_free(*out);
    *out = NULL;
    return st;
}

void tct_binding_free(tct_binding *binding)
{
    if (!binding)
        return;
    tct_quick_free(binding->quick, binding->codec);
    tct_free(binding->columns);
    tct_free(binding);
}

tacit_status tct_encode_block(const tct_binding *binding, const tct_block *block, double *x, int32_t *labels,
                              tct_encode_counts *counts, tacit_error *err)
{
    const tct_encode_detail none = {0};

    return tct_encode_block_detail(binding, block, x, labels, counts, &none, err);
}

tacit_status tct_encode_block_detail(const tct_binding *binding, const tct_block *block, double *x, int32_t *labels,
                                     tct_encode_counts *counts, const tct_encode_detail *detail, tacit_error *err)
{
    tacit_status st = TACIT_OK;

    if (labels && binding->label == TACIT_NONE)
        for (size_t r = 0; r < block->n_rows; r++)
            labels[r] = -1;
    if (detail->rows)
        memset(detail->rows, 0, block->n_rows);
    for (size_t first = 0; !st && first < block->n_rows; first += TCT_TILE_ROWS) {
        size_t left = block->n_rows - first;

        st = encode_tile(binding, block, first, left < TCT_TILE_ROWS ? left : TCT_TILE_ROWS, x, labels, counts, detail,
                         err);
    }
    return st;
}
