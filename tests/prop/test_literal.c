/*
 * test_literal.c -- the library against the paper's algorithm written down plainly (bench/literal.c), random problems.
 *
 * The literal algorithm estimates expected entropies from samples, the library computes them.  So the two must make
 * the same choices except where two candidates are closer than the noise of the estimates; and as long as the choices
 * are the same, they must stop at the same point with the same label.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "../../bench/literal.h"
#include "json.h"
#include "model.h"
#include "schema.h"

enum { MOST = 8, LEAST = 3, PROBLEMS = 40, PEOPLE = 4 };

/* A random linear problem of numbers between -1 and 1, for both sides. */
typedef struct problem {
    literal_problem plain;
    tacit_model *model;
    double weights[3 * MOST], bias[3], mean[MOST], covariance[MOST * MOST];
    double spread[MOST * MOST]; /* x = mean + spread z */
    size_t sensitive[MOST];
} problem;

static tacit_schema *make_schema(size_t d, size_t n_classes, const bool *is_sensitive)
{
    tct_json_at at = {.file = "problem"};
    tct_text text = {0};
    tacit_schema *schema = NULL;
    json_t *json = NULL;
    tacit_error err = {0};

    tct_text_printf(&text,
                    "{\"format\": \"tacit-schema\", \"version\": 1, \"label\": {\"name\": \"y\", \"classes\": [");
    for (size_t c = 0; c < n_classes; c++)
        tct_text_printf(&text, "%s\"%zu\"", c ? ", " : "", c);
    tct_text_printf(&text, "]}, \"attributes\": [");
    for (size_t i = 0; i < d; i++)
        tct_text_printf(
            &text,
            "%s{\"name\": \"a%zu\", \"type\": \"number\", \"role\": \"%s\", \"min\": -1, \"max\": 1, \"fill\": 0}",
            i ? ", " : "", i, is_sensitive[i] ? "sensitive" : "public");
    tct_text_printf(&text, "]}");
    assert_false(text.failed);
    if (tct_json_parse(&json, text.bytes, text.size, "problem", &err) || tct_schema_from_json(&schema, json, &at, &err))
        fail_msg("%s", err.message);
    json_decref(json);
    tct_text_free(&text);
    return schema;
}

static double *copy_numbers(const double *from, size_t n)
{
    double *to = tct_malloc(n, sizeof(*to));

    assert_non_null(to);
    memcpy(to, from, n * sizeof(*to));
    return to;
}

static void make_problem(problem *p, tct_random *random, size_t n_classes)
{
    size_t d = LEAST + tct_random_below(random, MOST - LEAST + 1), n_scores = n_classes == 2 ? 1 : n_classes;
    bool is_sensitive[MOST] = {false};
    tct_classifier *classifier = NULL;
    tacit_error err = {0};

    memset(p, 0, sizeof(*p));
    for (size_t i = 0; i < d; i++) {
        p->mean[i] = 0.3 * tct_random_normal(random);
        is_sensitive[i] = i == 0 || tct_random_uniform(random) < 0.8;
        for (size_t k = 0; k < d; k++)
            p->spread[i * d + k] = (0.15 + 0.35 * (i == k)) * tct_random_normal(random);
        if (is_sensitive[i])
            p->sensitive[p->plain.n_sensitive++] = i;
    }
    for (size_t i = 0; i < d * d; i++)
        for (size_t k = 0; k < d; k++)
            p->covariance[i] += p->spread[i / d * d + k] * p->spread[i % d * d + k];
    for (size_t s = 0; s < n_scores; s++) {
        p->bias[s] = 0.2 * tct_random_normal(random);
        for (size_t i = 0; i < d; i++)
            p->weights[s * d + i] = tct_random_normal(random);
    }
    p->plain.n_inputs = d;
    p->plain.n_classes = n_classes;
    p->plain.weights = p->weights;
    p->plain.bias = p->bias;
    p->plain.mean = p->mean;
    p->plain.covariance = p->covariance;
    p->plain.sensitive = p->sensitive;
    p->plain.samples = n_classes == 2 ? LITERAL_SAMPLES : 300;
    p->plain.stop_when_proven = true;
    if (tct_linear_new(&classifier, d, n_classes, p->weights, p->bias, &err) ||
        tct_model_assemble(&p->model, make_schema(d, n_classes, is_sensitive), classifier, copy_numbers(p->mean, d),
                           copy_numbers(p->covariance, d * d), &err))
        fail_msg("%s", err.message);
}

/* A person from the problem's own distribution, moved into the domain; x as the library reads it from text. */
static tacit_person *make_person(const problem *p, tct_random *random, double *x, char text[MOST][32])
{
    tacit_person *person = NULL;
    size_t d = p->plain.n_inputs;
    double z[MOST];

    assert_int_equal(tacit_person_new(&person, p->model, NULL), TACIT_OK);
    for (size_t i = 0; i < d; i++)
        z[i] = tct_random_normal(random);
    for (size_t i = 0; i < d; i++) {
        x[i] = p->mean[i];
        for (size_t k = 0; k < d; k++)
            x[i] += p->spread[i * d + k] * z[k];
        x[i] = fmin(1, fmax(-1, x[i]));
        tct_format_number(x[i], text[i], 32);
        assert_int_equal(tacit_person_set(person, i, text[i], NULL, NULL), TACIT_OK);
    }
    return person;
}

/* The library's questionnaire for a person. */
static tacit_decision run_session(const problem *p, double delta, tacit_rule rule, const tacit_person *person,
                                  size_t *order)
{
    tacit_release_options options = {.delta = delta, .rule = rule, .seed = 5};
    tacit_session *session = NULL;
    tacit_decision decision;
    tacit_error err = {0};
    size_t n = 0;

    if (tacit_session_open(&session, p->model, &options, &err) || tacit_session_replay(session, person, &err) ||
        tacit_session_decision(session, &decision, &err))
        fail_msg("%s", err.message);
    for (size_t e = 0; e < tacit_session_events(session); e++)
        if (tacit_session_event(session, e)->role == TACIT_SENSITIVE)
            order[n++] = tacit_session_event(session, e)->attribute;
    assert_int_equal(n, decision.asked);
    tacit_session_free(session);
    return decision;
}

/* Candidate a was preferred to b: exact expected entropies must say so. */
static void check_exact(const problem *p, const double *x, const size_t *order, size_t step, size_t a, size_t b)
{
    bool known[MOST];

    for (size_t i = 0; i < p->plain.n_inputs; i++)
        known[i] = true;
    for (size_t i = 0; i < p->plain.n_sensitive; i++)
        known[p->sensitive[i]] = false;
    for (size_t i = 0; i < step; i++)
        known[order[i]] = true;
    assert_true(literal_expected_entropy(&p->plain, x, known, a) <=
                literal_expected_entropy(&p->plain, x, known, b) + 1e-9);
}

/* How many choices the two paths share; where they part, only noise may be to blame. */
static size_t compare_orders(const problem *p, const double *x, const size_t *order, size_t n_order,
                             const literal_outcome *plain)
{
    size_t step = 0, shorter = n_order < plain->asked ? n_order : plain->asked;
    const literal_estimate *estimates;
    double difference, noise;

    while (step < shorter && order[step] == plain->order[step])
        step++;
    if (step == shorter)
        return step;
    estimates = plain->estimates + step * p->plain.n_inputs;
    difference = estimates[order[step]].entropy - estimates[plain->order[step]].entropy;
    noise = hypot(estimates[order[step]].error, estimates[plain->order[step]].error);
    if (!(difference <= 6 * noise + 1e-12))
        fail_msg("choice %zu: %zu against %zu, %g apart with noise %g", step + 1, order[step], plain->order[step],
                 difference, noise);
    if (p->plain.n_classes == 2)
        check_exact(p, x, order, step, order[step], plain->order[step]);
    return step;
}

static void compare_problem(problem *p, tct_random *random, const double *deltas, size_t n_deltas, size_t *same,
                            size_t *total)
{
    literal_estimate estimates[MOST * MOST];
    literal_outcome plain = {.estimates = estimates};
    literal_random draws = {.state = tct_random_bits(random)};
    size_t order[MOST], members[MOST], n_members;
    char text[MOST][32];
    double x[MOST];

    for (size_t person_number = 0; person_number < PEOPLE; person_number++) {
        tacit_person *person = make_person(p, random, x, text);

        assert_int_equal(tacit_person_label(person), literal_baseline(&p->plain, x));
        assert_int_equal(tacit_smallest_core(person, false, members, &n_members, NULL), TACIT_OK);
        assert_int_equal(n_members, literal_opt(&p->plain, x));
        for (size_t i = 0; i < n_deltas; i++) {
            tacit_decision decision = run_session(p, deltas[i], TACIT_RULE_ENTROPY, person, order);
            size_t shared;

            literal_release(&p->plain, x, deltas[i], &draws, &plain);
            shared = compare_orders(p, x, order, decision.asked, &plain);
            *same += shared;
            *total += shared;
            if (shared < decision.asked && shared < plain.asked) {
                *total += 1; /* a choice that differs ends the comparison */
            } else {
                assert_int_equal(decision.asked, plain.asked);
                assert_int_equal(decision.label, plain.label);
                assert_int_equal(decision.settled == TACIT_ALL_REVEALED, !plain.settled);
            }
            if (deltas[i] == 0) {
                assert_int_equal(decision.label, literal_baseline(&p->plain, x));
                assert_int_equal(plain.label, decision.label);
                assert_true(n_members <= decision.asked);
            }
        }
        tacit_person_free(person);
    }
}

static void literal__same_paths_and_labels_two_classes(void **state)
{
    static const double deltas[] = {0, 0.02, 0.1, 0.3};
    size_t same = 0, total = 0;
    tct_random random;
    problem p;

    (void)state;
    tct_random_seed(&random, 11, 0);
    for (size_t i = 0; i < PROBLEMS; i++) {
        make_problem(&p, &random, 2);
        compare_problem(&p, &random, deltas, 4, &same, &total);
        tacit_model_free(p.model);
    }
    print_message("%zu of %zu choices equal\n", same, total);
    assert_true(same >= total * 9 / 10);
}

/* More classes: the literal stopping test at delta > 0 is itself an estimate, so only delta = 0 stops alike. */
static void literal__same_paths_and_labels_three_classes(void **state)
{
    static const double deltas[] = {0};
    size_t same = 0, total = 0;
    tct_random random;
    problem p;

    (void)state;
    tct_random_seed(&random, 12, 0);
    for (size_t i = 0; i < PROBLEMS / 4; i++) {
        make_problem(&p, &random, 3);
        compare_problem(&p, &random, deltas, 1, &same, &total);
        tacit_model_free(p.model);
    }
    print_message("%zu of %zu choices equal\n", same, total);
    assert_true(same >= total * 7 / 10);
}

/* The library's own sampled rule chooses what the literal algorithm could have chosen. */
static void literal__sampled_rule_first_choice(void **state)
{
    size_t order[MOST];
    char text[MOST][32];
    double x[MOST];
    tct_random random;
    problem p;

    (void)state;
    tct_random_seed(&random, 13, 0);
    for (size_t i = 0; i < PROBLEMS; i++) {
        literal_estimate estimates[MOST * MOST];
        literal_outcome plain = {.estimates = estimates};
        literal_random draws = {.state = i};
        tacit_person *person;
        tacit_decision decision;

        make_problem(&p, &random, 2);
        person = make_person(&p, &random, x, text);
        literal_release(&p.plain, x, 0, &draws, &plain);
        decision = run_session(&p, 0, TACIT_RULE_MONTECARLO, person, order);
        assert_int_equal(decision.label, plain.label);
        assert_int_equal(decision.asked == 0, plain.asked == 0);
        if (plain.asked > 0) {
            double gap = estimates[order[0]].entropy - estimates[plain.order[0]].entropy;

            /* both sides are noisy here */
            assert_true(gap <= 9 * hypot(estimates[order[0]].error, estimates[plain.order[0]].error) + 1e-12);
        }
        tacit_person_free(person);
        tacit_model_free(p.model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(literal__same_paths_and_labels_two_classes),
        cmocka_unit_test(literal__same_paths_and_labels_three_classes),
        cmocka_unit_test(literal__sampled_rule_first_choice),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
