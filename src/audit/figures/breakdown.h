/*
 * breakdown.h -- the figures of one grouping: what is shown of it, rates, differences between groups.
 */
#ifndef TCT_BREAKDOWN_H
#define TCT_BREAKDOWN_H

#include "audit.h"

/* A row of a table: a group, the groups that are not shown put together, or everybody. */
typedef struct tct_described {
    tacit_audit_group group;
    char *name;
    char **names;                /* n_columns */
    tct_group counts;            /* of a group: borrowed from the sorter */
    bool owns_counts;            /* pooled, everybody */
    tacit_audit_result *results; /* n_results */
    tacit_audit_rates *rates;    /* n_results; NULL: not to be described */
    tacit_share *shares;         /* n_results x 2 x n_classes: selection, recall */
} tct_described;

typedef struct tct_breakdown {
    tacit_audit_grouping grouping;
    const char *columns[TCT_MAX_CROSSED];
    const double *edges[TCT_MAX_CROSSED];
    size_t n_edges[TCT_MAX_CROSSED];
    tct_described *rows; /* n_groups, then the pooled row, then everybody */
    tacit_audit_difference *differences;
} tct_breakdown;

/* Everything that follows from the counts of an audit's sorter.  The audit has its results. */
tacit_status tct_breakdowns_make(tacit_audit *audit, tacit_error *err);
void tct_breakdowns_free(tacit_audit *audit);

/* ---- group_rates.c ---- */

/* Rates of a row at every delta, from its counts and results. */
tacit_status tct_rates_fill(const tacit_audit *audit, tct_described *row, tacit_error *err);
/* Largest against smallest, for every figure. */
tacit_status tct_differences_find(const tacit_audit *audit, tct_breakdown *breakdown, tacit_error *err);

#endif
