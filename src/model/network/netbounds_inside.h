/*
 * netbounds_inside.h -- what netbounds.c and netbox.c share.
 */
#ifndef TCT_NETBOUNDS_INSIDE_H
#define TCT_NETBOUNDS_INSIDE_H

#include "netbounds.h"

/* One affine layer and the neurons it feeds.  Arrays per neuron are `width` long, n filled up. */
struct tct_net_layer {
    size_t n, width;
    size_t first_unit;                /* of its neurons among all hidden ones */
    double *weights;                  /* n rows; of the first layer only the free inputs */
    double *columns;                  /* the same, one row per input */
    double *bias;                     /* first layer: what is known is folded in */
    double *bias_size;                /* sum of the absolute values that made it */
    double *reach;                    /* |z| and its sum of |terms|, anywhere in the region */
    double *most;                     /* largest value handed on, anywhere in the region */
    double *least_whole, *most_whole; /* bounds of z over the whole region */
    double *least_here, *most_here;   /* and over the box */
    double *above, *below, *offset;   /* see tct_relaxation */
    double *slopes;                   /* `above` for the row at hand */
    double *coefficients;             /* of that row */
    double *gaps;                     /* slack that the lines put into that row */
    int64_t *phases;                  /* over the box; behind the last neuron: dead */
    double *values;                   /* at a point */
    uint32_t *live, *open;            /* neurons that are not dead; that are open */
    size_t n_live, n_open;
    /* Behind the first layer: neurons that were open when bounded last, and what they were pulled back to.  Of neuron
     * formed[k], a form below z and one below -z: column k of forms[0] and [1], a row of `wide` per input. */
    uint32_t *formed;
    size_t n_formed, wide;
    double *forms[2], *constants[2], *pads[2]; /* pads: what is for rounding */
};

static inline tct_neurons tct_net_neurons(const tct_net_layer *layer)
{
    return (tct_neurons){layer->phases, layer->least_here, layer->most_here, layer->least_whole, layer->most_whole,
                         layer->above,  layer->below,      layer->offset,    layer->slopes};
}

/* Largest less smallest term that an unknown attribute adds to form . x over the box the engine is at. */
double tct_netbounds_range(const tct_netbounds *nb, size_t unknown, const double *form);

/* ---- netside.c ---- */

/* The box was opened: find where the side is least. */
void tct_side_place(tct_netbounds *nb);
/* No more than sign a . x + constant - pad on the side within the box; tilt: how much of the side's form was added. */
double tct_side_bound(tct_netbounds *nb, const double *a, double sign, double constant, double pad, double *tilt);

#endif
