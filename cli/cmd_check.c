/*
 * cmd_check.c -- tacit check: is a receipt true?
 */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "commands.h"
#include "jsonout.h"
#include "terminal.h"

enum {
    KEY_LENGTH = 44,    /* 32 bytes in base64 */
    KEY_FILE = 64 << 10 /* longest file with keys */
};

typedef struct check_settings {
    const char *model, *key, *revoked;
    double max_delta;
    bool json;
} check_settings;

static const check_settings defaults = {.max_delta = 0.5}; /* any */

/* ---- whom to trust ---- */

/* Does it look like a public key?  Whether it is one, the library says. */
static bool is_key(const char *text)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    return text && strlen(text) == KEY_LENGTH && strspn(text, letters) == KEY_LENGTH - 1 && text[KEY_LENGTH - 1] == '=';
}

/* One more key for the comma-separated list *keys; false when it is none. */
static bool add_key(char **keys, const char *key)
{
    char *longer;

    if (!is_key(key))
        return false;
    longer = *keys ? cli_format("%s,%s", *keys, key) : cli_format("%s", key);
    free(*keys);
    *keys = longer;
    return true;
}

/* What a server says about its keys: the one in use, and perhaps all of them. */
static bool add_keys_of_server(char **keys, const char *text)
{
    json_t *json = json_loads(text, 0, NULL);
    const json_t *all = json_object_get(json, "keys");
    bool fine = add_key(keys, json_string_value(json_object_get(json, "key")));

    for (size_t i = 0; i < json_array_size(all) && fine; i++) {
        const json_t *one = json_array_get(all, i);

        fine = add_key(keys, json_string_value(json_is_object(one) ? json_object_get(one, "key") : one));
    }
    json_decref(json);
    return fine;
}

/* --key: a key itself, or a file with one.  *out: comma-separated keys, free it. */
static int read_key(char **out, const char *argument)
{
    char text[KEY_FILE + 1], *start = text;
    FILE *file;
    size_t size;
    bool fine;

    *out = NULL;
    if (!argument || add_key(out, argument))
        return CLI_DONE;
    file = fopen(argument, "r");
    if (!file)
        return cli_complain(CLI_INPUT, "--key: %s is neither a public key in base64 nor a file that can be read",
                            argument);
    size = fread(text, 1, KEY_FILE, file);
    fclose(file);
    while (size > 0 && strchr(" \t\r\n", text[size - 1]))
        size--;
    text[size] = '\0';
    start += strspn(start, " \t\r\n");
    fine = *start == '{' ? add_keys_of_server(out, start) : add_key(out, start);
    if (fine)
        return CLI_DONE;
    free(*out);
    *out = NULL;
    return cli_complain(CLI_INPUT, "%s: expected a public key in base64, or what a server answers at /v1/key",
                        argument);
}

/* --revoked: is this key on the list?  Lines that start with # are remarks. */
static int look_for_revoked(bool *found, const char *path, const char *key)
{
    char line[256];
    FILE *file = fopen(path, "r");
    int code = CLI_DONE;

    *found = false;
    if (!file)
        return cli_complain(CLI_INPUT, "--revoked: cannot read %s", path);
    while (code == CLI_DONE && fgets(line, sizeof(line), file)) {
        line[strcspn(line, "\r\n")] = '\0';
        if (line[0] == '\0' || line[0] == '#')
            continue;
        if (!is_key(line))
            code = cli_complain(CLI_INPUT, "%s: expected a public key in base64 on each line", path);
        *found = *found || strcmp(line, key) == 0;
    }
    fclose(file);
    return code;
}

/* A receipt by a key that others may have is nobody's. */
static int judge_revoked(tacit_check *found, const char *path)
{
    bool revoked = false;
    int code = look_for_revoked(&revoked, path, found->is_signed ? found->key : "");

    if (code != CLI_DONE || !revoked)
        return code;
    *found = (tacit_check){.label = TACIT_NONE};
    snprintf(found->reason, sizeof(found->reason), "it is signed by a key that was revoked");
    return CLI_DONE;
}

/* What is certain is so at every delta, and what is unsettled promises nothing. */
static void judge_delta(tacit_check *found, double max)
{
    double delta = found->delta;

    if (!found->valid || found->settled != TACIT_LIKELY || delta <= max)
        return;
    *found = (tacit_check){.label = TACIT_NONE};
    snprintf(found->reason, sizeof(found->reason), "it is likely at delta %g only, and at most %g will do", delta, max);
}

/* ---- what was found ---- */

static void print_json(const tacit_model *model, const tacit_check *found)
{
    const tacit_schema *schema = tacit_model_schema(model);
    json_out json = {0};

    json_begin(&json, NULL, '{');
    json_truth(&json, "valid", found->valid);
    json_text(&json, "reason", found->valid ? NULL : found->reason);
    json_text(&json, "label", found->valid ? tacit_schema_class(schema, found->label) : NULL);
    json_text(&json, "status", found->valid ? tacit_settled_name(found->settled) : NULL);
    json_number(&json, "probability", found->valid ? found->probability : NAN);
    json_number(&json, "delta", found->valid ? found->delta : NAN);
    json_count(&json, "leaves", found->leaves);
    json_text(&json, "signed_by", found->is_signed ? found->key : NULL);
    json_truth(&json, "trusted", found->trusted);
    json_text(&json, "id", found->stamp.id[0] ? found->stamp.id : NULL);
    json_text(&json, "time", found->stamp.time[0] ? found->stamp.time : NULL);
    json_count(&json, "not_known", found->not_known);
    json_count(&json, "version", found->version);
    json_end(&json, '}');
}

/* What was checked, in one line. */
static char *tell_how(const tacit_check *found)
{
    char probability[24];

    switch (found->settled) {
    case TACIT_CERTAIN:
        return cli_format("proven again for every value of what was not given (%zu part%s of the domain)",
                          found->leaves, found->leaves == 1 ? "" : "s");
    case TACIT_ALL_REVEALED:
        return cli_format("everything was given, and the model decides so");
    default:
        term_percent(found->probability, 1, probability, sizeof(probability));
        return cli_format("probability %s, computed again", probability);
    }
}

static void say(const char *text)
{
    term_say_at(STYLE_PLAIN, 2, text);
}

static void say_and_free(char *text)
{
    say(text);
    free(text);
}

/* "valid: yes, certain", broken where it must. */
static void print_verdict(term_style style, const char *verdict, const char *more)
{
    char *clean = term_clean(more, 0);

    printf("%s%s%s: ", term_on(style), verdict, term_on(STYLE_PLAIN));
    term_wrap(stdout, strlen(verdict) + 2, 2, term.width, clean);
    free(clean);
}

/* What else a valid receipt says. */
static void print_details(const tacit_model *model, const tacit_check *found)
{
    if (found->settled == TACIT_CERTAIN && tacit_model_info_get(model)->in_order)
        say("for sums in the order of the trees, as whoever imported the model says they are formed");
    printf("  asked for at delta %g\n", found->delta);
    if (found->not_known)
        say_and_free(cli_format("%zu answer%s not known and counted as a typical value, or as such", found->not_known,
                                found->not_known == 1 ? " was" : "s were"));
    if (found->version < 2)
        say("an older receipt: it does not tell what was not known from what was answered");
    if (found->stamp.id[0])
        printf("  number %s\n", found->stamp.id);
    if (found->stamp.time[0])
        say_and_free(cli_format("written at %s, as it says itself", found->stamp.time));
    if (strcmp(found->stamp.order, "person") == 0)
        printf("  the person chose what to answer next, not the rule\n");
}

static void print_text(const tacit_model *model, const tacit_check *found)
{
    const tacit_schema *schema = tacit_model_schema(model);
    char *label;

    if (!found->valid) {
        print_verdict(STYLE_WARN, "not valid", found->reason);
        return;
    }
    label =
        cli_format("%s, %s", tacit_schema_class_text(schema, found->label, "en"), tacit_settled_name(found->settled));
    print_verdict(STYLE_GOOD, "valid", label);
    free(label);
    say_and_free(tell_how(found));
    print_details(model, found);
    if (found->trusted)
        say("signed by the trusted key");
    else if (found->is_signed)
        printf("  signed by %s\n  (whose key that is, --key can tell)\n", found->key);
    else
        say("not signed: who wrote it, nobody can tell");
}

static int run_check(const cli_args *args, void *settings)
{
    const check_settings *s = settings;
    tacit_model *model = NULL;
    tacit_check found = {0};
    tacit_error err = {0};
    char *keys = NULL;
    int code;

    if (!s->model)
        return cli_complain(CLI_USAGE, "check needs --model: the model that the receipt was made with");
    code = read_key(&keys, s->key);
    if (code == CLI_DONE)
        code = cli_load_model(&model, s->model, NULL, NULL);
    if (code == CLI_DONE && tacit_check_receipt(&found, model, args->operands[0], keys, &err))
        code = cli_fail(&err);
    if (code == CLI_DONE && s->revoked)
        code = judge_revoked(&found, s->revoked);
    if (code == CLI_DONE)
        judge_delta(&found, s->max_delta);
    if (code == CLI_DONE) {
        (s->json ? print_json : print_text)(model, &found);
        code = found.valid ? CLI_DONE : CLI_NEGATIVE;
    }
    tacit_model_free(model);
    free(keys);
    return code;
}

static const cli_option options[] = {
    {.name = "model",
     .kind = CLI_TEXT,
     .argument = "MODEL",
     .help = "The model that the receipt was made with.",
     .offset = offsetof(check_settings, model)},
    {.name = "key",
     .kind = CLI_TEXT,
     .argument = "KEY",
     .help = "Public key that must have signed it: base64, or a file with it or with what a server answers at /v1/key.",
     .offset = offsetof(check_settings, key)},
    {.name = "revoked",
     .kind = CLI_TEXT,
     .argument = "FILE",
     .help = "Public keys, one a line, whose receipts are not valid: others may have them.",
     .offset = offsetof(check_settings, revoked)},
    {.name = "max-delta",
     .kind = CLI_NUMBER,
     .argument = "X",
     .help = "A decision that is only likely is not valid if it was allowed to differ more often than this.",
     .offset = offsetof(check_settings, max_delta),
     .min = 0,
     .max = 0.5},
    {.name = "json", .kind = CLI_FLAG, .help = "Print it as JSON.", .offset = offsetof(check_settings, json)},
    {0},
};

const cli_command cli_command_check = {
    .name = "check",
    .summary = "is a receipt true?",
    .usage = "RECEIPT --model MODEL [options]",
    .text = "Checks a receipt written by tacit ask --receipt or given by tacit serve: that nothing in it was changed, "
            "and that the decision "
            "follows from the answers. A decision that is certain is proven again, by code that shares nothing with "
            "what decided when to stop. A signature must be right; with --key there must be one, by that key. Exit "
            "code 1, and the reason, when it is not valid.",
    .examples = "tacit check receipt.json --model loans.tacit",
    .options = options,
    .operands = (const char *const[]){"RECEIPT", NULL},
    .settings_size = sizeof(check_settings),
    .defaults = &defaults,
    .run = run_check,
};
