/*
 * Ensembles of trees through everything that is done with people: certificates, smallest sets, needs, sessions under
 * every rule, receipts as they are and changed, audits of model files.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dispense.h"
#include "make_trees.h"
#include "people_file.h"
#include "scale.h"
#include "scratch.h"
#include "small_people.h"
#include "smallest_set.h"
#include "walk.h"

enum { PEOPLE = 100000 };

static tacit_model *model_of(uint64_t seed)
{
    return make_tree_model(seed, 2 + seed % 4, 2 + seed % 3, 3 + seed % 12, 2 + seed % 3);
}

/* Is the label the same for all completions? */
static bool is_constant(const tacit_model *m, const unsigned char *known, const double *x)
{
    tct_region region = tct_region_of(m->codec, known, x);
    everybody all;

    everybody_in(&all, m, &region, PEOPLE);
    assert_true(all.count > 0);
    return all.constant;
}

/* Texts bring the very inputs back that they were made from. */
static void check_texts(const tacit_model *m, uint64_t seed)
{
    double *x = make_model_room(m->codec->n_inputs);
    tct_random random;

    tct_random_seed(&random, seed, 5);
    for (size_t i = 0; i < 5; i++) {
        tacit_person *person;

        draw_person(m, &random, x);
        person = person_of(m, x);
        assert_memory_equal(person->x, x, m->codec->n_inputs * sizeof *x);
        tacit_person_free(person);
    }
    tct_free(x);
}

static void trees_people__certify(void **state)
{
    size_t counts[3] = {0};

    (void)state;
    for (uint64_t seed = 1; seed <= scaled(300); seed++) {
        tacit_model *m = model_of(seed);

        check_texts(m, seed);
        certify_somebody(m, seed, is_constant, counts);
        tacit_model_free(m);
    }
    assert_true(scaled(300) < 300 || (counts[TACIT_CERTIFIED] > 0 && counts[TACIT_REFUTED] > 0));
}

/* Without scores on the cut, which stay open where sums may be formed in any order. */
static void trees_people__smallest_sets(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= scaled(150); seed++) {
        tacit_model *m = model_of(seed);
        double *x = make_model_room(m->codec->n_inputs);
        size_t members[SMALL_ATTRIBUTES], n;
        tacit_person *person;
        tct_random random;

        tct_random_seed(&random, seed, 6);
        draw_person(m, &random, x);
        person = person_of(m, x);
        assert_int_equal(tacit_smallest_core(person, false, members, &n, NULL), TACIT_OK);
        if (seed % 3 && seed % 5)
            assert_int_equal(n, smallest_by_force(m, person->x, is_constant));
        else
            assert_true(n >= smallest_by_force(m, person->x, is_constant));
        tacit_person_free(person);
        tct_free(x);
        tacit_model_free(m);
    }
}

static bool accepts(const tacit_model *m, const char *receipt, bool quiet)
{
    tacit_check check;

    if (tacit_check_receipt(&check, m, scratch_bytes(receipt, strlen(receipt)), NULL, NULL))
        return false; /* no receipt at all */
    if (!check.valid && !quiet)
        print_error("%s\n", check.reason);
    return check.valid;
}

/* Receipts are accepted as they are; not with another decision, nor with a proof that was cut short. */
static void check_receipt(const tacit_model *m, tacit_session *session, void *context)
{
    size_t *proofs = context;
    char *receipt = NULL, *at;
    bool unproven = false;

    assert_int_equal(tacit_session_receipt(&receipt, session, NULL, &unproven, NULL), TACIT_OK);
    assert_false(unproven);
    assert_true(accepts(m, receipt, false));
    at = strstr(receipt, "\"label\": \"");
    assert_non_null(at);
    at[10] = at[10] == '0' ? '1' : '0';
    assert_false(accepts(m, receipt, true));
    at[10] = at[10] == '0' ? '1' : '0';
    at = strstr(receipt, ", -1, -1]");
    if (at) {
        (*proofs)++;
        memmove(at, at + 4, strlen(at + 4) + 1);
        assert_false(accepts(m, receipt, true));
    }
    tacit_text_free(receipt);
}

static void trees_people__sessions_and_receipts(void **state)
{
    sessions_played played = {0};
    size_t proofs = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= scaled(80); seed++) {
        tacit_model *m = model_of(seed);

        if (seed % 2 == 0 && tct_as_trees(m->classifier)->slack == 0) /* for one order alone */
            assert_int_equal(m->classifier->ops->in_order(m->classifier, NULL), TACIT_OK);
        play_people(m, seed, is_constant, check_receipt, &proofs, &played);
        tacit_model_free(m);
    }
    assert_int_equal(played.settled[TACIT_OPEN], 0);
    if (scaled(80) < 80) /* with few cases chance decides */
        return;
    assert_true(played.settled[TACIT_CERTAIN] > 0 && played.settled[TACIT_LIKELY] > 0 && proofs > 0);
    assert_true(played.asked < played.all);
}

/* Audits of models that were written and read: at delta 0 nobody's decision differs, beyond it few do; nobody is asked
 * for less than the least possible. */
static void trees_people__audits(void **state)
{
    static const double deltas[] = {0, 0.1};
    double stopped = 0, failed = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= scaled(16); seed++) {
        tacit_model *made = model_of(seed), *m = NULL;
        const char *path = scratch_text("");
        tacit_audit_options options = {.deltas = deltas, .n_deltas = 2, .threads = 1, .seed = 1};
        const tacit_audit_result *proven, *likely;
        tacit_audit *audit = NULL;
        tacit_error err = {0};

        assert_int_equal(tacit_model_save(made, path, &err), TACIT_OK);
        assert_int_equal(tacit_model_load(&m, path, &err), TACIT_OK);
        assert_string_equal(tacit_model_info_get(m)->kind, "trees");
        assert_int_equal(tacit_model_info_get(m)->trees, 3 + seed % 12);
        if (tacit_audit_csv(&audit, m, people_file(m, seed, 120, draw_typical_person), NULL, &options, &err))
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

/* Attributes that can make a difference: some tree asks about them. */
static void find_read(const tacit_model *m, bool *read)
{
    const tct_trees *t = tct_as_trees(m->classifier);

    for (size_t a = 0; a < m->schema->n_attributes; a++)
        read[a] = false;
    for (size_t i = 0; i < t->n_nodes; i++)
        if (t->nodes[i].attribute != TCT_TREE_LEAF)
            read[t->nodes[i].attribute] = true;
}

/* What no tree reads is not asked for as long as something else can be, by the rules that look at proofs. */
static void trees_people__nothing_in_vain(void **state)
{
    size_t asked = 0, unread = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= scaled(300); seed++) {
        tacit_model *m = model_of(seed);
        tacit_release_options options = {.rule = seed % 2 ? TACIT_RULE_STOP : TACIT_RULE_MARGIN};
        tacit_session *session = NULL;
        tacit_person *person;
        double *x = make_model_room(m->codec->n_inputs);
        bool read[SMALL_ATTRIBUTES];
        tct_random random;

        tct_random_seed(&random, seed, 8);
        find_read(m, read);
        draw_person(m, &random, x);
        person = person_of(m, x);
        assert_int_equal(tacit_session_open(&session, m, &options, NULL), TACIT_OK);
        assert_int_equal(tacit_session_give_public(session, person, NULL), TACIT_OK);
        for (size_t next;; asked++) {
            bool left = false;
            char text[64];

            assert_int_equal(tacit_session_next(session, &next, NULL), TACIT_OK);
            if (next == TACIT_NONE)
                break;
            for (size_t a = 0; a < m->schema->n_attributes; a++)
                left = left || (read[a] && !tacit_session_person(session)->known[a]);
            assert_true(read[next] || !left);
            unread += !read[next];
            tct_decode_cell(m->codec, next, x + m->codec->domains[next].first, text, sizeof text);
            assert_int_equal(tacit_session_answer(session, next, text, NULL), TACIT_OK);
        }
        tacit_session_free(session);
        tacit_person_free(person);
        tct_free(x);
        tacit_model_free(m);
    }
    assert_true(scaled(300) < 300 || asked > 100 + unread);
}

/* People who are alike where walks begin, and some for a while: going by what was found for others changes nothing. */
static void trees_people__alike(void **state)
{
    size_t walks = 0, asked_for = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= scaled(150); seed++) {
        tacit_model *m = model_of(seed);
        size_t d = m->codec->n_inputs, n = m->schema->n_attributes, asked[2][64];
        double *x = tct_calloc(d, sizeof *x), *other = tct_calloc(d, sizeof *other);
        tct_promise exact = {.delta = 0};
        const tct_stage *start;
        tct_walker *walkers[2];
        tct_plan *plan;
        tct_random random;

        tct_random_seed(&random, seed, 12);
        assert_int_equal(tct_plan_new(&plan, m, NULL), TACIT_OK);
        assert_int_equal(tct_plan_public(plan, &start, NULL), TACIT_OK);
        for (size_t i = 0; i < 2; i++)
            assert_int_equal(tct_walker_new(&walkers[i], plan, seed % 2 ? TACIT_RULE_STOP : TACIT_RULE_MARGIN, 0, NULL),
                             TACIT_OK);
        tct_walker_plain(walkers[1], TCT_PLAIN_STAGES);
        draw_person(m, &random, x);
        for (size_t k = 0; k < 12; k++) {
            tct_stop stops[2];

            draw_person(m, &random, other); /* now and then somebody who is not alike */
            for (size_t a = 0; a < n; a++)
                if (start->known[a] ? k % 4 == 3 : tct_random_below(&random, 3) == 0)
                    memcpy(x + m->codec->domains[a].first, other + m->codec->domains[a].first,
                           m->codec->domains[a].width * sizeof *x);
            for (size_t i = 0; i < 2; i++) {
                assert_int_equal(tct_walker_run(walkers[i], start, x, NULL, &exact, 1, &stops[i], asked[i], NULL),
                                 TACIT_OK);
                tct_walker_next_person(walkers[i]);
            }
            assert_memory_equal(&stops[0].end, &stops[1].end, sizeof stops[0].end);
            if (stops[0].end.asked > 0)
                assert_memory_equal(asked[0], asked[1], stops[0].end.asked * sizeof *asked[0]);
            asked_for += stops[0].end.asked;
            walks++;
        }
        for (size_t i = 0; i < 2; i++)
            tct_walker_free(walkers[i]);
        tct_plan_free(plan);
        tct_free(x);
        tct_free(other);
        tacit_model_free(m);
    }
    print_message("%zu walks, %zu asked for\n", walks, asked_for);
    assert_true(asked_for > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_people__certify),
        cmocka_unit_test(trees_people__smallest_sets),
        cmocka_unit_test(trees_people__sessions_and_receipts),
        cmocka_unit_test(trees_people__audits),
        cmocka_unit_test(trees_people__nothing_in_vain),
        cmocka_unit_test(trees_people__alike),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
