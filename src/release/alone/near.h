/*
 * near.h -- posterior means of one person from those of people who have answered about the same questions (bases.h).
 *
 * Attributes are places in the order of the bases here, and values and means are differences from the means at the start.
 */
#ifndef TCT_NEAR_H
#define TCT_NEAR_H

#include "bases.h"

typedef struct tct_near tct_near;

tacit_status tct_near_new(tct_near **out, const tct_bases *bases, tacit_error *err);
void tct_near_free(tct_near *near); /* wipes */
void tct_near_forget(tct_near *near);

/* At the start of somebody's way; values[]: by place. */
void tct_near_start(tct_near *near, const double *values);
/* The answer at a place is known: by how much it was off, and its variance before.  False: this person is near no base. */
bool tct_near_answer(tct_near *near, size_t place, double *off, double *variance);
/* Of the places of a tile that are not known; of the others: any. */
void tct_near_means(const tct_near *near, size_t tile, double *means);
double tct_near_variance(tct_near *near, size_t place);
/* Of the score. */
double tct_near_score(const tct_near *near);
/* The last base that knows nothing but what the person has answered: its variances are no less than the person's. */
size_t tct_near_base_within(const tct_near *near);
/* How far what was computed is from solving the equations, relative to their size. */
double tct_near_residual(const tct_near *near);

#endif
