/*
 * train_trees.c -- training ensembles of trees by gradient boosting.
 *
 * Scores start at the log-odds, or logarithms, of the classes' shares.  In every round each score gets one tree more,
 * grown (boost_tree.c) for the slopes and curvatures that the log loss has where the scores now are, and shrunk by the
 * rate.  Nothing is drawn by chance.
 *
 * While it is trained, an ensemble knows every cut that a number could be split at.  Those that no tree asks for are
 * forgotten at the end: values that are not told apart need not be asked for apart.
 */
#include <math.h>
#include <string.h>

#include "boost.h"
#include "cells.h"

enum { CHUNK = 256, WORTH_A_THREAD = 1 << 13 }; /* people whose slopes are found together; people */
enum { START_DIGITS = 6 };

/* ---- people ---- */

typedef struct trainer {
    const double *x;
    size_t stride;
    const int32_t *labels;
    const tct_inputs *inputs;
    size_t n, n_scores, n_classes, threads;
    tct_boost_column *columns; /* one per attribute */
    uint16_t *cells;           /* n x attributes */
    double *scores;            /* n_scores x n */
    tct_slope *slopes;         /* n_scores x n */
    double *residuals;         /* threads x n_scores x CHUNK */
    tct_grower grower;
} trainer;

/* The cell or level of somebody whose inputs are x[0], x[stride], ... */
static uint16_t cell_of(const tct_domain *domain, const double *x, size_t stride)
{
    size_t k = 0;

    if (domain->width == 1)
        return domain->count > 1 ? (uint16_t)lrint((*x + 1) / 2 * (double)(domain->count - 1)) : 0;
    while (k + 1 < domain->width && x[k * stride] < 0.5)
        k++;
    return (uint16_t)k;
}

static tacit_status see_people(trainer *t, tacit_error *err)
{
    size_t input = 0, n_attributes = t->inputs->n_attributes;

    for (size_t j = 0; j < n_attributes; j++) {
        size_t a = t->inputs->attributes ? t->inputs->attributes[j] : j;
        const tct_domain *domain = &t->inputs->codec->domains[a];
        const struct tct_cells *cells = tct_codec_cells(t->inputs->codec, a);
        bool levels = t->inputs->codec->schema->attributes[a].type == TACIT_CATEGORY;

        if (!levels && !cells)
            return tct_fail(err, TACIT_E_USAGE, "trees are trained on numbers that are read by cells");
        t->columns[j] =
            (tct_boost_column){t->grower.n_cells, (uint32_t)domain->count, levels, !levels && cells->missing};
        t->grower.n_cells += domain->count;
        for (size_t r = 0; r < t->n; r++)
            t->cells[r * n_attributes + j] = cell_of(domain, t->x + input * t->stride + r, t->stride);
        input += domain->width;
    }
    return TACIT_OK;
}

static tacit_status new_ensemble(tct_trees **out, const trainer *t, tacit_error *err)
{
    size_t n = t->inputs->n_attributes;
    tct_tree_attribute *attributes = tct_calloc(n, sizeof *attributes);
    tacit_status st = attributes ? TACIT_OK : tct_fail_memory(err);

    *out = NULL;
    for (size_t j = 0; j < n && !st; j++) {
        size_t a = t->inputs->attributes ? t->inputs->attributes[j] : j;
        const struct tct_cells *cells = t->columns[j].levels ? NULL : tct_codec_cells(t->inputs->codec, a);

        attributes[j] = (tct_tree_attribute){.width = t->inputs->codec->domains[a].width,
                                             .count = t->columns[j].count,
                                             .levels = t->columns[j].levels,
                                             .missing = t->columns[j].missing,
                                             .cuts = cells ? cells->cuts : NULL,
                                             .n_cuts = cells ? cells->n_cuts : 0};
    }
    if (!st)
        st = tct_trees_new(out, t->n_classes, attributes, n, err);
    tct_free(attributes);
    return st;
}

/* ---- rounds ---- */

/* Scores before the first tree. */
static void begin(trainer *t, double *start)
{
    size_t counts[TCT_MAX_CLASSES] = {0};

    for (size_t r = 0; r < t->n; r++)
        counts[t->labels[r]]++;
    for (size_t s = 0; s < t->n_scores; s++) {
        double own = (double)counts[t->n_scores == 1 ? 1 : s],
               rest = t->n_scores == 1 ? (double)counts[0] : (double)t->n;

        start[s] = tct_round_digits(log(fmax(own, 0.5) / fmax(rest, 0.5)), START_DIGITS);
        for (size_t r = 0; r < t->n; r++)
            t->scores[s * t->n + r] = start[s];
    }
}

/* Slopes and curvatures of people `from` ... `to` - 1; z: room for those of a chunk. */
static void find_slopes_of(const trainer *t, size_t from, size_t to, double *z)
{
    /* Scores that move together would overshoot if each went where it should go alone. */
    const double scale = t->n_scores > 1 ? 2 : 1;

    for (size_t first = from; first < to; first += CHUNK) {
        size_t m = to - first < CHUNK ? to - first : CHUNK;

        for (size_t s = 0; s < t->n_scores; s++)
            memcpy(z + s * CHUNK, t->scores + s * t->n + first, m * sizeof *z);
        tct_log_losses(t->labels + first, m, t->n_scores, z, CHUNK);
        for (size_t s = 0; s < t->n_scores; s++)
            for (size_t r = 0; r < m; r++) {
                double slope = z[s * CHUNK + r], size = fabs(slope), curve = scale * size * (1 - size);

                t->slopes[s * t->n + first + r] =
                    (tct_slope){(int32_t)rint(slope * TCT_BOOST_UNIT), (int32_t)rint(fmax(curve * TCT_BOOST_UNIT, 1))};
            }
    }
}

static void find_slopes(const trainer *t)
{
    size_t parts = t->n / WORTH_A_THREAD + 1 < t->threads ? t->n / WORTH_A_THREAD + 1 : t->threads;

#pragma omp parallel for schedule(static, 1) num_threads((int)parts)
    for (size_t p = 0; p < parts; p++)
        find_slopes_of(t, t->n / parts * p, p + 1 == parts ? t->n : t->n / parts * (p + 1),
                       t->residuals + p * t->n_scores * CHUNK);
}

static tacit_status boost(trainer *t, size_t rounds, tacit_progress progress, void *context, tacit_error *err)
{
    tacit_status st = TACIT_OK;

    for (size_t k = 0; k < rounds && !st; k++) {
        find_slopes(t);
        for (size_t s = 0; s < t->n_scores && !st; s++) {
            t->grower.slopes = t->slopes + s * t->n;
            t->grower.score = t->scores + s * t->n;
            st = tct_trees_begin_tree(t->grower.trees, s, err);
            if (!st)
                st = tct_grower_tree(&t->grower, err);
        }
        if (!st && progress && !progress(context, k + 1, rounds))
            st = tct_fail(err, TACIT_E_STOPPED, "training was stopped");
    }
    return st;
}

static tacit_status prepare(trainer *t, tacit_error *err)
{
    size_t n_attributes = t->inputs->n_attributes;
    tacit_status st;

    if (t->n > UINT32_MAX)
        return tct_fail(err, TACIT_E_INPUT, "too many rows to train trees on");
    t->columns = tct_calloc(n_attributes, sizeof *t->columns);
    t->cells = tct_malloc(t->n, n_attributes * sizeof *t->cells);
    t->scores = tct_malloc(t->n, t->n_scores * sizeof *t->scores);
    t->slopes = tct_malloc(t->n, t->n_scores * sizeof *t->slopes);
    t->residuals = tct_malloc(t->threads, t->n_scores * CHUNK * sizeof *t->residuals);
    if (!t->columns || !t->cells || !t->scores || !t->slopes || !t->residuals)
        return tct_fail_memory(err);
    st = see_people(t, err);
    t->grower.columns = t->columns;
    t->grower.cells = t->cells;
    return st ? st : tct_grower_init(&t->grower, err);
}

static void clear(trainer *t)
{
    tct_grower_clear(&t->grower);
    tct_free(t->columns);
    tct_free_wiped(t->cells, t->n * t->inputs->n_attributes * sizeof *t->cells);
    tct_free_wiped(t->scores, t->n * t->n_scores * sizeof *t->scores);
    tct_free_wiped(t->slopes, t->n * t->n_scores * sizeof *t->slopes);
    tct_free_wiped(t->residuals, t->threads * t->n_scores * CHUNK * sizeof *t->residuals);
}

tacit_status tct_train_trees(tct_classifier **out, const double *x, size_t stride, const int32_t *labels, size_t n,
                             const tct_inputs *inputs, size_t n_classes, const tct_trees_options *options,
                             tacit_progress progress, void *context, tacit_error *err)
{
    trainer t = {.x = x,
                 .stride = stride,
                 .labels = labels,
                 .inputs = inputs,
                 .n = n,
                 .n_classes = n_classes,
                 .n_scores = n_classes == 2 ? 1 : n_classes,
                 .threads = tacit_threads(options->threads)};
    tct_trees *trees = NULL;
    tacit_status st;

    *out = NULL;
    if (options->rounds == 0 || options->depth == 0 || options->depth > TCT_BOOST_DEPTH)
        return tct_fail(err, TACIT_E_USAGE, "there is at least 1 tree, of a depth from 1 to %d", TCT_BOOST_DEPTH);
    if (!(options->rate > 0 && options->rate <= 1))
        return tct_fail(err, TACIT_E_USAGE, "the rate of trees must be above 0 and at most 1");
    t.grower = (tct_grower){.n = n,
                            .n_columns = inputs->n_attributes,
                            .depth = options->depth,
                            .threads = t.threads,
                            .l2 = options->l2,
                            .rate = options->rate};
    if ((st = prepare(&t, err)) || (st = new_ensemble(&trees, &t, err)))
        goto done;
    t.grower.trees = trees;
    trees->cut = options->cut;
    begin(&t, trees->start);
    st = boost(&t, options->rounds, progress, context, err);
    if (!st)
        st = tct_trees_finish(trees, err);
done:
    clear(&t);
    if (st)
        tct_trees_free(trees);
    else
        *out = &trees->base;
    return st;
}

/* ---- afterwards ---- */

/* Number the cuts of an attribute that some node asks for; the others are gone. */
static void forget_cuts_of(tct_trees *t, size_t a, uint32_t place[TCT_BOOST_CELLS + 1])
{
    tct_tree_attribute *attribute = &t->attributes[a];
    size_t n = 0;

    memset(place, 0, (TCT_BOOST_CELLS + 1) * sizeof *place);
    for (size_t i = 0; i < t->n_nodes; i++)
        if (t->nodes[i].attribute == a)
            place[t->nodes[i].test] = 1;
    for (size_t k = 1; k <= attribute->n_cuts; k++) {
        if (!place[k])
            continue;
        attribute->cuts[n] = attribute->cuts[k - 1];
        place[k] = (uint32_t)++n;
    }
    attribute->n_cuts = n;
    attribute->count = n + 1 + attribute->missing;
    for (size_t i = 0; i < t->n_nodes; i++)
        if (t->nodes[i].attribute == a)
            t->nodes[i].test = place[t->nodes[i].test];
}

tacit_status tct_trees_forget_cuts(tct_classifier *classifier, tacit_error *err)
{
    tct_trees *t = (tct_trees *)classifier;
    uint32_t place[TCT_BOOST_CELLS + 1];

    for (size_t a = 0; a < t->n_attributes; a++)
        if (!t->attributes[a].levels)
            forget_cuts_of(t, a, place);
    return tct_trees_finish(t, err);
}
