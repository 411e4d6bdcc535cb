/*
 * fuzz_receipt.c -- any bytes as a receipt.
 *
 * The checksums would stop almost everything at the door, so the bytes are read twice: as they are, and once more with
 * the right model and the right checksum put in, and signed where they are not yet.  There are two models, a linear one
 * and a network.  Whatever is
 * accepted as certain or all revealed must be true: the completions tried all have the label.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "make_model.h"
#include "person.h"
#include "receipt.h"

enum { MODELS = 2, COMPLETIONS = 64 };

/* A secret and its public key, from RFC 8032. */
static const unsigned char SECRET[64] = {0x9d, 0x61, 0xb1, 0x9d, 0xef, 0xfd, 0x5a, 0x60, 0xba, 0x84, 0x4a, 0xf4, 0x92,
                                         0xec, 0x2c, 0xc4, 0x44, 0x49, 0xc5, 0x69, 0x7b, 0x32, 0x69, 0x19, 0x70, 0x3b,
                                         0xac, 0x03, 0x1c, 0xae, 0x7f, 0x60, 0xd7, 0x5a, 0x98, 0x01, 0x82, 0xb1, 0x0a,
                                         0xb7, 0xd5, 0x4b, 0xfe, 0xd3, 0xc9, 0x64, 0x07, 0x3a, 0x0e, 0xe1, 0x72, 0xf3,
                                         0xda, 0xa6, 0x23, 0x25, 0xaf, 0x02, 0x1a, 0x68, 0xf7, 0x07, 0x51, 0x1a};
static const char KEY[] = "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=";

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
        allow_missing(models[0]);
        allow_missing(models[1]);
    }
    return models[which];
}

/* Set the answers of one list. */
static void take_answers(tacit_person *person, const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *answer = json_array_get(list, i);
        size_t a = tacit_schema_find(person->model->schema, json_string_value(json_object_get(answer, "attribute")));
        const char *value = json_string_value(json_object_get(answer, "value")); /* NULL: not known */

        require(a != TACIT_NONE);
        require(tacit_person_set(person, a, value ? value : "", NULL, NULL) == TACIT_OK);
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

/* What can be signed is as valid afterwards as it was before. */
static void check_signing(const tacit_model *model, const char *text, size_t size, const tacit_check *found)
{
    char *terminated = tct_strndup(text, size), *by_us = NULL;
    tacit_check again;

    require(terminated != NULL);
    if (strlen(terminated) == size && tacit_receipt_sign(&by_us, terminated, SECRET, NULL) == TACIT_OK) {
        require(tct_receipt_check(&again, model, by_us, strlen(by_us), "fuzz", KEY, NULL) == TACIT_OK);
        require(again.valid == found->valid && again.trusted == found->valid && !found->is_signed);
    }
    tacit_text_free(by_us);
    tct_free(terminated);
}

static void check_receipt(const tacit_model *model, const char *text, size_t size)
{
    tacit_check found;
    tacit_error err = {0};
    tacit_status st = tct_receipt_check(&found, model, text, size, "fuzz", NULL, &err);

    if (st) {
        require(st == TACIT_E_INPUT && !found.valid && err.message[0] != '\0' && strchr(err.message, '\n') == NULL);
        return;
    }
    require(found.valid == (found.reason[0] == '\0') && strchr(found.reason, '\n') == NULL);
    require(found.valid == (found.label < model->schema->n_classes));
    require(found.is_signed == (found.key[0] != '\0') && found.valid >= found.is_signed && !found.trusted);
    check_signing(model, text, size, &found);
    if (found.settled == TACIT_CERTAIN || found.settled == TACIT_ALL_REVEALED)
        check_truth(model, text, size, &found);
}

/* The same document about this model and with the checksum it should have; NULL when it is no JSON object.  A signature
 * stays as it is. */
static char *put_right(const tacit_model *model, const char *text, size_t size, size_t *right_size)
{
    json_t *json = NULL, *about, *signature;
    char *right = NULL, hash[65];

    if (tct_json_parse(&json, text, size, "fuzz", NULL))
        return NULL;
    if (json_is_object(json)) {
        about = json_object_get(json, "model");
        if (json_is_object(about)) {
            require(json_object_set_new(about, "kind", json_string(model->info.kind)) == 0);
            require(json_object_set_new(about, "sha256", json_string(model->model_hash)) == 0);
        }
        signature = json_incref(json_object_get(json, "signature"));
        json_object_del(json, "signature");
        json_object_del(json, "sha256");
        require(tct_json_hash(hash, json, NULL) == TACIT_OK);
        require(json_object_set_new(json, "sha256", json_string(hash)) == 0);
        require(signature ? json_object_set_new(json, "signature", signature) == 0 : 1);
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
