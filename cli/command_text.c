/*
 * command_text.c -- a command line, told again: the same for everybody who asked for the same, however they typed it.  Reports
 * hold it, so it must not say where files lie on somebody's machine, nor what makes no difference.
 */
#include "command_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static void add_word(FILE *line, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";

    if (*word && word[strspn(word, plain)] == '\0') {
        fprintf(line, " %s", word);
        return;
    }
    fputs(" '", line);
    for (; *word; word++)
        fputs(*word == '\'' ? "'\\''" : (const char[]){*word, '\0'}, line);
    fputc('\'', line);
}

static void add_option(FILE *line, const cli_option *option, const char *value)
{
    fprintf(line, " --%s", option->name);
    if (value)
        add_word(line, value);
}

/* With as few digits as it takes to read the same number again. */
static void write_number(char *text, size_t room, double value)
{
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, room, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            return;
    }
}

static void option_text(FILE *line, const cli_option *option, const void *settings)
{
    const void *at = (const char *)settings + option->offset;
    char text[32];

    switch (option->kind) {
    case CLI_FLAG:
        add_option(line, option, NULL);
        return;
    case CLI_TEXT:
        add_option(line, option, *(const char *const *)at);
        return;
    case CLI_TEXTS:
        for (size_t i = 0; i < ((const cli_texts *)at)->count; i++)
            add_option(line, option, ((const cli_texts *)at)->items[i]);
        return;
    case CLI_WORD:
        add_option(line, option, option->words[*(const size_t *)at]);
        return;
    case CLI_NUMBER:
        write_number(text, sizeof(text), *(const double *)at);
        break;
    case CLI_COUNT:
        snprintf(text, sizeof(text), "%zu", *(const size_t *)at);
        break;
    case CLI_SEED:
        snprintf(text, sizeof(text), "%llu", (unsigned long long)*(const uint64_t *)at);
        break;
    case CLI_BYTE:
        snprintf(text, sizeof(text), *(const char *)at == '\t' ? "tab" : "%c", *(const char *)at);
        break;
    }
    add_option(line, option, text);
}

static bool is_among(const char *name, const char *const *names)
{
    for (; *names; names++)
        if (strcmp(*names, name) == 0)
            return true;
    return false;
}

char *cli_command_text(const cli_command *command, const cli_args *args, const void *settings,
                       const char *const *left_out)
{
    char *text = NULL;
    size_t size = 0;
    FILE *line = open_memstream(&text, &size);

    if (!line)
        return cli_format("tacit %s", command->name);
    fprintf(line, "tacit %s", command->name);
    for (size_t i = 0; i < args->n_operands; i++) {
        const char *slash = strrchr(args->operands[i], '/');

        add_word(line, slash ? slash + 1 : args->operands[i]);
    }
    for (const cli_option *option = command->options; option->name; option++)
        if (cli_was_given(command, args, option->name) && !is_among(option->name, left_out))
            option_text(line, option, settings);
    fclose(line);
    return text;
}
