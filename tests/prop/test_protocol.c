/*
 * What must hold for every model and every person, on random ones: linear classifiers with two to five classes,
 * numbers, grids, ordinal and one-hot categories, unequal costs, singular covariances.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "oracle.h"
#include "person.h"
#include "scale.h"
#include "walk.h"

static const tacit_rule RULES[] = {TACIT_RULE_ENTROPY, TACIT_RULE_MARGIN, TACIT_RULE_STOP, TACIT_RULE_MONTECARLO};
static const double DELTAS[] = {0, 0.01, 0.05, 0.1, 0.3};
enum { N_RULES = 4, N_DELTAS = 5, ROOM = 64 };

/* A person, and everything to walk with. */
typedef struct set_up {
    tacit_model *model;
    tct_plan *plan;
    tct_walker *walker[N_RULES];
    const tct_stage *start;
    tct_promise promises[N_DELTAS];
    tct_random random;
    double x[ROOM * 8];
} set_up;

static void begin(set_up *s, uint64_t seed, size_t n_attributes, size_t n_classes)
{
    s->model = make_linear_model(seed, n_attributes, n_classes, seed % 3 != 0);
    assert_int_equal(tct_plan_new(&s->plan, s->model, NULL), TACIT_OK);
    for (size_t i = 0; i < N_RULES; i++)
        assert_int_equal(tct_walker_new(&s->walker[i], s->plan, RULES[i], 1, NULL), TACIT_OK);
    assert_int_equal(tct_plan_public(s->plan, &s->start, NULL), TACIT_OK);
    for (size_t i = 0; i < N_DELTAS; i++)
        s->promises[i] = tct_promise_of(s->model, TACIT_RULE_ENTROPY, DELTAS[i]);
    tct_random_seed(&s->random, seed, 5);
}

static void end(set_up *s)
{
    for (size_t i = 0; i < N_RULES; i++)
        tct_walker_free(s->walker[i]);
    tct_plan_free(s->plan);
    tacit_model_free(s->model);
}

static void draw(set_up *s)
{
    if (tct_random_below(&s->random, 2))
        draw_person(s->model, &s->random, s->x);
    else
        draw_typical_person(s->model, &s->random, s->x);
}

/* Mostly two to four classes; five now and then, since their probabilities take long. */
static size_t classes_of(size_t c)
{
    return c % 40 == 39 ? 5 : 2 + c % 3;
}

/* Monte Carlo is slow for many classes. */
static size_t rules_for(const tacit_model *m, bool montecarlo)
{
    return m->classifier->n_classes <= 3 && montecarlo ? N_RULES : N_RULES - 1;
}

static size_t count_sensitive(const tacit_model *m)
{
    size_t n = 0;

    for (size_t a = 0; a < m->schema->n_attributes; a++)
        n += m->schema->attributes[a].role == TACIT_SENSITIVE;
    return n;
}

static void run(set_up *s, size_t rule, const double *x, tct_stop *stops, size_t *asked)
{
    assert_int_equal(tct_walker_run(s->walker[rule], s->start, x, NULL, s->promises, N_DELTAS, stops, asked, NULL),
                     TACIT_OK);
}

/* delta = 0: the label is the full-information label, always; never more questions than attributes; Opt below. */
static void protocol__exact_labels_and_bounds(void **state)
{
    size_t cases = scaled(400);

    (void)state;
    for (size_t c = 0; c < cases; c++) {
        set_up s;
        size_t n_sensitive;

        begin(&s, c + 1, 2 + c % 7, classes_of(c));
        n_sensitive = count_sensitive(s.model);
        for (size_t person = 0; person < 8; person++) {
            double least;

            draw(&s);
            least = oracle_smallest(s.model, s.x, false, 1e-9);
            for (size_t rule = 0; rule < rules_for(s.model, person == 0); rule++) {
                tct_stop stops[N_DELTAS];
                size_t asked[ROOM];

                run(&s, rule, s.x, stops, asked);
                assert_int_equal(stops[0].end.label, oracle_label(s.model, s.x));
                assert_true(stops[0].end.settled == TACIT_CERTAIN || stops[0].end.settled == TACIT_ALL_REVEALED);
                for (size_t i = 0; i < N_DELTAS; i++) {
                    assert_true(stops[i].end.asked <= n_sensitive);
                    if (stops[i].end.settled == TACIT_CERTAIN || stops[i].end.settled == TACIT_ALL_REVEALED)
                        assert_int_equal(stops[i].end.label, oracle_label(s.model, s.x));
                    if (i)
                        assert_true(stops[i].end.asked <= stops[i - 1].end.asked);
                }
                assert_true((double)stops[0].end.asked >= least);
            }
        }
        end(&s);
    }
}

/* The transcript is a function of what was revealed: poison everything else and nothing changes. */
static void protocol__transcript_reads_only_what_was_asked(void **state)
{
    size_t cases = scaled(400);

    (void)state;
    for (size_t c = 0; c < cases; c++) {
        set_up s;

        begin(&s, c + 1000, 2 + c % 7, 2 + c % 3);
        for (size_t rule = 0; rule < rules_for(s.model, c % 4 == 0); rule++)
            for (size_t i = 0; i < N_DELTAS; i++) {
                tct_stop stop, again;
                size_t asked[ROOM], asked_again[ROOM];
                unsigned char revealed[ROOM] = {0};
                double y[ROOM * 8];

                draw(&s);
                assert_int_equal(
                    tct_walker_run(s.walker[rule], s.start, s.x, NULL, &s.promises[i], 1, &stop, asked, NULL),
                    TACIT_OK);
                memcpy(y, s.x, sizeof y);
                for (size_t k = 0; k < stop.end.asked; k++)
                    revealed[asked[k]] = 1;
                for (size_t a = 0; a < s.model->schema->n_attributes; a++)
                    if (!revealed[a] && s.model->schema->attributes[a].role == TACIT_SENSITIVE)
                        for (size_t j = 0; j < s.model->codec->domains[a].width; j++)
                            y[s.model->codec->domains[a].first + j] = NAN;
                assert_int_equal(
                    tct_walker_run(s.walker[rule], s.start, y, NULL, &s.promises[i], 1, &again, asked_again, NULL),
                    TACIT_OK);
                assert_int_equal(again.end.asked, stop.end.asked);
                assert_memory_equal(asked_again, asked, stop.end.asked * sizeof *asked);
                assert_int_equal(again.end.settled, stop.end.settled);
                assert_int_equal(again.end.label, stop.end.label);
            }
        end(&s);
    }
}

/* Proven for a set of known attributes, proven for every larger one; and never proven where it is false. */
static void protocol__pure_test_is_sound_and_monotone(void **state)
{
    size_t cases = scaled(1500);

    (void)state;
    for (size_t c = 0; c < cases; c++) {
        set_up s;
        const tct_stage *stage;
        unsigned char known[ROOM] = {0};
        bool was_certain = false;
        size_t left[ROOM], n;

        begin(&s, c + 5000, 2 + c % 7, classes_of(c));
        draw(&s);
        n = s.model->schema->n_attributes;
        assert_int_equal(tct_plan_start(s.plan, NULL, &stage, NULL), TACIT_OK);
        for (size_t a = 0; a < n; a++)
            left[a] = a;
        for (size_t step = 0; step < n; step++) {
            tct_look look;
            bool certain;
            size_t pick = step + (size_t)tct_random_below(&s.random, n - step), a = left[pick];

            assert_int_equal(tct_walker_look(s.walker[0], stage, s.x, &s.promises[0], &look, NULL), TACIT_OK);
            certain = look.settled == TACIT_CERTAIN;
            if (certain) {
                assert_int_equal(look.label, oracle_label(s.model, s.x));
                assert_true(oracle_settled(s.model, known, s.x, 1e-9));
            } else {
                assert_false(was_certain);
                assert_false(oracle_settled(s.model, known, s.x, -1e-9)); /* clearly settled is recognised */
            }
            was_certain = certain;
            left[pick] = left[step];
            known[a] = 1;
            assert_int_equal(tct_plan_step(s.plan, stage, a, &stage, NULL), TACIT_OK);
        }
        end(&s);
    }
}

/* tacit_certify agrees with the protocol's own test, and its witnesses are what they claim to be. */
static void protocol__certificates_and_witnesses(void **state)
{
    size_t cases = scaled(1500), refuted = 0, certified = 0;

    (void)state;
    for (size_t c = 0; c < cases; c++) {
        tacit_model *m = make_linear_model(c + 9000, 1 + c % 6, classes_of(c), true);
        tacit_person *p;
        tacit_certificate certificate;
        double x[ROOM * 8];
        tct_random random;

        tct_random_seed(&random, c, 3);
        draw_person(m, &random, x);
        assert_int_equal(tacit_person_new(&p, m, NULL), TACIT_OK);
        for (size_t a = 0; a < m->schema->n_attributes; a++)
            if (tct_random_below(&random, 2))
                tct_person_take(p, a, x);
        assert_int_equal(tacit_certify(&certificate, p, NULL), TACIT_OK);
        if (certificate.verdict == TACIT_CERTIFIED) {
            certified++;
            assert_int_equal(certificate.label, oracle_label(m, x));
            assert_true(oracle_settled(m, p->known, x, 1e-9));
        } else {
            assert_false(oracle_settled(m, p->known, x, -1e-9));
        }
        if (certificate.verdict == TACIT_REFUTED) {
            refuted++;
            assert_int_not_equal(tacit_person_label(certificate.witness[0]),
                                 tacit_person_label(certificate.witness[1]));
            for (size_t w = 0; w < 2; w++)
                for (size_t a = 0; a < m->schema->n_attributes; a++)
                    if (p->known[a])
                        assert_memory_equal(certificate.witness[w]->x + m->codec->domains[a].first,
                                            p->x + m->codec->domains[a].first,
                                            m->codec->domains[a].width * sizeof(double));
        }
        tacit_certificate_clear(&certificate);
        tacit_person_free(p);
        tacit_model_free(m);
    }
    assert_true(cases < 100 || (refuted > 20 && certified > 20));
}

/* A session that is given the answers one by one sees what the walk sees, and undo goes back exactly. */
static void protocol__session_equals_walk(void **state)
{
    size_t cases = scaled(300);

    (void)state;
    for (size_t c = 0; c < cases; c++) {
        set_up s;
        tacit_person *p;

        begin(&s, c + 20000, 2 + c % 6, 2 + c % 3);
        assert_int_equal(tacit_person_new(&p, s.model, NULL), TACIT_OK);
        draw(&s);
        for (size_t a = 0; a < s.model->schema->n_attributes; a++)
            tct_person_take(p, a, s.x);
        for (size_t rule = 0; rule < 3; rule++)
            for (size_t i = 0; i < N_DELTAS; i++) {
                tacit_release_options options = {.delta = DELTAS[i], .rule = RULES[rule], .seed = 1};
                tacit_session *session;
                tacit_decision decision, back;
                tct_stop stop;
                size_t asked[ROOM], at = 0;

                assert_int_equal(
                    tct_walker_run(s.walker[rule], s.start, s.x, NULL, &s.promises[i], 1, &stop, asked, NULL),
                    TACIT_OK);
                assert_int_equal(tacit_session_open(&session, s.model, &options, NULL), TACIT_OK);
                assert_int_equal(tacit_session_replay(session, p, NULL), TACIT_OK);
                assert_int_equal(tacit_session_decision(session, &decision, NULL), TACIT_OK);
                assert_int_equal(decision.asked, stop.end.asked);
                assert_int_equal(decision.label, stop.end.label);
                assert_int_equal(decision.settled, stop.end.settled);
                for (size_t e = 0; e < tacit_session_events(session); e++)
                    if (tacit_session_event(session, e)->role == TACIT_SENSITIVE)
                        assert_int_equal(tacit_session_event(session, e)->attribute, asked[at++]);
                assert_int_equal(at, stop.end.asked);
                if (at) {
                    assert_int_equal(tacit_session_undo(session, NULL), TACIT_OK);
                    assert_int_equal(tacit_session_next(session, &at, NULL), TACIT_OK);
                    assert_int_equal(at, asked[stop.end.asked - 1]);
                    assert_int_equal(tacit_session_replay(session, p, NULL), TACIT_OK);
                    assert_int_equal(tacit_session_decision(session, &back, NULL), TACIT_OK);
                    assert_true(back.label == decision.label && back.asked == decision.asked &&
                                back.settled == decision.settled && back.probability == decision.probability);
                }
                tacit_session_free(session);
            }
        tacit_person_free(p);
        end(&s);
    }
}

/* Refusing routes around: a refused attribute is never asked again, and what is called certain holds without it. */
static void protocol__refusals_are_respected(void **state)
{
    size_t cases = scaled(100);

    (void)state;
    for (size_t c = 0; c < cases; c++) {
        tacit_model *m = make_linear_model(c + 30000, 2 + c % 6, 2 + c % 3, true);
        tacit_release_options options = {.delta = c % 2 ? 0.05 : 0};
        tacit_session *session;
        tacit_decision decision;
        unsigned char refused[ROOM] = {0};
        double x[ROOM * 8];
        tct_random random;
        char text[64];

        tct_random_seed(&random, c, 9);
        draw_person(m, &random, x);
        assert_int_equal(tacit_session_open(&session, m, &options, NULL), TACIT_OK);
        for (;;) {
            tacit_outlook ahead;
            size_t a;

            assert_int_equal(tacit_session_outlook(session, 0, &ahead, NULL), TACIT_OK);
            assert_true(ahead.about >= 0 && ahead.about <= (double)ahead.at_most);
            assert_true(ahead.settles >= 0 && ahead.settles <= 1);
            assert_int_equal(tacit_session_next(session, &a, NULL), TACIT_OK);
            if (a == TACIT_NONE) {
                assert_true(ahead.at_most == 0 && ahead.about == 0 && ahead.settles == 0);
                break;
            }
            assert_false(refused[a] || tacit_person_knows(tacit_session_person(session), a));
            if (tct_random_below(&random, 3) == 0) {
                refused[a] = 1;
                assert_int_equal(tacit_session_refuse(session, a, NULL), TACIT_OK);
                assert_int_equal(tacit_session_refuse(session, a, NULL), TACIT_E_USAGE);
                continue;
            }
            tct_decode_cell(m->codec, a, x + m->codec->domains[a].first, text, sizeof text);
            assert_int_equal(tacit_session_answer(session, a, text, NULL), TACIT_OK);
        }
        assert_int_equal(tacit_session_decision(session, &decision, NULL), TACIT_OK);
        assert_int_not_equal(decision.settled, TACIT_OPEN);
        if (decision.settled == TACIT_CERTAIN) {
            const tacit_person *p = tacit_session_person(session);
            double y[ROOM * 8];

            for (size_t trial = 0; trial < 20; trial++) { /* any completion gets the label */
                draw_person(m, &random, y);
                for (size_t a = 0; a < m->schema->n_attributes; a++)
                    if (p->known[a])
                        memcpy(y + m->codec->domains[a].first, p->x + m->codec->domains[a].first,
                               m->codec->domains[a].width * sizeof(double));
                assert_int_equal(oracle_label(m, y), decision.label);
            }
        }
        tacit_session_free(session);
        tacit_model_free(m);
    }
}

/* The order theorem: the largest tau^2 is the smallest expected entropy, whatever the values. */
static void protocol__order_theorem(void **state)
{
    size_t cases = scaled(300);

    (void)state;
    for (size_t c = 0; c < cases; c++) {
        tacit_model *m = make_linear_model(3 * c + 40002, 3 + c % 5, 2, false);
        tct_plan *plan;
        const tct_stage *stage;
        tct_noise noise;
        tct_random random;
        double x[ROOM * 8], scores[8], *scratch = tct_calloc(tct_rule_scratch(m), sizeof(double));

        assert_int_equal(tct_noise_init(&noise, 1, NULL), TACIT_OK);
        tct_random_seed(&random, c, 4);
        draw_typical_person(m, &random, x);
        assert_int_equal(tct_plan_new(&plan, m, NULL), TACIT_OK);
        assert_int_equal(tct_plan_public(plan, &stage, NULL), TACIT_OK);
        tct_law_mean(stage->law, stage->belief, x, scores);
        for (size_t a = 0; a < m->schema->n_attributes; a++)
            for (size_t b = 0; b < m->schema->n_attributes; b++) {
                tct_view view = {.model = m,
                                 .belief = stage->belief,
                                 .law = stage->law,
                                 .scores = scores,
                                 .extremes = tct_plan_extremes(plan),
                                 .x = x,
                                 .known = stage->known,
                                 .noise = &noise};

                if (stage->known[a] || stage->known[b] || !(stage->tau2[a] > stage->tau2[b] * (1 + 1e-6)))
                    continue;
                assert_true(tct_expected_entropy(&view, a, scratch) <= tct_expected_entropy(&view, b, scratch) + 1e-6);
            }
        tct_free(scratch);
        tct_plan_free(plan);
        tacit_model_free(m);
    }
}

/* From five classes on probabilities are counted over a lattice: close to the exact expectation. */
static void protocol__lattice_counts_come_close(void **state)
{
    size_t cases = scaled(4);

    (void)state;
    for (size_t c = 0; c < cases; c++) {
        tacit_model *m = make_linear_model(c + 60000, 5, 5, false);
        double x[ROOM * 8], scores[8], *scratch = tct_calloc(tct_rule_scratch(m), sizeof(double));
        tct_noise lattice, exact;
        tct_plan *plan;
        const tct_stage *stage;
        tct_random random;

        tct_random_seed(&random, c, 4);
        draw_typical_person(m, &random, x);
        assert_int_equal(tct_noise_init(&lattice, 5, NULL), TACIT_OK);
        assert_int_equal(tct_noise_init(&exact, 1, NULL), TACIT_OK); /* without a lattice */
        assert_int_equal(tct_plan_new(&plan, m, NULL), TACIT_OK);
        assert_int_equal(tct_plan_public(plan, &stage, NULL), TACIT_OK);
        tct_law_mean(stage->law, stage->belief, x, scores);
        for (size_t a = 0; a < m->schema->n_attributes; a++) {
            tct_view view = {.model = m,
                             .belief = stage->belief,
                             .law = stage->law,
                             .scores = scores,
                             .extremes = tct_plan_extremes(plan),
                             .x = x,
                             .known = stage->known};
            double counted, integrated;

            if (stage->known[a])
                continue;
            view.noise = &lattice;
            counted = tct_expected_entropy(&view, a, scratch);
            view.noise = &exact;
            integrated = tct_expected_entropy(&view, a, scratch);
            assert_true(fabs(counted - integrated) < 0.02);
        }
        tct_noise_clear(&lattice);
        tct_free(scratch);
        tct_plan_free(plan);
        tacit_model_free(m);
    }
}

/* A plan that may not grow gives the same walks. */
static void protocol__small_plans_walk_the_same(void **state)
{
    size_t cases = scaled(100);

    (void)state;
    for (size_t c = 0; c < cases; c++) {
        set_up s;
        tct_plan *tiny;
        tct_walker *walker;
        const tct_stage *start;

        begin(&s, c + 50000, 4 + c % 5, 2 + c % 2);
        assert_int_equal(tct_plan_new(&tiny, s.model, NULL), TACIT_OK);
        tct_plan_limit(tiny, 0);
        assert_int_equal(tct_walker_new(&walker, tiny, TACIT_RULE_MARGIN, 1, NULL), TACIT_OK);
        for (size_t person = 0; person < 5; person++) {
            tct_stop a[N_DELTAS], b[N_DELTAS];
            size_t asked_a[ROOM], asked_b[ROOM];

            draw(&s);
            assert_int_equal(tct_plan_public(tiny, &start, NULL), TACIT_OK);
            run(&s, 1, s.x, a, asked_a);
            assert_int_equal(tct_walker_run(walker, start, s.x, NULL, s.promises, N_DELTAS, b, asked_b, NULL),
                             TACIT_OK);
            for (size_t i = 0; i < N_DELTAS; i++)
                assert_true(a[i].end.asked == b[i].end.asked && a[i].end.label == b[i].end.label &&
                            a[i].end.settled == b[i].end.settled);
            assert_memory_equal(asked_a, asked_b, a[0].end.asked * sizeof *asked_a);
        }
        tct_walker_free(walker);
        tct_plan_free(tiny);
        end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(protocol__exact_labels_and_bounds),
        cmocka_unit_test(protocol__transcript_reads_only_what_was_asked),
        cmocka_unit_test(protocol__pure_test_is_sound_and_monotone),
        cmocka_unit_test(protocol__certificates_and_witnesses),
        cmocka_unit_test(protocol__session_equals_walk),
        cmocka_unit_test(protocol__refusals_are_respected),
        cmocka_unit_test(protocol__order_theorem),
        cmocka_unit_test(protocol__lattice_counts_come_close),
        cmocka_unit_test(protocol__small_plans_walk_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
