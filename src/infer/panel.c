/*
 * panel.c -- see panel.h.
 *
 * A panel: when its first input's turn comes, every number is up to date with the inputs before the panel.  Each input of
 * the panel in its turn has its row and its column brought up to date with those of the panel before it, which is all that
 * its factors rest on; when the panel is through, the rest of the matrix loses the products of all of them.
 */
#include "panel.h"

#include "belief.h"
#include "schema.h"
#include "simd.h"

#define LOOPS "panel_loops.h"
#include "simd_levels.h"

void tct_panel_lose(double *row, size_t from, size_t to, const double *factors, const double *const *products, size_t n)
{
    TCT_SIMD_PICK(lose)(row, from, to, factors, products, n);
}

typedef struct elimination {
    double *block, *cross;
    size_t w, k;
    const double *least;
    size_t skip;
    const double *rows[TCT_PANEL]; /* of the panel's inputs that are not determined */
    size_t at[TCT_PANEL];
    size_t n;
    double factors[TCT_MAX_LEVELS][TCT_PANEL]; /* of every input */
} elimination;

static bool drop_determined(const elimination *e, size_t p)
{
    if (!tct_determined(e->block[p * e->w + p], e->least[p * e->skip]))
        return false;
    for (size_t q = p; q < e->w; q++)
        e->block[q * e->w + p] = e->block[p * e->w + q] = 0;
    return true;
}

/* Input p, whose row and column are up to date, becomes one of the panel. */
static void add(elimination *e, size_t p)
{
    double variance = e->block[p * e->w + p];

    for (size_t q = p + 1; q < e->w; q++) {
        double g = e->block[q * e->w + p] / variance;

        e->factors[q][e->n] = g;
        for (size_t s = 0; s < e->k; s++)
            e->cross[q * e->k + s] -= g * e->cross[p * e->k + s];
    }
    e->rows[e->n] = e->block + p * e->w;
    e->at[e->n++] = p;
}

static void eliminate_panels(elimination *e)
{
    size_t w = e->w;

    for (size_t from = 0; from < w; from += TCT_PANEL) {
        size_t behind = from + TCT_PANEL < w ? from + TCT_PANEL : w;

        e->n = 0;
        for (size_t p = from; p < behind; p++) {
            tct_panel_lose(e->block + p * w, p, w, e->factors[p], e->rows, e->n);
            for (size_t q = p + 1; q < w; q++)
                for (size_t k = 0; k < e->n; k++)
                    e->block[q * w + p] -= e->factors[q][k] * e->rows[k][p];
            if (!drop_determined(e, p))
                add(e, p);
        }
        for (size_t q = behind; q < w; q++)
            tct_panel_lose(e->block + q * w, behind, w, e->factors[q], e->rows, e->n);
    }
}

static void eliminate_plain(const elimination *e)
{
    size_t w = e->w, k = e->k;

    for (size_t p = 0; p < w; p++) {
        double variance = e->block[p * w + p];

        if (drop_determined(e, p))
            continue;
        for (size_t q = p + 1; q < w; q++) {
            double g = e->block[q * w + p] / variance;

            for (size_t r = p + 1; r < w; r++)
                e->block[q * w + r] -= g * e->block[p * w + r];
            for (size_t s = 0; s < k; s++)
                e->cross[q * k + s] -= g * e->cross[p * k + s];
        }
    }
}

void tct_panel_eliminate(double *block, double *cross, size_t w, size_t k, const double *least, size_t skip, bool plain)
{
    elimination e;

    e.block = block;
    e.cross = cross;
    e.w = w;
    e.k = k;
    e.least = least;
    e.skip = skip;
    if (plain || w <= TCT_PANEL)
        eliminate_plain(&e);
    else
        eliminate_panels(&e);
}
