"""People from everywhere: each form gives the figures of the same file, and what is no people gives one clear exception."""

import datetime
import decimal
import unittest

import sample
import tacit
from tacit._data import table_of


def hash_of(table):
    import ctypes
    from tacit._lib import lib
    lib.tacit_table_hash.restype, lib.tacit_table_hash.argtypes = ctypes.c_char_p, [ctypes.c_void_p]
    return lib.tacit_table_hash(table.handle)


class Forms(unittest.TestCase):
    def setUp(self):
        self.people = sample.people()
        self.model = tacit.fit(self.people, label="outcome", public=["region"])
        self.expected = self.model.audit(self.people, deltas=(0,)).results

    def same(self, X, y=None, **options):
        found = self.model.audit(X, y, deltas=(0,), **options)
        self.assertEqual(found.results, self.expected)
        return found

    def without_label(self):
        return {name: values for name, values in self.people.items() if name != "outcome"}

    def test_plain_python(self):
        self.same(self.people)
        self.same(self.without_label(), self.people["outcome"])
        rows = [dict(zip(self.people, row)) for row in zip(*self.people.values())]
        self.same(rows)
        self.same([[row[a.name] for a in self.model.attributes] for row in rows], self.people["outcome"])
        self.same({name: tuple(values) for name, values in self.people.items()})
        self.same({name: (value for value in values) for name, values in self.people.items()})

    @sample.needs("numpy")
    def test_numpy(self):
        import numpy as np
        arrays = {name: np.array(values) for name, values in self.people.items()}
        self.same(arrays)
        found = self.same(arrays, group=arrays["region"])
        self.assertEqual(found.data["groupings"][0]["name"], "group")
        self.same(dict(arrays, age=arrays["age"].astype(np.int8), income=arrays["income"].astype(np.uint16)))
        self.same(dict(arrays, age=arrays["age"].astype(">i4"), income=arrays["income"].astype(np.float32)))
        wide = np.zeros((400, 3), dtype=np.int64)
        wide[:, 1] = arrays["age"]
        self.same(dict(arrays, age=wide[:, 1]))  # not contiguous
        self.same(dict(arrays, age=arrays["age"][::-1].copy()[::-1], income=np.asfortranarray(arrays["income"])))
        self.same(dict(arrays, age=np.ma.masked_array(arrays["age"], False)))
        self.same(dict(arrays, income=arrays["income"].astype(np.longdouble)))
        records = np.rec.fromarrays(list(arrays.values()), names=list(arrays))
        self.same(records)
        objects = np.array([self.people[a.name] for a in self.model.attributes], dtype=object).T
        self.same(objects, arrays["outcome"])
        with self.assertRaises(tacit.UsageError):
            self.model.audit(objects[:, :2], arrays["outcome"])
        with self.assertRaises(tacit.UsageError):
            self.model.audit(np.zeros((2, 2, 2)))

    @sample.needs("pandas")
    def test_pandas(self):
        import numpy as np
        import pandas as pd
        frame = pd.DataFrame(self.people)
        X, y = frame.drop(columns="outcome"), frame["outcome"]
        self.same(frame)
        self.same(X, y)
        self.same(X, y.to_numpy())
        self.same(X.set_index(pd.Index(range(1000, 1400))), y)
        self.same(X.astype({"age": "Int16", "income": "Float64", "region": "string"}), y.astype("category"))
        self.same(X.astype({"region": "category", "age": "category"}), y)
        self.same(X.iloc[::-1].iloc[::-1], y)
        self.same(X.assign(more=pd.Timestamp("2020-01-01")), y)
        twice = pd.concat([X, X["age"]], axis=1)
        with self.assertRaises(tacit.InputError) as caught:
            self.model.audit(twice, y)
        self.assertEqual(caught.exception.column, "age")
        with self.assertRaises(tacit.UsageError):
            self.model.audit(pd.concat({"a": X}, axis=1), y)
        with self.assertRaises(tacit.InputError):
            self.model.audit(X, y.iloc[:5])
        missing = X.astype({"age": "Int64", "income": float, "region": object})
        missing.loc[3, "age"] = pd.NA
        missing.loc[4, "income"] = np.nan
        missing.loc[5, "region"] = None
        with self.assertRaises(tacit.InputError) as caught:
            self.model.audit(missing, y)
        self.assertEqual((caught.exception.row, caught.exception.column), (6, "region"))
        counted = self.model.audit(missing.drop(index=5), y.drop(index=5))
        self.assertEqual(counted.data["cells"]["missing"], 2)

    @sample.needs("numpy")
    def test_arrow(self):
        import numpy as np
        import producers
        for step in (1, 7, 400, 1000):
            table = producers.ArrowTable(self.people, step)
            self.same(table)
            self.assertEqual(table.alive, 0)
            table = producers.ArrowTable(self.without_label(), step)
            self.same(table, self.people["outcome"], group=np.array(self.people["region"]))
            self.assertEqual(table.alive, 0)
        table = producers.ArrowTable(self.without_label())
        with self.assertRaises(tacit.InputError) as caught:
            self.model.audit(table, self.people["outcome"][:9])
        self.assertEqual(caught.exception.column, "outcome")
        self.assertEqual(table.alive, 0)
        self.assertEqual(hash_of(table_of(producers.ArrowTable(self.people))), hash_of(table_of(self.people)))

    @sample.needs("pandas")
    def test_interchange(self):
        import pandas as pd
        import producers
        if not hasattr(pd.DataFrame, "__dataframe__"):
            self.skipTest("this pandas has no __dataframe__")
        frame = pd.DataFrame(self.people)
        for chunks in (1, 3):
            self.same(producers.Interchange(frame, chunks))
            self.same(producers.Interchange(frame.drop(columns="outcome"), chunks), frame["outcome"])
        self.same(producers.Interchange(frame.assign(region=frame["region"].astype("category"), age=frame["age"] * 1.0,
                                                     flag=frame["age"] > 30, when=pd.Timestamp("2021-05-06"))))
        self.assertEqual(hash_of(table_of(producers.Interchange(frame))), hash_of(table_of(frame)))

    def test_files(self):
        sample.in_scratch_folder(self)
        with open("people.csv", "w", encoding="utf-8") as file:
            file.write(",".join(self.people) + "\n")
            for row in zip(*self.people.values()):
                file.write(",".join(str(value) for value in row) + "\n")
        self.same("people.csv")
        import pathlib
        self.same(pathlib.Path("people.csv"))
        self.same(table_of("people.csv"))
        with open("people.csv", encoding="utf-8") as file:
            head, *rows = file.readlines()
        for name, some in (("half.csv", rows[:200]), ("rest.csv", rows[200:])):
            with open(name, "w", encoding="utf-8") as file:
                file.writelines([head, *some])
        self.assertEqual(self.model.audit(["half.csv", "rest.csv"], deltas=(0,)).people, 400)
        with self.assertRaisesRegex(tacit.InputError, "count twice"):
            self.model.audit(["people.csv", "people.csv"], deltas=(0,))
        self.assertEqual(tacit.fit("people.csv", label="outcome", public="region").classes, ["no", "yes"])
        with self.assertRaises(tacit.UsageError):
            self.model.audit("people.csv", self.people["outcome"])

    def test_objects_by_where_they_are(self):
        """Texts that are equal but not one object, gaps of all kinds, mixed values: as a plain list has them."""
        import numpy as np
        import pandas as pd
        words = ["rented", "own", "with family", "a b c d"]
        few = [words[i % 4] if i % 7 else None for i in range(5000)]
        apart = ["".join(list(word)) if word else float("nan") for word in few]  # no two are one object
        half = [word if i % 2 else other for i, (word, other) in enumerate(zip(few, apart))]
        gaps = [word if word else (None, float("nan"), pd.NaT)[i % 3] for i, word in enumerate(few)]
        expected = hash_of(table_of({"x": few}))
        for values in (few, apart, half, gaps):
            for column in (np.array(values, dtype=object), np.array(values + values, dtype=object)[:5000],
                           np.array([values, values], dtype=object).T[:, 1], pd.Series(values, dtype=object)):
                self.assertEqual(hash_of(table_of({"x": column})), expected)
        mixed = [(1, 1.0, True, "1", None, 2**70, datetime.date(2020, 5, 17))[i % 7] for i in range(5000)]
        self.assertEqual(hash_of(table_of({"x": np.array(mixed, dtype=object)})), hash_of(table_of({"x": mixed})))
        with self.assertRaises(tacit.Error) as told:
            table_of({"x": np.array([object()] * 10, dtype=object)})
        self.assertEqual(told.exception.column, "x")


class Hostile(unittest.TestCase):
    """Right answer, or one clear exception that names the column."""

    def setUp(self):
        self.people = sample.people()
        self.model = tacit.fit(self.people, label="outcome", public=["region"])

    def refused(self, column, values, kind=tacit.InputError):
        with self.assertRaises(kind) as caught:
            self.model.labels(dict(self.people, **{column: values}))
        self.assertIn(column, str(caught.exception))
        return caught.exception

    def test_values_that_are_none(self):
        self.refused("age", [b"31"] * 400)
        self.refused("age", [[1]] * 400)
        self.refused("age", [object()] * 400)
        self.refused("age", "forty")
        self.refused("age", 40)
        self.refused("age", ["3\0001"] * 400)
        self.refused("age", ["\ud800"] * 400)
        self.refused("age", [1, 2, 3])
        error = self.refused("age", [30] * 398 + ["very old", 31])
        self.assertEqual((error.row, error.column), (399, "age"))
        self.assertNotIn("very", str(error))
        error = self.refused("region", ["north"] * 17 + ["moon"] + ["south"] * 382)
        self.assertEqual((error.row, error.column), (18, "region"))
        self.assertNotIn("moon", str(error))

    def test_categories_unseen_count_as_missing_on_demand(self):
        people = dict(self.people, region=[None if i % 40 == 0 else r for i, r in enumerate(self.people["region"])])
        model = tacit.fit(people, label="outcome", public=["age"])
        people["region"] = ["moon"] * 400
        with self.assertRaises(tacit.InputError):
            model.audit(people)
        self.assertEqual(model.audit(people, unknown="missing").data["cells"]["unknown"], 400)
        self.assertEqual(len(model.labels(people, unknown="missing")), 400)

    def test_no_rows_no_columns(self):
        for people in ({}, {"age": []}, {name: [] for name in self.people}, [], (), None, 3, "", b"", {1, 2}, object()):
            with self.subTest(people=people), self.assertRaises(tacit.Error):
                self.model.audit(people)
            with self.subTest(people=people), self.assertRaises(tacit.Error):
                tacit.fit(people, label="outcome")

    def test_columns_that_are_not_there(self):
        less = {name: values for name, values in self.people.items() if name != "income"}
        with self.assertRaises(tacit.InputError) as caught:
            self.model.audit(less)
        self.assertIn("income", str(caught.exception))
        self.assertEqual(len(self.model.labels(dict(self.people, unknown_to_it=[None] * 400))), 400)

    def test_huge_and_odd_numbers(self):
        big = 10 ** 30
        for values in ([big] * 400, [float("inf")] * 400, [2 ** 63] * 400, [-2 ** 63] * 400, [2 ** 53 + 1] * 400,
                       [decimal.Decimal("1e5")] * 400, [1e308] * 400):
            with self.subTest(value=values[0]):
                try:
                    found = self.model.audit(dict(self.people, income=values), deltas=(0,))
                except tacit.InputError as error:
                    self.assertIn("income", str(error))
                else:
                    self.assertEqual(found.data["cells"]["clipped"], 400)
        labels = list(self.model.labels(dict(self.people, age=[float("nan")] * 400)))
        self.assertEqual(len(labels), 400)

    def test_what_to_do_about_a_column(self):
        """The program's options in messages are parameters here, and there are such."""
        people = dict(sample.people(), code=[2**60 + i % 5 for i in range(400)])
        with self.assertRaises(tacit.InputError) as told:
            tacit.fit(people, label="outcome")
        self.assertIn("drop=", str(told.exception))
        self.assertIn("category=", str(told.exception))
        self.assertNotIn("--", str(told.exception))
        self.assertEqual([a.name for a in tacit.fit(people, label="outcome", drop=["code"]).attributes],
                         ["age", "income", "region"])
        model = tacit.fit(people, label="outcome", category="code")
        self.assertEqual(model.attributes[-1].levels[0], str(2**60))

    def test_truth_values_and_dates(self):
        n = 300
        days = [datetime.date(2020, 1, 1) + datetime.timedelta(days=i * 13 % 400) for i in range(n)]
        people = {"flag": [i % 3 == 0 for i in range(n)], "when": days, "x": [i * 7 % 50 for i in range(n)]}
        people["y"] = [people["x"][i] + (20 if people["flag"][i] else 0) > 30 for i in range(n)]
        model = tacit.fit(people, label="y", dates_as_days=True)
        self.assertEqual([a.type for a in model.attributes], ["category", "integer", "integer"])
        self.assertEqual(model.classes, ["False", "True"])
        expected = model.audit(people).results
        try:
            import numpy as np
            import pandas as pd
        except ImportError:
            self.skipTest("not installed: numpy, pandas")
        frame = pd.DataFrame(people)
        frame["when"] = pd.to_datetime(frame["when"])
        self.assertEqual(model.audit(frame).results, expected)
        self.assertEqual(model.audit(frame.assign(when=frame["when"] + pd.Timedelta(hours=23))).results, expected)
        self.assertEqual(model.audit(frame.assign(when=frame["when"].dt.tz_localize("Asia/Tokyo"))).results, expected)
        self.assertEqual(model.audit(frame.assign(flag=frame["flag"].astype("boolean"))).results, expected)
        self.assertEqual(model.audit(frame.assign(when=frame["when"].to_numpy().astype("datetime64[s]"))).results,
                         expected)
        old = np.array(["1901-02-03T23:00", "NaT", "1969-12-31T23:59"] * 100, dtype="datetime64[m]")
        made = table_of({"when": old, "y": [1, 2] * 150})
        dates = [datetime.date(1901, 2, 3), None, datetime.date(1969, 12, 31)] * 100
        self.assertEqual(made.rows, 300)
        a = tacit.fit(dict(people, when=old), label="y", dates_as_days=True)
        b = tacit.fit(dict(people, when=dates), label="y", dates_as_days=True)
        self.assertEqual([t.min for t in a.attributes], [t.min for t in b.attributes])
        for values in (frame["when"] - frame["when"].iloc[0], frame["when"].dt.to_period("M"), frame["x"] * 1j):
            with self.subTest(dtype=values.dtype), self.assertRaises(tacit.InputError) as caught:
                model.audit(frame.assign(when=values))
            self.assertEqual(caught.exception.column, "when")

    @sample.needs("numpy")
    def test_sparse_and_strange_objects(self):
        class Odd:
            def __array__(self, *arguments):
                raise ValueError("not today")

        with self.assertRaises((tacit.Error, ValueError)):
            self.model.audit(dict(self.people, age=Odd()))

        class Capsule:
            def __arrow_c_stream__(self, requested_schema=None):
                return "no capsule"

        with self.assertRaises((tacit.Error, ValueError)):
            self.model.audit(Capsule())

    def test_names(self):
        with self.assertRaises(tacit.UsageError):
            tacit.fit({"a,b": [1, 2] * 50, "c": [1, 2, 3, 4] * 25, "y": [0, 1] * 50}, label="y", public=["a,b"])
        with self.assertRaises(tacit.UsageError):
            tacit.fit(self.people, label="outcome", public=["regoin"])
        with self.assertRaises(tacit.Error):
            tacit.fit(self.people, label="outcom")
        with self.assertRaises(tacit.UsageError):
            tacit.fit(self.people)
        with self.assertRaises(tacit.UsageError):
            tacit.fit(dict(self.people, **{"a\0b": [1] * 400}), label="outcome")

    def test_models_that_are_none(self):
        for data in (b"", b"{}", b"\0" * 100, self.model.to_bytes()[:-5]):
            with self.assertRaises(tacit.Error):
                tacit.from_bytes(data)
            with self.assertRaises(tacit.Error):
                tacit.from_onnx(data, self.people, label="outcome")
        with self.assertRaises(tacit.UsageError):
            tacit.from_onnx(3.5, self.people, label="outcome")
        with self.assertRaises(tacit.FileError):
            tacit.from_onnx("not-there.onnx", self.people, label="outcome")


if __name__ == "__main__":
    unittest.main()
