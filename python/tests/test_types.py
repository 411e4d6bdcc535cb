"""The types that the package promises (py.typed) hold: mypy, as strict as pyproject.toml says, where it is installed."""

import os
import shutil
import subprocess
import tempfile
import unittest

PACKAGE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tacit")

if shutil.which("mypy") is None:
    print("skipped, not installed: mypy")
    raise SystemExit(77)


class Types(unittest.TestCase):
    def test_of_the_package(self):
        settings = os.path.join(os.path.dirname(os.path.dirname(PACKAGE)), "pyproject.toml")
        with tempfile.TemporaryDirectory() as cache:
            found = subprocess.run(["mypy", "--config-file", settings, "--cache-dir", cache, PACKAGE],
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                                   env={**os.environ, "MYPYPATH": ""})
        self.assertEqual(found.returncode, 0, found.stdout)


if __name__ == "__main__":
    unittest.main()
