/*
 * audit_about.c -- what is said about an audit from outside: a file that answers for the processing (purpose, controller,
 * legal basis, ...), and the document of `tacit necessity`; both go into the audit's JSON.
 */
#include <string.h>

#include "audit_json.h"
#include "parts.h"

static const char *const keys[] = {"title",   "source",      "licence",    "file",           "sha256",
                                   "note",    "purpose",     "controller", "legal_basis",    "retention",
                                   "contact", "model_owner", "date",       "privacy_notice", "human_review"};

static bool is_key(const char *key)
{
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(key, keys[i]) == 0)
            return true;
    return false;
}

/* A text: a string, or an object of "en" and "de". */
static tacit_status check_text(json_t *text, const char *key, const tct_json_at *at, tacit_error *err)
{
    const char *lang;
    json_t *one;

    if (json_is_string(text))
        return TACIT_OK;
    if (!json_is_object(text))
        return tct_json_fail(at, key, err, "must be a text: a string, or an object with \"en\" and \"de\"");
    json_object_foreach(
        (json_t *)text, lang,
        one) if ((strcmp(lang, "en") != 0 && strcmp(lang, "de") != 0) ||
                 !json_is_string(one)) return tct_json_fail(at, key, err,
                                                            "may have the members \"en\" and \"de\", each a string");
    return TACIT_OK;
}

static tacit_status read_about(json_t **out, const char *text, tacit_error *err)
{
    tct_json_at at = {.file = "about"};
    const char *key;
    json_t *value;
    tacit_status st = tct_json_parse(out, text, strlen(text), "about", err);

    if (st)
        return st;
    if (!json_is_object(*out))
        st = tct_fail(err, TACIT_E_INPUT, "about: must be an object");
    else
        json_object_foreach(*out, key, value)
        {
            if (!is_key(key))
                st = tct_json_fail(&at, key, err,
                                   "is not known: title, purpose, controller, legal_basis, retention, "
                                   "contact, model_owner, date, privacy_notice, human_review, source, "
                                   "licence, file, sha256 or note");
            else
                st = check_text(value, key, &at, err);
            if (st)
                break;
        }
    if (st) {
        json_decref(*out);
        *out = NULL;
    }
    return st;
}

/* What is said now goes before what the model says. */
static tacit_status add_about(json_t *audit, const char *text, tacit_error *err)
{
    json_t *said = NULL, *merged = NULL;
    json_t *before = json_object_get(audit, "about");
    tacit_status st = read_about(&said, text, err);

    if (st)
        return st;
    merged = before ? json_copy(before) : json_object(); /* the model keeps its own */
    if (!merged || json_object_update(merged, said) || json_object_set(audit, "about", merged))
        st = tct_fail_memory(err);
    json_decref(said);
    json_decref(merged);
    return st;
}

static tacit_status add_necessity(json_t *audit, const char *text, tacit_error *err)
{
    json_t *necessity = NULL;
    tacit_status st = tct_necessity_read(&necessity, text, err);

    if (!st && json_object_set_new(audit, "necessity", necessity))
        st = tct_fail_memory(err);
    return st;
}

tacit_status tct_audit_document(json_t **out, const tacit_audit *audit, const tacit_audit_provenance *about,
                                tacit_error *err)
{
    tacit_status st;

    *out = tct_audit_to_json(audit, about);
    st = *out ? TACIT_OK : tct_fail_memory(err);
    if (!st && about && about->about_json)
        st = add_about(*out, about->about_json, err);
    if (!st && about && about->necessity)
        st = add_necessity(*out, about->necessity, err);
    if (st) {
        json_decref(*out);
        *out = NULL;
    }
    return st;
}

tacit_status tacit_report_check(const tacit_audit_provenance *about, tacit_error *err)
{
    tacit_audit_provenance own;
    json_t *json = NULL;
    tct_html page;
    tacit_status st = TCT_OPTIONS_TAKE(&own, tacit_audit_provenance, necessity, about, err);

    if (!st)
        st = tct_html_begin(&page, own.lang, err);
    if (!st && own.about_json)
        st = read_about(&json, own.about_json, err);
    json_decref(json);
    json = NULL;
    if (!st && own.necessity)
        st = tct_necessity_read(&json, own.necessity, err);
    json_decref(json);
    return st;
}
