/*
 * lightgbm_tree.c -- one tree of a model file of LightGBM.
 *
 * A tree is a handful of lists with an entry for each inner node, and one with an entry for each leaf; a child below 0
 * is leaf -child - 1.  A number goes left iff it is at most the threshold, in double precision; that is "below the next
 * double" here.  LightGBM takes numbers of a size up to about 1e-35 (ZERO) for 0 before any test.
 *
 * Missing values have one of three meanings at a node.  None: NaN counts as 0.  NaN: it goes the default way.  Zero: NaN
 * and 0 go the default way.  The last may be a test with a hole, "at most 5, but not 0", for which one cut is not
 * enough.  So numbers are first told apart into those below, at and above 0, as far as the nodes above have not done
 * it, and the node comes again under each part:
 *
 *     x <= 5, 0 goes right:    x < -ZERO ?  left  :  x <= ZERO ?  right  :  x <= 5 ?  left  :  right
 *
 * The parts that a number may be in are kept for each feature while a tree is walked, so that this is done once on a
 * path.
 */
#include <math.h>
#include <string.h>

#include "arena.h"
#include "lightgbm_inside.h"

enum {
    CATEGORICAL = 1, /* bits of decision_type */
    DEFAULT_LEFT = 2,
    MISSING_SHIFT = 2,
    MISSING_ZERO = 1,
    MISSING_NAN = 2,
    BELOW = 1, /* parts of the number line */
    AT_ZERO = 2,
    ABOVE = 4
};

static const double ZERO = 1e-35f; /* the float, as a double */

/* The lists of a tree, as numbers. */
typedef struct lists {
    tct_arena arena;
    size_t n_leaves, n_sets, n_words;
    double *features, *thresholds, *decisions, *left, *right, *leaves, *starts, *words;
} lists;

typedef struct walk {
    tct_lg_reader *r;
    const lists *l;
    size_t root; /* node of raw */
} walk;

/* ---- reading ---- */

/* Exactly n numbers; nothing is allocated for more numbers than there are bytes. */
static tacit_status read_list(const tct_lg_reader *r, tct_lg_span part, lists *l, const char *key, size_t n,
                              double **out)
{
    tct_lg_span value, word;
    size_t found = 0;

    if (!tct_lg_find(part, key, &value) || n > (size_t)(value.end - value.at) + 1)
        return tct_fail_at(r->err, TACIT_E_INPUT, r->file, 0, NULL,
                           "LightGBM model: a tree has no %s, or one that is too short", key);
    *out = tct_take(&l->arena, n + 1, sizeof **out);
    if (!*out)
        return tct_fail_memory(r->err);
    while (tct_lg_next_word(&value, &word)) {
        if (found == n || !tct_lg_number(word, &(*out)[found]))
            return tct_fail_at(r->err, TACIT_E_INPUT, r->file, 0, NULL,
                               "LightGBM model: %s of a tree has too many entries, or one that is no finite number",
                               key);
        found++;
    }
    if (found < n)
        return tct_fail_at(r->err, TACIT_E_INPUT, r->file, 0, NULL,
                           "LightGBM model: a tree has no %s, or one that is too short", key);
    return TACIT_OK;
}

static tacit_status read_sets(const tct_lg_reader *r, tct_lg_span part, lists *l)
{
    tacit_status st = read_list(r, part, l, "cat_boundaries", l->n_sets + 1, &l->starts);

    if (st)
        return st;
    for (size_t i = 0; i <= l->n_sets; i++)
        if (!(l->starts[i] >= (i ? l->starts[i - 1] : 0) && l->starts[i] < 0x1p31) ||
            l->starts[i] != floor(l->starts[i]))
            return tct_lg_refuse(r, "cat_boundaries of a tree do not rise");
    l->n_words = (size_t)l->starts[l->n_sets];
    st = read_list(r, part, l, "cat_threshold", l->n_words, &l->words);
    for (size_t i = 0; i < l->n_words && !st; i++)
        if (!(l->words[i] >= 0 && l->words[i] < 0x1p32) || l->words[i] != floor(l->words[i]))
            st = tct_lg_refuse(r, "cat_threshold of a tree has what is no word of a bit set");
    return st;
}

/* Is every node but the root, and every leaf, the child of one node? */
static tacit_status check_children(const tct_lg_reader *r, const lists *l)
{
    size_t inner = l->n_leaves - 1;
    unsigned char *seen = tct_calloc(inner + l->n_leaves, 1);
    bool whole = true;

    if (!seen)
        return tct_fail_memory(r->err);
    for (size_t i = 0; i < 2 * inner && whole; i++) {
        double child = i < inner ? l->left[i] : l->right[i - inner];
        size_t at = 0;

        whole = child == floor(child) && child >= -(double)l->n_leaves && child < (double)inner && child != 0;
        if (whole)
            at = child < 0 ? inner + (size_t)(-child - 1) : (size_t)child;
        whole = whole && !seen[at]++;
    }
    tct_free(seen);
    return whole ? TACIT_OK : tct_lg_refuse(r, "a tree is not one: a child is not there, or has two parents");
}

static tacit_status read_lists(const tct_lg_reader *r, tct_lg_span part, lists *l)
{
    tct_lg_span value;
    size_t inner;
    tacit_status st;

    if (tct_lg_find(part, "is_linear", &value) && value.at < value.end && *value.at != '0')
        return tct_lg_refuse(r, "its leaves are linear functions (linear_tree), whose labels are no matter of cells");
    if (!tct_lg_find(part, "num_leaves", &value) || !tct_lg_count(value, &l->n_leaves) || l->n_leaves < 1)
        return tct_lg_refuse(r, "num_leaves of a tree is missing, or no number from 1 on");
    if (tct_lg_find(part, "num_cat", &value) && !tct_lg_count(value, &l->n_sets))
        return tct_lg_refuse(r, "num_cat of a tree is no number");
    inner = l->n_leaves - 1;
    st = read_list(r, part, l, "leaf_value", l->n_leaves, &l->leaves);
    if (st || inner == 0)
        return st;
    if ((st = read_list(r, part, l, "split_feature", inner, &l->features)) ||
        (st = read_list(r, part, l, "threshold", inner, &l->thresholds)) ||
        (st = read_list(r, part, l, "decision_type", inner, &l->decisions)) ||
        (st = read_list(r, part, l, "left_child", inner, &l->left)) ||
        (st = read_list(r, part, l, "right_child", inner, &l->right)) ||
        (l->n_sets > 0 && (st = read_sets(r, part, l))))
        return st;
    return check_children(r, l);
}

/* ---- nodes ---- */

static tacit_status add_child(const walk *w, double child, size_t depth);
static tacit_status add_zero(const walk *w, size_t i, size_t depth);

/* A node with what comes below it: node i of the file again, or its children.  parts: of its feature, below it. */
typedef struct branch {
    size_t node; /* of the file */
    bool again;
    unsigned char left, right;
} branch;

static tacit_status add_branch(const walk *w, const tct_raw_node *node, const branch *b, size_t depth)
{
    tct_raw_trees *raw = w->r->raw;
    unsigned char *parts = &w->r->parts[node->feature], before = *parts;
    size_t index = raw->n_nodes;
    tacit_status st;

    if (index >= w->r->most)
        return tct_lg_refuse(w->r, "zero_as_missing makes its tests too many; train with zero_as_missing=false");
    st = tct_raw_add_node(raw, node, w->r->err);
    for (int k = 0; k < 2 && !st; k++) {
        tct_raw_child(raw, index, w->root, k);
        *parts = k == 0 ? b->left : b->right;
        st = b->again ? add_zero(w, b->node, depth + 1)
                      : add_child(w, k == 0 ? w->l->left[b->node] : w->l->right[b->node], depth + 1);
    }
    *parts = before;
    return st;
}

/* Numbers below it go left. */
static double cut_after(double threshold)
{
    if (threshold >= -ZERO && threshold <= ZERO) /* all that counts as 0 is on one side */
        return threshold >= 0 ? nextafter(ZERO, INFINITY) : -ZERO;
    return nextafter(threshold, INFINITY);
}

/* A node whose missing values are None or NaN. */
static tacit_status add_plain(const walk *w, size_t i, size_t depth)
{
    unsigned decision = (unsigned)w->l->decisions[i];
    double threshold = w->l->thresholds[i];
    tct_raw_node node = {.feature = (int32_t)w->l->features[i], .number = cut_after(threshold)};
    unsigned char parts = w->r->parts[node.feature];
    const branch below = {i, false, parts, parts};

    node.missing_left = decision >> MISSING_SHIFT == MISSING_NAN ? (decision & DEFAULT_LEFT) != 0 : 0 <= threshold;
    return add_branch(w, &node, &below, depth);
}

/* A node that sends 0 and missing values the default way, for numbers in some parts. */
static tacit_status add_zero(const walk *w, size_t i, size_t depth)
{
    double threshold = w->l->thresholds[i];
    bool by_default = ((unsigned)w->l->decisions[i] & DEFAULT_LEFT) != 0;
    bool low = threshold<-ZERO, high = threshold> ZERO;
    tct_raw_node node = {.feature = (int32_t)w->l->features[i], .missing_left = by_default};
    unsigned char parts = w->r->parts[node.feature];
    branch below = {i, false, parts, parts};

    if (parts == AT_ZERO || (parts == BELOW && !low) || (parts == ABOVE && !high)) {
        bool left = parts == AT_ZERO ? by_default : parts == BELOW;

        return add_child(w, left ? w->l->left[i] : w->l->right[i], depth);
    }
    if (!(parts & AT_ZERO) || (!low && !high) || by_default == high) { /* one cut does it */
        node.number = low || high ? nextafter(threshold, INFINITY) : by_default ? nextafter(ZERO, INFINITY) : -ZERO;
        below.left = parts & (high ? BELOW | AT_ZERO | ABOVE : low || !by_default ? BELOW : BELOW | AT_ZERO);
        below.right = parts & (low ? BELOW | AT_ZERO | ABOVE : high || by_default ? ABOVE : AT_ZERO | ABOVE);
        return add_branch(w, &node, &below, depth);
    }
    below.again = true;
    below.left = parts & BELOW ? BELOW : AT_ZERO;
    below.right = parts & ~below.left;
    node.number = parts & BELOW ? -ZERO : nextafter(ZERO, INFINITY);
    node.missing_left = !(parts & BELOW); /* with 0 */
    return add_branch(w, &node, &below, depth);
}

/* A node that sends the categories of a set left, all others and missing ones right. */
static tacit_status add_set(const walk *w, size_t i, size_t depth)
{
    const lists *l = w->l;
    tct_raw_node node = {.feature = (int32_t)l->features[i], .categorical = true, .set_left = true};
    unsigned char parts = w->r->parts[node.feature];
    const branch below = {i, false, parts, parts};
    double set = l->thresholds[i];
    size_t from, to;

    if (!(set >= 0 && set < (double)l->n_sets) || set != floor(set))
        return tct_lg_refuse(w->r, "the categories of a node are not there");
    from = (size_t)l->starts[(size_t)set];
    to = (size_t)l->starts[(size_t)set + 1];
    if (to - from > (size_t)INT32_MAX / 32)
        return tct_lg_refuse(w->r, "a category is no number below 2^31");
    node.first = w->r->raw->n_codes;
    for (size_t k = from; k < to; k++)
        for (uint32_t bit = 0; bit < 32; bit++)
            if ((uint32_t)l->words[k] >> bit & 1) {
                tacit_status st = tct_raw_add_code(w->r->raw, (uint32_t)(k - from) * 32 + bit, w->r->err);

                if (st)
                    return st;
            }
    node.count = w->r->raw->n_codes - node.first;
    return add_branch(w, &node, &below, depth);
}

static tacit_status add_child(const walk *w, double child, size_t depth)
{
    const lists *l = w->l;
    unsigned decision;
    size_t i;

    if (depth > TCT_TREE_DEPTH)
        return tct_lg_refuse(w->r, "a tree is more than 500 nodes deep");
    if (child < 0 || l->n_leaves == 1) {
        const tct_raw_node leaf = {.feature = -1, .number = l->leaves[child < 0 ? (size_t)(-child - 1) : 0]};

        return tct_raw_add_node(w->r->raw, &leaf, w->r->err);
    }
    i = (size_t)child;
    if (!(l->features[i] >= 0 && l->features[i] < (double)w->r->raw->n_features) ||
        l->features[i] != floor(l->features[i]))
        return tct_lg_refuse(w->r, "a node asks for a feature that is not there");
    if (!(l->decisions[i] >= 0 && l->decisions[i] < 12) || l->decisions[i] != floor(l->decisions[i]))
        return tct_lg_refuse(w->r, "decision_type of a node is not known");
    decision = (unsigned)l->decisions[i];
    if (decision & CATEGORICAL)
        return add_set(w, i, depth);
    return decision >> MISSING_SHIFT == MISSING_ZERO ? add_zero(w, i, depth) : add_plain(w, i, depth);
}

tacit_status tct_lg_read_tree(tct_lg_reader *r, tct_lg_span part, size_t k)
{
    lists l = {0};
    walk w = {r, &l, r->raw->n_nodes};
    tacit_status st = read_lists(r, part, &l);

    if (!st)
        st = tct_raw_begin_tree(r->raw, k % r->per_round, r->err);
    if (!st)
        memset(r->parts, BELOW | AT_ZERO | ABOVE, r->raw->n_features);
    if (!st)
        st = add_child(&w, 0, 0);
    tct_arena_clear(&l.arena);
    return st;
}
