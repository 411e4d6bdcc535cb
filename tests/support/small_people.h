/*
 * small_people.h -- people of small models, and what is true of them found out by trying everything: for kinds of
 * classifiers that each say in their own way whether all completions get the same label.
 *
 *   certify_somebody(m, seed, is_constant, counts);       a certificate against the truth
 *   smallest_by_force(m, x, is_constant);                 the smallest set by trying all of them
 *   play_people(m, seed, is_constant, look, &context, &played);
 */
#ifndef TEST_SMALL_PEOPLE_H
#define TEST_SMALL_PEOPLE_H

#include "make_model.h"
#include "person.h"
#include "session.h"

enum { SMALL_ATTRIBUTES = 7, SMALL_SESSIONS = 3 };

/* Is the label the same for all completions? */
typedef bool constant_fn(const tacit_model *m, const unsigned char *known, const double *x);

/* A person by the texts of these inputs. */
static inline tacit_person *person_of(const tacit_model *m, const double *x)
{
    tacit_person *person;
    char text[64];

    assert_int_equal(tacit_person_new(&person, m, NULL), TACIT_OK);
    for (size_t a = 0; a < m->schema->n_attributes; a++) {
        tct_decode_cell(m->codec, a, x + m->codec->domains[a].first, text, sizeof text);
        assert_int_equal(tacit_person_set(person, a, text, NULL, NULL), TACIT_OK);
    }
    return person;
}

/* A certificate of somebody of whom some is known: what is decided is true, and two that refute it differ. */
static inline void certify_somebody(const tacit_model *m, uint64_t seed, constant_fn *is_constant, size_t counts[3])
{
    double *x = make_model_room(m->codec->n_inputs);
    tacit_certificate certificate;
    tacit_person *person;
    tct_random random;

    tct_random_seed(&random, seed, 5);
    draw_person(m, &random, x);
    person = person_of(m, x);
    for (size_t a = 0; a < m->schema->n_attributes; a++)
        if (tct_random_below(&random, 2))
            tacit_person_unset(person, a);
    assert_int_equal(tacit_certify(&certificate, person, NULL), TACIT_OK);
    counts[certificate.verdict]++;
    if (certificate.verdict != TACIT_UNDECIDED)
        assert_int_equal(certificate.verdict == TACIT_CERTIFIED, is_constant(m, person->known, person->x));
    if (certificate.verdict == TACIT_REFUTED)
        assert_true(tacit_person_label(certificate.witness[0]) != tacit_person_label(certificate.witness[1]));
    tacit_certificate_clear(&certificate);
    tacit_person_free(person);
    tct_free(x);
}

static inline size_t smallest_by_force(const tacit_model *m, const double *x, constant_fn *is_constant)
{
    size_t n = m->schema->n_attributes, best = n;

    for (size_t set = 0; set < (size_t)1 << n; set++) {
        unsigned char known[SMALL_ATTRIBUTES];
        size_t asked = 0;

        for (size_t a = 0; a < n; a++) {
            bool open = m->schema->attributes[a].role == TACIT_PUBLIC;

            known[a] = open || set >> a & 1;
            asked += !open && (set >> a & 1);
        }
        if (asked < best && is_constant(m, known, x))
            best = asked;
    }
    return best;
}

/* How sessions ended, and what was asked of all there was. */
typedef struct sessions_played {
    size_t settled[5], asked, all;
} sessions_played;

/* Some people through a session each, the first at delta 0: certain is true, and `look` is shown how it ended. */
static inline void play_people(const tacit_model *m, uint64_t seed, constant_fn *is_constant,
                               void (*look)(const tacit_model *m, tacit_session *session, void *context), void *context,
                               sessions_played *played)
{
    double *x = make_model_room(m->codec->n_inputs);
    tct_random random;

    tct_random_seed(&random, seed, 7);
    for (size_t i = 0; i < SMALL_SESSIONS; i++) {
        tacit_release_options options = {.delta = i == 0 ? 0 : 0.1, .rule = (tacit_rule)(seed % 5), .seed = 1};
        tacit_session *session = NULL;
        tacit_decision decision;
        tacit_person *person;
        tacit_outlook outlook;

        draw_person(m, &random, x);
        person = person_of(m, x);
        assert_int_equal(tacit_session_open(&session, m, &options, NULL), TACIT_OK);
        assert_int_equal(tacit_session_outlook(session, 4, &outlook, NULL), TACIT_OK);
        assert_int_equal(tacit_session_replay(session, person, NULL), TACIT_OK);
        assert_int_equal(tacit_session_decision(session, &decision, NULL), TACIT_OK);
        played->settled[decision.settled]++;
        played->asked += decision.asked;
        for (size_t a = 0; a < m->schema->n_attributes; a++)
            played->all += m->schema->attributes[a].role == TACIT_SENSITIVE;
        if (decision.settled == TACIT_CERTAIN) {
            assert_true(is_constant(m, tacit_session_person(session)->known, tacit_session_person(session)->x));
            assert_int_equal(decision.label, tacit_person_label(person));
        }
        look(m, session, context);
        tacit_session_free(session);
        tacit_person_free(person);
    }
    tct_free(x);
}

#endif
