/*
 * scores_network.c -- the law of a network's scores: taken for linear around the person (first_layer.h).
 *
 * What the paper does, and what its evaluation is repeated by.  Otherwise people are drawn (scores_drawn.c), and only what
 * needs no probability comes from here.
 */
#include "first_layer.h"
#include "mlp.h"
#include "posteriors.h"
#include "rules_inside.h"
#include "score_laws.h"

typedef struct network_scores {
    tct_score_law base;
    tct_law *local; /* around the person */
    tct_law *ahead; /* around an imagined answer */
    tct_around *around;
    double *mean; /* n_scores */
    double *p;    /* n_classes */
} network_scores;

static bool applies(const tacit_model *model)
{
    return model->first_order && tct_posterior_row(model)->gaussian && tct_as_mlp(model->classifier);
}

static tacit_status network_prepare(tct_belief *belief, const tacit_model *model, size_t width, tacit_error *err)
{
    return tct_first_layer_add(belief, model->classifier, width, err);
}

static void network_wipe(tct_score_law *law)
{
    network_scores *s = (network_scores *)law;

    tct_wipe(s->mean, law->model->classifier->n_scores * sizeof(double));
    tct_wipe(s->p, law->model->classifier->n_classes * sizeof(double));
    tct_around_wipe(s->around);
    law->probability = 0;
}

static void network_free(tct_score_law *law)
{
    network_scores *s = (network_scores *)law;

    tct_free_wiped(s->mean, law->model->classifier->n_scores * sizeof(double));
    tct_free_wiped(s->p, law->model->classifier->n_classes * sizeof(double));
    tct_around_free(s->around);
    tct_law_free(s->local);
    tct_law_free(s->ahead);
    tct_free(s);
}

static tacit_status network_make(tct_score_law **out, const tacit_model *model, tacit_error *err)
{
    network_scores *s = tct_calloc(1, sizeof *s);
    tacit_status st;

    *out = NULL;
    if (!s)
        return tct_fail_memory(err);
    s->base = (tct_score_law){.ops = &tct_scores_network, .model = model};
    s->mean = tct_calloc(model->classifier->n_scores, sizeof(double));
    s->p = tct_calloc(model->classifier->n_classes, sizeof(double));
    st = s->mean && s->p ? TACIT_OK : tct_fail_memory(err);
    if (!st)
        st = tct_law_local(&s->local, model->classifier, err);
    if (!st)
        st = tct_law_local(&s->ahead, model->classifier, err);
    if (!st)
        st = tct_around_new(&s->around, model->classifier, false, err);
    if (st)
        network_free(&s->base);
    else
        *out = &s->base;
    return st;
}

static void network_look(tct_score_law *law, tct_view *view, bool brief, double *scratch)
{
    network_scores *s = (network_scores *)law;

    tct_around_law(s->around, s->local, s->mean, view->belief, view->x);
    view->law = s->local;
    view->scores = s->mean;
    view->local = s->ahead;
    view->around = s->around;
    tct_gaussian_look(law, s->local, s->mean, s->p, view, brief, scratch);
}

static bool network_keeps(const tct_score_law *law, const tct_promise *promise)
{
    const network_scores *s = (const network_scores *)law;

    return tct_gaussian_keeps(law, s->local, s->mean, promise);
}

static void network_shares(const tct_score_law *law, const tct_view *view, double *p, double *scratch)
{
    const network_scores *s = (const network_scores *)law;

    tct_gaussian_shares(s->local, s->mean, view, p, scratch);
}

static size_t network_scratch(const tacit_model *model)
{
    return tct_rule_scratch(model) + tct_law_scratch(model->classifier->n_scores) +
           tct_law_local_scratch(model->classifier);
}

const tct_score_law_ops tct_scores_network = {.name = "network",
                                              .applies = applies,
                                              .prepare = network_prepare,
                                              .make = network_make,
                                              .free = network_free,
                                              .wipe = network_wipe,
                                              .look = network_look,
                                              .keeps = network_keeps,
                                              .shares = network_shares,
                                              .scratch = network_scratch,
                                              .ways = {.entropy = tct_network_by_entropy,
                                                       .montecarlo = tct_network_by_montecarlo,
                                                       .margin = tct_network_margin,
                                                       .stop = tct_network_stop}};
