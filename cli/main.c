/*
 * main.c -- the program: finds the command in the table, reads its options, runs it, and makes sure that what it
 * printed really arrived.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "commands.h"
#include "mpi_team.h"
#include "terminal.h"

const cli_command *const cli_commands[] = {
    &cli_command_fit,
    &cli_command_import,
    &cli_command_calibrate,
    &cli_command_show,
    &cli_command_audit,
    &cli_command_merge,
    &cli_command_ask,
    &cli_command_serve,
    &cli_command_explain,
    &cli_command_certify,
    &cli_command_check,
    &cli_command_necessity,
    &cli_command_experiment,
    &cli_command_demo,
    &cli_command_help,
    &cli_command_version,
    NULL,
};

const cli_command *cli_find_command(const char *name)
{
    enum { COUNT = sizeof(cli_commands) / sizeof(*cli_commands) - 1 };
    const char *names[COUNT];
    const char *close;

    for (size_t i = 0; i < COUNT; i++) {
        names[i] = cli_commands[i]->name;
        if (strcmp(names[i], name) == 0)
            return cli_commands[i];
    }
    close = tacit_suggest(name, names, COUNT);
    if (close)
        cli_complain(CLI_USAGE, "unknown command '%.60s' (did you mean %s?)", name, close);
    else
        cli_complain(CLI_USAGE, "unknown command '%.60s' (see tacit help)", name);
    return NULL;
}

/* As many threads as are wanted may not be had; the work is then done by fewer. */
static void limit_threads(const cli_command *command, void *settings)
{
    for (const cli_option *o = command->options; o && o->name; o++) {
        size_t *threads = (size_t *)(void *)((char *)settings + o->offset), there;

        if (strcmp(o->name, "threads") != 0)
            continue;
        there = tacit_threads(*threads);
        if (*threads > there)
            fprintf(stderr, "tacit: note: %zu threads cannot be started: the work is done by %zu\n", *threads, there);
        if (*threads)
            *threads = there;
    }
}

static int run_command(const cli_command *command, int argc, char **argv)
{
    void *settings = cli_alloc(1, command->settings_size);
    cli_args args;
    int code;

    if (command->defaults)
        memcpy(settings, command->defaults, command->settings_size);
    code = cli_read_options(command, argc, argv, settings, &args);
    if (code == CLI_DONE && args.help)
        cli_print_help(command);
    else if (code == CLI_DONE) {
        limit_threads(command, settings);
        code = command->run(&args, settings);
    }
    cli_args_free(command, &args, settings);
    free(settings);
    return code;
}

static int run_words(int argc, char **argv)
{
    const cli_command *command;
    const char *name = argc > 1 ? argv[1] : "";

    if (argc < 2) {
        cli_print_overview(cli_commands);
        return CLI_USAGE;
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        name = "help";
    else if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0)
        name = "version";
    command = cli_find_command(name);
    if (command && !command->team && !team_speaks())
        return CLI_DONE; /* of several processes one is enough */
    return command ? run_command(command, argc - 2, argv + 2) : CLI_USAGE;
}

/* Did everything arrive?  0, or why not.  A write that failed long ago has lost its reason: writing once more finds
 * it. */
static int close_output(void)
{
    int reason = EIO;

    if (!ferror(stdout)) {
        errno = 0;
        return fclose(stdout) ? (errno ? errno : EIO) : 0;
    }
    clearerr(stdout);
    if (fputc('\n', stdout) == EOF || fflush(stdout) == EOF)
        reason = errno;
    fclose(stdout);
    return reason;
}

int main(int argc, char **argv)
{
    int code, reason;

    code = team_start();
    term_start();
    if (team_get()) /* mpirun puts a terminal in between, wherever its own output goes */
        term.colour = false;
    cli_watch_signals();
    cli_keep_no_core(!team_get()); /* processes of a team read each other's memory */
    if (code == CLI_DONE)
        code = run_words(argc, argv);
    reason = close_output();
    if (reason) {
        int failed = cli_complain(CLI_INPUT, "cannot write standard output: %s", strerror(reason));

        code = code == CLI_DONE || code == CLI_NEGATIVE ? failed : code;
    }
    code = team_end(code);
    if (code == CLI_INTERRUPTED || cli_ends_by_signal())
        cli_end_by_signal();
    return code;
}
