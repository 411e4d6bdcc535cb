/*
 * test_domains.c -- domains that are found out: no end of one is the value of a single person.
 */
#include <math.h>
#include <setjmp.h>
#include <string.h>

#include "base.h"
#include "tacit.h"

#include <cmocka.h>

/* A column "v" with these values, each once, and 20 times the number `many`; its domain. */
static tacit_attribute domain_of(const char *const *values, size_t n, const char *many)
{
    tct_text text = {0};
    tacit_table *table = NULL;
    tacit_schema *schema = NULL;
    tacit_csv_options csv = {0};
    tacit_infer_options infer = {.label = "y"};
    tacit_attribute a;
    tacit_error err = {0};

    tct_text_printf(&text, "v,y\n");
    for (size_t i = 0; i < n + 20; i++)
        tct_text_printf(&text, "%s,%s\n", i < n ? values[i] : many, i % 2 ? "a" : "b");
    assert_int_equal(tacit_table_parse(&table, "people", text.bytes, text.size, &csv, 1, &err), TACIT_OK);
    assert_int_equal(tacit_schema_infer(&schema, table, &infer, &err), TACIT_OK);
    a = *tacit_schema_attribute(schema, 0);
    tacit_schema_free(schema);
    tacit_table_free(table);
    tct_text_free(&text);
    return a;
}

static void domains__single_people_are_rounded_outward(void **state)
{
    const char *const incomes[] = {"1013.27", "1500", "2200", "4987.5"}, *const ages[] = {"19", "30", "87"};
    const char *const debts[] = {"-731", "-20", "964"}, *const small[] = {"0.0131", "0.02", "0.0874"};
    tacit_attribute a;

    (void)state;
    a = domain_of(incomes, 4, "2000");
    assert_true(a.min == 1000 && a.max == 5000);
    a = domain_of(ages, 3, "40");
    assert_int_equal(a.type, TACIT_INTEGER);
    assert_true(a.min == 15 && a.max == 90);
    a = domain_of(debts, 3, "5");
    assert_true(a.min == -800 && a.max == 1000);
    a = domain_of(small, 3, "0.05");
    assert_true(a.min == 0.01 && a.max == 0.09);
}

/* What many people have points at nobody; and nothing is rounded across 0. */
static void domains__ends_of_many_people_stay(void **state)
{
    const char *const counts[] = {"1", "2", "7"}, *const dues[] = {"3.5", "88.2"};
    tacit_attribute a;

    (void)state;
    a = domain_of(counts, 3, "0");
    assert_true(a.min == 0 && a.max == 8);
    a = domain_of(dues, 2, "99.9");
    assert_true(a.min == 0 && a.max == 99.9);
    a = domain_of(NULL, 0, "7");
    assert_true(a.min == 7 && a.max == 7);
}

/* At the end of what a double holds there is nothing to round to, and everybody stays inside. */
static void domains__hold_everybody(void **state)
{
    const char *const huge[] = {"-1.7e307", "1.6e308"}, *const tiny[] = {"5e-324", "2e-320"};
    const char *const far[] = {"9007199254740994", "9007199254741000"};
    tacit_attribute a;

    (void)state;
    a = domain_of(huge, 2, "0");
    assert_true(isfinite(a.min) && isfinite(a.max) && a.min <= -1.7e307 && a.max >= 1.6e308);
    a = domain_of(tiny, 2, "0");
    assert_true(a.min == 0 && a.max >= 2e-320 && isfinite(a.max));
    a = domain_of(far, 2, "9007199254740996");
    assert_true(a.min <= 9007199254740994.0 && a.max >= 9007199254741000.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(domains__single_people_are_rounded_outward),
        cmocka_unit_test(domains__ends_of_many_people_stay),
        cmocka_unit_test(domains__hold_everybody),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
