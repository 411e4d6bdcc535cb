/*
 * texts.h -- what people are shown in place of codes, in several languages.
 *
 * Files, messages and decisions use names and codes ("housing", "A152").  People read texts.  A wording is one thing
 * said in any number of languages; the empty language is for all of them.
 */
#ifndef TCT_TEXTS_H
#define TCT_TEXTS_H

#include "json.h"

typedef struct tct_saying {
    char language[4]; /* two or three small letters; "" for every language */
    char *text;
} tct_saying;

typedef struct tct_wording {
    tct_saying *sayings; /* NULL: nothing said */
    size_t count;
} tct_wording;

/* What is shown for one attribute. */
typedef struct tct_attribute_texts {
    tct_wording name, question, help; /* question, help: only when said by language */
    tct_wording made;                 /* the question made from the name, where none was written; not stored in files */
    tct_wording *levels;              /* one per level, or NULL */
    size_t n_levels;
} tct_attribute_texts;

/* What a schema says about its data and its purpose; tct_about_keys are the names.  File and checksum are about one
 * file only and do not go into models. */
enum { TCT_ABOUT_FILE = 3, TCT_ABOUT_SHA256 = 4, TCT_ABOUT = 15 };
extern const char *const tct_about_keys[TCT_ABOUT];

/* ---- texts.c ---- */

tacit_status tct_wording_add(tct_wording *wording, const char *language, const char *text, tacit_error *err);
tacit_status tct_wording_copy(tct_wording *out, const tct_wording *wording, tacit_error *err);
void tct_wording_clear(tct_wording *wording);
/* The text for a language (NULL: none in particular), else the one for every language, else the English one, else
 * any; `instead` if nothing is said. */
const char *tct_wording_pick(const tct_wording *wording, const char *language, const char *instead);

tacit_status tct_attribute_texts_copy(tct_attribute_texts *out, const tct_attribute_texts *texts, tacit_error *err);
void tct_attribute_texts_clear(tct_attribute_texts *texts);
/* The question of an attribute that has none, as the schema keeps it. */
tacit_status tct_question_make(char **out, const char *name, tacit_error *err);
/* Make the question again, by language, where it was made from the name. */
tacit_status tct_question_remake(tct_attribute_texts *texts, const char *name, const char *question, tacit_error *err);

/* ---- texts_json.c ---- */

/* A string, or an object of strings by language.  The member may be left out. */
tacit_status tct_wording_from_json(tct_wording *out, const json_t *object, const char *key, const tct_json_at *at,
                                   tacit_error *err);
/* A member that maps codes to texts.  One wording per code, or NULL where the member is left out. */
tacit_status tct_wordings_from_json(tct_wording **out, const char *const *codes, size_t count, const json_t *object,
                                    const char *key, const char *what, const tct_json_at *at, tacit_error *err);
/* Put a member where anything is said (json_put.h). */
void tct_put_wording(json_t **object, const char *key, const tct_wording *wording);
void tct_put_wordings(json_t **object, const char *key, const tct_wording *wordings, const char *const *codes,
                      size_t count);
/* A question or help text: a string, which may be empty, or a wording.  *out is what stands for all languages. */
tacit_status tct_asked_from_json(const char **out, tct_wording *wording, const json_t *object, const char *key,
                                 const tct_json_at *at, tacit_error *err);
void tct_put_asked(json_t **object, const char *key, const char *text, const tct_wording *wording);

/* An object as in "about"; unknown keys are errors.  `about` has TCT_ABOUT entries, zeroed by the caller and to be
 * cleared by him in every case. */
tacit_status tct_about_from_json(tct_wording *about, const json_t *json, const tct_json_at *at, tacit_error *err);
/* The same as JSON, `{}` when nothing is said; `file`: also what is about one file only. */
json_t *tct_about_to_json(const tct_wording *about, bool file);

#endif
