/*
 * datum.c -- single cells, whether they hold text or numbers.
 *
 * A table made from columns keeps numbers as they are.  Whoever wants the text of one, because it is a level, a class or
 * the name of a group, gets what a file would have in its place: pandas and most others write a floating-point 1 as 1.0
 * and a truth value as True.  Levels come from elsewhere, so other spellings of the same value are there to be tried.
 */
#include <math.h>
#include <string.h>

#include "csv_inside.h"
#include "dates.h"

tct_holds tct_csv_holds(const tct_csv *csv, size_t column)
{
    return csv->holds ? (tct_holds)csv->holds[column] : TCT_TEXT;
}

tct_datum tct_datum_at(const tct_csv *csv, const tct_block *block, size_t row, size_t column)
{
    const tct_cell *cell = &block->cells[row * csv->n_columns + column];
    tct_datum value = {.holds = tct_csv_holds(csv, column)};

    if (value.holds != TCT_TEXT) {
        value.number = cell->number;
        return value;
    }
    value.bytes = block->bytes + cell->start;
    value.size = cell->size;
    return value;
}

bool tct_datum_missing(const tct_csv *csv, const tct_datum *value)
{
    return value->holds == TCT_TEXT ? tct_csv_missing_quick(csv, value->bytes, value->size) : isnan(value->number);
}

bool tct_datum_number(const tct_csv *csv, const tct_datum *value, double *out)
{
    if (value->holds == TCT_TEXT)
        return tct_csv_number(csv, value->bytes, value->size, out);
    *out = value->number;
    return (value->holds == TCT_WHOLE || value->holds == TCT_REAL) && isfinite(value->number);
}

bool tct_datum_date(const tct_datum *value, int order, int64_t *days)
{
    if (value->holds == TCT_TEXT)
        return tct_parse_date(value->bytes, value->size, order, days);
    if (value->holds != TCT_DAYS || isnan(value->number))
        return false;
    *days = (int64_t)value->number;
    return true;
}

/* A whole number below 2^53, quickly. */
static size_t write_whole(double number, char *text)
{
    char digits[24];
    uint64_t left = (uint64_t)fabs(number);
    size_t n = 0, used = 0;

    do {
        digits[n++] = (char)('0' + left % 10);
        left /= 10;
    } while (left > 0);
    if (number < 0)
        text[used++] = '-';
    while (n > 0)
        text[used++] = digits[--n];
    return used;
}

static size_t write_real(double number, bool point, char *text)
{
    if (number == floor(number) && fabs(number) < 0x1p53) {
        size_t used = write_whole(number, text);

        memcpy(text + used, ".0", 2);
        return used + (point ? 2 : 0);
    }
    tct_format_number(number, text, TCT_DATUM_ROOM);
    return strlen(text);
}

static size_t write_truth(bool truth, size_t spelling, char *text)
{
    static const char *const words[][2] = {{"False", "True"}, {"false", "true"}, {"0", "1"}};
    const char *word = words[spelling][truth];

    memcpy(text, word, strlen(word));
    return strlen(word);
}

bool tct_datum_text(const tct_datum *value, size_t spelling, char buffer[TCT_DATUM_ROOM], const char **bytes,
                    size_t *size)
{
    static const size_t spellings[] = {
        [TCT_TEXT] = 1, [TCT_WHOLE] = 2, [TCT_REAL] = 2, [TCT_TRUTH] = 3, [TCT_DAYS] = 1};
    bool whole = value->holds == TCT_WHOLE && spelling == 0;

    if (spelling >= spellings[value->holds])
        return false;
    *bytes = buffer;
    if (value->holds == TCT_TEXT) {
        *bytes = value->bytes;
        *size = value->size;
    } else if (isnan(value->number)) {
        *size = 0;
    } else if (value->holds == TCT_TRUTH) {
        *size = write_truth(value->number != 0, spelling, buffer);
    } else if (value->holds == TCT_DAYS) {
        *size = tct_write_date((int64_t)value->number, buffer);
    } else {
        *size = whole ? write_whole(value->number, buffer)
                      : write_real(value->number, (value->holds == TCT_REAL) == (spelling == 0), buffer);
    }
    return true;
}
