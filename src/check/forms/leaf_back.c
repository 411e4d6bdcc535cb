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
 * const m b.  From the first layer on it is a form over the inputs that vary.  The slopes a are 0 or 1 at first.  When
 * that does not suffice they are moved, a few times: the bound is attained at a corner of the part, and its derivative
 * with respect to a slope is v z there, z being what the lines make of it,
 * or quickly the mean of its two forms.
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
 *
 * The margin itself is that of two scores, or one, as computed: each is off the sum of its terms by gamma_(n+1) of their
 * sizes at most, and their weights differ from the row that stands for them by one rounding.
 */
#include <math.h>
#include <string.h>

#include "leaf_forms_inside.h"

static const double STEP = 2; /* of slopes, times z over its range */

/* What a row has come to. */
typedef struct back_row {
    double constant, size; /* sum and size of the constants */
    double error, gaps;
} back_row;

static tct_form_lines lines_of(const tct_leaf_forms *f, size_t l)
{
    const tct_forms_layer *layer = &f->layers[l];

    return (tct_form_lines){.low = layer->low,
                            .high = layer->high,
                            .error = layer->error,
                            .bias = l > 0 ? layer->bias : NULL,
                            .under = layer->under,
                            .coefficient = layer->coefficient,
                            .gap = layer->gap};
}

static void swap_rows(tct_leaf_forms *f)
{
    double *was = f->row;

    f->row = f->next;
    f->next = was;
}

/* The row over the outputs of layer l becomes one over the outputs of the layer before, or the form. */
static void pull_row(tct_leaf_forms *f, size_t l)
{
    const tct_forms_layer *layer = &f->layers[l];
    size_t n = 0;

    if (l == 0) {
        f->loops->dots(f->row, layer->lower, layer->width, f->n_columns, f->form);
        return;
    }
    for (uint32_t j = 0; j < layer->n; j++) {
        f->list[n] = j;
        n += f->row[j] != 0;
    }
    f->loops->sum_rows(f->row, f->list, n, f->mlp->weights[l], f->layers[l - 1].n, f->next);
    for (size_t i = f->layers[l - 1].n; i < f->layers[l - 1].width; i++)
        f->next[i] = 0;
    swap_rows(f);
}

/* A form below the row in f->row over the outputs of the last hidden layer, into f->form; returns its error, and what the
 * lines may have cost. */
static double pull_margin(tct_leaf_forms *f, double constant, double *gaps)
{
    back_row row = {.constant = constant, .size = fabs(constant)};
    size_t neurons = 0;

    for (size_t l = f->n_layers; l-- > 0;) {
        tct_form_lines lines = lines_of(f, l);
        size_t n = f->layers[l].n;
        double times = 4 + (double)(n + 1) / (double)(f->mlp->sizes[l] + 2),
               sums[4]; /* of R, as the top of the file says */

        f->loops->lines(&lines, f->layers[l].width, times, f->row, sums);
        row.constant += sums[0];
        row.size += sums[1];
        row.error += sums[2];
        row.gaps += sums[3];
        neurons += n;
        pull_row(f, l);
    }
    f->form[f->n_numbers] += row.constant;
    row.size += fabs(f->form[f->n_numbers]);
    *gaps = row.gaps;
    return (row.error + tct_forms_gamma(2 * neurons + 8) * row.size) * TCT_FORMS_MORE + TCT_FORMS_TINY;
}

/* The point of the part where the form is least, by column. */
static void set_corner(tct_leaf_forms *f, const tct_forms_part *part)
{
    for (size_t k = 0; k < f->n_numbers; k++)
        f->corner[k] = f->form[k] < 0 ? part->to[k] : part->from[k];
    f->corner[f->n_numbers] = 1;
    for (size_t k = f->n_numbers + 1; k < f->n_columns; k++)
        f->corner[k] = 0;
    for (size_t s = 0, p = 0; s < part->box.n_categories; s++) {
        uint32_t best = part->picks[p];

        for (; p < part->box.ends[s]; p++)
            if (f->form[part->picks[p]] < f->form[best])
                best = part->picks[p];
        f->corner[best] = 1;
    }
}

/* What the neurons of layer l > 0 compute at the corner, into f->next: by the outputs of the layer before, in f->row, as the
 * lines make them; or quickly, as the mean of the two forms. */
static void set_values(tct_leaf_forms *f, size_t l, bool quickly)
{
    const tct_forms_layer *layer = &f->layers[l];

    if (quickly) {
        f->loops->weigh(layer->lower, layer->width, false, f->all, f->n_columns, f->corner, f->row);
        f->loops->weigh(layer->upper, layer->width, false, f->all, f->n_columns, f->corner, f->next);
        for (size_t j = 0; j < layer->width; j++)
            f->next[j] = (f->next[j] + f->row[j]) / 2;
        return;
    }
    f->loops->weigh(layer->columns, layer->width, false, f->all, f->layers[l - 1].n, f->row, f->next);
    for (size_t j = 0; j < layer->width; j++)
        f->next[j] += layer->bias[j];
}

/* Other lines below the neurons that may be active or dead, from the point where the form pulled back last is least. */
static void move_lines(tct_leaf_forms *f, const tct_forms_part *part, bool quickly)
{
    set_corner(f, part);
    for (size_t l = 0; l < f->n_layers; l++) {
        tct_form_lines lines = lines_of(f, l);
        const tct_forms_layer *layer = &f->layers[l];

        if (l == 0)
            f->loops->weigh(layer->lower, layer->width, false, f->all, f->n_columns, f->corner, f->next);
        else
            set_values(f, l, quickly);
        f->loops->move(&lines, layer->width, STEP, f->next);
        swap_rows(f);
    }
}

void tct_forms_set_lines(tct_leaf_forms *f)
{
    for (size_t l = 0; l < f->n_layers; l++)
        for (size_t j = 0; j < f->layers[l].width; j++)
            f->layers[l].under[j] = f->layers[l].high[j] > -f->layers[l].low[j];
}

/* The weights of a margin as f->form, where the scores read the inputs themselves; returns the sizes of the terms. */
static double set_form(tct_leaf_forms *f, const double *plus, const double *minus, double sign)
{
    double sizes = 0;

    memset(f->form, 0, f->n_columns * sizeof(double));
    for (size_t i = 0; i < f->mlp->sizes[0]; i++) {
        double w = sign * (minus ? plus[i] - minus[i] : plus[i]);
        bool varies = f->column[i] != TACIT_NONE;

        f->form[varies ? f->column[i] : f->n_numbers] += varies ? w : w * f->value[i];
        sizes += (fabs(plus[i]) + (minus ? fabs(minus[i]) : 0)) * (varies ? 1 : fabs(f->value[i]));
    }
    return sizes;
}

/* The margin of the label over class c as a row over the outputs of the last hidden layer, into f->margin, or as f->form
 * where there is none, and its constant; returns its error. */
static double set_margin(tct_leaf_forms *f, size_t c, double *constant)
{
    const tct_mlp *mlp = f->mlp;
    size_t last = mlp->n_layers - 1, n = mlp->sizes[last], y = f->claim->label;
    bool single = mlp->base.n_scores == 1;
    const double *plus = mlp->weights[last] + (single ? 0 : y * n), *minus = single ? NULL : mlp->weights[last] + c * n;
    const double *bias = mlp->bias[last];
    double sign = single && y == 0 ? -1 : 1, sizes;

    *constant = sign * (single ? bias[0] : bias[y] - bias[c]);
    if (f->n_layers == 0) {
        sizes = set_form(f, plus, minus, sign);
        f->form[f->n_numbers] += *constant;
    } else {
        const double *high = f->layers[f->n_layers - 1].high;

        for (size_t i = 0; i < n && f->margin_of != c; i++)
            f->margin[i] = sign * (minus ? plus[i] - minus[i] : plus[i]);
        f->margin_of = c;
        sizes = f->loops->reach(plus, high, n) + (minus ? f->loops->reach(minus, high, n) : 0);
    }
    sizes += single ? fabs(bias[0]) : fabs(bias[y]) + fabs(bias[c]);
    return 3 * tct_forms_gamma(n + 6) * sizes * TCT_FORMS_MORE + TCT_FORMS_TINY;
}

/* The least value of the form over the part, rounding included; its size. */
static double least_of(const tct_leaf_forms *f, const tct_forms_part *part, double *size)
{
    double least = 0;

    *size = 0;
    for (size_t k = 0; k <= f->n_numbers; k++) {
        double c = f->form[k];

        least += c < 0 ? c * (part->middle[k] + part->radius[k]) : c * (part->middle[k] - part->radius[k]);
        *size += fabs(c) * part->most[k];
    }
    for (size_t s = 0, p = 0; s < part->box.n_categories; s++) {
        double less = f->form[part->picks[p]];

        for (; p < part->box.ends[s]; p++) {
            double c = f->form[part->picks[p]];

            less = c < less ? c : less;
            *size += fabs(c);
        }
        least += less;
    }
    *size = *size * TCT_FORMS_MORE + TCT_FORMS_TINY;
    return least - f->rounding * *size - TCT_FORMS_TINY + 0 * *size; /* no number stays none */
}

bool tct_forms_margin_holds(tct_leaf_forms *f, const tct_forms_part *part, size_t c, size_t attempts, double worth)
{
    double constant, gaps = 0, size, own = set_margin(f, c, &constant);

    for (size_t attempt = 1;; attempt++) {
        double error = own;

        if (f->n_layers > 0) {
            memcpy(f->row, f->margin, f->layers[f->n_layers - 1].width * sizeof(double));
            error += pull_margin(f, constant, &gaps);
        }
        f->least = least_of(f, part, &size) - error;
        if (f->least > 0)
            return true;
        f->lack = -f->least / gaps;
        f->close = f->least + 2 * (error + f->rounding * size) >= 0;
        if (f->n_layers == 0 || attempt == attempts || !(f->lack < worth))
            return false;
        move_lines(f, part, worth < INFINITY);
    }
}
