/*
 * html.h -- a page in the making: markup, escaped text, sentences of the page's language, numbers as that language writes
 * them.  Lack of memory is remembered and told at the end (tct_html_end), so nothing in between needs a check.
 */
#ifndef TCT_HTML_H
#define TCT_HTML_H

#include "json.h"
#include "words.h"

typedef struct tct_html_chunk tct_html_chunk;

typedef struct tct_html {
    tct_text text;
    const char *const *words; /* by tct_word */
    bool german;
    tct_html_chunk *chunks; /* texts made on the way, freed with the page */
} tct_html;

/* lang: "en", "de" or NULL (English). */
tacit_status tct_html_begin(tct_html *h, const char *lang, tacit_error *err);
/* The page, or why there is none; h is empty afterwards. */
tacit_status tct_html_end(tct_html *h, char **out, tacit_error *err);
const char *tct_html_lang(const tct_html *h); /* "en" or "de" */

/* Markup as it is. */
void tct_raw(tct_html *h, const char *markup);
void tct_rawf(tct_html *h, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Text, whatever is in it: markup, quotes and bytes that are not UTF-8 do no harm, in attributes neither. */
void tct_escaped(tct_html *h, const char *text);
/* JSON text for a <script> element: nothing in it can end the script. */
void tct_escaped_json(tct_html *h, const char *json);
/* A number for a coordinate or an attribute: two decimals, a point in every language. */
void tct_coord(tct_html *h, double x);

/* Sentences.  A word's text is ours and may hold markup; {0} ... {8} are the arguments, escaped.  Where it has two halves
 * parted by "|", the first is for one, the second for any other number. */
void tct_say(tct_html *h, tct_word word);
#define tct_sayf(h, word, ...) tct_say_args(h, word, (const char *const[9]){__VA_ARGS__})
void tct_say_args(tct_html *h, tct_word word, const char *const args[9]);
/* The same with a choice by number. */
#define tct_say_many(h, word, n, ...) tct_say_number(h, word, n, (const char *const[9]){__VA_ARGS__})
void tct_say_number(tct_html *h, tct_word word, double n, const char *const args[9]);
/* The same after a blank: one more sentence. */
#define tct_more(h, word) (tct_raw(h, " "), tct_say(h, word))
#define tct_moref(h, word, ...) (tct_raw(h, " "), tct_sayf(h, word, __VA_ARGS__))
#define tct_more_many(h, word, n, ...) (tct_raw(h, " "), tct_say_many(h, word, n, __VA_ARGS__))
/* A sentence in an element: tct_tag(h, "p", W_x), tct_tagf(h, "li", W_x, args). */
void tct_tag(tct_html *h, const char *element, tct_word word);
#define tct_tagf(h, element, word, ...) tct_tag_args(h, element, word, (const char *const[9]){__VA_ARGS__})
void tct_tag_args(tct_html *h, const char *element, tct_word word, const char *const args[9]);

/* Texts that live as long as the page; never NULL. */
const char *tct_keepf(tct_html *h, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *tct_word_text(const tct_html *h, tct_word word);
/* A sentence as a text: no markup is left in it. */
#define tct_line(h, word, ...) tct_line_args(h, word, 2, (const char *const[9]){__VA_ARGS__})
#define tct_line_many(h, word, n, ...) tct_line_args(h, word, n, (const char *const[9]){__VA_ARGS__})
const char *tct_line_args(tct_html *h, tct_word word, double n, const char *const args[9]);
/* "a, b and c". */
const char *tct_list_of(tct_html *h, const char *const *items, size_t n);

/* ---- numbers.c: NaN is a dash ---- */

const char *tct_count(tct_html *h, double n);               /* 45,211 */
const char *tct_decimal(tct_html *h, double x, int digits); /* 3.14 */
const char *tct_short(tct_html *h, double x);               /* 0.05, as short as it can be */
const char *tct_percent(tct_html *h, double x, int digits); /* 93.4 % */
const char *tct_share(tct_html *h, double x);        /* as told to somebody: some is not 0, not all is not 100 % */
const char *tct_sure(tct_html *h, double delta);     /* 1 - delta as a percentage */
const char *tct_delta_is(tct_html *h, double delta); /* δ = 0.05, in one piece */
const char *tct_people(tct_html *h, double n);       /* 1 person, 2 people */
const char *tct_interval_text(tct_html *h, double low, double high, int digits); /* of shares: 93.1 to 95.2 % */

/* ---- reading: absent members give NaN, "" or NULL ---- */

double tct_num(const json_t *object, const char *key);
const char *tct_str(const json_t *object, const char *key);
/* A text of the data: a string, or one for each language; any other language rather than none; NULL without. */
const char *tct_text_of(const tct_html *h, const json_t *text);
/* What something is called: its display text, else its name. */
const char *tct_name_of(const tct_html *h, const json_t *object);

#endif
