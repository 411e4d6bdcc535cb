/*
 * leaf_trees.c -- does a claim about an ensemble of trees hold over a part of its region?
 *
 * Every tree of the model is walked through all nodes that somebody of the part can reach, and the least and the largest
 * leaf among them are kept.  A score lies between the sum of the least and the sum of the largest, whichever people
 * attain them.  Scores may have been added up in any order, in the precision of the model, so what n additions can lose
 * at most must be left over, and what the additions here lose as well (METHOD.md, trees).
 *
 * Where the model says that they are added up in the order of the trees, so are the least and the largest leaves, in the
 * same precision.  Rounding keeps order, so every score lies between these two sums, and nothing need be left over.
 *
 * Where the claim is about one person from the beginning there is nothing to bound: the sums are formed as deployed.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "arena.h"
#include "leaves.h"
#include "trees.h"

typedef struct trees_leaf {
    tct_leaf base;
    const tct_trees *trees;
    tct_arena arena;
    /* What the part and the nodes passed so far leave of each attribute.  Numbers: cells from ... upto, of which the one
     * for "missing" is apart.  Levels: those that nobody has closed. */
    uint32_t *from, *upto;
    unsigned char *lacking; /* "missing" is among it */
    uint16_t **closed;
    double *point; /* inputs */
} trees_leaf;

typedef struct extent {
    double least, most;
} extent;

static void leaf_free(tct_leaf *leaf)
{
    trees_leaf *l = (trees_leaf *)leaf;

    tct_arena_clear(&l->arena);
    tct_free(l);
}

static tacit_status leaf_make(tct_leaf **out, const tct_claim *claim, tacit_error *err)
{
    const tct_trees *trees = tct_as_trees(claim->model->classifier);
    trees_leaf *l = tct_calloc(1, sizeof *l);
    size_t n = trees->n_attributes;

    *out = NULL;
    if (!l)
        return tct_fail_memory(err);
    l->base = (tct_leaf){&tct_leaf_trees, claim, TACIT_NONE};
    l->trees = trees;
    l->from = tct_take(&l->arena, n, sizeof *l->from);
    l->upto = tct_take(&l->arena, n, sizeof *l->upto);
    l->lacking = tct_take(&l->arena, n, 1);
    l->closed = tct_take(&l->arena, n, sizeof *l->closed);
    l->point = tct_take(&l->arena, trees->base.n_inputs, sizeof *l->point);
    for (size_t a = 0; a < n && l->closed; a++)
        if (trees->attributes[a].levels)
            l->closed[a] = tct_take(&l->arena, trees->attributes[a].count, sizeof **l->closed);
    if (l->arena.failed) {
        leaf_free(&l->base);
        return tct_fail_memory(err);
    }
    *out = &l->base;
    return TACIT_OK;
}

/* Does the attribute of a part have the value with index k? */
static bool has_value(const tct_region *part, size_t a, size_t k)
{
    const tct_domain *domain = &part->codec->domains[a];
    double value[TCT_MAX_LEVELS], first, last;

    if (part->known[a]) {
        tct_codec_value(part->codec, a, k, value);
        return memcmp(value, part->x + domain->first, domain->width * sizeof *value) == 0;
    }
    if (domain->kind == TCT_ONEHOT)
        return tct_region_has_level(part, a, k);
    tct_region_indices(part, a, &first, &last);
    return (double)k >= first && (double)k <= last;
}

/* Numbers: the stretch of indices that the part has. */
static void find_stretch(const tct_region *part, size_t a, double *first, double *last)
{
    const tct_domain *domain = &part->codec->domains[a];

    if (!part->known[a])
        tct_region_indices(part, a, first, last);
    else
        *first = *last = domain->count > 1 ? rint((part->x[domain->first] + 1) / 2 * ((double)domain->count - 1)) : 0;
}

static void open_part(trees_leaf *l, const tct_region *part)
{
    for (size_t a = 0; a < l->trees->n_attributes; a++) {
        const tct_tree_attribute *seen = &l->trees->attributes[a];
        double first = 0, last = 0;

        for (size_t k = 0; seen->levels && k < seen->count; k++)
            l->closed[a][k] = !has_value(part, a, k);
        if (seen->levels)
            continue;
        find_stretch(part, a, &first, &last);
        l->from[a] = (uint32_t)first;
        l->upto[a] = (uint32_t)fmin(last, (double)seen->n_cuts);
        l->lacking[a] = last > (double)seen->n_cuts;
    }
}

static void walk(trees_leaf *l, size_t at, extent *e);

/* Both sides of a node that asks for a set of levels. */
static void walk_levels(trees_leaf *l, size_t at, extent *e)
{
    const tct_tree_node *node = &l->trees->nodes[at];
    const uint64_t *set = l->trees->sets + node->test;
    uint16_t *closed = l->closed[node->attribute];
    size_t count = l->trees->attributes[node->attribute].count;

    for (int left = 0; left < 2; left++) {
        bool any = false;

        for (size_t k = 0; k < count; k++) {
            any = any || (closed[k] == 0 && tct_set_has(set, k) == left);
            closed[k] = (uint16_t)(closed[k] + (tct_set_has(set, k) != left));
        }
        if (any)
            walk(l, left ? at + 1 : node->right, e);
        for (size_t k = 0; k < count; k++)
            closed[k] = (uint16_t)(closed[k] - (tct_set_has(set, k) != left));
    }
}

/* Both sides of a node that asks for a number. */
static void walk_number(trees_leaf *l, size_t at, extent *e)
{
    const tct_tree_node *node = &l->trees->nodes[at];
    size_t a = node->attribute;
    uint32_t from = l->from[a], upto = l->upto[a];
    unsigned char lacking = l->lacking[a];

    l->lacking[a] = lacking && node->missing_left;
    l->upto[a] = upto < node->test ? upto : node->test - 1;
    if (l->from[a] <= l->upto[a] || l->lacking[a])
        walk(l, at + 1, e);
    l->upto[a] = upto;
    l->lacking[a] = lacking && !node->missing_left;
    l->from[a] = from > node->test ? from : node->test;
    if (l->from[a] <= l->upto[a] || l->lacking[a])
        walk(l, node->right, e);
    l->from[a] = from;
    l->lacking[a] = lacking;
}

static void walk(trees_leaf *l, size_t at, extent *e)
{
    const tct_tree_node *node = &l->trees->nodes[at];

    if (node->attribute == TCT_TREE_LEAF) {
        e->least = node->value < e->least ? node->value : e->least;
        e->most = node->value > e->most ? node->value : e->most;
    } else if (l->trees->attributes[node->attribute].levels) {
        walk_levels(l, at, e);
    } else {
        walk_number(l, at, e);
    }
}

/* One step of a sum, as deployed. */
static double add(const tct_trees *t, double sum, double value)
{
    return t->single ? (double)((float)sum + (float)value) : sum + value;
}

/* Between what a score lies that is added up in the order of the trees. */
static extent bound_in_order(trees_leaf *l, size_t score)
{
    const tct_trees *t = l->trees;
    extent sum = {t->start[score], t->start[score]};

    for (size_t k = 0; k < t->n_trees; k++) {
        extent e = {INFINITY, -INFINITY};

        if (t->scores[k] != score)
            continue;
        walk(l, t->roots[k], &e);
        sum = (extent){add(t, sum.least, e.least), add(t, sum.most, e.most)};
    }
    return sum;
}

/* Between what a score lies, however it is added up. */
static extent bound_any_order(trees_leaf *l, size_t score)
{
    const tct_trees *t = l->trees;
    extent sum = {t->start[score], t->start[score]};
    double size = fabs(t->start[score]), lost, unit = t->single ? FLT_EPSILON / 2 : DBL_EPSILON / 2;
    double terms = (double)t->n_trees + 5; /* and the start, which may itself be a few roundings off */

    for (size_t k = 0; k < t->n_trees; k++) {
        extent e = {INFINITY, -INFINITY};

        if (t->scores[k] != score)
            continue;
        walk(l, t->roots[k], &e);
        sum.least += e.least;
        sum.most += e.most;
        size += fmax(fabs(e.least), fabs(e.most));
    }
    if (!(terms * unit < 0.5))
        return (extent){-INFINITY, INFINITY};
    lost = terms * unit / (1 - terms * unit) * size + terms * DBL_EPSILON * size;
    lost = lost * (1 + 0x1p-40) + t->slack;
    return (extent){nextafter(sum.least - lost, -INFINITY), nextafter(sum.most + lost, INFINITY)};
}

static extent bound_score(trees_leaf *l, size_t score)
{
    return l->trees->in_order ? bound_in_order(l, score) : bound_any_order(l, score);
}

/* Does a score of at least `least` beat that of class c, which is at most `most`?  A tie goes to the lower index. */
static bool beats(const trees_leaf *l, double least, size_t c, double most)
{
    return least > most || (l->trees->in_order && least == most && l->base.claim->label < c);
}

/* The claim is about one person. */
static bool holds_for_one(trees_leaf *l)
{
    const tct_classifier *classifier = &l->trees->base;
    double scores[TCT_MAX_CLASSES];
    bool holds;

    classifier->ops->scores(classifier, l->point, 1, scores);
    holds = tct_label(scores, classifier->n_scores) == l->base.claim->label;
    tct_wipe(scores, sizeof scores);
    return holds;
}

static bool leaf_holds(tct_leaf *leaf, const tct_region *part)
{
    trees_leaf *l = (trees_leaf *)leaf;
    const tct_trees *t = l->trees;
    size_t label = leaf->claim->label;
    extent own;

    leaf->against = TACIT_NONE;
    if (tct_region_is_point(&leaf->claim->region, l->point))
        return holds_for_one(l);
    open_part(l, part);
    own = bound_score(l, t->base.n_scores == 1 ? 0 : label);
    if (t->base.n_scores == 1) {
        bool holds = label == 1 ? own.least >= t->cut : own.most < t->cut;

        leaf->against = holds ? TACIT_NONE : 1 - label;
        return holds;
    }
    for (size_t c = 0; c < t->base.n_classes; c++)
        if (c != label && !beats(l, own.least, c, bound_score(l, c).most)) {
            leaf->against = c;
            return false;
        }
    return true;
}

const tct_leaf_ops tct_leaf_trees = {
    .kind = "trees", .proof = "trees", .make = leaf_make, .free = leaf_free, .holds = leaf_holds};
