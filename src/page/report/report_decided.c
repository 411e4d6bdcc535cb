/*
 * report_decided.c -- what is decided: label and classes, how often each decision is made, what is public and what may be
 * asked for, how good the model is with everything known, against always deciding for the most frequent class.
 */
#include <math.h>
#include <string.h>

#include "report_parts.h"

enum { MOST_CLASSES = 12, MOST_NAMES = 60 };

static const json_t *classes_of(const tct_report *r)
{
    return json_object_get(json_object_get(r->audit, "label"), "classes");
}

/* A class by its name, as it is called. */
static const char *class_called(const tct_report *r, const char *name)
{
    const json_t *classes = classes_of(r);

    for (size_t c = 0; c < json_array_size(classes); c++)
        if (strcmp(tct_str(json_array_get(classes, c), "name"), name) == 0)
            return tct_name_of(r->h, json_array_get(classes, c));
    return name;
}

static void tell_label(const tct_report *r)
{
    const json_t *classes = classes_of(r);
    const char *names[MOST_NAMES];
    size_t n = json_array_size(classes);

    for (size_t c = 0; c < n && c < MOST_NAMES; c++)
        names[c] = tct_name_of(r->h, json_array_get(classes, c));
    tct_tagf(r->h, "p", W_d_label, tct_name_of(r->h, json_object_get(r->audit, "label")),
             tct_some_of(r->h, names, n, MOST_NAMES));
    for (size_t c = 0; c < n; c++)
        if (r->people > 0 && tct_num(json_array_get(classes, c), "decided") == r->people)
            tct_warning(r->h, tct_line(r->h, W_d_one_class, tct_name_of(r->h, json_array_get(classes, c))));
}

static void tell_roles(const tct_report *r)
{
    const json_t *open = json_object_get(r->audit, "public"), *sensitive = json_object_get(r->audit, "attributes");
    const char *names[MOST_NAMES];
    size_t n = json_array_size(open);
    tct_html *h = r->h;

    for (size_t i = 0; i < r->n && i < MOST_NAMES; i++)
        names[i] = tct_name_of(h, json_array_get(sensitive, i));
    if (r->n)
        tct_tagf(h, "p", W_d_sensitive, tct_some_of(h, names, r->n, MOST_NAMES));
    else
        tct_tag(h, "p", W_d_sensitive_none);
    if (!open)
        return;
    for (size_t i = 0; i < n && i < MOST_NAMES; i++)
        names[i] =
            tct_called(r, json_string_value(json_array_get(open, i)) ? json_string_value(json_array_get(open, i)) : "");
    if (n)
        tct_tagf(h, "p", W_d_public_some, tct_some_of(h, names, n, MOST_NAMES));
    else
        tct_tag(h, "p", W_d_public_none);
}

static void number_classes(const tct_report *r, bool truth)
{
    const json_t *classes = classes_of(r);
    tct_html *h = r->h;

    tct_heads(h, W_h_class, W_h_decided, W_h_share_decided);
    if (truth)
        tct_heads(h, W_h_true, W_h_share_true);
    tct_body(h);
    for (size_t c = 0; c < json_array_size(classes); c++) {
        const json_t *one = json_array_get(classes, c);

        tct_tr(h);
        tct_td(h, tct_name_of(h, one));
        tct_td_of(h, tct_count(h, tct_num(one, "decided")), tct_num(one, "decided"));
        tct_td_of(h, tct_percent(h, tct_num(one, "share_decided"), 2), tct_num(one, "share_decided"));
        if (truth) {
            tct_td_of(h, tct_count(h, tct_num(one, "true")), tct_num(one, "true"));
            tct_td_of(h, tct_percent(h, tct_num(one, "share_true"), 2), tct_num(one, "share_true"));
        }
        tct_tr_end(h);
    }
}

static void draw_classes(const tct_report *r)
{
    const json_t *classes = classes_of(r);
    const char *title = tct_word_text(r->h, W_d_figure);
    bool truth = isfinite(tct_num(json_array_get(classes, 0), "share_true"));
    tct_scale scale = tct_scale_make(0, 1, true, false);
    tct_html *h = r->h;

    tct_figure_begin(h, "classes", title);
    tct_chart_begin(h, "strips", tct_word_text(h, W_d_figure_label));
    tct_key_begin(h);
    tct_key_bar(h, "asked", tct_word_text(h, W_d_decided));
    if (truth)
        tct_key_line(h, "truth", tct_word_text(h, W_d_true));
    tct_key_end(h);
    for (size_t c = 0; c < json_array_size(classes) && c < TCT_MOST_DRAWN; c++) {
        const json_t *one = json_array_get(classes, c);

        tct_strip_begin(h, &scale, tct_name_of(h, one), tct_share(h, tct_num(one, "share_decided")));
        tct_mark_bar(h, &scale, 0, tct_num(one, "share_decided"), "asked");
        tct_mark_tick(h, &scale, tct_num(one, "share_true"), "truth");
        tct_strip_end(h, NULL, NULL);
    }
    tct_strip_axis(h, &scale, tct_word_text(h, W_d_axis));
    tct_chart_end(h);
    tct_note_begin(h);
    tct_say(h, W_d_note);
    if (truth)
        tct_more(h, W_d_note_true);
    tct_note_end(h);
    tct_numbers_begin(h, "classes", title);
    number_classes(r, truth);
    tct_numbers_end(h);
}

static void tell_baseline(const tct_report *r)
{
    const json_t *b = json_object_get(r->audit, "baseline");
    const char *majority = class_called(r, tct_str(b, "majority_class")), *state = tct_str(b, "state");
    double accuracy = tct_num(b, "accuracy");
    tct_html *h = r->h;

    if (!isfinite(accuracy)) {
        tct_tag(h, "p", W_d_no_truth);
        return;
    }
    if (strcmp(state, "no better") == 0)
        tct_warning(h, tct_line(h, W_d_no_better, majority));
    else if (strcmp(state, "not shown") == 0)
        tct_warning(h, tct_line(h, W_d_not_shown, majority));
    tct_raw(h, "<ul>\n");
    tct_tagf(h, "li", W_d_accuracy, tct_percent(h, accuracy, 1), tct_people(h, tct_num(r->audit, "labelled")),
             tct_interval_text(h, tct_num(b, "accuracy_low"), tct_num(b, "accuracy_high"), 1));
    if (isfinite(tct_num(b, "majority_accuracy")))
        tct_tagf(h, "li", W_d_majority, majority, tct_percent(h, tct_num(b, "majority_accuracy"), 1));
    if (isfinite(tct_num(b, "gain")))
        tct_tagf(h, "li", W_d_gain, tct_decimal(h, 100 * tct_num(b, "gain"), 1),
                 tct_decimal(h, 100 * tct_num(b, "gain_low"), 1), tct_decimal(h, 100 * tct_num(b, "gain_high"), 1));
    tct_raw(h, "</ul>\n");
}

static void draw_confusion(const tct_report *r)
{
    const json_t *confusion = json_object_get(json_object_get(r->audit, "baseline"), "confusion"),
                 *classes = classes_of(r);
    size_t n = json_array_size(confusion);
    tct_html *h = r->h;

    if (n == 0 || n != json_array_size(classes))
        return;
    if (n > MOST_CLASSES) {
        tct_tagf(h, "p class=\"note\"", W_d_many_classes, tct_count(h, (double)n));
        return;
    }
    tct_open_table_begin(h, "confusion", tct_word_text(h, W_d_confusion));
    tct_head(h, W_d_truth);
    for (size_t c = 0; c < n; c++)
        tct_head_text(h, tct_line(h, W_d_as, tct_name_of(h, json_array_get(classes, c))));
    tct_body(h);
    for (size_t row = 0; row < n; row++) {
        tct_tr(h);
        tct_td(h, tct_name_of(h, json_array_get(classes, row)));
        for (size_t c = 0; c < n; c++) {
            double count = json_number_value(json_array_get(json_array_get(confusion, row), c));

            tct_td_of(h, tct_count(h, count), count);
        }
        tct_tr_end(h);
    }
    tct_open_table_end(h);
    tct_tag(h, "p class=\"note\"", W_d_confusion_note);
}

void tct_report_decided(const tct_report *r)
{
    const json_t *unclipped = json_object_get(json_object_get(r->audit, "baseline"), "unclipped");
    tct_html *h = r->h;

    tct_section_begin(h, "decided", tct_word_text(h, W_d_section));
    if (json_is_object(json_object_get(r->audit, "label")))
        tell_label(r);
    tell_roles(r);
    tell_baseline(r);
    if (json_is_object(unclipped) && tct_num(unclipped, "people") > 0 && !isfinite(tct_num(unclipped, "agree")))
        tct_tagf(h, "p", W_d_unclipped_few, tct_people(h, tct_num(unclipped, "people")));
    else if (json_is_object(unclipped) && tct_num(unclipped, "people") > 0)
        tct_tagf(h, "p", W_d_unclipped, tct_people(h, tct_num(unclipped, "people")),
                 tct_count(h, tct_num(unclipped, "agree")));
    if (json_array_size(classes_of(r)))
        draw_classes(r);
    draw_confusion(r);
    tct_section_end(h);
}
