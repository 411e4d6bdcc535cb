/*
 * scores_sampled.c -- the law of any classifier's labels under any posterior that can be drawn from: TCT_DRAWS completions
 * are drawn and decided about.
 *
 * The probability of a label is its share, with a standard error of at most 0.011.  A promise counts as kept only when
 * the lower end of a 99 % confidence interval for the true probability is at least 1 - delta.
 *
 * Choosing.  Draws are sorted into groups by the candidate's value: its levels, its grid values, or stretches of equal
 * numbers of draws.  The expected entropy of the label after the answer is that within the groups, corrected for their
 * size (Miller and Madow).  For decisions that must be proven, completions come from anywhere in the region: the
 * candidate is the better, the likelier its answer, as expected, leaves a group in which all labels are the same; if
 * none does, the purer the groups are.  Where the prover foresees what answers will prove, it is asked instead
 * (rule_proof.c), and nobody is drawn as long as no probability is needed.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draws.h"
#include "num.h"
#include "posteriors.h"
#include "rules_inside.h"
#include "score_laws.h"

enum { GROUPS = 16, ROUGH_DRAWS = 256 };
static const double SURE = 0.99;          /* of a probability's lower end */
static const double WORTH_LEADING = 0.05; /* as in rule_margin.c */

typedef struct sampled_scores {
    tct_score_law base;
    tct_draws *likely, *anywhere;
    uint16_t *group;          /* TCT_DRAWS */
    double *sorted;           /* TCT_DRAWS */
    uint32_t *counts;         /* n_counts: groups x classes */
    uint32_t *weights;        /* likely draws by group */
    size_t n;                 /* draws in use */
    size_t most_groups, most; /* most: draws with the label */
    bool drawn;               /* the likely ones, for the person at hand */
    bool expected;            /* the label is that of the person who is expected */
} sampled_scores;

static bool applies(const tacit_model *model)
{
    (void)model;
    return true;
}

static tacit_status sampled_prepare(tct_belief *belief, const tacit_model *model, size_t width, tacit_error *err)
{
    const tct_posterior_ops *posterior = tct_posterior_row(model);

    (void)width;
    return posterior->prepare ? posterior->prepare(belief, model, err) : TACIT_OK;
}

static void sampled_wipe(tct_score_law *law)
{
    sampled_scores *s = (sampled_scores *)law;

    tct_draws_wipe(s->likely);
    tct_draws_wipe(s->anywhere);
    tct_wipe(s->group, TCT_DRAWS * sizeof *s->group);
    tct_wipe(s->sorted, TCT_DRAWS * sizeof *s->sorted);
    tct_wipe(s->counts, s->most_groups * law->model->classifier->n_classes * sizeof *s->counts);
    tct_wipe(s->weights, s->most_groups * sizeof *s->weights);
    law->probability = 0;
    s->most = 0;
    s->drawn = false;
}

static void sampled_free(tct_score_law *law)
{
    sampled_scores *s = (sampled_scores *)law;

    tct_draws_free(s->likely);
    tct_draws_free(s->anywhere);
    tct_free_wiped(s->group, TCT_DRAWS * sizeof *s->group);
    tct_free_wiped(s->sorted, TCT_DRAWS * sizeof *s->sorted);
    tct_free_wiped(s->counts, s->most_groups * law->model->classifier->n_classes * sizeof *s->counts);
    tct_free_wiped(s->weights, s->most_groups * sizeof *s->weights);
    tct_free(s);
}

static tacit_status sampled_make(tct_score_law **out, const tacit_model *model, tacit_error *err)
{
    sampled_scores *s = tct_calloc(1, sizeof *s);
    tacit_status st;

    *out = NULL;
    if (!s)
        return tct_fail_memory(err);
    s->base = (tct_score_law){.ops = &tct_scores_sampled, .model = model};
    s->n = TCT_DRAWS;
    s->group = tct_calloc(TCT_DRAWS, sizeof *s->group);
    s->sorted = tct_calloc(TCT_DRAWS, sizeof *s->sorted);
    s->most_groups = GROUPS;
    for (size_t a = 0; a < model->schema->n_attributes; a++)
        if (model->codec->domains[a].width > s->most_groups)
            s->most_groups = model->codec->domains[a].width;
    s->counts = tct_calloc(s->most_groups * model->classifier->n_classes, sizeof *s->counts);
    s->weights = tct_calloc(s->most_groups, sizeof *s->weights);
    st = s->group && s->sorted && s->counts && s->weights ? TACIT_OK : tct_fail_memory(err);
    if (!st)
        st = tct_draws_new(&s->likely, model, err);
    if (!st)
        st = tct_draws_new(&s->anywhere, model, err);
    if (st)
        sampled_free(&s->base);
    else
        *out = &s->base;
    return st;
}

/* The label of the person that is expected. */
static size_t expected_label(const tct_view *view, double *scratch)
{
    const tct_codec *codec = view->model->codec;
    double *x = scratch, *mean = scratch + codec->n_inputs, scores[TCT_MAX_CLASSES];
    size_t label;

    tct_belief_mean(view->belief, view->x, mean);
    memcpy(x, view->x, codec->n_inputs * sizeof *x);
    for (size_t a = 0; a < codec->schema->n_attributes; a++) {
        const tct_domain *domain = &codec->domains[a];
        const double *expected;
        size_t k = 0;

        if (view->known[a])
            continue;
        expected = mean + tct_belief_position(view->belief, domain->first);
        if (domain->kind == TCT_BOX) {
            tct_expected_inputs(view, a, expected, x + domain->first);
            continue;
        }
        if (domain->kind == TCT_GRID)
            k = (size_t)fmin(fmax(rint((*expected + 1) / 2 * (double)(domain->count - 1)), 0),
                             (double)(domain->count - 1));
        for (size_t l = 1; domain->kind == TCT_ONEHOT && l < domain->count; l++)
            k = expected[l] > expected[k] ? l : k;
        tct_codec_value(codec, a, k, x + domain->first);
    }
    view->model->classifier->ops->scores(view->model->classifier, x, 1, scores);
    label = tct_label(scores, view->model->classifier->n_scores);
    tct_wipe(scores, sizeof scores);
    return label;
}

/* How many are wanted. */
static size_t draws_of(const tct_score_law *law)
{
    return law->rough ? ROUGH_DRAWS : TCT_DRAWS;
}

static void draw_likely(sampled_scores *s, const tct_view *view)
{
    tct_region region = tct_region_of(view->model->codec, view->known, view->x);

    if (!s->drawn || s->n != draws_of(&s->base)) {
        s->n = s->likely->n = s->anywhere->n = draws_of(&s->base);
        tct_draws_likely(s->likely, view->belief, &region, view->seed);
    }
    s->drawn = true;
}

static void sampled_look(tct_score_law *law, tct_view *view, bool brief, double *scratch)
{
    sampled_scores *s = (sampled_scores *)law;
    size_t counts[TCT_MAX_CLASSES] = {0};

    view->state = law;
    s->drawn = false;
    s->expected = brief && view->foresight;
    if (s->expected) {
        law->label = expected_label(view, scratch);
        law->probability = NAN;
        s->most = 0;
        return;
    }
    draw_likely(s, view);
    for (size_t i = 0; i < s->n; i++)
        counts[s->likely->label[i]]++;
    law->label = 0;
    for (size_t c = 1; c < law->model->classifier->n_classes; c++)
        if (counts[c] > counts[law->label])
            law->label = c;
    s->most = counts[law->label];
    law->probability = (double)s->most / (double)s->n;
}

static void sampled_shares(const tct_score_law *law, const tct_view *view, double *p, double *scratch)
{
    const sampled_scores *s = (const sampled_scores *)law;

    (void)view;
    (void)scratch;
    memset(p, 0, law->model->classifier->n_classes * sizeof *p);
    for (size_t i = 0; i < s->n; i++)
        p[s->likely->label[i]] += 1.0 / (double)s->n; /* a power of two: exact */
}

static bool sampled_keeps(const tct_score_law *law, const tct_promise *promise)
{
    const sampled_scores *s = (const sampled_scores *)law;
    double most = (double)(s->most * (TCT_DRAWS / s->n)), low, high; /* a rough look: as if all were drawn */

    if (most < (1 - promise->delta) * TCT_DRAWS)
        return false;
    tct_clopper_pearson(most, TCT_DRAWS, 2 * SURE - 1, &low, &high);
    return low >= 1 - promise->delta;
}

static size_t sampled_scratch(const tacit_model *model)
{
    return tct_proof_scratch(model);
}

/* ---- choosing ---- */

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The inputs of a candidate at the ends of GROUPS stretches of likely values; returns how many differ. */
static size_t find_ends(sampled_scores *s, size_t input, size_t d, double ends[GROUPS])
{
    size_t n = 0;

    for (size_t i = 0; i < s->n; i++)
        s->sorted[i] = s->likely->x[i * d + input];
    qsort(s->sorted, s->n, sizeof *s->sorted, compare_numbers);
    for (size_t g = 1; g < GROUPS; g++) {
        double end = s->sorted[g * s->n / GROUPS];

        if (n == 0 || end > ends[n - 1])
            ends[n++] = end;
    }
    return n;
}

/* Which group each draw is in; returns the number of groups.  The groups are made from the likely draws. */
static size_t sort_draws(sampled_scores *s, const tct_draws *draws, size_t attribute)
{
    const tct_domain *domain = &draws->model->codec->domains[attribute];
    size_t d = draws->model->codec->n_inputs, n;
    double ends[GROUPS];

    if (domain->kind == TCT_ONEHOT) {
        for (size_t i = 0; i < s->n; i++) {
            const double *inputs = draws->x + i * d + domain->first;
            size_t k = 0;

            while (k + 1 < domain->width && inputs[k] < 0.5)
                k++;
            s->group[i] = (uint16_t)k;
        }
        return domain->width;
    }
    n = find_ends(s, domain->first, d, ends);
    for (size_t i = 0; i < s->n; i++) {
        double value = draws->x[i * d + domain->first];
        size_t g = 0;

        while (g < n && value >= ends[g])
            g++;
        s->group[i] = (uint16_t)g;
    }
    return n + 1;
}

/* Sort and count: labels by group, classes one after the other.  Returns the number of groups. */
static size_t count_groups(sampled_scores *s, const tct_draws *draws, size_t attribute)
{
    size_t groups = sort_draws(s, draws, attribute), classes = s->base.model->classifier->n_classes;

    memset(s->counts, 0, groups * classes * sizeof *s->counts);
    for (size_t i = 0; i < s->n; i++)
        s->counts[s->group[i] * classes + draws->label[i]]++;
    return groups;
}

/* Draws in a group. */
static uint32_t size_of(const uint32_t *counts, size_t classes)
{
    uint32_t n = 0;

    for (size_t c = 0; c < classes; c++)
        n += counts[c];
    return n;
}

static double entropy_after(sampled_scores *s, size_t attribute)
{
    size_t groups = count_groups(s, s->likely, attribute), classes = s->base.model->classifier->n_classes;
    double sum = 0;

    for (size_t g = 0; g < groups; g++) {
        const uint32_t *counts = s->counts + g * classes;
        double n = size_of(counts, classes), seen = 0;

        for (size_t c = 0; c < classes; c++) {
            seen += counts[c] > 0;
            sum -= counts[c] > 0 ? counts[c] * log(counts[c] / n) : 0;
        }
        sum += seen > 0 ? (seen - 1) / 2 : 0;
    }
    return sum / (double)s->n;
}

static size_t choose_by_entropy(const tct_view *view, double *scratch)
{
    sampled_scores *s = (sampled_scores *)view->state;
    tct_best best = {TACIT_NONE, 0};

    (void)scratch;
    draw_likely(s, view);
    for (size_t i = 0; i < view->n_candidates; i++)
        tct_consider(&best, view->candidates[i], -entropy_after(s, view->candidates[i]));
    return best.attribute;
}

/* How likely the answer leaves a group of one label only, and how pure groups are on average. */
static void judge_proof(sampled_scores *s, size_t attribute, double *chance, double *purity)
{
    size_t groups = count_groups(s, s->likely, attribute), classes = s->base.model->classifier->n_classes;

    for (size_t g = 0; g < groups; g++)
        s->weights[g] = size_of(s->counts + g * classes, classes);
    count_groups(s, s->anywhere, attribute);
    *chance = *purity = 0;
    for (size_t g = 0; g < groups; g++) {
        const uint32_t *counts = s->counts + g * classes;
        uint32_t n = size_of(counts, classes), most = 0;
        double weight = (double)s->weights[g] / (double)s->n;

        for (size_t c = 0; c < classes; c++)
            most = counts[c] > most ? counts[c] : most;
        *chance += n > 0 && most == n ? weight : 0;
        *purity += n > 0 ? weight * most / n : 0;
    }
}

static size_t choose_to_prove(const tct_view *view, bool stop, double *scratch)
{
    sampled_scores *s = (sampled_scores *)view->state;
    tct_region region = tct_region_of(view->model->codec, view->known, view->x);
    tct_best soonest = {TACIT_NONE, 0}, purest = {TACIT_NONE, 0};
    double likeliest = 0;

    if (view->foresight)
        return tct_choose_by_proof(view, s->expected ? s->base.label : expected_label(view, scratch), stop, scratch);
    draw_likely(s, view);
    tct_draws_anywhere(s->anywhere, &region, view->seed);
    for (size_t i = 0; i < view->n_candidates; i++) {
        size_t a = view->candidates[i];
        double chance, purity, cost = view->model->schema->attributes[a].cost;

        judge_proof(s, a, &chance, &purity);
        likeliest = fmax(likeliest, chance);
        tct_consider(&soonest, a, chance / cost);
        tct_consider(&purest, a, purity / cost);
    }
    return stop && likeliest > WORTH_LEADING ? soonest.attribute : purest.attribute;
}

static size_t choose_by_margin(const tct_view *view, double *scratch)
{
    return choose_to_prove(view, false, scratch);
}

static size_t choose_by_stop(const tct_view *view, double *scratch)
{
    return choose_to_prove(view, true, scratch);
}

const tct_score_law_ops tct_scores_sampled = {.name = "sampled",
                                              .applies = applies,
                                              .prepare = sampled_prepare,
                                              .make = sampled_make,
                                              .free = sampled_free,
                                              .wipe = sampled_wipe,
                                              .look = sampled_look,
                                              .keeps = sampled_keeps,
                                              .shares = sampled_shares,
                                              .scratch = sampled_scratch,
                                              .exact = true,
                                              .ways = {.entropy = choose_by_entropy,
                                                       .montecarlo = choose_by_entropy,
                                                       .margin = choose_by_margin,
                                                       .stop = choose_by_stop}};
