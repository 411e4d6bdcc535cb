/*
 * panel.h -- many inputs eliminated at a time: what wide categories cost.
 *
 * Eliminating one input of many reads and writes every number of a large matrix for one product each.  A panel of inputs
 * takes the products one after the other while a number is at hand, in the same order, so the result is the same to the
 * bit.
 */
#ifndef TCT_PANEL_H
#define TCT_PANEL_H

#include <stdbool.h>
#include <stddef.h>

enum { TCT_PANEL = 16 };

/* row[v] loses factors[k] * products[k][v] for k = 0 ... n - 1 in turn; v from `from` to `to`. */
void tct_panel_lose(double *row, size_t from, size_t to, const double *factors, const double *const *products,
                    size_t n);

/*
 * The inputs of an attribute, eliminated in turn.  block, w x w, is their covariance; behind it, number (q, p) with q >= p
 * is the covariance of q with p given the inputs before p, 0 where p is determined by these.  cross, w x k, is their
 * covariance with k scores, and becomes that given the inputs before.  Input p is determined where its variance counts as
 * none beside least[p * skip].  plain: one input after the other, for tests.
 */
void tct_panel_eliminate(double *block, double *cross, size_t w, size_t k, const double *least, size_t skip,
                         bool plain);

#endif
