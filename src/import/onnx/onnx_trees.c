/*
 * onnx_trees.c -- TreeEnsembleClassifier: lists of nodes and weights become trees over attributes.
 *
 * onnx_splits.c writes trees down over raw values.  A leaf has a weight for one class or for several; in the latter case
 * the tree is written down once for every class.
 *
 * How the label follows from the sums is said by onnxruntime, which the format's documentation leaves open: with three
 * and more classes the first largest sum; with two classes and weights of one only, whichever that is, the second class
 * where the sum is above one half if no weight is negative, else above 0.  The format's own reference goes by
 * post_transform instead: above one half for NONE, else above 0.  Where the two differ nobody knows what is deployed, and
 * the file is refused.
 */
#include "onnx_ensemble.h"

#include <math.h>
#include <stdlib.h>

static const char *const MODES[] = {"LEAF",      "BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE",
                                    "BRANCH_GT", "BRANCH_EQ",  "BRANCH_NEQ"};

/* A node by tree and number. */
typedef struct key {
    int64_t tree, node;
    size_t at; /* in the lists */
} key;

/* ---- reading the lists ---- */

static int compare_keys(const void *a, const void *b)
{
    const key *x = a, *y = b;

    if (x->tree != y->tree)
        return x->tree < y->tree ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

static int compare_weights(const void *a, const void *b)
{
    const tct_leaf_weight *x = a, *y = b;

    if (x->leaf != y->leaf)
        return x->leaf < y->leaf ? -1 : 1;
    return x->class < y->class ? -1 : x->class > y->class;
}

static size_t find_node(const key *keys, size_t count, int64_t tree, int64_t node)
{
    const key wanted = {.tree = tree, .node = node}, *found = bsearch(&wanted, keys, count, sizeof *keys, compare_keys);

    return found ? found->at : TACIT_NONE;
}

static tacit_status read_modes(tct_onnx *o, const TctOnnx__NodeProto *node, tct_ensemble *e)
{
    const char *const *names = NULL;
    size_t count = 0;
    tacit_status st = tct_onnx_names(o, node, "nodes_modes", NULL, NULL, &names, &count);

    if (!st && count != e->count)
        st = tct_onnx_fail(o, "its lists of nodes are not of one length");
    e->modes = st ? NULL : tct_onnx_alloc(o, count, sizeof *e->modes);
    for (size_t i = 0; e->modes && i < count; i++) {
        size_t m = 0;

        while (m < sizeof MODES / sizeof *MODES && strcmp(MODES[m], names[i]) != 0)
            m++;
        if (m == sizeof MODES / sizeof *MODES)
            return tct_onnx_fail(o, "mode '%.40s' is not known", names[i]);
        e->modes[i] = (tct_node_mode)m;
    }
    return e->modes ? TACIT_OK : o->error.status;
}

/* The children of every node. */
static tacit_status link_nodes(tct_onnx *o, tct_ensemble *e, const key *keys)
{
    e->left = tct_onnx_alloc(o, e->count, sizeof *e->left);
    e->right = tct_onnx_alloc(o, e->count, sizeof *e->right);
    if (!e->left || !e->right)
        return o->error.status;
    for (size_t i = 1; i < e->count; i++)
        if (compare_keys(&keys[i - 1], &keys[i]) == 0)
            return tct_onnx_fail(o, "node %lld of tree %lld is there twice", (long long)keys[i].node,
                                 (long long)keys[i].tree);
    for (size_t i = 0; i < e->count; i++) {
        if (e->modes[i] == TCT_LEAF)
            continue;
        e->left[i] = find_node(keys, e->count, e->trees[i], e->yes[i]);
        e->right[i] = find_node(keys, e->count, e->trees[i], e->no[i]);
        if (e->left[i] == TACIT_NONE || e->right[i] == TACIT_NONE)
            return tct_onnx_fail(o, "a child of node %lld of tree %lld is not there", (long long)e->nodes[i],
                                 (long long)e->trees[i]);
        if (isnan(e->values[i]))
            return tct_onnx_fail(o, "the threshold of node %lld of tree %lld is no number", (long long)e->nodes[i],
                                 (long long)e->trees[i]);
    }
    return TACIT_OK;
}

/* Is every node of a tree reached from its first one, and once? */
static tacit_status check_tree(tct_onnx *o, const tct_ensemble *e, unsigned char *seen, size_t *stack, size_t from,
                               size_t to)
{
    size_t n = 1, found = 0;

    stack[0] = from;
    while (n > 0) {
        size_t i = stack[--n];

        if (seen[i]++)
            return tct_onnx_fail(o, "node %lld of tree %lld is reached in two ways", (long long)e->nodes[i],
                                 (long long)e->trees[i]);
        found++;
        if (e->modes[i] == TCT_LEAF)
            continue;
        stack[n++] = e->left[i];
        stack[n++] = e->right[i];
    }
    if (found != to - from)
        return tct_onnx_fail(o, "tree %lld has nodes that are not reached from its first one, or does not lie together",
                             (long long)e->trees[from]);
    return TACIT_OK;
}

static tacit_status check_trees(tct_onnx *o, const tct_ensemble *e)
{
    unsigned char *seen = tct_onnx_alloc(o, e->count, 1);
    size_t *stack = tct_onnx_alloc(o, e->count + 2, sizeof *stack);
    tacit_status st = seen && stack ? TACIT_OK : o->error.status;

    for (size_t from = 0, to; from < e->count && !st; from = to) {
        for (to = from + 1; to < e->count && e->trees[to] == e->trees[from];)
            to++;
        st = check_tree(o, e, seen, stack, from, to);
    }
    return st;
}

static tacit_status read_weights(tct_onnx *o, const TctOnnx__NodeProto *node, tct_ensemble *e, const key *keys,
                                 bool *doubles)
{
    const int64_t *classes, *nodes, *trees;
    const double *values;
    size_t n_classes, n_nodes, n_trees;
    tacit_status st;

    if ((st = tct_onnx_ints(o, node, "class_ids", &classes, &n_classes)) ||
        (st = tct_onnx_ints(o, node, "class_nodeids", &nodes, &n_nodes)) ||
        (st = tct_onnx_ints(o, node, "class_treeids", &trees, &n_trees)) ||
        (st = tct_onnx_any_numbers(o, node, "class_weights", &values, &e->n_weights, doubles)))
        return st;
    if (e->n_weights == 0 || n_classes != e->n_weights || n_nodes != e->n_weights || n_trees != e->n_weights)
        return tct_onnx_fail(o, "its lists of weights are empty, or not of one length");
    e->weights = tct_onnx_alloc(o, e->n_weights, sizeof *e->weights);
    if (!e->weights)
        return o->error.status;
    for (size_t i = 0; i < e->n_weights; i++) {
        size_t leaf = find_node(keys, e->count, trees[i], nodes[i]);

        if (leaf == TACIT_NONE || e->modes[leaf] != TCT_LEAF)
            return tct_onnx_fail(o, "weight %zu is not of a leaf", i + 1);
        if (classes[i] < 0 || (uint64_t)classes[i] >= e->n_classes)
            return tct_onnx_fail(o, "weight %zu is of class %lld; there are %zu", i + 1, (long long)classes[i],
                                 e->n_classes);
        if (!isfinite(values[i]))
            return tct_onnx_fail(o, "weight %zu is not finite", i + 1);
        e->weights[i] = (tct_leaf_weight){leaf, (size_t)classes[i], values[i]};
    }
    qsort(e->weights, e->n_weights, sizeof *e->weights, compare_weights);
    for (size_t i = 1; i < e->n_weights; i++)
        if (compare_weights(&e->weights[i - 1], &e->weights[i]) == 0)
            return tct_onnx_fail(o, "a leaf of tree %lld has two weights for one class",
                                 (long long)e->trees[e->weights[i].leaf]);
    return TACIT_OK;
}

static tacit_status read_nodes(tct_onnx *o, const TctOnnx__NodeProto *node, tct_ensemble *e)
{
    size_t n[6] = {0};
    bool doubles = false;
    key *keys;
    tacit_status st;

    if ((st = tct_onnx_ints(o, node, "nodes_treeids", &e->trees, &e->count)) ||
        (st = tct_onnx_ints(o, node, "nodes_nodeids", &e->nodes, &n[0])) ||
        (st = tct_onnx_ints(o, node, "nodes_truenodeids", &e->yes, &n[1])) ||
        (st = tct_onnx_ints(o, node, "nodes_falsenodeids", &e->no, &n[2])) ||
        (st = tct_onnx_ints(o, node, "nodes_featureids", &e->features, &n[3])) ||
        (st = tct_onnx_any_numbers(o, node, "nodes_values", &e->values, &n[4], &doubles)) ||
        (st = tct_onnx_ints(o, node, "nodes_missing_value_tracks_true", &e->missing, &n[5])))
        return st;
    e->tracks = n[5] > 0;
    for (size_t k = 0; k < 6; k++)
        if (n[k] != e->count && (k < 5 || e->tracks))
            return tct_onnx_fail(o, "its lists of nodes are not of one length");
    if (e->count == 0)
        return tct_onnx_fail(o, "it has no nodes");
    keys = tct_onnx_alloc(o, e->count, sizeof *keys);
    if (!keys)
        return o->error.status;
    for (size_t i = 0; i < e->count; i++)
        keys[i] = (key){e->trees[i], e->nodes[i], i};
    qsort(keys, e->count, sizeof *keys, compare_keys);
    if ((st = read_modes(o, node, e)) || (st = link_nodes(o, e, keys)) || (st = check_trees(o, e)) ||
        (st = read_weights(o, node, e, keys, &doubles)) ||
        (st = tct_onnx_any_numbers(o, node, "base_values", &e->start, &e->n_start, &doubles)))
        return st;
    for (size_t i = 0; i < e->n_start; i++)
        if (!isfinite(e->start[i]))
            return tct_onnx_fail(o, "base_values holds a number that is not finite");
    if (doubles && e->single)
        return tct_onnx_fail(o,
                             "has numbers in double precision, but reads floats: which of the two decides is not said");
    return TACIT_OK;
}

const tct_leaf_weight *tct_ensemble_weight(const tct_ensemble *e, size_t class, size_t leaf)
{
    const tct_leaf_weight wanted = {.leaf = leaf, .class = class};

    return bsearch(&wanted, e->weights, e->n_weights, sizeof wanted, compare_weights);
}

/* Does the tree from..to have a weight for the class at one of its leaves, or at all? */
static bool has_class(const tct_ensemble *e, size_t from, size_t to, bool everywhere)
{
    bool any = false;

    for (size_t i = from; i < to; i++) {
        bool there = e->modes[i] == TCT_LEAF && tct_ensemble_weight(e, e->class, i);

        any = any || there;
        if (everywhere && e->modes[i] == TCT_LEAF && !there)
            return false;
    }
    return any;
}

/* The trees of one class become those of one score; then what is added at the end, as a tree of one leaf. */
static tacit_status write_class(tct_onnx *o, tct_ensemble *e, size_t class, size_t score, bool must, double last)
{
    tct_raw_trees *raw = &o->trees;
    bool always = !must;
    tacit_status st = TACIT_OK;

    e->class = class;
    for (size_t from = 0, to; from < e->count && !st; from = to) {
        for (to = from + 1; to < e->count && e->trees[to] == e->trees[from];)
            to++;
        if (!has_class(e, from, to, false))
            continue;
        always = always || has_class(e, from, to, true);
        st = tct_ensemble_write(o, e, from, score);
    }
    if (!st && !always)
        return tct_onnx_fail(o,
                             "some people get no weight for class %zu, and whether that is less than a negative "
                             "one is not said: give it base_values",
                             class + 1);
    if (!st && last != 0) {
        tct_raw_node leaf = {.feature = -1, .number = last};

        st = tct_raw_begin_tree(raw, score, &o->error);
        if (!st)
            st = tct_raw_add_node(raw, &leaf, &o->error);
    }
    return st;
}

/* ---- the decision ---- */

static double just_above(bool single, double v)
{
    return single ? (double)nextafterf((float)v, INFINITY) : nextafter(v, INFINITY);
}

/* Two classes with weights of both: the runtime looks at the second's only, the reference at the larger one, which is the
 * same where they are each other's negative. */
static tacit_status check_mirrored(tct_onnx *o, const tct_ensemble *e)
{
    bool mirrored = e->n_weights % 2 == 0 && e->n_start == 0;

    for (size_t i = 0; i + 1 < e->n_weights && mirrored; i += 2)
        mirrored = e->weights[i].leaf == e->weights[i + 1].leaf && e->weights[i].value == -e->weights[i + 1].value;
    if (!mirrored)
        return tct_onnx_fail(
            o, "two classes with weights of both, of which onnxruntime looks at the second's only; export "
               "the ensemble with weights of one class");
    return TACIT_OK;
}

/* Two classes, weights of one: what the sum is compared with. */
static tacit_status find_cut(tct_onnx *o, const tct_ensemble *e, const char *transform)
{
    bool none = strcmp(transform, "NONE") == 0, positive = true;

    for (size_t i = 0; i < e->n_weights; i++)
        positive = positive && e->weights[i].value >= 0;
    if (none != positive)
        return tct_onnx_fail(o,
                             "post_transform %s with weights of which %s negative: onnxruntime decides at %s, the "
                             "operator's reference at %s",
                             transform, positive ? "none is" : "some are", positive ? "0.5" : "0", none ? "0.5" : "0");
    o->trees.cut = just_above(e->single, positive ? 0.5 : 0);
    o->transform = transform;
    return TACIT_OK;
}

static tacit_status write_two(tct_onnx *o, tct_ensemble *e, const char *transform)
{
    size_t first = e->weights[0].class;
    bool both = false;
    tacit_status st;

    for (size_t i = 0; i < e->n_weights; i++)
        both = both || e->weights[i].class != first;
    if (both) {
        st = check_mirrored(o, e);
        o->trees.cut = just_above(e->single, 0);
        return st ? st : write_class(o, e, 1, 0, false, 0);
    }
    if (e->n_start > 1 || (e->n_start == 1 && first == 1))
        return tct_onnx_fail(o,
                             "two classes, weights of class %zu and %zu base_values: runtimes differ in what that "
                             "means; add them to the leaves of a tree",
                             first + 1, e->n_start);
    st = find_cut(o, e, transform);
    return st ? st : write_class(o, e, first, 0, false, e->n_start ? e->start[0] : 0);
}

static tacit_status write_all(tct_onnx *o, tct_ensemble *e, const char *transform)
{
    tacit_status st = TACIT_OK;

    if (e->n_classes == 2)
        return write_two(o, e, transform);
    if (e->n_start != 0 && e->n_start != e->n_classes)
        return tct_onnx_fail(o, "%zu base_values for %zu classes", e->n_start, e->n_classes);
    for (size_t c = 0; c < e->n_classes && !st; c++)
        st = write_class(o, e, c, c, e->n_start == 0, e->n_start ? e->start[c] : 0);
    return st;
}

/* ---- what it reads ---- */

/* Columns in the precision in which the ensemble compares and adds. */
static tacit_status take_columns(tct_onnx *o, const tct_value *a, tct_ensemble *e)
{
    tct_source *columns = a->sources ? tct_sources_copy(o, a->sources, NULL, a->columns) : NULL;

    if (!a->sources)
        return tct_onnx_fail(o, "reads what has been mixed from several attributes, or has gone through a layer");
    if (!columns)
        return o->error.status;
    for (size_t i = 0; i < a->columns; i++) {
        const char *name = o->codec->schema->attributes[columns[i].attribute].name;

        if (a->whole && !tct_source_to_single(o, &columns[i])) /* integers are compared as floats */
            return o->error.status;
        if (columns[i].texts)
            return tct_onnx_fail(o, "reads '%.60s' as text; a OneHotEncoder or LabelEncoder must come first", name);
        if (columns[i].values)
            continue;
        if (columns[i].single == a->wide)
            return tct_onnx_fail(o,
                                 "'%.60s' comes in as %s, but is compared as %s; let the graph read what its trees do",
                                 name, a->wide ? "float" : "double", a->wide ? "double" : "float");
        if (tct_source_slope(&columns[i]) == 0)
            return tct_onnx_fail(o, "reads '%.60s' multiplied by 0", name);
    }
    e->columns = columns;
    e->n_columns = a->columns;
    return TACIT_OK;
}

/* A name for what it does to its sums; those that would leave open what the label is are refused. */
static tacit_status get_transform(tct_onnx *o, const TctOnnx__NodeProto *node, const char **out)
{
    static const char *const known[] = {"NONE", "LOGISTIC", "SOFTMAX", "SOFTMAX_ZERO"};
    tacit_status st;

    *out = "NONE";
    st = tct_onnx_text(o, node, "post_transform", out);
    for (size_t k = 0; k < 4 && !st; k++)
        if (strcmp(*out, known[k]) == 0)
            return TACIT_OK;
    return st ? st
              : tct_onnx_fail(
                    o, "post_transform '%.20s' is not supported; NONE, LOGISTIC, SOFTMAX and SOFTMAX_ZERO are", *out);
}

tacit_status tct_onnx_tree_ensemble(tct_onnx *o, const TctOnnx__NodeProto *node)
{
    const tct_value *a = NULL;
    tct_value label = {.kind = TCT_LABEL, .flat = true, .trees = &o->trees}, head;
    tct_ensemble e = {0};
    const char *transform = NULL;
    tacit_status st = tct_onnx_table(o, node, 0, &a);

    if (!st && o->trees.start)
        st = tct_onnx_fail(o, "a second ensemble; one is read");
    if (!st && (a->deep || a->flat))
        st = tct_onnx_fail(o, "expected rows of numbers");
    if (st || (st = take_columns(o, a, &e)) || (st = get_transform(o, node, &transform)) ||
        (st = tct_onnx_names(o, node, "classlabels_strings", "classlabels_int64s", NULL, &label.names, &label.columns)))
        return st;
    e.n_classes = label.columns;
    e.single = !a->wide;
    if (e.n_classes < 2 || e.n_classes > TCT_MAX_CLASSES)
        return tct_onnx_fail(o, "%zu class labels; 2 to %d are possible", e.n_classes, TCT_MAX_CLASSES);
    o->trees.start = tct_calloc(e.n_classes, sizeof *o->trees.start);
    if (!o->trees.start)
        return tct_fail_memory(&o->error);
    o->trees.file = o->file;
    o->trees.single = e.single;
    o->trees.matched = true;
    o->trees.n_classes = e.n_classes;
    o->trees.n_features = o->codec->schema->n_attributes;
    if ((st = read_nodes(o, node, &e)) || (st = write_all(o, &e, transform)) ||
        (st = tct_onnx_output(o, node, 0, &label)))
        return st;
    head = (tct_value){
        .kind = TCT_HEAD, .trees = &o->trees, .columns = e.n_classes, .made_by = transform, .made_at = o->node};
    return tct_onnx_output(o, node, 1, &head);
}

tacit_status tct_onnx_trees_argmax(tct_onnx *o, const tct_value *head)
{
    if (strcmp(head->made_by, "NONE") == 0 && (head->columns > 2 || o->trees.cut > 0.5))
        return TACIT_OK;
    if (strcmp(head->made_by, "SOFTMAX") == 0 && head->columns > 2) {
        o->trees.slack = 0x1p-20; /* two sums may round to one probability */
        return TACIT_OK;
    }
    return tct_onnx_fail(o,
                         "of an ensemble's probabilities after %s may be another class than its label where these "
                         "round to one; take the label",
                         head->made_by);
}

/* The first class is the second one: what was the rival's. */
static void swap_rival(tct_raw_trees *raw)
{
    double start = raw->start[0];

    raw->start[0] = raw->rival.start;
    raw->rival.start = start;
    raw->rival.ties_won = !raw->rival.ties_won;
    for (size_t i = 0; i < raw->n_nodes; i++) {
        tct_raw_node *node = &raw->nodes[i];
        double value = node->number;

        if (node->feature < 0) {
            node->number = node->rival;
            node->rival = value;
        }
    }
}

tacit_status tct_onnx_trees_arrange(tct_onnx *o, const size_t *column)
{
    tct_raw_trees *raw = &o->trees;

    for (size_t c = 0; c < raw->n_classes && raw->n_classes > 2; c++)
        if (column[c] != c)
            return tct_onnx_fail(o, "the classes of the schema are in another order than the ensemble's, which gives "
                                    "ties to the first: put them into its order");
    if (raw->n_classes > 2 || column[1] == 1)
        return TACIT_OK;
    if (raw->rival.divide > 0) {
        swap_rival(raw);
        return TACIT_OK;
    }
    /* The other class where the sum is below the cut: from the negative of the number before it on. */
    for (size_t i = 0; i < raw->n_nodes; i++)
        if (raw->nodes[i].feature < 0)
            raw->nodes[i].number = 0.0 - raw->nodes[i].number;
    raw->start[0] = 0.0 - raw->start[0];
    raw->cut = raw->single ? -(double)nextafterf((float)raw->cut, -INFINITY) : -nextafter(raw->cut, -INFINITY);
    raw->cut += 0.0;
    return TACIT_OK;
}

/* The sum is the probability, or its log-odds.  How runtimes round the logistic function is not said, so proofs leave
 * what an error of four units in the last place of a probability near 1 makes of log-odds. */
tacit_status tct_onnx_trees_threshold(tct_onnx *o)
{
    tct_raw_trees *raw = &o->trees;
    double p = o->threshold;

    if (raw->n_classes != 2)
        return tct_onnx_fail(o, "a threshold is for two classes, not for %zu", raw->n_classes);
    if (o->transform && strcmp(o->transform, "NONE") == 0) {
        raw->cut = raw->single && (double)(float)p < p ? (double)nextafterf((float)p, INFINITY) : p;
        raw->cut = raw->single ? (double)(float)raw->cut : raw->cut;
        return TACIT_OK;
    }
    if (!o->transform || strcmp(o->transform, "LOGISTIC") != 0)
        return tct_onnx_fail(o, "a threshold needs weights of one class, and NONE or LOGISTIC for post_transform");
    raw->cut = log(p) - log1p(-p);
    raw->slack = (raw->single ? 0x1p-21 : 0x1p-50) / (p * (1 - p));
    if (!(raw->slack < 0.25))
        return tct_onnx_fail(o, "so close to 0 or 1 a threshold cannot be told apart in single precision");
    if (raw->single)
        raw->cut = (double)(float)raw->cut;
    return TACIT_OK;
}
