/*
 * batch_walk_inside.h -- what the two files of batch_walk.h share: batch_walk.c walks, batch_choose.c chooses.
 */
#ifndef TCT_BATCH_WALK_INSIDE_H
#define TCT_BATCH_WALK_INSIDE_H

#include "batch_walk.h"

enum { TCT_HANDFUL = 64 }; /* people in a handful */

/* One attribute that may be asked at a stage. */
typedef struct tct_option {
    size_t attribute;
    size_t at; /* of its first input among the unknown ones */
    tct_kind kind;
    size_t count;          /* TCT_ONEHOT: levels */
    const double *weights; /* of its inputs, for the score */
    double worst[2];       /* smallest term of the margin of label 0 and 1 */
    double low, high;      /* one input: its domain, -1 to 1 or 0 alone; TCT_ONEHOT: its least and largest weight */
    double most;           /* no expected gain by margin exceeds this, per cost */
    double per_weight;     /* 1 / weight; 0 when the weight is 0 */
    double per_deviation;  /* 1 / posterior standard deviation */
    bool alone;            /* one input: an answer that may settle one label cannot settle the other */
    double cost, per_cost;
} tct_option;

/* What choosing needs to know about a stage. */
typedef struct tct_sheet {
    const tct_stage *stage;
    tct_option *options;
    size_t n_options;
    bool plain;    /* some figure is out of the range for which the fast way is made */
    size_t leader; /* the option with the largest `most` */
} tct_sheet;

/* A few people at one stage. */
typedef struct tct_handful {
    const double **values;       /* per known input, in the order in which they became known: TCT_HANDFUL values */
    double *gathered;            /* room for them, n_inputs x TCT_HANDFUL */
    double *mean;                /* n_inputs x TCT_HANDFUL: posterior means of unknown inputs */
    unsigned char *have;         /* per option: are its means there? */
    double partial[TCT_HANDFUL]; /* bias plus known terms */
    double score[TCT_HANDFUL];   /* mean score */
    double option[TCT_HANDFUL];  /* chosen, -1 where only the plain rule can tell */
} tct_handful;

/* Fill in a sheet for a stage; sheet->options has room for all sensitive attributes. */
void tct_sheet_fill(tct_sheet *sheet, const tct_stage *stage, const tacit_model *model, const tct_extremes *extremes);
/* Options (where wanted) and mean scores (where wanted; else perhaps) of the first n people of the handful, from values
 * and partial; n a multiple of 8. */
void tct_handful_choose(tct_handful *handful, const tct_sheet *sheet, tacit_rule rule, bool want_option,
                        bool want_score, size_t n);

#endif
