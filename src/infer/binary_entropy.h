/*
 * binary_entropy.h -- how open a label with two classes is: entropies of many Gaussian scores at a time.
 */
#ifndef TCT_BINARY_ENTROPY_H
#define TCT_BINARY_ENTROPY_H

#include "netlanes.h"

/* h[i]: entropy in nats of "score >= 0" when the score is Gaussian with this mean and variance; relative accuracy near
 * 1e-12 however sure the label is, 0 beyond 37 standard deviations and where there is no variance.  The same bits on
 * every processor. */
void tct_binary_entropies(const double mean[TCT_LANES], const double variance[TCT_LANES], double h[TCT_LANES]);

#endif
