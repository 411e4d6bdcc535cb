/*
 * quality.c -- counting decisions with everything known against known outcomes.
 */
#include "quality.h"

#include "json_put.h"

tacit_status tct_quality_new(tct_quality **out, size_t n_classes, size_t n_attributes, tacit_error *err)
{
    tct_quality *q = tct_calloc(1, sizeof *q);

    *out = NULL;
    if (!q)
        return tct_fail_memory(err);
    q->n_classes = n_classes;
    q->n_attributes = n_attributes;
    q->confusion = tct_calloc((n_classes + 1) * n_classes, sizeof *q->confusion);
    q->decided = tct_calloc(n_classes, sizeof *q->decided);
    q->truth = tct_calloc(n_classes, sizeof *q->truth);
    if (!q->confusion || !q->decided || !q->truth) {
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
    tct_free(q->confusion);
    tct_free(q->decided);
    tct_free(q->truth);
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

json_t *tct_quality_to_json(const tct_quality *q)
{
    json_t *object = json_object();

    tct_put_count(&object, "training_files", q->training_files);
    tct_put(&object, "decisions", tct_counts_json(q->confusion, (q->n_classes + 1) * q->n_classes));
    return object;
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
    return st;
}
