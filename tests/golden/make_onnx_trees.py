"""Fixtures for importing TreeEnsembleClassifier and pipelines from ONNX: models, people, labels, and sums to the bit.

    /usr/bin/python3 make_onnx_trees.py [FOLDER [MODELS ROWS]]

writes into onnx_trees/ beside this file, or into FOLDER; there, MODELS random ensembles with ROWS people each are made as
well, for a longer run (TACIT_ONNX_TREES_FOLDER=FOLDER test_onnx_trees_golden).  It needs numpy, scikit-learn and onnx
(Debian: python3-sklearn 1.2, python3-onnx 1.12).

Who makes the files.  Nothing that exports from scikit-learn is packaged for Debian, so trees that scikit-learn trained are
written down here with onnx.helper in the layout of skl2onnx: with two classes the weights of the second only, under
class id 0; a forest's weights are probabilities divided by the number of trees; thresholds are rounded down to floats.

Who judges.  `run` carries out the graph as the operators are defined, in numpy, in the precision of each operator, and
adds weights tree after tree.  scikit-learn's own predictions must agree on every row for what scikit-learn trained; sums
that lie within rounding of a tie are left out of the people, for scikit-learn adds in double precision.
"""
import json
import os
import sys

import numpy as np
from onnx import TensorProto, checker, helper, save
from sklearn.ensemble import (ExtraTreesClassifier, GradientBoostingClassifier, HistGradientBoostingClassifier,
                              RandomForestClassifier)
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "onnx_trees")
ROWS = 160
REGIONS = ["east", "north", "south", "west"]
F = np.float32
done = []


# ---------------------------------------------------------------- people


def people(rng, rows, missing=0.0):
    x = {"income": np.round(np.exp(rng.normal(7.6, 0.5, rows)), 2), "age": rng.integers(18, 90, rows).astype(float),
         "debt": np.round(rng.normal(0, 1e4, rows), 3), "years": rng.integers(0, 40, rows).astype(float)}
    region = rng.integers(0, len(REGIONS), rows)
    z = (x["age"] - 50) / 20 + np.sin(x["income"] / 900) + x["debt"] / 1e4 * (region == 1) + (region == 2)
    z += rng.normal(0, 0.5, rows)
    for name in ("income", "debt", "years"):
        x[name][rng.random(rows) < missing] = np.nan
    x["region"] = np.array(REGIONS)[region]
    return x, z


NUMBERS = ["income", "age", "debt", "years"]


def matrix(x, names=NUMBERS):
    return np.column_stack([x[n] for n in names]).astype(F)


def two(z):
    return np.where(z > np.median(z), "yes", "no")


def three(z):
    return np.array(["high", "low", "middle"])[np.digitize(z, np.quantile(z, [0.3, 0.7]))]


# ---------------------------------------------------------------- graphs, and what they do


class Graph:
    """Nodes in their order; inputs are columns of people by name, or one matrix called X."""

    def __init__(self, inputs):
        self.inputs, self.nodes, self.constants, self.count = inputs, [], [], 0

    def add(self, op, inputs, outputs=1, ml=True, **attributes):
        names = ["v%d" % (self.count + k) for k in range(outputs)]
        self.count += outputs
        self.nodes.append(helper.make_node(op, inputs, names, domain="ai.onnx.ml" if ml else "", **attributes))
        return names if outputs > 1 else names[0]

    def constant(self, values, kind=TensorProto.INT64):
        name = "c%d" % len(self.constants)
        self.constants.append(helper.make_tensor(name, kind, [len(values)], values))
        return name

    def save(self, name, outputs):
        made = [helper.make_tensor_value_info(i, k, [None, w]) for i, k, w in self.inputs]
        ends = [helper.make_tensor_value_info(o, k, s) for o, k, s in outputs]
        graph = helper.make_graph(self.nodes, name, made, ends, self.constants)
        sets = [helper.make_opsetid("", 15), helper.make_opsetid("ai.onnx.ml", 3)]
        model = helper.make_model(graph, opset_imports=sets, producer_name="make_onnx_trees.py", ir_version=8)
        checker.check_model(model)
        save(model, os.path.join(OUT, name + ".onnx"))


def attributes_of(node):
    return {a.name: helper.get_attribute_value(a) for a in node.attribute}


def compare(mode, x, v, track):
    with np.errstate(invalid="ignore"):
        hit = {"BRANCH_LEQ": x <= v, "BRANCH_LT": x < v, "BRANCH_GTE": x >= v, "BRANCH_GT": x > v, "BRANCH_EQ": x == v,
               "BRANCH_NEQ": x != v}[mode]
    return bool(hit) or (track and np.isnan(x))


def run_trees(a, x):
    """Sums of every class, person by person."""
    real = np.float64 if x.dtype == np.float64 else F
    get = lambda name: np.asarray(helper_numbers(a, name), real)
    values, weights, base = get("nodes_values"), get("class_weights"), get("base_values")
    modes = [m.decode() for m in a["nodes_modes"]]
    tracks = a.get("nodes_missing_value_tracks_true", [0] * len(modes))
    where = {k: i for i, k in enumerate(zip(a["nodes_treeids"], a["nodes_nodeids"]))}
    leaves = {}
    for t, n, c, w in zip(a["class_treeids"], a["class_nodeids"], a["class_ids"], weights):
        leaves.setdefault((t, n), []).append((c, w))
    labels = a.get("classlabels_int64s") or [s.decode() for s in a["classlabels_strings"]]
    sums = np.zeros((len(x), len(labels)), real)
    for r in range(len(x)):
        for t in dict.fromkeys(a["nodes_treeids"]):
            i = next(k for k, tree in enumerate(a["nodes_treeids"]) if tree == t)
            while modes[i] != "LEAF":
                v = real(x[r, a["nodes_featureids"][i]])
                yes = compare(modes[i], v, values[i], tracks[i] == 1)
                i = where[t, a["nodes_truenodeids"][i] if yes else a["nodes_falsenodeids"][i]]
            for c, w in leaves.get((t, a["nodes_nodeids"][i]), []):
                sums[r, c] = real(sums[r, c] + w)
    used = sorted(set(a["class_ids"]))
    if len(labels) == 2:
        score = sums[:, used[0]] if len(used) == 1 else sums[:, 1]
        if len(base):
            score = (score + base[0]).astype(real)
        cut = 0.5 if len(used) == 1 and (weights >= 0).all() else 0
        return np.array(labels, object)[(score > cut).astype(int)], score.reshape(-1, 1), abs(score.astype(float) - cut)
    if len(base):
        sums = (sums + base).astype(real)
    order = np.sort(sums.astype(float), axis=1)
    return np.array(labels, object)[sums.argmax(axis=1)], sums, order[:, -1] - order[:, -2]


def helper_numbers(a, name):
    if name + "_as_tensor" in a:
        from onnx import numpy_helper
        return numpy_helper.to_array(a[name + "_as_tensor"])
    return a.get(name, [])


def run(graph, x):
    """Carry out a graph on people: labels, sums, and how far from a tie."""
    env = {c.name: np.array(c.int64_data) for c in graph.constants}
    for name, kind, width in graph.inputs:
        types = {TensorProto.FLOAT: F, TensorProto.DOUBLE: np.float64, TensorProto.INT64: np.int64,
                 TensorProto.STRING: object}
        columns = [x[name]] if name in x else [x[n] for n in x["order"]]
        env[name] = np.column_stack(columns).astype(types[kind])
        assert env[name].shape[1] == width
    answer = None
    for node in graph.nodes:
        a, first = attributes_of(node), env[node.input[0]]
        if node.op_type == "OneHotEncoder":
            cats = a.get("cats_int64s") or [s.decode() for s in a["cats_strings"]]
            column = first if first.dtype == object else first.astype(np.int64)
            out = (column[:, :, None] == np.array(cats, object if first.dtype == object else np.int64)).astype(F)
        elif node.op_type == "LabelEncoder":
            table = dict(zip([s.decode() for s in a["keys_strings"]], a["values_int64s"]))
            out = np.vectorize(lambda s: table.get(s, a.get("default_int64", -1)))(first).astype(np.int64)
        elif node.op_type == "Imputer":
            out = np.where(np.isnan(first), np.array(a["imputed_value_floats"], F), first).astype(F)
        elif node.op_type == "Scaler":
            out = ((first - np.array(a["offset"], F)) * np.array(a["scale"], F)).astype(F)
        elif node.op_type == "Reshape":
            out = first.reshape(len(first), -1)
        elif node.op_type == "Concat":
            out = np.concatenate([env[i] for i in node.input], axis=1)
        elif node.op_type in ("ArrayFeatureExtractor", "Gather"):
            out = first[:, env[node.input[1]]]
        elif node.op_type == "Cast":
            out = first.astype({TensorProto.FLOAT: F, TensorProto.INT64: np.int64}[a["to"]])
        elif node.op_type == "TreeEnsembleClassifier":
            answer = run_trees(a, first)
            continue
        elif node.op_type == "LinearClassifier":
            w = np.array(a["coefficients"], float).reshape(len(a["intercepts"]), -1)
            score = first.astype(float) @ w.T + np.array(a["intercepts"], float)
            labels = np.array([s.decode() for s in a["classlabels_strings"]], object)
            answer = labels[score.argmax(axis=1)], np.zeros((len(first), 0)), abs(score[:, 1] - score[:, 0])
            continue
        elif node.op_type in ("ZipMap", "Identity"):
            continue
        else:
            raise ValueError(node.op_type)
        env[node.output[0]] = out
    return answer


# ---------------------------------------------------------------- trees of scikit-learn as lists


class Lists:
    def __init__(self):
        self.a = {k: [] for k in ["nodes_treeids", "nodes_nodeids", "nodes_modes", "nodes_featureids", "nodes_values",
                                  "nodes_truenodeids", "nodes_falsenodeids", "nodes_missing_value_tracks_true",
                                  "class_treeids", "class_nodeids", "class_ids", "class_weights"]}

    def node(self, tree, node, mode, feature=0, value=0.0, yes=0, no=0, track=0):
        for k, v in zip(self.a, [tree, node, mode, feature, value, yes, no, track]):
            self.a[k].append(v)

    def weight(self, tree, node, cls, value):
        for k, v in zip(["class_treeids", "class_nodeids", "class_ids", "class_weights"], [tree, node, cls, value]):
            self.a[k].append(v)


def down(v):
    f = F(v)
    return float(f if f <= v else np.nextafter(f, F(-np.inf)))


def add_tree(lists, tree_id, tree, weights):
    """`weights` of a leaf: pairs of class id and weight."""
    for i in range(tree.node_count):
        if tree.children_left[i] < 0:
            lists.node(tree_id, i, "LEAF")
            for c, w in weights(tree.value[i]):
                lists.weight(tree_id, i, c, float(F(w)))
        else:
            lists.node(tree_id, i, "BRANCH_LEQ", int(tree.feature[i]), down(tree.threshold[i]),
                       int(tree.children_left[i]), int(tree.children_right[i]))


def forest(model, trees):
    lists, n = Lists(), len(trees)

    def weights(value):
        p = value[0] / value[0].sum()
        return [(0, p[1] / n)] if len(p) == 2 else [(c, v / n) for c, v in enumerate(p)]

    for t, tree in enumerate(trees):
        add_tree(lists, t, tree.tree_, weights)
    return lists, dict(post_transform="NONE")


def boosted(model):
    lists, k = Lists(), model.estimators_.shape[1]
    for t, tree in enumerate(model.estimators_.ravel()):
        add_tree(lists, t, tree.tree_, lambda v, c=t % k: [(c, model.learning_rate * v[0][0])])
    p = model.init_.class_prior_
    start = [np.log(p[1] / p[0])] if k == 1 else list(np.log(p))
    return lists, dict(post_transform="LOGISTIC" if k == 1 else "SOFTMAX", base_values=[float(F(v)) for v in start])


def hist(model):
    lists, k = Lists(), model.n_trees_per_iteration_
    trees = [p for stage in model._predictors for p in stage]
    for t, tree in enumerate(trees):
        for i, n in enumerate(tree.nodes):
            if n["is_leaf"]:
                lists.node(t, i, "LEAF")
                lists.weight(t, i, t % k, float(F(n["value"])))
            else:
                lists.node(t, i, "BRANCH_LEQ", int(n["feature_idx"]), down(n["num_threshold"]), int(n["left"]),
                           int(n["right"]), int(n["missing_go_to_left"]))
    start = np.atleast_1d(model._baseline_prediction.ravel())
    return lists, dict(post_transform="LOGISTIC" if k == 1 else "SOFTMAX", base_values=[float(F(v)) for v in start])


# ---------------------------------------------------------------- files


def write_schema(name, x, names, classes, order):
    """Where the columns alone do not say what they are."""
    attributes = []
    for n in order:
        if x[n].dtype.kind in "UO" or n in names:
            levels = [str(v) for v in names.get(n, sorted(set(x[n])))]
            attributes.append({"name": n, "type": "category", "levels": levels})
        else:
            low, high = np.nanmin(x[n]), np.nanmax(x[n])
            fill = names.get("fill", {}).get(n)
            whole = (x[n][~np.isnan(x[n])] % 1 == 0).all() and n not in names.get("fill", {})
            kind = "integer" if whole else "number"
            attributes.append({"name": n, "type": kind, "min": float(low), "max": float(high)})
            if fill is not None:
                attributes[-1]["fill"] = fill
    schema = {"format": "tacit-schema", "version": 1, "label": {"name": "outcome", "classes": classes},
              "attributes": attributes}
    with open(os.path.join(OUT, name + ".schema.json"), "w") as f:
        json.dump(schema, f, indent=1)
        f.write("\n")


def cell(v):
    if isinstance(v, str):
        return v
    return "" if np.isnan(v) else repr(float(v)) if v != int(v) else str(int(v))


def write(name, graph, ends, x, outcome, trained=None, order=None, schema=None):
    """Runs the graph, asks scikit-learn, writes all."""
    order = order or NUMBERS
    label, sums, gap = run(graph, dict(x, order=order))
    keep = gap > 1e-5 * max(1, np.abs(sums).max() if sums.size else 1)
    if trained is not None:
        assert (trained[keep] == label[keep]).all(), name
    graph.save(name, ends)
    if schema is None and graph.inputs[0][0] == "X":
        schema = {}
    if schema is not None:
        write_schema(name, x, schema, sorted(set(outcome)), order)
    with open(os.path.join(OUT, name + ".csv"), "w") as f:
        heads = ["m%d" % i for i in range(sums.shape[1])]
        f.write(",".join(order + ["outcome", "label"] + heads) + "\n")
        for r in np.flatnonzero(keep):
            row = [cell(x[n][r]) for n in order] + [outcome[r], str(label[r])]
            f.write(",".join(row + [float(v).hex() for v in sums[r]]) + "\n")
    print("%-20s %d people, %d left out" % (name, keep.sum(), (~keep).sum()))
    done.append(name)


def classifier(graph, data, lists, more, classes, zipmap=True):
    texts = [c.encode() for c in classes]
    made = graph.add("TreeEnsembleClassifier", [data], 2, classlabels_strings=texts, **lists.a, **more)
    n = len(classes)
    ends = [(made[0], TensorProto.STRING, [None]), (made[1], TensorProto.FLOAT, [None, n])]
    return ends


def plain(name, model, x, outcome, build, classes):
    graph = Graph([("X", TensorProto.FLOAT, len(NUMBERS))])
    lists, more = build
    write(name, graph, classifier(graph, "X", lists, more, classes), x, outcome,
          model.predict(matrix(x).astype(float)).astype(object))


def write_plain_models():
    rng = np.random.default_rng(11)
    x, z = people(rng, ROWS)
    y2, y3 = two(z), three(z)
    c2, c3 = ["no", "yes"], ["high", "low", "middle"]
    m = RandomForestClassifier(9, max_depth=4, random_state=1).fit(matrix(x), y2)
    plain("forest_two", m, x, y2, forest(m, m.estimators_), c2)
    m = RandomForestClassifier(7, max_depth=3, random_state=1).fit(matrix(x), y3)
    plain("forest_three", m, x, y3, forest(m, m.estimators_), c3)
    m = ExtraTreesClassifier(9, max_depth=4, random_state=1).fit(matrix(x), y3)
    plain("extra_three", m, x, y3, forest(m, m.estimators_), c3)
    m = GradientBoostingClassifier(n_estimators=15, max_depth=3, random_state=1).fit(matrix(x), y2)
    plain("boosted_two", m, x, y2, boosted(m), c2)
    m = GradientBoostingClassifier(n_estimators=6, max_depth=2, random_state=1).fit(matrix(x), y3)
    plain("boosted_three", m, x, y3, boosted(m), c3)
    m = DecisionTreeClassifier(max_depth=5, random_state=1).fit(matrix(x), y2)
    plain("tree_two", m, x, y2, forest(m, [m]), c2)
    x, z = people(rng, ROWS, 0.2)
    y2, y3 = two(z), three(z)
    m = HistGradientBoostingClassifier(max_iter=8, max_depth=3, min_samples_leaf=8).fit(matrix(x).astype(float), y2)
    plain("hist_two", m, x, y2, hist(m), c2)
    m = HistGradientBoostingClassifier(max_iter=4, max_depth=3, min_samples_leaf=8).fit(matrix(x).astype(float), y3)
    plain("hist_three", m, x, y3, hist(m), c3)


# ---------------------------------------------------------------- every mode, doubles


def grow(lists, rng, tree, x, depth, at, cls, modes, real):
    """A random tree below node `at`; the next free number."""
    if depth == 0 or rng.random() < 0.15:
        lists.node(tree, at, "LEAF")
        for c in cls:
            lists.weight(tree, at, c, float(real(rng.normal())))
        return at + 1
    f = int(rng.integers(x.shape[1]))
    value = float(real(rng.choice(x[:, f][~np.isnan(x[:, f])])))
    here = len(lists.a["nodes_treeids"])
    lists.node(tree, at, str(rng.choice(modes)), f, value, at + 1, 0, int(rng.random() < 0.5))
    free = grow(lists, rng, tree, x, depth - 1, at + 1, cls, modes, real)
    lists.a["nodes_falsenodeids"][here] = free
    return grow(lists, rng, tree, x, depth - 1, free, cls, modes, real)


MODES = ["BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ"]


def write_modes(name, rng, classes, modes, kind=TensorProto.FLOAT, trees=8, depth=4, rows=ROWS, scale=False):
    x, z = people(rng, rows, 0.15)
    wide = kind == TensorProto.DOUBLE
    real = np.float64 if wide else F
    data = matrix(x).astype(real) if not wide else np.column_stack([x[n] for n in NUMBERS])
    graph, lists = Graph([("X", kind, len(NUMBERS))]), Lists()
    top = "X"
    if scale:
        off, by = np.nanmean(data, 0).astype(F), (1 / np.nanstd(data, 0)).astype(F)
        by[1] = -by[1]
        top = graph.add("Scaler", ["X"], offset=off.tolist(), scale=by.tolist())
        data = ((data.astype(F) - off) * by).astype(F)
    n = len(classes)
    for t in range(trees):
        cls = [0] if n == 2 else list(range(n)) if t % 2 else [t // 2 % n]
        grow(lists, rng, t, data, depth, 0, cls, modes, real)
    more = dict(post_transform="LOGISTIC" if n == 2 else "SOFTMAX")
    base = [float(real(v)) for v in rng.normal(size=1 if n == 2 else n) / 4]
    if wide:
        for k in ["nodes_values", "class_weights"]:
            numbers = lists.a.pop(k)
            more[k + "_as_tensor"] = helper.make_tensor(k, TensorProto.DOUBLE, [len(numbers)], numbers)
        more["base_values_as_tensor"] = helper.make_tensor("base", TensorProto.DOUBLE, [len(base)], base)
    else:
        more["base_values"] = base
    outcome = two(z) if n == 2 else three(z)
    write(name, graph, classifier(graph, top, lists, more, classes), x, outcome)


# ---------------------------------------------------------------- pipelines


def name_pipeline(x):
    """Columns by name: texts one-hot, numbers imputed and scaled."""
    graph = Graph([("region", TensorProto.STRING, 1)] + [(n, TensorProto.FLOAT, 1) for n in NUMBERS])
    data = matrix(x)
    fill, mean = np.nanmedian(data, 0).astype(F), np.nanmean(data, 0).astype(F)
    by = (1 / np.nanstd(data, 0)).astype(F)
    hot = graph.add("OneHotEncoder", ["region"], cats_strings=[r.encode() for r in REGIONS[:3]], zeros=1)
    hot = graph.add("Reshape", [hot, graph.constant([-1, 3])], ml=False)
    joined = graph.add("Concat", NUMBERS, ml=False, axis=1)
    imputed = graph.add("Imputer", [joined], imputed_value_floats=fill.tolist(), replaced_value_float=float("nan"))
    scaled = graph.add("Scaler", [imputed], offset=mean.tolist(), scale=by.tolist())
    whole = np.where(np.isnan(data), fill, data)
    whole = ((whole - mean) * by).astype(F)
    one = (x["region"][:, None] == np.array(REGIONS[:3])).astype(F)
    return graph, graph.add("Concat", [hot, scaled], ml=False, axis=1), np.column_stack([one, whole]), fill


def write_pipelines():
    rng = np.random.default_rng(12)
    order = ["region"] + NUMBERS
    x, z = people(rng, ROWS, 0.1)
    y = two(z)
    graph, top, data, fill = name_pipeline(x)
    m = RandomForestClassifier(9, max_depth=4, random_state=2).fit(data, y)
    write("pipeline_forest", graph, classifier(graph, top, *forest(m, m.estimators_), ["no", "yes"]), x, y,
          m.predict(data).astype(object), order)
    graph, top, data, fill = name_pipeline(x)
    m = LogisticRegression().fit(data, y)
    w = np.concatenate([-m.coef_, m.coef_]).astype(F).ravel().tolist()
    made = graph.add("LinearClassifier", [top], 2, coefficients=w, multi_class=1, post_transform="LOGISTIC",
                     intercepts=np.concatenate([-m.intercept_, m.intercept_]).astype(F).tolist(),
                     classlabels_strings=[b"no", b"yes"])
    ends = [(made[0], TensorProto.STRING, [None]), (made[1], TensorProto.FLOAT, [None, 2])]
    fills = {n: float(v) for n, v in zip(NUMBERS, fill)}
    write("pipeline_linear", graph, ends, x, y, m.predict(data).astype(object), order, {"fill": fills})
    # categories as codes of their own, put into an order by names
    x, z = people(rng, ROWS)
    y = three(z)
    codes = {r: k for k, r in enumerate(["south", "east", "west", "north"])}
    graph = Graph([("region", TensorProto.STRING, 1), ("age", TensorProto.INT64, 1), ("income", TensorProto.FLOAT, 1)])
    code = graph.add("LabelEncoder", ["region"], keys_strings=[k.encode() for k in codes], values_int64s=list(codes.values()))
    joined = graph.add("Concat", [code, "age"], ml=False, axis=1)
    joined = graph.add("Cast", [joined], ml=False, to=TensorProto.FLOAT)
    joined = graph.add("Concat", [joined, "income"], ml=False, axis=1)
    data = np.column_stack([[codes[r] for r in x["region"]], x["age"], x["income"]]).astype(F)
    m = GradientBoostingClassifier(n_estimators=5, max_depth=3, random_state=3).fit(data, y)
    write("pipeline_ordinal", graph, classifier(graph, joined, *boosted(m), ["high", "low", "middle"]), x, y,
          m.predict(data).astype(object), ["region", "age", "income"])
    # one matrix of numbers, of which one column is a category
    x, z = people(rng, ROWS)
    y = two(z)
    x["region"] = np.array([10.0, 20.0, 30.0, 40.0])[[REGIONS.index(r) for r in x["region"]]]
    order = ["age", "region", "income"]
    graph = Graph([("X", TensorProto.FLOAT, 3)])
    hot = graph.add("ArrayFeatureExtractor", ["X", graph.constant([1])])
    hot = graph.add("Cast", [hot], ml=False, to=TensorProto.INT64)
    hot = graph.add("OneHotEncoder", [hot], cats_int64s=[40, 10, 20, 30], zeros=0)
    hot = graph.add("Reshape", [hot, graph.constant([-1, 4])], ml=False)
    rest = graph.add("Gather", ["X", graph.constant([0, 2])], ml=False, axis=1)
    top = graph.add("Concat", [rest, hot], ml=False, axis=1)
    one = (x["region"][:, None] == np.array([40, 10, 20, 30])).astype(F)
    data = np.column_stack([x["age"].astype(F), x["income"].astype(F), one])
    m = ExtraTreesClassifier(7, max_depth=4, random_state=4).fit(data, y)
    write("pipeline_matrix", graph, classifier(graph, top, *forest(m, m.estimators_), ["no", "yes"]), x, y,
          m.predict(data).astype(object), order, {"region": [10, 20, 30, 40]})


# ---------------------------------------------------------------- what is refused


def stump(mode="BRANCH_LEQ", low=0.25, high=0.75, cls=(0,)):
    lists = Lists()
    lists.node(0, 0, mode, 0, 1800.0, 1, 2)
    for node, w in ((1, low), (2, high)):
        lists.node(0, node, "LEAF")
        for c in cls:
            lists.weight(0, node, c, w)
    return lists


def refused(name, build, lists=None, more=None, classes=("no", "yes")):
    """A file over the columns of people; `build` makes what the ensemble reads of them."""
    graph = Graph([("region", TensorProto.STRING, 1)] + [(n, TensorProto.FLOAT, 1) for n in NUMBERS])
    top = build(graph)
    ends = [(top, TensorProto.FLOAT, [None, 1])]
    if lists:
        ends = classifier(graph, top, lists, dict({"post_transform": "NONE"}, **(more or {})), classes)
    graph.save(os.path.join("refused", name), ends)


def write_refused():
    os.makedirs(os.path.join(OUT, "refused"), exist_ok=True)
    income = lambda graph: "income"
    text = lambda graph: "region"

    def op(name, inputs, ml=True, **attributes):
        return lambda graph: graph.add(name, inputs, ml=ml, **attributes)

    def linear(first):
        return lambda graph: graph.add("LinearClassifier", [first(graph)], 2, coefficients=[-1.0, 1.0], multi_class=1,
                                       intercepts=[0.0, 0.0], classlabels_strings=[b"no", b"yes"])[0]

    impute = op("Imputer", ["income"], imputed_value_floats=[1.0], replaced_value_float=float("nan"))
    refused("probit", income, stump(), dict(post_transform="PROBIT"))
    refused("logistic_positive", income, stump(), dict(post_transform="LOGISTIC"))
    refused("none_negative", income, stump(low=-1.0))
    refused("both_weights", income, stump(cls=(0, 1)))
    refused("two_base_values", income, stump(), dict(base_values=[0.0, 0.5]))
    refused("unknown_mode", income, stump(mode="BRANCH_MEMBER"))
    refused("no_weight", income, stump(), classes=("high", "low", "middle"))
    refused("text", text, stump())
    refused("normalizer", op("Normalizer", ["income"], norm="L2"), stump())
    refused("encoder_of_numbers", op("OneHotEncoder", ["age"], cats_int64s=[20, 30]), stump())
    refused("strict_encoder", op("OneHotEncoder", ["region"], cats_strings=[b"east", b"west"], zeros=0), stump())
    refused("imputer_of_numbers", op("Imputer", ["income"], imputed_value_floats=[1.0], replaced_value_float=-1.0), stump())
    refused("mixed", op("Add", ["income", "debt"], ml=False), stump())
    refused("tanh", op("Tanh", ["income"], ml=False), stump())
    refused("imputer_of_a_linear_model", linear(impute))


def main():
    os.makedirs(OUT, exist_ok=True)
    write_plain_models()
    rng = np.random.default_rng(13)
    write_modes("modes_two", rng, ["no", "yes"], MODES)
    write_modes("modes_three", rng, ["high", "low", "middle"], MODES, trees=6, depth=3)
    write_modes("modes_doubles", rng, ["no", "yes"], MODES, TensorProto.DOUBLE)
    write_modes("modes_scaled", rng, ["no", "yes"], MODES, scale=True)
    write_pipelines()
    if len(sys.argv) < 2:
        write_refused()
    for k in range(int(sys.argv[2]) if len(sys.argv) > 3 else 0):
        n, kind = k % 2 + 2, TensorProto.DOUBLE if k % 5 == 4 else TensorProto.FLOAT
        write_modes("random_%d" % k, rng, ["no", "yes"] if n == 2 else ["high", "low", "middle"],
                    MODES if k % 3 else MODES[:4], kind, 4 + k % 20, 2 + k % 4, int(sys.argv[3]), k % 5 == 1)
    with open(os.path.join(OUT, "models.txt"), "w") as f:
        f.write("\n".join(done) + "\n")


main()
