/*
 * net_draws.c -- people drawn for a network, many at a time.
 *
 * Attribute after attribute in schema order, each given the ones before, as posterior_gaussian.c does it: a category gets
 * a level by the weights that its expected inputs have, clipped at 0; anything else a Gaussian value, clipped into what it
 * may be, a grid value rounded to the nearest.  What is expected of an input is affine in the unknown inputs before its
 * attribute (its regression on them), whatever came out there, clipped or rounded or a level.  Of a category one input is
 * 1 and the others are 0, so what it adds is one number out of a row: w levels cost no more than one.
 *
 * What makes it cheap.  The random numbers are drawn once for all stages and people, by input.  Regressions are made anew
 * for every look: half of n^3 products for n unknown inputs, where people take some hundred times n times the number of
 * attributes.  TCT_QUICK people are drawn attribute by attribute, so that none waits for another.  The first layer of the
 * network is what is known once for all, plus what the unknown attributes add.  Labels are found in single precision
 * (netquick.h); for people who are too close to another label for that, in double precision, as netline.h adds up.
 */
#include "net_draws.h"

#include <math.h>
#include <string.h>

#include "simd.h"
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define ROUNDER 0x1.8p52 /* adding it rounds to a whole number, in the lowest bits */
/* Tables of levels: as large as registers take; as small as comparing takes less than looking up. */
enum { MOST_IN_REGISTERS = 64, FEW_LEVELS = 4, BEYOND = 16 /* numbers behind the last table */ };

#define LOOPS "net_draws_loops.h"
#include "simd_levels.h"

/* ---- objects ---- */

static size_t room_size(size_t d)
{
    return 2 * d * TCT_QUICK;
}

tacit_status tct_net_draws_new(tct_net_draws **out, const tacit_model *model, bool plain, tacit_error *err)
{
    size_t d = model->codec->n_inputs, n = model->schema->n_attributes;
    tct_net_draws *draws = tct_calloc(1, sizeof *draws);
    tacit_status st;

    *out = NULL;
    if (!draws)
        return tct_fail_memory(err);
    draws->model = model;
    draws->plain = plain;
    st = tct_netline_new(&draws->line, model->classifier, plain, err);
    if (!st)
        st = tct_netquick_new(&draws->quick, model->classifier, err);
    if (st || !draws->line)
        goto done;
    draws->noise = tct_calloc(d * TCT_NET_DRAWS, sizeof(double));
    draws->values = tct_calloc(d * TCT_NET_DRAWS, sizeof(double));
    draws->label = tct_calloc(TCT_NET_DRAWS, 1);
    draws->unknown = tct_calloc(n, sizeof *draws->unknown);
    draws->mean = tct_calloc(d, sizeof(double));
    draws->shares = tct_calloc(d * d + BEYOND, sizeof(double));
    draws->start = tct_calloc(d, sizeof(double));
    draws->point = tct_calloc(d, sizeof(double));
    draws->base = tct_calloc(draws->line->n_first, sizeof(double));
    draws->room = tct_calloc(room_size(d), sizeof(double));
    draws->terms = tct_calloc(n, sizeof *draws->terms);
    draws->rough = tct_calloc(n * TCT_QUICK, sizeof(float));
    draws->inputs = tct_calloc(d, sizeof *draws->inputs);
    if (!draws->noise || !draws->values || !draws->label || !draws->unknown || !draws->mean || !draws->shares ||
        !draws->start || !draws->terms || !draws->point || !draws->base || !draws->room || !draws->rough ||
        !draws->inputs) {
        st = tct_fail_memory(err);
        goto done;
    }
    *out = draws;
    draws = NULL;
done:
    tct_net_draws_free(draws);
    return st;
}

void tct_net_draws_wipe(tct_net_draws *draws)
{
    size_t d = draws->model->codec->n_inputs;

    if (!draws->used) /* what nobody touched takes no memory, and should not by being wiped */
        return;
    tct_wipe(draws->values, d * TCT_NET_DRAWS * sizeof(double));
    tct_wipe(draws->label, TCT_NET_DRAWS);
    tct_wipe(draws->mean, d * sizeof(double));
    tct_wipe(draws->point, d * sizeof(double));
    tct_wipe(draws->base, draws->line->n_first * sizeof(double));
    tct_wipe(draws->room, room_size(d) * sizeof(double));
    tct_wipe(draws->start, d * sizeof(double));
    tct_wipe(draws->rough, draws->model->schema->n_attributes * TCT_QUICK * sizeof(float));
    tct_netquick_wipe(draws->quick);
    draws->used = false;
}

void tct_net_draws_free(tct_net_draws *draws)
{
    if (!draws)
        return;
    tct_net_draws_wipe(draws);
    tct_netline_free(draws->line);
    tct_netquick_free(draws->quick);
    tct_free(draws->noise);
    tct_free(draws->values);
    tct_free(draws->label);
    tct_free(draws->unknown);
    tct_free(draws->mean);
    tct_free(draws->shares);
    tct_free(draws->start);
    tct_free(draws->terms);
    tct_free(draws->point);
    tct_free(draws->base);
    tct_free(draws->room);
    tct_free(draws->rough);
    tct_free(draws->inputs);
    tct_free(draws);
}

/* ---- what is the same for all people of a look ---- */

static void draw_noise(tct_net_draws *draws, uint64_t seed)
{
    const tct_codec *codec = draws->model->codec;

    if (draws->have_noise && draws->seed == seed)
        return;
    for (size_t a = 0; a < codec->schema->n_attributes; a++) {
        double *row = draws->noise + codec->domains[a].first * TCT_NET_DRAWS;
        tct_random random;

        tct_random_seed(&random, seed, codec->domains[a].first);
        for (size_t i = 0; i < TCT_NET_DRAWS; i++)
            row[i] = codec->domains[a].kind == TCT_ONEHOT ? tct_random_uniform(&random) : tct_random_normal(&random);
    }
    draws->have_noise = true;
    draws->seed = seed;
}

/* With C = B D B', B unit lower triangular and D diagonal: shares[j][i] = B_ij for i > j, shares[j][j] = D_jj; all 0 where
 * an input is determined by those before it. */
static void find_moves(tct_net_draws *draws, const tct_belief *b)
{
    size_t n = b->n_unknown;
    double *m = draws->shares;

    memcpy(m, b->cov, n * n * sizeof *m);
    for (size_t j = 0; j < n; j++) {
        double *row = m + j * n, variance = row[j];

        if (tct_determined(variance, b->cov[j * n + j])) {
            memset(row + j, 0, (n - j) * sizeof *row);
            continue;
        }
        for (size_t i = j + 1; i < n; i++) {
            double share = row[i] / variance;

            for (size_t k = i; k < n; k++)
                m[i * n + k] -= share * row[k];
        }
        for (size_t i = j + 1; i < n; i++)
            row[i] /= variance;
    }
}

/* What input k takes over of input j of an attribute before its own: shares[j][k], and once more at shares[k][j].  By how
 * much input j is off what the ones before it let expect is x_j less its mean, less sum over i < j of B_ji times how far x_i
 * is off; so from the last one on, what k takes over of j is B_kj less what the inputs between have of j already. */
static void find_shares(tct_net_draws *draws)
{
    size_t n = draws->n_inputs;
    double *m = draws->shares, *shares = draws->room;

    for (size_t own = draws->n_unknown; own-- > 0;) {
        size_t end = draws->unknown[own].at + draws->unknown[own].width;

        for (size_t j = end; j-- > draws->unknown[own].at;) {
            memcpy(shares + end, m + j * n + end, (n - end) * sizeof *shares);
            for (size_t i = j + 1, u = own; i < n; i++) {
                size_t from;

                while (i >= draws->unknown[u].at + draws->unknown[u].width)
                    u++;
                from = draws->unknown[u].at + draws->unknown[u].width; /* whose attribute comes after that of i */
                for (size_t k = from; k < n && m[j * n + i] != 0; k++)
                    shares[k] -= m[j * n + i] * m[i * n + k];
            }
            memcpy(m + j * n + end, shares + end, (n - end) * sizeof *shares);
        }
    }
    memcpy(draws->start, draws->mean, n * sizeof *shares);
    for (size_t u = 0; u < draws->n_unknown; u++)
        for (size_t j = draws->unknown[u].at; j < draws->unknown[u].at + draws->unknown[u].width; j++)
            for (size_t k = draws->unknown[u].at + draws->unknown[u].width; k < n; k++) {
                draws->start[k] -= m[j * n + k] * draws->mean[j];
                m[k * n + j] = m[j * n + k];
            }
}

static void find_unknown(tct_net_draws *draws, const unsigned char *known)
{
    const tct_codec *codec = draws->model->codec;
    size_t n = draws->n_inputs, at = 0;

    draws->n_unknown = 0;
    for (size_t a = 0; a < codec->schema->n_attributes; a++) {
        const tct_domain *domain = &codec->domains[a];
        tct_net_unknown *u = &draws->unknown[draws->n_unknown];

        if (known[a])
            continue;
        *u = (tct_net_unknown){.attribute = a, .first = domain->first, .at = at, .width = domain->width};
        u->kind = domain->kind;
        if (domain->kind != TCT_ONEHOT) {
            tct_codec_range(codec, a, &u->low, &u->high);
            u->steps = domain->kind == TCT_GRID ? (double)(domain->count - 1) : 0;
            u->deviation = sqrt(fmax(draws->shares[at * n + at], 0));
        }
        draws->terms[draws->n_unknown] =
            (tct_quick_term){domain->first, domain->kind == TCT_ONEHOT ? domain->width : 0};
        for (size_t i = 0; i < domain->width; i++)
            draws->inputs[at + i] = domain->first + i;
        at += domain->width;
        draws->n_unknown++;
    }
}

/* ---- one person after the other: the same in plain words ---- */

/* Unknown input i, given the values of the `before` unknown attributes before its own. */
static double plain_expected(const tct_net_draws *d, size_t i, size_t before, size_t person)
{
    const double *shares = d->shares + i * d->n_inputs;
    double sum = d->start[i];

    for (size_t levels = 0; levels < 2; levels++) /* numbers first */
        for (size_t u = 0; u < before; u++) {
            const tct_net_unknown *a = &d->unknown[u];
            double value = d->values[a->first * TCT_NET_DRAWS + person];

            if ((a->kind == TCT_ONEHOT) == (levels == 1))
                sum += levels == 1 ? shares[a->at + (size_t)value] : shares[a->at] * value;
        }
    return sum;
}

static double plain_single(const tct_net_unknown *a, double expected, double noise)
{
    double v = expected + a->deviation * noise;

    if (a->steps > 0)
        return 2.0 * fmin(fmax(rint((v + 1.0) * 0.5 * a->steps), 0), a->steps) / a->steps - 1.0;
    return fmin(fmax(v, a->low), a->high);
}

static double plain_level(const tct_net_unknown *a, const double *expected, double noise)
{
    double sum = 0, left;
    size_t level = 0;
    bool none;

    for (size_t i = 0; i < a->width; i++)
        sum += expected[i] > 0 ? expected[i] : 0;
    none = !(sum > 0);
    left = noise * (none ? (double)a->width : sum);
    for (; level + 1 < a->width; level++) {
        left -= none ? 1 : expected[level] > 0 ? expected[level] : 0;
        if (left < 0)
            break;
    }
    return (double)level;
}

static void draw_people_singly(const tct_net_draws *d, size_t from)
{
    double *expected = d->room;

    for (size_t person = from; person < from + TCT_QUICK; person++)
        for (size_t u = 0; u < d->n_unknown; u++) {
            const tct_net_unknown *a = &d->unknown[u];
            size_t at = a->first * TCT_NET_DRAWS + person;

            for (size_t i = 0; i < a->width; i++)
                expected[i] = plain_expected(d, a->at + i, u, person);
            d->values[at] = a->kind == TCT_ONEHOT ? plain_level(a, expected, d->noise[at])
                                                  : plain_single(a, expected[0], d->noise[at]);
        }
}

/* ---- labels ---- */

/* The unknown inputs of TCT_LANES people, n_inputs x TCT_LANES, into the room. */
static void put_inputs(const tct_net_draws *d, size_t from)
{
    for (size_t u = 0; u < d->n_unknown; u++) {
        const tct_net_unknown *a = &d->unknown[u];
        const double *values = d->values + a->first * TCT_NET_DRAWS + from;

        for (size_t i = 0; i < a->width; i++)
            for (size_t lane = 0; lane < TCT_LANES; lane++)
                d->room[(a->at + i) * TCT_LANES + lane] =
                    a->kind == TCT_ONEHOT ? (values[lane] == (double)i ? 1 : 0) : values[lane];
    }
}

static void first_layer_singly(const tct_net_draws *d)
{
    for (size_t j = 0; j < d->line->n_first; j++)
        for (size_t lane = 0; lane < TCT_LANES; lane++) {
            double sum = d->base[j];

            for (size_t i = 0; i < d->n_inputs; i++)
                sum += d->line->columns[d->inputs[i] * d->line->n_first + j] * d->room[i * TCT_LANES + lane];
            d->line->first[j * TCT_LANES + lane] = sum;
        }
}

/* TCT_LANES people in double precision. */
static void find_labels(tct_net_draws *d, size_t from)
{
    size_t k = d->line->n_scores;
    double scores[TCT_MAX_CLASSES];

    put_inputs(d, from);
    if (d->plain)
        first_layer_singly(d);
    else
        TCT_SIMD_PICK(first_layer)(d);
    tct_netline_scores(d->line, TCT_LANES);
    for (size_t i = 0; i < TCT_LANES; i++) {
        for (size_t s = 0; s < k; s++)
            scores[s] = d->line->scores[s * TCT_LANES + i];
        d->label[from + i] = (uint8_t)tct_label(scores, k);
    }
    tct_wipe(scores, sizeof scores);
}

/* ---- people ---- */

/* TCT_QUICK people from `from` on. */
static void draw_some(tct_net_draws *d, size_t from)
{
    if (d->plain) {
        draw_people_singly(d, from);
        for (size_t i = 0; i < TCT_QUICK; i += TCT_LANES)
            find_labels(d, from + i);
        return;
    }
    TCT_SIMD_PICK(draw_people)(d, from);
    tct_netquick_labels(d->quick, d->terms, d->n_unknown, d->rough, d->label + from);
    for (size_t i = 0; i < TCT_QUICK; i += TCT_LANES)
        if (memchr(d->label + from + i, TCT_UNSURE, TCT_LANES))
            find_labels(d, from + i);
}

void tct_net_draws_likely(tct_net_draws *draws, const tct_belief *belief, const unsigned char *known, const double *x,
                          uint64_t seed)
{
    draws->used = true;
    draw_noise(draws, seed);
    draws->n_inputs = belief->n_unknown;
    find_moves(draws, belief);
    find_unknown(draws, known);
    tct_belief_mean(belief, x, draws->mean);
    find_shares(draws);
    memset(draws->point, 0, draws->model->codec->n_inputs * sizeof(double));
    for (size_t i = 0; i < belief->n_known; i++)
        draws->point[belief->known[i]] = x[belief->known[i]];
    tct_netline_first(draws->line, draws->point, draws->base);
    tct_netquick_begin(draws->quick, draws->base, draws->terms, draws->n_unknown);
    for (size_t from = 0; from < TCT_NET_DRAWS; from += TCT_QUICK)
        draw_some(draws, from);
}
