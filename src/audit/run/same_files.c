/*
 * same_files.c -- is a file named twice?
 *
 * The people of a file that is there twice would count twice, and every figure would be a little wrong.  A file is known
 * again by where it lies, whatever path leads there, and a copy of it by its bytes, packed or not.  Files that begin
 * differently are no copies, and how each begins is looked at once, so this costs next to nothing.
 *
 * A file that cannot be read is none that was seen before: whoever reads the people tells what is wrong with it.
 *
 * What comes by a pipe can be read once.  Where one is among several files, all are hashed as they are read, and the second
 * of two with the same bytes is an error.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "audit_run.h"

enum { PIECE = 1 << 16 };

/* A file: where it lies, and a hash of how it begins; "": it is no ordinary file, or cannot be read. */
typedef struct named {
    tct_stamp stamp;
    char start[65];
} named;

/* Have two files the same bytes?  `bytes` has room for two pieces. */
static bool same_bytes(const char *a, const char *b, char *bytes)
{
    tct_source *sources[2] = {NULL, NULL};
    size_t got[2] = {PIECE, PIECE};
    bool same = !tct_source_open(&sources[0], a, NULL) && !tct_source_open(&sources[1], b, NULL);

    while (same && got[0] == PIECE) {
        for (size_t i = 0; i < 2 && same; i++)
            same = !tct_source_read(sources[i], bytes + i * PIECE, PIECE, &got[i], NULL);
        same = same && got[0] == got[1] && memcmp(bytes, bytes + PIECE, got[0]) == 0;
    }
    tct_source_close(sources[0]);
    tct_source_close(sources[1]);
    return same;
}

/* `bytes` has room for a piece. */
static named look_at(const char *path, char *bytes)
{
    struct stat info;
    bool ordinary = stat(path, &info) == 0 && S_ISREG(info.st_mode); /* opening a pipe would tell its writer */
    int fd = ordinary ? open(path, O_RDONLY | O_NOCTTY | O_CLOEXEC) : -1;
    named file = {0};
    tct_source *source = NULL;
    size_t got = 0;

    if (fd < 0)
        return file;
    file.stamp = tct_stamp_take(fd);
    close(fd);
    if (tct_source_open(&source, path, NULL) || tct_source_read(source, bytes, PIECE, &got, NULL) ||
        tct_hash_text(file.start, bytes, got, NULL))
        file.start[0] = '\0';
    tct_source_close(source);
    return file;
}

/* Does a path lead to something that is no ordinary file? */
static bool any_pipe(const char *const *paths, size_t n)
{
    struct stat info;

    for (size_t i = 0; i < n; i++)
        if (stat(paths[i], &info) == 0 && !S_ISREG(info.st_mode))
            return true;
    return false;
}

tacit_status tct_refuse_seen(tct_run *run, const char *path, const char *hash, tacit_error *err)
{
    for (size_t i = 0; run->seen && i < run->n_seen; i++)
        if (strcmp(run->seen[i].hash, hash) == 0)
            return tct_fail_at(err, TACIT_E_INPUT, path, 0, NULL,
                               "has the same bytes as %s: its people would count twice", run->seen[i].path);
    if (run->seen) {
        run->seen[run->n_seen].path = path;
        memcpy(run->seen[run->n_seen++].hash, hash, sizeof run->seen->hash);
    }
    return TACIT_OK;
}

tacit_status tct_refuse_same_files(const char *const *paths, size_t n, tct_seen **room, tacit_error *err)
{
    named *files = tct_calloc(n ? n : 1, sizeof *files);
    char *bytes = tct_malloc(2, PIECE);
    tacit_status st = files && bytes ? TACIT_OK : tct_fail_memory(err);

    *room = NULL;
    for (size_t i = 0; i < n && n > 1 && !st; i++) {
        files[i] = look_at(paths[i], bytes);
        for (size_t k = 0; k < i && files[i].start[0] && !st; k++) {
            bool here =
                files[k].stamp.device == files[i].stamp.device && files[k].stamp.number == files[i].stamp.number;

            if (strcmp(files[k].start, files[i].start) != 0)
                continue;
            if (here || same_bytes(paths[k], paths[i], bytes))
                st = tct_fail_at(err, TACIT_E_INPUT, paths[i], 0, NULL, "%s %s: its people would count twice",
                                 here ? "is the same file as" : "has the same bytes as", paths[k]);
        }
    }
    if (!st && n > 1 && any_pipe(paths, n)) {
        *room = tct_calloc(n, sizeof **room);
        st = *room ? TACIT_OK : tct_fail_memory(err);
    }
    tct_free_wiped(files, files ? n * sizeof *files : 0);
    tct_free_wiped(bytes, bytes ? (size_t)2 * PIECE : 0);
    return st;
}
