/*
 * reference.c -- how the people were spread from whom a model was made.
 *
 * Bins of numbers are tenths of the people, found in a sample that is the same every time.  Edges are rounded to a power
 * of ten that is about the width of a bin, and bins of fewer than TCT_LEAST_IN_BIN people are joined with a neighbour;
 * rare levels share a bin.  Counting people into bins compares a whole column with one edge after the other, which goes
 * through wide registers: a counter is the number of people above an edge, or of a level's bin.
 */
#include "reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cells.h"
#include "codec_inside.h"
#include "json_put.h"
#include "simd.h"

enum { SAMPLE = 10000 };

/* ---------------------------------------------------------------- making room */

static tacit_status make_spread(tct_profile *s, size_t n_bins, size_t n_levels, tacit_error *err)
{
    s->n_bins = n_bins;
    s->n_levels = n_levels;
    s->counts = tct_calloc(n_bins + 1, sizeof *s->counts);
    if (n_levels)
        s->bins = tct_calloc(n_levels, sizeof *s->bins);
    else
        s->edges = tct_calloc(n_bins + 1, sizeof *s->edges);
    return s->counts && (s->bins || s->edges) ? TACIT_OK : tct_fail_memory(err);
}

tacit_status tct_reference_make(tct_reference **out, size_t n_attributes, size_t n_classes, tacit_error *err)
{
    tct_reference *r = tct_calloc(1, sizeof *r);

    *out = NULL;
    if (!r)
        return tct_fail_memory(err);
    r->n_attributes = n_attributes;
    r->n_classes = n_classes;
    r->train = tct_calloc(n_classes * n_classes, sizeof *r->train);
    r->test = tct_calloc(n_classes * n_classes, sizeof *r->test);
    r->spreads = tct_calloc(n_attributes, sizeof *r->spreads);
    if (!r->train || !r->test || !r->spreads) {
        tct_reference_free(r);
        return tct_fail_memory(err);
    }
    *out = r;
    return TACIT_OK;
}

void tct_reference_free(tct_reference *r)
{
    if (!r)
        return;
    for (size_t a = 0; r->spreads && a < r->n_attributes; a++) {
        tct_free(r->spreads[a].counts);
        tct_free(r->spreads[a].edges);
        tct_free(r->spreads[a].bins);
    }
    tct_free(r->train);
    tct_free(r->test);
    tct_free(r->spreads);
    tct_free(r);
}

tacit_status tct_reference_copy(tct_reference **out, const tct_reference *from, tacit_error *err)
{
    tct_reference *r;
    size_t n = from->n_classes * from->n_classes;
    tacit_status st = tct_reference_make(&r, from->n_attributes, from->n_classes, err);

    *out = NULL;
    if (st)
        return st;
    r->people = from->people;
    memcpy(r->train, from->train, n * sizeof *r->train);
    memcpy(r->test, from->test, n * sizeof *r->test);
    for (size_t a = 0; a < r->n_attributes && !st; a++) {
        const tct_profile *old = &from->spreads[a];
        tct_profile *s = &r->spreads[a];

        s->missing = old->missing;
        s->clipped = old->clipped;
        if (old->n_bins == 0)
            continue;
        st = make_spread(s, old->n_bins, old->n_levels, err);
        if (st)
            break;
        memcpy(s->counts, old->counts, s->n_bins * sizeof *s->counts);
        if (s->edges)
            memcpy(s->edges, old->edges, (s->n_bins - 1) * sizeof *s->edges);
        else
            memcpy(s->bins, old->bins, s->n_levels * sizeof *s->bins);
    }
    if (st)
        tct_reference_free(r);
    else
        *out = r;
    return st;
}

/* ---------------------------------------------------------------- counting */

size_t tct_profile_counters(const tct_profile *s)
{
    return s->n_bins == 0 ? 0 : s->bins ? s->n_bins : s->n_bins - 1;
}

/* An edge as inputs are: who is above it has a larger input. */
static double encode_edge(const tct_codec *codec, size_t attribute, double edge)
{
    const tacit_attribute *a = &codec->schema->attributes[attribute];
    const tct_domain *domain = &codec->domains[attribute];
    const struct tct_cells *cells = tct_codec_cells(codec, attribute);
    double last = (double)domain->count - 1, k = a->type == TACIT_CATEGORY ? edge : edge - a->min;

    if (cells)
        return tct_grid_value(tct_cell_of(cells, edge), domain->count);
    if (domain->kind == TCT_BOX)
        return tct_box_value(a, edge);
    return tct_grid_value(k <= 0 ? 0 : k >= last ? domain->count - 1 : (size_t)k, domain->count);
}

TCT_INLINED uint64_t above_body(const double *x, size_t n, double edge)
{
    uint64_t above = 0;

    for (size_t p = 0; p < n; p++)
        above += x[p] > edge;
    return above;
}

TCT_SIMD_FUNCTION(uint64_t, count_above, above_body, (const double *x, size_t n, double edge), (x, n, edge))

void tct_profile_count(const tct_profile *s, const tct_codec *codec, size_t attribute, const double *x, size_t stride,
                       size_t n, uint64_t *counters)
{
    const tct_domain *domain = &codec->domains[attribute];

    for (size_t e = 0; s->edges && e + 1 < s->n_bins; e++)
        counters[e] += count_above(x, n, encode_edge(codec, attribute, s->edges[e]));
    for (size_t k = 0; s->bins && k < domain->width; k++)
        counters[s->bins[k]] += count_above(x + k * stride, n, 0.5);
}

void tct_profile_bins(size_t n_bins, bool by_level, const uint64_t *counters, uint64_t people, uint64_t *bins)
{
    for (size_t b = 0; b < n_bins; b++)
        bins[b] = by_level ? counters[b] : (b == 0 ? people : counters[b - 1]) - (b + 1 < n_bins ? counters[b] : 0);
}

/* ---------------------------------------------------------------- from people */

/* The value behind an input; of a cell, its least. */
static double decode_input(const tct_codec *codec, size_t attribute, double x)
{
    const tacit_attribute *a = &codec->schema->attributes[attribute];
    const tct_domain *domain = &codec->domains[attribute];
    const struct tct_cells *cells = tct_codec_cells(codec, attribute);

    if (cells) {
        size_t k = domain->count > 1 ? (size_t)lround((x + 1) / 2 * ((double)domain->count - 1)) : 0;

        k = k < cells->n_cuts ? k : cells->n_cuts;
        return k > 0 ? cells->cuts[k - 1] : cells->n_cuts > 0 ? fmin(a->min, cells->cuts[0]) : a->min;
    }
    if (domain->kind == TCT_BOX)
        return a->min + (x + 1) / 2 * (a->max - a->min);
    return rint((x + 1) / 2 * ((double)domain->count - 1)) + (a->type == TACIT_CATEGORY ? 0 : a->min);
}

/* Up to TCT_MOST_BINS - 1 different edges, rounded. */
static size_t find_edges(double *edges, const tct_codec *codec, size_t attribute, const double *sorted, size_t n)
{
    const tacit_attribute *a = &codec->schema->attributes[attribute];
    double low = decode_input(codec, attribute, sorted[n / 10]);
    double high = decode_input(codec, attribute, sorted[n - 1 - n / 10]);
    double width = (high - low) / 8, step;
    size_t found = 0;

    if (!(width > 0))
        width = (decode_input(codec, attribute, sorted[n - 1]) - decode_input(codec, attribute, sorted[0])) / 8;
    if (!(width > 0))
        return 0;
    step = pow(10, floor(log10(width)));
    if (a->type != TACIT_NUMBER)
        step = a->type == TACIT_CATEGORY || step < 1 ? 1 : step;
    for (size_t i = 1; i < TCT_MOST_BINS; i++) {
        double edge = rint(decode_input(codec, attribute, sorted[n * i / TCT_MOST_BINS]) / step) * step;

        if (isfinite(edge) && (found == 0 || edge > edges[found - 1]))
            edges[found++] = edge;
    }
    return found;
}

/* Join bins of too few people with the smaller neighbour, and drop the edge between. */
static void join_bins(tct_profile *s)
{
    while (s->n_bins > 1) {
        size_t least = 0, edge;

        for (size_t b = 1; b < s->n_bins; b++)
            least = s->counts[b] < s->counts[least] ? b : least;
        if (s->counts[least] >= TCT_LEAST_IN_BIN)
            return;
        edge = least == 0                                                              ? 0
               : least + 1 == s->n_bins || s->counts[least - 1] < s->counts[least + 1] ? least - 1
                                                                                       : least;
        s->counts[edge] += s->counts[edge + 1];
        s->n_bins--;
        memmove(s->counts + edge + 1, s->counts + edge + 2, (s->n_bins - edge - 1) * sizeof *s->counts);
        memmove(s->edges + edge, s->edges + edge + 1, (s->n_bins - edge - 1) * sizeof *s->edges);
    }
}

static tacit_status spread_numbers(tct_profile *s, const tct_codec *codec, size_t attribute, const double *x, size_t n,
                                   double *sample, tacit_error *err)
{
    size_t m = n < SAMPLE ? n : SAMPLE;
    uint64_t counters[TCT_MOST_BINS] = {0}, bins[TCT_MOST_BINS];
    tacit_status st = make_spread(s, TCT_MOST_BINS, 0, err);

    if (st)
        return st;
    for (size_t i = 0; i < m; i++)
        sample[i] = x[(size_t)((double)i * (double)n / (double)m)];
    qsort(sample, m, sizeof *sample, tct_compare_doubles);
    s->n_bins = 1 + find_edges(s->edges, codec, attribute, sample, m);
    tct_profile_count(s, codec, attribute, x, n, n, counters);
    tct_profile_bins(s->n_bins, false, counters, n, bins);
    memcpy(s->counts, bins, s->n_bins * sizeof *bins);
    join_bins(s);
    return TACIT_OK;
}

/* A bin for every level of enough people, in order; one for all others, joined with the smallest when it has too few. */
static tacit_status spread_levels(tct_profile *s, const tct_domain *domain, const double *x, const uint16_t *levels,
                                  size_t n, tacit_error *err)
{
    size_t others = 0, smallest = 0;
    uint64_t rest = 0, counts[TCT_MAX_LEVELS] = {0};
    tacit_status st = make_spread(s, domain->width + 1, domain->width, err);

    if (st)
        return st;
    s->n_bins = 0;
    for (size_t r = 0; levels && r < n; r++)
        counts[levels[r]]++;
    for (size_t k = 0; k < domain->width; k++) {
        uint64_t here = levels ? counts[k] : count_above(x + k * n, n, 0.5);

        s->bins[k] = here >= TCT_LEAST_IN_BIN ? s->n_bins : TACIT_NONE;
        if (here >= TCT_LEAST_IN_BIN)
            s->counts[s->n_bins++] = here;
        else
            others++, rest += here;
    }
    for (size_t b = 1; b < s->n_bins; b++)
        smallest = s->counts[b] < s->counts[smallest] ? b : smallest;
    if (others && (s->n_bins == 0 || rest == 0 || rest >= TCT_LEAST_IN_BIN))
        smallest = s->n_bins++;
    s->counts[smallest] += rest;
    for (size_t k = 0; k < domain->width; k++)
        s->bins[k] = s->bins[k] == TACIT_NONE ? smallest : s->bins[k];
    return TACIT_OK;
}

static uint64_t round_tens(uint64_t count)
{
    return (count + 5) / 10 * 10;
}

/* What attribute `a` is like; own: its inputs. */
static tacit_status spread_attribute(tct_profile *s, const tct_codec *codec, size_t a, const double *own,
                                     const uint16_t *levels, size_t n, tacit_error *err)
{
    double *sample;
    tacit_status st;

    if (codec->domains[a].kind == TCT_ONEHOT)
        return spread_levels(s, &codec->domains[a], own, levels, n, err);
    sample = tct_malloc(SAMPLE, sizeof *sample);
    st = sample ? spread_numbers(s, codec, a, own, n, sample, err) : tct_fail_memory(err);
    tct_free_wiped(sample, SAMPLE * sizeof *sample);
    return st;
}

/* All attributes, side by side; only memory can be missing. */
static tacit_status spread_all(tct_reference *r, const tct_codec *codec, const tct_codec *columns, const double *x,
                               uint16_t *const *levels, size_t n, tacit_error *err)
{
    int n_threads = (int)tacit_threads(0);
    bool failed = false;

#pragma omp parallel for schedule(dynamic, 1) num_threads(n_threads) if (n > SAMPLE)
    for (size_t a = 0; a < codec->schema->n_attributes; a++)
        if (spread_attribute(&r->spreads[a], codec, a, x + columns->domains[a].first * n, levels ? levels[a] : NULL, n,
                             NULL)) {
#pragma omp atomic write
            failed = true;
        }
    return failed ? tct_fail_memory(err) : TACIT_OK;
}

tacit_status tct_reference_new(tct_reference **out, const tct_codec *codec, const tct_codec *columns, const double *x,
                               uint16_t *const *levels, size_t n, const tct_encode_counts *cells, tacit_error *err)
{
    size_t n_attributes = codec->schema->n_attributes;
    tct_reference *r;
    tacit_status st = tct_reference_make(&r, n_attributes, codec->schema->n_classes, err);

    *out = NULL;
    if (st)
        return st;
    for (size_t a = 0; a < n_attributes; a++) {
        r->spreads[a].missing = round_tens(cells[a].missing);
        r->spreads[a].clipped = round_tens(cells[a].clipped);
    }
    st = spread_all(r, codec, columns, x, levels, n, err);
    if (st) {
        tct_reference_free(r);
        return st;
    }
    r->people = n;
    *out = r;
    return TACIT_OK;
}
