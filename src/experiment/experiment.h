/*
 * experiment.h -- the inside of tacit_experiment: counts of every trial, for those who write them down.
 *
 * A trial is one model (kind and repetition); it has a cell per size, for which attributes were drawn.  Everything counted is a whole number, so sums do
 * not depend on who ran which trial when; only the seconds do, and they are kept apart in what is written.
 */
#ifndef TCT_EXPERIMENT_H
#define TCT_EXPERIMENT_H

#include "tally.h"

/* The grid beside the proof, at the stages of some people's questionnaires by our rule. */
typedef struct tct_grid_count {
    uint64_t people;
    uint64_t stages;
    uint64_t certified, refuted, undecided; /* stages, by the exact test */
    uint64_t missed;                        /* stages: refuted, but constant on the grid */
    uint64_t hasty;                         /* people whom the grid would have stopped before the proof */
    uint64_t misled;                        /* ... with a label that is not theirs */
    uint64_t points;                        /* of the grid evaluated */
} tct_grid_count;

typedef struct tct_draw_seconds {
    double opt, paper, tacit, grid; /* paper: all deltas in one pass; tacit: the deltas it does not share with paper */
} tct_draw_seconds;

typedef struct tct_draw {
    size_t size;         /* |S| */
    size_t *sensitive;   /* size: attributes, ascending */
    tct_census *census;  /* people, truth, baseline */
    uint64_t opt_people; /* for whom Opt was found; its counts: */
    uint64_t *opt_histogram, *opt_members;
    uint64_t opt_inexact;
    uint64_t opt_tacit_asked; /* asked by our rule at delta = 0, people of Opt only: what to compare with */
    uint64_t opt_paper_asked; /* the same by the paper's */
    tct_tally **paper;        /* n_deltas, or NULL when the method was not asked for */
    tct_tally **tacit;
    tct_grid_count grid;
    tct_draw_seconds seconds;
} tct_draw;

typedef struct tct_trial {
    size_t kind; /* index into kinds */
    size_t rep;
    bool done;
    size_t inputs;
    double fit_seconds;
    tct_draw *cells; /* n_sizes */
} tct_trial;

struct tacit_experiment {
    tacit_schema *schema;
    size_t n_inputs, n_rows;
    char data_hash[65];
    char *data_name; /* last part of the file's path */
    tct_names kinds;
    bool methods[TACIT_METHODS];
    size_t *sizes, n_sizes, reps;
    double *deltas;
    size_t n_deltas;
    uint64_t seed;
    double test_share;
    tacit_fit_options fit; /* `hidden` points to: */
    char hidden[128];
    double trees_rate; /* as it was given, 0: the usual one of trees; that of networks is in `fit` */
    size_t opt_people, grid_people;
    tct_trial *trials; /* [kind * reps + rep] */
};

const tct_trial *tct_experiment_trial(const tacit_experiment *experiment, size_t kind, size_t rep);

/* Room for a trial's counts; everything zero. */
tacit_status tct_trial_init(tct_trial *trial, const tacit_experiment *experiment, size_t kind, size_t rep,
                            tacit_error *err);
void tct_trial_clear(tct_trial *trial, const tacit_experiment *experiment);
/* Told how a trial goes; anything but TACIT_OK ends it. */
typedef struct tct_trial_watch {
    tacit_status (*cell_done)(void *context, tacit_error *err);
    tacit_status (*tick)(void *context, tacit_error *err); /* now and then within a cell */
    void *context;
} tct_trial_watch;
/* Train and count. */
tacit_status tct_trial_run(tct_trial *trial, const tacit_experiment *experiment, const tacit_table *table,
                           const tct_trial_watch *watch, tacit_error *err);

/* ---- journal.c: finished trials in a file, one JSON line each behind a line with the settings ---- */

typedef struct tct_journal tct_journal;
/* Open `path` for adding.  resume: read what is there into experiment->trials first (a last line cut short by a crash
 * is dropped from the file; settings or data that differ, or a damaged line, are errors that say what and where);
 * otherwise the file must not exist. */
tacit_status tct_journal_open(tct_journal **out, const char *path, bool resume, tacit_experiment *experiment,
                              tacit_error *err);
/* Add a finished trial and see it to the disk. */
tacit_status tct_journal_add(tct_journal *journal, const tacit_experiment *experiment, const tct_trial *trial,
                             tacit_error *err);
void tct_journal_close(tct_journal *journal);
/* Read a journal without opening it for adding; trials that are done already are passed over. */
tacit_status tct_journal_read(const char *path, tacit_experiment *experiment, tacit_error *err);

/* ---- journal_team.c: the journals of several processes ---- */

/* The journal of member `rank` of a team whose first member has `path`: "journal.jsonl", "journal.1.jsonl", ... */
tacit_status tct_journal_name(tct_text *out, const char *path, size_t rank, tacit_error *err);
/* Read the journals of all members there have ever been, but for that of `rank`. */
tacit_status tct_journal_read_others(const char *path, size_t rank, tacit_experiment *experiment, tacit_error *err);
/* Remove the journals of all members but the first. */
void tct_journal_remove_others(const char *path);
/* Trials to member 0: lines of those that are done here and not in `known`, and the way back. */
tacit_status tct_journal_lines(tct_text *out, const tacit_experiment *experiment, const bool *known, tacit_error *err);
tacit_status tct_journal_take_lines(tacit_experiment *experiment, tct_journal *journal, const char *text, size_t size,
                                    tacit_error *err);

#endif
