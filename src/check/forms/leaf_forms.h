/*
 * leaf_forms.h -- linear forms around the neurons of a network over a part of the domain, in plain doubles, with a bound
 * on all rounding kept beside them.
 *
 * The quick way to see that a leaf of a proof holds.  A yes is a proof about what scores() computes.  How is told in
 * leaf_forms.c.
 *
 * Only inputs that vary in the part have a column: numbers first, then the constant, then the levels that are allowed,
 * attribute after attribute.
 */
#ifndef TCT_LEAF_FORMS_H
#define TCT_LEAF_FORMS_H

#include "arena.h"
#include "claim.h"
#include "leaf_loops.h"
#include "mlp.h"

enum {
    TCT_LEAF_HALVINGS = 5, /* of a leaf, while the margin does not hold */
    TCT_LEAF_PARTS = TCT_LEAF_HALVINGS + 1
};

/* A form per neuron: coefficient k of neuron j at k * width + j. */
typedef struct tct_forms_layer {
    size_t n, width;       /* neurons; and filled up */
    const double *columns; /* weights: a row of `width` per value read; not of the first layer */
    double *bias;          /* filled up */
    double *lower, *upper; /* what the neuron computes before its ReLU lies between these, ... */
    double *error;         /* ... give or take this */
    double *size;          /* of the terms of either form, at most */
    double *spread;        /* how far both forms reach, together */
    double *low, *high;    /* what the neuron computes lies between these, in the part at hand */
    double *under;         /* slope of the line from below where it may be active or dead, in [0, 1] */
    double *coefficient;   /* of its output in the margin pulled back last */
    double *gap;           /* what the line put in for it may have cost the margin pulled back last */
    double *middle, *half; /* forms of its output: their mean and half their difference; not of the last hidden layer */
} tct_forms_layer;

/* The columns of an unknown attribute in a leaf, and how they are numbered. */
typedef struct tct_forms_place {
    size_t attribute, column, count; /* count: 0 where it has one value in the leaf, 1 for numbers, else levels */
} tct_forms_place;

/* A leaf, or what is left of it after some halvings. */
typedef struct tct_forms_part {
    double *from, *to;              /* per column: ends of numbers, 1 and 1 for the constant */
    double *first, *last;           /* per column: ends of grids, as indices */
    unsigned char *allowed;         /* per column: levels */
    double *middle, *radius, *most; /* what follows from that: tct_form_box */
    uint32_t *picks, *ends;
    tct_form_box box;
} tct_forms_part;

typedef struct tct_leaf_forms {
    const tct_claim *claim;
    const tct_mlp *mlp;
    const tct_form_loops *loops;
    tct_forms_layer *layers; /* the hidden ones: n_layers - 1 */
    size_t n_layers, widest; /* widest: of layers and forms, filled up */
    double *known;           /* what is known added up, per neuron of the first layer */
    double *first_columns;   /* weights of the first layer, a row per input */
    size_t room;             /* columns that a part may have */

    /* the leaf */
    tct_forms_place *places; /* unknown attributes */
    size_t n_places;
    size_t n_columns, n_numbers; /* n_numbers: the constant's column */
    size_t *input;               /* per column: of which input; the constant's is not read */
    double *value;               /* per input: its value where it has no column */
    size_t *column;              /* per input: TACIT_NONE where it has none */
    tct_forms_part parts[TCT_LEAF_PARTS];
    double rounding; /* relative error of the bounds of a form */

    /* room */
    double *ends[4], *bends[4], *halves, *form, *corner, *row, *next, *gain;
    double *forms_cut; /* per part: the form below the margin when it was halved */
    double *margin;    /* the margin over class `margin_of`, a row over the last hidden layer */
    size_t margin_of;
    uint32_t *list, *bent, *all;

    bool patient;

    /* the margin pulled back last: a form below it */
    double least; /* of the form, less its error */
    double lack;  /* what it lacks, as a share of what all lines may have cost it */
    bool close;   /* within rounding of a yes */

    /* after a no, about the whole leaf */
    double *weakest; /* the form below the margin with the least bound, ... */
    size_t against;  /* ... the class it is against */
    size_t cut;      /* place of the attribute that is best cut; TACIT_NONE: none */
    bool near;       /* within rounding of a yes */
    tct_arena arena;
} tct_leaf_forms;

/* Room for the forms of a claim about a network; both are borrowed. */
tacit_status tct_leaf_forms_new(tct_leaf_forms **out, const tct_claim *claim, const tct_mlp *mlp, tacit_error *err);
void tct_leaf_forms_free(tct_leaf_forms *forms); /* wipes */

/* Do the forms show that every point of this part of the claim's region gets the claim's label?  patient: try all there is,
 * however little it promises. */
bool tct_leaf_forms_hold(tct_leaf_forms *forms, const tct_region *part, bool patient);

/* After a no: the attribute that is best cut, TACIT_NONE if none can be; of a category, the levels for one side (per level:
 * 1 or 0). */
size_t tct_leaf_forms_cut(const tct_leaf_forms *forms, unsigned char *levels);
/* After a no: the completion at which the weakest form is least, all inputs. */
void tct_leaf_forms_corner(const tct_leaf_forms *forms, double *x);

#endif
