/*
 * experiment_figures.h -- what both the tables and the summary of an experiment say about one method in one cell.
 */
#ifndef TCT_EXPERIMENT_FIGURES_H
#define TCT_EXPERIMENT_FIGURES_H

#include "experiment.h"

/* A method at a delta: a row of the tables. */
typedef struct tct_variant {
    tacit_method method;
    size_t delta; /* index; TACIT_NONE for baseline and opt */
} tct_variant;

/* In the order baseline, opt, paper at each delta, tacit at each delta; those that were asked for. */
size_t tct_variants(const tacit_experiment *experiment);
tct_variant tct_variant_at(const tacit_experiment *experiment, size_t index);
/* Its counts, or NULL for baseline and opt. */
const tct_tally *tct_variant_tally(const tct_draw *cell, tct_variant variant);
/* The rule that chose the questions, "entropy"; NULL for baseline and opt. */
const char *tct_variant_rule(const tacit_experiment *experiment, tct_variant variant);

/* Means over the people of one cell of one repetition; NaN where nobody is. */
typedef struct tct_figures {
    double accuracy, fidelity;
    double leakage; /* sensitive attributes asked for */
    double share;   /* leakage / |S| */
    double cost;
    uint64_t people;
} tct_figures;
tct_figures tct_figures_of(const tacit_experiment *experiment, const tct_draw *cell, tct_variant variant);
/* People who were asked for the attribute at `position` of the cell's list. */
uint64_t tct_asked_for(const tct_draw *cell, tct_variant variant, size_t position);
/* People who were asked for exactly `count` attributes. */
uint64_t tct_asked_count(const tct_draw *cell, tct_variant variant, size_t count);

#endif
