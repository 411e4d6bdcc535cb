/*
 * netbounds.c -- lower bounds of margins by linear functions, pulled back from the scores to the inputs.
 *
 * Method.  A hidden neuron x = max(z, 0) with z in [l, u], l < 0 < u, lies between two lines: above a z for any a in
 * [0, 1] (we take the better of 0 and 1), and below s z + t with s = u / (u - l), t = max(-s l, (1 - s) u).  A row of
 * coefficients over the neurons of a layer becomes one over z by putting in the line on the safe side, and one over
 * the layer before by a product with its weights.  At the inputs the smallest value over a box is a sum of one term per
 * attribute.  The bounds l, u of each hidden layer come from the same procedure applied to +z and -z, layer by layer.
 * (Known as CROWN or DeepPoly.)
 *
 * Rounding.  Let e = 2^-53 and z, x, f be the numbers that scores() computes, not the ideal ones.  Then z = W x + b + r
 * exactly, where |r| <= gamma_(n+1) (|b| + sum |w| |x|), and x = max(z, 0) without error.  So all of the method applies
 * to the computed numbers if each row pays for r when it passes z: with coefficient a, |a| gamma reach, where reach
 * bounds |b| + sum |w| |x| over the region.  Our own arithmetic costs more of the same kind.  At a layer of n neurons,
 * per neuron with coefficient a (after the line was put in):
 *    the product with the slope                                       1 rounding of something within |a| reach
 *    the product with W                                               n + 1
 *    a b, summed up in the layer, over the layers, with the rest      n + layers + 8
 *    what is known, folded into b (first layer)                       inputs + 1
 *    the rounding r of scores() itself                                n + 1
 * and the terms a t, |a| t each, n + layers + 8; at the inputs sum |a| |x|, inputs + 2; for a margin, the difference
 * of two rows of weights, 1 of something within the two reaches.  With N = 4 max(widths, inputs) + 2 layers + 64, and
 * `size` the sum of all these |a| reach, |a| t, |a| |x|, the true number is not below the computed one less gamma_N
 * size; what is left in N pays for the roundings of reach, size and the pad (each relative to itself, below N e).  t
 * is rounded up, any s in [0, 1] is right for its t. Underflow adds less than 2^-1074 per operation: `reach` is at
 * least REACH_FLOOR, and size starts with FLOOR times all reaches, so that gamma_N size exceeds n 2^-1074 |a| and n
 * 2^-1074 reach. Overflow cannot happen for inputs in [-1, 1] (see mlp.c); beyond that nothing is promised: the bound
 * is -inf. Bounds of the whole region hold on every box; boxes are cut with them.
 *
 * Weights in single precision.  A row that passes neuron j with coefficient a is off by |a| 2^-24 sum |w| |x| then, which
 * is within 2^-24 |a| reach, and so all of it by 2^-24 size.  (No weight underflows: tct_columns_choose.)
 */
#include "netbounds.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "netbounds_inside.h"
#include "num.h"

enum { ALIGN = 64 };
static const double REACH_FLOOR = 1e-280, FLOOR = 1e-280;
static const double SINGLE_WEIGHTS = 0x1p-24 * (1 + 0x1p-20); /* of the size */
static const double NEAR_ZERO = 64;                           /* pads */
static const double MORE = 1 + 1e-9;                          /* beyond all relative errors of a reach */

/* Inlined, unlike fmax and fmin. */
static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

static inline double smaller(double a, double b)
{
    return a < b ? a : b;
}

/* ---- memory ---- */

void *tct_netbounds_carve(const tct_netbounds *nb, size_t *used, size_t count, size_t size)
{
    void *piece = nb->arena ? (char *)nb->arena + *used : NULL;

    *used += (count * size + ALIGN - 1) / ALIGN * ALIGN;
    return piece;
}

static double *carve_doubles(const tct_netbounds *nb, size_t *used, size_t count)
{
    return tct_netbounds_carve(nb, used, count, sizeof(double));
}

static void carve_layer(tct_netbounds *nb, size_t l, size_t *used)
{
    tct_net_layer *layer = &nb->layers[l];
    size_t n_in = nb->mlp->sizes[l], width = layer->width;
    double **arrays[] = {&layer->bias,         &layer->bias_size,    &layer->reach,      &layer->most,
                         &layer->least_whole,  &layer->most_whole,   &layer->least_here, &layer->most_here,
                         &layer->above,        &layer->below,        &layer->offset,     &layer->values,
                         &layer->slopes,       &layer->coefficients, &layer->gaps,       &layer->constants[0],
                         &layer->constants[1], &layer->pads[0],      &layer->pads[1],    &layer->plus,
                         &layer->minus,        &layer->size};

    layer->weights = carve_doubles(nb, used, layer->n * tct_lanes_round(n_in));
    layer->columns = carve_doubles(nb, used, n_in * width);
    if (l > 0 && l + 1 < nb->mlp->n_layers) {
        layer->single_weights = tct_netbounds_carve(nb, used, layer->n * tct_lanes_round(n_in), sizeof(float));
        layer->single_columns = tct_netbounds_carve(nb, used, n_in * width + TCT_SINGLE_LANES, sizeof(float));
    }
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        *arrays[i] = carve_doubles(nb, used, width);
    layer->live = tct_netbounds_carve(nb, used, layer->n + 1, sizeof(uint32_t)); /* one is written behind the last */
    layer->phases = tct_netbounds_carve(nb, used, width, sizeof(int64_t));
    for (size_t form = 0; form < 2 && l > 0 && l + 1 < nb->mlp->n_layers; form++)
        layer->forms[form] = carve_doubles(nb, used, nb->mlp->sizes[0] * width);
}

/* Lay out the arena; returns its size. */
static size_t carve_all(tct_netbounds *nb)
{
    const tct_mlp *mlp = nb->mlp;
    size_t used = 0, widest = tct_lanes_round(mlp->sizes[0]), n = nb->codec->schema->n_attributes;
    size_t classes = mlp->base.n_classes;

    for (size_t l = 0; l < mlp->n_layers; l++) {
        carve_layer(nb, l, &used);
        if (nb->layers[l].width > widest)
            widest = nb->layers[l].width;
    }
    nb->unknown = tct_netbounds_carve(nb, &used, n, sizeof *nb->unknown);
    nb->spans = tct_netbounds_carve(nb, &used, n, sizeof *nb->spans);
    nb->rows = tct_netbounds_carve(nb, &used, classes, sizeof *nb->rows);
    nb->low = carve_doubles(nb, &used, widest);
    nb->high = carve_doubles(nb, &used, widest);
    nb->high_number = carve_doubles(nb, &used, widest);
    nb->most = carve_doubles(nb, &used, widest);
    nb->row_weights = carve_doubles(nb, &used, (classes - 1) * widest);
    nb->row_bias = carve_doubles(nb, &used, classes - 1);
    nb->rows_a = carve_doubles(nb, &used, TCT_POINTS * widest);
    nb->rows_b = carve_doubles(nb, &used, TCT_POINTS * widest);
    nb->shares = carve_doubles(nb, &used, n);
    nb->room[0] = carve_doubles(nb, &used, widest);
    nb->room[1] = carve_doubles(nb, &used, widest);
    nb->share_room = carve_doubles(nb, &used, 2 * n * TCT_LANES);
    nb->corner = carve_doubles(nb, &used, widest);
    nb->best_form = carve_doubles(nb, &used, widest);
    nb->side = carve_doubles(nb, &used, widest);
    nb->side_corner = carve_doubles(nb, &used, widest);
    nb->picks = tct_netbounds_carve(nb, &used, widest, sizeof(uint32_t));
    tct_columns_carve(nb, &used, widest);
    return used;
}

/* Weights and biases of all layers; the first one is filled in by tct_netbounds_region. */
static void copy_layers(tct_netbounds *nb)
{
    for (size_t l = 1; l < nb->mlp->n_layers; l++) {
        tct_net_layer *layer = &nb->layers[l];
        size_t n_in = nb->mlp->sizes[l], stride = nb->layers[l - 1].width;

        for (size_t j = 0; j < layer->n; j++) {
            const double *w = nb->mlp->weights[l] + j * n_in;

            memcpy(layer->weights + j * stride, w, n_in * sizeof(double));
            for (size_t i = 0; i < n_in; i++)
                layer->columns[i * layer->width + j] = w[i];
            for (size_t i = 0; i < n_in && layer->single_weights; i++)
                layer->single_weights[j * stride + i] = layer->single_columns[i * layer->width + j] = (float)w[i];
            layer->bias[j] = nb->mlp->bias[l][j];
            layer->bias_size[j] = fabs(nb->mlp->bias[l][j]);
        }
    }
}

/* ---- what one row is over the inputs ---- */

/* Finish the row over the inputs: add its least value over the box, and the size of its terms. */
static void finish_row(tct_netbounds *nb)
{
    const double *form = nb->rows_a;

    nb->lanes->least(form, 1, nb->stride, nb->low, nb->high_number, nb->most, &nb->sum, &nb->size);
    for (size_t s = 0; s < nb->n_unknown; s++) {
        double least = INFINITY, most = 0;

        if (!nb->spans[s].onehot)
            continue;
        for (size_t i = nb->spans[s].first; i < nb->spans[s].first + nb->spans[s].width; i++) {
            if (nb->high[i] == 0)
                continue;
            least = form[i] < least ? form[i] : least;
            most = fabs(form[i]) > most ? fabs(form[i]) : most;
        }
        nb->sum += least;
        nb->size += most;
    }
}

double tct_netbounds_range(const tct_netbounds *nb, size_t unknown, const double *form)
{
    size_t i = nb->spans[unknown].first, end = i + nb->spans[unknown].width;
    double least = INFINITY, most = -INFINITY;

    if (!nb->spans[unknown].onehot)
        return fabs(form[i]) * (nb->high[i] - nb->low[i]);
    for (; i < end; i++) {
        if (nb->high[i] == 0)
            continue;
        least = form[i] < least ? form[i] : least;
        most = form[i] > most ? form[i] : most;
    }
    return most - least;
}

/* The row over the neurons of layer `l` (in rows_a, sum and size begun) pulled back one layer, or to the inputs. */
static void pull_back(tct_netbounds *nb, size_t l, bool single)
{
    const tct_net_layer *layer = &nb->layers[l];
    size_t to = l > 0 ? nb->layers[l - 1].width : nb->stride, n_live = 0;
    tct_relaxation lines = {layer->width, layer->slopes, layer->below, layer->offset, layer->bias, layer->reach};
    double *swap = nb->rows_a;

    nb->work += layer->n_live * to + layer->width;
    nb->lanes->relax(nb->rows_a, 1, &lines, &nb->sum, &nb->size);
    for (size_t k = 0; k < layer->n_live; k++) { /* half of the lines below are zero */
        nb->picks[n_live] = layer->live[k];
        n_live += nb->rows_a[layer->live[k]] != 0;
    }
    if (single && l > 0)
        nb->lanes->multiply_single(nb->rows_a, nb->picks, n_live, layer->single_weights, to, nb->rows_b);
    else
        nb->lanes->multiply(nb->rows_a, 1, layer->width, nb->picks, n_live, layer->weights, to, nb->rows_b);
    nb->rows_a = nb->rows_b;
    nb->rows_b = swap;
}

/* ---- hidden layers ---- */

/* Values of the inputs in a box. */
static void open_box(tct_netbounds *nb, const double *box)
{
    for (size_t s = 0; s < nb->n_unknown; s++) {
        const tct_unknown *u = &nb->unknown[s];
        const double *low = box + u->first, *high = low + nb->n_free;

        switch (u->kind) {
        case TCT_BOX:
            nb->low[u->first] = low[0];
            nb->high[u->first] = nb->high_number[u->first] = high[0];
            break;
        case TCT_GRID:
            tct_codec_value(nb->codec, u->attribute, (size_t)low[0], &nb->low[u->first]);
            tct_codec_value(nb->codec, u->attribute, (size_t)high[0], &nb->high[u->first]);
            nb->high_number[u->first] = nb->high[u->first];
            break;
        case TCT_ONEHOT:
            memcpy(nb->high + u->first, high, u->width * sizeof(double));
            break;
        }
    }
    tct_side_place(nb);
}

/* Reach of the neurons of a layer from the largest values of what it reads. */
static void find_reach(tct_netbounds *nb, size_t l)
{
    tct_net_layer *layer = &nb->layers[l];

    memcpy(layer->reach, layer->bias_size, layer->width * sizeof(double));
    if (l > 0)
        nb->lanes->add_sizes(nb->layers[l - 1].most, nb->layers[l - 1].n, layer->columns, layer->width, layer->reach);
    for (size_t s = 0; l == 0 && s < nb->n_unknown; s++) {
        const tct_span *span = &nb->spans[s];
        const double *columns = layer->columns + span->first * layer->width;

        for (size_t j = 0; j < layer->n; j++) {
            double most = 0;

            for (size_t i = 0; i < span->width; i++)
                most = larger(most, fabs(columns[i * layer->width + j]));
            layer->reach[j] += most * (span->onehot ? 1 : nb->most[span->first]);
        }
    }
    for (size_t j = 0; j < layer->n; j++) {
        layer->reach[j] = larger(layer->reach[j], REACH_FLOOR);
        nb->floor += FLOOR * layer->reach[j];
    }
}

/* Keep the bounds of a layer over the whole region. */
static void keep_bounds(tct_net_layer *layer)
{
    for (size_t j = 0; j < layer->n; j++) {
        double reach = layer->reach[j] * MORE;

        layer->least_whole[j] = larger(layer->least_here[j], -reach);
        layer->most_whole[j] = smaller(layer->most_here[j], reach);
        layer->most[j] = larger(layer->most_whole[j], 0);
    }
}

/* From bounds, cut with those of the whole region, to phases and lines. */
static void settle_layer(const tct_netbounds *nb, tct_net_layer *layer, unsigned char *phases)
{
    tct_neurons neurons = tct_net_neurons(layer);
    size_t n_live = 0;

    nb->lanes->settle(layer->width, &neurons);
    for (size_t j = 0; j < layer->n; j++) { /* without branches: which neurons are dead is anybody's guess */
        int64_t phase = layer->phases[j];

        phases[j] = (unsigned char)phase;
        layer->live[n_live] = (uint32_t)j;
        n_live += phase != TCT_PHASE_DEAD;
    }
    layer->n_live = n_live;
}

/* What was known of the neurons of a layer in a box around this one. */
static void set_phases(tct_net_layer *layer, const unsigned char *phases)
{
    for (size_t j = 0; j < layer->n; j++)
        layer->phases[j] = phases[j];
}

/* ---- public ---- */

tacit_status tct_netbounds_new(tct_netbounds **out, const tct_mlp *mlp, const tct_codec *codec, tacit_error *err)
{
    size_t widest = mlp->sizes[0];
    tct_netbounds *nb = tct_calloc(1, sizeof *nb);

    *out = NULL;
    if (!nb)
        return tct_fail_memory(err);
    nb->mlp = mlp;
    nb->codec = codec;
    nb->lanes = tct_lanes_best();
    nb->layers = tct_calloc(mlp->n_layers, sizeof *nb->layers);
    if (!nb->layers) {
        tct_netbounds_free(nb);
        return tct_fail_memory(err);
    }
    for (size_t l = 0; l < mlp->n_layers; l++) {
        nb->layers[l].n = mlp->sizes[l + 1];
        nb->layers[l].width = tct_lanes_round(mlp->sizes[l + 1]);
        nb->layers[l].first_unit = nb->n_units;
        if (l + 1 < mlp->n_layers)
            nb->n_units += mlp->sizes[l + 1];
        if (mlp->sizes[l + 1] > widest)
            widest = mlp->sizes[l + 1];
    }
    nb->arena_size = carve_all(nb) + ALIGN;
    nb->block = tct_calloc(nb->arena_size, 1);
    if (!nb->block) {
        tct_netbounds_free(nb);
        return tct_fail_memory(err);
    }
    nb->arena = nb->block + (ALIGN - (uintptr_t)nb->block % ALIGN);
    carve_all(nb);
    for (size_t l = 0; l < mlp->n_layers; l++)
        for (size_t j = nb->layers[l].n; j < nb->layers[l].width; j++)
            nb->layers[l].phases[j] = TCT_PHASE_DEAD;
    nb->rounding = tct_gamma(4 * widest + 2 * mlp->n_layers + 64);
    tct_columns_choose(nb);
    copy_layers(nb);
    *out = nb;
    return TACIT_OK;
}

void tct_netbounds_free(tct_netbounds *nb)
{
    if (!nb)
        return;
    tct_free_wiped(nb->block, nb->arena_size);
    tct_free(nb->layers);
    tct_free(nb);
}

/* What depends on no region, and stays: weights, and biases behind the first layer. */
static void forget_layer(tct_netbounds *nb, size_t l)
{
    tct_net_layer *layer = &nb->layers[l];
    double *from = l > 0 ? layer->reach : layer->bias;

    if (l == 0) {
        tct_wipe(layer->weights, layer->n * tct_lanes_round(nb->mlp->sizes[0]) * sizeof(double));
        tct_wipe(layer->columns, nb->mlp->sizes[0] * layer->width * sizeof(double));
    }
    tct_wipe(from, (size_t)((char *)layer->live - (char *)from)); /* see carve_layer */
    tct_wipe(layer->live, (layer->n + 1) * sizeof *layer->live);
    tct_wipe(layer->phases, layer->n * sizeof *layer->phases);
    for (size_t form = 0; form < 2; form++)
        if (layer->forms[form])
            tct_wipe(layer->forms[form], nb->mlp->sizes[0] * layer->width * sizeof(double));
}

void tct_netbounds_forget(tct_netbounds *nb)
{
    char *behind_layers = (char *)nb->unknown; /* see carve_all */

    for (size_t l = 0; l < nb->mlp->n_layers; l++)
        forget_layer(nb, l);
    tct_wipe(behind_layers, nb->arena_size - ALIGN - (size_t)(behind_layers - nb->arena));
    nb->sum = nb->size = nb->form_constant = nb->form_size = nb->slack = nb->floor = 0;
    nb->side_constant = nb->side_size = nb->side_fixed = nb->side_least = 0;
}

/* Which attributes are unknown, and their inputs among the free ones. */
static void list_unknown(tct_netbounds *nb, const tct_region *region)
{
    nb->n_unknown = nb->n_free = 0;
    for (size_t a = 0; a < nb->codec->schema->n_attributes; a++) {
        const tct_domain *domain = &nb->codec->domains[a];
        tct_unknown *u = &nb->unknown[nb->n_unknown];

        if (region->known[a])
            continue;
        *u = (tct_unknown){a, domain->first, nb->n_free, domain->width, domain->kind, domain->count};
        nb->spans[nb->n_unknown] = (tct_span){u->first, u->width, u->kind == TCT_ONEHOT};
        for (size_t i = 0; i < u->width; i++) {
            nb->low[u->first + i] = nb->high_number[u->first + i] = 0;
            nb->most[u->first + i] = u->kind != TCT_ONEHOT;
        }
        nb->n_free += u->width;
        nb->n_unknown++;
    }
    nb->stride = tct_lanes_round(nb->n_free);
    for (size_t i = nb->n_free; i < nb->stride; i++)
        nb->low[i] = nb->high_number[i] = nb->most[i] = 0;
}

void tct_netbounds_region(tct_netbounds *nb, const tct_region *region)
{
    tct_net_layer *layer = &nb->layers[0];
    const double *all = nb->mlp->weights[0];
    size_t n_inputs = nb->mlp->sizes[0];

    nb->region = *region;
    list_unknown(nb, region);
    nb->sound = true;
    nb->sided = false;
    nb->floor = FLOOR;
    memset(layer->weights, 0, layer->n * nb->stride * sizeof(double));
    for (size_t j = 0; j < layer->n; j++) {
        layer->bias[j] = nb->mlp->bias[0][j];
        layer->bias_size[j] = fabs(layer->bias[j]);
    }
    for (size_t a = 0; a < nb->codec->schema->n_attributes; a++) {
        const tct_domain *domain = &nb->codec->domains[a];

        for (size_t i = domain->first; region->known[a] && i < domain->first + domain->width; i++) {
            nb->sound = nb->sound && fabs(region->x[i]) <= 1;
            for (size_t j = 0; j < layer->n; j++) {
                double term = all[j * n_inputs + i] * region->x[i];

                layer->bias[j] += term;
                layer->bias_size[j] += fabs(term);
            }
        }
    }
    for (size_t s = 0; s < nb->n_unknown; s++) {
        const tct_unknown *u = &nb->unknown[s];

        for (size_t i = 0; i < u->width; i++) {
            for (size_t j = 0; j < layer->n; j++) {
                double w = all[j * n_inputs + u->input + i];

                layer->weights[j * nb->stride + u->first + i] = w;
                layer->columns[(u->first + i) * layer->width + j] = w;
            }
        }
    }
}

void tct_netbounds_label(tct_netbounds *nb, size_t label)
{
    const tct_net_layer *scores = &nb->layers[nb->mlp->n_layers - 1];
    size_t stride = nb->mlp->n_layers > 1 ? nb->layers[nb->mlp->n_layers - 2].width : nb->stride;
    bool single = nb->mlp->base.n_scores == 1;

    nb->label = label;
    nb->n_rows = 0;
    for (size_t c = 0; c < nb->mlp->base.n_classes; c++) {
        double *row = nb->row_weights + nb->n_rows * stride;
        const double *mine = scores->weights + (single ? 0 : label) * stride, *other = scores->weights + c * stride;

        if (c == label)
            continue;
        for (size_t i = 0; i < stride; i++)
            row[i] = !single ? mine[i] - other[i] : label == 1 ? mine[i] : -mine[i];
        nb->row_bias[nb->n_rows] = !single      ? scores->bias[label] - scores->bias[c]
                                   : label == 1 ? scores->bias[0]
                                                : -scores->bias[0];
        nb->rows[nb->n_rows++] = (tct_margin_row){c, -INFINITY, INFINITY};
    }
}

void tct_netbounds_units(tct_netbounds *nb, const double *box, unsigned char *phases, bool whole)
{
    open_box(nb, box);
    tct_columns_open(nb);
    tct_columns_place(nb);
    if (whole)
        memset(phases, TCT_PHASE_OPEN, nb->n_units);
    for (size_t l = 0; l + 1 < nb->mlp->n_layers; l++) {
        tct_net_layer *layer = &nb->layers[l];

        set_phases(layer, phases + layer->first_unit);
        if (whole)
            find_reach(nb, l);
        if (l == 0)
            tct_columns_first(nb);
        else
            tct_columns_bound(nb, l);
        if (whole)
            keep_bounds(layer);
        settle_layer(nb, layer, phases + layer->first_unit);
    }
    if (whole)
        find_reach(nb, nb->mlp->n_layers - 1);
}

void tct_netbounds_part(tct_netbounds *nb, const double *box, unsigned char *phases)
{
    open_box(nb, box);
    tct_columns_place(nb);
    for (size_t l = 0; l + 1 < nb->mlp->n_layers; l++) {
        tct_net_layer *layer = &nb->layers[l];

        set_phases(layer, phases + layer->first_unit);
        if (l == 0)
            tct_columns_first(nb);
        else
            tct_columns_part(nb, l);
        settle_layer(nb, layer, phases + layer->first_unit);
    }
}

/* How much the relaxation of the open neurons of a layer may have cost the one row in rows_a. */
static void note_gaps(tct_netbounds *nb, tct_net_layer *layer)
{
    tct_neurons neurons = tct_net_neurons(layer);

    memcpy(layer->coefficients, nb->rows_a, layer->width * sizeof(double));
    if (nb->lanes->gaps(nb->rows_a, layer->width, &neurons, layer->gaps, &nb->slack))
        nb->exact = false;
}

/* The row just bounded, in rows_a, where it is in doubt: its form becomes one that holds there. */
static void bound_row_on_side(tct_netbounds *nb, tct_margin_row *r)
{
    double tilt, lower;

    if (nb->side_least > 0) { /* nothing of the box is in doubt */
        r->lower = nb->side_least;
        return;
    }
    lower = tct_side_bound(nb, nb->rows_a, 1, nb->form_constant, r->pad, &tilt);
    if (tilt == 0)
        return;
    for (size_t i = 0; i < nb->stride; i++)
        nb->rows_a[i] += tilt * nb->side[i];
    nb->form_constant += tilt * nb->side_constant;
    nb->form_size += tilt * nb->side_size;
    r->pad += 2 * nb->rounding * tilt * nb->side_size;
    r->lower = lower;
    nb->exact = false;
}

/* Bound a margin, with weights between hidden layers in single precision, or as they are. */
static void bound_row(tct_netbounds *nb, size_t row, bool single)
{
    size_t last = nb->mlp->n_layers - 1, stride = last > 0 ? nb->layers[last - 1].width : nb->stride;
    const double *reach = nb->layers[last].reach;
    tct_margin_row *r = &nb->rows[row];

    memcpy(nb->rows_a, nb->row_weights + row * stride, stride * sizeof(double));
    nb->sum = nb->row_bias[row];
    nb->size = nb->floor + (nb->mlp->base.n_scores == 1 ? reach[0] : reach[nb->label] + reach[r->against]);
    nb->exact = true;
    nb->slack = 0;
    for (size_t back = last; back-- > 0;) {
        note_gaps(nb, &nb->layers[back]);
        pull_back(nb, back, single);
    }
    nb->form = nb->rows_a;
    nb->form_constant = nb->sum;
    finish_row(nb);
    nb->form_size = nb->size;
    r->pad = nb->rounding * nb->size;
    r->pad += single ? SINGLE_WEIGHTS * nb->size : 0;
    r->lower = nb->sum - r->pad;
    if (nb->sided && !(r->lower > 0))
        bound_row_on_side(nb, r);
    if (!nb->sound || !isfinite(r->lower)) {
        r->lower = -INFINITY;
        r->pad = INFINITY;
    }
}

/* Reading weights takes longest, so they are read in single precision, unless that is what leaves the margin in doubt. */
void tct_netbounds_row(tct_netbounds *nb, size_t row)
{
    const tct_margin_row *r = &nb->rows[row];
    bool single = nb->single && nb->mlp->n_layers > 2;

    if (single)
        bound_row(nb, row, true);
    if (!single || (!(r->lower > 0) && r->lower > -NEAR_ZERO * r->pad))
        bound_row(nb, row, false);
}

void tct_netbounds_margins(const tct_classifier *classifier, const tct_region *region, size_t label, double *lower)
{
    tct_netbounds *nb = NULL;
    unsigned char *phases = NULL;
    double *box = tct_malloc(2 * classifier->n_inputs, sizeof(double));

    for (size_t c = 0; c < classifier->n_classes; c++)
        lower[c] = c == label ? INFINITY : -INFINITY;
    if (!box || tct_netbounds_new(&nb, tct_as_mlp(classifier), region->codec, NULL))
        goto done;
    phases = tct_malloc(nb->n_units, 1);
    if (!phases)
        goto done;
    tct_netbounds_region(nb, region);
    tct_netbounds_whole(nb, box);
    tct_netbounds_label(nb, label);
    tct_netbounds_units(nb, box, phases, true);
    for (size_t r = 0; r < nb->n_rows; r++) {
        tct_netbounds_row(nb, r);
        lower[nb->rows[r].against] = nb->rows[r].lower;
    }
done:
    tct_free(box);
    tct_free_wiped(phases, nb ? nb->n_units : 0);
    tct_netbounds_free(nb);
}
