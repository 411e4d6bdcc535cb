/*
 * leaf_network.h -- is a network's label the same all over one part of the domain?  Bounds for the leaves of a proof.
 *
 * Sound, not complete: a yes is a proof about what scores() computes, a no says nothing, except where the part is a
 * single point.  How the bounds are made is told in leaf_network.c.
 */
#ifndef TCT_LEAF_NETWORK_H
#define TCT_LEAF_NETWORK_H

#include "interval.h"
#include "leaf_forms.h"
#include "leaves.h"
#include "mlp.h"

/* What is known about the outputs of one hidden layer.  A form is a linear function of the unknown inputs: their
 * coefficients, then the constant. */
typedef struct tct_leaf_layer {
    tct_interval *lower, *upper; /* n x (n_free + 1): a form below and one above each output */
    double *low, *high;          /* each output as computed by scores() lies between these */
    double *error;               /* and this far from the exact one at most */
    double *slope;               /* of the form above, in terms of the neuron: 0 dead, 1 active */
    double *slack;               /* how far the two forms may be apart because the ReLU bends */
} tct_leaf_layer;

typedef struct tct_net_leaf {
    tct_leaf base;
    const tct_claim *claim;
    const tct_mlp *mlp;
    tct_arena arena;
    size_t n_free;          /* inputs of unknown attributes */
    size_t *column;         /* per input: its place in a form; TACIT_NONE where known */
    double *from, *to;      /* per input: ends of its range, 0 and 1 (0 and 0 where not allowed) for levels */
    tct_interval *first;    /* forms of the first layer before the ReLU: the same for every part */
    tct_leaf_layer *layers; /* n_layers - 1 */
    double *low, *high;     /* scores as computed */
    double *error;          /* scores: |computed - exact| */
    tct_interval *form;     /* room for one */
    tct_interval *weakest;  /* form below the margin with the smallest bound, after a no */
    double *point;          /* room for all inputs */
    tct_leaf_forms *forms;  /* the quick way; NULL: do without */
} tct_net_leaf;

/* Room for the claim's bounds; the claim is borrowed.  Its classifier must be a network. */
tacit_status tct_net_leaf_new(tct_net_leaf **out, const tct_claim *claim, tacit_error *err);
void tct_net_leaf_free(tct_net_leaf *leaf); /* wipes */

/* Does every point of this part of the claim's region get the claim's label? */
bool tct_net_leaf_holds(tct_net_leaf *leaf, const tct_region *part);

/* The same, but a no is given as soon as the forms in doubles are far from a yes, and plain intervals say no, which need
 * not be tried: for those who then cut the part.  forms->weakest is a form of this part. */
bool tct_net_leaf_holds_quickly(tct_net_leaf *leaf, const tct_region *part, bool plain);

/* Least value of a form over the part that was last looked at. */
double tct_net_leaf_least(const tct_net_leaf *leaf, const tct_interval *form);

#endif
