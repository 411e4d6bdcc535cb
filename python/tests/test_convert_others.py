"""LightGBM by its text and PyTorch by its numbers.

Neither is needed: a file that tests/golden has stands in for the one, a few lines for the other.
"""

import os
import unittest

import sample  # noqa: F401

os.environ.setdefault("OMP_NUM_THREADS", "1")  # the data are small
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

try:
    import numpy as np
    import pandas as pd
except ImportError as error:
    print("skipped, not installed: %s" % error)
    raise SystemExit(0) from None

import tacit  # noqa: E402
from tacit.convert import from_lightgbm, from_torch  # noqa: E402

GOLDEN = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "tests", "golden")


class Booster:
    """What from_lightgbm looks at."""

    def __init__(self, name):
        with open(os.path.join(GOLDEN, "lightgbm", name + ".txt"), encoding="utf-8") as file:
            self.text = file.read()
        self.people = pd.read_csv(os.path.join(GOLDEN, "lightgbm", name + ".csv"), float_precision="round_trip")

    def model_to_string(self):
        return self.text

    def predict(self, X):
        labels = self.people["label"].to_numpy()
        return labels.astype(float) if labels.max() == 1 else np.eye(labels.max() + 1)[labels]


class LightGBM(unittest.TestCase):
    def test_text(self):
        for name in ("nan", "multiclass"):
            with self.subTest(name=name):
                booster = Booster(name)
                X, y = booster.people[["income", "age", "debt", "years", "ratio", "job"]], booster.people["outcome"]
                model = from_lightgbm(booster, X, y)
                self.assertEqual(model.info["kind"], "trees")
                np.testing.assert_array_equal(model.label_indices(X), booster.people["label"])
        with self.assertRaisesRegex(tacit.InputError, "neither an LGBMClassifier nor a Booster"):
            from_lightgbm(object(), X, y)


class Linear:
    def __init__(self, weight, bias=None):
        self.weight, self.bias = np.asarray(weight, dtype=np.float32), bias

    def __call__(self, x):
        return x @ self.weight.T + (0 if self.bias is None else np.asarray(self.bias, dtype=np.float32))


class ReLU:
    def __call__(self, x):
        return np.maximum(x, 0)


class Sigmoid:
    def __call__(self, x):
        return 1 / (1 + np.exp(-x))


class Tanh:
    def __call__(self, x):
        return np.tanh(x)


class Sequential(list):
    def __call__(self, x):
        for module in self:
            x = module(x)
        return x


class Torch(unittest.TestCase):
    def setUp(self):
        rng = np.random.default_rng(4)
        self.X = pd.DataFrame({"a": rng.integers(0, 9, 200), "b": rng.normal(size=200), "c": rng.integers(0, 2, 200)})
        self.y = pd.Series(np.where(self.X.a + self.X.b > 4, "yes", "no"), name="outcome")
        self.first = Linear(rng.normal(size=(4, 3)), rng.normal(size=4))
        self.last = Linear(rng.normal(size=(1, 4)), [0.1])

    def test_networks(self):
        for modules in ([self.first, ReLU(), self.last], [self.first, ReLU(), self.last, Sigmoid()],
                        [self.first, self.last],
                        [self.first, ReLU(), Linear([[1, 2, -1, 0], [0, 1, 1, -1]])]):
            for threshold in (None, 0.3):
                with self.subTest(modules=len(modules), threshold=threshold):
                    model = from_torch(Sequential(modules), self.X, self.y, threshold=threshold)
                    self.assertEqual(model.classes, ["no", "yes"])
                    self.assertEqual(model.info["kind"], "mlp" if len(modules) > 2 else "logistic")
        three = Sequential([self.first, ReLU(), Linear(np.eye(3, 4))])
        self.assertEqual(from_torch(three, self.X, classes=["x", "y", "z"]).classes, ["x", "y", "z"])

    def test_refusals(self):
        for modules, reason in (([self.first, Tanh(), self.last], "a Tanh here"), ([self.first, ReLU()], "end in a Linear"),
                                ([self.first, Sigmoid(), self.last], "after the end of the scores"),
                                ([self.last], "it reads 4 numbers, and there are 3 columns")):
            with self.assertRaisesRegex(tacit.InputError, reason):
                from_torch(Sequential(modules), self.X, self.y)


if __name__ == "__main__":
    unittest.main()
