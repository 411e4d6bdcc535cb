"""Models of XGBoost: by themselves as they save themselves, and behind a pipeline of scikit-learn."""

from __future__ import annotations

import fractions
import json
import math
import struct
from typing import Any, Dict, List, Optional, Set

import numpy as np

from .._lib import InputError, UsageError
from .._model import Model, import_bytes
from ._describe import refuse

_UNREAD = ("base_weights", "loss_changes", "sum_hessian", "parents", "id")


def from_xgboost(clf: Any, X: Any, y: Any = None, *, label: Optional[str] = None, public: Any = None,
                 sensitive: Any = None, schema: Any = None, threshold: Optional[float] = None, test_share: float = 0.0,
                 seed: int = 1, threads: int = 0) -> Model:
    """A model from an ``xgboost.XGBClassifier`` or a ``Booster``.

    `X` are people as `clf` takes them: columns are features by name, or in their order.  Scores are XGBoost's to the bit,
    and the labels of everybody in `X` are compared; one that differs is an error.  Without `y` the labels are what `clf`
    says.  Other parameters are those of :func:`from_sklearn`, which takes pipelines that end in an XGBClassifier.
    """
    booster = clf.get_booster() if hasattr(clf, "get_booster") else clf
    if not hasattr(booster, "save_raw"):
        refuse(clf, "it is neither an XGBClassifier nor a Booster")
    if hasattr(clf, "missing") and not math.isnan(float(clf.missing)):
        refuse(clf, "missing=%r; values that are missing are NaN" % clf.missing)
    if y is None and label is not None and hasattr(X, "columns"):
        y, X = X[label], X.drop(columns=label)
    predictions = _labels(clf, booster, X, threshold)
    names = booster.feature_names
    people = X
    if hasattr(X, "columns") and names:
        people = X[[name for name in X.columns if str(name) in names]]
    if y is not None and schema is None and threshold is None:
        _check_order(clf, y, predictions)
    try:
        return import_bytes(bytes(booster.save_raw("ubj")), people, predictions if y is None else y, label=label,
                            public=public, sensitive=sensitive, schema=schema, threshold=threshold,
                            predictions=predictions, test_share=test_share, seed=seed, threads=threads)
    except InputError as error:
        if "gives another label than this prediction" not in str(error):
            raise
        why = "%s%s" % (error, _usual_reason(clf, booster, X))
        raise InputError(why, error.file, error.row, error.column) from None


def _check_order(clf: Any, y: Any, predictions: Any) -> None:
    """The model knows its classes as 0 and 1, which are the names in `y` by the alphabet: not if they mostly differ."""
    names = sorted({str(one) for one in np.asarray(y).ravel()})
    said = np.asarray(predictions)
    if len(names) != 2 or said.dtype.kind not in "biuf" or all(_is_number(name) for name in names):
        return
    if said.shape != np.shape(y) or ((said == 1) == (np.asarray(y).astype(str) == names[1])).mean() >= 0.5:
        return
    refuse(clf, "its second class is mostly called %s in y, which comes before %s in the alphabet: give y as 0 and 1, or a "
           "schema with the classes in the model's order" % (names[0], names[1]))


def _is_number(name: str) -> bool:
    try:
        return math.isfinite(float(name))
    except ValueError:
        return name in ("False", "True")


def _usual_reason(clf: Any, booster: Any, X: Any) -> str:
    """Why the labels of an unchanged model may differ all the same."""
    if clf is booster and "best_iteration" in booster.attributes():
        return ("; a Booster predicts with all rounds, and what is imported are those up to its best_iteration: slice it, "
                "booster[:booster.best_iteration + 1], or call booster.set_attr(best_iteration=None)")
    if clf is not booster and getattr(clf, "objective", None) == "binary:logitraw":
        return "; XGBClassifier compares the log-odds of binary:logitraw with 0.5: give its Booster, which decides at 0"
    if any(str(dtype) == "category" for dtype in getattr(X, "dtypes", ())):
        return ("; categories are codes for XGBoost, by their order in the column: a schema with the levels in this order "
                "says which is which")
    return ""


def _labels(clf: Any, booster: Any, X: Any, threshold: Optional[float]) -> Any:
    """What the deployed classifier says."""
    if clf is not booster:
        if threshold is None:
            return np.asarray(clf.predict(X))
        return (np.asarray(clf.predict_proba(X))[:, 1] >= np.float32(threshold)).astype(int)
    import xgboost
    said = np.asarray(booster.predict(xgboost.DMatrix(X)))
    if said.ndim == 2:
        return said.argmax(axis=1)
    objective = json.loads(booster.save_config())["learner"]["objective"]["name"]
    if objective == "multi:softmax":
        return said.astype(int)
    if objective == "binary:logitraw":
        if threshold is not None:
            raise UsageError("a threshold for binary:logitraw: give the XGBClassifier, or train binary:logistic")
        return (said > 0).astype(int)
    return (said > 0.5 if threshold is None else said >= np.float32(threshold)).astype(int)


def is_classifier(clf: Any) -> bool:
    """Is it a classifier of XGBoost's interface for scikit-learn?"""
    return type(clf).__module__.split(".")[0] == "xgboost" and hasattr(clf, "get_booster")


def described_model(clf: Any, sparse: bool) -> Dict[str, Any]:
    """A classifier behind a pipeline.  What a sparse matrix does not hold, a 0, is missing for XGBoost."""
    if not math.isnan(float(clf.missing)):
        refuse(clf, "missing=%r; values that are missing are NaN" % clf.missing)
    model = json.loads(bytes(clf.get_booster().save_raw("json")), parse_float=_single)
    booster = model["learner"]["gradient_booster"]
    for part in (booster, booster.get("gbtree", {})):
        for tree in part.get("model", {}).get("trees", ()):
            for key in _UNREAD:
                tree.pop(key, None)
    model["learner"].pop("feature_names", None)
    model["learner"].pop("feature_types", None)
    return {"kind": "xgboost", "model": {"learner": _finite(model["learner"])}, "zeros_missing": bool(sparse)}


def category_codes(model: Dict[str, Any]) -> Dict[int, List[int]]:
    """The features that a described model reads as categories, and the codes that it knows of each."""
    found: Dict[int, Set[int]] = {}
    booster = model["model"]["learner"]["gradient_booster"]
    for part in (booster, booster.get("gbtree", {})):
        for tree in part.get("model", {}).get("trees", ()):
            for node, first, n in zip(tree.get("categories_nodes", ()), tree.get("categories_segments", ()),
                                      tree.get("categories_sizes", ())):
                codes = tree["categories"][first:first + n]
                found.setdefault(tree["split_indices"][node], set()).update(codes)
    return {feature: sorted(codes) for feature, codes in found.items()}


def _single(text: str) -> float:
    """A number in single precision, as its text has it: not by way of a double that lies between two."""
    near = float(text)
    if struct.unpack("<Q", struct.pack("<d", near))[0] & 0x1fffffff != 0x10000000:
        return float(np.float32(near))
    exact = fractions.Fraction(text)
    sides = [np.float32(near), np.nextafter(np.float32(near), np.float32(-np.inf)),
             np.nextafter(np.float32(near), np.float32(np.inf))]
    return float(min(sides, key=lambda side: abs(fractions.Fraction(float(side)) - exact)))


def _finite(value: Any) -> Any:
    """Without NaN and infinities, which JSON does not have; thresholds of categories have them."""
    if isinstance(value, float) and not math.isfinite(value):
        return []
    if isinstance(value, list):
        return [_finite(one) for one in value]
    if isinstance(value, dict):
        return {key: _finite(one) for key, one in value.items()}
    return value
