"""What became of each person in an audit, as arrays."""

from __future__ import annotations

import ctypes as c
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Tuple

from ._data import numpy
from ._lib import decoded, lib

if TYPE_CHECKING:
    from ._audit import Audit

_SETTLED = ("open", "certain", "likely", "all revealed", "unsettled")
_SHOWN = 10  # rows that a notebook shows


class PerPerson:
    """What became of each person at one delta: arrays of one entry a person, in the order of the rows, and no texts.

    The arrays are views of the audit's memory; copy what is to be changed.  Without numpy they are ctypes arrays.

    Attributes
    ----------
    row : array of uint64
        The number of each in its table or file, from 1.
    label, full_label : arrays of uint8
        The class that each was given, and the one with everything known; places in :attr:`classes`.
    settled : array of uint8
        How; places in :attr:`settled_names`.
    asked : array of uint16
        How many sensitive attributes were asked for.
    probability : array of float64
        Of the label: 1 when certain or all revealed.
    asked_sets : array of uint64, one or more words a person
        Sensitive attribute i was asked for where bit i % 64 of word i / 64 is set: see :meth:`asked_matrix`.

    >>> import tacit
    >>> model = tacit.fit(people, label="outcome", public=["region"])
    >>> found = model.audit(people, deltas=(0,)).per_person()
    >>> found.labels()[0], int(found.asked[0]), found.asked_names(0)
    ('no', 1, ['income'])
    """

    settled_names = _SETTLED

    def __init__(self, delta: float, classes: List[str], sensitive: List[str], arrays: Dict[str, Any]) -> None:
        self.delta = delta
        self.classes = classes
        self.sensitive = sensitive
        self.row = arrays["row"]
        self.label = arrays["label"]
        self.full_label = arrays["full_label"]
        self.settled = arrays["settled"]
        self.asked = arrays["asked"]
        self.probability = arrays["probability"]
        self.asked_sets = arrays["asked_sets"]

    def __len__(self) -> int:
        return len(self.row)

    def __getitem__(self, name: str) -> Any:
        if name not in self._names():
            raise KeyError(name)
        return getattr(self, name)

    def keys(self) -> Iterator[str]:
        """The names of the arrays, so that ``dict(audit.per_person())`` works."""
        return iter(self._names())

    @staticmethod
    def _names() -> Tuple[str, ...]:
        return ("row", "label", "full_label", "settled", "asked", "probability", "asked_sets")

    def labels(self) -> Any:
        """The classes that people were given, as texts."""
        np = numpy()
        if np is None:
            return [self.classes[i] for i in self.label]
        return np.asarray(self.classes, dtype=object)[self.label]

    def asked_matrix(self) -> Any:
        """People by sensitive attributes: was it asked for?"""
        np = numpy()
        places = np.arange(len(self.sensitive))
        words = self.asked_sets.reshape(len(self), -1)
        return (words[:, places // 64] >> (places % 64).astype(np.uint64)) & np.uint64(1) != 0

    def asked_names(self, place: int) -> List[str]:
        """The sensitive attributes that one person (by place, from 0) was asked for, in the order of the model."""
        words = max(1, (len(self.sensitive) + 63) // 64)
        sets = self.asked_sets.reshape(-1) if hasattr(self.asked_sets, "reshape") else self.asked_sets
        start = range(len(self))[place] * words
        return [name for i, name in enumerate(self.sensitive) if int(sets[start + i // 64]) >> i % 64 & 1]

    def to_frame(self) -> Any:
        """All of it as a pandas DataFrame; labels, ways and sets of names are categories, so that no text is repeated."""
        import pandas
        np = numpy()
        words = self.asked_sets.reshape(len(self), -1)
        if words.shape[1] == 1:
            codes, found = pandas.factorize(words[:, 0])
            found = found[:, None]
        else:
            found, codes = np.unique(words, axis=0, return_inverse=True)
        names = [", ".join(name for i, name in enumerate(self.sensitive) if int(row[i // 64]) >> i % 64 & 1)
                 for row in found]
        made = pandas.Categorical.from_codes
        return pandas.DataFrame({
            "row": self.row, "label": made(self.label, self.classes), "full_label": made(self.full_label, self.classes),
            "settled": made(self.settled, list(_SETTLED)), "asked": self.asked, "probability": self.probability,
            "names": made(codes, names)})

    def __repr__(self) -> str:
        return "<tacit.PerPerson %d people at delta %g>" % (len(self), self.delta)

    def _repr_html_(self) -> str:
        from ._html import people_html
        return people_html(self, _SHOWN)

    def __getstate__(self) -> Dict[str, Any]:
        """Views become copies of their own."""
        state = dict(self.__dict__)
        for name in self._names():
            value = state[name]
            state[name] = value.copy() if hasattr(value, "copy") else list(value)
        return state


def _view(owner: Any, pointer: Any, shape: Tuple[int, ...]) -> Any:
    """An array over the audit's memory, which it keeps alive."""
    np = numpy()
    size = 1
    for length in shape:
        size *= length
    kind = pointer._type_
    if size == 0:
        return np.empty(shape, dtype=kind) if np is not None else (kind * 0)()
    made = (kind * size).from_address(c.addressof(pointer.contents))
    made._audit = owner
    if np is None:
        return made
    found = np.frombuffer(made, dtype=kind).reshape(shape)
    found.flags.writeable = False
    return found


def people_of(audit: "Audit", place: int, classes: List[str]) -> PerPerson:
    """The people of an audit at one of its deltas."""
    found = lib.tacit_audit_people_get(audit._handle, place).contents
    n_sensitive = int(lib.tacit_audit_summary_get(audit._handle).contents.n_sensitive)
    sensitive = [decoded(lib.tacit_audit_sensitive_name(audit._handle, i)) for i in range(n_sensitive)]
    n = found.people
    owner = audit._owner
    arrays = {
        "row": _view(owner, found.rows, (n,)), "label": _view(owner, found.labels, (n,)),
        "full_label": _view(owner, found.full_labels, (n,)), "settled": _view(owner, found.settled, (n,)),
        "asked": _view(owner, found.asked, (n,)), "probability": _view(owner, found.probabilities, (n,)),
        "asked_sets": _view(owner, found.asked_sets, (n, found.n_words) if found.n_words > 1 else (n,))}
    return PerPerson(audit.deltas[place], classes, sensitive, arrays)
