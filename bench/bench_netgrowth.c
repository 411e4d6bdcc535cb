/*
 * bench_netgrowth.c -- how the cost of auditing a network grows: with the number of sensitive attributes, with delta,
 * with the size of the network and with the number of threads.
 *
 *   bench_netgrowth [DATA] [--set bank] [--people N] [--epochs N]
 *
 * One table for each, everything else held at |S| = 7, delta = 0, two hidden layers of 10, one thread.  The public call
 * on a file of N held-out people (5000 unless said otherwise, fewer where there are fewer), usual rule, no smallest core
 * sets, mean over three draws of S.  One thread is measured by its processor time, several by the clock on the wall.
 * Exit status 77 when the data are missing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "datasets.h"
#include "stopwatch.h"
#include "tacit.h"

enum { DRAWS = 3, USUAL_SIZE = 7, MAX_SIZE = 12 };
#define USUAL_HIDDEN "10,10"

typedef struct bench {
    const dataset *set;
    tacit_table *table;
    size_t people, epochs;
} bench;

static void stop(const char *what, const tacit_error *err)
{
    fprintf(stderr, "bench_netgrowth: %s: %s\n", what, err ? err->message : "out of memory");
    exit(1);
}

static tacit_model *train(const bench *b, const char *hidden)
{
    tacit_fit_options fit = {.kind = "mlp", .hidden = hidden, .epochs = b->epochs, .test_share = 0.3, .seed = 1};
    tacit_schema *schema = NULL;
    tacit_model *model = NULL;
    tacit_error err;

    if (dataset_schema(&schema, b->set, b->table, 1, &err) || tacit_fit(&model, b->table, schema, &fit, &err))
        stop("training", &err);
    tacit_schema_free(schema);
    return model;
}

/* Tells the audit to end once it has seen enough; what it counted until then is lost, so only the time is used. */
typedef struct enough {
    size_t most;
    uint64_t seen;
    double seconds;
    size_t threads;
} enough;

static bool look(void *context, uint64_t done, uint64_t total)
{
    enough *e = context;

    (void)total;
    e->seen = done;
    e->seconds = work_now(e->threads);
    return done < e->most;
}

/* One line: mean over draws of S of the time per person. */
static void measure(const bench *b, const tacit_model *model, const char *what, size_t size, double delta,
                    size_t threads)
{
    double seconds = 0, asked = 0, answered = 0;
    char list[8192];

    for (uint64_t draw = 1; draw <= DRAWS; draw++) {
        enough e = {.most = b->people, .threads = threads};
        tacit_audit_options options = {.deltas = &delta,
                                       .n_deltas = 1,
                                       .no_opt = true,
                                       .threads = threads,
                                       .part = TACIT_PART_HELD_OUT,
                                       .progress = look,
                                       .progress_context = &e};
        tacit_model *roles = NULL;
        tacit_audit *audit = NULL;
        tacit_error err;
        tacit_status st;
        double start;

        dataset_draw(tacit_model_schema(model), size, draw, list, sizeof(list));
        if (tacit_model_with_roles(&roles, model, list, NULL, &err))
            stop("roles", &err);
        start = work_now(threads);
        st = tacit_audit_table(&audit, roles, b->table, &options, &err);
        if (st && st != TACIT_E_STOPPED)
            stop("audit", &err);
        if (e.seen == 0)
            stop("the audit told nothing of its progress", NULL);
        seconds += (e.seconds - start) / (double)e.seen / DRAWS;
        if (audit) {
            asked += tacit_audit_result_get(audit, 0)->mean_asked;
            answered++;
        }
        tacit_audit_free(audit);
        tacit_model_free(roles);
    }
    printf("  %-26s %12.1f us per person %12.0f people/s", what, 1e6 * seconds, 1 / seconds);
    if (answered > 0)
        printf("   asked %.2f", asked / answered);
    putchar('\n');
    fflush(stdout);
}

static void run_all(const bench *b)
{
    static const size_t sizes[] = {2, 4, 6, 7, 8, 10, MAX_SIZE};
    static const double deltas[] = {0, 0.05, 0.1, 0.2};
    static const char *const networks[] = {"5,5", USUAL_HIDDEN, "20,20", "40,40", "10,10,10"};
    tacit_model *usual = train(b, USUAL_HIDDEN);
    size_t attributes = tacit_schema_attributes(tacit_model_schema(usual));
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    char what[64];

    printf("\nsensitive attributes\n");
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]) && sizes[i] <= attributes; i++) {
        snprintf(what, sizeof(what), "|S| = %zu", sizes[i]);
        measure(b, usual, what, sizes[i], 0, 1);
    }
    printf("\ndelta\n");
    for (size_t i = 0; i < sizeof(deltas) / sizeof(deltas[0]); i++) {
        snprintf(what, sizeof(what), "delta = %g", deltas[i]);
        measure(b, usual, what, USUAL_SIZE, deltas[i], 1);
    }
    printf("\nthreads (clock on the wall)\n");
    for (size_t threads = 1; threads <= (size_t)cores; threads *= 2) {
        snprintf(what, sizeof(what), "%zu thread%s", threads, threads == 1 ? "" : "s");
        measure(b, usual, what, USUAL_SIZE, 0, threads);
    }
    tacit_model_free(usual);
    printf("\nhidden layers\n");
    for (size_t i = 0; i < sizeof(networks) / sizeof(networks[0]); i++) {
        tacit_model *model = train(b, networks[i]);

        measure(b, model, networks[i], USUAL_SIZE, 0, 1);
        tacit_model_free(model);
    }
}

static bool read_options(int argc, char **argv, bench *b, const char **folder)
{
    b->set = dataset_find("bank");
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] != '-') {
            *folder = argv[i];
            continue;
        }
        if (i + 1 == argc)
            return false;
        if (strcmp(argv[i], "--set") == 0)
            b->set = dataset_find(argv[i + 1]);
        else if (strcmp(argv[i], "--people") == 0)
            b->people = strtoul(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--epochs") == 0)
            b->epochs = strtoul(argv[i + 1], NULL, 10);
        else
            return false;
        i++;
    }
    return b->set && b->people > 0;
}

int main(int argc, char **argv)
{
    bench b = {.people = 5000};
    const char *folder = "../shared/data";
    tacit_error err;
    bool missing;

    if (!read_options(argc, argv, &b, &folder)) {
        fprintf(stderr, "usage: bench_netgrowth [DATA] [--set bank] [--people N] [--epochs N]\n");
        return 2;
    }
    if (dataset_read(&b.table, b.set, folder, 0, &missing, &err))
        stop("reading", &err);
    if (missing)
        return DATASET_MISSING;
    printf("%s; unless said otherwise |S| = %d, delta = 0, hidden layers %s, one thread\n", b.set->name, USUAL_SIZE,
           USUAL_HIDDEN);
    run_all(&b);
    tacit_table_free(b.table);
    return 0;
}
