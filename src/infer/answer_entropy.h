/*
 * answer_entropy.h -- what learning an attribute would do to a label with three or four classes.
 *
 * A tct_answer_entropy holds what does not depend on anybody's values; it is made once per law and kept there.  With somebody's
 * mean scores it gives the expected entropy of the label after the answer, to about 1e-6.
 */
#ifndef TCT_ANSWER_ENTROPY_H
#define TCT_ANSWER_ENTROPY_H

#include "law.h"
#include "odds.h"

/* A place along the line of answers where label probabilities change quickly: where the contrast of the mean scores,
 * factors . mean, passes 0, if the scores in `tied` are about level there. */
typedef struct tct_bend {
    double factors[TCT_ODDS_SCORES];
    double slope, width;    /* per standard deviation of the answer; in standard deviations of the answer */
    double tie_width;       /* over which the classes that are tied are level */
    size_t n_tied, tied[3]; /* classes; none for a contrast of two */
} tct_bend;

/* Pairs, pairs given that two others are level, and given that three are. */
enum { TCT_MAX_BENDS = 6 + 12 + 4 };

typedef struct tct_answer_entropy {
    const tct_domain *domain;
    const tct_variables *variables;
    size_t attribute, n_variables; /* of its own */
    size_t k;
    double slope[TCT_ODDS_SCORES]; /* one input: what a standard deviation of the answer does to the mean scores */
    double *gain;                  /* n_variables x k, as in tct_effect; one-hot attributes */
    double spread[TCT_ODDS_SCORES * TCT_ODDS_SCORES]; /* standard deviations of differences, after the answer */
    double information; /* one input: the answer lowers the entropy by no more, on average; one-hot: infinite */
    size_t n_bends;     /* those that are narrow */
    tct_bend *bends;
    tct_odds odds; /* after the answer */
} tct_answer_entropy;

/* Room for one that is not kept. */
typedef struct tct_answer_entropy_room {
    tct_answer_entropy answer;
    tct_bend bends[TCT_MAX_BENDS];
} tct_answer_entropy_room;

/* That of an attribute: kept in the law, or, when memory is short, in *room and scratch until the next call.
 * 2 <= n_scores <= TCT_ODDS_SCORES.  scratch: tct_answer_entropy_scratch. */
const tct_answer_entropy *tct_answer_entropy_of(const tct_law *law, const tct_belief *belief, const tacit_model *model,
                                                size_t attribute, tct_answer_entropy_room *room, double *scratch);
/* Of an attribute of so many variables. */
size_t tct_answer_entropy_scratch(size_t n_variables);

/* Expected entropy of the label after the answer, from the mean scores now and, for a one-hot attribute, the posterior
 * means of its variables (else NULL).  scratch: width doubles. */
double tct_answer_entropy_expected(const tct_answer_entropy *p, const double *mean, const double *expected,
                                   double *scratch);

/* Class probabilities p[k] and entropy of the label now; likewise prepared once. */
double tct_answer_entropy_now(const tct_law *law, const double *mean, double *p, double *scratch);

#endif
