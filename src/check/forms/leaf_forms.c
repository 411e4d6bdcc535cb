/*
 * leaf_forms.c -- forms forward through the layers, and one number per neuron for everything that rounding may do.
 *
 * The forms are those of leaf_network.c: what every neuron computes between two linear functions of the inputs that vary,
 * affine layers by the sign of the weight, a ReLU by the line through the ends of what it reads (above) and by the form
 * itself or 0 (below).  There every coefficient is an interval; here it is a plain double, and the forms are taken as
 * they came out: as exact functions with these coefficients.  Beside them stands, for neuron j computing z_j in scores(),
 * an error R_j such that
 *
 *     lower_j(x) - R_j  <=  z_j  <=  upper_j(x) + R_j        for every x of the leaf.
 *
 * Let e = 2^-53, gamma_k = k e / (1 - k e), and size_j at least the sum of the absolute terms of either form anywhere
 * in the leaf.  For a neuron that reads n outputs x_i, between lower_i - R_i and upper_i + R_i:
 *   - scores() computes z = sum w_i x_i + b + r with |r| <= gamma_(n+1) (|b| + sum |w_i| x_i) + n 2^-1074;
 *   - sum w_i x_i + b is above the exact combination of the forms less sum |w_i| R_i: lower_i where w_i > 0, else
 *     upper_i;
 *   - that combination is computed as sum w_i middle_i - sum |w_i| half_i, with middle and half the mean and half the
 *     difference of the two forms (where they are the same, half is left out).  Both are within size_i.  A term passes
 *     one rounding there, n + 1 in its sum, two more with the bias and in the difference: the coefficients as computed
 *     are off by at most 2 gamma_(n+4) (|b| + sum |w_i| size_i), and 2 n 2^-1074 for products that underflow.
 * So R = sum |w_i| (R_i + gamma_(n+6) (2 size_i + most_i)) + 3 gamma_(n+6) |b| + TINY, most_i the largest x_i.  The least
 * and the greatest value of a form are computed to within gamma_(columns+8) size and moved outward by that.
 * At a ReLU max(z, 0) <= max(upper, 0) + R and >= max(lower, 0) - R.  The line is s upper + t, whatever s came out as,
 * with t rounded up; scaling the coefficients and adding t costs 2 e (size + t).  All these sums of positive numbers
 * are computed themselves: MORE is beyond their relative errors, and TINY, for each neuron, beyond what underflow may
 * take anywhere, as no input of an unknown attribute exceeds 1 in size.  What overflows becomes no number, in the
 * sizes too, and then nothing is said to hold.
 * In the first layer the forms are the weights themselves, and what does not vary is added up in the constant: like
 * scores(), a sum of at most d + 1 terms.
 *
 * Every margin is pulled back through the layers with the bounds that the neurons have by their forms (leaf_back.c).
 * Where it does not hold, the leaf is halved where it loses most (leaf_cut.c), a few times over.  On a half the forms of
 * the leaf hold as they are; only their ends are taken anew, and the margin is pulled back with the lines that follow.
 *
 * It shares nothing with the provers' bounds.
 */
#include "leaf_forms.h"

#include <math.h>
#include <string.h>

#include "leaf_forms_inside.h"

/* What other lines and halves are tried for: what a margin lacks, as a share of what all lines may have cost it.  What
 * lacks more seldom holds. */
static const double MOVE_LINES = 0.05, MOVE_LAST = 0.1, HALVE = 0.03, HALVE_MORE = 0.03;
enum { FIRST_ATTEMPTS = 3, MORE_ATTEMPTS = 2 }; /* with one set of lines each: for a leaf, for its halves */

double tct_forms_gamma(size_t k)
{
    double ke = (double)k * 0x1p-53;

    return ke / (1 - ke) * (1 + 0x1p-50);
}

/* ---- the leaf ---- */

/* An unknown interval or grid. */
static void place_number(tct_leaf_forms *f, const tct_region *region, tct_forms_place *place)
{
    const tct_codec *codec = f->claim->model->codec;
    const tct_domain *domain = &codec->domains[place->attribute];
    tct_forms_part *part = &f->parts[0];
    size_t k = f->n_columns;

    tct_region_range(region, place->attribute, &part->from[k], &part->to[k]);
    f->value[domain->first] = part->from[k];
    place->count = part->from[k] < part->to[k];
    if (place->count == 0)
        return;
    if (domain->kind == TCT_GRID)
        tct_region_indices(region, place->attribute, &part->first[k], &part->last[k]);
    place->column = f->column[domain->first] = k;
    f->input[k] = domain->first;
    f->n_columns++;
}

/* An unknown category. */
static void place_levels(tct_leaf_forms *f, const tct_region *region, tct_forms_place *place)
{
    const tct_domain *domain = &f->claim->model->codec->domains[place->attribute];

    place->column = f->n_columns;
    place->count = tct_region_levels(region, place->attribute);
    for (size_t level = 0; level < domain->count; level++) {
        bool allowed = tct_region_has_level(region, place->attribute, level);

        f->value[domain->first + level] = allowed && place->count == 1;
        if (!allowed || place->count == 1)
            continue;
        f->parts[0].allowed[f->n_columns] = 1;
        f->column[domain->first + level] = f->n_columns;
        f->input[f->n_columns++] = domain->first + level;
    }
    if (place->count == 1)
        place->count = 0;
}

/* Number the inputs that vary: numbers, the constant, levels. */
static void place_columns(tct_leaf_forms *f, const tct_region *region)
{
    const tct_codec *codec = f->claim->model->codec;

    f->n_columns = 0;
    for (size_t i = 0; i < f->mlp->sizes[0]; i++)
        f->column[i] = TACIT_NONE;
    for (size_t p = 0; p < f->n_places; p++)
        if (codec->domains[f->places[p].attribute].kind != TCT_ONEHOT)
            place_number(f, region, &f->places[p]);
    f->n_numbers = f->n_columns++;
    for (size_t p = 0; p < f->n_places; p++)
        if (codec->domains[f->places[p].attribute].kind == TCT_ONEHOT)
            place_levels(f, region, &f->places[p]);
    f->rounding = tct_forms_gamma(f->n_columns + 8) * TCT_FORMS_MORE;
    tct_forms_complete_part(f, &f->parts[0]);
}

/* The first layer before its ReLU: exactly linear. */
static void set_first(tct_leaf_forms *f)
{
    tct_forms_layer *layer = &f->layers[0];
    size_t width = layer->width;
    double *constant = layer->lower + f->n_numbers * width;

    for (size_t k = 0; k < f->n_columns; k++)
        if (k != f->n_numbers)
            memcpy(layer->lower + k * width, f->first_columns + f->input[k] * width, width * sizeof(double));
    memcpy(constant, f->known, width * sizeof(double));
    for (size_t p = 0; p < f->n_places; p++) {
        const tct_domain *domain = &f->claim->model->codec->domains[f->places[p].attribute];

        for (size_t i = domain->first; i < domain->first + domain->width && f->places[p].count == 0; i++)
            for (size_t j = 0; j < width && f->value[i] != 0; j++)
                constant[j] += f->first_columns[i * width + j] * f->value[i];
    }
}

/* ---- layers ---- */

static tct_form_ends ends_of(const tct_leaf_forms *f)
{
    return (tct_form_ends){f->ends[0], f->ends[1], f->ends[2], f->ends[3]};
}

/* Bounds of the neurons of a layer over a part; sizes too, if wanted. */
static void place_layer(tct_leaf_forms *f, tct_forms_layer *layer, const tct_forms_part *part, bool sizes)
{
    tct_form_ends ends = ends_of(f);
    double *size = sizes ? layer->size : NULL;

    if (sizes)
        memset(layer->size, 0, layer->width * sizeof(double));
    f->loops->extremes(layer->lower, layer->width, &part->box, f->ends[0], f->ends[1], size);
    if (layer->upper == layer->lower) {
        memcpy(f->ends[2], f->ends[0], layer->width * sizeof(double));
        memcpy(f->ends[3], f->ends[1], layer->width * sizeof(double));
    } else {
        f->loops->extremes(layer->upper, layer->width, &part->box, f->ends[2], f->ends[3], size);
    }
    f->loops->place(&ends, layer->width, f->rounding, layer->size, layer->error, layer->low, layer->high);
    f->loops->spread(&ends, layer->width, layer->spread);
}

/* max(z, 0) for a layer that another one reads: the forms of its outputs.  Lists those that are not dead in f->list, and
 * those whose forms differ in f->bent. */
static void bend_layer(tct_leaf_forms *f, tct_forms_layer *layer, size_t *n_live, size_t *n_bent)
{
    tct_form_ends ends = ends_of(f);
    tct_form_bends bends = {f->bends[0], f->bends[1], f->bends[2], f->bends[3]};
    size_t width = layer->width;

    /* the next layer reads layer->n values */
    f->loops->bend(&ends, width, tct_forms_gamma(layer->n + 6), layer->size, layer->error, &bends);
    for (size_t k = 0; k < f->n_columns; k++)
        f->loops->halve(layer->lower + k * width, layer->upper + k * width, width, &bends,
                        k == f->n_numbers ? bends.lift : NULL, layer->middle + k * width, layer->half + k * width);
    *n_live = *n_bent = 0;
    for (uint32_t j = 0; j < layer->n; j++) {
        if (bends.above[j] == 0 && bends.lift[j] == 0 && bends.cost[j] == 0)
            continue;
        f->list[(*n_live)++] = j;
        if (layer->lower != layer->upper || bends.below[j] != 1 || bends.above[j] != 1 || bends.lift[j] != 0)
            f->bent[(*n_bent)++] = j;
    }
}

/* Forms of the neurons of layer l > 0 before the ReLU, and their errors. */
static void set_neurons(tct_leaf_forms *f, size_t l, size_t n_live, size_t n_bent)
{
    tct_forms_layer *layer = &f->layers[l];
    const tct_forms_layer *in = &f->layers[l - 1];
    size_t width = layer->width;
    double bias_error = 3 * tct_forms_gamma(in->n + 6);

    f->loops->combine(layer->columns, width, false, f->list, n_live, in->middle, in->width, f->n_columns, layer->lower);
    f->loops->combine(layer->columns, width, true, f->bent, n_bent, in->half, in->width, f->n_columns, f->halves);
    f->loops->weigh(layer->columns, width, true, f->list, n_live, f->bends[3], layer->error);
    for (size_t j = 0; j < width; j++) {
        layer->lower[f->n_numbers * width + j] += layer->bias[j];
        layer->error[j] = (layer->error[j] + bias_error * fabs(layer->bias[j])) * TCT_FORMS_MORE + TCT_FORMS_TINY;
    }
    f->loops->apart(layer->lower, layer->upper, f->halves, f->n_columns * width);
}

void tct_forms_narrow(tct_leaf_forms *f, const tct_forms_part *part)
{
    for (size_t l = 0; l < f->n_layers; l++)
        place_layer(f, &f->layers[l], part, false);
}

/* Forms of all neurons, and bounds of them over the leaf. */
static void set_forms(tct_leaf_forms *f)
{
    size_t n_live = 0, n_bent = 0;

    for (size_t l = 0; l < f->n_layers; l++) {
        if (l == 0)
            set_first(f);
        else
            set_neurons(f, l, n_live, n_bent);
        place_layer(f, &f->layers[l], &f->parts[0], true);
        if (l + 1 < f->n_layers)
            bend_layer(f, &f->layers[l], &n_live, &n_bent);
    }
}

/* ---- margins ---- */

/* Does the margin over class c hold?  A leaf begins with the usual lines, whatever was looked at before, and its halves with
 * those that were found before. */
static bool margin_holds(tct_leaf_forms *f, size_t depth, size_t c)
{
    bool patient = f->patient || depth == 0;
    double worth = patient ? INFINITY : depth == TCT_LEAF_HALVINGS ? MOVE_LAST : MOVE_LINES;

    if (depth == 0)
        tct_forms_set_lines(f);
    return tct_forms_margin_holds(f, &f->parts[depth], c, patient ? FIRST_ATTEMPTS : MORE_ATTEMPTS, worth);
}

/* Does every margin against the classes of `open` hold over part `depth` of the leaf?  Keeps those in `open` that do not;
 * what is told about a margin in f is then about the weakest. */
static bool margins_hold(tct_leaf_forms *f, size_t depth, unsigned char *open)
{
    double smallest = INFINITY;
    size_t weakest = TACIT_NONE, last = TACIT_NONE;
    bool near = true;

    for (size_t c = 0; c < f->mlp->base.n_classes; c++) {
        if (!open[c])
            continue;
        open[c] = !margin_holds(f, depth, c);
        last = c;
        if (!open[c])
            continue;
        near = near && f->close;
        if (weakest == TACIT_NONE || !(f->least >= smallest)) {
            smallest = f->least;
            weakest = c;
        }
    }
    if (weakest == TACIT_NONE)
        return true;
    if (weakest != last)
        open[weakest] = !margin_holds(f, depth, weakest); /* by other lines than the first time, perhaps */
    if (!memchr(open, 1, f->mlp->base.n_classes))
        return true;
    if (depth == 0) {
        memcpy(f->weakest, f->form, f->n_columns * sizeof(double));
        f->against = weakest;
        f->near = near;
    }
    return false;
}

/* The same, with halves of the part where that does not suffice. */
static bool part_holds(tct_leaf_forms *f, size_t depth, const unsigned char *before)
{
    unsigned char open[TCT_MAX_CLASSES];
    double *form = f->forms_cut + depth * f->room, left = (double)(TCT_LEAF_HALVINGS - depth);
    size_t cut;

    memcpy(open, before, f->mlp->base.n_classes);
    if (margins_hold(f, depth, open))
        return true;
    if (depth == TCT_LEAF_HALVINGS)
        return false;
    cut = tct_forms_best_cut(f, &f->parts[depth]);
    if (depth == 0)
        f->cut = cut;
    if (cut == TACIT_NONE || f->n_layers == 0 || !(f->patient || f->lack < HALVE + HALVE_MORE * left))
        return false;
    memcpy(form, f->form, f->n_columns * sizeof(double));
    for (int half = 0; half < 2; half++) {
        tct_forms_halve(f, &f->parts[depth], cut, form, half, &f->parts[depth + 1]);
        tct_forms_narrow(f, &f->parts[depth + 1]);
        if (!part_holds(f, depth + 1, open))
            return false;
    }
    return true;
}

bool tct_leaf_forms_hold(tct_leaf_forms *f, const tct_region *part, bool patient)
{
    unsigned char open[TCT_MAX_CLASSES];

    f->patient = patient;
    f->loops = tct_form_loops_best();
    f->cut = f->against = TACIT_NONE;
    place_columns(f, part);
    if (f->n_layers > 0)
        set_forms(f);
    memset(open, 1, sizeof open);
    open[f->claim->label] = 0;
    return part_holds(f, 0, open);
}

/* ---- the object ---- */

static double *take_numbers(tct_leaf_forms *f, size_t count)
{
    enum { ALIGN = 64 };
    char *numbers = tct_take(&f->arena, count + ALIGN / sizeof(double), sizeof(double));

    return numbers ? (double *)(void *)(numbers + (ALIGN - (uintptr_t)numbers % ALIGN) % ALIGN) : NULL;
}

static size_t fill_up(size_t n)
{
    return (n + TCT_FORM_LANES - 1) / TCT_FORM_LANES * TCT_FORM_LANES;
}

/* Weights, one row of `width` per value read. */
static double *take_columns(tct_leaf_forms *f, const double *weights, size_t n, size_t width, size_t n_in)
{
    double *columns = take_numbers(f, n_in * width);

    for (size_t j = 0; j < n && columns; j++)
        for (size_t i = 0; i < n_in; i++)
            columns[i * width + j] = weights[j * n_in + i];
    return columns;
}

static void take_layer(tct_leaf_forms *f, size_t l)
{
    tct_forms_layer *layer = &f->layers[l];
    size_t n = f->mlp->sizes[l + 1], width = fill_up(n);
    double **numbers[] = {&layer->bias, &layer->error, &layer->size,        &layer->spread, &layer->low,
                          &layer->high, &layer->under, &layer->coefficient, &layer->gap};

    layer->n = n;
    layer->width = width;
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        *numbers[k] = take_numbers(f, width);
    if (layer->bias)
        memcpy(layer->bias, f->mlp->bias[l], n * sizeof(double));
    layer->lower = take_numbers(f, f->room * width);
    layer->upper = l > 0 ? take_numbers(f, f->room * width) : layer->lower;
    if (l + 1 < f->n_layers) {
        layer->middle = take_numbers(f, f->room * width);
        layer->half = take_numbers(f, f->room * width);
    }
    if (l > 0)
        layer->columns = take_columns(f, f->mlp->weights[l], n, width, f->mlp->sizes[l]);
    else
        f->first_columns = take_columns(f, f->mlp->weights[0], n, width, f->mlp->sizes[0]);
}

/* What is known, and the error of the first layer. */
static void set_known(tct_leaf_forms *f)
{
    const tct_mlp *mlp = f->mlp;
    size_t d = mlp->sizes[0];

    for (size_t j = 0; j < mlp->sizes[1]; j++) {
        double size = fabs(mlp->bias[0][j]);

        f->known[j] = mlp->bias[0][j];
        for (size_t a = 0; a < f->claim->model->schema->n_attributes; a++) {
            const tct_domain *domain = &f->claim->model->codec->domains[a];

            for (size_t i = domain->first; i < domain->first + domain->width; i++) {
                double w = mlp->weights[0][j * d + i], x = f->claim->region.known[a] ? f->claim->region.x[i] : 1;

                f->known[j] += f->claim->region.known[a] ? w * x : 0;
                size += fabs(w * x);
            }
        }
        /* of scores() and of the constant */
        f->layers[0].error[j] = 2 * tct_forms_gamma(d + 2) * size * TCT_FORMS_MORE + TCT_FORMS_TINY;
    }
}

static void take_part(tct_leaf_forms *f, tct_forms_part *part)
{
    double **numbers[] = {&part->from, &part->to, &part->first, &part->last, &part->middle, &part->radius, &part->most};

    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        *numbers[k] = take_numbers(f, f->room);
    part->allowed = tct_take(&f->arena, f->room, 1);
    part->picks = tct_take(&f->arena, f->room, sizeof *part->picks);
    part->ends = tct_take(&f->arena, f->room, sizeof *part->ends);
}

/* The unknown attributes. */
static void take_places(tct_leaf_forms *f)
{
    const tct_codec *codec = f->claim->model->codec;
    size_t n = codec->schema->n_attributes;

    f->places = tct_take(&f->arena, n, sizeof *f->places);
    for (size_t a = 0; a < n && f->places; a++) {
        if (f->claim->region.known[a])
            continue;
        f->places[f->n_places++].attribute = a;
        f->room += codec->domains[a].width;
    }
    f->room++; /* the constant */
    f->input = tct_take(&f->arena, f->room, sizeof *f->input);
    f->column = tct_take(&f->arena, f->mlp->sizes[0], sizeof *f->column);
    f->value = take_numbers(f, f->mlp->sizes[0]);
    for (size_t a = 0; a < n && f->value; a++) {
        const tct_domain *domain = &codec->domains[a];

        if (f->claim->region.known[a])
            memcpy(f->value + domain->first, f->claim->region.x + domain->first, domain->width * sizeof(double));
    }
}

/* Room for rows, columns and lists. */
static void take_room(tct_leaf_forms *f)
{
    f->widest = fill_up(f->room);
    for (size_t l = 0; l + 1 < f->mlp->n_layers; l++)
        f->widest = fill_up(f->mlp->sizes[l + 1]) > f->widest ? fill_up(f->mlp->sizes[l + 1]) : f->widest;
    for (size_t k = 0; k < 4; k++) {
        f->ends[k] = take_numbers(f, f->widest);
        f->bends[k] = take_numbers(f, f->widest);
    }
    f->halves = take_numbers(f, f->room * f->widest);
    f->form = take_numbers(f, f->widest);
    f->weakest = take_numbers(f, f->widest);
    f->corner = take_numbers(f, f->widest);
    f->margin = take_numbers(f, f->widest);
    f->margin_of = TACIT_NONE;
    f->row = take_numbers(f, f->widest);
    f->next = take_numbers(f, f->widest);
    f->gain = take_numbers(f, f->room);
    f->forms_cut = take_numbers(f, f->room * TCT_LEAF_PARTS);
    f->list = tct_take(&f->arena, f->widest, sizeof *f->list);
    f->bent = tct_take(&f->arena, f->widest, sizeof *f->bent);
    f->all = tct_take(&f->arena, f->widest, sizeof *f->all);
    for (size_t k = 0; k < f->widest && f->all; k++)
        f->all[k] = (uint32_t)k;
}

tacit_status tct_leaf_forms_new(tct_leaf_forms **out, const tct_claim *claim, const tct_mlp *mlp, tacit_error *err)
{
    tct_leaf_forms *f = tct_calloc(1, sizeof(*f));

    *out = f;
    if (!f)
        return tct_fail_memory(err);
    f->claim = claim;
    f->mlp = mlp;
    f->n_layers = mlp->n_layers - 1;
    f->loops = tct_form_loops_best();
    f->against = f->cut = TACIT_NONE;
    take_places(f);
    take_room(f);
    for (size_t d = 0; d < TCT_LEAF_PARTS; d++)
        take_part(f, &f->parts[d]);
    f->layers = tct_take(&f->arena, mlp->n_layers, sizeof(*f->layers));
    for (size_t l = 0; l < f->n_layers && f->layers; l++)
        take_layer(f, l);
    f->known = take_numbers(f, f->widest);
    if (f->arena.failed) {
        tct_leaf_forms_free(f);
        *out = NULL;
        return tct_fail_memory(err);
    }
    if (f->n_layers > 0)
        set_known(f);
    return TACIT_OK;
}

void tct_leaf_forms_free(tct_leaf_forms *f)
{
    if (!f)
        return;
    tct_arena_clear(&f->arena);
    tct_free_wiped(f, sizeof(*f)); /* bounds of margins */
}
