/*
 * test_onnx_refusals.c -- every way in which an ONNX file is refused, with its message, and files that are damaged.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "make_onnx.h"
#include "onnx_memory.h"
#include "onnx_tests.h"

static void refuse_bytes(const void *bytes, size_t size, const char *schema, const char *expected)
{
    tct_codec *codec = make_codec(schema);
    tct_classifier *c = NULL;
    tacit_error err = {0};

    assert_int_equal(tct_onnx_parse(&c, bytes, size, "net.onnx", codec, NULL, NAN, &err), TACIT_E_INPUT);
    assert_null(c);
    assert_string_equal(err.message, expected);
    assert_int_equal(tct_onnx_parse(&c, bytes, size, "net.onnx", codec, NULL, NAN, NULL), TACIT_E_INPUT);
    free_codec(codec);
}

static void refuse(const net *n, const char *expected)
{
    pb file = {.size = 0};

    net_model(n, &file);
    refuse_bytes(file.bytes, file.size, TWO, expected);
}

/* x of two numbers; w [2, 1], w2 [2, 2], c [3], one [1]. */
static void start(net *n)
{
    const float w[] = {1, 2}, w2[] = {1, 2, 3, 4}, c[] = {1, 2, 3}, one[] = {1}, zero[] = {0};

    n->graph.size = 0;
    n->opset = 0;
    net_input(n, "x", ONNX_FLOAT, 0, 2);
    net_floats(n, "w", 2, 1, w);
    net_floats(n, "w2", 2, 2, w2);
    net_floats(n, "c", 3, 0, c);
    net_floats(n, "one", 1, 0, one);
    net_floats(n, "zero", 1, 0, zero);
}

/* ---- the file ---- */

#define NO_ONNX "net.onnx: not an ONNX file, or a damaged one, nor a model file of XGBoost, LightGBM or CatBoost"

static void onnx__refuses_what_is_no_onnx(void **state)
{
    const char text[] = "age,income\n1,2\n";

    (void)state;
    refuse_bytes("", 0, TWO, NO_ONNX);
    refuse_bytes(text, sizeof(text) - 1, TWO, NO_ONNX);
}

/* Cut anywhere: refused or, where the end was not needed, read; never anything worse. */
static void onnx__survives_cuts_and_flipped_bits(void **state)
{
    static net n;
    pb file = {.size = 0};
    tct_codec *codec = make_codec(TWO);
    size_t accepted = 0;

    (void)state;
    start(&n);
    net_node(&n, "MatMul", "x,w2", "h", NULL);
    net_node(&n, "Relu", "h", "r", NULL);
    net_node(&n, "MatMul", "r,w", "y", NULL);
    net_output(&n, "y");
    net_model(&n, &file);
    for (size_t size = 0; size <= file.size; size++) {
        tct_classifier *c = NULL;
        if (tct_onnx_parse(&c, file.bytes, size, "net.onnx", codec, NULL, NAN, NULL) == TACIT_OK)
            accepted++;
        if (c)
            c->ops->free(c);
    }
    assert_int_equal(accepted, 1);
    for (size_t bit = 0; bit < 8 * file.size; bit++) {
        tct_classifier *c = NULL;
        tacit_error err = {0};
        file.bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        if (tct_onnx_parse(&c, file.bytes, file.size, "net.onnx", codec, NULL, NAN, &err))
            assert_true(c == NULL && err.message[0]);
        else
            c->ops->free(c);
        file.bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
    free_codec(codec);
}

/* Every allocation fails once, the decoder's too. */
static void onnx__survives_lack_of_memory(void **state)
{
    static net n;
    pb file = {.size = 0}, axis = {.size = 0}, t = {.size = 0};

    (void)state;
    start(&n);
    tensor_head(&t, "names", ONNX_STRING, 2, 0);
    pb_texts(&t, 6, "no,yes");
    net_tensor(&n, &t);
    attr_int(&axis, "axis", 1);
    net_node(&n, "MatMul", "x,w2", "h", NULL);
    net_node(&n, "Relu", "h", "r", NULL);
    net_node(&n, "Mul", "r,one", "m", NULL);
    net_node(&n, "MatMul", "m,w2", "s", NULL);
    net_node(&n, "Softmax", "s", "p", NULL);
    net_node(&n, "ArgMax", "p", "i", &axis);
    net_node(&n, "ml:ArrayFeatureExtractor", "names,i", "y", NULL);
    net_output(&n, "y");
    net_model(&n, &file);
    onnx_fail_once(TWO, file.bytes, file.size, 50);
}

static void onnx__refuses_old_operator_sets(void **state)
{
    static net n;

    (void)state;
    start(&n);
    n.opset = 6;
    net_node(&n, "MatMul", "x,w", "y", NULL);
    net_output(&n, "y");
    refuse(&n, "net.onnx: operator set 6; 7 and later are read");
}

/* ---- operators ---- */

#define SUPPORTED                                                                                                      \
    "supported are Add, ArgMax, ArrayFeatureExtractor, BatchNormalization, Cast, Clip, Concat, Constant, Div, "        \
    "FeatureVectorizer, Flatten, Gather, Gemm, Identity, Imputer, LabelEncoder, LeakyRelu, LinearClassifier, "         \
    "LogSoftmax, MatMul, Mul, Normalizer, OneHotEncoder, Relu, Reshape, Scaler, Sigmoid, Softmax, Squeeze, Sub, "      \
    "TreeEnsembleClassifier, Unsqueeze, ZipMap"

static void onnx__refuses_unknown_operators_by_name(void **state)
{
    static net n;

    (void)state;
    start(&n);
    net_node(&n, "MatMul", "x,w2", "h", NULL);
    net_node(&n, "Tanh", "h", "y", NULL);
    net_output(&n, "y");
    refuse(&n, "net.onnx: node 2 (Tanh): this operator is not supported; " SUPPORTED);
    start(&n);
    net_node(&n, "ml:TreeEnsembleRegressor", "x", "y", NULL);
    refuse(&n, "net.onnx: node 1 (TreeEnsembleRegressor): this operator is not supported; " SUPPORTED);
    start(&n);
    net_node(&n, "Scaler", "x", "y", NULL); /* not of that domain */
    refuse(&n, "net.onnx: node 1 (Scaler): this operator is not supported; " SUPPORTED);
    start(&n);
    net_node(&n, "other:Gemm", "x,w", "y", NULL);
    refuse(&n, "net.onnx: node 1 (Gemm): operators of domain 'com.example' are not supported; " SUPPORTED);
}

/* Nodes and what is said about the last of them. */
typedef struct bad_node {
    const char *nodes[4][3]; /* operator, inputs, outputs */
    const char *expected;
} bad_node;

static const bad_node BAD_NODES[] = {
    {{{"MatMul", "x,nobody", "y"}}, "node 1 (MatMul): reads 'nobody', which nothing before it makes"},
    {{{"Relu", "z", "y"}, {"Relu", "y", "z"}}, "node 1 (Relu): reads 'z', which nothing before it makes"}, /* a cycle */
    {{{"MatMul", "x,w", "y"}, {"MatMul", "x,w", "y"}}, "node 2 (MatMul): 'y' is defined twice"},
    {{{"MatMul", "x", "y"}}, "node 1 (MatMul): has 1 inputs"},
    {{{"Relu", "x,w", "y"}}, "node 1 (Relu): has 2 inputs"},
    {{{"MatMul", ",w", "y"}}, "node 1 (MatMul): input 1 is missing"},
    {{{"MatMul", "w,x", "y"}}, "node 1 (MatMul): input 1 is a constant; expected what comes from the network's inputs"},
    {{{"MatMul", "x,x", "y"}}, "node 1 (MatMul): input 2: expected constant numbers"},
    {{{"MatMul", "x,c", "y"}}, "node 1 (MatMul): a matrix of shape [3] does not fit rows of 2"},
    {{{"MatMul", "x,w", "h"}, {"MatMul", "h,w2", "y"}},
     "node 2 (MatMul): a matrix of shape [2, 2] does not fit rows of 1"},
    {{{"Gemm", "x,w2,c", "y"}}, "node 1 (Gemm): a constant of shape [3] does not fit rows of 2"},
    {{{"Gemm", "x,w2,w", "y"}}, "node 1 (Gemm): a constant of shape [2, 1] does not fit rows of 2"},
    {{{"Add", "x,c", "y"}}, "node 1 (Add): a constant of shape [3] does not fit rows of 2"},
    {{{"Add", "w,c", "y"}}, "node 1 (Add): both inputs are constants; export the network with constants folded"},
    {{{"Mul", "x,x", "y"}}, "node 1 (Mul): both inputs depend on the network's inputs, which is not piecewise linear"},
    {{{"Div", "one,x", "y"}},
     "node 1 (Div): divides by what depends on the network's inputs, which is not piecewise linear"},
    {{{"Div", "x,zero", "y"}}, "node 1 (Div): divides by 0"},
    {{{"MatMul", "x,w", "h"}, {"Add", "x,h", "y"}}, "node 2 (Add): rows of 2 and of 1 do not fit"},
    {{{"Softmax", "x", "p"}, {"MatMul", "p,w", "y"}},
     "node 2 (MatMul): input 1 has gone through Softmax (node 1), which is not piecewise linear"},
    {{{"Sigmoid", "x", "p"}, {"Relu", "p", "y"}},
     "node 2 (Relu): input 1 has gone through Sigmoid (node 1), which is not piecewise linear"},
    {{{"MatMul", "x,w", "h"}, {"Softmax", "h", "y"}}, "node 2 (Softmax): of a single number is always 1"},
    {{{"Concat", "x,x", "y"}}, "node 1 (Concat): axis 0 goes across people; expected 1 or -1"},
    {{{"ArgMax", "x", "y"}}, "node 1 (ArgMax): axis 0 goes across people; expected 1 or -1"},
    {{{"Reshape", "x,c", "y"}}, "node 1 (Reshape): to 3 numbers of shape [3] does not keep one row of 2 per person"},
    {{{"Reshape", "x,zero", "y"}}, "node 1 (Reshape): to 1 numbers of shape [1] does not keep one row of 2 per person"},
    {{{"Cast", "x", "y"}}, "node 1 (Cast): to undefined would lose what lies between; float and double are possible"},
    {{{"Constant", "", "y"}}, "node 1 (Constant): attribute value: expected a tensor"},
    {{{"ml:ArrayFeatureExtractor", "c,x", "y"}},
     "node 1 (ArrayFeatureExtractor): is understood where it picks columns, or the names of classes from a constant by "
     "ArgMax"},
    {{{"ml:LabelEncoder", "x", "y"}},
     "node 1 (LabelEncoder): attribute 'a' is a number in the schema; let it be a category whose levels are the values "
     "that this operator knows"},
    {{{"ml:ZipMap", "x", "y"}}, "node 1 (ZipMap): 0 names for 2 numbers"},
    {{{"ml:Normalizer", "x", "y"}},
     "node 1 (Normalizer): of the network's inputs is not linear; it is understood after the scores only"},
    {{{"MatMul", "x,w2", "s"}, {"ml:Normalizer", "s", "y"}},
     "node 2 (Normalizer): by the largest score turns their order around where all are negative"},
    {{{"ml:LinearClassifier", "x", "y,p"}}, "node 1 (LinearClassifier): 0 coefficients do not make rows of 2"},
};

static void onnx__refuses_nodes_that_do_not_fit(void **state)
{
    static net n;

    (void)state;
    for (size_t k = 0; k < sizeof(BAD_NODES) / sizeof(*BAD_NODES); k++) {
        char expected[600];
        start(&n);
        for (size_t i = 0; i < 4 && BAD_NODES[k].nodes[i][0]; i++)
            net_node(&n, BAD_NODES[k].nodes[i][0], BAD_NODES[k].nodes[i][1], BAD_NODES[k].nodes[i][2], NULL);
        net_output(&n, "y");
        snprintf(expected, sizeof(expected), "net.onnx: %s", BAD_NODES[k].expected);
        refuse(&n, expected);
    }
}

static void refuse_node(const char *op, const char *inputs, const pb *attributes, const char *expected)
{
    static net n;

    start(&n);
    net_node(&n, op, inputs, "y,p", attributes);
    net_output(&n, "y");
    refuse(&n, expected);
}

static void onnx__refuses_attributes(void **state)
{
    const float five[] = {1, 2, 3, 4, 5}, bad[] = {1, INFINITY};
    pb a = {.size = 0};

    (void)state;
    attr_int(&a, "activation", 1);
    refuse_node("Gemm", "x,w", &a, "net.onnx: node 1 (Gemm): attribute 'activation' is not supported");
    a.size = 0;
    attr_int(&a, "transA", 1);
    refuse_node("Gemm", "x,w", &a, "net.onnx: node 1 (Gemm): its first input must have one row per person (transA 0)");
    a.size = 0;
    attr_float(&a, "alpha", NAN);
    refuse_node("Gemm", "x,w", &a, "net.onnx: node 1 (Gemm): attribute alpha: expected a finite number");
    a.size = 0;
    attr_text(&a, "transB", "yes");
    refuse_node("Gemm", "x,w", &a, "net.onnx: node 1 (Gemm): attribute transB: expected a whole number");
    a.size = 0;
    attr_floats(&a, "scale", five, 5);
    refuse_node("ml:Scaler", "x", &a, "net.onnx: node 1 (Scaler): scale has 5 numbers, but rows have 2");
    a.size = 0;
    attr_floats(&a, "offset", bad, 2);
    refuse_node("ml:Scaler", "x", &a, "net.onnx: node 1 (Scaler): attribute offset holds a number that is not finite");
    a.size = 0;
    attr_int(&a, "to", ONNX_FLOAT16);
    refuse_node("Cast", "x", &a,
                "net.onnx: node 1 (Cast): to float16 would lose what lies between; float and double are possible");
    a.size = 0;
    attr_int(&a, "to", INT64_MIN);
    refuse_node("Cast", "x", &a,
                "net.onnx: node 1 (Cast): to of an unknown type would lose what lies between; float and double are "
                "possible");
    a.size = 0;
    attr_int(&a, "axis", 1);
    attr_int(&a, "select_last_index", 1);
    refuse_node("ArgMax", "x", &a,
                "net.onnx: node 1 (ArgMax): select_last_index must be 0: ties go to the first class");
    a.size = 0;
    attr_text(&a, "norm", "L3");
    refuse_node("ml:Normalizer", "x", &a, "net.onnx: node 1 (Normalizer): unknown norm 'L3'");
}

static void onnx__refuses_linear_classifiers(void **state)
{
    const float four[] = {1, 2, 3, 4};
    pb a = {.size = 0};

    (void)state;
    attr_floats(&a, "coefficients", four, 4);
    refuse_node("ml:LinearClassifier", "x", &a,
                "net.onnx: node 1 (LinearClassifier): 2 rows of coefficients for 0 classes");
    attr_floats(&a, "intercepts", four, 3);
    refuse_node("ml:LinearClassifier", "x", &a,
                "net.onnx: node 1 (LinearClassifier): 3 intercepts for 2 rows of coefficients");
    a.size = 0;
    attr_text(&a, "post_transform", "PROBIT");
    refuse_node("ml:LinearClassifier", "x", &a,
                "net.onnx: node 1 (LinearClassifier): post_transform 'PROBIT' is not supported; NONE, LOGISTIC and "
                "SOFTMAX are");
}

static void onnx__refuses_too_many_layers(void **state)
{
    static net n;
    char from[16] = "x", to[16];

    (void)state;
    start(&n);
    for (int i = 1; i <= 16; i++) {
        char inputs[32];
        snprintf(to, sizeof(to), "h%d", i);
        net_node(&n, "Relu", from, to, NULL);
        snprintf(inputs, sizeof(inputs), "%s,w2", to);
        snprintf(from, sizeof(from), "g%d", i);
        net_node(&n, "MatMul", inputs, from, NULL);
    }
    net_output(&n, from);
    refuse(&n, "net.onnx: node 31 (Relu): more than 16 layers");
}

/* ---- constants ---- */

static void refuse_tensor(const pb *tensor, const char *expected)
{
    static net n;

    start(&n);
    net_tensor(&n, tensor);
    refuse(&n, expected);
}

static void onnx__refuses_tensors(void **state)
{
    const float numbers[] = {1, NAN};
    const int64_t huge = (int64_t)1 << 60;
    pb t = {.size = 0};

    (void)state;
    tensor_head(&t, "t", ONNX_FLOAT, 2, 2);
    pb_block(&t, 4, numbers, 8);
    refuse_tensor(&t, "net.onnx: initializer 't' of shape [2, 2] needs 4 elements, but has 2");
    t.size = 0;
    tensor_head(&t, "t", ONNX_FLOAT, 3, 0);
    pb_block(&t, 9, numbers, 8);
    refuse_tensor(&t, "net.onnx: initializer 't' of shape [3] needs 12 bytes, but has 8");
    t.size = 0;
    tensor_head(&t, "t", ONNX_FLOAT, 2, 0);
    pb_block(&t, 9, numbers, 8);
    refuse_tensor(&t, "net.onnx: initializer 't' holds a number that is not finite");
    t.size = 0;
    tensor_head(&t, "t", ONNX_FLOAT16, 2, 0);
    refuse_tensor(&t, "net.onnx: initializer 't' is float16; float, double, int32, int64 and string are read");
    t.size = 0;
    tensor_head(&t, "t", -7, 2, 0);
    refuse_tensor(&t,
                  "net.onnx: initializer 't' is of an unknown type; float, double, int32, int64 and string are read");
    t.size = 0;
    tensor_head(&t, "t", ONNX_FLOAT, -2, 3);
    refuse_tensor(&t, "net.onnx: initializer 't': dimension 1 is -2, expected 1 or more");
    t.size = 0;
    tensor_head(&t, "t", ONNX_FLOAT, huge, huge);
    refuse_tensor(&t, "net.onnx: initializer 't' has more than 134217728 elements");
    t.size = 0;
    tensor_head(&t, "t", ONNX_FLOAT, 100000, 100000);
    refuse_tensor(&t, "net.onnx: initializer 't' has more than 134217728 elements");
    t.size = 0;
    tensor_head(&t, "t", ONNX_FLOAT, 1 << 13, 1 << 13); /* within the limit, but nothing is there */
    refuse_tensor(&t, "net.onnx: initializer 't' of shape [8192, 8192] needs 67108864 elements, but has 0");
    t.size = 0;
    for (int i = 0; i < 9; i++)
        pb_int(&t, 1, 1);
    tensor_head(&t, "t", ONNX_FLOAT, 0, 0);
    refuse_tensor(&t, "net.onnx: initializer 't' has 9 dimensions; at most 8 are read");
    t.size = 0;
    tensor_head(&t, "t", ONNX_INT64, 1, 0);
    pb_block(&t, 9, &huge, 8);
    refuse_tensor(&t, "net.onnx: initializer 't' holds a whole number beyond 2^53");
    t.size = 0;
    tensor_head(&t, "t", ONNX_FLOAT, 1, 0);
    pb_int(&t, 14, 1);
    refuse_tensor(&t, "net.onnx: initializer 't' is kept in another file; save the network in one file");
    t.size = 0;
    tensor_head(&t, "w", ONNX_FLOAT, 1, 0);
    pb_block(&t, 4, numbers, 4);
    refuse_tensor(&t, "net.onnx: 'w' is defined twice");
}

/* ---- inputs, outputs, classes ---- */

static void refuse_input(int type, int64_t rows, int64_t columns, const char *expected)
{
    static net n;

    n.graph.size = 0;
    net_input(&n, "x", type, rows, columns);
    net_output(&n, "x");
    refuse(&n, expected);
}

static void onnx__refuses_inputs(void **state)
{
    (void)state;
    refuse_input(ONNX_FLOAT, 0, 3,
                 "net.onnx: the model reads 3 numbers, but the schema makes 2: one of every number, integer and "
                 "ordinal category, one of every level of a one-hot category");
    refuse_input(ONNX_FLOAT, 0, 1,
                 "net.onnx: the model reads 1 numbers, but the schema makes 2: one of every number, integer and "
                 "ordinal category, one of every level of a one-hot category");
    refuse_input(ONNX_FLOAT, 0, -5, "net.onnx: input 'x': dimension 2 is -5, expected 1 to 8192");
    refuse_input(ONNX_FLOAT, 0, INT64_MAX,
                 "net.onnx: input 'x': dimension 2 is 9223372036854775807, expected 1 to 8192");
    refuse_input(ONNX_STRING, 0, 2, "net.onnx: input 'x' reads texts, but attribute 'a' is no category");
    refuse_input(ONNX_FLOAT16, 0, 2, "net.onnx: input 'x' is float16; float, double, int32, int64 and string are read");
    refuse_input(ONNX_INT64, 0, 2, "net.onnx: input 'x' reads whole numbers, but attribute 'a' is a number");
}

static void onnx__refuses_to_calculate_with_integers(void **state)
{
    const float w[] = {1, 1, 1, 1, 1};
    static net n;
    pb file = {.size = 0};

    (void)state;
    n.graph.size = 0;
    net_input(&n, "x", ONNX_INT64, 0, 5);
    net_floats(&n, "w", 5, 1, w);
    net_node(&n, "Div", "x,w", "y", NULL);
    net_output(&n, "y");
    net_model(&n, &file);
    refuse_bytes(file.bytes, file.size, MIXED_TWO,
                 "net.onnx: node 1 (Div): input 1 is of an integer type; a Cast to float must come first");
}

static void onnx__refuses_outputs(void **state)
{
    static net n;

    (void)state;
    start(&n);
    refuse(&n, "net.onnx: the graph has no output");
    net_output(&n, "nobody");
    refuse(&n, "net.onnx: output 'nobody' is made by no node");
    start(&n);
    net_output(&n, "w");
    refuse(&n, "net.onnx: output 'w' is neither scores nor probabilities nor a label");
    start(&n);
    net_node(&n, "MatMul", "x,w2", "y", NULL);
    net_output(&n, "y");
    net_output(&n, "x");
    refuse(&n, "net.onnx: outputs 'y' and 'x' come from different scores: which one decides?");
}

static void onnx__refuses_classes_that_do_not_fit(void **state)
{
    static net n;
    pb names = {.size = 0}, file = {.size = 0};

    (void)state;
    start(&n);
    net_node(&n, "MatMul", "x,w2", "s", NULL);
    attr_texts(&names, "classlabels_strings", "no,maybe");
    net_node(&n, "ml:ZipMap", "s", "y", &names);
    net_output(&n, "y");
    refuse(&n, "net.onnx: the network knows a class 'maybe', which is not a class of y in the schema");
    start(&n);
    names.size = 0;
    net_node(&n, "MatMul", "x,w2", "s", NULL);
    attr_texts(&names, "classlabels_strings", "no,no");
    net_node(&n, "ml:ZipMap", "s", "y", &names);
    net_output(&n, "y");
    refuse(&n, "net.onnx: the network names class 'no' twice");
    n.graph.size = 0;
    net_input(&n, "x", ONNX_FLOAT, 0, 5);
    net_output(&n, "x");
    net_model(&n, &file);
    refuse_bytes(file.bytes, file.size, MIXED_THREE,
                 "net.onnx: the network tells 5 classes apart, but column y of the schema has 3");
}

static void onnx__refuses_numbers_that_overflow(void **state)
{
    const double w[] = {1e300, 1e300};
    static net n;

    (void)state;
    start(&n);
    net_raw(&n, "big", ONNX_DOUBLE, 2, 0, w, sizeof(w));
    net_node(&n, "Mul", "x,big", "a", NULL);
    net_node(&n, "Mul", "a,big", "b", NULL);
    net_node(&n, "MatMul", "b,w", "y", NULL);
    net_output(&n, "y");
    {
        tct_codec *codec = make_codec(TWO);
        tct_classifier *c = NULL;
        tacit_error err = {0};
        pb file = {.size = 0};

        net_model(&n, &file);
        assert_int_equal(tct_onnx_parse(&c, file.bytes, file.size, "net.onnx", codec, NULL, NAN, &err), TACIT_E_INPUT);
        assert_null(c);
        assert_int_equal(strncmp(err.message, "net.onnx: ", 10), 0);
        free_codec(codec);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(onnx__refuses_what_is_no_onnx),
        cmocka_unit_test(onnx__survives_cuts_and_flipped_bits),
        cmocka_unit_test(onnx__survives_lack_of_memory),
        cmocka_unit_test(onnx__refuses_old_operator_sets),
        cmocka_unit_test(onnx__refuses_unknown_operators_by_name),
        cmocka_unit_test(onnx__refuses_nodes_that_do_not_fit),
        cmocka_unit_test(onnx__refuses_attributes),
        cmocka_unit_test(onnx__refuses_linear_classifiers),
        cmocka_unit_test(onnx__refuses_too_many_layers),
        cmocka_unit_test(onnx__refuses_tensors),
        cmocka_unit_test(onnx__refuses_inputs),
        cmocka_unit_test(onnx__refuses_to_calculate_with_integers),
        cmocka_unit_test(onnx__refuses_outputs),
        cmocka_unit_test(onnx__refuses_classes_that_do_not_fit),
        cmocka_unit_test(onnx__refuses_numbers_that_overflow),
    };

    return cmocka_run_group_tests_name("onnx_refusals", tests, NULL, NULL);
}
