/*
 * fuzz_state.c -- any bytes as the state of a session.
 *
 * The first byte says which model, the rest is restored.  Accepted is only what saving would have written, and a
 * session that was put there behaves like any other: it has a next question or a decision, answers can be taken back
 * and given, a decision has a receipt.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "make_model.h"
#include "person.h"

enum { MODELS = 3, DRAWS = 2, VALUE = 256 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int holds)
{
    if (!holds)
        abort();
}

typedef struct workspace {
    tacit_model *model;
    tacit_session *session;
} workspace;

/* One session per model serves all inputs, as in a server. */
static workspace *workspace_of(size_t which)
{
    static workspace workspaces[MODELS];
    workspace *d = &workspaces[which];

    if (!d->model) {
        d->model = which == 0   ? make_linear_model(12, 5, 2, true)
                   : which == 1 ? make_linear_model(13, 4, 3, true)
                                : make_mlp_model(2, 5, 2, true, 2, 5);
        allow_missing(d->model);
        require(tacit_session_open(&d->session, d->model, NULL, NULL) == TACIT_OK);
    }
    return d;
}

/* Answer what is asked until there is a decision; each answer is the first value of its domain. */
static void go_on(const workspace *d)
{
    size_t n = d->model->schema->n_attributes, next;
    char text[VALUE];

    for (size_t i = 0; i <= n; i++) {
        const tacit_attribute *a;

        require(tacit_session_next(d->session, &next, NULL) == TACIT_OK);
        if (next == TACIT_NONE)
            return;
        a = &d->model->schema->attributes[next];
        snprintf(text, sizeof(text), "%.17g", a->min);
        require(tacit_session_answer(d->session, next, a->n_levels ? a->levels[0] : text, NULL) == TACIT_OK);
    }
    abort(); /* there cannot be more questions than attributes */
}

static void check_restored(const workspace *d, const uint8_t *bytes, size_t size)
{
    unsigned char *again = malloc(size);
    tacit_decision decision;
    tacit_outlook ahead;
    char *text = NULL;
    size_t events = tacit_session_events(d->session), next;

    require(again && tacit_session_save(d->session, again, NULL) == TACIT_OK);
    require(memcmp(again, bytes, size) == 0);
    require(tacit_session_next(d->session, &next, NULL) == TACIT_OK);
    require(tacit_session_decision(d->session, &decision, NULL) == TACIT_OK);
    require((next == TACIT_NONE) == (decision.settled != TACIT_OPEN) && decision.label < d->model->schema->n_classes &&
            decision.asked + decision.refused <= events);
    require(tacit_session_outlook(d->session, DRAWS, &ahead, NULL) == TACIT_OK);
    require(ahead.about >= 0 && ahead.about <= (double)ahead.at_most);
    require(events > 0 ? tacit_session_undo(d->session, NULL) == TACIT_OK : 1);
    go_on(d);
    require(tacit_session_receipt(&text, d->session, NULL, NULL, NULL) == TACIT_OK);
    tacit_text_free(text);
    free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tacit_release_options options = {0};
    unsigned char *bytes;
    workspace *d;

    if (size == 0)
        return 0;
    d = workspace_of(data[0] % MODELS);
    options.delta = data[0] / MODELS % 2 ? 0.1 : 0;
    bytes = malloc(size - 1 + (size == 1)); /* as large as it is, so that reading beyond it is noticed */
    require(bytes != NULL);
    memcpy(bytes, data + 1, size - 1);
    require(tacit_session_restart(d->session, &options, NULL) == TACIT_OK);
    if (tacit_session_restore(d->session, bytes, size - 1, NULL) == TACIT_OK)
        check_restored(d, bytes, size - 1);
    else
        require(tacit_session_events(d->session) == 0);
    free(bytes);
    return 0;
}
