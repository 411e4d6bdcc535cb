/*
 * figures_network.c -- the figures of the method for networks on real data: how much is asked for a proven decision,
 * and how often the paper's grid test is wrong.
 *
 *   figures_network [DATA] [--draws N] [--size N] [--sets insurance,credit] [--hidden 10,10] [--epochs N] [--adam]
 *                   [--sample N] [--threads N]
 *
 * Setting: ReLU network of two hidden layers of 10, trained as in the paper (SGD, batch 32, rate 0.001, 300 epochs;
 * --epochs and --adam for a quick look), ordinal codes, 70/30 split, S drawn at random, the rest public, held-out
 * people, delta = 0; draw k uses seed k for the split, the training and S.  Means and standard errors are over draws.
 *
 * The grid (see literal_network.h) is put beside the verifier on a sample of people, at every stage of their
 * questionnaires by both rules and at one random set of revealed attributes each.  It is wrong when it finds the label
 * constant although the verifier holds two people of different labels in its hands.  The opposite, a grid point of
 * another label where the verifier has a proof, is a point outside the domain (half a child, say): it costs questions
 * but breaks no promise.
 *
 * Exit status: 0; 1 when a decision at delta = 0 ever differs from the full-information one; 77 when data are missing.
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
#include "walk.h"

enum { MAX_DRAWS = 100, MOST_SENSITIVE = 9 /* 5^9 points of the grid */ };

enum figure { ENTROPY, MARGIN, OPT, ACCURACY, N_FIGURES };

static const char *const figure_names[N_FIGURES] = {
    "asked, entropy rule",
    "asked, margin rule",
    "asked, Opt",
    "accuracy, everything asked",
};

static const tacit_rule rules[] = {TACIT_RULE_ENTROPY, TACIT_RULE_MARGIN};
enum { N_RULES = 2 };

/* What a prototype found with three draws of its own; 0 = not measured. */
typedef struct prototype {
    const char *set;
    double figures[N_FIGURES];
} prototype;

static const prototype prototypes[] = {
    {"insurance", {3.18, 2.16, 1.76, 0}},
    {"credit", {5.12, 2.58, 2.40, 0}},
};
enum { PROTOTYPE_SIZE = 7 };

/* Verifier and grid at the same stages. */
typedef struct comparison {
    uint64_t stages;
    uint64_t certified, refuted, undecided;
    uint64_t missed;   /* refuted, but the grid says constant */
    uint64_t spurious; /* certified, but the grid says not constant */
    uint64_t people;   /* whole questionnaires */
    uint64_t misled;   /* the label at the first stage where the grid says constant is not the person's */
    uint64_t hasty;    /* stopped before it was proven */
} comparison;

typedef struct series {
    double values[N_FIGURES][MAX_DRAWS], seconds[N_RULES], training;
    uint64_t people, agree; /* at delta = 0, all rules, all draws */
    uint64_t all_revealed;
    uint64_t held_out; /* people of the last draw */
    comparison walks[N_RULES], random;
} series;

typedef struct run_options {
    const char *folder, *only, *hidden;
    size_t size, draws, threads, epochs, sample;
    bool adam;
} run_options;

/* One draw's model, and everything to look at its people with. */
typedef struct bench {
    const tacit_model *model;
    literal_network plain;
    size_t sensitive[LITERAL_MAX_INPUTS];
    tct_encoded *people;
    tct_plan *plan;
    tct_walker *walkers[N_RULES];
    tct_verifier *verifier;
    double x[LITERAL_MAX_INPUTS], witness[2][LITERAL_MAX_INPUTS];
} bench;

/* ---- verifier and grid ---- */

static void bench_close(bench *b)
{
    for (size_t r = 0; r < N_RULES; r++)
        tct_walker_free(b->walkers[r]);
    tct_verifier_free(b->verifier);
    tct_plan_free(b->plan);
    tct_encoded_free(b->people);
}

static tacit_status bench_open(bench *b, const tacit_model *model, const tacit_table *table, tacit_error *err)
{
    const tct_mlp *mlp = tct_as_mlp(model->classifier);
    tacit_status st;

    b->model = model;
    b->plain = (literal_network){.n_layers = mlp->n_layers,
                                 .sizes = mlp->sizes,
                                 .weights = (const double *const *)mlp->weights,
                                 .bias = (const double *const *)mlp->bias,
                                 .mean = model->mean,
                                 .covariance = model->covariance,
                                 .sensitive = b->sensitive};
    for (size_t a = 0; a < model->schema->n_attributes; a++)
        if (model->schema->attributes[a].role == TACIT_SENSITIVE)
            b->sensitive[b->plain.n_sensitive++] = model->codec->domains[a].first;
    st = tct_encoded_new(&b->people, table, model->codec, model->info.test_share, model->info.seed, 0, err);
    if (!st)
        st = tct_verifier_new(&b->verifier, model, err);
    if (!st)
        st = tct_plan_new(&b->plan, model, err);
    for (size_t r = 0; r < N_RULES && !st; r++)
        st = tct_walker_new(&b->walkers[r], b->plan, rules[r], 1, err);
    return st;
}

/* Both tests at one stage.  Attributes and inputs are the same thing here (ordinal codes).  *constant: the grid's
 * verdict, and its label. */
static tacit_status compare_stage(bench *b, const unsigned char *known, comparison *out, bool *proven, bool *constant,
                                  size_t *label, tacit_error *err)
{
    tct_region region = tct_region_of(b->model->codec, known, b->x);
    tct_finding finding = {.witness = {b->witness[0], b->witness[1]}};
    bool is_known[LITERAL_MAX_INPUTS];
    uint64_t points = 0;
    tacit_status st = tct_verifier_decide(b->verifier, &region, 0, &finding, err);

    if (st)
        return st;
    for (size_t a = 0; a < b->model->schema->n_attributes; a++)
        is_known[a] = known[a];
    *proven = finding.verdict == TACIT_CERTIFIED;
    *constant = literal_network_grid(&b->plain, b->x, is_known, label, &points);
    out->stages++;
    out->certified += *proven;
    out->refuted += finding.verdict == TACIT_REFUTED;
    out->undecided += finding.verdict == TACIT_UNDECIDED;
    out->missed += *constant && finding.verdict == TACIT_REFUTED;
    out->spurious += !*constant && *proven;
    return TACIT_OK;
}

/* A whole questionnaire: the grid at every stage, and what would have come of believing it. */
static tacit_status compare_walk(bench *b, size_t rule, comparison *out, tacit_error *err)
{
    const tct_promise promise = tct_promise_of(b->model, TACIT_RULE_AUTO, 0);
    unsigned char known[LITERAL_MAX_INPUTS];
    size_t asked[LITERAL_MAX_INPUTS];
    const tct_stage *start;
    bool believed = false;
    tct_stop stop;
    tacit_status st = tct_plan_public(b->plan, &start, err);

    if (!st)
        st = tct_walker_run(b->walkers[rule], start, b->x, NULL, &promise, 1, &stop, asked, err);
    if (st)
        return st;
    memcpy(known, start->known, b->model->schema->n_attributes);
    for (size_t k = 0; k <= stop.end.asked && !st; k++) {
        bool proven, constant;
        size_t label;

        if (k > 0)
            known[asked[k - 1]] = 1;
        if (k == b->plain.n_sensitive)
            break; /* nothing left to test */
        st = compare_stage(b, known, out, &proven, &constant, &label, err);
        if (st || !constant || believed)
            continue;
        believed = true;
        out->hasty += !proven;
        out->misled += label != literal_network_label(&b->plain, b->x);
    }
    out->people++;
    tct_walker_next_person(b->walkers[rule]);
    return st;
}

/* A random set of revealed attributes, not all. */
static tacit_status compare_random(bench *b, uint64_t *random, comparison *out, tacit_error *err)
{
    unsigned char known[LITERAL_MAX_INPUTS];
    size_t n = b->plain.n_sensitive, reveal = dataset_random(random) % n;
    bool proven, constant;
    size_t label;

    memset(known, 1, b->model->schema->n_attributes);
    for (size_t i = 0; i < n; i++) {
        bool revealed = dataset_random(random) % (n - i) < reveal;

        known[b->sensitive[i]] = revealed;
        reveal -= revealed;
    }
    return compare_stage(b, known, out, &proven, &constant, &label, err);
}

static tacit_status compare_sample(series *out, const tacit_model *model, const tacit_table *table, size_t sample,
                                   uint64_t seed, tacit_error *err)
{
    bench b = {0};
    uint64_t random = seed;
    tacit_status st = bench_open(&b, model, table, err);

    for (size_t i = 0; i < sample && !st; i++) {
        const tct_encoded_rows *part = &b.people->test;
        size_t person = dataset_random(&random) % part->n;

        for (size_t k = 0; k < b.people->d; k++)
            b.x[k] = part->x[k * part->n + person];
        tct_verifier_forget(b.verifier);
        for (size_t r = 0; r < N_RULES && !st; r++)
            st = compare_walk(&b, r, &out->walks[r], err);
        if (!st)
            st = compare_random(&b, &random, &out->random, err);
    }
    bench_close(&b);
    return st;
}

/* ---- draws ---- */

static tacit_status audit_rules(series *out, size_t draw, const tacit_model *model, const tacit_table *table,
                                size_t threads, tacit_error *err)
{
    static const double deltas[] = {0};
    tacit_status st = TACIT_OK;

    for (size_t r = 0; r < N_RULES && !st; r++) {
        tacit_audit_options options = {.deltas = deltas,
                                       .n_deltas = 1,
                                       .rule = rules[r],
                                       .threads = threads,
                                       .no_opt = rules[r] != TACIT_RULE_MARGIN,
                                       .part = TACIT_PART_HELD_OUT};
        tacit_audit *audit = NULL;
        const tacit_audit_result *found;
        double start = clock_now();

        st = tacit_audit_table(&audit, model, table, &options, err);
        if (st)
            break;
        found = tacit_audit_result_get(audit, 0);
        out->seconds[r] += clock_now() - start;
        out->values[r][draw] = found->mean_asked;
        out->people += found->people;
        out->agree += found->agree;
        out->all_revealed += found->all_revealed;
        out->held_out = found->people;
        out->values[ACCURACY][draw] = tacit_audit_summary_get(audit)->baseline_accuracy;
        if (!options.no_opt)
            out->values[OPT][draw] = tacit_audit_summary_get(audit)->opt_mean_asked;
        tacit_audit_free(audit);
    }
    return st;
}

static tacit_status run_draw(series *out, size_t draw, const dataset *set, const tacit_table *table,
                             const run_options *run, tacit_error *err)
{
    tacit_fit_options fit = {.kind = "mlp",
                             .hidden = run->hidden,
                             .epochs = run->epochs,
                             .adam = run->adam,
                             .test_share = 0.3,
                             .seed = draw + 1,
                             .threads = run->threads};
    tacit_schema *schema = NULL;
    tacit_model *model = NULL;
    char sensitive[8192];
    double start;
    tacit_status st = dataset_schema(&schema, set, table, draw + 1, err);

    if (st)
        goto done;
    dataset_draw(schema, run->size, draw + 1, sensitive, sizeof(sensitive));
    st = tacit_schema_set_roles(schema, sensitive, NULL, err);
    start = clock_now();
    if (!st)
        st = tacit_fit(&model, table, schema, &fit, err);
    out->training += clock_now() - start;
    if (!st)
        st = audit_rules(out, draw, model, table, run->threads, err);
    if (!st)
        st = compare_sample(out, model, table, run->sample, draw + 1, err);
done:
    tacit_model_free(model);
    tacit_schema_free(schema);
    return st;
}

/* ---- printing ---- */

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

static void print_comparison(const char *where, const comparison *c)
{
    printf("  %-24s %8llu %9llu %8llu %9llu %12llu %12llu", where, (unsigned long long)c->stages,
           (unsigned long long)c->certified, (unsigned long long)c->refuted, (unsigned long long)c->undecided,
           (unsigned long long)c->missed, (unsigned long long)c->spurious);
    if (c->people)
        printf(" %8llu %8llu of %llu\n", (unsigned long long)c->hasty, (unsigned long long)c->misled,
               (unsigned long long)c->people);
    else
        printf(" %8s %8s\n", "-", "-");
}

static void print_series(const dataset *set, const series *s, const run_options *run)
{
    const prototype *known = NULL;
    double mean, error;

    for (size_t i = 0; i < sizeof(prototypes) / sizeof(prototypes[0]); i++)
        if (strcmp(prototypes[i].set, set->name) == 0 && run->size == PROTOTYPE_SIZE)
            known = &prototypes[i];
    printf("%s, |S| = %zu, network %s, %zu draws, about %llu people each, delta = 0\n", set->name, run->size,
           run->hidden, run->draws, (unsigned long long)s->held_out);
    printf("  %-30s %8s %8s %10s\n", "", "mean", "s.e.", "prototype");
    for (size_t f = 0; f < N_FIGURES; f++) {
        mean_and_error(s->values[f], run->draws, &mean, &error);
        printf("  %-30s %8.4f %8.4f", figure_names[f], mean, error);
        if (known && known->figures[f] > 0)
            printf(" %10.2f\n", known->figures[f]);
        else
            printf(" %10s\n", "-");
    }
    printf("  fidelity, both rules: %llu of %llu decisions %s; everything revealed: %llu\n",
           (unsigned long long)s->agree, (unsigned long long)s->people,
           s->agree == s->people ? "(exactly 1)" : "*** NOT EXACT ***", (unsigned long long)s->all_revealed);
    printf("  seconds per draw: training %.1f, audit by entropy %.1f, by margin with Opt %.1f\n",
           s->training / (double)run->draws, s->seconds[0] / (double)run->draws, s->seconds[1] / (double)run->draws);
    printf("  %-24s %8s %9s %8s %9s %12s %12s %8s %8s\n", "grid beside the proof at", "stages", "certified", "refuted",
           "undecided", "grid missed", "grid outside", "hasty", "misled");
    print_comparison("stages, entropy rule", &s->walks[0]);
    print_comparison("stages, margin rule", &s->walks[1]);
    print_comparison("random sets", &s->random);
    printf("\n");
    fflush(stdout);
}

/* ---- program ---- */

static bool read_count(const char *text, size_t least, size_t most, size_t *out)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);

    *out = value;
    return end != text && *end == '\0' && value >= least && value <= most;
}

static bool read_options(int argc, char **argv, run_options *run)
{
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        bool good = true;

        if (argv[i][0] != '-') {
            run->folder = argv[i];
            continue;
        }
        if (strcmp(argv[i], "--adam") == 0) {
            run->adam = true;
            continue;
        }
        if (strcmp(argv[i], "--sets") == 0)
            run->only = value;
        else if (strcmp(argv[i], "--hidden") == 0)
            run->hidden = value;
        else if (strcmp(argv[i], "--draws") == 0)
            good = read_count(value, 1, MAX_DRAWS, &run->draws);
        else if (strcmp(argv[i], "--size") == 0)
            good = read_count(value, 1, MOST_SENSITIVE, &run->size);
        else if (strcmp(argv[i], "--epochs") == 0)
            good = read_count(value, 1, 100000, &run->epochs);
        else if (strcmp(argv[i], "--sample") == 0)
            good = read_count(value, 0, 1000000, &run->sample);
        else if (strcmp(argv[i], "--threads") == 0)
            good = read_count(value, 1, 1024, &run->threads);
        else
            good = false;
        if (!good)
            return false;
        i++;
    }
    return true;
}

/* 0, 1 or 77, as for the whole program. */
static int show_set(const dataset *set, const run_options *run)
{
    tacit_table *table = NULL;
    tacit_error err = {0};
    series *all = calloc(1, sizeof(*all));
    bool missing = false;
    int code = 0;
    tacit_status st = all ? dataset_read(&table, set, run->folder, run->threads, &missing, &err) : TACIT_E_MEMORY;

    for (size_t draw = 0; draw < run->draws && !st && !missing; draw++)
        st = run_draw(all, draw, set, table, run, &err);
    if (st) {
        fprintf(stderr, "%s: %s\n", set->name, all ? err.message : "out of memory");
        code = 1;
    } else if (missing) {
        code = DATASET_MISSING;
    } else {
        print_series(set, all, run);
        code = all->agree == all->people ? 0 : 1;
    }
    tacit_table_free(table);
    free(all);
    return code;
}

int main(int argc, char **argv)
{
    run_options run = {.folder = "../shared/data",
                       .only = "bank,credit,insurance,adult,customer,fetal",
                       .hidden = "10,10",
                       .size = 7,
                       .draws = 3,
                       .sample = 500};
    int code = 0;

    if (!read_options(argc, argv, &run)) {
        fprintf(stderr, "usage: figures_network [DATA] [--draws N] [--size N] [--sets insurance,credit] "
                        "[--hidden 10,10]\n                       [--epochs N] [--adam] [--sample N] [--threads N]\n");
        return 2;
    }
    for (size_t i = 0; dataset_get(i); i++) {
        int one;

        if (!dataset_listed(run.only, dataset_get(i)->name))
            continue;
        one = show_set(dataset_get(i), &run);
        if (one && code != 1)
            code = one;
    }
    printf("Grid missed: found constant on the grid, but two people of different labels exist.  Grid outside: not "
           "constant "
           "on the grid,\nbut proven for everybody who can exist.  Hasty: people whom the grid stops before the proof; "
           "misled: with the wrong label.\n");
    return code;
}
