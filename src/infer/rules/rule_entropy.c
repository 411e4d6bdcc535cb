/*
 * The paper's rule: smallest expected entropy of the label after the answer.
 *
 * One score: the order theorem (docs/METHOD.md) says that this is the candidate with the largest tau^2, whatever the
 * values.  Three and four classes: answer_entropy.c, good to about 1e-6.  From five on, where an orthant takes milliseconds,
 * the expectation over a one-dimensional answer is a trapezoidal sum, over a one-hot answer a sum over its levels, and
 * the label's probabilities in it are counted over a fixed lattice (many_classes.h), among the classes that may win;
 * where only two may, the order theorem holds for their difference.
 *
 * montecarlo: the same expectation from 1000 draws per candidate, as in the paper.  The stream of draws is fixed by
 * the seed, the number of known inputs and the candidate, so it does not depend on who is asked.
 */
#include <math.h>
#include <string.h>

#include "num.h"
#include "answer_entropy.h"
#include "rules_inside.h"

/* Of the trapezoidal rule: step as a share of the narrowest width, and the finest step; coarse where probabilities are
 * counted (five nodes of Gauss and Hermite asked a tenth more). */
/* Where the line of answers ends: the density left out is below 1e-8; short, where probabilities are counted. */
static const double LINE_END = 6, SHORT_LINE_END = 3;
static const double STEP_PER_WIDTH = 0.8, FINE_STEP = 0.02, COARSE_STEP = 0.5, COARSEST_STEP = 0.75;
/* Five and more classes: points to count over, fewer where more than FEW may win, and standard deviations from which a
 * class is out of the race. */
enum { FEW = 8, COUNTED = TCT_NOISE_POINTS, COUNTED_OF_MANY = TCT_NOISE_POINTS / 2 };
static const double LEFT_BEHIND = 3;
/* Of expected entropies from prospects. */
static const double TOLERANCE = 5e-6;
/* Classes that have no more probability than this together add less than TOLERANCE to an expected entropy. */
static const double NO_CLASS = 1e-7;

/* Everything about one candidate that the expectation needs. */
typedef struct answer {
    const tct_domain *domain;
    const tct_variables *variables;
    size_t first, n_variables; /* of its own */
    size_t k;                  /* scores; from five classes on, of those that may win */
    tct_effect effect;
    const double *expected; /* posterior means of its inputs */
    double deviation;       /* standard deviation, for one input */
    double *mean;           /* mean scores now */
    double *moved;          /* mean scores after an answer */
    double *p;              /* class probabilities after it */
    size_t points;          /* of the lattice that are counted */
    double *noise; /* k x TCT_NOISE_POINTS: deviations of the scores after it, from five classes on; else NULL */
    double *rest;  /* scratch left */
} answer;

/* From five classes on: only those that may win before the answer, and the lattice for what it leaves.  Returns the
 * scratch that is left. */
static double *keep_winners(answer *a, const tct_view *view, double *scratch)
{
    size_t classes[TCT_MAX_CLASSES], k = a->k, n = tct_may_win(view->scores, view->law->cov, k, LEFT_BEHIND, classes);
    double *cov = tct_scratch_take(&scratch, n * n);

    for (size_t i = 0; i < a->n_variables; i++)
        for (size_t c = 0; c < n; c++)
            a->effect.gain[i * n + c] = a->effect.gain[i * k + classes[c]];
    tct_only_of(view->scores, a->effect.cov, k, classes, n, a->mean, cov);
    a->effect.cov = cov;
    a->k = n;
    a->points = n <= FEW ? COUNTED : COUNTED_OF_MANY;
    a->noise = tct_scratch_take(&scratch, TCT_NOISE_POINTS * n);
    tct_noise_shape(view->noise, cov, n, a->points, a->noise, scratch);
    return scratch;
}

static void answer_prepare(answer *a, const tct_view *view, size_t attribute, double *scratch)
{
    const tct_belief *b = view->belief;
    size_t at = tct_belief_at(b, attribute), w;
    double *expected = tct_scratch_take(&scratch, b->n_unknown);

    a->domain = &view->model->codec->domains[attribute];
    a->variables = view->model->variables;
    a->first = a->variables->first[attribute];
    a->n_variables = a->variables->first[attribute + 1] - a->first;
    a->k = view->law->n_scores;
    w = a->domain->width;
    a->effect.gain = tct_scratch_take(&scratch, w * a->k);
    a->effect.cov = tct_scratch_take(&scratch, a->k * a->k);
    a->mean = tct_scratch_take(&scratch, a->k);
    a->moved = tct_scratch_take(&scratch, a->k);
    a->p = tct_scratch_take(&scratch, view->model->classifier->n_classes);
    tct_effect_of(&a->effect, view->law, b, view->model, attribute, scratch);
    tct_belief_mean(b, view->x, expected);
    a->expected = expected + at;
    a->deviation = sqrt(b->cov[at * b->n_unknown + at]);
    memcpy(a->mean, view->scores, a->k * sizeof *a->mean);
    a->noise = NULL;
    if (view->noise->points)
        scratch = keep_winners(a, view, scratch);
    a->rest = scratch;
}

/* Entropy of the label once the answer has moved the mean scores to a->moved. */
static double entropy_after(answer *a, size_t n_classes)
{
    if (a->noise) {
        size_t classes[TCT_MAX_CLASSES], n = tct_may_win(a->moved, a->effect.cov, a->k, LEFT_BEHIND, classes);

        tct_noise_count(a->noise, a->points, a->moved, a->k, classes, n, a->p);
        return n == 1 ? 0 : tct_entropy(a->p, a->k);
    }
    tct_class_probabilities(a->moved, a->effect.cov, a->k, a->p, a->rest);
    return n_classes == 2 ? tct_entropy2(a->p[1]) : tct_entropy(a->p, n_classes);
}

/* One input, moved `z` standard deviations from its mean. */
static double entropy_at(answer *a, size_t n_classes, double z)
{
    for (size_t s = 0; s < a->k; s++)
        a->moved[s] = a->mean[s] + a->effect.gain[s] * (a->deviation * z);
    return entropy_after(a, n_classes);
}

/* A one-hot attribute found to be at `level`. */
static double entropy_at_level(answer *a, size_t n_classes, size_t level)
{
    bool wide = a->variables->span[a->first] > 1;

    memcpy(a->moved, a->mean, a->k * sizeof *a->moved);
    for (size_t i = 0; i < a->n_variables; i++) {
        double value = wide ? tct_variable_terms(a->variables, a->first + i)[level] : i == level;

        for (size_t s = 0; s < a->k; s++)
            a->moved[s] += a->effect.gain[i * a->k + s] * (value - a->expected[i]);
    }
    return entropy_after(a, n_classes);
}

/* The width, in standard deviations of the answer, over which the label goes from one class to another: after the
 * answer, two scores differ by a Gaussian whose mean moves with the answer.  The narrowest over all pairs, or any that is
 * not above `enough`. */
static double narrowest_change(const answer *a, double enough)
{
    double width = INFINITY;

    if (a->k == 1)
        return sqrt(a->effect.cov[0]) / fabs(a->effect.gain[0] * a->deviation);
    for (size_t i = 0; i < a->k && width > enough; i++)
        for (size_t j = 0; j < i; j++) {
            const double *v = a->effect.cov;
            double left = sqrt(fmax(v[i * a->k + i] - 2 * v[i * a->k + j] + v[j * a->k + j], 0));
            double speed = fabs((a->effect.gain[i] - a->effect.gain[j]) * a->deviation);

            if (speed > 0)
                width = fmin(width, left / speed);
        }
    return width;
}

static double step_for(const answer *a, double finest)
{
    return fmax(STEP_PER_WIDTH * fmin(narrowest_change(a, 0.999 * finest / STEP_PER_WIDTH), 1), finest);
}

/* One input: the trapezoidal rule, whose error falls faster than any power of the step once the step resolves both the
 * answer's own density (width 1) and the changes of label. */
static double entropy_over_line(answer *a, size_t n_classes)
{
    double step = step_for(a, !a->noise ? FINE_STEP : a->k <= FEW ? COARSE_STEP : COARSEST_STEP), sum = 0, weight = 0;
    long reach = (long)ceil((a->noise ? SHORT_LINE_END : LINE_END) / step);

    if (!(a->deviation > 0)) /* determined: the answer tells nothing */
        return entropy_at(a, n_classes, 0);
    for (long i = -reach; i <= reach; i++) {
        double z = (double)i * step, density = tct_normal_pdf(z);

        sum += density * entropy_at(a, n_classes, z);
        weight += density;
    }
    return sum / weight;
}

/* Two classes have the order theorem, five and more the lattice; in between there are prospects. */
static bool has_answer_entropies(const tct_view *view)
{
    return view->law->n_scores > 1 && view->law->n_scores <= TCT_ODDS_SCORES;
}

static double entropy_after_answer(const tct_view *view, size_t attribute, double *scratch)
{
    const tct_domain *domain = &view->model->codec->domains[attribute];
    double *expected = tct_scratch_take(&scratch, view->belief->n_unknown);
    tct_answer_entropy_room room;
    const tct_answer_entropy *p =
        tct_answer_entropy_of(view->law, view->belief, view->model, attribute, &room, scratch);

    if (domain->kind == TCT_ONEHOT)
        tct_belief_mean(view->belief, view->x, expected);
    return tct_answer_entropy_expected(p, view->scores, expected + tct_belief_at(view->belief, attribute),
                                       scratch + tct_answer_entropy_scratch(p->n_variables));
}

double tct_expected_entropy(const tct_view *view, size_t attribute, double *scratch)
{
    size_t n_classes = view->model->classifier->n_classes;
    double *levels = tct_scratch_take(&scratch, view->model->codec->domains[attribute].width);
    double sum = 0;
    answer a;

    if (has_answer_entropies(view))
        return entropy_after_answer(view, attribute, scratch);
    answer_prepare(&a, view, attribute, scratch);
    if (a.domain->kind != TCT_ONEHOT)
        return entropy_over_line(&a, n_classes);
    tct_belief_levels(view->model, attribute, a.expected, levels);
    for (size_t l = 0; l < a.domain->count; l++)
        if (levels[l] > 0)
            sum += levels[l] * entropy_at_level(&a, n_classes, l);
    return sum;
}

double tct_sampled_entropy(const tct_view *view, size_t attribute, size_t samples, double *scratch)
{
    size_t n_classes = view->model->classifier->n_classes;
    double *levels = tct_scratch_take(&scratch, view->model->codec->domains[attribute].width);
    double sum = 0;
    tct_random random;
    answer a;

    tct_random_seed(&random, view->seed, view->belief->n_known * (uint64_t)TCT_MAX_INPUTS + attribute);
    answer_prepare(&a, view, attribute, scratch);
    if (a.domain->kind == TCT_ONEHOT)
        tct_belief_levels(view->model, attribute, a.expected, levels);
    for (size_t t = 0; t < samples; t++) {
        if (a.domain->kind == TCT_ONEHOT) {
            double u = tct_random_uniform(&random);
            size_t l = 0;

            while (l + 1 < a.domain->count && u > levels[l])
                u -= levels[l++];
            sum += entropy_at_level(&a, n_classes, l);
        } else {
            sum += entropy_at(&a, n_classes, tct_random_normal(&random));
        }
    }
    return sum / (double)samples;
}

/* The class that is most likely now and, in standard deviations of the difference, its closest rival. */
static void find_rivals(const tct_view *view, const double *p, size_t *ahead, size_t *rival)
{
    const double *v = view->law->cov;
    size_t k = view->law->n_scores;
    double closest = INFINITY;

    *ahead = 0;
    for (size_t c = 1; c < k; c++)
        *ahead = p[c] > p[*ahead] ? c : *ahead;
    *rival = *ahead ? 0 : 1;
    for (size_t c = 0; c < k; c++) {
        double variance = v[c * k + c] - 2 * v[c * k + *ahead] + v[*ahead * k + *ahead];
        double distance = (view->scores[*ahead] - view->scores[c]) / sqrt(fmax(variance, 0));

        if (c != *ahead && distance < closest) {
            closest = distance;
            *rival = c;
        }
    }
}

/* Only two classes matter: the order theorem holds for their difference. */
static size_t choose_between_two(const tct_view *view, size_t ahead, size_t rival, double *scratch)
{
    tct_best b = {TACIT_NONE, 0};

    for (size_t i = 0; i < view->n_candidates; i++) {
        tct_answer_entropy_room room;
        const tct_answer_entropy *p =
            tct_answer_entropy_of(view->law, view->belief, view->model, view->candidates[i], &room, scratch);
        double left = p->spread[ahead * p->k + rival];

        tct_consider(&b, view->candidates[i], -left);
    }
    return b.attribute;
}

/* The candidates that may say most come first, and once the entropy now less what the next one may say is above the
 * best, all that are left are out of the race. */
static size_t choose_by_race(const tct_view *view, double now, double *most, double *scratch)
{
    tct_best b = {TACIT_NONE, 0};

    for (;;) {
        size_t next = 0;
        double score;

        for (size_t i = 1; i < view->n_candidates; i++)
            if (most[i] > most[next])
                next = i;
        if (most[next] < 0 || (b.attribute != TACIT_NONE && now - most[next] > TOLERANCE - b.score))
            return b.attribute;
        most[next] = -1; /* done */
        score = -entropy_after_answer(view, view->candidates[next], scratch);
        if (b.attribute != TACIT_NONE && score == b.score && view->candidates[next] < b.attribute)
            b.attribute = view->candidates[next];
        tct_consider(&b, view->candidates[next], score);
    }
}

static size_t choose_by_answer_entropies(const tct_view *view, double *scratch)
{
    double p[TCT_ODDS_SCORES], most[TCT_MAX_ATTRIBUTES],
        now = tct_answer_entropy_now(view->law, view->scores, p, scratch);
    size_t ahead, rival;
    bool lines = true;

    for (size_t i = 0; i < view->n_candidates; i++) {
        tct_answer_entropy_room room;

        most[i] = tct_answer_entropy_of(view->law, view->belief, view->model, view->candidates[i], &room, scratch)
                      ->information;
        lines = lines && view->model->codec->domains[view->candidates[i]].kind != TCT_ONEHOT;
    }
    find_rivals(view, p, &ahead, &rival);
    /* On average an answer leaves a probability where it is, so classes without one stay out of the expected entropy.
     * And where the label is all but certain all candidates tie; then the same order goes on. */
    if (now < TOLERANCE || (lines && 1 - p[ahead] - p[rival] < NO_CLASS))
        return choose_between_two(view, ahead, rival, scratch);
    return choose_by_race(view, now, most, scratch);
}

/* Five and more classes, of which at most two may win: what leaves the least variance between the first two. */
static size_t choose_for_pair(const tct_view *view, double *scratch)
{
    size_t ahead, rival, k = view->law->n_scores;
    tct_best b = {TACIT_NONE, 0};

    find_rivals(view, view->scores, &ahead, &rival);
    for (size_t i = 0; i < view->n_candidates; i++) {
        size_t w = view->model->codec->domains[view->candidates[i]].width;
        double *rest = scratch;
        tct_effect effect = {.gain = tct_scratch_take(&rest, w * k), .cov = tct_scratch_take(&rest, k * k)};
        const double *v = effect.cov;

        tct_effect_of(&effect, view->law, view->belief, view->model, view->candidates[i], rest);
        tct_consider(&b, view->candidates[i],
                     -(v[ahead * k + ahead] - 2 * v[ahead * k + rival] + v[rival * k + rival]));
    }
    return b.attribute;
}

size_t tct_choose_by_entropy(const tct_view *view, double *scratch)
{
    size_t classes[TCT_MAX_CLASSES];
    tct_best b = {TACIT_NONE, 0};

    if (has_answer_entropies(view))
        return choose_by_answer_entropies(view, scratch);
    if (view->noise->points &&
        tct_may_win(view->scores, view->law->cov, view->law->n_scores, LEFT_BEHIND, classes) <= 2)
        return choose_for_pair(view, scratch);
    for (size_t i = 0; i < view->n_candidates; i++) {
        size_t a = view->candidates[i];

        tct_consider(&b, a, view->tau2 ? view->tau2[a] : -tct_expected_entropy(view, a, scratch));
    }
    return b.attribute;
}

size_t tct_choose_by_montecarlo(const tct_view *view, double *scratch)
{
    tct_best b = {TACIT_NONE, 0};

    for (size_t i = 0; i < view->n_candidates; i++) {
        size_t a = view->candidates[i];

        tct_consider(&b, a, -tct_sampled_entropy(view, a, TCT_MONTECARLO_SAMPLES, scratch));
    }
    return b.attribute;
}
