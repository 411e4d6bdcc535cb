/*
 * Counting what people could have kept.
 *
 * Everybody's needs are one comparison per attribute.  Spare answers are asked about where a proof is at hand.  On a
 * chain all promises that end with a proof end at the same stage, the first at which there is one, so a person is looked
 * at once.  Where people settle one by one, what each was asked for is noted as bits, and a tile of them is counted at a
 * time.
 */
#include "needs.h"

#include <math.h>
#include <string.h>

#include "arena.h"

struct tct_needs {
    const tct_job *job;
    size_t n; /* sensitive attributes */
    tct_dispense *dispense;
    tct_gains *gains;
    tct_arena arena, chains;
    double *person;       /* n_inputs */
    double *gain;         /* n: of one person */
    unsigned char *needs; /* n: of the person looked at last */
    unsigned char *spare; /* n */
    size_t *places;       /* n */
    size_t *order;        /* n: places of the answers that spare is about */
    size_t n_order;       /* SIZE_MAX: none */
    size_t *asked;        /* n: attributes */
    const double *seen;   /* where that person's values are; NULL: nobody */
    const double *held;   /* the same of person[] */
    double margin;        /* of the person, and whether it and the gains may speak */
    bool sure;
    /* of chains: per number of promises that end with a proof, n each */
    uint32_t *chain_spare, *chain_others;
    uint32_t *chain_people;
    size_t *later;  /* per promise: how many are kept after it */
    size_t n_chain; /* room: promises */
    /* of the block at hand */
    const double *first;        /* its first person */
    tct_group_bins *group_bins; /* groups that are counted, too; NULL: none */
    uint64_t *bits;             /* 2 x TCT_TILE, for them */
    unsigned char *known;       /* without gains, n per person: needs, once they are known */
    uint64_t *noted;            /* with gains: `words` per person, `block` people per promise */
    size_t words, block, known_room, noted_room;
};

enum { NOT_YET = 255 }; /* no tacit_need */

tacit_status tct_needs_new(tct_needs **out, const tct_job *job, tct_gains *gains, tacit_error *err)
{
    const tacit_model *model = job->model;
    size_t n = job->n_sensitive;
    tct_needs *s = tct_calloc(1, sizeof *s);
    tacit_status st;

    *out = NULL;
    if (!s)
        return tct_fail_memory(err);
    s->job = job;
    s->gains = gains;
    s->n = n;
    s->words = n / 64 + 1;
    s->n_order = SIZE_MAX;
    s->person = tct_take(&s->arena, model->codec->n_inputs, sizeof *s->person);
    s->gain = tct_take(&s->arena, n + 1, sizeof *s->gain);
    s->needs = tct_take(&s->arena, n + 1, 1);
    s->spare = tct_take(&s->arena, n + 1, 1);
    s->asked = tct_take(&s->arena, n + 1, sizeof *s->asked);
    s->order = tct_take(&s->arena, n + 1, sizeof *s->order);
    s->places = tct_take(&s->arena, n + 1, sizeof *s->places);
    s->bits = tct_take(&s->arena, 2 * TCT_TILE, sizeof *s->bits);
    st = tct_arena_check(&s->arena, err);
    if (!st)
        st = tct_dispense_new(&s->dispense, model, err);
    if (!st) {
        *out = s;
        s = NULL;
    }
    tct_needs_free(s);
    return st;
}

void tct_needs_free(tct_needs *s)
{
    if (!s)
        return;
    tct_dispense_free(s->dispense);
    tct_arena_clear(&s->arena);
    tct_arena_clear(&s->chains);
    tct_free_wiped(s->known, s->known_room);
    tct_free_wiped(s->noted, s->noted_room * sizeof *s->noted);
    tct_free(s);
}

/* Room for the needs of everybody of a block, and for what each was asked for, promise after promise. */
static tacit_status make_room(tct_needs *s, size_t known, size_t noted, tacit_error *err)
{
    if (s->known_room < known) {
        tct_free_wiped(s->known, s->known_room);
        s->known = tct_malloc(known, 1);
        s->known_room = s->known ? known : 0;
    }
    if (s->noted_room < noted) {
        tct_free_wiped(s->noted, s->noted_room * sizeof *s->noted);
        s->noted = tct_malloc(noted, sizeof *s->noted);
        s->noted_room = s->noted ? noted : 0;
    }
    return s->known_room < known || s->noted_room < noted ? tct_fail_memory(err) : TACIT_OK;
}

tacit_status tct_needs_block(tct_needs *s, const tct_folk *block, tct_group_bins *group_bins, tacit_error *err)
{
    size_t known = s->gains ? 0 : block->n * (s->n + 1), noted;
    tacit_status st;

    s->seen = s->held = NULL;
    s->first = block->x;
    s->group_bins = group_bins;
    s->block = (block->n + 7) & ~(size_t)7; /* those beyond the last are asked for nothing */
    noted = s->gains ? s->block * s->words * s->job->n_deltas : 0;
    st = make_room(s, known, noted, err);
    if (st)
        return st;
    if (known)
        memset(s->known, NOT_YET, known);
    for (size_t i = 0; noted && i < s->job->n_deltas; i++) /* everybody else is noted */
        memset(s->noted + (i * s->block + block->n) * s->words, 0, (s->block - block->n) * s->words * sizeof *s->noted);
    return TACIT_OK;
}

/* ---------------------------------------------------------------- one person */

static void gather(tct_needs *s, const tct_folk *folk, size_t p)
{
    if (s->held == folk->x + p)
        return;
    s->held = folk->x + p;
    for (size_t i = 0; i < s->job->model->codec->n_inputs; i++)
        s->person[i] = folk->x[i * folk->stride + p];
}

/* The person's needs, unless they were found already. */
static tacit_status look_at(tct_needs *s, const tct_folk *folk, size_t p, tacit_error *err)
{
    unsigned char *known;
    tacit_status st = TACIT_OK;

    if (s->seen == folk->x + p)
        return TACIT_OK;
    s->seen = folk->x + p;
    s->n_order = SIZE_MAX;
    s->sure = s->gains != NULL;
    if (s->gains)
        s->margin = tct_gains_person(s->gains, folk->x, folk->stride, p, folk->full[p], s->gain);
    for (size_t i = 0; i < s->n && s->sure; i++) {
        double rest = s->margin - s->gain[i];

        s->needs[i] = rest < 0 ? TACIT_NEED_INDISPENSABLE : TACIT_NEED_NONE;
        s->sure = fabs(rest) > s->gains->zone;
    }
    if (s->sure)
        return TACIT_OK;
    known = s->gains ? NULL : s->known + (size_t)(s->seen - s->first) * s->n;
    if (known && s->n > 0 && known[0] != NOT_YET) { /* from another pass */
        memcpy(s->needs, known, s->n);
        return TACIT_OK;
    }
    gather(s, folk, p);
    st = tct_dispense_needs(s->dispense, s->person, s->needs, err);
    if (st)
        s->seen = NULL;
    else if (known)
        memcpy(known, s->needs, s->n);
    return st;
}

/* Spare answers by gains; false: too close to zero. */
static bool spare_by_gains(tct_needs *s, const tct_outcome *o)
{
    double left = s->margin;

    memset(s->spare, 0, s->n);
    for (size_t k = 0; k < o->end.asked; k++)
        s->spare[o->order[k]] = 1;
    for (size_t i = 0; i < s->n; i++)
        left -= s->spare[i] ? 0 : s->gain[i];
    for (size_t k = 0; k < o->end.asked; k++) {
        double rest = left - s->gain[o->order[k]];

        if (!(fabs(rest) > s->gains->zone))
            return false;
        s->spare[o->order[k]] = rest > 0;
    }
    return true;
}

tacit_status tct_needs_outcome(tct_needs *s, const tct_folk *folk, size_t p, tct_outcome *o, tacit_error *err)
{
    tacit_status st = look_at(s, folk, p, err);

    o->needs = s->needs;
    o->spare = o->end.settled == TACIT_CERTAIN || o->end.settled == TACIT_ALL_REVEALED ? s->spare : NULL;
    if (st || !o->spare ||
        (s->n_order == o->end.asked &&
         memcmp(s->order, o->order, o->end.asked * sizeof *s->order) == 0)) /* as before */
        return st;
    s->n_order = o->end.asked;
    memcpy(s->order, o->order, o->end.asked * sizeof *s->order);
    if (s->sure && spare_by_gains(s, o))
        return TACIT_OK;
    for (size_t k = 0; k < o->end.asked; k++)
        s->asked[k] = s->job->sensitive[o->order[k]];
    gather(s, folk, p);
    st = tct_dispense_spare(s->dispense, s->person, s->asked, o->end.asked, s->needs, s->spare, err);
    if (st)
        s->seen = NULL;
    return st;
}

/* ---------------------------------------------------------------- everybody */

static size_t place_in_block(const tct_needs *s, const tct_folk *tile)
{
    return (size_t)(tile->x - s->first);
}

/* The needs of the person looked at last, to its groups. */
static void bin_needs(tct_needs *s, size_t person)
{
    uint64_t bits = 0;

    for (size_t a = 0; a < s->n; a++)
        bits |= (uint64_t)(s->needs[a] == TACIT_NEED_INDISPENSABLE) << a % 64;
    tct_group_bins_needs(s->group_bins, person, 1, &bits);
}

/* The same of spare answers. */
static void bin_spare(tct_needs *s, size_t person, size_t delta_index, const tct_outcome *o)
{
    uint64_t spare = 0, others = 0;

    for (size_t k = 0; k < o->end.asked; k++) {
        size_t i = o->order[k];

        spare |= (uint64_t)o->spare[i] << i % 64;
        others |= (uint64_t)(!o->spare[i] && o->needs[i] == TACIT_NEED_NONE) << i % 64;
    }
    tct_group_bins_spare(s->group_bins, person, 1, delta_index, &spare, &others);
}

tacit_status tct_needs_count(tct_needs *s, const tct_folk *tile, tct_tally *const *tallies, tacit_error *err)
{
    size_t n = s->job->n_deltas;
    tacit_status st = TACIT_OK;

    if (tct_gains_needs(s->gains, tile->n, tallies[0]->indispensable)) {
        for (size_t i = 1; i < n; i++)
            memcpy(tallies[i]->indispensable, tallies[0]->indispensable, s->n * sizeof(uint64_t));
        if (s->group_bins) {
            tct_gains_need_bits(s->gains, tile->n, s->bits);
            tct_group_bins_needs(s->group_bins, place_in_block(s, tile), tile->n, s->bits);
        }
        return TACIT_OK;
    }
    for (size_t p = 0; p < tile->n && !st; p++) {
        st = look_at(s, tile, p, err);
        for (size_t i = 0; i < n && !st; i++)
            for (size_t a = 0; a < s->n; a++)
                tallies[i]->indispensable[a] += s->needs[a] == TACIT_NEED_INDISPENSABLE;
        if (!st && s->group_bins)
            bin_needs(s, place_in_block(s, tile) + p);
    }
    return st;
}

/* ---------------------------------------------------------------- chains */

static tacit_status make_chain_room(tct_needs *s, size_t n_promises, tacit_error *err)
{
    if (s->n_chain >= n_promises)
        return TACIT_OK;
    tct_arena_clear(&s->chains);
    s->n_chain = 0;
    s->chain_spare = tct_take(&s->chains, (n_promises + 1) * (s->n + 1), sizeof *s->chain_spare);
    s->chain_others = tct_take(&s->chains, (n_promises + 1) * (s->n + 1), sizeof *s->chain_others);
    s->chain_people = tct_take(&s->chains, n_promises + 1, sizeof *s->chain_people);
    s->later = tct_take(&s->chains, n_promises, sizeof *s->later);
    if (s->chains.failed)
        return tct_fail_memory(err);
    s->n_chain = n_promises;
    return TACIT_OK;
}

/* Person p, proven by the first `asked` of the order: into the counts of those of whom `proven` promises end so.  bits:
 * spare and others, of the first 64.  False: too close to zero, nothing is counted. */
static bool count_on_chain(tct_needs *s, size_t p, const size_t *order, size_t asked, size_t proven, uint64_t *bits)
{
    const double *gain = s->gains->gain + p;
    uint32_t *spare = s->chain_spare + proven * (s->n + 1), *others = s->chain_others + proven * (s->n + 1);
    double margin = s->gains->margin[p], left = margin, zone = s->gains->zone, nearest = INFINITY;
    bool any = false;

    for (size_t k = asked; k < s->n; k++)
        left -= gain[order[k] * TCT_TILE];
    for (size_t k = 0; k < asked; k++) {
        double g = gain[order[k] * TCT_TILE];

        nearest = fmin(nearest, fmin(fabs(left - g), fabs(margin - g)));
    }
    if (!(nearest > zone))
        return false;
    for (size_t k = 0; k < asked; k++) {
        double g = gain[order[k] * TCT_TILE];
        bool spared = left > g, other = !spared & (margin > g);

        spare[order[k]] += spared;
        others[order[k]] += other;
        bits[0] |= (uint64_t)spared << order[k] % 64;
        bits[1] |= (uint64_t)other << order[k] % 64;
        any |= spared;
    }
    s->chain_people[proven] += any;
    return true;
}

/* What was counted by number of promises, to the promises: those that end with a proof are the ones that are kept last,
 * so with `proven` of them a promise is among them unless too few are kept later. */
static void empty_chain(tct_needs *s, const tct_pass *pass, tct_tally *const *tallies)
{
    size_t n_promises = pass->n_promises;

    for (size_t i = 0; i < n_promises; i++)
        for (size_t proven = s->later[i] + 1; proven <= n_promises; proven++) {
            const uint32_t *spare = s->chain_spare + proven * (s->n + 1);
            const uint32_t *others = s->chain_others + proven * (s->n + 1);

            tct_tally *to = tallies[pass->delta_index[i]];

            for (size_t a = 0; a < s->n; a++) {
                to->spare[a] += spare[a];
                to->others[a] += others[a];
            }
            to->spare_people += s->chain_people[proven];
        }
    memset(s->chain_spare, 0, (n_promises + 1) * (s->n + 1) * sizeof *s->chain_spare);
    memset(s->chain_others, 0, (n_promises + 1) * (s->n + 1) * sizeof *s->chain_others);
    memset(s->chain_people, 0, (n_promises + 1) * sizeof *s->chain_people);
}

/* A person on a chain the plain way, for each promise that ends with a proof. */
static tacit_status count_plainly(tct_needs *s, const tct_folk *tile, size_t p, const tct_ending *ends,
                                  const tct_pass *pass, const size_t *order, tct_tally *const *tallies,
                                  tacit_error *err)
{
    tacit_status st = TACIT_OK;

    for (size_t i = 0; i < pass->n_promises && !st; i++) {
        tct_outcome o = {.end = ends[i * TCT_TILE + p], .order = order};

        st = tct_needs_outcome(s, tile, p, &o, err);
        if (!st && o.spare)
            tct_tally_add_spare(tallies[pass->delta_index[i]], &o);
        if (!st && o.spare && s->group_bins)
            bin_spare(s, place_in_block(s, tile) + p, pass->delta_index[i], &o);
    }
    return st;
}

/* What a person on a chain could have kept, for each promise that ends with a proof, to its groups. */
static void bin_chain(tct_needs *s, size_t from, size_t p, const tct_ending *ends, const tct_pass *pass,
                      const uint64_t *bits)
{
    for (size_t i = 0; i < pass->n_promises; i++)
        if (ends[i * TCT_TILE + p].settled != TACIT_LIKELY)
            tct_group_bins_spare(s->group_bins, from + p, 1, pass->delta_index[i], &bits[0], &bits[1]);
}

/* How many promises are kept after each; returns the one that is kept last. */
static size_t order_promises(tct_needs *s, const tct_pass *pass)
{
    const tct_promise *promises = pass->promises;
    size_t last = 0;

    for (size_t i = 0; i < pass->n_promises; i++) {
        s->later[i] = 0;
        for (size_t k = 0; k < pass->n_promises; k++)
            s->later[i] += promises[k].delta < promises[i].delta || (promises[k].delta == promises[i].delta && k > i);
        last = s->later[i] == 0 ? i : last;
    }
    return last;
}

tacit_status tct_needs_chain(tct_needs *s, const tct_folk *tile, const uint16_t *list, size_t n_list,
                             const tct_ending *ends, const tct_pass *pass, const size_t *order,
                             tct_tally *const *tallies, tacit_error *err)
{
    size_t last;
    tacit_status st = make_chain_room(s, pass->n_promises, err);

    if (st)
        return st;
    last = order_promises(s, pass);
    for (size_t j = 0; j < n_list && !st; j++) {
        size_t p = list[j], proven = 0;
        uint64_t bits[2] = {0};
        const tct_ending *end = &ends[last * TCT_TILE + p];

        if (end->settled == TACIT_LIKELY || end->asked == 0)
            continue;
        for (size_t i = 0; i < pass->n_promises; i++)
            proven += ends[i * TCT_TILE + p].settled != TACIT_LIKELY;
        if (!count_on_chain(s, p, order, end->asked, proven, bits))
            st = count_plainly(s, tile, p, ends, pass, order, tallies, err);
        else if (s->group_bins)
            bin_chain(s, place_in_block(s, tile), p, ends, pass, bits);
    }
    empty_chain(s, pass, tallies);
    return st;
}

/* ---------------------------------------------------------------- blocks */

void tct_needs_note(tct_needs *s, const tct_party *party, size_t delta_index)
{
    uint64_t *noted = s->noted + delta_index * s->block * s->words;
    bool proven = party->end.settled == TACIT_CERTAIN || party->end.settled == TACIT_ALL_REVEALED;

    for (size_t w = 0; w < s->words; w++) {
        uint64_t bits = 0;

        for (size_t i = 0; proven && i < party->end.asked; i++)
            if (s->job->position[party->order[i]] / 64 == w)
                bits |= (uint64_t)1 << s->job->position[party->order[i]] % 64;
        for (size_t k = 0; k < party->n; k++)
            noted[party->people[k] * s->words + w] = bits;
    }
}

/* Everybody of a tile by the plain way. */
static tacit_status count_noted(tct_needs *s, const tct_folk *tile, const uint64_t *noted, size_t delta_index,
                                tct_tally *tally, tacit_error *err)
{
    tacit_status st = TACIT_OK;

    for (size_t p = 0; p < tile->n && !st; p++) {
        tct_outcome o = {.end.settled = TACIT_CERTAIN, .order = s->places};

        for (size_t i = 0; i < s->n; i++)
            if (noted[p * s->words + i / 64] >> i % 64 & 1)
                s->places[o.end.asked++] = i;
        st = tct_needs_outcome(s, tile, p, &o, err);
        if (!st)
            tct_tally_add_spare(tally, &o);
        if (!st && s->group_bins)
            bin_spare(s, place_in_block(s, tile) + p, delta_index, &o);
    }
    return st;
}

/* At delta = 0 everybody's decision is proven by what was asked for, and what is indispensable was.  So those asked for
 * it to whom it is neither spare nor indispensable are the others: that is made of the sums in the end. */
tacit_status tct_needs_noted(tct_needs *s, const tct_folk *tile, size_t delta_index, tct_tally *tally, tacit_error *err)
{
    size_t from = place_in_block(s, tile);
    const uint64_t *noted = s->noted + (delta_index * s->block + from) * s->words;
    bool exact = !(s->job->options->deltas[delta_index] > 0);

    if (!tct_gains_spare(s->gains, tile->n, noted, s->words, tally->spare, exact ? NULL : tally->others,
                         &tally->spare_people, s->group_bins ? s->bits : NULL))
        return count_noted(s, tile, noted, delta_index, tally, err);
    if (s->group_bins)
        tct_group_bins_spare(s->group_bins, from, tile->n, delta_index, s->bits, exact ? NULL : s->bits + TCT_TILE);
    return TACIT_OK;
}

void tct_needs_finish(const tct_needs *s, size_t delta_index, tct_tally *tally)
{
    for (size_t i = 0; i < s->n && !(s->job->options->deltas[delta_index] > 0); i++)
        tally->others[i] = tally->asked[i] - tally->spare[i] - tally->indispensable[i];
}
