/*
 * Every allocation, read and write fails once: each journey through the library is run again and again with the n-th
 * one failing, until a run comes through untouched.  Whatever fails must be reported, nothing may be left half built
 * (the sanitizer build looks for leaks), and files keep their old content.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base.h"
#include "make_arrow.h"
#include "scale.h"
#include "scratch.h"

static const double DELTAS[] = {0, 0.1};

/* Files shared by the journeys. */
static char people_path[600], few_path[600], model_path[600], out_path[600], answers_path[600];
/* An ONNX file, what belongs to it, the model made of it and a receipt of somebody's decision. */
static char trees_path[600], trees_people_path[600];
static char pipeline_path[600], pipeline_people_path[600];
static char onnx_path[600], onnx_people_path[600], onnx_schema_path[600], network_path[600], receipt_path[600];
enum { RECEIPT_ROW = 335 }; /* whose decision is certain before everything is asked */

static const char *make_people(void)
{
    static char text[40000];
    size_t at = (size_t)snprintf(text, sizeof text, "age,income,job,flag,outcome\n");
    tct_random random;

    tct_random_seed(&random, 11, 0);
    for (int i = 0; i < 400; i++) {
        static const char *const jobs[] = {"clerk", "nurse", "smith", ""};
        double age = 20 + 50 * tct_random_uniform(&random), income = 1000 + 60 * age * tct_random_uniform(&random);
        uint64_t job = tct_random_below(&random, 4), flag = tct_random_below(&random, 2);
        bool yes = income / 1000 + (double)job - 2 * (double)flag + tct_random_normal(&random) > 3;

        at += (size_t)snprintf(text + at, sizeof text - at, "%.0f,%.2f,%s,%d,%s\n", age, income, jobs[job], (int)flag,
                               yes ? "yes" : "no");
    }
    return text;
}

/* ---------------------------------------------------------------- journeys: OK or the status of what failed */

static tacit_status fit_and_save_as(tacit_fit_options fit, tacit_error *err)
{
    tacit_infer_options infer = {.label = "outcome", .public_ = "age", .test_share = 0.3, .seed = 1};
    tacit_table *table = NULL;
    tacit_schema *schema = NULL;
    tacit_model *model = NULL;
    tacit_status st = tacit_table_read(&table, people_path, NULL, 1, err);

    fit.test_share = 0.3;
    fit.seed = fit.threads = 1;
    if (!st)
        st = tacit_schema_infer(&schema, table, &infer, err);
    if (!st)
        st = tacit_fit(&model, table, schema, &fit, err);
    if (!st)
        st = tacit_model_save(model, out_path, err);
    tacit_model_free(model);
    tacit_schema_free(schema);
    tacit_table_free(table);
    return st;
}

static tacit_status fit_and_save(tacit_error *err)
{
    return fit_and_save_as((tacit_fit_options){0}, err);
}

static tacit_status fit_trees(tacit_error *err)
{
    return fit_and_save_as((tacit_fit_options){.kind = "trees", .trees = 3, .depth = 3, .threshold = 0.4}, err);
}

/* A range and some levels, what follows from them, and back again. */
static tacit_status narrow_and_undo(tacit_session *session, tacit_error *err)
{
    static const size_t levels[] = {0, 1};
    tacit_decision decision;
    tacit_status st = tacit_session_narrow(session, 1, "1500", NULL, err);

    if (!st)
        st = tacit_session_narrow_levels(session, 2, levels, 2, err);
    if (!st)
        st = tacit_session_decision(session, &decision, err);
    if (!st)
        st = tacit_session_undo(session, err);
    return st ? st : tacit_session_undo(session, err);
}

/* Save, begin again with other options, and go on from there. */
static tacit_status go_elsewhere(tacit_session *session, const tacit_model *model, tacit_error *err)
{
    tacit_release_options options = {.delta = 0.1};
    size_t size = tacit_session_state_size(model);
    unsigned char bytes[1024];
    tacit_outlook ahead;
    tacit_decision decision;
    tacit_status st = size <= sizeof bytes ? tacit_session_save(session, bytes, err)
                                           : tct_fail(err, TACIT_E_INTERNAL, "a larger model than was meant");

    if (!st)
        st = tacit_session_restart(session, &options, err);
    if (!st)
        st = tacit_session_restore(session, bytes, size, err);
    if (!st && tacit_session_events(session) > 0)
        st = tacit_session_undo(session, err);
    if (!st)
        st = tacit_session_outlook(session, 4, &ahead, err);
    return st ? st : tacit_session_decision(session, &decision, err);
}

static tacit_status load_and_ask(tacit_error *err)
{
    tacit_release_options options = {.delta = 0.05};
    tacit_model *model = NULL, *other = NULL;
    tacit_session *session = NULL;
    tacit_person *person = NULL, *known = NULL;
    tacit_certificate certificate = {0};
    tacit_basis *basis = NULL, *asked = NULL;
    tacit_change change;
    tacit_outlook ahead;
    size_t members[8], n;
    tacit_status st = tacit_model_load(&model, model_path, err);

    if (!st)
        st = tacit_model_with_roles(&other, model, "income,job", NULL, err);
    if (!st)
        st = tacit_person_read_row(&person, other, people_path, NULL, 7, err);
    if (!st)
        st = tacit_session_open(&session, other, &options, err);
    if (!st)
        st = tacit_session_outlook(session, 0, &ahead, err);
    if (!st)
        st = narrow_and_undo(session, err);
    if (!st)
        st = tacit_session_replay(session, person, err);
    if (!st)
        st = go_elsewhere(session, other, err);
    if (!st)
        st = tacit_smallest_core(person, true, members, &n, err);
    if (!st)
        st = tacit_change_of(person, 1, &change, err);
    if (!st)
        st = tacit_person_new(&known, other, err);
    if (!st)
        st = tacit_person_read_json(known, answers_path, err);
    if (!st)
        st = tacit_certify(&certificate, known, err);
    if (!st)
        st = tacit_person_basis(&basis, known, err);
    if (!st)
        st = tacit_session_basis(&asked, session, err);
    tacit_basis_free(basis);
    tacit_basis_free(asked);
    tacit_certificate_clear(&certificate);
    tacit_person_free(known);
    tacit_session_free(session);
    tacit_person_free(person);
    tacit_model_free(other);
    tacit_model_free(model);
    return st;
}

static tacit_status audit_file(tacit_error *err)
{
    static const char *const GROUPINGS[] = {"age:30,50", "job*age:3"};
    char rows[700];
    tacit_audit_options options = {.deltas = DELTAS,
                                   .n_deltas = 2,
                                   .threads = 1,
                                   .group = "job",
                                   .groupings = GROUPINGS,
                                   .n_groupings = 2,
                                   .rows_path = rows,
                                   .unknown_as_missing = true};
    tacit_model *model = NULL;
    tacit_audit *audit = NULL;
    char *json = NULL;
    tacit_status st = tacit_model_load(&model, model_path, err);

    snprintf(rows, sizeof rows, "%s.rows", out_path);
    if (!st)
        st = tacit_audit_csv(&audit, model, people_path, NULL, &options, err);
    if (!st)
        st = tacit_audit_json(&json, audit, err);
    if (!st)
        st = tacit_file_write(out_path, json, strlen(json), err);
    tacit_text_free(json);
    tacit_audit_free(audit);
    tacit_model_free(model);
    unlink(rows);
    return st;
}

static tacit_status calibrate_and_save(tacit_error *err)
{
    tacit_calibrate_options options = {.part = TACIT_PART_HELD_OUT, .threads = 1};
    tacit_table *table = NULL;
    tacit_model *model = NULL, *calibrated = NULL;
    tacit_status st = tacit_model_load(&model, model_path, err);

    if (!st)
        st = tacit_table_read(&table, people_path, NULL, 1, err);
    if (!st)
        st = tacit_model_calibrate(&calibrated, model, table, &options, err);
    if (!st)
        st = tacit_model_save(calibrated, out_path, err);
    tacit_model_free(calibrated);
    tacit_model_free(model);
    tacit_table_free(table);
    return st;
}

/* Two parts of an audit, joined. */
static tacit_status part_and_merge(tacit_error *err)
{
    static const char *const GROUPINGS[] = {"age:30,50*job"};
    char parts[2][700];
    const char *paths[] = {parts[0], parts[1]};
    tacit_audit_options options = {.deltas = DELTAS,
                                   .n_deltas = 2,
                                   .threads = 1,
                                   .group = "job",
                                   .groupings = GROUPINGS,
                                   .n_groupings = 1,
                                   .unknown_as_missing = true,
                                   .no_opt = true,
                                   .partial = true};
    tacit_model *model = NULL;
    tacit_audit *audit = NULL;
    char *text = NULL;
    tacit_status st = tacit_model_load(&model, model_path, err);

    for (size_t i = 0; i < 2 && !st; i++) {
        snprintf(parts[i], sizeof parts[i], "%s.%zu", out_path, i);
        st = tacit_audit_csv(&audit, model, i ? few_path : people_path, NULL, &options, err);
        if (!st)
            st = tacit_audit_partial(&text, audit, NULL, err);
        if (!st)
            st = tacit_file_write(parts[i], text, strlen(text), err);
        tacit_text_free(text);
        tacit_audit_free(audit);
        text = NULL;
        audit = NULL;
    }
    if (!st)
        st = tacit_audit_merge(&audit, paths, 2, err);
    if (!st)
        st = tacit_audit_json(&text, audit, err);
    if (!st)
        st = tacit_file_write(out_path, text, strlen(text), err);
    tacit_text_free(text);
    tacit_audit_free(audit);
    tacit_model_free(model);
    unlink(parts[0]);
    unlink(parts[1]);
    return st;
}

/* threshold: 0 is the usual. */
static tacit_status import_network(double threshold, tacit_error *err)
{
    tacit_import_options options = {.test_share = 0.3, .seed = 1, .threads = 1, .threshold = threshold};
    tacit_table *table = NULL;
    tacit_schema *schema = NULL;
    tacit_model *model = NULL;
    tacit_status st = tacit_table_read(&table, onnx_people_path, NULL, 1, err);

    if (!st)
        st = tacit_schema_read(&schema, onnx_schema_path, err);
    if (!st)
        st = tacit_import(&model, onnx_path, table, schema, &options, err);
    if (!st)
        st = tacit_model_save(model, out_path, err);
    tacit_model_free(model);
    tacit_schema_free(schema);
    tacit_table_free(table);
    return st;
}

static tacit_status import_and_save(tacit_error *err)
{
    return import_network(0, err);
}

/* Written, read and checked; the output is the checked receipt. */
static tacit_status receipt_of_network(tacit_error *err)
{
    tacit_release_options options = {.delta = 0};
    tacit_model *model = NULL;
    tacit_session *session = NULL;
    tacit_person *person = NULL;
    tacit_check check = {0};
    tacit_grid grid;
    char *text = NULL, *by_us = NULL;
    /* The first key in the tests of RFC 8032, section 7.1. */
    static const unsigned char key[64] = {0x9d, 0x61, 0xb1, 0x9d, 0xef, 0xfd, 0x5a, 0x60, 0xba, 0x84, 0x4a, 0xf4, 0x92,
                                          0xec, 0x2c, 0xc4, 0x44, 0x49, 0xc5, 0x69, 0x7b, 0x32, 0x69, 0x19, 0x70, 0x3b,
                                          0xac, 0x03, 0x1c, 0xae, 0x7f, 0x60, 0xd7, 0x5a, 0x98, 0x01, 0x82, 0xb1, 0x0a,
                                          0xb7, 0xd5, 0x4b, 0xfe, 0xd3, 0xc9, 0x64, 0x07, 0x3a, 0x0e, 0xe1, 0x72, 0xf3,
                                          0xda, 0xa6, 0x23, 0x25, 0xaf, 0x02, 0x1a, 0x68, 0xf7, 0x07, 0x51, 0x1a};
    tacit_status st = tacit_model_load(&model, network_path, err);

    if (!st)
        st = tacit_person_read_row(&person, model, onnx_people_path, NULL, RECEIPT_ROW, err);
    if (!st)
        st = tacit_session_open(&session, model, &options, err);
    if (!st)
        st = tacit_session_replay(session, person, err);
    if (!st)
        st = tacit_certify_grid(&grid, tacit_session_person(session), 0.2, err);
    if (!st)
        st = tacit_session_receipt(&text, session, NULL, NULL, err);
    if (!st)
        st = tacit_receipt_sign(&by_us, text, key, err);
    if (!st)
        st = tacit_file_write(receipt_path, by_us, strlen(by_us), err);
    if (!st)
        st = tacit_check_receipt(&check, model, receipt_path, NULL, err);
    if (!st && !(check.valid && check.is_signed && check.settled == TACIT_CERTAIN && check.leaves > 1))
        st = tct_fail(err, TACIT_E_INTERNAL, "not the receipt that was meant: %s", check.reason);
    if (!st)
        st = tacit_file_write(out_path, text, strlen(text), err);
    tacit_text_free(text);
    tacit_text_free(by_us);
    tacit_session_free(session);
    tacit_person_free(person);
    tacit_model_free(model);
    return st;
}

enum { FEW = 40 };

/* Some people as an Arrow stream, which is released whatever happens. */
static tacit_status read_stream(tacit_table **out, tacit_error *err)
{
    static const char words[] = "clerknursesmith", outcomes[] = "yesno";
    static const int32_t word_ends[] = {0, 5, 10, 15}, outcome_ends[] = {0, 3, 5};
    static int32_t age[FEW];
    static double income[FEW];
    static int8_t job[FEW], outcome[FEW];
    static const unsigned char flags[FEW / 8] = {0x5A, 0x33, 0x0F, 0x81, 0xFE};
    const arrow_column jobs = {.format = "u", .buffers = {NULL, word_ends, words}, .n_buffers = 3, .length = 3};
    const arrow_column classes = {
        .format = "u", .buffers = {NULL, outcome_ends, outcomes}, .n_buffers = 3, .length = 2};
    const arrow_column columns[] = {
        {.name = "age", .format = "i", .buffers = {NULL, age}, .n_buffers = 2},
        {.name = "income", .format = "g", .buffers = {NULL, income}, .n_buffers = 2},
        {.name = "job", .format = "c", .buffers = {NULL, job}, .n_buffers = 2, .dictionary = &jobs},
        {.name = "flag", .format = "b", .buffers = {NULL, flags}, .n_buffers = 2},
        {.name = "outcome", .format = "c", .buffers = {NULL, outcome}, .n_buffers = 2, .dictionary = &classes}};
    arrow_source source = {.columns = columns, .n = 5, .rows = FEW, .step = 7};
    struct ArrowArrayStream stream;
    tacit_status st;

    for (size_t i = 0; i < FEW; i++) {
        age[i] = 20 + (int32_t)i;
        income[i] = 1000 + 97.5 * (double)i;
        job[i] = (int8_t)(i % 3);
        outcome[i] = i % 5 < 2;
    }
    arrow_stream(&stream, &source);
    st = tacit_table_from_arrow_stream(out, NULL, &stream, NULL, 1, err);
    if (arrow_alive != 0)
        st = tct_fail(err, TACIT_E_INTERNAL, "%d Arrow structs were not released", arrow_alive);
    return st;
}

/* Columns into an audit that keeps people and rows, everything in memory. */
static tacit_status audit_columns(tacit_error *err)
{
    tacit_audit_options options = {
        .deltas = DELTAS, .n_deltas = 2, .threads = 1, .group = "job", .keep_people = true, .keep_rows = true};
    tacit_model *model = NULL;
    tacit_table *table = NULL;
    tacit_person *person = NULL;
    tacit_audit *audit = NULL;
    size_t size = 0;
    const char *rows = NULL;
    tacit_status st = tacit_model_load(&model, model_path, err);

    if (!st)
        st = read_stream(&table, err);
    if (!st)
        st = tacit_person_from_table(&person, model, table, 3, err);
    if (!st)
        st = tacit_person_parse_json(person, "{\"age\": 33}", 11, err);
    if (!st)
        st = tacit_audit_table(&audit, model, table, &options, err);
    if (!st)
        rows = tacit_audit_rows(audit, &size);
    if (!st)
        st = tacit_file_write(out_path, rows, size, err);
    tacit_audit_free(audit);
    tacit_person_free(person);
    tacit_table_free(table);
    tacit_model_free(model);
    return st;
}

/* Trees brought from XGBoost, somebody asked, the receipt checked: three classes, numbers that may be missing. */
static tacit_status trees_and_receipt(tacit_error *err)
{
    tacit_import_options import = {.threads = 1, .label = "outcome", .predictions = "label"};
    tacit_release_options options = {.delta = 0};
    tacit_table *table = NULL;
    tacit_model *model = NULL;
    tacit_session *session = NULL;
    tacit_person *person = NULL;
    tacit_check check = {0};
    char *text = NULL;
    tacit_status st = tacit_table_read(&table, trees_people_path, NULL, 1, err);

    if (!st)
        st = tacit_import(&model, trees_path, table, NULL, &import, err);
    if (!st)
        st = tacit_person_read_row(&person, model, trees_people_path, NULL, 1, err);
    if (!st)
        st = tacit_session_open(&session, model, &options, err);
    if (!st)
        st = tacit_session_replay(session, person, err);
    if (!st)
        st = tacit_session_receipt(&text, session, NULL, NULL, err);
    if (!st)
        st = tacit_file_write(receipt_path, text, strlen(text), err);
    if (!st)
        st = tacit_check_receipt(&check, model, receipt_path, NULL, err);
    if (!st && !(check.valid && check.settled == TACIT_CERTAIN))
        st = tct_fail(err, TACIT_E_INTERNAL, "not the receipt that was meant: %s", check.reason);
    if (!st)
        st = tacit_model_save(model, out_path, err);
    tacit_text_free(text);
    tacit_session_free(session);
    tacit_person_free(person);
    tacit_model_free(model);
    tacit_table_free(table);
    return st;
}

static tacit_status import_said(const char *model_file, const char *people, const char *said, tacit_error *err)
{
    tacit_import_options options = {.threads = 1, .label = "outcome", .predictions = said};
    tacit_table *table = NULL;
    tacit_model *model = NULL;
    tacit_status st = tacit_table_read(&table, people, NULL, 1, err);

    if (!st)
        st = tacit_import(&model, model_file, table, NULL, &options, err);
    if (!st)
        st = tacit_model_save(model, out_path, err);
    tacit_model_free(model);
    tacit_table_free(table);
    return st;
}

static tacit_status import_trees(const char *model_file, const char *people, tacit_error *err)
{
    return import_said(model_file, people, "label", err);
}

/* Descriptions: trees of XGBoost and a network, each behind a pipeline. */
static tacit_status import_described(tacit_error *err)
{
    return import_said(TEST_DATA_DIR "/../golden/described/xgboost.json",
                       TEST_DATA_DIR "/../golden/described/xgboost.csv", "said", err);
}

static tacit_status import_described_network(tacit_error *err)
{
    return import_said(TEST_DATA_DIR "/../golden/described/network.json",
                       TEST_DATA_DIR "/../golden/described/network.csv", "said", err);
}

/* A forest behind a pipeline, from ONNX, without a schema. */
static tacit_status import_pipeline(tacit_error *err)
{
    return import_trees(pipeline_path, pipeline_people_path, err);
}

/* Categories by the levels that pandas coded. */
static tacit_status import_lightgbm(tacit_error *err)
{
    return import_trees(TEST_DATA_DIR "/../golden/lightgbm/pandas.txt", TEST_DATA_DIR "/../golden/lightgbm/pandas.csv",
                        err);
}

static tacit_status import_catboost(tacit_error *err)
{
    return import_trees(TEST_DATA_DIR "/../golden/catboost/multiclass.json",
                        TEST_DATA_DIR "/../golden/catboost/multiclass.csv", err);
}

/* A network with another threshold than one half. */
static tacit_status import_with_threshold(tacit_error *err)
{
    return import_network(0.3, err);
}

typedef tacit_status (*journey)(tacit_error *err);
static const journey JOURNEYS[] = {
    fit_and_save,          fit_trees,         load_and_ask,     audit_file,
    calibrate_and_save,    part_and_merge,    import_and_save,  receipt_of_network,
    audit_columns,         trees_and_receipt, import_lightgbm,  import_catboost,
    import_with_threshold, import_pipeline,   import_described, import_described_network};
enum { N_JOURNEYS = sizeof JOURNEYS / sizeof *JOURNEYS };

/* ---------------------------------------------------------------- failing */

static void write_old(void)
{
    assert_int_equal(tacit_file_write(out_path, "old", 3, NULL), TACIT_OK);
}

/* After a failure the output is what it was. */
static void check_old(void)
{
    char *bytes;
    size_t size;

    assert_int_equal(tct_file_read(&bytes, &size, out_path, 1 << 20, NULL), TACIT_OK);
    assert_string_equal(bytes, "old");
    tct_free(bytes);
}

/* Every one of the first, and then so many of the rest; fewer where tests are slow. */
static void fault__every_allocation_fails_once(void **state)
{
    size_t most = scaled(600) > 250 ? scaled(600) : 250, first = 150;

    (void)state;
    for (size_t j = 0; j < N_JOURNEYS; j++) {
        uint64_t total, step;

        write_old();
        tct_memory_fail_at(0, false);
        assert_int_equal(JOURNEYS[j](NULL), TACIT_OK);
        total = tct_memory_count();
        assert_true(total > 20);
        step = total / most + 1;
        for (uint64_t n = 1; n <= total; n += n < first ? 1 : step)
            for (int forever = 0; forever < 2; forever++) {
                tacit_error err = {0};
                tacit_status st;

                write_old();
                tct_memory_fail_at(n, forever);
                st = JOURNEYS[j](&err);
                tct_memory_fail_at(0, false);
                if (st != TACIT_E_MEMORY)
                    fail_msg("journey %zu, allocation %llu: status %d, %s", j, (unsigned long long)n, (int)st,
                             err.message);
                assert_true(err.message[0]);
                check_old();
            }
    }
}

static void fault__every_read_and_write_fails_once(void **state)
{
    (void)state;
    for (size_t j = 0; j < N_JOURNEYS; j++) {
        uint64_t n = 1;
        tacit_status st;

        do {
            tacit_error err = {0};

            write_old();
            tct_io_fail_at(n);
            st = JOURNEYS[j](&err);
            tct_io_fail_at(0);
            if (st) {
                assert_int_equal(st, TACIT_E_IO);
                assert_true(strstr(err.message, "tacit-test") || strstr(err.message, "/golden/")); /* the path */
                check_old();
            }
            assert_true(n++ < 1000);
        } while (st);
        assert_true(n > 3);
    }
}

/* A copy of a file of tests/golden/onnx. */
static void copy_golden(char *path, size_t room, const char *name)
{
    char from[1024], *bytes = NULL;
    size_t size;

    snprintf(from, sizeof from, "%s/../golden/onnx/%s", TEST_DATA_DIR, name);
    if (tct_file_read(&bytes, &size, from, 1 << 20, NULL)) {
        fprintf(stderr, "cannot read %s\n", from);
        exit(1);
    }
    snprintf(path, room, "%s", scratch_bytes(bytes, size));
    tct_free(bytes);
}

/* Run a journey whose output others need, into a file of its own. */
static void make_first(char *path, size_t room, journey make)
{
    snprintf(path, room, "%s", scratch_text(""));
    snprintf(out_path, sizeof out_path, "%s", path);
    if (make(NULL)) {
        fprintf(stderr, "cannot make the models for the test\n");
        exit(1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fault__every_allocation_fails_once),
        cmocka_unit_test(fault__every_read_and_write_fails_once),
    };
    int failed;

    snprintf(people_path, sizeof people_path, "%s", scratch_text(make_people()));
    snprintf(few_path, sizeof few_path, "%s",
             scratch_text("age,income,job,flag,outcome\n33,2000,nurse,1,yes\n44,1500,smith,0,no\n"));
    snprintf(answers_path, sizeof answers_path, "%s", scratch_text("{\"age\": 33, \"job\": \"nurse\"}"));
    copy_golden(onnx_path, sizeof onnx_path, "torch_mlp_binary_sigmoid.onnx");
    copy_golden(onnx_people_path, sizeof onnx_people_path, "people.csv");
    copy_golden(trees_path, sizeof trees_path, "../xgboost/softprob.ubj");
    copy_golden(trees_people_path, sizeof trees_people_path, "../xgboost/softprob.csv");
    copy_golden(pipeline_path, sizeof pipeline_path, "../onnx_trees/pipeline_forest.onnx");
    copy_golden(pipeline_people_path, sizeof pipeline_people_path, "../onnx_trees/pipeline_forest.csv");
    copy_golden(onnx_schema_path, sizeof onnx_schema_path, "outcome.json");
    make_first(model_path, sizeof model_path, fit_and_save);
    make_first(network_path, sizeof network_path, import_and_save);
    snprintf(receipt_path, sizeof receipt_path, "%s", scratch_text(""));
    snprintf(out_path, sizeof out_path, "%s", scratch_text("old"));
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed;
}
