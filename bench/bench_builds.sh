#!/bin/bash
# Two builds of Tacit side by side in one run: what audits cost before and after a change.
#
#   bench/bench_builds.sh OLD_TACIT NEW_TACIT [ROWS] [ROUNDS]
#
# The people of the built-in sample, repeated until there are ROWS of them (default a million), go through an audit
# with five deltas by each build, in turns, with a model that the build has trained itself.  Each time is the best of
# ROUNDS (default 7), in processor time of one thread, so other work on the machine matters little.  A ratio above 1:
# the new build is slower.
set -euo pipefail
usage="usage: bench/bench_builds.sh OLD_TACIT NEW_TACIT [ROWS] [ROUNDS]"
old=$(realpath "${1:?$usage}")
new=$(realpath "${2:?$usage}")
rows=${3:-1000000}
rounds=${4:-7}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
"$old" demo --keep sample >/dev/null 2>&1
people=sample/loans.csv
repeat() { # ROWS FILE
    awk -v n="$1" 'NR == 1 { print; next } { row[NR - 2] = $0 } END { for (i = 0; i < n; i++) print row[i % (NR - 1)] }' \
        "$people" >"$2"
}
repeat "$rows" many.csv
repeat $((rows / 250 + 200)) few.csv
for build in old new; do
    program=${!build}
    # Sensitive throughout but for three; the network's settings are named, so that both builds train the same way.
    "$program" fit "$people" --label outcome --public region,loan_amount,loan_term --quiet -o $build-linear.tacit
    "$program" fit "$people" --label outcome --public region,loan_amount,loan_term --quiet --encode ordinal -o $build-ordinal.tacit
    "$program" fit "$people" --label outcome --public region,loan_amount,loan_term --quiet --model mlp --hidden 10,10 \
        --adam --rate 0.001 --batch 32 --epochs 30 -o $build-network.tacit
done

# Processor seconds of one audit.
cost() { # PROGRAM ARGUMENTS...
    local TIMEFORMAT='%U %S'
    { time "$@" >/dev/null 2>&1; } 2>&1 | awk '{ print $1 + $2 }'
}

printf '%-34s %10s %10s %8s\n' "audit, one thread" "old (s)" "new (s)" "ratio"
compare() { # TITLE MODEL FILE OPTIONS...
    local title=$1 model=$2 file=$3 best_old=1e9 best_new=1e9 now
    shift 3
    for ((round = 0; round < rounds; round++)); do
        for build in old new; do
            now=$(cost "${!build}" audit "$build-$model.tacit" "$file" --delta 0,0.05,0.1,0.2,0.3 --threads 1 --quiet "$@")
            if [ $build = old ]; then
                best_old=$(echo "$best_old $now" | awk '{ print $1 < $2 ? $1 : $2 }')
            else
                best_new=$(echo "$best_new $now" | awk '{ print $1 < $2 ? $1 : $2 }')
            fi
        done
    done
    echo "$best_old $best_new" | awk -v title="$title" '{ printf "%-34s %10.3f %10.3f %8.3f\n", title, $1, $2, $2 / $1 }'
}

compare "linear, one-hot, JSON" linear many.csv --json out.json
compare "linear, ordinal codes, JSON" ordinal many.csv --json out.json
compare "linear, one-hot, page" linear many.csv --report out.html
compare "linear, one-hot, by region" linear many.csv --group region --json out.json
compare "network 10-10" network few.csv --json out.json
