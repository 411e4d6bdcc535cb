/*
 * fuzz_token.c -- any bytes as a token, and any bytes as what a token holds.
 *
 * The seal would stop almost everything at the door, so the bytes are used twice: as the text of a token, and as the
 * state inside one that is sealed properly.  A session takes such a state or refuses it; when it takes it, it goes on
 * as if nothing had happened.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "make_model.h"
#include "make_service.h"
#include "service_inside.h"
#include "token.h"

enum { MODELS = 2 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static test_service *service_of(void)
{
    static test_service service;
    static tacit_model *models[MODELS];

    if (!models[0]) {
        models[0] = make_linear_model(12, 5, 3, true);
        models[1] = make_mlp_model(2, 4, 2, true, 1, 4);
        make_service(&service, 1, 2, models, MODELS, 0, 0.1);
    }
    return &service;
}

/* As the text of a token: opened only if it is one, which random bytes are not. */
static void open_text(const test_service *t, const char *text, size_t size)
{
    for (size_t m = 0; m < MODELS; m++) {
        const srv_model *model = srv_service_model(t->service, m);
        srv_token token = {.state_size = model->state_size, .state = malloc(model->state_size)};
        srv_token_found found;

        need(token.state != NULL, "no memory");
        memcpy(token.model_hash, model->hash, sizeof(token.model_hash));
        found = srv_token_open(&token, t->keys, text, size, TEST_NOW);
        need(found != SRV_TOKEN_FINE && found != SRV_TOKEN_NO_MEMORY, "a token that nobody made was taken");
        free(token.state);
    }
}

/* As the content: the first byte chooses model and flag, then come delta and the state, cut off or filled with zeros. */
static void answer_sealed(test_service *t, const uint8_t *data, size_t size)
{
    const srv_model *m = srv_service_model(t->service, size > 0 ? data[0] % MODELS : 0);
    unsigned char *state = calloc(m->state_size, 1);
    char *text = malloc(srv_token_length(m->state_size) + 1);
    srv_token token = {.expires = TEST_NOW + 60, .state = state, .state_size = m->state_size};
    const char *value = size > 0 && data[0] & 8 ? "1" : NULL;
    json_t *reply;

    need(state && text, "no memory");
    memcpy(token.model_hash, m->hash, sizeof(token.model_hash));
    token.decided = size > 0 && data[0] & 4;
    if (size > 8)
        memcpy(&token.delta, data + 1, sizeof(token.delta));
    if (size > 9)
        memcpy(state, data + 9, size - 9 < m->state_size ? size - 9 : m->state_size);
    need(srv_token_seal(text, t->keys, &token, NULL) == TACIT_OK, "not sealed");
    for (size_t a = 0; a < m->n_attributes; a++) {
        reply = call_answer(t, m->index, text, tacit_schema_attribute(m->schema, a)->name, value, 0);
        need(json_is_object(reply), "no object");
        json_decref(reply);
    }
    free(state);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    test_service *t = service_of();

    open_text(t, (const char *)data, size);
    answer_sealed(t, data, size);
    return 0;
}
