/*
 * calibrate.c -- walks people under all levels of a calibration at once and counts those stopped as likely.
 *
 * One walk by the entropy rule serves every level, because the order of questions does not depend on when asking stops.
 * A person stopped as likely at level k is on a margin of it when the level so many steps further would have gone on
 * from there; so the walk knows a few more levels than the calibration has rows.
 */
#include "calibrate.h"

#include <omp.h>
#include <string.h>

#include "arena.h"
#include "chain.h"
#include "faults.h"

enum { N_PROMISES = TCT_LEVELS + TCT_MOST_STEPS };

struct tct_calibrator {
    const tacit_model *model;
    tct_promise promises[N_PROMISES];
    tct_plan *plan;
    const tct_stage *start; /* public attributes known */
    tct_chain *chain;       /* NULL: no common order, but a walker */
    tct_walker *walker;
    tct_arena arena;  /* the lists below */
    tct_ending *ends; /* N_PROMISES x TCT_TILE */
    uint8_t full[TCT_TILE];
    tct_stop stops[N_PROMISES];
    size_t *asked;
    double *person, *scores;
    uint64_t people;
    tacit_calibration_row rows[TCT_LEVELS]; /* counts only */
};

tacit_status tct_calibrator_new(tct_calibrator **out, const tacit_model *model, tacit_error *err)
{
    tct_calibrator *c = tct_calloc(1, sizeof *c);
    tacit_status st;

    *out = NULL;
    if (!c)
        return tct_fail_memory(err);
    c->model = model;
    for (size_t k = 0; k < N_PROMISES; k++)
        c->promises[k] = tct_promise_nominal(tct_calibration_level(k));
    c->ends = tct_take(&c->arena, N_PROMISES * TCT_TILE, sizeof *c->ends);
    c->asked = tct_take(&c->arena, model->schema->n_attributes, sizeof *c->asked);
    c->person = tct_take(&c->arena, model->codec->n_inputs, sizeof *c->person);
    c->scores = tct_take(&c->arena, model->classifier->n_scores, sizeof *c->scores);
    st = tct_arena_check(&c->arena, err);
    if (!st)
        st = tct_plan_new(&c->plan, model, err);
    if (!st)
        st = tct_plan_public(c->plan, &c->start, err);
    if (!st)
        st = tct_chain_new(&c->chain, c->plan, c->start, TACIT_RULE_ENTROPY, c->promises, N_PROMISES, err);
    if (!st && !c->chain)
        st = tct_walker_new(&c->walker, c->plan, TACIT_RULE_ENTROPY, 0, err);
    if (st)
        tct_calibrator_free(c);
    else
        *out = c;
    return st;
}

void tct_calibrator_free(tct_calibrator *c)
{
    if (!c)
        return;
    tct_chain_free(c->chain);
    tct_walker_free(c->walker);
    tct_plan_free(c->plan);
    tct_arena_clear(&c->arena);
    tct_free_wiped(c, sizeof *c);
}

/* One person: where each promise was kept, and the label with everything known. */
static void count_person(tct_calibrator *c, const tct_ending ends[N_PROMISES], size_t full)
{
    c->people++;
    for (size_t k = 0; k < TCT_LEVELS && ends[k].settled == TACIT_LIKELY; k++) {
        bool failed = ends[k].label != full;

        c->rows[k].stopped++;
        c->rows[k].failed += failed;
        for (size_t m = 0; m < TACIT_MARGINS; m++) {
            const tct_ending *further = &ends[k + tct_margin_steps[m]];
            bool marginal = further->settled != TACIT_LIKELY || further->asked != ends[k].asked;

            c->rows[k].marginal[m] += marginal;
            c->rows[k].marginal_failed[m] += failed && marginal;
        }
    }
}

static void count_chain(tct_calibrator *c, const double *x, size_t stride, size_t n)
{
    tct_chain_labels(tct_additive(c->model->classifier), x, stride, n, c->full);
    tct_chain_tile(c->chain, x, stride, n, c->full, c->ends);
    for (size_t p = 0; p < n; p++) {
        tct_ending ends[N_PROMISES];

        for (size_t k = 0; k < N_PROMISES; k++)
            ends[k] = c->ends[k * TCT_TILE + p];
        count_person(c, ends, c->full[p]);
    }
}

static tacit_status count_walk(tct_calibrator *c, const double *x, size_t stride, tacit_error *err)
{
    const tct_classifier *classifier = c->model->classifier;
    tct_ending ends[N_PROMISES];
    tacit_status st;

    for (size_t i = 0; i < c->model->codec->n_inputs; i++)
        c->person[i] = x[i * stride];
    st = tct_walker_run(c->walker, c->start, c->person, NULL, c->promises, N_PROMISES, c->stops, c->asked, err);
    tct_walker_next_person(c->walker);
    if (st)
        return st;
    for (size_t k = 0; k < N_PROMISES; k++)
        ends[k] = c->stops[k].end;
    classifier->ops->scores(classifier, c->person, 1, c->scores);
    count_person(c, ends, tct_label(c->scores, classifier->n_scores));
    return TACIT_OK;
}

tacit_status tct_calibrator_count(tct_calibrator *c, const double *x, size_t stride, size_t n, tacit_error *err)
{
    tacit_status st = TACIT_OK;

    for (size_t at = 0; c->chain && at < n; at += TCT_TILE)
        count_chain(c, x + at, stride, n - at < TCT_TILE ? n - at : TCT_TILE);
    for (size_t p = 0; c->walker && p < n && !st; p++)
        st = count_walk(c, x + p, stride, err);
    return st;
}

void tct_calibrator_add(const tct_calibrator *c, tct_calibration *into)
{
    into->people += c->people;
    for (size_t k = 0; k < TCT_LEVELS; k++) {
        into->rows[k].stopped += c->rows[k].stopped;
        into->rows[k].failed += c->rows[k].failed;
        for (size_t m = 0; m < TACIT_MARGINS; m++) {
            into->rows[k].marginal[m] += c->rows[k].marginal[m];
            into->rows[k].marginal_failed[m] += c->rows[k].marginal_failed[m];
        }
    }
}

/* ---------------------------------------------------------------- a table */

typedef struct run {
    const tacit_model *model;
    const tacit_table *table;
    const tacit_calibrate_options *options;
    tct_binding *binding;
    tct_calibrator **calibrators; /* one per thread */
    size_t n_threads;
    uint64_t done; /* rows */
    tacit_status status;
    tacit_error error;
} run;

/* The people of the part asked for, encoded.  kept and cells: room for all rows of the block. */
static tacit_status encode_part(const run *r, const tct_block *block, uint64_t *kept, tct_cell *cells, double *x,
                                size_t *n, tacit_error *err)
{
    size_t columns = tct_csv_columns(r->table->csv);
    tct_block part = *block;
    tct_encode_counts counts = {0};

    part.n_rows = 0;
    part.rows = kept;
    part.cells = cells;
    for (size_t i = 0; i < block->n_rows; i++) {
        if (r->options->part == TACIT_PART_HELD_OUT &&
            !tct_held_out(r->model->info.seed, r->model->info.test_share, tct_block_row(block, i)))
            continue;
        memcpy(cells + part.n_rows * columns, block->cells + i * columns, columns * sizeof *cells);
        kept[part.n_rows++] = tct_block_row(block, i);
    }
    *n = part.n_rows;
    return tct_encode_block(r->binding, &part, x, NULL, &counts, err);
}

/* One tile by one thread; the first failure is kept. */
static void count_tile(run *r, const double *x, size_t stride, size_t n)
{
    tacit_error err = {0};
    tacit_status st = TACIT_OK;
    bool stop;

#pragma omp critical(tct_calibrate)
    stop = r->status != TACIT_OK;
    if (stop)
        return;
    st = tct_calibrator_count(r->calibrators[omp_get_thread_num()], x, stride, n, &err);
#pragma omp critical(tct_calibrate)
    {
        r->done += n;
        if (!st && r->options->progress &&
            !r->options->progress(r->options->progress_context, r->done, r->table->n_rows))
            st = tct_fail(&err, TACIT_E_STOPPED, "stopped");
        if (st && !r->status) {
            r->status = st;
            r->error = err;
        }
    }
}

static tacit_status count_block(run *r, const tct_block *block, tacit_error *err)
{
    enum { SHARE = 64 }; /* people a thread takes at a time: few, because networks take long over each */
    size_t d = r->model->codec->n_inputs, columns = tct_csv_columns(r->table->csv), n = 0;
    double *x = tct_malloc(block->n_rows * d, sizeof *x);
    uint64_t *kept = tct_malloc(block->n_rows, sizeof *kept);
    tct_cell *cells = tct_malloc(block->n_rows * columns, sizeof *cells);
    tacit_status st = x && kept && cells ? encode_part(r, block, kept, cells, x, &n, err) : tct_fail_memory(err);

    if (!st) {
#pragma omp parallel for num_threads((int)r->n_threads) schedule(dynamic)
        for (size_t at = 0; at < n; at += SHARE)
            count_tile(r, x + at, n, n - at < SHARE ? n - at : SHARE);
        r->done += block->n_rows - n; /* rows of the other part */
        st = r->status;
        if (st && err)
            *err = r->error;
    }
    tct_free_wiped(x, block->n_rows * d * sizeof *x);
    tct_free_wiped(cells, block->n_rows * columns * sizeof *cells);
    tct_free(kept);
    return st;
}

static tacit_status check_request(const run *r, tacit_error *err)
{
    const tacit_calibrate_options *options = r->options;
    bool training_file = strcmp(r->table->hash, r->model->data_hash) == 0;
    const char *path = tct_csv_path(r->table->csv);

    if (options->alpha != 0 && !(options->alpha >= TCT_LEAST_ALPHA && options->alpha < 1))
        return tct_fail(err, TACIT_E_USAGE, "alpha must be at least %g and below 1", TCT_LEAST_ALPHA);
    if (options->part == TACIT_PART_TRAIN)
        return tct_fail(err, TACIT_E_USAGE, "a calibration needs people the model was not trained on");
    if (options->part == TACIT_PART_ALL && training_file)
        return tct_fail_at(err, TACIT_E_INPUT, path, 0, NULL,
                           "the file the model was trained on: only its held-out part can calibrate");
    if (options->part == TACIT_PART_HELD_OUT && !training_file)
        return tct_fail_at(err, TACIT_E_INPUT, path, 0, NULL,
                           "not the file the model was trained on, so there is no held-out part in it");
    return TACIT_OK;
}

static tacit_status count_table(run *r, tct_calibration *out, tacit_error *err)
{
    tacit_status st = TACIT_OK;

    for (size_t i = 0; i < r->n_threads && !st; i++)
        st = tct_calibrator_new(&r->calibrators[i], r->model, err);
    for (size_t b = 0; b < r->table->n_blocks && !st; b++)
        st = count_block(r, &r->table->blocks[b], err);
    for (size_t i = 0; i < r->n_threads && !st; i++)
        tct_calibrator_add(r->calibrators[i], out);
    if (!st && out->people > TCT_MOST_PEOPLE)
        st = tct_fail_at(err, TACIT_E_INPUT, tct_csv_path(r->table->csv), 0, NULL, "more than %d people",
                         TCT_MOST_PEOPLE);
    if (!st && out->people == 0)
        st = tct_fail_at(err, TACIT_E_INPUT, tct_csv_path(r->table->csv), 0, NULL, "no people to calibrate with");
    return st;
}

tacit_status tacit_model_calibrate(tacit_model **out, const tacit_model *model, const tacit_table *table,
                                   const tacit_calibrate_options *options, tacit_error *err)
{
    tacit_calibrate_options own;
    run r = {.model = model, .table = table, .options = &own};
    tct_calibration calibration = {0};
    tacit_status st = TCT_OPTIONS_TAKE(&own, tacit_calibrate_options, progress_context, options, err);

    *out = NULL;
    if (!st)
        st = check_request(&r, err);
    if (st)
        return st;
    calibration.alpha = own.alpha > 0 ? own.alpha : 0.05;
    memcpy(calibration.data_hash, table->hash, sizeof calibration.data_hash);
    r.n_threads = tacit_threads(r.options->threads);
    r.calibrators = tct_calloc(r.n_threads, sizeof(*r.calibrators));
    st = r.calibrators ? tct_binding_loose(&r.binding, model->codec, table->csv, false, err) : tct_fail_memory(err);
    if (!st) {
        r.binding->unknown_as_missing = r.options->unknown_as_missing;
        st = table->problem || r.binding->lacks
                 ? tct_faults_table(r.binding, table, false, err)
                 : tct_faults_instead(count_table(&r, &calibration, err), r.binding, table, false, err);
    }
    if (!st) {
        tct_calibration_derive(&calibration);
        st = tct_model_with_calibration(out, model, &calibration, err);
    }
    for (size_t i = 0; r.calibrators && i < r.n_threads; i++)
        tct_calibrator_free(r.calibrators[i]);
    tct_free(r.calibrators);
    tct_binding_free(r.binding);
    return st;
}
