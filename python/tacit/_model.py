"""Models: the attributes they ask for, the labels they give, and where they come from."""

from __future__ import annotations

import ctypes as c
import json
import os
import weakref
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, NamedTuple, Optional, Sequence, Tuple, Union

from . import _abi as abi
from . import _lib
from ._data import Table, is_path, label_name, numpy, table_of
from ._lib import InputError, Job, ProgressCallback, UsageError, call, decoded, encoded, lib, names, optional, run

if TYPE_CHECKING:
    from ._audit import Audit
    from ._certify import Certificate, Core, Explanation
    from ._session import Session

Names = Union[str, Sequence[str], None]

_TYPE_NAMES = ("number", "integer", "category")
TEST_SHARE = 0.3  # of the rows, held out: as the command line does
SEED = 1


class Attribute(NamedTuple):
    """What a person may be asked for."""

    name: str
    type: str  #: ``"number"``, ``"integer"`` or ``"category"``
    sensitive: bool
    cost: float
    question: str
    help: str
    min: Optional[float]  #: smallest value of a number; values outside are clipped
    max: Optional[float]
    levels: Tuple[str, ...]  #: values of a category
    missing_is_value: bool  #: is not knowing an answer?


def _attribute(pointer: Any) -> Attribute:
    a = pointer.contents
    category = a.type == 2
    return Attribute(
        decoded(a.name), _TYPE_NAMES[a.type], a.role == 1, a.cost, decoded(a.question), decoded(a.help),
        None if category else a.min, None if category else a.max,
        tuple(decoded(a.levels[i]) for i in range(a.n_levels)) if category else (), bool(a.missing_is_value))


class _Schema:
    """A schema of the library."""

    def __init__(self, handle: int) -> None:
        self.handle = handle
        self._finalizer = weakref.finalize(self, lib.tacit_schema_free, handle)


def schema_of(schema: Any) -> Optional[_Schema]:
    """A schema from a path, JSON text, or what JSON text says."""
    if schema is None or isinstance(schema, _Schema):
        return schema
    if isinstance(schema, Mapping):
        data = json.dumps(schema).encode("utf-8")
    elif isinstance(schema, bytes):
        data = schema
    elif isinstance(schema, str) and schema.lstrip().startswith("{"):
        data = schema.encode("utf-8")
    else:
        try:
            with open(schema, "rb") as file:
                data = file.read()
        except OSError as error:
            raise _lib.FileError("%s: %s" % (os.fspath(schema), error.strerror), os.fspath(schema)) from None
    out = c.c_void_p()
    call(lib.tacit_schema_parse, c.byref(out), data, len(data))
    return _Schema(out.value or 0)


def inferred_schema(table: Table, label: str, *, public: Names = None, sensitive: Names = None,
                    drop: Optional[Iterable[str]] = None, encoding: str = "onehot", test_share: float = TEST_SHARE,
                    seed: int = SEED, dates_as_days: bool = False, category: Names = None) -> _Schema:
    """Types, domains and roles as the table shows them."""
    if encoding not in ("onehot", "ordinal"):
        raise UsageError("encoding is 'onehot' or 'ordinal'")
    options = abi.InferOptions(
        size=c.sizeof(abi.InferOptions), label=encoded(label), encoding=int(encoding == "ordinal"),
        sensitive=names(sensitive, "sensitive"), public_=names(public, "public"), drop=names(drop, "drop"),
        test_share=test_share, seed=seed, dates_as_days=dates_as_days, categories=names(category, "category"))
    return _Schema(run(lib.tacit_schema_infer, table.handle, c.byref(options), keep=(table, options),
                       free=lib.tacit_schema_free))


def schema_json(handle: Any) -> Dict[str, Any]:
    """A schema as its file has it."""
    out, size = c.c_void_p(), c.c_size_t()
    call(lib.tacit_schema_text, c.byref(out), c.byref(size), handle)
    found: Dict[str, Any] = json.loads(_lib.taken_text(out, size.value).decode("utf-8"))
    return found


class Model:
    """A classifier, what is known about its inputs, and who may be asked for what.

    Models are made by :func:`fit`, :func:`load`, :func:`from_sklearn`, :func:`from_xgboost` or :func:`from_onnx`, and do
    not change.  Any number of threads may use one.

    >>> import tacit
    >>> model = tacit.fit(people, label="outcome", public=["region"])
    >>> model
    <tacit.Model logistic: outcome is no or yes; 2 sensitive and 1 public attributes>
    >>> model.sensitive
    ['age', 'income']
    """

    def __init__(self, handle: int) -> None:
        if not isinstance(handle, int) or not handle:
            raise UsageError("models are made by tacit.fit, tacit.load or tacit.from_..., not by tacit.Model")
        self._handle = handle
        self._path: Any = None  # of the file it was read from
        self._finalizer = weakref.finalize(self, lib.tacit_model_free, handle)
        schema = lib.tacit_model_schema(handle)
        self._attributes = [_attribute(lib.tacit_schema_attribute(schema, i))
                            for i in range(lib.tacit_schema_attributes(schema))]
        self._places = {a.name: i for i, a in enumerate(self._attributes)}
        self._classes = [decoded(lib.tacit_schema_class(schema, i)) for i in range(lib.tacit_schema_classes(schema))]
        self._label = decoded(lib.tacit_schema_label(schema))

    # ---- what it is ----

    @property
    def label(self) -> str:
        """The name of what is decided."""
        return self._label

    @property
    def classes(self) -> List[str]:
        """The labels that it gives, in their order."""
        return list(self._classes)

    @property
    def attributes(self) -> List[Attribute]:
        """Everything that it knows about people."""
        return list(self._attributes)

    @property
    def sensitive(self) -> List[str]:
        """The attributes that people are asked for as little as possible."""
        return [a.name for a in self._attributes if a.sensitive]

    @property
    def public(self) -> List[str]:
        """The attributes that are known anyway."""
        return [a.name for a in self._attributes if not a.sensitive]

    @property
    def info(self) -> Dict[str, Any]:
        """Where it comes from and how good it is, as ``tacit show`` tells it."""
        i = lib.tacit_model_info_get(self._handle).contents
        return {
            "kind": decoded(i.kind), "origin": decoded(lib.tacit_origin_name(i.origin)), "inputs": i.inputs,
            "scores": i.scores, "train_rows": i.train_rows, "test_rows": i.test_rows,
            "train_accuracy": i.train_accuracy, "test_accuracy": i.test_accuracy, "test_share": i.test_share,
            "seed": i.seed, "threshold": i.threshold or None, "hidden": decoded(i.hidden), "trees": i.trees,
            "leaves": i.leaves, "sha256": decoded(i.model_hash), "data_sha256": decoded(i.data_hash),
            "version": decoded(i.version)}

    @property
    def schema(self) -> Dict[str, Any]:
        """Attributes, domains, roles, texts and classes as a schema file has them (docs/FORMATS.md)."""
        return schema_json(lib.tacit_model_schema(self._handle))

    def __repr__(self) -> str:
        n = len(self.sensitive)
        kinds = " or ".join(self._classes) if len(self._classes) <= 3 else "one of %d" % len(self._classes)
        return "<tacit.Model %s: %s is %s; %d sensitive and %d public attributes>" % (
            self.info["kind"], self._label, kinds, n, len(self._attributes) - n)

    def _repr_html_(self) -> str:
        from ._html import model_html
        return model_html(self)

    # ---- files ----

    def to_bytes(self) -> bytes:
        """The bytes of its model file."""
        out, size = c.c_void_p(), c.c_size_t()
        call(lib.tacit_model_text, c.byref(out), c.byref(size), self._handle)
        return _lib.taken_text(out, size.value)

    def save(self, path: Any) -> None:
        """Write the model file, which the command line takes too."""
        call(lib.tacit_model_save, self._handle, encoded(path, "a path"))

    def __reduce__(self) -> Tuple[Any, ...]:
        return from_bytes, (self.to_bytes(),)

    def with_roles(self, *, sensitive: Names = None, public: Names = None) -> "Model":
        """A copy for which other attributes are sensitive or public; whatever is not named gets the other role.

        >>> import tacit
        >>> tacit.fit(people, label="outcome").with_roles(public=["age"]).sensitive
        ['income', 'region']
        """
        out = c.c_void_p()
        call(lib.tacit_model_with_roles, c.byref(out), self._handle, names(sensitive, "sensitive"),
             names(public, "public"))
        return Model(out.value or 0)

    # ---- labels ----

    def place(self, name: str) -> int:
        """The place of an attribute; an unknown name is an error with a suggestion."""
        place = self._places.get(name)
        if place is None:
            found = c.c_size_t()
            call(lib.tacit_schema_lookup, lib.tacit_model_schema(self._handle), encoded(name), c.byref(found))
            place = int(found.value)
        return place

    def table(self, X: Any, y: Any = None, *, extra: Optional[Dict[str, Any]] = None, threads: int = 0) -> Table:
        """People as the model reads them; an array without names has the attributes in their order."""
        return table_of(X, y, self._label, extra=extra, columns=[a.name for a in self._attributes], threads=threads)

    def _apply(self, X: Any, want_labels: bool, want_scores: bool, unknown: str, threads: int) -> Tuple[Any, Any, int]:
        table = self.table(X, threads=threads)
        n, k = table.rows, self.info["scores"]
        options = abi.LabelOptions(size=c.sizeof(abi.LabelOptions), threads=threads,
                                   unknown_as_missing=_unknown(unknown))
        labels = (c.c_uint8 * max(n, 1))() if want_labels else None
        scores = (c.c_double * max(n * k, 1))() if want_scores else None
        run(lib.tacit_model_labels, self._handle, table.handle, c.byref(options), labels, scores,
            keep=(self, table, options, labels, scores))
        return labels, scores, n

    def label_indices(self, X: Any, *, unknown: str = "error", threads: int = 0) -> Any:
        """The classes that people get with everything known, as places in :attr:`classes`: an array of ``uint8``."""
        labels, _, n = self._apply(X, True, False, unknown, threads)
        return _as_array(labels, n)

    def labels(self, X: Any, *, unknown: str = "error", threads: int = 0) -> Any:
        """The classes that the deployed classifier gives to people of whom everything is known.

        An array of texts (a list without numpy).  ``unknown="missing"`` counts a category that the model does not know
        as missing; otherwise it is an error.

        >>> import tacit
        >>> list(tacit.fit(people, label="outcome").labels(people)[:3])
        ['no', 'no', 'yes']
        """
        found, np = self.label_indices(X, unknown=unknown, threads=threads), numpy()
        if np is None:
            return [self._classes[i] for i in found]
        return np.asarray(self._classes, dtype=object)[found]

    def scores(self, X: Any, *, unknown: str = "error", threads: int = 0) -> Any:
        """The scores behind the labels: one a person for two classes (the second from 0 on), else one per class."""
        _, scores, n = self._apply(X, False, True, unknown, threads)
        k = self.info["scores"]
        found = _as_array(scores, n * k)
        return found if k == 1 or numpy() is None else found.reshape(n, k)

    # ---- the rest is where it belongs ----

    def session(self, delta: float = 0, *, public: Any = None, rule: str = "auto", seed: int = 1) -> "Session":
        """A questionnaire for one person: see :class:`Session`.

        `public` is what is known already (a mapping, or a row of a DataFrame); only public attributes are taken from it.
        """
        from ._session import Session
        return Session(self, delta=delta, public=public, rule=rule, seed=seed)

    def audit(self, X: Any, y: Any = None, **options: Any) -> "Audit":
        """The questionnaires of everybody, counted: see :func:`audit`, which takes the same options."""
        from ._audit import audit
        return audit(self, X, y, **options)

    def certify(self, known: Any) -> "Certificate":
        """Is the decision settled by these values, whatever the rest?  See :func:`certify`."""
        from ._certify import certify
        return certify(self, known)

    def explain(self, person: Any, **options: Any) -> "Explanation":
        """One person replayed: see :func:`explain`."""
        from ._certify import explain
        return explain(self, person, **options)

    def smallest_core(self, person: Any, *, by_cost: bool = False) -> "Core":
        """The fewest sensitive attributes that settle a person's decision: see :func:`smallest_core`."""
        from ._certify import smallest_core
        return smallest_core(self, person, by_cost=by_cost)

    def calibrate(self, X: Any, y: Any = None, **options: Any) -> "Model":
        """A copy that knows how far its confidence can be trusted: see :func:`calibrate`."""
        from ._train import calibrate
        return calibrate(self, X, y, **options)


def _unknown(word: str) -> bool:
    if word not in ("error", "missing"):
        raise UsageError("unknown is 'error' or 'missing'")
    return word == "missing"


def _as_array(values: Any, n: int) -> Any:
    """A ctypes array of n values (of one at least) as a numpy array over the same memory."""
    np = numpy()
    return values[:n] if np is None else np.ctypeslib.as_array(values)[:n]


# ---- where models come from ----


def from_bytes(data: bytes) -> Model:
    """A model from the bytes of its file."""
    out = c.c_void_p()
    call(lib.tacit_model_parse, c.byref(out), bytes(data), len(data))
    return Model(out.value or 0)


def load(path: Any) -> Model:
    """Read a model file.

    >>> import tacit
    >>> tacit.fit(people, label="outcome").save("people.tacit")
    >>> tacit.load("people.tacit").label
    'outcome'
    """
    if isinstance(path, (bytes, bytearray, memoryview)):
        return from_bytes(bytes(path))
    out = c.c_void_p()
    call(lib.tacit_model_load, c.byref(out), encoded(path, "a path"))
    made = Model(out.value or 0)
    made._path = path
    return made


def import_bytes(data: bytes, X: Any, y: Any = None, *, label: Optional[str] = None, public: Names = None,
                 sensitive: Names = None, schema: Any = None, threshold: Optional[float] = None,
                 predictions: Any = None, test_share: float = TEST_SHARE, seed: int = SEED, threads: int = 0,
                 class_names: Optional[Sequence[Any]] = None, rounding: str = "any") -> Model:
    """A model from the bytes of another library's file: XGBoost, LightGBM, CatBoost or ONNX.

    Parameters
    ----------
    data
        The bytes; what they are is seen from them.
    X, y
        People, from whom the distribution of the inputs is learnt, and their labels; see :func:`audit` for what they
        may be.  `label` names the column of the labels, in `X` where there is no `y`.
    schema
        What the inputs are: a path, JSON text, or a dict.  Trees whose features are columns of `X` need none.
    threshold
        Two classes: the second is given from this probability on.
    predictions
        The labels that the deployed classifier gave to these people, or the name of a column that has them.  If one
        differs, that is an error with their number.
    class_names
        The names of the classes in the order of the classifier, where they are others than those in `y` say.
    rounding
        Trees: ``"any"``, certain whatever the order in which the deployed program adds up; or ``"program"``, for sums
        formed one tree after the other and for no others.
    """
    if rounding not in ("any", "program"):
        raise UsageError("rounding is 'any' or 'program'")
    extra: Dict[str, Any] = {}
    column = predictions if isinstance(predictions, str) else None
    if predictions is not None and column is None:
        column = _free_name("prediction", X, y, label)
        extra[column] = predictions
    found = schema_of(schema)
    if found is not None:
        label = decoded(lib.tacit_schema_label(found.handle))
        if public is not None or sensitive is not None:
            call(lib.tacit_schema_set_roles, found.handle, names(sensitive, "sensitive"), names(public, "public"))
    elif label is None and y is None:
        raise UsageError("say which column is the label, or give y")
    else:
        label = label_name(y, label)
    table = table_of(X, y, label, extra=extra, threads=threads)
    if class_names is not None and found is None:
        found = _with_classes(table, label, class_names, public, sensitive, [column] if column else [], test_share, seed)
    return _import(bytes(data), table, found, label, public, sensitive, threshold, column, test_share, seed, threads,
                   rounding == "program")


def _import(data: bytes, table: Table, schema: Optional[_Schema], label: str, public: Names, sensitive: Names,
            threshold: Optional[float], predictions: Optional[str], test_share: float, seed: int,
            threads: int, in_order: bool) -> Model:
    options = abi.ImportOptions(
        size=c.sizeof(abi.ImportOptions), test_share=test_share, seed=seed, threads=threads,
        label=None if schema else encoded(label), sensitive=None if schema else names(sensitive, "sensitive"),
        public_=None if schema else names(public, "public"), threshold=threshold or 0,
        predictions=optional(predictions), in_order=in_order)
    if threshold is not None and not 0 < threshold < 1:
        raise UsageError("a threshold is a probability above 0 and below 1")
    return Model(run(_lib.importer().tacit_import_parse, data, len(data), table.handle,
                     schema.handle if schema else None, c.byref(options), keep=(data, table, schema, options),
                     free=lib.tacit_model_free))


def _free_name(name: str, X: Any, y: Any, label: Optional[str]) -> str:
    """A name that no column has."""
    taken = {str(column) for column in getattr(X, "columns", ())} | {label or label_name(y, None)}
    if isinstance(X, Mapping):
        taken |= {str(column) for column in X}
    while name in taken:
        name += "_"
    return name


def _with_classes(table: Table, label: str, class_names: Sequence[Any], public: Names, sensitive: Names,
                  drop: List[str], test_share: float, seed: int) -> _Schema:
    """The schema that the table shows, with these classes in this order."""
    shown = inferred_schema(table, label, public=public, sensitive=sensitive, drop=drop, test_share=test_share,
                            seed=seed)
    said = schema_json(shown.handle)
    found, wanted = said["classes"], [str(name) for name in class_names]
    if not set(found) <= set(wanted):
        raise InputError("%s: the labels hold a class that is not among the names of the classes" % label, column=label)
    said["classes"] = wanted
    made = schema_of(said)
    assert made is not None
    return made


__all__ = ["Model", "Attribute", "load", "import_bytes", "from_bytes", "Job", "ProgressCallback", "is_path"]
