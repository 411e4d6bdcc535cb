/*
 * audit_page.c -- the report of an audit, put together: the form and the summary first, then the figures that back it,
 * then how it was counted and from what.
 */
#include "report_parts.h"

static void write_sections(const tct_report *r)
{
    const json_t *necessity = json_object_get(r->audit, "necessity");

    tct_report_form(r);
    tct_report_summary(r);
    tct_report_decided(r);
    tct_report_short(r);
    if (r->n) {
        tct_report_asked(r);
        tct_report_attributes(r);
        tct_report_price(r);
        tct_report_promise(r);
        tct_report_groups(r);
    }
    tct_report_quality(r);
    if (json_is_object(necessity))
        tct_necessity_sections(r->h, necessity, true);
    tct_report_method(r);
    tct_report_provenance(r);
}

tacit_status tct_page_of_audit(char **out, const json_t *audit, const char *data, const char *lang, size_t rows,
                               tacit_error *err)
{
    const json_t *files = json_object_get(json_object_get(audit, "data"), "files");
    const char *file = json_array_size(files) == 1 ? json_string_value(json_array_get(files, 0)) : NULL;
    tct_html h;
    tct_report r;
    tacit_status st;

    *out = NULL;
    st = tct_html_begin(&h, lang, err);
    if (st)
        return st;
    if (tct_report_open(&r, &h, audit)) {
        r.rows = rows;
        tct_page_begin(&h, tct_line(&h, W_a_title, file ? file : tct_word_text(&h, W_a_audit)),
                       file ? tct_line(&h, W_a_heading_file, file) : tct_word_text(&h, W_a_heading),
                       tct_line(&h, W_a_lead, tct_people(&h, r.people),
                                tct_line_many(&h, W_sensitive_n, (double)r.n, tct_count(&h, (double)r.n))));
        write_sections(&r);
        tct_page_end(&h, tct_str(audit, "made_by"), data);
        tct_report_close(&r);
    } else {
        h.text.failed = true;
    }
    return tct_html_end(&h, out, err);
}
