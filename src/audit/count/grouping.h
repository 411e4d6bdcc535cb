/*
 * grouping.h -- by what results are broken down: columns, numbers sorted into bins, and crossings of them.
 *
 *   sex             the values of a column
 *   age:25,40,60    below 25, 25 to below 40, 40 to below 60, 60 and above
 *   age:65,         one edge
 *   age:5           five equal parts of the attribute's domain
 *   sex*age:5       both at once
 *   "a:b"*sex       a name that has * or : or a quote is written in double quotes, quotes in it twice
 *
 * A dimension is a column with its bins, if any; groupings share them.  Dimensions are numbered in the order in which
 * groupings first use them: the first k groupings use a beginning of the list.
 */
#ifndef TCT_GROUPING_H
#define TCT_GROUPING_H

#include "schema.h"

enum {
    TCT_MAX_GROUPINGS = 16,
    TCT_MAX_CROSSED = 6, /* columns of a grouping */
    TCT_MAX_DIMENSIONS = TCT_MAX_GROUPINGS * TCT_MAX_CROSSED,
    TCT_MAX_EDGES = 100,
    TCT_MAX_GROUPS = 1000 /* of a grouping */
};

#define TCT_MISSING_GROUP "(missing)"

typedef struct tct_dimension {
    char *column;
    bool binned;
    double edges[TCT_MAX_EDGES]; /* ascending */
    size_t n_edges;
    char **bins; /* binned: n_edges + 2 names, the last for missing values */
} tct_dimension;

typedef struct tct_grouping {
    char *name; /* as it was written */
    size_t n_parts;
    size_t parts[TCT_MAX_CROSSED]; /* dimensions */
} tct_grouping;

typedef struct tct_groupings {
    tct_dimension *dimensions; /* room for TCT_MAX_DIMENSIONS */
    size_t n_dimensions;
    tct_grouping list[TCT_MAX_GROUPINGS];
    size_t n;
} tct_groupings;

tacit_status tct_groupings_new(tct_groupings **out, tacit_error *err); /* empty */
void tct_groupings_free(tct_groupings *groupings);
/* One column as it is, whatever its name. */
tacit_status tct_groupings_add_column(tct_groupings *groupings, const char *column, tacit_error *err);
/* One as written above.  The schema knows the domains of numbers. */
tacit_status tct_groupings_add(tct_groupings *groupings, const char *text, const tacit_schema *schema,
                               tacit_error *err);

/* Building one by hand: the dimension with this column and these edges (NULL: no bins), made when new. */
tacit_status tct_groupings_dimension(tct_groupings *groupings, const char *column, const double *edges, size_t n_edges,
                                     size_t *dimension, tacit_error *err);
/* A grouping by these dimensions; one that is there already is an error. */
tacit_status tct_groupings_cross(tct_groupings *groupings, const char *name, const size_t *parts, size_t n_parts,
                                 tacit_error *err);
/* Dimensions that the first n groupings use. */
size_t tct_groupings_depth(const tct_groupings *groupings, size_t n);
/* The bin of a value. */
size_t tct_dimension_bin(const tct_dimension *dimension, double value);

#endif
