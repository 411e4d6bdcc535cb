/*
 * journal_trial.h -- one finished trial as a line of the journal, and back.
 */
#ifndef TCT_JOURNAL_TRIAL_H
#define TCT_JOURNAL_TRIAL_H

#include "experiment.h"

/* Append the line without its last brace. */
void tct_journal_write(tct_text *out, const tacit_experiment *experiment, const tct_trial *trial);
/* Check a line and put it in its place in experiment->trials; a repetition beyond those asked for is passed over. */
tacit_status tct_journal_take(tacit_experiment *experiment, const json_t *json, const tct_json_at *at,
                              tacit_error *err);
/* The place in experiment->trials of the trial that a line is about; NULL when there is none. */
tct_trial *tct_journal_find(const tacit_experiment *experiment, const json_t *json);

#endif
