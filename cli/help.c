/*
 * help.c -- help made from the tables, so that it cannot disagree with what is read.
 */
#include "options.h"

#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "terminal.h"

enum { WIDTH = 79, HELP_COLUMN = 26 };

static size_t help_width(void)
{
    return term.width < WIDTH ? term.width : WIDTH;
}

/* The same for what stood alone on a line of 80. */
static size_t full_width(void)
{
    return term.width < WIDTH + 1 ? term.width : WIDTH + 1;
}

static void print_option(const cli_option *option)
{
    char left[128];
    size_t used;

    if (option->letter)
        used = (size_t)snprintf(left, sizeof(left), "  -%c, --%s", option->letter, option->name);
    else
        used = (size_t)snprintf(left, sizeof(left), "  --%s", option->name);
    if (option->argument)
        used += (size_t)snprintf(left + used, sizeof(left) - used, " %s", option->argument);
    printf("%s", left);
    if (used + 2 > HELP_COLUMN)
        printf("\n%*s", HELP_COLUMN, "");
    else
        printf("%*s", (int)(HELP_COLUMN - used), "");
    term_wrap(stdout, HELP_COLUMN, HELP_COLUMN, help_width(), option->help);
}

static void print_command(const cli_command *command)
{
    printf("  %-10s ", command->name);
    term_wrap(stdout, 13, 13, full_width(), command->summary);
}

/* A line of a shell, continued on the next where it is too long. */
static void print_example(const char *line, size_t size)
{
    size_t at = 2, room = full_width();

    fputs("  ", stdout);
    for (size_t i = 0; i < size;) {
        size_t word = strcspn(line + i, " \n");

        word = word < size - i ? word : size - i;
        if (at > 6 && at + word + (i + word < size ? 2 : 0) > room) {
            fputs("\\\n      ", stdout);
            at = 6;
        }
        printf("%.*s%s", (int)word, line + i, i + word < size ? " " : "");
        at += word + 1;
        i += word + 1;
    }
    putchar('\n');
}

void cli_print_help(const cli_command *command)
{
    printf("%stacit %s%s %s ", term_on(STYLE_BOLD), command->name, term_on(STYLE_PLAIN), term.dash);
    term_wrap(stdout, strlen(command->name) + 9, 2, full_width(), command->summary);
    term_heading("Usage");
    printf("  tacit %s", command->name);
    if (*command->usage) {
        putchar(' ');
        term_wrap(stdout, strlen(command->name) + 9, 6, help_width(), command->usage);
    } else {
        putchar('\n');
    }
    if (command->text) {
        fputs("\n  ", stdout);
        term_wrap(stdout, 2, 2, help_width(), command->text);
    }
    for (const cli_option *option = command->options; option && option->name; option++) {
        if (option->heading || option == command->options)
            term_heading(option->heading ? option->heading : "Options");
        print_option(option);
    }
    if (command->examples) {
        term_heading(strchr(command->examples, '\n') ? "Examples" : "Example");
        for (const char *line = command->examples; *line; line += strcspn(line, "\n"), line += *line == '\n')
            print_example(line, strcspn(line, "\n"));
    }
}

void cli_print_overview(const cli_command *const *commands)
{
    printf("%stacit%s %s ask only what the decision needs\n", term_on(STYLE_BOLD), term_on(STYLE_PLAIN), term.dash);
    term_heading("Usage");
    puts("  tacit COMMAND [arguments]");
    term_heading("Commands");
    for (; *commands; commands++)
        print_command(*commands);
    fputs("\n  ", stdout);
    term_wrap(
        stdout, 2, 2, help_width(),
        "tacit help COMMAND tells all about one command. Exit codes: 0 done, 1 the answer is negative, 2 wrong usage, "
        "3 bad input, 4 internal error.");
    term_heading("Start here");
    puts("  tacit demo");
}
