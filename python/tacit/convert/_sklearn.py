"""Fitted classifiers of scikit-learn, and pipelines that end in one."""

from __future__ import annotations

import json
from typing import Any, Dict, List, Optional, Sequence, Tuple

import numpy as np

from .._lib import InputError, UsageError
from .._model import Model, import_bytes
from ._describe import Preprocessing, refuse
from ._sklearn_preprocessing import transformed
from ._sklearn_models import converted
from ._xgboost import category_codes, described_model, is_classifier as is_xgboost

_SEARCHES = ("GridSearchCV", "RandomizedSearchCV", "HalvingGridSearchCV", "HalvingRandomSearchCV")


def from_sklearn(clf: Any, X: Any, y: Any = None, *, label: Optional[str] = None, public: Any = None,
                 sensitive: Any = None, schema: Any = None, threshold: Optional[float] = None,
                 test_share: float = 0.0, seed: int = 1, threads: int = 0) -> Model:
    """A model from a fitted classifier of scikit-learn, or a Pipeline that ends in one (or in an XGBClassifier).

    Read are LogisticRegression, LinearSVC, RidgeClassifier, SGDClassifier, Perceptron and their like, MLPClassifier (relu
    or identity), decision trees, forests, extra trees, GradientBoostingClassifier and HistGradientBoostingClassifier;
    behind ColumnTransformer, StandardScaler and other scalers, OneHotEncoder, OrdinalEncoder and SimpleImputer.  Whatever
    cannot be converted is refused by name, with the reason.

    The labels of everybody in `X` are then compared with those that `clf` gives; one that differs is an error.

    Parameters
    ----------
    clf
        The fitted classifier.
    X, y
        People as `clf` takes them, a DataFrame or an array, and their true labels; without `y`, what `clf` says.
    label
        The name of what is decided, where `y` has none.
    public, sensitive
        Which attributes are known anyway, and which are not.  Default: all are sensitive.
    schema
        Domains, roles and texts of the attributes (a path, JSON text or a dict); else they are found out from `X`.
    threshold
        Two classes: the second is given from this probability on; for classifiers without probabilities (LinearSVC,
        RidgeClassifier, Perceptron), from this value of ``decision_function`` on.
    test_share
        Share of the rows that domains and distribution are not learnt from.

    ::

        pipeline = make_pipeline(ColumnTransformer(...), LogisticRegression()).fit(X, y)
        model = tacit.from_sklearn(pipeline, X, y, public=["region"])
    """
    X, y, columns = _people(X, y, label)
    data, left = describe(clf, columns, threshold=threshold, arrays=not hasattr(X, "columns"), dtypes=_dtypes(X))
    if hasattr(X, "columns"):
        people = X[[name for name in X.columns if str(name) in _columns_of(data)]]
    else:
        people = X
    predictions = _labels(clf, X, threshold)
    try:
        return import_bytes(data, people, predictions if y is None else y, label=label, public=public,
                            sensitive=sensitive, schema=schema, threshold=left, predictions=predictions,
                            test_share=test_share, seed=seed, threads=threads)
    except InputError as error:
        if "gives another label than this prediction" not in str(error):
            raise
        raise InputError("%s; values so close to a tie that rounding decides are the usual reason"
                         % error, error.file, error.row, error.column) from None


def describe(clf: Any, columns: Sequence[str], *, threshold: Optional[float] = None,
             arrays: bool = False, dtypes: Optional[Dict[str, Any]] = None) -> Tuple[bytes, Optional[float]]:
    """The description of a fitted classifier as ``tacit import`` reads it, and the threshold that is to be given with it.

    `columns` are those of the people, `dtypes` those of numpy that they have, by their names: what comes as float32 is
    calculated with as such.  With `arrays` all columns are kept, whether they are read or not.
    """
    steps, last = _steps(clf)
    names = [str(name) for name in getattr(clf, "feature_names_in_", columns)]
    prep = Preprocessing(names, arrays, dtypes)
    for step in steps:
        prep.features = transformed(prep, step, prep.features)
    if getattr(last, "n_features_in_", len(prep.features)) != len(prep.features):
        refuse(last, "it reads %d columns and the pipeline makes %d" % (last.n_features_in_, len(prep.features)))
    if is_xgboost(last):
        model, classes, left = described_model(last, prep.sparse), last.classes_, threshold
        for place, codes in category_codes(model).items():
            prep.know_codes(prep.features[place], codes)
    else:
        made = converted(last, threshold)
        model, classes, left = made.model, last.classes_, made.threshold
        for place, codes in made.codes.items():
            prep.know_codes(prep.features[place], codes)
    return prep.document(classes, model, _made_by(last)), left


def _steps(clf: Any) -> Tuple[List[Any], Any]:
    """The transformers in front, and the classifier at the end."""
    if type(clf).__name__ in _SEARCHES:
        if not hasattr(clf, "best_estimator_"):
            refuse(clf, "it is not fitted, or refit=False")
        clf = clf.best_estimator_
    if type(clf).__name__ != "Pipeline":
        _check_fitted(clf)
        return [], clf
    steps = [step for _, step in clf.steps]
    before, last = _steps(steps[-1])
    return steps[:-1] + before, last


def _check_fitted(clf: Any) -> None:
    if not hasattr(clf, "predict"):
        refuse(clf, "it is no classifier")
    if not hasattr(clf, "classes_"):
        refuse(clf, "it is not fitted, or it is no classifier")


def _made_by(last: Any) -> str:
    library = type(last).__module__.split(".")[0]
    module = __import__(library)
    name = {"sklearn": "scikit-learn"}.get(library, library)
    return "%s %s %s" % (name, getattr(module, "__version__", "?"), type(last).__name__)


def _columns_of(data: bytes) -> List[str]:
    return [column["name"] for column in json.loads(data)["columns"]]


def _people(X: Any, y: Any, label: Optional[str]) -> Tuple[Any, Any, List[str]]:
    """People as the classifier takes them, their labels, and the names of the columns."""
    if hasattr(X, "columns"):
        if y is None and label is not None:
            y, X = X[label], X.drop(columns=label)
        return X, y, [str(name) for name in X.columns]
    X = np.asarray(X)
    if X.ndim != 2:
        raise UsageError("people are rows and columns; this array has %d dimensions" % X.ndim)
    return X, y, ["c%d" % (i + 1) for i in range(X.shape[1])]


def _dtypes(X: Any) -> Dict[str, Any]:
    """numpy's types of the columns that have one."""
    if not hasattr(X, "columns"):
        return {"c%d" % (i + 1): X.dtype for i in range(X.shape[1])}
    return {str(name): dtype for name, dtype in zip(X.columns, X.dtypes) if isinstance(dtype, np.dtype)}


def _labels(clf: Any, X: Any, threshold: Optional[float]) -> Any:
    """What the deployed classifier says."""
    if threshold is None:
        return np.asarray(clf.predict(X))
    if hasattr(clf, "predict_proba"):
        second = np.asarray(clf.predict_proba(X))[:, 1] >= threshold
    else:
        second = np.asarray(clf.decision_function(X)) >= threshold
    return np.asarray(clf.classes_)[second.astype(int)]
