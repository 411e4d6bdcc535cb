/*
 * checker.c -- checking claims.
 *
 * Linear.  The least margin of the label over another class is a sum of terms, one per known input and one per unknown
 * attribute.  It is added up without error: a product or a sum of two doubles is a double plus a remainder that is a
 * double too (found by fma and by Knuth's two-sum), and the remainders are collected in an interval.  What comes out is
 * the exact margin to some 100 bits.  The scores as computed by scores() may be off by
 *     gamma_(d+2) A + d 2^-1074,   gamma_k = k e / (1 - k e),  e = 2^-53,  A = |b| + sum |w_i| as computed
 * each: every term passes at most d + 1 roundings, all inputs are in [-1, 1], and the rounding of A itself costs one
 * gamma more; the last term is for products that underflow.
 *
 * Networks.  The walk goes down the tree with the part of the domain that each node stands for, starting with all of
 * it.  A node must cut its part into two that are not empty, a leaf must hold (leaf.h), and the list of nodes must end
 * where the walk ends.
 */
#include "checker.h"

#include <math.h>

#include "interval.h"
#include "leaf.h"

/* ---- linear ---- */

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
        s->rest = tct_plus(s->rest, tct_point(rest));
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
static void add_least(exact_sum *s, const tct_codec *codec, size_t attribute, const double *plus, const double *minus)
{
    const tct_domain *domain = &codec->domains[attribute];
    double value, rest, low, high, end;

    subtract(plus, minus, domain->first, &value, &rest);
    if (domain->kind == TCT_ONEHOT) {
        for (size_t k = 1; k < domain->count; k++) {
            double v, r;

            subtract(plus, minus, domain->first + k, &v, &r);
            if (v < value || (v == value && r < rest)) {
                value = v;
                rest = r;
            }
        }
        add(s, value);
        add(s, rest);
        return;
    }
    tct_codec_range(codec, attribute, &low, &high);
    end = value > 0 ? low : high; /* the sign of the difference is that of its double */
    add_product(s, value, end);
    add_product(s, rest, end);
}

/* Lower bound of score `plus` less score `minus` over all completions, in exact arithmetic. */
static double least_margin(const tct_claim *claim, const double *plus, const double *minus, double bias_plus,
                           double bias_minus)
{
    const tct_codec *codec = claim->model->codec;
    exact_sum s = {0};

    add(&s, bias_plus);
    add(&s, -bias_minus);
    for (size_t a = 0; a < codec->schema->n_attributes; a++) {
        const tct_domain *domain = &codec->domains[a];

        if (!claim->known[a]) {
            add_least(&s, codec, a, plus, minus);
            continue;
        }
        for (size_t i = domain->first; i < domain->first + domain->width; i++) {
            if (plus)
                add_product(&s, plus[i], claim->x[i]);
            if (minus)
                add_product(&s, -minus[i], claim->x[i]);
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

/* Does the label beat class c everywhere? */
static bool beats(const tct_claim *claim, const tct_linear *linear, size_t c)
{
    size_t d = linear->base.n_inputs, y = claim->label;
    const double *w = linear->weights, *b = linear->bias;
    double least;

    if (linear->base.n_scores == 1) {
        double error = score_error(w, d, b[0]);

        least = y == 1 ? least_margin(claim, w, NULL, b[0], 0) : least_margin(claim, NULL, w, 0, b[0]);
        return y == 1 ? least >= error : least > error;
    }
    double ours = score_error(w + y * d, d, b[y]), theirs = score_error(w + c * d, d, b[c]);
    double error = ours + theirs == 0 ? 0 : tct_above(ours + theirs);

    least = least_margin(claim, w + y * d, w + c * d, b[y], b[c]);
    return y < c ? least >= error : least > error;
}

tacit_status tct_check_linear(const tct_claim *claim, tacit_error *err)
{
    const tct_linear *linear = tct_as_linear(claim->model->classifier);

    if (!linear)
        return tct_fail(err, TACIT_E_INPUT, "the proof is one for linear models, and the model is not linear");
    for (size_t c = 0; c < linear->base.n_classes; c++)
        if (c != claim->label && !beats(claim, linear, c))
            return tct_fail(err, TACIT_E_INPUT, "the label is not certain: other answers could give class '%s'",
                            claim->model->schema->classes[c]);
    return TACIT_OK;
}

/* ---- networks ---- */

typedef struct walk {
    const tct_claim *claim;
    const tct_proof *proof;
    tct_leaf *leaf;
    size_t at;     /* next node */
    size_t leaves; /* seen */
} walk;

/* The subtree that starts at the next node, for this part. */
static tacit_status check_node(walk *w, const tct_part *part, size_t depth, tacit_error *err)
{
    const tct_split *node;
    tct_part side = {0};
    tacit_status st = TACIT_OK;

    if (w->at == w->proof->n_nodes)
        return tct_fail(err, TACIT_E_INPUT, "the proof ends too early");
    if (depth > TCT_PROOF_DEPTH)
        return tct_fail(err, TACIT_E_INPUT, "the proof is more than %d nodes deep", TCT_PROOF_DEPTH);
    node = &w->proof->nodes[w->at++];
    if (node->attribute == TACIT_NONE) {
        w->leaves++;
        if (!tct_leaf_holds(w->leaf, part))
            st = tct_fail(err, TACIT_E_INPUT, "leaf %zu of the proof does not hold", w->leaves);
        return st;
    }
    if (!tct_part_divides(part, w->claim, w->proof, node))
        return tct_fail(err, TACIT_E_INPUT, "node %zu of the proof does not divide its part in two", w->at);
    for (int right = 0; right < 2 && !st; right++) {
        st = tct_part_copy(&side, part, err);
        if (!st) {
            tct_part_take(&side, w->claim->model->codec, w->proof, node, right);
            st = check_node(w, &side, depth + 1, err);
        }
        tct_part_clear(&side);
    }
    return st;
}

tacit_status tct_check_boxes(const tct_claim *claim, const tct_proof *proof, tacit_error *err)
{
    walk w = {.claim = claim, .proof = proof};
    tct_part whole = {0};
    tacit_status st;

    if (!tct_as_mlp(claim->model->classifier))
        return tct_fail(err, TACIT_E_INPUT, "the proof is one for networks, and the model is none");
    st = tct_leaf_new(&w.leaf, claim, err);
    if (!st)
        st = tct_part_whole(&whole, claim->model->codec, err);
    if (!st)
        st = check_node(&w, &whole, 0, err);
    if (!st && w.at != proof->n_nodes)
        st = tct_fail(err, TACIT_E_INPUT, "the proof goes on where it should end");
    tct_part_clear(&whole);
    tct_leaf_free(w.leaf);
    return st;
}
