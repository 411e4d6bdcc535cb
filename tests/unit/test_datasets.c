/*
 * The schemas of datasets/, without their data: each loads, has the attributes, inputs and classes that the README
 * there says, a question for everybody, and says where its data comes from.
 */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "encode.h"
#include "schema.h"

#define FOLDER TEST_DATA_DIR "/../../datasets"

static const struct {
    const char *name, *label, *file;
    size_t attributes, inputs, classes;
} sets[] = {
    {"bank", "y", "bank-full.csv", 16, 16, 2},
    {"adult", "income", "adult.data", 14, 40, 2},
    {"credit", "default.payment.next.month", "UCI_Credit_Card.csv", 23, 23, 2},
    {"insurance", "OUTCOME", "Car_Insurance_Claim.csv", 17, 17, 2},
    {"customer", "Segmentation", "Train.csv", 9, 9, 4},
    {"fetal", "fetal_health", "fetal_health.csv", 21, 21, 3},
};
enum { N_SETS = sizeof(sets) / sizeof(*sets) };

static tacit_schema *read_set(const char *name)
{
    tacit_schema *schema = NULL;
    tacit_error err = {0};
    char path[1000];

    snprintf(path, sizeof(path), "%s/%s.json", FOLDER, name);
    if (tacit_schema_read(&schema, path, &err))
        fail_msg("%s", err.message);
    return schema;
}

static void datasets__have_the_numbers_of_the_readme(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_SETS; i++) {
        tacit_schema *schema = read_set(sets[i].name);
        tct_codec *codec = NULL;

        assert_int_equal(tct_codec_new(&codec, schema, NULL), TACIT_OK);
        assert_string_equal(tacit_schema_label(schema), sets[i].label);
        assert_int_equal(tacit_schema_attributes(schema), sets[i].attributes);
        assert_int_equal(codec->n_inputs, sets[i].inputs);
        assert_int_equal(tacit_schema_classes(schema), sets[i].classes);
        tct_codec_free(codec);
        tacit_schema_free(schema);
    }
}

static void datasets__ask_everything_in_words(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_SETS; i++) {
        tacit_schema *schema = read_set(sets[i].name);

        for (size_t a = 0; a < tacit_schema_attributes(schema); a++) {
            const tacit_attribute *attribute = tacit_schema_attribute(schema, a);
            size_t length = strlen(attribute->question);

            assert_int_equal(attribute->role, TACIT_SENSITIVE);
            assert_true(attribute->cost == 1);
            assert_int_equal(attribute->question[length - 1], '?');
            for (size_t b = 0; b < a; b++) /* no two the same */
                assert_string_not_equal(attribute->question, tacit_schema_attribute(schema, b)->question);
        }
        tacit_schema_free(schema);
    }
}

static void datasets__say_where_they_come_from(void **state)
{
    static const char *const keys[] = {"title", "source", "licence", "sha256", "note"};

    (void)state;
    for (size_t i = 0; i < N_SETS; i++) {
        tacit_schema *schema = read_set(sets[i].name);
        tacit_csv_options csv = {0};

        for (size_t k = 0; k < sizeof(keys) / sizeof(*keys); k++)
            assert_string_not_equal(tacit_schema_about(schema, keys[k]), "");
        assert_string_equal(tacit_schema_about(schema, "file"), sets[i].file);
        tacit_schema_csv(schema, &csv);
        assert_int_equal(csv.separator, strcmp(sets[i].name, "bank") == 0 ? ';' : ',');
        assert_int_equal(csv.no_header, strcmp(sets[i].name, "adult") == 0);
        tacit_schema_free(schema);
    }
}

static void datasets__are_all_tested(void **state)
{
    DIR *folder = opendir(FOLDER);
    size_t found = 0;

    (void)state;
    assert_non_null(folder);
    for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        size_t length = strlen(entry->d_name);

        found += length > 5 && strcmp(entry->d_name + length - 5, ".json") == 0;
    }
    closedir(folder);
    assert_int_equal(found, N_SETS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(datasets__have_the_numbers_of_the_readme),
        cmocka_unit_test(datasets__ask_everything_in_words),
        cmocka_unit_test(datasets__say_where_they_come_from),
        cmocka_unit_test(datasets__are_all_tested),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
