/*
 * What a decision rests on: probabilities of labels are those that stopping is decided by, and what is believed of
 * attributes is what people are drawn by.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "draws.h"
#include "make_trees.h"
#include "person.h"
#include "plan.h"
#include "posteriors.h"
#include "scale.h"
#include "session.h"

static const double CHANCE = 0.06; /* more than 5 standard errors of a share of 2,048 people */

static tacit_model *model_of(uint64_t seed)
{
    size_t n = 2 + seed % 5, classes = 2 + seed / 3 % 6;

    if (seed % 3 == 0)
        return make_linear_model(seed, n, classes, true);
    if (seed % 3 == 1)
        return make_mlp_model(seed, n, classes, true, 1, 5);
    return make_tree_model(seed, n, classes, 8, 3);
}

/* Somebody of whom some attributes are known: about every second, or all. */
static tacit_person *person_of(const tacit_model *m, const double *x, bool all, tct_random *random)
{
    tacit_person *p;

    assert_int_equal(tacit_person_new(&p, m, NULL), TACIT_OK);
    for (size_t a = 0; a < m->schema->n_attributes; a++)
        if (all || tct_random_below(random, 2))
            tct_person_take(p, a, x);
    return p;
}

static void check_labels(const tacit_model *m, const tacit_person *person, const tacit_basis *basis)
{
    tacit_certificate found;
    double sum = 0, told;

    assert_int_equal(tacit_certify(&found, person, NULL), TACIT_OK);
    for (size_t c = 0; c < m->schema->n_classes; c++) {
        double p = tacit_basis_probability(basis, c);

        assert_true(p >= 0 && p <= 1 + 1e-9);
        sum += p;
    }
    told = tacit_basis_probability(basis, found.likely_label);
    assert_true(fabs(sum - 1) < 1e-5);
    assert_true(fabs(told - found.probability) < 1e-12);
    assert_true(isnan(tacit_basis_probability(basis, m->schema->n_classes)));
    tacit_certificate_clear(&found);
}

/* The first attribute that is not known is drawn as it is believed; those after it given what came out. */
static void check_drawn(const tacit_model *m, const tacit_person *person, const tacit_basis *basis, size_t attribute)
{
    const tacit_expectation *e = tacit_basis_expectation(basis, attribute);
    const tct_domain *domain = &m->codec->domains[attribute];
    tct_region region = tct_region_of(m->codec, person->known, person->x);
    double shares[64] = {0}, below = 0, mean = 0, deviation = 0;
    const tct_stage *stage;
    tct_draws *draws;
    tct_plan *plan;

    assert_int_equal(tct_plan_new(&plan, m, NULL), TACIT_OK);
    assert_int_equal(tct_plan_start(plan, person->known, &stage, NULL), TACIT_OK);
    if (!stage->belief->factor)
        assert_int_equal(tct_factor_add(stage->belief, NULL), TACIT_OK);
    assert_int_equal(tct_draws_new(&draws, m, NULL), TACIT_OK);
    tct_draws_likely(draws, stage->belief, &region, 5);
    if (!e->levels) { /* encoded */
        const tacit_attribute *a = &m->schema->attributes[attribute];
        double half = (a->max - a->min) / 2;

        mean = half > 0 ? (e->mean - a->min) / half - 1 : 0;
        deviation = half > 0 ? e->deviation / half : 0;
    }
    for (size_t i = 0; i < TCT_DRAWS; i++) {
        const double *inputs = draws->x + i * m->codec->n_inputs + domain->first;

        for (size_t k = 0; k < e->n_levels; k++) {
            double value[MAKE_MODEL_LEVELS];

            tct_codec_value(m->codec, attribute, k, value);
            shares[k] += memcmp(value, inputs, domain->width * sizeof *value) == 0 ? 1.0 / TCT_DRAWS : 0;
        }
        below += inputs[0] < mean + deviation ? 1.0 / TCT_DRAWS : 0;
    }
    for (size_t k = 0; k < e->n_levels; k++)
        assert_true(fabs(shares[k] - e->levels[k]) < CHANCE);
    if (!e->levels && domain->kind == TCT_BOX && deviation > 1e-6 && mean + deviation > -1 && mean + deviation < 1)
        assert_true(fabs(below - 0.8413) < CHANCE);
    tct_draws_free(draws);
    tct_plan_free(plan);
}

static void check_attributes(const tacit_model *m, const tacit_person *person, const tacit_basis *basis)
{
    bool first = true;

    for (size_t a = 0; a < m->schema->n_attributes; a++) {
        const tacit_expectation *e = tacit_basis_expectation(basis, a);
        double sum = 0;
        char text[64];

        assert_int_equal(e == NULL, person->known[a]);
        if (!e)
            continue;
        for (size_t k = 0; k < e->n_levels; k++) {
            assert_true(e->levels[k] >= 0);
            sum += e->levels[k];
            tacit_basis_level_text(basis, a, k, text, sizeof text);
            assert_true(text[0] != '\0');
        }
        assert_int_equal(e->levels != NULL, isnan(e->mean));
        assert_true(e->levels ? fabs(sum - 1) < 1e-9 : e->deviation >= 0);
        if (first)
            check_drawn(m, person, basis, a);
        first = false;
    }
}

static void basis__is_what_is_acted_upon(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= scaled(240); seed++) {
        tacit_model *m = model_of(seed);
        double *x = make_model_room(m->codec->n_inputs);
        tct_random random;

        tct_random_seed(&random, seed, 4);
        draw_person(m, &random, x);
        for (int all = 0; all < 2; all++) {
            tacit_person *person = person_of(m, x, all, &random);
            tacit_basis *basis;

            assert_int_equal(tacit_person_basis(&basis, person, NULL), TACIT_OK);
            check_labels(m, person, basis);
            check_attributes(m, person, basis);
            if (all)
                assert_true(tacit_basis_probability(basis, tacit_person_label(person)) == 1);
            tacit_basis_free(basis);
            tacit_person_free(person);
        }
        tct_free(x);
        tacit_model_free(m);
    }
}

/* In the middle of a session and at its end, with the people that the session draws. */
static void basis__of_a_session(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= scaled(60); seed++) {
        tacit_model *m = model_of(seed);
        tacit_release_options options = {.size = sizeof options, .delta = 0.1, .seed = seed};
        double *x = make_model_room(m->codec->n_inputs);
        tacit_decision decision;
        tacit_session *session;
        tacit_basis *basis;
        tct_random random;
        tacit_person *person;

        tct_random_seed(&random, seed, 5);
        draw_person(m, &random, x);
        person = person_of(m, x, true, &random);
        assert_int_equal(tacit_session_open(&session, m, &options, NULL), TACIT_OK);
        for (size_t step = 0; step < 2; step++) {
            double told;

            assert_int_equal(tacit_session_decision(session, &decision, NULL), TACIT_OK);
            assert_int_equal(tacit_session_basis(&basis, session, NULL), TACIT_OK);
            told = tacit_basis_probability(basis, decision.label);
            if (tct_as_linear(m->classifier) && m->schema->n_classes >= TCT_MANY_FROM_SCORES && step == 1)
                assert_true(decision.probability <= told + 0.07); /* a decision is told on the safe side */
            else
                assert_true(fabs(told - decision.probability) < 1e-12);
            for (size_t a = 0; a < m->schema->n_attributes; a++)
                assert_int_equal(tacit_basis_expectation(basis, a) == NULL, session->person->known[a]);
            tacit_basis_free(basis);
            if (step == 0)
                assert_int_equal(tacit_session_replay(session, person, NULL), TACIT_OK);
        }
        tacit_session_free(session);
        tacit_person_free(person);
        tct_free(x);
        tacit_model_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(basis__is_what_is_acted_upon),
        cmocka_unit_test(basis__of_a_session),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
