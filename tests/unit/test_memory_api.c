/*
 * Everything that takes a path also takes memory: models, schemas and receipts, with the same bytes and the same
 * complaints but for the name of the file.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "make_model.h"
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory__models),
        cmocka_unit_test(memory__schemas),
        cmocka_unit_test(memory__receipts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
