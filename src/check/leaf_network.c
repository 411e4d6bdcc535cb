/*
 * leaf_network.c -- four ways to see that a part of the domain has one label, tried in this order.
 *
 * 1. A single point is evaluated with scores().
 *
 * 2. Linear forms in plain doubles (forms/leaf_forms.c), which nearly always suffice and take a small part of the time
 *    of the last way.
 *
 * 3. Plain intervals of what scores() computes.  Each of its steps is a rounded product or a rounded sum, and rounding
 *    keeps order: the same steps in the same order, taken with the least (most) value of every product, end below
 *    (above) everything scores() can end with.  Nothing is padded, so ties that are exact are seen as such.
 *
 * 4. Linear forms in exact arithmetic, and a bound on how far scores() is from exact arithmetic.
 *    Every output of a hidden layer is kept between two linear functions of the unknown inputs.  Through an affine
 *    layer, a form below takes forms below where the weight is positive and forms above where it is negative.  At a
 *    ReLU, with L <= z <= U and L between l and l', U between u and u':
 *        above   0 if u' <= 0;  U if u >= 0;  else s U + t, the line through (u, 0) and (u', u'), which max(z, 0) <=
 *                max(U, 0) cannot exceed because max is convex;  whatever s came out as, t = max(u' - s u', -s u)
 *        below   0 if l' <= 0;  L if l >= 0;  else L or 0, whichever is closer: both are below max(L, 0) <= max(z, 0)
 *    The margin between two scores is the form of the difference of their weights.  A form is least, over a product of
 *    intervals and level sets, at one end of each interval and one level of each set.  Coefficients are intervals
 *    (interval.h), so their rounding is taken care of.
 *    Rounding of scores(): with e = 2^-53 and gamma_k = k e / (1 - k e), a neuron with n inputs is computed with every
 *    term passing at most n + 1 roundings.  If the inputs as computed are at most m_i in size, and at most E_i away
 *    from the exact ones, the neuron is at most
 *        sum |w_i| E_i + gamma_(n+1) (|b| + sum |w_i| m_i) + n 2^-1074
 *    away from its exact value, the last term for products that underflow.  A ReLU does not increase the distance.
 *    Inputs of the network are exact.
 */
#include "leaf_network.h"

#include <string.h>

enum { PLAIN = 4 }; /* neurons at a time */

/* gamma_k, rounded up; k e and 1 - k e are exact. */
static double gamma_of(size_t k)
{
    double ke = (double)k * 0x1p-53;

    return tct_above(ke / (1 - ke));
}

/* ---- the part ---- */

/* Ranges of all inputs. */
static void set_ranges(tct_net_leaf *leaf, const tct_region *part)
{
    const tct_claim *claim = leaf->claim;
    const tct_codec *codec = claim->model->codec;

    for (size_t a = 0; a < codec->schema->n_attributes; a++) {
        const tct_domain *domain = &codec->domains[a];
        double *from = leaf->from + domain->first, *to = leaf->to + domain->first;

        if (claim->region.known[a]) {
            memcpy(from, claim->region.x + domain->first, domain->width * sizeof(double));
            memcpy(to, from, domain->width * sizeof(double));
        } else if (domain->kind == TCT_ONEHOT) {
            for (size_t k = 0; k < domain->count; k++) {
                from[k] = 0;
                to[k] = tct_region_has_level(part, a, k);
            }
        } else {
            tct_region_range(part, a, from, to);
        }
    }
}

/* ---- plain intervals ---- */

/* One neuron of the first layer. */
static void plain_first(const tct_net_leaf *leaf, const double *w, double bias, double *low, double *high)
{
    const tct_codec *codec = leaf->claim->model->codec;
    double lo = bias, hi = bias;

    for (size_t a = 0; a < codec->schema->n_attributes; a++) {
        const tct_domain *domain = &codec->domains[a];
        size_t i = domain->first, end = i + domain->width;

        if (!leaf->claim->region.known[a] && domain->kind == TCT_ONEHOT) {
            double least = INFINITY, most = -INFINITY; /* one weight is added, the others meet zeros */

            for (; i < end; i++)
                if (leaf->to[i] > 0) {
                    least = w[i] < least ? w[i] : least;
                    most = w[i] > most ? w[i] : most;
                }
            lo += least;
            hi += most;
        }
        for (; i < end; i++) {
            double p = w[i] * leaf->from[i], q = w[i] * leaf->to[i];

            lo += p < q ? p : q;
            hi += p < q ? q : p;
        }
    }
    *low = lo;
    *high = hi;
}

/* `count` neurons of a later layer, at most PLAIN at once: their sums do not wait for each other. */
static void plain_later(const tct_leaf_layer *in, size_t n, const double *w, const double *bias, size_t count,
                        double *low, double *high)
{
    double lo[PLAIN] = {0}, hi[PLAIN] = {0};

    for (size_t r = 0; r < PLAIN; r++)
        lo[r] = hi[r] = bias[r < count ? r : 0];
    for (size_t i = 0; i < n; i++)
        for (size_t r = 0; r < PLAIN; r++) {
            double weight = w[(r < count ? r : 0) * n + i], p = weight * in->low[i], q = weight * in->high[i];

            lo[r] += p < q ? p : q;
            hi[r] += p < q ? q : p;
        }
    memcpy(low, lo, count * sizeof(double));
    memcpy(high, hi, count * sizeof(double));
}

static void bound_plain(tct_net_leaf *leaf)
{
    const tct_mlp *mlp = leaf->mlp;

    for (size_t l = 0; l < mlp->n_layers; l++) {
        bool last = l + 1 == mlp->n_layers;
        double *low = last ? leaf->low : leaf->layers[l].low, *high = last ? leaf->high : leaf->layers[l].high;
        size_t n = mlp->sizes[l];

        for (size_t j = 0, rows = mlp->sizes[l + 1]; j < rows; j += l == 0 ? 1 : PLAIN) {
            const double *w = mlp->weights[l] + j * n;

            if (l == 0)
                plain_first(leaf, w, mlp->bias[l][j], &low[j], &high[j]);
            else
                plain_later(&leaf->layers[l - 1], n, w, mlp->bias[l] + j, rows - j < PLAIN ? rows - j : PLAIN, low + j,
                            high + j);
        }
        for (size_t j = 0; j < mlp->sizes[l + 1] && !last; j++) {
            low[j] = low[j] > 0 ? low[j] : 0;
            high[j] = high[j] > 0 ? high[j] : 0;
        }
    }
}

/* Do the plain intervals of the scores leave only one label? */
static bool plain_holds(const tct_net_leaf *leaf)
{
    size_t label = leaf->claim->label, k = leaf->mlp->base.n_scores;

    if (k == 1)
        return label == 1 ? leaf->low[0] >= 0 : leaf->high[0] < 0;
    for (size_t c = 0; c < k; c++)
        if (c != label && !(label < c ? leaf->low[label] >= leaf->high[c] : leaf->low[label] > leaf->high[c]))
            return false;
    return true;
}

/* ---- rounding of scores() ---- */

/* Distance of a neuron as computed from the exact one.  in: the layer before, NULL for the inputs themselves. */
static double error_of(const tct_net_leaf *leaf, const tct_leaf_layer *in, size_t n, const double *w, double bias)
{
    double carried = 0, size = fabs(bias);

    for (size_t i = 0; i < n; i++) {
        double most = in ? in->high[i] : fmax(fabs(leaf->from[i]), fabs(leaf->to[i])); /* outputs are not negative */

        size = tct_above(size + tct_above(fabs(w[i]) * most));
        if (in)
            carried = tct_above(carried + tct_above(fabs(w[i]) * in->error[i]));
    }
    return tct_above(carried + tct_above(tct_above(gamma_of(n + 1) * size) + (double)n * 0x1p-1074));
}

/* ---- linear forms ---- */

/* The least (greatest: the greatest) value of a form over the part. */
static double end_of(const tct_net_leaf *leaf, const tct_interval *form, bool greatest)
{
    const tct_codec *codec = leaf->claim->model->codec;
    double sum = greatest ? form[leaf->n_free].hi : form[leaf->n_free].lo;

    for (size_t a = 0; a < codec->schema->n_attributes; a++) {
        const tct_domain *domain = &codec->domains[a];
        const double *from = leaf->from + domain->first, *to = leaf->to + domain->first;
        const tct_interval *c;
        tct_interval term = {INFINITY, -INFINITY};

        if (leaf->claim->region.known[a])
            continue;
        c = form + leaf->column[domain->first];
        if (domain->kind != TCT_ONEHOT)
            term = tct_times(*c, (tct_interval){*from, *to});
        for (size_t k = 0; k < domain->count && domain->kind == TCT_ONEHOT; k++)
            if (to[k] > 0)
                term = (tct_interval){fmin(term.lo, c[k].lo), fmax(term.hi, c[k].hi)};
        sum = greatest ? tct_above(sum + term.hi) : tct_below(sum + term.lo);
    }
    return sum;
}

double tct_net_leaf_least(const tct_net_leaf *leaf, const tct_interval *form)
{
    return end_of(leaf, form, false);
}

/* form += w from */
static void add_scaled(tct_interval *form, size_t n, double w, const tct_interval *from)
{
    for (size_t k = 0; k < n; k++)
        form[k] = tct_plus(form[k], tct_scaled(w, from[k]));
}

/* form += w x_i for an input of the network; w need not be exact. */
static void add_input(const tct_net_leaf *leaf, tct_interval *form, size_t i, tct_interval w)
{
    size_t column = leaf->column[i];

    if (column == TACIT_NONE)
        form[leaf->n_free] = tct_plus(form[leaf->n_free], tct_scaled(leaf->claim->region.x[i], w));
    else
        form[column] = tct_plus(form[column], w);
}

static void clear_form(tct_interval *form, size_t n, tct_interval constant)
{
    for (size_t k = 0; k < n; k++)
        form[k] = tct_exactly(0);
    form[n - 1] = constant;
}

/* The first layer before the ReLU: exactly linear, and the same in every part. */
static void set_first(tct_net_leaf *leaf)
{
    const tct_mlp *mlp = leaf->mlp;
    size_t d = mlp->sizes[0], n = leaf->n_free + 1;

    for (size_t j = 0; j < mlp->sizes[1]; j++) {
        clear_form(leaf->first + j * n, n, tct_exactly(mlp->bias[0][j]));
        for (size_t i = 0; i < d; i++)
            add_input(leaf, leaf->first + j * n, i, tct_exactly(mlp->weights[0][j * d + i]));
    }
}

/* Forms of neuron j of layer l before its ReLU. */
static void set_neuron(tct_net_leaf *leaf, size_t l, size_t j)
{
    const tct_mlp *mlp = leaf->mlp;
    size_t n = leaf->n_free + 1, n_in = mlp->sizes[l];
    tct_interval *lower = leaf->layers[l].lower + j * n, *upper = leaf->layers[l].upper + j * n;
    const tct_leaf_layer *in;

    if (l == 0) {
        memcpy(lower, leaf->first + j * n, n * sizeof(*lower));
        memcpy(upper, leaf->first + j * n, n * sizeof(*upper));
        return;
    }
    in = &leaf->layers[l - 1];
    clear_form(lower, n, tct_exactly(mlp->bias[l][j]));
    clear_form(upper, n, tct_exactly(mlp->bias[l][j]));
    for (size_t i = 0; i < n_in; i++) {
        double w = mlp->weights[l][j * n_in + i];

        if (w == 0 || in->slope[i] == 0)
            continue;
        add_scaled(lower, n, w, (w > 0 ? in->lower : in->upper) + i * n);
        add_scaled(upper, n, w, (w > 0 ? in->upper : in->lower) + i * n);
    }
}

/* max(z, 0): bend the two forms of neuron j. */
static void rectify(tct_net_leaf *leaf, tct_leaf_layer *layer, size_t j)
{
    size_t n = leaf->n_free + 1;
    tct_interval *lower = layer->lower + j * n, *upper = layer->upper + j * n;
    double least_above = tct_net_leaf_least(leaf, upper), most_above = end_of(leaf, upper, true);
    double least_below = tct_net_leaf_least(leaf, lower), most_below = end_of(leaf, lower, true), s, t;

    layer->slope[j] = 1;
    layer->slack[j] = 0;
    if (most_above <= 0) {
        clear_form(lower, n, tct_exactly(0));
        clear_form(upper, n, tct_exactly(0));
        layer->slope[j] = 0;
        if (layer->high[j] == 0)
            layer->error[j] = 0; /* 0 both ways */
        return;
    }
    if (least_above < 0) {
        s = fmin(fmax(most_above / (most_above - least_above), 0), 1);
        t = fmax(tct_above(most_above - tct_below(s * most_above)), tct_above(-s * least_above));
        for (size_t k = 0; k < n; k++)
            upper[k] = tct_scaled(s, upper[k]);
        upper[n - 1] = tct_plus(upper[n - 1], tct_exactly(t));
        layer->slope[j] = s > 0 ? s : 0x1p-1074; /* 0 is for neurons without any output */
        layer->slack[j] = t;
    }
    if (least_below < 0) {
        if (!(most_below > -least_below))
            clear_form(lower, n, tct_exactly(0));
        layer->slack[j] += fmax(fmin(-least_below, most_below), 0);
    }
}

/* ---- margins ---- */

/* The difference of two numbers, its sign exact. */
static tct_interval difference(double a, double b)
{
    tct_interval d = {tct_below(a - b), tct_above(a - b)};

    if (a == b)
        return tct_exactly(0);
    return a > b ? (tct_interval){fmax(d.lo, 0), d.hi} : (tct_interval){d.lo, fmin(d.hi, 0)};
}

/* A form below the margin of the label over class c, into leaf->form: exact arithmetic. */
static void set_margin(tct_net_leaf *leaf, size_t c)
{
    const tct_mlp *mlp = leaf->mlp;
    size_t last = mlp->n_layers - 1, n_in = mlp->sizes[last], n = leaf->n_free + 1, y = leaf->claim->label;
    bool single = mlp->base.n_scores == 1;
    const double *plus = mlp->weights[last] + (single ? 0 : y * n_in), *minus = mlp->weights[last] + c * n_in;
    double sign = single && y == 0 ? -1 : 1;
    tct_interval bias =
        single ? tct_exactly(sign * mlp->bias[last][0]) : difference(mlp->bias[last][y], mlp->bias[last][c]);

    clear_form(leaf->form, n, bias);
    for (size_t i = 0; i < n_in; i++) {
        tct_interval w = single ? tct_exactly(sign * plus[i]) : difference(plus[i], minus[i]);
        const tct_interval *from;

        if (w.lo == 0 && w.hi == 0)
            continue;
        if (last == 0) {
            add_input(leaf, leaf->form, i, w);
            continue;
        }
        if (leaf->layers[last - 1].slope[i] == 0)
            continue;
        from = (w.hi > 0 ? leaf->layers[last - 1].lower : leaf->layers[last - 1].upper) + i * n;
        for (size_t k = 0; k < n; k++)
            leaf->form[k] = tct_plus(leaf->form[k], tct_times(w, from[k]));
    }
}

/* Is every margin large enough?  Keeps the weakest. */
static bool margins_hold(tct_net_leaf *leaf)
{
    size_t y = leaf->claim->label, n = leaf->n_free + 1;
    bool single = leaf->mlp->base.n_scores == 1, all = true;
    double smallest = INFINITY;

    for (size_t c = 0; c < leaf->mlp->base.n_classes; c++) {
        double bound, error;

        if (c == y)
            continue;
        set_margin(leaf, c);
        error = single ? leaf->error[0] : tct_above(leaf->error[y] + leaf->error[c]);
        bound = tct_below(tct_net_leaf_least(leaf, leaf->form) - error);
        if ((single ? y == 1 : y < c) ? bound >= 0 : bound > 0)
            continue;
        all = false;
        if (!(bound >= smallest)) {
            smallest = bound;
            leaf->base.against = c;
            memcpy(leaf->weakest, leaf->form, n * sizeof(*leaf->form));
        }
    }
    return all;
}

static bool forms_hold(tct_net_leaf *leaf)
{
    const tct_mlp *mlp = leaf->mlp;

    for (size_t l = 0; l < mlp->n_layers; l++) {
        bool last = l + 1 == mlp->n_layers;
        const tct_leaf_layer *in = l ? &leaf->layers[l - 1] : NULL;
        double *error = last ? leaf->error : leaf->layers[l].error;

        for (size_t j = 0; j < mlp->sizes[l + 1]; j++) {
            error[j] = error_of(leaf, in, mlp->sizes[l], mlp->weights[l] + j * mlp->sizes[l], mlp->bias[l][j]);
            if (last)
                continue;
            set_neuron(leaf, l, j);
            rectify(leaf, &leaf->layers[l], j);
        }
    }
    return margins_hold(leaf);
}

/* ---- the object ---- */

static void take_layer(tct_net_leaf *leaf, tct_leaf_layer *layer, size_t width, size_t n)
{
    layer->lower = tct_take(&leaf->arena, width * n, sizeof(*layer->lower));
    layer->upper = tct_take(&leaf->arena, width * n, sizeof(*layer->upper));
    layer->low = tct_take(&leaf->arena, width, sizeof(double));
    layer->high = tct_take(&leaf->arena, width, sizeof(double));
    layer->error = tct_take(&leaf->arena, width, sizeof(double));
    layer->slope = tct_take(&leaf->arena, width, sizeof(double));
    layer->slack = tct_take(&leaf->arena, width, sizeof(double));
}

/* Places of the unknown inputs in forms. */
static void set_columns(tct_net_leaf *leaf)
{
    const tct_codec *codec = leaf->claim->model->codec;

    for (size_t a = 0; a < codec->schema->n_attributes; a++)
        for (size_t i = 0; i < codec->domains[a].width; i++)
            leaf->column[codec->domains[a].first + i] = leaf->claim->region.known[a] ? TACIT_NONE : leaf->n_free++;
}

tacit_status tct_net_leaf_new(tct_net_leaf **out, const tct_claim *claim, tacit_error *err)
{
    const tct_mlp *mlp = tct_as_mlp(claim->model->classifier);
    size_t d = mlp->sizes[0], k = mlp->base.n_scores, n;
    tct_net_leaf *leaf = tct_calloc(1, sizeof(*leaf));
    tacit_status st;

    *out = NULL;
    if (!leaf)
        return tct_fail_memory(err);
    leaf->base = (tct_leaf){&tct_leaf_network, claim, TACIT_NONE};
    leaf->claim = claim;
    leaf->mlp = mlp;
    leaf->column = tct_take(&leaf->arena, d, sizeof(*leaf->column));
    if (leaf->column)
        set_columns(leaf);
    n = leaf->n_free + 1;
    leaf->from = tct_take(&leaf->arena, d, sizeof(double));
    leaf->to = tct_take(&leaf->arena, d, sizeof(double));
    leaf->point = tct_take(&leaf->arena, d, sizeof(double));
    leaf->low = tct_take(&leaf->arena, k, sizeof(double));
    leaf->high = tct_take(&leaf->arena, k, sizeof(double));
    leaf->error = tct_take(&leaf->arena, k, sizeof(double));
    leaf->form = tct_take(&leaf->arena, n, sizeof(*leaf->form));
    leaf->weakest = tct_take(&leaf->arena, n, sizeof(*leaf->weakest));
    leaf->first = tct_take(&leaf->arena, mlp->sizes[1] * n, sizeof(*leaf->first));
    leaf->layers = tct_take(&leaf->arena, mlp->n_layers, sizeof(*leaf->layers));
    for (size_t l = 0; l + 1 < mlp->n_layers && leaf->layers; l++)
        take_layer(leaf, &leaf->layers[l], mlp->sizes[l + 1], n);
    st = tct_arena_check(&leaf->arena, err);
    if (!st)
        st = tct_leaf_forms_new(&leaf->forms, claim, mlp, err);
    if (st) {
        tct_net_leaf_free(leaf);
        return st;
    }
    set_first(leaf);
    *out = leaf;
    return TACIT_OK;
}

void tct_net_leaf_free(tct_net_leaf *leaf)
{
    if (!leaf)
        return;
    tct_leaf_forms_free(leaf->forms);
    tct_arena_clear(&leaf->arena);
    tct_free(leaf);
}

/* When the forms are far from a yes: plain: are plain intervals tried; slow: and intervals around coefficients? */
static bool holds(tct_net_leaf *leaf, const tct_region *part, bool plain, bool slow)
{
    const tct_classifier *classifier = &leaf->mlp->base;

    if (tct_region_is_point(part, leaf->point)) {
        classifier->ops->scores(classifier, leaf->point, 1, leaf->low);
        return tct_label(leaf->low, classifier->n_scores) == leaf->claim->label;
    }
    if (leaf->forms &&
        (tct_leaf_forms_hold(leaf->forms, part, false) || (slow && tct_leaf_forms_hold(leaf->forms, part, true))))
        return true;
    if (!plain && !leaf->forms->near)
        return false;
    set_ranges(leaf, part);
    bound_plain(leaf);
    return plain_holds(leaf) || ((slow || leaf->forms->near) && forms_hold(leaf));
}

bool tct_net_leaf_holds(tct_net_leaf *leaf, const tct_region *part)
{
    return holds(leaf, part, true, true);
}

bool tct_net_leaf_holds_quickly(tct_net_leaf *leaf, const tct_region *part, bool plain)
{
    return holds(leaf, part, plain, false);
}

static tacit_status network_make(tct_leaf **out, const tct_claim *claim, tacit_error *err)
{
    tct_net_leaf *leaf = NULL;
    tacit_status st = tct_net_leaf_new(&leaf, claim, err);

    *out = leaf ? &leaf->base : NULL;
    return st;
}

static void network_free(tct_leaf *leaf)
{
    tct_net_leaf_free((tct_net_leaf *)leaf);
}

static bool network_holds(tct_leaf *leaf, const tct_region *part)
{
    return tct_net_leaf_holds((tct_net_leaf *)leaf, part);
}

const tct_leaf_ops tct_leaf_network = {
    .kind = "mlp", .proof = "boxes", .make = network_make, .free = network_free, .holds = network_holds};
