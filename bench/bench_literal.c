/*
 * bench_literal.c -- what the paper's evaluation costs with the paper's own algorithms written plainly (literal.c,
 * literal_network.c).
 *
 *   bench_literal [DATA] [--schemas FOLDER] [--sets bank,adult,...] [--people N] [--seconds N] [--json FILE]
 *
 * For every data set (schemas from `datasets`) and both models, trained as in the paper on 70 % of the people: PFR with
 * T = 1000 samples per candidate, once for each delta since the paper runs each on its own, and Opt by trying all
 * subsets, smaller ones first.  Pure test in closed form for logistic regression, on the grid with Delta = 0.2 for
 * networks.  With three or more classes each of the T entropies needs the label's distribution, and that takes T draws
 * of the scores.  One-hot categories are one attribute with a block of inputs.
 *
 * The algorithms keep nothing between people, so every person measured gets a sensitive set of their own: the mean is
 * over people and sets alike.  They are taken in rounds, one held-out person for each size of the set, until there are
 * enough people and the time of this model is up.  Processor time of the thread; training is not counted.  The whole is
 * the mean cost of a person, times everybody held out, times 100 repetitions, summed over the sizes.
 *
 * Exit status 77 when no data are found.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "datasets.h"
#include "encoded.h"
#include "literal.h"
#include "literal_network.h"
#include "mlp.h"
#include "tacit.h"

enum { FIRST_SIZE = 2, N_SIZES = 6, N_DELTAS = 5, N_MODELS = 2, MAX_SETS = 16, REPETITIONS = 100, SEED = 1 };

#define TEST_SHARE 0.3
#define HOUR 3600.0

static const double deltas[N_DELTAS] = {0, 0.05, 0.1, 0.2, 0.3};
static const char *const models[N_MODELS] = {"logistic", "mlp"};

typedef struct run_options {
    const char *folder, *schemas, *sets, *json;
    size_t people;
    double seconds;
} run_options;

/* Seconds of some people, one after the other. */
typedef struct cost {
    double sum, squares;
} cost;

/* One size of the sensitive set. */
typedef struct cell {
    cost pfr; /* all deltas */
    cost by_delta[N_DELTAS];
    cost opt;
    double asked[N_DELTAS], agree[N_DELTAS]; /* sums: attributes asked; label as with everything revealed */
    double opt_asked;
} cell;

/* One data set and model. */
typedef struct result {
    const char *set, *model;
    size_t attributes, inputs, classes, held_out;
    size_t people; /* measured, per size */
    cell cells[N_SIZES];
} result;

/* Seconds of the whole: everybody held out, all repetitions, all sizes; with standard errors. */
typedef struct whole {
    double pfr, pfr_error, opt, opt_error;
} whole;

/* Sums over several models. */
typedef struct group {
    const char *name, *key;
    size_t most_classes;
} group;

static const group groups[] = {{"two classes", "two_classes", 2}, {"all", "all", SIZE_MAX}};
enum { N_GROUPS = sizeof(groups) / sizeof(groups[0]) };

/* A model as the literal algorithms read it. */
typedef struct subject {
    const tacit_model *model;
    const tct_encoded_rows *people;
    literal_problem linear;  /* used when the model is linear */
    literal_network network; /* used when it is not */
    bool is_linear;
    size_t widths[LITERAL_MAX_INPUTS], sensitive[LITERAL_MAX_INPUTS];
} subject;

/* What was found for one person at one delta. */
typedef struct answer {
    size_t asked, label;
} answer;

static double seconds_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void stop(const char *what, const tacit_error *err)
{
    fprintf(stderr, "bench_literal: %s%s%s\n", what, err ? ": " : "", err ? err->message : "");
    exit(1);
}

/* ---- costs ---- */

static void add_cost(cost *c, double seconds)
{
    c->sum += seconds;
    c->squares += seconds * seconds;
}

static double mean_cost(const cost *c, size_t n)
{
    return c->sum / (double)n;
}

/* Standard error of the mean. */
static double cost_error(const cost *c, size_t n)
{
    double mean = mean_cost(c, n), people = (double)n;

    return n < 2 ? NAN : sqrt(fmax(0, c->squares / people - mean * mean) / (people - 1));
}

/* Of results of models with at most so many classes. */
static whole whole_of(const result *results, size_t n, size_t most_classes)
{
    whole w = {0};

    for (size_t i = 0; i < n; i++) {
        const result *r = &results[i];
        double times = (double)(r->held_out * REPETITIONS);

        for (size_t s = 0; s < N_SIZES && r->classes <= most_classes; s++) {
            w.pfr += times * mean_cost(&r->cells[s].pfr, r->people);
            w.opt += times * mean_cost(&r->cells[s].opt, r->people);
            w.pfr_error = hypot(w.pfr_error, times * cost_error(&r->cells[s].pfr, r->people));
            w.opt_error = hypot(w.opt_error, times * cost_error(&r->cells[s].opt, r->people));
        }
    }
    return w;
}

/* ---- measuring ---- */

static void set_up(subject *s, const tacit_model *model, const tct_encoded_rows *people)
{
    const tct_linear *linear = tct_as_linear(model->classifier);
    const tct_mlp *mlp = tct_as_mlp(model->classifier);

    *s = (subject){.model = model, .people = people, .is_linear = linear};
    if (model->codec->n_inputs > LITERAL_MAX_INPUTS || model->classifier->n_classes > LITERAL_MAX_CLASSES)
        stop("too many inputs or classes for the literal algorithm", NULL);
    for (size_t a = 0; a < model->schema->n_attributes; a++)
        s->widths[model->codec->domains[a].first] = model->codec->domains[a].width;
    if (linear)
        s->linear = (literal_problem){.n_inputs = model->codec->n_inputs,
                                      .n_classes = model->classifier->n_classes,
                                      .weights = linear->weights,
                                      .bias = linear->bias,
                                      .mean = model->mean,
                                      .covariance = model->covariance,
                                      .sensitive = s->sensitive,
                                      .widths = s->widths,
                                      .samples = LITERAL_SAMPLES};
    else
        s->network = (literal_network){.n_layers = mlp->n_layers,
                                       .sizes = mlp->sizes,
                                       .weights = (const double *const *)mlp->weights,
                                       .bias = (const double *const *)mlp->bias,
                                       .mean = model->mean,
                                       .covariance = model->covariance,
                                       .sensitive = s->sensitive,
                                       .widths = s->widths,
                                       .samples = LITERAL_SAMPLES};
}

/* A sensitive set of `size` attributes at random. */
static void draw_set(subject *s, size_t size, uint64_t *state)
{
    size_t n = s->model->schema->n_attributes, left = size;

    for (size_t a = 0; a < n && left > 0; a++)
        if (dataset_random(state) % (n - a) < left)
            s->sensitive[size - left--] = s->model->codec->domains[a].first;
    s->linear.n_sensitive = s->network.n_sensitive = size;
}

static void draw_person(const subject *s, uint64_t *state, double *x)
{
    size_t person = dataset_random(state) % s->people->n;

    for (size_t i = 0; i < s->model->codec->n_inputs; i++)
        x[i] = s->people->x[i * s->people->n + person];
}

static answer release(const subject *s, const double *x, double delta, literal_random *random)
{
    literal_network_outcome network;
    literal_outcome linear = {.estimates = NULL};

    if (s->is_linear) {
        literal_release(&s->linear, x, delta, random, &linear);
        return (answer){linear.asked, linear.label};
    }
    literal_network_release(&s->network, x, delta, random, &network);
    return (answer){network.asked, network.label};
}

/* One person of one cell: every delta, then Opt. */
static void measure_person(const subject *s, const double *x, literal_random *random, cell *c)
{
    size_t label = s->is_linear ? literal_baseline(&s->linear, x) : literal_network_label(&s->network, x);
    size_t opt = 0;
    uint64_t points = 0;
    double all = 0, before;

    for (size_t k = 0; k < N_DELTAS; k++) {
        double seconds;
        answer found;

        before = seconds_now();
        found = release(s, x, deltas[k], random);
        seconds = seconds_now() - before;
        all += seconds;
        add_cost(&c->by_delta[k], seconds);
        c->asked[k] += (double)found.asked;
        c->agree[k] += found.label == label;
        if (s->is_linear && k == 0 && found.label != label)
            stop("a pure core set of a linear model has another label than the full information", NULL);
    }
    add_cost(&c->pfr, all);
    before = seconds_now();
    opt = s->is_linear ? literal_opt(&s->linear, x) : literal_network_opt(&s->network, x, &points);
    add_cost(&c->opt, seconds_now() - before);
    c->opt_asked += (double)opt;
}

static void measure(const tacit_model *model, const tct_encoded_rows *people, const run_options *run, result *r)
{
    static subject s;
    literal_random random = {.state = SEED};
    double x[LITERAL_MAX_INPUTS] = {0}, start = seconds_now();
    uint64_t state = SEED;

    set_up(&s, model, people);
    while (r->people < run->people || seconds_now() - start < run->seconds) {
        for (size_t k = 0; k < N_SIZES; k++) {
            draw_set(&s, FIRST_SIZE + k, &state);
            draw_person(&s, &state, x);
            measure_person(&s, x, &random, &r->cells[k]);
        }
        r->people++;
    }
}

/* ---- results ---- */

static void print_result(const result *r)
{
    double n = (double)r->people;

    printf("%s, %s: %zu attributes, %zu inputs, %zu classes; %zu people held out, %zu measured per size\n", r->set,
           r->model, r->attributes, r->inputs, r->classes, r->held_out, r->people);
    printf("  us per person      all deltas    (s.e.) |");
    for (size_t k = 0; k < N_DELTAS; k++)
        printf(" delta %-4g   asked |", deltas[k]);
    printf("         Opt    (s.e.)   asked\n");
    for (size_t s = 0; s < N_SIZES; s++) {
        const cell *c = &r->cells[s];

        printf("  |S| = %zu    %18.1f %9.1f |", FIRST_SIZE + s, 1e6 * mean_cost(&c->pfr, r->people),
               1e6 * cost_error(&c->pfr, r->people));
        for (size_t k = 0; k < N_DELTAS; k++)
            printf(" %10.0f %7.2f |", 1e6 * mean_cost(&c->by_delta[k], r->people), c->asked[k] / n);
        printf(" %11.1f %9.1f %7.2f\n", 1e6 * mean_cost(&c->opt, r->people), 1e6 * cost_error(&c->opt, r->people),
               c->opt_asked / n);
    }
    putchar('\n');
    fflush(stdout);
}

static void print_line(const char *set, const char *model, const whole *w)
{
    printf("  %-13s %-9s %12.2f %9.2f %12.3f %9.3f %12.2f %10.2f\n", set, model, w->pfr / HOUR, w->pfr_error / HOUR,
           w->opt / HOUR, w->opt_error / HOUR, (w->pfr + w->opt) / HOUR, (w->pfr + w->opt) / HOUR / 24);
}

static void print_whole(const result *results, size_t n)
{
    printf("The whole on one core: everybody held out, sizes %d to %d, %d repetitions, %d deltas\n", FIRST_SIZE,
           FIRST_SIZE + N_SIZES - 1, REPETITIONS, N_DELTAS);
    printf("  %-13s %-9s %12s %9s %12s %9s %12s %10s\n", "data", "model", "PFR hours", "(s.e.)", "Opt hours", "(s.e.)",
           "both hours", "days");
    for (size_t i = 0; i < n; i++) {
        whole w = whole_of(&results[i], 1, SIZE_MAX);

        print_line(results[i].set, results[i].model, &w);
    }
    for (size_t k = 0; k < N_GROUPS; k++) {
        whole w = whole_of(results, n, groups[k].most_classes);

        print_line(groups[k].name, "", &w);
    }
}

static void write_cell(FILE *file, const cell *c, size_t size, size_t people)
{
    double n = (double)people;

    fprintf(file, "        {\"size\": %zu, \"pfr_us\": %.3f, \"pfr_us_error\": %.3f,\n         \"deltas\": [", size,
            1e6 * mean_cost(&c->pfr, people), 1e6 * cost_error(&c->pfr, people));
    for (size_t k = 0; k < N_DELTAS; k++)
        fprintf(file, "%s{\"delta\": %g, \"us\": %.3f, \"asked\": %.4f, \"fidelity\": %.4f}",
                k ? ",\n                    " : "", deltas[k], 1e6 * mean_cost(&c->by_delta[k], people),
                c->asked[k] / n, c->agree[k] / n);
    fprintf(file, "],\n         \"opt_us\": %.3f, \"opt_us_error\": %.3f, \"opt_asked\": %.4f}",
            1e6 * mean_cost(&c->opt, people), 1e6 * cost_error(&c->opt, people), c->opt_asked / n);
}

static void write_whole(FILE *file, const whole *w)
{
    fprintf(file,
            "{\"pfr_seconds\": %.1f, \"pfr_seconds_error\": %.1f, \"opt_seconds\": %.3f, "
            "\"opt_seconds_error\": %.3f}",
            w->pfr, w->pfr_error, w->opt, w->opt_error);
}

static void write_result(FILE *file, const result *r)
{
    whole w = whole_of(r, 1, SIZE_MAX);

    fprintf(file,
            "    {\"set\": \"%s\", \"model\": \"%s\", \"attributes\": %zu, \"inputs\": %zu, \"classes\": %zu,\n"
            "     \"held_out\": %zu, \"people\": %zu,\n      \"sizes\": [\n",
            r->set, r->model, r->attributes, r->inputs, r->classes, r->held_out, r->people);
    for (size_t s = 0; s < N_SIZES; s++) {
        write_cell(file, &r->cells[s], FIRST_SIZE + s, r->people);
        fputs(s + 1 < N_SIZES ? ",\n" : "],\n     \"whole\": ", file);
    }
    write_whole(file, &w);
    fputs("}", file);
}

/* The same as JSON.  Names come from our own tables and need no escapes. */
static void write_json(const char *path, const result *results, size_t n)
{
    FILE *file = fopen(path, "wb");
    bool failed;

    if (!file)
        stop("cannot write the JSON file", NULL);
    fprintf(file, "{\n  \"samples\": %d,\n  \"grid\": %d,\n  \"repetitions\": %d,\n  \"results\": [\n", LITERAL_SAMPLES,
            LITERAL_GRID, REPETITIONS);
    for (size_t i = 0; i < n; i++) {
        write_result(file, &results[i]);
        fputs(i + 1 < n ? ",\n" : "\n  ]", file);
    }
    for (size_t k = 0; k < N_GROUPS; k++) {
        whole w = whole_of(results, n, groups[k].most_classes);

        fprintf(file, ",\n  \"%s\": ", groups[k].key);
        write_whole(file, &w);
    }
    fputs("\n}\n", file);
    failed = ferror(file);
    if (fclose(file) || failed)
        stop("cannot write the JSON file", NULL);
}

/* ---- data sets ---- */

static void run_model(const char *kind, const char *set, const tacit_table *table, const tacit_schema *schema,
                      const run_options *run, result *r)
{
    bool layers = tacit_fit_has_layers(kind); /* networks find their penalty out */
    tacit_fit_options fit = {.kind = kind, .l2 = layers ? 0 : 1, .test_share = TEST_SHARE, .seed = SEED};
    tct_encoded *people = NULL;
    tacit_model *model = NULL;
    tacit_error err;

    if (tacit_fit(&model, table, schema, &fit, &err))
        stop("training", &err);
    if (tct_encoded_new(&people, table, model->codec, TEST_SHARE, SEED, 0, &err))
        stop("encoding", &err);
    *r = (result){.set = set,
                  .model = kind,
                  .attributes = model->schema->n_attributes,
                  .inputs = model->codec->n_inputs,
                  .classes = model->classifier->n_classes,
                  .held_out = people->test.n};
    if (r->attributes < FIRST_SIZE + N_SIZES - 1 || r->held_out == 0)
        stop("too few attributes or people", NULL);
    measure(model, &people->test, run, r);
    print_result(r);
    tct_encoded_free(people);
    tacit_model_free(model);
}

/* Adds its results; false when the file is not there. */
static bool run_set(const dataset *set, const run_options *run, result *results)
{
    tacit_schema *schema = NULL;
    tacit_table *table = NULL;
    tacit_error err;
    char path[4096];
    bool missing;

    if (dataset_read(&table, set, run->folder, 0, &missing, &err))
        stop("reading", &err);
    if (missing)
        return false;
    snprintf(path, sizeof(path), "%s/%s.json", run->schemas, set->name);
    if (tacit_schema_read(&schema, path, &err))
        stop("schema", &err);
    for (size_t m = 0; m < N_MODELS; m++)
        run_model(models[m], set->name, table, schema, run, &results[m]);
    tacit_schema_free(schema);
    tacit_table_free(table);
    return true;
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
        if (strcmp(argv[i], "--schemas") == 0)
            run->schemas = value;
        else if (strcmp(argv[i], "--sets") == 0)
            run->sets = value;
        else if (strcmp(argv[i], "--people") == 0)
            run->people = strtoul(value, NULL, 10);
        else if (strcmp(argv[i], "--seconds") == 0)
            run->seconds = strtod(value, NULL);
        else if (strcmp(argv[i], "--json") == 0)
            run->json = value;
        else
            return false;
        i++;
    }
    return run->people >= 2 && run->seconds >= 0;
}

int main(int argc, char **argv)
{
    static result results[MAX_SETS * N_MODELS];
    run_options run = {.folder = "../shared/data", .schemas = "datasets", .people = 8, .seconds = 3};
    size_t n = 0;

    if (!read_options(argc, argv, &run)) {
        fprintf(stderr, "usage: bench_literal [DATA] [--schemas FOLDER] [--sets bank,adult,...] [--people N] "
                        "[--seconds N] [--json FILE]\n  (at least 2 people)\n");
        return 2;
    }
    for (size_t i = 0; dataset_get(i) && n + N_MODELS <= MAX_SETS * N_MODELS; i++)
        if (!run.sets || dataset_listed(run.sets, dataset_get(i)->name))
            n += run_set(dataset_get(i), &run, results + n) ? (size_t)N_MODELS : 0;
    if (n == 0) {
        printf("bench_literal: no data sets in %s: nothing to measure\n", run.folder);
        return DATASET_MISSING;
    }
    print_whole(results, n);
    if (run.json)
        write_json(run.json, results, n);
    return 0;
}
