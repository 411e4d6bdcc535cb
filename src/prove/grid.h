/*
 * grid.h -- the paper's test of a pure core set: is the label the same at all points of a grid?
 *
 * For comparison only.  Between two points the label may change and change back, so "constant" proves nothing; and the
 * grid knows nothing of integers and ordinal levels, so it may find another label at values that nobody can have.
 */
#ifndef TCT_GRID_H
#define TCT_GRID_H

#include "model.h"

typedef struct tct_grid_finding {
    bool constant;   /* no point has another label */
    size_t label;    /* if constant, that of all points; else TACIT_NONE */
    uint64_t points; /* evaluated, up to the first one with another label */
    bool complete;   /* false: the grid has more points than `most_points`, nothing is said and none was evaluated */
} tct_grid_finding;

/* The grid over what is unknown: round(1 / step) values of every unknown number, integer and ordinal category, evenly
 * spaced from -1 to 1 with both ends among them (step 0.2: -1, -0.5, 0, 0.5, 1), and all levels of a one-hot category.
 * 0 < step <= 0.5, else TACIT_E_USAGE.  Stops at the first point whose label differs from that of the first. */
tacit_status tct_grid_decide(const tacit_model *model, const tct_region *region, double step, uint64_t most_points,
                             tct_grid_finding *out, tacit_error *err);

#endif
