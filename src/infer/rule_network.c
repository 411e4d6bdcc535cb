/*
 * The rules for classifiers that are not linear.
 *
 * Expected entropy: every answer gives another posterior mean, and the scores are linearised anew around it.  What does
 * not depend on the answer's value, the belief once the attribute is known, is shared by all values.
 *
 * Margin: the classifier's own lower bounds over what is left free, with the candidate at its expected value.
 */
#include <math.h>
#include <string.h>

#include "num.h"
#include "rules_inside.h"

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
    double *mean = tct_take(&scratch, b->n_unknown);
    size_t at = tct_belief_position(b, view->model->codec->domains[attribute].first);

    t->view = view;
    t->domain = &view->model->codec->domains[attribute];
    t->after = view->after(view->context, attribute);
    t->k = classifier->n_scores;
    t->n_classes = classifier->n_classes;
    t->x = tct_take(&scratch, classifier->n_inputs);
    t->mean = tct_take(&scratch, t->k);
    t->p = tct_take(&scratch, t->n_classes);
    t->levels = tct_take(&scratch, t->domain->width);
    t->shaped = view->noise->points ? tct_take(&scratch, TCT_NOISE_POINTS * t->k) : NULL;
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
    if (t->shaped) {
        tct_noise_shape(t->view->noise, law->cov, t->k, t->shaped, t->rest);
        tct_noise_count(t->shaped, t->mean, t->k, t->p);
    } else {
        tct_class_probabilities(t->mean, law->cov, t->k, t->p, t->rest);
    }
    return t->n_classes == 2 ? tct_entropy2(t->p[1]) : tct_entropy(t->p, t->n_classes);
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

double tct_network_entropy(const tct_view *view, size_t attribute, double *scratch)
{
    double step = tct_answer_step(view, attribute, scratch), sum = 0, weight = 0;
    long reach = (long)ceil(TCT_LINE_END / step);
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
    for (long i = -reach; i <= reach; i++) {
        double z = (double)i * step, density = tct_normal_pdf(z);

        sum += density * entropy_at(&t, z);
        weight += density;
    }
    return sum / weight;
}

double tct_network_sampled(const tct_view *view, size_t attribute, size_t samples, double *scratch)
{
    double sum = 0;
    tct_random random;
    trial t;

    if (!trial_prepare(&t, view, attribute, scratch))
        return INFINITY;
    tct_random_seed(&random, view->seed, view->belief->n_known * (uint64_t)TCT_MAX_INPUTS + attribute);
    for (size_t i = 0; i < samples; i++) {
        if (t.domain->kind == TCT_ONEHOT) {
            double u = tct_random_uniform(&random);
            size_t l = 0;

            while (l + 1 < t.domain->count && u > t.levels[l])
                u -= t.levels[l++];
            sum += entropy_at_level(&t, l);
        } else {
            sum += entropy_at(&t, tct_random_normal(&random));
        }
    }
    return sum / (double)samples;
}

/* The smallest lower bound of the label's margins. */
static double bound(const tct_view *view, const unsigned char *known, const double *x, size_t label, double *lower)
{
    const tct_classifier *classifier = view->model->classifier;
    tct_region region = {view->model->codec, known, x};
    double least = INFINITY;

    tct_bounder_margins(view->bounder, &region, label, lower);
    for (size_t c = 0; c < classifier->n_classes; c++)
        least = fmin(least, lower[c]);
    return least;
}

size_t tct_network_margin(const tct_view *view, double *scratch)
{
    const tacit_model *model = view->model;
    const tct_belief *b = view->belief;
    size_t label = tct_label(view->scores, model->classifier->n_scores);
    double *mean = tct_take(&scratch, b->n_unknown), *x = tct_take(&scratch, model->codec->n_inputs);
    double *lower = tct_take(&scratch, model->classifier->n_classes), now;
    unsigned char known[TCT_MAX_ATTRIBUTES];
    tct_best found = {TACIT_NONE, 0};

    memcpy(known, view->known, model->schema->n_attributes);
    memcpy(x, view->x, model->codec->n_inputs * sizeof *x);
    tct_belief_mean(b, view->x, mean);
    now = bound(view, known, x, label, lower);
    for (size_t i = 0; i < view->n_candidates; i++) {
        size_t a = view->candidates[i], first = model->codec->domains[a].first;

        tct_expected_inputs(view, a, mean + tct_belief_position(b, first), x + first);
        known[a] = 1;
        tct_consider(&found, a, (bound(view, known, x, label, lower) - now) / model->schema->attributes[a].cost);
        known[a] = 0;
    }
    return found.attribute;
}
