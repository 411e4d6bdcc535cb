#!/bin/sh
# Run the benchmarks of a build folder one after the other.  Seconds depend on the machine and on what else it does.
#
#   tools/bench.sh BUILD_FOLDER [DATA_FOLDER]
#
# DATA_FOLDER holds the public data sets that bench_audit and figures read; without it they say what is missing.
set -eu
folder=${1:?usage: tools/bench.sh BUILD_FOLDER [DATA_FOLDER]}/bench
data=${2:-../shared/data}
failed=0

run() { # PROGRAM ARGUMENTS...
    printf '\n== %s\n' "$*"
    code=0
    "$folder/$@" || code=$?
    if [ "$code" -eq 77 ]; then
        echo "skipped: no data sets in $data (see the top of bench/$1.c)"
    elif [ "$code" -ne 0 ]; then
        failed=1
    fi
}

run bench_csv
run bench_audit "$data"
run bench_report "$data"
run bench_growth
run figures "$data"
run bench_verifier
run bench_certify "$data"
run bench_network "$data"
run bench_netgrowth "$data"
run figures_network "$data"
run bench_serve "$folder/../cli/tacit"
run bench_literal "$data" --schemas "$(dirname "$0")/../datasets"
exit "$failed"
