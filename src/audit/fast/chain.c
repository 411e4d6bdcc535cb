/*
 * A tile of people walks the chain together.  At the first stage, where most people stop, all of them are treated side
 * by side; those for whom every promise is kept there leave with one word about it.  The others go from stage to stage
 * as a list that becomes shorter.
 */
#include "chain.h"

#include <math.h>
#include <string.h>

#include "arena.h"
#include "lanes.h"
#include "score_laws.h"

enum { STEP = 4 }; /* promises that are noted together */

/* What is needed of a stage, copied: the stages themselves may be large. */
typedef struct link {
    bool complete;      /* everything is known */
    double floor[2];    /* added to the signed partial score; [label] */
    double *thresholds; /* per promise, in chain order: |mean score| that keeps it, ascending */
    size_t n_known;
    size_t *known; /* inputs, in the order in which they became known */
    double *terms; /* their weights */
    double offset; /* mean score = offset + sum_i map[i] x[known[i]] */
    double *map;
    size_t first_new; /* known inputs from here on are new at this stage */
} link;

struct tct_chain {
    const tct_linear *linear;
    tct_arena arena; /* all arrays, those of the links included */
    link *links;     /* n_order + 1 */
    size_t n_order;
    size_t *order;
    size_t n_promises;
    size_t *by_delta; /* promises, largest delta first: they are kept in this order; the last STEP times more */
    size_t n_exact;   /* the last of them have delta = 0 */
};

static tacit_status link_init(link *l, tct_chain *chain, const tct_stage *stage, size_t first_new,
                              const tct_promise *promises, tacit_error *err)
{
    const tct_belief *b = stage->belief;

    l->complete = stage->n_unknown == 0;
    l->first_new = first_new;
    l->floor[1] = stage->linear_proof->floor[tct_pair(stage->linear_proof->extremes, 1, 0)];
    l->floor[0] = stage->linear_proof->floor[tct_pair(stage->linear_proof->extremes, 0, 1)];
    l->n_known = b->n_known;
    l->offset = stage->law->offset[0];
    l->thresholds = tct_take(&chain->arena, chain->n_promises + 1, sizeof(double));
    l->known = tct_take(&chain->arena, b->n_known + 1, sizeof(size_t));
    l->terms = tct_take(&chain->arena, b->n_known + 1, sizeof(double));
    l->map = tct_take(&chain->arena, b->n_known + 1, sizeof(double));
    if (chain->arena.failed)
        return tct_fail_memory(err);
    for (size_t i = 0; i < chain->n_promises; i++)
        l->thresholds[i] = stage->law->sigma * promises[chain->by_delta[i]].quantile;
    for (size_t i = 0; i < b->n_known; i++) {
        l->known[i] = b->known[i];
        l->terms[i] = chain->linear->weights[b->known[i]];
        l->map[i] = stage->law->map[i];
    }
    return TACIT_OK;
}

static void order_promises(tct_chain *chain, const tct_promise *promises)
{
    for (size_t i = 0; i < chain->n_promises; i++) {
        size_t at = i;

        while (at > 0 && promises[chain->by_delta[at - 1]].delta < promises[i].delta) {
            chain->by_delta[at] = chain->by_delta[at - 1];
            at--;
        }
        chain->by_delta[at] = i;
        chain->n_exact += !(promises[i].delta > 0);
    }
    for (size_t i = 0; i < STEP; i++)
        chain->by_delta[chain->n_promises + i] = chain->by_delta[chain->n_promises - 1];
}

/* Follow the common order to its end.  It does not depend on values: zeros do.  Nobody comes through the stages again, so
 * none is kept: one has two matrices of all variables. */
static tacit_status build_chain(tct_chain *chain, tct_plan *plan, const tct_stage *from, tct_walker *walker,
                                const double *zeros, const tct_promise *promises, tacit_error *err)
{
    const tct_stage *stage = from, *mark = tct_plan_mark(plan);
    size_t before = 0, limit = tct_plan_limit(plan, 0);
    tacit_status st = TACIT_OK;

    while (!st) {
        size_t next;

        st = link_init(&chain->links[chain->n_order], chain, stage, before, promises, err);
        if (st)
            break;
        next = tct_walker_choose(walker, stage, zeros, NULL);
        if (next == TACIT_NONE)
            break;
        chain->order[chain->n_order++] = next;
        before = stage->belief->n_known;
        st = tct_plan_step(plan, stage, next, &stage, err);
        if (!st)
            tct_plan_forget(plan, mark, stage);
    }
    tct_plan_forget(plan, mark, NULL);
    tct_plan_limit(plan, limit);
    return st;
}

tacit_status tct_chain_new(tct_chain **out, tct_plan *plan, const tct_stage *from, tacit_rule rule,
                           const tct_promise *promises, size_t n_promises, tacit_error *err)
{
    const tacit_model *model = tct_plan_model(plan);
    size_t n = model->schema->n_attributes;
    tct_chain *chain = NULL;
    tct_walker *walker = NULL;
    double *zeros = NULL;
    tacit_status st = TACIT_OK;

    *out = NULL;
    if (rule != TACIT_RULE_ENTROPY || model->classifier->n_scores != 1 || !tct_linear_law(model))
        return TACIT_OK;
    chain = tct_calloc(1, sizeof *chain);
    zeros = tct_calloc(model->codec->n_inputs, sizeof *zeros);
    if (!chain || !zeros) {
        st = tct_fail_memory(err);
        goto done;
    }
    chain->linear = tct_linear_law(model);
    chain->n_promises = n_promises;
    chain->links = tct_take(&chain->arena, n + 1, sizeof *chain->links);
    chain->order = tct_take(&chain->arena, n + 1, sizeof *chain->order);
    chain->by_delta = tct_take(&chain->arena, n_promises + STEP, sizeof *chain->by_delta);
    st = tct_arena_check(&chain->arena, err);
    if (st)
        goto done;
    order_promises(chain, promises);
    st = tct_walker_new(&walker, plan, rule, 0, err);
    if (!st)
        st = build_chain(chain, plan, from, walker, zeros, promises, err);
    if (!st) {
        *out = chain;
        chain = NULL;
    }
done:
    tct_walker_free(walker);
    tct_free(zeros);
    tct_chain_free(chain);
    return st;
}

void tct_chain_free(tct_chain *chain)
{
    if (!chain)
        return;
    tct_arena_clear(&chain->arena);
    tct_free(chain);
}

const size_t *tct_chain_order(const tct_chain *chain)
{
    return chain->order;
}

/* ---------------------------------------------------------------- kernels */

void tct_chain_labels(const tct_linear *linear, const double *x, size_t stride, size_t n, uint8_t *full)
{
    double score[TCT_TILE];

    tct_lanes_affine(score, linear->bias[0], linear->weights, NULL, linear->base.n_inputs, x, stride, n);
    for (size_t p = 0; p < n; p++)
        full[p] = score[p] >= 0;
    tct_wipe(score, sizeof score);
}

/* What one stage says of people: how many promises (in chain order) it keeps, times HOW, and how, packed.  n is rounded up to a multiple of 8. */
enum { HOW = 16 };

#define LOOPS "chain_loops.h"
#include "simd_levels.h"

/* to[j] += coefficient[i] x[input[i] * stride + people[j]], i ascending. */
TCT_INLINED void add_body(double *restrict to, const double *coefficient, const size_t *input, size_t m,
                          const double *x, size_t stride, const uint16_t *restrict people, size_t n)
{
    for (size_t i = 0; i < m; i++) {
        const double *restrict column = x + input[i] * stride;
        double c = coefficient[i];

        for (size_t j = 0; j < n; j++)
            to[j] += c * column[people[j]];
    }
}

TCT_SIMD_FUNCTION(void, add_terms, add_body,
                  (double *to, const double *coefficient, const size_t *input, size_t m, const double *x, size_t stride,
                   const uint16_t *people, size_t n),
                  (to, coefficient, input, m, x, stride, people, n))

/* People on their way; everything of people[j] at j. */
typedef struct travellers {
    uint16_t people[TCT_TILE], kept[TCT_TILE]; /* promises kept before */
    uint32_t said[TCT_TILE];                   /* by the stage at hand */
    double partial[TCT_TILE], mean[TCT_TILE];
} travellers;

/* Those on the list are told what stage k says; returns how many go on.
 *
 * It differs from one to the next, so nothing here branches on it.  It is written for at least STEP promises that
 * were not kept before: a later stage writes over those that are not kept yet. */
static size_t note_all(const tct_chain *chain, size_t k, const uint8_t *full, tct_ending *ends, travellers *t, size_t n)
{
    bool complete = chain->links[k].complete;
    size_t left = 0;

    for (size_t j = 0; j < n; j++) {
        uint16_t p = t->people[j];
        size_t from = t->kept[j], now = t->said[j] / HOW;
        tct_ending end = tct_ending_of((uint16_t)k, (uint8_t)(t->said[j] % HOW));

        if (complete) {
            end = (tct_ending){(uint16_t)k, TACIT_ALL_REVEALED, full[p]};
            now = chain->n_promises;
        }
        now = now > from ? now : from;
        do {
            for (size_t i = 0; i < STEP; i++)
                ends[chain->by_delta[from + i] * TCT_TILE + p] = end;
            from += STEP;
        } while (from < now);
        t->people[left] = p;
        t->partial[left] = t->partial[j];
        t->kept[left] = (uint16_t)now;
        left += now < chain->n_promises;
    }
    return left;
}

/* Everybody at the start; returns how many are not through at once. */
static size_t set_out(const tct_chain *chain, const double *x, size_t stride, size_t n, uint8_t *once, travellers *t)
{
    const link *start = &chain->links[0];
    size_t left = 0;

    tct_lanes_affine(t->partial, chain->linear->bias[0], start->terms, start->known, start->n_known, x, stride, n);
    tct_lanes_affine(t->mean, start->offset, start->map, start->known, start->n_known, x, stride, n);
    TCT_SIMD_PICK(judge)(start, chain->n_promises - chain->n_exact, chain->n_promises, t->partial, t->mean, n, t->said);
    for (size_t p = 0; p < n; p++) {
        bool through = t->said[p] / HOW == chain->n_promises;

        once[p] = through ? (uint8_t)(t->said[p] % HOW) : 0;
        t->people[left] = (uint16_t)p;
        t->partial[left] = t->partial[p];
        t->said[left] = t->said[p];
        t->kept[left] = 0;
        left += !through;
    }
    return left;
}

void tct_chain_rest(const tct_chain *chain, const double *x, size_t stride, size_t n, const uint8_t *full,
                    uint8_t *once, tct_ending *ends)
{
    travellers t = {.partial = {0}};
    size_t left;

    if (chain->links[0].complete) {
        for (size_t p = 0; p < n; p++)
            once[p] = (uint8_t)TCT_ENDING_PACKED(TACIT_ALL_REVEALED, full[p]);
        return;
    }
    left = note_all(chain, 0, full, ends, &t, set_out(chain, x, stride, n, once, &t));
    for (size_t k = 1; left > 0 && k <= chain->n_order; k++) {
        const link *l = &chain->links[k];

        for (size_t j = 0; j < left; j++)
            t.mean[j] = l->offset;
        add_terms(t.mean, l->map, l->known, l->n_known, x, stride, t.people, left);
        add_terms(t.partial, l->terms + l->first_new, l->known + l->first_new, l->n_known - l->first_new, x, stride,
                  t.people, left);
        TCT_SIMD_PICK(judge)(l, chain->n_promises - chain->n_exact, chain->n_promises, t.partial, t.mean, left, t.said);
        left = note_all(chain, k, full, ends, &t, left);
    }
    tct_wipe(&t, sizeof t);
}

void tct_chain_tile(const tct_chain *chain, const double *x, size_t stride, size_t n, const uint8_t *full,
                    tct_ending *ends)
{
    uint8_t once[TCT_TILE];

    tct_chain_rest(chain, x, stride, n, full, once, ends);
    for (size_t i = 0; i < chain->n_promises; i++)
        for (size_t p = 0; p < n; p++)
            if (once[p])
                ends[i * TCT_TILE + p] = tct_ending_of(0, once[p]);
    tct_wipe(once, sizeof once);
}
