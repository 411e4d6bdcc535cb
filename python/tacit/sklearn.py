"""Tacit as an estimator of scikit-learn.

>>> from sklearn.datasets import make_classification
>>> from tacit.sklearn import TacitClassifier
>>> X, y = make_classification(200, 6, random_state=0)
>>> clf = TacitClassifier().fit(X, y)
>>> bool(clf.asked_.mean() < 6)
True
"""

from __future__ import annotations

from typing import Any, List, Optional, Sequence, Tuple, Union

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, column_or_1d

try:
    from sklearn.utils.validation import validate_data as _validated
except ImportError:  # before scikit-learn 1.6
    def _validated(estimator: Any, *arguments: Any, **options: Any) -> Any:
        return estimator._validate_data(*arguments, **options)

from . import _train
from ._lib import UsageError

__all__ = ["TacitClassifier"]


class TacitClassifier(ClassifierMixin, BaseEstimator):
    """A classifier that asks for as few columns as it needs.

    It is trained like any other.  To predict, it takes one sensitive column of a row after the other, and stops as soon as
    the label is settled: proven for every value of the rest (``delta=0``), or with probability ``1 - delta``.

    Parameters
    ----------
    kind : {"logistic", "mlp", "trees"}
        What is trained: logistic regression, a ReLU network with layers of `hidden` sizes, or boosted trees.
    delta : float
        How often a label may differ from the one with everything known; 0: never.
    public : list of names or places, or None
        Columns that are known anyway.  All others are sensitive.
    hidden : list of int or None
        Sizes of the layers of a network; None: the usual.
    l2 : float
        Penalty on weights as they are; 0: the usual, on weights per usual spread of their input.
    seed : int
        Of the training of a network.
    n_jobs : int or None
        Threads: None is one, -1 all.  What is learnt does not depend on it.

    Attributes
    ----------
    classes_ : array
        The labels.
    model_ : tacit.Model
        The model, for audits and sessions.
    asked_ : array of int, one for each row it was fitted on
        How many sensitive columns it took to decide about them.
    n_features_in_ : int
    feature_names_in_ : array of str, where the columns had names
    """

    def __init__(self, kind: str = "logistic", *, delta: float = 0, public: Optional[Sequence[Union[str, int]]] = None,
                 hidden: Optional[Sequence[int]] = None, l2: float = 0, seed: int = 1,
                 n_jobs: Optional[int] = None) -> None:
        self.kind = kind
        self.delta = delta
        self.public = public
        self.hidden = hidden
        self.l2 = l2
        self.seed = seed
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any) -> "TacitClassifier":
        """Train on rows of numbers and their labels."""
        X, y = _validated(self, X, y, dtype=np.float64, multi_output=True)
        y = column_or_1d(y, warn=True)
        check_classification_targets(y)
        self.classes_, places = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise UsageError("there is one class only: nothing is to be decided")
        names = self._names()
        people = dict(zip(names, X.T))
        self.model_ = _train.fit(people, places.astype(np.int64), label=_label(names), public=self._public(names),
                                 kind=self.kind, hidden=self.hidden, l2=self.l2, seed=self.seed, test_share=0,
                                 threads=self._threads())
        self.asked_ = self._played(X)[1].sum(axis=1)
        return self

    def predict(self, X: Any) -> Any:
        """The labels, each settled by what had to be taken of its row."""
        X = self._checked(X)
        return self.classes_[self._played(X)[0]]

    def asked(self, X: Any) -> Any:
        """Which columns it takes to decide about rows: an array of truth values, one a row and column.

        Public columns are not asked for.
        """
        return self._played(self._checked(X))[1]

    def predict_proba(self, X: Any) -> Any:
        """Probabilities of the classes by the model, everything known."""
        X = self._checked(X)
        scores = self.model_.scores(self._people(X), threads=self._threads())
        if scores.ndim == 1:
            scores = np.column_stack([np.zeros_like(scores), scores])
        weights = np.exp(scores - scores.max(axis=1, keepdims=True))
        return weights / weights.sum(axis=1, keepdims=True)

    # ---- inside ----

    def _checked(self, X: Any) -> Any:
        check_is_fitted(self)
        return _validated(self, X, dtype=np.float64, reset=False)

    def _names(self) -> List[str]:
        if hasattr(self, "feature_names_in_"):
            return [str(name) for name in self.feature_names_in_]
        return ["x%d" % i for i in range(self.n_features_in_)]

    def _public(self, names: List[str]) -> Optional[List[str]]:
        if self.public is None:
            return None
        found = []
        for one in self.public:
            if not isinstance(one, str):
                if not -len(names) <= one < len(names):
                    raise UsageError("public column %d is not there: there are %d" % (one, len(names)))
                one = names[one]
            found.append(one)
        return found

    def _threads(self) -> int:
        return 1 if self.n_jobs is None else max(int(self.n_jobs), 0)

    def _people(self, X: Any) -> Any:
        return dict(zip(self._names(), X.T))

    def _played(self, X: Any) -> Tuple[Any, Any]:
        """Places of the labels that rows are given, and what was asked for."""
        audit = self.model_.audit(self._people(X), deltas=(self.delta,), smallest=False, needs=False, people=True,
                                  threads=self._threads())
        found = audit.per_person()
        asked = np.zeros(X.shape, dtype=bool)
        names = self._names()
        asked[:, [names.index(name) for name in found.sensitive]] = found.asked_matrix()
        classes = np.array([int(name) for name in self.model_.classes])
        return classes[np.asarray(found.label)], asked


def _label(names: List[str]) -> str:
    label = "label"
    while label in names:
        label += "_"
    return label
