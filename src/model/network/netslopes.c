/*
 * netslopes.c -- better lines below the open neurons of one row.
 *
 * Below an open neuron any line a z with a in [0, 1] will do (netbounds.c).  The bound of a row is a function of these
 * slopes.  Where it is attained, at a corner of the box, its derivative with respect to a slope is the coefficient of
 * the neuron times z, as the lines have it at that corner.  So: follow the lines forward from the corner, move every
 * slope up where z is positive and down where it is negative, in proportion to z, and bound the row again.  The better
 * of the two is kept, and may be moved once more.  The bounds of the neurons themselves stay as they are.
 */
#include <math.h>
#include <string.h>

#include "netbounds_inside.h"

static const double STEP = 2; /* times z over its range */
enum { STEPS = 2 };
/* A step pays where the bound lacks less than this share of all that the lines cost it: then the box may be proven.  The
 * second one: a further step does. */
static const double NEAR[STEPS] = {0.06, 0.04};

/* All slopes of the row, from its corner. */
static void move_all(tct_netbounds *nb, const double *box)
{
    size_t last = nb->mlp->n_layers - 1;

    for (size_t l = 0; l < last; l++) {
        tct_net_layer *layer = &nb->layers[l];
        tct_neurons neurons = tct_net_neurons(layer);
        const double *in = l > 0 ? nb->layers[l - 1].values : nb->corner;
        const uint32_t *live = l > 0 ? nb->layers[l - 1].live : nb->picks;
        size_t n_live = l > 0 ? nb->layers[l - 1].n_live : nb->n_free;

        if (l == 0) {
            tct_netbounds_corner(nb, box, nb->corner);
            for (size_t i = 0; i < nb->n_free; i++)
                nb->picks[i] = (uint32_t)i;
        }
        nb->work += n_live * layer->width;
        if (l > 0 && nb->single)
            nb->lanes->multiply_single(in, live, n_live, layer->single_columns, layer->width, layer->values);
        else
            nb->lanes->multiply(in, 1, 0, live, n_live, layer->columns, layer->width, layer->values);
        for (size_t j = 0; j < layer->n; j++)
            layer->values[j] += layer->bias[j];
        nb->lanes->move(layer->coefficients, layer->width, STEP, &neurons, layer->values);
    }
}

/* One step; false when it made nothing better. */
static bool step(tct_netbounds *nb, size_t row, const double *box)
{
    tct_margin_row before = nb->rows[row];
    double constant = nb->form_constant, size = nb->form_size, slack = nb->slack;

    memcpy(nb->best_form, nb->form, nb->stride * sizeof(double));
    move_all(nb, box);
    tct_netbounds_row(nb, row);
    if (nb->rows[row].lower > before.lower)
        return true;
    nb->rows[row] = before;
    nb->form_constant = constant;
    nb->form_size = size;
    nb->slack = slack;
    nb->form = nb->best_form;
    return false;
}

void tct_netbounds_raise(tct_netbounds *nb, size_t row, const double *box)
{
    for (size_t k = 0; k < (nb->many ? STEPS : 1); k++) {
        double lacks = -nb->rows[row].lower;

        if (nb->exact || lacks < 0)
            return;
        if (nb->many && !(lacks < NEAR[k] * nb->slack))
            return;
        if (!step(nb, row, box))
            return;
    }
}
