"""Models trained here, read from the files of other libraries, or calibrated; and whether attributes are needed at all."""

from __future__ import annotations

import ctypes as c
import json
import os
from typing import Any, Dict, Iterable, Optional, Sequence, Union

from . import _abi as abi
from . import _lib
from ._audit import _PARTS
from ._data import Table, label_name, table_of
from ._lib import Job, ProgressCallback, UsageError, decoded, encoded, lib, optional, run
from ._model import SEED, TEST_SHARE, Model, Names, _Schema, _unknown, import_bytes, inferred_schema, schema_of
from ._progress import bar

Progress = Union[None, bool, ProgressCallback]


def _hidden(layers: Union[None, str, int, Sequence[int]]) -> Optional[bytes]:
    if layers is None or isinstance(layers, str):
        return optional(layers)
    return encoded(",".join(str(int(n)) for n in ([layers] if isinstance(layers, int) else layers)))


def _people_and_schema(X: Any, y: Any, label: Optional[str], schema: Any, public: Names, sensitive: Names,
                       drop: Optional[Iterable[str]], encoding: str, test_share: float, seed: int, dates_as_days: bool,
                       threads: int, category: Names) -> "tuple[Table, _Schema]":
    said = schema_of(schema)
    if said is not None:
        label = decoded(lib.tacit_schema_label(said.handle))
        if public is not None or sensitive is not None:
            _lib.call(lib.tacit_schema_set_roles, said.handle, _lib.names(sensitive, "sensitive"),
                      _lib.names(public, "public"))
    elif y is None and label is None:
        raise UsageError("say which column is the label, or give y")
    else:
        label = label_name(y, label)
    table = table_of(X, y, label, threads=threads)
    if said is None:
        said = inferred_schema(table, label, public=public, sensitive=sensitive, drop=drop, encoding=encoding,
                               test_share=test_share, seed=seed, dates_as_days=dates_as_days, category=category)
    return table, said


def _fit_options(kind: str, l2: float, test_share: float, seed: int, threads: int,
                 hidden: Union[None, str, int, Sequence[int]], epochs: int, batch: int, rate: float, momentum: float,
                 patience: int, threshold: Optional[float], trees: int = 0, depth: int = 0) -> Any:
    return abi.FitOptions(
        size=c.sizeof(abi.FitOptions), kind=encoded(kind), l2=l2, test_share=test_share, seed=seed, threads=threads,
        hidden=_hidden(hidden), epochs=epochs, batch=batch, rate=rate, momentum=momentum, patience=patience,
        threshold=threshold or 0, trees=trees, depth=depth)


def fit(X: Any, y: Any = None, *, label: Optional[str] = None, public: Names = None, sensitive: Names = None,
        drop: Optional[Iterable[str]] = None, schema: Any = None, kind: str = "logistic", encoding: str = "onehot",
        test_share: float = TEST_SHARE, seed: int = SEED, l2: float = 0,
        hidden: Union[None, str, int, Sequence[int]] = None, epochs: int = 0, batch: int = 0, rate: float = 0,
        momentum: float = 0, patience: int = 0, threshold: Optional[float] = None, dates_as_days: bool = False,
        category: Names = None, threads: int = 0, progress: Progress = None, trees: int = 0, depth: int = 0) -> Model:
    """Train a model, as ``tacit fit`` does.

    Parameters
    ----------
    X, y
        People and their labels; see :func:`audit` for what they may be.  Without `y`, `label` names a column of `X`.
    public, sensitive
        Which attributes are known anyway, and which are asked for as little as possible (all that are not public).
    drop
        Columns to leave out.
    category
        Columns that are categories, whatever they look like.
    schema
        A schema (path, JSON text or dict) instead of what the people show.
    kind
        ``"logistic"``; ``"mlp"``, a ReLU network with layers of `hidden` sizes; or ``"trees"``, so many boosted `trees`
        of a `depth`.
    test_share, seed
        How many rows are held out, and which.
    threshold
        Two classes: the second is given from this probability on.

    Everything else is as in :manpage:`tacit-fit(1)`; 0 and None mean the usual.

    >>> import tacit
    >>> tacit.fit(people, label="outcome", kind="mlp", hidden=[4], epochs=3)
    <tacit.Model mlp: outcome is no or yes; 3 sensitive and 0 public attributes>
    """
    table, said = _people_and_schema(X, y, label, schema, public, sensitive, drop, encoding, test_share, seed,
                                     dates_as_days, threads, category)
    options = _fit_options(kind, l2, test_share, seed, threads, hidden, epochs, batch, rate, momentum, patience,
                           threshold, trees, depth)
    job = Job()
    options.progress = job.callback
    with bar(progress, "training") as told:
        return Model(run(_lib.train().tacit_fit, table.handle, said.handle, c.byref(options),
                         keep=(table, said, options, job), free=lib.tacit_model_free, job=job, progress=told))


def _bytes_of(source: Any, what: str) -> bytes:
    """The bytes of a model, or of a file that holds one."""
    if isinstance(source, (bytes, bytearray, memoryview)):
        return bytes(source)
    if hasattr(source, "SerializeToString"):
        return bytes(source.SerializeToString())
    try:
        with open(source, "rb") as file:
            return file.read()
    except TypeError:
        raise UsageError("a %s is no %s: give its bytes or a path" % (type(source).__name__, what)) from None
    except OSError as error:
        path = os.fspath(source)
        raise _lib.FileError("cannot read %s: %s" % (path, error.strerror), path) from None


def from_onnx(source: Any, X: Any, y: Any = None, **options: Any) -> Model:
    """A model from ONNX: a linear classifier, a ReLU network or trees, with the pipeline in front of it.

    Parameters
    ----------
    source
        The bytes, a path, or an ``onnx.ModelProto``.
    X, y, **options
        As in :func:`from_xgboost`.  Unless it holds trees, it needs a `schema` that says what its inputs are.
    """
    return import_bytes(_bytes_of(source, "ONNX model"), X, y, **options)


def from_xgboost(source: Any, X: Any, y: Any = None, **options: Any) -> Model:
    """A model from XGBoost, with its own scores to the bit.

    Parameters
    ----------
    source
        An ``XGBClassifier``, a ``Booster``, the bytes of ``save_raw("json")`` or ``"ubj"``, or a saved file.  Of a
        classifier or booster the labels of everybody in `X` are compared; one that differs is an error.
    X, y
        People, from whom it is learnt how the attributes hang together, and their labels.
    **options
        `label`, `public`, `sensitive`, `schema`, `threshold`, `test_share`, `seed`, `threads`; of bytes and files also
        `predictions`, what the deployed model said, `class_names` and `rounding`.  See the command ``tacit import``.
    """
    if hasattr(source, "get_booster") or hasattr(source, "save_raw"):
        from .convert import from_xgboost as convert
        return convert(source, X, y, **options)
    return import_bytes(_bytes_of(source, "model of XGBoost"), X, y, **options)


def calibrate(model: Model, X: Any, y: Any = None, *, part: str = "all", alpha: float = 0.05, unknown: str = "error",
              threads: int = 0, progress: Progress = None) -> Model:
    """A copy of the model that knows how often its confidence was right on these people, so that delta > 0 keeps its
    promise.

    They must not be those that it was trained with: ``part="held_out"`` takes the held-out rows of the training people.

    >>> import tacit
    >>> model = tacit.fit(people, label="outcome", public=["region"])
    >>> tacit.calibrate(model, people, part="held_out")
    <tacit.Model logistic: outcome is no or yes; 2 sensitive and 1 public attributes>
    """
    if part not in _PARTS:
        raise UsageError("part is 'all', 'train' or 'held_out'")
    table = model.table(X, y, threads=threads)
    job = Job()
    options = abi.CalibrateOptions(
        size=c.sizeof(abi.CalibrateOptions), part=_PARTS[part], alpha=alpha, threads=threads,
        unknown_as_missing=_unknown(unknown), progress=job.callback)
    with bar(progress, "calibrating") as told:
        return Model(run(lib.tacit_model_calibrate, model._handle, table.handle, c.byref(options),
                         keep=(model, table, options, job), free=lib.tacit_model_free, job=job, progress=told))


class Necessity:
    """What :func:`necessity` found.  :attr:`data` is all of it; in a notebook it shows its page."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.data: Dict[str, Any] = json.loads(text)

    def json(self, path: Any = None) -> str:
        """All of it as JSON text (docs/FORMATS.md), also into a file if there is a `path`."""
        if path is not None:
            _lib.write_file(path, self._text.encode("utf-8"))
        return self._text

    def report(self, path: Any = None, *, lang: str = "en") -> str:
        """The page with its figures."""
        page = _lib.made_text(lib.tacit_necessity_html, self._text.encode("utf-8"), encoded(lang))
        if path is not None:
            _lib.write_file(path, page)
        return page.decode("utf-8")

    def __repr__(self) -> str:
        return "<tacit.Necessity of %d attributes>" % len(self.data.get("attributes", ()))


def necessity(X: Any, y: Any = None, *, label: Optional[str] = None, public: Names = None, sensitive: Names = None,
              drop: Optional[Iterable[str]] = None, category: Names = None, schema: Any = None,
              kind: str = "logistic", splits: int = 0,
              test_share: float = TEST_SHARE, seed: int = SEED, people: int = 0, tolerance: float = 0, l2: float = 0,
              hidden: Union[None, str, int, Sequence[int]] = None, epochs: int = 0, threads: int = 0,
              progress: Progress = None, trees: int = 0, depth: int = 0) -> Necessity:
    """Is an attribute needed for the purpose, not for one model?  Trains with all attributes, without each, and without
    more and more of them, and measures on people held out.

    The options are those of ``tacit necessity``; `X`, `y`, `label` and the roles those of :func:`fit`.

    >>> import tacit
    >>> tacit.necessity(people, label="outcome", splits=2, people=50)
    <tacit.Necessity of 3 attributes>
    """
    table, said = _people_and_schema(X, y, label, schema, public, sensitive, drop, "onehot", test_share, seed, False,
                                     threads, category)
    job, train = Job(), _lib.train()
    options = abi.NecessityOptions(
        size=c.sizeof(abi.NecessityOptions), splits=splits, test_share=test_share, seed=seed, people=people,
        tolerance=tolerance, threads=threads,
        fit=_fit_options(kind, l2, 0, 0, 0, hidden, epochs, 0, 0, 0, 0, None, trees, depth), progress=job.callback)
    with bar(progress, "training") as told:
        handle = run(train.tacit_necessity_run, table.handle, said.handle, c.byref(options),
                     keep=(table, said, options, job), free=train.tacit_necessity_free, job=job, progress=told)
    try:
        return Necessity(_lib.made_text(train.tacit_necessity_json, handle, None).decode("utf-8"))
    finally:
        train.tacit_necessity_free(handle)
