/*
 * alone.c -- what a rule for proofs asks one person, without looking at everything after every answer.
 *
 * Columns.  As in follow.c every answer i has a column h_i, the covariances of all variables with it given the answers
 * before, and factors f_ij = h_j[i] / v_j.  Here candidates lie in slots, sixteen to a tile, in the order of what they seem
 * worth at the start, and a tile gets its part of the columns when one of its candidates may lead, for all answers that have
 * come meanwhile, four of them at a time: columns of candidates that are far from being asked are not made at all, and those
 * that are stay in the cache.  Every number comes from the same operations in the same order as in follow.c, so it is the
 * same to the bit.
 *
 * Who may lead.  Answers that a tile has not seen move a mean by sum_i l_i z_i, where z_i is by how much answer i was off in
 * standard deviations and sum_i l_i^2 is the variance that they take away.  By Cauchy and Schwarz that is no more than
 * sqrt(variance) sqrt(sum_i z_i^2), and what a candidate would gain changes by no more than weight / cost of that.  A tile
 * whose best candidate cannot reach the leading one by that bound, with room for rounding, is left alone.
 *
 * Sums.  Whether something is proven, and whether an answer could prove it, is first asked of sums that are kept up to date;
 * where they are too close to 0 for their rounding, the sums of the rule and the proof are formed anew.  The label expected
 * is the sign of the mean score, kept as one more variable, whose covariances with the others the law has (law.h).
 */
#include "alone.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "alone_inside.h"
#include "follow.h"

enum { LINE = 8 };                         /* numbers in a line of the cache */
static const double SCORE_ROUNDING = 1e-6; /* of the mean score, relative to the sum of what is added */
static const double DOUBT = 1e-6;          /* of variances, relative to those at the start */

/* ---- objects ---- */

static double range_of(const tct_extremes *e, size_t a)
{
    return -e->worst[tct_pair(e, 0, 1) * e->n_attributes + a] - e->worst[tct_pair(e, 1, 0) * e->n_attributes + a];
}

static bool applies(const tacit_model *model)
{
    if (!tct_follow_applies(model))
        return false;
    for (size_t a = 0; a < model->schema->n_attributes; a++)
        if (model->schema->attributes[a].role == TACIT_SENSITIVE && model->codec->domains[a].kind == TCT_ONEHOT)
            return false;
    return true;
}

static void sort_by_range(tct_alone *w)
{
    const tct_variables *v = w->model->variables;
    ranked *all = w->order;

    for (size_t a = 0; a < w->n_attributes; a++)
        if (w->model->schema->attributes[a].role == TACIT_SENSITIVE) {
            w->prior[a] = w->model->covariance[v->first[a] * (v->n + 1)];
            all[w->n_by_range++] = (ranked){range_of(w->extremes, a), a};
        }
    qsort(all, w->n_by_range, sizeof *all, tct_ranked_compare);
    for (size_t i = 0; i < w->n_by_range; i++)
        w->by_range[i] = all[i].index;
}

/* Room that does not depend on anybody; false: there is none. */
static bool make_room(tct_alone *w)
{
    size_t n = w->n_attributes, tiles = (n + SLOTS - 1) / SLOTS, most = tiles * SLOTS;
    bool there = true;

    for (size_t i = 0; i < SLOT_ARRAYS; i++)
        there = (w->slots[i] = tct_calloc(most, sizeof(double))) && there;
    w->order = tct_calloc(n, sizeof *w->order);
    w->by_range = tct_calloc(n, sizeof *w->by_range);
    w->prior = tct_calloc(n, sizeof(double));
    w->known = tct_calloc(n, 1);
    w->unknown = tct_calloc(n + 1, sizeof *w->unknown);
    w->attribute = tct_calloc(most, sizeof *w->attribute);
    w->position = tct_calloc(most, sizeof *w->position);
    w->slot_of = tct_calloc(n, sizeof *w->slot_of);
    w->open = tct_calloc(most, sizeof *w->open);
    w->means = tct_calloc(n, sizeof(double));
    w->variances = tct_calloc(n, sizeof(double));
    w->seen = tct_calloc(tiles, sizeof *w->seen);
    w->n_open = tct_calloc(tiles, sizeof *w->n_open);
    w->best = tct_calloc(tiles, sizeof *w->best);
    w->score = tct_calloc(tiles, sizeof(double));
    w->reach = tct_calloc(tiles, sizeof(double));
    w->most = tct_calloc(tiles, sizeof(double));
    w->list = tct_calloc(tiles, sizeof *w->list);
    w->moved = tct_calloc(n, sizeof *w->moved);
    w->room = tct_calloc(most, sizeof(double));
    w->pivots = tct_calloc(n, sizeof(double));
    w->offs = tct_calloc(n, sizeof(double));
    w->surprise = tct_calloc(n + 1, sizeof(double));
    w->through = tct_calloc(n, sizeof(double));
    w->row_step = SLOTS * n + LINE; /* not a power of two: tiles would get in each other's way in the cache */
    w->rows = tct_malloc(tiles, w->row_step * sizeof(double)); /* touched as far as needed */
    w->factors = tct_malloc(triangle(n) + 1, sizeof(double));
    return there && w->order && w->by_range && w->prior && w->known && w->unknown && w->attribute && w->position &&
           w->slot_of && w->open && w->means && w->variances && w->seen && w->n_open && w->best && w->score &&
           w->reach && w->most && w->list && w->moved && w->room && w->pivots && w->offs && w->surprise && w->through &&
           w->rows && w->factors;
}

tacit_status tct_alone_new(tct_alone **out, const tacit_model *model, const tct_extremes *extremes, tacit_error *err)
{
    tct_alone *w;

    *out = NULL;
    if (!applies(model))
        return TACIT_OK;
    w = tct_calloc(1, sizeof *w);
    if (!w)
        return tct_fail_memory(err);
    w->model = model;
    w->extremes = extremes;
    w->n_attributes = model->schema->n_attributes;
    if (!make_room(w) || tct_linear_proof_new(&w->proof, extremes, w->known, NULL)) {
        tct_alone_free(w);
        return tct_fail_memory(err);
    }
    sort_by_range(w);
    *out = w;
    return TACIT_OK;
}

/* What is about somebody. */
static void forget(tct_alone *w)
{
    tct_wipe(w->slots[MEAN], w->n_tiles * SLOTS * sizeof(double));
    tct_wipe(w->slots[SCORE], w->n_tiles * SLOTS * sizeof(double));
    tct_wipe(w->means, w->n_slots * sizeof(double));
    tct_wipe(w->room, w->n_slots * sizeof(double));
    tct_wipe(w->offs, w->n_answers * sizeof(double));
    tct_wipe(w->surprise, (w->n_answers + 1) * sizeof(double));
    tct_wipe(w->score, w->n_tiles * sizeof(double));
    w->partial = w->mean_score = 0;
    w->n_answers = 0;
    w->start = NULL;
}

void tct_alone_free(tct_alone *w)
{
    if (!w)
        return;
    for (size_t i = 0; i < SLOT_ARRAYS; i++)
        tct_free(w->slots[i]);
    tct_linear_proof_free(w->proof);
    tct_free(w->order);
    tct_free(w->by_range);
    tct_free(w->prior);
    tct_free(w->known);
    tct_free(w->unknown);
    tct_free(w->attribute);
    tct_free(w->position);
    tct_free(w->slot_of);
    tct_free(w->open);
    tct_free(w->means);
    tct_free(w->variances);
    tct_free(w->seen);
    tct_free(w->n_open);
    tct_free(w->best);
    tct_free(w->score);
    tct_free(w->reach);
    tct_free(w->most);
    tct_free(w->list);
    tct_free(w->moved);
    tct_free(w->room);
    tct_free(w->pivots);
    tct_free(w->offs);
    tct_free(w->surprise);
    tct_free(w->through);
    tct_free(w->rows);
    tct_free(w->factors);
    tct_free(w);
}

/* ---- one person ---- */

/* Bias plus the terms of what is known, as walk.c adds them up. */
static double partial_score(const tct_alone *w, const tct_belief *start, const double *x)
{
    const tct_linear *linear = w->extremes->linear;
    double sum = linear->bias[0];

    for (size_t i = 0; i < start->n_known; i++)
        sum += linear->weights[start->known[i]] * x[start->known[i]];
    return sum;
}

static void list_unknown(tct_alone *w)
{
    size_t n = 0;

    for (size_t a = 0; a < w->n_attributes; a++) {
        w->unknown[n] = a;
        n += !w->known[a];
    }
}

/* As walk.c forms it; everything is up to date. */
static double exact_score(tct_alone *w)
{
    const tct_variables *v = w->start->variables;
    const double *weights = v->weights ? v->weights : w->extremes->linear->weights;
    double score = w->partial;

    list_unknown(w);
    for (size_t k = 0; k < w->n_unknown; k++)
        score += weights[v->first[w->unknown[k]]] * w->means[w->position[w->slot_of[w->unknown[k]]]];
    return score;
}

static size_t expected_label(tct_alone *w)
{
    double score = w->mean_score;

    if (!(fabs(score) > SCORE_ROUNDING * (w->scale + fabs(w->partial)) + w->score_doubt)) {
        tct_alone_bring_all(w);
        score = exact_score(w);
    }
    return tct_label(&score, 1);
}

/* What is the same for everybody about the candidate in a slot. */
static void fill_slot(tct_alone *w, size_t s, size_t attribute)
{
    const tct_extremes *e = w->extremes;
    size_t one = tct_pair(e, 1, 0), other = tct_pair(e, 0, 1), d = e->linear->base.n_inputs;
    size_t input = w->model->codec->domains[attribute].first;
    double cost = w->model->schema->attributes[attribute].cost, weight = e->weights[one * d + input];

    w->slots[WEIGHT_1][s] = weight;
    w->slots[WEIGHT_0][s] = e->weights[other * d + input];
    w->slots[WORST_1][s] = e->worst[one * e->n_attributes + attribute];
    w->slots[WORST_0][s] = e->worst[other * e->n_attributes + attribute];
    tct_codec_range(w->model->codec, attribute, &w->slots[LOW][s], &w->slots[HIGH][s]);
    w->slots[COST][s] = cost;
    w->slots[SPEED][s] = (weight / cost) * (weight / cost);
}

/* Candidates into slots, in the order of what they seem worth; w->means and w->variances are those of the start. */
static void arrange(tct_alone *w, size_t label)
{
    const tct_extremes *e = w->extremes;
    size_t pair = tct_pair(e, label, 1 - label), n = w->n_unknown;
    ranked *order = w->order;

    for (size_t k = 0; k < n; k++) {
        size_t a = w->unknown[k];
        double mean = w->means[tct_belief_at(w->start, a)];

        order[k] = (ranked){(e->weights[pair * e->linear->base.n_inputs + w->model->codec->domains[a].first] * mean -
                             e->worst[pair * e->n_attributes + a]) /
                                w->model->schema->attributes[a].cost,
                            a};
    }
    qsort(order, n, sizeof *order, tct_ranked_compare);
    w->n_slots = n;
    w->n_tiles = (n + SLOTS - 1) / SLOTS;
    for (size_t s = 0; s < w->n_tiles * SLOTS; s++) {
        size_t a = order[s < n ? s : n - 1].index;

        fill_slot(w, s, a);
        w->open[s] = s < n;
        w->attribute[s] = a;
        w->position[s] = (uint32_t)tct_belief_at(w->start, a);
        w->slots[MEAN][s] = w->means[w->position[s]];
        w->slots[VARIANCE][s] = w->variances[w->position[s]];
        w->slots[DOUBTS][s] = DOUBT * w->variances[w->position[s]];
        if (s < n)
            w->slot_of[a] = s;
        else
            tct_alone_close(w, s);
    }
    tct_wipe(order, sizeof *order * n);
    for (size_t t = 0; t < w->n_tiles; t++) {
        w->seen[t] = 0;
        w->n_open[t] = t + 1 < w->n_tiles ? SLOTS : n - t * SLOTS;
        tct_alone_rank(w, t, label);
    }
}

/* At the start of somebody's way; false: something unknown is no candidate. */
static bool set_out(tct_alone *w, const tct_stage *from, const double *x)
{
    const tct_extremes *e = w->extremes;
    size_t n = from->belief->n_unknown;

    w->start = from->belief;
    w->n_unknown = w->n_answers = w->widest = 0;
    w->surprise[0] = w->worst[0] = w->worst[1] = w->scale = w->score_doubt = 0;
    memcpy(w->known, from->known, w->n_attributes);
    for (size_t a = 0; a < w->n_attributes; a++) {
        if (w->known[a])
            continue;
        if (w->model->schema->attributes[a].role != TACIT_SENSITIVE)
            return false;
        w->unknown[w->n_unknown++] = a;
        for (size_t label = 0; label < 2; label++) {
            double worst = e->worst[tct_pair(e, label, 1 - label) * e->n_attributes + a];

            w->worst[label] += worst;
            w->scale += fabs(worst);
        }
    }
    w->partial = partial_score(w, w->start, x);
    tct_belief_mean(w->start, x, w->means);
    for (size_t u = 0; u < n; u++)
        w->variances[u] = w->start->cov[u * n + u];
    w->mean_score = w->partial;
    for (size_t k = 0; k < w->n_unknown; k++) {
        size_t a = w->unknown[k];

        w->mean_score += e->linear->weights[w->model->codec->domains[a].first] * w->means[tct_belief_at(w->start, a)];
    }
    arrange(w, w->mean_score >= 0);
    return true;
}

static void learn(tct_alone *w, size_t attribute, const double *x, const tct_law *law)
{
    const tct_extremes *e = w->extremes;
    size_t slot = w->slot_of[attribute], tile = slot / SLOTS;
    size_t input = w->model->codec->domains[attribute].first;
    double off = x[input] - w->slots[MEAN][slot];

    if (tct_determined(w->slots[VARIANCE][slot], w->prior[attribute]))
        w->mean_score += e->linear->weights[input] * off;
    else
        tct_alone_answer(w, slot, off, law);
    w->partial += e->linear->weights[input] * x[input];
    for (size_t label = 0; label < 2; label++)
        w->worst[label] -= e->worst[tct_pair(e, label, 1 - label) * e->n_attributes + attribute];
    w->known[attribute] = 1;
    tct_alone_close(w, slot);
    w->n_open[tile]--;
    if (w->best[tile] == slot)
        w->best[tile] = ANYBODY;
    w->n_unknown--;
    while (w->widest < w->n_by_range && w->known[w->by_range[w->widest]])
        w->widest++;
}

/* The label that is proven, or TACIT_NONE. */
static size_t find_certain(tct_alone *w)
{
    const tct_extremes *e = w->extremes;
    double slack = ROUNDING * (w->scale + fabs(w->partial));

    if (w->partial + w->worst[1] - e->pad[tct_pair(e, 1, 0)] < -slack &&
        -w->partial + w->worst[0] - e->pad[tct_pair(e, 0, 1)] < -slack)
        return TACIT_NONE;
    list_unknown(w);
    tct_linear_proof_set(w->proof, w->unknown, w->n_unknown);
    return tct_linear_proof_certain(w->proof, &w->partial);
}

/* Might an answer prove something? */
static bool may_settle(const tct_alone *w)
{
    double most = range_of(w->extremes, w->by_range[w->widest]) + 4 * ROUNDING * (w->scale + fabs(w->partial));

    return w->partial + w->worst[1] + most >= 0 || -w->partial + w->worst[0] + most >= 0;
}

/* By the rule itself. */
static size_t choose_plainly(tct_alone *w, const tct_view *frame, const double *x, size_t *candidates, double *scratch)
{
    const tct_rule_ways *ways = frame->ways;
    tct_view view = *frame;
    double score;

    tct_alone_bring_all(w);
    score = exact_score(w);
    memcpy(candidates, w->unknown, w->n_unknown * sizeof *candidates);
    view.belief = w->start;
    view.means = w->means;
    view.variances = w->variances;
    view.scores = &score;
    view.known = w->known;
    view.x = x;
    view.partial = &w->partial;
    view.candidates = candidates;
    view.n_candidates = w->n_unknown;
    return ways->stop(&view, scratch);
}

bool tct_alone_walk(tct_alone *w, const tct_stage *from, const double *x, bool stop, const tct_view *view,
                    size_t *candidates, double *scratch, size_t *asked, size_t *n_asked, size_t *label)
{
    size_t certain = TACIT_NONE, ranked_for;

    *n_asked = 0;
    if (!set_out(w, from, x))
        return false;
    ranked_for = w->mean_score >= 0;
    while (w->n_unknown > 0 && (certain = find_certain(w)) == TACIT_NONE) {
        size_t next;

        if (w->n_unknown == 1) {
            list_unknown(w);
            next = w->unknown[0];
        } else if (stop && may_settle(w)) {
            next = choose_plainly(w, view, x, candidates, scratch);
        } else {
            size_t expected = expected_label(w);

            for (size_t t = 0; t < w->n_tiles; t++)
                if (w->best[t] != NOBODY && (expected != ranked_for || w->best[t] == ANYBODY))
                    tct_alone_rank(w, t, expected);
            ranked_for = expected;
            next = tct_alone_leader(w, expected);
            tct_alone_close_up(w);
        }
        if (w->n_unknown == 1 && w->seen[w->slot_of[next] / SLOTS] < w->n_answers)
            tct_alone_bring(w, w->slot_of[next] / SLOTS);
        learn(w, next, x, from->law);
        asked[(*n_asked)++] = next;
    }
    forget(w);
    *label = certain;
    return true;
}
