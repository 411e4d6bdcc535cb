/*
 * figures_calibration.c -- what a promise of delta is worth before and after calibration, on real data.
 *
 *   figures_calibration [DATA] [--schemas FOLDER] [--sets bank,adult] [--models logistic,mlp] [--draws N] [--size N]
 *                       [--epochs N] [--threads N]
 *
 * Setting: 70/30 split, S of 7 attributes drawn at random, the rest public; draw k uses seed k for the split, the
 * training and S.  Networks have two hidden layers of 10 and are trained by Adam.  The people held out are halved: one
 * half calibrates, the other is judged, before (nominal confidence) and after (calibrated), by the rules that the program
 * takes; where delta cannot be reached by calibration, or proofs ask for less, people are asked until it is proven.
 *
 * "near": people stopped as likely whom half the tolerated nominal failure would have asked more; "likely": everybody
 * stopped as likely.  Counts are added up over draws, [low, high] are 95 % Clopper-Pearson intervals (draws share some
 * people, so they are a little too narrow).  "!": low lies above delta, the promise is broken.
 *
 * Below the table: in how many cells (data set, model, delta and draw) no level keeps delta, so that only proofs are left.
 *
 * Exit status: 0; 77 when data are missing.
 */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate.h"
#include "crossing.h"
#include "datasets.h"
#include "num.h"
#include "train.h"

enum { N_DELTAS = 3, MAX_ATTRIBUTES = 512, LIST_ROOM = 1 << 16 };
static const double DELTAS[N_DELTAS] = {0.01, 0.05, 0.1};

typedef struct run_options {
    const char *folder, *schemas, *sets, *models;
    size_t draws, size, epochs, threads;
} run_options;

/* People under one promise. */
typedef struct count {
    uint64_t people, asked, likely, failed, near, near_failed;
} count;

/* One data set and model: all draws. */
typedef struct figures {
    count before[N_DELTAS], after[N_DELTAS];
    double nominal[N_DELTAS]; /* logarithms added up over the draws in which delta was reached */
    size_t reached[N_DELTAS], draws;
} figures;

/* ---------------------------------------------------------------- judging */

/* How people are asked under a promise: the rule, and the nominal failure at which they are stopped as likely. */
typedef struct way {
    tacit_rule rule;
    double nominal; /* 0: only by proof */
} way;
enum { N_WAYS = 2 * N_DELTAS }; /* before and after, for each delta */

static tacit_status way_of(way *out, const tacit_model *model, double delta, tacit_error *err)
{
    tacit_status st = tct_rule_at(&out->rule, TACIT_RULE_AUTO, delta, model, err);

    out->nominal = st ? 0 : tct_promise_of(model, out->rule, delta).delta;
    return st;
}

/* One thread's own. */
typedef struct judge {
    tct_plan *plan;
    tct_walker *entropy, *proof; /* by rules */
    const tct_stage *start;
    count before[N_DELTAS], after[N_DELTAS];
    tacit_status status;
    tacit_error error;
} judge;

static tacit_status judge_init(judge *j, const tacit_model *model, tacit_error *err)
{
    tacit_status st = tct_plan_new(&j->plan, model, err);

    if (!st)
        st = tct_plan_public(j->plan, &j->start, err);
    if (!st)
        st = tct_walker_new(&j->entropy, j->plan, TACIT_RULE_ENTROPY, 0, err);
    if (!st)
        st = tct_walker_new(&j->proof, j->plan, TACIT_RULE_STOP, 0, err);
    return st;
}

static void judge_clear(judge *j)
{
    tct_walker_free(j->entropy);
    tct_walker_free(j->proof);
    tct_plan_free(j->plan);
}

/* How a person fares under one promise, and under the promise of half the nominal failure. */
static void note(count *c, const tct_stop *stop, const tct_stop *half, size_t full)
{
    bool likely = stop->end.settled == TACIT_LIKELY, failed = likely && stop->end.label != full;
    bool near = likely && (half->end.settled != TACIT_LIKELY || half->end.asked != stop->end.asked);

    c->people++;
    c->asked += stop->end.asked;
    c->likely += likely;
    c->failed += failed;
    c->near += near;
    c->near_failed += near && failed;
}

/* The ways by one rule: where they end, and where those of half the nominal failure do. */
static tacit_status walk_by(tacit_rule rule, tct_walker *walker, const judge *j, const double *x, const way *ways,
                            tct_stop *stops, tacit_error *err)
{
    tct_promise promises[2 * N_WAYS];
    tct_stop found[2 * N_WAYS];
    size_t asked[MAX_ATTRIBUTES], n = 0;
    tacit_status st;

    for (size_t i = 0; i < N_WAYS; i++)
        if (ways[i].rule == rule) {
            promises[n++] = tct_promise_nominal(ways[i].nominal);
            promises[n++] = tct_promise_nominal(ways[i].nominal / 2);
        }
    if (n == 0)
        return TACIT_OK;
    st = tct_walker_run(walker, j->start, x, NULL, promises, n, found, asked, err);
    tct_walker_next_person(walker);
    for (size_t i = N_WAYS; i-- > 0;)
        if (ways[i].rule == rule) {
            n -= 2;
            stops[2 * i] = found[n];
            stops[2 * i + 1] = found[n + 1];
        }
    return st;
}

static tacit_status judge_person(judge *j, const tacit_model *model, const double *x, const way *ways, tacit_error *err)
{
    tct_stop stops[2 * N_WAYS] = {0};
    double scores[TCT_MAX_CLASSES];
    size_t full;
    tacit_status st = walk_by(TACIT_RULE_ENTROPY, j->entropy, j, x, ways, stops, err);

    if (!st)
        st = walk_by(TACIT_RULE_STOP, j->proof, j, x, ways, stops, err);
    model->classifier->ops->scores(model->classifier, x, 1, scores);
    full = tct_label(scores, model->classifier->n_scores);
    for (size_t i = 0; i < N_WAYS && !st; i++)
        note(i < N_DELTAS ? &j->before[i] : &j->after[i - N_DELTAS], &stops[2 * i], &stops[2 * i + 1], full);
    return st;
}

static void add_counts(count *into, const count *from)
{
    for (size_t i = 0; i < N_DELTAS; i++) {
        into[i].people += from[i].people;
        into[i].asked += from[i].asked;
        into[i].likely += from[i].likely;
        into[i].failed += from[i].failed;
        into[i].near += from[i].near;
        into[i].near_failed += from[i].near_failed;
    }
}

/* People 1, 3, 5, ... of the part, by several threads. */
static tacit_status judge_people(figures *f, const tacit_model *model, const tct_encoded_rows *people, const way *ways,
                                 size_t threads, tacit_error *err)
{
    judge *judges = calloc(threads, sizeof(*judges));
    size_t d = model->codec->n_inputs;
    tacit_status st = judges ? TACIT_OK : tct_fail_memory(err);

    for (size_t t = 0; t < threads && !st; t++)
        st = judge_init(&judges[t], model, err);
    if (!st) {
#pragma omp parallel for num_threads((int)threads) schedule(dynamic, 16)
        for (size_t r = 1; r < people->n; r += 2) {
            judge *j = &judges[omp_get_thread_num()];
            double x[TCT_MAX_INPUTS];

            for (size_t i = 0; i < d; i++)
                x[i] = people->x[i * people->n + r];
            if (!j->status)
                j->status = judge_person(j, model, x, ways, &j->error);
        }
    }
    for (size_t t = 0; judges && t < threads; t++) {
        if (!st && judges[t].status) {
            st = judges[t].status;
            *err = judges[t].error;
        }
        add_counts(f->before, judges[t].before);
        add_counts(f->after, judges[t].after);
        judge_clear(&judges[t]);
    }
    free(judges);
    return st;
}

/* People 0, 2, 4, ... calibrate. */
static tacit_status calibrate(tct_calibration *out, const tacit_model *model, const tct_encoded_rows *people,
                              size_t threads, tacit_error *err)
{
    tct_calibrator **calibrators = calloc(threads, sizeof(*calibrators));
    tacit_status st = calibrators ? TACIT_OK : tct_fail_memory(err), failed = TACIT_OK;

    memset(out, 0, sizeof(*out));
    out->alpha = 0.05;
    for (size_t t = 0; t < threads && !st; t++)
        st = tct_calibrator_new(&calibrators[t], model, err);
    if (!st) {
#pragma omp parallel for num_threads((int)threads) schedule(dynamic, 16)
        for (size_t r = 0; r < people->n; r += 2) {
            tacit_error problem = {0};
            tacit_status now =
                tct_calibrator_count(calibrators[omp_get_thread_num()], people->x + r, people->n, 1, &problem);

            if (now)
#pragma omp critical
            {
                failed = now;
                *err = problem;
            }
        }
        st = failed;
    }
    for (size_t t = 0; calibrators && t < threads; t++) {
        if (!st)
            tct_calibrator_add(calibrators[t], out);
        tct_calibrator_free(calibrators[t]);
    }
    free(calibrators);
    tct_calibration_derive(out);
    return st;
}

/* ---------------------------------------------------------------- draws */

/* How people are asked before and after; and in which draws a level was found. */
static tacit_status find_ways(figures *f, way *ways, const tacit_model *model, const tct_calibration *calibration,
                              tacit_error *err)
{
    tacit_model *calibrated = NULL;
    tacit_status st = tct_model_with_calibration(&calibrated, model, calibration, err);

    for (size_t i = 0; i < N_DELTAS && !st; i++) {
        double nominal = tct_calibration_nominal(calibration, DELTAS[i]);

        f->reached[i] += nominal > 0;
        f->nominal[i] += nominal > 0 ? log(nominal) : 0;
        st = way_of(&ways[i], model, DELTAS[i], err);
        if (!st)
            st = way_of(&ways[N_DELTAS + i], calibrated, DELTAS[i], err);
    }
    tacit_model_free(calibrated);
    return st;
}

static tacit_status run_draw(figures *f, const run_options *run, const char *kind, const tacit_table *table,
                             const tacit_schema *schema, uint64_t seed, tacit_error *err)
{
    bool layers = tacit_fit_has_layers(kind); /* networks find their penalty out */
    tacit_fit_options fit = {
        .kind = kind, .l2 = layers ? 0 : 1, .test_share = 0.3, .seed = seed, .threads = run->threads};
    tct_calibration calibration;
    tct_encoded *people = NULL;
    tct_codec *codec = NULL;
    tacit_model *trained = NULL, *model = NULL;
    way ways[N_WAYS];
    char *list = malloc(LIST_ROOM);
    tacit_status st = list ? tct_codec_new(&codec, schema, err) : tct_fail_memory(err);

    if (strcmp(kind, "mlp") == 0) {
        fit.adam = true;
        fit.epochs = run->epochs;
    }
    if (!st)
        st = tct_encoded_new(&people, table, codec, fit.test_share, seed, run->threads, err);
    if (!st)
        st = tct_fit_encoded(&trained, people, schema, &fit, err);
    if (!st) {
        dataset_draw(schema, run->size, seed, list, LIST_ROOM);
        st = tacit_model_with_roles(&model, trained, list, NULL, err);
    }
    if (!st)
        st = calibrate(&calibration, model, &people->test, run->threads, err);
    if (!st)
        st = find_ways(f, ways, model, &calibration, err);
    if (!st)
        st = judge_people(f, model, &people->test, ways, run->threads, err);
    f->draws++;
    tacit_model_free(model);
    tacit_model_free(trained);
    tct_encoded_free(people);
    tct_codec_free(codec);
    free(list);
    return st;
}

/* ---------------------------------------------------------------- the table */

static void print_share(uint64_t failed, uint64_t people, double delta)
{
    double low, high;

    if (people == 0) {
        printf(" nobody |");
        return;
    }
    tct_clopper_pearson((double)failed, (double)people, 0.95, &low, &high);
    printf(" %.3f [%.3f, %.3f]%s |", (double)failed / (double)people, low, high, low > delta ? " !" : "");
}

static void print_figures(const char *set, const char *kind, const figures *f)
{
    for (size_t i = 0; i < N_DELTAS; i++) {
        const count *before = &f->before[i], *after = &f->after[i];

        printf("| %s | %s | %g | %.0f |", set, kind, DELTAS[i], (double)before->people / (double)f->draws);
        print_share(before->near_failed, before->near, DELTAS[i]);
        print_share(before->failed, before->likely, DELTAS[i]);
        printf(" %.3f | %zu/%zu", (double)before->asked / (double)before->people, f->reached[i], f->draws);
        if (f->reached[i])
            printf(": %.2g |", exp(f->nominal[i] / (double)f->reached[i]));
        else
            printf(" |");
        print_share(after->near_failed, after->near, DELTAS[i]);
        print_share(after->failed, after->likely, DELTAS[i]);
        printf(" %.3f |\n", (double)after->asked / (double)after->people);
    }
    fflush(stdout);
}

/* Cells: a data set, a model, a delta and a draw each. */
typedef struct cells {
    size_t all, only_proofs;
} cells;

static void count_cells(cells *c, const figures *f)
{
    for (size_t i = 0; i < N_DELTAS; i++) {
        c->all += f->draws;
        c->only_proofs += f->draws - f->reached[i];
    }
}

static tacit_status run_set(cells *counted, const run_options *run, const dataset *set, bool *missing, tacit_error *err)
{
    static const char *const kinds[] = {"logistic", "mlp"};
    char path[4096];
    dataset described = *set;
    tacit_schema *schema = NULL;
    tacit_table *table = NULL;
    tacit_status st;

    snprintf(path, sizeof(path), "%s/%s.json", run->schemas, set->name);
    st = tacit_schema_read(&schema, path, err);
    if (!st) {
        described.csv = (tacit_csv_options){0};
        tacit_schema_csv(schema, &described.csv);
        st = dataset_read(&table, &described, run->folder, run->threads, missing, err);
    }
    for (size_t k = 0; k < 2 && !st && table; k++) {
        figures f = {0};

        if (run->models && !dataset_listed(run->models, kinds[k]))
            continue;
        for (size_t draw = 1; draw <= run->draws && !st; draw++)
            st = run_draw(&f, run, kinds[k], table, schema, draw, err);
        if (!st) {
            print_figures(set->name, kinds[k], &f);
            count_cells(counted, &f);
        }
    }
    tacit_table_free(table);
    tacit_schema_free(schema);
    return st;
}

/* ---------------------------------------------------------------- the program */

static bool read_count(const char *text, size_t *out)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);

    *out = value;
    return *text && !*end && value >= 1 && value <= 100000;
}

static bool read_arguments(run_options *run, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        bool good = true;

        if (argv[i][0] != '-') {
            run->folder = argv[i];
            continue;
        }
        if (strcmp(argv[i], "--schemas") == 0)
            run->schemas = value;
        else if (strcmp(argv[i], "--sets") == 0)
            run->sets = value;
        else if (strcmp(argv[i], "--models") == 0)
            run->models = value;
        else if (strcmp(argv[i], "--draws") == 0)
            good = read_count(value, &run->draws);
        else if (strcmp(argv[i], "--size") == 0)
            good = read_count(value, &run->size);
        else if (strcmp(argv[i], "--epochs") == 0)
            good = read_count(value, &run->epochs);
        else if (strcmp(argv[i], "--threads") == 0)
            good = read_count(value, &run->threads);
        else
            good = false;
        if (!good || !*value)
            return false;
        i++;
    }
    return true;
}

int main(int argc, char **argv)
{
    run_options run = {.folder = "data", .schemas = "datasets", .draws = 5, .size = 7, .epochs = 50};
    bool any_missing = false;
    cells counted = {0};
    tacit_error err = {0};

    run.threads = (size_t)omp_get_num_procs();
    if (!read_arguments(&run, argc, argv)) {
        fprintf(stderr, "usage: figures_calibration [DATA] [--schemas FOLDER] [--sets LIST] [--models LIST]\n"
                        "                           [--draws N] [--size N] [--epochs N] [--threads N]\n");
        return 2;
    }
    printf(
        "| data set | model | %s | judged | before: near | before: likely | asked | reached: nominal | after: near | "
        "after: likely | asked |\n|---|---|---|---|---|---|---|---|---|---|---|\n",
        "δ");
    for (size_t i = 0; dataset_get(i); i++) {
        bool missing = false;

        if (run.sets && !dataset_listed(run.sets, dataset_get(i)->name))
            continue;
        if (run_set(&counted, &run, dataset_get(i), &missing, &err)) {
            fprintf(stderr, "figures_calibration: %s\n", err.message);
            return 1;
        }
        any_missing = any_missing || missing;
    }
    printf("\ncells in which calibration leaves only proofs: %zu of %zu\n", counted.only_proofs, counted.all);
    return any_missing ? DATASET_MISSING : 0;
}
