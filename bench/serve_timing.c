/*
 * serve_timing.c -- the observer of serve_timing.h.
 *
 * The visits come between the observer's own ones, so that whatever else the machine does meets both.  Nothing beside time
 * and number of requests is used: where questions are asked in another order, or another label comes out, sizes say
 * nothing.
 */
#include "serve_timing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 64 };

typedef struct visit {
    size_t n;
    double times[MOST_STEPS];
} visit;

static size_t steps_of(const recording *r, size_t person)
{
    return (person + 1 < r->people ? r->firsts[person + 1] : r->count) - r->firsts[person];
}

static void measure(const recording *r, int port, size_t person, visit *v)
{
    if (steps_of(r, person) > MOST_STEPS)
        give_up("a visit with too many steps");
    v->n = replay_person(r, port, person, v->times);
}

/* What the observer knows after one more visit. */
static void learn(visit *known, const visit *more)
{
    for (size_t i = 0; i < more->n; i++)
        known->times[i] = known->n ? fmin(known->times[i], more->times[i]) : more->times[i];
    known->n = more->n;
}

static double distance(const visit *a, const visit *b)
{
    double sum = 0;

    for (size_t i = 0; i < a->n; i++)
        sum += fabs(log(a->times[i] / b->times[i]));
    return sum;
}

static size_t pick(const visit *known, size_t people, const visit *seen)
{
    double least = INFINITY;
    size_t nearest = people;

    for (size_t p = 0; p < people; p++)
        if (known[p].n == seen->n && distance(&known[p], seen) < least) {
            least = distance(&known[p], seen);
            nearest = p;
        }
    return nearest;
}

timing_result attack_by_time(const recording *r, int port, size_t rounds)
{
    visit *known = calloc(r->people, sizeof(*known)), *seen = calloc(r->people, sizeof(*seen)), more;
    timing_result result = {.people = r->people, .least = INFINITY};
    bool lengths[MOST_STEPS + 1] = {false};

    if (!known || !seen)
        give_up("memory");
    for (size_t round = 0; round <= rounds; round++)
        for (size_t p = 0; p < r->people; p++)
            if (round == (rounds + 1) / 2) {
                measure(r, port, p, &seen[p]);
            } else {
                measure(r, port, p, &more);
                learn(&known[p], &more);
            }
    for (size_t p = 0; p < r->people; p++) {
        result.found += pick(known, r->people, &seen[p]) == p;
        result.chance += !lengths[known[p].n];
        lengths[known[p].n] = true;
        for (size_t i = 0; i < known[p].n; i++) {
            result.least = fmin(result.least, known[p].times[i]);
            result.most = fmax(result.most, known[p].times[i]);
        }
    }
    free(known);
    free(seen);
    return result;
}
