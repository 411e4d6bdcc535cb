"""Ask only what the decision needs."""

from ._lib import (Error, FileError, InputError, InternalError, OutOfMemory, Stopped, UsageError, lib as _library)
from ._model import Attribute, Model, from_bytes, load

__version__ = _library.tacit_version().decode("ascii")
