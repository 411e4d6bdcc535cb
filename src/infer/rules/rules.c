/*
 * The table of rules.
 */
#include "rules.h"

#include "answer_entropy.h"
#include "rules_inside.h"

static size_t widest(const tacit_model *model)
{
    size_t width = 1;

    for (size_t a = 0; a < model->schema->n_attributes; a++)
        if (model->codec->domains[a].width > width)
            width = model->codec->domains[a].width;
    return width;
}

/* The same in variables. */
static size_t most_variables(const tacit_model *model)
{
    const size_t *first = model->variables->first;
    size_t most = 1;

    for (size_t a = 0; a < model->schema->n_attributes; a++)
        most = first[a + 1] - first[a] > most ? first[a + 1] - first[a] : most;
    return most;
}

size_t tct_rule_scratch(const tacit_model *model)
{
    size_t w = widest(model), v = most_variables(model), k = model->classifier->n_scores,
           classes = model->classifier->n_classes;

    return 2 * model->codec->n_inputs + tct_law_local_scratch(model->classifier) + 3 * w + classes * classes + w * k +
           k * k + v * (v + k + 1) + 3 * k + 2 * classes + tct_law_scratch(k) + tct_worst_scratch(model, w) +
           (k < 2                      ? 0
            : k < TCT_MANY_FROM_SCORES ? tct_answer_entropy_scratch(v)
                                       : tct_many_scratch(k) + w * k);
}

static size_t by_entropy(const tct_view *view, double *scratch)
{
    return view->ways->entropy(view, scratch);
}

static size_t by_margin(const tct_view *view, double *scratch)
{
    return view->ways->margin(view, scratch);
}

static size_t by_montecarlo(const tct_view *view, double *scratch)
{
    return view->ways->montecarlo(view, scratch);
}

static size_t by_stop(const tct_view *view, double *scratch)
{
    return view->ways->stop(view, scratch);
}

static const tct_rule_ops RULES[] = {
    [TACIT_RULE_AUTO] = {NULL},        [TACIT_RULE_ENTROPY] = {by_entropy},
    [TACIT_RULE_MARGIN] = {by_margin}, [TACIT_RULE_MONTECARLO] = {by_montecarlo},
    [TACIT_RULE_STOP] = {by_stop},
};
enum { N_RULES = sizeof RULES / sizeof RULES[0] };

bool tct_rule_exists(tacit_rule rule)
{
    return (size_t)rule < N_RULES;
}

const tct_rule_ops *tct_rule_get(tacit_rule rule)
{
    return &RULES[rule];
}

bool tct_rule_proves(const tct_rule_ops *rule)
{
    return rule == &RULES[TACIT_RULE_MARGIN] || rule == &RULES[TACIT_RULE_STOP];
}

tacit_rule tct_rule_for(tacit_rule rule, double delta, const tacit_model *model, tct_crossing crossing)
{
    bool calibrated = model && model->calibrated;
    double nominal = calibrated ? tct_calibration_nominal(&model->calibration, delta) : delta;

    if (rule != TACIT_RULE_AUTO)
        return rule;
    /* A calibration is about the entropy rule: by the other one only proofs keep it. */
    return nominal > (calibrated ? crossing.proofs : crossing.likely) ? TACIT_RULE_ENTROPY : TACIT_RULE_STOP;
}
