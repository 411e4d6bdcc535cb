/*
 * fuzz_journal.c -- any bytes as the journal of an experiment.
 *
 * The checksums would stop almost everything at the door, so the bytes are read twice: as they are, and once more with
 * the head that belongs to the experiment and a checksum on every line.  What is accepted must be as good as counted:
 * it is written down again, read back, and gives the same tables and the same summary.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "make_experiment.h"

enum { REPS = 2, TAIL = 74 }; /* of a line: ,"sum":"<64 hex digits>"} */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

/* Bytes as a file that can be opened by name. */
static const char *write_file(const char *bytes, size_t size)
{
    static char path[64];
    static int fd = -1;

    if (fd < 0)
        fd = memfd_create("fuzz_journal", 0);
    require(fd >= 0 && ftruncate(fd, 0) == 0 && pwrite(fd, bytes, size, 0) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return path;
}

/* The table and the summary of what was read, the rest made up. */
static char *report(tacit_experiment *e)
{
    char *csv = NULL, *json = NULL;
    tct_text text = {0};

    for (size_t k = 0; k < 2; k++)
        for (size_t r = 0; r < REPS; r++)
            if (!tct_experiment_trial(e, k, r)->done)
                fill_trial(e, k, r);
    require(tacit_experiment_csv(&csv, e, NULL) == TACIT_OK && tacit_experiment_json(&json, e, NULL) == TACIT_OK);
    tct_text_printf(&text, "%s%s", csv, json);
    require(!text.failed);
    tacit_text_free(csv);
    tacit_text_free(json);
    return text.bytes;
}

/* Write all that was read into an empty journal and read that. */
static void check_round_trip(tacit_experiment *e)
{
    tacit_experiment *again = make_experiment(REPS);
    const char *path = write_file("", 0);
    tct_journal *journal = NULL;
    char *first, *second;

    require(tct_journal_open(&journal, path, true, again, NULL) == TACIT_OK);
    for (size_t i = 0; i < 2 * (size_t)REPS; i++)
        require(!e->trials[i].done || tct_journal_add(journal, e, &e->trials[i], NULL) == TACIT_OK);
    tct_journal_close(journal);
    require(tct_journal_open(&journal, path, true, again, NULL) == TACIT_OK);
    tct_journal_close(journal);
    for (size_t i = 0; i < 2 * (size_t)REPS; i++)
        require(e->trials[i].done == again->trials[i].done);
    first = report(e);
    second = report(again);
    require(strcmp(first, second) == 0);
    tct_free(first);
    tct_free(second);
    tacit_experiment_free(again);
}

static void check_journal(const char *bytes, size_t size)
{
    tacit_experiment *e = make_experiment(REPS);
    tct_journal *journal = NULL;
    tacit_error err = {0};
    tacit_status st = tct_journal_open(&journal, write_file(bytes, size), true, e, &err);

    require(st == TACIT_OK ||
            (!journal && st == TACIT_E_INPUT && err.message[0] != '\0' && !strchr(err.message, '\n')));
    tct_journal_close(journal);
    if (!st)
        check_round_trip(e);
    tacit_experiment_free(e);
}

static void seal(tct_text *out, const char *first, const char *line, size_t size)
{
    tct_hash *hash = NULL;
    char sum[65];

    require(tct_hash_new(&hash, NULL) == TACIT_OK);
    tct_hash_add(hash, first, strlen(first));
    tct_hash_add(hash, line, size);
    tct_hash_finish(hash, sum);
    tct_text_append(out, line, size);
    tct_text_printf(out, ",\"sum\":\"%s\"}\n", sum);
}

/* The same lines behind the head they should have, with the checksums they should have. */
static void put_right(tct_text *out, const char *bytes, size_t size)
{
    tacit_experiment *e = make_experiment(REPS);
    tct_journal *journal = NULL;
    char *head = NULL, first[65];
    const char *path = write_file("", 0), *line = memchr(bytes, '\n', size), *end = bytes + size;
    size_t head_size;

    require(tct_journal_open(&journal, path, true, e, NULL) == TACIT_OK);
    tct_journal_close(journal);
    tacit_experiment_free(e);
    require(tct_file_read(&head, &head_size, path, 1 << 20, NULL) == TACIT_OK && head_size > TAIL + 1);
    tct_text_append(out, head, head_size);
    snprintf(first, sizeof first, "%.64s", head + head_size - 1 - 2 - 64);
    tct_free(head);
    while (line && ++line < end) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        size_t length = (size_t)((stop ? stop : end) - line);

        if (length > TAIL && memcmp(line + length - TAIL, ",\"sum\":\"", 8) == 0)
            length -= TAIL;
        seal(out, first, line, length);
        line = stop;
    }
    require(!out->failed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tct_text right = {0};

    check_journal((const char *)data, size);
    if (size > 0)
        put_right(&right, (const char *)data, size);
    check_journal(right.bytes ? right.bytes : "", right.size);
    tct_text_free(&right);
    return 0;
}
