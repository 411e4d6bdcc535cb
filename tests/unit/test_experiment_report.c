/*
 * test_experiment_report.c -- tables, summary and page of an experiment whose counts are known; the figures were worked
 * out by hand from make_experiment.h.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "make_experiment.h"
#include "pages.h"

static tacit_experiment *run_of(size_t reps)
{
    tacit_experiment *e = make_experiment(reps);

    for (size_t k = 0; k < 2; k++)
        for (size_t r = 0; r < reps; r++)
            fill_trial(e, k, r);
    return e;
}

static json_t *summary_of(const tacit_experiment *e)
{
    char *text = NULL;
    json_t *json = NULL;

    assert_int_equal(tacit_experiment_json(&text, e, NULL), TACIT_OK);
    assert_int_equal(tct_json_parse(&json, text, strlen(text), "summary", NULL), TACIT_OK);
    tacit_text_free(text);
    return json;
}

/* "models[0].cells[1].size": the member at a path. */
static const json_t *at_path(const json_t *json, const char *path)
{
    while (*path) {
        char key[64] = "";
        size_t size = strcspn(path, ".[");

        if (*path == '[') {
            json = json_array_get(json, (size_t)strtoul(path + 1, NULL, 10));
            path = strchr(path, ']') + 1;
        } else if (*path == '.') {
            path++;
        } else {
            snprintf(key, sizeof(key), "%.*s", (int)size, path);
            json = json_object_get(json, key);
            path += size;
        }
        assert_non_null(json);
    }
    return json;
}

static void expect_number(const json_t *json, const char *path, double expected)
{
    double found = json_number_value(at_path(json, path));

    assert_true(json_is_number(at_path(json, path)));
    if (!(fabs(found - expected) <= 1e-15 * fmax(1, fabs(expected))))
        fail_msg("%s is %.17g, expected %.17g", path, found, expected);
}

static void expect_line(const char *text, const char *line)
{
    const char *found = strstr(text, line);

    if (!found || (found > text && found[-1] != '\n') || found[strlen(line)] != '\n')
        fail_msg("no line %s in:\n%s", line, text);
}

static size_t count_lines(const char *text)
{
    size_t n = 0;

    for (; *text; text++)
        n += *text == '\n';
    return n;
}

static void csv__has_a_row_per_model_repetition_size_method_and_delta(void **state)
{
    tacit_experiment *e = run_of(2);
    char *text = NULL;

    (void)state;
    assert_int_equal(tacit_experiment_csv(&text, e, NULL), TACIT_OK);
    assert_int_equal(count_lines(text), 1 + 2 * 2 * 2 * 6);
    expect_line(text, "model,repetition,size,method,delta,accuracy,fidelity,leakage,share,cost,people,sensitive");
    expect_line(text, "logistic,0,1,baseline,,0.8,1,1,1,2.5,10,\"income, net\"");
    expect_line(text, "logistic,0,1,opt,0,0.8,1,0.2,0.2,0.5,10,\"income, net\"");
    expect_line(text, "logistic,0,2,paper,0,0.8,1,0.8,0.4,1.55,10,\"income, net;job\"");
    expect_line(text, "logistic,0,2,paper,0.1,0.7,0.9,0.5,0.25,0.95,10,\"income, net;job\"");
    expect_line(text, "logistic,1,2,tacit,0,0.9,1,0.6,0.3,0.6,10,age;job");
    expect_line(text, "mlp,1,1,opt,0,0.9,1,0.2,0.2,0.2,5,age");
    assert_null(strstr(text, "nan"));
    tacit_text_free(text);
    tacit_experiment_free(e);
}

static void csv__doubles_quotes_in_names(void **state)
{
    tacit_experiment *e = run_of(1);
    char name[] = "a\"b", *text = NULL;
    const char *kept = e->schema->attributes[1].name;

    (void)state;
    e->schema->attributes[1].name = name;
    assert_int_equal(tacit_experiment_csv(&text, e, NULL), TACIT_OK);
    expect_line(text, "logistic,0,2,baseline,,0.8,1,2,1,3.5,10,\"a\"\"b;job\"");
    e->schema->attributes[1].name = kept;
    tacit_text_free(text);
    tacit_experiment_free(e);
}

static void csv__leaves_out_methods_not_asked_for(void **state)
{
    tacit_experiment *e = make_experiment(1);
    char *text = NULL;

    (void)state;
    e->methods[TACIT_METHOD_BASELINE] = e->methods[TACIT_METHOD_OPT] = false;
    fill_trial(e, 0, 0);
    fill_trial(e, 1, 0);
    assert_int_equal(tacit_experiment_csv(&text, e, NULL), TACIT_OK);
    assert_int_equal(count_lines(text), 1 + 2 * 2 * 4);
    assert_null(strstr(text, "baseline"));
    assert_null(strstr(text, "opt"));
    tacit_text_free(text);
    tacit_experiment_free(e);
}

static void seconds__are_apart_and_add_up(void **state)
{
    tacit_experiment *e = run_of(2);
    char *text = NULL;

    (void)state;
    assert_int_equal(tacit_experiment_seconds(&text, e, NULL), TACIT_OK);
    /* fit; opt, paper, tacit a size; networks: grid */
    assert_int_equal(count_lines(text), 1 + 2 * (1 + 2 * 3) + 2 * (1 + 2 * 4));
    expect_line(text, "model,repetition,size,method,delta,seconds");
    expect_line(text, "logistic,1,,fit,,1.5");
    expect_line(text, "logistic,0,1,opt,0,0.03333333333333333");
    expect_line(text, "logistic,0,1,paper,,1e-7");
    expect_line(text, "mlp,1,2,grid,0,2.25");
    tacit_text_free(text);
    tacit_experiment_free(e);
}

static void json__has_means_and_standard_errors(void **state)
{
    tacit_experiment *e = run_of(2);
    json_t *json = summary_of(e);

    (void)state;
    /* Accuracies 0.8 and 0.9: standard deviation 0.1 / sqrt 2, divided by sqrt 2. */
    expect_number(json, "models[0].cells[1].methods[0].accuracy.mean", 0.85);
    expect_number(json, "models[0].cells[1].methods[0].accuracy.se", 0.05);
    /* 2.5 + 1 and 1 + 1. */
    expect_number(json, "models[0].cells[1].methods[0].cost.mean", 2.75);
    expect_number(json, "models[0].cells[1].methods[0].cost.se", 0.75);
    assert_true(json_is_null(at_path(json, "models[0].cells[1].methods[0].delta")));
    assert_true(json_is_null(at_path(json, "models[0].cells[1].methods[0].rule")));
    assert_string_equal(json_string_value(at_path(json, "models[0].cells[1].methods[4].method")), "tacit");
    expect_number(json, "models[0].cells[1].methods[4].leakage.mean", 0.7);
    expect_number(json, "models[0].cells[1].methods[4].leakage.se", 0.1);
    expect_number(json, "models[0].cells[1].methods[4].fidelity.mean", 1);
    expect_number(json, "models[0].cells[1].methods[4].fidelity.se", 0);
    expect_number(json, "models[0].cells[1].methods[4].histogram[0]", 9);
    expect_number(json, "models[0].cells[1].methods[4].histogram[2]", 3);
    expect_number(json, "models[0].cells[1].methods[4].certain", 17);
    expect_number(json, "models[0].cells[1].people", 20);
    json_decref(json);
    tacit_experiment_free(e);
}

static void json__names_the_rules(void **state)
{
    static const char *const rules[2][4] = {{"entropy", "entropy", "stop", "entropy"},
                                            {"entropy", "entropy", "stop", "entropy"}};
    tacit_experiment *e = run_of(1);
    json_t *json = summary_of(e);

    (void)state;
    for (size_t k = 0; k < 2; k++)
        for (size_t v = 0; v < 4; v++) {
            char path[64];

            snprintf(path, sizeof path, "models[%zu].cells[0].methods[%zu].rule", k, v + 2);
            assert_string_equal(json_string_value(at_path(json, path)), rules[k][v]);
        }
    json_decref(json);
    tacit_experiment_free(e);
}

static void json__counts_who_was_asked_for_what(void **state)
{
    tacit_experiment *e = run_of(3);
    json_t *json = summary_of(e);

    (void)state;
    /* "income, net" is sensitive in repetitions 0 and 2, "age" in 1. */
    expect_number(json, "models[0].cells[0].methods[2].asked.income, net[0]", 8);
    expect_number(json, "models[0].cells[0].methods[2].asked.income, net[1]", 20);
    expect_number(json, "models[0].cells[0].methods[2].asked.age[0]", 4);
    expect_number(json, "models[0].cells[0].methods[2].asked.age[1]", 10);
    assert_null(json_object_get(at_path(json, "models[0].cells[0].methods[2].asked"), "job"));
    expect_number(json, "models[1].cells[0].methods[1].asked.age[1]", 5);
    expect_number(json, "models[1].cells[0].methods[1].people", 15);
    expect_number(json, "models[1].cells[0].methods[1].inexact", 3);
    json_decref(json);
    tacit_experiment_free(e);
}

static void json__tells_promised_and_observed_failure(void **state)
{
    tacit_experiment *e = run_of(2);
    json_t *json = summary_of(e);

    (void)state;
    expect_number(json, "models[0].cells[1].methods[3].failure.promised", 0.1);
    expect_number(json, "models[0].cells[1].methods[3].failure.stopped", 10);
    expect_number(json, "models[0].cells[1].methods[3].failure.failed", 2);
    expect_number(json, "models[0].cells[1].methods[3].failure.observed", 0.2);
    /* Clopper-Pearson, 2 of 10, 95 %: beta quantiles of (2, 9) and (3, 8). */
    assert_true(fabs(json_number_value(at_path(json, "models[0].cells[1].methods[3].failure.low")) -
                     0.0252107263268334) < 1e-12);
    assert_true(fabs(json_number_value(at_path(json, "models[0].cells[1].methods[3].failure.high")) -
                     0.5560954623076415) < 1e-12);
    expect_number(json, "models[0].cells[1].methods[2].failure.low", 0);
    json_decref(json);
    tacit_experiment_free(e);
}

static void json__tells_how_much_of_the_gap_is_closed(void **state)
{
    tacit_experiment *e = run_of(2);
    json_t *json = summary_of(e);

    (void)state;
    /* paper 0.8; tacit 0.8 and 0.6; opt 0.2: 0.1 of 0.6. */
    expect_number(json, "models[0].cells[1].gap.paper", 0.8);
    expect_number(json, "models[0].cells[1].gap.tacit", 0.7);
    expect_number(json, "models[0].cells[1].gap.opt", 0.2);
    assert_true(fabs(json_number_value(at_path(json, "models[0].cells[1].gap.closed")) - 1.0 / 6) < 1e-14);
    expect_number(json, "models[0].cells[0].gap.closed", 0);
    json_decref(json);
    e->deltas[0] = 0.01; /* nothing is proven: no gap */
    json = summary_of(e);
    assert_null(json_object_get(at_path(json, "models[0].cells[1]"), "gap"));
    json_decref(json);
    tacit_experiment_free(e);
}

static void json__gap_is_null_where_there_is_none(void **state)
{
    tacit_experiment *e = run_of(1);
    json_t *json;

    (void)state;
    e->trials[0].cells[0].opt_paper_asked = e->trials[0].cells[0].opt_tacit_asked = 2;
    json = summary_of(e);
    assert_true(json_is_null(at_path(json, "models[0].cells[0].gap.closed")));
    json_decref(json);
    tacit_experiment_free(e);
}

static void json__one_repetition_has_no_standard_error(void **state)
{
    tacit_experiment *e = run_of(1);
    json_t *json = summary_of(e);

    (void)state;
    assert_true(json_is_null(at_path(json, "models[0].cells[0].methods[0].accuracy.se")));
    json_decref(json);
    tacit_experiment_free(e);
}

static void json__grid_is_for_networks(void **state)
{
    tacit_experiment *e = run_of(2);
    json_t *json = summary_of(e);

    (void)state;
    expect_number(json, "models[1].cells[0].grid.stages", 14);
    expect_number(json, "models[1].cells[0].grid.missed", 4);
    expect_number(json, "models[1].cells[0].grid.points", 500);
    assert_null(json_object_get(at_path(json, "models[0].cells[0]"), "grid"));
    json_decref(json);
    tacit_experiment_free(e);
}

static void json__seeds_keep_all_digits(void **state)
{
    tacit_experiment *e = run_of(1);
    json_t *json;

    (void)state;
    e->seed = UINT64_MAX;
    json = summary_of(e);
    assert_string_equal(json_string_value(at_path(json, "settings.seed")), "18446744073709551615");
    json_decref(json);
    tacit_experiment_free(e);
}

static void html__holds_the_summary_or_says_there_are_no_pages(void **state)
{
    tacit_experiment *e = run_of(1);
    tacit_error err = {0};
    char *page = NULL;
    tacit_status st = tacit_experiment_html(&page, e, &err);

    (void)state;
    if (!tct_page_experiment) {
        assert_int_equal(st, TACIT_E_USAGE);
        assert_string_equal(err.message, "this Tacit was built without pages");
    } else {
        assert_int_equal(st, TACIT_OK);
        assert_non_null(strstr(page, "tacit-experiment"));
        assert_null(strstr(page, TCT_PAGE_DATA));
    }
    tacit_text_free(page);
    tacit_experiment_free(e);
}

static void all__lack_of_memory_is_an_error_and_leaks_nothing(void **state)
{
    static tacit_status (*const writers[])(char **, const tacit_experiment *, tacit_error *) = {
        tacit_experiment_csv, tacit_experiment_seconds, tacit_experiment_json};
    tacit_experiment *e = run_of(2);

    (void)state;
    for (size_t w = 0; w < 3; w++) {
        tacit_status st = TACIT_E_MEMORY;

        for (uint64_t n = 1; st != TACIT_OK; n++) {
            char *text = NULL;

            tct_memory_fail_at(n, true);
            st = writers[w](&text, e, NULL);
            tct_memory_fail_at(0, false);
            assert_true(st == TACIT_OK || (st == TACIT_E_MEMORY && !text));
            tacit_text_free(text);
        }
    }
    tacit_experiment_free(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv__has_a_row_per_model_repetition_size_method_and_delta),
        cmocka_unit_test(csv__doubles_quotes_in_names),
        cmocka_unit_test(csv__leaves_out_methods_not_asked_for),
        cmocka_unit_test(seconds__are_apart_and_add_up),
        cmocka_unit_test(json__has_means_and_standard_errors),
        cmocka_unit_test(json__names_the_rules),
        cmocka_unit_test(json__counts_who_was_asked_for_what),
        cmocka_unit_test(json__tells_promised_and_observed_failure),
        cmocka_unit_test(json__tells_how_much_of_the_gap_is_closed),
        cmocka_unit_test(json__gap_is_null_where_there_is_none),
        cmocka_unit_test(json__one_repetition_has_no_standard_error),
        cmocka_unit_test(json__grid_is_for_networks),
        cmocka_unit_test(json__seeds_keep_all_digits),
        cmocka_unit_test(html__holds_the_summary_or_says_there_are_no_pages),
        cmocka_unit_test(all__lack_of_memory_is_an_error_and_leaks_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
