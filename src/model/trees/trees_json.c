/*
 * trees_json.c -- an ensemble of trees in a model file.
 *
 * Every tree is one flat list in preorder: for an inner node its attribute, its test and where "missing" goes (1: left);
 * for a leaf -1 and its value.  The test of a number is how many of its cells go left, that of a category a text with a
 * 1 for every level that goes left.
 *
 *     [0, 2, 1, -1, 0.5, 3, "101", 0, -1, -1, -1, 0.25]     cells 0 and 1 of attribute 0, and "missing": 0.5;
 *                                                            else levels 0 and 2 of attribute 3: -1, level 1: 0.25
 */
#include "trees_json.h"

#include <string.h>

#include "json_put.h"

/* ---- writing ---- */

/* A set of levels as text. */
static json_t *set_json(const uint64_t *set, size_t count)
{
    char text[TCT_MAX_LEVELS + 1];

    for (size_t k = 0; k < count; k++)
        text[k] = tct_set_has(set, k) ? '1' : '0';
    text[count] = '\0';
    return json_string(text);
}

static json_t *tree_json(const tct_trees *t, size_t tree)
{
    json_t *list = json_array();

    for (size_t i = t->roots[tree]; i < t->roots[tree + 1]; i++) {
        const tct_tree_node *node = &t->nodes[i];
        const tct_tree_attribute *a;

        if (node->attribute == TCT_TREE_LEAF) {
            tct_append(&list, json_integer(-1));
            tct_append(&list, tct_json_number(node->value));
            if (t->rival.divide > 0)
                tct_append(&list, tct_json_number(node->rival));
            continue;
        }
        a = &t->attributes[node->attribute];
        tct_append(&list, json_integer(node->attribute));
        tct_append(&list, a->levels ? set_json(t->sets + node->test, a->count) : json_integer(node->test));
        tct_append(&list, json_integer(!a->levels && node->missing_left));
    }
    return list;
}

static json_t *attribute_json(const tct_tree_attribute *a)
{
    json_t *json = json_object();

    if (a->levels) {
        tct_put_count(&json, "levels", a->count);
        tct_put_count(&json, "inputs", a->width);
        return json;
    }
    tct_put(&json, "cuts", tct_json_numbers(a->cuts, a->n_cuts));
    if (a->missing)
        tct_put(&json, "missing", json_true());
    return json;
}

static json_t *rival_json(const tct_rival *rival)
{
    json_t *json = json_object();

    tct_put_number(&json, "start", rival->start);
    tct_put_number(&json, "divide", rival->divide);
    if (rival->ties_won)
        tct_put(&json, "ties_won", json_true());
    return json;
}

json_t *tct_trees_to_json(const tct_classifier *self)
{
    const tct_trees *t = (const tct_trees *)self;
    json_t *json = json_object(), *attributes = json_array(), *trees = json_array(), *scores = json_array();

    for (size_t a = 0; a < t->n_attributes; a++)
        tct_append(&attributes, attribute_json(&t->attributes[a]));
    for (size_t k = 0; k < t->n_trees; k++) {
        tct_append(&trees, tree_json(t, k));
        tct_append(&scores, json_integer(t->scores[k]));
    }
    tct_put_text(&json, "kind", self->ops->kind);
    tct_put_text(&json, "precision", t->single ? "single" : "double");
    if (t->single && t->wide)
        tct_put_text(&json, "compared", "double");
    if (t->in_order)
        tct_put_text(&json, "order", "trees");
    tct_put(&json, "start", tct_json_numbers(t->start, self->n_scores));
    if (self->n_scores == 1)
        tct_put_number(&json, "cut", t->cut);
    if (t->rival.divide > 0)
        tct_put(&json, "rival", rival_json(&t->rival));
    if (t->slack > 0)
        tct_put_number(&json, "slack", t->slack);
    tct_put(&json, "attributes", attributes);
    if (self->n_scores > 1)
        tct_put(&json, "scores", scores);
    else
        json_decref(scores);
    tct_put(&json, "trees", trees);
    return json;
}

/* ---- reading ---- */

/* One list being read. */
typedef struct reading {
    tct_trees *trees;
    const json_t *list;
    size_t at; /* next item */
} reading;

static const json_t *next_item(reading *r)
{
    return json_array_get(r->list, r->at++);
}

/* Set the bits of a text like "0110"; false: it is none of so many levels. */
static bool read_set(uint64_t *set, size_t count, const json_t *item)
{
    const char *text = json_string_value(item);

    if (!text || strlen(text) != count || strspn(text, "01") != count)
        return false;
    for (size_t k = 0; k < count; k++)
        set[k / 64] |= (uint64_t)(text[k] == '1') << k % 64;
    return true;
}

/* The test and the way of "missing" of an inner node. */
static tacit_status read_test(reading *r, tct_tree_node *node, bool *good, tacit_error *err)
{
    const tct_tree_attribute *a = &r->trees->attributes[node->attribute];
    const json_t *test = next_item(r), *way = next_item(r);
    tacit_status st = TACIT_OK;

    *good = json_is_integer(way) && (json_integer_value(way) == 0 || json_integer_value(way) == 1);
    node->missing_left = *good && json_integer_value(way) == 1;
    if (a->levels) {
        st = tct_trees_add_set(r->trees, node->attribute, &node->test, err);
        *good = *good && !st && !node->missing_left && read_set(r->trees->sets + node->test, a->count, test);
        return st;
    }
    *good = *good && json_is_integer(test) && json_integer_value(test) >= 1 &&
            (uint64_t)json_integer_value(test) <= a->n_cuts;
    node->test = *good ? (uint32_t)json_integer_value(test) : 0;
    return st;
}

/* The nodes from here on; *good: they are a tree. */
static tacit_status read_nodes(reading *r, size_t depth, bool *good, tacit_error *err)
{
    const json_t *first = next_item(r);
    tct_tree_node node = {.attribute = TCT_TREE_LEAF};
    size_t index = 0;
    tacit_status st;

    *good = json_is_integer(first) && depth <= TCT_TREE_DEPTH;
    if (!*good)
        return TACIT_OK;
    if (json_integer_value(first) == -1) {
        const json_t *value = next_item(r), *rival = r->trees->rival.divide > 0 ? next_item(r) : value;

        *good = json_is_number(value) && json_is_number(rival);
        node.value = json_number_value(value);
        node.rival = r->trees->rival.divide > 0 ? json_number_value(rival) : 0;
        return *good ? tct_trees_add_node(r->trees, &node, &index, err) : TACIT_OK;
    }
    *good = json_integer_value(first) >= 0 && (uint64_t)json_integer_value(first) < r->trees->n_attributes;
    if (!*good)
        return TACIT_OK;
    node.attribute = (uint16_t)json_integer_value(first);
    st = read_test(r, &node, good, err);
    if (!st && *good)
        st = tct_trees_add_node(r->trees, &node, &index, err);
    if (!st && *good)
        st = read_nodes(r, depth + 1, good, err);
    if (!st && *good) {
        r->trees->nodes[index].right = (uint32_t)r->trees->n_nodes;
        st = read_nodes(r, depth + 1, good, err);
    }
    return st;
}

static tacit_status read_trees(tct_trees *t, const json_t *json, const tct_json_at *at, tacit_error *err)
{
    const tct_json_at place = {.parent = at, .key = "trees"};
    json_t *list = NULL, *scores = NULL;
    tacit_status st = tct_json_get_array(&list, json, "trees", at, err);

    if (!st && t->base.n_scores > 1)
        st = tct_json_get_array(&scores, json, "scores", at, err);
    if (!st && scores && json_array_size(scores) != json_array_size(list))
        return tct_json_fail(at, "scores", err, "expected one for each of the %zu trees", json_array_size(list));
    for (size_t k = 0; k < json_array_size(list) && !st; k++) {
        const tct_json_at item = {.parent = &place, .index = k};
        reading r = {.trees = t, .list = json_array_get(list, k)};
        json_int_t score = scores ? json_integer_value(json_array_get(scores, k)) : 0;
        bool good = false;

        if (score < 0 || (size_t)score >= t->base.n_scores)
            return tct_json_fail(at, "scores", err, "expected numbers below %zu", t->base.n_scores);
        st = tct_trees_begin_tree(t, (size_t)score, err);
        if (!st)
            st = read_nodes(&r, 0, &good, err);
        if (!st && (!good || r.at != json_array_size(r.list)))
            st = tct_json_fail(&item, NULL, err, "expected the nodes of one tree, at most %d from root to leaf",
                               TCT_TREE_DEPTH);
    }
    return st;
}

/* *cuts is the caller's to free. */
static tacit_status read_attribute(tct_tree_attribute *a, const json_t *json, const tct_json_at *at, tacit_error *err)
{
    const json_t *missing = json_object_get(json, "missing");
    json_t *cuts = NULL;
    uint64_t levels = 0, inputs = 0;
    tacit_status st;

    if (json_object_get(json, "levels")) {
        if ((st = tct_json_get_count(&levels, json, "levels", at, err)) ||
            (st = tct_json_get_count(&inputs, json, "inputs", at, err)))
            return st;
        if (levels < 1 || levels > TCT_MAX_LEVELS || (inputs != 1 && inputs != levels))
            return tct_json_fail(at, "levels", err, "expected 1 to %d, and one input or one for each", TCT_MAX_LEVELS);
        *a = (tct_tree_attribute){.width = (size_t)inputs, .count = (size_t)levels, .levels = true};
        return TACIT_OK;
    }
    st = tct_json_get_array(&cuts, json, "cuts", at, err);
    if (st)
        return st;
    if (missing && !json_is_true(missing))
        return tct_json_fail(at, "missing", err, "expected true, or nothing");
    *a = (tct_tree_attribute){.width = 1, .missing = missing != NULL, .n_cuts = json_array_size(cuts)};
    a->cuts = tct_malloc(a->n_cuts + 1, sizeof *a->cuts);
    return a->cuts ? tct_json_get_numbers(a->cuts, a->n_cuts, json, "cuts", at, err) : tct_fail_memory(err);
}

static tacit_status read_attributes(tct_trees **out, const json_t *json, const tct_json_at *at, size_t n_inputs,
                                    size_t n_classes, tacit_error *err)
{
    const tct_json_at place = {.parent = at, .key = "attributes"};
    tct_tree_attribute *attributes = NULL;
    json_t *list = NULL;
    tacit_status st = tct_json_get_array(&list, json, "attributes", at, err);
    size_t n = json_array_size(list), width = 0;

    if (st)
        return st;
    if (n == 0 || n > n_inputs)
        return tct_json_fail(at, "attributes", err, "expected 1 to %zu", n_inputs);
    attributes = tct_calloc(n, sizeof *attributes);
    if (!attributes)
        return tct_fail_memory(err);
    for (size_t a = 0; a < n && !st; a++) {
        const tct_json_at item = {.parent = &place, .index = a};

        st = read_attribute(&attributes[a], json_array_get(list, a), &item, err);
        width += attributes[a].width;
    }
    if (!st && width != n_inputs)
        st = tct_json_fail(at, "attributes", err, "expected %zu inputs, not %zu", n_inputs, width);
    if (!st)
        st = tct_trees_new(out, n_classes, attributes, n, err);
    for (size_t a = 0; a < n; a++)
        tct_free(attributes[a].cuts);
    tct_free(attributes);
    return st;
}

static tacit_status read_rival(tct_trees *t, const json_t *json, const tct_json_at *at, tacit_error *err)
{
    static const char *const known[] = {"start", "divide", "ties_won"};
    const tct_json_at place = {.parent = at, .key = "rival"};
    const json_t *rival = json_object_get(json, "rival"), *ties = json_object_get(rival, "ties_won");
    tacit_status st;

    if (!rival)
        return TACIT_OK;
    if (!json_is_object(rival) || t->base.n_scores != 1 || t->single)
        return tct_json_fail(at, "rival", err, "expected an object, where two classes are decided in double precision");
    if ((st = tct_json_check_keys(rival, known, 3, &place, err)) ||
        (st = tct_json_get_number(&t->rival.start, rival, "start", &place, err)) ||
        (st = tct_json_get_number(&t->rival.divide, rival, "divide", &place, err)))
        return st;
    if (!(t->rival.divide > 0))
        return tct_json_fail(&place, "divide", err, "expected a number above 0");
    if (ties && !json_is_true(ties))
        return tct_json_fail(&place, "ties_won", err, "expected true, or nothing");
    t->rival.ties_won = ties != NULL;
    return TACIT_OK;
}

tacit_status tct_trees_from_json(tct_classifier **out, const json_t *json, const tct_json_at *at, size_t n_inputs,
                                 size_t n_classes, tacit_error *err)
{
    const char *precision = NULL, *compared = NULL, *order = NULL;
    tacit_error reason = {0};
    tct_trees *t = NULL;
    tacit_status st = read_attributes(&t, json, at, n_inputs, n_classes, err);

    *out = NULL;
    if (!st)
        st = tct_json_get_string(&precision, json, "precision", at, err);
    if (!st && strcmp(precision, "single") != 0 && strcmp(precision, "double") != 0)
        st = tct_json_fail(at, "precision", err, "expected single or double");
    if (!st)
        st = tct_json_optional_string(&compared, json, "compared", at, err);
    if (!st && compared && (strcmp(compared, "double") != 0 || strcmp(precision, "single") != 0))
        st = tct_json_fail(at, "compared", err, "expected double, where the precision is single");
    if (!st)
        st = tct_json_optional_string(&order, json, "order", at, err);
    if (!st && order && strcmp(order, "trees") != 0)
        st = tct_json_fail(at, "order", err, "expected trees, or nothing");
    if (!st) {
        t->single = strcmp(precision, "single") == 0;
        t->wide = compared != NULL;
        t->in_order = order != NULL;
        st = tct_json_get_numbers(t->start, t->base.n_scores, json, "start", at, err);
    }
    if (!st && t->base.n_scores == 1)
        st = tct_json_get_number(&t->cut, json, "cut", at, err);
    if (!st)
        st = tct_json_optional_number(&t->slack, json, "slack", at, err);
    if (!st)
        st = read_rival(t, json, at, err);
    if (!st)
        st = read_trees(t, json, at, err);
    if (!st) {
        st = tct_trees_finish(t, &reason);
        if (st)
            st = tct_json_fail(at, NULL, err, "%s", reason.message);
    }
    if (st)
        tct_trees_free(t);
    else
        *out = &t->base;
    return st;
}
