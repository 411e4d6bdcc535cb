/*
 * Labels of a whole table are those that an audit counts with everything known and those of people one by one, on any number
 * of threads; scores are those behind them; and what is wrong with the table is told.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "make_people.h"

enum { PEOPLE = 2500 };

static void labels__as_audits_and_people(void **state)
{
    static const double deltas[] = {0};
    const char *file = people_file(0, PEOPLE);
    tacit_model *m = people_model(file);
    tacit_audit_options options = {.deltas = deltas, .n_deltas = 1};
    tacit_table *table = NULL;
    tacit_audit *audit = NULL;
    uint8_t labels[2][PEOPLE];
    double scores[PEOPLE];

    (void)state;
    options.size = sizeof options;
    options.keep_people = true;
    assert_int_equal(tacit_table_read(&table, file, NULL, 1, NULL), TACIT_OK);
    assert_int_equal(tacit_audit_table(&audit, m, table, &options, NULL), TACIT_OK);
    for (size_t threads = 1; threads <= 2; threads++) {
        const tacit_label_options how = {.size = sizeof how, .threads = threads};

        assert_int_equal(tacit_model_labels(m, table, &how, labels[threads - 1], scores, NULL), TACIT_OK);
    }
    assert_memory_equal(labels[0], labels[1], PEOPLE);
    assert_memory_equal(labels[0], tacit_audit_people_get(audit, 0)->full_labels, PEOPLE);
    for (size_t p = 0; p < PEOPLE; p++)
        assert_int_equal(labels[0][p], scores[p] >= 0);
    for (size_t p = 0; p < PEOPLE; p += 97) {
        tacit_person *person = NULL;

        assert_int_equal(tacit_person_from_table(&person, m, table, p + 1, NULL), TACIT_OK);
        assert_int_equal(labels[0][p], tacit_person_label(person));
        tacit_person_free(person);
    }
    memset(labels[1], 7, PEOPLE);
    assert_int_equal(tacit_model_labels(m, table, NULL, NULL, scores, NULL), TACIT_OK);
    assert_int_equal(tacit_model_labels(m, table, NULL, labels[1], NULL, NULL), TACIT_OK);
    assert_memory_equal(labels[0], labels[1], PEOPLE);
    tacit_audit_free(audit);
    tacit_table_free(table);
    tacit_model_free(m);
}

static void labels__tell_what_is_wrong(void **state)
{
    const char *file = people_file(0, 300);
    tacit_model *m = people_model(file);
    tacit_table *table = NULL;
    tacit_error err = {0};
    uint8_t labels[4];

    (void)state;
    assert_int_equal(tacit_table_parse(&table, "people", "age,job\n30,clerk\nold,pilot\n", 27, NULL, 1, NULL),
                     TACIT_OK);
    assert_int_equal(tacit_model_labels(m, table, NULL, labels, NULL, &err), TACIT_E_INPUT);
    assert_non_null(strstr(err.message, "income"));
    assert_non_null(strstr(err.message, "expected a whole number"));
    assert_null(strstr(err.message, "pilot"));
    tacit_table_free(table);
    assert_int_equal(tacit_table_parse(&table, "people", "age,income,job\n30,1,clerk\n40,2,pilot\n", 37, NULL, 1, NULL),
                     TACIT_OK);
    assert_int_equal(tacit_model_labels(m, table, NULL, labels, NULL, &err), TACIT_E_INPUT);
    assert_int_equal(err.row, 2);
    assert_string_equal(err.column, "job");
    tacit_table_free(table);
    tacit_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels__as_audits_and_people),
        cmocka_unit_test(labels__tell_what_is_wrong),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
