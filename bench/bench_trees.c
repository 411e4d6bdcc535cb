/*
 * bench_trees.c -- how long it takes to decide whether the label of an ensemble of trees is constant.
 *
 *   bench_trees MODEL DATA.csv [UNKNOWN [PEOPLE [QUESTIONS]]]
 *
 * Questions come from walks: a set of UNKNOWN (default 7) attributes at random is unknown, a random person of the file
 * reveals them in random order, and after every answer the prover decides, until it certifies.  Nothing is kept from one
 * question to the next; "in a conversation": the same questions where a rule looks
 * ahead after each, as in sessions and audits, and what is left of the trees is kept until the person ends.  Beside the times: boxes, verdicts, proofs for what was certified (leaves,
 * time to write and to check), and how long the model takes to label the same people.  CPU time, one thread.
 *
 * QUESTIONS: a file to write the questions to, for bench/trees_highs.py to ask again: verdict, microseconds, boxes (0: it took no bound), and
 * per attribute its value as text, * where it is not known.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checker.h"
#include "csv.h"
#include "person.h"
#include "provers.h"
#include "stopwatch.h"

enum { MOST = 200000, LABELLED = 20000 };
static const double PROOF_TIME = 3e6, LABEL_TIME = 5e5; /* us, in all */

/* Numbers of one kind, to be sorted. */
typedef struct series {
    double *values, sum;
    size_t n;
} series;

static double now_us(void)
{
    return 1e6 * processor_now();
}

static void add(series *s, double value)
{
    if (!s->values)
        s->values = tct_calloc(MOST, sizeof(double));
    if (!s->values || s->n == MOST)
        return;
    s->values[s->n++] = value;
    s->sum += value;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void print(const char *what, series *s)
{
    if (s->n == 0)
        return;
    qsort(s->values, s->n, sizeof(double), compare);
    printf("%-22s %8zu   mean %10.1f   median %9.1f   p99 %10.1f   max %11.1f\n", what, s->n, s->sum / (double)s->n,
           s->values[s->n / 2], s->values[s->n * 99 / 100], s->values[s->n - 1]);
    tct_free(s->values);
}

/* All people of a file, encoded: n x inputs. */
static double *read_people(const tacit_model *model, const char *path, size_t *n)
{
    tacit_csv_options csv = {0};
    tacit_table *table = NULL;
    tct_binding *binding = NULL;
    tct_encode_counts counts = {0};
    size_t d = model->codec->n_inputs;
    tacit_error err = {0};
    double *people, *x;

    tacit_schema_csv(model->schema, &csv);
    stop_on(tacit_table_read(&table, path, &csv, 1, &err), &err);
    stop_on(tct_binding_new(&binding, model->codec, table->csv, false, &err), &err);
    people = tct_calloc(table->n_rows * d, sizeof(double));
    *n = 0;
    for (size_t b = 0; b < table->n_blocks; b++) {
        const tct_block *block = &table->blocks[b];

        x = tct_calloc(block->n_rows * d + 1, sizeof(double));
        stop_on(tct_encode_block(binding, block, x, NULL, &counts, &err), &err);
        for (size_t r = 0; r < block->n_rows; r++, ++*n)
            for (size_t i = 0; i < d; i++)
                people[*n * d + i] = x[i * block->n_rows + r];
        tct_free(x);
    }
    tct_binding_free(binding);
    tacit_table_free(table);
    return people;
}

/* Proofs, for as long as they have not taken PROOF_TIME in all. */
static void time_proof(const tct_claim *claim, series *leaves, series *write, series *check)
{
    tct_proof proof = {0};
    tacit_error err = {0};
    double start = now_us();
    bool made = false;

    if (write->sum + check->sum > PROOF_TIME)
        return;
    stop_on(tct_prover_write(&proof, &made, claim, 0, &err), &err);
    if (made) {
        add(write, now_us() - start);
        add(leaves, (double)proof.n_leaves);
        start = now_us();
        stop_on(tct_check(claim, &proof, &err), &err);
        add(check, now_us() - start);
    }
    tct_proof_clear(&proof);
}

static void write_question(FILE *to, const tacit_model *model, const unsigned char *known, const double *x,
                           const tct_finding *finding, double took)
{
    static const char *const names[] = {"undecided", "certified", "refuted"};
    char text[256];

    fprintf(to, "%s,%.1f,%llu",
            names[finding->verdict == TACIT_CERTIFIED ? 1
                  : finding->verdict == TACIT_REFUTED ? 2
                                                      : 0],
            took, (unsigned long long)finding->nodes);
    for (size_t a = 0; a < model->schema->n_attributes; a++) {
        tct_decode_cell(model->codec, a, x + model->codec->domains[a].first, text, sizeof text);
        fprintf(to, ",%s", known[a] ? text : "*");
    }
    fprintf(to, "\n");
}

/* What was measured. */
typedef struct figures {
    series all, certified, refuted, boxes, kept, kept_certified, leaves, write, check, label;
    size_t undecided, differ;
} figures;

/* Everything that a walk needs. */
typedef struct walk {
    const tacit_model *model;
    tct_prover *prover, *keeps; /* the second forgets only where a person ends */
    const double *person;
    unsigned char known[TCT_MAX_INPUTS];
    size_t order[TCT_MAX_INPUTS], unknown;
    FILE *questions;
} walk;

static tacit_verdict decide(tct_prover *prover, const tct_region *region, tct_finding *finding, double *took)
{
    tacit_error err = {0};
    double start = now_us();

    stop_on(tct_prover_decide(prover, region, 0, finding, &err), &err);
    *took = now_us() - start;
    return finding->verdict;
}

/* Unknown attributes at random, in random order. */
static void begin_walk(walk *w, const double *person, tct_random *random)
{
    size_t n = w->model->schema->n_attributes;

    w->person = person;
    memset(w->known, 1, n);
    for (size_t i = 0; i < n; i++)
        w->order[i] = i;
    for (size_t i = 0; i < w->unknown; i++) {
        size_t k = i + tct_random_below(random, n - i), other = w->order[i];

        w->order[i] = w->order[k];
        w->order[k] = other;
        w->known[w->order[i]] = 0;
    }
}

static void run_walk(walk *w, figures *f)
{
    for (size_t i = 0; i < w->unknown; i++) {
        tct_region region = tct_region_of(w->model->codec, w->known, w->person);
        double typical[TCT_MAX_INPUTS], took, kept;
        tct_finding finding = {.witness = {typical}}, again = {0};
        tct_slices slices;

        decide(w->prover, &region, &finding, &took);
        tct_prover_forget(w->prover);
        f->differ += decide(w->keeps, &region, &again, &kept) != finding.verdict;
        add(&f->all, took);
        add(&f->kept, kept);
        if (w->questions)
            write_question(w->questions, w->model, w->known, w->person, &finding, took);
        add(&f->boxes, (double)finding.nodes);
        f->undecided += finding.verdict == TACIT_UNDECIDED;
        if (finding.verdict == TACIT_CERTIFIED) {
            tct_claim claim = {w->model, region, finding.label};

            add(&f->certified, took);
            add(&f->kept_certified, kept);
            time_proof(&claim, &f->leaves, &f->write, &f->check);
            break;
        }
        add(&f->refuted, took);
        if (finding.verdict == TACIT_REFUTED) /* as a rule does, to choose what to ask for */
            w->keeps->ops->slices(w->keeps, &region, tct_label_of(w->model->classifier, typical), &slices, NULL);
        w->known[w->order[i]] = 1;
    }
    tct_prover_forget(w->keeps);
}

static void time_labels(const tacit_model *model, const double *x, size_t n, series *label)
{
    double scores[64], start, began = now_us();

    for (size_t p = 0; p < LABELLED && now_us() - began < LABEL_TIME; p++) {
        start = now_us();
        for (size_t k = 0; k < 10; k++)
            model->classifier->ops->scores(model->classifier, x + (p * 10 + k) % n * model->codec->n_inputs, 1, scores);
        add(label, (now_us() - start) / 10);
    }
}

static void print_figures(figures *f)
{
    print("decide, us", &f->all);
    print("  certified", &f->certified);
    print("  refuted or undecided", &f->refuted);
    print("  boxes", &f->boxes);
    printf("  undecided            %9zu\n", f->undecided);
    print("in a conversation, us", &f->kept);
    print("  certified", &f->kept_certified);
    printf("  other verdicts       %9zu\n", f->differ);
    print("proof: leaves", &f->leaves);
    print("  write, us", &f->write);
    print("  check, us", &f->check);
    print("label a person, us", &f->label);
}

int main(int argc, char **argv)
{
    size_t people = argc > 4 ? strtoul(argv[4], NULL, 10) : 200, n = 0;
    walk w = {.unknown = argc > 3 ? strtoul(argv[3], NULL, 10) : 7, .questions = argc > 5 ? fopen(argv[5], "w") : NULL};
    tacit_model *model = NULL;
    tacit_error err = {0};
    figures f = {0};
    tct_random random;
    double *x, start;

    if (argc < 3 || (argc > 5 && !w.questions)) {
        fprintf(stderr, "usage: bench_trees MODEL DATA.csv [UNKNOWN [PEOPLE [QUESTIONS]]]\n");
        return 2;
    }
    stop_on(tacit_model_load(&model, argv[1], &err), &err);
    x = read_people(model, argv[2], &n);
    w.model = model;
    if (w.unknown > model->schema->n_attributes)
        w.unknown = model->schema->n_attributes;
    start = now_us();
    stop_on(tct_prover_new(&w.prover, model, &err), &err);
    printf("%s, %zu trees, %zu leaves; prover made in %.1f ms\n", model->info.kind, model->info.trees,
           model->info.leaves, (now_us() - start) / 1000);
    stop_on(tct_prover_new(&w.keeps, model, &err), &err);
    tct_random_seed(&random, 1, w.unknown);
    for (size_t p = 0; p < people; p++) {
        begin_walk(&w, x + tct_random_below(&random, n) * model->codec->n_inputs, &random);
        run_walk(&w, &f);
    }
    time_labels(model, x, n, &f.label);
    print_figures(&f);
    tct_prover_free(w.prover);
    tct_prover_free(w.keeps);
    tct_free(x);
    tacit_model_free(model);
    return w.questions && fclose(w.questions) ? 1 : 0;
}
