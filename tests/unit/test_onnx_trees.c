/*
 * test_onnx_trees.c -- ensembles of trees in ONNX files: what decides, what comparisons mean after a pipeline, and what is
 * refused.  Whole models are compared in test_onnx_trees_golden.c.
 */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "make_onnx.h"
#include "memory.h"
#include "onnx_memory.h"
#include "onnx_tests.h"
#include "trees.h"

/* TWO with its classes the other way around. */
static const char TURNED[] =
    "{\"format\": \"tacit-schema\", \"version\": 1, \"label\": {\"name\": \"y\", \"classes\": [\"yes\", \"no\"]}, "
    "\"attributes\": [{\"name\": \"a\", \"type\": \"number\", \"min\": 0, \"max\": 10}, "
    "{\"name\": \"b\", \"type\": \"number\", \"min\": -2, \"max\": 2}]}";

/* An ensemble of stumps over column 0: x MODE value ? yes : no. */
typedef struct stumps {
    const char *modes, *labels, *transform;
    size_t n;
    int64_t ids[32], nodes[32], yes[32], no[32], features[32], tracks[32];
    float values[32];
    size_t n_weights;
    int64_t class_trees[32], class_nodes[32], classes[32];
    float weights[32];
    size_t n_base;
    float base[4];
} stumps;

static void attributes(const stumps *s, pb *a)
{
    a->size = 0;
    attr_ints(a, "nodes_treeids", s->ids, s->n);
    attr_ints(a, "nodes_nodeids", s->nodes, s->n);
    attr_ints(a, "nodes_truenodeids", s->yes, s->n);
    attr_ints(a, "nodes_falsenodeids", s->no, s->n);
    attr_ints(a, "nodes_featureids", s->features, s->n);
    attr_ints(a, "nodes_missing_value_tracks_true", s->tracks, s->n);
    attr_floats(a, "nodes_values", s->values, s->n);
    attr_texts(a, "nodes_modes", s->modes);
    attr_ints(a, "class_treeids", s->class_trees, s->n_weights);
    attr_ints(a, "class_nodeids", s->class_nodes, s->n_weights);
    attr_ints(a, "class_ids", s->classes, s->n_weights);
    attr_floats(a, "class_weights", s->weights, s->n_weights);
    attr_texts(a, "classlabels_strings", s->labels);
    if (s->transform)
        attr_text(a, "post_transform", s->transform);
    if (s->n_base > 0)
        attr_floats(a, "base_values", s->base, s->n_base);
}

/* One stump: x <= 5 ? 0.75 : 0.25, of the second of two classes. */
static stumps one_stump(void)
{
    return (stumps){.modes = "BRANCH_LEQ,LEAF,LEAF",
                    .labels = "no,yes",
                    .n = 3,
                    .nodes = {0, 1, 2},
                    .yes = {1},
                    .no = {2},
                    .values = {5},
                    .n_weights = 2,
                    .class_nodes = {1, 2},
                    .weights = {0.75f, 0.25f}};
}

/* A graph that is the ensemble; `front`: a node between, from x to z. */
static void make_net(net *n, const stumps *s, const char *front, const pb *front_attributes)
{
    static pb a;

    *n = (net){.opset = 13};
    net_input(n, "x", ONNX_FLOAT, 0, 2);
    if (front)
        net_node(n, front, "x", "z", front_attributes);
    attributes(s, &a);
    net_node(n, "ml:TreeEnsembleClassifier", front ? "z" : "x", "y,p", &a);
    net_output(n, "y");
}

static tct_classifier *parse_at(const net *n, const char *schema, double threshold)
{
    tct_codec *codec = make_codec(schema);
    tct_classifier *c = NULL;
    tacit_error err = {0};
    pb file = {.size = 0};

    net_model(n, &file);
    if (tct_onnx_parse(&c, file.bytes, file.size, "net.onnx", codec, NULL, threshold, &err))
        fail_msg("%s", err.message);
    free_codec(codec);
    return c;
}

static tct_classifier *parse(const net *n, const char *schema)
{
    return parse_at(n, schema, NAN);
}

/* The label of somebody whose first number is v; NaN: missing, which is the cell after all others. */
static size_t label_at(const tct_classifier *c, double v)
{
    const tct_trees *t = tct_as_trees(c);
    uint32_t cells[3] = {0};

    for (size_t i = 0; i < t->attributes[0].n_cuts; i++)
        cells[0] += isnan(v) || t->attributes[0].cuts[i] <= (t->single ? (double)(float)v : v);
    cells[0] += isnan(v);
    return tct_trees_label(t, cells);
}

static void refuse_text(const stumps *s, const char *expected)
{
    static net n;
    tct_codec *codec = make_codec(TWO);
    tct_classifier *c = NULL;
    tacit_error err = {0};
    pb file = {.size = 0};

    make_net(&n, s, NULL, NULL);
    net_model(&n, &file);
    assert_int_equal(tct_onnx_parse(&c, file.bytes, file.size, "net.onnx", codec, NULL, NAN, &err), TACIT_E_INPUT);
    assert_null(c);
    if (!strstr(err.message, expected))
        fail_msg("'%s', expected '%s'", err.message, expected);
    free_codec(codec);
}

/* ---- what decides ---- */

static void onnx_trees__two_classes_by_one_half(void **state)
{
    static net n;
    stumps s = one_stump();
    tct_classifier *c;

    (void)state;
    make_net(&n, &s, NULL, NULL);
    c = parse(&n, TWO);
    assert_int_equal(label_at(c, 5), 1);
    assert_int_equal(label_at(c, nextafterf(5, 6)), 0);
    c->ops->free(c);
    c = parse(&n, TURNED); /* "yes" is the first class there */
    assert_int_equal(label_at(c, 5), 0);
    assert_int_equal(label_at(c, nextafterf(5, 6)), 1);
    c->ops->free(c);
    s.weights[0] = 0.5f; /* not above one half */
    make_net(&n, &s, NULL, NULL);
    c = parse(&n, TWO);
    assert_int_equal(label_at(c, 5), 0);
    c->ops->free(c);
    c = parse(&n, TURNED);
    assert_int_equal(label_at(c, 5), 1);
    c->ops->free(c);
}

static void onnx_trees__two_classes_by_sign(void **state)
{
    static net n;
    stumps s = one_stump();
    tct_classifier *c;

    (void)state;
    s.transform = "LOGISTIC";
    s.weights[0] = -0.25f;
    s.weights[1] = 0.5f;
    s.n_base = 1;
    s.base[0] = 0.25f; /* 0 is not above 0 */
    make_net(&n, &s, NULL, NULL);
    c = parse(&n, TWO);
    assert_int_equal(label_at(c, 5), 0);
    assert_int_equal(label_at(c, 6), 1);
    c->ops->free(c);
    s.base[0] = nextafterf(0.25f, 1);
    make_net(&n, &s, NULL, NULL);
    c = parse(&n, TWO);
    assert_int_equal(label_at(c, 5), 1);
    c->ops->free(c);
}

/* The sum is the probability: the second class from the threshold on. */
static void onnx_trees__threshold_of_probabilities(void **state)
{
    static net n;
    stumps s = one_stump();
    tct_classifier *c;

    (void)state;
    s.weights[1] = 0.3f; /* a little above 0.3 */
    make_net(&n, &s, NULL, NULL);
    c = parse_at(&n, TWO, 0.3);
    assert_int_equal(label_at(c, 5), 1);
    assert_int_equal(label_at(c, 6), 1);
    c->ops->free(c);
    s.weights[1] = nextafterf(0.3f, 0);
    make_net(&n, &s, NULL, NULL);
    c = parse_at(&n, TWO, 0.3);
    assert_int_equal(label_at(c, 6), 0);
    c->ops->free(c);
    c = parse_at(&n, TWO, 0.75);
    assert_int_equal(label_at(c, 5), 1);
    c->ops->free(c);
    c = parse_at(&n, TWO, 0.76);
    assert_int_equal(label_at(c, 5), 0);
    c->ops->free(c);
}

/* The sum has the log-odds; proofs leave room for how the logistic function is rounded. */
static void onnx_trees__threshold_of_log_odds(void **state)
{
    static net n;
    stumps s = one_stump();
    tct_classifier *c;

    (void)state;
    s.transform = "LOGISTIC";
    s.weights[0] = -1; /* 0.269 */
    s.weights[1] = 1;  /* 0.731 */
    make_net(&n, &s, NULL, NULL);
    for (size_t k = 0; k < 3; k++) {
        c = parse_at(&n, TWO, (double[]){0.26, 0.5, 0.74}[k]);
        assert_int_equal(label_at(c, 5), k == 0);
        assert_int_equal(label_at(c, 6), k <= 1);
        assert_true(tct_as_trees(c)->slack > 1e-7);
        c->ops->free(c);
    }
}

static void refuse_threshold(const stumps *s, const char *schema, double threshold, const char *expected)
{
    static net n;
    tct_codec *codec = make_codec(schema);
    tct_classifier *c = NULL;
    tacit_error err = {0};
    pb file = {.size = 0};

    make_net(&n, s, NULL, NULL);
    net_model(&n, &file);
    assert_int_equal(tct_onnx_parse(&c, file.bytes, file.size, "net.onnx", codec, NULL, threshold, &err),
                     TACIT_E_INPUT);
    assert_null(c);
    if (!strstr(err.message, expected))
        fail_msg("'%s', expected '%s'", err.message, expected);
    free_codec(codec);
}

static void onnx_trees__refuses_thresholds_that_mean_nothing(void **state)
{
    stumps s = one_stump();

    (void)state;
    refuse_threshold(&s, TURNED, 0.3, "put the classes into the ensemble's order");
    s.transform = "LOGISTIC";
    s.weights[0] = -1;
    refuse_threshold(&s, TWO, 0.9999999, "cannot be told apart in single precision");
    s.transform = "SOFTMAX";
    refuse_threshold(&s, TWO, 0.3, "NONE or LOGISTIC");
}

/* Weights of both classes, each other's negative: runtimes agree about these. */
static void onnx_trees__mirrored_weights(void **state)
{
    static net n;
    stumps s = one_stump();
    tct_classifier *c;

    (void)state;
    s.n_weights = 4;
    memcpy(s.class_nodes, (int64_t[]){1, 1, 2, 2}, 4 * sizeof(int64_t));
    memcpy(s.classes, (int64_t[]){0, 1, 0, 1}, 4 * sizeof(int64_t));
    memcpy(s.weights, (float[]){-1, 1, 2, -2}, 4 * sizeof(float));
    make_net(&n, &s, NULL, NULL);
    c = parse(&n, TWO);
    assert_int_equal(label_at(c, 5), 1);
    assert_int_equal(label_at(c, 6), 0);
    c->ops->free(c);
    s.weights[0] = 1;
    refuse_text(&s, "two classes with weights of both");
}

/* The label by way of the probabilities, and their map beside it. */
static void onnx_trees__argmax_and_map_of_probabilities(void **state)
{
    static net n;
    stumps s = one_stump();
    tct_codec *codec = make_codec(TWO);
    tct_classifier *c = NULL;
    tacit_error err = {0};
    pb a = {.size = 0}, t = {.size = 0}, file = {.size = 0};

    (void)state;
    for (int round = 0; round < 2; round++) {
        if (round == 1) { /* where probabilities may round to one half */
            s.transform = "LOGISTIC";
            s.weights[1] = -1;
        }
        n = (net){.opset = 13};
        net_input(&n, "x", ONNX_FLOAT, 0, 2);
        t.size = a.size = file.size = 0;
        tensor_head(&t, "names", ONNX_STRING, 2, 0);
        pb_texts(&t, 6, "no,yes");
        net_tensor(&n, &t);
        attributes(&s, &a);
        net_node(&n, "ml:TreeEnsembleClassifier", "x", "y,p", &a);
        a.size = 0;
        attr_int(&a, "axis", 1);
        net_node(&n, "ArgMax", "p", "i", &a);
        net_node(&n, "ml:ArrayFeatureExtractor", "names,i", "z", NULL);
        a.size = 0;
        attr_texts(&a, "classlabels_strings", "no,yes");
        net_node(&n, "ml:ZipMap", "p", "m", &a);
        net_output(&n, "z");
        net_output(&n, "m");
        if (round == 0) {
            c = parse(&n, TWO);
            assert_int_equal(label_at(c, 5), 1);
            assert_int_equal(label_at(c, 6), 0);
            c->ops->free(c);
            continue;
        }
        net_model(&n, &file);
        assert_int_equal(tct_onnx_parse(&c, file.bytes, file.size, "net.onnx", codec, NULL, NAN, &err), TACIT_E_INPUT);
        assert_non_null(strstr(err.message, "(ArgMax): of an ensemble's probabilities after LOGISTIC"));
    }
    free_codec(codec);
}

/* ---- comparisons ---- */

/* Each mode at the threshold, beside it, and for a missing value that tracks true or does not. */
static void onnx_trees__modes(void **state)
{
    static const struct {
        const char *mode;
        int below, at, above, missing;
    } cases[] = {{"BRANCH_LEQ", 1, 1, 0, 0}, {"BRANCH_LT", 1, 0, 0, 0}, {"BRANCH_GTE", 0, 1, 1, 0},
                 {"BRANCH_GT", 0, 0, 1, 0},  {"BRANCH_EQ", 0, 1, 0, 0}, {"BRANCH_NEQ", 1, 0, 1, 1}};
    static net n;

    (void)state;
    for (size_t k = 0; k < 6; k++)
        for (int track = 0; track < 2; track++) {
            stumps s = one_stump();
            char modes[64];
            tct_classifier *c;

            snprintf(modes, sizeof modes, "%s,LEAF,LEAF", cases[k].mode);
            s.modes = modes;
            s.tracks[0] = track;
            make_net(&n, &s, NULL, NULL);
            c = parse(&n, TWO);
            assert_int_equal(label_at(c, nextafterf(5, 0)), cases[k].below);
            assert_int_equal(label_at(c, 5), cases[k].at);
            assert_int_equal(label_at(c, nextafterf(5, 9)), cases[k].above);
            assert_int_equal(label_at(c, NAN), cases[k].missing || track);
            c->ops->free(c);
        }
}

/* A split on "missing" alone, as histogram boosting writes it. */
static void onnx_trees__only_missing_goes_one_way(void **state)
{
    static net n;
    stumps s = one_stump();
    tct_classifier *c;

    (void)state;
    s.values[0] = INFINITY;
    make_net(&n, &s, NULL, NULL);
    c = parse(&n, TWO);
    assert_int_equal(label_at(c, -1e30), 1);
    assert_int_equal(label_at(c, 1e30), 1);
    assert_int_equal(label_at(c, NAN), 0);
    c->ops->free(c);
}

/* No integer is as large as that: all of them are on one side. */
static void onnx_trees__thresholds_beyond_all_integers(void **state)
{
    static net n;
    stumps s = one_stump();
    pb a = {.size = 0};
    tct_classifier *c;

    (void)state;
    s.values[0] = 1e20f;
    n = (net){.opset = 13};
    net_input(&n, "x", ONNX_FLOAT, 0, 5);
    attributes(&s, &a);
    net_node(&n, "ml:TreeEnsembleClassifier", "x", "y,p", &a);
    net_output(&n, "y");
    c = parse(&n, MIXED_TWO); /* whose first attribute is one */
    assert_int_equal(label_at(c, 78), 1);
    c->ops->free(c);
}

/* A scaler in single precision, rising or falling: the cut is the raw value at which its own arithmetic passes. */
static void onnx_trees__thresholds_go_back_through_a_scaler(void **state)
{
    static net n;

    (void)state;
    for (int turn = 0; turn < 2; turn++) {
        const float offset[] = {3.3f, 0}, scale[] = {turn ? -0.7f : 0.7f, 1};
        stumps s = one_stump();
        pb scaler = {.size = 0};
        tct_classifier *c;
        float v;

        s.values[0] = 0.123f;
        attr_floats(&scaler, "offset", offset, 2);
        attr_floats(&scaler, "scale", scale, 2);
        make_net(&n, &s, "ml:Scaler", &scaler);
        c = parse(&n, TWO);
        v = 0.123f / scale[0] + offset[0]; /* close to the cut */
        for (int i = 0; i < 50; i++)
            v = nextafterf(v, 0);
        for (int i = 0; i < 100; i++, v = nextafterf(v, 10)) {
            float seen = (v - offset[0]) * scale[0];

            assert_int_equal(label_at(c, v), seen <= 0.123f);
        }
        c->ops->free(c);
    }
}

/* A missing value goes where the number goes that stands for it. */
static void onnx_trees__imputed_values(void **state)
{
    static net n;

    (void)state;
    for (int large = 0; large < 2; large++) {
        const float by[] = {large ? 7 : 2, 0};
        stumps s = one_stump();
        pb imputer = {.size = 0};
        tct_classifier *c;

        s.tracks[0] = large; /* which it no longer does */
        attr_floats(&imputer, "imputed_value_floats", by, 2);
        attr_float(&imputer, "replaced_value_float", NAN);
        make_net(&n, &s, "ml:Imputer", &imputer);
        c = parse(&n, TWO);
        assert_int_equal(label_at(c, 4), 1);
        assert_int_equal(label_at(c, 6), 0);
        assert_int_equal(label_at(c, NAN), !large);
        c->ops->free(c);
    }
}

/* Levels that are numbers come in as floats, too: 0.1 is then not 0.1. */
static void onnx_trees__levels_are_rounded_like_numbers(void **state)
{
    static const char levels[] =
        "{\"format\": \"tacit-schema\", \"version\": 1, \"label\": {\"name\": \"y\", \"classes\": [\"no\", \"yes\"]}, "
        "\"attributes\": [{\"name\": \"a\", \"type\": \"category\", \"levels\": [\"0.1\", \"0.2\"]}, "
        "{\"name\": \"b\", \"type\": \"number\", \"min\": -2, \"max\": 2}]}";
    static net n;
    stumps s = one_stump();
    const uint32_t first[2] = {0, 0}, second[2] = {1, 0};
    tct_classifier *c;

    (void)state;
    s.modes = "BRANCH_EQ,LEAF,LEAF";
    s.values[0] = 0.1f;
    make_net(&n, &s, NULL, NULL);
    c = parse(&n, levels);
    assert_int_equal(tct_trees_label(tct_as_trees(c), first), 1);
    assert_int_equal(tct_trees_label(tct_as_trees(c), second), 0);
    c->ops->free(c);
}

/* "Is it 1?  2?  3?" doubles with every question, if answers are not remembered. */
static void onnx_trees__chains_of_equalities_stay_small(void **state)
{
    enum { LINKS = 15 };
    static net n;
    stumps s = {.labels = "no,yes", .n = 2 * LINKS + 1, .n_weights = LINKS + 1};
    char modes[1000] = "";
    tct_classifier *c;

    (void)state;
    for (int k = 0; k < LINKS; k++) {
        strncat(modes, "BRANCH_EQ,LEAF,", sizeof modes - strlen(modes) - 1);
        s.nodes[2 * k] = 2 * k;
        s.nodes[2 * k + 1] = 2 * k + 1;
        s.yes[2 * k] = 2 * k + 1;
        s.no[2 * k] = 2 * k + 2;
        s.values[2 * k] = (float)(k * 7 % LINKS);
        s.class_nodes[k] = 2 * k + 1;
        s.weights[k] = k % 2 ? 1 : 0.25f;
    }
    strncat(modes, "LEAF", sizeof modes - strlen(modes) - 1);
    s.modes = modes;
    s.nodes[2 * LINKS] = s.class_nodes[LINKS] = 2 * LINKS;
    make_net(&n, &s, NULL, NULL);
    c = parse(&n, TWO);
    assert_true(tct_as_trees(c)->n_nodes < 300);
    for (int k = 0; k < LINKS; k++)
        assert_int_equal(label_at(c, k * 7 % LINKS), k % 2);
    assert_int_equal(label_at(c, 0.5), 0);
    c->ops->free(c);
}

/* ---- refusals ---- */

static void onnx_trees__refuses_lists_that_do_not_fit(void **state)
{
    stumps s = one_stump();

    (void)state;
    s.modes = "BRANCH_LEQ,LEAF";
    refuse_text(&s, "its lists of nodes are not of one length");
    s.modes = "BRANCH_MEMBER,LEAF,LEAF";
    refuse_text(&s, "mode 'BRANCH_MEMBER' is not known");
    s = one_stump();
    s.nodes[2] = 1;
    refuse_text(&s, "node 1 of tree 0 is there twice");
    s = one_stump();
    s.no[0] = 7;
    refuse_text(&s, "a child of node 0 of tree 0 is not there");
    s.no[0] = 0;
    refuse_text(&s, "node 0 of tree 0 is reached in two ways");
    s.no[0] = 1;
    refuse_text(&s, "node 1 of tree 0 is reached in two ways");
    s = one_stump();
    s.ids[2] = 1;
    refuse_text(&s, "a child of node 0 of tree 0 is not there");
    s = one_stump();
    s.modes = "LEAF,LEAF,LEAF";
    s.class_nodes[0] = 0;
    refuse_text(&s, "tree 0 has nodes that are not reached from its first one");
    s = one_stump();
    s.values[0] = NAN;
    refuse_text(&s, "the threshold of node 0 of tree 0 is no number");
    s = one_stump();
    s.features[0] = 2;
    refuse_text(&s, "a node reads column 2; there are 2");
    s = one_stump();
    s.class_nodes[0] = 0;
    refuse_text(&s, "weight 1 is not of a leaf");
    s = one_stump();
    s.classes[0] = 2;
    refuse_text(&s, "weight 1 is of class 2; there are 2");
    s = one_stump();
    s.weights[0] = INFINITY;
    refuse_text(&s, "weight 1 is not finite");
    s = one_stump();
    s.class_nodes[1] = 1;
    refuse_text(&s, "a leaf of tree 0 has two weights for one class");
}

static void onnx_trees__refuses_what_runtimes_differ_about(void **state)
{
    stumps s = one_stump();

    (void)state;
    s.weights[0] = -1;
    refuse_text(&s, "post_transform NONE with weights of which some are negative: onnxruntime decides at 0");
    s = one_stump();
    s.transform = "LOGISTIC";
    refuse_text(&s, "post_transform LOGISTIC with weights of which none is negative: onnxruntime decides at 0.5");
    s.transform = "PROBIT";
    refuse_text(&s, "post_transform 'PROBIT' is not supported");
    s = one_stump();
    s.n_base = 2;
    refuse_text(&s, "two classes, weights of class 1 and 2 base_values");
    s = one_stump();
    s.labels = "yes";
    refuse_text(&s, "1 class labels; 2 to");
    s = one_stump();
    s.labels = "no,perhaps";
    refuse_text(&s, "a class 'perhaps', which is not a class of y");
}

static void onnx_trees__refuses_a_class_without_weights(void **state)
{
    static net n;
    stumps s = one_stump();
    tct_codec *codec = make_codec(MIXED_THREE);
    tct_classifier *c = NULL;
    tacit_error err = {0};
    pb file = {.size = 0}, a = {.size = 0};

    (void)state;
    s.labels = "ant,bee,cat";
    n = (net){.opset = 13};
    net_input(&n, "x", ONNX_FLOAT, 0, 5);
    attributes(&s, &a);
    net_node(&n, "ml:TreeEnsembleClassifier", "x", "y,p", &a);
    net_output(&n, "y");
    net_model(&n, &file);
    assert_int_equal(tct_onnx_parse(&c, file.bytes, file.size, "net.onnx", codec, NULL, NAN, &err), TACIT_E_INPUT);
    assert_non_null(strstr(err.message, "some people get no weight for class 2"));
    free_codec(codec);
}

/* Every allocation fails once, from a pipeline to the trees. */
static void onnx_trees__survives_lack_of_memory(void **state)
{
    const float offset[] = {1, 2}, scale[] = {2, 3}, by[] = {1, 1};
    static net n;
    stumps s = one_stump();
    pb file = {.size = 0}, a = {.size = 0};

    (void)state;
    n = (net){.opset = 13};
    net_input(&n, "x", ONNX_FLOAT, 0, 2);
    attr_floats(&a, "imputed_value_floats", by, 2);
    attr_float(&a, "replaced_value_float", NAN);
    net_node(&n, "ml:Imputer", "x", "i", &a);
    a.size = 0;
    attr_floats(&a, "offset", offset, 2);
    attr_floats(&a, "scale", scale, 2);
    net_node(&n, "ml:Scaler", "i", "z", &a);
    attributes(&s, &a);
    net_node(&n, "ml:TreeEnsembleClassifier", "z", "y,p", &a);
    net_output(&n, "y");
    net_model(&n, &file);
    onnx_fail_once(TWO, file.bytes, file.size, 80);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(onnx_trees__two_classes_by_one_half),
        cmocka_unit_test(onnx_trees__two_classes_by_sign),
        cmocka_unit_test(onnx_trees__threshold_of_probabilities),
        cmocka_unit_test(onnx_trees__threshold_of_log_odds),
        cmocka_unit_test(onnx_trees__refuses_thresholds_that_mean_nothing),
        cmocka_unit_test(onnx_trees__mirrored_weights),
        cmocka_unit_test(onnx_trees__argmax_and_map_of_probabilities),
        cmocka_unit_test(onnx_trees__modes),
        cmocka_unit_test(onnx_trees__only_missing_goes_one_way),
        cmocka_unit_test(onnx_trees__thresholds_beyond_all_integers),
        cmocka_unit_test(onnx_trees__thresholds_go_back_through_a_scaler),
        cmocka_unit_test(onnx_trees__imputed_values),
        cmocka_unit_test(onnx_trees__levels_are_rounded_like_numbers),
        cmocka_unit_test(onnx_trees__chains_of_equalities_stay_small),
        cmocka_unit_test(onnx_trees__refuses_lists_that_do_not_fit),
        cmocka_unit_test(onnx_trees__refuses_what_runtimes_differ_about),
        cmocka_unit_test(onnx_trees__refuses_a_class_without_weights),
        cmocka_unit_test(onnx_trees__survives_lack_of_memory),
    };

    return cmocka_run_group_tests_name("onnx_trees", tests, NULL, NULL);
}
