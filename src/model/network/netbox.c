/*
 * netbox.c -- boxes of a network's free inputs: corners, cutting, splitting, points.
 *
 * Which attribute to split.  The bound of a row is exact in its linear part; what it loses, it loses in the open
 * neurons.  So the loss of each open neuron in the row just bounded (its gap) is shared out among the attributes in
 * proportion to how much each moves that neuron, and the attribute with the largest sum is split.  A tenth of the row's
 * own linear range is added, which decides when the gaps do not, and a little for mere width.
 *
 * Cutting.  On the box the margin is at least form . x + constant, and this is at least `lower`, attained at a
 * corner. Going away from that corner by t along one input with coefficient a adds |a| t, so beyond -lower / |a| the
 * margin is positive: proven, and cut off.  `lower` already holds the pad for rounding; the division, the product
 * with CUT and the sum err by less than CUT - 1 relative and CUT_ALSO absolute, which are added on the side of
 * cutting less.
 */
#include <math.h>
#include <string.h>

#include "netbounds_inside.h"

static const double CUT = 1 + 1e-9, CUT_ALSO = 1e-14;
static const double LINEAR_SHARE = 0.1, EVEN_SHARE = 0.01;

void tct_netbounds_whole(const tct_netbounds *nb, double *box)
{
    for (size_t s = 0; s < nb->n_unknown; s++) {
        const tct_unknown *u = &nb->unknown[s];
        double *low = box + u->first, *high = low + nb->n_free;

        switch (u->kind) {
        case TCT_BOX:
            tct_region_range(&nb->region, u->attribute, low, high);
            break;
        case TCT_GRID:
            tct_region_indices(&nb->region, u->attribute, low, high);
            break;
        case TCT_ONEHOT:
            for (size_t i = 0; i < u->width; i++) {
                low[i] = 0;
                high[i] = tct_region_has_level(&nb->region, u->attribute, i);
            }
            break;
        }
    }
}

void tct_netbounds_corner(const tct_netbounds *nb, const double *box, double *point)
{
    for (size_t s = 0; s < nb->n_unknown; s++) {
        const tct_unknown *u = &nb->unknown[s];
        const double *high = box + nb->n_free;
        size_t least = TACIT_NONE;

        if (u->kind != TCT_ONEHOT) {
            point[u->first] = nb->form[u->first] >= 0 ? nb->low[u->first] : nb->high[u->first];
            continue;
        }
        for (size_t i = u->first; i < u->first + u->width; i++) {
            point[i] = 0;
            if (high[i] != 0 && (least == TACIT_NONE || nb->form[i] < nb->form[least]))
                least = i;
        }
        point[least] = 1;
    }
}

/* Keep of an input with coefficient a what is within `reach` of the end where the form is least. */
static void cut_number(const tct_netbounds *nb, const tct_unknown *u, double a, double reach, double *low, double *high)
{
    double from = a > 0 ? nb->low[u->first] : nb->high[u->first];
    double step = reach / fabs(a) * CUT + CUT_ALSO, end = a > 0 ? from + step : from - step;

    if (u->kind == TCT_BOX) {
        if (a > 0)
            *high = fmin(*high, end);
        else
            *low = fmax(*low, end);
        return;
    }
    /* values are 2 k / (count - 1) - 1 up to rounding, which is far below a millionth of a step */
    end = (end + 1) / 2 * (double)(u->count - 1);
    if (a > 0)
        *high = fmax(fmin(*high, floor(end + 1e-6)), *low);
    else
        *low = fmin(fmax(*low, ceil(end - 1e-6)), *high);
}

void tct_netbounds_clip(const tct_netbounds *nb, size_t row, double *box)
{
    double reach = -nb->rows[row].lower;

    if (!(reach < INFINITY))
        return;
    for (size_t s = 0; s < nb->n_unknown; s++) {
        const tct_unknown *u = &nb->unknown[s];
        double *low = box + u->first, *high = low + nb->n_free;
        const double *form = nb->form + u->first;
        double least = INFINITY;

        if (u->kind != TCT_ONEHOT) {
            if (form[0] != 0 && low[0] < high[0])
                cut_number(nb, u, form[0], reach, low, high);
            continue;
        }
        for (size_t i = 0; i < u->width; i++)
            if (high[i] != 0 && form[i] < least)
                least = form[i];
        for (size_t i = 0; i < u->width; i++)
            if (form[i] - least > reach * CUT + CUT_ALSO)
                high[i] = 0;
    }
}

/* How much is left to split: 0 when one value is. */
static double extent(const tct_netbounds *nb, size_t unknown, const double *box)
{
    const tct_unknown *u = &nb->unknown[unknown];
    const double *low = box + u->first, *high = low + nb->n_free;
    size_t allowed = 0;

    if (u->kind != TCT_ONEHOT)
        return high[0] - low[0];
    for (size_t i = 0; i < u->width; i++)
        allowed += high[i] != 0;
    return (double)(allowed - 1);
}

/* How much each attribute is worth being split. */
static void find_shares(tct_netbounds *nb)
{
    for (size_t s = 0; s < nb->n_unknown; s++)
        nb->shares[s] = LINEAR_SHARE * tct_netbounds_range(nb, s, nb->form);
    for (size_t l = 0; l + 1 < nb->mlp->n_layers; l++)
        tct_columns_share(nb, l);
    for (size_t s = 0; s < nb->n_unknown; s++) { /* a narrow attribute must not win for ever */
        size_t i = nb->spans[s].first;

        nb->shares[s] += EVEN_SHARE * nb->slack * (nb->spans[s].onehot ? 1 : nb->high[i] - nb->low[i]);
    }
}

/* Mark the halves of a one-hot attribute: coefficients nearer to the least, and the others. */
static void mark_halves(const tct_netbounds *nb, const tct_unknown *u, double *high)
{
    const double *form = nb->form + u->first;
    double least = INFINITY, most = -INFINITY, left = 0;

    for (size_t i = 0; i < u->width; i++) {
        if (high[i] == 0)
            continue;
        left++;
        least = fmin(least, form[i]);
        most = fmax(most, form[i]);
    }
    left = floor(left / 2);
    for (size_t i = 0; i < u->width; i++) {
        if (high[i] == 0)
            continue;
        if (least < most)
            high[i] = form[i] - least <= most - form[i] ? 1 : 2;
        else
            high[i] = left-- > 0 ? 1 : 2;
    }
}

size_t tct_netbounds_split(tct_netbounds *nb, double *box, const double *box_before)
{
    size_t best = TACIT_NONE;
    double best_share = 0, best_extent = 0;

    find_shares(nb);
    for (size_t s = 0; s < nb->n_unknown; s++) {
        double left = extent(nb, s, box), before = extent(nb, s, box_before);
        double share = before > 0 ? nb->shares[s] * (left / before) : 0;

        if (!(left > 0))
            continue;
        if (best == TACIT_NONE || share > best_share || (share == best_share && left > best_extent)) {
            best = s;
            best_share = share;
            best_extent = left;
        }
    }
    if (best != TACIT_NONE && nb->unknown[best].kind == TCT_ONEHOT)
        mark_halves(nb, &nb->unknown[best], box + nb->n_free + nb->unknown[best].first);
    return best;
}

void tct_netbounds_half(const tct_netbounds *nb, const double *box, size_t split, int half, double *child)
{
    const tct_unknown *u = &nb->unknown[split];
    double *low = child + u->first, *high = low + nb->n_free;
    double middle;

    memcpy(child, box, 2 * nb->n_free * sizeof(double));
    switch (u->kind) {
    case TCT_BOX:
        middle = low[0] + (high[0] - low[0]) / 2;
        if (middle == low[0] || middle == high[0]) /* nothing in between: the ends alone */
            middle = half ? high[0] : low[0];
        *(half ? low : high) = middle;
        break;
    case TCT_GRID:
        middle = floor((low[0] + high[0]) / 2);
        *(half ? low : high) = half ? middle + 1 : middle;
        break;
    case TCT_ONEHOT:
        for (size_t i = 0; i < u->width; i++)
            high[i] = high[i] == half + 1;
        break;
    }
}

size_t tct_netbounds_count(const tct_netbounds *nb, const double *box, size_t limit)
{
    size_t count = 1;

    for (size_t s = 0; s < nb->n_unknown; s++) {
        double more = extent(nb, s, box);

        if (more > 0 && nb->unknown[s].kind == TCT_BOX)
            return limit + 1;
        if ((double)count * (more + 1) > (double)limit)
            return limit + 1;
        count *= (size_t)more + 1;
    }
    return count;
}

/* Neurons whose value is not 0. */
static size_t pick_nonzero(const double *values, size_t n, uint32_t *picks)
{
    size_t count = 0;

    for (size_t j = 0; j < n; j++) { /* without branches: one writes behind the last, never behind n */
        picks[count] = (uint32_t)j;
        count += values[j] != 0;
    }
    return count;
}

double tct_netbounds_value(tct_netbounds *nb, size_t row, const double *point, double *gradient)
{
    size_t last = nb->mlp->n_layers - 1, n_in = nb->n_free, stride = last > 0 ? nb->layers[last - 1].width : nb->stride;
    const double *in = point, *weights = nb->row_weights + row * stride;
    double value = nb->row_bias[row];

    for (size_t l = 0; l < last; l++) {
        tct_net_layer *layer = &nb->layers[l];
        size_t count = pick_nonzero(in, n_in, nb->picks);

        nb->work += count * layer->width;
        nb->lanes->multiply(in, 1, 0, nb->picks, count, layer->columns, layer->width, layer->values);
        nb->lanes->rectify(layer->values, 1, layer->width, layer->bias);
        in = layer->values;
        n_in = layer->n;
    }
    value += nb->lanes->dot(weights, in, stride);
    if (!gradient)
        return value;
    for (size_t l = last; l-- > 0;) {
        const tct_net_layer *layer = &nb->layers[l];
        size_t count = pick_nonzero(layer->values, layer->n, nb->picks);
        double *to = l == 0 ? gradient : l % 2 ? nb->rows_a : nb->rows_b;

        nb->work += count * (l > 0 ? nb->layers[l - 1].width : nb->stride);
        nb->lanes->multiply(weights, 1, 0, nb->picks, count, layer->weights,
                            l > 0 ? nb->layers[l - 1].width : nb->stride, to);
        weights = to;
    }
    if (last == 0)
        memcpy(gradient, weights, nb->stride * sizeof(double));
    return value;
}

/* Which of n inputs are not 0 at any of the points, `stride` numbers apart. */
static size_t pick_any(const double *points, size_t n_points, size_t stride, size_t n, uint32_t *picks)
{
    size_t count = 0;

    for (size_t j = 0; j < n; j++) {
        bool any = false;

        for (size_t r = 0; r < n_points; r++)
            any = any || points[r * stride + j] != 0;
        picks[count] = (uint32_t)j;
        count += any;
    }
    return count;
}

void tct_netbounds_values(tct_netbounds *nb, size_t row, const double *points, size_t n, double *values)
{
    size_t last = nb->mlp->n_layers - 1, n_in = nb->n_free, stride = nb->stride;
    const double *in = points;

    for (size_t l = 0; l < last; l++) {
        const tct_net_layer *layer = &nb->layers[l];
        double *to = l % 2 ? nb->rows_b : nb->rows_a;
        size_t count = pick_any(in, n, stride, n_in, nb->picks);

        nb->work += n * count * layer->width;
        nb->lanes->multiply(in, n, stride, nb->picks, count, layer->columns, layer->width, to);
        nb->lanes->rectify(to, n, layer->width, layer->bias);
        in = to;
        n_in = layer->n;
        stride = layer->width;
    }
    for (size_t r = 0; r < n; r++)
        values[r] = nb->row_bias[row] + nb->lanes->dot(nb->row_weights + row * stride, in + r * stride, stride);
}
