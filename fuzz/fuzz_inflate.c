/*
 * fuzz_inflate.c -- any bytes as a packed file.
 *
 * Whatever the bytes are, reading ends: with what was packed, or with a message.  Reading in small pieces gives the
 * same bytes and the same verdict as reading in large ones; where the data is damaged it may come nearer to that.  What
 * comes out is cut off after a megabyte: a few bytes may stand for very many.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base.h"

enum { MOST = 1 << 20, SMALL = 61 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void write_file(const uint8_t *data, size_t size, char *path, size_t room)
{
    static int fd = -1;

    if (fd < 0)
        fd = memfd_create("fuzz_inflate", 0);
    require(fd >= 0 && ftruncate(fd, 0) == 0 && pwrite(fd, data, size, 0) == (ssize_t)size);
    snprintf(path, room, "/proc/self/fd/%d", fd);
}

/* All of it, in pieces of `piece` bytes. */
static tacit_status read_all(const char *path, char *bytes, size_t piece, size_t *size)
{
    tct_source *source = NULL;
    tacit_error err = {0};
    tacit_status st = tct_source_open(&source, path, &err);
    size_t got = piece;

    *size = 0;
    while (!st && got == piece && *size + piece <= MOST) {
        st = tct_source_read(source, bytes + *size, piece, &got, &err);
        *size += got;
    }
    require(!st || (err.message[0] && st == TACIT_E_INPUT));
    tct_source_close(source);
    return st;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char small[MOST], large[MOST];
    size_t n_small, n_large;
    tacit_status st_small, st_large;
    char path[64];

    write_file(data, size, path, sizeof(path));
    st_small = read_all(path, small, SMALL, &n_small);
    st_large = read_all(path, large, MOST, &n_large);
    if (n_small + SMALL > MOST)
        return 0;
    require(st_small == st_large && (st_small || n_small == n_large));
    require(memcmp(small, large, n_small < n_large ? n_small : n_large) == 0);
    return 0;
}
