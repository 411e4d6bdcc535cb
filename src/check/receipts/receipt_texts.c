/*
 * receipt_texts.c -- what a receipt says beside its codes: texts to show, whom to turn to, its own number and time.
 *
 * Texts and notices come from the model alone, so that the check makes them again and compares: nobody can put other
 * words beside a decision.  Number and time come from whoever writes the receipt; the library reads a clock only when
 * asked to.
 */
#include <sodium.h>
#include <string.h>
#include <time.h>

#include "json_put.h"
#include "receipt.h"

/* What the person who is decided about should find in the receipt. */
static const char *const NOTICES[] = {"purpose", "controller",     "legal_basis", "retention",
                                      "contact", "privacy_notice", "human_review"};

/* Texts of those answers that are levels, where there are any. */
static void put_values(json_t **values, const tacit_schema *schema, const json_t *answers)
{
    for (size_t i = 0; i < json_array_size(answers); i++) {
        const json_t *answer = json_array_get(answers, i);
        const char *name = json_string_value(json_object_get(answer, "attribute"));
        const char *value = json_string_value(json_object_get(answer, "value"));
        size_t a = name ? tacit_schema_find(schema, name) : TACIT_NONE;

        if (a == TACIT_NONE || !value || !schema->texts[a].levels)
            continue;
        for (size_t k = 0; k < schema->attributes[a].n_levels; k++)
            if (strcmp(schema->attributes[a].levels[k], value) == 0)
                tct_put_wording(values, name, &schema->texts[a].levels[k]);
    }
}

json_t *tct_receipt_texts(const tacit_schema *schema, size_t label, const json_t *asked, const json_t *given)
{
    json_t *json = json_object(), *names = json_object(), *values = json_object();

    tct_put_wording(&json, "label", &schema->label_text);
    if (schema->class_texts)
        tct_put_wording(&json, "decision", &schema->class_texts[label]);
    for (size_t a = 0; a < schema->n_attributes; a++)
        tct_put_wording(&names, schema->attributes[a].name, &schema->texts[a].name);
    put_values(&values, schema, asked);
    put_values(&values, schema, given);
    tct_put_filled(&json, "attributes", names);
    tct_put_filled(&json, "values", values);
    return json;
}

json_t *tct_receipt_notices(const tacit_schema *schema)
{
    json_t *json = json_object();

    for (size_t n = 0; n < sizeof(NOTICES) / sizeof(NOTICES[0]); n++)
        for (size_t i = 0; i < TCT_ABOUT; i++)
            if (strcmp(NOTICES[n], tct_about_keys[i]) == 0)
                tct_put_wording(&json, NOTICES[n], &schema->about[i]);
    return json;
}

/* ---- number and time ---- */

static bool two_digits(const char *text, int least, int most)
{
    int value = (text[0] - '0') * 10 + (text[1] - '0');

    return value >= least && value <= most;
}

bool tct_receipt_is_time(const char *text)
{
    static const char FORM[] = "dddd-dd-ddTdd:dd:ddZ";

    if (strlen(text) != sizeof(FORM) - 1)
        return false;
    for (size_t i = 0; FORM[i]; i++)
        if (FORM[i] == 'd' ? text[i] < '0' || text[i] > '9' : text[i] != FORM[i])
            return false;
    return two_digits(text + 5, 1, 12) && two_digits(text + 8, 1, 31) && two_digits(text + 11, 0, 23) &&
           two_digits(text + 14, 0, 59) && two_digits(text + 17, 0, 60);
}

bool tct_receipt_is_id(const char *text)
{
    return strlen(text) == TCT_RECEIPT_ID && strspn(text, "0123456789abcdef") == TCT_RECEIPT_ID;
}

tacit_status tacit_receipt_stamp_at(tacit_receipt_stamp *out, int64_t seconds, tacit_error *err)
{
    unsigned char bytes[TCT_RECEIPT_ID / 2];
    time_t now = (time_t)seconds;
    struct tm utc;

    memset(out, 0, sizeof(*out));
    if (sodium_init() < 0)
        return tct_fail(err, TACIT_E_INTERNAL, "there are no random numbers");
    randombytes_buf(bytes, sizeof(bytes));
    sodium_bin2hex(out->id, sizeof(out->id), bytes, sizeof(bytes));
    if (!gmtime_r(&now, &utc) || strftime(out->time, sizeof(out->time), "%Y-%m-%dT%H:%M:%SZ", &utc) != 20)
        return tct_fail(err, TACIT_E_INTERNAL, "the clock shows no time that could be written down");
    return TACIT_OK;
}

tacit_status tacit_receipt_stamp_now(tacit_receipt_stamp *out, tacit_error *err)
{
    return tacit_receipt_stamp_at(out, (int64_t)time(NULL), err);
}
