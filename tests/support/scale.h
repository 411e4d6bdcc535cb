/*
 * scale.h -- how many random cases a property test tries: TACIT_TEST_SCALE (0.01 ... 10) times the usual number, at
 * least one. Sanitizer runs set it low.
 */
#ifndef TEST_SCALE_H
#define TEST_SCALE_H

#include <stddef.h>
#include <stdlib.h>

static inline size_t scaled(size_t usual)
{
    const char *text = getenv("TACIT_TEST_SCALE");
    double scale = text ? strtod(text, NULL) : 1;
    double n = (double)usual * (scale > 0 ? scale : 1);

    return n < 1 ? 1 : (size_t)n;
}

#endif
