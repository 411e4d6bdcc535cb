/*
 * leaf_cut.c -- halving a part where its bounds lose most.
 *
 * What a margin pulled back loses, it loses in the lines put in for neurons that may be active or dead (their gaps).
 * Cutting an attribute reduces the gap of a neuron by about the share that the attribute has in the neuron's spread.  So an
 * attribute is worth
 *
 *     sum over neurons:  gap  x  share of the attribute in the spread
 *
 * and, with a small weight, its own spread in the margin's form, for parts in which only rounding is in the way.
 * Intervals and grids are cut in the middle, levels into the half with the smaller coefficients and the rest.
 *
 * Which cut is made is a matter of speed only: the halves together are the part.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "leaf_forms_inside.h"

static const double OWN_SPREAD = 0.1;

void tct_forms_complete_part(const tct_leaf_forms *f, tct_forms_part *part)
{
    uint32_t n = 0, s = 0;

    for (size_t k = 0; k < f->n_numbers; k++) {
        double middle = part->from[k] + (part->to[k] - part->from[k]) / 2;

        part->middle[k] = middle;
        part->radius[k] = fmax(part->to[k] - middle, middle - part->from[k]) * (1 + 0x1p-51) + TCT_FORMS_TINY;
        if (!(part->from[k] < part->to[k]))
            part->radius[k] = 0;
        part->most[k] = fabs(middle) + part->radius[k];
    }
    part->middle[f->n_numbers] = part->most[f->n_numbers] = 1; /* the constant */
    part->radius[f->n_numbers] = 0;
    for (size_t p = 0; p < f->n_places; p++) {
        const tct_forms_place *place = &f->places[p];

        if (place->column <= f->n_numbers || place->count == 0)
            continue;
        for (size_t k = place->column; k < place->column + place->count; k++)
            if (part->allowed[k])
                part->picks[n++] = (uint32_t)k;
        part->ends[s++] = n;
    }
    part->box = (tct_form_box){.middle = part->middle,
                               .radius = part->radius,
                               .most = part->most,
                               .n_numbers = f->n_numbers + 1,
                               .picks = part->picks,
                               .ends = part->ends,
                               .n_categories = s};
}

static bool is_category(const tct_leaf_forms *f, const tct_forms_place *place)
{
    return f->claim->model->codec->domains[place->attribute].kind == TCT_ONEHOT;
}

bool tct_forms_can_cut(const tct_leaf_forms *f, const tct_forms_part *part, size_t u)
{
    const tct_forms_place *place = &f->places[u];
    size_t at = place->column, levels = 0;
    double middle;

    if (place->count == 0)
        return false;
    if (is_category(f, place)) {
        for (size_t k = at; k < at + place->count; k++)
            levels += part->allowed[k];
        return levels > 1;
    }
    if (f->claim->model->codec->domains[place->attribute].kind == TCT_GRID)
        return part->first[at] < part->last[at];
    middle = part->from[at] + (part->to[at] - part->from[at]) / 2;
    return part->from[at] < middle && middle < part->to[at];
}

/* The columns of a category's levels that are allowed, among all that are. */
static const uint32_t *picks_of(const tct_forms_part *part, const tct_forms_place *place, size_t *count)
{
    const uint32_t *picks = part->picks;
    size_t all = part->box.ends[part->box.n_categories - 1], n = 0, end;

    while (n < all && picks[n] < place->column)
        n++;
    for (end = n; end < all && picks[end] < place->column + place->count; end++)
        ;
    *count = end - n;
    return picks + n;
}

/* How much an attribute moves the margin's form. */
static double own_spread(const tct_leaf_forms *f, const tct_forms_part *part, const tct_forms_place *place)
{
    double least = INFINITY, most = -INFINITY;
    const uint32_t *picks;
    size_t n;

    if (!is_category(f, place))
        return fabs(f->form[place->column]) * (part->to[place->column] - part->from[place->column]);
    picks = picks_of(part, place, &n);
    for (size_t k = 0; k < n; k++) {
        least = fmin(least, f->form[picks[k]]);
        most = fmax(most, f->form[picks[k]]);
    }
    return most - least;
}

/* Numbers' shares into f->gain by column, categories' by their first one. */
static void share_out(tct_leaf_forms *f, const tct_forms_part *part)
{
    memset(f->gain, 0, f->n_columns * sizeof(double));
    for (size_t l = 0; l < f->n_layers; l++) {
        tct_forms_layer *layer = &f->layers[l];

        if (!f->loops->rates(layer->gap, layer->spread, layer->width))
            continue;
        f->loops->shares(layer->gap, layer->lower, layer->upper, layer->width, f->n_numbers, f->gain);
        for (size_t p = 0; p < f->n_places; p++) {
            size_t n;
            const uint32_t *picks;

            if (f->places[p].count == 0 || !is_category(f, &f->places[p]))
                continue;
            picks = picks_of(part, &f->places[p], &n);
            f->gain[f->places[p].column] +=
                f->loops->level_share(layer->gap, layer->lower, layer->upper, layer->width, picks, n);
        }
    }
    for (size_t k = 0; k < f->n_numbers; k++)
        f->gain[k] *= part->to[k] - part->from[k];
}

size_t tct_forms_best_cut(tct_leaf_forms *f, const tct_forms_part *part)
{
    size_t best = TACIT_NONE;
    double most = 0;

    share_out(f, part);
    for (size_t p = 0; p < f->n_places; p++) {
        double gain;

        if (!tct_forms_can_cut(f, part, p))
            continue;
        gain = f->gain[f->places[p].column] + OWN_SPREAD * own_spread(f, part, &f->places[p]);
        if (best == TACIT_NONE || gain > most) {
            best = p;
            most = gain;
        }
    }
    return best;
}

static int compare_numbers(const void *a, const void *b)
{
    double x, y;

    memcpy(&x, a, sizeof(x));
    memcpy(&y, b, sizeof(y));
    return (x > y) - (x < y);
}

/* Mark the half of the allowed levels with the smaller coefficients, by column; of equal ones the first. */
static void lower_half(const tct_leaf_forms *f, const tct_forms_place *place, const unsigned char *allowed,
                       const double *form, unsigned char *half)
{
    size_t levels = 0, end = place->column + place->count, wanted;
    double *sorted = f->gain, last;

    for (size_t k = place->column; k < end; k++) {
        half[k] = 0;
        if (allowed[k])
            sorted[levels++] = form[k];
    }
    qsort(sorted, levels, sizeof(double), compare_numbers);
    wanted = levels / 2;
    last = wanted > 0 ? sorted[wanted - 1] : 0;
    for (size_t k = place->column; k < end && wanted > 0; k++)
        if (allowed[k] && form[k] < last) {
            half[k] = 1;
            wanted--;
        }
    for (size_t k = place->column; k < end && wanted > 0; k++)
        if (allowed[k] && !half[k] && !(form[k] > last)) {
            half[k] = 1;
            wanted--;
        }
}

/* Cut a number: its lower or its upper half. */
static void halve_number(const tct_leaf_forms *f, const tct_forms_part *part, const tct_forms_place *place, bool upper,
                         tct_forms_part *out)
{
    const tct_codec *codec = f->claim->model->codec;
    size_t k = place->column;
    double middle = part->from[k] + (part->to[k] - part->from[k]) / 2;

    if (codec->domains[place->attribute].kind == TCT_GRID) {
        double at = part->first[k] + floor((part->last[k] - part->first[k] + 1) / 2);

        if (upper)
            out->first[k] = at;
        else
            out->last[k] = at - 1;
        tct_codec_value(codec, place->attribute, (size_t)out->first[k], &out->from[k]);
        tct_codec_value(codec, place->attribute, (size_t)out->last[k], &out->to[k]);
    } else if (upper) {
        out->from[k] = middle;
    } else {
        out->to[k] = middle;
    }
}

void tct_forms_halve(const tct_leaf_forms *f, const tct_forms_part *part, size_t u, const double *form, int half,
                     tct_forms_part *out)
{
    const tct_forms_place *place = &f->places[u];
    size_t n = f->n_columns;

    memcpy(out->from, part->from, n * sizeof(double));
    memcpy(out->to, part->to, n * sizeof(double));
    memcpy(out->first, part->first, n * sizeof(double));
    memcpy(out->last, part->last, n * sizeof(double));
    memcpy(out->allowed, part->allowed, n);
    if (is_category(f, place)) {
        lower_half(f, place, part->allowed, form, out->allowed);
        for (size_t k = place->column; half == 1 && k < place->column + place->count; k++)
            out->allowed[k] = part->allowed[k] && !out->allowed[k];
    } else {
        halve_number(f, part, place, (form[place->column] < 0) != (half == 1), out);
    }
    tct_forms_complete_part(f, out);
}

size_t tct_leaf_forms_cut(const tct_leaf_forms *f, unsigned char *levels)
{
    const tct_forms_place *place;
    const tct_domain *domain;

    if (f->cut == TACIT_NONE)
        return TACIT_NONE;
    place = &f->places[f->cut];
    domain = &f->claim->model->codec->domains[place->attribute];
    if (domain->kind == TCT_ONEHOT) {
        unsigned char *half = f->parts[1].allowed; /* free to use: the leaf is decided */

        lower_half(f, place, f->parts[0].allowed, f->weakest, half);
        memset(levels, 0, domain->count);
        for (size_t k = place->column; k < place->column + place->count; k++)
            levels[f->input[k] - domain->first] = half[k];
    }
    return place->attribute;
}

void tct_leaf_forms_corner(const tct_leaf_forms *f, double *x)
{
    const tct_forms_part *part = &f->parts[0];

    memcpy(x, f->value, f->mlp->sizes[0] * sizeof(double));
    for (size_t k = 0; k < f->n_numbers; k++)
        x[f->input[k]] = f->weakest[k] > 0 ? part->from[k] : part->to[k];
    for (size_t s = 0, p = 0; s < part->box.n_categories; s++) {
        uint32_t best = part->picks[p];

        for (; p < part->box.ends[s]; p++)
            if (f->weakest[part->picks[p]] < f->weakest[best])
                best = part->picks[p];
        x[f->input[best]] = 1;
    }
}
