/*
 * breakdown.c -- groups in their order, those that may be shown, the others pooled.
 *
 * Which may be shown is decided for all groupings together (suppress.h).  With one grouping its groups are the atoms.
 *
 * Where people held out of a training file are known, it is decided for them and for the others, each as if they were
 * everybody, and a group is shown if it may be shown of both.  An audit of those held out shows what may be shown of
 * them; taken off, what is left is what may be shown of the others.
 */
#include "breakdown.h"

#include <string.h>

#include "suppress.h"

/* ---------------------------------------------------------------- rows */

static void free_row(const tacit_audit *a, const tct_breakdown *b, tct_described *row)
{
    for (size_t i = 0; row->names && i < b->grouping.n_columns; i++)
        if (row->names[i])
            tct_free_wiped(row->names[i], strlen(row->names[i]));
    tct_free(row->names);
    if (row->name)
        tct_free_wiped(row->name, strlen(row->name));
    for (size_t i = 0; row->owns_counts && row->counts.tallies && i < a->summary.n_results; i++)
        tct_tally_free(row->counts.tallies[i]);
    if (row->owns_counts) {
        tct_free(row->counts.tallies);
        tct_free(row->counts.classes);
    }
    tct_free(row->results);
    tct_free(row->rates);
    tct_free(row->shares);
}

void tct_breakdowns_free(tacit_audit *a)
{
    for (size_t g = 0; a->breakdowns && g < a->groupings->n; g++) {
        tct_breakdown *b = &a->breakdowns[g];

        for (size_t i = 0; b->rows && i < b->grouping.n_groups + 2; i++)
            free_row(a, b, &b->rows[i]);
        tct_free(b->rows);
        tct_free(b->differences);
    }
    tct_free(a->breakdowns);
    a->breakdowns = NULL;
}

/* Results of a row from its counts. */
static tacit_status fill_results(const tacit_audit *a, tct_described *row, tacit_error *err)
{
    row->results = tct_calloc(a->summary.n_results, sizeof *row->results);
    if (!row->results)
        return tct_fail_memory(err);
    for (size_t i = 0; i < a->summary.n_results; i++)
        tct_audit_fill(&row->results[i], row->counts.tallies[i], a, &a->results[i]);
    row->group.people = row->counts.tallies[0]->people;
    return TACIT_OK;
}

/* A group of the sorter as a row. */
static tacit_status make_group(const tacit_audit *a, size_t g, size_t group, tct_described *row, tacit_error *err)
{
    size_t n = a->groupings->list[g].n_parts;
    tct_text name = {0};

    row->counts = a->sorter->groups[g].list[group];
    row->names = tct_calloc(n, sizeof *row->names);
    if (!row->names)
        return tct_fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        row->names[i] = tct_strdup(tct_sorter_name(a->sorter, g, group, i));
        if (!row->names[i])
            return tct_fail_memory(err);
    }
    tct_text_append(&name, "", 0);
    tct_sorter_label(a->sorter, g, group, &name);
    row->name = name.failed || !name.bytes ? NULL : tct_strdup(name.bytes);
    if (name.bytes)
        tct_wipe(name.bytes, name.room);
    tct_text_free(&name);
    if (!row->name)
        return tct_fail_memory(err);
    row->group = (tacit_audit_group){.name = row->name, .names = (const char *const *)row->names};
    return fill_results(a, row, err);
}

/* Several groups put together: those not shown, or all. */
static tacit_status make_sum(const tacit_audit *a, const tct_breakdown *b, bool all, tct_described *row,
                             tacit_error *err)
{
    size_t n = a->summary.n_results, n_classes = a->n_classes;
    tacit_status st = TACIT_OK;

    row->owns_counts = true;
    row->counts.tallies = tct_calloc(n, sizeof *row->counts.tallies);
    row->counts.classes = tct_calloc(n * n_classes + 1, sizeof *row->counts.classes);
    row->name = tct_strdup(all ? "everybody" : "all other groups");
    if (!row->counts.tallies || !row->counts.classes || !row->name)
        return tct_fail_memory(err);
    for (size_t i = 0; i < n && !st; i++)
        st = tct_tally_new(&row->counts.tallies[i], a->summary.n_sensitive, err);
    for (size_t g = 0; g < b->grouping.n_groups && !st; g++)
        if (all || !b->rows[g].group.shown)
            tct_group_merge(a->sorter, &row->counts, &b->rows[g].counts);
    row->group = (tacit_audit_group){.name = row->name, .shown = true, .pooled = !all};
    return st ? st : fill_results(a, row, err);
}

static tacit_status make_rows(const tacit_audit *a, size_t g, tct_breakdown *b, tacit_error *err)
{
    const tct_grouping *grouping = &a->groupings->list[g];
    const tct_ordinals *tuples = &a->sorter->groups[g].tuples;
    size_t *order;
    tacit_status st = tct_sorter_order(a->sorter, tuples, grouping->parts, grouping->n_parts, &order, err);

    if (st)
        return st;
    b->grouping = (tacit_audit_grouping){.name = grouping->name,
                                         .n_columns = grouping->n_parts,
                                         .columns = b->columns,
                                         .edges = b->edges,
                                         .n_edges = b->n_edges};
    for (size_t i = 0; i < grouping->n_parts; i++) {
        const tct_dimension *d = &a->groupings->dimensions[grouping->parts[i]];

        b->columns[i] = d->column;
        b->edges[i] = d->binned ? d->edges : NULL;
        b->n_edges[i] = d->n_edges;
    }
    b->rows = tct_calloc(tuples->n + 2, sizeof *b->rows);
    if (!b->rows)
        st = tct_fail_memory(err);
    else
        b->grouping.n_groups = tuples->n;
    for (size_t i = 0; i < tuples->n && !st; i++)
        st = make_group(a, g, order[i], &b->rows[i], err);
    tct_free(order);
    return st;
}

/* ---------------------------------------------------------------- what is shown */

/* Tables for suppress.h, with room for its answer. */
typedef struct answer {
    tct_tables tables;
    uint64_t *people, *held_out;
    size_t n_groups[TCT_MAX_GROUPINGS];
    uint32_t *group_of[TCT_MAX_GROUPINGS];
    bool *shown[TCT_MAX_GROUPINGS], withheld[TCT_MAX_GROUPINGS];
} answer;

static void clear_answer(answer *q)
{
    for (size_t g = 0; g < TCT_MAX_GROUPINGS; g++) {
        tct_free(q->group_of[g]);
        tct_free(q->shown[g]);
    }
    tct_free(q->people);
    tct_free(q->held_out);
}

/* Groups of one grouping, numbered as its rows are: of every atom. */
static tacit_status find_groups(const tacit_audit *a, size_t g, const size_t *atoms, answer *q, tacit_error *err)
{
    const tct_sorter *s = a->sorter;
    const tct_grouping *grouping = &a->groupings->list[g];
    const tct_ordinals *tuples = &s->groups[g].tuples;
    size_t *order = NULL, *place = tct_malloc(tuples->n + 1, sizeof *place);
    tacit_status st =
        place ? tct_sorter_order(s, tuples, grouping->parts, grouping->n_parts, &order, err) : tct_fail_memory(err);

    for (size_t i = 0; i < tuples->n && !st; i++)
        place[order[i]] = i;
    for (size_t i = 0; i < q->tables.n_atoms && !st; i++) {
        uint32_t tuple[TCT_MAX_CROSSED];
        const uint32_t *atom =
            atoms ? (const uint32_t *)(const void *)tct_ordinals_key(&s->atoms, atoms[i]) : tct_sorter_tuple(s, g, i);

        for (size_t k = 0; k < grouping->n_parts; k++)
            tuple[k] = atoms ? atom[grouping->parts[k]] : atom[k];
        q->group_of[g][i] = (uint32_t)place[tct_ordinals_find(tuples, tuple, grouping->n_parts * sizeof *tuple)];
    }
    tct_free(order);
    tct_free(place);
    return st;
}

/* Atoms in their order; with one grouping (*order NULL) its groups are the atoms, and their order does not matter. */
static tacit_status list_atoms(const tacit_audit *a, answer *q, size_t **order, tacit_error *err)
{
    const tct_sorter *s = a->sorter;
    bool single = a->groupings->n == 1;
    size_t n = single ? s->groups[0].tuples.n : s->atoms.n;
    tacit_status st = TACIT_OK;

    *order = NULL;
    q->people = tct_calloc(n + 1, sizeof *q->people);
    q->held_out = tct_calloc(n + 1, sizeof *q->held_out);
    if (!q->people || !q->held_out)
        return tct_fail_memory(err);
    if (!single)
        st = tct_sorter_order(s, &s->atoms, NULL, tct_groupings_depth(a->groupings, s->level), order, err);
    for (size_t i = 0; i < n && !st; i++) {
        q->people[i] = single ? s->groups[0].list[i].tallies[0]->people : s->atom_people[(*order)[i]];
        q->held_out[i] = single ? s->groups[0].list[i].held.known : s->atom_held[(*order)[i]].known;
    }
    q->tables = (tct_tables){.n_atoms = n,
                             .people = q->people,
                             .n_tables = s->level,
                             .n_groups = q->n_groups,
                             .group_of = (const uint32_t *const *)q->group_of,
                             .least = TCT_SMALL_GROUP};
    return st;
}

/* Take back what may not be shown of some of the people: those held out, or the others. */
static tacit_status choose_for(answer *q, bool held_out, tacit_error *err)
{
    answer part = {.tables = q->tables};
    size_t n = 0, n_tables = q->tables.n_tables;
    tacit_status st = TACIT_OK;

    part.people = tct_malloc(q->tables.n_atoms + 1, sizeof *part.people);
    if (!part.people)
        st = tct_fail_memory(err);
    for (size_t g = 0; g < n_tables && !st; g++) {
        part.group_of[g] = tct_malloc(q->tables.n_atoms + 1, sizeof **part.group_of);
        part.shown[g] = tct_calloc(q->n_groups[g] + 1, sizeof **part.shown);
        if (!part.group_of[g] || !part.shown[g])
            st = tct_fail_memory(err);
    }
    for (size_t i = 0; i < q->tables.n_atoms && !st; i++) {
        part.people[n] = held_out ? q->held_out[i] : q->people[i] - q->held_out[i];
        for (size_t g = 0; g < n_tables; g++)
            part.group_of[g][n] = q->group_of[g][i];
        n += part.people[n] > 0; /* atoms have somebody */
    }
    part.tables.n_atoms = n;
    part.tables.people = part.people;
    part.tables.group_of = (const uint32_t *const *)part.group_of;
    if (!st && n > 0)
        st = tct_suppress(&part.tables, part.shown, part.withheld, err);
    for (size_t g = 0; g < n_tables && !st; g++) {
        q->withheld[g] = q->withheld[g] || part.withheld[g];
        for (size_t i = 0; i < n; i++) /* a group that has nobody of them tells nothing of them */
            q->shown[g][part.group_of[g][i]] &= part.shown[g][part.group_of[g][i]];
    }
    clear_answer(&part);
    return st;
}

static tacit_status choose_rows(tacit_audit *a, tacit_error *err)
{
    answer q = {0};
    size_t *order;
    tacit_status st = list_atoms(a, &q, &order, err);

    for (size_t g = 0; g < q.tables.n_tables && !st; g++) {
        q.n_groups[g] = a->sorter->groups[g].tuples.n;
        q.group_of[g] = tct_malloc(q.tables.n_atoms + 1, sizeof **q.group_of);
        q.shown[g] = tct_malloc(q.n_groups[g] + 1, sizeof **q.shown);
        st = q.group_of[g] && q.shown[g] ? find_groups(a, g, order, &q, err) : tct_fail_memory(err);
        for (size_t i = 0; i < q.n_groups[g] && !st; i++)
            q.shown[g][i] = true;
    }
    if (!st)
        st = choose_for(&q, true, err);
    if (!st)
        st = choose_for(&q, false, err);
    for (size_t g = 0; g < a->groupings->n && !st; g++) {
        tct_breakdown *b = &a->breakdowns[g];

        b->grouping.withheld = g >= a->sorter->level || q.withheld[g];
        for (size_t i = 0; i < b->grouping.n_groups; i++) {
            b->rows[i].group.shown = !b->grouping.withheld && q.shown[g][i];
            b->grouping.suppressed += !b->rows[i].group.shown;
        }
    }
    tct_free(order);
    clear_answer(&q);
    return st;
}

/* The row of those that are not shown, if it is one of several groups and not of few people.  It follows from the
 * others and the total: nothing is given away. */
static tacit_status pool_rest(const tacit_audit *a, tct_breakdown *b, tacit_error *err)
{
    uint64_t people = 0;

    for (size_t i = 0; i < b->grouping.n_groups; i++)
        people += b->rows[i].group.shown ? 0 : b->rows[i].group.people;
    if (b->grouping.withheld || b->grouping.suppressed < 2 || people < TCT_SMALL_GROUP)
        return TACIT_OK;
    b->grouping.pooled_groups = b->grouping.suppressed;
    return make_sum(a, b, false, &b->rows[b->grouping.n_groups], err);
}

tacit_status tct_breakdowns_make(tacit_audit *a, tacit_error *err)
{
    tacit_status st = TACIT_OK;

    if (!a->groupings)
        return TACIT_OK;
    a->breakdowns = tct_calloc(a->groupings->n, sizeof *a->breakdowns);
    if (!a->breakdowns)
        return tct_fail_memory(err);
    for (size_t g = 0; g < a->groupings->n && !st; g++)
        st = make_rows(a, g, &a->breakdowns[g], err);
    if (!st)
        st = choose_rows(a, err);
    for (size_t g = 0; g < a->groupings->n && !st; g++) {
        tct_breakdown *b = &a->breakdowns[g];

        st = pool_rest(a, b, err);
        if (!st)
            st = make_sum(a, b, true, &b->rows[b->grouping.n_groups + 1], err);
        for (size_t i = 0; i < b->grouping.n_groups + 2 && !st; i++)
            if (b->rows[i].group.shown)
                st = tct_rates_fill(a, &b->rows[i], err);
        if (!st)
            st = tct_differences_find(a, b, err);
    }
    return st;
}

/* ---------------------------------------------------------------- public */

size_t tacit_audit_groupings(const tacit_audit *a)
{
    return a->groupings ? a->groupings->n : 0;
}

const tacit_audit_grouping *tacit_audit_grouping_get(const tacit_audit *a, size_t grouping)
{
    return grouping < tacit_audit_groupings(a) ? &a->breakdowns[grouping].grouping : NULL;
}

/* NULL when there is none. */
static const tct_described *find_row(const tacit_audit *a, size_t grouping, size_t group)
{
    const tct_breakdown *b = grouping < tacit_audit_groupings(a) ? &a->breakdowns[grouping] : NULL;

    if (!b)
        return NULL;
    if (group == TACIT_NONE)
        return &b->rows[b->grouping.n_groups + 1];
    return group < b->grouping.n_groups + (b->grouping.pooled_groups > 0) ? &b->rows[group] : NULL;
}

const tacit_audit_group *tacit_audit_grouping_group(const tacit_audit *a, size_t grouping, size_t group)
{
    const tct_described *row = find_row(a, grouping, group);

    return row ? &row->group : NULL;
}

const tacit_audit_result *tacit_audit_grouping_result(const tacit_audit *a, size_t grouping, size_t group,
                                                      size_t delta_index)
{
    const tct_described *row = find_row(a, grouping, group);

    return row && row->group.shown && delta_index < a->summary.n_results ? &row->results[delta_index] : NULL;
}

const tacit_audit_rates *tacit_audit_grouping_rates(const tacit_audit *a, size_t grouping, size_t group,
                                                    size_t delta_index)
{
    const tct_described *row = find_row(a, grouping, group);

    return row && row->rates && delta_index < a->summary.n_results ? &row->rates[delta_index] : NULL;
}

/* The first grouping, if it has one column. */
static const tct_breakdown *first_column(const tacit_audit *a)
{
    return a->breakdowns && a->breakdowns[0].grouping.n_columns == 1 ? &a->breakdowns[0] : NULL;
}

const char *tacit_audit_group_name(const tacit_audit *a, size_t g)
{
    return g < a->summary.n_groups ? first_column(a)->rows[g].name : NULL;
}

bool tacit_audit_group_shown(const tacit_audit *a, size_t g)
{
    return g < a->summary.n_groups && first_column(a)->rows[g].group.shown;
}

const tacit_audit_result *tacit_audit_group_result(const tacit_audit *a, size_t g, size_t delta_index)
{
    if (g >= a->summary.n_groups || delta_index >= a->summary.n_results)
        return NULL;
    return &first_column(a)->rows[g].results[delta_index];
}

const char *tacit_audit_group_column(const tacit_audit *a)
{
    return first_column(a) ? first_column(a)->columns[0] : NULL;
}
