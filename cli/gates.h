/*
 * gates.h -- limits an audit must keep, for continuous integration.
 */
#ifndef CLI_GATES_H
#define CLI_GATES_H

#include "options.h"
#include "tacit.h"

/* In the order of the table in gates.c. */
enum { GATE_MEAN, GATE_SHARE, GATE_NONE, GATE_FIDELITY, GATE_ACCURACY, GATE_FAILURE, GATE_COUNT };

/* What was given for each gate: "X" for every delta, "X@DELTA" for one. */
typedef struct gate_settings {
    cli_texts texts[GATE_COUNT];
} gate_settings;

/* Are all limits readable and their deltas among those audited?  To be called before the work. */
int gates_check(const gate_settings *gates, const double *deltas, size_t n_deltas);
/* Compare.  A complaint on standard error for every gate that failed and CLI_NEGATIVE, else CLI_DONE.  *count: how many
 * comparisons were made. */
int gates_apply(const gate_settings *gates, const tacit_audit *audit, size_t *count);

#endif
