/*
 * The rules for classifiers that are not linear.
 *
 * Expected entropy: every answer gives another posterior mean, and the scores are linearised anew around it.  What does
 * not depend on the answer's value, the belief once the attribute is known, is shared by all values.  There are two
 * ways to the same figures: the plain one, answer by answer from the inputs; and for networks (view->around) the fast
 * one, from the first layer, which the answer moves along a line, TCT_LANES answers at a time (first_layer.h).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "binary_entropy.h"
#include "first_layer.h"
#include "num.h"
#include "odds.h"
#include "rules_inside.h"

/* Of the trapezoidal rule over an answer of one input: where the line ends (the density left out is below 1e-8), the
 * step as a share of the narrowest width, and the finest step. */
#define LINE_END 6.0
#define FINEST_STEP 0.25
static const double STEP_PER_WIDTH = 0.8;
enum { MAX_REACH = (int)(LINE_END / FINEST_STEP) };

/* A step that resolves the changes of label along an answer of this deviation, which moves the mean scores by gain[k]
 * per unit and leaves covariance cov: the width, in deviations, over which the label goes from one class to another,
 * the narrowest over all pairs. */
static double step_for(const double *gain, const double *cov, size_t k, double deviation)
{
    double width = INFINITY;

    if (k == 1)
        width = sqrt(cov[0]) / fabs(gain[0] * deviation);
    for (size_t i = 0; i < k; i++)
        for (size_t j = 0; j < i; j++) {
            double left = sqrt(fmax(cov[i * k + i] - 2 * cov[i * k + j] + cov[j * k + j], 0));
            double speed = fabs((gain[i] - gain[j]) * deviation);

            if (speed > 0)
                width = fmin(width, left / speed);
        }
    return fmax(STEP_PER_WIDTH * fmin(width, 1), FINEST_STEP);
}

/* Nodes i = -reach..reach at i * step, and the density at node i (and -i) up to a factor, by its recurrence. */
static size_t line_nodes(double step, double density[MAX_REACH + 1])
{
    size_t reach = (size_t)ceil(LINE_END / step);
    double ratio = exp(-0.5 * step * step), square = ratio * ratio;

    density[0] = 1;
    for (size_t i = 1; i <= reach; i++) {
        density[i] = density[i - 1] * ratio;
        ratio *= square;
    }
    return reach;
}

/* Entropy of the label when the scores have this law.  p: room for the classes; shaped: as in tct_noise_shape, or
 * NULL. */
static double label_entropy(const tct_view *view, const double *mean, const double *cov, double *p, double *shaped,
                            double *rest)
{
    size_t k = view->model->classifier->n_scores;

    if (k == 1) {
        tct_class_probabilities(mean, cov, k, p, rest);
        return tct_entropy2(fmin(p[0], p[1])); /* the smaller one keeps its digits */
    }
    if (shaped) {
        size_t classes[TCT_MAX_CLASSES], n = tct_may_win(mean, cov, k, 4, classes);

        tct_noise_shape(view->noise, cov, k, TCT_NOISE_POINTS, shaped, rest);
        tct_noise_count(shaped, TCT_NOISE_POINTS, mean, k, classes, n, p);
    } else {
        tct_class_odds(mean, cov, k, p, rest);
    }
    return tct_entropy(p, k);
}

/* A level by its weights. */
static size_t draw_level(tct_random *random, const double *weights, size_t n)
{
    double u = tct_random_uniform(random);
    size_t l = 0;

    while (l + 1 < n && u > weights[l])
        u -= weights[l++];
    return l;
}

/* ---- the plain way ---- */

/* One candidate, and room to work. */
typedef struct trial {
    const tct_view *view;
    const tct_domain *domain;
    const tct_belief *after;
    size_t k, n_classes;
    double *x;    /* known values and the answer */
    double *mean; /* mean scores after it */
    double *p;
    double *shaped; /* lattice noise, or NULL */
    double *rest;
    double expected[1], deviation; /* of a single input */
    double *levels;                /* one-hot: weights */
} trial;

static bool trial_prepare(trial *t, const tct_view *view, size_t attribute, double *scratch)
{
    const tct_belief *b = view->belief;
    const tct_classifier *classifier = view->model->classifier;
    double *mean = tct_scratch_take(&scratch, b->n_unknown);
    size_t at = tct_belief_position(b, view->model->codec->domains[attribute].first);

    t->view = view;
    t->domain = &view->model->codec->domains[attribute];
    t->after = view->after(view->context, attribute);
    t->k = classifier->n_scores;
    t->n_classes = classifier->n_classes;
    t->x = tct_scratch_take(&scratch, classifier->n_inputs);
    t->mean = tct_scratch_take(&scratch, t->k);
    t->p = tct_scratch_take(&scratch, t->n_classes);
    t->levels = tct_scratch_take(&scratch, t->domain->width);
    t->shaped = view->noise->points ? tct_scratch_take(&scratch, TCT_NOISE_POINTS * t->k) : NULL;
    t->rest = scratch;
    memcpy(t->x, view->x, classifier->n_inputs * sizeof *t->x);
    tct_belief_mean(b, view->x, mean);
    t->expected[0] = mean[at];
    t->deviation = sqrt(b->cov[at * b->n_unknown + at]);
    if (t->domain->kind == TCT_ONEHOT)
        tct_level_weights(mean + at, t->domain->count, t->levels);
    return t->after != NULL;
}

/* Entropy of the label with the answer in t->x. */
static double entropy_of(trial *t)
{
    tct_law *law = t->view->local;

    tct_law_around(law, t->mean, t->after, t->view->model->classifier, t->x, t->rest);
    return label_entropy(t->view, t->mean, law->cov, t->p, t->shaped, t->rest);
}

static double entropy_at(trial *t, double z)
{
    t->x[t->domain->first] = t->expected[0] + t->deviation * z;
    return entropy_of(t);
}

static double entropy_at_level(trial *t, size_t level)
{
    for (size_t i = 0; i < t->domain->width; i++)
        t->x[t->domain->first + i] = i == level ? 1 : 0;
    return entropy_of(t);
}

static double plain_step(const trial *t, size_t attribute)
{
    const tct_view *view = t->view;
    double *scratch = t->rest;
    tct_effect effect = {tct_scratch_take(&scratch, t->domain->width * t->k), tct_scratch_take(&scratch, t->k * t->k)};

    tct_effect_of(&effect, view->law, view->belief, view->model, attribute, scratch);
    return step_for(effect.gain, effect.cov, t->k, t->deviation);
}

static double plain_entropy(const tct_view *view, size_t attribute, double *scratch)
{
    double density[MAX_REACH + 1], step, sum = 0, weight = 0;
    long reach;
    trial t;

    if (!trial_prepare(&t, view, attribute, scratch))
        return INFINITY; /* short of memory: the step to it will say so */
    if (t.domain->kind == TCT_ONEHOT) {
        for (size_t l = 0; l < t.domain->count; l++)
            if (t.levels[l] > 0)
                sum += t.levels[l] * entropy_at_level(&t, l);
        return sum;
    }
    if (!(t.deviation > 0))
        return entropy_at(&t, 0);
    step = plain_step(&t, attribute);
    reach = (long)line_nodes(step, density);
    for (long i = -reach; i <= reach; i++) {
        sum += density[labs(i)] * entropy_at(&t, (double)i * step);
        weight += density[labs(i)];
    }
    return sum / weight;
}

static double plain_sampled(const tct_view *view, size_t attribute, size_t samples, tct_random *random, double *scratch)
{
    double sum = 0;
    trial t;

    if (!trial_prepare(&t, view, attribute, scratch))
        return INFINITY;
    for (size_t i = 0; i < samples; i++)
        sum += t.domain->kind == TCT_ONEHOT ? entropy_at_level(&t, draw_level(random, t.levels, t.domain->count))
                                            : entropy_at(&t, tct_random_normal(random));
    return sum / (double)samples;
}

/* ---- the fast way ---- */

/* One candidate, seen from the first layer. */
typedef struct ahead {
    const tct_view *view;
    tct_netline *line;
    const tct_domain *domain;
    const double *along; /* width x n_first: what the answer's inputs do to the first layer */
    tct_spread spread;   /* after it */
    double variance;     /* of a single input */
    double *levels;      /* one-hot: weights */
    double *p, *mean, *cov, *shaped, *rest;
} ahead;

static bool ahead_prepare(ahead *a, const tct_view *view, size_t attribute, double *scratch)
{
    const tct_belief *b = view->belief, *after = view->after(view->context, attribute);
    size_t at = tct_belief_position(b, view->model->codec->domains[attribute].first);
    size_t k = view->model->classifier->n_scores, n = view->around->line->n_first;
    const double *expected = view->around->mean + at;

    if (!after)
        return false;
    a->view = view;
    a->line = view->around->line;
    a->domain = &view->model->codec->domains[attribute];
    a->along = after->first_layer->along;
    a->spread = tct_first_layer_spread(after);
    a->variance = b->cov[at * b->n_unknown + at];
    a->levels = tct_scratch_take(&scratch, a->domain->width);
    a->p = tct_scratch_take(&scratch, view->model->classifier->n_classes);
    a->mean = tct_scratch_take(&scratch, k);
    a->cov = tct_scratch_take(&scratch, k * k);
    a->shaped = view->noise->points ? tct_scratch_take(&scratch, TCT_NOISE_POINTS * k) : NULL;
    a->rest = scratch;
    if (a->domain->kind != TCT_ONEHOT)
        return true;
    /* Where the first layer would be with all inputs of the block 0: a level adds its own line. */
    tct_level_weights(expected, a->domain->count, a->levels);
    memcpy(view->around->base, view->around->first, n * sizeof(double));
    for (size_t i = 0; i < a->domain->width; i++)
        for (size_t j = 0; j < n; j++)
            view->around->base[j] -= a->along[i * n + j] * expected[i];
    return true;
}

/* Laws of scores of two to four classes, whose odds are found together. */
typedef struct laws {
    size_t n;
    double means[TCT_ODDS_POINTS * TCT_ODDS_SCORES];
    double covs[TCT_ODDS_POINTS * TCT_ODDS_SCORES * TCT_ODDS_SCORES];
} laws;

static void entropies_of_laws(laws *all, size_t k, double *h)
{
    double p[TCT_ODDS_POINTS * TCT_ODDS_SCORES];

    tct_class_odds_each(all->means, all->covs, all->n, k, p);
    for (size_t i = 0; i < all->n; i++)
        h[i] = tct_entropy(p + i * k, k);
    tct_wipe(all->means, all->n * k * sizeof *all->means);
    tct_wipe(p, all->n * k * sizeof *p);
    all->n = 0;
}

/* Entropies at the first n points of line->first; or only their laws, to be looked at later, where there are `later`. */
static void entropies(const ahead *a, size_t n, double h[TCT_LANES], laws *later)
{
    size_t k = a->line->n_scores;

    tct_netline_law(a->line, &a->spread);
    if (k == 1) {
        tct_binary_entropies(a->line->scores, a->line->cov, h);
        return;
    }
    for (size_t i = 0; i < n && later; i++, later->n++) {
        for (size_t s = 0; s < k; s++)
            later->means[later->n * k + s] = a->line->scores[s * TCT_LANES + i];
        for (size_t s = 0; s < k * k; s++)
            later->covs[later->n * k * k + s] = a->line->cov[s * TCT_LANES + i];
    }
    for (size_t i = 0; i < n && !later; i++) {
        for (size_t s = 0; s < k; s++)
            a->mean[s] = a->line->scores[s * TCT_LANES + i];
        for (size_t s = 0; s < k * k; s++)
            a->cov[s] = a->line->cov[s * TCT_LANES + i];
        h[i] = label_entropy(a->view, a->mean, a->cov, a->p, a->shaped, a->rest);
    }
}

/* The same for answers t[i] away from the expected one; those from n on do not count. */
static void entropies_on_line(const ahead *a, double t[TCT_LANES], size_t n, double h[TCT_LANES], laws *later)
{
    for (size_t i = n; i < TCT_LANES; i++)
        t[i] = t[0];
    tct_netline_place(a->line, a->view->around->first, a->along, t);
    entropies(a, n, h, later);
}

/* The same for levels of a one-hot attribute. */
static void entropies_at_levels(const ahead *a, const size_t *levels, size_t n, double h[TCT_LANES], laws *later)
{
    size_t n_first = a->line->n_first;

    for (size_t j = 0; j < n_first; j++)
        for (size_t i = 0; i < TCT_LANES; i++)
            a->line->first[j * TCT_LANES + i] =
                a->view->around->base[j] + a->along[levels[i < n ? i : 0] * n_first + j];
    entropies(a, n, h, later);
}

static double fast_step(const ahead *a, double deviation)
{
    const tct_view *view = a->view;
    size_t k = a->line->n_scores, n = a->line->n_first, input = a->domain->first, d = view->model->codec->n_inputs;
    double *gain = a->mean;

    memcpy(a->cov, view->law->cov, k * k * sizeof(double));
    memset(gain, 0, k * sizeof(double));
    if (!tct_determined(a->variance, view->model->covariance[input * d + input]))
        for (size_t s = 0; s < k; s++)
            for (size_t j = 0; j < n; j++)
                gain[s] += view->around->slopes[s * n + j] * a->along[j];
    for (size_t s = 0; s < k; s++)
        for (size_t t = 0; t < k; t++) {
            a->cov[s * k + t] -= gain[s] * gain[t] * a->variance;
            if (s == t && a->cov[s * k + t] < 0)
                a->cov[s * k + t] = 0;
        }
    return step_for(gain, a->cov, k, deviation);
}

/* Two to four classes: laws are looked at together. */
static bool goes_later(const ahead *a)
{
    return a->line->n_scores > 1 && !a->shaped;
}

static double fast_over_levels(const ahead *a)
{
    size_t levels[TCT_LANES], n = 0;
    double h[TCT_LANES], sum = 0;
    laws room, *later = goes_later(a) ? &room : NULL;

    room.n = 0;
    for (size_t l = 0; l < a->domain->count; l++) {
        if (a->levels[l] > 0)
            levels[n++] = l;
        if (n < TCT_LANES && (n == 0 || l + 1 < a->domain->count))
            continue;
        entropies_at_levels(a, levels, n, h, later);
        if (later)
            entropies_of_laws(later, a->line->n_scores, h);
        for (size_t i = 0; i < n; i++)
            sum += a->levels[levels[i]] * h[i];
        n = 0;
    }
    return sum;
}

static double fast_over_line(const ahead *a)
{
    double deviation = sqrt(a->variance), t[TCT_LANES] = {0}, h[TCT_ODDS_POINTS], density[MAX_REACH + 1], sum = 0;
    double step, weight = 0;
    long reach;
    laws room, *later = goes_later(a) ? &room : NULL;

    room.n = 0;
    if (!(deviation > 0)) {
        entropies_on_line(a, t, 1, h, NULL);
        return h[0];
    }
    step = fast_step(a, deviation);
    reach = (long)line_nodes(step, density);
    for (long from = -reach; from <= reach; from += TCT_LANES) {
        long left = reach + 1 - from, n = left < TCT_LANES ? left : TCT_LANES;

        for (long i = 0; i < n; i++)
            t[i] = (double)(from + i) * step * deviation;
        entropies_on_line(a, t, (size_t)n, h + (from + reach), later);
    }
    if (later)
        entropies_of_laws(later, a->line->n_scores, h);
    for (long i = -reach; i <= reach; i++) {
        sum += density[labs(i)] * h[i + reach];
        weight += density[labs(i)];
    }
    return sum / weight;
}

static double fast_entropy(const tct_view *view, size_t attribute, double *scratch)
{
    ahead a;

    if (!ahead_prepare(&a, view, attribute, scratch))
        return INFINITY;
    return a.domain->kind == TCT_ONEHOT ? fast_over_levels(&a) : fast_over_line(&a);
}

static double fast_sampled(const tct_view *view, size_t attribute, size_t samples, tct_random *random, double *scratch)
{
    double t[TCT_LANES], h[TCT_LANES], deviation, sum = 0;
    size_t levels[TCT_LANES];
    laws room, *later;
    ahead a;

    if (!ahead_prepare(&a, view, attribute, scratch))
        return INFINITY;
    later = goes_later(&a) ? &room : NULL;
    room.n = 0;
    deviation = sqrt(a.variance);
    for (size_t from = 0; from < samples; from += TCT_LANES) {
        size_t n = samples - from < TCT_LANES ? samples - from : TCT_LANES;

        for (size_t i = 0; i < n; i++) {
            if (a.domain->kind == TCT_ONEHOT)
                levels[i] = draw_level(random, a.levels, a.domain->count);
            else
                t[i] = tct_random_normal(random) * deviation;
        }
        if (a.domain->kind == TCT_ONEHOT)
            entropies_at_levels(&a, levels, n, h, later);
        else
            entropies_on_line(&a, t, n, h, later);
        if (later)
            entropies_of_laws(later, a.line->n_scores, h);
        for (size_t i = 0; i < n; i++)
            sum += h[i];
    }
    return sum / (double)samples;
}

/* ---- the rules ---- */

double tct_network_entropy(const tct_view *view, size_t attribute, double *scratch)
{
    return view->around ? fast_entropy(view, attribute, scratch) : plain_entropy(view, attribute, scratch);
}

double tct_network_sampled(const tct_view *view, size_t attribute, size_t samples, double *scratch)
{
    tct_random random;

    tct_random_seed(&random, view->seed, view->belief->n_known * (uint64_t)TCT_MAX_INPUTS + attribute);
    return view->around ? fast_sampled(view, attribute, samples, &random, scratch)
                        : plain_sampled(view, attribute, samples, &random, scratch);
}

size_t tct_network_by_entropy(const tct_view *view, double *scratch)
{
    tct_best b = {TACIT_NONE, 0};

    for (size_t i = 0; i < view->n_candidates; i++)
        tct_consider(&b, view->candidates[i], -tct_network_entropy(view, view->candidates[i], scratch));
    return b.attribute;
}

size_t tct_network_by_montecarlo(const tct_view *view, double *scratch)
{
    tct_best b = {TACIT_NONE, 0};

    for (size_t i = 0; i < view->n_candidates; i++)
        tct_consider(&b, view->candidates[i],
                     -tct_network_sampled(view, view->candidates[i], TCT_MONTECARLO_SAMPLES, scratch));
    return b.attribute;
}
