/*
 * The verifier where it is easiest to be wrong: networks whose output is constant by cancellation, margins of zero and
 * one ulp, differences of scores that no single score shows, nothing unknown, numbers that are none, memory that ends.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "provers.h"
#include "make_model.h"
#include "netbounds.h"
#include "verifier_inside.h"

enum { MOST_INPUTS = 6, WIDE = 12 };

/* A model over sizes[0] numbers in [-1, 1]. */
static tacit_model *build_layers(size_t n_classes, size_t n_layers, const size_t *sizes, const double *const *weights,
                                 const double *const *bias)
{
    static const char *const classes[] = {"a", "b", "c"};
    size_t n = sizes[0];
    tacit_schema *schema = tct_calloc(1, sizeof *schema);
    tct_classifier *classifier = NULL;
    tacit_model *model = NULL;
    tacit_error err = {0};

    for (size_t i = 0; i < n; i++) {
        char name[32];
        tacit_attribute a = {.name = name,
                             .type = TACIT_NUMBER,
                             .min = -1,
                             .max = 1,
                             .cost = 1,
                             .role = TACIT_SENSITIVE,
                             .missing_level = TACIT_NONE};

        snprintf(name, sizeof name, "x%zu", i);
        make_model_check(tct_schema_add(schema, &a, &err), &err);
    }
    schema->label = tct_strdup("label");
    make_model_check(tct_schema_copy_texts(&schema->classes, classes, n_classes, &err), &err);
    schema->n_classes = n_classes;
    make_model_check(tct_mlp_new(&classifier, n_classes, n_layers, sizes, weights, bias, &err), &err);
    make_model_check(tct_model_assemble(&model, schema, classifier, make_model_room(n), make_model_room(n * n), &err),
                     &err);
    return model;
}

/* With n inputs and one hidden layer. */
static tacit_model *build(size_t n, size_t n_hidden, size_t n_classes, const double *w1, const double *b1,
                          const double *w2, const double *b2)
{
    const size_t sizes[] = {n, n_hidden, n_classes == 2 ? 1 : n_classes};
    const double *weights[] = {w1, w2}, *bias[] = {b1, b2};

    return build_layers(n_classes, 2, sizes, weights, bias);
}

static tct_finding decide(const tacit_model *model, const unsigned char *known, const double *x, uint64_t budget)
{
    static double witness[2][MOST_INPUTS];
    tct_finding finding = {.witness = {witness[0], witness[1]}};
    tct_region region = tct_region_of(model->codec, known, x);
    tct_verifier *verifier;

    assert_int_equal(tct_verifier_new(&verifier, model, NULL), TACIT_OK);
    assert_int_equal(tct_verifier_decide(verifier, &region, budget, &finding, NULL), TACIT_OK);
    tct_verifier_free(verifier);
    return finding;
}

/* Decide with everything unknown, and hold the answer against a fine sample of the first input. */
static tct_finding decide_and_sample(tacit_model *model)
{
    static const unsigned char known[MOST_INPUTS] = {0};
    static const double x[MOST_INPUTS] = {0};
    tct_finding finding = decide(model, known, x, 0);
    const tct_classifier *classifier = model->classifier;
    size_t first = TACIT_NONE;
    bool constant = true;

    for (int k = -5000; k <= 5000; k++) {
        double point[MOST_INPUTS] = {k % 2 ? k / 5000.0 : ldexp(k < 0 ? -1 : 1, -abs(k) / 50)}, f[3];
        size_t label;

        classifier->ops->scores(classifier, point, 1, f);
        label = tct_label(f, classifier->n_scores);
        first = first == TACIT_NONE ? label : first;
        constant = constant && label == first;
    }
    if (finding.verdict == TACIT_CERTIFIED)
        assert_true(constant && finding.label == first);
    tacit_model_free(model);
    return finding;
}

/* Score 0 rises everywhere, so its least value is at the left end, and at both ends class 0 wins.  But in the middle
 * score 1 is higher: only the difference tells. */
static void verifier__bounds_differences_not_scores(void **state)
{
    const double w1[] = {1, 1, -1}, b1[] = {2, 0, 0};
    const double w2[] = {1, 0, 0, 0, -3, -3, 0, 0, 0}, b2[] = {0, 2.5, -10};
    tct_finding finding = decide_and_sample(build(1, 3, 3, w1, b1, w2, b2));

    (void)state;
    assert_int_equal(finding.verdict, TACIT_REFUTED);
}

/* f = w h - w h + c: ideally the constant c, whatever w and h.  As computed it is c only up to rounding. */
static void verifier__sees_cancellation_as_computed(void **state)
{
    static const double shifts[] = {1e-3, -1e-3, 1e-13, -1e-13, 1e-17, -1e-17, 0, 5e-324, -5e-324};

    (void)state;
    for (size_t k = 0; k < sizeof shifts / sizeof *shifts; k++) {
        const double w1[] = {1, 1}, b1[] = {1, 1}, w2[] = {0.1, -0.1}, b2[] = {shifts[k]};
        tct_finding finding = decide_and_sample(build(1, 2, 2, w1, b1, w2, b2));

        if (fabs(shifts[k]) >= 1e-3) {
            assert_int_equal(finding.verdict, TACIT_CERTIFIED);
            assert_int_equal(finding.label, shifts[k] > 0);
        }
        if (shifts[k] >= 0)
            assert_int_not_equal(finding.verdict, TACIT_REFUTED);
        else if (shifts[k] > -1e-14)
            assert_int_not_equal(finding.verdict, TACIT_CERTIFIED); /* 0.1 h swallows the shift */
    }
}

/* 0.1 h + 0.2 h - 0.3 h is not 0 in doubles: the label is a matter of rounding, and no proof may come of it. */
static void verifier__proves_nothing_from_rounding(void **state)
{
    (void)state;
    for (int k = -8; k <= 8; k++) {
        const double w1[] = {1, 1, 1}, b1[] = {1, 1, 1}, w2[] = {0.1, 0.2, -0.3}, b2[] = {k * 0x1p-55};

        decide_and_sample(build(1, 3, 2, w1, b1, w2, b2));
    }
}

static void verifier__honours_ties(void **state)
{
    const double w1[] = {1}, b1[] = {0}, up[] = {1}, down[] = {-1}, zero[] = {0}, ulp[] = {0x1p-52},
                 below[] = {-0x1p-52};
    const double same[] = {1, 1, 1}, none[] = {0, 0, 0}, second[] = {0, 0x1p-52, 0};

    (void)state;
    /* max(x, 0) >= 0: always yes; less than zero nowhere */
    assert_int_not_equal(decide_and_sample(build(1, 1, 2, w1, b1, up, zero)).verdict, TACIT_REFUTED);
    assert_int_not_equal(decide_and_sample(build(1, 1, 2, w1, b1, up, ulp)).verdict, TACIT_REFUTED);
    /* an ulp below, it is no at the left and yes at the right; -max(x, 0) the other way round */
    assert_int_equal(decide_and_sample(build(1, 1, 2, w1, b1, up, below)).verdict, TACIT_REFUTED);
    assert_int_equal(decide_and_sample(build(1, 1, 2, w1, b1, down, zero)).verdict, TACIT_REFUTED);
    /* three scores equal to the bit: the first class; an ulp more for the second, which larger scores swallow */
    assert_int_not_equal(decide_and_sample(build(1, 1, 3, w1, b1, same, none)).verdict, TACIT_REFUTED);
    decide_and_sample(build(1, 1, 3, w1, b1, same, second));
}

static void verifier__needs_nothing_unknown(void **state)
{
    const double w1[] = {1, -1, 2, 1}, b1[] = {0, 0.5}, w2[] = {1, -1}, b2[] = {0.1}, x[] = {0.3, -0.7};
    const unsigned char known[] = {1, 1};
    tacit_model *model = build(2, 2, 2, w1, b1, w2, b2);
    tct_finding finding = decide(model, known, x, 1);
    double f;

    (void)state;
    model->classifier->ops->scores(model->classifier, x, 1, &f);
    assert_int_equal(finding.verdict, TACIT_CERTIFIED);
    assert_int_equal(finding.label, f >= 0);
    tacit_model_free(model);
}

static void verifier__certifies_no_nonsense(void **state)
{
    const double w1[] = {1, 0, 0, 1}, b1[] = {0, 0}, w2[] = {1, 1}, b2[] = {1};
    const double values[] = {NAN, INFINITY, -INFINITY, 1e300};
    const unsigned char known[] = {1, 0};
    tacit_model *model = build(2, 2, 2, w1, b1, w2, b2);

    (void)state;
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
        double x[] = {values[k], 0}, lower[2];
        tct_region region = tct_region_of(model->codec, known, x);

        assert_int_equal(decide(model, known, x, 0).verdict, TACIT_UNDECIDED);
        tct_netbounds_margins(model->classifier, &region, 1, lower);
        assert_true(lower[0] == -INFINITY && lower[1] == INFINITY);
    }
    tacit_model_free(model);
}

/* |x| - |y| / 2 + |x + y| / 2 + 0.05, at least 0.05: not settled by one bound of everything. */
static tacit_model *build_hard(void)
{
    static const double w1[] = {1, 0, -1, 0, 0, 1, 0, -1, 1, 1, -1, -1}, b1[] = {0, 0, 0, 0, 0, 0};
    static const double w2[] = {1, 1, -0.5, -0.5, 0.5, 0.5}, b2[] = {0.05};

    return build(2, 6, 2, w1, b1, w2, b2);
}

static void verifier__stops_at_its_budget(void **state)
{
    const unsigned char known[] = {0, 0};
    const double x[] = {0, 0};
    tacit_model *model = build_hard();
    tct_finding short_of = decide(model, known, x, 2), finding = decide(model, known, x, 0);

    (void)state;
    assert_int_equal(short_of.verdict, TACIT_UNDECIDED);
    assert_true(short_of.nodes <= 3);
    assert_int_equal(finding.verdict, TACIT_CERTIFIED);
    assert_int_equal(finding.label, 1);
    assert_true(finding.nodes > 3);
    tacit_model_free(model);
}

static void verifier__remembers_witnesses(void **state)
{
    const double w1[] = {1, 1, 1, -1}, b1[] = {0, 0}, w2[] = {1, -1}, b2[] = {0.1}, x[] = {0.25, 0.1};
    unsigned char known[] = {0, 0};
    tacit_model *model = build(2, 2, 2, w1, b1, w2, b2);
    tct_region region = tct_region_of(model->codec, known, x);
    tct_finding finding = {0};
    tct_verifier *verifier;

    (void)state;
    assert_int_equal(tct_verifier_new(&verifier, model, NULL), TACIT_OK);
    assert_int_equal(tct_verifier_decide(verifier, &region, 0, &finding, NULL), TACIT_OK);
    assert_int_equal(finding.verdict, TACIT_REFUTED);
    known[0] = 1; /* what was seen still tells two labels, with the first input set */
    assert_int_equal(tct_verifier_decide(verifier, &region, 0, &finding, NULL), TACIT_OK);
    assert_int_equal(finding.verdict, TACIT_REFUTED);
    assert_int_equal(finding.nodes, 0);
    tct_verifier_forget(verifier);
    assert_int_equal(tct_verifier_decide(verifier, &region, 0, &finding, NULL), TACIT_OK);
    assert_int_equal(finding.verdict, TACIT_REFUTED);
    assert_true(finding.nodes > 0);
    tct_verifier_free(verifier);
    tacit_model_free(model);
}

static void verifier__says_when_memory_ends(void **state)
{
    const unsigned char known[] = {0, 0};
    const double x[] = {0, 0};
    tacit_model *model = build_hard();
    tct_region region = tct_region_of(model->codec, known, x);
    tct_finding finding = {0};
    double witness[2][MOST_INPUTS], lower[2];
    tacit_status st = TACIT_E_MEMORY;
    uint64_t n = 0, needed;

    (void)state;
    finding.witness[0] = witness[0];
    finding.witness[1] = witness[1];
    while (st) {
        tct_memory_fail_at(++n, true);
        st = tct_certify(&finding, model, &region, NULL);
        tct_memory_fail_at(0, false);
        assert_true(!st || st == TACIT_E_MEMORY);
    }
    assert_true(n > 4);
    assert_int_equal(finding.verdict, TACIT_CERTIFIED);
    tct_memory_fail_at(0, false);
    tct_netbounds_margins(model->classifier, &region, 1, lower);
    needed = tct_memory_count();
    assert_true(isfinite(lower[0]));
    for (n = 1; n <= needed; n++) {
        tct_memory_fail_at(n, true);
        tct_netbounds_margins(model->classifier, &region, 1, lower);
        tct_memory_fail_at(0, false);
        assert_true(lower[0] == -INFINITY && lower[1] == INFINITY);
    }
    tacit_model_free(model);
}

static double draw(tct_random *random, double size)
{
    return size * (2 * tct_random_uniform(random) - 1);
}

static void draw_all(tct_random *random, double size, double *out, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] = draw(random, size);
}

/* Two hidden layers at random.  Its least score is `least` or a little less: as low as trying gets. */
static tacit_model *build_near_zero(uint64_t seed, double least)
{
    const size_t sizes[] = {MOST_INPUTS, WIDE, WIDE, 1};
    double w1[MOST_INPUTS * WIDE], b1[WIDE], w2[WIDE * WIDE], b2[WIDE], w3[WIDE], b3 = 0;
    const double *weights[] = {w1, w2, w3}, *bias[] = {b1, b2, &b3};
    double best[MOST_INPUTS], x[MOST_INPUTS], lowest = INFINITY, f;
    tacit_model *model;
    tct_random random;

    tct_random_seed(&random, seed, 1);
    draw_all(&random, 1, w1, MOST_INPUTS * WIDE);
    draw_all(&random, 0.3, b1, WIDE);
    draw_all(&random, 1, w2, WIDE * WIDE);
    draw_all(&random, 0.3, b2, WIDE);
    draw_all(&random, 1, w3, WIDE);
    model = build_layers(2, 3, sizes, weights, bias);
    for (size_t k = 0; k < 20000; k++) {
        for (size_t i = 0; i < MOST_INPUTS; i++)
            x[i] = k < 4000 ? draw(&random, 1) : fmax(fmin(best[i] + draw(&random, k % 2 ? 0.1 : 0.01), 1), -1);
        model->classifier->ops->scores(model->classifier, x, 1, &f);
        if (f < lowest) {
            lowest = f;
            memcpy(best, x, sizeof best);
        }
    }
    tacit_model_free(model);
    b3 = least - lowest;
    return build_layers(2, 3, sizes, weights, bias);
}

/* What is known of neurons holds where boxes further out left something in doubt.  In these networks a bound is attained
 * elsewhere, with no neuron open: that was taken for a margin within rounding of zero, although the least is far from it. */
static void verifier__gives_up_only_near_zero(void **state)
{
    static const unsigned char known[MOST_INPUTS] = {0};
    static const double x[MOST_INPUTS] = {0};
    static const uint64_t seeds[] = {103, 142, 159, 294, 303, 315, 429, 535};

    (void)state;
    for (size_t k = 0; k < sizeof seeds / sizeof *seeds; k++) {
        tacit_model *model = build_near_zero(seeds[k], seeds[k] % 2 ? 1e-2 : 1e-3);

        assert_int_not_equal(decide(model, known, x, 0).verdict, TACIT_UNDECIDED);
        tacit_model_free(model);
    }
}

/* After a search that kept boxes, all numbers are those of a verifier that was never told of anybody. */
static void verifier__forgets_all_of_a_person(void **state)
{
    const unsigned char known[MOST_INPUTS] = {1, 0, 0, 1};
    const double x[MOST_INPUTS] = {0.375, 0, 0, -0.8125};
    tacit_model *model = build_near_zero(103, 1e-2);
    tct_region region = tct_region_of(model->codec, known, x);
    tct_finding finding = {0};
    tct_verifier *v, *fresh;

    (void)state;
    assert_int_equal(tct_verifier_new(&v, model, NULL), TACIT_OK);
    assert_int_equal(tct_verifier_new(&fresh, model, NULL), TACIT_OK);
    for (size_t turn = 0; turn < 2; turn++) {
        assert_int_equal(tct_verifier_decide(v, &region, 60, &finding, NULL), TACIT_OK);
        assert_true(v->n_blocks > 0);
        tct_verifier_forget(v);
        assert_int_equal(v->n_blocks, 0);
        assert_memory_equal(v->arena, fresh->arena, v->arena_size);
        assert_memory_equal(v->nb->arena, fresh->nb->arena, v->nb->arena_size - 64); /* less what aligned it */
    }
    tct_verifier_free(v);
    tct_verifier_free(fresh);
    tacit_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verifier__bounds_differences_not_scores),
        cmocka_unit_test(verifier__sees_cancellation_as_computed),
        cmocka_unit_test(verifier__proves_nothing_from_rounding),
        cmocka_unit_test(verifier__gives_up_only_near_zero),
        cmocka_unit_test(verifier__honours_ties),
        cmocka_unit_test(verifier__needs_nothing_unknown),
        cmocka_unit_test(verifier__certifies_no_nonsense),
        cmocka_unit_test(verifier__stops_at_its_budget),
        cmocka_unit_test(verifier__remembers_witnesses),
        cmocka_unit_test(verifier__forgets_all_of_a_person),
        cmocka_unit_test(verifier__says_when_memory_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
