/*
 * region.c -- regions, and cutting them in two.
 *
 * The two sides of a cut are made by one function from one region, so that together they are that region: an interval
 * keeps the number it is cut at on both sides, indices and levels go to exactly one.
 */
#include "region.h"

#include <math.h>
#include <string.h>

void tct_region_indices(const tct_region *region, size_t attribute, double *first, double *last)
{
    const tct_domain *domain = &region->codec->domains[attribute];

    *first = region->low ? region->low[domain->first] : 0;
    *last = region->low ? region->high[domain->first] : (double)(domain->count - 1);
}

void tct_region_range(const tct_region *region, size_t attribute, double *from, double *to)
{
    const tct_domain *domain = &region->codec->domains[attribute];

    if (!region->low) {
        tct_codec_range(region->codec, attribute, from, to);
    } else if (domain->kind == TCT_GRID) {
        tct_codec_value(region->codec, attribute, (size_t)region->low[domain->first], from);
        tct_codec_value(region->codec, attribute, (size_t)region->high[domain->first], to);
    } else {
        *from = region->low[domain->first];
        *to = region->high[domain->first];
    }
}

size_t tct_region_levels(const tct_region *region, size_t attribute)
{
    const tct_domain *domain = &region->codec->domains[attribute];
    size_t count = 0;

    if (!region->low)
        return domain->count;
    for (size_t k = 0; k < domain->count; k++)
        count += tct_region_has_level(region, attribute, k);
    return count;
}

/* The only value of an attribute that is not known, if there is but one. */
static bool take_only(const tct_region *region, size_t attribute, double *inputs)
{
    const tct_domain *domain = &region->codec->domains[attribute];
    double to;

    if (domain->kind != TCT_ONEHOT) {
        tct_region_range(region, attribute, inputs, &to);
        return *inputs == to;
    }
    for (size_t k = 0; k < domain->count; k++)
        inputs[k] = tct_region_has_level(region, attribute, k);
    return tct_region_levels(region, attribute) == 1;
}

bool tct_region_is_single(const tct_region *region, size_t attribute)
{
    double from, to;

    if (region->codec->domains[attribute].kind == TCT_ONEHOT)
        return tct_region_levels(region, attribute) <= 1;
    tct_region_range(region, attribute, &from, &to);
    return !(from < to);
}

double tct_region_nearest(const tct_region *region, size_t attribute, double value)
{
    const tct_domain *domain = &region->codec->domains[attribute];
    double low, high;

    if (domain->kind == TCT_GRID) {
        tct_region_indices(region, attribute, &low, &high);
        tct_codec_value(region->codec, attribute,
                        (size_t)fmin(fmax(rint((value + 1) / 2 * (double)(domain->count - 1)), low), high), &value);
        return value;
    }
    tct_region_range(region, attribute, &low, &high);
    return fmin(fmax(value, low), high);
}

bool tct_region_is_point(const tct_region *region, double *x)
{
    for (size_t a = 0; a < region->codec->schema->n_attributes; a++) {
        const tct_domain *domain = &region->codec->domains[a];

        if (region->known[a])
            memcpy(x + domain->first, region->x + domain->first, domain->width * sizeof(double));
        else if (!take_only(region, a, x + domain->first))
            return false;
    }
    return true;
}

bool tct_region_holds(const tct_region *region, size_t attribute, const double *inputs)
{
    const tct_domain *domain = &region->codec->domains[attribute];
    double from, to;

    if (region->known[attribute])
        return memcmp(inputs, region->x + domain->first, domain->width * sizeof(double)) == 0;
    if (domain->kind == TCT_ONEHOT) {
        for (size_t k = 0; k < domain->count; k++)
            if (inputs[k] > 0)
                return tct_region_has_level(region, attribute, k);
        return false;
    }
    tct_region_range(region, attribute, &from, &to);
    return *inputs >= from && *inputs <= to;
}

/* ---- ranges ---- */

tacit_status tct_ranges_of(tct_ranges *out, const tct_region *region, tacit_error *err)
{
    const tct_codec *codec = region->codec;

    out->n_inputs = codec->n_inputs;
    out->low = tct_calloc(2 * codec->n_inputs, sizeof(double));
    out->high = out->low ? out->low + codec->n_inputs : NULL;
    if (!out->low)
        return tct_fail_memory(err);
    if (region->low) {
        memcpy(out->low, region->low, codec->n_inputs * sizeof(double));
        memcpy(out->high, region->high, codec->n_inputs * sizeof(double));
        return TACIT_OK;
    }
    for (size_t a = 0; a < codec->schema->n_attributes; a++) {
        const tct_domain *domain = &codec->domains[a];

        if (domain->kind == TCT_BOX)
            tct_codec_range(codec, a, &out->low[domain->first], &out->high[domain->first]);
        else if (domain->kind == TCT_GRID)
            out->high[domain->first] = (double)(domain->count - 1);
        else
            for (size_t k = 0; k < domain->count; k++)
                out->low[domain->first + k] = 1;
    }
    return TACIT_OK;
}

void tct_ranges_clear(tct_ranges *ranges)
{
    tct_free_wiped(ranges->low, 2 * ranges->n_inputs * sizeof(double));
    *ranges = (tct_ranges){0};
}

tct_region tct_region_within(const tct_region *region, const tct_ranges *ranges)
{
    return (tct_region){region->codec, region->known, region->x, ranges->low, ranges->high};
}

/* ---- cuts ---- */

static bool divides_levels(const tct_region *region, const tct_cut *cut)
{
    size_t left = 0, right = 0;

    for (size_t k = 0; k < region->codec->domains[cut->attribute].count; k++) {
        bool marked = cut->levels[k], here = tct_region_has_level(region, cut->attribute, k);

        if (marked && !here)
            return false; /* not in the set that is to be divided */
        left += marked;
        right += !marked && here;
    }
    return left > 0 && right > 0;
}

bool tct_region_divides(const tct_region *region, const tct_cut *cut)
{
    double low, high;

    if (region->known[cut->attribute])
        return false;
    switch (region->codec->domains[cut->attribute].kind) {
    case TCT_BOX:
        tct_region_range(region, cut->attribute, &low, &high);
        return low < cut->at && cut->at < high;
    case TCT_GRID:
        tct_region_indices(region, cut->attribute, &low, &high);
        return low < cut->at && cut->at <= high;
    default:
        return divides_levels(region, cut);
    }
}

void tct_ranges_take(tct_ranges *ranges, const tct_codec *codec, const tct_cut *cut, bool right)
{
    const tct_domain *domain = &codec->domains[cut->attribute];
    double *low = ranges->low + domain->first, *high = ranges->high + domain->first;

    if (domain->kind == TCT_ONEHOT) {
        for (size_t k = 0; k < domain->count; k++)
            if ((cut->levels[k] != 0) == right)
                low[k] = 0;
    } else if (right) {
        *low = cut->at;
    } else {
        *high = domain->kind == TCT_BOX ? cut->at : cut->at - 1;
    }
}
