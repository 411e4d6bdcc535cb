/*
 * Counts of an audit, added up, and the figures that follow from them.
 */
#include <math.h>
#include <string.h>

#include "audit.h"
#include "auditor.h"
#include "promise.h"
#include "gain.h"
#include "num.h"

/* ---------------------------------------------------------------- counts */

tacit_status tct_audit_new(tacit_audit **out, size_t n_sensitive, size_t n_results, tacit_error *err)
{
    tacit_audit *a = tct_calloc(1, sizeof *a);
    tacit_status st = TACIT_OK;

    *out = NULL;
    if (!a)
        return tct_fail_memory(err);
    a->summary.n_sensitive = n_sensitive;
    a->summary.n_results = n_results;
    a->summary.data_hash = a->data_hash;
    a->sensitive = tct_calloc(n_sensitive + 1, sizeof *a->sensitive);
    a->names = tct_calloc(n_sensitive + 1, sizeof *a->names);
    a->questions = tct_calloc(n_sensitive + 1, sizeof *a->questions);
    a->costs = tct_calloc(n_sensitive + 1, sizeof *a->costs);
    a->results = tct_calloc(n_results, sizeof *a->results);
    a->tallies = tct_calloc(n_results, sizeof *a->tallies);
    if (!a->sensitive || !a->names || !a->questions || !a->costs || !a->results || !a->tallies)
        st = tct_fail_memory(err);
    if (!st)
        st = tct_census_new(&a->census, n_sensitive, err);
    for (size_t i = 0; i < n_results && !st; i++)
        st = tct_tally_new(&a->tallies[i], n_sensitive, err);
    if (st)
        tacit_audit_free(a);
    else
        *out = a;
    return st;
}

/* Room for one more group. */
static tacit_status grow_groups(tacit_audit *a, tacit_error *err)
{
    size_t room = a->groups_room ? 2 * a->groups_room : 16, n = a->summary.n_results;
    char **groups;
    tct_tally **tallies;

    if (a->summary.n_groups < a->groups_room)
        return TACIT_OK;
    groups = tct_realloc(a->groups, room, sizeof *groups);
    if (!groups)
        return tct_fail_memory(err);
    a->groups = groups;
    tallies = tct_realloc(a->group_tallies, room * n, sizeof(tct_tally *));
    if (!tallies)
        return tct_fail_memory(err);
    a->group_tallies = tallies;
    a->groups_room = room;
    return TACIT_OK;
}

/* A new group at place `at`. */
static tacit_status insert_group(tacit_audit *a, const char *name, size_t at, tacit_error *err)
{
    size_t n = a->summary.n_results, behind = a->summary.n_groups - at, made = 0;
    tct_tally **tallies;
    tacit_status st = grow_groups(a, err);
    char *copy = st ? NULL : tct_strdup(name);

    if (!st && !copy)
        st = tct_fail_memory(err);
    if (st)
        return st;
    tallies = a->group_tallies + at * n;
    memmove(a->groups + at + 1, a->groups + at, behind * sizeof *a->groups);
    memmove(tallies + n, tallies, behind * n * sizeof(tct_tally *));
    for (; made < n && !st; made++)
        st = tct_tally_new(&tallies[made], a->summary.n_sensitive, err);
    if (st) {
        while (made > 0)
            tct_tally_free(tallies[--made]);
        memmove(a->groups + at, a->groups + at + 1, behind * sizeof *a->groups);
        memmove(tallies, tallies + n, behind * n * sizeof(tct_tally *));
        tct_free_wiped(copy, strlen(copy));
        return st;
    }
    a->groups[at] = copy;
    a->summary.n_groups++;
    return TACIT_OK;
}

tacit_status tct_audit_group(tacit_audit *a, const char *name, tct_tally ***tallies, tacit_error *err)
{
    size_t low = 0, high = a->summary.n_groups;
    tacit_status st = TACIT_OK;

    while (low < high) { /* the first that is not before it */
        size_t middle = low + (high - low) / 2;

        if (strcmp(a->groups[middle], name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == a->summary.n_groups || strcmp(a->groups[low], name) != 0) {
        if (a->summary.n_groups == TCT_MAX_GROUPS)
            return tct_fail(err, TACIT_E_INPUT, "the group column has more than %d different values", TCT_MAX_GROUPS);
        st = insert_group(a, name, low, err);
    }
    *tallies = st ? NULL : a->group_tallies + low * a->summary.n_results;
    return st;
}

tacit_status tct_audit_add_source(tacit_audit *a, const char *hash, const char *name, uint64_t people, tacit_error *err)
{
    tct_source *more = tct_realloc(a->sources, a->n_sources + 1, sizeof *more);
    char *copy = NULL;

    if (!more)
        return tct_fail_memory(err);
    a->sources = more;
    if (name && !(copy = tct_strdup(name)))
        return tct_fail_memory(err);
    more[a->n_sources] = (tct_source){.people = people, .name = copy};
    memcpy(more[a->n_sources++].hash, hash, sizeof more->hash);
    return TACIT_OK;
}

tacit_status tct_audit_absorb(tacit_audit *into, const tacit_audit *from, tacit_error *err)
{
    size_t n = into->summary.n_results;
    tacit_status st = TACIT_OK;

    tct_census_merge(into->census, from->census);
    tct_quality_merge(into->quality, from->quality);
    for (size_t i = 0; i < n; i++)
        tct_tally_merge(into->tallies[i], from->tallies[i]);
    for (size_t g = 0; g < from->summary.n_groups && !st; g++) {
        tct_tally **tallies;

        st = tct_audit_group(into, from->groups[g], &tallies, err);
        for (size_t i = 0; i < n && !st; i++)
            tct_tally_merge(tallies[i], from->group_tallies[g * n + i]);
    }
    for (size_t i = 0; i < from->n_sources && !st; i++)
        st = tct_audit_add_source(into, from->sources[i].hash, from->sources[i].name, from->sources[i].people, err);
    return st;
}

/* ---------------------------------------------------------------- figures */

/* promise: what a result says before anybody was counted. */
static void fill_result(tacit_audit_result *out, const tct_tally *t, const tacit_audit *a,
                        const tacit_audit_result *promise)
{
    double people = (double)t->people;

    *out = (tacit_audit_result){.delta = promise->delta,
                                .rule = promise->rule,
                                .calibrated = promise->calibrated,
                                .confidence = promise->confidence,
                                .people = t->people,
                                .histogram = t->histogram,
                                .asked = t->asked,
                                .certain = t->certain,
                                .likely = t->likely,
                                .all_revealed = t->all_revealed,
                                .agree = t->agree,
                                .correct = t->correct,
                                .stopped = t->stopped,
                                .failed = t->failed};
    for (size_t k = 1; k <= t->n_sensitive; k++)
        out->total_asked += k * t->histogram[k];
    for (size_t i = 0; i < t->n_sensitive; i++)
        out->mean_cost += (double)t->asked[i] * a->costs[i];
    out->mean_asked = (double)out->total_asked / people;
    out->mean_cost /= people;
    out->share_asked = t->n_sensitive ? out->mean_asked / (double)t->n_sensitive : 0;
    out->none_asked = (double)t->histogram[0] / people;
    out->fidelity = (double)t->agree / people;
    out->accuracy = t->labelled ? (double)t->correct / (double)t->labelled : NAN;
    tct_judge_promise(out);
}

/* Which groups may be described.  Small ones may not; and if those hidden have, together, fewer people than a group
 * must have, the smallest of the others is hidden too: what is hidden is the total less what is shown. */
static tacit_status choose_groups(tacit_audit *a, tacit_error *err)
{
    size_t n = a->summary.n_groups, hidden_groups = 0;
    uint64_t hidden = 0;

    a->shown = tct_calloc(n + 1, sizeof *a->shown);
    if (!a->shown)
        return tct_fail_memory(err);
    for (size_t g = 0; g < n; g++) {
        uint64_t people = a->group_tallies[g * a->summary.n_results]->people;

        a->shown[g] = people >= TCT_SMALL_GROUP;
        hidden += a->shown[g] ? 0 : people;
        hidden_groups += !a->shown[g];
    }
    while (hidden_groups > 0 && hidden < TCT_SMALL_GROUP) {
        size_t smallest = TACIT_NONE;

        for (size_t g = 0; g < n; g++)
            if (a->shown[g] &&
                (smallest == TACIT_NONE || a->group_tallies[g * a->summary.n_results]->people <
                                               a->group_tallies[smallest * a->summary.n_results]->people))
                smallest = g;
        if (smallest == TACIT_NONE)
            break;
        a->shown[smallest] = false;
        hidden += a->group_tallies[smallest * a->summary.n_results]->people;
    }
    return TACIT_OK;
}

static void fill_summary(tacit_audit *a)
{
    tacit_audit_summary *s = &a->summary;
    const tct_census *c = a->census;
    uint64_t total = 0;

    s->people = c->people;
    s->labelled = c->labelled;
    s->sensitive = a->sensitive;
    s->baseline_correct = c->baseline_correct;
    s->baseline_accuracy = c->labelled ? (double)c->baseline_correct / (double)c->labelled : NAN;
    s->has_opt = !a->no_opt;
    s->opt_histogram = c->opt_histogram;
    s->opt_inexact = c->opt_inexact;
    s->clipped = c->cells.clipped;
    s->missing = c->cells.missing;
    s->unknown = c->cells.unknown;
    for (size_t k = 1; k <= s->n_sensitive; k++)
        total += k * c->opt_histogram[k];
    s->opt_mean_asked = s->has_opt ? (double)total / (double)c->people : NAN;
    s->opt_mean_cost = 0;
    for (size_t i = 0; i < s->n_sensitive; i++)
        s->opt_mean_cost += (double)c->opt_members[i] * a->costs[i];
    s->opt_mean_cost = s->has_opt ? s->opt_mean_cost / (double)c->people : NAN;
}

/* What is decided, and how good that is. */
static void fill_decisions(tacit_audit *a)
{
    tacit_audit_summary *s = &a->summary;
    tct_quality *q = a->quality;

    tct_quality_finish(q);
    s->n_classes = q->n_classes;
    s->n_public = q->n_attributes - s->n_sensitive;
    s->decided = q->decided;
    s->truth = q->truth;
    s->confusion = q->confusion + q->n_classes;
    tct_baseline_of(&s->baseline, s->confusion, q->n_classes);
}

/* Are people counted whom the model was calibrated with?  Those it was trained on it never is. */
static bool counts_calibration(const tacit_audit *a)
{
    for (size_t i = 0; i < a->n_sources && *a->calibration.hash && a->part != TACIT_PART_TRAIN; i++)
        if (strcmp(a->sources[i].hash, a->calibration.hash) == 0)
            return true;
    return false;
}

tacit_status tct_audit_finish(tacit_audit *a, const char *file, tacit_error *err)
{
    size_t n = a->summary.n_results, n_groups = a->summary.n_groups;
    tacit_status st;

    if (a->census->people == 0)
        return tct_fail_at(err, TACIT_E_INPUT, file, 0, NULL, "no people to audit");
    a->group_results = tct_calloc(n_groups * n + 1, sizeof *a->group_results);
    if (!a->group_results)
        return tct_fail_memory(err);
    st = choose_groups(a, err);
    if (st)
        return st;
    fill_summary(a);
    fill_decisions(a);
    for (size_t i = 0; i < n; i++) {
        tacit_audit_result promise = a->results[i];

        fill_result(&a->results[i], a->tallies[i], a, &promise);
        for (size_t g = 0; g < n_groups; g++)
            fill_result(&a->group_results[g * n + i], a->group_tallies[g * n + i], a, &promise);
    }
    a->summary.calibrated_with = counts_calibration(a);
    if (a->n_sources == 1)
        memcpy(a->data_hash, a->sources[0].hash, sizeof a->data_hash);
    return TACIT_OK;
}

/* ---------------------------------------------------------------- public */

void tacit_audit_free(tacit_audit *a)
{
    if (!a)
        return;
    for (size_t i = 0; a->tallies && i < a->summary.n_results; i++)
        tct_tally_free(a->tallies[i]);
    for (size_t i = 0; i < a->summary.n_groups * a->summary.n_results; i++)
        tct_tally_free(a->group_tallies[i]);
    for (size_t g = 0; g < a->summary.n_groups; g++)
        tct_free_wiped(a->groups[g], strlen(a->groups[g]));
    for (size_t i = 0; a->names && i < a->summary.n_sensitive; i++)
        tct_free(a->names[i]);
    for (size_t i = 0; a->questions && i < a->summary.n_sensitive; i++)
        tct_free(a->questions[i]);
    for (size_t i = 0; i < a->n_sources; i++)
        tct_free(a->sources[i].name);
    tct_free(a->groups);
    tct_free(a->tallies);
    tct_free(a->group_tallies);
    tct_free(a->results);
    tct_free(a->group_results);
    tct_free(a->sensitive);
    tct_free(a->names);
    tct_free(a->questions);
    tct_free(a->costs);
    tct_free(a->group_column);
    tct_free(a->sources);
    tct_free(a->shown);
    tct_census_free(a->census);
    tct_quality_free(a->quality);
    json_decref(a->describe);
    tct_free(a);
}

const tacit_audit_summary *tacit_audit_summary_get(const tacit_audit *a)
{
    return &a->summary;
}

const tacit_audit_result *tacit_audit_result_get(const tacit_audit *a, size_t delta_index)
{
    return delta_index < a->summary.n_results ? &a->results[delta_index] : NULL;
}

const char *tacit_audit_group_name(const tacit_audit *a, size_t g)
{
    return g < a->summary.n_groups ? a->groups[g] : NULL;
}

bool tacit_audit_group_shown(const tacit_audit *a, size_t g)
{
    return g < a->summary.n_groups && a->shown[g];
}

const tacit_audit_result *tacit_audit_group_result(const tacit_audit *a, size_t g, size_t delta_index)
{
    if (g >= a->summary.n_groups || delta_index >= a->summary.n_results)
        return NULL;
    return &a->group_results[g * a->summary.n_results + delta_index];
}

const char *tacit_audit_sensitive_name(const tacit_audit *a, size_t i)
{
    return i < a->summary.n_sensitive ? a->names[i] : NULL;
}

const char *tacit_audit_group_column(const tacit_audit *a)
{
    return a->group_column;
}
