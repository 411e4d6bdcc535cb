#!/bin/bash
# The benches of two builds in one run: is anything slower than before a change?
#
#   bench/bench_before.sh OLD_BUILD NEW_BUILD DATA [ROUNDS]
#
# Each build folder has bench/ and cli/tacit; DATA is the folder of data sets that bench_audit takes.  The builds run in
# turns, ROUNDS times (default 3).  A line is one figure that both print, the best of its rounds, as time per piece of
# work; a ratio above 1: the new build is slower.  Lines of bench_verifier count where both answered all questions.
set -euo pipefail
usage="usage: bench/bench_before.sh OLD_BUILD NEW_BUILD DATA [ROUNDS]"
old=$(realpath "${1:?$usage}")
new=$(realpath "${2:?$usage}")
data=$(realpath "${3:?$usage}")
rounds=${4:-3}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# What a bench printed -> lines "figure <tab> time".
audit='/rule, .*mean over/ { split($0, head, ","); part = head[1] }
    /^  audit, .*people\/s/ { split($0, words, "  +"); print bench ": " part ", " words[2] "\t" 1e6 / $(NF - 3) }'
report='/^  (read|split|encode|decide)/ { name = $0; sub(/ +[0-9.]+$/, "", name); sub(/^ +/, "", name); print bench ": " name "\t" $NF / 1000 }'
verifier='/^ +[0-9]+ / && /of [0-9]+$/ { print bench ": 10-10 against grid, " $1 " unknown\t" $7 }
    /^ *[0-9]+-[0-9]+ / && $3 == 1000 { print bench ": " $1 ", " $2 " unknown, median\t" $8 }'
serve='/server thread/ { part = ++n } /^  (bare reply|step) / { print bench ": " (/bare/ ? "bare reply" : "step") ", block " part "\t" $(NF - 2) }'

run() { # NAME FILTER BUILD COMMAND...
    local name=$1 filter=$2 build=$3
    shift 3
    "$@" 2>/dev/null | awk -v bench="$name" "$filter" >>"$folder/$build" || true
}
for ((round = 0; round < rounds; round++)); do
    for build in old new; do
        at=${!build}
        run audit "$audit" $build "$at/bench/bench_audit" "$data" --draws 1
        run network "$audit" $build "$at/bench/bench_network" "$data" --draws 1 --epochs 3
        run report "$report" $build "$at/bench/bench_report" "$data" --rows 200000 --rounds 2
        run verifier "$verifier" $build "$at/bench/bench_verifier" 2
        run serve "$serve" $build "$at/bench/bench_serve" "$at/cli/tacit" --part steps --steps 20000
    done
done
printf '%-52s %12s %12s %8s\n' "figure (microseconds each)" old new ratio
awk -F '\t' 'FNR == 1 { file++ }
    file == 1 { if (!($1 in old)) order[++n] = $1; if (!($1 in old) || $2 < old[$1]) old[$1] = $2 + 0 }
    file == 2 { if (!($1 in new) || $2 < new[$1]) new[$1] = $2 + 0 }
    END { for (i = 1; i <= n; i++) if (order[i] in new && old[order[i]] > 0)
              printf "%-52s %12.3f %12.3f %8.3f\n", order[i], old[order[i]], new[order[i]], new[order[i]] / old[order[i]] }' \
    "$folder/old" "$folder/new"
