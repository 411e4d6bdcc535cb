/*
 * cli.h -- what every command shares: exit codes, complaints, memory, interruption, small parsers.
 *
 * Results go to standard output, talk to standard error.  A complaint is one line, "tacit: ...", and never
 * repeats a person's value.
 */
#ifndef CLI_H
#define CLI_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tacit.h"

/* Exit codes. */
enum {
    CLI_DONE = 0,
    CLI_NEGATIVE = 1,    /* it worked, and the answer is no */
    CLI_USAGE = 2,       /* the command line makes no sense */
    CLI_INPUT = 3,       /* a file or a value is not what it should be, or cannot be read or written */
    CLI_INTERNAL = 4,    /* out of memory, or our bug */
    CLI_INTERRUPTED = -1 /* inside only: main ends by the signal that came */
};

/* Print "tacit: ..." (control characters replaced, so that it stays one line) and return `code`. */
int cli_complain(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Print the message of a failed call and return the exit code that goes with its status. */
int cli_fail(const tacit_error *err);

/* Print "tacit: note: ...". */
void cli_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* From now on complaints and notes are JSON objects, one a line. */
void cli_say_objects(void);

/* Zeroed memory, or the end of the program with CLI_INTERNAL: a command has nothing better to do. */
void *cli_alloc(size_t count, size_t size);
void *cli_realloc(void *block, size_t count, size_t size);
char *cli_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *cli_format_list(const char *format, va_list arguments) __attribute__((format(printf, 1, 0)));

/* ---- signals.c ---- */

/* From the first signal on (INT, TERM, HUP, QUIT, XCPU) cli_interrupted is true; commands look at it between steps, the
 * library by way of its progress callback.  Who has not ended soon after, or gets a second signal, is ended at once,
 * without its temporary files. */
void cli_watch_signals(void);
bool cli_interrupted(void);
/* Is main to end by the signal that came, whatever the command made of it?  Not those that take their time. */
bool cli_ends_by_signal(void);
/* From here on a signal wakes up who waits for input. */
void cli_wake_by_signals(void);
/* End the way the signal would have ended us. */
void cli_end_by_signal(void);
/* From here on the first signal sets no deadline: the command ends in a time of its own. */
void cli_take_time(void);
/* A file or empty folder to be removed should the program be ended at once; in this order.  Kept, not copied. */
void cli_leave_behind(const char *path);
/* There is none any more. */
void cli_leave_nothing_behind(void);
/* What is said when the program is ended at once, a line; NULL: that it was interrupted.  Kept, not copied. */
void cli_set_last_words(const char *text);
/* No core files: they would hold what people have answered.  hide: nor may other programs look into this one. */
void cli_keep_no_core(bool hide);

/* A whole argument as a finite number. */
bool cli_parse_number(const char *text, double *out);
/* A comma-separated list of deltas, each 0 <= delta < 0.5, none twice.  *out is malloc'ed. */
int cli_parse_deltas(const char *text, double **out, size_t *count);

/* The text in double quotes that begins here (quotes inside are written twice), copied to `out`: its size with the quotes,
 * or 0 where there is none or it does not fit. */
size_t cli_unquote(const char *text, char *out, size_t room);

/* Would writing `output` overwrite the file `input`, or the one that standard input ("-") is read from?  Then complain and
 * return CLI_USAGE, else CLI_DONE.  NULL is never the same. */
int cli_refuse_overwrite(const char *output, const char *input);
/* Would two of the outputs of `command` be written over each other, by whatever path?  Then the same.  NULL: not wanted. */
int cli_refuse_same_outputs(const char *command, const char *const *options, const char *const *paths, size_t n);

/* Can nothing be written there, as far as can be seen before (a folder that is not there, a link to nothing)?  Then complain
 * and return CLI_INPUT: nobody should wait for a result that is lost.  Of several processes only the first one writes, and it
 * finds out by itself. */
int cli_refuse_output(const char *path);

/* Load a model file and, where asked, give its attributes other roles (comma-separated names; NULL: as in the file). */
int cli_load_model(tacit_model **out, const char *path, const char *sensitive, const char *public_);
/* --names without --no-header makes no sense. */
int cli_check_csv(const tacit_csv_options *csv);

/* Is standard output spoken for by an output file called "-"? */
bool cli_is_stdout(const char *path);

#endif
