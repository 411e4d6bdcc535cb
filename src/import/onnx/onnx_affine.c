/*
 * onnx_affine.c -- affine functions of the outputs of one layer, and what affine operators make of them.
 *
 * Functions are never changed once made, so that names in a graph may share them.  Those that look at one number each
 * (the inputs, scalings of them, the outputs of a ReLU layer) are kept as a diagonal: a network that reads thousands of
 * one-hot inputs is folded without ever making a square matrix of them.
 */
#include "onnx_inside.h"

#include "mlp.h"

/* Room for `width` functions of a base: a diagonal or a matrix, and a bias. */
static tct_affine *new_affine(tct_onnx *o, const tct_base *base, size_t width, bool diagonal)
{
    tct_affine *a = tct_onnx_alloc(o, 1, sizeof(*a));
    double *numbers;
    size_t entries;

    if (!a)
        return NULL;
    if (__builtin_mul_overflow(width, diagonal ? 1 : base->width, &entries))
        entries = SIZE_MAX; /* which cannot be had */
    numbers = tct_onnx_alloc(o, entries, sizeof(double));
    a->bias = tct_onnx_alloc(o, width, sizeof(double));
    if (!numbers || !a->bias)
        return NULL;
    a->base = base;
    a->width = width;
    *(diagonal ? &a->scale : &a->weights) = numbers;
    return a;
}

/* Count multiplications; false when there have been too many. */
static bool may_work(tct_onnx *o, size_t a, size_t b, size_t c)
{
    uint64_t ab, abc;

    if (__builtin_mul_overflow((uint64_t)a, (uint64_t)b, &ab) || __builtin_mul_overflow(ab, (uint64_t)c, &abc) ||
        abc > TCT_ONNX_WORK - o->work) {
        tct_onnx_fail(o, "the layers without ReLU between them are too large to be folded into one");
        return false;
    }
    o->work += abc;
    return true;
}

tct_affine *tct_affine_of_base(tct_onnx *o, const tct_base *base, size_t from, size_t width)
{
    tct_affine *a = new_affine(o, base, width, true);

    for (size_t i = 0; a && i < width; i++)
        a->scale[i] = 1;
    if (a)
        a->from = from;
    return a;
}

tct_affine *tct_affine_zero(tct_onnx *o, const tct_base *base, size_t width)
{
    return new_affine(o, base, width, false);
}

const tct_affine *tct_affine_scaled(tct_onnx *o, const tct_affine *a, const double *factor, const double *shift)
{
    size_t each = a->scale ? 1 : a->base->width;
    const double *from = a->scale ? a->scale : a->weights;
    tct_affine *b = new_affine(o, a->base, a->width, a->scale != NULL);
    double *to;

    if (!b || !may_work(o, a->width, each, 1))
        return NULL;
    b->from = a->from;
    to = b->scale ? b->scale : b->weights;
    for (size_t i = 0; i < a->width; i++) {
        double f = factor ? factor[i] : 1;

        for (size_t k = 0; k < each; k++)
            to[i * each + k] = f * from[i * each + k];
        b->bias[i] = f * a->bias[i] + (shift ? shift[i] : 0);
    }
    return b;
}

const tct_affine *tct_affine_product(tct_onnx *o, const tct_affine *a, const double *matrix, size_t row, size_t column,
                                     size_t width, const double *bias)
{
    size_t h = a->base->width;
    tct_affine *b;

    if (!may_work(o, width, a->width, a->scale ? 1 : h))
        return NULL;
    b = new_affine(o, a->base, width, false);
    for (size_t j = 0; b && j < width; j++) {
        double *to = b->weights + j * h;

        b->bias[j] = bias ? bias[j] : 0;
        for (size_t i = 0; i < a->width; i++) {
            double m = matrix[i * row + j * column];

            b->bias[j] += m * a->bias[i];
            if (a->scale)
                to[a->from + i] = m * a->scale[i];
            for (size_t k = 0; k < h && !a->scale; k++)
                to[k] += m * a->weights[i * h + k];
        }
    }
    return b;
}

/* Add sign times `a` to rows at, at + 1, ... of a matrix of functions. */
static void add_rows(tct_affine *to, size_t at, const tct_affine *a, double sign)
{
    size_t h = a->base->width;

    for (size_t i = 0; i < a->width; i++) {
        double *row = to->weights + (at + i) * h;

        to->bias[at + i] += sign * a->bias[i];
        if (a->scale)
            row[a->from + i] += sign * a->scale[i];
        for (size_t k = 0; k < h && !a->scale; k++)
            row[k] += sign * a->weights[i * h + k];
    }
}

const tct_affine *tct_affine_sum(tct_onnx *o, const tct_affine *a, const tct_affine *b, double sign)
{
    tct_affine *sum;

    if (!may_work(o, a->width, a->base->width, 2))
        return NULL;
    sum = new_affine(o, a->base, a->width, false);
    if (!sum)
        return NULL;
    add_rows(sum, 0, a, 1);
    add_rows(sum, 0, b, sign);
    return sum;
}

const tct_affine *tct_affine_picked(tct_onnx *o, const tct_affine *a, const size_t *pick, size_t count)
{
    bool diagonal = a->scale != NULL; /* and neighbours in their order */
    size_t h = a->base->width;
    tct_affine *b;

    for (size_t i = 0; i < count; i++)
        diagonal = diagonal && pick[i] == pick[0] + i;
    if (!may_work(o, count, diagonal ? 1 : h, 1))
        return NULL;
    b = new_affine(o, a->base, count, diagonal);
    if (!b)
        return NULL;
    b->from = diagonal ? a->from + pick[0] : 0;
    for (size_t i = 0; i < count; i++) {
        b->bias[i] = a->bias[pick[i]];
        if (diagonal)
            b->scale[i] = a->scale[pick[i]];
        else if (a->scale)
            b->weights[i * h + a->from + pick[i]] = a->scale[pick[i]];
        else
            memcpy(b->weights + i * h, a->weights + pick[i] * h, h * sizeof(double));
    }
    return b;
}

const tct_affine *tct_affine_joined(tct_onnx *o, const tct_affine *const *parts, size_t count)
{
    size_t width = 0, at = 0;
    bool diagonal = true; /* neighbours of neighbours stay a diagonal */
    tct_affine *all;

    for (size_t p = 0; p < count; p++) {
        diagonal = diagonal && parts[p]->scale && parts[p]->from == parts[0]->from + width;
        width += parts[p]->width;
    }
    if (!may_work(o, width, diagonal ? 1 : parts[0]->base->width, 1))
        return NULL;
    all = new_affine(o, parts[0]->base, width, diagonal);
    if (!all)
        return NULL;
    all->from = diagonal ? parts[0]->from : 0;
    for (size_t p = 0; p < count; p++) {
        if (diagonal) {
            memcpy(all->scale + at, parts[p]->scale, parts[p]->width * sizeof(double));
            memcpy(all->bias + at, parts[p]->bias, parts[p]->width * sizeof(double));
        } else {
            add_rows(all, at, parts[p], 1);
        }
        at += parts[p]->width;
    }
    return all;
}

const tct_affine *tct_affine_relu(tct_onnx *o, const tct_affine *a)
{
    tct_base *base;

    if (a->base->depth + 2 > TCT_MAX_LAYERS) {
        tct_onnx_fail(o, "more than %d layers", TCT_MAX_LAYERS);
        return NULL;
    }
    if (a->width > TCT_MAX_WIDTH) {
        tct_onnx_fail(o, "a layer of %zu neurons; at most %d are possible", a->width, TCT_MAX_WIDTH);
        return NULL;
    }
    base = tct_onnx_alloc(o, 1, sizeof(*base));
    if (!base)
        return NULL;
    base->of = a;
    base->width = a->width;
    base->depth = a->base->depth + 1;
    return tct_affine_of_base(o, base, 0, base->width);
}

const double *tct_affine_weights(tct_onnx *o, const tct_affine *a)
{
    tct_affine *full;

    if (a->weights)
        return a->weights;
    full = new_affine(o, a->base, a->width, false);
    if (!full)
        return NULL;
    add_rows(full, 0, a, 1);
    return full->weights;
}

/* ---- functions of different layers ---- */

/* `f`, of a base whose numbers are now `units`. */
static const tct_affine *rebased(tct_onnx *o, const tct_affine *f, const tct_affine *units)
{
    const double *weights = tct_affine_weights(o, f);

    return weights ? tct_affine_product(o, units, weights, 1, f->base->width, f->width, f->bias) : NULL;
}

/* Is it a layer's ReLUs, none of them turned around?  Then a further ReLU changes nothing. */
static bool is_positive(const tct_affine *a)
{
    bool positive = a->base->depth > 0 && a->scale;

    for (size_t i = 0; i < a->width && positive; i++)
        positive = a->scale[i] >= 0 && a->bias[i] >= 0;
    return positive;
}

/* Carry `a` along to the layer `to`, which becomes wider: *a and *units, the numbers that `to` had, are then of one base.
 * `a` comes from a layer that is not deeper.  A number passes a layer as relu(x) - relu(-x), to the bit, for one of the
 * two is 0; what comes from another layer of the same depth brings that along. */
static bool carry(tct_onnx *o, const tct_affine **a, const tct_base *to, const tct_affine **units)
{
    const tct_affine *same, *part[3], *inner, *layer;
    size_t w = to->width, n = (*a)->width;

    if ((*a)->base == to) {
        *units = tct_affine_of_base(o, to, 0, w);
        return *units != NULL;
    }
    if ((*a)->base->depth == to->depth) { /* the deepest ReLUs of both side by side */
        inner = (*a)->base->of;
        if (!carry(o, &inner, to->of->base, &same) || !(part[0] = rebased(o, to->of, same)))
            return false;
        part[1] = inner;
        layer = tct_affine_joined(o, part, 2);
        layer = layer ? tct_affine_relu(o, layer) : NULL;
        same = layer ? tct_affine_of_base(o, layer->base, w, inner->width) : NULL;
        *a = same ? rebased(o, *a, same) : NULL;
    } else {
        bool positive = is_positive(*a);

        if (!carry(o, a, to->of->base, &same) || !(part[0] = rebased(o, to->of, same)))
            return false;
        part[1] = *a;
        part[2] = positive ? NULL : tct_affine_sum(o, tct_affine_zero(o, (*a)->base, n), *a, -1);
        if (!positive && !part[2])
            return false;
        layer = tct_affine_joined(o, part, positive ? 2 : 3);
        layer = layer ? tct_affine_relu(o, layer) : NULL;
        *a = layer ? tct_affine_of_base(o, layer->base, w, n) : NULL;
        if (*a && !positive) {
            same = tct_affine_of_base(o, layer->base, w + n, n);
            *a = same ? tct_affine_sum(o, *a, same, -1) : NULL;
        }
    }
    *units = *a ? tct_affine_of_base(o, layer->base, 0, w) : NULL;
    return *units != NULL;
}

bool tct_affine_meet(tct_onnx *o, const tct_affine **a, const tct_affine **b)
{
    const tct_affine *units = NULL;

    if ((*a)->base == (*b)->base)
        return true;
    if ((*a)->base->depth > (*b)->base->depth)
        return tct_affine_meet(o, b, a);
    if (!carry(o, a, (*b)->base, &units))
        return false;
    *b = rebased(o, *b, units);
    return *b != NULL;
}
