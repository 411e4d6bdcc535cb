/*
 * Necessity: every model that a split measures is trained again by the public functions on a table without the columns,
 * and must decide and ask the same.  Copies, followers and noise go first and cost nothing.  Intervals by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>

#include "logit.h"
#include "necessity.h"
#include "num.h"
#include "scale.h"
#include "scratch.h"

enum { ROWS = 360, SPLITS = 3, ATTRIBUTES = 5 };
static const char *const COLOURS[] = {"red", "green", "blue"};
static const double SHARE = 0.3;

/* Numbers, an integer, a category; two or three classes. */
static tacit_table *make_people(size_t classes, size_t rows)
{
    tct_text text = {0};
    tct_random random;
    tacit_table *table;

    tct_random_seed(&random, 21, classes);
    tct_text_printf(&text, "a,b,colour,count,noise,label\n");
    for (size_t r = 0; r < rows; r++) {
        double a = tct_random_normal(&random), b = 0.5 * a + tct_random_normal(&random), score;
        size_t colour = tct_random_below(&random, 3), count = tct_random_below(&random, 5);

        score = a + 0.6 * b + (double)colour - 1 + 0.3 * (double)count - 0.6 + 0.7 * tct_random_normal(&random);
        tct_text_printf(&text, "%.3f,%.3f,%s,%zu,%.3f,%s\n", a, b, COLOURS[colour], count, tct_random_normal(&random),
                        score > 0.4                   ? "yes"
                        : classes > 2 && score > -0.8 ? "perhaps"
                                                      : "no");
    }
    assert_false(text.failed);
    assert_int_equal(tacit_table_read(&table, scratch_text(text.bytes), NULL, 1, NULL), TACIT_OK);
    tct_text_free(&text);
    return table;
}

static tacit_table *make_table(size_t classes)
{
    return make_people(classes, ROWS);
}

/* Domains from all rows, so that they are the same whatever is dropped. */
static tacit_schema *make_schema(const tacit_table *table, const char *drop)
{
    tacit_infer_options infer = {.label = "label", .public_ = "count", .drop = drop};
    tacit_schema *schema;

    if (drop && strstr(drop, "count"))
        infer.public_ = NULL;
    assert_int_equal(tacit_schema_infer(&schema, table, &infer, NULL), TACIT_OK);
    return schema;
}

static tacit_necessity_options usual_options(const char *kind)
{
    return (tacit_necessity_options){.splits = SPLITS,
                                     .test_share = SHARE,
                                     .seed = 7,
                                     .people = 1000, /* all of them */
                                     .tolerance = 0.01,
                                     .threads = 1,
                                     .fit = {.kind = kind, .hidden = "4,3", .epochs = 20, .rate = 0.01}};
}

static tacit_necessity *run(const tacit_table *table, const tacit_schema *schema,
                            const tacit_necessity_options *options)
{
    tacit_necessity *found = NULL;
    tacit_error err = {0};

    if (tacit_necessity_run(&found, table, schema, options, &err))
        fail_msg("%s", err.message);
    return found;
}

/* ---------------------------------------------------------------- against plain fits */

/* The columns that are not there at a place of a split, as a list. */
static void list_dropped(const tacit_necessity *e, const tct_split *split, size_t place, char *out, size_t size)
{
    size_t n = e->schema->n_attributes, used = 0;

    out[0] = '\0';
    if (place > n)
        snprintf(out, size, "%s", e->schema->attributes[place - n - 1].name);
    for (size_t k = 0; k < place && place <= n; k++)
        used += (size_t)snprintf(out + used, size - used, "%s%s", k ? "," : "",
                                 e->schema->attributes[split->order[k]].name);
}

static void check_place(const tacit_necessity *e, const tacit_table *table, size_t s, size_t place)
{
    const double exact = 0;
    const tct_split *split = &e->splits[s];
    tacit_fit_options fit = e->fit;
    tacit_audit_options options = {.deltas = &exact, .n_deltas = 1, .part = TACIT_PART_HELD_OUT, .threads = 1};
    tacit_schema *schema;
    tacit_model *model;
    tacit_audit *audit;
    char dropped[200];

    list_dropped(e, split, place, dropped, sizeof dropped);
    schema = make_schema(table, dropped);
    fit.seed = e->seed + s;
    fit.test_share = SHARE;
    assert_int_equal(tacit_fit(&model, table, schema, &fit, NULL), TACIT_OK);
    assert_true(tacit_model_info_get(model)->test_accuracy == split->accuracy[place]);
    assert_int_equal(tacit_audit_table(&audit, model, table, &options, NULL), TACIT_OK);
    assert_int_equal(tacit_audit_summary_get(audit)->people, split->played);
    assert_true(tacit_audit_summary_get(audit)->n_sensitive == 0 ||
                fabs(tacit_audit_result_get(audit, 0)->mean_asked - split->asked[place]) < 1e-12);
    tacit_audit_free(audit);
    tacit_model_free(model);
    tacit_schema_free(schema);
}

static void check_kind(const char *kind, size_t classes)
{
    tacit_table *table = make_table(classes);
    tacit_schema *schema = make_schema(table, NULL);
    tacit_necessity_options options = usual_options(kind);
    tacit_necessity *e = run(table, schema, &options);

    for (size_t s = 0; s < SPLITS; s++)
        for (size_t place = 0; place <= 2 * ATTRIBUTES; place++)
            if (place != ATTRIBUTES) /* nothing left: no model */
                check_place(e, table, s, place);
    tacit_necessity_free(e);
    tacit_schema_free(schema);
    tacit_table_free(table);
}

static void necessity__measures_what_plain_fits_measure(void **state)
{
    const size_t most = scaled(10) < 10 ? 2 : 3; /* classes */

    (void)state;
    for (size_t classes = 2; classes <= most; classes++) {
        check_kind("logistic", classes);
        check_kind("mlp", classes);
    }
}

/* More weights than second derivatives are written out for: trained like any other model. */
static void necessity__takes_wide_models(void **state)
{
    enum { LEVELS = 320, PEOPLE = 900 };
    tacit_necessity_options options = usual_options("logistic");
    tct_text text = {0};
    tct_random random;
    tacit_table *table;
    tacit_schema *schema;
    tacit_necessity *e;
    tct_codec *codec;

    (void)state;
    tct_random_seed(&random, 9, 9);
    tct_text_printf(&text, "a,left,right,label\n");
    for (size_t r = 0; r < PEOPLE; r++) {
        double a = tct_random_normal(&random);

        tct_text_printf(&text, "%.3f,l%zu,r%zu,%s\n", a, r % LEVELS, (7 * r + r / LEVELS) % LEVELS,
                        a + 0.5 * tct_random_normal(&random) > 0 ? "yes" : "no");
    }
    assert_int_equal(tacit_table_read(&table, scratch_text(text.bytes), NULL, 1, NULL), TACIT_OK);
    tct_text_free(&text);
    assert_int_equal(tacit_schema_infer(&schema, table, &(tacit_infer_options){.label = "label"}, NULL), TACIT_OK);
    assert_int_equal(tct_codec_new(&codec, schema, NULL), TACIT_OK);
    assert_true(codec->n_inputs > TCT_LOGIT_MOST && !tct_is_logit(codec, &options.fit));
    options.splits = 1;
    options.people = 2;
    e = run(table, schema, &options);
    assert_string_equal(schema->attributes[e->order[2]].name, "a");
    assert_true(e->splits[0].accuracy[0] > 0.7 && e->splits[0].accuracy[2] > 0.8);
    tacit_necessity_free(e);
    tct_codec_free(codec);
    tacit_schema_free(schema);
    tacit_table_free(table);
}

/* ---------------------------------------------------------------- fits */

/* A reduced fit is where a fit from the beginning ends, and what is foreseen is close to what comes. */
static void logit__reduces_to_the_minimum(void **state)
{
    (void)state;
    for (size_t classes = 2; classes <= 3; classes++) {
        tacit_table *table = make_table(classes);
        tacit_schema *schema = make_schema(table, NULL);
        const size_t all[] = {0, 1, 2, 3, 4}, some[] = {0, 2, 4};
        double foreseen[ATTRIBUTES], loss;
        tct_logit *full, *less, *fresh;
        tct_encoded *people;
        tct_codec *codec;
        tct_coded_people *coded;

        assert_int_equal(tct_codec_new(&codec, schema, NULL), TACIT_OK);
        assert_int_equal(tct_encoded_new(&people, table, codec, 0, 1, 1, NULL), TACIT_OK);
        assert_int_equal(tct_coded_people_new(&coded, &people->train, codec, NULL, 0, true, NULL), TACIT_OK);
        assert_int_equal(tct_logit_new(&full, coded, all, ATTRIBUTES, 1, 0, 1e-8, NULL), TACIT_OK);
        assert_int_equal(tct_logit_curve(full, NULL), TACIT_OK);
        assert_int_equal(tct_logit_reduce(&less, full, some, 3, 1e-8, NULL), TACIT_OK);
        assert_int_equal(tct_logit_new(&fresh, coded, some, 3, 1, 0, 1e-8, NULL), TACIT_OK);
        assert_int_equal(less->p, fresh->p);
        for (size_t i = 0; i < less->p; i++) /* biases: all may be moved together */
            if (classes == 2 || i % (less->d + 1) < less->d)
                assert_true(fabs(less->theta[i] - fresh->theta[i]) < 1e-6);
        tct_logit_free(less);
        assert_int_equal(tct_logit_foresee(full, coded, foreseen, NULL), TACIT_OK);
        for (size_t j = 0; j < ATTRIBUTES; j++) {
            size_t others[ATTRIBUTES], n = 0;

            for (size_t a = 0; a < ATTRIBUTES; a++)
                if (a != j)
                    others[n++] = a;
            assert_int_equal(tct_logit_reduce(&less, full, others, n, 1e-8, NULL), TACIT_OK);
            assert_int_equal(tct_logit_loss(&loss, less, coded, NULL), TACIT_OK);
            assert_true(fabs(foreseen[j] - loss) < 0.05 * loss);
            tct_logit_free(less);
        }
        tct_logit_free(full);
        tct_logit_free(fresh);
        tct_coded_people_free(coded);
        tct_encoded_free(people);
        tct_codec_free(codec);
        tacit_schema_free(schema);
        tacit_table_free(table);
    }
}

/* Second derivatives against differences of gradients, along every parameter. */
static void logit__knows_its_second_derivatives(void **state)
{
    (void)state;
    for (size_t classes = 2; classes <= 3; classes++) {
        enum { MOST = 64 };
        tacit_table *table = make_table(classes);
        tacit_schema *schema = make_schema(table, NULL);
        const size_t kept[] = {1, 2, 3};
        double room[4 * TCT_LOGIT_CHUNK], up[MOST], down[MOST], at[MOST], hessian[MOST * MOST] = {0};
        tct_logit *fit;
        tct_encoded *people;
        tct_codec *codec;
        tct_coded_people *coded;

        assert_int_equal(tct_codec_new(&codec, schema, NULL), TACIT_OK);
        assert_int_equal(tct_encoded_new(&people, table, codec, 0, 1, 1, NULL), TACIT_OK);
        assert_int_equal(tct_coded_people_new(&coded, &people->train, codec, NULL, 0, true, NULL), TACIT_OK);
        assert_int_equal(tct_logit_new(&fit, coded, kept, 3, 1, 0, 1, NULL), TACIT_OK);
        assert_true(fit->p <= MOST);
        tct_logit_sum_hessian(fit, fit->theta, hessian, room);
        for (size_t i = 0; i < fit->p; i++) {
            memcpy(at, fit->theta, fit->p * sizeof *at);
            memset(up, 0, sizeof up);
            memset(down, 0, sizeof down);
            at[i] += 1e-5;
            tct_logit_sum(coded, fit, at, up, room);
            at[i] -= 2e-5;
            tct_logit_sum(coded, fit, at, down, room);
            for (size_t j = 0; j < fit->p; j++)
                assert_true(fabs((up[j] - down[j]) / 2e-5 - hessian[i * fit->p + j]) < 1e-4);
        }
        tct_logit_free(fit);
        tct_coded_people_free(coded);
        tct_encoded_free(people);
        tct_codec_free(codec);
        tacit_schema_free(schema);
        tacit_table_free(table);
    }
}

/* ---------------------------------------------------------------- the choice */

/* x decides; twin is x again, scaled follows from x, two columns are noise. */
static tacit_table *make_redundant(void)
{
    tct_text text = {0};
    tct_random random;
    tacit_table *table;

    tct_random_seed(&random, 5, 5);
    tct_text_printf(&text, "x,twin,scaled,wind,rain,label\n");
    for (size_t r = 0; r < 1500; r++) {
        double x = floor(tct_random_uniform(&random) * 1000) / 1000;

        tct_text_printf(&text, "%.3f,%.3f,%.3f,%.3f,%s,%s\n", x, x, 30 * x, tct_random_normal(&random),
                        COLOURS[tct_random_below(&random, 3)],
                        x + 0.15 * tct_random_normal(&random) > 0.5 ? "yes" : "no");
    }
    assert_int_equal(tacit_table_read(&table, scratch_text(text.bytes), NULL, 1, NULL), TACIT_OK);
    tct_text_free(&text);
    return table;
}

static void necessity__drops_copies_and_noise_at_no_loss(void **state)
{
    tacit_table *table = make_redundant();
    tacit_schema *schema;
    tacit_infer_options infer = {.label = "label"};
    tacit_necessity_options options = usual_options(NULL);
    tacit_necessity *e;
    tct_mean_interval loss;

    (void)state;
    assert_int_equal(tacit_schema_infer(&schema, table, &infer, NULL), TACIT_OK);
    options.splits = 5;
    e = run(table, schema, &options);
    assert_true(e->order[4] < 3); /* one of the three that say the same is the last to go */
    for (size_t s = 0; s < 5; s++)
        assert_true(e->splits[s].order[4] < 3);
    for (size_t a = 0; a < 5; a++) { /* nothing is needed alone */
        loss = tct_figure_difference(e, TCT_ACCURACY, 0, 6 + a);
        assert_true(fabs(loss.mean) < 0.006 && loss.low <= 0 && loss.high >= 0);
    }
    loss = tct_figure_difference(e, TCT_ACCURACY, 0, 4); /* one left of them, no noise */
    assert_true(fabs(loss.mean) < 0.006);
    assert_true(tct_figure_difference(e, TCT_ACCURACY, 0, 5).low > 0.1);
    assert_true(tct_figure_at(e, TCT_ASKED, 4).mean == 1);
    assert_true(tct_figure_at(e, TCT_ASKED, 5).mean == 0);
    tacit_necessity_free(e);
    tacit_schema_free(schema);
    tacit_table_free(table);
}

/* Noise goes first where everything else is worth something, with networks as well; these take long to train well, which
   short runs leave out. */
static void necessity__drops_noise_first(void **state)
{
    const size_t kinds = scaled(10) < 10 ? 1 : 2;

    (void)state;
    for (size_t kind = 0; kind < kinds; kind++) {
        tacit_table *table = make_people(2, 2000);
        tacit_schema *schema = make_schema(table, NULL);
        tacit_necessity_options options = usual_options(kind ? "mlp" : "logistic");
        tacit_necessity *e;

        options.people = 5;
        options.fit.epochs = 100;
        e = run(table, schema, &options);
        assert_string_equal(schema->attributes[e->order[0]].name, "noise");
        tacit_necessity_free(e);
        tacit_schema_free(schema);
        tacit_table_free(table);
    }
}

/* The people whom a split is measured on have no say in its choice: their labels may be anything. */
static void necessity__chooses_without_those_held_out(void **state)
{
    (void)state;
    for (size_t kind = 0; kind < 2; kind++) {
        size_t orders[2][ATTRIBUTES];

        for (size_t turned = 0; turned < 2; turned++) {
            tacit_necessity_options options = usual_options(kind ? "mlp" : "logistic");
            tct_text text = {0};
            tct_random random;
            tacit_table *table;
            tacit_schema *schema;
            tacit_necessity *e;

            tct_random_seed(&random, 3, 1);
            tct_text_printf(&text, "a,b,colour,count,noise,label\n");
            for (size_t r = 1; r <= ROWS; r++) {
                double a = tct_random_normal(&random), b = tct_random_normal(&random), c = tct_random_normal(&random);
                bool yes = a + 0.3 * b + 0.2 * tct_random_normal(&random) > 0;

                if (tct_held_out(options.seed, SHARE, r) && turned)
                    yes = c > 0; /* as if noise were everything */
                tct_text_printf(&text, "%.3f,%.3f,%s,%zu,%.3f,%s\n", a, b, COLOURS[r % 3], r % 5, c,
                                yes ? "yes" : "no");
            }
            assert_int_equal(tacit_table_read(&table, scratch_text(text.bytes), NULL, 1, NULL), TACIT_OK);
            tct_text_free(&text);
            schema = make_schema(table, NULL);
            options.splits = 1;
            options.people = 5;
            e = run(table, schema, &options);
            memcpy(orders[turned], e->splits[0].order, sizeof orders[turned]);
            tacit_necessity_free(e);
            tacit_schema_free(schema);
            tacit_table_free(table);
        }
        assert_memory_equal(orders[0], orders[1], sizeof orders[0]);
    }
}

/* ---------------------------------------------------------------- figures */

static void necessity__gives_intervals(void **state)
{
    static const double full[] = {0.9, 0.8, 0.85, 0.95}, less[] = {0.88, 0.8, 0.84, 0.92};
    tct_split splits[4];
    tacit_schema schema = {.n_attributes = 1};
    tacit_necessity e = {.schema = &schema, .n_splits = 4, .splits = splits, .seen = 400, .tolerance = 0.06};
    double accuracy[4][3], asked[4][3] = {{0}}, mean = 0.015, squares = 0, half, none;
    tct_mean_interval found;

    (void)state;
    for (size_t s = 0; s < 4; s++) {
        accuracy[s][0] = full[s];
        accuracy[s][1] = accuracy[s][2] = less[s];
        splits[s] = (tct_split){.n_train = 70, .n_test = 30, .accuracy = accuracy[s], .asked = asked[s]};
        squares += (full[s] - less[s] - mean) * (full[s] - less[s] - mean);
    }
    half = 3.182446305284263 * sqrt(squares / 3 * (1.0 / 4 + 30.0 / 70));
    found = tct_figure_difference(&e, TCT_ACCURACY, 0, 1);
    assert_true(fabs(found.mean - mean) < 1e-12);
    assert_true(fabs(found.low - (mean - half)) < 1e-9 && fabs(found.high - (mean + half)) < 1e-9);
    assert_int_equal(tct_recommended(&e), 1);
    e.tolerance = 0.02;
    assert_int_equal(tct_recommended(&e), 0);
    /* No difference seen in 400 people is not the same as none at all. */
    tct_clopper_pearson(0, 400, 0.95, &none, &half);
    for (size_t s = 0; s < 4; s++)
        accuracy[s][1] = accuracy[s][0];
    found = tct_figure_difference(&e, TCT_ACCURACY, 0, 1);
    assert_true(found.mean == 0 && fabs(found.high - half) < 1e-15 && fabs(found.low + half) < 1e-15);
    /* The same place is. */
    found = tct_figure_difference(&e, TCT_ACCURACY, 0, 0);
    assert_true(found.low == 0 && found.high == 0);
    e.n_splits = 1;
    assert_true(isnan(tct_figure_difference(&e, TCT_ACCURACY, 0, 1).low));
    assert_int_equal(tct_recommended(&e), 0);
}

/* People of whom we know how they come about; the truth is the mean loss over all draws. */
static tacit_table *draw_people(uint64_t seed)
{
    enum { PEOPLE = 400 };
    tct_text text = {0};
    tct_random random;
    tacit_table *table;

    tct_random_seed(&random, seed, 77);
    tct_text_printf(&text, "a,b,c,d,label\n");
    for (size_t r = 0; r < PEOPLE; r++) {
        double v[4], z;

        for (size_t i = 0; i < 4; i++)
            v[i] = tct_random_normal(&random);
        z = v[0] + 0.6 * v[1] + 0.3 * v[2];
        tct_text_printf(&text, "%.3f,%.3f,%.3f,%.3f,%s\n", v[0], v[1], v[2], v[3],
                        tct_random_uniform(&random) < 1 / (1 + exp(-z)) ? "yes" : "no");
    }
    assert_int_equal(tacit_table_read(&table, scratch_text(text.bytes), NULL, 1, NULL), TACIT_OK);
    tct_text_free(&text);
    return table;
}

/* 95 % intervals hold the truth in 95 % of the draws; without the correction it would be about two thirds.  Short runs,
   which look for mistakes of memory, leave the figures to the others. */
static void necessity__intervals_cover(void **state)
{
    enum { DRAWS = 100, PLACES = 9 };
    tct_mean_interval found[DRAWS][PLACES];

    (void)state;
    if (scaled(10) < 10)
        skip();
    for (size_t i = 0; i < DRAWS; i++) {
        tacit_table *table = draw_people(i);
        tacit_necessity_options options = usual_options(NULL);
        tacit_schema *schema;
        tacit_necessity *e;

        assert_int_equal(tacit_schema_infer(&schema, table, &(tacit_infer_options){.label = "label"}, NULL), TACIT_OK);
        options.splits = 10;
        options.people = 1;
        e = run(table, schema, &options);
        for (size_t place = 1; place < PLACES; place++)
            found[i][place] = tct_figure_difference(e, TCT_ACCURACY, 0, place);
        tacit_necessity_free(e);
        tacit_schema_free(schema);
        tacit_table_free(table);
    }
    for (size_t place = 1; place < PLACES; place++) {
        double truth = 0;
        size_t covered = 0;

        for (size_t i = 0; i < DRAWS; i++)
            truth += found[i][place].mean / DRAWS;
        for (size_t i = 0; i < DRAWS; i++)
            covered += found[i][place].low <= truth && truth <= found[i][place].high;
        print_message("place %zu: mean loss %.4f, covered in %zu of %d draws\n", place, truth, covered, DRAWS);
        assert_true(covered >= 90);
    }
}

static void student__quantiles(void **state)
{
    (void)state;
    assert_true(fabs(tct_student_quantile(1, 0.95) - 12.706204736432095) < 1e-9);
    assert_true(fabs(tct_student_quantile(4, 0.95) - 2.7764451051977987) < 1e-12);
    assert_true(fabs(tct_student_quantile(9, 0.95) - 2.2621571627981893) < 1e-10);
    assert_true(fabs(tct_student_quantile(99, 0.95) - 1.9842169515) < 1e-9);
}

/* ---------------------------------------------------------------- running */

static void necessity__does_not_depend_on_threads(void **state)
{
    (void)state;
    for (size_t kind = 0; kind < 2; kind++) {
        tacit_table *table = make_table(3);
        tacit_schema *schema = make_schema(table, NULL);
        tacit_necessity_options options = usual_options(kind ? "mlp" : "logistic");
        char *texts[2];

        options.people = 20;
        for (size_t i = 0; i < 2; i++) {
            tacit_necessity *e;

            options.threads = i + 1;
            e = run(table, schema, &options);
            assert_int_equal(tacit_necessity_json(&texts[i], e, "tacit necessity", NULL), TACIT_OK);
            tacit_necessity_free(e);
        }
        assert_string_equal(texts[0], texts[1]);
        tacit_text_free(texts[0]);
        tacit_text_free(texts[1]);
        tacit_schema_free(schema);
        tacit_table_free(table);
    }
}

static bool stop_later(void *context, uint64_t done, uint64_t total)
{
    (void)total;
    return done < *(const uint64_t *)context;
}

static void necessity__stops_when_told(void **state)
{
    tacit_table *table = make_table(2);
    tacit_schema *schema = make_schema(table, NULL);

    (void)state;
    for (size_t kind = 0; kind < 2; kind++)
        for (uint64_t steps = 0; steps < 12; steps += 4) {
            tacit_necessity_options options = usual_options(kind ? "mlp" : "logistic");
            tacit_necessity *e = NULL;

            options.progress = stop_later;
            options.progress_context = &steps;
            assert_int_equal(tacit_necessity_run(&e, table, schema, &options, NULL), TACIT_E_STOPPED);
            assert_null(e);
        }
    tacit_schema_free(schema);
    tacit_table_free(table);
}

/* Without memory a run fails and says so, or, where memory only buys speed, finds the same. */
static void necessity__survives_lack_of_memory(void **state)
{
    tacit_table *table = make_table(3);
    tacit_schema *schema = make_schema(table, NULL);
    const uint64_t first = scaled(150) > 50 ? scaled(150) : 50, most = scaled(60) > 20 ? scaled(60) : 20;
    uint64_t total = 0;

    (void)state;
    for (size_t kind = 0; kind < 2; kind++) {
        char *expected = NULL;

        for (uint64_t n = 0; n <= total; n += n < first ? 1 : total / most + 1) {
            tacit_necessity_options options = usual_options(kind ? "mlp" : "logistic");
            tacit_necessity *e = NULL;
            char *text = NULL;
            tacit_status st;

            options.splits = 2;
            options.people = 5;
            options.fit.epochs = 2;
            tct_memory_fail_at(n, false);
            st = tacit_necessity_run(&e, table, schema, &options, NULL);
            if (!st)
                st = tacit_necessity_json(&text, e, NULL, NULL);
            total = n == 0 ? tct_memory_count() : total;
            tct_memory_fail_at(0, false);
            if (st)
                assert_int_equal(st, TACIT_E_MEMORY);
            else if (expected)
                assert_string_equal(text, expected);
            tacit_necessity_free(e);
            if (n == 0)
                expected = text;
            else
                tacit_text_free(text);
        }
        assert_non_null(expected);
        tacit_text_free(expected);
    }
    tacit_schema_free(schema);
    tacit_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(student__quantiles),
        cmocka_unit_test(necessity__gives_intervals),
        cmocka_unit_test(necessity__intervals_cover),
        cmocka_unit_test(logit__knows_its_second_derivatives),
        cmocka_unit_test(logit__reduces_to_the_minimum),
        cmocka_unit_test(necessity__measures_what_plain_fits_measure),
        cmocka_unit_test(necessity__takes_wide_models),
        cmocka_unit_test(necessity__drops_copies_and_noise_at_no_loss),
        cmocka_unit_test(necessity__drops_noise_first),
        cmocka_unit_test(necessity__chooses_without_those_held_out),
        cmocka_unit_test(necessity__does_not_depend_on_threads),
        cmocka_unit_test(necessity__stops_when_told),
        cmocka_unit_test(necessity__survives_lack_of_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
