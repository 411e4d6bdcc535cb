/*
 * cli.c -- complaints, memory and small parsers shared by the commands.
 */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <jansson.h>

#include "mpi_team.h"

static int code_of(tacit_status status)
{
    switch (status) {
    case TACIT_OK:
        return CLI_DONE;
    case TACIT_E_USAGE:
        return CLI_USAGE;
    case TACIT_E_INPUT:
    case TACIT_E_IO:
        return CLI_INPUT;
    case TACIT_E_STOPPED:
        return CLI_INTERRUPTED;
    case TACIT_E_MEMORY:
    case TACIT_E_INTERNAL:
        break;
    }
    return CLI_INTERNAL;
}

static bool as_objects;

/* The same as an object on a line of its own; bytes that are no text become question marks. */
static void print_object(const char *level, const char *text)
{
    char stamp[32] = "", *copy = cli_format("%s", text);
    time_t now = time(NULL);
    struct tm parts;
    json_t *message;

    if (gmtime_r(&now, &parts))
        strftime(stamp, sizeof(stamp), "%Y-%m-%dT%H:%M:%SZ", &parts);
    message = json_string(copy);
    for (char *c = copy; !message && *c; c++)
        *c = (char)((unsigned char)*c < 0x80 ? *c : '?');
    message = message ? message : json_string(copy);
    message = json_pack("{s:s, s:s, s:o}", "time", stamp, "level", level, "message", message);
    free(copy);
    copy = message ? json_dumps(message, JSON_COMPACT) : NULL;
    fprintf(stderr, "%s\n", copy ? copy : "{\"level\":\"error\",\"message\":\"out of memory\"}");
    free(copy);
    json_decref(message);
}

void cli_say_objects(void)
{
    as_objects = true;
}

void cli_note(const char *format, ...)
{
    char text[2048];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    if (as_objects)
        print_object("note", text);
    else
        fprintf(stderr, "tacit: note: %s\n", text);
}

/* A name in a message may come from a file: no escape sequence or line break of its gets through.  A list of problems
 * has a line for each; its lines were cleaned where it was made. */
static void print_line(const char *text, bool list)
{
    if (as_objects) {
        print_object("error", text);
        return;
    }
    fputs("tacit: ", stderr);
    for (; *text; text++)
        fputc(((unsigned char)*text < 0x20 && !(list && *text == '\n')) || *text == 0x7f ? '?' : *text, stderr);
    fputc('\n', stderr);
}

int cli_complain(int code, const char *format, ...)
{
    char text[2048];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    print_line(text, false);
    return code;
}

int cli_fail(const tacit_error *err)
{
    print_line(err->status == TACIT_E_STOPPED ? "interrupted" : err->message, true);
    return code_of(err->status);
}

void *cli_alloc(size_t count, size_t size)
{
    void *block = calloc(count ? count : 1, size ? size : 1);

    if (!block)
        exit(cli_complain(CLI_INTERNAL, "out of memory"));
    return block;
}

void *cli_realloc(void *block, size_t count, size_t size)
{
    void *grown = reallocarray(block, count ? count : 1, size);

    if (!grown)
        exit(cli_complain(CLI_INTERNAL, "out of memory"));
    return grown;
}

char *cli_format_list(const char *format, va_list arguments)
{
    char *text = NULL;

    if (vasprintf(&text, format, arguments) < 0)
        exit(cli_complain(CLI_INTERNAL, "out of memory"));
    return text;
}

char *cli_format(const char *format, ...)
{
    va_list arguments;
    char *text;

    va_start(arguments, format);
    text = cli_format_list(format, arguments);
    va_end(arguments);
    return text;
}

bool cli_parse_number(const char *text, double *out)
{
    char *end = NULL;

    if (!*text || strspn(text, "0123456789.+-eE") != strlen(text))
        return false;
    *out = strtod(text, &end);
    return *end == '\0' && *out - *out == 0;
}

int cli_parse_deltas(const char *text, double **out, size_t *count)
{
    const char *rest = text;

    *out = NULL;
    *count = 0;
    for (;;) {
        size_t size = strcspn(rest, ",");
        char item[64];
        double delta = 0;

        snprintf(item, sizeof(item), "%.*s", (int)(size < 63 ? size : 63), rest + strspn(rest, " "));
        while (*item && item[strlen(item) - 1] == ' ')
            item[strlen(item) - 1] = '\0';
        if (size >= sizeof(item) || !cli_parse_number(item, &delta) || delta < 0 || delta >= 0.5)
            return cli_complain(
                CLI_USAGE,
                "--delta: expected numbers from 0 to below 0.5, separated by commas; entry %zu of '%.100s' "
                "is none",
                *count + 1, text);
        for (size_t i = 0; i < *count; i++)
            if ((*out)[i] == delta)
                return cli_complain(CLI_USAGE, "--delta: %g is given twice", delta);
        *out = cli_realloc(*out, *count + 1, sizeof(double));
        (*out)[(*count)++] = delta + 0; /* -0 becomes 0 */
        if (!rest[size])
            return CLI_DONE;
        rest += size + 1;
    }
}

size_t cli_unquote(const char *text, char *out, size_t room)
{
    size_t n = 0;

    if (text[0] != '"')
        return 0;
    for (size_t at = 1; text[at] && n < room; at++) {
        if (text[at] == '"' && text[++at] != '"') {
            out[n] = '\0';
            return at;
        }
        out[n++] = text[at];
    }
    return 0;
}

int cli_refuse_overwrite(const char *output, const char *input)
{
    struct stat to, from;
    bool piped = input && strcmp(input, "-") == 0;

    if (!output || !input || cli_is_stdout(output))
        return CLI_DONE;
    if (stat(output, &to) || (piped ? fstat(STDIN_FILENO, &from) : stat(input, &from)) || !S_ISREG(to.st_mode))
        return CLI_DONE;
    if (to.st_dev != from.st_dev || to.st_ino != from.st_ino)
        return CLI_DONE;
    return cli_complain(CLI_USAGE, "%s is read by this command: the output must go to another file",
                        piped ? output : input);
}

/* Where a file that is not there yet would be made: in which folder, and by what name; NULL: there is no such folder. */
static const char *split_path(const char *path, struct stat *folder)
{
    const char *slash = strrchr(path, '/');
    char *parent = slash ? cli_format("%.*s", (int)(slash - path + 1), path) : cli_format(".");
    bool there = stat(parent, folder) == 0;

    free(parent);
    return there ? slash ? slash + 1 : path : NULL;
}

/* Files are the same by where they lie; those that are not there yet by their names in the same folder. */
static bool same_place(const char *a, const char *b)
{
    struct stat one, other;
    bool there = stat(a, &one) == 0;
    const char *name, *other_name;

    if (strcmp(a, b) == 0)
        return true;
    if (there != (stat(b, &other) == 0))
        return false;
    if (there)
        return S_ISREG(one.st_mode) && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
    name = split_path(a, &one);
    other_name = split_path(b, &other);
    return name && other_name && one.st_dev == other.st_dev && one.st_ino == other.st_ino &&
           strcmp(name, other_name) == 0;
}

int cli_refuse_same_outputs(const char *command, const char *const *options, const char *const *paths, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = i + 1; k < n; k++) {
            if (cli_is_stdout(paths[i]) && cli_is_stdout(paths[k]))
                return cli_complain(CLI_USAGE, "%s: --%s and --%s cannot both go to standard output", command,
                                    options[i], options[k]);
            if (paths[i] && paths[k] && same_place(paths[i], paths[k]))
                return cli_complain(CLI_USAGE, "%s: --%s and --%s cannot go to the same file", command, options[i],
                                    options[k]);
        }
    return CLI_DONE;
}

/* May files be made in the folder of `path`?  0 or an errno. */
static int try_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *parent = slash ? cli_format("%.*s", (int)(slash - path + 1), path) : cli_format(".");
    int number = faccessat(AT_FDCWD, parent, W_OK | X_OK, AT_EACCESS) == 0 ? 0 : errno;

    free(parent);
    return number;
}

/* What the library would say of the path once it writes; NULL: nothing is wrong so far. */
static const char *output_problem(const char *path)
{
    struct stat info;
    char *real;
    int number = 0;

    if (stat(path, &info) != 0) {
        number = errno;
        if (number == ENOENT && lstat(path, &info) == 0)
            return "it is a link to a file that does not exist";
        if (number == ENOENT)
            number = path[strlen(path) - 1] == '/' ? EISDIR : try_folder(path);
    } else if (S_ISDIR(info.st_mode)) {
        number = EISDIR;
    } else if (faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0) {
        number = errno;
    } else if (S_ISREG(info.st_mode) && (real = realpath(path, NULL)) != NULL) {
        number = try_folder(real);
        free(real);
    }
    return number == EISDIR ? "is a directory" : number ? strerror(number) : NULL;
}

int cli_refuse_output(const char *path)
{
    const char *problem;

    if (!path || *path == '\0' || cli_is_stdout(path) || team_get())
        return CLI_DONE;
    problem = output_problem(path);
    return problem ? cli_complain(CLI_INPUT, "cannot write %s: %s", path, problem) : CLI_DONE;
}

int cli_load_model(tacit_model **out, const char *path, const char *sensitive, const char *public_)
{
    tacit_error err = {0};
    tacit_model *model = NULL;

    *out = NULL;
    if (tacit_model_load(&model, path, &err))
        return cli_fail(&err);
    if (!sensitive && !public_) {
        *out = model;
        return CLI_DONE;
    }
    if (tacit_model_with_roles(out, model, sensitive, public_, &err)) {
        tacit_model_free(model);
        return cli_fail(&err);
    }
    if (tacit_model_calibration(model) && !tacit_model_calibration(*out))
        fprintf(stderr, "tacit: note: the model was calibrated for other roles; here its calibration does not count\n");
    tacit_model_free(model);
    return CLI_DONE;
}

int cli_check_csv(const tacit_csv_options *csv)
{
    if (csv->names && !csv->no_header)
        return cli_complain(CLI_USAGE, "--names is for a file without header: give --no-header too");
    return CLI_DONE;
}

bool cli_is_stdout(const char *path)
{
    return path && strcmp(path, "-") == 0;
}
