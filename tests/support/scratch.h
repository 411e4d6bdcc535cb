/*
 * scratch.h -- temporary files for tests: text in, path out, gone when the program ends.
 */
#ifndef TEST_SCRATCH_H
#define TEST_SCRATCH_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SCRATCH_FILES = 16, SCRATCH_PATH = 512 };

static char scratch_paths[SCRATCH_FILES][SCRATCH_PATH];
static size_t scratch_used;

static inline void scratch_remove(void)
{
    for (size_t i = 0; i < SCRATCH_FILES; i++)
        if (scratch_paths[i][0])
            unlink(scratch_paths[i]);
}

/* A file with these bytes; its path stays valid for the next 15 calls. */
static inline const char *scratch_bytes(const void *bytes, size_t size)
{
    const char *folder = getenv("TMPDIR");
    char *path = scratch_paths[scratch_used % SCRATCH_FILES];
    int fd;

    if (scratch_used == 0)
        atexit(scratch_remove);
    if (path[0])
        unlink(path);
    scratch_used++;
    snprintf(path, SCRATCH_PATH, "%s/tacit-test-XXXXXX", folder && folder[0] ? folder : "/tmp");
    fd = mkstemp(path);
    if (fd < 0 || write(fd, bytes, size) != (ssize_t)size || close(fd) != 0) {
        perror("scratch.h");
        abort();
    }
    return path;
}

static inline const char *scratch_text(const char *text)
{
    return scratch_bytes(text, strlen(text));
}

/* What an error message says behind the path of the file, or the message itself. */
static inline const char *scratch_message(const char *message, const char *path)
{
    size_t size = strlen(path);

    return strncmp(message, path, size) == 0 && strncmp(message + size, ": ", 2) == 0 ? message + size + 2 : message;
}

#endif
