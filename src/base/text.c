/*
 * text.c -- growing text, lists of names, and the spelling of names.
 */
#include "base.h"

#include <ctype.h>
#include <string.h>

/* Longer names get no suggestion; it bounds the memory of the distance. */
#define SUGGEST_MAX 128
/* Most texts fit: they are not written twice. */
#define FIRST_ROOM 64

static bool make_room(tct_text *text, size_t more)
{
    size_t needed = text->size + more + 1;
    char *bytes = NULL;

    if (!text->failed && text->bytes && more < text->room - text->size)
        return true;
    if (!text->failed && more < PTRDIFF_MAX && text->size < PTRDIFF_MAX)
        bytes = tct_grow(text->bytes, &text->room, needed > FIRST_ROOM ? needed : FIRST_ROOM, 1);
    text->failed = !bytes;
    text->bytes = bytes ? bytes : text->bytes;
    return bytes;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static bool same_letter(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Edits (insert, delete, replace, swap two neighbours) that turn a into b, upper and lower case alike.  Both at most
 * SUGGEST_MAX long.  Three rows of the usual table. */
static size_t edit_distance(const char *a, size_t size_a, const char *b, size_t size_b)
{
    size_t rows[3][SUGGEST_MAX + 1];
    size_t *before = rows[0], *last = rows[1], *row = rows[2];

    for (size_t j = 0; j <= size_b; j++)
        last[j] = before[j] = j;
    for (size_t i = 1; i <= size_a; i++) {
        size_t *spare = before;

        row[0] = i;
        for (size_t j = 1; j <= size_b; j++) {
            row[j] = last[j - 1] + !same_letter(a[i - 1], b[j - 1]);
            row[j] = smaller(row[j], 1 + smaller(last[j], row[j - 1]));
            if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1]))
                row[j] = smaller(row[j], before[j - 2] + 1);
        }
        before = last;
        last = row;
        row = spare;
    }
    return last[size_b];
}

void tct_text_append(tct_text *text, const char *bytes, size_t size)
{
    if (!make_room(text, size))
        return;
    if (size > 0)
        memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
    text->bytes[text->size] = '\0';
}

void tct_text_printf(tct_text *text, const char *format, ...)
{
    va_list arguments;
    int size;

    if (!make_room(text, 0))
        return;
    va_start(arguments, format);
    size = vsnprintf(text->bytes + text->size, text->room - text->size, format, arguments);
    va_end(arguments);
    if (size < 0) {
        text->bytes[text->size] = '\0';
        text->failed = true;
        return;
    }
    if ((size_t)size >= text->room - text->size) {
        text->bytes[text->size] = '\0';
        if (!make_room(text, (size_t)size))
            return;
        va_start(arguments, format);
        vsnprintf(text->bytes + text->size, text->room - text->size, format, arguments);
        va_end(arguments);
    }
    text->size += (size_t)size;
}

void tct_text_free(tct_text *text)
{
    if (!text)
        return;
    tct_free_wiped(text->bytes, text->room);
    memset(text, 0, sizeof(*text));
}

size_t tct_quoted_size(const char *text)
{
    size_t at = 1;

    if (text[0] != '"')
        return 0;
    for (;; at++) {
        if (text[at] == '\0')
            return 0;
        if (text[at] == '"' && text[++at] != '"')
            return at;
    }
}

char *tct_unquoted(const char *text, size_t size)
{
    char *out = tct_malloc(size + 1, 1);
    size_t n = 0;

    if (!out)
        return NULL;
    for (size_t i = 1; i + 1 < size; i++) {
        out[n++] = text[i];
        i += text[i] == '"'; /* the second of two */
    }
    out[n] = '\0';
    return out;
}

bool tct_needs_quotes(const char *name)
{
    size_t size = strlen(name);

    return size == 0 || strpbrk(name, ",=\"") || is_blank(name[0]) || is_blank(name[size - 1]);
}

void tct_text_quote(tct_text *text, const char *name)
{
    tct_text_append(text, "\"", 1);
    for (const char *c = name; *c; c++)
        tct_text_append(text, *c == '"' ? "\"\"" : c, *c == '"' ? 2 : 1);
    tct_text_append(text, "\"", 1);
}

/* The name at `*at`, which is moved to the comma behind it or to the end. */
static tacit_status take_name(const char **at, const char *list, char **name, tacit_error *err)
{
    const char *start = *at + strspn(*at, " \t\r\n"), *end;
    size_t quoted = tct_quoted_size(start);

    if (*start == '"') {
        *at = start + quoted;
        *at += strspn(*at, " \t\r\n");
        if (quoted == 0 || (**at && **at != ','))
            return tct_fail(err, TACIT_E_USAGE, "a quote that is not closed before the next comma in the list %s",
                            list);
        end = start + quoted;
    } else {
        *at = end = start + strcspn(start, ",");
        while (end > start && is_blank(end[-1]))
            end--;
    }
    if (end == start || quoted == 2)
        return tct_fail(err, TACIT_E_USAGE, "an empty name in the list \"%s\"", list);
    *name = quoted ? tct_unquoted(start, quoted) : tct_strndup(start, (size_t)(end - start));
    return *name ? TACIT_OK : tct_fail_memory(err);
}

tacit_status tct_names_split(tct_names *out, const char *list, tacit_error *err)
{
    size_t room = 1;
    tacit_status st;

    memset(out, 0, sizeof(*out));
    if (!list || list[strspn(list, " \t\r\n")] == '\0')
        return TACIT_OK;
    for (const char *c = list; *c; c++)
        room += *c == ',';
    out->items = tct_calloc(room, sizeof(*out->items));
    if (!out->items)
        return tct_fail_memory(err);
    for (const char *at = list;; at++) {
        st = take_name(&at, list, &out->items[out->count], err);
        if (st) {
            tct_names_free(out);
            return st;
        }
        out->count++;
        if (!*at)
            return TACIT_OK;
    }
}

void tct_names_free(tct_names *names)
{
    if (!names)
        return;
    for (size_t i = 0; i < names->count; i++)
        tct_free(names->items[i]);
    tct_free(names->items);
    memset(names, 0, sizeof(*names));
}

void tacit_text_free(char *text)
{
    tct_free(text);
}

const char *tacit_suggest(const char *word, const char *const *words, size_t n_words)
{
    size_t size = strlen(word);
    size_t close = size / 3 > 1 ? size / 3 : 1;
    const char *best = NULL;

    if (size > SUGGEST_MAX)
        return NULL;
    for (size_t i = 0; i < n_words; i++) {
        size_t other = words[i] ? strlen(words[i]) : SIZE_MAX;
        size_t distance;

        if (other > SUGGEST_MAX)
            continue;
        distance = edit_distance(word, size, words[i], other);
        /* A word with nothing in common is not close, however short. */
        if (distance > close || distance >= (size > other ? size : other))
            continue;
        if (!best || distance < close) {
            best = words[i];
            close = distance;
        }
    }
    return best;
}
