/*
 * file.c -- whole files written or not at all, and bytes read in order.
 *
 * A file is written under a temporary name in the folder of the final one (a rename does not cross file systems),
 * synced, and renamed: whoever looks sees the old content or all of the new one.  The temporary file is opened with
 * O_EXCL rather than mkstemp, so that the kernel applies the umask; asking for the umask is not thread-safe.  A link is
 * followed, so that it is the file behind it that is replaced.  What cannot be renamed over (a terminal, a pipe,
 * /dev/full) is written directly.
 */
#include "base.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define WRITE_BUFFER ((size_t)1 << 16)
#define NAME_TRIES 64
#define E_DANGLING (-1) /* beside errno: a link to nothing */

struct tct_file {
    char *name;      /* for messages */
    char *target;    /* renamed to at the end; NULL when written directly */
    char *temporary; /* NULL when written directly */
    int fd;
    bool close_fd;
    size_t used;
    char buffer[WRITE_BUFFER];
};

struct tct_reader {
    char *name;
    int fd;
    bool close_fd;
    uint64_t size;
    tct_stamp stamp;    /* when it was opened */
    const char *memory; /* read from here instead, memory[at ... size) */
    size_t at;
};

struct tct_appender {
    char *name;
    int fd;
    bool broken;
};

static _Atomic uint64_t calls_until_failure;

/* For tests: is this the read or write that is to fail? */
static bool told_to_fail(void)
{
    uint64_t left = atomic_load_explicit(&calls_until_failure, memory_order_relaxed);

    while (left > 0)
        if (atomic_compare_exchange_weak(&calls_until_failure, &left, left - 1))
            return left == 1;
    return false;
}

static tacit_status fail_io(tacit_error *err, const char *verb, const char *name, int number)
{
    char room[128];
    const char *reason = number == EISDIR       ? "is a directory"
                         : number == E_DANGLING ? "it is a link to a file that does not exist"
                                                : strerror_r(number, room, sizeof(room));

    return tct_fail(err, TACIT_E_IO, "cannot %s %s: %s", verb, name, reason);
}

/* All of `size` bytes; 0 or an errno. */
static int write_all(int fd, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t n = told_to_fail() ? (errno = EIO, -1) : write(fd, bytes, size);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return errno;
        bytes += n;
        size -= (size_t)n;
    }
    return 0;
}

static int flush_buffer(tct_file *file)
{
    int number = write_all(file->fd, file->buffer, file->used);

    file->used = 0;
    return number;
}

/* A name in the folder of `target` that is not likely to be taken. */
static char *temporary_name(const char *target, uint64_t attempt)
{
    const char *slash = strrchr(target, '/');
    struct timespec now;
    tct_text name = {0};

    clock_gettime(CLOCK_REALTIME, &now);
    if (slash)
        tct_text_append(&name, target, (size_t)(slash - target) + 1);
    tct_text_printf(&name, ".tacit-%016llx.tmp",
                    (unsigned long long)tct_mix(((uint64_t)getpid() << 32) ^ (uint64_t)now.tv_sec,
                                                ((uint64_t)now.tv_nsec << 8) ^ attempt));
    if (name.failed)
        tct_text_free(&name);
    return name.bytes;
}

/* Open the temporary file; 0 or an errno. */
static int open_temporary(tct_file *file)
{
    for (uint64_t attempt = 0; attempt < NAME_TRIES; attempt++) {
        file->temporary = temporary_name(file->target, attempt);
        if (!file->temporary)
            return ENOMEM;
        file->fd = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file->fd >= 0)
            return 0;
        tct_free(file->temporary);
        file->temporary = NULL;
        if (errno != EEXIST)
            return errno;
    }
    return EEXIST;
}

/* Where the bytes for `path` go: 0 or an errno. */
static int open_target(tct_file *file, const char *path)
{
    struct stat info;
    char *real;
    int number;

    if (stat(path, &info) != 0) {
        if (errno != ENOENT)
            return errno;
        if (lstat(path, &info) == 0) /* a file in its place would not be where somebody meant it to be */
            return E_DANGLING;
        if (*path == '\0' || path[strlen(path) - 1] == '/')
            return *path ? EISDIR : ENOENT;
        file->target = tct_strdup(path);
        return file->target ? open_temporary(file) : ENOMEM;
    }
    if (S_ISDIR(info.st_mode))
        return EISDIR;
    if (!S_ISREG(info.st_mode)) {
        file->fd = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
        return file->fd < 0 ? errno : 0;
    }
    if (faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0)
        return errno;
    real = realpath(path, NULL);
    if (!real)
        return errno;
    file->target = tct_strdup(real);
    free(real);
    number = file->target ? open_temporary(file) : ENOMEM;
    if (number == 0 && fchmod(file->fd, info.st_mode & 0777) != 0) /* the new file is as open as the old one */
        number = errno;
    return number;
}

/* Flush, sync, rename and close; 0 or an errno.  What could not be finished is left for abandon.  It stays open as long as
 * its name is temporary: whoever ends the process finds by its open files what must be removed. */
static int finish_file(tct_file *file)
{
    int number = flush_buffer(file);

    if (number == 0 && file->temporary && fsync(file->fd) != 0)
        number = errno;
    if (number == 0 && file->temporary) {
        if (rename(file->temporary, file->target) != 0)
            return errno;
        tct_free(file->temporary);
        file->temporary = NULL;
    }
    if (number == 0 && file->close_fd) {
        int fd = file->fd;

        file->fd = -1;
        if (close(fd) != 0)
            number = errno;
    }
    return number;
}

/* Double the room for `used` bytes up to limit + 1, wiping the old copy. */
static char *grow_wiped(char *bytes, size_t used, size_t *room, size_t limit)
{
    size_t more = *room > limit / 2 ? limit + 1 : 2 * *room;
    char *larger = more < SIZE_MAX ? tct_malloc(more + 1, 1) : NULL;

    if (larger) {
        memcpy(larger, bytes, used);
        *room = more;
    }
    tct_free_wiped(bytes, used);
    return larger;
}

tacit_status tct_file_create(tct_file **out, const char *path, tacit_error *err)
{
    tct_file *file = tct_malloc(1, sizeof(*file));
    int number = 0;

    *out = NULL;
    if (!file)
        return tct_fail_memory(err);
    file->name = tct_strdup(strcmp(path, "-") == 0 ? "standard output" : path);
    file->target = file->temporary = NULL;
    file->fd = -1;
    file->close_fd = true;
    file->used = 0;
    if (!file->name) {
        number = ENOMEM;
    } else if (strcmp(path, "-") == 0) {
        fflush(stdout); /* what the program has said before comes first */
        file->fd = STDOUT_FILENO;
        file->close_fd = false;
    } else {
        number = open_target(file, path);
    }
    if (number) {
        tct_file_abandon(file);
        return number == ENOMEM ? tct_fail_memory(err) : fail_io(err, "write", path, number);
    }
    *out = file;
    return TACIT_OK;
}

tacit_status tct_file_append(tct_file *file, const void *bytes, size_t size, tacit_error *err)
{
    int number = 0;

    if (size > WRITE_BUFFER - file->used)
        number = flush_buffer(file);
    if (number == 0 && size >= WRITE_BUFFER) {
        number = write_all(file->fd, bytes, size);
    } else if (number == 0 && size > 0) {
        memcpy(file->buffer + file->used, bytes, size);
        file->used += size;
    }
    return number ? fail_io(err, "write", file->name, number) : TACIT_OK;
}

tacit_status tct_file_commit(tct_file *file, tacit_error *err)
{
    int number = finish_file(file);
    tacit_status st = number ? fail_io(err, "write", file->name, number) : TACIT_OK;

    tct_file_abandon(file);
    return st;
}

void tct_file_abandon(tct_file *file)
{
    if (!file)
        return;
    if (file->temporary) /* open until it is gone, see finish_file */
        unlink(file->temporary);
    if (file->close_fd && file->fd >= 0)
        close(file->fd);
    tct_free(file->temporary);
    tct_free(file->target);
    tct_free(file->name);
    tct_free_wiped(file, sizeof(*file));
}

const char *tct_file_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

tacit_status tct_file_read(char **out, size_t *size, const char *path, size_t limit, tacit_error *err)
{
    tct_reader *reader = NULL;
    char *bytes = NULL;
    size_t room, used = 0, got = 0;
    tacit_status st;

    *out = NULL;
    *size = 0;
    limit = limit < PTRDIFF_MAX ? limit : PTRDIFF_MAX;
    st = tct_reader_open(&reader, path, err);
    if (st)
        return st;
    /* One byte more than the file should have tells that it has ended. */
    room = reader->size && reader->size < limit ? (size_t)reader->size + 1 : limit < 4096 ? limit + 1 : 4096;
    bytes = tct_malloc(room + 1, 1);
    while (bytes) {
        st = tct_reader_read(reader, bytes + used, room - used, &got, err);
        used += got;
        if (st || used < room || used > limit)
            break;
        bytes = grow_wiped(bytes, used, &room, limit);
    }
    if (!bytes)
        st = tct_fail_memory(err);
    else if (!st && used > limit)
        st = tct_fail_at(err, TACIT_E_INPUT, reader->name, 0, NULL, "larger than the %zu bytes allowed", limit);
    if (st) {
        tct_free_wiped(bytes, used);
    } else {
        bytes[used] = '\0';
        *out = bytes;
        *size = used;
    }
    tct_reader_close(reader);
    return st;
}

tct_stamp tct_stamp_take(int fd)
{
    tct_stamp stamp = {0};
    struct stat info;

    if (fstat(fd, &info) != 0)
        return stamp;
    stamp.ordinary = S_ISREG(info.st_mode);
    stamp.device = (uint64_t)info.st_dev;
    stamp.number = (uint64_t)info.st_ino;
    stamp.size = (uint64_t)info.st_size;
    stamp.seconds = (int64_t)info.st_mtim.tv_sec;
    stamp.nanoseconds = (int64_t)info.st_mtim.tv_nsec;
    return stamp;
}

tacit_status tct_stamp_compare(const tct_stamp *before, const tct_stamp *now, const char *name, tacit_error *err)
{
    if (!before->ordinary ||
        (before->device == now->device && before->number == now->number && before->size == now->size &&
         before->seconds == now->seconds && before->nanoseconds == now->nanoseconds))
        return TACIT_OK;
    return tct_fail_at(err, TACIT_E_INPUT, name, 0, NULL, "the file changed while it was read");
}

tacit_status tct_reader_open(tct_reader **out, const char *path, tacit_error *err)
{
    tct_reader *reader = tct_calloc(1, sizeof(*reader));
    bool standard = strcmp(path, "-") == 0;
    struct stat info;
    int number = 0;

    *out = NULL;
    if (!reader)
        return tct_fail_memory(err);
    reader->name = tct_strdup(standard ? "standard input" : path);
    reader->close_fd = !standard;
    reader->fd = !reader->name ? -1 : standard ? STDIN_FILENO : open(path, O_RDONLY | O_NOCTTY | O_CLOEXEC);
    if (!reader->name) {
        tct_reader_close(reader);
        return tct_fail_memory(err);
    }
    if (reader->fd < 0 || fstat(reader->fd, &info) != 0)
        number = errno;
    else if (S_ISDIR(info.st_mode))
        number = EISDIR;
    if (number) {
        tacit_status st = fail_io(err, "read", reader->name, number);

        tct_reader_close(reader);
        return st;
    }
    reader->stamp = tct_stamp_take(reader->fd);
    if (S_ISREG(info.st_mode)) {
        reader->size = (uint64_t)info.st_size;
        posix_fadvise(reader->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    }
    *out = reader;
    return TACIT_OK;
}

tacit_status tct_reader_parse(tct_reader **out, const char *name, const void *bytes, size_t size, tacit_error *err)
{
    tct_reader *reader = tct_calloc(1, sizeof(*reader));

    *out = NULL;
    if (!reader)
        return tct_fail_memory(err);
    reader->fd = -1;
    reader->memory = bytes ? bytes : "";
    reader->size = size;
    reader->name = tct_strdup(name);
    if (!reader->name) {
        tct_reader_close(reader);
        return tct_fail_memory(err);
    }
    *out = reader;
    return TACIT_OK;
}

tacit_status tct_reader_read(tct_reader *reader, void *bytes, size_t room, size_t *got, tacit_error *err)
{
    *got = 0;
    if (reader->memory) {
        *got = reader->size - reader->at < room ? (size_t)reader->size - reader->at : room;
        if (*got > 0)
            memcpy(bytes, reader->memory + reader->at, *got);
        reader->at += *got;
        return TACIT_OK;
    }
    while (*got < room) {
        ssize_t n = told_to_fail() ? (errno = EIO, -1) : read(reader->fd, (char *)bytes + *got, room - *got);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return fail_io(err, "read", reader->name, errno);
        if (n == 0) {
            tct_stamp now = tct_stamp_take(reader->fd);

            return tct_stamp_compare(&reader->stamp, &now, reader->name, err);
        }
        *got += (size_t)n;
    }
    return TACIT_OK;
}

uint64_t tct_reader_size(const tct_reader *reader)
{
    return reader->size;
}

const tct_stamp *tct_reader_stamp(const tct_reader *reader)
{
    return &reader->stamp;
}

void tct_reader_close(tct_reader *reader)
{
    if (!reader)
        return;
    if (reader->close_fd && reader->fd >= 0)
        close(reader->fd);
    tct_free(reader->name);
    tct_free(reader);
}

tacit_status tct_appender_open(tct_appender **out, const char *path, bool fresh, tacit_error *err)
{
    tct_appender *appender = tct_calloc(1, sizeof(*appender));
    struct stat info;
    tacit_status st = TACIT_OK;

    *out = NULL;
    if (!appender)
        return tct_fail_memory(err);
    appender->fd = -1;
    appender->name = tct_strdup(path);
    if (!appender->name) {
        tct_appender_close(appender);
        return tct_fail_memory(err);
    }
    appender->fd = open(path, O_WRONLY | O_APPEND | O_NOCTTY | O_CLOEXEC | (fresh ? O_CREAT | O_EXCL : 0), 0666);
    if (appender->fd < 0 || fstat(appender->fd, &info) != 0)
        st = fail_io(err, "write", path, errno);
    else if (!S_ISREG(info.st_mode))
        st = tct_fail(err, TACIT_E_IO, "cannot write %s: it is no ordinary file", path);
    else if (flock(appender->fd, LOCK_EX | LOCK_NB) != 0)
        st = errno == EWOULDBLOCK ? tct_fail(err, TACIT_E_IO, "cannot write %s: another program is writing it", path)
                                  : fail_io(err, "lock", path, errno);
    if (st)
        tct_appender_close(appender);
    else
        *out = appender;
    return st;
}

tacit_status tct_appender_cut(tct_appender *appender, uint64_t size, tacit_error *err)
{
    int number = told_to_fail() ? EIO : ftruncate(appender->fd, (off_t)size) != 0 ? errno : 0;

    return number ? fail_io(err, "cut", appender->name, number) : TACIT_OK;
}

tacit_status tct_appender_add(tct_appender *appender, const char *bytes, size_t size, tacit_error *err)
{
    int number = appender->broken ? EIO : write_all(appender->fd, bytes, size);

    if (number == 0 && fsync(appender->fd) != 0)
        number = errno;
    appender->broken = number != 0;
    return number ? fail_io(err, "write", appender->name, number) : TACIT_OK;
}

void tct_appender_close(tct_appender *appender)
{
    if (!appender)
        return;
    if (appender->fd >= 0)
        close(appender->fd);
    tct_free(appender->name);
    tct_free(appender);
}

void tct_io_fail_at(uint64_t nth)
{
    atomic_store(&calls_until_failure, nth);
}

tacit_status tacit_file_write(const char *path, const char *bytes, size_t size, tacit_error *err)
{
    tct_file *file = NULL;
    tacit_status st = tct_file_create(&file, path, err);

    if (st)
        return st;
    st = tct_file_append(file, bytes, size, err);
    if (st) {
        tct_file_abandon(file);
        return st;
    }
    return tct_file_commit(file, err);
}
