/*
 * audit_run.h -- an audit while it runs: where the people come from, what the workers share, what each has for itself.
 */
#ifndef TCT_AUDIT_RUN_H
#define TCT_AUDIT_RUN_H

#include <pthread.h>

#include "audit.h"
#include "auditor.h"
#include "faults.h"
#include "person_results.h"
#include "team.h"

/* A file that was counted. */
typedef struct tct_seen {
    const char *path;
    char hash[65]; /* of its bytes */
} tct_seen;

/* Where the people come from and what the workers share while running. */
typedef struct tct_run {
    const tacit_model *model;
    const tacit_audit_options *options;
    const tct_job *job;
    const tacit_team *team;
    tct_csv *csv;             /* of the stream or of the table */
    const tacit_table *table; /* NULL: stream */
    tct_binding *binding;
    size_t *group_columns; /* per dimension of the groupings */
    bool has_labels;
    tct_file *rows_file;  /* where rows go: member 0 */
    tct_spool *spool;     /* the others */
    tct_text rows_text;   /* or here, when they are kept */
    tct_person_list kept; /* what became of each person, block by block */
    uint64_t file;        /* number of the file at hand */
    tct_seen *seen;       /* files counted so far; NULL: it was known before that all differ */
    size_t n_seen;
    tct_text prefix; /* of every row: the file's name as a cell; empty for a file alone */
    pthread_mutex_t lock;
    pthread_cond_t turned;
    uint64_t next_table_block, turn, done;
    uint64_t bytes_before, bytes_total; /* of all files, the latter 0 when not known */
    _Atomic uint64_t people;            /* counted so far */
    bool stop;
    bool faulty;           /* something is wrong with the file: nobody is counted any more, all of it is looked at */
    uint64_t bad_sequence; /* block of the error kept */
    tacit_status status;
    tacit_error error;
} tct_run;

typedef struct tct_touched tct_touched; /* touched.h */

/* ---- same_files.c ---- */

/* An error that names a file which is there twice, by whatever path, or which is a copy of another one.  *room: for as many
 * files if some can be known by the bytes read from them only, else NULL; freed by the caller. */
tacit_status tct_refuse_same_files(const char *const *paths, size_t n, tct_seen **room, tacit_error *err);
/* The same for a file that was read, if there is room: `hash` of its bytes. */
tacit_status tct_refuse_seen(tct_run *run, const char *path, const char *hash, tacit_error *err);

/* One thread's buffers. */
typedef struct tct_thread_buffers {
    tct_worker *worker;
    tct_block block;
    double *x;
    int32_t *labels;
    uint8_t *had;         /* TCT_HAD_* of each */
    tct_touched *touched; /* NULL: nobody had to be counted once more */
    size_t *groups;       /* per person and grouping */
    size_t n_groupings;
    uint64_t *rows;
    size_t room;     /* people */
    tct_cell *cells; /* of the rows in the part asked for */
    size_t cells_room;
    tct_text rows_out;
    tct_faults *faults; /* of the file at hand, as far as this thread has seen them */
} tct_thread_buffers;

/* ---- audit_blocks.c ---- */

void tct_thread_buffers_clear(tct_thread_buffers *buffers,
                              const tacit_model *model); /* wipes; the worker is not touched */
/* Blocks of the file or table at hand, one after the other, until there are no more or somebody has failed: then
 * run->status and run->error say why.  What is wrong with rows and cells goes to the faults of the buffers. */
void tct_thread_buffers_work(tct_run *run, tct_thread_buffers *buffers);
/* A tick of a tct_job whose context is a tct_run. */
tacit_status tct_run_tick(void *run, tacit_error *err);

#endif
