"""What scikit-learn's transformers do to columns, written down step by step."""

from __future__ import annotations

import math
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

import numpy as np

from ._describe import Feature, Preprocessing, category, name_of, refuse

Features = List[Feature]


def transformed(prep: Preprocessing, transformer: Any, features: Features) -> Features:
    """The features that a fitted transformer makes of these; sets prep.sparse."""
    if transformer is None or transformer == "passthrough":
        return features
    if transformer == "drop":
        return []
    reader = _READERS.get(type(transformer).__name__) if _is_sklearn(transformer) else None
    if reader is None:
        if _is_sklearn(transformer) and hasattr(transformer, "get_support"):
            return [features[i] for i in transformer.get_support(indices=True)]
        refuse(transformer, "what it does to columns is not known here; known are %s, and selectors"
               % ", ".join(sorted(_READERS)))
    expected = getattr(transformer, "n_features_in_", len(features))
    if reader not in (_column_transformer, _pipeline, _union) and expected != len(features):
        refuse(transformer, "it was fitted on %d columns and is given %d" % (expected, len(features)))
    return reader(prep, transformer, features)


def _is_sklearn(thing: Any) -> bool:
    return type(thing).__module__.split(".")[0] == "sklearn"


# ---- numbers ----


def _is_single(features: Features) -> bool:
    """Are the numbers handed over as one array of float32?  Results are then rounded to that."""
    return bool(features) and all(one.dtype is not None for one in features) and (
        np.result_type(*(one.dtype for one in features)) == np.float32)


def _scaled(features: Features, *steps: Tuple[str, Optional[Sequence[float]]]) -> Features:
    made, single = [], _is_single(features)
    for i, feature in enumerate(features):
        for op, numbers in steps:
            if numbers is not None:
                feature = feature.stepped(op, numbers[i], single)
        made.append(feature)
    return made


def _standard(prep: Preprocessing, t: Any, features: Features) -> Features:
    return _scaled(features, ("-", t.mean_ if t.with_mean else None), ("/", t.scale_ if t.with_std else None))


def _min_max(prep: Preprocessing, t: Any, features: Features) -> Features:
    if t.clip:
        refuse(t, "clip=True cuts values off, which is not a scaling")
    return _scaled(features, ("*", t.scale_), ("+", t.min_))


def _max_abs(prep: Preprocessing, t: Any, features: Features) -> Features:
    return _scaled(features, ("/", t.scale_))


def _robust(prep: Preprocessing, t: Any, features: Features) -> Features:
    return _scaled(features, ("-", t.center_ if t.with_centering else None),
                   ("/", t.scale_ if t.with_scaling else None))


def _function(prep: Preprocessing, t: Any, features: Features) -> Features:
    if t.func is not None:
        refuse(t, "a function of its own")
    return features


# ---- missing values ----


def _imputer(prep: Preprocessing, t: Any, features: Features) -> Features:
    wanted = t.missing_values
    if not (wanted is None or wanted != wanted or type(wanted).__name__ == "NAType"):
        refuse(t, "it replaces values other than missing ones: write them as NaN")
    if t.add_indicator:
        refuse(t, "add_indicator=True makes columns that say whether a value is missing")
    made, single = [], _is_single(features)
    for feature, by in zip(features, t.statistics_):
        by = category(by, name_of(t))
        if by is None:
            refuse(t, "column %s has no value to replace missing ones by" % prep.names[feature.column])
        if feature.table is not None or feature.steps:
            if isinstance(by, str):
                refuse(t, "a text in place of a number")
            feature = feature.stepped("missing", float(by), single)
        elif not feature.filled:
            one = Feature(feature.column, feature.dtype)
            one.fill, one.filled = by, True
            feature = one
        made.append(feature)
    return made


# ---- encoders ----


def _known(prep: Preprocessing, t: Any, feature: Feature, categories: Any) -> List[Any]:
    """The categories that an encoder knows of a column, None for missing."""
    if feature.table is not None or feature.steps:
        refuse(t, "it encodes what has been encoded or scaled before")
    known = [category(value, name_of(t)) for value in categories]
    if sum(value is None for value in known) > 1:
        refuse(t, "column %s has several kinds of missing values (None, NaN, empty texts)"
               % prep.names[feature.column])
    return known


def _told(prep: Preprocessing, feature: Feature, known: List[Any], others: bool) -> None:
    """Keep what is known; what stands for missing values is among it."""
    known = [value for value in known if value is not None] if feature.filled else known
    prep.know(feature.column, known + [None] if feature.filled and (others or feature.fill in known) else known, others)


def _filled(feature: Feature, table: List[Tuple[Any, float]], others: Optional[float]) -> List[Tuple[Any, float]]:
    """A missing value counts as what stands for it."""
    if not feature.filled:
        return table
    table = [(key, value) for key, value in table if key is not None]
    for key, value in table:
        if key == feature.fill:
            return table + [(None, value)]
    return table if others is None else table + [(None, others)]


def _one_hot(prep: Preprocessing, t: Any, features: Features) -> Features:
    made: Features = []
    rare = getattr(t, "infrequent_categories_", None) if getattr(t, "_infrequent_enabled", False) else None
    for i, feature in enumerate(features):
        known = _known(prep, t, feature, t.categories_[i])
        few = [] if rare is None or rare[i] is None else [category(value, name_of(t)) for value in rare[i]]
        groups = [[value] for value in known if value not in few] + ([few] if few else [])
        others = t.handle_unknown != "error"
        _told(prep, feature, known, others)
        drop = None if t.drop_idx_ is None else t.drop_idx_[i]
        for k, group in enumerate(groups):
            if drop is not None and k == drop:
                continue
            takes_others = bool(few) and k == len(groups) - 1 and t.handle_unknown == "infrequent_if_exist"
            rest = 1.0 if takes_others else 0.0
            table = _filled(feature, [(value, float(value in group)) for value in known], rest)
            made.append(feature.encoded(table, rest))
    prep.sparse = bool(getattr(t, "sparse_output", getattr(t, "sparse", True)))
    return made


def _ordinal(prep: Preprocessing, t: Any, features: Features) -> Features:
    made = []
    if getattr(t, "_infrequent_enabled", False):
        refuse(t, "infrequent categories")
    for i, feature in enumerate(features):
        known = _known(prep, t, feature, t.categories_[i])
        others = float(t.unknown_value) if t.handle_unknown == "use_encoded_value" else None
        missing = getattr(t, "encoded_missing_value", math.nan)
        table = [(value, float(k) if value is not None else float(missing)) for k, value in enumerate(known)]
        _told(prep, feature, known, others is not None)
        made.append(feature.encoded(_filled(feature, table, others), others))
    prep.sparse = False
    return made


# ---- composition ----


def _places(prep: Preprocessing, t: Any, columns: Any, count: int) -> List[int]:
    """Columns of a ColumnTransformer as places."""
    names = [str(name) for name in getattr(t, "feature_names_in_", ())]
    if isinstance(columns, slice):
        start, stop = columns.start, columns.stop
        if isinstance(start, str) or isinstance(stop, str):
            start = names.index(start) if start is not None else None
            stop = names.index(stop) + 1 if stop is not None else None
        return list(range(count))[slice(start, stop, columns.step)]
    if isinstance(columns, (str, int, np.integer)):
        columns = [columns]
    listed = list(columns)
    if listed and all(isinstance(one, (bool, np.bool_)) for one in listed):
        return [i for i, one in enumerate(listed) if one]
    places = []
    for one in listed:
        if isinstance(one, str):
            if one not in names:
                refuse(t, "column %s is not one that it was fitted on" % one)
            places.append(names.index(one))
        else:
            places.append(int(one) % count)
    return places


def _column_transformer(prep: Preprocessing, t: Any, features: Features) -> Features:
    made: Features = []
    for _, transformer, columns in t.transformers_:
        picked = [features[i] for i in _places(prep, t, columns, len(features))]
        if picked:
            made += transformed(prep, transformer, picked)
    prep.sparse = bool(t.sparse_output_)
    return made


def _pipeline(prep: Preprocessing, t: Any, features: Features) -> Features:
    for _, step in t.steps:
        features = transformed(prep, step, features)
    return features


def _union(prep: Preprocessing, t: Any, features: Features) -> Features:
    made: Features = []
    sparse = False
    if t.transformer_weights:
        refuse(t, "transformer_weights")
    for _, step in t.transformer_list:
        prep.sparse = False
        made += transformed(prep, step, features)
        sparse = sparse or prep.sparse
    prep.sparse = sparse
    return made


_READERS: Dict[str, Callable[[Preprocessing, Any, Features], Features]] = {
    "ColumnTransformer": _column_transformer, "FeatureUnion": _union, "FunctionTransformer": _function,
    "MaxAbsScaler": _max_abs, "MinMaxScaler": _min_max, "OneHotEncoder": _one_hot, "OrdinalEncoder": _ordinal,
    "Pipeline": _pipeline, "RobustScaler": _robust, "SimpleImputer": _imputer, "StandardScaler": _standard}
