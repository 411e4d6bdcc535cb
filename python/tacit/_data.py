"""People in memory as the library takes them: columns of numbers and texts, without a detour over CSV.

Whatever comes (a DataFrame, arrays, a dict of columns, an Arrow producer) becomes a list of named columns, and each column
a pointer, a stride and, for texts, a list of levels.  Numbers are not copied on the way; texts are told apart once and
handed over as places in the list of those that occur.
"""

from __future__ import annotations

import array
import ctypes as c
import datetime
import decimal
import math
import os
import sys
import weakref
from collections.abc import Mapping, Sequence
from typing import Any, Dict, Iterable, List, Optional, Tuple

from . import _abi as abi
from ._lib import InputError, UsageError, encoded, error_of, lib, run  # noqa: F401

_TYPES = {name[len("TACIT_COLUMN_"):]: value for name, value in abi.ENUMS["tacit_column_type"].items()}
_MISSING_DAY = -(1 << 63)
_EPOCH = datetime.date(1970, 1, 1)


def numpy() -> Any:
    """numpy, or None where it is not installed."""
    try:
        import numpy as np
    except ImportError:
        return None
    return np


def _loaded(name: str) -> Any:
    """A library whose objects may be here: only if somebody has imported it."""
    return sys.modules.get(name)


# ---- values one by one ----


def is_missing(value: Any) -> bool:
    """None, NaN, NaT and pandas' NA."""
    if value is None:
        return True
    if isinstance(value, str):
        return False
    try:
        return bool(value != value)
    except (TypeError, ValueError):
        return type(value).__name__ in ("NAType", "NaTType")


def cell_text(value: Any, column: Optional[str] = None) -> Optional[str]:
    """A value as the text of a CSV cell; None where it is missing."""
    if isinstance(value, str):
        return str(value)
    if is_missing(value):
        return None
    if hasattr(value, "item") and getattr(value, "ndim", 0) == 0 and not isinstance(value, (bytes, bytearray)):
        if type(value).__module__ == "numpy" and type(value).__name__ == "datetime64":
            return str(value.astype("datetime64[D]"))
        value = value.item()
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "True" if value else "False"
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, (int, decimal.Decimal)):
        return str(value)
    if isinstance(value, datetime.datetime):
        return value.date().isoformat()
    if isinstance(value, datetime.date):
        return value.isoformat()
    raise InputError("%s: values of type %s cannot be read: turn them into numbers or texts"
                     % ("column " + column if column else "value", type(value).__name__), column=column)


# ---- columns ----


class _Made:
    """A column as the library takes it, and what its pointers point at."""

    def __init__(self, name: str, kind: str, values: Any, n: int, stride: int = 0, missing: Any = None,
                 levels: Optional[List[bytes]] = None) -> None:
        self.n = n
        self.keep: List[Any] = [values, missing]
        self.column = abi.Column()
        self.column.name = encoded(name, "the name of a column")
        self.column.type = _TYPES[kind]
        self.column.values = _address(values)
        self.column.stride = stride
        if missing is not None:
            self.column.missing = _address(missing)
        if levels is not None:
            listed = (c.c_char_p * max(len(levels), 1))(*levels)
            self.keep.append(listed)
            self.column.levels = listed
            self.column.n_levels = len(levels)


def _address(values: Any) -> int:
    if isinstance(values, array.array):
        return values.buffer_info()[0]
    if hasattr(values, "__array_interface__"):
        return int(values.__array_interface__["data"][0])
    return c.addressof(values)


def _level(text: str, name: str) -> bytes:
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError:
        raise InputError("column %s: a text that is no Unicode" % name, column=name) from None
    if b"\0" in data:
        raise InputError("column %s: a text with a NUL character" % name, column=name)
    return data


def _texts(name: str, values: Iterable[Any]) -> _Made:
    """Any values, one by one.  What looks equal but is not (1, 1.0, True) is told apart by its type."""
    places: Dict[Any, int] = {}
    levels: List[bytes] = []
    codes = array.array("i")
    for value in values:
        key = value if type(value) is str else (type(value), value)
        try:
            place = places.get(key)
        except TypeError:
            raise InputError("column %s: values of type %s cannot be read: turn them into numbers or texts"
                             % (name, type(value).__name__), column=name) from None
        if place is None:
            text = cell_text(value, name)
            place = -1
            if text is not None:
                place = len(levels)
                levels.append(_level(text, name))
            places[key] = place
        codes.append(place)
    return _Made(name, "INT32", codes, len(codes), levels=levels)


def _from_list(name: str, values: Sequence[Any]) -> _Made:
    """A list: numbers where all of it is numbers, else texts."""
    kinds = {type(value) for value in values if value is not None}
    if kinds and kinds <= {float, int} and float in kinds:
        try:
            return _Made(name, "FLOAT64", array.array("d", (math.nan if v is None else v for v in values)), len(values))
        except OverflowError:
            return _texts(name, values)
    if kinds == {int} and None not in values:
        try:
            return _Made(name, "INT64", array.array("q", values), len(values))
        except OverflowError:
            return _texts(name, values)
    return _texts(name, values)


_FEW = 1024  # different objects among the first rows: more of them are told apart by what they say


def _objects(values: Any) -> Optional[Tuple[Any, List[Any]]]:
    """The different objects of an array, in the order of their first rows, and for each row its place among them.

    Columns of categories hold few objects many times.  Telling these apart by where they are in memory takes a seventh of
    the time that comparing them takes.  None where they are many, or where there is no telling.
    """
    np, pandas = numpy(), _loaded("pandas")
    if pandas is None or sys.implementation.name != "cpython" or len(values) == 0:
        return None
    values = np.ascontiguousarray(values)
    memory = (c.c_char * values.nbytes).from_address(_address(values))
    where = np.ndarray(values.shape, np.intp, buffer=memory)
    if len(pandas.unique(where[:4 * _FEW])) > _FEW:
        return None
    codes, found = pandas.factorize(where)
    return codes, [c.cast(int(place), c.py_object).value for place in found]  # alive: the array holds them


def _factorized(name: str, values: Any) -> _Made:
    """An array of objects, by pandas where it is loaded: texts are told apart at its speed."""
    np, pandas = numpy(), _loaded("pandas")
    apart = _objects(values)
    if apart is not None:
        codes, found = apart
        made = _texts(name, found)
        places = np.frombuffer(made.keep[0], np.int32)
        levels = made.keep[2][:made.column.n_levels]
        if not np.array_equal(places, np.arange(len(places))):
            codes = places[codes]
        return _Made(name, "INT%d" % (8 * codes.itemsize), codes, len(codes), levels=levels)
    if pandas is None:
        return _texts(name, values.tolist())
    codes, found = pandas.factorize(values)
    if not all(type(value) is str for value in found):
        return _texts(name, values.tolist())
    return _Made(name, "INT64", codes, len(codes), levels=[_level(text, name) for text in found])


def _refused(name: str, what: str) -> InputError:
    return InputError("column %s: %s" % (name, what), column=name)


def _from_numpy(name: str, values: Any, missing: Any = None) -> _Made:
    """A numpy array of one dimension.  missing: an array of truth values."""
    np = numpy()
    if values.ndim != 1:
        raise _refused(name, "not one value a row")
    if type(values) is not np.ndarray:
        mask = getattr(values, "mask", None)  # masked arrays
        if mask is not None and missing is None:
            missing = np.ascontiguousarray(np.broadcast_to(mask, values.shape))
            values = values.data
        values = np.asarray(values)
    kind, size = values.dtype.kind, values.dtype.itemsize
    if not values.dtype.isnative:
        values = values.astype(values.dtype.newbyteorder("="))
    if missing is not None:
        missing = np.ascontiguousarray(missing, dtype=np.uint8)
    if kind in "iu" or (kind == "f" and size <= 8):
        word = {"i": "INT", "u": "UINT", "f": "FLOAT"}[kind]
        return _Made(name, "%s%d" % (word, 8 * size), values, len(values), values.strides[0], missing)
    if kind == "f":
        return _from_numpy(name, values.astype(np.float64), missing)
    if kind == "b":
        return _Made(name, "BOOL", values, len(values), values.strides[0], missing)
    if kind == "M":
        days = values.astype("datetime64[D]").astype(np.int64)
        return _Made(name, "DAYS", days, len(days), days.strides[0], missing)
    if kind in "OU":
        return _factorized(name, values.astype(object) if kind == "U" else values)
    raise _refused(name, {"m": "durations cannot be read: turn them into numbers",
                          "c": "complex numbers cannot be read",
                          "S": "bytes cannot be read: decode them to texts"}.get(
                              kind, "values of type %s cannot be read" % values.dtype))


def _from_pandas(name: str, series: Any) -> _Made:
    """A pandas Series."""
    np, dtype = numpy(), series.dtype
    if isinstance(dtype, np.dtype):
        return _from_numpy(name, series.to_numpy())
    if hasattr(series, "cat"):
        return _from_categorical(name, series)
    if getattr(dtype, "tz", None) is not None:
        return _from_numpy(name, series.dt.tz_localize(None).to_numpy())
    plain = getattr(dtype, "numpy_dtype", None)  # Int64, Float32, boolean, ...
    if plain is not None and np.dtype(plain).kind in "iufb":
        gone = series.isna().to_numpy()
        filler = False if np.dtype(plain).kind == "b" else 0
        return _from_numpy(name, series.to_numpy(dtype=plain, na_value=filler), gone)
    values = np.asarray(series)
    if values.dtype.kind == "O" and type(dtype).__name__ in ("PeriodDtype", "IntervalDtype"):
        raise _refused(name, "values of type %s cannot be read: turn them into numbers or texts" % dtype)
    return _from_numpy(name, values)


def _from_categorical(name: str, series: Any) -> _Made:
    """Categories that are texts stay places in a list; numbers and the like count as the numbers they are."""
    np = numpy()
    codes = series.cat.codes.to_numpy()
    categories = series.cat.categories
    if all(type(value) is str for value in categories):
        return _Made(name, "INT%d" % (8 * codes.itemsize), codes, len(codes), codes.strides[0],
                     levels=[_level(text, name) for text in categories])
    if len(categories) == 0:
        return _texts(name, [None] * len(codes))
    values = np.asarray(categories)[codes]
    return _from_numpy(name, values, codes < 0)


def made_column(name: str, values: Any) -> _Made:
    """One column, whatever it is made of."""
    pandas, np = _loaded("pandas"), _loaded("numpy")
    if pandas is not None and isinstance(values, (pandas.Series, pandas.Index)):
        return _from_pandas(name, values.to_series() if isinstance(values, pandas.Index) else values)
    if pandas is not None and isinstance(values, pandas.api.extensions.ExtensionArray):
        return _from_pandas(name, pandas.Series(values))
    if isinstance(values, (list, tuple)):
        return _from_list(name, values)
    if isinstance(values, array.array) and values.typecode != "u":
        return _from_list(name, values.tolist())
    if isinstance(values, (str, bytes)):
        raise _refused(name, "one value where a column of them is expected")
    if np is not None and isinstance(values, np.ndarray):
        return _from_numpy(name, values)
    if np is not None and hasattr(values, "__array__"):
        return _from_numpy(name, np.asarray(values))
    try:
        return _from_list(name, list(values))
    except TypeError:
        raise _refused(name, "a %s is no column of values" % type(values).__name__) from None


# ---- tables ----


class Table:
    """People in the library's memory."""

    def __init__(self, handle: int) -> None:
        self.handle = handle
        self._finalizer = weakref.finalize(self, lib.tacit_table_free, handle)

    @property
    def rows(self) -> int:
        """How many people."""
        return int(lib.tacit_table_rows(self.handle))

    @property
    def columns(self) -> List[str]:
        """The names of the columns."""
        return [lib.tacit_table_column_name(self.handle, i).decode("utf-8", "surrogateescape")
                for i in range(lib.tacit_table_columns(self.handle))]

    def close(self) -> None:
        """Wipe and free it now."""
        self._finalizer()


Columns = List[Tuple[str, Any]]


def _column_name(name: Any) -> str:
    if isinstance(name, tuple):
        raise UsageError("columns with names of several levels: give each a name that is one text")
    return str(name)


def _named(X: Any, columns: Optional[Sequence[str]]) -> Optional[Columns]:
    """The columns of an object that has some; None when it is none of these."""
    pandas, np = _loaded("pandas"), _loaded("numpy")
    if pandas is not None and isinstance(X, pandas.DataFrame):
        return [(_column_name(name), X.iloc[:, i]) for i, name in enumerate(X.columns)]
    if pandas is not None and isinstance(X, pandas.Series):
        return [(_column_name("c1" if X.name is None else X.name), X)]
    if isinstance(X, Mapping):
        return [(_column_name(name), values) for name, values in X.items()]
    if np is not None and isinstance(X, np.ndarray):
        return _named_array(X, columns)
    if isinstance(X, (list, tuple)) and X and all(isinstance(row, Mapping) for row in X):
        found: Dict[Any, None] = {}
        for row in X:
            found.update(dict.fromkeys(row))
        return [(_column_name(name), [row.get(name) for row in X]) for name in found]
    if isinstance(X, (list, tuple)) and X and all(isinstance(row, (list, tuple)) for row in X):
        return _named_rows(X, columns)
    return None


def _named_rows(X: Sequence[Sequence[Any]], columns: Optional[Sequence[str]]) -> Columns:
    width = len(X[0])
    for i, row in enumerate(X):
        if len(row) != width:
            raise InputError("table: row %d has %d values where others have %d" % (i + 1, len(row), width), row=i + 1)
    return list(zip(_array_names(width, columns), (list(column) for column in zip(*X))))


def _array_names(width: int, columns: Optional[Sequence[str]]) -> List[str]:
    if columns is None:
        return ["c%d" % (i + 1) for i in range(width)]
    if len(columns) != width:
        raise UsageError("%d columns where %d names are known: give a table with named columns" % (width, len(columns)))
    return [_column_name(name) for name in columns]


def _named_array(X: Any, columns: Optional[Sequence[str]]) -> Columns:
    if X.dtype.names:
        return [(name, X[name]) for name in X.dtype.names]
    if X.ndim != 2:
        raise UsageError("an array of %d dimensions is no table: rows and columns are two" % X.ndim)
    return [(name, X[:, i]) for i, name in enumerate(_array_names(X.shape[1], columns))]


def is_path(X: Any) -> bool:
    """A file name, or several."""
    return isinstance(X, (str, os.PathLike)) or (
        isinstance(X, (list, tuple)) and len(X) > 0 and all(isinstance(path, (str, os.PathLike)) for path in X))


def _same_length(made: List[_Made]) -> int:
    lengths = [one.n for one in made]
    n = max(lengths, key=lengths.count, default=0)  # that of most, so that the odd one is named
    for one in made:
        if one.n != n:
            name = one.column.name.decode("utf-8", "replace")
            raise InputError("column %s has %d rows where others have %d" % (name, one.n, n), column=name)
    return n


def built(columns: Columns, name: str = "table", threads: int = 0) -> Table:
    """A table from columns."""
    seen = set()
    for column, _ in columns:
        if column in seen:
            raise InputError("column %s is there twice" % column, column=column)
        seen.add(column)
    if not columns:
        raise InputError("%s: no columns" % name, file=name)
    made = [made_column(column, values) for column, values in columns]
    n = _same_length(made)
    listed = (abi.Column * max(len(made), 1))(*(one.column for one in made))
    handle = run(lib.tacit_table_build, encoded(name), listed, len(made), n, None, threads, keep=(made, listed),
                 free=lib.tacit_table_free)
    return Table(handle)


def _capsule(capsule: Any, name: bytes) -> int:
    get = c.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = c.c_void_p, [c.py_object, c.c_char_p]
    return int(get(capsule, name))


def _from_arrow(X: Any, more: Columns, name: str, threads: int) -> Table:
    """What the Arrow PyCapsule interface hands over, and columns beside it."""
    if hasattr(X, "__arrow_c_stream__"):
        stream = X.__arrow_c_stream__()
        made = [made_column(column, values) for column, values in more]
        n = _same_length(made)
        listed = (abi.Column * max(len(made), 1))(*(one.column for one in made))
        return Table(run(lib.tacit_table_from_arrow_beside, encoded(name), _capsule(stream, b"arrow_array_stream"),
                         listed, len(made), n, None, threads, keep=(stream, made, listed), free=lib.tacit_table_free))
    if more:
        raise UsageError("labels and groups beside an Arrow record batch: make them columns of it, and name them")
    schema, values = X.__arrow_c_array__()
    return Table(run(lib.tacit_table_from_arrow, encoded(name), _capsule(schema, b"arrow_schema"),
                     _capsule(values, b"arrow_array"), None, threads, keep=(schema, values),
                     free=lib.tacit_table_free))


def label_name(y: Any, label: Optional[str]) -> str:
    """What the column of the labels is called."""
    return label if label is not None else _column_name(getattr(y, "name", None) or "label")


def table_of(X: Any, y: Any = None, label: Optional[str] = None, *, extra: Optional[Dict[str, Any]] = None,
             columns: Optional[Sequence[str]] = None, name: str = "table", threads: int = 0) -> Table:
    """The people of `X` as a table; `y`, and what else there is in `extra`, become columns beside the others.

    `columns` names those of an array that has no names.
    """
    if isinstance(X, Table):
        return X
    more: Columns = list((extra or {}).items())
    if y is not None:
        more.insert(0, (label_name(y, label), y))
    if is_path(X):
        if more or isinstance(X, (list, tuple)):
            raise UsageError("a file has its labels and groups in columns of its own: name them")
        return Table(run(lib.tacit_table_read, encoded(X, "a path"), None, threads, free=lib.tacit_table_free))
    found = _named(X, columns)
    if found is not None:
        return built(found + more, name, threads)
    if hasattr(X, "__arrow_c_stream__") or hasattr(X, "__arrow_c_array__"):
        return _from_arrow(X, more, name, threads)
    if hasattr(X, "__dataframe__"):
        from ._interchange import columns_of
        return built(columns_of(X) + more, name, threads)
    raise UsageError("a %s is no table of people: give a DataFrame, an array, a dict of columns, an Arrow table or a "
                     "file" % type(X).__name__)
