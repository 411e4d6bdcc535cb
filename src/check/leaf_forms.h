/*
 * leaf_forms.h -- linear forms around the outputs of a network over a part of the domain, in plain doubles, with a bound
 * on all rounding kept beside them.
 *
 * The quick way to see that a leaf of a proof holds.  A yes is a proof about what scores() computes.  How is told in
 * leaf_forms.c.
 */
#ifndef TCT_LEAF_FORMS_H
#define TCT_LEAF_FORMS_H

#include "arena.h"
#include "claim.h"
#include "mlp.h"

/* A form is a row of `stride` coefficients: of the unknown inputs, then the constant, then zeros. */
typedef struct tct_forms_layer {
    double *lower, *upper; /* n forms each: every output as computed lies between them, ... */
    double *error;         /* ... give or take this */
    double *size;          /* of the terms of either form: at most their sum */
    double *cost;          /* what an output adds to the error of a neuron that reads it, per unit of weight */
    double *slope;         /* of the form above, in terms of the neuron: 0 dead, 1 active */
    double *slack;         /* how far the two forms may be apart because the ReLU bends */
    double *low, *high;    /* what the neuron computes before its ReLU lies between these */
    double *before;        /* the error of the neuron before its ReLU */
    double *under;         /* slope of the line from below where it may be active or dead, in [0, 1] */
    double *coefficient;   /* of its output in the margin pulled back last */
    double *gap;           /* what the lines put in for it may have cost the margin pulled back last */
    double sum_most;       /* of the largest values of all outputs */
    double *middle, *half; /* the same two forms as their mean and half their difference */
    uint32_t *live, *bent; /* outputs that are not dead; whose two forms differ */
    size_t n_live, n_bent;
} tct_forms_layer;

typedef struct tct_leaf_forms {
    const tct_claim *claim;
    const tct_mlp *mlp;
    size_t n_free, stride;
    double rounding;    /* gamma of the bounds of a form */
    size_t *categories; /* unknown attributes that are one-hot */
    size_t n_categories;
    size_t *column;           /* per input: its place in a form; TACIT_NONE where known */
    double *from, *to, *most; /* per place: ends of its range and their size; of levels 0, 0 and 1 */
    unsigned char *allowed;   /* per place: levels in the part */
    double *first;            /* forms of the first layer before the ReLU: the same for every part */
    double *first_error;      /* and what their rounding may cost */
    tct_forms_layer *layers;  /* n_layers - 1 */
    double *form;             /* room for one */
    double *corner;           /* room for a point */
    double *back;             /* room for two rows over the outputs of a layer, or for forms */
    size_t widest;            /* of these */
    double *weakest;          /* after a no: the form below the margin with the least bound, ... */
    size_t against;           /* ... the class it is against */
    bool near;                /* after a no: within rounding of a yes */
    tct_arena arena;
} tct_leaf_forms;

/* Room for the forms of a claim about a network; both are borrowed. */
tacit_status tct_leaf_forms_new(tct_leaf_forms **out, const tct_claim *claim, const tct_mlp *mlp, tacit_error *err);
void tct_leaf_forms_free(tct_leaf_forms *forms); /* wipes */

/* Do the forms show that every point of this part of the claim's region gets the claim's label? */
bool tct_leaf_forms_hold(tct_leaf_forms *forms, const tct_region *part);

#endif
