/*
 * variables.c -- inputs as variables of the Gaussian, and wide categories as one each.
 *
 * Of a wide category with shares p and weights w the term s has mean sum p w and variance sum p (w - mean)^2.  What is
 * learnt about others moves the mean of s by some m; the levels then move along the regression of the inputs on s,
 *
 *     E[level l] = p_l (1 + (w_l - mean) m / variance),
 *
 * which keeps their sum at 1 and makes the mean of the term what it is to be.
 */
#include "variables.h"

bool tct_has_wide(const tct_codec *codec)
{
    bool wide = false;

    for (size_t a = 0; a < codec->schema->n_attributes; a++)
        wide = wide || tct_is_wide(&codec->domains[a]);
    return wide;
}

/* All variables of one attribute, from number `v` on; returns the number behind. */
static size_t add_attribute(tct_variables *s, const tct_domain *domain, const double *mean, bool wide, size_t v)
{
    for (size_t i = 0; i < (wide ? 1 : domain->width); i++, v++) {
        size_t input = domain->first + i;

        s->input[v] = input;
        s->span[v] = wide ? domain->count : 1;
        s->n_wide += wide;
        if (!s->weights)
            continue;
        s->weights[v] = wide ? 1 : s->terms[input];
        s->means[v] = wide ? 0 : mean[input];
        for (size_t l = 0; wide && l < domain->count; l++)
            s->means[v] += mean[input + l] * s->terms[input + l];
    }
    return v;
}

tacit_status tct_variables_new(tct_variables **out, const tct_codec *codec, const double *mean, const double *terms,
                               tacit_error *err)
{
    size_t n_attributes = codec->schema->n_attributes, d = codec->n_inputs;
    tct_variables *s = tct_calloc(1, sizeof *s);
    bool wide = terms && tct_has_wide(codec);

    *out = NULL;
    if (!s)
        return tct_fail_memory(err);
    s->first = tct_calloc(n_attributes + 1, sizeof *s->first);
    s->input = tct_calloc(d + 1, sizeof *s->input);
    s->span = tct_calloc(d + 1, sizeof *s->span);
    s->means = wide ? tct_calloc(d + 1, sizeof *s->means) : NULL;
    s->weights = wide ? tct_calloc(d + 1, sizeof *s->weights) : NULL;
    if (!s->first || !s->input || !s->span || (wide && (!s->means || !s->weights))) {
        tct_variables_free(s);
        return tct_fail_memory(err);
    }
    s->terms = terms;
    s->shares = mean;
    for (size_t a = 0; a < n_attributes; a++)
        s->first[a + 1] =
            add_attribute(s, &codec->domains[a], mean, wide && tct_is_wide(&codec->domains[a]), s->first[a]);
    s->n = s->first[n_attributes];
    *out = s;
    return TACIT_OK;
}

void tct_variables_free(tct_variables *s)
{
    if (!s)
        return;
    tct_free(s->first);
    tct_free(s->input);
    tct_free(s->span);
    tct_free(s->means);
    tct_free(s->weights);
    tct_free(s);
}

double tct_variable_value(const tct_variables *s, size_t v, const double *x)
{
    const double *inputs = x + s->input[v], *terms;
    double sums[4] = {0};
    size_t l = 0;

    if (s->span[v] == 1) /* there may be no terms at all */
        return inputs[0];
    terms = s->terms + s->input[v];
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

void tct_variable_levels(const tct_variables *s, size_t attribute, const double *mean, double prior_variance,
                         double *levels)
{
    size_t v = s->first[attribute], n = s->span[v];
    const double *shares = s->shares + s->input[v], *terms = s->terms ? s->terms + s->input[v] : NULL;
    double slope;

    if (n == 1) {
        tct_level_weights(mean, s->first[attribute + 1] - v, levels);
        return;
    }
    slope = prior_variance > 0 ? (mean[0] - s->means[v]) / prior_variance : 0;
    for (size_t l = 0; l < n; l++)
        levels[l] = shares[l] * (1 + (terms[l] - s->means[v]) * slope);
    tct_level_weights(levels, n, levels);
}
