"""Descriptions of classifiers: columns, what becomes of each, and the model behind.

A :class:`Feature` is one number that a model reads: a function of one column.  Transformers of a pipeline take a list of
features and give another; :class:`Preprocessing` writes the last of them down.
"""

from __future__ import annotations

import copy
import json
import math
from typing import Any, Dict, List, NoReturn, Optional, Sequence, Tuple

import numpy as np

from .._lib import InputError, UsageError

__all__ = ["Feature", "Preprocessing", "refuse", "category", "name_of"]


def refuse(what: Any, why: str) -> NoReturn:
    """This cannot be converted, and the reason."""
    raise InputError("%s cannot be converted: %s" % (what if isinstance(what, str) else type(what).__name__, why))


def name_of(thing: Any) -> str:
    """What kind of thing it is, for messages."""
    return thing if isinstance(thing, str) else type(thing).__name__


def category(value: Any, where: str) -> Any:
    """A value of a category as JSON has it; None: missing."""
    if hasattr(value, "item") and not isinstance(value, str):
        value = value.item()
    if value is None or type(value).__name__ in ("NAType", "NaTType") or value == "":
        return None
    if isinstance(value, float) and math.isnan(value):
        return None
    if isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return int(value) if value.is_integer() else value
    refuse(where, "a category of type %s; texts, numbers and truth values are read" % type(value).__name__)


class Feature:
    """One number, made from one column.

    Before an encoder it is the column itself, perhaps scaled; `fill` stands for a missing value.  After one, `table` has
    a number for each category and `others` for all else (None: they are an error).  `dtype` is that of the array which it
    is in, None where that is not known: where all of them are float32, transformers calculate so.
    """

    def __init__(self, column: int, dtype: Any = None) -> None:
        self.column = column
        self.dtype = dtype
        self.single = dtype == np.float32  # so is the column
        self.fill: Any = None
        self.filled = False
        self.steps: List[List[Any]] = []
        self.table: Optional[List[Tuple[Any, float]]] = None
        self.others: Optional[float] = None

    def stepped(self, op: str, number: float, single: bool = False) -> "Feature":
        """With one more step, in double precision, and rounded to single precision if so."""
        made = copy.copy(self)
        made.steps = self.steps + [[op, float(number)]] + ([["float32"]] if single else [])
        made.dtype = np.dtype(np.float32 if single else np.float64)
        return made

    def encoded(self, table: List[Tuple[Any, float]], others: Optional[float]) -> "Feature":
        """By a table of what categories count as."""
        made = Feature(self.column, np.dtype(np.float64))
        made.table, made.others = table, others
        return made

    def json(self) -> Dict[str, Any]:
        """As the document has it."""
        said: Dict[str, Any] = {"column": self.column}
        steps = ([["float32"]] if self.single and self.table is None else []) + self.steps
        if self.table is not None:
            ones = [key for key, value in self.table if value == 1]
            if ones and self.others == 0 and all(value in (0, 1) for _, value in self.table):
                said["is"] = ones
            else:
                said["codes"] = [[key, None if math.isnan(value) else value] for key, value in self.table]
                if self.others is not None:
                    said["others"] = None if math.isnan(self.others) else self.others
        elif self.filled:
            steps = [["missing", float(self.fill)]] + steps
        if steps:
            said["steps"] = steps
        return said


class Preprocessing:
    """The columns that a classifier reads, and its features."""

    def __init__(self, names: Sequence[str], keep_all: bool, dtypes: Optional[Dict[str, Any]] = None) -> None:
        self.names = list(names)
        self.keep_all = keep_all  # columns that nothing reads are there too
        self.categories: Dict[int, List[Any]] = {}  # what is known of columns that encoders read
        self.others: Dict[int, bool] = {}
        self.features = [Feature(i, (dtypes or {}).get(name)) for i, name in enumerate(self.names)]
        self.sparse = False  # the last transformer gives a sparse matrix

    def know(self, column: int, categories: List[Any], others: bool) -> None:
        """An encoder knows these categories of a column, and stops at others unless it takes them."""
        before = self.categories.setdefault(column, [])
        if before:  # what one of two encoders stops at, both do
            others = others and self.others[column]
            listed = [c for c in categories if c in before] if not others else before + categories
            categories = [c for i, c in enumerate(listed) if c not in listed[:i]]
        self.categories[column] = categories
        self.others[column] = others

    def know_codes(self, feature: Feature, codes: List[int]) -> None:
        """A model reads a number as a category, of which it knows these codes; others count as missing."""
        if feature.table is None and feature.steps:
            refuse("a category of codes", "column %s is scaled before" % self.names[feature.column])
        if feature.table is None:
            self.know(feature.column, list(codes) + [None], True)

    def document(self, classes: Sequence[Any], model: Dict[str, Any], made_by: str) -> bytes:
        """The whole description."""
        read = {feature.column for feature in self.features}
        kept = [i for i in range(len(self.names)) if self.keep_all or i in read]
        places = {column: place for place, column in enumerate(kept)}
        columns = []
        for i in kept:
            said: Dict[str, Any] = {"name": self.names[i]}
            if i in self.categories:
                said["categories"] = self.categories[i]
                if self.others[i]:
                    said["others"] = True
            columns.append(said)
        features = []
        for feature in self.features:
            one = feature.json()
            one["column"] = places[feature.column]
            features.append(one)
        single = [feature for feature in self.features if feature.single and feature.table is None]
        if single and model["kind"] in ("linear", "network"):
            name = self.names[single[0].column]
            raise InputError("column %s is float32, in which scikit-learn then calculates: fit and convert with float64"
                             % name, column=name)
        if not features:
            raise UsageError("the pipeline leaves no column to decide by")
        said = {"format": "tacit-classifier", "version": 1, "made_by": made_by,
                "classes": [_class(value) for value in classes], "columns": columns, "features": features,
                "model": model}
        return json.dumps(said, separators=(",", ":"), allow_nan=False).encode("utf-8")


def _class(value: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    refuse("a class of type %s" % type(value).__name__, "classes are texts, numbers or truth values")
