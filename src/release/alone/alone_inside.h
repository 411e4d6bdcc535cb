/*
 * alone_inside.h -- what the files of alone.h share.
 */
#ifndef TCT_ALONE_INSIDE_H
#define TCT_ALONE_INSIDE_H

#include "alone.h"

enum { SLOTS = 16 };  /* of a tile */
#define ROUNDING 1e-9 /* of sums, relative to the sum of what is added */

#define NOBODY SIZE_MAX        /* of a tile is left */
#define ANYBODY (SIZE_MAX - 1) /* may lead: to be found out */

/* By slot. */
enum { WEIGHT_0, WEIGHT_1, WORST_0, WORST_1, LOW, HIGH, COST, SPEED, DOUBTS, MEAN, VARIANCE, SCORE, SLOT_ARRAYS };

typedef struct ranked {
    double key;
    size_t index;
} ranked;

struct tct_alone {
    const tacit_model *model;
    const tct_extremes *extremes;
    tct_linear_proof *proof;
    size_t n_attributes;
    ranked *order;    /* room for as many as there are attributes */
    size_t *by_range; /* sensitive attributes, largest range of terms first */
    size_t n_by_range;
    double *prior;        /* variances before anything was known, of sensitive attributes */
    unsigned char *known; /* per attribute */
    size_t *unknown;      /* attributes, ascending: once listed */
    size_t n_unknown;
    /* slots */
    const tct_belief *start;
    size_t n_slots, n_tiles;
    double *slots[SLOT_ARRAYS];
    size_t *attribute;         /* by slot */
    uint32_t *position;        /* by slot: of its variable in the start */
    size_t *slot_of;           /* by attribute */
    bool *open;                /* by slot: not yet known */
    double *means, *variances; /* by position, for the rule */
    /* tiles */
    size_t *seen;          /* answers */
    size_t *n_open;        /* candidates left */
    size_t *best;          /* slot of the leading candidate by what was seen, NOBODY, or ANYBODY: to be found */
    double *score, *reach; /* of that, and how fast it may change */
    double *most;          /* what that may be at most */
    size_t *list, *moved;  /* room: tiles, attributes, numbers */
    double *room;
    double *rows; /* per tile as many rows of SLOTS as there may be answers; those it has not seen: as at the start */
    size_t row_step; /* from tile to tile */
    /* answers */
    size_t n_answers;
    double *factors;       /* triangle */
    double *pivots, *offs; /* variance, and how far it was off */
    double *surprise;      /* sum of off^2 / variance of the answers before */
    double *through;       /* column of the score */
    /* sums */
    double partial, worst[2], scale; /* scale: sum of all that may be added */
    double mean_score, score_doubt;  /* rounding of it that little variance may have made large */
    size_t widest;                   /* first of by_range that is not known */
};

/* Where the factors of answer i begin. */
static inline size_t triangle(size_t i)
{
    return i * (i - (i > 0)) / 2;
}

/* Largest first; the lower index among equals: for qsort. */
int tct_ranked_compare(const void *a, const void *b);
/* Who leads in a tile, by what it has seen, if the label is `label`. */
void tct_alone_rank(tct_alone *alone, size_t tile, size_t label);
/* A slot has no candidate (any more): it never leads. */
void tct_alone_close(tct_alone *alone, size_t slot);
/* A tile learns of all answers; all tiles do, and what rules read. */
void tct_alone_bring(tct_alone *alone, size_t tile);
void tct_alone_bring_all(tct_alone *alone);
/* The candidate that is expected to gain most, the lowest attribute among equals; all tiles are ranked. */
size_t tct_alone_leader(tct_alone *alone, size_t label);
/* Candidates of tiles that have seen everything move together, once that saves a quarter of these tiles. */
void tct_alone_close_up(tct_alone *alone);
/* The candidate in a slot answered with a value that was off by so much; its tile has seen all before. */
void tct_alone_answer(tct_alone *alone, size_t slot, double off, const tct_law *law);

#endif
