/*
 * answer_entropy.c -- the expected entropy of a label with three or four classes.
 *
 * The answer z of a one-input attribute is normal and moves the mean scores along a line; the covariance that is left
 * does not depend on it.  The entropy along the line is smooth, but may change within a small part of a standard
 * deviation: where two scores cross, over a width given by the deviation of their difference and the speed at which it
 * moves; and where a third (fourth) score passes two (three) that are level, over the width that is left given that
 * they are, which may be none at all: a bend.  Without narrow bends a few nodes on the whole line do.  With them the
 * line is cut into panels with eight Gauss-Legendre nodes each, short near the bends that matter for these mean scores
 * and longer with the distance from them.
 *
 * A bound: what an answer says about the label is no more than what it says about the differences of the scores, which
 * for Gaussians is log(1 + sum of 1 / width^2) / 2, the widths being those of a chain of contrasts, each given the ones
 * before.
 */
#include "answer_entropy.h"

#include <math.h>
#include <string.h>

#include "num.h"

static const double LINE_END = 4.9;      /* of panels: leaves out 1e-6 */
static const double STEPS_END = 5.2;     /* of equal steps */
static const double LONGEST_PANEL = 2.5; /* in standard deviations of the answer, for its density's sake */
static const double PANEL_PER_WIDTH = 3.5, SHARE_AHEAD = 0.7, SHARE_BEHIND = 2.5;
/* What is narrower counts as this wide: a change between two classes, of which little is seen then; and where others
 * pass two that are level, which shows less, as a share of the width over which they are level, and at most. */
static const double LEAST_WIDTH = 4e-6, LEAST_SHARE = 0.005, MOST_PASSING = 0.002;
/* Bends that eight Hermite nodes cope with; that as many blocks of eight equal steps need, times the blocks; and from
 * how many blocks on panels are better. */
static const double WIDE = 2, BLOCKS_PER_WIDTH = 1.5;
enum { MOST_BLOCKS = 5 };
static const double FAR = 6;   /* standard deviations: a difference beyond does not change sign */
static const double REACH = 4; /* widths a bend spans, to either side */
static const double NO_SLOPE = 1e-9, NO_VARIANCE = 1e-13;
enum { LANES = TCT_ODDS_LANES };

/* Gauss-Hermite with eight nodes, for the standard normal density; the positive half. */
static const double hermite_nodes[4] = {0.53907981135137511, 1.636519042435108, 2.8024858612875417, 4.1445471861258943};
static const double hermite_weights[4] = {0.37301225767907735, 0.11723990766175902, 0.0096352201207882672,
                                          0.00011261453837536777};
static const double legendre_nodes[4] = {0.1834346424956498, 0.52553240991632899, 0.79666647741362674,
                                         0.96028985649753623};
static const double legendre_weights[4] = {0.36268378337836198, 0.31370664587788729, 0.22238103445337447,
                                           0.10122853629037626};

struct tct_answer_entropies {
    size_t n, grown;
    tct_odds *now;              /* of the law itself */
    tct_answer_entropy *list[]; /* by the position of the attribute's first input among the unknown ones */
};

static double product(const double *a, const double *b, size_t k)
{
    double sum = 0;

    for (size_t i = 0; i < k; i++)
        sum += a[i] * b[i];
    return sum;
}

static double covariance_of(const double *a, const double *cov, const double *b, size_t k)
{
    double sum = 0;

    for (size_t i = 0; i < k; i++)
        sum += a[i] * product(cov + i * k, b, k);
    return sum;
}

/* The chain of contrasts of classes[0 ... n - 1] ending with that of the last against the first: each is made
 * independent of those before it.  Returns the last one, in `bend`, and adds up 1 / width^2 over the chain. */
static double follow_chain(const tct_answer_entropy *p, const double *cov, const size_t *classes, size_t n,
                           tct_bend *bend)
{
    double chain[TCT_ODDS_SCORES - 1][TCT_ODDS_SCORES] = {{0}}, variance[TCT_ODDS_SCORES - 1], sum = 0;
    size_t k = p->k;

    memset(bend, 0, sizeof *bend);
    for (size_t i = 0; i + 1 < n; i++) {
        double *a = chain[i], own, slope;

        a[classes[i + 1]] = 1;
        a[classes[0]] = -1;
        own = covariance_of(a, cov, a, k);
        for (size_t j = 0; j < i; j++) {
            double share = variance[j] > 0 ? covariance_of(a, cov, chain[j], k) / variance[j] : 0;

            for (size_t c = 0; c < k; c++)
                a[c] -= share * chain[j][c];
        }
        variance[i] = covariance_of(a, cov, a, k);
        if (!(variance[i] > NO_VARIANCE * own))
            variance[i] = 0;
        slope = product(a, p->slope, k);
        bend->tie_width = i == 0 ? INFINITY : fmin(bend->tie_width, bend->width);
        bend->slope = slope;
        bend->width = sqrt(variance[i]) / fabs(slope);
        sum += slope != 0 ? 1 / (bend->width * bend->width) : 0;
    }
    memcpy(bend->factors, chain[n - 2], sizeof bend->factors);
    bend->n_tied = n > 2 ? n - 1 : 0;
    memcpy(bend->tied, classes, bend->n_tied * sizeof *classes);
    return sum;
}

static double least_passing(double tie_width)
{
    return fmin(fmax(LEAST_SHARE * tie_width, LEAST_WIDTH), MOST_PASSING);
}

/* All bends; the narrow ones are kept. */
static void find_bends(tct_answer_entropy *p, const double *cov)
{
    size_t k = p->k;
    double fastest = 0;
    tct_bend bend;

    p->n_bends = 0;
    for (size_t i = 0; i < k; i++)
        for (size_t j = 0; j < i; j++)
            fastest = fmax(fastest, fabs(p->slope[i] - p->slope[j]));
    /* Two level classes at a time, then what passes them: as sets of tied classes, and one more. */
    for (size_t tied = 1; tied < (size_t)1 << k; tied++)
        for (size_t last = 0; last < k; last++) {
            size_t classes[TCT_ODDS_SCORES], n = 0;

            for (size_t c = 0; c < k; c++)
                if (tied >> c & 1)
                    classes[n++] = c;
            if (tied >> last & 1 || (n == 1 && last < classes[0]))
                continue;
            classes[n++] = last;
            follow_chain(p, cov, classes, n, &bend);
            if (!(fabs(bend.slope) > NO_SLOPE * fastest) || (bend.n_tied && !(bend.tie_width > 0)))
                continue;
            if (bend.width < WIDE) {
                bend.width = fmax(bend.width, bend.n_tied ? least_passing(bend.tie_width) : LEAST_WIDTH);
                p->bends[p->n_bends++] = bend;
            }
        }
}

static void prepare(tct_answer_entropy *p, const tct_law *law, const tct_belief *b, const tacit_model *model,
                    size_t attribute, double *scratch, size_t *used)
{
    static const size_t everyone[TCT_ODDS_SCORES] = {0, 1, 2, 3};
    size_t k = law->n_scores, at;
    double cov[TCT_ODDS_SCORES * TCT_ODDS_SCORES], *nodes = scratch;
    tct_effect effect = {scratch + k * TCT_ODDS_BUFFER, cov};
    tct_bend bend;

    p->domain = &model->codec->domains[attribute];
    p->variables = model->variables;
    p->attribute = attribute;
    p->n_variables = model->variables->first[attribute + 1] - model->variables->first[attribute];
    p->k = k;
    p->gain = effect.gain;
    at = tct_belief_at(b, attribute);
    tct_effect_of(&effect, law, b, model, attribute, effect.gain + p->n_variables * k);
    *used = tct_odds_prepare(&p->odds, cov, k, nodes);
    for (size_t i = 0; i < k * k; i++)
        p->spread[i] = sqrt(fmax(cov[i / k * (k + 1)] - 2 * cov[i] + cov[i % k * (k + 1)], 0));
    p->n_bends = 0;
    p->information = INFINITY;
    memset(p->slope, 0, sizeof p->slope);
    if (p->domain->kind == TCT_ONEHOT)
        return;
    for (size_t s = 0; s < k; s++)
        p->slope[s] = effect.gain[s] * sqrt(b->cov[at * b->n_unknown + at]);
    find_bends(p, cov);
    p->information = 0.5 * log1p(follow_chain(p, cov, everyone, k, &bend));
}

/* Copy nodes, and move the pointers to them. */
static void move_nodes(tct_odds *odds, double *to, size_t used)
{
    const double *from = odds->classes[0].nodes;

    memcpy(to, from, used * sizeof *to);
    for (size_t c = 0; c < odds->k; c++)
        odds->classes[c].nodes = to + (odds->classes[c].nodes - from);
}

/* The same in memory of its own; NULL when there is none. */
static tct_answer_entropy *keep(const tct_answer_entropy *p, size_t used, size_t *bytes)
{
    size_t gains = p->domain->kind == TCT_ONEHOT ? p->n_variables * p->k : 0;
    size_t size = sizeof *p + p->n_bends * sizeof *p->bends + (used + gains) * sizeof(double);
    tct_answer_entropy *kept = tct_malloc(size, 1);
    double *doubles;

    if (!kept)
        return NULL;
    *kept = *p;
    kept->bends = (tct_bend *)(kept + 1);
    memcpy(kept->bends, p->bends, p->n_bends * sizeof *p->bends);
    doubles = (double *)(kept->bends + p->n_bends);
    kept->gain = doubles + used;
    memcpy(kept->gain, p->gain, gains * sizeof(double));
    move_nodes(&kept->odds, doubles, used);
    *bytes += size;
    return kept;
}

/* Sum of weight times entropy over eight answers. */
static double entropy_of_block(const tct_answer_entropy *p, const double *mean, const double *z, const double *weights)
{
    double means[TCT_ODDS_SCORES * LANES];

    for (size_t s = 0; s < p->k; s++)
        for (size_t j = 0; j < LANES; j++)
            means[s * LANES + j] = mean[s] + p->slope[s] * z[j];
    return tct_odds_best()->entropy(&p->odds, means, weights);
}

/* No bends but wide ones: one block for the whole line. */
static double entropy_in_one(const tct_answer_entropy *p, const double *mean)
{
    double z[LANES], weights[LANES];

    for (size_t j = 0; j < LANES; j++) {
        z[j] = (j % 2 ? 1 : -1) * hermite_nodes[j / 2];
        weights[j] = hermite_weights[j / 2];
    }
    return entropy_of_block(p, mean, z, weights);
}

/* The trapezoidal rule on the whole line, whose error falls faster than any power of the step. */
static double entropy_in_steps(const tct_answer_entropy *p, const double *mean, size_t blocks)
{
    double z[LANES], weights[LANES], step = 2 * STEPS_END / (double)(LANES * blocks - 1), sum = 0, total = 0;

    for (size_t b = 0; b < blocks; b++) {
        for (size_t j = 0; j < LANES; j++) {
            z[j] = (double)(b * LANES + j) * step - STEPS_END;
            weights[j] = tct_normal_pdf(z[j]);
            total += weights[j];
        }
        sum += entropy_of_block(p, mean, z, weights);
    }
    return sum / total;
}

/* Does the difference of two scores keep its sign near a bend at `z`?  1: i stays ahead of j, -1: behind, 0: no. */
static int keeps_sign(const tct_answer_entropy *p, const double *mean, const tct_bend *bend, double z, size_t i,
                      size_t j)
{
    double slope = p->slope[i] - p->slope[j], gap = mean[i] - mean[j] + slope * z;
    double doubt = FAR * p->spread[i * p->k + j] + REACH * bend->width * fabs(slope);

    return gap > doubt ? 1 : gap < -doubt ? -1 : 0;
}

/* Can the bend at z be seen?  Not when classes that it takes to be level are not, nor when another class is ahead of
 * one that takes part. */
static bool bend_matters(const tct_answer_entropy *p, const double *mean, const tct_bend *bend, double z)
{
    if (fabs(z) > LINE_END + REACH * bend->width)
        return false;
    for (size_t i = 1; i < bend->n_tied; i++)
        if (keeps_sign(p, mean, bend, z, bend->tied[0], bend->tied[i]))
            return false;
    for (size_t i = 0; i < p->k; i++)
        for (size_t j = 0; j < p->k; j++)
            if (bend->factors[i] != 0 && bend->factors[j] == 0 && keeps_sign(p, mean, bend, z, j, i) > 0)
                return false;
    return true;
}

/* How long a panel may be that starts at `from`. */
static double panel_length(const double *places, const double *widths, size_t n, double from)
{
    double length = LONGEST_PANEL;

    for (size_t i = 0; i < n; i++) {
        double distance = places[i] - from;
        double room = distance > 0 ? SHARE_AHEAD * distance : -SHARE_BEHIND * distance;

        length = fmin(length, fmax(room, PANEL_PER_WIDTH * widths[i]));
    }
    return length;
}

static double entropy_in_panels(const tct_answer_entropy *p, const double *mean, const double *places,
                                const double *widths, size_t n)
{
    double z[LANES], weights[LANES], sum = 0, total = 0, from = -LINE_END;

    while (from < LINE_END) {
        double half, to;

        to = fmin(from + panel_length(places, widths, n, from), LINE_END);
        half = 0.5 * (to - from);
        for (size_t j = 0; j < LANES; j++) {
            z[j] = from + half + (j % 2 ? half : -half) * legendre_nodes[j / 2];
            weights[j] = half * legendre_weights[j / 2] * tct_normal_pdf(z[j]);
            total += weights[j];
        }
        sum += entropy_of_block(p, mean, z, weights);
        from = to;
    }
    return sum / total;
}

/* One input: by the bends that matter to this person. */
static double entropy_over_line(const tct_answer_entropy *p, const double *mean)
{
    double places[TCT_MAX_BENDS], widths[TCT_MAX_BENDS], narrowest = WIDE, blocks;
    size_t n = 0;

    for (size_t i = 0; i < p->n_bends; i++) {
        places[n] = -product(p->bends[i].factors, mean, p->k) / p->bends[i].slope;
        widths[n] = p->bends[i].width;
        if (bend_matters(p, mean, &p->bends[i], places[n]))
            narrowest = fmin(narrowest, widths[n++]);
    }
    if (n == 0)
        return entropy_in_one(p, mean);
    blocks = fmax(ceil(BLOCKS_PER_WIDTH / narrowest), 2);
    if (blocks <= MOST_BLOCKS)
        return entropy_in_steps(p, mean, (size_t)blocks);
    return entropy_in_panels(p, mean, places, widths, n);
}

/* Mean scores once a one-hot attribute is found to be at `level`, or, if it is wide, in that group of levels; LANES numbers
 * apart. */
static void move_to_level(const tct_answer_entropy *p, const double *mean, const double *expected, size_t level,
                          double *means)
{
    size_t first = p->variables->first[p->attribute];
    bool wide = p->variables->span[first] > 1;

    for (size_t s = 0; s < p->k; s++) {
        double moved = mean[s];

        for (size_t i = 0; i < p->n_variables; i++) {
            double value = wide ? tct_variable_centres(p->variables, first + i)[level] : i == level;

            moved += p->gain[i * p->k + s] * (value - expected[i]);
        }
        means[s * LANES] = moved;
    }
}

/* Weights of levels become those of their groups. */
static void gather_groups(const tct_variables *v, const tct_domain *domain, double *levels)
{
    double groups[TCT_WIDE_LEVELS] = {0};

    for (size_t l = 0; l < domain->count; l++)
        groups[v->group[domain->first + l]] += levels[l];
    memcpy(levels, groups, sizeof groups);
}

/* One-hot: a sum over the levels, or groups of them. */
static double entropy_over_levels(const tct_answer_entropy *p, const double *mean, const double *expected,
                                  double *levels)
{
    double means[TCT_ODDS_SCORES * LANES], weights[LANES], sum = 0;
    size_t n = p->domain->count;

    tct_variable_levels(p->variables, p->attribute, expected, 0, levels); /* more than one score: no variance */
    if (p->variables->span[p->variables->first[p->attribute]] > 1) {
        gather_groups(p->variables, p->domain, levels);
        n = TCT_WIDE_LEVELS;
    }
    for (size_t from = 0; from < n; from += LANES) {
        for (size_t j = 0; j < LANES; j++) {
            size_t level = from + j < n ? from + j : n - 1;

            weights[j] = from + j < n ? levels[level] : 0;
            move_to_level(p, mean, expected, level, means + j);
        }
        sum += tct_odds_best()->entropy(&p->odds, means, weights);
    }
    return sum;
}

struct tct_answer_entropies *tct_answer_entropies_new(size_t n)
{
    struct tct_answer_entropies *all = tct_calloc(1, sizeof *all + n * sizeof(tct_answer_entropy *));

    if (all)
        all->n = n;
    return all;
}

void tct_answer_entropies_free(struct tct_answer_entropies *all)
{
    if (!all)
        return;
    for (size_t i = 0; i < all->n; i++)
        tct_free(all->list[i]);
    tct_free(all->now);
    tct_free(all);
}

size_t tct_answer_entropies_grown(struct tct_answer_entropies *all)
{
    size_t grown = all ? all->grown : 0;

    if (all)
        all->grown = 0;
    return grown;
}

size_t tct_answer_entropy_scratch(size_t n_variables)
{
    return TCT_ODDS_SCORES * TCT_ODDS_BUFFER + n_variables * TCT_ODDS_SCORES +
           n_variables * (n_variables + TCT_ODDS_SCORES + 1);
}

const tct_answer_entropy *tct_answer_entropy_of(const tct_law *law, const tct_belief *b, const tacit_model *model,
                                                size_t attribute, tct_answer_entropy_room *room, double *scratch)
{
    size_t at = tct_belief_at(b, attribute), used;
    struct tct_answer_entropies *all = law->answer_entropies;

    if (all && all->list[at])
        return all->list[at];
    room->answer.bends = room->bends;
    prepare(&room->answer, law, b, model, attribute, scratch, &used);
    if (all)
        all->list[at] = keep(&room->answer, used, &all->grown);
    return all && all->list[at] ? all->list[at] : &room->answer;
}

double tct_answer_entropy_expected(const tct_answer_entropy *p, const double *mean, const double *expected,
                                   double *scratch)
{
    if (p->domain->kind == TCT_ONEHOT)
        return entropy_over_levels(p, mean, expected, scratch);
    return entropy_over_line(p, mean);
}

double tct_answer_entropy_now(const tct_law *law, const double *mean, double *p, double *scratch)
{
    double means[TCT_ODDS_SCORES * LANES], odds[TCT_ODDS_SCORES * LANES];
    struct tct_answer_entropies *all = law->answer_entropies;
    tct_odds room, *now = all && all->now ? all->now : &room;

    if (now == &room) {
        size_t used = tct_odds_prepare(&room, law->cov, law->n_scores, scratch);
        tct_odds *kept = all ? tct_malloc(sizeof *kept + used * sizeof(double), 1) : NULL;

        if (kept) {
            *kept = room;
            move_nodes(kept, (double *)(kept + 1), used);
            all->now = now = kept;
            all->grown += sizeof *kept + used * sizeof(double);
        }
    }
    for (size_t s = 0; s < law->n_scores; s++)
        for (size_t j = 0; j < LANES; j++)
            means[s * LANES + j] = mean[s];
    tct_odds_best()->all(now, means, odds);
    for (size_t s = 0; s < law->n_scores; s++)
        p[s] = odds[s * LANES];
    return tct_entropy(p, law->n_scores);
}
