/*
 * netquick.h -- labels that a network gives to many points that share most of their inputs, in single precision where
 * that is enough to tell.
 *
 * The first layer is affine: what the shared inputs make of it (the base) is found once, and points add what their own
 * inputs do; of a category that is the weight of its level.  Single precision takes a fraction of the time of double precision.  How far its scores may be off is
 * bounded beforehand; where the label could be another one, none is given, and the caller works it out in double.
 */
#ifndef TCT_NETQUICK_H
#define TCT_NETQUICK_H

#include "mlp.h"

enum { TCT_QUICK = 32 /* points side by side */, TCT_UNSURE = 255 /* no label */ };

/* Levels of a category are given as this and their number: then the number is in the lowest bits. */
static const float TCT_QUICK_LEVELS = 0x1.8p23F;

/* What points have of their own: an input, or a category of that many levels, whose inputs are 0 but for that of the level. */
typedef struct tct_quick_term {
    size_t first;  /* input */
    size_t levels; /* 0: it is a number */
} tct_quick_term;

struct tct_quick_loops;

/* A network, and room to work: for one thread. */
typedef struct tct_netquick {
    const tct_mlp *mlp;
    size_t n_first, n_scores;
    float *weights; /* layers behind the first, one after the other, row-major */
    float *rows;    /* of the first layer: one per neuron, and TCT_QUICK more numbers */
    float *bias;    /* layers behind the first, one after the other */
    float *base;    /* n_first */
    float *values;  /* two layers x TCT_QUICK */
    size_t *live;   /* neurons of a layer that are not 0 at all of the points */
    size_t *open;   /* neurons of the first layer that some point may activate */
    size_t n_open;
    double *reach, *error; /* two layers each: how large values may be, how far off */
    float doubt;           /* scores are not further off than this */
    bool fits;             /* no weight is beyond single precision */
    size_t widest, n_weights, n_bias;
    const struct tct_quick_loops *loops;
} tct_netquick;

/* *out stays NULL for classifiers that are no networks. */
tacit_status tct_netquick_new(tct_netquick **out, const tct_classifier *classifier, tacit_error *err);
void tct_netquick_free(tct_netquick *quick); /* wipes */
void tct_netquick_wipe(tct_netquick *quick);

/* The points to come: base[n_first] as tct_netline_first gives it, plus terms[0..n); numbers lie in [-1, 1]. */
void tct_netquick_begin(tct_netquick *quick, const double *base, const tct_quick_term *terms, size_t n);
/* Labels of TCT_QUICK points, or TCT_UNSURE; x: n x TCT_QUICK, values of terms[0..n) rounded to single precision, or levels. */
void tct_netquick_labels(tct_netquick *quick, const tct_quick_term *terms, size_t n, const float *x, uint8_t *label);

#endif
