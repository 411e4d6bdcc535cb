/*
 * bench_netproofs.c -- what it costs to decide about people by a network at delta = 0, and to prove it to others.
 *
 *   bench_netproofs DATA.csv MODEL [--size N] [--people N] [--draws N] [--receipts] [--budget N]
 *                   [--keep WALKS | --follow WALKS] [--each FILE]
 *
 * People of the file from its start are walked through the questionnaire by the usual rule; S is drawn at random, and
 * what is not in S is public.  Every decision "is the label settled?" is timed by itself, so is choosing the next
 * question.  Undecided is told as a share of the decisions that were not refuted: each costs a question.  With
 * --receipts a proof is written and checked for every decision that was certified: times as multiples of the decision,
 * bytes of its tree as JSON.  One thread, its processor time.
 *
 * --keep writes down what was asked, a line per person; --follow decides those very questions, whatever they turn out to
 * be.  --each writes of each whether it was certified, and milliseconds.  So two builds can be compared question by question:
 * netproofs_builds.sh compiles this file against each.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datasets.h"
#include "netproofs_before.h"
#include "stopwatch.h"

enum { MOST = 100000 };

/* Times of one kind. */
typedef struct times {
    double *each;
    size_t n;
    double sum;
} times;

typedef struct bench {
    tacit_model *model;
    tct_plan *plan;
    tct_walker *walker;
    tct_prover *prover;
    double *x; /* of the person at hand */
    bool receipts;
    FILE *keep, *follow, *each;
    times decide, certified, last, choose, write, check, bytes;
    size_t people, asked, verdicts[3], unwritten;
    uint64_t budget;
    uint64_t nodes[3]; /* by verdict */
} bench;

static void add(times *t, double value)
{
    if (!t->each)
        t->each = malloc(MOST * sizeof(double));
    if (!t->each || t->n == MOST)
        exit(1);
    t->each[t->n++] = value;
    t->sum += value;
}

static int compare_numbers(const void *a, const void *b)
{
    double x, y;

    memcpy(&x, a, sizeof(x));
    memcpy(&y, b, sizeof(y));
    return (x > y) - (x < y);
}

static double quantile(times *t, double share)
{
    if (t->n == 0)
        return NAN;
    qsort(t->each, t->n, sizeof(double), compare_numbers);
    return t->each[(size_t)(share * (double)(t->n - 1) + 0.5)];
}

/* A proof of what was certified, for others. */
static void prove(bench *b, const tct_region *region, size_t label)
{
    tct_claim claim = claim_of(b->model, region, label);
    tct_proof proof = {0};
    tacit_error err;
    bool made = false;
    double start = processor_now();

    stop_on(tct_prover_write(&proof, &made, &claim, 0, &err), &err);
    add(&b->write, processor_now() - start);
    b->unwritten += !made;
    if (made) {
        json_t *json = tct_proof_to_json(&proof, b->model->codec);
        char *text = json ? json_dumps(json, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;

        add(&b->bytes, text ? (double)strlen(text) : 0);
        free(text);
        json_decref(json);
        start = processor_now();
        stop_on(tct_check(&claim, &proof, &err), &err);
        add(&b->check, processor_now() - start);
    }
    tct_proof_clear(&proof);
}

/* The next attribute of the walk that is followed; TACIT_NONE at its end. */
static size_t followed(bench *b)
{
    char word[32];
    char *end;
    size_t next;

    if (fscanf(b->follow, "%31s", word) != 1 || strcmp(word, ".") == 0)
        return TACIT_NONE;
    next = strtoul(word, &end, 10);
    if (*end || next >= b->model->codec->schema->n_attributes) {
        fprintf(stderr, "error: these are not walks of this model\n");
        exit(1);
    }
    return next;
}

/* What to ask next, and how long it took to choose. */
static size_t choose(bench *b, const tct_stage *stage)
{
    double start = processor_now();
    size_t next;

    if (b->follow)
        return followed(b);
    next = tct_walker_choose(b->walker, stage, b->x, NULL);
    add(&b->choose, processor_now() - start);
    return next;
}

static void walk(bench *b)
{
    const tct_stage *stage, *mark = tct_plan_mark(b->plan);
    double took = 0;
    tacit_error err;

    stop_on(tct_plan_public(b->plan, &stage, &err), &err);
    tct_prover_forget(b->prover);
    tct_walker_next_person(b->walker);
    while (stage->n_unknown > 0) {
        tct_region region = tct_region_of(b->model->codec, stage->known, b->x);
        tct_finding finding = {0};
        double start = processor_now();
        bool certified;
        size_t next;

        stop_on(tct_prover_decide(b->prover, &region, b->budget, &finding, &err), &err);
        took = processor_now() - start;
        certified = finding.verdict == TACIT_CERTIFIED;
        add(&b->decide, took);
        b->verdicts[finding.verdict]++;
        b->nodes[finding.verdict] += finding.nodes;
        if (b->each)
            fprintf(b->each, "%s %.6f\n", certified ? "certified" : "open", 1e3 * took);
        if (certified)
            add(&b->certified, took);
        if (certified && b->receipts)
            prove(b, &region, finding.label);
        next = certified && !b->follow ? TACIT_NONE : choose(b, stage);
        if (next == TACIT_NONE)
            break;
        if (b->keep)
            fprintf(b->keep, "%zu ", next);
        b->asked++;
        stop_on(tct_plan_step(b->plan, stage, next, &stage, &err), &err);
        tct_plan_forget(b->plan, mark, stage);
    }
    if (b->follow && stage->n_unknown == 0)
        followed(b); /* the end of the line */
    if (b->keep)
        fprintf(b->keep, ".\n");
    add(&b->last, took);
    tct_plan_forget(b->plan, mark, NULL);
    b->people++;
}

static void run_draw(bench *b, const tacit_model *model, const tacit_table *table, size_t size, size_t people,
                     uint64_t seed)
{
    tct_encoded *encoded = NULL;
    char list[8192];
    tacit_error err;

    dataset_draw(tacit_model_schema(model), size, seed, list, sizeof(list));
    stop_on(tacit_model_with_roles(&b->model, model, list, NULL, &err), &err);
    stop_on(tct_encoded_new(&encoded, table, b->model->codec, 0.3, 1, 0, &err), &err);
    stop_on(tct_plan_new(&b->plan, b->model, &err), &err);
    stop_on(tct_walker_new(&b->walker, b->plan, TACIT_RULE_STOP, 1, &err), &err);
    stop_on(tct_prover_new(&b->prover, b->model, &err), &err);
    b->x = malloc(encoded->d * sizeof(double));
    for (size_t person = 0; person < people && person < encoded->test.n && b->x; person++) {
        for (size_t i = 0; i < encoded->d; i++)
            b->x[i] = encoded->test.x[i * encoded->test.n + person];
        walk(b);
    }
    free(b->x);
    tct_prover_free(b->prover);
    tct_walker_free(b->walker);
    tct_plan_free(b->plan);
    tct_encoded_free(encoded);
    tacit_model_free(b->model);
}

static void print_times(const char *what, times *t, double scale, const char *unit)
{
    if (t->n > 0)
        printf("  %-30s mean %10.3f  median %10.3f  p90 %10.3f  p99 %10.3f  most %10.3f %s\n", what,
               scale * t->sum / (double)t->n, scale * quantile(t, 0.5), scale * quantile(t, 0.9),
               scale * quantile(t, 0.99), scale * quantile(t, 1), unit);
}

static void print_all(bench *b)
{
    size_t certified = b->verdicts[TACIT_CERTIFIED], undecided = b->verdicts[TACIT_UNDECIDED];
    double people = (double)b->people;
    double boxes = (double)(b->nodes[TACIT_CERTIFIED] + b->nodes[TACIT_REFUTED] + b->nodes[TACIT_UNDECIDED]);

    printf("  %zu people, %.3f asked, %.2f people per second of deciding", b->people, (double)b->asked / people,
           people / b->decide.sum);
    if (b->choose.n > 0)
        printf(", %.2f with choosing", people / (b->decide.sum + b->choose.sum));
    printf("\n");
    printf("  certified %zu, refuted %zu, undecided %zu: %.2f %% of those not refuted; %.0f boxes each\n", certified,
           b->verdicts[TACIT_REFUTED], undecided, 100 * (double)undecided / (double)(certified + undecided),
           boxes / (double)b->decide.n);
    printf("  boxes of certified questions %.1f %%, of refuted ones %.1f %%, of undecided ones %.1f %%\n",
           100 * (double)b->nodes[TACIT_CERTIFIED] / boxes, 100 * (double)b->nodes[TACIT_REFUTED] / boxes,
           100 * (double)b->nodes[TACIT_UNDECIDED] / boxes);
    print_times("a decision", &b->decide, 1e3, "ms");
    print_times("a certified one", &b->certified, 1e3, "ms");
    print_times("the last of a person", &b->last, 1e3, "ms");
    print_times("choosing a question", &b->choose, 1e3, "ms");
    print_times("writing a proof", &b->write, 1e3, "ms");
    print_times("checking it", &b->check, 1e3, "ms");
    print_times("its tree", &b->bytes, 1e-3, "kB");
    if (b->write.n > 0)
        printf("  writing %.2f x, checking %.2f x the time of the decisions; %zu not written\n",
               b->write.sum / b->certified.sum, b->check.sum / b->certified.sum, b->unwritten);
}

static FILE *open_walks(const char *path, const char *mode)
{
    FILE *file = fopen(path, mode);

    if (!file) {
        fprintf(stderr, "error: cannot open %s\n", path);
        exit(1);
    }
    return file;
}

int main(int argc, char **argv)
{
    static bench b;
    size_t size = 16, people = 100, draws = 1;
    tacit_model *model = NULL;
    tacit_table *table = NULL;
    tacit_csv_options csv = {0};
    tacit_error err;

    for (int i = 3; i < argc; i++) {
        if (strcmp(argv[i], "--receipts") == 0)
            b.receipts = true;
        else if (i + 1 < argc && strcmp(argv[i], "--size") == 0)
            size = strtoul(argv[++i], NULL, 10);
        else if (i + 1 < argc && strcmp(argv[i], "--people") == 0)
            people = strtoul(argv[++i], NULL, 10);
        else if (i + 1 < argc && strcmp(argv[i], "--budget") == 0)
            b.budget = strtoull(argv[++i], NULL, 10);
        else if (i + 1 < argc && strcmp(argv[i], "--draws") == 0)
            draws = strtoul(argv[++i], NULL, 10);
        else if (i + 1 < argc && strcmp(argv[i], "--keep") == 0)
            b.keep = open_walks(argv[++i], "w");
        else if (i + 1 < argc && strcmp(argv[i], "--follow") == 0)
            b.follow = open_walks(argv[++i], "r");
        else if (i + 1 < argc && strcmp(argv[i], "--each") == 0)
            b.each = open_walks(argv[++i], "w");
        else
            argc = 0;
    }
    if (argc < 3) {
        fprintf(stderr, "usage: bench_netproofs DATA.csv MODEL [--size N] [--people N] [--draws N] [--receipts]"
                        " [--budget N] [--keep WALKS | --follow WALKS] [--each FILE]\n");
        return 2;
    }
    stop_on(tacit_table_read(&table, argv[1], &csv, 0, &err), &err);
    stop_on(tacit_model_load(&model, argv[2], &err), &err);
    for (size_t draw = 1; draw <= draws; draw++)
        run_draw(&b, model, table, size, people, draw);
    printf("%s, |S| = %zu\n", argv[2], size);
    print_all(&b);
    tacit_model_free(model);
    tacit_table_free(table);
    if (b.follow)
        fclose(b.follow);
    if ((b.keep && fclose(b.keep) != 0) || (b.each && fclose(b.each) != 0))
        return 1;
    return 0;
}
