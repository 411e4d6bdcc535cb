"""Sessions: questions, answers of all types, refusals, ranges, receipts, wiping; and the explanations of one person."""

import datetime
import json
import os
import subprocess
import tempfile
import unittest

import sample
import tacit


class Sessions(unittest.TestCase):
    def setUp(self):
        self.people = sample.people()
        self.model = tacit.fit(self.people, label="outcome", public=["region"])
        self.person = {"region": "north", "age": 61, "income": 3900}

    def test_questions(self):
        with self.model.session(public=self.person) as session:
            question = session.next()
            self.assertEqual(session.next(), question)
            self.assertTrue(question.sensitive)
            self.assertIn(question.name, self.model.sensitive)
            self.assertEqual(session.decision().settled, "open")
            self.assertEqual(session.outlook().at_most, 2)
            session.answer(question, self.person[question.name])
            session.undo()
            self.assertEqual(session.decision().asked, 0)
            session.refuse("income")
            session.refuse("age")
            self.assertIsNone(session.next())
            self.assertEqual(session.decision().settled, "unsettled")
            self.assertEqual(session.decision().refused, 2)
            self.assertEqual([event.name for event in session.transcript], ["region", "income", "age"])
            session.restart()
            self.assertEqual(session.next().name, "region")
        self.assertTrue(session.closed)
        for use in (session.next, session.decision, session.receipt, session.undo, lambda: session.transcript):
            with self.assertRaises(tacit.UsageError):
                use()
        session.close()
        self.assertEqual(repr(session), "<tacit.Session closed>")

    def test_only_public_values_are_read(self):
        class Row(dict):
            def __getitem__(self, name):
                if name != "region":
                    raise AssertionError("%s was read" % name)
                return "north"

            def items(self):
                return ((name, self.get(name)) for name in self)

        with self.model.session(public=Row(region="north", age="nonsense", income="nonsense")) as session:
            self.assertEqual([event.name for event in session.transcript], ["region"])

    def test_wrong_answers(self):
        with self.model.session() as session:
            for name, value in (("region", "east"), ("age", "ancient"), ("income", None), ("incme", 3), ("age", b"61"),
                                ("age", "6\0001"), ("age", object())):
                with self.subTest(name=name, value=repr(value)), self.assertRaises(tacit.Error) as caught:
                    session.answer(name, value)
                self.assertNotIn("ancient", str(caught.exception))
                self.assertNotIn("east", str(caught.exception))
            with self.assertRaises(tacit.Error):
                session.unknown("age")
            with self.assertRaises(tacit.Error):
                session.undo()
            session.answer("age", 30)
            with self.assertRaises(tacit.Error):
                session.answer("age", 30)
            with self.assertRaises(tacit.Error):
                session.receipt()
        with self.assertRaises(tacit.Error):
            self.model.session(delta=0.5)
        with self.assertRaises(tacit.Error):
            self.model.session(rule="guess")
        with self.assertRaises(tacit.Error):
            self.model.session(public={"region": "east"})

    def test_receipts(self):
        with self.model.session(public=self.person) as session:
            while (question := session.next()) is not None:
                session.answer(question.name, self.person[question.name])
            receipt, stamped = session.receipt(), session.receipt(stamped=True)
            decision = session.decision()
        checked = tacit.check(receipt, self.model)
        self.assertTrue(checked)
        self.assertEqual((checked.label, checked.settled), (decision.label, decision.settled))
        self.assertNotIn("id", json.loads(receipt))
        self.assertTrue(tacit.check(stamped.encode("utf-8"), self.model))
        self.assertFalse(tacit.check(receipt.replace('"yes"', '"no"'), self.model))
        with self.assertRaises(tacit.InputError):
            tacit.check("{}", self.model)

    def test_what_a_decision_rests_on(self):
        program = os.environ.get("TACIT_PROGRAM")
        with self.model.session(delta=0.4, public=self.person) as session:
            before = session.basis()
            self.assertEqual(set(before.believed), {"age", "income"})
            self.assertAlmostEqual(sum(before.probabilities.values()), 1)
            self.assertGreater(before.believed["income"].deviation, 0)
            session.answer("income", 3900)
            after = session.basis()
            self.assertEqual(set(after.believed), {"age"})
            self.assertGreater(max(after.probabilities.values()), max(before.probabilities.values()))
        found = self.model.certify({"income": 2500})
        self.assertEqual(set(found.basis.believed["region"].levels), {"north", "south"})
        self.assertAlmostEqual(sum(found.basis.believed["region"].levels.values()), 1)
        self.assertIsNone(found.basis.believed["region"].mean)
        self.assertEqual(found.basis.probabilities[found.likely_label], found.probability)
        if program:  # as the command line tells it
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "m.tacit")
                self.model.save(path)
                told = json.loads(subprocess.run([program, "certify", path, "--known", "income=2500", "--json"],
                                                 capture_output=True, check=False).stdout)
            self.assertEqual(told["probabilities"], found.basis.probabilities)
        explained = self.model.explain(self.person)
        self.assertEqual(explained.basis.probabilities[explained.decision.label], 1)
        self.assertTrue(explained.smallest.exact)
        core = self.model.smallest_core(self.person, by_cost=True)
        self.assertEqual((core, core.least, core.exact), (["income"], 1.0, True))

    def test_saved_and_signed(self):
        with self.model.session(public=self.person) as session:
            question = session.next()
            state = session.save()
            session.answer(question, self.person[question.name])
            with self.model.session() as other:
                other.restore(state)
                self.assertEqual(other.next(), question)
                other.answer(question, self.person[question.name])
                self.assertEqual(other.receipt(), session.receipt())
                for wrong in (b"", state[:-1], b"\xff" * len(state)):
                    with self.assertRaises(tacit.Error):
                        other.restore(wrong)
            key = bytes.fromhex(  # RFC 8032, 7.1, test 1
                "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"
                "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
            receipt = session.receipt(key=key)
            checked = tacit.check(receipt, self.model)
            self.assertTrue(checked.valid and checked.signed and not checked.trusted)
            self.assertTrue(tacit.check(receipt, self.model, trusted_key=checked.key).trusted)
            with self.assertRaisesRegex(tacit.UsageError, "64 bytes"):
                session.receipt(key=key[:32])

    def test_ranges(self):
        with self.model.session(public=self.person) as session:
            session.narrow("income", 3500, 3999)
            session.narrow("age", low=50)
            self.assertEqual(session.decision().settled, "certain")
            with self.assertRaises(tacit.InputError):
                session.narrow("income", high=1000)
            with self.assertRaises(tacit.InputError):
                session.answer("income", 1000)
            session.undo()
            session.undo()
            with self.assertRaises(tacit.UsageError):
                session.narrow("age", 1, 2, levels=["a"])
        model = self.model.with_roles(sensitive=["region"])
        with model.session() as session:
            session.narrow("region", levels=["north"])
            with self.assertRaises(tacit.InputError):
                session.narrow("region", levels=["east"])

    def test_values_of_all_types(self):
        n = 300
        start = datetime.date(2020, 1, 1)
        people = {
            "when": [start + datetime.timedelta(days=i * 13 % 400) for i in range(n)],
            "flag": [i % 3 == 0 for i in range(n)], "code": [i % 4 for i in range(n)],
            "amount": [i * 7 % 100 / 4 for i in range(n)]}
        people["y"] = [int(people["amount"][i] + (9 if people["flag"][i] else 0) + people["code"][i] > 14)
                       for i in range(n)]
        schema = tacit.fit(people, label="y", dates_as_days=True).schema
        for attribute in schema["attributes"]:
            if attribute["name"] == "code":
                attribute.clear()
                attribute.update({"name": "code", "type": "category", "levels": ["0", "1", "2", "3"]})
        model = tacit.fit(people, schema=schema)
        expected = list(model.labels(people))
        for i in range(0, n, 50):
            for person in (
                {name: values[i] for name, values in people.items()},
                {"when": datetime.datetime(2020, 1, 1) + datetime.timedelta(days=i * 13 % 400, hours=5),
                 "flag": people["flag"][i], "code": float(people["code"][i]), "amount": str(people["amount"][i])},
            ):
                with model.session() as session:
                    for name in model.sensitive:
                        session.answer(name, person[name])
                    self.assertIn(session.decision().settled, ("certain", "all revealed"))
                    self.assertEqual(session.decision().label, expected[i])

    def test_one_person_explained(self):
        found = tacit.explain(self.model, dict(self.person, outcome="yes"))
        self.assertEqual(found.decision.label, "yes")
        self.assertLessEqual(len(found.smallest), len(found.asked))
        self.assertLessEqual(set(found.indispensable), set(found.asked))
        self.assertEqual(tacit.smallest_core(self.model, self.person, by_cost=True), found.smallest)
        with self.assertRaises(tacit.UsageError) as caught:
            tacit.explain(self.model, {"region": "north", "income": 3000})
        self.assertEqual(caught.exception.column, "age")
        certificate = tacit.certify(self.model, {"region": "north"})
        self.assertFalse(certificate)
        self.assertEqual(len(set(certificate.witness_labels)), 2)
        for witness, label in zip(certificate.witnesses, certificate.witness_labels):
            self.assertEqual(witness["region"], "north")
            self.assertEqual(self.model.labels([witness])[0], label)
        with self.assertRaises(tacit.UsageError):
            tacit.certify(self.model, {"incme": 3})
        with self.assertRaises(tacit.UsageError):
            tacit.certify(self.model, 3)

    @sample.needs("pandas")
    def test_rows_of_frames(self):
        import pandas
        X = pandas.DataFrame(self.people).drop(columns="outcome")
        for row in (X.iloc[2], X.iloc[[2]]):
            with self.model.session(public=row) as session:
                while (question := session.next()) is not None:
                    session.answer(question.name, X.iloc[2][question.name])
                self.assertEqual(session.decision().label, self.model.labels(X)[2])
        with self.assertRaises(tacit.UsageError):
            self.model.session(public=X)
        numbers = self.model.with_roles(public=["age", "income"])
        with numbers.session(public=X[["age", "income"]].iloc[2].astype(float)) as session:
            self.assertEqual(session.decision().asked, 0)


if __name__ == "__main__":
    unittest.main()
