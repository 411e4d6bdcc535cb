"""The wheel, installed into a fresh environment without a network, and the first ten minutes run there."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

import sample

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "python", "backend"))

WITHOUT_NUMPY = """
import sys
sys.modules["numpy"] = sys.modules["pandas"] = None
import sample, tacit
assert "site-packages" in tacit.__file__, tacit.__file__
people = sample.people()
model = tacit.fit(people, label="outcome", public=["region"])
audit = model.audit(people, deltas=(0,))
assert audit.per_person().asked[:3] and len(model.labels(people)) == 400 and audit.results[0]["fidelity"] == 1
with open("/proc/self/maps") as file:
    ours = {line.split()[-1] for line in file if "tacit" in line and ".so" in line}
assert ours and all("site-packages/tacit/_libs/" in path for path in ours), ours
"""


@unittest.skipUnless(shutil.which("patchelf"), "patchelf is not installed")
@unittest.skipUnless(os.environ.get("TACIT_LIBRARY"), "TACIT_LIBRARY does not say where the libraries are")
@sample.needs("venv", "ensurepip")
class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        import tacit_backend
        cls.folder = tempfile.TemporaryDirectory()
        cls.wheel = os.path.join(cls.folder.name, tacit_backend.make_wheel(cls.folder.name, os.environ["TACIT_LIBRARY"]))
        cls.place = os.path.join(cls.folder.name, "env")
        subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", cls.place], check=True)
        cls.python = os.path.join(cls.place, "bin", "python3")
        cls.environment = {name: value for name, value in os.environ.items()
                           if name not in ("PYTHONPATH", "TACIT_LIBRARY", "LD_LIBRARY_PATH")}
        subprocess.run([cls.python, "-m", "pip", "-q", "--disable-pip-version-check", "install", "--no-index", cls.wheel],
                       check=True, env=cls.environment)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def run_python(self, *words, cwd=None, **environment):
        done = subprocess.run([self.python, "-B", *words], env=dict(self.environment, **environment), cwd=cwd,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_nothing_but_glibc_is_needed(self):
        import tacit_backend
        self.assertIn("-py3-none-manylinux_", self.wheel)
        with zipfile.ZipFile(self.wheel) as archive, tempfile.TemporaryDirectory() as folder:
            self.assertIsNone(archive.testzip())
            archive.extractall(folder)
            libs = os.path.join(folder, "tacit", "_libs")
            there = set(os.listdir(libs))
            for name in there:
                if ".so" in name:
                    self.assertLessEqual(set(tacit_backend.needed(os.path.join(libs, name))), there, name)
            self.assertIn("tacit/py.typed", archive.namelist())

    def test_same_tree_same_bytes(self):
        import tacit_backend
        with tempfile.TemporaryDirectory() as folder:
            again = os.path.join(folder, tacit_backend.make_wheel(folder, os.environ["TACIT_LIBRARY"]))
            with open(again, "rb") as a, open(self.wheel, "rb") as b:
                self.assertEqual(a.read(), b.read())

    def test_without_numpy(self):
        self.run_python("-c", WITHOUT_NUMPY, PYTHONPATH=os.path.join(TOP, "python", "tests"))

    @sample.needs_program
    @sample.needs("pandas", "sklearn")
    def test_first_ten_minutes(self):
        place = os.path.join(self.folder.name, "notebook")
        os.mkdir(place)
        shutil.copy(os.path.join(sample.DEMO, "loans.csv"), place)
        self.run_python(os.path.join(TOP, "tools", "run-notebook.py"),
                        os.path.join(TOP, "examples", "first_ten_minutes.ipynb"), cwd=place)


if __name__ == "__main__":
    unittest.main()
