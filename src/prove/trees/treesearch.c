/*
 * treesearch.c -- deciding regions for ensembles of trees.
 *
 * The label can only be constant if it is the one of any completion.  In this order, the cheapest first:
 *   1. people seen to be extreme, with what is known put in: those found for this person before, then the pool, which is
 *      made once per model by going down and up from a few people, one attribute at a time;
 *   2. the sum of the least leaves; up to three sweeps (treebound.c), and after each the completion at which it finds
 *      the bound least; then going down from there, one attribute at a time;
 *   3. branch and bound, depth first, the half with the lower bound first, one sweep per box from what its parent had
 *      shifted; a box over which every tree is constant is evaluated.
 * Certified: every box is proven, for sums in any order; with in_order (trees.h) for those that are deployed, which a box of
 * constant trees has evaluated.  Refuted: two completions that the deployed sums give different
 * labels.  Undecided: the budget ran out, or somebody's score is within rounding of the cut.
 *
 * Nothing here depends on a clock or on chance.
 */
#include "treesearch_inside.h"

#include <math.h>
#include <string.h>

#include "treetable.h"

enum {
    DEFAULT_BOXES = 20000,
    AFTER_GIVING_UP = 200, /* boxes looked at for another label once nothing can be certified */
    SEEN = 8,              /* completions kept of a person */
    STARTS = 4,            /* people from whom the pool goes down and up */
    MOST_POOL = 64,
    LOOKED = 1 + SEEN + MOST_POOL,
    WHOLE_FRAMES = 4, /* boxes, one in the other, of which all is kept */
    ROUNDS = 3        /* over all attributes, when going down */
};

/* ---- people in cells ---- */

bool tct_treesearch_look(tct_treesearch *s, const uint32_t *cells)
{
    if (!s->refuted && tct_trees_label(s->trees, cells) != s->label) {
        memcpy(s->witness[1], cells, s->n * sizeof *cells);
        s->refuted = true;
    }
    return s->refuted;
}

/* Inputs of a person. */
static void put_inputs(const tct_treesearch *s, const uint32_t *cells, double *x)
{
    for (size_t a = 0; a < s->n; a++)
        tct_codec_value(s->model->codec, a, cells[a], x + s->model->codec->domains[a].first);
}

/* ---- going down, one attribute at a time ---- */

/* The attribute whose cells are looked at, and which trees count how much. */
typedef struct descent {
    const tct_trees *trees;
    const uint32_t *cells;
    size_t attribute;
    double *steps; /* per cell: difference to the one before */
    double missing;
    double sign;
} descent;

/* Add a tree to the profile of a number, for cells low ... high - 1 and perhaps "missing". */
static void profile_node(descent *d, size_t i, uint32_t low, uint32_t high, bool missing)
{
    for (;;) {
        const tct_tree_node *node = &d->trees->nodes[i];
        bool left;

        if (node->attribute == TCT_TREE_LEAF) {
            if (low < high) {
                d->steps[low] += d->sign * node->value;
                d->steps[high] -= d->sign * node->value;
            }
            d->missing += missing ? d->sign * node->value : 0;
            return;
        }
        if (node->attribute != d->attribute) {
            left = tct_tree_goes_left(d->trees, node, d->cells[node->attribute]);
        } else {
            uint32_t middle = node->test < low ? low : node->test > high ? high : node->test;
            bool left_missing = missing && node->missing_left, right_missing = missing && !node->missing_left;

            if ((low < middle || left_missing) && (middle < high || right_missing)) {
                profile_node(d, i + 1, low, middle, left_missing);
                low = middle;
                missing = right_missing;
                left = false;
            } else {
                left = low < middle || left_missing;
            }
        }
        i = left ? i + 1 : node->right;
    }
}

/* Add a tree to the profile of a category, for a set of its levels. */
static void profile_levels(descent *d, size_t i, const uint64_t *set, size_t words)
{
    uint64_t in[(TCT_MAX_LEVELS + 63) / 64], left[(TCT_MAX_LEVELS + 63) / 64];
    const tct_tree_node *node = &d->trees->nodes[i];

    memcpy(in, set, words * sizeof *in);
    while (node->attribute != TCT_TREE_LEAF) {
        uint64_t some[2] = {0};

        if (node->attribute != d->attribute) {
            node = tct_tree_goes_left(d->trees, node, d->cells[node->attribute]) ? node + 1
                                                                                 : &d->trees->nodes[node->right];
            continue;
        }
        for (size_t w = 0; w < words; w++) {
            left[w] = in[w] & d->trees->sets[node->test + w];
            some[0] |= left[w];
            some[1] |= in[w] &= ~left[w];
        }
        if (some[0] && some[1])
            profile_levels(d, (size_t)(node - d->trees->nodes) + 1, left, words);
        else if (some[0])
            memcpy(in, left, words * sizeof *in);
        node = some[1] ? &d->trees->nodes[node->right] : node + 1;
    }
    for (size_t w = 0; w < words; w++)
        for (uint64_t bits = in[w]; bits; bits &= bits - 1)
            d->steps[64 * w + (size_t)__builtin_ctzll(bits)] += d->sign * node->value;
}

/* How much a tree counts where label is to lose against another class; TACIT_NONE: against all. */
static double sign_in(const tct_trees *t, size_t tree, size_t label, size_t against)
{
    if (t->base.n_scores == 1)
        return label == 1 ? 1 : -1;
    return t->scores[tree] == label ? 1 : t->scores[tree] == against ? -1 : 0;
}

void tct_treesearch_profile(tct_treesearch *s, const uint32_t *cells, size_t a, size_t label, size_t against)
{
    const tct_trees *t = s->trees;
    const tct_tree_attribute *seen = &t->attributes[a];
    descent d = {.trees = t, .cells = cells, .attribute = a, .steps = s->profile};
    uint64_t all[(TCT_MAX_LEVELS + 63) / 64];
    size_t words = tct_set_words(seen->count);

    for (size_t w = 0; seen->levels && w < words; w++)
        all[w] = w + 1 < words || seen->count % 64 == 0 ? UINT64_MAX : ((uint64_t)1 << seen->count % 64) - 1;
    memset(s->profile, 0, (seen->count + 2) * sizeof *s->profile);
    for (size_t k = 0; k < t->n_trees; k++) {
        d.sign = sign_in(t, k, label, against);
        if (d.sign == 0)
            continue;
        if (seen->levels)
            profile_levels(&d, t->roots[k], all, words);
        else
            profile_node(&d, t->roots[k], 0, (uint32_t)seen->n_cuts + 1, seen->missing);
    }
    for (size_t v = 1; !seen->levels && v <= seen->n_cuts; v++)
        s->profile[v] += s->profile[v - 1];
    if (seen->missing)
        s->profile[seen->n_cuts + 1] = d.missing;
}

/* Make the margin of label over `against` small, one attribute after the other, until none has a better cell. */
static void descend(tct_treesearch *s, uint32_t *cells, size_t label, size_t against)
{
    size_t still = 0; /* attributes that have the best cell as long as the others stay */

    for (size_t i = 0; i < ROUNDS * s->n && still < s->n; i++) {
        size_t a = i % s->n, count = s->trees->attributes[a].count;
        uint32_t best = cells[a];

        if (count > 1) {
            tct_treesearch_profile(s, cells, a, label, against);
            for (uint32_t v = 0; v < count; v++)
                best = s->profile[v] < s->profile[best] ? v : best;
        }
        still = best != cells[a] ? 1 : still + 1;
        cells[a] = best;
    }
}

/* ---- making and freeing ---- */

/* People from whom the pool starts: the mean one, and some whose cells are spread evenly. */
static void start_person(const tct_treesearch *s, size_t k, uint32_t *cells)
{
    for (size_t a = 0; a < s->n; a++) {
        const tct_domain *domain = &s->model->codec->domains[a];
        const double *mean = s->model->mean + domain->first;
        double last = (double)domain->count - 1, u = fmod(0.5 + (double)k * (0.618033988749895 + (double)a * 0.1), 1);
        uint32_t best = 0;

        if (k > 0)
            cells[a] = (uint32_t)(u * (last + 1));
        else if (domain->kind == TCT_GRID)
            cells[a] = (uint32_t)fmin(fmax(rint((*mean + 1) / 2 * last), 0), last);
        for (uint32_t v = 1; k == 0 && domain->kind == TCT_ONEHOT && v < domain->count; v++)
            best = mean[v] > mean[best] ? v : best;
        cells[a] = k == 0 && domain->kind == TCT_ONEHOT ? best : cells[a];
    }
}

static void fill_pool(tct_treesearch *s)
{
    size_t classes = s->trees->base.n_classes;

    for (size_t k = 0; k < STARTS; k++)
        for (size_t c = 0; c < classes; c++)
            for (size_t other = 0; other < classes; other++) {
                if (c == other || s->n_pool == MOST_POOL || (classes > 4 && other != (c + 1 + k) % classes))
                    continue;
                start_person(s, k, s->pool + s->n_pool * s->n);
                descend(s, s->pool + s->n_pool * s->n, c, other);
                s->n_pool++;
            }
}

tacit_status tct_treesearch_new(tct_treesearch **out, const tacit_model *model, tacit_error *err)
{
    tct_treesearch *s = tct_calloc(1, sizeof *s);
    size_t most = 0;
    tacit_status st;

    *out = NULL;
    if (!s)
        return tct_fail_memory(err);
    s->model = model;
    s->trees = tct_as_trees(model->classifier);
    s->n = s->trees->n_attributes;
    for (size_t a = 0; a < s->n; a++)
        most = s->trees->attributes[a].count > most ? s->trees->attributes[a].count : most;
    st = tct_treetable_new(&s->table, model, err);
    if (!st)
        st = tct_treegrid_new(&s->grid, model, s->table, err);
    if (!st)
        st = tct_treekept_init(s, err);
    s->first_lead = tct_calloc(s->n, sizeof *s->first_lead);
    for (size_t a = 0; a < s->n && s->first_lead; a++) {
        s->first_lead[a] = s->n_leads;
        s->n_leads += s->trees->attributes[a].count;
    }
    s->leads = tct_calloc(s->n_leads + 1, sizeof *s->leads);
    if (!st)
        st = tct_treescreen_init(s, LOOKED, err);
    s->pool = tct_calloc(MOST_POOL * s->n, sizeof *s->pool);
    s->seen = tct_calloc(SEEN * s->n, sizeof *s->seen);
    s->start = tct_calloc(4 * s->n, sizeof *s->start);
    s->looked = tct_calloc(LOOKED * s->n, sizeof *s->looked);
    s->n_profile = most + 2;
    s->profile = tct_calloc(s->n_profile, sizeof *s->profile);
    if (!st && (!s->first_lead || !s->leads || !s->pool || !s->seen || !s->start || !s->looked || !s->profile))
        st = tct_fail_memory(err);
    if (st) {
        tct_treesearch_free(s);
        return st;
    }
    s->point = s->start + s->n;
    s->witness[0] = s->start + 2 * s->n;
    s->witness[1] = s->start + 3 * s->n;
    fill_pool(s);
    *out = s;
    return TACIT_OK;
}

void tct_treesearch_free(tct_treesearch *s)
{
    if (!s)
        return;
    tct_treekept_clear(s);
    tct_treescreen_clear(s);
    tct_treegrid_free(s->grid);
    tct_treetable_free(s->table);
    tct_free(s->pool);
    tct_free_wiped(s->seen, SEEN * s->n * sizeof *s->seen);
    tct_free_wiped(s->start, 4 * s->n * sizeof *s->start);
    tct_free_wiped(s->looked, LOOKED * s->n * sizeof *s->looked);
    tct_free_wiped(s->profile, s->n_profile * sizeof *s->profile);
    tct_free_wiped(s->frames.items, s->frames.room);
    tct_free_wiped(s->raised.items, s->raised.room);
    tct_free_wiped(s->leads, s->n_leads * sizeof *s->leads);
    tct_free(s->first_lead);
    tct_free(s);
}

void tct_treesearch_forget(tct_treesearch *s)
{
    tct_treekept_forget(s);
    tct_treescreen_forget(s);
    tct_treegrid_forget(s->grid);
    tct_wipe(s->profile, s->n_profile * sizeof *s->profile);
    tct_wipe(s->seen, SEEN * s->n * sizeof *s->seen);
    tct_wipe(s->start, 4 * s->n * sizeof *s->start);
    tct_wipe(s->looked, LOOKED * s->n * sizeof *s->looked);
    tct_tree_list_wipe(&s->frames);
    tct_tree_list_wipe(&s->raised);
    tct_wipe(s->leads, s->n_leads * sizeof *s->leads);
    s->n_seen = s->next_seen = 0;
}

/* ---- branch and bound ---- */

void tct_treesearch_point(tct_treesearch *s, const tct_treegrid *g, bool first)
{
    memcpy(s->point, s->start, s->n * sizeof *s->point);
    for (size_t x = 0; x < g->n_axes; x++) {
        size_t cell = g->best[x];

        if (first || cell >= g->axes[x].n_cells || !g->alive[g->axes[x].first + cell])
            for (cell = 0; !g->alive[g->axes[x].first + cell];)
                cell++;
        s->point[g->axes[x].attribute] = tct_treegrid_cell(g, x, cell);
    }
    if (g != s->grid)
        tct_treegrid_fit(s->grid, s->point);
}

/* Is a box that was entered proven, refuted, or given up?  If none of these, it must be cut. */
static bool settle_box(tct_treesearch *s, size_t sweeps)
{
    tct_treegrid *g = s->at;

    if (g->bound >= g->target)
        return true;
    for (size_t k = 0; k < sweeps; k++) {
        if (tct_treegrid_sweep(g))
            return true;
        tct_treesearch_point(s, s->at, false);
        if (tct_treesearch_look(s, s->point))
            return true;
    }
    if (tct_treegrid_raw(g) >= g->target)
        return true;
    if (!tct_treegrid_constant(g))
        return false;
    tct_treesearch_point(s, s->at, true);
    /* Within rounding of the cut.  In order everybody of the box has the sum just seen, unless the box is of a region
     * before: then the point was moved. */
    if (!tct_treesearch_look(s, s->point) && !(s->trees->in_order && s->at == s->grid)) {
        s->budget = s->given_up || s->budget < s->boxes + AFTER_GIVING_UP ? s->budget : s->boxes + AFTER_GIVING_UP;
        s->given_up = true;
    }
    return true;
}

/* A box and its cut, to come back to them: marks of the cells that go left; and all that was found, or where boxes are nested too deep
 * for that, living cells and shifts, from which it can be found. */
typedef struct frame {
    size_t at, cells, size; /* where it is, the marks, all of it */
    bool whole;
} frame;

static tacit_status keep_frame(tct_treesearch *s, const tct_tree_cut *cut, frame *f, tacit_error *err)
{
    const tct_treegrid *g = s->at;
    char *to;
    tacit_status st;

    *f = (frame){
        .at = s->frames_used, .cells = (g->axes[cut->axis].n_cells + 7) / 8 * 8, .whole = s->depth < WHOLE_FRAMES};
    f->size = f->cells + (f->whole ? tct_treegrid_state_size(g) : g->n_cells + g->n_pieces * sizeof *g->phi);
    f->size = (f->size + 7) / 8 * 8;
    if ((st = tct_tree_list_reserve(&s->frames, f->at + f->size, err)))
        return st;
    to = (char *)s->frames.items + f->at;
    memcpy(to, cut->left, g->axes[cut->axis].n_cells);
    if (f->whole) {
        tct_treegrid_save_state(g, to + f->cells);
    } else {
        memcpy(to + f->cells, g->phi, g->n_pieces * sizeof *g->phi);
        memcpy(to + f->cells + g->n_pieces * sizeof *g->phi, g->alive, g->n_cells);
    }
    s->frames_used += f->size;
    s->depth++;
    return TACIT_OK;
}

/* The other half of the box: all of it again, less the cells of the first. */
static void enter_other(tct_treesearch *s, tct_tree_cut *cut, const frame *f)
{
    tct_treegrid *g = s->at;
    const char *from = (const char *)s->frames.items + f->at;

    cut->left = (const unsigned char *)from;
    if (f->whole) {
        tct_treegrid_load_state(g, from + f->cells);
    } else {
        memcpy(g->phi, from + f->cells, g->n_pieces * sizeof *g->phi);
        memcpy(g->alive, from + f->cells + g->n_pieces * sizeof *g->phi, g->n_cells);
    }
    tct_treegrid_take(g, cut, !cut->right_first);
    if (f->whole)
        tct_treegrid_enter_axis(g, cut->axis);
    else
        tct_treegrid_enter(g);
}

/* Decide a box.  What follows from it was found: by entering it, or by the sweeps before. */
static tacit_status search_box(tct_treesearch *s, size_t sweeps, tacit_error *err)
{
    tct_tree_cut cut;
    frame f;
    tacit_status st;

    if (s->boxes >= s->budget) {
        s->given_up = true;
        return TACIT_OK;
    }
    s->boxes++;
    if (settle_box(s, sweeps))
        return TACIT_OK;
    if (!tct_treegrid_cut(s->at, &cut)) {
        s->given_up = true; /* does not happen: a box that is not constant has two cells somewhere */
        return TACIT_OK;
    }
    st = keep_frame(s, &cut, &f, err);
    if (st)
        return st;
    tct_treegrid_take(s->at, &cut, cut.right_first);
    tct_treegrid_enter_axis(s->at, cut.axis);
    st = search_box(s, 1, err);
    if (!st && !s->refuted) {
        enter_other(s, &cut, &f);
        st = search_box(s, 1, err);
    }
    s->frames_used = f.at;
    s->depth--;
    return st;
}

/* The first sweeps over the whole region.  True: it is settled. */
static tacit_status begin_margin(tct_treesearch *s, size_t against, bool *settled, tacit_error *err)
{
    tct_treegrid *g = s->at = s->grid;
    tacit_status st = tct_treegrid_margin(g, s->label, against, err);

    if (st)
        return st;
    tct_treegrid_whole(g);
    for (size_t x = 0; x < g->n_axes; x++)
        g->best[x] = SIZE_MAX;
    *settled = settle_box(s, TCT_ROOT_SWEEPS);
    return TACIT_OK;
}

/* Improve the completion that the last sweep found, then cut. */
static tacit_status search_margin(tct_treesearch *s, tacit_error *err)
{
    tacit_status st;

    s->frames_used = s->depth = 0;
    tct_treesearch_point(s, s->at, false);
    if ((st = tct_treescreen_descend(s, s->at, s->point, err)))
        return st;
    tct_treegrid_fit(s->grid, s->point);
    if (tct_treesearch_look(s, s->point))
        return TACIT_OK;
    return search_box(s, 0, err);
}

/* Does the label beat another class everywhere?  Sets refuted, or given_up where that stays open.  Where a score within
 * rounding of the cut is all that is open in what is kept, a grid for this region alone, with less rounding, may do. */
static tacit_status prove_margin(tct_treesearch *s, size_t against, tacit_error *err)
{
    bool settled = false, here = false, before = s->given_up;
    uint64_t budget = s->budget;
    tacit_status st = tct_treekept_try(s, against, &settled, &here, err);

    s->boxes++;
    if (!st && here && s->boxes >= budget)
        s->given_up = true;
    else if (!st && here)
        st = search_margin(s, err);
    if (st || settled || s->refuted || (here && (before || !s->given_up || s->boxes >= budget)))
        return st;
    s->given_up = before;
    s->budget = budget;
    st = begin_margin(s, against, &settled, err);
    return st || settled ? st : search_margin(s, err);
}

/* ---- deciding ---- */

static void remember(tct_treesearch *s, const uint32_t *cells)
{
    memcpy(s->seen + s->next_seen * s->n, cells, s->n * sizeof *cells);
    s->next_seen = (s->next_seen + 1) % SEEN;
    s->n_seen += s->n_seen < SEEN;
}

/* Look at somebody with what is known put in, unless that is somebody who was looked at before. */
static void look_at(tct_treesearch *s, const uint32_t *cells, size_t *n_looked)
{
    uint32_t *point = s->looked + *n_looked * s->n;

    memcpy(point, cells, s->n * sizeof *point);
    tct_treegrid_fit(s->grid, point);
    for (const uint32_t *other = s->looked; other < point; other += s->n)
        if (memcmp(point, other, s->n * sizeof *point) == 0)
            return;
    ++*n_looked;
    tct_treesearch_look(s, point);
}

bool tct_treesearch_extreme(const tct_treesearch *s, size_t k, const tct_treegrid *region, uint32_t *cells)
{
    if (k > s->n_seen + s->n_pool)
        return false;
    if (k == 0)
        start_person(s, 0, cells);
    else if (k <= s->n_seen)
        memcpy(cells, s->seen + (s->next_seen + SEEN - k) % SEEN * s->n, s->n * sizeof *cells);
    else
        memcpy(cells, s->pool + (k - 1 - s->n_seen) * s->n, s->n * sizeof *cells);
    tct_treegrid_fit(region, cells);
    return true;
}

static void look_at_known(tct_treesearch *s)
{
    size_t n_looked = 1;

    memcpy(s->looked, s->start, s->n * sizeof *s->looked);
    for (size_t k = 0; k < s->n_seen && !s->refuted; k++)
        look_at(s, s->seen + (s->next_seen + SEEN - 1 - k) % SEEN * s->n, &n_looked);
    for (size_t k = 0; k < s->n_pool && !s->refuted; k++)
        look_at(s, s->pool + k * s->n, &n_looked);
}

static tacit_status decide_once(tct_treesearch *s, const tct_region *region, uint64_t budget, tct_finding *finding,
                                tacit_error *err)
{
    bool looked = false;
    tacit_status st = TACIT_OK;

    finding->verdict = TACIT_UNDECIDED;
    finding->label = TACIT_NONE;
    finding->nodes = 0;
    s->refuted = s->given_up = false;
    s->boxes = 0;
    s->budget = budget ? budget : DEFAULT_BOXES;
    tct_treegrid_region(s->grid, region);
    if (!finding->witness[0] && !finding->witness[1] && !tct_treegrid_is_point(s->grid))
        s->refuted = tct_treescreen_refutes(s, &looked);
    if (s->refuted) {
        finding->verdict = TACIT_REFUTED;
        return TACIT_OK;
    }
    looked = looked && budget > 0;
    start_person(s, 0, s->start);
    tct_treegrid_fit(s->grid, s->start);
    s->label = tct_trees_label(s->trees, s->start);
    memcpy(s->witness[0], s->start, s->n * sizeof *s->start);
    if (!tct_treegrid_is_point(s->grid)) {
        if (!looked)
            look_at_known(s);
        if (!s->refuted && budget == 0)
            tct_treekept_begin(s);
        for (size_t c = 0; c < s->trees->base.n_classes && !st && !s->refuted; c++)
            if (c != s->label)
                st = prove_margin(s, c, err);
    }
    finding->nodes = s->boxes;
    if (st)
        return st;
    if (s->refuted) {
        finding->verdict = TACIT_REFUTED;
        for (size_t w = 0; w < 2; w++) {
            remember(s, s->witness[w]);
            if (looked && !st)
                st = tct_treescreen_add(s, s->witness[w], err);
            if (finding->witness[w])
                put_inputs(s, s->witness[w], finding->witness[w]);
        }
    } else if (!s->given_up) {
        finding->verdict = TACIT_CERTIFIED;
        finding->label = s->label;
    }
    return st;
}

/* What was kept of the region before makes a verdict cheaper, and must not make another: whoever was decided without it
 * (skip) begins anew.  So where the boxes run out one way, the other is tried. */
tacit_status tct_treesearch_decide(tct_treesearch *s, const tct_region *region, uint64_t budget, tct_finding *finding,
                                   tacit_error *err)
{
    const tct_region skipped = s->skipped;
    tacit_status st;

    s->skipped = (tct_region){0};
    st = decide_once(s, region, budget, finding, err);
    if (!st && budget == 0 && finding->verdict == TACIT_UNDECIDED && tct_treekept_other_way(s, region, skipped))
        st = decide_once(s, region, budget, finding, err);
    return st;
}
