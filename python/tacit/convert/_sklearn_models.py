"""What scikit-learn's classifiers do with their features: linear functions, ReLU layers, trees.

Labels follow scores as the library computes them.  Where a probability lies between score and label, the score at which it
turns is looked for with the library's own function (:func:`_least`), and `slack` is what its rounding may hide.
"""

from __future__ import annotations

import struct
from typing import Any, Callable, Dict, List, Optional, Sequence

import numpy as np

from .._lib import UsageError
from ._describe import refuse

Model = Dict[str, Any]
_ABOVE_HALF = float(np.nextafter(0.5, 1))


class Converted:
    """A model for a description, with the threshold as far as it is not in it yet."""

    def __init__(self, model: Model, threshold: Optional[float], codes: Optional[Dict[int, List[int]]] = None) -> None:
        self.model = model
        self.threshold = threshold
        self.codes = codes or {}  # features that are read as categories: the codes that are known


def converted(clf: Any, threshold: Optional[float]) -> Converted:
    """The model that a fitted classifier is."""
    name = type(clf).__name__
    reader = _READERS.get(name) if type(clf).__module__.split(".")[0] == "sklearn" else None
    if reader is None:
        refuse(clf, _WHY.get(name, "it is none of %s" % ", ".join(sorted(_READERS))))
    if np.ndim(clf.classes_[0]) > 0:
        refuse(clf, "it decides several things at once (multi-output)")
    if threshold is not None and len(clf.classes_) != 2:
        raise UsageError("a threshold is for two classes, not for %d" % len(clf.classes_))
    return reader(clf, threshold)


# ---- linear models and networks ----


def _rows(weights: Any, bias: Any) -> Model:
    weights = weights.toarray() if hasattr(weights, "toarray") else weights
    weights = np.atleast_2d(np.asarray(weights, dtype=np.float64))
    bias = np.broadcast_to(np.asarray(bias, dtype=np.float64).ravel(), (len(weights),))
    return {"weights": weights.tolist(), "bias": bias.tolist()}


def _linear(clf: Any, threshold: Optional[float]) -> Converted:
    """Scores above 0, else the largest; those without probabilities compare their score with a threshold."""
    weights, bias, kind = clf.coef_, np.asarray(clf.intercept_, dtype=np.float64), "margin"
    if len(clf.classes_) == 2 and _has_odds(clf):
        kind = "odds"
        if _is_multinomial(clf):  # the softmax of -s and s
            weights, bias = 2 * weights, 2 * bias
    elif threshold is not None:
        shift = threshold
        if getattr(clf, "loss", None) == "modified_huber":  # the probability is half of 1 + s, cut off at 0 and 1
            shift = 2 * threshold - 1
        bias = np.nextafter(bias - shift, np.inf)  # at least, where the description says above
        threshold = None
    return Converted({"kind": "linear", "score": kind, **_rows(weights, bias)}, threshold)


def _has_odds(clf: Any) -> bool:
    name = type(clf).__name__
    return name.startswith("LogisticRegression") or name == "LinearDiscriminantAnalysis" or (
        name == "SGDClassifier" and clf.loss in ("log_loss", "log"))


def _is_multinomial(clf: Any) -> bool:
    if not type(clf).__name__.startswith("LogisticRegression"):
        return False
    return getattr(clf, "multi_class", "auto") == "multinomial"


def _network(clf: Any, threshold: Optional[float]) -> Converted:
    if clf.activation not in ("relu", "identity"):
        refuse(clf, "activation=%r; proofs are for relu and identity" % clf.activation)
    if clf.out_activation_ not in ("logistic", "softmax") or (
            clf.out_activation_ == "logistic" and clf.n_outputs_ != 1):
        refuse(clf, "it decides several things at once (multi-label)")
    layers = [_rows(np.asarray(w).T, b) for w, b in zip(clf.coefs_, clf.intercepts_)]
    if clf.activation == "identity":
        weights, bias = np.eye(len(clf.coefs_[0])), np.zeros(len(clf.coefs_[0]))
        for w, b in zip(clf.coefs_, clf.intercepts_):
            weights, bias = weights @ w, bias @ w + b
        return Converted({"kind": "linear", "score": "odds", **_rows(weights.T, bias)}, threshold)
    return Converted({"kind": "network", "score": "odds", "layers": layers}, threshold)


# ---- trees ----


def _least(says: Callable[[float], bool], low: float, high: float) -> float:
    """The least double at which something holds that holds from there on; it does at `high`, and does not at `low`."""
    def order(v: float) -> int:
        bits: int = struct.unpack("<q", struct.pack("<d", v))[0]
        return bits if bits >= 0 else -(bits & 0x7fffffffffffffff)

    def number(k: int) -> float:
        v: float = struct.unpack("<d", struct.pack("<q", abs(k)))[0]
        return v if k >= 0 else -v

    a, b = order(low), order(high)
    while b - a > 1:
        middle = (a + b) // 2
        if says(number(middle)):
            b = middle
        else:
            a = middle
    return number(b)


def _nodes(left: Sequence[int], right: Sequence[int], feature: Sequence[int], tests: Sequence[Any],
           missing: Sequence[int], leaves: Sequence[List[float]]) -> List[Any]:
    """A tree as one list, its left side before its right side."""
    made: List[Any] = []
    stack = [0]
    while stack:
        i = stack.pop()
        if left[i] < 0:
            made.append(-1)
            made += leaves[i]
        else:
            made += (feature[i], tests[i], missing[i])
            stack += (right[i], left[i])
    return made


def _sklearn_nodes(tree: Any, leaves: Any) -> List[Any]:
    """leaves: an array of a row per node."""
    raw = tree.__getstate__()["nodes"] if hasattr(tree, "__getstate__") else None
    missing = np.zeros(tree.node_count, dtype=int)
    if raw is not None and "missing_go_to_left" in (raw.dtype.names or ()):
        missing = raw["missing_go_to_left"].astype(int)
    return _nodes(tree.children_left.tolist(), tree.children_right.tolist(), tree.feature.tolist(),
                  tree.threshold.tolist(), missing.tolist(), np.atleast_2d(leaves).tolist())


def _shares(tree: Any) -> Any:
    """Probabilities of the classes at each node, as predict_proba computes them."""
    values = np.asarray(tree.value[:, 0, :], dtype=np.float64)
    total = values.sum(axis=1)[:, np.newaxis]
    total[total == 0.0] = 1.0
    return values / total


def _tree(clf: Any, threshold: Optional[float]) -> Converted:
    """One tree: the largest share; with two classes, that of the second."""
    tree, shares = clf.tree_, _shares(clf.tree_)
    values = tree.value[:, 0, :]
    model: Model = {"kind": "trees", "score": "probability", "float32": True, "start": [0.0] * len(clf.classes_)}
    if len(clf.classes_) == 2:
        second, wins = shares[:, 1].copy(), values[:, 1] > values[:, 0]  # the counts decide, where shares round
        second[wins & (second <= 0.5)] = _ABOVE_HALF
        second[~wins & (second > 0.5)] = 0.5
        model.update(start=[0.0], cut=_ABOVE_HALF)
        leaves = second[:, np.newaxis]
    else:
        leaves = values
    model["trees"] = [{"nodes": _sklearn_nodes(tree, leaves)}]
    return Converted(model, threshold)


def _forest(clf: Any, threshold: Optional[float]) -> Converted:
    """Sums of shares.  Two classes are compared by sums of both, which differ from what is left of one by rounding: both
    are told, unless nothing is rounded or a threshold asks for one."""
    n, k = len(clf.estimators_), len(clf.classes_)
    shares = [_shares(one.tree_) for one in clf.estimators_]
    exact = all(bool(np.all(one * 2.0 ** 20 == np.floor(one * 2.0 ** 20))) for one in shares)
    one_sum = k == 2 and (exact or threshold is not None)
    model: Model = {"kind": "trees", "score": "probability", "divide": float(n), "float32": True,
                    "start": [0.0] if one_sum else [0.0] * k, "slack": 0.0 if exact else n * (n + 4) * 2.0 ** -52}
    if k == 2:
        model["cut"] = float(np.nextafter(n / 2, n))
    model["trees"] = [{"nodes": _sklearn_nodes(one.tree_, share[:, 1:] if one_sum else share)}
                      for one, share in zip(clf.estimators_, shares)]
    return Converted(model, threshold)


def _boosted(clf: Any, threshold: Optional[float]) -> Converted:
    """A start, and what each tree adds to it, times the learning rate."""
    k = len(clf.classes_)
    n_scores = 1 if k == 2 else k
    start = _boosted_start(clf, n_scores)
    factor = 2.0 if clf.loss == "exponential" else 1.0  # of the log-odds
    trees = []
    for stage in clf.estimators_:
        for score, one in enumerate(stage):
            leaves = (clf.learning_rate * one.tree_.value[:, 0, :1]) * factor
            said: Dict[str, Any] = {"nodes": _sklearn_nodes(one.tree_, leaves)}
            if n_scores > 1:
                said["score"] = score
            trees.append(said)
    model: Model = {"kind": "trees", "score": "odds", "float32": True, "start": (start * factor).tolist(),
                    "slack": 2.0 ** -40 if n_scores > 1 else 2.0 ** -50, "trees": trees}
    if n_scores == 1:
        model["cut"] = _boosted_cut(clf)
    return Converted(model, threshold)


def _boosted_start(clf: Any, n_scores: int) -> Any:
    init = getattr(clf, "init_", None)
    if isinstance(init, str) and init == "zero":
        return np.zeros(n_scores)
    if type(init).__name__ != "DummyClassifier":
        refuse(clf, "it starts from a %s" % type(init).__name__)
    one = np.zeros((1, clf.n_features_in_), dtype=np.float32)
    return np.asarray(clf._raw_predict_init(one), dtype=np.float64)[0]


def _boosted_cut(clf: Any) -> float:
    decide: Any = getattr(clf._loss, "_raw_prediction_to_decision", None)
    if decide is None or clf.loss == "exponential":
        return 0.0
    return _least(lambda v: bool(decide(np.array([[v]]))[0]), -1.0, 1.0)


def _hist_boosted(clf: Any, threshold: Optional[float]) -> Converted:
    """Doubles compared as they are; missing values and sets of codes go their own way."""
    k = len(clf.classes_)
    n_scores = 1 if k == 2 else k
    known, places = clf._bin_mapper.make_known_categories_bitsets()
    trees = []
    for stage in clf._predictors:
        for score, one in enumerate(stage):
            said: Dict[str, Any] = {"nodes": _hist_nodes(one, known, places)}
            if n_scores > 1:
                said["score"] = score
            trees.append(said)
    start = np.asarray(clf._baseline_prediction, dtype=np.float64).ravel()
    model: Model = {"kind": "trees", "score": "odds", "start": start.tolist(),
                    "slack": 2.0 ** -40 if n_scores > 1 else 2.0 ** -50, "trees": trees}
    if n_scores == 1:
        model["cut"] = _least(
            lambda v: bool(np.argmax(clf._loss.predict_proba(np.array([[v]])), axis=1)[0]), -1.0, 1.0)
    sets = getattr(clf, "is_categorical_", None)
    features: List[int] = [] if sets is None else np.flatnonzero(sets).tolist()
    codes = {i: [v for v in range(256) if _in_bits(known[places[i]], v)] for i in features}
    return Converted(model, threshold, codes)


def _in_bits(bits: Any, value: int) -> bool:
    return bool(int(bits[value // 32]) >> (value % 32) & 1)


def _hist_nodes(one: Any, known: Any, places: Any) -> List[Any]:
    nodes = one.nodes
    inner = nodes["is_leaf"] == 0
    tests: List[Any] = np.where(np.isinf(nodes["num_threshold"]), np.finfo(np.float64).max,
                                nodes["num_threshold"]).tolist()
    for i in np.flatnonzero(inner & (nodes["is_categorical"] != 0)):
        node = nodes[i]
        bits, there = one.raw_left_cat_bitsets[node["bitset_idx"]], known[places[node["feature_idx"]]]
        others = bool(node["missing_go_to_left"])  # a code that is not known counts as missing
        tests[i] = [v for v in range(256) if _in_bits(bits, v) or (others and not _in_bits(there, v))]
        tests[i] += [-1] if others else []
    left = np.where(inner, nodes["left"].astype(np.int64), -1)
    return _nodes(left.tolist(), nodes["right"].tolist(), nodes["feature_idx"].tolist(), tests,
                  nodes["missing_go_to_left"].astype(int).tolist(), nodes["value"][:, np.newaxis].tolist())


_READERS: Dict[str, Callable[[Any, Optional[float]], Converted]] = {
    "LogisticRegression": _linear, "LogisticRegressionCV": _linear, "LinearSVC": _linear, "RidgeClassifier": _linear,
    "RidgeClassifierCV": _linear, "SGDClassifier": _linear, "Perceptron": _linear,
    "PassiveAggressiveClassifier": _linear, "LinearDiscriminantAnalysis": _linear, "MLPClassifier": _network,
    "DecisionTreeClassifier": _tree, "ExtraTreeClassifier": _tree, "RandomForestClassifier": _forest,
    "ExtraTreesClassifier": _forest, "GradientBoostingClassifier": _boosted,
    "HistGradientBoostingClassifier": _hist_boosted}
_WHY = {
    "CalibratedClassifierCV": "a calibrated classifier averages several that see different data; convert the one inside, "
                              "with threshold=",
    "SVC": "a kernel machine; LinearSVC is read",
    "NuSVC": "a kernel machine; LinearSVC is read",
    "KNeighborsClassifier": "it decides by the training rows",
    "GaussianNB": "its scores are quadratic",
    "QuadraticDiscriminantAnalysis": "its scores are quadratic",
    "AdaBoostClassifier": "a vote of classifiers; GradientBoostingClassifier is read",
    "BaggingClassifier": "a vote of classifiers; RandomForestClassifier is read",
    "VotingClassifier": "a vote of classifiers",
    "StackingClassifier": "classifiers on top of classifiers",
    "MultiOutputClassifier": "it decides several things at once (multi-output)",
    "ClassifierChain": "it decides several things at once (multi-output)",
    "OneVsRestClassifier": "classifiers side by side; most classifiers tell several classes apart themselves",
    "OneVsOneClassifier": "classifiers side by side; most classifiers tell several classes apart themselves",
}
