/*
 * fit.c -- from a table to a model: encode, split, train, measure.
 *
 * The split is a function of seed, share and row number, so everybody who has the file can tell again which rows were
 * held out.  Blocks of the table are encoded on any number of threads, each into places known beforehand; of several
 * bad cells the first one in the file is reported.  Accuracies are counted with the scores() that will be deployed.
 */
#include "model_parts.h"

#include <math.h>
#include <omp.h>
#include <string.h>

#include "num.h"

enum { CHUNK = 256 }; /* people scored together */

/* Encoded people, one input after the other: input i of person r at x[i * n + r]. */
typedef struct part {
    double *x;
    int32_t *labels;
    size_t n, d;
    size_t *first; /* per block of the table: number of people before it */
} part;

typedef struct job {
    const tacit_table *table;
    const tct_binding *binding;
    double test_share;
    uint64_t seed;
    part train, test;
    tct_encode_counts counts;
} job;

static tacit_status check_options(const tacit_fit_options *opt, const tacit_schema *schema, const tct_model_kind **kind,
                                  tacit_error *err)
{
    tacit_status st = tct_model_kind_find(kind, opt->kind ? opt->kind : tct_linear_ops.kind, err);

    if (st)
        return st;
    if (!(opt->test_share >= 0 && opt->test_share < 1))
        return tct_fail(err, TACIT_E_USAGE, "test share must be at least 0 and below 1");
    if (!(opt->l2 >= 0 && isfinite(opt->l2)))
        return tct_fail(err, TACIT_E_USAGE, "l2 must be a number, 0 or more");
    if (schema->n_attributes == 0)
        return tct_fail(err, TACIT_E_INPUT, "the schema has no attributes: nothing to learn from");
    return TACIT_OK;
}

static void clear_part(part *p)
{
    tct_free_wiped(p->x, p->n * p->d * sizeof(double));
    tct_free_wiped(p->labels, p->n * sizeof(int32_t));
    tct_free(p->first);
}

static bool is_held_out(const job *j, const tct_block *block, size_t row)
{
    return tct_held_out(j->seed, j->test_share, block->first_row + row);
}

/* Count the people of both parts, get room for them. */
static tacit_status split(job *j, tacit_error *err)
{
    size_t d = j->binding->codec->n_inputs;
    part *parts[2] = {&j->train, &j->test};

    for (size_t k = 0; k < 2; k++) {
        parts[k]->d = d;
        parts[k]->first = tct_calloc(j->table->n_blocks + 1, sizeof(size_t));
        if (!parts[k]->first)
            return tct_fail_memory(err);
    }
    for (size_t b = 0; b < j->table->n_blocks; b++) {
        const tct_block *block = &j->table->blocks[b];
        j->train.first[b] = j->train.n;
        j->test.first[b] = j->test.n;
        for (size_t r = 0; r < block->n_rows; r++)
            (is_held_out(j, block, r) ? &j->test : &j->train)->n++;
    }
    if (j->train.n == 0)
        return tct_fail_at(err, TACIT_E_INPUT, tct_csv_path(j->table->csv), 0, NULL, "no row in the training part");
    for (size_t k = 0; k < 2; k++) {
        if (parts[k]->n == 0)
            continue;
        parts[k]->x = tct_malloc(parts[k]->n, d * sizeof(double));
        parts[k]->labels = tct_malloc(parts[k]->n, sizeof(int32_t));
        if (!parts[k]->x || !parts[k]->labels)
            return tct_fail_memory(err);
    }
    return TACIT_OK;
}

/* Encode one block and put its people where they belong. */
static tacit_status encode_block(job *j, size_t b, tct_encode_counts *counts, tacit_error *err)
{
    const tct_block *block = &j->table->blocks[b];
    size_t d = j->train.d, n = block->n_rows, at[2] = {j->train.first[b], j->test.first[b]};
    double *x = tct_malloc(n, d * sizeof(double));
    int32_t *labels = tct_malloc(n, sizeof(int32_t));
    tacit_status st = x && labels ? TACIT_OK : tct_fail_memory(err);

    if (!st)
        st = tct_encode_block(j->binding, block, x, labels, counts, err);
    for (size_t r = 0; r < n && !st; r++) {
        bool held_out = is_held_out(j, block, r);
        part *p = held_out ? &j->test : &j->train;
        size_t to = at[held_out]++;
        for (size_t i = 0; i < d; i++)
            p->x[i * p->n + to] = x[i * n + r];
        p->labels[to] = labels[r];
    }
    tct_free_wiped(x, n * d * sizeof(double));
    tct_free_wiped(labels, n * sizeof(int32_t));
    return st;
}

static tacit_status encode_table(job *j, size_t threads, tacit_error *err)
{
    int n_threads = threads && threads < 1024 ? (int)threads : omp_get_max_threads();
    size_t n_blocks = j->table->n_blocks, bad = n_blocks; /* first block with an error */
    tacit_status st = TACIT_OK;

#pragma omp parallel for schedule(dynamic, 1) num_threads(n_threads)
    for (size_t b = 0; b < n_blocks; b++) {
        tct_encode_counts counts = {0};
        tacit_error error;
        tacit_status result;
        size_t stop;
#pragma omp atomic read
        stop = bad;
        if (b > stop || j->table->blocks[b].n_rows == 0)
            continue;
        result = encode_block(j, b, &counts, &error);
#pragma omp critical(tct_fit_encode)
        {
            j->counts.clipped += counts.clipped;
            j->counts.missing += counts.missing;
            if (result && b < bad) {
#pragma omp atomic write
                bad = b;
                st = result;
                if (err)
                    *err = error;
            }
        }
    }
    return st;
}

/* Every class must have somebody to learn from. */
static tacit_status check_classes(const job *j, const tacit_schema *schema, tacit_error *err)
{
    bool seen[TCT_MAX_CLASSES] = {false};

    for (size_t r = 0; r < j->train.n; r++)
        seen[j->train.labels[r]] = true;
    for (size_t c = 0; c < schema->n_classes; c++) {
        if (!seen[c])
            return tct_fail_at(err, TACIT_E_INPUT, tct_csv_path(j->table->csv), 0, schema->label,
                               "class '%s' has no row in the training part", schema->classes[c]);
    }
    return TACIT_OK;
}

/* Share of people whose label the classifier gets right; NaN when there is nobody. */
static tacit_status measure(double *accuracy, const part *p, const tct_classifier *classifier, tacit_error *err)
{
    size_t d = p->d, n_scores = classifier->n_scores, right = 0;
    double *points = tct_malloc(CHUNK, d * sizeof(double));
    double *scores = tct_malloc(CHUNK, n_scores * sizeof(double));
    tacit_status st = points && scores ? TACIT_OK : tct_fail_memory(err);

    for (size_t start = 0; start < p->n && !st; start += CHUNK) {
        size_t m = p->n - start < CHUNK ? p->n - start : CHUNK;
        for (size_t i = 0; i < d; i++) {
            for (size_t r = 0; r < m; r++)
                points[r * d + i] = p->x[i * p->n + start + r];
        }
        classifier->ops->scores(classifier, points, m, scores);
        for (size_t r = 0; r < m; r++)
            right += tct_label(scores + r * n_scores, n_scores) == (size_t)p->labels[start + r];
    }
    *accuracy = p->n ? (double)right / (double)p->n : NAN;
    tct_free_wiped(points, CHUNK * d * sizeof(double));
    tct_free_wiped(scores, CHUNK * n_scores * sizeof(double));
    return st;
}

/* Train on the encoded people and put the model together. */
static tacit_status learn(tacit_model **out, const job *j, const tacit_schema *schema, const tct_model_kind *kind,
                          const tacit_fit_options *opt, tacit_error *err)
{
    tacit_model_info info = {.train_rows = j->train.n,
                             .test_rows = j->test.n,
                             .test_share = j->test_share,
                             .seed = j->seed,
                             .l2 = opt->l2 > 0 ? opt->l2 : 1,
                             .clipped = j->counts.clipped,
                             .missing = j->counts.missing,
                             .data_hash = j->table->hash};
    size_t d = j->train.d;
    tct_classifier *classifier = NULL;
    tacit_schema *copy = NULL;
    double *mean = NULL, *covariance = NULL;
    tacit_status st;

    st = kind->train(&classifier, j->train.x, j->train.n, j->train.labels, j->train.n, d, schema->n_classes, info.l2,
                     opt->threads, opt->progress, opt->progress_context, err);
    if (!st)
        st = measure(&info.train_accuracy, &j->train, classifier, err);
    if (!st)
        st = measure(&info.test_accuracy, &j->test, classifier, err);
    if (!st)
        st = tct_schema_copy(&copy, schema, err);
    if (st)
        goto done;
    mean = tct_malloc(d, sizeof(double));
    covariance = tct_malloc(d * d, sizeof(double));
    if (!mean || !covariance) {
        st = tct_fail_memory(err);
        goto done;
    }
    tct_moments(j->train.x, j->train.n, j->train.n, d, mean, covariance, opt->threads);
    return tct_model_build(out, copy, classifier, mean, covariance, &info, NULL, err); /* takes the parts over */
done:
    if (classifier)
        classifier->ops->free(classifier);
    tacit_schema_free(copy);
    tct_free(mean);
    tct_free(covariance);
    return st;
}

tacit_status tacit_fit(tacit_model **out, const tacit_table *table, const tacit_schema *schema,
                       const tacit_fit_options *opt, tacit_error *err)
{
    job j = {.table = table, .test_share = opt->test_share, .seed = opt->seed};
    const tct_model_kind *kind = NULL;
    tct_binding *binding = NULL;
    tct_codec *codec = NULL;
    tacit_status st;

    *out = NULL;
    if ((st = check_options(opt, schema, &kind, err)) || (st = tct_codec_new(&codec, schema, err)) ||
        (st = tct_binding_new(&binding, codec, table->csv, true, err)))
        goto done;
    j.binding = binding;
    if ((st = split(&j, err)) || (st = encode_table(&j, opt->threads, err)) || (st = check_classes(&j, schema, err)))
        goto done;
    st = learn(out, &j, schema, kind, opt, err);
done:
    clear_part(&j.train);
    clear_part(&j.test);
    tct_binding_free(binding);
    tct_codec_free(codec);
    return st;
}
