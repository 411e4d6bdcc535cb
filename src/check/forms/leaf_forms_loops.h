/*
 * leaf_forms_loops.h -- the loops of leaf_loops.h for one level of simd_levels.h.
 */

enum { NAMED(parts) = TCT_FORM_LANES / LANES }; /* vectors for eight numbers */

INLINED lanes NAMED(larger)(lanes a, lanes b)
{
    return SELECT(a > b, a, b);
}

INLINED lanes NAMED(smaller)(lanes a, lanes b)
{
    return SELECT(a < b, a, b);
}

/* Eight sums joined in pairs: the same bits at every level. */
INLINED double NAMED(joined)(const lanes *v)
{
    double all[TCT_FORM_LANES];

    for (size_t q = 0; q < NAMED(parts); q++)
        STORE(all + q * LANES, v[q]);
    return ((all[0] + all[4]) + (all[2] + all[6])) + ((all[1] + all[5]) + (all[3] + all[7]));
}

/* ---- forms of a layer ---- */

/* R columns at once, so that a weight is read once for all of them. */
#define COMBINE_COLUMNS(R)                                                                                             \
    for (size_t g = 0; g < width; g += LANES) {                                                                        \
        lanes sum[R];                                                                                                  \
        for (size_t r = 0; r < R; r++)                                                                                 \
            sum[r] = (lanes){0};                                                                                       \
        for (size_t m = 0; m < n_from; m++) {                                                                          \
            lanes w = LOAD(weights + from[m] * width + g);                                                             \
            const double *form = forms + from[m];                                                                      \
            w = absolute ? MAGNITUDE(w) : w;                                                                           \
            for (size_t r = 0; r < R; r++)                                                                             \
                sum[r] += w * form[r * stride];                                                                        \
        }                                                                                                              \
        for (size_t r = 0; r < R; r++)                                                                                 \
            STORE(out + r * width + g, sum[r]);                                                                        \
    }

INLINED void NAMED(combine_some)(const double *weights, size_t width, bool absolute, const uint32_t *from,
                                 size_t n_from, const double *forms, size_t stride, size_t n_columns, double *out)
{
    for (; n_columns >= 8; n_columns -= 8, forms += 8 * stride, out += 8 * width) {
        COMBINE_COLUMNS(8)
    }
    for (; n_columns >= 4; n_columns -= 4, forms += 4 * stride, out += 4 * width) {
        COMBINE_COLUMNS(4)
    }
    for (; n_columns >= 2; n_columns -= 2, forms += 2 * stride, out += 2 * width) {
        COMBINE_COLUMNS(2)
    }
    for (; n_columns > 0; n_columns--, forms += stride, out += width) {
        COMBINE_COLUMNS(1)
    }
}
#undef COMBINE_COLUMNS

LEVEL static void NAMED(combine)(const double *weights, size_t width, bool absolute, const uint32_t *from,
                                 size_t n_from, const double *forms, size_t stride, size_t n_columns, double *out)
{
    if (absolute)
        NAMED(combine_some)(weights, width, true, from, n_from, forms, stride, n_columns, out);
    else
        NAMED(combine_some)(weights, width, false, from, n_from, forms, stride, n_columns, out);
}

/* N vectors of neurons at once. */
#define WEIGH_NEURONS(N)                                                                                               \
    for (; g + N * LANES <= width; g += N * LANES) {                                                                   \
        lanes sum[N];                                                                                                  \
        for (size_t q = 0; q < N; q++)                                                                                 \
            sum[q] = (lanes){0};                                                                                       \
        for (size_t m = 0; m < n_from; m++) {                                                                          \
            const double *row = weights + from[m] * width + g;                                                         \
            double value = values[from[m]];                                                                            \
            for (size_t q = 0; q < N; q++) {                                                                           \
                lanes w = LOAD(row + q * LANES);                                                                       \
                sum[q] += (absolute ? MAGNITUDE(w) : w) * value;                                                       \
            }                                                                                                          \
        }                                                                                                              \
        for (size_t q = 0; q < N; q++)                                                                                 \
            STORE(out + g + q * LANES, sum[q]);                                                                        \
    }

INLINED void NAMED(weigh_some)(const double *weights, size_t width, bool absolute, const uint32_t *from, size_t n_from,
                               const double *values, double *out)
{
    size_t g = 0;

    WEIGH_NEURONS(8)
    WEIGH_NEURONS(4)
    WEIGH_NEURONS(1)
}
#undef WEIGH_NEURONS

LEVEL static void NAMED(weigh)(const double *weights, size_t width, bool absolute, const uint32_t *from, size_t n_from,
                               const double *values, double *out)
{
    if (absolute)
        NAMED(weigh_some)(weights, width, true, from, n_from, values, out);
    else
        NAMED(weigh_some)(weights, width, false, from, n_from, values, out);
}

LEVEL static void NAMED(apart)(double *below, double *above, const double *half, size_t count)
{
    for (size_t k = 0; k < count; k += LANES) {
        lanes middle = LOAD(below + k), by = LOAD(half + k);

        STORE(below + k, middle - by);
        STORE(above + k, middle + by);
    }
}

LEVEL static void NAMED(extremes)(const double *forms, size_t width, const tct_form_box *box, double *least,
                                  double *greatest, double *size)
{
    for (size_t g = 0; g < width; g += LANES) {
        lanes centre = {0}, reach = {0}, all = {0}, low, high;

        for (size_t k = 0; k < box->n_numbers; k++) {
            lanes c = LOAD(forms + k * width + g);

            centre += c * box->middle[k];
            reach += MAGNITUDE(c) * box->radius[k];
            all += MAGNITUDE(c) * box->most[k];
        }
        low = centre - reach;
        high = centre + reach;
        for (size_t s = 0, p = 0; s < box->n_categories; s++) {
            lanes less = LOAD(forms + box->picks[p] * width + g), more = less;

            for (p++; p < box->ends[s]; p++) {
                lanes c = LOAD(forms + box->picks[p] * width + g);

                less = NAMED(smaller)(c, less);
                more = NAMED(larger)(c, more);
                all += c * 0; /* no number stays none */
            }
            low += less;
            high += more;
            all += NAMED(larger)(MAGNITUDE(less), MAGNITUDE(more));
        }
        STORE(least + g, low);
        STORE(greatest + g, high);
        if (size)
            STORE(size + g, NAMED(larger)(LOAD(size + g), all) + LOAD(size + g) * 0);
    }
}

LEVEL static void NAMED(place)(const tct_form_ends *ends, size_t width, double rounding, const double *size,
                               const double *error, double *low, double *high)
{
    for (size_t g = 0; g < width; g += LANES) {
        lanes pad = LOAD(size + g) * rounding + TINY, off = LOAD(error + g) * MORE;
        lanes least = LOAD(ends->least_below + g) - pad, greatest = LOAD(ends->most_above + g) + pad;

        STORE(ends->least_below + g, least);
        STORE(ends->most_below + g, LOAD(ends->most_below + g) + pad);
        STORE(ends->least_above + g, LOAD(ends->least_above + g) - pad);
        STORE(ends->most_above + g, greatest);
        STORE(low + g, least - off - (MAGNITUDE(least) + off) * 0x1p-52);
        STORE(high + g, greatest + off + (MAGNITUDE(greatest) + off) * 0x1p-52);
    }
}

LEVEL static void NAMED(bend)(const tct_form_ends *ends, size_t width, double gamma, const double *size,
                              const double *error, const tct_form_bends *bends)
{
    const lanes zero = {0}, one = zero + 1;

    for (size_t g = 0; g < width; g += LANES) {
        lanes least_below = LOAD(ends->least_below + g), most_below = LOAD(ends->most_below + g);
        lanes least_above = LOAD(ends->least_above + g), most_above = LOAD(ends->most_above + g);
        lanes off = LOAD(error + g), terms = LOAD(size + g) * MORE + TINY, above, lift, most;
        masks dead = most_above + off * MORE <= zero, crosses = least_above < zero;
        masks cleared = dead | ((least_below < zero) & ~(most_below + least_below > zero));

        above = SELECT(most_above > zero, most_above / (most_above - least_above), zero);
        lift = NAMED(larger)(NAMED(larger)((one - above) * most_above, -above * least_above), zero);
        lift = lift * (1 + 0x1p-50) + TINY;
        above = SELECT(crosses, above, one);
        lift = SELECT(crosses, lift, zero);
        most = (NAMED(larger)(most_above, zero) + off) * MORE;
        off = SELECT(crosses, (off + (terms + lift) * 0x1p-51) * MORE + TINY, off);
        terms = SELECT(crosses, (terms + lift) * MORE, terms);
        terms += (most_above + least_above + most_below + least_below) * 0; /* no number stays none */
        STORE(bends->below + g, SELECT(cleared, zero, one));
        STORE(bends->above + g, SELECT(dead, zero, above));
        STORE(bends->lift + g, SELECT(dead, zero, lift));
        STORE(bends->cost + g, SELECT(dead, zero, (off + (terms * 2 + most) * gamma) * MORE));
    }
}

LEVEL static void NAMED(halve)(const double *below, const double *above, size_t width, const tct_form_bends *bends,
                               const double *lift, double *middle, double *half)
{
    for (size_t g = 0; g < width; g += LANES) {
        lanes low = LOAD(below + g) * LOAD(bends->below + g), high = LOAD(above + g) * LOAD(bends->above + g);

        if (lift)
            high += LOAD(lift + g);
        STORE(middle + g, (low + high) / 2);
        STORE(half + g, (high - low) / 2);
    }
}

/* ---- rows pulled back ---- */

LEVEL static void NAMED(lines)(const tct_form_lines *lines_of, size_t width, double times, double *row, double sums[4])
{
    const lanes zero = {0}, one = zero + 1;
    lanes constant[NAMED(parts)] = {{0}}, size[NAMED(parts)] = {{0}}, error[NAMED(parts)] = {{0}};
    lanes gaps[NAMED(parts)] = {{0}};

    for (size_t j = 0; j < width; j += TCT_FORM_LANES)
        for (size_t q = 0, g = j; q < NAMED(parts); q++, g += LANES) {
            lanes v = LOAD(row + g), low = LOAD(lines_of->low + g), high = LOAD(lines_of->high + g);
            lanes under = LOAD(lines_of->under + g), s, t, m, more, gap, add = zero;
            masks dead = high <= zero, open = ~dead & ~(low >= zero), up = open & (v >= zero), down = open & ~up;

            s = high / (high - low);
            t = NAMED(larger)((one - s) * high, -s * low) * (1 + 0x1p-50) + TINY;
            more = SELECT(down, v * t, zero);
            gap = v * NAMED(larger)(-under * low, (one - under) * high);
            gap = SELECT(up, gap, -more);
            gaps[q] += gap;
            STORE(lines_of->gap + g, gap);
            STORE(lines_of->coefficient + g, v);
            m = SELECT(dead, zero, SELECT(up, v * under, SELECT(down, v * s, v)));
            if (lines_of->bias)
                add = m * LOAD(lines_of->bias + g);
            STORE(row + g, m);
            constant[q] += add + more + (low + high) * 0; /* no number stays none */
            size[q] += MAGNITUDE(add) + MAGNITUDE(more);
            error[q] +=
                MAGNITUDE(m) * LOAD(lines_of->error + g) * times + (MAGNITUDE(low) + MAGNITUDE(high)) * (2 * TINY);
        }
    sums[0] = NAMED(joined)(constant);
    sums[1] = NAMED(joined)(size);
    sums[2] = NAMED(joined)(error);
    sums[3] = NAMED(joined)(gaps);
}

LEVEL static void NAMED(move)(const tct_form_lines *lines_of, size_t width, double step, double *z)
{
    const lanes zero = {0}, one = zero + 1;

    for (size_t g = 0; g < width; g += LANES) {
        lanes low = LOAD(lines_of->low + g), high = LOAD(lines_of->high + g), at = LOAD(z + g), reach = high - low;
        lanes under = LOAD(lines_of->under + g), moved = under + at * step / reach;
        masks dead = high <= zero, active = ~dead & (low >= zero), open = ~dead & ~active;
        masks down = open & (LOAD(lines_of->coefficient + g) < zero);

        moved = SELECT(moved > zero, NAMED(smaller)(moved, one), zero); /* 0 should it be no number */
        STORE(lines_of->under + g, SELECT(open & ~down, moved, under));
        at = SELECT(active, at, SELECT(down, high * (at - low) / reach, under * at));
        STORE(z + g, SELECT(dead, zero, at));
    }
}

/* Sums over the rows in their order, wherever a vector ends. */
LEVEL static void NAMED(sum_rows)(const double *row, const uint32_t *list, size_t n, const double *w, size_t length,
                                  double *out)
{
    size_t i = 0;

    for (; i + 4 * LANES <= length; i += 4 * LANES) {
        lanes sum[4] = {{0}};

        for (size_t m = 0; m < n; m++)
            for (size_t q = 0; q < 4; q++)
                sum[q] += LOAD(w + list[m] * length + i + q * LANES) * row[list[m]];
        for (size_t q = 0; q < 4; q++)
            STORE(out + i + q * LANES, sum[q]);
    }
    for (; i + LANES <= length; i += LANES) {
        lanes sum = {0};

        for (size_t m = 0; m < n; m++)
            sum += LOAD(w + list[m] * length + i) * row[list[m]];
        STORE(out + i, sum);
    }
    for (; i < length; i++) {
        double sum = 0;

        for (size_t m = 0; m < n; m++)
            sum += w[list[m] * length + i] * row[list[m]];
        out[i] = sum;
    }
}

LEVEL static void NAMED(dots)(const double *row, const double *forms, size_t width, size_t n_columns, double *out)
{
    for (size_t k = 0; k < n_columns; k++, forms += width) {
        lanes sum[NAMED(parts)] = {{0}};

        for (size_t j = 0; j < width; j += TCT_FORM_LANES)
            for (size_t q = 0; q < NAMED(parts); q++)
                sum[q] += LOAD(row + j + q * LANES) * LOAD(forms + j + q * LANES);
        out[k] = NAMED(joined)(sum);
    }
}

LEVEL static double NAMED(reach)(const double *w, const double *most, size_t n)
{
    const lanes zero = {0};
    lanes sum[NAMED(parts)] = {{0}};
    size_t i = 0;
    double rest = 0;

    for (; i + TCT_FORM_LANES <= n; i += TCT_FORM_LANES)
        for (size_t q = 0; q < NAMED(parts); q++) {
            lanes m = LOAD(most + i + q * LANES);

            sum[q] += MAGNITUDE(LOAD(w + i + q * LANES)) * SELECT(m <= zero, zero, m);
        }
    for (; i < n; i++)
        rest += fabs(w[i]) * (most[i] <= 0 ? 0 : most[i]);
    return NAMED(joined)(sum) + rest;
}

/* ---- what a cut is worth ---- */

LEVEL static void NAMED(spread)(const tct_form_ends *ends, size_t width, double *spread)
{
    for (size_t g = 0; g < width; g += LANES)
        STORE(spread + g, (LOAD(ends->most_below + g) - LOAD(ends->least_below + g)) +
                              (LOAD(ends->most_above + g) - LOAD(ends->least_above + g)));
}

LEVEL static bool NAMED(rates)(double *gap, const double *spread, size_t width)
{
    const lanes zero = {0};
    bool any = false;

    for (size_t g = 0; g < width; g += LANES) {
        lanes of = LOAD(gap + g), by = LOAD(spread + g);

        STORE(gap + g, SELECT((of > zero) & (by > zero), of / by, zero));
    }
    for (size_t j = 0; j < width; j++)
        any = any || gap[j] > 0;
    return any;
}

LEVEL static void NAMED(shares)(const double *rate, const double *below, const double *above, size_t width,
                                size_t n_columns, double *out)
{
    for (size_t k = 0; k < n_columns; k++, below += width, above += width) {
        lanes sum[NAMED(parts)] = {{0}};

        for (size_t j = 0; j < width; j += TCT_FORM_LANES)
            for (size_t q = 0, g = j; q < NAMED(parts); q++, g += LANES)
                sum[q] += LOAD(rate + g) * (MAGNITUDE(LOAD(below + g)) + MAGNITUDE(LOAD(above + g)));
        out[k] += NAMED(joined)(sum);
    }
}

/* The ranges of eight neurons' coefficients over some columns. */
INLINED lanes NAMED(range)(const double *forms, size_t width, const uint32_t *picks, size_t n)
{
    lanes less = LOAD(forms + picks[0] * width), more = less;

    for (size_t p = 1; p < n; p++) {
        lanes c = LOAD(forms + picks[p] * width);

        less = NAMED(smaller)(c, less);
        more = NAMED(larger)(c, more);
    }
    return more - less;
}

LEVEL static double NAMED(level_share)(const double *rate, const double *below, const double *above, size_t width,
                                       const uint32_t *picks, size_t n)
{
    lanes sum[NAMED(parts)] = {{0}};

    for (size_t j = 0; j < width; j += TCT_FORM_LANES)
        for (size_t q = 0, g = j; q < NAMED(parts); q++, g += LANES)
            sum[q] +=
                LOAD(rate + g) * (NAMED(range)(below + g, width, picks, n) + NAMED(range)(above + g, width, picks, n));
    return NAMED(joined)(sum);
}

static const tct_form_loops NAMED(loops) = {NAMED(combine), NAMED(weigh),    NAMED(apart),  NAMED(extremes),
                                            NAMED(place),   NAMED(bend),     NAMED(halve),  NAMED(lines),
                                            NAMED(move),    NAMED(sum_rows), NAMED(dots),   NAMED(reach),
                                            NAMED(spread),  NAMED(rates),    NAMED(shares), NAMED(level_share)};
