/*
 * leaf_forms_inside.h -- what leaf_forms.c, leaf_back.c and leaf_cut.c share.
 */
#ifndef TCT_LEAF_FORMS_INSIDE_H
#define TCT_LEAF_FORMS_INSIDE_H

#include "leaf_forms.h"
#include "leaf_loops.h"

/* gamma_k, rounded up. */
double tct_forms_gamma(size_t k);

/* Bounds of all neurons over a part of the leaf, from the forms of the whole leaf. */
void tct_forms_narrow(tct_leaf_forms *f, const tct_forms_part *part);

/* ---- leaf_back.c ---- */

/* Lines from below for all neurons: those of less area. */
void tct_forms_set_lines(tct_leaf_forms *f);
/* Does the margin of the label over class c, pulled back, hold over the part to which neurons were narrowed last?  Lines
 * from below are as they were left, and moved while attempts remain and the margin lacks less than `worth` of what lines
 * may have cost.  The form and what is told about it are left in f; the gaps of all layers are set. */
bool tct_forms_margin_holds(tct_leaf_forms *f, const tct_forms_part *part, size_t c, size_t attempts, double worth);

/* ---- leaf_cut.c ---- */

/* Can attribute `places[u]` be cut in two? */
bool tct_forms_can_cut(const tct_leaf_forms *f, const tct_forms_part *part, size_t u);
/* Which one is worth most to cut, for the margin pulled back last; TACIT_NONE: none can be. */
size_t tct_forms_best_cut(tct_leaf_forms *f, const tct_forms_part *part);
/* The half 0 or 1 of a part, cut at attribute `places[u]`; half 0 is where f->form is less. */
void tct_forms_halve(const tct_leaf_forms *f, const tct_forms_part *part, size_t u, const double *form, int half,
                     tct_forms_part *out);
/* What follows from the ends and levels of a part. */
void tct_forms_complete_part(const tct_leaf_forms *f, tct_forms_part *part);

#endif
