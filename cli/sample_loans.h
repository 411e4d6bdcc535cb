/*
 * sample_loans.h -- a made-up loan data set, for the demonstration and for tests.
 */
#ifndef CLI_SAMPLE_LOANS_H
#define CLI_SAMPLE_LOANS_H

#include <stddef.h>
#include <stdint.h>

/* CSV text with `people` rows and a header; the same bytes for the same seed on every machine.  Free it. */
char *sample_loans(uint64_t seed, size_t people, size_t *size);

/* The column to predict, and the columns a lender knows without asking. */
extern const char sample_label[];
extern const char sample_public[];
/* What people are shown, in English and German, as tacit_schema_set_texts reads it. */
extern const char sample_texts[];

#endif
