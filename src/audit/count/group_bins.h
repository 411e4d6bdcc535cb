/*
 * group_bins.h -- groups of people counted many at a time, beside everybody.
 *
 * The plain way counts one person's outcome in each of its groups (tct_sorter_count).  Here a block of people, all of
 * whom come by fast paths, is counted by what they have in common first, and goes to the groups when it is over.  The
 * counts are the same.
 */
#ifndef TCT_GROUP_BINS_H
#define TCT_GROUP_BINS_H

#include "auditor.h"

typedef struct tct_group_bins tct_group_bins;
/* Borrows both. */
tacit_status tct_group_bins_new(tct_group_bins **out, const tct_job *job, tct_sorter *sorter, tacit_error *err);
void tct_group_bins_free(tct_group_bins *group_bins); /* wipes */

/* n people: their groups, one per grouping, their labels with everything known, and outcomes (NULL: not known).
 * *fits is false when there are too many groups for so few people: they are to be counted one by one. */
tacit_status tct_group_bins_block(tct_group_bins *group_bins, const size_t *groups, const uint8_t *full,
                                  const int32_t *labels, size_t n, bool *fits, tacit_error *err);
/* People who settled; order: what they were asked for, as places. */
void tct_group_bins_party(tct_group_bins *group_bins, const tct_party *party, const size_t *order, size_t delta_index);
/* n people from person `from` on, who came by a chain. */
void tct_group_bins_chain(tct_group_bins *group_bins, size_t from, size_t n, const uint8_t *once,
                          const tct_ending *ends, size_t pass);
/* What could have been kept, as bits: fewer than 64 sensitive attributes.  Of n people, at every delta: */
void tct_group_bins_needs(tct_group_bins *group_bins, size_t from, size_t n, const uint64_t *indispensable);
/* and at one.  others: NULL when they are made of sums. */
void tct_group_bins_spare(tct_group_bins *group_bins, size_t from, size_t n, size_t delta_index, const uint64_t *spare,
                          const uint64_t *others);
/* The block is over: everything to the groups.  orders[pass]: common order of a chain, as places; NULL: no chain. */
void tct_group_bins_empty(tct_group_bins *group_bins, size_t *const *orders);

#endif
