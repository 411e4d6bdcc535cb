/*
 * The proof for linear classifiers: known terms plus the worst of the unknown ones, rounding pad included
 * (extremes.c), must leave one label ahead of every other.
 */
#include "linear_proof.h"

#include <math.h>

tacit_status tct_linear_proof_new(tct_linear_proof **out, const tct_extremes *e, const unsigned char *known,
                                  tacit_error *err)
{
    size_t classes = e->n_classes;
    tct_linear_proof *f = tct_calloc(1, sizeof *f);

    *out = f;
    if (!f)
        return tct_fail_memory(err);
    f->extremes = e;
    f->floor = tct_calloc(classes * classes, sizeof *f->floor);
    if (!f->floor) {
        tct_free(f);
        *out = NULL;
        return tct_fail_memory(err);
    }
    for (size_t pair = 0; pair < classes * classes; pair++) {
        double sum = 0;

        for (size_t a = 0; a < e->n_attributes; a++)
            if (!known[a])
                sum += e->worst[pair * e->n_attributes + a];
        f->floor[pair] = sum - e->pad[pair];
    }
    return TACIT_OK;
}

void tct_linear_proof_set(tct_linear_proof *f, const size_t *unknown, size_t n)
{
    const tct_extremes *e = f->extremes;

    for (size_t i = 0; i < e->n_classes; i++)
        for (size_t c = i + 1; c < e->n_classes; c++) {
            const double *one = e->worst + tct_pair(e, i, c) * e->n_attributes;
            const double *other = e->worst + tct_pair(e, c, i) * e->n_attributes;
            double sum = 0, other_sum = 0; /* side by side: neither waits for the other */

            for (size_t k = 0; k < n; k++) {
                sum += one[unknown[k]];
                other_sum += other[unknown[k]];
            }
            f->floor[tct_pair(e, i, c)] = sum - e->pad[tct_pair(e, i, c)];
            f->floor[tct_pair(e, c, i)] = other_sum - e->pad[tct_pair(e, c, i)];
        }
}

void tct_linear_proof_free(tct_linear_proof *f)
{
    if (!f)
        return;
    tct_free(f->floor);
    tct_free(f);
}

static double lead(const tct_linear_proof *f, const double *partial, size_t label, size_t against)
{
    double known;

    if (f->extremes->linear->base.n_scores == 1)
        known = label == 1 ? partial[0] : -partial[0];
    else
        known = partial[label] - partial[against];
    return known + f->floor[tct_pair(f->extremes, label, against)];
}

size_t tct_linear_proof_certain(const tct_linear_proof *f, const double *partial)
{
    size_t classes = f->extremes->n_classes;

    for (size_t label = 0; label < classes; label++) {
        size_t c = 0;

        while (c < classes && (c == label || tct_wins(f->extremes, label, c, lead(f, partial, label, c))))
            c++;
        if (c == classes)
            return label;
    }
    return TACIT_NONE;
}
