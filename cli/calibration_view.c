/*
 * calibration_view.c -- a calibration as a table: nominal confidence, how many people were stopped there, how many of
 * them got the label they would have got with everything known, and the share that the bounds guarantee.
 */
#include "calibration_view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "terminal.h"
#include "words.h"

/* Fewer could keep no promise worth making, and what is counted would be about single ones. */
enum { LEAST_PEOPLE = 20 };

static void add_share(term_table *table, uint64_t people, uint64_t failed, double bound)
{
    char count[32], agreed[24], least[24];

    term_count(people, count, sizeof(count));
    term_percent(people ? 1 - (double)failed / (double)people : NAN, 2, agreed, sizeof(agreed));
    term_percent(1 - bound, 2, least, sizeof(least));
    table_cell(table, STYLE_PLAIN, "%s", count);
    table_cell(table, STYLE_PLAIN, "%s", people ? agreed : "");
    table_cell(table, STYLE_PLAIN, "%s", people ? least : "");
}

/* A delta that is said to be kept must not be rounded down. */
static double round_up(double delta)
{
    return ceil(delta * 1e4) / 1e4;
}

static double least_delta(const tacit_calibration *c)
{
    double least = 1;

    for (size_t k = 0; k < c->n_rows; k++)
        least = fmin(least, c->rows[k].delta);
    return least;
}

/* Nobody here knows whom an imported network was trained on. */
static void print_remark(const tacit_model *model)
{
    const tacit_model_info *info = tacit_model_info_get(model);

    if (!*info->hidden || info->epochs > 0)
        return;
    fputs("  ", stdout);
    term_wrap(stdout, 2, 2, term.width - 1,
              "The network was trained elsewhere. If it was trained on any of these people, the bounds do not hold.");
}

void calibration_view(const tacit_model *model)
{
    const char *heads[] = {"nominal", "people", "agreed", "at least", "near it", "agreed", "at least", "keeps"};
    const tacit_calibration *c = tacit_model_calibration(model);
    term_table *table = table_new("rrrrrrrr");
    bool held_out = strcmp(c->data_hash, tacit_model_info_get(model)->data_hash) == 0;
    char people[32], *text;

    term_count(c->people, people, sizeof(people));
    text =
        cli_format("Calibration: %s people %s", people, held_out ? "held out of the training file" : "of another file");
    term_heading(text);
    free(text);
    for (size_t i = 0; i < sizeof(heads) / sizeof(*heads); i++)
        table_cell(table, STYLE_PLAIN, "%s", heads[i]);
    for (size_t k = 0; k < c->n_rows; k++) {
        const tacit_calibration_row *row = &c->rows[k];

        if (row->stopped == 0)
            continue;
        table_cell(table, STYLE_PLAIN, "%.5g %%", 100 * row->confidence);
        add_share(table, row->stopped, row->failed, row->bound);
        add_share(table, row->marginal[0], row->marginal_failed[0], row->marginal_bound[0]);
        if (row->delta < 0.5)
            table_cell(table, STYLE_GOOD, "%s %s %g", term.delta, term.at_least, round_up(row->delta));
        else
            table_cell(table, STYLE_DIM, "%s", "nothing");
    }
    table_print(table, 2);
    if (least_delta(c) < 0.5)
        text = cli_format("Promises of %s %s %g can be kept without proof. All bounds hold together with a confidence "
                          "of %g %%.",
                          term.delta, term.at_least, round_up(least_delta(c)), 100 * (1 - c->alpha));
    else
        text = cli_format("Too few people, or too many failures: no %s above 0 can be kept without proof.", term.delta);
    fputs("  ", stdout);
    term_wrap(stdout, 2, 2, term.width - 1, text);
    free(text);
    print_remark(model);
}

int calibration_enough(const tacit_model *model)
{
    uint64_t people = tacit_model_calibration(model)->people;

    if (people >= LEAST_PEOPLE)
        return CLI_DONE;
    return cli_complain(CLI_INPUT, "%llu %s too few to calibrate with: %d at least", (unsigned long long)people,
                        people == 1 ? "person is" : "people are", LEAST_PEOPLE);
}

char *calibration_sentence(const tacit_model *model, tacit_rule rule, double delta)
{
    double confidence;

    if (!tacit_model_calibration(model) || !(delta > 0))
        return NULL;
    confidence = tacit_model_confidence(model, rule, delta);
    if (isinf(confidence))
        return cli_format(WORDS("%s = %g is calibrated: nothing observed allows it without proof."), term.delta, delta);
    return cli_format(WORDS("%s = %g is calibrated: it stops at a nominal probability of %.6g %%."), term.delta, delta,
                      100 * confidence);
}
