/*
 * test_xgboost_golden.c -- models of XGBoost, imported: everybody has the label and, to the bit, the margins that XGBoost
 * gives them (make_xgboost.py).  TACIT_XGBOOST_FOLDER names another folder of such models.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "csv_inside.h"
#include "model.h"
#include "trees.h"

static const char *folder(void)
{
    const char *other = getenv("TACIT_XGBOOST_FOLDER");

    return other ? other : TEST_DATA_DIR "/xgboost";
}

static const char *path_of(const char *name, const char *ending)
{
    static char path[2][1024];
    static int turn;

    turn = !turn;
    snprintf(path[turn], sizeof path[turn], "%s/%s%s", folder(), name, ending);
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

    assert_non_null(t);
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

/* Import one file; its rows. */
static size_t compare(const char *name, const char *ending)
{
    const tacit_import_options options = {.label = "outcome", .predictions = "label", .threads = 1};
    tacit_table *table = NULL;
    tacit_model *model = NULL;
    tct_binding *binding = NULL;
    tacit_error err = {0};
    size_t rows;

    if (tacit_table_read(&table, path_of(name, ".csv"), NULL, 1, &err) ||
        tacit_import(&model, path_of(name, ending), table, NULL, &options, &err))
        fail_msg("%s", err.message);
    assert_int_equal(tct_binding_new(&binding, model->codec, table->csv, false, NULL), TACIT_OK);
    for (size_t b = 0; b < table->n_blocks; b++)
        compare_block(model, binding, table, b, name);
    rows = table->n_rows;
    tct_binding_free(binding);
    tacit_model_free(model);
    tacit_table_free(table);
    return rows;
}

static void compare_all(const char *ending)
{
    char *text = NULL, *at, *name;
    size_t size, rows = 0, models = 0;
    tacit_error err = {0};

    if (tct_file_read(&text, &size, path_of("models", ".txt"), 1 << 20, &err))
        fail_msg("%s", err.message);
    for (at = text; (name = strsep(&at, "\n")) && *name; models++)
        rows += compare(name, ending);
    tct_free(text);
    print_message("%zu models, %zu rows: all labels and margins equal\n", models, rows);
    assert_true(models >= 12);
}

static void xgboost_golden__json(void **state)
{
    (void)state;
    compare_all(".json");
}

static void xgboost_golden__ubjson(void **state)
{
    (void)state;
    compare_all(".ubj");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(xgboost_golden__json),
        cmocka_unit_test(xgboost_golden__ubjson),
    };

    return cmocka_run_group_tests_name("xgboost_golden", tests, NULL, NULL);
}
