/*
 * test_evidence_redundant.c -- columns that repeat each other, against brute force over all pairs of rows.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "redundant.h"
#include "scale.h"
#include "schema.h"
#include "scratch.h"

enum { MOST = 400 };

static uint32_t scratch[2 * MOST + TCT_PAIR_ROOM];

/* Codes in the order of first occurrence. */
static void code(tct_coded *column, const int *values, size_t n)
{
    uint32_t next = 0;
    tacit_error err;

    column->codes = tct_malloc(n, sizeof(*column->codes));
    assert_non_null(column->codes);
    for (size_t r = 0; r < n; r++) {
        size_t before = 0;

        while (values[before] != values[r])
            before++;
        column->codes[r] = before < r ? column->codes[before] : next++;
    }
    assert_int_equal(tct_coded_finish(column, n, &err), TACIT_OK);
    assert_int_equal(column->n_values, next);
}

/* Is b a function of a?  Every pair of rows is looked at. */
static bool follows(const int *a, const int *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            if (a[i] == a[j] && b[i] != b[j])
                return false;
    return true;
}

/* Logarithm of the chance to pass all tests by accident. */
static double accident(const int *a, const int *b, size_t n)
{
    size_t tests = 0, same = 0;

    for (size_t i = 0; i < n; i++) {
        bool again = false;

        for (size_t j = 0; j < n; j++) {
            again = again || (j < i && a[j] == a[i]);
            same += b[i] == b[j];
        }
        tests += again;
    }
    return (double)tests * log((double)same / (double)(n * n));
}

static bool is_constant(const int *a, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (a[i] != a[0])
            return false;
    return true;
}

/* Rows that differ once every value of a is renamed as well as can be. */
static size_t different(const int *a, const int *b, size_t n)
{
    size_t left = 0;

    for (size_t i = 0; i < n; i++) {
        size_t all = 0, most = 0;
        bool first = true;

        for (size_t j = 0; j < n; j++) {
            size_t rows = 0;

            first = first && !(j < i && a[j] == a[i]);
            all += a[j] == a[i];
            for (size_t k = 0; k < n; k++)
                rows += a[k] == a[i] && a[j] == a[i] && b[k] == b[j];
            most = rows > most ? rows : most;
        }
        left += first ? all - most : 0;
    }
    return left;
}

static size_t most_frequent(const int *a, size_t n)
{
    size_t most = 0;

    for (size_t i = 0; i < n; i++) {
        size_t rows = 0;

        for (size_t j = 0; j < n; j++)
            rows += a[j] == a[i];
        most = rows > most ? rows : most;
    }
    return most;
}

static tct_relation expected(const int *a, const int *b, size_t n)
{
    bool varied = !is_constant(a, n) && !is_constant(b, n);
    bool first = varied && follows(a, b, n) && accident(a, b, n) <= -20;
    bool second = varied && follows(b, a, n) && accident(b, a, n) <= -20;
    size_t ab, ba, worst, top_a = most_frequent(a, n), top_b = most_frequent(b, n);
    size_t rare = n - (top_a > top_b ? top_a : top_b);

    if (first || second)
        return first && second ? TCT_BOTH_TELL : first ? TCT_FIRST_TELLS : TCT_SECOND_TELLS;
    if (!varied || accident(a, b, n) > -20 || accident(b, a, n) > -20)
        return TCT_UNRELATED;
    ab = different(a, b, n);
    ba = different(b, a, n);
    worst = ab > ba ? ab : ba;
    return (double)worst <= 0.005 * (double)n && 10 * worst <= rare && rare >= 20 ? TCT_NEARLY_SAME : TCT_UNRELATED;
}

/* Two columns that may have to do with each other. */
static size_t make_columns(tct_random *random, int *a, int *b)
{
    size_t n = 20 + (size_t)tct_random_below(random, MOST - 20);
    uint64_t values = 1 + tct_random_below(random, tct_random_below(random, 3) ? 8 : 100);
    uint64_t kind = tct_random_below(random, 5), spoil = tct_random_below(random, 4);

    for (size_t r = 0; r < n; r++) {
        a[r] = (int)tct_random_below(random, values);
        b[r] = kind == 0   ? a[r] / 3
               : kind == 1 ? 1000 - a[r]
               : kind == 2 ? (int)tct_random_below(random, 3)
               : kind == 3 ? 30 * a[r]
                           : a[r] % 2;
    }
    for (uint64_t i = 0; i < spoil; i++)
        b[tct_random_below(random, n)] = (int)tct_random_below(random, 3);
    return n;
}

static void redundant__agrees_with_brute_force(void **state)
{
    static int a[MOST], b[MOST];
    size_t seen[5] = {0};
    tct_random random;

    (void)state;
    tct_random_seed(&random, 1, 0);
    for (size_t round = 0; round < scaled(300); round++) {
        size_t n = make_columns(&random, a, b);
        tct_coded x = {0}, y = {0};
        tct_relation found;

        code(&x, a, n);
        code(&y, b, n);
        found = tct_relate(&x, &y, n, scratch);
        assert_int_equal(found, expected(a, b, n));
        assert_int_equal(tct_determines(&x, &y, n, scratch), (found & 1) != 0);
        seen[found]++;
        tct_coded_clear(&x, n);
        tct_coded_clear(&y, n);
    }
    for (size_t i = 0; i < 5 && scaled(300) >= 300; i++)
        if (i != TCT_SECOND_TELLS)
            assert_true(seen[i] > 0); /* the test looks at every kind */
}

/* ---- remarks on whole tables ---- */

static tacit_schema *remark(const char *text)
{
    const tacit_infer_options options = {.label = "y"};
    tacit_table *table = NULL;
    tacit_schema *schema = NULL;
    tacit_error err = {0};

    if (tacit_table_read(&table, scratch_text(text), NULL, 1, &err) ||
        tacit_schema_infer(&schema, table, &options, &err))
        fail_msg("%s", err.message);
    tacit_table_free(table);
    return schema;
}

static const tacit_remark *find(const tacit_schema *schema, const char *kind, const char *first, const char *second)
{
    for (size_t i = 0; i < tacit_schema_remarks(schema); i++) {
        const tacit_remark *r = tacit_schema_remark(schema, i);

        if (strcmp(r->kind, kind) == 0 && r->n_columns >= 1 && strcmp(r->columns[0], first) == 0 &&
            (!second || (r->n_columns == 2 && strcmp(r->columns[1], second) == 0)))
            return r;
    }
    return NULL;
}

static void redundant__is_remarked(void **state)
{
    tct_text text = {0};
    tct_random random;
    tacit_schema *schema;

    (void)state;
    tct_random_seed(&random, 5, 0);
    tct_text_printf(&text, "age,group,term,days,weight,pounds,free,secret,y\n");
    for (int r = 0; r < 300; r++) {
        int age = 18 + (int)tct_random_below(&random, 60), term = 6 * (1 + (int)tct_random_below(&random, 6));
        double weight = 50 + 50 * tct_random_uniform(&random);

        tct_text_printf(&text, "%d,%s,%d,%d,%.3f,%.3f,%d,s%d,%d\n", age,
                        age < 30   ? "young"
                        : age < 60 ? "mid"
                                   : "old",
                        term, 30 * term, weight, 2.2046 * weight, (int)tct_random_below(&random, 4), r < 10 ? 0 : r,
                        (int)tct_random_below(&random, 2));
    }
    schema = remark(text.bytes);
    assert_non_null(find(schema, "determined", "age", "group"));
    assert_non_null(find(schema, "determined", "term", "days"));
    assert_non_null(find(schema, "near_duplicate", "weight", "pounds"));
    assert_non_null(find(schema, "near_unique", "secret", NULL));
    assert_null(find(schema, "determined", "age", "free"));
    for (size_t i = 0; i < tacit_schema_remarks(schema); i++) { /* nothing about what has nothing to do with others */
        const tacit_remark *r = tacit_schema_remark(schema, i);

        for (size_t k = 0; k < r->n_columns; k++)
            assert_string_not_equal(r->columns[k], "free");
        assert_null(strstr(r->text, "young")); /* names, no values */
    }
    tacit_schema_free(schema);
    tct_text_free(&text);
}

/* The same file gives the same remarks, byte for byte, on any number of threads. */
static void redundant__is_deterministic(void **state)
{
    tct_text text = {0};
    tct_random random;
    json_t *first, *second;
    tacit_schema *schema;

    (void)state;
    tct_random_seed(&random, 6, 0);
    tct_text_printf(&text, "y");
    for (int c = 0; c < 40; c++)
        tct_text_printf(&text, ",c%d", c);
    for (int r = 0; r < 100; r++) {
        int base = (int)tct_random_below(&random, 5);

        tct_text_printf(&text, "\n%d", r % 2);
        for (int c = 0; c < 40; c++)
            tct_text_printf(&text, ",%d", c % 3 ? (int)tct_random_below(&random, 9) : base * (c + 1));
    }
    schema = remark(text.bytes);
    first = tct_schema_remarks_json(schema);
    tacit_schema_free(schema);
    schema = remark(text.bytes);
    second = tct_schema_remarks_json(schema);
    tacit_schema_free(schema);
    assert_true(json_array_size(first) >= 13 && json_equal(first, second));
    json_decref(first);
    json_decref(second);
    tct_text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(redundant__agrees_with_brute_force),
        cmocka_unit_test(redundant__is_remarked),
        cmocka_unit_test(redundant__is_deterministic),
    };

    return cmocka_run_group_tests_name("redundant", tests, NULL, NULL);
}
