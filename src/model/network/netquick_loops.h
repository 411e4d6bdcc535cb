/*
 * netquick_loops.h -- the loops of netquick.c for one instruction set; included there once for each.
 *
 * NAMED(x) gives a name its suffix, SET is the attribute of the functions, BYTES the size of a vector; ROWS neurons are
 * computed side by side, ADD_PRODUCT may be fused, ANY(m) tells whether any bit of a mask is set.  A row of TCT_QUICK
 * numbers is PARTS vectors.
 */

typedef float NAMED(floats) __attribute__((vector_size(BYTES)));
typedef int32_t NAMED(bits) __attribute__((vector_size(BYTES)));
typedef float NAMED(floats_loose) __attribute__((vector_size(BYTES), aligned(4), may_alias)); /* in memory */
typedef uint8_t NAMED(labels) __attribute__((vector_size(BYTES / 4)));
#define floats NAMED(floats)
#define bits NAMED(bits)
#define WIDE (BYTES / sizeof(float))
#define PARTS (TCT_QUICK / WIDE)
#define INLINED SET TCT_INLINED
#define LOAD(from) (*(const NAMED(floats_loose) *)(const void *)(from))
#define STORE(to, value) (*(NAMED(floats_loose) *)(void *)(to) = (value))
#define ALL(value) ((value) - (floats){0})
#define SELECT(mask, yes, no) ((floats)(((bits)(mask) & (bits)(yes)) | (~(bits)(mask) & (bits)(no))))

/* table[level] of each lane, for n levels. */
INLINED floats NAMED(look_up)(const float *table, size_t n, floats level)
{
    floats found = ALL(table[0]);

#if BYTES == 64
    for (size_t from = 0; from < n && n <= MOST_IN_REGISTERS; from += 2 * WIDE) {
        const float *here = table + from;
        floats next = (floats)_mm512_permutex2var_ps((__m512)LOAD(here), (__m512i)level, (__m512)LOAD(here + WIDE));

        found = SELECT(level >= ALL(TCT_QUICK_LEVELS + (float)from), next, found);
    }
    if (n <= MOST_IN_REGISTERS)
        return found;
#else
    for (size_t l = 1; l < n && n <= FEW_LEVELS; l++)
        found = SELECT(level >= ALL(TCT_QUICK_LEVELS + (float)l), ALL(table[l]), found);
    if (n <= FEW_LEVELS)
        return found;
#endif
    for (size_t i = 0; i < WIDE; i++)
        found[i] = table[((bits)level)[i] & LEVEL_BITS];
    return found;
}

/* The same for TCT_QUICK points, added to their sums. */
INLINED void NAMED(add_from_table)(const float *table, size_t n, const float *levels, floats *sum)
{
#if BYTES == 64
    if (n <= WIDE) {
        __m512 all = (__m512)LOAD(table);

        for (size_t p = 0; p < PARTS; p++)
            sum[p] += (floats)_mm512_permutexvar_ps((__m512i)LOAD(levels + p * WIDE), all);
        return;
    }
#endif
    for (size_t p = 0; p < PARTS; p++)
        sum[p] += NAMED(look_up)(table, n, LOAD(levels + p * WIDE));
}

/* Rows of sums: start[r] + sum over k < n of weight[r][at[k]] x[row at[k]]. */
INLINED void NAMED(add_up)(size_t rows, const float *start, const float *const *weight, const size_t *at, size_t n,
                           const float *x, floats sum[ROWS][PARTS])
{
    for (size_t r = 0; r < rows; r++)
        for (size_t p = 0; p < PARTS; p++)
            sum[r][p] = ALL(start[r]);
    for (size_t k = 0; k < n; k++) {
        const float *here = x + at[k] * TCT_QUICK;

        for (size_t r = 0; r < rows; r++) {
            floats w = ALL(weight[r][at[k]]);

            for (size_t p = 0; p < PARTS; p++)
                sum[r][p] = ADD_PRODUCT(sum[r][p], w, LOAD(here + p * WIDE));
        }
    }
}

/* Rows of sums: start[r] + what each of the terms adds. */
INLINED void NAMED(add_terms)(size_t rows, const float *start, const float *const *weight, const tct_quick_term *terms,
                              size_t n, const float *x, floats sum[ROWS][PARTS])
{
    for (size_t r = 0; r < rows; r++)
        for (size_t p = 0; p < PARTS; p++)
            sum[r][p] = ALL(start[r]);
    for (size_t k = 0; k < n; k++) {
        const float *here = x + k * TCT_QUICK;

        if (terms[k].levels > 0)
            continue;
        for (size_t r = 0; r < rows; r++) {
            floats w = ALL(weight[r][terms[k].first]);

            for (size_t p = 0; p < PARTS; p++)
                sum[r][p] = ADD_PRODUCT(sum[r][p], w, LOAD(here + p * WIDE));
        }
    }
    for (size_t k = 0; k < n; k++)
        for (size_t r = 0; r < rows && terms[k].levels > 0; r++)
            NAMED(add_from_table)(weight[r] + terms[k].first, terms[k].levels, x + k * TCT_QUICK, sum[r]);
}

/* max(z, 0) of one neuron; true: it is not 0 everywhere. */
INLINED bool NAMED(rectify)(const floats *z, float *to)
{
    bits active = {0};

    for (size_t p = 0; p < PARTS; p++) {
        bits here = (bits)(z[p] > (floats){0});

        active |= here;
        STORE(to + p * WIDE, (floats)((bits)z[p] & here));
    }
    return ANY(active);
}

/* Neurons j[0..rows) of the first layer. */
INLINED void NAMED(first_rows)(tct_netquick *q, size_t rows, const size_t *j, const tct_quick_term *terms, size_t n,
                               const float *x, floats sum[ROWS][PARTS])
{
    const float *weight[ROWS];
    float start[ROWS];

    for (size_t r = 0; r < rows; r++) {
        weight[r] = q->rows + j[r] * q->mlp->sizes[0];
        start[r] = q->base[j[r]];
    }
    NAMED(add_terms)(rows, start, weight, terms, n, x, sum);
}

/* The first layer, rectified if others follow; how many neurons are live. */
INLINED size_t NAMED(first_layer)(tct_netquick *q, const tct_quick_term *terms, size_t n, const float *x, float *to)
{
    size_t count = 0, k = 0;

    while (k < q->n_open) {
        size_t rows = k + ROWS <= q->n_open ? ROWS : 1;
        floats sum[ROWS][PARTS];

        if (rows == ROWS)
            NAMED(first_rows)(q, ROWS, q->open + k, terms, n, x, sum);
        else
            NAMED(first_rows)(q, 1, q->open + k, terms, n, x, sum);
        for (size_t r = 0; r < rows; r++) {
            size_t j = q->open[k + r];

            if (q->mlp->n_layers == 1) {
                for (size_t p = 0; p < PARTS; p++)
                    STORE(to + j * TCT_QUICK + p * WIDE, sum[r][p]);
                continue;
            }
            q->live[count] = j;
            count += NAMED(rectify)(sum[r], to + j * TCT_QUICK);
        }
        k += rows;
    }
    return count;
}

/* Sums of neurons j to j + rows of a layer with n_in inputs. */
INLINED void NAMED(next_rows)(size_t rows, const float *w, const float *bias, size_t n_in, const size_t *live, size_t n,
                              const float *x, floats sum[ROWS][PARTS])
{
    const float *weight[ROWS];

    for (size_t r = 0; r < rows; r++)
        weight[r] = w + r * n_in;
    NAMED(add_up)(rows, bias, weight, live, n, x, sum);
}

/* A layer behind the first. */
INLINED void NAMED(next_layer)(const float *w, const float *bias, size_t n_in, size_t n_out, const size_t *live,
                               size_t n, const float *x, float *to)
{
    for (size_t j = 0; j < n_out;) {
        size_t rows = j + ROWS <= n_out ? ROWS : 1;
        floats sum[ROWS][PARTS];

        if (rows == ROWS)
            NAMED(next_rows)(ROWS, w + j * n_in, bias + j, n_in, live, n, x, sum);
        else
            NAMED(next_rows)(1, w + j * n_in, bias + j, n_in, live, n, x, sum);
        for (size_t r = 0; r < rows; r++)
            for (size_t p = 0; p < PARTS; p++)
                STORE(to + (j + r) * TCT_QUICK + p * WIDE, sum[r][p]);
        j += rows;
    }
}

INLINED size_t NAMED(rectify_layer)(float *z, size_t n, size_t *live)
{
    size_t count = 0;

    for (size_t j = 0; j < n; j++) {
        floats row[PARTS];

        for (size_t p = 0; p < PARTS; p++)
            row[p] = LOAD(z + j * TCT_QUICK + p * WIDE);
        live[count] = j;
        count += NAMED(rectify)(row, z + j * TCT_QUICK);
    }
    return count;
}

/* Who wins, and by enough?  A NaN is never enough. */
INLINED void NAMED(decide)(const tct_netquick *q, const float *scores, uint8_t *label)
{
    for (size_t p = 0; p < TCT_QUICK; p += WIDE) {
        floats best = LOAD(scores + p), second = ALL(0.0F), lead;
        bits winner = {0};
        NAMED(labels) narrow;

        if (q->n_scores == 1) {
            winner = (bits)(best > (floats){0}) & 1;
            lead = SELECT(best > (floats){0}, best, -best);
        } else {
            second = ALL(-INFINITY);
            for (size_t s = 1; s < q->n_scores; s++) {
                floats z = LOAD(scores + s * TCT_QUICK + p);
                bits ahead = (bits)(z > best);

                second = SELECT(ahead, best, SELECT(z <= second, second, z));
                winner = (bits)SELECT(ahead, (floats)((bits){0} + (int32_t)s), (floats)winner);
                best = SELECT(ahead, z, best);
            }
            lead = (best - second) * 0.5F;
        }
        winner = (bits)SELECT(lead > ALL(q->doubt), (floats)winner, (floats)((bits){0} + TCT_UNSURE));
        narrow = __builtin_convertvector(winner, NAMED(labels));
        memcpy(label + p, &narrow, sizeof narrow);
    }
}

SET static void NAMED(label)(tct_netquick *q, const tct_quick_term *terms, size_t n, const float *x, uint8_t *label)
{
    const tct_mlp *mlp = q->mlp;
    float *here = q->values, *next = q->values + q->widest * TCT_QUICK;
    const float *w = q->weights, *bias = q->bias;
    size_t n_live = NAMED(first_layer)(q, terms, n, x, here);

    for (size_t l = 1; l < mlp->n_layers; l++) {
        float *swap = here;

        NAMED(next_layer)(w, bias, mlp->sizes[l], mlp->sizes[l + 1], q->live, n_live, here, next);
        w += mlp->sizes[l] * mlp->sizes[l + 1];
        bias += mlp->sizes[l + 1];
        if (l + 1 < mlp->n_layers)
            n_live = NAMED(rectify_layer)(next, mlp->sizes[l + 1], q->live);
        here = next;
        next = swap;
    }
    NAMED(decide)(q, here, label);
}

static const struct tct_quick_loops NAMED(loops) = {NAMED(label)};

#undef floats
#undef bits
#undef WIDE
#undef PARTS
#undef INLINED
#undef LOAD
#undef STORE
#undef ALL
#undef SELECT
#undef NAMED
#undef SET
#undef BYTES
#undef ROWS
#undef ADD_PRODUCT
#undef ANY
