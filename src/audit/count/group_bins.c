/*
 * Every group has a slot.  A person's cell is the slot of its group and its sort: label with everything known, outcome.
 *
 * - Settled people come as parties with the same outcome: they are counted by cell, and a cell's people are added at
 *   once.
 * - On a chain there is a bin per number asked, status, label and cell.
 * - Bits are added four at a time: a nibble is looked up as four counters of 16 bits, side by side in a word.  A block
 *   has fewer people than such a counter holds.
 *
 * All counters are zero between blocks.
 */
#include "group_bins.h"

#include <string.h>

#include "arena.h"

enum { SORTS = TCT_SORTS, LANES = 4, MOST_PEOPLE = UINT16_MAX };
/* Counters that are always worth it, and how many are for a person. */
enum { FEW_COUNTERS = 1 << 14, COUNTERS_EACH = 64 };

struct tct_group_bins {
    const tct_job *job;
    tct_sorter *sorter;
    size_t n_groupings, words; /* words: of counters, for the bits of all sensitive attributes */
    uint64_t spread[1 << LANES];
    size_t *first;   /* n_groupings + 1: slots */
    uint32_t *cells; /* n_groupings per person */
    size_t n, room;  /* people; cells there is room for */
    size_t n_slots, slots_room;
    tct_arena slots;  /* of what follows */
    uint32_t *party;  /* per cell */
    uint32_t *bins;   /* per delta and slot: those of tct_bin */
    uint32_t *once;   /* per pass, kind of being through at once, cell */
    uint32_t *people; /* per slot and delta: with a spare answer */
    uint64_t *bits;   /* per slot: indispensable; per delta spare, others: `words` each */
};

tacit_status tct_group_bins_new(tct_group_bins **out, const tct_job *job, tct_sorter *sorter, tacit_error *err)
{
    tct_group_bins *c = tct_calloc(1, sizeof *c);

    *out = NULL;
    if (!c)
        return tct_fail_memory(err);
    c->job = job;
    c->sorter = sorter;
    c->n_groupings = job->groupings->n;
    c->words = job->n_sensitive / LANES + 1;
    for (size_t nibble = 0; nibble < 1 << LANES; nibble++)
        for (size_t i = 0; i < LANES; i++)
            c->spread[nibble] |= (uint64_t)(nibble >> i & 1) << 16 * i;
    c->first = tct_calloc(c->n_groupings + 1, sizeof *c->first);
    if (!c->first) {
        tct_group_bins_free(c);
        return tct_fail_memory(err);
    }
    *out = c;
    return TACIT_OK;
}

static size_t bins_each(const tct_group_bins *c)
{
    return c->job->n_deltas * (c->job->n_sensitive + 1) * TCT_BINS_PER_COUNT;
}

static size_t bits_each(const tct_group_bins *c)
{
    return (1 + 2 * c->job->n_deltas) * c->words;
}

void tct_group_bins_free(tct_group_bins *c)
{
    if (!c)
        return;
    tct_arena_clear(&c->slots);
    tct_free(c->first);
    tct_free_wiped(c->cells, c->room * sizeof *c->cells);
    tct_free(c);
}

/* ---------------------------------------------------------------- a block */

static tacit_status make_room(tct_group_bins *c, size_t n, tacit_error *err)
{
    size_t room = c->n_slots + c->n_slots / 2;

    if (c->room < n * c->n_groupings) {
        tct_free_wiped(c->cells, c->room * sizeof *c->cells);
        c->cells = tct_malloc(n * c->n_groupings, sizeof *c->cells);
        c->room = c->cells ? n * c->n_groupings : 0;
        if (!c->cells)
            return tct_fail_memory(err);
    }
    if (c->slots_room >= c->n_slots)
        return TACIT_OK;
    tct_arena_clear(&c->slots);
    c->slots_room = 0;
    c->party = tct_take(&c->slots, room * SORTS, sizeof *c->party);
    c->bins = tct_take(&c->slots, room * bins_each(c), sizeof *c->bins);
    c->once = tct_take(&c->slots, room * SORTS * TCT_ENDINGS_PACKED * c->job->n_passes, sizeof *c->once);
    c->people = tct_take(&c->slots, room * c->job->n_deltas, sizeof *c->people);
    c->bits = tct_take(&c->slots, room * bits_each(c), sizeof *c->bits);
    if (c->slots.failed)
        return tct_fail_memory(err);
    c->slots_room = room;
    return TACIT_OK;
}

tacit_status tct_group_bins_block(tct_group_bins *c, const size_t *groups, const uint8_t *full, const int32_t *labels,
                                  size_t n, bool *fits, tacit_error *err)
{
    size_t counters;
    tacit_status st;

    for (size_t g = 0; g < c->n_groupings; g++)
        c->first[g + 1] = c->first[g] + c->sorter->groups[g].tuples.n;
    c->n = n;
    c->n_slots = c->first[c->n_groupings];
    counters = c->n_slots * (bins_each(c) + bits_each(c));
    *fits = n > 0 && n <= MOST_PEOPLE && (counters <= FEW_COUNTERS || counters / COUNTERS_EACH <= n);
    if (!*fits)
        return TACIT_OK;
    st = make_room(c, n, err);
    for (size_t p = 0; p < n && !st; p++) {
        size_t sort = tct_sort(full[p], labels ? labels[p] : -1);

        for (size_t g = 0; g < c->n_groupings; g++)
            c->cells[p * c->n_groupings + g] =
                (uint32_t)((c->first[g] + groups[p * c->n_groupings + g]) * SORTS + sort);
    }
    return st;
}

/* `count` people of a cell, who are in a group of the grouping; o says their sort. */
static void add_cell(tct_group_bins *c, size_t grouping, size_t cell, size_t delta_index, tct_outcome *o,
                     uint64_t count)
{
    o->exact = !(c->job->options->deltas[delta_index] > 0);
    tct_sorter_count_many(c->sorter, grouping, cell / SORTS - c->first[grouping], delta_index, o, count);
}

void tct_group_bins_party(tct_group_bins *c, const tct_party *party, const size_t *order, size_t delta_index)
{
    for (size_t g = 0; g < c->n_groupings; g++) {
        const uint32_t *cells = c->cells + g;

        for (size_t k = 0; k < party->n; k++)
            c->party[cells[party->people[k] * c->n_groupings]]++;
        for (size_t k = 0; k < party->n; k++) {
            size_t cell = cells[party->people[k] * c->n_groupings];

            tct_outcome o = tct_bin_outcome(tct_bin(party->end, cell % SORTS));

            o.order = order;
            if (c->party[cell])
                add_cell(c, g, cell, delta_index, &o, c->party[cell]);
            c->party[cell] = 0;
        }
    }
}

void tct_group_bins_chain(tct_group_bins *c, size_t from, size_t n, const uint8_t *once, const tct_ending *ends,
                          size_t pass)
{
    const tct_pass *p = &c->job->passes[pass];
    size_t m = c->n_groupings, each = (c->job->n_sensitive + 1) * TCT_BINS_PER_COUNT;

    for (size_t r = 0; r < n; r++)
        for (size_t g = 0; g < m; g++) {
            size_t cell = c->cells[(from + r) * m + g];

            if (once[r]) {
                c->once[((pass * TCT_ENDINGS_PACKED) + once[r]) * c->n_slots * SORTS + cell]++;
                continue;
            }
            for (size_t i = 0; i < p->n_promises; i++) {
                uint32_t *bins = c->bins + (p->delta_index[i] * c->n_slots + cell / SORTS) * each;

                bins[tct_bin(ends[i * TCT_TILE + r], cell % SORTS)]++;
            }
        }
}

/* Bits of one person to four counters at a time. */
static inline void add_bits(const tct_group_bins *c, uint64_t *to, uint64_t bits)
{
    for (; bits; bits >>= LANES)
        *to++ += c->spread[bits & ((1 << LANES) - 1)];
}

void tct_group_bins_needs(tct_group_bins *c, size_t from, size_t n, const uint64_t *indispensable)
{
    size_t each = bits_each(c);

    for (size_t p = 0; p < n; p++)
        for (size_t g = 0; g < c->n_groupings; g++)
            add_bits(c, c->bits + c->cells[(from + p) * c->n_groupings + g] / SORTS * each, indispensable[p]);
}

void tct_group_bins_spare(tct_group_bins *c, size_t from, size_t n, size_t delta_index, const uint64_t *spare,
                          const uint64_t *others)
{
    size_t each = bits_each(c), at = (1 + 2 * delta_index) * c->words;

    for (size_t p = 0; p < n; p++)
        for (size_t g = 0; g < c->n_groupings; g++) {
            size_t slot = c->cells[(from + p) * c->n_groupings + g] / SORTS;
            uint64_t *to = c->bits + slot * each + at;

            add_bits(c, to, spare[p]);
            if (others)
                add_bits(c, to + c->words, others[p]);
            c->people[slot * c->job->n_deltas + delta_index] += spare[p] != 0;
        }
}

/* ---------------------------------------------------------------- to the groups */

/* Those who were through at once, to the bins of every promise of their pass. */
static void empty_once(tct_group_bins *c, size_t pass)
{
    const tct_pass *p = &c->job->passes[pass];
    size_t n_cells = c->n_slots * SORTS, each = (c->job->n_sensitive + 1) * TCT_BINS_PER_COUNT;
    uint32_t *counts = c->once + pass * TCT_ENDINGS_PACKED * n_cells;

    for (size_t word = 1; word < TCT_ENDINGS_PACKED; word++)
        for (size_t cell = 0; cell < n_cells; cell++) {
            size_t bin = tct_bin(tct_ending_of(0, (uint8_t)word), cell % SORTS);

            for (size_t i = 0; counts[word * n_cells + cell] && i < p->n_promises; i++)
                c->bins[(p->delta_index[i] * c->n_slots + cell / SORTS) * each + bin] += counts[word * n_cells + cell];
            counts[word * n_cells + cell] = 0;
        }
}

static void empty_bins(tct_group_bins *c, size_t grouping, size_t slot, size_t delta_index, const size_t *order)
{
    size_t each = (c->job->n_sensitive + 1) * TCT_BINS_PER_COUNT;
    uint32_t *bins = c->bins + (delta_index * c->n_slots + slot) * each;

    for (size_t b = 0; b < each; b++) {
        tct_outcome o = tct_bin_outcome(b);

        o.order = order;
        if (bins[b])
            add_cell(c, grouping, slot * SORTS + b % SORTS, delta_index, &o, bins[b]);
        bins[b] = 0;
    }
}

static void add_lanes(uint64_t *to, const uint64_t *counters, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] += counters[i / LANES] >> 16 * (i % LANES) & UINT16_MAX;
}

static void empty_bits(tct_group_bins *c, size_t slot, tct_tally *const *tallies)
{
    uint64_t *bits = c->bits + slot * bits_each(c);
    size_t n = c->job->n_sensitive;

    for (size_t i = 0; i < c->job->n_deltas; i++) {
        uint32_t *people = &c->people[slot * c->job->n_deltas + i];

        add_lanes(tallies[i]->indispensable, bits, n);
        add_lanes(tallies[i]->spare, bits + (1 + 2 * i) * c->words, n);
        add_lanes(tallies[i]->others, bits + (2 + 2 * i) * c->words, n);
        tallies[i]->spare_people += *people;
        *people = 0;
    }
    memset(bits, 0, bits_each(c) * sizeof *bits);
}

void tct_group_bins_empty(tct_group_bins *c, size_t *const *orders)
{
    for (size_t pass = 0; pass < c->job->n_passes; pass++)
        if (orders[pass])
            empty_once(c, pass);
    for (size_t g = 0; g < c->n_groupings; g++)
        for (size_t slot = c->first[g]; slot < c->first[g + 1]; slot++) {
            for (size_t pass = 0; pass < c->job->n_passes; pass++)
                for (size_t i = 0; orders[pass] && i < c->job->passes[pass].n_promises; i++)
                    empty_bins(c, g, slot, c->job->passes[pass].delta_index[i], orders[pass]);
            empty_bits(c, slot, c->sorter->groups[g].list[slot - c->first[g]].tallies);
        }
}
