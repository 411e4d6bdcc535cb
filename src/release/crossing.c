/*
 * crossing.c -- see crossing.h.
 *
 * Both orders of questions do not depend on delta, so one walk by each serves all levels of delta, and each asks for less
 * as delta grows.  The crossing is the first level, from the strictest on, at which entropy is shown to ask for less: by
 * the same people, with a difference of Z standard errors.  Below it the rule is the one of proofs, from it on entropy.
 * So over the people drawn the mean asked for never grows with delta: proofs before the crossing, which falls; entropy
 * after it, which falls; and at it entropy is below proofs.
 *
 * Found out for sums of terms, whose walks take microseconds.  Everywhere else, and where there are so many variables or
 * classes that it would take long, the usual place is taken (TCT_STRICT).
 */
#include "crossing.h"

#include <math.h>

#include "posteriors.h"
#include "score_laws.h"
#include "walk.h"

/* Levels of delta, from the loosest to the strictest, a factor of sqrt(2) apart; then proofs. */
enum { LEVELS = 32, PROMISES = LEVELS + 1, SEED = 9 };
enum {
    MOST_CLASSES = 8,
    FEW_CLASSES = 4,
    CLASS_WORK = 64,
    MOST_PEOPLE = 1024,
    MOST_PEOPLE_OF_MANY = 256,
    LEAST_PEOPLE = 64
};
static const double LOOSEST = 0.4;
/* Products that the covariances of all walks may take. */
static const double WORK = 1 << 27;
static const double Z = 1;

static double level(size_t k)
{
    return LOOSEST * exp2(-0.5 * (double)k);
}

static size_t count_sensitive(const tacit_schema *schema)
{
    size_t n = 0;

    for (size_t a = 0; a < schema->n_attributes; a++)
        n += schema->attributes[a].role == TACIT_SENSITIVE;
    return n;
}

/* How many people are drawn; 0: the usual place is taken. */
static size_t count_people(const tacit_model *model)
{
    size_t classes = model->classifier->n_classes, v = model->variables->n;
    double most = classes == 2 ? MOST_PEOPLE : MOST_PEOPLE_OF_MANY;
    double walk = (double)count_sensitive(model->schema) * (double)v * (double)v;

    if (classes > FEW_CLASSES) /* entropies are sums over points, and cost more than covariances */
        walk *= (double)(CLASS_WORK * classes);
    if (!tct_linear_law(model) || model->variables->n_wide > 0 || classes > MOST_CLASSES || walk == 0 ||
        WORK / walk < LEAST_PEOPLE)
        return 0;
    return (size_t)fmin(most, WORK / walk);
}

/* How many attributes each is asked for by a rule, n x PROMISES. */
static tacit_status ask_all(const tacit_model *model, tacit_rule rule, const double *x, size_t n, uint16_t *asked,
                            tacit_error *err)
{
    tct_promise promises[PROMISES];
    tct_stop stops[PROMISES];
    size_t *order = tct_calloc(model->schema->n_attributes, sizeof *order);
    const tct_stage *start = NULL;
    tct_walker *walker = NULL;
    tct_plan *plan = NULL;
    tacit_status st = order ? tct_plan_new(&plan, model, err) : tct_fail_memory(err);

    for (size_t k = 0; k < PROMISES; k++)
        promises[k] = tct_promise_nominal(k < LEVELS ? level(k) : 0);
    if (!st)
        st = tct_walker_new(&walker, plan, rule, 0, err);
    if (!st)
        st = tct_plan_public(plan, &start, err);
    for (size_t i = 0; i < n && !st; i++) {
        tct_walker_next_person(walker);
        st = tct_walker_run(walker, start, x + i * model->codec->n_inputs, NULL, promises,
                            rule == TACIT_RULE_ENTROPY ? LEVELS : PROMISES, stops, order, err);
        for (size_t k = 0; k < PROMISES && !st; k++)
            asked[i * PROMISES + k] = stops[k].end.asked;
    }
    tct_walker_free(walker);
    tct_plan_free(plan);
    tct_free(order);
    return st;
}

/* People as the model's Gaussian has them. */
static tacit_status draw_people(const tacit_model *model, double *x, size_t n, tacit_error *err)
{
    unsigned char *known = tct_calloc(model->schema->n_attributes, 1);
    double *room = tct_calloc(2 * model->codec->n_inputs, sizeof *room);
    tct_belief *belief = NULL;
    tacit_status st = known && room ? tct_belief_prior(&belief, model, err) : tct_fail_memory(err);

    if (!st)
        st = tct_posterior_gaussian.prepare(belief, model, err);
    if (!st) {
        tct_region region = tct_region_of(model->codec, known, x);

        tct_posterior_gaussian.people(model, belief, &region, SEED, n, x, room);
    }
    tct_belief_free(belief);
    tct_free(known);
    tct_free(room);
    return st;
}

/* The strictest level at which entropy asks for less than proofs do at the level, or always at delta = 0; 0.5: none. */
static double find_level(const uint16_t *entropy, const uint16_t *proofs, size_t n, bool always)
{
    for (size_t k = LEVELS; k-- > 0;) {
        double sum = 0, squares = 0;

        for (size_t i = 0; i < n; i++) {
            double more = (double)entropy[i * PROMISES + k] - proofs[i * PROMISES + (always ? LEVELS : k)];

            sum += more;
            squares += more * more;
        }
        if (sum <= 0 && sum * sum >= Z * Z * squares) /* squares of 0: nobody is asked another number */
            return level(k);
    }
    return 0.5;
}

static tacit_status find_crossing(tct_crossing *out, const tacit_model *model, tacit_error *err)
{
    size_t n = count_people(model);
    double *x = tct_calloc(n * model->codec->n_inputs + 1, sizeof *x);
    uint16_t *asked = tct_calloc(2 * n * PROMISES + 1, sizeof *asked), *proofs;
    tacit_status st = TACIT_OK;

    *out = TCT_USUAL_CROSSING;
    if (!x || !asked) {
        st = tct_fail_memory(err);
        goto done;
    }
    proofs = asked + n * PROMISES;
    if (n == 0 || (st = draw_people(model, x, n, err)) || (st = ask_all(model, TACIT_RULE_ENTROPY, x, n, asked, err)) ||
        (st = ask_all(model, TACIT_RULE_STOP, x, n, proofs, err)))
        goto done;
    *out = (tct_crossing){find_level(asked, proofs, n, false), find_level(asked, proofs, n, true)};
done:
    tct_free(x);
    tct_free(asked);
    return st;
}

/* As the model keeps it, or found out now. */
static tacit_status take_crossing(tct_crossing *out, const tacit_model *model, tacit_error *err)
{
    tct_crossing_kept *kept = model->crossing;
    tacit_status st = TACIT_OK;

    if (kept->known) {
        *out = (tct_crossing){kept->likely, kept->proofs};
        return TACIT_OK;
    }
    st = find_crossing(out, model, err);
    if (!st)
        tct_crossing_set(model, *out);
    return st;
}

tacit_status tct_rule_at(tacit_rule *out, tacit_rule rule, double delta, const tacit_model *model, tacit_error *err)
{
    tct_crossing crossing = TCT_USUAL_CROSSING;
    tacit_status st = TACIT_OK;

    if (rule == TACIT_RULE_AUTO && delta > 0)
        st = take_crossing(&crossing, model, err);
    *out = tct_rule_for(rule, delta, model, crossing);
    return st;
}
