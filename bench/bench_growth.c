/*
 * bench_growth.c -- how the cost of an audit grows: with the number of sensitive attributes, and of rows.
 *
 *   bench_growth [--most-rows N] [--threads N]
 *   bench_growth --rows N [--threads N]
 *
 * Made-up people, seeded, written to a temporary folder.  The first table audits the same file with |S| = 5 ... 50
 * sensitive attributes out of 60, the literal algorithm of the paper beside it on a few people.  The second one streams
 * 10^4 ... 10^7 rows of a mixed data set through a named pipe into an audit in a process of its own, and shows the peak
 * memory of that process: it must not depend on the number of rows.  With --rows only that, for N rows (1e8, say): they
 * are made on the fly and never stored.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "literal.h"
#include "model.h"
#include "stopwatch.h"
#include "tacit.h"

enum {
    WIDE = 60, /* attributes of the first table */
    WIDE_ROWS = 20000,
    MIXED_ROWS = 20000, /* rows the second model is trained on, and the period of the stream */
    FACTORS = 6,
    MAX_LINE = 1024
};

/* in the temporary folder */
#define WIDE_CSV "wide.csv"
#define MIXED_CSV "mixed.csv"
#define MIXED_MODEL "mixed.tacit"
#define ROWS_PIPE "rows.csv"

static const double five_deltas[] = {0.01, 0.05, 0.1, 0.2, 0.3};

typedef struct bench_random {
    uint64_t state;
} bench_random;

static double draw_uniform(bench_random *random)
{
    uint64_t z = (random->state += 0x9e3779b97f4a7c15u);

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return ((double)((z ^ (z >> 31)) >> 11) + 0.5) * 0x1p-53;
}

static double draw_normal(bench_random *random)
{
    return sqrt(-2 * log(draw_uniform(random))) * cos(6.283185307179586 * draw_uniform(random));
}

static void stop(const char *what, const tacit_error *err)
{
    fprintf(stderr, "bench_growth: %s: %s\n", what, err ? err->message : strerror(errno));
    exit(1);
}

/* ---- made-up people ---- */

/* Sixty numbers that share a few hidden factors, and a label that depends on all of them. */
static void write_wide(const char *path)
{
    static double loading[WIDE][FACTORS], weight[WIDE];
    bench_random random = {1};
    FILE *file = fopen(path, "w");

    if (!file)
        stop(path, NULL);
    for (size_t i = 0; i < WIDE; i++) {
        weight[i] = draw_normal(&random) * exp(draw_normal(&random));
        for (size_t k = 0; k < FACTORS; k++)
            loading[i][k] = draw_normal(&random) * 0.5;
        fprintf(file, "a%zu,", i + 1);
    }
    fprintf(file, "y\n");
    for (size_t r = 0; r < WIDE_ROWS; r++) {
        double factor[FACTORS], score = 2 * draw_normal(&random);

        for (size_t k = 0; k < FACTORS; k++)
            factor[k] = draw_normal(&random);
        for (size_t i = 0; i < WIDE; i++) {
            double v = draw_normal(&random);

            for (size_t k = 0; k < FACTORS; k++)
                v += loading[i][k] * factor[k];
            score += weight[i] * v;
            fprintf(file, "%.4f,", v);
        }
        fprintf(file, "%s\n", score > 0 ? "yes" : "no");
    }
    if (fclose(file))
        stop(path, NULL);
}

/* One row of a mixed data set: six numbers, three integers, three categories, label. */
static int format_mixed(char *line, size_t room, bench_random *random)
{
    double f = draw_normal(random), g = draw_normal(random), v[6], score = draw_normal(random);
    int children = (int)fabs(f + draw_normal(random) * 1.5), visits = (int)fabs(3 * g + draw_normal(random) * 2);
    int year = 1990 + (int)(10 + 5 * f + 3 * draw_normal(random));
    static const char *const jobs[] = {"clerk", "cook", "driver", "nurse", "teacher", "welder"};
    static const char *const homes[] = {"own", "rent", "parents"};
    size_t job = (size_t)(draw_uniform(random) * 6), home = (size_t)(draw_uniform(random) * 3);

    for (size_t i = 0; i < 6; i++) {
        v[i] = (i % 2 ? f : g) + draw_normal(random);
        score += v[i] * (1.5 - 0.4 * (double)i);
    }
    score += children - 1 + 0.8 * (double)home - 0.3 * (double)job;
    return snprintf(line, room, "%.3f,%.3f,%.2f,%.2f,%.1f,%.4f,%d,%d,%d,%s,%s,%s,%s\n", v[0], v[1], v[2], v[3], v[4],
                    v[5], children, visits, year, jobs[job], homes[home], f > 0.5 ? "yes" : "no",
                    score > 0 ? "good" : "bad");
}

static const char mixed_header[] =
    "income,debt,savings,rent,term,rate,children,visits,since,job,home,married,outcome\n";

/* MIXED_ROWS rows as one text. */
static char *make_mixed(size_t *size)
{
    bench_random random = {7};
    char *text = malloc((size_t)MIXED_ROWS * MAX_LINE);

    if (!text)
        stop("mixed rows", NULL);
    *size = 0;
    for (size_t r = 0; r < MIXED_ROWS; r++)
        *size += (size_t)format_mixed(text + *size, MAX_LINE, &random);
    return text;
}

static tacit_model *train(const tacit_table *table, const char *label)
{
    tacit_infer_options infer = {.label = label, .encoding = TACIT_ORDINAL, .test_share = 0.3, .seed = 1};
    tacit_fit_options fit = {.l2 = 1, .test_share = 0.3, .seed = 1};
    tacit_schema *schema = NULL;
    tacit_model *model = NULL;
    tacit_error err;

    if (tacit_schema_infer(&schema, table, &infer, &err) || tacit_fit(&model, table, schema, &fit, &err))
        stop("training", &err);
    tacit_schema_free(schema);
    return model;
}

/* ---- growth with |S| ---- */

typedef struct timing {
    double microseconds; /* per person */
    double asked;        /* mean over people and promises */
} timing;

static timing time_audit(const tacit_model *model, const tacit_table *table, tacit_rule rule, const double *deltas,
                         size_t n, size_t threads)
{
    tacit_audit_options options = {.deltas = deltas, .n_deltas = n, .rule = rule, .threads = threads, .no_opt = true};
    timing out = {0};
    tacit_audit *audit = NULL;
    tacit_error err;
    double start = clock_now(), people;

    if (tacit_audit_table(&audit, model, table, &options, &err))
        stop("audit", &err);
    people = (double)tacit_audit_summary_get(audit)->people;
    out.microseconds = 1e6 * (clock_now() - start) / people;
    for (size_t i = 0; i < n; i++)
        out.asked += tacit_audit_result_get(audit, i)->mean_asked / (double)n;
    tacit_audit_free(audit);
    return out;
}

/* The literal algorithm for about a second, on the first people of the table's first block. */
static timing time_literal(const tacit_model *model, const double *x, size_t stride, size_t people,
                           const double *deltas, size_t n)
{
    const tct_linear *linear = tct_as_linear(model->classifier);
    size_t sensitive[WIDE], d = model->classifier->n_inputs, done = 0;
    literal_problem problem = {.n_inputs = d,
                               .n_classes = 2,
                               .weights = linear->weights,
                               .bias = linear->bias,
                               .mean = model->mean,
                               .covariance = model->covariance,
                               .sensitive = sensitive,
                               .samples = LITERAL_SAMPLES};
    literal_random random = {.state = 1};
    literal_outcome outcome = {.estimates = NULL};
    timing out = {0};
    double start = clock_now(), row[LITERAL_MAX_INPUTS];

    for (size_t a = 0; a < tacit_schema_attributes(model->schema); a++)
        if (tacit_schema_attribute(model->schema, a)->role == TACIT_SENSITIVE)
            sensitive[problem.n_sensitive++] = model->codec->domains[a].first;
    while (done < people && (done < 2 || clock_now() - start < 1)) {
        for (size_t i = 0; i < d; i++)
            row[i] = x[i * stride + done];
        for (size_t k = 0; k < n; k++) {
            literal_release(&problem, row, deltas[k], &random, &outcome);
            out.asked += (double)outcome.asked / (double)n;
        }
        done++;
    }
    out.microseconds = 1e6 * (clock_now() - start) / (double)done;
    out.asked /= (double)done;
    return out;
}

static void encode_first_block(const tacit_model *model, const tacit_table *table, double **x, size_t *n)
{
    tct_binding *binding = NULL;
    tct_encode_counts counts = {0};
    tacit_error err;

    *n = table->blocks[0].n_rows;
    *x = calloc(*n * model->codec->n_inputs, sizeof(**x));
    if (!*x || tct_binding_new(&binding, model->codec, table->csv, false, &err) ||
        tct_encode_block(binding, &table->blocks[0], *x, NULL, &counts, &err))
        stop("encoding", *x ? &err : NULL);
    tct_binding_free(binding);
}

static void grow_attributes(size_t threads)
{
    static const double zero[] = {0};
    char list[MAX_LINE];
    tacit_table *table = NULL;
    tacit_model *model;
    tacit_error err;
    double *x = NULL;
    size_t n = 0;

    write_wide(WIDE_CSV);
    if (tacit_table_read(&table, WIDE_CSV, NULL, threads, &err))
        stop("reading", &err);
    model = train(table, "y");
    encode_first_block(model, table, &x, &n);
    printf("Cost of a person by |S|, microseconds, %d attributes, %d people (asked: mean number of attributes)\n", WIDE,
           WIDE_ROWS);
    printf("%5s | %27s | %31s | %27s | %31s\n", "", "margin rule, delta 0", "literal, delta 0",
           "entropy rule, five deltas", "literal, five deltas");
    printf("%5s | %12s %14s | %15s %15s | %12s %14s | %15s %15s\n", "|S|", "us", "asked", "us", "asked", "us", "asked",
           "us", "asked");
    for (size_t size = 5; size <= 50; size += size < 20 ? 5 : 10) {
        tacit_model *drawn = NULL;
        size_t used = 0;
        timing margin, entropy, plain0, plain5;

        for (size_t i = 0; i < size; i++) /* spread over the 60: multiples of 7 modulo 60 are all different */
            used += (size_t)snprintf(list + used, sizeof(list) - used, "%sa%zu", i ? "," : "", i * 7 % WIDE + 1);
        if (tacit_model_with_roles(&drawn, model, list, NULL, &err))
            stop("roles", &err);
        margin = time_audit(drawn, table, TACIT_RULE_MARGIN, zero, 1, threads);
        entropy = time_audit(drawn, table, TACIT_RULE_ENTROPY, five_deltas, 5, threads);
        plain0 = time_literal(drawn, x, n, n, zero, 1);
        plain5 = time_literal(drawn, x, n, n, five_deltas, 5);
        printf("%5zu | %12.2f %14.3f | %15.0f %15.3f | %12.2f %14.3f | %15.0f %15.3f\n", size, margin.microseconds,
               margin.asked, plain0.microseconds, plain0.asked, entropy.microseconds, entropy.asked,
               plain5.microseconds, plain5.asked);
        fflush(stdout);
        tacit_model_free(drawn);
    }
    printf("(audits include encoding the table's text; the literal algorithm starts from encoded numbers)\n\n");
    free(x);
    tacit_model_free(model);
    tacit_table_free(table);
    unlink(WIDE_CSV);
}

/* ---- growth with the number of rows ---- */

/* Peak memory of this process since it was started (getrusage would count what its parent held before exec). */
static double peak_mebibytes(void)
{
    FILE *file = fopen("/proc/self/status", "r");
    char line[MAX_LINE];
    double kib = NAN;

    while (file && fgets(line, sizeof(line), file))
        if (strncmp(line, "VmHWM:", 6) == 0)
            kib = strtod(line + 6, NULL);
    if (file)
        fclose(file);
    return kib / 1024;
}

/* In a process of its own: audit a CSV and print what it cost. */
static int run_child(const char *model_path, const char *csv_path, size_t threads)
{
    static const double deltas[] = {0, 0.05, 0.1};
    tacit_audit_options options = {.deltas = deltas, .n_deltas = 3, .threads = threads, .unknown_as_missing = true};
    tacit_model *model = NULL;
    tacit_audit *audit = NULL;
    tacit_error err;
    double start;

    if (tacit_model_load(&model, model_path, &err))
        stop("model", &err);
    start = clock_now();
    if (tacit_audit_csv(&audit, model, csv_path, NULL, &options, &err))
        stop("audit", &err);
    printf("%10llu %10.2f %14.0f %12.3f %12.1f\n", (unsigned long long)tacit_audit_summary_get(audit)->people,
           clock_now() - start, (double)tacit_audit_summary_get(audit)->people / (clock_now() - start),
           tacit_audit_result_get(audit, 0)->mean_asked, peak_mebibytes());
    fflush(stdout);
    tacit_audit_free(audit);
    tacit_model_free(model);
    return 0;
}

/* Header and `rows` rows into the pipe, the same text over and over. */
static void feed(const char *pipe_path, const char *text, size_t size, uint64_t rows)
{
    FILE *pipe = fopen(pipe_path, "w");
    const char *end = text + size, *at;

    if (!pipe)
        _exit(1);
    fputs(mixed_header, pipe);
    for (; rows >= MIXED_ROWS; rows -= MIXED_ROWS)
        fwrite(text, 1, size, pipe);
    for (at = text; rows > 0 && at < end; rows--)
        at = (const char *)memchr(at, '\n', (size_t)(end - at)) + 1;
    fwrite(text, 1, (size_t)(at - text), pipe);
    _exit(fclose(pipe) ? 1 : 0);
}

static void stream_rows(const char *text, size_t size, uint64_t rows, size_t threads)
{
    char count[32];
    pid_t writer, reader;
    int status = 0, ignored;

    snprintf(count, sizeof(count), "%zu", threads);
    if (mkfifo(ROWS_PIPE, 0600))
        stop(ROWS_PIPE, NULL);
    fflush(stdout);
    writer = fork();
    if (writer == 0)
        feed(ROWS_PIPE, text, size, rows);
    reader = fork();
    if (reader == 0) {
        execl("/proc/self/exe", "bench_growth", "--child", MIXED_MODEL, ROWS_PIPE, count, (char *)NULL);
        _exit(127);
    }
    if (writer < 0 || reader < 0 || waitpid(reader, &status, 0) < 0)
        stop("child process", NULL);
    if (status) {
        kill(writer, SIGTERM);
        waitpid(writer, &ignored, 0);
        errno = ECHILD;
        stop("streamed audit", NULL);
    }
    waitpid(writer, &ignored, 0);
    unlink(ROWS_PIPE);
}

static void grow_rows(uint64_t least, uint64_t most, size_t threads)
{
    tacit_table *table = NULL;
    tacit_model *model;
    tacit_error err;
    size_t size;
    char *text = make_mixed(&size);
    FILE *file;

    file = fopen(MIXED_CSV, "w");
    if (!file || fputs(mixed_header, file) < 0 || fwrite(text, 1, size, file) != size || fclose(file))
        stop(MIXED_CSV, NULL);
    if (tacit_table_read(&table, MIXED_CSV, NULL, threads, &err))
        stop("reading", &err);
    model = train(table, "outcome");
    if (tacit_model_save(model, MIXED_MODEL, &err))
        stop("saving", &err);
    tacit_model_free(model);
    tacit_table_free(table);
    printf("Streamed audits by rows, 12 attributes, all sensitive, delta 0, 0.05, 0.1, with Opt\n");
    printf("%10s %10s %14s %12s %12s\n", "rows", "seconds", "people/s", "asked, d 0", "peak MiB");
    for (uint64_t rows = least; rows <= most; rows *= 10)
        stream_rows(text, size, rows, threads);
    unlink(MIXED_CSV);
    unlink(MIXED_MODEL);
    free(text);
}

int main(int argc, char **argv)
{
    char folder[MAX_LINE];
    const char *parent = getenv("TMPDIR");
    double most = 1e7, only = 0;
    size_t threads = 0;

    if (argc == 5 && strcmp(argv[1], "--child") == 0)
        return run_child(argv[2], argv[3], strtoul(argv[4], NULL, 10));
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--most-rows") == 0)
            most = strtod(argv[i + 1], NULL);
        else if (strcmp(argv[i], "--rows") == 0)
            only = most = strtod(argv[i + 1], NULL);
        else if (strcmp(argv[i], "--threads") == 0)
            threads = strtoul(argv[i + 1], NULL, 10);
        else
            most = -1;
    }
    if (argc % 2 == 0 || !(most >= 0 && most <= 1e12)) {
        fprintf(stderr, "usage: bench_growth [--most-rows N | --rows N] [--threads N]\n");
        return 2;
    }
    snprintf(folder, sizeof(folder), "%s/tacit-bench-XXXXXX", parent ? parent : "/tmp");
    if (!mkdtemp(folder) || chdir(folder))
        stop(folder, NULL);
    if (only > 0) {
        grow_rows((uint64_t)only, (uint64_t)only, threads);
    } else {
        grow_attributes(threads);
        grow_rows(10000, (uint64_t)most, threads);
    }
    rmdir(folder);
    return 0;
}
