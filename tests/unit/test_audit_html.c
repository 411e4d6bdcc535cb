/*
 * test_audit_html.c -- the report of an audit: what is in it, what is left out to keep it small, where it comes from.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "audit_json.h"
#include "make_people.h"

enum { TEAMS = 900, MOST_BYTES = 1000000 };

static const double DELTAS[] = {0, 0.01, 0.05};

typedef struct fixture {
    tacit_model *model;
    tacit_audit *audit;
} fixture;

/* 900 teams of 20 to 24 people, two of them of 30. */
static const char *teams_file(void)
{
    tct_text text = {0};
    const char *path;

    tct_text_printf(&text, "team,age,income,job,note\n");
    for (size_t t = 0; t < TEAMS; t++)
        for (size_t i = 0; i < (t == 7 || t == 850 ? 30 : 20 + t % 5); i++)
            tct_text_printf(&text, "team%03zu,%zu,%zu.5,%s,\n", t, 20 + (t * 37 + i * 11) % 45,
                            1000 + (t * 733 + i * 97) % 3000, i % 2 ? "nurse" : "clerk");
    assert_false(text.failed);
    path = scratch_bytes(text.bytes, text.size);
    tct_text_free(&text);
    return path;
}

static int make_fixture(void **state)
{
    static fixture f;
    tacit_audit_options options = {.deltas = DELTAS, .n_deltas = 3, .threads = 1, .group = "team"};

    f.model = people_model(people_file(0, 500));
    assert_int_equal(tacit_audit_csv(&f.audit, f.model, teams_file(), NULL, &options, NULL), TACIT_OK);
    *state = &f;
    return 0;
}

static int free_fixture(void **state)
{
    fixture *f = *state;

    tacit_audit_free(f->audit);
    tacit_model_free(f->model);
    return 0;
}

/* What the page carries. */
static json_t *data_of(const fixture *f, const tacit_audit_provenance *about, size_t *size)
{
    static const char start[] = "id=\"data\">";
    tacit_error err = {0};
    char *page = NULL;
    json_t *json = NULL;
    const char *from;
    tacit_status st = tacit_audit_html(&page, f->audit, about, &err);

    assert_int_equal(st, TACIT_OK);
    from = strstr(page, start);
    assert_non_null(from);
    from += strlen(start);
    assert_int_equal(tct_json_parse(&json, from, (size_t)(strstr(from, "</script>") - from), "page", NULL), TACIT_OK);
    *size = strlen(page);
    tacit_text_free(page);
    return json;
}

static void html__is_small_with_many_groups(void **state)
{
    const fixture *f = *state;
    size_t size = 0, thirty = 0, n;
    json_t *json = data_of(f, NULL, &size), *groups = json_array_get(json_object_get(json, "groupings"), 0);
    json_t *list = json_object_get(groups, "list");
    const char *before = "";

    assert_non_null(groups);
    assert_true(size < MOST_BYTES);
    n = json_array_size(list);
    assert_true(n >= 60);
    assert_int_equal(json_integer_value(json_object_get(groups, "left_out")), TEAMS - n);
    /* The largest are there, in the order of their names: two of 30, then of 24, of which there are 180. */
    for (size_t i = 0; i < n; i++) {
        const json_t *group = json_array_get(list, i);
        json_int_t people = json_integer_value(json_object_get(group, "people"));
        const char *name = json_string_value(json_object_get(group, "name"));

        assert_true(strcmp(before, name) < 0);
        assert_true(people >= 24);
        thirty += people == 30;
        before = name;
        assert_int_equal(json_array_size(json_object_get(group, "results")), 3);
    }
    assert_int_equal(thirty, 2);
    json_decref(json);
}

/* As text: a whole number that was a double is read back as an integer. */
static void assert_same(const json_t *a, const json_t *b)
{
    char *x = NULL, *y = NULL;

    assert_true(a && b);
    assert_int_equal(tct_json_dump(&x, NULL, a, NULL), TACIT_OK);
    assert_int_equal(tct_json_dump(&y, NULL, b, NULL), TACIT_OK);
    assert_string_equal(x, y);
    tct_free(x);
    tct_free(y);
}

static void html__has_the_figures_of_the_json(void **state)
{
    static const char *const keys[] = {"histogram", "asked_people", "intervals", "failure", "settled", "mean_asked"};
    const fixture *f = *state;
    size_t size = 0;
    json_t *page = data_of(f, NULL, &size), *twin = tct_audit_to_json(f->audit, NULL);

    if (page) {
        for (size_t i = 0; i < 3; i++)
            for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
                const json_t *a = json_object_get(json_array_get(json_object_get(page, "results"), i), keys[k]);
                const json_t *b = json_object_get(json_array_get(json_object_get(twin, "results"), i), keys[k]);

                assert_same(a, b);
            }
        assert_same(json_object_get(page, "attributes"), json_object_get(twin, "attributes"));
    }
    json_decref(page);
    json_decref(twin);
}

static void json__says_where_it_comes_from(void **state)
{
    const fixture *f = *state;
    const char *const files[] = {"/some/where/a b.csv", "c.csv", "-"};
    tacit_audit_provenance about = {.files = files, .n_files = 3, .command = "tacit audit", .date = "today"};
    json_t *json = tct_audit_to_json(f->audit, &about);
    json_t *names = json_object_get(json_object_get(json, "data"), "files");
    json_t *first = json_array_get(json_object_get(json, "attributes"), 0);

    assert_string_equal(json_string_value(json_array_get(names, 0)), "a b.csv");
    assert_string_equal(json_string_value(json_array_get(names, 1)), "c.csv");
    assert_string_equal(json_string_value(json_array_get(names, 2)), "standard input");
    assert_string_equal(json_string_value(json_object_get(json, "command")), "tacit audit");
    assert_string_equal(json_string_value(json_object_get(json, "date")), "today");
    assert_string_equal(json_string_value(json_object_get(first, "question")), "Please give: age");
    json_decref(json);
    json = tct_audit_to_json(f->audit, NULL);
    assert_null(json_object_get(json, "command"));
    assert_null(json_object_get(json, "date"));
    assert_int_equal(json_array_size(json_object_get(json_object_get(json, "data"), "files")), 0);
    json_decref(json);
}

static void json__intervals_hold_what_they_are_about(void **state)
{
    const fixture *f = *state;
    json_t *json = tct_audit_to_json(f->audit, NULL), *results = json_object_get(json, "results");

    for (size_t i = 0; i < 3; i++) {
        const tacit_audit_result *r = tacit_audit_result_get(f->audit, i);
        const json_t *ends = json_object_get(json_object_get(json_array_get(results, i), "intervals"), "mean_asked");
        double low = json_number_value(json_array_get(ends, 0)), high = json_number_value(json_array_get(ends, 1));
        double sum = 0, squares = 0, n = (double)r->people, expected;

        for (size_t k = 0; k <= 3; k++) {
            sum += (double)(r->histogram[k] * k);
            squares += (double)(r->histogram[k] * k * k);
        }
        /* The textbook's other way to a variance. */
        expected = 1.96 * 1.96 * (squares - sum * sum / n) / (n - 1) / n;
        assert_true(low < r->mean_asked && r->mean_asked < high);
        assert_true((high - low) * (high - low) / 4 / expected > 1 - 1e-9);
        assert_true((high - low) * (high - low) / 4 / expected < 1 + 1e-9);
    }
    json_decref(json);
}

static void html__says_when_memory_is_short(void **state)
{
    const fixture *f = *state;
    tacit_audit_options options = {.deltas = DELTAS, .n_deltas = 3, .threads = 1};
    tacit_audit *small = NULL; /* a page of 900 teams takes long to come to nothing */

    assert_int_equal(tacit_audit_csv(&small, f->model, people_file(0, 500), NULL, &options, NULL), TACIT_OK);
    for (uint64_t n = 1; n <= 40; n++) {
        char *page = NULL;

        tct_memory_fail_at(n, true);
        assert_int_equal(tacit_audit_html(&page, small, NULL, NULL), TACIT_E_MEMORY);
        tct_memory_fail_at(0, false);
        assert_null(page);
    }
    tacit_audit_free(small);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(html__is_small_with_many_groups), cmocka_unit_test(html__has_the_figures_of_the_json),
        cmocka_unit_test(json__says_where_it_comes_from),  cmocka_unit_test(json__intervals_hold_what_they_are_about),
        cmocka_unit_test(html__says_when_memory_is_short),
    };

    return cmocka_run_group_tests(tests, make_fixture, free_fixture);
}
