/*
 * texts.c -- what people are shown in place of codes: wordings by language, and the public functions that pick one.
 *
 * Every function has an answer: a language that is not there falls back to what is, and where nothing is said the code
 * itself is shown.
 */
#include "texts.h"

#include <string.h>

#include "schema.h"

#define MADE_QUESTION "Please give: %s"
#define MADE_QUESTION_DE "Bitte angeben: %s"

const char *const tct_about_keys[TCT_ABOUT] = {
    "title",       "source",    "licence", "file",        "sha256", "note",           "purpose",      "controller",
    "legal_basis", "retention", "contact", "model_owner", "date",   "privacy_notice", "human_review",
};

static const char *find_saying(const tct_wording *wording, const char *language)
{
    for (size_t i = 0; i < wording->count; i++)
        if (strcmp(wording->sayings[i].language, language) == 0)
            return wording->sayings[i].text;
    return NULL;
}

tacit_status tct_wording_add(tct_wording *wording, const char *language, const char *text, tacit_error *err)
{
    tct_saying *grown = tct_realloc(wording->sayings, wording->count + 1, sizeof(*grown));
    tct_saying *saying;

    if (!grown)
        return tct_fail_memory(err);
    wording->sayings = grown;
    saying = &grown[wording->count];
    snprintf(saying->language, sizeof(saying->language), "%s", language);
    saying->text = tct_strdup(text);
    if (!saying->text)
        return tct_fail_memory(err);
    wording->count++;
    return TACIT_OK;
}

tacit_status tct_wording_copy(tct_wording *out, const tct_wording *wording, tacit_error *err)
{
    tacit_status st = TACIT_OK;

    *out = (tct_wording){0};
    for (size_t i = 0; !st && i < wording->count; i++)
        st = tct_wording_add(out, wording->sayings[i].language, wording->sayings[i].text, err);
    return st;
}

void tct_wording_clear(tct_wording *wording)
{
    for (size_t i = 0; i < wording->count; i++)
        tct_free(wording->sayings[i].text);
    tct_free(wording->sayings);
    *wording = (tct_wording){0};
}

const char *tct_wording_pick(const tct_wording *wording, const char *language, const char *instead)
{
    const char *text = language ? find_saying(wording, language) : NULL;

    text = text ? text : find_saying(wording, "");
    text = text ? text : find_saying(wording, "en");
    return text ? text : wording->count > 0 ? wording->sayings[0].text : instead;
}

tacit_status tct_attribute_texts_copy(tct_attribute_texts *out, const tct_attribute_texts *texts, tacit_error *err)
{
    tacit_status st;

    if ((st = tct_wording_copy(&out->name, &texts->name, err)) ||
        (st = tct_wording_copy(&out->question, &texts->question, err)) ||
        (st = tct_wording_copy(&out->help, &texts->help, err)) ||
        (st = tct_wording_copy(&out->made, &texts->made, err)) || !texts->levels)
        return st;
    out->levels = tct_calloc(texts->n_levels, sizeof(*out->levels));
    if (!out->levels)
        return tct_fail_memory(err);
    out->n_levels = texts->n_levels;
    for (size_t i = 0; !st && i < texts->n_levels; i++)
        st = tct_wording_copy(&out->levels[i], &texts->levels[i], err);
    return st;
}

void tct_attribute_texts_clear(tct_attribute_texts *texts)
{
    tct_wording_clear(&texts->name);
    tct_wording_clear(&texts->question);
    tct_wording_clear(&texts->help);
    tct_wording_clear(&texts->made);
    for (size_t i = 0; texts->levels && i < texts->n_levels; i++)
        tct_wording_clear(&texts->levels[i]);
    tct_free(texts->levels);
    *texts = (tct_attribute_texts){0};
}

/* A format with one name in it, as text of its own. */
__attribute__((format(printf, 1, 0))) static char *fill_in(const char *format, const char *name)
{
    tct_text text = {0};
    char *out;

    tct_text_printf(&text, format, name);
    out = text.failed ? NULL : tct_strdup(text.bytes);
    tct_text_free(&text);
    return out;
}

tacit_status tct_question_make(char **out, const char *name, tacit_error *err)
{
    *out = fill_in(MADE_QUESTION, name);
    return *out ? TACIT_OK : tct_fail_memory(err);
}

tacit_status tct_question_remake(tct_attribute_texts *texts, const char *name, const char *question, tacit_error *err)
{
    static const char *const languages[] = {"en", "de"}, *const formats[] = {MADE_QUESTION, MADE_QUESTION_DE};
    size_t lead = strlen(MADE_QUESTION) - 2; /* without its %s */
    tacit_status st = TACIT_OK;

    if (texts->question.count > 0 || strncmp(question, MADE_QUESTION, lead) != 0 || strcmp(question + lead, name) != 0)
        return TACIT_OK;
    for (size_t i = 0; !st && i < 2; i++) {
        char *text = fill_in(formats[i], tct_wording_pick(&texts->name, languages[i], name));

        st = text ? tct_wording_add(&texts->made, languages[i], text, err) : tct_fail_memory(err);
        tct_free(text);
    }
    return st;
}

/* ---- public ---- */

const char *tacit_schema_label_text(const tacit_schema *schema, const char *language)
{
    return tct_wording_pick(&schema->label_text, language, schema->label);
}

const char *tacit_schema_class_text(const tacit_schema *schema, size_t index, const char *language)
{
    if (index >= schema->n_classes)
        return "";
    return schema->class_texts ? tct_wording_pick(&schema->class_texts[index], language, schema->classes[index])
                               : schema->classes[index];
}

const char *tacit_schema_name_text(const tacit_schema *schema, size_t attribute, const char *language)
{
    if (attribute >= schema->n_attributes)
        return "";
    return tct_wording_pick(&schema->texts[attribute].name, language, schema->attributes[attribute].name);
}

const char *tacit_schema_level_text(const tacit_schema *schema, size_t attribute, size_t level, const char *language)
{
    const tct_attribute_texts *texts;
    const tacit_attribute *a;

    if (attribute >= schema->n_attributes || level >= schema->attributes[attribute].n_levels)
        return "";
    a = &schema->attributes[attribute];
    texts = &schema->texts[attribute];
    return texts->levels ? tct_wording_pick(&texts->levels[level], language, a->levels[level]) : a->levels[level];
}

const char *tacit_schema_question_text(const tacit_schema *schema, size_t attribute, const char *language)
{
    const tct_attribute_texts *texts;

    if (attribute >= schema->n_attributes)
        return "";
    texts = &schema->texts[attribute];
    return tct_wording_pick(texts->made.count > 0 ? &texts->made : &texts->question, language,
                            schema->attributes[attribute].question);
}

const char *tacit_schema_help_text(const tacit_schema *schema, size_t attribute, const char *language)
{
    if (attribute >= schema->n_attributes)
        return "";
    return tct_wording_pick(&schema->texts[attribute].help, language, schema->attributes[attribute].help);
}

const char *tacit_schema_about_text(const tacit_schema *schema, const char *key, const char *language)
{
    for (size_t i = 0; i < TCT_ABOUT; i++)
        if (strcmp(tct_about_keys[i], key) == 0)
            return tct_wording_pick(&schema->about[i], language, "");
    return "";
}

const char *tacit_schema_about(const tacit_schema *schema, const char *key)
{
    return tacit_schema_about_text(schema, key, NULL);
}
