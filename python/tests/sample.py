"""Made-up people for the tests, and what the tests need of this machine."""

import importlib.util
import os
import tempfile
import unittest


def people(n=400):
    """Columns of n people: what `people` is in the examples of the docstrings."""
    age = [20 + i * 37 % 45 for i in range(n)]
    income = [1000 + i * 733 % 3000 for i in range(n)]
    region = [("north", "south")[i * 7 % 2] for i in range(n)]
    outcome = ["yes" if income[i] + 20 * age[i] + (100 if region[i] == "north" else 0) + i * 31 % 400 > 3500 else "no"
               for i in range(n)]
    return {"age": age, "income": income, "region": region, "outcome": outcome}


def needs(*modules):
    """Skip, and say so, where a module is not installed."""
    lacking = [name for name in modules if importlib.util.find_spec(name) is None]
    return unittest.skipIf(lacking, "not installed: %s" % ", ".join(lacking))


PROGRAM = os.environ.get("TACIT_PROGRAM")
DEMO = os.environ.get("TACIT_DEMO")
needs_program = unittest.skipUnless(PROGRAM and DEMO, "TACIT_PROGRAM and TACIT_DEMO do not say where they are")


def in_scratch_folder(test):
    """Run a test in a folder of its own."""
    folder = tempfile.TemporaryDirectory()
    before = os.getcwd()
    os.chdir(folder.name)
    test.addCleanup(folder.cleanup)
    test.addCleanup(os.chdir, before)
