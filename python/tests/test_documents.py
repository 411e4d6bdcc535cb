"""docs/PYTHON_API.md is what the docstrings say, and the names that others rely on are there."""

import os
import subprocess
import sys
import unittest

import sample
import tacit

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Documents(unittest.TestCase):
    def test_names(self):
        for name in ("Model Session Audit Error fit load from_sklearn from_xgboost from_onnx check merge necessity "
                     "__version__").split():
            self.assertTrue(hasattr(tacit, name), name)
        for name in tacit.__all__:
            self.assertTrue(getattr(tacit, name).__doc__, name)

    @sample.needs("numpy")
    def test_reference_is_current(self):
        done = subprocess.run([sys.executable, "-B", os.path.join(TOP, "tools", "python-api.py"), "--check"],
                              stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_everything_is_described(self):
        import ast
        for folder, _, files in os.walk(os.path.join(TOP, "python", "tacit")):
            for name in files:
                if not name.endswith(".py"):
                    continue
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    tree = ast.parse(file.read(), feature_version=(3, 9))
                for node in ast.walk(tree):
                    if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and not node.name.startswith("_"):
                        if isinstance(node, ast.FunctionDef):
                            self.assertIsNotNone(node.returns, "%s: %s says not what it gives" % (name, node.name))


if __name__ == "__main__":
    unittest.main()
