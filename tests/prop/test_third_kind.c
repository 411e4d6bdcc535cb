/*
 * A kind of classifier that the library does not know, registered through its tables (stumps.h): everything that is
 * done with linear models and networks is done with it, and agrees with brute force.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dispense.h"
#include "smallest_set.h"
#include "people_file.h"
#include "scale.h"
#include "scratch.h"
#include "small_people.h"
#include "stumps.h"

static tacit_model *model_of(uint64_t seed)
{
    return make_stump_model(seed, 2 + seed % 4, 2 + seed % 3, 4 + seed % 9);
}

/* Is the label the same for all completions?  Every combination of values that can matter. */
static bool is_constant(const tacit_model *m, const unsigned char *known, const double *x)
{
    bool constant = false;

    for (size_t label = 0; label < m->classifier->n_classes; label++) {
        tct_claim claim = {m, tct_region_of(m->codec, known, x), label};
        tct_leaf leaf = {&stumps_leaf, &claim, TACIT_NONE};

        constant = constant || stumps_hold(&leaf, &claim.region);
    }
    return constant;
}

static void third__certify(void **state)
{
    size_t counts[3] = {0};

    (void)state;
    for (uint64_t seed = 1; seed <= scaled(400); seed++) {
        tacit_model *m = model_of(seed);

        certify_somebody(m, seed, is_constant, counts);
        tacit_model_free(m);
    }
    assert_int_equal(counts[TACIT_UNDECIDED], 0);
    assert_true(scaled(400) < 400 || (counts[TACIT_CERTIFIED] > 0 && counts[TACIT_REFUTED] > 0));
}

static void third__smallest_sets_and_needs(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= scaled(200); seed++) {
        tacit_model *m = model_of(seed);
        double *x = make_model_room(m->codec->n_inputs);
        size_t members[SMALL_ATTRIBUTES], n;
        tacit_need needs[SMALL_ATTRIBUTES];
        tacit_person *person;
        tct_random random;

        tct_random_seed(&random, seed, 6);
        draw_person(m, &random, x);
        person = person_of(m, x);
        assert_int_equal(tacit_smallest_core(person, false, members, &n, NULL), TACIT_OK);
        assert_int_equal(n, smallest_by_force(m, person->x, is_constant));
        assert_int_equal(tacit_needs_of(person, NULL, 0, needs, NULL, NULL), TACIT_OK);
        for (size_t a = 0; a < m->schema->n_attributes; a++) {
            unsigned char known[SMALL_ATTRIBUTES];

            memset(known, 1, sizeof known);
            known[a] = 0;
            if (m->schema->attributes[a].role == TACIT_SENSITIVE)
                assert_int_equal(needs[a],
                                 is_constant(m, known, person->x) ? TACIT_NEED_NONE : TACIT_NEED_INDISPENSABLE);
        }
        tacit_person_free(person);
        tct_free(x);
        tacit_model_free(m);
    }
}

/* Receipts are accepted as they are, and not with another decision. */
static void check_receipt(const tacit_model *m, tacit_session *session, void *context)
{
    tacit_check check;
    char *receipt = NULL, *at;
    bool unproven = false;

    (void)context;
    assert_int_equal(tacit_session_receipt(&receipt, session, NULL, &unproven, NULL), TACIT_OK);
    assert_false(unproven);
    assert_int_equal(tacit_check_receipt(&check, m, scratch_bytes(receipt, strlen(receipt)), NULL, NULL), TACIT_OK);
    if (!check.valid)
        print_error("%s\n", check.reason);
    assert_true(check.valid);
    at = strstr(receipt, "\"label\": \"");
    assert_non_null(at);
    at[10] = at[10] == '0' ? '1' : '0';
    assert_int_equal(tacit_check_receipt(&check, m, scratch_bytes(receipt, strlen(receipt)), NULL, NULL), TACIT_OK);
    assert_false(check.valid);
    tacit_text_free(receipt);
}

static void third__sessions_and_receipts(void **state)
{
    sessions_played played = {0};

    (void)state;
    for (uint64_t seed = 1; seed <= scaled(60); seed++) {
        tacit_model *m = model_of(seed);

        play_people(m, seed, is_constant, check_receipt, NULL, &played);
        tacit_model_free(m);
    }
    assert_int_equal(played.settled[TACIT_OPEN], 0);
    if (scaled(60) < 60) /* with few cases chance decides */
        return;
    assert_true(played.settled[TACIT_CERTAIN] > 0 && played.settled[TACIT_ALL_REVEALED] > 0);
    assert_true(played.asked < played.all);
}

/* Audits of models that were written and read: at delta 0 nobody's decision differs, beyond it few do. */
static void third__audits(void **state)
{
    static const double deltas[] = {0, 0.1};
    double stopped = 0, failed = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= scaled(12); seed++) {
        tacit_model *made = model_of(seed), *m = NULL;
        const char *path = scratch_text("");
        tacit_audit_options options = {.deltas = deltas, .n_deltas = 2, .threads = 1, .seed = 1};
        const tacit_audit_result *proven, *likely;
        tacit_audit *audit = NULL;
        tacit_error err = {0};

        assert_int_equal(tacit_model_save(made, path, &err), TACIT_OK);
        assert_int_equal(tacit_model_load(&m, path, &err), TACIT_OK);
        assert_string_equal(tacit_model_info_get(m)->kind, "stumps");
        if (tacit_audit_csv(&audit, m, people_file(m, seed, 150, draw_typical_person), NULL, &options, &err))
            fail_msg("%s", err.message);
        proven = tacit_audit_result_get(audit, 0);
        likely = tacit_audit_result_get(audit, 1);
        assert_true(proven->fidelity == 1);
        assert_true(likely->mean_asked <= proven->mean_asked + 0.5);
        stopped += (double)likely->stopped;
        failed += (double)likely->failed;
        tacit_audit_free(audit);
        tacit_model_free(m);
        tacit_model_free(made);
    }
    assert_true(failed <= 0.15 * stopped + 10);
}

/* Without rows for it, a kind is refused by name where something must be proven; who names one that is not there is told
 * all that are. */
static void third__unknown_kind(void **state)
{
    static const tct_classifier_ops nameless = {.kind = "nameless", .scores = stumps_scores, .free = stumps_free};
    tacit_model *m = model_of(3);
    const tct_classifier_ops *kind = NULL;
    tct_prover *prover;
    tacit_error err = {0};

    (void)state;
    m->classifier->ops = &nameless;
    assert_int_equal(tct_prover_new(&prover, m, &err), TACIT_E_USAGE);
    assert_non_null(strstr(err.message, "nameless"));
    assert_int_equal(tct_classifier_kind(&kind, "hyperplanes", &err), TACIT_E_USAGE);
    assert_non_null(strstr(err.message, "there are 'logistic', 'mlp', 'trees' and 'stumps'"));
    m->classifier->ops = &stumps_ops;
    tacit_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(third__certify),
        cmocka_unit_test(third__smallest_sets_and_needs),
        cmocka_unit_test(third__sessions_and_receipts),
        cmocka_unit_test(third__audits),
        cmocka_unit_test(third__unknown_kind),
    };

    stumps_register();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
