/*
 * words.c -- the tables of words, by key.
 */
#include "words.h"

#define TCT_WORD(key, text) [W_##key] = text,

const char *const tct_words_en[TCT_N_WORDS] = {
#include "words_en.h"
};

const char *const tct_words_de[TCT_N_WORDS] = {
#include "words_de.h"
};
