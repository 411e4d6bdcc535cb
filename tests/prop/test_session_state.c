/*
 * Saving and restoring on random models: at every step of a session, another one that is put where it stands goes on
 * exactly as it does, whether it is new or has just served somebody else.  And a brief session beside one that is not.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "make_model.h"
#include "person.h"
#include "scale.h"
#include "session.h"

static const double DELTAS[] = {0, 0, 0.01, 0.1, 0.3};
static const tacit_rule RULES[] = {TACIT_RULE_AUTO, TACIT_RULE_AUTO, TACIT_RULE_AUTO, TACIT_RULE_MARGIN,
                                   TACIT_RULE_ENTROPY};
enum { N_DELTAS = 5, N_RULES = 5, DRAWS = 3, VALUE = 256 };

/* Linear with two classes, linear with more, networks. */
static tacit_model *draw_model(size_t seed)
{
    size_t n = 2 + seed % 5, kind = seed % 3;

    tacit_model *m = kind == 2 ? make_mlp_model(seed, n, 2 + seed / 3 % 3, true, 1 + seed % 2, 3 + seed % 4)
                               : make_linear_model(seed, n, kind ? 3 + seed / 3 % 2 : 2, seed % 4 != 0);

    allow_missing(m);
    return m;
}

static tacit_release_options draw_options(tct_random *random)
{
    return (tacit_release_options){.delta = DELTAS[tct_random_below(random, N_DELTAS)],
                                   .rule = RULES[tct_random_below(random, N_RULES)],
                                   .seed = tct_random_below(random, 3)};
}

static void same_decision(tacit_session *a, tacit_session *b)
{
    tacit_decision x, y;
    size_t next_x, next_y;

    assert_int_equal(tacit_session_next(a, &next_x, NULL), TACIT_OK);
    assert_int_equal(tacit_session_next(b, &next_y, NULL), TACIT_OK);
    assert_int_equal(next_x, next_y);
    assert_int_equal(tacit_session_decision(a, &x, NULL), TACIT_OK);
    assert_int_equal(tacit_session_decision(b, &y, NULL), TACIT_OK);
    assert_true(x.settled == y.settled && x.label == y.label &&
                memcmp(&x.probability, &y.probability, sizeof(double)) == 0 && x.asked == y.asked &&
                x.refused == y.refused && x.cost == y.cost);
}

static void same_transcript(const tacit_session *a, const tacit_session *b)
{
    assert_int_equal(tacit_session_events(a), tacit_session_events(b));
    for (size_t e = 0; e < tacit_session_events(a); e++) {
        const tacit_event *x = tacit_session_event(a, e), *y = tacit_session_event(b, e);

        assert_true(x->attribute == y->attribute && x->refused == y->refused && x->clipped == y->clipped &&
                    x->not_known == y->not_known && x->role == y->role && x->settled == y->settled &&
                    x->label == y->label && memcmp(&x->probability, &y->probability, sizeof(double)) == 0);
    }
}

static void same_values(const tacit_model *m, const tacit_person *a, const tacit_person *b)
{
    assert_memory_equal(a->known, b->known, m->schema->n_attributes);
    for (size_t i = 0; i < m->schema->n_attributes; i++)
        if (a->known[i])
            assert_memory_equal(a->x + m->codec->domains[i].first, b->x + m->codec->domains[i].first,
                                m->codec->domains[i].width * sizeof(double));
}

static void same_outlook(tacit_session *a, tacit_session *b)
{
    tacit_outlook x, y;

    assert_int_equal(tacit_session_outlook(a, DRAWS, &x, NULL), TACIT_OK);
    assert_int_equal(tacit_session_outlook(b, DRAWS, &y, NULL), TACIT_OK);
    assert_true(x.at_most == y.at_most && x.about == y.about && x.settles == y.settles);
}

static void same_receipt(tacit_session *a, tacit_session *b)
{
    char *x = NULL, *y = NULL;
    size_t next;

    assert_int_equal(tacit_session_next(a, &next, NULL), TACIT_OK);
    if (next != TACIT_NONE)
        return;
    assert_int_equal(tacit_session_receipt(&x, a, NULL, NULL, NULL), TACIT_OK);
    assert_int_equal(tacit_session_receipt(&y, b, NULL, NULL, NULL), TACIT_OK);
    assert_string_equal(x, y);
    tacit_text_free(x);
    tacit_text_free(y);
}

/* Put `other` where `session` stands, and compare them in every respect. */
static void compare(const tacit_model *m, tacit_session *session, tacit_session *other)
{
    size_t size = tacit_session_state_size(m);
    unsigned char *bytes = tct_malloc(size, 1), *again = tct_malloc(size, 1);

    assert_int_equal(tacit_session_save(session, bytes, NULL), TACIT_OK);
    assert_int_equal(tacit_session_restore(other, bytes, size, NULL), TACIT_OK);
    assert_int_equal(tacit_session_save(other, again, NULL), TACIT_OK);
    assert_memory_equal(bytes, again, size);
    same_transcript(session, other);
    same_values(m, tacit_session_person(session), tacit_session_person(other));
    same_decision(session, other);
    same_outlook(session, other);
    same_decision(session, other); /* looking ahead leaves it as it is */
    same_receipt(session, other);
    tct_free(bytes);
    tct_free(again);
}

/* Somebody whose values are what their texts say. */
static tacit_person *draw(const tacit_model *m, tct_random *random)
{
    tacit_person *person = NULL;
    char text[VALUE];

    assert_int_equal(tacit_person_new(&person, m, NULL), TACIT_OK);
    (tct_random_below(random, 2) ? draw_person : draw_typical_person)(m, random, person->x);
    memset(person->known, 1, m->schema->n_attributes);
    for (size_t a = 0; a < m->schema->n_attributes; a++) {
        tacit_person_text(person, a, text, sizeof(text));
        assert_int_equal(tacit_person_set(person, a, text, NULL, NULL), TACIT_OK);
    }
    return person;
}

/* Answer or refuse what is asked for, or now and then another attribute; false when nothing is left. */
static bool go_on(const tacit_model *m, tacit_session *session, const tacit_person *person, tct_random *random)
{
    size_t n = m->schema->n_attributes, a;
    char text[VALUE];

    assert_int_equal(tacit_session_next(session, &a, NULL), TACIT_OK);
    if (a == TACIT_NONE || tct_random_below(random, 6) == 0) { /* decided or not: what comes next in the schema */
        unsigned char taken[TCT_MAX_ATTRIBUTES] = {0};

        for (size_t e = 0; e < tacit_session_events(session); e++)
            taken[tacit_session_event(session, e)->attribute] = 1;
        for (a = 0; a < n && taken[a]; a++)
            continue;
        if (a == n)
            return false;
    }
    if (tct_random_below(random, 5) == 0) {
        assert_int_equal(tacit_session_refuse(session, a, NULL), TACIT_OK);
        return true;
    }
    tacit_person_text(person, a, text, sizeof(text));
    if (m->schema->attributes[a].type != TACIT_CATEGORY && tct_random_below(random, 4) == 0)
        snprintf(text, sizeof(text), "%.0f", m->schema->attributes[a].min - 3); /* to be clipped */
    else if (m->schema->attributes[a].type != TACIT_CATEGORY && tct_random_below(random, 6) == 0)
        text[0] = '\0'; /* missing */
    assert_int_equal(tacit_session_answer(session, a, text, NULL), TACIT_OK);
    return true;
}

static void session_state__goes_on_the_same(void **state)
{
    size_t cases = scaled(120);

    (void)state;
    for (size_t c = 0; c < cases; c++) {
        tacit_model *m = draw_model(c + 500);
        tacit_session *used = NULL;

        assert_int_equal(tacit_session_open(&used, m, NULL, NULL), TACIT_OK);
        for (uint64_t p = 0; p < 3; p++) {
            tacit_session *session = NULL, *fresh = NULL;
            tacit_release_options options;
            tacit_person *person;
            tct_random random;

            tct_random_seed(&random, c, 70 + p);
            options = draw_options(&random);
            person = draw(m, &random);
            assert_int_equal(tacit_session_open(&session, m, &options, NULL), TACIT_OK);
            if (tct_random_below(&random, 2))
                assert_int_equal(tacit_session_give_public(session, person, NULL), TACIT_OK);
            do {
                assert_int_equal(tacit_session_open(&fresh, m, &options, NULL), TACIT_OK);
                assert_int_equal(tacit_session_restart(used, &options, NULL), TACIT_OK);
                compare(m, session, fresh);
                compare(m, session, used);
                tacit_session_free(fresh);
            } while (go_on(m, session, person, &random));
            tacit_person_free(person);
            tacit_session_free(session);
        }
        tacit_session_free(used);
        tacit_model_free(m);
    }
}

/* Given together or one by one, in whatever order: public attributes lead to the same place. */
static void session_state__public_attributes_together(void **state)
{
    size_t cases = scaled(120);

    (void)state;
    for (size_t c = 0; c < cases; c++) {
        tacit_model *m = draw_model(c + 9000);
        size_t n = m->schema->n_attributes;
        tacit_session *together = NULL, *one_by_one = NULL;
        tacit_release_options options;
        tacit_person *person;
        tct_random random;

        tct_random_seed(&random, c, 80);
        options = draw_options(&random);
        person = draw(m, &random);
        assert_int_equal(tacit_session_open(&together, m, &options, NULL), TACIT_OK);
        assert_int_equal(tacit_session_open(&one_by_one, m, &options, NULL), TACIT_OK);
        assert_int_equal(tacit_session_give_public(together, person, NULL), TACIT_OK);
        for (size_t i = n; i-- > 0;)
            if (m->schema->attributes[i].role == TACIT_PUBLIC) {
                char text[VALUE];

                tacit_person_text(person, i, text, sizeof(text));
                assert_int_equal(tacit_session_answer(one_by_one, i, text, NULL), TACIT_OK);
            }
        for (size_t e = 0; e < tacit_session_events(together); e++) {
            const tacit_event *event = tacit_session_event(together, e);
            tacit_decision decision;

            assert_int_equal(tacit_session_decision(together, &decision, NULL), TACIT_OK);
            assert_true(event->settled == decision.settled && event->label == decision.label &&
                        event->probability == decision.probability);
        }
        same_decision(together, one_by_one);
        tacit_session_free(together);
        tacit_session_free(one_by_one);
        tacit_person_free(person);
        tacit_model_free(m);
    }
}

/* A brief session says nothing of what is open, and of everything else what others say. */
static void same_but_brief(const tacit_event *whole, const tacit_event *brief)
{
    assert_true(whole->attribute == brief->attribute && whole->settled == brief->settled);
    if (whole->settled == TACIT_OPEN)
        assert_true(brief->label == 0 && isnan(brief->probability));
    else
        assert_true(whole->label == brief->label && whole->probability == brief->probability);
}

static void compare_brief(const tacit_model *m, tacit_session *whole, tacit_session *brief)
{
    tacit_release_options options = brief->options;
    tacit_session *other = NULL;
    tacit_decision x, y;

    for (size_t e = 0; e < tacit_session_events(whole); e++)
        same_but_brief(tacit_session_event(whole, e), tacit_session_event(brief, e));
    assert_int_equal(tacit_session_decision(whole, &x, NULL), TACIT_OK);
    assert_int_equal(tacit_session_decision(brief, &y, NULL), TACIT_OK);
    assert_true(x.settled == y.settled && whole->next == brief->next && x.asked == y.asked);
    if (x.settled == TACIT_OPEN)
        assert_true(y.label == 0 && isnan(y.probability));
    else
        same_decision(whole, brief);
    same_outlook(whole, brief);
    same_receipt(whole, brief);
    assert_int_equal(tacit_session_open(&other, m, &options, NULL), TACIT_OK);
    compare(m, brief, other);
    tacit_session_free(other);
}

static void session_state__brief_decides_the_same(void **state)
{
    size_t cases = scaled(240);

    (void)state;
    for (size_t c = 0; c < cases; c++) {
        tacit_model *m = draw_model(c + 700);
        tacit_session *whole = NULL, *brief = NULL;
        tacit_release_options options;
        tacit_person *person;
        tct_random random, same;

        tct_random_seed(&random, c, 90);
        options = draw_options(&random);
        options.size = sizeof(options);
        person = draw(m, &random);
        assert_int_equal(tacit_session_open(&whole, m, &options, NULL), TACIT_OK);
        options.brief = true;
        assert_int_equal(tacit_session_open(&brief, m, &options, NULL), TACIT_OK);
        do {
            compare_brief(m, whole, brief);
            same = random;
            go_on(m, brief, person, &same);
        } while (go_on(m, whole, person, &random));
        tacit_person_free(person);
        tacit_session_free(whole);
        tacit_session_free(brief);
        tacit_model_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(session_state__goes_on_the_same),
        cmocka_unit_test(session_state__public_attributes_together),
        cmocka_unit_test(session_state__brief_decides_the_same),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
