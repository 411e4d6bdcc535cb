/*
 * trees.c -- the decision of an ensemble of trees, its bounds over a region, and how it is put together.
 *
 * Everything is computed from cells, which are exact, so the only rounding is that of the sums.  They are formed as the
 * libraries do: from the start, tree after tree.  Since these do not promise to keep that order, bounds allow for every
 * one (METHOD.md): n terms of sizes that add up to s differ from their exact sum by at most n u / (1 - n u) s.  Who vouches
 * for the order may say so (in_order); prover and checker then add up as `scores` does where bounds leave a label open.
 */
#include "trees.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "cells.h"
#include "tree_crowd.h"
#include "tree_walk.h"
#include "trees_json.h"

static const double MOST_SINGLE = 1e30, MOST_DOUBLE = 1e300; /* sizes of scores */
static const size_t START_ERROR = 4; /* roundings that the start may have seen: another logarithm */

const tct_trees *tct_as_trees(const tct_classifier *classifier)
{
    return classifier->ops == &tct_trees_ops ? (const tct_trees *)classifier : NULL;
}

/* ---- building ---- */

tacit_status tct_trees_new(tct_trees **out, size_t n_classes, const tct_tree_attribute *attributes, size_t n_attributes,
                           tacit_error *err)
{
    tct_trees *t = tct_calloc(1, sizeof *t);
    size_t n_scores = n_classes == 2 ? 1 : n_classes, first = 0;

    *out = NULL;
    if (!t)
        return tct_fail_memory(err);
    t->base = (tct_classifier){&tct_trees_ops, 0, n_classes, n_scores};
    t->n_attributes = n_attributes;
    t->start = tct_calloc(n_scores, sizeof *t->start);
    t->attributes = tct_calloc(n_attributes, sizeof *t->attributes);
    t->roots = tct_calloc(1, sizeof *t->roots);
    t->roots_room = 1;
    if (!t->start || !t->attributes || !t->roots)
        goto failed;
    for (size_t a = 0; a < n_attributes; a++) {
        tct_tree_attribute *to = &t->attributes[a];

        *to = attributes[a];
        to->first = first;
        first += to->width;
        to->cuts = NULL;
        if (to->levels)
            continue;
        to->count = to->n_cuts + 1 + to->missing;
        to->cuts = tct_malloc(to->n_cuts + 1, sizeof *to->cuts);
        if (!to->cuts)
            goto failed;
        memcpy(to->cuts, attributes[a].cuts, to->n_cuts * sizeof *to->cuts);
    }
    t->base.n_inputs = first;
    *out = t;
    return TACIT_OK;
failed:
    tct_trees_free(t);
    return tct_fail_memory(err);
}

void tct_trees_free(tct_trees *t)
{
    if (!t)
        return;
    for (size_t a = 0; t->attributes && a < t->n_attributes; a++)
        tct_free(t->attributes[a].cuts);
    tct_free(t->attributes);
    tct_free(t->start);
    tct_free(t->roots);
    tct_free(t->scores);
    tct_free(t->nodes);
    tct_free(t->sets);
    tct_free(t->steps);
    tct_tree_reach_free(t->reach);
    tct_tree_crowd_free(t->crowd);
    tct_free(t);
}

tacit_status tct_trees_begin_tree(tct_trees *t, size_t score, tacit_error *err)
{
    uint16_t *scores = tct_grow(t->scores, &t->scores_room, t->n_trees + 1, sizeof *scores);
    size_t *roots = tct_grow(t->roots, &t->roots_room, t->n_trees + 2, sizeof *roots);

    t->scores = scores ? scores : t->scores;
    t->roots = roots ? roots : t->roots;
    if (!scores || !roots)
        return tct_fail_memory(err);
    t->scores[t->n_trees] = (uint16_t)score;
    t->roots[t->n_trees++] = t->n_nodes;
    t->roots[t->n_trees] = t->n_nodes;
    return TACIT_OK;
}

tacit_status tct_trees_add_node(tct_trees *t, const tct_tree_node *node, size_t *index, tacit_error *err)
{
    tct_tree_node *nodes = tct_grow(t->nodes, &t->nodes_room, t->n_nodes + 1, sizeof *nodes);

    if (!nodes)
        return tct_fail_memory(err);
    t->nodes = nodes;
    *index = t->n_nodes;
    t->nodes[t->n_nodes++] = *node;
    t->roots[t->n_trees] = t->n_nodes;
    t->n_leaves += node->attribute == TCT_TREE_LEAF;
    return TACIT_OK;
}

tacit_status tct_trees_add_set(tct_trees *t, size_t attribute, uint32_t *first, tacit_error *err)
{
    size_t words = tct_set_words(t->attributes[attribute].count);
    uint64_t *sets = tct_grow(t->sets, &t->sets_room, t->n_sets + words, sizeof *sets);

    if (!sets)
        return tct_fail_memory(err);
    t->sets = sets;
    memset(t->sets + t->n_sets, 0, words * sizeof *t->sets);
    *first = (uint32_t)t->n_sets;
    t->n_sets += words;
    return TACIT_OK;
}

/* Is node i of a tree that ends before `end` whole, with all below it?  Where it ends, or 0. */
static size_t check_node(const tct_trees *t, size_t i, size_t end, size_t depth)
{
    const tct_tree_node *node = &t->nodes[i];
    const tct_tree_attribute *a;
    size_t right;

    if (i >= end || depth > TCT_TREE_DEPTH)
        return 0;
    if (node->attribute == TCT_TREE_LEAF)
        return isfinite(node->value) && (!t->single || (double)(float)node->value == node->value) &&
                       (!(t->rival.divide > 0) || isfinite(node->rival))
                   ? i + 1
                   : 0;
    if (node->attribute >= t->n_attributes)
        return 0;
    a = &t->attributes[node->attribute];
    if (a->levels ? node->test + tct_set_words(a->count) > t->n_sets : node->test < 1 || node->test > a->n_cuts)
        return 0;
    right = check_node(t, i + 1, end, depth + 1);
    return right != 0 && right == node->right ? check_node(t, right, end, depth + 1) : 0;
}

/* Sum of the sizes of all that a score may be made of. */
static double score_size(const tct_trees *t, size_t score)
{
    double size = fabs(t->start[score]);

    for (size_t k = 0; k < t->n_trees; k++) {
        double most = 0;

        for (size_t i = t->roots[k]; i < t->roots[k + 1] && t->scores[k] == score; i++)
            if (t->nodes[i].attribute == TCT_TREE_LEAF)
                most = fmax(most, fabs(t->nodes[i].value));
        size += most;
    }
    return size;
}

/* How far from the cut a score must be for the label to be that of the cut.  With s the score, q the sum of the rival, both
 * as they are computed, and m half of what they add up to, if that were the same for everybody: s - q = 2 (s - m) + what
 * they add up to differently + rounding of q; and two numbers that differ by more than two units in the last place stay
 * apart when divided by the same. */
static double rival_slack(const tct_trees *t)
{
    double both = t->start[0] + t->rival.start, differs = 0, size = fabs(t->rival.start) + fabs(t->start[0]);

    if (!(t->rival.divide > 0) || !isfinite(t->rival.divide) || !isfinite(t->rival.start) || t->base.n_scores != 1 ||
        t->single)
        return INFINITY;
    for (size_t k = 0; k < t->n_trees; k++) {
        double least = INFINITY, most = -INFINITY, largest = 0;

        for (size_t i = t->roots[k]; i < t->roots[k + 1]; i++) {
            const tct_tree_node *node = &t->nodes[i];

            if (node->attribute != TCT_TREE_LEAF)
                continue;
            least = fmin(least, node->value + node->rival);
            most = fmax(most, node->value + node->rival);
            largest = fmax(largest, fmax(fabs(node->value), fabs(node->rival)));
        }
        both += least;
        differs += most - least;
        size += 2 * largest;
    }
    /* All roundings of these sums, of the rival's and of the two quotients are below (n + 16) eps times the size. */
    return fabs(both / 2 - t->cut) + differs / 2 + (double)(t->n_trees + 16) * 2 * DBL_EPSILON * size;
}

/* Ways through the trees that are quicker than going from node to node. */
static tacit_status find_ways(tct_trees *t, tacit_error *err)
{
    tct_tree_crowd_free(t->crowd);
    t->crowd = NULL;
    if (tct_tree_walk_prepare(t, err))
        return TACIT_E_MEMORY;
    return tct_tree_crowd_new(&t->crowd, t, err);
}

tacit_status tct_trees_finish(tct_trees *t, tacit_error *err)
{
    for (size_t k = 0; k < t->n_trees; k++)
        if (t->scores[k] >= t->base.n_scores || check_node(t, t->roots[k], t->roots[k + 1], 0) != t->roots[k + 1])
            return tct_fail(err, TACIT_E_INPUT,
                            "tree %zu is not one whole tree, at most %d nodes deep, with leaves of its precision",
                            k + 1, TCT_TREE_DEPTH);
    for (size_t s = 0; s < t->base.n_scores; s++)
        if (!(score_size(t, s) < (t->single ? MOST_SINGLE : MOST_DOUBLE)) ||
            (t->single && (double)(float)t->start[s] != t->start[s]))
            return tct_fail(err, TACIT_E_INPUT, "the numbers of the trees are not finite, or too large to be added up");
    if (t->rival.divide != 0)
        t->slack = fmax(t->slack, rival_slack(t));
    if (!isfinite(t->cut) || !(t->slack >= 0 && t->slack < 1))
        return tct_fail(err, TACIT_E_INPUT, "the cut of the trees is no finite number, or their slack not below 1");
    if (t->in_order && t->slack > 0)
        return tct_fail(
            err, TACIT_E_INPUT,
            "proofs for one order of adding up are for labels that sums alone decide; here more is computed "
            "from them");
    return find_ways(t, err);
}

/* ---- the decision ---- */

void tct_trees_cells(const tct_trees *t, const double *x, uint32_t *cells)
{
    for (size_t i = 0; i < t->n_attributes; i++) {
        const tct_tree_attribute *a = &t->attributes[i];
        const double *inputs = x + a->first;
        uint32_t k = 0;

        if (a->width == 1 && a->count > 1)
            k = (uint32_t)lrint((*inputs + 1) / 2 * (double)(a->count - 1));
        else
            while (k + 1 < a->width && inputs[k] < 0.5)
                k++;
        cells[i] = k;
    }
}

/* Add the values of n leaves, one per tree from `first` on, to their scores: one rounding for each. */
static void add_leaves(const tct_trees *t, size_t first, size_t n, const uint32_t *leaves, double *sums)
{
    if (t->base.n_scores == 1 && t->single) {
        float sum = (float)*sums;

        for (size_t k = 0; k < n; k++)
            sum += (float)t->nodes[leaves[k]].value;
        *sums = (double)sum;
        return;
    }
    for (size_t k = 0; k < n; k++) {
        double *sum = &sums[t->scores[first + k]], value = t->nodes[leaves[k]].value;

        *sum = t->single ? (double)((float)*sum + (float)value) : *sum + value;
    }
}

/* The difference of two numbers has the right sign, and is 0 only where they are equal: the label is that of the cut.
 * Where it is not that of the two sums, the score is next to the cut on their side. */
static void take_cut(const tct_trees *t, double *sums, double rival)
{
    double own = sums[0] / t->rival.divide;

    if (t->base.n_scores != 1)
        return;
    sums[0] -= t->cut;
    if (!(t->rival.divide > 0))
        return;
    rival /= t->rival.divide;
    sums[0] = own > rival || (own == rival && t->rival.ties_won) ? fmax(sums[0], 0) : fmin(sums[0], -DBL_MIN);
}

/* The sums of a person, and that of the rival. */
static void add_trees(const tct_trees *t, const uint32_t *cells, double *sums, double *rival)
{
    uint32_t leaves[TCT_TREES_AT_ONCE];

    *rival = t->rival.start;
    memcpy(sums, t->start, t->base.n_scores * sizeof *sums);
    for (size_t first = 0; first < t->n_trees; first += TCT_TREES_AT_ONCE) {
        size_t n = t->n_trees - first < TCT_TREES_AT_ONCE ? t->n_trees - first : TCT_TREES_AT_ONCE;

        tct_tree_walk(t, first, n, cells, leaves);
        add_leaves(t, first, n, leaves, sums);
        for (size_t k = 0; k < n && t->rival.divide > 0; k++)
            *rival += t->nodes[leaves[k]].rival;
    }
    tct_wipe(leaves, sizeof leaves);
}

void tct_trees_sums(const tct_trees *t, const uint32_t *cells, double *sums)
{
    double rival;

    add_trees(t, cells, sums, &rival);
}

static void deployed_scores(const tct_trees *t, const uint32_t *cells, double *scores)
{
    double rival;

    add_trees(t, cells, scores, &rival);
    take_cut(t, scores, rival);
}

size_t tct_trees_label(const tct_trees *t, const uint32_t *cells)
{
    double sums[TCT_MAX_CLASSES];

    deployed_scores(t, cells, sums);
    return tct_label(sums, t->base.n_scores);
}

static void trees_scores(const tct_classifier *self, const double *x, size_t n, double *f)
{
    const tct_trees *t = (const tct_trees *)self;
    uint32_t cells[TCT_MAX_INPUTS];

    if (tct_tree_crowd_sums(t, x, n, f)) {
        for (size_t r = 0; r < n && self->n_scores == 1; r++)
            f[r] -= t->cut;
        return;
    }
    for (size_t r = 0; r < n; r++) {
        tct_trees_cells(t, x + r * self->n_inputs, cells);
        deployed_scores(t, cells, f + r * self->n_scores);
    }
    tct_wipe(cells, t->n_attributes * sizeof *cells);
}

double tct_trees_rounding(const tct_trees *t, size_t n, double size)
{
    /* In double precision twice: whoever bounds such sums by sums of doubles loses as much again. */
    double nu = (double)(n + START_ERROR) * (t->single ? FLT_EPSILON / 2 : 2 * DBL_EPSILON);

    /* A little more, for what this and `size` themselves have lost. */
    return nu < 0.5 ? nu / (1 - nu) * size * (1 + 1e-6) + t->slack : INFINITY;
}

/* ---- bounds ---- */

/* What the trees may see of an attribute. */
typedef struct seen {
    uint32_t low, high; /* numbers: cells low ... high - 1 */
    bool missing;
    uint64_t levels[(TCT_MAX_LEVELS + 63) / 64];
} seen;

typedef struct bounding {
    const tct_trees *trees;
    seen *seen;
    double least, most;
} bounding;

static void see(const tct_trees *t, const tct_region *region, size_t attribute, seen *s)
{
    const tct_tree_attribute *a = &t->attributes[attribute];
    double first = 0, last = (double)a->count - 1;

    *s = (seen){0};
    if (region->known[attribute]) {
        const double *inputs = region->x + a->first;
        size_t k = 0;

        if (a->width == 1 && a->count > 1)
            k = (size_t)lrint((*inputs + 1) / 2 * (double)(a->count - 1));
        else
            while (k + 1 < a->width && inputs[k] < 0.5)
                k++;
        first = last = (double)k;
    } else if (region->codec->domains[attribute].kind == TCT_GRID) {
        tct_region_indices(region, attribute, &first, &last);
    }
    for (size_t k = (size_t)first; a->levels && k <= (size_t)last; k++)
        if (region->known[attribute] || a->width == 1 || tct_region_has_level(region, attribute, k))
            s->levels[k / 64] |= (uint64_t)1 << k % 64;
    s->low = (uint32_t)fmin(first, (double)a->n_cuts + 1);
    s->high = (uint32_t)fmin(last, (double)a->n_cuts) + 1;
    s->missing = a->missing && last > (double)a->n_cuts;
}

/* The part of `s` that a node sends one way; false: there is none. */
static bool take_side(const tct_trees *t, const tct_tree_node *node, bool left, const seen *s, seen *out)
{
    const tct_tree_attribute *a = &t->attributes[node->attribute];
    bool any = false;

    *out = *s;
    if (a->levels) {
        for (size_t w = 0; w < tct_set_words(a->count); w++) {
            uint64_t set = t->sets[node->test + w];

            out->levels[w] &= left ? set : ~set;
            any = any || out->levels[w];
        }
        return any;
    }
    if (left)
        out->high = s->high < node->test ? s->high : node->test;
    else
        out->low = s->low > node->test ? s->low : node->test;
    out->missing = s->missing && node->missing_left == left;
    return out->low < out->high || out->missing;
}

static void bound_node(bounding *b, size_t i)
{
    const tct_tree_node *node = &b->trees->nodes[i];
    seen *here, whole, side;

    if (node->attribute == TCT_TREE_LEAF) {
        b->least = fmin(b->least, node->value);
        b->most = fmax(b->most, node->value);
        return;
    }
    here = &b->seen[node->attribute];
    whole = *here;
    for (int left = 0; left < 2; left++)
        if (take_side(b->trees, node, left, &whole, &side)) {
            *here = side;
            bound_node(b, left ? i + 1 : node->right);
        }
    *here = whole;
}

static void trees_margins(const tct_classifier *self, const tct_region *region, size_t label, double *lower)
{
    const tct_trees *t = (const tct_trees *)self;
    bounding b = {.trees = t, .seen = tct_malloc(t->n_attributes, sizeof *b.seen)};
    double least[TCT_MAX_CLASSES], most[TCT_MAX_CLASSES], size[TCT_MAX_CLASSES];

    for (size_t c = 0; c < self->n_classes; c++)
        lower[c] = c == label ? INFINITY : -INFINITY;
    if (!b.seen)
        return; /* nothing is proven */
    for (size_t a = 0; a < t->n_attributes; a++)
        see(t, region, a, &b.seen[a]);
    for (size_t s = 0; s < self->n_scores; s++) {
        least[s] = most[s] = t->start[s];
        size[s] = fabs(t->start[s]);
    }
    for (size_t k = 0; k < t->n_trees; k++) {
        size_t s = t->scores[k];

        b.least = INFINITY;
        b.most = -INFINITY;
        bound_node(&b, t->roots[k]);
        least[s] += b.least;
        most[s] += b.most;
        size[s] += fmax(fabs(b.least), fabs(b.most));
    }
    for (size_t s = 0; s < self->n_scores; s++) {
        double error =
            tct_trees_rounding(t, t->n_trees + 1, size[s]) + (double)(t->n_trees + 2) * DBL_EPSILON * size[s];

        least[s] -= error;
        most[s] += error;
    }
    if (self->n_scores == 1) {
        double far = label == 1 ? least[0] - t->cut : t->cut - most[0];

        lower[1 - label] = nextafter(far, -INFINITY);
    } else {
        for (size_t c = 0; c < self->n_classes; c++)
            lower[c] = c == label ? INFINITY : nextafter(least[label] - most[c], -INFINITY);
    }
    tct_free_wiped(b.seen, t->n_attributes * sizeof *b.seen);
}

/* ---- the rest ---- */

tacit_status tct_trees_codec(const tct_classifier *self, tct_codec *codec, tacit_error *err)
{
    const tct_trees *t = (const tct_trees *)self;
    tacit_status st = TACIT_OK;

    if (t->n_attributes != codec->schema->n_attributes)
        return tct_fail(err, TACIT_E_USAGE, "schema and classifier do not fit: %zu and %zu attributes",
                        codec->schema->n_attributes, t->n_attributes);
    for (size_t a = 0; a < t->n_attributes && !st; a++) {
        const tct_tree_attribute *from = &t->attributes[a];
        const tct_domain *domain = &codec->domains[a];

        if (from->first != domain->first || from->width != domain->width ||
            from->levels != (codec->schema->attributes[a].type == TACIT_CATEGORY) ||
            (from->levels && from->count != domain->count))
            st = tct_fail(err, TACIT_E_USAGE, "schema and classifier do not fit: attribute %s",
                          codec->schema->attributes[a].name);
        else if (!from->levels)
            st = tct_codec_set_cells(codec, a, from->cuts, from->n_cuts, t->single && !t->wide, from->missing, err);
    }
    return st;
}

static tacit_status trees_copy(tct_classifier **out, const tct_classifier *self, tacit_error *err)
{
    const tct_trees *t = (const tct_trees *)self;
    tct_trees *copy = NULL;
    tacit_status st = tct_trees_new(&copy, self->n_classes, t->attributes, t->n_attributes, err);

    *out = NULL;
    if (st)
        return st;
    copy->single = t->single;
    copy->wide = t->wide;
    copy->cut = t->cut;
    copy->slack = t->slack;
    copy->in_order = t->in_order;
    copy->rival = t->rival;
    memcpy(copy->start, t->start, self->n_scores * sizeof *t->start);
    tct_free(copy->roots);
    copy->roots = tct_malloc(t->n_trees + 1, sizeof *t->roots);
    copy->scores = tct_malloc(t->n_trees + 1, sizeof *t->scores);
    copy->nodes = tct_malloc(t->n_nodes + 1, sizeof *t->nodes);
    copy->sets = tct_malloc(t->n_sets + 1, sizeof *t->sets);
    if (!copy->roots || !copy->scores || !copy->nodes || !copy->sets) {
        tct_trees_free(copy);
        return tct_fail_memory(err);
    }
    memcpy(copy->roots, t->roots, (t->n_trees + 1) * sizeof *t->roots);
    if (t->n_trees > 0)
        memcpy(copy->scores, t->scores, t->n_trees * sizeof *t->scores);
    if (t->n_nodes > 0)
        memcpy(copy->nodes, t->nodes, t->n_nodes * sizeof *t->nodes);
    if (t->n_sets > 0)
        memcpy(copy->sets, t->sets, t->n_sets * sizeof *t->sets);
    copy->n_trees = copy->scores_room = t->n_trees;
    copy->roots_room = t->n_trees + 1;
    copy->n_nodes = copy->nodes_room = t->n_nodes;
    copy->n_sets = copy->sets_room = t->n_sets;
    copy->n_leaves = t->n_leaves;
    st = find_ways(copy, err);
    if (st)
        tct_trees_free(copy);
    else
        *out = &copy->base;
    return st;
}

static tacit_status trees_in_order(tct_classifier *self, tacit_error *err)
{
    tct_trees *t = (tct_trees *)self;

    t->in_order = true;
    return tct_trees_finish(t, err);
}

static void trees_free(tct_classifier *self)
{
    tct_trees_free((tct_trees *)self);
}

static void trees_describe(const tct_classifier *self, tacit_model_info *info, char *hidden)
{
    const tct_trees *t = (const tct_trees *)self;

    (void)hidden;
    info->trees = t->n_trees;
    info->leaves = t->n_leaves;
    info->in_order = t->in_order;
}

const tct_classifier_ops tct_trees_ops = {.kind = "trees",
                                          .scores = trees_scores,
                                          .margins = trees_margins,
                                          .codec = tct_trees_codec,
                                          .describe = trees_describe,
                                          .to_json = tct_trees_to_json,
                                          .from_json = tct_trees_from_json,
                                          .copy = trees_copy,
                                          .in_order = trees_in_order,
                                          .free = trees_free};
