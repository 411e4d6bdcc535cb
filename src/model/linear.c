/*
 * linear.c -- linear classifiers: scores = bias + weights x, and sound bounds on them.
 *
 * scores() adds bias, w_0 x_0, w_1 x_1, ... strictly from left to right.  These bits are the decision; everything
 * proven here is proven about them and not about the real-number formula.
 *
 * How much rounding can matter.  Let u = 2^-53, gamma_k = k u / (1 - k u).  A sum in which every term passes through at
 * most k roundings differs from the exact one by at most gamma_k sum |t_i| (t_i the exact terms), whatever the order.
 *
 *  - A score has d + 1 terms; a product passes one rounding and at most d additions: k = d + 1.  All inputs lie in
 *    [-1, 1], so sum |t_i| <= |b| + sum |w_i| =: A.  A itself is computed with d additions, and so is at least
 *    A (1 - gamma_d).  Now gamma_k / (1 - gamma_k) <= gamma_(k+1) whenever k (k + 1) u <= 1, far beyond our sizes.
 *    Hence
 *        rounding = gamma_(d+2) A, A as computed.
 *  - A margin between two scores is bounded over a region by its own sum: the difference of the two biases and, per
 *    input or attribute, the smallest value that the difference of the two weights can contribute.  A term passes one
 *    rounding in the difference, one in the product, at most d in the sum: k = d + 2, and with the computed sum of
 *    |terms|
 *        pad = gamma_(d+3) sum |terms|.
 *    Taking a minimum over levels commutes with rounding (rounding is monotone).  The exact margin is at least
 *    sum - pad, and the margin of the computed scores at least sum - pad - rounding[label] - rounding[other].
 *  - A product may also underflow, which costs at most 2^-1075 each: d times the smallest double covers it.
 *  - Every operation on the pads themselves is rounded outward.
 * Weights are limited (MAX_MAGNITUDE) so that nothing can overflow.
 */
#include "model.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "json_put.h"
#include "model_parts.h"
#include "num.h"

/* |bias| + sum |weights| of a score stays below this. */
static const double MAX_MAGNITUDE = 1e300;

/* |bias| + sum |weights|, NaN or infinite when one of them is. */
static double magnitude(const double *weights, size_t n, double bias)
{
    double sum = fabs(bias);

    for (size_t i = 0; i < n; i++)
        sum += fabs(weights[i]);
    return sum;
}

/* Upper bound of gamma_k * size plus the underflow of d products; 0 only when there is nothing to round. */
static double error_bound(size_t k, double size, size_t d)
{
    if (size == 0)
        return 0;
    return tct_up(tct_up(tct_gamma(k) * size) + (double)d * DBL_TRUE_MIN);
}

/* a - b, rounded down. */
static double subtract_down(double a, double b)
{
    return b == 0 ? a : tct_down(a - b);
}

size_t tct_next_given(const double *x, size_t i, size_t n)
{
    for (; i + 8 <= n; i += 8) {
        uint64_t bits[8], any = 0;

        memcpy(bits, x + i, sizeof bits);
        for (size_t k = 0; k < 8; k++)
            any |= bits[k];
        if (any << 1) /* but for signs */
            break;
    }
    while (i < n && x[i] == 0)
        i++;
    return i;
}

/* Inputs that are 0, as most of a category's are, add nothing: no sum is -0, as no bias is. */
static void linear_scores(const tct_classifier *self, const double *x, size_t n, double *f)
{
    const tct_linear *linear = (const tct_linear *)self;
    size_t d = self->n_inputs, k = self->n_scores;

    for (size_t r = 0; r < n; r++) {
        const double *point = x + r * d;

        memcpy(f + r * k, linear->bias, k * sizeof *f);
        for (size_t i = tct_next_given(point, 0, d); i < d; i = tct_next_given(point, i + 1, d))
            for (size_t s = 0; s < k; s++)
                f[r * k + s] += linear->weights[s * d + i] * point[i];
    }
}

static void linear_gradient(const tct_classifier *self, const double *x, size_t n, double *jacobian)
{
    const tct_linear *linear = (const tct_linear *)self;
    size_t size = self->n_scores * self->n_inputs;

    (void)x; /* the same everywhere */
    for (size_t r = 0; r < n && size > 0; r++)
        memcpy(jacobian + r * size, linear->weights, size * sizeof(double));
}

/* Weight i of score `plus` less that of score `minus`; a NULL score is zero. */
static double difference(const double *plus, const double *minus, size_t i)
{
    if (!minus)
        return plus[i];
    return plus ? plus[i] - minus[i] : -minus[i];
}

/* Smallest contribution of one unknown attribute to the difference of two scores. */
static double least_term(const tct_region *region, size_t attribute, const double *plus, const double *minus)
{
    const tct_domain *domain = &region->codec->domains[attribute];
    double least = INFINITY, low, high;

    if (domain->kind == TCT_ONEHOT) {
        for (size_t k = 0; k < domain->count; k++)
            if (tct_region_has_level(region, attribute, k))
                least = fmin(least, difference(plus, minus, domain->first + k));
        return least;
    }
    /* An interval or a grid: a linear function is least at one of the ends. */
    tct_region_range(region, attribute, &low, &high);
    least = difference(plus, minus, domain->first);
    return fmin(least * low, least * high);
}

/* Lower bound over the region of score `plus` less score `minus` (either may be NULL: zero) as one exact number, the
 * rounding of this sum included, that of scores() not.  `bias`: difference of the biases, rounded at most once. */
static double least_difference(const tct_region *region, const double *plus, const double *minus, double bias)
{
    const tct_codec *codec = region->codec;
    double sum = bias, size = fabs(bias);

    for (size_t a = 0; a < codec->schema->n_attributes; a++) {
        const tct_domain *domain = &codec->domains[a];
        size_t end = domain->first + domain->width;

        if (!region->known[a]) {
            double term = least_term(region, a, plus, minus);
            sum += term;
            size += fabs(term);
            continue;
        }
        for (size_t i = tct_next_given(region->x, domain->first, end); i < end;
             i = tct_next_given(region->x, i + 1, end)) {
            double term = difference(plus, minus, i) * region->x[i];

            sum += term;
            size += fabs(term);
        }
    }
    return subtract_down(sum, error_bound(codec->n_inputs + 3, size, codec->n_inputs));
}

static void linear_margins(const tct_classifier *self, const tct_region *region, size_t label, double *lower)
{
    const tct_linear *linear = (const tct_linear *)self;
    const double *w = linear->weights, *b = linear->bias, *rounding = linear->rounding;
    size_t d = self->n_inputs;

    lower[label] = INFINITY;
    if (self->n_scores == 1) {
        double bound = label == 1 ? least_difference(region, w, NULL, b[0]) : least_difference(region, NULL, w, -b[0]);
        lower[1 - label] = subtract_down(bound, rounding[0]);
        return;
    }
    for (size_t c = 0; c < self->n_classes; c++) {
        if (c == label)
            continue;
        double bound = least_difference(region, w + label * d, w + c * d, b[label] - b[c]);
        lower[c] = subtract_down(subtract_down(bound, rounding[label]), rounding[c]);
    }
}

void tct_linear_scores_of(const tct_linear *linear, const tct_given *given, double *scores)
{
    size_t d = linear->base.n_inputs, k = linear->base.n_scores;

    memcpy(scores, linear->bias, k * sizeof *scores);
    for (size_t i = 0; i < given->n; i++)
        for (size_t s = 0; s < k; s++)
            scores[s] += linear->weights[s * d + given->input[i]] * given->value[i];
}

/* least_difference() and linear_margins(), term by term: an unknown attribute's least term is that of its worst value. */
double tct_linear_margin_of(const tct_linear *linear, size_t label, size_t against, const tct_given *given)
{
    const double *w = linear->weights, *b = linear->bias, *rounding = linear->rounding;
    size_t d = linear->base.n_inputs;
    bool single = linear->base.n_scores == 1;
    const double *plus = single && label == 0 ? NULL : w + (single ? 0 : label) * d;
    const double *minus = single && label == 1 ? NULL : w + (single ? 0 : against) * d;
    double sum = single ? (label == 1 ? b[0] : -b[0]) : b[label] - b[against], size = fabs(sum);

    for (size_t i = 0; i < given->n; i++) {
        double term = difference(plus, minus, given->input[i]) * given->value[i];

        sum += term;
        size += fabs(term);
    }
    sum = subtract_down(sum, error_bound(d + 3, size, d));
    return single ? subtract_down(sum, rounding[0])
                  : subtract_down(subtract_down(sum, rounding[label]), rounding[against]);
}

static json_t *linear_to_json(const tct_classifier *self)
{
    const tct_linear *linear = (const tct_linear *)self;
    json_t *json = json_object();

    tct_put_text(&json, "kind", self->ops->kind);
    tct_put(&json, "weights", tct_matrix_to_json(linear->weights, self->n_scores, self->n_inputs));
    tct_put(&json, "bias", tct_json_numbers(linear->bias, self->n_scores));
    return json;
}

static tacit_status linear_from_json(tct_classifier **out, const json_t *json, const tct_json_at *at, size_t n_inputs,
                                     size_t n_classes, tacit_error *err)
{
    size_t n_scores = n_classes == 2 ? 1 : n_classes;
    double *weights = tct_malloc(n_scores * n_inputs, sizeof(double));
    double *bias = tct_malloc(n_scores, sizeof(double));
    tacit_status st = TACIT_OK;

    *out = NULL;
    if (!weights || !bias) {
        st = tct_fail_memory(err);
        goto done;
    }
    st = tct_matrix_from_json(weights, n_scores, n_inputs, json, "weights", at, err);
    if (!st)
        st = tct_json_get_numbers(bias, n_scores, json, "bias", at, err);
    for (size_t s = 0; s < n_scores && !st; s++) {
        if (!(magnitude(weights + s * n_inputs, n_inputs, bias[s]) < MAX_MAGNITUDE))
            st = tct_json_fail(at, "weights", err, "expected smaller numbers");
    }
    if (!st)
        st = tct_linear_new(out, n_inputs, n_classes, weights, bias, err);
done:
    tct_free(weights);
    tct_free(bias);
    return st;
}

static tacit_status linear_copy(tct_classifier **out, const tct_classifier *self, tacit_error *err)
{
    const tct_linear *linear = (const tct_linear *)self;

    return tct_linear_new(out, self->n_inputs, self->n_classes, linear->weights, linear->bias, err);
}

static tacit_status linear_lowered(tct_classifier **out, const tct_classifier *self, double by, tacit_error *err)
{
    const tct_linear *linear = (const tct_linear *)self;
    double bias = linear->bias[0] - by;

    return tct_linear_new(out, self->n_inputs, self->n_classes, linear->weights, &bias, err);
}

static void linear_free(tct_classifier *self)
{
    tct_linear *linear = (tct_linear *)self;

    if (!linear)
        return;
    tct_free(linear->weights);
    tct_free(linear->bias);
    tct_free(linear->rounding);
    tct_free(linear);
}

static const tct_linear *linear_additive(const tct_classifier *self)
{
    return (const tct_linear *)self;
}

const tct_classifier_ops tct_linear_ops = {.kind = "logistic",
                                           .additive = linear_additive,
                                           .scores = linear_scores,
                                           .gradient = linear_gradient,
                                           .margins = linear_margins,
                                           .to_json = linear_to_json,
                                           .from_json = linear_from_json,
                                           .copy = linear_copy,
                                           .lowered = linear_lowered,
                                           .free = linear_free};

tacit_status tct_linear_new(tct_classifier **out, size_t n_inputs, size_t n_classes, const double *weights,
                            const double *bias, tacit_error *err)
{
    size_t n_scores = n_classes == 2 ? 1 : n_classes;
    tct_linear *linear = tct_calloc(1, sizeof(*linear));
    tacit_status st = TACIT_OK;

    *out = NULL;
    if (!linear)
        return tct_fail_memory(err);
    linear->base = (tct_classifier){&tct_linear_ops, n_inputs, n_classes, n_scores};
    linear->weights = tct_malloc(n_scores * n_inputs, sizeof(double));
    linear->bias = tct_malloc(n_scores, sizeof(double));
    linear->rounding = tct_malloc(n_scores, sizeof(double));
    if (!linear->weights || !linear->bias || !linear->rounding) {
        st = tct_fail_memory(err);
        goto done;
    }
    /* Adding 0 turns -0 into 0: no decision depends on it, and 0 has one spelling in files. */
    for (size_t i = 0; i < n_scores * n_inputs; i++)
        linear->weights[i] = weights[i] + 0.0;
    for (size_t s = 0; s < n_scores; s++) {
        double size = magnitude(weights + s * n_inputs, n_inputs, bias[s]);
        if (!(size < MAX_MAGNITUDE)) {
            st = tct_fail(err, TACIT_E_INPUT, "weights of a linear classifier must be finite and below 1e300");
            goto done;
        }
        linear->bias[s] = bias[s] + 0.0;
        linear->rounding[s] = error_bound(n_inputs + 2, size, n_inputs);
    }
    *out = &linear->base;
    linear = NULL;
done:
    linear_free((tct_classifier *)linear);
    return st;
}

const tct_linear *tct_as_linear(const tct_classifier *classifier)
{
    return classifier->ops == &tct_linear_ops ? (const tct_linear *)classifier : NULL;
}
