/*
 * coded_people.h -- encoded people, attribute by attribute: a number, or the level of a category in place of its 0s and 1s.
 *
 * The sums of a training run touch every person and every attribute, over and over.  With levels instead of inputs they
 * take as many steps as there are attributes, however many levels these have, and leaving an attribute out costs nothing.
 */
#ifndef TCT_CODED_PEOPLE_H
#define TCT_CODED_PEOPLE_H

#include "encoded.h"

typedef struct tct_coded_column {
    double *values;  /* numbers, integers, ordinal categories: the input.  NULL: a one-hot category */
    uint16_t *codes; /* its level */
    size_t width;    /* inputs */
} tct_coded_column;

typedef struct tct_coded_people {
    size_t n, n_attributes, n_classes;
    tct_coded_column *columns; /* n_attributes */
    int32_t *labels;
} tct_coded_people;

/* The people of `part` for whom `marks` is `mark` (equal), or is not (!equal); marks NULL: everybody. */
tacit_status tct_coded_people_new(tct_coded_people **out, const tct_encoded_rows *part, const tct_codec *codec,
                                  const unsigned char *marks, unsigned char mark, bool equal, tacit_error *err);
void tct_coded_people_free(tct_coded_people *coded); /* wipes */

#endif
