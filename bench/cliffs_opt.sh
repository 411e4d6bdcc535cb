#!/bin/bash
# Smallest sets (Opt) of networks, with two builds in one run: by number of attributes, and of many people.
#
#   bench/cliffs_opt.sh OLD_TACIT NEW_TACIT
#
# Made-up people, seeded; networks trained by the new build.  Times are processor seconds of an audit with one thread at
# delta = 0 with smallest sets, less those of the same audit without.  A build that takes more than LIMIT seconds (default
# 60) for three people is stopped.  Beside it what the new build found: the mean between "at least" and "at most", and for
# how many people these differ; of many people the mean, its standard error, and that of everybody.
set -euo pipefail
usage="usage: bench/cliffs_opt.sh OLD_TACIT NEW_TACIT"
old=$(realpath "${1:?$usage}")
new=$(realpath "${2:?$usage}")
limit=${LIMIT:-60}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

people() { # ATTRIBUTES ROWS: numbers, a few of which count for much
    awk -v n="$1" -v rows="$2" '
        function normal() { return sqrt(-2 * log(1 - rand())) * cos(6.283185307179586 * rand()) }
        BEGIN {
            srand(11)
            for (i = 0; i < n; i++) { w[i] = normal() / (1 + i / 3); printf "a%02d,", i }
            print "label"
            for (r = 0; r < rows; r++) {
                score = 0.3 * normal()
                for (i = 0; i < n; i++) { x = normal(); score += w[i] * (x + 0.3 * x * x - 0.3); printf "%.3f,", x }
                print (score > 0 ? "yes" : "no")
            }
        }'
}
cost() { # PROGRAM FILE OPTIONS...: processor seconds of an audit
    local TIMEFORMAT='%U %S' build=$1 file=$2
    shift 2
    { time timeout "$limit" "$build" audit model.tacit "$file" --delta 0 --no-indispensable --threads 1 --min-people 1 \
        --quiet "$@" >/dev/null 2>&1; } 2>&1 | awk '{ print $1 + $2 }'
}
opt() { # KEY: of the audit written last
    sed -n '/"opt": {/,/}/ { s/,$//; s/^ *"'"$1"'": //p }' audit.json
}

printf '%-44s %12s %12s %9s  %s\n' "Opt of networks, s per person" old new ratio "mean, people between"
for n in 23 36 60; do
    people $n 3000 >all.csv
    head -4 all.csv >few.csv
    "$new" fit all.csv --label label --model mlp --hidden 10,10 --epochs 5 --l2 1 --quiet -o model.tacit
    each=
    for build in old new; do
        rm -f audit.json
        with=$(cost "${!build}" few.csv --json audit.json)
        if [ ! -s audit.json ]; then
            each+=" >$((limit / 3))"
            continue
        fi
        each+=" $(echo "$with $(cost "${!build}" few.csv --no-opt)" | awk '{ printf "%.4f", ($1 - $2) / 3 }')"
    done
    found="$(opt mean_least) $(opt mean_asked) $(opt inexact)"
    echo "$each $found" | awk -v n=$n '{
        ratio = $1 ~ />/ || $2 ~ />/ ? "-" : sprintf("%.1f", $1 / ($2 > 0 ? $2 : 0.0001))
        printf "%-44s %12s %12s %9s  %.2f to %.2f, %d of 3\n", "|S| = " n, $1, $2, ratio, $3, $4, $5 }'
done

printf '\n%-44s %12s %12s %9s  %s\n' "Opt of many people, s" old new ratio "mean (error), everybody's"
limit=300
people 6 16000 >all.csv
head -3001 all.csv >some.csv
"$new" fit some.csv --label label --model mlp --hidden 20,20 --epochs 5 --l2 1 --quiet -o model.tacit
for rows in 4000 16000; do
    head -$((rows + 1)) all.csv >few.csv
    before=$(echo "$(cost "$old" few.csv --json audit.json) $(cost "$old" few.csv --no-opt)" | awk '{ print $1 - $2 }')
    everybody=$(opt mean_asked)
    after=$(echo "$(cost "$new" few.csv --json audit.json) $(cost "$new" few.csv --no-opt)" | awk '{ print $1 - $2 }')
    error=$(opt standard_error)
    echo "$before $after $(opt mean_asked) ${error:-0} $everybody" | awk -v n=$rows '{
        printf "%-44s %12.2f %12.2f %9.1f  %.3f (%.3f), %.3f\n", n " people", $1, $2, $1 / $2, $3, $4, $5 }'
done
