/*
 * report_method.c -- how it was counted, what is not said, where it comes from and how to repeat it.
 */
#include <string.h>

#include "report_parts.h"

enum { MOST_NAMES = 150 };

static bool any_delta(const tct_report *r, bool positive)
{
    for (size_t i = 0; i < r->n_results; i++)
        if ((tct_delta(r->results[i]) > 0) == positive)
            return true;
    return false;
}

static bool any_calibrated(const tct_report *r)
{
    for (size_t i = 0; i < r->n_results; i++)
        if (json_is_true(json_object_get(r->results[i], "calibrated")))
            return true;
    return false;
}

/* The rules used, each once. */
static const char *rules_of(const tct_report *r)
{
    const char *names[8];
    size_t n = 0;

    for (size_t i = 0; i < r->n_results; i++) {
        const char *rule = tct_str(r->results[i], "rule");
        bool there = false;

        for (size_t k = 0; k < n; k++)
            there |= strcmp(names[k], rule) == 0;
        if (!there && n < 8)
            names[n++] = rule;
    }
    return tct_list_of(r->h, names, n);
}

static void tell_how(const tct_report *r)
{
    const json_t *opt = json_object_get(r->audit, "opt");
    const json_t *calibration = json_object_get(json_object_get(r->audit, "model"), "calibration");
    tct_html *h = r->h;

    tct_tag(h, "h3", W_v_how);
    tct_raw(h, "<ul>\n");
    tct_tag(h, "li", W_v_walk);
    if (any_delta(r, false))
        tct_tag(h, "li", W_v_zero);
    if (any_delta(r, true))
        tct_tag(h, "li", W_v_positive);
    if (any_calibrated(r) && calibration)
        tct_tagf(h, "li", W_v_calibrated, tct_people(h, tct_num(calibration, "people")),
                 tct_sure(h, tct_num(calibration, "alpha")));
    tct_tagf(h, "li", W_v_rule, rules_of(r));
    if (json_is_object(json_object_get(r->strict, "indispensable_people")))
        tct_tag(h, "li", W_v_indispensable);
    if (opt) {
        tct_raw(h, "<li>");
        tct_say(h, W_v_opt);
        if (tct_opt_people(r) < r->people)
            tct_moref(h, W_v_opt_sample, tct_people(h, tct_opt_people(r)), tct_people(h, r->people),
                      tct_decimal(h, tct_num(opt, "mean_asked"), 2), tct_decimal(h, tct_num(opt, "standard_error"), 3));
        if (tct_num(opt, "inexact") > 0)
            tct_moref(h, W_v_inexact, tct_people(h, tct_num(opt, "inexact")),
                      tct_decimal(h, tct_num(opt, "mean_least"), 2), tct_decimal(h, tct_num(opt, "mean_asked"), 2));
        tct_raw(h, "</li>\n");
    }
    tct_tag(h, "li", W_v_intervals);
    tct_raw(h, "</ul>\n");
}

void tct_report_method(const tct_report *r)
{
    tct_html *h = r->h;
    bool names = json_object_get(r->audit, "groups") || json_object_get(r->audit, "groupings") ||
                 json_object_get(r->audit, "label");

    tct_section_begin(h, "method", tct_word_text(h, W_v_section));
    tell_how(r);
    tct_tag(h, "h3", W_v_not);
    tct_raw(h, "<ul>\n");
    tct_tag(h, "li", W_v_not_right);
    tct_tag(h, "li", W_v_not_others);
    if (r->n)
        tct_tag(h, "li", W_v_not_influence);
    tct_tag(h, "li", tct_few_people(r) ? W_v_not_rows : names ? W_v_not_person_groups : W_v_not_person);
    tct_raw(h, "</ul>\n");
    tct_section_end(h);
}

/* ---- provenance ---- */

const char *tct_trained_words(const tct_report *r)
{
    const json_t *data = json_object_get(r->audit, "data");
    const char *on = tct_str(data, "trained_on"), *part = tct_str(data, "part");
    double rows = tct_num(data, "trained_rows");
    tct_html *h = r->h;

    if (strcmp(on, "yes") == 0 && rows < r->people)
        return tct_line(h, W_w_trained_some, tct_count(h, rows), tct_count(h, r->people));
    if (strcmp(on, "yes") == 0)
        return tct_word_text(h, rows == r->people ? W_w_trained_part : W_w_trained_yes);
    if (strcmp(on, "no") == 0)
        return tct_word_text(h, strcmp(part, "held_out") == 0 ? W_w_trained_held_out : W_w_trained_no);
    return tct_word_text(h, !*on && strcmp(part, "train") == 0 ? W_w_trained_part : W_w_trained_unknown);
}

static const char *people_words(const tct_report *r)
{
    const char *part = tct_str(json_object_get(r->audit, "data"), "part"), *words = tct_people(r->h, r->people);

    if (strcmp(part, "held_out") == 0)
        words = tct_line(r->h, W_w_part_held_out, words);
    else if (strcmp(part, "train") == 0)
        words = tct_line(r->h, W_w_part_train, words);
    return tct_own_test(r) ? tct_line(r->h, W_w_calibrated_with, words) : words;
}

static const char *strings_of(tct_html *h, const json_t *list)
{
    const char *items[MOST_NAMES];
    size_t n = json_array_size(list);

    for (size_t i = 0; i < n && i < MOST_NAMES; i++)
        items[i] = json_string_value(json_array_get(list, i)) ? json_string_value(json_array_get(list, i)) : "";
    return n ? tct_some_of(h, items, n, MOST_NAMES) : NULL;
}

static void list_sensitive(const tct_report *r)
{
    const json_t *attributes = json_object_get(r->audit, "attributes");
    const char *items[MOST_NAMES];
    tct_html *h = r->h;
    bool costs = false;

    for (size_t i = 0; i < r->n; i++)
        costs |= tct_num(r->attributes[i], "cost") != 1;
    for (size_t i = 0; i < r->n && i < MOST_NAMES; i++) {
        const json_t *one = json_array_get(attributes, i);

        items[i] = costs ? tct_line(h, W_w_cost, tct_name_of(h, one), tct_short(h, tct_num(one, "cost")))
                         : tct_name_of(h, one);
    }
    tct_dt(h, W_w_sensitive, r->n ? tct_some_of(h, items, r->n, MOST_NAMES) : tct_word_text(h, W_none));
}

static void tell_model(const tct_report *r)
{
    const json_t *model = json_object_get(r->audit, "model"), *calibration = json_object_get(model, "calibration");
    const char *kind = tct_str(model, "kind");
    tct_word called = tct_word_called("kind_", kind);
    tct_html *h = r->h;

    tct_dt(h, W_p_model, called == TCT_N_WORDS ? kind : tct_word_text(h, called));
    tct_dt_code(h, W_w_model_hash, tct_str(model, "sha256"));
    if (calibration)
        tct_dt_code(h, W_w_calibration_hash, tct_str(calibration, "sha256"));
}

void tct_report_provenance(const tct_report *r)
{
    const json_t *data = json_object_get(r->audit, "data");
    const char *hashes = strings_of(r->h, json_object_get(data, "sha256")), *deltas[32];
    const char *files = strings_of(r->h, json_object_get(data, "files"));
    size_t n = r->n_results < 32 ? r->n_results : 32;
    tct_html *h = r->h;

    for (size_t i = 0; i < n; i++)
        deltas[i] = tct_short(h, tct_delta(json_array_get(json_object_get(r->audit, "results"), i)));
    tct_raw(h, "<div class=\"settings\">\n");
    tct_section_begin(h, "provenance", tct_word_text(h, W_w_section));
    tct_pairs_begin(h);
    tct_dt(h, W_w_people, people_words(r));
    if (files)
        tct_dt(h, W_w_files, files);
    if (hashes)
        tct_dt_code(h, W_w_data_hash, hashes);
    else
        tct_dt(h, W_w_data_hash, tct_word_text(h, W_unknown));
    tct_dt(h, W_w_trained, tct_trained_words(r));
    tell_model(r);
    list_sensitive(r);
    tct_dt(h, W_w_deltas, tct_list_of(h, deltas, n));
    if (*tct_str(r->audit, "command"))
        tct_dt_code(h, W_p_command, tct_str(r->audit, "command"));
    if (*tct_str(r->audit, "date"))
        tct_dt(h, W_w_date, tct_str(r->audit, "date"));
    tct_dt(h, W_p_made_by, tct_str(r->audit, "made_by"));
    tct_pairs_end(h);
    if (*tct_str(r->audit, "command"))
        tct_tag(h, "p class=\"note\"", W_w_repeat);
    tct_section_end(h);
    tct_raw(h, "</div>\n");
}
