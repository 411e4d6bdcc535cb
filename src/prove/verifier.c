/*
 * verifier.c -- is a network's label constant over a region?
 *
 * The label can only be constant if it is the one of any completion; so evaluate one, and ask whether another class can
 * beat it anywhere.  In this order, the cheapest first:
 *   1. completions seen before, with what is known now put in, and the middle of the region;
 *   2. one bound of the whole region (netbounds.c), and the corners where it is attained;
 *   3. the search (netsearch.c) for a few boxes, a gradient attack (netattack.c), the search for some more, another
 *      attack, and so on to the end or the budget.
 * Certified: every margin is proven on every box, by bounds that hold for the bits which scores() computes, or by
 * evaluating every completion.  Refuted: two completions were evaluated by scores() and got different labels.  All
 * else is undecided, be it for lack of budget or because a margin is within rounding of zero.
 *
 * Everything here is a function of the region, the network and the completions kept since the last
 * tct_verifier_forget: no clock, no true randomness.
 */
#include "verifier.h"

#include <math.h>
#include <string.h>

#include "verifier_inside.h"

enum {
    NODES_BEFORE_ATTACK = 24, /* most regions are settled by then */
    AT_A_TIME = 4,            /* completions seen before */
    ALIGN = 64
};

/* Products formed for one question unless the caller says otherwise: about a second.  Work, not boxes: what a box costs
 * depends on the network. */
static const uint64_t USUAL_WORK = UINT64_C(1) << 33;

static void *carve(tct_verifier *v, size_t *used, size_t count, size_t size)
{
    void *piece = v->arena ? v->arena + *used : NULL;

    *used += (count * size + ALIGN - 1) / ALIGN * ALIGN;
    return piece;
}

/* Lay out the scratch memory; returns its size. */
static size_t carve_all(tct_verifier *v)
{
    size_t used = 0, d = v->d, wide = tct_lanes_round(d);

    v->base = carve(v, &used, d, sizeof(double));
    v->witness[0] = carve(v, &used, d, sizeof(double));
    v->witness[1] = carve(v, &used, d, sizeof(double));
    v->seen = carve(v, &used, TCT_SEEN * d, sizeof(double));
    v->batch = carve(v, &used, TCT_BATCH * d, sizeof(double));
    v->scores = carve(v, &used, TCT_BATCH * v->classifier->n_scores, sizeof(double));
    v->box = carve(v, &used, 2 * d, sizeof(double));
    for (size_t k = 0; k < TCT_DEEPEST; k++) {
        v->levels[k].box = carve(v, &used, 2 * d, sizeof(double));
        v->levels[k].half = carve(v, &used, 2 * d, sizeof(double));
        v->levels[k].side = carve(v, &used, wide + TCT_SIDE_ROOM, sizeof(double));
        v->levels[k].phases = carve(v, &used, v->nb->n_units, 1);
    }
    v->point = carve(v, &used, wide, sizeof(double));
    v->start = carve(v, &used, wide, sizeof(double));
    v->trials = carve(v, &used, TCT_POINTS * wide, sizeof(double));
    v->gradient = carve(v, &used, wide, sizeof(double));
    v->best = carve(v, &used, wide, sizeof(double));
    v->phases = carve(v, &used, v->nb->n_units, 1);
    v->digits = carve(v, &used, v->codec->schema->n_attributes, sizeof(size_t));
    return used;
}

tacit_status tct_verifier_new(tct_verifier **out, const tacit_model *model, tacit_error *err)
{
    tct_verifier *v = tct_calloc(1, sizeof *v);
    tacit_status st;

    *out = NULL;
    if (!v)
        return tct_fail_memory(err);
    v->classifier = model->classifier;
    v->codec = model->codec;
    v->d = model->classifier->n_inputs;
    st = tct_netbounds_new(&v->nb, tct_as_mlp(model->classifier), model->codec, err);
    if (st)
        goto done;
    v->arena_size = carve_all(v);
    v->block_of_arena = tct_calloc(v->arena_size + ALIGN, 1);
    if (!v->block_of_arena) {
        st = tct_fail_memory(err);
        goto done;
    }
    v->arena = v->block_of_arena + (ALIGN - (uintptr_t)v->block_of_arena % ALIGN);
    carve_all(v);
    *out = v;
    v = NULL;
done:
    tct_verifier_free(v);
    return st;
}

void tct_verifier_free(tct_verifier *v)
{
    if (!v)
        return;
    tct_search_free(v);
    tct_netbounds_free(v->nb);
    tct_free_wiped(v->block_of_arena, v->arena_size + ALIGN);
    tct_free(v);
}

/* ---- completions ---- */

void tct_verifier_look(tct_verifier *v, size_t n)
{
    size_t n_scores = v->classifier->n_scores;

    v->classifier->ops->scores(v->classifier, v->batch, n, v->scores);
    for (size_t r = 0; r < n && !v->refuted; r++) {
        size_t label = tct_label(v->scores + r * n_scores, n_scores);

        if (v->label != TACIT_NONE && v->label == label)
            continue;
        v->refuted = v->label != TACIT_NONE;
        memcpy(v->witness[v->refuted], v->batch + r * v->d, v->d * sizeof(double));
        if (!v->refuted)
            v->label = label;
    }
}

void tct_verifier_complete(tct_verifier *v, const double *point, size_t r)
{
    double *x = v->batch + r * v->d;

    memcpy(x, v->base, v->d * sizeof(double));
    for (size_t s = 0; s < v->nb->n_unknown; s++) {
        const tct_unknown *u = &v->nb->unknown[s];

        memcpy(x + u->input, point + u->first, u->width * sizeof(double));
    }
}

bool tct_verifier_try(tct_verifier *v, const double *point)
{
    tct_verifier_complete(v, point, 0);
    tct_verifier_look(v, 1);
    return v->refuted;
}

/* Keep a completion for the next question. */
static void remember(tct_verifier *v, const double *x)
{
    memcpy(v->seen + v->next_seen * v->d, x, v->d * sizeof(double));
    v->next_seen = (v->next_seen + 1) % TCT_SEEN;
    if (v->n_seen < TCT_SEEN)
        v->n_seen++;
}

/* Completions seen before, with what is known now, newest first; then the middle.  A few at a time: the newest ones
 * mostly suffice. */
static void look_at_seen(tct_verifier *v, const tct_region *region)
{
    size_t filled = 0;

    for (size_t k = 0; k < v->n_seen && !v->refuted; k++) {
        const double *seen = v->seen + (v->next_seen + TCT_SEEN - 1 - k) % TCT_SEEN * v->d;
        double *x = v->batch + filled++ * v->d;

        memcpy(x, seen, v->d * sizeof(double));
        tct_attack_project(v, x);
        for (size_t a = 0; a < v->codec->schema->n_attributes; a++) {
            const tct_domain *domain = &v->codec->domains[a];

            if (region->known[a])
                memcpy(x + domain->first, region->x + domain->first, domain->width * sizeof(double));
        }
        if (filled == AT_A_TIME) {
            tct_verifier_look(v, filled);
            filled = 0;
        }
    }
    if (v->refuted)
        return;
    tct_attack_centre(v, v->point);
    tct_verifier_complete(v, v->point, filled);
    tct_verifier_look(v, filled + 1);
}

/* ---- deciding ---- */

bool tct_verifier_may_go_on(const tct_verifier *v)
{
    return v->nodes < v->max_nodes && v->nb->work < v->max_work;
}

static void begin(tct_verifier *v, const tct_region *region, uint64_t max_nodes)
{
    v->label = TACIT_NONE;
    v->refuted = v->given_up = false;
    v->told = true;
    v->nodes = 0;
    v->max_nodes = max_nodes ? max_nodes : UINT64_MAX;
    v->nb->work = 0;
    v->max_work = max_nodes ? UINT64_MAX : USUAL_WORK;
    v->n_open = 0;
    v->best_value = INFINITY;
    memset(v->base, 0, v->d * sizeof(double));
    for (size_t a = 0; a < v->codec->schema->n_attributes; a++) {
        const tct_domain *domain = &v->codec->domains[a];

        if (region->known[a])
            memcpy(v->base + domain->first, region->x + domain->first, domain->width * sizeof(double));
    }
    memset(v->point, 0, tct_lanes_round(v->d) * sizeof(double));
    tct_netbounds_region(v->nb, region);
}

/* Everything but the first look.  Sets refuted, or proves, or leaves something undone.  Searching and attacking take
 * turns, the second search four times as long as the first, later ones eight times as long as the one before. */
static tacit_status prove(tct_verifier *v, tacit_error *err)
{
    uint64_t nodes = NODES_BEFORE_ATTACK;
    tacit_status st;

    tct_netbounds_label(v->nb, v->label);
    st = tct_search_start(v, err);
    for (uint64_t round = 0; !st && !v->refuted && !tct_search_done(v) && tct_verifier_may_go_on(v); round++) {
        if (round > 0)
            tct_attack(v, round);
        if (!v->refuted)
            st = tct_search_run(v, nodes, err);
        nodes *= round > 0 ? 8 : 4;
    }
    if (!st && !v->refuted && v->given_up)
        tct_attack(v, 0);
    return st;
}

tacit_status tct_verifier_decide(tct_verifier *v, const tct_region *region, uint64_t max_nodes, tct_finding *finding,
                                 tacit_error *err)
{
    tacit_status st = TACIT_OK;

    finding->verdict = TACIT_UNDECIDED;
    finding->label = TACIT_NONE;
    finding->nodes = 0;
    begin(v, region, max_nodes);
    if (v->nb->sound) {
        look_at_seen(v, region);
        if (!v->refuted)
            st = prove(v, err);
    }
    if (st)
        return st;
    finding->nodes = v->nodes;
    if (v->refuted) {
        finding->verdict = TACIT_REFUTED;
        for (size_t w = 0; w < 2; w++) {
            remember(v, v->witness[w]);
            if (finding->witness[w])
                memcpy(finding->witness[w], v->witness[w], v->d * sizeof(double));
        }
    } else if (v->nb->sound && !v->given_up && tct_search_done(v)) {
        finding->verdict = TACIT_CERTIFIED;
        finding->label = v->label;
    }
    return TACIT_OK;
}

size_t tct_verifier_within_rounding(const tct_verifier *v)
{
    return v->given_up && !v->refuted ? v->label : TACIT_NONE;
}

void tct_verifier_forget(tct_verifier *v)
{
    if (!v->told)
        return;
    tct_wipe(v->arena, v->arena_size); /* what was known is in more places than the completions, */
    tct_netbounds_forget(v->nb);       /* the biases of the first layer among them */
    tct_search_free(v);
    v->n_seen = v->next_seen = 0;
    v->best_value = INFINITY;
    v->told = false;
}
