/*
 * test_train_trees.c -- boosted trees: splits against exhaustive search, cuts between values, and that the model is as
 * promised whatever the table is like.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <string.h>

#include <cmocka.h>

#include "boost.h"
#include "model_parts.h"
#include "scratch.h"

/* ---- one split ---- */

enum { PEOPLE = 60, COLUMNS = 3, NUMBER_CELLS = 6, LEVELS = 7 };

/* Two numbers, the second of which may be missing, and a category; random slopes. */
typedef struct few {
    tct_boost_column columns[COLUMNS];
    uint16_t cells[PEOPLE * COLUMNS];
    tct_slope slopes[PEOPLE];
    double score[PEOPLE];
    tct_grower grower;
} few;

static void make_few(few *f, uint64_t seed, double l2)
{
    static const uint32_t counts[COLUMNS] = {NUMBER_CELLS, NUMBER_CELLS + 1, LEVELS};
    tct_random random;

    tct_random_seed(&random, seed, 1);
    memset(f, 0, sizeof *f);
    f->grower = (tct_grower){.n = PEOPLE, .n_columns = COLUMNS, .depth = 2, .threads = 1, .l2 = l2, .rate = 1};
    for (size_t c = 0; c < COLUMNS; c++) {
        f->columns[c] = (tct_boost_column){f->grower.n_cells, counts[c], c == 2, c == 1};
        f->grower.n_cells += counts[c];
        for (size_t r = 0; r < PEOPLE; r++)
            f->cells[r * COLUMNS + c] = (uint16_t)tct_random_below(&random, counts[c]);
    }
    for (size_t r = 0; r < PEOPLE; r++)
        f->slopes[r] = (tct_slope){(int32_t)(0x1p30 * (2 * tct_random_uniform(&random) - 1)),
                                   (int32_t)(0x1p28 * tct_random_uniform(&random)) + 1};
    f->grower.columns = f->columns;
    f->grower.cells = f->cells;
    f->grower.slopes = f->slopes;
    f->grower.score = f->score;
    assert_int_equal(tct_grower_init(&f->grower, NULL), TACIT_OK);
}

static bool is_left(const few *f, size_t r, size_t column, uint32_t test, bool missing_left, uint64_t set)
{
    uint16_t cell = f->cells[r * COLUMNS + column];

    if (f->columns[column].levels)
        return set >> cell & 1;
    return column == 1 && cell == NUMBER_CELLS ? missing_left : cell < test;
}

/* The gain of a split, from the people themselves; 0 where a side is too light. */
static double gain_of(const few *f, size_t column, uint32_t test, bool missing_left, uint64_t set)
{
    double slope[2] = {0}, curve[2] = {0}, l2 = f->grower.l2;

    for (size_t r = 0; r < PEOPLE; r++) {
        bool left = is_left(f, r, column, test, missing_left, set);

        slope[left] += (double)f->slopes[r].slope / 0x1p30;
        curve[left] += (double)f->slopes[r].curve / 0x1p30;
    }
    if (curve[0] < 1 || curve[1] < 1)
        return 0;
    return slope[0] * slope[0] / (curve[0] + l2) + slope[1] * slope[1] / (curve[1] + l2) -
           (slope[0] + slope[1]) * (slope[0] + slope[1]) / (curve[0] + curve[1] + l2);
}

static double best_cut(const few *f, size_t column)
{
    double best = 0;

    for (uint32_t test = 1; test < NUMBER_CELLS; test++)
        for (int side = 0; side < 2; side++)
            best = fmax(best, gain_of(f, column, test, side, 0));
    return best;
}

static double best_set(const few *f)
{
    double best = 0;

    for (uint64_t set = 1; set + 1 < (uint64_t)1 << LEVELS; set++)
        best = fmax(best, gain_of(f, 2, 0, false, set));
    return best;
}

/* No cut is better than the one found; sets are found along one order, which is nearly as good as trying all of them. */
static void split__as_by_exhaustive_search(void **state)
{
    size_t numbers = 0, sets = 0, missing = 0;

    (void)state;
    for (uint64_t seed = 0; seed < 400; seed++) {
        uint32_t rows[PEOPLE];
        tct_slopes all = {0, 0};
        tct_split_rule rule;
        few f;

        make_few(&f, seed, seed % 3);
        for (size_t r = 0; r < PEOPLE; r++) {
            rows[r] = (uint32_t)r;
            all += (tct_slopes){f.slopes[r].slope, f.slopes[r].curve};
        }
        tct_grower_sums(&f.grower, rows, PEOPLE, f.grower.sums);
        tct_grower_split(&f.grower, f.grower.sums, all, &rule);
        assert_true(rule.column != TACIT_NONE);
        assert_true(fabs(rule.gain - gain_of(&f, rule.column, rule.test, rule.missing_left, rule.set[0])) < 1e-9);
        assert_true(rule.gain >= fmax(best_cut(&f, 0), best_cut(&f, 1)) - 1e-9);
        assert_true(rule.gain >= 0.8 * best_set(&f));
        assert_true(rule.gain <= fmax(best_set(&f), fmax(best_cut(&f, 0), best_cut(&f, 1))) + 1e-9);
        numbers += rule.column != 2;
        missing += rule.column == 1;
        sets += rule.column == 2;
        tct_grower_clear(&f.grower);
    }
    assert_true(numbers > 20 && sets > 20 && missing > 10);
}

/* ---- numbers of few digits ---- */

static void round_digits__shortest(void **state)
{
    (void)state;
    assert_true(tct_round_digits(0.123456789, 3) == 0.123);
    assert_true(tct_round_digits(-123456.7, 2) == -120000);
    assert_true(tct_round_digits(0, 3) == 0);
    assert_true(tct_round_digits(99.96, 3) == 100);
    assert_true(isfinite(tct_round_digits(1e-310, 3)) && isfinite(tct_round_digits(1.7e308, 1)));
}

/* ---- whole models ---- */

/* Numbers, integers with gaps, some missing, levels, a column that never varies. */
static void make_table(tacit_table **table, tacit_schema **schema, size_t n, size_t classes, double share)
{
    const tacit_infer_options how = {.label = "y", .test_share = share, .seed = 5};
    tct_text text = {0};
    tct_random random;
    tacit_error err = {0};

    tct_random_seed(&random, 1, classes);
    tct_text_printf(&text, "a,b,c,same,y\n");
    for (size_t r = 0; r < n; r++) {
        double a = tct_random_uniform(&random), b = floor(40 * tct_random_uniform(&random));
        uint64_t c = tct_random_below(&random, 5);
        double score = 3 * a + (b > 20 ? 1 : 0) + (c % 2 ? 1.5 : 0) + 0.3 * tct_random_normal(&random);
        size_t y = (size_t)fmax(0, fmin((double)classes - 1, floor(score / 6 * (double)classes + 0.1)));

        if (r % 17 == 3)
            tct_text_printf(&text, ",%g,%c,7,c%zu\n", 3 * b, "vwxyz"[c],
                            classes - 1); /* who says nothing is of the last */
        else
            tct_text_printf(&text, "%.7f,%g,%c,7,c%zu\n", a, 3 * b, "vwxyz"[c], y);
    }
    if (tacit_table_read(table, scratch_text(text.bytes), NULL, 1, &err) ||
        tacit_schema_infer(schema, *table, &how, &err))
        fail_msg("%s", err.message);
    tct_text_free(&text);
}

static tacit_model *fit(const tacit_table *table, const tacit_schema *schema, const tacit_fit_options *options)
{
    tacit_model *model = NULL;
    tacit_error err = {0};

    if (tacit_fit(&model, table, schema, options, &err))
        fail_msg("%s", err.message);
    return model;
}

static void fit_trees__learns_and_survives_its_file(void **state)
{
    (void)state;
    for (size_t classes = 2; classes <= 4; classes++) {
        const tacit_fit_options options = {.kind = "trees", .test_share = 0.3, .seed = 5, .trees = 30, .threads = 1};
        tacit_table *table;
        tacit_schema *schema;
        tacit_model *m, *back = NULL;
        char *text = NULL, *again = NULL, hash[65];
        size_t size, size_again;

        make_table(&table, &schema, 1500, classes, 0.3);
        m = fit(table, schema, &options);
        assert_string_equal(m->info.kind, "trees");
        assert_int_equal(m->info.trees, classes == 2 ? 30 : 30 * classes);
        assert_true(m->info.test_accuracy > 0.75);
        assert_int_equal(m->info.depth, 4);
        assert_true(m->info.rate == 0.1 && m->info.l2 == 1 && m->info.origin == TACIT_ORIGIN_TRAINED);
        assert_int_equal(tct_model_dump(&text, &size, hash, m, NULL), TACIT_OK);
        assert_int_equal(tct_model_parse(&back, text, size, "m", NULL), TACIT_OK);
        assert_int_equal(back->info.depth, 4);
        assert_true(back->info.rate == 0.1);
        assert_int_equal(tct_model_dump(&again, &size_again, hash, back, NULL), TACIT_OK);
        assert_int_equal(size, size_again);
        assert_memory_equal(text, again, size);
        tct_free(text);
        tct_free(again);
        tacit_model_free(back);
        tacit_model_free(m);
        tacit_schema_free(schema);
        tacit_table_free(table);
    }
}

/* People encoded anew are as the model, whose cells became fewer, saw them when it was measured. */
static void fit_trees__accuracy_is_that_of_people_encoded_anew(void **state)
{
    const tacit_fit_options options = {
        .kind = "trees", .test_share = 0.3, .seed = 5, .trees = 5, .depth = 2, .threads = 1};
    tct_encoded *people = NULL;
    tacit_table *table;
    tacit_schema *schema;
    tacit_model *m;
    size_t right = 0;

    (void)state;
    make_table(&table, &schema, 1500, 2, 0.3);
    m = fit(table, schema, &options);
    assert_int_equal(tct_encoded_new(&people, table, m->codec, 0.3, 5, 1, NULL), TACIT_OK);
    for (size_t r = 0; r < people->test.n; r++) {
        double x[TCT_MAX_INPUTS], score;

        tct_encoded_point(people, &people->test, r, x);
        m->classifier->ops->scores(m->classifier, x, 1, &score);
        right += tct_label(&score, 1) == (size_t)people->test.labels[r];
    }
    assert_true(m->info.test_accuracy == (double)right / (double)people->test.n);
    tct_encoded_free(people);
    tacit_model_free(m);
    tacit_schema_free(schema);
    tacit_table_free(table);
}

/* Every cut is asked for by some tree, nobody's value (numbers), and a column that never varies has none. */
static void fit_trees__cuts_tell_nobodys_value(void **state)
{
    const tacit_fit_options options = {.kind = "trees", .seed = 5, .threads = 1};
    tct_encoded *people = NULL;
    const tct_trees *t;
    tacit_table *table;
    tacit_schema *schema;
    tacit_model *m;

    (void)state;
    make_table(&table, &schema, 1500, 2, 0);
    m = fit(table, schema, &options);
    t = tct_as_trees(m->classifier);
    assert_non_null(t);
    assert_true(t->attributes[0].n_cuts > 5 && t->attributes[0].missing && !t->attributes[1].missing);
    for (size_t k = 0; k < t->attributes[0].n_cuts; k++) {
        bool used = false;

        assert_true(tct_round_digits(t->attributes[0].cuts[k], 6) == t->attributes[0].cuts[k]); /* values have 7 */
        for (size_t i = 0; i < t->n_nodes; i++)
            used = used || (t->nodes[i].attribute == 0 && t->nodes[i].test == k + 1);
        assert_true(used);
    }
    for (size_t k = 0; k < t->attributes[1].n_cuts; k++)
        assert_true(fmod(t->attributes[1].cuts[k], 3) != 0); /* values are multiples of 3 */
    assert_int_equal(t->attributes[3].levels ? 0 : t->attributes[3].n_cuts, 0);
    tct_encoded_free(people);
    tacit_model_free(m);
    tacit_schema_free(schema);
    tacit_table_free(table);
}

static void fit_trees__same_bytes_on_any_number_of_threads(void **state)
{
    char first[65] = "";
    tacit_table *table;
    tacit_schema *schema;

    (void)state;
    make_table(&table, &schema, 40000, 3, 0.3); /* enough that threads are worth while */
    for (size_t threads = 1; threads <= 4; threads++) {
        const tacit_fit_options options = {
            .kind = "trees", .test_share = 0.3, .seed = 5, .trees = 4, .threads = threads};
        tacit_model *m = fit(table, schema, &options);

        if (threads == 1)
            memcpy(first, m->info.model_hash, sizeof first);
        assert_string_equal(m->info.model_hash, first);
        tacit_model_free(m);
    }
    tacit_schema_free(schema);
    tacit_table_free(table);
}

/* Mean log loss of the training part. */
static double loss_of(const tacit_model *m, const tacit_table *table)
{
    size_t n_scores = m->classifier->n_scores;
    tct_encoded *people = NULL;
    double loss = 0;

    assert_int_equal(tct_encoded_new(&people, table, m->codec, 0, 5, 1, NULL), TACIT_OK);
    for (size_t r = 0; r < people->train.n; r++) {
        double x[TCT_MAX_INPUTS], scores[TCT_MAX_CLASSES];

        tct_encoded_point(people, &people->train, r, x);
        m->classifier->ops->scores(m->classifier, x, 1, scores);
        loss += tct_log_losses(people->train.labels + r, 1, n_scores, scores, 1);
    }
    loss /= (double)people->train.n;
    tct_encoded_free(people);
    return loss;
}

static void fit_trees__loss_goes_down_with_every_tree(void **state)
{
    (void)state;
    for (size_t classes = 2; classes <= 3; classes++) {
        tacit_table *table;
        tacit_schema *schema;
        double before = INFINITY;

        make_table(&table, &schema, 1000, classes, 0);
        for (size_t trees = 1; trees <= 64; trees *= 2) {
            const tacit_fit_options options = {.kind = "trees", .seed = 5, .trees = trees, .depth = 3, .threads = 1};
            tacit_model *m = fit(table, schema, &options);
            double loss = loss_of(m, table);

            assert_true(loss < before);
            before = loss;
            tacit_model_free(m);
        }
        tacit_schema_free(schema);
        tacit_table_free(table);
    }
}

static bool refuse(void *context, uint64_t done, uint64_t total)
{
    (void)context, (void)total;
    return done < 3;
}

static void expect(const tacit_fit_options *options, size_t classes, tacit_status status, const char *what)
{
    tacit_table *table;
    tacit_schema *schema;
    tacit_model *m = NULL;
    tacit_error err = {0};

    make_table(&table, &schema, 200, classes, 0);
    assert_int_equal(tacit_fit(&m, table, schema, options, &err), status);
    assert_null(m);
    assert_non_null(strstr(err.message, what));
    tacit_schema_free(schema);
    tacit_table_free(table);
}

static void fit_trees__refusals(void **state)
{
    (void)state;
    expect(&(tacit_fit_options){.kind = "trees", .depth = 17}, 2, TACIT_E_USAGE, "depth");
    expect(&(tacit_fit_options){.kind = "trees", .rate = 1.5}, 2, TACIT_E_USAGE, "rate");
    expect(&(tacit_fit_options){.kind = "trees", .rate = -1}, 2, TACIT_E_USAGE, "rate");
    expect(&(tacit_fit_options){.kind = "trees", .rate = NAN}, 2, TACIT_E_USAGE, "rate");
    expect(&(tacit_fit_options){.kind = "trees", .l2 = -1}, 2, TACIT_E_USAGE, "l2");
    expect(&(tacit_fit_options){.kind = "trees", .threshold = 0.3}, 3, TACIT_E_USAGE, "two classes");
    expect(&(tacit_fit_options){.kind = "trees", .progress = refuse}, 2, TACIT_E_STOPPED, "stopped");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(split__as_by_exhaustive_search),
        cmocka_unit_test(round_digits__shortest),
        cmocka_unit_test(fit_trees__learns_and_survives_its_file),
        cmocka_unit_test(fit_trees__accuracy_is_that_of_people_encoded_anew),
        cmocka_unit_test(fit_trees__cuts_tell_nobodys_value),
        cmocka_unit_test(fit_trees__same_bytes_on_any_number_of_threads),
        cmocka_unit_test(fit_trees__loss_goes_down_with_every_tree),
        cmocka_unit_test(fit_trees__refusals),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
