/*
 * audit_decided_json.c -- what is decided, from what, and how well: a report that does not say this says nothing.
 */
#include "audit_decided_json.h"

#include "describe.h"
#include "json_put.h"

static double share(uint64_t some, uint64_t all)
{
    return (double)some / (double)all; /* NaN, written as null, when there is nobody */
}

static json_t *class_json(const tacit_audit *a, size_t c)
{
    const tacit_audit_summary *s = &a->summary;
    const json_t *described = tct_describe_class(a->describe, c);
    json_t *object = json_object();

    tct_put_text(&object, "name", tct_describe_name(described));
    tct_put_same(&object, described, "text");
    tct_put_count(&object, "decided", s->decided[c]);
    tct_put_number(&object, "share_decided", share(s->decided[c], s->people));
    tct_put(&object, "true", s->labelled ? json_integer((json_int_t)s->truth[c]) : json_null());
    tct_put_number(&object, "share_true", share(s->truth[c], s->labelled));
    return object;
}

json_t *tct_audit_label_json(const tacit_audit *a)
{
    json_t *object = json_object(), *classes = json_array();

    tct_put_text(&object, "name", tct_describe_label(a->describe));
    tct_put_same(&object, json_object_get(a->describe, "label"), "text");
    for (size_t c = 0; c < a->summary.n_classes; c++)
        tct_append(&classes, class_json(a, c));
    tct_put(&object, "classes", classes);
    return object;
}

void tct_audit_put_description(json_t **object, const tacit_audit *a, size_t attribute)
{
    static const char *const keys[] = {"question", "question_text", "text", "special", "missing_is_value", "type"};
    const json_t *described = tct_describe_attribute(a->describe, attribute);

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        tct_put_same(object, described, keys[i]);
}

json_t *tct_audit_public_json(const tacit_audit *a)
{
    json_t *list = json_array();

    for (size_t k = 0; k < tct_describe_attributes(a->describe); k++) {
        const json_t *described = tct_describe_attribute(a->describe, k);

        if (tct_describe_is_public(described))
            tct_append(&list, json_string(tct_describe_name(described)));
    }
    return list;
}

json_t *tct_audit_public_attributes_json(const tacit_audit *a)
{
    json_t *list = json_array();

    for (size_t k = 0; k < tct_describe_attributes(a->describe); k++) {
        const json_t *described = tct_describe_attribute(a->describe, k);
        json_t *object;

        if (!tct_describe_is_public(described))
            continue;
        object = json_object();
        tct_put_text(&object, "name", tct_describe_name(described));
        tct_audit_put_description(&object, a, k);
        tct_append(&list, object);
    }
    return list;
}

/* Rows are outcomes, columns decisions; null when no outcome is known. */
static json_t *confusion_json(const tacit_audit_summary *s)
{
    json_t *rows = json_array();

    if (!s->labelled) {
        json_decref(rows);
        return json_null();
    }
    for (size_t t = 0; t < s->n_classes; t++)
        tct_append(&rows, tct_counts_json(s->confusion + t * s->n_classes, s->n_classes));
    return rows;
}

json_t *tct_audit_baseline_json(const tacit_audit *a)
{
    const tacit_audit_summary *s = &a->summary;
    const tacit_baseline *b = &s->baseline;
    const char *state = tacit_usefulness_name(b->state);
    json_t *object = json_object();

    tct_put_count(&object, "mean_asked", s->n_sensitive);
    tct_put_number(&object, "accuracy", s->baseline_accuracy);
    tct_put_number(&object, "accuracy_low", b->accuracy_low);
    tct_put_number(&object, "accuracy_high", b->accuracy_high);
    tct_put(&object, "majority_class",
            b->majority_class == TACIT_NONE ? json_null() : json_string(tacit_audit_class(a, b->majority_class)));
    tct_put_number(&object, "majority_accuracy", b->majority_accuracy);
    tct_put_number(&object, "gain", b->gain);
    tct_put_number(&object, "gain_low", b->gain_low);
    tct_put_number(&object, "gain_high", b->gain_high);
    tct_put(&object, "state", state ? json_string(state) : json_null());
    tct_put(&object, "useful",
            b->state == TACIT_USE_BETTER      ? json_true()
            : b->state == TACIT_USE_NO_BETTER ? json_false()
                                              : json_null());
    tct_put(&object, "confusion", confusion_json(s));
    if (s->origin == TACIT_ORIGIN_IMPORTED) {
        json_t *unclipped = json_object();

        tct_put_count(&unclipped, "people", s->unclipped);
        tct_put(&unclipped, "agree", s->unclipped_shown ? json_integer((json_int_t)s->unclipped_agree) : json_null());
        tct_put(&object, "unclipped", unclipped);
    }
    return object;
}
