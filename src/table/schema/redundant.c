/*
 * redundant.c -- do two columns repeat each other?
 *
 * b follows from a if rows with the same a have the same b.  Every row whose a occurred before is a test of that; when
 * the two have nothing to do with each other a test is passed with the chance that two rows agree in b.  If passing all
 * tests has a chance below e^-20, it is no accident.  So a column of names, where hardly any a occurs twice, tells
 * nothing, and neither does anything about a column that is nearly constant.
 *
 * Nearly the same: correlated by more than 0.999; or the same up to renaming in 99.5 % of the rows, and in nine of ten
 * of the rows that have another than the most frequent value, because two rare flags agree nearly everywhere by being
 * rare.
 */
#include "redundant.h"

#include <math.h>
#include <string.h>

#define CHANCE 20.0 /* natural logarithm */
#define CORRELATION 0.999
#define SHARE 0.005 /* of rows that may differ */
#define NONE UINT32_MAX

tacit_status tct_coded_finish(tct_coded *column, size_t n_rows, tacit_error *err)
{
    uint32_t *counts;
    double sum = 0, n = (double)n_rows;

    column->n_values = 0;
    for (size_t r = 0; r < n_rows; r++)
        if (column->codes[r] >= column->n_values)
            column->n_values = column->codes[r] + 1;
    counts = tct_calloc((size_t)column->n_values + 1, sizeof(*counts));
    if (!counts)
        return tct_fail_memory(err);
    column->most = 0;
    for (size_t r = 0; r < n_rows; r++)
        counts[column->codes[r]]++;
    for (size_t v = 0; v < column->n_values; v++) {
        sum += (double)counts[v] * (double)counts[v];
        column->most = counts[v] > column->most ? counts[v] : column->most;
    }
    column->collision = n_rows ? sum / (n * n) : 1;
    tct_free(counts);
    return TACIT_OK;
}

void tct_coded_clear(tct_coded *column, size_t n_rows)
{
    tct_free_wiped(column->codes, n_rows * sizeof(*column->codes));
    tct_free_wiped(column->numbers, n_rows * sizeof(*column->numbers));
    memset(column, 0, sizeof(*column));
}

/* Would it be no accident if b followed from a? */
static bool is_tested(const tct_coded *a, const tct_coded *b, size_t n_rows)
{
    return a->n_values >= 2 && b->n_values >= 2 && (double)(n_rows - a->n_values) * -log(b->collision) >= CHANCE;
}

bool tct_determines(const tct_coded *a, const tct_coded *b, size_t n_rows, uint32_t *scratch)
{
    if (a->n_values < b->n_values || !is_tested(a, b, n_rows))
        return false;
    for (size_t v = 0; v < a->n_values; v++)
        scratch[v] = NONE;
    for (size_t r = 0; r < n_rows; r++) {
        uint32_t *seen = &scratch[a->codes[r]];

        if (*seen == NONE)
            *seen = b->codes[r];
        else if (*seen != b->codes[r])
            return false;
    }
    return true;
}

static bool correlated(const tct_coded *a, const tct_coded *b, size_t n_rows)
{
    float sums[8] = {0};
    double sum = 0;
    size_t r = 0;

    for (; r + 8 <= n_rows; r += 8)
        for (size_t k = 0; k < 8; k++)
            sums[k] += a->numbers[r + k] * b->numbers[r + k];
    for (; r < n_rows; r++)
        sum += (double)a->numbers[r] * (double)b->numbers[r];
    for (size_t k = 0; k < 8; k++)
        sum += (double)sums[k];
    return fabs(sum) > CORRELATION;
}

/* Rows that differ, when each value of a is renamed to the b that most of its rows have; pairs: rows of each (a, b). */
static size_t count_different(const uint32_t *pairs, size_t n_a, size_t n_b, bool by_column)
{
    size_t different = 0;

    for (size_t i = 0; i < n_a; i++) {
        size_t all = 0, most = 0;

        for (size_t k = 0; k < n_b; k++) {
            size_t rows = by_column ? pairs[k * n_a + i] : pairs[i * n_b + k];

            all += rows;
            most = rows > most ? rows : most;
        }
        different += all - most;
    }
    return different;
}

/* The same up to renaming but for a few rows? */
static bool nearly_renamed(const tct_coded *a, const tct_coded *b, size_t n_rows, uint32_t *pairs)
{
    size_t n_a = a->n_values, n_b = b->n_values, different, other, rare;

    if (n_a > TCT_PAIR_ROOM / n_b || !is_tested(a, b, n_rows) || !is_tested(b, a, n_rows))
        return false;
    memset(pairs, 0, n_a * n_b * sizeof(*pairs));
    for (size_t r = 0; r < n_rows; r++)
        pairs[a->codes[r] * n_b + b->codes[r]]++;
    different = count_different(pairs, n_a, n_b, false);
    other = count_different(pairs, n_b, n_a, true);
    different = different > other ? different : other;
    rare = n_rows - (a->most > b->most ? a->most : b->most);
    return (double)different <= SHARE * (double)n_rows && 10 * different <= rare && rare >= (size_t)CHANCE;
}

tct_relation tct_relate(const tct_coded *a, const tct_coded *b, size_t n_rows, uint32_t *scratch)
{
    bool first = tct_determines(a, b, n_rows, scratch), second = tct_determines(b, a, n_rows, scratch);

    if (first || second)
        return first && second ? TCT_BOTH_TELL : first ? TCT_FIRST_TELLS : TCT_SECOND_TELLS;
    if (a->numbers && b->numbers)
        return correlated(a, b, n_rows) ? TCT_NEARLY_SAME : TCT_UNRELATED;
    return nearly_renamed(a, b, n_rows, scratch) ? TCT_NEARLY_SAME : TCT_UNRELATED;
}
