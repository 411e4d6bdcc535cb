/*
 * region.h -- what is known of a person: for every attribute the set of values that it may have.
 *
 * An attribute is known when the set is a single value.  Any other set is its whole domain or part of it: an interval,
 * a stretch of grid values, some of the levels.  An answer narrows a region.  What proofs speak about, the parts that
 * a proof is divided into, and what a session knows are all regions.
 */
#ifndef TCT_REGION_H
#define TCT_REGION_H

#include "encode.h"

/* A view: everything is borrowed. */
typedef struct tct_region {
    const tct_codec *codec;
    const unsigned char *known; /* per attribute: it has one value ... */
    const double *x;            /* ... which is this; per input, read only where known */
    /* What the others may be; per input, read only where not known.  Both NULL: their whole domains.
     *   TCT_BOX      the ends of an interval of encoded values
     *   TCT_GRID     the first and the last index
     *   TCT_ONEHOT   low: 1 where the level belongs to the set, else 0; high is not used */
    const double *low, *high;
} tct_region;

/* With these attributes known, and nothing about the others. */
static inline tct_region tct_region_of(const tct_codec *codec, const unsigned char *known, const double *x)
{
    return (tct_region){codec, known, x, NULL, NULL};
}

/* Room for `low` and `high` of a region. */
typedef struct tct_ranges {
    size_t n_inputs;
    double *low, *high;
} tct_ranges;

/* Lowest and highest encoded value of a TCT_BOX or TCT_GRID attribute that is not known. */
void tct_region_range(const tct_region *region, size_t attribute, double *from, double *to);
/* First and last index of a TCT_GRID attribute that is not known. */
void tct_region_indices(const tct_region *region, size_t attribute, double *first, double *last);
/* Levels in the set of a TCT_ONEHOT attribute that is not known. */
size_t tct_region_levels(const tct_region *region, size_t attribute);
/* Is this level in it? */
static inline bool tct_region_has_level(const tct_region *region, size_t attribute, size_t level)
{
    return !region->low || region->low[region->codec->domains[attribute].first + level] > 0;
}
/* Has an attribute that is not known one value only?  Then asking for it tells nothing. */
bool tct_region_is_single(const tct_region *region, size_t attribute);
/* The value in the set of a TCT_BOX or TCT_GRID attribute that is not known nearest to this one. */
double tct_region_nearest(const tct_region *region, size_t attribute, double value);
/* Is there exactly one completion?  Then its inputs into x, the known ones included. */
bool tct_region_is_point(const tct_region *region, double *x);
/* Does a value of the attribute, as inputs, belong to its set? */
bool tct_region_holds(const tct_region *region, size_t attribute, const double *inputs);

/* The ranges of a region, its own to change.  Freeing wipes. */
tacit_status tct_ranges_of(tct_ranges *out, const tct_region *region, tacit_error *err);
void tct_ranges_clear(tct_ranges *ranges);
/* The region with other ranges. */
tct_region tct_region_within(const tct_region *region, const tct_ranges *ranges);

/* The set of one attribute cut in two. */
typedef struct tct_cut {
    size_t attribute;
    double at;                   /* TCT_BOX: left is <= at, right is >= at.  TCT_GRID: left are the indices below at */
    const unsigned char *levels; /* TCT_ONEHOT: left are the levels k with levels[k] set */
} tct_cut;
/* Are both sides not empty, and the attribute one that is not known? */
bool tct_region_divides(const tct_region *region, const tct_cut *cut);
/* Cut ranges down to one side of a cut that divides their region. */
void tct_ranges_take(tct_ranges *ranges, const tct_codec *codec, const tct_cut *cut, bool right);

#endif
