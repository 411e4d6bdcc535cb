/*
 * bench_audit.c -- people per second of an audit against the paper's algorithm written plainly (literal.c), same run.
 *
 *   bench_audit [DATA] [--draws N] [--size N]
 *
 * Bank data, ordinal codes, logistic regression; S drawn at random in each draw.  Both sides start from the same
 * encoded people in memory and answer the same question: how many attributes are asked at each delta.  The literal
 * algorithm takes people at random from all of them until its time is up, and runs once per delta, as in the paper
 * (where delta > 0 it does not stop at a proof, so it asks a little more); the audit takes everybody, all deltas in one
 * pass, over and over until its time is up.  The audit of the table as text (encode, then decide) is timed too.
 * One thread is timed by processor time, two by the clock on the wall (and then compared with the literal algorithm by
 * the same clock), so run it on a machine that is not busy.  Exit status 77 when the data are missing.
 */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "auditor.h"
#include "literal.h"
#include "model.h"
#include "stopwatch.h"
#include "tacit.h"

enum { BLOCK = 4096, MAX_DRAWS = 100, EXIT_MISSING = 77, MAX_THREADS = 2 };

#define LITERAL_SECONDS 0.5 /* per delta */
#define AUDIT_SECONDS 0.5
#define TARGET_ENTROPY 1e4
#define TARGET_MARGIN 1e3

static const double five_deltas[] = {0.01, 0.05, 0.1, 0.2, 0.3}, zero_delta[] = {0};

/* One of the two comparisons. */
typedef struct contest {
    const char *name;
    tacit_rule rule;
    const double *deltas;
    size_t n_deltas;
    double target;
} contest;

static const contest contests[] = {
    {"entropy rule, delta 0.01 0.05 0.1 0.2 0.3", TACIT_RULE_ENTROPY, five_deltas, 5, TARGET_ENTROPY},
    {"margin rule, delta 0", TACIT_RULE_MARGIN, zero_delta, 1, TARGET_MARGIN},
};
enum { N_CONTESTS = sizeof(contests) / sizeof(contests[0]) };

/* Seconds per person, and mean number asked (over deltas). */
typedef struct timing {
    double seconds, asked;
} timing;

typedef struct score {
    timing literal[MAX_THREADS]; /* always one thread; by the clock used for 1 and for 2 threads */
    timing decide[MAX_THREADS], table[MAX_THREADS];
    double setup; /* seconds, once per audit and thread */
} score;

/* Everybody, encoded: block after block, each with its inputs one after the other. */
typedef struct crowd {
    double *x;
    size_t n, d;
} crowd;

static uint64_t mix_bits(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static void stop(const char *what, const tacit_error *err)
{
    fprintf(stderr, "bench_audit: %s: %s\n", what, err ? err->message : "out of memory");
    exit(1);
}

static size_t block_size(const crowd *people, size_t block)
{
    size_t rest = people->n - block * BLOCK;

    return rest < BLOCK ? rest : BLOCK;
}

static double input_of(const crowd *people, size_t person, size_t input)
{
    size_t block = person / BLOCK;

    return people->x[block * BLOCK * people->d + input * block_size(people, block) + person % BLOCK];
}

static void encode_crowd(crowd *out, const tacit_model *model, const tacit_table *table)
{
    tct_binding *binding = NULL;
    tct_encode_counts counts = {0};
    tacit_error err;
    size_t d = model->codec->n_inputs, person = 0;

    *out = (crowd){.x = malloc(table->n_rows * d * sizeof(double)), .n = table->n_rows, .d = d};
    if (!out->x)
        stop("people", NULL);
    if (tct_binding_new(&binding, model->codec, table->csv, false, &err))
        stop("columns", &err);
    for (size_t b = 0; b < table->n_blocks; b++) {
        size_t n = table->blocks[b].n_rows;
        double *x = malloc(n * d * sizeof(*x));

        if (!x)
            stop("people", NULL);
        if (tct_encode_block(binding, &table->blocks[b], x, NULL, &counts, &err))
            stop("encoding", &err);
        for (size_t r = 0; r < n; r++, person++)
            for (size_t i = 0; i < d; i++)
                out->x[person / BLOCK * BLOCK * d + i * block_size(out, person / BLOCK) + person % BLOCK] =
                    x[i * n + r];
        free(x);
    }
    tct_binding_free(binding);
}

/* ---- the literal algorithm ---- */

static void time_literal(const tacit_model *model, const crowd *people, const contest *c, uint64_t seed, timing *out)
{
    const tct_linear *linear = tct_as_linear(model->classifier);
    size_t sensitive[LITERAL_MAX_INPUTS];
    literal_problem problem = {.n_inputs = people->d,
                               .n_classes = 2,
                               .weights = linear->weights,
                               .bias = linear->bias,
                               .mean = model->mean,
                               .covariance = model->covariance,
                               .sensitive = sensitive,
                               .samples = LITERAL_SAMPLES};

    for (size_t a = 0; a < tacit_schema_attributes(model->schema); a++)
        if (tacit_schema_attribute(model->schema, a)->role == TACIT_SENSITIVE)
            sensitive[problem.n_sensitive++] = model->codec->domains[a].first;
    for (size_t k = 0; k < c->n_deltas; k++) {
        literal_random random = {.state = seed};
        literal_outcome outcome = {.estimates = NULL};
        double start[MAX_THREADS] = {work_now(1), work_now(2)}, asked = 0, done = 0, x[LITERAL_MAX_INPUTS];
        uint64_t state = seed;

        while (done < 10 || work_now(1) - start[0] < LITERAL_SECONDS) {
            size_t person = (size_t)(mix_bits(&state) % people->n);

            for (size_t i = 0; i < people->d; i++)
                x[i] = input_of(people, person, i);
            literal_release(&problem, x, c->deltas[k], &random, &outcome);
            asked += (double)outcome.asked;
            done++;
        }
        for (size_t t = 0; t < MAX_THREADS; t++) {
            out[t].seconds += (work_now(t + 1) - start[t]) / done;
            out[t].asked += asked / done / (double)c->n_deltas;
        }
    }
}

/* ---- the audit ---- */

static double mean_asked(tct_worker **workers, size_t n_workers, size_t n_deltas)
{
    double asked = 0, people = 0;

    for (size_t w = 0; w < n_workers; w++)
        for (size_t i = 0; i < n_deltas; i++) {
            const tct_tally *tally = tct_worker_tally(workers[w], i);

            people += (double)tally->people;
            for (size_t k = 0; k <= tally->n_sensitive; k++)
                asked += (double)(k * tally->histogram[k]);
        }
    return asked / people;
}

/* Deciding and counting encoded people. */
static timing time_decide(const tacit_model *model, const crowd *people, const contest *c, size_t threads,
                          double *setup)
{
    tacit_audit_options options = {.deltas = c->deltas, .n_deltas = c->n_deltas, .rule = c->rule, .no_opt = true};
    size_t n_blocks = (people->n + BLOCK - 1) / BLOCK, rounds = 0;
    tct_worker *workers[MAX_THREADS] = {NULL};
    tct_job *job = NULL;
    tacit_error err;
    bool failed = false;
    timing out;
    double start = work_now(threads);

    if (tct_job_new(&job, model, &options, &err))
        stop("audit", &err);
    for (size_t t = 0; t < threads; t++)
        if (tct_worker_new(&workers[t], job, &err))
            stop("audit", &err);
    *setup = (work_now(threads) - start) / (double)threads;
    start = work_now(threads);
    while (work_now(threads) - start < AUDIT_SECONDS) {
#pragma omp parallel for num_threads((int)threads) schedule(dynamic) reduction(|| : failed)
        for (size_t b = 0; b < n_blocks; b++)
            failed = failed || tct_worker_count(workers[omp_get_thread_num()], people->x + b * BLOCK * people->d,
                                                block_size(people, b), NULL, NULL, NULL, NULL, NULL);
        rounds++;
    }
    out.seconds = (work_now(threads) - start) / (double)rounds / (double)people->n;
    out.asked = mean_asked(workers, threads, c->n_deltas);
    for (size_t t = 0; t < threads; t++)
        tct_worker_free(workers[t]);
    tct_job_free(job);
    if (failed)
        stop("audit failed", NULL);
    return out;
}

/* The public call on the table as text. */
static timing time_table(const tacit_model *model, const tacit_table *table, const contest *c, size_t threads)
{
    tacit_audit_options options = {
        .deltas = c->deltas, .n_deltas = c->n_deltas, .rule = c->rule, .no_opt = true, .threads = threads};
    size_t rounds = 0;
    timing out = {0};
    double start = work_now(threads);

    while (work_now(threads) - start < AUDIT_SECONDS) {
        tacit_audit *audit = NULL;
        tacit_error err;

        if (tacit_audit_table(&audit, model, table, &options, &err))
            stop("audit", &err);
        out.asked = 0;
        for (size_t i = 0; i < c->n_deltas; i++)
            out.asked += tacit_audit_result_get(audit, i)->mean_asked / (double)c->n_deltas;
        tacit_audit_free(audit);
        rounds++;
    }
    out.seconds = (work_now(threads) - start) / (double)rounds / (double)tacit_table_rows(table);
    return out;
}

/* ---- draws ---- */

static tacit_model *train(const tacit_table *table, size_t size, uint64_t seed)
{
    tacit_infer_options infer = {.label = "y", .encoding = TACIT_ORDINAL, .test_share = 0.3, .seed = seed};
    tacit_fit_options fit = {.l2 = 1, .test_share = 0.3, .seed = seed};
    tacit_schema *schema = NULL;
    tacit_model *model = NULL;
    tacit_error err;
    char list[4096] = "";
    uint64_t state = seed;
    size_t n, used = 0;

    if (tacit_schema_infer(&schema, table, &infer, &err))
        stop("schema", &err);
    n = tacit_schema_attributes(schema);
    for (size_t i = 0, left = size; i < n && left > 0; i++)
        if (mix_bits(&state) % (n - i) < left) {
            used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s", used ? "," : "",
                                     tacit_schema_attribute(schema, i)->name);
            left--;
        }
    if (tacit_schema_set_roles(schema, list, NULL, &err) || tacit_fit(&model, table, schema, &fit, &err))
        stop("training", &err);
    printf("draw %llu: S = %s\n", (unsigned long long)seed, list);
    tacit_schema_free(schema);
    return model;
}

static void run_draw(const tacit_table *table, size_t size, uint64_t seed, score *scores)
{
    tacit_model *model = train(table, size, seed);
    crowd people;

    encode_crowd(&people, model, table);
    for (size_t c = 0; c < N_CONTESTS; c++) {
        score *s = &scores[c];

        time_literal(model, &people, &contests[c], seed, s->literal);
        for (size_t t = 0; t < MAX_THREADS; t++) {
            s->decide[t] = time_decide(model, &people, &contests[c], t + 1, &s->setup);
            s->table[t] = time_table(model, table, &contests[c], t + 1);
        }
        printf("  %-42s literal %9.1f us (asked %.3f) | audit %8.4f us (asked %.3f), 2 threads %8.4f us\n",
               contests[c].name, 1e6 * s->literal[0].seconds, s->literal[0].asked, 1e6 * s->decide[0].seconds,
               s->decide[0].asked, 1e6 * s->decide[1].seconds);
    }
    fflush(stdout);
    free(people.x);
    tacit_model_free(model);
}

static void print_line(const char *what, double seconds, double literal)
{
    printf("  %-44s %14.0f people/s %12.0f x\n", what, 1 / seconds, literal / seconds);
}

/* Mean time per person over all draws. */
static void print_summary(const score *all, size_t draws, size_t c)
{
    double literal[MAX_THREADS] = {0}, decide[MAX_THREADS] = {0}, table[MAX_THREADS] = {0}, setup = 0,
           n = (double)draws;

    for (size_t k = 0; k < draws; k++) {
        const score *s = &all[k * N_CONTESTS + c];

        setup += s->setup / n;
        for (size_t t = 0; t < MAX_THREADS; t++) {
            literal[t] += s->literal[t].seconds / n;
            decide[t] += s->decide[t].seconds / n;
            table[t] += s->table[t].seconds / n;
        }
    }
    printf("\n%s, mean over %zu draws\n", contests[c].name, draws);
    print_line("literal algorithm, T = 1000, 1 thread", literal[0], literal[0]);
    print_line("audit, encoded people, 1 thread", decide[0], literal[0]);
    print_line("audit, encoded people, 2 threads", decide[1], literal[1]);
    print_line("audit, table as text, 1 thread", table[0], literal[0]);
    print_line("audit, table as text, 2 threads", table[1], literal[1]);
    printf("  set-up of a thread, once per audit: %.3f ms; target %.0f x: %s with 1 thread, %s with 2\n", 1e3 * setup,
           contests[c].target, literal[0] / decide[0] >= contests[c].target ? "met" : "not met",
           literal[1] / decide[1] >= contests[c].target ? "met" : "not met");
}

int main(int argc, char **argv)
{
    static score scores[MAX_DRAWS * N_CONTESTS];
    const char *folder = "../shared/data";
    tacit_csv_options csv = {.separator = ';'};
    tacit_table *table = NULL;
    tacit_error err;
    char path[4096];
    size_t draws = 10, size = 7;
    FILE *probe;

    for (int i = 1; i < argc; i++) {
        if (i + 1 < argc && strcmp(argv[i], "--draws") == 0)
            draws = strtoul(argv[++i], NULL, 10);
        else if (i + 1 < argc && strcmp(argv[i], "--size") == 0)
            size = strtoul(argv[++i], NULL, 10);
        else
            folder = argv[i];
    }
    if (folder[0] == '-' || draws < 1 || draws > MAX_DRAWS || size < 1 || size > 16) {
        fprintf(stderr, "usage: bench_audit [DATA] [--draws N] [--size N]\n");
        return 2;
    }
    snprintf(path, sizeof(path), "%s/bank/bank-full.csv", folder);
    probe = fopen(path, "rb");
    if (!probe) {
        printf("bench_audit: no file %s: nothing to measure\n", path);
        return EXIT_MISSING;
    }
    fclose(probe);
    if (tacit_table_read(&table, path, &csv, 0, &err))
        stop("reading", &err);
    printf("bank, |S| = %zu, %zu people, microseconds per person (asked: mean number, over deltas)\n", size,
           tacit_table_rows(table));
    for (size_t k = 0; k < draws; k++)
        run_draw(table, size, k + 1, scores + k * N_CONTESTS);
    for (size_t c = 0; c < N_CONTESTS; c++)
        print_summary(scores, draws, c);
    tacit_table_free(table);
    return 0;
}
