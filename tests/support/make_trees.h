/*
 * make_trees.h -- random ensembles of trees, and everybody in a region.
 *
 *   tacit_model *m = make_tree_model(seed, 5, 3, 12, 4);     five attributes, three classes, twelve trees of depth 4
 *   everybody e;
 *   everybody_in(&e, m, &region);                            all combinations of cells, evaluated
 *
 * Every third seed has leaves that are small multiples of 1/8, so that scores tie and lie on the cut; every fifth has
 * such leaves and a few units in the last place more; every second sums in double precision, every fourth of these with two
 * classes compares two sums.
 */
#ifndef TEST_MAKE_TREES_H
#define TEST_MAKE_TREES_H

#include "make_model.h"
#include "provers.h"
#include "trees.h"

static inline double make_tree_value(uint64_t seed, bool single, tct_random *random)
{
    double v = tct_random_normal(random);

    if (seed % 3 == 0 || seed % 5 == 0)
        v = ((double)tct_random_below(random, 9) - 4) / 8;
    if (seed % 5 == 0)
        v += ((double)tct_random_below(random, 7) - 3) * (single ? 0x1p-24 : 0x1p-53);
    return single ? (double)(float)v : v;
}

static inline int make_trees_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* How trees see an attribute of a schema: with a few cuts, some beyond the domain. */
static inline tct_tree_attribute make_tree_attribute(const tct_codec *codec, size_t a, bool single, tct_random *random)
{
    const tacit_attribute *attribute = &codec->schema->attributes[a];
    const tct_domain *domain = &codec->domains[a];
    tct_tree_attribute out = {.width = domain->width, .count = domain->count};
    double range = attribute->max - attribute->min + 2;

    if (attribute->type == TACIT_CATEGORY) {
        out.levels = true;
        return out;
    }
    out.cuts = make_model_room(8);
    out.missing = tct_random_below(random, 3) == 0;
    for (size_t i = 0, n = tct_random_below(random, 6); i < n; i++) {
        double cut = attribute->min - 1 + range * tct_random_uniform(random);

        out.cuts[out.n_cuts++] = attribute->type == TACIT_INTEGER ? ceil(cut) : single ? (double)(float)cut : cut;
    }
    qsort(out.cuts, out.n_cuts, sizeof *out.cuts, make_trees_compare);
    for (size_t i = 1; i < out.n_cuts; i++)
        if (out.cuts[i] == out.cuts[i - 1]) {
            memmove(out.cuts + i, out.cuts + i + 1, (out.n_cuts - i - 1) * sizeof *out.cuts);
            out.n_cuts--;
            i--;
        }
    return out;
}

static inline void make_tree(tct_trees *t, uint64_t seed, size_t depth, tct_random *random)
{
    tct_tree_node node = {.attribute = TCT_TREE_LEAF};
    size_t index, a = tct_random_below(random, t->n_attributes);
    const tct_tree_attribute *seen = &t->attributes[a];
    bool leaf = depth == 0 || tct_random_below(random, 6) == 0 || (!seen->levels && seen->n_cuts == 0);
    tacit_error err = {0};

    if (leaf) {
        node.value = make_tree_value(seed, t->single, random);
        make_model_check(tct_trees_add_node(t, &node, &index, &err), &err);
        return;
    }
    node.attribute = (uint16_t)a;
    node.missing_left = tct_random_below(random, 2);
    if (seen->levels) {
        make_model_check(tct_trees_add_set(t, a, &node.test, &err), &err);
        for (size_t k = 0; k < seen->count; k++)
            t->sets[node.test] |= (uint64_t)tct_random_below(random, 2) << k;
    } else {
        node.test = 1 + (uint32_t)tct_random_below(random, seen->n_cuts);
    }
    make_model_check(tct_trees_add_node(t, &node, &index, &err), &err);
    make_tree(t, seed, depth - 1, random);
    t->nodes[index].right = (uint32_t)t->n_nodes;
    make_tree(t, seed, depth - 1, random);
}

/* Two sums that are compared with each other: what each leaf has for the rival is what it lacks to 1, rounded. */
static inline void make_rival(tct_trees *t, uint64_t seed)
{
    t->rival = (tct_rival){.divide = (double)t->n_trees, .start = 0.125, .ties_won = seed % 3 == 1};
    for (size_t i = 0; i < t->n_nodes; i++)
        if (t->nodes[i].attribute == TCT_TREE_LEAF)
            t->nodes[i].rival = 1 - t->nodes[i].value;
    t->cut = (t->start[0] + t->rival.start + (double)t->n_trees) / 2;
}

static inline tacit_model *make_tree_model(uint64_t seed, size_t n_attributes, size_t n_classes, size_t n_trees,
                                           size_t depth)
{
    tct_tree_attribute attributes[32];
    tct_random random;
    tacit_error err = {0};
    tct_codec *codec = NULL;
    tacit_model *model = NULL;
    tacit_schema *schema;
    tct_trees *t = NULL;
    bool single = seed % 2;
    double *mean, *covariance;

    tct_random_seed(&random, seed, 99);
    schema = make_schema(n_attributes, n_classes, true, &random);
    make_model_check(tct_codec_new(&codec, schema, &err), &err);
    for (size_t a = 0; a < n_attributes; a++) {
        attributes[a] = make_tree_attribute(codec, a, single, &random);
        schema->attributes[a].missing_is_value = attributes[a].missing;
    }
    make_model_check(tct_trees_new(&t, n_classes, attributes, n_attributes, &err), &err);
    t->single = single;
    for (size_t k = 0; k < n_trees; k++) {
        make_model_check(tct_trees_begin_tree(t, k % t->base.n_scores, &err), &err);
        make_tree(t, seed, depth, &random);
    }
    for (size_t s = 0; s < t->base.n_scores; s++)
        t->start[s] = tct_random_below(&random, 2) ? make_tree_value(seed, single, &random) : 0;
    t->cut = n_classes > 2 ? 0 : make_tree_value(seed, single, &random);
    if (n_classes == 2 && seed % 8 == 2)
        make_rival(t, seed);
    make_model_check(tct_trees_finish(t, &err), &err);
    tct_codec_free(codec);
    make_model_check(tct_classifier_codec(&codec, &t->base, schema, &err), &err);
    mean = make_model_room(codec->n_inputs);
    covariance = make_model_room(codec->n_inputs * codec->n_inputs);
    make_moments(codec, &random, mean, covariance);
    make_model_check(tct_model_assemble(&model, schema, &t->base, mean, covariance, &err), &err);
    tct_codec_free(codec);
    for (size_t a = 0; a < n_attributes; a++)
        tct_free(attributes[a].cuts);
    return model;
}

/* ---- brute force ---- */

typedef struct everybody {
    uint64_t count;
    bool constant;
    size_t label;   /* of the first */
    double nearest; /* least distance of a lead, or of the score from the cut, over all */
} everybody;

static inline bool value_in(const tct_region *region, size_t a, size_t k)
{
    const tct_domain *domain = &region->codec->domains[a];
    double v[MAKE_MODEL_LEVELS];

    tct_codec_value(region->codec, a, k, v);
    if (region->known[a])
        return memcmp(v, region->x + domain->first, domain->width * sizeof *v) == 0;
    return tct_region_holds(region, a, v);
}

/* The least lead of the label over any other class. */
static inline double lead_of(const double *f, size_t n_scores)
{
    size_t label = tct_label(f, n_scores);
    double lead = n_scores == 1 ? fabs(f[0]) : INFINITY;

    for (size_t s = 0; n_scores > 1 && s < n_scores; s++)
        if (s != label)
            lead = fmin(lead, f[label] - f[s]);
    return lead;
}

/* The number of combinations is at most `most`, or nothing is evaluated and count is 0. */
static inline void everybody_in(everybody *e, const tacit_model *m, const tct_region *region, uint64_t most)
{
    size_t n = m->schema->n_attributes, digit[32] = {0}, a;
    double x[256], f[TCT_MAX_CLASSES];
    uint64_t total = 1;

    *e = (everybody){.constant = true, .nearest = INFINITY};
    for (a = 0; a < n && total <= most; a++) {
        uint64_t values = 0;

        for (size_t k = 0; k < m->codec->domains[a].count; k++)
            values += value_in(region, a, k);
        total *= values;
    }
    if (total > most)
        return;
    for (a = 0; a < n; a++)
        while (!value_in(region, a, digit[a]))
            digit[a]++;
    do {
        size_t label;

        for (a = 0; a < n; a++)
            tct_codec_value(m->codec, a, digit[a], x + m->codec->domains[a].first);
        m->classifier->ops->scores(m->classifier, x, 1, f);
        label = tct_label(f, m->classifier->n_scores);
        e->label = e->count++ == 0 ? label : e->label;
        e->constant = e->constant && label == e->label;
        e->nearest = fmin(e->nearest, lead_of(f, m->classifier->n_scores));
        for (a = 0; a < n; a++) {
            size_t count = m->codec->domains[a].count;

            do
                digit[a]++;
            while (digit[a] < count && !value_in(region, a, digit[a]));
            if (digit[a] < count)
                break;
            for (digit[a] = 0; !value_in(region, a, digit[a]);)
                digit[a]++;
        }
    } while (a < n);
}

#endif
