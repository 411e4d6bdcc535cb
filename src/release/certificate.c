/*
 * Questions about one person that are not part of the protocol: is the decision settled by what is known, with
 * witnesses; what would a grid say to that; and what single change would give another label.
 */
#include <math.h>
#include <string.h>
#include <time.h>

#include "grid.h"
#include "provers.h"
#include "smallest_set.h"
#include "person.h"
#include "glance.h"

enum { CHANGE_STEPS = 64, GRID_POINTS = 100000000 };

static double seconds_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Most likely label under the Gaussian, given what is known. */
static tacit_status find_likely(tacit_certificate *out, const tacit_person *person, tacit_error *err)
{
    tct_glance glance;
    tacit_status st = tct_glance_at(&glance, person, 0, err);

    if (!st) {
        out->probability = glance.look.probability;
        out->likely_label = glance.look.label;
    }
    tct_glance_end(&glance);
    return st;
}

tacit_status tacit_certify(tacit_certificate *out, const tacit_person *person, tacit_error *err)
{
    tct_region region = tct_region_of(person->model->codec, person->known, person->x);
    tct_finding finding = {0};
    double start = seconds_now();
    tacit_status st;

    memset(out, 0, sizeof *out);
    st = tacit_person_new(&out->witness[0], person->model, err);
    if (!st)
        st = tacit_person_new(&out->witness[1], person->model, err);
    if (st)
        goto done;
    finding.witness[0] = out->witness[0]->x;
    finding.witness[1] = out->witness[1]->x;
    st = tct_certify(&finding, person->model, &region, err);
    if (!st)
        st = find_likely(out, person, err);
    if (st)
        goto done;
    out->verdict = finding.verdict;
    out->label = finding.label;
    out->nodes = finding.nodes;
    memset(out->witness[0]->known, 1, person->model->schema->n_attributes);
    memset(out->witness[1]->known, 1, person->model->schema->n_attributes);
    out->seconds = seconds_now() - start;
done:
    if (st || finding.verdict != TACIT_REFUTED) {
        tacit_person_free(out->witness[0]);
        tacit_person_free(out->witness[1]);
        out->witness[0] = out->witness[1] = NULL;
    }
    return st;
}

void tacit_certificate_clear(tacit_certificate *certificate)
{
    tacit_person_free(certificate->witness[0]);
    tacit_person_free(certificate->witness[1]);
    certificate->witness[0] = certificate->witness[1] = NULL;
}

tacit_status tacit_certify_grid(tacit_grid *out, const tacit_person *person, double step, tacit_error *err)
{
    tct_region region = tct_region_of(person->model->codec, person->known, person->x);
    tct_grid_finding found;
    double start = seconds_now();
    tacit_status st = tct_grid_decide(person->model, &region, step, GRID_POINTS, &found, err);

    memset(out, 0, sizeof *out);
    out->label = TACIT_NONE;
    if (st)
        return st;
    out->complete = found.complete;
    out->constant = found.constant;
    out->label = found.label;
    out->points = found.points;
    out->seconds = seconds_now() - start;
    return TACIT_OK;
}

/* ---------------------------------------------------------------- what would change it */

/* The person with one attribute at another value. */
typedef struct variant {
    const tacit_model *model;
    double *x;
    size_t first, n_scores;
} variant;

static size_t label_now(const variant *v)
{
    double scores[TCT_MAX_CLASSES];
    size_t label;

    v->model->classifier->ops->scores(v->model->classifier, v->x, 1, scores);
    label = tct_label(scores, v->n_scores);
    tct_wipe(scores, sizeof scores);
    return label;
}

static size_t label_with(variant *v, double value)
{
    v->x[v->first] = value;
    return label_now(v);
}

static size_t label_at(variant *v, size_t attribute, size_t k)
{
    tct_codec_value(v->model->codec, attribute, k, v->x + v->first);
    return label_now(v);
}

/* Nearest value of the box, in one direction, with another label: walk there in small steps, then bisect the step in
 * which the label changed.  Along a line a linear classifier leaves a label's region once, so the first step that
 * leaves it is enough; a network may come back within a step, which is then not seen. */
static bool leave_box(variant *v, double from, double to, size_t label, double *value)
{
    double inside = from, outside = from;
    int step = 0;

    while (from != to && step < CHANGE_STEPS && label_with(v, outside) == label) {
        inside = outside;
        step++;
        outside = step == CHANGE_STEPS ? to : from + (to - from) * step / CHANGE_STEPS;
    }
    if (from == to || label_with(v, outside) == label)
        return false;
    for (int i = 0; i < 100; i++) {
        double middle = inside + (outside - inside) / 2;

        if (middle == inside || middle == outside)
            break;
        if (label_with(v, middle) == label)
            inside = middle;
        else
            outside = middle;
    }
    *value = outside;
    return true;
}

static void change_box(tacit_change *out, variant *v, size_t attribute, double now, size_t label)
{
    double low, high, down = 0, up = 0;
    bool can_fall, can_rise, rise;
    char text[64];

    tct_codec_range(v->model->codec, attribute, &low, &high);
    can_fall = leave_box(v, now, low, label, &down);
    can_rise = leave_box(v, now, high, label, &up);
    if (!can_fall && !can_rise)
        return;
    rise = can_rise && (!can_fall || up - now < now - down);
    out->possible = true;
    out->label = label_with(v, rise ? up : down);
    tct_decode_cell(v->model->codec, attribute, v->x + v->first, text, sizeof text);
    snprintf(out->value, sizeof out->value, "%s %s", rise ? "at least" : "at most", text);
}

/* The nearest index in one direction (up: towards count - 1) whose label is another, or TACIT_NONE: as leave_box
 * does. */
static size_t leave_grid(variant *v, size_t attribute, size_t now, bool up, size_t label)
{
    size_t count = v->model->codec->domains[attribute].count, room = up ? count - 1 - now : now;
    size_t step = room / CHANGE_STEPS + 1, inside = 0, outside = 0;

    while (outside < room && label_at(v, attribute, up ? now + outside : now - outside) == label) {
        inside = outside;
        outside = outside + step < room ? outside + step : room;
    }
    if (label_at(v, attribute, up ? now + outside : now - outside) == label)
        return TACIT_NONE;
    while (outside - inside > 1) {
        size_t middle = inside + (outside - inside) / 2;

        if (label_at(v, attribute, up ? now + middle : now - middle) == label)
            inside = middle;
        else
            outside = middle;
    }
    return outside;
}

static void change_integer(tacit_change *out, variant *v, size_t attribute, size_t now, size_t label)
{
    size_t down = leave_grid(v, attribute, now, false, label), up = leave_grid(v, attribute, now, true, label);
    bool rise = up != TACIT_NONE && (down == TACIT_NONE || up < down);
    char text[64];

    if (up == TACIT_NONE && down == TACIT_NONE)
        return;
    out->possible = true;
    out->label = label_at(v, attribute, rise ? now + up : now - down);
    tct_decode_cell(v->model->codec, attribute, v->x + v->first, text, sizeof text);
    snprintf(out->value, sizeof out->value, "%s %s", rise ? "at least" : "at most", text);
}

/* Any other level; for ordinal categories the nearest in level order. */
static void change_level(tacit_change *out, variant *v, size_t attribute, size_t now, size_t label)
{
    const tacit_attribute *attr = &v->model->schema->attributes[attribute];
    size_t count = v->model->codec->domains[attribute].count;

    for (size_t step = 1; step < count && !out->possible; step++)
        for (int up = 0; up < 2 && !out->possible; up++) {
            size_t k = up ? now + step : now - step; /* wraps below zero: refused by the next test */

            if (k >= count || label_at(v, attribute, k) == label)
                continue;
            out->possible = true;
            out->label = label_at(v, attribute, k);
            snprintf(out->value, sizeof out->value, "%s", attr->levels[k]);
        }
}

/* Index of the attribute's current value in its grid or level set. */
static size_t index_now(const tct_domain *domain, const double *inputs)
{
    size_t k = 0;

    if (domain->kind == TCT_GRID)
        return domain->count > 1 ? (size_t)llround((inputs[0] + 1) / 2 * (double)(domain->count - 1)) : 0;
    while (k + 1 < domain->count && inputs[k] != 1.0)
        k++;
    return k;
}

tacit_status tacit_change_of(const tacit_person *person, size_t attribute, tacit_change *out, tacit_error *err)
{
    const tacit_model *model = person->model;
    size_t d = model->codec->n_inputs, label = tacit_person_label(person);
    const tct_domain *domain;
    variant v = {model, NULL, 0, model->classifier->n_scores};

    memset(out, 0, sizeof *out);
    if (attribute >= model->schema->n_attributes)
        return tct_fail(err, TACIT_E_USAGE, "there is no attribute %zu", attribute);
    if (label == TACIT_NONE)
        return tct_fail(err, TACIT_E_USAGE, "what would change a decision needs every attribute to be known");
    domain = &model->codec->domains[attribute];
    v.first = domain->first;
    v.x = tct_malloc(d, sizeof(double));
    if (!v.x)
        return tct_fail_memory(err);
    memcpy(v.x, person->x, d * sizeof(double));
    if (domain->kind == TCT_BOX)
        change_box(out, &v, attribute, person->x[domain->first], label);
    else if (model->schema->attributes[attribute].type == TACIT_CATEGORY)
        change_level(out, &v, attribute, index_now(domain, person->x + domain->first), label);
    else
        change_integer(out, &v, attribute, index_now(domain, person->x + domain->first), label);
    tct_free_wiped(v.x, d * sizeof(double));
    return TACIT_OK;
}

/* ---------------------------------------------------------------- the smallest core set */

tacit_status tacit_smallest_core_least(const tacit_person *person, bool by_cost, size_t *members, size_t *n_members,
                                       double *least, tacit_error *err)
{
    const tacit_model *model = person->model;
    tct_extremes *extremes = NULL;
    tct_smallest_set *search = NULL;
    tacit_status st;

    *n_members = 0;
    *least = 0;
    if (!tct_person_complete(person))
        return tct_fail(err, TACIT_E_USAGE, "the smallest core set needs every attribute to be known");
    st = TACIT_OK;
    if (tct_additive(model->classifier)) /* then there is a better way than hitting sets */
        st = tct_extremes_new(&extremes, tct_additive(model->classifier), model->codec, err);
    if (!st)
        st = tct_smallest_set_new(&search, model, extremes, err);
    if (!st)
        st = tct_smallest_set_find(search, person->x, by_cost, members, n_members, NULL, err);
    if (!st)
        *least = tct_smallest_set_least(search);
    tct_smallest_set_free(search);
    tct_extremes_free(extremes);
    return st;
}

tacit_status tacit_smallest_core(const tacit_person *person, bool by_cost, size_t *members, size_t *n_members,
                                 tacit_error *err)
{
    double least;

    return tacit_smallest_core_least(person, by_cost, members, n_members, &least, err);
}
