/*
 * bench_network.c -- people per second of a proven audit of a network against the paper's algorithm written plainly
 * (literal_network.c: Monte Carlo with 1000 samples, grid with Delta = 0.2), same run.
 *
 *   bench_network [DATA] [--set bank] [--draws N] [--size N] [--hidden 10,10] [--epochs N] [--adam]
 *
 * Bank data, ordinal codes, ReLU network of two hidden layers of 10 trained as in the paper, delta = 0; S drawn at
 * random in each draw, held-out people.  The literal algorithm takes people at random until its time is up; the audit
 * takes blocks of encoded people one after the other likewise, by the margin rule (the usual one) and the paper's own.
 * The public call on the table as text (encode, then decide, everybody held out) is timed too.  All by one thread and
 * its processor time; the public call by two threads and the clock on the wall as well, so run it on a machine that is
 * not busy.  Data with two classes only.  Exit status 77 when the data are missing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "auditor.h"
#include "datasets.h"
#include "encoded.h"
#include "literal.h"
#include "literal_network.h"
#include "mlp.h"
#include "stopwatch.h"
#include "tacit.h"

enum { BLOCK = 256, MAX_DRAWS = 100, MAX_THREADS = 2 };

#define LITERAL_SECONDS 3.0
#define AUDIT_SECONDS 1.0
#define TARGET 100.0

typedef struct contest {
    const char *name;
    tacit_rule rule;
} contest;

static const contest contests[] = {{"margin rule", TACIT_RULE_MARGIN}, {"entropy rule", TACIT_RULE_ENTROPY}};
enum { N_CONTESTS = sizeof(contests) / sizeof(contests[0]) };

/* Seconds per person, and mean number asked. */
typedef struct timing {
    double seconds, asked;
} timing;

typedef struct score {
    timing literal[MAX_THREADS]; /* always one thread; by the clock used for 1 and for 2 threads */
    double literal_fidelity, literal_points;
    timing decide[N_CONTESTS], table[N_CONTESTS][MAX_THREADS];
} score;

typedef struct run_options {
    const char *folder, *set, *hidden;
    size_t draws, size, epochs;
    bool adam;
} run_options;

static void stop(const char *what, const tacit_error *err)
{
    fprintf(stderr, "bench_network: %s: %s\n", what, err ? err->message : "out of memory");
    exit(1);
}

/* ---- the literal algorithm ---- */

static void time_literal(const tacit_model *model, const tct_encoded_rows *people, uint64_t seed, score *out)
{
    const tct_mlp *mlp = tct_as_mlp(model->classifier);
    size_t sensitive[LITERAL_MAX_INPUTS], d = mlp->sizes[0];
    literal_network network = {.n_layers = mlp->n_layers,
                               .sizes = mlp->sizes,
                               .weights = (const double *const *)mlp->weights,
                               .bias = (const double *const *)mlp->bias,
                               .mean = model->mean,
                               .covariance = model->covariance,
                               .sensitive = sensitive,
                               .samples = LITERAL_SAMPLES};
    literal_random random = {.state = seed};
    literal_network_outcome outcome;
    double x[LITERAL_MAX_INPUTS], done = 0, asked = 0, right = 0, points = 0;
    double start[MAX_THREADS] = {work_now(1), work_now(2)};
    uint64_t state = seed;

    for (size_t a = 0; a < model->schema->n_attributes; a++)
        if (model->schema->attributes[a].role == TACIT_SENSITIVE)
            sensitive[network.n_sensitive++] = model->codec->domains[a].first;
    while (done < 10 || work_now(1) - start[0] < LITERAL_SECONDS) {
        size_t person = dataset_random(&state) % people->n;

        for (size_t i = 0; i < d; i++)
            x[i] = people->x[i * people->n + person];
        literal_network_release(&network, x, 0, &random, &outcome);
        asked += (double)outcome.asked;
        points += (double)outcome.points;
        right += outcome.label == literal_network_label(&network, x);
        done++;
    }
    for (size_t t = 0; t < MAX_THREADS; t++)
        out->literal[t] = (timing){(work_now(t + 1) - start[t]) / done, asked / done};
    out->literal_fidelity = right / done;
    out->literal_points = points / done;
}

/* ---- the audit ---- */

/* Deciding and counting encoded people, from the start of the part on, until the time is up. */
static timing time_decide(const tacit_model *model, const tct_encoded_rows *people, const contest *c)
{
    static const double zero[] = {0};
    tacit_audit_options options = {.deltas = zero, .n_deltas = 1, .rule = c->rule, .no_opt = true};
    size_t d = model->codec->n_inputs, done = 0;
    double *x = malloc(BLOCK * d * sizeof(*x)), spent = 0, asked = 0;
    tct_worker *worker = NULL;
    const tct_tally *tally;
    tct_job *job = NULL;
    tacit_error err;

    if (!x)
        stop("people", NULL);
    if (tct_job_new(&job, model, &options, &err) || tct_worker_new(&worker, job, &err))
        stop("audit", &err);
    while (spent < AUDIT_SECONDS) {
        size_t first = done % people->n, n = people->n - first < BLOCK ? people->n - first : BLOCK;
        double start;

        for (size_t i = 0; i < d; i++)
            memcpy(x + i * n, people->x + i * people->n + first, n * sizeof(*x));
        start = work_now(1);
        if (tct_worker_count(worker, x, n, NULL, NULL, NULL, NULL, &err))
            stop("audit", &err);
        spent += work_now(1) - start;
        done += n;
    }
    tally = tct_worker_tally(worker, 0);
    for (size_t k = 0; k <= tally->n_sensitive; k++)
        asked += (double)(k * tally->histogram[k]);
    tct_worker_free(worker);
    tct_job_free(job);
    free(x);
    return (timing){spent / (double)done, asked / (double)done};
}

/* The public call on the table as text. */
static timing time_table(const tacit_model *model, const tacit_table *table, const contest *c, size_t threads)
{
    static const double zero[] = {0};
    tacit_audit_options options = {.deltas = zero,
                                   .n_deltas = 1,
                                   .rule = c->rule,
                                   .no_opt = true,
                                   .threads = threads,
                                   .part = TACIT_PART_HELD_OUT};
    const tacit_audit_result *result;
    tacit_audit *audit = NULL;
    double start = work_now(threads);
    tacit_error err;
    timing out;

    if (tacit_audit_table(&audit, model, table, &options, &err))
        stop("audit", &err);
    result = tacit_audit_result_get(audit, 0);
    out = (timing){(work_now(threads) - start) / (double)result->people, result->mean_asked};
    if (result->agree != result->people)
        stop("a proven decision differs from the full-information one", NULL);
    tacit_audit_free(audit);
    return out;
}

/* ---- draws ---- */

static tacit_model *train(const dataset *set, const tacit_table *table, const run_options *run, uint64_t seed)
{
    tacit_fit_options fit = {.kind = "mlp",
                             .hidden = run->hidden,
                             .epochs = run->epochs,
                             .adam = run->adam,
                             .test_share = 0.3,
                             .seed = seed};
    tacit_schema *schema = NULL;
    tacit_model *model = NULL;
    tacit_error err;
    char list[8192];
    double start;

    if (dataset_schema(&schema, set, table, seed, &err))
        stop("schema", &err);
    dataset_draw(schema, run->size, seed, list, sizeof(list));
    if (tacit_schema_set_roles(schema, list, NULL, &err))
        stop("schema", &err);
    start = work_now(2);
    if (tacit_fit(&model, table, schema, &fit, &err))
        stop("training", &err);
    printf("draw %llu: S = %s; trained in %.1f s\n", (unsigned long long)seed, list, work_now(2) - start);
    tacit_schema_free(schema);
    return model;
}

static void run_draw(const dataset *set, const tacit_table *table, const run_options *run, uint64_t seed, score *s)
{
    tacit_model *model = train(set, table, run, seed);
    tct_encoded *people = NULL;
    tacit_error err;

    if (model->classifier->n_scores != 1)
        stop("the literal algorithm is written for two classes", NULL);
    if (tct_encoded_new(&people, table, model->codec, 0.3, seed, 0, &err))
        stop("encoding", &err);
    time_literal(model, &people->test, seed, s);
    printf("  literal %9.1f us per person (asked %.3f, fidelity %.4f, %.0f grid points)\n", 1e6 * s->literal[0].seconds,
           s->literal[0].asked, s->literal_fidelity, s->literal_points);
    for (size_t c = 0; c < N_CONTESTS; c++) {
        s->decide[c] = time_decide(model, &people->test, &contests[c]);
        for (size_t t = 0; t < MAX_THREADS; t++)
            s->table[c][t] = time_table(model, table, &contests[c], t + 1);
        printf("  %-12s %9.2f us per person (asked %.3f)\n", contests[c].name, 1e6 * s->decide[c].seconds,
               s->table[c][0].asked);
    }
    fflush(stdout);
    tct_encoded_free(people);
    tacit_model_free(model);
}

static void print_line(const char *what, double seconds, double literal)
{
    printf("  %-44s %14.1f people/s %10.0f x\n", what, 1 / seconds, literal / seconds);
}

/* Mean time per person over all draws. */
static void print_summary(const score *all, size_t draws, size_t c)
{
    double literal[MAX_THREADS] = {0}, decide = 0, table[MAX_THREADS] = {0}, n = (double)draws;

    for (size_t k = 0; k < draws; k++) {
        decide += all[k].decide[c].seconds / n;
        for (size_t t = 0; t < MAX_THREADS; t++) {
            literal[t] += all[k].literal[t].seconds / n;
            table[t] += all[k].table[c][t].seconds / n;
        }
    }
    printf("\n%s, mean over %zu draws\n", contests[c].name, draws);
    print_line("literal algorithm, T = 1000, grid, 1 thread", literal[0], literal[0]);
    print_line("audit, encoded people, 1 thread", decide, literal[0]);
    print_line("audit, table as text, 1 thread", table[0], literal[0]);
    print_line("audit, table as text, 2 threads", table[1], literal[1]);
    printf("  target %.0f x: %s\n", TARGET, literal[0] / decide >= TARGET ? "met" : "not met");
}

static bool read_options(int argc, char **argv, run_options *run)
{
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;

        if (strcmp(argv[i], "--adam") == 0) {
            run->adam = true;
        } else if (argv[i][0] != '-') {
            run->folder = argv[i];
        } else if (!value) {
            return false;
        } else {
            if (strcmp(argv[i], "--set") == 0)
                run->set = value;
            else if (strcmp(argv[i], "--hidden") == 0)
                run->hidden = value;
            else if (strcmp(argv[i], "--draws") == 0)
                run->draws = strtoul(value, NULL, 10);
            else if (strcmp(argv[i], "--size") == 0)
                run->size = strtoul(value, NULL, 10);
            else if (strcmp(argv[i], "--epochs") == 0)
                run->epochs = strtoul(value, NULL, 10);
            else
                return false;
            i++;
        }
    }
    return run->draws >= 1 && run->draws <= MAX_DRAWS && run->size >= 1 && run->size <= 9 && dataset_find(run->set);
}

int main(int argc, char **argv)
{
    static score scores[MAX_DRAWS];
    run_options run = {.folder = "../shared/data", .set = "bank", .hidden = "10,10", .draws = 3, .size = 7};
    const dataset *set;
    tacit_table *table = NULL;
    tacit_error err;
    bool missing;

    if (!read_options(argc, argv, &run)) {
        fprintf(stderr, "usage: bench_network [DATA] [--set bank] [--draws N] [--size N] [--hidden 10,10] [--epochs N] "
                        "[--adam]\n");
        return 2;
    }
    set = dataset_find(run.set);
    if (dataset_read(&table, set, run.folder, 0, &missing, &err))
        stop("reading", &err);
    if (missing)
        return DATASET_MISSING;
    printf("%s, |S| = %zu, network %s, delta = 0, held-out people\n", set->name, run.size, run.hidden);
    for (size_t k = 0; k < run.draws; k++)
        run_draw(set, table, &run, k + 1, &scores[k]);
    for (size_t c = 0; c < N_CONTESTS; c++)
        print_summary(scores, run.draws, c);
    tacit_table_free(table);
    return 0;
}
