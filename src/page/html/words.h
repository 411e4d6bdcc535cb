/*
 * words.h -- every text of the pages that are made in C, once in each language: words_en.h and words_de.h have the same
 * keys and take the same arguments, which a test compares.
 */
#ifndef TCT_WORDS_H
#define TCT_WORDS_H

#define TCT_WORD(key, text) W_##key,
typedef enum tct_word {
#include "words_en.h"
    TCT_N_WORDS
} tct_word;
#undef TCT_WORD

extern const char *const tct_words_en[TCT_N_WORDS];
extern const char *const tct_words_de[TCT_N_WORDS];

/* The text whose key is `stem` followed by `name`, for names that come with the data; TCT_N_WORDS: there is none. */
tct_word tct_word_called(const char *stem, const char *name);

#endif
