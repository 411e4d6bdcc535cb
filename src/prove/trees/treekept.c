/*
 * treekept.c -- what is kept from one question about a person to the next, and what answers to questions will prove.
 *
 * After an answer the region is the one before with one attribute narrowed.  So the trees as they were left for that
 * region serve once more: cells that the answer rules out die, what the sweeps had shifted is shifted already, and one or
 * two sweeps settle most questions.  What they do not settle is begun anew.  A rule that tries answers asks in the same
 * way.  A proof about a larger region is one about the smaller, and completions are moved into the question's region
 * before they are looked at.
 *
 * Slices are always found from the region alone, whatever was kept: the next question must not depend on how the
 * conversation got here.
 */
#include <math.h>
#include <string.h>

#include "treesearch_inside.h"

enum { KEPT_SWEEPS = 2 };

tacit_status tct_treekept_init(tct_treesearch *s, tacit_error *err)
{
    size_t classes = s->trees->base.n_classes;
    tacit_status st = tct_treegrid_new(&s->base, s->model, s->table, err);

    if (st || classes > TCT_KEPT_CLASSES)
        return st;
    s->n_kept = classes * classes;
    s->kept = tct_calloc(s->n_kept, sizeof *s->kept);
    return s->kept ? TACIT_OK : tct_fail_memory(err);
}

void tct_treekept_clear(tct_treesearch *s)
{
    tct_treegrid_free(s->base);
    for (size_t i = 0; s->kept && i < s->n_kept; i++) {
        tct_treegrid_free(s->kept[i].grid);
        tct_free_wiped(s->kept[i].state.items, s->kept[i].state.room);
    }
    tct_free(s->kept);
}

void tct_treekept_forget(tct_treesearch *s)
{
    s->has_base = false;
    s->skipped = (tct_region){0};
    tct_treegrid_forget(s->base);
    for (size_t i = 0; i < s->n_kept; i++) {
        tct_tree_kept *kept = &s->kept[i];

        kept->ready = false;
        if (kept->grid)
            tct_treegrid_forget(kept->grid);
        tct_tree_list_wipe(&kept->state);
    }
}

/* Keep the region of a grid from now on. */
static void keep_region(tct_treesearch *s, const tct_treegrid *of)
{
    tct_treegrid_adopt(s->base, of);
    s->has_base = true;
    s->screen.label = TACIT_NONE;
    for (size_t i = 0; i < s->n_kept; i++)
        s->kept[i].ready = false;
}

void tct_treekept_begin(tct_treesearch *s)
{
    if (s->n_kept > 0 && !(s->has_base && tct_treegrid_narrowed(s->grid, s->base) <= 1))
        keep_region(s, s->grid);
}

/* ---- margins ---- */

/* Sweep over a box that was entered, unless it is proven, and look where each sweep finds the bound least; s: NULL, do not
 * look.  True: it is settled, which *proven says more about. */
static bool sweep_box(tct_treesearch *s, tct_treegrid *g, size_t sweeps, bool *proven)
{
    for (size_t k = 0; k < sweeps && !*proven; k++) {
        *proven = tct_treegrid_sweep(g);
        if (*proven || !s)
            continue;
        tct_treesearch_point(s, g, false);
        if (tct_treesearch_look(s, s->point))
            return true;
    }
    return *proven;
}

static tacit_status save(tct_tree_kept *kept, tacit_error *err)
{
    tacit_status st = tct_tree_list_reserve(&kept->state, tct_treegrid_state_size(kept->grid), err);

    if (st)
        return st;
    tct_treegrid_save_state(kept->grid, kept->state.items);
    kept->ready = true;
    return TACIT_OK;
}

/* The margin over the region that is kept.  slices: bounds to raise, which are given room; NULL: none, and completions
 * are looked at if `look`. */
static tacit_status prepare(tct_treesearch *s, tct_tree_kept *kept, size_t label, size_t against, tct_tree_list *slices,
                            bool look, tacit_error *err)
{
    tct_treegrid *g = kept->grid;
    tacit_status st = g ? TACIT_OK : tct_treegrid_new(&kept->grid, s->model, s->table, err);

    if (st)
        return st;
    g = kept->grid;
    tct_treegrid_adopt(g, s->base);
    st = tct_treegrid_margin(g, label, against, err);
    if (!st && slices)
        st = tct_tree_list_reserve(slices, (g->n_cells + TCT_TREE_SPARE) * sizeof(int64_t), err);
    if (st)
        return st;
    g->slices = slices ? slices->items : NULL;
    for (size_t k = 0; slices && k < g->n_cells; k++)
        g->slices[k] = INT64_MIN / 2;
    for (size_t x = 0; x < g->n_axes; x++)
        g->best[x] = SIZE_MAX;
    tct_treegrid_whole(g);
    kept->proven = g->bound >= g->target;
    sweep_box(look ? s : NULL, g, TCT_ROOT_SWEEPS, &kept->proven);
    g->slices = NULL;
    return save(kept, err);
}

/* What the question leaves of it.  True: proven, or refuted. */
static bool settle_rest(tct_treesearch *s, tct_tree_kept *kept)
{
    tct_treegrid *g = kept->grid;
    size_t narrowed;
    bool proven;

    tct_treegrid_load_state(g, kept->state.items);
    if (!tct_treegrid_narrow(g, s->grid, &narrowed))
        return true;
    if (narrowed < g->n_axes)
        tct_treegrid_enter_axis(g, narrowed);
    proven = g->bound >= g->target;
    return sweep_box(s, g, KEPT_SWEEPS, &proven);
}

tacit_status tct_treekept_try(tct_treesearch *s, size_t against, bool *done, bool *here, tacit_error *err)
{
    size_t narrowed = s->has_base ? tct_treegrid_narrowed(s->grid, s->base) : SIZE_MAX;
    tct_tree_kept *kept;
    tacit_status st = TACIT_OK;
    bool fresh;

    *done = *here = false;
    if (narrowed > 1)
        return TACIT_OK;
    kept = &s->kept[s->label * s->trees->base.n_classes + against];
    fresh = !kept->ready;
    if (fresh)
        st = prepare(s, kept, s->label, against, NULL, narrowed == 0, err);
    if (st)
        return st;
    *done = kept->proven || s->refuted || (!(fresh && narrowed == 0) && settle_rest(s, kept));
    *here = !*done;
    s->at = kept->grid;
    return TACIT_OK;
}

/* ---- looking ahead ---- */

/* The bounds of one margin's slices lower the leads of all cells. */
static void take_slices(tct_treesearch *s, const tct_treegrid *g, const int64_t *raised)
{
    for (size_t x = 0; x < g->n_axes; x++) {
        const tct_tree_axis *axis = &g->axes[x];
        const tct_tree_attribute *a = &s->trees->attributes[axis->attribute];
        double *leads = s->leads + s->first_lead[axis->attribute];

        for (size_t c = 0; c < axis->n_cells && axis->n_links > 0; c++) {
            uint32_t from = tct_treegrid_cell(g, x, c), to = from + 1;
            double lead = fmin((double)(raised[axis->first + c] - g->target) * g->unit, 0);

            if (!a->levels && from <= a->n_cuts)
                to = c + 1 < axis->n_cells && tct_treegrid_cell(g, x, c + 1) <= a->n_cuts
                         ? tct_treegrid_cell(g, x, c + 1)
                         : (uint32_t)a->n_cuts + 1;
            for (uint32_t k = from; k < to; k++)
                leads[k] = lead < leads[k] ? lead : leads[k];
        }
    }
}

/* Answers that tell nothing about this margin leave it as it is: no tree that is left reads the attribute, or there is
 * but one answer. */
static void take_bound(tct_treesearch *s, const tct_treegrid *g)
{
    double lead = fmin((double)(g->bound - g->target) * g->unit, 0);

    for (size_t a = 0; a < s->n; a++) {
        double *leads = s->leads + s->first_lead[a];

        if (g->fixed[a] != UINT32_MAX || g->axes[g->axis_of[a]].n_links == 0)
            for (size_t k = 0; k < s->trees->attributes[a].count; k++)
                leads[k] = lead < leads[k] ? lead : leads[k];
    }
}

void tct_treesearch_skip(tct_treesearch *s, const tct_region *region)
{
    s->has_base = false;
    s->screen.label = TACIT_NONE;
    s->skipped = *region;
}

bool tct_treekept_other_way(tct_treesearch *s, const tct_region *region, tct_region skipped)
{
    if (s->n_kept == 0)
        return false;
    if (skipped.codec) {
        tct_treegrid_region(s->grid, &skipped);
        keep_region(s, s->grid);
        return true;
    }
    tct_treegrid_region(s->grid, region);
    if (!s->has_base || tct_treegrid_narrowed(s->grid, s->base) == 0)
        return false;
    s->has_base = false;
    return true;
}

tacit_status tct_treesearch_slices(tct_treesearch *s, const tct_region *region, size_t label, tct_slices *out,
                                   tacit_error *err)
{
    size_t classes = s->trees->base.n_classes;
    tct_tree_kept alone = {.grid = NULL};
    tacit_status st = TACIT_OK;

    *out = (tct_slices){s->leads, s->first_lead, 0, s->trees->n_leaves <= TCT_SEARCH_LEAVES};
    tct_treegrid_region(s->grid, region);
    keep_region(s, s->grid);
    memset(s->leads, 0, s->n_leads * sizeof *s->leads);
    for (size_t c = 0; c < classes && !st; c++) {
        tct_tree_kept *kept = s->n_kept ? &s->kept[label * classes + c] : &alone;

        if (c == label)
            continue;
        st = prepare(s, kept, label, c, &s->raised, false, err);
        if (st || kept->proven)
            continue;
        take_slices(s, kept->grid, s->raised.items);
        take_bound(s, kept->grid);
        out->now = fmin(out->now, (double)(kept->grid->bound - kept->grid->target) * kept->grid->unit);
    }
    s->has_base = s->n_kept > 0;
    if (!st && s->has_base)
        tct_treescreen_begin(s, label);
    tct_treegrid_free(alone.grid);
    tct_free_wiped(alone.state.items, alone.state.room);
    return st;
}
