"""An audit of 2,000 people by one thread beside XGBoost's predict of the same people: microseconds of CPU a person.

    /usr/bin/python3 bench/trees_audit.py TACIT FOLDER

FOLDER has bank-100x4.json, bank-100x4.tacit and bank-2000.csv (bench/trees.sh).  Seven sensitive attributes, delta = 0, by
the default rule and by the cheap one (margin).  XGBoost predicts all of them in one batch, from an array and from a table,
and one by one.
"""
import os
import resource
import subprocess
import sys
import time

import pandas
import xgboost as xgb

SENSITIVE = "age,job,balance,duration,campaign,pdays,month"


def audit(tacit, folder, rule):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([tacit, "audit", os.path.join(folder, "bank-100x4.tacit"), os.path.join(folder, "bank-2000.csv"),
                    "--sensitive", SENSITIVE, "--delta", "0", "--rule", rule, "--no-opt", "--no-indispensable", "--threads",
                    "1", "--quiet"], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def cpu(work, times=1):
    best = float("inf")
    for _ in range(times):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def main(tacit, folder):
    booster = xgb.Booster(model_file=os.path.join(folder, "bank-100x4.json"))
    booster.set_param({"nthread": 1})
    table = pandas.read_csv(os.path.join(folder, "bank-2000.csv")).drop(columns="label")
    x, n = table.to_numpy("float32"), len(table)
    predict = {
        "batch, from an array": cpu(lambda: booster.inplace_predict(x), 5),
        "batch, from a table": cpu(lambda: booster.predict(xgb.DMatrix(table, nthread=1)), 5),
        "one by one, from an array": cpu(lambda: [booster.inplace_predict(x[i:i + 1]) for i in range(n)]),
        "one by one, from a table": cpu(lambda: [booster.predict(xgb.DMatrix(table[i:i + 1], nthread=1))
                                                 for i in range(200)]) * n / 200,
    }
    for rule in ("stop", "margin"):
        took = audit(tacit, folder, rule)
        print("audit, rule %s: %.0f people a second, %.0f us each" % (rule, n / took, 1e6 * took / n))
        for how, seconds in predict.items():
            print("  XGBoost, %-26s %7.1f us each: %6.1f times" % (how, 1e6 * seconds / n, took / seconds))


main(*sys.argv[1:])
