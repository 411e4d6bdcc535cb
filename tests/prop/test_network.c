/*
 * test_network.c -- what must hold for every network and every person, on random small ones: up to three hidden layers,
 * two and three classes, numbers, integers, ordinal and one-hot categories, unequal costs, ties.
 *
 * Every failure names the seed of the model, so that make_mlp_model(seed, ...) brings it back.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../bench/literal_network.h"
#include "smallest_set.h"
#include "oracle.h"
#include "person.h"
#include "scale.h"
#include "verifier.h"
#include "scratch.h"
#include "walk.h"

static const tacit_rule RULES[] = {TACIT_RULE_ENTROPY, TACIT_RULE_MARGIN, TACIT_RULE_STOP, TACIT_RULE_MONTECARLO};
static const double DELTAS[] = {0, 0.05, 0.3};
enum { N_RULES = 4, N_DELTAS = 3, ROOM = 16, INPUTS = 128, PEOPLE = 60 };

/* A network, and everything to walk with. */
typedef struct set_up {
    tacit_model *model;
    tct_plan *plan;
    tct_walker *walker[N_RULES];
    const tct_stage *start;
    tct_promise promises[N_DELTAS];
    tct_random random;
    double x[INPUTS];
} set_up;

static char where[160]; /* the case being tried */

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            fail_msg("%s: %s", where, #condition);                                                                     \
    } while (0)

static tacit_model *make_case(uint64_t seed, size_t n_attributes, size_t n_classes)
{
    size_t layers = seed % 4, width = 2 + seed % 5;
    bool categories = seed % 3 != 0;

    snprintf(where, sizeof where, "make_mlp_model(%llu, %zu, %zu, %d, %zu, %zu)", (unsigned long long)seed,
             n_attributes, n_classes, categories, layers, width);
    return make_mlp_model(seed, n_attributes, n_classes, categories, layers, width);
}

static void begin_by(set_up *s, uint64_t seed, size_t n_attributes, size_t n_classes, bool first_order)
{
    s->model = make_case(seed, n_attributes, n_classes);
    s->model->first_order = first_order;
    CHECK(s->model->codec->n_inputs <= INPUTS);
    CHECK(!tct_plan_new(&s->plan, s->model, NULL));
    for (size_t i = 0; i < N_RULES; i++)
        CHECK(!tct_walker_new(&s->walker[i], s->plan, RULES[i], 1, NULL));
    CHECK(!tct_plan_public(s->plan, &s->start, NULL));
    for (size_t i = 0; i < N_DELTAS; i++)
        s->promises[i] = tct_promise_of(s->model, TACIT_RULE_ENTROPY, DELTAS[i]);
    tct_random_seed(&s->random, seed, 5);
}

static void begin(set_up *s, uint64_t seed, size_t n_attributes, size_t n_classes)
{
    begin_by(s, seed, n_attributes, n_classes, false);
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

static size_t count_sensitive(const tacit_model *m)
{
    size_t n = 0;

    for (size_t a = 0; a < m->schema->n_attributes; a++)
        n += m->schema->attributes[a].role == TACIT_SENSITIVE;
    return n;
}

static tacit_person *make_person(const tacit_model *m, const double *x)
{
    tacit_person *p;

    CHECK(!tacit_person_new(&p, m, NULL));
    for (size_t a = 0; a < m->schema->n_attributes; a++)
        tct_person_take(p, a, x);
    return p;
}

static bool same_stop(const tct_stop *a, const tct_stop *b)
{
    return a->end.asked == b->end.asked && a->end.settled == b->end.settled && a->end.label == b->end.label;
}

/* delta = 0: the label is the full-information label, by every rule; never more questions than attributes; larger
 * deltas never ask more; somebody who walked before makes no difference. */
static void network__exact_labels_by_every_rule(void **state)
{
    size_t cases = scaled(300), certain = 0, early = 0;

    (void)state;
    for (size_t c = 0; c < cases; c++) {
        set_up s;

        begin(&s, c + 1, 2 + c % 5, 2 + c % 2);
        for (size_t person = 0; person < 6; person++) {
            draw(&s);
            for (size_t rule = 0; rule < (person == 0 && c % 4 == 0 ? N_RULES : N_RULES - 1); rule++) {
                tct_stop stops[N_DELTAS], again;
                size_t asked[ROOM], n = count_sensitive(s.model), label = oracle_label(s.model, s.x);

                CHECK(!tct_walker_run(s.walker[rule], s.start, s.x, NULL, s.promises, N_DELTAS, stops, asked, NULL));
                CHECK(stops[0].end.label == label);
                CHECK(stops[0].end.settled == TACIT_CERTAIN || stops[0].end.settled == TACIT_ALL_REVEALED);
                for (size_t i = 0; i < N_DELTAS; i++) {
                    CHECK(stops[i].end.asked <= n);
                    CHECK(i == 0 || stops[i].end.asked <= stops[i - 1].end.asked);
                    CHECK(stops[i].end.settled == TACIT_LIKELY || stops[i].end.label == label);
                }
                certain += stops[0].end.settled == TACIT_CERTAIN;
                early += stops[0].end.asked < n;
                tct_walker_next_person(s.walker[rule]);
                CHECK(!tct_walker_run(s.walker[rule], s.start, s.x, NULL, s.promises, 1, &again, asked, NULL));
                CHECK(same_stop(&again, &stops[0]));
                tct_walker_next_person(s.walker[rule]);
            }
        }
        end(&s);
    }
    assert_true(cases < 100 || (certain > cases && early > cases));
}

/* NaN wherever nobody asked. */
static void poison(const tacit_model *m, const size_t *asked, size_t n_asked, const double *x, double *y)
{
    unsigned char revealed[ROOM] = {0};

    memcpy(y, x, INPUTS * sizeof *y);
    for (size_t k = 0; k < n_asked; k++)
        revealed[asked[k]] = 1;
    for (size_t a = 0; a < m->schema->n_attributes; a++)
        if (!revealed[a] && m->schema->attributes[a].role == TACIT_SENSITIVE)
            for (size_t j = 0; j < m->codec->domains[a].width; j++)
                y[m->codec->domains[a].first + j] = NAN;
}

/* The transcript is a function of what was revealed: poison everything else and nothing changes, probabilities to the
 * last bit included. */
static void network__transcript_reads_only_what_was_asked(void **state)
{
    size_t cases = scaled(300);

    (void)state;
    for (size_t c = 0; c < cases; c++) {
        set_up s;

        begin(&s, c + 1000, 2 + c % 5, 2 + c % 2);
        for (size_t rule = 0; rule < (c % 4 == 0 ? N_RULES : N_RULES - 1); rule++)
            for (size_t i = 0; i < N_DELTAS; i++) {
                size_t asked[ROOM], asked_again[ROOM];
                tct_stop stop, again;
                double y[INPUTS];

                draw(&s);
                CHECK(!tct_walker_run(s.walker[rule], s.start, s.x, NULL, &s.promises[i], 1, &stop, asked, NULL));
                tct_walker_next_person(s.walker[rule]);
                poison(s.model, asked, stop.end.asked, s.x, y);
                CHECK(!tct_walker_run(s.walker[rule], s.start, y, NULL, &s.promises[i], 1, &again, asked_again, NULL));
                tct_walker_next_person(s.walker[rule]);
                CHECK(same_stop(&stop, &again));
                CHECK(memcmp(asked, asked_again, stop.end.asked * sizeof *asked) == 0);
                CHECK(memcmp(&stop.probability, &again.probability, sizeof(double)) == 0);
            }
        end(&s);
    }
}

/* Proven for a set of known attributes, proven for every larger one, and true of anybody who agrees on them. */
static void network__proofs_are_true_and_monotone(void **state)
{
    size_t cases = scaled(600), proofs = 0, refuted = 0, undecided = 0;

    (void)state;
    for (size_t c = 0; c < cases; c++) {
        tacit_model *m = make_case(c + 5000, 2 + c % 5, 2 + c % 2);
        size_t n = m->schema->n_attributes, left[ROOM];
        double x[INPUTS], y[INPUTS], first[INPUTS], second[INPUTS];
        unsigned char known[ROOM] = {0};
        tct_region region = tct_region_of(m->codec, known, x);
        bool was_proven = false;
        tct_verifier *verifier;
        tct_random random;

        tct_random_seed(&random, c, 7);
        draw_person(m, &random, x);
        CHECK(!tct_verifier_new(&verifier, m, NULL));
        for (size_t a = 0; a < n; a++)
            left[a] = a;
        for (size_t step = 0; step < n; step++) {
            size_t pick = step + (size_t)tct_random_below(&random, n - step);
            tct_finding finding = {.witness = {first, second}};

            CHECK(!tct_verifier_decide(verifier, &region, 0, &finding, NULL));
            CHECK(!was_proven || finding.verdict == TACIT_CERTIFIED);
            was_proven = finding.verdict == TACIT_CERTIFIED;
            proofs += was_proven;
            refuted += finding.verdict == TACIT_REFUTED;
            undecided += finding.verdict == TACIT_UNDECIDED;
            for (size_t trial = 0; trial < 30 && was_proven; trial++) {
                draw_person(m, &random, y);
                for (size_t a = 0; a < n; a++)
                    if (known[a])
                        memcpy(y + m->codec->domains[a].first, x + m->codec->domains[a].first,
                               m->codec->domains[a].width * sizeof *y);
                CHECK(oracle_label(m, y) == finding.label);
            }
            if (finding.verdict == TACIT_REFUTED) {
                CHECK(oracle_label(m, first) != oracle_label(m, second));
                for (size_t a = 0; a < n; a++)
                    CHECK(!known[a] || (!memcmp(first + m->codec->domains[a].first, x + m->codec->domains[a].first,
                                                m->codec->domains[a].width * sizeof *x) &&
                                        !memcmp(second + m->codec->domains[a].first, x + m->codec->domains[a].first,
                                                m->codec->domains[a].width * sizeof *x)));
            }
            known[left[pick]] = 1;
            left[pick] = left[step];
        }
        tct_verifier_free(verifier);
        tacit_model_free(m);
    }
    print_message("%zu proven, %zu refuted, %zu undecided\n", proofs, refuted, undecided);
    assert_true(cases < 100 || (proofs > cases / 4 && refuted > cases / 4));
}

/* ---------------------------------------------------------------- Opt */

/* The smallest number or cost of sensitive attributes that the verifier proves to settle it, by trying all subsets.
 * undecided: some subset could not be decided. */
static double smallest_by_force(const tacit_model *m, tct_verifier *verifier, const double *x, bool by_cost,
                                bool *undecided)
{
    size_t n = m->schema->n_attributes, n_sensitive = 0, sensitive[ROOM];
    unsigned char known[ROOM];
    tct_region region = tct_region_of(m->codec, known, x);
    double best = 0;

    *undecided = false;
    for (size_t a = 0; a < n; a++)
        if (m->schema->attributes[a].role == TACIT_SENSITIVE) {
            best += by_cost ? m->schema->attributes[a].cost : 1; /* everything known is always settled */
            sensitive[n_sensitive++] = a;
        }
    for (size_t set = 0; set + 1 < (size_t)1 << n_sensitive; set++) {
        tct_finding finding = {0};
        double cost = 0;

        for (size_t a = 0; a < n; a++)
            known[a] = m->schema->attributes[a].role == TACIT_PUBLIC;
        for (size_t i = 0; i < n_sensitive; i++)
            if (set >> i & 1) {
                known[sensitive[i]] = 1;
                cost += by_cost ? m->schema->attributes[sensitive[i]].cost : 1;
            }
        tct_verifier_forget(verifier);
        CHECK(!tct_verifier_decide(verifier, &region, 0, &finding, NULL));
        CHECK(finding.verdict != TACIT_CERTIFIED || finding.label == oracle_label(m, x));
        *undecided = *undecided || finding.verdict == TACIT_UNDECIDED;
        if (finding.verdict == TACIT_CERTIFIED && cost < best)
            best = cost;
    }
    return best;
}

static double cost_of(const tacit_model *m, const size_t *members, size_t n, bool by_cost)
{
    unsigned char seen[ROOM] = {0};
    double cost = 0;

    for (size_t i = 0; i < n; i++) {
        CHECK(!seen[members[i]] && m->schema->attributes[members[i]].role == TACIT_SENSITIVE);
        seen[members[i]] = 1;
        cost += by_cost ? m->schema->attributes[members[i]].cost : 1;
    }
    return cost;
}

/* Opt is what trying every subset gives, is proven, and no rule asks for less. */
static void network__opt_equals_brute_force(void **state)
{
    size_t cases = scaled(250), undecided_cases = 0;

    (void)state;
    for (size_t c = 0; c < cases; c++) {
        set_up s;
        tct_verifier *verifier;
        tct_smallest_set *options;

        begin(&s, c + 10000, 2 + c % 6, 2 + c % 2);
        CHECK(!tct_verifier_new(&verifier, s.model, NULL));
        CHECK(!tct_smallest_set_new(&options, s.model, NULL, NULL));
        for (size_t person = 0; person < 3; person++) {
            size_t members[ROOM], n, asked[ROOM];
            bool undecided = false;

            draw(&s);
            for (size_t by_cost = 0; by_cost < 2; by_cost++) {
                double least = smallest_by_force(s.model, verifier, s.x, by_cost, &undecided), found;

                CHECK(!tct_smallest_set_find(options, s.x, by_cost, members, &n, NULL, NULL));
                found = cost_of(s.model, members, n, by_cost);
                if (undecided)
                    undecided_cases++;
                else
                    CHECK(fabs(found - least) < 1e-9);
                for (size_t rule = 0; rule < N_RULES - 1 && !undecided && !by_cost; rule++) {
                    tct_stop stop;

                    CHECK(!tct_walker_run(s.walker[rule], s.start, s.x, NULL, s.promises, 1, &stop, asked, NULL));
                    tct_walker_next_person(s.walker[rule]);
                    CHECK((double)stop.end.asked >= least && stop.end.asked <= count_sensitive(s.model));
                }
            }
        }
        tct_smallest_set_free(options);
        tct_verifier_free(verifier);
        end(&s);
    }
    print_message("%zu of %zu comparisons left out: undecided\n", undecided_cases, 6 * cases);
    assert_true(undecided_cases <= 6 * cases / 20);
}

/* ---------------------------------------------------------------- sessions */

/* Step by step as in one go; and undo goes back exactly, to the very start. */
static void network__session_equals_walk_and_undoes(void **state)
{
    size_t cases = scaled(120);

    (void)state;
    for (size_t c = 0; c < cases; c++) {
        set_up s;
        tacit_person *p;

        begin(&s, c + 20000, 2 + c % 5, 2 + c % 2);
        draw(&s);
        p = make_person(s.model, s.x);
        for (size_t rule = 0; rule < N_RULES - 1; rule++)
            for (size_t i = 0; i < N_DELTAS; i++) {
                tacit_release_options options = {.delta = DELTAS[i], .rule = RULES[rule], .seed = 1};
                size_t asked[ROOM], at = 0, next;
                tacit_decision decision, back;
                tacit_session *session;
                tct_stop stop;

                CHECK(!tct_walker_run(s.walker[rule], s.start, s.x, NULL, &s.promises[i], 1, &stop, asked, NULL));
                tct_walker_next_person(s.walker[rule]);
                CHECK(!tacit_session_open(&session, s.model, &options, NULL));
                CHECK(!tacit_session_replay(session, p, NULL));
                CHECK(!tacit_session_decision(session, &decision, NULL));
                CHECK(decision.asked == stop.end.asked && decision.settled == stop.end.settled);
                CHECK(decision.label == stop.end.label);
                for (size_t e = 0; e < tacit_session_events(session); e++)
                    if (tacit_session_event(session, e)->role == TACIT_SENSITIVE)
                        CHECK(tacit_session_event(session, e)->attribute == asked[at++]);
                CHECK(at == stop.end.asked);
                for (size_t k = stop.end.asked; k-- > 0;) {
                    CHECK(!tacit_session_undo(session, NULL));
                    CHECK(!tacit_session_next(session, &next, NULL) && next == asked[k]);
                }
                CHECK(!tacit_session_replay(session, p, NULL));
                CHECK(!tacit_session_decision(session, &back, NULL));
                CHECK(back.label == decision.label && back.asked == decision.asked);
                CHECK(back.settled == decision.settled && back.probability == decision.probability);
                tacit_session_free(session);
            }
        tacit_person_free(p);
        end(&s);
    }
}

/* A refused attribute is never asked again, and what is called certain holds whatever it is. */
static void network__refusals_are_respected(void **state)
{
    size_t cases = scaled(150), certain = 0;

    (void)state;
    for (size_t c = 0; c < cases; c++) {
        tacit_model *m = make_case(c + 30000, 2 + c % 5, 2 + c % 2);
        tacit_release_options options = {.delta = c % 2 ? 0.05 : 0};
        unsigned char refused[ROOM] = {0};
        const tacit_person *p;
        tacit_session *session;
        tacit_decision decision;
        double x[INPUTS], y[INPUTS];
        tct_random random;
        char text[64];

        tct_random_seed(&random, c, 9);
        draw_person(m, &random, x);
        CHECK(!tacit_session_open(&session, m, &options, NULL));
        for (;;) {
            size_t a;

            CHECK(!tacit_session_next(session, &a, NULL));
            if (a == TACIT_NONE)
                break;
            CHECK(!refused[a] && !tacit_person_knows(tacit_session_person(session), a));
            if (tct_random_below(&random, 3) == 0) {
                refused[a] = 1;
                CHECK(!tacit_session_refuse(session, a, NULL));
                CHECK(tacit_session_refuse(session, a, NULL) == TACIT_E_USAGE);
                continue;
            }
            tct_decode_cell(m->codec, a, x + m->codec->domains[a].first, text, sizeof text);
            CHECK(!tacit_session_answer(session, a, text, NULL));
        }
        CHECK(!tacit_session_decision(session, &decision, NULL) && decision.settled != TACIT_OPEN);
        p = tacit_session_person(session);
        certain += decision.settled == TACIT_CERTAIN;
        for (size_t trial = 0; trial < 30 && decision.settled == TACIT_CERTAIN; trial++) {
            draw_person(m, &random, y);
            for (size_t a = 0; a < m->schema->n_attributes; a++)
                if (p->known[a])
                    memcpy(y + m->codec->domains[a].first, p->x + m->codec->domains[a].first,
                           m->codec->domains[a].width * sizeof *y);
            CHECK(oracle_label(m, y) == decision.label);
        }
        tacit_session_free(session);
        tacit_model_free(m);
    }
    assert_true(cases < 100 || certain > cases / 10);
}

/* ---------------------------------------------------------------- audits */

static char *write_people(const tacit_model *m, tct_random *random)
{
    const tacit_schema *schema = m->schema;
    tct_text text = {0};
    double x[INPUTS];
    char cell[128];

    for (size_t a = 0; a < schema->n_attributes; a++)
        tct_text_printf(&text, "%s,", schema->attributes[a].name);
    tct_text_printf(&text, "%s,team\n", schema->label);
    for (size_t r = 0; r < PEOPLE; r++) {
        draw_person(m, random, x);
        for (size_t a = 0; a < schema->n_attributes; a++) {
            tct_decode_cell(m->codec, a, x + m->codec->domains[a].first, cell, sizeof cell);
            tct_text_printf(&text, "%s,", cell);
        }
        tct_text_printf(&text, "%s,%s\n", schema->classes[r % schema->n_classes], r % 3 ? "red" : "blue");
    }
    assert_false(text.failed);
    return text.bytes;
}

static char *audit_text(const tacit_model *m, const char *path, tacit_rule rule, size_t threads)
{
    tacit_audit_options options = {
        .deltas = DELTAS, .n_deltas = N_DELTAS, .rule = rule, .threads = threads, .group = "team"};
    const tacit_audit_result *r;
    tacit_audit *audit;
    tacit_error err = {0};
    char *json;

    if (tacit_audit_csv(&audit, m, path, NULL, &options, &err))
        fail_msg("%s: %s", where, err.message);
    r = tacit_audit_result_get(audit, 0);
    CHECK(r->people == PEOPLE && r->agree == PEOPLE && r->fidelity == 1);
    CHECK(r->certain + r->all_revealed == PEOPLE && r->failed == 0);
    CHECK(tacit_audit_summary_get(audit)->opt_mean_asked <= r->mean_asked);
    CHECK(!tacit_audit_json(&json, audit, NULL));
    tacit_audit_free(audit);
    return json;
}

/* One and two threads count the same, and fidelity at delta = 0 is exactly 1. */
static void network__audit_is_exact_on_any_number_of_threads(void **state)
{
    size_t cases = scaled(30);

    (void)state;
    for (size_t c = 0; c < cases; c++) {
        tacit_model *m = make_case(c + 40000, 2 + c % 5, 2 + c % 2);
        tct_random random;
        const char *path;
        char *people;

        tct_random_seed(&random, c, 3);
        people = write_people(m, &random);
        path = scratch_text(people);
        for (size_t rule = 0; rule < N_RULES - 1; rule++) {
            char *one = audit_text(m, path, RULES[rule], 1), *two = audit_text(m, path, RULES[rule], 2);

            CHECK(strcmp(one, two) == 0);
            tacit_text_free(one);
            tacit_text_free(two);
        }
        tct_free(people);
        tacit_model_free(m);
    }
}

/* ---------------------------------------------------------------- the paper's algorithm */

/* Two classes, one input an attribute: the library and the literal algorithm see the same network and the same
 * probabilities, and mostly ask the same first question. */
static void network__agrees_with_the_literal_algorithm(void **state)
{
    size_t cases = scaled(60), same = 0, open = 0;

    (void)state;
    for (size_t c = 0; c < cases; c++) {
        static const tct_promise promise = {0.001, 3.090232306167813};
        const tct_mlp *mlp;
        size_t sensitive[ROOM], asked[ROOM];
        literal_network plain = {.sensitive = sensitive, .samples = 400};
        literal_network_outcome outcome;
        literal_random noise = {.state = c};
        bool known[ROOM];
        tct_look look;
        tct_stop stop;
        double p;
        set_up s;

        begin_by(&s, 3 * c + 50001, 2 + c % 5, 2, true); /* seeds that are multiples of 3 have no categories */
        draw(&s);
        mlp = tct_as_mlp(s.model->classifier);
        plain.n_layers = mlp->n_layers;
        plain.sizes = mlp->sizes;
        plain.weights = (const double *const *)mlp->weights;
        plain.bias = (const double *const *)mlp->bias;
        plain.mean = s.model->mean;
        plain.covariance = s.model->covariance;
        for (size_t a = 0; a < s.model->schema->n_attributes; a++) {
            CHECK(s.model->codec->domains[a].width == 1);
            known[a] = s.model->schema->attributes[a].role == TACIT_PUBLIC;
            if (!known[a])
                sensitive[plain.n_sensitive++] = a;
        }
        CHECK(!tct_walker_look(s.walker[0], s.start, s.x, &promise, &look, NULL));
        if (look.settled == TACIT_OPEN || look.settled == TACIT_LIKELY) {
            p = literal_network_probability(&plain, s.x, known);
            CHECK(fabs(look.probability - fmax(p, 1 - p)) < 1e-6);
            CHECK(look.label == (p >= 0.5) || fabs(p - 0.5) < 1e-6);
        }
        literal_network_release(&plain, s.x, 0.001, &noise, &outcome);
        CHECK(!tct_walker_run(s.walker[0], s.start, s.x, NULL, &promise, 1, &stop, asked, NULL));
        if (outcome.asked && stop.end.asked) {
            open++;
            same += outcome.order[0] == asked[0];
        }
        if (!outcome.settled)
            CHECK(outcome.label == oracle_label(s.model, s.x));
        end(&s);
    }
    print_message("%zu of %zu first questions the same\n", same, open);
    assert_true(same * 10 >= open * 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(network__exact_labels_by_every_rule),
        cmocka_unit_test(network__transcript_reads_only_what_was_asked),
        cmocka_unit_test(network__proofs_are_true_and_monotone),
        cmocka_unit_test(network__opt_equals_brute_force),
        cmocka_unit_test(network__session_equals_walk_and_undoes),
        cmocka_unit_test(network__refusals_are_respected),
        cmocka_unit_test(network__audit_is_exact_on_any_number_of_threads),
        cmocka_unit_test(network__agrees_with_the_literal_algorithm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
