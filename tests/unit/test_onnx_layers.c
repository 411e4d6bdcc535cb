/*
 * test_onnx_layers.c -- operators that are ReLU layers in other words, and connections between layers, against what they
 * mean, at many points.
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

typedef double meaning(double a, double b);

/* The one score of everybody on a grid of raw values. */
static void expect_everywhere(const net *n, meaning *f)
{
    tct_codec *codec = make_codec(TWO);
    tct_classifier *c = NULL;
    tacit_error err = {0};
    pb file = {.size = 0};

    net_model(n, &file);
    if (tct_onnx_parse(&c, file.bytes, file.size, "net.onnx", codec, NULL, NAN, &err))
        fail_msg("%s", err.message);
    for (int i = 0; i <= 40; i++)
        for (int j = 0; j <= 40; j++) {
            double a = i / 4.0, b = -2 + j / 10.0, x[2] = {a / 5 - 1, b / 2}, score = NAN, wanted = f(a, b);

            c->ops->scores(c, x, 1, &score);
            if (!(fabs(score - wanted) < 1e-12 * fmax(1, fabs(wanted))))
                fail_msg("at %g, %g: score %.17g, expected %.17g", a, b, score, wanted);
        }
    c->ops->free(c);
    free_codec(codec);
}

static void start(net *n, int64_t opset)
{
    const float w1[] = {1, -1, 2, 0.5f}, b1[] = {-4, 1}, w2[] = {1, 2, -3, 1}, out[] = {1, -2};

    *n = (net){.opset = opset};
    net_input(n, "x", ONNX_FLOAT, 0, 2);
    net_floats(n, "w1", 2, 2, w1);
    net_floats(n, "b1", 2, 0, b1);
    net_floats(n, "w2", 2, 2, w2);
    net_floats(n, "out", 2, 1, out);
    net_node(n, "Gemm", "x,w1,b1", "h", NULL); /* a + 2 b - 4, -a + b / 2 + 1 */
}

static double h1(double a, double b)
{
    return a + 2 * b - 4;
}

static double h2(double a, double b)
{
    return -a + b / 2 + 1;
}

static double relu(double v)
{
    return fmax(v, 0);
}

static double leaky(double v)
{
    return v > 0 ? v : 0.25 * v;
}

static double leaky_meaning(double a, double b)
{
    return leaky(h1(a, b)) - 2 * leaky(h2(a, b));
}

static void onnx_layers__leaky_relu(void **state)
{
    static net n;
    pb alpha = {.size = 0};

    (void)state;
    start(&n, 13);
    attr_float(&alpha, "alpha", 0.25f);
    net_node(&n, "LeakyRelu", "h", "r", &alpha);
    net_node(&n, "MatMul", "r,out", "y", NULL);
    net_output(&n, "y");
    expect_everywhere(&n, leaky_meaning);
}

static double clip(double v, double low, double high)
{
    return fmin(fmax(v, low), high);
}

static double clip_meaning(double a, double b)
{
    return clip(h1(a, b), -1, 2.5) - 2 * clip(h2(a, b), -1, 2.5);
}

static double clip_low_meaning(double a, double b)
{
    return clip(h1(a, b), -1, INFINITY) - 2 * clip(h2(a, b), -1, INFINITY);
}

static double clip_high_meaning(double a, double b)
{
    return clip(h1(a, b), -INFINITY, 2.5) - 2 * clip(h2(a, b), -INFINITY, 2.5);
}

/* Bounds as inputs and, in older sets, as attributes; both, or one of them. */
static void onnx_layers__clip(void **state)
{
    const float low = -1, high = 2.5f;
    static net n;
    pb bounds = {.size = 0};

    (void)state;
    start(&n, 13);
    net_floats(&n, "low", 0, 0, &low);
    net_floats(&n, "high", 0, 0, &high);
    net_node(&n, "Clip", "h,low,high", "r", NULL);
    net_node(&n, "MatMul", "r,out", "y", NULL);
    net_output(&n, "y");
    expect_everywhere(&n, clip_meaning);
    start(&n, 10);
    attr_float(&bounds, "min", low);
    net_node(&n, "Clip", "h", "r", &bounds);
    net_node(&n, "MatMul", "r,out", "y", NULL);
    net_output(&n, "y");
    expect_everywhere(&n, clip_low_meaning);
    start(&n, 13);
    net_floats(&n, "high", 0, 0, &high);
    net_node(&n, "Clip", "h,,high", "r", NULL);
    net_node(&n, "MatMul", "r,out", "y", NULL);
    net_output(&n, "y");
    expect_everywhere(&n, clip_high_meaning);
}

static double normal_meaning(double a, double b)
{
    double e = (double)0.25f;

    return relu((h1(a, b) - 1) / sqrt(2 + e) * 3 + 0.5) - 2 * relu((h2(a, b) + 2) / sqrt(0.5 + e) * -1 - 1);
}

static void onnx_layers__batch_normalization(void **state)
{
    const float scale[] = {3, -1}, shift[] = {0.5f, -1}, mean[] = {1, -2}, var[] = {2, 0.5f};
    static net n;
    pb epsilon = {.size = 0};

    (void)state;
    start(&n, 13);
    net_floats(&n, "scale", 2, 0, scale);
    net_floats(&n, "shift", 2, 0, shift);
    net_floats(&n, "mean", 2, 0, mean);
    net_floats(&n, "var", 2, 0, var);
    attr_float(&epsilon, "epsilon", 0.25f);
    net_node(&n, "BatchNormalization", "h,scale,shift,mean,var", "m", &epsilon);
    net_node(&n, "Relu", "m", "r", NULL);
    net_node(&n, "MatMul", "r,out", "y", NULL);
    net_output(&n, "y");
    expect_everywhere(&n, normal_meaning);
}

static double g1(double a, double b)
{
    return relu(relu(h1(a, b)) - 3 * relu(h2(a, b)));
}

static double g2(double a, double b)
{
    return relu(2 * relu(h1(a, b)) + relu(h2(a, b)));
}

/* Past two layers: values that may be negative, and what is left of them after the second. */
static double residual_meaning(double a, double b)
{
    return relu(g1(a, b) + a) - 2 * relu(g2(a, b) + b) + relu(h1(a, b)) + relu(h2(a, b));
}

static void onnx_layers__residual_connections(void **state)
{
    const float both[] = {1, 1};
    static net n;

    (void)state;
    start(&n, 13);
    net_floats(&n, "both", 2, 1, both);
    net_node(&n, "Relu", "h", "r1", NULL);
    net_node(&n, "MatMul", "r1,w2", "h2", NULL);
    net_node(&n, "Relu", "h2", "r2", NULL);
    net_node(&n, "Add", "r2,x", "s", NULL); /* from two layers before */
    net_node(&n, "Relu", "s", "r3", NULL);
    net_node(&n, "MatMul", "r3,out", "y1", NULL);
    net_node(&n, "MatMul", "r1,both", "y2", NULL);
    net_node(&n, "Add", "y2,y1", "y", NULL); /* from two layers before, never negative */
    net_output(&n, "y");
    expect_everywhere(&n, residual_meaning);
}

static double branches_meaning(double a, double b)
{
    return relu(h1(a, b)) - 2 * relu(h2(a, b)) + 3 * relu(a - b) - g1(a, b) - a;
}

/* Layers side by side that nothing shares, of different depth, brought together by Concat and Sub. */
static void onnx_layers__branches_of_different_layers(void **state)
{
    const float one[] = {1, -1}, weights[] = {1, -2, 3}, first[] = {1, 0};
    static net n;
    pb axis = {.size = 0};

    (void)state;
    start(&n, 13);
    attr_int(&axis, "axis", 1);
    net_floats(&n, "one", 2, 1, one);
    net_floats(&n, "first", 2, 1, first);
    net_floats(&n, "weights", 3, 1, weights);
    net_node(&n, "Relu", "h", "r1", NULL);
    net_node(&n, "MatMul", "x,one", "d", NULL);
    net_node(&n, "Relu", "d", "q1", NULL);
    net_node(&n, "Concat", "r1,q1", "c", &axis);
    net_node(&n, "MatMul", "c,weights", "y1", NULL);
    net_node(&n, "MatMul", "r1,w2", "h2", NULL);
    net_node(&n, "Relu", "h2", "r2", NULL);
    net_node(&n, "MatMul", "r2,first", "y2", NULL);
    net_node(&n, "Sub", "y1,y2", "y3", NULL);
    net_node(&n, "MatMul", "x,first", "y4", NULL);
    net_node(&n, "Sub", "y3,y4", "y", NULL);
    net_output(&n, "y");
    expect_everywhere(&n, branches_meaning);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(onnx_layers__leaky_relu),
        cmocka_unit_test(onnx_layers__clip),
        cmocka_unit_test(onnx_layers__batch_normalization),
        cmocka_unit_test(onnx_layers__residual_connections),
        cmocka_unit_test(onnx_layers__branches_of_different_layers),
    };

    return cmocka_run_group_tests_name("onnx_layers", tests, NULL, NULL);
}
