"""One person's questionnaire, its receipt, and the check of a receipt."""

from __future__ import annotations

import ctypes as c
import datetime
import threading
import weakref
from collections.abc import Mapping
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

from . import _abi as abi
from . import _lib
from ._basis import Basis, basis_of
from ._data import cell_text
from ._lib import InputError, UsageError, call, decoded, encoded, error_of, lib
from ._model import Attribute, Model

_EPOCH = datetime.date(1970, 1, 1)


class Decision(NamedTuple):
    """Where a questionnaire stands."""

    label: str  #: while open, the most likely one
    settled: str  #: ``"open"``, ``"certain"``, ``"likely"``, ``"all revealed"`` or ``"unsettled"``
    probability: float  #: of the label: 1 when certain or all revealed
    asked: int  #: sensitive attributes answered
    not_known: int  #: of these, how many by not knowing
    refused: int
    cost: float  #: of the sensitive attributes answered


class Event(NamedTuple):
    """One line of the transcript; it holds no answer."""

    name: str
    refused: bool
    clipped: bool  #: the answer lay outside its domain
    not_known: bool
    sensitive: bool
    settled: str  #: after it
    label: str  #: the most likely one after it
    probability: float


class Outlook(NamedTuple):
    """What lies ahead in a questionnaire."""

    at_most: int  #: sensitive attributes that can still be asked
    about: float  #: how many more it takes on average
    settles: float  #: share of people whose decision the next answer settles


class CheckResult(NamedTuple):
    """What checking a receipt found; true where it is valid."""

    valid: bool
    reason: str  #: what is wrong with it
    label: Optional[str]
    settled: Optional[str]
    probability: float
    signed: bool
    trusted: bool  #: by the trusted key
    key: str  #: public key of the signature
    not_known: int

    def __bool__(self) -> bool:
        return self.valid


def settled_name(settled: int) -> str:
    """How a decision was settled, in words."""
    return decoded(lib.tacit_settled_name(settled))


def rule_of(name: str) -> int:
    """A rule by its name."""
    rule = c.c_int()
    call(lib.tacit_rule_from_name, c.byref(rule), encoded(name))
    return int(rule.value)


def _number_text(value: Any, text: str) -> str:
    """For attributes that are numbers: truth values count as 1 and 0, days as their number."""
    if text in ("True", "False") and not isinstance(value, str):
        return "1" if text == "True" else "0"
    if not isinstance(value, (str, int, float)) and len(text) == 10 and text[4] == text[7] == "-":
        return str((datetime.date.fromisoformat(text) - _EPOCH).days)
    return text


def _level_text(levels: Sequence[str], value: Any, text: str) -> str:
    """For categories: a number is the level 1 or 1.0, whichever the model knows."""
    if text in levels or isinstance(value, str):
        return text
    if text in ("True", "False"):
        others = ["1", "1.0"] if text == "True" else ["0", "0.0"]
    else:
        others = [text[:-2] if text.endswith(".0") else text + ".0"]
    return next((other for other in others if other in levels), text)


def answer_text(attribute: Attribute, value: Any) -> str:
    """An answer as the library takes it; empty when it is missing."""
    text = cell_text(value, attribute.name)
    if text is None:
        return ""
    if attribute.type == "category":
        return _level_text(attribute.levels, value, text)
    return _number_text(value, text)


def items_of(person: Any) -> Dict[str, Any]:
    """What is known of a person: from a mapping, a row of a DataFrame, or a DataFrame of one row."""
    if isinstance(person, Mapping):
        return {str(name): value for name, value in person.items()}
    if hasattr(person, "columns") and hasattr(person, "iloc"):
        if len(person) != 1:
            raise UsageError("one person is wanted, and the table has %d rows" % len(person))
        return {str(name): person[name].iloc[0] for name in person.columns}
    if hasattr(person, "index") and hasattr(person, "items"):
        return {str(name): value for name, value in person.items()}
    raise UsageError("a %s is no person: give a mapping of names to values, or a row of a DataFrame"
                     % type(person).__name__)


class Person:
    """What is known about somebody, in the library's memory until it is closed, and then wiped."""

    def __init__(self, model: Model, known: Dict[str, Any], only_public: bool = False) -> None:
        out = c.c_void_p()
        call(lib.tacit_person_new, c.byref(out), model._handle)
        self.handle = out.value
        self.model = model
        self.close = weakref.finalize(self, lib.tacit_person_free, self.handle)
        try:
            for name, value in known.items():
                place = model._places.get(name)
                if place is None or (only_public and model._attributes[place].sensitive):
                    continue
                text = answer_text(model._attributes[place], value)
                call(lib.tacit_person_set, self.handle, place, encoded(text, "a value"), None)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> "Person":
        return self

    def __exit__(self, *exception: Any) -> None:
        self.close()


class Session:
    """One person's questionnaire: asks for one attribute at a time, and stops when the decision is settled.

    Use it as a context manager, or call :meth:`close`: what the person said is wiped then.  A session belongs to one
    thread at a time; a model may have any number of sessions.

    >>> import tacit
    >>> model = tacit.fit(people, label="outcome", public=["region"])
    >>> person = {"region": "north", "age": 61, "income": 3900}
    >>> with model.session(delta=0, public=person) as session:
    ...     while (question := session.next()) is not None:
    ...         session.answer(question.name, person[question.name])
    ...     session.decision().label, session.decision().settled
    ('yes', 'certain')
    """

    def __init__(self, model: Model, *, delta: float = 0, public: Any = None, rule: str = "auto", seed: int = 1) -> None:
        if not isinstance(model, Model):
            raise UsageError("a session is of a tacit.Model")
        self._model = model
        self._options = abi.ReleaseOptions(size=c.sizeof(abi.ReleaseOptions), delta=delta, rule=rule_of(rule), seed=seed)
        out = c.c_void_p()
        call(lib.tacit_session_open, c.byref(out), model._handle, c.byref(self._options))
        self._handle: Optional[int] = out.value
        self._lock = threading.Lock()
        self._err = abi.Error()
        self._finalizer = weakref.finalize(self, lib.tacit_session_free, self._handle)
        if public is not None:
            try:
                self.give_public(public)
            except BaseException:
                self.close()
                raise

    # ---- how calls are made ----

    def _do(self, function: Any, *arguments: Any) -> None:
        """A call: one at a time, and none after closing.  The lock costs less than telling threads apart would."""
        with self._lock:
            if self._handle is None:
                raise UsageError("the session is closed")
            if function(self._handle, *arguments, self._err):
                raise error_of(self._err)

    def _place(self, name: Union[str, Attribute]) -> int:
        place = self._model._places.get(name)  # type: ignore[arg-type]
        return self._model.place(name.name if isinstance(name, Attribute) else name) if place is None else place

    # ---- questions and answers ----

    def next(self) -> Optional[Attribute]:
        """The attribute to ask for next, or None when there is a decision.  Public ones come first."""
        found = c.c_size_t()
        self._do(lib.tacit_session_next, found)
        return None if found.value == abi.NONE else self._model._attributes[found.value]

    def answer(self, name: Union[str, Attribute], value: Any) -> None:
        """Give the value of an attribute: the one that was asked for, or another.

        None and NaN say that it is not known, which is an answer only where the schema says so.
        """
        place = self._place(name)
        self._do(lib.tacit_session_answer, place,
                 encoded(answer_text(self._model._attributes[place], value), "a value"))

    def refuse(self, name: Union[str, Attribute]) -> None:
        """The person does not give it; it stays unknown for good."""
        self._do(lib.tacit_session_refuse, self._place(name))

    def unknown(self, name: Union[str, Attribute]) -> None:
        """The person does not know it: an answer where the schema says that missing is a value, else an error."""
        self._do(lib.tacit_session_answer_unknown, self._place(name))

    def narrow(self, name: Union[str, Attribute], low: Any = None, high: Any = None, *,
               levels: Optional[Sequence[str]] = None) -> None:
        """Say less than the value: that it lies from `low` to `high`, or is one of these levels.

        >>> import tacit
        >>> model = tacit.fit(people, label="outcome", public=["region"])
        >>> with model.session(public={"region": "north"}) as session:
        ...     session.narrow("income", low=3500)
        ...     session.narrow("age", low=50)
        ...     session.decision().label, session.decision().settled
        ('yes', 'certain')
        """
        place = self._place(name)
        attribute = self._model._attributes[place]
        if levels is not None:
            if low is not None or high is not None:
                raise UsageError("narrow takes levels, or low and high, not both")
            known = {level: i for i, level in enumerate(attribute.levels)}
            texts = [answer_text(attribute, level) for level in levels]
            if any(text not in known for text in texts):
                raise InputError("column %s: not one of the %d levels the model knows" % (attribute.name, len(known)),
                                 column=attribute.name)
            places = (c.c_size_t * max(len(texts), 1))(*(known[text] for text in texts))
            self._do(lib.tacit_session_narrow_levels, place, places, len(texts))
            return
        ends = [None if end is None else encoded(answer_text(attribute, end), "a value") for end in (low, high)]
        self._do(lib.tacit_session_narrow, place, *ends)

    def undo(self) -> None:
        """Take back the last answer, refusal or narrowing."""
        self._do(lib.tacit_session_undo)

    def give_public(self, person: Any) -> None:
        """Give all public attributes that `person` (a mapping or a row) has; nothing else of it is read."""
        known = items_of(person)
        with Person(self._model, {name: known[name] for name in self._model.public if name in known}) as given:
            self._do(lib.tacit_session_give_public, given.handle)

    def restart(self) -> None:
        """Begin again, for another person; all answers are wiped."""
        self._do(lib.tacit_session_restart, c.byref(self._options))

    # ---- where it stands ----

    def decision(self) -> Decision:
        """Where things stand: the decision, once :meth:`next` gives None."""
        found = abi.Decision()
        self._do(lib.tacit_session_decision, found)
        return Decision(self._model._classes[found.label], settled_name(found.settled), found.probability, found.asked,
                        found.not_known, found.refused, found.cost)

    def outlook(self, draws: int = 0) -> Outlook:
        """How many more questions there may be."""
        found = abi.Outlook()
        self._do(lib.tacit_session_outlook, draws, found)
        return Outlook(found.at_most, found.about, found.settles)

    def basis(self) -> Basis:
        """How likely each label is by now, and what is believed of what is not known."""
        with self._lock:
            if self._handle is None:
                raise UsageError("the session is closed")
            return basis_of(self._model, lib.tacit_session_basis, self._handle)

    # ---- elsewhere or later ----

    def save(self) -> bytes:
        """Answers and transcript as bytes, to go on elsewhere or later with :meth:`restore`.

        They are what the person said, not encrypted: keep them as such.  Options are not part of them.
        """
        bytes_ = c.create_string_buffer(lib.tacit_session_state_size(self._model._handle))
        self._do(lib.tacit_session_save, bytes_)
        found = bytes_.raw
        c.memset(bytes_, 0, len(bytes_))
        return found

    def restore(self, state: bytes) -> None:
        """Go on where another session of this model was saved."""
        self._do(lib.tacit_session_restore, bytes(state), len(state))

    @property
    def transcript(self) -> List[Event]:
        """What was asked and how it stood then; no answers."""
        with self._lock:
            if self._handle is None:
                raise UsageError("the session is closed")
            events = [lib.tacit_session_event(self._handle, i).contents
                      for i in range(lib.tacit_session_events(self._handle))]
            return [Event(self._model._attributes[e.attribute].name, bool(e.refused), bool(e.clipped),
                          bool(e.not_known), e.role == 1, settled_name(e.settled), self._model._classes[e.label],
                          e.probability) for e in events]

    @property
    def model(self) -> Model:
        """The model that it asks for."""
        return self._model

    @property
    def closed(self) -> bool:
        """Has it been wiped?"""
        return self._handle is None

    def receipt(self, *, stamped: bool = False, key: Optional[bytes] = None) -> str:
        """The decision in writing, as JSON text (docs/FORMATS.md): for the person, since it holds the answers.

        ``stamped=True`` gives it a number and a time of its own; without, the same answers give the same bytes.  For a
        decision that is certain it holds what it takes to prove it again: see :func:`check`.  ``key`` signs it: an Ed25519
        key, its secret seed and its public key behind it, 64 bytes.
        """
        if key is not None and len(key) != 64:
            raise UsageError("a key to sign with has 64 bytes: its seed, and its public key")
        stamp = None
        if stamped:
            stamp = abi.ReceiptStamp()
            call(lib.tacit_receipt_stamp_now, c.byref(stamp))
        with self._lock:
            if self._handle is None:
                raise UsageError("the session is closed")
            text = _lib.made_text(lib.tacit_session_receipt, self._handle, c.byref(stamp) if stamp else None, None)
        if key is not None:
            text = _lib.made_text(lib.tacit_receipt_sign, text, bytes(key))
        return text.decode("utf-8")

    # ---- the end ----

    def close(self) -> None:
        """Wipe what the person said.  The session can no longer be used."""
        with self._lock:
            self._handle = None
            self._finalizer()

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, *exception: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        if self._handle is None:
            return "<tacit.Session closed>"
        found = self.decision()
        return "<tacit.Session %s, %d asked>" % (found.settled, found.asked)

    def __reduce__(self) -> Tuple[Any, ...]:
        raise TypeError("a session holds what a person said, and is not written down; receipt() is for that")


def check(receipt: Union[str, bytes], model: Model, *, trusted_key: Optional[str] = None) -> CheckResult:
    """Is a receipt true?  It is proven again, by code that shares nothing with what decided.

    Parameters
    ----------
    receipt
        What :meth:`Session.receipt` gave.  A file is read by whoever has it: ``open(path).read()``.
    model
        The model it was made with.
    trusted_key
        Public key in base64 by which it must be signed; several with commas.

    >>> import tacit
    >>> model = tacit.fit(people, label="outcome", public=["region"])
    >>> with model.session(public={"region": "north"}) as session:
    ...     session.answer("income", 3900); session.answer("age", 60)
    ...     receipt = session.receipt()
    >>> tacit.check(receipt, model).valid
    True
    >>> tacit.check(receipt.replace("yes", "no"), model).valid
    False
    """
    data = receipt.encode("utf-8") if isinstance(receipt, str) else bytes(receipt)
    found = abi.Check()
    call(lib.tacit_check_receipt_text, c.byref(found), model._handle, data, len(data),
         _lib.optional(trusted_key, "a key"))
    valid = bool(found.valid)
    return CheckResult(valid, decoded(found.reason), model._classes[found.label] if valid else None,
                       settled_name(found.settled) if valid else None, found.probability, bool(found.is_signed),
                       bool(found.trusted), decoded(found.key), found.not_known)
