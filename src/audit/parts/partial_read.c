/*
 * partial_read.c -- reading a part of an audit.
 *
 * Nothing is trusted: lists have the length they must have, nobody is counted who is not there, people counted one way
 * are as many as counted another way, and the groups add up to everybody.
 */
#include <math.h>
#include <string.h>

#include "describe.h"
#include "json.h"
#include "partial.h"

/* More people than there will ever be, and few enough that sums of counts stay below 2^63. */
static const uint64_t MOST_PEOPLE = (uint64_t)1 << 40;
static const uint64_t MOST_CELLS = (uint64_t)1 << 50;
enum { MOST_PROMISES = 1000 };

static bool is_hash(const char *text)
{
    return strlen(text) == 64 && strspn(text, "0123456789abcdef") == 64;
}

static tacit_status read_members(void *base, const tct_member *members, size_t n, const json_t *json,
                                 const tct_json_at *at, tacit_error *err)
{
    tacit_status st = TACIT_OK;

    for (size_t i = 0; i < n && !st; i++) {
        uint64_t *count = tct_member_of(base, &members[i]);

        st = tct_json_get_count(count, json, members[i].key, at, err);
        if (!st && *count > MOST_CELLS)
            st = tct_json_fail(at, members[i].key, err, "expected a smaller count");
    }
    return st;
}

/* `n` counts, none above `most`, and their sum. */
static tacit_status read_counts(uint64_t *out, size_t n, uint64_t most, uint64_t *sum, const json_t *json,
                                const char *key, const tct_json_at *at, tacit_error *err)
{
    tacit_status st = tct_json_get_counts(out, n, most, json, key, at, err);

    *sum = 0;
    for (size_t i = 0; i < n && !st; i++)
        *sum += out[i];
    return st;
}

static tacit_status read_tally(tct_tally *t, bool exact, const json_t *json, const tct_json_at *at, tacit_error *err)
{
    uint64_t people, asked, total = 0;
    tacit_status st = read_members(t, tct_tally_members, TCT_TALLY_MEMBERS, json, at, err);

    if (!st && t->people > MOST_PEOPLE)
        st = tct_json_fail(at, "people", err, "more than can be counted");
    if (!st)
        st = read_counts(t->histogram, t->n_sensitive + 1, t->people, &people, json, "histogram", at, err);
    if (!st)
        st = read_counts(t->asked, t->n_sensitive, t->people, &asked, json, "asked", at, err);
    if (st)
        return st;
    if (t->labelled > t->people || t->agree > t->people || t->correct > t->labelled || t->failed > t->stopped ||
        t->certain + t->likely + t->all_revealed != t->people || t->stopped != (exact ? t->certain : t->likely) ||
        t->failed > t->people - t->agree)
        return tct_json_fail(at, NULL, err, "the counts contradict each other");
    for (size_t k = 1; k <= t->n_sensitive; k++)
        total += k * t->histogram[k];
    if (people != t->people)
        return tct_json_fail(at, "histogram", err, "does not add up to the people");
    if (asked != total)
        return tct_json_fail(at, "asked", err, "does not add up to the histogram's");
    return TACIT_OK;
}

/* What could have been kept: nobody can spare what was not asked for, nor what is indispensable. */
static tacit_status read_needs(const tacit_audit *a, tct_tally *t, const json_t *json, const tct_json_at *at,
                               tacit_error *err)
{
    uint64_t most = a->no_needs ? 0 : t->people, sum = 0, spare = 0;
    bool wrong = false;
    tacit_status st = TACIT_OK;

    for (size_t i = 0; i < TCT_NEED_LISTS && !st; i++)
        st = read_counts(t->indispensable + i * (t->n_sensitive + 1), t->n_sensitive, most, &sum, json,
                         tct_need_lists[i], at, err);
    for (size_t i = 0; i < t->n_sensitive && !st; i++) {
        spare += t->spare[i];
        wrong = wrong || t->spare[i] + t->others[i] > t->asked[i] ||
                t->indispensable[i] + t->undecided[i] > t->people ||
                t->spare[i] + t->others[i] > t->people - t->indispensable[i] - t->undecided[i] ||
                (t->undecided[i] && !a->needs_undecided) || t->spare[i] > t->spare_people;
    }
    if (!st && (wrong || t->spare_people > spare || t->spare_people > t->people))
        st = tct_json_fail(at, NULL, err, "the counts contradict each other");
    return st;
}

/* By label: everybody who stopped, and who failed, once. */
static tacit_status read_labels(tct_tally *t, const json_t *json, const tct_json_at *at, tacit_error *err)
{
    uint64_t stopped = 0, failed = 0;
    bool wrong = false;
    tacit_status st = TACIT_OK;

    if (t->n_labels == 0)
        return TACIT_OK;
    st = read_counts(t->label_stopped, t->n_labels, t->stopped, &stopped, json, "label_stopped", at, err);
    if (!st)
        st = read_counts(t->label_failed, t->n_labels, t->failed, &failed, json, "label_failed", at, err);
    for (size_t c = 0; c < t->n_labels && !st; c++)
        wrong = wrong || t->label_failed[c] > t->label_stopped[c];
    if (!st && (wrong || stopped != t->stopped || failed != t->failed))
        st = tct_json_fail(at, "label_stopped", err, "does not add up to the people stopped");
    return st;
}

/* One tally per promise, all about the same people. */
tacit_status tct_partial_read_results(const tacit_audit *a, tct_tally **tallies, const json_t *json,
                                      const tct_json_at *at, tacit_error *err)
{
    tct_json_at inside = {.parent = at, .key = "results"};
    json_t *list;
    tacit_status st = tct_json_get_array(&list, json, "results", at, err);

    if (!st && json_array_size(list) != a->summary.n_results)
        st = tct_json_fail(at, "results", err, "expected %zu entries, not %zu", a->summary.n_results,
                           json_array_size(list));
    for (size_t i = 0; i < a->summary.n_results && !st; i++) {
        tct_json_at item = {.parent = &inside, .index = i};

        st = read_tally(tallies[i], a->results[i].delta == 0, json_array_get(list, i), &item, err);
        if (!st)
            st = read_needs(a, tallies[i], json_array_get(list, i), &item, err);
        if (!st)
            st = read_labels(tallies[i], json_array_get(list, i), &item, err);
        if (!st && (tallies[i]->people != tallies[0]->people || tallies[i]->labelled != tallies[0]->labelled ||
                    memcmp(tallies[i]->indispensable, tallies[0]->indispensable, /* and undecided behind it */
                           2 * (tallies[i]->n_sensitive + 1) * sizeof(uint64_t)) != 0))
            st = tct_json_fail(&item, NULL, err, "not about the people of the first one");
    }
    return st;
}

/* Counts by octave: with all that count, and nothing else, they are the counts told before. */
static tacit_status read_octaves(const tacit_audit *a, const json_t *list, const tct_json_at *at, tacit_error *err)
{
    tct_json_at inside = {.parent = at, .key = "opt_octaves"};
    tct_census *c = a->census;
    size_t n = a->summary.n_sensitive;
    tct_opt_counts sum;
    tacit_status st =
        json_is_array(list) && !a->no_opt && a->opt_share == 1
            ? TACIT_OK
            : tct_json_fail(at, "opt_octaves", err, "expected a list, and smallest sets of no given share");

    if (!st)
        st = tct_census_count_octaves(c, err);
    for (size_t i = 0; !st && i < json_array_size(list); i++) {
        tct_json_at item = {.parent = &inside, .index = i};
        const json_t *object = json_array_get(list, i);
        uint64_t octave = 0, ignored;
        tct_opt_counts *o;

        st = tct_json_get_count(&octave, object, "octave", &item, err);
        if (!st && (octave < tct_opt_level(c->people) || octave >= TCT_OCTAVES))
            st = tct_json_fail(&item, "octave", err, "not one that counts");
        if (st)
            break;
        o = &c->octaves[octave];
        if ((st = tct_json_get_count(&o->inexact, object, "inexact", &item, err)) ||
            (st = tct_json_get_count(&o->slack, object, "slack", &item, err)) ||
            (st = read_counts(o->histogram, n + 1, c->people, &ignored, object, "histogram", &item, err)) ||
            (st = read_counts(o->members, n, c->people, &ignored, object, "members", &item, err)))
            break;
        if (o->inexact > c->people || o->slack > n * o->inexact)
            st = tct_json_fail(&item, NULL, err, "the counts contradict each other");
    }
    if (!st)
        st = tct_opt_counts_new(&sum, n, err);
    if (st)
        return st;
    tct_opt_pick(&sum, c->octaves, c->people, n);
    if (sum.inexact != c->opt.inexact || sum.slack != c->opt.slack ||
        memcmp(sum.histogram, c->opt.histogram, (2 * n + 1) * sizeof *sum.histogram) != 0)
        st = tct_json_fail(at, "opt_octaves", err, "do not add up to the counts of smallest sets");
    tct_opt_counts_clear(&sum);
    return st;
}

static tacit_status read_census(tacit_audit *a, const json_t *json, const tct_json_at *at, tacit_error *err)
{
    tct_json_at inside = {.parent = at, .key = "census"};
    size_t n = a->summary.n_sensitive;
    uint64_t people = 0, ignored;
    tct_census *c = a->census;
    json_t *object;
    tacit_status st = tct_json_get(&object, json, "census", at, err);

    if (!st)
        st = read_members(c, tct_census_members, TCT_CENSUS_MEMBERS, object, &inside, err);
    if (!st && c->people > MOST_PEOPLE)
        st = tct_json_fail(&inside, "people", err, "more than can be counted");
    if (!st)
        st = read_counts(c->opt.histogram, n + 1, c->people, &people, object, "opt_histogram", &inside, err);
    if (!st)
        st = read_counts(c->opt.members, n, a->no_opt ? 0 : c->people, &ignored, object, "opt_members", &inside, err);
    if (!st && json_object_get(object, "opt_octaves"))
        st = read_octaves(a, json_object_get(object, "opt_octaves"), &inside, err);
    if (st)
        return st;
    if (tct_audit_opt_share(a) < 1 ? people > c->people : people != (a->no_opt ? 0 : c->people))
        return tct_json_fail(&inside, "opt_histogram", err, "does not add up to the people");
    if (c->labelled > c->people || c->baseline_correct > c->labelled || c->opt.inexact > people ||
        c->opt.slack > n * c->opt.inexact || (!a->unknown_as_missing && c->cells.unknown > 0))
        return tct_json_fail(&inside, NULL, err, "the counts contradict each other");
    return TACIT_OK;
}

static tacit_status read_sources(tacit_audit *a, const json_t *json, const tct_json_at *at, tacit_error *err)
{
    tct_json_at inside = {.parent = at, .key = "files"};
    uint64_t total = 0;
    json_t *list;
    tacit_status st = tct_json_get_array(&list, json, "files", at, err);

    for (size_t i = 0; !st && i < json_array_size(list); i++) {
        tct_json_at item = {.parent = &inside, .index = i};
        const json_t *object = json_array_get(list, i);
        const char *hash = NULL, *name = NULL;
        uint64_t people = 0;

        st = tct_json_optional_string(&name, object, "name", &item, err);
        if (!st)
            st = tct_json_get_string(&hash, object, "sha256", &item, err);
        if (!st && !is_hash(hash))
            st = tct_json_fail(&item, "sha256", err, "expected 64 hexadecimal digits");
        if (!st)
            st = tct_json_get_count(&people, object, "people", &item, err);
        if (!st && people > a->census->people - total)
            st = tct_json_fail(at, "files", err, "have more people than were counted");
        total += people;
        for (size_t k = 0; k < a->n_sources && !st; k++)
            if (strcmp(a->sources[k].hash, hash) == 0)
                st = tct_json_fail(&item, NULL, err, "the file is there twice");
        if (!st)
            st = tct_audit_add_source(a, hash, name, people, err);
    }
    if (!st && a->n_sources > 0 && total != a->census->people)
        st = tct_json_fail(at, "files", err, "have fewer people than were counted");
    return st;
}

/* ---------------------------------------------------------------- what it is about */

static tacit_status check_head(const json_t *json, const tct_json_at *at, tacit_error *err)
{
    const char *format = json_string_value(json_object_get(json, "format")), *made_by = NULL;
    uint64_t version = 0;
    tacit_status st;

    if (format && strcmp(format, "tacit-audit") == 0)
        return tct_json_fail(at, NULL, err,
                             "a finished audit, which cannot be joined to others: write parts with tacit audit "
                             "--partial");
    if (!format || strcmp(format, "tacit-audit-part") != 0)
        return tct_json_fail(at, NULL, err, "no part of an audit: expected a file of tacit audit --partial");
    st = tct_json_get_count(&version, json, "version", at, err);
    if (!st && version != 1)
        return tct_json_fail(at, "version", err, "expected 1, which is what this Tacit knows");
    if (!st)
        st = tct_json_get_string(&made_by, json, "made_by", at, err);
    if (!st && strcmp(made_by, tacit_version()) != 0)
        return tct_json_fail(at, "made_by", err, "made by Tacit %.32s, this is %s: parts are joined by what made them",
                             made_by, tacit_version());
    return st;
}

/* Which people the model was calibrated with; nothing when it is not. */
static tacit_status read_calibration(tacit_audit *a, const json_t *model, const tct_json_at *at, tacit_error *err)
{
    tct_json_at inside = {.parent = at, .key = "calibration"};
    const json_t *object = json_object_get(model, "calibration");
    const char *hash = NULL;
    tacit_status st;

    if (!object)
        return TACIT_OK;
    if ((st = tct_json_get_string(&hash, object, "sha256", &inside, err)) ||
        (st = tct_json_get_count(&a->calibration.people, object, "people", &inside, err)) ||
        (st = tct_json_get_number(&a->calibration.alpha, object, "alpha", &inside, err)))
        return st;
    if (!is_hash(hash))
        return tct_json_fail(&inside, "sha256", err, "expected 64 hexadecimal digits");
    if (a->calibration.people > MOST_PEOPLE)
        return tct_json_fail(&inside, "people", err, "more than can be counted");
    if (!(a->calibration.alpha > 0 && a->calibration.alpha < 1))
        return tct_json_fail(&inside, "alpha", err, "expected a number above 0 and below 1");
    memcpy(a->calibration.hash, hash, sizeof a->calibration.hash);
    return TACIT_OK;
}

static tacit_status read_model(tacit_audit *a, const json_t *json, const tct_json_at *at, tacit_error *err)
{
    tct_json_at inside = {.parent = at, .key = "model"};
    const char *kind = NULL, *hash = NULL;
    json_t *object;
    tacit_status st;

    if ((st = tct_json_get(&object, json, "model", at, err)) ||
        (st = tct_json_get_string(&kind, object, "kind", &inside, err)) ||
        (st = tct_json_get_string(&hash, object, "sha256", &inside, err)))
        return st;
    if (!*kind || strlen(kind) >= sizeof a->kind)
        return tct_json_fail(&inside, "kind", err, "expected the name of a kind of model");
    if (!is_hash(hash))
        return tct_json_fail(&inside, "sha256", err, "expected 64 hexadecimal digits");
    memcpy(a->kind, kind, strlen(kind) + 1);
    memcpy(a->model_hash, hash, sizeof a->model_hash);
    return read_calibration(a, object, &inside, err);
}

static bool read_seed(const char *text, uint64_t *out)
{
    size_t size = strlen(text);

    *out = 0;
    if (size == 0 || strspn(text, "0123456789") != size || (size > 1 && text[0] == '0'))
        return false;
    for (; *text; text++)
        if (__builtin_mul_overflow(*out, 10, out) || __builtin_add_overflow(*out, (uint64_t)(*text - '0'), out))
            return false;
    return true;
}

static tacit_status read_settings(tacit_audit *a, const json_t *json, const tct_json_at *at, tacit_error *err)
{
    tct_json_at inside = {.parent = at, .key = "settings"};
    const char *rows = NULL, *unknown = NULL, *seed = NULL, *needs = NULL;
    json_t *object, *opt = NULL;
    size_t part = 0;
    tacit_status st;

    if ((st = tct_json_get(&object, json, "settings", at, err)) ||
        (st = tct_json_get_string(&rows, object, "rows", &inside, err)) ||
        (st = tct_json_get_string(&unknown, object, "unknown", &inside, err)) ||
        (st = tct_json_get_string(&seed, object, "seed", &inside, err)) ||
        (st = tct_json_get(&opt, object, "opt", &inside, err)) ||
        (st = tct_json_optional_number(&a->opt_share, object, "opt_share", &inside, err)) ||
        (st = tct_json_get_string(&needs, object, "needs", &inside, err)))
        return st;
    while (part < 3 && strcmp(rows, tct_part_names[part]) != 0)
        part++;
    if (part == 3)
        return tct_json_fail(&inside, "rows", err, "expected all, train or held out");
    if (strcmp(unknown, "error") != 0 && strcmp(unknown, "missing") != 0)
        return tct_json_fail(&inside, "unknown", err, "expected error or missing");
    if (!json_is_boolean(opt))
        return tct_json_fail(&inside, "opt", err, "expected true or false");
    if (strcmp(needs, "none") != 0 && strcmp(needs, "tried") != 0 && strcmp(needs, "decided") != 0)
        return tct_json_fail(&inside, "needs", err, "expected decided, tried or none");
    if (!read_seed(seed, &a->seed))
        return tct_json_fail(&inside, "seed", err, "expected a whole number from 0 to 2^64 - 1, as a text");
    a->part = (tacit_part)part;
    a->unknown_as_missing = strcmp(unknown, "missing") == 0;
    a->no_opt = !json_is_true(opt);
    if (json_object_get(object, "opt_share") && (a->no_opt || !(a->opt_share > 0 && a->opt_share < 1)))
        return tct_json_fail(&inside, "opt_share", err, "expected a number above 0 and below 1, and smallest sets");
    a->opt_share = json_object_get(object, "opt_share") ? a->opt_share : 1;
    a->no_needs = strcmp(needs, "none") == 0;
    a->needs_undecided = strcmp(needs, "tried") == 0;
    return TACIT_OK;
}

static tacit_status read_sensitive(tacit_audit *a, const json_t *list, const tct_json_at *at, tacit_error *err)
{
    tct_json_at inside = {.parent = at, .key = "sensitive"};
    tacit_status st = TACIT_OK;

    for (size_t i = 0; i < a->summary.n_sensitive && !st; i++) {
        tct_json_at item = {.parent = &inside, .index = i};
        const json_t *object = json_array_get(list, i);
        const char *name = NULL, *question = NULL;
        uint64_t attribute = 0;

        if ((st = tct_json_get_count(&attribute, object, "attribute", &item, err)) ||
            (st = tct_json_get_string(&name, object, "name", &item, err)) ||
            (st = tct_json_get_string(&question, object, "question", &item, err)) ||
            (st = tct_json_get_number(&a->costs[i], object, "cost", &item, err)))
            return st;
        if (attribute >= TCT_MAX_ATTRIBUTES || (i > 0 && attribute <= a->sensitive[i - 1]))
            return tct_json_fail(&item, "attribute", err, "expected ascending numbers of attributes");
        if (!*name || strlen(name) > TCT_MAX_NAME)
            return tct_json_fail(&item, "name", err, "expected a name of at most %d bytes", TCT_MAX_NAME);
        if (strlen(question) > TCT_MAX_TEXT)
            return tct_json_fail(&item, "question", err, "expected a text of at most %d bytes", TCT_MAX_TEXT);
        if (!(a->costs[i] > 0))
            return tct_json_fail(&item, "cost", err, "expected a number above 0");
        for (size_t k = 0; k < i; k++)
            if (strcmp(a->names[k], name) == 0)
                return tct_json_fail(&item, "name", err, "the attribute is there twice");
        a->sensitive[i] = (size_t)attribute;
        a->names[i] = tct_strdup(name);
        a->questions[i] = tct_strdup(question);
        if (!a->names[i] || !a->questions[i])
            return tct_fail_memory(err);
    }
    return st;
}

/* Where a promise stops: its confidence, infinite when written as null. */
static tacit_status read_confidence(tacit_audit_result *r, const json_t *object, const tct_json_at *at,
                                    tacit_error *err)
{
    json_t *calibrated = NULL, *confidence = NULL;
    tacit_status st = tct_json_get(&calibrated, object, "calibrated", at, err);

    if (!st)
        st = tct_json_get(&confidence, object, "confidence", at, err);
    if (st)
        return st;
    if (!json_is_boolean(calibrated) || (json_is_true(calibrated) && r->delta == 0))
        return tct_json_fail(at, "calibrated", err, "expected true or false, and false at delta 0");
    r->calibrated = json_is_true(calibrated);
    r->confidence = json_is_null(confidence) ? INFINITY : json_number_value(confidence);
    if (!json_is_null(confidence) && !(json_is_number(confidence) && r->confidence > 0.5 && r->confidence <= 1))
        return tct_json_fail(at, "confidence", err, "expected a number above 0.5 and at most 1, or null");
    return TACIT_OK;
}

static tacit_status read_promises(tacit_audit *a, const json_t *list, const tct_json_at *at, tacit_error *err)
{
    tct_json_at inside = {.parent = at, .key = "promises"};

    for (size_t i = 0; i < a->summary.n_results; i++) {
        tct_json_at item = {.parent = &inside, .index = i};
        const json_t *object = json_array_get(list, i);
        tacit_audit_result *r = &a->results[i];
        const char *rule = NULL;
        tacit_status st = tct_json_get_number(&r->delta, object, "delta", &item, err);

        if (!st)
            st = tct_json_get_string(&rule, object, "rule", &item, err);
        if (st)
            return st;
        if (!(r->delta >= 0 && r->delta < 0.5))
            return tct_json_fail(&item, "delta", err, "expected a number from 0 to below 0.5");
        if (tacit_rule_from_name(&r->rule, rule, NULL) || r->rule == TACIT_RULE_AUTO)
            return tct_json_fail(&item, "rule", err, "no rule of this Tacit");
        st = read_confidence(r, object, &item, err);
        if (st)
            return st;
    }
    return TACIT_OK;
}

/* Room as the lists ask for. */
static tacit_status make_room(tacit_audit **out, json_t **sensitive, json_t **promises, const json_t *json,
                              const tct_json_at *at, tacit_error *err)
{
    tacit_status st = tct_json_get_array(sensitive, json, "sensitive", at, err);

    if (!st)
        st = tct_json_get_array(promises, json, "promises", at, err);
    if (st)
        return st;
    if (json_array_size(*sensitive) > TCT_MAX_ATTRIBUTES)
        return tct_json_fail(at, "sensitive", err, "more than %d", TCT_MAX_ATTRIBUTES);
    if (json_array_size(*promises) == 0 || json_array_size(*promises) > MOST_PROMISES)
        return tct_json_fail(at, "promises", err, "expected 1 to %d", MOST_PROMISES);
    return tct_audit_new(out, json_array_size(*sensitive), json_array_size(*promises), err);
}

/* What it is about. */
static tacit_status read_describe(tacit_audit *a, const json_t *json, const tct_json_at *at, tacit_error *err)
{
    tct_json_at inside = {.parent = at, .key = "describe"};
    json_t *describe;
    tacit_status st = tct_json_get(&describe, json, "describe", at, err);

    if (!st)
        st = tct_describe_check(describe, a->names, a->sensitive, a->summary.n_sensitive, &inside, err);
    return st ? st : tct_audit_describe(a, json_incref(describe), err);
}

/* The counts that take the description to be understood. */
static tacit_status read_quality(tacit_audit *a, const json_t *json, const tct_json_at *at, tacit_error *err)
{
    tct_json_at inside = {.parent = at, .key = "quality"};
    const tct_census *c = a->census;
    json_t *quality;
    tacit_status st = tct_json_get(&quality, json, "quality", at, err);

    if (!st)
        st = tct_quality_from_json(a->quality, c->people, c->labelled, c->baseline_correct, quality, &inside, err);
    for (size_t i = 0; i < a->summary.n_results && !st; i++) {
        const tct_quality *q = a->quality;
        uint64_t mistakes = a->tallies[i]->people - a->tallies[i]->agree;

        if (q->clipped.people - q->released[i].clipped_agree > mistakes ||
            q->missing.people - q->released[i].missing_agree > mistakes)
            st = tct_json_fail(&inside, "released", err, "more mistakes than were counted");
    }
    return st;
}

tacit_status tct_partial_read(tacit_audit **out, const char *text, size_t size, const char *file, tacit_error *err)
{
    tct_json_at at = {.file = file};
    json_t *json = NULL, *sensitive = NULL, *promises = NULL;
    tacit_audit *a = NULL;
    tacit_status st;

    *out = NULL;
    if ((st = tct_json_parse(&json, text, size, file, err)) || (st = check_head(json, &at, err)) ||
        (st = make_room(&a, &sensitive, &promises, json, &at, err)) || (st = read_model(a, json, &at, err)) ||
        (st = read_settings(a, json, &at, err)) || (st = read_sensitive(a, sensitive, &at, err)) ||
        (st = read_promises(a, promises, &at, err)) || (st = read_census(a, json, &at, err)) ||
        (st = read_describe(a, json, &at, err)) || (st = tct_partial_read_results(a, a->tallies, json, &at, err)) ||
        (st = read_sources(a, json, &at, err)))
        goto done;
    if (a->tallies[0]->people != a->census->people || a->tallies[0]->labelled != a->census->labelled)
        st = tct_json_fail(&at, "results", err, "not about the people of the census");
    if (!st)
        st = read_quality(a, json, &at, err);
    if (!st)
        st = tct_partial_read_groupings(a, json, &at, err);
    if (!st && a->groupings)
        st = tct_partial_read_groups(a, json, &at, err);
    if (!st) {
        *out = a;
        a = NULL;
    }
done:
    tacit_audit_free(a);
    json_decref(json);
    return st;
}
