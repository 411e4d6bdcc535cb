/*
 * A posterior that the library does not know, registered through its table: attributes independent of each other, each
 * value of a domain as likely as any other.  Under it probabilities are those of plain drawing, proofs stay proofs, and
 * promises to people who are like that are kept, for linear models, networks and a kind without gradient.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "posteriors.h"
#include "people_file.h"
#include "scale.h"
#include "score_laws.h"
#include "scratch.h"
#include "session.h"
#include "stumps.h"

static bool in_use; /* else everything is as the library has it */

static bool flat_applies(const tacit_model *model)
{
    (void)model;
    return in_use;
}

static void flat_answer(const tacit_model *model, const tct_belief *belief, size_t attribute, tct_random *random,
                        double *x)
{
    (void)belief;
    make_value(model->codec, attribute, tct_random_uniform(random), x);
}

static void flat_people(const tacit_model *model, const tct_belief *belief, const tct_region *region, uint64_t seed,
                        size_t n, double *x, double *room)
{
    tct_random random;

    (void)room;
    tct_random_seed(&random, seed, 3);
    for (size_t i = 0; i < n; i++)
        for (size_t a = 0; a < model->schema->n_attributes; a++)
            if (!region->known[a])
                flat_answer(model, belief, a, &random, x + i * model->codec->n_inputs);
}

static const tct_posterior_ops flat = {
    .name = "flat", .applies = flat_applies, .people = flat_people, .answer = flat_answer};

/* Linear models, networks and stumps in turn. */
static tacit_model *model_of(uint64_t seed)
{
    return make_model_of_some_kind(seed, 3 + seed % 3, 2 + seed / 3 % 2);
}

static void draw_flat(const tacit_model *m, tct_random *random, double *x)
{
    for (size_t a = 0; a < m->schema->n_attributes; a++)
        make_value(m->codec, a, tct_random_uniform(random), x);
}

/* How likely a label is for whom only the values at `known` are known: plain drawing. */
static double share_of(const tacit_model *m, const tacit_person *person, const double *x, size_t label)
{
    enum { PEOPLE = 20000 };
    double *one = make_model_room(m->codec->n_inputs);
    tct_random random;
    size_t count = 0;

    tct_random_seed(&random, 77, 1);
    for (size_t i = 0; i < PEOPLE; i++) {
        draw_flat(m, &random, one);
        for (size_t a = 0; a < m->schema->n_attributes; a++)
            if (tacit_person_knows(person, a))
                memcpy(one + m->codec->domains[a].first, x + m->codec->domains[a].first,
                       m->codec->domains[a].width * sizeof *one);
        count += tct_label_of(m->classifier, one) == label;
    }
    tct_free(one);
    return (double)count / PEOPLE;
}

static void posterior__sessions(void **state)
{
    size_t open = 0;

    (void)state;
    in_use = true;
    for (uint64_t seed = 1; seed <= scaled(90); seed++) {
        tacit_model *m = model_of(seed);
        tacit_release_options options = {.delta = seed % 2 ? 0.1 : 0};
        double *x = make_model_room(m->codec->n_inputs);
        tacit_session *session = NULL;
        tacit_decision decision;
        tacit_outlook outlook;
        tct_random random;
        size_t next;
        char cell[64];

        assert_ptr_equal(tct_score_law_row(m), &tct_scores_sampled);
        assert_null(tct_linear_law(m));
        tct_random_seed(&random, seed, 5);
        draw_flat(m, &random, x);
        assert_int_equal(tacit_session_open(&session, m, &options, NULL), TACIT_OK);
        for (;;) {
            assert_int_equal(tacit_session_decision(session, &decision, NULL), TACIT_OK);
            if (decision.settled == TACIT_OPEN || decision.settled == TACIT_LIKELY) {
                const tacit_person *person = tacit_session_person(session);

                assert_true(fabs(decision.probability - share_of(m, person, x, decision.label)) <= 0.06);
                open++;
            }
            assert_int_equal(tacit_session_next(session, &next, NULL), TACIT_OK);
            if (next == TACIT_NONE)
                break;
            assert_int_equal(tacit_session_outlook(session, 0, &outlook, NULL), TACIT_OK);
            assert_true(outlook.about >= 0 && outlook.about <= (double)outlook.at_most);
            tct_decode_cell(m->codec, next, x + m->codec->domains[next].first, cell, sizeof cell);
            assert_int_equal(tacit_session_answer(session, next, cell, NULL), TACIT_OK);
        }
        if (decision.settled != TACIT_LIKELY)
            assert_int_equal(decision.label, tct_label_of(m->classifier, x));
        tacit_session_free(session);
        tct_free(x);
        tacit_model_free(m);
    }
    assert_true(open > scaled(90));
    in_use = false;
}

/* Audits of everybody at once: nobody fails at delta 0, and beyond it no more than promised do. */
static void posterior__audits(void **state)
{
    static const double deltas[] = {0, 0.1};
    double stopped = 0, failed = 0;

    (void)state;
    in_use = true;
    for (uint64_t seed = 1; seed <= scaled(24); seed++) {
        tacit_model *m = model_of(seed);
        tacit_audit_options options = {.deltas = deltas, .n_deltas = 2, .threads = 1, .seed = 1};
        tacit_audit *audit = NULL;
        tacit_error err = {0};

        if (tacit_audit_csv(&audit, m, people_file(m, seed, 100, draw_flat), NULL, &options, &err))
            fail_msg("%s", err.message);
        assert_true(tacit_audit_result_get(audit, 0)->fidelity == 1);
        stopped += (double)tacit_audit_result_get(audit, 1)->stopped;
        failed += (double)tacit_audit_result_get(audit, 1)->failed;
        tacit_audit_free(audit);
        tacit_model_free(m);
    }
    in_use = false;
    if (scaled(24) < 24) /* with few cases chance decides */
        return;
    assert_true(stopped > 100);
    assert_true(failed <= 0.1 * stopped);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(posterior__sessions),
        cmocka_unit_test(posterior__audits),
    };

    stumps_register();
    tct_posterior_add_row(&flat);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
