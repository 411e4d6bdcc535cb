/*
 * calibration.c -- bounds from counts, the level a delta needs, what a promise therefore takes, and the place of the counts
 * in a model file.
 *
 * Every bound is a one-sided Clopper-Pearson bound.  alpha is divided evenly among all of them, so they hold all
 * together, and a level may be picked after looking at them.
 */
#include "calibration.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "json_put.h"
#include "model.h"
#include "num.h"

#define RULE "entropy"
enum { N_BOUNDS = TCT_LEVELS * (1 + TACIT_MARGINS) };

const size_t tct_margin_steps[TACIT_MARGINS] = {1, TCT_MOST_STEPS};

static const double LOOSEST = 0.4;
/* A margin of n people can speak about failures of 20 / n and more. */
static const double RESOLUTION = 20;
/* Upward by more than the rounding of a bound: the level, near 1, is exact to 1e-16, its distance from 1 is at least
 * 2e-8. */
static const double ROUND_UP = 1 + 1e-8;

double tct_calibration_level(size_t k)
{
    return ldexp(LOOSEST, -(int)k);
}

static double upper_bound(uint64_t failed, uint64_t people, double alpha)
{
    double low, high;

    if (people == 0)
        return 1; /* nothing was seen */
    tct_clopper_pearson((double)failed, (double)people, 1 - 2 * alpha / N_BOUNDS, &low, &high);
    return fmin(high * ROUND_UP, 1);
}

void tct_calibration_derive(tct_calibration *c)
{
    for (size_t k = 0; k < TCT_LEVELS; k++) {
        tacit_calibration_row *row = &c->rows[k];
        double nominal = tct_calibration_level(k);

        row->confidence = 1 - nominal;
        row->bound = upper_bound(row->failed, row->stopped, c->alpha);
        row->delta = row->bound;
        for (size_t m = 0; m < TACIT_MARGINS; m++) {
            double bound = upper_bound(row->marginal_failed[m], row->marginal[m], c->alpha);
            bool silent = bound * (double)row->marginal[m] <= RESOLUTION;

            row->marginal_bound[m] = bound;
            row->delta = fmax(row->delta, silent ? fmin(bound, nominal) : bound);
        }
    }
}

double tct_calibration_nominal(const tct_calibration *c, double delta)
{
    for (size_t k = 0; k < TCT_LEVELS; k++)
        if (c->rows[k].delta <= delta)
            return tct_calibration_level(k);
    return 0;
}

/* ---- in a model file ---- */

static json_t *row_to_json(const tacit_calibration_row *row, size_t k)
{
    json_t *json = json_object();

    tct_put_number(&json, "nominal", tct_calibration_level(k));
    tct_put_count(&json, "stopped", row->stopped);
    tct_put_count(&json, "failed", row->failed);
    tct_put(&json, "marginal", tct_counts_json(row->marginal, TACIT_MARGINS));
    tct_put(&json, "marginal_failed", tct_counts_json(row->marginal_failed, TACIT_MARGINS));
    return json;
}

json_t *tct_calibration_to_json(const tct_calibration *c)
{
    json_t *json = json_object(), *levels = json_array();

    for (size_t k = 0; k < TCT_LEVELS; k++)
        tct_append(&levels, row_to_json(&c->rows[k], k));
    tct_put_text(&json, "rule", RULE);
    tct_put_number(&json, "alpha", c->alpha);
    tct_put_count(&json, "people", c->people);
    tct_put_text(&json, "data_hash", c->data_hash);
    tct_put(&json, "levels", levels);
    return json;
}

/* Member `key`: TACIT_MARGINS counts. */
static tacit_status read_counts(uint64_t *out, const json_t *object, const char *key, const tct_json_at *at,
                                tacit_error *err)
{
    json_t *list = NULL;
    tacit_status st = tct_json_get_array(&list, object, key, at, err);

    if (st)
        return st;
    if (json_array_size(list) != TACIT_MARGINS)
        return tct_json_fail(at, key, err, "expected %d counts", TACIT_MARGINS);
    for (size_t m = 0; m < TACIT_MARGINS; m++) {
        const json_t *count = json_array_get(list, m);

        if (!json_is_integer(count) || json_integer_value(count) < 0)
            return tct_json_fail(at, key, err, "expected whole numbers of at least 0");
        out[m] = (uint64_t)json_integer_value(count);
    }
    return TACIT_OK;
}

static tacit_status read_row(tacit_calibration_row *row, size_t k, const json_t *json, const tct_json_at *at,
                             tacit_error *err)
{
    double nominal = 0;
    uint64_t most = 0, most_failed = 0;
    tacit_status st;

    if ((st = tct_json_get_number(&nominal, json, "nominal", at, err)) ||
        (st = tct_json_get_count(&row->stopped, json, "stopped", at, err)) ||
        (st = tct_json_get_count(&row->failed, json, "failed", at, err)) ||
        (st = read_counts(row->marginal, json, "marginal", at, err)) ||
        (st = read_counts(row->marginal_failed, json, "marginal_failed", at, err)))
        return st;
    if (nominal != tct_calibration_level(k))
        return tct_json_fail(at, "nominal", err, "expected half of the one before, beginning with 0.4");
    if (row->failed > row->stopped)
        return tct_json_fail(at, "failed", err, "expected no more than were stopped");
    most = row->stopped;
    most_failed = row->failed;
    for (size_t m = TACIT_MARGINS; m-- > 0;) { /* each margin is part of the next, the last of all */
        if (row->marginal[m] > most)
            return tct_json_fail(at, "marginal", err, "expected no more than were stopped, in ascending order");
        if (row->marginal_failed[m] > row->marginal[m] || row->marginal_failed[m] > most_failed)
            return tct_json_fail(at, "marginal_failed", err, "expected no more than are on the margin, or failed");
        most = row->marginal[m];
        most_failed = row->marginal_failed[m];
    }
    return TACIT_OK;
}

/* Who is stopped as likely at a level is so at every looser one; and whoever is not at a stricter one is on the
 * margin. */
static tacit_status check_rows(const tct_calibration *c, const tct_json_at *at, tacit_error *err)
{
    for (size_t k = 0; k < TCT_LEVELS; k++) {
        const tct_json_at place = {.parent = at, .index = k};

        if (c->rows[k].stopped > (k > 0 ? c->rows[k - 1].stopped : c->people))
            return tct_json_fail(&place, "stopped", err, "expected no more than at the level before");
    }
    for (size_t m = 0; m < TACIT_MARGINS; m++)
        for (size_t k = 0; k + tct_margin_steps[m] < TCT_LEVELS; k++) {
            const tct_json_at place = {.parent = at, .index = k};

            if (c->rows[k].marginal[m] < c->rows[k].stopped - c->rows[k + tct_margin_steps[m]].stopped)
                return tct_json_fail(&place, "marginal", err, "expected all who are not stopped at a stricter level");
        }
    return TACIT_OK;
}

tacit_status tct_calibration_from_json(tct_calibration *out, const json_t *json, const tct_json_at *at,
                                       tacit_error *err)
{
    const tct_json_at list_at = {at->file, at, "levels", 0};
    const char *rule = NULL, *hash = NULL;
    json_t *levels = NULL;
    tacit_status st;

    memset(out, 0, sizeof(*out));
    if ((st = tct_json_get_string(&rule, json, "rule", at, err)) ||
        (st = tct_json_get_number(&out->alpha, json, "alpha", at, err)) ||
        (st = tct_json_get_count(&out->people, json, "people", at, err)) ||
        (st = tct_json_get_string(&hash, json, "data_hash", at, err)) ||
        (st = tct_json_get_array(&levels, json, "levels", at, err)))
        return st;
    if (strcmp(rule, RULE) != 0)
        return tct_json_fail(at, "rule", err, "expected %s", RULE);
    if (!(out->alpha >= TCT_LEAST_ALPHA && out->alpha < 1))
        return tct_json_fail(at, "alpha", err, "expected a number from %g to below 1", TCT_LEAST_ALPHA);
    if (out->people > TCT_MOST_PEOPLE)
        return tct_json_fail(at, "people", err, "expected at most %d", TCT_MOST_PEOPLE);
    if (strlen(hash) != 64 || strspn(hash, "0123456789abcdef") != 64)
        return tct_json_fail(at, "data_hash", err, "expected 64 hexadecimal digits");
    snprintf(out->data_hash, sizeof(out->data_hash), "%s", hash);
    if (json_array_size(levels) != TCT_LEVELS)
        return tct_json_fail(at, "levels", err, "expected %d levels", TCT_LEVELS);
    for (size_t k = 0; k < TCT_LEVELS && !st; k++) {
        const tct_json_at place = {at->file, &list_at, NULL, k};

        st = read_row(&out->rows[k], k, json_array_get(levels, k), &place, err);
    }
    if (!st)
        st = check_rows(out, &list_at, err);
    if (!st)
        tct_calibration_derive(out);
    return st;
}

tct_promise tct_promise_nominal(double nominal)
{
    tct_promise promise = {nominal, nominal > 0 ? tct_normal_quantile(1 - nominal) : INFINITY};

    return promise;
}

/* A calibration was made by the entropy rule; of the confidence that other orders of questions reach it says nothing. */
tct_promise tct_promise_of(const tacit_model *model, tacit_rule rule, double delta)
{
    if (model->calibrated && delta > 0)
        delta = rule == TACIT_RULE_ENTROPY ? tct_calibration_nominal(&model->calibration, delta) : 0;
    return tct_promise_nominal(delta);
}
