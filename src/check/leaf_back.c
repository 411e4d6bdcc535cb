/*
 * leaf_back.c -- the margin pulled back through the layers, with the bounds that the forms gave every neuron.
 *
 * The forms of leaf_forms.c settle for every neuron by itself which side of the neurons before it is safe.  For the
 * margin that is too careful: what one neuron adds another one takes away.  So once every neuron is known to be within
 * [low, high], the margin is followed backwards.  As a row v over the outputs x of a layer,
 *
 *     v x  >=  m z + const,    m = v where the neuron is active, 0 where it is dead; where it may be either, a v for some
 *                              a in [0, 1] if v >= 0 (x >= a z), else v s with const v t (x <= s z + t on [low, high]),
 *
 * and with z = W y + b + r, r being what scores() rounds, it is the row m W over the outputs y of the layer before, with
 * const m b.  From the first layer on it is a form over the unknown inputs.  The slopes a are 0 or 1 at first.  When that
 * does not suffice they are moved once: the bound is attained at a corner of the part, and its derivative with respect
 * to a slope is v z there.
 *
 * Rounding.  All m, v, s as they came out are taken as exact; what they are off is paid for.  Let R be the error of the
 * neuron before its ReLU and n the number of values it reads; by leaf_forms.c
 *
 *     R >= gamma_(n+6) reach + TINY,    reach = |b| + sum |w_i| |y_i|  >=  |z|.
 *
 * Per neuron with m: r costs |m| R; that v s or a v was rounded, |m| 2 e reach <= |m| R; that the row m W over the p neurons of
 * the layer was rounded (p products and sums), |m| gamma_(p+1) reach <= |m| R (1 + (p + 1) / (n + 6)), gammas of more
 * being less than in proportion but for a share that MORE pays.  In the first layer R is 2 gamma_(d+2) reach, over the d
 * inputs.  The constants, sums of |m b| and |v| t, cost gamma of their number times their size.  Products that underflow
 * lose less than TINY times the values they meet: the sum of all outputs, and of |low| + |high|.
 */
#include <math.h>
#include <string.h>

#include "leaf_forms_inside.h"

static const double STEP = 2; /* of slopes, times z over its range */

/* What a row has come to. */
typedef struct back_row {
    double *now, *next;    /* coefficients of the outputs of a layer; room */
    double constant, size; /* sum and size of the constants */
    double error;
} back_row;

/* The row over the outputs of a layer becomes one over what they are computed from, the lines put in; notes how much
 * each line may have cost. */
static void put_lines(tct_forms_layer *layer, size_t n, const double *bias, double times, back_row *row)
{
    for (size_t j = 0; j < n; j++) {
        double v = row->now[j], low = layer->low[j], high = layer->high[j], m = v, more = 0, s, t;

        layer->gap[j] = 0;
        if (high <= 0) {
            m = 0;
        } else if (!(low >= 0) && v >= 0) {
            m = v * layer->under[j];
            layer->gap[j] = v * fmax(-layer->under[j] * low, (1 - layer->under[j]) * high);
        } else if (!(low >= 0)) {
            s = high / (high - low);
            t = fmax((1 - s) * high, -s * low) * (1 + 0x1p-50) + FORMS_TINY;
            m = v * s;
            more = v * t + 0 * low;
            layer->gap[j] = -more;
        }
        layer->coefficient[j] = v;
        row->now[j] = m;
        row->constant += (bias ? m * bias[j] : 0) + more;
        row->size += (bias ? fabs(m * bias[j]) : 0) + fabs(more);
        row->error += fabs(m) * layer->before[j] * times + FORMS_TINY * (fabs(low) + fabs(high));
    }
}

/* next = now W, W having n rows of `width`. */
static void pull_row(back_row *row, const double *w, size_t n, size_t width)
{
    double *swap = row->now;

    tct_forms_sum_rows(row->now, w, n, width, row->next);
    row->now = row->next;
    row->next = swap;
}

/* Neuron j computes z at the corner: hand on what its line says, and move the line if it is one from below. */
static double move_line(tct_forms_layer *layer, size_t j, double z)
{
    double low = layer->low[j], high = layer->high[j], under = layer->under[j], moved;

    if (low >= 0)
        return z;
    if (layer->coefficient[j] < 0)
        return high * (z - low) / (high - low);
    moved = under + STEP * z / (high - low);
    layer->under[j] = moved > 0 ? moved < 1 ? moved : 1 : 0; /* 0 should it be no number */
    return under * z;
}

void tct_forms_move_lines(tct_leaf_forms *f, const double *corner)
{
    const tct_mlp *mlp = f->mlp;
    double *in = f->back, *out = f->back + f->widest;

    memcpy(in, corner, f->stride * sizeof(double));
    for (size_t l = 0; l + 1 < mlp->n_layers; l++) {
        const double *w = l > 0 ? mlp->weights[l] : f->first;
        size_t width = l > 0 ? mlp->sizes[l] : f->stride;
        double *swap = in;

        for (size_t j = 0; j < mlp->sizes[l + 1]; j++) {
            double z = l > 0 ? mlp->bias[l][j] : 0;

            out[j] = 0;
            if (f->layers[l].high[j] <= 0)
                continue;
            for (size_t i = 0; i < width; i++)
                z += w[j * width + i] * in[i];
            out[j] = move_line(&f->layers[l], j, z);
        }
        in = out;
        out = swap;
    }
}

double tct_forms_pull_margin(tct_leaf_forms *f, double constant)
{
    const tct_mlp *mlp = f->mlp;
    back_row row = {.now = f->back, .next = f->back + f->widest, .constant = constant, .size = fabs(constant)};
    size_t neurons = 0;

    for (size_t l = mlp->n_layers - 1; l-- > 0;) {
        tct_forms_layer *layer = &f->layers[l];
        size_t n = mlp->sizes[l + 1];
        double times = 4 + (double)(n + 1) / (double)(mlp->sizes[l] + 2); /* of R, as the top of the file says */

        put_lines(layer, n, l > 0 ? mlp->bias[l] : NULL, times, &row);
        row.error += FORMS_TINY * layer->sum_most;
        neurons += n;
        pull_row(&row, l > 0 ? mlp->weights[l] : f->first, n, l > 0 ? mlp->sizes[l] : f->stride);
    }
    memcpy(f->form, row.now, f->stride * sizeof(double));
    f->form[f->n_free] += row.constant;
    row.size += fabs(f->form[f->n_free]);
    return (row.error + tct_forms_gamma(2 * neurons + 8) * row.size) * FORMS_MORE + FORMS_TINY;
}
