/*
 * The fast path of rules that prove equals the plain one: for every person and promise the same attributes in the same
 * order, the same status, the same label; and the smallest core sets counted side by side are those found one by one.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "make_model.h"
#include "num.h"
#include "smallest_set.h"
#include "scale.h"
#include "batch_walk.h"
#include "simd.h"
#include "smallest_batch.h"

enum { PEOPLE = 300, MOST_ATTRIBUTES = 12, MOST_DELTAS = 5 };
static const double DELTAS[MOST_DELTAS] = {0, 0.05, 0.3, 0, 0.01};

/* People, the promises made to them, and what the fast path said. */
typedef struct crowd {
    tacit_model *model;
    double *x; /* input by input */
    uint8_t full[PEOPLE];
    tct_promise promises[MOST_DELTAS];
    size_t n_promises;
    size_t told[MOST_DELTAS][PEOPLE];
    tct_stop stops[MOST_DELTAS][PEOPLE];
    size_t asked[MOST_DELTAS][PEOPLE][MOST_ATTRIBUTES];
} crowd;

static void person_of(const crowd *c, size_t p, double *one)
{
    for (size_t i = 0; i < c->model->codec->n_inputs; i++)
        one[i] = c->x[i * PEOPLE + p];
}

static void draw_crowd(crowd *c, uint64_t seed, bool equal_costs)
{
    size_t d;
    double *one, scores[1];
    tct_random random;

    memset(c, 0, sizeof *c);
    c->model = make_linear_model(seed, 1 + seed % MOST_ATTRIBUTES, 2, seed % 3 != 0);
    for (size_t a = 0; equal_costs && a < c->model->schema->n_attributes; a++)
        c->model->schema->attributes[a].cost = 1;
    d = c->model->codec->n_inputs;
    c->x = make_model_room(d * PEOPLE);
    one = make_model_room(d);
    tct_random_seed(&random, seed, 9);
    for (size_t p = 0; p < PEOPLE; p++) {
        if (p % 2)
            draw_person(c->model, &random, one);
        else
            draw_typical_person(c->model, &random, one);
        for (size_t i = 0; i < d; i++)
            c->x[i * PEOPLE + p] = one[i];
        c->model->classifier->ops->scores(c->model->classifier, one, 1, scores);
        c->full[p] = (uint8_t)tct_label(scores, 1);
    }
    c->n_promises = seed % 2 ? 1 : MOST_DELTAS;
    for (size_t i = 0; i < c->n_promises; i++)
        c->promises[i] =
            (tct_promise){DELTAS[i], DELTAS[i] > 0 ? tct_normal_quantile(1 - DELTAS[i]) : (double)INFINITY};
    tct_free(one);
}

static void free_crowd(crowd *c)
{
    tct_free(c->x);
    tacit_model_free(c->model);
}

static void note_party(void *context, const tct_party *party)
{
    crowd *c = context;

    assert_true(party->n > 0);
    for (size_t k = 0; k < party->n; k++) {
        size_t p = party->people[k];

        c->told[party->promise][p]++;
        c->stops[party->promise][p].end = party->end;
        memcpy(c->asked[party->promise][p], party->order, party->end.asked * sizeof *party->order);
    }
}

/* Everybody by the plain walk, against what the fast path said of them. */
static void compare_walks(const crowd *c, tct_plan *plan, const tct_stage *start, tacit_rule rule)
{
    double *one = make_model_room(c->model->codec->n_inputs);
    tct_walker *walker;

    assert_int_equal(tct_walker_new(&walker, plan, rule, 0, NULL), TACIT_OK);
    for (size_t p = 0; p < PEOPLE; p++) {
        size_t asked[MOST_ATTRIBUTES];
        tct_stop stops[MOST_DELTAS];

        person_of(c, p, one);
        assert_int_equal(tct_walker_run(walker, start, one, NULL, c->promises, c->n_promises, stops, asked, NULL),
                         TACIT_OK);
        for (size_t i = 0; i < c->n_promises; i++) {
            assert_int_equal(c->told[i][p], 1);
            assert_int_equal(c->stops[i][p].end.asked, stops[i].end.asked);
            assert_int_equal(c->stops[i][p].end.settled, stops[i].end.settled);
            assert_int_equal(c->stops[i][p].end.label, stops[i].end.label);
            assert_memory_equal(c->asked[i][p], asked, stops[i].end.asked * sizeof *asked);
        }
    }
    tct_walker_free(walker);
    tct_free(one);
}

/* Returns how many choices the fast path left to the plain rule; *choices: of how many. */
static uint64_t compare_rule(crowd *c, tacit_rule rule, bool loose, uint64_t *choices)
{
    const tct_stage *start;
    uint64_t exactly = 0;
    tct_batch_walk *settle;
    tct_plan *plan;

    assert_int_equal(tct_plan_new(&plan, c->model, NULL), TACIT_OK);
    if (loose)
        tct_plan_limit(plan, 0); /* every stage behind the start is made for the moment */
    assert_int_equal(tct_plan_public(plan, &start, NULL), TACIT_OK);
    assert_int_equal(tct_batch_walk_new(&settle, plan, start, rule, c->promises, c->n_promises, NULL), TACIT_OK);
    assert_non_null(settle);
    for (size_t round = 0; round < 2; round++) { /* a second time: nothing is left over from the first */
        memset(c->told, 0, sizeof c->told);
        assert_int_equal(tct_batch_walk_run(settle, c->x, PEOPLE, PEOPLE, c->full, note_party, c, &exactly, NULL),
                         TACIT_OK);
    }
    compare_walks(c, plan, start, rule);
    for (size_t i = 0; i < c->n_promises; i++)
        for (size_t p = 0; p < PEOPLE; p++)
            *choices += i == 0 ? 2 * c->stops[i][p].end.asked : 0;
    tct_batch_walk_free(settle);
    tct_plan_free(plan);
    return exactly;
}

static void settle__equals_walk(void **state)
{
    static const tacit_rule rules[] = {TACIT_RULE_STOP, TACIT_RULE_MARGIN};
    size_t cases = scaled(300);
    crowd *c = tct_calloc(1, sizeof *c);

    (void)state;
    assert_non_null(c);
    for (size_t k = 0; k < cases; k++) {
        uint64_t choices = 0;

        tct_simd_limit((tct_simd)(k % TCT_SIMD_LEVELS)); /* for every kind of processor that this one can be */
        draw_crowd(c, k + 1, k % 4 < 2);
        for (size_t r = 0; r < 2; r++)
            compare_rule(c, rules[r], k % 5 == 0, &choices);
        free_crowd(c);
    }
    tct_free(c);
}

/* Continuous attributes with weights of their own: nothing is close to a tie, so hardly anything is left over. */
static void settle__seldom_needs_the_plain_rule(void **state)
{
    crowd *c = tct_calloc(1, sizeof *c);
    uint64_t exactly = 0, choices = 0;

    (void)state;
    assert_non_null(c);
    for (uint64_t seed = 9; seed < 1200; seed += 12) { /* ten attributes */
        bool general = true;

        draw_crowd(c, seed, true);
        for (size_t i = 0; i < c->model->codec->n_inputs; i++) {
            double w = tct_as_linear(c->model->classifier)->weights[i];
            double v = c->model->covariance[i * c->model->codec->n_inputs + i];

            general = general && w != floor(w) && v > 1e-4;
        }
        if (general)
            exactly += compare_rule(c, TACIT_RULE_STOP, false, &choices);
        free_crowd(c);
    }
    assert_true(choices > 0);
    assert_true(exactly * 20 < choices);
    tct_free(c);
}

/* Somebody between two people. */
static void mix_people(const crowd *c, const double *a, const double *b, double t, double *out)
{
    for (size_t i = 0; i < c->model->codec->n_inputs; i++)
        out[i] = a[i] + t * (b[i] - a[i]);
}

/* Which turns, and who stands there. */
typedef enum turns { ALL_TURNS, ONE_TURN } turns;

/* How far person k of those at a turn is from it, in steps between floating-point numbers.  Usually 0, 1, 2, 3 to both
 * sides, then further and further; with only one turn, many at the same place, who share their bench. */
static double steps_of(turns kind, size_t k)
{
    double side = k % 2 ? 1 : -1;

    if (kind == ONE_TURN)
        return (double)(k / 64) - 2;
    return side * (k / 2 < 4 ? (double)(k / 2) : exp2((double)(k / 2) - 2));
}

/* Replace the crowd by people close to where the first choice turns from one attribute to another.  False when too few
 * such places are found. */
static bool crowd_at_turns(crowd *c, tacit_rule rule, turns kind, uint64_t seed)
{
    size_t near = kind == ONE_TURN ? PEOPLE : 50;
    size_t d = c->model->codec->n_inputs, done = 0;
    double *room = make_model_room(3 * d), *a = room, *b = room + d, *one = room + 2 * d;
    double *x = make_model_room(d * PEOPLE), scores[1];
    const tct_stage *start;
    tct_walker *walker;
    tct_random random;
    tct_plan *plan;

    tct_random_seed(&random, seed, 10);
    assert_int_equal(tct_plan_new(&plan, c->model, NULL), TACIT_OK);
    assert_int_equal(tct_plan_public(plan, &start, NULL), TACIT_OK);
    assert_int_equal(tct_walker_new(&walker, plan, rule, 0, NULL), TACIT_OK);
    for (size_t attempt = 0; start->n_unknown > 1 && attempt < 200 && done < PEOPLE; attempt++) {
        double low = 0, high = 1;
        size_t first;

        person_of(c, (size_t)tct_random_below(&random, PEOPLE), a);
        person_of(c, (size_t)tct_random_below(&random, PEOPLE), b);
        first = tct_walker_choose(walker, start, a, NULL);
        if (tct_walker_choose(walker, start, b, NULL) == first)
            continue;
        while (low < (low + high) / 2 && (low + high) / 2 < high) {
            mix_people(c, a, b, (low + high) / 2, one);
            *(tct_walker_choose(walker, start, one, NULL) == first ? &low : &high) = (low + high) / 2;
        }
        for (size_t k = 0; k < near; k++, done++) {
            mix_people(c, a, b, high + steps_of(kind, k) * 0x1p-53, one);
            for (size_t i = 0; i < d; i++)
                x[i * PEOPLE + done] = one[i];
            c->model->classifier->ops->scores(c->model->classifier, one, 1, scores);
            c->full[done] = (uint8_t)tct_label(scores, 1);
        }
    }
    if (done == PEOPLE)
        memcpy(c->x, x, d * PEOPLE * sizeof *x);
    tct_walker_free(walker);
    tct_plan_free(plan);
    tct_free(x);
    tct_free(room);
    return done == PEOPLE;
}

static void settle__equals_walk_where_choices_turn(void **state)
{
    static const tacit_rule rules[] = {TACIT_RULE_STOP, TACIT_RULE_STOP, TACIT_RULE_STOP, TACIT_RULE_MARGIN};
    size_t cases = scaled(400), found = 0;
    crowd *c = tct_calloc(1, sizeof *c);

    (void)state;
    assert_non_null(c);
    for (size_t k = 0; k < cases; k++) {
        uint64_t choices = 0;

        tct_simd_limit((tct_simd)(k % TCT_SIMD_LEVELS));
        draw_crowd(c, k + 5000, k % 4 < 3);
        if (crowd_at_turns(c, rules[k % 4], (turns)(k / 12 % 2), k)) {
            compare_rule(c, rules[k % 4], false, &choices);
            found++;
        }
        free_crowd(c);
    }
    assert_true(found * 4 > cases);
    tct_free(c);
}

/* How often somebody was asked, and when to say no. */
typedef struct patience {
    size_t asked, last;
} patience;

static tacit_status lose_patience(void *context, tacit_error *err)
{
    patience *p = context;

    return ++p->asked == p->last ? tct_fail(err, TACIT_E_STOPPED, "stopped") : TACIT_OK;
}

static void ignore_party(void *context, const tct_party *party)
{
    (void)party;
    ++*(size_t *)context;
}

static void settle__asks_now_and_then_whether_to_go_on(void **state)
{
    enum { TIMES = 300 };
    crowd *c = tct_calloc(1, sizeof *c);
    patience p = {0, 0};
    const tct_stage *start;
    size_t d, told = 0;
    uint8_t *full;
    tct_batch_walk *settle;
    tct_plan *plan;
    double *x;

    (void)state;
    assert_non_null(c);
    draw_crowd(c, 9, true);
    d = c->model->codec->n_inputs;
    x = make_model_room(d * TIMES * PEOPLE);
    full = tct_calloc(TIMES * PEOPLE, 1);
    assert_non_null(full);
    for (size_t r = 0; r < TIMES * PEOPLE; r++) {
        for (size_t i = 0; i < d; i++)
            x[i * TIMES * PEOPLE + r] = c->x[i * PEOPLE + r % PEOPLE];
        full[r] = c->full[r % PEOPLE];
    }
    assert_int_equal(tct_plan_new(&plan, c->model, NULL), TACIT_OK);
    assert_int_equal(tct_plan_public(plan, &start, NULL), TACIT_OK);
    assert_int_equal(tct_batch_walk_new(&settle, plan, start, TACIT_RULE_STOP, c->promises, c->n_promises, NULL),
                     TACIT_OK);
    tct_batch_walk_tick(settle, lose_patience, &p);
    assert_int_equal(
        tct_batch_walk_run(settle, x, TIMES * PEOPLE, TIMES * PEOPLE, full, ignore_party, &told, NULL, NULL), TACIT_OK);
    assert_true(p.asked > 3 && p.asked < TIMES * PEOPLE);
    p = (patience){0, 2};
    assert_int_equal(
        tct_batch_walk_run(settle, x, TIMES * PEOPLE, TIMES * PEOPLE, full, ignore_party, &told, NULL, NULL),
        TACIT_E_STOPPED);
    assert_int_equal(p.asked, 2); /* not again after that */
    tct_batch_walk_free(settle);
    tct_plan_free(plan);
    tct_free(full);
    tct_free(x);
    free_crowd(c);
    tct_free(c);
}

static void settle__is_only_offered_for_one_score_and_its_rules(void **state)
{
    tacit_model *two = make_linear_model(1, 4, 2, true), *three = make_linear_model(1, 4, 3, true);
    tct_promise promise = {0, INFINITY};
    const tct_stage *start;
    tct_batch_walk *settle;
    tct_plan *plan;

    (void)state;
    assert_int_equal(tct_plan_new(&plan, two, NULL), TACIT_OK);
    assert_int_equal(tct_plan_public(plan, &start, NULL), TACIT_OK);
    assert_int_equal(tct_batch_walk_new(&settle, plan, start, TACIT_RULE_ENTROPY, &promise, 1, NULL), TACIT_OK);
    assert_null(settle);
    tct_plan_free(plan);
    assert_int_equal(tct_plan_new(&plan, three, NULL), TACIT_OK);
    assert_int_equal(tct_plan_public(plan, &start, NULL), TACIT_OK);
    assert_int_equal(tct_batch_walk_new(&settle, plan, start, TACIT_RULE_STOP, &promise, 1, NULL), TACIT_OK);
    assert_null(settle);
    tct_plan_free(plan);
    tacit_model_free(two);
    tacit_model_free(three);
}

/* Counted side by side and one by one. */
static void compare_smallest(const crowd *c, const tct_extremes *extremes, size_t n)
{
    uint64_t histogram[2][MOST_ATTRIBUTES + 1] = {{0}}, members[2][MOST_ATTRIBUTES] = {{0}};
    size_t position[MOST_ATTRIBUTES], n_sensitive = 0;
    double *one = make_model_room(c->model->codec->n_inputs);
    tct_smallest_batch *smallest;
    tct_gains *gains;
    tct_smallest_set *options;

    for (size_t a = 0; a < c->model->schema->n_attributes; a++) {
        position[a] = n_sensitive;
        n_sensitive += c->model->schema->attributes[a].role == TACIT_SENSITIVE;
    }
    assert_int_equal(tct_smallest_batch_new(&smallest, c->model, extremes, NULL), TACIT_OK);
    assert_non_null(smallest);
    assert_int_equal(tct_gains_new(&gains, c->model, extremes, NULL), TACIT_OK);
    for (size_t at = 0; at < n; at += TCT_TILE) {
        size_t here = n - at < TCT_TILE ? n - at : TCT_TILE;

        tct_gains_fill(gains, c->x + at, PEOPLE, here, c->full + at);
        tct_smallest_batch_count(smallest, gains, here, c->full + at, histogram[0], members[0]);
    }
    tct_gains_free(gains);
    assert_int_equal(tct_smallest_set_new(&options, c->model, extremes, NULL), TACIT_OK);
    for (size_t p = 0; p < n; p++) {
        size_t set[MOST_ATTRIBUTES], size;

        person_of(c, p, one);
        assert_int_equal(tct_smallest_set_find(options, one, false, set, &size, NULL, NULL), TACIT_OK);
        histogram[1][size]++;
        for (size_t i = 0; i < size; i++)
            members[1][position[set[i]]]++;
    }
    assert_memory_equal(histogram[0], histogram[1], sizeof histogram[0]);
    assert_memory_equal(members[0], members[1], sizeof members[0]);
    tct_smallest_set_free(options);
    tct_smallest_batch_free(smallest);
    tct_free(one);
}

static void smallest__equals_opt(void **state)
{
    size_t cases = scaled(200);
    crowd *c = tct_calloc(1, sizeof *c);

    (void)state;
    assert_non_null(c);
    for (size_t k = 0; k < cases; k++) {
        tct_extremes *extremes;

        tct_simd_limit((tct_simd)(k % TCT_SIMD_LEVELS));
        draw_crowd(c, k + 1, true);
        assert_int_equal(tct_extremes_new(&extremes, tct_as_linear(c->model->classifier), c->model->codec, NULL),
                         TACIT_OK);
        compare_smallest(c, extremes, k % 2 ? PEOPLE : 1 + k % 70);
        tct_extremes_free(extremes);
        free_crowd(c);
    }
    tct_free(c);
}

static void smallest__is_only_offered_for_one_score_and_equal_costs(void **state)
{
    tacit_model *two = make_linear_model(5, 6, 2, true), *three = make_linear_model(1, 4, 3, true);
    tct_smallest_batch *smallest;
    tct_extremes *extremes;

    (void)state;
    two->schema->attributes[0].role = two->schema->attributes[1].role = TACIT_SENSITIVE;
    two->schema->attributes[0].cost = 1;
    two->schema->attributes[1].cost = 2;
    assert_int_equal(tct_extremes_new(&extremes, tct_as_linear(two->classifier), two->codec, NULL), TACIT_OK);
    assert_int_equal(tct_smallest_batch_new(&smallest, two, extremes, NULL), TACIT_OK);
    assert_null(smallest);
    tct_extremes_free(extremes);
    assert_int_equal(tct_extremes_new(&extremes, tct_as_linear(three->classifier), three->codec, NULL), TACIT_OK);
    assert_int_equal(tct_smallest_batch_new(&smallest, three, extremes, NULL), TACIT_OK);
    assert_null(smallest);
    tct_extremes_free(extremes);
    tacit_model_free(two);
    tacit_model_free(three);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settle__equals_walk),
        cmocka_unit_test(settle__equals_walk_where_choices_turn),
        cmocka_unit_test(settle__seldom_needs_the_plain_rule),
        cmocka_unit_test(settle__asks_now_and_then_whether_to_go_on),
        cmocka_unit_test(settle__is_only_offered_for_one_score_and_its_rules),
        cmocka_unit_test(smallest__equals_opt),
        cmocka_unit_test(smallest__is_only_offered_for_one_score_and_equal_costs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
