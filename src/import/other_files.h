/*
 * other_files.h -- files that people have instead of one that can be imported, and what to do about it.
 */
#ifndef TCT_OTHER_FILES_H
#define TCT_OTHER_FILES_H

#include "json.h"

/* What the bytes are and what to write instead; NULL: nothing that is known here. */
const char *tct_other_file(const char *bytes, size_t size);
/* The same for a JSON document that is no model. */
const char *tct_other_json(const json_t *root);

#endif
