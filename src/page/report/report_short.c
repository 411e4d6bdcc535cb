/*
 * report_short.c -- the main result in sentences, the audit at a glance, and how many people are asked for how much.
 */
#include <math.h>

#include "report_parts.h"

enum { MOST_HISTOGRAMS = 16 };

static void tell_others(const tct_report *r)
{
    tct_html *h = r->h;

    for (size_t i = 0; i < r->n_results; i++) {
        const json_t *one = r->results[i];
        double delta = tct_delta(one);
        const char *asked = tct_decimal(h, tct_num(one, "mean_asked"), 1), *none = tct_none_words(r, one);

        if (one == r->first)
            continue;
        if (delta == 0)
            tct_tagf(h, "li", W_i_other_proven, tct_delta_is(h, 0), asked, none);
        else
            tct_tagf(h, "li", W_i_other_likely, tct_sure(h, delta), tct_delta_is(h, delta), asked, none,
                     tct_share(h, tct_num(one, "fidelity")));
    }
}

static void tell_sentences(const tct_report *r)
{
    const json_t *opt = json_object_get(r->audit, "opt");
    double delta = tct_delta(r->first);
    tct_html *h = r->h;

    tct_tagf(h, "p class=\"hero\"", W_i_main, tct_decimal(h, tct_num(r->first, "mean_asked"), 1),
             tct_count(h, (double)r->n), tct_none_words(r, r->first));
    if (delta == 0 && tct_num(r->first, "fidelity") == 1)
        tct_tagf(h, "p class=\"lead\"", W_i_proven, tct_delta_is(h, 0));
    else
        tct_tagf(h, "p class=\"lead\"", W_i_likely, tct_sure(h, delta), tct_delta_is(h, delta),
                 tct_share(h, tct_num(r->first, "fidelity")));
    tct_raw(h, "<ul>\n");
    tell_others(r);
    if (tct_num(opt, "mean_asked") > 0) /* nothing is less than none */
        tct_tagf(h, "li", tct_num(opt, "inexact") > 0 || tct_opt_people(r) < r->people ? W_i_opt_found : W_i_opt,
                 tct_decimal(h, tct_num(opt, "mean_asked"), 1));
    tct_tagf(h, "li", W_verbatim, tct_trained_words(r));
    tct_raw(h, "</ul>\n");
}

/* ---- at a glance ---- */

typedef struct glance {
    bool costs, calibrated, truth;
} glance;

static void glance_row(const tct_report *r, const glance *g, const char *name, const json_t *one, const json_t *opt)
{
    double n = (double)r->n, asked = one ? tct_num(one, "mean_asked") : opt ? tct_num(opt, "mean_asked") : n;
    double none = json_number_value(json_array_get(json_object_get(opt, "histogram"), 0)) / tct_opt_people(r);
    static const char *const settled[] = {"certain", "likely", "all_revealed"};
    tct_html *h = r->h;
    double cost = 0;

    for (size_t i = 0; i < r->n; i++)
        cost += tct_num(r->attributes[i], "cost");
    tct_tr(h);
    tct_td(h, name);
    tct_td_of(h, tct_decimal(h, asked, 2), asked);
    tct_td_plain(h, tct_percent(h, r->n ? asked / n : 0, 1));
    tct_td_plain(h, tct_percent(h, one ? tct_num(one, "none_asked") : opt ? none : r->n ? 0 : 1, 1));
    if (g->costs)
        tct_td_plain(h, tct_decimal(h, one ? tct_num(one, "mean_cost") : opt ? tct_num(opt, "mean_cost") : cost, 2));
    if (one)
        tct_td_of(h, tct_percent(h, tct_num(one, "fidelity"), 2), tct_num(one, "fidelity"));
    else
        tct_td_plain(h, tct_percent(h, 1, 2));
    if (g->truth)
        tct_td_plain(h, tct_percent(h, tct_num(one ? one : json_object_get(r->audit, "baseline"), "accuracy"), 2));
    for (size_t i = 0; i < 3; i++) {
        double people = tct_num(json_object_get(one, "settled"), settled[i]);

        tct_td_of(h, tct_count(h, people), people);
    }
    tct_td_plain(h, one ? tct_str(one, "rule") : "–");
    if (g->calibrated)
        tct_td_plain(h, one && json_is_true(json_object_get(one, "calibrated")) ? tct_word_text(h, W_yes) : "–");
    tct_tr_end(h);
}

static void show_glance(const tct_report *r)
{
    const json_t *opt = json_object_get(r->audit, "opt");
    glance g = {.truth = isfinite(tct_num(json_object_get(r->audit, "baseline"), "accuracy"))};
    tct_html *h = r->h;

    for (size_t i = 0; i < r->n; i++)
        g.costs |= tct_num(r->attributes[i], "cost") != 1;
    for (size_t i = 0; i < r->n_results; i++)
        g.calibrated |= json_is_true(json_object_get(r->results[i], "calibrated"));
    tct_open_table_begin(h, "glance", tct_word_text(h, W_g_title));
    tct_heads(h, W_h_way, W_h_asked);
    tct_head_text(h, tct_line(h, W_h_of, tct_count(h, (double)r->n)));
    tct_head(h, W_h_none_asked);
    if (g.costs)
        tct_head(h, W_h_cost);
    tct_head(h, W_h_same);
    if (g.truth)
        tct_head(h, W_h_right);
    tct_heads(h, W_h_proven, W_h_likely, W_h_gave_all, W_h_rule);
    if (g.calibrated)
        tct_head(h, W_h_calibrated);
    tct_body(h);
    glance_row(r, &g, tct_word_text(h, W_g_all), NULL, NULL);
    for (size_t i = 0; i < r->n_results; i++)
        glance_row(r, &g, tct_delta_is(h, tct_delta(r->results[i])), r->results[i], NULL);
    if (opt)
        glance_row(r, &g,
                   tct_word_text(h, tct_opt_people(r) < r->people ? W_g_opt_sample
                                    : tct_num(opt, "inexact") > 0 ? W_g_opt_found
                                                                  : W_g_opt),
                   NULL, opt);
    tct_open_table_end(h);
    tct_tag(h, "p class=\"note\"", W_g_note);
}

void tct_report_short(const tct_report *r)
{
    tct_html *h = r->h;

    tct_section_begin(h, "short", tct_word_text(h, W_i_section));
    tct_raw(h, "<div class=\"headline\">\n");
    if (r->n)
        tell_sentences(r);
    else
        tct_tag(h, "p class=\"hero\"", W_i_none_sensitive);
    tct_raw(h, "</div>\n");
    show_glance(r);
    tct_section_end(h);
}

/* ---- histograms ---- */

static void number_histogram(const tct_report *r, const char *name, const json_t *histogram)
{
    tct_html *h = r->h;
    double all = 0;

    for (size_t k = 0; k < json_array_size(histogram); k++)
        all += json_number_value(json_array_get(histogram, k));
    for (size_t k = 0; k < json_array_size(histogram); k++) {
        double people = json_number_value(json_array_get(histogram, k));

        if (people == 0 && json_array_size(histogram) > TCT_MOST_DRAWN + 1)
            continue;
        tct_tr(h);
        tct_td(h, name);
        tct_td_plain(h, tct_count(h, (double)k));
        tct_td_of(h, tct_count(h, people), people);
        tct_td_plain(h, tct_percent(h, all > 0 ? people / all : NAN, 2));
        tct_tr_end(h);
    }
}

void tct_report_asked(const tct_report *r)
{
    const json_t *opt = json_object_get(r->audit, "opt");
    tct_histogram all[MOST_HISTOGRAMS];
    const char *title = tct_word_text(r->h, W_c_title);
    size_t n = 0;
    tct_html *h = r->h;

    for (size_t i = 0; i < r->n_results && n < MOST_HISTOGRAMS - 1; i++)
        all[n++] = (tct_histogram){tct_delta_is(h, tct_delta(r->results[i])), "column",
                                   json_object_get(r->results[i], "histogram")};
    if (opt)
        all[n++] = (tct_histogram){tct_word_text(h, W_c_least), "least", json_object_get(opt, "histogram")};
    tct_section_begin(h, "how-much", tct_word_text(h, W_c_section));
    tct_figure_begin(h, "asked", title);
    tct_columns_draw(h, all, n, tct_word_text(h, opt ? W_c_label_opt : W_c_label), tct_word_text(h, W_c_x));
    tct_note_begin(h);
    tct_sayf(h, W_c_note, tct_people(h, r->people));
    if (opt)
        tct_more(h, W_c_note_opt);
    tct_note_end(h);
    tct_numbers_begin(h, "asked", title);
    tct_heads(h, W_h_delta, W_h_attributes, W_h_people, W_h_share);
    tct_body(h);
    for (size_t i = 0; i < n; i++)
        number_histogram(r, all[i].title, all[i].counts);
    tct_numbers_end(h);
    tct_section_end(h);
}
