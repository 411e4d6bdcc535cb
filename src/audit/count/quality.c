/*
 * quality.c -- counting decisions with everything known against known outcomes.
 */
#include "quality.h"

#include <math.h>

#include "json_put.h"

tacit_status tct_quality_new(tct_quality **out, size_t n_classes, size_t n_attributes, size_t n_deltas,
                             const size_t *n_counters, tacit_error *err)
{
    tct_quality *q = tct_calloc(1, sizeof *q);

    *out = NULL;
    if (!q)
        return tct_fail_memory(err);
    q->n_classes = n_classes;
    q->n_attributes = n_attributes;
    q->n_deltas = n_deltas;
    q->confusion = tct_take(&q->arena, (n_classes + 1) * n_classes, sizeof *q->confusion);
    q->decided = tct_take(&q->arena, n_classes, sizeof *q->decided);
    q->truth = tct_take(&q->arena, n_classes, sizeof *q->truth);
    q->cells = tct_take(&q->arena, n_attributes, sizeof *q->cells);
    q->released = tct_take(&q->arena, n_deltas + 1, sizeof *q->released);
    q->first = tct_take(&q->arena, n_attributes + 1, sizeof *q->first);
    for (size_t a = 0; q->first && a < n_attributes; a++)
        q->first[a + 1] = q->first[a] + (n_counters ? n_counters[a] : 0);
    if (q->first)
        q->counters = tct_take(&q->arena, q->first[n_attributes] + 1, sizeof *q->counters);
    if (q->arena.failed) {
        tct_quality_free(q);
        return tct_fail_memory(err);
    }
    *out = q;
    return TACIT_OK;
}

void tct_quality_free(tct_quality *q)
{
    if (!q)
        return;
    tct_arena_clear(&q->arena);
    tct_free(q);
}

static void add_counts(uint64_t *into, const uint64_t *from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        into[i] += from[i];
}

void tct_quality_merge(tct_quality *into, const tct_quality *from)
{
    into->training_files += from->training_files;
    into->other_forms += from->other_forms;
    into->clipped.people += from->clipped.people;
    into->clipped.labelled += from->clipped.labelled;
    into->clipped.correct += from->clipped.correct;
    into->missing.people += from->missing.people;
    into->missing.labelled += from->missing.labelled;
    into->missing.correct += from->missing.correct;
    into->unclipped.people += from->unclipped.people;
    into->unclipped.agree += from->unclipped.agree;
    for (size_t i = 0; i < into->n_deltas; i++) {
        into->released[i].clipped_agree += from->released[i].clipped_agree;
        into->released[i].clipped_own += from->released[i].clipped_own;
        into->released[i].missing_agree += from->released[i].missing_agree;
    }
    for (size_t a = 0; a < into->n_attributes; a++) {
        into->cells[a].clipped += from->cells[a].clipped;
        into->cells[a].missing += from->cells[a].missing;
        into->cells[a].unknown += from->cells[a].unknown;
    }
    add_counts(into->counters, from->counters, into->first[into->n_attributes]);
    add_counts(into->confusion, from->confusion, (into->n_classes + 1) * into->n_classes);
}

/* Two classes: sums that go through wide registers. */
static void count_two(uint64_t *confusion, const uint8_t *decided, const int32_t *labels, size_t n)
{
    uint32_t ones = 0, zero = 0, one = 0, zero_one = 0, one_one = 0;

    for (size_t p = 0; p < n; p++)
        ones += decided[p];
    for (size_t p = 0; labels && p < n; p++) {
        uint32_t d = decided[p], is_zero = labels[p] == 0, is_one = labels[p] == 1;

        zero += is_zero;
        one += is_one;
        zero_one += is_zero & d;
        one_one += is_one & d;
    }
    confusion[0] += n - zero - one - (ones - zero_one - one_one);
    confusion[1] += ones - zero_one - one_one;
    confusion[2] += zero - zero_one;
    confusion[3] += zero_one;
    confusion[4] += one - one_one;
    confusion[5] += one_one;
}

void tct_quality_decisions(tct_quality *q, const uint8_t *decided, const int32_t *labels, size_t n)
{
    enum { STEP = 1 << 20 }; /* far below what 32 bits count */

    for (size_t at = 0; q->n_classes == 2 && at < n; at += STEP)
        count_two(q->confusion, decided + at, labels ? labels + at : NULL, n - at < STEP ? n - at : STEP);
    for (size_t p = 0; q->n_classes != 2 && p < n; p++)
        q->confusion[(labels ? (size_t)(labels[p] + 1) : 0) * q->n_classes + decided[p]]++;
}

bool tct_quality_rows(tct_quality *q, const uint8_t *rows, const uint8_t *decided, const int32_t *labels, size_t n)
{
    bool any = false;

    for (size_t p = 0; p < n; p++) {
        bool known = labels && labels[p] >= 0, right = known && labels[p] == decided[p];

        if (!rows[p])
            continue;
        any = true;
        if (rows[p] & TCT_HAD_CLIPPED) {
            q->clipped.people++;
            q->clipped.labelled += known;
            q->clipped.correct += right;
        }
        if (rows[p] & (TCT_HAD_MISSING | TCT_HAD_UNKNOWN)) {
            q->missing.people++;
            q->missing.labelled += known;
            q->missing.correct += right;
        }
    }
    return any;
}

void tct_quality_profile(tct_quality *q, const tct_reference *reference, const tct_codec *codec, const double *x,
                         size_t stride, size_t n)
{
    for (size_t a = 0; reference && a < q->n_attributes; a++)
        tct_profile_count(&reference->spreads[a], codec, a, x + codec->domains[a].first * stride, stride, n,
                          q->counters + q->first[a]);
}

/* Half a person more in every bin: one that is empty on one side does not make it infinite. */
double tct_stability(const uint64_t *expected, const uint64_t *found, size_t n_bins, double *by_chance)
{
    double before = 0.5 * (double)n_bins, now = before, index = 0;

    for (size_t b = 0; b < n_bins; b++) {
        before += (double)expected[b];
        now += (double)found[b];
    }
    *by_chance = NAN;
    if (n_bins < 2)
        return NAN;
    for (size_t b = 0; b < n_bins; b++) {
        double p = ((double)expected[b] + 0.5) / before, q = ((double)found[b] + 0.5) / now;

        index += (q - p) * log(q / p);
    }
    *by_chance = ((double)n_bins - 1) * (1 / before + 1 / now);
    return index;
}

void tct_quality_outcomes(const tct_quality *q, uint64_t *labelled, uint64_t *correct)
{
    const uint64_t *known = q->confusion + q->n_classes;

    *labelled = *correct = 0;
    for (size_t t = 0; t < q->n_classes; t++) {
        for (size_t d = 0; d < q->n_classes; d++)
            *labelled += known[t * q->n_classes + d];
        *correct += known[t * q->n_classes + t];
    }
}

void tct_quality_finish(tct_quality *q)
{
    size_t n = q->n_classes;

    for (size_t c = 0; c < n; c++) {
        q->decided[c] = q->truth[c] = 0;
        for (size_t t = 0; t <= n; t++)
            q->decided[c] += q->confusion[t * n + c];
        for (size_t d = 0; d < n; d++)
            q->truth[c] += q->confusion[(c + 1) * n + d];
    }
}

/* ---------------------------------------------------------------- parts */

static json_t *cells_json(const tct_quality *q)
{
    json_t *list = json_array();

    for (size_t a = 0; a < q->n_attributes; a++) {
        const uint64_t counts[] = {q->cells[a].clipped, q->cells[a].missing, q->cells[a].unknown};

        tct_append(&list, tct_counts_json(counts, 3));
    }
    return list;
}

static json_t *released_json(const tct_quality *q)
{
    json_t *list = json_array();

    for (size_t i = 0; i < q->n_deltas; i++) {
        const uint64_t counts[] = {q->released[i].clipped_agree, q->released[i].clipped_own,
                                   q->released[i].missing_agree};

        tct_append(&list, tct_counts_json(counts, 3));
    }
    return list;
}

json_t *tct_quality_to_json(const tct_quality *q)
{
    const uint64_t people[] = {q->clipped.people,   q->clipped.labelled, q->clipped.correct,  q->missing.people,
                               q->missing.labelled, q->missing.correct,  q->unclipped.people, q->unclipped.agree};
    json_t *object = json_object();

    tct_put_count(&object, "training_files", q->training_files);
    if (q->other_forms)
        tct_put_count(&object, "other_forms", q->other_forms);
    tct_put(&object, "decisions", tct_counts_json(q->confusion, (q->n_classes + 1) * q->n_classes));
    tct_put(&object, "cells", cells_json(q));
    tct_put(&object, "people", tct_counts_json(people, sizeof people / sizeof *people));
    tct_put(&object, "released", released_json(q));
    tct_put(&object, "counters", tct_counts_json(q->counters, q->first[q->n_attributes]));
    return object;
}

static tacit_status read_cells(tct_quality *q, uint64_t people, const json_t *json, const tct_json_at *at,
                               tacit_error *err)
{
    json_t *list = NULL;
    tacit_status st = tct_json_get_array(&list, json, "cells", at, err);

    if (!st && json_array_size(list) != q->n_attributes)
        return tct_json_fail(at, "cells", err, "expected %zu entries", q->n_attributes);
    for (size_t a = 0; a < q->n_attributes && !st; a++) {
        const json_t *entry = json_array_get(list, a);
        uint64_t counts[3] = {0};

        for (size_t i = 0; i < 3; i++) {
            const json_t *count = json_array_get(entry, i);

            if (!json_is_integer(count) || json_integer_value(count) < 0 ||
                (uint64_t)json_integer_value(count) > people)
                return tct_json_fail(at, "cells", err, "expected three counts of at most the people");
            counts[i] = (uint64_t)json_integer_value(count);
        }
        q->cells[a] = (tct_encode_counts){counts[0], counts[1], counts[2]};
    }
    return st;
}

static tacit_status read_people(tct_quality *q, uint64_t people, const json_t *json, const tct_json_at *at,
                                tacit_error *err)
{
    uint64_t c[8];
    tacit_status st = tct_json_get_counts(c, 8, people, json, "people", at, err);

    if (st)
        return st;
    if (c[1] > c[0] || c[2] > c[1] || c[4] > c[3] || c[5] > c[4] || c[6] > c[0] || c[7] > c[6])
        return tct_json_fail(at, "people", err, "the counts contradict each other");
    q->clipped.people = c[0], q->clipped.labelled = c[1], q->clipped.correct = c[2];
    q->missing.people = c[3], q->missing.labelled = c[4], q->missing.correct = c[5];
    q->unclipped.people = c[6], q->unclipped.agree = c[7];
    return TACIT_OK;
}

static tacit_status read_released(tct_quality *q, const json_t *json, const tct_json_at *at, tacit_error *err)
{
    json_t *list = NULL;
    tacit_status st = tct_json_get_array(&list, json, "released", at, err);

    if (!st && json_array_size(list) != q->n_deltas)
        return tct_json_fail(at, "released", err, "expected %zu entries", q->n_deltas);
    for (size_t i = 0; i < q->n_deltas && !st; i++) {
        const uint64_t most[3] = {q->clipped.people, q->unclipped.people, q->missing.people};
        const json_t *entry = json_array_get(list, i);
        uint64_t counts[3] = {0};

        for (size_t k = 0; k < 3; k++) {
            const json_t *count = json_array_get(entry, k);

            if (!json_is_integer(count) || json_integer_value(count) < 0 ||
                (uint64_t)json_integer_value(count) > most[k])
                return tct_json_fail(at, "released", err,
                                     "expected three counts of at most the people with such cells");
            counts[k] = (uint64_t)json_integer_value(count);
        }
        q->released[i] = (tct_released){counts[0], counts[1], counts[2]};
    }
    return st;
}

tacit_status tct_quality_from_json(tct_quality *q, uint64_t people, uint64_t labelled, uint64_t correct,
                                   const json_t *json, const tct_json_at *at, tacit_error *err)
{
    size_t n = q->n_classes;
    uint64_t all = 0, known = 0, right = 0;
    tacit_status st = tct_json_get_counts(q->confusion, (n + 1) * n, people, json, "decisions", at, err);

    for (size_t i = 0; i < (n + 1) * n && !st; i++)
        all += q->confusion[i];
    tct_quality_outcomes(q, &known, &right);
    if (!st && (all != people || known != labelled || right != correct))
        st = tct_json_fail(at, "decisions", err, "does not add up to the people");
    if (!st)
        st = tct_json_get_count(&q->training_files, json, "training_files", at, err);
    if (!st && q->training_files > people)
        st = tct_json_fail(at, "training_files", err, "more files than people");
    if (!st && json_object_get(json, "other_forms"))
        st = tct_json_get_count(&q->other_forms, json, "other_forms", at, err);
    if (!st)
        st = read_cells(q, people, json, at, err);
    if (!st)
        st = read_people(q, people, json, at, err);
    if (!st)
        st = read_released(q, json, at, err);
    return st ? st : tct_json_get_counts(q->counters, q->first[q->n_attributes], people, json, "counters", at, err);
}
