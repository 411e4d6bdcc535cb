/*
 * gates.c -- limits an audit must keep.  A gate that cannot be judged (accuracy without known outcomes) fails: silence
 * would look like success.
 */
#include "gates.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "terminal.h"

typedef struct gate {
    const char *option;
    const char *what;
    bool upper; /* the value must not be above the limit */
    double max; /* largest limit that makes sense */
    bool once;  /* does not depend on delta */
    double (*value)(const tacit_audit_result *result, const tacit_audit_summary *all);
} gate;

typedef struct gate_limit {
    double bound, delta;
    bool everywhere; /* no "@delta" */
} gate_limit;

static double mean_asked(const tacit_audit_result *r, const tacit_audit_summary *all)
{
    (void)all;
    return r->mean_asked;
}

static double share_asked(const tacit_audit_result *r, const tacit_audit_summary *all)
{
    (void)all;
    return r->share_asked;
}

static double none_asked(const tacit_audit_result *r, const tacit_audit_summary *all)
{
    (void)all;
    return r->none_asked;
}

static double fidelity(const tacit_audit_result *r, const tacit_audit_summary *all)
{
    (void)all;
    return r->fidelity;
}

static double accuracy(const tacit_audit_result *r, const tacit_audit_summary *all)
{
    (void)all;
    return r->accuracy;
}

/* Nobody stopped early: nobody was failed. */
static double failure(const tacit_audit_result *r, const tacit_audit_summary *all)
{
    (void)all;
    return r->stopped ? r->observed : 0;
}

static double gain(const tacit_audit_result *r, const tacit_audit_summary *all)
{
    return r->accuracy - all->baseline.majority_accuracy;
}

static double clipped(const tacit_audit_result *r, const tacit_audit_summary *all)
{
    (void)r;
    return (double)all->people_clipped / (double)all->people;
}

static const gate table[GATE_COUNT] = {
    [GATE_MEAN] = {"max-mean-asked", "mean number of attributes asked", true, 1e9, false, mean_asked},
    [GATE_SHARE] = {"max-share-asked", "share of sensitive attributes asked", true, 1, false, share_asked},
    [GATE_NONE] = {"min-none-asked", "share of people asked for nothing", false, 1, false, none_asked},
    [GATE_FIDELITY] = {"min-fidelity", "fidelity", false, 1, false, fidelity},
    [GATE_ACCURACY] = {"min-accuracy", "accuracy", false, 1, false, accuracy},
    [GATE_GAIN] = {"min-gain", "gain over always deciding the most frequent class", false, 1, false, gain},
    [GATE_CLIPPED] = {"max-clipped", "share of people with a value outside its domain", true, 1, true, clipped},
    [GATE_FAILURE] = {"max-failure", "observed failure", true, 1, false, failure},
};

static bool parse_limit(const gate *g, const char *text, gate_limit *out)
{
    char bound[64];
    size_t size = strcspn(text, "@");

    if (size >= sizeof(bound) || (g->once && text[size]))
        return false;
    snprintf(bound, sizeof(bound), "%.*s", (int)size, text);
    out->everywhere = text[size] == '\0';
    out->delta = 0;
    if (!out->everywhere && !cli_parse_number(text + size + 1, &out->delta))
        return false;
    return cli_parse_number(bound, &out->bound) && out->bound >= 0 && out->bound <= g->max;
}

int gates_check(const gate_settings *gates, const double *deltas, size_t n_deltas)
{
    for (size_t i = 0; i < GATE_COUNT; i++) {
        for (size_t k = 0; k < gates->texts[i].count; k++) {
            const char *text = gates->texts[i].items[k];
            gate_limit limit;
            bool found = false;

            if (!parse_limit(&table[i], text, &limit))
                return cli_complain(CLI_USAGE, "--%s: expected %s%s", table[i].option,
                                    table[i].max > 1 ? "a number of at least 0" : "a number from 0 to 1",
                                    table[i].once ? "" : ", or the same followed by @ and a delta");
            for (size_t d = 0; d < n_deltas; d++)
                found = found || deltas[d] == limit.delta;
            if (!limit.everywhere && !found)
                return cli_complain(CLI_USAGE, "--%s %s: %g is not among the deltas of this audit", table[i].option,
                                    text, limit.delta);
        }
    }
    return CLI_DONE;
}

/* How a promise stands, in words.  Free it. */
static char *describe_promise(const tacit_audit_result *r)
{
    const char *state = tacit_promise_name(r->promise);
    char *text, *more;

    if (!r->stopped)
        return cli_format("the promise is %s at delta %g: nobody was settled early", state, r->delta);
    text = cli_format("the promise is %s at delta %g: %llu of %llu differ", state, r->delta,
                      (unsigned long long)r->failed, (unsigned long long)r->stopped);
    if (!(r->delta > 0))
        return text;
    more = cli_format("%s, 95 %% interval %.4g to %.4g", text, r->low, r->high);
    free(text);
    if (!r->more_people)
        return more;
    text = cli_format("%s, to be shown with %llu more people", more, (unsigned long long)r->more_people);
    free(more);
    return text;
}

static bool is_kept(const tacit_audit_result *r)
{
    char *text;

    if (r->promise == TACIT_PROMISE_KEPT)
        return true;
    text = describe_promise(r);
    cli_complain(0, "gate failed: --require-kept: %s", text);
    free(text);
    return false;
}

static bool holds(const gate *g, const char *text, double bound, const tacit_audit_result *r,
                  const tacit_audit_summary *all)
{
    double value = g->value(r, all);
    char *promise;

    if (isnan(value)) {
        cli_complain(0, "gate failed: --%s %s: the %s is not known, no outcome is given", g->option, text, g->what);
        return false;
    }
    if ((g->upper ? value <= bound : value >= bound) && !(g == &table[GATE_GAIN] && value <= 0))
        return true;
    if (g->once) {
        cli_complain(0, "gate failed: --%s %s: the %s is %.6g", g->option, text, g->what, value);
        return false;
    }
    if (g == &table[GATE_FAILURE]) {
        promise = describe_promise(r);
        cli_complain(0, "gate failed: --%s %s: the %s is %.6g at delta %g; %s", g->option, text, g->what, value,
                     r->delta, promise);
        free(promise);
        return false;
    }
    cli_complain(0, "gate failed: --%s %s: the %s is %.6g at delta %g", g->option, text, g->what, value, r->delta);
    return false;
}

bool gates_given(const gate_settings *gates)
{
    for (size_t i = 0; i < GATE_COUNT; i++)
        if (gates->texts[i].count > 0)
            return true;
    return gates->require_kept;
}

int gates_apply(const gate_settings *gates, const tacit_audit *audit, FILE *talk)
{
    const tacit_audit_summary *all = tacit_audit_summary_get(audit);
    size_t n_results = all->n_results, count = 0;
    int code = CLI_DONE;

    for (size_t i = 0; i < GATE_COUNT; i++) {
        for (size_t k = 0; k < gates->texts[i].count; k++) {
            const char *text = gates->texts[i].items[k];
            gate_limit limit;

            parse_limit(&table[i], text, &limit);
            for (size_t d = 0; d < n_results; d++) {
                const tacit_audit_result *r = tacit_audit_result_get(audit, d);

                if ((!limit.everywhere && r->delta != limit.delta) || (table[i].once && d > 0))
                    continue;
                count++;
                if (!holds(&table[i], text, limit.bound, r, all))
                    code = CLI_NEGATIVE;
            }
        }
    }
    for (size_t d = 0; gates->require_kept && d < n_results; d++) {
        count++;
        if (!is_kept(tacit_audit_result_get(audit, d)))
            code = CLI_NEGATIVE;
    }
    if (code == CLI_DONE && count && talk)
        fprintf(talk, "\n%s%zu gate%s passed.%s\n", term_on(STYLE_GOOD), count, count == 1 ? "" : "s",
                term_on(STYLE_PLAIN));
    return code;
}
