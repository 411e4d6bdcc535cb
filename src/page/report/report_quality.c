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
    double skipped = tct_num(cells, "skipped_rows"), unlabelled = r->people - tct_num(r->audit, "labelled");
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
    if (skipped > 0) {
        tct_raw(h, "<li>");
        tct_say_many(h, W_q_skipped, skipped, tct_count(h, skipped));
        tct_raw(h, "</li>\n");
    }
    if (unlabelled > 0) {
        tct_raw(h, "<li>");
        tct_say_many(h, W_q_unlabelled, unlabelled, tct_count(h, unlabelled));
        tct_raw(h, "</li>\n");
    }
    tct_raw(h, "</ul>\n");
    return told;
}

/* The people whom that touches, and how often the model is right about them where they are enough to say so. */
static void tell_people(const tct_report *r)
{
    static const struct {
        const char *key;
        tct_word word;
    } kinds[] = {{"clipped", W_q_people_clipped}, {"missing", W_q_people_missing}};
    double usual = tct_num(json_object_get(r->audit, "baseline"), "accuracy");
    tct_html *h = r->h;

    for (size_t i = 0; i < 2; i++) {
        const json_t *touched = json_object_get(json_object_get(r->audit, "quality_people"), kinds[i].key);
        double people = tct_num(touched, "people"), accuracy = tct_num(touched, "accuracy");

        if (!(people > 0))
            continue;
        tct_raw(h, "<p>");
        tct_sayf(h, kinds[i].word, tct_people(h, people));
        if (isfinite(accuracy) && isfinite(usual))
            tct_moref(h, W_q_people_right, tct_percent(h, accuracy, 1), tct_percent(h, usual, 1));
        tct_raw(h, "</p>\n");
    }
}

/* One figure of those whom it touches at one delta. */
static double released(const json_t *result, const char *kind, const char *figure)
{
    return tct_num(json_object_get(json_object_get(result, "quality_people"), kind), figure);
}

/* What people with such cells are given at every delta, against the label with everything known and, for imported
 * models, the classifier's own on the values as they are. */
static void list_released(const tct_report *r)
{
    static const struct {
        const char *kind, *figure;
        tct_word word;
    } columns[] = {{"clipped", "fidelity", W_h_released_clipped},
                   {"clipped", "fidelity_unclipped", W_h_released_own},
                   {"missing", "fidelity", W_h_released_missing}};
    bool told[3], trained = strcmp(tct_str(json_object_get(r->audit, "model"), "origin"), "trained") == 0;
    bool own = isfinite(tct_num(r->strict, "fidelity_unclipped")) && released(r->strict, "clipped", "people") > 0;
    tct_html *h = r->h;

    for (size_t k = 0; k < 3; k++)
        told[k] = isfinite(released(r->strict, columns[k].kind, columns[k].figure));
    if (!told[0] && !told[2] && !own)
        return;
    tct_open_table_begin(h, "quality-released", tct_word_text(h, W_q_released));
    tct_heads(h, W_h_delta, W_h_released_all);
    if (own)
        tct_head(h, W_h_released_all_own);
    for (size_t k = 0; k < 3; k++)
        if (told[k])
            tct_head(h, columns[k].word);
    tct_body(h);
    for (size_t i = 0; i < r->n_results; i++) {
        const json_t *one = r->results[i];

        tct_tr(h);
        tct_td_of(h, tct_short(h, tct_delta(one)), tct_delta(one));
        tct_td_of(h, tct_percent(h, tct_num(one, "fidelity"), 2), tct_num(one, "fidelity"));
        if (own)
            tct_td_of(h, tct_percent(h, tct_num(one, "fidelity_unclipped"), 2), tct_num(one, "fidelity_unclipped"));
        for (size_t k = 0; k < 3; k++)
            if (told[k])
                tct_td_of(h, tct_percent(h, released(one, columns[k].kind, columns[k].figure), 2),
                          released(one, columns[k].kind, columns[k].figure));
        tct_tr_end(h);
    }
    tct_open_table_end(h);
    tct_note_begin(h);
    tct_say(h, own ? W_q_released_note_own : W_q_released_note);
    if (trained && told[0])
        tct_more(h, W_q_released_trained);
    tct_note_end(h);
}

/* More of it than chance explains. */
static bool drifted(const json_t *one)
{
    double chance = tct_num(one, "psi_by_chance");

    return tct_num(one, "psi") - (isfinite(chance) ? chance : 0) > DRIFTED;
}

/* Was the model imported?  Then the reference is the data it came with, which need not be those it was trained on. */
static bool imported(const tct_report *r)
{
    return strcmp(tct_str(json_object_get(r->audit, "model"), "origin"), "imported") == 0;
}

/* Columns unlike those of the training data. */
static void tell_drift(const tct_report *r, json_t *quality)
{
    const char *names[MOST_NAMES], *key;
    json_t *one;
    size_t n = 0;

    json_object_foreach(quality, key, one) if (drifted(one))
    {
        if (n < MOST_NAMES)
            names[n] = tct_called(r, key);
        n++;
    }
    if (n)
        tct_tagf(r->h, "p", W_q_drift, tct_some_of(r->h, names, n, MOST_NAMES),
                 tct_word_text(r->h, imported(r) ? W_q_import : W_q_training));
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
        tct_head(h, k == 1 && imported(r) ? W_h_import_missing : shares[k].word);
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
    tct_tagf(h, "p class=\"note\"", W_q_note, tct_word_text(h, imported(r) ? W_q_import : W_q_training));
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
    tct_heads(h, W_h_attribute, W_h_missing, W_h_clipped, W_h_unknown);
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
    } kinds[] = {{"identifier", W_e_identifier},
                 {"near_unique", W_e_near_unique},
                 {"date", W_e_date},
                 {"determined", W_e_determined},
                 {"near_duplicate", W_e_near_duplicate},
                 {"constant", W_e_constant},
                 {"missing_markers", W_e_missing_markers},
                 {"decimal", W_e_decimal},
                 {"renamed", W_e_renamed},
                 {"untrained_levels", W_e_untrained_levels},
                 {"mostly_missing", W_e_mostly_missing},
                 {"stray_text", W_e_stray_text},
                 {"written_numbers", W_e_written_numbers},
                 {"leading_zeros", W_e_leading_zeros},
                 {"more", W_e_more}};

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].kind, kind) == 0)
            return kinds[i].word;
    return W_e_other;
}

static bool is_used(const tct_report *r, const char *name)
{
    static const char *const lists[] = {"attributes", "public_attributes"};

    for (size_t k = 0; k < 2; k++) {
        const json_t *all = json_object_get(r->audit, lists[k]);

        for (size_t i = 0; i < json_array_size(all); i++)
            if (strcmp(tct_str(json_array_get(all, i), "name"), name) == 0)
                return true;
    }
    return false;
}

/* How many columns a remark must name. */
static size_t columns_told(tct_word word)
{
    return word == W_e_determined || word == W_e_near_duplicate ? 2 : word == W_e_decimal || word == W_e_more ? 0 : 1;
}

static void tell_remark(const tct_report *r, const json_t *remark)
{
    const json_t *columns = json_object_get(remark, "columns");
    const char *names[MOST_NAMES], *text = tct_text_of(r->h, json_object_get(remark, "text"));
    size_t all = json_array_size(columns), n = all < MOST_NAMES ? all : MOST_NAMES;
    tct_word word = remark_word(tct_str(remark, "kind"));

    for (size_t i = 0; i < n; i++) {
        const char *name = json_string_value(json_array_get(columns, i));

        names[i] = tct_called(r, name ? name : "");
    }
    if (!text)
        text = tct_str(remark, "kind");
    if (word == W_e_date && n && json_is_string(json_array_get(columns, 0)) &&
        !is_used(r, json_string_value(json_array_get(columns, 0))))
        word = W_e_date_out;
    if (word == W_e_other && n == 0)
        tct_tagf(r->h, "li", W_verbatim, text);
    else if (word == W_e_other || n < columns_told(word))
        tct_tagf(r->h, "li", W_e_other, tct_some_of(r->h, names, all, MOST_NAMES), text);
    else if (word == W_e_missing_markers)
        tct_tagf(r->h, "li", word, tct_some_of(r->h, names, all, MOST_NAMES));
    else
        tct_tagf(r->h, "li", word, n ? names[0] : "", n > 1 ? names[1] : "");
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
    tell_people(r);
    list_released(r);
    if (json_object_size(quality)) {
        tell_drift(r, quality);
        list_quality(r, quality);
    } else if (json_object_size(cells)) {
        list_cells(r, cells);
    }
    tct_section_end(r->h);
    tell_remarks(r);
}
