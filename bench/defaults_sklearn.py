#!/usr/bin/python3
"""scikit-learn's MLPClassifier, all settings left alone, on the splits that figures_defaults wrote into a folder.

    bench/defaults_sklearn.py FOLDER

Needs numpy and scikit-learn: apt-get install python3-sklearn.  Writes FOLDER/sklearn.csv, a line for each split:
its name, accuracy on the rows held out, the same when inputs are standardised first (mean 0, variance 1 over the
training rows: not what MLPClassifier does by itself, but what its manual advises), and processor seconds of the first
training.  Splits that the file already has are left out, so that a run can be continued.
"""
import os
import sys
import time
import warnings
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # small matrices: more threads only spin

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier
from sklearn.preprocessing import StandardScaler

warnings.simplefilter("ignore", ConvergenceWarning)


def read_part(file, d, n):
    x = np.fromfile(file, dtype=np.float64, count=d * n).reshape(d, n).T
    return np.ascontiguousarray(x), np.fromfile(file, dtype=np.int32, count=n)


def read_split(path):
    with open(path, "rb") as file:
        d, _, n_train, n_test = (int(word) for word in file.readline().split())
        return read_part(file, d, n_train) + read_part(file, d, n_test)


def measure(seed, x, y, test_x, test_y):
    start = time.process_time()
    model = MLPClassifier(random_state=seed).fit(x, y)
    return model.score(test_x, test_y), time.process_time() - start


def main(folder):
    out = folder / "sklearn.csv"
    done = {line.split(",")[0] for line in out.read_text().splitlines()} if out.exists() else set()
    for path in sorted(folder.glob("*.split"), key=lambda p: p.stat().st_size):
        if path.stem in done:
            continue
        x, y, test_x, test_y = read_split(path)
        seed = int(path.stem.rsplit("-", 1)[1])
        accuracy, seconds = measure(seed, x, y, test_x, test_y)
        scaler = StandardScaler().fit(x)
        scaled, _ = measure(seed, scaler.transform(x), y, scaler.transform(test_x), test_y)
        with open(out, "a") as file:
            file.write(f"{path.stem},{accuracy!r},{scaled!r},{seconds!r}\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
