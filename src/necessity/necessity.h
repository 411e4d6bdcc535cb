/*
 * necessity.h -- the inside of tacit_necessity: what every split found, for those who write it down.
 *
 * A split trains a model for every place: places 0 ... n are all n attributes less the first 0 ... n of the split's own
 * order, place n + 1 + a is all but attribute a.
 */
#ifndef TCT_NECESSITY_H
#define TCT_NECESSITY_H

#include "choose.h"

typedef struct tct_split {
    size_t n_train, n_test;
    size_t *order;    /* n: attributes as the training part leaves them out; order[0] goes first */
    double *accuracy; /* per place, of everybody held out */
    double *asked;    /* per place: attributes asked for at delta = 0, mean over the people played */
    size_t played;    /* people */
    size_t majority;  /* class with most people in the training part */
} tct_split;

struct tacit_necessity {
    tacit_schema *schema;
    size_t n_rows;
    char data_hash[65];
    char *data_name; /* last part of the file's path */
    size_t n_splits;
    double test_share, tolerance;
    uint64_t seed;
    size_t people;
    const tct_trainer *trainer;
    tacit_fit_options fit; /* its kind is the trainer's; `hidden` points to: */
    char hidden[128];
    tct_split *splits;
    size_t *order; /* n: as all rows leave attributes out */
    size_t seen;   /* rows held out at least once */
};

/* Room for a split's findings. */
tacit_status tct_split_init(tct_split *split, size_t n_attributes, tacit_error *err);
void tct_split_clear(tct_split *split);
/* Find them.  Ticks three times the number of attributes and one. */
tacit_status tct_split_run(tct_split *split, const tacit_necessity *necessity, size_t index, const tacit_table *table,
                           const tct_watch *watch, tacit_error *err);

/* ---- figures.c ---- */

/* A mean over splits with its 95 % interval; low and high are NaN with a single split. */
typedef struct tct_mean_interval {
    double mean, low, high;
} tct_mean_interval;

typedef enum tct_figure { TCT_ACCURACY, TCT_ASKED } tct_figure;
tct_mean_interval tct_figure_at(const tacit_necessity *necessity, tct_figure figure, size_t place);
/* That of `place` less that of `other`, split by split. */
tct_mean_interval tct_figure_difference(const tacit_necessity *necessity, tct_figure figure, size_t place,
                                        size_t other);
/* Accuracy of the class with most people in the training part. */
double tct_majority_accuracy(const tacit_necessity *necessity);
/* Mean share of the attributes that the named order keeps at `place` (0 ... n - 1) which the splits' own orders keep,
 * too. */
double tct_agreement(const tacit_necessity *necessity, size_t place);
/* The last place before the first whose loss is not shown to be within the tolerance. */
size_t tct_recommended(const tacit_necessity *necessity);

#endif
