/*
 * fuzz_api_body.c -- any bytes as the body of a request.
 *
 * "@0" and "@1" in them stand for tokens of the two models, which a fuzzer would not find, "@2" and "@3" for tokens of
 * theirs with a decision.  Every answer is JSON; one
 * that is not 200 is a problem and has nothing of the request in it; and what is taken for JSON is JSON to Jansson.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "make_model.h"
#include "make_service.h"

enum { MODELS = 2, MARKER_SIZE = 9 };

static const char MARKER[] = "Zq7Person";
static srv_endpoint *const ENDPOINTS[] = {srv_api_sessions, srv_api_answers, srv_api_receipts};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static test_service service;
static char *tokens[2 * MODELS]; /* where everybody begins; where everything was refused */

static void start_service(void)
{
    static tacit_model *models[MODELS];

    models[0] = make_linear_model(12, 5, 3, true);
    models[1] = make_mlp_model(2, 4, 2, true, 1, 4);
    make_service(&service, 1, 0, models, MODELS, 0, 0.1);
    for (size_t m = 0; m < MODELS; m++) {
        json_t *step = call_json(&service, srv_api_sessions, m, "{}", 200);

        tokens[m] = tct_strdup(text_of(step, "token"));
        while (strcmp(text_of(step, "status"), "open") == 0) {
            json_t *next = call_answer(&service, m, text_of(step, "token"),
                                       text_of(json_object_get(step, "next"), "name"), NULL, 200);

            json_decref(step);
            step = next;
        }
        tokens[MODELS + m] = tct_strdup(text_of(step, "token"));
        need(tokens[m] && tokens[MODELS + m], "no memory");
        json_decref(step);
    }
}

static void put_tokens(tct_text *body, const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (data[i] == '@' && i + 1 < size && data[i + 1] >= '0' && data[i + 1] < '0' + 2 * MODELS)
            tct_text_printf(body, "%s", tokens[data[++i] - '0']);
        else
            tct_text_append(body, (const char *)data + i, 1);
    need(!body->failed, "no memory");
}

static void check_reply(const srv_reply *reply, const tct_text *body)
{
    json_t *answer = json_loadb(reply->body, reply->size, JSON_REJECT_DUPLICATES, NULL);
    json_t *request =
        json_loadb(body->bytes ? body->bytes : "", body->size, JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL, NULL);
    const char *code = reply->status == 200 ? NULL : text_of(answer, "code");

    need(json_is_object(answer), "the answer is no JSON object");
    need(reply->status == 200 || (reply->status >= 400 && reply->status < 500), "a failure of the server");
    need(!code || !memmem(reply->body, reply->size, MARKER, MARKER_SIZE), "a problem quotes the request");
    need(reply->status != 200 || request, "that was no JSON");
    json_decref(answer);
    json_decref(request);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tct_text body = {0};

    if (!service.service)
        start_service();
    put_tokens(&body, data, size);
    for (size_t m = 0; m < MODELS; m++)
        for (size_t e = 0; e < sizeof(ENDPOINTS) / sizeof(ENDPOINTS[0]); e++) {
            srv_reply reply;

            call_api(&service, ENDPOINTS[e], m, body.bytes ? body.bytes : "", body.size, &reply);
            check_reply(&reply, &body);
            srv_reply_clear(&reply);
        }
    tct_text_free(&body);
    return 0;
}
