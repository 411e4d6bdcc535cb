/*
 * test_onnx.c -- what ONNX graphs mean: every operator that is understood, against the formula by hand.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "make_onnx.h"
#include "onnx_tests.h"

/* An input "x" of two numbers. */
static void two_inputs(net *n)
{
    net_input(n, "x", ONNX_FLOAT, 0, 2);
}

static tct_classifier *parse_with(const net *n, const tct_codec *codec)
{
    tct_classifier *c = NULL;
    tacit_error err = {0};
    pb file = {.size = 0};

    net_model(n, &file);
    if (tct_onnx_parse(&c, file.bytes, file.size, "net.onnx", codec, NULL, NAN, &err))
        fail_msg("%s", err.message);
    assert_int_equal(c->n_inputs, codec->n_inputs);
    assert_int_equal(c->n_classes, codec->schema->n_classes);
    return c;
}

/* With the schema of two numbers: the one score of a person with the raw values a and b. */
static void expect_score(const net *n, double a, double b, double expected)
{
    tct_codec *codec = make_codec(TWO);
    tct_classifier *c = parse_with(n, codec);
    double x[2] = {a / 5 - 1, b / 2}, f = NAN;

    assert_int_equal(c->n_scores, 1);
    c->ops->scores(c, x, 1, &f);
    if (!(fabs(f - expected) < 1e-12 * fmax(1, fabs(expected))))
        fail_msg("score %.17g, expected %.17g", f, expected);
    c->ops->free(c);
    free_codec(codec);
}

/* ---- layers ---- */

static void onnx__gemm_relu_gemm(void **state)
{
    const float w1[] = {1, -2, 0.5f, 3, -1, 1}, b1[] = {1, 0, -4}, w2[] = {2, -1, 0.5f}, b2[] = {-3};
    const double a = 7, b = -1.5;
    net n = {.opset = 0};
    pb transposed = {.size = 0}, scaled = {.size = 0};

    (void)state;
    two_inputs(&n);
    net_floats(&n, "w1", 3, 2, w1); /* rows are neurons */
    net_floats(&n, "b1", 3, 0, b1);
    net_raw(&n, "w2", ONNX_FLOAT, 3, 1, w2, sizeof(w2));
    net_raw(&n, "b2", ONNX_FLOAT, 1, 0, b2, sizeof(b2));
    attr_int(&transposed, "transB", 1);
    net_node(&n, "Gemm", "x,w1,b1", "h", &transposed);
    net_node(&n, "Relu", "h", "r", NULL);
    attr_float(&scaled, "alpha", 0.5f);
    attr_float(&scaled, "beta", 2);
    net_node(&n, "Gemm", "r,w2,b2", "y", &scaled);
    net_output(&n, "y");
    expect_score(&n, a, b,
                 0.5 * (2 * fmax(0, a - 2 * b + 1) - fmax(0, 0.5 * a + 3 * b) + 0.5 * fmax(0, -a + b - 4)) - 6);
}

static void onnx__matmul_add_and_types(void **state)
{
    const double w1[] = {1, 2, -3, 0.25}, b2 = 0.125;
    const int64_t w2[] = {3, -5};
    const double a = 9, b = 0.5;
    net n = {.opset = 0};
    pb t = {.size = 0}, cast = {.size = 0};

    (void)state;
    two_inputs(&n);
    net_raw(&n, "w1", ONNX_DOUBLE, 2, 2, w1, sizeof(w1));
    tensor_head(&t, "w2", ONNX_INT64, 2, 1); /* one varint after the other, not packed */
    pb_int(&t, 7, w2[0]);
    pb_int(&t, 7, w2[1]);
    net_tensor(&n, &t);
    t.size = 0;
    tensor_head(&t, "b2", ONNX_DOUBLE, 0, 0);
    pb_block(&t, 10, &b2, sizeof(b2));
    net_tensor(&n, &t);
    net_node(&n, "MatMul", "x,w1", "h", NULL);
    net_node(&n, "Relu", "h", "r", NULL);
    attr_int(&cast, "to", ONNX_FLOAT);
    net_node(&n, "Cast", "w2", "w2f", &cast);
    net_node(&n, "MatMul", "r,w2f", "m", NULL);
    net_node(&n, "Add", "b2,m", "y", NULL);
    net_output(&n, "y");
    expect_score(&n, a, b, 3 * fmax(0, a - 3 * b) - 5 * fmax(0, 2 * a + 0.25 * b) + 0.125);
}

static void onnx__scalings_are_folded(void **state)
{
    const float two[] = {2, 4}, three[] = {3}, one[] = {1, 1}, w[] = {1, 1};
    const float offset[] = {0.5f, -1}, scale[] = {2, 0.25f};
    const double a = 3, b = 1;
    net n = {.opset = 0};
    pb scaler = {.size = 0}, cast = {.size = 0};

    (void)state;
    two_inputs(&n);
    net_floats(&n, "two", 1, 2, two);
    net_floats(&n, "three", 1, 0, three);
    net_floats(&n, "one", 2, 0, one);
    net_floats(&n, "w", 2, 1, w);
    attr_floats(&scaler, "offset", offset, 2);
    attr_floats(&scaler, "scale", scale, 2);
    net_node(&n, "ml:Scaler", "x", "s", &scaler);
    net_node(&n, "Sub", "s,one", "s1", NULL);
    net_node(&n, "Div", "s1,two", "s2", NULL);
    net_node(&n, "Mul", "three,s2", "s3", NULL);
    net_node(&n, "Sub", "one,s3", "s4", NULL);
    attr_int(&cast, "to", ONNX_DOUBLE);
    net_node(&n, "Cast", "s4", "s5", &cast);
    net_node(&n, "Identity", "s5", "s6", NULL);
    net_node(&n, "MatMul", "s6,w", "y", NULL);
    net_output(&n, "y");
    expect_score(&n, a, b, 1 - 3 * ((a - 0.5) * 2 - 1) / 2 + 1 - 3 * ((b + 1) * 0.25 - 1) / 4);
}

static void onnx__layers_without_relu_become_one(void **state)
{
    const float w1[] = {1, 2, 3, 4, 5, 6}, w2[] = {1, 0, -1};
    net n = {.opset = 0};
    tct_codec *codec = make_codec(TWO);
    tct_classifier *c;

    (void)state;
    two_inputs(&n);
    net_floats(&n, "w1", 2, 3, w1);
    net_floats(&n, "w2", 3, 1, w2);
    net_node(&n, "MatMul", "x,w1", "h", NULL);
    net_node(&n, "MatMul", "h,w2", "y", NULL);
    net_output(&n, "y");
    c = parse_with(&n, codec);
    assert_non_null(tct_as_linear(c));
    c->ops->free(c);
    free_codec(codec);
    expect_score(&n, 2, -1, (1 - 3) * 2 + (4 - 6) * -1.0);
}

/* x + x, and branches of one layer that meet again. */
static void onnx__branches_of_a_layer_may_meet(void **state)
{
    const float w[] = {1, -1}, v[] = {2, 2};
    net n = {.opset = 0};

    (void)state;
    two_inputs(&n);
    net_floats(&n, "w", 2, 1, w);
    net_floats(&n, "v", 2, 1, v);
    net_node(&n, "Relu", "x", "r", NULL);
    net_node(&n, "MatMul", "r,w", "p", NULL);
    net_node(&n, "MatMul", "r,v", "q", NULL);
    net_node(&n, "Sub", "p,q", "d", NULL);
    net_node(&n, "Add", "d,q", "y", NULL);
    net_output(&n, "y");
    expect_score(&n, 4, -1, 4);
}

static void onnx__constant_flatten_reshape(void **state)
{
    const float w[] = {3, -2};
    const int64_t rows[] = {-1, 2}, flat[] = {-1}, back[] = {-1, 1}, fixed[] = {1, -1};
    net n = {.opset = 0};
    pb t = {.size = 0}, value = {.size = 0};

    (void)state;
    net_input(&n, "x", ONNX_FLOAT, 1, 2); /* one person at a time */
    tensor_head(&t, "", ONNX_FLOAT, 2, 1);
    pb_block(&t, 4, w, sizeof(w));
    attr_tensor(&value, "value", &t);
    net_node(&n, "Constant", "", "w", &value);
    net_raw(&n, "rows", ONNX_INT64, 2, 0, rows, sizeof(rows));
    net_raw(&n, "flat", ONNX_INT64, 1, 0, flat, sizeof(flat));
    net_raw(&n, "back", ONNX_INT64, 2, 0, back, sizeof(back));
    net_raw(&n, "fixed", ONNX_INT64, 2, 0, fixed, sizeof(fixed));
    net_node(&n, "Flatten", "x", "f", NULL);
    net_node(&n, "Reshape", "f,rows", "f1", NULL);
    net_node(&n, "Reshape", "f1,fixed", "f2", NULL);
    net_node(&n, "MatMul", "f2,w", "m", NULL);
    net_node(&n, "Reshape", "m,flat", "m1", NULL);
    net_node(&n, "Reshape", "m1,back", "y", NULL);
    net_output(&n, "y");
    expect_score(&n, 5, 2, 11);
}

static void onnx__old_files_list_constants_as_inputs(void **state)
{
    const float w[] = {3, -2};
    net n = {.opset = 9};

    (void)state;
    two_inputs(&n);
    net_input(&n, "w", ONNX_FLOAT, 2, 1);
    net_floats(&n, "w", 2, 1, w);
    net_node(&n, "MatMul", "x,w", "y", NULL);
    net_output(&n, "y");
    expect_score(&n, 5, 2, 11);
}

static void onnx__several_inputs(void **state)
{
    const float w[] = {3, -2};
    net n = {.opset = 0};
    pb axis = {.size = 0};

    (void)state;
    net_input(&n, "a", ONNX_FLOAT, 0, 1);
    net_input(&n, "b", ONNX_FLOAT, 0, 1);
    net_floats(&n, "w", 2, 1, w);
    attr_int(&axis, "axis", 1);
    net_node(&n, "Concat", "a,b", "x", &axis);
    net_node(&n, "MatMul", "x,w", "y", NULL);
    net_output(&n, "y");
    expect_score(&n, 5, 2, 11);
}

/* Swapped: no longer neighbours in order. */
static void onnx__several_inputs_in_another_order(void **state)
{
    const float w[] = {3, -2};
    net n = {.opset = 0};
    pb axis = {.size = 0};

    (void)state;
    net_input(&n, "a", ONNX_FLOAT, 0, 1);
    net_input(&n, "b", ONNX_FLOAT, 0, 1);
    net_floats(&n, "w", 2, 1, w);
    attr_int(&axis, "axis", -1);
    net_node(&n, "Concat", "b,a", "x", &axis);
    net_node(&n, "MatMul", "x,w", "y", NULL);
    net_output(&n, "y");
    expect_score(&n, 5, 2, 3 * 2 - 2 * 5);
}

/* ---- what an attribute becomes ---- */

static void onnx__reads_raw_values(void **state)
{
    /* age, grade (0, 1, 2), city (3 levels), each weighted so that all can be told apart in the score */
    const float w[] = {1, 100, 1000, 2000, 3000};
    static const char *const cells[][3] = {
        {"18", "low", "oslo"}, {"78", "high", "rome"}, {"40", "middle", "paris"}, {"33", "low", "paris"}};
    static const double expected[] = {18 + 0 + 1000, 78 + 200 + 3000, 40 + 100 + 2000, 33 + 2000};
    net n = {.opset = 0};
    pb cast = {.size = 0};
    tct_codec *codec;
    tct_classifier *c;

    (void)state;
    net_input(&n, "x", ONNX_INT64, 0, 5);
    net_floats(&n, "w", 5, 1, w);
    attr_int(&cast, "to", ONNX_FLOAT);
    net_node(&n, "Cast", "x", "f", &cast);
    net_node(&n, "MatMul", "f,w", "y", NULL);
    net_output(&n, "y");
    codec = make_codec(MIXED_TWO);
    c = parse_with(&n, codec);
    for (size_t r = 0; r < 4; r++) {
        double x[5], f;
        tct_encode_counts counts = {0};
        for (size_t a = 0; a < 3; a++)
            assert_int_equal(tct_encode_cell(codec, a, cells[r][a], strlen(cells[r][a]), false, false,
                                             x + codec->domains[a].first, &counts, NULL, 0, NULL),
                             TACIT_OK);
        c->ops->scores(c, x, 1, &f);
        assert_true(fabs(f - expected[r]) < 1e-9);
    }
    c->ops->free(c);
    free_codec(codec);
}

/* ---- heads ---- */

/* Scores w x + b of two columns a and b; then `head` from "s" to "y". */
static void two_scores(net *n)
{
    const float w[] = {1, -1, 2, 0.5f}, b[] = {0.25f, 1};

    two_inputs(n);
    net_floats(n, "w", 2, 2, w);
    net_floats(n, "b", 2, 0, b);
    net_node(n, "Gemm", "x,w,b", "s", NULL);
}

static double difference(double a, double b)
{
    return -a + 0.5 * b + 1 - (a + 2 * b + 0.25);
}

static void onnx__two_scores_become_their_difference(void **state)
{
    static const char *const heads[] = {"Identity", "Softmax", "LogSoftmax", "Sigmoid", "ml:Normalizer"};

    (void)state;
    for (size_t k = 0; k < 5; k++) {
        net n = {.opset = 0};
        pb norm = {.size = 0};
        two_scores(&n);
        attr_text(&norm, "norm", "L2");
        net_node(&n, heads[k], "s", "y", k == 4 ? &norm : NULL);
        net_output(&n, "y");
        expect_score(&n, 1, -1, difference(1, -1));
    }
}

static void onnx__class_names_set_the_order(void **state)
{
    net n = {.opset = 0};
    pb names = {.size = 0};

    (void)state;
    two_scores(&n);
    attr_texts(&names, "classlabels_strings", "yes,no");
    net_node(&n, "Softmax", "s", "p", NULL);
    net_node(&n, "ml:ZipMap", "p", "y", &names);
    net_output(&n, "y");
    expect_score(&n, 1, -1, -difference(1, -1));
}

static void onnx__numbers_from_zero_are_indices(void **state)
{
    const int64_t labels[] = {0, 1};
    net n = {.opset = 0};
    pb names = {.size = 0};

    (void)state;
    two_scores(&n);
    attr_ints(&names, "classlabels_int64s", labels, 2);
    net_node(&n, "ml:ZipMap", "s", "y", &names);
    net_output(&n, "y");
    expect_score(&n, 1, -1, difference(1, -1));
}

static void onnx__label_encoder_names_classes(void **state)
{
    const int64_t keys[] = {1, 0};
    net n = {.opset = 0};
    pb pairs = {.size = 0}, axis = {.size = 0};

    (void)state;
    two_scores(&n);
    attr_int(&axis, "axis", 1);
    net_node(&n, "ArgMax", "s", "l", &axis);
    attr_ints(&pairs, "keys_int64s", keys, 2);
    attr_texts(&pairs, "values_strings", "no,yes"); /* 1 is no, 0 is yes */
    net_node(&n, "ml:LabelEncoder", "l", "y", &pairs);
    net_output(&n, "y");
    net_output(&n, "s");
    expect_score(&n, 1, -1, -difference(1, -1));
}

static void onnx__sigmoid_pair_as_scikit_learn_writes_it(void **state)
{
    const float w[] = {1, -3}, one[] = {1};
    net n = {.opset = 0};
    pb axis = {.size = 0}, t = {.size = 0};

    (void)state;
    for (int turned = 0; turned < 2; turned++) {
        n.graph.size = axis.size = t.size = 0;
        two_inputs(&n);
        net_floats(&n, "w", 2, 1, w);
        net_floats(&n, "one", 1, 0, one);
        tensor_head(&t, "names", ONNX_STRING, 2, 0);
        pb_texts(&t, 6, "no,yes");
        net_tensor(&n, &t);
        attr_int(&axis, "axis", 1);
        net_node(&n, "MatMul", "x,w", "m", NULL);
        net_node(&n, "Sigmoid", "m", "p", NULL);
        net_node(&n, "Sub", "one,p", "q", NULL);
        net_node(&n, "Concat", turned ? "p,q" : "q,p", "both", &axis);
        net_node(&n, "ArgMax", "both", "i", &axis);
        net_node(&n, "ml:ArrayFeatureExtractor", "names,i", "y", NULL);
        net_output(&n, "y");
        net_output(&n, "both");
        expect_score(&n, 5, 1, turned ? -2 : 2);
    }
}

static void onnx__linear_classifier(void **state)
{
    const float coefficients[] = {-1, 2, 1, -2}, intercepts[] = {-0.5f, 0.5f};
    net n = {.opset = 0};
    pb a = {.size = 0}, norm = {.size = 0};

    (void)state;
    two_inputs(&n);
    attr_floats(&a, "coefficients", coefficients, 4);
    attr_floats(&a, "intercepts", intercepts, 2);
    attr_texts(&a, "classlabels_strings", "no,yes");
    attr_text(&a, "post_transform", "LOGISTIC");
    attr_int(&a, "multi_class", 1);
    net_node(&n, "ml:LinearClassifier", "x", "y,p", &a);
    attr_text(&norm, "norm", "L1");
    net_node(&n, "ml:Normalizer", "p", "q", &norm);
    net_output(&n, "y");
    net_output(&n, "q");
    expect_score(&n, 3, 1, 2 * (3 - 2 + 0.5));
}

static void onnx__linear_classifier_of_one_row(void **state)
{
    const float coefficients[] = {1, -2};
    const int64_t labels[] = {0, 1};
    net n = {.opset = 0};
    pb a = {.size = 0};

    (void)state;
    two_inputs(&n);
    attr_floats(&a, "coefficients", coefficients, 2);
    attr_ints(&a, "classlabels_ints", labels, 2);
    net_node(&n, "ml:LinearClassifier", "x", "y,p", &a);
    net_output(&n, "y");
    net_output(&n, "p");
    expect_score(&n, 3, 1, 1);
}

static void onnx__three_classes_by_name(void **state)
{
    const float w[] = {1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}; /* of age only */
    net n = {.opset = 0};
    pb names = {.size = 0};
    tct_codec *codec = make_codec(MIXED_THREE);
    tct_classifier *c;
    double x[5] = {0}, f[3]; /* the middle of the domain: age 48 */

    (void)state;
    net_input(&n, "x", ONNX_FLOAT, 0, 5);
    net_floats(&n, "w", 5, 3, w);
    net_node(&n, "MatMul", "x,w", "s", NULL);
    attr_texts(&names, "classlabels_strings", "cat,ant,bee");
    net_node(&n, "ml:ZipMap", "s", "y", &names);
    net_output(&n, "y");
    c = parse_with(&n, codec);
    c->ops->scores(c, x, 1, f);
    assert_true(fabs(f[0] - 96) < 1e-9 && fabs(f[1] - 144) < 1e-9 && fabs(f[2] - 48) < 1e-9);
    c->ops->free(c);
    free_codec(codec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(onnx__gemm_relu_gemm),
        cmocka_unit_test(onnx__matmul_add_and_types),
        cmocka_unit_test(onnx__scalings_are_folded),
        cmocka_unit_test(onnx__layers_without_relu_become_one),
        cmocka_unit_test(onnx__branches_of_a_layer_may_meet),
        cmocka_unit_test(onnx__constant_flatten_reshape),
        cmocka_unit_test(onnx__old_files_list_constants_as_inputs),
        cmocka_unit_test(onnx__several_inputs),
        cmocka_unit_test(onnx__several_inputs_in_another_order),
        cmocka_unit_test(onnx__reads_raw_values),
        cmocka_unit_test(onnx__two_scores_become_their_difference),
        cmocka_unit_test(onnx__class_names_set_the_order),
        cmocka_unit_test(onnx__numbers_from_zero_are_indices),
        cmocka_unit_test(onnx__label_encoder_names_classes),
        cmocka_unit_test(onnx__sigmoid_pair_as_scikit_learn_writes_it),
        cmocka_unit_test(onnx__linear_classifier),
        cmocka_unit_test(onnx__linear_classifier_of_one_row),
        cmocka_unit_test(onnx__three_classes_by_name),
    };

    return cmocka_run_group_tests_name("onnx", tests, NULL, NULL);
}
