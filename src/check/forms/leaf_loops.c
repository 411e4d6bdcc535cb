/*
 * leaf_loops.c -- the loops of forms for every level.
 */
#include "leaf_loops.h"

#include <math.h>

static const double MORE = TCT_FORMS_MORE, TINY = TCT_FORMS_TINY;

#define LOOPS "leaf_forms_loops.h"
#include "simd_levels.h"

const tct_form_loops *tct_form_loops_best(void)
{
    return TCT_SIMD_PICK(&loops);
}
