"""Tables that speak the DataFrame interchange protocol (``__dataframe__``), as columns.

The protocol hands over buffers with a place in memory, a type, and how missing values are told.  Buffers become arrays
over the same memory; chunks are joined, and texts cut out of their bytes.
"""

from __future__ import annotations

import ctypes as c
from typing import Any, List, Tuple

from ._data import numpy
from ._lib import InputError, UsageError

_INT, _UINT, _FLOAT, _BOOL, _STRING, _CATEGORICAL, _DATETIME = 0, 1, 2, 20, 21, 23, 22
_LETTERS = {_INT: "i", _UINT: "u", _FLOAT: "f"}
_NON_NULLABLE, _NAN, _SENTINEL, _BITS, _BYTES = 0, 1, 2, 3, 4


def _raw(buffer: Any, n_bytes: int) -> Any:
    """Bytes of a buffer, which the array keeps alive."""
    np = numpy()
    if buffer.bufsize < n_bytes:
        raise InputError("table: a buffer of the DataFrame is shorter than its type says", file="table")
    if n_bytes == 0:
        return np.empty(0, dtype=np.uint8)
    memory: Any = (c.c_uint8 * n_bytes).from_address(buffer.ptr)
    memory._buffer = buffer
    return np.frombuffer(memory, dtype=np.uint8)


def _values(buffer: Any, dtype: Tuple[Any, ...], n: int, offset: int) -> Any:
    """n numbers (or truth values) behind `offset` others."""
    np = numpy()
    kind, bits = dtype[0], dtype[1]
    if kind == _BOOL and bits == 1:
        raw = _raw(buffer, (offset + n + 7) // 8)
        return np.unpackbits(raw, bitorder="little")[offset:offset + n].astype(bool)
    size = bits // 8
    letter = "b" if kind == _BOOL else _LETTERS.get(kind, "i")
    found = _raw(buffer, (offset + n) * size)[offset * size:]
    return found.view(np.bool_ if letter == "b" else np.dtype("%s%d" % (letter, size)))


def _missing(column: Any, values: Any, buffers: Any, n: int) -> Any:
    """Where values are missing; None: nowhere."""
    how, marker = column.describe_null
    if how == _SENTINEL:
        return values == marker
    if how not in (_BITS, _BYTES) or buffers["validity"] is None:
        return None
    buffer, dtype = buffers["validity"]
    valid = _values(buffer, (_BOOL, 1 if how == _BITS else dtype[1]), n, column.offset)
    return valid == bool(marker)


def _texts(buffers: Any, n: int, offset: int, missing: Any) -> List[Any]:
    data, _ = buffers["data"]
    places, dtype = buffers["offsets"]
    ends = _values(places, dtype, n + 1, offset)
    raw = _raw(data, int(ends[-1]) if n else 0).tobytes()
    return [None if missing is not None and missing[i] else raw[ends[i]:ends[i + 1]].decode("utf-8") for i in range(n)]


def _chunk(column: Any, name: str) -> Tuple[Any, Any]:
    """Values and where they are missing, of one chunk."""
    np = numpy()
    kind, n = column.dtype[0], column.size() if callable(column.size) else column.size
    buffers = column.get_buffers()
    if kind == _STRING:
        missing = _missing(column, None, buffers, n)
        return np.array(_texts(buffers, n, column.offset, missing) + [None], dtype=object)[:n], None
    buffer, dtype = buffers["data"]
    values = _values(buffer, dtype, n, column.offset)
    if kind == _CATEGORICAL:
        missing = _missing(column, values, buffers, n)
        levels, _ = _chunk(column.describe_categorical["categories"], name)
        gone = (values < 0) if missing is None else (missing | (values < 0))
        found = np.append(np.asarray(levels, dtype=object), [None])
        return found[np.where(gone, len(levels), values)], None
    missing = _missing(column, values, buffers, n)
    if kind == _DATETIME:
        values = _days(values, column.dtype[2], name)
    elif kind not in (_INT, _UINT, _FLOAT, _BOOL):
        raise InputError("column %s: values of this type cannot be read" % name, column=name)
    return values, missing


def _days(values: Any, form: str, name: str) -> Any:
    """Dates and times by their Arrow format."""
    np = numpy()
    if form == "tdD":
        return values.astype("datetime64[D]")
    if form.startswith("ts") and form[3:] in (":", ":UTC"):
        unit = {"s": "s", "m": "ms", "u": "us", "n": "ns"}[form[2]]
        return values.astype(np.int64).view("datetime64[%s]" % unit)
    raise InputError("column %s: dates and times of this type cannot be read" % name, column=name)


def columns_of(X: Any) -> List[Tuple[str, Any]]:
    """The columns of an object with ``__dataframe__``."""
    np = numpy()
    if np is None:
        raise UsageError("tables of this kind are read by way of numpy, which is not installed")
    frame = X.__dataframe__(allow_copy=True)
    found: List[Tuple[str, Any]] = []
    for name in frame.column_names():
        parts = [_chunk(chunk, name) for chunk in frame.get_column_by_name(name).get_chunks()]
        values = np.concatenate([values for values, _ in parts]) if parts else np.empty(0)
        if any(missing is not None for _, missing in parts):
            gone = np.concatenate([np.zeros(len(v), dtype=bool) if m is None else m for v, m in parts])
            values = np.ma.masked_array(values, gone)
        found.append((str(name), values))
    return found
