/*
 * golden_trees.h -- ensembles that lie in a folder with people, labels and sums, imported and compared.
 *
 * NAME.csv has the people, a column `outcome`, the labels in `label` and the sums as hexadecimal floats in `m0`, `m1`,
 * ...; NAME.schema.json is there where the columns alone do not tell what the features are.  Of a pipeline that ends in
 * another kind of model only the labels are compared.
 */
#ifndef GOLDEN_TREES_H
#define GOLDEN_TREES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cells.h"
#include "csv_inside.h"
#include "json.h"
#include "model.h"
#include "trees.h"

static const char *golden_path(const char *folder, const char *name, const char *ending)
{
    static char path[2][1024];
    static int turn;

    turn = !turn;
    snprintf(path[turn], sizeof path[turn], "%s/%s%s", folder, name, ending);
    return path[turn];
}

/* Compare the sums of a block with the columns m0, m1, ... */
static void golden_compare_block(const tacit_model *m, const tct_binding *binding, const tacit_table *table, size_t b,
                                 const char *name)
{
    const tct_trees *t = tct_as_trees(m->classifier);
    const tct_block *block = &table->blocks[b];
    size_t d = m->codec->n_inputs, n = block->n_rows, first = tct_csv_find(table->csv, "m0");
    double *x = tct_malloc(n * d + 1, sizeof *x), *person = tct_malloc(d, sizeof *person), sums[TCT_MAX_CLASSES];
    uint32_t *cells = tct_malloc(t->n_attributes, sizeof *cells);
    tct_encode_counts counts = {0};

    assert_int_equal(tct_encode_block(binding, block, x, NULL, &counts, NULL), TACIT_OK);
    assert_int_equal(counts.clipped, 0);
    for (size_t r = 0; r < n; r++) {
        for (size_t i = 0; i < d; i++)
            person[i] = x[i * n + r];
        tct_trees_cells(t, person, cells);
        tct_trees_sums(t, cells, sums);
        for (size_t s = 0; s < t->base.n_scores; s++) {
            const tct_cell *cell = &block->cells[r * tct_csv_columns(table->csv) + first + s];
            char text[64];

            snprintf(text, sizeof text, "%.*s", (int)cell->size, block->bytes + cell->start);
            if (strtod(text, NULL) != sums[s])
                fail_msg("%s, row %zu, score %zu: %a, not %s", name, r + 1, s, sums[s], text);
        }
    }
    tct_free(x);
    tct_free(person);
    tct_free(cells);
}

/* The schema that lies beside a model, if one does. */
static tacit_schema *golden_schema(const char *folder, const char *name)
{
    const char *path = golden_path(folder, name, ".schema.json");
    tacit_schema *schema = NULL;
    tacit_error err = {0};

    if (access(path, R_OK) == 0 && tacit_schema_read(&schema, path, &err))
        fail_msg("%s", err.message);
    return schema;
}

/* Import one file; its rows. */
static size_t golden_compare(const char *folder, const char *name, const char *ending)
{
    const tacit_import_options options = {.label = "outcome", .predictions = "label", .threads = 1};
    tacit_schema *schema = golden_schema(folder, name);
    tacit_table *table = NULL;
    tacit_model *model = NULL;
    tct_binding *binding = NULL;
    tacit_error err = {0};
    size_t rows;

    if (tacit_table_read(&table, golden_path(folder, name, ".csv"), NULL, 1, &err) ||
        tacit_import(&model, golden_path(folder, name, ending), table, schema, &options, &err))
        fail_msg("%s: %s", name, err.message);
    assert_int_equal(tct_binding_new(&binding, model->codec, table->csv, false, NULL), TACIT_OK);
    assert_true(tct_as_trees(model->classifier) || strcmp(ending, ".onnx") == 0);
    for (size_t b = 0; b < table->n_blocks && tct_as_trees(model->classifier); b++)
        golden_compare_block(model, binding, table, b, name);
    rows = table->n_rows;
    tct_binding_free(binding);
    tacit_model_free(model);
    tacit_table_free(table);
    tacit_schema_free(schema);
    return rows;
}

/* All models that models.txt of the folder names, of which there must be some; a variable may name another folder. */
static void golden_trees_compare(const char *variable, const char *usual, const char *ending, size_t least)
{
    const char *folder = getenv(variable) ? getenv(variable) : usual;
    char *text = NULL, *at, *name;
    size_t size, rows = 0, models = 0;
    tacit_error err = {0};

    if (tct_file_read(&text, &size, golden_path(folder, "models", ".txt"), 1 << 20, &err))
        fail_msg("%s", err.message);
    for (at = text; (name = strsep(&at, "\n")) && *name; models++)
        rows += golden_compare(folder, name, ending);
    tct_free(text);
    print_message("%zu models, %zu rows: all labels and margins equal\n", models, rows);
    assert_true(models >= least);
}

#endif
