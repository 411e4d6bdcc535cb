/*
 * same_files.c -- is a file named twice?
 *
 * The people of a file that is there twice would count twice, and every figure would be a little wrong.  A file is known
 * again by where it lies, whatever path leads there, and a copy of it by its bytes.  Files of different sizes are no copies,
 * and those of equal size are compared only up to where they begin to differ, so this costs next to nothing.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "audit_run.h"

enum { PIECE = 1 << 16 };

/* Have two files the same bytes?  Whatever cannot be read is told by whoever reads the people. */
static bool same_bytes(const char *a, const char *b)
{
    tct_reader *readers[2] = {NULL, NULL};
    char *bytes = tct_malloc(2, PIECE);
    size_t got[2] = {PIECE, PIECE};
    bool same = bytes && !tct_reader_open(&readers[0], a, NULL) && !tct_reader_open(&readers[1], b, NULL);

    while (same && got[0] == PIECE) {
        for (size_t i = 0; i < 2 && same; i++)
            same = !tct_reader_read(readers[i], bytes + i * PIECE, PIECE, &got[i], NULL);
        same = same && got[0] == got[1] && memcmp(bytes, bytes + PIECE, got[0]) == 0;
    }
    tct_reader_close(readers[0]);
    tct_reader_close(readers[1]);
    tct_free_wiped(bytes, bytes ? (size_t)2 * PIECE : 0);
    return same;
}

/* Where a file lies; nothing of what is not there, or is no ordinary file. */
static tct_stamp stamp_of(const char *path)
{
    struct stat info;
    bool ordinary = stat(path, &info) == 0 && S_ISREG(info.st_mode); /* opening a pipe would tell its writer */
    int fd = ordinary ? open(path, O_RDONLY | O_NOCTTY | O_CLOEXEC) : -1;
    tct_stamp stamp = {0};

    if (fd >= 0) {
        stamp = tct_stamp_take(fd);
        close(fd);
    }
    return stamp;
}

tacit_status tct_refuse_same_files(const char *const *paths, size_t n, tacit_error *err)
{
    tct_stamp *stamps = tct_calloc(n ? n : 1, sizeof(*stamps));
    tacit_status st = stamps ? TACIT_OK : tct_fail_memory(err);

    for (size_t i = 0; i < n && n > 1 && !st; i++) {
        stamps[i] = stamp_of(paths[i]);
        for (size_t k = 0; k < i && stamps[i].ordinary && !st; k++) {
            bool here = stamps[k].device == stamps[i].device && stamps[k].number == stamps[i].number;

            if (!stamps[k].ordinary || stamps[k].size != stamps[i].size)
                continue;
            if (here || same_bytes(paths[k], paths[i]))
                st = tct_fail_at(err, TACIT_E_INPUT, paths[i], 0, NULL, "%s %s: its people would count twice",
                                 here ? "is the same file as" : "has the same bytes as", paths[k]);
        }
    }
    tct_free(stamps);
    return st;
}
