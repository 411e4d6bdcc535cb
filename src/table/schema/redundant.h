/*
 * redundant.h -- which columns of a table repeat each other.
 *
 * Columns come as codes: two rows have the same code where they have the same value.  So the functions below know
 * nothing of values, and what they find holds for any renaming.
 */
#ifndef TCT_REDUNDANT_H
#define TCT_REDUNDANT_H

#include "base.h"

/* One column over the rows that are looked at. */
typedef struct tct_coded {
    uint32_t *codes; /* per row: 0 ... n_values - 1, in the order of first occurrence */
    uint32_t n_values;
    float *numbers;   /* per row, standardised: mean 0, sum of squares 1; NULL: no numbers, or all the same */
    double collision; /* chance that two rows drawn at random have the same value */
    uint32_t most;    /* rows with the most frequent value */
} tct_coded;

/* What two columns have to do with each other. */
typedef enum tct_relation {
    TCT_UNRELATED = 0,
    TCT_FIRST_TELLS = 1,  /* the second follows from the first */
    TCT_SECOND_TELLS = 2, /* the first follows from the second */
    TCT_BOTH_TELL = 3,
    TCT_NEARLY_SAME = 4 /* the same up to renaming, or up to scale, but for a few rows */
} tct_relation;

/* Fill in n_values (from the codes), collision, most. */
tacit_status tct_coded_finish(tct_coded *column, size_t n_rows, tacit_error *err);
void tct_coded_clear(tct_coded *column, size_t n_rows);

/* Does `b` follow from `a` in every row, by more than chance?  scratch: room for a->n_values. */
bool tct_determines(const tct_coded *a, const tct_coded *b, size_t n_rows, uint32_t *scratch);
/* scratch: room for the values of both, and for TCT_PAIR_ROOM more. */
enum { TCT_PAIR_ROOM = 1 << 16 };
tct_relation tct_relate(const tct_coded *a, const tct_coded *b, size_t n_rows, uint32_t *scratch);

#endif
