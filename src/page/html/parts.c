/*
 * parts.c -- the frame of a page, its sections, figures and tables.
 *
 * The page runs the one script and uses the one style sheet that are written here, and nothing else: the browser is told
 * their hashes and refuses whatever has another one (Content-Security-Policy), so that a hostile name in the data could
 * not do anything even if it got past the escaping.
 */
#include "parts.h"

#include <math.h>
#include <string.h>

#include "page_assets.h"

/* A hash in hex as Base64: 32 bytes, 44 characters. */
static void base64_of(const char hex[65], char out[45])
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned bits = 0, n_bits = 0;
    size_t used = 0;

    for (size_t i = 0; i < 64; i++) {
        bits = bits << 4 | (unsigned)(hex[i] <= '9' ? hex[i] - '0' : hex[i] - 'a' + 10);
        n_bits += 4;
        if (n_bits >= 6) {
            n_bits -= 6;
            out[used++] = digits[bits >> n_bits & 63];
        }
    }
    out[used++] = digits[bits << (6 - n_bits) & 63]; /* four bits are left */
    out[used++] = '=';
    out[used] = 0;
}

static void put_hash(tct_html *h, const char *directive, const char *text)
{
    char hex[65], base64[45];

    if (tct_hash_text(hex, text, strlen(text), NULL)) {
        h->text.failed = true;
        return;
    }
    base64_of(hex, base64);
    tct_rawf(h, "; %s 'sha256-%s'", directive, base64);
}

void tct_page_begin(tct_html *h, const char *title, const char *heading, const char *lead)
{
    tct_rawf(h, "<!doctype html>\n<html lang=\"%s\">\n<head>\n<meta charset=\"utf-8\">\n", tct_html_lang(h));
    tct_raw(h, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
               "<meta name=\"color-scheme\" content=\"light dark\">\n"
               "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'");
    put_hash(h, "script-src", tct_page_js);
    put_hash(h, "style-src", tct_page_css);
    tct_raw(h, "; base-uri 'none'; form-action 'none'\">\n<title>");
    tct_escaped(h, title);
    tct_raw(h, "</title>\n<style>");
    tct_raw(h, tct_page_css);
    tct_raw(
        h,
        "</style>\n</head>\n<body>\n"
        "<svg width=\"0\" height=\"0\" class=\"hidden\" aria-hidden=\"true\"><defs><pattern id=\"hatch\" width=\"5\" "
        "height=\"5\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\"><rect class=\"hatch-ground\" "
        "width=\"5\" height=\"5\"/><rect class=\"hatch-line\" width=\"2\" height=\"5\"/></pattern></defs></svg>\n"
        "<header>\n<p class=\"brand\">Tacit</p>\n<h1>");
    tct_escaped(h, heading);
    tct_raw(h, "</h1>\n<p class=\"lead\">");
    tct_escaped(h, lead);
    tct_raw(h, "</p>\n</header>\n<main>\n");
}

/* What the script calls its buttons. */
static void put_labels(tct_html *h)
{
    static const struct {
        const char *name;
        tct_word word;
    } labels[] = {{"copy", W_js_copy}, {"copied", W_js_copied}, {"refused", W_js_refused}, {"download", W_js_download}};

    tct_raw(h, "<div id=\"labels\" hidden");
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
        tct_rawf(h, " data-%s=\"", labels[i].name);
        tct_escaped(h, tct_word_text(h, labels[i].word));
        tct_raw(h, "\"");
    }
    tct_raw(h, "></div>\n");
}

void tct_page_end(tct_html *h, const char *version, const char *data)
{
    tct_raw(h, "</main>\n<footer>\n");
    tct_tagf(h, "p", W_written_by, version);
    tct_raw(h, "</footer>\n");
    put_labels(h);
    tct_raw(h, "<script type=\"application/json\" id=\"data\">");
    tct_escaped_json(h, data);
    tct_raw(h, "</script>\n<script>");
    tct_raw(h, tct_page_js);
    tct_raw(h, "</script>\n</body>\n</html>\n");
}

void tct_section_begin(tct_html *h, const char *id, const char *title)
{
    tct_rawf(h, "<section id=\"%s\" aria-labelledby=\"section-%s\">\n<h2 id=\"section-%s\">", id, id, id);
    tct_escaped(h, title);
    tct_raw(h, "</h2>\n");
}

void tct_section_end(tct_html *h)
{
    tct_raw(h, "</section>\n");
}

void tct_figure_begin(tct_html *h, const char *id, const char *title)
{
    tct_rawf(h, "<div class=\"block\">\n<figure id=\"%s\" aria-labelledby=\"%s-title\">\n<h3 id=\"%s-title\">", id, id,
             id);
    tct_escaped(h, title);
    tct_raw(h, "</h3>\n");
}

void tct_note_begin(tct_html *h)
{
    tct_raw(h, "<figcaption>");
}

void tct_note_end(tct_html *h)
{
    tct_raw(h, "</figcaption>\n</figure>\n");
}

static void begin_table(tct_html *h, const char *title)
{
    tct_raw(h, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"");
    tct_escaped(h, tct_line(h, W_table_of, title));
    tct_raw(h, "\"><table><caption>");
    tct_escaped(h, title);
    tct_raw(h, "</caption><thead><tr>");
}

void tct_figure_end(tct_html *h)
{
    tct_raw(h, "</div>\n");
}

void tct_numbers_begin(tct_html *h, const char *id, const char *title)
{
    tct_rawf(h, "<div class=\"numbers\"><details id=\"%s-numbers\"><summary>", id);
    tct_say(h, W_numbers);
    tct_raw(h, "<span class=\"hidden\">: ");
    tct_escaped(h, title);
    tct_raw(h, "</span></summary>\n");
    begin_table(h, title);
}

void tct_numbers_end(tct_html *h)
{
    tct_raw(h, "</tbody></table></div></details></div>\n");
    tct_figure_end(h);
}

void tct_open_table_begin(tct_html *h, const char *id, const char *title)
{
    tct_rawf(h, "<div class=\"block\" id=\"%s\">\n<h3>", id);
    tct_escaped(h, title);
    tct_raw(h, "</h3>\n<div class=\"open\">");
    begin_table(h, title);
}

void tct_open_table_end(tct_html *h)
{
    tct_raw(h, "</tbody></table></div></div>\n</div>\n");
}

void tct_head(tct_html *h, tct_word word)
{
    tct_raw(h, "<th scope=\"col\">");
    tct_say(h, word);
    tct_raw(h, "</th>");
}

void tct_heads_of(tct_html *h, const tct_word *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        tct_head(h, words[i]);
}

void tct_head_text(tct_html *h, const char *text)
{
    tct_raw(h, "<th scope=\"col\">");
    tct_escaped(h, text);
    tct_raw(h, "</th>");
}

void tct_body(tct_html *h)
{
    tct_raw(h, "</tr></thead><tbody>\n");
}

void tct_tr(tct_html *h)
{
    tct_raw(h, "<tr>");
}

void tct_tr_end(tct_html *h)
{
    tct_raw(h, "</tr>\n");
}

void tct_td(tct_html *h, const char *text)
{
    tct_raw(h, "<td class=\"words\">");
    tct_escaped(h, text);
    tct_raw(h, "</td>");
}

void tct_td_of(tct_html *h, const char *shown, double exact)
{
    char number[32];

    if (!isfinite(exact)) {
        tct_td_plain(h, shown);
        return;
    }
    tct_format_number(exact, number, sizeof number);
    tct_rawf(h, "<td data-v=\"%s\">", number);
    tct_escaped(h, shown);
    tct_raw(h, "</td>");
}

void tct_td_plain(tct_html *h, const char *shown)
{
    tct_raw(h, "<td>");
    tct_escaped(h, shown);
    tct_raw(h, "</td>");
}

void tct_pairs_begin(tct_html *h)
{
    tct_raw(h, "<dl class=\"pairs\">\n");
}

static void begin_pair(tct_html *h, tct_word term)
{
    tct_raw(h, "<dt>");
    tct_say(h, term);
    tct_raw(h, "</dt><dd>");
}

void tct_dt(tct_html *h, tct_word term, const char *text)
{
    begin_pair(h, term);
    if (text && *text)
        tct_escaped(h, text);
    else
        tct_tag(h, "span class=\"empty\"", W_not_stated);
    tct_raw(h, "</dd>\n");
}

void tct_dt_code(tct_html *h, tct_word term, const char *text)
{
    begin_pair(h, term);
    tct_raw(h, "<code>");
    tct_escaped(h, text);
    tct_raw(h, "</code></dd>\n");
}

void tct_pairs_end(tct_html *h)
{
    tct_raw(h, "</dl>\n");
}

void tct_warning(tct_html *h, const char *text)
{
    tct_raw(h, "<p class=\"warning\" role=\"note\"><b>");
    tct_say(h, W_caution);
    tct_raw(h, "</b> ");
    tct_escaped(h, text);
    tct_raw(h, "</p>\n");
}
