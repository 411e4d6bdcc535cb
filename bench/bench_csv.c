/*
 * bench_csv.c -- how fast a CSV file is read: against `wc -l` and plain fgets loops, in the same run.
 *
 *   bench_csv [MEGABYTES]      default 100
 *
 * Two files with the same rows are made in a temporary folder, by a seeded generator shaped like a well-known table of
 * bank customers (17 columns, about half of them numbers): one quotes its texts, one quotes nothing.  Each time is the
 * best of five, all in turn, so that what else the machine does hits everybody alike.  The file is in the page cache.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csv.h"
#include "encode.h"
#include "stopwatch.h"

enum { ROUNDS = 5, LINE_ROOM = 4096, N_TEXTS = 10 };

/* Texts of one column, the last one empty. */
typedef const char *const text_list[13];

static text_list jobs = {"management",    "technician", "entrepreneur", "blue-collar", "retired", "admin.", "services",
                         "self-employed", "unemployed", "housemaid",    "student",     "unknown", ""};
static text_list marital = {"married", "single", "divorced", ""},
                 education = {"secondary", "tertiary", "primary", "unknown", ""};
static text_list yes_no = {"no", "yes", ""}, contact = {"cellular", "unknown", "telephone", ""};
static text_list months = {"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", ""};
static text_list outcome = {"unknown", "failure", "other", "success", ""};

typedef double (*measured)(const char *path, size_t threads);

static void stop(const char *what)
{
    fprintf(stderr, "bench_csv: %s\n", what);
    exit(1);
}

static void check(tacit_status st, const tacit_error *err)
{
    if (st)
        stop(err->message);
}

/* ---- the file ---- */

static const char *pick(tct_random *random, text_list texts)
{
    size_t n = 0;

    while (texts[n][0])
        n++;
    return texts[tct_random_below(random, n)];
}

static void write_row(FILE *file, tct_random *random, const char *q)
{
    int balance = (int)(1400 + 3000 * tct_random_normal(random));

    fprintf(file, "%d;%s%s%s;%s%s%s;%s%s%s;%s%s%s;%d;", 18 + (int)tct_random_below(random, 70), q, pick(random, jobs),
            q, q, pick(random, marital), q, q, pick(random, education), q, q, pick(random, yes_no), q, balance);
    fprintf(file, "%s%s%s;%s%s%s;%s%s%s;%d;%s%s%s;", q, pick(random, yes_no), q, q, pick(random, yes_no), q, q,
            pick(random, contact), q, 1 + (int)tct_random_below(random, 31), q, pick(random, months), q);
    fprintf(file, "%d;%d;%d;%d;%s%s%s;%s%s%s\n", (int)tct_random_below(random, 2000),
            1 + (int)tct_random_below(random, 9), tct_random_below(random, 5) ? -1 : (int)tct_random_below(random, 871),
            (int)tct_random_below(random, 4), q, pick(random, outcome), q, q, pick(random, yes_no), q);
}

static void make_file(const char *path, long size, const char *q)
{
    static const char *const names[] = {"age",      "job",   "marital",  "education", "default", "balance",
                                        "housing",  "loan",  "contact",  "day",       "month",   "duration",
                                        "campaign", "pdays", "previous", "poutcome",  "y"};
    FILE *file = fopen(path, "w");
    tct_random random;

    if (!file)
        stop("cannot write the file");
    tct_random_seed(&random, 1, 1);
    for (size_t i = 0; i < 17; i++)
        fprintf(file, "%s%s%s%s", q, names[i], q, i < 16 ? ";" : "\n");
    while (ftell(file) < size)
        for (int i = 0; i < 1000; i++)
            write_row(file, &random, q);
    if (fclose(file) != 0)
        stop("cannot write the file");
}

/* ---- what is measured ---- */

static volatile uint64_t sink; /* keeps results alive */

static double run_wc(const char *path, size_t threads)
{
    char command[600], line[100] = "";
    double start = clock_now();
    FILE *pipe;

    (void)threads;
    snprintf(command, sizeof(command), "exec wc -l '%s'", path);
    pipe = popen(command, "r");
    if (!pipe || !fgets(line, sizeof(line), pipe) || pclose(pipe) != 0)
        stop("cannot run wc");
    sink += (uint64_t)line[0];
    return clock_now() - start;
}

static double run_fgets(const char *path, size_t threads)
{
    char line[LINE_ROOM];
    double start = clock_now();
    FILE *file = fopen(path, "r");

    (void)threads;
    while (file && fgets(line, sizeof(line), file))
        sink += (uint64_t)line[0];
    if (!file || fclose(file) != 0)
        stop("cannot read the file");
    return clock_now() - start;
}

/* Cells of one line, looked at one character after the other, quotes taken off. */
static size_t split_plainly(const char *line, const char **cells, size_t *sizes, size_t room)
{
    size_t n = 0;
    bool inside = false;
    const char *start = line;

    for (const char *c = line;; c++) {
        if (*c == '"')
            inside = !inside;
        if (inside || (*c != ';' && *c != '\n' && *c != '\0'))
            continue;
        if (n < room) {
            bool quoted = *start == '"';

            cells[n] = start + quoted;
            sizes[n] = (size_t)(c - start) - 2 * quoted;
        }
        n++;
        start = c + 1;
        if (*c != ';')
            return n;
    }
}

static double run_fgets_split(const char *path, size_t threads)
{
    char line[LINE_ROOM];
    const char *cells[32];
    size_t sizes[32];
    double start = clock_now();
    FILE *file = fopen(path, "r");

    (void)threads;
    while (file && fgets(line, sizeof(line), file))
        sink += split_plainly(line, cells, sizes, 32) + sizes[16];
    if (!file || fclose(file) != 0)
        stop("cannot read the file");
    return clock_now() - start;
}

/* Blocks by all threads; with a codec they are encoded, too. */
static uint64_t read_blocks(tct_csv *csv, const tct_codec *codec, size_t threads)
{
    uint64_t rows = 0;

#pragma omp parallel num_threads((int)threads) reduction(+ : rows)
    {
        tct_block block = {0};
        tct_binding *binding = NULL;
        tct_encode_counts counts = {0};
        tacit_error err;
        double *x = NULL;
        size_t room = 0;

        if (codec)
            check(tct_binding_new(&binding, codec, csv, true, &err), &err);
        for (;;) {
            check(tct_csv_next(csv, &block, &err), &err);
            if (block.n_rows == 0)
                break;
            check(tct_csv_split(csv, &block, &err), &err);
            rows += block.n_rows;
            if (!codec)
                continue;
            if (block.n_rows * codec->n_inputs > room) {
                tct_free(x);
                room = block.n_rows * codec->n_inputs * 5 / 4;
                x = tct_malloc(room, sizeof(*x));
                if (!x)
                    stop("out of memory");
            }
            check(tct_encode_block(binding, &block, x, NULL, &counts, &err), &err);
        }
        tct_free(x);
        tct_binding_free(binding);
        tct_block_clear(&block);
    }
    return rows;
}

static double run_split(const char *path, size_t threads)
{
    double start = clock_now();
    tct_csv *csv = NULL;
    tacit_error err;

    check(tct_csv_open(&csv, path, NULL, &err), &err);
    sink += read_blocks(csv, NULL, threads);
    tct_csv_close(csv);
    return clock_now() - start;
}

static tct_codec *codec; /* of the file, made before the clock starts */

static double run_encode(const char *path, size_t threads)
{
    double start = clock_now();
    tct_csv *csv = NULL;
    tacit_error err;

    check(tct_csv_open(&csv, path, NULL, &err), &err);
    sink += read_blocks(csv, codec, threads);
    tct_csv_close(csv);
    return clock_now() - start;
}

static double run_hash(const char *path, size_t threads)
{
    double start = clock_now();
    tct_csv *csv = NULL;
    tacit_error err;
    char hex[65];

    check(tct_csv_open(&csv, path, NULL, &err), &err);
    check(tct_csv_hash_start(csv, &err), &err);
    sink += read_blocks(csv, NULL, threads);
    tct_csv_hash_finish(csv, hex);
    sink += (uint64_t)hex[0];
    tct_csv_close(csv);
    return clock_now() - start;
}

static double run_table(const char *path, size_t threads)
{
    double start = clock_now();
    tacit_table *table = NULL;
    tacit_error err;

    check(tacit_table_read(&table, path, NULL, threads, &err), &err);
    sink += tacit_table_rows(table);
    tacit_table_free(table);
    return clock_now() - start;
}

static const struct {
    const char *name;
    measured run;
    size_t threads;
} contestants[] = {
    {"wc -l", run_wc, 1},
    {"fgets", run_fgets, 1},
    {"fgets and a plain split", run_fgets_split, 1},
    {"tacit: read and split", run_split, 1},
    {"tacit: read and split", run_split, 2},
    {"tacit: read, split, encode", run_encode, 1},
    {"tacit: read, split, encode", run_encode, 2},
    {"tacit: read, split, SHA-256", run_hash, 2},
    {"tacit: whole table and SHA-256", run_table, 2},
};
enum { N_CONTESTANTS = sizeof(contestants) / sizeof(*contestants) };

static void run_file(const char *path, const char *title, long size)
{
    tacit_infer_options options = {.label = "y"};
    double best[N_CONTESTANTS];
    tacit_table *table = NULL;
    tacit_schema *schema = NULL;
    tacit_error err;

    check(tacit_table_read(&table, path, NULL, 0, &err), &err);
    check(tacit_schema_infer(&schema, table, &options, &err), &err);
    check(tct_codec_new(&codec, schema, &err), &err);
    printf("%s: %.1f MB, %zu rows, %zu columns\n", title, 1e-6 * (double)size, tacit_table_rows(table),
           tacit_table_columns(table));
    tacit_table_free(table);
    for (size_t round = 0; round < ROUNDS; round++)
        for (size_t i = 0; i < N_CONTESTANTS; i++) {
            double time = contestants[i].run(path, contestants[i].threads);

            best[i] = round == 0 || time < best[i] ? time : best[i];
        }
    printf("  %-34s %8s %10s %8s %12s\n", "", "threads", "seconds", "MB/s", "x wc -l");
    for (size_t i = 0; i < N_CONTESTANTS; i++)
        printf("  %-34s %8zu %10.4f %8.0f %12.2f\n", contestants[i].name, contestants[i].threads, best[i],
               1e-6 * (double)size / best[i], best[i] / best[0]);
    tct_codec_free(codec);
    tacit_schema_free(schema);
}

int main(int argc, char **argv)
{
    const char *parent = getenv("TMPDIR");
    long size = (argc > 1 ? strtol(argv[1], NULL, 10) : 100) * 1000000;
    char folder[400], path[500];

    if (size <= 0)
        stop("how many megabytes?");
    snprintf(folder, sizeof(folder), "%s/tacit-bench-XXXXXX", parent && parent[0] ? parent : "/tmp");
    if (!mkdtemp(folder))
        stop("cannot make a temporary folder");
    snprintf(path, sizeof(path), "%s/people.csv", folder);
    make_file(path, size, "\"");
    run_file(path, "texts in quotes", size);
    make_file(path, size, "");
    run_file(path, "no quotes", size);
    unlink(path);
    rmdir(folder);
    return 0;
}
