/*
 * schema_findings.c -- what the columns of a table hold: one pass over each.
 *
 * A column holds numbers when nearly all of its cells are numbers, dates when nearly all are dates in one order, and else
 * text.  "Nearly": more than TCT_MOSTLY.  The few others are stray.  Where day and month are possible in either order, the day
 * comes first.
 */
#include "schema_findings.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "csv_inside.h"
#include "dates.h"
#include "table_walk.h"

/* Cells of a table whose columns are looked at side by side. */
enum { MANY_CELLS = 1 << 18 };

void tct_findings_count(tct_findings *f, double v, bool held)
{
    f->n_numbers++;
    f->whole = f->whole && tct_schema_is_whole(v);
    if (held)
        return;
    f->n_min = f->n_train == 0 || v < f->min ? 1 : f->n_min + (v == f->min);
    f->n_max = f->n_train == 0 || v > f->max ? 1 : f->n_max + (v == f->max);
    f->min = f->n_train == 0 || v < f->min ? v : f->min;
    f->max = f->n_train == 0 || v > f->max ? v : f->max;
    f->n_train++;
    f->mean += (v - f->mean) / (double)f->n_train; /* cannot overflow where a sum could */
}

/* Is the cell a date in this order? */
static bool is_date(const tct_walk *w, tacit_dates order)
{
    int64_t days;

    if (order == TACIT_DATES_NONE)
        return w->value.holds == TCT_TEXT && tct_looks_like_short_date(w->value.bytes, w->value.size);
    return tct_datum_date(&w->value, order, &days);
}

/* A whole number in digits that is not the one that its double stands for? */
static bool is_blurred(const tct_datum *value, double v)
{
    char exact[512];
    const char *digits = value->bytes;
    size_t size = value->size, n;

    if (fabs(v) < 9007199254740992.0 || value->holds != TCT_TEXT)
        return false;
    while (size > 1 && (*digits == '+' || *digits == '-' || *digits == '0')) {
        digits++;
        size--;
    }
    for (size_t i = 0; i < size; i++)
        if (digits[i] < '0' || digits[i] > '9')
            return false;
    n = (size_t)snprintf(exact, sizeof(exact), "%.0f", fabs(v));
    return n != size || memcmp(exact, digits, n) != 0;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* A zero and another digit, as in 01234? */
static bool begins_with_zero(const tct_datum *value)
{
    return value->holds == TCT_TEXT && value->size > 1 && value->bytes[0] == '0' && is_digit(value->bytes[1]);
}

/* How many of the bytes does one of the marks take, at their beginning or at their end? */
static size_t find_mark(const char *const *marks, const char *bytes, size_t size, bool at_end)
{
    for (; *marks; marks++) {
        size_t n = strlen(*marks);

        if (n <= size && memcmp(at_end ? bytes + size - n : bytes, *marks, n) == 0)
            return n;
    }
    return 0;
}

/* Digits with what people put around and between them, and tacit does not read: $ 1,200.50, 12 %, 1'000, 12,5? */
static bool is_written_number(const tct_datum *value)
{
    static const char *const around[] = {" ", "+",      "-",      "\u2212", "\u00A0", "%",
                                         "$", "\u20AC", "\u00A3", "\u00A5", NULL};
    static const char *const between[] = {".", ",", "'", " ", "\u00A0", "\u202F", "\u2019", NULL};
    const char *bytes = value->bytes;
    size_t size = value->size, n;

    if (value->holds != TCT_TEXT)
        return false;
    while ((n = find_mark(around, bytes, size, false)) > 0) {
        bytes += n;
        size -= n;
    }
    while ((n = find_mark(around, bytes, size, true)) > 0)
        size -= n;
    if (size == 0 || !is_digit(bytes[0]) || !is_digit(bytes[size - 1]))
        return false;
    while (size > 0) {
        n = is_digit(*bytes) ? 1 : find_mark(between, bytes, size, false);
        if (n == 0 || (n > 0 && !is_digit(*bytes) && !is_digit(bytes[n])))
            return false;
        bytes += n;
        size -= n;
    }
    return true;
}

/* What is it, and how many cells are something else? */
static void decide(tct_findings *f)
{
    static const tacit_dates orders[] = {TACIT_DATES_YMD, TACIT_DATES_DMY, TACIT_DATES_MDY, TACIT_DATES_NONE};
    double mostly = TCT_MOSTLY * (double)(f->n_numbers + f->n_other);

    if ((double)f->n_numbers > mostly || f->n_other == 0) {
        f->kind = TCT_COLUMN_NUMBERS;
        f->n_stray = f->n_other;
        return;
    }
    for (size_t i = 0; i < 4; i++) {
        size_t n = f->n_dates[orders[i]];

        if ((double)n <= mostly || (f->kind == TCT_COLUMN_DATES && n <= f->n_dates[f->order]))
            continue;
        f->kind = TCT_COLUMN_DATES;
        f->order = orders[i];
        f->n_stray = f->n_numbers + f->n_other - n;
    }
}

static void look_at(tct_findings *f, const tacit_table *table, size_t column, const bool *held)
{
    tct_walk w = {.table = table, .column = column};
    size_t hopeless =
        (size_t)((1 - TCT_MOSTLY) * (double)table->n_rows) + 1; /* so many others: no column of dates or numbers */
    double v;

    *f = (tct_findings){.whole = true};
    while (tct_walk_next(&w)) {
        if (w.missing) {
            f->n_missing++;
            f->missing_trained |= !held[w.number - 1];
        } else if (tct_datum_number(table->csv, &w.value, &v)) {
            tct_findings_count(f, v, held[w.number - 1]);
            f->n_zeros += begins_with_zero(&w.value);
            f->blurred = f->blurred == 0 && is_blurred(&w.value, v) ? w.number : f->blurred;
        } else {
            f->n_other++;
            if (f->n_other - f->n_written <= hopeless)
                f->n_written += is_written_number(&w.value);
            for (int order = TACIT_DATES_NONE; order <= TACIT_DATES_MDY; order++)
                if (f->n_other - f->n_dates[order] <= hopeless)
                    f->n_dates[order] += is_date(&w, (tacit_dates)order);
        }
    }
    decide(f);
}

/* Each by one thread: every sum has one order. */
void tct_findings_look(tct_findings *all, const tacit_table *table, const bool *held)
{
    size_t n = table->csv->n_columns;
    int n_threads = table->n_rows * n > MANY_CELLS ? (int)tacit_threads(0) : 1;

#pragma omp parallel for schedule(dynamic, 1) num_threads(n_threads)
    for (size_t c = 0; c < n; c++)
        look_at(&all[c], table, c, held);
}

size_t tct_findings_stray(const tct_findings *f, const tacit_table *table, size_t column, size_t rows[TCT_ROWS_TOLD])
{
    tct_walk w = {.table = table, .column = column};
    size_t n = 0;
    double v;

    while (tct_walk_next(&w)) {
        if (w.missing ||
            (f->kind == TCT_COLUMN_DATES ? is_date(&w, f->order) : tct_datum_number(table->csv, &w.value, &v)))
            continue;
        if (n < TCT_ROWS_TOLD)
            rows[n] = w.number;
        n++;
    }
    return n;
}
