/*
 * netline_loops.h -- the loops of netline.c for one instruction set; included there once for each.
 *
 * NAMED(x) gives a name its suffix, SET is the attribute of the functions, BYTES the size of a vector, ANY(m)
 * tells whether any number of one is not 0.  Where that is
 * smaller than TCT_LANES numbers, the points are dealt with part by part: number i of a part is at p[i * SKIP].  Two
 * parts at a time where there are two, so that weights are read once for both.
 */

typedef double NAMED(lanes) __attribute__((vector_size(BYTES), may_alias));
typedef int64_t NAMED(masks) __attribute__((vector_size(BYTES), may_alias));
typedef double NAMED(lanes_loose) __attribute__((vector_size(BYTES), aligned(8), may_alias)); /* anywhere in memory */
#define lanes NAMED(lanes)
#define masks NAMED(masks)
#define SKIP (TCT_LANES * sizeof(double) / BYTES)
#define INLINED SET TCT_INLINED

INLINED void NAMED(affine_tile)(size_t tile, size_t parts, const double *w, const double *bias, size_t n_in,
                                const size_t *live, size_t n_live, const lanes *x, lanes *z)
{
    const double *row[8];
    lanes sum[8][2];

    for (size_t r = 0; r < tile; r++) {
        row[r] = w + r * n_in;
        for (size_t p = 0; p < parts; p++)
            sum[r][p] = (lanes){0} + bias[r];
    }
    for (size_t k = 0; k < n_live; k++) {
        size_t i = live[k];
        const lanes *here = x + i * SKIP;

        for (size_t r = 0; r < tile; r++)
            for (size_t p = 0; p < parts; p++)
                sum[r][p] += row[r][i] * here[p];
    }
    for (size_t r = 0; r < tile; r++)
        for (size_t p = 0; p < parts; p++)
            z[r * SKIP + p] = sum[r][p];
}

/* z = bias + w x; w: n_out x n_in; only the live inputs are not 0. */
INLINED void NAMED(affine)(size_t parts, const double *w, const double *bias, size_t n_in, const size_t *live,
                           size_t n_live, size_t n_out, const lanes *x, lanes *z)
{
    size_t j = 0;

#define TILE(R) NAMED(affine_tile)(R, parts, w + j * n_in, bias + j, n_in, live, n_live, x, z + j * SKIP)
    for (; SKIP == 1 && j + 8 <= n_out; j += 8)
        TILE(8);
    IN_TILES(n_out, j);
#undef TILE
}

/* a = z > 0 ? z : 0; the neurons active at any of the points into live, their number is returned. */
INLINED size_t NAMED(rectify)(size_t parts, const lanes *z, size_t n, lanes *a, size_t *live)
{
    size_t count = 0;

    for (size_t j = 0; j < n; j++) {
        live[count] = j;
#if BYTES == 64
        __mmask8 active = _mm512_cmp_pd_mask((__m512d)z[j], _mm512_setzero_pd(), _CMP_GT_OQ);

        (void)parts; /* it is 1 */
        a[j] = (lanes)_mm512_maskz_mov_pd(active, (__m512d)z[j]);
        count += active != 0;
#else
        masks any = {0};

        for (size_t p = 0; p < parts; p++) {
            masks active = z[j * SKIP + p] > (lanes){0};

            a[j * SKIP + p] = (lanes)((masks)z[j * SKIP + p] & active);
            any |= active;
        }
        count += ANY(any);
#endif
    }
    return count;
}

/* Columns columns[0..tile) of w; into `to` one after the other, or into u each in its place (to = NULL). */
INLINED void NAMED(pull_tile)(size_t tile, const double *w, size_t stride, const size_t *live, size_t n_live,
                              const size_t *columns, const lanes *v, lanes *u, lanes *to)
{
    const double *column[4];
    lanes sum[4];

    for (size_t r = 0; r < tile; r++) {
        column[r] = w + columns[r];
        sum[r] = (lanes){0};
    }
    for (size_t k = 0; k < n_live; k++) {
        size_t j = live[k];

        for (size_t r = 0; r < tile; r++)
            sum[r] += column[r][j * stride] * v[j * SKIP];
    }
    for (size_t r = 0; r < tile; r++)
        *(to ? to + r * SKIP : u + columns[r] * SKIP) = sum[r];
}

/* u = w' v for the columns given, v not 0 in the live rows only; rows are `stride` apart.  packed: one column after the
 * other into u; else each in its place. */
INLINED void NAMED(pull_back)(const double *w, size_t stride, const size_t *live, size_t n_live, const size_t *columns,
                              size_t n_columns, const lanes *v, lanes *u, bool packed)
{
    size_t i = 0;

#define TILE(R) NAMED(pull_tile)(R, w, stride, live, n_live, columns + i, v, u, packed ? u + i * SKIP : NULL)
    IN_TILES(n_columns, i);
#undef TILE
}

/* Rows i to i + tile of the sum: what is left of the diagonal counts twice.  Each row is added up from left to right,
 * so that it does not matter which rows share a tile. */
INLINED void NAMED(square_tile)(size_t tile, const double *c, size_t n, const size_t *live, size_t i, const lanes *v,
                                lanes *sum)
{
    const double *row[4];
    lanes left[4];

    for (size_t r = 0; r < tile; r++) {
        row[r] = c + live[i + r] * n;
        left[r] = (lanes){0};
    }
    for (size_t k = 0; k < i; k++)
        for (size_t r = 0; r < tile; r++)
            left[r] += row[r][live[k]] * v[live[k] * SKIP];
    for (size_t k = 0; k + 1 < tile; k++)
        for (size_t r = k + 1; r < tile; r++)
            left[r] += row[r][live[i + k]] * v[live[i + k] * SKIP];
    for (size_t r = 0; r < tile; r++) {
        lanes here = v[live[i + r] * SKIP];

        *sum += here * (2.0 * left[r] + row[r][live[i + r]] * here);
    }
}

/* v' C v, C symmetric, v not 0 in the live places only. */
INLINED void NAMED(square)(const double *c, size_t n, const size_t *live, size_t n_live, const lanes *v, lanes *out)
{
    lanes sum = {0};
    size_t i = 0;

#define TILE(R) NAMED(square_tile)(R, c, n, live, i, v, &sum)
    IN_TILES(n_live, i);
#undef TILE
    *out = (lanes)((masks)sum & (sum > (lanes){0}));
}

/* Covariances of k scores with slopes v (k x n), which are not 0 in the live places only. */
INLINED void NAMED(spread)(const double *c, size_t n, const size_t *live, size_t n_live, const lanes *v, size_t k,
                           lanes *product, lanes *cov)
{
    for (size_t s = 0; s < k; s++) {
        NAMED(square)(c, n, live, n_live, v + s * n * SKIP, &cov[(s * k + s) * SKIP]);
        if (s == 0)
            continue;
        NAMED(pull_back)(c, n, live, n_live, live, n_live, v + s * n * SKIP, product, false);
        for (size_t t = 0; t < s; t++) {
            lanes sum = {0};

            for (size_t i = 0; i < n_live; i++)
                sum += v[(t * n + live[i]) * SKIP] * product[live[i] * SKIP];
            cov[(s * k + t) * SKIP] = cov[(t * k + s) * SKIP] = sum;
        }
    }
}

/* Slopes of score s with respect to the first layer. */
INLINED void NAMED(slopes)(const tct_netline *line, size_t part, size_t s)
{
    const tct_mlp *mlp = line->mlp;
    size_t last = mlp->n_layers - 1, at = line->n_hidden - (last > 0 ? mlp->sizes[last] : 0);
    lanes *out = (lanes *)line->slopes + part + s * line->n_first * SKIP, *room = (lanes *)line->signal + part;
    const lanes *values = (const lanes *)line->values + part;
    lanes *v = last == 1 ? out : room + last % 2 * mlp->widest * SKIP;

    for (size_t j = 0; j < line->n_first; j++)
        out[j * SKIP] = (lanes){0} + (last == 0 && j == s ? 1.0 : 0.0);
    for (size_t k = 0; last > 0 && k < line->n_live[last]; k++) {
        size_t j = line->live[at + k];
        double w = mlp->weights[last][s * mlp->sizes[last] + j];

        v[j * SKIP] = (lanes)((masks)((lanes){0} + w) & (values[(at + j) * SKIP] > (lanes){0}));
    }
    for (size_t l = last; l-- > 1;) {
        lanes *to = l == 1 ? out : room + l % 2 * mlp->widest * SKIP;
        const size_t *later = line->live + at, *live;

        at -= mlp->sizes[l];
        live = line->live + at;
        NAMED(pull_back)
        (mlp->weights[l], mlp->sizes[l], later, line->n_live[l + 1], live, line->n_live[l], v, to, false);
        for (size_t k = 0; k < line->n_live[l]; k++) {
            size_t j = live[k];

            to[j * SKIP] = (lanes)((masks)to[j * SKIP] & (values[(at + j) * SKIP] > (lanes){0}));
        }
        v = to;
    }
}

#if BYTES == 64
/* Eight vectors turned: number r of vector c becomes number c of vector r. */
INLINED void NAMED(turn)(lanes v[TCT_LANES])
{
    lanes a[TCT_LANES];

    for (size_t i = 0; i < TCT_LANES; i += 2) {
        a[i] = __builtin_shufflevector(v[i], v[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
        a[i + 1] = __builtin_shufflevector(v[i], v[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
    for (size_t i = 0; i < TCT_LANES; i += 4)
        for (size_t k = 0; k < 2; k++) {
            v[i + k] = __builtin_shufflevector(a[i + k], a[i + k + 2], 0, 1, 8, 9, 4, 5, 12, 13);
            v[i + k + 2] = __builtin_shufflevector(a[i + k], a[i + k + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        }
    for (size_t k = 0; k < 4; k++) {
        lanes low = v[k], high = v[k + 4];

        v[k] = __builtin_shufflevector(low, high, 0, 1, 2, 3, 8, 9, 10, 11);
        v[k + 4] = __builtin_shufflevector(low, high, 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

/* `vectors` vectors of neurons at all points; w as in single_tile. */
INLINED void NAMED(wide_tile)(size_t vectors, const double *w, size_t wide, const size_t *live, size_t n_live,
                              const double *x, lanes *z)
{
    lanes sum[2][TCT_LANES];

    for (size_t q = 0; q < vectors; q++)
        for (size_t p = 0; p < TCT_LANES; p++)
            sum[q][p] = ((const lanes *)w)[q];
    for (size_t k = 0; k < n_live; k++) {
        const lanes *row = (const lanes *)(w + (live[k] + 1) * wide);
        const double *at = x + live[k] * TCT_LANES;

        for (size_t p = 0; p < TCT_LANES; p++) {
            lanes here = at[p] - (lanes){0}; /* the same in every lane, to the bit */

            for (size_t q = 0; q < vectors; q++)
                sum[q][p] += row[q] * here;
        }
    }
    for (size_t q = 0; q < vectors; q++) {
        NAMED(turn)(sum[q]);
        for (size_t r = 0; r < TCT_LANES; r++)
            z[q * TCT_LANES + r] = sum[q][r];
    }
}

/* As affine, neurons side by side: a weight is read once for all points, a point's number once for two vectors.  Returns how
 * many neurons were computed; too few are left for a vector.  turned: the weights as in single_tile. */
INLINED size_t NAMED(affine_wide)(const double *turned, size_t n_out, const size_t *live, size_t n_live, const lanes *x,
                                  lanes *z)
{
    size_t wide = tct_lanes_round(n_out), j = 0;

    for (; j + 2 * TCT_LANES <= n_out; j += 2 * TCT_LANES)
        NAMED(wide_tile)(2, turned + j, wide, live, n_live, (const double *)x, z + j);
    for (; j + TCT_LANES <= n_out; j += TCT_LANES)
        NAMED(wide_tile)(1, turned + j, wide, live, n_live, (const double *)x, z + j);
    return j;
}
#else
INLINED size_t NAMED(affine_wide)(const double *turned, size_t n_out, const size_t *live, size_t n_live, const lanes *x,
                                  lanes *z)
{
    (void)turned, (void)n_out, (void)live, (void)n_live, (void)x, (void)z;
    return 0;
}
#endif

/* Values of all layers from `part` on; the last are the scores. */
INLINED void NAMED(forward)(tct_netline *line, size_t part, size_t parts)
{
    const tct_mlp *mlp = line->mlp;
    size_t last = mlp->n_layers - 1, *live = line->live;
    lanes *a = (lanes *)line->values + part, *z = (lanes *)line->first + part, *f = (lanes *)line->scores + part;
    const double *turned = line->turned_weights;

    for (size_t l = 1; l <= last; l++) {
        size_t n_in = mlp->sizes[l], n_out = mlp->sizes[l + 1], done;
        lanes *next = a + n_in * SKIP;

        line->n_live[l] = NAMED(rectify)(parts, z, n_in, a, live);
        z = l == last ? f : next;
        done = NAMED(affine_wide)(turned, n_out, live, line->n_live[l], a, z);
        NAMED(affine)
        (parts, mlp->weights[l] + done * n_in, mlp->bias[l] + done, n_in, live, line->n_live[l], n_out - done, a,
         z + done * SKIP);
        turned += (n_in + 1) * tct_lanes_round(n_out);
        a = next;
        live += n_in;
    }
    for (size_t s = 0; last == 0 && s < line->n_scores; s++)
        for (size_t p = 0; p < parts; p++)
            f[s * SKIP + p] = z[s * SKIP + p];
}

/* `vectors` vectors of a layer at one point; w: a row of `wide` numbers per input, behind one of biases. */
INLINED void NAMED(single_tile)(size_t vectors, const double *w, size_t wide, const size_t *live, size_t n_live,
                                const double *x, double *z)
{
    lanes sum[8];

    for (size_t q = 0; q < vectors; q++)
        sum[q] = (lanes){0} + ((const lanes *)w)[q];
    for (size_t k = 0; k < n_live; k++) {
        const lanes *row = (const lanes *)(w + (live[k] + 1) * wide);

        TCT_ONE_ADDRESS(row);
        for (size_t q = 0; q < vectors; q++)
            sum[q] += row[q] * x[live[k]];
    }
    for (size_t q = 0; q < vectors; q++)
        ((lanes *)z)[q] = sum[q];
}

/* a = z > 0 ? z : 0 for n numbers, filled up; those that are not 0 into live, their number is returned. */
INLINED size_t NAMED(rectify_single)(const double *z, size_t n, double *a, size_t *live)
{
    size_t count = 0;

#if BYTES == 64
    __m512i here = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);

    for (size_t j = 0; j < n; j += TCT_LANES, here = _mm512_add_epi64(here, _mm512_set1_epi64(TCT_LANES))) {
        __m512d all = _mm512_load_pd(z + j);
        __mmask8 active = _mm512_cmp_pd_mask(all, _mm512_setzero_pd(), _CMP_GT_OQ);

        _mm512_store_pd(a + j, _mm512_maskz_mov_pd(active, all));
        _mm512_storeu_si512(live + count, _mm512_maskz_compress_epi64(active, here));
        count += (size_t)__builtin_popcount(active);
    }
#else
    for (size_t j = 0; j < n; j++) {
        a[j] = z[j] > 0 ? z[j] : 0;
        live[count] = j;
        count += z[j] > 0;
    }
#endif
    return count;
}

/* The scores at one point: as `forward`, the neurons of a layer side by side instead of points. */
INLINED void NAMED(forward_single)(tct_netline *line, size_t point)
{
    enum { EACH = BYTES / sizeof(double) };
    const tct_mlp *mlp = line->mlp;
    const double *w = line->turned_weights;
    double *x = line->signal, *z = x + mlp->widest * TCT_LANES;

    for (size_t j = 0; j < line->n_first; j++)
        z[j] = line->first[j * TCT_LANES + point];
    for (size_t j = line->n_first; j < tct_lanes_round(line->n_first); j++)
        z[j] = 0;
    for (size_t l = 1; l < mlp->n_layers; l++) {
        size_t wide = tct_lanes_round(mlp->sizes[l + 1]), i = 0;
        size_t n_live = NAMED(rectify_single)(z, mlp->sizes[l], x, line->live);

        for (; i + 8 * EACH <= wide; i += 8 * EACH)
            NAMED(single_tile)(8, w + i, wide, line->live, n_live, x, z + i);
        for (; i + 2 * EACH <= wide; i += 2 * EACH)
            NAMED(single_tile)(2, w + i, wide, line->live, n_live, x, z + i);
        for (; i < wide; i += EACH)
            NAMED(single_tile)(1, w + i, wide, line->live, n_live, x, z + i);
        w += (mlp->sizes[l] + 1) * wide;
    }
    for (size_t s = 0; s < line->n_scores; s++)
        line->scores[s * TCT_LANES + point] = z[s];
}

SET static void NAMED(add)(double *to, const double *column, double by, size_t n)
{
    enum { EACH = BYTES / sizeof(double) };
    size_t j = 0;

    for (; j + EACH <= n; j += EACH)
        *(NAMED(lanes_loose) *)(to + j) += *(const NAMED(lanes_loose) *)(column + j) * by;
    for (; j < n; j++)
        to[j] += column[j] * by;
}

SET static void NAMED(place)(tct_netline *line, const double *at, const double *along, const double *t)
{
    for (size_t part = 0; part < SKIP; part++) {
        lanes *first = (lanes *)line->first + part, moved;

        memcpy(&moved, t + part * (TCT_LANES / SKIP), sizeof moved);
        for (size_t j = 0; j < line->n_first; j++)
            first[j * SKIP] = at[j] + along[j] * moved;
    }
}

SET static void NAMED(scores)(tct_netline *line, size_t n)
{
    size_t parts = (n * SKIP + TCT_LANES - 1) / TCT_LANES, part = 0;
    bool few = 2 * n * SKIP <= TCT_LANES; /* one by one they take less */

    for (size_t point = 0; few && point < n; point++)
        NAMED(forward_single)(line, point);
    if (few)
        return;
    for (; SKIP > 1 && part + 2 <= parts; part += 2)
        NAMED(forward)(line, part, 2);
    if (part < parts)
        NAMED(forward)(line, part, 1);
}

INLINED void NAMED(law_part)(tct_netline *line, const tct_spread *spread, size_t part)
{
    const tct_mlp *mlp = line->mlp;
    size_t k = line->n_scores, n = spread->n, n_live;
    lanes *turned = (lanes *)line->turned + part, *product = (lanes *)line->product + part;
    lanes *cov = (lanes *)line->cov + part;
    const lanes *slopes = (const lanes *)line->slopes + part;
    const size_t *live;

    NAMED(forward)(line, part, 1);
    live = mlp->n_layers > 1 ? line->live : line->all;
    n_live = mlp->n_layers > 1 ? line->n_live[1] : line->n_first;
    for (size_t s = 0; s < k; s++)
        NAMED(slopes)(line, part, s);
    if (!spread->inputs) {
        NAMED(spread)(spread->cov, n, live, n_live, slopes, k, product, cov);
        return;
    }
    for (size_t s = 0; s < k; s++)
        NAMED(pull_back)
    (mlp->weights[0], mlp->sizes[0], live, n_live, spread->inputs, n, slopes + s * line->n_first * SKIP,
     turned + s * n * SKIP, true);
    NAMED(spread)(spread->cov, n, line->all, n, turned, k, product, cov);
}

SET static void NAMED(law)(tct_netline *line, const tct_spread *spread)
{
    for (size_t part = 0; part < SKIP; part++)
        NAMED(law_part)(line, spread, part);
}

static const struct tct_netline_loops NAMED(loops) = {NAMED(add), NAMED(place), NAMED(scores), NAMED(law)};

#undef lanes
#undef masks
#undef SKIP
#undef INLINED
#undef NAMED
#undef SET
#undef BYTES
#undef ANY
