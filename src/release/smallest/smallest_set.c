/*
 * Revealing attribute a raises the proven margin of the true label y over class c by
 *
 *     gain[a][c] = (its term at its value) - (its worst term) >= 0,
 *
 * so a set R is a core set iff for every c the gains of R make up the deficit, the margin with only public attributes
 * known.  This is a covering problem: fewest (or cheapest) attributes such that every deficit is covered.
 *
 * Two classes, equal costs: a single deficit, and the largest gains cover it with fewest attributes (exchange
 * argument). Otherwise branch and bound: decide attributes one after the other, in or out; a branch can be cut when
 * even fractional attributes, the best for each deficit alone, could not beat the best set found.
 *
 * No rounding pad here: the yardstick is the mathematical minimum, at most what any sound protocol reaches.
 */
#include "smallest_set.h"

#include <math.h>
#include <string.h>

#include "arena.h"
#include "hitting.h"

/* Work per person; far more than real data need. */
enum { MAX_NODES = 200000 };

struct tct_smallest_set {
    const tacit_model *model;
    const tct_extremes *extremes;
    tct_hitting *hitting; /* classifiers that are not linear; then nothing below is used */
    tct_arena arena;
    size_t n_items, n_rows; /* sensitive attributes; classes other than the label */
    size_t *attribute;      /* per item */
    double *cost;           /* per item; 1 when counting */
    double *gain;           /* n_rows x n_items */
    double *deficit;        /* n_rows: to be covered; <= 0 (< 0 where ties lose) when covered */
    bool *tie_covers;       /* n_rows: does a deficit of exactly 0 count as covered? */
    size_t *order;          /* items in branching order */
    size_t *by_ratio;       /* n_rows x n_items: items by gain per cost, largest first */
    unsigned char *taken, *best, *decided;
    double best_cost;
    bool equal_costs;
    uint64_t nodes;   /* visited */
    double least;     /* of what was found last */
    double *sort_key; /* for qsort */
};

tacit_status tct_smallest_set_new(tct_smallest_set **out, const tacit_model *model, const tct_extremes *extremes,
                                  tacit_error *err)
{
    size_t n = model->schema->n_attributes, rows = model->classifier->n_classes - 1;
    tacit_status st;
    tct_smallest_set *o = tct_calloc(1, sizeof *o);

    *out = o;
    if (!o)
        return tct_fail_memory(err);
    o->model = model;
    o->extremes = extremes;
    o->n_rows = rows;
    o->attribute = tct_take(&o->arena, n, sizeof *o->attribute);
    o->cost = tct_take(&o->arena, n, sizeof *o->cost);
    o->gain = tct_take(&o->arena, n * rows, sizeof *o->gain);
    o->deficit = tct_take(&o->arena, rows, sizeof *o->deficit);
    o->tie_covers = tct_take(&o->arena, rows, sizeof *o->tie_covers);
    o->order = tct_take(&o->arena, n, sizeof *o->order);
    o->by_ratio = tct_take(&o->arena, n * rows, sizeof *o->by_ratio);
    o->taken = tct_take(&o->arena, n, 1);
    o->best = tct_take(&o->arena, n, 1);
    o->decided = tct_take(&o->arena, n, 1);
    o->sort_key = tct_take(&o->arena, n, sizeof *o->sort_key);
    st = tct_arena_check(&o->arena, err);
    for (size_t a = 0; a < n && !st; a++)
        if (model->schema->attributes[a].role == TACIT_SENSITIVE)
            o->attribute[o->n_items++] = a;
    if (!st && !extremes)
        st = tct_hitting_new(&o->hitting, model, TCT_HITTING_BUDGET, err);
    if (st) {
        tct_smallest_set_free(o);
        *out = NULL;
    }
    return st;
}

void tct_smallest_set_free(tct_smallest_set *o)
{
    if (!o)
        return;
    tct_hitting_free(o->hitting);
    tct_arena_clear(&o->arena);
    tct_free(o);
}

/* Gains and deficits of one person. */
static void set_up(tct_smallest_set *o, const double *x, bool by_cost)
{
    const tct_extremes *e = o->extremes;
    const tct_linear *linear = e->linear;
    const tacit_schema *schema = o->model->schema;
    double scores[TCT_MAX_CLASSES];
    size_t label, row = 0;

    linear->base.ops->scores(&linear->base, x, 1, scores);
    label = tct_label(scores, linear->base.n_scores);
    for (size_t i = 0; i < o->n_items; i++)
        o->cost[i] = by_cost ? schema->attributes[o->attribute[i]].cost : 1;
    for (size_t c = 0; c < e->n_classes; c++) {
        size_t pair = tct_pair(e, label, c), item = 0;
        double margin;

        if (c == label)
            continue;
        if (linear->base.n_scores == 1)
            margin = label == 1 ? linear->bias[0] : -linear->bias[0];
        else
            margin = linear->bias[label] - linear->bias[c];
        for (size_t a = 0; a < e->n_attributes; a++) {
            double term = tct_term(e, pair, a, x + e->codec->domains[a].first);
            double worst = e->worst[pair * e->n_attributes + a];

            if (schema->attributes[a].role == TACIT_SENSITIVE) {
                o->gain[row * o->n_items + item++] = fmax(term - worst, 0);
                margin += worst;
            } else {
                margin += term;
            }
        }
        o->deficit[row] = -margin;
        o->tie_covers[row] = tct_wins(e, label, c, 0);
        row++;
    }
    tct_wipe(scores, sizeof scores);
}

static bool covered(const tct_smallest_set *o, size_t row)
{
    return o->tie_covers[row] ? o->deficit[row] <= 0 : o->deficit[row] < 0;
}

/* Items by sort_key, largest first, equal ones by index. */
static void sort_items(tct_smallest_set *o, size_t *items)
{
    for (size_t i = 0; i < o->n_items; i++) { /* insertion: |S| is small */
        size_t at = i;

        while (at > 0 && o->sort_key[items[at - 1]] < o->sort_key[i]) {
            items[at] = items[at - 1];
            at--;
        }
        items[at] = i;
    }
}

static size_t find_by_sorting(tct_smallest_set *o, size_t *members)
{
    size_t n = 0;

    if (covered(o, 0))
        return 0;
    memcpy(o->sort_key, o->gain, o->n_items * sizeof *o->sort_key);
    sort_items(o, o->order);
    while (n < o->n_items && !covered(o, 0)) {
        o->deficit[0] -= o->gain[o->order[n]];
        members[n] = o->attribute[o->order[n]];
        n++;
    }
    return n;
}

/* A lower bound on what covering the remaining deficits costs: for each alone, fractional items by gain per cost. */
static double bound_rest(const tct_smallest_set *o)
{
    double bound = 0;

    for (size_t row = 0; row < o->n_rows; row++) {
        const size_t *items = o->by_ratio + row * o->n_items;
        const double *gain = o->gain + row * o->n_items;
        double left = o->deficit[row], spent = 0;

        if (covered(o, row))
            continue;
        for (size_t i = 0; i < o->n_items && left > 0; i++) {
            size_t item = items[i];

            if (o->decided[item])
                continue;
            if (gain[item] >= left) {
                spent += o->cost[item] * (left / gain[item]);
                left = 0;
            } else {
                spent += o->cost[item];
                left -= gain[item];
            }
        }
        if (left > 1e-12) /* cannot be covered at all: only by everything, which the caller starts from */
            return INFINITY;
        bound = fmax(bound, spent);
    }
    return bound;
}

/* Equal costs: only whole multiples can be spent. */
static double round_up_cost(const tct_smallest_set *o, double cost)
{
    return o->equal_costs ? ceil(cost / o->cost[0] - 1e-9) * o->cost[0] : cost;
}

static void branch(tct_smallest_set *o, size_t depth, double spent)
{
    double before[TCT_MAX_CLASSES];
    bool all = true;
    size_t item;

    for (size_t row = 0; row < o->n_rows; row++)
        all = all && covered(o, row);
    if (all) {
        if (spent < o->best_cost) {
            o->best_cost = spent;
            memcpy(o->best, o->taken, o->n_items);
        }
        return;
    }
    if (++o->nodes >= MAX_NODES || depth == o->n_items ||
        spent + round_up_cost(o, bound_rest(o)) >= o->best_cost - 1e-9)
        return;
    item = o->order[depth];
    o->decided[item] = 1;
    o->taken[item] = 1;
    memcpy(before, o->deficit, o->n_rows * sizeof *before);
    for (size_t row = 0; row < o->n_rows; row++)
        o->deficit[row] -= o->gain[row * o->n_items + item];
    branch(o, depth + 1, spent + o->cost[item]);
    memcpy(o->deficit, before, o->n_rows * sizeof *before);
    tct_wipe(before, o->n_rows * sizeof *before);
    o->taken[item] = 0;
    branch(o, depth + 1, spent);
    o->decided[item] = 0;
}

static size_t find_by_branching(tct_smallest_set *o, size_t *members)
{
    size_t n = 0;

    for (size_t row = 0; row < o->n_rows; row++) {
        for (size_t i = 0; i < o->n_items; i++)
            o->sort_key[i] = o->gain[row * o->n_items + i] / o->cost[i];
        sort_items(o, o->by_ratio + row * o->n_items);
    }
    o->best_cost = 0;
    for (size_t i = 0; i < o->n_items; i++) {
        double useful = 0;

        for (size_t row = 0; row < o->n_rows; row++)
            if (!covered(o, row) && o->deficit[row] > 0)
                useful += fmin(o->gain[row * o->n_items + i] / o->deficit[row], 1);
        o->sort_key[i] = useful / o->cost[i];
        o->best_cost += o->cost[i];
    }
    sort_items(o, o->order);
    memset(o->best, 1, o->n_items); /* everything always settles it */
    memset(o->taken, 0, o->n_items);
    memset(o->decided, 0, o->n_items);
    branch(o, 0, 0);
    for (size_t i = 0; i < o->n_items; i++)
        if (o->best[i])
            members[n++] = o->attribute[i];
    return n;
}

tacit_status tct_smallest_set_find(tct_smallest_set *o, const double *x, bool by_cost, size_t *members,
                                   size_t *n_members, bool *exact, tacit_error *err)
{
    if (exact)
        *exact = true;
    if (o->hitting)
        return tct_hitting_find(o->hitting, x, by_cost, members, n_members, exact, err);
    set_up(o, x, by_cost);
    o->nodes = 0;
    o->least = 0;
    o->equal_costs = true;
    for (size_t i = 1; i < o->n_items; i++)
        o->equal_costs = o->equal_costs && o->cost[i] == o->cost[0];
    *n_members = o->n_rows == 1 && o->equal_costs ? find_by_sorting(o, members) : find_by_branching(o, members);
    if (exact)
        *exact = o->nodes < MAX_NODES;
    for (size_t i = 0; i < *n_members && o->nodes < MAX_NODES; i++)
        o->least += by_cost ? o->model->schema->attributes[members[i]].cost : 1;
    return TACIT_OK;
}

double tct_smallest_set_least(const tct_smallest_set *o)
{
    return o->hitting ? tct_hitting_least(o->hitting) : o->least;
}
