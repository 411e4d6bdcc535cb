/*
 * Two kernels.  At the first stage, where most people stop, a tile of people is treated side by side: one coefficient
 * times one input of 256 people at a time, which compilers turn into vector code without changing any sum.  The few
 * who go on are followed one by one.
 */
#include "chain.h"

#include <math.h>

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

/* out[p] = start + sum_i coefficient[i] x[input[i]][p], i ascending; input NULL: 0, 1, 2, ... */
static inline __attribute__((always_inline)) void affine_body(double *restrict out, double start,
                                                              const double *coefficient, const size_t *input, size_t m,
                                                              const double *x, size_t stride, size_t n)
{
    for (size_t p = 0; p < n; p++)
        out[p] = start;
    for (size_t i = 0; i < m; i++) {
        const double *restrict xi = x + (input ? input[i] : i) * stride;
        double c = coefficient[i];

        for (size_t p = 0; p < n; p++)
            out[p] += c * xi[p];
    }
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void affine_avx2(double *out, double start, const double *coefficient,
                                                        const size_t *input, size_t m, const double *x, size_t stride,
                                                        size_t n)
{
    affine_body(out, start, coefficient, input, m, x, stride, n);
}
#endif

static void affine(double *out, double start, const double *coefficient, const size_t *input, size_t m, const double *x,
                   size_t stride, size_t n)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) {
        affine_avx2(out, start, coefficient, input, m, x, stride, n);
        return;
    }
#endif
    affine_body(out, start, coefficient, input, m, x, stride, n);
}

void tct_chain_labels(const tct_linear *linear, const double *x, size_t stride, size_t n, uint8_t *full)
{
    double score[TCT_TILE];

    affine(score, linear->bias[0], linear->weights, NULL, linear->base.n_inputs, x, stride, n);
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

void tct_chain_tile(const tct_chain *chain, const double *x, size_t stride, size_t n, const uint8_t *full,
                    tct_mark *marks)
{
    const link *start = &chain->links[0];
    double partial[TCT_TILE], mean[TCT_TILE];

    affine(partial, chain->linear->bias[0], start->terms, start->known, start->n_known, x, stride, n);
    affine(mean, start->offset, start->map, start->known, start->n_known, x, stride, n);
    for (size_t p = 0; p < n; p++) {
        size_t kept = visit(chain, 0, partial[p], mean[p], full[p], 0, marks, p);
        double known = partial[p];

        for (size_t k = 1; kept < chain->n_promises && k <= chain->n_order; k++) {
            const link *l = &chain->links[k];
            double m = l->offset;

            for (size_t i = l->first_new; i < l->n_known; i++)
                known += l->terms[i] * x[l->known[i] * stride + p];
            for (size_t i = 0; i < l->n_known; i++)
                m += l->map[i] * x[l->known[i] * stride + p];
            kept = visit(chain, k, known, m, full[p], kept, marks, p);
        }
    }
    tct_wipe(partial, sizeof partial);
    tct_wipe(mean, sizeof mean);
}
