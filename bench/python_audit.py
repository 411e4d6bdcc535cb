#!/usr/bin/env python3
"""What Python adds: a DataFrame into an audit beside to_csv and the command line, steps of sessions, arrays of people.

    PYTHONPATH=python TACIT_LIBRARY=build/release/src bench/python_audit.py build/release/cli/tacit [ROWS]

All in one run, so that the ratios hold on a machine that is busy; times are CPU seconds of this process and its children
(user and system), and beside them wall seconds; what the main ratios are of is run three times, and the least counts.
to_csv is one thread, an audit as many as there are cores.  People are those of `tacit demo`, repeated with small changes until there
are ROWS (a million, unless said).
"""

import os
import resource
import subprocess
import sys
import tempfile
import time

import numpy as np
import pandas as pd

import tacit


def cpu():
    own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def timed(what, work, rows=None):
    wall, before = time.perf_counter(), cpu()
    result = work()
    wall, used = time.perf_counter() - wall, cpu() - before
    each = "  %8.0f ns a row" % (1e9 * used / rows) if rows else ""
    print("%-64s %8.3f s cpu %8.3f s%s" % (what, used, wall, each), flush=True)
    return used, result


def least(what, work, rows):
    """The least CPU and wall seconds of three times, and the last result."""
    times = []
    for _ in range(3):
        wall = time.perf_counter()
        used, result = timed(what, work, rows)
        times.append((used, time.perf_counter() - wall))
    return tuple(map(min, zip(*times))), result


def many(sample, n):
    """So many people: the sample again and again, incomes and savings a little different each time."""
    random = np.random.default_rng(1)
    people = sample.iloc[np.arange(n) % len(sample)].reset_index(drop=True)
    people["income"] = np.clip(np.round(people["income"] * random.uniform(0.9, 1.1, n), 2), 1000, 5400)
    people["savings"] = np.clip(people["savings"] + random.integers(-200, 200, n), 0, 15000)
    return people


def audits(model, people, program, folder, clf):
    n = len(people)
    path, model_path = os.path.join(folder, "people.csv"), os.path.join(folder, "model.tacit")
    X, y = people.drop(columns="outcome"), people["outcome"]
    model.save(model_path)
    options = dict(deltas=(0,), smallest=False, needs=False)
    (table_time, _), table = least("DataFrame into a table of the library", lambda: model.table(X, y), n)
    kept, counted = [], []
    for _ in range(3):
        kept.append(timed("audit of that table, each person kept", lambda: model.audit(table, **options), n)[0])
        counted.append(timed("audit of that table, counts only",
                             lambda: model.audit(table, people=False, **options), n)[0])
    (ours, ours_wall), audit = least("DataFrame -> audit, each person kept", lambda: model.audit(X, y, **options), n)
    frame_time, _ = timed("per_person arrays", audit.per_person, n)
    timed("per_person as a DataFrame", audit.per_person().to_frame, n)
    (csv_time, csv_wall), _ = least("to_csv alone", lambda: people.to_csv(path, index=False), n)
    command = [program, "audit", model_path, path, "--delta", "0", "--no-opt", "--no-indispensable", "--quiet",
               "--json", os.path.join(folder, "theirs.json")]
    cli_time, _ = timed("the command line on that file", lambda: subprocess.run(command, check=True), n)
    predict_time, labels = timed("clf.predict alone", lambda: clf.predict(X), n)
    timed("model.labels", lambda: model.labels(X), n)
    import json
    with open(os.path.join(folder, "theirs.json"), encoding="utf-8") as file:
        assert json.load(file)["results"] == audit.results
    print()
    print("to_csv alone / DataFrame into a table            %6.1f" % (csv_time / table_time))
    print("to_csv alone / DataFrame -> audit                %6.2f; by the clock %.2f" % (csv_time / ours,
                                                                                         csv_wall / ours_wall))
    print("to_csv + command line / DataFrame -> audit       %6.2f" % ((csv_time + cli_time) / ours))
    print("DataFrame -> audit / clf.predict alone           %6.2f" % (ours / predict_time))
    print("keeping each person, beside the deciding         %6.0f ns a row"
          % (1e9 * (min(kept) - min(counted) + frame_time) / n))


def session_steps(model, people):
    """A step: next and answer.  The rest of the library's work is what a replay takes for the same people."""
    from tacit._lib import call, lib
    from tacit._session import Person
    rows = people.drop(columns="outcome").iloc[:300].to_dict("records")
    for row in rows:  # the plan learns
        model.explain(row)

    def play():
        steps = 0
        session = model.session()
        for row in rows:
            session.restart()
            while (question := session.next()) is not None:
                session.answer(question.name, row[question.name])
                steps += 1
        return steps

    def replay():
        session = model.session()
        for person in known:
            session.restart()
            call(lib.tacit_session_replay, session._handle, person.handle)

    known = [Person(model, row) for row in rows]
    used, steps = min((timed("sessions, step by step from Python", play) for _ in range(3)), key=lambda pair: pair[0])
    alone, _ = min((timed("the same people replayed by the library", replay) for _ in range(3)), key=lambda p: p[0])
    print()
    print("a step (next and answer) from Python             %6.2f us; in the library %.2f us" % (
        1e6 * used / steps, 1e6 * alone / steps))


def main():
    if len(sys.argv) not in (2, 3):
        raise SystemExit(__doc__)
    n = int(sys.argv[2]) if len(sys.argv) == 3 else 1000000
    from sklearn.compose import ColumnTransformer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import Pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.argv[1], "demo", "--keep", folder, "--quiet"], check=True, stdout=subprocess.DEVNULL)
        sample = pd.read_csv(os.path.join(folder, "loans.csv"))
        X, y = sample.drop(columns="outcome"), sample["outcome"]
        words = ["job", "housing", "region"]
        numbers = [name for name in X if name not in words]
        clf = Pipeline([("prepare", ColumnTransformer([("numbers", StandardScaler(), numbers),
                                                       ("words", OneHotEncoder(), words)])),
                        ("decide", LogisticRegression(max_iter=1000))]).fit(X, y)
        model = tacit.from_sklearn(clf, X, y, public=["region", "loan_amount", "loan_term"])
        people = many(sample, n)
        print("%d people, %d columns" % people.shape)
        audits(model, people, sys.argv[1], folder, clf)
        print()
        session_steps(model, people)


if __name__ == "__main__":
    main()
