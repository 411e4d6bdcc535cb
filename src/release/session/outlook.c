/*
 * outlook.c -- what lies ahead of a session: computed where that can be done (outlook_gaussian.c), else people who might be this
 * one are drawn, answer by answer as they are asked for, and the protocol is walked for them.
 *
 * It is an estimate, wanted at every question, so drawing saves where that does little harm.  Where looking and
 * choosing take long, people who gave the same answers share the result; what the first one is asked after some questions is
 * asked of the others after the same ones; proofs get a small budget, and laws that draw people draw fewer.  Of many classes
 * fewer people are made up: what a look costs grows with the classes.
 */
#include <math.h>
#include <string.h>

#include "posteriors.h"
#include "session.h"

enum {
    PEOPLE = 64, /* drawn ... */
    PEOPLE_FEW = 8,
    MANY_INPUTS = 100, /* ... where a step takes long */
    CLASSES = 640,     /* and not more than these by the classes */
    FEW_NODES = 24,    /* networks: proofs that take longer count as not found, for these people */
    KEPT = 64,         /* choices and results; beyond, they are found anew */
    ROUND = 1000       /* estimates are given in thousandths */
};

/* What is asked after the questions that `path` stands for. */
typedef struct choice {
    uint64_t path;
    size_t attribute;
} choice;

/* What came out after the answers that `answers` stands for. */
typedef struct result {
    uint64_t answers;
    tct_look look;
    size_t next;
} result;

typedef struct journey {
    tacit_session *session;
    tct_random random;
    double *x;
    uint64_t path, answers; /* of this person: mixed from the questions, and from the answers too */
    bool thrifty;
    choice choices[KEPT];
    result results[KEPT];
    size_t n_choices, n_results;
} journey;

/* Somebody answers. */
static tacit_status learn(journey *j, size_t attribute, const tct_stage **stage, tacit_error *err)
{
    const tacit_model *model = j->session->model;
    const tct_domain *domain = &model->codec->domains[attribute];

    tct_posterior_row(model)->answer(model, (*stage)->belief, attribute, &j->random, j->x);
    j->path = tct_mix(j->path, attribute);
    j->answers = tct_mix(j->answers, attribute);
    for (size_t i = 0; i < domain->width && j->thrifty; i++) {
        uint64_t bits;

        memcpy(&bits, j->x + domain->first + i, sizeof bits);
        j->answers = tct_mix(j->answers, bits);
    }
    return tct_plan_step(j->session->plan, *stage, attribute, stage, err);
}

/* The public attributes that are neither known nor refused; how many these are. */
static tacit_status pass_public(journey *j, const tct_stage **stage, size_t *passed, tacit_error *err)
{
    const tacit_session *s = j->session;
    const tacit_schema *schema = s->model->schema;
    tacit_status st = TACIT_OK;

    *passed = 0;
    for (size_t a = 0; a < schema->n_attributes && !st; a++)
        if (tct_session_wants_public(s, a) && !(*stage)->known[a]) {
            st = learn(j, a, stage, err);
            ++*passed;
        }
    return st;
}

/* Choose, or do what was done before after the same questions. */
static size_t choose(journey *j, const tct_stage *stage)
{
    size_t attribute;

    for (size_t i = 0; i < j->n_choices; i++)
        if (j->choices[i].path == j->path)
            return j->choices[i].attribute;
    attribute = tct_walker_choose(j->session->walker, stage, j->x, j->session->refused);
    if (j->n_choices < KEPT)
        j->choices[j->n_choices++] = (choice){j->path, attribute};
    return attribute;
}

/* Where things stand for this person, and what to ask; TACIT_NONE: nothing more. */
static tacit_status stand(journey *j, const tct_stage *stage, tct_look *look, size_t *next, tacit_error *err)
{
    tacit_session *s = j->session;
    tacit_status st;

    if (!j->thrifty)
        return tct_walker_stand(s->walker, stage, j->x, &s->promise, s->refused, true, look, next, err);
    for (size_t i = 0; i < j->n_results; i++)
        if (j->results[i].answers == j->answers) {
            *look = j->results[i].look;
            *next = j->results[i].next;
            return TACIT_OK;
        }
    st = tct_walker_stand(s->walker, stage, j->x, &s->promise, s->refused, true, look, NULL, err);
    *next = !st && look->settled == TACIT_OPEN ? choose(j, stage) : TACIT_NONE;
    if (!st && j->n_results < KEPT)
        j->results[j->n_results++] = (result){j->answers, *look, *next};
    return st;
}

/* One person from `stage` on, where the session asks for `next`.  asked: sensitive attributes; soon: settled by the
 * next answer. */
static tacit_status walk(journey *j, const tct_stage *stage, size_t next, size_t *asked, bool *soon, tacit_error *err)
{
    tct_plan *plan = j->session->plan;
    const tct_stage *mark = tct_plan_mark(plan);
    tct_look look = {0};
    size_t passed = 0;
    tacit_status st = TACIT_OK;

    *asked = 0;
    j->path = j->answers = 0;
    if (j->session->model->schema->attributes[next].role == TACIT_PUBLIC) {
        st = pass_public(j, &stage, &passed, err);
        if (!st)
            st = stand(j, stage, &look, &next, err);
    }
    while (!st && next != TACIT_NONE) {
        st = learn(j, next, &stage, err);
        ++*asked;
        if (!st)
            st = stand(j, stage, &look, &next, err);
        tct_plan_forget(plan, mark, stage);
    }
    *soon = look.settled != TACIT_OPEN && *asked + passed == 1;
    tct_plan_forget(plan, mark, NULL);
    return st;
}

static tacit_status walk_all(tacit_session *s, const tct_stage *stage, size_t next, size_t draws, tacit_outlook *out,
                             tacit_error *err)
{
    size_t d = s->model->codec->n_inputs, total = 0, settled = 0;
    bool quick = tct_additive(s->model->classifier) && s->model->classifier->n_scores == 1;
    journey j = {.session = s, .x = tct_malloc(d, sizeof(double)), .thrifty = !quick};
    tacit_status st = j.x ? TACIT_OK : tct_fail_memory(err);

    tct_random_seed(&j.random, s->options.seed, stage->belief->n_known);
    tct_walker_budget(s->walker, FEW_NODES);
    for (size_t i = 0; i < draws && !st; i++) {
        size_t asked;
        bool soon;

        memcpy(j.x, s->person->x, d * sizeof(double));
        st = walk(&j, stage, next, &asked, &soon, err);
        total += asked;
        settled += soon;
    }
    tct_walker_budget(s->walker, 0);
    out->about = (double)total / (double)draws;
    out->settles = (double)settled / (double)draws;
    tct_free_wiped(j.x, d * sizeof(double));
    return st;
}

/* An estimate has no more digits than this. */
static double round_off(double value)
{
    return round(value * ROUND) / ROUND;
}

/* How many people are made up unless the caller says. */
static size_t usual_people(const tacit_model *model)
{
    size_t people = CLASSES / model->classifier->n_classes;

    if (model->codec->n_inputs > MANY_INPUTS || people < PEOPLE_FEW)
        return PEOPLE_FEW;
    return people < PEOPLE ? people : PEOPLE;
}

tacit_status tacit_session_outlook(tacit_session *s, size_t draws, tacit_outlook *out, tacit_error *err)
{
    const tacit_schema *schema = s->model->schema;
    const tct_stage *stage;
    size_t next;
    tacit_status st = tacit_session_next(s, &next, err);

    *out = (tacit_outlook){0};
    if (st || next == TACIT_NONE)
        return st;
    for (size_t a = 0; a < schema->n_attributes; a++)
        out->at_most += schema->attributes[a].role == TACIT_SENSITIVE && !s->person->known[a] && !s->refused[a] &&
                        (a == next || tacit_model_reads(s->model, a));
    if (draws == 0)
        draws = usual_people(s->model);
    st = tct_session_stage(s, &stage, err);
    if (!st && tct_outlook_gaussian_applies(s))
        st = tct_outlook_gaussian(s, stage, next, out, err);
    else if (!st)
        st = walk_all(s, stage, next, draws, out, err);
    out->about = round_off(out->about);
    out->settles = round_off(out->settles);
    if (st)
        *out = (tacit_outlook){0};
    return st;
}
