/*
 * pages.h -- the questionnaire's page, three files of web/ that are served side by side: ask.html, ask.js, ask.css.
 * Their bytes are generated (cmake/web.cmake).
 */
#ifndef SRV_PAGES_H
#define SRV_PAGES_H

#include <stddef.h>

/* Not terminated; the sizes are 0 when built without pages. */
extern const unsigned char tct_ask_html[], tct_ask_js[], tct_ask_css[];
extern const size_t tct_ask_html_size, tct_ask_js_size, tct_ask_css_size;

#endif
