"""Audits of people by one thread beside XGBoost's predict of the same people: microseconds of CPU a person.

    /usr/bin/python3 bench/trees_audit.py TACIT FOLDER [ROUNDS]

FOLDER has bank-100x4.json, bank-100x4.tacit, bank-2000.csv and bank-test.csv (bench/trees.sh): the first 2,000 people of the
test part, and all of it.  Seven sensitive attributes, delta = 0, by the default rule and by the cheap one (margin).  XGBoost
predicts all of them in one batch, from an array and from a table, and some of them one by one.  All take turns, ROUNDS times
(default 5); the best of each counts, since the machine's own speed changes meanwhile.
"""
import os
import resource
import subprocess
import sys
import time

import pandas
import xgboost as xgb

SENSITIVE = "age,job,balance,duration,campaign,pdays,month"


ONE_BY_ONE = 200


def audit(tacit, folder, people, rule):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([tacit, "audit", os.path.join(folder, "bank-100x4.tacit"), people, "--sensitive", SENSITIVE, "--delta", "0",
                    "--rule", rule, "--no-opt", "--no-indispensable", "--threads", "1", "--quiet"], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def cpu(work):
    start = time.process_time()
    work()
    return time.process_time() - start


def compare(tacit, folder, booster, file, rounds):
    people = os.path.join(folder, file)
    table = pandas.read_csv(people).drop(columns="label")
    x, n = table.to_numpy("float32"), len(table)
    some = range(min(n, ONE_BY_ONE))
    jobs = {
        "batch, from an array": (n, lambda: cpu(lambda: booster.inplace_predict(x))),
        "batch, from a table": (n, lambda: cpu(lambda: booster.predict(xgb.DMatrix(table, nthread=1)))),
        "one by one, from an array": (len(some), lambda: cpu(lambda: [booster.inplace_predict(x[i:i + 1]) for i in some])),
        "one by one, from a table": (len(some), lambda: cpu(lambda: [booster.predict(xgb.DMatrix(table[i:i + 1], nthread=1))
                                                                     for i in some])),
        "stop": (n, lambda: audit(tacit, folder, people, "stop")),
        "margin": (n, lambda: audit(tacit, folder, people, "margin")),
    }
    best = dict.fromkeys(jobs, float("inf"))
    for _ in range(rounds):
        for name, (count, job) in jobs.items():
            best[name] = min(best[name], 1e6 * job() / count)
    for rule in ("stop", "margin"):
        print("%s, %d people, rule %s: %.0f people a second, %.0f us each" % (file, n, rule, 1e6 / best[rule], best[rule]))
        for how in list(jobs)[:4]:
            print("  XGBoost, %-26s %7.1f us each: %6.1f times" % (how, best[how], best[rule] / best[how]))


def main(tacit, folder, rounds="5"):
    booster = xgb.Booster(model_file=os.path.join(folder, "bank-100x4.json"))
    booster.set_param({"nthread": 1})
    for file in ("bank-2000.csv", "bank-test.csv"):
        compare(tacit, folder, booster, file, int(rounds))


main(*sys.argv[1:])
