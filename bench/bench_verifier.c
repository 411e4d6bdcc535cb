/*
 * bench_verifier.c -- how long it takes to decide whether a network's label is constant.
 *
 *   bench_verifier [SECONDS]       per line of the second table (default 2)
 *
 * Networks of 21 inputs in [-1, 1] with random weights of the usual size for starting a training (He), one score, its
 * bias shifted so that one label has about nine people in ten.  A question is a person and a set U of unknown inputs,
 * both at random; every question goes to a verifier that remembers nothing.  The first table sets the verifier
 * against the grid of the paper (Delta = 0.2, 5^|U| points, stopping at the first difference) on the same questions,
 * and counts the questions that the grid calls constant although the verifier has two people with different labels.
 * The second table is the distribution by size of the network and |U|, with the default budget.  One thread.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "literal_network.h"
#include "mlp.h"
#include "num.h"
#include "stopwatch.h"
#include "verifier.h"

enum { INPUTS = 21, NETWORKS = 10, GRID_QUESTIONS = 400, MOST_QUESTIONS = 1000, SAMPLE = 400 };

typedef struct question {
    double x[INPUTS];
    unsigned char known[INPUTS];
    bool literal_known[INPUTS];
} question;

/* Numbers about the questions of one line. */
typedef struct line {
    double times[MOST_QUESTIONS];     /* microseconds */
    double certified[MOST_QUESTIONS]; /* those of certified ones */
    size_t n, n_certified, n_refuted, n_undecided;
    uint64_t nodes;
    double total;
} line;

static void *room(size_t count, size_t size)
{
    void *block = tct_calloc(count, size);

    if (!block) {
        fprintf(stderr, "bench_verifier: out of memory\n");
        exit(1);
    }
    return block;
}

static tacit_schema *make_plain_schema(void)
{
    static const char *const classes[] = {"no", "yes"};
    tacit_schema *schema = room(1, sizeof *schema);
    tacit_error err = {0};
    char name[16];

    for (size_t i = 0; i < INPUTS; i++) {
        tacit_attribute a = {.name = name,
                             .type = TACIT_NUMBER,
                             .min = -1,
                             .max = 1,
                             .cost = 1,
                             .role = TACIT_SENSITIVE,
                             .missing_level = TACIT_NONE};

        snprintf(name, sizeof name, "x%zu", i);
        stop_on(tct_schema_add(schema, &a, &err), &err);
    }
    schema->label = tct_strdup("label");
    stop_on(tct_schema_copy_texts(&schema->classes, classes, 2, &err), &err);
    schema->n_classes = 2;
    return schema;
}

static void draw_people(tct_random *random, double *x, size_t n)
{
    for (size_t i = 0; i < n * INPUTS; i++)
        x[i] = 2 * tct_random_uniform(random) - 1;
}

/* Mean and deviation of the score over people at random. */
static void measure_scores(const tct_classifier *classifier, tct_random *random, double *mean, double *deviation)
{
    double x[SAMPLE * INPUTS], f[SAMPLE], sum = 0, squares = 0;

    draw_people(random, x, SAMPLE);
    classifier->ops->scores(classifier, x, SAMPLE, f);
    for (size_t r = 0; r < SAMPLE; r++) {
        sum += f[r];
        squares += f[r] * f[r];
    }
    *mean = sum / SAMPLE;
    *deviation = sqrt(squares / SAMPLE - *mean * *mean);
}

/* Two hidden layers of `width`. */
static tacit_model *make_network(uint64_t seed, size_t width)
{
    const size_t sizes[] = {INPUTS, width, width, 1};
    double *weights[3], *bias[3], mean, deviation;
    tct_classifier *draft = NULL, *classifier = NULL;
    tacit_model *model = NULL;
    tacit_error err = {0};
    tct_random random;

    tct_random_seed(&random, seed, width);
    for (size_t l = 0; l < 3; l++) {
        weights[l] = room(sizes[l] * sizes[l + 1], sizeof(double));
        bias[l] = room(sizes[l + 1], sizeof(double));
        for (size_t i = 0; i < sizes[l] * sizes[l + 1]; i++)
            weights[l][i] = sqrt(2 / (double)sizes[l]) * tct_random_normal(&random);
        for (size_t i = 0; i < sizes[l + 1] && l < 2; i++)
            bias[l][i] = 0.1 * tct_random_normal(&random);
    }
    stop_on(tct_mlp_new(&draft, 2, 3, sizes, (const double *const *)weights, (const double *const *)bias, &err), &err);
    measure_scores(draft, &random, &mean, &deviation);
    bias[2][0] = (seed % 2 ? 1.3 : -1.3) * deviation - mean;
    stop_on(tct_mlp_new(&classifier, 2, 3, sizes, (const double *const *)weights, (const double *const *)bias, &err),
            &err);
    draft->ops->free(draft);
    stop_on(tct_model_assemble(&model, make_plain_schema(), classifier, room(INPUTS, sizeof(double)),
                               room(INPUTS * INPUTS, sizeof(double)), &err),
            &err);
    for (size_t l = 0; l < 3; l++) {
        tct_free(weights[l]);
        tct_free(bias[l]);
    }
    return model;
}

static void draw_question(tct_random *random, size_t n_unknown, question *q)
{
    draw_people(random, q->x, 1);
    memset(q->known, 1, sizeof q->known);
    while (n_unknown > 0) {
        size_t i = tct_random_below(random, INPUTS);

        n_unknown -= q->known[i];
        q->known[i] = 0;
    }
    for (size_t i = 0; i < INPUTS; i++)
        q->literal_known[i] = q->known[i];
}

static tacit_verdict ask(tct_verifier *verifier, const tacit_model *model, const question *q, line *out)
{
    const tct_region region = tct_region_of(model->codec, q->known, q->x);
    tct_finding finding = {0};
    tacit_error err = {0};
    double start, time;

    tct_verifier_forget(verifier);
    start = processor_now();
    stop_on(tct_verifier_decide(verifier, &region, 0, &finding, &err), &err);
    time = processor_now() - start;
    out->times[out->n++] = 1e6 * time;
    out->total += time;
    out->nodes += finding.nodes;
    if (finding.verdict == TACIT_CERTIFIED)
        out->certified[out->n_certified++] = 1e6 * time;
    out->n_refuted += finding.verdict == TACIT_REFUTED;
    out->n_undecided += finding.verdict == TACIT_UNDECIDED;
    return finding.verdict;
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double quantile(double *values, size_t n, double share)
{
    if (n == 0)
        return NAN;
    qsort(values, n, sizeof *values, compare_numbers);
    return values[(size_t)(share * (double)(n - 1) + 0.5)];
}

static void against_grid(tacit_model **models)
{
    printf(
        "networks 10-10, verifier against grid, the same %d questions a line\n"
        "|U|  certified refuted undecided | verifier us: median   mean      p99 | grid us:   mean  on constant | times "
        "faster  grid wrongly constant\n",
        GRID_QUESTIONS);
    for (size_t n_unknown = 3; n_unknown <= 7; n_unknown++) {
        static line all;
        double grid = 0, constant = 0, start;
        size_t wrong = 0, n_constant = 0;
        tct_random random;

        memset(&all, 0, sizeof all);
        tct_random_seed(&random, 1, n_unknown);
        for (size_t m = 0; m < NETWORKS; m++) {
            const tct_mlp *mlp = tct_as_mlp(models[m]->classifier);
            literal_network literal = {.n_layers = mlp->n_layers,
                                       .sizes = mlp->sizes,
                                       .weights = (const double *const *)mlp->weights,
                                       .bias = (const double *const *)mlp->bias};
            tct_verifier *verifier;
            tacit_error err = {0};

            stop_on(tct_verifier_new(&verifier, models[m], &err), &err);
            for (size_t k = 0; k < GRID_QUESTIONS / NETWORKS; k++) {
                question q;
                size_t label;
                uint64_t points = 0;
                bool same;
                tacit_verdict verdict;

                draw_question(&random, n_unknown, &q);
                verdict = ask(verifier, models[m], &q, &all);
                start = processor_now();
                same = literal_network_grid(&literal, q.x, q.literal_known, &label, &points);
                start = processor_now() - start;
                grid += start;
                constant += same ? start : 0;
                n_constant += same;
                wrong += same && verdict == TACIT_REFUTED;
            }
            tct_verifier_free(verifier);
        }
        printf("%3zu  %9zu %7zu %9zu | %18.1f %8.1f %7.1f | %14.1f %12.1f | %12.1f  %zu of %zu\n", n_unknown,
               all.n_certified, all.n_refuted, all.n_undecided, quantile(all.times, all.n, 0.5),
               1e6 * all.total / (double)all.n, quantile(all.times, all.n, 0.99), 1e6 * grid / (double)all.n,
               1e6 * constant / (double)n_constant, grid / all.total, wrong, n_constant);
        fflush(stdout);
    }
}

static void distribution(size_t width, tacit_model **models, double seconds)
{
    static const size_t sizes[] = {3, 5, 7, 10, 14, 20};

    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        static line all;
        tct_random random;
        tct_verifier *verifiers[NETWORKS];
        tacit_error err = {0};

        memset(&all, 0, sizeof all);
        tct_random_seed(&random, 2, sizes[s]);
        for (size_t m = 0; m < NETWORKS; m++)
            stop_on(tct_verifier_new(&verifiers[m], models[m], &err), &err);
        while (all.n < MOST_QUESTIONS && all.total < seconds) {
            size_t m = all.n % NETWORKS;
            question q;

            draw_question(&random, sizes[s], &q);
            ask(verifiers[m], models[m], &q, &all);
        }
        for (size_t m = 0; m < NETWORKS; m++)
            tct_verifier_free(verifiers[m]);
        printf("%3zu-%-3zu %3zu %9zu %9.1f%% %8.1f%% %9.1f%% | %8.1f %10.1f %10.1f | %10.1f %10.1f | %9.1f\n", width,
               width, sizes[s], all.n, 100.0 * (double)all.n_certified / (double)all.n,
               100.0 * (double)all.n_refuted / (double)all.n, 100.0 * (double)all.n_undecided / (double)all.n,
               quantile(all.times, all.n, 0.5), quantile(all.times, all.n, 0.99), quantile(all.times, all.n, 1),
               quantile(all.certified, all.n_certified, 0.5), quantile(all.certified, all.n_certified, 0.99),
               (double)all.nodes / (double)all.n);
        fflush(stdout);
    }
}

int main(int argc, char **argv)
{
    static const size_t widths[] = {10, 32, 64, 128};
    double seconds = argc > 1 ? strtod(argv[1], NULL) : 2;
    tacit_model *models[NETWORKS];

    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        for (size_t m = 0; m < NETWORKS; m++)
            models[m] = make_network(m, widths[w]);
        if (w == 0) {
            against_grid(models);
            printf("\nnetwork |U| questions certified refuted undecided | all us: median  p99  longest | certified: "
                   "median "
                   "p99 | boxes each\n");
        }
        distribution(widths[w], models, seconds);
        for (size_t m = 0; m < NETWORKS; m++)
            tacit_model_free(models[m]);
    }
    return 0;
}
