/*
 * decided_view.c -- what a model decides, from what, and whether it is worth asking anybody for.
 *
 * A model that gives everybody the same answer asks for little and is always right about itself: so what is decided, how
 * often, and what always giving the most frequent class would achieve stand beside the figures.
 */
#include "decided_view.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli.h"
#include "terminal.h"

enum { MAX_CLASSES = 12, NAME_COLUMNS = 40 };

static char *join(char *text, const char *separator, char *more)
{
    char *longer = cli_format("%s%s%s", text, *text ? separator : "", more);

    free(text);
    free(more);
    return longer;
}

/* "yes 61.2 %, no 38.8 %": the shares of the decisions with everything known. */
static char *list_decisions(const tacit_audit *audit, const tacit_audit_summary *s)
{
    char *text = cli_format("%s", "");

    for (size_t c = 0; c < s->n_classes && c < MAX_CLASSES; c++) {
        char *name = term_clean(tacit_audit_class(audit, c), NAME_COLUMNS), share[24];

        term_percent((double)s->decided[c] / (double)s->people, 1, share, sizeof(share));
        text = join(text, ", ", cli_format("%s %s", name, share));
        free(name);
    }
    if (s->n_classes > MAX_CLASSES)
        text = join(text, ", ", cli_format("and %zu more", s->n_classes - MAX_CLASSES));
    return text;
}

static char *list_public(const tacit_audit *audit, const tacit_audit_summary *s)
{
    char *text = cli_format("%s", "");

    for (size_t i = 0; i < s->n_public; i++)
        text = join(text, ", ", cli_format("%s", tacit_audit_public_name(audit, i)));
    return text;
}

static void print_line(const char *text, term_style style)
{
    char *clean = term_clean(text, 0);

    printf("  %s", style == STYLE_PLAIN ? "" : term_on(style));
    term_wrap(stdout, 2, 4, term.width - 1, clean);
    printf("%s", style == STYLE_PLAIN ? "" : term_on(STYLE_PLAIN));
    free(clean);
}

char *decided_sentence(const tacit_baseline *b, const char *majority)
{
    char right[24], low[24], high[24], most[24], people[32];

    if (b->state == TACIT_USE_UNKNOWN)
        return cli_format("%s", "No outcome is known, so how often the decisions are right cannot be said.");
    term_count(b->people, people, sizeof(people));
    term_percent(b->accuracy, 1, right, sizeof(right));
    term_percent(b->accuracy_low, 1, low, sizeof(low));
    term_percent(b->accuracy_high, 1, high, sizeof(high));
    term_percent(b->majority_accuracy, 1, most, sizeof(most));
    return cli_format(
        "Right for %s [%s, %s] of %s %s with a known outcome; always deciding %s is right for %s of them. "
        "Gain: %.1f points [%.1f, %.1f].",
        right, low, high, people, b->people == 1 ? "person" : "people", majority, most, tacit_round(100 * b->gain, 1),
        tacit_round(100 * b->gain_low, 1), tacit_round(100 * b->gain_high, 1));
}

char *decided_warning(const tacit_baseline *b, const char *majority)
{
    if (b->state == TACIT_USE_NO_BETTER)
        return cli_format(
            "On these people the model is no better than always deciding %s: nobody would need to be asked for that.",
            majority);
    if (b->state == TACIT_USE_NOT_SHOWN)
        return cli_format("The model is not shown to be better than always deciding %s: the difference may be chance.",
                          majority);
    return NULL;
}

void decided_view(const tacit_audit *audit)
{
    const tacit_audit_summary *s = tacit_audit_summary_get(audit);
    const tacit_baseline *b = &s->baseline;
    const char *majority = b->majority_class == TACIT_NONE ? "" : tacit_audit_class(audit, b->majority_class);
    char *decisions = list_decisions(audit, s), *public_ = list_public(audit, s);
    char *lines[4] = {cli_format("%s: %s (with everything known)", tacit_audit_label(audit), decisions),
                      cli_format("Known without asking: %s", s->n_public ? public_ : "nothing"),
                      decided_sentence(b, majority), decided_warning(b, majority)};

    term_heading("What is decided");
    for (size_t i = 0; i < 4; i++) {
        if (lines[i])
            print_line(lines[i], i < 3 ? STYLE_PLAIN : b->state == TACIT_USE_NO_BETTER ? STYLE_BAD : STYLE_WARN);
        free(lines[i]);
    }
    free(decisions);
    free(public_);
}

/* Whether the model was trained on these people, as far as that is known; free it. */
static char *trained_sentence(const tacit_audit_summary *s)
{
    char trained[32], people[32];

    term_count(s->trained_rows, trained, sizeof(trained));
    term_count(s->people, people, sizeof(people));
    if (s->origin == TACIT_ORIGIN_IMPORTED)
        return cli_format("The model was trained elsewhere: nobody here knows on whom%s.",
                          s->part == TACIT_PART_HELD_OUT
                              ? ". These rows were held out when its distribution was learnt, no more than that"
                              : "");
    if (s->origin == TACIT_ORIGIN_UNKNOWN)
        return cli_format("%s", "The model file does not say who trained it, nor whether on these people.");
    if (s->trained_on == TACIT_TRAINED_ON_YES && s->trained_rows == s->people)
        return cli_format("%s", s->people == 1
                                    ? "The model was trained on this person: how good it is on others is not "
                                      "shown here."
                                    : "The model was trained on all of these people: how good it is on "
                                      "others is not shown here.");
    if (s->trained_on == TACIT_TRAINED_ON_YES)
        return cli_format("The model was trained on %s of these %s people: the file is its training file. --held-out "
                          "looks only at the others.",
                          trained, people);
    if (s->part == TACIT_PART_HELD_OUT)
        return cli_format("%s", "These rows of the training file were held out: the model was not trained on them.");
    return cli_format("%s", "Not the file the model was trained on, by its SHA-256 or size. Whether people are in both "
                            "is not known.");
}

void provenance_view(const tacit_audit *audit)
{
    char *text = trained_sentence(tacit_audit_summary_get(audit));

    printf("  %s ", term.bullet);
    term_wrap(stdout, 4, 4, term.width - 1, text);
    free(text);
}

static void print_bullet(char *text)
{
    char *clean = term_clean(text, 0);

    printf("  %s ", term.bullet);
    term_wrap(stdout, 4, 4, term.width - 1, clean);
    free(clean);
    free(text);
}

/* How many decisions are the imported model's own: clipping is ours, not part of it. */
static void unclipped_view(const tacit_audit *audit, const tacit_audit_summary *s)
{
    char *list = cli_format("%s", "");
    char count[32], share[24];

    if (!s->unclipped_shown) {
        free(list);
        print_bullet(cli_format("%s", "What the imported model itself says about values outside their domain is not "
                                      "told: fewer than 20 people have one."));
        return;
    }
    term_count(s->unclipped - s->unclipped_agree, count, sizeof(count));
    if (s->unclipped > s->unclipped_agree)
        print_bullet(cli_format("For %s of them the imported model itself decides otherwise when it sees the values as "
                                "they are.",
                                count));
    else
        print_bullet(
            cli_format("%s", "The imported model itself decides the same when it sees the values as they are."));
    for (size_t i = 0; i < s->n_results; i++) {
        const tacit_audit_result *r = tacit_audit_result_get(audit, i);

        term_percent(r->fidelity_unclipped, 1, share, sizeof(share));
        list = join(list, ", ", cli_format("%s at delta %g", share, r->delta));
    }
    print_bullet(
        cli_format("People who are given the imported model's own decision on the values as they are: %s.", list));
    free(list);
}

void quality_view(const tacit_audit *audit)
{
    const tacit_audit_summary *s = tacit_audit_summary_get(audit);
    tacit_audit_quality q;
    char count[32], share[24];

    if (s->people_clipped) {
        term_count(s->people_clipped, count, sizeof(count));
        term_percent((double)s->people_clipped / (double)s->people, 1, share, sizeof(share));
        print_bullet(cli_format("%s %s (%s) %s a value outside its domain.", count,
                                s->people_clipped == 1 ? "person" : "people", share,
                                s->people_clipped == 1 ? "has" : "have"));
    }
    if (s->unclipped)
        unclipped_view(audit, s);
    for (size_t a = 0; tacit_audit_quality_get(audit, a, &q); a++)
        if (q.psi - q.psi_by_chance >= 0.1)
            print_bullet(cli_format(
                "The values of %s are spread otherwise than %s (stability index %.2f; by "
                "chance about %.2f).",
                q.name, s->origin == TACIT_ORIGIN_IMPORTED ? "in the data the model was imported with" : "in training",
                q.psi, q.psi_by_chance));
}
