/*
 * One round: move every free attribute to each end of its domain (a one-hot one to each level), one at a time, eight
 * moves side by side.  Then make all moves that lowered the margin at once, or the best one alone if that is lower.
 * Only the first layer's change has to be computed per move, which is a row of its weights: for an input after the other, at
 * all eight points at once.
 */
#include "worst_completion.h"

#include <math.h>
#include <string.h>

#include "simd.h"

enum { STEPS = 32 };

/* Steps of single inputs: by how much, at each of the points. */
typedef struct steps {
    size_t n;
    const double *columns[STEPS]; /* of the first layer */
    double by[STEPS][TCT_LANES];
} steps;

#define LOOPS "worst_steps_loops.h"
#include "simd_levels.h"

/* Inputs of an attribute after move `index`: an end of its domain, or a level. */
static void move_inputs(const tct_worst *s, size_t attribute, size_t index, double *inputs)
{
    const tct_domain *domain = &s->model->codec->domains[attribute];
    double low, high;

    if (domain->kind == TCT_ONEHOT) {
        for (size_t i = 0; i < domain->width; i++)
            inputs[i] = i == index ? 1 : 0;
        return;
    }
    tct_codec_range(s->model->codec, attribute, &low, &high);
    inputs[0] = index ? high : low;
}

static size_t count_moves(const tct_worst *s, size_t attribute)
{
    const tct_domain *domain = &s->model->codec->domains[attribute];

    return domain->kind == TCT_ONEHOT ? domain->count : 2;
}

/* Is the search there already?  Then the move changes nothing, and need not be tried. */
static bool is_there(const tct_worst *s, size_t attribute, size_t index)
{
    const tct_domain *domain = &s->model->codec->domains[attribute];
    const double *x = s->at.x + domain->first;
    double low, high;

    if (domain->kind == TCT_ONEHOT)
        return x[index] == 1; /* weights of levels add up to 1 */
    tct_codec_range(s->model->codec, attribute, &low, &high);
    return x[0] == (index ? high : low);
}

/* first += what changing an attribute's inputs from `from` to `to` does to it. */
static void shift(const tct_worst *s, size_t attribute, const double *from, const double *to, double *first)
{
    const tct_domain *domain = &s->model->codec->domains[attribute];

    for (size_t i = 0; i < domain->width; i++)
        tct_netline_step(s->line, domain->first + i, to[i] - from[i], first);
}

/* The first layer of one point. */
static void set_lane(const tct_worst *s, const double *first, size_t lane)
{
    double *to = s->line->first + lane;

    for (size_t j = 0; j < s->line->n_first; j++)
        to[j * TCT_LANES] = first[j];
}

/* Points that all lie at a completion, on their way elsewhere. */
typedef struct points {
    const tct_worst *s;
    const double *start; /* of the first layer; NULL: the line's has it already */
    steps steps;
} points;

static void begin_points(points *p, const tct_worst *s, const tct_completion *from)
{
    p->s = s;
    p->start = from->first;
    p->steps.n = 0;
}

/* What was stepped so far is in the line's first layer then. */
static void end_points(points *p)
{
    TCT_SIMD_PICK(add_steps)(&p->steps, p->s->line->n_first, p->start, p->s->line->first);
    p->start = NULL;
    p->steps.n = 0;
}

/* Where to put how far `input` steps at each point: all 0. */
static double *next_step(points *p, size_t input)
{
    if (p->steps.n == STEPS)
        end_points(p);
    p->steps.columns[p->steps.n] = p->s->line->columns + input * p->s->line->n_first;
    memset(p->steps.by[p->steps.n], 0, sizeof p->steps.by[0]);
    return p->steps.by[p->steps.n++];
}

/* Points from ... to - 1 make moves of one attribute, to levels in ascending order or to an end. */
static void step_moves(points *p, const tct_completion *at, const tct_move *moves, size_t from, size_t to)
{
    const tct_codec *codec = p->s->model->codec;
    size_t attribute = moves[from].attribute, next = from;
    const tct_domain *domain = &codec->domains[attribute];
    const double *x = at->x + domain->first;
    double low = 0, high = 0, *by;

    if (domain->kind != TCT_ONEHOT) {
        tct_codec_range(codec, attribute, &low, &high);
        by = next_step(p, domain->first);
        for (size_t l = from; l < to; l++)
            by[l] = (moves[l].index ? high : low) - x[0];
        return;
    }
    for (size_t i = 0; i < domain->width; i++) {
        bool reached = next < to && moves[next].index == i;

        if (x[i] == 0 && !reached)
            continue;
        by = next_step(p, domain->first + i);
        for (size_t l = from; l < to; l++)
            by[l] = -x[i];
        if (reached)
            by[next++] = 1 - x[i];
    }
}

/* The first layer at points that differ from `at` by a move each. */
static void place_moves(const tct_worst *s, const tct_completion *at, const tct_move *moves, size_t n)
{
    points p;

    begin_points(&p, s, at);
    for (size_t from = 0, to; from < n; from = to) {
        for (to = from + 1; to < n && moves[to].attribute == moves[from].attribute; to++)
            ;
        step_moves(&p, at, moves, from, to);
    }
    end_points(&p);
}

/* Points from ... to - 1 have other inputs of an attribute: inputs[(point - from) * width] on. */
static void step_inputs(points *p, const tct_completion *at, size_t attribute, const double *inputs, size_t from,
                        size_t to)
{
    const tct_domain *domain = &p->s->model->codec->domains[attribute];

    for (size_t i = 0; i < domain->width; i++) {
        double here = at->x[domain->first + i], *by = NULL;

        for (size_t l = from; l < to; l++) {
            double step = inputs[(l - from) * domain->width + i] - here;

            if (step == 0)
                continue;
            by = by ? by : next_step(p, domain->first + i);
            by[l] = step;
        }
    }
}

/* The margin at a lane once the scores are there. */
static double margin_at(const tct_worst *s, size_t lane)
{
    const double *f = s->line->scores + lane;
    double least = INFINITY;

    if (s->line->n_scores == 1)
        return s->label == 1 ? f[0] : -f[0];
    for (size_t c = 0; c < s->line->n_scores; c++)
        if (c != s->label)
            least = fmin(least, f[s->label * TCT_LANES] - f[c * TCT_LANES]);
    return least;
}

/* Margins behind n moves from where the search is; the least of them for its attribute is kept in best.  Returns the
 * move of least margin. */
static tct_move try_moves(const tct_worst *s, const tct_move *moves, size_t n, tct_move *best)
{
    tct_move least = {0, 0, INFINITY};

    place_moves(s, &s->at, moves, n);
    tct_netline_scores(s->line, n);
    for (size_t l = 0; l < n; l++) {
        tct_move here = {moves[l].attribute, moves[l].index, margin_at(s, l)};

        if (here.margin < best[here.attribute].margin)
            best[here.attribute] = here;
        if (here.margin < least.margin)
            least = here;
    }
    return least;
}

/* Does a move end the search?  Then the hint is its attribute. */
static bool ends(tct_worst *s, const tct_move *least)
{
    if (least->margin > s->enough)
        return false;
    s->margin = least->margin;
    s->hint = least->attribute;
    return true;
}

/* The best move of every free attribute: best[attribute], whose margin is that of the search where none helps.  The
 * attributes come from the hint on.  Returns false once a move ends the search: the rest is not looked at. */
static bool try_all(tct_worst *s, tct_move *best)
{
    size_t n_attributes = s->model->schema->n_attributes, n = 0;
    tct_move moves[TCT_LANES];

    for (size_t i = 0; i < n_attributes; i++) {
        size_t a = s->hint + i < n_attributes ? s->hint + i : s->hint + i - n_attributes;

        /* Moves of an attribute may be split between batches: its entry is there before the first. */
        best[a] = (tct_move){a, 0, s->known[a] ? -INFINITY : s->margin};
        for (size_t m = 0; !s->known[a] && m < count_moves(s, a); m++) {
            if (is_there(s, a, m))
                continue;
            moves[n++] = (tct_move){a, m, 0};
            if (n == TCT_LANES) {
                tct_move least = try_moves(s, moves, n, best);

                n = 0;
                if (ends(s, &least))
                    return false;
            }
        }
    }
    if (n > 0) {
        tct_move least = try_moves(s, moves, n, best);

        if (ends(s, &least))
            return false;
    }
    return true;
}

static void make_move(tct_worst *s, const tct_move *m)
{
    double inputs[TCT_MAX_LEVELS], *x = s->at.x + s->model->codec->domains[m->attribute].first;

    move_inputs(s, m->attribute, m->index, inputs);
    shift(s, m->attribute, x, inputs, s->at.first);
    memcpy(x, inputs, s->model->codec->domains[m->attribute].width * sizeof *x);
}

static bool helps(const tct_worst *s, const tct_move *m)
{
    return !s->known[m->attribute] && m->margin < s->margin;
}

/* The margin once all moves that help are made. */
static double try_together(const tct_worst *s, const tct_move *best)
{
    double inputs[TCT_MAX_LEVELS];

    memcpy(s->moved, s->at.first, s->line->n_first * sizeof(double));
    for (size_t a = 0; a < s->model->schema->n_attributes; a++)
        if (helps(s, &best[a])) {
            move_inputs(s, a, best[a].index, inputs);
            shift(s, a, s->at.x + s->model->codec->domains[a].first, inputs, s->moved);
        }
    set_lane(s, s->moved, 0);
    tct_netline_scores(s->line, 1);
    return margin_at(s, 0);
}

/* The end of a round: make the moves that help; false when none does. */
static bool go_down(tct_worst *s, const tct_move *best)
{
    size_t n = s->model->schema->n_attributes, lowest = TACIT_NONE, count = 0;
    double together;

    for (size_t a = 0; a < n; a++)
        if (helps(s, &best[a])) {
            count++;
            if (lowest == TACIT_NONE || best[a].margin < best[lowest].margin)
                lowest = a;
        }
    if (count == 0)
        return false;
    together = count == 1 ? INFINITY : try_together(s, best);
    for (size_t a = 0; a < n; a++)
        if (together < best[lowest].margin ? helps(s, &best[a]) : a == lowest)
            make_move(s, &best[a]);
    s->margin = fmin(together, best[lowest].margin);
    return true;
}

/* Set what belongs to s->at.x. */
static void stand_there(tct_worst *s)
{
    tct_netline_first(s->line, s->at.x, s->at.first);
    set_lane(s, s->at.first, 0);
    tct_netline_scores(s->line, 1);
    s->margin = margin_at(s, 0);
}

/* Rounds from where the search is. */
static void go_on(tct_worst *s, size_t rounds)
{
    tct_move best[TCT_MAX_ATTRIBUTES];
    bool further = true;

    for (size_t r = 0; r < rounds && further && s->margin > s->enough && try_all(s, best); r++)
        further = go_down(s, best);
}

void tct_worst_search(tct_worst *s, size_t rounds)
{
    stand_there(s);
    go_on(s, rounds);
}

void tct_worst_look(tct_worst *s, tct_outlying *seen)
{
    stand_there(s);
    seen->margin = s->margin;
    s->enough = -INFINITY;
    try_all(s, seen->best);
}

void tct_worst_search_on(tct_worst *s, const tct_outlying *seen, size_t rounds)
{
    s->margin = seen->margin;
    if (rounds > 0 && go_down(s, seen->best))
        go_on(s, rounds - 1);
}

void tct_worst_make_all(tct_worst *s, const tct_outlying *seen)
{
    s->margin = seen->margin;
    for (size_t a = 0; a < s->model->schema->n_attributes; a++)
        if (helps(s, &seen->best[a]))
            make_move(s, &seen->best[a]);
}

void tct_worst_swap(const tct_worst *s, const tct_completion *from, const double *x, const size_t *attributes, size_t n,
                    double *margins)
{
    for (size_t done = 0; done < n; done += TCT_LANES) {
        size_t now = n - done < TCT_LANES ? n - done : TCT_LANES;
        points p;

        begin_points(&p, s, from);
        for (size_t l = 0; l < now; l++) {
            size_t a = attributes[done + l];

            step_inputs(&p, from, a, x + s->model->codec->domains[a].first, l, l + 1);
        }
        end_points(&p);
        tct_netline_scores(s->line, now);
        for (size_t l = 0; l < now; l++)
            margins[done + l] = margin_at(s, l);
    }
}

/* Scores at n points that differ from `from` in the inputs of one attribute. */
static void score_values(const tct_worst *s, const tct_completion *from, size_t attribute, const double *inputs,
                         size_t n)
{
    points p;

    begin_points(&p, s, from);
    step_inputs(&p, from, attribute, inputs, 0, n);
    end_points(&p);
    tct_netline_scores(s->line, n);
}

void tct_worst_margins(const tct_worst *s, const tct_completion *from, size_t attribute, const double *inputs, size_t n,
                       double *margins)
{
    score_values(s, from, attribute, inputs, n);
    for (size_t l = 0; l < n; l++)
        margins[l] = margin_at(s, l);
}

void tct_worst_labels(const tct_worst *s, const tct_completion *from, size_t attribute, const double *inputs, size_t n,
                      size_t *labels)
{
    score_values(s, from, attribute, inputs, n);
    for (size_t l = 0; l < n; l++) {
        double scores[TCT_MAX_CLASSES];

        for (size_t c = 0; c < s->line->n_scores; c++)
            scores[c] = s->line->scores[c * TCT_LANES + l];
        labels[l] = tct_label(scores, s->line->n_scores);
    }
}
