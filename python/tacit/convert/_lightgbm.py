"""Models of LightGBM, by the text that they write themselves down in."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

from .._model import Model, import_bytes
from ._describe import refuse


def from_lightgbm(clf: Any, X: Any, y: Any = None, *, label: Optional[str] = None, public: Any = None,
                  sensitive: Any = None, schema: Any = None, threshold: Optional[float] = None,
                  test_share: float = 0.0, seed: int = 1, threads: int = 0) -> Model:
    """A model from a ``lightgbm.LGBMClassifier`` or a ``Booster``.

    `X` are people as `clf` takes them.  The labels of everybody in `X` are compared with those that `clf` gives; one that
    differs is an error.  Without `y` the labels are what `clf` says.  Other parameters are those of :func:`from_sklearn`.
    """
    booster = clf.booster_ if hasattr(clf, "booster_") else clf
    if not hasattr(booster, "model_to_string"):
        refuse(clf, "it is neither an LGBMClassifier nor a Booster of LightGBM")
    if y is None and label is not None and hasattr(X, "columns"):
        y, X = X[label], X.drop(columns=label)
    predictions = _labels(clf, booster, X, threshold)
    return import_bytes(booster.model_to_string().encode("utf-8"), X, predictions if y is None else y, label=label,
                        public=public, sensitive=sensitive, schema=schema, threshold=threshold,
                        predictions=predictions, test_share=test_share, seed=seed, threads=threads)


def _labels(clf: Any, booster: Any, X: Any, threshold: Optional[float]) -> Any:
    """What the deployed classifier says."""
    if clf is not booster:
        if threshold is None:
            return np.asarray(clf.predict(X))
        second = np.asarray(clf.predict_proba(X))[:, 1] >= threshold
        return np.asarray(clf.classes_)[second.astype(int)]
    said = np.asarray(booster.predict(X))
    if said.ndim == 2:
        return said.argmax(axis=1)
    return (said > 0.5 if threshold is None else said >= threshold).astype(int)
