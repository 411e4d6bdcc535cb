/*
 * sorter.c -- people into groups, and the cells of the finest crossing.
 */
#include "sorter.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- making and freeing */

static tacit_status add_bins(tct_sorter *s, tacit_error *err)
{
    tacit_status st = TACIT_OK;

    for (size_t d = 0; d < s->groupings->n_dimensions; d++) {
        const tct_dimension *dimension = &s->groupings->dimensions[d];
        size_t number;

        for (size_t i = 0; dimension->binned && i < dimension->n_edges + 2 && !st; i++)
            st = tct_ordinals_add(&s->values[d], dimension->bins[i], strlen(dimension->bins[i]), &number, err);
    }
    return st;
}

tacit_status tct_sorter_new(tct_sorter **out, const tct_groupings *groupings, size_t n_deltas, size_t n_sensitive,
                            size_t n_classes, tacit_error *err)
{
    tct_sorter *s = tct_calloc(1, sizeof *s);
    tacit_status st;

    *out = NULL;
    if (!s)
        return tct_fail_memory(err);
    s->groupings = groupings;
    s->n_deltas = n_deltas;
    s->n_sensitive = n_sensitive;
    s->n_classes = n_classes;
    s->level = groupings->n;
    s->values = tct_calloc(groupings->n_dimensions + 1, sizeof *s->values);
    s->groups = tct_calloc(groupings->n + 1, sizeof *s->groups);
    st = s->values && s->groups ? add_bins(s, err) : tct_fail_memory(err);
    if (st)
        tct_sorter_free(s);
    else
        *out = s;
    return st;
}

static void free_group(const tct_sorter *s, tct_group *group)
{
    for (size_t i = 0; group->tallies && i < s->n_deltas; i++)
        tct_tally_free(group->tallies[i]);
    tct_free(group->tallies);
    tct_free(group->classes);
}

void tct_sorter_free(tct_sorter *s)
{
    if (!s)
        return;
    for (size_t g = 0; s->groups && g < s->groupings->n; g++) {
        for (size_t i = 0; i < s->groups[g].tuples.n; i++)
            free_group(s, &s->groups[g].list[i]);
        tct_free(s->groups[g].list);
        tct_ordinals_clear(&s->groups[g].tuples);
    }
    for (size_t d = 0; s->values && d < s->groupings->n_dimensions; d++)
        tct_ordinals_clear(&s->values[d]);
    tct_ordinals_clear(&s->atoms);
    tct_free(s->atom_people);
    tct_free(s->atom_held);
    tct_free(s->groups);
    tct_free(s->values);
    tct_free(s);
}

/* ---------------------------------------------------------------- values and groups */

tacit_status tct_sorter_value(tct_sorter *s, size_t dimension, const char *bytes, size_t size, uint32_t *value,
                              tacit_error *err)
{
    tct_ordinals *values = &s->values[dimension];
    size_t number = tct_ordinals_find(values, bytes, size);
    tacit_status st = TACIT_OK;

    if (number == TACIT_NONE && values->n == TCT_MAX_GROUPS)
        return tct_fail(err, TACIT_E_INPUT, "the group column has more than %d different values", TCT_MAX_GROUPS);
    if (number == TACIT_NONE)
        st = tct_ordinals_add(values, bytes, size, &number, err);
    *value = (uint32_t)number;
    return st;
}

/* Counts of nobody. */
static tacit_status new_group(const tct_sorter *s, tct_group *out, tacit_error *err)
{
    tacit_status st = TACIT_OK;

    *out = (tct_group){.tallies = tct_calloc(s->n_deltas, sizeof *out->tallies),
                       .classes = tct_calloc(s->n_deltas * s->n_classes + 1, sizeof *out->classes)};
    if (!out->tallies || !out->classes)
        st = tct_fail_memory(err);
    for (size_t i = 0; i < s->n_deltas && !st; i++)
        st = tct_tally_new(&out->tallies[i], s->n_sensitive, err);
    if (st)
        free_group(s, out);
    return st;
}

tacit_status tct_sorter_group(tct_sorter *s, size_t grouping, const uint32_t *tuple, size_t *group, tacit_error *err)
{
    tct_groups *g = &s->groups[grouping];
    size_t size = s->groupings->list[grouping].n_parts * sizeof *tuple;
    tct_group made, *list;
    tacit_status st;

    *group = tct_ordinals_find(&g->tuples, tuple, size);
    if (*group != TACIT_NONE)
        return TACIT_OK;
    if (g->tuples.n == TCT_MAX_GROUPS)
        return tct_fail(err, TACIT_E_INPUT, "grouping '%.200s' has more than %d groups",
                        s->groupings->list[grouping].name, TCT_MAX_GROUPS);
    list = tct_grow(g->list, &g->room, g->tuples.n + 1, sizeof *list);
    if (!list)
        return tct_fail_memory(err);
    g->list = list;
    st = new_group(s, &made, err);
    if (st)
        return st;
    st = tct_ordinals_add(&g->tuples, tuple, size, group, err);
    if (st)
        free_group(s, &made);
    else
        g->list[*group] = made;
    return st;
}

/* ---------------------------------------------------------------- atoms */

static void add_held(tct_held *into, tct_held more)
{
    into->known += more.known;
    into->at_hand += more.at_hand;
}

/* Counts of atoms that tell apart the first `level` groupings into *out, *people and *held. */
static tacit_status project(const tct_sorter *s, size_t level, tct_ordinals *out, uint64_t **people, tct_held **held,
                            tacit_error *err)
{
    size_t depth = tct_groupings_depth(s->groupings, level), number;
    tacit_status st = TACIT_OK;

    *people = tct_calloc(s->atoms.n + 1, sizeof **people);
    *held = tct_calloc(s->atoms.n + 1, sizeof **held);
    if (!*people || !*held)
        st = tct_fail_memory(err);
    for (size_t i = 0; i < s->atoms.n && !st; i++) {
        st = tct_ordinals_add(out, tct_ordinals_key(&s->atoms, i), depth * sizeof(uint32_t), &number, err);
        if (!st) {
            (*people)[number] += s->atom_people[i];
            add_held(&(*held)[number], s->atom_held[i]);
        }
    }
    if (st) {
        tct_ordinals_clear(out);
        tct_free(*people);
        tct_free(*held);
    }
    return st;
}

tacit_status tct_sorter_lower(tct_sorter *s, size_t level, tacit_error *err)
{
    tct_ordinals atoms = {0};
    uint64_t *people;
    tct_held *held;
    tacit_status st;

    if (level >= s->level)
        return TACIT_OK;
    st = project(s, level, &atoms, &people, &held, err);
    if (st)
        return st;
    s->atoms_room = s->atoms.n + 1;
    tct_ordinals_clear(&s->atoms);
    tct_free(s->atom_people);
    tct_free(s->atom_held);
    s->atoms = atoms;
    s->atom_people = people;
    s->atom_held = held;
    s->level = level;
    return TACIT_OK;
}

static tacit_status more_atoms(tct_sorter *s, tacit_error *err)
{
    size_t room = 2 * s->atoms_room + 64;
    uint64_t *people = tct_realloc(s->atom_people, room, sizeof *people);
    tct_held *held;

    if (!people)
        return tct_fail_memory(err);
    s->atom_people = people;
    held = tct_realloc(s->atom_held, room, sizeof *held);
    if (!held)
        return tct_fail_memory(err);
    s->atom_held = held;
    s->atoms_room = room;
    return TACIT_OK;
}

tacit_status tct_sorter_atom(tct_sorter *s, const uint32_t *tuple, uint64_t people, tct_held held, tacit_error *err)
{
    size_t number;
    tacit_status st = TACIT_OK;

    for (;;) {
        size_t size = tct_groupings_depth(s->groupings, s->level) * sizeof *tuple;

        number = tct_ordinals_find(&s->atoms, tuple, size);
        if (number != TACIT_NONE)
            break;
        if (s->atoms.n == TCT_MAX_ATOMS && s->level > 1) {
            st = tct_sorter_lower(s, s->level - 1, err);
            if (st)
                return st;
            continue;
        }
        if (s->atoms.n == s->atoms_room)
            st = more_atoms(s, err);
        if (!st)
            st = tct_ordinals_add(&s->atoms, tuple, size, &number, err);
        if (st)
            return st;
        s->atom_people[number] = 0;
        s->atom_held[number] = (tct_held){0};
        break;
    }
    s->atom_people[number] += people;
    add_held(&s->atom_held[number], held);
    return TACIT_OK;
}

tacit_status tct_sorter_person(tct_sorter *s, const uint32_t *values, bool held_out, size_t *groups, tacit_error *err)
{
    tacit_status st = TACIT_OK;

    for (size_t g = 0; g < s->groupings->n && !st; g++) {
        const tct_grouping *grouping = &s->groupings->list[g];
        uint32_t tuple[TCT_MAX_CROSSED];

        for (size_t i = 0; i < grouping->n_parts; i++)
            tuple[i] = values[grouping->parts[i]];
        st = tct_sorter_group(s, g, tuple, &groups[g], err);
        if (!st)
            s->groups[g].list[groups[g]].held.at_hand += held_out;
    }
    return st || s->groupings->n < 2 ? st : tct_sorter_atom(s, values, 1, (tct_held){.at_hand = held_out}, err);
}

/* Those of the file at hand become known, or are forgotten. */
static void end_file(tct_held *held, bool training_file)
{
    held->known += training_file ? held->at_hand : 0;
    held->at_hand = 0;
}

void tct_sorter_end_file(tct_sorter *s, bool training_file)
{
    for (size_t g = 0; g < s->groupings->n; g++)
        for (size_t i = 0; i < s->groups[g].tuples.n; i++)
            end_file(&s->groups[g].list[i].held, training_file);
    for (size_t i = 0; i < s->atoms.n; i++)
        end_file(&s->atom_held[i], training_file);
}

void tct_sorter_forget_held(tct_sorter *s)
{
    for (size_t g = 0; g < s->groupings->n; g++)
        for (size_t i = 0; i < s->groups[g].tuples.n; i++)
            s->groups[g].list[i].held = (tct_held){0};
    for (size_t i = 0; i < s->atoms.n; i++)
        s->atom_held[i] = (tct_held){0};
}

/* ---------------------------------------------------------------- counting */

static void count_classes(tct_class_counts *classes, const tct_outcome *o, uint64_t count)
{
    classes[o->end.label].decided += count;
    if (o->truth >= 0) {
        classes[o->truth].truth += count;
        classes[o->end.label].hit += o->truth == (int32_t)o->end.label ? count : 0;
    }
}

void tct_sorter_count(tct_sorter *s, size_t grouping, size_t group, size_t delta, const tct_outcome *o)
{
    tct_group *g = &s->groups[grouping].list[group];

    tct_tally_add(g->tallies[delta], o);
    count_classes(g->classes + delta * s->n_classes, o, 1);
}

void tct_sorter_count_many(tct_sorter *s, size_t grouping, size_t group, size_t delta, const tct_outcome *o,
                           uint64_t count)
{
    tct_group *g = &s->groups[grouping].list[group];

    tct_tally_add_many(g->tallies[delta], o, count);
    count_classes(g->classes + delta * s->n_classes, o, count);
}

void tct_group_merge(const tct_sorter *s, tct_group *into, const tct_group *from)
{
    for (size_t i = 0; i < s->n_deltas; i++)
        tct_tally_merge(into->tallies[i], from->tallies[i]);
    for (size_t i = 0; i < s->n_deltas * s->n_classes; i++) {
        into->classes[i].decided += from->classes[i].decided;
        into->classes[i].truth += from->classes[i].truth;
        into->classes[i].hit += from->classes[i].hit;
    }
    add_held(&into->held, from->held);
}

/* numbers[d][v]: what value v of dimension d of `from` is called in `into`. */
static tacit_status merge_values(tct_sorter *into, const tct_sorter *from, uint32_t **numbers, tacit_error *err)
{
    tacit_status st = TACIT_OK;

    for (size_t d = 0; d < from->groupings->n_dimensions && !st; d++) {
        const tct_ordinals *values = &from->values[d];

        numbers[d] = tct_malloc(values->n + 1, sizeof **numbers);
        if (!numbers[d])
            return tct_fail_memory(err);
        for (size_t v = 0; v < values->n && !st; v++)
            st = tct_sorter_value(into, d, tct_ordinals_key(values, v), values->keys[v].size, &numbers[d][v], err);
    }
    return st;
}

static tacit_status merge_groups(tct_sorter *into, const tct_sorter *from, uint32_t *const *numbers, tacit_error *err)
{
    tacit_status st = TACIT_OK;

    for (size_t g = 0; g < from->groupings->n; g++)
        for (size_t i = 0; i < from->groups[g].tuples.n && !st; i++) {
            const tct_grouping *grouping = &from->groupings->list[g];
            const uint32_t *there = tct_sorter_tuple(from, g, i);
            uint32_t tuple[TCT_MAX_CROSSED];
            size_t group;

            for (size_t k = 0; k < grouping->n_parts; k++)
                tuple[k] = numbers[grouping->parts[k]][there[k]];
            st = tct_sorter_group(into, g, tuple, &group, err);
            if (!st)
                tct_group_merge(into, &into->groups[g].list[group], &from->groups[g].list[i]);
        }
    return st;
}

static tacit_status merge_atoms(tct_sorter *into, const tct_sorter *from, uint32_t *const *numbers, tacit_error *err)
{
    tacit_status st = tct_sorter_lower(into, from->level, err);
    size_t depth = tct_groupings_depth(from->groupings, from->level);

    for (size_t i = 0; i < from->atoms.n && !st; i++) {
        const uint32_t *there = (const uint32_t *)(const void *)tct_ordinals_key(&from->atoms, i);
        uint32_t tuple[TCT_MAX_DIMENSIONS];

        for (size_t d = 0; d < depth; d++)
            tuple[d] = numbers[d][there[d]];
        st = tct_sorter_atom(into, tuple, from->atom_people[i], from->atom_held[i], err);
    }
    return st;
}

tacit_status tct_sorter_merge(tct_sorter *into, const tct_sorter *from, tacit_error *err)
{
    size_t n = from->groupings->n_dimensions;
    uint32_t **numbers = tct_calloc(n + 1, sizeof *numbers);
    tacit_status st = numbers ? merge_values(into, from, numbers, err) : tct_fail_memory(err);

    if (!st)
        st = merge_groups(into, from, numbers, err);
    if (!st)
        st = merge_atoms(into, from, numbers, err);
    for (size_t d = 0; numbers && d < n; d++)
        tct_free(numbers[d]);
    tct_free(numbers);
    return st;
}

/* ---------------------------------------------------------------- names and order */

const char *tct_sorter_name(const tct_sorter *s, size_t grouping, size_t group, size_t part)
{
    return tct_ordinals_key(&s->values[s->groupings->list[grouping].parts[part]],
                            tct_sorter_tuple(s, grouping, group)[part]);
}

void tct_sorter_label(const tct_sorter *s, size_t grouping, size_t group, tct_text *out)
{
    for (size_t i = 0; i < s->groupings->list[grouping].n_parts; i++)
        tct_text_printf(out, "%s%s", i ? " * " : "", tct_sorter_name(s, grouping, group, i));
}

static int compare_values(const void *a, const void *b, void *context)
{
    const tct_ordinals *values = context;

    return strcmp(tct_ordinals_key(values, *(const uint32_t *)a), tct_ordinals_key(values, *(const uint32_t *)b));
}

tacit_status tct_sorter_rank(const tct_sorter *s, size_t dimension, uint32_t **ranks, tacit_error *err)
{
    tct_ordinals *values = &s->values[dimension];
    uint32_t *sorted = tct_malloc(values->n + 1, sizeof *sorted);

    *ranks = tct_malloc(values->n + 1, sizeof **ranks);
    if (!sorted || !*ranks) {
        tct_free(sorted);
        tct_free(*ranks);
        *ranks = NULL;
        return tct_fail_memory(err);
    }
    for (uint32_t v = 0; v < values->n; v++)
        sorted[v] = v;
    if (!s->groupings->dimensions[dimension].binned && values->n > 0)
        qsort_r(sorted, values->n, sizeof *sorted, compare_values, values);
    for (uint32_t v = 0; v < values->n; v++)
        (*ranks)[sorted[v]] = v;
    tct_free(sorted);
    return TACIT_OK;
}

/* Tuples to be put in order. */
typedef struct ordering {
    const tct_ordinals *tuples;
    uint32_t *ranks[TCT_MAX_DIMENSIONS]; /* per place of a tuple */
    size_t n;
} ordering;

static int compare_tuples(const void *a, const void *b, void *context)
{
    const ordering *o = context;
    const uint32_t *x = (const uint32_t *)(const void *)tct_ordinals_key(o->tuples, *(const size_t *)a);
    const uint32_t *y = (const uint32_t *)(const void *)tct_ordinals_key(o->tuples, *(const size_t *)b);

    for (size_t i = 0; i < o->n; i++)
        if (x[i] != y[i])
            return o->ranks[i][x[i]] < o->ranks[i][y[i]] ? -1 : 1;
    return 0;
}

tacit_status tct_sorter_order(const tct_sorter *s, const tct_ordinals *tuples, const size_t *dimensions, size_t n,
                              size_t **order, tacit_error *err)
{
    ordering o = {.tuples = tuples, .n = n};
    tacit_status st = TACIT_OK;

    *order = tct_malloc(tuples->n + 1, sizeof **order);
    if (!*order)
        st = tct_fail_memory(err);
    for (size_t i = 0; i < n && !st; i++)
        st = tct_sorter_rank(s, dimensions ? dimensions[i] : i, &o.ranks[i], err);
    for (size_t i = 0; i < tuples->n && !st; i++)
        (*order)[i] = i;
    if (!st && tuples->n > 0)
        qsort_r(*order, tuples->n, sizeof **order, compare_tuples, &o);
    for (size_t i = 0; i < n; i++)
        tct_free(o.ranks[i]);
    if (st) {
        tct_free(*order);
        *order = NULL;
    }
    return st;
}
