/*
 * frame.h -- is a linear decision settled, for one set of known attributes?
 *
 * The worst that the unknown attributes can do to a margin does not depend on what is known about the others.  A
 * tct_frame holds it once per set of known attributes; testing a person is then a few additions.
 */
#ifndef TCT_FRAME_H
#define TCT_FRAME_H

#include "extremes.h"

typedef struct tct_frame {
    const tct_extremes *extremes; /* borrowed */
    double *floor; /* (label, class): sum of the worst terms of the unknown attributes, minus the rounding pad */
} tct_frame;

tacit_status tct_frame_new(tct_frame **out, const tct_extremes *extremes, const unsigned char *known, tacit_error *err);
void tct_frame_free(tct_frame *frame);

/* The label that every completion gets, or TACIT_NONE when that is not proven.  partial[n_scores]: bias plus the terms
 * of the known inputs. */
size_t tct_frame_certain(const tct_frame *frame, const double *partial);

#endif
