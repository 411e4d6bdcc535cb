#!/usr/bin/env python3
"""Oracle of the whole protocol for linear classifiers.  Writes protocol_golden.json; test_protocol_golden.c replays it.

Everything is computed from the definitions, in other ways than the library does it:
  posterior           one pseudo-inverse of Sigma_KK, not one reveal after the other
  expected entropy    two classes: trapezoid rule over the revealed value and, beside it, tau^2 of the order theorem,
                      which must agree; three classes: trapezoid rule, label probabilities by Owen's T function
  proof at delta = 0  checked by enumeration of all corners and levels of what is unknown, where these are few
  Opt                 all subsets

People whose path comes close to a tie (two candidates, a stopping threshold, a label) are left out: what they do is a
matter of rounding, not of the protocol.  Run it with numpy and scipy; nothing else needs Python.
"""
import itertools
import json
import os

import numpy as np
from scipy.special import ndtr, owens_t

SAFE_TAU, SAFE_ENTROPY, SAFE_GAIN, SAFE_P, SAFE_SCORE = 1e-5, 2e-3, 1e-6, 1e-5, 1e-7
DELTAS = (0.0, 0.02, 0.1, 0.25)


class Tie(Exception):
    """The path of this person depends on rounding."""


# ------------------------------------------------------------------ attributes and encoding

class Attribute:
    def __init__(self, name, kind, role, cost=1.0, low=None, high=None, levels=None, encoding=None):
        self.name, self.kind, self.role, self.cost = name, kind, role, cost
        self.low, self.high, self.levels, self.encoding = low, high, levels, encoding
        self.onehot = kind == "category" and encoding == "onehot"
        self.width = len(levels) if self.onehot else 1

    def encode(self, text):
        if self.onehot:
            return [1.0 if text == level else 0.0 for level in self.levels]
        if self.kind == "category":
            return [2 * self.levels.index(text) / (len(self.levels) - 1) - 1 if len(self.levels) > 1 else 0.0]
        return [min(1.0, max(-1.0, 2 * (float(text) - self.low) / (self.high - self.low) - 1))]

    def extremes(self):
        """Encoded values that a linear function can be extreme at."""
        if self.onehot:
            return list(np.eye(self.width))
        return [np.array([-1.0]), np.array([1.0])]

    def expected(self, mean):
        """The posterior mean, moved into the domain."""
        if not self.onehot:
            return np.clip(mean, -1, 1)
        weights = np.maximum(mean, 0)
        return weights / weights.sum() if weights.sum() > 0 else np.full(self.width, 1 / self.width)

    def as_json(self):
        out = {"name": self.name, "type": self.kind, "role": self.role, "cost": self.cost}
        if self.kind == "category":
            out.update(levels=self.levels, encoding=self.encoding)
        else:
            out.update(min=self.low, max=self.high, fill=0)
        return out


class Model:
    def __init__(self, name, attributes, weights, bias, mean, covariance):
        self.name, self.attributes = name, attributes
        self.weights, self.bias = np.atleast_2d(weights), np.atleast_1d(bias)
        self.mean, self.covariance = mean, covariance
        self.n_classes = 2 if len(self.bias) == 1 else len(self.bias)
        first = np.cumsum([0] + [a.width for a in attributes])
        self.inputs = [list(range(first[i], first[i + 1])) for i in range(len(attributes))]
        self.sensitive = [i for i, a in enumerate(attributes) if a.role == "sensitive"]

    def encode(self, values):
        return np.concatenate([a.encode(v) for a, v in zip(self.attributes, values)])

    def scores(self, x):
        return self.bias + self.weights @ x

    def label(self, scores, safe=True):
        if self.n_classes == 2:
            if safe and abs(scores[0]) < SAFE_SCORE:
                raise Tie
            return int(scores[0] >= 0)
        top = np.sort(scores)
        if safe and top[-1] - top[-2] < SAFE_SCORE:
            raise Tie
        return int(np.argmax(scores))

    def inputs_of(self, attributes):
        return [i for a in sorted(attributes) for i in self.inputs[a]]


# ------------------------------------------------------------------ Gaussian posterior and label probabilities

def posterior(model, x, known):
    """Mean and covariance of all inputs given those of the known attributes; known inputs have variance 0."""
    d = len(model.mean)
    k = model.inputs_of(known)
    u = [i for i in range(d) if i not in k]
    mean, cov = np.array(x, float), np.zeros((d, d))
    s = model.covariance
    gain = np.zeros((len(u), 0))
    if k:
        gain = s[np.ix_(u, k)] @ np.linalg.pinv(s[np.ix_(k, k)], rcond=1e-11, hermitian=True)
    mean[u] = model.mean[u] + gain @ (x[k] - model.mean[k])
    cov[np.ix_(u, u)] = s[np.ix_(u, u)] - gain @ s[np.ix_(k, u)]
    return mean, cov


def both_positive(m1, m2, v11, v12, v22):
    """Pr(D1 > 0, D2 > 0), D Gaussian; arrays m1, m2.  A margin without variance is decided by its mean."""
    m1, m2 = np.broadcast_arrays(np.asarray(m1, float), np.asarray(m2, float))
    if v11 < 1e-14 or v22 < 1e-14:
        p1 = ndtr(m1 / np.sqrt(v11)) if v11 >= 1e-14 else (m1 > 0).astype(float)
        p2 = ndtr(m2 / np.sqrt(v22)) if v22 >= 1e-14 else (m2 > 0).astype(float)
        return p1 * p2
    h, k, r = m1 / np.sqrt(v11), m2 / np.sqrt(v22), v12 / np.sqrt(v11 * v22)
    if 1 - r * r < 1e-10:
        return ndtr(np.minimum(h, k)) if r > 0 else np.maximum(0, ndtr(h) + ndtr(k) - 1)
    h, k = np.where(h == 0, 1e-30, h), np.where(k == 0, 1e-30, k)
    root = np.sqrt(1 - r * r)
    with np.errstate(over="ignore"):
        p = 0.5 * (ndtr(h) + ndtr(k)) - owens_t(h, (k / h - r) / root) - owens_t(k, (h / k - r) / root)
    return np.clip(p - np.where(h * k > 0, 0, 0.5), 0, 1)


def probabilities(model, means, cov):
    """Of the labels; means: n x scores.  Two or three classes."""
    means = np.atleast_2d(means)
    if model.n_classes == 2:
        sd = np.sqrt(max(cov[0, 0], 0))
        p = ndtr(means[:, 0] / sd) if sd > 1e-9 else (means[:, 0] >= 0).astype(float)
        return np.column_stack([1 - p, p])
    out = []
    for i in range(3):
        j, k = [c for c in range(3) if c != i]
        v = lambda a, b: cov[i, i] - cov[i, a] - cov[i, b] + cov[a, b]
        out.append(both_positive(means[:, i] - means[:, j], means[:, i] - means[:, k], v(j, j), v(j, k), v(k, k)))
    p = np.column_stack(out)
    assert np.all(np.abs(p.sum(axis=1) - 1) < 1e-6), p.sum(axis=1)
    return p


def entropy(p):
    return -np.where(p > 0, p * np.log(np.where(p > 0, p, 1)), 0).sum(axis=-1)


def score_law(model, mean, cov):
    return model.scores(mean), model.weights @ cov @ model.weights.T


# ------------------------------------------------------------------ rules

GRID = np.linspace(-9, 9, 1201)
GRID_WEIGHTS = np.exp(-GRID * GRID / 2) / np.exp(-GRID * GRID / 2).sum()


def expected_entropy(model, x, known, j):
    """E H(label) after learning attribute j, by the trapezoid rule in the revealed value, or over the levels."""
    attribute, block = model.attributes[j], model.inputs[j]
    mean, cov = posterior(model, x, known)
    _, after = score_law(model, *posterior(model, x, known | {j}))
    if attribute.onehot and model.n_classes > 2:
        total = 0.0
        for weight, level in zip(attribute.expected(mean[block]), attribute.extremes()):
            y = np.array(x)
            y[block] = level
            m, _ = score_law(model, *posterior(model, y, known | {j}))
            total += weight * entropy(probabilities(model, m, after))[0]
        return total
    if attribute.onehot:  # two classes: the score given the block is Gaussian with variance tau^2 around its mean
        m, _ = score_law(model, mean, cov)
        means = m[0] + np.sqrt(tau2(model, cov, j)) * GRID[:, None]
    else:
        sd = np.sqrt(max(cov[block[0], block[0]], 0))
        ends = []
        for value in (mean[block[0]], mean[block[0]] + 1):
            y = np.array(x)
            y[block] = value
            ends.append(score_law(model, *posterior(model, y, known | {j}))[0])
        if sd * sd < 1e-10 * model.covariance[block[0], block[0]]:
            sd = 0.0
        means = ends[0] + (sd * GRID)[:, None] * (ends[1] - ends[0])
    return float(GRID_WEIGHTS @ entropy(probabilities(model, means, after)))


def tau2(model, cov, j):
    block = model.inputs[j]
    cross = (cov @ model.weights[0])[block]
    inner = cov[np.ix_(block, block)]
    prior = np.diag(model.covariance)[block]
    if np.max(np.diag(inner) / np.where(prior > 0, prior, 1)) < 1e-10:
        return 0.0
    return max(0.0, float(cross @ np.linalg.pinv(inner, rcond=1e-9, hermitian=True) @ cross))


def pick(candidates, scores, safe):
    """The candidate with the largest score, which must be clear."""
    order = sorted(range(len(candidates)), key=lambda i: -scores[i])
    if len(order) > 1 and scores[order[0]] - scores[order[1]] <= safe:
        raise Tie
    return candidates[order[0]]


def entropy_rule(model, x, known, candidates):
    h = [expected_entropy(model, x, known, j) for j in candidates]
    if model.n_classes > 2:
        return pick(candidates, [-v for v in h], SAFE_ENTROPY)
    _, cov = posterior(model, x, known)
    tau = [tau2(model, cov, j) for j in candidates]
    chosen = pick(candidates, tau, SAFE_TAU * max(tau))
    # the order theorem, where the entropies themselves can tell the candidates apart
    assert h[candidates.index(chosen)] <= min(h) + 1e-9, (h, tau)
    return chosen


def contribution(model, j, direction, value):
    return float(direction[model.inputs[j]] @ value)


def worst(model, j, direction):
    return min(contribution(model, j, direction, v) for v in model.attributes[j].extremes())


def directions(model, label):
    """What must stay >= 0 for the label: (constant, weights) per rival."""
    if model.n_classes == 2:
        sign = 1 if label == 1 else -1
        return [(sign * model.bias[0], sign * model.weights[0])]
    return [(model.bias[label] - model.bias[c], model.weights[label] - model.weights[c])
            for c in range(model.n_classes) if c != label]


def lower_bounds(model, x, known, label, fixed=None, at=None):
    """Smallest margin of the label over each rival; attribute `fixed` contributes as if it were at `at`."""
    out = []
    for constant, direction in directions(model, label):
        total = constant
        for j in range(len(model.attributes)):
            if j in known:
                total += contribution(model, j, direction, x[model.inputs[j]])
            elif j == fixed:
                total += contribution(model, j, direction, at)
            else:
                total += worst(model, j, direction)
        out.append(total)
    return out


def margin_rule(model, x, known, candidates):
    mean, cov = posterior(model, x, known)
    label = model.label(score_law(model, mean, cov)[0])
    now = min(lower_bounds(model, x, known, label))
    gains = []
    for j in candidates:
        at = model.attributes[j].expected(mean[model.inputs[j]])
        gains.append((min(lower_bounds(model, x, known, label, j, at)) - now) / model.attributes[j].cost)
    return pick(candidates, gains, SAFE_GAIN)


# ------------------------------------------------------------------ settled?

def proven(model, x, known):
    """The label that no completion can change, or None.  Checked by enumeration when that is cheap."""
    unknown = [j for j in range(len(model.attributes)) if j not in known]
    found = None
    for label in range(model.n_classes):
        bounds = lower_bounds(model, x, known, label)
        if min(abs(b) for b in bounds) < SAFE_SCORE:
            raise Tie
        if min(bounds) > 0:
            found = label
    if np.prod([len(model.attributes[j].extremes()) for j in unknown], initial=1) <= 64:
        labels = set()
        for choice in itertools.product(*[model.attributes[j].extremes() for j in unknown]):
            y = np.array(x)
            for j, value in zip(unknown, choice):
                y[model.inputs[j]] = value
            labels.add(model.label(model.scores(y), safe=False))
        assert labels == {found} if found is not None else len(labels) > 1
    return found


def session(model, x, rule, delta):
    known = {j for j in range(len(model.attributes)) if j not in model.sensitive}
    asked = []
    while True:
        rest = [j for j in model.sensitive if j not in known]
        if not rest:
            return {"asked": asked, "label": model.label(model.scores(x)), "status": "all revealed", "probability": 1.0}
        label = proven(model, x, known)
        if label is not None:
            return {"asked": asked, "label": label, "status": "certain", "probability": 1.0}
        if delta > 0:
            p = probabilities(model, *score_law(model, *posterior(model, x, known)))[0]
            if np.sort(p)[-1] - np.sort(p)[-2] < SAFE_P or abs(p.max() - (1 - delta)) < SAFE_P:
                raise Tie
            if p.max() >= 1 - delta:
                return {"asked": asked, "label": int(p.argmax()), "status": "likely", "probability": float(p.max())}
        j = (entropy_rule if rule == "entropy" else margin_rule)(model, x, known, rest)
        asked.append(j)
        known.add(j)


def smallest_core(model, x):
    """Fewest attributes, and smallest cost, over all subsets of the sensitive ones."""
    public = {j for j in range(len(model.attributes)) if j not in model.sensitive}
    fewest, cheapest = len(model.sensitive), sum(model.attributes[j].cost for j in model.sensitive)
    for size in range(len(model.sensitive)):
        for chosen in itertools.combinations(model.sensitive, size):
            if proven(model, x, public | set(chosen)) is not None:
                fewest = min(fewest, size)
                cheapest = min(cheapest, sum(model.attributes[j].cost for j in chosen))
    return fewest, cheapest


# ------------------------------------------------------------------ the cases

def number(name, role, cost=1.0):
    return Attribute(name, "number", role, cost, low=-4.0, high=4.0)


def integer(name, role, high, cost=1.0):
    return Attribute(name, "integer", role, cost, low=0, high=high)


def category(name, role, levels, encoding, cost=1.0):
    names = [name + "-" + c for c in "abcdefgh"[:levels]]
    return Attribute(name, "category", role, cost, levels=names, encoding=encoding)


def draw_people(attributes, n, rng, total=None):
    """People with correlated attributes, as texts.  total: names (a, b, c) of numbers with a = (b + c) / 2."""
    d = len(attributes)
    mix = rng.normal(size=(d, d)) * 0.5 + np.eye(d)
    latent = rng.normal(size=(n, d)) @ mix.T
    people = []
    for row in latent:
        texts = []
        for a, v in zip(attributes, row):
            if a.kind == "number":
                texts.append("%.2f" % np.clip(2 * round(v / 2, 2), -4, 4))
            elif a.kind == "integer":
                texts.append("%d" % np.clip(round(a.high / 2 + v * a.high / 5), 0, a.high))
            else:
                k = len(a.levels)
                texts.append(a.levels[int(np.clip((v + 2) / 4 * k, 0, k - 1))])
        if total:
            at = {a.name: i for i, a in enumerate(attributes)}
            texts[at[total[0]]] = "%.2f" % ((float(texts[at[total[1]]]) + float(texts[at[total[2]]])) / 2)
        people.append(texts)
    return people


def make_model(name, attributes, n_classes, rng, scale, total=None):
    people = draw_people(attributes, 500, rng, total)
    x = np.array([np.concatenate([a.encode(v) for a, v in zip(attributes, p)]) for p in people])
    assert np.all(x.std(axis=0) > 0)
    mean, centred = x.mean(axis=0), x - x.mean(axis=0)
    n_scores = 1 if n_classes == 2 else n_classes
    weights = np.round(rng.normal(size=(n_scores, x.shape[1])) * scale, 3)
    bias = np.round(-weights @ mean + rng.normal(size=n_scores) * scale * 0.3, 3)
    return Model(name, attributes, weights, bias, mean, centred.T @ centred / len(x)), people


def cases():
    p, s = "public", "sensitive"
    costs = [1.0, 2.5, 0.5, 4.0, 1.5, 1.0]

    def case(name, n_classes, seed, attributes, scale=1.0, total=None):
        return make_model(name, attributes, n_classes, np.random.default_rng(seed), scale, total)

    yield case("numbers", 2, 1, [number("n%d" % i, p if i in (1, 4) else s) for i in range(8)])
    yield case("mixed", 2, 2, [
        category("job", s, 4, "onehot"), number("income", s), integer("children", s, 5),
        category("region", p, 3, "onehot"), category("school", s, 4, "ordinal"), number("age", p),
        category("home", s, 3, "onehot"), number("debt", s)])
    yield case("singular", 2, 3, [
        number("mean", s), number("left", s), number("right", s), number("other", s), number("open", p),
        integer("count", s, 9)], total=("mean", "left", "right"))
    yield case("no public, costs", 2, 4, [
        number("n%d" % i, s, costs[i]) if i != 3 else category("kind", s, 3, "onehot", costs[i]) for i in range(6)])
    yield case("three classes", 3, 5, [number("n%d" % i, p if i in (0, 3) else s) for i in range(7)])
    yield case("three classes, mixed", 3, 6, [
        category("job", s, 4, "onehot"), number("income", s), integer("children", s, 4), number("age", p),
        category("school", s, 3, "ordinal"), category("home", s, 3, "onehot")], scale=1.2)
    yield case("three classes, costs", 3, 7, [number("n%d" % i, s, costs[i]) for i in range(5)])
    yield case("nothing sensitive", 2, 8, [number("a", p), category("b", p, 3, "onehot")])


def golden_people(model, people, wanted):
    kept, left_out = [], 0
    for values in people:
        if len(kept) == wanted:
            break
        x = model.encode(values)
        try:
            fewest, cheapest = smallest_core(model, x)
            runs = [dict(rule=rule, delta=delta, **session(model, x, rule, delta))
                    for rule in ("entropy", "margin") for delta in DELTAS]
            label = model.label(model.scores(x))
        except Tie:
            left_out += 1
            continue
        for run in runs:
            if run["delta"] == 0:
                assert run["label"] == label and len(run["asked"]) >= fewest
        kept.append({"values": values, "label": label, "opt": fewest, "opt_cost": cheapest, "runs": runs})
    return kept, left_out


def main():
    models = []
    for model, people in cases():
        kept, left_out = golden_people(model, people, 1 if not model.sensitive else 12)
        statuses = sorted({r["status"] for person in kept for r in person["runs"]})
        print("%-22s %2d people (%d left out), statuses %s" % (model.name, len(kept), left_out, ", ".join(statuses)))
        models.append({
            "name": model.name,
            "schema": {"format": "tacit-schema", "version": 1,
                       "label": {"name": "y", "classes": ["class %d" % c for c in range(model.n_classes)]},
                       "attributes": [a.as_json() for a in model.attributes]},
            "weights": model.weights.ravel().tolist(), "bias": model.bias.tolist(),
            "mean": model.mean.tolist(), "covariance": model.covariance.ravel().tolist(), "people": kept})
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "protocol_golden.json")
    with open(path, "w") as out:
        out.write('{"models": [\n')
        for i, model in enumerate(models):
            people = model.pop("people")
            out.write(json.dumps(model)[:-1] + ', "people": [\n')
            out.write(",\n".join(json.dumps(person) for person in people))
            out.write("\n]}%s\n" % ("," if i + 1 < len(models) else ""))
        out.write("]}\n")


if __name__ == "__main__":
    main()
