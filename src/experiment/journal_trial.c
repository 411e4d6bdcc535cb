/*
 * journal_trial.c -- the counts of a finished trial, written and read.
 *
 * Reading trusts nothing: lists have the length they must have, nobody is counted who is not there, people counted one
 * way are as many as counted another way.  So a trial that was read can be used like one that was run.  Of the census
 * only what an experiment uses is kept: its counts of smallest sets belong to audits.
 */
#include "journal_trial.h"

#include <string.h>

/* clang-format off */
#define COUNT(type, name) {#name, offsetof(type, name)}
/* clang-format on */

/* A count and where it is. */
typedef struct member {
    const char *key;
    size_t offset;
} member;

static const member TALLY[] = {
    COUNT(tct_tally, people),  COUNT(tct_tally, labelled), COUNT(tct_tally, agree),
    COUNT(tct_tally, correct), COUNT(tct_tally, certain),  COUNT(tct_tally, likely),
    COUNT(tct_tally, stopped), COUNT(tct_tally, failed),   COUNT(tct_tally, all_revealed),
};
static const member CENSUS[] = {
    COUNT(tct_census, people),
    COUNT(tct_census, labelled),
    COUNT(tct_census, baseline_correct),
};
static const member OPT[] = {
    COUNT(tct_draw, opt_people),
    COUNT(tct_draw, opt_inexact),
    COUNT(tct_draw, opt_paper_asked),
    COUNT(tct_draw, opt_tacit_asked),
};
static const member GRID[] = {
    COUNT(tct_grid_count, people),    COUNT(tct_grid_count, stages), COUNT(tct_grid_count, certified),
    COUNT(tct_grid_count, refuted),   COUNT(tct_grid_count, missed), COUNT(tct_grid_count, hasty),
    COUNT(tct_grid_count, undecided), COUNT(tct_grid_count, misled), COUNT(tct_grid_count, points),
};
static const member SECONDS[] = {
    COUNT(tct_draw_seconds, opt),
    COUNT(tct_draw_seconds, paper),
    COUNT(tct_draw_seconds, tacit),
    COUNT(tct_draw_seconds, grid),
};
#define LENGTH(list) (sizeof(list) / sizeof((list)[0]))

/* ---------------------------------------------------------------- writing */

static void write_members(tct_text *out, const void *base, const member *members, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t count;

        memcpy(&count, (const char *)base + members[i].offset, sizeof count);
        tct_text_printf(out, "%s\"%s\":%llu", i ? "," : "", members[i].key, (unsigned long long)count);
    }
}

static void write_counts(tct_text *out, const char *key, const uint64_t *counts, size_t n)
{
    tct_text_printf(out, ",\"%s\":[", key);
    for (size_t i = 0; i < n; i++)
        tct_text_printf(out, "%s%llu", i ? "," : "", (unsigned long long)counts[i]);
    tct_text_printf(out, "]");
}

static void write_seconds(tct_text *out, const char *key, double seconds)
{
    char text[32];

    tct_format_number(seconds, text, sizeof text);
    tct_text_printf(out, "\"%s\":%s", key, text);
}

static void write_tallies(tct_text *out, const char *key, tct_tally *const *tallies, size_t n)
{
    if (!tallies)
        return;
    tct_text_printf(out, ",\"%s\":[", key);
    for (size_t i = 0; i < n; i++) {
        const tct_tally *t = tallies[i];

        tct_text_printf(out, "%s{", i ? "," : "");
        write_members(out, t, TALLY, LENGTH(TALLY));
        write_counts(out, "histogram", t->histogram, t->n_sensitive + 1);
        write_counts(out, "asked", t->asked, t->n_sensitive);
        tct_text_printf(out, "}");
    }
    tct_text_printf(out, "]");
}

static void write_cell(tct_text *out, const tacit_experiment *e, const tct_draw *cell)
{
    tct_text_printf(out, "{\"size\":%zu,\"sensitive\":[", cell->size);
    for (size_t i = 0; i < cell->size; i++)
        tct_text_printf(out, "%s%zu", i ? "," : "", cell->sensitive[i]);
    tct_text_printf(out, "],");
    write_members(out, cell->census, CENSUS, LENGTH(CENSUS));
    tct_text_printf(out, ",");
    write_members(out, cell, OPT, LENGTH(OPT));
    write_counts(out, "opt_histogram", cell->opt_histogram, cell->size + 1);
    write_counts(out, "opt_members", cell->opt_members, cell->size);
    write_tallies(out, "paper", cell->paper, e->n_deltas);
    write_tallies(out, "tacit", cell->tacit, e->n_deltas);
    tct_text_printf(out, ",\"grid\":{");
    write_members(out, &cell->grid, GRID, LENGTH(GRID));
    tct_text_printf(out, "},\"seconds\":{");
    for (size_t i = 0; i < LENGTH(SECONDS); i++) {
        double seconds;

        memcpy(&seconds, (const char *)&cell->seconds + SECONDS[i].offset, sizeof seconds);
        tct_text_printf(out, "%s", i ? "," : "");
        write_seconds(out, SECONDS[i].key, seconds);
    }
    tct_text_printf(out, "}}");
}

void tct_journal_write(tct_text *out, const tacit_experiment *e, const tct_trial *trial)
{
    tct_text_printf(out, "{\"model\":\"%s\",\"repetition\":%zu,\"inputs\":%zu,", e->kinds.items[trial->kind],
                    trial->rep, trial->inputs);
    write_seconds(out, "fit_seconds", trial->fit_seconds);
    tct_text_printf(out, ",\"cells\":[");
    for (size_t i = 0; i < e->n_sizes; i++) {
        tct_text_printf(out, "%s", i ? "," : "");
        write_cell(out, e, &trial->cells[i]);
    }
    tct_text_printf(out, "]");
}

/* ---------------------------------------------------------------- reading */

static tacit_status read_members(void *base, const member *members, size_t n, const json_t *json, const tct_json_at *at,
                                 tacit_error *err)
{
    tacit_status st = TACIT_OK;

    for (size_t i = 0; i < n && !st; i++) {
        uint64_t count = 0;

        st = tct_json_get_count(&count, json, members[i].key, at, err);
        memcpy((char *)base + members[i].offset, &count, sizeof count);
    }
    return st;
}

/* Sum of the n entries, and of k times entry k.  Entries are at most the number of people: no overflow. */
static uint64_t sum_of(const uint64_t *counts, size_t n, uint64_t *weighted)
{
    uint64_t sum = 0;

    *weighted = 0;
    for (size_t k = 0; k < n; k++) {
        sum += counts[k];
        *weighted += k * counts[k];
    }
    return sum;
}

static tacit_status read_seconds(double *out, const json_t *json, const char *key, const tct_json_at *at,
                                 tacit_error *err)
{
    tacit_status st = tct_json_get_number(out, json, key, at, err);

    if (!st && *out < 0)
        st = tct_json_fail(at, key, err, "expected a number, 0 or more");
    return st;
}

static tacit_status read_tally(tct_tally *t, const tct_census *census, bool exact, const json_t *json,
                               const tct_json_at *at, tacit_error *err)
{
    uint64_t asked, total, ignored;
    tacit_status st;

    if ((st = read_members(t, TALLY, LENGTH(TALLY), json, at, err)) ||
        (st = tct_json_get_counts(t->histogram, t->n_sensitive + 1, census->people, json, "histogram", at, err)) ||
        (st = tct_json_get_counts(t->asked, t->n_sensitive, census->people, json, "asked", at, err)))
        return st;
    if (t->people != census->people || t->labelled != census->labelled)
        return tct_json_fail(at, NULL, err, "not about the people of its cell");
    if (t->agree > t->people || t->correct > t->labelled || t->failed > t->stopped || t->certain > t->people ||
        t->likely > t->people || t->all_revealed > t->people || t->certain + t->likely + t->all_revealed != t->people ||
        t->stopped != (exact ? t->certain : t->likely))
        return tct_json_fail(at, NULL, err, "the counts contradict each other");
    if (sum_of(t->histogram, t->n_sensitive + 1, &total) != t->people)
        return tct_json_fail(at, "histogram", err, "does not add up to the people");
    asked = sum_of(t->asked, t->n_sensitive, &ignored);
    if (asked != total)
        return tct_json_fail(at, "asked", err, "does not add up to the histogram's");
    return TACIT_OK;
}

static tacit_status read_tallies(tct_tally **tallies, const tacit_experiment *e, const tct_draw *cell,
                                 const json_t *json, const char *key, const tct_json_at *at, tacit_error *err)
{
    tct_json_at inside = {.parent = at, .key = key};
    json_t *list;
    tacit_status st;

    if (!tallies)
        return TACIT_OK;
    st = tct_json_get_array(&list, json, key, at, err);
    if (!st && json_array_size(list) != e->n_deltas)
        st = tct_json_fail(at, key, err, "expected %zu entries, not %zu", e->n_deltas, json_array_size(list));
    for (size_t i = 0; i < e->n_deltas && !st; i++) {
        tct_json_at item = {.parent = &inside, .index = i};

        st = read_tally(tallies[i], cell->census, e->deltas[i] == 0, json_array_get(list, i), &item, err);
    }
    return st;
}

static tacit_status read_sensitive(tct_draw *cell, const tacit_experiment *e, const json_t *json, const tct_json_at *at,
                                   tacit_error *err)
{
    json_t *list;
    uint64_t size;
    tacit_status st = tct_json_get_count(&size, json, "size", at, err);

    if (!st && size != cell->size)
        st = tct_json_fail(at, "size", err, "expected %zu", cell->size);
    if (!st)
        st = tct_json_get_array(&list, json, "sensitive", at, err);
    if (st)
        return st;
    if (json_array_size(list) != cell->size)
        return tct_json_fail(at, "sensitive", err, "expected %zu attributes", cell->size);
    for (size_t i = 0; i < cell->size; i++) {
        json_int_t index = json_integer_value(json_array_get(list, i));

        if (!json_is_integer(json_array_get(list, i)) || index < 0 || (uint64_t)index >= e->schema->n_attributes ||
            (i > 0 && (size_t)index <= cell->sensitive[i - 1]))
            return tct_json_fail(at, "sensitive", err, "expected ascending numbers of attributes");
        cell->sensitive[i] = (size_t)index;
    }
    return TACIT_OK;
}

static tacit_status read_opt(tct_draw *cell, const tacit_experiment *e, const json_t *json, const tct_json_at *at,
                             tacit_error *err)
{
    uint64_t people = cell->census->people, ignored, most;
    tacit_status st = read_members(cell, OPT, LENGTH(OPT), json, at, err);

    if (!st && (cell->opt_people > people || (!e->methods[TACIT_METHOD_OPT] && cell->opt_people > 0)))
        st = tct_json_fail(at, "opt_people", err, "more than there are");
    if (!st)
        st = tct_json_get_counts(cell->opt_histogram, cell->size + 1, cell->opt_people, json, "opt_histogram", at, err);
    if (!st)
        st = tct_json_get_counts(cell->opt_members, cell->size, cell->opt_people, json, "opt_members", at, err);
    if (st)
        return st;
    most = cell->opt_people * cell->size;
    if (sum_of(cell->opt_histogram, cell->size + 1, &ignored) != cell->opt_people)
        return tct_json_fail(at, "opt_histogram", err, "does not add up to the people");
    if (cell->opt_inexact > cell->opt_people || cell->opt_paper_asked > most || cell->opt_tacit_asked > most)
        return tct_json_fail(at, NULL, err, "the counts contradict each other");
    return TACIT_OK;
}

static tacit_status read_grid(tct_draw *cell, const json_t *json, const tct_json_at *at, tacit_error *err)
{
    tct_json_at inside = {.parent = at, .key = "grid"};
    tct_grid_count *g = &cell->grid;
    json_t *object;
    tacit_status st = tct_json_get(&object, json, "grid", at, err);

    if (!st)
        st = read_members(g, GRID, LENGTH(GRID), object, &inside, err);
    if (st)
        return st;
    if (g->people > cell->census->people || g->certified > g->stages || g->refuted > g->stages ||
        g->undecided > g->stages || g->certified + g->refuted + g->undecided != g->stages || g->missed > g->refuted ||
        g->hasty > g->people || g->misled > g->hasty)
        return tct_json_fail(&inside, NULL, err, "the counts contradict each other");
    return TACIT_OK;
}

static tacit_status read_cell(tct_draw *cell, const tacit_experiment *e, const json_t *json, const tct_json_at *at,
                              tacit_error *err)
{
    tct_json_at inside = {.parent = at, .key = "seconds"};
    tct_census *census = cell->census;
    json_t *seconds;
    tacit_status st;

    if ((st = read_sensitive(cell, e, json, at, err)) ||
        (st = read_members(census, CENSUS, LENGTH(CENSUS), json, at, err)))
        return st;
    if (census->people > e->n_rows || census->labelled > census->people || census->baseline_correct > census->labelled)
        return tct_json_fail(at, "people", err, "the counts contradict each other");
    if ((st = read_opt(cell, e, json, at, err)) || (st = read_tallies(cell->paper, e, cell, json, "paper", at, err)) ||
        (st = read_tallies(cell->tacit, e, cell, json, "tacit", at, err)) || (st = read_grid(cell, json, at, err)) ||
        (st = tct_json_get(&seconds, json, "seconds", at, err)))
        return st;
    for (size_t i = 0; i < LENGTH(SECONDS) && !st; i++) {
        double value = 0;

        st = read_seconds(&value, seconds, SECONDS[i].key, &inside, err);
        memcpy((char *)&cell->seconds + SECONDS[i].offset, &value, sizeof value);
    }
    return st;
}

static tacit_status read_trial(tct_trial *trial, const tacit_experiment *e, const json_t *json, const tct_json_at *at,
                               tacit_error *err)
{
    tct_json_at inside = {.parent = at, .key = "cells"};
    uint64_t inputs = 0;
    json_t *list;
    tacit_status st;

    if ((st = tct_json_get_count(&inputs, json, "inputs", at, err)) ||
        (st = read_seconds(&trial->fit_seconds, json, "fit_seconds", at, err)) ||
        (st = tct_json_get_array(&list, json, "cells", at, err)))
        return st;
    if (inputs != e->n_inputs)
        return tct_json_fail(at, "inputs", err, "expected %zu", e->n_inputs);
    if (json_array_size(list) != e->n_sizes)
        return tct_json_fail(at, "cells", err, "expected %zu entries, not %zu", e->n_sizes, json_array_size(list));
    trial->inputs = (size_t)inputs;
    for (size_t i = 0; i < e->n_sizes && !st; i++) {
        tct_json_at item = {.parent = &inside, .index = i};

        st = read_cell(&trial->cells[i], e, json_array_get(list, i), &item, err);
    }
    return st;
}

tacit_status tct_journal_take(tacit_experiment *e, const json_t *json, const tct_json_at *at, tacit_error *err)
{
    const char *model = NULL;
    uint64_t rep = 0;
    size_t kind = 0;
    tct_trial *trial;
    tacit_status st;

    if ((st = tct_json_get_string(&model, json, "model", at, err)) ||
        (st = tct_json_get_count(&rep, json, "repetition", at, err)))
        return st;
    while (kind < e->kinds.count && strcmp(e->kinds.items[kind], model) != 0)
        kind++;
    if (kind == e->kinds.count)
        return tct_json_fail(at, "model", err, "not one of the models of the first line");
    if (rep >= e->reps)
        return TACIT_OK;
    trial = &e->trials[kind * e->reps + rep];
    if (trial->done)
        return tct_json_fail(at, NULL, err, "repetition %llu of the model %s is there twice", (unsigned long long)rep,
                             model);
    st = tct_trial_init(trial, e, kind, (size_t)rep, err);
    if (st)
        return st;
    st = read_trial(trial, e, json, at, err);
    if (st)
        tct_trial_clear(trial, e);
    else
        trial->done = true;
    return st;
}
