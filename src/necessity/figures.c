/*
 * figures.c -- means over splits, with intervals.
 *
 * Splits share rows, so their figures hang together and the usual standard error of a mean is too small.  Nadeau and
 * Bengio's correction takes the variance of one split times (1/splits + held out/trained on) in place of 1/splits.
 * Differences are formed split by split first, on the same people.
 *
 * Accuracies are counts.  When no decision differed in any split that variance is zero, and yet some could have: an
 * interval of accuracy is never narrower, to either side, than the share of people that may still be different when
 * none of those held out at least once was (Clopper and Pearson's bound for none).
 */
#include <math.h>

#include "necessity.h"
#include "num.h"

static const double LEVEL = 0.95;

static double value_at(const tct_split *split, tct_figure figure, size_t place)
{
    return figure == TCT_ACCURACY ? split->accuracy[place] : split->asked[place];
}

/* other: TACIT_NONE: nothing is subtracted. */
static tct_mean_interval interval(const tacit_necessity *e, tct_figure figure, size_t place, size_t other)
{
    double n = (double)e->n_splits, sum = 0, squares = 0, tested = 0, trained = 0, half, least = 0;
    tct_mean_interval found;

    for (size_t s = 0; s < e->n_splits; s++) {
        const tct_split *split = &e->splits[s];

        sum += value_at(split, figure, place) - (other == TACIT_NONE ? 0 : value_at(split, figure, other));
        tested += (double)split->n_test;
        trained += (double)split->n_train;
    }
    found.mean = sum / n;
    for (size_t s = 0; s < e->n_splits; s++) {
        const tct_split *split = &e->splits[s];
        double apart =
            value_at(split, figure, place) - (other == TACIT_NONE ? 0 : value_at(split, figure, other)) - found.mean;

        squares += apart * apart;
    }
    if (e->n_splits < 2) {
        found.low = found.high = NAN;
        return found;
    }
    half = tct_student_quantile(n - 1, LEVEL) * sqrt(squares / (n - 1) * (1 / n + tested / trained));
    if (figure == TCT_ACCURACY) {
        double none;
        tct_clopper_pearson(0, (double)e->seen, LEVEL, &none, &least);
    }
    half = fmax(half, least);
    found.low = found.mean - half;
    found.high = found.mean + half;
    return found;
}

tct_mean_interval tct_figure_at(const tacit_necessity *e, tct_figure figure, size_t place)
{
    tct_mean_interval found = interval(e, figure, place, TACIT_NONE);

    found.low = found.low < 0 ? 0 : found.low;
    if (figure == TCT_ACCURACY)
        found.high = found.high > 1 ? 1 : found.high;
    return found;
}

tct_mean_interval tct_figure_difference(const tacit_necessity *e, tct_figure figure, size_t place, size_t other)
{
    return place == other ? (tct_mean_interval){0, 0, 0} : interval(e, figure, place, other);
}

double tct_majority_accuracy(const tacit_necessity *e)
{
    return tct_figure_at(e, TCT_ACCURACY, e->schema->n_attributes).mean;
}

double tct_agreement(const tacit_necessity *e, size_t place)
{
    size_t n = e->schema->n_attributes, same = 0;

    for (size_t s = 0; s < e->n_splits; s++)
        for (size_t i = place; i < n; i++)
            for (size_t j = place; j < n; j++)
                same += e->order[i] == e->splits[s].order[j];
    return (double)same / (double)(e->n_splits * (n - place));
}

size_t tct_recommended(const tacit_necessity *e)
{
    size_t n = e->schema->n_attributes, place = 0;

    while (place < n && tct_figure_difference(e, TCT_ACCURACY, 0, place + 1).high <= e->tolerance)
        place++;
    return place;
}
