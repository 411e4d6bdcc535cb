/*
 * onnx_splits.c -- trees that compare columns become trees that compare raw values.
 *
 * A column is a function of one attribute (onnx_columns.c), so a comparison of it is one of the raw value: for a number
 * the least values at which the column reaches and passes the threshold are looked for among the floats, for a category
 * every level is tried.  All modes are then "value < cut", once, or twice for (in)equality, whose one side comes twice;
 * tests that the way to a node has answered already are left out, so that chains of equalities stay small.  Splits with
 * the same leaf on both sides are dropped.
 *
 *   5 == x ? a : b      becomes      x < 5 ? b : (x < 5.0000005 ? a : b)
 */
#include "onnx_ensemble.h"

#include <float.h>
#include <math.h>

enum { MOST_NODES = 1 << 23 }; /* of all trees, as written down here */

/* What the way to a node says about a number. */
typedef struct stretch {
    double low, high; /* low <= value < high, ... */
    bool missing;     /* ... or it may be missing */
} stretch;

typedef struct writing {
    tct_onnx *o;
    const tct_ensemble *e;
    stretch *stretches; /* by attribute */
    size_t root;        /* of the tree in o->trees.nodes */
} writing;

/* ---- comparisons of raw values ---- */

static bool compare(tct_node_mode m, double x, double y)
{
    switch (m) {
    case TCT_LEQ:
        return x <= y;
    case TCT_LT:
        return x < y;
    case TCT_GTE:
        return x >= y;
    case TCT_GT:
        return x > y;
    case TCT_EQ:
        return x == y;
    default:
        return x != y;
    }
}

/* A column and what it is compared with. */
typedef struct bound {
    const tct_source *column;
    tct_node_mode mode;
    double value;
} bound;

static bool says(double raw, const void *context)
{
    const bound *b = context;

    return compare(b->mode, tct_source_value(b->column, raw), b->value);
}

/* The least raw value that a comparison holds for, which holds from there on; infinite where it holds always or never. */
static double least(const tct_source *column, tct_node_mode m, double value)
{
    const bound b = {column, m, value};
    double most = column->single ? (double)FLT_MAX : DBL_MAX;

    if (says(-most, &b))
        return -INFINITY;
    if (!says(most, &b))
        return INFINITY;
    return says(0, &b) ? tct_raw_least(column->single, -most, 0, says, &b)
                       : tct_raw_least(column->single, 0, most, says, &b);
}

/* A comparison of the raw value: it holds for from <= value < to, or for all others. */
typedef struct test {
    double from, to;
    bool inside;
    bool missing; /* it holds for a missing value */
} test;

static test make_test(const tct_ensemble *e, const tct_source *column, size_t i)
{
    tct_node_mode m = e->modes[i];
    double v = e->values[i];
    bool up = tct_source_slope(column) > 0;
    double reaches = least(column, up ? TCT_GTE : TCT_LEQ, v), passes = least(column, up ? TCT_GT : TCT_LT, v);
    test t = {.missing = compare(m, column->missing, v) || (isnan(column->missing) && e->tracks && e->missing[i] != 0)};
    bool below = m == TCT_LT || m == TCT_LEQ, strict = m == TCT_LT || m == TCT_GT;

    t.inside = m != TCT_NEQ;
    t.from = reaches;
    t.to = passes;
    if (m == TCT_EQ || m == TCT_NEQ)
        return t;
    if (below == up) { /* holds for small raw values */
        t.from = -INFINITY;
        t.to = strict ? reaches : passes;
    } else {
        t.from = strict ? passes : reaches;
        t.to = INFINITY;
    }
    return t;
}

/* ---- writing down ---- */

/* Where to go on: at a node, or at the second half of its test. */
typedef struct way {
    size_t node;
    bool second;
} way;

static tacit_status write_node(writing *w, way at, size_t depth);

static const double FAR_WHOLE = 0x1p53 - 0x1p29; /* no integer lies beyond */

static bool is_integer(const writing *w, size_t attribute)
{
    return w->o->codec->schema->attributes[attribute].type == TACIT_INTEGER;
}

/* A cut that all numbers of an attribute are on one side of. */
static double far_cut(const writing *w, size_t attribute, bool single)
{
    if (is_integer(w, attribute))
        return FAR_WHOLE;
    return single ? (double)nextafterf(FLT_MAX, 0) : nextafter(DBL_MAX, 0);
}

/* A node that is there, and what is below it.  Where both sides are the same leaf, it is one. */
static tacit_status write_split(writing *w, const tct_raw_node *node, way left, way right, stretch *on_left,
                                stretch *on_right, size_t depth)
{
    tct_raw_trees *raw = &w->o->trees;
    size_t index = raw->n_nodes, codes = node->first;
    stretch *s = on_left ? &w->stretches[node->feature] : NULL, before = s ? *s : (stretch){0};
    tacit_status st = tct_raw_add_node(raw, node, &w->o->error);

    if (!st) {
        raw->nodes[index].left = (uint32_t)(raw->n_nodes - w->root);
        if (s)
            *s = *on_left;
        st = write_node(w, left, depth + 1);
    }
    if (!st) {
        raw->nodes[index].right = (uint32_t)(raw->n_nodes - w->root);
        if (s)
            *s = *on_right;
        st = write_node(w, right, depth + 1);
    }
    if (s)
        *s = before;
    if (!st && raw->n_nodes == index + 3 && raw->nodes[index + 1].feature < 0 &&
        raw->nodes[index + 1].number == raw->nodes[index + 2].number &&
        raw->nodes[index + 1].rival == raw->nodes[index + 2].rival) {
        raw->nodes[index] = raw->nodes[index + 1];
        raw->n_nodes = index + 1;
        raw->n_codes = node->categorical ? codes : raw->n_codes;
    }
    return st;
}

/* value < cut goes left, unless the way here says where it goes. */
static tacit_status write_cut(writing *w, const tct_source *column, double cut, bool missing_left, way left, way right,
                              size_t depth)
{
    stretch *s = &w->stretches[column->attribute], on_left = *s, on_right = *s;
    tct_raw_node node = {.feature = (int32_t)column->attribute, .number = cut, .missing_left = missing_left};

    if (is_integer(w, column->attribute) && fabs(cut) >= FAR_WHOLE)
        cut = copysign(INFINITY, cut);
    if (cut <= s->low && (!s->missing || !missing_left))
        return write_node(w, right, depth);
    if (cut >= s->high && (!s->missing || missing_left))
        return write_node(w, left, depth);
    if (isinf(cut)) {
        node.number = far_cut(w, column->attribute, column->single);
        node.number = cut < 0 ? -node.number : node.number;
    }
    on_left.high = fmin(on_left.high, cut);
    on_left.missing = s->missing && missing_left;
    on_right.low = fmax(on_right.low, cut);
    on_right.missing = s->missing && !missing_left;
    return write_split(w, &node, left, right, &on_left, &on_right, depth);
}

static tacit_status write_number(writing *w, const tct_source *column, way at, size_t depth)
{
    size_t i = at.node;
    test t = make_test(w->e, column, i);
    way in = {t.inside ? w->e->left[i] : w->e->right[i], false};
    way out = {t.inside ? w->e->right[i] : w->e->left[i], false};
    bool missing_in = t.missing == t.inside;

    if (at.second || t.from == -INFINITY)
        return write_cut(w, column, t.to, missing_in, in, out, depth);
    if (t.to == INFINITY)
        return write_cut(w, column, t.from, !missing_in, out, in, depth);
    return write_cut(w, column, t.from, !missing_in, out, (way){i, true}, depth);
}

/* Does the comparison of a node hold for a level that counts as this? */
static bool holds_for(const tct_ensemble *e, size_t node, double value)
{
    bool found = false;

    if (isnan(value) && e->tracks && e->missing[node] != 0)
        return true;
    if (e->modes[node] != TCT_IN)
        return compare(e->modes[node], value, e->values[node]);
    for (size_t i = 0; i < e->sets[node].count && !found; i++)
        found = e->sets[node].numbers[i] == value;
    return found;
}

static tacit_status write_category(writing *w, const tct_source *column, way at, size_t depth)
{
    const tct_ensemble *e = w->e;
    size_t i = at.node, n = w->o->codec->schema->attributes[column->attribute].n_levels;
    tct_raw_node node = {.feature = (int32_t)column->attribute,
                         .categorical = true,
                         .by_level = true,
                         .set_left = true,
                         .first = w->o->trees.n_codes};
    way yes = {e->left[i], false}, no = {e->right[i], false};

    for (size_t k = 0; k < n; k++) {
        bool holds = holds_for(e, i, column->values[k]);

        if (holds && tct_raw_add_code(&w->o->trees, (uint32_t)k, &w->o->error))
            return w->o->error.status;
        node.count += holds;
    }
    if (node.count == 0 || node.count == n) {
        w->o->trees.n_codes = node.first;
        return write_node(w, node.count ? yes : no, depth);
    }
    return write_split(w, &node, yes, no, NULL, NULL, depth);
}

static tacit_status write_node(writing *w, way at, size_t depth)
{
    const tct_ensemble *e = w->e;
    const tct_source *column;

    if (depth > TCT_TREE_DEPTH)
        return tct_onnx_fail(w->o, "a tree is more than %d nodes deep", TCT_TREE_DEPTH);
    if (w->o->trees.n_nodes >= MOST_NODES)
        return tct_onnx_fail(w->o, "its trees have more than %d nodes", MOST_NODES);
    if (e->modes[at.node] == TCT_LEAF) {
        tct_raw_node leaf = {.feature = -1};
        const tct_leaf_weight *weight = tct_ensemble_weight(e, e->class, at.node);
        const tct_leaf_weight *rival = e->rival ? tct_ensemble_weight(e, 0, at.node) : NULL;

        leaf.number = weight ? weight->value : 0;
        leaf.rival = rival ? rival->value : 0;
        return tct_raw_add_node(&w->o->trees, &leaf, &w->o->error);
    }
    if (e->features[at.node] < 0 || (uint64_t)e->features[at.node] >= e->n_columns)
        return tct_onnx_fail(w->o, "a node reads column %lld; there are %zu", (long long)e->features[at.node],
                             e->n_columns);
    column = &e->columns[e->features[at.node]];
    return column->values ? write_category(w, column, at, depth) : write_number(w, column, at, depth);
}

tacit_status tct_ensemble_write(tct_onnx *o, const tct_ensemble *e, size_t root, size_t score)
{
    size_t n = o->codec->schema->n_attributes;
    writing w = {.o = o, .e = e, .stretches = tct_onnx_alloc(o, n, sizeof *w.stretches)};
    tacit_status st = w.stretches ? tct_raw_begin_tree(&o->trees, score, &o->error) : o->error.status;

    for (size_t a = 0; a < n && !st; a++)
        w.stretches[a] = (stretch){-INFINITY, INFINITY, true};
    w.root = o->trees.n_nodes;
    return st ? st : write_node(&w, (way){root, false}, 0);
}
