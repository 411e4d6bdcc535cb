/*
 * Sessions that are begun again, saved and put back: what is refused, what is forgotten, how much work it takes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "make_model.h"
#include "make_trees.h"
#include "person.h"
#include "plan.h"

enum { MODELS = 3, STATES = 16, VALUE = 256, CANARY = 0xA5 };

static tacit_model *model_of(size_t which)
{
    return which == 0   ? make_linear_model(41, 7, 2, true)
           : which == 1 ? make_linear_model(42, 6, 3, true)
                        : make_mlp_model(43, 6, 2, true, 2, 6);
}

static tacit_person *draw(const tacit_model *m, uint64_t seed)
{
    tacit_person *person = NULL;
    tct_random random;

    tct_random_seed(&random, seed, 3);
    assert_int_equal(tacit_person_new(&person, m, NULL), TACIT_OK);
    draw_person(m, &random, person->x);
    memset(person->known, 1, m->schema->n_attributes);
    return person;
}

/* Give what the person has; one of the questions is refused. */
static void answer_all(tacit_session *session, const tacit_person *person, size_t refused)
{
    char text[VALUE];
    size_t a;

    for (size_t i = 0;; i++) {
        assert_int_equal(tacit_session_next(session, &a, NULL), TACIT_OK);
        if (a == TACIT_NONE)
            return;
        tacit_person_text(person, a, text, sizeof(text));
        if (i == refused)
            assert_int_equal(tacit_session_refuse(session, a, NULL), TACIT_OK);
        else
            assert_int_equal(tacit_session_answer(session, a, text, NULL), TACIT_OK);
    }
}

static unsigned char *state_of(const tacit_model *m, const tacit_session *session)
{
    unsigned char *bytes = tct_malloc(tacit_session_state_size(m) + 1, 1);

    bytes[tacit_session_state_size(m)] = CANARY;
    assert_int_equal(tacit_session_save(session, bytes, NULL), TACIT_OK);
    assert_int_equal(bytes[tacit_session_state_size(m)], CANARY);
    return bytes;
}

static void knows_nothing(const tacit_model *m, const tacit_session *session)
{
    unsigned char *bytes = state_of(m, session);

    assert_int_equal(tacit_session_events(session), 0);
    for (size_t a = 0; a < m->schema->n_attributes; a++)
        assert_false(tacit_person_knows(tacit_session_person(session), a));
    for (size_t i = 0; i < m->codec->n_inputs; i++)
        assert_true(isnan(tacit_session_person(session)->x[i]));
    for (size_t i = 1; i < tacit_session_state_size(m); i++)
        assert_int_equal(bytes[i], 0);
    tct_free(bytes);
}

static void session__restart_forgets(void **state)
{
    (void)state;
    for (size_t which = 0; which < MODELS; which++) {
        tacit_model *m = model_of(which);
        tacit_person *person = draw(m, 5);
        tacit_session *session = NULL;
        tacit_release_options strict = {.delta = 0}, loose = {.delta = 0.3}, wrong = {.delta = 0.7};
        tacit_error err = {0};
        size_t asked;

        assert_int_equal(tacit_session_open(&session, m, &strict, NULL), TACIT_OK);
        answer_all(session, person, 1);
        asked = tacit_session_events(session);
        assert_true(asked > 0);
        assert_int_equal(tacit_session_restart(session, &loose, NULL), TACIT_OK);
        knows_nothing(m, session);
        assert_int_equal(tacit_session_rule(session), TACIT_RULE_ENTROPY);
        assert_int_equal(tacit_session_restart(session, &strict, NULL), TACIT_OK);
        assert_int_equal(tacit_session_rule(session), TACIT_RULE_STOP);
        answer_all(session, person, 1);
        assert_int_equal(tacit_session_events(session), asked);
        assert_int_equal(tacit_session_restart(session, &wrong, &err), TACIT_E_USAGE);
        assert_non_null(strstr(err.message, "delta"));
        knows_nothing(m, session);
        assert_int_equal(tacit_session_rule(session), TACIT_RULE_STOP);
        tacit_session_free(session);
        tacit_person_free(person);
        tacit_model_free(m);
    }
}

/* Any one byte changed: it is refused, or it is the one spelling of another state. */
static void session__restore_refuses_nonsense(void **state)
{
    (void)state;
    for (size_t which = 0; which < MODELS; which++) {
        tacit_model *m = model_of(which);
        size_t size = tacit_session_state_size(m), refused = 0, accepted = 0;
        tacit_person *person = draw(m, 9);
        tacit_session *session = NULL, *other = NULL;
        tacit_error err = {0};
        unsigned char *bytes, *again;

        assert_int_equal(tacit_session_open(&session, m, NULL, NULL), TACIT_OK);
        assert_int_equal(tacit_session_open(&other, m, NULL, NULL), TACIT_OK);
        answer_all(session, person, 2);
        bytes = state_of(m, session);
        for (size_t i = 0; i < size; i++)
            for (unsigned change = 1; change < 256; change <<= 1) {
                tacit_decision decision;

                bytes[i] ^= (unsigned char)change;
                if (tacit_session_restore(other, bytes, size, &err)) {
                    assert_string_equal(err.message, "not the state of a session with this model");
                    assert_int_equal(err.status, TACIT_E_INPUT);
                    knows_nothing(m, other);
                    refused++;
                } else {
                    again = state_of(m, other);
                    assert_memory_equal(again, bytes, size);
                    assert_int_equal(tacit_session_decision(other, &decision, NULL), TACIT_OK);
                    tct_free(again);
                    accepted++;
                }
                bytes[i] ^= (unsigned char)change;
            }
        assert_true(refused > 0 && accepted > 0);
        assert_int_equal(tacit_session_restore(other, bytes, size - 1, NULL), TACIT_E_INPUT);
        assert_int_equal(tacit_session_restore(other, bytes, size + 1, NULL), TACIT_E_INPUT);
        assert_int_equal(tacit_session_restore(other, bytes, 0, NULL), TACIT_E_INPUT);
        assert_int_equal(tacit_session_restore(other, bytes, size, NULL), TACIT_OK);
        tct_free(bytes);
        tacit_session_free(session);
        tacit_session_free(other);
        tacit_person_free(person);
        tacit_model_free(m);
    }
}

/* Once people have come this way, going on with one of them takes no memory: everything about the model is there. */
static void session__going_on_computes_nothing_anew(void **state)
{
    (void)state;
    for (size_t which = 0; which < 2; which++) {
        tacit_model *m = model_of(which);
        size_t size = tacit_session_state_size(m), n = 0;
        tacit_person *person = draw(m, 2);
        tacit_session *session = NULL;
        unsigned char *states[STATES];
        size_t next[STATES];
        char text[VALUE];

        assert_int_equal(tacit_session_open(&session, m, NULL, NULL), TACIT_OK);
        for (size_t a = 0; a != TACIT_NONE && n < STATES; n++) { /* public ones come one by one: many starts */
            assert_int_equal(tacit_session_next(session, &a, NULL), TACIT_OK);
            next[n] = a;
            states[n] = state_of(m, session);
            if (a == TACIT_NONE)
                continue;
            tacit_person_text(person, a, text, sizeof(text));
            assert_int_equal(tacit_session_answer(session, a, text, NULL), TACIT_OK);
        }
        assert_true(n > 3);
        tct_memory_fail_at(0, false);
        for (size_t i = 0; i < n; i++) {
            tacit_decision decision;
            size_t a;

            assert_int_equal(tacit_session_restart(session, NULL, NULL), TACIT_OK);
            assert_int_equal(tacit_session_restore(session, states[i], size, NULL), TACIT_OK);
            assert_int_equal(tacit_session_next(session, &a, NULL), TACIT_OK);
            assert_int_equal(tacit_session_decision(session, &decision, NULL), TACIT_OK);
            assert_int_equal(a, next[i]);
        }
        assert_int_equal(tct_memory_count(), 0);
        for (size_t i = 0; i < n; i++)
            tct_free(states[i]);
        tacit_session_free(session);
        tacit_person_free(person);
        tacit_model_free(m);
    }
}

/* Starts are kept, the least used ones dropped, and all are what they would be in a new plan. */
static void session__plans_keep_many_starts(void **state)
{
    tacit_model *m = make_linear_model(44, 8, 2, true);
    tct_plan *plan = NULL, *tiny = NULL;

    (void)state;
    assert_int_equal(tct_plan_new(&plan, m, NULL), TACIT_OK);
    assert_int_equal(tct_plan_new(&tiny, m, NULL), TACIT_OK);
    tct_plan_limit(tiny, 1);
    for (unsigned round = 0; round < 3; round++)
        for (unsigned set = 0; set < 256; set += 1 + round) {
            const tct_stage *kept, *alone, *again;
            unsigned char known[8];

            for (size_t a = 0; a < 8; a++)
                known[a] = set >> a & 1;
            assert_int_equal(tct_plan_start(plan, known, &kept, NULL), TACIT_OK);
            assert_int_equal(tct_plan_start(plan, known, &again, NULL), TACIT_OK);
            assert_ptr_equal(kept, again);
            assert_int_equal(tct_plan_start(tiny, known, &alone, NULL), TACIT_OK);
            assert_memory_equal(kept->known, known, 8);
            assert_int_equal(kept->belief->n_unknown, alone->belief->n_unknown);
            assert_memory_equal(kept->belief->cov, alone->belief->cov,
                                kept->belief->n_unknown * kept->belief->n_unknown * sizeof(double));
            for (size_t a = 0; a < 8; a++)
                if (!known[a]) {
                    assert_int_equal(tct_plan_step(plan, kept, a, &again, NULL), TACIT_OK);
                    assert_int_equal(again->n_unknown, kept->n_unknown - 1);
                    assert_int_equal(tct_plan_step(tiny, alone, a, &again, NULL), TACIT_OK);
                }
            tct_plan_forget(tiny, NULL, NULL);
        }
    tct_plan_free(plan);
    tct_plan_free(tiny);
    tacit_model_free(m);
}

static void session__outlook(void **state)
{
    (void)state;
    for (size_t which = 0; which < MODELS; which++) {
        tacit_model *m = model_of(which);
        tacit_person *person = NULL;
        tacit_release_options options = {.seed = 3};
        tacit_session *session = NULL;
        tacit_outlook first, again, many;
        char text[VALUE];
        size_t a = TACIT_NONE, left;

        assert_int_equal(tacit_session_open(&session, m, &options, NULL), TACIT_OK);
        for (uint64_t seed = 1; a == TACIT_NONE; seed++) { /* somebody whom public attributes do not settle */
            tacit_person_free(person);
            person = draw(m, seed);
            assert_true(seed < 100);
            assert_int_equal(tacit_session_restart(session, &options, NULL), TACIT_OK);
            assert_int_equal(tacit_session_give_public(session, person, NULL), TACIT_OK);
            assert_int_equal(tacit_session_next(session, &a, NULL), TACIT_OK);
        }
        assert_int_equal(tacit_session_outlook(session, 5, &first, NULL), TACIT_OK);
        assert_int_equal(tacit_session_outlook(session, 64, &many, NULL), TACIT_OK);
        assert_int_equal(tacit_session_outlook(session, 5, &again, NULL), TACIT_OK);
        assert_true(first.about == again.about && first.settles == again.settles && first.at_most == many.at_most);
        assert_true(first.about >= 1 && first.about <= (double)first.at_most);
        assert_int_equal(tacit_session_outlook(session, 0, &again, NULL), TACIT_OK); /* 64, few inputs */
        assert_true(many.about == again.about && many.settles == again.settles);
        for (size_t before = first.at_most;; before = left) {
            assert_int_equal(tacit_session_next(session, &a, NULL), TACIT_OK);
            assert_int_equal(tacit_session_outlook(session, 20, &again, NULL), TACIT_OK);
            left = again.at_most;
            if (a == TACIT_NONE)
                break;
            assert_true(left > 0 && left <= before);
            if (left == 1) /* the last answer settles it for everybody */
                assert_true(again.about == 1 && again.settles == 1);
            tacit_person_text(person, a, text, sizeof(text));
            assert_int_equal(tacit_session_answer(session, a, text, NULL), TACIT_OK);
        }
        assert_true(left == 0 && again.about == 0 && again.settles == 0);
        tacit_session_free(session);
        tacit_person_free(person);
        tacit_model_free(m);
    }
}

/* Refusing everything leaves nobody settled; before public attributes are through, only the last of them can settle. */
static void session__outlook_with_refusals(void **state)
{
    tacit_model *m = make_linear_model(45, 6, 2, true), *sensitive = NULL, *mixed = NULL;
    tacit_session *session = NULL;
    tacit_outlook ahead;
    size_t a;

    (void)state;
    assert_int_equal(tacit_model_with_roles(&sensitive, m, "a0,a1,a2,a3,a4,a5", NULL, NULL), TACIT_OK);
    assert_int_equal(tacit_session_open(&session, sensitive, NULL, NULL), TACIT_OK);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(tacit_session_next(session, &a, NULL), TACIT_OK);
        assert_int_equal(tacit_session_refuse(session, a, NULL), TACIT_OK);
    }
    assert_int_equal(tacit_session_outlook(session, 50, &ahead, NULL), TACIT_OK);
    assert_true(ahead.at_most == 1 && ahead.about == 1 && ahead.settles == 0);
    tacit_session_free(session);
    assert_int_equal(tacit_model_with_roles(&mixed, m, "a5", NULL, NULL), TACIT_OK);
    assert_int_equal(tacit_session_open(&session, mixed, NULL, NULL), TACIT_OK);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(tacit_session_outlook(session, 50, &ahead, NULL), TACIT_OK);
        assert_int_equal(ahead.at_most, 1);
        assert_true(i == 4 ? ahead.settles == 1 - ahead.about : ahead.settles == 0);
        assert_int_equal(tacit_session_answer(session, i, m->schema->attributes[i].n_levels ? "ash" : "0", NULL),
                         TACIT_OK);
    }
    tacit_session_free(session);
    tacit_model_free(sensitive);
    tacit_model_free(mixed);
    tacit_model_free(m);
}

/* How many sensitive attributes typical people are asked for, on average. */
static double count_asked(const tacit_model *m, tacit_session *session, const tacit_release_options *options)
{
    enum { PEOPLE = 60 };
    tacit_person *person = draw(m, 1);
    tct_random random;
    size_t a, asked = 0;

    tct_random_seed(&random, 7, 3);
    for (size_t r = 0; r < PEOPLE; r++) {
        char text[VALUE];

        draw_typical_person(m, &random, person->x);
        assert_int_equal(tacit_session_restart(session, options, NULL), TACIT_OK);
        while (tacit_session_next(session, &a, NULL) == TACIT_OK && a != TACIT_NONE) {
            tacit_person_text(person, a, text, sizeof(text));
            assert_int_equal(tacit_session_answer(session, a, text, NULL), TACIT_OK);
            asked += m->schema->attributes[a].role == TACIT_SENSITIVE;
        }
    }
    tacit_person_free(person);
    return (double)asked / PEOPLE;
}

/* For trees people are made up and looked at roughly: what comes out is about what people are asked all the same. */
static void session__outlook_of_trees(void **state)
{
    enum { MODELS_OF_TREES = 12 };
    double about = 0, asked = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= MODELS_OF_TREES; seed++) {
        tacit_model *m = make_tree_model(seed, 6, 2 + seed % 2, 15, 2);
        tacit_release_options options = {.seed = 3, .delta = 0.2};
        tacit_session *session = NULL;
        tacit_outlook ahead;

        assert_int_equal(tacit_session_open(&session, m, &options, NULL), TACIT_OK);
        assert_int_equal(tacit_session_outlook(session, 0, &ahead, NULL), TACIT_OK);
        about += ahead.about;
        asked += count_asked(m, session, &options);
        tacit_session_free(session);
        tacit_model_free(m);
    }
    assert_true(fabs(about - asked) < 0.3 * MODELS_OF_TREES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(session__restart_forgets),
        cmocka_unit_test(session__restore_refuses_nonsense),
        cmocka_unit_test(session__going_on_computes_nothing_anew),
        cmocka_unit_test(session__plans_keep_many_starts),
        cmocka_unit_test(session__outlook),
        cmocka_unit_test(session__outlook_with_refusals),
        cmocka_unit_test(session__outlook_of_trees),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
