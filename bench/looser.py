"""Does a looser promise ever ask for more than a stricter one?  Mean attributes asked by delta, on the public data sets.

    /usr/bin/python3 bench/looser.py TACIT FOLDER [--people N] [--draws N] [--sets bank,adult] [--kinds logistic]
        [--rule entropy]

FOLDER is what bench/trees_models.py made, small data with its --rows.  For every data set, logistic regression and network, and draw of 7 sensitive
attributes: trained as `tacit fit` does, the first N people (default 500) of the test part audited at every delta.  "!":
a delta that asks for more than one before it, on average.  Exit status 1 if one asks for more than delta = 0.
"""
import argparse
import itertools
import json
import os
import random
import subprocess
import tempfile

DELTAS = "0,0.0001,0.0005,0.001,0.002,0.0025,0.005,0.01,0.02,0.05,0.1,0.2"
SETS = "bank,credit,insurance,adult,customer,fetal".split(",")


def audit(opt, name, kind, draw, scratch):
    train, test = (os.path.join(opt.folder, f"{name}-{part}.csv") for part in ("train", "test"))
    with open(train) as f:
        columns = [c for c in f.readline().strip().split(",") if c != "label"]
    sensitive = random.Random(100 * draw + 7).sample(columns, 7)
    model, some = os.path.join(scratch, "model.tacit"), os.path.join(scratch, "people.csv")
    with open(test) as f, open(some, "w") as out:
        out.writelines(itertools.islice(f, opt.people + 1))
    subprocess.run([opt.tacit, "fit", train, "--label", "label", "--model", kind, "--sensitive", ",".join(sensitive), "--quiet",
                    "-o", model], check=True, stdout=subprocess.DEVNULL)
    said = subprocess.run([opt.tacit, "audit", model, some, "--no-opt", "--delta", DELTAS, "--quiet", "--json", "-", "--unknown",
                           "missing", "--rule", opt.rule], check=True, stdout=subprocess.PIPE).stdout
    return [r["mean_asked"] for r in json.loads(said)["results"]]


def main():
    p = argparse.ArgumentParser()
    p.add_argument("tacit")
    p.add_argument("folder")
    p.add_argument("--people", type=int, default=500)
    p.add_argument("--draws", type=int, default=3)
    p.add_argument("--sets", default=",".join(SETS))
    p.add_argument("--kinds", default="logistic,mlp")
    p.add_argument("--rule", default="auto")
    opt = p.parse_args()
    models = cells = more = steps = 0
    print("| data | model | draw |", " | ".join(DELTAS.split(",")), "|")
    with tempfile.TemporaryDirectory() as scratch:
        for name, kind, draw in itertools.product(opt.sets.split(","), opt.kinds.split(","), range(opt.draws)):
            asked = audit(opt, name, kind, draw, scratch)
            above = [i > 0 and a > min(asked[:i]) for i, a in enumerate(asked)]
            print(f"| {name} | {kind} | {draw} |",
                  " | ".join(f"{a:.3f}" + (" !" if up else "") for a, up in zip(asked, above)), "|", flush=True)
            worse = sum(a > asked[0] for a in asked)
            models += worse > 0
            more += worse
            steps += sum(above)
            cells += len(asked) - 1
    print(f"{more} of {cells} ask for more than delta = 0, in {models} models; {steps} for more than some stricter one")
    return 1 if more else 0


if __name__ == "__main__":
    raise SystemExit(main())
