/*
 * Tables from columns against tables from files: the same people written as a CSV file, handed over as arrays, as an Arrow
 * record batch and as an Arrow stream in pieces of any size give the same schema, the same model, the same counts and the
 * same audit, byte by byte but for the hash of the data; and what is kept of each person is what a session says.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "csv.h"
#include "json.h"
#include "make_columns.h"
#include "scratch.h"

enum { WAYS = 4 };
static crowd people;

/* The same people as a file and as columns in three ways. */
static void make_tables(tacit_table **out, const crowd *c, const tacit_csv_options *options, int64_t step)
{
    arrow_column arrow[CROWD_COLUMNS], jobs;
    tacit_column columns[CROWD_COLUMNS];
    struct ArrowSchema schema;
    struct ArrowArray array;
    struct ArrowArrayStream stream;
    arrow_source source = {.columns = arrow, .n = CROWD_COLUMNS, .rows = (int64_t)c->n, .step = step};
    tct_text text = {0};
    tacit_error err = {0};

    crowd_csv(&text, c);
    assert_int_equal(tacit_table_parse(&out[0], "people", text.bytes, text.size, options, 2, &err), TACIT_OK);
    crowd_columns(columns, c);
    assert_int_equal(tacit_table_build(&out[1], "people", columns, CROWD_COLUMNS, c->n, options, 2, &err), TACIT_OK);
    crowd_arrow(arrow, c, &jobs);
    arrow_batch(&schema, &array, arrow, CROWD_COLUMNS, (int64_t)c->n);
    assert_int_equal(tacit_table_from_arrow(&out[2], "people", &schema, &array, options, 1, &err), TACIT_OK);
    arrow_stream(&stream, &source);
    assert_int_equal(tacit_table_from_arrow_stream(&out[3], "people", &stream, options, 3, &err), TACIT_OK);
    assert_null(schema.release);
    assert_null(array.release);
    assert_null(stream.release);
    assert_int_equal(arrow_alive, 0);
    tct_text_free(&text);
}

static void free_tables(tacit_table **tables)
{
    for (size_t w = 0; w < WAYS; w++)
        tacit_table_free(tables[w]);
}

static tacit_schema *infer(const tacit_table *table, uint64_t seed)
{
    tacit_infer_options options = {.label = "outcome",
                                   .drop = seed % 2 ? "number" : "number,region",
                                   .encoding = seed % 3 ? TACIT_ONEHOT : TACIT_ORDINAL,
                                   .dates_as_days = seed % 5 != 0,
                                   .public_ = "age",
                                   .test_share = 0.25,
                                   .seed = seed};
    tacit_schema *schema = NULL;
    tacit_error err = {0};

    if (tacit_schema_infer(&schema, table, &options, &err))
        fail_msg("%s", err.message);
    return schema;
}

static tacit_model *fit(const tacit_table *table, const tacit_schema *schema, uint64_t seed)
{
    tacit_fit_options options = {.test_share = 0.25, .seed = seed, .threads = 1};
    tacit_model *model = NULL;
    tacit_error err = {0};

    if (tacit_fit(&model, table, schema, &options, &err))
        fail_msg("%s", err.message);
    return model;
}

/* A document without what tells the data apart. */
static char *without(char *text, const char *hash)
{
    char *at;

    while ((at = strstr(text, hash)))
        memset(at, '0', strlen(hash));
    return text;
}

/* Model files tell hash and size of the data, and their own hash: all members but these. */
static void check_same_model(const tacit_model *a, const tacit_model *b)
{
    char *texts[2];
    json_t *documents[2];
    size_t size;

    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(tacit_model_text(&texts[i], &size, i ? b : a, NULL), TACIT_OK);
        documents[i] = json_loadb(texts[i], size, 0, NULL);
        assert_non_null(documents[i]);
        assert_int_equal(json_object_del(documents[i], "sha256"), 0);
        assert_int_equal(json_object_del(json_object_get(documents[i], "provenance"), "data_hash"), 0);
        json_object_del(json_object_get(documents[i], "provenance"), "data_size");
        tacit_text_free(texts[i]);
    }
    assert_true(json_equal(documents[0], documents[1]));
    json_decref(documents[0]);
    json_decref(documents[1]);
}

static void columns__same_schema_and_model(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        tacit_table *tables[WAYS];
        tacit_schema *first = NULL;
        tacit_model *model = NULL;
        char *expected = NULL;
        size_t size;

        make_crowd(&people, 300 + seed * 97, seed);
        make_tables(tables, &people, NULL, 1 + (int64_t)seed * 13);
        first = infer(tables[0], seed);
        assert_int_equal(tacit_schema_text(&expected, &size, first, NULL), TACIT_OK);
        model = fit(tables[0], first, seed);
        for (size_t w = 1; w < WAYS; w++) {
            tacit_schema *schema = infer(tables[w], seed);
            tacit_model *same;
            char *text;

            assert_int_equal(tacit_schema_text(&text, &size, schema, NULL), TACIT_OK);
            assert_string_equal(text, expected);
            same = fit(tables[w], schema, seed);
            check_same_model(model, same);
            tacit_text_free(text);
            tacit_model_free(same);
            tacit_schema_free(schema);
            if (w > 1)
                assert_string_equal(tacit_table_hash(tables[w]), tacit_table_hash(tables[1]));
        }
        tacit_text_free(expected);
        tacit_model_free(model);
        tacit_schema_free(first);
        free_tables(tables);
    }
}

static tacit_audit *audit(const tacit_model *model, const tacit_table *table, bool rows)
{
    static const double deltas[] = {0, 0.05, 0.2};
    static const char *const groupings[] = {"region*flag", "age:30,50", "since"};
    tacit_audit_options options = {.deltas = deltas,
                                   .n_deltas = 3,
                                   .group = "job",
                                   .groupings = groupings,
                                   .n_groupings = 3,
                                   .threads = 2,
                                   .unknown_as_missing = true,
                                   .keep_people = true,
                                   .keep_rows = rows};
    tacit_audit *a = NULL;
    tacit_error err = {0};

    if (tacit_audit_table(&a, model, table, &options, &err))
        fail_msg("%s", err.message);
    return a;
}

static void columns__same_audit(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        tacit_table *tables[WAYS];
        tacit_schema *schema;
        tacit_model *model;
        char *expected = NULL, *rows = NULL;

        make_crowd(&people, 700, seed);
        make_tables(tables, &people, NULL, 100);
        schema = infer(tables[1], seed);
        model = fit(tables[1], schema, seed);
        tacit_schema_free(schema);
        free_tables(tables);
        make_crowd(&people, 900 + seed * 211, seed + 1000); /* others than those it was trained on */
        make_tables(tables, &people, NULL, 1 + (int64_t)seed * 321);
        for (size_t w = 0; w < WAYS; w++) {
            tacit_audit *a = audit(model, tables[w], seed % 2);
            const char *kept = tacit_audit_rows(a, NULL);
            char *text = NULL;

            assert_int_equal(tacit_audit_json(&text, a, NULL), TACIT_OK);
            without(text, tacit_table_hash(tables[w]));
            if (w == 0) {
                expected = text;
                rows = kept ? tct_strdup(kept) : NULL;
            } else {
                assert_string_equal(text, expected);
                tacit_text_free(text);
                if (seed % 2)
                    assert_string_equal(kept, rows);
                else
                    assert_null(kept);
            }
            tacit_audit_free(a);
        }
        tacit_text_free(expected);
        tct_free(rows);
        tacit_model_free(model);
        free_tables(tables);
    }
}

/* What is kept of person p is what a session with the same person says. */
static void check_person(const tacit_model *model, const tacit_table *table, const tacit_audit *a, size_t d, size_t p)
{
    const tacit_audit_people *kept = tacit_audit_people_get(a, d);
    const tacit_audit_summary *summary = tacit_audit_summary_get(a);
    tacit_release_options options = {.delta = tacit_audit_result_get(a, d)->delta};
    tacit_session *session = NULL;
    tacit_person *person = NULL;
    tacit_decision decision;
    tacit_error err = {0};

    assert_int_equal(tacit_person_from_table(&person, model, table, kept->rows[p], &err), TACIT_OK);
    assert_int_equal(tacit_session_open(&session, model, &options, &err), TACIT_OK);
    assert_int_equal(tacit_session_replay(session, person, &err), TACIT_OK);
    assert_int_equal(tacit_session_decision(session, &decision, &err), TACIT_OK);
    assert_int_equal(decision.label, kept->labels[p]);
    assert_int_equal(decision.settled, kept->settled[p]);
    assert_int_equal(decision.asked, kept->asked[p]);
    assert_int_equal(tacit_person_label(person), kept->full_labels[p]);
    assert_memory_equal(&decision.probability, &kept->probabilities[p], sizeof(double));
    for (size_t i = 0; i < summary->n_sensitive; i++)
        assert_int_equal(kept->asked_sets[p * kept->n_words + i / 64] >> i % 64 & 1,
                         tacit_person_knows(tacit_session_person(session), summary->sensitive[i]));
    tacit_session_free(session);
    tacit_person_free(person);
}

static void columns__people_as_sessions_say(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        tacit_table *tables[WAYS];
        tacit_schema *schema;
        tacit_model *model;
        tacit_audit *a;
        uint64_t asked[3] = {0};

        make_crowd(&people, 1500, seed);
        make_tables(tables, &people, NULL, 400);
        schema = infer(tables[1], seed);
        model = fit(tables[1], schema, seed);
        a = audit(model, tables[1], false);
        assert_null(tacit_audit_people_get(a, 3));
        for (size_t d = 0; d < 3; d++) {
            const tacit_audit_people *kept = tacit_audit_people_get(a, d);

            assert_int_equal(kept->people, 1500);
            for (size_t p = 0; p < kept->people; p++) {
                asked[d] += kept->asked[p];
                assert_int_equal(kept->rows[p], p + 1);
                if (p % 29 == 0)
                    check_person(model, tables[0], a, d, p);
            }
            assert_int_equal(asked[d], tacit_audit_result_get(a, d)->total_asked);
        }
        tacit_audit_free(a);
        tacit_model_free(model);
        tacit_schema_free(schema);
        free_tables(tables);
    }
}

/* Says no when so many rows are through. */
static bool stop_at(void *context, uint64_t done, uint64_t total)
{
    return total == people.n && done < *(const uint64_t *)context;
}

static void columns__audits_can_be_stopped(void **state)
{
    static const double deltas[] = {0, 0.1};
    const uint64_t ends[] = {0, 1, 2000, 4999, 5001};
    tacit_table *tables[WAYS];
    tacit_schema *schema;
    tacit_model *model;

    (void)state;
    make_crowd(&people, CROWD_MOST, 3);
    make_tables(tables, &people, NULL, 999);
    schema = infer(tables[1], 3);
    model = fit(tables[1], schema, 3);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        uint64_t end = ends[i];
        tacit_audit_options options = {.deltas = deltas,
                                       .n_deltas = 2,
                                       .threads = 2,
                                       .keep_people = true,
                                       .progress = stop_at,
                                       .progress_context = &end};
        tacit_audit *a = NULL;

        assert_int_equal(tacit_audit_table(&a, model, tables[1], &options, NULL),
                         end > CROWD_MOST ? TACIT_OK : TACIT_E_STOPPED);
        assert_true((a != NULL) == (end > CROWD_MOST));
        tacit_audit_free(a);
    }
    tacit_model_free(model);
    tacit_schema_free(schema);
    free_tables(tables);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns__same_schema_and_model),
        cmocka_unit_test(columns__same_audit),
        cmocka_unit_test(columns__people_as_sessions_say),
        cmocka_unit_test(columns__audits_can_be_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
