/*
 * oracle.h -- slow and obvious twins for property tests: conditioning by solving equations, settledness by
 * enumerating corners, smallest core sets by trying every subset.
 */
#ifndef TEST_ORACLE_H
#define TEST_ORACLE_H

#include <math.h>
#include <string.h>

#include "make_model.h"

/* Label of full inputs by the deployed scores. */
static inline size_t oracle_label(const tacit_model *m, const double *x)
{
    double scores[TCT_MAX_CLASSES];

    m->classifier->ops->scores(m->classifier, x, 1, scores);
    return tct_label(scores, m->classifier->n_scores);
}

/* Smallest margin of `label` over `against`, sensitive attributes not in `known` at their worst: plain sums. */
static inline double oracle_margin(const tacit_model *m, const unsigned char *known, const double *x, size_t label,
                                   size_t against)
{
    const tct_linear *l = tct_as_linear(m->classifier);
    size_t d = l->base.n_inputs;
    bool single = l->base.n_scores == 1;
    double sign = label == 1 ? 1 : -1;
    double margin = single ? sign * l->bias[0] : l->bias[label] - l->bias[against];

    for (size_t a = 0; a < m->schema->n_attributes; a++) {
        const tct_domain *domain = &m->codec->domains[a];
        size_t values = known[a] ? 1 : domain->kind == TCT_BOX ? 2 : domain->count;
        double worst = INFINITY, inputs[TCT_MAX_LEVELS > 64 ? 64 : TCT_MAX_LEVELS];

        for (size_t k = 0; k < values; k++) {
            double term = 0;

            if (known[a])
                memcpy(inputs, x + domain->first, domain->width * sizeof(double));
            else if (domain->kind == TCT_BOX) {
                double low, high;

                tct_codec_range(m->codec, a, &low, &high);
                inputs[0] = k ? high : low;
            } else
                tct_codec_value(m->codec, a, k, inputs);
            for (size_t i = 0; i < domain->width; i++) {
                size_t j = domain->first + i;

                term += (single ? sign * l->weights[j] : l->weights[label * d + j] - l->weights[against * d + j]) *
                        inputs[i];
            }
            worst = fmin(worst, term);
        }
        margin += worst;
    }
    return margin;
}

/* Is the label constant when exactly `known` is known?  slack: leeway for rounding, 0 for "clearly". */
static inline bool oracle_settled(const tacit_model *m, const unsigned char *known, const double *x, double slack)
{
    size_t label = oracle_label(m, x);

    for (size_t c = 0; c < m->classifier->n_classes; c++)
        if (c != label && !(oracle_margin(m, known, x, label, c) > -slack))
            return false;
    return true;
}

/* Smallest number (or cost) of sensitive attributes that settles it, by trying all subsets. */
static inline double oracle_smallest(const tacit_model *m, const double *x, bool by_cost, double slack)
{
    size_t n = m->schema->n_attributes, n_sensitive = 0, sensitive[32];
    unsigned char known[64];
    double best = INFINITY, all = 0;

    for (size_t a = 0; a < n; a++)
        if (m->schema->attributes[a].role == TACIT_SENSITIVE)
            sensitive[n_sensitive++] = a;
    for (size_t set = 0; set < (size_t)1 << n_sensitive; set++) {
        double cost = 0;

        for (size_t a = 0; a < n; a++)
            known[a] = m->schema->attributes[a].role == TACIT_PUBLIC;
        for (size_t i = 0; i < n_sensitive; i++)
            if (set >> i & 1) {
                known[sensitive[i]] = 1;
                cost += by_cost ? m->schema->attributes[sensitive[i]].cost : 1;
            }
        if (cost < best && oracle_settled(m, known, x, slack))
            best = cost;
        all = cost;
    }
    return fmin(best, all); /* everything known is always settled */
}

#endif
