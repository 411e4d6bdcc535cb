/*
 * words.c -- finding a sentence in another language.  There are few of them, so one is looked for after the other.
 */
#include "words.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *english, *german;
} words[] = {
#include "words_de.h"
};

static bool german;

void words_use(const char *language)
{
    german = language && strcmp(language, "de") == 0;
}

bool words_german(void)
{
    return german;
}

const char *words_of(const char *english)
{
    for (size_t i = 0; german && i < sizeof(words) / sizeof(*words); i++)
        if (strcmp(words[i].english, english) == 0)
            return words[i].german;
    return english;
}
