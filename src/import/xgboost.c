/*
 * xgboost.c -- reading the model files of XGBoost.
 *
 * Trees are lists of nodes; whoever is in a set of categories goes right; leaf values stand where other nodes have their
 * threshold.  All numbers are single-precision.  They are written as the shortest decimal that gives them back, which
 * is read here as a double and then rounded: where the double lies exactly between two floats that could give another
 * one than reading to single precision at once, and the file is refused unless the number is that double.
 *
 * The intercept is a probability for logistic objectives, a margin for others.  Sums begin with it, tree after tree.
 */
#include "xgboost.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const float NEAR = 1e-6f; /* to 0 or 1: where versions differ in what they make of an intercept */

/* A file being read. */
typedef struct reader {
    tct_raw_trees *raw;
    const char *file;
    double threshold;
    const json_t *learner, *model; /* model: with the trees */
    const json_t *weights;         /* of the trees, or NULL */
    tacit_error *err;
} reader;

/* How an objective decides. */
typedef struct objective {
    const char *name;
    bool classes;     /* more than two */
    bool probability; /* the intercept is one */
    bool odds;        /* the score is a log-odds */
    bool raw;         /* the score itself is compared with 0 */
    bool soft;        /* classes are compared by probabilities */
} objective;

static const objective OBJECTIVES[] = {
    {"binary:logistic", .probability = true, .odds = true},
    {"reg:logistic", .probability = true, .odds = true},
    {"binary:logitraw", .odds = true, .raw = true},
    {"binary:hinge", .raw = true},
    {"multi:softmax", .classes = true},
    {"multi:softprob", .classes = true, .soft = true},
};

static tacit_status refuse(const reader *r, const char *why)
{
    return tct_fail_at(r->err, TACIT_E_INPUT, r->file, 0, NULL, "XGBoost model: %s", why);
}

static const json_t *get(const json_t *object, const char *key)
{
    return json_object_get(object, key);
}

/* A number, which may be written as a text. */
static bool read_number(const json_t *json, double *out)
{
    const char *text = json_string_value(json);

    if (text)
        return tct_parse_number(text, strlen(text), out);
    *out = json_number_value(json);
    return json_is_number(json);
}

static bool read_count(const json_t *json, size_t *out)
{
    double v;

    if (!read_number(json, &v) || !(v >= 0 && v < 0x1p31) || v != floor(v))
        return false;
    *out = (size_t)v;
    return true;
}

/* An entry of a list, which is never a text. */
static bool read_entry(const json_t *json, size_t *out)
{
    return json_is_integer(json) && read_count(json, out);
}

/* ---- intercept and decision ---- */

static const objective *find_objective(const char *name)
{
    for (size_t i = 0; name && i < sizeof OBJECTIVES / sizeof *OBJECTIVES; i++)
        if (strcmp(OBJECTIVES[i].name, name) == 0)
            return &OBJECTIVES[i];
    return NULL;
}

/* Intercepts: "5E-1", "[5E-1]" or "[a,b,c]". */
static tacit_status read_start(const reader *r, const objective *o, const json_t *params)
{
    const char *at = json_string_value(get(params, "base_score"));
    size_t n = o->classes ? r->raw->n_classes : 1, found = 0;
    double *start = r->raw->start;
    bool list;

    if (!at)
        return refuse(r, "learner.learner_model_param.base_score is missing, or no text");
    list = *at == '[';
    at += list;
    for (bool more = *at != ']'; more; found++) {
        size_t size = strcspn(at, ",]");
        double v, single;

        if (!tct_parse_number(at, size, &v) || !tct_raw_single(v, &single))
            return refuse(r, "base_score is not a list of numbers");
        if (found < n)
            start[found] = single;
        more = at[size] == ',';
        at += size + more;
    }
    if (strcmp(at, list ? "]" : "") != 0)
        return refuse(r, "base_score is not a list of numbers");
    if (found != 1 && found != n)
        return refuse(r, "base_score has neither one number nor one for each class");
    for (size_t c = 1; c < n && found == 1; c++)
        start[c] = start[0];
    if (o->probability && !(start[0] > 0 && start[0] < 1))
        return refuse(r, "base_score is not between 0 and 1, as it must be for a logistic objective");
    if (o->probability && !(start[0] >= (double)NEAR && start[0] <= (double)(1 - NEAR)))
        return refuse(r,
                      "base_score is within 1e-6 of 0 or 1: newer versions of XGBoost move it away from there, older "
                      "ones do not");
    if (o->probability)
        start[0] = (double)-logf(1.0f / (float)start[0] - 1.0f) + 0.0;
    return TACIT_OK;
}

/* What a probability is compared with. */
typedef struct decision {
    float least;
    bool above; /* strictly */
} decision;

/* As XGBoost computes it. */
static bool is_likely(double score, const void *context)
{
    const decision *d = context;
    float p = 1.0f / (expf(-(float)score) + 1.0f + 1e-16f);

    return d->above ? p > d->least : p >= d->least;
}

static tacit_status set_cut(const reader *r, const objective *o)
{
    bool usual = isnan(r->threshold);
    decision d = {usual ? 0.5f : (float)r->threshold, usual};

    if (o->classes)
        return usual ? TACIT_OK : refuse(r, "a threshold is for models of two classes");
    if (!o->odds && !usual)
        return refuse(r, "binary:hinge gives no probability to compare with a threshold");
    if (o->raw && usual) {
        r->raw->cut = (double)FLT_TRUE_MIN; /* above 0 */
        return TACIT_OK;
    }
    r->raw->cut = tct_raw_least(true, -100, 100, is_likely, &d);
    return TACIT_OK;
}

static tacit_status read_objective(reader *r)
{
    const json_t *params = get(r->learner, "learner_model_param");
    const char *name = json_string_value(get(get(r->learner, "objective"), "name"));
    const objective *o = find_objective(name);
    size_t classes = 0, targets = 1;
    tacit_status st;

    if (!name)
        return refuse(r, "learner.objective.name is missing");
    if (!o)
        return tct_fail_at(r->err, TACIT_E_INPUT, r->file, 0, NULL,
                           "XGBoost model: the objective %.60s gives no label; those that do are binary:logistic, "
                           "binary:logitraw, binary:hinge, reg:logistic, multi:softmax and multi:softprob",
                           name);
    if (!read_count(get(params, "num_class"), &classes) || !read_count(get(params, "num_feature"), &r->raw->n_features))
        return refuse(r, "learner.learner_model_param has no num_class or num_feature");
    if (get(params, "num_target") && (!read_count(get(params, "num_target"), &targets) || targets != 1))
        return refuse(r, "it predicts several targets at once");
    if (o->classes && (classes < 3 || classes > TCT_MAX_CLASSES))
        return refuse(r, classes == 2 ? "multi:softmax with two classes; train it with binary:logistic"
                                      : "the number of classes is not one of 3 to 256");
    if (!o->classes && classes > 1)
        return refuse(r, "num_class says more than one class of scores, the objective is for one");
    r->raw->n_classes = o->classes ? classes : 2;
    r->raw->no_negatives = true;
    r->raw->single = true;
    r->raw->slack = o->soft ? 0x1p-20 : 0;
    r->raw->start = tct_calloc(r->raw->n_classes, sizeof *r->raw->start);
    if (!r->raw->start)
        return tct_fail_memory(r->err);
    st = read_start(r, o, params);
    return st ? st : set_cut(r, o);
}

/* ---- features ---- */

static tacit_status read_names(const reader *r)
{
    const json_t *names = get(r->learner, "feature_names");

    if (json_array_size(names) == 0)
        return TACIT_OK;
    if (json_array_size(names) != r->raw->n_features)
        return refuse(r, "feature_names are not as many as num_feature says");
    r->raw->names = tct_calloc(r->raw->n_features, sizeof *r->raw->names);
    if (!r->raw->names)
        return tct_fail_memory(r->err);
    for (size_t f = 0; f < r->raw->n_features; f++) {
        const char *name = json_string_value(json_array_get(names, f));

        if (!name)
            return refuse(r, "a feature name is no text");
        r->raw->names[f] = tct_strdup(name);
        if (!r->raw->names[f])
            return tct_fail_memory(r->err);
    }
    return TACIT_OK;
}

/* ---- trees ---- */

/* The lists of a tree. */
typedef struct lists {
    const json_t *left, *right, *features, *numbers, *defaults, *types;
    const json_t *categories, *category_nodes, *segments, *sizes;
    size_t n;
} lists;

static tacit_status open_tree(const reader *r, const json_t *tree, lists *l)
{
    size_t vector = 0;

    *l = (lists){get(tree, "left_children"),
                 get(tree, "right_children"),
                 get(tree, "split_indices"),
                 get(tree, "split_conditions"),
                 get(tree, "default_left"),
                 get(tree, "split_type"),
                 get(tree, "categories"),
                 get(tree, "categories_nodes"),
                 get(tree, "categories_segments"),
                 get(tree, "categories_sizes"),
                 json_array_size(get(tree, "left_children"))};
    if (get(get(tree, "tree_param"), "size_leaf_vector") &&
        (!read_count(get(get(tree, "tree_param"), "size_leaf_vector"), &vector) || vector > 1))
        return refuse(r, "its leaves are vectors (multi_output_tree)");
    if (l->n == 0 || json_array_size(l->right) != l->n || json_array_size(l->features) != l->n ||
        json_array_size(l->numbers) != l->n || json_array_size(l->defaults) != l->n ||
        (l->types && json_array_size(l->types) != l->n))
        return refuse(r, "the lists of a tree are not of one length");
    return TACIT_OK;
}

/* Codes of a categorical node. */
static tacit_status read_codes(const reader *r, const lists *l, size_t node, tct_raw_node *out)
{
    size_t k = 0, n = json_array_size(l->category_nodes), first, count, code;

    while (k < n && (size_t)json_integer_value(json_array_get(l->category_nodes, k)) != node)
        k++;
    if (k == n || !read_entry(json_array_get(l->segments, k), &first) ||
        !read_entry(json_array_get(l->sizes, k), &count) || first + count > json_array_size(l->categories))
        return refuse(r, "the categories of a node are not there");
    out->first = r->raw->n_codes;
    out->count = count;
    for (size_t i = 0; i < count; i++) {
        tacit_status st;

        if (!read_entry(json_array_get(l->categories, first + i), &code))
            return refuse(r, "a category is no whole number");
        st = tct_raw_add_code(r->raw, (uint32_t)code, r->err);
        if (st)
            return st;
    }
    return TACIT_OK;
}

/* Where a node leads and what kind of test it is; no children: a leaf. */
static tacit_status read_ways(const reader *r, const lists *l, size_t i, json_int_t down[2], tct_raw_node *node)
{
    const json_t *left = json_array_get(l->left, i), *right = json_array_get(l->right, i),
                 *type = json_array_get(l->types, i), *missing = json_array_get(l->defaults, i);

    if (!json_is_integer(left) || !json_is_integer(right))
        return refuse(r, "a child of a node is no whole number");
    down[0] = json_integer_value(left);
    down[1] = json_integer_value(right);
    if (down[0] == -1)
        return TACIT_OK;
    node->categorical = type && json_integer_value(type) == 1;
    if (type && !node->categorical && !(json_is_integer(type) && json_integer_value(type) == 0))
        return refuse(r, "a test is neither on a number nor on a category (split_type)");
    node->missing_left = json_is_true(missing) || json_integer_value(missing) == 1;
    if (!node->missing_left && !json_is_false(missing) &&
        !(json_is_integer(missing) && json_integer_value(missing) == 0))
        return refuse(r, "where a node sends missing values (default_left) is neither left nor right");
    return TACIT_OK;
}

/* Node `i` of the file, with all below it; walked from the root, for pruned nodes leave holes.  *left: nodes that may
 * still come, so that no node comes twice. */
static tacit_status read_node(const reader *r, const lists *l, size_t i, size_t root, float weight, size_t depth,
                              size_t *left)
{
    json_int_t down[2];
    tct_raw_node node = {.feature = -1};
    double number;
    size_t index, feature;
    tacit_status st;

    if (i >= l->n || *left == 0)
        return refuse(r, "a tree is not one: a node is not there, or comes twice");
    if (depth > TCT_TREE_DEPTH)
        return refuse(r, "a tree is more than 500 nodes deep");
    --*left;
    st = read_ways(r, l, i, down, &node);
    if (st)
        return st;
    number = json_number_value(json_array_get(l->numbers, i));
    if (!node.categorical && (!json_is_number(json_array_get(l->numbers, i)) || !isfinite((float)number)))
        return refuse(r, "a threshold or leaf is no finite number");
    if (!node.categorical && !tct_raw_single(number, &node.number))
        return refuse(r, "a threshold or leaf lies between two single-precision numbers: save the model as UBJSON "
                         "(.ubj)");
    if (down[0] == -1) {
        node.number = (double)((float)node.number * weight);
        return tct_raw_add_node(r->raw, &node, r->err);
    }
    if (down[0] < 0 || down[1] < 0 || !read_entry(json_array_get(l->features, i), &feature) ||
        feature >= r->raw->n_features)
        return refuse(r, "a node has no children, or a feature that is not there");
    node.feature = (int32_t)feature;
    if (node.categorical && (st = read_codes(r, l, i, &node)))
        return st;
    index = r->raw->n_nodes;
    st = tct_raw_add_node(r->raw, &node, r->err);
    for (int k = 0; k < 2 && !st; k++) {
        tct_raw_child(r->raw, index, root, k);
        st = read_node(r, l, (size_t)down[k], root, weight, depth + 1, left);
    }
    return st;
}

/* How many trees are used: up to the best round, where training stopped early. */
static tacit_status count_trees(const reader *r, size_t *n)
{
    const json_t *best = get(get(r->learner, "attributes"), "best_iteration"),
                 *rounds = get(r->model, "iteration_indptr");
    size_t round, parallel = 1, per_round = r->raw->n_classes == 2 ? 1 : r->raw->n_classes;

    *n = json_array_size(get(r->model, "trees"));
    if (!best || *n == 0)
        return TACIT_OK;
    if (!read_count(best, &round))
        return refuse(r, "best_iteration is no number");
    if (round >= *n)
        return TACIT_OK;
    if (json_array_size(rounds) > 0) {
        if (!read_count(json_array_get(rounds, round + 1), &per_round))
            return refuse(r, "best_iteration is not one of its rounds");
        *n = per_round < *n ? per_round : *n;
        return TACIT_OK;
    }
    if (get(get(r->model, "gbtree_model_param"), "num_parallel_tree") &&
        (!read_count(get(get(r->model, "gbtree_model_param"), "num_parallel_tree"), &parallel) || parallel > *n))
        return refuse(r, "num_parallel_tree is no number, or more than there are trees");
    per_round *= parallel > 0 ? parallel : 1;
    *n = (round + 1) * per_round < *n ? (round + 1) * per_round : *n;
    return TACIT_OK;
}

/* All trees that there should be, in their order. */
static tacit_status check_trees(const reader *r)
{
    const json_t *trees = get(r->model, "trees"), *said = get(get(r->model, "gbtree_model_param"), "num_trees");
    size_t count = 0;

    if (said && (!read_count(said, &count) || count != json_array_size(trees)))
        return refuse(r, "it does not have as many trees as num_trees says");
    for (size_t k = 0; k < json_array_size(trees); k++) {
        const json_t *id = get(json_array_get(trees, k), "id");

        if (id && (!read_entry(id, &count) || count != k))
            return refuse(r, "its trees are not in the order of their numbers (id)");
    }
    return TACIT_OK;
}

static tacit_status read_trees(const reader *r)
{
    const json_t *trees = get(r->model, "trees"), *classes = get(r->model, "tree_info");
    size_t n = 0;
    tacit_status st = check_trees(r);

    if (!st)
        st = count_trees(r, &n);
    if (!st && (n == 0 || json_array_size(classes) != json_array_size(trees)))
        return refuse(r, "it has no trees, or no class for each");
    for (size_t k = 0; k < n && !st; k++) {
        double weight = 1, given;
        size_t score = 0, left;
        lists l;

        if (!read_entry(json_array_get(classes, k), &score) ||
            score >= (r->raw->n_classes == 2 ? 1 : r->raw->n_classes))
            return refuse(r, "the class of a tree is not there");
        given = json_number_value(json_array_get(r->weights, k));
        if (r->weights && (!json_is_number(json_array_get(r->weights, k)) || !tct_raw_single(given, &weight)))
            return refuse(r, "weight_drop is not one number for each tree");
        st = open_tree(r, json_array_get(trees, k), &l);
        if (!st)
            st = tct_raw_begin_tree(r->raw, score, r->err);
        left = l.n;
        if (!st)
            st = read_node(r, &l, 0, r->raw->n_nodes, (float)weight, 0, &left);
    }
    return st;
}

/* Where the trees are, by booster. */
static tacit_status find_trees(reader *r)
{
    const json_t *booster = get(r->learner, "gradient_booster");
    const char *name = json_string_value(get(booster, "name"));
    const json_t *categories;

    if (!name)
        return refuse(r, "learner.gradient_booster.name is missing");
    if (strcmp(name, "gblinear") == 0)
        return refuse(r, "the booster is gblinear, a linear model without trees; export it as ONNX");
    if (strcmp(name, "gbtree") != 0 && strcmp(name, "dart") != 0)
        return tct_fail_at(r->err, TACIT_E_INPUT, r->file, 0, NULL, "XGBoost model: the booster %.40s is not known",
                           name);
    r->model = get(strcmp(name, "dart") == 0 && get(booster, "gbtree") ? get(booster, "gbtree") : booster, "model");
    r->weights = get(booster, "weight_drop") ? get(booster, "weight_drop") : get(r->model, "weight_drop");
    if (!json_is_object(r->model))
        return refuse(r, "it has no trees");
    if (strcmp(name, "dart") == 0 && !r->weights)
        return refuse(r, "the booster is dart, but there is no weight_drop");
    categories = get(get(r->model, "cats"), "enc");
    if (json_array_size(categories) > 0)
        return refuse(r, "it recodes categories by itself (cats), which is not read yet; train on codes");
    return TACIT_OK;
}

tacit_status tct_xgboost_read(tct_raw_trees *raw, const json_t *root, const char *file, double threshold,
                              tacit_error *err)
{
    reader r = {.raw = raw, .file = file, .threshold = threshold, .learner = get(root, "learner"), .err = err};
    tacit_status st;

    raw->file = file;
    if ((st = read_objective(&r)) || (st = read_names(&r)) || (st = find_trees(&r)))
        return st;
    return read_trees(&r);
}
