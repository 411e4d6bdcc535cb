/*
 * options.c -- options of callers that were built with another header.
 *
 * Options grow at their end only.  What an older caller does not have is 0, which means the usual; what a newer caller has
 * beyond our struct must be 0, or we would leave out something that it asked for.
 */
#include <string.h>

#include "base.h"

#define LARGEST ((size_t)1 << 16) /* no options are larger: a size beyond it was never set */

tacit_status tct_options_take(void *into, size_t size, size_t first, const void *from, const char *name,
                              tacit_error *err)
{
    const unsigned char *bytes = from;
    size_t given;

    memset(into, 0, size);
    if (!from)
        return TACIT_OK;
    memcpy(&given, from, sizeof given);
    given = given ? given : first;
    if (given < sizeof given || given > LARGEST)
        return tct_fail(err, TACIT_E_USAGE, "%s: the size is not that of the struct", name);
    for (size_t i = size; i < given; i++)
        if (bytes[i])
            return tct_fail(err, TACIT_E_USAGE, "%s: the program sets what this version of Tacit does not know", name);
    memcpy(into, from, given < size ? given : size);
    return TACIT_OK;
}
