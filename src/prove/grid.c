/*
 * grid.c -- walking over the paper's grid.
 *
 * The paper asks for (1 / Delta)^|U| points over [-1, 1]^|U|, so 1 / Delta is the number of values of one input, not
 * their distance.  The points are counted through like the digits of a number, the first unknown attribute fastest, and
 * scored in batches.  Most questions that are open show it within the first few points, so the batches begin small.
 */
#include "grid.h"

#include <math.h>
#include <string.h>

enum { FIRST_BATCH = 4, BATCH = 256 };

/* One attribute that is not known, and the value it has now. */
typedef struct digit {
    size_t attribute;
    uint64_t values, now;
} digit;

typedef struct walk {
    const tacit_model *model;
    digit *digits;
    size_t n_digits;
    double *point;          /* n_inputs: where the walk is */
    double *batch, *scores; /* up to BATCH points and what they score */
} walk;

static uint64_t count_values(const tct_codec *codec, size_t attribute, double step)
{
    double low, high, values = round(1 / step);

    if (codec->domains[attribute].kind == TCT_ONEHOT)
        return codec->domains[attribute].count;
    tct_codec_range(codec, attribute, &low, &high);
    if (low == high)
        return 1;
    return values < 0x1p53 ? (uint64_t)values : UINT64_MAX;
}

/* Put the digit's attribute at its value. */
static void place(walk *w, const digit *d)
{
    const tct_domain *domain = &w->model->codec->domains[d->attribute];
    double *inputs = w->point + domain->first;

    if (domain->kind == TCT_ONEHOT)
        tct_codec_value(w->model->codec, d->attribute, (size_t)d->now, inputs);
    else
        *inputs = d->values == 1 ? 0 : -1 + 2.0 * (double)d->now / (double)(d->values - 1);
}

/* Go to the first point.  How many there are, or UINT64_MAX when there are at least so many. */
static uint64_t start(walk *w, const tct_region *region, double step)
{
    const tct_codec *codec = w->model->codec;
    uint64_t total = 1;

    for (size_t a = 0; a < codec->schema->n_attributes; a++) {
        const tct_domain *domain = &codec->domains[a];
        digit *d = &w->digits[w->n_digits];

        if (region->known[a]) {
            memcpy(w->point + domain->first, region->x + domain->first, domain->width * sizeof(double));
            continue;
        }
        *d = (digit){a, count_values(codec, a, step), 0};
        place(w, d);
        total = total > UINT64_MAX / d->values ? UINT64_MAX : total * d->values;
        w->n_digits++;
    }
    return total;
}

/* Go to the next point; after the last comes the first again. */
static void advance(walk *w)
{
    for (size_t k = 0; k < w->n_digits; k++) {
        digit *d = &w->digits[k];

        d->now = d->now + 1 < d->values ? d->now + 1 : 0;
        place(w, d);
        if (d->now > 0)
            return;
    }
}

static void walk_over(walk *w, uint64_t total, tct_grid_finding *out)
{
    const tct_classifier *c = w->model->classifier;
    size_t size = FIRST_BATCH;

    out->constant = true;
    while (out->points < total) {
        size_t n = total - out->points < size ? (size_t)(total - out->points) : size;

        for (size_t r = 0; r < n; r++) {
            memcpy(w->batch + r * c->n_inputs, w->point, c->n_inputs * sizeof(double));
            advance(w);
        }
        c->ops->scores(c, w->batch, n, w->scores);
        for (size_t r = 0; r < n; r++) {
            size_t label = tct_label(w->scores + r * c->n_scores, c->n_scores);

            if (out->points++ == 0)
                out->label = label;
            if (label != out->label) {
                out->constant = false;
                out->label = TACIT_NONE;
                return;
            }
        }
        size = 2 * size < BATCH ? 2 * size : BATCH;
    }
}

tacit_status tct_grid_decide(const tacit_model *model, const tct_region *region, double step, uint64_t most_points,
                             tct_grid_finding *out, tacit_error *err)
{
    size_t d = model->codec->n_inputs, n_scores = model->classifier->n_scores, room = 0;
    walk w = {.model = model};
    tacit_status st = TACIT_OK;
    uint64_t total;

    *out = (tct_grid_finding){.label = TACIT_NONE};
    if (!(step > 0 && step <= 0.5))
        return tct_fail(err, TACIT_E_USAGE, "the step of a grid is above 0 and at most 0.5");
    w.digits = tct_calloc(model->schema->n_attributes, sizeof(*w.digits));
    w.point = tct_calloc(d, sizeof(double));
    if (!w.digits || !w.point) {
        st = tct_fail_memory(err);
        goto done;
    }
    total = start(&w, region, step);
    if (total == UINT64_MAX || total > most_points)
        goto done;
    room = total < BATCH ? (size_t)total : BATCH;
    w.batch = tct_malloc(room * d, sizeof(double));
    w.scores = tct_malloc(room * n_scores, sizeof(double));
    if (!w.batch || !w.scores) {
        st = tct_fail_memory(err);
        goto done;
    }
    walk_over(&w, total, out);
    out->complete = true;
done:
    tct_free(w.digits);
    tct_free_wiped(w.point, d * sizeof(double));
    tct_free_wiped(w.batch, room * d * sizeof(double));
    tct_free_wiped(w.scores, room * n_scores * sizeof(double));
    return st;
}
