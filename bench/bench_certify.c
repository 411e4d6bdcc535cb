/*
 * bench_certify.c -- time per decision "is the label the same for everybody who agrees on what is known?", by size of
 * the network and number of unknown attributes, and the paper's grid test (literal_network.c, Delta = 0.2) beside it.
 *
 *   bench_certify [DATA] [--set credit] [--people N] [--seconds S] [--epochs N]
 *
 * Credit data (23 attributes), ordinal codes, networks of two hidden layers trained by Adam for 20 epochs; held-out
 * people, nothing kept from one decision to the next.  The unknown attributes are drawn at random for each person
 * (mostly easy: not constant), or are those of least influence (mean absolute slope), as towards the end of a
 * questionnaire (hard: constant, or nearly).  One thread, its processor time.  A cell of the table ends after so many
 * people or seconds, whichever comes first; the grid is tried on the first of them, for at most as long, and on ten
 * unknown attributes at most.
 *
 * p99 is the smallest time that 99 % of the decisions did not exceed.  Undecided: the work budget was spent, which a
 * questionnaire takes as "ask one more".  Times on the grid are means, the factor compares means over the same people.
 * Missed: constant on the grid, refuted by two people of different labels.  Exit status 77 when the data are missing.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datasets.h"
#include "encoded.h"
#include "literal_network.h"
#include "mlp.h"
#include "stopwatch.h"
#include "tacit.h"
#include "verifier.h"

enum { MOST_PEOPLE = 100000, MOST_ON_GRID = 10, LEAST_PEOPLE = 10, SAMPLE = 500 };

static const char *const hidden_sizes[] = {"10,10", "32,32", "64,64", "128,128"};
static const size_t unknown_counts[] = {3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20};
enum {
    N_SIZES = sizeof(hidden_sizes) / sizeof(hidden_sizes[0]),
    N_COUNTS = sizeof(unknown_counts) / sizeof(unknown_counts[0])
};

typedef struct run_options {
    const char *folder, *set;
    size_t people, epochs;
    double seconds;
} run_options;

/* One network, its people, and who is looked at. */
typedef struct field {
    const tacit_model *model;
    const tct_encoded_rows *people;
    literal_network plain;
    tct_verifier *verifier;
    double x[LITERAL_MAX_INPUTS], witness[2][LITERAL_MAX_INPUTS];
    unsigned char known[LITERAL_MAX_INPUTS];
    size_t by_influence[LITERAL_MAX_INPUTS]; /* attributes, the least first */
} field;

/* One cell of the table. */
typedef struct cell {
    double *seconds; /* per decision */
    size_t n;
    size_t verdicts[3];
    uint64_t nodes;
    double spent;
    size_t on_grid, missed;
    double grid, beside; /* seconds on the grid, and of the verifier for the same people */
} cell;

static void stop(const char *what, const tacit_error *err)
{
    fprintf(stderr, "bench_certify: %s: %s\n", what, err ? err->message : "out of memory");
    exit(1);
}

static void draw_somebody(field *f, uint64_t *random)
{
    size_t person = dataset_random(random) % f->people->n;

    for (size_t i = 0; i < f->model->codec->n_inputs; i++)
        f->x[i] = f->people->x[i * f->people->n + person];
}

/* Attributes by the mean absolute slope of the scores, over a sample of people.  An attribute is an input here. */
static void rank_attributes(field *f)
{
    const tct_classifier *classifier = f->model->classifier;
    size_t d = classifier->n_inputs, k = classifier->n_scores;
    double influence[LITERAL_MAX_INPUTS] = {0}, *slopes = malloc(d * k * sizeof(*slopes));
    uint64_t random = 1;

    if (!slopes)
        stop("slopes", NULL);
    for (size_t person = 0; person < SAMPLE; person++) {
        draw_somebody(f, &random);
        classifier->ops->gradient(classifier, f->x, 1, slopes);
        for (size_t i = 0; i < d * k; i++)
            influence[i % d] += fabs(slopes[i]);
    }
    for (size_t a = 0; a < d; a++) { /* insertion */
        size_t at = a;

        for (; at > 0 && influence[f->by_influence[at - 1]] > influence[a]; at--)
            f->by_influence[at] = f->by_influence[at - 1];
        f->by_influence[at] = a;
    }
    free(slopes);
}

/* Somebody, and which attributes are unknown. */
static void draw_query(field *f, size_t n_unknown, bool least, uint64_t *random)
{
    size_t n = f->model->schema->n_attributes, left = n_unknown;

    draw_somebody(f, random);
    memset(f->known, 1, n);
    for (size_t i = 0; i < n_unknown && least; i++)
        f->known[f->by_influence[i]] = 0;
    if (least)
        return;
    for (size_t a = 0; a < n; a++) {
        f->known[a] = dataset_random(random) % (n - a) >= left;
        left -= !f->known[a];
    }
}

static void try_grid(field *f, tacit_verdict verdict, double beside, cell *out)
{
    bool known[LITERAL_MAX_INPUTS], constant;
    size_t label;
    uint64_t points = 0;
    double start;

    for (size_t a = 0; a < f->model->schema->n_attributes; a++)
        known[a] = f->known[a];
    start = processor_now();
    constant = literal_network_grid(&f->plain, f->x, known, &label, &points);
    out->grid += processor_now() - start;
    out->beside += beside;
    out->on_grid++;
    out->missed += constant && verdict == TACIT_REFUTED;
}

static void fill_cell(field *f, size_t n_unknown, bool least, const run_options *run, cell *out)
{
    uint64_t random = n_unknown;

    while (out->n < run->people && (out->n < LEAST_PEOPLE || out->spent < run->seconds)) {
        tct_region region = tct_region_of(f->model->codec, f->known, f->x);
        tct_finding finding = {.witness = {f->witness[0], f->witness[1]}};
        double start, took;
        tacit_error err;

        draw_query(f, n_unknown, least, &random);
        tct_verifier_forget(f->verifier);
        start = processor_now();
        if (tct_verifier_decide(f->verifier, &region, 0, &finding, &err))
            stop("certifying", &err);
        took = processor_now() - start;
        out->seconds[out->n++] = took;
        out->spent += took;
        out->verdicts[finding.verdict]++;
        out->nodes += finding.nodes;
        if (n_unknown <= MOST_ON_GRID && (out->on_grid < LEAST_PEOPLE || out->grid < run->seconds))
            try_grid(f, finding.verdict, took, out);
    }
}

static int compare_doubles(const void *a, const void *b)
{
    double x, y;

    memcpy(&x, a, sizeof(x));
    memcpy(&y, b, sizeof(y));
    return (x > y) - (x < y);
}

static void print_cell(size_t n_unknown, cell *c)
{
    double n = (double)c->n;

    qsort(c->seconds, c->n, sizeof(*c->seconds), compare_doubles);
    printf("  %3zu %7zu %9.1f%% %8.1f%% %9.2f%% %11.1f %11.1f %11.1f %9.1f", n_unknown, c->n,
           100 * (double)c->verdicts[TACIT_CERTIFIED] / n, 100 * (double)c->verdicts[TACIT_REFUTED] / n,
           100 * (double)c->verdicts[TACIT_UNDECIDED] / n, 1e6 * c->seconds[c->n / 2],
           1e6 * c->seconds[(99 * c->n + 99) / 100 - 1], 1e6 * c->spent / n, (double)c->nodes / n);
    if (c->on_grid)
        printf(" %12.1f %9.1f x %4zu of %zu\n", 1e6 * c->grid / (double)c->on_grid, c->grid / c->beside, c->missed,
               c->on_grid);
    else
        printf(" %12s %11s %4s\n", "-", "-", "-");
    fflush(stdout);
}

static tacit_model *train(const dataset *set, const tacit_table *table, const char *hidden, const run_options *run)
{
    tacit_fit_options fit = {
        .kind = "mlp", .hidden = hidden, .epochs = run->epochs, .adam = true, .test_share = 0.3, .seed = 1};
    tacit_schema *schema = NULL;
    tacit_model *model = NULL;
    tacit_error err;

    if (dataset_schema(&schema, set, table, 1, &err) || tacit_fit(&model, table, schema, &fit, &err))
        stop("training", &err);
    tacit_schema_free(schema);
    return model;
}

static void show_network(const dataset *set, const tacit_table *table, const char *hidden, const run_options *run)
{
    tacit_model *model = train(set, table, hidden, run);
    const tct_mlp *mlp = tct_as_mlp(model->classifier);
    field f = {.model = model,
               .plain = {.n_layers = mlp->n_layers,
                         .sizes = mlp->sizes,
                         .weights = (const double *const *)mlp->weights,
                         .bias = (const double *const *)mlp->bias}};
    tct_encoded *people = NULL;
    tacit_error err;
    double *seconds = malloc(MOST_PEOPLE * sizeof(*seconds));

    if (!seconds)
        stop("times", NULL);
    if (tct_encoded_new(&people, table, model->codec, 0.3, 1, 0, &err) || tct_verifier_new(&f.verifier, model, &err))
        stop("people", &err);
    f.people = &people->test;
    rank_attributes(&f);
    printf("%s, network %s, test accuracy %.4f; microseconds per decision\n", set->name, hidden,
           model->info.test_accuracy);
    for (size_t least = 0; least < 2; least++) {
        printf("  unknown: %s\n", least ? "those of least influence" : "drawn at random");
        printf("  |U|  people  certified  refuted  undecided      median         p99        mean     boxes"
               "         grid      factor  missed\n");
        for (size_t i = 0; i < N_COUNTS; i++) {
            cell c = {.seconds = seconds};

            if (unknown_counts[i] > model->schema->n_attributes)
                break;
            fill_cell(&f, unknown_counts[i], least, run, &c);
            print_cell(unknown_counts[i], &c);
        }
    }
    printf("\n");
    free(seconds);
    tct_verifier_free(f.verifier);
    tct_encoded_free(people);
    tacit_model_free(model);
}

static bool read_options(int argc, char **argv, run_options *run)
{
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;

        if (argv[i][0] != '-') {
            run->folder = argv[i];
            continue;
        }
        if (!value)
            return false;
        if (strcmp(argv[i], "--set") == 0)
            run->set = value;
        else if (strcmp(argv[i], "--people") == 0)
            run->people = strtoul(value, NULL, 10);
        else if (strcmp(argv[i], "--epochs") == 0)
            run->epochs = strtoul(value, NULL, 10);
        else if (strcmp(argv[i], "--seconds") == 0)
            run->seconds = strtod(value, NULL);
        else
            return false;
        i++;
    }
    return run->people >= 1 && run->people <= MOST_PEOPLE && run->epochs >= 1 && run->seconds >= 0 &&
           dataset_find(run->set);
}

int main(int argc, char **argv)
{
    run_options run = {.folder = "../shared/data", .set = "credit", .people = 1000, .epochs = 20, .seconds = 2};
    tacit_table *table = NULL;
    tacit_error err;
    bool missing;

    if (!read_options(argc, argv, &run)) {
        fprintf(stderr, "usage: bench_certify [DATA] [--set credit] [--people N] [--seconds S] [--epochs N]\n");
        return 2;
    }
    if (dataset_read(&table, dataset_find(run.set), run.folder, 0, &missing, &err))
        stop("reading", &err);
    if (missing)
        return DATASET_MISSING;
    for (size_t i = 0; i < N_SIZES; i++)
        show_network(dataset_find(run.set), table, hidden_sizes[i], &run);
    tacit_table_free(table);
    return 0;
}
