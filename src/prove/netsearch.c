/*
 * netsearch.c -- branch and bound: cut the region into boxes until each is proven, or a completion refutes.
 *
 * Each margin that is open has a tree of its own, and the trees take turns.  A box is bounded; when that does not
 * prove it, the corner where the bound is attained is evaluated; then what is already proven of it is cut off, and it
 * is split at the attribute to which the bound owes most of its slack.  The box with the lowest bound comes first: it
 * is the likeliest to hold a counterexample, and boxes that need proof need it in any order.  Boxes live in memory
 * blocks; when these reach MAX_BYTES, new boxes are taken newest first, which needs room for one path only.
 *
 * Ends.  A box of few completions is decided by evaluating each.  Where the bound is within rounding of the value at the
 * corner, splitting cannot help: the margin is within rounding of zero, and the box is given up.  After that nothing can
 * be certified any more, so the search only goes on for a while, for a counterexample.
 *
 * Beginning anew.  What is known of neurons in a box holds where the boxes around it left the margin in doubt (netside.c);
 * of all those sides only the last one is kept.  So the corner of a bound may be a point that was proven before, where
 * neurons do other things: then the margin there is larger than the bound by more than its open neurons explain.  Cutting
 * such a box need not help, for what is known of neurons stays.  It is bounded again as if it were the first.
 */
#include <math.h>
#include <string.h>

#include "verifier_inside.h"

enum {
    FIRST_BLOCK = 1 << 14,
    TURN = 8,             /* boxes of one margin before the next one has its turn */
    FEW = 16,             /* so few completions are evaluated rather than bounded */
    ENUMERATE_AFTER = 32, /* a region of n completions is evaluated after bounding n / ENUMERATE_AFTER boxes */
    DEEP = 2,             /* halvings of a box before its parts are bounded anew; TCT_DEEPEST until there are MANY */
    MANY = 24, /* boxes: then the search is for a proof, not for the counterexample that most questions have */
    AFTER_GIVING_UP = 1000 /* boxes bounded once one could not be settled */
};
static const size_t MAX_BYTES = (size_t)1 << 26, EXTRA_BYTES = (size_t)1 << 23;
static const double TIGHT = 16; /* times the pad: a bound so near the value cannot get better */

/* ---- memory ---- */

static size_t block_size(size_t b)
{
    return (size_t)FIRST_BLOCK << b;
}

static double *node_box(tct_net_node *node)
{
    return (double *)(node + 1);
}

static double *node_side(const tct_verifier *v, tct_net_node *node)
{
    return node_box(node) + 2 * v->nb->n_free;
}

static unsigned char *node_phases(const tct_verifier *v, tct_net_node *node)
{
    return (unsigned char *)(node_side(v, node) + v->nb->stride + TCT_SIDE_ROOM);
}

/* Forget all nodes, keep the blocks. */
static void clear_nodes(tct_verifier *v)
{
    size_t numbers = 2 * v->nb->n_free + v->nb->stride + TCT_SIDE_ROOM;
    size_t size = sizeof(tct_net_node) + numbers * sizeof(double) + v->nb->n_units;

    v->node_size = (size + 15) / 16 * 16;
    v->block = v->used = 0;
    v->live_bytes = 0;
    v->spare = NULL;
    memset(v->queues, 0, sizeof v->queues);
    v->turn = 0;
}

static tct_net_node *take_node(tct_verifier *v)
{
    tct_net_node *node = v->spare;

    v->live_bytes += v->node_size;
    if (node) {
        v->spare = node->sibling;
        return node;
    }
    while (v->block < v->n_blocks && v->used + v->node_size > block_size(v->block)) {
        v->block++;
        v->used = 0;
    }
    while (v->block == v->n_blocks) {
        if (v->n_blocks == sizeof v->blocks / sizeof *v->blocks)
            return NULL;
        v->blocks[v->n_blocks] = tct_malloc(block_size(v->n_blocks), 1);
        if (!v->blocks[v->n_blocks])
            return NULL;
        v->n_blocks++;
        if (v->node_size > block_size(v->block))
            v->block++;
    }
    node = (tct_net_node *)(v->blocks[v->block] + v->used);
    v->used += v->node_size;
    return node;
}

static void give_node(tct_verifier *v, tct_net_node *node)
{
    node->sibling = v->spare;
    v->spare = node;
    v->live_bytes -= v->node_size;
}

/* ---- queues: pairing heaps ---- */

static tct_net_node *meld(tct_net_node *a, tct_net_node *b)
{
    tct_net_node *top = a && b && b->lower < a->lower ? b : a, *below = top == a ? b : a;

    if (!a || !b)
        return a ? a : b;
    below->sibling = top->child;
    top->child = below;
    return top;
}

/* Meld a list of siblings, in pairs from the left, the pairs from the right. */
static tct_net_node *meld_list(tct_net_node *list)
{
    tct_net_node *pairs = NULL, *heap = NULL;

    while (list) {
        tct_net_node *a = list, *b = a->sibling, *next = b ? b->sibling : NULL;

        a->sibling = NULL;
        if (b)
            b->sibling = NULL;
        a = meld(a, b);
        a->sibling = pairs;
        pairs = a;
        list = next;
    }
    while (pairs) {
        tct_net_node *next = pairs->sibling;

        pairs->sibling = NULL;
        heap = meld(heap, pairs);
        pairs = next;
    }
    return heap;
}

static tct_net_node *pop_node(tct_net_queue *queue)
{
    tct_net_node *node = queue->stack;

    if (node) {
        queue->stack = node->sibling;
        return node;
    }
    node = queue->heap;
    if (node)
        queue->heap = meld_list(node->child);
    return node;
}

/* ---- evaluating all completions ---- */

/* Level or index of unknown attribute s that is `from` or the next allowed one; the width or count when none is left.
 * */
static size_t next_digit(const tct_netbounds *nb, const double *box, size_t s, size_t from)
{
    const tct_unknown *u = &nb->unknown[s];
    const double *high = box + nb->n_free + u->first;

    if (u->kind == TCT_ONEHOT) {
        while (from < u->width && high[from] == 0)
            from++;
        return from;
    }
    if (u->kind == TCT_GRID)
        return from <= (size_t)high[0] ? from : u->count;
    return from; /* a single value: digit 0 */
}

static size_t first_digit(const tct_netbounds *nb, const double *box, size_t s)
{
    return next_digit(nb, box, s, nb->unknown[s].kind == TCT_GRID ? (size_t)box[nb->unknown[s].first] : 0);
}

static void put_digit(tct_verifier *v, const double *box, size_t s)
{
    const tct_unknown *u = &v->nb->unknown[s];

    if (u->kind == TCT_BOX)
        v->start[u->first] = box[u->first];
    else
        tct_codec_value(v->codec, u->attribute, v->digits[s], v->start + u->first);
}

/* Evaluate every completion in a box that has no interval left. */
static void enumerate(tct_verifier *v, const double *box)
{
    const tct_netbounds *nb = v->nb;
    size_t filled = 0, s = 0;

    for (size_t k = 0; k < nb->n_unknown; k++) {
        v->digits[k] = first_digit(nb, box, k);
        put_digit(v, box, k);
    }
    do {
        tct_verifier_complete(v, v->start, filled++);
        if (filled == TCT_BATCH) {
            tct_verifier_look(v, filled);
            filled = 0;
        }
        for (s = 0; s < nb->n_unknown; s++) { /* the next completion */
            size_t end = nb->unknown[s].kind == TCT_BOX ? 1 : nb->unknown[s].count;
            bool carry;

            v->digits[s] = next_digit(nb, box, s, v->digits[s] + 1);
            carry = v->digits[s] >= end;
            if (carry)
                v->digits[s] = first_digit(nb, box, s);
            put_digit(v, box, s);
            if (!carry)
                break;
        }
    } while (s < nb->n_unknown && !v->refuted);
    if (!v->refuted)
        tct_verifier_look(v, filled);
}

/* ---- boxes ---- */

/* A box cannot be settled: look on for a counterexample, but not for long. */
static void give_up_box(tct_verifier *v)
{
    if (!v->given_up && v->max_nodes > v->nodes + AFTER_GIVING_UP)
        v->max_nodes = v->nodes + AFTER_GIVING_UP;
    v->given_up = true;
}

/* Queue a box that is not proven.  phases NULL: nothing is known of it, as of the whole region. */
static tacit_status queue_box(tct_verifier *v, size_t row, const double *box, const unsigned char *phases,
                              tacit_error *err)
{
    tct_net_queue *queue = &v->queues[row];
    bool short_of_memory = v->live_bytes > MAX_BYTES;
    tct_net_node *node;

    if (v->live_bytes > MAX_BYTES + EXTRA_BYTES) {
        give_up_box(v);
        return TACIT_OK;
    }
    node = take_node(v);
    if (!node)
        return tct_fail_memory(err);
    memcpy(node_box(node), box, 2 * v->nb->n_free * sizeof(double));
    if (phases) {
        memcpy(node_phases(v, node), phases, v->nb->n_units);
        tct_netbounds_keep(v->nb, row, node_side(v, node));
    } else {
        memset(node_phases(v, node), TCT_PHASE_OPEN, v->nb->n_units);
        tct_netbounds_keep_all(v->nb, node_side(v, node));
    }
    node->lower = v->nb->rows[row].lower;
    node->child = node->sibling = NULL;
    if (short_of_memory) {
        node->sibling = queue->stack;
        queue->stack = node;
    } else {
        queue->heap = meld(queue->heap, node);
    }
    return TACIT_OK;
}

static tacit_status judge_box(tct_verifier *v, size_t row, const double *box, const unsigned char *phases, size_t depth,
                              tacit_error *err);

/* Bound a half of a box by the forms of the box that the engine has bounded last. */
static tacit_status visit_half(tct_verifier *v, size_t row, const double *box, unsigned char *phases, size_t depth,
                               tacit_error *err)
{
    if (v->n_completions <= TCT_ENUMERATE && v->nodes > v->n_completions / ENUMERATE_AFTER) {
        enumerate(v, box);
        return TACIT_OK;
    }
    v->nodes++;
    v->nb->many = v->nodes > MANY;
    tct_netbounds_part(v->nb, box, phases);
    tct_netbounds_row(v->nb, row);
    tct_netbounds_raise(v->nb, row, box);
    return judge_box(v, row, box, phases, depth, err);
}

/* Cut off what is proven of a box, and halve the rest; or queue it, once it has been halved often enough since its
 * neurons were bounded.  The engine is at `before`. */
static tacit_status divide_box(tct_verifier *v, size_t row, const double *before, const unsigned char *phases,
                               size_t depth, tacit_error *err)
{
    tct_netbounds *nb = v->nb;
    tct_net_level *level = &v->levels[depth < TCT_DEEPEST ? depth : TCT_DEEPEST - 1];
    double *box = depth < TCT_DEEPEST ? level->box : level->half;
    tacit_status st = TACIT_OK;
    size_t split;

    if (box != before)
        memcpy(box, before, 2 * nb->n_free * sizeof(double));
    tct_netbounds_clip(nb, row, box);
    if (tct_netbounds_count(nb, box, FEW) <= FEW) {
        enumerate(v, box);
        return TACIT_OK;
    }
    if (depth >= (nb->many ? DEEP : TCT_DEEPEST) || !tct_verifier_may_go_on(v))
        return queue_box(v, row, box, phases, err);
    tct_netbounds_keep(nb, row, level->side);
    split = tct_netbounds_split(nb, box, before);
    for (int half = 0; half < 2 && !st && !v->refuted; half++) {
        tct_netbounds_within(nb, level->side);
        tct_netbounds_half(nb, box, split, half, level->half);
        memcpy(level->phases, phases, nb->n_units);
        st = visit_half(v, row, level->half, level->phases, depth + 1, err);
    }
    return st;
}

/* What to do with a box after its margin was bounded. */
static tacit_status judge_box(tct_verifier *v, size_t row, const double *box, const unsigned char *phases, size_t depth,
                              tacit_error *err)
{
    tct_netbounds *nb = v->nb;
    const tct_margin_row *r = &nb->rows[row];
    double value;

    if (r->lower > 0)
        return TACIT_OK;
    if (depth > 0 && nb->many && r->lower < -2 * TIGHT * r->pad) /* nor is the bound tight */
        return divide_box(v, row, box, phases, depth, err);
    tct_netbounds_corner(nb, box, v->point);
    value = tct_netbounds_value(nb, row, v->point, NULL);
    if (value < v->best_value) {
        v->best_value = value;
        v->best_row = row;
        memcpy(v->best, v->point, nb->n_free * sizeof(double));
    }
    if (value <= TIGHT * r->pad && tct_verifier_try(v, v->point))
        return TACIT_OK;
    if (value - r->lower <= TIGHT * r->pad) {
        if (tct_netbounds_count(nb, box, TCT_ENUMERATE) <= TCT_ENUMERATE)
            enumerate(v, box);
        else
            give_up_box(v);
        return TACIT_OK;
    }
    if (value - r->lower > 2 * nb->slack + TIGHT * r->pad)
        return queue_box(v, row, box, NULL, err);
    return divide_box(v, row, box, phases, depth, err);
}

/* Bound the next box of a margin, and its parts. */
static tacit_status step(tct_verifier *v, size_t row, tacit_error *err)
{
    tct_netbounds *nb = v->nb;
    tct_net_node *node = pop_node(&v->queues[row]);

    memcpy(v->box, node_box(node), 2 * nb->n_free * sizeof(double));
    memcpy(v->phases, node_phases(v, node), nb->n_units);
    tct_netbounds_within(nb, node_side(v, node));
    give_node(v, node);
    v->nodes++;
    nb->many = v->nodes > MANY;
    tct_netbounds_units(nb, v->box, v->phases, false);
    tct_netbounds_row(nb, row);
    tct_netbounds_raise(nb, row, v->box);
    return judge_box(v, row, v->box, v->phases, 0, err);
}

/* ---- public ---- */

/* Keep the open margins in the order of their bounds. */
static void add_open_row(tct_verifier *v, size_t row)
{
    size_t at = v->n_open++;

    for (; at > 0 && v->nb->rows[v->open_rows[at - 1]].lower > v->nb->rows[row].lower; at--)
        v->open_rows[at] = v->open_rows[at - 1];
    v->open_rows[at] = row;
}

tacit_status tct_search_start(tct_verifier *v, tacit_error *err)
{
    tct_netbounds *nb = v->nb;
    tacit_status st = TACIT_OK;

    clear_nodes(v);
    v->n_open = 0;
    tct_netbounds_whole(nb, v->box);
    v->n_completions = tct_netbounds_count(nb, v->box, TCT_ENUMERATE);
    v->nodes++;
    nb->many = false;
    tct_netbounds_units(nb, v->box, v->phases, true);
    for (size_t row = 0; row < nb->n_rows && !st && !v->refuted; row++) {
        tct_netbounds_row(nb, row);
        if (!(nb->rows[row].lower > 0))
            add_open_row(v, row);
        /* halving moves the engine, which has more rows to bound here */
        st = judge_box(v, row, v->box, v->phases, nb->n_rows > 1 ? TCT_DEEPEST : 0, err);
    }
    return st;
}

bool tct_search_done(const tct_verifier *v)
{
    for (size_t k = 0; k < v->n_open; k++)
        if (v->queues[v->open_rows[k]].heap || v->queues[v->open_rows[k]].stack)
            return false;
    return true;
}

static bool within(const tct_verifier *v, uint64_t nodes)
{
    return v->nodes < nodes && tct_verifier_may_go_on(v);
}

tacit_status tct_search_run(tct_verifier *v, uint64_t nodes, tacit_error *err)
{
    tacit_status st = TACIT_OK;

    while (!st && !v->refuted && within(v, nodes) && !tct_search_done(v)) {
        size_t row = v->open_rows[v->turn++ % v->n_open];
        tct_net_queue *queue = &v->queues[row];

        for (size_t k = 0; k < TURN && (queue->heap || queue->stack) && !st && !v->refuted && within(v, nodes); k++)
            st = step(v, row, err);
    }
    return st;
}

bool tct_search_corner(tct_verifier *v, size_t row, size_t k, double *point)
{
    const tct_netbounds *nb = v->nb;
    tct_net_node *node = v->queues[row].heap;
    const double *box, *form;

    if (node && k > 0)
        node = node->child;
    for (; node && k > 1; k--)
        node = node->sibling;
    if (!node)
        return false;
    box = node_box(node);
    form = node_side(v, node);
    for (size_t s = 0; s < nb->n_unknown; s++) {
        const tct_unknown *u = &nb->unknown[s];
        const double *low = box + u->first, *high = low + nb->n_free, *c = form + u->first;
        double *x = point + u->first, end = c[0] >= 0 ? low[0] : high[0];
        size_t least = TACIT_NONE;

        if (u->kind == TCT_BOX)
            x[0] = end;
        if (u->kind == TCT_GRID)
            tct_codec_value(v->codec, u->attribute, (size_t)end, x);
        if (u->kind != TCT_ONEHOT)
            continue;
        for (size_t i = 0; i < u->width; i++) {
            x[i] = 0;
            if (high[i] != 0 && (least == TACIT_NONE || c[i] < c[least]))
                least = i;
        }
        x[least] = 1;
    }
    return true;
}

void tct_search_free(tct_verifier *v)
{
    for (size_t b = 0; b < v->n_blocks; b++)
        tct_free_wiped(v->blocks[b], block_size(b));
    v->n_blocks = 0;
}
