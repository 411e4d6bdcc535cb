#!/usr/bin/env python3
"""The reference of the Python package, written from its docstrings.

    PYTHONPATH=python TACIT_LIBRARY=build/release/src tools/python-api.py [--check]

writes docs/PYTHON_API.md; --check only tells, by the exit code, whether the file is what it would write.
"""

import inspect
import os
import re
import sys
import textwrap

import tacit

FILE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "docs", "PYTHON_API.md")
HEAD = """# Python: reference

Written from the docstrings by `tools/python-api.py`; the examples are run by `ctest -R python/test_doctests`. In them `people`
is a dict of four columns of 400 people, as `python/tests/sample.py` makes them. [PYTHON.md](PYTHON.md) tells what for.
"""
ORDER = ["fit", "load", "from_bytes", "from_sklearn", "from_xgboost", "from_lightgbm", "from_torch", "from_onnx", "Model",
         "Attribute", "Session", "Decision", "Event", "Outlook", "check", "CheckResult", "audit", "Audit", "PerPerson",
         "merge", "certify", "Certificate", "explain", "Explanation", "Change", "smallest_core", "Core", "Basis", "Belief",
         "calibrate", "necessity", "Necessity", "Error", "UsageError", "InputError", "FileError", "OutOfMemory", "Stopped",
         "InternalError"]


def marked(text):
    """A docstring as Markdown: roles become code, sections bold, parameters a list, examples blocks."""
    text = re.sub(r":(?:class|func|meth|attr|manpage|mod):`~?([^`]*)`", r"`\1`", inspect.cleandoc(text))
    text = re.sub(r"``([^`]*)``", r"`\1`", text)
    lines, out, in_section, in_example = text.split("\n"), [], False, False
    for i, line in enumerate(lines):
        under = i + 1 < len(lines) and re.match(r"^-{3,}$", lines[i + 1].strip())
        if re.match(r"^-{3,}$", line.strip()):
            continue
        starts = line.lstrip().startswith(">>>")
        if starts and not in_example:
            out.append("```python")
            in_example = True
        if in_example and not line.strip():
            out.append("```")
            in_example = False
        if under:
            out += ["**%s**" % line, ""]
            in_section = True
        elif in_example:
            out.append(line.strip() if starts else line)
        elif line.strip() == "::":
            continue
        elif in_section and line and not line.startswith(" ") and i + 1 < len(lines) and lines[i + 1].startswith(" "):
            out.append("- `%s`" % line)
        else:
            in_section = in_section and (not line or line.startswith(" "))  # a paragraph ends the section
            out.append(line.replace("    ", "  ", 1) if in_section else line)
    if in_example:
        out.append("```")
    return "\n".join(out)


def signature(name, thing):
    try:
        said = str(inspect.signature(thing))
    except (TypeError, ValueError):
        return name
    said = re.sub(r": '([^']*)'", r": \1", re.sub(r"-> '([^']*)'", r"-> \1", said))  # annotations are texts
    said = re.sub(r"\b(?:tacit|typing|collections\.abc)\.(?:_\w+\.)?", "", said.replace('"', ""))
    return name + re.sub(r"<[^>]*>", "...", said).replace("(self, ", "(").replace("(self)", "()")


def code(text):
    """Folded at commas, as code."""
    lines = textwrap.wrap(text, 112, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)
    return "```python\n%s\n```" % "\n".join(lines)


def members(kind):
    """Public methods and properties in the order of the source; fields of tuples are in their docstring's place."""
    for name, member in vars(kind).items():
        if name.startswith("_") or name in getattr(kind, "_fields", ()):
            continue
        if isinstance(member, property) or (inspect.isfunction(member) and member.__doc__):
            yield name, member


def fields_of(kind):
    """Fields of a tuple with what the source says behind them."""
    source = inspect.getsource(kind)
    for name in getattr(kind, "_fields", ()):
        found = re.search(r"^    %s: ([^#\n]*?)\s*(?:#: (.*))?$" % name, source, flags=re.M)
        said = re.sub(r"``([^`]*)``", r"`\1`", found.group(2) or "") if found else ""
        yield "- `%s`: %s%s" % (name, found.group(1) if found else "", "; " + said if said else "")


def page():
    parts = [HEAD]
    names = [name for name in ORDER if hasattr(tacit, name)]
    assert set(names) >= {name for name in tacit.__all__ if hasattr(tacit, name)}, "a name is not in the order"
    for name in names:
        thing = getattr(tacit, name)
        if inspect.isclass(thing):
            parts += ["## tacit.%s" % name, marked(thing.__doc__)]
            fields = list(fields_of(thing))
            parts += ["\n".join(fields)] if fields else []
            for member_name, member in members(thing):
                if isinstance(member, property):
                    parts += ["### %s.%s" % (name, member_name), marked(member.__doc__)]
                else:
                    parts += ["### %s.%s" % (name, member_name), code(signature(member_name, member)),
                              marked(member.__doc__)]
        else:
            parts += ["## tacit." + name, code(signature(name, thing)), marked(thing.__doc__)]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def main():
    made = page()
    if sys.argv[1:] == ["--check"]:
        with open(FILE, encoding="utf-8") as file:
            if file.read() != made:
                sys.exit("docs/PYTHON_API.md is not what tools/python-api.py writes: run it")
        return
    with open(FILE, "w", encoding="utf-8") as file:
        file.write(made)


if __name__ == "__main__":
    main()
