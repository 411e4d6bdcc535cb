/*
 * fuzz_part.c -- any bytes as a part of an audit.
 *
 * What is accepted must be as good as counted: it is written down again and gives the same bytes when read and written
 * once more, it can be joined with itself (the counts double), and both give a report.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "partial.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static char *write_part(const tacit_audit *audit, size_t *size)
{
    tct_text text = {0};

    require(tct_partial_write(&text, audit, NULL, NULL) == TACIT_OK);
    *size = text.size;
    return text.bytes;
}

/* A report, if there is anybody to report about. */
static void report(tacit_audit *audit)
{
    tacit_error err = {0};
    char *json = NULL;
    tacit_status st = tct_audit_finish(audit, "part", &err);

    require(st == (audit->census->people ? TACIT_OK : TACIT_E_INPUT));
    if (!st) /* a group whose name is no text has no place in it */
        (void)tacit_audit_json(&json, audit, &err);
    tacit_text_free(json);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tacit_audit *first = NULL, *second = NULL;
    tacit_error err = {0};
    tacit_status st = tct_partial_read(&first, (const char *)data, size, "part", &err);
    char *one, *two;
    size_t one_size, two_size;
    uint64_t people;

    if (st) {
        require(!first && st == TACIT_E_INPUT && err.message[0] != '\0' && !strchr(err.message, '\n'));
        return 0;
    }
    one = write_part(first, &one_size);
    require(tct_partial_read(&second, one, one_size, "part", &err) == TACIT_OK);
    two = write_part(second, &two_size);
    require(one_size == two_size && memcmp(one, two, one_size) == 0);
    require(tct_partial_compare(first, "a", second, "b", &err) == TACIT_OK);
    people = first->census->people;
    require(tct_audit_absorb(first, second, &err) == TACIT_OK && first->census->people == 2 * people);
    report(first);
    report(second);
    tct_free(one);
    tct_free(two);
    tacit_audit_free(first);
    tacit_audit_free(second);
    return 0;
}
