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

/* What is known of an answer. */
enum { UNKNOWN, SETTLES, OPEN };

/* What is known without a search.  thorough: what may take a moment, too. */
static void find_states(const tct_view *view, const answers *a, size_t attribute, bool thorough, unsigned char *states)
{
    const tct_foresight *f = view->foresight;
    const double *slices = f->slices(view->context, attribute);
    bool searches = f->searches(view->context);

    for (size_t i = 0; i < a->n; i++) {
        states[i] = SETTLES;
        if (slices[a->values[i]] < 0)
            states[i] = !searches || f->open(view->context, attribute, a->values[i], thorough) ? OPEN : UNKNOWN;
    }
}

/* How likely the answer settles the decision, at most.  Rounding keeps the order: as more answers are found to be open,
 * this does not rise. */
static double most_of(const answers *a, const unsigned char *states)
{
    double most = 0;

    for (size_t i = 0; i < a->n; i++)
        most += a->weights[i];
    for (size_t i = 0; i < a->n; i++)
        most -= states[i] == OPEN ? a->weights[i] : 0;
    return most;
}

/* The same, at least, with room for rounding. */
static double least_of(const answers *a, const unsigned char *states)
{
    double least = -1e-12;

    for (size_t i = 0; i < a->n; i++)
        least += states[i] == SETTLES ? a->weights[i] * (1 - 1e-9) : 0;
    return least;
}

/* Search with the answers of which nothing is known, until all are, or the chance must be below `needed` or above
 * `enough`. */
static void find_out(const tct_view *view, const answers *a, size_t attribute, double needed, double enough,
                     unsigned char *states)
{
    double inputs[TCT_MAX_LEVELS];

    for (size_t i = 0; i < a->n; i++) {
        if (states[i] != UNKNOWN)
            continue;
        if (most_of(a, states) < needed || least_of(a, states) > enough)
            return;
        tct_codec_value(view->model->codec, attribute, a->values[i], inputs);
        states[i] = view->foresight->settles(view->context, attribute, inputs) ? SETTLES : OPEN;
    }
}

/* A candidate by its chance, then by its lead. */
typedef struct leader {
    size_t attribute;
    double chance, lead; /* both by its cost */
} leader;

/* The lowest index among equals. */
static bool comes_before(const leader *l, const leader *other)
{
    if (other->attribute == TACIT_NONE || l->chance != other->chance)
        return other->attribute == TACIT_NONE || l->chance > other->chance;
    return l->lead > other->lead || (l->lead == other->lead && l->attribute < other->attribute);
}

/* The race of the stop rule. */
typedef struct race {
    leader first;
    double likeliest; /* chance, of those that were not given up */
} race;

/* One candidate; enough: a chance that nobody else has, and that is worth leading with.  True: it has more. */
static bool run(race *r, const tct_view *view, const answers *a, leader candidate, double enough)
{
    double cost = view->model->schema->attributes[candidate.attribute].cost, chance, needed;
    unsigned char states[TCT_MAX_LEVELS];

    find_states(view, a, candidate.attribute, true, states);
    candidate.chance = most_of(a, states) / cost;
    if (r->likeliest > WORTH_LEADING && !comes_before(&candidate, &r->first))
        return false;
    needed = r->first.chance * cost * (1 - 1e-9); /* less cannot lead */
    if (r->likeliest <= WORTH_LEADING)
        needed = fmin(needed, WORTH_LEADING);
    find_out(view, a, candidate.attribute, needed, enough, states);
    chance = most_of(a, states);
    r->likeliest = fmax(r->likeliest, chance >= needed ? chance : 0);
    candidate.chance = chance >= needed ? chance / cost : 0;
    if (comes_before(&candidate, &r->first))
        r->first = candidate;
    return least_of(a, states) > enough;
}

/* The expected gain in lead of one candidate, by its cost. */
static double gain_of(const tct_view *view, const answers *a, size_t candidate, double now)
{
    return (expected_lead(view->foresight->slices(view->context, candidate), a) - now) /
           view->model->schema->attributes[candidate].cost;
}

/* Who leads does not depend on the order.  The most hopeful, who comes before all others by what each has at most, runs
 * first: most others are then given up at once.  second: the next by that. */
static size_t choose_by_chance(const tct_view *view, const double *mean, double now, const leader *hopeful,
                               const leader *second)
{
    double cost = view->model->schema->attributes[hopeful->attribute].cost;
    race r = {{TACIT_NONE, 0, 0}, 0};
    answers a;

    find_answers(&a, view, hopeful->attribute, mean);
    if (run(&r, view, &a, *hopeful, fmax(second->chance * cost, WORTH_LEADING)))
        return hopeful->attribute;
    for (size_t i = 0; i < view->n_candidates; i++) {
        leader other = {view->candidates[i], 0, 0};

        if (other.attribute == hopeful->attribute)
            continue;
        find_answers(&a, view, other.attribute, mean);
        other.lead = gain_of(view, &a, other.attribute, now);
        run(&r, view, &a, other, INFINITY);
    }
    return r.likeliest > WORTH_LEADING ? r.first.attribute : TACIT_NONE;
}

size_t tct_choose_by_proof(const tct_view *view, size_t label, bool stop, double *mean)
{
    double now = view->foresight->begin(view->context, label), most = 0;
    leader hopeful = {TACIT_NONE, 0, 0}, second = hopeful;
    tct_best best = {TACIT_NONE, 0};
    size_t found = TACIT_NONE;
    answers a;

    tct_belief_mean(view->belief, view->x, mean);
    for (size_t i = 0; i < view->n_candidates; i++) {
        leader here = {view->candidates[i], 0, 0};
        unsigned char states[TCT_MAX_LEVELS];

        find_answers(&a, view, here.attribute, mean);
        here.lead = gain_of(view, &a, here.attribute, now);
        tct_consider(&best, here.attribute, here.lead);
        if (!stop)
            continue;
        find_states(view, &a, here.attribute, false, states);
        most = fmax(most, most_of(&a, states));
        here.chance = most_of(&a, states) / view->model->schema->attributes[here.attribute].cost;
        if (comes_before(&here, &hopeful)) {
            second = hopeful;
            hopeful = here;
        } else if (comes_before(&here, &second)) {
            second = here;
        }
    }
    if (most > WORTH_LEADING)
        found = choose_by_chance(view, mean, now, &hopeful, &second);
    return found == TACIT_NONE ? best.attribute : found;
}
