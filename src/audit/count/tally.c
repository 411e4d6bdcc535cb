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
    tct_free(t);
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
}

/* `count` people of one bin. */
static void add_bin(tct_tally *t, size_t asked, tacit_settled settled, size_t code, uint64_t count, const size_t *order,
                    bool exact)
{
    bool agrees = code >= 3, stopped = settled == (exact ? TACIT_CERTAIN : TACIT_LIKELY);

    t->people += count;
    t->histogram[asked] += count;
    for (size_t i = 0; i < asked; i++)
        t->asked[order[i]] += count;
    t->agree += agrees ? count : 0;
    t->labelled += code % 3 ? count : 0;
    t->correct += code % 3 == 2 ? count : 0;
    t->certain += settled == TACIT_CERTAIN ? count : 0;
    t->likely += settled == TACIT_LIKELY ? count : 0;
    t->all_revealed += settled == TACIT_ALL_REVEALED ? count : 0;
    t->stopped += stopped ? count : 0;
    t->failed += stopped && !agrees ? count : 0;
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

    for (size_t k = 0; k < o->asked; k++) {
        size_t i = o->order[k];

        t->spare[i] += o->spare[i];
        t->others[i] += !o->spare[i] && o->needs[i] == TACIT_NEED_NONE;
        any = any || o->spare[i];
    }
    t->spare_people += any;
}

void tct_tally_add_many(tct_tally *t, const tct_outcome *o, uint64_t count)
{
    add_bin(t, o->asked, o->settled, tct_bin_code(o->label, o->full_label, o->truth), count, o->order, o->exact);
}

void tct_tally_add_bins(tct_tally *t, uint32_t *bins, const size_t *order, bool exact)
{
    for (size_t asked = 0; asked <= t->n_sensitive; asked++)
        for (size_t settled = 0; settled < 4; settled++)
            for (size_t code = 0; code < TCT_BIN_CODES; code++) {
                uint32_t *bin = &bins[(asked * 4 + settled) * TCT_BIN_CODES + code];

                if (*bin)
                    add_bin(t, asked, (tacit_settled)settled, code, *bin, order, exact);
                *bin = 0;
            }
}

tacit_status tct_census_new(tct_census **out, size_t n_sensitive, tacit_error *err)
{
    tct_census *c = tct_calloc(1, sizeof *c);

    *out = c;
    if (!c)
        return tct_fail_memory(err);
    c->n_sensitive = n_sensitive;
    c->opt_histogram = tct_calloc(n_sensitive + 1, sizeof *c->opt_histogram);
    c->opt_members = tct_calloc(n_sensitive + 1, sizeof *c->opt_members);
    if (!c->opt_histogram || !c->opt_members) {
        tct_census_free(c);
        *out = NULL;
        return tct_fail_memory(err);
    }
    return TACIT_OK;
}

void tct_census_free(tct_census *c)
{
    if (!c)
        return;
    tct_free(c->opt_histogram);
    tct_free(c->opt_members);
    tct_free(c);
}

void tct_census_merge(tct_census *into, const tct_census *from)
{
    into->people += from->people;
    into->labelled += from->labelled;
    into->baseline_correct += from->baseline_correct;
    into->opt_inexact += from->opt_inexact;
    into->cells.clipped += from->cells.clipped;
    into->cells.missing += from->cells.missing;
    into->cells.unknown += from->cells.unknown;
    into->skipped += from->skipped;
    add_counts(into->opt_histogram, from->opt_histogram, into->n_sensitive + 1);
    add_counts(into->opt_members, from->opt_members, into->n_sensitive);
}
