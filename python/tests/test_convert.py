"""Classifiers of scikit-learn and XGBoost: the same labels as the library's own, or a refusal with its reason."""

import copy
import importlib.util
import json
import os
import unittest
import warnings

import sample

os.environ.setdefault("OMP_NUM_THREADS", "1")  # the data are small
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

try:
    import numpy as np
    import pandas as pd
    import sklearn
    from sklearn.compose import ColumnTransformer
    from sklearn.ensemble import (ExtraTreesClassifier, GradientBoostingClassifier, HistGradientBoostingClassifier,
                                  RandomForestClassifier)
    from sklearn.impute import SimpleImputer
    from sklearn.linear_model import (LogisticRegression, Perceptron, RidgeClassifier, SGDClassifier)
    from sklearn.neural_network import MLPClassifier
    from sklearn.pipeline import Pipeline, make_pipeline
    from sklearn.preprocessing import (MaxAbsScaler, MinMaxScaler, OneHotEncoder, OrdinalEncoder, RobustScaler,
                                       StandardScaler)
    from sklearn.svm import LinearSVC
    from sklearn.tree import DecisionTreeClassifier
except ImportError as error:
    print("skipped, not installed: %s" % error)
    raise SystemExit(0) from None

import tacit  # noqa: E402
from tacit.convert import describe, from_sklearn, from_xgboost  # noqa: E402
from tacit._model import import_bytes  # noqa: E402


def made_people(n, seed=1):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({
        "age": rng.integers(18, 80, n), "income": np.round(rng.normal(3000, 900, n), 2), "gain": rng.integers(-3, 4, n),
        "kids": rng.integers(0, 4, n), "housing": rng.choice(["own", "rent", "family"], n),
        "grade": rng.choice(["low", "mid", "top"], n), "member": rng.random(n) < 0.5})
    score = (X.age / 20 + X.income / 1000 + (X.housing == "own") * 1.5 + (X.grade == "top") - X.kids * 0.6
             + X.gain * 0.4 + X.member * 0.5 + rng.normal(0, 0.7, n))
    X.loc[rng.random(n) < 0.1, "income"] = np.nan
    X.loc[rng.random(n) < 0.1, "housing"] = np.nan
    return X, pd.Series(np.where(score > 7, "yes", "no"), name="outcome"), pd.Series(
        np.digitize(score, [6, 8]), name="outcome")


X, TWO, THREE = made_people(400)
FRESH = made_people(700, seed=2)[0].iloc[:, ::-1][X.columns]


def front(sparse=0.0):
    """Imputers, scalers and encoders of every kind, and columns that pass through."""
    return ColumnTransformer([
        ("numbers", make_pipeline(SimpleImputer(), StandardScaler()), ["age", "income"]),
        ("few", OneHotEncoder(drop="first"), ["kids"]),
        ("texts", make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder(handle_unknown="ignore")),
         ["housing"]),
        ("grades", make_pipeline(OrdinalEncoder(categories=[["low", "mid", "top"]]), MinMaxScaler((-1, 1))), ["grade"])],
        remainder="passthrough", sparse_threshold=sparse)


def fitted(clf, y, sparse=0.0):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return Pipeline([("front", front(sparse)), ("model", clf)]).fit(X, y)


def classifiers():
    yield LogisticRegression()
    yield LogisticRegression(multi_class="multinomial")
    yield LinearSVC(dual=False)
    yield RidgeClassifier()
    yield SGDClassifier(random_state=1)
    yield SGDClassifier(loss="log_loss", random_state=1)
    yield SGDClassifier(loss="modified_huber", random_state=1)
    yield Perceptron()
    yield MLPClassifier((7, 5), max_iter=30, random_state=1)
    yield MLPClassifier((4,), activation="identity", max_iter=20, random_state=1)
    yield DecisionTreeClassifier(random_state=1)
    yield DecisionTreeClassifier(max_leaf_nodes=9)
    yield RandomForestClassifier(12, max_depth=5, random_state=1)
    yield ExtraTreesClassifier(7, max_depth=6, random_state=1)
    yield GradientBoostingClassifier(n_estimators=12, random_state=1)
    yield GradientBoostingClassifier(n_estimators=8, loss="exponential", random_state=1)
    yield HistGradientBoostingClassifier(max_iter=12)


class Labels(unittest.TestCase):
    def same(self, model, clf, wanted):
        found = model.labels(FRESH, unknown="missing")
        clipped = np.zeros(len(FRESH), dtype=bool)
        if model.info["kind"] != "trees":  # these clip
            for name in ("age", "income"):
                clipped |= (FRESH[name] < X[name].min()) | (FRESH[name] > X[name].max())
        self.assertGreater((~clipped).sum(), 600)
        np.testing.assert_array_equal(found[~clipped], np.array([str(v) for v in wanted])[~clipped])

    def test_every_classifier_in_a_pipeline(self):
        for clf in classifiers():
            for y in (TWO, THREE):
                if y is THREE and getattr(clf, "loss", "") == "exponential":
                    continue
                with self.subTest(clf=str(clf), classes=y.nunique()):
                    pipeline = fitted(clf, y)
                    model = from_sklearn(pipeline, X, y, public=["age"])
                    self.assertEqual(model.public, ["age"])
                    self.assertEqual(model.classes, [str(c) for c in pipeline.classes_])
                    self.same(model, pipeline, pipeline.predict(FRESH))

    def test_thresholds(self):
        for clf in classifiers():
            with self.subTest(clf=str(clf)):
                pipeline = fitted(clf, TWO)
                for threshold in (0.2, 0.8):
                    model = from_sklearn(pipeline, X, TWO, threshold=threshold)
                    score = (pipeline.predict_proba(FRESH)[:, 1] if hasattr(pipeline, "predict_proba")
                             else pipeline.decision_function(FRESH))
                    self.same(model, pipeline, np.where(score >= threshold, "yes", "no"))

    def test_decisions_are_proven(self):
        for clf in (LogisticRegression(), DecisionTreeClassifier(max_depth=5), RandomForestClassifier(5, max_depth=4)):
            with self.subTest(clf=str(clf)):
                model = from_sklearn(fitted(clf, TWO), X, TWO)
                result = model.audit(X, TWO, deltas=(0,), smallest=False, needs=False).results[0]
                self.assertEqual(result["fidelity"], 1)
                self.assertLess(result["mean_asked"], len(X.columns))

    def test_ties_of_forests(self):
        """Votes of trees with pure leaves are whole: a tie goes to the first class, and its label is the library's."""
        clf = RandomForestClassifier(4, random_state=3).fit(X[["age", "gain", "kids"]], TWO)
        ties = clf.predict_proba(FRESH[["age", "gain", "kids"]])[:, 1] == 0.5
        self.assertGreater(ties.sum(), 5)
        model = from_sklearn(clf, X[["age", "gain", "kids"]], TWO)
        found = model.labels(FRESH[["age", "gain", "kids"]])
        np.testing.assert_array_equal(found[ties], "no")

    def test_ties_but_for_rounding(self):
        """Every tree has another that says the opposite: all is tied, and how the two sums are rounded decides."""
        people = X[["age", "gain", "kids"]]
        apart = 0
        for clf in (RandomForestClassifier(6, max_depth=4, random_state=3), ExtraTreesClassifier(
                10, max_depth=5, min_samples_leaf=3, random_state=4)):
            clf.fit(people, TWO)
            half = len(clf.estimators_) // 2
            for k in range(half):
                mirror = copy.deepcopy(clf.estimators_[k])
                mirror.tree_.value[:] = mirror.tree_.value[:, :, ::-1]
                clf.estimators_[half + k] = mirror
            first, second = clf.predict_proba(people).T
            self.assertLess(abs(first - second).max(), 1e-12)
            apart += ((second > first) != (second > 0.5)).sum()  # those that one sum does not tell
            model = from_sklearn(clf, people, TWO)
            fresh = FRESH[list(people)]
            np.testing.assert_array_equal(model.labels(fresh), clf.predict(fresh))
            result = model.audit(people, TWO, deltas=(0,), smallest=False).results[0]
            self.assertEqual(result["fidelity"], 1)
            self.assertEqual(result["settled"]["certain"], 0)  # no proof is so near
            again = tacit.load(model.to_bytes())
            np.testing.assert_array_equal(again.labels(people), clf.predict(people))
            self.assertEqual(again.to_bytes(), model.to_bytes())
            turned = dict(model.schema)
            turned["label"] = dict(turned["label"], classes=["yes", "no"])
            np.testing.assert_array_equal(from_sklearn(clf, people, TWO, schema=turned).labels(people),
                                          clf.predict(people))
        self.assertGreater(apart, 20)

    def test_trees_to_the_bit(self):
        """Numbers at the cuts, and the doubles just below them: which side they are on is the library's own."""
        names = ["age", "gain", "income"]
        people = X[names].fillna(3000.0) * 1.1
        made = [DecisionTreeClassifier(random_state=1), GradientBoostingClassifier(n_estimators=9, random_state=1),
                HistGradientBoostingClassifier(max_iter=9)]
        if importlib.util.find_spec("xgboost"):
            import xgboost
            made.append(xgboost.XGBClassifier(n_estimators=9, max_depth=4, n_jobs=1))
        y = (TWO == "yes").astype(int)
        for clf in made:
            for scaler in (StandardScaler(), MinMaxScaler((-3, 1)), "passthrough"):
                with self.subTest(clf=str(clf), scaler=str(scaler)):
                    pipeline = make_pipeline(scaler, clf).fit(people, y)
                    model = from_sklearn(pipeline, people, y)
                    cuts = [a["cuts"] for a in json.loads(model.to_bytes())["classifier"]["attributes"]]
                    self.assertGreater(sum(len(c) for c in cuts), 20)
                    rows = []
                    for k, own in enumerate(cuts):
                        for i, cut in enumerate(own):
                            for value in (cut, np.nextafter(cut, -np.inf), np.nextafter(cut, np.inf)):
                                rows.append(people.iloc[(7 * i + k) % len(people)].to_numpy().copy())
                                rows[-1][k] = value
                    edge = pd.DataFrame(rows, columns=names)
                    np.testing.assert_array_equal(model.labels(edge), pipeline.predict(edge).astype(str))

    def test_single_precision_to_the_bit(self):
        """Columns of float32, all or some: transformers round as they do, and so does whoever gives a double."""
        names = ["age", "gain", "income"]
        single = X[names].astype(np.float32) * np.float32(1.1)
        mixed = single.astype({"age": np.float64})
        y = (TWO == "yes").astype(int)
        made = [DecisionTreeClassifier(random_state=1), RandomForestClassifier(5, max_depth=4, random_state=1),
                HistGradientBoostingClassifier(max_iter=9)]
        if importlib.util.find_spec("xgboost"):
            import xgboost
            made.append(xgboost.XGBClassifier(n_estimators=9, max_depth=4, n_jobs=1))
        fronts = [[SimpleImputer()], [SimpleImputer(), StandardScaler()], [MinMaxScaler((-3, 1)), SimpleImputer()],
                  [SimpleImputer(), RobustScaler(), MaxAbsScaler()],
                  [ColumnTransformer([("a", make_pipeline(SimpleImputer(), StandardScaler()), ["income", "gain"]),
                                      ("b", MinMaxScaler(), ["age"])]), StandardScaler()]]
        for people in (single, mixed):
            for clf in made:
                for steps in fronts:
                    with self.subTest(clf=str(clf), steps=str(steps), mixed=people is mixed):
                        pipeline = make_pipeline(*steps, clf).fit(people, y)
                        model = from_sklearn(pipeline, people, y)
                        cuts = [a["cuts"] for a in json.loads(model.to_bytes())["classifier"]["attributes"]]
                        self.assertGreater(sum(len(c) for c in cuts), 10)
                        rows = []
                        for k, name in enumerate(a.name for a in model.attributes):
                            for i, cut in enumerate(cuts[k]):
                                near = np.float32(cut)
                                for value in (cut, np.nextafter(cut, -np.inf), near, np.nextafter(near, np.float32(
                                        -np.inf)), np.nextafter(near, np.float32(np.inf))):
                                    rows.append(people.iloc[(7 * i + k) % len(people)].to_dict())
                                    rows[-1][name] = float(value)
                        edge = pd.DataFrame(rows, columns=names)
                        wanted = pipeline.predict(edge.astype(people.dtypes)).astype(str)
                        np.testing.assert_array_equal(model.labels(edge), wanted)  # of the doubles
                        np.testing.assert_array_equal(model.labels(edge.astype(people.dtypes)), wanted)
        values = single.fillna(0).to_numpy()
        tree = make_pipeline(StandardScaler(), DecisionTreeClassifier(random_state=1)).fit(values, y)
        np.testing.assert_array_equal(from_sklearn(tree, values, y).labels(values), tree.predict(values).astype(str))

    def test_sets_of_codes_behind_a_pipeline(self):
        """XGBoost's own splits of categories, on codes that an encoder makes and on those of a column."""
        if not importlib.util.find_spec("xgboost"):
            self.skipTest("xgboost is not installed")
        import xgboost
        rng = np.random.default_rng(5)
        people = pd.DataFrame({"job": rng.choice(list("abcdefghij"), 800), "code": rng.integers(0, 12, 800),
                               "age": X["age"].to_numpy()[rng.integers(0, 400, 800)]})
        score = people["job"].isin(list("acgj")) * 2 + people["code"].isin([1, 4, 5, 9]) * 1.5 + people["age"] / 40
        y = pd.Series((score + rng.normal(0, 0.5, 800) > 3).astype(int), name="outcome")
        people.loc[rng.random(800) < 0.1, "job"] = np.nan
        for encoder in (OrdinalEncoder(), OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1),
                        make_pipeline(SimpleImputer(strategy="constant", fill_value="c"), OrdinalEncoder())):
            clf = xgboost.XGBClassifier(n_estimators=12, max_depth=4, tree_method="hist", enable_categorical=True,
                                        feature_types=["c", "q", "c"], max_cat_to_onehot=2, n_jobs=1)
            pipeline = make_pipeline(ColumnTransformer([("job", encoder, ["job"]), ("age", StandardScaler(), ["age"])],
                                                       remainder="passthrough"), clf).fit(people, y)
            trees = json.loads(bytes(clf.get_booster().save_raw("json")))["learner"]["gradient_booster"]["model"]
            self.assertGreater(sum(len(tree["categories_nodes"]) for tree in trees["trees"]), 10)
            model = from_sklearn(pipeline, people, y)
            fresh = people.assign(job=rng.permutation(people["job"]), code=rng.permutation(people["code"]))
            np.testing.assert_array_equal(model.labels(fresh), pipeline.predict(fresh).astype(str))
            result = model.audit(people, y, deltas=(0,), smallest=False, needs=False).results[0]
            self.assertEqual(result["fidelity"], 1)

    def test_arrays(self):
        values = X[["age", "gain", "kids"]].to_numpy(dtype=float)
        clf = RandomForestClassifier(5, max_depth=4, random_state=1).fit(values, TWO)
        model = from_sklearn(clf, values, TWO, public=["c2"])
        self.assertEqual(model.sensitive, ["c1", "c3"])
        np.testing.assert_array_equal(model.labels(values), clf.predict(values))
        self.assertEqual(from_sklearn(clf, values).label, "label")  # without y: what it says

    def test_a_wrong_label_is_an_error(self):
        class Liar(LogisticRegression):
            def predict(self, X):
                said = super().predict(X)
                said[5] = "no" if said[5] == "yes" else "yes"
                return said

        Liar.__module__, Liar.__name__ = LogisticRegression.__module__, "LogisticRegression"
        values = X[["age", "gain"]]
        with self.assertRaisesRegex(tacit.InputError, "row 6.*another label.*0 others of 400.*rounding"):
            from_sklearn(Liar().fit(values, TWO), values, TWO)


class Encoders(unittest.TestCase):
    def same(self, encoder, columns, people=X, clf=None):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            pipeline = make_pipeline(ColumnTransformer([("one", encoder, columns)]),
                                     clf or LogisticRegression()).fit(X, TWO)
            return from_sklearn(pipeline, people, TWO)

    def test_unseen_levels(self):
        people = X.copy()
        people["kids"] = people["kids"].where(people.index != 3, 9)
        model = self.same(OneHotEncoder(handle_unknown="ignore"), ["kids", "grade"], people)
        self.assertIn("9", model.schema["attributes"][0]["levels"])
        with self.assertRaises(ValueError):  # scikit-learn stops here itself
            self.same(OneHotEncoder(), ["kids"], people)
        self.same(OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1), ["kids"], people)

    def test_levels_that_the_people_lack_are_in_the_domain(self):
        pipeline = make_pipeline(OneHotEncoder(), LogisticRegression()).fit(X[["grade", "kids"]], TWO)
        some = X[["grade", "kids"]][X.grade != "mid"]
        model = from_sklearn(pipeline, some, TWO[some.index])
        self.assertEqual(model.schema["attributes"][0]["levels"], ["low", "mid", "top"])

    def test_missing_is_a_category(self):
        self.same(OneHotEncoder(), ["housing"])
        self.same(OneHotEncoder(drop="if_binary"), ["housing", "member"])
        self.same(OrdinalEncoder(encoded_missing_value=-2), ["housing"], clf=DecisionTreeClassifier())
        self.same(OrdinalEncoder(), ["housing"], clf=HistGradientBoostingClassifier(max_iter=3))

    def test_infrequent_categories(self):
        people = X.copy()
        people["kids"] = people["kids"].where(people.index % 40 != 0, 7)
        for unknown in ("ignore", "infrequent_if_exist"):
            encoder = OneHotEncoder(min_frequency=50, handle_unknown=unknown, drop="first")
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                pipeline = make_pipeline(encoder, LogisticRegression()).fit(people[["kids", "grade"]], TWO)
                people["kids"] = people["kids"].where(people.index != 5, 8)
                from_sklearn(pipeline, people[["kids", "grade"]], TWO)

    def test_sets_of_codes(self):
        encoder = ColumnTransformer([("codes", OrdinalEncoder(), ["grade", "kids", "housing"])], remainder="drop")
        clf = HistGradientBoostingClassifier(max_iter=5, categorical_features=[0, 1, 2])
        pipeline = make_pipeline(encoder, clf).fit(X, TWO)
        self.assertTrue(any(node["is_categorical"] for node in clf._predictors[0][0].nodes))
        from_sklearn(pipeline, X, TWO)
        people = X[["kids", "age", "income"]]  # codes in the data themselves
        clf = HistGradientBoostingClassifier(max_iter=5, categorical_features=[0]).fit(people, TWO)
        model = from_sklearn(clf, people, TWO)
        self.assertEqual(model.attributes[0].type, "category")
        np.testing.assert_array_equal(model.labels(FRESH[people.columns]), clf.predict(FRESH[people.columns]))

    def test_fill_outside_the_data(self):
        imputer = SimpleImputer(strategy="constant", fill_value=-1)
        model = self.same(imputer, ["income"])
        self.assertEqual(model.schema["attributes"][0]["min"], -1)


class Refusals(unittest.TestCase):
    def refused(self, clf, reason, people=None):
        people = X[["age", "gain"]] if people is None else people
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            clf.fit(people, TWO)
        with self.assertRaisesRegex(tacit.InputError, reason):
            from_sklearn(clf, people, TWO)

    def test_classifiers(self):
        from sklearn.calibration import CalibratedClassifierCV
        from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier, StackingClassifier, VotingClassifier
        from sklearn.naive_bayes import GaussianNB
        from sklearn.svm import SVC
        self.refused(CalibratedClassifierCV(LogisticRegression()), "CalibratedClassifierCV.*averages several")
        self.refused(SVC(), "SVC.*kernel")
        self.refused(GaussianNB(), "GaussianNB.*quadratic")
        self.refused(VotingClassifier([("a", LogisticRegression())]), "VotingClassifier.*vote")
        self.refused(BaggingClassifier(DecisionTreeClassifier(), 2), "BaggingClassifier.*vote")
        self.refused(AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=2), "AdaBoostClassifier.*vote")
        self.refused(StackingClassifier([("a", DecisionTreeClassifier())], cv=2), "StackingClassifier.*on top of")
        self.refused(MLPClassifier((2,), activation="tanh", max_iter=2), "activation='tanh'")
        self.refused(GradientBoostingClassifier(n_estimators=2, init=LogisticRegression()), "starts from a Logistic")

    def test_transformers(self):
        from sklearn.preprocessing import FunctionTransformer, PolynomialFeatures
        model = LogisticRegression()
        self.refused(make_pipeline(PolynomialFeatures(), model), "PolynomialFeatures.*not known")
        self.refused(make_pipeline(FunctionTransformer(np.abs), model), "FunctionTransformer.*function of its own")
        self.refused(make_pipeline(MinMaxScaler(clip=True), model), "MinMaxScaler.*clip")
        self.refused(make_pipeline(SimpleImputer(add_indicator=True), model), "SimpleImputer.*add_indicator",
                     X[["income"]])
        self.refused(make_pipeline(SimpleImputer(missing_values=0), model), "SimpleImputer.*other than missing")

        class Own(StandardScaler):
            pass

        self.refused(make_pipeline(Own(), model), "Own.*not known")

    def test_others(self):
        several = DecisionTreeClassifier().fit(X[["age"]], np.column_stack([TWO == "yes", THREE == 1]))
        with self.assertRaisesRegex(tacit.InputError, "multi-output"):
            from_sklearn(several, X[["age"]], TWO)
        with self.assertRaisesRegex(tacit.InputError, "not fitted"):
            from_sklearn(LogisticRegression(), X[["age"]], TWO)
        with self.assertRaisesRegex(tacit.UsageError, "two classes, not for 3"):
            from_sklearn(LogisticRegression(max_iter=500).fit(X[["age"]], THREE), X[["age"]], THREE, threshold=0.3)
        with self.assertRaisesRegex(tacit.InputError, "gain is float32"):
            from_sklearn(LogisticRegression().fit(X[["gain"]], TWO), X[["gain"]].astype("float32"), TWO)


@sample.needs("xgboost")
class XGBoost(unittest.TestCase):
    def setUp(self):
        import xgboost
        self.made = lambda **options: xgboost.XGBClassifier(n_estimators=15, max_depth=3, n_jobs=1, **options)
        self.xgboost = xgboost

    def test_pipelines_dense_and_sparse(self):
        for y in (pd.Series((TWO == "yes").astype(int), name="y"), THREE):
            for sparse in (0.0, 1.0):
                with self.subTest(classes=y.nunique(), sparse=sparse):
                    pipeline = fitted(self.made(), y, sparse)
                    model = from_sklearn(pipeline, X, y)
                    found = model.labels(FRESH, unknown="missing")
                    np.testing.assert_array_equal(found, pipeline.predict(FRESH).astype(str))

    def test_a_zero_of_a_sparse_matrix_is_missing(self):
        y = pd.Series((TWO == "yes").astype(int), name="y")
        pipeline = fitted(self.made(), y, 1.0)
        data = json.loads(describe(pipeline, list(X.columns))[0])
        self.assertTrue(data["model"]["zeros_missing"])
        data["model"]["zeros_missing"] = False
        with self.assertRaisesRegex(tacit.InputError, "another label"):
            import_bytes(json.dumps(data).encode(), X, y, predictions=pipeline.predict(X), test_share=0)

    def test_alone(self):
        y = pd.Series((TWO == "yes").astype(int), name="y")
        numbers = X[["age", "income", "gain", "kids"]]
        clf = self.made().fit(numbers, y)
        for threshold in (None, 0.3):
            model = from_xgboost(clf, numbers, y, threshold=threshold)
            wanted = clf.predict_proba(FRESH[numbers.columns])[:, 1] >= np.float32(threshold or 0.5)
            np.testing.assert_array_equal(model.labels(FRESH[numbers.columns]), wanted.astype(int).astype(str))
        self.assertEqual(from_xgboost(clf.get_booster(), numbers, y).info["kind"], "trees")
        raw = bytes(clf.get_booster().save_raw("json"))
        ordered, usual = (tacit.from_xgboost(raw, numbers, y, rounding=how) for how in ("program", "any"))
        self.assertNotEqual(ordered.info["sha256"], usual.info["sha256"])
        with self.assertRaisesRegex(tacit.UsageError, "rounding is"):
            tacit.from_xgboost(raw, numbers, y, rounding="some")
        three = self.made().fit(numbers, THREE)
        self.assertEqual(from_xgboost(three, numbers, THREE).classes, ["0", "1", "2"])

    def test_refusals(self):
        y = (TWO == "yes").astype(int)
        with self.assertRaisesRegex(tacit.InputError, "missing=0"):
            from_xgboost(self.made(missing=0).fit(X[["age"]], y), X[["age"]], y)
        with self.assertRaisesRegex(tacit.InputError, "neither an XGBClassifier nor a Booster"):
            from_xgboost(LogisticRegression(), X[["age"]], y)

    def test_why_labels_differ(self):
        y = (TWO == "yes").astype(int)
        numbers = X[["age", "income", "gain", "kids"]]
        clf = self.made().fit(numbers, y)
        self.assertEqual(from_xgboost(clf, numbers, np.where(y == 1, "good", "bad")).classes, ["bad", "good"])
        with self.assertRaisesRegex(tacit.InputError, "second class is mostly called bad"):
            from_xgboost(clf, numbers, np.where(y == 1, "bad", "good"))
        early = self.xgboost.train({"objective": "binary:logistic", "eta": 1, "max_depth": 3, "nthread": 1},
                                   self.xgboost.DMatrix(numbers, y), 30)
        early.set_attr(best_iteration="0")
        with self.assertRaisesRegex(tacit.InputError, "slice it"):
            from_xgboost(early, numbers, y)
        early.set_attr(best_iteration=None)
        self.assertEqual(from_xgboost(early, numbers, y).info["kind"], "trees")
        raw = self.made(objective="binary:logitraw", learning_rate=0.05).fit(numbers, y)
        with self.assertRaisesRegex(tacit.InputError, "compares the log-odds"):
            from_xgboost(raw, numbers, y)
        self.assertEqual(from_xgboost(raw.get_booster(), numbers, y).info["kind"], "trees")
        codes = numbers.assign(grade=pd.Categorical(X.grade, categories=["top", "low", "mid"]))
        several = self.made(tree_method="hist", enable_categorical=True, max_cat_to_onehot=1).fit(codes, y)
        with self.assertRaisesRegex(tacit.InputError, "by their order in the column"):
            from_xgboost(several, codes, y)

    def test_numbers_between_two_single_ones(self):
        from tacit.convert._xgboost import _single
        for bits in (0x3f800000, 0x3dcccccd, 0x00000007):
            low, high = np.uint32(bits).view(np.float32), np.uint32(bits + 1).view(np.float32)
            middle = (float(low) + float(high)) / 2
            self.assertEqual(_single("%.60g" % middle + ("1" if "." in "%.60g" % middle and "e" not in "%.60g" % middle
                                                         else "")) in (float(low), float(high)), True)
        exact = "1.000000059604644775390625"  # half way between 1 and the next
        self.assertEqual(_single(exact + "0001"), float(np.nextafter(np.float32(1), np.float32(2))))
        self.assertEqual(_single("1.0000000596046447753906249999"), 1.0)


if __name__ == "__main__":
    print("scikit-learn %s" % sklearn.__version__)
    unittest.main()
