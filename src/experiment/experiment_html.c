/*
 * experiment_html.c -- an experiment as a page: the one built from web/, with the summary in it.
 */
#include "experiment.h"
#include "pages.h"

tacit_status tacit_experiment_html(char **out, const tacit_experiment *experiment, tacit_error *err)
{
    char *json = NULL;
    tacit_status st;

    *out = NULL;
    if (!tct_page_experiment)
        return tct_fail(err, TACIT_E_USAGE, "this Tacit was built without pages");
    st = tacit_experiment_json(&json, experiment, err);
    if (!st)
        st = tct_page_fill(out, tct_page_experiment, tct_page_experiment_size, json, err);
    tct_free(json);
    return st;
}
