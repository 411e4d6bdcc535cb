"""The examples in docstrings are run, with `people` as sample.py has them."""

import doctest
import importlib
import importlib.util
import pkgutil
import unittest

import sample
import tacit


class Examples(unittest.TestCase):
    def setUp(self):
        sample.in_scratch_folder(self)

    def test_examples(self):
        tried = 0
        for found in pkgutil.walk_packages(tacit.__path__, "tacit."):
            try:
                module = importlib.import_module(found.name)
            except ImportError as error:
                print("left out %s: %s" % (found.name, error))
                continue
            for test in doctest.DocTestFinder().find(module, extraglobs={"people": sample.people()}):
                if importlib.util.find_spec("pandas") is None and "to_frame" in test.docstring:
                    print("left out %s: not installed: pandas" % test.name)
                elif test.examples:
                    with self.subTest(example=test.name):
                        result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
                        tried += result.attempted
                        self.assertEqual(result.failed, 0, test.name)
        self.assertGreater(tried, 30)


if __name__ == "__main__":
    unittest.main()
