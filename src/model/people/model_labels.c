/*
 * model_labels.c -- what the model says about everybody in a table, with everything known.
 *
 * The labels that a questionnaire is measured against, without one: values are read as an audit reads them and scored by
 * the scores() that is deployed.  Blocks are independent; each writes to places known beforehand.
 */
#include "csv_inside.h"
#include "faults.h"
#include "model.h"

enum { CHUNK = 256 }; /* people scored together */

typedef struct labelling {
    const tacit_model *model;
    const tacit_table *table;
    const tct_binding *binding;
    uint8_t *labels; /* of everybody; NULL: not wanted */
    double *scores;  /* likewise, n_scores each */
    size_t *first;   /* per block: how many come before it */
} labelling;

/* m people of a block from `start` on, who are number `first` and so on in the table. */
static void label_chunk(const labelling *l, const double *x, size_t n, size_t start, size_t m, size_t first,
                        double *points, double *scores)
{
    const tct_classifier *classifier = l->model->classifier;
    size_t d = classifier->n_inputs, k = classifier->n_scores;

    for (size_t i = 0; i < d; i++)
        for (size_t r = 0; r < m; r++)
            points[r * d + i] = x[i * n + start + r];
    classifier->ops->scores(classifier, points, m, scores);
    for (size_t r = 0; r < m && l->labels; r++)
        l->labels[first + r] = (uint8_t)tct_label(scores + r * k, k);
    for (size_t i = 0; i < m * k && l->scores; i++)
        l->scores[first * k + i] = scores[i];
}

/* The people of block b. */
static tacit_status label_block(void *context, size_t b, tacit_error *err)
{
    const labelling *l = context;
    const tct_block *block = &l->table->blocks[b];
    size_t n = block->n_rows, d = l->model->codec->n_inputs, k = l->model->classifier->n_scores;
    double *x = tct_malloc(n, d * sizeof *x);
    double *points = tct_malloc(CHUNK, d * sizeof *points);
    double *scores = tct_malloc(CHUNK, k * sizeof *scores);
    tct_encode_counts counts = {0};
    tacit_status st = x && points && scores ? TACIT_OK : tct_fail_memory(err);

    if (!st && n > 0)
        st = tct_encode_block(l->binding, block, x, NULL, &counts, err);
    for (size_t start = 0; start < n && !st; start += CHUNK)
        label_chunk(l, x, n, start, n - start < CHUNK ? n - start : CHUNK, l->first[b] + start, points, scores);
    tct_free_wiped(x, n * d * sizeof *x);
    tct_free_wiped(points, CHUNK * d * sizeof *points);
    tct_free_wiped(scores, CHUNK * k * sizeof *scores);
    return st;
}

tacit_status tacit_model_labels(const tacit_model *model, const tacit_table *table, const tacit_label_options *options,
                                uint8_t *labels, double *scores, tacit_error *err)
{
    labelling l = {.model = model, .table = table, .labels = labels, .scores = scores};
    size_t *first = tct_malloc(table->n_blocks + 1, sizeof *first), n = 0;
    tct_binding *binding = NULL;
    tacit_label_options own;
    tacit_status st = first ? TACIT_OK : tct_fail_memory(err);

    if (!st)
        st = TCT_OPTIONS_TAKE(&own, tacit_label_options, unknown_as_missing, options, err);
    if (!st)
        st = tct_binding_loose(&binding, model->codec, table->csv, false, err);
    if (st)
        goto done;
    binding->unknown_as_missing = own.unknown_as_missing;
    l.binding = binding;
    l.first = first;
    for (size_t b = 0; b < table->n_blocks; b++) {
        first[b] = n;
        n += table->blocks[b].n_rows;
    }
    if (table->problem || binding->lacks)
        st = tct_faults_table(binding, table, false, err);
    else if ((st = tct_in_parallel(table->n_blocks, own.threads, label_block, &l, err)))
        st = tct_faults_instead(st, binding, table, false, err);
done:
    tct_binding_free(binding);
    tct_free(first);
    return st;
}
