/*
 * The plain path.  src/audit/chain.c has a faster one for the case in which the order of questions is the same for
 * everybody, tested equal to this.
 */
#include "walk.h"

#include <math.h>
#include <string.h>

#include "num.h"

struct tct_walker {
    tct_plan *plan;
    const tacit_model *model;
    const tct_linear *linear;
    const tct_rule_ops *rule;
    uint64_t seed;
    double *partial; /* n_scores: bias plus known terms */
    double *mean;    /* n_scores */
    double *p;       /* n_classes */
    double *scratch;
    size_t n_scratch;
    size_t *candidates;
    tct_noise noise;
};

tct_promise tct_promise_of(double delta)
{
    tct_promise promise = {delta, delta > 0 ? tct_normal_quantile(1 - delta) : INFINITY};

    return promise;
}

tacit_status tct_walker_new(tct_walker **out, tct_plan *plan, tacit_rule rule, uint64_t seed, tacit_error *err)
{
    const tacit_model *model = tct_plan_model(plan);
    size_t k = model->classifier->n_scores;
    tct_walker *w = tct_calloc(1, sizeof *w);

    *out = w;
    if (!w)
        return tct_fail_memory(err);
    w->plan = plan;
    w->model = model;
    w->linear = tct_as_linear(model->classifier);
    w->rule = tct_rule_get(rule);
    w->seed = seed;
    w->n_scratch = tct_rule_scratch(model) + tct_law_scratch(k);
    w->partial = tct_calloc(k, sizeof(double));
    w->mean = tct_calloc(k, sizeof(double));
    w->p = tct_calloc(model->classifier->n_classes, sizeof(double));
    w->scratch = tct_calloc(w->n_scratch, sizeof(double));
    w->candidates = tct_calloc(model->schema->n_attributes, sizeof(size_t));
    if (!w->partial || !w->mean || !w->p || !w->scratch || !w->candidates) {
        tct_walker_free(w);
        *out = NULL;
        return tct_fail_memory(err);
    }
    if (tct_noise_init(&w->noise, k, err)) {
        tct_walker_free(w);
        *out = NULL;
        return TACIT_E_MEMORY;
    }
    return TACIT_OK;
}

void tct_walker_free(tct_walker *w)
{
    if (!w)
        return;
    tct_free_wiped(w->partial, w->model->classifier->n_scores * sizeof(double));
    tct_free_wiped(w->mean, w->model->classifier->n_scores * sizeof(double));
    tct_free_wiped(w->p, w->model->classifier->n_classes * sizeof(double));
    tct_free_wiped(w->scratch, w->n_scratch * sizeof(double));
    tct_free(w->candidates);
    tct_noise_clear(&w->noise);
    tct_free(w);
}

/* Bias plus the terms of the known inputs, added up in the order in which they became known. */
static void partial_scores(tct_walker *w, const tct_stage *stage, const double *x)
{
    size_t k = w->linear->base.n_scores, d = w->linear->base.n_inputs;

    memcpy(w->partial, w->linear->bias, k * sizeof(double));
    for (size_t s = 0; s < k; s++)
        for (size_t i = 0; i < stage->belief->n_known; i++) {
            size_t input = stage->belief->known[i];

            w->partial[s] += w->linear->weights[s * d + input] * x[input];
        }
}

/* What can be said without regard to a promise: everything known, proven, or open with the most likely label.  w->mean
 * holds the mean scores then.  `brief` leaves the probability NaN where it is not needed to judge a promise. */
static tct_look observe(tct_walker *w, const tct_stage *stage, const double *x, bool brief)
{
    size_t classes = w->model->classifier->n_classes, k = w->model->classifier->n_scores;
    tct_look look = {TACIT_ALL_REVEALED, 0, 1};

    if (stage->n_unknown == 0) {
        w->model->classifier->ops->scores(w->model->classifier, x, 1, w->mean);
        look.label = tct_label(w->mean, k);
        return look;
    }
    partial_scores(w, stage, x);
    look.settled = TACIT_CERTAIN;
    look.label = tct_frame_certain(stage->frame, w->partial);
    if (look.label != TACIT_NONE)
        return look;
    look = (tct_look){TACIT_OPEN, 0, NAN};
    tct_law_mean(stage->law, stage->belief, x, w->mean);
    if (k == 1) {
        look.label = w->mean[0] >= 0;
        if (!brief)
            look.probability = stage->law->sigma > 0 ? tct_normal_cdf(fabs(w->mean[0]) / stage->law->sigma) : 1;
    } else if (!brief) {
        tct_class_probabilities(w->mean, stage->law->cov, k, w->p, w->scratch);
        for (size_t c = 1; c < classes; c++)
            if (w->p[c] > w->p[look.label])
                look.label = c;
        look.probability = fmin(w->p[look.label], 1);
    }
    return look;
}

/* Does an open look keep the promise after all?  Right after observe(). */
static void judge(const tct_walker *w, const tct_stage *stage, const tct_promise *promise, tct_look *look)
{
    if (look->settled != TACIT_OPEN || !(promise->delta > 0))
        return;
    if (stage->law->n_scores == 1 ? fabs(w->mean[0]) >= stage->law->sigma * promise->quantile
                                  : look->probability >= 1 - promise->delta)
        look->settled = TACIT_LIKELY;
}

tct_look tct_walker_look(tct_walker *w, const tct_stage *stage, const double *x, const tct_promise *promise)
{
    tct_look look = observe(w, stage, x, false);

    judge(w, stage, promise, &look);
    return look;
}

size_t tct_walker_choose(tct_walker *w, const tct_stage *stage, const double *x, const unsigned char *refused)
{
    const tacit_schema *schema = w->model->schema;
    tct_view view = {.model = w->model,
                     .belief = stage->belief,
                     .law = stage->law,
                     .tau2 = stage->tau2,
                     .extremes = tct_plan_extremes(w->plan),
                     .known = stage->known,
                     .x = x,
                     .partial = w->partial,
                     .noise = &w->noise,
                     .candidates = w->candidates,
                     .seed = w->seed};

    for (size_t a = 0; a < schema->n_attributes; a++)
        if (!stage->known[a] && schema->attributes[a].role == TACIT_SENSITIVE && !(refused && refused[a]))
            w->candidates[view.n_candidates++] = a;
    if (view.n_candidates == 0)
        return TACIT_NONE;
    partial_scores(w, stage, x);
    return w->rule->choose(&view, w->scratch);
}

tacit_status tct_walker_run(tct_walker *w, const tct_stage *from, const double *x, const unsigned char *refused,
                            const tct_promise *promises, size_t n_promises, tct_stop *stops, size_t *asked,
                            tacit_error *err)
{
    const tct_stage *stage = from;
    size_t open = n_promises, count = 0;
    bool brief = true;

    for (size_t i = 0; i < n_promises; i++) {
        stops[i].look.settled = TACIT_OPEN;
        if (promises[i].delta > 0 && w->model->classifier->n_scores > 1)
            brief = false;
    }
    for (;;) {
        tct_look look = observe(w, stage, x, brief);
        size_t next;
        tacit_status st;

        for (size_t i = 0; i < n_promises; i++) {
            if (stops[i].look.settled != TACIT_OPEN)
                continue;
            stops[i].look = look;
            judge(w, stage, &promises[i], &stops[i].look);
            stops[i].asked = count;
            open -= stops[i].look.settled != TACIT_OPEN;
        }
        if (open == 0)
            return TACIT_OK;
        next = tct_walker_choose(w, stage, x, refused);
        if (next == TACIT_NONE)
            break;
        st = tct_plan_step(w->plan, stage, next, &stage, err);
        if (st)
            return st;
        asked[count++] = next;
    }
    for (size_t i = 0; i < n_promises; i++)
        if (stops[i].look.settled == TACIT_OPEN) {
            stops[i].look = observe(w, stage, x, false);
            stops[i].look.settled = TACIT_UNSETTLED;
        }
    return TACIT_OK;
}
