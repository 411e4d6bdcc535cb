/*
 * choose.h -- in which order attributes are left out, decided by some people alone.
 */
#ifndef TCT_CHOOSE_H
#define TCT_CHOOSE_H

#include "play.h"
#include "train.h"

/* Told after every attribute chosen; anything but TACIT_OK ends it. */
typedef struct tct_watch {
    tacit_status (*tick)(void *context, uint64_t steps, tacit_error *err); /* steps: done since the last call */
    void *context;
} tct_watch;

/* order[0] is left out first.  Nobody but the people of `part` has a say. */
tacit_status tct_choose_order(size_t *order, const tct_encoded_rows *part, const tct_codec *codec,
                              const tacit_fit_options *fit, const tct_watch *watch, tacit_error *err);

/* Is this a case for logit.h: a linear model of moderate size? */
bool tct_is_logit(const tct_codec *codec, const tacit_fit_options *fit);
double tct_logit_penalty(const tacit_fit_options *fit);

/* ---- trainer.c: any kind of model on some of the attributes and people ---- */

/* The inputs of these attributes, in order, into columns[]; their number. */
size_t tct_inputs_of(size_t *columns, const tct_codec *codec, const size_t *kept, size_t n_kept);
/* Train as tacit_fit does; trees keep all cuts of the codec. */
tacit_status tct_train_part(tct_classifier **out, const tct_encoded_rows *part, const tct_inputs *inputs,
                            size_t n_classes, const tacit_fit_options *fit, const tct_watch *watch, tacit_error *err);
/* Sum of log losses of the people of `part` by a classifier, and how many it decides as they are labelled.  Either may
 * be NULL. */
tacit_status tct_judge(double *loss, size_t *right, const tct_classifier *classifier, const tct_encoded_rows *part,
                       tacit_error *err);

#endif
