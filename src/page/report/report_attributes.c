/*
 * report_attributes.c -- each attribute by three names that are not the same: asked, indispensable, spare; and what happens
 * if it is never asked for.
 */
#include <math.h>
#include <stdlib.h>

#include "report_parts.h"

enum { MOST_NAMES = 12 };

/* A share from a map of counts. */
static double share_in(const json_t *result, const char *map, const char *name)
{
    double people = tct_num(result, "people");

    return people > 0 ? tct_of(result, map, name) / people : NAN;
}

static double spare_count(const json_t *result, const char *name)
{
    return tct_of(json_object_get(result, "spare"), "by_attribute", name);
}

static bool has_figures(const tct_report *r)
{
    return json_is_object(json_object_get(r->strict, "indispensable_people"));
}

static void tell_words(const tct_report *r)
{
    json_t *undecided = json_object_get(r->strict, "undecided_people");
    const char *key;
    json_t *count;
    double some = 0;
    tct_html *h = r->h;

    tct_raw(h, "<ul>\n");
    tct_tag(h, "li", W_t_words_asked);
    tct_tag(h, "li", W_t_words_indispensable);
    tct_tag(h, "li", W_t_words_spare);
    json_object_foreach(undecided, key, count) some += json_number_value(count) > 0;
    if (some > 0)
        tct_tagf(h, "li", W_t_words_undecided, tct_line_many(h, W_attributes_n, some, tct_count(h, some)));
    tct_raw(h, "</ul>\n");
}

static void put_key(const tct_report *r)
{
    tct_html *h = r->h;
    const char *strict = tct_delta_is(h, tct_delta(r->strict));

    tct_key_begin(h);
    tct_key_bar(h, "asked", tct_line(h, W_t_key_asked, strict));
    if (has_figures(r)) {
        tct_key_bar(h, "sure", tct_word_text(h, W_t_key_indispensable));
        tct_key_bar(h, "spare", tct_line(h, W_t_key_spare, strict));
    }
    for (size_t i = 1; i < r->n_results; i++)
        tct_key_dot(h, i, tct_line(h, W_t_key_asked, tct_delta_is(h, tct_delta(r->results[i]))));
    tct_key_end(h);
}

static void draw_rows(const tct_report *r)
{
    tct_scale scale = tct_scale_make(0, 1, true, false);
    tct_html *h = r->h;

    tct_chart_begin(h, "strips", tct_word_text(h, has_figures(r) ? W_t_label : W_t_label_asked));
    put_key(r);
    for (size_t i = 0; i < r->n && i < TCT_MOST_DRAWN; i++) {
        const char *name = tct_str(r->attributes[i], "name");
        double asked = tct_asked_share(r->strict, name);
        double spare = spare_count(r->strict, name) / r->people;

        tct_strip_begin(h, &scale, tct_name_of(h, r->attributes[i]), NULL);
        tct_mark_bar(h, &scale, 0, asked, "asked");
        if (spare > 0)
            tct_mark_bar(h, &scale, fmax(asked - spare, 0), asked, "spare");
        tct_mark_bar(h, &scale, 0, share_in(r->strict, "indispensable_people", name), "sure");
        for (size_t d = r->n_results; d-- > 1;)
            tct_mark_dot(h, &scale, tct_asked_share(r->results[d], name), d);
        tct_strip_end(h, NULL, NULL);
    }
    tct_strip_axis(h, &scale, tct_word_text(h, W_t_axis));
    tct_chart_end(h);
}

static void number_one(const tct_report *r, const json_t *attribute, const json_t *result, bool undecided)
{
    const char *name = tct_str(attribute, "name");
    double counts[] = {tct_of(result, "asked_people", name), tct_of(result, "indispensable_people", name),
                       tct_of(result, "undecided_people", name), spare_count(result, name)};
    tct_html *h = r->h;

    tct_tr(h);
    tct_td(h, tct_name_of(h, attribute));
    tct_td_of(h, tct_short(h, tct_delta(result)), tct_delta(result));
    for (size_t k = 0; k < (has_figures(r) ? 4 : 1); k++) {
        if (k == 2 && !undecided)
            continue;
        tct_td_of(h, tct_count(h, counts[k]), counts[k]);
        if (k < 2)
            tct_td_plain(h, tct_percent(h, counts[k] / tct_num(result, "people"), 2));
    }
    tct_tr_end(h);
}

static void number_rows(const tct_report *r)
{
    bool undecided = json_is_object(json_object_get(r->strict, "undecided_people"));
    size_t per = r->rows / r->n_results;
    size_t listed = r->n <= (per ? per : 1) ? r->n : per > TCT_MOST_DRAWN ? per : TCT_MOST_DRAWN;
    tct_html *h = r->h;

    tct_heads(h, W_h_attribute, W_h_delta, W_h_asked_people, W_h_asked_share);
    if (has_figures(r)) {
        tct_heads(h, W_h_indispensable_people, W_h_indispensable);
        if (undecided)
            tct_head(h, W_h_undecided_people);
        tct_head(h, W_h_spare_people);
    }
    tct_body(h);
    for (size_t i = 0; i < r->n && i < listed; i++)
        for (size_t d = 0; d < r->n_results; d++)
            number_one(r, r->attributes[i], r->results[d], undecided);
}

static void draw_figure(const tct_report *r)
{
    const char *title = tct_word_text(r->h, has_figures(r) ? W_t_title : W_t_title_asked);
    tct_html *h = r->h;

    tct_figure_begin(h, "attributes", title);
    draw_rows(r);
    tct_note_begin(h);
    tct_sayf(h, r->n_results > 1 ? W_t_note : W_t_note_one, tct_delta_is(h, tct_delta(r->strict)));
    if (r->n > TCT_MOST_DRAWN)
        tct_moref(h, W_t_note_drawn, tct_count(h, TCT_MOST_DRAWN), tct_count(h, (double)r->n));
    tct_note_end(h);
    tct_numbers_begin(h, "attributes", title);
    number_rows(r);
    tct_numbers_end(h);
}

/* ---- what if ---- */

typedef struct dropped {
    const json_t *attribute;
    double proven, open, others;
    size_t place;
} dropped;

static int compare_dropped(const void *x, const void *y)
{
    const dropped *a = x, *b = y;

    if (a->open != b->open)
        return a->open < b->open ? -1 : 1;
    if (a->others != b->others)
        return a->others < b->others ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

static void tell_free(const tct_report *r, const dropped *all)
{
    const char *names[MOST_NAMES], *strict = tct_delta_is(r->h, tct_delta(r->strict));
    size_t never = tct_never_asked(r, r->strict, names, MOST_NAMES), free_ones = 0;
    tct_html *h = r->h;

    tct_raw(h, "<ul>\n");
    if (never)
        tct_tagf(h, "li", never == 1 ? W_o_never : W_o_never_many, tct_some_of(h, names, never, MOST_NAMES), strict);
    for (size_t i = 0; i < r->n; i++)
        if (all[i].open == 0) {
            if (free_ones < MOST_NAMES)
                names[free_ones] = tct_name_of(h, all[i].attribute);
            free_ones++;
        }
    if (free_ones)
        tct_tagf(h, "li", W_o_free, tct_some_of(h, names, free_ones, MOST_NAMES));
    tct_raw(h, "</ul>\n");
}

static void list_dropped(const tct_report *r, const dropped *all)
{
    static const tct_word heads[] = {W_h_attribute, W_h_asked_share, W_o_proven, W_o_open, W_o_others, W_o_special};
    tct_html *h = r->h;

    tct_open_table_begin(h, "drop", tct_word_text(h, W_o_title));
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        tct_head(h, heads[i]);
    tct_body(h);
    for (size_t i = 0; i < r->n && i < r->rows; i++) {
        const char *name = tct_str(all[i].attribute, "name"), *special;

        special = tct_text_of(h, json_object_get(all[i].attribute, "special"));
        tct_tr(h);
        tct_td(h, tct_name_of(h, all[i].attribute));
        tct_td_of(h, tct_percent(h, tct_asked_share(r->strict, name), 1), tct_of(r->strict, "asked", name));
        tct_td_of(h, tct_percent(h, all[i].proven, 1), all[i].proven);
        tct_td_of(h, tct_percent(h, all[i].open, 1), all[i].open);
        tct_td_of(h, tct_percent(h, all[i].others, 1), all[i].others);
        tct_td_plain(h, special ? special : "–");
        tct_tr_end(h);
    }
    tct_open_table_end(h);
    tct_raw(h, "<p class=\"note\">");
    tct_sayf(h, W_o_note, tct_delta_is(h, tct_delta(r->strict)));
    if (r->n > r->rows)
        tct_moref(h, W_t_note_table, tct_count(h, (double)r->rows), tct_count(h, (double)r->n));
    tct_raw(h, "</p>\n");
}

static void show_dropped(const tct_report *r)
{
    const json_t *map = json_object_get(r->strict, "if_never_asked");
    dropped *all;

    if (!json_is_object(map))
        return;
    all = tct_malloc(r->n, sizeof *all);
    if (!all) {
        r->h->text.failed = true;
        return;
    }
    for (size_t i = 0; i < r->n; i++) {
        const json_t *one = json_object_get(map, tct_str(r->attributes[i], "name"));

        all[i] = (dropped){r->attributes[i], tct_num(one, "proven"), tct_num(one, "open"), tct_num(one, "others"), i};
    }
    qsort(all, r->n, sizeof *all, compare_dropped);
    tell_free(r, all);
    list_dropped(r, all);
    tct_free(all);
}

void tct_report_attributes(const tct_report *r)
{
    tct_section_begin(r->h, "which", tct_word_text(r->h, has_figures(r) ? W_t_section : W_t_section_asked));
    if (has_figures(r))
        tell_words(r);
    draw_figure(r);
    show_dropped(r);
    tct_section_end(r->h);
}
