/*
 * version.c -- which Tacit this is.  The number comes from the build (CMakeLists.txt).
 */
#include "base.h"

const char *tacit_version(void)
{
    return TACIT_VERSION;
}
