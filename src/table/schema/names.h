/*
 * names.h -- what may be the name of a column, an attribute, a level, a class.
 */
#ifndef TCT_NAMES_H
#define TCT_NAMES_H

#include <stddef.h>

/* What keeps these bytes from being a name, to follow "the name": "is empty", "is too long", "is not UTF-8
 * text", "has a control character"; NULL when nothing does.  limit: most bytes. */
const char *tct_name_problem(const char *bytes, size_t size, size_t limit);

#endif
