/*
 * test_orthant.c -- the probabilities of labels against ten million samples.
 *
 * Scores of 3 to 7 classes with random means and covariances, full rank and not; Pr(label i) is the probability that
 * no margin f_k - f_i is above 0.  Each is compared with the share of samples in which i has the largest score,
 * within five standard errors, and together they must be 1.
 */
#include "base.h"
#include "num.h"

#include <math.h>
#include <setjmp.h>

#include <cmocka.h>

#define CLASSES_MAX 7
#define SAMPLES 1000000 /* per problem; ten problems */
#define LATTICE_ERROR 1e-5

/* Scores f = mean + a z, z of `rank` independent standard normals. */
typedef struct scores {
    size_t classes, rank;
    double mean[CLASSES_MAX];
    double a[CLASSES_MAX][CLASSES_MAX];
} scores;

static scores random_scores(tct_random *random, size_t classes, size_t rank)
{
    scores s = {.classes = classes, .rank = rank};

    for (size_t i = 0; i < classes; i++) {
        s.mean[i] = 0.7 * tct_random_normal(random);
        for (size_t j = 0; j < rank; j++)
            s.a[i][j] = tct_random_normal(random) * (j == 0 ? 1.5 : 1.0);
    }
    return s;
}

static size_t sample_label(const scores *s, tct_random *random)
{
    double z[CLASSES_MAX], best = -INFINITY;
    size_t label = 0;

    for (size_t j = 0; j < s->rank; j++)
        z[j] = tct_random_normal(random);
    for (size_t i = 0; i < s->classes; i++) {
        double f = s->mean[i];

        for (size_t j = 0; j < s->rank; j++)
            f += s->a[i][j] * z[j];
        if (f > best) {
            best = f;
            label = i;
        }
    }
    return label;
}

static double label_probability(const scores *s, size_t label)
{
    double mean[CLASSES_MAX], rows[CLASSES_MAX][CLASSES_MAX], cov[CLASSES_MAX * CLASSES_MAX];
    double scratch[CLASSES_MAX * CLASSES_MAX + 4 * CLASSES_MAX + 16];
    size_t n = 0;

    for (size_t k = 0; k < s->classes; k++) {
        if (k == label)
            continue;
        mean[n] = s->mean[k] - s->mean[label];
        for (size_t j = 0; j < s->rank; j++)
            rows[n][j] = s->a[k][j] - s->a[label][j];
        n++;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            cov[i * n + j] = 0.0;
            for (size_t l = 0; l < s->rank; l++)
                cov[i * n + j] += rows[i][l] * rows[j][l];
        }
    return tct_orthant(mean, cov, n, scratch);
}

static void compare_with_samples(size_t classes, size_t rank, uint64_t seed)
{
    tct_random random;
    scores s;
    size_t counts[CLASSES_MAX] = {0};
    double total = 0.0;

    tct_random_seed(&random, seed, classes);
    s = random_scores(&random, classes, rank);
    for (int i = 0; i < SAMPLES; i++)
        counts[sample_label(&s, &random)]++;
    for (size_t i = 0; i < classes; i++) {
        double p = label_probability(&s, i), share = (double)counts[i] / SAMPLES;
        double error = sqrt(fmax(p * (1.0 - p), 1.0 / SAMPLES) / SAMPLES);

        total += p;
        if (fabs(p - share) > 5.0 * error + LATTICE_ERROR)
            fail_msg("%zu classes, rank %zu, label %zu: %.7f, but %.7f of the samples", classes, rank, i, p, share);
    }
    if (fabs(total - 1.0) > (double)classes * LATTICE_ERROR)
        fail_msg("%zu classes, rank %zu: probabilities add up to %.9f", classes, rank, total);
}

static void orthant__full_rank_agrees_with_samples(void **state)
{
    (void)state;
    for (size_t classes = 3; classes <= CLASSES_MAX; classes++)
        compare_with_samples(classes, classes, 1);
}

static void orthant__singular_agrees_with_samples(void **state)
{
    (void)state;
    for (size_t classes = 3; classes <= CLASSES_MAX; classes++)
        compare_with_samples(classes, classes < 5 ? classes - 2 : classes - 3, 2);
}

/* Without samples, many more problems: the probabilities of all labels add up to 1. */
static void orthant__labels_add_up(void **state)
{
    tct_random random;

    (void)state;
    tct_random_seed(&random, 3, 0);
    for (int i = 0; i < 200; i++) {
        size_t classes = 3 + tct_random_below(&random, CLASSES_MAX - 2), rank = 1 + tct_random_below(&random, classes);
        scores s = random_scores(&random, classes, rank);
        double total = 0.0;

        for (size_t k = 0; k < classes; k++)
            total += label_probability(&s, k);
        /* Up to three margins, or two dimensions, are closed forms; the worst of the others is steeper than most. */
        if (fabs(total - 1.0) > (classes < 5 || rank < 3 ? 1e-12 : 10.0 * LATTICE_ERROR))
            fail_msg("problem %d, %zu classes, rank %zu: probabilities add up to %.15f", i, classes, rank, total);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orthant__full_rank_agrees_with_samples),
        cmocka_unit_test(orthant__singular_agrees_with_samples),
        cmocka_unit_test(orthant__labels_add_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
