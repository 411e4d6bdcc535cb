/*
 * crowd.c -- see crowd.h.
 */
#include "crowd.h"

/* Level of person r in the one-hot inputs from `x` on. */
static uint16_t find_level(const double *x, size_t stride, size_t r, size_t width)
{
    size_t k = 0;

    while (k + 1 < width && x[k * stride + r] == 0)
        k++;
    return (uint16_t)k;
}

static tacit_status fill_column(tct_crowd_column *column, const tct_part *part, const tct_domain *domain,
                                const size_t *rows, size_t n, tacit_error *err)
{
    const double *x = part->x + domain->first * part->n;

    column->width = domain->width;
    if (domain->kind == TCT_ONEHOT) {
        column->codes = tct_malloc(n + 1, sizeof *column->codes);
        if (!column->codes)
            return tct_fail_memory(err);
        for (size_t r = 0; r < n; r++)
            column->codes[r] = find_level(x, part->n, rows[r], domain->width);
        return TACIT_OK;
    }
    column->values = tct_malloc(n + 1, sizeof *column->values);
    if (!column->values)
        return tct_fail_memory(err);
    for (size_t r = 0; r < n; r++)
        column->values[r] = x[rows[r]];
    return TACIT_OK;
}

tacit_status tct_crowd_new(tct_crowd **out, const tct_part *part, const tct_codec *codec, const unsigned char *marks,
                           unsigned char mark, bool equal, tacit_error *err)
{
    size_t n_attributes = codec->schema->n_attributes, *rows = tct_malloc(part->n + 1, sizeof *rows);
    tct_crowd *crowd = tct_calloc(1, sizeof *crowd);
    tacit_status st = rows && crowd ? TACIT_OK : tct_fail_memory(err);

    *out = NULL;
    if (st)
        goto done;
    for (size_t r = 0; r < part->n; r++)
        if (!marks || (marks[r] == mark) == equal)
            rows[crowd->n++] = r;
    crowd->n_attributes = n_attributes;
    crowd->n_classes = codec->schema->n_classes;
    crowd->columns = tct_calloc(n_attributes, sizeof *crowd->columns);
    crowd->labels = tct_malloc(crowd->n + 1, sizeof *crowd->labels);
    if (!crowd->columns || !crowd->labels) {
        st = tct_fail_memory(err);
        goto done;
    }
    for (size_t r = 0; r < crowd->n; r++)
        crowd->labels[r] = part->labels[rows[r]];
    for (size_t a = 0; a < n_attributes && !st; a++)
        st = fill_column(&crowd->columns[a], part, &codec->domains[a], rows, crowd->n, err);
    if (st)
        goto done;
    *out = crowd;
    crowd = NULL; /* ownership moved to the caller */
done:
    tct_free(rows);
    tct_crowd_free(crowd);
    return st;
}

void tct_crowd_free(tct_crowd *crowd)
{
    if (!crowd)
        return;
    for (size_t a = 0; crowd->columns && a < crowd->n_attributes; a++) {
        tct_free_wiped(crowd->columns[a].values, crowd->n * sizeof(double));
        tct_free_wiped(crowd->columns[a].codes, crowd->n * sizeof(uint16_t));
    }
    tct_free(crowd->columns);
    tct_free_wiped(crowd->labels, crowd->n * sizeof(int32_t));
    tct_free(crowd);
}
