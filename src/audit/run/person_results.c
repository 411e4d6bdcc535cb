/*
 * person_results.c -- see person_results.h.
 */
#include "person_results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "audit.h"

struct tct_keeper {
    const tct_job *job;
    tct_plan *plan;
    const tct_stage *start;
    tct_walker *walker;
    double *person; /* inputs of one */
    tct_person_results *results;
};

/* ---- results ---- */

void tct_person_results_free(tct_person_results *r)
{
    if (!r)
        return;
    tct_arena_clear(&r->arena);
    tct_free(r);
}

static tacit_status new_results(tct_person_results **out, size_t n, const tct_job *job, tacit_error *err)
{
    tct_person_results *r = tct_calloc(1, sizeof *r);
    size_t all = n * job->n_deltas;
    tacit_status st;

    *out = NULL;
    if (!r)
        return tct_fail_memory(err);
    r->n = n;
    r->n_deltas = job->n_deltas;
    r->n_words = (job->n_sensitive + 63) / 64;
    r->rows = tct_take(&r->arena, n, sizeof *r->rows);
    r->full = tct_take(&r->arena, n, 1);
    r->labels = tct_take(&r->arena, all, 1);
    r->settled = tct_take(&r->arena, all, 1);
    r->asked = tct_take(&r->arena, all, sizeof *r->asked);
    r->probabilities = tct_take(&r->arena, all, sizeof *r->probabilities);
    r->sets = tct_take(&r->arena, all * r->n_words, sizeof *r->sets);
    r->views = tct_take(&r->arena, r->n_deltas, sizeof *r->views);
    st = tct_arena_check(&r->arena, err);
    if (st)
        tct_person_results_free(r);
    else
        *out = r;
    return st;
}

/* ---- the keeper ---- */

tacit_status tct_keeper_new(tct_keeper **out, const tct_job *job, tct_plan *plan, const tct_stage *start,
                            tacit_error *err)
{
    tct_keeper *k = tct_calloc(1, sizeof *k);
    tacit_status st = TACIT_OK;

    *out = NULL;
    if (!k)
        return tct_fail_memory(err);
    k->job = job;
    k->plan = plan;
    k->start = start;
    k->person = tct_calloc(job->model->codec->n_inputs, sizeof *k->person);
    st = k->person ? tct_walker_new(&k->walker, plan, job->passes[0].rule, job->options->seed, err)
                   : tct_fail_memory(err);
    if (st)
        tct_keeper_free(k);
    else
        *out = k;
    return st;
}

void tct_keeper_free(tct_keeper *k)
{
    if (!k)
        return;
    tct_walker_free(k->walker);
    tct_free_wiped(k->person, k->job->model->codec->n_inputs * sizeof *k->person);
    tct_person_results_free(k->results);
    tct_free(k);
}

tacit_status tct_keeper_begin(tct_keeper *k, size_t n, const uint64_t *rows, tacit_error *err)
{
    tacit_status st;

    tct_person_results_free(k->results);
    k->results = NULL;
    st = new_results(&k->results, n, k->job, err);
    if (!st && n > 0)
        memcpy(k->results->rows, rows, n * sizeof *rows);
    return st;
}

/* How likely the label is after these answers. */
static tacit_status guess(tct_keeper *k, const double *x, size_t stride, const tct_outcome *o, double *probability,
                          tacit_error *err)
{
    const tct_stage *mark = tct_plan_mark(k->plan), *stage = k->start;
    tacit_status st = TACIT_OK;
    tct_look look;

    for (size_t i = 0; i < k->job->model->codec->n_inputs; i++)
        k->person[i] = x[i * stride];
    for (size_t i = 0; i < o->end.asked && !st; i++)
        st = tct_plan_step(k->plan, stage, k->job->sensitive[o->order[i]], &stage, err);
    if (!st) {
        tct_walker_guess(k->walker, stage, k->person, &look);
        *probability = look.probability;
        tct_walker_next_person(k->walker);
    }
    tct_plan_forget(k->plan, mark, NULL);
    return st;
}

tacit_status tct_keeper_note(tct_keeper *k, size_t p, const double *x, size_t stride, uint8_t full, size_t delta_index,
                             const tct_outcome *o, double probability, tacit_error *err)
{
    tct_person_results *r = k->results;
    size_t at = delta_index * r->n + p;
    tacit_status st = TACIT_OK;

    if (o->end.settled != TACIT_LIKELY)
        probability = 1;
    else if (isnan(probability))
        st = guess(k, x, stride, o, &probability, err);
    r->full[p] = full;
    r->labels[at] = (uint8_t)o->end.label;
    r->settled[at] = (uint8_t)o->end.settled;
    r->asked[at] = (uint16_t)o->end.asked;
    r->probabilities[at] = probability;
    for (size_t i = 0; i < o->end.asked; i++)
        r->sets[at * r->n_words + o->order[i] / 64] |= (uint64_t)1 << o->order[i] % 64;
    return st;
}

/* ---- all blocks ---- */

tacit_status tct_person_list_add(tct_person_list *list, tct_keeper *k, uint64_t file, uint64_t sequence,
                                 tacit_error *err)
{
    struct tct_person_block *blocks;

    if (!k->results)
        return TACIT_OK; /* nobody of the block was counted */
    blocks = tct_grow(list->blocks, &list->room, list->n + 1, sizeof *blocks);
    if (!blocks)
        return tct_fail_memory(err);
    list->blocks = blocks;
    list->blocks[list->n++] = (struct tct_person_block){file, sequence, k->results};
    k->results = NULL;
    return TACIT_OK;
}

void tct_person_list_clear(tct_person_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        tct_person_results_free(list->blocks[i].results);
    tct_free(list->blocks);
    *list = (tct_person_list){0};
}

static int compare_blocks(const void *a, const void *b)
{
    const struct tct_person_block *left = a, *right = b;

    if (left->file != right->file)
        return left->file < right->file ? -1 : 1;
    return left->sequence < right->sequence ? -1 : left->sequence > right->sequence;
}

/* A block to its place, from person `at` on. */
static void copy_block(tct_person_results *to, const tct_person_results *from, size_t at)
{
    memcpy(to->rows + at, from->rows, from->n * sizeof *to->rows);
    memcpy(to->full + at, from->full, from->n);
    for (size_t d = 0; d < to->n_deltas; d++) {
        size_t there = d * to->n + at, here = d * from->n;

        memcpy(to->labels + there, from->labels + here, from->n);
        memcpy(to->settled + there, from->settled + here, from->n);
        memcpy(to->asked + there, from->asked + here, from->n * sizeof *to->asked);
        memcpy(to->probabilities + there, from->probabilities + here, from->n * sizeof *to->probabilities);
        memcpy(to->sets + there * to->n_words, from->sets + here * to->n_words,
               from->n * to->n_words * sizeof *to->sets);
    }
}

static void set_views(tct_person_results *r)
{
    for (size_t d = 0; d < r->n_deltas; d++)
        r->views[d] = (tacit_audit_people){.people = r->n,
                                           .rows = r->rows,
                                           .labels = r->labels + d * r->n,
                                           .full_labels = r->full,
                                           .settled = r->settled + d * r->n,
                                           .asked = r->asked + d * r->n,
                                           .probabilities = r->probabilities + d * r->n,
                                           .asked_sets = r->sets + d * r->n * r->n_words,
                                           .n_words = r->n_words};
}

tacit_status tct_person_list_join(tct_person_results **out, tct_person_list *list, const tct_job *job, tacit_error *err)
{
    tct_person_results *all = NULL;
    size_t n = 0;
    tacit_status st;

    *out = NULL;
    if (list->n > 1)
        qsort(list->blocks, list->n, sizeof *list->blocks, compare_blocks);
    for (size_t i = 0; i < list->n; i++)
        n += list->blocks[i].results->n;
    st = new_results(&all, n, job, err);
    if (!st)
        set_views(all);
    n = 0;
    for (size_t i = 0; i < list->n && !st; i++) {
        copy_block(all, list->blocks[i].results, n);
        n += list->blocks[i].results->n;
    }
    if (st)
        tct_person_results_free(all);
    else
        *out = all;
    return st;
}

/* ---- public ---- */

const tacit_audit_people *tacit_audit_people_get(const tacit_audit *audit, size_t delta_index)
{
    return audit->people && delta_index < audit->people->n_deltas ? &audit->people->views[delta_index] : NULL;
}

const char *tacit_audit_rows(const tacit_audit *audit, size_t *size)
{
    if (size)
        *size = audit->rows.size;
    return audit->rows.bytes;
}
