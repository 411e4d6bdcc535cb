/*
 * bounder.h -- margins of a network over region after region, without setting up anew each time.
 */
#ifndef TCT_BOUNDER_H
#define TCT_BOUNDER_H

#include "model.h"

typedef struct tct_bounder tct_bounder;

tacit_status tct_bounder_new(tct_bounder **out, const tct_classifier *network, const tct_codec *codec,
                             tacit_error *err);
void tct_bounder_free(tct_bounder *bounder); /* wipes */
/* What tct_classifier_ops.margins promises. */
void tct_bounder_margins(tct_bounder *bounder, const tct_region *region, size_t label, double *lower);

#endif
