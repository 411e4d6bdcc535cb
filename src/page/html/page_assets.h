/*
 * page_assets.h -- the style sheet and the script of the pages that are made in C: report.css behind the style of all
 * pages (web/src/parts/style.css), and report.js; made into C by cmake/asset-bytes.cmake.
 */
#ifndef TCT_PAGE_ASSETS_H
#define TCT_PAGE_ASSETS_H

extern const char tct_page_css[]; /* terminated */
extern const char tct_page_js[];

#endif
