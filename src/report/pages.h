/*
 * pages.h -- the pages of web/, built once and carried in the library.  A page is a complete HTML text with one place
 * for data: the text TCT_PAGE_DATA, which stands inside <script type="application/json">.
 */
#ifndef TCT_PAGES_H
#define TCT_PAGES_H

#include "base.h"

#define TCT_PAGE_DATA "__TACIT_DATA__"

/* NULL when built without pages.  Not terminated. */
extern const char *const tct_page_experiment;
extern const size_t tct_page_experiment_size;

/* The page with the data, JSON text, in its place; written so that no text in it can end the script. */
tacit_status tct_page_fill(char **out, const char *page, size_t page_size, const char *json, tacit_error *err);

#endif
