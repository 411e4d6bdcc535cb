/*
 * commands.h -- all commands there are.  A new one is a file cmd_NAME.c, a line here and a row in main.c.
 */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "options.h"

extern const cli_command cli_command_fit;
extern const cli_command cli_command_import;
extern const cli_command cli_command_calibrate;
extern const cli_command cli_command_show;
extern const cli_command cli_command_audit;
extern const cli_command cli_command_merge;
extern const cli_command cli_command_ask;
extern const cli_command cli_command_serve;
extern const cli_command cli_command_explain;
extern const cli_command cli_command_certify;
extern const cli_command cli_command_check;
extern const cli_command cli_command_necessity;
extern const cli_command cli_command_experiment;
extern const cli_command cli_command_demo;
extern const cli_command cli_command_help;
extern const cli_command cli_command_version;

/* The table, in the order of the overview; ends with NULL. */
extern const cli_command *const cli_commands[];

/* The command called `name`; NULL after a complaint with a suggestion. */
const cli_command *cli_find_command(const char *name);

#endif
