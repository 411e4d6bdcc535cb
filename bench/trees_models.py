"""Models for the figures about trees: XGBoost's, trained on the public data sets.

    /usr/bin/python3 bench/trees_models.py DATA FOLDER [--sets bank,credit] [--shapes 50x3,100x4] [--rows N]

For every data set: SET-train.csv and SET-test.csv (70 % and 30 % of the rows; categories as ordinal codes, values that
are missing empty), and SET-SHAPE.json for every shape.  A shape is rounds x depth, or "forest": 100 trees that are grown
out, XGBoost's random forest.  With more than two classes every round has one tree per class.  What exists is kept.
--rows: no more rows than that.  It needs numpy, pandas and xgboost (Debian: python3-pandas, python3-xgboost).
"""
import argparse
import os
import time

import numpy as np
import pandas
import xgboost as xgb

ADULT = ("age,workclass,fnlwgt,education,education-num,marital-status,occupation,relationship,race,sex,capital-gain,"
         "capital-loss,hours-per-week,native-country,income").split(",")
SETS = {
    "bank": ("bank/bank-full.csv", "y", dict(sep=";")),
    "credit": ("credit/UCI_Credit_Card.csv", "default.payment.next.month", {}),
    "insurance": ("insurance/Car_Insurance_Claim.csv", "OUTCOME", {}),
    "adult": ("adult/adult.data", "income", dict(names=ADULT, skipinitialspace=True, na_values="?")),
    "customer": ("customer/Train.csv", "Segmentation", {}),
    "fetal": ("fetal/fetal_health.csv", "fetal_health", {}),
}
RATES = {"50x3": 0.3, "100x4": 0.2, "300x6": 0.1, "1000x6": 0.05}
FOREST = dict(num_parallel_tree=100, max_depth=0, eta=1, subsample=0.632, colsample_bynode=0.4, min_child_weight=0)


def codes(column):
    """Numbers as they are, texts by their rank; NaN where something is missing."""
    if column.dtype != object:
        return column.astype(float)
    return column.astype("category").cat.codes.astype(float).where(column.notna())


def read(name, folder, rows):
    path, label, how = SETS[name]
    table = pandas.read_csv(os.path.join(folder, path), **how).dropna(subset=[label])
    table = table.drop(columns=[c for c in ("ID",) if c in table])
    table = table.iloc[np.random.default_rng(1).permutation(len(table))[:rows]]
    y = table.pop(label).astype("category").cat.codes.to_numpy()
    table = table.apply(codes)
    table["label"] = y
    return table


def split(name, args):
    paths = [os.path.join(args.folder, "%s-%s.csv" % (name, part)) for part in ("train", "test")]
    if not all(os.path.exists(p) for p in paths):
        table = read(name, args.data, args.rows)
        at = int(0.7 * len(table))
        for path, part in zip(paths, (table.iloc[:at], table.iloc[at:])):
            part.to_csv(path, index=False, float_format="%.17g")
    return [pandas.read_csv(p) for p in paths]


def train(name, shape, train_part, test_part, path):
    y, classes = train_part["label"].to_numpy(), int(train_part["label"].max()) + 1
    x, start = train_part.drop(columns="label"), time.time()
    params = dict(objective="binary:logistic", tree_method="hist", nthread=1, seed=1)
    rounds = 1
    if classes > 2:
        params.update(objective="multi:softprob", num_class=classes)
    if shape == "forest":
        params.update(FOREST)
    else:
        rounds, depth = map(int, shape.split("x"))
        params.update(max_depth=depth, eta=RATES.get(shape, 0.1))
    booster = xgb.train(params, xgb.DMatrix(x, label=y), rounds)
    booster.save_model(path)
    out = booster.predict(xgb.DMatrix(test_part.drop(columns="label")))
    guess = out.argmax(1) if classes > 2 else out > 0.5
    print("%-10s %-7s test accuracy %.4f, trained in %.1f s" %
          (name, shape, (guess == test_part["label"]).mean(), time.time() - start), flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("data")
    parser.add_argument("folder")
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--shapes", default="50x3,100x4,300x6,1000x6,forest")
    parser.add_argument("--rows", type=int)
    args = parser.parse_args()
    os.makedirs(args.folder, exist_ok=True)
    for name in args.sets.split(","):
        parts = split(name, args)
        for shape in args.shapes.split(","):
            path = os.path.join(args.folder, "%s-%s.json" % (name, shape))
            if not os.path.exists(path):
                train(name, shape, *parts, path)


if __name__ == "__main__":
    main()
