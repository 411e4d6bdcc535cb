"""Fixtures for importing XGBoost's model files: models, people, XGBoost's own labels and margins to the bit.

    /usr/bin/python3 make_xgboost.py [FOLDER [MODELS ROWS]]

writes into xgboost/ beside this file, or into FOLDER; there, MODELS random models with ROWS people each are made as
well, for a longer run (TACIT_XGBOOST_FOLDER=FOLDER test_xgboost_golden).  It needs numpy and xgboost (Debian:
python3-xgboost, 1.7.4).  Margins are written as hexadecimal floats.
"""
import json
import os
import sys

import numpy as np
import xgboost as xgb

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "xgboost")
NAMES = ["income", "age", "debt", "years", "ratio", "children"]


def people(rng, rows, missing):
    x = np.column_stack([np.round(np.exp(rng.normal(7.6, 0.5, rows)), 2), rng.integers(18, 90, rows),
                         rng.normal(0, 1e4, rows), rng.integers(0, 40, rows), rng.random(rows) * 1e-3,
                         rng.integers(0, 6, rows)]).astype(float)
    z = (x[:, 1] - 50) / 20 + np.sin(x[:, 0] / 900) + x[:, 2] / 1e4 * (x[:, 5] > 2) + 500 * x[:, 4] * (x[:, 3] > 20)
    z += rng.normal(0, 0.4, rows)
    if missing > 0:
        gone = rng.random(x.shape) < missing
        gone[:, 1] = False
        x[gone] = np.nan
    return x, z


def write(name, booster, x, y, label, rounds=None, columns=NAMES, cells=None, matrix=None):
    d = matrix if matrix is not None else xgb.DMatrix(x, feature_names=columns)
    cut = {} if rounds is None else {"iteration_range": (0, rounds)}
    margin = booster.predict(d, output_margin=True, **cut).reshape(len(y), -1)
    booster.save_model(os.path.join(OUT, name + ".json"))
    booster.save_model(os.path.join(OUT, name + ".ubj"))
    with open(os.path.join(OUT, name + ".csv"), "w") as f:
        f.write(",".join(columns) + ",outcome,label," + ",".join("m%d" % i for i in range(margin.shape[1])) + "\n")
        for i in range(len(y)):
            row = cells[i] if cells is not None else ["" if np.isnan(v) else repr(float(v)) for v in x[i]]
            f.write(",".join(row) + ",%d,%d," % (y[i], label[i]) + ",".join(float(v).hex() for v in margin[i]) + "\n")
    done.append(name)


def train(rng, objective, x, z, trees, depth, **more):
    classes = 3 if objective.startswith("multi") else 2
    y = (z > np.median(z)).astype(int) if classes == 2 else np.digitize(z, np.quantile(z, [0.3, 0.7]))
    params = dict(objective=objective, max_depth=depth, eta=0.3, tree_method="hist", nthread=1, seed=int(rng.integers(1e6)))
    if classes > 2:
        params["num_class"] = classes
    params.update(more)
    d = xgb.DMatrix(x, label=y, feature_names=NAMES)
    booster = xgb.train(params, d, trees)
    out = booster.predict(d)
    if objective == "binary:logitraw":
        label = (out > 0).astype(int)
    else:
        label = (out > 0.5).astype(int) if classes == 2 else out.argmax(1) if out.ndim > 1 else out.astype(int)
    return booster, y, label


def simple(name, seed, objective, rows=150, trees=6, depth=3, missing=0.0, **more):
    rng = np.random.default_rng(seed)
    x, z = people(rng, rows, missing)
    booster, y, label = train(rng, objective, x, z, trees, depth, **more)
    write(name, booster, x, y, label)


def early(name, seed):
    rng = np.random.default_rng(seed)
    x, z = people(rng, 150, 0)
    y = (z + rng.normal(0, 1.5, len(z)) > np.median(z)).astype(int)
    d, v = xgb.DMatrix(x[:100], label=y[:100], feature_names=NAMES), xgb.DMatrix(x[100:], label=y[100:], feature_names=NAMES)
    booster = xgb.train(dict(objective="binary:logistic", max_depth=3, eta=0.5, nthread=1), d, 40, evals=[(v, "v")],
                        early_stopping_rounds=4, verbose_eval=False)
    used = booster.best_iteration + 1
    assert used < booster.num_boosted_rounds()
    label = (booster.predict(xgb.DMatrix(x, feature_names=NAMES), iteration_range=(0, used)) > 0.5).astype(int)
    write(name, booster, x, y, label, rounds=used)


def categories(name, seed):
    import pandas as pd

    rng = np.random.default_rng(seed)
    rows, levels = 200, ["ash", "birch", "cedar", "elm", "fir", "oak"]
    wood, age = rng.integers(0, 6, rows), rng.integers(18, 90, rows).astype(float)
    y = ((age > 50) ^ np.isin(wood, [1, 4]) ^ (rng.random(rows) < 0.1)).astype(int)
    frame = pd.DataFrame({"wood": pd.Categorical.from_codes(wood, levels), "age": age})
    d = xgb.DMatrix(frame, label=y, enable_categorical=True)
    booster = xgb.train(dict(objective="binary:logistic", max_depth=4, eta=0.5, tree_method="hist", max_cat_to_onehot=2,
                             nthread=1), d, 6)
    label = (booster.predict(d) > 0.5).astype(int)
    write(name, booster, None, y, label, columns=["wood", "age"], cells=[[levels[w], repr(a)] for w, a in zip(wood, age)],
          matrix=d)


def one_hot(name, seed):
    rng = np.random.default_rng(seed)
    rows, levels = 200, ["ash", "birch", "cedar", "elm"]
    wood, age = rng.integers(0, 4, rows), rng.integers(18, 90, rows)
    y = ((age > 50) ^ (wood == 1) ^ (rng.random(rows) < 0.1)).astype(int)
    x = np.column_stack([age] + [(wood == k).astype(float) for k in range(4)])
    d = xgb.DMatrix(x, label=y, feature_names=["age"] + ["wood_" + w for w in levels])
    booster = xgb.train(dict(objective="binary:logistic", max_depth=3, eta=0.5, nthread=1), d, 6)
    label = (booster.predict(d) > 0.5).astype(int)
    write(name, booster, None, y, label, columns=["wood", "age"], cells=[[levels[w], str(a)] for w, a in zip(wood, age)],
          matrix=d)


done = []
os.makedirs(OUT, exist_ok=True)
simple("logistic", 1, "binary:logistic")
simple("missing", 2, "binary:logistic", missing=0.15)
simple("intercept", 3, "binary:logistic", base_score=0.83)
simple("logitraw", 4, "binary:logitraw", base_score=0.3)
simple("hinge", 5, "binary:hinge")
simple("softprob", 6, "multi:softprob", trees=3, missing=0.1)
simple("softmax", 7, "multi:softmax", trees=3, base_score=0.2)
simple("dart", 8, "binary:logistic", booster="dart", rate_drop=0.4, trees=8)
simple("parallel", 9, "multi:softprob", trees=2, num_parallel_tree=3, subsample=0.5)
early("early", 10)
categories("categories", 11)
one_hot("one_hot", 12)
for k in range(int(sys.argv[2]) if len(sys.argv) > 2 else 0):
    rng = np.random.default_rng(1000 + k)
    simple("random%d" % k, 2000 + k, ["binary:logistic", "multi:softprob", "binary:logitraw", "multi:softmax"][k % 4],
           rows=int(sys.argv[3]), trees=int(rng.choice([50, 100, 300])), depth=int(rng.choice([3, 4, 6])),
           missing=float(rng.choice([0, 0.1])), eta=float(rng.choice([0.05, 0.3])), base_score=float(rng.choice([0.5, 0.7])),
           booster=str(rng.choice(["gbtree", "gbtree", "dart"])) if k % 3 == 0 else "gbtree")
with open(os.path.join(OUT, "models.txt"), "w") as f:
    f.write("".join(name + "\n" for name in done))
