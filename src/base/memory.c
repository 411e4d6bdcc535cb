/*
 * memory.c -- the one seam through which all memory comes.
 *
 * Sizes are count times size, and the product is checked.  For tests, the nth allocation can be made to fail.  The
 * hook sleeps until tct_memory_fail_at is first called: until then an allocation pays for one relaxed load of a word
 * that nobody writes.
 */
#include "base.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static atomic_bool hook_awake;
static atomic_bool fail_forever;
static _Atomic uint64_t fail_nth;
static _Atomic uint64_t asked;

/* Count this allocation; true when a test wants it to fail. */
static bool told_to_fail(void)
{
    uint64_t number, nth;

    if (!atomic_load_explicit(&hook_awake, memory_order_relaxed))
        return false;
    number = atomic_fetch_add(&asked, 1) + 1;
    nth = atomic_load(&fail_nth);
    return nth != 0 && (number == nth || (number > nth && atomic_load(&fail_forever)));
}

/* The product of count and size, at least 1; false when it does not fit. */
static bool total_size(size_t count, size_t size, size_t *total)
{
    if (__builtin_mul_overflow(count, size, total) || *total > PTRDIFF_MAX)
        return false;
    if (*total == 0)
        *total = 1;
    return true;
}

void *tct_malloc(size_t count, size_t size)
{
    size_t total;

    if (told_to_fail() || !total_size(count, size, &total))
        return NULL;
    return malloc(total);
}

void *tct_calloc(size_t count, size_t size)
{
    size_t total;

    if (told_to_fail() || !total_size(count, size, &total))
        return NULL;
    return calloc(1, total);
}

void *tct_realloc(void *block, size_t count, size_t size)
{
    size_t total;

    if (told_to_fail() || !total_size(count, size, &total))
        return NULL;
    return realloc(block, total);
}

void tct_free(void *block)
{
    free(block);
}

void tct_wipe(void *block, size_t size)
{
    if (size > 0)
        explicit_bzero(block, size);
}

void tct_free_wiped(void *block, size_t size)
{
    if (!block)
        return;
    tct_wipe(block, size);
    free(block);
}

void *tct_grow(void *list, size_t *room, size_t needed, size_t size)
{
    size_t twice = 2 * *room + 16, more = needed > twice ? needed : twice;
    void *longer;

    if (list && needed <= *room)
        return list;
    longer = tct_malloc(more, size);
    if (!longer)
        return NULL;
    if (list)
        memcpy(longer, list, *room * size);
    tct_free_wiped(list, *room * size);
    *room = more;
    return longer;
}

char *tct_strdup(const char *text)
{
    return tct_strndup(text, strlen(text));
}

char *tct_strndup(const char *text, size_t size)
{
    size_t length = strnlen(text, size);
    char *copy = length < SIZE_MAX ? tct_malloc(length + 1, 1) : NULL;

    if (!copy)
        return NULL;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

void tct_memory_fail_at(uint64_t nth, bool forever)
{
    atomic_store(&fail_nth, 0);
    atomic_store(&asked, 0);
    atomic_store(&fail_forever, forever);
    atomic_store(&fail_nth, nth);
    atomic_store(&hook_awake, true);
}

uint64_t tct_memory_count(void)
{
    return atomic_load(&asked);
}
