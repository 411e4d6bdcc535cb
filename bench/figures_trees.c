/*
 * figures_trees.c -- the figures of the method for trees on real data: how much is asked for a proven decision, by the
 * paper's rule, by ours, and at least; and what a promise of delta > 0 is worth.
 *
 *   figures_trees FOLDER [--sets bank,credit] [--models 50x3,100x4,300x6] [--draws N] [--people N] [--size N]
 *                 [--threads N] [--first-order] [--sampled] [--posterior copula|half] [--json FILE]
 *
 * FOLDER is what bench/trees_models.py made.  For every data set and model: N draws (default 6) of S (default 7
 * attributes, the rest public), the first N people (default 100) of the test part, a different stretch of them for every
 * draw.  The model "network" is trained here, by the defaults of `tacit fit --model mlp`, on the training part;
 * --first-order: it is taken for linear around the person, as the paper does, instead of deciding about people drawn;
 * --sampled: these are drawn in the way of trees.  --posterior: people are drawn by a copula (copula.h), or half of them
 * are, instead of by the Gaussian.
 *
 *   paper      the paper's rule (least expected entropy of the label) until the decision is proven
 *   ours       what `tacit audit` does at delta = 0
 *   Opt        the smallest set that proves the decision, chosen knowing everything
 *   closed     (paper - ours) / (paper - Opt)
 *   at delta   asked on average, and the share of those stopped as likely whose label is another one with everything
 *              known; "!": the whole 95 % interval lies above delta, the promise is broken
 *   at 2 %, 1 %  asked on average at that delta, between those measured, at which so many of all people get another label
 *
 * Exit status: 0; 1 when a decision at delta = 0 ever differs from the full-information one.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base.h"
#include "copula.h"
#include "datasets.h"
#include "num.h"
#include "score_laws.h"
#include "tacit.h"

enum { N_DELTAS = 7, MOST_CELLS = 100 };
/* The first is the paper's rule until proven. */
static const double DELTAS[N_DELTAS] = {0, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005};

typedef struct run_options {
    const char *folder, *sets, *models, *json, *posterior;
    size_t draws, people, size, threads;
    bool sampled, first_order;
} run_options;

/* One data set and model, added up over draws. */
typedef struct cell {
    char set[32], model[32];
    size_t trees, leaves;
    uint64_t people, agree, checked; /* checked: decisions at delta = 0, of which so many agree */
    uint64_t ours, inexact;
    double opt;
    uint64_t asked[N_DELTAS], stopped[N_DELTAS], failed[N_DELTAS];
} cell;

/* ---- measuring ---- */

static tacit_status audit(tacit_audit **out, const tacit_model *model, const tacit_table *table, tacit_rule rule,
                          size_t n_deltas, const run_options *run, tacit_error *err)
{
    tacit_audit_options options = {.deltas = DELTAS,
                                   .n_deltas = n_deltas,
                                   .rule = rule,
                                   .threads = run->threads,
                                   .no_opt = rule == TACIT_RULE_ENTROPY,
                                   .no_needs = true};

    return tacit_audit_table(out, model, table, &options, err);
}

static tacit_status measure(cell *c, const tacit_model *model, const tacit_table *table, const run_options *run,
                            tacit_error *err)
{
    tacit_audit *paper = NULL, *ours = NULL;
    tacit_status st = audit(&paper, model, table, TACIT_RULE_ENTROPY, N_DELTAS, run, err);

    if (!st)
        st = audit(&ours, model, table, TACIT_RULE_AUTO, 1, run, err);
    if (!st) {
        const tacit_audit_result *r = tacit_audit_result_get(ours, 0);
        const tacit_audit_summary *summary = tacit_audit_summary_get(ours);

        c->people += r->people;
        c->ours += r->total_asked;
        c->opt += summary->opt_mean_asked * (double)r->people;
        c->inexact += summary->opt_inexact;
        c->checked += r->people + tacit_audit_result_get(paper, 0)->people;
        c->agree += r->agree + tacit_audit_result_get(paper, 0)->agree;
        for (size_t i = 0; i < N_DELTAS; i++) {
            r = tacit_audit_result_get(paper, i);
            c->asked[i] += r->total_asked;
            c->stopped[i] += r->stopped;
            c->failed[i] += r->failed;
        }
    }
    tacit_audit_free(paper);
    tacit_audit_free(ours);
    return st;
}

/* The header and `n` rows of a file from row `from` on, over and over. */
static tacit_status read_some(tacit_table **out, const char *path, size_t from, size_t n, tacit_error *err)
{
    tacit_csv_options csv = {.separator = ','};
    char *text = NULL, *some = NULL, *end;
    size_t size, head, rows = 0, used;
    tacit_status st = tct_file_read(&text, &size, path, (size_t)1 << 30, err);

    *out = NULL;
    if (st)
        return st;
    for (size_t i = 0; i < size; i++)
        rows += text[i] == '\n';
    end = memchr(text, '\n', size);
    some = malloc(size * 2 + 2);
    if (!end || !some || rows < 2) {
        free(some);
        tct_free(text);
        return tct_fail_memory(err);
    }
    head = used = (size_t)(end - text) + 1;
    memcpy(some, text, head);
    rows--;
    n = n < rows ? n : rows;
    from %= rows;
    for (size_t pass = 0, at = 0; pass < 2; pass++)
        for (const char *line = text + head; line < text + size && at < from + n; at++) {
            const char *next = memchr(line, '\n', (size_t)(text + size - line));
            size_t length = next ? (size_t)(next - line) + 1 : (size_t)(text + size - line);

            if (at >= from) {
                memcpy(some + used, line, length);
                used += length;
            }
            line += length;
        }
    st = tacit_table_parse(out, path, some, used, &csv, 1, err);
    free(some);
    tct_free(text);
    return st;
}

/* Import it, or train it. */
static tacit_status make_model(tacit_model **out, const cell *c, const run_options *run, tacit_error *err)
{
    char path[4096], people[4096];
    tacit_csv_options csv = {.separator = ','};
    tacit_table *table = NULL;
    tacit_schema *schema = NULL;
    tacit_status st;

    *out = NULL;
    snprintf(path, sizeof path, "%s/%s-%s.json", run->folder, c->set, c->model);
    snprintf(people, sizeof people, "%s/%s-train.csv", run->folder, c->set);
    st = tacit_table_read(&table, people, &csv, run->threads, err);
    if (!st && strcmp(c->model, "network") != 0) {
        tacit_import_options options = {.label = "label", .threads = run->threads};

        st = tacit_import(out, path, table, NULL, &options, err);
    } else if (!st) {
        tacit_infer_options infer = {.label = "label", .encoding = TACIT_ORDINAL, .seed = 1};
        tacit_fit_options fit = {.kind = "mlp", .seed = 1, .threads = run->threads};

        st = tacit_schema_infer(&schema, table, &infer, err);
        if (!st)
            st = tacit_fit(out, table, schema, &fit, err);
    }
    if (!st)
        st = copula_use(!run->posterior                         ? COPULA_NONE
                        : strcmp(run->posterior, "copula") == 0 ? COPULA_ALL
                                                                : COPULA_HALF,
                        *out, table, err);
    tacit_schema_free(schema);
    tacit_table_free(table);
    return st;
}

static tacit_status run_cell(cell *c, const run_options *run, tacit_error *err)
{
    tacit_model *model = NULL;
    char people[4096], sensitive[8192];
    tacit_status st = make_model(&model, c, run, err);

    snprintf(people, sizeof people, "%s/%s-test.csv", run->folder, c->set);
    if (!st) {
        c->trees = tacit_model_info_get(model)->trees;
        c->leaves = tacit_model_info_get(model)->leaves;
    }
    for (size_t draw = 0; draw < run->draws && !st; draw++) {
        tacit_model *asked = NULL;
        tacit_table *table = NULL;

        dataset_draw(tacit_model_schema(model), run->size, draw + 1, sensitive, sizeof sensitive);
        st = tacit_model_with_roles(&asked, model, sensitive, NULL, err);
        if (!st)
            asked->first_order = run->first_order;
        if (!st)
            st = read_some(&table, people, draw * run->people, run->people, err);
        if (!st)
            st = measure(c, asked, table, run, err);
        tacit_table_free(table);
        tacit_model_free(asked);
    }
    tacit_model_free(model);
    return st;
}

/* ---- printing ---- */

/* Asked on average where `share` of all people get another label: between the two deltas around it.  NaN: outside. */
static double asked_at(const cell *c, double share)
{
    double n = (double)c->people;

    for (size_t i = 1; i + 1 < N_DELTAS; i++) {
        double more = (double)c->failed[i] / n, less = (double)c->failed[i + 1] / n;

        if (more >= share && less <= share && more > less)
            return ((double)c->asked[i + 1] * (more - share) + (double)c->asked[i] * (share - less)) / (more - less) /
                   n;
    }
    return NAN;
}

static double closed(const cell *c)
{
    double paper = (double)c->asked[0], ours = (double)c->ours;

    return paper > c->opt ? (paper - ours) / (paper - c->opt) : NAN;
}

static void print_cell(const cell *c)
{
    double n = (double)c->people, low, high;

    printf("%-10s %-8s %6llu  %6.3f %6.3f %6.3f %5.0f %%  ", c->set, c->model, (unsigned long long)c->people,
           (double)c->asked[0] / n, (double)c->ours / n, c->opt / n, 100 * closed(c));
    for (size_t i = 1; i < N_DELTAS; i++) {
        if (c->stopped[i] == 0) {
            printf(" %5.2f      -  ", (double)c->asked[i] / n);
            continue;
        }
        tct_clopper_pearson((double)c->failed[i], (double)c->stopped[i], 0.95, &low, &high);
        printf(" %5.2f %6.4f%c ", (double)c->asked[i] / n, (double)c->failed[i] / (double)c->stopped[i],
               low > DELTAS[i] ? '!' : ' ');
    }
    printf("%6.2f %6.2f%s\n", asked_at(c, 0.02), asked_at(c, 0.01),
           c->agree == c->checked ? "" : "  *** NOT EXACT ***");
    fflush(stdout);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void print_summary(const cell *cells, size_t n)
{
    double shares[MOST_CELLS];
    size_t count = 0;
    uint64_t agree = 0, checked = 0;

    for (size_t i = 0; i < n; i++) {
        if (!isnan(closed(&cells[i])))
            shares[count++] = closed(&cells[i]);
        agree += cells[i].agree;
        checked += cells[i].checked;
    }
    qsort(shares, count, sizeof *shares, compare);
    if (count > 0)
        printf("gap closed: median %.0f %%, least %.0f %%, most %.0f %%, of %zu\n",
               50 * (shares[(count - 1) / 2] + shares[count / 2]), 100 * shares[0], 100 * shares[count - 1], count);
    printf("fidelity at delta = 0: %llu of %llu decisions\n", (unsigned long long)agree, (unsigned long long)checked);
}

static bool write_json(const run_options *run, const cell *cells, size_t n)
{
    FILE *f = fopen(run->json, "w");

    if (!f)
        return false;
    fprintf(f,
            "{\"format\": \"tacit-figures-trees\", \"version\": 1, \"size\": %zu, \"draws\": %zu, \"people\": %zu,\n",
            run->size, run->draws, run->people);
    fprintf(f, "\"posterior\": \"%s\", \"law\": \"%s\", \"results\": [\n", run->posterior ? run->posterior : "gaussian",
            run->sampled       ? "sampled"
            : run->first_order ? "first-order"
                               : "default");
    for (size_t i = 0; i < n; i++) {
        const cell *c = &cells[i];

        fprintf(
            f,
            "{\"set\": \"%s\", \"model\": \"%s\", \"trees\": %zu, \"leaves\": %zu, \"people\": %llu,\n \"paper\": "
            "%llu, \"ours\": %llu, \"opt\": %.0f, \"inexact\": %llu, \"checked\": %llu, \"agree\": %llu, \"deltas\": [",
            c->set, c->model, c->trees, c->leaves, (unsigned long long)c->people, (unsigned long long)c->asked[0],
            (unsigned long long)c->ours, c->opt, (unsigned long long)c->inexact, (unsigned long long)c->checked,
            (unsigned long long)c->agree);
        for (size_t k = 1; k < N_DELTAS; k++)
            fprintf(f, "%s\n  {\"delta\": %g, \"asked\": %llu, \"stopped\": %llu, \"failed\": %llu}", k > 1 ? "," : "",
                    DELTAS[k], (unsigned long long)c->asked[k], (unsigned long long)c->stopped[k],
                    (unsigned long long)c->failed[k]);
        fprintf(f, "]}%s\n", i + 1 < n ? "," : "");
    }
    fprintf(f, "]}\n");
    return fclose(f) == 0;
}

/* ---- program ---- */

static bool read_count(const char *text, size_t *out)
{
    char *end;

    *out = strtoul(text, &end, 10);
    return end != text && *end == '\0' && *out > 0;
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
        if (strcmp(argv[i], "--sampled") == 0 || strcmp(argv[i], "--first-order") == 0) {
            run->sampled = run->sampled || argv[i][2] == 's';
            run->first_order = run->first_order || argv[i][2] == 'f';
            continue;
        }
        if (strcmp(argv[i], "--sets") == 0)
            run->sets = value;
        else if (strcmp(argv[i], "--models") == 0)
            run->models = value;
        else if (strcmp(argv[i], "--json") == 0)
            run->json = value;
        else if (strcmp(argv[i], "--posterior") == 0) {
            run->posterior = value;
            good = strcmp(value, "copula") == 0 || strcmp(value, "half") == 0;
        } else if (strcmp(argv[i], "--draws") == 0)
            good = read_count(value, &run->draws);
        else if (strcmp(argv[i], "--people") == 0)
            good = read_count(value, &run->people);
        else if (strcmp(argv[i], "--size") == 0)
            good = read_count(value, &run->size);
        else if (strcmp(argv[i], "--threads") == 0)
            good = read_count(value, &run->threads);
        else
            good = false;
        if (!good || !*value)
            return false;
        i++;
    }
    return run->folder != NULL;
}

/* The next name of a comma-separated list. */
static bool next_name(const char **list, char *name, size_t room)
{
    size_t length = strcspn(*list, ",");

    if (length == 0 || length >= room)
        return false;
    memcpy(name, *list, length);
    name[length] = '\0';
    *list += length + ((*list)[length] == ',');
    return true;
}

int main(int argc, char **argv)
{
    run_options run = {.sets = "bank,credit,insurance,adult,customer,fetal",
                       .models = "50x3,100x4,300x6",
                       .draws = 6,
                       .people = 100,
                       .size = 7,
                       .threads = 1};
    static cell cells[MOST_CELLS];
    tacit_error err = {0};
    size_t n = 0;
    int code = 0;
    char set[32], model[32];

    if (!read_options(argc, argv, &run)) {
        fprintf(stderr,
                "usage: figures_trees FOLDER [--sets LIST] [--models LIST] [--draws N] [--people N] [--size N]\n"
                "                     [--threads N] [--sampled] [--first-order] [--posterior copula|half]\n"
                "                     [--json FILE]\n");
        return 2;
    }
    if (run.sampled)
        tct_score_law_add_row(&tct_scores_sampled);
    printf("%-10s %-8s %6s  %6s %6s %6s %7s  ", "", "", "people", "paper", "ours", "Opt", "closed");
    for (size_t i = 1; i < N_DELTAS; i++)
        printf(" at %-5g failed", DELTAS[i]);
    printf("  2 %%    1 %%\n");
    for (const char *sets = run.sets; next_name(&sets, set, sizeof set);)
        for (const char *models = run.models; n < MOST_CELLS && next_name(&models, model, sizeof model);) {
            cell *c = &cells[n];

            memcpy(c->set, set, sizeof set);
            memcpy(c->model, model, sizeof model);
            if (run_cell(c, &run, &err)) {
                fprintf(stderr, "%s %s: %s\n", c->set, c->model, err.message);
                return 1;
            }
            print_cell(c);
            code |= c->agree != c->checked;
            n++;
            if (run.json && !write_json(&run, cells, n)) { /* every time: it takes long */
                fprintf(stderr, "%s: cannot be written\n", run.json);
                return 1;
            }
        }
    print_summary(cells, n);
    return code;
}
