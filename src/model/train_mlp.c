/*
 * train_mlp.c -- training ReLU networks: mini-batch gradient descent on cross-entropy, plain, with momentum, or Adam.
 *
 *   minimise   sum over points of log loss  +  l2/2 sum of squared weights,   biases free of penalty
 *
 * divided by the number of points, so that a step is rate times the mean gradient of a batch plus l2/n times the
 * weights.  Log losses are those of logistic.c: one score for two classes, softmax for more.
 *
 * The points are copied once, a row each, and shuffled anew in every epoch.  A batch goes through the network with its
 * points side by side: value j of a layer for all points of the batch is one run of `lanes` numbers, and everything but
 * the gradient's dot products is a sum of scaled runs, which the compiler turns into vector code without changing the
 * order of a single sum.  Lanes beyond the batch (it is filled up to a multiple of RUN, and the last one may be short)
 * have inputs of 0 and residuals of 0: they add nothing.  All memory is taken before the first step.
 *
 * One thread: the batches of a small network are too short to be worth sharing.
 */
#include "mlp.h"

#include <math.h>
#include <string.h>

enum { RUN = 8, ROWS = 2 }; /* points and neurons side by side in the inner loops */
static const double ADAM_FIRST = 0.9, ADAM_SECOND = 0.999, ADAM_SMALL = 1e-8;
static const double IMPROVED = 1e-4;                             /* a loss lower by this share counts as improvement */
static const uint64_t DRAWS = 0x6d6c7031, SHUFFLES = 0x6d6c7032; /* streams of random numbers */

typedef struct trainer {
    const tct_mlp_options *opt;
    size_t n, n_layers, sizes[TCT_MAX_LAYERS + 1], n_parameters;
    size_t lanes; /* room for points of a batch */
    const int32_t *labels;
    double *rows;   /* n x sizes[0] */
    size_t *order;  /* of the points */
    int32_t *batch; /* labels of the batch */
    double *block;  /* all that follows, n_block doubles */
    size_t n_block;
    double *parameters, *gradient, *first, *second;         /* weights and biases; their gradient; running moments */
    double *weights[TCT_MAX_LAYERS], *bias[TCT_MAX_LAYERS]; /* in parameters */
    double *to_weights[TCT_MAX_LAYERS], *to_bias[TCT_MAX_LAYERS]; /* in gradient */
    double *values[TCT_MAX_LAYERS + 1]; /* [l]: sizes[l] runs of lanes; the last: scores, then residuals */
    double *back[2];                    /* derivatives by the values of a layer */
    uint64_t steps;
} trainer;

/* ---- setting up ---- */

static tacit_status check(const tct_mlp_options *opt, size_t n, tacit_error *err)
{
    if (opt->n_hidden >= TCT_MAX_LAYERS)
        return tct_fail(err, TACIT_E_USAGE, "at most %d hidden layers", TCT_MAX_LAYERS - 1);
    for (size_t l = 0; l < opt->n_hidden; l++) {
        if (opt->hidden[l] == 0 || opt->hidden[l] > TCT_MAX_WIDTH)
            return tct_fail(err, TACIT_E_USAGE, "a hidden layer has 1 to %d neurons", TCT_MAX_WIDTH);
    }
    if (opt->epochs == 0 || opt->batch == 0)
        return tct_fail(err, TACIT_E_USAGE, "epochs and batch must be at least 1");
    if (!(opt->rate > 0 && isfinite(opt->rate)))
        return tct_fail(err, TACIT_E_USAGE, "rate must be a number above 0");
    if (!(opt->momentum >= 0 && opt->momentum < 1))
        return tct_fail(err, TACIT_E_USAGE, "momentum must be at least 0 and below 1");
    if (opt->adam && opt->momentum > 0)
        return tct_fail(err, TACIT_E_USAGE, "momentum and Adam exclude each other");
    if (!(opt->l2 >= 0 && isfinite(opt->l2)))
        return tct_fail(err, TACIT_E_USAGE, "l2 must be a number, 0 or more");
    if (n == 0)
        return tct_fail(err, TACIT_E_USAGE, "nothing to train on");
    return TACIT_OK;
}

/* Cut `block` into its parts; with block NULL only counts. */
static size_t cut(trainer *t)
{
    double *at = t->block;
    size_t used = 4 * t->n_parameters, widest = 0;

    for (size_t l = 0; l <= t->n_layers; l++) {
        used += t->sizes[l] * t->lanes;
        if (t->sizes[l] > widest)
            widest = t->sizes[l];
    }
    used += 2 * widest * t->lanes;
    if (!at)
        return used;
    t->parameters = at;
    t->gradient = at + t->n_parameters;
    t->first = at + 2 * t->n_parameters;
    t->second = at + 3 * t->n_parameters;
    at = t->parameters;
    for (size_t l = 0; l < t->n_layers; l++) {
        t->weights[l] = at;
        t->to_weights[l] = at + t->n_parameters;
        at += t->sizes[l] * t->sizes[l + 1];
        t->bias[l] = at;
        t->to_bias[l] = at + t->n_parameters;
        at += t->sizes[l + 1];
    }
    at = t->second + t->n_parameters;
    for (size_t l = 0; l <= t->n_layers; l++) {
        t->values[l] = at;
        at += t->sizes[l] * t->lanes;
    }
    t->back[0] = at;
    t->back[1] = at + widest * t->lanes;
    return used;
}

/* Memory, and the points in rows. */
static tacit_status prepare(trainer *t, const double *x, size_t stride, tacit_error *err)
{
    size_t d = t->sizes[0], batch = t->opt->batch < t->n ? t->opt->batch : t->n;

    t->lanes = (batch + RUN - 1) / RUN * RUN;
    for (size_t l = 0; l < t->n_layers; l++)
        t->n_parameters += (t->sizes[l] + 1) * t->sizes[l + 1];
    t->n_block = cut(t);
    t->block = tct_calloc(t->n_block, sizeof(double));
    t->rows = tct_malloc(t->n, d * sizeof(double));
    t->order = tct_malloc(t->n, sizeof(size_t));
    t->batch = tct_malloc(t->lanes, sizeof(int32_t));
    if (!t->block || !t->rows || !t->order || !t->batch)
        return tct_fail_memory(err);
    cut(t);
    for (size_t i = 0; i < d; i++) {
        for (size_t r = 0; r < t->n; r++)
            t->rows[r * d + i] = x[i * stride + r];
    }
    for (size_t r = 0; r < t->n; r++)
        t->order[r] = r;
    return TACIT_OK;
}

static void clear(trainer *t)
{
    tct_free_wiped(t->block, t->n_block * sizeof(double));
    tct_free_wiped(t->rows, t->n * t->sizes[0] * sizeof(double));
    tct_free_wiped(t->batch, t->lanes * sizeof(int32_t));
    tct_free(t->order);
}

/* First weights: given, or normal with variance 2 / inputs, biases 0. */
static tacit_status start(trainer *t, tacit_error *err)
{
    const tct_mlp *given = t->opt->start;
    tct_random random;

    if (given &&
        (given->n_layers != t->n_layers || memcmp(given->sizes, t->sizes, (t->n_layers + 1) * sizeof(size_t)) != 0))
        return tct_fail(err, TACIT_E_USAGE, "the first weights have another shape");
    tct_random_seed(&random, t->opt->seed, DRAWS);
    for (size_t l = 0; l < t->n_layers; l++) {
        size_t count = t->sizes[l] * t->sizes[l + 1];
        double spread = sqrt(2 / (double)t->sizes[l]);
        if (given) {
            memcpy(t->weights[l], given->weights[l], count * sizeof(double));
            memcpy(t->bias[l], given->bias[l], t->sizes[l + 1] * sizeof(double));
            continue;
        }
        for (size_t i = 0; i < count; i++)
            t->weights[l][i] = spread * tct_random_normal(&random);
    }
    return TACIT_OK;
}

/* ---- one batch ---- */

/* out_j = bias_j + sum over i of w[j * row + i * column] in_i, for runs of `lanes`; bias NULL: 0.  With row = n_in and
 * column = 1 this is a layer, with row = 1 and column = n_in (and the roles of in and out exchanged) its transpose. */
static void combine(const double *w, size_t row, size_t column, const double *bias, size_t n_in, size_t n_out,
                    const double *restrict in, double *restrict out, size_t lanes)
{
    size_t j = 0;

    for (; j + ROWS <= n_out; j += ROWS) {
        for (size_t r = 0; r < lanes; r += RUN) {
            double sum[ROWS][RUN];
            for (size_t q = 0; q < ROWS; q++) {
                for (size_t k = 0; k < RUN; k++)
                    sum[q][k] = bias ? bias[j + q] : 0;
            }
            for (size_t i = 0; i < n_in; i++) {
                const double *run = in + i * lanes + r;
                for (size_t q = 0; q < ROWS; q++) {
                    double weight = w[(j + q) * row + i * column];
                    for (size_t k = 0; k < RUN; k++)
                        sum[q][k] += weight * run[k];
                }
            }
            for (size_t q = 0; q < ROWS; q++)
                memcpy(out + (j + q) * lanes + r, sum[q], RUN * sizeof(double));
        }
    }
    for (; j < n_out; j++) { /* the odd one */
        for (size_t r = 0; r < lanes; r += RUN) {
            double sum[RUN];
            for (size_t k = 0; k < RUN; k++)
                sum[k] = bias ? bias[j] : 0;
            for (size_t i = 0; i < n_in; i++) {
                double weight = w[j * row + i * column];
                for (size_t k = 0; k < RUN; k++)
                    sum[k] += weight * in[i * lanes + r + k];
            }
            memcpy(out + j * lanes + r, sum, RUN * sizeof(double));
        }
    }
}

static double dot(const double *restrict a, const double *restrict b, size_t lanes)
{
    double sums[RUN] = {0};

    for (size_t r = 0; r < lanes; r += RUN) {
        for (size_t k = 0; k < RUN; k++)
            sums[k] += a[r + k] * b[r + k];
    }
    return ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
}

/* Inputs and labels of `m` points from place `from` of the order on. */
static void gather(trainer *t, size_t from, size_t m)
{
    size_t d = t->sizes[0];

    for (size_t r = 0; r < m; r++) {
        const double *row = t->rows + t->order[from + r] * d;
        for (size_t i = 0; i < d; i++)
            t->values[0][i * t->lanes + r] = row[i];
        t->batch[r] = t->labels[t->order[from + r]];
    }
    for (size_t r = m; r < t->lanes; r++) {
        for (size_t i = 0; i < d; i++)
            t->values[0][i * t->lanes + r] = 0;
    }
}

/* Log losses of the first m lanes of two classes; scores become residuals. */
static double logistic_losses(const int32_t *labels, size_t m, double *z)
{
    double loss = 0;

    for (size_t r = 0; r < m; r++) {
        double e = exp(-fabs(z[r])); /* never overflows */
        double wrong = labels[r] ? -z[r] : z[r];
        loss += (wrong > 0 ? wrong : 0) + log1p(e);
        z[r] = (wrong > 0 ? 1 : e) / (1 + e) * (labels[r] ? -1 : 1);
    }
    return loss;
}

/* The same for more classes. */
static double softmax_losses(const int32_t *labels, size_t m, size_t n_scores, double *z, size_t lanes)
{
    double loss = 0;

    for (size_t r = 0; r < m; r++) {
        size_t y = (size_t)labels[r];
        double top = z[r], total = 0;
        for (size_t s = 1; s < n_scores; s++)
            top = fmax(top, z[s * lanes + r]);
        loss -= z[y * lanes + r] - top;
        for (size_t s = 0; s < n_scores; s++) {
            z[s * lanes + r] = exp(z[s * lanes + r] - top);
            total += z[s * lanes + r];
        }
        loss += log(total); /* total >= 1 */
        for (size_t s = 0; s < n_scores; s++)
            z[s * lanes + r] /= total;
        z[y * lanes + r] -= 1;
    }
    return loss;
}

/* Values of all layers; returns the sum of losses of the first m lanes and leaves residuals in the last values. */
static double forward(trainer *t, size_t m)
{
    size_t last = t->n_layers, n_scores = t->sizes[last];
    double *z = t->values[last], loss;

    for (size_t l = 0; l < last; l++) {
        double *out = t->values[l + 1];
        combine(t->weights[l], t->sizes[l], 1, t->bias[l], t->sizes[l], t->sizes[l + 1], t->values[l], out, t->lanes);
        for (size_t k = 0; l + 1 < last && k < t->sizes[l + 1] * t->lanes; k++)
            out[k] = out[k] > 0 ? out[k] : 0;
    }
    loss = n_scores == 1 ? logistic_losses(t->batch, m, z) : softmax_losses(t->batch, m, n_scores, z, t->lanes);
    for (size_t s = 0; s < n_scores; s++) {
        for (size_t r = m; r < t->lanes; r++)
            z[s * t->lanes + r] = 0;
    }
    return loss;
}

/* Sums over the batch of the derivatives by all parameters. */
static void backward(trainer *t)
{
    const double *delta = t->values[t->n_layers];

    for (size_t l = t->n_layers; l-- > 0;) {
        size_t n_in = t->sizes[l], n_out = t->sizes[l + 1];
        const double *in = t->values[l];
        double *next = t->back[l % 2];
        for (size_t j = 0; j < n_out; j++) {
            double sum = 0;
            for (size_t i = 0; i < n_in; i++)
                t->to_weights[l][j * n_in + i] = dot(delta + j * t->lanes, in + i * t->lanes, t->lanes);
            for (size_t r = 0; r < t->lanes; r++)
                sum += delta[j * t->lanes + r];
            t->to_bias[l][j] = sum;
        }
        if (l == 0)
            return;
        combine(t->weights[l], 1, n_in, NULL, n_out, n_in, delta, next, t->lanes);
        for (size_t k = 0; k < n_in * t->lanes; k++)
            next[k] = in[k] > 0 ? next[k] : 0;
        delta = next;
    }
}

/* Mean gradient of a batch of m, penalty included, in place of the sums. */
static void average(trainer *t, size_t m)
{
    double share = 1 / (double)m, decay = t->opt->l2 / (double)t->n;

    for (size_t i = 0; i < t->n_parameters; i++)
        t->gradient[i] *= share;
    for (size_t l = 0; l < t->n_layers && decay > 0; l++) {
        for (size_t i = 0; i < t->sizes[l] * t->sizes[l + 1]; i++)
            t->to_weights[l][i] += decay * t->weights[l][i];
    }
}

static void step_adam(trainer *t)
{
    double *restrict w = t->parameters, *restrict first = t->first, *restrict second = t->second;
    const double *restrict g = t->gradient;
    double up = 1 / (1 - pow(ADAM_FIRST, (double)t->steps)), wide = 1 / (1 - pow(ADAM_SECOND, (double)t->steps));

    for (size_t i = 0; i < t->n_parameters; i++) {
        first[i] = ADAM_FIRST * first[i] + (1 - ADAM_FIRST) * g[i];
        second[i] = ADAM_SECOND * second[i] + (1 - ADAM_SECOND) * g[i] * g[i];
        w[i] -= t->opt->rate * (first[i] * up) / (sqrt(second[i] * wide) + ADAM_SMALL);
    }
}

static void step(trainer *t)
{
    double *restrict w = t->parameters, *restrict first = t->first;
    const double *restrict g = t->gradient;

    t->steps++;
    if (t->opt->adam) {
        step_adam(t);
        return;
    }
    for (size_t i = 0; i < t->n_parameters; i++) {
        first[i] = t->opt->momentum * first[i] + g[i];
        w[i] -= t->opt->rate * first[i];
    }
}

/* ---- epochs ---- */

static void shuffle(trainer *t, size_t epoch)
{
    tct_random random;

    tct_random_seed(&random, t->opt->seed, tct_mix(SHUFFLES, epoch));
    for (size_t k = t->n; k > 1; k--) {
        size_t other = (size_t)tct_random_below(&random, k), kept = t->order[k - 1];
        t->order[k - 1] = t->order[other];
        t->order[other] = kept;
    }
}

/* Once through all points; returns the mean loss. */
static double run_epoch(trainer *t)
{
    double loss = 0;

    for (size_t from = 0; from < t->n;) {
        size_t m = t->n - from < t->opt->batch ? t->n - from : t->opt->batch;
        gather(t, from, m);
        loss += forward(t, m);
        backward(t);
        average(t, m);
        step(t);
        from += m;
    }
    return loss / (double)t->n;
}

static tacit_status descend(trainer *t, tct_mlp_outcome *outcome, tacit_progress progress, void *context,
                            tacit_error *err)
{
    double best = INFINITY;
    size_t since = 0;

    for (size_t epoch = 1; epoch <= t->opt->epochs; epoch++) {
        if (!t->opt->in_order)
            shuffle(t, epoch);
        outcome->loss = run_epoch(t);
        outcome->epochs = epoch;
        if (!isfinite(outcome->loss))
            return tct_fail(err, TACIT_E_INPUT, "training diverged in epoch %zu; try a smaller rate (now %g)", epoch,
                            t->opt->rate);
        if (progress && !progress(context, epoch, t->opt->epochs))
            return tct_fail(err, TACIT_E_STOPPED, "training was stopped");
        since = outcome->loss < best * (1 - IMPROVED) ? 0 : since + 1;
        best = fmin(best, outcome->loss);
        if (t->opt->patience && since >= t->opt->patience)
            break;
    }
    return TACIT_OK;
}

tacit_status tct_train_mlp(tct_classifier **out, const double *x, size_t stride, const int32_t *labels, size_t n,
                           size_t n_inputs, size_t n_classes, const tct_mlp_options *opt, tct_mlp_outcome *outcome,
                           tacit_progress progress, void *context, tacit_error *err)
{
    trainer t = {.opt = opt, .n = n, .labels = labels};
    tct_mlp_outcome result = {0};
    tacit_status st;

    *out = NULL;
    st = check(opt, n, err);
    if (st)
        return st;
    t.n_layers = opt->n_hidden + 1;
    t.sizes[0] = n_inputs;
    for (size_t l = 0; l < opt->n_hidden; l++)
        t.sizes[l + 1] = opt->hidden[l];
    t.sizes[t.n_layers] = n_classes == 2 ? 1 : n_classes;
    st = prepare(&t, x, stride, err);
    if (!st)
        st = start(&t, err);
    if (!st)
        st = descend(&t, &result, progress, context, err);
    if (!st)
        st = tct_mlp_new(out, n_classes, t.n_layers, t.sizes, (const double *const *)t.weights,
                         (const double *const *)t.bias, err);
    if (outcome)
        *outcome = result;
    clear(&t);
    return st;
}
