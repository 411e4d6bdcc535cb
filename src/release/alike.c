/*
 * alike.c -- see alike.h.
 */
#include "alike.h"

#include <string.h>

#include "recall.h"

enum { ROOM = 1 << 22, SHARED_ROOM = 1 << 26 }; /* bytes, about */
enum { MOST_SHARED = 8 };                       /* rules and laws of an experiment */

struct tct_alike {
    tct_recall *table; /* of tct_found */
    double deltas[TCT_ALIKE_PROMISES];
    size_t n_deltas; /* of the promises that what was found is about */
    bool shared;     /* it belongs to an experiment */
};

struct tct_alikes {
    const tacit_model *model;
    struct {
        const tct_rule_ops *rule;
        const tct_score_law_ops *law;
        tct_alike *alike;
    } rows[MOST_SHARED];
    size_t n;
};

static tacit_status new_alike(tct_alike **out, const tacit_model *model, size_t room, tacit_error *err)
{
    tct_alike *s = tct_calloc(1, sizeof *s);

    *out = NULL;
    if (!s || tct_recall_new(&s->table, model->codec, sizeof(tct_found), room, NULL)) {
        tct_free(s);
        return tct_fail_memory(err);
    }
    *out = s;
    return TACIT_OK;
}

/* That of an experiment; NULL: there is no room. */
static tct_alike *find_shared(tct_alikes *s, const tct_rule_ops *rule, const tct_score_law_ops *law)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->rows[i].rule == rule && s->rows[i].law == law)
            return s->rows[i].alike;
    if (s->n == MOST_SHARED || new_alike(&s->rows[s->n].alike, s->model, SHARED_ROOM, NULL))
        return NULL;
    s->rows[s->n].alike->shared = true;
    s->rows[s->n].rule = rule;
    s->rows[s->n].law = law;
    return s->rows[s->n++].alike;
}

bool tct_alike_pays(const tacit_model *model, const tct_score_law_ops *law, const tct_prover *prover, bool proofs)
{
    bool ahead = prover && prover->ops->skip;

    if (proofs && ahead)
        return true;
    if (!proofs && !ahead && (model->classifier->n_scores > 1 || law->exact))
        return true;
    return model->alikes && prover && !ahead;
}

tacit_status tct_alike_new(tct_alike **out, const tacit_model *model, const tct_rule_ops *rule,
                           const tct_score_law_ops *law, bool proofs, tacit_error *err)
{
    *out = model->alikes && !proofs ? find_shared(model->alikes, rule, law) : NULL;
    return *out ? TACIT_OK : new_alike(out, model, ROOM, err);
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

static void free_alike(tct_alike *s)
{
    tct_recall_free(s->table);
    tct_free(s);
}

void tct_alike_free(tct_alike *s)
{
    if (s && !s->shared)
        free_alike(s);
}

tct_found *tct_alike_find(tct_alike *s, const tct_stage *stage, const double *x)
{
    return tct_recall_find(s->table, stage->known, x);
}

void tct_alike_keep(tct_alike *s, tct_found *before, tct_found found)
{
    memcpy(before ? (void *)before : tct_recall_place(s->table), &found, sizeof found);
}

/* ---- of an experiment ---- */

tacit_status tct_alikes_new(tct_alikes **out, const tacit_model *model, tacit_error *err)
{
    *out = tct_calloc(1, sizeof **out);
    if (!*out)
        return tct_fail_memory(err);
    (*out)->model = model;
    return TACIT_OK;
}

void tct_alikes_free(tct_alikes *s)
{
    for (size_t i = 0; s && i < s->n; i++)
        free_alike(s->rows[i].alike);
    tct_free(s);
}
