/*
 * scores_drawn.c -- what is likely of a network: people drawn from the Gaussian and decided about (net_draws.h).
 *
 * As in scores_sampled.c the probability of a label is its share, and a promise counts as kept only when the lower end
 * of a 99 % confidence interval for the true probability is at least 1 - delta.  With all of 2,048 people alike that end is
 * 0.9978, so a delta below 0.00225 is kept by proof alone.
 *
 * Choosing by entropy.  People are sorted into groups by the candidate's value: its levels, its grid values if there are
 * few, else stretches of 0.3 posterior deviations.  The expected entropy of the label after the answer is that within the
 * groups, corrected for their size (Miller and Madow).
 *
 * Where no probability is needed nobody is drawn: rules that look for a proof, and the label that is expected, come from
 * the first-order law (scores_network.c) around the person.
 */
#include <math.h>
#include <string.h>

#include "net_draws.h"
#include "num.h"
#include "posteriors.h"
#include "rules_inside.h"
#include "score_laws.h"
#include "simd.h"

enum { GROUPS = 16, TURNS = 4, PROMISES = 8, SIDE_BY_SIDE = 64 };
_Static_assert(TCT_NET_DRAWS % SIDE_BY_SIDE == 0 && TCT_NET_DRAWS / SIDE_BY_SIDE < 256, "counts fit into bytes");
static const double SURE = 0.99; /* of a probability's lower end */
static const double STRETCH = 0.3;

/* A promise is kept from so many people on who agree. */
typedef struct drawn_promise {
    double delta;
    size_t least;
} drawn_promise;

/* The last ones that were asked about. */
typedef struct drawn_promises {
    drawn_promise list[PROMISES];
    size_t n; /* how many ever */
} drawn_promises;

typedef struct drawn_scores {
    tct_score_law base;
    tct_score_law *nearby; /* the first-order law */
    tct_net_draws *draws;
    uint32_t *counts; /* TURNS x groups x classes */
    uint32_t *places; /* TCT_NET_DRAWS: which of them a person is counted in */
    double *n_log_n;  /* 0 ... TCT_NET_DRAWS */
    drawn_promises *promises;
    size_t most_groups, most;
    bool drawn; /* for the person at hand */
} drawn_scores;

static bool applies(const tacit_model *model)
{
    return tct_posterior_row(model)->gaussian && tct_as_mlp(model->classifier);
}

static tacit_status drawn_prepare(tct_belief *belief, const tacit_model *model, size_t width, tacit_error *err)
{
    return tct_scores_network.prepare(belief, model, width, err);
}

static size_t n_counts(const drawn_scores *s)
{
    return TURNS * s->most_groups * s->base.model->classifier->n_classes;
}

static void drawn_wipe(tct_score_law *law)
{
    drawn_scores *s = (drawn_scores *)law;

    tct_scores_network.wipe(s->nearby);
    tct_net_draws_wipe(s->draws);
    tct_wipe(s->counts, n_counts(s) * sizeof *s->counts);
    tct_wipe(s->places, TCT_NET_DRAWS * sizeof *s->places);
    law->probability = 0;
    s->most = 0;
    s->drawn = false;
}

static void drawn_free(tct_score_law *law)
{
    drawn_scores *s = (drawn_scores *)law;

    if (s->nearby)
        tct_scores_network.free(s->nearby);
    tct_net_draws_free(s->draws);
    tct_free_wiped(s->counts, n_counts(s) * sizeof *s->counts);
    tct_free_wiped(s->places, TCT_NET_DRAWS * sizeof *s->places);
    tct_free(s->n_log_n);
    tct_free(s->promises);
    tct_free(s);
}

static tacit_status drawn_make(tct_score_law **out, const tacit_model *model, tacit_error *err)
{
    drawn_scores *s = tct_calloc(1, sizeof *s);
    tacit_status st;

    *out = NULL;
    if (!s)
        return tct_fail_memory(err);
    s->base = (tct_score_law){.ops = &tct_scores_drawn, .model = model};
    s->most_groups = GROUPS;
    for (size_t a = 0; a < model->schema->n_attributes; a++)
        if (model->codec->domains[a].width > s->most_groups)
            s->most_groups = model->codec->domains[a].width;
    s->counts = tct_calloc(n_counts(s), sizeof *s->counts);
    s->places = tct_calloc(TCT_NET_DRAWS, sizeof *s->places);
    s->n_log_n = tct_calloc(TCT_NET_DRAWS + 1, sizeof(double));
    s->promises = tct_calloc(1, sizeof *s->promises);
    st = s->counts && s->places && s->n_log_n && s->promises ? TACIT_OK : tct_fail_memory(err);
    if (!st)
        st = tct_scores_network.make(&s->nearby, model, err);
    if (!st)
        st = tct_net_draws_new(&s->draws, model, false, err);
    for (size_t n = 0; n <= TCT_NET_DRAWS && !st; n++)
        s->n_log_n[n] = n > 0 ? (double)n * log((double)n) : 0;
    if (st)
        drawn_free(&s->base);
    else
        *out = &s->base;
    return st;
}

static void draw(drawn_scores *s, const tct_view *view)
{
    if (!s->drawn)
        tct_net_draws_likely(s->draws, view->belief, view->known, view->x, view->seed);
    s->drawn = true;
}

/* How many people have this label. */
TCT_INLINED size_t count_label_body(const uint8_t *label, uint8_t wanted)
{
    uint8_t counts[SIDE_BY_SIDE] = {0};
    size_t sum = 0;

    for (size_t from = 0; from < TCT_NET_DRAWS; from += SIDE_BY_SIDE)
        for (size_t i = 0; i < SIDE_BY_SIDE; i++)
            counts[i] = (uint8_t)(counts[i] + (label[from + i] == wanted));
    for (size_t i = 0; i < SIDE_BY_SIDE; i++)
        sum += counts[i];
    return sum;
}

TCT_SIMD_FUNCTION(size_t, count_label, count_label_body, (const uint8_t *label, uint8_t wanted), (label, wanted))

static void drawn_look(tct_score_law *law, tct_view *view, bool brief, double *scratch)
{
    drawn_scores *s = (drawn_scores *)law;
    size_t n_classes = law->model->classifier->n_classes, left = TCT_NET_DRAWS;

    tct_scores_network.look(s->nearby, view, true, scratch);
    view->state = law;
    s->drawn = false;
    s->most = 0;
    law->label = s->nearby->label;
    law->probability = NAN;
    if (brief)
        return;
    draw(s, view);
    for (size_t c = 0; c < n_classes && left > s->most; c++) {
        size_t count = c + 1 < n_classes ? count_label(s->draws->label, (uint8_t)c) : left;

        left -= count;
        if (count > s->most) {
            s->most = count;
            law->label = c;
        }
    }
    law->probability = (double)s->most / TCT_NET_DRAWS;
}

static void drawn_shares(const tct_score_law *law, const tct_view *view, double *p, double *scratch)
{
    const drawn_scores *s = (const drawn_scores *)law;

    (void)view;
    (void)scratch;
    memset(p, 0, law->model->classifier->n_classes * sizeof *p);
    for (size_t i = 0; i < TCT_NET_DRAWS; i++)
        p[s->draws->label[i]] += 1.0 / TCT_NET_DRAWS; /* a power of two: exact */
}

static double lower_end(size_t agreeing)
{
    double low, high;

    tct_clopper_pearson((double)agreeing, TCT_NET_DRAWS, 2 * SURE - 1, &low, &high);
    return low;
}

/* The least number of people who agree with which this promise is kept: lower ends grow with it. */
static size_t least_agreeing(double delta)
{
    size_t low = 0, high = TCT_NET_DRAWS + 1; /* not enough; enough, or more than there are */

    while (high - low > 1) {
        size_t middle = (low + high) / 2;

        if (lower_end(middle) >= 1 - delta)
            high = middle;
        else
            low = middle;
    }
    return high;
}

static bool drawn_keeps(const tct_score_law *law, const tct_promise *promise)
{
    const drawn_scores *s = (const drawn_scores *)law;
    drawn_promises *seen = s->promises;
    size_t n = seen->n < PROMISES ? seen->n : PROMISES, i = 0;

    if ((double)s->most < (1 - promise->delta) * TCT_NET_DRAWS) /* no lower end is above its share */
        return false;
    while (i < n && seen->list[i].delta != promise->delta)
        i++;
    if (i == n) {
        i = seen->n++ % PROMISES;
        seen->list[i] = (drawn_promise){promise->delta, least_agreeing(promise->delta)};
    }
    return s->most >= seen->list[i].least;
}

/* ---- choosing ---- */

/* Groups of a candidate's values, as group = least(rint(value * scale + shift), last). */
typedef struct sorting {
    double scale, shift;
    size_t groups;
} sorting;

static sorting sort_by(const tct_view *view, const double *mean, size_t attribute)
{
    const tct_domain *domain = &view->model->codec->domains[attribute];
    size_t at = tct_belief_position(view->belief, domain->first);
    double deviation = sqrt(fmax(view->belief->cov[at * view->belief->n_unknown + at], 0));

    if (domain->kind == TCT_ONEHOT)
        return (sorting){1, 0, domain->count};
    if (domain->kind == TCT_GRID && domain->count <= GROUPS)
        return (sorting){(double)(domain->count - 1) / 2, (double)(domain->count - 1) / 2, domain->count};
    if (!(deviation > 0))
        return (sorting){0, 0, 1};
    return (sorting){1 / (STRETCH * deviation), (GROUPS - 1) / 2.0 - mean[at] / (STRETCH * deviation), GROUPS};
}

/* Where TCT_NET_DRAWS people with these values and labels are counted: group x classes + label. */
TCT_INLINED void sort_people_body(const double *values, const uint8_t *label, const sorting *by, size_t classes,
                                  uint32_t *places)
{
    double scale = by->scale, shift = by->shift, last = (double)(by->groups - 1);
    int32_t n = (int32_t)classes;

    for (size_t i = 0; i < TCT_NET_DRAWS; i++) {
        double g = values[i] * scale + shift + 0.5;

        g = g > 0 ? g : 0;
        g = g < last ? g : last;
        places[i] = (uint32_t)((int32_t)g * n + label[i]);
    }
}

TCT_SIMD_FUNCTION(void, sort_people, sort_people_body,
                  (const double *values, const uint8_t *label, const sorting *by, size_t classes, uint32_t *places),
                  (values, label, by, classes, places))

/* Four counts of every place take turns: none waits for the one before. */
static void count_groups(drawn_scores *s, size_t attribute, const sorting *by)
{
    size_t classes = s->base.model->classifier->n_classes, n = by->groups * classes;
    const double *values = s->draws->values + s->base.model->codec->domains[attribute].first * (size_t)TCT_NET_DRAWS;
    uint32_t *counts = s->counts;

    sort_people(values, s->draws->label, by, classes, s->places);
    memset(counts, 0, TURNS * n * sizeof *counts);
    for (size_t i = 0; i < TCT_NET_DRAWS; i += TURNS)
        for (size_t turn = 0; turn < TURNS; turn++)
            counts[turn * n + s->places[i + turn]]++;
    for (size_t k = 0; k < n; k++)
        for (size_t turn = 1; turn < TURNS; turn++)
            counts[k] += counts[turn * n + k];
}

static double entropy_after(drawn_scores *s, const tct_view *view, size_t attribute)
{
    sorting by = sort_by(view, s->draws->mean, attribute);
    size_t classes = s->base.model->classifier->n_classes;
    double sum = 0;

    count_groups(s, attribute, &by);
    for (size_t g = 0; g < by.groups; g++) {
        const uint32_t *counts = s->counts + g * classes;
        uint32_t n = 0, seen = 0;

        for (size_t c = 0; c < classes; c++) {
            n += counts[c];
            seen += counts[c] > 0;
            sum -= s->n_log_n[counts[c]];
        }
        sum += s->n_log_n[n] + (seen > 1 ? (double)(seen - 1) / 2 : 0);
    }
    return sum / TCT_NET_DRAWS;
}

static size_t choose_by_entropy(const tct_view *view, double *scratch)
{
    drawn_scores *s = (drawn_scores *)view->state;
    tct_best best = {TACIT_NONE, 0};

    (void)scratch;
    draw(s, view);
    for (size_t i = 0; i < view->n_candidates; i++)
        tct_consider(&best, view->candidates[i], -entropy_after(s, view, view->candidates[i]));
    return best.attribute;
}

static size_t drawn_scratch(const tacit_model *model)
{
    return tct_scores_network.scratch(model);
}

const tct_score_law_ops tct_scores_drawn = {.name = "drawn",
                                            .applies = applies,
                                            .prepare = drawn_prepare,
                                            .make = drawn_make,
                                            .free = drawn_free,
                                            .wipe = drawn_wipe,
                                            .look = drawn_look,
                                            .keeps = drawn_keeps,
                                            .shares = drawn_shares,
                                            .scratch = drawn_scratch,
                                            .exact = true,
                                            .ways = {.entropy = choose_by_entropy,
                                                     .montecarlo = choose_by_entropy,
                                                     .margin = tct_network_margin,
                                                     .stop = tct_network_stop}};
