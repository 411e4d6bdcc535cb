/*
 * The inner loops: the version for this processor gives the bits of the plain one, and both what the formula says.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdalign.h>
#include <string.h>

#include "base.h"
#include "netlanes.h"
#include "simd.h"

enum { MOST = 40, ROWS = 7 };

typedef struct numbers {
    alignas(64) double a[ROWS * MOST], w[MOST * MOST], x[MOST], y[MOST], z[MOST], t[MOST], s[MOST];
    alignas(64) double out[2][ROWS * MOST], more[2][MOST], sum[2][ROWS], size[2][ROWS];
    uint32_t live[MOST];
    size_t n_live;
} numbers;

static double draw(tct_random *random)
{
    return tct_random_below(random, 6) ? tct_random_normal(random) : 0;
}

/* Numbers at random; rows of n are filled up with zeros to `width`. */
static void fill(numbers *m, tct_random *random, size_t n, size_t width)
{
    memset(m, 0, sizeof *m);
    for (size_t i = 0; i < MOST; i++) {
        for (size_t j = 0; j < n; j++)
            m->w[i * width + j] = draw(random);
        m->live[m->n_live] = (uint32_t)i;
        m->n_live += tct_random_below(random, 3) != 0;
    }
    for (size_t i = 0; i < ROWS * MOST; i++)
        m->a[i] = draw(random);
    for (size_t j = 0; j < n; j++) {
        m->x[j] = draw(random);
        m->y[j] = m->x[j] + fabs(draw(random));
        m->z[j] = fabs(draw(random));
        m->t[j] = fabs(draw(random));
        m->s[j] = draw(random);
    }
}

static const tct_lanes *lanes_at(tct_simd most)
{
    const tct_lanes *lanes;

    tct_simd_limit(most);
    lanes = tct_lanes_best();
    tct_simd_limit(TCT_SIMD_LEVELS);
    return lanes;
}

static void netlanes__multiply(void **state)
{
    const tct_lanes *versions[] = {lanes_at(TCT_SIMD_PLAIN), lanes_at(TCT_SIMD_LEVELS)};
    static numbers m;
    tct_random random;

    (void)state;
    tct_random_seed(&random, 1, 1);
    for (size_t n = 1; n <= MOST; n++) {
        size_t width = tct_lanes_round(n), rows = 1 + n % ROWS;

        fill(&m, &random, n, width);
        for (int v = 0; v < 2; v++)
            versions[v]->multiply(m.a, rows, MOST, m.live, m.n_live, m.w, width, m.out[v]);
        assert_memory_equal(m.out[0], m.out[1], sizeof m.out[0]);
        for (size_t r = 0; r < rows; r++)
            for (size_t j = 0; j < width; j++) {
                double sum = 0;

                for (size_t k = 0; k < m.n_live; k++)
                    sum += m.w[m.live[k] * width + j] * m.a[r * MOST + m.live[k]];
                assert_true(sum == m.out[0][r * width + j]);
            }
    }
}

/* Rows longer than registers hold: tiles of every width. */
static void netlanes__multiply_wide(void **state)
{
    enum { WIDE = 41 * TCT_LANES, LIVE = 9 };
    static alignas(64) double a[3 * LIVE], w[LIVE * WIDE], out[3 * WIDE];
    uint32_t live[LIVE];
    size_t n_live = 0;
    tct_random random;

    (void)state;
    tct_random_seed(&random, 1, 3);
    for (size_t i = 0; i < LIVE * WIDE; i++)
        w[i] = draw(&random);
    for (size_t i = 0; i < 3 * LIVE; i++)
        a[i] = draw(&random);
    for (uint32_t k = 0; k < LIVE; k += 1 + k % 2)
        live[n_live++] = k;
    for (size_t n = TCT_LANES; n <= WIDE; n += TCT_LANES)
        for (tct_simd level = TCT_SIMD_PLAIN; level <= TCT_SIMD_LEVELS; level++)
            for (size_t rows = 1; rows <= 3; rows++) {
                memset(out, 0, sizeof out);
                lanes_at(level)->multiply(a, rows, LIVE, live, n_live, w, n, out);
                for (size_t r = 0; r < rows; r++)
                    for (size_t j = 0; j < n; j++) {
                        double sum = 0;

                        for (size_t k = 0; k < n_live; k++)
                            sum += w[live[k] * n + j] * a[r * LIVE + live[k]];
                        assert_true(sum == out[r * n + j]);
                    }
            }
}

static void netlanes__relax(void **state)
{
    const tct_lanes *versions[] = {lanes_at(TCT_SIMD_PLAIN), lanes_at(TCT_SIMD_LEVELS)};
    static numbers m;
    tct_random random;

    (void)state;
    tct_random_seed(&random, 1, 2);
    for (size_t n = 1; n <= MOST; n++) {
        size_t width = tct_lanes_round(n), rows = 1 + n % ROWS;
        tct_relaxation layer = {width, m.x, m.y, m.z, m.s, m.t};

        fill(&m, &random, n, width);
        for (int v = 0; v < 2; v++) {
            memcpy(m.out[v], m.a, sizeof m.a);
            versions[v]->relax(m.out[v], rows, &layer, m.sum[v], m.size[v]);
        }
        assert_memory_equal(m.out[0], m.out[1], sizeof m.out[0]);
        assert_memory_equal(m.sum[0], m.sum[1], sizeof m.sum[0]);
        assert_memory_equal(m.size[0], m.size[1], sizeof m.size[0]);
        for (size_t r = 0; r < rows; r++) {
            double sum = 0, size = 0;

            for (size_t j = 0; j < n; j++) {
                double a = m.a[r * width + j], line = a < 0 ? a * m.y[j] : a * m.x[j];

                assert_true(m.out[0][r * width + j] == line);
                sum += line * m.s[j] + (a < 0 ? a * m.z[j] : 0);
                size += fabs(line) * m.t[j] + (a < 0 ? -a * m.z[j] : 0);
            }
            assert_true(fabs(sum - m.sum[0][r]) < 1e-12);
            assert_true(fabs(size - m.size[0][r]) < 1e-12);
        }
    }
}

/* A coefficient that is no number must not vanish. */
static void netlanes__keep_nan(void **state)
{
    const tct_lanes *versions[] = {lanes_at(TCT_SIMD_PLAIN), lanes_at(TCT_SIMD_LEVELS)};
    static numbers m;
    tct_relaxation layer = {8, m.x, m.x, m.x, m.x, m.x};

    (void)state;
    for (int v = 0; v < 2; v++) {
        memset(&m, 0, sizeof m);
        m.a[3] = NAN;
        versions[v]->least(m.a, 1, 8, m.x, m.x, m.x, m.sum[0], m.size[0]);
        assert_true(isnan(m.sum[0][0]) && isnan(m.size[0][0]));
        versions[v]->relax(m.a, 1, &layer, m.sum[1], m.size[1]);
        assert_true(isnan(m.a[3]) && isnan(m.sum[1][0]) && isnan(m.size[1][0]));
    }
}

static void netlanes__bound_inputs(void **state)
{
    const tct_lanes *versions[] = {lanes_at(TCT_SIMD_PLAIN), lanes_at(TCT_SIMD_LEVELS)};
    const tct_span spans[] = {{0, 1, 0}, {1, 3, 1}, {4, 1, 0}};
    static numbers m;
    tct_random random;

    (void)state;
    tct_random_seed(&random, 1, 3);
    for (size_t n = 1; n <= MOST; n++) {
        size_t width = tct_lanes_round(n);
        const double low[] = {-0.5, 0, 0, 0, 0.25}, high[] = {0.75, 1, n % 2, 1, 0.25};

        fill(&m, &random, n, width);
        for (int v = 0; v < 2; v++) {
            versions[v]->interval(m.w, width, m.s, spans, 3, low, high, m.out[v], m.more[v]);
            versions[v]->least(m.a, 5, 8, m.x, m.y, m.t, m.sum[v], m.size[v]);
            versions[v]->least_columns(m.w, width, m.s, spans, 3, low, high, m.out[v] + 2 * MOST);
            versions[v]->add_sizes(m.x, n < 5 ? n : 5, m.w, width, m.out[v] + MOST);
        }
        assert_memory_equal(m.out[0], m.out[1], sizeof m.out[0]);
        assert_memory_equal(m.more[0], m.more[1], sizeof m.more[0]);
        assert_memory_equal(m.sum[0], m.sum[1], sizeof m.sum[0]);
        assert_memory_equal(m.size[0], m.size[1], sizeof m.size[0]);
        for (size_t j = 0; j < n; j++) {
            const double *w = m.w + j;
            double hot = fmin(w[width], w[3 * width]), cold = fmax(w[width], w[3 * width]);
            double one = w[0] * -0.5, two = w[0] * 0.75;

            hot = n % 2 ? fmin(hot, w[2 * width]) : hot;
            cold = n % 2 ? fmax(cold, w[2 * width]) : cold;
            assert_true(m.out[0][j] == m.s[j] + fmin(one, two) + hot + w[4 * width] * 0.25);
            assert_true(m.more[0][j] == m.s[j] + fmax(one, two) + cold + w[4 * width] * 0.25);
            assert_true(m.out[0][2 * MOST + j] == m.s[j] + (fmin(one, two) + hot + w[4 * width] * 0.25));
        }
    }
}

/* What each span moves a neuron's two forms by, and the shares of gaps. */
static void netlanes__share(void **state)
{
    const tct_lanes *versions[] = {lanes_at(TCT_SIMD_PLAIN), lanes_at(TCT_SIMD_LEVELS)};
    const tct_span spans[] = {{0, 1, 0}, {1, 3, 1}, {4, 1, 0}};
    const double low[] = {-0.5, 0, 0, 0, 0.25}, high[] = {0.75, 1, 0, 1, 0.5};
    alignas(64) double room[2 * 3 * TCT_LANES];
    static numbers m;
    tct_random random;

    (void)state;
    tct_random_seed(&random, 1, 4);
    for (size_t n = 1; n <= MOST; n++) {
        size_t width = tct_lanes_round(n);
        const double *second = m.w + 5 * width;
        double shares[3] = {1, 2, 3};

        fill(&m, &random, n, width);
        for (int v = 0; v < 2; v++) {
            memcpy(m.sum[v], shares, sizeof shares);
            versions[v]->share(m.w, second, width, spans, 3, low, high, m.z, m.t, room, m.sum[v]);
        }
        assert_memory_equal(m.sum[0], m.sum[1], sizeof m.sum[0]);
        for (size_t j = 0; j < n; j++) {
            const double *a = m.w + j, *b = second + j;
            double by[3] = {1.25 * (fabs(a[0]) + fabs(b[0])),
                            fabs(a[width] - a[3 * width]) + fabs(b[width] - b[3 * width]),
                            0.25 * (fabs(a[4 * width]) + fabs(b[4 * width]))};
            double total = fmax(by[0] + by[1] + by[2], 2 * m.t[j]);

            for (size_t s = 0; s < 3 && total > 0; s++)
                shares[s] += m.z[j] * by[s] / total;
        }
        for (size_t s = 0; s < 3; s++)
            assert_true(fabs(shares[s] - m.sum[0][s]) < 1e-12);
    }
}

/* Neurons of all phases: n drawn ones, dead ones up to the width. */
typedef struct layer {
    alignas(64) int64_t phases[MOST];
    alignas(64) double least[MOST], most[MOST], least_whole[MOST], most_whole[MOST];
    alignas(64) double above[MOST], below[MOST], offset[MOST], slopes[MOST];
} layer;

static tct_neurons draw_layer(layer *l, tct_random *random, size_t n)
{
    for (size_t j = 0; j < MOST; j++) {
        double end = draw(random), other = draw(random);

        l->phases[j] = j < n ? (int64_t)tct_random_below(random, 3) : TCT_PHASE_DEAD;
        l->least[j] = fmin(end, other);
        l->most[j] = fmax(end, other);
        l->least_whole[j] = fmin(draw(random), l->most[j]);
        l->most_whole[j] = fmax(draw(random), fmax(l->least[j], l->least_whole[j]));
        if (l->phases[j] != TCT_PHASE_OPEN) /* of these the bounds are not read */
            l->least[j] = l->most[j] = l->least_whole[j] = l->most_whole[j] = tct_random_below(random, 2) ? 0 : NAN;
    }
    return (tct_neurons){l->phases, l->least, l->most,   l->least_whole, l->most_whole,
                         l->above,  l->below, l->offset, l->slopes};
}

static void netlanes__lines(void **state)
{
    const tct_lanes *versions[] = {lanes_at(TCT_SIMD_PLAIN), lanes_at(TCT_SIMD_LEVELS)};
    static layer l[3];
    static numbers m;
    tct_random random;

    (void)state;
    tct_random_seed(&random, 1, 5);
    for (size_t n = 1; n <= MOST; n++) {
        size_t width = tct_lanes_round(n);
        tct_neurons p = draw_layer(&l[0], &random, n);
        int open[2], any = 0;
        double slack[2] = {1, 1}, all_gaps = 1;

        fill(&m, &random, n, width);
        l[1] = l[2] = l[0];
        for (int v = 0; v < 2; v++) {
            p = (tct_neurons){l[v].phases, l[v].least, l[v].most,   l[v].least_whole, l[v].most_whole,
                              l[v].above,  l[v].below, l[v].offset, l[v].slopes};
            versions[v]->settle(width, &p);
            open[v] = versions[v]->gaps(m.a, width, &p, m.more[v], &slack[v]);
            memcpy(m.out[v], m.x, sizeof m.x);
            versions[v]->move(m.a, width, 0.5, &p, m.out[v]);
        }
        for (size_t j = 0; j < n; j++) {
            double least = fmax(l[2].least[j], l[2].least_whole[j]), most = fmin(l[2].most[j], l[2].most_whole[j]);
            int64_t was = l[2].phases[j];
            int64_t phase = was != TCT_PHASE_OPEN ? was
                            : least >= 0          ? TCT_PHASE_ACTIVE
                            : most <= 0           ? TCT_PHASE_DEAD
                                                  : TCT_PHASE_OPEN;
            double a = m.a[j], slope = phase == TCT_PHASE_ACTIVE || (phase == TCT_PHASE_OPEN && most > -least);
            double moved = slope, gap = 0, out = phase == TCT_PHASE_DEAD ? 0 : m.x[j];

            assert_true(l[0].phases[j] == phase && l[0].above[j] == slope);
            if (phase == TCT_PHASE_OPEN) {
                double below = most / (most - least);

                assert_true(l[0].below[j] == below && l[0].least[j] == least && l[0].most[j] == most);
                assert_true(l[0].offset[j] >= -below * least && l[0].offset[j] >= (1 - below) * most);
                assert_true(l[0].offset[j] <= -below * least + 1e-12);
                gap = a >= 0 ? a * fmax(-slope * least, (1 - slope) * most) : -a * l[0].offset[j];
                out = a < 0 ? below * m.x[j] + l[0].offset[j] : slope * m.x[j];
                moved = a < 0 ? slope : fmin(fmax(slope + 0.5 * m.x[j] / (most - least), 0), 1);
                any |= a != 0;
            } else {
                assert_true(l[0].below[j] == slope && l[0].offset[j] == 0);
            }
            all_gaps += gap;
            assert_true(m.more[0][j] == gap && m.out[0][j] == out && l[0].slopes[j] == moved);
        }
        assert_true(open[0] == any && open[1] == any);
        assert_true(slack[0] == slack[1] && fabs(slack[0] - all_gaps) < 1e-12);
        assert_memory_equal(&l[0], &l[1], sizeof l[0]);
        assert_memory_equal(m.more[0], m.more[1], width * sizeof(double));
        assert_memory_equal(m.out[0], m.out[1], width * sizeof(double));
    }
}

static void netlanes__rectify(void **state)
{
    const tct_lanes *versions[] = {lanes_at(TCT_SIMD_PLAIN), lanes_at(TCT_SIMD_LEVELS)};
    static numbers m;
    tct_random random;

    (void)state;
    tct_random_seed(&random, 1, 7);
    for (size_t n = 1; n <= MOST; n++) {
        size_t width = tct_lanes_round(n), rows = 1 + n % ROWS;

        fill(&m, &random, n, width);
        for (int v = 0; v < 2; v++) {
            memcpy(m.out[v], m.a, sizeof m.a);
            versions[v]->rectify(m.out[v], rows, width, m.s);
        }
        assert_memory_equal(m.out[0], m.out[1], sizeof m.out[0]);
        for (size_t r = 0; r < rows; r++)
            for (size_t j = 0; j < width; j++)
                assert_true(m.out[0][r * width + j] == fmax(m.a[r * width + j] + m.s[j], 0));
    }
}

/* Of the two at once, the one with that sign is what pull_columns makes. */
static void check_twins(const tct_lanes *lanes, const tct_pull *pull, const double *w, size_t width, size_t which,
                        const double *y, const double *sums, const double *sizes)
{
    static double all[2][MOST * MOST], sum[2][MOST], size[2][MOST];
    tct_forms forms[2];

    memset(all, 0, sizeof all);
    for (size_t form = 0; form < 2; form++) {
        for (size_t k = 0; k < MOST; k++)
            sum[form][k] = size[form][k] = (double)k;
        forms[form] = (tct_forms){all[form], width, sum[form], size[form]};
    }
    lanes->pull_twins(pull, w, width, width, forms);
    assert_memory_equal(all[which], y, sizeof all[which]);
    assert_memory_equal(sum[which], sums, sizeof sum[which]);
    assert_memory_equal(size[which], sizes, sizeof size[which]);
}

/* Weights in single precision: the same as with weights that are those numbers. */
static void netlanes__multiply_single(void **state)
{
    enum { WIDE = 41 * TCT_LANES, LIVE = 9 };
    static float w[LIVE * WIDE];
    static alignas(64) double a[LIVE], same[LIVE * WIDE], out[WIDE], expected[WIDE];
    uint32_t live[LIVE];
    size_t n_live = 0;
    tct_random random;

    (void)state;
    tct_random_seed(&random, 1, 9);
    for (size_t i = 0; i < LIVE * WIDE; i++)
        same[i] = w[i] = (float)draw(&random);
    for (size_t i = 0; i < LIVE; i++)
        a[i] = draw(&random);
    for (uint32_t k = 0; k < LIVE; k += 1 + k % 2)
        live[n_live++] = k;
    for (size_t n = TCT_LANES; n <= WIDE; n += TCT_LANES)
        for (tct_simd level = TCT_SIMD_PLAIN; level <= TCT_SIMD_LEVELS; level++) {
            lanes_at(level)->multiply(a, 1, LIVE, live, n_live, same, n, expected);
            lanes_at(level)->multiply_single(a, live, n_live, w, n, out);
            assert_memory_equal(out, expected, n * sizeof *out);
        }
}

/* A layer in single precision and, number for number, as doubles. */
typedef struct single_layer {
    float line[5][MOST], x[MOST * MOST + TCT_SINGLE_LANES], weights[MOST * MOST];
    double lines[5][MOST], columns[MOST * MOST], wide_weights[MOST * MOST];
    uint32_t live[MOST];
} single_layer;

static void draw_single_layer(single_layer *s, tct_random *random, size_t n_active)
{
    for (size_t i = 0; i < MOST * MOST; i++) {
        s->columns[i] = s->x[i] = (float)draw(random);
        s->wide_weights[i] = s->weights[i] = (float)draw(random);
    }
    for (uint32_t i = 0; i < MOST; i++) { /* all, in some order */
        size_t at = tct_random_below(random, i + 1);

        s->live[i] = s->live[at];
        s->live[at] = i;
    }
    for (size_t i = 0; i < MOST; i++) {
        size_t j = s->live[i];

        for (size_t k = 0; k < 5; k++)
            s->line[k][j] = (float)fabs(draw(random));
        if (i < n_active)
            s->line[0][j] = s->line[1][j] = 1, s->line[3][j] = s->line[2][j];
        for (size_t k = 0; k < 5; k++)
            s->lines[k][j] = s->line[k][j];
    }
}

static void netlanes__pull_single(void **state)
{
    enum { LIVE = 23 };
    static single_layer s;
    static double y[3][2][MOST * MOST], sums[3][2][MOST], sizes[3][2][MOST];
    tct_random random;

    (void)state;
    tct_random_seed(&random, 1, 10);
    for (size_t round = 0; round < 200; round++) {
        size_t n_out = round % 21, stride = n_out + round % 3, n = TCT_LANES * (1 + round % 5), n_active = round % LIVE;
        tct_single_pull single = {s.line[0], s.line[1], s.line[2], s.line[3], s.line[4], s.live,
                                  LIVE,      n_active,  s.weights, n_out,     stride};
        tct_pull pull = {s.lines[0], s.lines[1], s.lines[2],     s.lines[3], s.lines[4],
                         s.live,     LIVE,       s.wide_weights, n_out,      stride};

        draw_single_layer(&s, &random, n_active);
        memset(y, 0, sizeof y);
        memset(sums, 0, sizeof sums);
        memset(sizes, 0, sizeof sizes);
        for (size_t v = 0; v < 3; v++) {
            const tct_lanes *lanes = lanes_at(v == 0 ? TCT_SIMD_PLAIN : v == 1 ? TCT_SIMD_AVX2 : TCT_SIMD_LEVELS);
            tct_forms forms[2];

            for (size_t form = 0; form < 2; form++)
                forms[form] = (tct_forms){y[v][form], MOST, sums[v][form], sizes[v][form]};
            lanes->pull_single(&single, s.x, MOST, n, forms);
            assert_memory_equal(y[0], y[v], sizeof y[v]);
            assert_memory_equal(sums[0], sums[v], sizeof sums[v]);
            assert_memory_equal(sizes[0], sizes[v], sizeof sizes[v]);
        }
        for (size_t form = 0; form < 2; form++) {
            memset(y[1][form], 0, sizeof y[1][form]);
            memset(sums[1][form], 0, sizeof sums[1][form]);
            memset(sizes[1][form], 0, sizeof sizes[1][form]);
            lanes_at(TCT_SIMD_PLAIN)
                ->pull_columns(&pull, s.columns, MOST, form ? -1 : 1, n, y[1][form], MOST, sums[1][form],
                               sizes[1][form]);
            for (size_t i = 0; i < MOST * MOST; i++)
                assert_true(fabs(y[0][form][i] - y[1][form][i]) <= 1e-4);
            for (size_t k = 0; k < MOST; k++)
                assert_true(fabs(sums[0][form][k] - sums[1][form][k]) <= 1e-4 &&
                            fabs(sizes[0][form][k] - sizes[1][form][k]) <= 1e-4);
        }
    }
}

/* Forms of all columns pulled back through a layer, one at a time and side by side. */
static void netlanes__pull_columns(void **state)
{
    const tct_lanes *versions[] = {lanes_at(TCT_SIMD_PLAIN), lanes_at(TCT_SIMD_AVX2), lanes_at(TCT_SIMD_LEVELS)};
    static numbers m;
    static double weights[MOST * MOST], y[3][MOST * MOST], sums[3][MOST], sizes[3][MOST];
    tct_random random;

    (void)state;
    tct_random_seed(&random, 1, 8);
    for (size_t n = 1; n <= MOST; n++) {
        size_t width = tct_lanes_round(n), n_out = n % 21, stride = n_out + n % 3;
        double sign = n % 2 ? 1 : -1;
        tct_pull pull = {m.x, m.y, m.s, m.z, m.t, m.live, 0, weights, n_out, stride};

        fill(&m, &random, n, width);
        for (size_t i = 0; i < MOST * MOST; i++)
            weights[i] = draw(&random);
        for (size_t j = n; j < MOST; j++) { /* one number per row of w */
            m.x[j] = draw(&random);
            m.y[j] = draw(&random);
            m.s[j] = draw(&random);
            m.z[j] = draw(&random);
            m.t[j] = fabs(draw(&random));
        }
        pull.n_live = m.n_live < 12 ? m.n_live : 12;
        for (size_t v = 0; v < 3; v++) {
            memset(y[v], 0, sizeof y[v]);
            for (size_t k = 0; k < MOST; k++)
                sums[v][k] = sizes[v][k] = (double)k;
            versions[v]->pull_columns(&pull, m.w, width, sign, width, y[v], width, sums[v], sizes[v]);
            assert_memory_equal(y[0], y[v], sizeof y[v]);
            assert_memory_equal(sums[0], sums[v], sizeof sums[v]);
            assert_memory_equal(sizes[0], sizes[v], sizeof sizes[v]);
            check_twins(versions[v], &pull, m.w, width, sign < 0, y[0], sums[0], sizes[0]);
        }
        for (size_t k = 0; k < n; k++) {
            double sum = 0, size = 0;

            for (size_t i = 0; i < n_out; i++) {
                double out = 0;

                for (size_t l = 0; l < pull.n_live; l++) {
                    size_t j = m.live[l];
                    double c = m.w[j * width + k] * sign, line = c * (c < 0 ? pull.below[j] : pull.above[j]);

                    out += line * weights[j * stride + i];
                }
                assert_true(y[0][i * width + k] == out);
            }
            for (size_t l = 0; l < pull.n_live; l++) {
                size_t j = m.live[l];
                double c = m.w[j * width + k] * sign;

                sum += c * (c < 0 ? pull.minus[j] : pull.plus[j]);
                size += fabs(c) * pull.size[j];
            }
            assert_true(sums[0][k] == (double)k + sum && sizes[0][k] == (double)k + size);
        }
    }
}

/* Some point of a box of two numbers and a one-hot attribute. */
static void draw_point(tct_random *random, const double *low, const double *high, double x[5])
{
    size_t level = 1 + tct_random_below(random, 3);

    level = high[level] != 0 ? level : 1;
    for (size_t i = 0; i < 5; i++)
        x[i] = i == 0 || i == 4 ? low[i] + tct_random_uniform(random) * (high[i] - low[i]) : i == level;
}

static double value_at(const double *form, size_t stride, double constant, const double x[5])
{
    double value = constant;

    for (size_t i = 0; i < 5; i++)
        value += form[i * stride] * x[i];
    return value;
}

/* Bounds of forms where another one is not positive: no point there is below them, and they are no worse than the box. */
static void netlanes__least_on_side(void **state)
{
    const tct_lanes *versions[] = {lanes_at(TCT_SIMD_PLAIN), lanes_at(TCT_SIMD_AVX2), lanes_at(TCT_SIMD_LEVELS)};
    const tct_span spans[] = {{0, 1, 0}, {1, 3, 1}, {4, 1, 0}};
    static numbers m;
    size_t raised = 0, inside = 0;
    tct_random random;

    (void)state;
    tct_random_seed(&random, 1, 9);
    for (size_t n = 1; n <= MOST; n++) {
        size_t width = tct_lanes_round(n), worst = 1;
        const double low[] = {-0.5, 0, 0, 0, 0.25}, high[] = {0.75, 1, n % 2, 1, 0.5};
        double sign = n % 3 ? 1 : -1, g[5], corner[5] = {0}, constant, least = 0, out[3][MOST], twins[2][MOST],
               box[MOST];

        fill(&m, &random, n, width);
        for (size_t i = 0; i < 5; i++)
            g[i] = draw(&random);
        corner[0] = g[0] < 0 ? high[0] : low[0];
        corner[4] = g[4] < 0 ? high[4] : low[4];
        for (size_t i = 2; i < 4; i++)
            worst = high[i] != 0 && g[i] < g[worst] ? i : worst;
        corner[worst] = 1;
        constant = -value_at(g, 1, 0, corner) - 0.3;
        least = value_at(g, 1, constant, corner);
        for (size_t v = 0; v < 3; v++) {
            tct_halfspace side = {spans, 3, low, high, g, corner, constant, least, 1e-14};

            versions[v]->least_on_side(&side, m.w, sign, width, m.s, m.t, out[v]);
            assert_memory_equal(out[0], out[v], n * sizeof(double));
            versions[v]->twins_on_side(&side, m.w, width, m.s, m.t, twins[0], twins[1]);
            for (size_t j = 0; j < n; j++)
                assert_true(out[0][j] == (sign > 0 ? twins[0][j] : -twins[1][j]));
        }
        for (size_t j = 0; j < n; j++) {
            double hot = INFINITY, first = sign * m.w[j], last = sign * m.w[4 * width + j];

            for (size_t i = 1; i < 4; i++)
                hot = high[i] != 0 ? fmin(hot, sign * m.w[i * width + j]) : hot;
            box[j] = sign * m.s[j] - m.t[j] + fmin(first * low[0], first * high[0]) + hot +
                     fmin(last * low[4], last * high[4]);
            assert_true(out[0][j] >= box[j] - 1e-12);
            raised += out[0][j] > box[j] + 1e-9;
        }
        for (size_t k = 0; k < 200; k++) {
            double x[5];

            draw_point(&random, low, high, x);
            if (value_at(g, 1, constant, x) > 0)
                continue;
            inside++;
            for (size_t j = 0; j < n; j++)
                assert_true(sign * value_at(m.w + j, width, m.s[j], x) - m.t[j] >= out[0][j] - 1e-12);
        }
    }
    assert_true(raised > 100 && inside > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(netlanes__multiply),        cmocka_unit_test(netlanes__multiply_wide),
        cmocka_unit_test(netlanes__relax),           cmocka_unit_test(netlanes__keep_nan),
        cmocka_unit_test(netlanes__bound_inputs),    cmocka_unit_test(netlanes__share),
        cmocka_unit_test(netlanes__lines),           cmocka_unit_test(netlanes__rectify),
        cmocka_unit_test(netlanes__multiply_single), cmocka_unit_test(netlanes__pull_single),
        cmocka_unit_test(netlanes__pull_columns),    cmocka_unit_test(netlanes__least_on_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
