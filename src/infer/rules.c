/*
 * The table of rules.
 */
#include "rules.h"

#include <string.h>

#include "prospect.h"
#include "rules_inside.h"

static size_t widest(const tacit_model *model)
{
    size_t width = 1;

    for (size_t a = 0; a < model->schema->n_attributes; a++)
        if (model->codec->domains[a].width > width)
            width = model->codec->domains[a].width;
    return width;
}

size_t tct_rule_scratch(const tacit_model *model)
{
    size_t w = widest(model), k = model->classifier->n_scores, classes = model->classifier->n_classes;

    return 2 * model->codec->n_inputs + tct_law_local_scratch(model->classifier) + 3 * w + classes * classes + w * k +
           k * k + w * (w + k + 1) + 3 * k + 2 * classes + tct_law_scratch(k) + tct_stress_scratch(model, w) +
           (k < 2                       ? 0
            : k < TCT_NOISE_FROM_SCORES ? tct_prospect_scratch(w)
                                        : TCT_NOISE_POINTS * k);
}

static const tct_rule_ops RULES[] = {
    [TACIT_RULE_AUTO] = {"auto", NULL},
    [TACIT_RULE_ENTROPY] = {"entropy", tct_choose_by_entropy},
    [TACIT_RULE_MARGIN] = {"margin", tct_choose_by_margin},
    [TACIT_RULE_MONTECARLO] = {"montecarlo", tct_choose_by_montecarlo},
    [TACIT_RULE_STOP] = {"stop", tct_choose_by_stop},
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

tacit_rule tct_rule_for(tacit_rule rule, double delta, const tacit_model *model)
{
    if (rule != TACIT_RULE_AUTO)
        return rule;
    if (delta > 0 && (!model || !model->calibrated || tct_calibration_nominal(&model->calibration, delta) > 0))
        return TACIT_RULE_ENTROPY;
    return TACIT_RULE_STOP;
}

const char *tacit_rule_name(tacit_rule rule)
{
    return (size_t)rule < N_RULES ? RULES[rule].name : "?";
}

tacit_status tacit_rule_from_name(tacit_rule *out, const char *name, tacit_error *err)
{
    const char *names[N_RULES], *close;

    for (size_t i = 0; i < N_RULES; i++) {
        names[i] = RULES[i].name;
        if (strcmp(name, names[i]) == 0) {
            *out = (tacit_rule)i;
            return TACIT_OK;
        }
    }
    close = tacit_suggest(name, names, N_RULES);
    return tct_fail(err, TACIT_E_USAGE, "unknown rule '%s'%s%s%s; expected auto, entropy, margin, stop or montecarlo",
                    name, close ? ", did you mean '" : "", close ? close : "", close ? "'?" : "");
}
