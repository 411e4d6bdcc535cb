/*
 * partial_groups.c -- groupings, their groups and the cells of their finest crossing, in a part of an audit.
 *
 *   "dimensions": columns, each with the edges of its bins or with its values; what follows speaks of them by number
 *   "groupings":  name, dimensions crossed, and groups: values, results, counts by class (decided, truth, hit) per delta
 *   "atoms":      how many groupings they tell apart, and a list of values with people behind them
 *
 * Values, groups and atoms are written in an order of their own, whoever came first.  A value that is no text to be
 * shown is written byte by byte in hexadecimal.  What is read must add up: groups of every grouping to everybody, atoms
 * to groups.
 */
#include <string.h>

#include "json_put.h"
#include "names.h"
#include "partial.h"

static const uint64_t MOST_PEOPLE = (uint64_t)1 << 40;

/* ---------------------------------------------------------------- writing */

/* What is needed to write: the rank of every value. */
typedef struct writing {
    const tacit_audit *a;
    uint32_t *ranks[TCT_MAX_DIMENSIONS];
} writing;

static json_t *name_json(const char *name)
{
    json_t *object = json_object();
    tct_text hex = {0};

    if (!tct_name_problem(name, strlen(name), SIZE_MAX)) {
        tct_put(&object, "name", json_string(name));
        return object;
    }
    for (; *name; name++)
        tct_text_printf(&hex, "%02x", (unsigned)(unsigned char)*name);
    tct_put(&object, "name_hex", hex.failed ? NULL : json_string(hex.bytes ? hex.bytes : ""));
    tct_text_free(&hex);
    return object;
}

static json_t *dimension_json(const writing *w, size_t d)
{
    const tct_dimension *dimension = &w->a->groupings->dimensions[d];
    const tct_ordinals *values = &w->a->sorter->values[d];
    json_t *object = json_object(), *list;
    size_t *sorted;

    tct_put(&object, "column", json_string(dimension->column));
    if (dimension->binned) {
        tct_put(&object, "edges", tct_json_numbers(dimension->edges, dimension->n_edges));
        return object;
    }
    list = json_array();
    sorted = tct_malloc(values->n + 1, sizeof *sorted);
    for (size_t v = 0; sorted && v < values->n; v++)
        sorted[w->ranks[d][v]] = v;
    for (size_t v = 0; sorted && v < values->n; v++)
        tct_append(&list, name_json(tct_ordinals_key(values, sorted[v])));
    if (!sorted)
        tct_append(&list, NULL);
    tct_free(sorted);
    tct_put(&object, "values", list);
    return object;
}

/* A tuple of values, by their ranks. */
static json_t *tuple_json(const writing *w, const uint32_t *tuple, const size_t *dimensions, size_t n)
{
    json_t *list = json_array();

    for (size_t i = 0; i < n; i++)
        tct_append(&list, json_integer(w->ranks[dimensions ? dimensions[i] : i][tuple[i]]));
    return list;
}

static json_t *group_json(const writing *w, size_t g, size_t group)
{
    const tct_grouping *grouping = &w->a->groupings->list[g];
    const tct_group *counts = &w->a->sorter->groups[g].list[group];
    json_t *object = json_object(), *classes = json_array();

    tct_put(&object, "values",
            tuple_json(w, tct_sorter_tuple(w->a->sorter, g, group), grouping->parts, grouping->n_parts));
    tct_put(&object, "results", tct_partial_results_json(w->a, counts->tallies));
    for (size_t i = 0; i < w->a->summary.n_results; i++) {
        json_t *list = json_array();

        for (size_t c = 0; c < w->a->n_classes; c++) {
            const tct_class_counts *k = &counts->classes[i * w->a->n_classes + c];

            tct_append(&list, json_integer((json_int_t)k->decided));
            tct_append(&list, json_integer((json_int_t)k->truth));
            tct_append(&list, json_integer((json_int_t)k->hit));
        }
        tct_append(&classes, list);
    }
    tct_put(&object, "classes", classes);
    return object;
}

/* Member "held_out": of each group or atom, in the order in which they are written; nothing where nobody was. */
static void put_held(const writing *w, json_t **object, const size_t *order)
{
    const tct_sorter *s = w->a->sorter;
    bool single = s->groupings->n == 1;
    size_t n = single ? s->groups[0].tuples.n : s->atoms.n;
    json_t *list = json_array();
    uint64_t sum = 0;

    for (size_t i = 0; order && i < n; i++) {
        uint64_t held = single ? s->groups[0].list[order[i]].held.known : s->atom_held[order[i]].known;

        sum += held;
        tct_append(&list, json_integer((json_int_t)held));
    }
    if (sum > 0)
        tct_put(object, "held_out", list);
    else
        json_decref(list);
}

static json_t *grouping_json(const writing *w, size_t g)
{
    const tct_grouping *grouping = &w->a->groupings->list[g];
    const tct_ordinals *tuples = &w->a->sorter->groups[g].tuples;
    json_t *object = json_object(), *parts = json_array(), *groups = json_array();
    size_t *order = NULL;

    if (tct_sorter_order(w->a->sorter, tuples, grouping->parts, grouping->n_parts, &order, NULL))
        tct_append(&groups, NULL);
    for (size_t i = 0; i < grouping->n_parts; i++)
        tct_append(&parts, json_integer((json_int_t)grouping->parts[i]));
    for (size_t i = 0; order && i < tuples->n; i++)
        tct_append(&groups, group_json(w, g, order[i]));
    tct_put(&object, "name", json_string(grouping->name));
    tct_put(&object, "dimensions", parts);
    tct_put(&object, "groups", groups);
    if (w->a->groupings->n == 1)
        put_held(w, &object, order);
    tct_free(order);
    return object;
}

static json_t *atoms_json(const writing *w)
{
    const tct_sorter *s = w->a->sorter;
    size_t depth = tct_groupings_depth(s->groupings, s->level), *order = NULL;
    json_t *object = json_object(), *list = json_array();

    if (tct_sorter_order(s, &s->atoms, NULL, depth, &order, NULL))
        tct_append(&list, NULL);
    for (size_t i = 0; order && i < s->atoms.n; i++) {
        json_t *atom =
            tuple_json(w, (const uint32_t *)(const void *)tct_ordinals_key(&s->atoms, order[i]), NULL, depth);

        tct_append(&atom, json_integer((json_int_t)s->atom_people[order[i]]));
        tct_append(&list, atom);
    }
    tct_put(&object, "groupings", json_integer((json_int_t)s->level));
    tct_put(&object, "list", list);
    put_held(w, &object, order);
    tct_free(order);
    return object;
}

bool tct_partial_put_groups(json_t *part, const tacit_audit *a)
{
    writing w = {.a = a};
    json_t *dimensions, *groupings;
    bool done = true;

    if (!a->groupings)
        return true;
    for (size_t d = 0; d < a->groupings->n_dimensions && done; d++)
        done = tct_sorter_rank(a->sorter, d, &w.ranks[d], NULL) == TACIT_OK;
    if (done) {
        dimensions = json_array();
        groupings = json_array();
        for (size_t d = 0; d < a->groupings->n_dimensions; d++)
            tct_append(&dimensions, dimension_json(&w, d));
        for (size_t g = 0; g < a->groupings->n; g++)
            tct_append(&groupings, grouping_json(&w, g));
        done = json_object_set_new(part, "dimensions", dimensions) == 0;
        done = json_object_set_new(part, "groupings", groupings) == 0 && done;
        if (a->groupings->n > 1)
            done = json_object_set_new(part, "atoms", atoms_json(&w)) == 0 && done;
    }
    for (size_t d = 0; d < a->groupings->n_dimensions; d++)
        tct_free(w.ranks[d]);
    return done;
}

/* ---------------------------------------------------------------- reading: what it is about */

/* A list of 1 to `most` things. */
static tacit_status get_list(json_t **out, const json_t *object, const char *key, size_t most, const tct_json_at *at,
                             tacit_error *err)
{
    tacit_status st = tct_json_get_array(out, object, key, at, err);

    if (!st && (json_array_size(*out) == 0 || json_array_size(*out) > most))
        st = tct_json_fail(at, key, err, "expected 1 to %zu entries", most);
    return st;
}

static tacit_status read_dimension(tct_groupings *g, const json_t *json, const tct_json_at *at, tacit_error *err)
{
    const json_t *list = json_object_get(json, "edges");
    double edges[TCT_MAX_EDGES];
    size_t n = json_array_size(list), number, before = g->n_dimensions;
    const char *column = NULL;
    tacit_status st = tct_json_get_string(&column, json, "column", at, err);

    if (!st && tct_name_problem(column, strlen(column), SIZE_MAX))
        st = tct_json_fail(at, "column", err, "expected the name of a column");
    if (!st && list && (n == 0 || n > TCT_MAX_EDGES))
        st = tct_json_fail(at, "edges", err, "expected 1 to %d numbers", TCT_MAX_EDGES);
    if (!st && list)
        st = tct_json_get_numbers(edges, n, json, "edges", at, err);
    for (size_t i = 1; list && i < n && !st; i++)
        if (!(edges[i - 1] < edges[i]))
            st = tct_json_fail(at, "edges", err, "expected ascending numbers");
    if (!st)
        st = tct_groupings_dimension(g, column, list ? edges : NULL, n, &number, err);
    if (!st && g->n_dimensions == before)
        st = tct_json_fail(at, "column", err, "the dimension is there twice");
    return st;
}

/* Which dimensions are crossed.  They are first used in their order. */
static tacit_status read_grouping(tct_groupings *g, size_t n_dimensions, const json_t *json, const tct_json_at *at,
                                  tacit_error *err)
{
    uint64_t counts[TCT_MAX_CROSSED];
    size_t parts[TCT_MAX_CROSSED], n, known = tct_groupings_depth(g, g->n);
    const char *name = NULL;
    json_t *list = NULL;
    tacit_status st = tct_json_get_string(&name, json, "name", at, err);

    if (!st)
        st = get_list(&list, json, "dimensions", TCT_MAX_CROSSED, at, err);
    n = json_array_size(list);
    if (!st)
        st = tct_json_get_counts(counts, n, n_dimensions - 1, json, "dimensions", at, err);
    for (size_t i = 0; i < n && !st; i++) {
        parts[i] = (size_t)counts[i];
        for (size_t k = 0; k < i && !st; k++)
            if (parts[k] == parts[i])
                st = tct_json_fail(at, "dimensions", err, "the same one twice");
        if (!st && parts[i] > known)
            st = tct_json_fail(at, "dimensions", err, "expected numbers in the order of their first use");
        known += parts[i] == known;
    }
    if (!st && tct_name_problem(name, strlen(name), SIZE_MAX))
        st = tct_json_fail(at, "name", err, "expected a text that can be shown");
    if (!st)
        st = tct_groupings_cross(g, name, parts, n, err);
    return st == TACIT_E_USAGE ? tct_json_fail(at, NULL, err, "the grouping is there twice") : st;
}

static tacit_status read_about(tct_groupings *g, const json_t *part, const tct_json_at *at, tacit_error *err)
{
    tct_json_at dimensions_at = {.parent = at, .key = "dimensions"}, list_at = {.parent = at, .key = "groupings"};
    json_t *dimensions = NULL, *list = NULL;
    tacit_status st = get_list(&dimensions, part, "dimensions", TCT_MAX_DIMENSIONS, at, err);

    for (size_t d = 0; d < json_array_size(dimensions) && !st; d++) {
        tct_json_at item = {.parent = &dimensions_at, .index = d};

        st = read_dimension(g, json_array_get(dimensions, d), &item, err);
    }
    if (!st)
        st = get_list(&list, part, "groupings", TCT_MAX_GROUPINGS, at, err);
    for (size_t i = 0; i < json_array_size(list) && !st; i++) {
        tct_json_at item = {.parent = &list_at, .index = i};

        st = read_grouping(g, g->n_dimensions, json_array_get(list, i), &item, err);
    }
    if (!st && tct_groupings_depth(g, g->n) != g->n_dimensions)
        st = tct_json_fail(at, "dimensions", err, "one of them is not used");
    return st;
}

tacit_status tct_partial_read_groupings(tacit_audit *a, const json_t *part, const tct_json_at *at, tacit_error *err)
{
    tct_groupings *groupings = NULL;
    tacit_status st;

    if (!json_object_get(part, "groupings"))
        return TACIT_OK;
    st = tct_groupings_new(&groupings, err);
    if (!st)
        st = read_about(groupings, part, at, err);
    if (st) {
        tct_groupings_free(groupings);
        return st;
    }
    return tct_audit_set_groupings(a, groupings, err);
}

/* ---------------------------------------------------------------- reading: counts */

/* "6162" to "ab"; false when it is none, or no name. */
static bool decode_hex(const char *hex, tct_text *out)
{
    static const char DIGITS[] = "0123456789abcdef";
    size_t size = strlen(hex);

    if (size == 0 || size % 2 || strspn(hex, DIGITS) != size)
        return false;
    for (size_t i = 0; i < size; i += 2) {
        char byte = (char)((strchr(DIGITS, hex[i]) - DIGITS) << 4 | (strchr(DIGITS, hex[i + 1]) - DIGITS));

        if (byte == '\0')
            return false;
        tct_text_append(out, &byte, 1);
    }
    return true;
}

static tacit_status read_value(tct_sorter *s, size_t d, size_t index, const json_t *json, const tct_json_at *at,
                               tacit_error *err)
{
    const char *name = NULL, *hex = NULL;
    tct_text bytes = {0};
    uint32_t number = 0;
    tacit_status st = tct_json_optional_string(&name, json, "name", at, err);

    if (!st && !name)
        st = tct_json_get_string(&hex, json, "name_hex", at, err);
    if (!st && !name) {
        if (!decode_hex(hex, &bytes))
            st = tct_json_fail(at, "name_hex", err, "expected a name in hexadecimal");
        else if (bytes.failed)
            st = tct_fail_memory(err);
        name = bytes.bytes;
    }
    if (!st)
        st = tct_sorter_value(s, d, name, strlen(name), &number, err);
    if (!st && number != index)
        st = tct_json_fail(at, "name", err, "the value is there twice");
    if (bytes.bytes)
        tct_wipe(bytes.bytes, bytes.room);
    tct_text_free(&bytes);
    return st;
}

static tacit_status read_values(tacit_audit *a, const json_t *part, const tct_json_at *at, tacit_error *err)
{
    tct_json_at inside = {.parent = at, .key = "dimensions"};
    tacit_status st = TACIT_OK;

    for (size_t d = 0; d < a->groupings->n_dimensions && !st; d++) {
        const json_t *dimension = json_array_get(json_object_get(part, "dimensions"), d);
        tct_json_at item = {.parent = &inside, .index = d}, values_at = {.parent = &item, .key = "values"};
        json_t *list;

        if (a->groupings->dimensions[d].binned)
            continue;
        st = tct_json_get_array(&list, dimension, "values", &item, err);
        if (!st && json_array_size(list) > TCT_MAX_GROUPS)
            st = tct_json_fail(&item, "values", err, "more than %d", TCT_MAX_GROUPS);
        for (size_t v = 0; !st && v < json_array_size(list); v++) {
            tct_json_at value_at = {.parent = &values_at, .index = v};

            st = read_value(a->sorter, d, v, json_array_get(list, v), &value_at, err);
        }
    }
    return st;
}

/* Numbers of values, one per dimension (NULL: the first n). */
static tacit_status read_tuple(const tacit_audit *a, uint32_t *tuple, const uint64_t *numbers, const size_t *dimensions,
                               size_t n, const tct_json_at *at, tacit_error *err)
{
    for (size_t i = 0; i < n; i++) {
        if (numbers[i] >= a->sorter->values[dimensions ? dimensions[i] : i].n)
            return tct_json_fail(at, NULL, err, "a value that is not in the list");
        tuple[i] = (uint32_t)numbers[i];
    }
    return TACIT_OK;
}

/* Counts by class of one group at one delta. */
static tacit_status read_classes(const tacit_audit *a, const tct_tally *t, tct_class_counts *out, const json_t *list,
                                 const tct_json_at *at, tacit_error *err)
{
    uint64_t decided = 0, truth = 0, hit = 0;

    if (json_array_size(list) != 3 * a->n_classes)
        return tct_json_fail(at, NULL, err, "expected %zu counts", 3 * a->n_classes);
    for (size_t c = 0; c < a->n_classes; c++) {
        json_int_t k[3];

        for (size_t i = 0; i < 3; i++) {
            const json_t *value = json_array_get(list, 3 * c + i);

            k[i] = json_is_integer(value) ? json_integer_value(value) : -1;
            if (k[i] < 0 || (uint64_t)k[i] > t->people)
                return tct_json_fail(at, NULL, err, "expected counts from 0 to %llu", (unsigned long long)t->people);
        }
        out[c] = (tct_class_counts){(uint64_t)k[0], (uint64_t)k[1], (uint64_t)k[2]};
        decided += out[c].decided;
        truth += out[c].truth;
        hit += out[c].hit;
        if (out[c].hit > out[c].truth || out[c].hit > out[c].decided)
            return tct_json_fail(at, NULL, err, "the counts contradict each other");
    }
    if (decided != t->people || truth != t->labelled || hit != t->correct)
        return tct_json_fail(at, NULL, err, "do not add up to the group's people");
    return TACIT_OK;
}

static tacit_status read_group(tacit_audit *a, size_t g, const json_t *json, const tct_json_at *at, tacit_error *err)
{
    const tct_grouping *grouping = &a->groupings->list[g];
    tct_json_at values_at = {.parent = at, .key = "values"}, classes_at = {.parent = at, .key = "classes"};
    uint64_t numbers[TCT_MAX_CROSSED];
    uint32_t tuple[TCT_MAX_CROSSED];
    size_t before = a->sorter->groups[g].tuples.n, number = 0;
    tct_group *group;
    json_t *list = NULL;
    tacit_status st = tct_json_get_counts(numbers, grouping->n_parts, TCT_MAX_GROUPS, json, "values", at, err);

    if (!st)
        st = read_tuple(a, tuple, numbers, grouping->parts, grouping->n_parts, &values_at, err);
    if (!st)
        st = tct_sorter_group(a->sorter, g, tuple, &number, err);
    if (st)
        return st;
    if (number != before)
        return tct_json_fail(at, "values", err, "the group is there twice");
    group = &a->sorter->groups[g].list[number];
    st = tct_partial_read_results(a, group->tallies, json, at, err);
    if (!st && group->tallies[0]->people == 0)
        st = tct_json_fail(at, NULL, err, "a group of nobody");
    if (!st)
        st = tct_json_get_array(&list, json, "classes", at, err);
    if (!st && json_array_size(list) != a->summary.n_results)
        st = tct_json_fail(at, "classes", err, "expected %zu entries", a->summary.n_results);
    for (size_t i = 0; i < a->summary.n_results && !st; i++) {
        tct_json_at item = {.parent = &classes_at, .index = i};

        st = read_classes(a, group->tallies[i], group->classes + i * a->n_classes, json_array_get(list, i), &item, err);
    }
    return st;
}

/* The groups' tallies of each promise add up to that of everybody. */
static tacit_status check_sums(const tacit_audit *a, size_t g, const tct_json_at *at, tacit_error *err)
{
    size_t n_sensitive = a->summary.n_sensitive;
    tacit_status st = TACIT_OK;

    for (size_t i = 0; i < a->summary.n_results && !st; i++) {
        tct_tally *sum = NULL, *all = a->tallies[i];
        bool equal = true;

        st = tct_tally_new(&sum, n_sensitive, err);
        if (st)
            return st;
        for (size_t k = 0; k < a->sorter->groups[g].tuples.n; k++)
            tct_tally_merge(sum, a->sorter->groups[g].list[k].tallies[i]);
        for (size_t m = 0; m < TCT_TALLY_MEMBERS; m++)
            equal = equal && *tct_member_of(sum, &tct_tally_members[m]) == *tct_member_of(all, &tct_tally_members[m]);
        equal =
            equal && memcmp(sum->histogram, all->histogram, (n_sensitive + 1) * sizeof(uint64_t)) == 0 &&
            memcmp(sum->asked, all->asked, n_sensitive * sizeof(uint64_t)) == 0 &&
            memcmp(sum->indispensable, all->indispensable, TCT_NEED_LISTS * (n_sensitive + 1) * sizeof(uint64_t)) == 0;
        if (!equal)
            st = tct_json_fail(at, "groups", err, "do not add up to everybody");
        tct_tally_free(sum);
    }
    return st;
}

/* The atoms in every group add up to it. */
static tacit_status check_atoms(const tacit_audit *a, size_t g, const tct_json_at *at, tacit_error *err)
{
    const tct_sorter *s = a->sorter;
    const tct_grouping *grouping = &a->groupings->list[g];
    const tct_ordinals *tuples = &s->groups[g].tuples;
    uint64_t *people = tct_calloc(tuples->n + 1, sizeof *people);
    bool equal = true;

    if (!people)
        return tct_fail_memory(err);
    for (size_t i = 0; i < s->atoms.n; i++) {
        const uint32_t *atom = (const uint32_t *)(const void *)tct_ordinals_key(&s->atoms, i);
        uint32_t tuple[TCT_MAX_CROSSED];
        size_t group;

        for (size_t k = 0; k < grouping->n_parts; k++)
            tuple[k] = atom[grouping->parts[k]];
        group = tct_ordinals_find(tuples, tuple, grouping->n_parts * sizeof *tuple);
        equal = equal && group != TACIT_NONE;
        people[equal ? group : 0] += s->atom_people[i];
    }
    for (size_t i = 0; i < tuples->n; i++)
        equal = equal && people[i] == s->groups[g].list[i].tallies[0]->people;
    tct_free(people);
    return equal ? TACIT_OK : tct_json_fail(at, "atoms", err, "do not add up to the groups");
}

/* How many of each group or atom were held out; nobody, if it does not say so. */
static tacit_status read_held(tacit_audit *a, const json_t *object, const tct_json_at *at, tacit_error *err)
{
    tct_sorter *s = a->sorter;
    bool single = s->groupings->n == 1;
    size_t n = single ? s->groups[0].tuples.n : s->atoms.n;
    json_t *list = NULL;
    tacit_status st = TACIT_OK;

    if (!json_object_get(object, "held_out"))
        return TACIT_OK;
    st = tct_json_get_array(&list, object, "held_out", at, err);
    if (!st && json_array_size(list) != n)
        st = tct_json_fail(at, "held_out", err, "expected %zu counts", n);
    for (size_t i = 0; i < n && !st; i++) {
        const json_t *value = json_array_get(list, i);
        json_int_t held = json_is_integer(value) ? json_integer_value(value) : -1;
        uint64_t people = single ? s->groups[0].list[i].tallies[0]->people : s->atom_people[i];

        if (held < 0 || (uint64_t)held > people)
            st = tct_json_fail(at, "held_out", err, "expected counts of at most so many people as there are");
        else
            (single ? &s->groups[0].list[i].held : &s->atom_held[i])->known = (uint64_t)held;
    }
    return st;
}

static tacit_status read_atoms(tacit_audit *a, const json_t *part, const tct_json_at *at, tacit_error *err)
{
    tct_json_at inside = {.parent = at, .key = "atoms"}, list_at = {.parent = &inside, .key = "list"};
    uint64_t level = 0, numbers[TCT_MAX_DIMENSIONS + 1];
    uint32_t tuple[TCT_MAX_DIMENSIONS];
    json_t *object = NULL, *list = NULL;
    size_t depth = 0;
    tacit_status st = tct_json_get(&object, part, "atoms", at, err);

    if (!st)
        st = tct_json_get_count(&level, object, "groupings", &inside, err);
    if (!st && (level < 1 || level > a->groupings->n))
        st = tct_json_fail(&inside, "groupings", err, "expected 1 to %zu", a->groupings->n);
    if (!st)
        st = tct_json_get_array(&list, object, "list", &inside, err);
    if (!st && json_array_size(list) > TCT_MAX_ATOMS)
        st = tct_json_fail(&inside, "list", err, "more than %d", TCT_MAX_ATOMS);
    if (!st)
        st = tct_sorter_lower(a->sorter, (size_t)level, err);
    if (!st)
        depth = tct_groupings_depth(a->groupings, (size_t)level);
    for (size_t i = 0; !st && i < json_array_size(list); i++) {
        tct_json_at item = {.parent = &list_at, .index = i};
        const json_t *atom = json_array_get(list, i);

        if (json_array_size(atom) != depth + 1)
            return tct_json_fail(&item, NULL, err, "expected %zu numbers", depth + 1);
        for (size_t k = 0; k <= depth; k++) {
            const json_t *value = json_array_get(atom, k);

            if (!json_is_integer(value) || json_integer_value(value) < 0 ||
                (uint64_t)json_integer_value(value) > MOST_PEOPLE)
                return tct_json_fail(&item, NULL, err, "expected counts");
            numbers[k] = (uint64_t)json_integer_value(value);
        }
        st = read_tuple(a, tuple, numbers, NULL, depth, &item, err);
        if (!st && numbers[depth] == 0)
            st = tct_json_fail(&item, NULL, err, "a cell of nobody");
        if (!st)
            st = tct_sorter_atom(a->sorter, tuple, numbers[depth], (tct_held){0}, err);
        if (!st && a->sorter->atoms.n != i + 1)
            st = tct_json_fail(&item, NULL, err, "the cell is there twice");
    }
    return st ? st : read_held(a, object, &inside, err);
}

tacit_status tct_partial_read_groups(tacit_audit *a, const json_t *part, const tct_json_at *at, tacit_error *err)
{
    tct_json_at inside = {.parent = at, .key = "groupings"};
    tacit_status st = read_values(a, part, at, err);

    for (size_t g = 0; g < a->groupings->n && !st; g++) {
        tct_json_at item = {.parent = &inside, .index = g}, groups_at = {.parent = &item, .key = "groups"};
        json_t *list;

        st = tct_json_get_array(&list, json_array_get(json_object_get(part, "groupings"), g), "groups", &item, err);
        if (!st && json_array_size(list) > TCT_MAX_GROUPS)
            st = tct_json_fail(&item, "groups", err, "more than %d", TCT_MAX_GROUPS);
        for (size_t i = 0; !st && i < json_array_size(list); i++) {
            tct_json_at group_at = {.parent = &groups_at, .index = i};

            st = read_group(a, g, json_array_get(list, i), &group_at, err);
        }
        if (!st)
            st = check_sums(a, g, &item, err);
        if (!st && a->groupings->n == 1)
            st = read_held(a, json_array_get(json_object_get(part, "groupings"), g), &item, err);
    }
    if (!st && a->groupings->n > 1)
        st = read_atoms(a, part, at, err);
    for (size_t g = 0; a->groupings->n > 1 && g < a->sorter->level && !st; g++)
        st = check_atoms(a, g, at, err);
    return st;
}
