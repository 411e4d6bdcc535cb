/*
 * command_text.h -- a command line, told again.
 */
#ifndef CLI_COMMAND_TEXT_H
#define CLI_COMMAND_TEXT_H

#include "options.h"

/* The command with its operands and the options that were given, in the order of its table and quoted for a shell;
 * operands without their folders, and without the options called `left_out` (ends with NULL).  malloc'ed. */
char *cli_command_text(const cli_command *command, const cli_args *args, const void *settings,
                       const char *const *left_out);

#endif
