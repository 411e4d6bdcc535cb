/*
 * tacit/person.h -- what is known about one person.  Part of tacit.h, which says what holds everywhere.
 */
#ifndef TACIT_PERSON_H
#define TACIT_PERSON_H

#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tacit_person tacit_person;

/* Nothing known yet. */
TACIT_API tacit_status tacit_person_new(tacit_person **out, const tacit_model *model, tacit_error *err);
/* Row `row` (from 1) of a CSV file, all attributes known. */
TACIT_API tacit_status tacit_person_read_row(tacit_person **out, const tacit_model *model, const char *path,
                                             const tacit_csv_options *options, size_t row, tacit_error *err);
/* Row `row` (from 1) of a table. */
TACIT_API tacit_status tacit_person_from_table(tacit_person **out, const tacit_model *model, const tacit_table *table,
                                               size_t row, tacit_error *err);
/* Set attributes from a JSON object {"attribute": value, ...}; null means missing. */
TACIT_API tacit_status tacit_person_read_json(tacit_person *person, const char *path, tacit_error *err);
/* The same for JSON text in memory. */
TACIT_API tacit_status tacit_person_parse_json(tacit_person *person, const char *text, size_t size, tacit_error *err);
/* Wipes. */
TACIT_API void tacit_person_free(tacit_person *person);
/* Give an attribute a value, written as in a CSV cell ("" = missing).  *clipped (may be NULL) tells whether
 * the value lay outside its domain and was moved to the nearest end. */
TACIT_API tacit_status tacit_person_set(tacit_person *person, size_t attribute, const char *text, bool *clipped,
                                        tacit_error *err);
TACIT_API void tacit_person_unset(tacit_person *person, size_t attribute);
TACIT_API bool tacit_person_knows(const tacit_person *person, size_t attribute);
/* Was it set as missing?  Then a typical value counts (`fill` or `missing_level`), which nobody said. */
TACIT_API bool tacit_person_unknown(const tacit_person *person, size_t attribute);
/* Was the value it was set to outside its domain?  Then the nearest end counts. */
TACIT_API bool tacit_person_clipped(const tacit_person *person, size_t attribute);
/* The value as text, into `text` (always terminated); for showing a person their own answers or a made-up witness. */
TACIT_API void tacit_person_text(const tacit_person *person, size_t attribute, char *text, size_t size);
/* Label the model gives when everything is known; TACIT_NONE otherwise. */
TACIT_API size_t tacit_person_label(const tacit_person *person);

#ifdef __cplusplus
}
#endif
#endif
