/*
 * suppress.h -- which rows of several tables may be published, so that nobody can work out those that may not.
 *
 * People fall into atoms, cells of the finest crossing.  Every table divides everybody into groups, unions of atoms; a
 * published group is a row.  Rows can be added and subtracted: what follows about a set of people is what is in the
 * span of the rows and the total.  The promise is
 *
 *   no set of 1 to least - 1 people that is a union of atoms is in the span of what is published
 *
 * whichever atoms there are.  METHOD.md tells how it is kept.
 */
#ifndef TCT_SUPPRESS_H
#define TCT_SUPPRESS_H

#include "base.h"

typedef struct tct_tables {
    size_t n_atoms;
    const uint64_t *people; /* per atom, at least 1 each */
    size_t n_tables;
    const size_t *n_groups;          /* per table */
    const uint32_t *const *group_of; /* [table][atom] */
    uint64_t least;                  /* people that a row must have */
    uint64_t work;                   /* operations to spend in all; 0: the usual number */
} tct_tables;

/* shown[table][group]: may it be published?  withheld[table]: finding out would have taken too long, or nobody knows how
 * much follows from it: no row of it is published.  Tables are taken in their order: what is shown of one does not
 * depend on those behind it. */
tacit_status tct_suppress(const tct_tables *tables, bool *const *shown, bool *withheld, tacit_error *err);

#endif
