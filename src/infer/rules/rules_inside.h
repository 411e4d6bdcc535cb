/*
 * rules_inside.h -- what the files of the rules share.
 */
#ifndef TCT_RULES_INSIDE_H
#define TCT_RULES_INSIDE_H

#include "rules.h"

size_t tct_choose_by_entropy(const tct_view *view, double *scratch);
size_t tct_choose_by_montecarlo(const tct_view *view, double *scratch);
size_t tct_choose_by_margin(const tct_view *view, double *scratch);
size_t tct_choose_by_stop(const tct_view *view, double *scratch);

/* Networks: the same figures, linearised anew for every answer (rule_network.c); margin and stop by the worst
 * completions found (rule_worst.c). */
double tct_network_entropy(const tct_view *view, size_t attribute, double *scratch);
double tct_network_sampled(const tct_view *view, size_t attribute, size_t samples, double *scratch);
size_t tct_network_by_entropy(const tct_view *view, double *scratch);
size_t tct_network_by_montecarlo(const tct_view *view, double *scratch);
size_t tct_network_margin(const tct_view *view, double *scratch);
size_t tct_network_stop(const tct_view *view, double *scratch);
/* Margin and stop by what the prover foresees (rule_proof.c), and doubles of scratch that they need. */
size_t tct_choose_by_proof(const tct_view *view, size_t label, bool stop, double *scratch);
size_t tct_proof_scratch(const tacit_model *model);
/* Doubles of scratch that margin and stop need; width: inputs of the widest attribute. */
size_t tct_worst_scratch(const tacit_model *model, size_t width);

/* The inputs an attribute is expected to have: posterior means moved into its domain (one-hot: level weights). */
void tct_expected_inputs(const tct_view *view, size_t attribute, const double *mean, double *inputs);

/* Gaussian scores: the most likely label and its probability into a law; as promised?  Probabilities of all labels.
 * (scores_linear.c) */
struct tct_score_law;
void tct_gaussian_look(struct tct_score_law *law, const tct_law *scores, const double *mean, double *p,
                       const tct_view *view, bool brief, double *scratch);
bool tct_gaussian_keeps(const struct tct_score_law *law, const tct_law *scores, const double *mean,
                        const tct_promise *promise);

void tct_gaussian_shares(const tct_law *scores, const double *mean, const tct_view *view, double *p, double *scratch);

/* Doubles off the front of the scratch. */
static inline double *tct_scratch_take(double **scratch, size_t count)
{
    double *block = *scratch;

    *scratch += count;
    return block;
}

/* The candidate with the largest score so far; the first among equals. */
typedef struct tct_best {
    size_t attribute; /* TACIT_NONE at first */
    double score;
} tct_best;

static inline void tct_consider(tct_best *b, size_t attribute, double score)
{
    if (b->attribute == TACIT_NONE || score > b->score) {
        b->attribute = attribute;
        b->score = score;
    }
}

#endif
