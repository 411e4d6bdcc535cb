/*
 * groupings_json.c -- the groupings of an audit as JSON: what is shown of each, rates with their intervals, differences.
 *
 * Names of groups may be any bytes: the writer mends them.
 */
#include <math.h>

#include "audit_json.h"
#include "json_put.h"

static json_t *share_interval(const tacit_share *share)
{
    return tct_ends_json(share->low, share->high);
}

/* class -> share, or its interval. */
static json_t *by_class(const tacit_audit *a, const tacit_share *shares, bool intervals)
{
    json_t *object = json_object();

    for (size_t c = 0; c < a->n_classes; c++)
        tct_put_any(&object, a->classes[c], intervals ? share_interval(&shares[c]) : tct_json_number(shares[c].value));
    return object;
}

static json_t *failure_json(const tacit_audit_result *r)
{
    json_t *object = json_object();

    tct_put_number(&object, "promised", r->promised);
    tct_put_number(&object, "observed", r->observed);
    tct_put_number(&object, "low", r->low);
    tct_put_number(&object, "high", r->high);
    tct_put_count(&object, "people", r->stopped);
    tct_put_count(&object, "failed", r->failed);
    tct_put(&object, "state", json_string(tacit_promise_name(r->promise)));
    tct_put(&object, "more_people", r->more_people ? json_integer((json_int_t)r->more_people) : json_null());
    return object;
}

static json_t *intervals_json(const tacit_audit *a, const tacit_audit_rates *rates)
{
    json_t *object = json_object();

    tct_put(&object, "mean_asked", tct_ends_json(rates->mean_low, rates->mean_high));
    tct_put(&object, "fidelity", share_interval(&rates->fidelity));
    tct_put(&object, "accuracy", share_interval(&rates->accuracy));
    tct_put(&object, "selection_rate", by_class(a, rates->selection, true));
    if (a->n_classes == 2) {
        tct_put(&object, "false_positive_rate", share_interval(&rates->false_positive));
        tct_put(&object, "false_negative_rate", share_interval(&rates->false_negative));
    } else {
        tct_put(&object, "recall", by_class(a, rates->recall, true));
    }
    return object;
}

static json_t *result_json(const tacit_audit *a, const tacit_audit_result *r, const tacit_audit_rates *rates)
{
    json_t *object = json_object();

    tct_put_number(&object, "delta", r->delta);
    tct_put_number(&object, "mean_asked", r->mean_asked);
    tct_put_number(&object, "none_asked", r->none_asked);
    tct_put_number(&object, "fidelity", r->fidelity);
    tct_put_number(&object, "accuracy", r->accuracy);
    tct_put_count(&object, "labelled", rates->accuracy.of);
    tct_put(&object, "failure", failure_json(r));
    tct_put(&object, "selection_rate", by_class(a, rates->selection, false));
    if (a->n_classes == 2) {
        tct_put_number(&object, "false_positive_rate", rates->false_positive.value);
        tct_put_number(&object, "false_negative_rate", rates->false_negative.value);
    } else {
        tct_put(&object, "recall", by_class(a, rates->recall, false));
    }
    tct_put(&object, "intervals", intervals_json(a, rates));
    return object;
}

static json_t *group_json(const tacit_audit *a, size_t grouping, size_t g)
{
    const tacit_audit_group *group = tacit_audit_grouping_group(a, grouping, g);
    size_t columns = tacit_audit_grouping_get(a, grouping)->n_columns;
    json_t *object = json_object(), *names = json_array(), *results = json_array();

    tct_put(&object, "name", json_string_nocheck(group->name));
    for (size_t i = 0; group->names && i < columns; i++)
        tct_append(&names, json_string_nocheck(group->names[i]));
    tct_put(&object, "names", names);
    tct_put_count(&object, "people", group->people);
    tct_put(&object, "pooled", json_boolean(group->pooled));
    for (size_t d = 0; d < a->summary.n_results; d++)
        tct_append(&results, result_json(a, tacit_audit_grouping_result(a, grouping, g, d),
                                         tacit_audit_grouping_rates(a, grouping, g, d)));
    tct_put(&object, "results", results);
    return object;
}

/* One end of a difference. */
static json_t *end_json(const tacit_audit *a, size_t grouping, size_t group, double value)
{
    json_t *object = json_object();

    tct_put(&object, "name", json_string_nocheck(tacit_audit_grouping_group(a, grouping, group)->name));
    tct_put_number(&object, "value", value);
    return object;
}

static json_t *difference_json(const tacit_audit *a, size_t grouping, const tacit_audit_difference *d)
{
    json_t *object = json_object();

    tct_put(&object, "figure", json_string(d->figure));
    if (d->class_name)
        tct_put(&object, "class", json_string_nocheck(d->class_name));
    tct_put_number(&object, "delta", a->results[d->delta_index].delta);
    tct_put(&object, "high", end_json(a, grouping, d->high_group, d->high));
    tct_put(&object, "low", end_json(a, grouping, d->low_group, d->low));
    tct_put_number(&object, "difference", d->difference);
    tct_put_number(&object, "low_end", d->low_end);
    tct_put_number(&object, "high_end", d->high_end);
    tct_put_count(&object, "pairs", d->pairs);
    tct_put(&object, "beyond_noise", json_boolean(d->beyond_noise));
    return object;
}

static json_t *bins_json(const tacit_audit_grouping *g)
{
    json_t *bins = json_array();

    for (size_t i = 0; i < g->n_columns; i++)
        tct_append(&bins, g->edges[i] ? tct_json_numbers(g->edges[i], g->n_edges[i]) : json_null());
    return bins;
}

static json_t *grouping_json(const tacit_audit *a, size_t grouping)
{
    const tacit_audit_grouping *g = tacit_audit_grouping_get(a, grouping);
    json_t *object = json_object(), *columns = json_array(), *list = json_array(), *differences = json_array();
    bool binned = false;

    for (size_t i = 0; i < g->n_columns; i++) {
        tct_append(&columns, json_string_nocheck(g->columns[i]));
        binned = binned || g->edges[i];
    }
    tct_put(&object, "name", json_string_nocheck(g->name));
    tct_put(&object, "columns", columns);
    if (binned)
        tct_put(&object, "bins", bins_json(g));
    if (a->n_classes == 2)
        tct_put(&object, "positive_class", json_string_nocheck(a->classes[1]));
    for (size_t i = 0; i < g->n_groups + (g->pooled_groups > 0); i++)
        if (tacit_audit_grouping_group(a, grouping, i)->shown)
            tct_append(&list, group_json(a, grouping, i));
    tct_put(&object, "list", list);
    tct_put(&object, "everybody", group_json(a, grouping, TACIT_NONE));
    tct_put_count(&object, "suppressed", g->suppressed);
    tct_put_count(&object, "pooled_groups", g->pooled_groups);
    tct_put_count(&object, "least_people", TCT_SMALL_GROUP);
    tct_put(&object, "withheld", json_boolean(g->withheld));
    for (size_t i = 0; i < g->n_differences; i++)
        tct_append(&differences, difference_json(a, grouping, &g->differences[i]));
    tct_put(&object, "differences", differences);
    return object;
}

json_t *tct_groupings_json(const tacit_audit *a)
{
    json_t *list = json_array();

    for (size_t i = 0; i < tacit_audit_groupings(a); i++)
        tct_append(&list, grouping_json(a, i));
    return list;
}
