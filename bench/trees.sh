#!/bin/sh
# Speed of decisions about trees: ours, HiGHS on the same questions, an audit beside XGBoost's own predict.
#
#   bench/trees.sh BUILD FOLDER [SET ...]
#
# BUILD: a build with TACIT_BENCH (build/release); FOLDER: what bench/trees_models.py made.  SET: bank unless named.  One
# thread, CPU time.  SHAPES: other shapes than all.  HiGHS gets 24 questions a model that took a bound, and 24 of all,
# 20 s each (LIMIT), 50x3, 100x4 and 300x6 only.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$1 folder=$2
shift 2
python=${PYTHON:-/usr/bin/python3}
for set in "${@:-bank}"; do
    for shape in ${SHAPES:-50x3 100x4 300x6 1000x6 forest}; do
        model=$folder/$set-$shape
        [ -f "$model.json" ] || continue
        "$build/cli/tacit" import "$model.json" --data "$folder/$set-train.csv" --label label -o "$model.tacit" >/dev/null
        for unknown in 5 7 10 15; do
            people=150
            [ $shape = 1000x6 ] || [ $shape = forest ] && people=60
            echo "== $set $shape, $unknown unknown"
            "$build/bench/bench_trees" "$model.tacit" "$folder/$set-test.csv" $unknown $people "$model-$unknown.txt" |
                grep -E 'trees,|decide|boxes|undecided  '
        done
        case $shape in
        50x3 | 100x4 | 300x6)
            echo "== $set $shape, 7 unknown, HiGHS"
            for which in "" --all; do
                "$python" "$here/trees_highs.py" "$model.json" "$model-7.txt" --limit "${LIMIT:-20}" $which
            done
            ;;
        esac
    done
    if [ $set = bank ] && [ -f "$folder/bank-100x4.tacit" ]; then
        echo "== audit of bank, 100x4, |S| = 7, delta = 0, beside XGBoost's predict"
        head -2001 "$folder/bank-test.csv" >"$folder/bank-2000.csv"
        "$python" "$here/trees_audit.py" "$build/cli/tacit" "$folder"
    fi
done
