/*
 * audit_files.h -- the files that an audit can be written to, for every command that makes one.
 */
#ifndef CLI_AUDIT_FILES_H
#define CLI_AUDIT_FILES_H

#include "options.h"
#include "tacit.h"

typedef struct audit_files {
    const char *json, *rows, *report, *partial; /* NULL: not wanted.  The library writes the rows itself */
} audit_files;

/* Each somewhere else, nowhere that is read, and no page where there are none.  Before the work. */
int audit_files_check(const audit_files *files, const char *command, const cli_args *args);
/* Does one of them go to standard output? */
bool audit_files_take_stdout(const audit_files *files);
/* All are made before any is written. */
int audit_files_write(const audit_files *files, const tacit_audit *audit, const tacit_audit_provenance *about);

#endif
