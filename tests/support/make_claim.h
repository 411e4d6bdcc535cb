/*
 * make_claim.h -- random claims about models: what is known, and people who fit it.
 */
#ifndef TEST_MAKE_CLAIM_H
#define TEST_MAKE_CLAIM_H

#include "claim.h"
#include "make_model.h"

static inline size_t label_of(const tacit_model *m, const double *x)
{
    double scores[TCT_MAX_CLASSES];

    m->classifier->ops->scores(m->classifier, x, 1, scores);
    return tct_label(scores, m->classifier->n_scores);
}

/* Forget some attributes: each with probability one half. */
static inline void draw_known(const tacit_model *m, tct_random *random, unsigned char *known)
{
    for (size_t a = 0; a < m->schema->n_attributes; a++)
        known[a] = (unsigned char)tct_random_below(random, 2);
}

/* Somebody in the region of a claim, ends of ranges often. */
static inline void draw_completion(const tct_claim *claim, tct_random *random, double *x)
{
    const tacit_model *m = claim->model;

    draw_person(m, random, x);
    for (size_t a = 0; a < m->schema->n_attributes; a++) {
        const tct_domain *domain = &m->codec->domains[a];

        if (claim->region.known[a])
            memcpy(x + domain->first, claim->region.x + domain->first, domain->width * sizeof(double));
    }
}

#endif
