/*
 * Making, freeing and adding up counts.
 */
#include "tally.h"

static void add_counts(uint64_t *into, const uint64_t *from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        into[i] += from[i];
}

tacit_status tct_tally_new(tct_tally **out, size_t n_sensitive, tacit_error *err)
{
    tct_tally *t = tct_calloc(1, sizeof *t);

    *out = t;
    if (!t)
        return tct_fail_memory(err);
    t->n_sensitive = n_sensitive;
    t->histogram = tct_calloc(n_sensitive + 1, sizeof *t->histogram);
    t->asked = tct_calloc(n_sensitive + 1, sizeof *t->asked);
    t->indispensable = tct_calloc(4 * (n_sensitive + 1), sizeof *t->indispensable); /* and the three behind it */
    if (!t->histogram || !t->asked || !t->indispensable) {
        tct_tally_free(t);
        *out = NULL;
        return tct_fail_memory(err);
    }
    t->undecided = t->indispensable + n_sensitive + 1;
    t->spare = t->undecided + n_sensitive + 1;
    t->others = t->spare + n_sensitive + 1;
    return TACIT_OK;
}

void tct_tally_free(tct_tally *t)
{
    if (!t)
        return;
    tct_free(t->histogram);
    tct_free(t->asked);
    tct_free(t->indispensable);
    tct_free(t->label_stopped);
    tct_free(t);
}

tacit_status tct_tally_count_labels(tct_tally *t, size_t n_labels, tacit_error *err)
{
    t->label_stopped = tct_calloc(4 * n_labels, sizeof *t->label_stopped);
    if (!t->label_stopped)
        return tct_fail_memory(err);
    t->label_failed = t->label_stopped + n_labels;
    t->labels_told = t->label_failed + n_labels;
    t->n_labels = n_labels;
    return TACIT_OK;
}

void tct_tally_merge(tct_tally *into, const tct_tally *from)
{
    into->people += from->people;
    into->labelled += from->labelled;
    into->agree += from->agree;
    into->correct += from->correct;
    into->certain += from->certain;
    into->likely += from->likely;
    into->all_revealed += from->all_revealed;
    into->stopped += from->stopped;
    into->failed += from->failed;
    add_counts(into->histogram, from->histogram, into->n_sensitive + 1);
    add_counts(into->asked, from->asked, into->n_sensitive);
    into->spare_people += from->spare_people;
    add_counts(into->indispensable, from->indispensable, 4 * (into->n_sensitive + 1));
    if (into->n_labels == from->n_labels)
        add_counts(into->label_stopped, from->label_stopped, 2 * into->n_labels);
}

void tct_tally_add(tct_tally *t, const tct_outcome *o)
{
    tct_tally_add_many(t, o, 1);
    for (size_t i = 0; o->needs && i < t->n_sensitive; i++) {
        t->indispensable[i] += o->needs[i] == TACIT_NEED_INDISPENSABLE;
        t->undecided[i] += o->needs[i] == TACIT_NEED_UNDECIDED;
    }
    if (o->spare)
        tct_tally_add_spare(t, o);
}

void tct_tally_add_spare(tct_tally *t, const tct_outcome *o)
{
    bool any = false;

    for (size_t k = 0; k < o->end.asked; k++) {
        size_t i = o->order[k];

        t->spare[i] += o->spare[i];
        t->others[i] += !o->spare[i] && o->needs[i] == TACIT_NEED_NONE;
        any = any || o->spare[i];
    }
    t->spare_people += any;
}

void tct_tally_add_many(tct_tally *t, const tct_outcome *o, uint64_t count)
{
    tacit_settled settled = (tacit_settled)o->end.settled;
    bool agrees = o->end.label == o->full_label, stopped = settled == (o->exact ? TACIT_CERTAIN : TACIT_LIKELY);

    t->people += count;
    t->histogram[o->end.asked] += count;
    for (size_t i = 0; i < o->end.asked; i++)
        t->asked[o->order[i]] += count;
    t->agree += agrees ? count : 0;
    t->labelled += o->truth >= 0 ? count : 0;
    t->correct += o->truth == (int32_t)o->end.label ? count : 0;
    t->certain += settled == TACIT_CERTAIN ? count : 0;
    t->likely += settled == TACIT_LIKELY ? count : 0;
    t->all_revealed += settled == TACIT_ALL_REVEALED ? count : 0;
    t->stopped += stopped ? count : 0;
    t->failed += stopped && !agrees ? count : 0;
    if (stopped && t->n_labels) {
        t->label_stopped[o->full_label] += count;
        t->label_failed[o->full_label] += agrees ? 0 : count;
    }
}

tct_outcome tct_bin_outcome(size_t bin)
{
    size_t sort = bin % TCT_SORTS, packed = bin / TCT_SORTS % (TCT_ENDINGS_PACKED - 1) + 1;

    return (tct_outcome){.end = tct_ending_of((uint16_t)(bin / TCT_BINS_PER_COUNT), (uint8_t)packed),
                         .full_label = sort / 3,
                         .truth = (int32_t)(sort % 3) - 1};
}

void tct_tally_add_bins(tct_tally *t, uint32_t *bins, const size_t *order, bool exact)
{
    for (size_t bin = 0; bin < (t->n_sensitive + 1) * TCT_BINS_PER_COUNT; bin++)
        if (bins[bin]) {
            tct_outcome o = tct_bin_outcome(bin);

            o.order = order;
            o.exact = exact;
            tct_tally_add_many(t, &o, bins[bin]);
            bins[bin] = 0;
        }
}

tacit_status tct_census_new(tct_census **out, size_t n_sensitive, tacit_error *err)
{
    tct_census *c = tct_calloc(1, sizeof *c);

    *out = c;
    if (!c)
        return tct_fail_memory(err);
    c->n_sensitive = n_sensitive;
    if (tct_opt_counts_new(&c->opt, n_sensitive, err)) {
        tct_census_free(c);
        *out = NULL;
        return TACIT_E_MEMORY;
    }
    return TACIT_OK;
}

tacit_status tct_census_count_octaves(tct_census *c, tacit_error *err)
{
    tacit_status st = TACIT_OK;

    c->octaves = tct_calloc(TCT_OCTAVES, sizeof *c->octaves);
    if (!c->octaves)
        return tct_fail_memory(err);
    for (size_t k = 0; k < TCT_OCTAVES && !st; k++)
        st = tct_opt_counts_new(&c->octaves[k], c->n_sensitive, err);
    return st;
}

void tct_census_free(tct_census *c)
{
    if (!c)
        return;
    tct_opt_counts_clear(&c->opt);
    for (size_t k = 0; c->octaves && k < TCT_OCTAVES; k++)
        tct_opt_counts_clear(&c->octaves[k]);
    tct_free(c->octaves);
    tct_free(c);
}

tct_opt_counts *tct_census_opt_of(tct_census *c, uint64_t people, double share, const uint64_t *row,
                                  const double *person, size_t n_inputs)
{
    static const uint64_t OPT_DRAW = 0x6f70742d64726177;
    size_t octave;

    if (!c->octaves)
        return share == 1 || tct_held_out(OPT_DRAW, share, *row) ? &c->opt : NULL;
    octave = tct_opt_octave(*row, person, n_inputs);
    return octave < tct_opt_level(people) ? NULL : &c->octaves[octave];
}

void tct_census_merge(tct_census *into, const tct_census *from)
{
    into->people += from->people;
    into->labelled += from->labelled;
    into->baseline_correct += from->baseline_correct;
    into->cells.clipped += from->cells.clipped;
    into->cells.missing += from->cells.missing;
    into->cells.unknown += from->cells.unknown;
    into->skipped += from->skipped;
    if (!into->octaves) {
        tct_opt_counts_merge(&into->opt, &from->opt, into->n_sensitive);
        return;
    }
    for (size_t k = 0; k < TCT_OCTAVES; k++)
        tct_opt_counts_merge(&into->octaves[k], &from->octaves[k], into->n_sensitive);
    tct_opt_pick(&into->opt, into->octaves, into->people, into->n_sensitive);
}
