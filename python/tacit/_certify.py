"""One person: is the decision settled by what is known, what would have sufficed, what would turn it?"""

from __future__ import annotations

import ctypes as c
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

from . import _abi as abi
from ._basis import Basis, basis_of
from ._lib import UsageError, call, decoded, lib
from ._model import Model
from ._session import Decision, Event, Person, Session, items_of

_VERDICTS = ("undecided", "certified", "refuted")
_NEEDS = ("none", "indispensable", "undecided")


class Certificate(NamedTuple):
    """Whether a decision is settled."""

    verdict: str  #: ``"certified"`` (proven), ``"refuted"`` (two people show it) or ``"undecided"``
    label: Optional[str]  #: the label, where it is certified
    probability: float  #: of the most likely label
    likely_label: str
    witnesses: Tuple[Dict[str, str], ...]  #: refuted: two made-up people with different labels
    witness_labels: Tuple[str, ...]
    nodes: int  #: work done
    basis: Basis  #: how likely each label is, and what is believed of the rest

    def __bool__(self) -> bool:
        return self.verdict == "certified"


class Change(NamedTuple):
    """What would turn a decision: the nearest value of one attribute alone."""

    name: str
    label: str
    value: str  #: ``"at least 5400"``, ``"at most 3"``, ``"single"``


class Explanation(NamedTuple):
    """One person replayed."""

    decision: Decision
    transcript: List[Event]
    asked: List[str]  #: sensitive attributes, in the order of the questions
    smallest: Core  #: the fewest that would have settled it, known in hindsight
    indispensable: List[str]  #: with everything else known, the decision still depends on it
    spare: List[str]  #: asked for, and the decision stays proven without it
    changes: List[Change]
    basis: Basis  #: what was believed when it was decided


class Core(List[str]):
    """Names of attributes; `least`: how many, or how much cost, every such set has at least."""

    least: float = 0.0

    @property
    def exact(self) -> bool:
        """Is it proven that there is no smaller one?  The search has a budget."""
        return self.least >= self._size

    _size: float = 0.0


def _texts_of(model: Model, handle: Any) -> Dict[str, str]:
    """A made-up person's values."""
    text = c.create_string_buffer(256)
    found = {}
    for i, attribute in enumerate(model._attributes):
        lib.tacit_person_text(handle, i, text, len(text))
        found[attribute.name] = decoded(text.value)
    return found


def certify(model: Model, known: Any) -> Certificate:
    """Is the decision settled by these values, whatever the rest?

    Parameters
    ----------
    model
        The model that decides.
    known
        What is known: a mapping, or a row of a DataFrame.  Names that the model does not know are an error.

    >>> import tacit
    >>> model = tacit.fit(people, label="outcome", public=["region"])
    >>> tacit.certify(model, {"income": 3900, "age": 60}).label
    'yes'
    >>> tacit.certify(model, {"age": 60}).verdict
    'refuted'
    """
    values = items_of(known)
    for name in values:
        if name != model.label:
            model.place(name)
    found = abi.Certificate()
    with Person(model, values) as person:
        call(lib.tacit_certify, c.byref(found), person.handle)
        try:
            handles = [handle for handle in found.witness if handle]
            return Certificate(
                _VERDICTS[found.verdict], model._classes[found.label] if found.verdict == 1 else None,
                found.probability, model._classes[found.likely_label],
                tuple(_texts_of(model, handle) for handle in handles),
                tuple(model._classes[lib.tacit_person_label(handle)] for handle in handles), found.nodes,
                basis_of(model, lib.tacit_person_basis, person.handle))
        finally:
            lib.tacit_certificate_clear(c.byref(found))


def _whole(model: Model, person: Any) -> Person:
    """Somebody of whom everything is known."""
    values = items_of(person)
    lacking = [a.name for a in model._attributes if a.name not in values]
    if lacking:
        raise UsageError("everything must be known of the person, and there is no value for %s" % ", ".join(lacking),
                         column=lacking[0])
    return Person(model, values)


def smallest_core(model: Model, person: Any, *, by_cost: bool = False) -> Core:
    """The fewest sensitive attributes that settle the decision of a person of whom everything is known.

    A yardstick, not a protocol: who finds it has looked at all values.  ``by_cost``: the least cost instead.  The list
    also knows (`least`, `exact`) whether a smaller one is ruled out.

    >>> import tacit
    >>> model = tacit.fit(people, label="outcome", public=["region"])
    >>> tacit.smallest_core(model, {"income": 3900, "age": 60, "region": "north"})
    ['income']
    """
    with _whole(model, person) as known:
        return _smallest(model, known, by_cost)


def _smallest(model: Model, person: Person, by_cost: bool) -> Core:
    members, n, least = (c.c_size_t * len(model._attributes))(), c.c_size_t(), c.c_double()
    call(lib.tacit_smallest_core_least, person.handle, by_cost, members, c.byref(n), c.byref(least))
    found = [model._attributes[members[i]] for i in range(n.value)]
    core = Core(one.name for one in found)
    core.least = least.value
    core._size = sum(one.cost for one in found) if by_cost else len(found)
    return core


def _changes(model: Model, person: Person) -> List[Change]:
    found = []
    for i, attribute in enumerate(model._attributes):
        change = abi.Change()
        call(lib.tacit_change_of, person.handle, i, c.byref(change))
        if change.possible:
            found.append(Change(attribute.name, model._classes[change.label], decoded(change.value)))
    return found


def explain(model: Model, person: Any, *, delta: float = 0, rule: str = "auto", seed: int = 1) -> Explanation:
    """One person replayed: what was asked, what would have sufficed, what would turn the decision.

    Everything must be known of the person (a mapping, or a row of a DataFrame).

    >>> import tacit
    >>> model = tacit.fit(people, label="outcome", public=["region"])
    >>> found = tacit.explain(model, {"income": 3900, "age": 60, "region": "north"})
    >>> found.decision.label, found.asked, [change.name for change in found.changes]
    ('yes', ['income'], ['income'])
    """
    with _whole(model, person) as known, Session(model, delta=delta, rule=rule, seed=seed) as session:
        session._do(lib.tacit_session_replay, known.handle)
        events = session.transcript
        asked = [event.name for event in events if event.sensitive]
        n = len(model._attributes)
        places = (c.c_size_t * max(len(asked), 1))(*(model._places[name] for name in asked))
        needs, spare = (c.c_int * n)(), (c.c_bool * n)()
        call(lib.tacit_needs_of, known.handle, places, len(asked), needs, spare)
        return Explanation(
            session.decision(), events, asked, _smallest(model, known, False),
            [a.name for i, a in enumerate(model._attributes) if _NEEDS[needs[i]] == "indispensable"],
            [a.name for i, a in enumerate(model._attributes) if spare[i]], _changes(model, known), session.basis())
