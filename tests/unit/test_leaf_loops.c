/*
 * The loops of the checker's forms: the version for this processor gives the bits of the plain one, and both are as near
 * to what the formula says, in long double, as the checker allows for.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base.h"
#include "leaf_loops.h"
#include "scale.h"
#include "simd.h"

enum { WIDTH = 40, COLUMNS = 21, NEURONS = 37, SETS = 4, VERSIONS = 3 };

/* What loops read: a layer of at most WIDTH neurons that read at most NEURONS others. */
typedef struct numbers {
    double weights[NEURONS * WIDTH], forms[COLUMNS * WIDTH], more[COLUMNS * WIDTH];
    double ends[4][WIDTH], size[WIDTH], error[WIDTH], bias[WIDTH], row[WIDTH], under[WIDTH], low[WIDTH], high[WIDTH];
    double coefficient[WIDTH], bends[4][WIDTH], middle[COLUMNS], radius[COLUMNS], most[COLUMNS];
    uint32_t from[NEURONS], picks[COLUMNS], stops[3];
    size_t width, n_from, n_in, n_columns;
    tct_form_box box;
} numbers;

/* What a version made of it. */
typedef struct answers {
    double one[COLUMNS * WIDTH], two[COLUMNS * WIDTH], sums[4];
} answers;

typedef void use(const tct_form_loops *loops, numbers *m, answers *out);

static double draw(tct_random *random)
{
    return tct_random_below(random, 7) ? tct_random_normal(random) : 0;
}

/* Columns: some numbers, then up to three categories, of whose levels some are allowed. */
static void fill_box(numbers *m, tct_random *random)
{
    size_t k = 1 + tct_random_below(random, 5), n = 0;

    m->box = (tct_form_box){m->middle, m->radius, m->most, k, m->picks, m->stops, 0};
    for (size_t i = 0; i < k; i++) {
        m->middle[i] = draw(random) / 4;
        m->radius[i] = fabs(draw(random)) / 4;
        m->most[i] = fabs(m->middle[i]) + m->radius[i];
    }
    while (m->box.n_categories < 3 && k + 5 < COLUMNS) {
        size_t levels = 1 + tct_random_below(random, 5), must = tct_random_below(random, levels);

        for (size_t i = 0; i < levels; i++)
            if (i == must || tct_random_below(random, 2))
                m->picks[n++] = (uint32_t)(k + i);
        m->stops[m->box.n_categories++] = (uint32_t)n;
        k += levels;
    }
    m->n_columns = k;
}

static void fill(numbers *m, tct_random *random)
{
    double *const all[] = {m->weights, m->forms, m->more};
    const size_t counts[] = {NEURONS * WIDTH, COLUMNS * WIDTH, COLUMNS * WIDTH};

    memset(m, 0, sizeof *m);
    m->width = TCT_FORM_LANES * (1 + tct_random_below(random, WIDTH / TCT_FORM_LANES));
    m->n_in = 1 + tct_random_below(random, NEURONS);
    for (size_t a = 0; a < 3; a++)
        for (size_t i = 0; i < counts[a]; i++)
            all[a][i] = draw(random);
    for (uint32_t i = 0; i < m->n_in; i++)
        if (tct_random_below(random, 3))
            m->from[m->n_from++] = i;
    for (size_t j = 0; j < WIDTH; j++) {
        double ends[4] = {draw(random), 0, draw(random), 0};

        ends[1] = ends[0] + fabs(draw(random));
        ends[3] = ends[2] + fabs(draw(random));
        for (size_t e = 0; e < 4; e++) {
            m->ends[e][j] = ends[e];
            m->bends[e][j] = fabs(draw(random));
        }
        m->size[j] = 1 + fabs(draw(random));
        m->error[j] = fabs(draw(random)) * 0x1p-40;
        m->bias[j] = draw(random);
        m->row[j] = draw(random);
        m->under[j] = (double)tct_random_below(random, 5) / 4;
        m->low[j] = draw(random);
        m->high[j] = m->low[j] + fabs(draw(random));
        m->coefficient[j] = draw(random);
    }
    fill_box(m, random);
}

static const tct_form_loops *loops_at(tct_simd most)
{
    const tct_form_loops *loops;

    tct_simd_limit(most);
    loops = tct_form_loops_best();
    tct_simd_limit(TCT_SIMD_LEVELS);
    return loops;
}

/* A loop at every level: the bits of the plain one.  `check`: is that what it should be? */
static void compare(use *loop, void (*check)(const numbers *m, const answers *got))
{
    const tct_form_loops *versions[VERSIONS] = {loops_at(TCT_SIMD_PLAIN), loops_at(TCT_SIMD_AVX2),
                                                loops_at(TCT_SIMD_LEVELS)};
    static numbers was, now;
    static answers got[VERSIONS];
    tct_random random;

    tct_random_seed(&random, 1, 12);
    for (size_t t = 0; t < scaled(300); t++) {
        fill(&was, &random);
        for (size_t v = 0; v < VERSIONS; v++) {
            now = was;
            now.box = (tct_form_box){now.middle, now.radius,          now.most, was.box.n_numbers, now.picks,
                                     now.stops,  was.box.n_categories};
            memset(&got[v], 0, sizeof got[v]);
            loop(versions[v], &now, &got[v]);
            assert_memory_equal(&got[v], &got[0], sizeof got[v]);
        }
        check(&was, &got[0]);
    }
}

/* Nearer than the roundings of n steps over terms of this size. */
static void near(double got, long double exact, size_t n, long double size)
{
    assert_true(fabsl(got - exact) <= (long double)n * 0x1p-53L * (1 + 0x1p-40L) * size);
}

/* ---- forms of a layer ---- */

static void use_combine(const tct_form_loops *loops, numbers *m, answers *out)
{
    loops->combine(m->weights, m->width, false, m->from, m->n_from, m->forms, WIDTH, m->n_columns, out->one);
    loops->combine(m->weights, m->width, true, m->from, m->n_from, m->forms, WIDTH, m->n_columns, out->two);
}

static void check_combine(const numbers *m, const answers *got)
{
    for (size_t k = 0; k < m->n_columns; k++)
        for (size_t j = 0; j < m->width; j++) {
            long double sum = 0, sizes = 0, size = 0;

            for (size_t i = 0; i < m->n_from; i++) {
                long double w = m->weights[m->from[i] * m->width + j], form = m->forms[k * WIDTH + m->from[i]];

                sum += w * form;
                sizes += fabsl(w) * form;
                size += fabsl(w * form);
            }
            near(got->one[k * m->width + j], sum, m->n_from + 1, size);
            near(got->two[k * m->width + j], sizes, m->n_from + 1, size);
        }
}

static void loops__combine(void **state)
{
    (void)state;
    compare(use_combine, check_combine);
}

static void use_weigh(const tct_form_loops *loops, numbers *m, answers *out)
{
    loops->weigh(m->weights, m->width, false, m->from, m->n_from, m->row, out->one);
    loops->weigh(m->weights, m->width, true, m->from, m->n_from, m->row, out->two);
    loops->apart(m->forms, m->more, m->bias, m->width);
    memcpy(out->one + WIDTH, m->forms, m->width * sizeof(double));
    memcpy(out->two + WIDTH, m->more, m->width * sizeof(double));
}

static void check_weigh(const numbers *m, const answers *got)
{
    for (size_t j = 0; j < m->width; j++) {
        long double sum = 0, sizes = 0, size = 0;

        for (size_t i = 0; i < m->n_from; i++) {
            long double w = m->weights[m->from[i] * m->width + j], value = m->row[m->from[i]];

            sum += w * value;
            sizes += fabsl(w) * value;
            size += fabsl(w * value);
        }
        near(got->one[j], sum, m->n_from + 1, size);
        near(got->two[j], sizes, m->n_from + 1, size);
        assert_true(got->one[WIDTH + j] == m->forms[j] - m->bias[j]);
        assert_true(got->two[WIDTH + j] == m->forms[j] + m->bias[j]);
    }
}

static void loops__weigh(void **state)
{
    (void)state;
    compare(use_weigh, check_weigh);
}

static void use_extremes(const tct_form_loops *loops, numbers *m, answers *out)
{
    memcpy(out->sums, m->size, sizeof out->sums);
    loops->extremes(m->forms, m->width, &m->box, out->one, out->two, m->size);
    memcpy(out->one + WIDTH, m->size, m->width * sizeof(double));
    loops->extremes(m->forms, m->width, &m->box, out->one + 2 * (size_t)WIDTH, out->two + 2 * (size_t)WIDTH, NULL);
}

/* Over all corners: a number is at an end, a category at an allowed level. */
static void check_extremes(const numbers *m, const answers *got)
{
    for (size_t j = 0; j < m->width; j++) {
        long double least = 0, most = 0, size = 0;

        for (size_t k = 0; k < m->box.n_numbers; k++) {
            long double c = m->forms[k * m->width + j], low = c * ((long double)m->middle[k] - m->radius[k]),
                        high = c * ((long double)m->middle[k] + m->radius[k]);

            least += low < high ? low : high;
            most += low < high ? high : low;
            size += fabsl(c) * m->most[k];
        }
        for (size_t s = 0, p = 0; s < m->box.n_categories; s++) {
            double low = INFINITY, high = -INFINITY;

            for (; p < m->stops[s]; p++) {
                double c = m->forms[m->picks[p] * m->width + j];

                low = c < low ? c : low;
                high = c > high ? c : high;
            }
            least += low;
            most += high;
            size += fmax(fabs(low), fabs(high));
        }
        near(got->one[j], least, m->n_columns + 7, size);
        near(got->two[j], most, m->n_columns + 7, size);
        near(got->one[WIDTH + j], size > m->size[j] ? size : m->size[j], m->n_columns + 2, size);
        assert_true(got->one[2 * WIDTH + j] == got->one[j] && got->two[2 * WIDTH + j] == got->two[j]);
    }
}

static void loops__extremes(void **state)
{
    (void)state;
    compare(use_extremes, check_extremes);
}

static tct_form_ends ends_of(numbers *m)
{
    return (tct_form_ends){m->ends[0], m->ends[1], m->ends[2], m->ends[3]};
}

static void use_place(const tct_form_loops *loops, numbers *m, answers *out)
{
    tct_form_ends ends = ends_of(m);

    loops->place(&ends, m->width, 0x1p-30, m->size, m->error, out->one, out->two);
    for (size_t e = 0; e < 4; e++)
        memcpy(out->one + (e + 1) * WIDTH, m->ends[e], m->width * sizeof(double));
    loops->spread(&ends, m->width, out->two + WIDTH);
}

/* Outward, and not much further than asked for. */
static void check_place(const numbers *m, const answers *got)
{
    for (size_t j = 0; j < m->width; j++) {
        long double pad = 0x1p-30L * m->size[j], off = pad + m->error[j];
        long double low = m->ends[0][j] - off, high = m->ends[3][j] + off;

        assert_true(got->one[j] <= low && got->one[j] >= low - off * 2e-9L - 0x1p-50L * (fabsl(low) + off));
        assert_true(got->two[j] >= high && got->two[j] <= high + off * 2e-9L + 0x1p-50L * (fabsl(high) + off));
        for (size_t e = 0; e < 4; e++)
            near(got->one[(e + 1) * WIDTH + j], m->ends[e][j] + (e % 2 ? pad : -pad), 3, fabs(m->ends[e][j]) + pad);
        near(got->two[WIDTH + j],
             ((long double)m->ends[1][j] - m->ends[0][j]) + ((long double)m->ends[3][j] - m->ends[2][j]) + 4 * pad, 16,
             fabs(m->ends[0][j]) + fabs(m->ends[1][j]) + fabs(m->ends[2][j]) + fabs(m->ends[3][j]) + pad);
    }
}

static void loops__place(void **state)
{
    (void)state;
    compare(use_place, check_place);
}

static void use_bend(const tct_form_loops *loops, numbers *m, answers *out)
{
    tct_form_ends ends = ends_of(m);
    tct_form_bends bends = {out->one, out->one + WIDTH, out->one + 2 * (size_t)WIDTH, out->one + 3 * (size_t)WIDTH};

    loops->bend(&ends, m->width, 0x1p-45, m->size, m->error, &bends);
    for (size_t k = 0; k < 2; k++)
        loops->halve(m->forms + k * m->width, m->more + k * m->width, m->width, &bends, k ? bends.lift : NULL,
                     out->two + 2 * k * WIDTH, out->two + (2 * k + 1) * WIDTH);
}

/* Wherever z is, between the ends of its two forms: below max(z, 0) and above it; the cost is what leaf_forms.c says. */
static void check_bend(const numbers *m, const answers *got)
{
    for (size_t j = 0; j < m->width; j++) {
        long double below = got->one[j], above = got->one[WIDTH + j], lift = got->one[2 * WIDTH + j];
        long double cost = got->one[3 * WIDTH + j], error = m->error[j], size = m->size[j];
        bool crosses = m->ends[2][j] < 0, dead = m->ends[3][j] + error * (1 + 1e-9L) <= 0;
        long double most = (m->ends[3][j] > 0 ? m->ends[3][j] : 0) + error;

        if (dead) {
            assert_true(below == 0 && above == 0 && lift == 0 && cost == 0);
            continue;
        }
        assert_true(below == 0 || below == 1);
        for (int step = 0; step <= 8; step++) {
            long double low = m->ends[0][j] + step * ((long double)m->ends[1][j] - m->ends[0][j]) / 8;
            long double high = m->ends[2][j] + step * ((long double)m->ends[3][j] - m->ends[2][j]) / 8;

            assert_true(below * low <= (low > 0 ? low : 0));
            assert_true(above * high + lift >= (high > 0 ? high : 0));
        }
        error += crosses ? 0x1p-51L * (size + lift) : 0;
        size += crosses ? lift : 0;
        error += 0x1p-45L * (2 * size + most);
        assert_true(cost >= error && cost <= error * (1 + 1e-8L) + 1e-280L);
        for (size_t k = 0; k < 2; k++) {
            long double low = below * m->forms[k * m->width + j];
            long double high = above * m->more[k * m->width + j] + (k ? lift : 0);

            near(got->two[2 * k * WIDTH + j], (low + high) / 2, 4, fabsl(low) + fabsl(high) + lift);
            near(got->two[(2 * k + 1) * WIDTH + j], (high - low) / 2, 4, fabsl(low) + fabsl(high) + lift);
        }
    }
}

static void loops__bend(void **state)
{
    (void)state;
    compare(use_bend, check_bend);
}

/* ---- rows pulled back ---- */

static void use_lines(const tct_form_loops *loops, numbers *m, answers *out)
{
    tct_form_lines lines = {m->low, m->high, m->error, m->bias, m->under, m->coefficient, out->two};

    loops->lines(&lines, m->width, 5, m->row, out->sums);
    memcpy(out->one, m->row, m->width * sizeof(double));
    memcpy(out->one + WIDTH, m->coefficient, m->width * sizeof(double));
    lines.bias = NULL;
    loops->lines(&lines, m->width, 5, m->row, out->sums);
    memcpy(out->one + 2 * (size_t)WIDTH, m->row, m->width * sizeof(double));
}

/* v max(z, 0) >= m z + its share of the constant, for z anywhere between low and high; the shares add up. */
static void check_lines_row(const numbers *m, const double *row, const double *got)
{
    for (size_t j = 0; j < m->width; j++) {
        long double low = m->low[j], high = m->high[j], v = row[j], slope = got[j], lift = 0;

        if (high > 0 && low < 0 && v < 0) {
            long double s = slope / v, t = fmaxl((1 - s) * high, -s * low);

            lift = v * t;
        }
        for (int step = 0; step <= 8; step++) {
            long double z = low + step * (high - low) / 8;

            assert_true(v * (z > 0 ? z : 0) >=
                        slope * z + lift - 0x1p-50L * (fabsl(slope * z) + fabsl(v * z) + fabsl(lift)));
        }
    }
}

static void check_lines(const numbers *m, const answers *got)
{
    long double gaps = 0, size = 0;

    check_lines_row(m, m->row, got->one);
    check_lines_row(m, got->one, got->one + 2 * (size_t)WIDTH); /* the row as the first one left it */
    assert_memory_equal(got->one + WIDTH, m->row, m->width * sizeof(double));
    for (size_t j = 0; j < m->width; j++) {
        assert_true(got->two[j] >= 0);
        gaps += got->two[j];
        size += got->two[j];
    }
    near(got->sums[3], gaps, m->width, size);
    assert_true(got->sums[0] <= 0 && got->sums[1] == -got->sums[0] && got->sums[2] >= 0);
}

static void loops__lines(void **state)
{
    (void)state;
    compare(use_lines, check_lines);
}

/* The constant, its size and the error of one layer. */
static void use_line_sums(const tct_form_loops *loops, numbers *m, answers *out)
{
    tct_form_lines lines = {m->low, m->high, m->error, m->bias, m->under, m->coefficient, out->two};

    loops->lines(&lines, m->width, 5, m->row, out->sums);
    memcpy(out->one, m->row, m->width * sizeof(double));
}

static void check_line_sums(const numbers *m, const answers *got)
{
    long double constant = 0, size = 0, error = 0;

    for (size_t j = 0; j < m->width; j++) {
        long double low = m->low[j], high = m->high[j], v = m->row[j], slope = got->one[j], lift = 0;

        if (high > 0 && low < 0 && v < 0)
            lift = v * fmaxl((1 - slope / v) * high, -slope / v * low);
        constant += slope * m->bias[j] + lift;
        size += fabsl(slope * m->bias[j]) + fabsl(lift);
        error += fabsl(slope) * m->error[j] * 5;
    }
    assert_true(got->sums[0] <= constant + 0x1p-48L * size && got->sums[0] >= constant - 0x1p-45L * size - 1e-280L);
    near(got->sums[1], size, 64, size + 1e-280L);
    near(got->sums[2], error, m->width + 3, error + 1e-270L);
}

static void loops__line_sums(void **state)
{
    (void)state;
    compare(use_line_sums, check_line_sums);
}

static void use_move(const tct_form_loops *loops, numbers *m, answers *out)
{
    tct_form_lines lines = {m->low, m->high, m->error, NULL, m->under, m->coefficient, m->size};

    memcpy(out->two, m->row, m->width * sizeof(double));
    loops->move(&lines, m->width, 2, out->two);
    memcpy(out->one, m->under, m->width * sizeof(double));
}

static void check_move(const numbers *m, const answers *got)
{
    for (size_t j = 0; j < m->width; j++) {
        double low = m->low[j], high = m->high[j], z = m->row[j], under = m->under[j], moved = under, out = under * z;
        bool open = high > 0 && low < 0;

        if (open && m->coefficient[j] < 0)
            out = high * (z - low) / (high - low);
        else if (open)
            moved = fmin(fmax(under + z * 2 / (high - low), 0), 1);
        if (high <= 0)
            out = 0;
        else if (low >= 0)
            out = z;
        assert_true(got->one[j] >= 0 && got->one[j] <= 1);
        assert_true(got->one[j] == moved && got->two[j] == out);
    }
}

static void loops__move(void **state)
{
    (void)state;
    compare(use_move, check_move);
}

static void use_rows(const tct_form_loops *loops, numbers *m, answers *out)
{
    loops->sum_rows(m->row, m->from, m->n_from, m->weights, m->n_in, out->one);
    loops->dots(m->row, m->forms, m->width, m->n_columns, out->two);
    out->sums[0] = loops->reach(m->weights, m->low, m->n_in);
}

static void check_rows(const numbers *m, const answers *got)
{
    long double reach = 0;

    for (size_t i = 0; i < m->n_in; i++) {
        long double sum = 0, size = 0;

        for (size_t r = 0; r < m->n_from; r++) {
            long double term = (long double)m->weights[m->from[r] * m->n_in + i] * m->row[m->from[r]];

            sum += term;
            size += fabsl(term);
        }
        near(got->one[i], sum, m->n_from + 1, size);
        reach += m->low[i] > 0 ? fabsl((long double)m->weights[i] * m->low[i]) : 0;
    }
    for (size_t k = 0; k < m->n_columns; k++) {
        long double sum = 0, size = 0;

        for (size_t j = 0; j < m->width; j++) {
            sum += (long double)m->row[j] * m->forms[k * m->width + j];
            size += fabsl((long double)m->row[j] * m->forms[k * m->width + j]);
        }
        near(got->two[k], sum, m->width + 1, size);
    }
    near(got->sums[0], reach, m->n_in + 1, reach);
}

static void loops__rows(void **state)
{
    (void)state;
    compare(use_rows, check_rows);
}

/* ---- what a cut is worth ---- */

static void use_shares(const tct_form_loops *loops, numbers *m, answers *out)
{
    memcpy(out->two, m->row, m->width * sizeof(double));
    out->sums[0] = loops->rates(out->two, m->low, m->width);
    loops->shares(out->two, m->forms, m->more, m->width, m->n_columns, out->one);
    if (m->box.n_categories > 0)
        out->sums[1] = loops->level_share(out->two, m->forms, m->more, m->width, m->picks, m->stops[0]);
}

/* The range of neuron j's coefficients over the first category. */
static long double range_of(const numbers *m, const double *forms, size_t j)
{
    double low = INFINITY, high = -INFINITY;

    for (size_t p = 0; p < m->stops[0]; p++) {
        low = fmin(low, forms[m->picks[p] * m->width + j]);
        high = fmax(high, forms[m->picks[p] * m->width + j]);
    }
    return (long double)high - low;
}

static void check_shares(const numbers *m, const answers *got)
{
    long double level = 0;
    bool any = false;

    for (size_t j = 0; j < m->width; j++) {
        double rate = m->row[j] > 0 && m->low[j] > 0 ? m->row[j] / m->low[j] : 0;

        assert_true(got->two[j] == rate);
        any = any || rate > 0;
        level += m->box.n_categories > 0 ? rate * (range_of(m, m->forms, j) + range_of(m, m->more, j)) : 0;
    }
    assert_true(got->sums[0] == any);
    near(got->sums[1], level, m->width + 4, level);
    for (size_t k = 0; k < m->n_columns; k++) {
        long double sum = 0;

        for (size_t j = 0; j < m->width; j++)
            sum += got->two[j] * (fabsl(m->forms[k * m->width + j]) + fabsl(m->more[k * m->width + j]));
        near(got->one[k], sum, m->width + 4, sum);
    }
}

static void loops__shares(void **state)
{
    (void)state;
    compare(use_shares, check_shares);
}

/* What is no number stays none: in the sizes of forms, in the cost of outputs and in the constant of a row. */
static void loops__no_number(void **state)
{
    const tct_simd levels[VERSIONS] = {TCT_SIMD_PLAIN, TCT_SIMD_AVX2, TCT_SIMD_LEVELS};
    static numbers m;
    static answers out;
    tct_random random;

    (void)state;
    tct_random_seed(&random, 2, 12);
    for (size_t t = 0; t < scaled(300); t++) {
        const tct_form_loops *loops = loops_at(levels[t % VERSIONS]);
        size_t j;

        fill(&m, &random);
        j = tct_random_below(&random, m.width);
        m.forms[tct_random_below(&random, m.box.n_numbers) * m.width + j] = NAN;
        loops->extremes(m.forms, m.width, &m.box, out.one, out.two, m.size);
        assert_true(isnan(m.size[j]));
        fill(&m, &random);
        j = tct_random_below(&random, m.width);
        if (m.box.n_categories > 0) {
            m.forms[m.picks[tct_random_below(&random, m.stops[m.box.n_categories - 1])] * m.width + j] = NAN;
            loops->extremes(m.forms, m.width, &m.box, out.one, out.two, m.size);
            assert_true(isnan(m.size[j]));
        }
        m.ends[tct_random_below(&random, 4)][j] = NAN;
        m.ends[3][j] += 9; /* not dead */
        use_bend(loops, &m, &out);
        assert_true(isnan(out.one[3 * WIDTH + j]));
        (t % 2 ? m.low : m.high)[j] = NAN;
        use_line_sums(loops, &m, &out);
        assert_true(isnan(out.sums[0]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops__combine),   cmocka_unit_test(loops__weigh),     cmocka_unit_test(loops__extremes),
        cmocka_unit_test(loops__place),     cmocka_unit_test(loops__bend),      cmocka_unit_test(loops__lines),
        cmocka_unit_test(loops__line_sums), cmocka_unit_test(loops__move),      cmocka_unit_test(loops__rows),
        cmocka_unit_test(loops__shares),    cmocka_unit_test(loops__no_number),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
