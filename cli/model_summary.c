/*
 * model_summary.c -- what `tacit fit` and `tacit import` say about the model they made.
 */
#include "model_summary.h"

#include <stdlib.h>

#include "cli.h"
#include "decided_view.h"
#include "terminal.h"

void made_print_item(FILE *out, const char *name, char *text)
{
    char *clean = term_clean(text, 0);

    fprintf(out, "  %-7s  ", name);
    term_wrap(out, 11, 11, term.width, clean);
    free(clean);
    free(text);
}

void made_print_schema(FILE *out, const tacit_table *table, const tacit_schema *schema)
{
    size_t n = tacit_schema_attributes(schema), sensitive = 0;
    char rows[32], *text, *list;

    for (size_t i = 0; i < n; i++)
        sensitive += tacit_schema_attribute(schema, i)->role == TACIT_SENSITIVE;
    term_count(tacit_table_rows(table), rows, sizeof(rows));
    made_print_item(
        out, "data",
        cli_format("%s rows, %zu attributes: %zu sensitive, %zu public", rows, n, sensitive, n - sensitive));
    fprintf(out, "  decides  ");
    text = term_clean(tacit_schema_label(schema), 0);
    list = cli_format("%s:", text);
    free(text);
    for (size_t i = 0; i < tacit_schema_classes(schema) && i < 12; i++) {
        char *name = term_clean(tacit_schema_class(schema, i), 30);

        text = cli_format("%s%s %s", list, i ? "," : "", name);
        free(list);
        list = text;
        free(name);
    }
    text = cli_format("%s%s", list, tacit_schema_classes(schema) > 12 ? ", ..." : "");
    term_wrap(out, 11, 11, term.width, text);
    free(list);
    free(text);
}

/* What it adds to always deciding the most frequent class, and a warning when that is nothing. */
static void print_worth(FILE *out, const tacit_model *model, const tacit_baseline *b)
{
    char share[32], *majority, *always, *warning;

    if (b->state == TACIT_USE_UNKNOWN)
        return;
    majority = term_clean(tacit_schema_class(tacit_model_schema(model), b->majority_class), 30);
    term_percent(b->majority_accuracy, 2, share, sizeof(share));
    always = cli_format("always deciding %s: %s", majority, share);
    fprintf(out, "%11s", "");
    term_wrap(out, 11, 11, term.width, always);
    free(always);
    warning = decided_warning(b, majority);
    if (warning) {
        fprintf(out, "  warning  ");
        term_wrap(out, 11, 11, term.width, warning);
    }
    free(warning);
    free(majority);
}

void made_print_model(FILE *out, const tacit_model *model)
{
    const tacit_model_info *info = tacit_model_info_get(model);
    char share[32], rows[32];

    if (info->trees > 0)
        made_print_item(out, "model", cli_format("%s, %zu with %zu leaves", info->kind, info->trees, info->leaves));
    else
        made_print_item(out, "model",
                        cli_format("%s, %zu inputs%s%s", info->kind, info->inputs,
                                   *info->hidden ? ", hidden layers " : "", info->hidden));
    if (info->in_order)
        made_print_item(out, "", cli_format("certain means for sums in the order of the trees, not in any order"));
    if (info->threshold > 0)
        made_print_item(out, "", cli_format("the second class from the probability %g on", info->threshold));
    term_percent(info->train_accuracy, 2, share, sizeof(share));
    term_count(info->train_rows, rows, sizeof(rows));
    if (info->origin == TACIT_ORIGIN_IMPORTED)
        made_print_item(out, "right", cli_format("%s of %s rows from which the distribution was learnt", share, rows));
    else
        fprintf(out, "  train    %s right of %s rows\n", share, rows);
    if (info->epochs)
        fprintf(out, "           %zu epochs, mean loss %.4f\n", info->epochs_run, info->loss);
    if (info->test_rows) {
        term_percent(info->test_accuracy, 2, share, sizeof(share));
        term_count(info->test_rows, rows, sizeof(rows));
        if (info->origin == TACIT_ORIGIN_IMPORTED)
            fprintf(out, "           %s of %s other rows\n", share, rows);
        else
            fprintf(out, "  test     %s right of %s rows held out\n", share, rows);
    } else if (info->origin != TACIT_ORIGIN_IMPORTED) {
        fprintf(out, "  test     nothing was held out\n");
    }
    print_worth(out, model, info->test_rows ? &info->test_baseline : &info->train_baseline);
    if (info->clipped || info->missing) {
        char clipped[32], missing[32];

        term_count(info->clipped, clipped, sizeof(clipped));
        term_count(info->missing, missing, sizeof(missing));
        made_print_item(out, "cells",
                        cli_format("%s missing, %s outside %s domain and moved to its end", missing, clipped,
                                   info->clipped == 1 ? "its" : "their"));
    }
}
