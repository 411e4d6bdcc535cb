/*
 * Calibration.  On people whose tails are heavier than the model believes, what a calibration promises is true as often
 * as it says; a smaller delta never stops earlier; without people nothing is promised; counts are those of plain
 * walks; sessions, audits and receipts agree on where a calibrated model stops.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "calibrate.h"
#include "oracle.h"
#include "person.h"
#include "receipt.h"
#include "scale.h"
#include "scratch.h"

enum { N_DELTAS = 5 };
static const double DELTAS[N_DELTAS] = {0.005, 0.02, 0.05, 0.1, 0.3};

/* ---- a population that is not Gaussian ---- */

enum { HEAVY_INPUTS = 5 };

/* Mostly near the middle, sometimes anywhere. */
static void draw_heavy(tct_random *random, double *x)
{
    double spread = tct_random_below(random, 20) == 0 ? 0.6 : 0.06;

    for (size_t i = 0; i < HEAVY_INPUTS; i++)
        x[i] = fmin(fmax(spread * tct_random_normal(random), -1), 1);
}

/* n people, input by input. */
static double *draw_crowd(size_t n, uint64_t seed)
{
    double *x = make_model_room(HEAVY_INPUTS * n), one[HEAVY_INPUTS];
    tct_random random;

    tct_random_seed(&random, seed, 3);
    for (size_t r = 0; r < n; r++) {
        draw_heavy(&random, one);
        for (size_t i = 0; i < HEAVY_INPUTS; i++)
            x[i * n + r] = one[i];
    }
    return x;
}

/* Two classes by the sign of a sum; the distribution is what a Gaussian makes of the heavy people. */
static tacit_model *make_heavy_model(void)
{
    static const double weights[HEAVY_INPUTS] = {1, -0.8, 0.6, 0.5, -0.4}, bias[1] = {0.05};
    enum { SAMPLE = 20000 };
    tacit_schema *schema = tct_calloc(1, sizeof *schema);
    const char *const classes[] = {"no", "yes"};
    tct_classifier *classifier = NULL;
    tacit_model *model = NULL;
    double *mean = make_model_room(HEAVY_INPUTS), *covariance = make_model_room(HEAVY_INPUTS * HEAVY_INPUTS);
    double *crowd = draw_crowd(SAMPLE, 1);
    tacit_error err = {0};

    for (size_t i = 0; i < HEAVY_INPUTS; i++) {
        char name[8];
        tacit_attribute a = {.name = name,
                             .role = i == 0 ? TACIT_PUBLIC : TACIT_SENSITIVE,
                             .cost = 1,
                             .min = -1,
                             .max = 1,
                             .missing_level = TACIT_NONE};

        snprintf(name, sizeof name, "a%zu", i);
        make_model_check(tct_schema_add(schema, &a, &err), &err);
    }
    schema->label = tct_strdup("label");
    make_model_check(tct_schema_copy_texts(&schema->classes, classes, 2, &err), &err);
    schema->n_classes = 2;
    tct_moments(crowd, SAMPLE, SAMPLE, HEAVY_INPUTS, mean, covariance, 1);
    make_model_check(tct_linear_new(&classifier, HEAVY_INPUTS, 2, weights, bias, &err), &err);
    make_model_check(tct_model_assemble(&model, schema, classifier, mean, covariance, &err), &err);
    tct_free(crowd);
    return model;
}

static tct_calibration count_people(const tacit_model *m, const double *x, size_t n, double alpha)
{
    tct_calibration c = {.alpha = alpha};
    tct_calibrator *calibrator = NULL;

    memset(c.data_hash, 'a', 64);
    assert_int_equal(tct_calibrator_new(&calibrator, m, NULL), TACIT_OK);
    assert_int_equal(tct_calibrator_count(calibrator, x, n, n, NULL), TACIT_OK);
    tct_calibrator_add(calibrator, &c);
    tct_calibrator_free(calibrator);
    tct_calibration_derive(&c);
    return c;
}

/* ---- coverage ---- */

static double share(uint64_t some, uint64_t all)
{
    return all ? (double)some / (double)all : 0;
}

/* Is a bound of this calibration below the truth? */
static bool misses(const tct_calibration *c, const tct_calibration *truth)
{
    for (size_t k = 0; k < TCT_LEVELS; k++) {
        const tacit_calibration_row *row = &c->rows[k], *real = &truth->rows[k];

        if (row->bound < share(real->failed, real->stopped))
            return true;
        for (size_t m = 0; m < TACIT_MARGINS; m++)
            if (row->marginal_bound[m] < share(real->marginal_failed[m], real->marginal[m]))
                return true;
    }
    return false;
}

/* Is what is promised at some delta untrue?  Then it was promised wrongly. */
static bool breaks(const tct_calibration *c, const tct_calibration *truth)
{
    for (size_t i = 0; i < N_DELTAS; i++) {
        double nominal = tct_calibration_nominal(c, DELTAS[i]);
        size_t k = 0;

        if (nominal == 0)
            continue;
        while (tct_calibration_level(k) != nominal)
            k++;
        if (share(truth->rows[k].failed, truth->rows[k].stopped) > DELTAS[i])
            return true;
        for (size_t m = 0; m < TACIT_MARGINS; m++) {
            double coarse = nominal > DELTAS[i] ? 0 : 20 / fmax((double)c->rows[k].marginal[m], 1e-9);

            if (share(truth->rows[k].marginal_failed[m], truth->rows[k].marginal[m]) > fmax(DELTAS[i], coarse))
                return true;
        }
    }
    return false;
}

static void calibrate__is_wrong_no_more_often_than_alpha(void **state)
{
    enum { CROWD = 400000, PEOPLE = 1500 };
    static const double ALPHAS[] = {0.05, 0.9};
    size_t cases = scaled(400);
    tacit_model *m = make_heavy_model();
    double *crowd = draw_crowd(CROWD, 2);
    tct_calibration truth = count_people(m, crowd, CROWD, 0.05);
    size_t reached = 0, optimistic = 0;

    (void)state;
    tct_free(crowd);
    /* the nominal confidence is wrong here: that is what there is to mend */
    for (size_t k = 3; k < 8; k++)
        optimistic += share(truth.rows[k].marginal_failed[0], truth.rows[k].marginal[0]) > tct_calibration_level(k);
    assert_true(optimistic > 0);
    for (size_t a = 0; a < 2; a++) {
        size_t missed = 0, broken = 0;
        double most = ALPHAS[a] * (double)cases + 4 * sqrt(ALPHAS[a] * (1 - ALPHAS[a]) * (double)cases) + 1;

        for (size_t c = 0; c < cases; c++) {
            double *x = draw_crowd(PEOPLE, 100 + c);
            tct_calibration calibration = count_people(m, x, PEOPLE, ALPHAS[a]);

            missed += misses(&calibration, &truth);
            broken += breaks(&calibration, &truth);
            reached += tct_calibration_nominal(&calibration, 0.1) > 0;
            tct_free(x);
        }
        assert_true((double)missed <= most);
        assert_true(broken <= missed);
    }
    assert_true(reached > cases); /* of 2 cases: it is of use, too */
    tacit_model_free(m);
}

/* ---- one delta and another ---- */

static tct_calibration draw_calibration(tct_random *random)
{
    tct_calibration c = {.alpha = 0.05, .people = 1 + tct_random_below(random, 20000)};
    uint64_t stopped = c.people;

    memset(c.data_hash, 'b', 64);
    for (size_t k = 0; k < TCT_LEVELS; k++) {
        tacit_calibration_row *row = &c.rows[k];

        row->stopped = stopped;
        row->marginal[1] = tct_random_below(random, stopped + 1);
        row->marginal[0] = tct_random_below(random, row->marginal[1] + 1);
        row->failed = tct_random_below(random, 1 + stopped / (1 + tct_random_below(random, 200)));
        row->marginal_failed[1] =
            tct_random_below(random, 1 + (uint64_t)fmin((double)row->failed, (double)row->marginal[1]));
        row->marginal_failed[0] =
            tct_random_below(random, 1 + (uint64_t)fmin((double)row->marginal_failed[1], (double)row->marginal[0]));
        stopped -= tct_random_below(random, row->marginal[0] + 1);
    }
    tct_calibration_derive(&c);
    return c;
}

static void calibrate__never_stops_earlier_for_a_smaller_delta(void **state)
{
    size_t cases = scaled(500);
    tct_random random;

    (void)state;
    tct_random_seed(&random, 1, 4);
    for (size_t c = 0; c < cases; c++) {
        tct_calibration calibration = draw_calibration(&random);
        double before = 0;

        for (double delta = 1e-5; delta < 0.5; delta *= 1.1) {
            double nominal = tct_calibration_nominal(&calibration, delta);

            assert_true(nominal >= before);
            before = nominal;
        }
    }
}

static void calibrate__promises_nothing_without_people(void **state)
{
    tacit_model *m = make_linear_model(5, 5, 2, true), *calibrated = NULL;
    tct_calibration none = {.alpha = 0.05};

    (void)state;
    memset(none.data_hash, '0', 64);
    tct_calibration_derive(&none);
    assert_int_equal(tct_model_with_calibration(&calibrated, m, &none, NULL), TACIT_OK);
    for (size_t i = 0; i < N_DELTAS; i++) {
        assert_true(tct_calibration_nominal(&none, DELTAS[i]) == 0);
        assert_true(tct_promise_of(calibrated, TACIT_RULE_ENTROPY, DELTAS[i]).delta == 0);
        assert_true(isinf(tacit_model_confidence(calibrated, TACIT_RULE_AUTO, DELTAS[i])));
        /* asked until proven, by the rule for that */
        assert_int_equal(tct_rule_for(TACIT_RULE_AUTO, DELTAS[i], calibrated, TCT_USUAL_CROSSING), TACIT_RULE_STOP);
        assert_true(tct_promise_of(m, TACIT_RULE_ENTROPY, DELTAS[i]).delta == DELTAS[i]);
        assert_true(tacit_model_confidence(m, TACIT_RULE_MARGIN, DELTAS[i]) == 1 - DELTAS[i]);
    }
    tacit_model_free(calibrated);
    tacit_model_free(m);
}

/* ---- counting ---- */

static tacit_model *draw_model(size_t seed)
{
    size_t classes = 2 + (seed / 2) % 3, n = 3 + seed % 4;

    return seed % 2 ? make_linear_model(seed, n, classes, true) : make_mlp_model(seed, n, classes, true, 1, 4);
}

/* The counts of one level by two walks of their own. */
static void count_plainly(const tacit_model *m, const double *x, size_t n, size_t k, tacit_calibration_row *row)
{
    size_t d = m->codec->n_inputs, asked[64];
    double *one = make_model_room(d);
    const tct_stage *start;
    tct_plan *plan = NULL;
    tct_walker *walker = NULL;

    assert_int_equal(tct_plan_new(&plan, m, NULL), TACIT_OK);
    assert_int_equal(tct_plan_public(plan, &start, NULL), TACIT_OK);
    assert_int_equal(tct_walker_new(&walker, plan, TACIT_RULE_ENTROPY, 0, NULL), TACIT_OK);
    *row = (tacit_calibration_row){0};
    for (size_t r = 0; r < n; r++) {
        static const double PARTS[] = {1, 0.5, 0.125};
        tct_stop stops[3];
        bool failed;

        for (size_t i = 0; i < d; i++)
            one[i] = x[i * n + r];
        for (size_t i = 0; i < 3; i++) {
            tct_promise promise = tct_promise_nominal(0.4 * pow(0.5, (double)k) * PARTS[i]);

            assert_int_equal(tct_walker_run(walker, start, one, NULL, &promise, 1, &stops[i], asked, NULL), TACIT_OK);
        }
        tct_walker_next_person(walker);
        if (stops[0].end.settled != TACIT_LIKELY)
            continue;
        failed = stops[0].end.label != oracle_label(m, one);
        row->stopped++;
        row->failed += failed;
        for (size_t i = 0; i < 2; i++) {
            bool asked_more = stops[i + 1].end.asked > stops[0].end.asked || stops[i + 1].end.settled != TACIT_LIKELY;

            row->marginal[i] += asked_more;
            row->marginal_failed[i] += asked_more && failed;
        }
    }
    tct_walker_free(walker);
    tct_plan_free(plan);
    tct_free(one);
}

static double *draw_typical(const tacit_model *m, size_t n, uint64_t seed)
{
    size_t d = m->codec->n_inputs;
    double *x = make_model_room(d * n), *one = make_model_room(d);
    tct_random random;

    tct_random_seed(&random, seed, 9);
    for (size_t r = 0; r < n; r++) {
        if (r % 3)
            draw_typical_person(m, &random, one);
        else
            draw_person(m, &random, one);
        for (size_t i = 0; i < d; i++)
            x[i * n + r] = one[i];
    }
    tct_free(one);
    return x;
}

static void calibrate__counts_what_plain_walks_do(void **state)
{
    enum { PEOPLE = 60 };
    size_t cases = scaled(24);

    (void)state;
    for (size_t c = 1; c <= cases; c++) {
        tacit_model *m = draw_model(c);
        double *x = draw_typical(m, PEOPLE, c);
        tct_calibration counted = count_people(m, x, PEOPLE, 0.05);

        assert_int_equal(counted.people, PEOPLE);
        for (size_t k = c % 3; k < TCT_LEVELS; k += 3) {
            tacit_calibration_row row;

            count_plainly(m, x, PEOPLE, k, &row);
            assert_int_equal(counted.rows[k].stopped, row.stopped);
            assert_int_equal(counted.rows[k].failed, row.failed);
            for (size_t i = 0; i < TACIT_MARGINS; i++) {
                assert_int_equal(counted.rows[k].marginal[i], row.marginal[i]);
                assert_int_equal(counted.rows[k].marginal_failed[i], row.marginal_failed[i]);
            }
        }
        tct_free(x);
        tacit_model_free(m);
    }
}

/* ---- files, sessions, audits, receipts ---- */

/* n people as a CSV file. */
static const char *write_people(const tacit_model *m, size_t n, uint64_t seed)
{
    double *x = draw_typical(m, n, seed), *one = make_model_room(m->codec->n_inputs);
    tct_text text = {0};
    const char *path;

    for (size_t a = 0; a < m->schema->n_attributes; a++)
        tct_text_printf(&text, "%s%s", a ? "," : "", m->schema->attributes[a].name);
    for (size_t r = 0; r < n; r++) {
        for (size_t i = 0; i < m->codec->n_inputs; i++)
            one[i] = x[i * n + r];
        for (size_t a = 0; a < m->schema->n_attributes; a++) {
            char cell[TCT_RECEIPT_VALUE];

            tct_receipt_value(m->codec, a, one + m->codec->domains[a].first, cell);
            tct_text_printf(&text, "%s%s", a ? "," : "\n", cell);
        }
    }
    path = scratch_bytes(text.bytes, text.size);
    tct_text_free(&text);
    tct_free(x);
    tct_free(one);
    return path;
}

/* Calibrated on many people; a generous alpha, so that delta is reached now and then. */
static tacit_model *calibrate_model(const tacit_model *m, size_t people, uint64_t seed, size_t threads)
{
    tacit_calibrate_options options = {.alpha = 0.5, .threads = threads};
    tacit_table *table = NULL;
    tacit_model *out = NULL;
    tacit_error err = {0};

    assert_int_equal(tacit_table_read(&table, write_people(m, people, seed), NULL, 1, &err), TACIT_OK);
    assert_int_equal(tacit_model_calibrate(&out, m, table, &options, &err), TACIT_OK);
    tacit_table_free(table);
    return out;
}

/* A session of the row, at its decision. */
static tacit_session *replay(const tacit_model *m, const char *path, size_t row, double delta)
{
    tacit_release_options options = {.delta = delta};
    tacit_session *session = NULL;
    tacit_person *person = NULL;

    assert_int_equal(tacit_person_read_row(&person, m, path, NULL, row, NULL), TACIT_OK);
    assert_int_equal(tacit_session_open(&session, m, &options, NULL), TACIT_OK);
    assert_int_equal(tacit_session_replay(session, person, NULL), TACIT_OK);
    tacit_person_free(person);
    return session;
}

static void check_receipt(const tacit_model *m, tacit_session *session, tacit_settled settled)
{
    char *text = NULL, *forged = NULL, hash[65];
    size_t size = 0;
    bool unproven = false;
    tacit_check check;
    json_t *json = NULL;

    assert_int_equal(tacit_session_receipt(&text, session, NULL, &unproven, NULL), TACIT_OK);
    assert_int_equal(tct_receipt_check(&check, m, text, strlen(text), "receipt", NULL, NULL), TACIT_OK);
    assert_true(check.valid || unproven);
    if (settled == TACIT_LIKELY) { /* nobody may claim a delta that no level keeps */
        assert_int_equal(tct_json_parse(&json, text, strlen(text), "receipt", NULL), TACIT_OK);
        json_object_set_new(json, "delta", json_real(1e-9));
        json_object_del(json, "sha256");
        assert_int_equal(tct_json_hash(hash, json, NULL), TACIT_OK);
        json_object_set_new(json, "sha256", json_string(hash));
        assert_int_equal(tct_json_dump(&forged, &size, json, NULL), TACIT_OK);
        assert_int_equal(tct_receipt_check(&check, m, forged, size, "receipt", NULL, NULL), TACIT_OK);
        assert_false(check.valid);
        assert_non_null(strstr(check.reason, "calibration"));
        tct_free(forged);
        json_decref(json);
    }
    tacit_text_free(text);
}

static void calibrate__sessions_audits_and_receipts_agree(void **state)
{
    enum { PEOPLE = 40 };
    size_t cases = scaled(10), likely = 0, moved = 0;

    (void)state;
    for (size_t c = 1; c <= cases; c++) {
        tacit_model *m = draw_model(c), *calibrated = calibrate_model(m, c % 2 ? 4000 : 400, c, 1);
        const char *path = write_people(m, PEOPLE, c + 1000);
        tacit_audit_options options = {.deltas = DELTAS, .n_deltas = N_DELTAS, .no_opt = true, .threads = 2};
        tacit_audit *audit = NULL;

        assert_int_equal(tacit_audit_csv(&audit, calibrated, path, NULL, &options, NULL), TACIT_OK);
        for (size_t i = 0; i < N_DELTAS; i++) {
            const tacit_audit_result *r = tacit_audit_result_get(audit, i);
            uint64_t asked = 0, stopped = 0;

            for (size_t row = 1; row <= PEOPLE; row++) {
                tacit_session *session = replay(calibrated, path, row, DELTAS[i]);
                tacit_decision decision;

                assert_int_equal(tacit_session_decision(session, &decision, NULL), TACIT_OK);
                asked += decision.asked;
                stopped += decision.settled == TACIT_LIKELY;
                if (row % 8 == 1)
                    check_receipt(calibrated, session, decision.settled);
                tacit_session_free(session);
            }
            assert_int_equal(asked, r->total_asked);
            assert_int_equal(stopped, r->likely);
            assert_int_equal(stopped, r->stopped);
            assert_true(r->calibrated);
            assert_true(r->confidence == tacit_model_confidence(calibrated, TACIT_RULE_AUTO, DELTAS[i]));
            assert_int_equal(r->rule == TACIT_RULE_ENTROPY, !isinf(r->confidence));
            likely += stopped;
            moved += r->confidence != 1 - DELTAS[i];
        }
        tacit_audit_free(audit);
        tacit_model_free(calibrated);
        tacit_model_free(m);
    }
    assert_true(cases < 10 || (likely > 0 && moved > 0));
}

static void calibrate__other_rules_keep_delta_by_proof(void **state)
{
    tacit_model *m = make_heavy_model(), *calibrated = NULL;
    double *x = draw_crowd(3000, 7);
    tct_calibration c = count_people(m, x, 3000, 0.05);

    (void)state;
    assert_int_equal(tct_model_with_calibration(&calibrated, m, &c, NULL), TACIT_OK);
    assert_false(isinf(tacit_model_confidence(calibrated, TACIT_RULE_AUTO, 0.3)));
    assert_true(tacit_model_confidence(calibrated, TACIT_RULE_AUTO, 0.3) ==
                tacit_model_confidence(calibrated, TACIT_RULE_ENTROPY, 0.3));
    assert_true(isinf(tacit_model_confidence(calibrated, TACIT_RULE_MARGIN, 0.3)));
    assert_true(isinf(tacit_model_confidence(calibrated, TACIT_RULE_STOP, 0.3)));
    assert_true(isinf(tacit_model_confidence(calibrated, TACIT_RULE_MONTECARLO, 0.3)));
    tacit_model_free(calibrated);
    tacit_model_free(m);
    tct_free(x);
}

static void calibrate__does_not_depend_on_threads(void **state)
{
    size_t cases = scaled(6);

    (void)state;
    for (size_t c = 1; c <= cases; c++) {
        tacit_model *m = draw_model(c), *one = calibrate_model(m, 700, c, 1), *many = calibrate_model(m, 700, c, 5);

        assert_string_equal(one->model_hash, many->model_hash);
        assert_string_not_equal(one->model_hash, m->model_hash);
        tacit_model_free(one);
        tacit_model_free(many);
        tacit_model_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calibrate__is_wrong_no_more_often_than_alpha),
        cmocka_unit_test(calibrate__never_stops_earlier_for_a_smaller_delta),
        cmocka_unit_test(calibrate__promises_nothing_without_people),
        cmocka_unit_test(calibrate__counts_what_plain_walks_do),
        cmocka_unit_test(calibrate__sessions_audits_and_receipts_agree),
        cmocka_unit_test(calibrate__other_rules_keep_delta_by_proof),
        cmocka_unit_test(calibrate__does_not_depend_on_threads),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
