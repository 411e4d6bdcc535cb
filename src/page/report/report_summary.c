/*
 * report_summary.c -- the figures as a summary in the shape of an impact assessment: finding, risk, measure, what is left.
 * Every sentence is chosen by what the figures say and is left out where they do not say it.
 */
#include <math.h>
#include <string.h>

#include "report_parts.h"

enum { MOST_NAMES = 12 };

static void begin_part(tct_html *h, tct_word word)
{
    tct_raw(h, "<dt>");
    tct_say(h, word);
    tct_raw(h, "</dt><dd><ul>\n");
}

static void end_part(tct_html *h)
{
    tct_raw(h, "</ul></dd>\n");
}

/* Attributes that are indispensable for nobody. */
static void tell_indispensable(const tct_report *r)
{
    const char *names[MOST_NAMES];
    size_t none = 0;
    tct_html *h = r->h;

    if (!json_is_object(json_object_get(r->strict, "indispensable_people")))
        return;
    for (size_t i = 0; i < r->n; i++) {
        const char *name = tct_str(r->attributes[i], "name");
        double undecided = tct_of(r->strict, "undecided_people", name);

        if (tct_of(r->strict, "indispensable_people", name) == 0 && !(undecided > 0)) {
            if (none < MOST_NAMES)
                names[none] = tct_name_of(h, r->attributes[i]);
            none++;
        }
    }
    if (none == r->n)
        tct_tag(h, "li", W_s_indispensable_none);
    else if (none > 0)
        tct_tagf(h, "li", none == 1 ? W_s_indispensable_one : W_s_indispensable_some, tct_count(h, (double)none),
                 tct_count(h, (double)r->n), tct_some_of(h, names, none, MOST_NAMES));
    else if (!json_is_object(json_object_get(r->strict, "undecided_people")))
        tct_tagf(h, "li", r->n == 1 ? W_s_indispensable_only : W_s_indispensable_all, tct_count(h, (double)r->n));
}

static void tell_finding(const tct_report *r)
{
    tct_html *h = r->h;
    double spare = tct_num(json_object_get(r->strict, "spare"), "answers");

    begin_part(h, W_s_finding);
    if (r->n == 0) {
        tct_tag(h, "li", W_s_none_sensitive);
    } else {
        tct_tagf(h, "li", W_s_asked, tct_decimal(h, tct_num(r->first, "mean_asked"), 1), tct_count(h, (double)r->n),
                 tct_delta_is(h, tct_delta(r->first)), tct_share(h, tct_num(r->first, "none_asked")));
        tell_indispensable(r);
        if (spare > 0)
            tct_tagf(h, "li", W_s_spare, tct_share(h, spare), tct_delta_is(h, tct_delta(r->strict)));
        else if (spare == 0 && tct_num(r->strict, "mean_asked") > 0)
            tct_tagf(h, "li", W_s_spare_none, tct_delta_is(h, tct_delta(r->strict)));
    }
    end_part(h);
}

/* Special categories that somebody is asked for. */
static size_t tell_special(const tct_report *r)
{
    const char *names[MOST_NAMES];
    size_t n = 0;
    tct_html *h = r->h;

    for (size_t i = 0; i < r->n && n < MOST_NAMES; i++) {
        const char *special = tct_text_of(h, json_object_get(r->attributes[i], "special"));
        double share = tct_asked_share(r->first, tct_str(r->attributes[i], "name"));

        if (special && share > 0)
            names[n++] =
                tct_line(h, W_special_of, tct_name_of(h, r->attributes[i]), special,
                         tct_line(h, W_special_asked, tct_share(h, share), tct_delta_is(h, tct_delta(r->first))));
    }
    if (n)
        tct_tagf(h, "li", W_r_special, tct_list_of(h, names, n));
    return n;
}

static size_t tell_model(const tct_report *r)
{
    const char *state = tct_str(json_object_get(r->audit, "baseline"), "state");
    bool worse = strcmp(state, "no better") == 0, open = strcmp(state, "not shown") == 0;

    if (worse || open)
        tct_tag(r->h, "li", worse ? W_r_no_better : W_r_not_shown);
    return worse || open;
}

static size_t tell_promises(const tct_report *r)
{
    const char *broken = tct_deltas_in(r, "broken"), *open = tct_deltas_in(r, "not shown");

    if (broken)
        tct_tagf(r->h, "li", W_r_broken, broken);
    if (open)
        tct_tagf(r->h, "li", W_r_promise_open, open);
    return (broken != NULL) + (open != NULL);
}

static void tell_risk(const tct_report *r)
{
    tct_html *h = r->h;
    const char *lines[3];
    const json_t *cells = json_object_get(r->audit, "cells"), *data = json_object_get(r->audit, "data");
    size_t groups = tct_group_headlines(r, lines, 3), found;

    begin_part(h, W_s_risk);
    found = tell_special(r) + tell_model(r) + tell_promises(r) + groups;
    if (groups)
        tct_tagf(h, "li", W_r_groups, tct_some_of(h, lines, groups, 3));
    if (json_array_size(json_object_get(r->audit, "remarks")) > 0) {
        tct_tag(h, "li", W_r_identifying);
        found++;
    }
    if (strcmp(tct_str(data, "trained_on"), "yes") == 0 || strcmp(tct_str(data, "part"), "train") == 0) {
        tct_tag(h, "li", W_r_trained);
        found++;
    }
    if (tct_num(cells, "clipped") > 0) {
        tct_tagf(h, "li", W_r_clipped, tct_count(h, tct_num(cells, "clipped")));
        found++;
    }
    if (found == 0)
        tct_tag(h, "li", W_r_none);
    end_part(h);
}

static void tell_never(const tct_report *r)
{
    const char *names[MOST_NAMES];
    size_t n = tct_never_asked(r, r->strict, names, MOST_NAMES);

    if (n)
        tct_tagf(r->h, "li", n == 1 ? W_m_never : W_m_never_many, tct_some_of(r->h, names, n, MOST_NAMES),
                 tct_delta_is(r->h, tct_delta(r->strict)));
}

static void tell_measure(const tct_report *r)
{
    const json_t *necessity = json_object_get(r->audit, "necessity"),
                 *index = json_object_get(necessity, "recommended");
    const json_t *best = json_array_get(json_object_get(necessity, "frontier"), (size_t)json_integer_value(index));
    double spared = 1 - tct_num(r->first, "share_asked"),
           all = (double)json_array_size(json_object_get(necessity, "attributes"));
    tct_html *h = r->h;

    begin_part(h, W_s_measure);
    if (r->n == 0)
        tct_tag(h, "li", W_s_none_sensitive);
    else if (spared > 0)
        tct_tagf(h, "li", W_m_stop, tct_share(h, spared), tct_decimal(h, tct_num(r->first, "mean_asked"), 1),
                 tct_count(h, (double)r->n), tct_delta_is(h, tct_delta(r->first)));
    else
        tct_tagf(h, "li", W_m_stop_nothing, tct_delta_is(h, tct_delta(r->first)));
    tell_never(r);
    if (json_is_integer(index) && best && tct_num(best, "attributes") < all)
        tct_tagf(h, "li", W_m_necessity, tct_count(h, tct_num(best, "attributes")), tct_count(h, all));
    end_part(h);
}

static void tell_left(const tct_report *r)
{
    const json_t *baseline = json_object_get(r->audit, "baseline");
    double all = tct_num(json_object_get(r->first, "settled"), "all_revealed"),
           accuracy = tct_num(baseline, "accuracy");
    double low = tct_num(baseline, "accuracy_low"), high = tct_num(baseline, "accuracy_high");
    tct_html *h = r->h;

    begin_part(h, W_s_left);
    if (r->n && all > 0)
        tct_tagf(h, "li", W_l_all, tct_count(h, all), tct_people(h, r->people), tct_delta_is(h, tct_delta(r->first)));
    else if (r->n)
        tct_tagf(h, "li", W_l_nobody_all, tct_delta_is(h, tct_delta(r->first)));
    if (r->n)
        tct_tagf(h, "li", W_l_fidelity, tct_share(h, tct_num(r->first, "fidelity")),
                 tct_delta_is(h, tct_delta(r->first)));
    if (!isfinite(accuracy))
        tct_tag(h, "li", W_l_no_truth);
    else if (isfinite(low))
        tct_tagf(h, "li", W_l_wrong, tct_share(h, 1 - accuracy), tct_interval_text(h, 1 - high, 1 - low, 1));
    if (tct_few_people(r))
        tct_tagf(h, "li", W_l_few, tct_people(h, r->people));
    else
        tct_tag(h, "li", W_l_person);
    end_part(h);
}

void tct_report_summary(const tct_report *r)
{
    tct_html *h = r->h;

    tct_section_begin(h, "dpia", tct_word_text(h, W_s_section));
    tct_tag(h, "p class=\"note\"", W_s_about);
    tct_raw(h, "<div class=\"form\"><dl class=\"pairs dpia\">\n");
    tell_finding(r);
    tell_risk(r);
    tell_measure(r);
    tell_left(r);
    tct_raw(h, "</dl></div>\n");
    tct_section_end(h);
}
