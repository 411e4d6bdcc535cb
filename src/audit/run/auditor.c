/*
 * One block of people through the protocol.  Each pass (the deltas that share a rule) takes a fast path where there is
 * one: chain.c when the order of questions is the same for everybody, batch_walk.c for two classes and rules that prove;
 * else the plain one (walk.c) person by person.
 */
#include "auditor.h"

#include <math.h>
#include <string.h>

#include "arena.h"
#include "needs.h"
#include "person_results.h"
#include "rows.h"

struct tct_worker {
    const tct_job *job;
    tct_plan *plan;
    const tct_stage *start;   /* public attributes known */
    tct_chain **chains;       /* per pass, NULL: no common order */
    tct_batch_walk **batches; /* per pass, NULL: not of that kind */
    tct_walker **walkers;     /* per pass, where there is neither */
    bool walks;               /* there is such a pass */
    tct_smallest_set *smallest_set;
    tct_smallest_batch *smallest; /* NULL: not of that kind, one by one with smallest_set */
    tct_gains *gains;             /* NULL: not of that kind, or nobody asks for them */
    tct_needs *needs;             /* NULL: not wanted */
    tct_rows *kept;               /* when rows are wanted */
    tct_keeper *keeper;           /* when each person is to be remembered */
    tct_tally **tallies;          /* n_deltas */
    tct_census *census;
    tct_quality *quality;
    tct_sorter *sorter;         /* NULL without groupings */
    tct_group_bins *group_bins; /* NULL: groups are counted one by one only */
    bool binned;                /* groups of the block at hand are counted by it */
    tct_arena arena;            /* the lists above that are per pass, and scratch: */
    double *person;             /* n_inputs: one person's inputs in a row */
    double *scores;
    uint8_t *full; /* n_full: labels with everything known (classes <= 256) */
    size_t n_full;
    tct_ending *ends; /* n_deltas x TCT_TILE */
    uint32_t *bins;   /* n_deltas x (n_sensitive + 1) x TCT_BINS_PER_COUNT: chain outcomes not yet in the tallies */
    uint8_t *once;    /* TCT_TILE: of those who are through at the start of a chain */
    tct_stop *stops;  /* n_deltas */
    size_t *asked;    /* attributes */
    size_t *orders;   /* the same as places in job->sensitive: a slot of n_sensitive per walk that is still needed */
    size_t **chain_orders; /* per pass: the common order as places */
};

/* ---------------------------------------------------------------- the worker */

static tacit_status new_tallies(tct_tally ***out, const tct_job *job, tacit_error *err)
{
    tacit_status st = TACIT_OK;

    *out = tct_calloc(job->n_deltas, sizeof **out);
    if (!*out)
        return tct_fail_memory(err);
    for (size_t i = 0; i < job->n_deltas && !st; i++) {
        st = tct_tally_new(&(*out)[i], job->n_sensitive, err);
        if (!st)
            st = tct_tally_count_labels((*out)[i], job->model->classifier->n_classes, err);
    }
    return st;
}

static void free_tallies(tct_tally **tallies, size_t n)
{
    for (size_t i = 0; tallies && i < n; i++)
        tct_tally_free(tallies[i]);
    tct_free(tallies);
}

static tacit_status prepare_pass(tct_worker *w, size_t pass, tacit_error *err)
{
    const tct_pass *p = &w->job->passes[pass];
    unsigned plain = w->job->plain;
    tacit_status st = TACIT_OK;

    if (!(plain & TCT_PLAIN_CHAIN))
        st = tct_chain_new(&w->chains[pass], w->plan, w->start, p->rule, p->promises, p->n_promises, err);
    if (st)
        return st;
    if (!w->chains[pass] && !(plain & TCT_PLAIN_BATCH_WALK))
        st = tct_batch_walk_new(&w->batches[pass], w->plan, w->start, p->rule, p->promises, p->n_promises, err);
    if (w->batches[pass])
        tct_batch_walk_tick(w->batches[pass], w->job->tick, w->job->tick_context);
    if (st || w->batches[pass])
        return st;
    if (!w->chains[pass]) {
        w->walks = true;
        return tct_walker_new(&w->walkers[pass], w->plan, p->rule, w->job->options->seed, err);
    }
    w->chain_orders[pass] = tct_calloc(w->job->n_sensitive + 1, sizeof(size_t));
    if (!w->chain_orders[pass])
        return tct_fail_memory(err);
    for (size_t i = 0; i < w->job->n_sensitive; i++)
        w->chain_orders[pass][i] = w->job->position[tct_chain_order(w->chains[pass])[i]];
    return TACIT_OK;
}

/* Walks to remember until rows are written: a tile's, or only the current one. */
static size_t slots(const tct_job *job)
{
    return job->want_rows ? job->n_passes * TCT_TILE : 1;
}

/* What an audit knows besides how people are asked. */
static tacit_status prepare_yardsticks(tct_worker *w, tacit_error *err)
{
    const tct_job *job = w->job;
    const tct_extremes *extremes = tct_plan_extremes(w->plan);
    tacit_status st = TACIT_OK;

    if (!job->options->no_opt)
        st = tct_smallest_set_new(&w->smallest_set, job->model, extremes, err);
    if (!st && !job->options->no_opt && !job->want_rows && !(job->plain & TCT_PLAIN_SMALLEST))
        st = tct_smallest_batch_new(&w->smallest, job->model, extremes, err);
    if (!st && (w->smallest || !job->options->no_needs))
        st = tct_gains_new(&w->gains, job->model, extremes, err);
    if (!st && !job->options->no_needs)
        st = tct_needs_new(&w->needs, job, job->plain & TCT_PLAIN_NEEDS ? NULL : w->gains, err);
    if (!st && job->want_rows)
        st = tct_rows_new(&w->kept, job, err);
    return st;
}

static tacit_status new_quality(tct_quality **out, const tct_job *job, tacit_error *err)
{
    const tacit_model *model = job->model;
    size_t n = model->schema->n_attributes, *counters = tct_calloc(n + 1, sizeof *counters);
    tacit_status st;

    *out = NULL;
    if (!counters)
        return tct_fail_memory(err);
    for (size_t a = 0; model->reference && a < n; a++)
        counters[a] = tct_profile_counters(&model->reference->spreads[a]);
    st = tct_quality_new(out, model->schema->n_classes, n, job->n_deltas, counters, err);
    tct_free(counters);
    return st;
}

tacit_status tct_worker_new(tct_worker **out, const tct_job *job, tacit_error *err)
{
    const tacit_model *model = job->model;
    size_t n = model->schema->n_attributes;
    tct_worker *w = tct_calloc(1, sizeof *w);
    tacit_status st;

    *out = NULL;
    if (!w)
        return tct_fail_memory(err);
    w->job = job;
    w->chains = tct_take(&w->arena, job->n_passes, sizeof *w->chains);
    w->batches = tct_take(&w->arena, job->n_passes, sizeof *w->batches);
    w->walkers = tct_take(&w->arena, job->n_passes, sizeof *w->walkers);
    w->chain_orders = tct_take(&w->arena, job->n_passes, sizeof *w->chain_orders);
    w->person = tct_take(&w->arena, model->codec->n_inputs, sizeof *w->person);
    w->scores = tct_take(&w->arena, model->classifier->n_scores, sizeof *w->scores);
    w->ends = tct_take(&w->arena, job->n_deltas * TCT_TILE, sizeof *w->ends);
    w->bins = tct_take(&w->arena, job->n_deltas * (job->n_sensitive + 1) * TCT_BINS_PER_COUNT, sizeof *w->bins);
    w->once = tct_take(&w->arena, TCT_TILE, sizeof *w->once);
    w->stops = tct_take(&w->arena, job->n_deltas, sizeof *w->stops);
    w->asked = tct_take(&w->arena, n, sizeof *w->asked);
    w->orders = tct_take(&w->arena, slots(job) * (job->n_sensitive + 1), sizeof *w->orders);
    st = tct_arena_check(&w->arena, err);
    if (!st)
        st = tct_plan_new(&w->plan, model, err);
    if (!st)
        st = tct_plan_public(w->plan, &w->start, err);
    for (size_t i = 0; i < job->n_passes && !st; i++)
        st = prepare_pass(w, i, err);
    if (!st)
        st = prepare_yardsticks(w, err);
    if (!st)
        st = new_tallies(&w->tallies, job, err);
    if (!st)
        st = tct_census_new(&w->census, job->n_sensitive, err);
    if (!st && job->opt_sampled)
        st = tct_census_count_octaves(w->census, err);
    if (!st)
        st = new_quality(&w->quality, job, err);
    if (!st && job->options->keep_people)
        st = tct_keeper_new(&w->keeper, job, w->plan, w->start, err);
    if (!st && job->groupings)
        st = tct_sorter_new(&w->sorter, job->groupings, job->n_deltas, job->n_sensitive, model->schema->n_classes, err);
    if (!st && w->sorter && !w->walks && !job->want_rows && job->n_sensitive < 64 && !(job->plain & TCT_PLAIN_GROUPS))
        st = tct_group_bins_new(&w->group_bins, job, w->sorter, err);
    if (st)
        tct_worker_free(w);
    else
        *out = w;
    return st;
}

void tct_worker_free(tct_worker *w)
{
    if (!w)
        return;
    for (size_t i = 0; i < w->job->n_passes; i++) {
        if (w->chains)
            tct_chain_free(w->chains[i]);
        if (w->batches)
            tct_batch_walk_free(w->batches[i]);
        if (w->walkers)
            tct_walker_free(w->walkers[i]);
        if (w->chain_orders)
            tct_free(w->chain_orders[i]);
    }
    tct_keeper_free(w->keeper);
    tct_group_bins_free(w->group_bins);
    tct_sorter_free(w->sorter);
    free_tallies(w->tallies, w->job->n_deltas);
    tct_census_free(w->census);
    tct_quality_free(w->quality);
    tct_smallest_set_free(w->smallest_set);
    tct_smallest_batch_free(w->smallest);
    tct_needs_free(w->needs);
    tct_gains_free(w->gains);
    tct_rows_free(w->kept);
    tct_plan_free(w->plan);
    tct_free_wiped(w->full, w->n_full * sizeof *w->full);
    tct_arena_clear(&w->arena);
    tct_free(w);
}

/* ---------------------------------------------------------------- counting */

/* The people of a tile, and where they come from. */
typedef struct tile {
    const double *x; /* input i of person p at x[i * stride + p] */
    size_t stride, n;
    uint8_t *full; /* labels with everything known */
    const int32_t *labels;
    const size_t *groups; /* n_groupings per person */
    size_t n_groupings;   /* 0 without */
    const uint64_t *rows;
    tct_text *rows_out;
} tile;

static tct_folk folk_of(const tile *t)
{
    return (tct_folk){t->x, t->stride, t->n, t->full};
}

/* Must everybody be told apart? */
static bool singly(const tct_worker *w, const tile *t)
{
    return (t->groups && !w->binned) || w->job->want_rows || w->walks || w->job->plain & TCT_PLAIN_NEEDS;
}

static tacit_status count_outcome(tct_worker *w, const tile *t, size_t p, size_t delta_index, tct_outcome *o,
                                  tacit_error *err)
{
    tct_folk folk = folk_of(t);
    tacit_status st = w->needs ? tct_needs_outcome(w->needs, &folk, p, o, err) : TACIT_OK;

    if (st)
        return st;
    o->full_label = t->full[p];
    o->truth = t->labels ? t->labels[p] : -1;
    o->exact = !(w->job->options->deltas[delta_index] > 0);
    tct_tally_add(w->tallies[delta_index], o);
    for (size_t g = 0; g < t->n_groupings; g++)
        tct_sorter_count(w->sorter, g, t->groups[p * t->n_groupings + g], delta_index, o);
    if (w->kept)
        tct_rows_keep(w->kept, p, delta_index, o);
    return TACIT_OK;
}

static void gather(tct_worker *w, const tile *t, size_t p)
{
    for (size_t i = 0; i < w->job->model->codec->n_inputs; i++)
        w->person[i] = t->x[i * t->stride + p];
}

/* Remember what became of person p, if somebody wants to know.  probability: NaN where it is not at hand. */
static tacit_status keep_person(tct_worker *w, const tile *t, size_t p, size_t delta_index, const tct_outcome *o,
                                double probability, tacit_error *err)
{
    return !w->keeper ? TACIT_OK
                      : tct_keeper_note(w->keeper, (size_t)(t->full - w->full) + p, t->x + p, t->stride, t->full[p],
                                        delta_index, o, probability, err);
}

static void label_tile(tct_worker *w, const tile *t)
{
    const tct_classifier *classifier = w->job->model->classifier;
    const tct_linear *linear = tct_additive(classifier);

    if (linear && classifier->n_scores == 1) {
        tct_chain_labels(linear, t->x, t->stride, t->n, t->full);
        return;
    }
    for (size_t p = 0; p < t->n; p++) {
        gather(w, t, p);
        classifier->ops->scores(classifier, w->person, 1, w->scores);
        t->full[p] = (uint8_t)tct_label(w->scores, classifier->n_scores);
    }
}

/* Outcome i of person r of a chain. */
static tct_outcome outcome_of(const tct_worker *w, size_t pass, size_t i, size_t r)
{
    return (tct_outcome){.end = w->once[r] ? tct_ending_of(0, w->once[r]) : w->ends[i * TCT_TILE + r],
                         .order = w->chain_orders[pass]};
}

/* Everybody of a tile one by one: each must be told apart. */
static tacit_status count_ends(tct_worker *w, const tile *t, size_t pass, tacit_error *err)
{
    const tct_pass *p = &w->job->passes[pass];
    tacit_status st = TACIT_OK;

    for (size_t r = 0; r < t->n; r++)
        for (size_t i = 0; i < p->n_promises && !st; i++) {
            tct_outcome o = outcome_of(w, pass, i, r);

            st = count_outcome(w, t, r, p->delta_index[i], &o, err);
        }
    return st;
}

static inline size_t sort_of(const tile *t, size_t p)
{
    return tct_sort(t->full[p], t->labels ? t->labels[p] : -1);
}

/* Everybody of a tile: those who are through at once by kind, the others one by one. */
static tacit_status count_bins(tct_worker *w, const tile *t, size_t pass, tacit_error *err)
{
    const tct_pass *p = &w->job->passes[pass];
    uint32_t counts[2][TCT_ENDINGS_PACKED * TCT_SORTS] = {{0}}; /* in turns: none waits for the one before */
    uint8_t sorts[TCT_TILE];
    uint16_t rest[TCT_TILE];
    size_t left = 0;
    tct_folk folk = folk_of(t);

    for (size_t r = 0; r < t->n; r++) {
        sorts[left] = (uint8_t)sort_of(t, r);
        counts[r % 2][w->once[r] * TCT_SORTS + sorts[left]]++;
        rest[left] = (uint16_t)r;
        left += w->once[r] == 0;
    }
    for (size_t i = 0; i < p->n_promises; i++) {
        uint32_t *bins = w->bins + p->delta_index[i] * (w->job->n_sensitive + 1) * TCT_BINS_PER_COUNT;

        for (size_t c = TCT_SORTS; c < TCT_ENDINGS_PACKED * TCT_SORTS; c++)
            bins[tct_bin(tct_ending_of(0, (uint8_t)(c / TCT_SORTS)), c % TCT_SORTS)] += counts[0][c] + counts[1][c];
        for (size_t k = 0; k < left; k++)
            bins[tct_bin(w->ends[i * TCT_TILE + rest[k]], sorts[k])]++;
    }
    tct_wipe(sorts, sizeof sorts);
    if (w->binned)
        tct_group_bins_chain(w->group_bins, (size_t)(t->full - w->full), t->n, w->once, w->ends, pass);
    if (!w->needs)
        return TACIT_OK;
    return tct_needs_chain(w->needs, &folk, rest, left, w->ends, p, w->chain_orders[pass], w->tallies, err);
}

static tacit_status chain_tile(tct_worker *w, const tile *t, size_t pass, tacit_error *err)
{
    const tct_pass *p = &w->job->passes[pass];
    tacit_status st = TACIT_OK;

    tct_chain_rest(w->chains[pass], t->x, t->stride, t->n, t->full, w->once, w->ends);
    for (size_t r = 0; w->keeper && r < t->n && !st; r++)
        for (size_t i = 0; i < p->n_promises && !st; i++) {
            tct_outcome o = outcome_of(w, pass, i, r);

            st = keep_person(w, t, r, p->delta_index[i], &o, NAN, err);
        }
    if (st)
        return st;
    return singly(w, t) ? count_ends(w, t, pass, err) : count_bins(w, t, pass, err);
}

/* Chain outcomes from their bins into the tallies. */
static void empty_bins(tct_worker *w)
{
    for (size_t pass = 0; pass < w->job->n_passes; pass++) {
        const tct_pass *p = &w->job->passes[pass];

        for (size_t i = 0; w->chains[pass] && i < p->n_promises; i++)
            tct_tally_add_bins(w->tallies[p->delta_index[i]],
                               w->bins + p->delta_index[i] * (w->job->n_sensitive + 1) * TCT_BINS_PER_COUNT,
                               w->chain_orders[pass], !(w->job->options->deltas[p->delta_index[i]] > 0));
    }
}

/* A pass of people who settle by proof. */
typedef struct batch_run {
    tct_worker *worker;
    const tile *tile;
    size_t pass;
    tacit_status st; /* of the first that failed */
    tacit_error *err;
} batch_run;

/* Count people of whom one promise was kept in the same way: together, or one by one where each must be told apart. */
static void count_party(void *context, const tct_party *party)
{
    batch_run *s = context;
    tct_worker *w = s->worker;
    const tile *t = s->tile;
    size_t delta_index = w->job->passes[s->pass].delta_index[party->promise], *order = w->asked;
    bool one_by_one = singly(w, t);
    uint64_t counts[TCT_SORTS] = {0};
    tct_outcome o = {.end = party->end};

    if (w->needs && !one_by_one)
        tct_needs_note(w->needs, party, delta_index);
    for (size_t i = 0; i < party->end.asked; i++)
        order[i] = w->job->position[party->order[i]];
    o.order = order;
    for (size_t k = 0; w->keeper && k < party->n && !s->st; k++)
        s->st = keep_person(w, t, party->people[k], delta_index, &o, NAN, s->err);
    for (size_t k = 0; k < party->n && !s->st; k++) {
        uint32_t p = party->people[k];

        if (one_by_one) {
            o.order = memcpy(w->orders + (w->job->want_rows ? s->pass * TCT_TILE + p : 0) * w->job->n_sensitive, order,
                             party->end.asked * sizeof *order);
            s->st = count_outcome(w, t, p, delta_index, &o, s->err);
        } else {
            counts[sort_of(t, p)]++;
        }
    }
    if (w->binned)
        tct_group_bins_party(w->group_bins, party, order, delta_index);
    for (size_t i = 0; i < TCT_SORTS; i++) {
        o = tct_bin_outcome(tct_bin(party->end, i));
        o.order = order;
        o.exact = !(w->job->options->deltas[delta_index] > 0);
        if (counts[i])
            tct_tally_add_many(w->tallies[delta_index], &o, counts[i]);
    }
}

static tacit_status batch_tile(tct_worker *w, const tile *t, size_t pass, tacit_error *err)
{
    batch_run s = {.worker = w, .tile = t, .pass = pass, .err = err};
    tacit_status st = tct_batch_walk_run(w->batches[pass], t->x, t->stride, t->n, t->full, count_party, &s, NULL, err);

    return s.st ? s.st : st;
}

/* The plain path: everybody, one after the other. */
static tacit_status walk_tile(tct_worker *w, const tile *t, size_t pass, tacit_error *err)
{
    const tct_pass *p = &w->job->passes[pass];

    for (size_t r = 0; r < t->n; r++) {
        size_t slot = w->job->want_rows ? pass * TCT_TILE + r : 0, most = 0;
        size_t *order = w->orders + slot * w->job->n_sensitive;
        tacit_status st;

        gather(w, t, r);
        st = tct_walker_run(w->walkers[pass], w->start, w->person, NULL, p->promises, p->n_promises, w->stops, w->asked,
                            err);
        tct_walker_next_person(w->walkers[pass]);
        if (!st && w->job->tick && r % 4 == 3)
            st = w->job->tick(w->job->tick_context, err);
        if (st)
            return st;
        for (size_t i = 0; i < p->n_promises; i++)
            most = w->stops[i].end.asked > most ? w->stops[i].end.asked : most;
        for (size_t i = 0; i < most; i++)
            order[i] = w->job->position[w->asked[i]];
        for (size_t i = 0; i < p->n_promises; i++) {
            tct_outcome o = {.end = w->stops[i].end, .order = order};

            st = keep_person(w, t, r, p->delta_index[i], &o, w->stops[i].probability, err);
            if (!st)
                st = count_outcome(w, t, r, p->delta_index[i], &o, err);
            if (st)
                return st;
        }
    }
    return TACIT_OK;
}

static tacit_status count_opt(tct_worker *w, const tile *t, tacit_error *err)
{
    tct_opt_counts *c = &w->census->opt;
    uint64_t people = w->job->people ? atomic_load(w->job->people) : w->census->people;

    if (w->smallest) {
        tct_smallest_batch_count(w->smallest, w->gains, t->n, t->full, c->histogram, c->members);
        return TACIT_OK;
    }
    for (size_t p = 0; p < t->n; p++) {
        size_t n;
        bool exact, cheapest = true;
        tacit_status st;

        if (w->kept)
            w->kept->smallest[p] = SIZE_MAX;
        gather(w, t, p);
        c = tct_census_opt_of(w->census, people, w->job->opt_share, t->rows ? t->rows + p : NULL, w->person,
                              w->job->model->codec->n_inputs);
        if (!c)
            continue;
        st = tct_smallest_set_find(w->smallest_set, w->person, false, w->asked, &n, &exact, err);
        if (st)
            return st;
        c->histogram[n]++;
        c->slack += exact ? 0 : n - (size_t)fmin(tct_smallest_set_least(w->smallest_set), (double)n);
        if (w->kept)
            w->kept->smallest[p] = n;
        if (!w->job->equal_costs)
            st = tct_smallest_set_find(w->smallest_set, w->person, true, w->asked, &n, &cheapest, err);
        c->inexact += !exact || !cheapest;
        if (!st && w->job->tick && p % 4 == 3)
            st = w->job->tick(w->job->tick_context, err);
        if (st)
            return st;
        for (size_t i = 0; i < n; i++)
            c->members[w->job->position[w->asked[i]]]++;
    }
    return TACIT_OK;
}

/* What people could have kept, many at a time.  Those who settle have been through. */
static tacit_status count_needs(tct_worker *w, const tile *t, tacit_error *err)
{
    tct_folk folk = folk_of(t);
    tacit_status st = tct_needs_count(w->needs, &folk, w->tallies, err);

    for (size_t pass = 0; pass < w->job->n_passes; pass++) {
        const tct_pass *p = &w->job->passes[pass];

        for (size_t i = 0; w->batches[pass] && i < p->n_promises && !st; i++)
            st = tct_needs_noted(w->needs, &folk, p->delta_index[i], w->tallies[p->delta_index[i]], err);
    }
    return st;
}

static tacit_status count_tile(tct_worker *w, const tile *t, tacit_error *err)
{
    bool together = w->gains && !singly(w, t);
    tacit_status st = TACIT_OK;

    w->census->people += t->n;
    if (together || w->smallest)
        tct_gains_fill(w->gains, t->x, t->stride, t->n, t->full);
    if (together && w->needs)
        st = count_needs(w, t, err);
    for (size_t pass = 0; pass < w->job->n_passes && !st; pass++) {
        if (w->chains[pass])
            st = chain_tile(w, t, pass, err);
        else if (!w->batches[pass])
            st = walk_tile(w, t, pass, err);
        else if (w->job->want_rows) /* else the whole block at once, before */
            st = batch_tile(w, t, pass, err);
    }
    if (!st && w->smallest_set)
        st = count_opt(w, t, err);
    if (!st && w->job->want_rows)
        for (size_t p = 0; p < t->n; p++)
            tct_rows_write(w->kept, p, t->rows[p], w->sorter, t->groups ? t->groups + p * t->n_groupings : NULL,
                           t->rows_out);
    if (!st && w->job->want_rows && t->rows_out->failed)
        st = tct_fail_memory(err);
    return st;
}

/* Room for the labels of n people. */
static tacit_status make_room(tct_worker *w, size_t n, tacit_error *err)
{
    if (n <= w->n_full)
        return TACIT_OK;
    tct_free_wiped(w->full, w->n_full * sizeof *w->full);
    w->full = tct_malloc(n, sizeof *w->full);
    w->n_full = w->full ? n : 0;
    return w->full ? TACIT_OK : tct_fail_memory(err);
}

/* At most `most` people of a block, beginning with `from`. */
static tile cut_tile(const tile *block, size_t from, size_t most)
{
    tile t = *block;

    t.x += from;
    t.n = block->n - from < most ? block->n - from : most;
    t.full += from;
    t.labels = block->labels ? block->labels + from : NULL;
    t.groups = block->groups ? block->groups + from * block->n_groupings : NULL;
    t.rows = block->rows ? block->rows + from : NULL;
    return t;
}

/* What is made of sums in the end. */
static void finish_needs(tct_worker *w)
{
    for (size_t pass = 0; pass < w->job->n_passes; pass++)
        for (size_t i = 0; w->batches[pass] && i < w->job->passes[pass].n_promises; i++) {
            size_t delta_index = w->job->passes[pass].delta_index[i];

            tct_needs_finish(w->needs, delta_index, w->tallies[delta_index]);
            for (size_t g = 0; w->binned && g < w->job->groupings->n; g++)
                for (size_t k = 0; k < w->sorter->groups[g].tuples.n; k++)
                    tct_needs_finish(w->needs, delta_index, w->sorter->groups[g].list[k].tallies[delta_index]);
        }
}

tacit_status tct_worker_count(tct_worker *w, const double *x, size_t n, const int32_t *labels, const size_t *groups,
                              const uint64_t *rows, tct_text *rows_out, tacit_error *err)
{
    tacit_status st = make_room(w, n, err);
    tile block = {.x = x,
                  .stride = n,
                  .n = n,
                  .full = w->full,
                  .labels = labels,
                  .groups = groups,
                  .n_groupings = groups ? w->job->groupings->n : 0,
                  .rows = rows,
                  .rows_out = rows_out};
    tct_folk folk = folk_of(&block);

    if (w->job->people)
        atomic_fetch_add(w->job->people, n);
    for (size_t at = 0; at < n && !st; at += TCT_TILE) {
        tile t = cut_tile(&block, at, TCT_TILE);

        label_tile(w, &t);
        tct_quality_profile(w->quality, w->job->model->reference, w->job->model->codec, t.x, t.stride, t.n);
    }
    w->binned = false;
    if (!st && w->group_bins && groups)
        st = tct_group_bins_block(w->group_bins, groups, w->full, labels, n, &w->binned, err);
    if (!st && w->needs)
        st = tct_needs_block(w->needs, &folk, w->binned ? w->group_bins : NULL, err);
    for (size_t pass = 0; pass < w->job->n_passes && !st && n > 0; pass++)
        if (w->batches[pass] && !w->job->want_rows)
            st = batch_tile(w, &block, pass, err);
    for (size_t at = 0; at < n && !st; at += TCT_TILE) {
        tile t = cut_tile(&block, at, TCT_TILE);

        st = count_tile(w, &t, err);
    }
    if (st) /* nobody asks what was counted */
        return st;
    empty_bins(w);
    if (w->binned)
        tct_group_bins_empty(w->group_bins, w->chain_orders);
    if (w->needs && !singly(w, &block))
        finish_needs(w);
    tct_quality_decisions(w->quality, w->full, labels, n);
    tct_quality_outcomes(w->quality, &w->census->labelled, &w->census->baseline_correct);
    return st;
}

struct tct_keeper *tct_worker_keeper(tct_worker *w)
{
    return w->keeper;
}

tct_census *tct_worker_census(tct_worker *w)
{
    return w->census;
}

const uint8_t *tct_worker_decided(const tct_worker *w)
{
    return w->full;
}

tct_quality *tct_worker_quality(tct_worker *w)
{
    return w->quality;
}

tct_tally *tct_worker_tally(tct_worker *w, size_t delta_index)
{
    return w->tallies[delta_index];
}

tct_sorter *tct_worker_sorter(tct_worker *w)
{
    return w->sorter;
}
