/*
 * experiment_json.c -- the summary of an experiment: means and standard errors over repetitions, and counts added up.
 *
 * Keys are a contract (docs/FORMATS.md).  Nothing in it depends on when, where or on how many threads it was run.
 * Repetitions are the unit of chance (each has its own split, model and draw), so a mean is the mean of their means and
 * its standard error comes from how they differ; counts of people are added up.
 */
#include <math.h>
#include <string.h>

#include "experiment_figures.h"
#include "json_put.h"
#include "num.h"

/* What a cell is: a model and a size, over all repetitions. */
typedef struct place {
    const tacit_experiment *e;
    size_t kind, size; /* indices */
} place;

static const tct_draw *draw_at(const place *p, size_t rep)
{
    return &tct_experiment_trial(p->e, p->kind, rep)->cells[p->size];
}

/* ---------------------------------------------------------------- means */

static double mean_of(const double *values, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += values[i];
    return sum / (double)n;
}

static json_t *mean_json(const double *values, size_t n)
{
    json_t *o = json_object();
    double mean = mean_of(values, n), squares = 0;

    for (size_t i = 0; i < n; i++)
        squares += (values[i] - mean) * (values[i] - mean);
    tct_put(&o, "mean", tct_json_number(mean));
    tct_put(&o, "se", tct_json_number(n > 1 ? sqrt(squares / (double)(n - 1) / (double)n) : NAN));
    return o;
}

static void put_means(json_t **o, const place *p, tct_variant v)
{
    size_t n = p->e->reps;
    double *values = tct_malloc(4 * n, sizeof *values);

    if (!values) {
        tct_put(o, "", NULL); /* gives it up */
        return;
    }
    for (size_t r = 0; r < n; r++) {
        tct_figures f = tct_figures_of(p->e, draw_at(p, r), v);

        values[r] = f.accuracy;
        values[n + r] = f.fidelity;
        values[2 * n + r] = f.leakage;
        values[3 * n + r] = f.cost;
    }
    tct_put(o, "accuracy", mean_json(values, n));
    tct_put(o, "fidelity", mean_json(values + n, n));
    tct_put(o, "leakage", mean_json(values + 2 * n, n));
    tct_put(o, "cost", mean_json(values + 3 * n, n));
    tct_free(values);
}

/* ---------------------------------------------------------------- one method in one cell */

static json_t *histogram_json(const place *p, tct_variant v)
{
    json_t *list = json_array();

    for (size_t k = 0; k <= p->e->sizes[p->size]; k++) {
        uint64_t people = 0;

        for (size_t r = 0; r < p->e->reps; r++)
            people += tct_asked_count(draw_at(p, r), v, k);
        tct_append(&list, json_integer((json_int_t)people));
    }
    return list;
}

/* Where `attribute` is in the cell's list; its size when it is not. */
static size_t position_of(const tct_draw *cell, size_t attribute)
{
    size_t i = 0;

    while (i < cell->size && cell->sensitive[i] != attribute)
        i++;
    return i;
}

/* Attributes that were sensitive in some repetition. */
static json_t *asked_json(const place *p, tct_variant v)
{
    json_t *o = json_object();

    for (size_t a = 0; a < p->e->schema->n_attributes; a++) {
        uint64_t counts[2] = {0, 0}; /* asked for it, of so many */

        for (size_t r = 0; r < p->e->reps; r++) {
            const tct_draw *cell = draw_at(p, r);
            size_t i = position_of(cell, a);

            if (i < cell->size) {
                counts[0] += tct_asked_for(cell, v, i);
                counts[1] += v.method == TACIT_METHOD_OPT ? cell->opt_people : cell->census->people;
            }
        }
        if (counts[1])
            tct_put(&o, p->e->schema->attributes[a].name, tct_counts_json(counts, 2));
    }
    return o;
}

static json_t *failure_json(double promised, uint64_t stopped, uint64_t failed)
{
    double observed = NAN, low = NAN, high = NAN;
    json_t *o = json_object();

    if (stopped) {
        observed = (double)failed / (double)stopped;
        tct_clopper_pearson((double)failed, (double)stopped, 0.95, &low, &high);
    }
    tct_put(&o, "promised", tct_json_number(promised));
    tct_put_count(&o, "stopped", stopped);
    tct_put_count(&o, "failed", failed);
    tct_put(&o, "observed", tct_json_number(observed));
    tct_put(&o, "low", tct_json_number(low));
    tct_put(&o, "high", tct_json_number(high));
    return o;
}

static void put_tallies(json_t **o, const place *p, tct_variant v)
{
    tct_tally sum = {0};

    for (size_t r = 0; r < p->e->reps; r++) {
        const tct_tally *t = tct_variant_tally(draw_at(p, r), v);

        sum.certain += t->certain;
        sum.likely += t->likely;
        sum.all_revealed += t->all_revealed;
        sum.stopped += t->stopped;
        sum.failed += t->failed;
    }
    tct_put_count(o, "certain", sum.certain);
    tct_put_count(o, "likely", sum.likely);
    tct_put_count(o, "all_revealed", sum.all_revealed);
    tct_put(o, "failure", failure_json(p->e->deltas[v.delta], sum.stopped, sum.failed));
}

static void put_opt(json_t **o, const place *p)
{
    uint64_t people = 0, inexact = 0;

    for (size_t r = 0; r < p->e->reps; r++) {
        people += draw_at(p, r)->opt_people;
        inexact += draw_at(p, r)->opt_inexact;
    }
    tct_put_count(o, "people", people);
    tct_put_count(o, "inexact", inexact);
}

static json_t *method_json(const place *p, tct_variant v)
{
    const char *rule = tct_variant_rule(p->e, v);
    json_t *o = json_object();

    tct_put(&o, "method", json_string(tacit_method_name(v.method)));
    tct_put(&o, "delta",
            tct_json_number(v.delta != TACIT_NONE          ? p->e->deltas[v.delta]
                            : v.method == TACIT_METHOD_OPT ? 0
                                                           : NAN));
    tct_put(&o, "rule", rule ? json_string(rule) : json_null());
    put_means(&o, p, v);
    tct_put(&o, "histogram", histogram_json(p, v));
    tct_put(&o, "asked", asked_json(p, v));
    if (v.method == TACIT_METHOD_OPT)
        put_opt(&o, p);
    if (v.delta != TACIT_NONE)
        put_tallies(&o, p, v);
    return o;
}

/* ---------------------------------------------------------------- cells */

/* How far our rule goes from the paper's to the best there is, over the people for whom that was found. */
static json_t *gap_json(const place *p)
{
    tct_variant opt = {TACIT_METHOD_OPT, TACIT_NONE};
    double sums[3] = {0, 0, 0}, n = (double)p->e->reps;
    json_t *o = json_object();

    for (size_t r = 0; r < p->e->reps; r++) {
        const tct_draw *cell = draw_at(p, r);

        sums[0] += (double)cell->opt_paper_asked / (double)cell->opt_people;
        sums[1] += (double)cell->opt_tacit_asked / (double)cell->opt_people;
        sums[2] += tct_figures_of(p->e, cell, opt).leakage;
    }
    tct_put(&o, "paper", tct_json_number(sums[0] / n));
    tct_put(&o, "tacit", tct_json_number(sums[1] / n));
    tct_put(&o, "opt", tct_json_number(sums[2] / n));
    tct_put(&o, "closed", tct_json_number((sums[0] - sums[1]) / (sums[0] - sums[2])));
    return o;
}

static json_t *grid_json(const place *p)
{
    tct_grid_count sum = {0};
    json_t *o = json_object();

    for (size_t r = 0; r < p->e->reps; r++) {
        const tct_grid_count *g = &draw_at(p, r)->grid;

        sum.people += g->people;
        sum.stages += g->stages;
        sum.certified += g->certified;
        sum.refuted += g->refuted;
        sum.undecided += g->undecided;
        sum.missed += g->missed;
        sum.hasty += g->hasty;
        sum.misled += g->misled;
        sum.points += g->points;
    }
    tct_put_count(&o, "people", sum.people);
    tct_put_count(&o, "stages", sum.stages);
    tct_put_count(&o, "certified", sum.certified);
    tct_put_count(&o, "refuted", sum.refuted);
    tct_put_count(&o, "undecided", sum.undecided);
    tct_put_count(&o, "missed", sum.missed);
    tct_put_count(&o, "hasty", sum.hasty);
    tct_put_count(&o, "misled", sum.misled);
    tct_put_count(&o, "points", sum.points);
    return o;
}

static json_t *cell_json(const place *p)
{
    const tacit_experiment *e = p->e;
    json_t *methods = json_array();
    json_t *o = json_object();
    uint64_t people = 0;

    for (size_t r = 0; r < e->reps; r++)
        people += draw_at(p, r)->census->people;
    tct_put_count(&o, "size", e->sizes[p->size]);
    tct_put_count(&o, "people", people);
    for (size_t v = 0; v < tct_variants(e); v++)
        tct_append(&methods, method_json(p, tct_variant_at(e, v)));
    tct_put(&o, "methods", methods);
    if (e->methods[TACIT_METHOD_OPT] && e->methods[TACIT_METHOD_PAPER] && e->methods[TACIT_METHOD_TACIT] &&
        e->deltas[0] == 0)
        tct_put(&o, "gap", gap_json(p));
    if (e->grid_people > 0 && tacit_fit_has_layers(e->kinds.items[p->kind]))
        tct_put(&o, "grid", grid_json(p));
    return o;
}

static json_t *models_json(const tacit_experiment *e)
{
    json_t *models = json_array();

    for (size_t k = 0; k < e->kinds.count; k++) {
        json_t *cells = json_array();
        json_t *o = json_object();

        for (size_t i = 0; i < e->n_sizes; i++)
            tct_append(&cells, cell_json(&(place){e, k, i}));
        tct_put(&o, "model", json_string(e->kinds.items[k]));
        tct_put(&o, "cells", cells);
        tct_append(&models, o);
    }
    return models;
}

/* ---------------------------------------------------------------- what was run */

static json_t *data_json(const tacit_experiment *e)
{
    json_t *attributes = json_array();
    json_t *o = json_object();

    tct_put(&o, "file", json_string_nocheck(e->data_name)); /* the writer sees to what is no UTF-8 */
    tct_put(&o, "sha256", json_string(e->data_hash));
    tct_put(&o, "title", json_string(tacit_schema_about(e->schema, "title")));
    tct_put(&o, "source", json_string(tacit_schema_about(e->schema, "source")));
    tct_put(&o, "licence", json_string(tacit_schema_about(e->schema, "licence")));
    tct_put_count(&o, "rows", e->n_rows);
    for (size_t i = 0; i < e->schema->n_attributes; i++)
        tct_append(&attributes, json_string(e->schema->attributes[i].name));
    tct_put(&o, "attributes", attributes);
    tct_put_count(&o, "inputs", e->n_inputs);
    tct_put(&o, "label", json_string(e->schema->label));
    tct_put(&o, "classes", tct_texts_json((const char *const *)e->schema->classes, e->schema->n_classes));
    return o;
}

static json_t *settings_json(const tacit_experiment *e)
{
    json_t *methods = json_array(), *sizes = json_array();
    json_t *o = json_object();

    for (size_t m = 0; m < TACIT_METHODS; m++)
        if (e->methods[m])
            tct_append(&methods, json_string(tacit_method_name((tacit_method)m)));
    for (size_t i = 0; i < e->n_sizes; i++)
        tct_append(&sizes, json_integer((json_int_t)e->sizes[i]));
    tct_put(&o, "models", tct_texts_json((const char *const *)e->kinds.items, e->kinds.count));
    tct_put(&o, "methods", methods);
    tct_put(&o, "sizes", sizes);
    tct_put_count(&o, "repetitions", e->reps);
    tct_put(&o, "deltas", tct_json_numbers(e->deltas, e->n_deltas));
    tct_put(&o, "seed", tct_json_seed(e->seed));
    tct_put(&o, "test_share", tct_json_number(e->test_share));
    tct_put(&o, "hidden", json_string(e->hidden));
    tct_put_count(&o, "epochs", e->fit.epochs);
    tct_put_count(&o, "batch", e->fit.batch);
    tct_put(&o, "rate", tct_json_number(e->fit.rate));
    tct_put(&o, "momentum", tct_json_number(e->fit.momentum));
    tct_put(&o, "adam", json_boolean(e->fit.adam));
    tct_put_count(&o, "patience", e->fit.patience);
    for (size_t i = 0; i < e->kinds.count; i++)
        if (tacit_fit_has_trees(e->kinds.items[i])) { /* 0: the usual */
            tct_put_count(&o, "tree_count", e->fit.trees);
            tct_put_count(&o, "tree_depth", e->fit.depth);
            tct_put(&o, "tree_rate", tct_json_number(e->trees_rate));
        }
    tct_put_count(&o, "opt_people", e->opt_people);
    tct_put_count(&o, "grid_people", e->grid_people);
    return o;
}

tacit_status tacit_experiment_json(char **out, const tacit_experiment *e, tacit_error *err)
{
    json_t *o = json_object();
    json_t *json;
    tacit_status st;

    *out = NULL;
    tct_put(&o, "format", json_string("tacit-experiment"));
    tct_put(&o, "version", json_integer(1));
    tct_put(&o, "tacit", json_string(tacit_version()));
    tct_put(&o, "data", data_json(e));
    tct_put(&o, "settings", settings_json(e));
    tct_put(&o, "models", models_json(e));
    json = o;
    st = json ? tct_json_dump(out, NULL, json, err) : tct_fail_memory(err);
    json_decref(json);
    return st;
}
