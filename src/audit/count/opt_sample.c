/*
 * Counts of smallest core sets by octave, and which of them make the figure.
 */
#include "opt_sample.h"

#include <string.h>

tacit_status tct_opt_counts_new(tct_opt_counts *out, size_t n_sensitive, tacit_error *err)
{
    *out = (tct_opt_counts){.histogram = tct_calloc(2 * n_sensitive + 1, sizeof *out->histogram)};
    if (!out->histogram)
        return tct_fail_memory(err);
    out->members = out->histogram + n_sensitive + 1;
    return TACIT_OK;
}

void tct_opt_counts_clear(tct_opt_counts *c)
{
    tct_free(c->histogram);
    *c = (tct_opt_counts){0};
}

void tct_opt_counts_merge(tct_opt_counts *into, const tct_opt_counts *from, size_t n_sensitive)
{
    into->inexact += from->inexact;
    into->slack += from->slack;
    for (size_t i = 0; i < 2 * n_sensitive + 1; i++) /* and members, behind it */
        into->histogram[i] += from->histogram[i];
}

uint64_t tct_opt_counted(const tct_opt_counts *c, size_t n_sensitive)
{
    uint64_t people = 0;

    for (size_t k = 0; k <= n_sensitive; k++)
        people += c->histogram[k];
    return people;
}

size_t tct_opt_octave(uint64_t row, const double *person, size_t n_inputs)
{
    static const uint64_t DRAW = 0x6f63746176657321;
    uint64_t hash = tct_mix(DRAW, row);
    size_t octave = 0;

    for (size_t i = 0; i < n_inputs; i++) {
        uint64_t bits;

        memcpy(&bits, &person[i], sizeof bits);
        hash = tct_mix(hash, bits);
    }
    while (octave < TCT_OCTAVES - 1 && !(hash >> 63)) {
        hash <<= 1;
        octave++;
    }
    return octave;
}

size_t tct_opt_level(uint64_t people)
{
    size_t k = 0;

    while (k < TCT_OCTAVES - 1 && people > (uint64_t)TCT_OPT_PEOPLE << k)
        k++;
    return k;
}

void tct_opt_pick(tct_opt_counts *out, const tct_opt_counts *octaves, uint64_t people, size_t n_sensitive)
{
    out->inexact = out->slack = 0;
    memset(out->histogram, 0, (2 * n_sensitive + 1) * sizeof *out->histogram);
    for (size_t k = tct_opt_level(people); k < TCT_OCTAVES; k++)
        tct_opt_counts_merge(out, &octaves[k], n_sensitive);
}
