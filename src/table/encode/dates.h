/*
 * dates.h -- days of the calendar in cells.
 */
#ifndef TCT_DATES_H
#define TCT_DATES_H

#include "base.h"

/* Days since 1970-01-01 in the Gregorian calendar as YYYY-MM-DD, not terminated; returns how many bytes that is.  Years 1 to 9999 only. */
enum { TCT_FIRST_DAY = -719162, TCT_LAST_DAY = 2932896, TCT_DATE_SIZE = 10 };
size_t tct_write_date(int64_t days, char text[TCT_DATE_SIZE]);

/* A cell that is a date in this order (TACIT_DATES_YMD, _DMY, _MDY), behind which a time of day may stand and is not
 * looked at: 2024-05-31, 31.5.2024, 5/31/2024 10:15.  The year has four digits. */
bool tct_parse_date(const char *bytes, size_t size, int order, int64_t *days);
/* Does a cell look like a date with a year of two digits, of which nobody knows the century? */
bool tct_looks_like_short_date(const char *bytes, size_t size);

#endif
