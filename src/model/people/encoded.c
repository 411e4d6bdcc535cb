/*
 * encoded.c -- a table as numbers: encode, split, measure, and put a model together around a classifier.
 *
 * The split is a function of seed, share and row number, so everybody who has the file can tell again which rows were
 * held out.  Blocks of the table are encoded on any number of threads, each into places known beforehand; of several
 * bad cells the first one in the file is reported.  Accuracies are counted with the scores() that will be deployed.
 */
#include "encoded.h"

#include <math.h>
#include <string.h>

#include "cells.h"
#include "faults.h"
#include "habits.h"
#include "model_parts.h"
#include "num.h"

enum { CHUNK = 256 }; /* people scored together */

/* What encoding needs beside the result. */
typedef struct job {
    tct_encoded *people;
    const tct_binding *binding;
    size_t *first[2]; /* per block of the table: number of people before it in the training part, in the test part */
} job;

static void free_levels(uint16_t **levels, size_t n_attributes, size_t n)
{
    for (size_t a = 0; levels && a < n_attributes; a++)
        tct_free_wiped(levels[a], n * sizeof **levels);
    tct_free(levels);
}

static void clear_part(tct_encoded_rows *p, size_t d, size_t n_attributes)
{
    free_levels(p->levels, n_attributes, p->n);
    tct_free_wiped(p->x, p->n * d * sizeof(double));
    tct_free_wiped(p->labels, p->n * sizeof(int32_t));
}

static bool is_held_out(const tct_encoded *people, const tct_block *block, size_t row)
{
    return tct_held_out(people->seed, people->test_share, tct_block_row(block, row));
}

/* Room for the levels of n people, by attribute; NULL on lack of memory. */
static uint16_t **room_for_levels(const tct_encoded *people, size_t n)
{
    size_t n_attributes = people->codec->schema->n_attributes;
    uint16_t **levels = tct_calloc(n_attributes + 1, sizeof *levels);

    for (size_t a = 0; levels && a < n_attributes; a++) {
        if (people->compact->domains[a].width > 0)
            continue;
        levels[a] = tct_calloc(n + 1, sizeof **levels);
        if (!levels[a]) {
            free_levels(levels, n_attributes, 0);
            return NULL;
        }
    }
    return levels;
}

/* Count the people of both parts, get room for them. */
static tacit_status split(job *j, tacit_error *err)
{
    tct_encoded *people = j->people;
    const tacit_table *table = people->table;
    tct_encoded_rows *parts[2] = {&people->train, &people->test};

    for (size_t k = 0; k < 2; k++) {
        j->first[k] = tct_calloc(table->n_blocks + 1, sizeof(size_t));
        if (!j->first[k])
            return tct_fail_memory(err);
    }
    for (size_t b = 0; b < table->n_blocks; b++) {
        const tct_block *block = &table->blocks[b];
        j->first[0][b] = people->train.n;
        j->first[1][b] = people->test.n;
        for (size_t r = 0; r < block->n_rows; r++)
            parts[is_held_out(people, block, r)]->n++;
    }
    if (people->train.n == 0)
        return tct_fail_at(err, TACIT_E_INPUT, tct_csv_path(table->csv), 0, NULL, "no row in the training part");
    for (size_t k = 0; k < 2; k++) {
        if (parts[k]->n == 0)
            continue;
        parts[k]->x = tct_malloc(parts[k]->n, people->d * sizeof(double) + 1);
        parts[k]->labels = tct_malloc(parts[k]->n, sizeof(int32_t));
        if (!parts[k]->x || !parts[k]->labels)
            return tct_fail_memory(err);
        if (people->compact && !(parts[k]->levels = room_for_levels(people, parts[k]->n)))
            return tct_fail_memory(err);
    }
    return TACIT_OK;
}

/* Encode one block and put its people where they belong. */
static tacit_status encode_block(job *j, size_t b, tct_encode_counts *counts, tct_encode_counts *cells,
                                 tacit_error *err)
{
    tct_encoded *people = j->people;
    const tct_block *block = &people->table->blocks[b];
    size_t d = people->d, n = block->n_rows, at[2] = {j->first[0][b], j->first[1][b]};
    size_t n_attributes = people->compact ? people->codec->schema->n_attributes : 0;
    double *x = tct_malloc(n, d * sizeof(double) + 1);
    int32_t *labels = tct_malloc(n, sizeof(int32_t));
    uint16_t **levels = n_attributes ? room_for_levels(people, n) : NULL;
    const tct_encode_detail detail = {.by_attribute = cells, .levels = levels};
    tacit_status st = x && labels && (levels || !n_attributes) ? TACIT_OK : tct_fail_memory(err);

    if (!st)
        st = tct_encode_block_detail(j->binding, block, x, labels, counts, &detail, err);
    for (size_t r = 0; r < n && !st; r++) {
        bool held_out = is_held_out(people, block, r);
        tct_encoded_rows *p = held_out ? &people->test : &people->train;
        size_t to = at[held_out]++;
        for (size_t i = 0; i < d; i++)
            p->x[i * p->n + to] = x[i * n + r];
        for (size_t a = 0; a < n_attributes; a++)
            if (levels[a])
                p->levels[a][to] = levels[a][r];
        p->labels[to] = labels[r];
    }
    free_levels(levels, n_attributes, n);
    tct_free_wiped(x, n * d * sizeof(double));
    tct_free_wiped(labels, n * sizeof(int32_t));
    return st;
}

/* Block b, counted. */
static tacit_status encode_and_count(void *context, size_t b, tacit_error *err)
{
    job *j = context;
    tct_encoded *people = j->people;
    size_t n_attributes = people->codec->schema->n_attributes;
    tct_encode_counts counts = {0}, cells[TCT_MAX_ATTRIBUTES]; /* as many as there are attributes are set */
    tacit_status st;

    if (people->table->blocks[b].n_rows == 0)
        return TACIT_OK;
    memset(cells, 0, n_attributes * sizeof *cells);
    st = encode_block(j, b, &counts, cells, err);
#pragma omp critical(tct_encoded_blocks)
    {
        people->counts.clipped += counts.clipped;
        people->counts.missing += counts.missing;
        for (size_t a = 0; a < n_attributes; a++) {
            people->cells[a].clipped += cells[a].clipped;
            people->cells[a].missing += cells[a].missing;
        }
    }
    return st;
}

/* Room of one thread that looks at what a classifier gets right. */
typedef struct measuring {
    double *points, *scores;
    uint64_t *confusion;
} measuring;

/* People from `start` on, up to CHUNK of them. */
static void measure_chunk(const measuring *m, const tct_encoded *people, const tct_encoded_rows *p,
                          const tct_classifier *classifier, size_t start)
{
    size_t d = classifier->n_inputs, n_scores = classifier->n_scores, n = p->n - start < CHUNK ? p->n - start : CHUNK;

    for (size_t i = 0; i < d && !p->levels; i++)
        for (size_t r = 0; r < n; r++)
            m->points[r * d + i] = p->x[i * p->n + start + r];
    for (size_t r = 0; r < n && p->levels; r++)
        tct_encoded_point(people, p, start + r, m->points + r * d);
    classifier->ops->scores(classifier, m->points, n, m->scores);
    for (size_t r = 0; r < n; r++) {
        size_t label = tct_label(m->scores + r * n_scores, n_scores), truth = (size_t)p->labels[start + r];

        m->confusion[truth * classifier->n_classes + label]++;
    }
}

/* Share of people whose label the classifier gets right; NaN when there is nobody.  confusion: see tct_reference. */
static tacit_status measure(double *accuracy, uint64_t *confusion, const tct_encoded *people, const tct_encoded_rows *p,
                            const tct_classifier *classifier, tacit_error *err)
{
    size_t d = classifier->n_inputs, n_scores = classifier->n_scores, classes = classifier->n_classes, right = 0;
    int n_threads = (int)tacit_threads(0);
    bool failed = false;

#pragma omp parallel num_threads(n_threads) if (p->n > CHUNK)
    {
        measuring m = {.points = tct_malloc(CHUNK, d * sizeof(double)),
                       .scores = tct_malloc(CHUNK, n_scores * sizeof(double)),
                       .confusion = tct_calloc(classes * classes, sizeof(uint64_t))};
        bool there = m.points && m.scores && m.confusion;

#pragma omp for schedule(dynamic, 1)
        for (size_t start = 0; start < p->n; start += CHUNK)
            if (there)
                measure_chunk(&m, people, p, classifier, start);
#pragma omp critical(tct_measure)
        {
            failed = failed || !there;
            for (size_t i = 0; there && i < classes * classes; i++)
                confusion[i] += m.confusion[i];
        }
        tct_free_wiped(m.points, CHUNK * d * sizeof(double));
        tct_free_wiped(m.scores, CHUNK * n_scores * sizeof(double));
        tct_free(m.confusion);
    }
    for (size_t c = 0; c < classes; c++)
        right += confusion[c * (classes + 1)];
    *accuracy = p->n ? (double)right / (double)p->n : NAN;
    return failed ? tct_fail_memory(err) : TACIT_OK;
}

void tct_encoded_point(const tct_encoded *people, const tct_encoded_rows *p, size_t row, double *x)
{
    const tct_codec *codec = people->codec, *columns = people->compact ? people->compact : codec;

    memset(x, 0, codec->n_inputs * sizeof *x);
    for (size_t a = 0; a < codec->schema->n_attributes; a++) {
        const tct_domain *to = &codec->domains[a], *from = &columns->domains[a];

        for (size_t i = 0; i < from->width; i++)
            x[to->first + i] = p->x[(from->first + i) * p->n + row];
        if (p->levels && p->levels[a])
            x[to->first + p->levels[a][row]] = 1;
    }
}

/* A codec as `codec`, in which wide categories have no inputs. */
static tacit_status narrow_codec(tct_codec **out, const tct_codec *codec, tacit_error *err)
{
    tacit_status st = tct_codec_new(out, codec->schema, err);

    if (st)
        return st;
    (*out)->n_inputs = 0;
    for (size_t a = 0; a < codec->schema->n_attributes; a++) {
        tct_domain *domain = &(*out)->domains[a];

        domain->first = (*out)->n_inputs;
        domain->width = tct_is_wide(domain) ? 0 : domain->width;
        (*out)->n_inputs += domain->width;
    }
    return TACIT_OK;
}

static tacit_status encode_people(tct_encoded **out, const tacit_table *table, const tct_codec *codec, bool compact,
                                  double test_share, uint64_t seed, size_t threads, tacit_error *err)
{
    tct_encoded *people = NULL;
    tct_binding *binding = NULL;
    job j = {0};
    tacit_status st;

    *out = NULL;
    if (!(test_share >= 0 && test_share < 1))
        return tct_fail(err, TACIT_E_USAGE, "test share must be at least 0 and below 1");
    people = tct_calloc(1, sizeof(*people));
    if (!people)
        return tct_fail_memory(err);
    people->table = table;
    people->codec = codec;
    if ((compact && (st = narrow_codec(&people->compact, codec, err))) ||
        (st = tct_binding_loose(&binding, compact ? people->compact : codec, table->csv, true, err)))
        goto done;
    if (table->problem || binding->lacks) {
        st = tct_faults_table(binding, table, true, err);
        goto done;
    }
    people->cells = tct_calloc(codec->schema->n_attributes, sizeof(*people->cells));
    if (!people->cells) {
        st = tct_fail_memory(err);
        goto done;
    }
    people->d = compact ? people->compact->n_inputs : codec->n_inputs;
    people->test_share = test_share;
    people->seed = seed;
    j.people = people;
    j.binding = binding;
    if ((st = split(&j, err)) || (st = tct_in_parallel(table->n_blocks, threads, encode_and_count, &j, err))) {
        st = tct_faults_instead(st, binding, table, true, err);
        goto done;
    }
    *out = people;
    people = NULL; /* ownership moved to the caller */
done:
    tct_encoded_free(people);
    tct_free(j.first[0]);
    tct_free(j.first[1]);
    tct_binding_free(binding);
    return st;
}

tacit_status tct_encoded_new(tct_encoded **out, const tacit_table *table, const tct_codec *codec, double test_share,
                             uint64_t seed, size_t threads, tacit_error *err)
{
    return encode_people(out, table, codec, false, test_share, seed, threads, err);
}

tacit_status tct_encoded_new_compact(tct_encoded **out, const tacit_table *table, const tct_codec *codec,
                                     double test_share, uint64_t seed, size_t threads, tacit_error *err)
{
    return encode_people(out, table, codec, tct_has_wide(codec), test_share, seed, threads, err);
}

void tct_encoded_free(tct_encoded *people)
{
    if (!people)
        return;
    clear_part(&people->train, people->d, people->codec->schema->n_attributes);
    clear_part(&people->test, people->d, people->codec->schema->n_attributes);
    tct_codec_free(people->compact);
    tct_codec_free(people->own);
    tct_free(people->cells);
    tct_free(people);
}

/* The cell of another codec that a cell is part of. */
static size_t cell_within(const struct tct_cells *cells, size_t cell, const struct tct_cells *wider)
{
    if (cell > cells->n_cuts)
        return wider->n_cuts + 1;
    return cell == 0 ? 0 : tct_cell_of(wider, cells->cuts[cell - 1]);
}

void tct_encoded_recode(tct_encoded *people, tct_codec *codec)
{
    tct_encoded_rows *parts[2] = {&people->train, &people->test};

    for (size_t a = 0; a < codec->schema->n_attributes; a++) {
        const struct tct_cells *from = tct_codec_cells(people->codec, a), *to = tct_codec_cells(codec, a);
        size_t first = codec->domains[a].first, count = people->codec->domains[a].count;

        for (size_t k = 0; k < 2 && from && to; k++) {
            double *x = parts[k]->x + first * parts[k]->n;

            for (size_t r = 0; r < parts[k]->n; r++) {
                size_t cell = count > 1 ? (size_t)lrint((x[r] + 1) / 2 * (double)(count - 1)) : 0;

                tct_codec_value(codec, a, cell_within(from, cell, to), &x[r]);
            }
        }
    }
    tct_codec_free(people->own);
    people->own = codec;
    people->codec = codec;
}

/* What is remembered of the people; only the outcomes where the model is not to be kept. */
static tacit_status make_reference(tct_reference **out, const tct_encoded *people, tacit_error *err)
{
    const tacit_schema *schema = people->codec->schema;

    if (people->with_reference)
        return tct_reference_new(out, people->codec, people->compact ? people->compact : people->codec, people->train.x,
                                 people->train.levels, people->train.n, people->cells, err);
    return tct_reference_make(out, schema->n_attributes, schema->n_classes, err);
}

/* The variables of the training part, one after the other, and the means of all inputs.  NULL on lack of memory. */
static double *collect_variables(const tct_encoded *people, const double *weights, size_t n_scores, size_t n_variables,
                                 double *mean)
{
    const tct_encoded_rows *p = &people->train;
    size_t d = people->codec->n_inputs, n_terms = tct_terms_of(n_scores);
    double *x = tct_malloc(n_variables + 1, p->n * sizeof *x), *to = x;

    for (size_t a = 0; x && a < people->codec->schema->n_attributes; a++) {
        const tct_domain *domain = &people->codec->domains[a], *from = &people->compact->domains[a];

        memcpy(to, p->x + from->first * p->n, from->width * p->n * sizeof *to);
        to += from->width * p->n;
        if (!p->levels[a])
            continue;
        for (size_t l = 0; l < domain->width; l++)
            mean[domain->first + l] = 0;
        for (size_t r = 0; r < p->n; r++)
            mean[domain->first + p->levels[a][r]]++; /* counts are exact */
        for (size_t l = 0; l < domain->width; l++)
            mean[domain->first + l] /= (double)p->n;
        for (size_t j = 0; j < n_terms; j++, to += p->n)
            for (size_t r = 0; r < p->n; r++)
                to[r] = tct_level_term(weights + domain->first + p->levels[a][r], n_scores, d, j);
    }
    return x;
}

/* Mean and covariance where levels were kept: of the variables, in which a wide category is its terms. */
static tacit_status find_moments_by_terms(const tct_encoded *people, const tct_classifier *classifier, double *mean,
                                          double **covariance, size_t threads, tacit_error *err)
{
    const tct_codec *codec = people->codec;
    size_t n_scores = classifier->n_scores, n_terms = tct_terms_of(n_scores), n = people->d, v = 0;
    double *x, *means;

    for (size_t a = 0; a < codec->schema->n_attributes; a++)
        n += people->train.levels[a] ? n_terms : 0;
    *covariance = tct_malloc(n * n, sizeof(double));
    means = tct_malloc(n, sizeof(double));
    x = collect_variables(people, tct_classifier_terms(classifier), n_scores, n, mean);
    if (*covariance && means && x) {
        tct_moments(x, people->train.n, people->train.n, n, means, *covariance, tacit_threads(threads));
        for (size_t a = 0; a < codec->schema->n_attributes;
             v += people->train.levels[a] ? n_terms : codec->domains[a].width, a++)
            if (!people->train.levels[a])
                memcpy(mean + codec->domains[a].first, means + v, codec->domains[a].width * sizeof *mean);
    }
    tct_free_wiped(x, x ? n * people->train.n * sizeof *x : 0);
    if (!*covariance || !means || !x) {
        tct_free(means);
        return tct_fail_memory(err);
    }
    tct_free(means);
    return TACIT_OK;
}

/* Mean and covariance of the training part. */
static tacit_status find_moments(const tct_encoded *people, const tct_classifier *classifier, double **mean,
                                 double **covariance, size_t threads, tacit_error *err)
{
    size_t d = people->codec->n_inputs;

    *mean = tct_malloc(d, sizeof(double));
    if (*mean && people->compact)
        return find_moments_by_terms(people, classifier, *mean, covariance, threads, err);
    *covariance = tct_malloc(d * d, sizeof(double));
    if (!*mean || !*covariance)
        return tct_fail_memory(err);
    tct_moments(people->train.x, people->train.n, people->train.n, d, *mean, *covariance, tacit_threads(threads));
    return TACIT_OK;
}

tacit_status tct_encoded_model(tacit_model **out, const tct_encoded *people, const tacit_schema *schema,
                               tct_classifier *classifier, const tacit_model_info *origin, size_t threads,
                               tacit_error *err)
{
    tacit_model_info info = *origin;
    tacit_schema *copy = NULL;
    tct_reference *reference = NULL;
    double *mean = NULL, *covariance = NULL;
    tacit_status st;

    *out = NULL;
    info.train_rows = people->train.n;
    info.test_rows = people->test.n;
    info.test_share = people->test_share;
    info.seed = people->seed;
    info.clipped = people->counts.clipped;
    info.missing = people->counts.missing;
    info.data_hash = people->table->hash;
    info.data_size = tct_csv_bytes_total(people->table->csv);
    if ((st = make_reference(&reference, people, err)) ||
        (st = measure(&info.train_accuracy, reference->train, people, &people->train, classifier, err)) ||
        (st = measure(&info.test_accuracy, reference->test, people, &people->test, classifier, err)) ||
        (st = tct_schema_copy(&copy, schema, err)) ||
        (st = tct_habits_keep(copy, people->table, err))) /* other files are to be read like this one */
        goto done;
    st = find_moments(people, classifier, &mean, &covariance, threads, err);
    if (st)
        goto done;
    st = tct_model_build(out, copy, classifier, mean, covariance, people->compact != NULL, &info, NULL,
                         people->with_reference ? reference : NULL, NULL, err); /* takes the parts over */
    tct_reference_free(reference);
    return st;
done:
    tct_reference_free(reference);
    classifier->ops->free(classifier);
    tacit_schema_free(copy);
    tct_free(mean);
    tct_free(covariance);
    return st;
}
