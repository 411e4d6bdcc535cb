"""Golden numbers for logistic regression: two small data sets of mixed columns, and the coefficients that scikit-learn
finds for them.

    /usr/bin/python3 make_logistic.py

writes logistic_binary.csv, logistic_three.csv and logistic_golden.h beside this file.  The columns are encoded here
the way Tacit documents it: numbers and integers to [-1, 1] by their range; categories, levels sorted, one-hot or as
equidistant codes from -1 to 1.  scikit-learn's lbfgs stops when the objective hardly moves, so it is started again
from where it stopped, and a second solver of scikit-learn finishes; Newton's method in a few lines of numpy must
agree before anything is written.
"""
import csv
import os
import warnings

import numpy as np
from sklearn.linear_model import LogisticRegression

HERE = os.path.dirname(os.path.abspath(__file__))
REGIONS = ["east", "north", "south", "west"]
GRADES = ["a", "b", "c"]


def make_rows(rng, n):
    age = rng.integers(18, 80, n)
    income = np.round(np.exp(rng.normal(7.5, 0.5, n)), 2)
    debt = np.round(income * rng.uniform(0, 0.8, n), 2)
    children = rng.integers(0, 5, n)
    region = rng.integers(0, len(REGIONS), n)
    grade = np.clip((income > 1800).astype(int) + rng.integers(0, 2, n), 0, 2)
    owner = rng.integers(0, 2, n)
    score = 0.03 * (age - 45) + 1.5 * (np.log(income) - 7.5) - 2.0 * (debt / income - 0.4) - 0.3 * (children - 2)
    score += np.array([0.5, -0.7, 0.1, 0.0])[region] + 0.6 * (grade - 1) + 0.4 * owner
    columns = {
        "age": age,
        "income": income,
        "debt": debt,
        "children": children,
        "region": [REGIONS[k] for k in region],
        "grade": [GRADES[k] for k in grade],
        "owner": [["no", "yes"][k] for k in owner],
    }
    return columns, score


def encode(columns, onehot):
    inputs = []
    for values in columns.values():
        if isinstance(values, list):
            levels = sorted(set(values))
            codes = np.array([levels.index(v) for v in values])
            if onehot:
                inputs += [(codes == k).astype(float) for k in range(len(levels))]
            else:
                inputs.append(2.0 * codes / (len(levels) - 1) - 1.0)
        else:
            v = np.asarray(values, dtype=float)
            inputs.append(2.0 * (v - v.min()) / (v.max() - v.min()) - 1.0)
    return np.array(inputs).T


def write_csv(name, columns, label):
    with open(os.path.join(HERE, name), "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(list(columns) + ["label"])
        for row in zip(*columns.values(), label):
            writer.writerow(row)


def newton(x, y, n_classes, l2):
    """Exact minimum of the softmax objective (two classes: with a zero row for class 0)."""
    n, d = x.shape
    rows = n_classes if n_classes > 2 else 1
    a = np.hstack([x, np.ones((n, 1))])
    target = np.array([y == c for c in range(n_classes)], dtype=float)[n_classes - rows:]
    penalty = np.r_[np.full(d, l2), 0.0]
    w = np.zeros((rows, d + 1))
    for _ in range(50):
        z = np.vstack([np.zeros((n_classes - rows, n)), w @ a.T])
        p = np.exp(z - z.max(0))
        p = (p / p.sum(0))[n_classes - rows:]
        gradient = (p - target) @ a + w * penalty
        hessian = np.zeros((rows * (d + 1), rows * (d + 1)))
        for i in range(rows):
            for j in range(rows):
                block = (a.T * (p[i] * ((i == j) - p[j]))) @ a + (i == j) * np.diag(penalty)
                hessian[i * (d + 1):(i + 1) * (d + 1), j * (d + 1):(j + 1) * (d + 1)] = block
        w -= np.linalg.lstsq(hessian, gradient.ravel(), rcond=1e-12)[0].reshape(w.shape)
    return w[:, :-1], w[:, -1]


def solve(x, y, l2):
    n_classes = len(set(y))
    kind = "multinomial" if n_classes > 2 else "ovr"
    common = dict(C=1.0 / l2, penalty="l2", multi_class=kind, warm_start=True)
    model = LogisticRegression(solver="lbfgs", tol=1e-10, max_iter=100000, **common)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # stopped in its line search: that is why it is started again
        for _ in range(20):
            model.fit(x, y)
        model.set_params(solver="saga" if n_classes > 2 else "newton-cholesky", tol=1e-13, random_state=1)
        model.fit(x, y)
    coef, bias = newton(x, y, n_classes, l2)
    centre = (lambda b: b - b.mean()) if n_classes > 2 else (lambda b: b)
    apart = max(abs(model.coef_ - coef).max(), abs(centre(model.intercept_) - centre(bias)).max())
    assert apart < 1e-8, apart
    return model.coef_, centre(model.intercept_), apart


def c_array(name, values):
    text = ",\n    ".join(repr(float(v)) for v in np.ravel(values))
    return f"static const double {name}[] = {{\n    {text}}};\n"


def main():
    rng = np.random.default_rng(20240611)
    out = ["/* Written by make_logistic.py (scikit-learn).  Rows of weights one after the other. */\n"]
    for name, n in (("binary", 400), ("three", 450)):
        columns, score = make_rows(rng, n)
        noisy = score + rng.logistic(0, 1, n)
        if name == "binary":
            y = (noisy > 0).astype(int)
            label = [["refused", "granted"][k] for k in y]
        else:
            y = np.digitize(noisy, [-1, 1])
            label = [["low", "middle", "top"][k] for k in y]
        write_csv(f"logistic_{name}.csv", columns, label)
        y = np.array([sorted(set(label)).index(v) for v in label])
        for encoding in ("onehot", "ordinal"):
            for l2 in (1.0, 0.1):
                coef, bias, apart = solve(encode(columns, encoding == "onehot"), y, l2)
                tag = f"{name}_{encoding}_{'1' if l2 == 1 else '01'}"
                out.append(c_array(f"{tag}_weights", coef))
                out.append(c_array(f"{tag}_bias", bias))
                print(tag, coef.shape, "solvers apart by", apart)
    with open(os.path.join(HERE, "logistic_golden.h"), "w") as file:
        file.write("\n".join(out))


main()
