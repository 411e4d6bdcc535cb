/*
 * netbounds.h -- sound linear bounds on a network over part of a region.
 *
 * A region leaves some attributes unknown; their inputs are the free ones.  A box is a part of that region: 2 x n_free
 * numbers, the low ends, then the high ends.  Per free input:
 *   TCT_BOX     lowest and highest value
 *   TCT_GRID    lowest and highest index
 *   TCT_ONEHOT  high = 0: this level is excluded, any other number: it is allowed; low is not read
 * The margin of a label over a class is f_label - f_class, or f and -f with a single score.  What is bounded are the
 * very numbers that scores() computes, its rounding included (netbounds.c tells how).
 *
 * An engine belongs to one thread.  After tct_netbounds_new nothing is allocated.
 */
#ifndef TCT_NETBOUNDS_H
#define TCT_NETBOUNDS_H

#include "mlp.h"
#include "netlanes.h"

enum { TCT_SIDE_ROOM = 2, TCT_POINTS = 4 };

/* An unknown attribute. */
typedef struct tct_unknown {
    size_t attribute, input; /* its index, and its first input in the model */
    size_t first, width;     /* its inputs among the free ones */
    tct_kind kind;
    size_t count; /* as in tct_domain */
} tct_unknown;

/* One margin to be bounded from below. */
typedef struct tct_margin_row {
    size_t against; /* the other class */
    double lower;   /* over the box, rounding included; -inf when nothing can be said.  Proven when > 0 */
    double pad;     /* how much of it is for rounding */
} tct_margin_row;

typedef struct tct_net_layer tct_net_layer;

typedef struct tct_netbounds {
    const tct_mlp *mlp; /* borrowed, as is the codec */
    const tct_codec *codec;
    tct_region region; /* the one at hand; what it points to is borrowed */
    tct_unknown *unknown;
    size_t n_unknown, n_free;
    size_t n_units; /* hidden neurons: one phase each */
    size_t label;   /* whose margins */
    tct_margin_row *rows;
    size_t n_rows;

    uint64_t work; /* products formed, about; counts up */
    bool many;     /* set by whoever searches: many boxes will be bounded, one more matters less than its cost */

    const double *form;              /* n_free: the last row bounded is at least form . x + a constant, on the box */
    bool exact;                      /* no open neuron took part: that is an equality, up to rounding */
    double form_constant, form_size; /* that constant; size of the form's terms, at most */
    double slack;                    /* what the lines of open neurons may have cost it */

    /* only for netbounds.c */
    const tct_lanes *lanes;
    tct_net_layer *layers; /* the last one is the scores */
    tct_span *spans;
    char *block, *arena;       /* as allocated, as used */
    size_t arena_size, stride; /* stride: n_free filled up */
    bool sound;                /* what is known lies in [-1, 1] */
    double rounding;           /* relative error allowed for */
    bool single;               /* single precision may be used, ... */
    double single_rounding;    /* ... forms of neurons allow for this then, ... */
    bool near_zero;            /* ... and the margin in doubt is so near zero that this matters */
    bool single_forms;         /* forms at hand were made so */
    double floor;              /* size of what underflow may cost */
    double *low, *high;        /* values of the free inputs in this box; of one-hot ones, `high` as in the box */
    double *high_number;       /* the same with 0 for one-hot inputs, as has `low` */
    double *most;              /* size of inputs that are numbers over the whole region, 0 for one-hot ones */
    double *row_weights, *row_bias;
    double *rows_a, *rows_b, sum, size; /* rows being pulled back, and what the one row has added up */
    double *shares;                     /* per unknown attribute */
    double *best_form;                  /* room for one */
    double *corner;                     /* and for a point, or another form */
    double *room[2], *share_room;       /* and for a number per neuron, and for sharing out */
    uint32_t *picks;

    /* inputs that vary in the box whose neurons were bounded last, one after the other (netcolumns.c) */
    uint32_t *vary; /* which of the free ones */
    size_t n_vary, n_vary_spans, widest;
    tct_span *vary_spans;
    size_t *vary_unknown;                    /* whose they are */
    double *vary_low, *vary_high;            /* in the box at hand */
    double *vary_weights, *vary_columns;     /* of the first layer */
    double *bias_here;                       /* what does not vary folded in */
    double *vary_side, *vary_corner, *mixed; /* of side and side_corner; room for forms between layers */
    double *vary_shares;
    float *single_vary, *single_lines[5]; /* weights and lines in single precision */
    uint32_t *single_open;
    uint32_t *fixed; /* the others that are not 0, their values, and what the side's form makes of them */
    double *fixed_values, side_fixed;
    size_t n_fixed;

    /* the side of a plane to which bounds are confined (netside.c) */
    bool sided;
    double *side, side_constant, side_size; /* side . x + constant <= 0 there; size of the terms */
    double *side_corner, side_least;        /* the point of the box where it is least; no more than its value there */
} tct_netbounds;

tacit_status tct_netbounds_new(tct_netbounds **out, const tct_mlp *mlp, const tct_codec *codec, tacit_error *err);
void tct_netbounds_free(tct_netbounds *nb); /* wipes */
/* Wipe all that depends on a region: as it was when new. */
void tct_netbounds_forget(tct_netbounds *nb);

/* Say what is known.  region->codec must be the engine's.  The region's arrays are read until the next one is said. */
void tct_netbounds_region(tct_netbounds *nb, const tct_region *region);
/* The box of the whole region. */
void tct_netbounds_whole(const tct_netbounds *nb, double *box);
/* Say whose margins are meant: one row per other class. */
void tct_netbounds_label(tct_netbounds *nb, size_t label);

/* Bound all hidden neurons.  phases: n_units, those of a box around this one, updated.  `whole`: the box is the whole
 * region; this must be the first call after tct_netbounds_region, and phases need not be set.  Children reuse what it
 * found.  Call tct_netbounds_label at any time before the first row. */
void tct_netbounds_units(tct_netbounds *nb, const double *box, unsigned char *phases, bool whole);
/* The same for a part of the box of the last tct_netbounds_units, at a fraction of its cost: the forms found there
 * hold on every part of it, so behind the first layer they are only taken over less.  Any number of parts, one after
 * the other.  phases: those of a box around this one, updated. */
void tct_netbounds_part(tct_netbounds *nb, const double *box, unsigned char *phases);
/* Bound one margin over the box of the last tct_netbounds_units or tct_netbounds_part: rows[row].lower and pad, form, exact. */
void tct_netbounds_row(tct_netbounds *nb, size_t row);
/* Try to raise the bound of the row bounded last, if it is not proven and that looks worth it, by other lines below its open
 * neurons.  As tct_netbounds_row, for the better lines. */
void tct_netbounds_raise(tct_netbounds *nb, size_t row, const double *box);
/* What the row bounded last leaves in doubt on its box, one side of a plane, into side: TCT_SIDE_ROOM numbers beside one
 * for each lane of the free inputs. */
void tct_netbounds_keep(const tct_netbounds *nb, size_t row, double *side);
/* The same for "all of a box". */
void tct_netbounds_keep_all(const tct_netbounds *nb, double *side);
/* Of boxes to come, bound only what is on that side: for parts of the box on which it was kept, and only for that row.
 * NULL: all of a box.  What is found of neurons then holds on that side only. */
void tct_netbounds_within(tct_netbounds *nb, const double *side);
/* The point of the box (n_free values of inputs) where the last form is least. */
void tct_netbounds_corner(const tct_netbounds *nb, const double *box, double *point);

/* Cut off parts of the box where the last row bounded is already proven; there must be some left, i.e. the row is not
 * proven. */
void tct_netbounds_clip(const tct_netbounds *nb, size_t row, double *box);
/* The unknown attribute (index into `unknown`) that is best split to raise the last row's bound; TACIT_NONE when each
 * has one value left.  One-hot levels of it that are allowed get high = 1 in one half and 2 in the other one. */
size_t tct_netbounds_split(tct_netbounds *nb, double *box, const double *box_before);
/* Half 0 or 1 of a box split that way. */
void tct_netbounds_half(const tct_netbounds *nb, const double *box, size_t split, int half, double *child);

/* Number of points in a box, at most `limit`: limit + 1 when there are more. */
size_t tct_netbounds_count(const tct_netbounds *nb, const double *box, size_t limit);
/* A margin at a point (n_free values, filled up to a multiple of TCT_LANES with zeros), without any promise about
 * rounding, and its gradient (as long, or NULL; it overwrites the last form). */
double tct_netbounds_value(tct_netbounds *nb, size_t row, const double *point, double *gradient);
/* The same at n <= TCT_POINTS points, one after the other in memory, and faster; it overwrites the last form. */
void tct_netbounds_values(tct_netbounds *nb, size_t row, const double *points, size_t n, double *values);

/* What tct_classifier_ops.margins promises, for networks: one bound of the whole region, for every other class.
 * Without memory for it all of them are -inf. */
void tct_netbounds_margins(const tct_classifier *classifier, const tct_region *region, size_t label, double *lower);

#endif
