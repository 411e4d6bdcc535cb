/*
 * words.h -- the language of what is said to one person: `ask` and `explain`.
 *
 * A sentence stands in the code in English; WORDS("...") gives it in the language that was chosen.  The others are in
 * words_de.h, one line each; a test compares what they print, and that none is missing.
 */
#ifndef CLI_WORDS_H
#define CLI_WORDS_H

#include <stdbool.h>

/* "de": German.  Anything else: English. */
void words_use(const char *language);
bool words_german(void);
const char *words_of(const char *english) __attribute__((format_arg(1)));
#define WORDS(english) words_of(english)

#endif
