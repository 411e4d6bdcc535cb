/*
 * options.h -- declarative options: a table says what a command takes, one function reads it, one prints the help.
 *
 * An option is --name VALUE, --name=VALUE or, when it has a letter, -x VALUE; `--` ends the options.  Values land
 * in the command's own settings struct, at the offset the table gives.
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum cli_kind {
    CLI_FLAG = 0, /* bool */
    CLI_TEXT,     /* const char * */
    CLI_TEXTS,    /* cli_texts: may be given again and again */
    CLI_NUMBER,   /* double, min <= value <= max, or < where below_max, > where above_min */
    CLI_COUNT,    /* size_t, min <= value <= max */
    CLI_SEED,     /* uint64_t */
    CLI_BYTE,     /* char: one character, or the word tab */
    CLI_WORD      /* size_t: index into `words` */
} cli_kind;

/* As many operands as one likes. */
enum { CLI_ANY = 1 << 30 };

typedef struct cli_texts {
    const char **items;
    size_t count;
} cli_texts;

typedef struct cli_option {
    const char *name;
    char letter; /* 0: none */
    cli_kind kind;
    const char *argument; /* in the help; NULL for flags */
    const char *help;
    size_t offset; /* in the settings */
    double min, max;
    bool above_min, below_max, may_be_empty;
    const char *const *words; /* CLI_WORD: ends with NULL */
    const char *heading;      /* in the help, above this option */
} cli_option;

typedef struct cli_args {
    const char **operands;
    size_t n_operands;
    uint64_t given; /* bit i: option i of the table was there */
    bool help;      /* --help was there: nothing else counts */
} cli_args;

/* A command: one row of the table in main.c. */
typedef struct cli_command {
    const char *name;
    const char *summary;         /* one line */
    const char *usage;           /* what follows the name */
    const char *text;            /* paragraphs, separated by empty lines; NULL: none */
    const char *examples;        /* lines */
    const cli_option *options;   /* ends with a row without name; NULL: none */
    const char *const *operands; /* names of the operands it needs; ends with NULL */
    size_t optional;             /* operands it may have beyond those; CLI_ANY: any number */
    bool team;                   /* several processes share the work (mpi_team.h); else the first does it alone */
    size_t settings_size;
    const void *defaults; /* settings to start from; NULL: all zero */
    int (*run)(const cli_args *args, void *settings);
} cli_command;

/* Read the words after the command's name into `settings`.  CLI_DONE, or CLI_USAGE after a complaint. */
int cli_read_options(const cli_command *command, int argc, char **argv, void *settings, cli_args *args);
void cli_args_free(const cli_command *command, cli_args *args, void *settings);
bool cli_was_given(const cli_command *command, const cli_args *args, const char *option);

/* Print the help of a command, or of all of them (ends with NULL), at most 80 columns wide. */
void cli_print_help(const cli_command *command);
void cli_print_overview(const cli_command *const *commands);

/* The options of every command that reads a CSV file of people; `member` is a tacit_csv_options in `type`. */
#define CLI_CSV_OPTIONS(type, member)                                                                                  \
    {.name = "separator",                                                                                              \
     .kind = CLI_BYTE,                                                                                                 \
     .argument = "CHAR",                                                                                               \
     .help = "What stands between cells: one character, or the word tab. Found out among , ; tab | unless given.",     \
     .offset = offsetof(type, member.separator),                                                                       \
     .heading = "Reading CSV"},                                                                                        \
        {.name = "missing",                                                                                            \
         .kind = CLI_TEXT,                                                                                             \
         .argument = "LIST",                                                                                           \
         .help =                                                                                                       \
             "Cells that mean \"missing\" beside the empty one, for example '?,NA'. Default: what the schema or the "  \
             "model says; without one, the usual ones (NA, N/A, NaN, null, ?), with a remark.",                        \
         .may_be_empty = true,                                                                                         \
         .offset = offsetof(type, member.missing)},                                                                    \
        {.name = "no-header",                                                                                          \
         .kind = CLI_FLAG,                                                                                             \
         .help = "The first row is data; columns are called c1, c2, ... unless --names says otherwise.",               \
         .offset = offsetof(type, member.no_header)},                                                                  \
        {.name = "names",                                                                                              \
         .kind = CLI_TEXT,                                                                                             \
         .argument = "LIST",                                                                                           \
         .help = "Column names, for a file without header.",                                                           \
         .offset = offsetof(type, member.names)},                                                                      \
        {.name = "decimal",                                                                                            \
         .kind = CLI_BYTE,                                                                                             \
         .argument = "CHAR",                                                                                           \
         .help = "Decimal mark of numbers: . or , Default: what the schema or the model says; without one, found "     \
                 "out.",                                                                                               \
         .offset = offsetof(type, member.decimal)},                                                                    \
        {.name = "skip-bad-rows",                                                                                      \
         .kind = CLI_COUNT,                                                                                            \
         .argument = "N",                                                                                              \
         .max = 1e9,                                                                                                   \
         .help = "Leave out up to N rows that have the wrong number of cells or text for a number, and say how many. " \
                 "Default: 0, they are an error.",                                                                     \
         .offset = offsetof(type, member.skip_bad)},                                                                   \
    {                                                                                                                  \
        .name = "skip-lines", .kind = CLI_COUNT, .argument = "N", .max = 1e9,                                          \
        .help = "Lines to pass over before the header.", .offset = offsetof(type, member.skip_lines)                   \
    }

#endif
