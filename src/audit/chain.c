/*
 * A tile of people walks the chain together.  At the first stage, where most people stop, all of them are treated side
 * by side; those for whom every promise is kept there leave with one word about it.  The others go from stage to stage
 * as a list that becomes shorter.
 */
#include "chain.h"

#include <math.h>
#include <string.h>

#include "lanes.h"

/* What is needed of a stage, copied: the stages themselves may be large. */
typedef struct link {
    bool complete;      /* everything is known */
    double floor[2];    /* added to the signed partial score; [label] */
    double *thresholds; /* per promise, in chain order: |mean score| that keeps it */
    size_t n_known;
    size_t *known; /* inputs, in the order in which they became known */
    double *terms; /* their weights */
    double offset; /* mean score = offset + sum_i map[i] x[known[i]] */
    double *map;
    size_t first_new; /* known inputs from here on are new at this stage */
} link;

struct tct_chain {
    const tct_linear *linear;
    link *links; /* n_order + 1 */
    size_t n_order;
    size_t *order;
    size_t n_promises;
    size_t *by_delta; /* promises, largest delta first: they are kept in this order */
    size_t n_exact;   /* the last of them have delta = 0 */
};

static tacit_status link_init(link *l, const tct_chain *chain, const tct_stage *stage, size_t first_new,
                              const tct_promise *promises, tacit_error *err)
{
    const tct_belief *b = stage->belief;

    l->complete = stage->n_unknown == 0;
    l->first_new = first_new;
    l->floor[1] = stage->frame->floor[tct_pair(stage->frame->extremes, 1, 0)];
    l->floor[0] = stage->frame->floor[tct_pair(stage->frame->extremes, 0, 1)];
    l->n_known = b->n_known;
    l->offset = stage->law->offset[0];
    l->thresholds = tct_calloc(chain->n_promises + 1, sizeof(double));
    l->known = tct_calloc(b->n_known + 1, sizeof(size_t));
    l->terms = tct_calloc(b->n_known + 1, sizeof(double));
    l->map = tct_calloc(b->n_known + 1, sizeof(double));
    if (!l->thresholds || !l->known || !l->terms || !l->map)
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
}

/* Follow the common order to its end.  It does not depend on values: zeros do. */
static tacit_status build_chain(tct_chain *chain, tct_plan *plan, const tct_stage *from, tct_walker *walker,
                                const double *zeros, const tct_promise *promises, tacit_error *err)
{
    const tct_stage *stage = from, *mark = tct_plan_mark(plan);
    size_t before = 0;
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
    if (rule != TACIT_RULE_ENTROPY || model->classifier->n_scores != 1 || !tct_as_linear(model->classifier))
        return TACIT_OK;
    chain = tct_calloc(1, sizeof *chain);
    zeros = tct_calloc(model->codec->n_inputs, sizeof *zeros);
    if (!chain || !zeros) {
        st = tct_fail_memory(err);
        goto done;
    }
    chain->linear = tct_as_linear(model->classifier);
    chain->n_promises = n_promises;
    chain->links = tct_calloc(n + 1, sizeof *chain->links);
    chain->order = tct_calloc(n + 1, sizeof *chain->order);
    chain->by_delta = tct_calloc(n_promises, sizeof *chain->by_delta);
    if (!chain->links || !chain->order || !chain->by_delta) {
        st = tct_fail_memory(err);
        goto done;
    }
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
    for (size_t k = 0; chain->links && chain->order && k <= chain->n_order; k++) {
        tct_free(chain->links[k].thresholds);
        tct_free(chain->links[k].known);
        tct_free(chain->links[k].terms);
        tct_free(chain->links[k].map);
    }
    tct_free(chain->links);
    tct_free(chain->order);
    tct_free(chain->by_delta);
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

/* What one stage says about one person: marks the promises kept, returns how many (in chain order) are kept so far. */
static inline size_t visit(const tct_chain *chain, size_t k, double partial, double mean, uint8_t full, size_t kept,
                           tct_mark *marks, size_t p)
{
    const link *l = &chain->links[k];
    tct_mark mark = {(uint16_t)k, TACIT_OPEN, 0};

    if (l->complete) {
        mark.settled = TACIT_ALL_REVEALED;
        mark.label = full;
    } else if (partial + l->floor[1] >= 0) {
        mark.settled = TACIT_CERTAIN;
        mark.label = 1;
    } else if (-partial + l->floor[0] > 0) {
        mark.settled = TACIT_CERTAIN;
        mark.label = 0;
    }
    if (mark.settled != TACIT_OPEN) {
        while (kept < chain->n_promises)
            marks[chain->by_delta[kept++] * TCT_TILE + p] = mark;
        return kept;
    }
    mark.settled = TACIT_LIKELY;
    mark.label = mean >= 0;
    while (kept < chain->n_promises - chain->n_exact && fabs(mean) >= l->thresholds[kept])
        marks[chain->by_delta[kept++] * TCT_TILE + p] = mark;
    return kept;
}

/* once[p] from the sums at the start; n is rounded up to a multiple of 8. */
TCT_LANES_BODY void once_body(const link *start, double enough, const double *partial, const double *mean, size_t n,
                              uint8_t *once)
{
    for (size_t p = 0; p < n; p += TCT_EIGHT) {
        tct_eight zero = {0}, known = TCT_LOAD(partial + p), m = TCT_LOAD(mean + p), word;

        word = TCT_SELECT(m >= zero, zero + (2 + 2 * TACIT_LIKELY), zero + (1 + 2 * TACIT_LIKELY));
        word = TCT_SELECT(TCT_MAGNITUDE(m) >= enough, word, zero);
        word = TCT_SELECT(-known + start->floor[0] > zero, zero + (1 + 2 * TACIT_CERTAIN), word);
        word = TCT_SELECT(known + start->floor[1] >= zero, zero + (2 + 2 * TACIT_CERTAIN), word);
        for (size_t i = 0; i < TCT_EIGHT; i++)
            once[p + i] = (uint8_t)word[i];
    }
}

TCT_LANES_FUNCTION(find_once, once_body,
                   (const link *start, double enough, const double *partial, const double *mean, size_t n,
                    uint8_t *once),
                   (start, enough, partial, mean, n, once))

/* The |mean score| that keeps all promises at the start. */
static double enough_for_all(const tct_chain *chain)
{
    double enough = 0;

    for (size_t i = 0; i < chain->n_promises; i++)
        enough = fmax(enough, chain->links[0].thresholds[i]);
    return chain->n_exact ? INFINITY : enough;
}

/* to[j] += coefficient[i] x[input[i] * stride + people[j]], i ascending. */
TCT_LANES_BODY void add_body(double *restrict to, const double *coefficient, const size_t *input, size_t m,
                             const double *x, size_t stride, const uint16_t *restrict people, size_t n)
{
    for (size_t i = 0; i < m; i++) {
        const double *restrict column = x + input[i] * stride;
        double c = coefficient[i];

        for (size_t j = 0; j < n; j++)
            to[j] += c * column[people[j]];
    }
}

TCT_LANES_FUNCTION(add_terms, add_body,
                   (double *to, const double *coefficient, const size_t *input, size_t m, const double *x,
                    size_t stride, const uint16_t *people, size_t n),
                   (to, coefficient, input, m, x, stride, people, n))

/* Those on the list visit stage k; returns how many go on.  partial[j], mean[j] and kept[j] are of people[j]. */
static size_t visit_all(const tct_chain *chain, size_t k, const uint8_t *full, tct_mark *marks, uint16_t *people,
                        double *partial, const double *mean, uint16_t *kept, size_t n)
{
    size_t left = 0;

    for (size_t j = 0; j < n; j++) {
        uint16_t p = people[j];
        size_t now = visit(chain, k, partial[j], mean[j], full[p], kept[j], marks, p);

        people[left] = p;
        partial[left] = partial[j];
        kept[left] = (uint16_t)now;
        left += now < chain->n_promises;
    }
    return left;
}

void tct_chain_rest(const tct_chain *chain, const double *x, size_t stride, size_t n, const uint8_t *full,
                    uint8_t *once, tct_mark *marks)
{
    const link *start = &chain->links[0];
    double partial[TCT_TILE] = {0}, mean[TCT_TILE] = {0};
    uint16_t people[TCT_TILE], kept[TCT_TILE];
    size_t left = 0;

    if (start->complete) {
        for (size_t p = 0; p < n; p++)
            once[p] = (uint8_t)(1 + 2 * TACIT_ALL_REVEALED + full[p]);
        return;
    }
    tct_lanes_affine(partial, chain->linear->bias[0], start->terms, start->known, start->n_known, x, stride, n);
    tct_lanes_affine(mean, start->offset, start->map, start->known, start->n_known, x, stride, n);
    find_once(start, enough_for_all(chain), partial, mean, n, once);
    for (size_t p = 0; p < n; p++) {
        people[left] = (uint16_t)p;
        partial[left] = partial[p];
        mean[left] = mean[p];
        kept[left] = 0;
        left += once[p] == 0;
    }
    left = visit_all(chain, 0, full, marks, people, partial, mean, kept, left);
    for (size_t k = 1; left > 0 && k <= chain->n_order; k++) {
        const link *l = &chain->links[k];

        for (size_t j = 0; j < left; j++)
            mean[j] = l->offset;
        add_terms(mean, l->map, l->known, l->n_known, x, stride, people, left);
        add_terms(partial, l->terms + l->first_new, l->known + l->first_new, l->n_known - l->first_new, x, stride,
                  people, left);
        left = visit_all(chain, k, full, marks, people, partial, mean, kept, left);
    }
    tct_wipe(partial, sizeof partial);
    tct_wipe(mean, sizeof mean);
    tct_wipe(kept, sizeof kept);
}

void tct_chain_tile(const tct_chain *chain, const double *x, size_t stride, size_t n, const uint8_t *full,
                    tct_mark *marks)
{
    uint8_t once[TCT_TILE];

    tct_chain_rest(chain, x, stride, n, full, once, marks);
    for (size_t i = 0; i < chain->n_promises; i++)
        for (size_t p = 0; p < n; p++)
            if (once[p])
                marks[i * TCT_TILE + p] = tct_chain_once(once[p]);
    tct_wipe(once, sizeof once);
}
