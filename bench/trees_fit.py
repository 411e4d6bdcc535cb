#!/usr/bin/python3
"""Boosted trees as `tacit fit --model trees` trains them, beside XGBoost (hist) and scikit-learn's HistGradientBoosting.

    PYTHONPATH=python TACIT_LIBRARY=build/release/src bench/trees_fit.py DATA [--sets bank,credit] [--splits 5]
        [--shape 100x4] [--rate 0.1] [--rows 100000,1000000]

All three get the same columns (categories as ordinal codes, bench/trees_models.py), the same rounds, depth and rate, an
l2 of 1 and one thread.  First, for every data set: accuracy on the 30 % of the rows that a split holds out, in percent,
mean over the splits, ours less theirs, and processor seconds of all trainings, tables included.  Then processor seconds
on tables of so many rows with 20 columns of numbers.  Needs Debian's python3-pandas, python3-xgboost, python3-sklearn.
"""
import argparse
import time
import warnings

import numpy as np
import pandas
import xgboost as xgb
from sklearn.ensemble import HistGradientBoostingClassifier

import tacit
from trees_models import SETS, read

warnings.simplefilter("ignore")


def ours(x, y, test, rounds, depth, rate):
    model = tacit.fit(x.assign(label=y), label="label", kind="trees", trees=rounds, depth=depth, rate=rate, test_share=0,
                      threads=1)
    return lambda: np.array([int(c) for c in model.classes])[model.label_indices(test)]


def xgboosts(x, y, test, rounds, depth, rate):
    classes = int(y.max()) + 1
    how = dict(objective="binary:logistic", tree_method="hist", nthread=1, seed=1, max_depth=depth, eta=rate)
    if classes > 2:
        how.update(objective="multi:softprob", num_class=classes)
    booster = xgb.train(how, xgb.DMatrix(x, label=y), rounds)

    def predict():
        out = booster.predict(xgb.DMatrix(test))
        return out.argmax(1) if classes > 2 else out > 0.5
    return predict


def sklearns(x, y, test, rounds, depth, rate):
    model = HistGradientBoostingClassifier(max_iter=rounds, max_depth=depth, max_leaf_nodes=None, learning_rate=rate,
                                           l2_regularization=1, early_stopping=False, random_state=1).fit(x, y)
    return lambda: model.predict(test)


def train_all(x, y, test, settings):
    """What each says of `test`, and its processor seconds."""
    said, seconds = [], []
    for train in (ours, xgboosts, sklearns):
        start = time.process_time()
        predict = train(x, y, test, *settings)
        seconds.append(time.process_time() - start)
        said.append(predict())
    return said, seconds


def compare(name, args, settings):
    table = read(name, args.data, None)
    y = table.pop("label").to_numpy()
    table.columns = ["c%d" % i for i in range(table.shape[1])]
    right, seconds = [], np.zeros(3)
    for seed in range(args.splits):
        order = np.random.default_rng(seed).permutation(len(y))
        held, rest = order[:int(0.3 * len(y))], order[int(0.3 * len(y)):]
        said, used = train_all(table.iloc[rest], y[rest], table.iloc[held], settings)
        right.append([100 * np.mean(s == y[held]) for s in said])
        seconds += used
    right = np.array(right)
    less = right[:, :1] - right
    print("%-10s %7.2f %7.2f %7.2f   %+6.2f %+6.2f   %7.2f %7.2f %7.2f" %
          ((name,) + tuple(right.mean(0)) + tuple(less.mean(0)[1:]) + tuple(seconds)), flush=True)
    return less.mean(0)[1:]


def time_rows(rows, settings):
    random = np.random.default_rng(1)
    x = pandas.DataFrame(random.normal(size=(rows, 20)).round(4), columns=["c%d" % i for i in range(20)])
    score = x.c0 * x.c1 + np.abs(x.c2) - x.c3 + np.sin(3 * x.c4) - 0.8 + random.normal(size=rows)
    said, seconds = train_all(x, (score > 0).to_numpy().astype(int), x.iloc[:20000], settings)
    print("%-10d %7.2f %7.2f %7.2f   %6.2f %6.2f" %
          ((rows,) + tuple(seconds) + (seconds[0] / seconds[1], seconds[0] / seconds[2])), flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("data")
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument("--shape", default="100x4")
    parser.add_argument("--rate", type=float, default=0.1)
    parser.add_argument("--rows", default="100000")
    args = parser.parse_args()
    settings = tuple(map(int, args.shape.split("x"))) + (args.rate,)
    print("%-10s %7s %7s %7s   %6s %6s   %7s %7s %7s" % ("accuracy", "tacit", "xgboost", "sklearn", "-xgb", "-skl",
                                                        "s tacit", "s xgb", "s skl"))
    less = [compare(name, args, settings) for name in args.sets.split(",") if name]
    if less:
        print("%-10s %31s %+6.2f %+6.2f" % ("mean", "", *np.mean(less, axis=0)))
    print("%-10s %7s %7s %7s   %6s %6s" % ("rows", "s tacit", "s xgb", "s skl", "/xgb", "/skl"))
    for rows in args.rows.split(","):
        time_rows(int(rows), settings)


main()
