#!/usr/bin/python3
"""What proofs for one order of adding up are worth: how much is asked at delta = 0, for any order and for that of the trees.

    bench/trees_order.py TACIT FOLDER [--sets bank,credit] [--shapes 50x3,100x4,300x6] [--people 1000] [--draws 4]

FOLDER is what bench/trees_models.py made.  Every model is imported twice (tacit import --rounding any and program); the
first people of the test part are audited by both (margin rule), with a number of draws of seven sensitive attributes.  Softmax is
refused with one order, so that the data sets of two classes are left.
"""
import argparse
import csv
import json
import os
import random
import subprocess
import tempfile


def asked(tacit, model, people, sensitive):
    out = subprocess.run([tacit, "audit", model, people, "--delta", "0", "--no-opt", "--sensitive", sensitive,
                          "--no-indispensable", "--rule", "margin", "--json", "-"], check=True, capture_output=True).stdout
    result = json.loads(out)["results"][0]
    return round(result["mean_asked"] * result["people"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tacit")
    parser.add_argument("folder")
    parser.add_argument("--sets", default="bank,credit,insurance,adult")
    parser.add_argument("--shapes", default="50x3,100x4,300x6")
    parser.add_argument("--people", type=int, default=1000)
    parser.add_argument("--draws", type=int, default=4)
    args = parser.parse_args()
    print("%-10s %-7s %8s %14s %14s" % ("", "", "people", "any order", "one order"))
    with tempfile.TemporaryDirectory() as scratch:
        for name in args.sets.split(","):
            rows = list(csv.reader(open(os.path.join(args.folder, name + "-test.csv"))))
            people = os.path.join(scratch, "people.csv")
            with open(people, "w", newline="") as file:
                csv.writer(file, lineterminator="\n").writerows(rows[:args.people + 1])
            columns = [c for c in rows[0] if c != "label"]
            draws = [",".join(random.Random(k).sample(columns, 7)) for k in range(args.draws)]
            for shape in args.shapes.split(","):
                totals = []
                for rounding in ("any", "program"):
                    model = os.path.join(scratch, rounding)
                    subprocess.run([args.tacit, "import", os.path.join(args.folder, "%s-%s.json" % (name, shape)),
                                    "--data", os.path.join(args.folder, name + "-train.csv"), "--label", "label",
                                    "--rounding", rounding, "-o", model, "--quiet"], check=True)
                    totals.append(sum(asked(args.tacit, model, people, s) for s in draws))
                print("%-10s %-7s %8d %14d %14d" % (name, shape, args.draws * min(args.people, len(rows) - 1), *totals),
                      flush=True)


main()
