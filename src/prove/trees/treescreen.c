/*
 * treescreen.c -- people who refute many answers at once.
 *
 * A rule that looks ahead asks about every answer to every question whether it would settle the decision.  Most would
 * not, and the same few people show it: with an answer put in, one has the label and another has not.  So people seen to
 * be extreme are put into the trees as they are left for the region that is kept, and for each of them the margin is found
 * for all cells of an attribute at once, from the trees that read it alone.  A cell of which one person has the label for
 * certain, and one has not, is refuted.
 *
 * Sums are those of bounds (treegrid.h): whole numbers, each tree rounded down.  A person counts only where the sum is
 * clear of the cut by all rounding, so what is refuted here is refuted for the deployed sums.  What is not is decided as
 * ever: certificates do not depend on anything here.
 */
#include <string.h>

#include "treesearch_inside.h"

enum {
    IS = 1,
    IS_NOT = 2,
    BOTH = IS | IS_NOT,
    FEW = 4,    /* people looked at where that is to be quick */
    ENOUGH = 16 /* people looked at, at most: later ones seldom show anything new */
};

tacit_status tct_treescreen_init(tct_treesearch *s, size_t most, tacit_error *err)
{
    tct_tree_screen *screen = &s->screen;

    screen->label = TACIT_NONE;
    screen->most = most;
    screen->people = tct_calloc(most * s->n, sizeof *screen->people);
    screen->totals = tct_calloc(most * s->trees->base.n_classes, sizeof *screen->totals);
    screen->done = tct_calloc(s->n, sizeof *screen->done);
    screen->marks = tct_calloc(s->n_leads + 1, 1);
    return screen->people && screen->totals && screen->done && screen->marks ? TACIT_OK : tct_fail_memory(err);
}

void tct_treescreen_forget(tct_treesearch *s)
{
    tct_tree_screen *screen = &s->screen;

    screen->label = TACIT_NONE;
    if (screen->people)
        tct_wipe(screen->people, screen->most * s->n * sizeof *screen->people);
    if (screen->totals)
        tct_wipe(screen->totals, screen->most * s->trees->base.n_classes * sizeof *screen->totals);
    if (screen->marks)
        tct_wipe(screen->marks, s->n_leads + 1);
    tct_tree_list_wipe(&screen->reach);
    tct_tree_list_wipe(&screen->sums);
}

void tct_treescreen_clear(tct_treesearch *s)
{
    tct_tree_screen *screen = &s->screen;

    tct_treescreen_forget(s);
    tct_free(screen->people);
    tct_free(screen->totals);
    tct_free(screen->done);
    tct_free(screen->marks);
    tct_free_wiped(screen->reach.items, screen->reach.room);
    tct_free_wiped(screen->sums.items, screen->sums.room);
}

void tct_treescreen_begin(tct_treesearch *s, size_t label)
{
    tct_tree_screen *screen = &s->screen;

    screen->label = label;
    screen->n_people = screen->n_tried = 0;
    memset(screen->done, 0, s->n * sizeof *screen->done);
    memset(screen->marks, 0, s->n_leads);
}

static const tct_treegrid *margin_of(const tct_treesearch *s, size_t against)
{
    return s->kept[s->screen.label * s->trees->base.n_classes + against].grid;
}

/* ---- people ---- */

/* The grid cell of a cell of the model, which is in the grid's region. */
static inline uint32_t grid_cell(const tct_treegrid *g, const tct_tree_axis *axis, uint32_t cell)
{
    if (!axis->levels && cell > g->trees->attributes[axis->attribute].n_cuts)
        return (uint32_t)axis->n_cells - 1; /* missing */
    return ((const uint32_t *)g->marks.items)[axis->ranks + cell];
}

static inline uint32_t piece_at(const tct_tree_link *link, bool levels, const uint32_t *map, uint32_t cell)
{
    uint32_t p = 0;

    if (levels)
        return map[cell];
    while (p + 1 < link->n_pieces && map[p + 1] <= cell)
        p++;
    return p;
}

/* The leaf of a tree that somebody ends in: the one that all of his pieces reach.  reach: where the leaves of each are. */
static inline int64_t leaf_at(const tct_treegrid *g, const tct_tree_rest *rest, const uint32_t *reach)
{
    const unsigned char *who = g->who.items;

    for (size_t b = 0; b < rest->n_blocks; b++) {
        unsigned left = 0xff;

        for (size_t i = 0; i < rest->n_links; i++)
            left &= who[reach[i] + b];
        if (left)
            return (
                (const int64_t *)g->values.items)[rest->first_leaf + b * TCT_TREE_BLOCK + (size_t)__builtin_ctz(left)];
    }
    return TCT_NOBODY; /* does not happen: everybody ends in a leaf */
}

/* Where the leaves that the pieces of person k reach are, in one margin, link by link. */
static uint32_t *reach_of(const tct_treesearch *s, size_t k, size_t against)
{
    size_t before = 0, all = 0;

    for (size_t c = 0; c < s->trees->base.n_classes; c++) {
        size_t links = c == s->screen.label ? 0 : margin_of(s, c)->n_links;

        before += c < against ? links : 0;
        all += links;
    }
    return (uint32_t *)s->screen.reach.items + k * all + before;
}

/* Put a person into one margin: its pieces, and the sum. */
static void place_in(tct_treesearch *s, size_t k, size_t against)
{
    const tct_treegrid *g = margin_of(s, against);
    const uint32_t *cells = s->screen.people + k * s->n;
    const tct_tree_link *links = g->links.items;
    const tct_tree_rest *rests = g->rests.items;
    uint32_t *reach = reach_of(s, k, against);
    int64_t sum = g->constant;

    for (size_t j = 0; j < g->n_links; j++) {
        const tct_tree_axis *axis = &g->axes[links[j].axis];
        uint32_t piece = piece_at(&links[j], axis->levels, (const uint32_t *)g->maps.items + links[j].map,
                                  grid_cell(g, axis, cells[axis->attribute]));

        reach[j] = (uint32_t)(links[j].who + piece * links[j].n_blocks);
    }
    for (size_t i = 0; i < g->n_rests; i++)
        sum += leaf_at(g, &rests[i], reach + rests[i].first_link);
    s->screen.totals[k * s->trees->base.n_classes + against] = sum;
}

/* One more person, whose cells follow the others', unless there was one like that before. */
static tacit_status add_next(tct_treesearch *s, tacit_error *err)
{
    tct_tree_screen *screen = &s->screen;
    const uint32_t *cells = screen->people + screen->n_people * s->n;
    size_t links = 0;
    tacit_status st;

    for (const uint32_t *other = screen->people; other < cells; other += s->n)
        if (memcmp(cells, other, s->n * sizeof *cells) == 0)
            return TACIT_OK;
    for (size_t c = 0; c < s->trees->base.n_classes; c++)
        links += c == screen->label ? 0 : margin_of(s, c)->n_links;
    st = tct_tree_list_reserve(&screen->reach, ((screen->n_people + 1) * links + 1) * sizeof(uint32_t), err);
    for (size_t c = 0; c < s->trees->base.n_classes && !st; c++)
        if (c != screen->label)
            place_in(s, screen->n_people, c);
    screen->n_people += !st;
    return st;
}

tacit_status tct_treescreen_add(tct_treesearch *s, const uint32_t *cells, tacit_error *err)
{
    tct_tree_screen *screen = &s->screen;

    if (screen->label == TACIT_NONE || screen->n_people == screen->most)
        return TACIT_OK;
    memcpy(screen->people + screen->n_people * s->n, cells, s->n * sizeof *cells);
    return add_next(s, err);
}

/* Another person for an attribute; *none: there is none. */
static tacit_status find_person(tct_treesearch *s, size_t attribute, bool *none, tacit_error *err)
{
    tct_tree_screen *screen = &s->screen;
    tacit_status st = TACIT_OK;

    while (!st && screen->done[attribute] == screen->n_people && screen->n_people < screen->most &&
           tct_treesearch_extreme(s, screen->n_tried, s->base, screen->people + screen->n_people * s->n)) {
        screen->n_tried++;
        st = add_next(s, err);
    }
    *none = screen->done[attribute] == screen->n_people;
    return st;
}

/* ---- answers ---- */

/* What a tree ends in for somebody with every piece of a link in turn. */
static void find_leaves(const tct_treegrid *g, const tct_tree_link *link, const uint32_t *reach, int64_t *ends)
{
    const tct_tree_rest *rest = (const tct_tree_rest *)g->rests.items + link->tree;
    const unsigned char *who = g->who.items;

    for (size_t p = 0; p < link->n_pieces; p++)
        ends[p] = TCT_NOBODY;
    for (size_t b = 0; b < rest->n_blocks; b++) {
        const int64_t *values = (const int64_t *)g->values.items + rest->first_leaf + b * TCT_TREE_BLOCK;
        unsigned others = 0xff;

        for (size_t i = rest->first_link; i < rest->first_link + rest->n_links; i++)
            others &= i == link->own ? 0xff : who[reach[i] + b];
        for (size_t p = 0; p < link->n_pieces && others; p++) {
            unsigned left = others & who[link->who + p * rest->n_blocks + b];

            if (left && ends[p] == TCT_NOBODY)
                ends[p] = values[__builtin_ctz(left)];
        }
    }
}

/* What the trees that read an axis add up to, per cell of it, for somebody. */
static void sum_axis(const tct_treegrid *g, size_t x, const uint32_t *reach, int64_t *sums, int64_t *ends)
{
    const tct_tree_axis *axis = &g->axes[x];
    const tct_tree_link *own = (const tct_tree_link *)g->axis_links.items + axis->first_link;
    int64_t sum = 0;

    memset(sums, 0, (axis->n_cells + 1) * sizeof *sums);
    for (size_t i = 0; i < axis->n_links; i++) {
        const uint32_t *map = (const uint32_t *)g->maps.items + own[i].map;
        int64_t last = 0;

        find_leaves(g, &own[i], reach, ends);
        for (size_t c = 0; axis->levels && c < axis->n_cells; c++)
            sums[c] += ends[map[c]];
        for (size_t p = 0; !axis->levels && p < own[i].n_pieces; p++) { /* steps, to be added up */
            sums[map[p]] += ends[p] - last;
            last = ends[p];
        }
    }
    for (size_t c = 0; c < axis->n_cells && !axis->levels; c++)
        sums[c] = sum += sums[c];
}

/* What one margin says about somebody with every answer: is, per cell of the attribute. */
static void judge_answers(const tct_treegrid *g, size_t x, const int64_t *sums, int64_t rest, unsigned char *is)
{
    const tct_tree_axis *axis = &g->axes[x];
    uint32_t end = g->high[axis->attribute];

    for (size_t c = 0; c < axis->n_cells; c++) {
        uint32_t from = tct_treegrid_cell(g, x, c), to = from + 1;
        unsigned keep = rest + sums[c] < g->target ? BOTH & ~IS : BOTH;
        unsigned add = rest + sums[c] <= g->beaten ? IS_NOT : 0;

        if (!axis->levels && from < end)
            to = c + 1 < axis->n_cells && tct_treegrid_cell(g, x, c + 1) < end ? tct_treegrid_cell(g, x, c + 1) : end;
        for (uint32_t v = from; v < to; v++)
            is[v] = (unsigned char)((is[v] & keep) | add);
    }
}

/* Person k with every answer put in: which of them have the label for certain, and which have not. */
static tacit_status look_with_answers(tct_treesearch *s, size_t k, size_t attribute, tacit_error *err)
{
    tct_tree_screen *screen = &s->screen;
    size_t classes = s->trees->base.n_classes, count = s->trees->attributes[attribute].count;
    unsigned char *marks = screen->marks + s->first_lead[attribute], *is;
    tacit_status st = tct_tree_list_reserve(&screen->sums, (count + 2) * (2 * sizeof(int64_t) + 1), err);
    int64_t *sums = screen->sums.items;

    if (st)
        return st;
    is = (unsigned char *)(sums + 2 * (count + 2));
    memset(is, IS, count);
    for (size_t c = 0; c < classes; c++) {
        const tct_treegrid *g = c == screen->label ? NULL : margin_of(s, c);
        size_t x = g ? g->axis_of[attribute] : 0;
        uint32_t own;

        if (!g)
            continue;
        own = grid_cell(g, &g->axes[x], screen->people[k * s->n + attribute]);
        sum_axis(g, x, reach_of(s, k, c), sums, sums + count + 2);
        judge_answers(g, x, sums, screen->totals[k * classes + c] - sums[own], is);
    }
    for (size_t v = 0; v < count; v++)
        marks[v] |= is[v];
    return TACIT_OK;
}

/* The only attribute that the question has narrowed, to one cell; TACIT_NONE: it is not such a question. */
static size_t find_answered(const tct_treesearch *s)
{
    size_t found = TACIT_NONE;

    if (tct_treegrid_narrowed(s->grid, s->base) != 1)
        return TACIT_NONE;
    for (size_t x = 0; x < s->base->n_axes; x++)
        if (s->grid->fixed[s->base->axes[x].attribute] != UINT32_MAX)
            found = s->base->axes[x].attribute;
    return found;
}

/* Is an answer refuted?  most: people to look at. */
static tacit_status look_for(tct_treesearch *s, size_t a, size_t cell, size_t most, bool *refuted, tacit_error *err)
{
    tct_tree_screen *screen = &s->screen;
    const unsigned char *mark = &screen->marks[s->first_lead[a] + cell];
    bool none = false;
    tacit_status st = TACIT_OK;

    while (*mark != BOTH && screen->done[a] < most && !none && !st) {
        st = find_person(s, a, &none, err);
        if (!st && !none)
            st = look_with_answers(s, screen->done[a]++, a, err);
    }
    *refuted = *mark == BOTH;
    return st;
}

tacit_status tct_treescreen_look(tct_treesearch *s, bool more, bool *refuted, bool *looked, tacit_error *err)
{
    size_t a = s->screen.label == TACIT_NONE || !s->has_base ? TACIT_NONE : find_answered(s);

    *refuted = *looked = false;
    if (a == TACIT_NONE)
        return TACIT_OK;
    *looked = more;
    return look_for(s, a, s->grid->fixed[a], more ? ENOUGH : 0, refuted, err);
}

tacit_status tct_treesearch_leaves_open(tct_treesearch *s, size_t attribute, size_t value, bool thorough, bool *open,
                                        tacit_error *err)
{
    *open = false;
    if (s->screen.label == TACIT_NONE || s->base->fixed[attribute] != UINT32_MAX)
        return TACIT_OK;
    return look_for(s, attribute, value, thorough ? ENOUGH : FEW, open, err);
}
