/*
 * cmd_help.c -- tacit help, tacit version.
 */
#include <stdio.h>

#include "cli.h"
#include "commands.h"

static int run_help(const cli_args *args, void *settings)
{
    const cli_command *command;

    (void)settings;
    if (args->n_operands == 0) {
        cli_print_overview(cli_commands);
        return CLI_DONE;
    }
    command = cli_find_command(args->operands[0]);
    if (!command)
        return CLI_USAGE;
    cli_print_help(command);
    return CLI_DONE;
}

static int run_version(const cli_args *args, void *settings)
{
    (void)args;
    (void)settings;
    printf("tacit %s\n", tacit_version());
    return CLI_DONE;
}

const cli_command cli_command_help = {
    .name = "help",
    .summary = "what there is, or all about one command",
    .usage = "[COMMAND]",
    .optional = 1,
    .examples = "tacit help audit",
    .run = run_help,
};

const cli_command cli_command_version = {
    .name = "version",
    .summary = "which Tacit this is",
    .usage = "",
    .examples = "tacit version",
    .run = run_version,
};
