"""Audits: the command line's figures to the byte, groups, parts, batches, what notebooks show, pickles."""

import json
import os
import pickle
import subprocess
import sys
import types
import unittest
import unittest.mock

import sample
import tacit


def command_line(*words):
    return subprocess.run([sample.PROGRAM, *words], check=True, stdout=subprocess.PIPE).stdout.decode("utf-8")


def figures(text):
    """Everything but where it is from."""
    data = json.loads(text)
    data.pop("command", None)
    data.pop("data")
    return data


@sample.needs_program
class CommandLine(unittest.TestCase):
    def setUp(self):
        self.model_path = os.path.join(sample.DEMO, "loans.tacit")
        self.people_path = os.path.join(sample.DEMO, "loans.csv")
        self.model = tacit.load(self.model_path)

    def test_files_give_the_same_bytes(self):
        for options, words in (
            ({}, []),
            ({"deltas": (0, 0.05), "group": "region"}, ["--delta", "0,0.05", "--group", "region"]),
            ({"deltas": [0.1], "group": ["age:5", "region*housing"], "part": "held_out", "rule": "margin",
              "smallest": False, "needs": False, "seed": 7},
             ["--delta", "0.1", "--group", "age:5", "--group", "region*housing", "--held-out", "--rule", "margin",
              "--no-opt", "--no-indispensable", "--seed", "7"]),
        ):
            with self.subTest(words=words):
                expected = command_line("audit", self.model_path, self.people_path, "--quiet", "--json", "-", *words)
                self.assertEqual(self.model.audit(self.people_path, **options).json(), expected)

    def test_reports_are_the_same(self):
        sample.in_scratch_folder(self)
        command_line("audit", self.model_path, self.people_path, "--quiet", "--report", "theirs.html", "--lang", "de")
        audit = self.model.audit(self.people_path, partial=True)
        # The command of ours cannot say --lang, which belongs to the page.
        said = "tacit audit loans.tacit loans.csv --lang de"
        with open("theirs.html", encoding="utf-8") as file:
            self.assertEqual(audit.report(lang="de", command=said), file.read())
        audit.report("ours.html")
        with open("ours.html", encoding="utf-8") as file:
            self.assertEqual(file.read(), audit.report())

    @sample.needs("pandas")
    def test_frames_give_the_same_figures(self):
        import pandas
        loans = pandas.read_csv(self.people_path)
        X, y = loans.drop(columns="outcome"), loans["outcome"]
        expected = command_line("audit", self.model_path, self.people_path, "--quiet", "--json", "-", "--group", "region")
        for people in (X, X.sample(frac=1, axis=1, random_state=1), X.assign(job=X["job"].astype("category")),
                       {name: X[name].to_numpy() for name in X}, X.astype({"age": "Int64", "job": "string"})):
            audit = self.model.audit(people, y, group=loans["region"])
            self.assertEqual(figures(audit.json()), figures(expected))
        whole = self.model.audit(loans, group="region")
        self.assertEqual(figures(whole.json()), figures(expected))
        # Whether these are the people of the training file cannot be told: it must not say that they are not.
        for audit in (whole, tacit.merge([whole.partial()]), tacit.merge([self.model.audit(X[k::2], y[k::2]).partial()
                                                                          for k in range(2)])):
            self.assertEqual(audit.data["data"]["trained_on"], "unknown")
        own = tacit.fit(loans, label="outcome")
        self.assertEqual(own.audit(loans).data["data"]["trained_on"], "yes")
        self.assertEqual(own.audit(loans.iloc[:9]).data["data"]["trained_on"], "no")
        array = loans[[a.name for a in self.model.attributes]].to_numpy()
        self.assertEqual(figures(self.model.audit(array, y).json()),
                         figures(command_line("audit", self.model_path, self.people_path, "--quiet", "--json", "-")))

    def test_batches_and_parts(self):
        import csv
        with open(self.people_path, encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        whole = figures(self.model.audit(self.people_path).json())

        def batches():
            for start in range(0, len(rows), 90):  # so many that parts are joined in between
                yield rows[start:start + 90]

        joined = figures(self.model.audit(batches(), threads=1).json())
        self.assertEqual(joined["results"], whole["results"])
        self.assertEqual(joined, whole)
        parts = [self.model.audit(rows[k::3]).partial() for k in range(3)]
        self.assertEqual(figures(tacit.merge(parts).json()), whole)
        with self.assertRaises(tacit.InputError):
            tacit.merge([parts[0], parts[0]])  # somebody is there twice
        with self.assertRaises(tacit.UsageError):
            tacit.merge([])
        with self.assertRaises(tacit.UsageError):
            self.model.audit(iter([]))


class Audits(unittest.TestCase):
    def setUp(self):
        self.people = sample.people()
        self.model = tacit.fit(self.people, label="outcome", public=["region"])

    def test_per_person_is_what_sessions_do(self):
        audit = self.model.audit(self.people, deltas=(0, 0.2), people=True)
        for delta in (0, 0.2):
            found = audit.per_person(delta)
            self.assertEqual(len(found), 400)
            for i in range(0, 400, 37):
                person = {name: values[i] for name, values in self.people.items()}
                with self.model.session(delta, public=person) as session:
                    asked = []
                    while (question := session.next()) is not None:
                        asked.append(question.name)
                        session.answer(question.name, person[question.name])
                    decision = session.decision()
                self.assertEqual(found.classes[found.label[i]], decision.label)
                self.assertEqual(found.settled_names[found.settled[i]], decision.settled)
                self.assertEqual(found.asked[i], decision.asked)
                self.assertEqual(sorted(found.asked_names(i)), sorted(asked))
                self.assertAlmostEqual(found.probability[i], decision.probability)
        self.assertEqual(list(found.full_label), list(self.model.label_indices(self.people)))

    def test_arrays_outlive_the_audit(self):
        asked = self.model.audit(self.people, deltas=(0,)).per_person().asked
        expected = list(self.model.audit(self.people, deltas=(0,)).per_person().asked)
        for _ in range(20):
            self.model.audit(self.people, deltas=(0.3,))  # would reuse the memory
        self.assertEqual(list(asked), expected)

    @sample.needs("numpy", "pandas")
    def test_per_person_frame(self):
        found = self.model.audit(self.people, deltas=(0,)).per_person()
        frame = found.to_frame()
        matrix = found.asked_matrix()
        self.assertEqual(list(frame["label"]), list(found.labels()))
        self.assertEqual(list(matrix.sum(axis=1)), list(frame["asked"]))
        for i in (0, 17, 399):
            self.assertEqual(frame["names"][i], ", ".join(found.asked_names(i)))
            self.assertEqual([n for n, asked in zip(found.sensitive, matrix[i]) if asked], found.asked_names(i))

    def test_pickles(self):
        audit = self.model.audit(self.people, deltas=(0, 0.1), group="region")
        again = pickle.loads(pickle.dumps(audit))
        self.assertEqual(again.json(), audit.json())
        self.assertEqual(list(again.per_person(0.1).asked), list(audit.per_person(0.1).asked))
        self.assertEqual(repr(again), repr(audit))
        model = pickle.loads(pickle.dumps(self.model))
        self.assertEqual(model.to_bytes(), self.model.to_bytes())
        with self.assertRaises(TypeError):
            pickle.dumps(model.session())
        with self.assertRaises(tacit.Error):
            tacit.Audit(0)
        with self.assertRaises(tacit.Error):
            tacit.Model(0)

    def test_shows_itself(self):
        people = dict(self.people, region=["<b>%s" % r for r in self.people["region"]])
        model = tacit.fit(people, label="outcome", public=["region"])
        audit = model.audit(people, group="region")
        page = audit._repr_html_() + model._repr_html_() + audit.per_person()._repr_html_()
        self.assertNotIn("<b>north", page)
        self.assertIn("&lt;b&gt;north", page)
        self.assertIn("%.2f of 2" % audit.results[0]["mean_asked"], page)
        for name in audit.data["sensitive"]:
            self.assertIn(name, page)

    def test_shows_what_a_promise_hides(self):
        n = 1200
        # Few people are "rare", so at 0.05 nobody is asked, and all of them are decided otherwise.
        sums = [sum((i * (7919 + 1009 * k) + 31 * k * i * i) % 1009 for k in range(1, 5)) for i in range(n)]
        people = {"age": [20 + (i * 37) % 45 for i in range(n)], "income": sums,
                  "outcome": ["<rare>" if s > 2800 else "usual" for s in sums]}
        audit = tacit.fit(people, label="outcome", l2=1).audit(people, deltas=(0, 0.05))
        labels = {label["label"]: label for label in audit.results[1]["failure"]["by_label"]}
        self.assertTrue(labels["<rare>"]["fails"])
        page = audit._repr_html_()
        self.assertIn("δ = 0.05 does not hold for everybody: of %d people" % labels["<rare>"]["people"], page)
        self.assertIn("“&lt;rare&gt;”", page)
        self.assertNotIn("δ = 0 does not hold", page)
        self.assertNotIn("asks for more", page)
        with unittest.mock.patch.dict(audit.data["upper_limit"], mean_asked=-1.0):
            self.assertIn("δ = 0.05 asks for more than δ = 0", audit._repr_html_())

    def test_says_that_it_can_tell_about_single_people(self):
        few = {name: column[:19] for name, column in self.people.items()}
        audit = self.model.audit(few)
        self.assertTrue(audit.data["few_people"])
        self.assertIn("can tell about single ones", audit._repr_html_())
        self.assertIn("can tell about single ones", audit.report())
        self.assertNotIn("Nothing here is about a single person", audit.report())
        audit = self.model.audit({name: column[:20] for name, column in self.people.items()})
        self.assertNotIn("few_people", audit.data)
        self.assertNotIn("can tell about single ones", audit._repr_html_() + audit.report())

    @sample.needs("pandas")
    def test_frame_of_figures(self):
        frame = self.model.audit(self.people, deltas=(0, 0.1), group="region").to_frame()
        self.assertEqual(len(frame), 6)
        self.assertEqual(frame["mean_asked"][1], self.model.audit(self.people, deltas=[0.1]).results[0]["mean_asked"])

    def test_progress_is_told(self):
        told = []
        self.model.audit(sample.people(20000), deltas=(0, 0.05), progress=lambda done, total: told.append((done, total)))
        self.assertTrue(told)
        self.assertLessEqual(told[-1][0], 20000)

        def fail(done, total):
            raise KeyError("enough")

        with self.assertRaises(KeyError):
            self.model.audit(sample.people(20000), deltas=(0, 0.05), progress=fail)

    def test_progress_by_tqdm_or_by_a_line(self):
        class Bar:
            made = []

            def __init__(self, desc, unit_scale, leave):
                self.n, self.total, self.closed = 0, None, False
                Bar.made.append(self)

            def update(self, by):
                self.n += by

            def close(self):
                self.closed = True

        modules = {"tqdm": types.ModuleType("tqdm"), "tqdm.auto": types.ModuleType("tqdm.auto")}
        modules["tqdm.auto"].tqdm = Bar
        people = sample.people(20000)
        with unittest.mock.patch.dict(sys.modules, modules):
            self.model.audit(people, deltas=(0, 0.05), progress=True)
        self.assertEqual(len(Bar.made), 1)
        self.assertTrue(Bar.made[0].closed)
        self.assertLessEqual(Bar.made[0].n, 20000)
        with unittest.mock.patch.dict(sys.modules, {"tqdm": None, "tqdm.auto": None}):
            self.assertEqual(self.model.audit(self.people, progress=True).people, 400)

    def test_wrong_options(self):
        for options in ({"deltas": (0.7,)}, {"deltas": ()}, {"rule": "entropi"}, {"part": "some"}, {"group": "regoin"},
                        {"unknown": "ignore"}, {"progress": 3}):
            with self.subTest(options=options), self.assertRaises(tacit.Error):
                self.model.audit(self.people, **options)
        with self.assertRaises(tacit.UsageError):
            self.model.audit(self.people, people=False).per_person()
        with self.assertRaises(tacit.UsageError):
            self.model.audit(self.people, deltas=[0]).per_person(0.05)
        with self.assertRaises(tacit.Error) as caught:
            self.model.audit("not-there.csv")
        self.assertEqual(caught.exception.file, "not-there.csv")

    def test_training_and_its_parts(self):
        held = self.model.audit(self.people, part="held_out")
        train = self.model.audit(self.people, part="train")
        self.assertEqual(held.people + train.people, 400)
        self.assertEqual(held.people, self.model.info["test_rows"])
        calibrated = self.model.calibrate(self.people, part="held_out")
        self.assertNotEqual(calibrated.info["sha256"], self.model.info["sha256"])
        found = tacit.necessity(self.people, label="outcome", splits=2, people=20)
        self.assertIn("<!doctype html", found.report().lower())
        self.assertEqual(json.loads(found.json()), found.data)


if __name__ == "__main__":
    unittest.main()
