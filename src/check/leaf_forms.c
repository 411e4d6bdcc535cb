/*
 * leaf_forms.c -- forms forward through the layers, and one number per neuron for everything that rounding may do.
 *
 * The forms are those of leaf_network.c: every output of a hidden layer between two linear functions of the unknown
 * inputs, affine layers by the sign of the weight, a ReLU by the line through the ends of what it reads (above) and by
 * the form itself or 0 (below).  There every coefficient is an interval; here it is a plain double, and the forms are
 * taken as they came out: as exact functions with these coefficients.  Beside them stands, for neuron j with outputs
 * x_j as scores() computes them, an error R_j such that
 *
 *     lower_j(x) - R_j  <=  x_j  <=  upper_j(x) + R_j        for every x of the part.
 *
 * Let e = 2^-53, gamma_k = k e / (1 - k e), and size_j at least the sum of the absolute terms of either form anywhere
 * in the part.  For a neuron that reads n such outputs:
 *   - scores() computes z = sum w_i x_i + b + r with |r| <= gamma_(n+1) (|b| + sum |w_i| x_i) + n 2^-1074;
 *   - sum w_i x_i + b is above the exact combination of the forms less sum |w_i| R_i: lower_i where w_i > 0, else
 *     upper_i;
 *   - that combination is computed as sum w_i middle_i - sum |w_i| half_i, with middle and half the mean and half the
 *     difference of the two forms (where they are the same, half is left out).  Both are within size_i.  A term passes
 *     one rounding there, n + 1 in its sum, two more with the bias and in the difference: the coefficients as computed
 *     are off by at most 2 gamma_(n+4) (|b| + sum |w_i| size_i), and 2 n 2^-1074 for products that underflow.
 * So R = sum |w_i| (R_i + gamma_(n+6) (2 size_i + most_i)) + 3 gamma_(n+6) |b| + TINY, most_i the largest x_i.  The least
 * and the greatest value of a form are computed to within gamma_(stride+2) size and moved outward by that.
 * At a ReLU max(z, 0) <= max(upper, 0) + R and >= max(lower, 0) - R.  The line is s upper + t, whatever s came out as,
 * with t rounded up; scaling the coefficients and adding t costs 2 e (size + t).  All these sums of positive numbers
 * are computed themselves: MORE is beyond their relative errors, and TINY, for each neuron, beyond what underflow may
 * take anywhere, as no input of an unknown attribute exceeds 1 in size.  What overflows becomes no number, in the
 * sizes too, and then nothing is said to hold.
 *
 * The bounds of the neurons that come out of it serve once more: where the form of a margin does not suffice, the margin
 * is pulled back through the layers (leaf_back.c).
 *
 * It shares nothing with the provers' bounds.
 */
#include "leaf_forms.h"

#include <math.h>
#include <string.h>

#include "leaf_forms_inside.h"

enum { BLOCK = 8 }; /* numbers that a row is filled up to */
static const double MORE = FORMS_MORE, TINY = FORMS_TINY;

typedef struct form_loops {
    /* out = w forms for `rows` rows of n weights each; only the forms in from[n_from] take part. */
    void (*combine)(const double *w, size_t n, size_t rows, const uint32_t *from, size_t n_from, const double *forms,
                    size_t stride, double *out);
    /* out = |w| forms likewise. */
    void (*combine_sizes)(const double *w, size_t n, size_t rows, const uint32_t *from, size_t n_from,
                          const double *forms, size_t stride, double *out);
    /* Least and greatest value, and size of terms. */
    void (*extremes)(const double *form, size_t stride, const double *from, const double *to, const double *most,
                     double out[3]);
    double (*weighted)(const double *w, const double *cost, size_t n); /* sum |w| cost */
    /* lower and upper become lower - half and lower + half. */
    void (*apart)(double *lower, double *upper, const double *half, size_t stride);
    /* The mean and half the difference. */
    void (*halve)(const double *lower, const double *upper, size_t stride, double *middle, double *half);
    void (*sum_rows)(const double *m, const double *w, size_t n, size_t width, double *out); /* out = m w */
} form_loops;

#define LOOPS "leaf_forms_loops.h"
#include "simd_levels.h"

void tct_forms_sum_rows(const double *m, const double *w, size_t n, size_t width, double *out)
{
    TCT_SIMD_PICK(&loops)->sum_rows(m, w, n, width, out);
}

double tct_forms_gamma(size_t k)
{
    double ke = (double)k * 0x1p-53;

    return ke / (1 - ke) * (1 + 0x1p-50);
}

/* ---- the part ---- */

static void set_part(tct_leaf_forms *f, const tct_region *part)
{
    const tct_codec *codec = f->claim->model->codec;

    for (size_t a = 0; a < codec->schema->n_attributes; a++) {
        const tct_domain *domain = &codec->domains[a];
        size_t at = f->column[domain->first];

        if (f->claim->region.known[a])
            continue;
        if (domain->kind != TCT_ONEHOT) {
            tct_region_range(part, a, &f->from[at], &f->to[at]);
            f->most[at] = fmax(fabs(f->from[at]), fabs(f->to[at]));
            continue;
        }
        for (size_t k = 0; k < domain->count; k++) {
            f->allowed[at + k] = tct_region_has_level(part, a, k);
            f->most[at + k] = 1;
        }
    }
}

/* Bounds of a form over the part, rounding included, and its size. */
static void bound_form(const tct_leaf_forms *f, const form_loops *loops, const double *form, double *least,
                       double *greatest, double *size)
{
    double out[3], pad;

    loops->extremes(form, f->stride, f->from, f->to, f->most, out);
    for (size_t s = 0; s < f->n_categories; s++) {
        const tct_domain *domain = &f->claim->model->codec->domains[f->categories[s]];
        double low = INFINITY, high = -INFINITY;

        for (size_t at = f->column[domain->first], end = at + domain->count; at < end; at++)
            if (f->allowed[at]) {
                low = form[at] < low ? form[at] : low;
                high = form[at] > high ? form[at] : high;
            }
        out[0] += low;
        out[1] += high;
    }
    *size = out[2] * MORE + TINY;
    pad = f->rounding * *size + TINY;
    *least = out[0] - pad;
    *greatest = out[1] + pad;
}

/* ---- layers ---- */

/* Forms of the neurons of layer l before the ReLU, and their errors. */
static void set_neurons(tct_leaf_forms *f, const form_loops *loops, size_t l)
{
    tct_forms_layer *layer = &f->layers[l];
    const tct_forms_layer *in = l > 0 ? &f->layers[l - 1] : NULL;
    size_t n = f->mlp->sizes[l], rows = f->mlp->sizes[l + 1];

    if (!in) {
        memcpy(layer->lower, f->first, rows * f->stride * sizeof(double));
        memcpy(layer->upper, f->first, rows * f->stride * sizeof(double));
        memcpy(layer->error, f->first_error, rows * sizeof(double));
        return;
    }
    loops->combine(f->mlp->weights[l], n, rows, in->live, in->n_live, in->middle, f->stride, layer->lower);
    loops->combine_sizes(f->mlp->weights[l], n, rows, in->bent, in->n_bent, in->half, f->stride, layer->half);
    for (size_t j = 0; j < rows; j++) {
        double *lower = layer->lower + j * f->stride, *upper = layer->upper + j * f->stride;
        const double *half = layer->half + j * f->stride;
        double bias = f->mlp->bias[l][j];

        lower[f->n_free] += bias;
        loops->apart(lower, upper, half, f->stride);
        layer->error[j] =
            (loops->weighted(f->mlp->weights[l] + j * n, in->cost, n) + 3 * tct_forms_gamma(n + 6) * fabs(bias)) *
                MORE +
            TINY;
    }
}

static void clear_neuron(tct_leaf_forms *f, tct_forms_layer *layer, size_t j)
{
    memset(layer->lower + j * f->stride, 0, f->stride * sizeof(double));
    memset(layer->upper + j * f->stride, 0, f->stride * sizeof(double));
    layer->slope[j] = layer->size[j] = 0;
}

/* The two forms of an output once more, for the layer that reads it. */
static void set_middle(const tct_leaf_forms *f, const form_loops *loops, tct_forms_layer *layer, size_t j, bool bent)
{
    size_t at = j * f->stride;

    if (!bent && memcmp(layer->lower + at, layer->upper + at, f->stride * sizeof(double)) == 0) {
        memcpy(layer->middle + at, layer->lower + at, f->stride * sizeof(double));
        return;
    }
    loops->halve(layer->lower + at, layer->upper + at, f->stride, layer->middle + at, layer->half + at);
    layer->bent[layer->n_bent++] = (uint32_t)j;
}

/* Between what the neuron lies before its ReLU, as computed, given bounds of its two forms. */
static void note_range(tct_forms_layer *layer, size_t j, double least, double greatest)
{
    double error = layer->error[j] * MORE;

    layer->before[j] = layer->error[j];
    layer->low[j] = least - error - 0x1p-52 * (fabs(least) + error);
    layer->high[j] = greatest + error + 0x1p-52 * (fabs(greatest) + error);
}

/* max(z, 0): bend the two forms of neuron j.  n: how many values a neuron of the next layer reads. */
static void rectify(tct_leaf_forms *f, const form_loops *loops, tct_forms_layer *layer, size_t j, size_t n)
{
    double *lower = layer->lower + j * f->stride, *upper = layer->upper + j * f->stride;
    double least_above, most_above, least_below, most_below, size, size_below, s, t, most;

    bound_form(f, loops, upper, &least_above, &most_above, &size);
    least_below = least_above;
    most_below = most_above;
    size_below = size;
    if (layer != f->layers) /* the first layer has the same form twice */
        bound_form(f, loops, lower, &least_below, &most_below, &size_below);
    size = size_below > size ? size_below : size;
    note_range(layer, j, least_below, most_above);
    layer->slope[j] = 1;
    layer->slack[j] = layer->cost[j] = 0;
    if (most_above + layer->error[j] * MORE <= 0) { /* 0 as computed, too */
        clear_neuron(f, layer, j);
        layer->error[j] = 0;
        return;
    }
    most = (fmax(most_above, 0) + layer->error[j]) * MORE;
    layer->sum_most += most;
    if (least_above < 0) {
        s = most_above > 0 ? most_above / (most_above - least_above) : 0;
        t = fmax(fmax((1 - s) * most_above, -s * least_above), 0) * (1 + 0x1p-50) + TINY;
        for (size_t k = 0; k < f->stride; k++)
            upper[k] *= s;
        upper[f->n_free] += t;
        layer->error[j] = (layer->error[j] + 0x1p-51 * (size + t)) * MORE + TINY;
        size = (size + t) * MORE;
        layer->slope[j] = s > 0 ? s : 0x1p-1074; /* 0 is for neurons without any output */
        layer->slack[j] = t;
    }
    if (least_below < 0) {
        if (!(most_below > -least_below))
            memset(lower, 0, f->stride * sizeof(double));
        layer->slack[j] += fmax(fmin(-least_below, most_below), 0);
    }
    layer->size[j] = size + 0 * (most_above + least_above + most_below + least_below); /* no number stays none */
    layer->cost[j] = (layer->error[j] + tct_forms_gamma(n + 6) * (2 * layer->size[j] + most)) * MORE;
    layer->live[layer->n_live++] = (uint32_t)j;
    set_middle(f, loops, layer, j, least_above < 0 || least_below < 0);
}

/* ---- margins ---- */

/* The same where the scores read the inputs themselves. */
static double set_margin_of_inputs(tct_leaf_forms *f, const double *plus, const double *minus, double sign)
{
    double sizes = 0;

    for (size_t i = 0; i < f->mlp->sizes[0]; i++) {
        double w = sign * (minus ? plus[i] - minus[i] : plus[i]), known = f->claim->region.x[i];
        bool is_known = f->column[i] == TACIT_NONE;

        f->form[is_known ? f->n_free : f->column[i]] += is_known ? w * known : w;
        sizes += (fabs(plus[i]) + (minus ? fabs(minus[i]) : 0)) * (is_known ? fabs(known) : 1);
    }
    return 3 * tct_forms_gamma(f->mlp->sizes[0] + 3) * sizes;
}

/* A form below the margin of the label over class c, into f->form; returns its error.  Also the margin as a row over the
 * last hidden layer, into f->back, and its constant. */
static double set_margin(tct_leaf_forms *f, const form_loops *loops, size_t c, double *constant)
{
    const tct_mlp *mlp = f->mlp;
    size_t last = mlp->n_layers - 1, n = mlp->sizes[last], y = f->claim->label;
    bool single = mlp->base.n_scores == 1;
    const double *plus = mlp->weights[last] + (single ? 0 : y * n), *minus = mlp->weights[last] + (single ? 0 : c * n);
    const tct_forms_layer *in = last > 0 ? &f->layers[last - 1] : NULL;
    double bias = single ? mlp->bias[last][0] : mlp->bias[last][y] - mlp->bias[last][c];
    double sizes = fabs(mlp->bias[last][single ? 0 : y]) + (single ? 0 : fabs(mlp->bias[last][c]));
    double sign = single && y == 0 ? -1 : 1, error;

    memset(f->form, 0, f->stride * sizeof(double));
    f->form[f->n_free] = sign * bias;
    *constant = sign * bias;
    error = in ? loops->weighted(plus, in->cost, n) + (single ? 0 : loops->weighted(minus, in->cost, n))
               : set_margin_of_inputs(f, plus, single ? NULL : minus, sign);
    for (size_t i = 0; in && i < n; i++)
        f->back[i] = sign * (single ? plus[i] : plus[i] - minus[i]);
    for (size_t m = 0; in && m < in->n_live; m++) {
        size_t i = in->live[m];
        double w = f->back[i];
        const double *from = (w > 0 ? in->lower : in->upper) + i * f->stride;

        for (size_t k = 0; k < f->stride; k++)
            f->form[k] += w * from[k];
    }
    return (error + 3 * tct_forms_gamma(n + 3) * sizes) * MORE + TINY;
}

/* The point of the part where the form is least. */
static void set_corner(tct_leaf_forms *f)
{
    for (size_t k = 0; k < f->stride; k++)
        f->corner[k] = f->form[k] < 0 ? f->to[k] : f->from[k];
    for (size_t s = 0; s < f->n_categories; s++) {
        const tct_domain *domain = &f->claim->model->codec->domains[f->categories[s]];
        size_t first = f->column[domain->first], best = TACIT_NONE;

        for (size_t at = first; at < first + domain->count; at++)
            if (f->allowed[at] && (best == TACIT_NONE || f->form[at] < f->form[best]))
                best = at;
        f->corner[best] = 1;
    }
}

/* Does the margin of the label over class c, pulled back (leaf_back.c), hold?  With other lines if the first ones do not
 * suffice.  The form and its least value are left in f->form and *least. */
static bool pulled_margin_holds(tct_leaf_forms *f, const form_loops *loops, size_t c, double *least)
{
    double constant, greatest, size;

    for (size_t l = 0; l + 1 < f->mlp->n_layers; l++)
        for (size_t j = 0; j < f->mlp->sizes[l + 1]; j++)
            f->layers[l].under[j] = f->layers[l].high[j] > -f->layers[l].low[j];
    for (int attempt = 0; attempt < 2; attempt++) {
        double error = set_margin(f, loops, c, &constant) + tct_forms_pull_margin(f, constant);

        bound_form(f, loops, f->form, least, &greatest, &size);
        if (*least - error + 0 * greatest > 0)
            return true;
        if (attempt == 0) {
            set_corner(f);
            tct_forms_move_lines(f, f->corner);
        }
    }
    return false;
}

/* Is every margin large enough?  Keeps the weakest. */
static bool margins_hold(tct_leaf_forms *f, const form_loops *loops)
{
    double smallest = INFINITY;
    bool all = true;

    f->near = true;
    for (size_t c = 0; c < f->mlp->base.n_classes; c++) {
        double error, least, greatest, size, constant;

        if (c == f->claim->label)
            continue;
        error = set_margin(f, loops, c, &constant);
        bound_form(f, loops, f->form, &least, &greatest, &size);
        if (least - error + 0 * greatest > 0)
            continue;
        if (least + error + 2 * f->rounding * size < 0)
            f->near = false;
        if (f->mlp->n_layers > 1 && pulled_margin_holds(f, loops, c, &least))
            continue;
        all = false;
        if (!(least >= smallest)) {
            smallest = least;
            f->against = c;
            memcpy(f->weakest, f->form, f->stride * sizeof(double));
        }
    }
    if (!all && f->mlp->n_layers > 1 && f->mlp->base.n_classes > 2)
        pulled_margin_holds(f, loops, f->against, &smallest); /* gaps of the weakest */
    return all;
}

bool tct_leaf_forms_hold(tct_leaf_forms *f, const tct_region *part)
{
    const form_loops *loops = TCT_SIMD_PICK(&loops);

    set_part(f, part);
    for (size_t l = 0; l + 1 < f->mlp->n_layers; l++) {
        tct_forms_layer *layer = &f->layers[l];

        layer->n_live = layer->n_bent = 0;
        layer->sum_most = 0;
        set_neurons(f, loops, l);
        for (size_t j = 0; j < f->mlp->sizes[l + 1]; j++)
            rectify(f, loops, layer, j, f->mlp->sizes[l + 1]);
    }
    return margins_hold(f, loops);
}

/* ---- the object ---- */

/* The first layer before the ReLU, what is known put in. */
static void set_first(tct_leaf_forms *f)
{
    const tct_mlp *mlp = f->mlp;
    size_t d = mlp->sizes[0];

    for (size_t j = 0; j < mlp->sizes[1]; j++) {
        double *form = f->first + j * f->stride, size = fabs(mlp->bias[0][j]);

        form[f->n_free] = mlp->bias[0][j];
        for (size_t i = 0; i < d; i++) {
            double w = mlp->weights[0][j * d + i];

            if (f->column[i] == TACIT_NONE) {
                form[f->n_free] += w * f->claim->region.x[i];
                size += fabs(w * f->claim->region.x[i]);
            } else {
                form[f->column[i]] = w;
                size += fabs(w);
            }
        }
        f->first_error[j] = 2 * tct_forms_gamma(d + 2) * size * MORE + TINY; /* of scores() and of the constant */
    }
}

static double *take_numbers(tct_leaf_forms *f, size_t count)
{
    return tct_take(&f->arena, count, sizeof(double));
}

static void take_layer(tct_leaf_forms *f, tct_forms_layer *layer, size_t n)
{
    layer->lower = take_numbers(f, n * f->stride);
    layer->upper = take_numbers(f, n * f->stride);
    layer->middle = take_numbers(f, n * f->stride);
    layer->half = take_numbers(f, n * f->stride);
    layer->error = take_numbers(f, n);
    layer->size = take_numbers(f, n);
    layer->cost = take_numbers(f, n);
    layer->slope = take_numbers(f, n);
    layer->slack = take_numbers(f, n);
    layer->low = take_numbers(f, n);
    layer->high = take_numbers(f, n);
    layer->before = take_numbers(f, n);
    layer->gap = take_numbers(f, n);
    layer->under = take_numbers(f, n);
    layer->coefficient = take_numbers(f, n);
    layer->live = tct_take(&f->arena, n, sizeof *layer->live);
    layer->bent = tct_take(&f->arena, n, sizeof *layer->bent);
}

tacit_status tct_leaf_forms_new(tct_leaf_forms **out, const tct_claim *claim, const tct_mlp *mlp, tacit_error *err)
{
    const tct_codec *codec = claim->model->codec;
    tct_leaf_forms *f = tct_calloc(1, sizeof(*f));

    *out = f;
    if (!f)
        return tct_fail_memory(err);
    f->claim = claim;
    f->mlp = mlp;
    f->against = TACIT_NONE;
    f->column = tct_take(&f->arena, mlp->sizes[0], sizeof(*f->column));
    for (size_t a = 0; a < codec->schema->n_attributes && f->column; a++)
        for (size_t i = 0; i < codec->domains[a].width; i++)
            f->column[codec->domains[a].first + i] = claim->region.known[a] ? TACIT_NONE : f->n_free++;
    f->stride = (f->n_free + 1 + BLOCK - 1) / BLOCK * BLOCK;
    f->rounding = tct_forms_gamma(f->stride + 2);
    f->widest = f->stride;
    for (size_t l = 0; l < mlp->n_layers; l++)
        f->widest = mlp->sizes[l] > f->widest ? mlp->sizes[l] : f->widest;
    f->categories = tct_take(&f->arena, codec->schema->n_attributes, sizeof(*f->categories));
    for (size_t a = 0; a < codec->schema->n_attributes && f->categories; a++)
        if (!claim->region.known[a] && codec->domains[a].kind == TCT_ONEHOT)
            f->categories[f->n_categories++] = a;
    f->allowed = tct_take(&f->arena, f->stride, 1);
    f->from = take_numbers(f, f->stride);
    f->to = take_numbers(f, f->stride);
    f->most = take_numbers(f, f->stride);
    f->form = take_numbers(f, f->stride);
    f->weakest = take_numbers(f, f->stride);
    f->corner = take_numbers(f, f->stride);
    f->back = take_numbers(f, 2 * f->widest);
    f->first = take_numbers(f, mlp->sizes[1] * f->stride);
    f->first_error = take_numbers(f, mlp->sizes[1]);
    f->layers = tct_take(&f->arena, mlp->n_layers, sizeof(*f->layers));
    for (size_t l = 0; l + 1 < mlp->n_layers && f->layers; l++)
        take_layer(f, &f->layers[l], mlp->sizes[l + 1]);
    if (f->arena.failed) {
        tct_leaf_forms_free(f);
        *out = NULL;
        return tct_fail_memory(err);
    }
    f->from[f->n_free] = f->to[f->n_free] = f->most[f->n_free] = 1; /* the constant */
    set_first(f);
    return TACIT_OK;
}

void tct_leaf_forms_free(tct_leaf_forms *f)
{
    if (!f)
        return;
    tct_arena_clear(&f->arena);
    tct_free(f);
}
