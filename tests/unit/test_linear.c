/*
 * test_linear.c -- linear classifiers: scores in their fixed order, bounds that hold for the computed scores.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "make_model.h"

enum { ROUNDS = 300, MAX_INPUTS = 64 };

static void label__two_classes_zero_is_one(void **state)
{
    (void)state;
    assert_int_equal(tct_label((double[]){0.0}, 1), 1);
    assert_int_equal(tct_label((double[]){-0.0}, 1), 1);
    assert_int_equal(tct_label((double[]){-1e-300}, 1), 0);
    assert_int_equal(tct_label((double[]){1e-300}, 1), 1);
}

static void label__ties_go_to_the_lower_class(void **state)
{
    (void)state;
    assert_int_equal(tct_label((double[]){1, 2, 2}, 3), 1);
    assert_int_equal(tct_label((double[]){2, 2, 2}, 3), 0);
    assert_int_equal(tct_label((double[]){-3, -2, -1}, 3), 2);
}

static void linear__sums_from_left_to_right(void **state)
{
    /* 1 + 1e16 - 1e16: from the left the 1 is lost. */
    const double weights[] = {1e16, -1e16, 1}, bias[] = {1}, x[] = {1, 1, 0.5, 0, 0, -1};
    tct_classifier *c = NULL;
    double f[2];

    (void)state;
    assert_int_equal(tct_linear_new(&c, 3, 2, weights, bias, NULL), TACIT_OK);
    c->ops->scores(c, x, 2, f);
    assert_true(f[0] == 0.5);
    assert_true(f[1] == 0);
    c->ops->free(c);
}

static void linear__gradient_is_the_weights(void **state)
{
    const double weights[] = {1, 2, 3, 4, 5, 6}, bias[] = {0, 0, 0}, x[] = {0.5, 0.5, -1, 1};
    tct_classifier *c = NULL;
    double j[12];

    (void)state;
    assert_int_equal(tct_linear_new(&c, 2, 3, weights, bias, NULL), TACIT_OK);
    assert_int_equal(c->n_scores, 3);
    c->ops->gradient(c, x, 2, j);
    assert_memory_equal(j, weights, sizeof(weights));
    assert_memory_equal(j + 6, weights, sizeof(weights));
    c->ops->free(c);
}

static void linear__rejects_weights_it_cannot_reason_about(void **state)
{
    const double bad[][2] = {{NAN, 1}, {INFINITY, 1}, {1e300, 1e300}, {-INFINITY, 0}};
    const double bias[] = {0};
    tct_classifier *c = NULL;
    tacit_error err;

    (void)state;
    for (size_t k = 0; k < 4; k++) {
        assert_int_equal(tct_linear_new(&c, 2, 2, bad[k], bias, &err), TACIT_E_INPUT);
        assert_null(c);
        assert_non_null(strstr(err.message, "finite"));
    }
    assert_int_equal(tct_linear_new(&c, 2, 2, (double[]){1, 1}, (double[]){NAN}, &err), TACIT_E_INPUT);
    assert_null(c);
}

static void linear__copy_is_equal_and_apart(void **state)
{
    tacit_model *m = make_linear_model(5, 4, 3, true);
    const tct_linear *a = tct_as_linear(m->classifier), *b;
    tct_classifier *copy = NULL;

    (void)state;
    assert_int_equal(m->classifier->ops->copy(&copy, m->classifier, NULL), TACIT_OK);
    b = tct_as_linear(copy);
    assert_non_null(b);
    assert_ptr_not_equal(a->weights, b->weights);
    assert_memory_equal(a->weights, b->weights, 3 * m->codec->n_inputs * sizeof(double));
    assert_memory_equal(a->bias, b->bias, 3 * sizeof(double));
    assert_memory_equal(a->rounding, b->rounding, 3 * sizeof(double));
    copy->ops->free(copy);
    tacit_model_free(m);
}

static void linear__another_kind_is_not_linear(void **state)
{
    tct_classifier_ops other_ops = tct_linear_ops;
    tct_classifier other = {&other_ops, 1, 2, 1};

    (void)state;
    assert_null(tct_as_linear(&other));
}

/* The exact score, as far as long double goes, in the opposite order. */
static long double exact_score(const tct_linear *linear, size_t s, const double *x)
{
    size_t d = linear->base.n_inputs;
    long double sum = 0;

    for (size_t i = d; i-- > 0;)
        sum += (long double)linear->weights[s * d + i] * x[i];
    return sum + linear->bias[s];
}

static void linear__rounding_covers_the_computed_scores(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        tacit_model *m = make_linear_model(seed, 1 + seed % 12, 2 + seed % 3, true);
        const tct_linear *linear = tct_as_linear(m->classifier);
        double x[MAX_INPUTS], f[8];
        tct_random random;

        tct_random_seed(&random, seed, 1);
        for (int k = 0; k < 20; k++) {
            draw_person(m, &random, x);
            m->classifier->ops->scores(m->classifier, x, 1, f);
            for (size_t s = 0; s < m->classifier->n_scores; s++)
                assert_true(fabsl(f[s] - exact_score(linear, s, x)) <= linear->rounding[s]);
        }
        tacit_model_free(m);
    }
}

/* Draw somebody who agrees with the region where it is known. */
static void draw_inside(const tacit_model *m, const tct_region *region, tct_random *random, double *x)
{
    draw_person(m, random, x);
    for (size_t a = 0; a < m->schema->n_attributes; a++) {
        const tct_domain *domain = &m->codec->domains[a];
        for (size_t i = domain->first; region->known[a] && i < domain->first + domain->width; i++)
            x[i] = region->x[i];
    }
}

/* Margin of `label` over class c, exactly as the label sees it. */
static long double margin(const double *f, size_t n_scores, size_t label, size_t c)
{
    if (n_scores == 1)
        return label == 1 ? f[0] : -f[0];
    return (long double)f[label] - f[c];
}

static void margins__hold_for_everybody_in_the_region(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        tacit_model *m = make_linear_model(seed, 1 + seed % 9, 2 + seed % 4, seed % 2);
        const tct_classifier *c = m->classifier;
        double known_x[MAX_INPUTS], x[MAX_INPUTS], f[8], lower[8];
        unsigned char known[16];
        tct_region region = tct_region_of(m->codec, known, known_x);
        tct_random random;

        tct_random_seed(&random, seed, 2);
        draw_person(m, &random, known_x);
        for (size_t a = 0; a < m->schema->n_attributes; a++)
            known[a] = tct_random_below(&random, 2) == 0;
        for (size_t label = 0; label < c->n_classes; label++) {
            c->ops->margins(c, &region, label, lower);
            assert_true(lower[label] == INFINITY);
            for (int k = 0; k < 40; k++) {
                draw_inside(m, &region, &random, x);
                c->ops->scores(c, x, 1, f);
                for (size_t other = 0; other < c->n_classes; other++)
                    assert_true(other == label || margin(f, c->n_scores, label, other) >= lower[other]);
            }
        }
        tacit_model_free(m);
    }
}

/* Values of one attribute at which a linear function can be least. */
static size_t corner_count(const tct_codec *codec, size_t a)
{
    return codec->domains[a].kind == TCT_ONEHOT ? codec->domains[a].count : 2;
}

static void set_corner(const tct_codec *codec, size_t a, size_t k, double *x)
{
    const tct_domain *domain = &codec->domains[a];
    double ends[2];

    if (domain->kind == TCT_ONEHOT) {
        tct_codec_value(codec, a, k, x + domain->first);
        return;
    }
    tct_codec_range(codec, a, &ends[0], &ends[1]);
    x[domain->first] = ends[k];
}

/* Least margin over all corners of the region: the plain way, 2^n points. */
static long double brute_force(const tacit_model *m, const tct_region *region, size_t label, size_t other)
{
    size_t n = m->schema->n_attributes, corner[16] = {0};
    const tct_classifier *c = m->classifier;
    long double least = INFINITY;
    double x[MAX_INPUTS], f[8];

    memcpy(x, region->x, m->codec->n_inputs * sizeof(double));
    for (;;) {
        size_t a = 0;
        for (size_t k = 0; k < n; k++) {
            if (!region->known[k])
                set_corner(m->codec, k, corner[k], x);
        }
        c->ops->scores(c, x, 1, f);
        least = fminl(least, margin(f, c->n_scores, label, other));
        for (; a < n; a++) {
            if (!region->known[a] && ++corner[a] < corner_count(m->codec, a))
                break;
            corner[a] = 0;
        }
        if (a == n)
            return least;
    }
}

static void margins__are_tight_up_to_rounding(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        tacit_model *m = make_linear_model(seed, 1 + seed % 5, 2 + seed % 3, true);
        const tct_classifier *c = m->classifier;
        double x[MAX_INPUTS], lower[8];
        unsigned char known[16];
        tct_region region = tct_region_of(m->codec, known, x);
        tct_random random;

        tct_random_seed(&random, seed, 3);
        draw_person(m, &random, x);
        for (size_t a = 0; a < m->schema->n_attributes; a++)
            known[a] = tct_random_below(&random, 3) == 0;
        for (size_t label = 0; label < c->n_classes; label++) {
            c->ops->margins(c, &region, label, lower);
            for (size_t other = 0; other < c->n_classes; other++) {
                long double least;
                if (other == label)
                    continue;
                least = brute_force(m, &region, label, other);
                assert_true(lower[other] <= least);
                assert_true(lower[other] >= least - 1e-12L);
            }
        }
        tacit_model_free(m);
    }
}

static void margins__adversarial_cancellation_is_not_certified(void **state)
{
    /* bias 1, weights +-1e16: exactly, every score is 1; as computed from left to right it is 0 or 1.  A sum in
     * another order would say "certainly positive"; the bound must know better than to promise more than computed. */
    tacit_model *m = make_linear_model(11, 2, 2, false);
    const double weights[] = {1e16, -1e16}, bias[] = {1}, x[] = {1, 1};
    unsigned char known[] = {1, 1};
    tct_region region = tct_region_of(m->codec, known, x);
    tct_classifier *c = NULL;
    double lower[2], f;

    (void)state;
    assert_int_equal(m->codec->n_inputs, 2);
    assert_int_equal(tct_linear_new(&c, 2, 2, weights, bias, NULL), TACIT_OK);
    c->ops->scores(c, x, 1, &f);
    c->ops->margins(c, &region, 1, lower);
    assert_true(lower[0] <= f);
    c->ops->margins(c, &region, 0, lower);
    assert_true(lower[1] <= -f);
    c->ops->free(c);
    tacit_model_free(m);
}

static void margins__a_model_of_zeros_is_certain(void **state)
{
    tacit_model *m = make_linear_model(12, 2, 2, false);
    const double weights[] = {0, -0.0}, bias[] = {0}, x[] = {0, 0};
    unsigned char known[] = {0, 0};
    tct_region region = tct_region_of(m->codec, known, x);
    tct_classifier *c = NULL;
    double lower[2];

    (void)state;
    assert_int_equal(tct_linear_new(&c, 2, 2, weights, bias, NULL), TACIT_OK);
    c->ops->margins(c, &region, 1, lower);
    assert_true(lower[0] == 0);
    c->ops->free(c);
    tacit_model_free(m);
}

static void make_model__same_seed_same_model(void **state)
{
    tacit_model *a = make_linear_model(3, 7, 4, true), *b = make_linear_model(3, 7, 4, true);
    tacit_model *c = make_linear_model(4, 7, 4, true);

    (void)state;
    assert_string_equal(a->model_hash, b->model_hash);
    assert_string_not_equal(a->model_hash, c->model_hash);
    assert_int_equal(strlen(a->model_hash), 64);
    tacit_model_free(a);
    tacit_model_free(b);
    tacit_model_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(label__two_classes_zero_is_one),
        cmocka_unit_test(label__ties_go_to_the_lower_class),
        cmocka_unit_test(linear__sums_from_left_to_right),
        cmocka_unit_test(linear__gradient_is_the_weights),
        cmocka_unit_test(linear__rejects_weights_it_cannot_reason_about),
        cmocka_unit_test(linear__copy_is_equal_and_apart),
        cmocka_unit_test(linear__another_kind_is_not_linear),
        cmocka_unit_test(linear__rounding_covers_the_computed_scores),
        cmocka_unit_test(margins__hold_for_everybody_in_the_region),
        cmocka_unit_test(margins__are_tight_up_to_rounding),
        cmocka_unit_test(margins__adversarial_cancellation_is_not_certified),
        cmocka_unit_test(margins__a_model_of_zeros_is_certain),
        cmocka_unit_test(make_model__same_seed_same_model),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
