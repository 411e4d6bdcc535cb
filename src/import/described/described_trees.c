/*
 * described_trees.c -- the trees of a described classifier: over features here, over attributes once written down.
 *
 * A tree is a flat list, as in model files: an inner node is its feature, its test and where "missing" goes (1: left),
 * then its left and its right side; a leaf is -1 and its value, or one value for each score.  A test is a number, and
 * goes left up to it, or a list of codes, which go left.
 *
 *     [3, 0.5, 0, -1, 0.1, 4, [1, 7], 1, -1, 0.2, -1, 0.3]
 *
 * A model of XGBoost is there as it writes itself down, sets of codes included.  Where it was given a sparse matrix, a 0 was missing for it: of a
 * category that is seen level by level, of a number a test for 0 comes first where the two would go different ways.
 */
#include <math.h>

#include "described_inside.h"
#include "onnx_ensemble.h"
#include "xgboost.h"

/* One tree being read. */
typedef struct tree_list {
    tct_description *d;
    tct_json_at place;
    const json_t *items;
    size_t at;       /* next item */
    size_t n_values; /* of a leaf */
    tct_ensemble e;
    int64_t *features, *missing;
    double *values;
} tree_list;

/* ---- lists ---- */

static tacit_status make_room(tree_list *l, size_t n)
{
    tct_onnx *o = &l->d->walk;

    l->features = tct_onnx_alloc(o, n, sizeof *l->features);
    l->missing = tct_onnx_alloc(o, n, sizeof *l->missing);
    l->values = tct_onnx_alloc(o, n, sizeof *l->values);
    l->e.modes = tct_onnx_alloc(o, n, sizeof *l->e.modes);
    l->e.left = tct_onnx_alloc(o, n, sizeof *l->e.left);
    l->e.right = tct_onnx_alloc(o, n, sizeof *l->e.right);
    l->e.sets = tct_onnx_alloc(o, n, sizeof *l->e.sets);
    l->e.weights = tct_onnx_alloc(o, n * l->n_values, sizeof *l->e.weights);
    l->e.features = l->features;
    l->e.missing = l->missing;
    l->e.values = l->values;
    l->e.tracks = true;
    l->e.columns = l->d->sources;
    l->e.n_columns = l->d->n_features;
    if (!l->features || !l->missing || !l->values || !l->e.modes || !l->e.left || !l->e.right || !l->e.sets ||
        !l->e.weights)
        return o->error.status;
    return TACIT_OK;
}

static const json_t *next_item(tree_list *l)
{
    return json_array_get(l->items, l->at++);
}

static tacit_status fail_tree(const tree_list *l)
{
    return tct_json_fail(&l->place, NULL, &l->d->walk.error,
                         "expected the nodes of one tree, at most %d from root to leaf: a feature, a number or a list "
                         "of codes, 0 or 1; or -1 and %zu number%s",
                         TCT_TREE_DEPTH, l->n_values, l->n_values == 1 ? "" : "s");
}

static tacit_status read_leaf(tree_list *l, size_t node)
{
    l->e.modes[node] = TCT_LEAF;
    for (size_t s = 0; s < l->n_values; s++) {
        const json_t *value = next_item(l);

        if (!json_is_number(value))
            return fail_tree(l);
        l->e.weights[l->e.n_weights++] = (tct_leaf_weight){node, s, json_number_value(value)};
    }
    return TACIT_OK;
}

/* Codes of a category that go left. */
static tacit_status read_set(tree_list *l, size_t node, const json_t *codes)
{
    size_t n = json_array_size(codes);
    double *numbers = tct_onnx_alloc(&l->d->walk, n + 1, sizeof *numbers);

    if (!numbers)
        return l->d->walk.error.status;
    for (size_t i = 0; i < n; i++) {
        if (!json_is_number(json_array_get(codes, i)))
            return fail_tree(l);
        numbers[i] = json_number_value(json_array_get(codes, i));
    }
    if (!l->d->sources[l->features[node]].values)
        return tct_json_fail(&l->place, NULL, &l->d->walk.error,
                             "a set of codes of feature %lld, which comes from a number: let the column be a category",
                             (long long)l->features[node]);
    l->e.modes[node] = TCT_IN;
    l->e.sets[node] = (tct_code_set){numbers, n};
    return TACIT_OK;
}

static tacit_status read_node(tree_list *l, size_t depth)
{
    const json_t *feature = next_item(l), *test, *missing;
    size_t node = l->e.count++;
    tacit_status st = TACIT_OK;

    if (!json_is_integer(feature) || json_integer_value(feature) < -1 ||
        json_integer_value(feature) >= (json_int_t)l->d->n_features || depth > TCT_TREE_DEPTH)
        return fail_tree(l);
    if (json_integer_value(feature) == -1)
        return read_leaf(l, node);
    test = next_item(l);
    missing = next_item(l);
    if (!(json_is_number(test) || json_is_array(test)) || !json_is_integer(missing) ||
        (json_integer_value(missing) != 0 && json_integer_value(missing) != 1))
        return fail_tree(l);
    l->features[node] = json_integer_value(feature);
    l->missing[node] = json_integer_value(missing);
    l->values[node] = json_number_value(test);
    l->e.modes[node] = TCT_LEQ;
    if (json_is_array(test))
        st = read_set(l, node, test);
    l->e.left[node] = l->e.count;
    if (!st)
        st = read_node(l, depth + 1);
    l->e.right[node] = l->e.count;
    return st ? st : read_node(l, depth + 1);
}

/* One tree of the document: of the score that it names, or of all. */
static tacit_status read_tree(tct_description *d, const json_t *json, const tct_json_at *place, size_t n_scores)
{
    static const char *const known[] = {"score", "nodes"};
    tree_list l = {.d = d, .place = *place};
    bool one = n_scores == 1 || json_object_get(json, "score");
    uint64_t score = 0;
    json_t *nodes = NULL;
    tacit_status st;

    if ((st = tct_json_check_keys(json, known, 2, place, &d->walk.error)) ||
        (json_object_get(json, "score") && (st = tct_json_get_count(&score, json, "score", place, &d->walk.error))) ||
        (st = tct_json_get_array(&nodes, json, "nodes", place, &d->walk.error)))
        return st;
    if (score >= n_scores)
        return tct_json_fail(place, "score", &d->walk.error, "there are %zu", n_scores);
    l.items = nodes;
    l.n_values = one ? 1 : n_scores;
    st = make_room(&l, json_array_size(nodes) / 2 + 1);
    if (!st)
        st = json_array_size(nodes) < 2 ? fail_tree(&l) : read_node(&l, 0);
    if (!st && l.at != json_array_size(nodes))
        st = fail_tree(&l);
    if (!st && n_scores == d->n_classes && d->n_classes == 2) { /* one score, and perhaps its rival */
        l.e.class = 1;
        l.e.rival = d->walk.trees.rival.divide > 0;
        return tct_ensemble_write(&d->walk, &l.e, 0, 0);
    }
    for (size_t s = 0; s < l.n_values && !st; s++) {
        l.e.class = s;
        st = tct_ensemble_write(&d->walk, &l.e, 0, one ? (size_t)score : s);
    }
    return st;
}

/* ---- the decision ---- */

/* A probability that is a sum divided by a number. */
typedef struct share {
    double divide, least;
} share;

static bool reaches(double sum, const void *context)
{
    const share *s = context;

    return sum / s->divide >= s->least;
}

/* Where the second class begins, for a threshold on its probability. */
static tacit_status set_threshold(tct_description *d, double p)
{
    const tct_json_at place = {.parent = &d->at, .key = "model"};
    tct_raw_trees *raw = &d->walk.trees;
    const char *score = "margin";
    share s = {1, p};
    double slack = 0x1p-50 / (p * (1 - p)); /* how the logistic function is rounded is not said */
    tacit_status st;

    if (d->n_classes != 2)
        return tct_fail(&d->walk.error, TACIT_E_USAGE, "a threshold is for two classes, not for %zu", d->n_classes);
    if ((st = tct_json_optional_string(&score, d->model, "score", &place, &d->walk.error)) ||
        (st = tct_json_optional_number(&s.divide, d->model, "divide", &place, &d->walk.error)))
        return st;
    if (!(s.divide > 0))
        return tct_json_fail(&place, "divide", &d->walk.error, "expected a number above 0");
    if (strcmp(score, "probability") == 0) {
        raw->cut = tct_raw_least(false, 0, 2 * s.divide, reaches, &s);
        return TACIT_OK;
    }
    if (strcmp(score, "odds") != 0)
        return tct_fail(&d->walk.error, TACIT_E_USAGE,
                        "the score of this model is no probability to compare with a threshold");
    raw->cut = log(p) - log1p(-p);
    raw->slack = slack > raw->slack ? slack : raw->slack;
    return TACIT_OK;
}

static tacit_status read_decision(tct_description *d, double threshold, size_t n_scores)
{
    const tct_json_at place = {.parent = &d->at, .key = "model"};
    tct_raw_trees *raw = &d->walk.trees;
    tacit_status st;

    if ((st = tct_json_get_numbers(raw->start, n_scores, d->model, "start", &place, &d->walk.error)) ||
        (st = tct_json_optional_number(&raw->slack, d->model, "slack", &place, &d->walk.error)))
        return st;
    if (!(raw->slack >= 0))
        return tct_json_fail(&place, "slack", &d->walk.error, "expected a number of at least 0");
    if (d->n_classes == 2 && n_scores == 2) {
        raw->rival = (tct_rival){.divide = 1, .start = raw->start[0]};
        raw->start[0] = raw->start[1];
    }
    if (!isnan(threshold)) {
        raw->rival.divide = 0;
        return set_threshold(d, threshold);
    }
    if (raw->rival.divide > 0 &&
        (st = tct_json_optional_number(&raw->rival.divide, d->model, "divide", &place, &d->walk.error)))
        return st;
    if (raw->rival.divide < 0 || (n_scores > 1 && raw->rival.divide == 0 && d->n_classes == 2))
        return tct_json_fail(&place, "divide", &d->walk.error, "expected a number above 0");
    return d->n_classes == 2 ? tct_json_get_number(&raw->cut, d->model, "cut", &place, &d->walk.error) : TACIT_OK;
}

/* ---- kinds ---- */

/* Numbers are rounded to single precision before they are compared. */
static tacit_status round_features(tct_description *d)
{
    for (size_t i = 0; i < d->n_features; i++)
        if (!tct_source_step(&d->walk, &d->sources[i], '=', true, 0))
            return d->walk.error.status;
    return TACIT_OK;
}

static tacit_status read_own(tct_description *d, double threshold)
{
    static const char *const known[] = {"kind", "score", "divide", "start", "cut", "slack", "float32", "trees"};
    const tct_json_at place = {.parent = &d->at, .key = "model"}, list = {.parent = &place, .key = "trees"};
    bool both = json_array_size(json_object_get(d->model, "start")) == 2; /* the sums of two classes are compared */
    size_t n_scores = d->n_classes == 2 && !both ? 1 : d->n_classes;
    tct_raw_trees *raw = &d->walk.trees;
    json_t *trees = NULL, *single = json_object_get(d->model, "float32");
    tacit_status st;

    raw->n_classes = d->n_classes;
    raw->start = tct_calloc(d->n_classes, sizeof *raw->start);
    if (!raw->start)
        return tct_fail_memory(&d->walk.error);
    if ((st = tct_json_check_keys(d->model, known, 8, &place, &d->walk.error)) ||
        (st = read_decision(d, threshold, n_scores)) ||
        (st = tct_json_get_array(&trees, d->model, "trees", &place, &d->walk.error)))
        return st;
    if (single && !json_is_boolean(single))
        return tct_json_fail(&place, "float32", &d->walk.error, "expected true or false");
    if (json_is_true(single))
        st = round_features(d);
    for (size_t k = 0; k < json_array_size(trees) && !st; k++) {
        const tct_json_at at = {.parent = &list, .index = k};

        st = read_tree(d, json_array_get(trees, k), &at, n_scores);
    }
    return st;
}

/* A 0 of a category counts as missing. */
static tacit_status drop_zeros(tct_description *d)
{
    for (size_t i = 0; i < d->n_features; i++) {
        tct_source *column = &d->sources[i];
        size_t n = column->values ? d->walk.codec->schema->attributes[column->attribute].n_levels : 0;
        double *values = n ? tct_onnx_alloc(&d->walk, n, sizeof *values) : NULL;

        if (n && !values)
            return d->walk.error.status;
        for (size_t k = 0; k < n; k++)
            values[k] = column->values[k] == 0 ? NAN : column->values[k];
        if (n)
            column->values = values;
        else if (column->missing == 0)
            column->missing = NAN;
    }
    return TACIT_OK;
}

/* A set of codes: what the levels of the column count as, as far as they are in it.  XGBoost drops what is behind the
 * point, and has no category below 0. */
static tacit_status copy_set(tree_list *l, const tct_raw_trees *trees, const tct_raw_node *from, size_t i)
{
    const tct_source *column = &l->d->sources[from->feature];
    size_t n = column->values ? l->d->walk.codec->schema->attributes[column->attribute].n_levels : 0, count = 0;
    double *numbers = tct_onnx_alloc(&l->d->walk, n + 1, sizeof *numbers);

    if (!numbers)
        return l->d->walk.error.status;
    if (!column->values)
        return tct_onnx_fail(&l->d->walk,
                             "XGBoost model: a set of codes of feature %d, which comes from a number: let the column "
                             "be a category",
                             from->feature);
    for (size_t k = 0; k < n; k++)
        for (size_t c = 0; c < from->count; c++)
            if (column->values[k] >= 0 && (double)trees->codes[from->first + c] == trunc(column->values[k])) {
                numbers[count++] = column->values[k];
                break;
            }
    l->features[i] = from->feature;
    l->missing[i] = from->missing_left == from->set_left;
    l->e.modes[i] = TCT_IN;
    l->e.sets[i] = (tct_code_set){numbers, count};
    l->e.left[i] = from->set_left ? from->left : from->right;
    l->e.right[i] = from->set_left ? from->right : from->left;
    return TACIT_OK;
}

/* Node i of a tree of XGBoost, perhaps behind a test for 0; `room` nodes are there, new ones come behind them. */
static void copy_node(tree_list *l, const tct_raw_node *from, size_t i, bool zeros)
{
    bool zero_left = 0 < from->number;
    size_t to = i;

    if (from->feature < 0) {
        l->e.modes[i] = TCT_LEAF;
        l->e.weights[l->e.n_weights++] = (tct_leaf_weight){i, 0, from->number};
        return;
    }
    if (zeros && !l->d->sources[from->feature].values && zero_left != from->missing_left) {
        to = l->e.count++;
        l->features[i] = from->feature;
        l->missing[i] = 1;
        l->e.modes[i] = TCT_EQ;
        l->e.left[i] = from->missing_left ? from->left : from->right;
        l->e.right[i] = to;
    }
    l->features[to] = from->feature;
    l->missing[to] = from->missing_left;
    l->values[to] = from->number;
    l->e.modes[to] = TCT_LT;
    l->e.left[to] = from->left;
    l->e.right[to] = from->right;
}

static tacit_status write_foreign(tct_description *d, const tct_raw_trees *from, size_t tree, bool zeros)
{
    size_t first = from->roots[tree], end = tree + 1 < from->n_trees ? from->roots[tree + 1] : from->n_nodes;
    tree_list l = {.d = d, .n_values = 1};
    tacit_status st = make_room(&l, 2 * (end - first));

    l.e.count = end - first;
    for (size_t i = 0; i < end - first && !st; i++) {
        if (from->nodes[first + i].categorical)
            st = copy_set(&l, from, &from->nodes[first + i], i);
        else
            copy_node(&l, &from->nodes[first + i], i, zeros);
    }
    return st ? st : tct_ensemble_write(&d->walk, &l.e, 0, from->scores[tree]);
}

static tacit_status read_xgboost(tct_description *d, double threshold)
{
    static const char *const known[] = {"kind", "model", "zeros_missing"};
    const tct_json_at place = {.parent = &d->at, .key = "model"};
    tct_raw_trees from = {0}, *raw = &d->walk.trees;
    const json_t *zeros = json_object_get(d->model, "zeros_missing");
    json_t *model = NULL;
    tacit_status st;

    if ((st = tct_json_check_keys(d->model, known, 3, &place, &d->walk.error)) ||
        (st = tct_json_get(&model, d->model, "model", &place, &d->walk.error)))
        return st;
    if (zeros && !json_is_boolean(zeros))
        return tct_json_fail(&place, "zeros_missing", &d->walk.error, "expected true or false");
    st = tct_xgboost_read(&from, model, d->walk.file, threshold, &d->walk.error);
    if (!st && (from.n_features != d->n_features || from.n_classes != d->n_classes))
        st =
            tct_json_fail(&place, "model", &d->walk.error, "has %zu features and %zu classes, the document %zu and %zu",
                          from.n_features, from.n_classes, d->n_features, d->n_classes);
    if (!st)
        st = round_features(d);
    if (!st && json_is_true(zeros))
        st = drop_zeros(d);
    for (size_t k = 0; k < from.n_trees && !st; k++)
        st = write_foreign(d, &from, k, json_is_true(zeros));
    raw->n_classes = from.n_classes;
    raw->single = raw->wide = true;
    raw->cut = from.cut;
    raw->slack = from.slack;
    raw->start = from.start;
    from.start = NULL;
    tct_raw_clear(&from);
    return st;
}

tacit_status tct_described_trees(tct_description *d, double threshold)
{
    const char *kind = json_string_value(json_object_get(d->model, "kind"));
    tct_raw_trees *raw = &d->walk.trees;

    raw->file = d->walk.file;
    raw->matched = true;
    raw->n_features = d->walk.codec->schema->n_attributes;
    return strcmp(kind, "xgboost") == 0 ? read_xgboost(d, threshold) : read_own(d, threshold);
}
