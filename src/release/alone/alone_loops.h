/*
 * alone_loops.h -- the loops of alone_tiles.c over the slots of a tile, for one level; see simd_levels.h.
 */
#define FEW (SLOTS / LANES < 4 ? SLOTS / LANES : 4) /* vectors at a time: registers hold them all */

/* Rows `i` and, if there are two, the next one lose what the rows before them account for. */
INLINED void NAMED(lose_rows)(double *rows, size_t i, size_t count, const double *first, const double *second)
{
    for (size_t v = 0; v < SLOTS; v += FEW * LANES) {
        lanes one[FEW], two[FEW];

        for (size_t r = 0; r < FEW; r++) {
            one[r] = LOAD(rows + i * SLOTS + v + r * LANES);
            two[r] = LOAD(rows + (i + count - 1) * SLOTS + v + r * LANES);
        }
        for (size_t j = 0; j < i; j++) {
            const double *row = rows + j * SLOTS + v;
            lanes a = ALL(first[j]), b = count > 1 ? ALL(second[j]) : ALL(0.0);

            for (size_t r = 0; r < FEW; r++) {
                lanes h = LOAD(row + r * LANES);

                one[r] -= a * h;
                if (count > 1)
                    two[r] -= b * h;
            }
        }
        for (size_t r = 0; r < FEW; r++) {
            STORE(rows + i * SLOTS + v + r * LANES, one[r]);
            if (count > 1)
                STORE(rows + (i + 1) * SLOTS + v + r * LANES, two[r] - ALL(second[i]) * one[r]);
        }
    }
}

/* Four rows from `i` on; f: where the factors of each begin.  Every row before them is read once for all four. */
INLINED void NAMED(lose_four)(double *rows, size_t i, const double *const *f)
{
    for (size_t v = 0; v < SLOTS; v += 2 * LANES) {
        double *at = rows + i * SLOTS + v;
        lanes now[4][2];

        for (size_t r = 0; r < 4; r++) {
            now[r][0] = LOAD(at + r * SLOTS);
            now[r][1] = LOAD(at + r * SLOTS + LANES);
        }
        for (size_t j = 0; j < i; j++) {
            lanes left = LOAD(rows + j * SLOTS + v), right = LOAD(rows + j * SLOTS + v + LANES);

            for (size_t r = 0; r < 4; r++) {
                lanes factor = ALL(f[r][j]);

                now[r][0] -= factor * left;
                now[r][1] -= factor * right;
            }
        }
        for (size_t r = 0; r < 4; r++) {
            for (size_t j = 0; j < r; j++) {
                lanes factor = ALL(f[r][i + j]);

                now[r][0] -= factor * now[j][0];
                now[r][1] -= factor * now[j][1];
            }
            STORE(at + r * SLOTS, now[r][0]);
            STORE(at + r * SLOTS + LANES, now[r][1]);
        }
    }
}

/* A tile's rows from ... to - 1, which hold covariances at the start, become those given the answers before each. */
LEVEL static void NAMED(bring_rows)(double *rows, const double *factors, size_t from, size_t to)
{
    size_t i = from;

    for (; i + 4 <= to; i += 4) {
        const double *const four[4] = {factors + triangle(i), factors + triangle(i + 1), factors + triangle(i + 2),
                                       factors + triangle(i + 3)};

        NAMED(lose_four)(rows, i, four);
    }
    if (i + 2 <= to) {
        NAMED(lose_rows)(rows, i, 2, factors + triangle(i), factors + triangle(i + 1));
        i += 2;
    }
    if (i < to)
        NAMED(lose_rows)(rows, i, 1, factors + triangle(i), NULL);
}

/* An answer with this row and variance, off by `off` from what was expected, moves means and variances. */
LEVEL static void NAMED(move_tile)(const double *row, double variance, double off, double *means, double *variances)
{
    for (size_t v = 0; v < SLOTS; v += LANES) {
        lanes column = LOAD(row + v), gain = column / ALL(variance), less = LOAD(variances + v) - gain * column;

        STORE(means + v, LOAD(means + v) + gain * ALL(off));
        STORE(variances + v, SELECT(less > ALL(0.0), less, ALL(0.0)));
    }
}

/* By slot: the gain in margin per cost that is expected; the largest of them, and of the squares of how fast they may
 * change, by lane. */
INLINED void NAMED(score_slots)(const tile_facts *f, const double *means, const double *variances, double *scores,
                                lanes *best, lanes *fastest)
{
    for (size_t v = 0; v < SLOTS; v += LANES) {
        lanes x = LOAD(means + v), low = LOAD(f->low + v), high = LOAD(f->high + v), score, speed;

        x = SELECT(x < low, low, x);
        x = SELECT(x > high, high, x);
        score = (LOAD(f->weight + v) * x - LOAD(f->worst + v)) / LOAD(f->cost + v);
        speed = LOAD(f->speed + v) * (LOAD(variances + v) + LOAD(f->doubt + v));
        STORE(scores + v, score);
        *best = SELECT(score > *best, score, *best);
        *fastest = SELECT(speed > *fastest, speed, *fastest);
    }
}

/* The largest of both. */
LEVEL static void NAMED(score_tile)(const tile_facts *f, const double *means, const double *variances, double *scores,
                                    double *best, double *fastest)
{
    lanes most = ALL(-INFINITY), fast = ALL(0.0);

    NAMED(score_slots)(f, means, variances, scores, &most, &fast);
    *best = most[0];
    *fastest = fast[0];
    for (size_t k = 1; k < LANES; k++) {
        *best = most[k] > *best ? most[k] : *best;
        *fastest = fast[k] > *fastest ? fast[k] : *fastest;
    }
}

LEVEL static void NAMED(divide)(double *numbers, const double *by, size_t n)
{
    size_t i = 0;

    for (; i + LANES <= n; i += LANES)
        STORE(numbers + i, LOAD(numbers + i) / LOAD(by + i));
    for (; i < n; i++)
        numbers[i] /= by[i];
}

#undef FEW
