/*
 * make_service.h -- services for tests and fuzz targets, and a client for them without HTTP.
 *
 *   test_service t;
 *   make_service(&t, 7, 3, models, 2, 0, 0.1);      key 7, then key 3; two models; delta 0, at most 0.1
 *   json_t *step = call_json(&t, srv_api_sessions, 0, "{}", 200);
 *   free_service(&t);
 *
 * A failure is a broken test set-up or an answer that is no JSON: the program stops with the reason.
 */
#ifndef TEST_MAKE_SERVICE_H
#define TEST_MAKE_SERVICE_H

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api.h"
#include "base.h"

enum { TEST_NOW = 1700000000, TEST_TOKEN_SECONDS = 1800, TEST_MODELS = 4 };

typedef struct test_service {
    srv_keys *keys;
    srv_service *service;
    srv_worker *worker;
    int64_t now;
    srv_address address;
} test_service;

static inline void need(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "make_service.h: %s\n", what);
        abort();
    }
}

/* A key that a number stands for. */
static inline void make_key(unsigned char key[SRV_KEY_SIZE], unsigned number)
{
    for (size_t i = 0; i < SRV_KEY_SIZE; i++)
        key[i] = (unsigned char)(number + i);
}

static inline void make_service_with(test_service *t, unsigned key, unsigned second_key, tacit_model *const *models,
                                     size_t n_models, const srv_settings *settings);

/* Models are called m0, m1, ...; the second key is left out when it is 0; anything may be answered. */
static inline void make_service(test_service *t, unsigned key, unsigned second_key, tacit_model *const *models,
                                size_t n_models, double delta, double delta_max)
{
    srv_settings settings = {.token_seconds = TEST_TOKEN_SECONDS,
                             .delta = delta,
                             .delta_min = 0,
                             .delta_max = delta_max,
                             .free_order = true};

    make_service_with(t, key, second_key, models, n_models, &settings);
}

/* The same with other settings. */
static inline void make_service_with(test_service *t, unsigned key, unsigned second_key, tacit_model *const *models,
                                     size_t n_models, const srv_settings *settings)
{
    static const char *const names[TEST_MODELS] = {"m0", "m1", "m2", "m3"};
    srv_model_file files[TEST_MODELS];
    unsigned char bytes[SRV_KEY_SIZE];
    tacit_error err = {0};

    *t = (test_service){.now = TEST_NOW};
    need(srv_keys_new(&t->keys, &err) == TACIT_OK, err.message);
    make_key(bytes, key);
    need(srv_keys_add(t->keys, bytes, &err) == TACIT_OK, err.message);
    make_key(bytes, second_key);
    need(second_key == 0 || srv_keys_add(t->keys, bytes, &err) == TACIT_OK, err.message);
    for (size_t i = 0; i < n_models; i++)
        files[i] = (srv_model_file){names[i], models[i]};
    need(srv_service_new(&t->service, settings, files, n_models, t->keys, &err) == TACIT_OK, err.message);
    t->worker = srv_worker_mine(t->service);
    need(t->worker != NULL, "no worker");
}

static inline void free_service(test_service *t)
{
    srv_service_free(t->service);
    srv_keys_free(t->keys);
}

/* The body is handed over without a terminator, so that reading beyond it is found out. */
static inline void call_api(test_service *t, srv_endpoint *endpoint, size_t model, const char *body, size_t size,
                            srv_reply *reply)
{
    char *copy = malloc(size ? size : 1);
    srv_call call = {.service = t->service,
                     .model = srv_service_model(t->service, model),
                     .worker = t->worker,
                     .body = copy,
                     .size = size,
                     .now = t->now,
                     .address = t->address};

    need(copy != NULL, "no memory");
    memcpy(copy, body, size);
    *reply = (srv_reply){0};
    endpoint(&call, reply);
    free(copy);
}

/* The answer as JSON; the caller drops it.  status: that it must have; 0: any. */
static inline json_t *call_json(test_service *t, srv_endpoint *endpoint, size_t model, const char *body,
                                unsigned status)
{
    json_error_t error;
    srv_reply reply;
    json_t *json;

    call_api(t, endpoint, model, body, strlen(body), &reply);
    if (status && reply.status != status)
        fprintf(stderr, "%.*s\n", (int)reply.size, reply.body);
    need(!status || reply.status == status, "another status was expected");
    json = json_loadb(reply.body, reply.size, JSON_REJECT_DUPLICATES, &error);
    need(json != NULL, error.text);
    srv_reply_clear(&reply);
    return json;
}

static inline const char *text_of(const json_t *json, const char *key)
{
    const char *text = json_string_value(json_object_get(json, key));

    need(text != NULL, key);
    return text;
}

/* Answer, or refuse when `value` (JSON text) is NULL; a decision comes with its receipt. */
static inline json_t *call_answer(test_service *t, size_t model, const char *token, const char *attribute,
                                  const char *value, unsigned status)
{
    tct_text body = {0};
    json_t *json;

    tct_text_printf(&body, "{\"token\":\"%s\",\"attribute\":\"%s\",\"receipt\":true,", token, attribute);
    if (value)
        tct_text_printf(&body, "\"value\":%s}", value);
    else
        tct_text_printf(&body, "\"refuse\":true}");
    need(!body.failed, "no memory");
    json = call_json(t, srv_api_answers, model, body.bytes, status);
    tct_text_free(&body);
    return json;
}

/* The receipt of a decided session, or the problem. */
static inline json_t *call_receipt(test_service *t, size_t model, const char *token, unsigned status)
{
    tct_text body = {0};
    json_t *json;

    tct_text_printf(&body, "{\"token\":\"%s\"}", token);
    need(!body.failed, "no memory");
    json = call_json(t, srv_api_receipts, model, body.bytes, status);
    tct_text_free(&body);
    return json;
}

#endif
