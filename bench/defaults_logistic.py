#!/usr/bin/python3
"""Logistic regression with nothing said, by `tacit fit` and by a well-tuned scikit-learn.

    bench/defaults_logistic.py BUILD_FOLDER FOLDER [--data DIR] [--seeds N] [--sets bank,adult,...]

Needs numpy and scikit-learn: apt-get install python3-sklearn.  FOLDER is for made-up people and for the splits that
figures_defaults writes (remove it afterwards).  scikit-learn's inputs are standardised, and LogisticRegressionCV chooses
among 13 penalties by log loss.  Made-up people have six numbers, normal or with long tails, 2,000 rows to learn from and
20,000 to be measured on; their outcome is drawn from the logistic model itself.  The data sets in DIR (../shared/data) are split
as fit splits them, 30 % held out.  Columns: rows to learn from, and accuracy on the rest in percent, mean over the seeds:
always the more frequent outcome, `--l2 1`, nothing said, scikit-learn, and the difference of the last two.
"""
import argparse
import json
import os
import subprocess
import warnings
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from sklearn.linear_model import LogisticRegressionCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from defaults_sklearn import read_split

warnings.simplefilter("ignore")
HERE = Path(__file__).resolve().parent
LEARN, MEASURE, NUMBERS = 2000, 20000, 6
MADE_UP = {
    "normal": lambda r, shape: r.normal(0, 1, shape),
    "t(1.5)": lambda r, shape: r.standard_t(1.5, shape),
    "Cauchy": lambda r, shape: r.standard_t(1, shape),
    "lognormal 1": lambda r, shape: np.exp(r.normal(0, 1, shape)),
    "lognormal 2": lambda r, shape: np.exp(r.normal(0, 2, shape)),
    "lognormal 3": lambda r, shape: np.exp(r.normal(0, 3, shape)),
    "mostly 0": lambda r, shape: (r.random(shape) < 0.2) * np.exp(r.normal(0, 2, shape)),
}
FILES = {"bank": "bank-full.csv", "adult": "adult.data", "credit": "UCI_Credit_Card.csv",
         "insurance": "Car_Insurance_Claim.csv", "customer": "Train.csv", "fetal": "fetal_health.csv"}


def tuned(x, y, test_x, test_y):
    search = LogisticRegressionCV(Cs=np.logspace(-4, 8, 13), cv=4, scoring="neg_log_loss", max_iter=2000)
    return np.mean(make_pipeline(StandardScaler(), search).fit(x, y).predict(test_x) == test_y)


def run(*words):
    return subprocess.run([str(word) for word in words], check=True, stdout=subprocess.PIPE).stdout


def write_people(path, x, y):
    names = ",".join(f"x{i}" for i in range(x.shape[1]))
    np.savetxt(path, np.column_stack([x, y]), delimiter=",", header=names + ",y", comments="",
               fmt=["%.17g"] * x.shape[1] + ["%d"])


def made_up(kind, seed, folder, tacit):
    draw = np.random.default_rng([seed, len(kind)])
    x = MADE_UP[kind](draw, (LEARN + MEASURE, NUMBERS))
    score = x @ draw.normal(0, 1, NUMBERS)
    score = 2 * (score - np.median(score))
    y = (draw.random(len(x)) < 1 / (1 + np.exp(-np.clip(score, -500, 500)))).astype(int)
    write_people(folder / "learn.csv", x[:LEARN], y[:LEARN])
    write_people(folder / "measure.csv", x[LEARN:], y[LEARN:])
    ours = []
    for more in (["--l2", "1"], []):
        run(tacit, "fit", folder / "learn.csv", "--label", "y", "--test-share", "0", "--quiet", *more, "-o",
            folder / "m.tacit")
        said = run(tacit, "audit", folder / "m.tacit", folder / "measure.csv", "--delta", "0", "--no-opt",
                   "--no-indispensable", "--quiet", "--json", "-")
        ours.append(json.loads(said)["baseline"]["accuracy"])
    split = x[:LEARN], y[:LEARN], x[LEARN:], y[LEARN:]
    return LEARN, [max(y[LEARN:].mean(), 1 - y[LEARN:].mean()), *ours, tuned(*split)]


def data_set(name, seed, folder, tacit, data):
    split = read_split(folder / f"{name}-whole-{seed}.split")
    ours = []
    for more in (["--l2", "1"], []):
        run(tacit, "fit", data / name / FILES[name], "--schema", HERE.parent / "datasets" / f"{name}.json", "--seed",
            seed, "--quiet", *more, "-o", folder / "m.tacit")
        ours.append(json.loads(run(tacit, "show", folder / "m.tacit", "--json"))["provenance"]["test_accuracy"])
    return len(split[1]), [np.bincount(split[3]).max() / len(split[3]), *ours, tuned(*split)]


def print_row(name, results):
    figures = 100 * np.mean([figures for _, figures in results], axis=0)
    print(f"| {name} | {results[0][0]} | " + " | ".join(f"{f:.2f}" for f in figures) +
          f" | {figures[2] - figures[3]:+.2f} |", flush=True)


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("build", type=Path)
    words.add_argument("folder", type=Path)
    words.add_argument("--data", type=Path, default=HERE.parent.parent / "shared" / "data")
    words.add_argument("--seeds", type=int, default=3)
    words.add_argument("--sets", default=",".join(FILES))
    given = words.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    tacit = given.build / "cli" / "tacit"
    print("| people | rows | majority | --l2 1 | nothing said | scikit-learn, tuned | difference |\n" + "|---" * 7 + "|")
    for kind in MADE_UP:
        print_row(kind, [made_up(kind, seed, given.folder, tacit) for seed in range(given.seeds)])
    sets = [name for name in given.sets.split(",") if (given.data / name / FILES[name]).exists()]
    if sets:
        run(given.build / "bench" / "figures_defaults", "write", given.folder, "--small", 0, "--seeds", given.seeds,
            "--sets", ",".join(sets), "--data", given.data, "--schemas", HERE.parent / "datasets")
    for name in sets:
        print_row(name, [data_set(name, seed + 1, given.folder, tacit, given.data) for seed in range(given.seeds)])


if __name__ == "__main__":
    main()
