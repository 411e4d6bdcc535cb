/*
 * sorter.h -- people sorted into groups and counted there.
 *
 * Every dimension has its values, every grouping its groups (tuples of values, one per part) with a tally per delta and
 * counts per class.  With more than one grouping the finest crossing is counted too: its cells, the atoms, are tuples
 * over all dimensions, and only people are counted in them.  What may be published is decided with their help
 * (suppress.h).
 *
 * There may be too many atoms.  Then the last grouping is given up, for this purpose, and atoms are tuples over the
 * dimensions of the groupings before it.  How many groupings are left depends on the people only: a worker that sees
 * part of them never gives up one that would be kept in the end.
 *
 * Whoever audits the file that a model was trained on may also publish an audit of the rows held out of it.  So that one
 * may not be subtracted from the other, those held out are counted apart in groups and atoms.  Whether a file is the
 * training file is known at its end only, by its hash.
 */
#ifndef TCT_SORTER_H
#define TCT_SORTER_H

#include "grouping.h"
#include "ordinals.h"
#include "tally.h"

enum { TCT_MAX_ATOMS = 1 << 16 };

/* People of one group at one delta, by class: decided so; whose outcome is it; both. */
typedef struct tct_class_counts {
    uint64_t decided, truth, hit;
} tct_class_counts;

/* People held out when the model was trained: in its training file, and in the file at hand, if that should be it. */
typedef struct tct_held {
    uint64_t known, at_hand;
} tct_held;

typedef struct tct_group {
    tct_tally **tallies;       /* n_deltas */
    tct_class_counts *classes; /* n_deltas x n_classes */
    tct_held held;
} tct_group;

typedef struct tct_groups {
    tct_ordinals tuples; /* keys: one uint32_t per part */
    tct_group *list;
    size_t room;
} tct_groups;

typedef struct tct_sorter {
    const tct_groupings *groupings; /* borrowed */
    size_t n_deltas, n_sensitive, n_classes;
    tct_ordinals *values; /* per dimension; the bins of a binned one are there from the beginning */
    tct_groups *groups;   /* per grouping */
    size_t level;         /* groupings that atoms tell apart */
    tct_ordinals atoms;   /* keys: one uint32_t per dimension of these; none with a single grouping */
    uint64_t *atom_people;
    tct_held *atom_held;
    size_t atoms_room;
} tct_sorter;

tacit_status tct_sorter_new(tct_sorter **out, const tct_groupings *groupings, size_t n_deltas, size_t n_sensitive,
                            size_t n_classes, tacit_error *err);
void tct_sorter_free(tct_sorter *sorter); /* wipes */

/* The number of a value of a dimension, as text; made when new. */
tacit_status tct_sorter_value(tct_sorter *sorter, size_t dimension, const char *bytes, size_t size, uint32_t *value,
                              tacit_error *err);
/* The groups (one per grouping) of somebody with these values (one per dimension), who is counted as one of the atom.
 * held_out: if the file at hand is the training file. */
tacit_status tct_sorter_person(tct_sorter *sorter, const uint32_t *values, bool held_out, size_t *groups,
                               tacit_error *err);
/* The file at hand has ended: people are held out of it only if it is the training file. */
void tct_sorter_end_file(tct_sorter *sorter, bool training_file);
/* Nobody was held out after all. */
void tct_sorter_forget_held(tct_sorter *sorter);
/* Group number of a tuple of values; made when new. */
tacit_status tct_sorter_group(tct_sorter *sorter, size_t grouping, const uint32_t *tuple, size_t *group,
                              tacit_error *err);
/* `people` more of an atom, a tuple over the dimensions of `level` groupings, and how many of them were held out. */
tacit_status tct_sorter_atom(tct_sorter *sorter, const uint32_t *tuple, uint64_t people, tct_held held,
                             tacit_error *err);
/* Atoms tell apart the first `level` groupings only, if they told more. */
tacit_status tct_sorter_lower(tct_sorter *sorter, size_t level, tacit_error *err);
tacit_status tct_sorter_merge(tct_sorter *into, const tct_sorter *from, tacit_error *err);

void tct_group_merge(const tct_sorter *sorter, tct_group *into, const tct_group *from);

/* Somebody's outcome at one delta, counted in a group. */
void tct_sorter_count(tct_sorter *sorter, size_t grouping, size_t group, size_t delta, const tct_outcome *outcome);
/* `count` people with the same outcome, but for what they could have kept. */
void tct_sorter_count_many(tct_sorter *sorter, size_t grouping, size_t group, size_t delta, const tct_outcome *outcome,
                           uint64_t count);

static inline const uint32_t *tct_sorter_tuple(const tct_sorter *sorter, size_t grouping, size_t group)
{
    return (const uint32_t *)(const void *)tct_ordinals_key(&sorter->groups[grouping].tuples, group);
}
/* The value of part `part`, as text. */
const char *tct_sorter_name(const tct_sorter *sorter, size_t grouping, size_t group, size_t part);
/* The names of all parts, as one. */
void tct_sorter_label(const tct_sorter *sorter, size_t grouping, size_t group, tct_text *out);

/* In an order that does not depend on who came first: ranks of values by dimension (bins by their edges, others by
 * bytes), groups and atoms by the ranks of their values.  Arrays of numbers, to be freed. */
tacit_status tct_sorter_rank(const tct_sorter *sorter, size_t dimension, uint32_t **ranks, tacit_error *err);
tacit_status tct_sorter_order(const tct_sorter *sorter, const tct_ordinals *tuples, const size_t *dimensions, size_t n,
                              size_t **order, tacit_error *err);

#endif
