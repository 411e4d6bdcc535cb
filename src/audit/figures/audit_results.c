/*
 * Counts of an audit, added up, and the figures that follow from them.
 */
#include <math.h>
#include <string.h>

#include "audit.h"
#include "breakdown.h"
#include "describe.h"
#include "person_results.h"
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

tacit_status tct_audit_set_groupings(tacit_audit *a, tct_groupings *groupings, tacit_error *err)
{
    a->groupings = groupings;
    a->n_classes = tct_describe_classes(a->describe);
    a->classes = tct_calloc(a->n_classes + 1, sizeof *a->classes);
    if (!a->classes)
        return tct_fail_memory(err);
    for (size_t c = 0; c < a->n_classes; c++)
        a->classes[c] = tct_describe_name(tct_describe_class(a->describe, c));
    return tct_sorter_new(&a->sorter, groupings, a->summary.n_results, a->summary.n_sensitive, a->n_classes, err);
}

const char *tct_source_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : tct_file_name(path);
}

tacit_status tct_audit_add_source(tacit_audit *a, const char *hash, const char *name, uint64_t people, tacit_error *err)
{
    tct_audit_file *more = tct_realloc(a->sources, a->n_sources + 1, sizeof *more);
    char *copy = NULL;

    if (!more)
        return tct_fail_memory(err);
    a->sources = more;
    if (name && !(copy = tct_strdup(name)))
        return tct_fail_memory(err);
    more[a->n_sources] = (tct_audit_file){.people = people, .name = copy};
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
    if (from->sorter)
        st = tct_sorter_merge(into->sorter, from->sorter, err);
    for (size_t i = 0; i < from->n_sources && !st; i++)
        st = tct_audit_add_source(into, from->sources[i].hash, from->sources[i].name, from->sources[i].people, err);
    return st;
}

/* ---------------------------------------------------------------- figures */

/* Hide the label with the most people of those told: the figures of all are nearly its own.  There need not be one. */
static void hide_largest(uint64_t *told, size_t n)
{
    size_t largest = n;

    for (size_t c = 0; c < n; c++)
        if (told[c] > 0 && told[c] != TACIT_NOT_TOLD && (largest == n || told[c] > told[largest]))
            largest = c;
    if (largest < n)
        told[largest] = TACIT_NOT_TOLD;
}

/* Counts by label as they may be told.  Of labels that nobody has nothing is learnt; small ones are hidden, and another one where
 * they are a handful together, who would be left of all when those told are taken away.  None are told when no people would be left to tell of.
 * Nor where some are hidden beside groups: these may go by the label, or nearly, and those told of one kind, taken off those of
 * the other, would leave the hidden ones.
 * Nor at delta = 0: nothing fails there, so they would only tell, taken off those at another delta, of the few who are stopped
 * at one and not at the other. */
static void tell_labels(tacit_audit_result *out, const tct_tally *t, bool beside_groups, double delta)
{
    size_t n = t->n_labels, people = 0;
    uint64_t hidden = 0, *stopped = t->labels_told, *failed;

    if (n == 0 || !(delta > 0))
        return;
    failed = stopped + n;
    memcpy(stopped, t->label_stopped, n * sizeof *stopped);
    for (size_t c = 0; c < n; c++)
        if (stopped[c] > 0 && stopped[c] < TCT_SMALL_GROUP) {
            hidden += stopped[c];
            stopped[c] = TACIT_NOT_TOLD;
        }
    if (hidden > 0 && beside_groups)
        return;
    if (hidden > 0 && hidden < TCT_SMALL_GROUP)
        hide_largest(stopped, n);
    for (size_t c = 0; c < n; c++) {
        people += stopped[c] > 0 && stopped[c] != TACIT_NOT_TOLD;
        failed[c] = stopped[c] == TACIT_NOT_TOLD ? TACIT_NOT_TOLD : t->label_failed[c];
    }
    if (people == 0 && t->stopped > 0)
        return;
    out->label_stopped = stopped;
    out->label_failed = failed;
}

void tct_audit_fill(tacit_audit_result *out, const tct_tally *t, const tacit_audit *a,
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
                                .failed = t->failed,
                                .indispensable = t->indispensable,
                                .undecided = t->undecided,
                                .spare = t->spare,
                                .others = t->others,
                                .spare_people = t->spare_people,
                                .fidelity_unclipped = NAN};
    for (size_t k = 1; k <= t->n_sensitive; k++)
        out->total_asked += k * t->histogram[k];
    for (size_t i = 0; i < t->n_sensitive; i++) {
        out->mean_cost += (double)t->asked[i] * a->costs[i];
        out->spare_answers += t->spare[i];
    }
    out->mean_asked = (double)out->total_asked / people;
    out->mean_cost /= people;
    out->share_asked = t->n_sensitive ? out->mean_asked / (double)t->n_sensitive : 0;
    out->none_asked = (double)t->histogram[0] / people;
    out->fidelity = (double)t->agree / people;
    out->accuracy = t->labelled ? (double)t->correct / (double)t->labelled : NAN;
    tell_labels(out, t, a->groupings != NULL, promise->delta);
    tct_judge_promise(out);
}

double tct_audit_opt_share(const tacit_audit *a)
{
    return a->census->octaves ? ldexp(1, -(int)tct_opt_level(a->census->people)) : a->opt_share;
}

static void fill_summary(tacit_audit *a)
{
    tacit_audit_summary *s = &a->summary;
    const tct_census *c = a->census;
    uint64_t total = 0, squares = 0, n = 0;
    double mean, variance;

    s->people = c->people;
    s->labelled = c->labelled;
    s->sensitive = a->sensitive;
    s->baseline_correct = c->baseline_correct;
    s->baseline_accuracy = c->labelled ? (double)c->baseline_correct / (double)c->labelled : NAN;
    s->has_needs = !a->no_needs;
    s->needs_undecided = a->needs_undecided;
    s->opt_histogram = c->opt.histogram;
    s->opt_inexact = c->opt.inexact;
    s->clipped = c->cells.clipped;
    s->missing = c->cells.missing;
    s->unknown = c->cells.unknown;
    s->skipped = c->skipped;
    for (size_t k = 0; k <= s->n_sensitive; k++) {
        n += c->opt.histogram[k];
        total += k * c->opt.histogram[k];
        squares += k * k * c->opt.histogram[k];
    }
    s->has_opt = !a->no_opt && (n >= TCT_SMALL_GROUP || tct_audit_opt_share(a) == 1); /* a sample may be a handful */
    s->opt_people = n;
    mean = (double)total / (double)n;
    variance = ((double)squares - (double)n * mean * mean) / ((double)n - 1);
    s->opt_error = n == c->people ? 0 : sqrt(fmax(variance, 0) / (double)n * (1 - (double)n / (double)c->people));
    s->opt_mean_asked = s->has_opt ? mean : NAN;
    s->opt_mean_least = s->has_opt ? (double)(total - c->opt.slack) / (double)n : NAN;
    s->opt_mean_cost = 0;
    for (size_t i = 0; i < s->n_sensitive; i++)
        s->opt_mean_cost += (double)c->opt.members[i] * a->costs[i];
    s->opt_mean_cost = s->has_opt ? s->opt_mean_cost / (double)n : NAN;
}

/* May `some` of all people be described?  Neither they nor the rest may be a handful. */
static bool may_tell(uint64_t some, uint64_t all)
{
    return some >= TCT_SMALL_GROUP && (some == all || all - some >= TCT_SMALL_GROUP);
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
    s->people_clipped = q->clipped.people;
    s->people_missing = q->missing.people;
    s->clipped_accuracy = (double)q->clipped.correct / (double)q->clipped.labelled; /* NaN when there is nobody */
    s->missing_accuracy = (double)q->missing.correct / (double)q->missing.labelled;
    s->unclipped = q->unclipped.people;
    s->unclipped_agree = q->unclipped.agree;
    s->clipped_shown = may_tell(s->people_clipped, s->people);
    s->missing_shown = may_tell(s->people_missing, s->people);
    s->unclipped_shown = s->unclipped == 0 || s->unclipped >= TCT_SMALL_GROUP;
}

/* How people with clipped or missing cells fare at one delta.  Who has no clipped cell gets the classifier's own label
 * when it is the one with everything known. */
static void fill_released(tacit_audit_result *out, const tacit_audit *a, const tct_released *released)
{
    out->clipped_agree = released->clipped_agree;
    out->clipped_own = released->clipped_own;
    out->missing_agree = released->missing_agree;
    if (a->summary.origin == TACIT_ORIGIN_IMPORTED)
        out->fidelity_unclipped =
            (double)(out->agree - released->clipped_agree + released->clipped_own) / (double)out->people;
}

/* Are people counted on whom the model was trained? */
static void fill_provenance(tacit_audit *a)
{
    tacit_audit_summary *s = &a->summary;
    uint64_t trained = a->quality->training_files * tct_describe_count(a->describe, "train_rows");

    s->part = a->part;
    s->origin = tct_describe_origin(a->describe);
    s->training_file = a->quality->training_files > 0;
    s->trained_on = TACIT_TRAINED_ON_UNKNOWN;
    s->trained_rows = 0;
    if (s->origin != TACIT_ORIGIN_TRAINED)
        return;
    if (a->part == TACIT_PART_TRAIN)
        s->trained_rows = s->people;
    else if (a->part == TACIT_PART_ALL)
        s->trained_rows = trained < s->people ? trained : s->people;
    if (s->trained_rows)
        s->trained_on = TACIT_TRAINED_ON_YES;
    else if (a->quality->other_forms == 0 || a->part == TACIT_PART_HELD_OUT)
        s->trained_on = TACIT_TRAINED_ON_NO;
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
    tacit_status st;

    if (a->census->people == 0)
        return tct_fail_at(err, TACIT_E_INPUT, file, 0, NULL, "no people to audit");
    fill_summary(a);
    fill_decisions(a);
    fill_provenance(a);
    for (size_t i = 0; i < a->summary.n_results; i++) {
        tacit_audit_result promise = a->results[i];

        tct_audit_fill(&a->results[i], a->tallies[i], a, &promise);
        fill_released(&a->results[i], a, &a->quality->released[i]);
    }
    st = tct_breakdowns_make(a, err);
    if (st)
        return st;
    if (a->groupings && a->groupings->list[0].n_parts == 1)
        a->summary.n_groups = a->sorter->groups[0].tuples.n;
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
    tct_breakdowns_free(a);
    tct_person_results_free(a->people);
    if (a->rows.bytes)
        tct_wipe(a->rows.bytes, a->rows.room);
    tct_text_free(&a->rows);
    tct_sorter_free(a->sorter);
    tct_groupings_free(a->groupings);
    for (size_t i = 0; a->names && i < a->summary.n_sensitive; i++)
        tct_free(a->names[i]);
    for (size_t i = 0; a->questions && i < a->summary.n_sensitive; i++)
        tct_free(a->questions[i]);
    for (size_t i = 0; i < a->n_sources; i++)
        tct_free(a->sources[i].name);
    tct_free(a->tallies);
    tct_free(a->results);
    tct_free(a->sensitive);
    tct_free(a->names);
    tct_free(a->questions);
    tct_free(a->costs);
    tct_free((void *)a->classes);
    tct_free(a->sources);
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

const char *tacit_audit_sensitive_name(const tacit_audit *a, size_t i)
{
    return i < a->summary.n_sensitive ? a->names[i] : NULL;
}

const char *tacit_trained_on_name(tacit_trained_on trained_on)
{
    return trained_on == TACIT_TRAINED_ON_YES ? "yes" : trained_on == TACIT_TRAINED_ON_NO ? "no" : "unknown";
}
