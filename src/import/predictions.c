/*
 * predictions.c -- labels of an imported model against those of the deployed one.
 *
 * Whatever is wrong between a model file and what is deployed (another intercept, another precision, columns in another
 * order, another marker for "missing") shows here, and hardly anywhere else.
 */
#include "predictions.h"

#include <math.h>
#include <string.h>

#include "csv_inside.h"

typedef struct comparing {
    const tacit_model *model;
    const tct_binding *binding;
    const tacit_table *table;
    const char *name;
    size_t column;
    double threshold;
    uint64_t compared, differ, first; /* rows; the first that differs */
} comparing;

/* The class that a cell says; TACIT_NONE: none. */
static size_t said_class(const comparing *c, const char *bytes, size_t size)
{
    const tacit_schema *schema = c->model->schema;
    double p;

    for (size_t k = 0; k < schema->n_classes; k++)
        if (strlen(schema->classes[k]) == size && memcmp(schema->classes[k], bytes, size) == 0)
            return k;
    if (schema->n_classes != 2 || !tct_csv_number(c->table->csv, bytes, size, &p) || !(p >= 0 && p <= 1))
        return TACIT_NONE;
    return isnan(c->threshold) ? (float)p > 0.5f : (float)p >= (float)c->threshold;
}

static tacit_status compare_block(comparing *c, const tct_block *block, double *x, double *person, tacit_error *err)
{
    const tct_classifier *classifier = c->model->classifier;
    size_t stride = tct_csv_columns(c->table->csv), d = classifier->n_inputs;
    double scores[TCT_MAX_CLASSES];
    tct_encode_counts counts = {0};
    tacit_status st = tct_encode_block(c->binding, block, x, NULL, &counts, err);

    for (size_t r = 0; r < block->n_rows && !st; r++) {
        const tct_cell *cell = &block->cells[r * stride + c->column];
        const char *bytes = block->bytes + cell->start;
        size_t said;

        if (tct_csv_missing_quick(c->table->csv, bytes, cell->size))
            continue;
        said = said_class(c, bytes, cell->size);
        if (said == TACIT_NONE)
            return tct_fail_at(err, TACIT_E_INPUT, tct_csv_path(c->table->csv), (size_t)tct_block_row(block, r),
                               c->name, "expected a class%s",
                               c->model->schema->n_classes == 2 ? ", or a probability" : "");
        for (size_t i = 0; i < d; i++)
            person[i] = x[i * block->n_rows + r];
        classifier->ops->scores(classifier, person, 1, scores);
        c->compared++;
        if (tct_label(scores, classifier->n_scores) != said && c->differ++ == 0)
            c->first = tct_block_row(block, r);
    }
    return st;
}

tacit_status tct_predictions_check(uint64_t *compared, const tacit_model *model, const tacit_table *table,
                                   const char *column, double threshold, tacit_error *err)
{
    comparing c = {.model = model, .table = table, .name = column, .threshold = threshold};
    size_t d = model->codec->n_inputs, most = 0;
    double *x = NULL, *person = NULL;
    tct_binding *binding = NULL;
    tacit_status st = TACIT_OK;

    *compared = 0;
    c.column = tct_csv_find(table->csv, column);
    if (c.column == TACIT_NONE)
        return tct_binding_fail(table->csv, "predictions", column, err);
    for (size_t b = 0; b < table->n_blocks; b++)
        most = table->blocks[b].n_rows > most ? table->blocks[b].n_rows : most;
    x = tct_malloc(most * d + 1, sizeof *x);
    person = tct_malloc(d, sizeof *person);
    if (!x || !person)
        st = tct_fail_memory(err);
    if (!st)
        st = tct_binding_new(&binding, model->codec, table->csv, false, err);
    c.binding = binding;
    for (size_t b = 0; b < table->n_blocks && !st; b++)
        if (table->blocks[b].n_rows > 0)
            st = compare_block(&c, &table->blocks[b], x, person, err);
    if (!st && c.compared == 0)
        st = tct_fail_at(err, TACIT_E_INPUT, tct_csv_path(table->csv), 0, column, "no prediction to compare with");
    if (!st && c.differ > 0)
        st = tct_fail_at(err, TACIT_E_INPUT, tct_csv_path(table->csv), (size_t)c.first, column,
                         "the imported model gives another label than this prediction, in this row and %llu other%s of "
                         "%llu: it is not the model that is deployed",
                         (unsigned long long)(c.differ - 1), c.differ == 2 ? "" : "s", (unsigned long long)c.compared);
    *compared = c.compared;
    tct_binding_free(binding);
    tct_free_wiped(x, (most * d + 1) * sizeof *x);
    tct_free_wiped(person, d * sizeof *person);
    return st;
}
