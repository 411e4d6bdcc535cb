/*
 * decision_names.c -- what rules and decisions are called, in receipts, results and on the command line.
 */
#include <string.h>

#include "base.h"

static const char *const RULES[] = {
    [TACIT_RULE_AUTO] = "auto",     [TACIT_RULE_ENTROPY] = "entropy",
    [TACIT_RULE_MARGIN] = "margin", [TACIT_RULE_MONTECARLO] = "montecarlo",
    [TACIT_RULE_STOP] = "stop",
};
enum { N_RULES = sizeof RULES / sizeof RULES[0] };

const char *tacit_rule_name(tacit_rule rule)
{
    return (size_t)rule < N_RULES ? RULES[rule] : "?";
}

tacit_status tacit_rule_from_name(tacit_rule *out, const char *name, tacit_error *err)
{
    const char *names[N_RULES], *close;

    for (size_t i = 0; i < N_RULES; i++) {
        names[i] = RULES[i];
        if (strcmp(name, names[i]) == 0) {
            *out = (tacit_rule)i;
            return TACIT_OK;
        }
    }
    close = tacit_suggest(name, names, N_RULES);
    return tct_fail(err, TACIT_E_USAGE, "unknown rule '%s'%s%s%s; expected auto, entropy, margin, stop or montecarlo",
                    name, close ? ", did you mean '" : "", close ? close : "", close ? "'?" : "");
}

const char *tacit_settled_name(tacit_settled settled)
{
    static const char *const NAMES[] = {"open", "certain", "likely", "all revealed", "unsettled"};

    return (size_t)settled < sizeof NAMES / sizeof NAMES[0] ? NAMES[settled] : "?";
}
