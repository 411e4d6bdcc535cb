/*
 * experiment_figures.c -- figures of one method in one cell.
 *
 * The baseline asks for everything, so its label is the model's own: fidelity 1 by definition, accuracy that of the
 * census.  Opt keeps that label as well, and is found for some of the people only where that was asked for; its accuracy
 * is the census's all the same, because it is not a matter of who was sampled.
 */
#include "experiment_figures.h"

#include <math.h>
#include <string.h>

static double ratio(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : NAN;
}

size_t tct_variants(const tacit_experiment *e)
{
    return (size_t)e->methods[TACIT_METHOD_BASELINE] + e->methods[TACIT_METHOD_OPT] +
           e->n_deltas * ((size_t)e->methods[TACIT_METHOD_PAPER] + e->methods[TACIT_METHOD_TACIT]);
}

tct_variant tct_variant_at(const tacit_experiment *e, size_t index)
{
    for (size_t m = 0;; m++) {
        bool once = m == TACIT_METHOD_BASELINE || m == TACIT_METHOD_OPT;
        size_t rows = !e->methods[m] ? 0 : once ? 1 : e->n_deltas;

        if (index < rows || m + 1 == TACIT_METHODS)
            return (tct_variant){(tacit_method)m, once ? TACIT_NONE : index};
        index -= rows;
    }
}

const tct_tally *tct_variant_tally(const tct_draw *cell, tct_variant v)
{
    return v.delta == TACIT_NONE ? NULL : v.method == TACIT_METHOD_PAPER ? cell->paper[v.delta] : cell->tacit[v.delta];
}

const char *tct_variant_rule(const tacit_experiment *e, tct_variant v)
{
    tacit_rule asked_for = v.method == TACIT_METHOD_PAPER ? TACIT_RULE_ENTROPY : TACIT_RULE_AUTO;

    return v.delta == TACIT_NONE
               ? NULL
               : tacit_rule_name(tct_rule_for(asked_for, e->deltas[v.delta], NULL, TCT_USUAL_CROSSING));
}

uint64_t tct_asked_for(const tct_draw *cell, tct_variant v, size_t position)
{
    if (v.delta != TACIT_NONE)
        return tct_variant_tally(cell, v)->asked[position];
    return v.method == TACIT_METHOD_OPT ? cell->opt_members[position] : cell->census->people;
}

uint64_t tct_asked_count(const tct_draw *cell, tct_variant v, size_t count)
{
    if (v.delta != TACIT_NONE)
        return tct_variant_tally(cell, v)->histogram[count];
    return v.method == TACIT_METHOD_OPT ? cell->opt_histogram[count] : count == cell->size ? cell->census->people : 0;
}

tct_figures tct_figures_of(const tacit_experiment *e, const tct_draw *cell, tct_variant v)
{
    const tct_tally *tally = tct_variant_tally(cell, v);
    const tct_census *census = cell->census;
    tct_figures f = {.people = v.method == TACIT_METHOD_OPT ? cell->opt_people : census->people};
    uint64_t total = 0;

    f.accuracy = tally ? ratio(tally->correct, tally->labelled) : ratio(census->baseline_correct, census->labelled);
    f.fidelity = tally ? ratio(tally->agree, tally->people) : ratio(f.people, f.people);
    for (size_t k = 1; k <= cell->size; k++)
        total += k * tct_asked_count(cell, v, k);
    f.leakage = ratio(total, f.people);
    f.share = f.leakage / (double)cell->size;
    for (size_t i = 0; i < cell->size; i++)
        f.cost += (double)tct_asked_for(cell, v, i) * e->schema->attributes[cell->sensitive[i]].cost;
    f.cost = f.people ? f.cost / (double)f.people : NAN;
    return f;
}
