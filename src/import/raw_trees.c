/*
 * raw_trees.c -- trees over features become trees over attributes.
 *
 * First every attribute learns which features it is made of.  Then all thresholds on a number are collected, brought to
 * what its values can tell apart (for integers the least whole number that is not below, found in the precision of the
 * comparison), sorted, and become its cuts.  Tests on categories become sets of levels by trying each level.
 */
#include "raw_trees.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "table_walk.h"

static const double WHOLE = 0x1p53;
static const size_t NO_FEATURE = SIZE_MAX;

/* ---- filling ---- */

tacit_status tct_raw_begin_tree(tct_raw_trees *raw, size_t score, tacit_error *err)
{
    size_t room = raw->trees_room, same = room;
    size_t *roots = tct_grow(raw->roots, &room, raw->n_trees + 1, sizeof *roots);
    uint16_t *scores = tct_grow(raw->scores, &same, raw->n_trees + 1, sizeof *scores);

    raw->roots = roots ? roots : raw->roots;
    raw->scores = scores ? scores : raw->scores;
    if (!roots || !scores)
        return tct_fail_memory(err);
    raw->trees_room = room;
    raw->roots[raw->n_trees] = raw->n_nodes;
    raw->scores[raw->n_trees++] = (uint16_t)score;
    return TACIT_OK;
}

tacit_status tct_raw_add_node(tct_raw_trees *raw, const tct_raw_node *node, tacit_error *err)
{
    tct_raw_node *nodes = tct_grow(raw->nodes, &raw->nodes_room, raw->n_nodes + 1, sizeof *nodes);

    if (!nodes)
        return tct_fail_memory(err);
    raw->nodes = nodes;
    raw->nodes[raw->n_nodes++] = *node;
    return TACIT_OK;
}

void tct_raw_child(tct_raw_trees *raw, size_t node, size_t root, bool right)
{
    uint32_t *child = right ? &raw->nodes[node].right : &raw->nodes[node].left;

    *child = (uint32_t)(raw->n_nodes - root);
}

tacit_status tct_raw_add_code(tct_raw_trees *raw, uint32_t code, tacit_error *err)
{
    uint32_t *codes = tct_grow(raw->codes, &raw->codes_room, raw->n_codes + 1, sizeof *codes);

    if (!codes)
        return tct_fail_memory(err);
    raw->codes = codes;
    raw->codes[raw->n_codes++] = code;
    return TACIT_OK;
}

void tct_raw_clear(tct_raw_trees *raw)
{
    for (size_t i = 0; i < raw->n_levels; i++)
        tct_free(raw->levels[i].name);
    tct_free(raw->levels);
    for (size_t i = 0; raw->names && i < raw->n_features; i++)
        tct_free(raw->names[i]);
    tct_free(raw->names);
    tct_free(raw->worded);
    tct_free(raw->start);
    tct_free(raw->roots);
    tct_free(raw->scores);
    tct_free(raw->nodes);
    tct_free(raw->codes);
    *raw = (tct_raw_trees){0};
}

/* ---- numbers ---- */

/* Doubles, or floats, in the order of whole numbers. */
static int64_t order_of(bool single, double v)
{
    if (single) {
        float f = (float)v;
        int32_t bits;

        memcpy(&bits, &f, sizeof bits);
        return bits < 0 ? -(int64_t)(bits & INT32_MAX) : bits;
    } else {
        int64_t bits;

        memcpy(&bits, &v, sizeof bits);
        return bits < 0 ? -(bits & INT64_MAX) : bits;
    }
}

static double at_order(bool single, int64_t k)
{
    double v;

    if (single) {
        int32_t bits = (int32_t)(k < 0 ? -k : k);
        float f;

        memcpy(&f, &bits, sizeof f);
        return k < 0 ? -(double)f : (double)f;
    } else {
        int64_t bits = k < 0 ? -k : k;

        memcpy(&v, &bits, sizeof v);
        return k < 0 ? -v : v;
    }
}

/* A whole number of at most 15 digits, zeros at its end not counted.  Such a double is the number in the file, for no
 * other text of as few digits is read as it: 3.355453E7 lies between two floats, and is one of them rounded to even. */
static bool is_short_whole(double v)
{
    char text[64];
    int n;

    if (v != floor(v) || !(fabs(v) <= (double)FLT_MAX))
        return false;
    n = snprintf(text, sizeof text, "%.0f", fabs(v));
    while (n > 0 && text[n - 1] == '0')
        n--;
    return n <= DBL_DIG;
}

bool tct_raw_single(double v, double *out)
{
    uint64_t bits;

    memcpy(&bits, &v, sizeof bits);
    *out = (double)(float)v;
    return isfinite(*out) && ((bits & 0x1fffffff) != 0x10000000 || *out == v || is_short_whole(v));
}

double tct_raw_least(bool single, double low, double high, bool (*says)(double, const void *), const void *context)
{
    int64_t from = order_of(single, low), to = order_of(single, high);

    while ((uint64_t)to - (uint64_t)from > 1) { /* may be more than an int64_t holds */
        int64_t middle = from + (int64_t)(((uint64_t)to - (uint64_t)from) / 2);

        if (says(at_order(single, middle), context))
            to = middle;
        else
            from = middle;
    }
    return at_order(single, to) + 0.0;
}

/* The least whole number that is not below a threshold once it is of the precision. */
static double whole_cut(bool single, double threshold)
{
    double high = ceil(threshold), low;

    if (!single || fabs(threshold) < 0x1p24 || fabs(threshold) >= WHOLE) /* from there on doubles are whole */
        return high;
    low = threshold - fabs(threshold) * 0x1p-22; /* surely below */
    low = floor(low);
    while (high - low > 1) {
        double middle = floor(low + (high - low) / 2);

        if ((double)(float)middle >= threshold)
            high = middle;
        else
            low = middle;
    }
    return high;
}

/* ---- what features mean ---- */

/* What an attribute is made of. */
typedef struct meaning {
    size_t feature; /* its own, or the first of its levels' where these have no names; NO_FEATURE: see levels */
    size_t *levels; /* categories that are one 0 or 1 per level: feature of each, or NO_FEATURE */
    double *values; /* categories with one feature: what each level counts as */
    double *cuts;   /* numbers */
    size_t n_cuts, room;
    bool missing;
} meaning;

/* What a feature is of. */
typedef struct use {
    size_t attribute; /* TACIT_NONE: of nothing */
    size_t level;     /* TACIT_NONE: of all of it */
} use;

typedef struct fitting {
    const tct_raw_trees *raw;
    const tacit_schema *schema;
    meaning *meanings;
    use *uses; /* per feature */
    tacit_error *err;
} fitting;

static size_t find_feature(const tct_raw_trees *raw, const char *name)
{
    for (size_t f = 0; raw->names && f < raw->n_features; f++)
        if (strcmp(raw->names[f], name) == 0)
            return f;
    return NO_FEATURE;
}

/* What a feature called NAME_LEVEL is about, if it is one of the attribute; else NULL. */
static const char *level_in(const char *feature, const char *attribute)
{
    size_t size = strlen(attribute);

    return strncmp(feature, attribute, size) == 0 && feature[size] && strchr("_=.:-", feature[size])
               ? feature + size + 1
               : NULL;
}

/* Feature of one level by its name. */
static size_t find_level_feature(const tct_raw_trees *raw, const char *attribute, const char *level)
{
    for (size_t f = 0; raw->names && f < raw->n_features; f++) {
        const char *about = level_in(raw->names[f], attribute);

        if (about && strcmp(about, level) == 0)
            return f;
    }
    return NO_FEATURE;
}

/* Numbers that the levels spell, or their positions. */
static void value_levels(const tacit_attribute *a, double *values)
{
    bool numbers = true;

    for (size_t k = 0; k < a->n_levels && numbers; k++)
        numbers = k == a->missing_level || tct_parse_number(a->levels[k], strlen(a->levels[k]), &values[k]);
    for (size_t k = 0; k < a->n_levels; k++) {
        values[k] = numbers ? values[k] : (double)k;
        if (k == a->missing_level)
            values[k] = NAN;
    }
}

static tacit_status mean_by_levels(fitting *f, size_t a, size_t from)
{
    const tacit_attribute *attribute = &f->schema->attributes[a];
    meaning *m = &f->meanings[a];
    size_t found = 0;

    m->levels = tct_malloc(attribute->n_levels, sizeof *m->levels);
    if (!m->levels)
        return tct_fail_memory(f->err);
    for (size_t k = 0; k < attribute->n_levels; k++) {
        m->levels[k] =
            from != NO_FEATURE ? from + k : find_level_feature(f->raw, attribute->name, attribute->levels[k]);
        if (m->levels[k] == NO_FEATURE)
            continue;
        f->uses[m->levels[k]] = (use){a, k};
        found++;
    }
    if (found == 0 || found + 1 < attribute->n_levels) /* one level may be told by all others being 0 */
        return tct_fail_at(f->err, TACIT_E_INPUT, f->raw->file, 0, NULL,
                           "the model has no feature '%s', nor one for each of its levels ('%s_%s')", attribute->name,
                           attribute->name, attribute->levels[0]);
    return TACIT_OK;
}

static tacit_status mean_by_feature(fitting *f, size_t a, size_t feature)
{
    const tacit_attribute *attribute = &f->schema->attributes[a];
    meaning *m = &f->meanings[a];

    m->feature = feature;
    f->uses[feature] = (use){a, TACIT_NONE};
    if (attribute->type != TACIT_CATEGORY)
        return TACIT_OK;
    m->values = tct_calloc(attribute->n_levels, sizeof *m->values);
    if (!m->values)
        return tct_fail_memory(f->err);
    if (!tct_raw_level_values(f->raw, feature, attribute, m->values))
        value_levels(attribute, m->values);
    return TACIT_OK;
}

/* An attribute that the model does not read is let be. */
static tacit_status mean_by_name(fitting *f, size_t a)
{
    const tacit_attribute *attribute = &f->schema->attributes[a];
    size_t feature = find_feature(f->raw, attribute->name);

    if (feature != NO_FEATURE)
        return mean_by_feature(f, a, feature);
    if (attribute->type == TACIT_CATEGORY)
        return mean_by_levels(f, a, NO_FEATURE);
    return tct_fail_at(f->err, TACIT_E_INPUT, f->raw->file, 0, NULL, "the model has no feature '%s'", attribute->name);
}

/* Without names: one feature per attribute, or one per input.  Asked first, before a number of the file is believed. */
static tacit_status check_count(const fitting *f, size_t n_inputs)
{
    if (f->raw->names || f->raw->n_features == n_inputs || f->raw->n_features == f->schema->n_attributes)
        return TACIT_OK;
    return tct_fail_at(
        f->err, TACIT_E_INPUT, f->raw->file, 0, NULL,
        "the model has %zu features without names, and there are %zu attributes (%zu inputs), which without a "
        "schema are all columns but the label",
        f->raw->n_features, f->schema->n_attributes, n_inputs);
}

static tacit_status mean_in_order(fitting *f, size_t n_inputs)
{
    bool by_input = f->raw->n_features == n_inputs;
    tacit_status st = TACIT_OK;
    size_t feature = 0;

    for (size_t a = 0; a < f->schema->n_attributes && !st; a++) {
        const tacit_attribute *attribute = &f->schema->attributes[a];
        bool levels = by_input && attribute->type == TACIT_CATEGORY && attribute->encoding == TACIT_ONEHOT;

        st = levels ? mean_by_levels(f, a, feature) : mean_by_feature(f, a, feature);
        feature += levels ? attribute->n_levels : 1;
    }
    return st;
}

/* Every feature that a tree reads must be of something. */
static tacit_status check_features(const fitting *f)
{
    for (size_t i = 0; i < f->raw->n_nodes; i++) {
        int32_t feature = f->raw->nodes[i].feature;

        if (feature < 0 || f->uses[feature].attribute != TACIT_NONE)
            continue;
        if (f->raw->names)
            return tct_fail_at(
                f->err, TACIT_E_INPUT, f->raw->file, 0, NULL,
                "the model reads the feature '%.100s', which is no attribute of the schema, nor a level of one",
                f->raw->names[feature]);
        return tct_fail_at(f->err, TACIT_E_INPUT, f->raw->file, 0, NULL,
                           "the model reads feature %d, which is no attribute of the schema", feature);
    }
    return TACIT_OK;
}

/* ---- cuts ---- */

static bool compares_single(const tct_raw_trees *raw)
{
    return raw->single && !raw->wide;
}

/* The cut that a threshold makes on an attribute. */
static double cut_of(const fitting *f, size_t a, double threshold)
{
    if (f->schema->attributes[a].type == TACIT_INTEGER)
        return whole_cut(compares_single(f->raw), threshold) + 0.0;
    return threshold + 0.0;
}

/* Cuts must be below this.  Doubles are compared as they are, whole ones too. */
static double largest_cut(const fitting *f, size_t a)
{
    if (!compares_single(f->raw))
        return DBL_MAX;
    return f->schema->attributes[a].type == TACIT_INTEGER ? WHOLE : FLT_MAX;
}

static tacit_status collect_cuts(fitting *f)
{
    for (size_t i = 0; i < f->raw->n_nodes; i++) {
        const tct_raw_node *node = &f->raw->nodes[i];
        meaning *m;
        double *cuts;
        size_t a;

        if (node->feature < 0)
            continue;
        a = f->uses[node->feature].attribute;
        m = &f->meanings[a];
        if (f->schema->attributes[a].type == TACIT_CATEGORY)
            continue;
        if (node->categorical)
            return tct_fail_at(f->err, TACIT_E_INPUT, f->raw->file, 0, NULL,
                               "the model asks for categories of '%s', which is a number in the schema: make it a "
                               "category whose levels are its codes",
                               f->schema->attributes[a].name);
        cuts = tct_grow(m->cuts, &m->room, m->n_cuts + 1, sizeof *cuts);
        if (!cuts)
            return tct_fail_memory(f->err);
        m->cuts = cuts;
        m->cuts[m->n_cuts] = cut_of(f, a, node->number);
        if (!(fabs(m->cuts[m->n_cuts]) < largest_cut(f, a)))
            return tct_fail_at(f->err, TACIT_E_INPUT, f->raw->file, 0, NULL,
                               "a threshold on '%s' is too large to be compared with", f->schema->attributes[a].name);
        m->n_cuts++;
    }
    for (size_t a = 0; a < f->schema->n_attributes; a++) {
        meaning *m = &f->meanings[a];
        size_t n = 0;

        if (m->n_cuts > 0)
            qsort(m->cuts, m->n_cuts, sizeof *m->cuts, tct_compare_doubles);
        for (size_t i = 0; i < m->n_cuts; i++)
            if (n == 0 || m->cuts[i] > m->cuts[n - 1])
                m->cuts[n++] = m->cuts[i];
        m->n_cuts = n;
    }
    return TACIT_OK;
}

/* Which numbers are missing for somebody of the table, or may be by the schema. */
static void find_missing(fitting *f, const tacit_table *table)
{
    for (size_t a = 0; a < f->schema->n_attributes; a++) {
        const char *name = f->schema->attributes[a].name;
        tct_walk cells = {.table = table, .column = table ? tct_csv_find(table->csv, name) : TACIT_NONE};
        bool missing = f->schema->attributes[a].missing_is_value;

        while (cells.column != TACIT_NONE && !missing && tct_walk_next(&cells))
            missing = cells.missing;
        f->meanings[a].missing = missing;
    }
}

/* ---- trees ---- */

static double of_precision(const tct_raw_trees *raw, double v)
{
    return compares_single(raw) ? (double)(float)v : v;
}

static bool has_code(const tct_raw_trees *raw, const tct_raw_node *node, double value)
{
    for (size_t i = 0; i < node->count; i++)
        if ((double)raw->codes[node->first + i] == value)
            return true;
    return false;
}

/* Does a level go left? */
static bool level_goes_left(const fitting *f, const tct_raw_node *node, size_t level)
{
    const use *u = &f->uses[node->feature];
    const meaning *m = &f->meanings[u->attribute];
    double value = u->level != TACIT_NONE ? (u->level == level ? 1 : 0) : m->values[level];

    if (node->by_level)
        return has_code(f->raw, node, (double)level) == node->set_left;
    if (isnan(value))
        return node->missing_left;
    value = of_precision(f->raw, value);
    if (node->categorical)
        return (!(f->raw->no_negatives && value < 0) && has_code(f->raw, node, trunc(value))) == node->set_left;
    return value < node->number;
}

/* Position of a cut. */
static uint32_t find_cut(const meaning *m, double cut)
{
    size_t low = 0, high = m->n_cuts;

    while (high - low > 1) {
        size_t middle = (low + high) / 2;

        if (m->cuts[middle] <= cut)
            low = middle;
        else
            high = middle;
    }
    return (uint32_t)low;
}

static tacit_status build_node(const fitting *f, tct_trees *t, size_t root, size_t i, size_t depth)
{
    const tct_raw_node *node = &f->raw->nodes[root + i];
    tct_tree_node made = {.attribute = TCT_TREE_LEAF};
    size_t index, a;
    tacit_status st = TACIT_OK;

    if (depth > TCT_TREE_DEPTH)
        return tct_fail_at(f->err, TACIT_E_INPUT, f->raw->file, 0, NULL, "a tree is more than %d nodes deep",
                           TCT_TREE_DEPTH);
    if (node->feature < 0) {
        made.value = node->number + 0.0;
        made.rival = node->rival + 0.0;
        return tct_trees_add_node(t, &made, &index, f->err);
    }
    a = f->uses[node->feature].attribute;
    made.attribute = (uint16_t)a;
    if (t->attributes[a].levels) {
        st = tct_trees_add_set(t, a, &made.test, f->err);
        for (size_t k = 0; k < t->attributes[a].count && !st; k++)
            t->sets[made.test + k / 64] |= (uint64_t)level_goes_left(f, node, k) << k % 64;
    } else {
        made.test = find_cut(&f->meanings[a], cut_of(f, a, node->number)) + 1;
        made.missing_left = node->missing_left;
    }
    if (!st)
        st = tct_trees_add_node(t, &made, &index, f->err);
    if (!st)
        st = build_node(f, t, root, node->left, depth + 1);
    if (!st) {
        t->nodes[index].right = (uint32_t)t->n_nodes;
        st = build_node(f, t, root, node->right, depth + 1);
    }
    return st;
}

/* What is wrong with the whole is wrong with the file. */
static tacit_status finish_trees(const fitting *f, tct_trees *t)
{
    tacit_error error = {0};
    tacit_status st = tct_trees_finish(t, &error);

    if (st == TACIT_E_MEMORY)
        return tct_fail_memory(f->err);
    return st ? tct_fail_at(f->err, st, f->raw->file, 0, NULL, "%s", error.message) : TACIT_OK;
}

static tacit_status build_trees(const fitting *f, tct_trees **out)
{
    size_t n = f->schema->n_attributes;
    tct_tree_attribute *attributes = tct_calloc(n, sizeof *attributes);
    tct_trees *t = NULL;
    tacit_status st = attributes ? TACIT_OK : tct_fail_memory(f->err);
    static double none[1];

    for (size_t a = 0; a < n && !st; a++) {
        const tacit_attribute *from = &f->schema->attributes[a];
        const meaning *m = &f->meanings[a];
        bool levels = from->type == TACIT_CATEGORY;

        attributes[a] = (tct_tree_attribute){.width = levels && from->encoding == TACIT_ONEHOT ? from->n_levels : 1,
                                             .count = from->n_levels,
                                             .levels = levels,
                                             .missing = !levels && m->missing,
                                             .cuts = m->cuts ? m->cuts : none,
                                             .n_cuts = m->n_cuts};
    }
    if (!st)
        st = tct_trees_new(&t, f->raw->n_classes, attributes, n, f->err);
    if (!st) {
        t->single = f->raw->single;
        t->wide = f->raw->single && f->raw->wide;
        t->cut = f->raw->cut;
        t->slack = f->raw->slack;
        t->rival = f->raw->rival;
        memcpy(t->start, f->raw->start, t->base.n_scores * sizeof *t->start);
    }
    for (size_t k = 0; k < f->raw->n_trees && !st; k++) {
        st = tct_trees_begin_tree(t, f->raw->scores[k], f->err);
        if (!st)
            st = build_node(f, t, f->raw->roots[k], 0, 0);
    }
    if (!st)
        st = finish_trees(f, t);
    tct_free(attributes);
    if (st)
        tct_trees_free(t);
    else
        *out = t;
    return st;
}

/* Are the classes in the order of the labels, where these are numbers? */
static tacit_status check_classes(const fitting *f)
{
    const tacit_schema *schema = f->schema;
    double last = -INFINITY, value;

    if (schema->n_classes != f->raw->n_classes)
        return tct_fail_at(f->err, TACIT_E_INPUT, f->raw->file, 0, NULL,
                           "the model has %zu classes, the label %s has %zu; a schema names classes that no row has",
                           f->raw->n_classes, schema->label, schema->n_classes);
    for (size_t c = 0; c < schema->n_classes && !f->raw->matched; c++) {
        if (!tct_parse_number(schema->classes[c], strlen(schema->classes[c]), &value))
            return TACIT_OK; /* names: in the order of the schema */
        if (value < last)
            return tct_fail_at(f->err, TACIT_E_INPUT, f->raw->file, 0, NULL,
                               "the classes of the schema are not in the order of the model's: '%s' comes after '%s'",
                               schema->classes[c], schema->classes[c - 1]);
        last = value;
    }
    return TACIT_OK;
}

tacit_status tct_raw_fit(tct_classifier **out, const tct_raw_trees *raw, const tacit_schema *schema,
                         const tacit_table *table, tacit_error *err)
{
    fitting f = {.raw = raw, .schema = schema, .err = err};
    tct_trees *t = NULL;
    size_t n_inputs = 0;
    tacit_status st;

    *out = NULL;
    for (size_t a = 0; a < schema->n_attributes; a++) {
        const tacit_attribute *attribute = &schema->attributes[a];

        n_inputs += attribute->type == TACIT_CATEGORY && attribute->encoding == TACIT_ONEHOT ? attribute->n_levels : 1;
    }
    st = check_count(&f, n_inputs);
    if (st)
        return st;
    f.meanings = tct_calloc(schema->n_attributes, sizeof *f.meanings);
    f.uses = tct_calloc(raw->n_features + 1, sizeof *f.uses);
    if (!f.meanings || !f.uses) {
        st = tct_fail_memory(err);
        goto done;
    }
    for (size_t i = 0; i < raw->n_features; i++)
        f.uses[i] = (use){TACIT_NONE, TACIT_NONE};
    for (size_t a = 0; a < schema->n_attributes; a++)
        f.meanings[a].feature = NO_FEATURE;
    st = check_classes(&f);
    if (!st && !raw->names)
        st = mean_in_order(&f, n_inputs);
    for (size_t a = 0; a < schema->n_attributes && raw->names && !st; a++)
        st = mean_by_name(&f, a);
    if (st || (st = check_features(&f)) || (st = collect_cuts(&f)))
        goto done;
    find_missing(&f, table);
    st = build_trees(&f, &t);
    if (!st)
        *out = &t->base;
done:
    for (size_t a = 0; f.meanings && a < schema->n_attributes; a++) {
        tct_free(f.meanings[a].levels);
        tct_free(f.meanings[a].values);
        tct_free(f.meanings[a].cuts);
    }
    tct_free(f.meanings);
    tct_free(f.uses);
    return st;
}

/* ---- a schema from the columns ---- */

/* A column of a feature's name, or of the category that it is a level of. */
static bool has_column(const tct_csv *csv, const char *feature)
{
    bool found = tct_csv_find(csv, feature) != TACIT_NONE;

    for (size_t c = 0; c < tct_csv_columns(csv) && !found; c++)
        found = level_in(feature, tct_csv_column(csv, c)) != NULL;
    return found;
}

/* Is a feature about a level of this column, and no column itself? */
static bool has_levels_of(const tct_raw_trees *raw, const tct_csv *csv, const char *column)
{
    for (size_t f = 0; f < raw->n_features; f++)
        if (level_in(raw->names[f], column) && tct_csv_find(csv, raw->names[f]) == TACIT_NONE)
            return true;
    return false;
}

tacit_status tct_raw_schema(tacit_schema **out, const tct_raw_trees *raw, const tacit_table *table,
                            const tacit_infer_options *infer, tacit_error *err)
{
    tacit_infer_options options = *infer;
    tct_text drop = {0};
    size_t n = tct_csv_columns(table->csv);
    tacit_status st = TACIT_OK;

    *out = NULL;
    if (infer->drop)
        tct_text_printf(&drop, "%s", infer->drop);
    for (size_t c = 0; c < n; c++) {
        const char *name = tct_csv_column(table->csv, c);

        if (strcmp(name, infer->label) == 0 || (infer->drop && strcmp(name, infer->drop) == 0))
            continue;
        if (raw->names && find_feature(raw, name) == NO_FEATURE && !has_levels_of(raw, table->csv, name))
            tct_text_printf(&drop, "%s%s", drop.size ? "," : "", name);
    }
    if (drop.failed)
        st = tct_fail_memory(err);
    for (size_t f = 0; raw->names && f < raw->n_features && !st; f++)
        if (!has_column(table->csv, raw->names[f])) {
            const char *close = tacit_suggest(raw->names[f], (const char *const *)table->csv->columns, n);

            st = tct_fail_at(
                err, TACIT_E_INPUT, tct_csv_path(table->csv), 0, NULL,
                "no column for the model's feature '%.100s'%s%s; give a schema if columns and features differ",
                raw->names[f], close ? "; the closest is " : "", close ? close : "");
        }
    options.drop = drop.size ? drop.bytes : NULL;
    if (!st)
        st = tacit_schema_infer(out, table, &options, err);
    tct_text_free(&drop);
    return st;
}
