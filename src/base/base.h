/*
 * base.h -- the ground everything stands on: errors, memory, text, files, hashing, random numbers.
 * No word of the domain appears here.
 */
#ifndef TCT_BASE_H
#define TCT_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "tacit.h"

/* ---- error.c ---- */

/* Fill *err (NULL allowed) with a printf-style one-line message and return `status`. */
tacit_status tct_fail(tacit_error *err, tacit_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same with a place: message becomes "FILE: row R, column C: ...", parts that are NULL/0 left out. */
tacit_status tct_fail_at(tacit_error *err, tacit_status status, const char *file, size_t row, const char *column,
                         const char *format, ...) __attribute__((format(printf, 6, 7)));
tacit_status tct_fail_memory(tacit_error *err);
/* Several problems of one file, each an error of its own: *err lists them all, as far as there is room.  One problem is
 * told as it is. */
tacit_status tct_fail_list(tacit_error *err, const char *file, const tacit_error *problems, size_t count);

/* ---- memory.c: the one seam through which all memory comes ---- */

/* Overflow-checked; NULL when memory is short (or when a test said so).  calloc zeroes. */
void *tct_malloc(size_t count, size_t size);
void *tct_calloc(size_t count, size_t size);
void *tct_realloc(void *block, size_t count, size_t size);
void tct_free(void *block);
/* Overwrite with zeros in a way the compiler keeps. */
void tct_wipe(void *block, size_t size);
/* Wipe, then free.  NULL allowed. */
void tct_free_wiped(void *block, size_t size);
/* A list of *room items that is to have at least `needed`: itself, or a copy at least twice as long in its place, the old
 * one wiped.  NULL when memory is short: then the old one is still there. */
void *tct_grow(void *list, size_t *room, size_t needed, size_t size);
char *tct_strdup(const char *text);
char *tct_strndup(const char *text, size_t size);
/* Tests: let the `nth` allocation (from 1) after this call fail, and all after it when `forever`; 0 turns it off. */
void tct_memory_fail_at(uint64_t nth, bool forever);
/* Tests: allocations asked for since the last tct_memory_fail_at. */
uint64_t tct_memory_count(void);

/* ---- options.c: options of callers built with another header ---- */

/* The caller's options, which begin with their size (NULL: all usual), into ours of `size` bytes.  first: what size 0
 * stands for.  Errors call them `name`. */
tacit_status tct_options_take(void *into, size_t size, size_t first, const void *from, const char *name,
                              tacit_error *err);
/* The bytes of a struct up to a member, this included. */
#define TCT_UP_TO(type, member) (offsetof(type, member) + sizeof(((type *)0)->member))
/* `own`, a struct of the type, from the options of a caller; last: the last member that release 0.1 had. */
#define TCT_OPTIONS_TAKE(own, type, last, from, err)                                                                   \
    tct_options_take(own, sizeof(type), TCT_UP_TO(type, last), from, #type, err)

/* ---- text.c: growing text, lists of names, spelling ---- */

typedef struct tct_text {
    char *bytes; /* terminated */
    size_t size, room;
    bool failed; /* memory ran out: later appends do nothing */
} tct_text;
void tct_text_append(tct_text *text, const char *bytes, size_t size);
void tct_text_printf(tct_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void tct_text_free(tct_text *text);

/* Size of the text in double quotes that begins here, quotes and all, which are written twice inside; 0: there is none. */
size_t tct_quoted_size(const char *text);
/* What stands in such quotes; NULL: no memory. */
char *tct_unquoted(const char *text, size_t size);
/* A name as a list needs it: has it commas, equals signs, quotes, or blanks at its ends? */
bool tct_needs_quotes(const char *name);
void tct_text_quote(tct_text *text, const char *name);

/* Comma-separated list split into trimmed names, which may stand in double quotes.  NULL or "" gives an empty list. */
typedef struct tct_names {
    char **items;
    size_t count;
} tct_names;
tacit_status tct_names_split(tct_names *out, const char *list, tacit_error *err);
void tct_names_free(tct_names *names);

/* Parse a whole cell as a finite decimal number, independently of the locale: optional sign, digits with an
 * optional point, optional exponent.  No blanks, hex, inf, nan.  Correctly rounded. */
bool tct_parse_number(const char *bytes, size_t size, double *out);
/* Shortest decimal text that reads back as the same double, "." as point.  Room of 32 suffices. */
void tct_format_number(double value, char *text, size_t size);
/* For qsort: doubles by value, texts (const char *) by their bytes. */
int tct_compare_doubles(const void *a, const void *b);
int tct_compare_texts(const void *a, const void *b);

/* ---- file.c ---- */

/* A file being written under a temporary name beside the final one; commit renames, abandon removes.
 * "-" is standard output; an existing character device or pipe (e.g. /dev/full) is written directly. */
typedef struct tct_file tct_file;
tacit_status tct_file_create(tct_file **out, const char *path, tacit_error *err);
tacit_status tct_file_append(tct_file *file, const void *bytes, size_t size, tacit_error *err);
/* Flushes, syncs, renames; frees `file` in every case; on failure the temporary is gone. */
tacit_status tct_file_commit(tct_file *file, tacit_error *err);
void tct_file_abandon(tct_file *file); /* NULL allowed */

/* The last part of a path. */
const char *tct_file_name(const char *path);
/* Whole file into memory, terminated; directories, over-long (> limit) and unreadable files are clear errors. */
tacit_status tct_file_read(char **out, size_t *size, const char *path, size_t limit, tacit_error *err);

/* Which file it is, and as of when. */
typedef struct tct_stamp {
    uint64_t device, number, size;
    int64_t seconds, nanoseconds; /* of the last change of its content */
    bool ordinary;                /* a pipe, say, may change as it likes */
} tct_stamp;
tct_stamp tct_stamp_take(int fd);
/* Is it another file by now, or has it changed?  An error that names it. */
tacit_status tct_stamp_compare(const tct_stamp *before, const tct_stamp *now, const char *name, tacit_error *err);

/* A stream of bytes to read ("-": standard input). */
typedef struct tct_reader tct_reader;
tacit_status tct_reader_open(tct_reader **out, const char *path, tacit_error *err);
/* The same from memory, which must stay. */
tacit_status tct_reader_parse(tct_reader **out, const char *name, const void *bytes, size_t size, tacit_error *err);
/* Read up to `room` bytes, all of them unless the end comes first.  A file that has changed in between is an error when the
 * end comes. */
tacit_status tct_reader_read(tct_reader *reader, void *bytes, size_t room, size_t *got, tacit_error *err);
uint64_t tct_reader_size(const tct_reader *reader); /* 0 when not known */
const tct_stamp *tct_reader_stamp(const tct_reader *reader);
void tct_reader_close(tct_reader *reader);

/* The same for what may be packed (inflate.c): gzip and zstd, told by the first bytes, come out unpacked. */
typedef struct tct_source tct_source;
tacit_status tct_source_open(tct_source **out, const char *path, tacit_error *err);
tacit_status tct_source_parse(tct_source **out, const char *name, const void *bytes, size_t size, tacit_error *err);
/* Up to `room` bytes, all of them unless the end comes first.  Data that is damaged or ends too early is an error. */
tacit_status tct_source_read(tct_source *source, void *bytes, size_t room, size_t *got, tacit_error *err);
uint64_t tct_source_size(const tct_source *source); /* of the file as it is; 0 when not known */
bool tct_source_packed(const tct_source *source);
/* Bytes of the file, as it is, that were read so far (any thread may ask); only of what is packed. */
uint64_t tct_source_raw(const tct_source *source);
/* SHA-256 of the file as it is; only of what is packed, once, at its end. */
void tct_source_hash(tct_source *source, char hex[65]);
void tct_source_close(tct_source *source);

/* A file that grows line by line while others may cut us off at any time: each append is one write, seen to the disk.
 * The file is locked against other appenders. */
typedef struct tct_appender tct_appender;
/* fresh: the file must not exist yet; otherwise it must. */
tacit_status tct_appender_open(tct_appender **out, const char *path, bool fresh, tacit_error *err);
/* Drop everything behind the first `size` bytes. */
tacit_status tct_appender_cut(tct_appender *appender, uint64_t size, tacit_error *err);
/* After a failure every further append fails: what is behind it could not be read back. */
tacit_status tct_appender_add(tct_appender *appender, const char *bytes, size_t size, tacit_error *err);
void tct_appender_close(tct_appender *appender); /* NULL allowed */
/* Tests: let the nth read or write from now fail with EIO; 0 turns it off. */
void tct_io_fail_at(uint64_t nth);

/* ---- hash.c: SHA-256 ---- */

typedef struct tct_hash tct_hash;
tacit_status tct_hash_new(tct_hash **out, tacit_error *err);
void tct_hash_add(tct_hash *hash, const void *bytes, size_t size);
/* 64 hex digits and a terminator; frees the hash. */
void tct_hash_finish(tct_hash *hash, char hex[65]);
void tct_hash_free(tct_hash *hash);
/* The three in one. */
tacit_status tct_hash_text(char hex[65], const char *text, size_t size, tacit_error *err);

/* ---- threads.c ---- */

/* Jobs 0 ... n - 1 on so many threads (0: all processors).  Once one has failed, those behind it are left out; the error of
 * the first that failed is told, whoever was faster. */
tacit_status tct_in_parallel(size_t n, size_t threads,
                             tacit_status (*run)(void *context, size_t index, tacit_error *err), void *context,
                             tacit_error *err);

/* ---- random.c: seeded, the same on every machine ---- */

typedef struct tct_random {
    uint64_t s[4]; /* xoshiro256** */
} tct_random;
void tct_random_seed(tct_random *random, uint64_t seed, uint64_t stream);
uint64_t tct_random_bits(tct_random *random);
double tct_random_uniform(tct_random *random);             /* in (0, 1), 53 bits, never 0 or 1 */
double tct_random_normal(tct_random *random);              /* by inversion or polar method; standard normal */
uint64_t tct_random_below(tct_random *random, uint64_t n); /* unbiased, n > 0 */
void tct_random_shuffle(tct_random *random, size_t *list, size_t n);
void tct_random_order(size_t *order, size_t n, uint64_t seed, uint64_t stream); /* 0 ... n - 1 in random order */
/* A well-mixed 64-bit hash of two words: for decisions per row that need no state. */
uint64_t tct_mix(uint64_t a, uint64_t b);

#endif
