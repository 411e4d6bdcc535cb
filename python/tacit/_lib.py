"""The shared libraries: finding and loading them, calling them, and telling what went wrong.

Quick calls are made where they stand.  Those that may take long or use several threads are made by :func:`run`, in a
thread of their own, for three reasons: Ctrl-C reaches Python, not the library, and must end an audit at once; progress is
then told in the thread that asked, where notebooks want it; and the pool of threads that OpenMP keeps belongs to the thread
that first used it, so that a process that was forked later would wait for threads it does not have.  A thread of its own
has a pool of its own.
"""

from __future__ import annotations

import ctypes as c
import os
import re
import threading
from typing import Any, Callable, Dict, List, Optional, Tuple

from . import _abi as abi

__all__ = ["Error", "UsageError", "InputError", "FileError", "OutOfMemory", "Stopped", "InternalError"]


class Error(Exception):
    """Something went wrong; the message says what, and where.

    Messages name files, rows and columns, never the values of a person.

    Attributes
    ----------
    file : str or None
        The file or table that is the matter, as far as it is known.
    row : int or None
        The row of it, counted from 1 without the header.
    column : str or None
        The column or attribute.

    >>> import tacit
    >>> try:
    ...     tacit.load("there-is-no-such-file.tacit")
    ... except tacit.Error as error:
    ...     print(type(error).__name__, error.file)
    FileError there-is-no-such-file.tacit
    """

    def __init__(self, message: str, file: Optional[str] = None, row: Optional[int] = None,
                 column: Optional[str] = None) -> None:
        super().__init__(message)
        self.file = file
        self.row = row
        self.column = column

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (str(self), self.file, self.row, self.column)


class UsageError(Error, ValueError):
    """The call makes no sense: a bad option, an unknown name, the wrong order."""


class InputError(Error, ValueError):
    """A file or a value is not what it should be."""


class FileError(Error, OSError):
    """A file cannot be opened, read or written."""

    __str__ = Exception.__str__


class OutOfMemory(Error, MemoryError):
    """There is not enough memory."""


class Stopped(Error):
    """The call was asked to stop, and did."""


class InternalError(Error):
    """A bug of Tacit's own."""


_CLASSES = {1: UsageError, 2: InputError, 3: FileError, 4: OutOfMemory, 5: Stopped, 6: InternalError}
_PLACE = re.compile(r"^(?:cannot (?:open|read|write) (?P<path>.*?): |(?P<file>.*?): (?:row \d+|column |no column |\d+ problems))")


def decoded(data: Optional[bytes]) -> str:
    """Text from the library; bytes that are no UTF-8 are kept as they are."""
    return (data or b"").decode("utf-8", "surrogateescape")


def error_of(err: Any) -> Error:
    """The exception that an error of the library is."""
    message = re.sub(r"--(drop|category)\b", r"\1=", decoded(err.message))  # options of the program are parameters here
    first = message.split("\n", 1)[0]
    place = _PLACE.match(first)
    file = place.group("file") or place.group("path") if place else None
    return _CLASSES.get(err.status, InternalError)(message or "unknown error", file, err.row or None,
                                                   decoded(err.column) or None)


# ---- loading ----


def _folders() -> List[str]:
    """Where the libraries may be: said by the user, beside the package (a wheel), or where `make install` put them."""
    here = os.path.dirname(os.path.abspath(__file__))
    said = os.environ.get("TACIT_LIBRARY")
    found = [said] if said else []
    found.append(os.path.join(here, "_libs"))
    try:
        with open(os.path.join(here, "_libdir.txt"), encoding="utf-8") as file:
            found.append(os.path.normpath(os.path.join(here, file.read().strip())))
    except OSError:
        pass
    return found


def _load(name: str, signatures: Dict[str, Tuple[Any, List[Any]]]) -> Any:
    file = "lib%s.so.0" % name
    tried = [os.path.join(folder, file) for folder in _folders()]
    path = next((path for path in tried if os.path.exists(path)), file)
    try:
        library = c.CDLL(path)
    except OSError as error:
        raise ImportError("tacit: the library %s is not there or cannot be loaded (%s); looked at %s. The folder that "
                          "holds it can be said in the environment: TACIT_LIBRARY" % (file, error, ", ".join(tried))
                          ) from None
    for function, (result, arguments) in signatures.items():
        try:
            entry = getattr(library, function)
        except AttributeError:
            raise ImportError("tacit: %s is of another version: it has no %s" % (path, function)) from None
        entry.restype = result
        entry.argtypes = arguments
    return library


lib = _load("tacit", abi.CORE)
_others: Dict[str, Any] = {}
_loading = threading.Lock()


def _other(name: str, signatures: Dict[str, Tuple[Any, List[Any]]]) -> Any:
    """A library that not everybody needs, when it is first asked for."""
    with _loading:
        if name not in _others:
            _others[name] = _load(name, signatures)
        return _others[name]


def train() -> Any:
    """The library that trains."""
    return _other("tacit-train", abi.TRAIN)


def importer() -> Any:
    """The library that reads the models of others."""
    return _other("tacit-import", abi.IMPORT)


# ---- texts ----


def encoded(value: Any, what: str = "a name") -> bytes:
    """Text for the library."""
    data = os.fsencode(value) if isinstance(value, os.PathLike) else str(value).encode("utf-8", "surrogateescape")
    if b"\0" in data:
        raise UsageError("%s holds a NUL character" % what)
    return data


def optional(value: Any, what: str = "a name") -> Optional[bytes]:
    """The same where there may be none."""
    return None if value is None else encoded(value, what)


def names(value: Any, what: str) -> Optional[bytes]:
    """A list of names as the library takes them: with commas between."""
    if value is None or isinstance(value, str):
        return optional(value, what)
    listed = [str(name) for name in value]
    for name in listed:
        if "," in name:
            raise UsageError("%s: a name with a comma in it cannot be listed: rename the column" % what, column=name)
    return encoded(",".join(listed), what)


def taken_text(pointer: Any, size: Optional[int] = None) -> bytes:
    """The bytes of a text that the library made; the library's own are freed."""
    try:
        return c.string_at(pointer) if size is None else c.string_at(pointer, size)
    finally:
        lib.tacit_text_free(pointer)


# ---- calling ----


def call(function: Any, *arguments: Any) -> None:
    """Call a fallible function here and now."""
    err = abi.Error()
    if function(*arguments, c.byref(err)):
        raise error_of(err)


def made_text(function: Any, *arguments: Any) -> bytes:
    """The text that a function makes."""
    out = c.c_void_p()
    call(function, c.byref(out), *arguments)
    return taken_text(out)


ProgressCallback = Callable[[int, int], Any]

_PATIENCE = 0.05  # seconds between two looks at the progress
_GRACE = 2.0  # seconds that a call may take to notice that it is to stop


class Job:
    """A call in a thread of its own, which can be told to stop and tells how far it is."""

    def __init__(self) -> None:
        self.done = 0
        self.total = 0
        self.stop = False
        self.callback = abi.Progress(self._step)
        self._left = threading.Lock()
        self._finished = False
        self._given_up = False

    def _step(self, context: Any, done: int, total: int) -> bool:
        self.done = done
        self.total = total
        return not self.stop

    def run(self, work: Callable[[], Any], drop: Callable[[Any], Any],
            progress: Optional[ProgressCallback] = None) -> Any:
        """What `work` gives.  If nobody waits for it any more, `drop` gets it instead."""
        box: List[Any] = [None, None]

        def body() -> None:
            try:
                box[0] = work()
            except BaseException as error:  # noqa: B902 - told in the thread that asked
                box[1] = error
            with self._left:
                self._finished = True
                given_up = self._given_up
            if given_up and box[1] is None:
                drop(box[0])

        thread = threading.Thread(target=body, name="tacit", daemon=True)
        thread.start()
        try:
            self._wait(thread, progress)
        except BaseException:
            self._give_up(thread, box, drop)
            raise
        if box[1] is not None:
            raise box[1]
        return box[0]

    def _wait(self, thread: threading.Thread, progress: Optional[ProgressCallback]) -> None:
        if progress is None:
            thread.join()
            return
        told, alive = -1, True
        while alive:  # once more when it is over, so that the end is told
            thread.join(_PATIENCE)
            alive = thread.is_alive()
            if self.done != told:
                told = self.done
                progress(told, self.total)

    def _give_up(self, thread: threading.Thread, box: List[Any], drop: Callable[[Any], Any]) -> None:
        self.stop = True
        try:
            thread.join(_GRACE)
        finally:
            with self._left:
                self._given_up = True
                finished = self._finished
            if finished and box[1] is None:
                drop(box[0])


def run(function: Any, *arguments: Any, keep: Any = (), free: Optional[Callable[[Any], Any]] = None,
        job: Optional[Job] = None, progress: Optional[ProgressCallback] = None) -> Any:
    """Call a function that makes something and takes long; the handle of what it made.

    `free` frees it where nobody waits any more; without `free` the function makes nothing.  `keep` is held until the
    call has ended, also after Ctrl-C.
    """
    job = job or Job()

    def work() -> Any:
        held = keep  # noqa: F841
        err = abi.Error()
        out = c.c_void_p()
        first = (c.byref(out),) if free else ()
        if function(*first, *arguments, c.byref(err)):
            raise error_of(err)
        return out.value

    return job.run(work, free if free else lambda made: None, progress)


def write_file(path: Any, data: bytes) -> None:
    """All of a file, or none of it."""
    call(lib.tacit_file_write, encoded(path, "a path"), data, len(data))
