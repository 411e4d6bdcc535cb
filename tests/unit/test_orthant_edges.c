/*
 * test_orthant_edges.c -- normal probabilities in several dimensions where matrices are singular, limits infinite or
 * closed forms known.  Other values: tests/golden, tests/prop.
 */
#include "num.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base.h"

#define PI 3.141592653589793

static double scratch[16 * 16 + 4 * 16 + 16];

static void expect_near(double got, double expected, double tolerance)
{
    if (!(fabs(got - expected) <= tolerance))
        fail_msg("got %.17g, expected %.17g", got, expected);
}

static void bvn__closed_forms(void **state)
{
    (void)state;
    for (double r = -1.0; r <= 1.0; r += 0.0625)
        expect_near(tct_bvn(0.0, 0.0, r), 0.25 + asin(r) / (2.0 * PI), 1e-15);
    expect_near(tct_bvn(1.0, -0.5, 0.0), tct_normal_cdf(1.0) * tct_normal_cdf(-0.5), 1e-16);
    expect_near(tct_bvn(1.0, -0.5, 1.0), tct_normal_cdf(-0.5), 1e-16);
    expect_near(tct_bvn(1.0, -0.5, -1.0), tct_normal_cdf(1.0) - tct_normal_cdf(0.5), 1e-16);
    assert_true(tct_bvn(-1.0, 0.5, -1.0) == 0.0);
}

static void bvn__infinite_limits(void **state)
{
    (void)state;
    for (double r = -1.0; r <= 1.0; r += 0.25) {
        assert_true(tct_bvn(-INFINITY, INFINITY, r) == 0.0);
        assert_true(tct_bvn(0.3, -INFINITY, r) == 0.0);
        assert_true(tct_bvn(0.3, INFINITY, r) == tct_normal_cdf(0.3));
        assert_true(tct_bvn(INFINITY, INFINITY, r) == 1.0);
    }
}

/* Flipping the sign of one variable: Pr(X <= h, Y <= k) + Pr(X <= h, -Y <= -k) = Pr(X <= h). */
static void bvn__parts_add_up(void **state)
{
    (void)state;
    for (double h = -6.0; h <= 6.0; h += 0.75)
        for (double k = -6.0; k <= 6.0; k += 0.75)
            for (double r = -0.99; r < 1.0; r += 0.09)
                expect_near(tct_bvn(h, k, r) + tct_bvn(h, -k, -r), tct_normal_cdf(h), 1e-15);
}

/* The two methods meet at |r| = 0.925. */
static void bvn__no_step_between_methods(void **state)
{
    (void)state;
    for (double h = -3.0; h <= 3.0; h += 0.5)
        for (double k = -3.0; k <= 3.0; k += 0.5)
            for (int sign = -1; sign <= 1; sign += 2)
                expect_near(tct_bvn(h, k, sign * nextafter(0.925, 0.0)), tct_bvn(h, k, sign * 0.925), 2e-15);
}

static void tvn__closed_forms(void **state)
{
    const double zero[3] = {0.0, 0.0, 0.0}, h[3] = {0.5, -0.2, 1.1};

    (void)state;
    for (double r = -0.5; r <= 1.0; r += 0.03125)
        expect_near(tct_tvn(zero, r, r, r), 0.125 + 3.0 * asin(r) / (4.0 * PI), 1e-14);
    expect_near(tct_tvn(h, 0.0, 0.0, 0.0), tct_normal_cdf(0.5) * tct_normal_cdf(-0.2) * tct_normal_cdf(1.1), 1e-15);
    expect_near(tct_tvn(h, 0.0, 0.0, 0.7), tct_normal_cdf(0.5) * tct_bvn(-0.2, 1.1, 0.7), 1e-15);
    expect_near(tct_tvn(h, 0.7, 0.0, 0.0), tct_normal_cdf(1.1) * tct_bvn(0.5, -0.2, 0.7), 1e-15);
}

static void tvn__repeated_variables(void **state)
{
    const double h[3] = {0.5, -0.2, 1.1}, near[3] = {0.5, 0.5, 1.1};

    (void)state;
    expect_near(tct_tvn(h, 0.3, 0.3, 1.0), tct_bvn(0.5, -0.2, 0.3), 1e-15);
    expect_near(tct_tvn(h, 1.0, 0.3, 0.3), tct_bvn(-0.2, 1.1, 0.3), 1e-15);
    expect_near(tct_tvn(h, 0.3, -0.3, -1.0), tct_bvn(0.5, -0.2, 0.3) - tct_bvn(0.5, -1.1, 0.3), 1e-15);
    expect_near(tct_tvn(h, 1.0, 1.0, 1.0), tct_normal_cdf(-0.2), 1e-15);
    expect_near(tct_tvn(h, -1.0, -1.0, 1.0), tct_normal_cdf(0.5) - tct_normal_cdf(0.2), 1e-15);
    /* Nearly repeated goes over into repeated. */
    for (double e = 1e-4; e > 1e-15; e *= 0.1)
        expect_near(tct_tvn(near, 1.0 - e, 0.3, 0.3), tct_bvn(0.5, 1.1, 0.3), 0.3 * sqrt(e));
}

static void tvn__infinite_limits(void **state)
{
    const double low[3] = {0.5, -INFINITY, 1.1}, high[3] = {0.5, INFINITY, 1.1};

    (void)state;
    assert_true(tct_tvn(low, 0.2, 0.3, 0.4) == 0.0);
    expect_near(tct_tvn(high, 0.2, 0.3, 0.4), tct_bvn(0.5, 1.1, 0.3), 1e-16);
}

/* Flipping one variable, near singular matrices included. */
static void tvn__parts_add_up(void **state)
{
    (void)state;
    for (double a = -1.4; a <= 1.4; a += 0.35)
        for (double b = -1.4; b <= 1.4; b += 0.35)
            for (double share = -1.0; share <= 1.0; share += 0.25) {
                double r12 = sin(a), r13 = sin(b), r23 = r12 * r13 + share * cos(a) * cos(b);
                double h[3] = {0.3 * a + 0.1, -0.7 * b, a * b}, flipped[3] = {h[0], h[1], -h[2]};

                expect_near(tct_tvn(h, r12, r13, r23) + tct_tvn(flipped, r12, -r13, -r23), tct_bvn(h[0], h[1], r12),
                            2e-13);
            }
}

static void polygon__closed_forms(void **state)
{
    static const double square[8] = {1, 0, -1, 0, 0, 1, 0, -1};
    const double sides[4] = {0.5, 1.2, -0.3, 0.9}, apart[2] = {-0.5, 0.4}, touching[2] = {-0.5, 0.5};
    const double twice[6] = {1, 0, 1, 0, 1, 0}, offsets[3] = {0.7, 0.7, 2.0}, zero[4] = {0.0, 1.0, 0.0, 1.0};

    (void)state;
    assert_true(tct_polygon(square, 2, sides, 0) == 1.0);
    for (double b = -4.0; b <= 4.0; b += 0.25)
        expect_near(tct_polygon(square, 2, &b, 1), tct_normal_cdf(b), 1e-15);
    expect_near(tct_polygon(square, 2, sides, 4),
                (tct_normal_cdf(0.5) - tct_normal_cdf(-1.2)) * (tct_normal_cdf(-0.3) - tct_normal_cdf(-0.9)), 1e-15);
    expect_near(tct_polygon(square, 2, zero, 4), (tct_normal_cdf(1.0) - 0.5) * (tct_normal_cdf(1.0) - 0.5), 1e-15);
    assert_true(tct_polygon(square, 2, apart, 2) == 0.0);
    expect_near(tct_polygon(square, 2, touching, 2), 0.0, 1e-15);
    expect_near(tct_polygon(twice, 2, offsets, 3), tct_normal_cdf(0.7), 1e-15);
}

/* Two half-planes are a bivariate distribution. */
static void polygon__wedges_are_bvn(void **state)
{
    (void)state;
    for (double angle = 0.01; angle < 3.14; angle += 0.1)
        for (double h = -3.0; h <= 3.0; h += 0.5)
            for (double k = -3.0; k <= 3.0; k += 0.5) {
                const double normals[5] = {1.0, 0.0, NAN, cos(angle), sin(angle)}, offsets[2] = {h, k};

                expect_near(tct_polygon(normals, 3, offsets, 2), tct_bvn(h, k, cos(angle)), 2e-15);
            }
}

static void orthant__one_two_three(void **state)
{
    const double mean[3] = {-1.0, 0.4, -0.6}, one[1] = {4.0};
    const double two[4] = {4.0, 1.0, 1.0, 1.0}, three[9] = {4.0, 1.0, 0.0, 1.0, 1.0, 0.2, 0.0, 0.2, 0.25};
    const double h[3] = {0.5, -0.4, 1.2};

    (void)state;
    expect_near(tct_orthant(mean, one, 1, scratch), tct_normal_cdf(0.5), 1e-16);
    expect_near(tct_orthant(mean, two, 2, scratch), tct_bvn(0.5, -0.4, 0.5), 1e-16);
    expect_near(tct_orthant(mean, three, 3, scratch), tct_tvn(h, 0.5, 0.0, 0.4), 1e-15);
}

static void orthant__without_variance_the_mean_decides(void **state)
{
    const double none[16] = {0}, part[4] = {0.0, 0.0, 0.0, 1.0};
    const double zero[4] = {0.0, -0.0, -1.0, 0.0}, above[4] = {0.0, 0.0, 1e-300, 0.0};
    const double mean[2] = {-1e-9, 0.3}, wrong[2] = {1e-9, 0.3};

    (void)state;
    for (size_t n = 1; n <= 4; n++)
        assert_true(tct_orthant(zero, none, n, scratch) == 1.0);
    assert_true(tct_orthant(above, none, 4, scratch) == 0.0);
    assert_true(tct_orthant(mean, part, 2, scratch) == tct_normal_cdf(-0.3));
    assert_true(tct_orthant(wrong, part, 2, scratch) == 0.0);
}

/* X = A z with fewer z than X: the probability must not depend on repetitions and consequences. */
static void orthant__singular_of_four(void **state)
{
    /* Four times the same variable, in other scales. */
    double mean[4] = {-0.3, -0.6, -0.9, -1.2}, cov[16];

    (void)state;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            cov[i * 4 + j] = (i + 1.0) * (j + 1.0);
    expect_near(tct_orthant(mean, cov, 4, scratch), tct_normal_cdf(0.3), 1e-14);
    /* Two of them turned round: only a point is left. */
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            cov[i * 4 + j] = (i % 2 == j % 2 ? 1.0 : -1.0) * (i + 1.0) * (j + 1.0);
    expect_near(tct_orthant(mean, cov, 4, scratch), tct_normal_cdf(0.3) - tct_normal_cdf(-0.3), 1e-14);
    mean[0] = 0.5;
    assert_true(tct_orthant(mean, cov, 4, scratch) == 0.0);
}

static void orthant__consequences_change_nothing(void **state)
{
    /* x, y, and x + y, x + 2y, 3x + y, which are <= 0 when x and y are. */
    static const double a[5][2] = {{1, 0}, {0, 1}, {1, 1}, {1, 2}, {3, 1}};
    double mean[5], cov[25];

    (void)state;
    for (int i = 0; i < 5; i++) {
        mean[i] = -0.2 * a[i][0] + 0.5 * a[i][1];
        for (int j = 0; j < 5; j++)
            cov[i * 5 + j] = a[i][0] * a[j][0] + a[i][1] * a[j][1];
    }
    expect_near(tct_orthant(mean, cov, 5, scratch), tct_normal_cdf(0.2) * tct_normal_cdf(-0.5), 1e-5);
}

static void orthant__independent_is_a_product(void **state)
{
    double mean[12], cov[144] = {0}, product = 1.0;

    (void)state;
    for (int i = 0; i < 12; i++) {
        mean[i] = 0.1 * i - 1.5;
        cov[i * 12 + i] = 1.0 + i;
        product *= tct_normal_cdf(-mean[i] / sqrt(cov[i * 12 + i]));
    }
    expect_near(tct_orthant(mean, cov, 12, scratch), product, 1e-15);
}

static void orthant__is_the_same_every_time(void **state)
{
    double mean[6], cov[36];
    double first, again;

    (void)state;
    for (int i = 0; i < 6; i++) {
        mean[i] = 0.1 * i - 0.4;
        for (int j = 0; j < 6; j++)
            cov[i * 6 + j] = i == j ? 1.0 : 0.5 / (1.0 + abs(i - j));
    }
    first = tct_orthant(mean, cov, 6, scratch);
    for (size_t i = 0; i < sizeof(scratch) / sizeof(scratch[0]); i++)
        scratch[i] = NAN;
    again = tct_orthant(mean, cov, 6, scratch);
    assert_memory_equal(&first, &again, sizeof(first));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bvn__closed_forms),
        cmocka_unit_test(bvn__infinite_limits),
        cmocka_unit_test(bvn__parts_add_up),
        cmocka_unit_test(bvn__no_step_between_methods),
        cmocka_unit_test(tvn__closed_forms),
        cmocka_unit_test(tvn__repeated_variables),
        cmocka_unit_test(tvn__infinite_limits),
        cmocka_unit_test(tvn__parts_add_up),
        cmocka_unit_test(polygon__closed_forms),
        cmocka_unit_test(polygon__wedges_are_bvn),
        cmocka_unit_test(orthant__one_two_three),
        cmocka_unit_test(orthant__without_variance_the_mean_decides),
        cmocka_unit_test(orthant__singular_of_four),
        cmocka_unit_test(orthant__consequences_change_nothing),
        cmocka_unit_test(orthant__independent_is_a_product),
        cmocka_unit_test(orthant__is_the_same_every_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
