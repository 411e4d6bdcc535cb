/*
 * Options of programs that were built with another header: shorter ones count as far as they go, longer ones as long as
 * they say nothing that is not known here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "make_model.h"
#include "make_people.h"
#include "session.h"

typedef struct small {
    size_t size;
    int first, second;
} small;

typedef struct large {
    size_t size;
    int first, second, third;
    char more[20];
} large;

static void options__copied_by_size(void **state)
{
    small own;
    large newer = {.size = sizeof newer, .first = 1, .second = 2};
    small older = {.size = TCT_UP_TO(small, first), .first = 3, .second = 99};
    small plain = {.first = 4, .second = 5};
    tacit_error err = {0};

    (void)state;
    assert_int_equal(tct_options_take(&own, sizeof own, sizeof own, &newer, "small", &err), TACIT_OK);
    assert_true(own.first == 1 && own.second == 2);
    newer.third = 7;
    assert_int_equal(tct_options_take(&own, sizeof own, sizeof own, &newer, "small", &err), TACIT_E_USAGE);
    assert_string_equal(err.message, "small: the program sets what this version of Tacit does not know");
    newer.third = 0;
    newer.more[19] = 1;
    assert_int_equal(tct_options_take(&own, sizeof own, sizeof own, &newer, "small", &err), TACIT_E_USAGE);
    assert_int_equal(tct_options_take(&own, sizeof own, sizeof own, &older, "small", &err), TACIT_OK);
    assert_true(own.first == 3 && own.second == 0);
    assert_int_equal(tct_options_take(&own, sizeof own, sizeof own, &plain, "small", &err), TACIT_OK);
    assert_true(own.first == 4 && own.second == 5);
    assert_int_equal(tct_options_take(&own, sizeof own, TCT_UP_TO(small, first), &plain, "small", &err), TACIT_OK);
    assert_true(own.first == 4 && own.second == 0);
    assert_int_equal(tct_options_take(&own, sizeof own, sizeof own, NULL, "small", &err), TACIT_OK);
    assert_true(own.first == 0 && own.second == 0);
    plain.size = 3;
    assert_int_equal(tct_options_take(&own, sizeof own, sizeof own, &plain, "small", &err), TACIT_E_USAGE);
    plain.size = (size_t)-1;
    assert_int_equal(tct_options_take(&own, sizeof own, sizeof own, &plain, "small", &err), TACIT_E_USAGE);
    assert_string_equal(err.message, "small: the size is not that of the struct");
}

/* Options of a program to come: ours, with something behind. */
#define LONGER(type)                                                                                                   \
    struct {                                                                                                           \
        type known;                                                                                                    \
        uint64_t later;                                                                                                \
    }

static void options__sessions(void **state)
{
    tacit_model *model = make_mlp_model(3, 5, 2, true, 1, 4);
    LONGER(tacit_release_options) newer = {.known = {.size = sizeof newer, .delta = 0.1}};
    tacit_release_options older = {.size = TCT_UP_TO(tacit_release_options, delta), .delta = 0.1, .rule = 77};
    tacit_session *session = NULL;
    tacit_error err = {0};

    (void)state;
    assert_int_equal(tacit_session_open(&session, model, &older, &err), TACIT_OK); /* its rule is not looked at */
    assert_int_equal(tacit_session_rule(session), TACIT_RULE_ENTROPY);
    older.size = sizeof older;
    assert_int_equal(tacit_session_restart(session, &older, &err), TACIT_E_USAGE);
    assert_int_equal(tacit_session_restart(session, &newer.known, &err), TACIT_OK);
    tacit_session_free(session);
    newer.later = 1;
    assert_int_equal(tacit_session_open(&session, model, &newer.known, &err), TACIT_E_USAGE);
    assert_null(session);
    assert_non_null(strstr(err.message, "tacit_release_options"));
    tacit_model_free(model);
}

/* Each public function that takes options looks at their size. */
static void options__everywhere(void **state)
{
    const char *path = people_file(0, 300);
    const double delta = 0;
    const size_t wrong = (size_t)1 << 40;
    tacit_model *model = people_model(path), *made = NULL;
    tacit_table *table = NULL, *other = NULL;
    tacit_schema *schema = NULL;
    tacit_audit *audit = NULL;
    tacit_person *person = NULL;
    tacit_experiment *experiment = NULL;
    tacit_necessity *necessity = NULL;
    char *text = NULL;
    tacit_csv_options csv = {.size = wrong};
    tacit_audit_options counted = {.deltas = &delta, .n_deltas = 1};
    tacit_audit_provenance about = {.size = wrong};
    tacit_experiment_options many = {.fit = {.reserved = {[4] = 1}}};
    tacit_necessity_options needed = {.fit = {.size = wrong}};

    (void)state;
    assert_int_equal(tacit_table_read(&table, path, NULL, 1, NULL), TACIT_OK);
    assert_int_equal(tacit_table_read(&other, path, &csv, 1, NULL), TACIT_E_USAGE);
    assert_int_equal(tacit_table_parse(&other, NULL, "a\n1\n", 4, &csv, 1, NULL), TACIT_E_USAGE);
    assert_int_equal(tacit_table_build(&other, NULL,
                                       &(tacit_column){.name = "a", .type = TACIT_COLUMN_BOOL, .values = ""}, 1, 1,
                                       &csv, 1, NULL),
                     TACIT_E_USAGE);
    assert_int_equal(tacit_person_read_row(&person, model, path, &csv, 1, NULL), TACIT_E_USAGE);
    assert_int_equal(
        tacit_schema_infer(&schema, table, &(tacit_infer_options){.size = wrong, .label = "outcome"}, NULL),
        TACIT_E_USAGE);
    assert_int_equal(tacit_fit(&made, table, tacit_model_schema(model), &(tacit_fit_options){.size = wrong}, NULL),
                     TACIT_E_USAGE);
    assert_int_equal(tacit_fit(&made, table, tacit_model_schema(model), &(tacit_fit_options){.reserved = {1}}, NULL),
                     TACIT_E_USAGE);
    assert_int_equal(tacit_import_parse(&made, "", 0, table, tacit_model_schema(model),
                                        &(tacit_import_options){.size = wrong}, NULL),
                     TACIT_E_USAGE);
    assert_int_equal(tacit_model_calibrate(&made, model, table, &(tacit_calibrate_options){.size = wrong}, NULL),
                     TACIT_E_USAGE);
    assert_int_equal(tacit_audit_csv(&audit, model, path, &csv, &counted, NULL), TACIT_E_USAGE);
    assert_int_equal(tacit_audit_table(&audit, model, table, &counted, NULL), TACIT_OK);
    assert_int_equal(tacit_audit_json_about(&text, audit, &about, NULL), TACIT_E_USAGE);
    assert_int_equal(tacit_audit_html(&text, audit, &about, NULL), TACIT_E_USAGE);
    assert_int_equal(tacit_audit_partial(&text, audit, &about, NULL), TACIT_E_USAGE);
    assert_int_equal(tacit_report_check(&about, NULL), TACIT_E_USAGE);
    tacit_audit_free(audit);
    counted.size = wrong;
    assert_int_equal(tacit_audit_table(&audit, model, table, &counted, NULL), TACIT_E_USAGE);
    assert_int_equal(tacit_audit_csv(&audit, model, path, NULL, &counted, NULL), TACIT_E_USAGE);
    assert_int_equal(tacit_experiment_run(&experiment, table, tacit_model_schema(model), &many, NULL), TACIT_E_USAGE);
    assert_int_equal(tacit_necessity_run(&necessity, table, tacit_model_schema(model), &needed, NULL), TACIT_E_USAGE);
    assert_true(!other && !person && !schema && !made && !audit && !text && !experiment && !necessity);
    tacit_table_free(table);
    tacit_model_free(model);
}

/* Size 0 stands for the struct of release 0.1, and that has every member that there is. */
static void options__size_0_counts_every_member(void **state)
{
    const char *path = people_file(0, 300);
    const double delta = 0;
    tacit_model *model = people_model(path);
    tacit_table *table = NULL;
    tacit_schema *schema = NULL;
    tacit_audit *audit = NULL;
    tacit_session *session = NULL;
    tacit_error err = {0};

    (void)state;
    assert_int_equal(tacit_session_open(&session, model, &(tacit_release_options){.delta = 0.1, .brief = true}, NULL),
                     TACIT_OK);
    assert_true(session->options.brief);
    tacit_session_free(session);
    assert_int_equal(tacit_table_read(&table, path, NULL, 1, NULL), TACIT_OK);
    assert_int_equal(
        tacit_schema_infer(&schema, table, &(tacit_infer_options){.label = "outcome", .categories = "nobody"}, &err),
        TACIT_E_USAGE);
    assert_non_null(strstr(err.message, "nobody"));
    assert_int_equal(tacit_audit_table(&audit, model, table,
                                       &(tacit_audit_options){.deltas = &delta, .n_deltas = 1, .opt_share = 2}, NULL),
                     TACIT_E_USAGE);
    assert_true(!schema && !audit);
    tacit_table_free(table);
    tacit_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options__copied_by_size),
        cmocka_unit_test(options__sessions),
        cmocka_unit_test(options__everywhere),
        cmocka_unit_test(options__size_0_counts_every_member),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
