/*
 * test_onnx_trees_golden.c -- ensembles and pipelines from ONNX files, imported: everybody has the label and, to the bit,
 * the sums that the operators give them (make_onnx_trees.py).  TACIT_ONNX_TREES_FOLDER names another folder of such models.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "csv_inside.h"
#include "model.h"
#include "trees.h"

static const char *path_of(const char *name, const char *ending)
{
    static char path[3][1024];
    static int turn;
    const char *other = getenv("TACIT_ONNX_TREES_FOLDER");

    turn = (turn + 1) % 3;
    snprintf(path[turn], sizeof path[turn], "%s/%s%s", other ? other : TEST_DATA_DIR "/onnx_trees", name, ending);
    return path[turn];
}

/* Compare the sums of a block with the columns m0, m1, ... */
static void compare_block(const tacit_model *m, const tct_binding *binding, const tacit_table *table, size_t b,
                          const char *name)
{
    const tct_trees *t = tct_as_trees(m->classifier);
    const tct_block *block = &table->blocks[b];
    size_t d = m->codec->n_inputs, n = block->n_rows, first = tct_csv_find(table->csv, "m0");
    double *x = tct_malloc(n * d + 1, sizeof *x), *person = tct_malloc(d, sizeof *person), sums[TCT_MAX_CLASSES];
    uint32_t *cells = tct_malloc(t->n_attributes, sizeof *cells);
    tct_encode_counts counts = {0};

    assert_int_equal(tct_encode_block(binding, block, x, NULL, &counts, NULL), TACIT_OK);
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

/* Import one file, with its schema if it has one; its rows. */
static size_t compare(const char *name)
{
    const tacit_import_options options = {.label = "outcome", .predictions = "label", .threads = 1};
    tacit_schema *schema = NULL;
    tacit_table *table = NULL;
    tacit_model *model = NULL;
    tct_binding *binding = NULL;
    tacit_error err = {0};
    size_t rows;

    if (access(path_of(name, ".json"), R_OK) == 0 && tacit_schema_read(&schema, path_of(name, ".json"), &err))
        fail_msg("%s: %s", name, err.message);
    if (tacit_table_read(&table, path_of(name, ".csv"), NULL, 1, &err) ||
        tacit_import(&model, path_of(name, ".onnx"), table, schema, &options, &err))
        fail_msg("%s: %s", name, err.message);
    assert_int_equal(tct_binding_new(&binding, model->codec, table->csv, false, NULL), TACIT_OK);
    for (size_t b = 0; b < table->n_blocks && tct_as_trees(model->classifier); b++)
        compare_block(model, binding, table, b, name);
    rows = table->n_rows;
    tct_binding_free(binding);
    tacit_model_free(model);
    tacit_table_free(table);
    tacit_schema_free(schema);
    return rows;
}

static void onnx_trees_golden__labels_and_sums(void **state)
{
    char *text = NULL, *at, *name;
    size_t size, rows = 0, models = 0;
    tacit_error err = {0};

    (void)state;
    if (tct_file_read(&text, &size, path_of("models", ".txt"), 1 << 20, &err))
        fail_msg("%s", err.message);
    for (at = text; (name = strsep(&at, "\n")) && *name; models++)
        rows += compare(name);
    tct_free(text);
    print_message("%zu models, %zu rows: all labels and sums equal\n", models, rows);
    assert_true(models >= 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(onnx_trees_golden__labels_and_sums),
    };

    return cmocka_run_group_tests_name("onnx_trees_golden", tests, NULL, NULL);
}
