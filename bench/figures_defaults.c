/*
 * figures_defaults.c -- networks as `tacit fit --model mlp` trains them when nothing else is said, beside scikit-learn's
 * MLPClassifier as it trains when nothing else is said.
 *
 *   figures_defaults write FOLDER [options]     the people, as both will see them, into files
 *   figures_defaults compare FOLDER [options]   train ours, put scikit-learn's figures beside them, print the table
 *
 *   --data DIR --schemas DIR   where the data sets and their schemas lie (../shared/data, datasets)
 *   --sets bank,adult          only these
 *   --seeds N --small N        splits of the whole file (5), and of samples (20)
 *   --rows N                   rows of a sample (1000)
 *   --paper                    the paper's settings instead of the usual ones
 *   --hidden 10,10             another network
 *
 * Between the two, bench/defaults_sklearn.py FOLDER trains the others and writes FOLDER/sklearn.csv; bench/defaults.sh
 * runs all three.  Every split holds out 30 % of the file.  A sample of 1000 rows is what fit sees of such a file: 700
 * rows to train on, drawn from the rest; accuracy is measured on all that was held out, so that it says something.  Both
 * see the same encoded numbers.  Splits that scikit-learn was not trained on are left out.  Times are processor time, since other people may use the machine.
 *
 * Exit status: 0; 1 when a difference lies below 0 by more than its interval; 77 when data are missing.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datasets.h"
#include "num.h"
#include "stopwatch.h"
#include "train.h"

enum { MAX_SPLITS = 200, PATH = 4096 };

typedef struct settings {
    const char *folder, *data, *schemas, *sets;
    size_t seeds, small, rows;
    bool compare;
    tacit_fit_options fit;
} settings;

/* What was measured over the splits of one data set. */
typedef struct series {
    const char *set;
    bool whole;
    size_t n, train_rows;
    double ours[MAX_SPLITS], theirs[MAX_SPLITS], scaled[MAX_SPLITS]; /* accuracies; theirs with standardised inputs */
    double majority[MAX_SPLITS];
    double our_seconds, their_seconds, epochs;
} series;

/* ---- splits ---- */

/* The first `rows` people of a random order of the training part; the held-out part stays.  The parts of `out` that are
 * its own are freed by free_sample. */
static tacit_status take_sample(tct_encoded *out, const tct_encoded *people, size_t rows, uint64_t seed,
                                tacit_error *err)
{
    size_t n = people->train.n, *order = tct_malloc(n, sizeof(*order));
    uint64_t state = seed;

    *out = *people;
    out->train.n = rows < n ? rows : n;
    out->train.x = tct_malloc(out->train.n, people->d * sizeof(double));
    out->train.labels = tct_malloc(out->train.n, sizeof(int32_t));
    if (!order || !out->train.x || !out->train.labels) {
        tct_free(order);
        return tct_fail_memory(err);
    }
    for (size_t r = 0; r < n; r++)
        order[r] = r;
    for (size_t k = 0; k < out->train.n; k++) {
        size_t other = k + (size_t)(dataset_random(&state) % (n - k)), kept = order[other];
        order[other] = order[k];
        order[k] = kept;
        out->train.labels[k] = people->train.labels[kept];
        for (size_t i = 0; i < people->d; i++)
            out->train.x[i * out->train.n + k] = people->train.x[i * n + kept];
    }
    tct_free(order);
    return TACIT_OK;
}

static void free_sample(tct_encoded *sample)
{
    tct_free_wiped(sample->train.x, sample->train.n * sample->d * sizeof(double));
    tct_free_wiped(sample->train.labels, sample->train.n * sizeof(int32_t));
}

static void name_split(char name[64], const char *set, bool whole, size_t k)
{
    snprintf(name, 64, "%s-%s-%zu", set, whole ? "whole" : "sample", k);
}

static bool write_part(FILE *file, const tct_encoded_rows *part, size_t d)
{
    return fwrite(part->x, d * sizeof(double), part->n, file) == part->n &&
           fwrite(part->labels, sizeof(int32_t), part->n, file) == part->n;
}

/* A line of counts, then each part: inputs (one after the other, a number for each person), labels. */
static tacit_status write_split(const tct_encoded *people, size_t n_classes, const char *folder, const char *name,
                                tacit_error *err)
{
    char path[PATH];
    FILE *file;
    bool good;

    snprintf(path, sizeof(path), "%s/%s.split", folder, name);
    file = fopen(path, "wb");
    if (!file)
        return tct_fail(err, TACIT_E_IO, "cannot write %s", path);
    fprintf(file, "%zu %zu %zu %zu\n", people->d, n_classes, people->train.n, people->test.n);
    good = write_part(file, &people->train, people->d) && write_part(file, &people->test, people->d);
    return fclose(file) == 0 && good ? TACIT_OK : tct_fail(err, TACIT_E_IO, "cannot write %s", path);
}

/* ---- comparing ---- */

/* scikit-learn's figures for one split; *found: there are any. */
static tacit_status find_theirs(series *s, const char *folder, const char *name, bool *found, tacit_error *err)
{
    char path[PATH], line[512];
    size_t size = strlen(name);
    FILE *file;

    *found = false;
    snprintf(path, sizeof(path), "%s/sklearn.csv", folder);
    file = fopen(path, "r");
    if (!file)
        return tct_fail(err, TACIT_E_IO, "no %s: run bench/defaults_sklearn.py first", path);
    while (!*found && fgets(line, sizeof(line), file)) {
        double seconds = 0;
        *found = strncmp(line, name, size) == 0 && line[size] == ',' &&
                 sscanf(line + size, ",%lf,%lf,%lf", &s->theirs[s->n], &s->scaled[s->n], &seconds) == 3;
        s->their_seconds += seconds;
    }
    fclose(file);
    return TACIT_OK;
}

static double majority_share(const tct_encoded_rows *train, const tct_encoded_rows *test, size_t n_classes)
{
    size_t most = 0, right = 0;
    size_t counts[64] = {0};

    for (size_t r = 0; r < train->n; r++)
        counts[train->labels[r]]++;
    for (size_t c = 1; c < n_classes && c < 64; c++)
        most = counts[c] > counts[most] ? c : most;
    for (size_t r = 0; r < test->n; r++)
        right += (size_t)test->labels[r] == most;
    return (double)right / (double)test->n;
}

static tacit_status train_ours(series *s, tct_encoded *people, const tacit_schema *schema, const tacit_fit_options *how,
                               uint64_t seed, tacit_error *err)
{
    tacit_fit_options fit = *how;
    tacit_model *model = NULL;
    double start = processor_now();
    tacit_status st;

    fit.seed = seed;
    fit.test_share = people->test_share;
    st = tct_fit_encoded(&model, people, schema, &fit, err);
    if (st)
        return st;
    s->our_seconds += processor_now() - start;
    s->ours[s->n] = tacit_model_info_get(model)->test_accuracy;
    s->epochs += (double)tacit_model_info_get(model)->epochs_run;
    s->majority[s->n] = majority_share(&people->train, &people->test, tacit_schema_classes(schema));
    tacit_model_free(model);
    return TACIT_OK;
}

static tacit_status run_split(series *s, size_t k, const tacit_table *table, const tacit_schema *schema,
                              const tct_codec *codec, const settings *run, tacit_error *err)
{
    tct_encoded *people = NULL, sample = {0}, *seen;
    bool found = false;
    char name[64];
    tacit_status st = tct_encoded_new(&people, table, codec, 0.3, k + 1, 0, err);

    if (!st && !s->whole)
        st = take_sample(&sample, people, run->rows * 7 / 10, k + 1, err);
    if (st)
        goto done;
    seen = s->whole ? people : &sample;
    s->train_rows = seen->train.n;
    name_split(name, s->set, s->whole, k + 1);
    if (!run->compare)
        st = write_split(seen, tacit_schema_classes(schema), run->folder, name, err);
    else if (!(st = find_theirs(s, run->folder, name, &found, err)) && found)
        st = train_ours(s, seen, schema, &run->fit, k + 1, err);
    s->n += found;
done:
    free_sample(&sample);
    tct_encoded_free(people);
    return st;
}

static void mean_and_error(const double *values, size_t n, double *mean, double *error)
{
    double squares = 0;

    *mean = 0;
    for (size_t i = 0; i < n; i++)
        *mean += values[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (values[i] - *mean) * (values[i] - *mean);
    *error = n > 1 ? sqrt(squares / (double)(n - 1) / (double)n) : NAN;
}

/* One row of the table.  Returns whether ours is not worse: the interval of the difference reaches 0. */
static bool print_series(const series *s)
{
    double difference[MAX_SPLITS], mean, error, half;
    bool good;

    printf("| %s | %zu | %zu | ", s->set, s->train_rows, s->n);
    mean_and_error(s->majority, s->n, &mean, &error);
    printf("%.2f | ", 100 * mean);
    mean_and_error(s->ours, s->n, &mean, &error);
    printf("%.2f ± %.2f | ", 100 * mean, 100 * error);
    mean_and_error(s->theirs, s->n, &mean, &error);
    printf("%.2f ± %.2f | ", 100 * mean, 100 * error);
    for (size_t i = 0; i < s->n; i++)
        difference[i] = s->ours[i] - s->theirs[i];
    mean_and_error(difference, s->n, &mean, &error);
    half = tct_student_quantile((double)(s->n - 1), 0.95) * error;
    good = !(mean + half < 0);
    printf("%+.2f [%+.2f, %+.2f]%s | ", 100 * mean, 100 * (mean - half), 100 * (mean + half), good ? "" : " !");
    for (size_t i = 0; i < s->n; i++)
        difference[i] = s->ours[i] - s->scaled[i];
    mean_and_error(difference, s->n, &mean, &error);
    half = tct_student_quantile((double)(s->n - 1), 0.95) * error;
    printf("%+.2f [%+.2f, %+.2f] | ", 100 * mean, 100 * (mean - half), 100 * (mean + half));
    printf("%.2f | %.2f | %.2f |\n", s->our_seconds / (double)s->n, s->their_seconds / (double)s->n,
           s->our_seconds / s->their_seconds);
    fflush(stdout);
    return good;
}

/* ---- all of it ---- */

static tacit_status run_set(const dataset *set, const settings *run, bool *good, bool *missing, tacit_error *err)
{
    char path[PATH];
    dataset here = *set;
    tacit_schema *schema = NULL;
    tacit_table *table = NULL;
    tct_codec *codec = NULL;
    tacit_status st;

    snprintf(path, sizeof(path), "%s/%s.json", run->schemas, set->name);
    st = tacit_schema_read(&schema, path, err);
    if (st)
        return st;
    here.csv = (tacit_csv_options){0};
    tacit_schema_csv(schema, &here.csv);
    if ((st = dataset_read(&table, &here, run->data, 0, missing, err)) || *missing ||
        (st = tct_codec_new(&codec, schema, err)))
        goto done;
    for (size_t whole = 0; whole < 2 && !st; whole++) {
        series *s = tct_calloc(1, sizeof(*s));
        size_t n = whole ? run->seeds : run->small;
        if (!s) {
            st = tct_fail_memory(err);
            break;
        }
        s->set = set->name;
        s->whole = whole;
        for (size_t k = 0; k < n && !st; k++)
            st = run_split(s, k, table, schema, codec, run, err);
        if (run->compare && !st && s->n > 1)
            *good &= print_series(s);
        tct_free(s);
    }
done:
    tct_codec_free(codec);
    tacit_table_free(table);
    tacit_schema_free(schema);
    return st;
}

static bool read_arguments(settings *run, int argc, char **argv)
{
    if (argc < 3 || (strcmp(argv[1], "write") != 0 && strcmp(argv[1], "compare") != 0))
        return false;
    run->compare = strcmp(argv[1], "compare") == 0;
    run->folder = argv[2];
    for (int i = 3; i < argc; i++) {
        const char *name = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(name, "--paper") == 0) {
            run->fit.paper = true;
            continue;
        }
        if (!value)
            return false;
        i++;
        if (strcmp(name, "--data") == 0)
            run->data = value;
        else if (strcmp(name, "--schemas") == 0)
            run->schemas = value;
        else if (strcmp(name, "--sets") == 0)
            run->sets = value;
        else if (strcmp(name, "--hidden") == 0)
            run->fit.hidden = value;
        else if (strcmp(name, "--seeds") == 0)
            run->seeds = strtoul(value, NULL, 10);
        else if (strcmp(name, "--small") == 0)
            run->small = strtoul(value, NULL, 10);
        else if (strcmp(name, "--rows") == 0)
            run->rows = strtoul(value, NULL, 10);
        else
            return false;
    }
    return run->seeds <= MAX_SPLITS && run->small <= MAX_SPLITS && run->rows >= 10;
}

int main(int argc, char **argv)
{
    settings run = {
        .data = "../shared/data", .schemas = "datasets", .seeds = 5, .small = 20, .rows = 1000, .fit = {.kind = "mlp"}};
    bool good = true, any = false;
    tacit_error err = {0};

    if (!read_arguments(&run, argc, argv)) {
        fprintf(stderr, "figures_defaults write|compare FOLDER [options]: see the head of bench/figures_defaults.c\n");
        return 2;
    }
    if (run.compare)
        printf("| data | trained on | splits | majority | ours | scikit-learn | difference | with inputs standardised "
               "| our "
               "seconds | its | ratio |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
    for (size_t i = 0; dataset_get(i); i++) {
        const dataset *set = dataset_get(i);
        bool missing = false;
        if (run.sets && !dataset_listed(run.sets, set->name))
            continue;
        if (run_set(set, &run, &good, &missing, &err)) {
            fprintf(stderr, "%s: %s\n", set->name, err.message);
            return 1;
        }
        any |= !missing;
    }
    return any ? !good : DATASET_MISSING;
}
