"""Fixtures for importing ONNX files: people, schemas, networks, and the label that each network gives to each person.

    /usr/bin/python3 make_onnx.py [FOLDER_WITH_NODE_MODULES]

writes everything in onnx/ beside this file.  It needs numpy, scikit-learn, onnx and torch (Debian: python3-sklearn,
python3-onnx, python3-torch).

Who makes the files.  torch_*.onnx come out of torch.onnx.export.  Nothing that exports from scikit-learn is packaged
for Debian, so the graphs of sklearn_*.onnx are put together here with onnx.helper the way skl2onnx lays them out (node
types, their order, their attributes, coefficient rows [-w, w] for two classes, [1 - p, p] by Sub and Concat), around
weights that scikit-learn trained.

Who judges.  Labels are those of onnxruntime, called by run_onnx.js; get it with

    npm install --ignore-scripts onnxruntime-node        (the script would fetch GPU libraries)

and give the folder that then holds node_modules.  scikit-learn's or torch's own predictions, in double precision, must
agree on every row; without the folder they alone are the judge, and the script says so.
"""
import csv
import json
import os
import subprocess
import sys
import warnings

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from sklearn.linear_model import LogisticRegression
from sklearn.neural_network import MLPClassifier
from sklearn.preprocessing import StandardScaler

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.join(HERE, "onnx")
NODE = sys.argv[1] if len(sys.argv) > 1 else None
ROWS = 400
REGIONS = ["east", "north", "south"]
GRADES = ["low", "middle", "high"]
warnings.filterwarnings("ignore")


# ---------------------------------------------------------------- people


def make_people():
    rng = np.random.default_rng(7)
    age = rng.integers(18, 80, ROWS)
    income = np.round(np.exp(rng.normal(7.6, 0.5, ROWS)), 2)
    debt = np.round(income * rng.uniform(0, 0.9, ROWS), 2)
    region = rng.integers(0, len(REGIONS), ROWS)
    grade = np.clip((income > 1900).astype(int) + rng.integers(0, 2, ROWS), 0, 2)
    score = (age - 48) / 20 + 2 * (np.log(income) - 7.6) - 4 * (debt / income - 0.45) * (1 + (region == 1))
    score += 0.7 * (grade - 1) * (region != 2) + rng.normal(0, 0.4, ROWS)
    outcome = np.where(score > 0, "yes", "no")
    tier = np.array(["basic", "gold", "plus"])[np.digitize(score, [-1.0, 1.2])]
    people = {"age": age, "income": income, "debt": debt, "region": region, "grade": grade}
    return people, outcome, tier


def raw_inputs(people, names):
    """What a network reads, in the order of the schema: numbers as they are, levels as indices, regions as 0 and 1."""
    columns = []
    for name in names:
        if name == "region":
            columns += [(people[name] == k).astype(float) for k in range(len(REGIONS))]
        else:
            columns.append(people[name].astype(float))
    return np.column_stack(columns)


def write_people(people, outcome, tier):
    with open(os.path.join(OUT, "people.csv"), "w", newline="") as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow(list(people) + ["outcome", "tier"])
        for r in range(ROWS):
            cells = [people["age"][r], people["income"][r], people["debt"][r], REGIONS[people["region"][r]]]
            out.writerow(cells + [GRADES[people["grade"][r]], outcome[r], tier[r]])


def write_schema(file, people, names, label, classes):
    kinds = {"age": "integer", "income": "number", "debt": "number", "region": "onehot", "grade": "ordinal"}
    attributes = []
    for name in names:
        kind = kinds[name]
        if kind in ("onehot", "ordinal"):
            levels = REGIONS if name == "region" else GRADES
            attributes.append({"name": name, "type": "category", "encoding": kind, "levels": levels})
        else:
            low, high = people[name].min(), people[name].max()
            attributes.append({"name": name, "type": kind, "min": low.item(), "max": high.item()})
    schema = {"format": "tacit-schema", "version": 1, "label": {"name": label, "classes": classes}}
    schema["attributes"] = attributes
    with open(os.path.join(OUT, file), "w") as f:
        json.dump(schema, f, indent=1)
        f.write("\n")


# ---------------------------------------------------------------- graphs as skl2onnx lays them out


class Graph:
    def __init__(self, width, kind=TensorProto.FLOAT):
        self.nodes, self.constants, self.outputs = [], [], []
        self.inputs = [helper.make_tensor_value_info("X", kind, [None, width])]

    def constant(self, name, array, raw=False):
        array = np.asarray(array)
        if raw:
            self.constants.append(numpy_helper.from_array(array, name))
        elif array.dtype.kind in "US":
            self.constants.append(helper.make_tensor(name, TensorProto.STRING, array.shape, [s.encode() for s in array]))
        else:
            kind = helper.np_dtype_to_tensor_dtype(array.dtype) if hasattr(helper, "np_dtype_to_tensor_dtype") else \
                onnx.mapping.NP_TYPE_TO_TENSOR_TYPE[array.dtype]
            self.constants.append(helper.make_tensor(name, kind, array.shape, array.ravel().tolist()))
        return name

    def node(self, op, inputs, outputs, domain="", **attributes):
        self.nodes.append(helper.make_node(op, inputs, outputs, domain=domain, name=op + str(len(self.nodes)), **attributes))
        return outputs[0]

    def ml(self, op, inputs, outputs, **attributes):
        return self.node(op, inputs, outputs, domain="ai.onnx.ml", **attributes)

    def output(self, name, kind, shape):
        self.outputs.append(helper.make_tensor_value_info(name, kind, shape))

    def save(self, file):
        graph = helper.make_graph(self.nodes, "from scikit-learn", self.inputs, self.outputs, self.constants)
        sets = [helper.make_opsetid("", 15), helper.make_opsetid("ai.onnx.ml", 1)]
        model = helper.make_model(graph, opset_imports=sets, producer_name="make_onnx.py", ir_version=8)
        onnx.save(model, os.path.join(OUT, file))


def add_scaler(graph, scaler, name="X"):
    return graph.ml("Scaler", [name], ["scaled"], offset=scaler.mean_.astype(np.float32).tolist(),
                    scale=(1 / scaler.scale_).astype(np.float32).tolist())


def add_zipmap(graph, name, classes):
    graph.ml("ZipMap", [name], ["output_probability"], classlabels_strings=[str(c) for c in classes])
    maps = onnx.TypeProto()  # a sequence of maps from class to probability
    of = maps.sequence_type.elem_type.map_type
    of.key_type = TensorProto.STRING
    of.value_type.tensor_type.elem_type = TensorProto.FLOAT
    graph.outputs.append(helper.make_value_info("output_probability", maps))


def add_linear(graph, model, name):
    coefficients, intercepts = model.coef_, model.intercept_
    if len(model.classes_) == 2:
        coefficients, intercepts = np.vstack([-coefficients, coefficients]), np.concatenate([-intercepts, intercepts])
    graph.ml("LinearClassifier", [name], ["output_label", "probability_tensor"],
             classlabels_strings=[str(c) for c in model.classes_], coefficients=coefficients.ravel().tolist(),
             intercepts=intercepts.tolist(), multi_class=1,
             post_transform="LOGISTIC" if len(model.classes_) == 2 else "SOFTMAX")
    graph.output("output_label", TensorProto.STRING, [None])
    graph.ml("Normalizer", ["probability_tensor"], ["probabilities"], norm="L1")
    add_zipmap(graph, "probabilities", model.classes_)


def add_mlp(graph, model, name, zipmap):
    at = graph.node("Cast", [name], ["cast_input"], to=TensorProto.FLOAT)
    n = len(model.coefs_)
    for i, (w, b) in enumerate(zip(model.coefs_, model.intercepts_)):
        graph.constant(f"coefficient{i}", w.astype(np.float32))
        graph.constant(f"intercepts{i}", b.astype(np.float32).reshape(1, -1))
        at = graph.node("MatMul", [at, f"coefficient{i}"], [f"mul_result{i}"])
        at = graph.node("Add", [at, f"intercepts{i}"], [f"add_result{i}"])
        if i + 1 < n:
            at = graph.node("Relu", [at], [f"next_activations{i}"])
    if model.out_activation_ == "logistic":
        at = graph.node("Sigmoid", [at], ["out_activations_result"])
        graph.constant("unity", np.array([1], dtype=np.float32))
        graph.node("Sub", ["unity", at], ["negative_class_proba"])
        graph.node("Concat", ["negative_class_proba", at], ["probabilities"], axis=1)
    else:
        graph.node("Softmax", [at], ["probabilities"], axis=1)
    graph.constant("classes", model.classes_)
    graph.node("ArgMax", ["probabilities"], ["argmax_output"], axis=1)
    graph.ml("ArrayFeatureExtractor", ["classes", "argmax_output"], ["array_feature_extractor_result"])
    graph.constant("shape_tensor", np.array([-1], dtype=np.int64))
    graph.node("Reshape", ["array_feature_extractor_result", "shape_tensor"], ["output_label"])
    graph.output("output_label", TensorProto.STRING, [None])
    if zipmap:
        add_zipmap(graph, "probabilities", model.classes_)
    else:
        graph.output("probabilities", TensorProto.FLOAT, [None, len(model.classes_)])


# ---------------------------------------------------------------- networks of torch


class Standardised(torch.nn.Module):
    """Scaling in front, as buffers; then any layers."""

    def __init__(self, x, layers):
        super().__init__()
        self.register_buffer("mean", torch.tensor(x.mean(0), dtype=torch.float32))
        self.register_buffer("deviation", torch.tensor(x.std(0), dtype=torch.float32))
        self.layers = layers

    def forward(self, x):
        return self.layers((x - self.mean) / self.deviation)


def train_torch(module, x, y, binary):
    target = torch.tensor(y, dtype=torch.float32 if binary else torch.long)
    loss = torch.nn.BCEWithLogitsLoss() if binary else torch.nn.CrossEntropyLoss()
    steps = torch.optim.Adam(module.parameters(), lr=0.02)
    inputs = torch.tensor(x, dtype=torch.float32)
    for _ in range(300):
        steps.zero_grad()
        scores = module(inputs)
        loss(scores[:, 0] if binary else scores, target).backward()
        steps.step()
    return module.eval()


def save_torch(file, module, width, batch=1, fixed=False):
    axes = None if fixed else {"x": {0: "people"}, "y": {0: "people"}}
    torch.onnx.export(module, torch.zeros(batch, width), os.path.join(OUT, file), input_names=["x"], output_names=["y"],
                      dynamic_axes=axes, opset_version=13)


# ---------------------------------------------------------------- labels


def judge(file, output, x, classes):
    """onnxruntime's label of every row: names as they come, else of the largest score, or of the score's side."""
    if not NODE:
        return None
    rows = os.path.join(OUT, "rows.tmp")
    x.astype(np.float32).tofile(rows)
    environment = dict(os.environ, NODE_PATH=os.path.join(NODE, "node_modules"))
    told = subprocess.run(["node", os.path.join(HERE, "run_onnx.js"), os.path.join(OUT, file), output, rows, str(x.shape[1])],
                          env=environment, check=True, capture_output=True, text=True).stdout
    os.remove(rows)
    values = json.loads(told)
    if isinstance(values[0], str):
        return values
    if isinstance(values[0], list) and len(values[0]) == 1:
        half = 0.5 if output.endswith("probability") else 0.0
        return [classes[int(v[0] >= half)] for v in values]
    return [classes[int(np.argmax(v))] for v in values]


def conclude(file, schema, output, x, classes, scores):
    """`scores`: the exporter's, in double precision: one column for two classes or one per class."""
    scores = np.asarray(scores, dtype=float).reshape(len(x), -1)
    if scores.shape[1] == 1:
        own, margin = scores[:, 0] >= 0, np.abs(scores[:, 0])
    else:
        own, ranked = scores.argmax(1), np.sort(scores, axis=1)
        margin = ranked[:, -1] - ranked[:, -2]
    own = [classes[int(k)] for k in own]
    assert margin.min() > 1e-4, f"{file}: somebody sits on the fence ({margin.min():.2g}); change the seed"
    labels = judge(file, output, x, classes)
    if labels is None:
        print(f"{file}: no onnxruntime, labels are the exporter's own")
        labels = own
    else:
        different = sum(a != b for a, b in zip(labels, own))
        assert different == 0, f"{file}: onnxruntime and the exporter differ for {different} people"
        print(f"{file}: onnxruntime {ROWS} of {ROWS} as the exporter, "
              + ", ".join(f"{labels.count(c)} {c}" for c in classes))
    with open(os.path.join(OUT, file.replace(".onnx", ".labels")), "w") as f:
        f.write(schema + "\n" + "\n".join(labels) + "\n")


def torch_scores(layers_with_scaling, x):
    with torch.no_grad():
        return layers_with_scaling.double()(torch.tensor(x)).numpy()


def mlp_scores(model, x):
    for i, (w, b) in enumerate(zip(model.coefs_, model.intercepts_)):
        x = x @ w + b
        if i + 1 < len(model.coefs_):
            x = np.maximum(x, 0)
    return x


# ---------------------------------------------------------------- all of them


def make_sklearn(people, outcome, tier):
    everything = ["age", "income", "debt", "region", "grade"]
    numbers = ["age", "income", "debt"]
    x, few = raw_inputs(people, everything), raw_inputs(people, numbers)

    model = LogisticRegression(max_iter=10000).fit(few, outcome)  # raw inputs, nothing in front
    graph = Graph(few.shape[1])
    add_linear(graph, model, "X")
    graph.save("sklearn_logistic_binary.onnx")
    conclude("sklearn_logistic_binary.onnx", "outcome_numbers.json", "output_label", few, model.classes_,
             model.decision_function(few))

    scaler = StandardScaler().fit(x)  # a pipeline
    model = LogisticRegression(max_iter=10000).fit(scaler.transform(x), tier)
    graph = Graph(x.shape[1])
    add_linear(graph, model, add_scaler(graph, scaler))
    graph.save("sklearn_scaled_logistic_three.onnx")
    conclude("sklearn_scaled_logistic_three.onnx", "tier.json", "output_label", x, model.classes_,
             model.decision_function(scaler.transform(x)))

    for name, labels, schema, hidden in [("binary", outcome, "outcome.json", (8, 6)), ("three", tier, "tier.json", (10,))]:
        model = MLPClassifier(hidden, max_iter=2000, random_state=3, learning_rate_init=0.01).fit(scaler.transform(x), labels)
        graph = Graph(x.shape[1])
        add_mlp(graph, model, add_scaler(graph, scaler), zipmap=name == "binary")
        file = f"sklearn_scaled_mlp_{name}.onnx"
        graph.save(file)
        conclude(file, schema, "output_label", x, model.classes_, mlp_scores(model, scaler.transform(x)))


def make_torch(people, outcome, tier):
    x = raw_inputs(people, ["age", "income", "debt", "region", "grade"])
    tiers, outcomes = sorted(set(tier)), ["no", "yes"]
    which, yes = np.searchsorted(tiers, tier), (outcome == "yes").astype(int)
    d = x.shape[1]
    nn = torch.nn

    def layers(*sizes):
        parts = []
        for a, b in zip(sizes, sizes[1:]):
            parts += [nn.Linear(a, b), nn.ReLU()]
        return parts[:-1]

    torch.manual_seed(5)
    net = train_torch(Standardised(x, nn.Sequential(*layers(d, 10, 10, 3))), x, which, False)
    save_torch("torch_mlp_three_logits.onnx", net, d)
    conclude("torch_mlp_three_logits.onnx", "tier.json", "y", x, tiers, torch_scores(net, x))

    net = train_torch(Standardised(x, nn.Sequential(*layers(d, 12, 2))), x, yes, False)
    whole = nn.Sequential(net, nn.Softmax(dim=1))
    save_torch("torch_mlp_binary_softmax.onnx", whole, d)
    conclude("torch_mlp_binary_softmax.onnx", "outcome.json", "y", x, outcomes, torch_scores(net, x))

    net = train_torch(Standardised(x, nn.Sequential(*layers(d, 9, 5, 1))), x, yes, True)
    whole = nn.Sequential(net, nn.Sigmoid())
    save_torch("torch_mlp_binary_sigmoid.onnx", whole, d)
    conclude("torch_mlp_binary_sigmoid.onnx", "outcome.json", "y:probability", x, outcomes, torch_scores(net, x))

    net = train_torch(Standardised(x, nn.Sequential(nn.Flatten(), *layers(d, 8, 8, 8, 3))), x, which, False)
    whole = nn.Sequential(net, nn.LogSoftmax(dim=-1))
    save_torch("torch_mlp_three_log_softmax.onnx", whole, d, batch=1, fixed=True)
    conclude("torch_mlp_three_log_softmax.onnx", "tier.json", "y", x, tiers, torch_scores(net, x))

    net = train_torch(Standardised(x, nn.Sequential(nn.Linear(d, 1))), x, yes, True)  # no hidden layer
    save_torch("torch_linear_binary_logit.onnx", net, d)
    conclude("torch_linear_binary_logit.onnx", "outcome.json", "y", x, outcomes, torch_scores(net, x))


def main():
    os.makedirs(OUT, exist_ok=True)
    people, outcome, tier = make_people()
    everything = ["age", "income", "debt", "region", "grade"]
    write_people(people, outcome, tier)
    write_schema("outcome.json", people, everything, "outcome", ["no", "yes"])
    write_schema("outcome_numbers.json", people, everything[:3], "outcome", ["no", "yes"])
    write_schema("tier.json", people, everything, "tier", ["basic", "gold", "plus"])
    make_sklearn(people, outcome, tier)
    make_torch(people, outcome, tier)


main()
