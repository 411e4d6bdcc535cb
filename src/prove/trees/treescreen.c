/*
 * treescreen.c -- people who refute many answers at once.
 *
 * A rule that looks ahead asks about every answer to every question whether it would settle the decision.  Most would
 * not, and the same few people show it: with an answer put in, one has the label and another has not.  So people seen to
 * be extreme are put into the trees as they are left for the region that is kept, and for each of them the margin is found
 * for all cells of an attribute at once, from the trees that read it alone.  A cell of which one person has the label for
 * certain, and one has not, is refuted.
 *
 * With two classes two people are made for the region, going down from where the sweeps found the bound least and up from the
 * mean; and for an answer that these do not refute, going on from the nearer of them with the answer put in finds nearly
 * everybody who does.  With more classes they are those seen to be extreme.
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
    ROUNDS = 3, /* over all axes, when going on from somebody with an answer put in */
    FEW = 4,    /* with more than two classes, people looked at where that is to be quick */
    ENOUGH = 16 /* and at most: later ones seldom show anything new */
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
    screen->nearest = tct_calloc(2 * s->n_leads + 1, sizeof *screen->nearest);
    screen->ends = tct_calloc(2 * s->n_leads + 1, sizeof *screen->ends);
    return screen->people && screen->totals && screen->done && screen->marks && screen->nearest && screen->ends
               ? TACIT_OK
               : tct_fail_memory(err);
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
    if (screen->nearest)
        tct_wipe(screen->nearest, 2 * s->n_leads * sizeof *screen->nearest);
    if (screen->ends)
        tct_wipe(screen->ends, 2 * s->n_leads * sizeof *screen->ends);
    tct_tree_list_wipe(&screen->reach);
    tct_tree_list_wipe(&screen->sums);
    tct_tree_list_wipe(&screen->way);
}

void tct_treescreen_clear(tct_treesearch *s)
{
    tct_tree_screen *screen = &s->screen;

    tct_treescreen_forget(s);
    tct_free(screen->people);
    tct_free(screen->totals);
    tct_free(screen->done);
    tct_free(screen->marks);
    tct_free(screen->nearest);
    tct_free(screen->ends);
    tct_free_wiped(screen->reach.items, screen->reach.room);
    tct_free_wiped(screen->sums.items, screen->sums.room);
    tct_free_wiped(screen->way.items, screen->way.room);
}

void tct_treescreen_begin(tct_treesearch *s, size_t label)
{
    tct_tree_screen *screen = &s->screen;

    screen->label = label;
    screen->n_people = screen->n_tried = 0;
    screen->made = false;
    memset(screen->done, 0, s->n * sizeof *screen->done);
    memset(screen->marks, 0, s->n_leads);
    memset(screen->nearest, 0xff, 2 * s->n_leads * sizeof *screen->nearest);
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

/* The piece of a cell: numbers have as many before it as begin further left. */
static inline uint32_t piece_at(const tct_tree_link *link, bool levels, const uint32_t *map, uint32_t cell)
{
    uint32_t p = 0;

    if (levels)
        return map[cell];
    for (uint32_t k = 1; k < link->n_pieces; k++)
        p += map[k] <= cell;
    return p;
}

/* The leaf of a tree that somebody ends in: the one that all of his pieces reach.  reach: where the leaves of each are. */
static inline int64_t leaf_at(const tct_treegrid *g, const tct_tree_rest *rest, const uint32_t *reach)
{
    const uint64_t *who = g->who.items;
    size_t words = tct_tree_words(rest->n_blocks);

    for (size_t w = 0; w < words; w++) {
        uint64_t left = UINT64_MAX;

        for (size_t i = 0; i < rest->n_links; i++)
            left &= who[reach[i] + w];
        if (left)
            return ((const int64_t *)g->values.items)[rest->first_leaf + w * 64 + (size_t)__builtin_ctzll(left)];
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

/* The leaves that somebody reaches once he is in another cell of an axis. */
static void reach_from(const tct_treegrid *g, size_t x, uint32_t cell, uint32_t *reach)
{
    const tct_tree_axis *axis = &g->axes[x];
    const tct_tree_link *own = (const tct_tree_link *)g->axis_links.items + axis->first_link;

    for (size_t i = 0; i < axis->n_links; i++) {
        const uint32_t *map = (const uint32_t *)g->maps.items + own[i].map;

        reach[own[i].own] =
            (uint32_t)(own[i].who + piece_at(&own[i], axis->levels, map, cell) * tct_tree_words(own[i].n_blocks));
    }
}

/* Put a person into one margin: its pieces, and the sum. */
static void place_in(tct_treesearch *s, size_t k, size_t against)
{
    const tct_treegrid *g = margin_of(s, against);
    const uint32_t *cells = s->screen.people + k * s->n;
    const tct_tree_rest *rests = g->rests.items;
    uint32_t *reach = reach_of(s, k, against);
    int64_t sum = g->constant;

    for (size_t x = 0; x < g->n_axes; x++)
        reach_from(g, x, grid_cell(g, &g->axes[x], cells[g->axes[x].attribute]), reach);
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
static inline void find_leaves(const tct_treegrid *g, const tct_tree_link *link, const uint32_t *reach, int64_t *ends)
{
    const tct_tree_rest *rest = (const tct_tree_rest *)g->rests.items + link->tree;
    size_t words = tct_tree_words(link->n_blocks);

    for (size_t w = words; w-- > 0;) { /* from the last: its last leaves may be there to fill up a block only */
        const int64_t *values = (const int64_t *)g->values.items + link->first_leaf + w * 64;
        const uint64_t *who = (const uint64_t *)g->who.items + w;
        uint64_t others = UINT64_MAX;

        for (size_t i = rest->first_link; i < rest->first_link + rest->n_links; i++)
            others &= i == link->own ? UINT64_MAX : who[reach[i]];
        for (size_t p = 0; p < link->n_pieces; p++) {
            uint64_t left = others & who[link->who + p * words];

            if (left)
                ends[p] = values[__builtin_ctzll(left)];
        }
    }
}

/* The same for a tree with no more leaves than a word has bits, for which one is always left: steps from piece to piece are added
 * where these begin. */
static inline void add_steps(const tct_treegrid *g, const tct_tree_link *link, const uint32_t *reach, int64_t *sums)
{
    const tct_tree_rest *rest = (const tct_tree_rest *)g->rests.items + link->tree;
    const int64_t *values = (const int64_t *)g->values.items + link->first_leaf;
    const uint64_t *who = (const uint64_t *)g->who.items, *own = who + link->who;
    const uint32_t *map = (const uint32_t *)g->maps.items + link->map;
    uint64_t others = UINT64_MAX;
    int64_t last = 0;

    for (size_t i = rest->first_link; i < rest->first_link + rest->n_links; i++)
        others &= i == link->own ? UINT64_MAX : who[reach[i]];
    for (size_t p = 0; p < link->n_pieces; p++) {
        int64_t end = values[__builtin_ctzll(others & own[p])];

        sums[map[p]] += end - last;
        last = end;
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

        if (!axis->levels && own[i].n_blocks * TCT_TREE_BLOCK <= 64) {
            add_steps(g, &own[i], reach, sums);
            continue;
        }
        find_leaves(g, &own[i], reach, ends);
        for (size_t c = 0; axis->levels && c < axis->n_cells; c++)
            sums[c] += ends[map[c]];
        for (size_t p = 0; !axis->levels && p < own[i].n_pieces; p++) {
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

/* Of two classes: who comes nearest to either label, per answer. */
static void note_nearest(tct_treesearch *s, size_t k, size_t attribute, const tct_treegrid *g, size_t x, int64_t rest,
                         const int64_t *sums)
{
    const tct_tree_axis *axis = &g->axes[x];
    size_t first = s->first_lead[attribute];
    uint32_t end = g->high[attribute];

    for (size_t c = 0; c < axis->n_cells; c++) {
        uint32_t from = tct_treegrid_cell(g, x, c), to = from + 1;
        int64_t sum = rest + sums[c];

        if (!axis->levels && from < end)
            to = c + 1 < axis->n_cells && tct_treegrid_cell(g, x, c + 1) < end ? tct_treegrid_cell(g, x, c + 1) : end;
        for (size_t v = first + from; v < first + to; v++) {
            if (s->screen.nearest[2 * v] == UINT32_MAX || sum < s->screen.ends[2 * v]) {
                s->screen.nearest[2 * v] = (uint32_t)k;
                s->screen.ends[2 * v] = sum;
            }
            if (s->screen.nearest[2 * v + 1] == UINT32_MAX || sum > s->screen.ends[2 * v + 1]) {
                s->screen.nearest[2 * v + 1] = (uint32_t)k;
                s->screen.ends[2 * v + 1] = sum;
            }
        }
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
        if (classes == 2)
            note_nearest(s, k, attribute, g, x, screen->totals[k * classes + c] - sums[own], sums);
    }
    for (size_t v = 0; v < count; v++)
        marks[v] |= is[v];
    return TACIT_OK;
}

/* Two classes: what a person with every answer put in shows about each. */
static void mark_answers(tct_treesearch *s, const tct_treegrid *g, size_t x, const int64_t *sums, int64_t rest)
{
    size_t attribute = g->axes[x].attribute, count = s->trees->attributes[attribute].count;
    unsigned char *marks = s->screen.marks + s->first_lead[attribute];
    unsigned char *is = (unsigned char *)((int64_t *)s->screen.sums.items + 2 * (s->n_profile + 2));

    memset(is, IS, count);
    judge_answers(g, x, sums, rest, is);
    for (size_t v = 0; v < count; v++)
        marks[v] |= is[v];
}

/* The first cell with the least sum, or the largest if `up`; the one he is in if none has another. */
static size_t find_best(const int64_t *sums, size_t n, size_t from, bool up)
{
    int64_t least = sums[from], most = sums[from], end;
    size_t best = 0;

    for (size_t c = 0; c < n; c++) {
        least = sums[c] < least ? sums[c] : least;
        most = sums[c] > most ? sums[c] : most;
    }
    end = up ? most : least;
    if (end == sums[from])
        return from;
    while (sums[best] != end)
        best++;
    return best;
}

/* Move a person along an axis of one margin, to the cell where the margin is least, or largest if `up`; mark: note what
 * all cells show.  False: he is there. */
static bool move_along(tct_treesearch *s, size_t k, size_t against, size_t x, bool up, bool mark)
{
    tct_tree_screen *screen = &s->screen;
    const tct_treegrid *g = margin_of(s, against);
    const tct_tree_axis *axis = &g->axes[x];
    uint32_t *reach = reach_of(s, k, against), *cell = screen->people + k * s->n + axis->attribute;
    int64_t *sums = screen->sums.items, *total = &screen->totals[k * s->trees->base.n_classes + against];
    size_t from = grid_cell(g, axis, *cell), best;

    sum_axis(g, x, reach, sums, sums + axis->n_cells + 2);
    if (mark)
        mark_answers(s, g, x, sums, *total - sums[from]);
    best = find_best(sums, axis->n_cells, from, up);
    if (best == from)
        return false;
    *total += sums[best] - sums[from];
    *cell = tct_treegrid_cell(g, x, best);
    reach_from(g, x, (uint32_t)best, reach);
    return true;
}

tacit_status tct_treescreen_descend(tct_treesearch *s, const tct_treegrid *g, uint32_t *cells, tacit_error *err)
{
    tct_tree_screen *screen = &s->screen;
    tacit_status st = tct_tree_list_reserve(&screen->sums, (s->n_profile + 2) * (2 * sizeof(int64_t) + 1), err);
    uint32_t *reach;
    int64_t *sums = screen->sums.items;

    if (st || (st = tct_tree_list_reserve(&screen->way, (g->n_links + 1) * sizeof *reach, err)))
        return st;
    reach = screen->way.items;
    for (size_t x = 0; x < g->n_axes; x++)
        reach_from(g, x, grid_cell(g, &g->axes[x], cells[g->axes[x].attribute]), reach);
    for (size_t i = 0, still = 0; i < ROUNDS * g->n_axes && still < g->n_axes; i++) {
        size_t x = i % g->n_axes, a = g->axes[x].attribute, from = grid_cell(g, &g->axes[x], cells[a]), best = from;

        if (g->axes[x].n_links > 0)
            sum_axis(g, x, reach, sums, sums + g->axes[x].n_cells + 2);
        for (size_t c = 0; c < g->axes[x].n_cells && g->axes[x].n_links > 0; c++)
            best = g->alive[g->axes[x].first + c] && sums[c] < sums[best] ? c : best;
        still = best == from ? still + 1 : 1;
        if (best == from)
            continue;
        cells[a] = tct_treegrid_cell(g, x, best);
        reach_from(g, x, (uint32_t)best, reach);
    }
    return TACIT_OK;
}

/* Axes that trees read, without that of an attribute. */
static size_t count_axes(const tct_treegrid *g, size_t but)
{
    size_t count = 0;

    for (size_t x = 0; x < g->n_axes; x++)
        count += g->axes[x].attribute != but && g->axes[x].n_links > 0;
    return count;
}

/* Make a margin of person k small, or large if `up`, one axis after the other, until none moves him.  but: the attribute of an
 * answer, which stays, and it is done when the margin settles the label; TACIT_NONE: none, and one round is enough, which notes
 * what it sees.  True: the margin is so small that he has not the label for certain, or so large that he has. */
static bool improve(tct_treesearch *s, size_t k, size_t against, size_t but, bool up)
{
    tct_tree_screen *screen = &s->screen;
    const tct_treegrid *g = margin_of(s, against);
    const int64_t *total = &screen->totals[k * s->trees->base.n_classes + against];
    bool answered = but != TACIT_NONE;
    size_t still = 0, axes = count_axes(g, but); /* still: axes on which he is where he would be moved to */

    for (size_t round = 0; round < (answered ? ROUNDS : 1); round++) {
        for (size_t x = 0; x < g->n_axes && (!answered || still < axes); x++) {
            if (answered && (up ? *total >= g->target : *total <= g->beaten))
                return true;
            if (g->axes[x].attribute != but && g->axes[x].n_links > 0)
                still = move_along(s, k, against, x, up, !answered) ? 1 : still + 1;
        }
    }
    return up ? *total >= g->target : *total <= g->beaten;
}

/* Two classes: somebody from where the sweeps found the bound least, and the mean person, each made more so. */
static tacit_status make_two(tct_treesearch *s, tacit_error *err)
{
    tct_tree_screen *screen = &s->screen;
    size_t against = 1 - screen->label;
    tacit_status st = tct_tree_list_reserve(&screen->sums, (s->n_profile + 2) * (2 * sizeof(int64_t) + 1), err);

    screen->made = true;
    tct_treesearch_extreme(s, 0, s->base, s->start);
    if (!s->kept[screen->label * 2 + against].proven)
        tct_treesearch_point(s, margin_of(s, against), false);
    else
        memcpy(s->point, s->start, s->n * sizeof *s->point);
    for (int up = 0; up < 2 && !st; up++) {
        size_t k = screen->n_people;

        st = tct_treescreen_add(s, up ? s->start : s->point, err);
        if (screen->n_people > k)
            improve(s, k, against, TACIT_NONE, up);
    }
    return st;
}

/* Two classes, with an answer put in: from who comes nearest to having the label, or not having it, as nobody has so far, to
 * somebody who has. */
static tacit_status improve_for(tct_treesearch *s, size_t a, size_t cell, bool *refuted, tacit_error *err)
{
    tct_tree_screen *screen = &s->screen;
    unsigned char *mark = &screen->marks[s->first_lead[a] + cell];
    size_t against = 1 - screen->label, k = screen->n_people;
    const tct_treegrid *g = margin_of(s, against);
    tacit_status st = TACIT_OK;

    for (int up = 0; up < 2 && !st && *mark != BOTH; up++) {
        size_t end = 2 * (s->first_lead[a] + cell) + (size_t)up, links = g->n_links;
        uint32_t nearest = screen->nearest[end];

        if (*mark & (up ? IS : IS_NOT) || nearest == UINT32_MAX || k == screen->most)
            continue;
        if ((st = tct_tree_list_reserve(&screen->reach, ((k + 1) * links + 1) * sizeof(uint32_t), err)))
            break;
        memcpy(screen->people + k * s->n, screen->people + nearest * s->n, s->n * sizeof *screen->people);
        if (links > 0)
            memcpy(reach_of(s, k, against), reach_of(s, nearest, against), links * sizeof(uint32_t));
        screen->people[k * s->n + a] = (uint32_t)cell;
        screen->totals[k * 2 + against] = screen->ends[end];
        reach_from(g, g->axis_of[a], grid_cell(g, &g->axes[g->axis_of[a]], (uint32_t)cell), reach_of(s, k, against));
        if (improve(s, k, against, a, up)) {
            *mark |= up ? IS : IS_NOT;
            screen->n_people++;
            k++;
        }
    }
    *refuted = *mark == BOTH;
    return st;
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

/* Is an answer refuted?  thorough: look at more people. */
static tacit_status look_for(tct_treesearch *s, size_t a, size_t cell, bool thorough, bool *refuted, tacit_error *err)
{
    size_t classes = s->trees->base.n_classes, most = classes > 2 ? (thorough ? ENOUGH : FEW) : thorough ? 2 : 0;
    tct_tree_screen *screen = &s->screen;
    const unsigned char *mark = &screen->marks[s->first_lead[a] + cell];
    tacit_status st = classes == 2 && !screen->made ? make_two(s, err) : TACIT_OK;
    bool none = false;

    while (*mark != BOTH && screen->done[a] < most && !none && !st) {
        st = find_person(s, a, &none, err);
        if (!st && !none)
            st = look_with_answers(s, screen->done[a]++, a, err);
    }
    *refuted = *mark == BOTH;
    return st || *refuted || !thorough || classes > 2 ? st : improve_for(s, a, cell, refuted, err);
}

bool tct_treescreen_refutes(const tct_treesearch *s, bool *looked)
{
    size_t a = s->screen.label == TACIT_NONE || !s->has_base ? TACIT_NONE : find_answered(s);

    *looked = a != TACIT_NONE && s->screen.done[a] > 0;
    return a != TACIT_NONE && s->screen.marks[s->first_lead[a] + s->grid->fixed[a]] == BOTH;
}

tacit_status tct_treesearch_leaves_open(tct_treesearch *s, size_t attribute, size_t value, bool thorough, bool *open,
                                        tacit_error *err)
{
    *open = false;
    if (s->screen.label == TACIT_NONE || s->base->fixed[attribute] != UINT32_MAX)
        return TACIT_OK;
    return look_for(s, attribute, value, thorough, open, err);
}
