#!/usr/bin/python3
"""Four classifiers in pipelines on three public data sets, brought in by the Python package: are labels the library's own,
are audits the command line's, and does the first script of a user run?

    TACIT_DATA=FOLDER TACIT_LIBRARY=build/release/src TACIT_PROGRAM=build/release/cli/tacit PYTHONPATH=python \\
        bench/python_models.py [--people N] [--train N]

FOLDER holds adult/adult.data, insurance/Car_Insurance_Claim.csv and customer/Train.csv (datasets/README.md).  Every
classifier is trained on the first rows, and labels are compared on all rows of the file.  N people are audited at delta 0
and 0.05 by the package and, from a CSV file, by the program; all of the JSON but its "command" and "data" must be equal.
The classifier's description is imported by the program as well, which must give the same labels (trees: to everybody; others
to the people it has not clipped, of which --test-share 0 leaves none).
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import warnings

import pandas as pd
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.ensemble import RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from xgboost import XGBClassifier

import tacit
from tacit.convert import describe

warnings.filterwarnings("ignore")
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAM = os.environ.get("TACIT_PROGRAM", os.path.join(ROOT, "build/release/cli/tacit"))
FILES = {"adult": "adult.data", "insurance": "Car_Insurance_Claim.csv", "customer": "Train.csv"}
PUBLIC = {"adult": ["age", "sex"], "insurance": ["VEHICLE_TYPE"], "customer": ["Gender", "Age"]}
GROUP = {"adult": "sex", "insurance": "GENDER", "customer": "Gender"}


def read(name, folder):
    """The people of a data set, as its schema says that the file is written."""
    with open(os.path.join(ROOT, "datasets", name + ".json"), encoding="utf-8") as file:
        schema = json.load(file)
    csv = schema["csv"]
    options = {"names": csv["names"], "header": None} if not csv.get("header", True) else {}
    frame = pd.read_csv(os.path.join(folder, name, FILES[name]), sep=csv.get("separator", ","), skipinitialspace=True,
                        na_values=csv.get("missing", "").split(",") if csv.get("missing") else None, **options)
    y = frame[schema["label"]["name"]]
    X = frame[[attribute["name"] for attribute in schema["attributes"]]]
    y = pd.Series(pd.factorize(y, sort=True)[0], name=y.name) if y.dtype.kind in "Of" else y
    return X, y


def classifiers():
    """Fresh classifiers, each behind its pipeline."""
    def front(scaled):
        numbers = [SimpleImputer()] + ([StandardScaler()] if scaled else [])
        return ColumnTransformer([
            ("numbers", make_pipeline(*numbers), make_column_selector(dtype_include="number")),
            ("texts", make_pipeline(SimpleImputer(strategy="constant", fill_value="not known"),
                                    OneHotEncoder(handle_unknown="ignore")),
             make_column_selector(dtype_exclude="number"))])

    yield "LogisticRegression", make_pipeline(front(True), LogisticRegression(max_iter=300))
    yield "MLPClassifier", make_pipeline(front(True), MLPClassifier((8,), max_iter=40, random_state=1))
    yield "XGBClassifier", make_pipeline(front(False), XGBClassifier(n_estimators=25, max_depth=3, n_jobs=1))
    yield "RandomForest", make_pipeline(front(False), RandomForestClassifier(20, max_depth=5, random_state=1))


def program(*words):
    """Standard output of a command."""
    done = subprocess.run([PROGRAM, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode != 0:
        raise SystemExit("tacit %s: %s" % (words[0], done.stderr.decode()))
    return done.stdout.decode()


def figures(text):
    """What an audit says, without how it was called."""
    data = json.loads(text)
    data.pop("command", None)
    data.pop("data", None)
    return data


def first_script(model, X, y, group):
    """What a user does first; the audit, and the decision of somebody."""
    audit = model.audit(X, y, deltas=(0, 0.05), group=group, smallest=False, needs=False)
    audit.to_frame()
    audit.per_person()
    asked = 0
    with model.session(delta=0, public=X.iloc[2]) as session:
        while (question := session.next()) is not None:
            value = X.iloc[2][question.name]
            session.answer(question.name, value) if value == value else session.answer(question.name, None)
            asked += 1
        decision = session.decision()
    return audit, decision, asked


def compare(name, X, y, title, pipeline, people, train):
    """One line of the table; what differs ends the program."""
    pipeline.fit(X.iloc[:train], y.iloc[:train])
    begun = time.process_time()
    model = tacit.from_sklearn(pipeline, X, y, public=PUBLIC[name])
    seconds = time.process_time() - begun
    theirs = pipeline.predict(X).astype(str)
    same = int((model.labels(X) == theirs).sum())
    some, outcome = X.iloc[:people], y.iloc[:people]
    audit, decision, asked = first_script(model, some, outcome, X[GROUP[name]].iloc[:people])
    with tempfile.TemporaryDirectory() as folder:
        path = lambda file: os.path.join(folder, file)  # noqa: E731
        model.save(path("model.tacit"))
        some.assign(**{y.name: outcome}).to_csv(path("people.csv"), index=False)
        X.assign(**{y.name: y, "said": theirs}).to_csv(path("all.csv"), index=False)
        with open(path("described.json"), "wb") as file:
            file.write(describe(pipeline, list(X.columns))[0])
        said = program("audit", path("model.tacit"), path("people.csv"), "--delta", "0,0.05", "--group", GROUP[name],
                       "--no-opt", "--no-indispensable", "--quiet", "--json", "-")
        equal = figures(said) == figures(audit.json())
        program("import", path("described.json"), "--data", path("all.csv"), "--label", y.name, "--predictions", "said",
                "--test-share", "0", "--quiet", "-o", path("other.tacit"))
    print("%-10s %-19s %6d of %6d  %-5s  %5.2f of %2d  %8.1f  %s after %d" % (
        name, title, same, len(X), "equal" if equal else "OTHER", audit.results[0]["mean_asked"], len(model.sensitive),
        seconds, decision.label, asked), flush=True)
    return same == len(X) and equal


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, default=60)
    parser.add_argument("--train", type=int, default=4000)
    options = parser.parse_args()
    folder = os.environ.get("TACIT_DATA")
    if not folder:
        raise SystemExit("TACIT_DATA does not name the folder of the data sets")
    print("data set   classifier          labels the same   audit  asked at 0  import s  row 3")
    good = True
    for name in FILES:
        X, y = read(name, folder)
        for title, pipeline in classifiers():
            good = compare(name, X, y, title, pipeline, options.people, options.train) and good
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
