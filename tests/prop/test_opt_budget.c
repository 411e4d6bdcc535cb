/*
 * Smallest sets of networks and trees with a budget: what is found is a core set, and what is said to be the least is,
 * however little work is allowed; with enough of it both are what trying every subset gives.  Beyond 64 attributes too.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hitting.h"
#include "make_trees.h"
#include "scale.h"

enum { MOST = 20000, WIDE = 120 };

static const uint64_t budgets[] = {0, 100000, 1000000, TCT_HITTING_BUDGET};
enum { N_BUDGETS = sizeof budgets / sizeof *budgets };

/* How often what was found is, and is not, shown to be the smallest. */
typedef struct tally {
    size_t exact[N_BUDGETS], open[N_BUDGETS], people;
} tally;

static bool is_core(const tacit_model *m, const unsigned char *known, const double *x)
{
    tct_region region = tct_region_of(m->codec, known, x);
    everybody e;

    everybody_in(&e, m, &region, MOST);
    assert_true(e.count > 0);
    return e.constant;
}

/* By trying every subset. */
static double smallest_by_force(const tacit_model *m, const double *x, bool by_cost)
{
    size_t n = m->schema->n_attributes;
    double best = INFINITY;

    for (size_t set = 0; set < (size_t)1 << n; set++) {
        unsigned char known[32];
        double cost = 0;

        for (size_t a = 0; a < n; a++) {
            bool open = m->schema->attributes[a].role == TACIT_PUBLIC, taken = !open && (set >> a & 1);

            known[a] = open || taken;
            cost += taken ? by_cost ? m->schema->attributes[a].cost : 1 : 0;
        }
        if (cost < best && is_core(m, known, x))
            best = cost;
    }
    return best;
}

/* Few enough people in the domain, all of whom can be tried. */
static bool can_be_tried(const tacit_model *m)
{
    double people = 1;

    for (size_t a = 0; a < m->schema->n_attributes; a++) {
        if (m->codec->domains[a].kind == TCT_BOX)
            return false;
        people *= (double)m->codec->domains[a].count;
    }
    return people <= MOST;
}

static void compare(const tacit_model *m, const double *x, bool by_cost, bool ties, tally *t)
{
    double least = smallest_by_force(m, x, by_cost);

    t->people++;
    for (size_t i = 0; i < N_BUDGETS; i++) {
        size_t members[32], n;
        unsigned char known[32];
        double cost = 0;
        tct_hitting *h;
        bool exact;

        assert_int_equal(tct_hitting_new(&h, m, budgets[i], NULL), TACIT_OK);
        assert_int_equal(tct_hitting_find(h, x, by_cost, members, &n, &exact, NULL), TACIT_OK);
        for (size_t a = 0; a < m->schema->n_attributes; a++)
            known[a] = m->schema->attributes[a].role == TACIT_PUBLIC;
        for (size_t k = 0; k < n; k++) {
            assert_false(known[members[k]]); /* sensitive, and once */
            known[members[k]] = 1;
            cost += by_cost ? m->schema->attributes[members[k]].cost : 1;
        }
        assert_true(is_core(m, known, x));
        assert_true(tct_hitting_least(h) <= least + 1e-9 && least <= cost + 1e-9);
        assert_int_equal(exact, cost <= tct_hitting_least(h) + 1e-9);
        if (budgets[i] == TCT_HITTING_BUDGET && !ties)
            assert_true(exact);
        t->exact[i] += exact;
        t->open[i] += !exact;
        tct_hitting_free(h);
    }
}

static void compare_people(const tacit_model *m, uint64_t seed, bool ties, tally *t)
{
    double *x = make_model_room(m->codec->n_inputs);
    tct_random random;

    tct_random_seed(&random, seed, 8);
    for (size_t person = 0; person < 2; person++) {
        draw_person(m, &random, x);
        compare(m, x, person % 2, ties, t);
    }
    tct_free(x);
}

/* Without any work nothing is shown, and with little of it sometimes. */
static void check_tally(const tally *t)
{
    for (size_t i = 0; i < N_BUDGETS; i++)
        print_message("work %llu: %zu shown to be the smallest, %zu not\n", (unsigned long long)budgets[i], t->exact[i],
                      t->open[i]);
    if (t->people < 40)
        return;
    assert_true(t->open[0] > 0 && t->exact[1] > t->exact[0] && t->open[1] > t->open[N_BUDGETS - 1]);
}

static void budget__networks(void **state)
{
    tally t = {0};

    (void)state;
    for (uint64_t seed = 1, left = scaled(60); left > 0; seed++) {
        tacit_model *m = make_mlp_model(seed, 3 + seed % 4, 2 + seed % 2, true, 1 + seed % 2, 6);

        if (can_be_tried(m)) {
            compare_people(m, seed, seed % 5 == 0, &t);
            left--;
        }
        tacit_model_free(m);
    }
    check_tally(&t);
}

static void budget__trees(void **state)
{
    tally t = {0};

    (void)state;
    for (uint64_t seed = 1, left = scaled(60); left > 0; seed++) {
        tacit_model *m = make_tree_model(seed, 3 + seed % 4, 2 + seed % 2, 9, 3);

        if (can_be_tried(m)) {
            compare_people(m, seed, seed % 3 == 0 || seed % 5 == 0, &t);
            left--;
        }
        tacit_model_free(m);
    }
    check_tally(&t);
}

/* The classifier without what it learnt from the first `n` attributes. */
static void forget_first(tacit_model *m, size_t n)
{
    const tct_mlp *old = tct_as_mlp(m->classifier);
    size_t d = old->sizes[0], first = m->codec->domains[n].first;
    tct_classifier *made;

    for (size_t j = 0; j < old->sizes[1]; j++)
        memset(old->weights[0] + j * d, 0, first * sizeof(double));
    assert_int_equal(tct_mlp_new(&made, m->classifier->n_classes, old->n_layers, old->sizes,
                                 (const double *const *)old->weights, (const double *const *)old->bias, NULL),
                     TACIT_OK);
    m->classifier->ops->free(m->classifier);
    m->classifier = made;
}

static size_t count_sensitive(const tacit_model *m)
{
    size_t n = 0;

    for (size_t a = 0; a < m->schema->n_attributes; a++)
        n += m->schema->attributes[a].role == TACIT_SENSITIVE;
    return n;
}

/* Are those `members` of the last `n` attributes, bits of `set`, a core set?  By the prover; everything else is open. */
static tacit_verdict decide(const tacit_model *m, tct_prover *prover, const double *x, size_t n, size_t set)
{
    unsigned char known[WIDE];
    size_t last = m->schema->n_attributes - n;
    tct_region region = tct_region_of(m->codec, known, x);
    double *room = make_model_room(2 * m->codec->n_inputs);
    tct_finding finding = {.witness = {room, room + m->codec->n_inputs}};

    for (size_t a = 0; a < m->schema->n_attributes; a++)
        known[a] = m->schema->attributes[a].role == TACIT_PUBLIC || (a >= last && set >> (a - last) & 1);
    assert_int_equal(tct_prover_decide(prover, &region, 0, &finding, NULL), TACIT_OK);
    tct_free(room);
    return finding.verdict;
}

/* More sensitive attributes than bits in a word, and only the last few of them matter. */
static void budget__beyond_a_word(void **state)
{
    enum { LAST = 5 };
    size_t beyond = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= scaled(20); seed++) {
        tacit_model *m = make_mlp_model(seed * 5 + 1, WIDE, 2, false, 1, 6);
        double *x = make_model_room(m->codec->n_inputs);
        size_t members[WIDE], n, fewest = WIDE;
        tct_prover *prover;
        tct_random random;
        tct_hitting *h;
        bool exact;

        forget_first(m, WIDE - LAST);
        tct_random_seed(&random, seed, 9);
        draw_person(m, &random, x);
        assert_true(count_sensitive(m) > 64 + LAST);
        assert_int_equal(tct_prover_new(&prover, m, NULL), TACIT_OK);
        assert_int_equal(tct_hitting_new(&h, m, TCT_HITTING_BUDGET, NULL), TACIT_OK);
        assert_int_equal(tct_hitting_find(h, x, false, members, &n, &exact, NULL), TACIT_OK);
        for (size_t set = 0; set < (size_t)1 << LAST; set++) {
            size_t size = 0;

            for (size_t a = 0; a < LAST; a++)
                size += (set >> a & 1) && m->schema->attributes[WIDE - LAST + a].role == TACIT_SENSITIVE;
            if (size < fewest && decide(m, prover, x, LAST, set) == TACIT_CERTIFIED)
                fewest = size;
        }
        assert_true(exact);
        assert_int_equal(n, fewest);
        for (size_t i = 0; i < n; i++)
            assert_true(members[i] >= WIDE - LAST);
        beyond += n > 0;
        tct_hitting_free(h);
        tct_prover_free(prover);
        tct_free(x);
        tacit_model_free(m);
    }
    assert_true(scaled(20) < 20 || beyond > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(budget__networks),
        cmocka_unit_test(budget__trees),
        cmocka_unit_test(budget__beyond_a_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
