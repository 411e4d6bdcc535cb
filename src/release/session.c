/*
 * One person's questionnaire.  The session keeps what was answered, in order; where the protocol stands follows from
 * that: the stage reached by the known public attributes (schema order), then the sensitive ones in the order of the
 * answers. Nothing is kept about a refused attribute except that it was refused.
 */
#include <math.h>
#include <string.h>

#include "person.h"
#include "sampler.h"
#include "session.h"
#include "walk.h"

/* People drawn for the outlook; fewer where every step takes long. */
enum { OUTLOOK_PEOPLE = 64, OUTLOOK_FEW = 8, MANY_INPUTS = 100 };

struct tacit_session {
    const tacit_model *model;
    tacit_release_options opt;
    tct_promise promise;
    tct_plan *plan;
    tct_walker *walker;
    tacit_person *person;
    unsigned char *refused; /* per attribute */
    tacit_event *events;    /* room for all attributes */
    size_t n_events;
    bool stood; /* look and next are of the current events */
    tct_look look;
    size_t next;
};

tacit_status tacit_session_open(tacit_session **out, const tacit_model *model, const tacit_release_options *opt,
                                tacit_error *err)
{
    static const tacit_release_options DEFAULTS = {0};
    tacit_session *s = NULL;
    tacit_status st = TACIT_OK;

    *out = NULL;
    if (!opt)
        opt = &DEFAULTS;
    if (!(opt->delta >= 0 && opt->delta < 0.5))
        return tct_fail(err, TACIT_E_USAGE, "delta must be at least 0 and below 0.5");
    if (!tct_rule_exists(opt->rule))
        return tct_fail(err, TACIT_E_USAGE, "there is no rule %d", (int)opt->rule);
    s = tct_calloc(1, sizeof *s);
    if (!s)
        return tct_fail_memory(err);
    s->model = model;
    s->opt = *opt;
    s->opt.rule = tct_rule_for(opt->rule, opt->delta, model);
    s->promise = tct_promise_of(model, s->opt.rule, opt->delta);
    s->refused = tct_calloc(model->schema->n_attributes, 1);
    s->events = tct_calloc(model->schema->n_attributes, sizeof *s->events);
    if (!s->refused || !s->events) {
        st = tct_fail_memory(err);
        goto done;
    }
    st = tct_plan_new(&s->plan, model, err);
    if (!st)
        st = tct_walker_new(&s->walker, s->plan, s->opt.rule, opt->seed, err);
    if (!st)
        st = tacit_person_new(&s->person, model, err);
    if (!st) {
        *out = s;
        s = NULL;
    }
done:
    tacit_session_free(s);
    return st;
}

void tacit_session_free(tacit_session *s)
{
    if (!s)
        return;
    tacit_person_free(s->person);
    tct_walker_free(s->walker);
    tct_plan_free(s->plan);
    tct_free_wiped(s->refused, s->model->schema->n_attributes);
    tct_free_wiped(s->events, s->model->schema->n_attributes * sizeof *s->events);
    tct_free_wiped(s, sizeof *s);
}

/* Where the protocol stands. */
static tacit_status find_stage(tacit_session *s, const tct_stage **out, tacit_error *err)
{
    const tacit_schema *schema = s->model->schema;
    unsigned char given[TCT_MAX_ATTRIBUTES];
    const tct_stage *stage = NULL;
    tacit_status st;

    tct_plan_forget(s->plan, NULL, NULL);
    for (size_t a = 0; a < schema->n_attributes; a++)
        given[a] = schema->attributes[a].role == TACIT_PUBLIC && s->person->known[a];
    st = tct_plan_start(s->plan, given, &stage, err);
    for (size_t e = 0; e < s->n_events && !st; e++)
        if (s->events[e].role == TACIT_SENSITIVE && !s->events[e].refused) {
            st = tct_plan_step(s->plan, stage, s->events[e].attribute, &stage, err);
            if (!st)
                tct_plan_forget(s->plan, NULL, stage);
        }
    *out = stage;
    return st;
}

/* The first public attribute neither known nor refused, or TACIT_NONE. */
static size_t open_public(const tacit_session *s)
{
    const tacit_schema *schema = s->model->schema;

    for (size_t a = 0; a < schema->n_attributes; a++)
        if (schema->attributes[a].role == TACIT_PUBLIC && !s->person->known[a] && !s->refused[a])
            return a;
    return TACIT_NONE;
}

/* Look, and choose when there is nothing to see yet.  Public attributes come first: before they are through, nothing
 * counts as settled. */
static tacit_status stand(tacit_session *s, tct_look *look, size_t *next, tacit_error *err)
{
    const tct_stage *stage;
    tacit_status st;

    if (!s->stood) {
        st = find_stage(s, &stage, err);
        if (!st)
            st = tct_walker_look(s->walker, stage, s->person->x, &s->promise, &s->look, err);
        if (st)
            return st;
        s->next = open_public(s);
        if (s->next != TACIT_NONE) {
            s->look.settled = TACIT_OPEN;
        } else if (s->look.settled == TACIT_OPEN) {
            s->next = tct_walker_choose(s->walker, stage, s->person->x, s->refused);
            if (s->next == TACIT_NONE)
                s->look.settled = TACIT_UNSETTLED;
        }
        s->stood = true;
    }
    *look = s->look;
    *next = s->next;
    return TACIT_OK;
}

tacit_status tacit_session_next(tacit_session *s, size_t *attribute, tacit_error *err)
{
    tct_look look;

    *attribute = TACIT_NONE;
    return stand(s, &look, attribute, err);
}

static tacit_status check_open(const tacit_session *s, size_t attribute, tacit_error *err)
{
    if (attribute >= s->model->schema->n_attributes)
        return tct_fail(err, TACIT_E_USAGE, "there is no attribute %zu", attribute);
    if (s->person->known[attribute] || s->refused[attribute])
        return tct_fail(err, TACIT_E_USAGE, "attribute %s was %s already", s->model->schema->attributes[attribute].name,
                        s->refused[attribute] ? "refused" : "answered");
    return TACIT_OK;
}

/* Write the event down, with where things stand after it. */
static tacit_status record(tacit_session *s, size_t attribute, bool refused, bool clipped, tacit_error *err)
{
    tacit_event *event = &s->events[s->n_events++];
    tct_look look;
    size_t next;
    tacit_status st;

    s->stood = false;
    *event = (tacit_event){.attribute = attribute,
                           .refused = refused,
                           .clipped = clipped,
                           .role = s->model->schema->attributes[attribute].role};
    st = stand(s, &look, &next, err);
    if (st) {
        tacit_session_undo(s, NULL);
        return st;
    }
    event->settled = look.settled;
    event->label = look.label;
    event->probability = look.probability;
    return TACIT_OK;
}

tacit_status tacit_session_answer(tacit_session *s, size_t attribute, const char *text, tacit_error *err)
{
    bool clipped = false;
    tacit_status st = check_open(s, attribute, err);

    if (!st)
        st = tacit_person_set(s->person, attribute, text, &clipped, err);
    return st ? st : record(s, attribute, false, clipped, err);
}

tacit_status tacit_session_refuse(tacit_session *s, size_t attribute, tacit_error *err)
{
    tacit_status st = check_open(s, attribute, err);

    if (st)
        return st;
    s->refused[attribute] = 1;
    return record(s, attribute, true, false, err);
}

tacit_status tacit_session_undo(tacit_session *s, tacit_error *err)
{
    size_t attribute;

    if (s->n_events == 0)
        return tct_fail(err, TACIT_E_USAGE, "there is no answer to take back");
    s->stood = false;
    attribute = s->events[--s->n_events].attribute;
    s->refused[attribute] = 0;
    tacit_person_unset(s->person, attribute);
    return TACIT_OK;
}

tacit_status tacit_session_decision(tacit_session *s, tacit_decision *out, tacit_error *err)
{
    tct_look look;
    size_t next;
    tacit_status st = stand(s, &look, &next, err);

    *out = (tacit_decision){.label = TACIT_NONE};
    if (st)
        return st;
    out->settled = look.settled;
    out->label = look.label;
    out->probability = look.probability;
    for (size_t e = 0; e < s->n_events; e++) {
        if (s->events[e].refused) {
            out->refused++;
        } else if (s->events[e].role == TACIT_SENSITIVE) {
            out->asked++;
            out->cost += s->model->schema->attributes[s->events[e].attribute].cost;
        }
    }
    return TACIT_OK;
}

tacit_status tacit_session_outlook(tacit_session *s, size_t *at_most, double *about, tacit_error *err)
{
    const tacit_schema *schema = s->model->schema;
    const tct_stage *stage;
    tct_sampler *sampler = NULL;
    double *x = NULL;
    size_t people = s->model->codec->n_inputs > MANY_INPUTS ? OUTLOOK_FEW : OUTLOOK_PEOPLE;
    size_t *asked = NULL, total = 0;
    tct_look look;
    size_t next;
    tacit_status st = stand(s, &look, &next, err);

    *at_most = 0;
    *about = 0;
    if (st || next == TACIT_NONE)
        return st;
    for (size_t a = 0; a < schema->n_attributes; a++)
        *at_most += schema->attributes[a].role == TACIT_SENSITIVE && !s->person->known[a] && !s->refused[a];
    asked = tct_calloc(schema->n_attributes, sizeof *asked);
    x = tct_calloc(s->model->codec->n_inputs, sizeof *x);
    if (!asked || !x) {
        st = tct_fail_memory(err);
        goto done;
    }
    st = find_stage(s, &stage, err);
    if (!st)
        st = tct_sampler_new(&sampler, s->model, stage->belief, s->person->x, s->opt.seed, err);
    for (size_t i = 0; i < people && !st; i++) {
        const tct_stage *from = stage, *mark = tct_plan_mark(s->plan);
        tct_stop stop;

        tct_sampler_draw(sampler, x);
        for (size_t a = 0; a < schema->n_attributes && !st; a++) /* public ones still to come are given first */
            if (schema->attributes[a].role == TACIT_PUBLIC && !from->known[a] && !s->refused[a])
                st = tct_plan_step(s->plan, from, a, &from, err);
        if (!st)
            st = tct_walker_run(s->walker, from, x, s->refused, &s->promise, 1, &stop, asked, err);
        if (!st)
            total += stop.asked;
        tct_plan_forget(s->plan, mark, NULL);
    }
    *about = (double)total / (double)people;
done:
    tct_sampler_free(sampler);
    tct_free_wiped(x, s->model->codec->n_inputs * sizeof *x);
    tct_free(asked);
    return st;
}

size_t tacit_session_events(const tacit_session *s)
{
    return s->n_events;
}

const tacit_event *tacit_session_event(const tacit_session *s, size_t index)
{
    return index < s->n_events ? &s->events[index] : NULL;
}

const tacit_person *tacit_session_person(const tacit_session *s)
{
    return s->person;
}

tacit_rule tacit_session_rule(const tacit_session *s)
{
    return s->opt.rule;
}

tacit_status tacit_session_give_public(tacit_session *s, const tacit_person *person, tacit_error *err)
{
    const tacit_schema *schema = s->model->schema;
    tacit_status st = TACIT_OK;

    if (person->model != s->model && strcmp(person->model->model_hash, s->model->model_hash) != 0)
        return tct_fail(err, TACIT_E_USAGE, "the person was made for another model");
    for (size_t a = 0; a < schema->n_attributes && !st; a++)
        if (schema->attributes[a].role == TACIT_PUBLIC && person->known[a] && !s->person->known[a] && !s->refused[a]) {
            tct_person_take(s->person, a, person->x);
            st = record(s, a, false, false, err);
        }
    return st;
}

tacit_status tacit_session_replay(tacit_session *s, const tacit_person *person, tacit_error *err)
{
    if (person->model != s->model && strcmp(person->model->model_hash, s->model->model_hash) != 0)
        return tct_fail(err, TACIT_E_USAGE, "the person was made for another model");
    for (;;) {
        size_t a;
        tacit_status st = tacit_session_next(s, &a, err);

        if (st || a == TACIT_NONE)
            return st;
        if (!person->known[a])
            return tct_fail(err, TACIT_E_USAGE, "the person has no value for attribute %s",
                            s->model->schema->attributes[a].name);
        tct_person_take(s->person, a, person->x);
        st = record(s, a, false, false, err);
        if (st)
            return st;
    }
}

const tacit_release_options *tct_session_options(const tacit_session *s)
{
    return &s->opt;
}

const char *tacit_settled_name(tacit_settled settled)
{
    static const char *const NAMES[] = {"open", "certain", "likely", "all revealed", "unsettled"};

    return (size_t)settled < sizeof NAMES / sizeof NAMES[0] ? NAMES[settled] : "?";
}
