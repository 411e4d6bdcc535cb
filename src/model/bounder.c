/*
 * A bound engine (netbounds.h) and the buffers it works on, kept between calls.
 */
#include "bounder.h"

#include <math.h>

#include "netbounds.h"

struct tct_bounder {
    tct_netbounds *nb;
    double *box;
    unsigned char *phases;
    size_t n_inputs, n_classes;
};

tacit_status tct_bounder_new(tct_bounder **out, const tct_classifier *network, const tct_codec *codec, tacit_error *err)
{
    tct_bounder *b = tct_calloc(1, sizeof *b);
    tacit_status st;

    *out = NULL;
    if (!b)
        return tct_fail_memory(err);
    b->n_inputs = network->n_inputs;
    b->n_classes = network->n_classes;
    b->box = tct_calloc(2 * b->n_inputs, sizeof *b->box);
    st = b->box ? tct_netbounds_new(&b->nb, tct_as_mlp(network), codec, err) : tct_fail_memory(err);
    if (!st) {
        b->phases = tct_calloc(b->nb->n_units + 1, 1);
        st = b->phases ? TACIT_OK : tct_fail_memory(err);
    }
    if (!st) {
        *out = b;
        b = NULL;
    }
    tct_bounder_free(b);
    return st;
}

void tct_bounder_free(tct_bounder *b)
{
    if (!b)
        return;
    tct_free_wiped(b->box, 2 * b->n_inputs * sizeof *b->box);
    tct_free_wiped(b->phases, b->nb ? b->nb->n_units : 0);
    tct_netbounds_free(b->nb);
    tct_free(b);
}

void tct_bounder_margins(tct_bounder *b, const tct_region *region, size_t label, double *lower)
{
    tct_netbounds *nb = b->nb;

    for (size_t c = 0; c < b->n_classes; c++)
        lower[c] = c == label ? INFINITY : -INFINITY;
    tct_netbounds_region(nb, region);
    tct_netbounds_whole(nb, b->box);
    tct_netbounds_label(nb, label);
    tct_netbounds_units(nb, b->box, b->phases, true);
    for (size_t r = 0; r < nb->n_rows; r++) {
        tct_netbounds_row(nb, r);
        lower[nb->rows[r].against] = nb->rows[r].lower;
    }
}
