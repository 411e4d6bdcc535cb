#!/bin/sh
# Fits every schema of datasets/ to its data: fit_datasets.sh TACIT
#
# The data files are not part of the project.  They are looked for in the folder TACIT_DATA, by default ../shared/data
# beside the source tree, as NAME/FILE (bank/bank-full.csv).  What is missing is said; the exit code is then 77.
set -u
tacit=$1
top=$(cd "$(dirname "$0")/../.." && pwd)
data=${TACIT_DATA:-$top/../shared/data}
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
missing=0
failures=0

complain() { # NAME TEXT
    printf 'FAILED %s: %s\n' "$1" "$2"
    failures=$((failures + 1))
}

tell() { # KEY FILE: the value of the first such key of a JSON file
    sed -n "s/,\$//; s/^ *\"$1\": //p" "$2" | head -n 1 | tr -d '"'
}

count() { # KEY FILE: the same for a number; attributes have texts by the names of counts
    sed -n "s/,\$//; s/^ *\"$1\": \([0-9][0-9]*\)\$/\1/p" "$2" | head -n 1
}

check_count() { # NAME KEY WANTED
    [ "$(count "$2" "$scratch/show.json")" = "$3" ] ||
        complain "$1" "$2 is $(count "$2" "$scratch/show.json"), expected $3"
}

check_is() { # NAME KEY WANTED
    [ "$(tell "$2" "$scratch/show.json")" = "$3" ] ||
        complain "$1" "$2 is $(tell "$2" "$scratch/show.json"), expected $3"
}

check_set() { # NAME INPUTS ROWS MISSING_CELLS LEAST_ACCURACY [OPTIONS]
    name=$1 inputs=$2 rows=$3 cells=$4 accuracy=$5
    shift 5
    schema=$top/datasets/$name.json
    file=$data/$name/$(tell file "$schema")
    if [ ! -r "$file" ]; then
        printf 'skipped: no file %s\n' "$file"
        missing=$((missing + 1))
        return
    fi
    "$tacit" fit "$file" --schema "$schema" --quiet "$@" -o "$scratch/model.tacit" &&
        "$tacit" show "$scratch/model.tacit" --json >"$scratch/show.json" || {
        complain "$name" "no model"
        return
    }
    check_is "$name" inputs "$inputs"
    check_is "$name" data_hash "$(tell sha256 "$schema")"
    check_count "$name" clipped 0
    check_count "$name" missing "$cells"
    trained=$(tell train_rows "$scratch/show.json")
    [ "$((trained + $(tell test_rows "$scratch/show.json")))" = "$rows" ] || complain "$name" "not $rows rows"
    reached=$(tell test_accuracy "$scratch/show.json")
    awk -v reached="$reached" -v least="$accuracy" 'BEGIN { exit !(reached >= least) }' ||
        complain "$name" "accuracy $reached, expected $accuracy and more"
    printf '%s %s: accuracy %s\n' "$name" "$*" "$reached"
}

check_set bank 16 45211 0 0.89
check_set bank 16 45211 0 0.87 --model mlp --epochs 3
check_set adult 40 32561 4262 0.84
check_set credit 23 30000 0 0.80
check_set insurance 17 10000 1939 0.82
check_set customer 9 8068 1582 0.47
check_set fetal 21 2126 0 0.87

[ "$failures" -eq 0 ] || exit 1
[ "$missing" -eq 0 ] || exit 77
