/*
 * table_rows.c -- rows that are left out of a table: those without label, those with text for a number.
 *
 * Rows that stay keep the numbers they have in the file, so which of them are held out does not change.
 */
#include "codec_inside.h"
#include "csv_inside.h"
#include "encode.h"

/* Leave out what `drop` says of one block. */
static tacit_status drop_rows(tacit_table *table, tct_block *block, const bool *drop, size_t count, tacit_error *err)
{
    tacit_status st = count ? tct_block_drop(block, table->csv->n_columns, drop, err) : TACIT_OK;

    if (!st)
        table->n_rows -= count;
    return st;
}

tacit_status tacit_table_drop_unlabelled(tacit_table *table, const char *label, tacit_error *err)
{
    const tct_csv *csv = table->csv;
    size_t column = tct_csv_find(csv, label);
    tacit_status st = TACIT_OK;

    for (size_t b = 0; !st && column != TACIT_NONE && b < table->n_blocks; b++) {
        tct_block *block = &table->blocks[b];
        bool *drop = tct_calloc(block->n_rows + 1, sizeof(*drop));
        size_t count = 0;

        if (!drop)
            return tct_fail_memory(err);
        for (size_t r = 0; r < block->n_rows; r++) {
            tct_datum value = tct_datum_at(csv, block, r, column);

            drop[r] = tct_datum_missing(csv, &value);
            count += drop[r];
        }
        st = drop_rows(table, block, drop, count, err);
        table->n_unlabelled += st ? 0 : count;
        tct_free(drop);
    }
    if (!st && table->n_rows == 0)
        st = tct_fail_at(err, TACIT_E_INPUT, csv->path, 0, label, "the label is missing in all rows");
    return st;
}

/* Mark the rows of a block that have text for a number. */
static size_t mark_bad(const tct_csv *csv, const tct_block *block, const tacit_schema *schema, const size_t *columns,
                       bool *drop, uint64_t *first)
{
    size_t count = 0;

    for (size_t a = 0; a < schema->n_attributes; a++) {
        if (columns[a] == TACIT_NONE)
            continue;
        for (size_t r = 0; r < block->n_rows && schema->attributes[a].type != TACIT_CATEGORY; r++) {
            tct_datum value = tct_datum_at(csv, block, r, columns[a]);

            if (!drop[r] && tct_try_number(csv, &schema->attributes[a], &value)) {
                drop[r] = true;
                count++;
            }
        }
    }
    for (size_t r = 0; r < block->n_rows && count; r++)
        if (drop[r]) {
            *first = tct_block_row(block, r);
            break;
        }
    return count;
}

tacit_status tct_binding_skip_bad(const tct_binding *binding, tct_block *block, tacit_error *err)
{
    const tct_csv *csv = binding->csv;
    uint64_t first = 0;
    bool *drop;
    size_t count;
    tacit_status st = TACIT_OK;

    if (!csv->skip_bad || block->n_rows == 0)
        return TACIT_OK;
    drop = tct_calloc(block->n_rows, sizeof(*drop));
    if (!drop)
        return tct_fail_memory(err);
    count = mark_bad(csv, block, binding->codec->schema, binding->columns, drop, &first);
    if (count) {
        tct_csv_count_bad(csv, count, first);
        st = tct_block_drop(block, csv->n_columns, drop, err);
    }
    tct_free(drop);
    return st;
}

tacit_status tacit_table_drop_bad(tacit_table *table, const tacit_schema *schema, size_t *dropped, tacit_error *err)
{
    tct_codec *codec = NULL;
    tct_binding *binding = NULL;
    tacit_status st;

    *dropped = 0;
    if (!table->csv->skip_bad)
        return TACIT_OK;
    st = tct_codec_new(&codec, schema, err);
    if (!st)
        st = tct_binding_loose(&binding, codec, table->csv, false, err);
    for (size_t b = 0; !st && b < table->n_blocks; b++) {
        size_t before = table->blocks[b].n_rows;

        st = tct_binding_skip_bad(binding, &table->blocks[b], err);
        *dropped += before - table->blocks[b].n_rows;
    }
    table->n_rows -= *dropped;
    if (!st)
        st = tct_table_check_bad(table, err);
    if (!st && table->n_rows == 0)
        st = tct_fail_at(err, TACIT_E_INPUT, table->csv->path, 0, NULL, "all rows are bad");
    tct_binding_free(binding);
    tct_codec_free(codec);
    return st;
}

size_t tacit_table_skipped(const tacit_table *table)
{
    return (size_t)table->csv->bad;
}

size_t tacit_table_unlabelled(const tacit_table *table)
{
    return table->n_unlabelled;
}
