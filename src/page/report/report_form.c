/*
 * report_form.c -- the form at the front: what those who answer for the processing say about it.  What they did not say is
 * shown as not stated.
 */
#include "report_parts.h"

static const char *said(const tct_report *r, const char *key)
{
    return tct_text_of(r->h, json_object_get(json_object_get(r->audit, "about"), key));
}

/* Attributes of special categories, and what becomes of them. */
static void list_special(const tct_report *r)
{
    const json_t *open = json_object_get(r->audit, "public_attributes");
    tct_html *h = r->h;
    bool any = false;

    tct_raw(h, "<dt>");
    tct_say(h, W_f_special);
    tct_raw(h, "</dt><dd>");
    for (size_t i = 0; i < r->n + json_array_size(open); i++) {
        const json_t *one = i < r->n ? r->attributes[i] : json_array_get(open, i - r->n);
        const char *special = tct_text_of(h, json_object_get(one, "special"));
        const char *fate =
            i < r->n ? tct_line(h, W_special_asked, tct_share(h, tct_asked_share(r->first, tct_str(one, "name"))),
                                tct_delta_is(h, tct_delta(r->first)))
                     : tct_word_text(h, W_special_public);

        if (!special)
            continue;
        tct_raw(h, any ? "; " : "");
        tct_escaped(h, tct_line(h, W_special_of, tct_name_of(h, one), special, fate));
        any = true;
    }
    if (!any)
        tct_tag(h, "span class=\"empty\"", W_not_stated);
    tct_raw(h, "</dd>\n");
}

void tct_report_form(const tct_report *r)
{
    static const struct {
        const char *key;
        tct_word word;
        bool always;
    } fields[] = {
        {"title", W_f_title, false},
        {"purpose", W_f_purpose, true},
        {"controller", W_f_controller, true},
        {"legal_basis", W_f_legal_basis, true},
        {NULL, W_f_special, true},
        {"retention", W_f_retention, true},
        {"contact", W_f_contact, true},
        {"model_owner", W_f_model_owner, true},
        {"date", W_f_date, true},
        {"privacy_notice", W_f_privacy_notice, true},
        {"human_review", W_f_human_review, true},
        {"source", W_f_source, false},
        {"licence", W_f_licence, false},
        {"note", W_f_note, false},
    };
    tct_html *h = r->h;

    tct_section_begin(h, "form", tct_word_text(h, W_f_section));
    tct_raw(h, "<div class=\"form\">\n");
    tct_tag(h, "p class=\"note\"", W_f_form);
    tct_pairs_begin(h);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (!fields[i].key)
            list_special(r);
        else if (fields[i].always || said(r, fields[i].key))
            tct_dt(h, fields[i].word, said(r, fields[i].key));
    }
    tct_pairs_end(h);
    tct_raw(h, "</div>\n");
    tct_section_end(h);
}
