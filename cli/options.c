/*
 * options.c -- reading a command line against a table of options.
 *
 * Strict on purpose: an option given twice, a number with something behind it or an option without its value is a
 * mistake to point out, not to guess about.  Operands are never repeated in a complaint, because a stray piece of
 * `--known income=...` would be a person's value.
 */
#include "options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

enum { MAX_OPTIONS = 64 };

static size_t count_options(const cli_command *command)
{
    size_t n = 0;

    while (command->options && command->options[n].name)
        n++;
    return n;
}

/* The value an option is to get, from "=..." or from the next word. */
typedef struct reading {
    const cli_command *command;
    int argc, at;
    char **argv;
    char *settings;
} reading;

static int complain_unknown(const cli_command *command, const char *name, size_t size)
{
    const char *words[MAX_OPTIONS + 1];
    char word[64];
    size_t n = count_options(command);
    const char *close;

    for (size_t i = 0; i < n; i++)
        words[i] = command->options[i].name;
    words[n] = "help";
    snprintf(word, sizeof(word), "%.*s", (int)(size < 63 ? size : 63), name);
    close = tacit_suggest(word, words, n + 1);
    if (close)
        return cli_complain(CLI_USAGE, "%s: unknown option --%s (did you mean --%s?)", command->name, word, close);
    return cli_complain(CLI_USAGE, "%s: unknown option --%s (see tacit help %s)", command->name, word, command->name);
}

static int complain_range(const cli_option *option, const char *what)
{
    const char *from = option->above_min ? "above" : "from";
    const char *to = option->below_max ? "to below" : "to";

    if (option->max >= 1e9)
        return cli_complain(CLI_USAGE, "--%s: expected %s %s %g", option->name, what,
                            option->above_min ? "above" : "of at least", option->min);
    return cli_complain(CLI_USAGE, "--%s: expected %s %s %g %s %g", option->name, what, from, option->min, to,
                        option->max);
}

static int set_number(const cli_option *option, const char *value, double *out)
{
    double number = 0;

    if (!cli_parse_number(value, &number) || number < option->min || number > option->max ||
        (option->above_min && number == option->min) || (option->below_max && number == option->max))
        return complain_range(option, "a number");
    *out = number + 0;
    return CLI_DONE;
}

static bool parse_whole(const char *value, uint64_t *out)
{
    if (!*value || strspn(value, "0123456789") != strlen(value))
        return false;
    errno = 0;
    *out = strtoull(value, NULL, 10);
    return errno == 0;
}

static int set_count(const cli_option *option, const char *value, size_t *out)
{
    uint64_t number = 0;

    if (!parse_whole(value, &number) || (double)number < option->min || (double)number > option->max)
        return complain_range(option, "a whole number");
    *out = (size_t)number;
    return CLI_DONE;
}

static int set_byte(const cli_option *option, const char *value, char *out)
{
    if (strcmp(value, "tab") == 0 || strcmp(value, "\\t") == 0)
        *out = '\t';
    else if (strlen(value) == 1 && *value != '"' && *value != '\n' && *value != '\r')
        *out = *value;
    else
        return cli_complain(CLI_USAGE, "--%s: expected one character other than the quote, or the word tab",
                            option->name);
    return CLI_DONE;
}

static int set_word(const cli_option *option, const char *value, size_t *out)
{
    char list[256] = "";
    size_t n = 0, used = 0;
    const char *close;

    for (; option->words[n]; n++) {
        if (strcmp(value, option->words[n]) == 0) {
            *out = n;
            return CLI_DONE;
        }
        used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s", n ? ", " : "", option->words[n]);
    }
    close = tacit_suggest(value, option->words, n);
    if (close)
        return cli_complain(CLI_USAGE, "--%s: unknown word '%.60s' (did you mean %s?)", option->name, value, close);
    return cli_complain(CLI_USAGE, "--%s: expected one of %s", option->name, list);
}

static int set_value(const cli_option *option, const char *value, char *settings)
{
    char *target = settings + option->offset;
    uint64_t seed = 0;

    switch (option->kind) {
    case CLI_FLAG:
        *(bool *)target = true;
        return CLI_DONE;
    case CLI_TEXT:
        if (!*value && !option->may_be_empty)
            return cli_complain(CLI_USAGE, "--%s: expected %s, found nothing", option->name, option->argument);
        *(const char **)target = value;
        return CLI_DONE;
    case CLI_TEXTS: {
        cli_texts *texts = (cli_texts *)target;

        texts->items = cli_realloc(texts->items, texts->count + 1, sizeof(*texts->items));
        texts->items[texts->count++] = value;
        return CLI_DONE;
    }
    case CLI_NUMBER:
        return set_number(option, value, (double *)target);
    case CLI_COUNT:
        return set_count(option, value, (size_t *)target);
    case CLI_SEED:
        if (!parse_whole(value, &seed))
            return cli_complain(CLI_USAGE, "--%s: expected a whole number from 0 to 2^64 - 1", option->name);
        *(uint64_t *)target = seed;
        return CLI_DONE;
    case CLI_BYTE:
        return set_byte(option, value, target);
    case CLI_WORD:
        return set_word(option, value, (size_t *)target);
    }
    return CLI_INTERNAL;
}

/* Option `index` was found; `inline_value` is what stood behind "=" or the letter, or NULL. */
static int take_option(reading *in, size_t index, const char *inline_value, cli_args *args)
{
    const cli_option *option = &in->command->options[index];
    const char *value = inline_value;

    if (option->kind == CLI_FLAG && value)
        return cli_complain(CLI_USAGE, "--%s takes no argument", option->name);
    if (option->kind != CLI_TEXTS && (args->given >> index & 1))
        return cli_complain(CLI_USAGE, "--%s is given twice", option->name);
    if (option->kind != CLI_FLAG && !value) {
        if (in->at + 1 >= in->argc || strncmp(in->argv[in->at + 1], "--", 2) == 0)
            return cli_complain(CLI_USAGE, "--%s needs an argument: %s", option->name, option->argument);
        value = in->argv[++in->at];
    }
    args->given |= (uint64_t)1 << index;
    return set_value(option, value, in->settings);
}

static int read_long(reading *in, cli_args *args)
{
    const char *name = in->argv[in->at] + 2;
    size_t size = strcspn(name, "=");
    size_t n = count_options(in->command);

    if (size == 4 && strncmp(name, "help", 4) == 0) {
        args->help = true;
        return CLI_DONE;
    }
    for (size_t i = 0; i < n; i++) {
        const char *known = in->command->options[i].name;

        if (strlen(known) == size && strncmp(known, name, size) == 0)
            return take_option(in, i, name[size] ? name + size + 1 : NULL, args);
    }
    return complain_unknown(in->command, name, size);
}

static int read_short(reading *in, cli_args *args)
{
    const char *word = in->argv[in->at];
    size_t n = count_options(in->command);

    if (strcmp(word, "-h") == 0) {
        args->help = true;
        return CLI_DONE;
    }
    for (size_t i = 0; i < n; i++)
        if (in->command->options[i].letter && in->command->options[i].letter == word[1])
            return take_option(in, i, word[2] ? word + 2 : NULL, args);
    return cli_complain(CLI_USAGE, "%s: unknown option -%c (see tacit help %s)", in->command->name, word[1],
                        in->command->name);
}

static int check_operands(const cli_command *command, const cli_args *args)
{
    size_t needed = 0;

    while (command->operands && command->operands[needed])
        needed++;
    if (args->n_operands < needed)
        return cli_complain(CLI_USAGE, "%s: %s is missing (usage: tacit %s %s)", command->name,
                            command->operands[args->n_operands], command->name, command->usage);
    if (args->n_operands > needed + command->optional) {
        size_t extra = args->n_operands - needed - command->optional;

        return cli_complain(CLI_USAGE, "%s: %zu argument%s too many (usage: tacit %s %s)", command->name, extra,
                            extra == 1 ? "" : "s", command->name, command->usage);
    }
    return CLI_DONE;
}

int cli_read_options(const cli_command *command, int argc, char **argv, void *settings, cli_args *args)
{
    reading in = {.command = command, .argc = argc, .argv = argv, .settings = settings};
    bool options = true;
    int code = CLI_DONE;

    memset(args, 0, sizeof(*args));
    args->operands = cli_alloc((size_t)argc + 1, sizeof(*args->operands));
    for (in.at = 0; in.at < argc && code == CLI_DONE && !args->help; in.at++) {
        const char *word = argv[in.at];

        if (options && strcmp(word, "--") == 0)
            options = false;
        else if (options && word[0] == '-' && word[1] == '-')
            code = read_long(&in, args);
        else if (options && word[0] == '-' && word[1])
            code = read_short(&in, args);
        else
            args->operands[args->n_operands++] = word;
    }
    if (code == CLI_DONE && !args->help)
        code = check_operands(command, args);
    return code;
}

void cli_args_free(const cli_command *command, cli_args *args, void *settings)
{
    for (size_t i = 0; i < count_options(command); i++)
        if (command->options[i].kind == CLI_TEXTS)
            free(((cli_texts *)(void *)((char *)settings + command->options[i].offset))->items);
    free(args->operands);
}

bool cli_was_given(const cli_command *command, const cli_args *args, const char *option)
{
    for (size_t i = 0; i < count_options(command); i++)
        if (strcmp(command->options[i].name, option) == 0)
            return args->given >> i & 1;
    return false;
}
