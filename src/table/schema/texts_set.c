/*
 * texts_set.c -- give a schema what people are shown, from the JSON that tacit_schema_texts writes.
 *
 * A schema that was found out from a table knows names only.  What is said here is put into a copy, which takes the
 * schema's place when all of it was right.
 */
#include <string.h>

#include "names.h"
#include "schema.h"

/* Put one text of an attribute in place of another. */
static tacit_status replace(const char **out, const char *text, tacit_error *err)
{
    char *copy = tct_strdup(text);

    if (!copy)
        return tct_fail_memory(err);
    tct_free((void *)(uintptr_t)*out);
    *out = copy;
    return TACIT_OK;
}

/* A question or help text, where the member is there. */
static tacit_status set_asked(const char **out, tct_wording *wording, const json_t *json, const char *key,
                              const tct_json_at *at, tacit_error *err)
{
    const char *text = NULL;
    tacit_status st;

    if (!json_object_get(json, key))
        return TACIT_OK;
    tct_wording_clear(wording);
    st = tct_asked_from_json(&text, wording, json, key, at, err);
    return st || !text ? st : replace(out, text, err);
}

static tacit_status set_special(tacit_attribute *a, const json_t *json, const tct_json_at *at, tacit_error *err)
{
    const char *text = NULL, *problem;
    tacit_status st = tct_json_optional_string(&text, json, "special", at, err);

    if (st || !text)
        return st;
    problem = tct_name_problem(text, strlen(text), TCT_MAX_TEXT);
    return problem ? tct_json_fail(at, "special", err, "the text %s", problem) : replace(&a->special, text, err);
}

static tacit_status set_attribute(tacit_attribute *a, tct_attribute_texts *texts, const json_t *json,
                                  const tct_json_at *at, tacit_error *err)
{
    static const char *const keys[] = {"text", "question", "help", "special", "texts"};
    tacit_status st = tct_json_check_keys(json, keys, a->type == TACIT_CATEGORY ? 5 : 4, at, err);

    if (!st && json_object_get(json, "text")) {
        tct_wording_clear(&texts->name);
        st = tct_wording_from_json(&texts->name, json, "text", at, err);
    }
    if (!st)
        st = set_asked(&a->question, &texts->question, json, "question", at, err);
    if (!st)
        st = set_asked(&a->help, &texts->help, json, "help", at, err);
    if (!st)
        st = set_special(a, json, at, err);
    if (!st && json_object_get(json, "texts")) {
        for (size_t k = 0; texts->levels && k < texts->n_levels; k++)
            tct_wording_clear(&texts->levels[k]);
        tct_free(texts->levels);
        texts->levels = NULL;
        texts->n_levels = a->n_levels;
        st = tct_wordings_from_json(&texts->levels, a->levels, a->n_levels, json, "texts", "level", at, err);
    }
    tct_wording_clear(&texts->made);
    return st ? st : tct_question_remake(texts, a->name, a->question, err);
}

static tacit_status set_attributes(tacit_schema *schema, json_t *json, const tct_json_at *at, tacit_error *err)
{
    const tct_json_at list = {.parent = at, .key = "attributes"};
    json_t *object = json_object_get(json, "attributes"), *member;
    const char *name;
    tacit_status st = TACIT_OK;

    if (object && !json_is_object(object))
        return tct_json_fail(at, "attributes", err, "expected an object");
    json_object_foreach(object, name, member)
    {
        const tct_json_at place = {.parent = &list, .key = name};
        size_t a = tacit_schema_find(schema, name);

        if (a == TACIT_NONE)
            return tct_json_fail(&list, name, err, "no such attribute");
        st = set_attribute(&schema->attributes[a], &schema->texts[a], member, &place, err);
        if (st)
            return st;
    }
    return TACIT_OK;
}

static tacit_status set_label(tacit_schema *schema, const json_t *json, const tct_json_at *at, tacit_error *err)
{
    tacit_status st = TACIT_OK;

    if (json_object_get(json, "label")) {
        tct_wording_clear(&schema->label_text);
        st = tct_wording_from_json(&schema->label_text, json, "label", at, err);
    }
    if (st || !json_object_get(json, "classes"))
        return st;
    for (size_t i = 0; schema->class_texts && i < schema->n_classes; i++)
        tct_wording_clear(&schema->class_texts[i]);
    tct_free(schema->class_texts);
    schema->class_texts = NULL;
    return tct_wordings_from_json(&schema->class_texts, (const char *const *)schema->classes, schema->n_classes, json,
                                  "classes", "class", at, err);
}

static tacit_status set_about(tacit_schema *schema, const json_t *json, const tct_json_at *at, tacit_error *err)
{
    const tct_json_at place = {.parent = at, .key = "about"};
    const json_t *about = json_object_get(json, "about");

    if (!about)
        return TACIT_OK;
    for (size_t i = 0; i < TCT_ABOUT; i++)
        if (json_object_get(about, tct_about_keys[i]))
            tct_wording_clear(&schema->about[i]);
    return tct_about_from_json(schema->about, about, &place, err);
}

tacit_status tacit_schema_set_texts(tacit_schema *schema, const char *text, tacit_error *err)
{
    static const char *const keys[] = {"label", "classes", "attributes", "about"};
    const tct_json_at at = {.file = "texts"};
    tacit_schema *copy = NULL, old;
    json_t *json = NULL;
    tacit_status st = tct_json_parse(&json, text, strlen(text), at.file, err);

    if (!st)
        st = tct_json_check_keys(json, keys, 4, &at, err);
    if (!st)
        st = tct_schema_copy(&copy, schema, err);
    if (!st && !(st = set_label(copy, json, &at, err)) && !(st = set_attributes(copy, json, &at, err)) &&
        !(st = set_about(copy, json, &at, err))) {
        old = *schema;
        *schema = *copy;
        *copy = old;
    }
    tacit_schema_free(copy);
    json_decref(json);
    return st;
}
