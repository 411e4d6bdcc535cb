"""TacitClassifier against scikit-learn's own checks, and what it takes to decide."""

import os
import unittest

import sample  # noqa: F401

os.environ.setdefault("OMP_NUM_THREADS", "1")  # the data are small
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

try:
    import numpy as np
    import pandas as pd
    from sklearn.datasets import make_classification
    from sklearn.model_selection import cross_val_score
    from sklearn.utils.estimator_checks import check_estimator
except ImportError as error:
    print("skipped, not installed: %s" % error)
    raise SystemExit(0) from None

import tacit  # noqa: E402
from tacit.sklearn import TacitClassifier  # noqa: E402


class Estimator(unittest.TestCase):
    def test_scikit_learns_checks(self):
        n = 0
        for estimator, check in check_estimator(TacitClassifier(), generate_only=True):
            with self.subTest(check=str(getattr(check, "func", check).__name__)):
                check(estimator)
            n += 1
        self.assertGreater(n, 35)
        print("check_estimator: %d checks" % n)

    def test_what_it_takes(self):
        X, y = make_classification(300, 7, n_informative=3, random_state=0)
        clf = TacitClassifier(public=[0]).fit(X, y)
        self.assertEqual(clf.asked_.shape, (300,))
        self.assertLess(clf.asked_.mean(), 6)
        asked = clf.asked(X)
        np.testing.assert_array_equal(asked.sum(axis=1), clf.asked_)
        self.assertFalse(asked[:, 0].any())  # public
        np.testing.assert_array_equal(clf.predict(X).astype(str), clf.model_.labels(dict(zip(clf._names(), X.T))))
        early = TacitClassifier(delta=0.1).fit(X, y)
        self.assertLess(early.asked_.mean(), TacitClassifier().fit(X, y).asked_.mean())
        self.assertGreater(cross_val_score(TacitClassifier(), X, y, cv=3).mean(), 0.6)

    def test_columns_with_names(self):
        X, y = make_classification(120, 5, random_state=3)
        frame = pd.DataFrame(X, columns=["a", "b", "c", "label", "e"])
        clf = TacitClassifier(kind="mlp", hidden=[4], public=["b", -1]).fit(frame, y)
        self.assertEqual(clf.model_.public, ["b", "e"])
        self.assertGreater(clf.score(frame, y), 0.6)
        with self.assertRaisesRegex(tacit.UsageError, "public column 9"):
            TacitClassifier(public=[9]).fit(frame, y)


if __name__ == "__main__":
    unittest.main()
