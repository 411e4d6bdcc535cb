"""Telling how far something is: by a function of the caller, by tqdm where it is installed, or on one line of text."""

from __future__ import annotations

import contextlib
import sys
from typing import Any, Iterator, Optional, Union

from ._lib import ProgressCallback, UsageError


class _Line:
    """A line of text that is written over; nothing where nobody watches."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.shown = ""

    def __call__(self, done: int, total: int) -> None:
        text = "%s: %d %%" % (self.what, 100 * done // total) if total else "%s: %d" % (self.what, done)
        if text != self.shown and sys.stderr.isatty():
            sys.stderr.write("\r" + text)
            sys.stderr.flush()
            self.shown = text

    def close(self) -> None:
        if self.shown:
            sys.stderr.write("\r" + " " * len(self.shown) + "\r")
            sys.stderr.flush()


class _Tqdm:
    """tqdm's bar, which notebooks show as one of their own."""

    def __init__(self, tqdm: Any, what: str) -> None:
        self.bar = tqdm(desc=what, unit_scale=True, leave=False)

    def __call__(self, done: int, total: int) -> None:
        if total and self.bar.total != total:
            self.bar.total = total
        self.bar.update(done - self.bar.n)

    def close(self) -> None:
        self.bar.close()


@contextlib.contextmanager
def bar(progress: Union[None, bool, ProgressCallback], what: str) -> Iterator[Optional[ProgressCallback]]:
    """What to call with how much is done; None: nothing."""
    if progress is None or progress is False:
        yield None
        return
    if progress is not True:
        if not callable(progress):
            raise UsageError("progress is True, False or a function of two numbers")
        yield progress
        return
    shown: Any
    try:
        from tqdm.auto import tqdm
        shown = _Tqdm(tqdm, what)
    except ImportError:
        shown = _Line(what)
    try:
        yield shown
    finally:
        shown.close()
