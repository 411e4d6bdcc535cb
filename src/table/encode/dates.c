/*
 * dates.c -- dates as numbers of days.
 *
 * Three numbers, separated twice by the same one of - . and /, perhaps followed by a time of day.  Which number is the
 * day is said by the order; that a date exists is checked (there is no 30 February), so that a column in the other order
 * is noticed by its first day above 12.
 */
#include "dates.h"

#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int days_in_month(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

    return month == 2 && leap ? 29 : days[month - 1];
}

/* Days from 1970-01-01 to a date of the Gregorian calendar, year 1 to 9999; false when there is no such day. */
static bool days_from_date(int year, int month, int day, int64_t *days)
{
    int64_t years = year - 1, before = 0;

    if (year < 1 || year > 9999 || month < 1 || month > 12 || day < 1 || day > days_in_month(year, month))
        return false;
    for (int m = 1; m < month; m++)
        before += days_in_month(year, m);
    *days = years * 365 + years / 4 - years / 100 + years / 400 + before + day - 1 - 719162; /* 719162: to 1970 */
    return true;
}

static void write_digits(char *text, int value, int n)
{
    for (int i = n - 1; i >= 0; i--, value /= 10)
        text[i] = (char)('0' + value % 10);
}

size_t tct_write_date(int64_t days, char text[TCT_DATE_SIZE])
{
    int64_t first;
    int year = (int)((days - TCT_FIRST_DAY) * 400 / 146097) + 1, month = 12; /* right, or one too late or too early */

    while (year < 9999 && days_from_date(year + 1, 1, 1, &first) && first <= days)
        year++;
    while (year > 1 && days_from_date(year, 1, 1, &first) && first > days)
        year--;
    while (month > 1 && days_from_date(year, month, 1, &first) && first > days)
        month--;
    days_from_date(year, month, 1, &first);
    write_digits(text, year, 4);
    text[4] = '-';
    write_digits(text + 5, month, 2);
    text[7] = '-';
    write_digits(text + 8, (int)(days - first) + 1, 2);
    return TCT_DATE_SIZE;
}

/* One to four digits; how many. */
static size_t read_part(const char *bytes, size_t size, int *value)
{
    size_t n = 0;

    for (*value = 0; n < size && n < 5 && is_digit(bytes[n]); n++)
        *value = *value * 10 + (bytes[n] - '0');
    return n;
}

/* Nothing, or T or a blank and a time: digits, colons, a fraction, a zone. */
static bool is_time(const char *bytes, size_t size)
{
    if (size == 0)
        return true;
    if ((bytes[0] != 'T' && bytes[0] != ' ') || size < 6 || !is_digit(bytes[1]) || !is_digit(bytes[2]) ||
        bytes[3] != ':' || !is_digit(bytes[4]) || !is_digit(bytes[5]))
        return false;
    for (size_t i = 6; i < size; i++)
        if (!is_digit(bytes[i]) && !memchr(":.,+-Z ", bytes[i], 7))
            return false;
    return true;
}

/* Three numbers with their numbers of digits; false when the cell is not made like a date. */
static bool read_parts(const char *bytes, size_t size, int values[3], size_t digits[3])
{
    char mark = 0;

    for (size_t i = 0; i < 3; i++) {
        digits[i] = read_part(bytes, size, &values[i]);
        if (digits[i] == 0 || digits[i] > 4)
            return false;
        bytes += digits[i];
        size -= digits[i];
        if (i == 2)
            break;
        if (size == 0 || (mark ? bytes[0] != mark : !memchr("-./", bytes[0], 3)))
            return false;
        mark = bytes[0];
        bytes++;
        size--;
    }
    return is_time(bytes, size);
}

bool tct_parse_date(const char *bytes, size_t size, int order, int64_t *days)
{
    int values[3], year, month, day;
    size_t digits[3], y = order == TACIT_DATES_YMD ? 0 : 2;

    if (!read_parts(bytes, size, values, digits))
        return false;
    for (size_t i = 0; i < 3; i++)
        if (i == y ? digits[i] != 4 : digits[i] > 2)
            return false;
    year = values[y];
    month = order == TACIT_DATES_MDY ? values[0] : values[1];
    day = order == TACIT_DATES_YMD ? values[2] : order == TACIT_DATES_DMY ? values[0] : values[1];
    return days_from_date(year, month, day, days);
}

bool tct_looks_like_short_date(const char *bytes, size_t size)
{
    int values[3];
    size_t digits[3];

    if (!read_parts(bytes, size, values, digits) || digits[0] > 2 || digits[1] > 2 || digits[2] != 2)
        return false;
    return values[0] >= 1 && values[1] >= 1 && values[0] <= 31 && values[1] <= 31 &&
           (values[0] <= 12 || values[1] <= 12);
}
