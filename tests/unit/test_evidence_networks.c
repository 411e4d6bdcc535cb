/*
 * test_evidence_networks.c -- a network trained with nothing said about how is good for something; the paper's way of
 * training gives what it always gave; neither depends on the number of threads.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "descent.h"
#include "exact_domains.h"
#include "model_parts.h"
#include "scale.h"
#include "scratch.h"
#include "simd.h"

/* ---- made-up people ---- */

/* Writes one row: attributes and label. */
typedef void make_row(tct_text *text, tct_random *random, size_t r);

/* Loans: who pays back depends on income and debts, with noise; a third does not. */
static void loan_row(tct_text *text, tct_random *random, size_t r)
{
    double income = 1000 + 200 * floor(40 * tct_random_uniform(random) * tct_random_uniform(random));
    double debts = floor(50000 * pow(tct_random_uniform(random), 4)), age = floor(18 + 60 * tct_random_uniform(random));
    double score = income / 1500 - debts / 8000 + age / 60 - 1.2 + 0.8 * tct_random_normal(random);

    (void)r;
    tct_text_printf(text, "%.0f,%.0f,%.0f,%s,%s\n", income, debts, age,
                    tct_random_uniform(random) < 0.5 ? "north" : "south", score > 0 ? "yes" : "no");
}

/* Neither attribute says anything by itself. */
static void xor_row(tct_text *text, tct_random *random, size_t r)
{
    double a = tct_random_uniform(random), b = tct_random_uniform(random);

    (void)r;
    tct_text_printf(text, "%.4f,%.4f,1,x,%s\n", a, b, (a > 0.5) == (b > 0.5) ? "same" : "other");
}

/* Three classes by the sum, which has gaps between them. */
static void three_row(tct_text *text, tct_random *random, size_t r)
{
    static const char *const names[] = {"low", "middle", "high"};
    double a = floor(100 * tct_random_uniform(random)), b = (double)(r % 3) * 130 + 20 - a;

    tct_text_printf(text, "%.0f,%.0f,%zu,%c,%s\n", a, b, r % 7, "pqr"[r % 2], names[r % 3]);
}

static void make(tacit_table **table, tacit_schema **schema, make_row *row, size_t rows)
{
    const tacit_infer_options how = {.label = "y", .test_share = 0.3, .seed = 5};
    tct_text text = {0};
    tct_random random;
    tacit_error err = {0};

    tct_random_seed(&random, 7, 7);
    tct_text_printf(&text, "a,b,c,d,y\n");
    for (size_t r = 0; r < rows; r++)
        row(&text, &random, r);
    if (tacit_table_read(table, scratch_text(text.bytes), NULL, 1, &err) ||
        tacit_schema_infer(schema, *table, &how, &err))
        fail_msg("%s", err.message);
    tct_text_free(&text);
}

static tacit_model *fit(const tacit_table *table, const tacit_schema *schema, tacit_fit_options options)
{
    tacit_model *model = NULL;
    tacit_error err = {0};

    options.kind = "mlp";
    options.test_share = 0.3;
    options.seed = 5;
    if (tacit_fit(&model, table, schema, &options, &err))
        fail_msg("%s", err.message);
    return model;
}

/* How many of the rows held out there are of each class, and how many are given each class. */
static void count_labels(const tacit_model *model, const tacit_table *table, size_t *is, size_t *given)
{
    size_t n_scores = model->classifier->n_scores;
    tct_encoded *people = NULL;
    double *point, scores[8];

    assert_int_equal(tct_encoded_new(&people, table, model->codec, 0.3, 5, 1, NULL), TACIT_OK);
    point = test_malloc(people->d * sizeof(double));
    for (size_t r = 0; r < people->test.n; r++) {
        for (size_t i = 0; i < people->d; i++)
            point[i] = people->test.x[i * people->test.n + r];
        model->classifier->ops->scores(model->classifier, point, 1, scores);
        is[people->test.labels[r]]++;
        given[tct_label(scores, n_scores)]++;
    }
    test_free(point);
    tct_encoded_free(people);
}

/* Trained with nothing said: every class is given to somebody, and more rows are right than the commonest class has.
 * Returns the accuracy. */
static double check_useful(make_row *row, size_t rows, size_t n_classes)
{
    size_t is[8] = {0}, given[8] = {0}, most = 0, total = 0;
    tacit_table *table;
    tacit_schema *schema;
    tacit_model *model;
    double accuracy;

    make(&table, &schema, row, rows);
    model = fit(table, schema, (tacit_fit_options){0});
    count_labels(model, table, is, given);
    for (size_t c = 0; c < n_classes; c++) {
        assert_true(given[c] > 0);
        most = is[c] > most ? is[c] : most;
        total += is[c];
    }
    accuracy = model->info.test_accuracy;
    assert_true(accuracy > (double)most / (double)total);
    tacit_model_free(model);
    tacit_schema_free(schema);
    tacit_table_free(table);
    return accuracy;
}

static void networks__nothing_said_is_good_for_something(void **state)
{
    (void)state;
    if (scaled(10) == 10) { /* a minute under sanitizers */
        assert_true(check_useful(loan_row, 1000, 2) > 0.75);
        assert_true(check_useful(xor_row, 1000, 2) > 0.9);
        assert_true(check_useful(three_row, 1000, 3) > 0.97);
    }
    check_useful(loan_row, 200, 2);
    check_useful(three_row, 90, 3);
}

/* So few that nothing can be left out, and the smallest table with something to leave out. */
static void networks__tiny_tables_are_trained_on(void **state)
{
    static const size_t rows[] = {18, 24, 30, 40};

    (void)state;
    for (size_t k = 0; k < sizeof(rows) / sizeof(*rows); k++) {
        tacit_table *table;
        tacit_schema *schema;
        tacit_model *model;
        make(&table, &schema, three_row, rows[k]);
        model = fit(table, schema, (tacit_fit_options){0});
        assert_true(isfinite(model->info.loss) && model->info.l2 > 0);
        tacit_model_free(model);
        tacit_schema_free(schema);
        tacit_table_free(table);
    }
}

/* ---- what the model says about its training ---- */

static void networks__settings_are_told(void **state)
{
    tacit_table *table;
    tacit_schema *schema;
    tacit_model *model, *back = NULL;
    char *text = NULL, hash[65];
    size_t size = 0;

    (void)state;
    make(&table, &schema, loan_row, 300);
    model = fit(table, schema, (tacit_fit_options){.epochs = 7});
    assert_int_equal(tct_model_dump(&text, &size, hash, model, NULL), TACIT_OK);
    assert_int_equal(tct_model_parse(&back, text, size, "m", NULL), TACIT_OK);
    assert_true(back->info.cosine && back->info.standardised && back->info.l2_chosen && back->info.adam);
    assert_true(back->info.rate == 0.01 && back->info.batch == 32 && back->info.epochs == 7);
    assert_true(back->info.l2 == model->info.l2 && back->info.l2 >= 0.5);
    tct_free(text);
    tacit_model_free(back);
    tacit_model_free(model);
    model = fit(table, schema, (tacit_fit_options){.epochs = 7, .l2 = 4, .momentum = 0.5});
    assert_true(model->info.l2 == 4 && !model->info.l2_chosen && !model->info.adam && model->info.momentum == 0.5);
    tacit_model_free(model);
    model = fit(table, schema, (tacit_fit_options){.epochs = 7, .paper = true});
    assert_true(!model->info.cosine && !model->info.standardised && !model->info.l2_chosen && !model->info.adam);
    assert_true(model->info.l2 == 0 && model->info.rate == 0.001 && model->info.batch == 32);
    tacit_model_free(model);
    tacit_schema_free(schema);
    tacit_table_free(table);
}

/* ---- the paper's settings ---- */

/* Sum of all weights and biases, each times its number, layer by layer. */
static void digest(const tct_mlp *mlp, double *sums)
{
    for (size_t l = 0; l < mlp->n_layers; l++) {
        size_t count = mlp->sizes[l] * mlp->sizes[l + 1];
        sums[l] = 0;
        for (size_t i = 0; i < count; i++)
            sums[l] += (double)(i + 1) * mlp->weights[l][i];
        for (size_t j = 0; j < mlp->sizes[l + 1]; j++)
            sums[l] += (double)(count + j + 1) * mlp->bias[l][j];
    }
}

/* Numbers from the program as it was when these were its only settings.  What a machine's exp gives may differ in the
 * last bit, so they are not compared as bits. */
static void networks__paper_gives_what_it_always_gave(void **state)
{
    static const double golden[3] = {-83.25759060482467, -88.77862083540631, -2.644807291664307};
    tacit_table *table;
    tacit_schema *schema;
    tacit_model *model;
    double sums[3];

    (void)state;
    make(&table, &schema, loan_row, 300);
    set_exact_domains(schema, table, 5, 0.3); /* as they were found out then */
    model = fit(table, schema, (tacit_fit_options){.paper = true});
    digest(tct_as_mlp(model->classifier), sums);
    for (size_t l = 0; l < 3; l++) {
        if (!(fabs(sums[l] - golden[l]) < 1e-9))
            fail_msg("layer %zu: %.17g, expected %.17g", l, sums[l], golden[l]);
    }
    assert_int_equal(model->info.epochs_run, 300);
    tacit_model_free(model);
    tacit_schema_free(schema);
    tacit_table_free(table);
}

/* ---- the same bytes ---- */

static void networks__same_bytes_on_any_number_of_threads(void **state)
{
    static make_row *const rows[] = {loan_row, three_row};

    (void)state;
    for (size_t k = 0; k < 2; k++) {
        tacit_table *table;
        tacit_schema *schema;
        char first[65] = "";
        make(&table, &schema, rows[k], 250);
        for (size_t threads = 1; threads <= 5; threads += 2) {
            tacit_model *model = fit(table, schema, (tacit_fit_options){.threads = threads, .epochs = 40});
            if (threads == 1)
                memcpy(first, model->model_hash, sizeof(first));
            assert_string_equal(model->model_hash, first);
            tacit_model_free(model);
        }
        tacit_schema_free(schema);
        tacit_table_free(table);
    }
}

static void networks__all_loops_give_the_same_bits(void **state)
{
    enum { N_IN = 7, N_OUT = 5, LANES = 24, N = N_IN * N_OUT };
    const tct_descent_loops *loops[2];
    double w[N], bias[N_OUT], in[N_IN * LANES], delta[N_OUT * LANES], g[N];
    double out[2][N_IN * LANES], gradient[2][N], sums[2][N_OUT], moved[2][3][N];
    tct_random random;

    (void)state;
    tct_simd_limit(TCT_SIMD_PLAIN);
    loops[0] = tct_descent_best();
    tct_simd_limit(TCT_SIMD_LEVELS);
    loops[1] = tct_descent_best();
    tct_random_seed(&random, 3, 3);
    for (size_t i = 0; i < N; i++) {
        w[i] = tct_random_normal(&random);
        g[i] = tct_random_normal(&random);
    }
    for (size_t i = 0; i < N_OUT; i++)
        bias[i] = tct_random_normal(&random);
    for (size_t i = 0; i < N_IN * LANES; i++)
        in[i] = tct_random_normal(&random);
    for (size_t i = 0; i < N_OUT * LANES; i++)
        delta[i] = tct_random_normal(&random);
    for (size_t k = 0; k < 2; k++) {
        loops[k]->combine(w, N_IN, 1, bias, N_IN, N_OUT, in, out[k], LANES);
        loops[k]->outer(delta, in, N_IN, N_OUT, LANES, gradient[k], sums[k]);
        memcpy(moved[k][0], w, sizeof(w));
        memset(moved[k][1], 0, 2 * sizeof(w));
        for (uint64_t step = 1; step <= 3; step++)
            loops[k]->adam(moved[k][0], moved[k][1], moved[k][2], g, N, 0.01, step);
    }
    assert_memory_equal(out[0], out[1], N_OUT * LANES * sizeof(double));
    assert_memory_equal(gradient[0], gradient[1], sizeof(gradient[0]));
    assert_memory_equal(sums[0], sums[1], sizeof(sums[0]));
    assert_memory_equal(moved[0], moved[1], sizeof(moved[0]));
    for (size_t k = 0; k < 2; k++)
        loops[k]->combine(w, 1, N_IN, NULL, N_OUT, N_IN, delta, out[k], LANES);
    assert_memory_equal(out[0], out[1], N_IN * LANES * sizeof(double));
}

/* ---- training by itself ---- */

enum { POINTS = 120 };

static void make_points(double *x, int32_t *labels)
{
    tct_random random;

    tct_random_seed(&random, 9, 9);
    for (size_t r = 0; r < POINTS; r++) {
        x[r] = 0.5 + 1e-3 * tct_random_normal(&random); /* hardly moves, and decides */
        x[POINTS + r] = 0.25;                           /* never moves */
        x[2 * POINTS + r] = tct_random_normal(&random);
        labels[r] = x[r] > 0.5;
    }
}

/* An input that never varied has no say whatever value it takes later; one that varies little can have one. */
static void networks__standardised_inputs(void **state)
{
    static const size_t hidden[] = {6};
    const tct_mlp_options options = {
        .hidden = hidden, .n_hidden = 1, .epochs = 200, .batch = 16, .rate = 0.02, .adam = true, .standardise = true};
    double x[3 * POINTS];
    int32_t labels[POINTS];
    tct_classifier *c = NULL;
    const tct_mlp *mlp;
    size_t right = 0;

    (void)state;
    make_points(x, labels);
    assert_int_equal(tct_train_mlp(&c, x, POINTS, labels, POINTS, 3, 2, &options, NULL, NULL, NULL, NULL), TACIT_OK);
    mlp = tct_as_mlp(c);
    for (size_t j = 0; j < 6; j++)
        assert_true(mlp->weights[0][3 * j + 1] == 0 && mlp->weights[0][3 * j] != 0);
    for (size_t r = 0; r < POINTS; r++) {
        const double point[3] = {x[r], 77, x[2 * POINTS + r]};
        double score;
        c->ops->scores(c, point, 1, &score);
        right += (score > 0) == (labels[r] == 1);
    }
    assert_true(right > POINTS * 95 / 100);
    c->ops->free(c);
}

typedef struct watch {
    uint64_t last, total, stop_at;
} watch;

static bool look(void *context, uint64_t done, uint64_t total)
{
    watch *w = context;

    assert_true(done == w->last + 1 && (w->total == 0 || w->total == total));
    w->last = done;
    w->total = total;
    return done != w->stop_at;
}

static void networks__progress_counts_every_training(void **state)
{
    static const size_t hidden[] = {4};
    const tct_mlp_options options = {
        .hidden = hidden, .n_hidden = 1, .epochs = 5, .batch = 16, .rate = 0.02, .adam = true};
    double x[3 * POINTS], l2 = 0;
    int32_t labels[POINTS];
    tct_classifier *c = NULL;
    watch w = {0};

    (void)state;
    make_points(x, labels);
    assert_int_equal(tct_train_mlp_chosen(&c, &l2, x, POINTS, labels, POINTS, 3, 2, &options, 2, NULL, look, &w, NULL),
                     TACIT_OK);
    assert_int_equal(w.last, w.total);
    assert_int_equal(w.total, 21 * 5);
    c->ops->free(c);
    for (uint64_t stop = 1; stop <= w.total; stop += 13) {
        watch early = {.stop_at = stop};
        assert_int_equal(
            tct_train_mlp_chosen(&c, &l2, x, POINTS, labels, POINTS, 3, 2, &options, 2, NULL, look, &early, NULL),
            TACIT_E_STOPPED);
        assert_null(c);
        assert_int_equal(early.last, stop);
    }
}

/* Every penalty diverges: an error, as without a choice. */
static void networks__divergence_is_told(void **state)
{
    static const size_t hidden[] = {4};
    const tct_mlp_options options = {.hidden = hidden, .n_hidden = 1, .epochs = 50, .batch = 16, .rate = 1e200};
    double x[3 * POINTS], l2 = 0;
    int32_t labels[POINTS];
    tct_classifier *c = NULL;
    tacit_error err = {0};

    (void)state;
    make_points(x, labels);
    assert_int_equal(
        tct_train_mlp_chosen(&c, &l2, x, POINTS, labels, POINTS, 3, 2, &options, 1, NULL, NULL, NULL, &err),
        TACIT_E_INPUT);
    assert_null(c);
    assert_non_null(strstr(err.message, "smaller rate"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(networks__nothing_said_is_good_for_something),
        cmocka_unit_test(networks__tiny_tables_are_trained_on),
        cmocka_unit_test(networks__settings_are_told),
        cmocka_unit_test(networks__paper_gives_what_it_always_gave),
        cmocka_unit_test(networks__same_bytes_on_any_number_of_threads),
        cmocka_unit_test(networks__all_loops_give_the_same_bits),
        cmocka_unit_test(networks__standardised_inputs),
        cmocka_unit_test(networks__progress_counts_every_training),
        cmocka_unit_test(networks__divergence_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
