/*
 * report_quality.c -- how good the data are that came in: cells by column, drift against training, what that does to
 * decisions; and remarks on columns that point at persons or repeat each other.
 */
#include <math.h>
#include <string.h>

#include "report_parts.h"

#define DRIFTED 0.25

enum { MOST_NAMES = 12 };

static size_t tell_cells(const tct_report *r)
{
    static const struct {
        const char *key;
        tct_word word;
    } kinds[] = {{"clipped", W_q_clipped}, {"missing", W_q_missing}, {"unknown", W_q_unknown}};
    const json_t *cells = json_object_get(r->audit, "cells");
    double unlabelled = r->people - tct_num(r->audit, "labelled");
    tct_html *h = r->h;
    size_t told = 0;

    tct_raw(h, "<ul>\n");
    for (size_t i = 0; i < 3; i++) {
        double n = tct_num(cells, kinds[i].key);

        if (n > 0) {
            tct_raw(h, "<li>");
            tct_say_many(h, kinds[i].word, n, tct_count(h, n));
            tct_raw(h, "</li>\n");
            told++;
        }
    }
    if (!told)
        tct_tag(h, "li", W_q_all_well);
    if (unlabelled > 0) {
        tct_raw(h, "<li>");
        tct_say_many(h, W_q_unlabelled, unlabelled, tct_count(h, unlabelled));
        tct_raw(h, "</li>\n");
    }
    tct_raw(h, "</ul>\n");
    return told;
}

/* Columns unlike those of the training data. */
static void tell_drift(const tct_report *r, json_t *quality)
{
    const char *names[MOST_NAMES], *key;
    json_t *one;
    size_t n = 0;

    json_object_foreach(quality, key, one) if (tct_num(one, "psi") > DRIFTED)
    {
        if (n < MOST_NAMES)
            names[n] = tct_called(r, key);
        n++;
    }
    if (n)
        tct_tagf(r->h, "p", W_q_drift, tct_some_of(r->h, names, n, MOST_NAMES));
}

static void list_quality(const tct_report *r, json_t *quality)
{
    static const struct {
        const char *key;
        tct_word word;
    } shares[] = {{"missing_share", W_h_missing},
                  {"training_missing_share", W_h_training_missing},
                  {"clipped_share", W_h_clipped},
                  {"unknown_share", W_h_unknown}};
    const char *key;
    json_t *one;
    size_t n = 0;
    tct_html *h = r->h;

    tct_open_table_begin(h, "quality-columns", tct_word_text(h, W_q_title));
    tct_head(h, W_h_attribute);
    for (size_t k = 0; k < 4; k++)
        tct_head(h, shares[k].word);
    tct_head(h, W_h_drift);
    tct_body(h);
    json_object_foreach(quality, key, one)
    {
        if (n++ >= r->rows)
            break;
        tct_tr(h);
        tct_td(h, tct_called(r, key));
        for (size_t k = 0; k < 4; k++)
            tct_td_of(h, tct_percent(h, tct_num(one, shares[k].key), 2), tct_num(one, shares[k].key));
        tct_td_of(h, tct_decimal(h, tct_num(one, "psi"), 3), tct_num(one, "psi"));
        tct_tr_end(h);
    }
    tct_open_table_end(h);
    tct_tag(h, "p class=\"note\"", W_q_note);
    if (json_object_size(quality) > r->rows)
        tct_tagf(h, "p class=\"note\"", W_t_note_table, tct_count(h, (double)r->rows),
                 tct_count(h, (double)json_object_size(quality)));
}

/* Without shares: the counts that there are. */
static void list_cells(const tct_report *r, json_t *cells)
{
    static const char *const keys[] = {"missing", "clipped", "unknown"};
    const char *key;
    json_t *one;
    size_t n = 0;
    tct_html *h = r->h;

    tct_open_table_begin(h, "quality-columns", tct_word_text(h, W_q_title));
    tct_head(h, W_h_attribute);
    tct_head(h, W_h_missing);
    tct_head(h, W_h_clipped);
    tct_head(h, W_h_unknown);
    tct_body(h);
    json_object_foreach(cells, key, one)
    {
        if (n++ >= r->rows)
            break;
        tct_tr(h);
        tct_td(h, tct_called(r, key));
        for (size_t k = 0; k < 3; k++)
            tct_td_of(h, tct_count(h, tct_num(one, keys[k])), tct_num(one, keys[k]));
        tct_tr_end(h);
    }
    tct_open_table_end(h);
    tct_tag(h, "p class=\"note\"", W_q_note_counts);
}

/* ---- remarks ---- */

static tct_word remark_word(const char *kind)
{
    static const struct {
        const char *kind;
        tct_word word;
    } kinds[] = {{"identifier", W_e_identifier}, {"near_unique", W_e_near_unique},       {"date", W_e_date},
                 {"determined", W_e_determined}, {"near_duplicate", W_e_near_duplicate}, {"constant", W_e_constant}};

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].kind, kind) == 0)
            return kinds[i].word;
    return W_e_other;
}

static void tell_remark(const tct_report *r, const json_t *remark)
{
    const json_t *columns = json_object_get(remark, "columns");
    const char *names[MOST_NAMES], *text = tct_text_of(r->h, json_object_get(remark, "text"));
    size_t n = json_array_size(columns) < MOST_NAMES ? json_array_size(columns) : MOST_NAMES;
    tct_word word = remark_word(tct_str(remark, "kind"));
    bool pair = word == W_e_determined || word == W_e_near_duplicate;

    for (size_t i = 0; i < n; i++) {
        const char *name = json_string_value(json_array_get(columns, i));

        names[i] = tct_called(r, name ? name : "");
    }
    if (word == W_e_other || n < (pair ? 2 : 1))
        tct_tagf(r->h, "li", W_e_other, tct_list_of(r->h, names, n), text ? text : tct_str(remark, "kind"));
    else
        tct_tagf(r->h, "li", word, names[0], pair ? names[1] : "");
}

static void tell_remarks(const tct_report *r)
{
    const json_t *remarks = json_object_get(r->audit, "remarks");

    if (json_array_size(remarks) == 0)
        return;
    tct_section_begin(r->h, "remarks", tct_word_text(r->h, W_e_section));
    tct_raw(r->h, "<ul>\n");
    for (size_t i = 0; i < json_array_size(remarks) && i < r->rows; i++)
        tell_remark(r, json_array_get(remarks, i));
    tct_raw(r->h, "</ul>\n");
    tct_section_end(r->h);
}

void tct_report_quality(const tct_report *r)
{
    json_t *quality = json_object_get(r->audit, "quality");
    json_t *cells = json_object_get(json_object_get(r->audit, "cells"), "by_attribute");

    tct_section_begin(r->h, "quality", tct_word_text(r->h, W_q_section));
    tell_cells(r);
    if (json_object_size(quality)) {
        tell_drift(r, quality);
        list_quality(r, quality);
    } else if (json_object_size(cells)) {
        list_cells(r, cells);
    }
    tct_section_end(r->h);
    tell_remarks(r);
}
