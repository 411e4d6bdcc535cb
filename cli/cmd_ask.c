/*
 * cmd_ask.c -- tacit ask: the questionnaire in the terminal.
 *
 * The library says what to ask next and when to stop; here is the talk around it.  Nothing typed is kept: lines are
 * read without stdio, wiped after use, and the session wipes what it knows.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calibration_view.h"
#include "cli.h"
#include "commands.h"
#include "describe.h"
#include "input_line.h"
#include "terminal.h"
#include "words.h"

typedef struct ask_settings {
    double delta;
    const char *rule, *public_, *receipt, *lang;
    uint64_t seed;
} ask_settings;

typedef struct talk {
    const tacit_model *model;
    const tacit_schema *schema;
    tacit_session *session;
    double delta;
    double demanded;     /* probability that settles it */
    char *calibrated;    /* what to say about a calibration; NULL: nothing */
    const char *receipt; /* where to write it; NULL: nowhere */
    const char *lang;    /* of what the schema says */
    size_t given_before; /* events that came from --public: `<` stops there */
    line_reader input;
    char line[LINE_ROOM];
} talk;

/* What to do after a line was read. */
typedef enum turn { TURN_AGAIN, TURN_NEXT, TURN_LEAVE, TURN_FAILED } turn;

static void say(term_style style, const char *text)
{
    char *clean = term_clean(text, 0);

    printf("  %s", style ? term_on(style) : "");
    term_wrap(stdout, 2, 2, term.width - 1, clean);
    printf("%s", style ? term_on(STYLE_PLAIN) : "");
    free(clean);
}

static void say_and_free(term_style style, char *text)
{
    say(style, text);
    free(text);
}

/* ---- before the first question ---- */

/* What the schema says to the person who is asked: who asks, what for, what happens with it, whom to turn to. */
static void print_notices(const talk *t)
{
    static const char *const keys[] = {"purpose",        "controller", "legal_basis", "retention",
                                       "privacy_notice", "contact",    "human_review"};
    static const char *const heads[] = {"Purpose:     ", "Who asks:    ", "Legal basis: ", "Kept:        ",
                                        "Privacy:     ", "Contact:     ", "Human review:"};

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        const char *text = tacit_schema_about_text(t->schema, keys[i], t->lang);

        if (*text)
            describe_line(WORDS(heads[i]), text);
    }
}

static void head_and_free(char *text)
{
    term_heading(text);
    free(text);
}

static void print_start(const talk *t)
{
    size_t n = tacit_schema_attributes(t->schema), count[2] = {0, 0};
    size_t *lists[2] = {cli_alloc(n, sizeof(size_t)), cli_alloc(n, sizeof(size_t))};
    char *label = term_clean(tacit_schema_label_text(t->schema, t->lang), 0);

    for (size_t a = 0; a < n; a++) {
        tacit_role role = tacit_schema_attribute(t->schema, a)->role;

        if (tacit_model_reads(t->model, a))
            lists[role][count[role]++] = a;
    }
    head_and_free(cli_format(WORDS("A decision about %s"), label));
    putchar('\n');
    if (isinf(t->demanded))
        say(STYLE_PLAIN,
            WORDS("One question at a time, and no more than needed: as soon as no further answer can change the "
                  "decision, the questions stop."));
    else
        say_and_free(
            STYLE_PLAIN,
            cli_format(WORDS("One question at a time, and no more than needed: as soon as the decision is settled with "
                             "probability %g %%, the questions stop."),
                       100 * t->demanded));
    if (t->calibrated)
        say(STYLE_DIM, t->calibrated);
    for (int role = 0; role < 2; role++) {
        char *names = describe_names(t->schema, lists[role], count[role], t->lang);

        if (count[role])
            describe_line(role == TACIT_PUBLIC ? WORDS("Needed:      ") : WORDS("May be asked:"), names);
        free(names);
        free(lists[role]);
    }
    print_notices(t);
    say(STYLE_PLAIN, t->receipt ? WORDS("What you type is kept in your receipt and nowhere else.")
                                : WORDS("Nothing you type is kept."));
    describe_keys();
    free(label);
}

/* Say of an answer if it does not count as it was given. */
static void say_taken(const talk *t, size_t index)
{
    const tacit_event *event = tacit_session_event(t->session, index);
    const tacit_person *person = tacit_session_person(t->session);

    if (event->clipped)
        say_and_free(STYLE_WARN, describe_clipped(t->schema, person, event->attribute, t->lang));
    else if (event->not_known)
        say_and_free(STYLE_DIM, describe_not_known(t->schema, person, event->attribute, t->lang));
}

/* Give the session what a file says about public attributes. */
static int take_public(talk *t, const tacit_model *model, const char *path)
{
    tacit_person *person = NULL;
    tacit_error err = {0};
    tacit_status status = tacit_person_new(&person, model, &err);

    if (status == TACIT_OK)
        status = tacit_person_read_json(person, path, &err);
    for (size_t a = 0; status == TACIT_OK && a < tacit_schema_attributes(t->schema); a++)
        if (tacit_person_knows(person, a) && tacit_schema_attribute(t->schema, a)->role == TACIT_SENSITIVE) {
            tacit_person_free(person);
            return cli_complain(CLI_INPUT, "%s: %s is sensitive: it is asked for only if it is needed", path,
                                tacit_schema_attribute(t->schema, a)->name);
        }
    if (status == TACIT_OK)
        status = tacit_session_give_public(t->session, person, &err);
    tacit_person_free(person);
    t->given_before = tacit_session_events(t->session);
    for (size_t e = 0; status == TACIT_OK && e < t->given_before; e++)
        say_taken(t, e);
    return status ? cli_fail(&err) : CLI_DONE;
}

/* ---- one question ---- */

/* Level k as the person is shown it. */
static const char *level_text(const talk *t, size_t attribute, size_t k)
{
    return tacit_schema_level_text(t->schema, attribute, k, t->lang);
}

/* The levels that can be chosen: all but the one that stands for "missing".  *count of them; free it. */
static size_t *choices_of(const tacit_attribute *a, size_t *count)
{
    size_t *choices = cli_alloc(a->n_levels + 1, sizeof(*choices));

    *count = 0;
    for (size_t k = 0; k < a->n_levels; k++)
        if (k != a->missing_level)
            choices[(*count)++] = k;
    return choices;
}

/* Choices get numbers unless one looks like a number itself: then "2" would mean two things. */
static bool has_numbers(const talk *t, size_t attribute)
{
    const tacit_attribute *a = tacit_schema_attribute(t->schema, attribute);
    double number;

    for (size_t k = 0; k < a->n_levels; k++)
        if (cli_parse_number(a->levels[k], &number) || cli_parse_number(level_text(t, attribute, k), &number))
            return false;
    return a->n_levels > 0;
}

static void print_choices(const talk *t, size_t attribute)
{
    size_t widest = 0, per_line, lines, count;
    size_t *choices;

    if (!has_numbers(t, attribute)) {
        say_and_free(STYLE_DIM, describe_domain(t->schema, attribute, t->lang));
        return;
    }
    choices = choices_of(tacit_schema_attribute(t->schema, attribute), &count);
    for (size_t k = 0; k < count; k++) {
        size_t columns = term_columns(level_text(t, attribute, choices[k]));

        widest = columns > widest ? columns : widest;
    }
    widest = widest < term.width - 10 ? widest : term.width - 10;
    per_line = count <= 8 ? 1 : (term.width - 2) / (widest + 8);
    per_line = per_line ? per_line : 1;
    lines = (count + per_line - 1) / per_line;
    for (size_t i = 0; i < lines; i++) {
        for (size_t k = i; k < count; k += lines) {
            char *name = term_clean(level_text(t, attribute, choices[k]), widest);

            printf("  %s%3zu%s  %s%*s", term_on(STYLE_ACCENT), k + 1, term_on(STYLE_PLAIN), name,
                   k + lines < count ? (int)(widest - term_columns(name) + 1) : 0, "");
            free(name);
        }
        putchar('\n');
    }
    free(choices);
}

/* What counts where something is not known: that, or a typical value? */
static bool counts_as_such(const talk *t, size_t attribute)
{
    return tacit_schema_attribute(t->schema, attribute)->type == TACIT_CATEGORY ||
           tacit_model_as_given(t->model, attribute);
}

static int print_question(talk *t, size_t attribute)
{
    const tacit_attribute *a = tacit_schema_attribute(t->schema, attribute);
    tacit_error err = {0};
    tacit_outlook ahead;
    char *title;

    if (a->role == TACIT_PUBLIC) {
        title = cli_format(WORDS("Question %zu, public"), tacit_session_events(t->session) - t->given_before + 1);
    } else {
        if (tacit_session_outlook(t->session, 0, &ahead, &err))
            return cli_fail(&err);
        title = cli_format(WORDS("Question %zu, at most %zu left, probably about %.0f"),
                           tacit_session_events(t->session) - t->given_before + 1, ahead.at_most,
                           ahead.about < 1 ? 1 : ahead.about);
    }
    printf("\n  %s%s%s\n", term_on(STYLE_DIM), title, term_on(STYLE_PLAIN));
    free(title);
    say(STYLE_BOLD, tacit_schema_question_text(t->schema, attribute, t->lang));
    if (*tacit_schema_help_text(t->schema, attribute, t->lang))
        say(STYLE_PLAIN, tacit_schema_help_text(t->schema, attribute, t->lang));
    if (a->type == TACIT_CATEGORY)
        print_choices(t, attribute);
    else
        say_and_free(STYLE_DIM, describe_domain(t->schema, attribute, t->lang));
    if (a->missing_is_value)
        say(STYLE_DIM, counts_as_such(t, attribute) ? WORDS("! if you do not know: that counts as such")
                                                    : WORDS("! if you do not know: a typical value counts then"));
    return CLI_DONE;
}

static int explain_why(talk *t, size_t attribute)
{
    const tacit_attribute *a = tacit_schema_attribute(t->schema, attribute);
    const char *name = tacit_schema_name_text(t->schema, attribute, t->lang);
    tacit_decision stand;
    tacit_outlook ahead;
    tacit_error err = {0};
    char probability[24], soon[24];

    if (a->role == TACIT_PUBLIC) {
        say(STYLE_PLAIN,
            WORDS("This one is public: everybody is asked for it before the questions begin, and it does not count as "
                  "something you gave away. You may refuse it all the same."));
        return CLI_DONE;
    }
    if (tacit_session_decision(t->session, &stand, &err) || tacit_session_outlook(t->session, 0, &ahead, &err))
        return cli_fail(&err);
    term_percent(stand.probability, 0, probability, sizeof(probability));
    term_percent(ahead.settles, 0, soon, sizeof(soon));
    say_and_free(STYLE_PLAIN, cli_format(WORDS("The decision is still open: %s is the likelier outcome so far (%s)."),
                                         tacit_schema_class_text(t->schema, stand.label, t->lang), probability));
    if (ahead.settles >= 0.005)
        say_and_free(STYLE_PLAIN,
                     cli_format(WORDS("Of everything not yet given, %s is expected to bring it nearest to a decision: "
                                      "for %s of people with your answers so far it settles it at once."),
                                name, soon));
    else
        say_and_free(STYLE_PLAIN,
                     cli_format(WORDS("Of everything not yet given, %s is expected to bring it nearest to a "
                                      "decision; alone it hardly ever settles it."),
                                name));
    say_and_free(STYLE_PLAIN, cli_format(WORDS("At most %zu more, this one included; about %.1f on average."),
                                         ahead.at_most, ahead.about));
    return CLI_DONE;
}

static void say_expected(const talk *t, size_t attribute)
{
    const tacit_attribute *a = tacit_schema_attribute(t->schema, attribute);
    char *domain = describe_domain(t->schema, attribute, t->lang);

    if (a->type == TACIT_CATEGORY && has_numbers(t, attribute))
        say_and_free(STYLE_WARN, cli_format(WORDS("Please give a number from 1 to %zu, or the name of the choice."),
                                            a->n_levels - (a->missing_level != TACIT_NONE)));
    else
        say_and_free(STYLE_WARN, cli_format(WORDS("Please give %s."), domain));
    free(domain);
}

/* Does a typed line name level k, by its code or by what is shown? */
static bool names_level(const talk *t, size_t attribute, size_t k, const char *line,
                        int (*compare)(const char *, const char *))
{
    return compare(tacit_schema_attribute(t->schema, attribute)->levels[k], line) == 0 ||
           compare(level_text(t, attribute, k), line) == 0;
}

/* What a typed line means for a category: its level, or NULL. */
static const char *find_level(const talk *t, size_t attribute, const char *line)
{
    const tacit_attribute *a = tacit_schema_attribute(t->schema, attribute);
    size_t count, *choices = choices_of(a, &count), found = TACIT_NONE, number;
    bool twice = false;

    for (size_t i = 0; i < count && found == TACIT_NONE; i++)
        if (names_level(t, attribute, choices[i], line, strcmp))
            found = choices[i];
    if (found == TACIT_NONE && has_numbers(t, attribute) && strspn(line, "0123456789") == strlen(line) &&
        strlen(line) < 6) {
        number = (size_t)strtoul(line, NULL, 10);
        found = number >= 1 && number <= count ? choices[number - 1] : TACIT_NONE;
    } else if (found == TACIT_NONE) {
        for (size_t i = 0; i < count; i++)
            if (names_level(t, attribute, choices[i], line, strcasecmp)) {
                twice = twice || found != TACIT_NONE; /* two differ in case only */
                found = choices[i];
            }
    }
    free(choices);
    return found == TACIT_NONE || twice ? NULL : a->levels[found];
}

/* The line is no choice: is there one like it? */
static void say_close(const talk *t, size_t attribute, const char *line)
{
    size_t count, *choices = choices_of(tacit_schema_attribute(t->schema, attribute), &count);
    const char **texts = cli_alloc(count + 1, sizeof(*texts)), *close;

    for (size_t i = 0; i < count; i++)
        texts[i] = level_text(t, attribute, choices[i]);
    close = tacit_suggest(line, texts, count);
    if (close)
        say_and_free(STYLE_WARN, cli_format(WORDS("Did you mean %s?"), close));
    else
        say_expected(t, attribute);
    free(texts);
    free(choices);
}

static turn take_answer(talk *t, size_t attribute, const char *line)
{
    const tacit_attribute *a = tacit_schema_attribute(t->schema, attribute);
    const char *text = a->type == TACIT_CATEGORY ? find_level(t, attribute, line) : line;
    tacit_error err = {0};
    tacit_status status;

    if (!text) {
        say_close(t, attribute, line);
        return TURN_AGAIN;
    }
    status = tacit_session_answer(t->session, attribute, text, &err);
    if (status == TACIT_E_INPUT) {
        say_expected(t, attribute);
        return TURN_AGAIN;
    }
    if (status) {
        cli_fail(&err);
        return TURN_FAILED;
    }
    say_taken(t, tacit_session_events(t->session) - 1);
    return TURN_NEXT;
}

/* "I do not know". */
static turn pass(talk *t, size_t attribute)
{
    tacit_error err = {0};

    if (!tacit_schema_attribute(t->schema, attribute)->missing_is_value) {
        say(STYLE_WARN,
            WORDS("Not knowing is no answer here: the decision would rest on a value that nobody gave. If you "
                  "cannot say, refuse it with - instead."));
        return TURN_AGAIN;
    }
    if (tacit_session_answer_unknown(t->session, attribute, &err)) {
        cli_fail(&err);
        return TURN_FAILED;
    }
    say_taken(t, tacit_session_events(t->session) - 1);
    return TURN_NEXT;
}

static turn go_back(talk *t)
{
    tacit_error err = {0};

    if (tacit_session_events(t->session) == t->given_before) {
        say(STYLE_WARN, WORDS("This is the first question."));
        return TURN_AGAIN;
    }
    if (tacit_session_undo(t->session, &err)) {
        cli_fail(&err);
        return TURN_FAILED;
    }
    say(STYLE_DIM, WORDS("Taken back."));
    return TURN_NEXT;
}

static turn refuse(talk *t, size_t attribute)
{
    tacit_error err = {0};

    if (tacit_session_refuse(t->session, attribute, &err)) {
        cli_fail(&err);
        return TURN_FAILED;
    }
    say(STYLE_DIM, WORDS("Refused: it stays unknown."));
    return TURN_NEXT;
}

static turn take_line(talk *t, size_t attribute)
{
    const char *line = t->line;

    if (strcmp(line, "q") == 0 || strcmp(line, "quit") == 0)
        return TURN_LEAVE;
    if (strcmp(line, "?") == 0)
        return explain_why(t, attribute) == CLI_DONE ? TURN_AGAIN : TURN_FAILED;
    if (strcmp(line, "<") == 0)
        return go_back(t);
    if (strcmp(line, "-") == 0)
        return refuse(t, attribute);
    if (strcmp(line, "!") == 0)
        return pass(t, attribute);
    if (*line == '\0') {
        say_expected(t, attribute);
        return TURN_AGAIN;
    }
    return take_answer(t, attribute, *line == '=' ? line + 1 : line);
}

/* Ask until the question is answered, refused or taken back. */
static turn ask_one(talk *t, size_t attribute)
{
    turn result = TURN_AGAIN;

    if (print_question(t, attribute) != CLI_DONE)
        return TURN_FAILED;
    while (result == TURN_AGAIN) {
        line_result got;

        printf("  %s>%s ", term_on(STYLE_BOLD), term_on(STYLE_PLAIN));
        fflush(stdout);
        got = line_read(&t->input, t->line);
        if (!isatty(STDIN_FILENO))
            putchar('\n');
        if (got == LINE_ENDED)
            result = TURN_LEAVE;
        else if (got == LINE_TOO_LONG)
            say_expected(t, attribute);
        else
            result = take_line(t, attribute);
        explicit_bzero(t->line, sizeof(t->line));
    }
    return result;
}

/* ---- after the last ---- */

/* Hand the receipt over as a file. */
static int write_receipt(talk *t)
{
    tacit_receipt_stamp stamp;
    tacit_error err = {0};
    bool unproven = false;
    char *text = NULL;
    int code = CLI_DONE;

    if (!t->receipt)
        return CLI_DONE;
    if (tacit_receipt_stamp_now(&stamp, &err) || tacit_session_receipt(&text, t->session, &stamp, &unproven, &err) ||
        tacit_file_write(t->receipt, text, strlen(text), &err))
        code = cli_fail(&err);
    else if (unproven)
        cli_complain(CLI_DONE, "the receipt holds no proof, because it would be too long or the margin is within "
                               "rounding of zero; the decision stands, but tacit check cannot confirm it");
    if (text)
        explicit_bzero(text, strlen(text));
    tacit_text_free(text);
    return code;
}

/* Whom to turn to with the decision. */
static void print_rights(const talk *t)
{
    const char *review = tacit_schema_about_text(t->schema, "human_review", t->lang);
    const char *contact = tacit_schema_about_text(t->schema, "contact", t->lang);

    if (*review || *contact)
        putchar('\n');
    if (*review)
        describe_line(WORDS("Human review:"), review);
    if (*contact)
        describe_line(WORDS("Contact:     "), contact);
}

static int print_decision(talk *t)
{
    tacit_decision decision;
    session_lists lists;
    tacit_error err = {0};
    char *label, *names, *text;
    int code;

    if (tacit_session_decision(t->session, &decision, &err))
        return cli_fail(&err);
    session_lists_fill(&lists, t->schema, t->session);
    session_lists_leave_out(&lists, t->model);
    label = term_clean(tacit_schema_class_text(t->schema, decision.label, t->lang), 0);
    head_and_free(cli_format(WORDS("Decision: %s"), label));
    say_and_free(decision.settled == TACIT_UNSETTLED ? STYLE_WARN : STYLE_GOOD,
                 describe_settled(t->model, &decision, t->demanded));
    putchar('\n');
    names = describe_names(t->schema, lists.not_asked, lists.n_not_asked, t->lang);
    describe_line(WORDS("Not asked:"), names);
    free(names);
    names = describe_names(t->schema, lists.given, lists.n_given, t->lang);
    describe_line(WORDS("Given:    "), names);
    free(names);
    if (lists.n_not_known) {
        names = describe_names(t->schema, lists.not_known, lists.n_not_known, t->lang);
        describe_line(WORDS("Not known:"), names);
        free(names);
    }
    if (lists.n_refused) {
        names = describe_names(t->schema, lists.refused, lists.n_refused, t->lang);
        describe_line(WORDS("Refused:  "), names);
        free(names);
    }
    print_rights(t);
    code = write_receipt(t);
    names = describe_count(lists.n_given, lists.n_sensitive);
    text = cli_format(t->receipt && code == CLI_DONE ? WORDS("You gave %s. Your answers are in your receipt only.")
                                                     : WORDS("You gave %s. Your answers are erased now."),
                      names);
    fputs("\n  ", stdout);
    term_wrap(stdout, 2, 2, term.width, text);
    free(text);
    free(names);
    free(label);
    session_lists_clear(&lists);
    return code != CLI_DONE ? code : decision.settled == TACIT_UNSETTLED ? CLI_NEGATIVE : CLI_DONE;
}

static int hold_talk(talk *t)
{
    print_start(t);
    for (;;) {
        tacit_error err = {0};
        size_t attribute;

        if (tacit_session_next(t->session, &attribute, &err))
            return cli_fail(&err);
        if (attribute == TACIT_NONE)
            return print_decision(t);
        switch (ask_one(t, attribute)) {
        case TURN_LEAVE:
            fputs(WORDS("\n  Left without a decision. Your answers are erased.\n"), stdout);
            return cli_interrupted() ? CLI_INTERRUPTED : CLI_NEGATIVE;
        case TURN_FAILED:
            return CLI_INTERNAL;
        case TURN_AGAIN:
        case TURN_NEXT:
            break;
        }
    }
}

static int run_ask(const cli_args *args, void *settings)
{
    const ask_settings *s = settings;
    tacit_release_options options = {.delta = s->delta, .seed = s->seed};
    tacit_model *model = NULL;
    tacit_error err = {0};
    talk *t = cli_alloc(1, sizeof(*t));
    int code = CLI_DONE;

    words_use(s->lang);
    if (s->receipt && cli_is_stdout(s->receipt))
        code = cli_complain(CLI_USAGE, "--receipt: standard output is taken by the questions");
    if (code == CLI_DONE)
        code = cli_refuse_overwrite(s->receipt, args->operands[0]);
    if (code == CLI_DONE)
        code = cli_refuse_overwrite(s->receipt, s->public_);
    if (code == CLI_DONE)
        code = cli_refuse_output(s->receipt);
    if (code == CLI_DONE && tacit_rule_from_name(&options.rule, s->rule, &err))
        code = cli_fail(&err);
    if (code == CLI_DONE)
        code = cli_load_model(&model, args->operands[0], NULL, NULL);
    if (code != CLI_DONE)
        goto done;
    t->model = model;
    t->schema = tacit_model_schema(model);
    t->delta = s->delta;
    t->demanded = tacit_model_confidence(model, options.rule, s->delta);
    t->calibrated = calibration_sentence(model, options.rule, s->delta);
    t->receipt = s->receipt;
    t->lang = s->lang;
    if (tacit_session_open(&t->session, model, &options, &err)) {
        code = cli_fail(&err);
        goto done;
    }
    if (s->public_)
        code = take_public(t, model, s->public_);
    cli_wake_by_signals(); /* rather than wait for an answer */
    if (code == CLI_DONE)
        code = hold_talk(t);
done:
    free(t->calibrated);
    tacit_session_free(t->session);
    tacit_model_free(model);
    line_wipe(&t->input);
    free(t);
    return code;
}

static const ask_settings defaults = {.rule = "auto", .seed = 1, .lang = "en"};

static const cli_option options[] = {
    {.name = "delta",
     .kind = CLI_NUMBER,
     .argument = "X",
     .help = "How often the decision may differ from the one with everything known. Default: 0, never, proven.",
     .offset = offsetof(ask_settings, delta),
     .min = 0,
     .max = 0.5,
     .below_max = true},
    {.name = "rule",
     .kind = CLI_TEXT,
     .argument = "RULE",
     .help = "What to ask next: auto, entropy, margin, stop or montecarlo.",
     .offset = offsetof(ask_settings, rule)},
    {.name = "public",
     .kind = CLI_TEXT,
     .argument = "FILE",
     .help = "Take public attributes from a JSON file, {\"name\": value, ...}, instead of asking for them.",
     .offset = offsetof(ask_settings, public_)},
    {.name = "receipt",
     .kind = CLI_TEXT,
     .argument = "FILE",
     .help =
         "Write a receipt once there is a decision: what was asked and answered, what was not, and why the decision "
         "is settled. For tacit check.",
     .offset = offsetof(ask_settings, receipt)},
    {.name = "lang",
     .kind = CLI_TEXT,
     .argument = "LANG",
     .help = "Language of what is said, and of questions, choices and notices where the schema has it: en, de. "
             "Default: en.",
     .offset = offsetof(ask_settings, lang)},
    {.name = "seed",
     .kind = CLI_SEED,
     .argument = "N",
     .help = "Of the montecarlo rule and of \"about how many more\". Default: 1.",
     .offset = offsetof(ask_settings, seed)},
    {0},
};

const cli_command cli_command_ask = {
    .name = "ask",
    .summary = "the questionnaire, in the terminal",
    .usage = "MODEL [options]",
    .text = "Asks one question at a time and stops as soon as the decision is settled. At every question: - refuses it "
            "for good, ! says that you do not know it, where that is an answer, < goes "
            "back, ? says why it is asked, q leaves and erases everything; =TEXT takes TEXT as the answer even if it "
            "is one of these. "
            "Ends with the decision and with what was not asked. Exit code 1 when there is no settled decision.",
    .examples = "tacit ask loans.tacit\ntacit ask loans.tacit --delta 0.05 --public request.json",
    .options = options,
    .operands = (const char *const[]){"MODEL", NULL},
    .settings_size = sizeof(ask_settings),
    .defaults = &defaults,
    .run = run_ask,
};
