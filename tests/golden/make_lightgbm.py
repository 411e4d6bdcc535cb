"""Fixtures for importing LightGBM's text models: models, people, labels and sums to the bit.

    python3 make_lightgbm.py [FOLDER [MODELS ROWS]]

writes into lightgbm/ beside this file, or into FOLDER; there, MODELS random models with ROWS people each are made as
well, for a longer run (TACIT_LIGHTGBM_FOLDER=FOLDER test_lightgbm_golden).  It needs nothing but Python 3.9.

LightGBM is not a package of Debian, so the models are drawn here, in its format, and people are judged by what its
documentation and its files say, written down a second time below: numbers as LightGBM reads them, node by node, tree by
tree.  How this agrees with LightGBM itself is tested on its own files (test_lightgbm_golden, TACIT_FOREIGN_FOLDER).
"""
import json
import math
import os
import random
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "lightgbm")
ZERO = struct.unpack("f", struct.pack("f", 1e-35))[0]
NAMES = ["income", "age", "debt", "years", "ratio", "job"]
WHOLE = {"age", "years"}
JOBS = ["clerk", "farmer", "nurse", "pilot", "smith"]
NONE, AS_ZERO, AS_NAN = 0, 1, 2
done = []


# ---- people: None is a missing value ----

def number(rng, name):
    if name == "age":
        return float(rng.randint(18, 90))
    if name == "years":
        return float(max(0, rng.randint(-15, 40)))
    if name == "income":
        return round(math.exp(rng.gauss(7.6, 0.5)), 2)
    if name == "debt":
        return 0.0 if rng.random() < 0.3 else round(rng.gauss(0, 1e4), 1)
    return rng.choice([0.0, 1e-36, -1e-36, ZERO, -ZERO, math.nextafter(ZERO, 1), rng.random(), -rng.random()])


def person(rng, missing, job):
    row = [number(rng, n) for n in NAMES[:5]] + [job(rng)]
    return [None if rng.random() < missing and NAMES[i] != "income" else v for i, v in enumerate(row)]


# ---- trees ----

def tree(rng, leaves, missing, job_values):
    """A random tree: nodes (feature, threshold or set, decision_type, left, right), leaves."""
    nodes, values, parent = [], [rng.gauss(0, 0.4)], []
    slots = [None]                       # where leaf i hangs: (node, side)
    while len(values) < leaves:
        i = rng.randrange(len(values))
        feature = rng.randrange(len(NAMES) if job_values else len(NAMES) - 1)
        default = 2 if rng.random() < 0.5 else 0
        if NAMES[feature] == "job":
            test, kind = sorted(rng.sample(range(job_values), rng.randint(1, job_values - 1))), 1
        else:
            draws = [number(rng, NAMES[feature])]
            draws.append(draws[0] + (0.5 if NAMES[feature] in WHOLE else 0.0))
            draws += [0.0, ZERO, -ZERO] if missing != AS_NAN else [ZERO, 1e300]
            test, kind = rng.choice(draws[:2] * 3 + draws[2:]), default | missing << 2
            if test == 1e300:
                kind &= ~2
        nodes.append([feature, test, kind, ~i, ~len(values)])
        if slots[i] is not None:
            nodes[slots[i][0]][3 + slots[i][1]] = len(nodes) - 1
        slots[i] = (len(nodes) - 1, 0)
        slots.append((len(nodes) - 1, 1))
        values.append(rng.gauss(0, 0.4))
    return nodes, values


def goes_left(node, value):
    feature, test, kind, _, _ = node
    missing = kind >> 2
    if kind & 1:
        return value is not None and value >= 0 and int(value) in test
    if value is not None and abs(value) <= ZERO:
        value = 0.0                      # before any test
    if value is None and missing != AS_NAN:
        value = 0.0
    if (missing == AS_ZERO and value == 0) or (missing == AS_NAN and value is None):
        return bool(kind & 2)
    return value <= test


def leaf_of(t, row):
    nodes, values = t
    at = 0 if nodes else -1
    while at >= 0:
        node = nodes[at]
        at = node[3] if goes_left(node, row[node[0]]) else node[4]
    return values[~at]


# ---- the file ----

def numbers(values):
    return " ".join("%.17g" % v if isinstance(v, float) else str(v) for v in values)


def bit_set(codes):
    words = [0] * (max(codes) // 32 + 1)
    for c in codes:
        words[c // 32] |= 1 << c % 32
    return words


def tree_text(k, t, version):
    nodes, values = t
    sets = [n[1] for n in nodes if n[2] & 1]
    words, starts, thresholds = [], [0], []
    for n in nodes:
        if n[2] & 1:
            thresholds.append(len(starts) - 1)
            words += bit_set(n[1])
            starts.append(len(words))
        else:
            thresholds.append(n[1])
    lines = ["Tree=%d" % k, "num_leaves=%d" % len(values), "num_cat=%d" % len(sets),
             "split_feature=" + numbers(n[0] for n in nodes), "split_gain=" + numbers(1 for _ in nodes),
             "threshold=" + numbers(thresholds), "decision_type=" + numbers(n[2] for n in nodes),
             "left_child=" + numbers(n[3] for n in nodes), "right_child=" + numbers(n[4] for n in nodes),
             "leaf_value=" + numbers(values), "leaf_count=" + numbers(1 for _ in values)]
    if sets:
        lines += ["cat_boundaries=" + numbers(starts), "cat_threshold=" + numbers(words)]
    if version != "v2":
        lines.append("is_linear=0")
    return "\n".join(lines + ["shrinkage=0.1", "", ""])


def model_text(m):
    blocks = [tree_text(k, t, m["version"]) for k, t in enumerate(m["trees"])]
    infos = ["[0:1]"] * 5 + ["2:0:1:3:4" if m["sets"] else "none"]
    head = ["tree", "version=" + m["version"], "num_class=%d" % m["classes"],
            "num_tree_per_iteration=%d" % m["classes"], "label_index=0", "max_feature_idx=5",
            "objective=" + m["objective"]] + (["average_output"] if m["forest"] else [])
    head += ["feature_names=" + " ".join(m["names"]), "feature_infos=" + " ".join(infos),
             "tree_sizes=" + " ".join(str(len(b)) for b in blocks), "", ""]
    tail = "end of trees\n\nfeature_importances:\nage=3\n\nparameters:\n[boosting: gbdt]\nend of parameters\n\n"
    return "\n".join(head) + "\n".join(blocks) + tail + "pandas_categorical:" + json.dumps(m["pandas"]) + "\n"


def judge(m, row):
    """Sums as they are added up, and the label."""
    sums = [0.0] * m["classes"]
    for k, t in enumerate(m["trees"]):
        sums[k % m["classes"]] += leaf_of(t, row)
    rounds = len(m["trees"]) // m["classes"] if m["forest"] else 1
    scores = [s / rounds for s in sums]
    if m["objective"].startswith("multiclass "):
        shares = [math.exp(s - max(scores)) for s in scores]
        shares = [s / sum(shares) for s in shares]
    else:
        shares = [1 / (1 + math.exp(-m["sigmoid"] * s)) for s in scores]
    return sums, shares.index(max(shares)) if m["classes"] > 1 else int(shares[0] > 0.5)


def write(name, rng, trees, leaves=7, rows=70, missing=AS_NAN, gone=0.1, sets=False, classes=1, forest=False,
          objective="binary sigmoid:1", sigmoid=1.0, version="v3", pandas=False, names=NAMES, schema=False):
    order = rng.sample(JOBS, len(JOBS))
    m = dict(trees=[], classes=classes, forest=forest, objective=objective, sigmoid=sigmoid, version=version, sets=sets,
             pandas=[order] if pandas else None, names=names)
    job = (lambda r: r.randrange(len(JOBS))) if sets else (lambda r: float(r.randint(0, 9)))
    for _ in range(trees * classes):
        m["trees"].append(tree(rng, rng.choice([1, 2, leaves]) if leaves > 1 else 1, missing, len(JOBS) if sets else 0))
    people = [person(rng, gone, job) for _ in range(rows)]
    edges = [(n[0], n[1]) for t in m["trees"] for n in t[0] if not n[2] & 1 and n[1] < 1e299]
    for row in people[::3]:              # people on the edge of a test
        f, edge = rng.choice(edges) if edges else (0, 0.0)
        if NAMES[f] not in WHOLE:
            row[f] = rng.choice([edge, math.nextafter(edge, math.inf), math.nextafter(edge, -math.inf)])
    spell = lambda f, v: "" if v is None else order[v] if f == 5 and pandas else "%d" % v if f in (1, 3, 5) else repr(v)
    with open(os.path.join(OUT, name + ".txt"), "w", newline="\n") as f:
        f.write(model_text(m))
    judged = [judge(m, row) for row in people]
    with open(os.path.join(OUT, name + ".csv"), "w", newline="\n") as f:
        f.write(",".join(NAMES) + ",outcome,label," + ",".join("m%d" % c for c in range(classes)) + "\n")
        for i, (row, (sums, label)) in enumerate(zip(people, judged)):
            cells = [spell(k, v) for k, v in enumerate(row)]
            f.write(",".join(cells) + ",%d,%d," % (i % max(classes, 2), label) + ",".join(s.hex() for s in sums) + "\n")
    if schema:
        types = [dict(name=n, type="integer" if n in WHOLE else "number", min=0, max=100) for n in NAMES[:5]]
        types.append(dict(name="job", type="category", levels=[str(k) for k in range(len(JOBS))] + ["(missing)"],
                          missing_level="(missing)", encoding="onehot")
                     if sets else dict(name="job", type="integer", min=0, max=9))
        schema = dict(format="tacit-schema", version=1, label=dict(name="outcome", classes=["0", "1"]), attributes=types)
        with open(os.path.join(OUT, name + ".schema.json"), "w", newline="\n") as f:
            json.dump(schema, f, indent=1)
            f.write("\n")
    done.append(name)


def main():
    os.makedirs(OUT, exist_ok=True)
    rng = random.Random(15)
    write("nan", rng, 12)
    write("none", rng, 12, missing=NONE)
    write("zero", rng, 12, missing=AS_ZERO, leaves=9)
    write("sigmoid", rng, 8, objective="binary sigmoid:0.7", sigmoid=0.7, version="v4")
    write("entropy", rng, 8, objective="cross_entropy", version="v2")
    write("forest", rng, 9, forest=True, objective="binary sigmoid:1")
    write("multiclass", rng, 6, classes=3, objective="multiclass num_class:3")
    write("ova", rng, 6, classes=4, objective="multiclassova num_class:4 sigmoid:1.5", sigmoid=1.5, forest=True)
    write("pandas", rng, 10, sets=True, pandas=True, version="v4")
    write("codes", rng, 10, sets=True, schema=True)
    write("unnamed", rng, 8, missing=NONE, gone=0, schema=True,
          names=["Column_%d" % i for i in range(6)])
    write("leaf", rng, 3, leaves=1, rows=12)
    for k in range(int(sys.argv[2]) if len(sys.argv) > 2 else 0):
        classes = rng.choice([1, 1, 3])
        write("random%d" % k, rng, rng.randint(1, 60), leaves=rng.choice([3, 8, 20]), rows=int(sys.argv[3]),
              missing=rng.choice([NONE, AS_ZERO, AS_NAN]), sets=k % 2 == 0, pandas=k % 2 == 0, classes=classes,
              objective="binary sigmoid:1" if classes == 1 else "multiclass num_class:3",
              forest=rng.random() < 0.3, version=rng.choice(["v2", "v3", "v4"]))
    with open(os.path.join(OUT, "models.txt"), "w") as f:
        f.write("\n".join(done) + "\n")


main()
