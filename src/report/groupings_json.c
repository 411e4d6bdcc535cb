/*
 * groupings_json.c -- the groupings of an audit as JSON: what is shown of each, rates with their intervals, differences.
 *
 * Names of groups may be any bytes: the writer mends them.
 */
#include <math.h>

#include "audit_json.h"

/* Takes the value over; a NULL one, for lack of memory, makes it fail for good. */
static void put(json_t **object, const char *key, json_t *value)
{
    if (*object && json_object_set_new_nocheck(*object, key, value) != 0) {
        json_decref(*object);
        *object = NULL;
    } else if (!*object) {
        json_decref(value);
    }
}

static void append(json_t **list, json_t *value)
{
    if (*list && json_array_append_new(*list, value) != 0) {
        json_decref(*list);
        *list = NULL;
    } else if (!*list) {
        json_decref(value);
    }
}

static void put_count(json_t **object, const char *key, uint64_t count)
{
    put(object, key, json_integer((json_int_t)count));
}

static json_t *interval_json(double low, double high)
{
    const double ends[] = {low, high};

    return tct_json_numbers(ends, 2);
}

static json_t *share_interval(const tacit_share *share)
{
    return interval_json(share->low, share->high);
}

/* class -> share, or its interval. */
static json_t *by_class(const tacit_audit *a, const tacit_share *shares, bool intervals)
{
    json_t *object = json_object();

    for (size_t c = 0; c < a->n_classes; c++)
        put(&object, a->classes[c], intervals ? share_interval(&shares[c]) : tct_json_number(shares[c].value));
    return object;
}

static json_t *failure_json(const tacit_audit_result *r)
{
    json_t *object = json_object();

    put(&object, "promised", tct_json_number(r->promised));
    put(&object, "observed", tct_json_number(r->observed));
    put(&object, "low", tct_json_number(r->low));
    put(&object, "high", tct_json_number(r->high));
    put_count(&object, "people", r->stopped);
    put_count(&object, "failed", r->failed);
    put(&object, "state", json_string(tacit_promise_name(r->promise)));
    put(&object, "more_people", r->more_people ? json_integer((json_int_t)r->more_people) : json_null());
    return object;
}

static json_t *intervals_json(const tacit_audit *a, const tacit_audit_rates *rates)
{
    json_t *object = json_object();

    put(&object, "mean_asked", interval_json(rates->mean_low, rates->mean_high));
    put(&object, "fidelity", share_interval(&rates->fidelity));
    put(&object, "accuracy", share_interval(&rates->accuracy));
    put(&object, "selection_rate", by_class(a, rates->selection, true));
    if (a->n_classes == 2) {
        put(&object, "false_positive_rate", share_interval(&rates->false_positive));
        put(&object, "false_negative_rate", share_interval(&rates->false_negative));
    } else {
        put(&object, "recall", by_class(a, rates->recall, true));
    }
    return object;
}

static json_t *result_json(const tacit_audit *a, const tacit_audit_result *r, const tacit_audit_rates *rates)
{
    json_t *object = json_object();

    put(&object, "delta", tct_json_number(r->delta));
    put(&object, "mean_asked", tct_json_number(r->mean_asked));
    put(&object, "none_asked", tct_json_number(r->none_asked));
    put(&object, "fidelity", tct_json_number(r->fidelity));
    put(&object, "accuracy", tct_json_number(r->accuracy));
    put_count(&object, "labelled", rates->accuracy.of);
    put(&object, "failure", failure_json(r));
    put(&object, "selection_rate", by_class(a, rates->selection, false));
    if (a->n_classes == 2) {
        put(&object, "false_positive_rate", tct_json_number(rates->false_positive.value));
        put(&object, "false_negative_rate", tct_json_number(rates->false_negative.value));
    } else {
        put(&object, "recall", by_class(a, rates->recall, false));
    }
    put(&object, "intervals", intervals_json(a, rates));
    return object;
}

static json_t *group_json(const tacit_audit *a, size_t grouping, size_t g)
{
    const tacit_audit_group *group = tacit_audit_grouping_group(a, grouping, g);
    size_t columns = tacit_audit_grouping_get(a, grouping)->n_columns;
    json_t *object = json_object(), *names = json_array(), *results = json_array();

    put(&object, "name", json_string_nocheck(group->name));
    for (size_t i = 0; group->names && i < columns; i++)
        append(&names, json_string_nocheck(group->names[i]));
    put(&object, "names", names);
    put_count(&object, "people", group->people);
    put(&object, "pooled", json_boolean(group->pooled));
    for (size_t d = 0; d < a->summary.n_results; d++)
        append(&results, result_json(a, tacit_audit_grouping_result(a, grouping, g, d),
                                     tacit_audit_grouping_rates(a, grouping, g, d)));
    put(&object, "results", results);
    return object;
}

/* One end of a difference. */
static json_t *end_json(const tacit_audit *a, size_t grouping, size_t group, double value)
{
    json_t *object = json_object();

    put(&object, "name", json_string_nocheck(tacit_audit_grouping_group(a, grouping, group)->name));
    put(&object, "value", tct_json_number(value));
    return object;
}

static json_t *difference_json(const tacit_audit *a, size_t grouping, const tacit_audit_difference *d)
{
    json_t *object = json_object();

    put(&object, "figure", json_string(d->figure));
    if (d->class_name)
        put(&object, "class", json_string_nocheck(d->class_name));
    put(&object, "delta", tct_json_number(a->results[d->delta_index].delta));
    put(&object, "high", end_json(a, grouping, d->high_group, d->high));
    put(&object, "low", end_json(a, grouping, d->low_group, d->low));
    put(&object, "difference", tct_json_number(d->difference));
    put(&object, "low_end", tct_json_number(d->low_end));
    put(&object, "high_end", tct_json_number(d->high_end));
    put_count(&object, "pairs", d->pairs);
    put(&object, "beyond_noise", json_boolean(d->beyond_noise));
    return object;
}

static json_t *bins_json(const tacit_audit_grouping *g)
{
    json_t *bins = json_array();

    for (size_t i = 0; i < g->n_columns; i++)
        append(&bins, g->edges[i] ? tct_json_numbers(g->edges[i], g->n_edges[i]) : json_null());
    return bins;
}

static json_t *grouping_json(const tacit_audit *a, size_t grouping)
{
    const tacit_audit_grouping *g = tacit_audit_grouping_get(a, grouping);
    json_t *object = json_object(), *columns = json_array(), *list = json_array(), *differences = json_array();
    bool binned = false;

    for (size_t i = 0; i < g->n_columns; i++) {
        append(&columns, json_string_nocheck(g->columns[i]));
        binned = binned || g->edges[i];
    }
    put(&object, "name", json_string_nocheck(g->name));
    put(&object, "columns", columns);
    if (binned)
        put(&object, "bins", bins_json(g));
    if (a->n_classes == 2)
        put(&object, "positive_class", json_string_nocheck(a->classes[1]));
    for (size_t i = 0; i < g->n_groups + (g->pooled_groups > 0); i++)
        if (tacit_audit_grouping_group(a, grouping, i)->shown)
            append(&list, group_json(a, grouping, i));
    put(&object, "list", list);
    put(&object, "everybody", group_json(a, grouping, TACIT_NONE));
    put_count(&object, "suppressed", g->suppressed);
    put_count(&object, "pooled_groups", g->pooled_groups);
    put_count(&object, "least_people", TCT_SMALL_GROUP);
    put(&object, "withheld", json_boolean(g->withheld));
    for (size_t i = 0; i < g->n_differences; i++)
        append(&differences, difference_json(a, grouping, &g->differences[i]));
    put(&object, "differences", differences);
    return object;
}

json_t *tct_groupings_json(const tacit_audit *a)
{
    json_t *list = json_array();

    for (size_t i = 0; i < tacit_audit_groupings(a); i++)
        append(&list, grouping_json(a, i));
    return list;
}
