/*
 * alike.c -- see alike.h.
 */
#include "alike.h"

#include <string.h>

#include "recall.h"

enum { ROOM = 1 << 22 }; /* bytes, about */

struct tct_alike {
    tct_recall *table; /* of tct_found */
    double deltas[TCT_ALIKE_PROMISES];
    size_t n_deltas; /* of the promises that what was found is about */
};

tacit_status tct_alike_new(tct_alike **out, const tacit_model *model, tacit_error *err)
{
    tct_alike *s = tct_calloc(1, sizeof *s);

    *out = NULL;
    if (!s || tct_recall_new(&s->table, model->codec, sizeof(tct_found), ROOM, NULL)) {
        tct_free(s);
        return tct_fail_memory(err);
    }
    *out = s;
    return TACIT_OK;
}

void tct_alike_forget(tct_alike *s)
{
    tct_recall_forget(s->table);
}

void tct_alike_about(tct_alike *s, const tct_promise *promises, size_t n)
{
    bool same = n == s->n_deltas;

    for (size_t i = 0; i < n && same; i++)
        same = promises[i].delta == s->deltas[i];
    if (same)
        return;
    tct_alike_forget(s);
    s->n_deltas = n;
    for (size_t i = 0; i < n; i++)
        s->deltas[i] = promises[i].delta;
}

void tct_alike_free(tct_alike *s)
{
    if (!s)
        return;
    tct_recall_free(s->table);
    tct_free(s);
}

const tct_found *tct_alike_find(tct_alike *s, const tct_stage *stage, const double *x)
{
    return tct_recall_find(s->table, stage->known, x);
}

void tct_alike_keep(tct_alike *s, tct_found found)
{
    memcpy(tct_recall_place(s->table), &found, sizeof found);
}
