/*
 * netcolumns.c -- bounds of the neurons of a layer, many side by side.
 *
 * A neuron behind the first layer begins as two forms over the layer before, z and -z.  Both are pulled back to the inputs
 * (netbounds.c says how), with the forms of several neurons in the lanes of a vector: form k is column k of a matrix with
 * a row per neuron of the layer at hand, and at the inputs a row per input.  Vectors in which no neuron is open are passed
 * over.  The forms are kept: they hold on every part of the box, where they are only taken over less.
 *
 * Inputs that have one value left in the box are folded into the biases of the first layer, as what is known is; in a
 * small box most are.  So forms have a row only per input that varies, and of a one-hot attribute only the levels left.
 *
 * Single precision.  On the way to the layer before, forms are computed in single precision: half of the time of a search
 * goes there.  Let u = 2^-24.  A product of a coefficient c, a slope in [0, 1] and a weight w passes through the roundings
 * of these three, of two products, and of a sum over the live neurons: n + 8 are more than all.  So a coefficient of the
 * form is off by gamma_(n+8) sum |c| |w| at most, and the form by gamma_(n+8) sum |c| reach, which is within its size; so
 * are constants, by |c| (|bias| + offset).  Sizes are computed so too, and are off by less than 2^-8 of themselves.  What
 * underflows, or is flushed to 0, is off by 2^-126 at most: four times for each neuron and each of what feeds it, times
 * weights and values that `fits_single` bounds, UNDERFLOW in all.  The same bound excludes overflow.  Networks of which
 * that would say little, or nothing, stay with doubles.
 *
 * Sizes.  The pad needs a bound of all that takes part (netbounds.c).  A coefficient c of neuron j turns into one of c or
 * less, so |c| (reach + offset) bounds what the neuron adds.  At the inputs sum |a| |x| is at most sum |c| reach over the
 * first layer, which is counted there a second time instead.
 */
#include <math.h>
#include <string.h>

#include "netbounds_inside.h"

enum { CHUNK = 64 }; /* neurons at a time */
static const double SMALLEST = 0x1p-100, LARGEST = 0x1p60, LEAST = 0x1p-20, UNDERFLOW = 0x1p-63;

void tct_columns_carve(tct_netbounds *nb, size_t *used, size_t widest)
{
    size_t n = nb->codec->schema->n_attributes, d = nb->mlp->sizes[0], first = nb->layers[0].width;
    double **arrays[] = {&nb->vary_low,  &nb->vary_high,   &nb->vary_side,
                         &nb->bias_here, &nb->vary_corner, &nb->fixed_values};
    bool deep = nb->mlp->n_layers > 3;

    nb->widest = widest;
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        *arrays[i] = tct_netbounds_carve(nb, used, widest, sizeof(double));
    nb->vary = tct_netbounds_carve(nb, used, d, sizeof *nb->vary);
    nb->fixed = tct_netbounds_carve(nb, used, d, sizeof *nb->fixed);
    nb->vary_spans = tct_netbounds_carve(nb, used, n, sizeof *nb->vary_spans);
    nb->vary_unknown = tct_netbounds_carve(nb, used, n, sizeof *nb->vary_unknown);
    nb->vary_shares = tct_netbounds_carve(nb, used, n, sizeof(double));
    nb->vary_weights = tct_netbounds_carve(nb, used, first * d, sizeof(double));
    nb->vary_columns = tct_netbounds_carve(nb, used, first * d, sizeof(double));
    nb->single_vary = tct_netbounds_carve(nb, used, first * d, sizeof(float));
    for (size_t k = 0; k < sizeof nb->single_lines / sizeof *nb->single_lines; k++)
        nb->single_lines[k] = tct_netbounds_carve(nb, used, widest, sizeof(float));
    nb->single_open = tct_netbounds_carve(nb, used, widest + 1, sizeof *nb->single_open);
    nb->mixed = tct_netbounds_carve(nb, used, deep ? 4 * CHUNK * widest : 0, sizeof(double));
}

/* ---- single precision ---- */

/* Do weights and values of this size allow it?  (See the top of this file.) */
static bool fits_single(const tct_mlp *mlp, size_t widest)
{
    double weight = 1, value = 1, least = INFINITY, reads = 1; /* largest ones; reads: by a layer */

    for (size_t l = 0; l < mlp->n_layers; l++) {
        double most = 0, next = 0;

        for (size_t j = 0; j < mlp->sizes[l + 1]; j++) {
            const double *w = mlp->weights[l] + j * mlp->sizes[l];
            double size = fabs(mlp->bias[l][j]);

            for (size_t i = 0; i < mlp->sizes[l]; i++) {
                if (w[i] != 0 && fabs(w[i]) < SMALLEST)
                    return false;
                most = fmax(most, fabs(w[i]));
                size += fabs(w[i]) * reads;
            }
            next = fmax(next, size);
        }
        weight = fmax(weight, most);
        value = fmax(value, next);
        least = fmin(least, most);
        reads = next;
    }
    return (double)widest * (double)widest * weight * weight * value <= LARGEST && least >= LEAST;
}

void tct_columns_choose(tct_netbounds *nb)
{
    double roundings = (double)nb->widest + 8, each = 0x1p-24 * roundings;

    nb->single = fits_single(nb->mlp, nb->widest);
    nb->single_rounding = nb->rounding + each / (1 - each) * (1 + 0x1p-8);
}

/* ---- inputs that vary ---- */

/* Is there one value left of an attribute? */
static bool is_fixed(const tct_netbounds *nb, const tct_span *span)
{
    size_t allowed = 0;

    if (!span->onehot)
        return nb->low[span->first] == nb->high[span->first];
    for (size_t i = span->first; i < span->first + span->width; i++)
        allowed += nb->high[i] != 0;
    return allowed == 1;
}

/* Fold an attribute that has one value left into the biases. */
static void fold(tct_netbounds *nb, const tct_span *span)
{
    const tct_net_layer *layer = &nb->layers[0];

    for (size_t i = span->first; i < span->first + span->width; i++) {
        const double *column = layer->columns + i * layer->width;
        double x = span->onehot ? 1 : nb->low[i];

        if (span->onehot && nb->high[i] == 0)
            continue;
        for (size_t j = 0; j < layer->width; j++)
            nb->bias_here[j] += column[j] * x;
        nb->fixed[nb->n_fixed] = (uint32_t)i;
        nb->fixed_values[nb->n_fixed++] = x;
    }
}

/* Weights of the inputs that vary, as forms read them: those that come from behind the second layer read doubles. */
static void gather_weights(tct_netbounds *nb)
{
    const tct_net_layer *layer = &nb->layers[0];
    size_t n = nb->n_vary;

    for (size_t j = 0; j < layer->n && nb->single_forms; j++)
        for (size_t v = 0; v < n; v++)
            nb->single_vary[j * n + v] = (float)layer->weights[j * nb->stride + nb->vary[v]];
    for (size_t j = 0; j < layer->n && (!nb->single_forms || nb->mlp->n_layers > 3); j++)
        for (size_t v = 0; v < n; v++)
            nb->vary_weights[j * n + v] = layer->weights[j * nb->stride + nb->vary[v]];
}

void tct_columns_open(tct_netbounds *nb)
{
    const tct_net_layer *layer = &nb->layers[0];

    nb->n_vary = nb->n_vary_spans = nb->n_fixed = 0;
    memcpy(nb->bias_here, layer->bias, layer->width * sizeof(double));
    for (size_t s = 0; s < nb->n_unknown; s++) {
        const tct_span *span = &nb->spans[s];
        size_t first = nb->n_vary;

        if (is_fixed(nb, span)) {
            fold(nb, span);
            continue;
        }
        for (size_t i = span->first; i < span->first + span->width; i++)
            if (!span->onehot || nb->high[i] != 0)
                nb->vary[nb->n_vary++] = (uint32_t)i;
        nb->vary_unknown[nb->n_vary_spans] = s;
        nb->vary_spans[nb->n_vary_spans++] = (tct_span){first, nb->n_vary - first, span->onehot};
    }
    nb->single_forms = nb->single && !nb->near_zero;
    gather_weights(nb);
    for (size_t v = 0; v < nb->n_vary; v++)
        memcpy(nb->vary_columns + v * layer->width, layer->columns + nb->vary[v] * layer->width,
               layer->width * sizeof(double));
}

void tct_columns_place(tct_netbounds *nb)
{
    for (size_t v = 0; v < nb->n_vary; v++) {
        size_t i = nb->vary[v];

        nb->vary_low[v] = nb->low[i];
        nb->vary_high[v] = nb->high[i];
        nb->vary_side[v] = nb->side[i];
        nb->vary_corner[v] = nb->side_corner[i];
    }
    nb->side_fixed = 0;
    for (size_t f = 0; f < nb->n_fixed && nb->sided; f++)
        nb->side_fixed += nb->side[nb->fixed[f]] * nb->fixed_values[f];
}

/* ---- bounds ---- */

/* What a coefficient of each neuron of a layer turns into. */
static tct_pull lines_of(tct_netbounds *nb, size_t l)
{
    tct_net_layer *layer = &nb->layers[l];
    const double *bias = l > 0 ? layer->bias : nb->bias_here;

    for (size_t j = 0; j < layer->width; j++) {
        layer->plus[j] = layer->above[j] * bias[j];
        layer->minus[j] = layer->below[j] * bias[j] + layer->offset[j];
        layer->size[j] = layer->offset[j] + (l > 0 ? 1 : 2) * layer->reach[j];
    }
    return (tct_pull){.above = layer->above,
                      .below = layer->below,
                      .plus = layer->plus,
                      .minus = layer->minus,
                      .size = layer->size,
                      .live = layer->live,
                      .n_live = layer->n_live,
                      .weights = l > 0 ? layer->weights : nb->vary_weights,
                      .n_out = l > 0 ? nb->mlp->sizes[l] : nb->n_vary,
                      .stride = l > 0 ? nb->layers[l - 1].width : nb->n_vary};
}

/* The same in single precision, active neurons first. */
static tct_single_pull single_lines_of(tct_netbounds *nb, size_t l, const tct_pull *p)
{
    const tct_net_layer *layer = &nb->layers[l];
    const double *from[] = {p->above, p->below, p->plus, p->minus, p->size};
    size_t n_open = 0, n_active = 0;

    for (size_t k = 0; k < sizeof from / sizeof *from; k++)
        for (size_t j = 0; j < layer->width; j++)
            nb->single_lines[k][j] = (float)from[k][j];
    for (size_t i = 0; i < p->n_live; i++) { /* without branches */
        uint32_t j = p->live[i];
        bool open = layer->phases[j] == TCT_PHASE_OPEN;

        nb->picks[n_active] = j;
        nb->single_open[n_open] = j;
        n_open += open;
        n_active += !open;
    }
    memcpy(nb->picks + n_active, nb->single_open, n_open * sizeof *nb->picks);
    return (tct_single_pull){.above = nb->single_lines[0],
                             .below = nb->single_lines[1],
                             .plus = nb->single_lines[2],
                             .minus = nb->single_lines[3],
                             .size = nb->single_lines[4],
                             .live = nb->picks,
                             .n_live = p->n_live,
                             .n_active = n_active,
                             .weights = l > 0 ? layer->single_weights : nb->single_vary,
                             .n_out = p->n_out,
                             .stride = p->stride};
}

/* Where forms that were pulled back through layer `back` go: to the inputs, or to a layer on the way there. */
static tct_forms forms_at(const tct_netbounds *nb, size_t l, size_t form, size_t from, size_t back)
{
    const tct_net_layer *layer = &nb->layers[l];
    double *on_the_way = nb->mixed + (2 * form + back % 2) * CHUNK * nb->widest;

    return (tct_forms){.y = back == 0 ? layer->forms[form] + from : on_the_way,
                       .stride = back == 0 ? layer->width : CHUNK,
                       .constants = layer->constants[form] + from,
                       .sizes = layer->pads[form] + from};
}

/* Forms of neurons `from` to from + n of a layer, from below z and -z, pulled back to the inputs. */
static void pull_chunk(tct_netbounds *nb, size_t l, size_t from, size_t n, const tct_pull *lines,
                       const tct_single_pull *single)
{
    tct_net_layer *layer = &nb->layers[l];
    tct_forms forms[2] = {{0}};

    for (size_t form = 0; form < 2; form++)
        for (size_t k = from; k < from + n; k++) {
            layer->constants[form][k] = form ? -layer->bias[k] : layer->bias[k];
            layer->pads[form][k] = layer->reach[k] + nb->floor;
        }
    for (size_t back = l; back-- > 0;) {
        tct_forms before[2] = {forms[0], forms[1]};

        nb->work += 2 * n * lines[back].n_live * lines[back].n_out;
        for (size_t form = 0; form < 2; form++)
            forms[form] = forms_at(nb, l, form, from, back);
        if (back + 1 == l && nb->single_forms)
            nb->lanes->pull_single(single, layer->single_columns + from, layer->width, n, forms);
        else if (back + 1 == l)
            nb->lanes->pull_twins(&lines[back], layer->columns + from, layer->width, n, forms);
        for (size_t form = 0; form < 2 && back + 1 < l; form++)
            nb->lanes->pull_columns(&lines[back], before[form].y, before[form].stride, 1, n, forms[form].y,
                                    forms[form].stride, forms[form].constants, forms[form].sizes);
    }
    for (size_t form = 0; form < 2; form++)
        for (size_t k = from; k < from + n; k++)
            layer->pads[form][k] = nb->single_forms ? layer->pads[form][k] * nb->single_rounding + UNDERFLOW
                                                    : layer->pads[form][k] * nb->rounding;
}

/* The share of the box in which the margin is in doubt. */
static tct_halfspace side_of(const tct_netbounds *nb)
{
    return (tct_halfspace){.spans = nb->vary_spans,
                           .n_spans = nb->n_vary_spans,
                           .low = nb->vary_low,
                           .high = nb->vary_high,
                           .g = nb->vary_side,
                           .corner = nb->vary_corner,
                           .constant = nb->side_constant + nb->side_fixed,
                           .least = nb->side_least,
                           .pad = 2 * nb->rounding * nb->side_size};
}

/* Does only one side of a plane count, and is there something on it? */
static bool on_side(const tct_netbounds *nb)
{
    return nb->sided && nb->side_least < 0;
}

void tct_columns_first(tct_netbounds *nb)
{
    tct_net_layer *layer = &nb->layers[0];
    tct_halfspace side = side_of(nb);

    nb->work += (on_side(nb) ? 6 : 2) * layer->width * (nb->n_vary + 4); /* and its lines */
    for (size_t j = 0; j < layer->width; j++)
        layer->pads[0][j] = nb->rounding * (layer->reach[j] + nb->floor);
    if (on_side(nb)) {
        nb->lanes->twins_on_side(&side, nb->vary_columns, layer->width, nb->bias_here, layer->pads[0],
                                 layer->least_here, layer->most_here);
        return;
    }
    nb->lanes->interval(nb->vary_columns, layer->width, nb->bias_here, nb->vary_spans, nb->n_vary_spans, nb->vary_low,
                        nb->vary_high, layer->least_here, layer->most_here);
    for (size_t j = 0; j < layer->width; j++) {
        layer->least_here[j] -= layer->pads[0][j];
        layer->most_here[j] += layer->pads[0][j];
    }
}

void tct_columns_part(tct_netbounds *nb, size_t l)
{
    tct_net_layer *layer = &nb->layers[l];
    tct_halfspace side = side_of(nb);
    bool sided = on_side(nb);

    nb->work += (sided ? 6 : 2) * layer->width * nb->n_vary;
    for (size_t form = 0; form < 2; form++) {
        double *least = nb->room[form];

        if (sided) {
            nb->lanes->least_on_side(&side, layer->forms[form], 1, layer->width, layer->constants[form],
                                     layer->pads[form], least);
            continue;
        }
        nb->lanes->least_columns(layer->forms[form], layer->width, layer->constants[form], nb->vary_spans,
                                 nb->n_vary_spans, nb->vary_low, nb->vary_high, least);
        for (size_t j = 0; j < layer->n; j++)
            least[j] -= layer->pads[form][j];
    }
    memcpy(layer->least_here, nb->room[0], layer->n * sizeof(double));
    for (size_t j = 0; j < layer->n; j++)
        layer->most_here[j] = -nb->room[1][j];
}

/* Is any of the neurons of a vector open? */
static bool any_open(const tct_net_layer *layer, size_t from)
{
    bool any = false;

    for (size_t j = from; j < from + TCT_LANES; j++)
        any = any || layer->phases[j] == TCT_PHASE_OPEN;
    return any;
}

void tct_columns_bound(tct_netbounds *nb, size_t l)
{
    tct_net_layer *layer = &nb->layers[l];
    tct_pull lines[TCT_MAX_LAYERS];
    tct_single_pull single = {0};

    for (size_t back = l; back-- > 0;)
        lines[back] = lines_of(nb, back);
    if (nb->single_forms)
        single = single_lines_of(nb, l - 1, &lines[l - 1]);
    for (size_t from = 0, end; from < layer->width; from = end) {
        for (end = from; end < layer->width && end < from + CHUNK && any_open(layer, end);)
            end += TCT_LANES;
        if (end > from)
            pull_chunk(nb, l, from, end - from, lines, &single);
        end += end == from ? TCT_LANES : 0;
    }
    tct_columns_part(nb, l);
}

void tct_columns_share(tct_netbounds *nb, size_t l)
{
    const tct_net_layer *layer = &nb->layers[l];
    const double *first = l > 0 ? layer->forms[0] : nb->vary_columns, *second = l > 0 ? layer->forms[1] : first;

    memset(nb->vary_shares, 0, nb->n_vary_spans * sizeof(double));
    for (size_t j = 0; j < layer->width; j++)
        nb->room[0][j] = layer->most_here[j] - layer->least_here[j];
    nb->work += 2 * layer->width * nb->n_vary;
    nb->lanes->share(first, second, layer->width, nb->vary_spans, nb->n_vary_spans, nb->vary_low, nb->vary_high,
                     layer->gaps, nb->room[0], nb->share_room, nb->vary_shares);
    for (size_t s = 0; s < nb->n_vary_spans; s++)
        nb->shares[nb->vary_unknown[s]] += nb->vary_shares[s];
}
