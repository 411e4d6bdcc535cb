/*
 * texts_json.c -- wordings as JSON: "text" for every language, or {"en": "text", "de": "Text"}.
 */
#include <string.h>

#include "json_put.h"
#include "names.h"
#include "schema.h"

#define MAX_LANGUAGES 20

/* ---- reading ---- */

static tacit_status check_language(const char *language, const tct_json_at *at, tacit_error *err)
{
    size_t size = strlen(language);

    if (size < 2 || size > 3 || strspn(language, "abcdefghijklmnopqrstuvwxyz") != size)
        return tct_json_fail(at, language, err, "expected a language of two or three small letters, such as \"en\"");
    return TACIT_OK;
}

static tacit_status add_saying(tct_wording *out, const char *language, const json_t *json, const char *key,
                               const tct_json_at *at, tacit_error *err)
{
    const char *text = json_string_value(json);
    const char *problem = text ? tct_name_problem(text, strlen(text), TCT_MAX_TEXT) : NULL;

    if (!text)
        return tct_json_fail(at, key, err, "expected a text");
    if (problem)
        return tct_json_fail(at, key, err, "the text %s", problem);
    return tct_wording_add(out, language, text, err);
}

tacit_status tct_wording_from_json(tct_wording *out, const json_t *object, const char *key, const tct_json_at *at,
                                   tacit_error *err)
{
    const tct_json_at inside = {.parent = at, .key = key};
    json_t *json = json_object_get(object, key), *member;
    const char *language;
    tacit_status st = TACIT_OK;

    if (!json)
        return TACIT_OK;
    if (!json_is_object(json))
        return add_saying(out, "", json, key, at, err);
    if (json_object_size(json) < 1 || json_object_size(json) > MAX_LANGUAGES)
        return tct_json_fail(at, key, err, "expected a text, or texts in 1 to %d languages", MAX_LANGUAGES);
    json_object_foreach(json, language, member)
    {
        st = check_language(language, &inside, err);
        if (!st)
            st = add_saying(out, language, member, language, &inside, err);
        if (st)
            return st;
    }
    return TACIT_OK;
}

tacit_status tct_asked_from_json(const char **out, tct_wording *wording, const json_t *object, const char *key,
                                 const tct_json_at *at, tacit_error *err)
{
    const char *problem;
    tacit_status st;

    if (json_is_object(json_object_get(object, key))) {
        st = tct_wording_from_json(wording, object, key, at, err);
        *out = tct_wording_pick(wording, NULL, NULL);
        return st;
    }
    st = tct_json_optional_string(out, object, key, at, err);
    problem = !st && *out && **out ? tct_name_problem(*out, strlen(*out), TCT_MAX_TEXT) : NULL;
    return problem ? tct_json_fail(at, key, err, "the text %s", problem) : st;
}

/* Every key of the member must be one of the codes. */
static tacit_status check_codes(json_t *json, const char *const *codes, size_t count, const char *what,
                                const tct_json_at *at, tacit_error *err)
{
    const char *key;
    json_t *member;

    json_object_foreach(json, key, member)
    {
        bool found = false;
        const char *close;

        for (size_t i = 0; i < count && !found; i++)
            found = strcmp(key, codes[i]) == 0;
        if (found)
            continue;
        close = tacit_suggest(key, codes, count);
        if (close)
            return tct_json_fail(at, key, err, "no such %s; did you mean %s?", what, close);
        return tct_json_fail(at, key, err, "no such %s", what);
    }
    return TACIT_OK;
}

tacit_status tct_wordings_from_json(tct_wording **out, const char *const *codes, size_t count, const json_t *object,
                                    const char *key, const char *what, const tct_json_at *at, tacit_error *err)
{
    const tct_json_at inside = {.parent = at, .key = key};
    json_t *json = json_object_get(object, key);
    tacit_status st;

    if (!json)
        return TACIT_OK;
    if (!json_is_object(json))
        return tct_json_fail(at, key, err, "expected an object");
    st = check_codes(json, codes, count, what, &inside, err);
    if (st || json_object_size(json) == 0)
        return st;
    *out = tct_calloc(count, sizeof(**out));
    if (!*out)
        return tct_fail_memory(err);
    for (size_t i = 0; !st && i < count; i++)
        st = tct_wording_from_json(&(*out)[i], json, codes[i], &inside, err);
    return st;
}

tacit_status tct_about_from_json(tct_wording *about, const json_t *json, const tct_json_at *at, tacit_error *err)
{
    tacit_status st = tct_json_check_keys(json, tct_about_keys, TCT_ABOUT, at, err);

    for (size_t i = 0; !st && i < TCT_ABOUT; i++) {
        const char *key = tct_about_keys[i], *text = NULL;

        if (i == TCT_ABOUT_FILE || i == TCT_ABOUT_SHA256) /* of no language */
            st = tct_json_optional_string(&text, json, key, at, err);
        if (text && i == TCT_ABOUT_SHA256 && (strlen(text) != 64 || strspn(text, "0123456789abcdef") != 64))
            st = tct_json_fail(at, key, err, "expected 64 hexadecimal digits in small letters");
        if (!st)
            st = tct_wording_from_json(&about[i], json, key, at, err);
    }
    return st;
}

/* ---- writing ---- */

static json_t *wording_to_json(const tct_wording *wording)
{
    json_t *json;

    if (wording->count == 1 && !wording->sayings[0].language[0])
        return json_string(wording->sayings[0].text);
    json = json_object();
    for (size_t i = 0; i < wording->count; i++)
        tct_put_text(&json, wording->sayings[i].language, wording->sayings[i].text);
    return json;
}

void tct_put_wording(json_t **object, const char *key, const tct_wording *wording)
{
    if (wording->count > 0)
        tct_put(object, key, wording_to_json(wording));
}

void tct_put_wordings(json_t **object, const char *key, const tct_wording *wordings, const char *const *codes,
                      size_t count)
{
    json_t *json;

    if (!wordings)
        return;
    json = json_object();
    for (size_t i = 0; i < count; i++)
        tct_put_wording(&json, codes[i], &wordings[i]);
    tct_put(object, key, json);
}

void tct_put_asked(json_t **object, const char *key, const char *text, const tct_wording *wording)
{
    tct_put(object, key, wording->count > 0 ? wording_to_json(wording) : json_string(text));
}

json_t *tct_about_to_json(const tct_wording *about, bool file)
{
    json_t *json = json_object();

    for (size_t i = 0; i < TCT_ABOUT; i++)
        if (file || (i != TCT_ABOUT_FILE && i != TCT_ABOUT_SHA256))
            tct_put_wording(&json, tct_about_keys[i], &about[i]);
    return json;
}

/* ---- everything that a schema shows ---- */

static json_t *describe_attribute(const tacit_schema *schema, size_t i)
{
    const tacit_attribute *a = &schema->attributes[i];
    const tct_attribute_texts *texts = &schema->texts[i];
    json_t *json = json_object();

    tct_put_wording(&json, "text", &texts->name);
    tct_put_wordings(&json, "texts", texts->levels, a->levels, a->n_levels);
    tct_put_asked(&json, "question", a->question, texts->made.count > 0 ? &texts->made : &texts->question);
    if (a->help[0])
        tct_put_asked(&json, "help", a->help, &texts->help);
    if (a->special[0])
        tct_put_text(&json, "special", a->special);
    return json;
}

json_t *tct_schema_texts_json(const tacit_schema *schema)
{
    json_t *json = json_object(), *attributes = json_object();

    for (size_t i = 0; i < schema->n_attributes; i++)
        tct_put(&attributes, schema->attributes[i].name, describe_attribute(schema, i));
    tct_put_wording(&json, "label", &schema->label_text);
    tct_put_wordings(&json, "classes", schema->class_texts, (const char *const *)schema->classes, schema->n_classes);
    tct_put(&json, "attributes", attributes);
    tct_put(&json, "about", tct_about_to_json(schema->about, true));
    return json;
}

tacit_status tacit_schema_texts(char **out, const tacit_schema *schema, tacit_error *err)
{
    json_t *json = tct_schema_texts_json(schema);
    size_t size = 0;
    tacit_status st;

    *out = NULL;
    st = json ? tct_json_dump(out, &size, json, err) : tct_fail_memory(err);
    json_decref(json);
    return st;
}
