/*
 * test_mlp.c -- ReLU networks: scores against a plain twin bit for bit, gradients against differences, bounds that hold
 * for the computed scores, files, and networks that must be refused.
 */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "make_model.h"
#include "simd.h"

enum { ROUNDS = 200, MAX_INPUTS = 64, MAX_SCORES = 8, MAX_NEURONS = 128, CROWD = 11 };

/* The decision as the top of mlp.c states it, one sum after the other. */
static void plain_scores(const tct_mlp *mlp, const double *x, double *f)
{
    double in[MAX_NEURONS], out[MAX_NEURONS];

    memcpy(in, x, mlp->sizes[0] * sizeof(double));
    for (size_t l = 0; l < mlp->n_layers; l++) {
        for (size_t j = 0; j < mlp->sizes[l + 1]; j++) {
            volatile double z = mlp->bias[l][j]; /* volatile: no compiler may reorder this */
            for (size_t i = 0; i < mlp->sizes[l]; i++)
                z = z + mlp->weights[l][j * mlp->sizes[l] + i] * in[i];
            out[j] = l + 1 < mlp->n_layers && !(z > 0) ? 0 : z;
        }
        memcpy(in, out, mlp->sizes[l + 1] * sizeof(double));
    }
    memcpy(f, in, mlp->base.n_scores * sizeof(double));
}

/* A model of varied shape. */
static tacit_model *varied_model(uint64_t seed)
{
    return make_mlp_model(seed, 1 + seed % 9, 2 + seed % 4, seed % 3 != 0, seed % 4, 1 + seed * 7 % 21);
}

/* At every level, for people alone and side by side; layers of every width, up to more than one turn of the loops. */
static void mlp__scores_equal_the_plain_twin_to_the_bit(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        tacit_model *m = seed % 5 ? varied_model(seed) : make_mlp_model(seed, 4, 2, true, 2, 30 + seed / 5 * 7 % 99);
        const tct_classifier *c = m->classifier;
        double x[CROWD * MAX_INPUTS], f[CROWD * MAX_SCORES], one[MAX_SCORES], plain[MAX_SCORES];
        tct_random random;

        tct_random_seed(&random, seed, 1);
        for (size_t r = 0; r < CROWD; r++)
            draw_person(m, &random, x + r * c->n_inputs);
        for (int level = TCT_SIMD_PLAIN; level <= TCT_SIMD_AVX512; level++) {
            tct_simd_limit((tct_simd)level);
            c->ops->scores(c, x, CROWD, f);
            for (size_t r = 0; r < CROWD; r++) {
                plain_scores(tct_as_mlp(c), x + r * c->n_inputs, plain);
                c->ops->scores(c, x + r * c->n_inputs, 1, one);
                assert_memory_equal(plain, f + r * c->n_scores, c->n_scores * sizeof(double));
                assert_memory_equal(plain, one, c->n_scores * sizeof(double));
            }
        }
        tct_simd_limit(TCT_SIMD_LEVELS);
        tacit_model_free(m);
    }
}

/* A network of given numbers, two classes. */
static tct_classifier *network(size_t n_layers, const size_t *sizes, const double *const *weights,
                               const double *const *bias)
{
    tct_classifier *c = NULL;
    tacit_error err = {0};

    if (tct_mlp_new(&c, 2, n_layers, sizes, weights, bias, &err))
        fail_msg("%s", err.message);
    return c;
}

static void mlp__sums_from_left_to_right_bias_first(void **state)
{
    /* 1 + 1e16 - 1e16 + 0.5: from the left the 1 is lost. */
    const size_t sizes[] = {3, 1, 1};
    const double w0[] = {1e16, -1e16, 1}, b0[] = {1}, w1[] = {1}, b1[] = {0}, x[] = {1, 1, 0.5};
    tct_classifier *c = network(2, sizes, (const double *const[]){w0, w1}, (const double *const[]){b0, b1});
    double f;

    (void)state;
    c->ops->scores(c, x, 1, &f);
    assert_true(f == 0.5);
    c->ops->free(c);
}

static void mlp__relu_at_zero_hands_on_zero_and_no_slope(void **state)
{
    const size_t sizes[] = {1, 2, 1};
    const double w0[] = {1, -1}, b0[] = {0, -0.0}, w1[] = {1, 1}, b1[] = {-0.0};
    const double x[] = {0, 0.5, -0.25};
    tct_classifier *c = network(2, sizes, (const double *const[]){w0, w1}, (const double *const[]){b0, b1});
    double f[3], g[3];

    (void)state;
    c->ops->scores(c, x, 3, f);
    c->ops->gradient(c, x, 3, g);
    assert_true(f[0] == 0 && !signbit(f[0]));
    assert_true(f[1] == 0.5 && f[2] == 0.25);
    assert_true(g[0] == 0 && g[1] == 1 && g[2] == -1);
    assert_false(signbit(tct_as_mlp(c)->bias[0][1]));
    c->ops->free(c);
}

static void mlp__widest_network_scores_alike_alone_and_in_a_crowd(void **state)
{
    /* Too wide for people to be computed side by side. */
    static const size_t sizes[] = {2, TCT_MAX_WIDTH, 2, 3};
    double *w0 = make_model_room(2 * TCT_MAX_WIDTH), *b0 = make_model_room(TCT_MAX_WIDTH);
    double *w1 = make_model_room(2 * TCT_MAX_WIDTH);
    const double b1[] = {0.25, -0.5}, w2[] = {1, 2, -1, 1, 0.5, -2}, b2[] = {0, 0.1, 0.2};
    double x[10], f[15], one[3], g[30];
    tct_classifier *c = NULL;
    tct_random random;

    (void)state;
    tct_random_seed(&random, 5, 5);
    for (size_t k = 0; k < 2 * TCT_MAX_WIDTH; k++) {
        w0[k] = tct_random_normal(&random);
        w1[k] = tct_random_normal(&random) / 64;
    }
    for (size_t k = 0; k < 10; k++)
        x[k] = 2 * tct_random_uniform(&random) - 1;
    assert_int_equal(
        tct_mlp_new(&c, 3, 3, sizes, (const double *const[]){w0, w1, w2}, (const double *const[]){b0, b1, b2}, NULL),
        TACIT_OK);
    c->ops->scores(c, x, 5, f);
    c->ops->gradient(c, x, 5, g);
    for (size_t r = 0; r < 5; r++) {
        c->ops->scores(c, x + 2 * r, 1, one);
        assert_memory_equal(one, f + 3 * r, sizeof(one));
    }
    c->ops->free(c);
    tct_free(w0);
    tct_free(b0);
    tct_free(w1);
}

/* Pattern of active neurons, to know where a difference quotient means anything. */
static uint64_t pattern(const tct_mlp *mlp, const double *x)
{
    double in[MAX_NEURONS], out[MAX_NEURONS];
    uint64_t hash = 1;

    memcpy(in, x, mlp->sizes[0] * sizeof(double));
    for (size_t l = 0; l + 1 < mlp->n_layers; l++) {
        for (size_t j = 0; j < mlp->sizes[l + 1]; j++) {
            double z = mlp->bias[l][j];
            for (size_t i = 0; i < mlp->sizes[l]; i++)
                z += mlp->weights[l][j * mlp->sizes[l] + i] * in[i];
            out[j] = z > 0 ? z : 0;
            hash = tct_mix(hash, z > 0);
        }
        memcpy(in, out, mlp->sizes[l + 1] * sizeof(double));
    }
    return hash;
}

static void mlp__gradient_is_the_slope_of_the_scores(void **state)
{
    const double step = 1e-6;
    size_t compared = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        tacit_model *m = varied_model(seed);
        const tct_classifier *c = m->classifier;
        size_t d = c->n_inputs, L = c->n_scores;
        double x[3 * MAX_INPUTS], g[3 * MAX_SCORES * MAX_INPUTS], a[MAX_SCORES], b[MAX_SCORES];
        tct_random random;

        tct_random_seed(&random, seed, 2);
        for (size_t i = 0; i < 3 * d; i++)
            x[i] = 1.8 * tct_random_uniform(&random) - 0.9;
        c->ops->gradient(c, x, 3, g);
        for (size_t k = 0; k < 3 * d; k++) {
            double *point = x + k / d * d, kept = x[k];
            uint64_t here = pattern(tct_as_mlp(c), point);
            bool same;
            x[k] = kept + step;
            same = pattern(tct_as_mlp(c), point) == here;
            c->ops->scores(c, point, 1, b);
            x[k] = kept - step;
            same = same && pattern(tct_as_mlp(c), point) == here;
            c->ops->scores(c, point, 1, a);
            x[k] = kept;
            for (size_t s = 0; same && s < L; s++, compared++) {
                double slope = (b[s] - a[s]) / (2 * step);
                assert_true(fabs(slope - g[(k / d * L + s) * d + k % d]) < 1e-6 * (1 + fabs(slope)));
            }
        }
        tacit_model_free(m);
    }
    assert_true(compared > 5000);
}

/* Margin of `label` over class c, exactly as the label sees it. */
static long double margin(const double *f, size_t n_scores, size_t label, size_t c)
{
    if (n_scores == 1)
        return label == 1 ? f[0] : -f[0];
    return (long double)f[label] - f[c];
}

static void draw_inside(const tacit_model *m, const tct_region *region, tct_random *random, double *x)
{
    draw_person(m, random, x);
    for (size_t a = 0; a < m->schema->n_attributes; a++) {
        const tct_domain *domain = &m->codec->domains[a];
        for (size_t i = domain->first; region->known[a] && i < domain->first + domain->width; i++)
            x[i] = region->x[i];
    }
}

static void mlp__margins_hold_for_everybody_in_the_region(void **state)
{
    size_t proven = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= 2 * ROUNDS; seed++) {
        tacit_model *m = varied_model(seed);
        const tct_classifier *c = m->classifier;
        double known_x[MAX_INPUTS], x[MAX_INPUTS], f[MAX_SCORES], lower[MAX_SCORES];
        unsigned char known[16];
        tct_region region = tct_region_of(m->codec, known, known_x);
        tct_random random;

        tct_random_seed(&random, seed, 3);
        draw_person(m, &random, known_x);
        for (size_t a = 0; a < m->schema->n_attributes; a++)
            known[a] = tct_random_below(&random, 3) > 0;
        for (size_t label = 0; label < c->n_classes; label++) {
            c->ops->margins(c, &region, label, lower);
            assert_true(lower[label] == INFINITY);
            for (size_t other = 0; other < c->n_classes; other++)
                proven += other != label && lower[other] > 0;
            for (int k = 0; k < 40; k++) {
                draw_inside(m, &region, &random, x);
                c->ops->scores(c, x, 1, f);
                for (size_t other = 0; other < c->n_classes; other++)
                    assert_true(other == label || margin(f, c->n_scores, label, other) >= lower[other]);
            }
        }
        tacit_model_free(m);
    }
    assert_true(proven > 100);
}

static void mlp__margins_of_a_known_person_are_the_scores(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        tacit_model *m = varied_model(seed);
        const tct_classifier *c = m->classifier;
        double x[MAX_INPUTS], f[MAX_SCORES], lower[MAX_SCORES];
        unsigned char known[16];
        tct_region region = tct_region_of(m->codec, known, x);
        tct_random random;

        tct_random_seed(&random, seed, 4);
        memset(known, 1, sizeof(known));
        draw_person(m, &random, x);
        c->ops->scores(c, x, 1, f);
        for (size_t label = 0; label < c->n_classes; label++) {
            c->ops->margins(c, &region, label, lower);
            for (size_t other = 0; other < c->n_classes; other++) {
                long double exact = margin(f, c->n_scores, label, other);
                if (other != label)
                    assert_true(lower[other] <= exact && lower[other] >= exact - 1e-10L * (1 + fabsl(exact)));
            }
        }
        tacit_model_free(m);
    }
}

static void mlp__margins_know_the_rounding_of_scores(void **state)
{
    /* In real numbers the score is 1 - everywhere; as computed from left to right it is 0 at (1, 1). */
    const size_t sizes[] = {2, 1, 1};
    const double w0[] = {1e16, -1e16}, b0[] = {1}, w1[] = {1}, b1[] = {-0.5}, x[] = {1, 1};
    tct_classifier *c = network(2, sizes, (const double *const[]){w0, w1}, (const double *const[]){b0, b1});
    tacit_model *m = make_linear_model(11, 2, 2, false);
    unsigned char known[] = {1, 1};
    tct_region region = tct_region_of(m->codec, known, x);
    double lower[2], f;

    (void)state;
    assert_int_equal(m->codec->n_inputs, 2);
    c->ops->scores(c, x, 1, &f);
    assert_true(f == -0.5);
    c->ops->margins(c, &region, 1, lower);
    assert_true(lower[0] <= f);
    c->ops->margins(c, &region, 0, lower);
    assert_true(lower[1] <= -f);
    c->ops->free(c);
    tacit_model_free(m);
}

static void mlp__copy_and_file_give_back_every_bit(void **state)
{
    const tct_json_at at = {"m.tacit", NULL, NULL, 0};

    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        tacit_model *m = varied_model(seed);
        const tct_mlp *a = tct_as_mlp(m->classifier);
        json_t *json = a->base.ops->to_json(m->classifier);
        tct_classifier *twins[2] = {NULL};

        assert_non_null(json);
        assert_string_equal(json_string_value(json_object_get(json, "kind")), "mlp");
        assert_int_equal(a->base.ops->from_json(&twins[0], json, &at, a->base.n_inputs, a->base.n_classes, NULL),
                         TACIT_OK);
        assert_int_equal(a->base.ops->copy(&twins[1], m->classifier, NULL), TACIT_OK);
        for (size_t k = 0; k < 2; k++) {
            const tct_mlp *b = tct_as_mlp(twins[k]);
            assert_int_equal(a->n_layers, b->n_layers);
            assert_memory_equal(a->sizes, b->sizes, (a->n_layers + 1) * sizeof(size_t));
            for (size_t l = 0; l < a->n_layers; l++) {
                assert_memory_equal(a->weights[l], b->weights[l], a->sizes[l] * a->sizes[l + 1] * sizeof(double));
                assert_memory_equal(a->bias[l], b->bias[l], a->sizes[l + 1] * sizeof(double));
                assert_ptr_not_equal(a->weights[l], b->weights[l]);
            }
            twins[k]->ops->free(twins[k]);
        }
        json_decref(json);
        tacit_model_free(m);
    }
}

static void mlp__rejects_files_that_are_no_network(void **state)
{
    static const struct {
        const char *json, *expected;
    } cases[] = {
        {"{}", "m.tacit: layers: missing"},
        {"{\"layers\": 3}", "m.tacit: layers: expected a list"},
        {"{\"layers\": []}", "layers: expected 1 to 16 layers"},
        {"{\"layers\": [7]}", "layers[0]: expected an object"},
        {"{\"layers\": [{\"weights\": [[1, 2]]}]}", "layers[0].bias: missing"},
        {"{\"layers\": [{\"bias\": []}]}", "layers[0].bias: expected 1 to 4096 numbers"},
        {"{\"layers\": [{\"bias\": [1]}]}", "layers[0].weights: missing"},
        {"{\"layers\": [{\"bias\": [\"1\"], \"weights\": [[1, 2]]}]}", "layers[0].bias[0]: expected a number"},
        {"{\"layers\": [{\"bias\": [1], \"weights\": [[1]]}]}", "layers[0].weights[0]: expected a list of 2"},
        {"{\"layers\": [{\"bias\": [1, 2], \"weights\": [[1, 2]]}]}", "layers[0].weights: expected 2 rows, not 1"},
        {"{\"layers\": [{\"bias\": [1, 2], \"weights\": [[1, 2], [3, 4]]}]}", "expected 1 scores of the last layer"},
        {"{\"layers\": [{\"bias\": [1], \"weights\": [[1, 2]]}, {\"bias\": [1], \"weights\": [[1, 2]]}]}",
         "layers[1].weights[0]: expected a list of 1 numbers"},
        {"{\"layers\": [{\"bias\": [1], \"weights\": [[1, 1e151]]}]}", "layers: weights of a network must be finite"},
    };
    const tct_json_at at = {"m.tacit", NULL, NULL, 0};
    tct_classifier *c = NULL;
    tacit_error err;

    (void)state;
    for (size_t k = 0; k < sizeof(cases) / sizeof(*cases); k++) {
        json_t *json = json_loads(cases[k].json, 0, NULL);
        assert_non_null(json);
        assert_int_equal(tct_mlp_ops.from_json(&c, json, &at, 2, 2, &err), TACIT_E_INPUT);
        assert_null(c);
        if (!strstr(err.message, cases[k].expected))
            fail_msg("%s: %s", cases[k].json, err.message);
        json_decref(json);
    }
}

static void mlp__rejects_numbers_it_cannot_reason_about(void **state)
{
    static const double bad[][3] = {/* weights of two layers, bias of the first */
                                    {NAN, 1, 0},      {INFINITY, 1, 0}, {1, -INFINITY, 0},  {1, 1, NAN},
                                    {1e100, 1e60, 0}, {0, 1e150, 0},    {1e-300, 1, 1e150}, {1e160, 1e-160, 0}};
    const size_t sizes[] = {1, 1, 1};
    const double zero = 0;
    tct_classifier *c = NULL;
    tacit_error err;

    (void)state;
    for (size_t k = 0; k < sizeof(bad) / sizeof(*bad); k++) {
        const double *weights[] = {&bad[k][0], &bad[k][1]}, *bias[] = {&bad[k][2], &zero};
        assert_int_equal(tct_mlp_new(&c, 2, 2, sizes, weights, bias, &err), TACIT_E_INPUT);
        assert_null(c);
        assert_non_null(strstr(err.message, "finite"));
    }
}

static void mlp__rejects_shapes_that_are_none(void **state)
{
    static const size_t many[TCT_MAX_LAYERS + 2] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    const double one = 1, *numbers[TCT_MAX_LAYERS + 1];
    tct_classifier *c = NULL;

    (void)state;
    for (size_t l = 0; l <= TCT_MAX_LAYERS; l++)
        numbers[l] = &one;
    assert_int_equal(tct_mlp_new(&c, 2, 0, many, numbers, numbers, NULL), TACIT_E_INPUT);
    assert_int_equal(tct_mlp_new(&c, 2, TCT_MAX_LAYERS + 1, many, numbers, numbers, NULL), TACIT_E_INPUT);
    assert_int_equal(tct_mlp_new(&c, 3, 1, many, numbers, numbers, NULL), TACIT_E_INPUT);
    assert_int_equal(tct_mlp_new(&c, 1, 1, many, numbers, numbers, NULL), TACIT_E_INPUT);
    assert_int_equal(tct_mlp_new(&c, 2, 2, (size_t[]){1, 0, 1}, numbers, numbers, NULL), TACIT_E_INPUT);
    assert_int_equal(tct_mlp_new(&c, 2, 2, (size_t[]){1, TCT_MAX_WIDTH + 1, 1}, numbers, numbers, NULL), TACIT_E_INPUT);
    assert_null(c);
    assert_int_equal(tct_mlp_new(&c, 2, TCT_MAX_LAYERS, many, numbers, numbers, NULL), TACIT_OK);
    assert_non_null(tct_as_mlp(c));
    assert_null(tct_as_linear(c));
    c->ops->free(c);
}

static void mlp__survives_lack_of_memory(void **state)
{
    tacit_model *m = make_mlp_model(3, 4, 3, true, 2, 5);
    const tct_json_at at = {"m", NULL, NULL, 0};
    json_t *json = m->classifier->ops->to_json(m->classifier);

    (void)state;
    for (int round = 0; round < 2; round++) {
        tacit_status st = TACIT_E_MEMORY;
        tct_classifier *c = NULL;
        uint64_t nth = 1;
        for (; st == TACIT_E_MEMORY; nth++) {
            tct_memory_fail_at(nth, false);
            st = round ? tct_mlp_ops.from_json(&c, json, &at, m->codec->n_inputs, 3, NULL)
                       : tct_mlp_ops.copy(&c, m->classifier, NULL);
            tct_memory_fail_at(0, false);
            assert_true((st == TACIT_OK) == (c != NULL));
        }
        assert_int_equal(st, TACIT_OK);
        assert_true(nth > 10);
        c->ops->free(c);
    }
    json_decref(json);
    tacit_model_free(m);
}

static void make_mlp_model__same_seed_same_model_and_every_label(void **state)
{
    size_t seen[2] = {0};

    (void)state;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        tacit_model *a = make_mlp_model(seed, 5, 2, true, 2, 6), *b = make_mlp_model(seed, 5, 2, true, 2, 6);
        double x[MAX_INPUTS], f;
        tct_random random;

        assert_string_equal(a->info.model_hash, b->info.model_hash);
        assert_string_equal(a->info.kind, "mlp");
        assert_string_equal(a->info.hidden, "6,6");
        tct_random_seed(&random, seed, 6);
        for (int k = 0; k < 20; k++) {
            draw_typical_person(a, &random, x);
            a->classifier->ops->scores(a->classifier, x, 1, &f);
            seen[tct_label(&f, 1)]++;
        }
        tacit_model_free(a);
        tacit_model_free(b);
    }
    assert_true(seen[0] > 100 && seen[1] > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mlp__scores_equal_the_plain_twin_to_the_bit),
        cmocka_unit_test(mlp__sums_from_left_to_right_bias_first),
        cmocka_unit_test(mlp__relu_at_zero_hands_on_zero_and_no_slope),
        cmocka_unit_test(mlp__widest_network_scores_alike_alone_and_in_a_crowd),
        cmocka_unit_test(mlp__gradient_is_the_slope_of_the_scores),
        cmocka_unit_test(mlp__margins_hold_for_everybody_in_the_region),
        cmocka_unit_test(mlp__margins_of_a_known_person_are_the_scores),
        cmocka_unit_test(mlp__margins_know_the_rounding_of_scores),
        cmocka_unit_test(mlp__copy_and_file_give_back_every_bit),
        cmocka_unit_test(mlp__rejects_files_that_are_no_network),
        cmocka_unit_test(mlp__rejects_numbers_it_cannot_reason_about),
        cmocka_unit_test(mlp__rejects_shapes_that_are_none),
        cmocka_unit_test(mlp__survives_lack_of_memory),
        cmocka_unit_test(make_mlp_model__same_seed_same_model_and_every_label),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
