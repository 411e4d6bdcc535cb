/*
 * bench_twins.c -- what each fast way of an audit is worth: the same audit with the plain one in its place.
 *
 *   bench_twins MODEL PEOPLE.csv [ROUNDS]
 *
 * People go from the file through splitting, encoding, deciding at five deltas with 0 among them, smallest sets, what
 * could have been kept and five groups; one thread, processor time, the best of ROUNDS (default 3), all variants in
 * turns.  The gain is the share of the audit that the plain way would add: 50 % means that without it an audit takes
 * twice as long.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "auditor.h"
#include "csv.h"
#include "encode.h"
#include "model.h"
#include "simd.h"
#include "stopwatch.h"
#include "tacit.h"

static const double deltas[] = {0, 0.05, 0.1, 0.2, 0.3};
enum { N_DELTAS = sizeof(deltas) / sizeof(*deltas), N_GROUPS = 5 };

/* An audit with some plain ways. */
typedef struct variant {
    const char *name;
    unsigned plain;             /* TCT_PLAIN_* */
    tct_simd reading, counting; /* levels that are allowed */
} variant;

static const variant variants[] = {
    {"every fast way", 0, TCT_SIMD_LEVELS, TCT_SIMD_LEVELS},
    {"wide registers while reading", 0, TCT_SIMD_PLAIN, TCT_SIMD_LEVELS},
    {"wide registers while counting", 0, TCT_SIMD_LEVELS, TCT_SIMD_PLAIN},
    {"chain (delta > 0)", TCT_PLAIN_CHAIN, TCT_SIMD_LEVELS, TCT_SIMD_LEVELS},
    {"batch walk (delta = 0)", TCT_PLAIN_BATCH_WALK, TCT_SIMD_LEVELS, TCT_SIMD_LEVELS},
    {"smallest sets side by side", TCT_PLAIN_SMALLEST, TCT_SIMD_LEVELS, TCT_SIMD_LEVELS},
    {"needs side by side", TCT_PLAIN_NEEDS, TCT_SIMD_LEVELS, TCT_SIMD_LEVELS},
    {"groups by bins", TCT_PLAIN_GROUPS, TCT_SIMD_LEVELS, TCT_SIMD_LEVELS},
};
enum { N_VARIANTS = sizeof(variants) / sizeof(*variants) };

static void check(tacit_status st, const char *what, const tacit_error *err)
{
    if (!st)
        return;
    fprintf(stderr, "bench_twins: %s: %s\n", what, err->message);
    exit(1);
}

/* Everybody of a block into one of the groups. */
static void deal_groups(tct_worker *worker, size_t from, size_t n, size_t *groups)
{
    tacit_error err;

    for (size_t p = 0; p < n; p++) {
        char name[8];
        uint32_t value;

        snprintf(name, sizeof name, "g%zu", (size_t)(tct_mix(from + p, 1) % N_GROUPS));
        check(tct_sorter_value(tct_worker_sorter(worker), 0, name, strlen(name), &value, &err), "groups", &err);
        check(tct_sorter_person(tct_worker_sorter(worker), &value, false, groups + p, &err), "groups", &err);
    }
}

/* Seconds of one audit; *asked: questions at every delta, the same whichever way. */
static double run(const variant *v, const tacit_model *model, const char *path, const tct_groupings *groupings,
                  uint64_t *asked)
{
    const tacit_audit_options options = {.deltas = deltas, .n_deltas = N_DELTAS};
    const tacit_csv_options how = {0};
    tct_encode_counts counts = {0};
    tct_binding *binding = NULL;
    tct_block block = {0};
    tct_worker *worker = NULL;
    tct_job *job = NULL;
    tct_csv *csv = NULL;
    double *x = NULL, spent = 0;
    int32_t *labels = NULL;
    size_t *groups = NULL, room = 0, seen = 0;
    tacit_error err;

    check(tct_csv_open(&csv, path, &how, &err), path, &err);
    check(tct_binding_new(&binding, model->codec, csv, false, &err), "columns", &err);
    check(tct_job_new(&job, model, &options, &err), "audit", &err);
    job->plain = v->plain;
    job->groupings = groupings;
    check(tct_worker_new(&worker, job, &err), "audit", &err);
    for (;;) {
        double start = processor_now();

        tct_simd_limit(v->reading);
        check(tct_csv_next(csv, &block, &err), "reading", &err);
        if (block.n_rows == 0)
            break;
        check(tct_csv_split(csv, &block, &err), "splitting", &err);
        if (block.n_rows > room) {
            room = block.n_rows * 5 / 4;
            free(x);
            free(labels);
            free(groups);
            x = malloc(room * model->codec->n_inputs * sizeof *x);
            labels = malloc(room * sizeof *labels);
            groups = malloc(room * sizeof *groups);
            if (!x || !labels || !groups)
                exit(1);
        }
        check(tct_encode_block(binding, &block, x, labels, &counts, &err), "encoding", &err);
        spent += processor_now() - start;
        deal_groups(worker, seen, block.n_rows, groups);
        seen += block.n_rows;
        tct_simd_limit(v->counting);
        start = processor_now();
        check(tct_worker_count(worker, x, block.n_rows, labels, groups, NULL, NULL, &err), "counting", &err);
        spent += processor_now() - start;
    }
    *asked = 0;
    for (size_t i = 0; i < N_DELTAS; i++)
        for (size_t a = 0; a < job->n_sensitive; a++)
            *asked = tct_mix(*asked, tct_worker_tally(worker, i)->asked[a] + tct_worker_tally(worker, i)->spare[a]);
    tct_simd_limit(TCT_SIMD_LEVELS);
    free(x);
    free(labels);
    free(groups);
    tct_worker_free(worker);
    tct_job_free(job);
    tct_binding_free(binding);
    tct_block_clear(&block);
    tct_csv_close(csv);
    return spent;
}

int main(int argc, char **argv)
{
    size_t rounds = argc > 3 ? strtoul(argv[3], NULL, 10) : 3;
    double best[N_VARIANTS];
    uint64_t asked[N_VARIANTS];
    tct_groupings *groupings = NULL;
    tacit_model *model = NULL;
    tacit_error err;

    if (argc < 3) {
        fprintf(stderr, "usage: bench_twins MODEL PEOPLE.csv [ROUNDS]\n");
        return 2;
    }
    check(tacit_model_load(&model, argv[1], &err), argv[1], &err);
    check(tct_groupings_new(&groupings, &err), "groups", &err);
    check(tct_groupings_add_column(groupings, "group", &err), "groups", &err);
    for (size_t round = 0; round < (rounds ? rounds : 1); round++)
        for (size_t i = 0; i < N_VARIANTS; i++) {
            double now = run(&variants[i], model, argv[2], groupings, &asked[i]);

            best[i] = round == 0 || now < best[i] ? now : best[i];
        }
    printf("%-32s %14s %8s\n", "audit without", "processor s", "gain");
    for (size_t i = 0; i < N_VARIANTS; i++) {
        if (asked[i] != asked[0]) {
            fprintf(stderr, "bench_twins: %s: counts other people\n", variants[i].name);
            return 1;
        }
        if (i == 0)
            printf("%-32s %14.3f\n", "nothing", best[0]);
        else
            printf("%-32s %14.3f %7.0f %%\n", variants[i].name, best[i], 100 * (1 - best[0] / best[i]));
    }
    tct_groupings_free(groupings);
    tacit_model_free(model);
    return 0;
}
