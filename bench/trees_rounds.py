#!/usr/bin/python3
"""Would the number of trees, found out on people left out, do better than 100?

    bench/trees_rounds.py DATA [--sets bank,credit] [--splits 3]

With XGBoost (hist, depth 4, rate 0.1, up to 400 rounds) in the place of our trainer, whose models are as good
(bench/trees_fit.py).  `chosen`: the rounds with the least log loss on a fifth of the training rows left out, then trained
anew on all of them.  Percent right of the 30 % that a split holds out, mean over the splits; `best`: the most right of any
number of rounds, found on these rows themselves, which nobody can know.
"""
import argparse

import numpy as np
import xgboost as xgb
from trees_models import SETS, read

MOST, PATIENCE = 400, 30


def losses(x, y, train, test, patience=None):
    """Error and log loss on `test` after every round."""
    classes = int(y.max()) + 1
    how = dict(objective="binary:logistic", tree_method="hist", nthread=1, max_depth=4, eta=0.1,
               eval_metric=["error", "logloss"])
    if classes > 2:
        how.update(objective="multi:softprob", num_class=classes, eval_metric=["merror", "mlogloss"])
    seen = {}
    xgb.train(how, xgb.DMatrix(x.iloc[train], label=y[train]), MOST, evals_result=seen, verbose_eval=False,
              evals=[(xgb.DMatrix(x.iloc[test], label=y[test]), "test")], early_stopping_rounds=patience)
    return [np.array(seen["test"][metric]) for metric in how["eval_metric"]]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data")
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--splits", type=int, default=3)
    args = parser.parse_args()
    print("%-10s %7s %7s %7s %7s  %-s" % ("", "100", "chosen", "400", "best", "rounds chosen"))
    for name in args.sets.split(","):
        x = read(name, args.data, None)
        y = x.pop("label").to_numpy()
        rows, rounds = [], []
        for split in range(args.splits):
            order = np.random.default_rng(split + 10).permutation(len(x))
            train, test = np.split(order, [int(0.7 * len(x))])
            kept, left_out = np.split(train, [int(0.8 * len(train))])
            rounds.append(int(np.argmin(losses(x, y, kept, left_out, PATIENCE)[1])) + 1)
            right = 100 * (1 - losses(x, y, train, test)[0])
            rows.append([right[99], right[rounds[-1] - 1], right[-1], right.max()])
        print("%-10s %7.2f %7.2f %7.2f %7.2f  %s" % (name, *np.mean(rows, 0), rounds), flush=True)


main()
