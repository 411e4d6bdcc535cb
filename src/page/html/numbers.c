/*
 * numbers.c -- numbers as people write them, in English or German, whatever the locale of the program.
 *
 * A number is first rounded to whole units of its last digit and then written from integers, so that no locale has a say.
 */
#include <math.h>
#include <stdlib.h>

#include "html.h"

#define NBSP "\xc2\xa0"
#define NARROW_NBSP "\xe2\x80\xaf"
#define MINUS "\xe2\x88\x92"
#define DASH "\xe2\x80\x93"

/* Digits in groups of three. */
static void group_digits(unsigned long long n, const char *separator, char *out, size_t room)
{
    char digits[24];
    size_t size = (size_t)snprintf(digits, sizeof digits, "%llu", n), used = 0;

    for (size_t i = 0; i < size && used + 2 < room; i++) {
        if (i && (size - i) % 3 == 0)
            out[used++] = *separator;
        out[used++] = digits[i];
    }
    out[used] = 0;
}

const char *tct_count(tct_html *h, double n)
{
    char text[40];

    if (!isfinite(n) || fabs(n) > 1e15)
        return DASH;
    group_digits((unsigned long long)llround(fabs(n)), h->german ? "." : ",", text, sizeof text);
    return tct_keepf(h, "%s%s", n <= -0.5 ? MINUS : "", text);
}

const char *tct_decimal(tct_html *h, double x, int digits)
{
    static const long long powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000};
    long long power = powers[digits < 6 ? digits : 6], units;

    if (!isfinite(x) || fabs(x) > 1e12)
        return DASH;
    units = llround(tacit_round(x, digits < 6 ? digits : 6) * (double)power);
    if (digits == 0)
        return tct_count(h, (double)units);
    return tct_keepf(h, "%s%lld%s%0*lld", units < 0 ? MINUS : "", llabs(units) / power, h->german ? "," : ".", digits,
                     llabs(units) % power);
}

const char *tct_short(tct_html *h, double x)
{
    int digits = 0;

    if (!isfinite(x))
        return DASH;
    while (digits < 6 && fabs(x * pow(10, digits) - nearbyint(x * pow(10, digits))) > 1e-9 * pow(10, digits))
        digits++;
    return tct_decimal(h, x, digits);
}

const char *tct_percent(tct_html *h, double x, int digits)
{
    if (!isfinite(x))
        return DASH;
    return tct_keepf(h, "%s%s%%", tct_decimal(h, 100 * x, digits), h->german ? NARROW_NBSP : NBSP);
}

const char *tct_share(tct_html *h, double x)
{
    if (!isfinite(x) || x <= 0 || x >= 1)
        return tct_percent(h, x, 0);
    if (x < 0.0005)
        return tct_line(h, W_less_than, tct_percent(h, 0.001, 1));
    if (x >= 0.9995)
        return tct_line(h, W_more_than, tct_percent(h, 0.999, 1));
    return tct_percent(h, x, x < 0.095 || x > 0.99 ? 1 : 0);
}

const char *tct_sure(tct_html *h, double delta)
{
    int digits = fabs(100 * delta - nearbyint(100 * delta)) < 1e-9     ? 0
                 : fabs(1000 * delta - nearbyint(1000 * delta)) < 1e-9 ? 1
                                                                       : 3;

    return tct_percent(h, 1 - delta, digits);
}

const char *tct_delta_is(tct_html *h, double delta)
{
    return tct_keepf(h, "δ" NBSP "=" NBSP "%s", tct_short(h, delta));
}

const char *tct_people(tct_html *h, double n)
{
    return tct_line_many(h, W_people, n, tct_count(h, n));
}

const char *tct_interval_text(tct_html *h, double low, double high, int digits)
{
    if (!isfinite(low) || !isfinite(high))
        return DASH;
    return tct_line(h, W_to, tct_decimal(h, 100 * low, digits), tct_percent(h, high, digits));
}
