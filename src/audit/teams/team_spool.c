/*
 * team_spool.c -- rows written by several processes, put together in the order of the file.
 *
 * Member 0 writes its rows where they belong.  The others cannot wait until it is done, nor keep theirs in memory: they
 * write them to a file without a name, gone as soon as its process is, and hand it over at the end.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "team.h"

enum { PIECE = 1 << 16 };

struct tct_spool {
    int fd;
    uint64_t size;
};

/* A piece on its way: whether it could be read, and its bytes. */
typedef struct piece {
    bool good;
    char bytes[PIECE];
} piece;

static tacit_status fail_spool(tacit_error *err, const char *what)
{
    return tct_fail(err, TACIT_E_IO, "cannot %s a temporary file: %s", what, strerror(errno));
}

/* A nameless file in the folder of `path`; -1 where that does not work. */
static int open_beside(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? tct_strndup(path, slash == path ? 1 : (size_t)(slash - path)) : tct_strdup(".");
    int fd = folder ? open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600) : -1;

    tct_free(folder);
    return fd;
}

static int open_temporary(void)
{
    const char *folder = getenv("TMPDIR");
    tct_text name = {0};
    int fd = -1;

    tct_text_printf(&name, "%s/tacit-XXXXXX", folder && *folder ? folder : "/tmp");
    if (!name.failed) {
        fd = mkostemp(name.bytes, O_CLOEXEC);
        if (fd >= 0)
            unlink(name.bytes);
    }
    tct_text_free(&name);
    return fd;
}

tacit_status tct_spool_new(tct_spool **out, const char *path, tacit_error *err)
{
    tct_spool *spool = tct_calloc(1, sizeof *spool);

    *out = NULL;
    if (!spool)
        return tct_fail_memory(err);
    spool->fd = open_beside(path);
    if (spool->fd < 0)
        spool->fd = open_temporary();
    if (spool->fd < 0) {
        tct_free(spool);
        return fail_spool(err, "make");
    }
    *out = spool;
    return TACIT_OK;
}

tacit_status tct_spool_append(tct_spool *spool, const char *bytes, size_t size, tacit_error *err)
{
    while (size > 0) {
        ssize_t n = pwrite(spool->fd, bytes, size, (off_t)spool->size);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return fail_spool(err, "write");
        bytes += n;
        size -= (size_t)n;
        spool->size += (uint64_t)n;
    }
    return TACIT_OK;
}

void tct_spool_free(tct_spool *spool)
{
    if (!spool)
        return;
    close(spool->fd);
    tct_free(spool);
}

/* `size` bytes at `at`. */
static bool read_spool(const tct_spool *spool, uint64_t at, char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t n = pread(spool->fd, bytes, size, (off_t)at);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        bytes += n;
        at += (uint64_t)n;
        size -= (size_t)n;
    }
    return true;
}

/* All pieces up to the first that cannot be read. */
static tacit_status hand_over(const tacit_team *team, const tct_spool *spool, piece *p, tacit_status *status,
                              tacit_error *own, tacit_error *err)
{
    tacit_status st = TACIT_OK;

    for (uint64_t at = 0; at < spool->size && !st && !*status; at += PIECE) {
        memset(p, 0, sizeof *p);
        p->good = read_spool(spool, at, p->bytes, spool->size - at < PIECE ? (size_t)(spool->size - at) : PIECE);
        if (!p->good)
            *status = fail_spool(own, "read");
        st = team->send(team->context, p, sizeof *p, err);
    }
    return st;
}

static tacit_status take_over(const tacit_team *team, size_t from, uint64_t size, tct_file *file, piece *p,
                              tacit_status *status, tacit_error *own, tacit_error *err)
{
    for (uint64_t at = 0; at < size; at += PIECE) {
        tacit_status st = team->receive(team->context, from, p, sizeof *p, err);

        if (st)
            return st;
        if (!p->good)
            break; /* it says why when all agree */
        if (!*status)
            *status = tct_file_append(file, p->bytes, size - at < PIECE ? (size_t)(size - at) : PIECE, own);
    }
    return TACIT_OK;
}

tacit_status tct_team_unspool(const tacit_team *team, tct_spool *spool, tct_file *file, tacit_error *err)
{
    uint64_t size = spool ? spool->size : 0, *sizes = NULL;
    tacit_error own = {0};
    tacit_status st, status = TACIT_OK;
    piece *p;

    if (tct_team_size(team) == 1)
        return TACIT_OK;
    p = tct_calloc(1, sizeof *p);
    sizes = tct_calloc(team->size, sizeof *sizes);
    status = p && sizes ? TACIT_OK : tct_fail_memory(&own);
    st = tct_team_agree(team, status, &own);
    if (st)
        *err = own;
    else
        st = team->share(team->context, &size, sizeof size, sizes, err);
    if (!st && team->rank > 0)
        st = hand_over(team, spool, p, &status, &own, err);
    for (size_t r = 1; r < team->size && !st && team->rank == 0; r++)
        st = take_over(team, r, sizes[r], file, p, &status, &own, err);
    if (!st) {
        st = tct_team_agree(team, status, &own);
        if (st)
            *err = own;
    }
    tct_free_wiped(p, sizeof *p);
    tct_free(sizes);
    return st;
}
