/*
 * experiment_csv.c -- an experiment as tidy tables: one row per model, repetition, size, method and delta.
 *
 * The seconds are a table of their own.  Two runs of the same experiment must give identical files, also when one of
 * them was cut off and taken up again, and time is the one thing they cannot agree on.  That table has a row for
 * everything that was timed: training, Opt, the grid, and each method's pass, which serves all deltas at once.
 */
#include <math.h>
#include <string.h>

#include "experiment_figures.h"

/* A number, or an empty cell where there is none. */
static void put_number(tct_text *out, double value)
{
    char text[32];

    tct_format_number(value, text, sizeof text);
    tct_text_printf(out, ",%s", isfinite(value) ? text : "");
}

/* Names joined by semicolons, quoted where a name needs it. */
static void put_names(tct_text *out, const tacit_experiment *e, const tct_draw *cell)
{
    bool quoted = false;

    for (size_t i = 0; i < cell->size; i++)
        quoted |= strpbrk(e->schema->attributes[cell->sensitive[i]].name, ",\"\r\n") != NULL;
    tct_text_printf(out, quoted ? ",\"" : ",");
    for (size_t i = 0; i < cell->size; i++) {
        tct_text_printf(out, "%s", i ? ";" : "");
        for (const char *c = e->schema->attributes[cell->sensitive[i]].name; *c; c++)
            tct_text_printf(out, *c == '"' ? "\"\"" : "%c", *c);
    }
    tct_text_printf(out, quoted ? "\"\n" : "\n");
}

static void put_row(tct_text *out, const tacit_experiment *e, const tct_trial *trial, const tct_draw *cell,
                    tct_variant v)
{
    tct_figures f = tct_figures_of(e, cell, v);

    tct_text_printf(out, "%s,%zu,%zu,%s", e->kinds.items[trial->kind], trial->rep, cell->size,
                    tacit_method_name(v.method));
    put_number(out, v.delta != TACIT_NONE ? e->deltas[v.delta] : v.method == TACIT_METHOD_OPT ? 0 : NAN);
    put_number(out, f.accuracy);
    put_number(out, f.fidelity);
    put_number(out, f.leakage);
    put_number(out, f.share);
    put_number(out, f.cost);
    tct_text_printf(out, ",%llu", (unsigned long long)f.people);
    put_names(out, e, cell);
}

/* size 0: of the whole trial. */
static void put_seconds(tct_text *out, const tacit_experiment *e, const tct_trial *trial, size_t size, const char *what,
                        const char *delta, double seconds)
{
    char text[32] = "";

    if (size)
        snprintf(text, sizeof text, "%zu", size);
    tct_text_printf(out, "%s,%zu,%s,%s,%s", e->kinds.items[trial->kind], trial->rep, text, what, delta);
    put_number(out, seconds);
    tct_text_printf(out, "\n");
}

static void put_trial_seconds(tct_text *out, const tacit_experiment *e, const tct_trial *trial)
{
    put_seconds(out, e, trial, 0, "fit", "", trial->fit_seconds);
    for (size_t i = 0; i < e->n_sizes; i++) {
        const tct_draw *cell = &trial->cells[i];

        if (e->methods[TACIT_METHOD_OPT])
            put_seconds(out, e, trial, cell->size, "opt", "0", cell->seconds.opt);
        if (cell->paper)
            put_seconds(out, e, trial, cell->size, "paper", "", cell->seconds.paper);
        if (cell->tacit)
            put_seconds(out, e, trial, cell->size, "tacit", "", cell->seconds.tacit);
        if (cell->grid.people)
            put_seconds(out, e, trial, cell->size, "grid", "0", cell->seconds.grid);
    }
}

static tacit_status finish_text(char **out, tct_text *text, tacit_error *err)
{
    *out = NULL;
    if (text->failed) {
        tct_text_free(text);
        return tct_fail_memory(err);
    }
    *out = text->bytes;
    return TACIT_OK;
}

tacit_status tacit_experiment_csv(char **out, const tacit_experiment *e, tacit_error *err)
{
    tct_text text = {0};

    tct_text_printf(&text,
                    "model,repetition,size,method,delta,accuracy,fidelity,leakage,share,cost,people,sensitive\n");
    for (size_t t = 0; t < e->kinds.count * e->reps; t++)
        for (size_t i = 0; i < e->n_sizes; i++)
            for (size_t v = 0; v < tct_variants(e); v++)
                put_row(&text, e, &e->trials[t], &e->trials[t].cells[i], tct_variant_at(e, v));
    return finish_text(out, &text, err);
}

tacit_status tacit_experiment_seconds(char **out, const tacit_experiment *e, tacit_error *err)
{
    tct_text text = {0};

    tct_text_printf(&text, "model,repetition,size,method,delta,seconds\n");
    for (size_t t = 0; t < e->kinds.count * e->reps; t++)
        put_trial_seconds(&text, e, &e->trials[t]);
    return finish_text(out, &text, err);
}
