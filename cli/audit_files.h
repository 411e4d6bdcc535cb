/*
 * audit_files.h -- the files that an audit can be written to, for every command that makes one.
 */
#ifndef CLI_AUDIT_FILES_H
#define CLI_AUDIT_FILES_H

#include "audit_said.h"
#include "options.h"
#include "tacit.h"

typedef struct audit_files {
    const char *json, *rows, *report, *partial; /* NULL: not wanted.  The library writes the rows itself */
} audit_files;

/* Each somewhere else, nowhere that is read, and no page where there are none.  Before the work. */
int audit_files_check(const audit_files *files, const audit_said *said, const char *command, const cli_args *args);
/* Does one of them go to standard output? */
bool audit_files_take_stdout(const audit_files *files);
/* All are made before any is written. */
int audit_files_write(const audit_files *files, const tacit_audit *audit, const tacit_audit_provenance *about);

/* Is anything told about the people, whoever they are?  Beside counts for tacit merge a table is left out where they are few. */
bool audit_files_tell(const audit_files *files, bool quiet, bool gated);
/* Are there people enough for what is going to be told?  Fewer than `least` are an error, fewer than usual a note.  Counts
 * for tacit merge are no report.  gated: gates tell whether they hold, and by how much they do not. */
enum { USUAL_LEAST_PEOPLE = 20 };
int audit_files_enough(const audit_files *files, const tacit_audit *audit, size_t least, bool quiet, bool gated);
/* After that: is the table printed? */
bool audit_files_table(const audit_files *files, const tacit_audit *audit, size_t least, bool quiet);

#define CLI_LEAST_PEOPLE_OPTION(type, member)                                                                          \
    {                                                                                                                  \
        .name = "min-people", .kind = CLI_COUNT, .argument = "N",                                                      \
        .help =                                                                                                        \
            "Report on no fewer people than this in all. Default: 20; a report about fewer can point at somebody. "    \
            "Groups are of 20 at least whatever it is.",                                                               \
        .offset = offsetof(type, member), .min = 1, .max = 1e9                                                         \
    }

#endif
