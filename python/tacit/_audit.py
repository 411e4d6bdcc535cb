"""Audits: the questionnaires of everybody, counted."""

from __future__ import annotations

import ctypes as c
import json
import os
import shlex
import weakref
from collections.abc import Iterator
from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Sequence, Tuple, Union

from . import _abi as abi
from . import _lib
from ._data import Table, is_path, made_column, numpy, table_of
from ._lib import Job, ProgressCallback, UsageError, call, decoded, encoded, lib, optional, run
from ._model import Model, _unknown
from ._people import PerPerson, people_of
from ._progress import bar
from ._session import rule_of

_PARTS = {"all": 0, "train": 1, "held_out": 2}
_DELTAS = (0, 0.05, 0.1)


class _Handle:
    """An audit of the library; arrays over its memory hold it too."""

    def __init__(self, value: int) -> None:
        self.value = value
        weakref.finalize(self, lib.tacit_audit_free, value)


class _Source(NamedTuple):
    """Where an audit comes from, as far as it does not know that itself."""

    files: Tuple[str, ...] = ()
    command: Optional[str] = None


def _json_text(value: Any) -> Optional[bytes]:
    """JSON text as it is, from a file, or from a dict."""
    if value is None:
        return None
    if isinstance(value, bytes):
        return value
    if isinstance(value, dict):
        return json.dumps(value).encode("utf-8")
    if isinstance(value, str) and value.lstrip().startswith("{"):
        return value.encode("utf-8")
    with open(value, "rb") as file:
        return file.read()


class Audit:
    """What an audit found.  Made by :func:`audit` or :meth:`Model.audit`, or joined from parts by :func:`merge`.

    In a notebook it shows its main figures.  It can be pickled, and its parts can be counted anywhere (:meth:`partial`).

    >>> import tacit
    >>> model = tacit.fit(people, label="outcome", public=["region"])
    >>> audit = model.audit(people, deltas=(0, 0.05))
    >>> audit
    <tacit.Audit 400 people, 2 sensitive attributes: 1.26 asked at delta 0, 1.26 at delta 0.05>
    >>> audit.results[0]["fidelity"]
    1
    """

    def __init__(self, handle: int, source: _Source = _Source(), people: Optional[List[PerPerson]] = None) -> None:
        if not isinstance(handle, int) or not handle:
            raise UsageError("audits are made by tacit.audit or Model.audit, not by tacit.Audit")
        self._handle = handle
        self._owner = _Handle(handle)
        self._source = source
        self._people = people
        self._data: Optional[Dict[str, Any]] = None

    # ---- figures ----

    @property
    def data(self) -> Dict[str, Any]:
        """Everything that was counted, as :meth:`json` has it; docs/FORMATS.md tells what it means."""
        if self._data is None:
            self._data = json.loads(self.json())
        return self._data

    @property
    def people(self) -> int:
        """How many were counted."""
        return int(lib.tacit_audit_summary_get(self._handle).contents.people)

    @property
    def deltas(self) -> List[float]:
        """The promises: how often a decision may differ from the one with everything known."""
        return [lib.tacit_audit_result_get(self._handle, i).contents.delta for i in range(self._n_results())]

    @property
    def results(self) -> List[Dict[str, Any]]:
        """The figures of each delta."""
        return list(self.data["results"])

    @property
    def groupings(self) -> List[Dict[str, Any]]:
        """The figures of groups, where there are any."""
        return list(self.data.get("groupings", ()))

    def _n_results(self) -> int:
        return int(lib.tacit_audit_summary_get(self._handle).contents.n_results)

    def __repr__(self) -> str:
        summary = lib.tacit_audit_summary_get(self._handle).contents
        found = [lib.tacit_audit_result_get(self._handle, i).contents for i in range(summary.n_results)]
        asked = ", ".join("%.2f %sat delta %g" % (r.mean_asked, "asked " if i == 0 else "", r.delta)
                          for i, r in enumerate(found))
        return "<tacit.Audit %d people, %d sensitive attributes: %s>" % (summary.people, summary.n_sensitive, asked)

    def _repr_html_(self) -> str:
        from ._html import audit_html
        return audit_html(self)

    def to_frame(self) -> Any:
        """The main figures as a pandas DataFrame: one row for each delta, and one for each group at each delta.

        >>> import tacit
        >>> model = tacit.fit(people, label="outcome", public=["region"])
        >>> frame = model.audit(people, deltas=(0, 0.05), group="region").to_frame()
        >>> list(frame["group"].unique())
        ['everybody', 'region=north', 'region=south']
        """
        import pandas
        rows = [_row("everybody", result["people"], result) for result in self.results]
        # Of the first column there is more: how much was asked in all, and how decisions were settled.
        first = self.data.get("groups") or {"list": ()}
        whole = {(first.get("column"), group["name"]): group["results"] for group in first["list"]}
        for grouping in self.groupings:
            for group in grouping["list"]:
                results = whole.get((grouping["name"], group["name"]), group["results"])
                rows += [_row("%s=%s" % (grouping["name"], group["name"]), group["people"], result)
                         for result in results]
        return pandas.DataFrame(rows)

    def per_person(self, delta: Optional[float] = None) -> PerPerson:
        """What became of each person at one delta (the first, unless said), as arrays: see :class:`PerPerson`."""
        if self._people is None:
            raise UsageError("this audit did not keep what became of each person: say people=True")
        place = 0 if delta is None else _place_of(delta, self.deltas)
        return self._people[place]

    # ---- texts ----

    def _about(self, lang: Optional[str], about: Any, date: Optional[str], necessity: Any,
               command: Optional[str]) -> Any:
        files = [encoded(path, "a path") for path in self._source.files]
        listed = (c.c_char_p * max(len(files), 1))(*files)
        return abi.AuditProvenance(
            size=c.sizeof(abi.AuditProvenance), files=listed, n_files=len(files),
            command=optional(command or self._source.command, "the command"), date=optional(date, "the date"),
            lang=optional(lang, "the language"), about_json=_json_text(about), necessity=_json_text(necessity))

    def json(self, path: Any = None, *, about: Any = None, date: Optional[str] = None, necessity: Any = None,
             command: Optional[str] = None) -> str:
        """Everything as JSON text, the same that the command line writes; also into a file if there is a `path`.

        `about` (who answers for the processing) and `necessity` are dicts, JSON texts or files, as the command line takes
        them.
        """
        given = self._about(None, about, date, necessity, command)
        text = _lib.made_text(lib.tacit_audit_json_about, self._handle, c.byref(given))
        if path is not None:
            _lib.write_file(path, text)
        return text.decode("utf-8")

    def report(self, path: Any = None, *, lang: str = "en", about: Any = None, date: Optional[str] = None,
               necessity: Any = None, command: Optional[str] = None) -> str:
        """The report as one page of HTML that needs nothing beside it; also into a file if there is a `path`."""
        given = self._about(lang, about, date, necessity, command)
        call(lib.tacit_report_check, c.byref(given))
        text = _lib.made_text(lib.tacit_audit_html, self._handle, c.byref(given))
        if path is not None:
            _lib.write_file(path, text)
        return text.decode("utf-8")

    def partial(self) -> bytes:
        """The counts as they are, to be joined with those of other people by :func:`merge`.

        Not for publication: it describes groups of any size.  An audit of files must have been made with
        ``partial=True``.
        """
        given = self._about(None, None, None, None, None)
        return _lib.made_text(lib.tacit_audit_partial, self._handle, c.byref(given))

    def __reduce__(self) -> Tuple[Any, ...]:
        return _restored, (self.partial(), tuple(self._source), self._people)


def _restored(part: bytes, source: Tuple[Any, ...], people: Optional[List[PerPerson]]) -> Audit:
    """An audit that was pickled."""
    return Audit(_joined([part]), _Source(*source), people)


def _row(group: str, people: int, result: Dict[str, Any]) -> Dict[str, Any]:
    """The main figures of a result of the JSON."""
    row: Dict[str, Any] = {"group": group, "people": people}
    for key in ("delta", "mean_asked", "share_asked", "none_asked", "mean_cost", "fidelity", "accuracy"):
        row[key] = result.get(key)
    settled = result.get("settled", {})
    row.update({key: settled.get(key) for key in ("certain", "likely", "all_revealed")})
    failure = result["failure"]
    row.update({key: failure[key] for key in ("promised", "observed", "low", "high")})
    row["promise"] = failure["state"]
    return row


def _place_of(delta: float, deltas: Sequence[float]) -> int:
    for i, known in enumerate(deltas):
        if known == delta:
            return i
    raise UsageError("the audit has no delta %g, but %s" % (delta, ", ".join("%g" % known for known in deltas)))


# ---- making them ----


class _Settings:
    """The options of one audit, and what they point at."""

    def __init__(self, deltas: Optional[Iterable[float]], rule: str, groupings: Sequence[str], part: str, unknown: str,
                 smallest: Union[bool, float], needs: bool, seed: int, threads: int) -> None:
        self.deltas = None if deltas is None else [float(delta) for delta in _listed(deltas)]
        self.groupings = list(groupings)
        self.words = (rule, part, unknown, smallest, needs, seed)
        if part not in _PARTS:
            raise UsageError("part is 'all', 'train' or 'held_out'")
        chosen = list(_DELTAS) if self.deltas is None else self.deltas
        self.n_deltas = len(chosen)
        self._deltas = (c.c_double * max(len(chosen), 1))(*chosen)
        self._groupings = (c.c_char_p * max(len(self.groupings), 1))(*(encoded(name) for name in self.groupings))
        self.options = abi.AuditOptions(
            size=c.sizeof(abi.AuditOptions), deltas=self._deltas, n_deltas=len(chosen), rule=rule_of(rule),
            threads=threads, groupings=self._groupings, n_groupings=len(self.groupings),
            unknown_as_missing=_unknown(unknown), no_opt=not smallest, no_needs=not needs, part=_PARTS[part], seed=seed,
            opt_share=0.0 if smallest is True else float(smallest))

    def command(self, model: Model, files: Sequence[str]) -> Optional[str]:
        """How to repeat it with the command line, where the model is a file too."""
        path = getattr(model, "_path", None)
        if path is None:
            return None
        rule, part, unknown, smallest, needs, seed = self.words
        words = [os.path.basename(os.fspath(name)) for name in (path, *files)]
        if self.deltas is not None:
            words += ["--delta", ",".join(repr(d)[:-2] if repr(d).endswith(".0") else repr(d) for d in self.deltas)]
        words += [] if rule == "auto" else ["--rule", rule]
        for grouping in self.groupings:
            words += ["--group", grouping]
        words += [word for name, word in (("held_out", "--held-out"), ("train", "--train-part")) if name == part]
        words += ["--unknown", "missing"] if unknown == "missing" else []
        words += ["--no-opt"] if not smallest else [] if smallest is True else ["--opt-share", repr(float(smallest))]
        words += [] if needs else ["--no-indispensable"]
        words += [] if seed == 1 else ["--seed", str(seed)]
        return " ".join(["tacit", "audit"] + [shlex.quote(word) for word in words])


def _listed(values: Any) -> List[Any]:
    """One or several."""
    if isinstance(values, (str, int, float)):
        return [values]
    return list(values)


def audit(model: Model, X: Any, y: Any = None, *, deltas: Optional[Iterable[float]] = None, group: Any = None,
          rule: str = "auto", part: str = "all", unknown: str = "error", smallest: Union[bool, float] = True,
          needs: bool = True, people: Optional[bool] = None, partial: bool = False, seed: int = 1, threads: int = 0,
          progress: Union[None, bool, ProgressCallback] = None) -> Audit:
    """Play the questionnaire with everybody and count how much had to be asked.

    Parameters
    ----------
    model
        The model that decides.
    X
        The people: a pandas DataFrame, a numpy array with the attributes in their order, a dict of columns, anything
        that speaks Arrow's or the DataFrame interchange protocol, a file or several (CSV, of any size), or an iterator
        of any of these, for people that do not fit into memory: it may give pairs ``(X, y)``.
    y
        Known outcomes, unless they are a column of `X`.  Without them accuracies are not known.
    deltas
        How often a decision may differ from the one with everything known; 0: never, proven.  (0, 0.05, 0.1) unless said.
    group
        Break the results down: a column, ``"age:25,40,60"`` (bins), ``"sex*age:5"`` (crossed), a list of these, or the
        values themselves (a Series or an array, of one value a person).  Groups of under 20 people are not shown.
        How many people there are in all is up to you: an audit of fewer than 20 can tell about single ones, and its report,
        page and JSON (``few_people``) say so.
    rule
        Which attribute to ask for next: auto, entropy, margin, stop or montecarlo.
    part
        ``"held_out"`` or ``"train"``: only these rows of the people that the model was trained with.
    unknown
        A category that the model does not know is an ``"error"``, or counts as ``"missing"``.
    smallest, needs
        Also find the smallest possible sets, and what is indispensable or spare.  Networks and trees: a number is the
        share of people whose smallest sets are looked for, 1 everybody; of more than 4,096 people True takes a sample.
    people
        Remember what became of each person (:meth:`Audit.per_person`).  True for people in memory, unless said.
    partial
        Files only: the result is to be joined with others (:meth:`Audit.partial`) or pickled.
    progress
        True for a bar (by tqdm, where it is installed), or a function of how much is done and of how much.

    Ctrl-C ends it at once.
    """
    grouping_names, extra = _groups(group, X)
    settings = _Settings(deltas, rule, grouping_names, part, unknown, smallest, needs, seed, threads)
    with bar(progress, "auditing") as told:
        if is_path(X):
            if y is not None or extra:
                raise UsageError("a file has its labels and groups in columns of its own: name them")
            return _audit_files(model, X, settings, bool(people), partial, told)
        if isinstance(X, Iterator):
            if y is not None or extra or people:
                raise UsageError("batches bring their labels and groups along, as pairs (X, y) or as columns, and what "
                                 "became of each person is not kept")
            return _audit_batches(model, X, settings, told)
        table = model.table(X, y, extra=extra, threads=threads)
        return _audit_table(model, table, settings, True if people is None else people, told)


def _groups(group: Any, X: Any) -> Tuple[List[str], Dict[str, Any]]:
    """Names of groupings, and columns that are not in the table yet."""
    if group is None:
        return [], {}
    if isinstance(group, str):
        return [group], {}
    if isinstance(group, (list, tuple)) and all(isinstance(name, str) for name in group):
        return list(group), {}
    name = str(getattr(group, "name", None) or "group")
    there = _column_of(X, name)
    if there is not None and _equal(there, group):
        return [_quoted(name)], {}
    while _column_of(X, name) is not None:
        name += " (group)"
    return [_quoted(name)], {name: group}


def _quoted(name: str) -> str:
    """A column's name where groupings are listed."""
    return '"%s"' % name.replace('"', '""') if any(mark in name for mark in '*:"') else name


def _column_of(X: Any, name: str) -> Any:
    """The column of this name, or None."""
    if isinstance(X, dict):
        return X.get(name)
    columns = getattr(X, "columns", None)
    if columns is None or isinstance(X, Table) or name not in list(columns):
        return None
    return X[name]


def _equal(a: Any, b: Any) -> bool:
    """Do two columns hold the same?"""
    if hasattr(a, "equals"):
        return bool(a.equals(b))
    return len(a) == len(b) and all(x == y or (x != x and y != y) for x, y in zip(a, b))


def _audit_table(model: Model, table: Table, settings: _Settings, people: bool,
                 progress: Optional[ProgressCallback]) -> Audit:
    job = Job()
    options = settings.options
    options.progress = job.callback
    options.keep_people = people
    options.partial = True
    handle = run(lib.tacit_audit_table, model._handle, table.handle, c.byref(options),
                 keep=(model, table, settings, job), free=lib.tacit_audit_free, job=job, progress=progress)
    return _finished(handle, _Source(), model, people)


def _finished(handle: int, source: _Source, model: Model, people: bool) -> Audit:
    made = Audit(handle, source)
    if people:
        made._people = [people_of(made, i, model.classes) for i in range(made._n_results())]
    return made


def _audit_files(model: Model, X: Any, settings: _Settings, people: bool, partial: bool,
                 progress: Optional[ProgressCallback]) -> Audit:
    files = [os.fspath(path) for path in (X if isinstance(X, (list, tuple)) else [X])]
    listed = (c.c_char_p * len(files))(*(encoded(path, "a path") for path in files))
    job = Job()
    options = settings.options
    options.progress = job.callback
    options.keep_people = people
    options.partial = partial
    handle = run(lib.tacit_audit_files, model._handle, listed, len(files), None, c.byref(options),
                 keep=(model, listed, settings, job), free=lib.tacit_audit_free, job=job, progress=progress)
    return _finished(handle, _Source(tuple(files), settings.command(model, files)), model, people)


def _audit_batches(model: Model, batches: Iterator[Any], settings: _Settings,
                   progress: Optional[ProgressCallback]) -> Audit:
    """One batch after the other; only counts are kept of those that are done."""
    parts: List[bytes] = []
    done = 0
    for batch in batches:
        X, y = batch if isinstance(batch, tuple) and len(batch) == 2 else (batch, None)
        table = model.table(X, y, threads=settings.options.threads)
        done += table.rows
        parts.append(_audit_table(model, table, settings, False, None).partial())
        table.close()
        if len(parts) == 64:
            parts = [Audit(_joined(parts)).partial()]
        if progress:
            progress(done, 0)
    if not parts:
        raise UsageError("there is no batch of people")
    return Audit(_joined(parts))


# ---- joining them ----


def _joined(parts: Sequence[bytes]) -> int:
    texts = (c.c_char_p * len(parts))(*parts)
    sizes = (c.c_size_t * len(parts))(*(len(part) for part in parts))
    return int(run(lib.tacit_audit_merge_texts, texts, sizes, len(parts), keep=(parts, texts, sizes),
                   free=lib.tacit_audit_free))


def merge(parts: Iterable[Union[Audit, bytes, str]]) -> Audit:
    """Join audits of parts of the people into the audit of everybody: what one call would have given.

    Parts are what :meth:`Audit.partial` gave, wherever that was, or audits.  Parts of different models or settings, and
    people who are there twice, are errors.

    >>> import tacit
    >>> model = tacit.fit(people, label="outcome", public=["region"])
    >>> halves = [{name: values[k::2] for name, values in people.items()} for k in range(2)]
    >>> parts = [model.audit(half, deltas=(0,)).partial() for half in halves]    # anywhere
    >>> tacit.merge(parts).results == model.audit(people, deltas=(0,)).results
    True
    """
    texts: List[bytes] = []
    for part in parts:
        if isinstance(part, Audit):
            part = part.partial()
        texts.append(part.encode("utf-8") if isinstance(part, str) else bytes(part))
    if not texts:
        raise UsageError("there is no part to join")
    return Audit(_joined(texts))
