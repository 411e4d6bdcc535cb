#!/usr/bin/env python3
"""Run the cells of a notebook one after the other, as Jupyter would, without Jupyter.

    tools/run-notebook.py NOTEBOOK [--write] [--html PAGE]

Every cell is run in one namespace; what it prints and what its last expression shows are collected.  A cell that fails ends
it with exit code 1, and so does one that shows something of another kind than the notebook has stored: then the notebook
is not what it was when somebody looked at it.  --write stores the outputs in the notebook, --html also writes a page to
look at.  Jupyter and nbconvert would bring 42 Debian packages along for this.
"""

import argparse
import ast
import contextlib
import html
import io
import json
import re
import sys
import traceback
import types


def shown(value):
    """What a notebook would show of a value."""
    data = {"text/plain": repr(value)}
    if hasattr(value, "_repr_html_"):
        page = value._repr_html_()
        if page is not None:
            data["text/html"] = page
    return {name: text.splitlines(keepends=True) for name, text in data.items()}


def run_cell(source, name, number):
    """The outputs of a cell."""
    tree = ast.parse(source, "cell %d" % number)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    value = None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell %d" % number, "exec"), name)
        if last is not None and not source.rstrip().endswith(";"):
            value = eval(compile(ast.Expression(last.value), "cell %d" % number, "eval"), name)
    outputs = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream",
                        "text": printed.getvalue().splitlines(keepends=True)})
    if value is not None:
        outputs.append({"data": shown(value), "execution_count": number, "metadata": {},
                        "output_type": "execute_result"})
    return outputs


def kinds(outputs):
    return [(output["output_type"], sorted(output.get("data", ()))) for output in outputs]


def marked(text):
    """The little of Markdown that our notebooks use."""
    text = html.escape(text)
    text = re.sub(r"^(#+) (.*)$", lambda m: "<h%d>%s</h%d>" % (len(m.group(1)), m.group(2), len(m.group(1))), text,
                  flags=re.M)
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", text)
    return "<p>%s</p>" % re.sub(r"\*\*([^*]+)\*\*", r"<b>\1</b>", text).replace("\n\n", "</p><p>")


def page_of(notebook):
    parts = ['<!doctype html><meta charset="utf-8"><style>body{font:14px/1.5 sans-serif;max-width:60em;margin:2em auto}'
             "pre{background:#f4f4f4;padding:.6em 1em;white-space:pre-wrap}pre.out{background:none}</style>"]
    for cell in notebook["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(marked(text))
            continue
        parts.append("<pre>%s</pre>" % html.escape(text))
        for output in cell["outputs"]:
            data = output.get("data", {})
            plain = "".join(output.get("text", ()) or data.get("text/plain", ()))
            parts.append("".join(data.get("text/html", ())) or '<pre class="out">%s</pre>' % html.escape(plain))
    return "\n".join(parts)


def run_all(notebook):
    """Run every cell; what is wrong, in words, or None."""
    sys.modules["__main__"] = types.ModuleType("__main__")  # where processes look for what cells define
    name = sys.modules["__main__"].__dict__
    number = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        number += 1
        try:
            outputs = run_cell("".join(cell["source"]), name, number)
        except Exception:
            return "cell %d failed:\n%s" % (number, traceback.format_exc())
        if cell["execution_count"] is not None and kinds(outputs) != kinds(cell["outputs"]):
            return "cell %d shows something else than what is stored" % number
        cell["outputs"], cell["execution_count"] = outputs, number
    return None


def main():
    parser = argparse.ArgumentParser(description="Run a notebook.")
    parser.add_argument("notebook")
    parser.add_argument("--write", action="store_true", help="store the outputs")
    parser.add_argument("--html", metavar="PAGE", help="write a page")
    said = parser.parse_args()
    with open(said.notebook, encoding="utf-8") as file:
        notebook = json.load(file)
    if said.write:
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                cell["execution_count"] = None
    wrong = run_all(notebook)
    if wrong:
        sys.exit("%s: %s" % (said.notebook, wrong))
    if said.write:
        with open(said.notebook, "w", encoding="utf-8") as file:
            json.dump(notebook, file, indent=1, ensure_ascii=False)
            file.write("\n")
    if said.html:
        with open(said.html, "w", encoding="utf-8") as file:
            file.write(page_of(notebook))


if __name__ == "__main__":
    main()
