/*
 * coded_people.c -- see coded_people.h.
 */
#include "coded_people.h"

/* Level of person r in the one-hot inputs from `x` on. */
static uint16_t find_level(const double *x, size_t stride, size_t r, size_t width)
{
    size_t k = 0;

    while (k + 1 < width && x[k * stride + r] == 0)
        k++;
    return (uint16_t)k;
}

static tacit_status fill_column(tct_coded_column *column, const tct_encoded_rows *part, const tct_domain *domain,
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

tacit_status tct_coded_people_new(tct_coded_people **out, const tct_encoded_rows *part, const tct_codec *codec,
                                  const unsigned char *marks, unsigned char mark, bool equal, tacit_error *err)
{
    size_t n_attributes = codec->schema->n_attributes, *rows = tct_malloc(part->n + 1, sizeof *rows);
    tct_coded_people *coded = tct_calloc(1, sizeof *coded);
    tacit_status st = rows && coded ? TACIT_OK : tct_fail_memory(err);

    *out = NULL;
    if (st)
        goto done;
    for (size_t r = 0; r < part->n; r++)
        if (!marks || (marks[r] == mark) == equal)
            rows[coded->n++] = r;
    coded->n_attributes = n_attributes;
    coded->n_classes = codec->schema->n_classes;
    coded->columns = tct_calloc(n_attributes, sizeof *coded->columns);
    coded->labels = tct_malloc(coded->n + 1, sizeof *coded->labels);
    if (!coded->columns || !coded->labels) {
        st = tct_fail_memory(err);
        goto done;
    }
    for (size_t r = 0; r < coded->n; r++)
        coded->labels[r] = part->labels[rows[r]];
    for (size_t a = 0; a < n_attributes && !st; a++)
        st = fill_column(&coded->columns[a], part, &codec->domains[a], rows, coded->n, err);
    if (st)
        goto done;
    *out = coded;
    coded = NULL; /* ownership moved to the caller */
done:
    tct_free(rows);
    tct_coded_people_free(coded);
    return st;
}

void tct_coded_people_free(tct_coded_people *coded)
{
    if (!coded)
        return;
    for (size_t a = 0; coded->columns && a < coded->n_attributes; a++) {
        tct_free_wiped(coded->columns[a].values, coded->n * sizeof(double));
        tct_free_wiped(coded->columns[a].codes, coded->n * sizeof(uint16_t));
    }
    tct_free(coded->columns);
    tct_free_wiped(coded->labels, coded->n * sizeof(int32_t));
    tct_free(coded);
}
