/*
 * What is indispensable and what is spare, on random small models of every kind, against trying every completion; and
 * what audits count of it, many people at a time or one by one, against the plain way person by person.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "auditor.h"
#include "dispense.h"
#include "make_model.h"
#include "oracle.h"
#include "scale.h"

enum { MOST_ATTRIBUTES = 8, FINE = 9, PEOPLE = 301 };

/* Two or more classes, linear or not. */
static tacit_model *draw_model(uint64_t seed, size_t most)
{
    size_t n = 2 + seed % (most - 1), classes = seed % 3 == 0 ? 3 + seed % 2 : 2;

    return seed % 5 < 3 ? make_linear_model(seed, n, classes, true)
                        : make_mlp_model(seed, n, classes, true, 1 + seed % 2, 3 + seed % 4);
}

/* Values of an attribute that are tried: all, or of an interval its ends and some in between. */
static size_t n_values(const tacit_model *m, size_t a)
{
    const tct_domain *domain = &m->codec->domains[a];

    return domain->kind == TCT_BOX ? FINE : domain->count;
}

static void put_value(const tacit_model *m, size_t a, size_t k, double *x)
{
    const tct_domain *domain = &m->codec->domains[a];
    double low, high;

    if (domain->kind != TCT_BOX) {
        tct_codec_value(m->codec, a, k, x + domain->first);
        return;
    }
    tct_codec_range(m->codec, a, &low, &high);
    x[domain->first] = low + (high - low) * (double)k / (FINE - 1);
}

/* Does the label change somewhere when what is not known, from attribute `a` on, takes its values? */
static bool changes(const tacit_model *m, const unsigned char *known, size_t a, double *x, size_t label)
{
    double before[MAKE_MODEL_LEVELS];
    const tct_domain *domain;
    bool changed = false;

    if (a == m->schema->n_attributes)
        return oracle_label(m, x) != label;
    if (known[a])
        return changes(m, known, a + 1, x, label);
    domain = &m->codec->domains[a];
    memcpy(before, x + domain->first, domain->width * sizeof *before);
    for (size_t k = 0; k < n_values(m, a) && !changed; k++) {
        put_value(m, a, k, x);
        changed = changes(m, known, a + 1, x, label);
    }
    memcpy(x + domain->first, before, domain->width * sizeof *before);
    return changed;
}

/* Are the values tried all there are, or enough for a linear classifier? */
static bool is_complete(const tacit_model *m, const unsigned char *known)
{
    bool finite = true;

    for (size_t a = 0; a < m->schema->n_attributes; a++)
        finite = finite && (known[a] || m->codec->domains[a].kind != TCT_BOX);
    return finite || tct_as_linear(m->classifier);
}

/* What a test has seen of each kind. */
typedef struct seen {
    size_t yes, no, undecided, spare, not_spare;
} seen;

static void check_needs(const tacit_model *m, double *x, const unsigned char *needs, seen *s)
{
    unsigned char known[MOST_ATTRIBUTES];
    size_t item = 0;

    memset(known, 1, sizeof known);
    for (size_t a = 0; a < m->schema->n_attributes; a++) {
        bool changed;

        if (m->schema->attributes[a].role != TACIT_SENSITIVE)
            continue;
        known[a] = 0;
        changed = changes(m, known, 0, x, oracle_label(m, x));
        if (changed)
            assert_int_not_equal(needs[item], TACIT_NEED_NONE);
        if (!changed && is_complete(m, known))
            assert_int_not_equal(needs[item], TACIT_NEED_INDISPENSABLE);
        if (!tct_dispense_may_be_open(m))
            assert_int_not_equal(needs[item], TACIT_NEED_UNDECIDED);
        s->yes += needs[item] == TACIT_NEED_INDISPENSABLE;
        s->no += needs[item] == TACIT_NEED_NONE;
        s->undecided += needs[item] == TACIT_NEED_UNDECIDED;
        known[a] = 1;
        item++;
    }
}

static void check_spare(const tacit_model *m, double *x, const unsigned char *given, const unsigned char *spare,
                        seen *s)
{
    unsigned char known[MOST_ATTRIBUTES];
    size_t item = 0;

    memcpy(known, given, sizeof known);
    for (size_t a = 0; a < m->schema->n_attributes; a++) {
        if (m->schema->attributes[a].role != TACIT_SENSITIVE)
            continue;
        if (!given[a]) {
            assert_int_equal(spare[item++], 0);
            continue;
        }
        known[a] = 0;
        if (spare[item])
            assert_false(changes(m, known, 0, x, oracle_label(m, x)));
        else if (tct_as_linear(m->classifier)) /* it is found wherever it is, up to rounding */
            assert_false(oracle_settled(m, known, x, -1e-9));
        s->spare += spare[item];
        s->not_spare += !spare[item];
        known[a] = 1;
        item++;
    }
}

/* Needs of a person, and spare answers of a random set of them. */
static void check_person(tct_dispense *o, const tacit_model *m, tct_random *random, seen *s)
{
    double x[MOST_ATTRIBUTES * MAKE_MODEL_LEVELS];
    unsigned char needs[MOST_ATTRIBUTES], spare[MOST_ATTRIBUTES], given[MOST_ATTRIBUTES] = {0};
    size_t asked[MOST_ATTRIBUTES], n = 0;

    draw_person(m, random, x);
    assert_int_equal(tct_dispense_needs(o, x, needs, NULL), TACIT_OK);
    check_needs(m, x, needs, s);
    for (size_t a = 0; a < m->schema->n_attributes; a++) {
        given[a] = m->schema->attributes[a].role == TACIT_PUBLIC;
        if (!given[a] && tct_random_below(random, 5) > 0) {
            given[a] = 1;
            asked[n++] = a;
        }
    }
    assert_int_equal(tct_dispense_spare(o, x, asked, n, needs, spare, NULL), TACIT_OK);
    check_spare(m, x, given, spare, s);
}

static void dispense__agrees_with_every_completion(void **state)
{
    size_t cases = scaled(250);
    seen linear = {0}, network = {0};

    (void)state;
    for (uint64_t seed = 1; seed <= cases; seed++) {
        tacit_model *m = draw_model(seed, 5);
        tct_dispense *o;
        tct_random random;

        tct_random_seed(&random, seed, 7);
        assert_int_equal(tct_dispense_new(&o, m, NULL), TACIT_OK);
        for (size_t i = 0; i < 4; i++)
            check_person(o, m, &random, tct_as_linear(m->classifier) ? &linear : &network);
        tct_dispense_free(o);
        tacit_model_free(m);
    }
    if (cases < 100) /* too few to see everything */
        return;
    assert_true(linear.yes > 50 && linear.no > 50 && linear.spare > 20 && linear.not_spare > 50);
    assert_true(network.yes > 20 && network.no > 50 && network.spare > 10 && network.not_spare > 20);
    assert_true(network.undecided * 20 < network.yes + network.no);
}

/* Margins that are 0, and almost: what is said of them is what the program computes. */
static void dispense__decides_ties_as_computed(void **state)
{
    size_t cases = scaled(300), ties = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= cases; seed++) {
        tacit_model *m = make_linear_model(seed, 4, 2, true);
        tct_linear *l = (tct_linear *)(uintptr_t)tct_as_linear(m->classifier);
        double x[MOST_ATTRIBUTES * MAKE_MODEL_LEVELS], score;
        unsigned char needs[MOST_ATTRIBUTES];
        tct_dispense *o;
        tct_random random;
        seen s = {0};

        tct_random_seed(&random, seed, 3);
        draw_person(m, &random, x);
        for (size_t a = 0; a < m->schema->n_attributes; a++) /* so that one value of the first one is at 0 */
            m->schema->attributes[a].role = TACIT_SENSITIVE;
        put_value(m, 0, 0, x);
        m->classifier->ops->scores(m->classifier, x, 1, &score);
        l->bias[0] -= score;
        for (uint64_t k = seed % 5; k > 0; k--)
            l->bias[0] = nextafter(l->bias[0], seed % 2 ? INFINITY : -INFINITY);
        m->classifier->ops->scores(m->classifier, x, 1, &score);
        ties += fabs(score) < 1e-14;
        put_value(m, 0, n_values(m, 0) - 1, x);
        assert_int_equal(tct_dispense_new(&o, m, NULL), TACIT_OK);
        assert_int_equal(tct_dispense_needs(o, x, needs, NULL), TACIT_OK);
        check_needs(m, x, needs, &s);
        tct_dispense_free(o);
        tacit_model_free(m);
    }
    assert_true(ties * 2 > cases);
}

/* ---------------------------------------------------------------- audits */

static const double DELTAS[] = {0, 0.05, 0.2};
enum { N_DELTAS = 3 };

/* The plain way: everybody walks, then what could have been kept is asked about. */
static void count_plainly(const tacit_model *m, const tct_job *job, const double *x, size_t n, tct_tally **tallies)
{
    size_t position[MOST_ATTRIBUTES], asked[MOST_ATTRIBUTES], order[MOST_ATTRIBUTES], items = 0;
    double person[MOST_ATTRIBUTES * MAKE_MODEL_LEVELS];
    unsigned char needs[MOST_ATTRIBUTES], spare[MOST_ATTRIBUTES];
    const tct_stage *start;
    tct_dispense *o;
    tct_plan *plan;

    for (size_t a = 0; a < m->schema->n_attributes; a++) {
        position[a] = items;
        items += m->schema->attributes[a].role == TACIT_SENSITIVE;
    }
    assert_int_equal(tct_plan_new(&plan, m, NULL), TACIT_OK);
    assert_int_equal(tct_plan_public(plan, &start, NULL), TACIT_OK);
    assert_int_equal(tct_dispense_new(&o, m, NULL), TACIT_OK);
    for (size_t pass = 0; pass < job->n_passes; pass++) {
        const tct_pass *p = &job->passes[pass];
        tct_walker *walker;

        assert_int_equal(tct_walker_new(&walker, plan, p->rule, 1, NULL), TACIT_OK);
        for (size_t r = 0; r < n; r++) {
            tct_stop stops[N_DELTAS];

            for (size_t i = 0; i < m->codec->n_inputs; i++)
                person[i] = x[i * n + r];
            assert_int_equal(
                tct_walker_run(walker, start, person, NULL, p->promises, p->n_promises, stops, asked, NULL), TACIT_OK);
            tct_walker_next_person(walker);
            assert_int_equal(tct_dispense_needs(o, person, needs, NULL), TACIT_OK);
            for (size_t i = 0; i < p->n_promises; i++) {
                tct_outcome out = {.end = stops[i].end,
                                   .order = order,
                                   .full_label = oracle_label(m, person),
                                   .truth = -1,
                                   .exact = !(DELTAS[p->delta_index[i]] > 0),
                                   .needs = needs};

                for (size_t k = 0; k < stops[i].end.asked; k++)
                    order[k] = position[asked[k]];
                assert_int_equal(tct_dispense_spare(o, person, asked, stops[i].end.asked, needs, spare, NULL),
                                 TACIT_OK);
                out.spare = out.end.settled == TACIT_LIKELY ? NULL : spare;
                tct_tally_add(tallies[p->delta_index[i]], &out);
            }
        }
        tct_walker_free(walker);
    }
    tct_dispense_free(o);
    tct_plan_free(plan);
}

static void assert_same_tally(const tct_tally *a, const tct_tally *b)
{
    assert_int_equal(a->people, b->people);
    assert_int_equal(a->certain, b->certain);
    assert_int_equal(a->spare_people, b->spare_people);
    assert_memory_equal(a->asked, b->asked, a->n_sensitive * sizeof *a->asked);
    assert_memory_equal(a->indispensable, b->indispensable, a->n_sensitive * sizeof *a->asked);
    assert_memory_equal(a->undecided, b->undecided, a->n_sensitive * sizeof *a->asked);
    assert_memory_equal(a->spare, b->spare, a->n_sensitive * sizeof *a->asked);
    assert_memory_equal(a->others, b->others, a->n_sensitive * sizeof *a->asked);
}

static void check_counts(const tacit_model *m, uint64_t seed, tacit_rule rule, size_t n, uint64_t *spare)
{
    tacit_audit_options options = {.deltas = DELTAS, .n_deltas = N_DELTAS, .rule = rule, .seed = 1, .opt_share = 1};
    double *x = make_model_room(n * m->codec->n_inputs), *person = make_model_room(m->codec->n_inputs);
    tct_tally *plain[N_DELTAS];
    tct_worker *worker;
    tct_job *job;
    tct_random random;

    tct_random_seed(&random, seed, 11);
    for (size_t r = 0; r < n; r++) {
        draw_person(m, &random, person);
        for (size_t i = 0; i < m->codec->n_inputs; i++)
            x[i * n + r] = person[i];
    }
    assert_int_equal(tct_job_new(&job, m, &options, NULL), TACIT_OK);
    assert_int_equal(tct_worker_new(&worker, job, NULL), TACIT_OK);
    for (size_t round = 0; round < 2; round++) /* a second block adds to the first */
        assert_int_equal(tct_worker_count(worker, x, n, NULL, NULL, NULL, NULL, NULL), TACIT_OK);
    for (size_t i = 0; i < N_DELTAS; i++)
        assert_int_equal(tct_tally_new(&plain[i], job->n_sensitive, NULL), TACIT_OK);
    for (size_t round = 0; round < 2; round++)
        count_plainly(m, job, x, n, plain);
    for (size_t i = 0; i < N_DELTAS; i++) {
        assert_same_tally(tct_worker_tally(worker, i), plain[i]);
        *spare += plain[i]->spare_people;
        tct_tally_free(plain[i]);
    }
    tct_worker_free(worker);
    tct_job_free(job);
    tct_free(x);
    tct_free(person);
}

static void audit__counts_what_the_plain_way_finds(void **state)
{
    static const tacit_rule RULES[] = {TACIT_RULE_AUTO, TACIT_RULE_ENTROPY, TACIT_RULE_MARGIN};
    size_t cases = scaled(60);
    uint64_t spare = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= cases; seed++) {
        tacit_model *m = make_linear_model(seed + 500, 2 + seed % 6, seed % 4 ? 2 : 3, true);

        check_counts(m, seed, RULES[seed % 3], seed % 2 ? PEOPLE : 1 + seed % 40, &spare);
        tacit_model_free(m);
    }
    for (uint64_t seed = 1; seed <= scaled(6); seed++) {
        tacit_model *m = make_mlp_model(seed, 4, 2 + seed % 2, true, 1, 5);

        check_counts(m, seed, TACIT_RULE_AUTO, 40, &spare);
        tacit_model_free(m);
    }
    assert_true(spare > 100 || cases < 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dispense__agrees_with_every_completion),
        cmocka_unit_test(dispense__decides_ties_as_computed),
        cmocka_unit_test(audit__counts_what_the_plain_way_finds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
