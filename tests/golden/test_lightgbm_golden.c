/*
 * test_lightgbm_golden.c -- text models of LightGBM, imported: everybody has the label and, to the bit, the sums that
 * make_lightgbm.py worked out.  TACIT_LIGHTGBM_FOLDER names another folder of such models.
 *
 * TACIT_FOREIGN_FOLDER names a folder with files that LightGBM itself wrote, and its predictions: lg_breast_cancer.txt,
 * lg_dart_breast_cancer.model, lgmulticlass.model and lg_toy_categorical.txt, test data of other projects.  They are not
 * part of this one; without them that comparison is left out.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>

#include <cmocka.h>

#include "golden_trees.h"
#include "scratch.h"

static void lightgbm_golden__text(void **state)
{
    (void)state;
    golden_trees_compare("TACIT_LIGHTGBM_FOLDER", TEST_DATA_DIR "/lightgbm", ".txt", 12);
}

/* ---- files of LightGBM itself ---- */

enum { MOST = 64 };

static const char *foreign(const char *name)
{
    return golden_path(getenv("TACIT_FOREIGN_FOLDER"), name, "");
}

static bool is_foreign_there(void)
{
    if (getenv("TACIT_FOREIGN_FOLDER"))
        return true;
    print_message("TACIT_FOREIGN_FOLDER is not set: files of LightGBM itself are not compared with\n");
    skip();
    return false;
}

static void foreign_text(char **out, const char *name)
{
    size_t size;

    assert_int_equal(tct_file_read(out, &size, foreign(name), 1 << 24, NULL), TACIT_OK);
}

/* The numbers of a line; "3:1.5" is 1.5. */
static size_t line_numbers(char *line, double *out)
{
    size_t n = 0;
    char *word;

    while ((word = strsep(&line, " \t"))) {
        char *colon = strchr(word, ':');

        assert_true(n < MOST);
        if (*word)
            out[n++] = strtod(colon ? colon + 1 : word, NULL);
    }
    return n;
}

/* Rows of a file of numbers, less the first `skip` of each, as a table with columns c0, c1, ... and an outcome. */
static tacit_table *foreign_people(const char *name, size_t skip, size_t classes)
{
    char *text = NULL, *at, *line;
    tct_text csv = {0};
    tacit_table *table = NULL;
    tacit_error err = {0};
    size_t row = 0;

    foreign_text(&text, name);
    at = text;
    while ((line = strsep(&at, "\n")) && *line) {
        double v[MOST];
        size_t n = line_numbers(line, v);

        for (size_t i = skip; i < n && row == 0; i++)
            tct_text_printf(&csv, "c%zu,", i - skip);
        tct_text_printf(&csv, "%s", row == 0 ? "outcome\n" : "");
        for (size_t i = skip; i < n; i++)
            tct_text_printf(&csv, "%.17g,", v[i]);
        tct_text_printf(&csv, "%zu\n", row++ % classes);
    }
    if (tacit_table_read(&table, scratch_bytes(csv.bytes, csv.size), NULL, 1, &err))
        fail_msg("%s", err.message);
    tct_text_free(&csv);
    tct_free(text);
    return table;
}

/* Import the bytes of a file and work out everybody's sums, n_scores each; *model is there to be freed. */
static double *foreign_sums(tacit_model **model, const char *text, const tacit_table *table, const tacit_schema *schema)
{
    const tacit_import_options options = {.label = schema ? NULL : "outcome", .threads = 1};
    tct_binding *binding = NULL;
    tacit_error err = {0};
    const tct_trees *t;
    double *sums, *x, *person;
    uint32_t *cells;
    size_t d, n = table->blocks[0].n_rows;
    tct_encode_counts counts = {0};

    if (tacit_import_parse(model, text, strlen(text), table, schema, &options, &err))
        fail_msg("%s", err.message);
    t = tct_as_trees((*model)->classifier);
    d = (*model)->codec->n_inputs;
    assert_int_equal(table->n_blocks, 1);
    x = tct_malloc(n * d, sizeof *x);
    person = tct_malloc(d, sizeof *person);
    cells = tct_malloc(t->n_attributes, sizeof *cells);
    sums = tct_malloc(n * t->base.n_scores, sizeof *sums);
    assert_int_equal(tct_binding_new(&binding, (*model)->codec, table->csv, false, NULL), TACIT_OK);
    assert_int_equal(tct_encode_block(binding, &table->blocks[0], x, NULL, &counts, NULL), TACIT_OK);
    for (size_t r = 0; r < n; r++) {
        for (size_t i = 0; i < d; i++)
            person[i] = x[i * n + r];
        tct_trees_cells(t, person, cells);
        tct_trees_sums(t, cells, sums + r * t->base.n_scores);
    }
    tct_binding_free(binding);
    tct_free(x);
    tct_free(person);
    tct_free(cells);
    return sums;
}

/* Raw scores of five classes, 500 people. */
static void lightgbm_golden__foreign_classes(void **state)
{
    tacit_table *table;
    tacit_model *model = NULL;
    char *text = NULL, *said = NULL, *at, *line;
    double *sums, v[MOST];
    size_t row = 0;

    (void)state;
    if (!is_foreign_there())
        return;
    table = foreign_people("multiclass_test.tsv", 1, 5);
    foreign_text(&text, "lgmulticlass.model");
    sums = foreign_sums(&model, text, table, NULL);
    foreign_text(&said, "lgmulticlass_true_raw_predictions.txt");
    at = said;
    for (; (line = strsep(&at, "\n")) && *line; row++) {
        assert_int_equal(line_numbers(line, v), 5);
        for (size_t c = 0; c < 5; c++)
            assert_true(sums[5 * row + c] == v[c]);
        assert_int_equal(tct_label(sums + 5 * row, 5), tct_label(v, 5));
    }
    assert_int_equal(row, 500);
    print_message("500 people, 5 raw scores each: equal to the bit\n");
    tct_free(sums);
    tct_free(text);
    tct_free(said);
    tacit_model_free(model);
    tacit_table_free(table);
}

/* Probabilities of a DART model. */
static void lightgbm_golden__foreign_dart(void **state)
{
    tacit_table *table;
    tacit_model *model = NULL;
    char *text = NULL, *said = NULL, *at, *line;
    double *sums;
    size_t row = 0;

    (void)state;
    if (!is_foreign_there())
        return;
    table = foreign_people("breast_cancer_test.tsv", 0, 2);
    foreign_text(&text, "lg_dart_breast_cancer.model");
    sums = foreign_sums(&model, text, table, NULL);
    foreign_text(&said, "lg_dart_breast_cancer_true_predictions.txt");
    at = said;
    for (; (line = strsep(&at, "\n")) && *line; row++) {
        double p = strtod(line, NULL);

        assert_true(1 / (1 + exp(-sums[row])) == p);
        assert_true((sums[row] >= tct_as_trees(model->classifier)->cut) == (p > 0.5));
    }
    assert_int_equal(row, 57);
    print_message("57 people, probabilities: equal to the bit\n");
    tct_free(sums);
    tct_free(text);
    tct_free(said);
    tacit_model_free(model);
    tacit_table_free(table);
}

/* The leaf of everybody in every tree: the sum is that of their values. */
static void lightgbm_golden__foreign_leaves(void **state)
{
    tacit_table *table;
    tacit_model *model = NULL;
    char *text = NULL, *said = NULL, *at, *line;
    double *sums, v[MOST], *values[MOST];
    size_t row = 0, trees = 0;

    (void)state;
    if (!is_foreign_there())
        return;
    table = foreign_people("lg_breast_cancer_data.txt", 0, 2);
    foreign_text(&text, "lg_breast_cancer.txt");
    sums = foreign_sums(&model, text, table, NULL);
    for (at = text; (line = strsep(&at, "\n"));)
        if (strncmp(line, "leaf_value=", 11) == 0) {
            values[trees] = tct_malloc(MOST, sizeof **values);
            line_numbers(line + 11, values[trees++]);
        }
    foreign_text(&said, "lg_breast_cancer_data_pred_leaves.txt");
    at = said;
    for (; (line = strsep(&at, "\n")) && *line; row++) {
        double sum = 0;

        assert_int_equal(line_numbers(line, v), trees);
        for (size_t k = 0; k < trees; k++)
            sum += values[k][(size_t)v[k]];
        assert_true(sums[row] == sum);
    }
    assert_int_equal(row, 57);
    print_message("57 people, leaves of %zu trees: sums equal to the bit\n", trees);
    for (size_t k = 0; k < trees; k++)
        tct_free(values[k]);
    tct_free(sums);
    tct_free(text);
    tct_free(said);
    tacit_model_free(model);
    tacit_table_free(table);
}

/* Categories as bit sets.  The model is a regression, which is refused; called a binary one, its sums can be seen. */
static void lightgbm_golden__foreign_sets(void **state)
{
    static const char SCHEMA[] =
        "{\"format\": \"tacit-schema\", \"version\": 1, \"label\": {\"name\": \"outcome\", \"classes\": [\"0\", "
        "\"1\"]}, "
        "\"attributes\": [{\"name\": \"c0\", \"type\": \"category\", \"levels\": [\"0\", \"1\", \"2\"]}, "
        "{\"name\": \"c1\", \"type\": \"category\", \"levels\": [\"0\", \"1\", \"2\", \"3\", \"4\"]}]}";
    static const char BINARY[] = "=binary    ";
    tacit_schema *schema = NULL;
    tacit_table *table;
    tacit_model *model = NULL;
    tacit_error err = {0};
    char *text = NULL, *said = NULL, *at, *line;
    double *sums;
    size_t row = 0, from;

    (void)state;
    if (!is_foreign_there())
        return;
    if (tacit_schema_parse(&schema, SCHEMA, strlen(SCHEMA), &err))
        fail_msg("%s", err.message);
    table = foreign_people("lg_toy_categorical.test", 1, 2);
    foreign_text(&text, "lg_toy_categorical.txt");
    assert_int_equal(tacit_import_parse(&model, text, strlen(text), table, schema, NULL, &err), TACIT_E_INPUT);
    assert_non_null(strstr(err.message, "the objective regression gives no label"));
    from = (size_t)(strstr(text, "=regression") - text);
    for (size_t i = 0; i < strlen(BINARY); i++)
        text[from + i] = BINARY[i];
    sums = foreign_sums(&model, text, table, schema);
    foreign_text(&said, "lg_toy_categorical.test.pred");
    at = said;
    for (; (line = strsep(&at, "\n")) && *line; row++)
        assert_true(sums[row] == strtod(line, NULL));
    assert_int_equal(row, 180);
    print_message("180 people, scores by sets of categories: equal to the bit\n");
    tct_free(sums);
    tct_free(text);
    tct_free(said);
    tacit_model_free(model);
    tacit_table_free(table);
    tacit_schema_free(schema);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lightgbm_golden__text),         cmocka_unit_test(lightgbm_golden__foreign_classes),
        cmocka_unit_test(lightgbm_golden__foreign_dart), cmocka_unit_test(lightgbm_golden__foreign_leaves),
        cmocka_unit_test(lightgbm_golden__foreign_sets),
    };

    return cmocka_run_group_tests_name("lightgbm_golden", tests, NULL, NULL);
}
