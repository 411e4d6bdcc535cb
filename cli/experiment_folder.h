/*
 * experiment_folder.h -- the folder an experiment is written to: what is in it, whether it is finished, writing it.
 */
#ifndef CLI_EXPERIMENT_FOLDER_H
#define CLI_EXPERIMENT_FOLDER_H

#include <stdbool.h>

#include "tacit.h"

enum { FOLDER_RESULTS, FOLDER_SECONDS, FOLDER_SUMMARY, FOLDER_REPORT, FOLDER_JOURNAL, FOLDER_FILES };

typedef struct experiment_folder {
    const char *path;
    char *files[FOLDER_FILES];
    bool made; /* it was not there before */
    bool has_journal;
    bool has_summary;
} experiment_folder;

/* Look; nothing is made yet. */
void folder_look(experiment_folder *folder, const char *path);
void folder_free(experiment_folder *folder);
/* Would a file of it overwrite `input` (NULL: no)?  Then complain. */
int folder_refuse_overwrite(const experiment_folder *folder, const char *input);
int folder_make(experiment_folder *folder);
/* Take back what a run that never got going has left. */
void folder_unmake(const experiment_folder *folder);

/* Is what is in the folder this experiment, finished?  CLI_DONE if so; else CLI_INPUT after a complaint that says what
 * differs.  *summary (free it) is the summary's text. */
int folder_compare(const experiment_folder *folder, const tacit_table *table, const tacit_experiment_options *options,
                   char **summary);
/* All files, then the journal goes.  *summary: free with tacit_text_free.  *pages: was there a page? */
int folder_write(const experiment_folder *folder, const tacit_experiment *experiment, char **summary, bool *pages);

#endif
