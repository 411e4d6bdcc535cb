/*
 * bases.h -- what is known beforehand about people who have answered about the same questions.
 *
 * People hardly share a way, but at any time most of them have been asked about the same attributes: those with the largest
 * weights.  Attributes in that order have places, and a base is the posterior once the first so many of them are known, as
 * one swept matrix S with a row for every variable.  Let B be what the base knows and U the others:
 *
 *     S_UU  covariance given B        S_UB  what B's deviations add to means of U, per unit        S_BB  -Sigma_BB^-1
 *
 * It follows from the model alone.
 */
#ifndef TCT_BASES_H
#define TCT_BASES_H

#include "plan.h"

enum {
    TCT_BASE_TILE = 16
}; /* rows are this many numbers or a multiple; the first place of every base is one of a tile */

typedef struct tct_bases {
    size_t n, stride; /* variables, and from row to row; the last but padding is the score: place n */
    size_t step, count;
    size_t *attribute;    /* by place */
    double **matrix;      /* count: base b knows places 0 ... b step - 1 */
    unsigned char *known; /* by attribute: at the start */
    size_t n_attributes;
} tct_bases;

/* *out stays NULL where they would not pay or not hold: too few or too many unknown attributes, or one that the others nearly
 * determine.  start: unknown are sensitive attributes, one variable each. */
tacit_status tct_bases_new(tct_bases **out, const tacit_model *model, const tct_extremes *extremes,
                           const tct_stage *start, tacit_error *err);
void tct_bases_free(tct_bases *bases);
/* Those that the model keeps, for all threads, made by whoever asks first; NULL: there are none for this start, or somebody
 * is making them. */
const tct_bases *tct_bases_of(const tacit_model *model, const tct_extremes *extremes, const tct_stage *start);

#endif
