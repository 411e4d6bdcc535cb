/*
 * group_rates.c -- what groups get, with intervals, and whether they differ by more than chance.
 *
 * Shares have Clopper-Pearson intervals, means their standard errors.  The largest of a figure is compared with the
 * smallest.  Whichever two these are, they were picked from n (n - 1) / 2 pairs: the interval of their difference has
 * level 1 - 5 % / pairs, so that with 95 % none of the pairs would be called different by chance (Bonferroni).  For
 * shares it is Newcombe's, of two Wilson intervals; for means Wald's.
 */
#include "breakdown.h"

#include <math.h>

#include "num.h"

static const double LEVEL = 0.95;

/* ---------------------------------------------------------------- rates */

static tacit_share share_of(uint64_t count, uint64_t of)
{
    tacit_share share = {.count = count, .of = of, .value = NAN, .low = NAN, .high = NAN};

    if (of > 0) {
        share.value = (double)count / (double)of;
        tct_clopper_pearson((double)count, (double)of, LEVEL, &share.low, &share.high);
    }
    return share;
}

/* Variance of the mean number asked; NaN for one person. */
static double mean_variance(const tacit_audit_result *r, size_t n_sensitive)
{
    double people = (double)r->people, square = 0;

    for (size_t k = 0; k <= n_sensitive; k++)
        square += (double)r->histogram[k] * ((double)k - r->mean_asked) * ((double)k - r->mean_asked);
    return r->people < 2 ? NAN : square / (people - 1) / people;
}

static void fill_rates(const tacit_audit *a, const tct_described *row, size_t delta, tacit_share *shares,
                       tacit_audit_rates *out)
{
    const tacit_audit_result *r = &row->results[delta];
    const tct_class_counts *classes = row->counts.classes + delta * a->n_classes;
    double half = tct_normal_quantile(0.5 + LEVEL / 2) * sqrt(mean_variance(r, a->summary.n_sensitive));

    *out = (tacit_audit_rates){.mean_low = r->people < 2 ? NAN : fmax(r->mean_asked - half, 0),
                               .mean_high =
                                   r->people < 2 ? NAN : fmin(r->mean_asked + half, (double)a->summary.n_sensitive),
                               .fidelity = share_of(r->agree, r->people),
                               .accuracy = share_of(r->correct, row->counts.tallies[delta]->labelled),
                               .selection = shares,
                               .recall = shares + a->n_classes,
                               .false_positive = share_of(0, 0),
                               .false_negative = share_of(0, 0)};
    for (size_t c = 0; c < a->n_classes; c++) {
        shares[c] = share_of(classes[c].decided, r->people);
        shares[a->n_classes + c] = share_of(classes[c].hit, classes[c].truth);
    }
    if (a->n_classes == 2) {
        out->false_positive = share_of(classes[0].truth - classes[0].hit, classes[0].truth);
        out->false_negative = share_of(classes[1].truth - classes[1].hit, classes[1].truth);
    }
}

tacit_status tct_rates_fill(const tacit_audit *a, tct_described *row, tacit_error *err)
{
    size_t n = a->summary.n_results;

    row->rates = tct_calloc(n, sizeof *row->rates);
    row->shares = tct_calloc(2 * n * a->n_classes + 1, sizeof *row->shares);
    if (!row->rates || !row->shares)
        return tct_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        fill_rates(a, row, i, row->shares + 2 * i * a->n_classes, &row->rates[i]);
    return TACIT_OK;
}

/* ---------------------------------------------------------------- differences */

/* A figure of a row: a share, or a mean with its variance (of = 0, but people). */
typedef struct figure {
    double value, variance;
    uint64_t count, of;
    bool is_mean;
} figure;

typedef figure figure_of(const tacit_audit *a, const tct_described *row, size_t delta, size_t c);

static figure from_share(const tacit_share *s)
{
    return (figure){.value = s->value, .count = s->count, .of = s->of};
}

static figure mean_asked(const tacit_audit *a, const tct_described *row, size_t delta, size_t c)
{
    const tacit_audit_result *r = &row->results[delta];

    (void)c;
    return (figure){.value = r->mean_asked, .variance = mean_variance(r, a->summary.n_sensitive), .is_mean = true};
}

static figure fidelity(const tacit_audit *a, const tct_described *row, size_t delta, size_t c)
{
    (void)a, (void)c;
    return from_share(&row->rates[delta].fidelity);
}

static figure accuracy(const tacit_audit *a, const tct_described *row, size_t delta, size_t c)
{
    (void)a, (void)c;
    return from_share(&row->rates[delta].accuracy);
}

static figure failure(const tacit_audit *a, const tct_described *row, size_t delta, size_t c)
{
    const tacit_audit_result *r = &row->results[delta];

    (void)a, (void)c;
    return (figure){.value = r->observed, .count = r->failed, .of = r->stopped};
}

static figure selection(const tacit_audit *a, const tct_described *row, size_t delta, size_t c)
{
    (void)a;
    return from_share(&row->rates[delta].selection[c]);
}

static figure recall(const tacit_audit *a, const tct_described *row, size_t delta, size_t c)
{
    (void)a;
    return from_share(&row->rates[delta].recall[c]);
}

static figure false_positive(const tacit_audit *a, const tct_described *row, size_t delta, size_t c)
{
    (void)a, (void)c;
    return from_share(&row->rates[delta].false_positive);
}

static figure false_negative(const tacit_audit *a, const tct_described *row, size_t delta, size_t c)
{
    (void)a, (void)c;
    return from_share(&row->rates[delta].false_negative);
}

/* Wilson's interval, z standard errors to either side. */
static void wilson(const figure *f, double z, double *low, double *high)
{
    double n = (double)f->of, p = f->value, centre = p + z * z / (2 * n);
    double half = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n)), whole = 1 + z * z / n;

    *low = f->count == 0 ? 0 : (centre - half) / whole;
    *high = f->count == f->of ? 1 : (centre + half) / whole;
}

static void difference_interval(const figure *high, const figure *low, size_t pairs, double *from, double *to)
{
    double z = tct_normal_quantile(1 - (1 - LEVEL) / 2 / (double)pairs), difference = high->value - low->value;
    double high_low, high_high, low_low, low_high, half;

    if (high->is_mean) {
        half = z * sqrt(high->variance + low->variance);
        *from = difference - half;
        *to = difference + half;
        return;
    }
    wilson(high, z, &high_low, &high_high);
    wilson(low, z, &low_low, &low_high);
    *from = difference - hypot(high->value - high_low, low_high - low->value);
    *to = difference + hypot(high_high - high->value, low->value - low_low);
}

/* One figure at one delta; nothing is added when fewer than two groups have it. */
static void compare_groups(const tacit_audit *a, tct_breakdown *b, const char *name, figure_of *get, size_t delta,
                           size_t c, const char *class_name)
{
    tacit_audit_difference d = {.figure = name, .class_name = class_name, .delta_index = delta};
    figure high = {0}, low = {0};
    size_t n = 0;

    for (size_t g = 0; g < b->grouping.n_groups; g++) {
        figure f = {.value = NAN};

        if (b->rows[g].rates)
            f = get(a, &b->rows[g], delta, c);
        if (isnan(f.value) || isnan(f.variance))
            continue;
        if (n == 0 || f.value > high.value) {
            high = f;
            d.high_group = g;
        }
        if (n == 0 || f.value <= low.value) { /* the last of equals, so that it is another group */
            low = f;
            d.low_group = g;
        }
        n++;
    }
    if (n < 2)
        return;
    d.pairs = n * (n - 1) / 2;
    d.high = high.value;
    d.low = low.value;
    d.difference = high.value - low.value;
    difference_interval(&high, &low, d.pairs, &d.low_end, &d.high_end);
    d.beyond_noise = d.low_end > 0;
    b->differences[b->grouping.n_differences++] = d;
}

tacit_status tct_differences_find(const tacit_audit *a, tct_breakdown *b, tacit_error *err)
{
    size_t n = a->summary.n_results, classes = a->n_classes;

    b->differences = tct_calloc(n * (6 + 2 * classes) + 1, sizeof *b->differences);
    b->grouping.differences = b->differences;
    if (!b->differences)
        return tct_fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        compare_groups(a, b, "mean_asked", mean_asked, i, 0, NULL);
        compare_groups(a, b, "fidelity", fidelity, i, 0, NULL);
        compare_groups(a, b, "accuracy", accuracy, i, 0, NULL);
        compare_groups(a, b, "failure", failure, i, 0, NULL);
        for (size_t c = classes == 2 ? 1 : 0; c < classes; c++)
            compare_groups(a, b, "selection_rate", selection, i, c, a->classes[c]);
        if (classes == 2) {
            compare_groups(a, b, "false_positive_rate", false_positive, i, 0, NULL);
            compare_groups(a, b, "false_negative_rate", false_negative, i, 0, NULL);
        }
        for (size_t c = 0; classes != 2 && c < classes; c++)
            compare_groups(a, b, "recall", recall, i, c, a->classes[c]);
    }
    return TACIT_OK;
}
