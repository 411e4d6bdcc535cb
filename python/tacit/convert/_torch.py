"""Networks of PyTorch: torch.nn.Sequential of Linear and ReLU, by the numbers in them.

torch itself is not needed: whatever has modules called Linear, with `weight` and `bias`, and ReLU will do.  PyTorch
calculates in single precision, and proofs are about the label in double: people whose scores are closer than its rounding
may get another one, which the comparison of labels shows.
"""

from __future__ import annotations

import sys
from typing import Any, List, Optional, Sequence

import numpy as np

from .._lib import UsageError
from .._model import Model, import_bytes
from ._describe import Preprocessing, name_of, refuse

_NOTHING = ("Identity", "Dropout", "Flatten")  # what these do where a network is deployed
_ENDS = ("Sigmoid", "Softmax", "LogSoftmax", "LogSigmoid")  # these keep the order of scores


def from_torch(module: Any, X: Any, y: Any = None, *, classes: Optional[Sequence[Any]] = None,
               label: Optional[str] = None, public: Any = None, sensitive: Any = None, schema: Any = None,
               threshold: Optional[float] = None, test_share: float = 0.0, seed: int = 1, threads: int = 0) -> Model:
    """A model from a ``torch.nn.Sequential`` of Linear and ReLU, perhaps with a sigmoid or softmax at its end.

    `X` are people whose columns, all of them numbers, are the inputs in their order.  `classes` names the outputs; by
    default those of `y` in their order.  With one output the second class is given where it is above 0.  Labels are
    compared with those that `module` gives.  Other parameters are those of :func:`from_sklearn`.
    """
    layers = _layers(module)
    if y is None and label is not None and hasattr(X, "columns"):
        y, X = X[label], X.drop(columns=label)
    names = [str(name) for name in X.columns] if hasattr(X, "columns") else ["c%d" % (i + 1)
                                                                            for i in range(np.shape(X)[1])]
    if len(layers[0]["weights"][0]) != len(names):
        refuse(module, "it reads %d numbers, and there are %d columns" % (len(layers[0]["weights"][0]), len(names)))
    if classes is None:
        if y is None:
            raise UsageError("say what the classes are, or give y")
        classes = sorted(set(np.asarray(y).tolist()))
    model = {"kind": "network", "score": "odds", "layers": layers}
    predictions = _labels(module, X, classes, threshold, len(layers[-1]["bias"]))
    data = Preprocessing(names, True).document(classes, model, "torch %s" % name_of(module))
    return import_bytes(data, X, predictions if y is None else y, label=label, public=public, sensitive=sensitive,
                        schema=schema, threshold=threshold, predictions=predictions, test_share=test_share, seed=seed,
                        threads=threads)


def _numbers(tensor: Any) -> Any:
    for method in ("detach", "cpu", "numpy"):
        if hasattr(tensor, method):
            tensor = getattr(tensor, method)()
    return np.asarray(tensor, dtype=np.float64)


def _layers(module: Any) -> List[Any]:
    """Weights between ReLUs; layers without one between them become one."""
    made: List[Any] = []
    relu = ended = False
    for one in module:
        name = type(one).__name__
        if ended and name not in _NOTHING:
            refuse(module, "%s comes after the end of the scores" % name)
        if name == "Linear":
            weights, bias = _numbers(one.weight), one.bias
            bias = np.zeros(len(weights)) if bias is None else _numbers(bias)
            if made and not relu:
                before = made.pop()
                weights, bias = weights @ before[0], weights @ before[1] + bias
            made.append((weights, bias))
            relu = False
        elif name == "ReLU" and made:
            relu = True
        elif name in _ENDS and made and not relu:
            ended = True
        elif name not in _NOTHING:
            refuse(module, "it has a %s here; Linear and ReLU are read, and %s at the end" % (name, ", ".join(_ENDS)))
    if not made or relu:
        refuse(module, "it does not end in a Linear layer")
    return [{"weights": weights.tolist(), "bias": bias.tolist()} for weights, bias in made]


def _labels(module: Any, X: Any, classes: Sequence[Any], threshold: Optional[float], n_scores: int) -> Any:
    """What the deployed network says."""
    torch = sys.modules.get("torch")
    values = np.asarray(X, dtype=np.float32)
    if torch is not None:
        with torch.no_grad():
            said = _numbers(module(torch.from_numpy(values)))
    else:
        said = _numbers(module(values))
    last = type(list(module)[-1]).__name__
    if n_scores == 1:
        odds = said.ravel()
        if last == "Sigmoid":
            second = odds > 0.5 if threshold is None else odds >= threshold
        else:
            second = odds > 0 if threshold is None else odds >= np.log(threshold / (1 - threshold))
        return np.asarray(classes)[second.astype(int)]
    if threshold is not None:
        shares = np.exp(said - said.max(axis=1, keepdims=True)) if last not in ("Softmax",) else said
        shares = shares / shares.sum(axis=1, keepdims=True)
        return np.asarray(classes)[(shares[:, 1] >= threshold).astype(int)]
    return np.asarray(classes)[said.argmax(axis=1)]
