"""Golden numbers for ReLU networks: scores, gradients and training, computed with numpy.

    /usr/bin/python3 make_mlp.py

writes mlp_golden.h beside this file.  Two networks with given weights, two classes (one score) and three; a few points;
scores and the gradient of every score at them; and, from the given weights on, training by plain descent, with a
penalty, with momentum and by Adam's rule: the mean loss while going through the points, epoch by epoch, and the weights
at the end.  The points are taken in order, in batches of 8; there are 22, so that the last batch is short.  Gradients are
checked against differences of the losses before anything is written.
"""
import os

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
POINTS, BATCH, EPOCHS = 22, 8, 4
RATES = {"plain": 0.1, "penalty": 0.1, "momentum": 0.02, "adam": 0.01}
L2 = {"plain": 0.0, "penalty": 3.0, "momentum": 0.0, "adam": 0.0}


def forward(params, x):
    """Values of all layers, x first, scores last."""
    values = [x]
    for k, (w, b) in enumerate(params):
        z = values[-1] @ w.T + b
        values.append(np.maximum(z, 0) if k + 1 < len(params) else z)
    return values


def jacobian(params, x):
    """Points x scores x inputs."""
    values = forward(params, x)
    n_scores = params[-1][0].shape[0]
    out = np.empty((len(x), n_scores, x.shape[1]))
    for r in range(len(x)):
        g = params[-1][0]
        for k in range(len(params) - 2, -1, -1):
            g = (g * (values[k + 1][r] > 0)) @ params[k][0]
        out[r] = g
    return out


def losses(scores, y):
    """Loss of every point and its derivative by the scores."""
    if scores.shape[1] == 1:
        z = np.hstack([np.zeros_like(scores), scores])
    else:
        z = scores
    z = z - z.max(axis=1, keepdims=True)
    p = np.exp(z) / np.exp(z).sum(axis=1, keepdims=True)
    loss = np.log(np.exp(z).sum(axis=1)) - z[np.arange(len(y)), y]
    p[np.arange(len(y)), y] -= 1
    return loss, p[:, 1:] if scores.shape[1] == 1 else p


def gradients(params, x, y):
    """Sum of losses, and the mean gradient by every weight and bias."""
    values = forward(params, x)
    loss, delta = losses(values[-1], y)
    grads = [None] * len(params)
    for k in range(len(params) - 1, -1, -1):
        grads[k] = [delta.T @ values[k] / len(x), delta.sum(axis=0) / len(x)]
        delta = (delta @ params[k][0]) * (values[k] > 0)
    return loss.sum(), grads


def check_gradients(params, x, y):
    _, grads = gradients(params, x, y)
    for k, pair in enumerate(params):
        for which in (0, 1):
            flat, step = pair[which].reshape(-1), 1e-6
            for i in range(flat.size):
                kept = flat[i]
                flat[i] = kept + step
                up = gradients(params, x, y)[0]
                flat[i] = kept - step
                down = gradients(params, x, y)[0]
                flat[i] = kept
                slope = (up - down) / (2 * step) / len(x)
                assert abs(slope - grads[k][which].reshape(-1)[i]) < 1e-7, (k, which, i)


def train(params, x, y, how):
    params = [[w.copy(), b.copy()] for w, b in params]
    first = [[np.zeros_like(w), np.zeros_like(b)] for w, b in params]
    second = [[np.zeros_like(w), np.zeros_like(b)] for w, b in params]
    curve, steps = [], 0
    for _ in range(EPOCHS):
        total = 0.0
        for start in range(0, len(x), BATCH):
            part = slice(start, start + BATCH)
            loss, grads = gradients(params, x[part], y[part])
            total += loss
            steps += 1
            for k in range(len(params)):
                grads[k][0] = grads[k][0] + L2[how] / len(x) * params[k][0]
                for i in (0, 1):
                    g = grads[k][i]
                    if how == "adam":
                        first[k][i] = 0.9 * first[k][i] + 0.1 * g
                        second[k][i] = 0.999 * second[k][i] + 0.001 * g * g
                        m, v = first[k][i] / (1 - 0.9**steps), second[k][i] / (1 - 0.999**steps)
                        params[k][i] = params[k][i] - RATES[how] * m / (np.sqrt(v) + 1e-8)
                    else:
                        first[k][i] = (0.9 if how == "momentum" else 0.0) * first[k][i] + g
                        params[k][i] = params[k][i] - RATES[how] * first[k][i]
        curve.append(total / len(x))
    return curve, params


def write(out, name, numbers):
    numbers = np.asarray(numbers, dtype=float).reshape(-1)
    out.write("static const double %s[] = {\n" % name)
    lines = [numbers[k : k + 4] for k in range(0, len(numbers), 4)]
    out.write(",\n".join("    " + ", ".join(repr(float(v)) for v in line) for line in lines))
    out.write("};\n\n")


def flat(params):
    return np.concatenate([np.concatenate([w.reshape(-1), b]) for w, b in params])


def make(out, rng, name, sizes):
    params = [[rng.normal(0, np.sqrt(2 / a), (b, a)), rng.normal(0, 0.2, b)] for a, b in zip(sizes, sizes[1:])]
    x = rng.uniform(-1, 1, (POINTS, sizes[0]))
    y = rng.integers(0, max(2, sizes[-1]), POINTS)
    check_gradients(params, x, y)
    out.write("enum { %s_layers = %d, %s_points = %d };\n" % (name, len(sizes) - 1, name, POINTS))
    out.write("static const size_t %s_sizes[] = {%s};\n" % (name, ", ".join(map(str, sizes))))
    out.write("static const int32_t %s_labels[] = {%s};\n\n" % (name, ", ".join(map(str, y))))
    write(out, name + "_start", flat(params))
    write(out, name + "_x", x)
    write(out, name + "_scores", forward(params, x)[-1])
    write(out, name + "_jacobian", jacobian(params, x))
    for how in RATES:
        curve, end = train(params, x, y, how)
        write(out, "%s_%s_losses" % (name, how), curve)
        write(out, "%s_%s_end" % (name, how), flat(end))


def main():
    rng = np.random.default_rng(20260301)
    with open(os.path.join(HERE, "mlp_golden.h"), "w") as out:
        out.write("/* Written by make_mlp.py (numpy).  Networks: layer by layer, rows of weights, then biases. */\n\n")
        make(out, rng, "two", [5, 7, 4, 1])
        make(out, rng, "three", [4, 6, 3])


main()
