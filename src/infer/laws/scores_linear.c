/*
 * scores_linear.c -- the law of scores that are sums of terms: Gaussian, made once per stage (law.h).
 */
#include <math.h>

#include "num.h"
#include "posteriors.h"
#include "rules_inside.h"
#include "score_laws.h"

typedef struct linear_scores {
    tct_score_law base;
    const tct_law *law; /* of the stage last looked at */
    double *mean;       /* n_scores */
    double *p;          /* n_classes */
} linear_scores;

static bool applies(const tacit_model *model)
{
    return tct_posterior_row(model)->gaussian && tct_additive(model->classifier);
}

static void linear_wipe(tct_score_law *law)
{
    linear_scores *s = (linear_scores *)law;

    tct_wipe(s->mean, law->model->classifier->n_scores * sizeof(double));
    tct_wipe(s->p, law->model->classifier->n_classes * sizeof(double));
    law->probability = 0;
}

static void linear_free(tct_score_law *law)
{
    linear_scores *s = (linear_scores *)law;

    tct_free_wiped(s->mean, law->model->classifier->n_scores * sizeof(double));
    tct_free_wiped(s->p, law->model->classifier->n_classes * sizeof(double));
    tct_free(s);
}

static tacit_status linear_make(tct_score_law **out, const tacit_model *model, tacit_error *err)
{
    linear_scores *s = tct_calloc(1, sizeof *s);

    *out = NULL;
    if (!s)
        return tct_fail_memory(err);
    s->base = (tct_score_law){.ops = &tct_scores_linear, .model = model};
    s->mean = tct_calloc(model->classifier->n_scores, sizeof(double));
    s->p = tct_calloc(model->classifier->n_classes, sizeof(double));
    if (!s->mean || !s->p) {
        linear_free(&s->base);
        return tct_fail_memory(err);
    }
    *out = &s->base;
    return TACIT_OK;
}

void tct_gaussian_look(tct_score_law *law, const tct_law *scores, const double *mean, double *p, const tct_view *view,
                       bool brief, double *scratch)
{
    size_t classes = law->model->classifier->n_classes, k = scores->n_scores;

    law->label = 0;
    law->probability = NAN;
    if (k == 1) {
        law->label = mean[0] >= 0;
        if (!brief)
            law->probability = scores->sigma > 0 ? tct_normal_cdf(fabs(mean[0]) / scores->sigma) : 1;
    } else if (!brief && view->noise->points) {
        law->label = tct_most_likely(view->noise, mean, scores->cov, k, view->needed, &law->probability, scratch);
    } else if (!brief) {
        tct_class_probabilities(mean, scores->cov, k, p, scratch);
        for (size_t c = 1; c < classes; c++)
            if (p[c] > p[law->label])
                law->label = c;
        law->probability = fmin(p[law->label], 1);
    }
}

bool tct_gaussian_keeps(const tct_score_law *law, const tct_law *scores, const double *mean, const tct_promise *promise)
{
    return scores->n_scores == 1 ? fabs(mean[0]) >= scores->sigma * promise->quantile
                                 : law->probability >= 1 - promise->delta;
}

void tct_gaussian_shares(const tct_law *scores, const double *mean, const tct_view *view, double *p, double *scratch)
{
    size_t k = scores->n_scores, classes[TCT_MAX_CLASSES];

    if (k == 1) {
        p[1] = scores->sigma > 0 ? tct_normal_cdf(mean[0] / scores->sigma) : mean[0] >= 0;
        p[0] = scores->sigma > 0 ? tct_normal_cdf(-mean[0] / scores->sigma) : 1 - p[1];
    } else if (view->noise->points) {
        double *shaped = scratch + k * k;

        for (size_t c = 0; c < k; c++)
            classes[c] = c;
        tct_noise_shape(view->noise, scores->cov, k, TCT_NOISE_POINTS, shaped, scratch);
        tct_noise_count(shaped, TCT_NOISE_POINTS, mean, k, classes, k, p);
    } else {
        tct_class_probabilities(mean, scores->cov, k, p, scratch);
    }
}

static void linear_look(tct_score_law *law, tct_view *view, bool brief, double *scratch)
{
    linear_scores *s = (linear_scores *)law;

    s->law = view->stage_law;
    tct_law_mean(s->law, view->belief, view->x, s->mean);
    view->law = s->law;
    view->scores = s->mean;
    tct_gaussian_look(law, s->law, s->mean, s->p, view, brief, scratch);
}

static bool linear_keeps(const tct_score_law *law, const tct_promise *promise)
{
    const linear_scores *s = (const linear_scores *)law;

    return tct_gaussian_keeps(law, s->law, s->mean, promise);
}

static void linear_shares(const tct_score_law *law, const tct_view *view, double *p, double *scratch)
{
    const linear_scores *s = (const linear_scores *)law;

    tct_gaussian_shares(s->law, s->mean, view, p, scratch);
}

static size_t linear_scratch(const tacit_model *model)
{
    return tct_rule_scratch(model) + tct_law_scratch(model->classifier->n_scores);
}

const tct_score_law_ops tct_scores_linear = {.name = "linear",
                                             .applies = applies,
                                             .make = linear_make,
                                             .free = linear_free,
                                             .wipe = linear_wipe,
                                             .look = linear_look,
                                             .keeps = linear_keeps,
                                             .shares = linear_shares,
                                             .scratch = linear_scratch,
                                             .ways = {.entropy = tct_choose_by_entropy,
                                                      .montecarlo = tct_choose_by_montecarlo,
                                                      .margin = tct_choose_by_margin,
                                                      .stop = tct_choose_by_stop}};
