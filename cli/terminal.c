/*
 * terminal.c -- colour, symbols, widths, wrapped text, bars and numbers for people.
 */
#include "terminal.h"

#include <langinfo.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

#include "cli.h"
#include "words.h"

enum { DEFAULT_WIDTH = 80, MIN_WIDTH = 60, MAX_WIDTH = 120 };

term_look term = {.width = DEFAULT_WIDTH,
                  .delta = "delta",
                  .line = "-",
                  .bullet = "*",
                  .dots = "...",
                  .at_least = ">=",
                  .dash = "-",
                  .range = "-",
                  .arrow = "->"};

/* What goes into a file or a pipe is searched for names: they stay whole there. */
static size_t find_width(bool *narrow)
{
    const char *said = getenv("COLUMNS");
    struct winsize size;
    unsigned long columns = said ? strtoul(said, NULL, 10) : 0;

    if (columns == 0 && isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
        columns = size.ws_col;
    *narrow = columns > 0;
    if (columns == 0)
        return DEFAULT_WIDTH;
    return columns < MIN_WIDTH ? MIN_WIDTH : columns > MAX_WIDTH ? MAX_WIDTH : columns;
}

static bool find_colour(void)
{
    const char *no_color = getenv("NO_COLOR");
    const char *kind = getenv("TERM");

    return isatty(STDOUT_FILENO) && !(no_color && *no_color) && kind && *kind && strcmp(kind, "dumb") != 0;
}

/* Code point at *text, advancing it; bytes that are no UTF-8 count as U+FFFD, one by one. */
static uint32_t next_character(const char **text)
{
    const unsigned char *p = (const unsigned char *)*text;
    size_t more = p[0] < 0x80                   ? 0
                  : p[0] >= 0xc2 && p[0] < 0xe0 ? 1
                  : (p[0] & 0xf0) == 0xe0       ? 2
                  : p[0] >= 0xf0 && p[0] < 0xf5 ? 3
                                                : 4;
    uint32_t c = more == 0 ? p[0] : more < 4 ? p[0] & (0x3fu >> more) : 0xfffd;

    if (more == 4)
        more = 0;
    for (size_t i = 1; i <= more; i++) {
        if ((p[i] & 0xc0) != 0x80) {
            *text += 1;
            return 0xfffd;
        }
        c = c << 6 | (p[i] & 0x3fu);
    }
    *text += more + 1;
    return c;
}

static size_t character_columns(uint32_t c)
{
    int width = term.utf8 ? wcwidth((wchar_t)c) : 1;

    return width < 0 ? 1 : (size_t)width;
}

/* C0 and C1 controls, the characters that reorder text, and those that nobody sees: none belongs in a name.  Joiners
 * (U+200C, U+200D) do: words are spelt with them. */
static bool is_control(uint32_t c)
{
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x061c || c == 0x200b || c == 0x200e || c == 0x200f ||
           (c >= 0x2028 && c <= 0x202e) || c == 0x2060 || (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}

void term_start(void)
{
    setlocale(LC_CTYPE, ""); /* numbers stay in the C locale */
    term.utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    term.colour = find_colour();
    term.width = find_width(&term.narrow);
    if (term.utf8) {
        term.delta = "δ";
        term.line = "─";
        term.bullet = "•";
        term.dots = "…";
        term.at_least = "≥";
        term.dash = "–";
        term.range = "–";
        term.arrow = "→";
    }
}

const char *term_on(term_style style)
{
    static const char *const codes[] = {
        [STYLE_PLAIN] = "\033[0m", [STYLE_BOLD] = "\033[1m", [STYLE_DIM] = "\033[2m",    [STYLE_GOOD] = "\033[32m",
        [STYLE_WARN] = "\033[33m", [STYLE_BAD] = "\033[31m", [STYLE_ACCENT] = "\033[36m"};

    return term.colour ? codes[style] : "";
}

size_t term_columns(const char *text)
{
    size_t columns = 0;

    while (*text)
        columns += character_columns(next_character(&text));
    return columns;
}

char *term_clean(const char *text, size_t columns)
{
    size_t size = strlen(text), used = 0, room = columns ? columns : SIZE_MAX;
    size_t dots = term_columns(term.dots);
    char *out = cli_alloc(size + 8, 1);
    bool cut = columns && term_columns(text) > columns;

    if (cut)
        room = columns > dots ? columns - dots : 0;
    while (*text) {
        const char *start = text;
        uint32_t c = next_character(&text);
        size_t width = character_columns(c);

        if (width > room)
            break;
        room -= width;
        if (is_control(c) || (c == 0xfffd && text - start == 1 && term.utf8)) {
            out[used++] = '?';
        } else {
            memcpy(out + used, start, (size_t)(text - start));
            used += (size_t)(text - start);
        }
    }
    if (cut)
        memcpy(out + used, term.dots, strlen(term.dots) + 1);
    return out;
}

void term_print(term_style style, const char *text)
{
    char *clean = term_clean(text, 0);

    printf("%s%s%s", style == STYLE_PLAIN ? "" : term_on(style), clean,
           style == STYLE_PLAIN ? "" : term_on(STYLE_PLAIN));
    free(clean);
}

/* Bytes of the word at `text`; "90 %" is one word. */
static size_t word_size(const char *text)
{
    size_t size = strcspn(text, " \n");

    if (strncmp(text + size, " %", 2) == 0)
        size += 1 + strcspn(text + size + 1, " \n");
    return size;
}

/* Bytes of the characters of a word that fit into `room` columns; of one at least. */
static size_t piece_size(const char *word, size_t room)
{
    const char *at = word, *next = word;

    while (*next) {
        size_t columns = character_columns(next_character(&next));

        if (columns > room && at > word)
            break;
        room -= columns < room ? columns : room;
        at = next;
    }
    return (size_t)(at - word);
}

void term_wrap(FILE *out, size_t at, size_t indent, size_t width, const char *text)
{
    size_t column = at;
    bool fresh = true; /* nothing on this line yet */

    while (*text) {
        size_t size = word_size(text);
        char *word = cli_format("%.*s", (int)size, text), *rest = word;
        size_t columns = term_columns(word);

        if (size) {
            if (!fresh && column + 1 + columns > width) {
                fprintf(out, "\n%*s", (int)indent, "");
                column = indent;
                fresh = true;
            }
            while (term.narrow && fresh && column + columns > width && columns > 1) {
                size_t piece = piece_size(rest, width > column ? width - column : 0);

                fprintf(out, "%.*s\n%*s", (int)piece, rest, (int)indent, "");
                rest += piece;
                columns = term_columns(rest);
                column = indent;
            }
            fprintf(out, "%s%s", fresh ? "" : " ", rest);
            column += columns + (fresh ? 0 : 1);
            fresh = false;
        }
        free(word);
        text += size;
        if (text[0] == '\n') {
            fprintf(out, "\n%s%*s", text[1] == '\n' ? "\n" : "", (int)indent, "");
            text += text[1] == '\n' ? 1 : 0;
            column = indent;
            fresh = true;
        }
        if (*text)
            text++;
    }
    fputc('\n', out);
}

void term_say_at(term_style style, size_t indent, const char *text)
{
    char *clean = term_clean(text, 0);

    printf("%*s%s", (int)indent, "", style == STYLE_PLAIN ? "" : term_on(style));
    term_wrap(stdout, indent, indent, term.width, clean);
    fputs(style == STYLE_PLAIN ? "" : term_on(STYLE_PLAIN), stdout);
    free(clean);
}

void term_say(term_style style, const char *text)
{
    term_say_at(style, 0, text);
}

void term_heading(const char *text)
{
    putchar('\n');
    term_say(STYLE_BOLD, text);
}

char *term_bar(double share, size_t columns)
{
    static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    size_t units = (size_t)lround((share < 0 ? 0 : share > 1 ? 1 : share) * (double)columns * (term.utf8 ? 8 : 1));
    size_t whole, used = 0;
    char *out = cli_alloc(columns * 3 + 4, 1);

    if (share > 0 && units == 0)
        units = 1;
    if (!term.utf8) {
        memset(out, '#', units);
        return out;
    }
    for (whole = units / 8; whole > 0; whole--, used += 3)
        memcpy(out + used, "█", 3);
    memcpy(out + used, eighths[units % 8], strlen(eighths[units % 8]));
    return out;
}

void term_percent(double share, int digits, char *text, size_t size)
{
    double step = pow(10, -digits);
    double value = share * 100;

    if (isnan(share))
        snprintf(text, size, "%s", term.dash);
    else if (value > 0 && value < step / 2)
        snprintf(text, size, "<%.*f %%", digits, step);
    else if (value < 100 && value >= 100 - step / 2)
        snprintf(text, size, "%.*f %%", digits, 100 - step);
    else
        snprintf(text, size, "%.*f %%", digits, tacit_round(value, digits));
    if (words_german() && strchr(text, '.'))
        *strchr(text, '.') = ',';
}

void term_count(uint64_t value, char *text, size_t size)
{
    char digits[32];
    size_t n = (size_t)snprintf(digits, sizeof(digits), "%llu", (unsigned long long)value), used = 0;

    for (size_t i = 0; i < n && used + 2 < size; i++) {
        if (i && (n - i) % 3 == 0)
            text[used++] = ',';
        text[used++] = digits[i];
    }
    text[used] = '\0';
}
