/*
 * audit.h -- the inside of tacit_audit, for those who write it down.
 */
#ifndef TCT_AUDIT_H
#define TCT_AUDIT_H

#include "tally.h"

/* A group below this size is not described: figures of a handful of people describe the people. */
enum { TCT_SMALL_GROUP = 20 };

struct tacit_audit {
    const tacit_model *model; /* borrowed while auditing and reporting */
    tacit_audit_summary summary;
    size_t *sensitive;
    tacit_audit_result *results;       /* n_results */
    tct_tally **tallies;               /* n_results: what the results point into */
    char **groups;                     /* n_groups, sorted */
    tacit_audit_result *group_results; /* n_groups x n_results */
    tct_tally **group_tallies;
    tct_census *census;
    bool *shown;        /* per group: may it be described? */
    char *group_column; /* NULL without groups */
    char data_hash[65];
};

#endif
