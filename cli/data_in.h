/*
 * data_in.h -- a CSV file of people to learn from, as a table and a schema.
 */
#ifndef CLI_DATA_IN_H
#define CLI_DATA_IN_H

#include <stdio.h>

#include "cli.h"

typedef struct data_in {
    tacit_csv_options csv;
    bool skip_unlabelled;      /* leave out rows without label; else they are an error */
    tacit_infer_options infer; /* where there is no schema */
    size_t threads;
} data_in;

/* Read the file.  *schema: given (it says how the file is written, too), or NULL: found out.  Rows are left out as far as
 * asked for; everything that is wrong is told at once. */
int data_in_read(tacit_table **table, tacit_schema **schema, const char *path, const data_in *in);
/* Say so where about fewer than 20 rows are held out at a time, and what is measured on them can tell about single people. */
void data_in_note_few(const tacit_table *table, double test_share);
/* How many rows were left out, if any were. */
void data_in_print_skipped(FILE *out, const tacit_table *table);
/* The remarks of a schema, wrapped; at most `most` of them, and then how many more there are. */
void data_in_print_remarks(FILE *out, const tacit_schema *schema, size_t most);

/* Options of commands that learn from a file; `member` is a data_in in `type`. */
#define CLI_DATA_OPTIONS(type, member)                                                                                 \
    {                                                                                                                  \
        .name = "skip-unlabelled", .kind = CLI_FLAG,                                                                   \
        .help = "Leave out rows without label, and say how many. Otherwise they are an error.",                        \
        .offset = offsetof(type, member)                                                                               \
    }

#endif
