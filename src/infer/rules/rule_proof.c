/*
 * rule_proof.c -- rules that ask the prover: for classifiers whose prover bounds all answers to all questions at once.
 *
 * One run of the prover gives, for every value of every attribute, a lower bound of the label's lead once that value is
 * known (its slice).  The margin rule takes the attribute whose answer, as expected, leaves the largest lead, counted up
 * to 0, where it is proven.  The stop rule takes the one whose answer most likely settles the decision: by its slice, or
 * by a search with that value put in.  Where no answer has a chance worth speaking of, the margin decides.
 *
 * Searches take long, and few are needed.  Of every candidate it is known what its chance is at most and at least.  Of
 * those that may still lead, all that is cheap is tried first: people who may refute an answer, then short searches, and
 * long ones only where they make a difference.
 *
 * Answers are weighed by the belief: eight values of equal probability, or levels by their weights.
 */
#include <math.h>
#include <string.h>

#include "num.h"
#include "rules_inside.h"

enum { VALUES = 8 };
static const double WORTH_LEADING = 0.05; /* as in rule_margin.c */
static const double RARE_LEVEL = 0.01;

/* Answers that an attribute may get. */
typedef struct answers {
    size_t n;
    size_t values[TCT_MAX_LEVELS]; /* indices of its grid or levels */
    double weights[TCT_MAX_LEVELS];
} answers;

static void find_levels(answers *out, const double *mean, size_t count)
{
    double weights[TCT_MAX_LEVELS];

    tct_level_weights(mean, count, weights);
    for (size_t k = 0; k < count; k++)
        if (weights[k] >= RARE_LEVEL) {
            out->values[out->n] = k;
            out->weights[out->n++] = weights[k];
        }
}

static void find_answers(answers *out, const tct_view *view, size_t attribute, const double *mean)
{
    const tct_belief *b = view->belief;
    const tct_domain *domain = &view->model->codec->domains[attribute];
    size_t at = tct_belief_position(b, domain->first);
    double deviation = sqrt(fmax(b->cov[at * b->n_unknown + at], 0)), last = (double)domain->count - 1;

    out->n = 0;
    if (domain->kind == TCT_ONEHOT) {
        find_levels(out, mean + at, domain->count);
        return;
    }
    for (size_t i = 0; i < VALUES; i++) {
        double v = mean[at] + deviation * tct_normal_quantile(((double)i + 0.5) / VALUES);
        size_t k = (size_t)fmin(fmax(rint((v + 1) / 2 * last), 0), last);

        if (out->n > 0 && out->values[out->n - 1] == k) {
            out->weights[out->n - 1] += 1.0 / VALUES;
            continue;
        }
        out->values[out->n] = k;
        out->weights[out->n++] = 1.0 / VALUES;
    }
}

/* The lead that is expected to be left after the answer. */
static double expected_lead(const double *slices, const answers *a)
{
    double lead = 0;

    for (size_t i = 0; i < a->n; i++)
        lead += a->weights[i] * slices[a->values[i]];
    return lead;
}

/* The first answer of which nothing is known, from one on; a->n: there is none. */
static size_t find_unknown(const answers *a, const unsigned char *states, size_t from)
{
    while (from < a->n && states[from] != TCT_ANSWER_UNKNOWN)
        from++;
    return from;
}

/* ---- the race of the stop rule ---- */

/* What is known of a candidate, in a row of numbers: how likely its answer settles the decision, at most and at least, its
 * lead, all three by its cost; how hard was tried so far, and the answer that is tried next;
 * and where the states of its answers are, a byte (tct_answer) each. */
enum { MOST, LEAST, LEAD, EFFORT, NEXT, STATES, ROW };

/* Rounding keeps the order: as more answers are found to be open, the most does not rise.  The least leaves room for it. */
static void find_chances(const answers *a, const unsigned char *states, double cost, double *row)
{
    double most = 0, least = -1e-12;

    for (size_t i = 0; i < a->n; i++)
        most += a->weights[i];
    for (size_t i = 0; i < a->n; i++) {
        most -= states[i] == TCT_ANSWER_OPEN ? a->weights[i] : 0;
        least += states[i] == TCT_ANSWER_SETTLES ? a->weights[i] * (1 - 1e-9) : 0;
    }
    row[MOST] = most / cost;
    row[LEAST] = least / cost;
}

/* By chance, then by lead; the lowest index among equals. */
static bool comes_before(const double *row, const double *other)
{
    if (row[MOST] != other[MOST])
        return row[MOST] > other[MOST];
    return row[LEAD] > other[LEAD] || (row[LEAD] == other[LEAD] && row < other);
}

/* Try one more answer of a candidate, as hard as it is its turn. */
static void try_next(const tct_view *view, size_t attribute, const double *mean, double *row, unsigned char *states)
{
    answers a;
    size_t next;

    find_answers(&a, view, attribute, mean);
    next = (size_t)row[NEXT];
    states[next] = view->foresight->answer(view->context, attribute, a.values[next], (tct_effort)row[EFFORT]);
    next = find_unknown(&a, states, next + 1);
    if (next == a.n) {
        row[EFFORT]++;
        next = find_unknown(&a, states, 0);
    }
    if (next == a.n)
        row[EFFORT] = TCT_EFFORTS;
    row[NEXT] = (double)next;
    find_chances(&a, states, view->model->schema->attributes[attribute].cost, row);
}

/* The candidate that comes before all others by what each has at most. */
static const double *find_first(const double *rows, size_t n)
{
    const double *first = rows;

    for (const double *row = rows; row < rows + n * ROW; row += ROW)
        first = comes_before(row, first) ? row : first;
    return first;
}

/* Of those that may lead still, the one to try: the cheapest effort, then who comes first.  n: there is none.  *alone: no
 * other may lead. */
static size_t find_next(const double *rows, size_t n, const double *first, bool *alone)
{
    size_t next = n;

    *alone = true;
    for (size_t i = 0; i < n; i++) {
        const double *row = rows + i * ROW, *best = next < n ? rows + next * ROW : row;

        if (row != first && row[MOST] < first[LEAST])
            continue;
        *alone = *alone && row == first;
        if (row[EFFORT] < TCT_EFFORTS &&
            (next == n || row[EFFORT] < best[EFFORT] || (row[EFFORT] == best[EFFORT] && comes_before(row, best))))
            next = i;
    }
    return next;
}

/* A candidate whose answer is likely enough to settle the decision, by MOST or LEAST, of whom not more than `effort` is
 * known; n: there is none. */
static size_t find_worthy(const tct_view *view, const double *rows, size_t which, double effort)
{
    size_t i = 0;

    while (i < view->n_candidates &&
           (rows[i * ROW + EFFORT] > effort ||
            rows[i * ROW + which] * view->model->schema->attributes[view->candidates[i]].cost <= WORTH_LEADING))
        i++;
    return i;
}

/* Those that may lead are tried until it is clear who does, which no order changes.  TACIT_NONE: no chance is worth it. */
static size_t choose_by_chance(const tct_view *view, const double *mean, double *rows, unsigned char *states)
{
    size_t n = view->n_candidates;

    while (find_worthy(view, rows, MOST, TCT_EFFORTS) < n) {
        const double *first = find_first(rows, n);
        bool alone, worthy = find_worthy(view, rows, LEAST, TCT_EFFORTS) < n;
        size_t next = find_next(rows, n, first, &alone);

        if (next == n && !worthy) /* the leader is not worth it, but perhaps somebody who costs more */
            next = find_worthy(view, rows, MOST, TCT_EFFORTS - 1);
        if (next == n || (worthy && (alone || first[EFFORT] == TCT_EFFORTS)))
            return view->candidates[(size_t)(first - rows) / ROW];
        try_next(view, view->candidates[next], mean, rows + next * ROW, states + (size_t)rows[next * ROW + STATES]);
    }
    return TACIT_NONE;
}

/* The expected gain in lead of one candidate, by its cost. */
static double gain_of(const tct_view *view, const answers *a, size_t candidate, double now)
{
    return (expected_lead(view->foresight->slices(view->context, candidate), a) - now) /
           view->model->schema->attributes[candidate].cost;
}

/* What is known of a candidate at first: slices, and what a few people show. */
static void begin_row(const tct_view *view, const answers *a, size_t attribute, double lead, double *row,
                      unsigned char *states)
{
    const tct_foresight *f = view->foresight;
    const double *slices = f->slices(view->context, attribute);
    bool searches = f->searches(view->context);

    for (size_t i = 0; i < a->n; i++) {
        size_t v = a->values[i];

        states[i] = slices[v] >= 0 ? TCT_ANSWER_SETTLES
                    : searches     ? f->answer(view->context, attribute, v, TCT_FEW_PEOPLE)
                                   : TCT_ANSWER_OPEN;
    }
    row[LEAD] = lead;
    row[NEXT] = (double)find_unknown(a, states, 0);
    row[EFFORT] = row[NEXT] == (double)a->n ? TCT_EFFORTS : TCT_MORE_PEOPLE;
    find_chances(a, states, view->model->schema->attributes[attribute].cost, row);
}

size_t tct_proof_scratch(const tacit_model *model)
{
    return (ROW + VALUES) * model->schema->n_attributes + 2 * model->codec->n_inputs;
}

size_t tct_choose_by_proof(const tct_view *view, size_t label, bool stop, double *scratch)
{
    double now = view->foresight->begin(view->context, label);
    double *rows = tct_scratch_take(&scratch, ROW * view->n_candidates),
           *mean = tct_scratch_take(&scratch, view->belief->n_unknown);
    unsigned char *states = (unsigned char *)scratch;
    size_t n_states = 0;
    tct_best best = {TACIT_NONE, 0};
    size_t found = TACIT_NONE;
    answers a;

    tct_belief_mean(view->belief, view->x, mean);
    for (size_t i = 0; i < view->n_candidates; i++) {
        size_t attribute = view->candidates[i];
        double lead;

        find_answers(&a, view, attribute, mean);
        lead = gain_of(view, &a, attribute, now);
        tct_consider(&best, attribute, lead);
        if (!stop)
            continue;
        rows[i * ROW + STATES] = (double)n_states;
        begin_row(view, &a, attribute, lead, rows + i * ROW, states + n_states);
        n_states += a.n;
    }
    if (stop)
        found = choose_by_chance(view, mean, rows, states);
    return found == TACIT_NONE ? best.attribute : found;
}
