/*
 * tacit/status.h -- how calls say what went wrong; small helpers.  Part of tacit.h, which says what holds everywhere.
 */
#ifndef TACIT_STATUS_H
#define TACIT_STATUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define TACIT_API __attribute__((visibility("default")))
#else
#define TACIT_API
#endif

#define TACIT_NONE ((size_t)-1)

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tacit_status {
    TACIT_OK = 0,
    TACIT_E_USAGE = 1,   /* the call makes no sense: bad option, unknown attribute name, wrong order */
    TACIT_E_INPUT = 2,   /* a file or a value is not what it should be */
    TACIT_E_IO = 3,      /* cannot open, read or write */
    TACIT_E_MEMORY = 4,  /* out of memory */
    TACIT_E_STOPPED = 5, /* the progress callback asked to stop */
    TACIT_E_INTERNAL = 6 /* our bug */
} tacit_status;

/* One line of explanation: "people.csv: row 12, column income: expected a number".  Rows count data
 * rows from 1, the header not included; 0 means "no row".  Where a file has several problems, the first line says how
 * many, and each has a line of its own behind it, which begins with two blanks. */
typedef struct tacit_error {
    tacit_status status;
    size_t row;
    char column[128];
    char message[4096];
} tacit_error;

TACIT_API const char *tacit_version(void);

/* x rounded to `digits` decimals (0 ... 6), halves away from 0: as everything that people read is rounded. */
TACIT_API double tacit_round(double x, int digits);

/* The entry of `words` closest in spelling to `word`, or NULL when nothing is close. */
TACIT_API const char *tacit_suggest(const char *word, const char *const *words, size_t n_words);

/* Write `size` bytes to `path` by way of a temporary file beside it and a rename: afterwards the file
 * holds either its old content or all of the new one.  "-" and character devices are written directly. */
TACIT_API tacit_status tacit_file_write(const char *path, const char *bytes, size_t size, tacit_error *err);

/* `wanted` threads (0: as many as there are processors) if they can be started now, else 1, this one.  Functions that take
 * a number of threads ask by themselves and do with what there is. */
TACIT_API size_t tacit_threads(size_t wanted);

#ifdef __cplusplus
}
#endif
#endif
