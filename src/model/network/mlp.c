/*
 * mlp.c -- ReLU networks: the deployed decision, its gradient, plain bounds on it.
 *
 * The order of every sum is part of the model.  Neuron j of an affine layer is
 *
 *     z = bias[j];  z = z + w[j][0] * x[0];  z = z + w[j][1] * x[1];  ...       from left to right, each step rounded
 *
 * and a hidden neuron hands on z > 0 ? z : 0.  These bits are the decision, and whatever is proven about a network is
 * proven about them.  For speed several neurons, and several people, are computed side by side (the weights are kept a
 * second time, inputs in rows, for that purpose); every one of the sums still has its own fixed order, so that all ways
 * of calling scores() give the same bits.  No other function computes scores.
 *
 * A sum is never -0: biases are stored as +0 where they are zero, +0 + -0 = +0, and a + -a = +0.  So a term w * 0
 * changes nothing, whatever its sign, and is left out behind hidden neurons that are 0.
 *
 * Bounds over a region (margins).  Each step above is a rounded product or a rounded sum, and rounding is monotone: if
 * lo <= z and t <= w * x, then fl(lo + t) <= fl(z + w * x).  So the same steps in the same order, taken with the
 * smallest value of each product, give a number that no computed z can be below, and with the largest one that none can
 * be above: bounds on the computed values themselves, rounding included, without any padding.  In the first layer the
 * inputs of an unknown one-hot attribute add a single weight, the least one for the lower bound; a grid or an interval
 * is least at one of its ends.  Intervals forget that the same inputs are behind all neurons; the linear bounds of
 * netbounds.c remember, but pay for rounding.  Both hold, so the larger one is given: it is exact where nothing is
 * unknown, and tight where something is.
 *
 * Nothing can overflow: with G(0) = 1, G(l + 1) = max(1, max over neurons of |bias| + sum |w| G(l)), all values of
 * layer l stay within G(l) for inputs in [-1, 1], and so do all products of the absolute weights of consecutive layers,
 * which is what bounding by linear functions multiplies.  A network with G at or beyond MAX_MAGNITUDE is refused.
 */
#include "mlp.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model_parts.h"
#include "netbounds.h"
#include "num.h"
#include "simd.h"

enum {
    TILE = 8,                /* neurons side by side; rows of `columns` are filled up to a multiple of it */
    PEOPLE = 4,              /* people side by side, where ROOM suffices */
    ROOM = 2 * TCT_MAX_WIDTH /* doubles: values of two layers in a row */
};
static const double MAX_MAGNITUDE = 1e150; /* its square is still far from overflow */

static size_t padded(size_t width)
{
    return (width + TILE - 1) / TILE * TILE;
}

/* ---- scores ---- */

/* z = bias + w x for some people: w, bias, and z filled up, as in `columns`. */
typedef struct affine_map {
    const double *w, *bias;
    size_t stride; /* neurons, filled up */
    const double *x;
    size_t x_stride; /* from one person to the next */
    double *z;
    size_t z_stride;
    const uint16_t *live; /* inputs that are not 0; NULL: all of them */
    size_t n_live;
} affine_map;

#define LOOPS "mlp_loops.h"
#include "simd_levels.h"

/* For one person. */
static void affine(const double *w, const double *bias, size_t n_in, size_t n_out, const double *x, double *z)
{
    TCT_SIMD_PICK(affine)(&(affine_map){w, bias, padded(n_out), x, 0, z, 0, NULL, n_in}, 1);
}

static void rectify(double *z, size_t n)
{
    for (size_t j = 0; j < n; j++)
        z[j] = z[j] > 0 ? z[j] : 0;
}

/* Which of n numbers are not 0 for all people; their number. */
static size_t find_live(const double *z, size_t z_stride, size_t people, size_t n, uint16_t *live)
{
    size_t count = 0;

    for (size_t j = 0; j < n; j++) {
        bool any = false;

        for (size_t p = 0; p < people; p++)
            any = any || z[p * z_stride + j] != 0;
        live[count] = (uint16_t)j;
        count += any;
    }
    return count;
}

/* Scores of one person, or of PEOPLE.  room: two layers each; live: numbers of one. */
static void score(const tct_mlp *mlp, const double *x, size_t people, double *f, double *room, uint16_t *live)
{
    size_t last = mlp->n_layers - 1, n_scores = mlp->sizes[last + 1];
    affine_map here = {.x = x, .x_stride = mlp->sizes[0], .z_stride = mlp->widest, .n_live = mlp->sizes[0]};

    for (size_t l = 0; l <= last; l++) {
        here.w = mlp->columns[l];
        here.bias = mlp->bias[l];
        here.stride = padded(mlp->sizes[l + 1]);
        here.z = room + l % 2 * people * mlp->widest;
        TCT_SIMD_PICK(affine)(&here, people);
        for (size_t p = 0; p < people && l < last; p++)
            rectify(here.z + p * mlp->widest, mlp->sizes[l + 1]);
        here.x = here.z;
        here.x_stride = mlp->widest;
        here.live = live;
        here.n_live = l < last ? find_live(here.z, mlp->widest, people, mlp->sizes[l + 1], live) : 0;
    }
    for (size_t p = 0; p < people; p++)
        memcpy(f + p * n_scores, here.x + p * here.x_stride, n_scores * sizeof(double));
}

static void mlp_scores(const tct_classifier *self, const double *x, size_t n, double *f)
{
    const tct_mlp *mlp = (const tct_mlp *)self;
    bool together = n >= PEOPLE && 2 * PEOPLE * mlp->widest <= ROOM;
    size_t used = 2 * (together ? PEOPLE : 1) * mlp->widest, r = 0;
    double room[ROOM];
    uint16_t live[TCT_MAX_WIDTH];

    for (; together && r + PEOPLE <= n; r += PEOPLE)
        score(mlp, x + r * self->n_inputs, PEOPLE, f + r * self->n_scores, room, live);
    for (; r < n; r++)
        score(mlp, x + r * self->n_inputs, 1, f + r * self->n_scores, room, live);
    tct_wipe(room, used * sizeof(double));
    tct_wipe(live, mlp->widest * sizeof *live);
}

/* ---- gradient ---- */

/* Which hidden neurons are active (z > 0) at one point: active[l][j]. */
static void find_active(const tct_mlp *mlp, const double *x, unsigned char (*active)[TCT_MAX_WIDTH], double *room)
{
    for (size_t l = 0; l + 1 < mlp->n_layers; l++) {
        double *z = room + l % 2 * mlp->widest;
        affine(mlp->columns[l], mlp->bias[l], mlp->sizes[l], mlp->sizes[l + 1], x, z);
        for (size_t j = 0; j < mlp->sizes[l + 1]; j++)
            active[l][j] = z[j] > 0;
        rectify(z, mlp->sizes[l + 1]);
        x = z;
    }
}

/* out = a W, the rows of inactive neurons left out. */
static void pull_back(const double *a, const unsigned char *active, const double *w, size_t n_out, size_t n_in,
                      double *restrict out)
{
    for (size_t i = 0; i < n_in; i++)
        out[i] = 0;
    for (size_t j = 0; j < n_out; j++) {
        const double *restrict row = w + j * n_in;
        double aj = a[j];
        if (!active[j])
            continue;
        for (size_t i = 0; i < n_in; i++)
            out[i] += aj * row[i];
    }
}

static void mlp_gradient(const tct_classifier *self, const double *x, size_t n, double *jacobian)
{
    const tct_mlp *mlp = (const tct_mlp *)self;
    size_t last = mlp->n_layers - 1, d = self->n_inputs;
    unsigned char active[TCT_MAX_LAYERS][TCT_MAX_WIDTH];
    double room[ROOM];

    for (size_t r = 0; r < n; r++) {
        find_active(mlp, x + r * d, active, room);
        for (size_t s = 0; s < self->n_scores; s++) {
            double *out = jacobian + (r * self->n_scores + s) * d;
            const double *a = mlp->weights[last] + s * mlp->sizes[last];
            for (size_t l = last; l > 0; l--) {
                double *to = l == 1 ? out : room + l % 2 * mlp->widest;
                pull_back(a, active[l - 1], mlp->weights[l - 1], mlp->sizes[l], mlp->sizes[l - 1], to);
                a = to;
            }
            if (last == 0)
                memcpy(out, a, d * sizeof(double));
        }
    }
    for (size_t l = 0; l < last; l++)
        tct_wipe(active[l], mlp->sizes[l + 1]);
    tct_wipe(room, 2 * mlp->widest * sizeof(double));
}

/* ---- bounds ---- */

/* One neuron of the first layer over the region: its computed value lies in [*low, *high]. */
static void bound_first(const tct_region *region, const double *w, double bias, double *low, double *high)
{
    const tct_codec *codec = region->codec;
    double lo = bias, hi = bias;

    for (size_t a = 0; a < codec->schema->n_attributes; a++) {
        const tct_domain *domain = &codec->domains[a];
        const double *wa = w + domain->first;
        double least, most, from, to;

        if (region->known[a]) {
            for (size_t i = 0; i < domain->width; i++) {
                lo += wa[i] * region->x[domain->first + i];
                hi += wa[i] * region->x[domain->first + i];
            }
            continue;
        }
        if (domain->kind == TCT_ONEHOT) {
            least = INFINITY;
            most = -INFINITY;
            for (size_t k = 0; k < domain->count; k++)
                if (tct_region_has_level(region, a, k)) {
                    least = fmin(least, wa[k]);
                    most = fmax(most, wa[k]);
                }
        } else {
            tct_region_range(region, a, &from, &to);
            least = fmin(wa[0] * from, wa[0] * to);
            most = fmax(wa[0] * from, wa[0] * to);
        }
        lo += least;
        hi += most;
    }
    *low = lo;
    *high = hi;
}

/* One neuron of a later layer, its inputs in [in_low, in_high]. */
static void bound_later(const double *in_low, const double *in_high, const double *w, size_t n, double bias,
                        double *low, double *high)
{
    double lo = bias, hi = bias;

    for (size_t i = 0; i < n; i++) {
        lo += w[i] * (w[i] >= 0 ? in_low[i] : in_high[i]);
        hi += w[i] * (w[i] >= 0 ? in_high[i] : in_low[i]);
    }
    *low = lo;
    *high = hi;
}

/* a - b, rounded down. */
static double subtract_down(double a, double b)
{
    return a == b ? 0 : tct_down(a - b);
}

/* Bounds by intervals, as the top of the file says. */
static void bound_by_intervals(const tct_mlp *mlp, const tct_region *region, size_t label, double *lower)
{
    double low[ROOM], high[ROOM];
    size_t half = mlp->widest;
    const double *f_low = low + (mlp->n_layers - 1) % 2 * half, *f_high = high + (mlp->n_layers - 1) % 2 * half;

    for (size_t l = 0; l < mlp->n_layers; l++) {
        double *lo = low + l % 2 * half, *hi = high + l % 2 * half;
        const double *in_lo = low + (l + 1) % 2 * half, *in_hi = high + (l + 1) % 2 * half;
        size_t n_in = mlp->sizes[l], n_out = mlp->sizes[l + 1];
        for (size_t j = 0; j < n_out; j++) {
            const double *w = mlp->weights[l] + j * n_in;
            if (l == 0)
                bound_first(region, w, mlp->bias[l][j], &lo[j], &hi[j]);
            else
                bound_later(in_lo, in_hi, w, n_in, mlp->bias[l][j], &lo[j], &hi[j]);
        }
        if (l + 1 < mlp->n_layers) {
            rectify(lo, n_out);
            rectify(hi, n_out);
        }
    }
    if (mlp->base.n_scores == 1) {
        lower[1 - label] = label == 1 ? f_low[0] : -f_high[0];
    } else {
        for (size_t c = 0; c < mlp->base.n_classes; c++)
            lower[c] = subtract_down(f_low[label], f_high[c]);
    }
    lower[label] = INFINITY;
    tct_wipe(low, 2 * half * sizeof(double));
    tct_wipe(high, 2 * half * sizeof(double));
}

static void mlp_margins(const tct_classifier *self, const tct_region *region, size_t label, double *lower)
{
    double linear[TCT_MAX_CLASSES];

    bound_by_intervals((const tct_mlp *)self, region, label, lower);
    tct_netbounds_margins(self, region, label, linear);
    for (size_t c = 0; c < self->n_classes; c++)
        lower[c] = fmax(lower[c], linear[c]);
}

/* ---- files ---- */

static json_t *layer_to_json(const tct_mlp *mlp, size_t l)
{
    json_t *json = json_object();

    if (json_object_set_new(json, "weights", tct_matrix_to_json(mlp->weights[l], mlp->sizes[l + 1], mlp->sizes[l])) ||
        json_object_set_new(json, "bias", tct_json_numbers(mlp->bias[l], mlp->sizes[l + 1]))) {
        json_decref(json);
        return NULL;
    }
    return json;
}

static json_t *mlp_to_json(const tct_classifier *self)
{
    const tct_mlp *mlp = (const tct_mlp *)self;
    json_t *json = json_object(), *layers = json_array();
    bool failed = false;

    for (size_t l = 0; l < mlp->n_layers && !failed; l++)
        failed = json_array_append_new(layers, layer_to_json(mlp, l)) != 0;
    if (failed || json_object_set_new(json, "kind", json_string(self->ops->kind))) {
        json_decref(layers);
        json_decref(json);
        return NULL;
    }
    if (json_object_set_new(json, "layers", layers)) {
        json_decref(json);
        return NULL;
    }
    return json;
}

/* Layer `l` of a file: its size, and its numbers into *weights and *bias (to be freed also on failure). */
static tacit_status layer_from_json(const json_t *layers, size_t l, const tct_json_at *at, size_t n_in, size_t *n_out,
                                    double **weights, double **bias, tacit_error *err)
{
    const tct_json_at place = {.parent = at, .index = l};
    const json_t *layer = json_array_get(layers, l);
    json_t *list = NULL;
    tacit_status st;

    if (!json_is_object(layer))
        return tct_json_fail(&place, NULL, err, "expected an object with weights and bias");
    st = tct_json_get_array(&list, layer, "bias", &place, err);
    if (st)
        return st;
    *n_out = json_array_size(list);
    if (*n_out == 0 || *n_out > TCT_MAX_WIDTH)
        return tct_json_fail(&place, "bias", err, "expected 1 to %d numbers", TCT_MAX_WIDTH);
    *weights = tct_malloc(*n_out, n_in * sizeof(double));
    *bias = tct_malloc(*n_out, sizeof(double));
    if (!*weights || !*bias)
        return tct_fail_memory(err);
    st = tct_json_get_numbers(*bias, *n_out, layer, "bias", &place, err);
    if (!st)
        st = tct_matrix_from_json(*weights, *n_out, n_in, layer, "weights", &place, err);
    return st;
}

static tacit_status mlp_from_json(tct_classifier **out, const json_t *json, const tct_json_at *at, size_t n_inputs,
                                  size_t n_classes, tacit_error *err)
{
    const tct_json_at inside = {.file = at->file, .parent = at, .key = "layers"};
    double *weights[TCT_MAX_LAYERS] = {NULL}, *bias[TCT_MAX_LAYERS] = {NULL};
    size_t sizes[TCT_MAX_LAYERS + 1] = {n_inputs}, n_layers = 0, n_scores = n_classes == 2 ? 1 : n_classes;
    json_t *layers = NULL;
    tacit_error reason = {0};
    tacit_status st = tct_json_get_array(&layers, json, "layers", at, err);

    *out = NULL;
    if (st)
        return st;
    n_layers = json_array_size(layers);
    if (n_layers == 0 || n_layers > TCT_MAX_LAYERS)
        return tct_json_fail(at, "layers", err, "expected 1 to %d layers", TCT_MAX_LAYERS);
    for (size_t l = 0; l < n_layers && !st; l++)
        st = layer_from_json(layers, l, &inside, sizes[l], &sizes[l + 1], &weights[l], &bias[l], err);
    if (!st && sizes[n_layers] != n_scores)
        st = tct_json_fail(&inside, NULL, err, "expected %zu scores of the last layer, not %zu", n_scores,
                           sizes[n_layers]);
    if (!st) {
        st = tct_mlp_new(out, n_classes, n_layers, sizes, (const double *const *)weights, (const double *const *)bias,
                         &reason);
        if (st == TACIT_E_MEMORY)
            st = tct_fail_memory(err);
        else if (st)
            st = tct_json_fail(at, "layers", err, "%s", reason.message);
    }
    for (size_t l = 0; l < n_layers; l++) {
        tct_free(weights[l]);
        tct_free(bias[l]);
    }
    return st;
}

/* ---- objects ---- */

static tacit_status mlp_copy(tct_classifier **out, const tct_classifier *self, tacit_error *err)
{
    const tct_mlp *mlp = (const tct_mlp *)self;

    return tct_mlp_new(out, self->n_classes, mlp->n_layers, mlp->sizes, (const double *const *)mlp->weights,
                       (const double *const *)mlp->bias, err);
}

static tacit_status mlp_lowered(tct_classifier **out, const tct_classifier *self, double by, tacit_error *err)
{
    const tct_mlp *mlp = (const tct_mlp *)self;
    const double *bias[TCT_MAX_LAYERS];
    double last = mlp->bias[mlp->n_layers - 1][0] - by;

    for (size_t l = 0; l + 1 < mlp->n_layers; l++)
        bias[l] = mlp->bias[l];
    bias[mlp->n_layers - 1] = &last;
    return tct_mlp_new(out, self->n_classes, mlp->n_layers, mlp->sizes, (const double *const *)mlp->weights, bias, err);
}

static void mlp_free(tct_classifier *self)
{
    tct_mlp *mlp = (tct_mlp *)self;

    if (!mlp)
        return;
    for (size_t l = 0; l < mlp->n_layers; l++) {
        tct_free(mlp->weights ? mlp->weights[l] : NULL);
        tct_free(mlp->columns ? mlp->columns[l] : NULL);
        tct_free(mlp->bias ? mlp->bias[l] : NULL);
    }
    tct_free(mlp->weights);
    tct_free(mlp->columns);
    tct_free(mlp->bias);
    tct_free(mlp->sizes);
    tct_free(mlp);
}

/* "10,10": sizes of the hidden layers. */
static void mlp_describe(const tct_classifier *self, tacit_model_info *info, char *hidden)
{
    const tct_mlp *mlp = (const tct_mlp *)self;
    size_t used = 0;

    (void)info;
    for (size_t l = 1; l < mlp->n_layers && used < TCT_HIDDEN_TEXT; l++)
        used += (size_t)snprintf(hidden + used, TCT_HIDDEN_TEXT - used, "%s%zu", l > 1 ? "," : "", mlp->sizes[l]);
}

const tct_classifier_ops tct_mlp_ops = {.kind = "mlp",
                                        .scores = mlp_scores,
                                        .gradient = mlp_gradient,
                                        .margins = mlp_margins,
                                        .describe = mlp_describe,
                                        .to_json = mlp_to_json,
                                        .from_json = mlp_from_json,
                                        .copy = mlp_copy,
                                        .lowered = mlp_lowered,
                                        .free = mlp_free};

/* Shape and magnitude; see the top of the file. */
static tacit_status check_network(size_t n_classes, size_t n_layers, const size_t *sizes, const double *const *weights,
                                  const double *const *bias, tacit_error *err)
{
    double most = 1;

    if (n_layers == 0 || n_layers > TCT_MAX_LAYERS)
        return tct_fail(err, TACIT_E_INPUT, "a network has 1 to %d layers", TCT_MAX_LAYERS);
    for (size_t l = 0; l < n_layers; l++) {
        if (sizes[l + 1] == 0 || sizes[l + 1] > TCT_MAX_WIDTH)
            return tct_fail(err, TACIT_E_INPUT, "a layer of a network has 1 to %d neurons", TCT_MAX_WIDTH);
    }
    if (n_classes < 2 || sizes[n_layers] != (n_classes == 2 ? 1 : n_classes))
        return tct_fail(err, TACIT_E_INPUT, "a network has one score for two classes, else one per class");
    for (size_t l = 0; l < n_layers; l++) {
        double next = 1;
        for (size_t j = 0; j < sizes[l + 1]; j++) {
            double size = fabs(bias[l][j]);
            for (size_t i = 0; i < sizes[l]; i++)
                size += fabs(weights[l][j * sizes[l] + i]) * most;
            if (!(size < MAX_MAGNITUDE)) /* also NaN */
                return tct_fail(err, TACIT_E_INPUT,
                                "weights of a network must be finite, and so small that values stay below 1e150 "
                                "(layer %zu, neuron %zu)",
                                l + 1, j + 1);
            next = fmax(next, size);
        }
        most = next;
    }
    return TACIT_OK;
}

/* Numbers of one layer, twice.  Adding 0 turns -0 into 0. */
static tacit_status fill_layer(tct_mlp *mlp, size_t l, const double *weights, const double *bias, tacit_error *err)
{
    size_t n_in = mlp->sizes[l], n_out = mlp->sizes[l + 1], stride = padded(n_out);

    mlp->weights[l] = tct_malloc(n_out, n_in * sizeof(double));
    mlp->columns[l] = tct_calloc(n_in, stride * sizeof(double));
    mlp->bias[l] = tct_calloc(stride, sizeof(double));
    if (!mlp->weights[l] || !mlp->columns[l] || !mlp->bias[l])
        return tct_fail_memory(err);
    for (size_t j = 0; j < n_out; j++) {
        mlp->bias[l][j] = bias[j] + 0.0;
        for (size_t i = 0; i < n_in; i++) {
            mlp->weights[l][j * n_in + i] = weights[j * n_in + i] + 0.0;
            mlp->columns[l][i * stride + j] = weights[j * n_in + i] + 0.0;
        }
    }
    if (stride > mlp->widest)
        mlp->widest = stride;
    return TACIT_OK;
}

tacit_status tct_mlp_new(tct_classifier **out, size_t n_classes, size_t n_layers, const size_t *sizes,
                         const double *const *weights, const double *const *bias, tacit_error *err)
{
    tct_mlp *mlp = NULL;
    tacit_status st;

    *out = NULL;
    st = check_network(n_classes, n_layers, sizes, weights, bias, err);
    if (st)
        return st;
    mlp = tct_calloc(1, sizeof(*mlp));
    if (!mlp)
        return tct_fail_memory(err);
    mlp->base = (tct_classifier){&tct_mlp_ops, sizes[0], n_classes, sizes[n_layers]};
    mlp->n_layers = n_layers;
    mlp->sizes = tct_malloc(n_layers + 1, sizeof(size_t));
    mlp->weights = tct_calloc(n_layers, sizeof(double *));
    mlp->columns = tct_calloc(n_layers, sizeof(double *));
    mlp->bias = tct_calloc(n_layers, sizeof(double *));
    if (!mlp->sizes || !mlp->weights || !mlp->columns || !mlp->bias) {
        st = tct_fail_memory(err);
        goto done;
    }
    memcpy(mlp->sizes, sizes, (n_layers + 1) * sizeof(size_t));
    for (size_t l = 0; l < n_layers && !st; l++)
        st = fill_layer(mlp, l, weights[l], bias[l], err);
    if (st)
        goto done;
    *out = &mlp->base;
    mlp = NULL;
done:
    mlp_free((tct_classifier *)mlp);
    return st;
}

const tct_mlp *tct_as_mlp(const tct_classifier *classifier)
{
    return classifier->ops == &tct_mlp_ops ? (const tct_mlp *)classifier : NULL;
}
