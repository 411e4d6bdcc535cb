/*
 * score_laws.h -- what is likely: the law of a classifier's scores under a belief, and the rules that read it.
 *
 * One row per way to know it.  The first that applies to a model, its posterior (posteriors.h) and its classifier, is
 * taken:
 *   linear    Gaussian, and scores are sums of terms: a law that is shared by everybody at a stage
 *   network   Gaussian, and scores taken for linear around the person: the paper's, where a model says so
 *   drawn     Gaussian, and a network: people are drawn and decided about, many at a time
 *   sampled   any posterior, any classifier: people are drawn and decided about; an error is stated
 * A tct_score_law is one walker's: it knows the person at hand until it is wiped.
 */
#ifndef TCT_SCORE_LAWS_H
#define TCT_SCORE_LAWS_H

#include "rules.h"

typedef struct tct_score_law tct_score_law;

typedef struct tct_score_law_ops {
    const char *name;
    bool (*applies)(const tacit_model *model);
    /* Keep with a belief what follows from it for everybody; width: inputs of the attribute that became known last, or
     * 0.  NULL: nothing does. */
    tacit_status (*prepare)(tct_belief *belief, const tacit_model *model, size_t width, tacit_error *err);
    tacit_status (*make)(tct_score_law **out, const tacit_model *model, tacit_error *err);
    void (*free)(tct_score_law *law); /* wipes */
    void (*wipe)(tct_score_law *law); /* what was found out about a person */
    /* Look at the person of the view: sets label, probability (NaN where brief allows it), and in the view what the
     * rules read.  brief: no promise needs the probability. */
    void (*look)(tct_score_law *law, tct_view *view, bool brief, double *scratch);
    /* Is the label of the last look, which was not brief, as likely as promised? */
    bool (*keeps)(const tct_score_law *law, const tct_promise *promise);
    /* Probabilities of all labels, p[n_classes], after a look at the view that was not brief.  Where they are counted or
     * bounded they are estimates, and look's probability may be on the safe side of them. */
    void (*shares)(const tct_score_law *law, const tct_view *view, double *p, double *scratch);
    /* Doubles of scratch that look, shares and the rules need. */
    size_t (*scratch)(const tacit_model *model);
    bool exact; /* promises need a look that is not brief, even with one score */
    tct_rule_ways ways;
} tct_score_law_ops;

struct tct_score_law {
    const tct_score_law_ops *ops;
    const tacit_model *model; /* borrowed */
    size_t label;             /* the most likely one, or what brief leaves of it */
    double probability;
    bool rough; /* nothing is decided for anybody: a law that draws people may draw fewer */
};

extern const tct_score_law_ops tct_scores_linear, tct_scores_network, tct_scores_drawn, tct_scores_sampled;

/* The row for a model; there always is one. */
const tct_score_law_ops *tct_score_law_row(const tacit_model *model);
/* The classifier as a sum of terms where its law is the closed form of the first row, on which people in batches and the
 * computed outlook rest; else NULL. */
const tct_linear *tct_linear_law(const tacit_model *model);
/* One more row, before the others, for kinds that are not built in.  Before the first law is made; up to 8. */
void tct_score_law_add_row(const tct_score_law_ops *ops);

#endif
