/*
 * The plain path.  src/audit/fast/chain.c has a faster one for the case in which the order of questions is the same for
 * everybody, tested equal to this.
 */
#include "walk.h"

#include <math.h>
#include <string.h>

#include "alone.h"
#include "follow.h"
#include "num.h"
#include "score_laws.h"
#include "alike.h"

struct tct_walker {
    tct_plan *plan;
    const tacit_model *model;
    const tct_linear *linear; /* sums of terms are proven by the stage's frame; NULL: they are none, and by: */
    tct_prover *prover;
    uint64_t budget;        /* of the prover */
    tct_score_law *law;     /* what is likely */
    tct_view view;          /* of the person at hand */
    const tct_stage *stage; /* where that was */
    const tct_rule_ops *rule;
    uint64_t seed;
    double needed;   /* as in tct_view */
    double *partial; /* n_scores: bias plus known terms */
    double *scores;  /* n_scores */
    double *scratch;
    size_t n_scratch;
    size_t *candidates;
    tct_noise noise;
    /* looking ahead, where the prover can */
    tct_slices slices;
    bool blind;                 /* memory was short: nothing is foreseen */
    double *ahead;              /* n_inputs, then one lead of 0 for each value of the widest attribute */
    unsigned char *ahead_known; /* per attribute */
    size_t n_ahead;
    tct_alike *alike; /* of people who are alike; NULL: none yet, or none wanted */
    bool apart;       /* nobody is taken for another */
    /* for rules of proofs, where nobody shares a way (follow.h); else NULL */
    tct_follow *follow;
    tct_alone *quick;           /* likewise, where all questions are numbers */
    tct_linear_proof *alone;    /* of a walk without stages */
    unsigned char *alone_known; /* per attribute */
    size_t *alone_unknown;      /* attributes, ascending */
};

enum { LOOK_AHEAD = 50 }; /* budget of a search with an answer put in */

/* ---- looking ahead, for rules (tct_foresight) ---- */

static double foresee(void *context, size_t label)
{
    tct_walker *w = context;
    tct_region region = tct_region_of(w->model->codec, w->stage->known, w->view.x);

    w->blind |= w->prover->ops->slices(w->prover, &region, label, &w->slices, NULL) != TACIT_OK;
    return w->blind ? 0 : w->slices.now;
}

/* Where nothing is foreseen all answers look alike. */
static const double *foreseen_slices(void *context, size_t attribute)
{
    const tct_walker *w = context;

    return w->blind ? w->ahead + w->model->codec->n_inputs : w->slices.lower + w->slices.first[attribute];
}

static bool foresees_searches(void *context)
{
    const tct_walker *w = context;

    return !w->blind && w->slices.search;
}

/* By a search with the answer put in: short, or as far as LOOK_AHEAD, which leaves nothing unknown. */
static tct_answer search_ahead(tct_walker *w, size_t attribute, size_t value, bool brief)
{
    const tct_domain *domain = &w->model->codec->domains[attribute];
    tct_region region = tct_region_of(w->model->codec, w->ahead_known, w->ahead);
    tct_finding finding = {0};

    memcpy(w->ahead_known, w->stage->known, w->model->schema->n_attributes);
    memcpy(w->ahead, w->view.x, w->model->codec->n_inputs * sizeof(double));
    tct_codec_value(w->model->codec, attribute, value, w->ahead + domain->first);
    w->ahead_known[attribute] = 1;
    w->blind |= tct_prover_decide(w->prover, &region, brief ? 1 : LOOK_AHEAD, &finding, NULL) != TACIT_OK;
    if (!w->blind && finding.verdict == TACIT_CERTIFIED)
        return TCT_ANSWER_SETTLES;
    return !w->blind && brief && finding.verdict == TACIT_UNDECIDED ? TCT_ANSWER_UNKNOWN : TCT_ANSWER_OPEN;
}

static tct_answer foresees(void *context, size_t attribute, size_t value, tct_effort effort)
{
    tct_walker *w = context;
    bool open = false;

    if (!w->blind && effort >= TCT_SHORT_SEARCH)
        return search_ahead(w, attribute, value, effort == TCT_SHORT_SEARCH);
    if (!w->blind && w->prover->ops->leaves_open)
        w->blind = w->prover->ops->leaves_open(w->prover, attribute, value, effort == TCT_MORE_PEOPLE, &open, NULL) !=
                   TACIT_OK;
    return open || w->blind ? TCT_ANSWER_OPEN : TCT_ANSWER_UNKNOWN;
}

static const tct_foresight FORESIGHT = {foresee, foreseen_slices, foresees_searches, foresees};

/* Room to look ahead in. */
static tacit_status prepare_foresight(tct_walker *w, tacit_error *err)
{
    size_t widest = 1;

    for (size_t a = 0; a < w->model->schema->n_attributes; a++)
        if (w->model->codec->domains[a].count > widest)
            widest = w->model->codec->domains[a].count;
    w->n_ahead = w->model->codec->n_inputs + widest;
    w->ahead = tct_calloc(w->n_ahead, sizeof(double));
    w->ahead_known = tct_calloc(w->model->schema->n_attributes, 1);
    if (!w->ahead || !w->ahead_known)
        return tct_fail_memory(err);
    return TACIT_OK;
}

/* Room to follow one person. */
static tacit_status prepare_follow(tct_walker *w, tacit_error *err)
{
    size_t n = w->model->schema->n_attributes;

    w->alone_known = tct_calloc(n, 1);
    w->alone_unknown = tct_calloc(n + 1, sizeof *w->alone_unknown);
    if (!w->alone_known || !w->alone_unknown)
        return tct_fail_memory(err);
    if (tct_linear_proof_new(&w->alone, tct_plan_extremes(w->plan), w->alone_known, err) ||
        tct_alone_new(&w->quick, w->model, tct_plan_extremes(w->plan), err))
        return TACIT_E_MEMORY;
    return tct_follow_new(&w->follow, w->model, err);
}

tacit_status tct_walker_new(tct_walker **out, tct_plan *plan, tacit_rule rule, uint64_t seed, tacit_error *err)
{
    const tacit_model *model = tct_plan_model(plan);
    const tct_score_law_ops *laws = tct_score_law_row(model);
    size_t k = model->classifier->n_scores;
    tct_walker *w = tct_calloc(1, sizeof *w);
    tacit_status st;

    *out = w;
    if (!w)
        return tct_fail_memory(err);
    w->plan = plan;
    w->model = model;
    w->linear = tct_additive(model->classifier);
    w->rule = tct_rule_get(rule);
    w->seed = seed;
    w->n_scratch = laws->scratch(model);
    w->partial = tct_calloc(k, sizeof(double));
    w->scores = tct_calloc(k, sizeof(double));
    w->scratch = tct_calloc(w->n_scratch, sizeof(double));
    w->candidates = tct_calloc(model->schema->n_attributes, sizeof(size_t));
    if (!w->partial || !w->scores || !w->scratch || !w->candidates) {
        tct_walker_free(w);
        *out = NULL;
        return tct_fail_memory(err);
    }
    st = tct_noise_init(&w->noise, k, err);
    if (!st && !w->linear)
        st = tct_prover_new(&w->prover, model, err);
    if (!st && w->prover && w->prover->ops->slices)
        st = prepare_foresight(w, err);
    if (!st && tct_follow_applies(model))
        st = prepare_follow(w, err);
    if (!st)
        st = laws->make(&w->law, model, err);
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
    tct_free_wiped(w->scores, w->model->classifier->n_scores * sizeof(double));
    tct_free_wiped(w->scratch, w->n_scratch * sizeof(double));
    tct_free(w->candidates);
    tct_noise_clear(&w->noise);
    tct_free_wiped(w->ahead, w->n_ahead * sizeof(double));
    tct_free(w->ahead_known);
    tct_prover_free(w->prover);
    tct_alike_free(w->alike);
    tct_follow_free(w->follow);
    tct_alone_free(w->quick);
    tct_linear_proof_free(w->alone);
    tct_free(w->alone_known);
    tct_free(w->alone_unknown);
    if (w->law)
        w->law->ops->free(w->law);
    tct_free(w);
}

/* The label that every completion gets, TACIT_NONE when that is not proven. */
static tacit_status find_certain(tct_walker *w, const tct_stage *stage, const double *x, size_t *label,
                                 tacit_error *err)
{
    tct_region region = tct_region_of(w->model->codec, stage->known, x);
    tct_finding finding = {0};
    tacit_status st;

    if (w->linear) {
        tct_law_partial(w->linear, stage->belief, x, w->partial);
        *label = tct_linear_proof_certain(stage->linear_proof, w->partial);
        return TACIT_OK;
    }
    st = tct_prover_decide(w->prover, &region, w->budget, &finding, err);
    *label = !st && finding.verdict == TACIT_CERTIFIED ? finding.label : TACIT_NONE;
    return st;
}

/* The belief one answer further on, for rules that look ahead. */
static const tct_belief *belief_after(void *context, size_t attribute)
{
    const tct_walker *w = context;
    const tct_stage *next;

    return tct_plan_step(w->plan, w->stage, attribute, &next, NULL) ? NULL : next->belief;
}

/* Look at what is likely, for the rules as well. */
static void look_around(tct_walker *w, const tct_stage *stage, const double *x, bool brief)
{
    w->stage = stage;
    w->view = (tct_view){.model = w->model,
                         .ways = &w->law->ops->ways,
                         .belief = stage->belief,
                         .stage_law = stage->law,
                         .after = belief_after,
                         .foresight = w->ahead ? &FORESIGHT : NULL,
                         .context = w,
                         .tau2 = stage->tau2,
                         .extremes = tct_plan_extremes(w->plan),
                         .known = stage->known,
                         .x = x,
                         .partial = w->partial,
                         .noise = &w->noise,
                         .candidates = w->candidates,
                         .seed = w->seed,
                         .needed = w->needed};
    w->law->ops->look(w->law, &w->view, brief, w->scratch);
}

/* The most likely label, where nothing is proven.  `brief` as in observe(). */
static void guess(tct_walker *w, const tct_stage *stage, const double *x, bool brief, tct_look *look)
{
    look_around(w, stage, x, brief);
    *look = (tct_look){TACIT_OPEN, w->law->label, w->law->probability};
}

/* What can be said without regard to a promise: everything known, proven, or open with the most likely label.  Then
 * promises can be judged and questions chosen.  `brief` leaves the probability NaN where it is not needed for that. */
static tacit_status observe(tct_walker *w, const tct_stage *stage, const double *x, bool brief, tct_look *look,
                            tacit_error *err)
{
    tacit_status st;

    *look = (tct_look){TACIT_ALL_REVEALED, 0, 1};
    if (stage->n_unknown == 0) {
        w->model->classifier->ops->scores(w->model->classifier, x, 1, w->scores);
        look->label = tct_label(w->scores, w->model->classifier->n_scores);
        return TACIT_OK;
    }
    look->settled = TACIT_CERTAIN;
    st = find_certain(w, stage, x, &look->label, err);
    if (!st && look->label == TACIT_NONE)
        guess(w, stage, x, brief, look);
    return st;
}

/* Does an open look keep the promise after all?  Right after observe(). */
static void judge(const tct_walker *w, const tct_promise *promise, tct_look *look)
{
    if (look->settled == TACIT_OPEN && promise->delta > 0 && w->law->ops->keeps(w->law, promise))
        look->settled = TACIT_LIKELY;
}

tacit_status tct_walker_look(tct_walker *w, const tct_stage *stage, const double *x, const tct_promise *promise,
                             tct_look *look, tacit_error *err)
{
    tacit_status st = observe(w, stage, x, false, look, err);

    if (!st)
        judge(w, promise, look);
    return st;
}

void tct_walker_shares(const tct_walker *w, const tct_look *look, double *p)
{
    memset(p, 0, w->model->classifier->n_classes * sizeof *p);
    if (look->settled == TACIT_ALL_REVEALED || look->settled == TACIT_CERTAIN)
        p[look->label] = 1;
    else
        w->law->ops->shares(w->law, &w->view, p, w->scratch);
}

void tct_walker_tell(const tct_walker *w, tct_look *look)
{
    double p[TCT_MAX_CLASSES];

    if (look->settled != TACIT_OPEN || isnan(look->probability) || !w->noise.points)
        return;
    w->law->ops->shares(w->law, &w->view, p, w->scratch);
    look->probability = p[look->label];
    tct_wipe(p, sizeof p);
}

void tct_walker_guess(tct_walker *w, const tct_stage *stage, const double *x, tct_look *look)
{
    guess(w, stage, x, false, look);
}

/* What rules look at where one person is followed; score: the mean one. */
static void view_followed(tct_walker *w, const tct_belief *start)
{
    w->view.belief = start;
    w->view.means = tct_follow_means(w->follow);
    w->view.variances = tct_follow_variances(w->follow);
}

/* What may be asked for. */
static size_t list_candidates(tct_walker *w, const unsigned char *refused, bool constants)
{
    tct_region region = tct_region_of(w->model->codec, w->stage->known, w->view.x);
    const tacit_schema *schema = w->model->schema;
    size_t n = 0;

    for (size_t a = 0; a < schema->n_attributes; a++)
        if (!w->stage->known[a] && schema->attributes[a].role == TACIT_SENSITIVE && !(refused && refused[a]) &&
            (constants || !tct_region_is_single(&region, a)))
            w->candidates[n++] = a;
    return n;
}

/* Right after observe() left something open, or look_around(). */
static size_t choose(tct_walker *w, const unsigned char *refused)
{
    bool all = !refused || !memchr(refused, 1, w->model->schema->n_attributes);
    size_t n = list_candidates(w, refused, all && w->linear); /* additive rules find constants useless by themselves */

    if (n == 0 && all) /* what is left has one completion, and yet is not proven */
        n = list_candidates(w, refused, true);
    w->view.n_candidates = n;
    w->blind = false;
    if (w->follow && n > 1 && tct_rule_proves(w->rule)) {
        const tct_belief *start = w->stage->start->belief;

        tct_follow_to(w->follow, start, w->stage->belief->seen + start->n_seen,
                      w->stage->belief->n_seen - start->n_seen, w->view.x);
        view_followed(w, start);
    }
    return n == 0 ? TACIT_NONE : n == 1 ? w->candidates[0] : w->rule->choose(&w->view, w->scratch);
}

size_t tct_walker_choose(tct_walker *w, const tct_stage *stage, const double *x, const unsigned char *refused)
{
    if (w->linear)
        tct_law_partial(w->linear, stage->belief, x, w->partial);
    look_around(w, stage, x, true);
    return choose(w, refused);
}

tacit_status tct_walker_stand(tct_walker *w, const tct_stage *stage, const double *x, const tct_promise *promise,
                              const unsigned char *refused, bool brief, tct_look *look, size_t *next, tacit_error *err)
{
    bool needed = promise->delta > 0 && (w->model->classifier->n_scores > 1 || w->law->ops->exact);
    tacit_status st = observe(w, stage, x, brief && !needed, look, err);

    w->blind = false;
    if (next)
        *next = TACIT_NONE;
    if (st)
        return st;
    judge(w, promise, look);
    if (next && look->settled == TACIT_OPEN)
        *next = choose(w, refused);
    return w->blind ? tct_fail_memory(err) : TACIT_OK;
}

void tct_walker_budget(tct_walker *w, uint64_t budget)
{
    w->budget = budget;
    w->law->rough = budget != 0;
}

static tct_stop stop_after(size_t asked, const tct_look *look)
{
    return (tct_stop){{(uint16_t)asked, (uint8_t)look->settled, (uint8_t)look->label}, look->probability};
}

/* ---- a walk without stages ---- */

/* The mean score: what is known, and the means of the rest. */
static double mean_score(const tct_walker *w, const tct_belief *start, size_t n_unknown)
{
    const tct_variables *v = start->variables;
    const double *weights = v->weights ? v->weights : w->linear->weights, *means = tct_follow_means(w->follow);
    double score = w->partial[0];

    for (size_t k = 0, u = 0; k < n_unknown; k++)
        for (size_t i = v->first[w->alone_unknown[k]]; i < v->first[w->alone_unknown[k] + 1]; i++) {
            while (start->unknown[u] != i)
                u++;
            score += weights[i] * means[u];
        }
    return score;
}

/* The attribute to ask for, of those that are unknown; TACIT_NONE: there is none. */
static size_t choose_alone(tct_walker *w, const tct_stage *from, const double *x, size_t n_unknown)
{
    const tacit_schema *schema = w->model->schema;
    size_t n = 0;

    for (size_t k = 0; k < n_unknown; k++)
        if (schema->attributes[w->alone_unknown[k]].role == TACIT_SENSITIVE)
            w->candidates[n++] = w->alone_unknown[k];
    if (n < 2)
        return n == 1 ? w->candidates[0] : TACIT_NONE;
    w->scores[0] = mean_score(w, from->belief, n_unknown);
    w->view = (tct_view){.model = w->model,
                         .ways = &w->law->ops->ways,
                         .law = from->law,
                         .scores = w->scores,
                         .extremes = tct_plan_extremes(w->plan),
                         .known = w->alone_known,
                         .x = x,
                         .partial = w->partial,
                         .noise = &w->noise,
                         .candidates = w->candidates,
                         .n_candidates = n,
                         .seed = w->seed};
    view_followed(w, from->belief);
    return w->rule->choose(&w->view, w->scratch);
}

/* An attribute becomes known. */
static void learn_alone(tct_walker *w, size_t attribute, const double *x, size_t *n_unknown)
{
    const tct_domain *domain = &w->model->codec->domains[attribute];
    const size_t *first = w->model->variables->first;
    size_t k = 0;

    for (size_t i = domain->first; i < domain->first + domain->width; i++)
        w->partial[0] += w->linear->weights[i] * x[i];
    for (size_t v = first[attribute]; v < first[attribute + 1]; v++)
        tct_follow_next(w->follow, v, x);
    w->alone_known[attribute] = 1;
    while (w->alone_unknown[k] != attribute)
        k++;
    memmove(w->alone_unknown + k, w->alone_unknown + k + 1, (*n_unknown - k - 1) * sizeof *w->alone_unknown);
    --*n_unknown;
}

/* Until the decision is proven; false: something cannot be asked for. */
static bool walk_alone(tct_walker *w, const tct_stage *from, const double *x, size_t *asked, size_t *n_asked,
                       size_t *label)
{
    size_t n_unknown = 0, count = 0;

    *label = TACIT_NONE;
    memcpy(w->alone_known, from->known, w->model->schema->n_attributes);
    for (size_t a = 0; a < w->model->schema->n_attributes; a++)
        if (!from->known[a])
            w->alone_unknown[n_unknown++] = a;
    tct_law_partial(w->linear, from->belief, x, w->partial);
    tct_follow_forget(w->follow);
    tct_follow_to(w->follow, from->belief, NULL, 0, x);
    for (; n_unknown > 0; count++) {
        tct_linear_proof_set(w->alone, w->alone_unknown, n_unknown);
        *label = tct_linear_proof_certain(w->alone, w->partial);
        if (*label != TACIT_NONE)
            break;
        asked[count] = choose_alone(w, from, x, n_unknown);
        if (asked[count] == TACIT_NONE)
            return false;
        learn_alone(w, asked[count], x, &n_unknown);
    }
    *n_asked = count;
    return true;
}

/* The same, where all questions are numbers. */
static bool walk_quickly(tct_walker *w, const tct_stage *from, const double *x, size_t *asked, size_t *n_asked,
                         size_t *label)
{
    tct_view view = {.model = w->model,
                     .ways = &w->law->ops->ways,
                     .law = from->law,
                     .extremes = tct_plan_extremes(w->plan),
                     .noise = &w->noise,
                     .seed = w->seed};

    return w->quick && tct_alone_walk(w->quick, from, x, w->rule == tct_rule_get(TACIT_RULE_STOP), &view, w->candidates,
                                      w->scratch, asked, n_asked, label);
}

/* tct_walker_run for promises that only proofs keep; false: somebody stays unsettled, to be walked the usual way. */
static bool run_alone(tct_walker *w, const tct_stage *from, const double *x, size_t n_promises, tct_stop *stops,
                      size_t *asked)
{
    tct_look look = {TACIT_CERTAIN, 0, 1};
    size_t count;

    if (!walk_quickly(w, from, x, asked, &count, &look.label) && !walk_alone(w, from, x, asked, &count, &look.label))
        return false;
    if (look.label == TACIT_NONE) {
        w->model->classifier->ops->scores(w->model->classifier, x, 1, w->scores);
        look = (tct_look){TACIT_ALL_REVEALED, tct_label(w->scores, 1), 1};
    }
    for (size_t i = 0; i < n_promises; i++)
        stops[i] = stop_after(count, &look);
    return true;
}

/* Do only proofs count? */
static bool goes_by_proofs(const tct_walker *w, const unsigned char *refused, const tct_promise *promises, size_t n)
{
    bool proofs = !refused && tct_rule_proves(w->rule);

    for (size_t i = 0; i < n; i++)
        proofs = proofs && !(promises[i].delta > 0);
    return proofs;
}

/* ---- a walk by stages ---- */

/* A walk on its way. */
typedef struct walk {
    const tct_stage *stage;
    const double *x;
    const unsigned char *refused;
    bool brief;            /* as in observe() */
    bool recalls;          /* what is found may be that of somebody alike */
    const tct_found *like; /* it is; NULL: it is not */
    uint64_t kept;         /* promises kept here, and not before */
} walk;

/* May what is found be that of somebody alike?  Proofs: where the prover looks ahead, which takes long.  Promises: wherever
 * looking does, that is, where it is not one score with a law of its own. */
static bool may_recall(tct_walker *w, const tct_stage *from, const unsigned char *refused, bool proofs,
                       const tct_promise *promises, size_t n)
{
    bool ahead = w->prover && w->prover->ops->skip;
    bool pays = proofs ? ahead : !ahead && (w->model->classifier->n_scores > 1 || w->law->ops->exact);

    if (w->apart || !pays || refused || from->start != from || w->budget != 0 || n > TCT_ALIKE_PROMISES)
        return false;
    if (!w->alike && tct_alike_new(&w->alike, w->model, NULL))
        return false; /* it goes without */
    tct_alike_about(w->alike, promises, n);
    return true;
}

/* As observe().  Of somebody who is alike where only proofs count: the label of an open look is any. */
static tacit_status observe_step(tct_walker *w, walk *way, tct_look *look, tacit_error *err)
{
    way->kept = 0;
    way->like = way->recalls ? tct_alike_find(w->alike, way->stage, way->x) : NULL;
    if (!way->like)
        return observe(w, way->stage, way->x, way->brief, look, err);
    *look = (tct_look){way->like->settled, way->like->label, way->like->probability};
    if (w->prover && w->prover->ops->skip)
        w->prover->ops->skip(w->prover, &(tct_region){w->model->codec, way->stage->known, way->x, NULL, NULL});
    return TACIT_OK;
}

/* Which promises does this look keep that were open; how many are open still. */
static size_t judge_step(const tct_walker *w, walk *way, const tct_look *look, size_t count,
                         const tct_promise *promises, size_t n_promises, tct_stop *stops)
{
    size_t open = 0;

    for (size_t i = 0; i < n_promises; i++) {
        tct_look judged = *look;

        if (stops[i].end.settled != TACIT_OPEN)
            continue;
        if (!way->like)
            judge(w, &promises[i], &judged);
        else if (way->like->kept >> i & 1)
            judged.settled = TACIT_LIKELY;
        way->kept |= (uint64_t)(judged.settled == TACIT_LIKELY) << (i & 63);
        stops[i] = stop_after(count, &judged);
        open += judged.settled == TACIT_OPEN;
    }
    return open;
}

/* As choose(), where it is open for somebody's promise. */
static tacit_status choose_step(tct_walker *w, const walk *way, const tct_look *look, bool open, size_t *next,
                                tacit_error *err)
{
    w->blind = false;
    *next = way->like ? way->like->next : open ? choose(w, way->refused) : TACIT_NONE;
    if (w->blind)
        return tct_fail_memory(err);
    if (way->recalls && !way->like)
        tct_alike_keep(w->alike, (tct_found){look->settled, look->label, look->probability, way->kept, *next});
    return TACIT_OK;
}

tacit_status tct_walker_run(tct_walker *w, const tct_stage *from, const double *x, const unsigned char *refused,
                            const tct_promise *promises, size_t n_promises, tct_stop *stops, size_t *asked,
                            tacit_error *err)
{
    const tct_stage *mark = tct_plan_mark(w->plan);
    bool proofs = goes_by_proofs(w, refused, promises, n_promises);
    walk way = {from, x, refused, true, false, NULL, 0};
    size_t open = n_promises, count = 0;
    tacit_status st = TACIT_OK;

    if (proofs && w->follow && run_alone(w, from, x, n_promises, stops, asked))
        return TACIT_OK;
    way.recalls = may_recall(w, from, refused, proofs, promises, n_promises);
    w->needed = 1;
    for (size_t i = 0; i < n_promises; i++) {
        stops[i].end.settled = TACIT_OPEN;
        w->needed = fmin(w->needed, 1 - promises[i].delta);
        if (promises[i].delta > 0 && (w->model->classifier->n_scores > 1 || w->law->ops->exact))
            way.brief = false;
    }
    for (;;) {
        tct_look look;
        size_t next;

        st = observe_step(w, &way, &look, err);
        if (st)
            break;
        open = judge_step(w, &way, &look, count, promises, n_promises, stops);
        st = choose_step(w, &way, &look, open > 0, &next, err);
        if (!st && next != TACIT_NONE)
            st = tct_plan_step(w->plan, way.stage, next, &way.stage, err);
        if (next == TACIT_NONE || st)
            break;
        tct_plan_forget(w->plan, mark, way.stage);
        asked[count++] = next;
    }
    w->needed = 0;
    for (size_t i = 0; i < n_promises && !st; i++)
        if (stops[i].end.settled == TACIT_OPEN) {
            tct_look look = {0};

            st = observe(w, way.stage, x, false, &look, err);
            look.settled = TACIT_UNSETTLED;
            stops[i] = stop_after(count, &look);
        }
    tct_plan_forget(w->plan, mark, NULL);
    return st;
}

void tct_walker_plain(tct_walker *w, tct_plain_way way)
{
    tct_alone_free(w->quick);
    w->quick = NULL;
    if (way == TCT_PLAIN_LOOKS)
        return;
    tct_follow_free(w->follow);
    w->follow = NULL;
    tct_alike_free(w->alike);
    w->alike = NULL;
    w->apart = true;
}

void tct_walker_next_person(tct_walker *w)
{
    if (w->follow)
        tct_follow_forget(w->follow);
    if (w->prover)
        tct_prover_forget(w->prover);
}

void tct_walker_restart(tct_walker *w, tacit_rule rule, uint64_t seed)
{
    tct_walker_next_person(w);
    if (w->alike)
        tct_alike_forget(w->alike);
    tct_wipe(w->partial, w->model->classifier->n_scores * sizeof(double));
    tct_wipe(w->scores, w->model->classifier->n_scores * sizeof(double));
    w->law->ops->wipe(w->law);
    tct_wipe(w->scratch, w->n_scratch * sizeof(double));
    if (w->ahead)
        tct_wipe(w->ahead, w->model->codec->n_inputs * sizeof(double));
    w->rule = tct_rule_get(rule);
    w->seed = seed;
}
