/*
 * touched.c -- people with a clipped or missing cell, counted once more.
 *
 * Blocks are counted many people at a time, without a note of who was given which label: that is what makes it fast.
 * Few people have such cells, so they alone go a second time through a worker of their own, which has neither Opt nor
 * groups nor rows.  Its `truth` is the classifier's own label on the values as they are: then `correct` counts those who
 * were given it.  A block without such cells costs nothing, one without a mistake (always, at delta = 0) no second walk.
 */
#include "touched.h"

enum { CLIPPED = TCT_HAD_CLIPPED, MISSING = TCT_HAD_MISSING | TCT_HAD_UNKNOWN };

struct tct_touched {
    tacit_audit_options options;
    tct_job job; /* shares the lists of the run's */
    tct_worker *worker;
};

void tct_touched_free(tct_touched *t)
{
    if (t)
        tct_worker_free(t->worker);
    tct_free(t);
}

/* The second worker, made when it is needed first. */
static tacit_status prepare(tct_thread_buffers *d, const tct_run *r, tacit_error *err)
{
    if (!d->touched) {
        d->touched = tct_calloc(1, sizeof *d->touched);
        if (!d->touched)
            return tct_fail_memory(err);
        d->touched->options = *r->options;
        d->touched->options.no_opt = d->touched->options.no_needs = true;
        d->touched->options.keep_people = false;
        d->touched->job = *r->job;
        d->touched->job.options = &d->touched->options;
        d->touched->job.want_rows = d->touched->job.opt_sampled = false;
        d->touched->job.people = NULL; /* they were counted before */
        d->touched->job.groupings = NULL;
    }
    return d->touched->worker ? TACIT_OK : tct_worker_new(&d->touched->worker, &d->touched->job, err);
}

/* Some people of a block. */
typedef struct few {
    const tct_block *part;
    size_t n, inputs;
    size_t *who;  /* n: places in the block */
    double *x;    /* input i of the k-th at x[i * n + k] */
    int32_t *own; /* n: the classifier's own label on the values as they are; NULL: not asked for */
} few;

static void few_clear(few *f)
{
    tct_free_wiped(f->who, f->n * sizeof *f->who);
    tct_free_wiped(f->x, f->n * f->inputs * sizeof *f->x);
    tct_free_wiped(f->own, f->n * sizeof *f->own);
}

/* Those with a cell of the kind: n of them. */
static tacit_status pick(few *f, const tct_thread_buffers *d, int kind, bool own, tacit_error *err)
{
    size_t rows = f->part->n_rows, k = 0;

    f->who = tct_malloc(f->n, sizeof *f->who);
    f->x = tct_malloc(f->n * f->inputs, sizeof *f->x);
    f->own = own ? tct_malloc(f->n, sizeof *f->own) : NULL;
    if (!f->who || !f->x || (own && !f->own))
        return tct_fail_memory(err);
    for (size_t p = 0; p < rows; p++)
        if (d->had[p] & kind)
            f->who[k++] = p;
    for (size_t i = 0; i < f->inputs; i++)
        for (k = 0; k < f->n; k++)
            f->x[i * f->n + k] = d->x[i * rows + f->who[k]];
    return TACIT_OK;
}

/* One person's values as they are: numbers outside their domain where they would be if it went on. */
static void unclip(const tct_run *r, const tct_block *part, size_t p, double *person)
{
    const tct_codec *codec = r->model->codec;

    for (size_t a = 0; a < codec->schema->n_attributes; a++) {
        const tacit_attribute *attribute = &codec->schema->attributes[a];
        tct_datum value = tct_datum_at(r->csv, part, p, r->binding->columns[a]);
        int64_t days;
        double v;

        if (attribute->type == TACIT_CATEGORY || !(attribute->max > attribute->min))
            continue;
        if (attribute->dates && tct_datum_date(&value, attribute->dates, &days))
            v = (double)days;
        else if (!tct_datum_number(r->csv, &value, &v))
            continue;
        if (v < attribute->min || v > attribute->max)
            person[codec->domains[a].first] = 2 * ((v - attribute->min) / (attribute->max - attribute->min)) - 1;
    }
}

/* What the classifier itself says about them. */
static tacit_status label_unclipped(const tct_run *r, few *f, tacit_error *err)
{
    const tct_classifier *classifier = r->model->classifier;
    double *person = tct_malloc(f->inputs, sizeof *person), *scores = tct_malloc(classifier->n_scores, sizeof *scores);
    tacit_status st = person && scores ? TACIT_OK : tct_fail_memory(err);

    for (size_t k = 0; k < f->n && !st; k++) {
        for (size_t i = 0; i < f->inputs; i++)
            person[i] = f->x[i * f->n + k];
        unclip(r, f->part, f->who[k], person);
        classifier->ops->scores(classifier, person, 1, scores);
        f->own[k] = (int32_t)tct_label(scores, classifier->n_scores);
    }
    tct_free_wiped(person, f->inputs * sizeof *person);
    tct_free_wiped(scores, classifier->n_scores * sizeof *scores);
    return st;
}

/* How many of them are given the label with everything known, and the classifier's own, at every delta. */
static tacit_status count_released(const tct_run *r, tct_thread_buffers *d, const few *f, uint64_t own, int kind,
                                   bool agreed, tacit_error *err)
{
    tct_released *released = tct_worker_quality(d->worker)->released;
    tacit_status st = agreed ? TACIT_OK : prepare(d, r, err);

    if (!st && !agreed)
        st = tct_worker_count(d->touched->worker, f->x, f->n, f->own, NULL, NULL, NULL, err);
    for (size_t i = 0; i < r->job->n_deltas && !st; i++) {
        tct_tally *tally = agreed ? NULL : tct_worker_tally(d->touched->worker, i);

        if (kind == CLIPPED) {
            released[i].clipped_agree += agreed ? f->n : tally->agree;
            released[i].clipped_own += agreed ? own : tally->correct;
        } else {
            released[i].missing_agree += agreed ? f->n : tally->agree;
        }
        if (tally) /* the next block begins anew */
            tally->agree = tally->correct = 0;
    }
    return st;
}

/* Those of one kind. */
static tacit_status count_kind(const tct_run *r, tct_thread_buffers *d, const tct_block *part, int kind, bool agreed,
                               tacit_error *err)
{
    bool wants_own = kind == CLIPPED && r->model->info.origin == TACIT_ORIGIN_IMPORTED;
    const uint8_t *decided = tct_worker_decided(d->worker);
    tct_quality *q = tct_worker_quality(d->worker);
    few f = {.part = part, .inputs = r->model->codec->n_inputs};
    uint64_t own = 0;
    tacit_status st;

    for (size_t p = 0; p < part->n_rows; p++)
        f.n += (d->had[p] & kind) != 0;
    if (f.n == 0)
        return TACIT_OK;
    st = pick(&f, d, kind, wants_own, err);
    if (!st && wants_own)
        st = label_unclipped(r, &f, err);
    for (size_t k = 0; k < f.n && !st && wants_own; k++)
        own += f.own[k] == decided[f.who[k]];
    q->unclipped.people += wants_own ? f.n : 0;
    q->unclipped.agree += own;
    if (!st)
        st = count_released(r, d, &f, own, kind, agreed, err);
    few_clear(&f);
    return st;
}

uint64_t tct_touched_mistakes(const tct_run *r, const tct_thread_buffers *d)
{
    uint64_t mistakes = 0;

    for (size_t i = 0; i < r->job->n_deltas; i++)
        mistakes += tct_worker_tally(d->worker, i)->people - tct_worker_tally(d->worker, i)->agree;
    return mistakes;
}

tacit_status tct_touched_block(const tct_run *r, tct_thread_buffers *d, const tct_block *part, bool agreed,
                               tacit_error *err)
{
    tacit_status st = count_kind(r, d, part, CLIPPED, agreed, err);

    return st ? st : count_kind(r, d, part, MISSING, agreed, err);
}
