/*
 * train_mlp.c -- training ReLU networks: mini-batch gradient descent on cross-entropy, plain, with momentum, or Adam.
 *
 *   minimise   sum over points of log loss  +  l2/2 sum of squared weights,   biases free of penalty
 *
 * divided by the number of points, so that a step is rate times the mean gradient of a batch plus l2/n times the
 * weights.  descent.c takes the steps; here is what lies around them.
 *
 * The points are copied once, a row each, standardised if asked for.  A network that learnt from standardised inputs
 * (x - centre) / spread is given back as one that reads x: weights / spread, bias - sum of weights centre / spread.
 */
#include <math.h>
#include <string.h>

#include "descent.h"

static const double IMPROVED = 1e-4;                             /* a loss lower by this share counts as improvement */
static const uint64_t DRAWS = 0x6d6c7031, SHUFFLES = 0x6d6c7032; /* streams of random numbers */

typedef struct trainer {
    const tct_mlp_options *options;
    tct_points points;
    double *rows;            /* those of points */
    double *centre, *spread; /* per input; spread 0: the input never varies */
    tct_descent descent;
} trainer;

/* ---- setting up ---- */

static tacit_status check(const tct_mlp_options *options, size_t n, tacit_error *err)
{
    if (options->n_hidden >= TCT_MAX_LAYERS)
        return tct_fail(err, TACIT_E_USAGE, "at most %d hidden layers", TCT_MAX_LAYERS - 1);
    for (size_t l = 0; l < options->n_hidden; l++) {
        if (options->hidden[l] == 0 || options->hidden[l] > TCT_MAX_WIDTH)
            return tct_fail(err, TACIT_E_USAGE, "a hidden layer has 1 to %d neurons", TCT_MAX_WIDTH);
    }
    if (options->epochs == 0 || options->batch == 0)
        return tct_fail(err, TACIT_E_USAGE, "epochs and batch must be at least 1");
    if (!(options->rate > 0 && isfinite(options->rate)))
        return tct_fail(err, TACIT_E_USAGE, "rate must be a number above 0");
    if (!(options->momentum >= 0 && options->momentum < 1))
        return tct_fail(err, TACIT_E_USAGE, "momentum must be at least 0 and below 1");
    if (options->adam && options->momentum > 0)
        return tct_fail(err, TACIT_E_USAGE, "momentum and Adam exclude each other");
    if (!(options->l2 >= 0 && isfinite(options->l2)))
        return tct_fail(err, TACIT_E_USAGE, "l2 must be a number, 0 or more");
    if (!(options->narrow >= 0 && isfinite(options->narrow)))
        return tct_fail(err, TACIT_E_USAGE, "narrow must be a number, 0 or more");
    if (options->standardise && options->start)
        return tct_fail(err, TACIT_E_USAGE, "first weights are for inputs as they are");
    if (n == 0)
        return tct_fail(err, TACIT_E_USAGE, "nothing to train on");
    return TACIT_OK;
}

/* Centre and spread of n values; spread 0 when they are all the same. */
static void measure(const double *x, size_t n, double narrow, double *centre, double *spread)
{
    double least = x[0], most = x[0], sum = 0, squares = 0;

    for (size_t r = 0; r < n; r++) {
        least = fmin(least, x[r]);
        most = fmax(most, x[r]);
        sum += x[r];
    }
    *centre = sum / (double)n;
    *spread = 0;
    if (least == most) {
        *centre = least;
        return;
    }
    for (size_t r = 0; r < n; r++)
        squares += (x[r] - *centre) * (x[r] - *centre);
    *spread = sqrt(squares / (double)n + narrow * narrow);
}

/* Memory, and the points in rows. */
static tacit_status prepare(trainer *t, const double *x, size_t stride, tacit_error *err)
{
    size_t d = t->points.d, n = t->points.n;

    t->rows = tct_malloc(n, d * sizeof(double));
    t->centre = tct_calloc(2 * d, sizeof(double));
    if (!t->rows || !t->centre)
        return tct_fail_memory(err);
    t->points.rows = t->rows;
    t->spread = t->centre + d;
    for (size_t i = 0; i < d; i++) {
        double divisor;
        t->spread[i] = 1;
        if (t->options->standardise)
            measure(x + i * stride, n, t->options->narrow, &t->centre[i], &t->spread[i]);
        divisor = t->spread[i] > 0 ? t->spread[i] : 1;
        for (size_t r = 0; r < n; r++)
            t->rows[r * d + i] = (x[i * stride + r] - t->centre[i]) / divisor;
    }
    return TACIT_OK;
}

static void clear(trainer *t)
{
    tct_descent_clear(&t->descent);
    tct_free_wiped(t->rows, t->points.n * t->points.d * sizeof(double));
    tct_free_wiped(t->centre, 2 * t->points.d * sizeof(double));
}

/* First weights: given, or normal with variance 2 / inputs, biases 0; none for inputs that never vary. */
static tacit_status begin(trainer *t, tacit_error *err)
{
    const tct_mlp *given = t->options->start;
    tct_descent *descent = &t->descent;
    const size_t *sizes = descent->sizes;
    tct_random random;

    if (given && (given->n_layers != descent->n_layers ||
                  memcmp(given->sizes, sizes, (descent->n_layers + 1) * sizeof(size_t)) != 0))
        return tct_fail(err, TACIT_E_USAGE, "the first weights have another shape");
    tct_random_seed(&random, t->options->seed, DRAWS);
    for (size_t l = 0; l < descent->n_layers; l++) {
        size_t count = sizes[l] * sizes[l + 1];
        double wide = sqrt(2 / (double)sizes[l]);
        if (given) {
            memcpy(descent->weights[l], given->weights[l], count * sizeof(double));
            memcpy(descent->bias[l], given->bias[l], sizes[l + 1] * sizeof(double));
            continue;
        }
        for (size_t i = 0; i < count; i++) {
            double draw = tct_random_normal(&random);
            descent->weights[l][i] = l > 0 || t->spread[i % sizes[0]] > 0 ? wide * draw : 0;
        }
    }
    return TACIT_OK;
}

static tacit_status descend(trainer *t, tct_mlp_outcome *outcome, tacit_progress progress, void *context,
                            tacit_error *err)
{
    const tct_mlp_options *options = t->options;
    double best = INFINITY;
    size_t since = 0;

    for (size_t epoch = 1; epoch <= options->epochs; epoch++) {
        double rate = options->rate;
        if (options->cosine)
            rate *= (1 + cos(M_PI * ((double)epoch - 0.5) / (double)options->epochs)) / 2;
        if (!options->in_order) {
            tct_random random;
            tct_random_seed(&random, options->seed, tct_mix(SHUFFLES, epoch));
            tct_descent_shuffle(&t->descent, &random);
        }
        outcome->loss = tct_descent_epoch(&t->descent, rate);
        outcome->epochs = epoch;
        if (!isfinite(outcome->loss))
            return tct_fail(err, TACIT_E_INPUT, "training diverged in epoch %zu; try a smaller rate (now %g)", epoch,
                            options->rate);
        if (progress && !progress(context, epoch, options->epochs))
            return tct_fail(err, TACIT_E_STOPPED, "training was stopped");
        since = outcome->loss < best * (1 - IMPROVED) ? 0 : since + 1;
        best = fmin(best, outcome->loss);
        if (options->patience && since >= options->patience)
            break;
    }
    return TACIT_OK;
}

/* The network in the inputs as they were. */
static void fold(trainer *t)
{
    double *w = t->descent.weights[0], *bias = t->descent.bias[0];
    size_t d = t->points.d;

    for (size_t j = 0; j < t->descent.sizes[1]; j++) {
        for (size_t i = 0; i < d; i++) {
            if (t->spread[i] == 0)
                continue;
            w[j * d + i] /= t->spread[i];
            bias[j] -= w[j * d + i] * t->centre[i];
        }
    }
}

tacit_status tct_train_mlp(tct_classifier **out, const double *x, size_t stride, const int32_t *labels, size_t n,
                           size_t n_inputs, size_t n_classes, const tct_mlp_options *options, tct_mlp_outcome *outcome,
                           tacit_progress progress, void *context, tacit_error *err)
{
    trainer t = {.options = options, .points = {.n = n, .d = n_inputs, .labels = labels}};
    tct_mlp_outcome result = {0};
    tacit_status st;

    *out = NULL;
    st = check(options, n, err);
    if (st)
        return st;
    if ((st = prepare(&t, x, stride, err)) || (st = tct_descent_init(&t.descent, &t.points, n_classes, options, err)) ||
        (st = begin(&t, err)) || (st = descend(&t, &result, progress, context, err)))
        goto done;
    if (options->standardise)
        fold(&t);
    st = tct_mlp_new(out, n_classes, t.descent.n_layers, t.descent.sizes, (const double *const *)t.descent.weights,
                     (const double *const *)t.descent.bias, err);
done:
    if (outcome)
        *outcome = result;
    clear(&t);
    return st;
}
