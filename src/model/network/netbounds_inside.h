/*
 * netbounds_inside.h -- what netbounds.c and netbox.c share.
 */
#ifndef TCT_NETBOUNDS_INSIDE_H
#define TCT_NETBOUNDS_INSIDE_H

#include "netbounds.h"

/* One affine layer and the neurons it feeds.  Arrays per neuron are `width` long, n filled up. */
struct tct_net_layer {
    size_t n, width;
    size_t first_unit;                      /* of its neurons among all hidden ones */
    double *weights;                        /* n rows; of the first layer only the free inputs */
    double *columns;                        /* the same, one row per input */
    float *single_weights, *single_columns; /* both in single precision, of hidden layers behind the first */
    double *bias;                           /* first layer: what is known is folded in */
    double *bias_size;                      /* sum of the absolute values that made it */
    double *reach;                          /* |z| and its sum of |terms|, anywhere in the region */
    double *most;                           /* largest value handed on, anywhere in the region */
    double *least_whole, *most_whole;       /* bounds of z over the whole region */
    double *least_here, *most_here;         /* and over the box */
    double *above, *below, *offset;         /* see tct_relaxation */
    double *slopes;                         /* `above` for the row at hand */
    double *coefficients;                   /* of that row */
    double *gaps;                           /* slack that the lines put into that row */
    int64_t *phases;                        /* over the box; behind the last neuron: dead */
    double *values;                         /* at a point */
    uint32_t *live;                         /* neurons that are not dead */
    size_t n_live;
    double *plus, *minus, *size; /* see tct_pull */
    /* Behind the first layer (netcolumns.c): what neurons that were open when bounded last were pulled back to.  Of neuron
     * j, a form below z and one below -z: column j of forms[0] and [1], a row per input that varied. */
    double *forms[2], *constants[2], *pads[2]; /* pads: what is for rounding */
};

static inline tct_neurons tct_net_neurons(const tct_net_layer *layer)
{
    return (tct_neurons){layer->phases, layer->least_here, layer->most_here, layer->least_whole, layer->most_whole,
                         layer->above,  layer->below,      layer->offset,    layer->slopes};
}

/* Next piece of the arena; without an arena only counts. */
void *tct_netbounds_carve(const tct_netbounds *nb, size_t *used, size_t count, size_t size);
/* Largest less smallest term that an unknown attribute adds to form . x over the box the engine is at. */
double tct_netbounds_range(const tct_netbounds *nb, size_t unknown, const double *form);

/* ---- netcolumns.c ---- */

/* Its part of the arena; widest: of inputs and layers, filled up. */
void tct_columns_carve(tct_netbounds *nb, size_t *used, size_t widest);
/* May forms be made in single precision? */
void tct_columns_choose(tct_netbounds *nb);
/* The engine was put on a box whose neurons are to be bounded anew: which inputs vary there. */
void tct_columns_open(tct_netbounds *nb);
/* The engine was put on a box: what netcolumns.c keeps of it. */
void tct_columns_place(tct_netbounds *nb);
/* Bounds of the neurons of the first layer. */
void tct_columns_first(tct_netbounds *nb);
/* Bounds of the open neurons of a layer behind the first, anew. */
void tct_columns_bound(tct_netbounds *nb, size_t l);
/* The same over a part of the box, by the forms found there. */
void tct_columns_part(tct_netbounds *nb, size_t l);
/* Gaps of a layer's neurons, in proportion to how much each attribute moves their two bounds, to the shares of attributes
 * (tct_lanes.share).  What the attributes do not explain comes from other open neurons, and is shared out with theirs. */
void tct_columns_share(tct_netbounds *nb, size_t l);

/* ---- netside.c ---- */

/* The box was opened: find where the side is least. */
void tct_side_place(tct_netbounds *nb);
/* No more than sign a . x + constant - pad on the side within the box; tilt: how much of the side's form was added. */
double tct_side_bound(tct_netbounds *nb, const double *a, double sign, double constant, double pad, double *tilt);

#endif
