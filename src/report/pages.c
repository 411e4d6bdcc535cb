/*
 * Filling a page with its data.
 *
 * The data are JSON inside a <script> element, where HTML knows one danger: the text "</script" (and "<!--", which
 * changes how the rest is read).  Both start with "<", which JSON has in strings only, where it may be written \u003c;
 * so no value, whatever it holds, ends the script.  U+2028 and U+2029 are line ends to JavaScript, though not to JSON:
 * they are escaped too, for those who copy the data out of the page into a program.
 */
#include "pages.h"

#include <string.h>

static const char *find_place(const char *page, size_t size)
{
    return memmem(page, size, TCT_PAGE_DATA, strlen(TCT_PAGE_DATA));
}

/* JSON with nothing in it that HTML would understand. */
static void append_escaped(tct_text *text, const char *json)
{
    const char *start = json;

    for (const char *p = json; *p;) {
        bool less = *p == '<';
        bool line_end = strncmp(p, "\xe2\x80\xa8", 3) == 0 || strncmp(p, "\xe2\x80\xa9", 3) == 0;

        if (!less && !line_end) {
            p++;
            continue;
        }
        tct_text_append(text, start, (size_t)(p - start));
        if (less)
            tct_text_append(text, "\\u003c", 6);
        else
            tct_text_append(text, p[2] == '\xa8' ? "\\u2028" : "\\u2029", 6);
        p += less ? 1 : 3;
        start = p;
    }
    tct_text_append(text, start, strlen(start));
}

tacit_status tct_page_fill(char **out, const char *page, size_t page_size, const char *json, tacit_error *err)
{
    tct_text text = {0};
    const char *place, *rest;

    *out = NULL;
    if (!page)
        return tct_fail(err, TACIT_E_USAGE, "this tacit was built without pages");
    place = find_place(page, page_size);
    if (!place)
        return tct_fail(err, TACIT_E_INTERNAL, "the page has no place for data");
    rest = place + strlen(TCT_PAGE_DATA);
    tct_text_append(&text, page, (size_t)(place - page));
    append_escaped(&text, json);
    tct_text_append(&text, rest, page_size - (size_t)(rest - page));
    if (text.failed) {
        tct_text_free(&text);
        return tct_fail_memory(err);
    }
    *out = text.bytes;
    return TACIT_OK;
}
