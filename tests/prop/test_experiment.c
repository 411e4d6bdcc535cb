/*
 * An experiment counts what audits of the same models count, whatever the number of threads: every cell is done again by
 * the public functions, one model, one set of roles and one audit at a time.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "crossing.h"
#include "experiment.h"
#include "scratch.h"

enum { ROWS = 400, ATTRIBUTES = 6, REPS = 3, N_SIZES = 3, N_DELTAS = 3 };
static const size_t SIZES[N_SIZES] = {1, 3, 6};
static const double DELTAS[N_DELTAS] = {0, 0.05, 0.2};
static const char *const COLOURS[] = {"red", "green", "blue"};

static tacit_table *make_table(size_t classes)
{
    tct_text text = {0};
    tct_random random;
    tacit_table *table;

    tct_random_seed(&random, 11, classes);
    tct_text_printf(&text, "a,b,c,d,colour,count,label\n");
    for (size_t r = 0; r < ROWS; r++) {
        double v[4], score = 0;
        size_t colour = tct_random_below(&random, 3), count = tct_random_below(&random, 5);

        for (size_t i = 0; i < 4; i++) {
            v[i] = tct_random_normal(&random) + (i > 0 ? 0.5 * v[i - 1] : 0);
            score += v[i] * (double)(i + 1) / 3;
        }
        score += (double)colour - 1 + 0.3 * (double)count - 0.6 + 0.5 * tct_random_normal(&random);
        tct_text_printf(&text, "%.3f,%.3f,%.3f,%.3f,%s,%zu,%s\n", v[0], v[1], v[2], v[3], COLOURS[colour], count,
                        score > 0.4                   ? "yes"
                        : classes > 2 && score > -0.8 ? "perhaps"
                                                      : "no");
    }
    assert_false(text.failed);
    assert_int_equal(tacit_table_read(&table, scratch_text(text.bytes), NULL, 1, NULL), TACIT_OK);
    tct_text_free(&text);
    return table;
}

static tacit_schema *make_schema(const tacit_table *table)
{
    tacit_infer_options infer = {.label = "label", .encoding = TACIT_ONEHOT};
    tacit_schema *schema;

    assert_int_equal(tacit_schema_infer(&schema, table, &infer, NULL), TACIT_OK);
    assert_int_equal(tacit_schema_attributes(schema), ATTRIBUTES);
    return schema;
}

static tacit_experiment_options usual_options(void)
{
    return (tacit_experiment_options){.sizes = SIZES,
                                      .n_sizes = N_SIZES,
                                      .reps = REPS,
                                      .deltas = DELTAS,
                                      .n_deltas = N_DELTAS,
                                      .seed = 5,
                                      .threads = 1,
                                      .grid_people = 4,
                                      .fit = {.hidden = "4,3", .epochs = 20, .rate = 0.01}};
}

static void assert_same_counts(const tacit_audit *audit, const tct_draw *cell, tct_tally *const *tallies)
{
    const tacit_audit_summary *summary = tacit_audit_summary_get(audit);

    assert_int_equal(summary->people, cell->census->people);
    assert_int_equal(summary->baseline_correct, cell->census->baseline_correct);
    assert_int_equal(summary->n_sensitive, cell->size);
    for (size_t i = 0; i < N_DELTAS; i++) {
        const tacit_audit_result *found = tacit_audit_result_get(audit, i);

        assert_int_equal(found->people, tallies[i]->people);
        assert_int_equal(found->agree, tallies[i]->agree);
        assert_int_equal(found->correct, tallies[i]->correct);
        assert_int_equal(found->certain, tallies[i]->certain);
        assert_int_equal(found->likely, tallies[i]->likely);
        assert_int_equal(found->failed, tallies[i]->failed);
        assert_memory_equal(found->histogram, tallies[i]->histogram, (cell->size + 1) * sizeof(uint64_t));
        assert_memory_equal(found->asked, tallies[i]->asked, cell->size * sizeof(uint64_t));
    }
}

/* The same cell by audits. */
static void check_cell(const tacit_experiment *e, const tacit_table *table, const tct_trial *trial,
                       const tct_draw *cell)
{
    static const tacit_rule rules[] = {TACIT_RULE_ENTROPY, TACIT_RULE_AUTO};
    tacit_fit_options fit = e->fit;
    tacit_model *plain, *model;
    char names[200] = "";
    uint64_t opt_total = 0;

    for (size_t i = 0, used = 0; i < cell->size; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? "," : "",
                                 tacit_schema_attribute(e->schema, cell->sensitive[i])->name);
    fit.kind = e->kinds.items[trial->kind];
    fit.seed = 5 + trial->rep;
    fit.test_share = 0.3;
    assert_int_equal(tacit_fit(&plain, table, e->schema, &fit, NULL), TACIT_OK);
    assert_int_equal(tacit_model_with_roles(&model, plain, names, NULL, NULL), TACIT_OK);
    tct_crossing_set(model, TCT_USUAL_CROSSING); /* as experiments do */
    for (size_t r = 0; r < 2; r++) {
        tacit_audit_options options = {
            .deltas = DELTAS, .n_deltas = N_DELTAS, .rule = rules[r], .part = TACIT_PART_HELD_OUT, .threads = 1};
        tacit_audit *audit;

        model->first_order = r == 0; /* the paper's law */
        assert_int_equal(tacit_audit_table(&audit, model, table, &options, NULL), TACIT_OK);
        assert_same_counts(audit, cell, r ? cell->tacit : cell->paper);
        assert_int_equal(cell->opt_people, cell->census->people);
        assert_memory_equal(tacit_audit_summary_get(audit)->opt_histogram, cell->opt_histogram,
                            (cell->size + 1) * sizeof(uint64_t));
        assert_int_equal(tacit_audit_result_get(audit, 0)->total_asked,
                         r ? cell->opt_tacit_asked : cell->opt_paper_asked);
        tacit_audit_free(audit);
    }
    for (size_t i = 0; i < cell->size; i++)
        opt_total += cell->opt_members[i];
    for (size_t k = 0; k <= cell->size; k++)
        opt_total -= k * cell->opt_histogram[k];
    assert_int_equal(opt_total, 0);
    tacit_model_free(model);
    tacit_model_free(plain);
}

static void experiment__counts_what_audits_count(void **state)
{
    (void)state;
    for (size_t classes = 2; classes <= 3; classes++) {
        tacit_table *table = make_table(classes);
        tacit_schema *schema = make_schema(table);
        tacit_experiment_options options = usual_options();
        tacit_experiment *e;

        assert_int_equal(tacit_experiment_run(&e, table, schema, &options, NULL), TACIT_OK);
        for (size_t i = 0; i < 2 * REPS; i++) {
            const tct_trial *trial = tct_experiment_trial(e, i / REPS, i % REPS);

            assert_true(trial->done);
            for (size_t s = 0; s < N_SIZES; s++) {
                const tct_draw *cell = &trial->cells[s];

                check_cell(e, table, trial, cell);
                assert_int_equal(cell->tacit[0]->agree, cell->tacit[0]->people);
                assert_int_equal(cell->grid.people, trial->kind == 1 ? 4 : 0);
                assert_int_equal(cell->grid.stages, cell->grid.certified + cell->grid.refuted + cell->grid.undecided);
            }
        }
        tacit_experiment_free(e);
        tacit_schema_free(schema);
        tacit_table_free(table);
    }
}

/* Trees are those of `tacit fit`: what the paper says of networks, the rate above all, is not about them. */
static void experiment__trains_trees_as_fit_does(void **state)
{
    (void)state;
    for (size_t given = 0; given < 2; given++) {
        tacit_table *table = make_table(3);
        tacit_schema *schema = make_schema(table);
        tacit_fit_options fit = {.kind = "trees", .seed = 5, .test_share = 0.3, .threads = 1};
        tacit_experiment_options options = usual_options();
        const tacit_model_info *info;
        tacit_experiment *e;
        tacit_model *model;

        options.kinds = "trees";
        options.methods = "tacit";
        options.reps = options.n_deltas = options.n_sizes = 1;
        options.fit = (tacit_fit_options){.trees = given ? 7 : 0, .depth = given ? 2 : 0, .rate = given ? 0.3 : 0};
        fit.trees = options.fit.trees;
        fit.depth = options.fit.depth;
        fit.rate = options.fit.rate;
        assert_int_equal(tacit_fit(&model, table, schema, &fit, NULL), TACIT_OK);
        assert_int_equal(tacit_experiment_run(&e, table, schema, &options, NULL), TACIT_OK);
        info = tacit_model_info_get(model);
        assert_int_equal(tct_experiment_trial(e, 0, 0)->cells[0].census->baseline_correct,
                         (uint64_t)(info->test_accuracy * (double)info->test_rows + 0.5));
        tacit_experiment_free(e);
        tacit_model_free(model);
        tacit_schema_free(schema);
        tacit_table_free(table);
    }
}

static void assert_same_tallies(tct_tally *const *a, tct_tally *const *b)
{
    for (size_t i = 0; i < N_DELTAS; i++) {
        assert_int_equal(a[i]->agree, b[i]->agree);
        assert_int_equal(a[i]->likely, b[i]->likely);
        assert_memory_equal(a[i]->asked, b[i]->asked, a[i]->n_sensitive * sizeof(uint64_t));
    }
}

static void experiment__does_not_depend_on_threads(void **state)
{
    tacit_table *table = make_table(2);
    tacit_schema *schema = make_schema(table);
    tacit_experiment_options options = usual_options();
    tacit_experiment *one, *three;

    (void)state;
    assert_int_equal(tacit_experiment_run(&one, table, schema, &options, NULL), TACIT_OK);
    options.threads = 3;
    assert_int_equal(tacit_experiment_run(&three, table, schema, &options, NULL), TACIT_OK);
    for (size_t i = 0; i < 2 * REPS; i++)
        for (size_t s = 0; s < N_SIZES; s++) {
            const tct_draw *a = &one->trials[i].cells[s], *b = &three->trials[i].cells[s];

            assert_memory_equal(a->sensitive, b->sensitive, a->size * sizeof(size_t));
            assert_memory_equal(a->opt_histogram, b->opt_histogram, (a->size + 1) * sizeof(uint64_t));
            assert_memory_equal(&a->grid, &b->grid, sizeof a->grid);
            assert_same_tallies(a->paper, b->paper);
            assert_same_tallies(a->tacit, b->tacit);
        }
    tacit_experiment_free(one);
    tacit_experiment_free(three);
    tacit_schema_free(schema);
    tacit_table_free(table);
}

/* Sizes grow by attributes, and both kinds of model get the same ones; another repetition gets others. */
static void experiment__draws_nested_sets(void **state)
{
    tacit_table *table = make_table(2);
    tacit_schema *schema = make_schema(table);
    tacit_experiment_options options = usual_options();
    tacit_experiment *e;
    bool all_equal = true;

    (void)state;
    options.methods = "baseline";
    assert_int_equal(tacit_experiment_run(&e, table, schema, &options, NULL), TACIT_OK);
    for (size_t rep = 0; rep < REPS; rep++) {
        const tct_trial *linear = tct_experiment_trial(e, 0, rep), *network = tct_experiment_trial(e, 1, rep);
        const tct_draw *small = &linear->cells[0], *large = &linear->cells[1];
        bool inside = false;

        for (size_t i = 0; i < large->size; i++)
            inside = inside || large->sensitive[i] == small->sensitive[0];
        assert_true(inside);
        assert_memory_equal(large->sensitive, network->cells[1].sensitive, large->size * sizeof(size_t));
        all_equal = all_equal && small->sensitive[0] == e->trials[0].cells[0].sensitive[0];
        assert_null(large->paper);
        assert_null(large->tacit);
    }
    assert_false(all_equal);
    tacit_experiment_free(e);
    tacit_schema_free(schema);
    tacit_table_free(table);
}

/* A sample of people for Opt: our rule and the paper's are counted for the same people. */
static void experiment__samples_people_for_opt(void **state)
{
    tacit_table *table = make_table(2);
    tacit_schema *schema = make_schema(table);
    tacit_experiment_options options = usual_options();
    tacit_experiment *e;

    (void)state;
    options.kinds = "mlp";
    options.opt_people = 20;
    options.reps = 1;
    assert_int_equal(tacit_experiment_run(&e, table, schema, &options, NULL), TACIT_OK);
    for (size_t s = 0; s < N_SIZES; s++) {
        const tct_draw *cell = &e->trials[0].cells[s];
        uint64_t asked = 0;

        for (size_t k = 0; k <= cell->size; k++)
            asked += k * cell->opt_histogram[k];
        assert_int_equal(cell->opt_people, 20);
        assert_true(asked <= cell->opt_tacit_asked);
        assert_true(asked <= cell->opt_paper_asked);
        assert_true(cell->opt_tacit_asked <= 20 * cell->size);
    }
    tacit_experiment_free(e);
    tacit_schema_free(schema);
    tacit_table_free(table);
}

static bool stop_at_once(void *context, uint64_t done, uint64_t total)
{
    (void)done;
    (void)total;
    ++*(size_t *)context;
    return false;
}

static void experiment__stops_when_told(void **state)
{
    tacit_table *table = make_table(2);
    tacit_schema *schema = make_schema(table);
    tacit_experiment_options options = usual_options();
    tacit_experiment *e;
    size_t calls = 0;

    (void)state;
    options.progress = stop_at_once;
    options.progress_context = &calls;
    assert_int_equal(tacit_experiment_run(&e, table, schema, &options, NULL), TACIT_E_STOPPED);
    assert_null(e);
    assert_int_equal(calls, 1);
    tacit_schema_free(schema);
    tacit_table_free(table);
}

static void experiment__refuses_nonsense(void **state)
{
    tacit_table *table = make_table(2);
    tacit_schema *schema = make_schema(table);
    static const size_t too_many[] = {7}, none[] = {0}, falling[] = {3, 2};
    static const double above[] = {0.5}, twice[] = {0.1, 0.1};
    tacit_experiment *e;
    struct {
        tacit_experiment_options options;
        const char *words;
    } cases[8];

    (void)state;
    for (size_t i = 0; i < 8; i++)
        cases[i].options = usual_options();
    cases[0].options.sizes = too_many, cases[0].options.n_sizes = 1, cases[0].words = "cannot draw 7";
    cases[1].options.sizes = none, cases[1].options.n_sizes = 1, cases[1].words = "cannot draw 0";
    cases[2].options.sizes = falling, cases[2].options.n_sizes = 2, cases[2].words = "ascending";
    cases[3].options.deltas = above, cases[3].options.n_deltas = 1, cases[3].words = "below 0.5";
    cases[4].options.deltas = twice, cases[4].options.n_deltas = 2, cases[4].words = "ascending";
    cases[5].options.methods = "papr", cases[5].words = "did you mean 'paper'";
    cases[6].options.kinds = "logistic,logistic", cases[6].words = "twice";
    cases[7].options.reps = 0, cases[7].words = "at least one";
    for (size_t i = 0; i < 8; i++) {
        tacit_error err = {0};

        assert_int_equal(tacit_experiment_run(&e, table, schema, &cases[i].options, &err), TACIT_E_USAGE);
        assert_null(e);
        assert_non_null(strstr(err.message, cases[i].words));
    }
    tacit_schema_free(schema);
    tacit_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(experiment__counts_what_audits_count),
        cmocka_unit_test(experiment__trains_trees_as_fit_does),
        cmocka_unit_test(experiment__does_not_depend_on_threads),
        cmocka_unit_test(experiment__draws_nested_sets),
        cmocka_unit_test(experiment__samples_people_for_opt),
        cmocka_unit_test(experiment__stops_when_told),
        cmocka_unit_test(experiment__refuses_nonsense),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
