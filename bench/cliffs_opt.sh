#!/bin/bash
# Smallest sets (Opt) of networks, with two builds in one run: by number of attributes, and of many people.
#
#   bench/cliffs_opt.sh OLD_TACIT NEW_TACIT
#
# Made-up people, seeded; networks as both builds read them.  Times are processor seconds of an audit with one thread at
# delta = 0 with smallest sets, less those of the same audit without; three people get LIMIT seconds (default 60).  Beside
# them what the new build found: the mean between "at least" and "at most", and for how many people these differ; of many
# people the mean, its standard error, and that of everybody.
set -euo pipefail
. "$(dirname "$0")/cliffs.sh"
begin_builds "usage: bench/cliffs_opt.sh OLD_TACIT NEW_TACIT" "$@"

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
sets() { # TACIT FILE PEOPLE: what their smallest sets take, each; 1: all of them together
    rm -f audit.json
    each "$(audit_cost "$1" model.tacit "$2" --delta 0 --no-indispensable --json audit.json)" \
        "$(audit_cost "$1" model.tacit "$2" --delta 0 --no-indispensable --no-opt)" "$3"
}
opt() { # KEY FORMAT: of the audit written last; "-" where it does not say
    local value=
    [ ! -e audit.json ] || value=$(sed -n '/"opt": {/,/}/ { s/,$//; s/^ *"'"$1"'": //p }' audit.json)
    # shellcheck disable=SC2059 # the format is given
    if [ -n "$value" ]; then printf "$2" "$value"; else echo -; fi
}

head_line "Opt of networks, s per person; found"
for n in 23 36 60; do
    people $n 3000 >all.csv
    head -4 all.csv >few.csv
    fit_model all.csv --label label --model mlp --hidden 10,10 --epochs 5 --l2 1
    line "|S| = $n" "$(sets "$old" few.csv 3)" "$(sets "$new" few.csv 3)" %.4f
    echo "    new: $(opt mean_least %.2f) to $(opt mean_asked %.2f), these differ for $(opt inexact %d) of 3"
done
echo
head_line "Opt of many people, s; mean (error)"
limit=300
people 6 16000 >all.csv
head -3001 all.csv >some.csv
fit_model some.csv --label label --model mlp --hidden 20,20 --epochs 5 --l2 1
for rows in 4000 16000; do
    head -$((rows + 1)) all.csv >few.csv
    before=$(sets "$old" few.csv 1)
    everybody=$(opt mean_asked %.3f)
    line "$rows people" "$before" "$(sets "$new" few.csv 1)" %.2f
    echo "    new: $(opt mean_asked %.3f) ($(opt standard_error %.3f)), everybody: $everybody"
done
