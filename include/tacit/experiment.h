/*
 * tacit/experiment.h -- the paper's evaluation.  Part of tacit.h, which says what holds everywhere.
 */
#ifndef TACIT_EXPERIMENT_H
#define TACIT_EXPERIMENT_H

#include "audit.h"
#include "fit.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The paper's evaluation: train on a part of a table, draw sensitive attributes at random, release them by several
 * methods for everybody held out, and do it again with another split. */
typedef struct tacit_experiment tacit_experiment;

typedef enum tacit_method {
    TACIT_METHOD_BASELINE = 0, /* everything sensitive is asked */
    TACIT_METHOD_OPT = 1,      /* the smallest core set (delta = 0), knowing all values: a bound, not a protocol */
    TACIT_METHOD_PAPER = 2,    /* the entropy rule at every delta */
    TACIT_METHOD_TACIT = 3     /* TACIT_RULE_AUTO */
} tacit_method;
enum { TACIT_METHODS = 4 };

TACIT_API const char *tacit_method_name(tacit_method method); /* "baseline", "opt", "paper", "tacit" */

typedef struct tacit_experiment_options {
    size_t size;         /* see tacit.h */
    const char *kinds;   /* of models, comma-separated; NULL: "logistic,mlp" */
    const char *methods; /* comma-separated; NULL: all four */
    const size_t *sizes; /* numbers of sensitive attributes, ascending */
    size_t n_sizes;
    size_t reps;          /* repetitions: repetition r has seed `seed` + r for its split, its training and its draw */
    const double *deltas; /* each 0 <= delta < 0.5, ascending */
    size_t n_deltas;
    uint64_t seed;
    size_t threads;         /* repetitions side by side; 0 = all cores; the results do not depend on it */
    double test_share;      /* 0 means 0.3 */
    tacit_fit_options fit;  /* hidden, epochs, batch, rate, momentum, adam, patience; trees, depth; the rest is ignored,
                            * and what is left open gets the paper's values, of trees the usual ones */
    size_t opt_people;      /* networks: people per repetition and size for whom Opt is found; 0 = all */
    size_t grid_people;     /* networks: people per repetition and size to put the grid beside the proof; 0 = none */
    const char *journal;    /* file that finished repetitions are added to, or NULL */
    bool resume;            /* go on from what the journal holds; false: the journal must not exist yet */
    const tacit_team *team; /* share the trials with other processes, each with a journal of its own; NULL: alone */
    tacit_progress progress; /* in trials: kinds x repetitions x sizes */
    void *progress_context;
} tacit_experiment_options;

/* Run it, or what the journal lacks of it.  The schema's domains hold for every repetition; its roles do not matter.
 * A journal of other settings or data is refused. */
TACIT_API tacit_status tacit_experiment_run(tacit_experiment **out, const tacit_table *table,
                                            const tacit_schema *schema, const tacit_experiment_options *options,
                                            tacit_error *err);
TACIT_API void tacit_experiment_free(tacit_experiment *experiment);

/* One row per model, repetition, size, method and delta; without what differs from run to run (docs/FORMATS.md).  All
 * texts: free with tacit_text_free. */
TACIT_API tacit_status tacit_experiment_csv(char **out, const tacit_experiment *experiment, tacit_error *err);
/* The same rows with the seconds they took. */
TACIT_API tacit_status tacit_experiment_seconds(char **out, const tacit_experiment *experiment, tacit_error *err);
/* Means, standard errors, histograms: JSON. */
TACIT_API tacit_status tacit_experiment_json(char **out, const tacit_experiment *experiment, tacit_error *err);
/* The same as a page with figures that needs nothing beside it.  TACIT_E_USAGE when this Tacit was built without
 * pages. */
TACIT_API tacit_status tacit_experiment_html(char **out, const tacit_experiment *experiment, tacit_error *err);

#ifdef __cplusplus
}
#endif
#endif
