"""Ask only what the decision needs.

Tacit stands between a trained classifier and the people it decides about.  It asks for one sensitive attribute at a time
and stops as soon as the decision is settled: proven for every value of what was not asked (``delta=0``), or settled with
probability at least ``1 - delta``.

    >>> import tacit
    >>> model = tacit.fit(people, label="outcome", public=["region"])
    >>> audit = model.audit(people, deltas=(0, 0.05))
    >>> with model.session(delta=0, public={"region": "north"}) as session:
    ...     session.next().name
    'income'

docs/PYTHON.md has more.
"""

from ._audit import Audit, audit, merge
from ._basis import Basis, Belief
from ._certify import Certificate, Change, Core, Explanation, certify, explain, smallest_core
from ._lib import Error, FileError, InputError, InternalError, OutOfMemory, Stopped, UsageError
from ._lib import lib as _library
from ._model import Attribute, Model, from_bytes, load
from ._people import PerPerson
from ._session import CheckResult, Decision, Event, Outlook, Session, check
from ._train import Necessity, calibrate, fit, from_onnx, from_xgboost, necessity

try:
    from .convert import from_lightgbm, from_sklearn, from_torch
except ImportError:  # no numpy, hence no classifiers of these libraries either
    def from_sklearn(*arguments: object, **options: object) -> Model:  # type: ignore[misc]
        """A model from a classifier of another library; needs numpy."""
        raise UsageError("classifiers of other libraries are read by way of numpy, which is not installed")

    from_lightgbm = from_torch = from_sklearn  # type: ignore[assignment]

__version__ = _library.tacit_version().decode("ascii")
__all__ = [
    "Attribute", "Audit", "Basis", "Belief", "Certificate", "Change", "CheckResult", "Core", "Decision", "Error",
    "Event", "Explanation", "FileError", "InputError", "InternalError", "Model", "Necessity", "OutOfMemory", "Outlook",
    "PerPerson", "Session", "Stopped", "UsageError", "audit", "calibrate", "certify", "check", "explain", "fit", "from_bytes", "from_lightgbm",
    "from_onnx", "from_sklearn", "from_torch", "from_xgboost", "load", "merge", "necessity", "smallest_core",
]
