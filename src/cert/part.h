/*
 * part.h -- parts of the domain of what is unknown: products of intervals, ranges of grids and sets of levels.
 */
#ifndef TCT_PART_H
#define TCT_PART_H

#include "model.h"
#include "proof.h"

/* What a proof is about: with these attributes known, every completion gets this label. */
typedef struct tct_claim {
    const tacit_model *model;
    const unsigned char *known; /* per attribute */
    const double *x;            /* per input; read only where known */
    size_t label;
} tct_claim;

/* Two numbers per input; those of known attributes are not looked at.
 *   TCT_BOX      low and high: the ends of an interval of encoded values
 *   TCT_GRID     low and high: the first and the last index
 *   TCT_ONEHOT   low: 1 where the level belongs to the set, else 0; high is not used */
typedef struct tct_part {
    size_t n_inputs;
    double *low, *high;
} tct_part;

/* Everything.  Freeing wipes. */
tacit_status tct_part_whole(tct_part *out, const tct_codec *codec, tacit_error *err);
tacit_status tct_part_copy(tct_part *out, const tct_part *part, tacit_error *err);
void tct_part_clear(tct_part *part);

/* Levels in the set of a one-hot attribute. */
size_t tct_part_levels(const tct_part *part, const tct_domain *domain);
/* The ends of a TCT_BOX or TCT_GRID attribute as encoded values. */
void tct_part_range(const tct_part *part, const tct_codec *codec, size_t attribute, double *from, double *to);
/* Is there exactly one completion?  Then its inputs into x, the known ones included. */
bool tct_part_is_point(const tct_part *part, const tct_claim *claim, double *x);

/* Does the node divide the part into two that are not empty? */
bool tct_part_divides(const tct_part *part, const tct_claim *claim, const tct_proof *proof, const tct_split *node);
/* Cut the part down to one side of a node that divides it. */
void tct_part_take(tct_part *part, const tct_codec *codec, const tct_proof *proof, const tct_split *node, bool right);

#endif
