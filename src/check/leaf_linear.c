/*
 * leaf_linear.c -- leaves of linear classifiers.
 *
 * The least margin of the label over another class is a sum of terms, one per known input and one per unknown
 * attribute.  It is added up without error: a product or a sum of two doubles is a double plus a remainder that is a
 * double too (found by fma and by Knuth's two-sum), and the remainders are collected in an interval.  What comes out is
 * the exact margin to some 100 bits.  The scores as computed by scores() may be off by
 *     gamma_(d+2) A + d 2^-1074,   gamma_k = k e / (1 - k e),  e = 2^-53,  A = |b| + sum |w_i| as computed
 * each: every term passes at most d + 1 roundings, all inputs are in [-1, 1], and the rounding of A itself costs one
 * gamma more; the last term is for products that underflow.
 */
#include <math.h>

#include "interval.h"
#include "leaves.h"

/* A sum without error: the exact value lies in sum + rest. */
typedef struct exact_sum {
    double sum;
    tct_interval rest;
} exact_sum;

static void add(exact_sum *s, double v)
{
    double sum = s->sum + v, part = sum - s->sum, rest = (s->sum - (sum - part)) + (v - part);

    s->sum = sum;
    if (rest != 0)
        s->rest = tct_plus(s->rest, tct_exactly(rest));
}

static void add_product(exact_sum *s, double a, double b)
{
    double p = a * b, rest = fma(a, b, -p);

    if (a == 0 || b == 0)
        return;
    add(s, p);
    if (rest != 0 || fabs(p) < 0x1p-900) /* where it can underflow, the remainder is not exact */
        s->rest = tct_plus(s->rest, (tct_interval){rest - 0x1p-1074, rest + 0x1p-1074});
}

/* plus - minus as a double and its remainder; a row that is not there is zero. */
static void subtract(const double *plus, const double *minus, size_t i, double *value, double *rest)
{
    double a = plus ? plus[i] : 0, b = minus ? -minus[i] : 0, part;

    *value = a + b;
    part = *value - a;
    *rest = (a - (*value - part)) + (b - part);
}

/* Least term of an unknown attribute. */
static void add_least(exact_sum *s, const tct_region *region, size_t attribute, const double *plus, const double *minus)
{
    const tct_domain *domain = &region->codec->domains[attribute];
    double value = INFINITY, rest = 0, low, high, end;

    if (domain->kind == TCT_ONEHOT) {
        for (size_t k = 0; k < domain->count; k++) {
            double v, r;

            subtract(plus, minus, domain->first + k, &v, &r);
            if (tct_region_has_level(region, attribute, k) && (v < value || (v == value && r < rest))) {
                value = v;
                rest = r;
            }
        }
        add(s, value);
        add(s, rest);
        return;
    }
    subtract(plus, minus, domain->first, &value, &rest);
    tct_region_range(region, attribute, &low, &high);
    end = value > 0 ? low : high; /* the sign of the difference is that of its double */
    add_product(s, value, end);
    add_product(s, rest, end);
}

/* Lower bound of score `plus` less score `minus` over all completions, in exact arithmetic. */
static double least_margin(const tct_region *region, const double *plus, const double *minus, double bias_plus,
                           double bias_minus)
{
    const tct_codec *codec = region->codec;
    exact_sum s = {0};

    add(&s, bias_plus);
    add(&s, -bias_minus);
    for (size_t a = 0; a < codec->schema->n_attributes; a++) {
        const tct_domain *domain = &codec->domains[a];

        if (!region->known[a]) {
            add_least(&s, region, a, plus, minus);
            continue;
        }
        for (size_t i = domain->first; i < domain->first + domain->width; i++) {
            if (plus)
                add_product(&s, plus[i], region->x[i]);
            if (minus)
                add_product(&s, -minus[i], region->x[i]);
        }
    }
    return s.rest.lo == 0 ? s.sum : tct_below(s.sum + s.rest.lo);
}

/* How far a score as computed may be from the exact one. */
static double score_error(const double *weights, size_t d, double bias)
{
    double size = fabs(bias), ke = (double)(d + 2) * 0x1p-53;

    for (size_t i = 0; i < d; i++)
        size += fabs(weights[i]);
    return size == 0 ? 0 : tct_above(tct_above(tct_above(ke / (1 - ke)) * size) + (double)d * 0x1p-1074);
}

/* Does label y beat class c everywhere? */
static bool beats(const tct_linear *linear, const tct_region *region, size_t y, size_t c)
{
    size_t d = linear->base.n_inputs;
    const double *w = linear->weights, *b = linear->bias;
    double least;

    if (linear->base.n_scores == 1) {
        double error = score_error(w, d, b[0]);

        least = y == 1 ? least_margin(region, w, NULL, b[0], 0) : least_margin(region, NULL, w, 0, b[0]);
        return y == 1 ? least >= error : least > error;
    }
    double ours = score_error(w + y * d, d, b[y]), theirs = score_error(w + c * d, d, b[c]);
    double error = ours + theirs == 0 ? 0 : tct_above(ours + theirs);

    least = least_margin(region, w + y * d, w + c * d, b[y], b[c]);
    return y < c ? least >= error : least > error;
}

static tacit_status linear_make(tct_leaf **out, const tct_claim *claim, tacit_error *err)
{
    tct_leaf *leaf = tct_calloc(1, sizeof(*leaf));

    *out = leaf;
    if (!leaf)
        return tct_fail_memory(err);
    *leaf = (tct_leaf){&tct_leaf_linear, claim, TACIT_NONE};
    return TACIT_OK;
}

static void linear_free(tct_leaf *leaf)
{
    tct_free(leaf);
}

static bool linear_holds(tct_leaf *leaf, const tct_region *part)
{
    const tct_linear *linear = tct_as_linear(leaf->claim->model->classifier);

    for (size_t c = 0; c < linear->base.n_classes; c++)
        if (c != leaf->claim->label && !beats(linear, part, leaf->claim->label, c)) {
            leaf->against = c;
            return false;
        }
    return true;
}

const tct_leaf_ops tct_leaf_linear = {.kind = "logistic",
                                      .proof = "linear",
                                      .whole = true,
                                      .make = linear_make,
                                      .free = linear_free,
                                      .holds = linear_holds};
