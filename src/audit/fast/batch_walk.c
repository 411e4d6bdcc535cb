/*
 * Walking the tree of stages with many people at once.
 *
 * One list of people is sorted in place: at a stage, those who are settled are taken out, the rest is grouped by what
 * is asked next, and each group goes on with its own part of the list.  What a person carries along is the sum of the
 * known terms, to which each answer adds its own as in walk.c, and how many promises are kept.
 */
#include "batch_walk.h"

#include <math.h>
#include <string.h>

#include "follow.h"
#include "lanes.h"
#include "arena.h"
#include "score_laws.h"
#include "batch_walk_inside.h"

struct tct_batch_walk {
    tct_plan *plan;
    const tct_stage *from;
    const tacit_model *model;
    const tct_linear *linear;
    tacit_rule rule;
    tct_walker *walker; /* the plain rule */
    const tct_promise *promises;
    size_t n_promises, n_exact; /* the last of by_delta have delta = 0 */
    size_t *by_delta;           /* promises, largest delta first: they are kept in this order */
    size_t n_sensitive;
    tct_arena arena, lists; /* of what does not grow; of what has room for `room` people */
    size_t *order;          /* attributes asked on the way to the current stage */
    tct_option *options;    /* n_sensitive per depth */
    size_t *ends;           /* n_sensitive + 1 per depth: where each group of the list ends */
    size_t *counts[2];      /* n_sensitive + 1: of those who go on to each option */
    double *person;         /* n_inputs */
    double *terms;          /* weights of what is known at the start */
    tct_handful *handful;
    size_t room; /* people for whom the following have room */
    uint32_t *people, *out[2], *spare;
    uint16_t *next; /* option of each on the list */
    double *partial;
    uint16_t *kept;
    /* of the current run */
    const double *x;
    size_t stride;
    const uint8_t *full;
    tct_party_fn tell;
    void *context;
    uint64_t exactly;
    /* to be asked now and then */
    tacit_status (*tick)(void *context, tacit_error *err);
    void *tick_context;
    size_t work; /* since it was asked last */
};

/* Work between two ticks: some milliseconds at most.  A choice by lanes counts 1. */
enum { TICK_WORK = 1 << 14, PLAIN_WORK = 64, STAGE_WORK = 64 };

static void order_promises(tct_batch_walk *s)
{
    for (size_t i = 0; i < s->n_promises; i++) {
        size_t at = i;

        while (at > 0 && s->promises[s->by_delta[at - 1]].delta < s->promises[i].delta) {
            s->by_delta[at] = s->by_delta[at - 1];
            at--;
        }
        s->by_delta[at] = i;
        s->n_exact += !(s->promises[i].delta > 0);
    }
}

static void take_handful(tct_batch_walk *s, size_t n_inputs)
{
    tct_handful *b = s->handful = tct_take(&s->arena, 1, sizeof *b);

    if (!b)
        return;
    b->values = tct_take(&s->arena, n_inputs + 1, sizeof *b->values);
    b->gathered = tct_take(&s->arena, (n_inputs + 1) * TCT_HANDFUL, sizeof *b->gathered);
    b->mean = tct_take(&s->arena, (n_inputs + 1) * TCT_HANDFUL, sizeof *b->mean);
    b->have = tct_take(&s->arena, n_inputs + 1, sizeof *b->have);
}

tacit_status tct_batch_walk_new(tct_batch_walk **out, tct_plan *plan, const tct_stage *from, tacit_rule rule,
                                const tct_promise *promises, size_t n_promises, tacit_error *err)
{
    const tacit_model *model = tct_plan_model(plan);
    tct_batch_walk *s;
    tacit_status st = TACIT_OK;

    *out = NULL;
    if ((rule != TACIT_RULE_STOP && rule != TACIT_RULE_MARGIN) || model->classifier->n_scores != 1 ||
        !tct_linear_law(model) || model->variables->n_wide > 0 || tct_follow_applies(model) || n_promises > UINT16_MAX)
        return TACIT_OK;
    s = tct_calloc(1, sizeof *s);
    if (!s)
        return tct_fail_memory(err);
    s->plan = plan;
    s->from = from;
    s->model = model;
    s->linear = tct_linear_law(model);
    s->rule = rule;
    s->promises = promises;
    s->n_promises = n_promises;
    for (size_t a = 0; a < model->schema->n_attributes; a++)
        s->n_sensitive += model->schema->attributes[a].role == TACIT_SENSITIVE;
    s->by_delta = tct_take(&s->arena, n_promises, sizeof *s->by_delta);
    s->order = tct_take(&s->arena, s->n_sensitive + 1, sizeof *s->order);
    s->options = tct_take(&s->arena, (s->n_sensitive + 1) * (s->n_sensitive + 1), sizeof *s->options);
    s->ends = tct_take(&s->arena, (s->n_sensitive + 1) * (s->n_sensitive + 1), sizeof *s->ends);
    s->counts[0] = tct_take(&s->arena, s->n_sensitive + 1, sizeof *s->counts[0]);
    s->counts[1] = tct_take(&s->arena, s->n_sensitive + 1, sizeof *s->counts[1]);
    s->person = tct_take(&s->arena, model->codec->n_inputs, sizeof *s->person);
    s->terms = tct_take(&s->arena, from->belief->n_known + 1, sizeof *s->terms);
    take_handful(s, model->codec->n_inputs);
    st = tct_arena_check(&s->arena, err);
    if (st)
        goto done;
    for (size_t i = 0; i < from->belief->n_known; i++)
        s->terms[i] = s->linear->weights[from->belief->known[i]];
    order_promises(s);
    st = tct_walker_new(&s->walker, plan, rule, 0, err);
    if (!st) {
        *out = s;
        s = NULL;
    }
done:
    tct_batch_walk_free(s);
    return st;
}

void tct_batch_walk_free(tct_batch_walk *s)
{
    if (!s)
        return;
    tct_walker_free(s->walker);
    tct_arena_clear(&s->lists);
    tct_arena_clear(&s->arena);
    tct_free(s);
}

void tct_batch_walk_tick(tct_batch_walk *s, tacit_status (*tick)(void *context, tacit_error *err), void *context)
{
    s->tick = tick;
    s->tick_context = context;
}

static tacit_status make_room(tct_batch_walk *s, size_t n, tacit_error *err)
{
    if (n <= s->room)
        return TACIT_OK;
    tct_arena_clear(&s->lists);
    s->room = 0;
    n += n / 4 + TCT_HANDFUL;
    s->people = tct_take(&s->lists, n, sizeof *s->people);
    s->out[0] = tct_take(&s->lists, n, sizeof *s->out[0]);
    s->out[1] = tct_take(&s->lists, n, sizeof *s->out[1]);
    s->spare = tct_take(&s->lists, n, sizeof *s->spare);
    s->next = tct_take(&s->lists, n, sizeof *s->next);
    s->partial = tct_take(&s->lists, n, sizeof *s->partial);
    s->kept = tct_take(&s->lists, n, sizeof *s->kept);
    if (s->lists.failed)
        return tct_fail_memory(err);
    s->room = n;
    return TACIT_OK;
}

/* ---------------------------------------------------------------- settled */

/* The promises from s->kept on are kept for these people, who all get this label. */
static void tell_rest(tct_batch_walk *s, size_t depth, tacit_settled settled, uint8_t label, uint32_t *people, size_t n)
{
    tct_party party = {.end = {(uint16_t)depth, (uint8_t)settled, label}, .order = s->order, .people = people, .n = n};

    for (size_t i = s->n_promises; i-- > 0 && party.n > 0;) {
        size_t left = 0;

        for (size_t k = 0; s->n_promises > 1 && k < party.n; k++) { /* those who lack this promise lack later ones */
            people[left] = people[k];
            left += s->kept[people[k]] <= i;
        }
        party.n = s->n_promises > 1 ? left : party.n;
        party.promise = s->by_delta[i];
        if (party.n > 0)
            s->tell(s->context, &party);
    }
}

/* Take out those with a proof, or everybody where everything is known; returns how many are left. */
static size_t take_settled(tct_batch_walk *s, const tct_stage *stage, size_t depth, uint32_t *people, size_t n)
{
    const tct_linear_proof *f = stage->linear_proof;
    double floor0 = f->floor[tct_pair(f->extremes, 0, 1)], floor1 = f->floor[tct_pair(f->extremes, 1, 0)];
    size_t settled[2] = {0, 0}, left = 0;
    tacit_settled how = stage->n_unknown == 0 ? TACIT_ALL_REVEALED : TACIT_CERTAIN;

    for (size_t k = 0; k < n; k++) {
        uint32_t p = people[k];
        double partial = s->partial[p];
        bool zero = -partial + floor0 > 0, one = !zero & (partial + floor1 >= 0);

        if (how == TACIT_ALL_REVEALED) {
            zero = !s->full[p];
            one = s->full[p];
        }
        s->out[0][settled[0]] = p;
        settled[0] += zero;
        s->out[1][settled[1]] = p;
        settled[1] += one;
        people[left] = p;
        left += !zero & !one;
    }
    for (uint8_t label = 0; label < 2; label++)
        tell_rest(s, depth, how, label, s->out[label], settled[label]);
    return left;
}

/* Keep the promises with delta > 0 that are kept here; true when none is left. */
static bool keep_promises(tct_batch_walk *s, const tct_stage *stage, size_t depth, uint32_t person, double mean)
{
    tct_party party = {.end = {(uint16_t)depth, TACIT_LIKELY, mean >= 0}, .order = s->order, .people = &person, .n = 1};

    while (s->kept[person] < s->n_promises - s->n_exact) {
        party.promise = s->by_delta[s->kept[person]];
        if (!(fabs(mean) >= stage->law->sigma * s->promises[party.promise].quantile))
            break;
        s->tell(s->context, &party);
        s->kept[person]++;
    }
    return s->kept[person] == s->n_promises;
}

/* ---------------------------------------------------------------- choosing */

/* to[i][k] = x[inputs[i]][people[k]] */
TCT_INLINED void gather_body(double *restrict to, const size_t *inputs, size_t m, const double *x, size_t stride,
                             const uint32_t *restrict people, size_t n)
{
    for (size_t i = 0; i < m; i++) {
        const double *restrict column = x + inputs[i] * stride;

        for (size_t k = 0; k < n; k++)
            to[i * TCT_HANDFUL + k] = column[people[k]];
    }
}

TCT_SIMD_FUNCTION(void, gather, gather_body,
                  (double *to, const size_t *inputs, size_t m, const double *x, size_t stride, const uint32_t *people,
                   size_t n),
                  (to, inputs, m, x, stride, people, n))

/* The known values of n people on the list, side by side; n is made a multiple of 8 by repeating the last. */
static void seat_people(tct_batch_walk *s, const tct_stage *stage, const uint32_t *people, size_t n)
{
    const tct_belief *belief = stage->belief;
    tct_handful *b = s->handful;
    size_t rounded = (n + 7) & ~(size_t)7;
    bool in_a_row = people[n - 1] - people[0] == n - 1 && rounded == n;
    uint32_t seats[TCT_HANDFUL];

    for (size_t k = 1; in_a_row && k < n; k++)
        in_a_row = people[k] == people[k - 1] + 1;
    for (size_t i = 0; i < belief->n_known; i++)
        b->values[i] = in_a_row ? s->x + belief->known[i] * s->stride + people[0] : b->gathered + i * TCT_HANDFUL;
    memcpy(seats, people, n * sizeof *seats);
    for (size_t k = n; k < rounded; k++)
        seats[k] = people[n - 1];
    if (!in_a_row)
        gather(b->gathered, belief->known, belief->n_known, s->x, s->stride, seats, rounded);
    for (size_t k = 0; k < rounded; k++)
        b->partial[k] = s->partial[seats[k]];
    tct_wipe(seats, sizeof seats);
}

static uint16_t choose_plainly(tct_batch_walk *s, const tct_sheet *sheet, uint32_t person)
{
    size_t attribute, option = 0;

    for (size_t i = 0; i < s->model->codec->n_inputs; i++)
        s->person[i] = s->x[i * s->stride + person];
    attribute = tct_walker_choose(s->walker, sheet->stage, s->person, NULL);
    while (sheet->options[option].attribute != attribute)
        option++;
    s->exactly++;
    s->work += PLAIN_WORK;
    return (uint16_t)option;
}

/* `work` was done. */
static tacit_status tick(tct_batch_walk *s, size_t work, tacit_error *err)
{
    s->work += work;
    if (s->work < TICK_WORK || !s->tick)
        return TACIT_OK;
    s->work = 0;
    return s->tick(s->tick_context, err);
}

/* Put the people noted in s->spare on the list, grouped by s->next and else in their order.  ends[i]: where the group of
 * option i ends.  Both halves of those noted, the first of which has `half` people, are placed side by side: one step
 * need not wait for the one before. */
static void group_people(tct_batch_walk *s, size_t n_options, uint32_t *people, size_t half, size_t n, size_t *ends)
{
    size_t *first = s->counts[0], *second = s->counts[1], total = 0, k = 0;

    for (size_t i = 0; i < n_options; i++) { /* from counts to beginnings */
        size_t counts[2] = {first[i], second[i]};

        first[i] = total;
        second[i] = total + counts[0];
        ends[i] = total += counts[0] + counts[1];
    }
    for (; k < half && half + k < n; k++) {
        people[first[s->next[k]]++] = s->spare[k];
        people[second[s->next[half + k]]++] = s->spare[half + k];
    }
    for (size_t j = k; j < half; j++)
        people[first[s->next[j]]++] = s->spare[j];
    for (size_t j = half + k; j < n; j++)
        people[second[s->next[j]]++] = s->spare[j];
}

/* Keep the promises of n people, find what the others are asked next and group them by it. */
static tacit_status choose_next(tct_batch_walk *s, const tct_sheet *sheet, size_t depth, uint32_t *people, size_t n,
                                size_t *ends, tacit_error *err)
{
    bool only = sheet->n_options == 1, likely = s->n_exact < s->n_promises;
    const tct_handful *b = s->handful;
    size_t left = 0, half = 0;

    if (only && !likely) {
        ends[0] = n;
        return TACIT_OK;
    }
    memset(s->counts[0], 0, sheet->n_options * sizeof *s->counts[0]);
    memset(s->counts[1], 0, sheet->n_options * sizeof *s->counts[1]);
    for (size_t at = 0; at < n; at += TCT_HANDFUL) {
        size_t here = n - at < TCT_HANDFUL ? n - at : TCT_HANDFUL, *counts = s->counts[at >= n / 2];
        tacit_status st = tick(s, here, err);

        if (st)
            return st;
        seat_people(s, sheet->stage, people + at, here);
        tct_handful_choose(s->handful, sheet, s->rule, !only && !sheet->plain, likely, (here + 7) & ~(size_t)7);
        for (size_t k = 0; k < here; k++) {
            uint32_t person = people[at + k];
            uint16_t next = 0;

            if (likely && keep_promises(s, sheet->stage, depth, person, b->score[k]))
                continue;
            if (!only)
                next = !sheet->plain && b->option[k] >= 0 ? (uint16_t)b->option[k] : choose_plainly(s, sheet, person);
            s->spare[left] = person;
            s->next[left++] = next;
            counts[next]++;
        }
        half = at < n / 2 ? left : half;
    }
    group_people(s, sheet->n_options, people, half, left, ends);
    return TACIT_OK;
}

/* ---------------------------------------------------------------- walking */

/* The terms of an attribute, in the order of its inputs. */
static void add_answers(tct_batch_walk *s, const tct_domain *domain, const uint32_t *people, size_t n)
{
    const double *w = s->linear->weights + domain->first, *x = s->x + domain->first * s->stride;

    for (size_t k = 0; k < n; k++) {
        double sum = s->partial[people[k]];

        for (size_t j = 0; j < domain->width; j++)
            sum += w[j] * x[j * s->stride + people[k]];
        s->partial[people[k]] = sum;
    }
}

/* Everybody on the list has just answered the last question on the way to this stage. */
static tacit_status visit(tct_batch_walk *s, const tct_stage *stage, size_t depth, uint32_t *people, size_t n,
                          tacit_error *err)
{
    tct_sheet sheet = {.options = s->options + depth * (s->n_sensitive + 1)};
    size_t *ends = s->ends + depth * (s->n_sensitive + 1), first = 0;
    tacit_status st = TACIT_OK;

    n = take_settled(s, stage, depth, people, n);
    if (n == 0)
        return TACIT_OK;
    tct_sheet_fill(&sheet, stage, s->model, tct_plan_extremes(s->plan));
    st = tick(s, STAGE_WORK, err);
    if (!st)
        st = choose_next(s, &sheet, depth, people, n, ends, err);
    for (size_t i = 0; i < sheet.n_options && !st; first = ends[i++]) {
        const tct_stage *child, *mark = tct_plan_mark(s->plan);
        const tct_domain *domain = &s->model->codec->domains[sheet.options[i].attribute];

        if (ends[i] == first)
            continue;
        st = tct_plan_step(s->plan, stage, sheet.options[i].attribute, &child, err);
        if (st)
            break;
        add_answers(s, domain, people + first, ends[i] - first);
        s->order[depth] = sheet.options[i].attribute;
        st = visit(s, child, depth + 1, people + first, ends[i] - first, err);
        tct_plan_forget(s->plan, mark, NULL);
    }
    return st;
}

tacit_status tct_batch_walk_run(tct_batch_walk *s, const double *x, size_t stride, size_t n, const uint8_t *full,
                                tct_party_fn tell, void *context, uint64_t *exactly, tacit_error *err)
{
    const tct_belief *belief = s->from->belief;
    tacit_status st = make_room(s, n, err);

    if (st)
        return st;
    s->x = x;
    s->stride = stride;
    s->full = full;
    s->tell = tell;
    s->context = context;
    s->exactly = 0;
    for (size_t p = 0; p < n; p++) {
        s->people[p] = (uint32_t)p;
        s->kept[p] = 0;
    }
    tct_lanes_affine(s->partial, s->linear->bias[0], s->terms, belief->known, belief->n_known, x, stride, n);
    st = visit(s, s->from, 0, s->people, n, err);
    if (exactly)
        *exactly += s->exactly;
    return st;
}
