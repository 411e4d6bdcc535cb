/*
 * words.c -- the tables of words, by key.
 */
#include "words.h"

#include <string.h>

#define TCT_WORD(key, text) [W_##key] = text,

const char *const tct_words_en[TCT_N_WORDS] = {
#include "words_en.h"
};

const char *const tct_words_de[TCT_N_WORDS] = {
#include "words_de.h"
};

#undef TCT_WORD
#define TCT_WORD(key, text) [W_##key] = #key,
static const char *const keys[TCT_N_WORDS] = {
#include "words_en.h"
};

tct_word tct_word_called(const char *stem, const char *name)
{
    size_t n = strlen(stem);

    for (size_t w = 0; w < TCT_N_WORDS; w++)
        if (strncmp(keys[w], stem, n) == 0 && strcmp(keys[w] + n, name) == 0)
            return (tct_word)w;
    return TCT_N_WORDS;
}
