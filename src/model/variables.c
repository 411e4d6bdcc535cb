/*
 * variables.c -- inputs as variables of the Gaussian, and wide categories by their terms.
 *
 * Of a wide category with shares p and weights w the term s has mean sum p w and variance sum p (w - mean)^2.  What is
 * learnt about others moves the mean of s by some m; the levels then move along the regression of the inputs on s,
 *
 *     E[level l] = p_l (1 + (w_l - mean) m / variance),
 *
 * which keeps their sum at 1 and makes the mean of the term what it is to be.  With several terms w_l, their mean and m are
 * vectors, the variance is a matrix, and its inverse times (w_l - mean) is kept for every level: the slopes.
 */
#include "variables.h"

#include <stdlib.h>

enum { GROUP_CUTS = 6 }; /* 2^6 groups are no more than a wide category has levels */

static const double DETERMINED = 1e-10; /* share of a term's variance, as in belief.c */

bool tct_has_wide(const tct_codec *codec)
{
    bool wide = false;

    for (size_t a = 0; a < codec->schema->n_attributes; a++)
        wide = wide || tct_is_wide(&codec->domains[a]);
    return wide;
}

/* All variables of one attribute, from number `v` on; returns the number behind. */
static size_t add_attribute(tct_variables *s, const tct_domain *domain, bool wide, size_t v)
{
    for (size_t i = 0; i < (wide ? s->n_terms : domain->width); i++, v++) {
        s->input[v] = domain->first + (wide ? 0 : i);
        s->span[v] = wide ? domain->count : 1;
        s->which[v] = wide ? i : 0;
        s->n_wide += wide;
    }
    return v;
}

/* What every variable adds to every score, and its mean. */
static void weigh(tct_variables *s, const double *mean, const double *weights, size_t n_scores)
{
    for (size_t v = 0; v < s->n; v++) {
        const double *terms = tct_variable_terms(s, v);
        bool wide = s->span[v] > 1;

        for (size_t k = 0; k < n_scores; k++)
            s->weights[k * s->n + v] = wide ? s->which[v] == k : weights[k * s->n_inputs + s->input[v]];
        s->means[v] = wide ? 0 : mean[s->input[v]];
        for (size_t l = 0; wide && l < s->span[v]; l++)
            s->means[v] += mean[s->input[v] + l] * terms[l];
    }
}

/* The covariance of the terms of the category whose first variable is v, as factors: lower[j][i] with i < j, and on the
 * diagonal the variance that is left given the terms before, 0 where those determine it. */
static void factor_terms(const tct_variables *s, size_t v, double *lower)
{
    const double *shares = s->shares + s->input[v];
    size_t m = s->n_terms;

    for (size_t j = 0; j < m; j++)
        for (size_t i = 0; i <= j; i++) {
            const double *a = tct_variable_terms(s, v + i), *b = tct_variable_terms(s, v + j);
            double sum = 0, whole;

            for (size_t l = 0; l < s->span[v]; l++)
                sum += shares[l] * (a[l] - s->means[v + i]) * (b[l] - s->means[v + j]);
            whole = sum;
            for (size_t q = 0; q < i; q++)
                sum -= lower[i * m + q] * lower[j * m + q] * lower[q * m + q];
            if (i == j)
                lower[j * m + j] = sum > DETERMINED * whole ? sum : 0;
            else
                lower[j * m + i] = lower[i * m + i] > 0 ? sum / lower[i * m + i] : 0;
        }
}

/* slopes of a category: its terms, from their means on, times the inverse of their covariance. */
static void find_slopes(tct_variables *s, size_t v, const double *lower)
{
    size_t m = s->n_terms;

    for (size_t l = 0; l < s->span[v]; l++) {
        double *slopes = s->slopes + s->input[v] + l;

        for (size_t j = 0; j < m; j++) {
            double sum = tct_variable_terms(s, v + j)[l] - s->means[v + j];

            for (size_t i = 0; i < j; i++)
                sum -= lower[j * m + i] * slopes[i * s->n_inputs];
            slopes[j * s->n_inputs] = sum;
        }
        for (size_t j = m; j-- > 0;) {
            double *own = &slopes[j * s->n_inputs];

            *own = lower[j * m + j] > 0 ? *own / lower[j * m + j] : 0;
            for (size_t i = j + 1; i < m && lower[j * m + j] > 0; i++)
                *own -= lower[i * m + j] * slopes[i * s->n_inputs];
        }
    }
}

/* ---- groups of levels ---- */

typedef struct sorted_level {
    double term, share;
    size_t level;
} sorted_level;

static int compare_levels(const void *a, const void *b)
{
    const sorted_level *x = a, *y = b;

    if (x->term != y->term)
        return x->term < y->term ? -1 : 1;
    return x->level < y->level ? -1 : x->level > y->level;
}

/* Sort levels by the term in which they differ most; false: they are all alike. */
static bool sort_levels(const tct_variables *s, size_t v, sorted_level *levels, size_t n)
{
    size_t most = 0;
    double widest = 0;

    for (size_t j = 0; j < s->n_terms; j++) {
        const double *terms = tct_variable_terms(s, v + j);
        double low = terms[levels[0].level], high = low;

        for (size_t i = 1; i < n; i++) {
            low = terms[levels[i].level] < low ? terms[levels[i].level] : low;
            high = terms[levels[i].level] > high ? terms[levels[i].level] : high;
        }
        most = high - low > widest ? j : most;
        widest = high - low > widest ? high - low : widest;
    }
    for (size_t i = 0; i < n; i++)
        levels[i].term = tct_variable_terms(s, v + most)[levels[i].level];
    qsort(levels, n, sizeof *levels, compare_levels);
    return widest > 0;
}

/* Cut levels in two of about as many people, and these again, `depth` times; each of what is left is a group. */
static void group_levels(tct_variables *s, size_t v, sorted_level *levels, size_t n, size_t depth, uint16_t *groups)
{
    double whole = 0, half = 0;
    size_t cut = 1;

    if (depth > 0 && n > 1 && sort_levels(s, v, levels, n)) {
        for (size_t i = 0; i < n; i++)
            whole += levels[i].share;
        for (half = levels[0].share; cut + 1 < n && half + levels[cut].share / 2 < whole / 2; cut++)
            half += levels[cut].share;
        group_levels(s, v, levels, cut, depth - 1, groups);
        group_levels(s, v, levels + cut, n - cut, depth - 1, groups);
        return;
    }
    for (size_t i = 0; i < n; i++)
        s->group[s->input[v] + levels[i].level] = *groups;
    for (size_t j = 0; j < s->n_terms; j++) {
        double *centre = s->centres + j * s->n_inputs + s->input[v] + *groups, sum = 0, shares = 0;

        for (size_t i = 0; i < n; i++) {
            sum += levels[i].share * tct_variable_terms(s, v + j)[levels[i].level];
            shares += levels[i].share;
        }
        *centre = shares > 0 ? sum / shares : tct_variable_terms(s, v + j)[levels[0].level];
    }
    ++*groups;
}

/* Of the category whose first variable is v. */
static tacit_status find_groups(tct_variables *s, size_t v, tacit_error *err)
{
    sorted_level *levels = tct_calloc(s->span[v], sizeof *levels);
    uint16_t groups = 0;

    if (!levels)
        return tct_fail_memory(err);
    for (size_t l = 0; l < s->span[v]; l++)
        levels[l] = (sorted_level){0, s->shares[s->input[v] + l], l};
    group_levels(s, v, levels, s->span[v], GROUP_CUTS, &groups);
    tct_free(levels);
    return TACIT_OK;
}

/* What is made once of the terms of wide categories, where these are several. */
static tacit_status prepare_categories(tct_variables *s, tacit_error *err)
{
    double *lower = tct_calloc(s->n_terms * s->n_terms, sizeof *lower);
    tacit_status st = lower ? TACIT_OK : tct_fail_memory(err);

    for (size_t v = 0; v < s->n && !st; v++)
        if (s->span[v] > 1 && s->which[v] == 0) {
            factor_terms(s, v, lower);
            find_slopes(s, v, lower);
            st = find_groups(s, v, err);
        }
    tct_free(lower);
    return st;
}

/* Categories count by their terms. */
static tacit_status use_terms(tct_variables *s, const double *mean, const double *weights, size_t n_scores,
                              tacit_error *err)
{
    size_t m = s->n_terms, d = s->n_inputs;

    s->terms = weights;
    s->means = tct_take(&s->arena, s->n + 1, sizeof *s->means);
    s->weights = tct_take(&s->arena, n_scores * s->n + 1, sizeof *s->weights);
    if (s->arena.failed)
        return tct_fail_memory(err);
    if (n_scores > 1) {
        s->contrasts = tct_take(&s->arena, m * d, sizeof *s->contrasts);
        s->slopes = tct_take(&s->arena, m * d, sizeof *s->slopes);
        s->centres = tct_take(&s->arena, m * d, sizeof *s->centres);
        s->group = tct_take(&s->arena, d, sizeof *s->group);
        if (s->arena.failed)
            return tct_fail_memory(err);
        for (size_t i = 0; i < m * d; i++)
            s->contrasts[i] = tct_level_term(weights + i % d, n_scores, d, i / d);
        s->terms = s->contrasts;
    }
    weigh(s, mean, weights, n_scores);
    return n_scores > 1 ? prepare_categories(s, err) : TACIT_OK;
}

tacit_status tct_variables_new(tct_variables **out, const tct_codec *codec, const double *mean, const double *weights,
                               size_t n_scores, tacit_error *err)
{
    size_t n_attributes = codec->schema->n_attributes, d = codec->n_inputs;
    tct_variables *s = tct_calloc(1, sizeof *s);
    bool wide = weights && tct_has_wide(codec);
    tacit_status st = TACIT_OK;

    *out = NULL;
    if (!s)
        return tct_fail_memory(err);
    s->first = tct_take(&s->arena, n_attributes + 1, sizeof *s->first);
    s->input = tct_take(&s->arena, d + 1, sizeof *s->input);
    s->span = tct_take(&s->arena, d + 1, sizeof *s->span);
    s->which = tct_take(&s->arena, d + 1, sizeof *s->which);
    if (s->arena.failed) {
        tct_variables_free(s);
        return tct_fail_memory(err);
    }
    s->n_inputs = d;
    s->n_terms = tct_terms_of(n_scores);
    s->shares = mean;
    for (size_t a = 0; a < n_attributes; a++)
        s->first[a + 1] = add_attribute(s, &codec->domains[a], wide && tct_is_wide(&codec->domains[a]), s->first[a]);
    s->n = s->first[n_attributes];
    if (wide)
        st = use_terms(s, mean, weights, n_scores, err);
    if (st) {
        tct_variables_free(s);
        return st;
    }
    *out = s;
    return TACIT_OK;
}

void tct_variables_free(tct_variables *s)
{
    if (!s)
        return;
    tct_arena_clear(&s->arena);
    tct_free(s);
}

double tct_variable_value(const tct_variables *s, size_t v, const double *x)
{
    const double *inputs = x + s->input[v], *terms;
    double sums[4] = {0};
    size_t l = 0;

    if (s->span[v] == 1) /* there may be no terms at all */
        return inputs[0];
    terms = tct_variable_terms(s, v);
    for (; l + 4 <= s->span[v]; l += 4) /* one of them is not 0: the order does not matter */
        for (size_t k = 0; k < 4; k++)
            sums[k] += terms[l + k] * inputs[l + k];
    for (; l < s->span[v]; l++)
        sums[0] += terms[l] * inputs[l];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

void tct_level_weights(const double *mean, size_t n, double *weights)
{
    double sum = 0;

    for (size_t l = 0; l < n; l++) {
        weights[l] = mean[l] > 0 ? mean[l] : 0;
        sum += weights[l];
    }
    for (size_t l = 0; l < n; l++)
        weights[l] = sum > 0 ? weights[l] / sum : 1.0 / (double)n;
}

/* Of a wide category of several terms. */
static void levels_by_terms(const tct_variables *s, size_t v, const double *mean, double *levels)
{
    const double *shares = s->shares + s->input[v];
    size_t n = s->span[v];

    for (size_t l = 0; l < n; l++)
        levels[l] = 1;
    for (size_t j = 0; j < s->n_terms; j++) {
        const double *slopes = s->slopes + j * s->n_inputs + s->input[v];
        double moved = mean[j] - s->means[v + j];

        for (size_t l = 0; l < n; l++)
            levels[l] += slopes[l] * moved;
    }
    for (size_t l = 0; l < n; l++)
        levels[l] *= shares[l];
    tct_level_weights(levels, n, levels);
}

void tct_variable_levels(const tct_variables *s, size_t attribute, const double *mean, double prior_variance,
                         double *levels)
{
    size_t v = s->first[attribute], n = s->span[v];
    const double *shares = s->shares + s->input[v], *terms;
    double slope;

    if (n == 1) {
        tct_level_weights(mean, s->first[attribute + 1] - v, levels);
        return;
    }
    if (s->slopes) {
        levels_by_terms(s, v, mean, levels);
        return;
    }
    terms = tct_variable_terms(s, v);
    slope = prior_variance > 0 ? (mean[0] - s->means[v]) / prior_variance : 0;
    for (size_t l = 0; l < n; l++)
        levels[l] = shares[l] * (1 + (terms[l] - s->means[v]) * slope);
    tct_level_weights(levels, n, levels);
}
