/*
 * figures.c -- the figures of the method on real data: how many sensitive attributes are asked for, by which rule.
 *
 *   figures [DATA] [--draws N] [--sizes 7,12] [--sets bank,adult] [--threads N]
 *
 * Data sets: bank, credit, insurance, adult (two classes; the default), customer (four), fetal (three).
 *
 * Setting: logistic regression, ordinal codes, 70/30 split, S drawn at random, the rest public, held-out people; draw
 * k uses seed k for the split and for S.  Means and standard errors are over draws.  Beside each figure stands that of
 * the prototype (10 draws of its own), and the distance in standard errors of the difference of the two means, both
 * taken to scatter from draw to draw as ours do: most of the scatter comes from which attributes are drawn into S.
 *
 * Exit status: 0; 1 when a decision at delta = 0 ever differs from the full-information one; 77 when data are missing.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datasets.h"
#include "tacit.h"

enum { MAX_DRAWS = 1000, MAX_SIZES = 16, MAX_ATTRIBUTES = 512, PROTOTYPE_DRAWS = 10 };

enum figure {
    ENTROPY,
    MARGIN,
    STOP,
    OPT,
    ASKED_05,
    ASKED_10,
    ASKED_20,
    ACCURACY,
    ACCURACY_05,
    ACCURACY_10,
    ACCURACY_20,
    N_FIGURES
};

static const char *const figure_names[N_FIGURES] = {
    "asked, delta 0, entropy rule",
    "asked, delta 0, margin rule",
    "asked, delta 0, stop rule",
    "asked, Opt",
    "asked, delta 0.05",
    "asked, delta 0.1",
    "asked, delta 0.2",
    "accuracy, everything asked",
    "accuracy, delta 0.05",
    "accuracy, delta 0.1",
    "accuracy, delta 0.2",
};

/* What the prototype found; 0 = not measured. */
typedef struct prototype {
    const char *set;
    size_t size;
    double figures[N_FIGURES];
} prototype;

static const prototype prototypes[] = {
    {"bank", 7, {4.069, 1.637, 1.632, 1.592, 0.228, 0.097, 0.040, 0.892, 0, 0, 0}},
    {"bank", 12, {7.639, 3.414, 3.425, 3.257, 0, 0, 0, 0, 0, 0, 0}},
    {"credit", 7, {2.775, 1.634, 1.649, 1.609, 0.200, 0.146, 0.084, 0.810, 0, 0, 0}},
    {"insurance", 7, {1.843, 1.642, 1.573, 1.418, 0.975, 0.737, 0.434, 0.841, 0, 0, 0}},
    {"adult", 7, {3.115, 2.771, 2.755, 2.633, 1.265, 0.975, 0.622, 0.825, 0, 0, 0}},
};

typedef struct run_options {
    const char *folder;
    const char *only; /* comma-separated names */
    size_t sizes[MAX_SIZES], n_sizes;
    size_t draws, threads;
} run_options;

/* All draws of one data set and size. */
typedef struct series {
    double values[N_FIGURES][MAX_DRAWS];
    uint64_t people, agree;     /* at delta = 0, all rules, all draws */
    uint64_t held_out;          /* people of the last draw */
    double fidelity[MAX_DRAWS]; /* at delta = 0.1 */
} series;

static tacit_status audit_rule(tacit_audit **out, const tacit_model *model, const tacit_table *table, tacit_rule rule,
                               const double *deltas, size_t n_deltas, size_t threads, tacit_error *err)
{
    tacit_audit_options options = {.deltas = deltas,
                                   .n_deltas = n_deltas,
                                   .rule = rule,
                                   .threads = threads,
                                   .no_opt = rule != TACIT_RULE_MARGIN,
                                   .part = TACIT_PART_HELD_OUT};

    return tacit_audit_table(out, model, table, &options, err);
}

/* One draw: audit by every rule and note the figures. */
static tacit_status measure(series *out, size_t draw, const tacit_model *model, const tacit_table *table,
                            size_t threads, tacit_error *err)
{
    static const double deltas[] = {0, 0.05, 0.1, 0.2};
    tacit_audit *entropy = NULL, *margin = NULL, *stop = NULL;
    const tacit_audit_result *r;
    tacit_status st;

    st = audit_rule(&entropy, model, table, TACIT_RULE_ENTROPY, deltas, 4, threads, err);
    if (st)
        goto done;
    st = audit_rule(&margin, model, table, TACIT_RULE_MARGIN, deltas, 1, threads, err);
    if (!st)
        st = audit_rule(&stop, model, table, TACIT_RULE_STOP, deltas, 1, threads, err);
    if (st)
        goto done;
    for (size_t i = 0; i < 4; i++) {
        r = tacit_audit_result_get(entropy, i);
        out->values[i == 0 ? ENTROPY : ASKED_05 + i - 1][draw] = r->mean_asked;
        if (i > 0)
            out->values[ACCURACY_05 + i - 1][draw] = r->accuracy;
        if (i == 2)
            out->fidelity[draw] = r->fidelity;
    }
    r = tacit_audit_result_get(entropy, 0);
    out->people += r->people;
    out->agree += r->agree;
    r = tacit_audit_result_get(stop, 0);
    out->people += r->people;
    out->agree += r->agree;
    out->values[STOP][draw] = r->mean_asked;
    r = tacit_audit_result_get(margin, 0);
    out->people += r->people;
    out->agree += r->agree;
    out->held_out = r->people;
    out->values[MARGIN][draw] = r->mean_asked;
    out->values[OPT][draw] = tacit_audit_summary_get(margin)->opt_mean_asked;
    out->values[ACCURACY][draw] = tacit_audit_summary_get(margin)->baseline_accuracy;
done:
    tacit_audit_free(entropy);
    tacit_audit_free(margin);
    tacit_audit_free(stop);
    return st;
}

/* All draws of one data set: one training per draw, one model with other roles per size. */
static tacit_status run_set(const dataset *set, const tacit_table *table, const run_options *run, series *out,
                            tacit_error *err)
{
    tacit_status st = TACIT_OK;
    char sensitive[8192];

    for (size_t draw = 0; draw < run->draws && !st; draw++) {
        tacit_fit_options fit = {.l2 = 1, .test_share = 0.3, .seed = draw + 1, .threads = run->threads};
        tacit_schema *schema = NULL;
        tacit_model *model = NULL;

        st = dataset_schema(&schema, set, table, draw + 1, err);
        if (!st)
            st = tacit_fit(&model, table, schema, &fit, err);
        for (size_t i = 0; i < run->n_sizes && !st; i++) {
            tacit_model *draw_model = NULL;

            if (run->sizes[i] > tacit_schema_attributes(schema))
                continue;
            dataset_draw(schema, run->sizes[i], draw + 1, sensitive, sizeof(sensitive));
            st = tacit_model_with_roles(&draw_model, model, sensitive, NULL, err);
            if (!st)
                st = measure(&out[i], draw, draw_model, table, run->threads, err);
            tacit_model_free(draw_model);
        }
        tacit_model_free(model);
        tacit_schema_free(schema);
    }
    return st;
}

static void mean_and_deviation(const double *values, size_t n, double *mean, double *deviation)
{
    double squares = 0;

    *mean = 0;
    for (size_t i = 0; i < n; i++)
        *mean += values[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (values[i] - *mean) * (values[i] - *mean);
    *deviation = n > 1 ? sqrt(squares / (double)(n - 1)) : NAN;
}

static void print_series(const dataset *set, size_t size, const series *s, size_t draws)
{
    const prototype *known = NULL;
    double mean, deviation, n = (double)draws;

    for (size_t i = 0; i < sizeof(prototypes) / sizeof(prototypes[0]); i++)
        if (strcmp(prototypes[i].set, set->name) == 0 && prototypes[i].size == size)
            known = &prototypes[i];
    printf("%s, |S| = %zu, %zu draws, about %llu people each\n", set->name, size, draws,
           (unsigned long long)s->held_out);
    printf("  %-30s %8s %8s %10s %11s\n", "", "mean", "s.e.", "prototype", "difference");
    for (size_t f = 0; f < N_FIGURES; f++) {
        mean_and_deviation(s->values[f], draws, &mean, &deviation);
        printf("  %-30s %8.4f %8.4f", figure_names[f], mean, deviation / sqrt(n));
        if (known && known->figures[f] > 0)
            printf(" %10.3f %+6.2f s.e.\n", known->figures[f],
                   (mean - known->figures[f]) / (deviation * sqrt(1 / n + 1.0 / PROTOTYPE_DRAWS)));
        else
            printf(" %10s %11s\n", "-", "-");
    }
    mean_and_deviation(s->fidelity, draws, &mean, &deviation);
    printf("  fidelity: delta 0, all rules: %llu of %llu decisions %s; delta 0.1: %.4f\n\n",
           (unsigned long long)s->agree, (unsigned long long)s->people,
           s->agree == s->people ? "(exactly 1)" : "*** NOT EXACT ***", mean);
    fflush(stdout);
}

static bool read_count(const char *text, size_t most, size_t *out, char **end)
{
    unsigned long value = strtoul(text, end, 10);

    *out = value;
    return *end != text && value >= 1 && value <= most;
}

static bool read_options(int argc, char **argv, run_options *run)
{
    char *end;

    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";

        if (argv[i][0] != '-') {
            run->folder = argv[i];
            continue;
        }
        if (strcmp(argv[i], "--sets") == 0) {
            run->only = value;
        } else if (strcmp(argv[i], "--draws") == 0) {
            if (!read_count(value, MAX_DRAWS, &run->draws, &end) || *end)
                return false;
        } else if (strcmp(argv[i], "--threads") == 0) {
            if (!read_count(value, 1024, &run->threads, &end) || *end)
                return false;
        } else if (strcmp(argv[i], "--sizes") == 0) {
            run->n_sizes = 0;
            for (const char *at = value;; at = end + 1) {
                if (run->n_sizes == MAX_SIZES || !read_count(at, MAX_ATTRIBUTES, &run->sizes[run->n_sizes++], &end))
                    return false;
                if (*end != ',')
                    break;
            }
            if (*end)
                return false;
        } else {
            return false;
        }
        i++;
    }
    return true;
}

/* 0, 1 or 77, as for the whole program. */
static int show_set(const dataset *set, const run_options *run)
{
    tacit_table *table = NULL;
    tacit_error err = {0};
    series *all = calloc(run->n_sizes, sizeof(*all));
    bool missing = false;
    int code = 0;

    if (!all || dataset_read(&table, set, run->folder, run->threads, &missing, &err) ||
        (!missing && run_set(set, table, run, all, &err))) {
        fprintf(stderr, "%s: %s\n", set->name, all ? err.message : "out of memory");
        code = 1;
        goto done;
    }
    if (missing) {
        code = DATASET_MISSING;
        goto done;
    }
    for (size_t i = 0; i < run->n_sizes; i++) {
        if (all[i].people == 0) {
            printf("%s: fewer than %zu attributes\n\n", set->name, run->sizes[i]);
            continue;
        }
        print_series(set, run->sizes[i], &all[i], run->draws);
        if (all[i].agree != all[i].people)
            code = 1;
    }
done:
    tacit_table_free(table);
    free(all);
    return code;
}

int main(int argc, char **argv)
{
    run_options run = {
        .folder = "../shared/data", .only = "bank,credit,insurance,adult", .sizes = {7}, .n_sizes = 1, .draws = 10};
    int code = 0;
    bool any = false;

    if (!read_options(argc, argv, &run)) {
        fprintf(stderr, "usage: figures [DATA] [--draws N] [--sizes 7,12] [--sets bank,adult] [--threads N]\n");
        return 2;
    }
    for (size_t i = 0; dataset_get(i); i++) {
        int one;

        if (!dataset_listed(run.only, dataset_get(i)->name))
            continue;
        one = show_set(dataset_get(i), &run);
        any = any || one == 0;
        if (one && code != 1)
            code = one;
    }
    if (any)
        printf("Difference: ours minus the prototype's, in standard errors of a difference between %zu and %d draws.\n",
               run.draws, PROTOTYPE_DRAWS);
    return code;
}
