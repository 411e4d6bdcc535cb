/*
 * page_of.c -- a page from a document, for tests that look at pages: page_of AUDIT.json en|de >page.html
 */
#include <stdio.h>
#include <string.h>

#include "parts.h"

int main(int argc, char **argv)
{
    json_t *json = NULL;
    char *text = NULL, *page = NULL;
    tacit_error err = {0};
    tacit_status st = TACIT_OK;
    int code;

    if (argc != 3)
        return 2;
    st = tct_json_read(&json, argv[1], 64 << 20, &err);
    if (!st)
        st = tct_json_dump(&text, NULL, json, &err);
    if (!st && strcmp(tct_str(json, "format"), "tacit-necessity") == 0)
        st = tacit_necessity_html(&page, text, argv[2], &err);
    else if (!st)
        st = tct_page_of_audit(&page, json, text, argv[2], 200, &err);
    if (st)
        fprintf(stderr, "%s\n", err.message);
    else
        fputs(page, stdout);
    code = st || fflush(stdout) ? 1 : 0;
    tct_free(page);
    tct_free(text);
    json_decref(json);
    return code;
}
