/*
 * html.c -- a page in the making.
 *
 * Everything that comes from data goes through tct_escaped, which leaves nothing that HTML would read as markup, inside an
 * attribute neither; bytes that are not UTF-8 become U+FFFD.  Sentences come from the tables of words and are trusted;
 * their arguments are not.
 */
#include "html.h"

#include <math.h>
#include <string.h>

enum { CHUNK = 16384, MOST_LINE = 4096 };

struct tct_html_chunk {
    tct_html_chunk *next;
    size_t used, room;
    char bytes[];
};

tacit_status tct_html_begin(tct_html *h, const char *lang, tacit_error *err)
{
    *h = (tct_html){.words = tct_words_en};
    if (lang && strcmp(lang, "de") == 0) {
        h->words = tct_words_de;
        h->german = true;
    } else if (lang && strcmp(lang, "en") != 0) {
        return tct_fail(err, TACIT_E_USAGE, "there is no report in the language '%s': en or de", lang);
    }
    return TACIT_OK;
}

tacit_status tct_html_end(tct_html *h, char **out, tacit_error *err)
{
    bool failed = h->text.failed || !h->text.bytes;

    *out = NULL;
    for (tct_html_chunk *c = h->chunks, *next; c; c = next) {
        next = c->next;
        tct_free(c);
    }
    h->chunks = NULL;
    if (failed) {
        tct_text_free(&h->text);
        return tct_fail_memory(err);
    }
    *out = h->text.bytes;
    h->text = (tct_text){0};
    return TACIT_OK;
}

const char *tct_html_lang(const tct_html *h)
{
    return h->german ? "de" : "en";
}

void tct_raw(tct_html *h, const char *markup)
{
    tct_text_append(&h->text, markup, strlen(markup));
}

void tct_rawf(tct_html *h, const char *format, ...)
{
    char line[512];
    va_list args;
    int size;

    va_start(args, format);
    size = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (size < 0 || (size_t)size >= sizeof line)
        h->text.failed = true; /* our own formats are short */
    else
        tct_text_append(&h->text, line, (size_t)size);
}

/* Bytes of the UTF-8 character at p, 0 if there is none. */
static size_t character(const unsigned char *p)
{
    size_t n = *p < 0x80                 ? 1
               : *p >= 0xc2 && *p < 0xe0 ? 2
               : *p >= 0xe0 && *p < 0xf0 ? 3
               : *p >= 0xf0 && *p < 0xf5 ? 4
                                         : 0;

    for (size_t i = 1; i < n; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    return n;
}

static const char *entity(unsigned char c)
{
    switch (c) {
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '&':
        return "&amp;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return c < 0x20 && c != '\n' && c != '\t' ? "\xef\xbf\xbd" : NULL;
    }
}

static void append_escaped(tct_text *text, const char *s)
{
    const unsigned char *p = (const unsigned char *)s, *start = p;

    while (*p) {
        size_t n = character(p);
        const char *instead = n ? (n == 1 ? entity(*p) : NULL) : "\xef\xbf\xbd";

        if (instead) {
            tct_text_append(text, (const char *)start, (size_t)(p - start));
            tct_text_append(text, instead, strlen(instead));
            start = p + 1;
        }
        p += n && !instead ? n : 1;
    }
    tct_text_append(text, (const char *)start, (size_t)(p - start));
}

void tct_escaped(tct_html *h, const char *text)
{
    append_escaped(&h->text, text);
}

void tct_escaped_json(tct_html *h, const char *json)
{
    const char *start = json;

    for (const char *p = json; *p; p++)
        if (*p == '<') {
            tct_text_append(&h->text, start, (size_t)(p - start));
            tct_raw(h, "\\u003c");
            start = p + 1;
        }
    tct_raw(h, start);
}

void tct_coord(tct_html *h, double x)
{
    long long hundredths = isfinite(x) && fabs(x) < 1e12 ? llround(100 * x) : 0;
    long long whole = hundredths < 0 ? -hundredths : hundredths;

    tct_rawf(h, "%s%lld", hundredths < 0 ? "-" : "", whole / 100);
    if (whole % 100)
        tct_rawf(h, whole % 10 ? ".%02lld" : ".%01lld", whole % 10 ? whole % 100 : whole % 100 / 10);
}

/* ---- sentences ---- */

/* The half of a text that is for the number n: [*end, end of half). */
static const char *half_of(const char *text, double n, const char **end)
{
    const char *bar = strchr(text, '|');

    if (!bar) {
        *end = text + strlen(text);
        return text;
    }
    *end = n == 1 ? bar : bar + strlen(bar);
    return n == 1 ? text : bar + 1;
}

static void fill_words(tct_text *out, const char *text, double n, const char *const args[9], bool escape)
{
    const char *end, *p = half_of(text, n, &end), *start = p;

    for (; p < end; p++)
        if (*p == '{' && p + 2 < end && p[1] >= '0' && p[1] <= '8' && p[2] == '}') {
            const char *arg = args ? args[p[1] - '0'] : NULL;

            tct_text_append(out, start, (size_t)(p - start));
            if (escape)
                append_escaped(out, arg ? arg : "");
            else
                tct_text_append(out, arg ? arg : "", arg ? strlen(arg) : 0);
            p += 2;
            start = p + 1;
        }
    tct_text_append(out, start, (size_t)(p - start));
}

const char *tct_word_text(const tct_html *h, tct_word word)
{
    return h->words[word] ? h->words[word] : "";
}

void tct_say(tct_html *h, tct_word word)
{
    fill_words(&h->text, tct_word_text(h, word), 2, NULL, true);
}

void tct_say_args(tct_html *h, tct_word word, const char *const args[9])
{
    fill_words(&h->text, tct_word_text(h, word), 2, args, true);
}

void tct_say_number(tct_html *h, tct_word word, double n, const char *const args[9])
{
    fill_words(&h->text, tct_word_text(h, word), n, args, true);
}

void tct_tag(tct_html *h, const char *element, tct_word word)
{
    tct_tag_args(h, element, word, NULL);
}

/* The element may come with attributes: `p class="note"`. */
void tct_tag_args(tct_html *h, const char *element, tct_word word, const char *const args[9])
{
    tct_rawf(h, "<%s>", element);
    fill_words(&h->text, tct_word_text(h, word), 2, args, true);
    tct_rawf(h, "</%.*s>\n", (int)strcspn(element, " "), element);
}

/* ---- texts that are kept ---- */

static const char *keep(tct_html *h, const char *bytes, size_t size)
{
    tct_html_chunk *c = h->chunks;
    char *text;

    if (!c || c->room - c->used < size + 1) {
        size_t room = size + 1 > CHUNK ? size + 1 : CHUNK;

        c = tct_malloc(1, sizeof *c + room);
        if (!c) {
            h->text.failed = true;
            return "";
        }
        *c = (tct_html_chunk){.next = h->chunks, .room = room};
        h->chunks = c;
    }
    text = c->bytes + c->used;
    memcpy(text, bytes, size);
    text[size] = 0;
    c->used += size + 1;
    return text;
}

const char *tct_keepf(tct_html *h, const char *format, ...)
{
    char line[MOST_LINE];
    va_list args;
    int size;

    va_start(args, format);
    size = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (size < 0)
        return "";
    return keep(h, line, (size_t)size < sizeof line ? (size_t)size : sizeof line - 1);
}

/* Markup of our own words goes: everything between < and >. */
const char *tct_line_args(tct_html *h, tct_word word, double n, const char *const args[9])
{
    tct_text plain = {0}, text = {0};
    const char *word_text = tct_word_text(h, word), *kept;

    for (const char *p = word_text; *p; p++) {
        if (*p == '<')
            p = strchr(p, '>') ? strchr(p, '>') : p;
        else
            tct_text_append(&plain, p, 1);
    }
    if (plain.bytes)
        fill_words(&text, plain.bytes, n, args, false);
    h->text.failed |= plain.failed || text.failed;
    kept = text.bytes && !text.failed ? keep(h, text.bytes, text.size) : "";
    tct_text_free(&plain);
    tct_text_free(&text);
    return kept;
}

const char *tct_list_of(tct_html *h, const char *const *items, size_t n)
{
    tct_text text = {0};
    const char *kept;

    for (size_t i = 0; i < n; i++) {
        const char *between = i == 0 ? "" : i + 1 < n ? ", " : tct_word_text(h, W_and);

        tct_text_append(&text, between, strlen(between));
        tct_text_append(&text, items[i], strlen(items[i]));
    }
    h->text.failed |= text.failed;
    kept = text.bytes && !text.failed ? keep(h, text.bytes, text.size) : "";
    tct_text_free(&text);
    return kept;
}

/* ---- reading ---- */

double tct_num(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);

    return json_is_number(value) ? json_number_value(value) : NAN;
}

const char *tct_str(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : "";
}

const char *tct_text_of(const tct_html *h, const json_t *text)
{
    const char *found = json_string_value(text);

    if (!found)
        found = json_string_value(json_object_get(text, tct_html_lang(h)));
    if (!found)
        found = json_string_value(json_object_get(text, h->german ? "en" : "de"));
    return found && *found ? found : NULL;
}

const char *tct_name_of(const tct_html *h, const json_t *object)
{
    const char *text = tct_text_of(h, json_object_get(object, "text"));

    return text ? text : tct_str(object, "name");
}
