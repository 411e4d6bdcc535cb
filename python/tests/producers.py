"""Small producers of tables, for libraries that are not installed: Arrow streams by ctypes, chunked frames."""

import ctypes as c

import numpy as np


class ArrowSchema(c.Structure):
    pass


ReleaseSchema = c.CFUNCTYPE(None, c.POINTER(ArrowSchema))
ArrowSchema._fields_ = [
    ("format", c.c_char_p), ("name", c.c_char_p), ("metadata", c.c_char_p), ("flags", c.c_int64),
    ("n_children", c.c_int64), ("children", c.POINTER(c.POINTER(ArrowSchema))), ("dictionary", c.POINTER(ArrowSchema)),
    ("release", ReleaseSchema), ("private_data", c.c_void_p)]


class ArrowArray(c.Structure):
    pass


ReleaseArray = c.CFUNCTYPE(None, c.POINTER(ArrowArray))
ArrowArray._fields_ = [
    ("length", c.c_int64), ("null_count", c.c_int64), ("offset", c.c_int64), ("n_buffers", c.c_int64),
    ("n_children", c.c_int64), ("buffers", c.POINTER(c.c_void_p)), ("children", c.POINTER(c.POINTER(ArrowArray))),
    ("dictionary", c.POINTER(ArrowArray)), ("release", ReleaseArray), ("private_data", c.c_void_p)]


class ArrowArrayStream(c.Structure):
    pass


GetSchema = c.CFUNCTYPE(c.c_int, c.POINTER(ArrowArrayStream), c.POINTER(ArrowSchema))
GetNext = c.CFUNCTYPE(c.c_int, c.POINTER(ArrowArrayStream), c.POINTER(ArrowArray))
LastError = c.CFUNCTYPE(c.c_char_p, c.POINTER(ArrowArrayStream))
ReleaseStream = c.CFUNCTYPE(None, c.POINTER(ArrowArrayStream))
ArrowArrayStream._fields_ = [
    ("get_schema", GetSchema), ("get_next", GetNext), ("get_last_error", LastError), ("release", ReleaseStream),
    ("private_data", c.c_void_p)]

_FORMATS = {"int64": b"l", "float64": b"g", "int32": b"i", "object": b"u"}


def _let_go(kind):
    def release(pointer):
        pointer.contents.release = kind()
    return kind(release)


class ArrowTable:
    """Columns as an Arrow stream of batches of so many rows; `alive` counts what was not released."""

    def __init__(self, columns, rows_a_batch=7):
        self.columns = {name: np.asarray(values, dtype=object if isinstance(values[0], str) else None)
                        for name, values in columns.items()}
        self.n = len(next(iter(self.columns.values())))
        self.step = rows_a_batch
        self.at = 0
        self.keep = []
        self.alive = 0

    def _structs(self, pointer, kind, release_kind, children):
        listed = (c.POINTER(kind) * len(children))(*(c.pointer(child) for child in children))
        pointer.contents.n_children = len(children)
        pointer.contents.children = listed
        pointer.contents.release = self._counted(release_kind)
        self.keep += [listed, children]

    def _counted(self, kind):
        def release(pointer):
            self.alive -= 1
            pointer.contents.release = kind()
        self.alive += 1
        made = kind(release)
        self.keep.append(made)
        return made

    def _schema(self, stream, out):
        children = []
        for name, values in self.columns.items():
            child = ArrowSchema(format=_FORMATS[str(values.dtype)], name=name.encode())
            child.release = _let_go(ReleaseSchema)
            self.keep.append(child.release)
            children.append(child)
        out.contents.format = b"+s"
        out.contents.name = b""
        self._structs(out, ArrowSchema, ReleaseSchema, children)
        return 0

    def _array(self, values):
        if values.dtype == object:
            texts = [str(text).encode() for text in values]
            ends = np.cumsum([0] + [len(text) for text in texts]).astype(np.int32)
            held = [ends, np.frombuffer(b"".join(texts) + b" ", dtype=np.uint8)]
        else:
            held = [np.ascontiguousarray(values)]
        buffers = (c.c_void_p * (1 + len(held)))(None, *(one.ctypes.data for one in held))
        self.keep += [held, buffers]
        child = ArrowArray(length=len(values), n_buffers=1 + len(held), buffers=buffers)
        child.release = _let_go(ReleaseArray)
        self.keep.append(child.release)
        return child

    def _next(self, stream, out):
        if self.at >= self.n:
            out.contents.release = ReleaseArray()
            return 0
        cut = slice(self.at, min(self.at + self.step, self.n))
        children = [self._array(values[cut]) for values in self.columns.values()]
        self.at += self.step
        out.contents.length = cut.stop - cut.start
        out.contents.n_buffers = 1
        none = (c.c_void_p * 1)(None)
        out.contents.buffers = none
        self.keep.append(none)
        self._structs(out, ArrowArray, ReleaseArray, children)
        return 0

    def __arrow_c_stream__(self, requested_schema=None):
        self.at = 0
        stream = ArrowArrayStream(get_schema=GetSchema(self._schema), get_next=GetNext(self._next),
                                  get_last_error=LastError(lambda pointer: None),
                                  release=self._counted(ReleaseStream))
        self.keep.append(stream)
        new = c.pythonapi.PyCapsule_New
        new.restype, new.argtypes = c.py_object, [c.c_void_p, c.c_char_p, c.c_void_p]
        return new(c.addressof(stream), b"arrow_array_stream", None)


class Interchange:
    """Only the interchange protocol of a pandas DataFrame, in so many chunks."""

    def __init__(self, frame, chunks=3):
        self.frame = frame
        self.chunks = chunks

    def __dataframe__(self, nan_as_null=False, allow_copy=True):
        return _Frame(self.frame.__dataframe__(nan_as_null, allow_copy), self.chunks)


class _Frame:
    def __init__(self, inner, chunks):
        self.inner, self.chunks = inner, chunks

    def column_names(self):
        return self.inner.column_names()

    def get_column_by_name(self, name):
        return _Column(self.inner.get_column_by_name(name), self.chunks)


class _Column:
    def __init__(self, inner, chunks):
        self.inner, self.chunks = inner, chunks

    def get_chunks(self):
        return self.inner.get_chunks(self.chunks)
