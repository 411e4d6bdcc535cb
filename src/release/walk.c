/*
 * The plain path.  src/audit/chain.c has a faster one for the case in which the order of questions is the same for
 * everybody, tested equal to this.
 */
#include "walk.h"

#include <math.h>
#include <string.h>

#include "front.h"
#include "num.h"

struct tct_walker {
    tct_plan *plan;
    const tacit_model *model;
    const tct_linear *linear; /* NULL for classifiers of other kinds, which have: */
    tct_verifier *verifier;
    uint64_t max_nodes; /* of the verifier */
    tct_law *local;     /* around the person */
    tct_around *around;
    tct_law *ahead; /* around an imagined answer */
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

tct_promise tct_promise_nominal(double nominal)
{
    tct_promise promise = {nominal, nominal > 0 ? tct_normal_quantile(1 - nominal) : INFINITY};

    return promise;
}

/* A calibration was made by the entropy rule; of the confidence that other orders of questions reach it says nothing. */
tct_promise tct_promise_of(const tacit_model *model, tacit_rule rule, double delta)
{
    if (model->calibrated && delta > 0)
        delta = rule == TACIT_RULE_ENTROPY ? tct_calibration_nominal(&model->calibration, delta) : 0;
    return tct_promise_nominal(delta);
}

double tacit_model_confidence(const tacit_model *model, tacit_rule rule, double delta)
{
    tct_promise promise = tct_promise_of(model, tct_rule_for(rule, delta, model), delta);

    return promise.delta > 0 ? 1 - promise.delta : INFINITY;
}

tacit_status tct_walker_new(tct_walker **out, tct_plan *plan, tacit_rule rule, uint64_t seed, tacit_error *err)
{
    const tacit_model *model = tct_plan_model(plan);
    size_t k = model->classifier->n_scores;
    tct_walker *w = tct_calloc(1, sizeof *w);
    tacit_status st;

    *out = w;
    if (!w)
        return tct_fail_memory(err);
    w->plan = plan;
    w->model = model;
    w->linear = tct_as_linear(model->classifier);
    w->rule = tct_rule_get(rule);
    w->seed = seed;
    w->n_scratch = tct_rule_scratch(model) + tct_law_scratch(k) + tct_law_local_scratch(model->classifier);
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
    st = tct_noise_init(&w->noise, k, err);
    if (!st && !w->linear)
        st = tct_verifier_new(&w->verifier, model, err);
    if (!st && !w->linear)
        st = tct_law_local(&w->local, model->classifier, err);
    if (!st && !w->linear)
        st = tct_law_local(&w->ahead, model->classifier, err);
    if (!st && !w->linear)
        st = tct_around_new(&w->around, model->classifier, false, err);
    if (st) {
        tct_walker_free(w);
        *out = NULL;
    }
    return st;
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
    tct_verifier_free(w->verifier);
    tct_around_free(w->around);
    tct_law_free(w->local);
    tct_law_free(w->ahead);
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

/* The label that every completion gets, TACIT_NONE when that is not proven. */
static tacit_status find_certain(tct_walker *w, const tct_stage *stage, const double *x, size_t *label,
                                 tacit_error *err)
{
    tct_region region = {w->model->codec, stage->known, x};
    tct_finding finding = {0};
    tacit_status st;

    if (w->linear) {
        partial_scores(w, stage, x);
        *label = tct_frame_certain(stage->frame, w->partial);
        return TACIT_OK;
    }
    st = tct_verifier_decide(w->verifier, &region, w->max_nodes, &finding, err);
    *label = !st && finding.verdict == TACIT_CERTIFIED ? finding.label : TACIT_NONE;
    return st;
}

/* The law of the scores at this stage: that of the stage, or around this person.  Mean scores into w->mean. */
static const tct_law *find_law(tct_walker *w, const tct_stage *stage, const double *x)
{
    if (!w->linear) {
        if (w->around)
            tct_around_law(w->around, w->local, w->mean, stage->belief, x);
        else
            tct_law_around(w->local, w->mean, stage->belief, w->model->classifier, x, w->scratch);
        return w->local;
    }
    tct_law_mean(stage->law, stage->belief, x, w->mean);
    return stage->law;
}

/* The most likely label, where nothing is proven.  w->mean holds the mean scores then.  `brief` as in observe(). */
static const tct_law *guess(tct_walker *w, const tct_stage *stage, const double *x, bool brief, tct_look *look)
{
    size_t classes = w->model->classifier->n_classes, k = w->model->classifier->n_scores;
    const tct_law *law = find_law(w, stage, x);

    *look = (tct_look){TACIT_OPEN, 0, NAN};
    if (k == 1) {
        look->label = w->mean[0] >= 0;
        if (!brief)
            look->probability = law->sigma > 0 ? tct_normal_cdf(fabs(w->mean[0]) / law->sigma) : 1;
    } else if (!brief) {
        tct_class_probabilities(w->mean, law->cov, k, w->p, w->scratch);
        for (size_t c = 1; c < classes; c++)
            if (w->p[c] > w->p[look->label])
                look->label = c;
        look->probability = fmin(w->p[look->label], 1);
    }
    return law;
}

/* What can be said without regard to a promise: everything known, proven, or open with the most likely label.  Then
 * w->mean holds the mean scores and *law their law.  `brief` leaves the probability NaN where it is not needed to judge
 * a promise. */
static tacit_status observe(tct_walker *w, const tct_stage *stage, const double *x, bool brief, tct_look *look,
                            const tct_law **law, tacit_error *err)
{
    tacit_status st;

    *law = NULL;
    *look = (tct_look){TACIT_ALL_REVEALED, 0, 1};
    if (stage->n_unknown == 0) {
        w->model->classifier->ops->scores(w->model->classifier, x, 1, w->mean);
        look->label = tct_label(w->mean, w->model->classifier->n_scores);
        return TACIT_OK;
    }
    look->settled = TACIT_CERTAIN;
    st = find_certain(w, stage, x, &look->label, err);
    if (!st && look->label == TACIT_NONE)
        *law = guess(w, stage, x, brief, look);
    return st;
}

/* Does an open look keep the promise after all?  Right after observe(). */
static void judge(const tct_walker *w, const tct_law *law, const tct_promise *promise, tct_look *look)
{
    if (look->settled != TACIT_OPEN || !(promise->delta > 0))
        return;
    if (law->n_scores == 1 ? fabs(w->mean[0]) >= law->sigma * promise->quantile
                           : look->probability >= 1 - promise->delta)
        look->settled = TACIT_LIKELY;
}

tacit_status tct_walker_look(tct_walker *w, const tct_stage *stage, const double *x, const tct_promise *promise,
                             tct_look *look, tacit_error *err)
{
    const tct_law *law;
    tacit_status st = observe(w, stage, x, false, look, &law, err);

    if (!st)
        judge(w, law, promise, look);
    return st;
}

void tct_walker_guess(tct_walker *w, const tct_stage *stage, const double *x, tct_look *look)
{
    guess(w, stage, x, false, look);
}

/* The belief one answer further on, for rules that look ahead. */
typedef struct ahead {
    tct_plan *plan;
    const tct_stage *stage;
} ahead;

static const tct_belief *belief_after(void *context, size_t attribute)
{
    const ahead *from = context;
    const tct_stage *next;

    return tct_plan_step(from->plan, from->stage, attribute, &next, NULL) ? NULL : next->belief;
}

/* Right after observe() or find_law(), which left the mean scores in w->mean. */
static size_t choose(tct_walker *w, const tct_stage *stage, const tct_law *law, const double *x,
                     const unsigned char *refused)
{
    const tacit_schema *schema = w->model->schema;
    ahead from = {w->plan, stage};
    tct_view view = {.model = w->model,
                     .belief = stage->belief,
                     .law = law,
                     .scores = w->mean,
                     .after = belief_after,
                     .context = &from,
                     .local = w->ahead,
                     .around = w->around,
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
    return w->rule->choose(&view, w->scratch);
}

size_t tct_walker_choose(tct_walker *w, const tct_stage *stage, const double *x, const unsigned char *refused)
{
    if (w->linear)
        partial_scores(w, stage, x);
    return choose(w, stage, find_law(w, stage, x), x, refused);
}

tacit_status tct_walker_stand(tct_walker *w, const tct_stage *stage, const double *x, const tct_promise *promise,
                              const unsigned char *refused, bool brief, tct_look *look, size_t *next, tacit_error *err)
{
    bool needed = promise->delta > 0 && w->model->classifier->n_scores > 1;
    const tct_law *law;
    tacit_status st = observe(w, stage, x, brief && !needed, look, &law, err);

    if (next)
        *next = TACIT_NONE;
    if (st)
        return st;
    judge(w, law, promise, look);
    if (next && look->settled == TACIT_OPEN)
        *next = choose(w, stage, law, x, refused);
    return TACIT_OK;
}

void tct_walker_budget(tct_walker *w, uint64_t max_nodes)
{
    w->max_nodes = max_nodes;
}

tacit_status tct_walker_run(tct_walker *w, const tct_stage *from, const double *x, const unsigned char *refused,
                            const tct_promise *promises, size_t n_promises, tct_stop *stops, size_t *asked,
                            tacit_error *err)
{
    const tct_stage *stage = from, *mark = tct_plan_mark(w->plan);
    size_t open = n_promises, count = 0;
    bool brief = true;
    tacit_status st = TACIT_OK;

    for (size_t i = 0; i < n_promises; i++) {
        stops[i].look.settled = TACIT_OPEN;
        if (promises[i].delta > 0 && w->model->classifier->n_scores > 1)
            brief = false;
    }
    for (;;) {
        const tct_law *law;
        tct_look look;
        size_t next;

        st = observe(w, stage, x, brief, &look, &law, err);
        if (st)
            break;
        for (size_t i = 0; i < n_promises; i++) {
            if (stops[i].look.settled != TACIT_OPEN)
                continue;
            stops[i].look = look;
            judge(w, law, &promises[i], &stops[i].look);
            stops[i].asked = count;
            open -= stops[i].look.settled != TACIT_OPEN;
        }
        if (open == 0)
            break;
        next = choose(w, stage, law, x, refused);
        if (next != TACIT_NONE)
            st = tct_plan_step(w->plan, stage, next, &stage, err);
        if (next == TACIT_NONE || st)
            break;
        tct_plan_forget(w->plan, mark, stage);
        asked[count++] = next;
    }
    for (size_t i = 0; i < n_promises && !st; i++)
        if (stops[i].look.settled == TACIT_OPEN) {
            const tct_law *law;

            st = observe(w, stage, x, false, &stops[i].look, &law, err);
            stops[i].look.settled = TACIT_UNSETTLED;
        }
    tct_plan_forget(w->plan, mark, NULL);
    return st;
}

void tct_walker_next_person(tct_walker *w)
{
    if (w->verifier)
        tct_verifier_forget(w->verifier);
}

void tct_walker_restart(tct_walker *w, tacit_rule rule, uint64_t seed)
{
    tct_walker_next_person(w);
    tct_wipe(w->partial, w->model->classifier->n_scores * sizeof(double));
    tct_wipe(w->mean, w->model->classifier->n_scores * sizeof(double));
    tct_wipe(w->p, w->model->classifier->n_classes * sizeof(double));
    tct_wipe(w->scratch, w->n_scratch * sizeof(double));
    w->rule = tct_rule_get(rule);
    w->seed = seed;
}
