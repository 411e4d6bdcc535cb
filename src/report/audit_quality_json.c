/*
 * audit_quality_json.c -- how good the data are: cells outside their domain, missing, unknown, and drift against
 * training; and how the people whom that touches are decided.
 */
#include "audit_quality_json.h"

#include <math.h>

#include "json_put.h"

json_t *tct_audit_cells_json(const tacit_audit *a)
{
    json_t *object = json_object();
    tacit_audit_quality q;

    for (size_t k = 0; tacit_audit_quality_get(a, k, &q); k++) {
        json_t *entry = json_object();

        tct_put_count(&entry, "clipped", q.clipped);
        tct_put_count(&entry, "missing", q.missing);
        tct_put_count(&entry, "unknown", q.unknown);
        tct_put(&object, q.name, entry);
    }
    return object;
}

/* What is left of the index when chance has its part: the usual words for it. */
static json_t *drift_json(const tacit_audit_quality *q)
{
    double left = q->psi - q->psi_by_chance;

    return isnan(left) ? json_null() : json_string(left < 0.1 ? "little" : left < 0.25 ? "some" : "strong");
}

json_t *tct_audit_quality_json(const tacit_audit *a)
{
    double people = (double)a->summary.people;
    json_t *object = json_object();
    tacit_audit_quality q;

    for (size_t k = 0; tacit_audit_quality_get(a, k, &q); k++) {
        json_t *entry = json_object();

        tct_put_number(&entry, "missing_share", (double)q.missing / people);
        tct_put_number(&entry, "clipped_share", (double)q.clipped / people);
        tct_put_number(&entry, "unknown_share", (double)q.unknown / people);
        tct_put_number(&entry, "training_missing_share", q.training_missing_share);
        tct_put_number(&entry, "training_clipped_share", q.training_clipped_share);
        tct_put_number(&entry, "psi", q.psi);
        tct_put_number(&entry, "psi_by_chance", q.psi_by_chance);
        tct_put(&entry, "drift", drift_json(&q));
        tct_put(&object, q.name, entry);
    }
    return object;
}

/* Figures of a handful of people would describe them. */
static json_t *touched_json(uint64_t people, uint64_t all, bool shown, double accuracy)
{
    json_t *object = json_object();

    tct_put_count(&object, "people", people);
    tct_put_number(&object, "share", (double)people / (double)all);
    tct_put_number(&object, "accuracy", shown ? accuracy : NAN);
    return object;
}

json_t *tct_audit_quality_people_json(const tacit_audit *a)
{
    const tacit_audit_summary *s = &a->summary;
    json_t *object = json_object();

    tct_put(&object, "clipped", touched_json(s->people_clipped, s->people, s->clipped_shown, s->clipped_accuracy));
    tct_put(&object, "missing", touched_json(s->people_missing, s->people, s->missing_shown, s->missing_accuracy));
    return object;
}

json_t *tct_audit_released_json(const tacit_audit *a, const tacit_audit_result *r)
{
    const tacit_audit_summary *s = &a->summary;
    double clipped = s->clipped_shown ? (double)s->people_clipped : NAN;
    double missing = s->missing_shown ? (double)s->people_missing : NAN;
    json_t *object = json_object(), *of_clipped = json_object(), *of_missing = json_object();

    tct_put_count(&of_clipped, "people", s->people_clipped);
    tct_put_number(&of_clipped, "fidelity", (double)r->clipped_agree / clipped);
    if (s->origin == TACIT_ORIGIN_IMPORTED)
        tct_put_number(&of_clipped, "fidelity_unclipped", (double)r->clipped_own / clipped);
    tct_put_count(&of_missing, "people", s->people_missing);
    tct_put_number(&of_missing, "fidelity", (double)r->missing_agree / missing);
    tct_put(&object, "clipped", of_clipped);
    tct_put(&object, "missing", of_missing);
    return object;
}
