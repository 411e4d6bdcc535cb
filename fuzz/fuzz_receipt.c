/*
 * fuzz_receipt.c -- any bytes as a receipt.
 *
 * The checksums would stop almost everything at the door, so the bytes are read twice: as they are, and once more with
 * the right model and the right checksum put in.  There are two models, a linear one and a network.  Whatever is
 * accepted as certain or all revealed must be true: the completions tried all have the label.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "make_model.h"
#include "person.h"
#include "receipt.h"

enum { MODELS = 2, COMPLETIONS = 64 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int holds)
{
    if (!holds)
        abort();
}

static const tacit_model *model_of(size_t which)
{
    static tacit_model *models[MODELS];

    if (!models[0]) {
        models[0] = make_linear_model(12, 5, 3, true);
        models[1] = make_mlp_model(2, 5, 2, true, 2, 5);
    }
    return models[which];
}

/* Set the answers of one list. */
static void take_answers(tacit_person *person, const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *answer = json_array_get(list, i);
        size_t a = tacit_schema_find(person->model->schema, json_string_value(json_object_get(answer, "attribute")));

        require(a != TACIT_NONE);
        require(tacit_person_set(person, a, json_string_value(json_object_get(answer, "value")), NULL, NULL) ==
                TACIT_OK);
    }
}

/* Completions of a receipt that was accepted. */
static void check_truth(const tacit_model *model, const char *text, size_t size, const tacit_check *found)
{
    tacit_person *person = NULL;
    json_t *json = NULL;
    tct_random random;

    require(tct_json_parse(&json, text, size, "fuzz", NULL) == TACIT_OK);
    tct_random_seed(&random, 1, 1);
    for (size_t t = 0; t < COMPLETIONS; t++) {
        require(tacit_person_new(&person, model, NULL) == TACIT_OK);
        draw_person(model, &random, person->x);
        memset(person->known, 1, model->schema->n_attributes);
        take_answers(person, json_object_get(json, "asked"));
        take_answers(person, json_object_get(json, "public"));
        require(tacit_person_label(person) == found->label);
        tacit_person_free(person);
    }
    json_decref(json);
}

static void check_receipt(const tacit_model *model, const char *text, size_t size)
{
    tacit_check found;
    tacit_error err = {0};
    tacit_status st = tct_receipt_check(&found, model, text, size, "fuzz", &err);

    if (st) {
        require(st == TACIT_E_INPUT && !found.valid && err.message[0] != '\0' && strchr(err.message, '\n') == NULL);
        return;
    }
    require(found.valid == (found.reason[0] == '\0') && strchr(found.reason, '\n') == NULL);
    require(found.valid == (found.label < model->schema->n_classes));
    if (found.settled == TACIT_CERTAIN || found.settled == TACIT_ALL_REVEALED)
        check_truth(model, text, size, &found);
}

/* The same document about this model and with the checksum it should have; NULL when it is no JSON object. */
static char *put_right(const tacit_model *model, const char *text, size_t size, size_t *right_size)
{
    json_t *json = NULL, *about;
    char *right = NULL, hash[65];

    if (tct_json_parse(&json, text, size, "fuzz", NULL))
        return NULL;
    if (json_is_object(json)) {
        about = json_object_get(json, "model");
        if (json_is_object(about)) {
            require(json_object_set_new(about, "kind", json_string(model->info.kind)) == 0);
            require(json_object_set_new(about, "sha256", json_string(model->model_hash)) == 0);
        }
        json_object_del(json, "sha256");
        require(tct_receipt_seal(hash, json, NULL) == TACIT_OK);
        require(json_object_set_new(json, "sha256", json_string(hash)) == 0);
        require(tct_json_dump(&right, right_size, json, NULL) == TACIT_OK);
    }
    json_decref(json);
    return right;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (size_t m = 0; m < MODELS; m++) {
        size_t right_size = 0;
        char *right = put_right(model_of(m), (const char *)data, size, &right_size);

        check_receipt(model_of(m), (const char *)data, size);
        if (right)
            check_receipt(model_of(m), right, right_size);
        tct_free(right);
    }
    return 0;
}
