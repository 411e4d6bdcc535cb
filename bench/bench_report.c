/*
 * bench_report.c -- from a CSV file to a finished report, against `wc -l` and pandas.read_csv in the same run.
 *
 *   bench_report [DATA] [--rows N] [--rounds N] [--size N] [--seed N] [--onehot]
 *
 * The rows of the bank data, drawn at random until there are N of them (default a million, about 100 MB), go into a
 * temporary folder that is removed at the end.  The model is a logistic regression trained on the original file, with
 * 7 sensitive attributes drawn at random.  What is timed is the public calls of an audit as anybody would make it: from
 * the file to the JSON text, five deltas with 0 among them, the usual rules, the smallest core sets included.
 *
 * All contestants take turns; each time is the best of its rounds, by the clock on the wall and in processor time.
 * Ratios are by the clock, so run it on a machine that is not busy.  The file is in the page cache.  pandas only reads
 * the file into a table; starting Python and loading pandas are not counted.
 *
 * Then the steps of an audit one by one, in processor time of one thread: what bounds it.
 *
 * Exit status 77 when the data are missing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "auditor.h"
#include "csv.h"
#include "datasets.h"
#include "encode.h"
#include "model.h"
#include "stopwatch.h"
#include "tacit.h"

static const double deltas[] = {0, 0.05, 0.1, 0.2, 0.3};
enum { N_DELTAS = sizeof(deltas) / sizeof(*deltas), COMMAND_ROOM = 1200 };

#define TARGET_WC 5.0     /* at most this many times as long as wc -l */
#define TARGET_PANDAS 8.0 /* at least this many times as fast as pandas */

/* Wall clock and processor time. */
typedef struct timing {
    double wall, cpu;
} timing;

typedef struct setting {
    const char *folder; /* of the data */
    size_t rows, rounds, size, threads;
    uint64_t seed;
    tacit_encoding encoding;
    char path[500]; /* of the file made here */
    tacit_model *model;
} setting;

/* Of this program, or of the programs it has run. */
static double processor_seconds(int who)
{
    struct rusage used;

    getrusage(who, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

static void stop(const char *what, const tacit_error *err)
{
    fprintf(stderr, "bench_report: %s%s%s\n", what, err ? ": " : "", err ? err->message : "");
    exit(1);
}

static void check(tacit_status st, const char *what, const tacit_error *err)
{
    if (st)
        stop(what, err);
}

/* ---- the file ---- */

static void make_file(const char *from, const char *to, size_t rows, uint64_t seed)
{
    const char **lines;
    char *bytes, *end;
    size_t size, n = 0;
    FILE *file = fopen(to, "wb");
    tacit_error err;

    check(tct_file_read(&bytes, &size, from, (size_t)1 << 30, &err), "reading", &err);
    lines = malloc((size / 2 + 2) * sizeof(*lines));
    if (!file || !lines)
        stop("cannot write the file", NULL);
    for (const char *line = bytes; *line; line = end + 1) {
        end = strchr(line, '\n');
        if (!end)
            break;
        lines[n++] = line;
        lines[n] = end + 1;
    }
    fwrite(lines[0], 1, (size_t)(lines[1] - lines[0]), file);
    for (size_t i = 0; i < rows; i++) {
        size_t pick = 1 + (size_t)(dataset_random(&seed) % (n - 1));

        fwrite(lines[pick], 1, (size_t)(lines[pick + 1] - lines[pick]), file);
    }
    if (fclose(file) != 0)
        stop("cannot write the file", NULL);
    free(lines);
    tct_free(bytes);
}

static tacit_model *train(const setting *s, const tacit_table *table)
{
    tacit_infer_options infer = {.label = "y", .encoding = s->encoding, .test_share = 0.3, .seed = s->seed};
    tacit_fit_options fit = {.l2 = 1, .test_share = 0.3, .seed = s->seed};
    tacit_schema *schema = NULL;
    tacit_model *model = NULL;
    tacit_error err;
    char list[2000];

    check(tacit_schema_infer(&schema, table, &infer, &err), "schema", &err);
    dataset_draw(schema, s->size, s->seed, list, sizeof(list));
    check(tacit_schema_set_roles(schema, list, NULL, &err), "roles", &err);
    check(tacit_fit(&model, table, schema, &fit, &err), "training", &err);
    printf("sensitive: %s\n", list);
    tacit_schema_free(schema);
    return model;
}

/* ---- the contestants ---- */

static volatile uint64_t sink; /* keeps results alive */

static timing run_wc(const setting *s, size_t threads)
{
    char command[COMMAND_ROOM], line[100] = "";
    double start = clock_now(), cpu = processor_seconds(RUSAGE_CHILDREN);
    FILE *pipe;

    (void)threads;
    snprintf(command, sizeof(command), "exec wc -l '%s'", s->path);
    pipe = popen(command, "r");
    if (!pipe || !fgets(line, sizeof(line), pipe) || pclose(pipe) != 0)
        stop("cannot run wc", NULL);
    sink += (uint64_t)line[0];
    return (timing){clock_now() - start, processor_seconds(RUSAGE_CHILDREN) - cpu};
}

/* 0 seconds when there is no pandas. */
static timing run_pandas(const setting *s, size_t threads)
{
    char command[COMMAND_ROOM], line[100] = "", *rest;
    double wall;
    FILE *pipe;

    (void)threads;
    snprintf(command, sizeof(command),
             "exec /usr/bin/python3 -c \"\n"
             "import time, pandas\n"
             "start = time.perf_counter(), time.process_time()\n"
             "pandas.read_csv('%s', sep=';')\n"
             "print(time.perf_counter() - start[0], time.process_time() - start[1])\n\" 2>/dev/null",
             s->path);
    pipe = popen(command, "r");
    if (!pipe)
        stop("cannot run a command", NULL);
    if (!fgets(line, sizeof(line), pipe))
        line[0] = '\0';
    pclose(pipe);
    wall = strtod(line, &rest);
    return (timing){wall, strtod(rest, NULL)};
}

static timing run_audit(const setting *s, size_t threads)
{
    tacit_audit_options options = {.deltas = deltas, .n_deltas = N_DELTAS, .threads = threads};
    tacit_csv_options csv = {.separator = ';'};
    tacit_audit *audit = NULL;
    tacit_error err;
    char *json = NULL;
    double start = clock_now(), cpu = processor_seconds(RUSAGE_SELF);

    check(tacit_audit_csv(&audit, s->model, s->path, &csv, &options, &err), "audit", &err);
    check(tacit_audit_json(&json, audit, &err), "report", &err);
    sink += strlen(json);
    tacit_text_free(json);
    tacit_audit_free(audit);
    return (timing){clock_now() - start, processor_seconds(RUSAGE_SELF) - cpu};
}

static const struct {
    const char *name;
    timing (*run)(const setting *s, size_t threads);
    size_t threads;
} contestants[] = {
    {"wc -l", run_wc, 1},
    {"pandas.read_csv", run_pandas, 1},
    {"tacit: audit and report", run_audit, 1},
    {"tacit: audit and report", run_audit, 2},
};
enum { WC, PANDAS, N_CONTESTANTS = sizeof(contestants) / sizeof(*contestants) };

static void keep_least(double *best, double now, size_t round)
{
    *best = round == 0 || now < *best ? now : *best;
}

static void compare(const setting *s)
{
    timing best[N_CONTESTANTS];
    double megabytes = 0;
    FILE *file = fopen(s->path, "rb");

    if (file && fseek(file, 0, SEEK_END) == 0)
        megabytes = 1e-6 * (double)ftell(file);
    if (file)
        fclose(file);
    for (size_t round = 0; round < s->rounds; round++)
        for (size_t i = 0; i < N_CONTESTANTS; i++) {
            timing t;

            if (i == PANDAS && round >= 2) /* it takes long */
                continue;
            t = contestants[i].run(s, contestants[i].threads);
            keep_least(&best[i].wall, t.wall, round);
            keep_least(&best[i].cpu, t.cpu, round);
        }
    printf("%zu rows, %.0f MB\n%-26s %8s %9s %9s %14s %9s %10s\n", s->rows, megabytes, "", "threads", "seconds",
           "cpu s", "rows/s", "x wc -l", "x pandas");
    for (size_t i = 0; i < N_CONTESTANTS; i++) {
        double wall = best[i].wall;

        if (wall == 0) {
            printf("%-26s no pandas for /usr/bin/python3\n", contestants[i].name);
            continue;
        }
        printf("%-26s %8zu %9.4f %9.4f %14.0f %9.2f %10.2f\n", contestants[i].name, contestants[i].threads, wall,
               best[i].cpu, (double)s->rows / wall, wall / best[WC].wall, best[PANDAS].wall / wall);
    }
    printf("target at most %.0f x wc -l: %s", TARGET_WC,
           best[N_CONTESTANTS - 1].wall <= TARGET_WC * best[WC].wall ? "met" : "not met");
    if (best[PANDAS].wall > 0)
        printf("; at least %.0f x as fast as pandas: %s", TARGET_PANDAS,
               best[PANDAS].wall >= TARGET_PANDAS * best[N_CONTESTANTS - 1].wall ? "met" : "not met");
    printf("\n\n");
}

/* ---- step by step ---- */

typedef struct steps {
    double read, split, encode, decide; /* seconds */
} steps;

/* Every block of the file once, one step after the other. */
static steps run_steps(const setting *s, const tacit_audit_options *options)
{
    tacit_csv_options how = {.separator = ';'};
    const tct_codec *codec = s->model->codec;
    tct_binding *binding = NULL;
    tct_encode_counts counts = {0};
    tct_block block = {0};
    tct_worker *worker = NULL;
    tct_job *job = NULL;
    tct_csv *csv = NULL;
    double *x = NULL;
    int32_t *labels = NULL;
    size_t room = 0;
    steps spent = {0};
    tacit_error err;

    check(tct_csv_open(&csv, s->path, &how, &err), "open", &err);
    check(tct_binding_new(&binding, codec, csv, false, &err), "columns", &err);
    check(tct_job_new(&job, s->model, options, &err), "audit", &err);
    check(tct_worker_new(&worker, job, &err), "audit", &err);
    for (;;) {
        double t[5] = {processor_seconds(RUSAGE_SELF)};

        check(tct_csv_next(csv, &block, &err), "reading", &err);
        t[1] = processor_seconds(RUSAGE_SELF);
        if (block.n_rows == 0)
            break;
        check(tct_csv_split(csv, &block, &err), "splitting", &err);
        if (block.n_rows > room) {
            room = block.n_rows * 5 / 4;
            free(x);
            free(labels);
            x = malloc(room * codec->n_inputs * sizeof(*x));
            labels = malloc(room * sizeof(*labels));
            if (!x || !labels)
                stop("out of memory", NULL);
        }
        t[2] = processor_seconds(RUSAGE_SELF);
        check(tct_encode_block(binding, &block, x, labels, &counts, &err), "encoding", &err);
        t[3] = processor_seconds(RUSAGE_SELF);
        check(tct_worker_count(worker, x, block.n_rows, labels, NULL, NULL, NULL, &err), "counting", &err);
        t[4] = processor_seconds(RUSAGE_SELF);
        spent.read += t[1] - t[0];
        spent.split += t[2] - t[1];
        spent.encode += t[3] - t[2];
        spent.decide += t[4] - t[3];
    }
    free(x);
    free(labels);
    tct_worker_free(worker);
    tct_job_free(job);
    tct_binding_free(binding);
    tct_block_clear(&block);
    tct_csv_close(csv);
    return spent;
}

static void print_steps(const setting *s)
{
    static const struct {
        const char *name;
        tacit_audit_options options;
    } parts[] = {
        {"decide: delta > 0", {.deltas = deltas + 1, .n_deltas = N_DELTAS - 1, .no_opt = true}},
        {"decide: delta = 0", {.deltas = deltas, .n_deltas = 1, .no_opt = true}},
        {"decide: delta = 0, and opt", {.deltas = deltas, .n_deltas = 1}},
        {"decide: everything", {.deltas = deltas, .n_deltas = N_DELTAS}},
    };
    enum { N_PARTS = sizeof(parts) / sizeof(*parts) };
    steps best = {0};
    double decide[N_PARTS], per_row = 1e9 / (double)s->rows;

    for (size_t round = 0; round < s->rounds; round++)
        for (size_t i = 0; i < N_PARTS; i++) {
            steps now = run_steps(s, &parts[i].options);

            keep_least(&best.read, now.read, round + i);
            keep_least(&best.split, now.split, round + i);
            keep_least(&best.encode, now.encode, round + i);
            keep_least(&decide[i], now.decide, round);
        }
    printf("nanoseconds of processor time per row, one thread\n");
    printf("  %-28s %8.1f\n  %-28s %8.1f\n  %-28s %8.1f\n", "read and find records", per_row * best.read, "split",
           per_row * best.split, "encode", per_row * best.encode);
    for (size_t i = 0; i < N_PARTS; i++)
        printf("  %-28s %8.1f\n", parts[i].name, per_row * decide[i]);
}

static bool read_arguments(setting *s, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--onehot") == 0)
            s->encoding = TACIT_ONEHOT;
        else if (i + 1 < argc && strcmp(argv[i], "--rows") == 0)
            s->rows = strtoul(argv[++i], NULL, 10);
        else if (i + 1 < argc && strcmp(argv[i], "--rounds") == 0)
            s->rounds = strtoul(argv[++i], NULL, 10);
        else if (i + 1 < argc && strcmp(argv[i], "--size") == 0)
            s->size = strtoul(argv[++i], NULL, 10);
        else if (i + 1 < argc && strcmp(argv[i], "--seed") == 0)
            s->seed = strtoull(argv[++i], NULL, 10);
        else
            s->folder = argv[i];
    }
    return s->folder[0] != '-' && s->rows > 0 && s->rounds > 0 && s->size >= 1 && s->size <= 16;
}

int main(int argc, char **argv)
{
    setting s = {
        .folder = "../shared/data", .rows = 1000000, .rounds = 5, .size = 7, .seed = 1, .encoding = TACIT_ORDINAL};
    const char *parent = getenv("TMPDIR");
    const dataset *bank = dataset_find("bank");
    tacit_table *table = NULL;
    tacit_error err;
    char folder[400], from[4096];
    bool missing;

    if (!read_arguments(&s, argc, argv)) {
        fprintf(stderr, "usage: bench_report [DATA] [--rows N] [--rounds N] [--size N] [--seed N] [--onehot]\n");
        return 2;
    }
    check(dataset_read(&table, bank, s.folder, 0, &missing, &err), "reading", &err);
    if (missing)
        return DATASET_MISSING;
    s.model = train(&s, table);
    tacit_table_free(table);
    snprintf(folder, sizeof(folder), "%s/tacit-bench-XXXXXX", parent && parent[0] ? parent : "/tmp");
    if (!mkdtemp(folder))
        stop("cannot make a temporary folder", NULL);
    snprintf(s.path, sizeof(s.path), "%s/people.csv", folder);
    snprintf(from, sizeof(from), "%s/%s", s.folder, bank->path);
    make_file(from, s.path, s.rows, s.seed);
    compare(&s);
    print_steps(&s);
    unlink(s.path);
    rmdir(folder);
    tacit_model_free(s.model);
    return 0;
}
