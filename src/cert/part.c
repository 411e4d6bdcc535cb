/*
 * part.c -- cutting the domain into parts.
 *
 * The two sides of a cut are made by one function from one part, so that together they are that part: an interval
 * keeps the number it is cut at on both sides, indices and levels go to exactly one.
 */
#include "part.h"

#include <string.h>

static tacit_status part_new(tct_part *out, size_t n_inputs, tacit_error *err)
{
    out->n_inputs = n_inputs;
    out->low = tct_calloc(2 * n_inputs, sizeof(double));
    out->high = out->low ? out->low + n_inputs : NULL;
    return out->low ? TACIT_OK : tct_fail_memory(err);
}

tacit_status tct_part_whole(tct_part *out, const tct_codec *codec, tacit_error *err)
{
    tacit_status st = part_new(out, codec->n_inputs, err);

    for (size_t a = 0; a < codec->schema->n_attributes && !st; a++) {
        const tct_domain *domain = &codec->domains[a];

        if (domain->kind == TCT_BOX)
            tct_codec_range(codec, a, &out->low[domain->first], &out->high[domain->first]);
        else if (domain->kind == TCT_GRID)
            out->high[domain->first] = (double)(domain->count - 1);
        else
            for (size_t k = 0; k < domain->count; k++)
                out->low[domain->first + k] = 1;
    }
    return st;
}

tacit_status tct_part_copy(tct_part *out, const tct_part *part, tacit_error *err)
{
    tacit_status st = part_new(out, part->n_inputs, err);

    if (!st)
        memcpy(out->low, part->low, 2 * part->n_inputs * sizeof(double));
    return st;
}

void tct_part_clear(tct_part *part)
{
    tct_free_wiped(part->low, 2 * part->n_inputs * sizeof(double));
    *part = (tct_part){0};
}

size_t tct_part_levels(const tct_part *part, const tct_domain *domain)
{
    size_t count = 0;

    for (size_t k = 0; k < domain->count; k++)
        count += part->low[domain->first + k] > 0;
    return count;
}

void tct_part_range(const tct_part *part, const tct_codec *codec, size_t attribute, double *from, double *to)
{
    const tct_domain *domain = &codec->domains[attribute];

    *from = part->low[domain->first];
    *to = part->high[domain->first];
    if (domain->kind == TCT_GRID) {
        size_t first = (size_t)*from, last = (size_t)*to;

        tct_codec_value(codec, attribute, first, from);
        tct_codec_value(codec, attribute, last, to);
    }
}

bool tct_part_is_point(const tct_part *part, const tct_claim *claim, double *x)
{
    const tct_codec *codec = claim->model->codec;

    for (size_t a = 0; a < codec->schema->n_attributes; a++) {
        const tct_domain *domain = &codec->domains[a];
        double *inputs = x + domain->first, to;

        if (claim->known[a]) {
            memcpy(inputs, claim->x + domain->first, domain->width * sizeof(double));
        } else if (domain->kind == TCT_ONEHOT) {
            if (tct_part_levels(part, domain) != 1)
                return false;
            memcpy(inputs, part->low + domain->first, domain->width * sizeof(double));
        } else {
            tct_part_range(part, codec, a, inputs, &to);
            if (*inputs != to)
                return false;
        }
    }
    return true;
}

bool tct_part_divides(const tct_part *part, const tct_claim *claim, const tct_proof *proof, const tct_split *node)
{
    const tct_domain *domain = &claim->model->codec->domains[node->attribute];
    const double *low = part->low + domain->first, *high = part->high + domain->first;
    size_t left = 0, right = 0;

    if (claim->known[node->attribute])
        return false;
    if (domain->kind == TCT_BOX)
        return *low < node->at && node->at < *high;
    if (domain->kind == TCT_GRID)
        return *low < node->at && node->at <= *high;
    for (size_t k = 0; k < domain->count; k++) {
        bool marked = proof->levels[node->levels + k];

        if (marked && low[k] == 0)
            return false; /* not in the set that is to be divided */
        left += marked;
        right += !marked && low[k] > 0;
    }
    return left > 0 && right > 0;
}

void tct_part_take(tct_part *part, const tct_codec *codec, const tct_proof *proof, const tct_split *node, bool right)
{
    const tct_domain *domain = &codec->domains[node->attribute];
    double *low = part->low + domain->first, *high = part->high + domain->first;

    if (domain->kind == TCT_ONEHOT) {
        for (size_t k = 0; k < domain->count; k++)
            if ((proof->levels[node->levels + k] != 0) == right)
                low[k] = 0;
    } else if (right) {
        *low = node->at;
    } else {
        *high = domain->kind == TCT_BOX ? node->at : node->at - 1;
    }
}
