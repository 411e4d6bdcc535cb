/*
 * model_summary.h -- what `tacit fit` and `tacit import` say about the model they made.
 */
#ifndef CLI_MODEL_SUMMARY_H
#define CLI_MODEL_SUMMARY_H

#include <stdio.h>

#include "tacit.h"

/* "  name     text ...", wrapped; `text` is cleaned and freed. */
void made_print_item(FILE *out, const char *name, char *text);
/* How many rows and attributes, and what is decided. */
void made_print_schema(FILE *out, const tacit_table *table, const tacit_schema *schema);
/* The kind of model and how good it is. */
void made_print_model(FILE *out, const tacit_model *model);

#endif
