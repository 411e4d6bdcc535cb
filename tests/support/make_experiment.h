/*
 * make_experiment.h -- a small experiment with made-up counts, as if it had been run: two kinds, sizes 1 and 2, deltas
 * 0 and 0.1, ten people held out in every repetition.
 *
 * Attributes: "age" (cost 1), "income, net" (cost 2.5), "job" (cost 1).  Even repetitions draw "income, net" first, odd
 * ones "age"; "job" comes second.  All counts of a cell are below, by hand.
 */
#ifndef TEST_MAKE_EXPERIMENT_H
#define TEST_MAKE_EXPERIMENT_H

#include <stdlib.h>
#include <string.h>

#include "experiment.h"

static const char EXPERIMENT_SCHEMA[] =
    "{\"format\": \"tacit-schema\", \"version\": 1, \"label\": {\"name\": \"outcome\", \"classes\": [\"no\", \"yes\"]},"
    "\"attributes\": [{\"name\": \"age\", \"type\": \"integer\", \"min\": 18, \"max\": 90},"
    "{\"name\": \"income, net\", \"type\": \"number\", \"min\": 0, \"max\": 9000, \"cost\": 2.5},"
    "{\"name\": \"job\", \"type\": \"category\", \"levels\": [\"clerk\", \"nurse\"], \"encoding\": \"ordinal\"}]}";

static inline void experiment_require(bool holds)
{
    if (!holds)
        abort();
}

/* Histogram, asked, then agree, correct, certain, likely, all_revealed, stopped, failed. */
static inline void fill_tally(tct_tally *t, const uint64_t histogram[3], const uint64_t asked[2],
                              const uint64_t counts[7])
{
    memcpy(t->histogram, histogram, (t->n_sensitive + 1) * sizeof *histogram);
    memcpy(t->asked, asked, t->n_sensitive * sizeof *asked);
    t->people = t->labelled = 10;
    t->agree = counts[0];
    t->correct = counts[1];
    t->certain = counts[2];
    t->likely = counts[3];
    t->all_revealed = counts[4];
    t->stopped = counts[5];
    t->failed = counts[6];
}

static inline void fill_cell(tct_draw *cell, size_t kind, size_t rep)
{
    bool two = cell->size == 2, odd = rep % 2;
    const uint64_t right = 8 + odd;
    const uint64_t exact[7] = {10, right, two ? 8 : 6, 0, two ? 2 : 4, two ? 8 : 6, 0};
    const uint64_t loose[7] = {9, right - 1, two ? 4 : 5, two ? 5 : 3, two ? 1 : 2, two ? 5 : 3, 1};

    cell->sensitive[0] = !odd;
    if (two)
        cell->sensitive[1] = 2;
    cell->census->people = cell->census->labelled = 10;
    cell->census->baseline_correct = right;
    cell->opt_people = kind ? 5 : 10;
    cell->opt_histogram[0] = kind ? 4 : 8;
    cell->opt_histogram[1] = kind ? 1 : 2;
    cell->opt_members[0] = kind ? 1 : 2;
    cell->opt_inexact = kind;
    cell->opt_paper_asked = two ? (kind ? 4 : 8) : (kind ? 2 : 4);
    cell->opt_tacit_asked = two && odd ? (kind ? 3 : 6) : cell->opt_paper_asked;
    for (size_t i = 0; i < 2; i++) {
        const uint64_t paper[2][3] = {{6, 4, 0}, {4, 4, 2}}, later[2][3] = {{8, 2, 0}, {6, 3, 1}};
        const uint64_t asked[2][2] = {{4, 0}, {5, 3}}, asked_later[2][2] = {{2, 0}, {3, 2}};

        fill_tally(cell->paper[i], i ? later[two] : paper[two], i ? asked_later[two] : asked[two], i ? loose : exact);
        fill_tally(cell->tacit[i], i ? later[two] : paper[two], i ? asked_later[two] : asked[two], i ? loose : exact);
    }
    if (two && odd) /* our rule asks for less here: 5 + 4 + 1 people, 6 answers */
        fill_tally(cell->tacit[0], (const uint64_t[]){5, 4, 1}, (const uint64_t[]){4, 2},
                   (const uint64_t[]){10, right, 9, 0, 1, 9, 0});
    if (kind)
        cell->grid = (tct_grid_count){3, 7, 3, 3, 1, 2, 2, 1, 250};
    cell->seconds = (tct_draw_seconds){0.1 / 3, 1e-7, 12.5, kind ? 2.25 : 0};
}

/* One trial as if it had been run. */
static inline void fill_trial(tacit_experiment *e, size_t kind, size_t rep)
{
    tct_trial *trial = &e->trials[kind * e->reps + rep];

    experiment_require(tct_trial_init(trial, e, kind, rep, NULL) == TACIT_OK);
    trial->inputs = e->n_inputs;
    trial->fit_seconds = 0.5 + (double)rep;
    for (size_t i = 0; i < e->n_sizes; i++)
        fill_cell(&trial->cells[i], kind, rep);
    trial->done = true;
}

/* Without trials; tacit_experiment_free it. */
static inline tacit_experiment *make_experiment(size_t reps)
{
    tacit_experiment *e = tct_calloc(1, sizeof *e);
    tct_json_at at = {.file = "schema.json"};
    json_t *json = NULL;

    experiment_require(e &&
                       tct_json_parse(&json, EXPERIMENT_SCHEMA, strlen(EXPERIMENT_SCHEMA), at.file, NULL) == TACIT_OK);
    experiment_require(tct_schema_from_json(&e->schema, json, &at, NULL) == TACIT_OK);
    json_decref(json);
    experiment_require(tct_names_split(&e->kinds, "logistic,mlp", NULL) == TACIT_OK);
    e->n_inputs = 3;
    e->n_rows = 30;
    memset(e->data_hash, 'a', sizeof e->data_hash - 1);
    e->data_name = tct_strdup("people.csv");
    for (size_t m = 0; m < TACIT_METHODS; m++)
        e->methods[m] = true;
    e->n_sizes = e->n_deltas = 2;
    e->sizes = tct_calloc(2, sizeof *e->sizes);
    e->deltas = tct_calloc(2, sizeof *e->deltas);
    e->reps = reps;
    e->trials = tct_calloc(2 * reps, sizeof *e->trials);
    experiment_require(e->data_name && e->sizes && e->deltas && e->trials);
    e->sizes[0] = 1;
    e->sizes[1] = 2;
    e->deltas[1] = 0.1;
    e->seed = 1;
    e->test_share = 0.3;
    e->fit = (tacit_fit_options){.epochs = 300, .batch = 32, .rate = 0.001, .paper = true};
    memcpy(e->hidden, "10,10", 6);
    e->fit.hidden = e->hidden;
    e->opt_people = 5;
    e->grid_people = 3;
    return e;
}

#endif
