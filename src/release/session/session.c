/*
 * One person's questionnaire.  The session keeps what was answered, in order; where the protocol stands follows from
 * that: the stage reached by the known public attributes (schema order), then the sensitive ones in the order of the
 * answers. Nothing is kept about a refused attribute except that it was refused.
 */
#include "session.h"

#include <math.h>
#include <string.h>

#include "crossing.h"

/* Where things stand after each public answer costs the square of the inputs.  With more inputs than this, a replay
 * takes all of them together. */
enum { AT_ONCE = 1024 };

static tacit_status check_options(const tacit_release_options *options, tacit_error *err)
{
    if (!(options->delta >= 0 && options->delta < 0.5))
        return tct_fail(err, TACIT_E_USAGE, "delta must be at least 0 and below 0.5");
    if (!tct_rule_exists(options->rule))
        return tct_fail(err, TACIT_E_USAGE, "there is no rule %d", (int)options->rule);
    return TACIT_OK;
}

/* The caller's options, checked. */
static tacit_status take_given(tacit_release_options *own, const tacit_release_options *given, tacit_error *err)
{
    tacit_status st = TCT_OPTIONS_TAKE(own, tacit_release_options, brief, given, err);

    return st ? st : check_options(own, err);
}

static tacit_status take_options(tacit_session *s, const tacit_release_options *options, tacit_error *err)
{
    tacit_status st;

    s->options = *options;
    st = tct_rule_at(&s->options.rule, options->rule, options->delta, s->model, err);
    s->promise = tct_promise_of(s->model, s->options.rule, options->delta);
    return st;
}

double tacit_model_confidence(const tacit_model *model, tacit_rule rule, double delta)
{
    tct_promise promise;

    if (tct_rule_at(&rule, rule, delta, model, NULL))
        return NAN;
    promise = tct_promise_of(model, rule, delta);
    return promise.delta > 0 ? 1 - promise.delta : INFINITY;
}

tacit_status tacit_session_open(tacit_session **out, const tacit_model *model, const tacit_release_options *given,
                                tacit_error *err)
{
    tacit_release_options own;
    const tacit_release_options *options = &own;
    tacit_session *s = NULL;
    tacit_status st = take_given(&own, given, err);

    *out = NULL;
    if (st)
        return st;
    s = tct_calloc(1, sizeof *s);
    if (!s)
        return tct_fail_memory(err);
    s->model = model;
    s->state_size = tacit_session_state_size(model);
    st = take_options(s, options, err);
    if (st)
        goto done;
    s->refused = tct_calloc(model->schema->n_attributes, 1);
    s->events = tct_calloc(model->schema->n_attributes, sizeof *s->events);
    if (!s->refused || !s->events) {
        st = tct_fail_memory(err);
        goto done;
    }
    st = tct_plan_new(&s->plan, model, err);
    if (!st)
        st = tct_walker_new(&s->walker, s->plan, s->options.rule, options->seed, err);
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
    tct_session_widen_all(s);
    tacit_person_free(s->person);
    tct_walker_free(s->walker);
    tct_plan_free(s->plan);
    tct_free_wiped(s->refused, s->model->schema->n_attributes);
    tct_free_wiped(s->events, s->model->schema->n_attributes * sizeof *s->events);
    tct_free_wiped(s, sizeof *s);
}

void tct_session_clear(tacit_session *s)
{
    const tacit_schema *schema = s->model->schema;

    for (size_t a = 0; a < schema->n_attributes; a++)
        if (s->person->known[a])
            tacit_person_unset(s->person, a);
    tct_session_widen_all(s);
    tct_wipe(s->refused, schema->n_attributes);
    tct_wipe(s->events, s->n_events * sizeof *s->events);
    tct_wipe(&s->look, sizeof s->look);
    s->n_events = 0;
    s->cached = false;
}

tacit_status tct_session_stage(tacit_session *s, const tct_stage **out, tacit_error *err)
{
    const tacit_schema *schema = s->model->schema;
    unsigned char given[TCT_MAX_ATTRIBUTES];
    const tct_stage *stage = NULL;
    tacit_status st;

    if (s->cached) {
        *out = s->stage;
        return TACIT_OK;
    }
    tct_plan_forget(s->plan, NULL, NULL);
    tct_model_fill_idle(s->model, s->person->known, s->person->x);
    for (size_t a = 0; a < schema->n_attributes; a++) /* those that nobody need be asked for are as good as given */
        given[a] = schema->attributes[a].role == TACIT_PUBLIC &&
                   (s->person->known[a] || !(s->refused[a] || tacit_model_reads(s->model, a)));
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

bool tct_session_wants_public(const tacit_session *s, size_t attribute)
{
    return s->model->schema->attributes[attribute].role == TACIT_PUBLIC && !s->refused[attribute] &&
           tacit_model_reads(s->model, attribute);
}

size_t tct_session_open_public(const tacit_session *s)
{
    const tacit_schema *schema = s->model->schema;

    for (size_t a = 0; a < schema->n_attributes; a++)
        if (tct_session_wants_public(s, a) && !s->person->known[a])
            return a;
    return TACIT_NONE;
}

/* Look and choose; where a range is open, by proof alone. */
static tacit_status look_within(tacit_session *s, const tct_stage *stage, tacit_error *err)
{
    bool narrowed = tct_session_narrowed(s) != TACIT_NONE;
    tct_promise proof = tct_promise_of(s->model, s->options.rule, 0);
    tacit_status st = tct_walker_stand(s->walker, stage, s->person->x, narrowed ? &proof : &s->promise, s->refused,
                                       s->options.brief, &s->look, &s->next, err);

    if (!st && narrowed && s->look.settled == TACIT_OPEN)
        st = tct_session_prove(s, stage, &s->look, err);
    if (!st && s->look.settled == TACIT_CERTAIN)
        s->next = TACIT_NONE;
    return st;
}

/* What is open is not told how it would end; a decision is told as in any other session. */
static void tell_briefly(tacit_session *s, const tct_stage *stage)
{
    tacit_settled settled = s->look.settled;

    if (settled == TACIT_OPEN)
        s->look = (tct_look){TACIT_OPEN, 0, NAN};
    else if (isnan(s->look.probability)) /* likely, or unsettled */
        tct_walker_guess(s->walker, stage, s->person->x, &s->look);
    s->look.settled = settled;
}

/* Look, and choose when there is nothing to see yet.  Public attributes come first: before they are through, nothing
 * counts as settled, and nothing has to be proven. */
static tacit_status stand(tacit_session *s, tct_look *look, size_t *next, tacit_error *err)
{
    const tct_stage *stage;
    tacit_status st;

    if (!s->cached) {
        st = tct_session_stage(s, &stage, err);
        if (st)
            return st;
        s->next = tct_session_open_public(s);
        if (s->next != TACIT_NONE && s->options.brief) {
            s->look.settled = TACIT_OPEN;
        } else if (s->next != TACIT_NONE) {
            tct_walker_guess(s->walker, stage, s->person->x, &s->look);
        } else {
            st = look_within(s, stage, err);
            if (st)
                return st;
            if (s->look.settled == TACIT_OPEN && s->next == TACIT_NONE)
                s->look.settled = TACIT_UNSETTLED;
        }
        if (s->options.brief)
            tell_briefly(s, stage);
        else
            tct_walker_tell(s->walker, &s->look);
        s->stage = stage;
        s->cached = true;
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

tacit_status tct_session_check_open(const tacit_session *s, size_t attribute, tacit_error *err)
{
    if (attribute >= s->model->schema->n_attributes)
        return tct_fail(err, TACIT_E_USAGE, "there is no attribute %zu", attribute);
    if (s->person->known[attribute] || s->refused[attribute])
        return tct_fail(err, TACIT_E_USAGE, "attribute %s was %s already", s->model->schema->attributes[attribute].name,
                        s->refused[attribute] ? "refused" : "answered");
    return TACIT_OK;
}

/* Not knowing is an answer only where the schema says so: otherwise whoever is declined could turn the decision by
 * not knowing what speaks against him. */
static tacit_status check_unknown(const tacit_session *s, size_t attribute, tacit_error *err)
{
    const tacit_attribute *a = &s->model->schema->attributes[attribute];

    if (a->missing_is_value)
        return TACIT_OK;
    return tct_fail(err, TACIT_E_INPUT, "not knowing %s is no answer: it can be given or refused", a->name);
}

/* Write an event down: that the attribute was refused, or that the person has it now. */
static void note(tacit_session *s, size_t attribute)
{
    s->cached = false;
    s->events[s->n_events++] = (tacit_event){.attribute = attribute,
                                             .refused = s->refused[attribute],
                                             .clipped = s->person->clipped[attribute],
                                             .not_known = s->person->unknown[attribute],
                                             .role = s->model->schema->attributes[attribute].role};
}

/* Where things stand after the last `n` events, into each of them; taken back when that cannot be found out. */
static tacit_status conclude(tacit_session *s, size_t n, tacit_error *err)
{
    tct_look look;
    size_t next;
    tacit_status st = stand(s, &look, &next, err);

    for (size_t i = 1; i <= n && !st; i++) {
        tacit_event *event = &s->events[s->n_events - i];

        event->settled = look.settled;
        event->label = look.label;
        event->probability = look.probability;
    }
    for (size_t i = 0; i < n && st; i++)
        tacit_session_undo(s, NULL);
    return st;
}

static tacit_status record(tacit_session *s, size_t attribute, tacit_error *err)
{
    note(s, attribute);
    return conclude(s, 1, err);
}

/* Does the value that the person has now fit its range? */
static tacit_status check_range(const tacit_session *s, size_t attribute, tacit_error *err)
{
    return tct_session_check_range(s, attribute, s->person->x + s->model->codec->domains[attribute].first, err);
}

tacit_status tacit_session_answer(tacit_session *s, size_t attribute, const char *text, tacit_error *err)
{
    tacit_status st = tct_session_check_open(s, attribute, err);

    if (!st)
        st = tacit_person_set(s->person, attribute, text, NULL, err);
    if (st)
        return st;
    if (s->person->unknown[attribute])
        st = check_unknown(s, attribute, err);
    if (!st)
        st = check_range(s, attribute, err);
    if (!st)
        return record(s, attribute, err);
    tacit_person_unset(s->person, attribute);
    return st;
}

tacit_status tacit_session_answer_unknown(tacit_session *s, size_t attribute, tacit_error *err)
{
    tacit_status st = tct_session_check_open(s, attribute, err);

    if (!st)
        st = check_unknown(s, attribute, err);
    return st ? st : tacit_session_answer(s, attribute, "", err);
}

tacit_status tacit_session_refuse(tacit_session *s, size_t attribute, tacit_error *err)
{
    tacit_status st = tct_session_check_open(s, attribute, err);

    if (st)
        return st;
    s->refused[attribute] = 1;
    return record(s, attribute, err);
}

tacit_status tacit_session_undo(tacit_session *s, tacit_error *err)
{
    size_t attribute;

    if (tct_session_narrowed_last(s)) {
        tct_session_widen(s);
        return TACIT_OK;
    }
    if (s->n_events == 0)
        return tct_fail(err, TACIT_E_USAGE, "there is no answer to take back");
    s->cached = false;
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
            out->not_known += s->events[e].not_known;
            out->cost += s->model->schema->attributes[s->events[e].attribute].cost;
        }
    }
    return TACIT_OK;
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
    return s->options.rule;
}

/* What another person knows about an attribute, and whether that is only that it is not known. */
static void take_from(tacit_session *s, size_t attribute, const tacit_person *person)
{
    tct_person_take(s->person, attribute, person->x);
    s->person->unknown[attribute] |= person->unknown[attribute];
    s->person->clipped[attribute] = person->clipped[attribute];
}

/* All public attributes that the person knows, at once. */
static tacit_status take_public(tacit_session *s, const tacit_person *person, tacit_error *err)
{
    const tacit_schema *schema = s->model->schema;
    tacit_status st = TACIT_OK;
    size_t given = 0;

    for (size_t a = 0; a < schema->n_attributes; a++)
        if (schema->attributes[a].role == TACIT_PUBLIC && person->known[a] && !s->person->known[a] && !s->refused[a]) {
            st = tct_session_check_range(s, a, person->x + s->model->codec->domains[a].first, err);
            if (st)
                break;
            take_from(s, a, person);
            note(s, a);
            given++;
        }
    for (size_t i = 0; i < given && st; i++)
        tacit_session_undo(s, NULL);
    return given && !st ? conclude(s, given, err) : st;
}

tacit_status tacit_session_give_public(tacit_session *s, const tacit_person *person, tacit_error *err)
{
    const tacit_schema *schema = s->model->schema;
    tacit_status st = TACIT_OK;

    if (person->model != s->model && strcmp(person->model->model_hash, s->model->model_hash) != 0)
        return tct_fail(err, TACIT_E_USAGE, "the person was made for another model");
    for (size_t a = 0; a < schema->n_attributes && !st; a++)
        if (schema->attributes[a].role == TACIT_PUBLIC && person->known[a] && person->unknown[a])
            st = check_unknown(s, a, err);
    if (st)
        return st;
    return take_public(s, person, err);
}

tacit_status tacit_session_replay(tacit_session *s, const tacit_person *person, tacit_error *err)
{
    tacit_status st = TACIT_OK;

    if (person->model != s->model && strcmp(person->model->model_hash, s->model->model_hash) != 0)
        return tct_fail(err, TACIT_E_USAGE, "the person was made for another model");
    if (s->model->codec->n_inputs > AT_ONCE)
        st = take_public(s, person, err);
    while (!st) {
        size_t a;

        st = tacit_session_next(s, &a, err);
        if (st || a == TACIT_NONE)
            return st;
        if (!person->known[a])
            return tct_fail(err, TACIT_E_USAGE, "the person has no value for attribute %s",
                            s->model->schema->attributes[a].name);
        st = tct_session_check_range(s, a, person->x + s->model->codec->domains[a].first, err);
        if (st)
            return st;
        take_from(s, a, person);
        st = record(s, a, err);
    }
    return st;
}

tacit_status tacit_session_restart(tacit_session *s, const tacit_release_options *given, tacit_error *err)
{
    tacit_release_options own;
    tacit_status st = take_given(&own, given, err);

    tct_session_clear(s);
    if (!st)
        st = take_options(s, &own, err);
    tct_walker_restart(s->walker, s->options.rule, s->options.seed);
    return st;
}
