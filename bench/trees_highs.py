"""The same questions to HiGHS: is the label of an ensemble the same for all completions?

    bench_trees MODEL.tacit PEOPLE.csv UNKNOWN PEOPLE FILE
    /usr/bin/python3 bench/trees_highs.py MODEL.json FILE [--sample N] [--limit SECONDS] [--all]

FILE has one question a line: verdict, microseconds, boxes, and per feature of the model its value, or * where it is not
known.  Of those that took a bound (--all: of all), N are taken (default 24), half of them certified, half refuted.
The mixed integer program is the usual one (Kantchelian et al. 2016): a variable for every leaf that can be reached, a 0/1
variable for every threshold of an unknown feature, ordered; the leaves left of a split are at most its variable; the score
is on the other side of the cut.  Infeasible: certified.  The label is that of one completion.  Two classes only.  CPU
time of one thread, matrices included; a limit that is reached counts as the limit.
"""
import argparse
import json
import time

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import coo_matrix


class Ensemble:
    def __init__(self, path):
        model = json.load(open(path))["learner"]
        self.trees = model["gradient_booster"]["model"]["trees"]
        base = float(model["learner_model_param"]["base_score"])
        self.base = np.log(base / (1 - base))

    def score(self, x):
        total = self.base
        for t in self.trees:
            n = 0
            while t["left_children"][n] != -1:
                n = self.go(t, n, x[t["split_indices"][n]])
            total += t["split_conditions"][n]
        return total

    @staticmethod
    def go(t, n, value):
        left = t["default_left"][n] if np.isnan(value) else np.float32(value) < np.float32(t["split_conditions"][n])
        return t["left_children"][n] if left else t["right_children"][n]


def conditioned(t, x, known):
    """Leaves that can be reached: value, and the tests of unknown features on the way (feature, threshold, left)."""
    leaves, stack = [], [(0, [])]
    while stack:
        n, path = stack.pop()
        if t["left_children"][n] == -1:
            leaves.append((t["split_conditions"][n], path))
            continue
        f = t["split_indices"][n]
        if known[f]:
            stack.append((Ensemble.go(t, n, x[f]), path))
            continue
        cut, low, high = np.float32(t["split_conditions"][n]), -np.inf, np.inf
        for g, c, left in path:
            if g == f:
                low, high = (low, min(high, c)) if left else (max(low, c), high)
        if cut > low:
            stack.append((t["left_children"][n], path + [(f, cut, True)]))
        if cut < high:
            stack.append((t["right_children"][n], path + [(f, cut, False)]))
    return leaves


def certified(e, x, known, limit):
    label = e.score(np.where(known, x, 0)) > 0
    constant, trees = e.base, []
    for t in e.trees:
        leaves = conditioned(t, x, known)
        if len(leaves) == 1:
            constant += leaves[0][0]
        else:
            trees.append(leaves)
    cuts = sorted({(f, c) for leaves in trees for _, path in leaves for f, c, _ in path})
    at = {cut: i for i, cut in enumerate(cuts)}
    n_leaves = sum(map(len, trees))
    n, row, rows, cols, data, low, high = len(cuts) + n_leaves, 0, [], [], [], [], []

    def add(entries, least, most):
        nonlocal row
        for col, value in entries:
            rows.append(row)
            cols.append(col)
            data.append(value)
        low.append(least)
        high.append(most)
        row += 1

    for (f, a), (g, b) in zip(cuts, cuts[1:]):
        if f == g:
            add([(at[f, a], 1), (at[g, b], -1)], -np.inf, 0)
    first, score = len(cuts), []
    for leaves in trees:
        add([(first + i, 1) for i in range(len(leaves))], 1, 1)
        sides = {}
        for i, (value, path) in enumerate(leaves):
            score.append((first + i, value))
            for depth, (f, c, left) in enumerate(path):
                sides.setdefault((tuple(path[:depth]), f, c, left), []).append(first + i)
        for (_, f, c, left), members in sides.items():
            entries = [(m, 1) for m in members]
            if left:
                add(entries + [(at[f, c], -1)], -np.inf, 0)
            else:
                add(entries + [(at[f, c], 1)], -np.inf, 1)
        first += len(leaves)
    add(score, *((-np.inf, -constant) if label else (-constant, np.inf)))
    matrix = coo_matrix((data, (rows, cols)), (row, n)).tocsr()
    found = milp(np.zeros(n), constraints=LinearConstraint(matrix, low, high), bounds=Bounds(0, 1),
                 integrality=np.r_[np.ones(len(cuts)), np.zeros(n_leaves)], options=dict(time_limit=limit))
    return {0: "refuted", 2: "certified"}.get(found.status, "open")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("questions")
    parser.add_argument("--sample", type=int, default=24)
    parser.add_argument("--limit", type=float, default=20)
    parser.add_argument("--all", action="store_true")
    args = parser.parse_args()
    e = Ensemble(args.model)
    questions = [line.split(",") for line in open(args.questions)]
    rng, taken = np.random.default_rng(1), []
    for verdict in ("certified", "refuted"):
        some = [q for q in questions if q[0] == verdict and (args.all or int(q[2]) > 0)]
        taken += [some[i] for i in rng.permutation(len(some))[:args.sample // 2]]
    ours, theirs, still_open, differ = 0.0, 0.0, 0, 0
    for q in taken:
        known = np.array([v.strip() != "*" for v in q[3:]])
        x = np.array([float(v) if v.strip() not in ("*", "") else np.nan for v in q[3:]])
        start = time.process_time()
        verdict = certified(e, x, known, args.limit)
        theirs += time.process_time() - start
        ours += float(q[1]) / 1e6
        still_open += verdict == "open"
        differ += verdict not in ("open", q[0])
    print("%d questions: HiGHS mean %.2f ms, ours %.4f ms, ratio of means %.0f; open at %g s: %d; other verdict: %d" %
          (len(taken), 1e3 * theirs / len(taken), 1e3 * ours / len(taken), theirs / ours, args.limit, still_open, differ))


main()
