/*
 * crowd.h -- encoded people, attribute by attribute: a number, or the level of a category in place of its 0s and 1s.
 *
 * The sums of a training run touch every person and every attribute, over and over.  With levels instead of inputs they
 * take as many steps as there are attributes, however many levels these have, and leaving an attribute out costs nothing.
 */
#ifndef TCT_CROWD_H
#define TCT_CROWD_H

#include "encoded.h"

typedef struct tct_crowd_column {
    double *values;  /* numbers, integers, ordinal categories: the input.  NULL: a one-hot category */
    uint16_t *codes; /* its level */
    size_t width;    /* inputs */
} tct_crowd_column;

typedef struct tct_crowd {
    size_t n, n_attributes, n_classes;
    tct_crowd_column *columns; /* n_attributes */
    int32_t *labels;
} tct_crowd;

/* The people of `part` for whom `marks` is `mark` (equal), or is not (!equal); marks NULL: everybody. */
tacit_status tct_crowd_new(tct_crowd **out, const tct_part *part, const tct_codec *codec, const unsigned char *marks,
                           unsigned char mark, bool equal, tacit_error *err);
void tct_crowd_free(tct_crowd *crowd); /* wipes */

#endif
