/*
 * onnx_layers.c -- operators of networks that are layers of ReLUs in other words.
 *
 *   LeakyRelu(x)       relu(x) - a relu(-x)
 *   Clip(x, low, high) low + relu(x - low) - relu(x - high)
 *   BatchNormalization at inference is affine
 *
 * The first is exact, for one of the two ReLUs is 0.  The second rounds where the file's runtime does not: by the last
 * bits of double precision, like everything that is folded here.
 */
#include "onnx_inside.h"

#include <math.h>

tacit_status tct_onnx_leaky_relu(tct_onnx *o, const TctOnnx__NodeProto *node)
{
    const tct_value *a = NULL;
    const tct_affine *pair[2], *layer, *left, *right;
    double alpha = (double)0.01f, *minus;
    tacit_status st;

    if ((st = tct_onnx_wire(o, node, 0, &a)) || (st = tct_onnx_float(o, node, "alpha", &alpha)))
        return st;
    minus = tct_onnx_alloc(o, a->columns, sizeof *minus);
    for (size_t i = 0; minus && i < a->columns; i++)
        minus[i] = -1;
    pair[0] = a->scores;
    pair[1] = minus ? tct_affine_scaled(o, a->scores, minus, NULL) : NULL;
    layer = pair[1] ? tct_affine_joined(o, pair, 2) : NULL;
    layer = layer ? tct_affine_relu(o, layer) : NULL;
    if (!layer)
        return o->error.status;
    left = tct_affine_of_base(o, layer->base, 0, a->columns);
    right = tct_affine_of_base(o, layer->base, a->columns, a->columns);
    return left && right ? tct_onnx_put_wire(o, node, a, tct_affine_sum(o, left, right, -alpha)) : o->error.status;
}

/* A bound of Clip: an attribute, or from operator set 11 on an input. */
static tacit_status get_bound(tct_onnx *o, const TctOnnx__NodeProto *node, const char *name, size_t index, double *out)
{
    const tct_tensor *tensor = NULL;
    tacit_status st = tct_onnx_float(o, node, name, out);

    if (st || !tct_onnx_input(o, node, index))
        return st;
    st = tct_onnx_numbers(o, node, index, &tensor);
    if (!st && tensor->count != 1)
        st = tct_onnx_fail(o, "%s must be one number", name);
    if (!st)
        *out = tensor->numbers[0];
    return st;
}

/* sign * a + shift, the same for all columns. */
static const tct_affine *moved(tct_onnx *o, const tct_affine *a, double sign, double shift)
{
    double *factor = tct_onnx_alloc(o, a->width, sizeof *factor), *by = tct_onnx_alloc(o, a->width, sizeof *by);

    if (!factor || !by)
        return NULL;
    for (size_t i = 0; i < a->width; i++) {
        factor[i] = sign;
        by[i] = shift;
    }
    return tct_affine_scaled(o, a, factor, by);
}

/* low + relu(a - low) - relu(a - high) */
static const tct_affine *clip_both(tct_onnx *o, const tct_affine *a, double low, double high)
{
    const tct_affine *pair[2] = {moved(o, a, 1, -low), moved(o, a, 1, -high)}, *layer, *left, *right;

    layer = pair[0] && pair[1] ? tct_affine_joined(o, pair, 2) : NULL;
    layer = layer ? tct_affine_relu(o, layer) : NULL;
    if (!layer)
        return NULL;
    left = tct_affine_of_base(o, layer->base, 0, a->width);
    right = tct_affine_of_base(o, layer->base, a->width, a->width);
    left = left && right ? tct_affine_sum(o, left, right, -1) : NULL;
    return left ? moved(o, left, 1, low) : NULL;
}

tacit_status tct_onnx_clip(tct_onnx *o, const TctOnnx__NodeProto *node)
{
    const tct_value *a = NULL;
    const tct_affine *made;
    double low = -INFINITY, high = INFINITY;
    tacit_status st;

    if ((st = tct_onnx_wire(o, node, 0, &a)) || (st = get_bound(o, node, "min", 1, &low)) ||
        (st = get_bound(o, node, "max", 2, &high)))
        return st;
    if (low > high)
        return tct_onnx_fail(o, "min is above max");
    if (isinf(low) && isinf(high))
        return tct_onnx_output(o, node, 0, a);
    if (isfinite(low) && isfinite(high)) {
        made = clip_both(o, a->scores, low, high);
    } else { /* low + relu(a - low), or high - relu(high - a) */
        double sign = isfinite(low) ? 1 : -1, bound = isfinite(low) ? low : high;

        made = moved(o, a->scores, sign, -sign * bound);
        made = made ? tct_affine_relu(o, made) : NULL;
        made = made ? moved(o, made, sign, bound) : NULL;
    }
    return tct_onnx_put_wire(o, node, a, made);
}

tacit_status tct_onnx_batch_normalization(tct_onnx *o, const TctOnnx__NodeProto *node)
{
    static const char *const names[4] = {"scale", "B", "mean", "var"};
    const tct_value *a = NULL;
    const tct_tensor *numbers[4];
    double epsilon = (double)1e-5f, *factor, *shift;
    int64_t training = 0;
    tacit_status st;

    if ((st = tct_onnx_wire(o, node, 0, &a)) || (st = tct_onnx_float(o, node, "epsilon", &epsilon)) ||
        (st = tct_onnx_int(o, node, "training_mode", &training)))
        return st;
    if (training || a->flat)
        return tct_onnx_fail(o, training ? "training_mode mixes people; export for inference"
                                         : "its first input must have one row per person");
    for (size_t k = 0; k < 4; k++) {
        if ((st = tct_onnx_numbers(o, node, k + 1, &numbers[k])))
            return st;
        if (numbers[k]->count != a->columns)
            return tct_onnx_fail(o, "%s has %zu numbers, but rows have %zu", names[k], numbers[k]->count, a->columns);
    }
    factor = tct_onnx_alloc(o, a->columns, sizeof *factor);
    shift = tct_onnx_alloc(o, a->columns, sizeof *shift);
    if (!factor || !shift)
        return o->error.status;
    for (size_t i = 0; i < a->columns; i++) {
        double spread = numbers[3]->numbers[i] + epsilon;

        if (!(spread > 0))
            return tct_onnx_fail(o, "var and epsilon of column %zu do not add up to more than 0", i + 1);
        factor[i] = numbers[0]->numbers[i] / sqrt(spread);
        shift[i] = numbers[1]->numbers[i] - factor[i] * numbers[2]->numbers[i];
    }
    return tct_onnx_put_wire(o, node, a, tct_affine_scaled(o, a->scores, factor, shift));
}
