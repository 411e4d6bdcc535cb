/*
 * Everything that takes a path also takes memory: models, schemas, receipts, CSV files, people, ONNX files and parts of
 * audits, with the same bytes and the same complaints but for the name of the file.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <zlib.h>

#include "make_model.h"
#include "make_people.h"
#include "scratch.h"
#include "session.h"

static void memory__models(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        tacit_model *m = seed % 2 ? make_linear_model(seed, 5, 2 + seed % 3, true)
                                  : make_mlp_model(seed, 5, 2 + seed % 3, true, 1 + seed % 2, 4);
        const char *path = scratch_text("");
        char *text = NULL, *file = NULL;
        size_t size = 0, file_size = 0;
        tacit_model *copy = NULL;
        tacit_error err = {0};

        assert_int_equal(tacit_model_text(&text, &size, m, NULL), TACIT_OK);
        assert_int_equal(tacit_model_save(m, path, NULL), TACIT_OK);
        assert_int_equal(tct_file_read(&file, &file_size, path, 1 << 24, NULL), TACIT_OK);
        assert_int_equal(size, file_size);
        assert_memory_equal(text, file, size);
        assert_int_equal(tacit_model_parse(&copy, text, size, NULL), TACIT_OK);
        assert_string_equal(tacit_model_info_get(copy)->model_hash, tacit_model_info_get(m)->model_hash);
        tacit_model_free(copy);
        text[size / 2] ^= 1;
        assert_int_equal(tacit_model_parse(&copy, text, size, &err), TACIT_E_INPUT);
        assert_null(copy);
        assert_true(*err.message && !strchr(err.message, '/'));
        assert_int_equal(tacit_model_parse(&copy, "", 0, &err), TACIT_E_INPUT);
        assert_int_equal(tacit_model_parse(&copy, text, size / 3, &err), TACIT_E_INPUT);
        tacit_text_free(text);
        tct_free(file);
        tacit_model_free(m);
    }
}

static void memory__schemas(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        tacit_model *m = make_linear_model(seed, 6, 2, true);
        char *text = NULL, *again = NULL;
        size_t size = 0, size_again = 0;
        tacit_schema *copy = NULL;
        tacit_error err = {0};

        assert_int_equal(tacit_schema_text(&text, &size, tacit_model_schema(m), NULL), TACIT_OK);
        assert_int_equal(tacit_schema_parse(&copy, text, size, NULL), TACIT_OK);
        assert_int_equal(tacit_schema_text(&again, &size_again, copy, NULL), TACIT_OK);
        assert_int_equal(size, size_again);
        assert_memory_equal(text, again, size);
        tacit_schema_free(copy);
        assert_int_equal(tacit_schema_parse(&copy, text, size - 3, &err), TACIT_E_INPUT);
        assert_null(copy);
        tacit_text_free(text);
        tacit_text_free(again);
        tacit_model_free(m);
    }
}

static void memory__receipts(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        tacit_model *m = make_linear_model(seed, 5, 2, true);
        tacit_release_options options = {.delta = seed % 2 ? 0 : 0.1, .seed = 1};
        double *x = make_model_room(m->codec->n_inputs);
        tacit_check here = {0}, there = {0};
        tacit_session *session = NULL;
        tacit_person *person = NULL;
        char *receipt = NULL, text[64];
        tct_random random;

        tct_random_seed(&random, seed, 1);
        draw_person(m, &random, x);
        assert_int_equal(tacit_person_new(&person, m, NULL), TACIT_OK);
        for (size_t a = 0; a < m->schema->n_attributes; a++) {
            tct_decode_cell(m->codec, a, x + m->codec->domains[a].first, text, sizeof text);
            assert_int_equal(tacit_person_set(person, a, text, NULL, NULL), TACIT_OK);
        }
        assert_int_equal(tacit_session_open(&session, m, &options, NULL), TACIT_OK);
        assert_int_equal(tacit_session_replay(session, person, NULL), TACIT_OK);
        assert_int_equal(tacit_session_receipt(&receipt, session, NULL, NULL, NULL), TACIT_OK);
        assert_int_equal(tacit_check_receipt_text(&here, m, receipt, strlen(receipt), NULL, NULL), TACIT_OK);
        assert_int_equal(tacit_check_receipt(&there, m, scratch_text(receipt), NULL, NULL), TACIT_OK);
        assert_true(here.valid && there.valid);
        assert_int_equal(here.label, there.label);
        assert_int_equal(here.leaves, there.leaves);
        receipt[strlen(receipt) / 2] = '~';
        if (tacit_check_receipt_text(&here, m, receipt, strlen(receipt), NULL, NULL) == TACIT_OK)
            assert_false(here.valid);
        tacit_text_free(receipt);
        tacit_session_free(session);
        tacit_person_free(person);
        tct_free(x);
        tacit_model_free(m);
    }
}

/* gzip of some bytes. */
static size_t pack(const char *bytes, size_t size, unsigned char *out, size_t room)
{
    z_stream z = {0};

    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = (unsigned char *)(uintptr_t)bytes;
    z.avail_in = (unsigned)size;
    z.next_out = out;
    z.avail_out = (unsigned)room;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    size = z.total_out;
    deflateEnd(&z);
    return size;
}

/* Bytes as a table in both ways: the same rows and hash, or the same complaint. */
static void check_table(const void *bytes, size_t size, const tacit_csv_options *options)
{
    const char *path = scratch_bytes(bytes, size);
    tacit_table *file = NULL, *memory = NULL;
    tacit_error of_file = {0}, of_memory = {0};
    tacit_status st = tacit_table_read(&file, path, options, 1, &of_file);

    assert_int_equal(tacit_table_parse(&memory, "there", bytes, size, options, 1, &of_memory), st);
    if (st) {
        assert_string_equal(scratch_message(of_memory.message, "there"), scratch_message(of_file.message, path));
        assert_null(memory);
    } else {
        assert_int_equal(tacit_table_rows(memory), tacit_table_rows(file));
        assert_int_equal(tacit_table_columns(memory), tacit_table_columns(file));
        assert_string_equal(tacit_table_hash(memory), tacit_table_hash(file));
    }
    tacit_table_free(file);
    tacit_table_free(memory);
}

static void memory__tables(void **state)
{
    static const char *const odd[] = {"", "a", "a,b\n1\n", "a,b\n1,2\n3\n", "a,b\n\"1,2\n", "PAR1....", "BZh9...."};
    const tacit_csv_options skipping = {.skip_bad = 1};
    tct_text text = {0};
    unsigned char packed[20000];
    size_t size;

    (void)state;
    tct_text_printf(&text, PEOPLE_HEADER);
    add_people(&text, 0, 700);
    check_table(text.bytes, text.size, NULL);
    size = pack(text.bytes, text.size, packed, sizeof packed);
    check_table(packed, size, NULL);
    check_table(packed, size / 2, NULL);
    packed[size / 2] ^= 0x55;
    check_table(packed, size, NULL);
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        check_table(odd[i], strlen(odd[i]), NULL);
        check_table(odd[i], strlen(odd[i]), &skipping);
    }
    tct_text_free(&text);
}

static void memory__people(void **state)
{
    static const char *const texts[] = {"{\"age\": 30, \"job\": null, \"income\": 1.5}",
                                        "{\"age\": true}",
                                        "[]",
                                        "{",
                                        "",
                                        "{\"ages\": 3}",
                                        "{\"age\": {}}"};
    const char *people = people_file(0, 300);
    tacit_model *m = people_model(people);
    tacit_person *a = NULL, *b = NULL;
    tacit_table *table = NULL;
    char value[2][64];

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *path = scratch_text(texts[i]);
        tacit_error of_file = {0}, of_memory = {0};

        assert_int_equal(tacit_person_new(&a, m, NULL), TACIT_OK);
        assert_int_equal(tacit_person_new(&b, m, NULL), TACIT_OK);
        assert_int_equal(tacit_person_read_json(a, path, &of_file),
                         tacit_person_parse_json(b, texts[i], strlen(texts[i]), &of_memory));
        assert_string_equal(scratch_message(of_file.message, path), of_memory.message);
        for (size_t k = 0; k < m->schema->n_attributes; k++)
            assert_int_equal(tacit_person_knows(a, k), tacit_person_knows(b, k));
        tacit_person_free(a);
        tacit_person_free(b);
    }
    assert_int_equal(tacit_table_read(&table, people, NULL, 1, NULL), TACIT_OK);
    for (size_t row = 0; row <= 301; row += 43) {
        tacit_error of_file = {0}, of_table = {0};
        tacit_status st = tacit_person_read_row(&a, m, people, NULL, row, &of_file);

        assert_int_equal(tacit_person_from_table(&b, m, table, row, &of_table), st);
        assert_string_equal(of_file.message, of_table.message);
        for (size_t k = 0; !st && k < m->schema->n_attributes; k++) {
            tacit_person_text(a, k, value[0], sizeof value[0]);
            tacit_person_text(b, k, value[1], sizeof value[1]);
            assert_string_equal(value[0], value[1]);
        }
        tacit_person_free(a);
        tacit_person_free(b);
    }
    tacit_table_free(table);
    tacit_model_free(m);
}

static void memory__onnx(void **state)
{
    const char *folder = TEST_DATA_DIR "/../golden/onnx";
    char path[600];
    tacit_table *table = NULL;
    tacit_schema *schema = NULL;
    tacit_model *models[2] = {NULL, NULL};
    tacit_error errors[2] = {0};
    char *bytes = NULL;
    size_t size = 0;

    (void)state;
    snprintf(path, sizeof path, "%s/people.csv", folder);
    assert_int_equal(tacit_table_read(&table, path, NULL, 1, NULL), TACIT_OK);
    snprintf(path, sizeof path, "%s/outcome.json", folder);
    assert_int_equal(tacit_schema_read(&schema, path, NULL), TACIT_OK);
    snprintf(path, sizeof path, "%s/torch_mlp_binary_sigmoid.onnx", folder);
    assert_int_equal(tct_file_read(&bytes, &size, path, 1 << 24, NULL), TACIT_OK);
    assert_int_equal(tacit_import(&models[0], path, table, schema, NULL, NULL), TACIT_OK);
    assert_int_equal(tacit_import_parse(&models[1], bytes, size, table, schema, NULL, NULL), TACIT_OK);
    assert_string_equal(tacit_model_info_get(models[0])->model_hash, tacit_model_info_get(models[1])->model_hash);
    tacit_model_free(models[0]);
    tacit_model_free(models[1]);
    assert_int_equal(tacit_import(&models[0], scratch_bytes(bytes, size / 2), table, schema, NULL, &errors[0]),
                     TACIT_E_INPUT);
    assert_int_equal(tacit_import_parse(&models[1], bytes, size / 2, table, schema, NULL, &errors[1]), TACIT_E_INPUT);
    assert_string_equal(strstr(errors[0].message, ": "), strstr(errors[1].message, ": "));
    assert_true(!models[0] && !models[1]);
    tct_free(bytes);
    tacit_schema_free(schema);
    tacit_table_free(table);
}

static void memory__parts(void **state)
{
    static const double deltas[] = {0, 0.1};
    const char *files[] = {people_file(0, 300), people_file(300, 700)}, *paths[2], *texts[2];
    tacit_model *m = people_model(files[0]);
    tacit_audit_options options = {.deltas = deltas, .n_deltas = 2, .partial = true};
    tacit_audit *audit = NULL, *joined = NULL;
    tacit_error err = {0};
    char *parts[2], *json[2];
    size_t sizes[2];

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(tacit_audit_csv(&audit, m, files[i], NULL, &options, NULL), TACIT_OK);
        assert_int_equal(tacit_audit_partial(&parts[i], audit, NULL, NULL), TACIT_OK);
        paths[i] = scratch_text(parts[i]);
        texts[i] = parts[i];
        sizes[i] = strlen(parts[i]);
        tacit_audit_free(audit);
    }
    assert_int_equal(tacit_audit_merge(&audit, paths, 2, NULL), TACIT_OK);
    assert_int_equal(tacit_audit_merge_texts(&joined, texts, sizes, 2, NULL), TACIT_OK);
    assert_int_equal(tacit_audit_json(&json[0], audit, NULL), TACIT_OK);
    assert_int_equal(tacit_audit_json(&json[1], joined, NULL), TACIT_OK);
    assert_string_equal(json[0], json[1]);
    tacit_audit_free(audit);
    tacit_audit_free(joined);
    texts[1] = texts[0];
    sizes[1] = sizes[0];
    assert_int_equal(tacit_audit_merge_texts(&joined, texts, sizes, 2, &err), TACIT_E_INPUT);
    assert_non_null(strstr(err.message, "part 2: counts the same people as part 1"));
    sizes[0] /= 2;
    assert_int_equal(tacit_audit_merge_texts(&joined, texts, sizes, 2, &err), TACIT_E_INPUT);
    assert_int_equal(tacit_audit_merge_texts(&joined, texts, sizes, 0, &err), TACIT_E_USAGE);
    assert_null(joined);
    for (size_t i = 0; i < 2; i++) {
        tacit_text_free(parts[i]);
        tacit_text_free(json[i]);
    }
    tacit_model_free(m);
}

/* Rows kept are the bytes that a file would have got. */
static void memory__rows(void **state)
{
    static const double deltas[] = {0, 0.1};
    const char *files[] = {people_file(0, 900), people_file(900, 1500)}, *written = scratch_text("");
    tacit_model *m = people_model(files[0]);
    tacit_audit_options options = {.deltas = deltas, .n_deltas = 2, .group = "job", .threads = 2};
    tacit_audit *audit = NULL;
    tacit_error err = {0};
    char *expected;
    size_t size;

    (void)state;
    for (size_t n = 1; n <= 2; n++) {
        options.keep_rows = options.keep_people = false;
        options.rows_path = written;
        assert_int_equal(tacit_audit_files(&audit, m, files, n, NULL, &options, NULL), TACIT_OK);
        assert_null(tacit_audit_rows(audit, &size));
        assert_null(tacit_audit_people_get(audit, 0));
        tacit_audit_free(audit);
        options.keep_rows = true;
        assert_int_equal(tacit_audit_files(&audit, m, files, n, NULL, &options, &err), TACIT_E_USAGE);
        options.rows_path = NULL;
        options.keep_people = true;
        assert_int_equal(tacit_audit_files(&audit, m, files, n, NULL, &options, NULL), TACIT_OK);
        expected = file_text(written);
        assert_string_equal(tacit_audit_rows(audit, &size), expected);
        assert_int_equal(size, strlen(expected));
        assert_int_equal(tacit_audit_people_get(audit, 1)->people, n == 1 ? 900 : 1500);
        for (size_t p = 0; p < tacit_audit_people_get(audit, 1)->people; p++)
            assert_int_equal(tacit_audit_people_get(audit, 1)->rows[p], p < 900 ? p + 1 : p - 899);
        tct_free(expected);
        tacit_audit_free(audit);
    }
    tacit_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory__models), cmocka_unit_test(memory__schemas), cmocka_unit_test(memory__receipts),
        cmocka_unit_test(memory__tables), cmocka_unit_test(memory__people),  cmocka_unit_test(memory__onnx),
        cmocka_unit_test(memory__parts),  cmocka_unit_test(memory__rows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
