/*
 * number.c -- decimal numbers to doubles and back, exactly and independently of the locale.
 *
 * Reading is on the hot path of the CSV reader.  A cell is digits w (up to 19 significant ones) times 10^q:
 *   - w < 2^53 and |q| <= 22: w and 10^|q| are doubles, one multiplication or division rounds once (Clinger).  Almost
 *     every cell ends here.
 *   - |q| <= 27: the same in integers.  5^27 < 2^63, so w 5^q fits in 128 bits, and for q < 0 one 128-by-64-bit
 *     division gives more quotient bits than a double has, and a remainder that breaks ties.  This is for cells written
 *     with all 17 digits.
 *   - otherwise strtod on a bounded copy written without a point ("123e-40"), so that the locale has no say in it.
 *     No double, and no half-way point between two of them, has more than 768 significant digits: digits beyond that
 *     only matter by not being all zero.
 */
#include "base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS_EXACT 19                  /* decimal digits that always fit in 64 bits */
#define DIGITS_COPIED 780                /* more than any half-way point between doubles has */
#define EXPONENT_MAX 100000000000000000L /* beyond the length of any cell */

static const double power_of_ten[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static const uint64_t power_of_five[28] = {1,
                                           5,
                                           25,
                                           125,
                                           625,
                                           3125,
                                           15625,
                                           78125,
                                           390625,
                                           1953125,
                                           9765625,
                                           48828125,
                                           244140625,
                                           1220703125,
                                           6103515625,
                                           30517578125,
                                           152587890625,
                                           762939453125,
                                           3814697265625,
                                           19073486328125,
                                           95367431640625,
                                           476837158203125,
                                           2384185791015625,
                                           11920928955078125,
                                           59604644775390625,
                                           298023223876953125,
                                           1490116119384765625,
                                           7450580596923828125};

/* The parts of a number as written. */
typedef struct parts {
    uint64_t mantissa; /* all significant digits, when there are at most DIGITS_EXACT */
    size_t n_digits;   /* significant digits: leading zeros do not count */
    long exponent;     /* value = mantissa * 10^exponent */
    bool negative;
} parts;

static bool is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

/* The exponent after "e": optional sign, digits.  Saturates. */
static bool scan_exponent(const char *c, const char *end, long *exponent)
{
    bool negative = false;
    long value = 0;

    if (c < end && (*c == '+' || *c == '-'))
        negative = *c++ == '-';
    if (c == end)
        return false;
    for (; c < end; c++) {
        if (!is_digit(*c))
            return false;
        if (value < EXPONENT_MAX)
            value = value * 10 + (*c - '0');
    }
    *exponent = negative ? -value : value;
    return true;
}

static bool scan_parts(const char *bytes, size_t size, parts *out)
{
    const char *c = bytes, *end = bytes + size, *start, *point = NULL, *stop;
    uint64_t mantissa = 0;
    long exponent = 0;

    out->negative = false;
    if (c < end && (*c == '-' || *c == '+'))
        out->negative = *c++ == '-';
    start = c;
    for (; c < end; c++) {
        if (is_digit(*c))
            mantissa = mantissa * 10 + (uint64_t)(*c - '0'); /* wraps beyond 19 digits; not used then */
        else if (*c == '.' && !point)
            point = c;
        else
            break;
    }
    stop = c;
    out->n_digits = (size_t)(stop - start) - (point != NULL);
    if (out->n_digits == 0)
        return false;
    if (c < end && ((*c != 'e' && *c != 'E') || !scan_exponent(c + 1, end, &exponent)))
        return false;
    out->exponent = exponent - (point ? (long)(stop - point) - 1 : 0);
    out->mantissa = mantissa;
    if (out->n_digits > DIGITS_EXACT)
        for (c = start; c < stop && (*c == '0' || *c == '.'); c++)
            out->n_digits -= *c == '0';
    return true;
}

/* The 128-bit integer x (not 0), plus something below one unit when sticky, times 2^shift, rounded to nearest even.
 * The result is far from overflow and underflow here. */
static double round_integer(unsigned __int128 x, bool sticky, int shift)
{
    uint64_t high = (uint64_t)(x >> 64);
    int bits = high ? 128 - __builtin_clzll(high) : 64 - __builtin_clzll((uint64_t)x);
    int drop = bits - 54; /* keep 53 bits and one to round by */
    uint64_t kept;

    if (drop > 0) {
        sticky |= (x & (((unsigned __int128)1 << drop) - 1)) != 0;
        x >>= drop;
        shift += drop;
    } else if (drop < 0) {
        x <<= -drop; /* exact values only come here short, never sticky ones */
        shift += drop;
    }
    kept = (uint64_t)x;
    kept = (kept >> 1) + ((kept & 1) && (sticky || (kept & 2)));
    return ldexp((double)kept, shift + 1);
}

/* mantissa * 10^exponent for a mantissa that is not 0 and |exponent| <= 27. */
static double scale_exactly(uint64_t mantissa, int exponent)
{
    unsigned __int128 numerator, quotient;
    uint64_t divisor;
    int shift;

    if (exponent >= 0)
        return round_integer((unsigned __int128)mantissa * power_of_five[exponent], false, exponent);
    /* With the leading bit of the numerator at 127 and a divisor below 2^63 the quotient has at least 65 bits. */
    divisor = power_of_five[-exponent];
    shift = __builtin_clzll(mantissa);
    numerator = (unsigned __int128)(mantissa << shift) << 64;
    quotient = numerator / divisor;
    return round_integer(quotient, quotient * divisor != numerator, exponent - shift - 64);
}

/* The general case.  false when the number overflows. */
static bool read_slowly(const char *bytes, size_t size, const parts *p, double *out)
{
    char copy[DIGITS_COPIED + 32];
    size_t used = 0, seen = 0;
    long exponent = p->exponent;
    bool more = false;
    int written;

    for (const char *c = bytes; c < bytes + size && *c != 'e' && *c != 'E'; c++) {
        if (!is_digit(*c) || (seen == 0 && *c == '0'))
            continue;
        seen++;
        if (used < DIGITS_COPIED)
            copy[used++] = *c;
        else
            more |= *c != '0';
    }
    if (seen == 0) {
        *out = p->negative ? -0.0 : 0.0;
        return true;
    }
    exponent += (long)(seen - used);
    if (more) {
        copy[used++] = '1';
        exponent--;
    }
    written = snprintf(copy + used, sizeof(copy) - used, "e%ld", exponent);
    if (written < 0)
        return false;
    *out = strtod(copy, NULL);
    if (isinf(*out))
        return false;
    if (p->negative)
        *out = -*out;
    return true;
}

/* Write with `precision` significant digits, whatever the locale uses as a point, and without the exponent's plus
 * sign and leading zeros. */
static void print_general(double value, int precision, char text[48])
{
    char raw[48];
    size_t used = 0;
    bool in_exponent = false;

    snprintf(raw, sizeof(raw), "%.*g", precision, value);
    for (const char *c = raw; *c; c++) {
        if (in_exponent && (*c == '+' || (*c == '0' && !is_digit(c[-1]))))
            continue;
        if (is_digit(*c) || *c == '-' || *c == 'e')
            text[used++] = *c;
        else if (used > 0 && text[used - 1] != '.') /* a point may be several bytes long */
            text[used++] = '.';
        in_exponent |= *c == 'e';
    }
    text[used] = '\0';
}

bool tct_parse_number(const char *bytes, size_t size, double *out)
{
    parts p;
    double value;

    if (!scan_parts(bytes, size, &p))
        return false;
    if (p.n_digits > DIGITS_EXACT || p.exponent < -27 || p.exponent > 27)
        return read_slowly(bytes, size, &p, out);
    if (p.mantissa >> 53 == 0 && p.exponent >= -22 && p.exponent <= 22) {
        value = (double)p.mantissa;
        value = p.exponent < 0 ? value / power_of_ten[-p.exponent] : value * power_of_ten[p.exponent];
    } else if (p.mantissa == 0) {
        value = 0.0;
    } else {
        value = scale_exactly(p.mantissa, (int)p.exponent);
    }
    *out = p.negative ? -value : value;
    return true;
}

void tct_format_number(double value, char *text, size_t size)
{
    char digits[48];
    double again;

    if (!isfinite(value)) {
        snprintf(text, size, "%s", isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
        return;
    }
    if (fabs(value) < 0x1p53 && value == floor(value)) {
        snprintf(text, size, "%.0f", value);
        return;
    }
    /* A normal double survives every decimal of up to 15 digits, so fewer need not be tried: %g drops the zeros.
     * Subnormal ones carry less than that. */
    for (int precision = fabs(value) < 0x1p-1022 ? 1 : 15; precision <= 17; precision++) {
        print_general(value, precision, digits);
        if (tct_parse_number(digits, strlen(digits), &again) && again == value)
            break;
    }
    snprintf(text, size, "%s", digits);
}

int tct_compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

int tct_compare_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

double tacit_round(double x, int digits)
{
    static const double powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000};
    double power = powers[digits < 0 ? 0 : digits < 6 ? digits : 6];

    return fabs(x) < 1e9 ? round(x * power) / power + 0.0 : x; /* + 0.0: no negative zero */
}
