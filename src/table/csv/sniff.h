/*
 * sniff.h -- looking at the first lines of a CSV, and at a record that does not end: plain, byte by byte.
 */
#ifndef TCT_SNIFF_H
#define TCT_SNIFF_H

#include "csv_inside.h"
#include "names.h"

/* Separator among , ; tab | by the first records, the first of which is the header (or the first row): one that
 * occurs there and as often in most of the others.  A comma when none occurs. */
char tct_sniff_separator(const char *bytes, size_t size);
/* Cells of a record that ends with a line feed outside quotes. */
size_t tct_sniff_cells(const char *record, char separator);
/* The first misplaced quote of a record that ends at `size` at the latest, or TCT_TROUBLE_NONE: then its last quote
 * is not closed, or it has none. */
tct_trouble_kind tct_sniff_quotes(const char *record, size_t size, char separator);

#endif
