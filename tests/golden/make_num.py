#!/usr/bin/env python3
"""Write num_golden.h: reference numbers for src/num, from mpmath, numpy and scipy.

Every oracle uses another formula than the code it checks: distributions are integrated over the variables, not
over the correlations.  Run it in this folder; the build itself needs no Python.
"""
import mpmath as mp
import numpy as np
from scipy import special, stats

mp.mp.dps = 40


def c(x):
    """A double as C reads it back exactly."""
    x = float(x)
    if np.isinf(x):
        return "-INFINITY" if x < 0 else "INFINITY"
    return repr(x)


def table(out, name, struct, rows):
    out.append(f"static const {struct} {name}[] = {{")
    for row in rows:
        out.append("    {" + ", ".join(c(v) for v in row) + "},")
    out.append("};\n")


# ---- one dimension

def normal_rows():
    xs = [-38.4, -37, -30.1, -20.3, -12.7, -8.2, -5.5, -4.1, -3.3, -2.00001, -1.9, -1, -0.5, -1e-3, -1e-12, 0, 1e-9, 0.3, 1,
          1.7, 2.5, 4, 6, 8, 9]
    return [(x, mp.erfc(-mp.mpf(x) / mp.sqrt(2)) / 2) for x in xs]


def quantile(p):
    p = mp.mpf(p)
    start = mp.mpf(float(special.ndtri(float(p))))
    x = start
    for _ in range(8):  # Newton, in 40 digits
        x -= (mp.erfc(-x / mp.sqrt(2)) / 2 - p) / mp.npdf(x)
    return x


def quantile_rows():
    ps = [1e-300, 3e-251, 1e-200, 7e-99, 1e-50, 1e-20, 2.5e-13, 1e-9, 1e-5, 0.001, 0.01, 0.025, 0.05, 0.0749999, 0.0750001,
          0.1, 0.25, 0.4, 0.49, 0.4999999, 0.5, 0.5000000001, 0.51, 0.7, 0.9, 0.925, 0.95, 0.975, 0.99, 0.999, 0.9999999,
          1 - 1e-12, 1 - 2.0**-53]
    return [(p, quantile(p)) for p in ps]


# ---- two dimensions: integrate the density of one variable against the conditional distribution of the other

def bvn(h, k, r):
    h, k, r = mp.mpf(h), mp.mpf(k), mp.mpf(r)
    if r == 1:
        return mp.ncdf(min(h, k))
    if r == -1:
        return max(mp.mpf(0), mp.ncdf(h) - mp.ncdf(-k))
    s = mp.sqrt(1 - r * r)
    cuts = {mp.mpf(-14), h}
    if r != 0:  # where the conditional distribution turns from 0 to 1
        centre, width = k / r, s / abs(r)
        cuts |= {centre + m * width for m in (-12, -6, -3, -1, 0, 1, 3, 6, 12) if -14 < centre + m * width < h}
    cuts |= {mp.mpf(m) for m in (-8, -4, -2, 0, 2) if m < h}
    return mp.quad(lambda x: mp.npdf(x) * mp.ncdf((k - r * x) / s), sorted(cuts))


def bvn_rows():
    mp.mp.dps = 22
    hs = [(-3, -2.5), (-1.2, -1.2), (-1.2, 0.7), (-0.3, 2), (0, 0), (0, 0.4), (0.7, 0.7), (0.7, -2.2), (1.5, 1.4999), (2, 5), (-4, 3)]
    rs = [-1, -0.9999999, -0.999, -0.95, -0.925, -0.92, -0.75, -0.5, -0.3, -0.1, 0, 0.2, 0.299, 0.6, 0.749, 0.9, 0.9249, 0.93,
          0.99, 0.99999, 1 - 1e-9, 1]
    rows = [(h, k, r, bvn(h, k, r)) for h, k in hs for r in rs]
    mp.mp.dps = 40
    return rows


# ---- three dimensions: condition on the first variable, in composite Gauss-Legendre rules

NODES, WEIGHTS = np.polynomial.legendre.leggauss(24)


def panels(edges):
    edges = np.asarray(edges, float)
    half, middle = (edges[1:] - edges[:-1]) / 2, (edges[1:] + edges[:-1]) / 2
    return (middle[:, None] + half[:, None] * NODES).ravel(), (half[:, None] * WEIGHTS).ravel()


def phi(x):
    return np.exp(-x * x / 2) / np.sqrt(2 * np.pi)


def bvn_many(h, k, r):
    """Pr(X <= h, Y <= k), arrays h and k, one r: over the second variable, cut where the integrand turns."""
    s = np.sqrt((1 - r) * (1 + r))
    total = np.empty_like(h)
    for i, (a, b) in enumerate(zip(h, k)):
        top = min(max(b, -12.0), 12.0)
        cuts = [-12.0, top] + [m for m in range(-11, 12) if -12 < m < top]
        if abs(r) > 1e-9:
            cuts += [m for m in (a + np.linspace(-8, 8, 17) * s) / r if -12 < m < top]
        y, w = panels(np.unique(cuts))
        total[i] = np.sum(w * phi(y) * special.ndtr((a - r * y) / s))
    return total


def tvn(h, r12, r13, r23):
    s2, s3 = np.sqrt((1 - r12) * (1 + r12)), np.sqrt((1 - r13) * (1 + r13))
    partial = (r23 - r12 * r13) / (s2 * s3)
    cuts = [-12.0, h[0]] + [m / 2 for m in range(-23, 24) if m / 2 < h[0]]
    for r, s, b in ((r12, s2, h[1]), (r13, s3, h[2])):
        if abs(r) > 1e-9:
            cuts += [m for m in (b + np.linspace(-8, 8, 9) * s) / r if -12 < m < h[0]]
    # Near |partial| = 1 there is a bend where the two conditional limits meet.
    sign, width = np.sign(partial), np.sqrt(1 - partial * partial)
    slope = r12 / s2 - sign * r13 / s3
    if abs(slope) > 1e-9:
        meet = (h[1] / s2 - sign * h[2] / s3) / slope
        cuts += [m for m in meet + np.linspace(-8, 8, 17) * width / abs(slope) if -12 < m < h[0]]
    x, w = panels(np.unique(cuts))
    return np.sum(w * phi(x) * bvn_many((h[1] - r12 * x) / s2, (h[2] - r13 * x) / s3, partial))


def tvn_singular(h, c1, c2):
    """Z3 = c1 Z1 + c2 Z2 with Z1, Z2 independent, c1^2 + c2^2 = 1, c2 != 0."""
    cuts = [-12.0, h[0]] + [m / 2 for m in range(-23, 24) if m / 2 < h[0]]
    if c2 > 0:  # Z2 <= (h3 - c1 x) / c2
        corner = (h[2] - c2 * h[1]) / c1
        f = lambda x: special.ndtr(np.minimum(h[1], (h[2] - c1 * x) / c2))
    else:  # Z2 >= (h3 - c1 x) / c2
        corner = (h[2] - c2 * h[1]) / c1
        f = lambda x: np.maximum(0, special.ndtr(h[1]) - special.ndtr((h[2] - c1 * x) / c2))
    if -12 < corner < h[0]:
        cuts.append(corner)
    x, w = panels(np.unique(cuts))
    return np.sum(w * phi(x) * f(x))


def tvn_rows():
    rng = np.random.default_rng(7)
    rows = []
    for i in range(40):
        a = rng.normal(size=(3, 3 if i % 2 else 4))
        if i % 4 == 3:
            a[2] = a[0] + a[1] + 0.05 * a[2]  # nearly singular
        v = a @ a.T
        d = np.sqrt(np.diag(v))
        r = v / np.outer(d, d)
        h = rng.normal(size=3) * 1.5
        rows.append((*h, r[0, 1], r[0, 2], r[1, 2], tvn(h, r[0, 1], r[0, 2], r[1, 2])))
    for h in ((0, 0, 0), (0.5, -0.3, 0.2), (-1, -1.5, -2), (2, 1, 0.5), (1, 1, 1)):
        for r in ((0, 0, 0), (0.5, 0.5, 0.5), (-0.4, -0.4, -0.4), (0, 0, 0.9), (0.97, 0.95, 0.94), (-0.9, 0.8, -0.85)):
            rows.append((*h, *r, tvn(h, *r)))
        for angle in (0.3, np.pi / 4, 1.2, -0.7, -1.3):
            c1, c2 = np.cos(angle), np.sin(angle)
            rows.append((*h, 0, c1, c2, tvn_singular(h, c1, c2)))
    return rows


# ---- four and more: one common factor, Z_i = l_i T + sqrt(1 - l_i^2) E_i, is a one-dimensional integral

def factor_rows():
    rng = np.random.default_rng(11)
    rows = []
    for n in range(4, 9):
        for _ in range(6):
            l = rng.uniform(-0.9, 0.95, size=n)
            h = rng.normal(size=n) + 0.5
            t, w = panels(np.linspace(-10, 10, 161))
            p = np.sum(w * phi(t) * np.prod(special.ndtr((h[:, None] - l[:, None] * t) / np.sqrt(1 - l * l)[:, None]), axis=0))
            pad = [0.0] * (8 - n)
            rows.append((n, "{" + ", ".join(map(c, [*h, *pad])) + "}", "{" + ", ".join(map(c, [*l, *pad])) + "}", c(p)))
    return [(str(n), h, l, p) for n, h, l, p in rows]


# ---- quadrature and intervals

def clopper_rows():
    rows = []
    for k, n in ((0, 1), (1, 1), (0, 10), (3, 10), (10, 10), (1, 2), (5, 100), (99, 100), (17, 1234), (500, 1000), (0, 100000),
                 (2, 100000), (4321, 100000), (99990, 100000), (123456, 1000000), (1, 10**9), (1000, 10**9), (3 * 10**8, 10**9),
                 (10**9 - 5, 10**9), (10**9, 10**9)):
        for level in (0.95, 0.99):
            t = (1 - level) / 2
            low = 0.0 if k == 0 else stats.beta.ppf(t, k, n - k + 1)
            high = 1.0 if k == n else stats.beta.isf(t, k + 1, n - k)
            rows.append((k, n, level, low, high))
    return rows


def main():
    out = ["/* Reference numbers for src/num, written by make_num.py.  Do not edit. */", "#ifndef NUM_GOLDEN_H", "#define NUM_GOLDEN_H", "",
           "#include <math.h>", "#include <stddef.h>", "",
           "typedef struct golden_1 {", "    double x, value;", "} golden_1;",
           "typedef struct golden_bvn {", "    double h, k, r, value;", "} golden_bvn;",
           "typedef struct golden_tvn {", "    double h[3], r12, r13, r23, value;", "} golden_tvn;",
           "/* Z_i = loading_i T + sqrt(1 - loading_i^2) E_i */",
           "typedef struct golden_factor {", "    size_t n;", "    double h[8], loading[8], value;", "} golden_factor;",
           "typedef struct golden_interval {", "    double successes, trials, level, low, high;", "} golden_interval;", ""]
    table(out, "golden_cdf", "golden_1", normal_rows())
    table(out, "golden_quantile", "golden_1", quantile_rows())
    table(out, "golden_bvn_rows", "golden_bvn", bvn_rows())
    rows = [("{" + ", ".join(map(c, r[:3])) + "}", *map(c, r[3:])) for r in tvn_rows()]
    for name, struct, strings in (("golden_tvn_rows", "golden_tvn", rows), ("golden_factor_rows", "golden_factor", factor_rows())):
        out.append(f"static const {struct} {name}[] = {{")
        out += ["    {" + ", ".join(row) + "}," for row in strings]
        out.append("};\n")
    table(out, "golden_interval_rows", "golden_interval", clopper_rows())
    out.append("#endif")
    with open("num_golden.h", "w", encoding="ascii") as f:
        f.write("\n".join(out) + "\n")


main()
