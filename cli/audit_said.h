/*
 * audit_said.h -- what is said about an audit on the command line: the language of its report, who answers for the
 * processing, what `tacit necessity` found.  For every command that writes reports of audits.
 */
#ifndef CLI_AUDIT_SAID_H
#define CLI_AUDIT_SAID_H

#include "options.h"
#include "tacit.h"

typedef struct audit_said {
    size_t lang;                   /* of CLI_LANGUAGES */
    const char *about, *necessity; /* files; NULL: nothing said */
} audit_said;

/* Their contents, as the library takes them; free with audit_said_free. */
typedef struct audit_said_texts {
    char *about, *necessity;
} audit_said_texts;

extern const char *const audit_languages[];

#define CLI_SAID_OPTIONS(type, member)                                                                                 \
    {.name = "lang",                                                                                                   \
     .kind = CLI_WORD,                                                                                                 \
     .argument = "LANG",                                                                                               \
     .help = "Language of the report: en (default) or de.",                                                            \
     .offset = offsetof(type, member.lang),                                                                            \
     .words = audit_languages},                                                                                        \
        {.name = "about",                                                                                              \
         .kind = CLI_TEXT,                                                                                             \
         .argument = "FILE.json",                                                                                      \
         .help = "Who answers for the processing: purpose, controller, legal_basis, retention, contact and more, for " \
                 "the form at the front of the report. Goes before what the schema says.",                             \
         .offset = offsetof(type, member.about)},                                                                      \
    {                                                                                                                  \
        .name = "necessity", .kind = CLI_TEXT, .argument = "FILE.json",                                                \
        .help = "Put what tacit necessity --json wrote into the report, as a section of its own.",                     \
        .offset = offsetof(type, member.necessity)                                                                     \
    }

/* Read the files and check them, before the work. */
int audit_said_read(audit_said_texts *out, const audit_said *said);
void audit_said_free(audit_said_texts *texts);
/* Put them where the library looks for them. */
void audit_said_put(tacit_audit_provenance *about, const audit_said *said, const audit_said_texts *texts);

#endif
