"""What a decision rests on where not everything is known: how likely each label is, and what is believed of the rest."""

from __future__ import annotations

import ctypes as c
import math
from typing import Any, Dict, NamedTuple, Optional

from ._lib import call, decoded, lib
from ._model import Model


class Belief(NamedTuple):
    """What is believed of an attribute that is not known, given what is."""

    mean: Optional[float]  #: of numbers, in their own units; None for categories, and where only stretches count
    deviation: Optional[float]  #: likewise
    levels: Optional[Dict[str, float]]  #: probability of each level, or of each stretch that trees tell apart


class Basis(NamedTuple):
    """How likely each label is, and what that rests on.

    It holds no value of the person, but who has the model can draw conclusions about them.
    """

    probabilities: Dict[str, float]  #: by label; 1 for one that is proven
    believed: Dict[str, Belief]  #: by attribute, those that are not known


def _belief(handle: Any, place: int, found: Any) -> Belief:
    levels = None
    if found.levels:
        levels = {}
        text = c.create_string_buffer(256)
        for k in range(found.n_levels):
            lib.tacit_basis_level_text(handle, place, k, text, len(text))
            levels[decoded(text.value)] = found.levels[k]
    return Belief(None if math.isnan(found.mean) else found.mean,
                  None if math.isnan(found.deviation) else found.deviation, levels)


def basis_of(model: Model, function: Any, known: Any) -> Basis:
    """By ``tacit_person_basis`` or ``tacit_session_basis``."""
    out = c.c_void_p()
    call(function, c.byref(out), known)
    try:
        believed = {}
        for i, attribute in enumerate(model._attributes):
            found = lib.tacit_basis_expectation(out, i)
            if found:
                believed[attribute.name] = _belief(out, i, found.contents)
        return Basis({label: lib.tacit_basis_probability(out, i) for i, label in enumerate(model._classes)}, believed)
    finally:
        lib.tacit_basis_free(out)
