/*
 * parts.h -- what pages are put together from: the frame, sections, figures with their numbers, tables.
 */
#ifndef TCT_PARTS_H
#define TCT_PARTS_H

#include "html.h"

/* Everything before and after the sections.  data: JSON text that the page carries in its element "data". */
void tct_page_begin(tct_html *h, const char *title, const char *heading, const char *lead);
void tct_page_end(tct_html *h, const char *version, const char *data);

void tct_section_begin(tct_html *h, const char *id, const char *title);
void tct_section_end(tct_html *h);

/* A figure: heading, chart, a note, its numbers.  begin, chart, note (one or more sentences between note_begin and
 * note_end), numbers or end. */
void tct_figure_begin(tct_html *h, const char *id, const char *title);
void tct_note_begin(tct_html *h);
void tct_note_end(tct_html *h);
void tct_figure_end(tct_html *h);
/* The numbers of figure `id`, behind a word to open them; their end is the figure's end. */
void tct_numbers_begin(tct_html *h, const char *id, const char *title);
void tct_numbers_end(tct_html *h);

/* A table that is seen at once. */
void tct_open_table_begin(tct_html *h, const char *id, const char *title);
void tct_open_table_end(tct_html *h);

/* Heads, then tct_body, then rows. */
void tct_head(tct_html *h, tct_word word);
#define tct_heads(h, ...)                                                                                              \
    tct_heads_of(h, (const tct_word[]){__VA_ARGS__}, sizeof((const tct_word[]){__VA_ARGS__}) / sizeof(tct_word))
void tct_heads_of(tct_html *h, const tct_word *words, size_t n);
void tct_head_text(tct_html *h, const char *text);
void tct_body(tct_html *h);
void tct_tr(tct_html *h);
void tct_tr_end(tct_html *h);
void tct_td(tct_html *h, const char *text);                   /* words */
void tct_td_of(tct_html *h, const char *shown, double exact); /* a number: as shown, and in full */
void tct_td_plain(tct_html *h, const char *shown);            /* a number that is worked out here */

/* Terms and what they are. */
void tct_pairs_begin(tct_html *h);
void tct_dt(tct_html *h, tct_word term, const char *text); /* NULL or "": shown as not stated */
void tct_dt_code(tct_html *h, tct_word term, const char *text);
void tct_pairs_end(tct_html *h);

/* A box that must not be overlooked. */
void tct_warning(tct_html *h, const char *text);

/* The document of `tacit necessity`: its sections, inside another page or in one of its own. */
void tct_necessity_sections(tct_html *h, const json_t *necessity, bool inside);
/* Read and check such a document. */
tacit_status tct_necessity_read(json_t **out, const char *json, tacit_error *err);

/* The page of an audit.  data: the JSON text that the page carries; rows: of a table, at most. */
tacit_status tct_page_of_audit(char **out, const json_t *audit, const char *data, const char *lang, size_t rows,
                               tacit_error *err);

#endif
