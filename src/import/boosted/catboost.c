/*
 * catboost.c -- reading the JSON models of CatBoost.
 *
 * Most trees are oblivious: one test for all nodes of a level.  Test i of a tree gives bit i of the place of its leaf,
 * so a tree of d tests has 2^d leaves, of one number for each score.  Here they become ordinary trees, without the
 * sides that no value can reach because a test above has decided already:
 *
 *     x > 3, then x > 5:   4 leaves, but "not above 3, above 5" is nobody's
 *
 * A number is rounded to single precision and goes right iff it is above the border; which doubles these are is worked
 * out for each border.  Leaves are doubles; they are added up in double precision, then scale and bias are applied.
 */
#include "catboost.h"

#include <math.h>
#include <string.h>

enum { MOST_TESTS = 16 }; /* of an oblivious tree: CatBoost's own limit */

/* A feature that is a number. */
typedef struct feature {
    size_t flat; /* its place among all features */
    bool missing_left;
} feature;

/* A file being read. */
typedef struct reader {
    tct_raw_trees *raw;
    const char *file;
    double threshold;
    const json_t *root;
    feature *features; /* by feature_index */
    size_t n_features;
    size_t width;       /* scores */
    double scale, bias; /* of the only score */
    tacit_error *err;
} reader;

/* A test. */
typedef struct test {
    size_t feature; /* flat */
    double cut;     /* numbers below it go left */
    bool missing_left;
} test;

static tacit_status refuse(const reader *r, const char *why)
{
    return tct_fail_at(r->err, TACIT_E_INPUT, r->file, 0, NULL, "CatBoost model: %s", why);
}

static const json_t *get(const json_t *object, const char *key)
{
    return json_object_get(object, key);
}

static bool read_count(const json_t *json, size_t *out)
{
    json_int_t v = json_integer_value(json);

    *out = (size_t)v;
    return json_is_integer(json) && v >= 0 && v < INT32_MAX;
}

static bool read_number(const json_t *json, double *out)
{
    *out = json_number_value(json);
    return json_is_number(json) && isfinite(*out);
}

/* ---- features ---- */

/* Categories, texts and so on have flat places as well; whether a test is on one is seen in the trees. */
static const char *const KINDS[] = {"float_features", "categorical_features", "text_features", "embedding_features"};
enum { N_KINDS = sizeof KINDS / sizeof *KINDS };

static tacit_status count_features(const reader *r, const json_t *info)
{
    size_t listed = 0, highest = 0, flat;

    for (size_t k = 0; k < N_KINDS; k++) {
        const json_t *list = get(info, KINDS[k]);

        listed += json_array_size(list);
        for (size_t i = 0; i < json_array_size(list); i++) {
            if (!read_count(get(json_array_get(list, i), "flat_feature_index"), &flat))
                return refuse(r, "a feature has no flat_feature_index");
            highest = flat > highest ? flat : highest;
        }
    }
    if (json_array_size(get(info, "float_features")) == 0)
        return refuse(r, "it has no features that are numbers");
    if (highest >= listed + TCT_MAX_INPUTS)
        return refuse(r, "a flat_feature_index is far beyond the features that there are");
    r->raw->n_features = highest + 1;
    return TACIT_OK;
}

static const char *name_of(const json_t *entry)
{
    const char *name = json_string_value(get(entry, "feature_id"));

    return name ? name : json_string_value(get(entry, "feature_name"));
}

/* Names are used where every number has one.  CatBoost may write the place where there is no name. */
static bool are_named(const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *name = name_of(json_array_get(list, i));

        if (!name || !*name || strspn(name, "0123456789") == strlen(name))
            return false;
    }
    return true;
}

static tacit_status read_names(const reader *r, const json_t *info)
{
    char **names = tct_calloc(r->raw->n_features, sizeof *names);

    r->raw->names = names;
    if (!names)
        return tct_fail_memory(r->err);
    for (size_t k = 0; k < N_KINDS; k++)
        for (size_t i = 0; i < json_array_size(get(info, KINDS[k])); i++) {
            const json_t *entry = json_array_get(get(info, KINDS[k]), i);
            const char *name = name_of(entry);
            size_t flat = (size_t)json_integer_value(get(entry, "flat_feature_index"));

            if (names[flat])
                return refuse(r, "two features have the same flat_feature_index");
            names[flat] = tct_strdup(name ? name : "");
            if (!names[flat])
                return tct_fail_memory(r->err);
        }
    for (size_t f = 0; f < r->raw->n_features; f++)
        if (!names[f])
            return refuse(r, "a flat_feature_index is of no feature");
    return TACIT_OK;
}

static tacit_status read_feature(const reader *r, const json_t *entry)
{
    const char *missing = json_string_value(get(entry, "nan_value_treatment"));
    size_t index, flat;

    if (!read_count(get(entry, "feature_index"), &index) || index >= r->n_features ||
        !read_count(get(entry, "flat_feature_index"), &flat))
        return refuse(r, "a feature has no feature_index, or one that is too large");
    if (missing && strcmp(missing, "AsIs") != 0 && strcmp(missing, "AsFalse") != 0 && strcmp(missing, "AsTrue") != 0)
        return tct_fail_at(r->err, TACIT_E_INPUT, r->file, 0, NULL,
                           "CatBoost model: the nan_value_treatment %.40s is not known", missing);
    r->features[index] = (feature){flat, !missing || strcmp(missing, "AsTrue") != 0};
    return TACIT_OK;
}

static tacit_status read_features(reader *r)
{
    const json_t *info = get(r->root, "features_info"), *list = get(info, "float_features");
    tacit_status st = count_features(r, info);

    if (st)
        return st;
    r->n_features = json_array_size(list);
    r->features = tct_malloc(r->n_features, sizeof *r->features);
    if (!r->features)
        return tct_fail_memory(r->err);
    for (size_t i = 0; i < r->n_features; i++)
        r->features[i].flat = SIZE_MAX;
    for (size_t i = 0; i < r->n_features && !st; i++)
        st = read_feature(r, json_array_get(list, i));
    return st || !are_named(list) ? st : read_names(r, info);
}

/* ---- decision ---- */

static bool is_above(double score, const void *context)
{
    const reader *r = context;
    double raw = r->scale * score + r->bias;

    return isnan(r->threshold) ? raw > 0 : 1 / (1 + exp(-raw)) >= r->threshold;
}

/* [scale, [bias, ...]], or [scale, bias]. */
static tacit_status read_scale(reader *r)
{
    const json_t *both = get(r->root, "scale_and_bias"), *bias = json_array_get(both, 1);

    r->scale = 1;
    r->width = json_is_array(bias) ? json_array_size(bias) : 1;
    if (both && (!read_number(json_array_get(both, 0), &r->scale) || !(r->scale >= 1e-3 && r->scale <= 1e3)))
        return refuse(r, "scale_and_bias has no scale from 0.001 to 1000");
    if (r->width != 1 && (r->width < 3 || r->width > TCT_MAX_CLASSES))
        return refuse(r, r->width == 2 ? "two classes as if they were more; train it with the loss Logloss"
                                       : "the number of classes is not one of 2 to 256");
    if (r->width > 1 && r->scale != 1)
        return refuse(r, "its scores are scaled, which is read for two classes only");
    r->raw->n_classes = r->width == 1 ? 2 : r->width;
    r->raw->start = tct_calloc(r->raw->n_classes, sizeof *r->raw->start);
    if (!r->raw->start)
        return tct_fail_memory(r->err);
    for (size_t c = 0; c < r->width && both; c++)
        if (!read_number(json_is_array(bias) ? json_array_get(bias, c) : bias, &r->raw->start[c]) ||
            fabs(r->raw->start[c]) > 1e9)
            return refuse(r, "a bias of scale_and_bias is no number, or beyond 1e9");
    if (r->width == 1) {
        r->bias = r->raw->start[0];
        r->raw->start[0] = 0;
    }
    return TACIT_OK;
}

static tacit_status check_loss(const reader *r)
{
    const json_t *info = get(r->root, "model_info"), *loss = get(get(info, "params"), "loss_function");
    const char *name = json_string_value(get(loss, "type"));

    if (!name)
        return refuse(r, "model_info.params.loss_function.type is missing: how scores become a label is not known");
    if (strcmp(name, "Logloss") == 0 || strcmp(name, "CrossEntropy") == 0) {
        if (r->width != 1)
            return refuse(r, "it has several scores, but a loss for two classes");
    } else if (strcmp(name, "MultiClass") == 0 || strcmp(name, "MultiClassOneVsAll") == 0) {
        if (r->width == 1)
            return refuse(r, "it has one score, but a loss for several classes");
        if (!isnan(r->threshold))
            return refuse(r, "a threshold is for models of two classes");
    } else {
        return tct_fail_at(r->err, TACIT_E_INPUT, r->file, 0, NULL,
                           "CatBoost model: the loss %.40s gives no label, or one that is not known here", name);
    }
    if (get(info, "binclass_probability_threshold") && isnan(r->threshold))
        return refuse(r, "it has a threshold of its own (binclass_probability_threshold): say it with --threshold");
    return TACIT_OK;
}

/* Two scores that differ by more than the slack differ after scale and bias as well, and as shares of a softmax. */
static void set_decision(const reader *r)
{
    double size = fabs(r->bias / r->scale), far;

    for (size_t k = 0; k < r->raw->n_trees; k++) {
        size_t end = k + 1 < r->raw->n_trees ? r->raw->roots[k + 1] : r->raw->n_nodes;
        double most = 0;

        for (size_t i = r->raw->roots[k]; i < end; i++)
            most = r->raw->nodes[i].feature < 0 ? fmax(most, fabs(r->raw->nodes[i].number)) : most;
        size += most;
    }
    far = (fabs(r->bias) + 800) / r->scale;
    if (r->width == 1)
        r->raw->cut = tct_raw_least(false, -far, far, is_above, r);
    r->raw->slack = (r->width == 1 ? 0x1p-50 / r->scale : 0x1p-40) + size * 0x1p-50;
}

/* ---- tests ---- */

static bool is_above_border(double v, const void *border)
{
    return (float)v > *(const float *)border;
}

static tacit_status read_test(const reader *r, const json_t *split, test *out)
{
    const char *type = json_string_value(get(split, "split_type"));
    double border;
    size_t index;
    float single;

    if (type && strcmp(type, "OnlineCtr") == 0)
        return refuse(r, "a test on statistics of categories (CTR), which mixes several attributes; train with numbers "
                         "for categories");
    if (type && strcmp(type, "OneHotFeature") == 0)
        return refuse(r,
                      "a test on a category by its hash (one-hot), which the file does not spell; train with a 0 or 1 "
                      "for each level");
    if (type && strcmp(type, "FloatFeature") != 0)
        return tct_fail_at(r->err, TACIT_E_INPUT, r->file, 0, NULL, "CatBoost model: the test %.40s is not known",
                           type);
    if (!read_count(get(split, "float_feature_index"), &index) || index >= r->n_features ||
        r->features[index].flat == SIZE_MAX)
        return refuse(r, "a test on a feature that is not there");
    if (!read_number(get(split, "border"), &border) || !tct_raw_single(border, &border))
        return refuse(r, "a border is no number, or lies between two single-precision numbers");
    single = (float)border;
    *out = (test){r->features[index].flat,
                  tct_raw_least(false, border, nextafterf(single, INFINITY), is_above_border, &single),
                  r->features[index].missing_left};
    return TACIT_OK;
}

static tacit_status add_test(const reader *r, const test *t, size_t *index)
{
    const tct_raw_node node = {.feature = (int32_t)t->feature, .number = t->cut, .missing_left = t->missing_left};

    *index = r->raw->n_nodes;
    return tct_raw_add_node(r->raw, &node, r->err);
}

static tacit_status add_leaf(const reader *r, const json_t *value)
{
    tct_raw_node leaf = {.feature = -1};

    if (!read_number(value, &leaf.number))
        return refuse(r, "a leaf is no finite number");
    return tct_raw_add_node(r->raw, &leaf, r->err);
}

/* ---- oblivious trees ---- */

typedef struct oblivious {
    const reader *r;
    test tests[MOST_TESTS];
    size_t n_tests;
    const json_t *leaves;
    size_t score, root;
} oblivious;

/* Which way test i goes where bits 0 ... i - 1 of `place` are what the tests before it said; -1: either. */
static int decided(const oblivious *o, size_t i, size_t place)
{
    for (size_t k = 0; k < i; k++) {
        if (o->tests[k].feature != o->tests[i].feature)
            continue;
        if (place >> k & 1 ? o->tests[k].cut >= o->tests[i].cut : o->tests[k].cut <= o->tests[i].cut)
            return (int)(place >> k & 1);
    }
    return -1;
}

static tacit_status add_level(const oblivious *o, size_t i, size_t place)
{
    tct_raw_trees *raw = o->r->raw;
    size_t index;
    tacit_status st;
    int way;

    while (i < o->n_tests && (way = decided(o, i, place)) >= 0)
        place |= (size_t)way << i++;
    if (i == o->n_tests)
        return add_leaf(o->r, json_array_get(o->leaves, place * o->r->width + o->score));
    st = add_test(o->r, &o->tests[i], &index);
    for (int k = 0; k < 2 && !st; k++) {
        uint32_t at = (uint32_t)(raw->n_nodes - o->root);

        if (k == 0)
            raw->nodes[index].left = at;
        else
            raw->nodes[index].right = at;
        st = add_level(o, i + 1, place | (size_t)k << i);
    }
    return st;
}

static tacit_status read_oblivious(const reader *r, const json_t *tree)
{
    const json_t *splits = get(tree, "splits");
    oblivious o = {.r = r, .n_tests = json_array_size(splits), .leaves = get(tree, "leaf_values")};
    tacit_status st = TACIT_OK;

    if (o.n_tests > MOST_TESTS)
        return refuse(r, "a tree has more than 16 tests");
    if (json_array_size(o.leaves) != r->width << o.n_tests)
        return refuse(r, "leaf_values are not one for each leaf and score");
    for (size_t i = 0; i < o.n_tests && !st; i++)
        st = read_test(r, json_array_get(splits, i), &o.tests[i]);
    for (o.score = 0; o.score < r->width && !st; o.score++) {
        st = tct_raw_begin_tree(r->raw, o.score, r->err);
        o.root = r->raw->n_nodes;
        if (!st)
            st = add_level(&o, 0, 0);
    }
    return st;
}

/* ---- other trees ---- */

static tacit_status add_node(const reader *r, const json_t *node, size_t score, size_t root, size_t depth)
{
    const json_t *value = get(node, "value"), *split = get(node, "split");
    size_t index;
    test t;
    tacit_status st;

    if (depth > TCT_TREE_DEPTH)
        return refuse(r, "a tree is more than 500 nodes deep");
    if (!split) {
        if (json_is_array(value) ? json_array_size(value) != r->width : r->width != 1)
            return refuse(r, "a leaf has no value for each score");
        return add_leaf(r, json_is_array(value) ? json_array_get(value, score) : value);
    }
    if ((st = read_test(r, split, &t)) || (st = add_test(r, &t, &index)))
        return st;
    for (int k = 0; k < 2 && !st; k++) {
        tct_raw_child(r->raw, index, root, k);
        st = add_node(r, get(node, k == 0 ? "left" : "right"), score, root, depth + 1);
    }
    return st;
}

static tacit_status read_other(const reader *r, const json_t *tree)
{
    tacit_status st = TACIT_OK;

    for (size_t score = 0; score < r->width && !st; score++) {
        st = tct_raw_begin_tree(r->raw, score, r->err);
        if (!st)
            st = add_node(r, tree, score, r->raw->n_nodes, 0);
    }
    return st;
}

/* ---- the file ---- */

bool tct_catboost_looks_like(const json_t *root)
{
    return get(root, "oblivious_trees") || (get(root, "features_info") && get(root, "trees"));
}

tacit_status tct_catboost_read(tct_raw_trees *raw, const json_t *root, const char *file, double threshold,
                               tacit_error *err)
{
    reader r = {.raw = raw, .file = file, .threshold = threshold, .root = root, .err = err};
    const json_t *same = get(root, "oblivious_trees"), *other = get(root, "trees");
    tacit_status st;

    raw->file = file;
    st = read_scale(&r);
    if (!st)
        st = check_loss(&r);
    if (!st)
        st = read_features(&r);
    if (!st && json_array_size(same) + json_array_size(other) == 0)
        st = refuse(&r, "it has no trees");
    for (size_t k = 0; k < json_array_size(same) && !st; k++)
        st = read_oblivious(&r, json_array_get(same, k));
    for (size_t k = 0; k < json_array_size(other) && !st; k++)
        st = read_other(&r, json_array_get(other, k));
    if (!st)
        set_decision(&r);
    tct_free(r.features);
    return st;
}
