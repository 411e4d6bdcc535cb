/*
 * tacit/report.h -- documents as pages: text and figures that are complete without a script.  Part of tacit.h, which says
 * what holds everywhere.
 */
#ifndef TACIT_REPORT_H
#define TACIT_REPORT_H

#include "audit.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Are the language, about_json and necessity what they should be?  To be asked before an audit, not after it. */
TACIT_API tacit_status tacit_report_check(const tacit_audit_provenance *about, tacit_error *err);
/* The page of a document that `tacit necessity --json` writes; free with tacit_text_free.  lang: "en", "de" or NULL
 * (English). */
TACIT_API tacit_status tacit_necessity_html(char **out, const char *json, const char *lang, tacit_error *err);

#ifdef __cplusplus
}
#endif
#endif
