/*
 * test_outlook.c -- looking ahead changes nothing: two sessions of the same person, of which one tells before every answer how
 * much lies ahead, ask and decide alike, to the bit, whatever was made up for the estimate.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "make_trees.h"
#include "scale.h"
#include "tacit.h"

/* Trees, whose law draws fewer people for an outlook, more often than others. */
static tacit_model *model_of(uint64_t seed)
{
    size_t n_classes = 2 + seed / 4 % 6;

    switch (seed % 4) {
    case 0:
        return make_linear_model(seed, 5, n_classes, true);
    case 1:
        return make_mlp_model(seed, 4, n_classes, true, 1, 4);
    default:
        return make_tree_model(seed, 5, n_classes, 6 + seed % 30, 1 + seed % 5);
    }
}

static void same_events(const tacit_session *a, const tacit_session *b)
{
    assert_int_equal(tacit_session_events(a), tacit_session_events(b));
    for (size_t e = 0; e < tacit_session_events(a); e++) {
        const tacit_event *x = tacit_session_event(a, e), *y = tacit_session_event(b, e);

        assert_true(x->attribute == y->attribute && x->settled == y->settled && x->label == y->label);
        assert_memory_equal(&x->probability, &y->probability, sizeof x->probability);
    }
}

/* Returns how many questions were asked with something ahead. */
static size_t ask_both(const tacit_model *m, const tacit_release_options *options, const double *x)
{
    tacit_session *quiet = NULL, *telling = NULL;
    size_t asked = 0;

    assert_int_equal(tacit_session_open(&quiet, m, options, NULL), TACIT_OK);
    assert_int_equal(tacit_session_open(&telling, m, options, NULL), TACIT_OK);
    for (;;) {
        tacit_outlook ahead;
        size_t a, b;
        char text[64];

        assert_int_equal(tacit_session_outlook(telling, asked % 2 ? 0 : 9, &ahead, NULL), TACIT_OK);
        assert_int_equal(tacit_session_next(quiet, &a, NULL), TACIT_OK);
        assert_int_equal(tacit_session_next(telling, &b, NULL), TACIT_OK);
        assert_int_equal(a, b);
        if (a == TACIT_NONE)
            break;
        asked++;
        tct_decode_cell(m->codec, a, x + m->codec->domains[a].first, text, sizeof text);
        assert_int_equal(tacit_session_answer(quiet, a, text, NULL), TACIT_OK);
        assert_int_equal(tacit_session_answer(telling, a, text, NULL), TACIT_OK);
    }
    same_events(quiet, telling);
    tacit_session_free(quiet);
    tacit_session_free(telling);
    return asked;
}

static void outlook__changes_nothing(void **state)
{
    static const double deltas[] = {0, 0.02, 0.1, 0.3};
    static const tacit_rule rules[] = {TACIT_RULE_AUTO, TACIT_RULE_ENTROPY, TACIT_RULE_STOP};
    size_t asked = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= scaled(60); seed++) {
        tacit_model *m = model_of(seed);
        double *x = make_model_room(m->codec->n_inputs);
        tct_random random;

        tct_random_seed(&random, seed, 6);
        for (size_t k = 0; k < 4; k++) {
            tacit_release_options options = {.delta = deltas[k], .rule = rules[seed % 3], .brief = seed % 7 == 0};

            draw_person(m, &random, x);
            asked += ask_both(m, &options, x);
        }
        tct_free(x);
        tacit_model_free(m);
    }
    assert_true(asked > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(outlook__changes_nothing)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
