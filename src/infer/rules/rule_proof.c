/*
 * rule_proof.c -- rules that ask the prover: for classifiers whose prover bounds all answers to all questions at once.
 *
 * One run of the prover gives, for every value of every attribute, a lower bound of the label's lead once that value is
 * known (its slice).  The margin rule takes the attribute whose answer, as expected, leaves the largest lead, counted up
 * to 0, where it is proven.  The stop rule takes the one whose answer most likely settles the decision: by its slice, or
 * by a short search with that value put in.  Where no answer has a chance worth speaking of, the margin decides.
 *
 * Answers are weighed by the belief: eight values of equal probability, or levels by their weights.
 */
#include <math.h>
#include <string.h>

#include "num.h"
#include "rules_inside.h"

enum { VALUES = 8 };
static const double WORTH_LEADING = 0.05; /* as in rule_margin.c */
static const double RARE_LEVEL = 0.01;

/* Answers that an attribute may get. */
typedef struct answers {
    size_t n;
    size_t values[TCT_MAX_LEVELS]; /* indices of its grid or levels */
    double weights[TCT_MAX_LEVELS];
} answers;

static void find_levels(answers *out, const double *mean, size_t count)
{
    double weights[TCT_MAX_LEVELS];

    tct_level_weights(mean, count, weights);
    for (size_t k = 0; k < count; k++)
        if (weights[k] >= RARE_LEVEL) {
            out->values[out->n] = k;
            out->weights[out->n++] = weights[k];
        }
}

static void find_answers(answers *out, const tct_view *view, size_t attribute, const double *mean)
{
    const tct_belief *b = view->belief;
    const tct_domain *domain = &view->model->codec->domains[attribute];
    size_t at = tct_belief_position(b, domain->first);
    double deviation = sqrt(fmax(b->cov[at * b->n_unknown + at], 0)), last = (double)domain->count - 1;

    out->n = 0;
    if (domain->kind == TCT_ONEHOT) {
        find_levels(out, mean + at, domain->count);
        return;
    }
    for (size_t i = 0; i < VALUES; i++) {
        double v = mean[at] + deviation * tct_normal_quantile(((double)i + 0.5) / VALUES);
        size_t k = (size_t)fmin(fmax(rint((v + 1) / 2 * last), 0), last);

        if (out->n > 0 && out->values[out->n - 1] == k) {
            out->weights[out->n - 1] += 1.0 / VALUES;
            continue;
        }
        out->values[out->n] = k;
        out->weights[out->n++] = 1.0 / VALUES;
    }
}

/* The lead that is expected to be left after the answer. */
static double expected_lead(const double *slices, const answers *a)
{
    double lead = 0;

    for (size_t i = 0; i < a->n; i++)
        lead += a->weights[i] * slices[a->values[i]];
    return lead;
}

/* How likely the answer settles the decision.  Given up, with a number that is too large but below `needed`, as soon as
 * the chance cannot be that large any more. */
static double chance_of(const tct_view *view, const answers *a, size_t attribute, double needed)
{
    const tct_foresight *f = view->foresight;
    const double *slices = f->slices(view->context, attribute);
    double inputs[TCT_MAX_LEVELS], chance = 0;

    for (size_t i = 0; i < a->n; i++)
        chance += a->weights[i];
    for (size_t i = 0; i < a->n && chance >= needed; i++) {
        double slice = slices[a->values[i]];

        if (slice < 0 && f->searches(view->context)) {
            tct_codec_value(view->model->codec, attribute, a->values[i], inputs);
            slice = f->settles(view->context, attribute, inputs) ? 0 : slice;
        }
        chance -= slice >= 0 ? 0 : a->weights[i];
    }
    return chance;
}

/* A candidate by its chance, then by its lead. */
typedef struct leader {
    size_t attribute;
    double chance, lead; /* both by its cost */
} leader;

static void follow(leader *best, size_t attribute, double chance, double lead)
{
    if (chance > best->chance || (chance == best->chance && (best->attribute == TACIT_NONE || lead > best->lead)))
        *best = (leader){attribute, chance, lead};
}

size_t tct_choose_by_proof(const tct_view *view, size_t label, bool stop, double *mean)
{
    double now = view->foresight->begin(view->context, label), likeliest = 0;
    leader first = {TACIT_NONE, 0, 0};
    tct_best best = {TACIT_NONE, 0};
    answers a;

    tct_belief_mean(view->belief, view->x, mean);
    for (size_t i = 0; i < view->n_candidates; i++) {
        size_t candidate = view->candidates[i];
        double cost = view->model->schema->attributes[candidate].cost, left, chance, needed;

        find_answers(&a, view, candidate, mean);
        left = (expected_lead(view->foresight->slices(view->context, candidate), &a) - now) / cost;
        tct_consider(&best, candidate, left);
        if (!stop)
            continue;
        needed = first.chance * cost * (1 - 1e-9); /* less cannot lead */
        if (likeliest <= WORTH_LEADING)
            needed = fmin(needed, WORTH_LEADING);
        chance = chance_of(view, &a, candidate, needed);
        likeliest = fmax(likeliest, chance >= needed ? chance : 0);
        follow(&first, candidate, chance >= needed ? chance / cost : 0, left);
    }
    return likeliest > WORTH_LEADING ? first.attribute : best.attribute;
}
