"""Fixtures for importing CatBoost's JSON models: models, people, labels and sums to the bit.

    python3 make_catboost.py [FOLDER [MODELS ROWS]]

writes into catboost/ beside this file, or into FOLDER; there, MODELS random models with ROWS people each are made as
well (TACIT_CATBOOST_FOLDER=FOLDER test_catboost_golden).  It needs nothing but Python 3.9.

CatBoost is not a package of Debian, so the models are drawn here, in its format, and people are judged by what its
documentation says, written down a second time below: bit i of a leaf's place is test i, a value is rounded to single
precision and compared with the border.  `python3 make_catboost.py --judge MODEL.json` reads rows of numbers from standard
input and prints the sums of a model that CatBoost itself wrote.
"""
import json
import math
import os
import random
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
NAMES = ["income", "age", "debt", "years", "ratio"]
WHOLE = {"age", "years"}
done = []


def single(v):
    return struct.unpack("f", struct.pack("f", v))[0]


def neighbour(v, step):
    """The next single-precision number."""
    bits = struct.unpack("i", struct.pack("f", v))[0]
    return struct.unpack("f", struct.pack("i", bits + step))[0] if v != 0 else step * 1e-45


def number(rng, name):
    if name == "age":
        return float(rng.randint(18, 90))
    if name == "years":
        return float(rng.randint(0, 40))
    return {"income": rng.lognormvariate(7.6, 0.5), "debt": rng.gauss(0, 1e4), "ratio": rng.random() * 1e-3}[name]


# ---- judging ----

def goes_right(model, split, row):
    feature = model["features_info"]["float_features"][split["float_feature_index"]]
    value = row[feature["flat_feature_index"]]
    if value is None:
        return feature["nan_value_treatment"] == "AsTrue"
    return single(value) > single(split["border"])


def leaf(model, tree, row, width):
    if "splits" in tree:
        place = sum(goes_right(model, s, row) << i for i, s in enumerate(tree["splits"]))
        return tree["leaf_values"][place * width:(place + 1) * width]
    while "split" in tree:
        tree = tree["right"] if goes_right(model, tree["split"], row) else tree["left"]
    return tree["value"] if width > 1 else [tree["value"]]


def judge(model, row):
    scale, bias = model["scale_and_bias"]
    width = len(bias)
    sums = [0.0] * width if width == 1 else list(bias)
    for tree in model.get("oblivious_trees", []) + model.get("trees", []):
        sums = [s + v for s, v in zip(sums, leaf(model, tree, row, width))]
    if width == 1:
        return sums, int(scale * sums[0] + bias[0] > 0)
    return sums, sums.index(max(sums))


# ---- drawing ----

def split(rng):
    f = rng.randrange(len(NAMES))
    return dict(border=single(number(rng, NAMES[f]) + (0.5 if NAMES[f] in WHOLE else 0)), float_feature_index=f,
                split_index=0, split_type="FloatFeature")


def oblivious(rng, depth, width):
    leaves = [rng.gauss(0, 0.3) for _ in range(width << depth)]
    return dict(leaf_values=leaves, leaf_weights=[1] * (1 << depth), splits=[split(rng) for _ in range(depth)])


def other(rng, depth, width):
    if depth == 0 or rng.random() < 0.2:
        value = [rng.gauss(0, 0.3) for _ in range(width)]
        return dict(value=value if width > 1 else value[0], weight=1)
    return dict(split=split(rng), left=other(rng, depth - 1, width), right=other(rng, depth - 1, width))


def write(out, name, rng, trees, depth=3, rows=60, width=1, named=True, missing="AsFalse", gone=0.1, scale=1, bias=None,
          loss="Logloss", make=oblivious):
    floats = [dict(borders=[], feature_index=f, flat_feature_index=f, has_nans=gone > 0, nan_value_treatment=missing)
              for f in range(len(NAMES))]
    for f, entry in enumerate(floats):
        if named:
            entry["feature_id"] = NAMES[f]
    model = dict(features_info=dict(float_features=floats),
                 model_info=dict(params=dict(loss_function=dict(params={}, type=loss))),
                 scale_and_bias=[scale, bias or [0] * width])
    model["oblivious_trees" if make is oblivious else "trees"] = [make(rng, depth, width) for _ in range(trees)]
    people = [[None if rng.random() < gone and f > 0 else number(rng, n) for f, n in enumerate(NAMES)]
              for _ in range(rows)]
    if make is oblivious:                # people on a border, and a hair beside it
        for row in people[::2]:
            s = rng.choice(rng.choice(model["oblivious_trees"])["splits"])
            f, border = s["float_feature_index"], s["border"]
            if NAMES[f] not in WHOLE:
                middle = (border + neighbour(border, 1)) / 2
                row[f] = rng.choice([border, neighbour(border, 1), middle, math.nextafter(middle, math.inf),
                                     math.nextafter(middle, -math.inf)])
    with open(os.path.join(out, name + ".json"), "w", newline="\n") as f:
        json.dump(model, f)
        f.write("\n")
    with open(os.path.join(out, name + ".csv"), "w", newline="\n") as f:
        f.write(",".join(NAMES) + ",outcome,label," + ",".join("m%d" % c for c in range(width)) + "\n")
        for i, row in enumerate(people):
            sums, label = judge(model, row)
            cells = ["" if v is None else "%d" % v if n in WHOLE else repr(v) for n, v in zip(NAMES, row)]
            f.write(",".join(cells) + ",%d,%d," % (i % max(width, 2), label) + ",".join(s.hex() for s in sums) + "\n")
    if not named:
        types = [dict(name=n, type="integer" if n in WHOLE else "number", min=0, max=100) for n in NAMES]
        with open(os.path.join(out, name + ".schema.json"), "w", newline="\n") as f:
            json.dump(dict(format="tacit-schema", version=1, label=dict(name="outcome", classes=["0", "1"]),
                           attributes=types), f, indent=1)
            f.write("\n")
    done.append(name)


def main():
    if len(sys.argv) > 2 and sys.argv[1] == "--judge":
        model = json.load(open(sys.argv[2]))
        for line in sys.stdin:
            sums, _ = judge(model, [float(w) if w else None for w in line.strip().split(",")])
            print(" ".join(s.hex() for s in sums))
        return
    out = sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "catboost")
    os.makedirs(out, exist_ok=True)
    rng = random.Random(16)
    write(out, "logloss", rng, 8)
    write(out, "as_true", rng, 8, missing="AsTrue")
    write(out, "as_is", rng, 8, missing="AsIs", gone=0, named=False)
    write(out, "scaled", rng, 6, scale=0.5, bias=[0.125])
    write(out, "entropy", rng, 5, depth=4, loss="CrossEntropy")
    write(out, "multiclass", rng, 5, width=3, bias=[0.1, -0.2, 0.1], loss="MultiClass")
    write(out, "one_versus_all", rng, 4, width=4, loss="MultiClassOneVsAll")
    write(out, "lossguide", rng, 8, make=other, depth=4)
    write(out, "lossguide_classes", rng, 4, make=other, width=3, loss="MultiClass")
    write(out, "leaf", rng, 3, depth=1, rows=12)
    for k in range(int(sys.argv[2]) if len(sys.argv) > 2 else 0):
        width = rng.choice([1, 1, 3])
        write(out, "random%d" % k, rng, rng.randint(1, 60), depth=rng.randint(1, 6), rows=int(sys.argv[3]), width=width,
              missing=rng.choice(["AsTrue", "AsFalse", "AsIs"]), loss="Logloss" if width == 1 else "MultiClass",
              make=rng.choice([oblivious, other]))
    with open(os.path.join(out, "models.txt"), "w") as f:
        f.write("\n".join(done) + "\n")


main()
