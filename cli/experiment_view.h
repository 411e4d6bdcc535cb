/*
 * experiment_view.h -- the summary of an experiment as tables for people.
 */
#ifndef CLI_EXPERIMENT_VIEW_H
#define CLI_EXPERIMENT_VIEW_H

/* Print the tables of a summary, the JSON text of tacit_experiment_json.  CLI_DONE, or CLI_INTERNAL after a complaint. */
int experiment_view(const char *summary);

#endif
