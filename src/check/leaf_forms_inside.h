/*
 * leaf_forms_inside.h -- what leaf_forms.c and leaf_back.c share.
 */
#ifndef TCT_LEAF_FORMS_INSIDE_H
#define TCT_LEAF_FORMS_INSIDE_H

#include "leaf_forms.h"

/* Beyond the relative errors of sums of positive numbers; beyond what underflow may take. */
#define FORMS_MORE (1 + 1e-9)
#define FORMS_TINY 1e-290

/* gamma_k, rounded up. */
double tct_forms_gamma(size_t k);

/* A form below `row . x + constant`, the row over the outputs x of the last hidden layer being in f->back, into f->form;
 * returns its error.  Sets the gaps of all layers. */
double tct_forms_pull_margin(tct_leaf_forms *f, double constant);

/* Other lines below the neurons that may be active or dead, for the next time, from the point where the form pulled back
 * last is least. */
void tct_forms_move_lines(tct_leaf_forms *f, const double *corner);

/* out = m w, w having n rows of `width`. */
void tct_forms_sum_rows(const double *m, const double *w, size_t n, size_t width, double *out);

#endif
