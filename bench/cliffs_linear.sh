#!/bin/bash
# Linear models of sizes at which cost used to jump, with two builds in one run.
#
#   bench/cliffs_linear.sh OLD_TACIT NEW_TACIT [PART]      PART: numbers, categories or rows; default: all
#
# Made-up people, seeded.  Called by bench_cliffs.sh.  Times are processor seconds (user and system); where the
# old build may be slow, it gets only the smaller sizes.  With Python, pandas and scikit-learn at hand, their time for
# the same fit is told too (PYTHON=... names the interpreter), and for the million rows as a ratio to that of the new build.
set -euo pipefail
usage="usage: bench/cliffs_linear.sh OLD_TACIT NEW_TACIT [numbers|categories|rows]"
old=$(realpath "${1:?$usage}")
new=$(realpath "${2:?$usage}")
part=${3:-all}
python=${PYTHON:-python3}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cost() { # COMMAND...: processor seconds
    local TIMEFORMAT='%U %S'
    { time "$@" >/dev/null 2>&1; } 2>&1 | awk '{ print $1 + $2 }'
}
learners() { "$python" -c 'import pandas, sklearn' 2>/dev/null; }

categories() { # LEVELS ROWS CLASSES: four categories, rare levels among them; two or three classes
    awk -v levels="$1" -v rows="$2" -v classes="$3" '
        function normal() { return sqrt(-2 * log(1 - rand())) * cos(6.283185307179586 * rand()) }
        BEGIN {
            srand(7)
            for (c = 0; c < 4; c++) for (l = 0; l < levels; l++) effect[c, l] = normal()
            print "c1,c2,c3,c4,label"
            for (r = 0; r < rows; r++) {
                score = 0.5 * normal()
                line = ""
                for (c = 0; c < 4; c++) {
                    l = int(levels * (1 - sqrt(rand())))
                    score += effect[c, l]
                    line = line sprintf("L%04d,", l)
                }
                print line (classes == 2 ? (score > 0 ? "yes" : "no") : score > 1 ? "yes" : score > -1 ? "perhaps" : "no")
            }
        }'
}
numbers() { # ATTRIBUTES ROWS: numbers around eight causes
    awk -v n="$1" -v rows="$2" '
        function normal() { return sqrt(-2 * log(1 - rand())) * cos(6.283185307179586 * rand()) }
        BEGIN {
            srand(9)
            for (i = 0; i < n; i++) { w[i] = normal() / sqrt(n); for (k = 0; k < 8; k++) load[i, k] = 0.4 * normal() }
            for (i = 0; i < n; i++) printf "a%03d,", i
            print "label"
            for (r = 0; r < rows; r++) {
                score = 0.3 * normal()
                for (k = 0; k < 8; k++) cause[k] = normal()
                for (i = 0; i < n; i++) {
                    x = normal()
                    for (k = 0; k < 8; k++) x += load[i, k] * cause[k]
                    score += w[i] * x
                    printf "%.3f,", x
                }
                print (score > 0 ? "yes" : "no")
            }
        }'
}

peak() { # COMMAND...: most memory, in MB, as seen every 20 ms
    "$@" >/dev/null 2>&1 &
    local pid=$! most=0 now
    while now=$(awk '/^VmHWM/ { print $2 }' "/proc/$pid/status" 2>/dev/null) && [ -n "$now" ]; do
        most=$now
        sleep 0.02
    done
    wait "$pid"
    echo "$most" | awk '{ printf "%.0f", $1 / 1024 }'
}
if [ "$part" = all ] || [ "$part" = numbers ]; then
    printf '%-44s %12s %12s %9s\n' "numbers, all sensitive" old new ratio
    for n in 100 300 512; do
        numbers "$n" 1200 >all.csv
        "$new" fit all.csv --label label --quiet -o model.tacit
        head -2 all.csv >one.csv
        head -201 all.csv >many.csv
        each=
        for build in old new; do
            most=$(cost "${!build}" audit model.tacit many.csv --delta 0 --no-opt --threads 1 --quiet)
            least=$(cost "${!build}" audit model.tacit one.csv --delta 0 --no-opt --threads 1 --quiet)
            each+=" $(echo "$most $least" | awk '{ printf "%.4f", 1000 * ($1 - $2) / 199 }')"
        done
        echo "$n$each" | awk '{ printf "%-44s %12.3f %12.3f %9.1f\n", "|S| = " $1 ", delta = 0: ms per person", $2, $3, $2 / $3 }'
        for threads in 1 2; do # at the usual deltas
            echo "$n $(peak "$old" audit model.tacit many.csv --no-opt --threads $threads --quiet)" \
                "$(peak "$new" audit model.tacit many.csv --no-opt --threads $threads --quiet) $threads" |
                awk '{ printf "%-44s %12.0f %12.0f %9.1f\n", "|S| = " $1 ", threads " $4 ": MB", $2, $3, $2 / $3 }'
        done
    done
fi
if [ "$part" = numbers ]; then
    exit 0
fi

for case in $([ "$part" = rows ] || echo 2:100 2:400 2:1000 3:100 3:400 3:1000); do
    classes=${case%:*}
    levels=${case#*:}
    if [ "$levels" = 100 ]; then
        printf '\n%-44s %12s %12s %9s\n' "four categories, 20,000 rows, $classes classes" old new ratio
    fi
    categories "$levels" 20000 "$classes" >all.csv
    after=$(cost "$new" fit all.csv --label label --quiet -o new.tacit)
    before=
    if [ "$levels" -lt $((classes == 2 ? 1000 : 400)) ]; then # else minutes
        before=$(cost "$old" fit all.csv --label label --quiet -o old.tacit)
    fi
    echo "$levels ${before:-0} $after" | awk '{ printf "%-44s %12s %12.3f %9s\n", $1 " levels: fit, s",
        ($2 ? sprintf("%.3f", $2) : "-"), $3, ($2 ? sprintf("%.1f", $2 / $3) : "-") }'
    echo "$levels $([ -n "$before" ] && stat -c %s old.tacit || echo 0) $(stat -c %s new.tacit)" | awk '{
        printf "%-44s %12s %12.0f %9s\n", $1 " levels: model, kB", ($2 ? sprintf("%.0f", $2 / 1000) : "-"), $3 / 1000,
        ($2 ? sprintf("%.1f", $2 / $3) : "-") }'
    for delta in 0 0.05 0,0.05,0.1; do
        cost "$new" audit new.tacit all.csv --delta $delta --no-opt --threads 1 --quiet | awk -v l="$levels" -v d=$delta '{
            printf "%-44s %12s %12.0f\n", l " levels, d " d ": people a core s", "-", 20000 / $1 }'
    done
    peak "$new" audit new.tacit all.csv --no-opt --threads 1 --quiet | awk -v l="$levels" '{
        printf "%-44s %12s %12.0f\n", l " levels: audit, MB", "-", $1 }'
    if learners; then
        "$python" - <<'EOF'
import time
import pandas
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import OneHotEncoder
start = time.process_time()
table = pandas.read_csv("all.csv")
x = OneHotEncoder().fit_transform(table.iloc[:, :-1])
LogisticRegression(max_iter=1000).fit(x, table["label"])
print("%-44s %12.3f" % ("    pandas and scikit-learn, sparse, s", time.process_time() - start))
EOF
    fi
    if [ "$levels" = 100 ]; then # what wide categories as one variable do to promises: old model against new one
        for delta in 0 0.05; do
            for model in old new; do
                "$new" audit $model.tacit all.csv --delta $delta --no-opt --quiet --json - 2>/dev/null |
                    grep -oE '"(mean_asked|observed)": *[0-9.e-]+' | sed -n 2,3p | tr -d '",' | tr '\n' ' '
            done | awk -v d=$delta '{ printf "%-44s %12s %12s\n%-44s %12s %12s\n", "    asked, delta = " d, $2, $6,
                "    failing, delta = " d, $4, $8 }'
        done
    fi
done

if [ "$part" = categories ]; then
    exit 0
fi
printf '\n%-44s %12s %12s %9s\n' "1,000,000 rows of 13 numbers" old new ratio
numbers 13 1000000 >all.csv
# In turn, three times: on a machine that does other things too, only what was measured side by side compares.
cat >learn.py <<'EOF'
import time
import pandas
from sklearn.linear_model import LogisticRegression
start, clock = time.process_time(), time.time()
table = pandas.read_csv("all.csv")
LogisticRegression(max_iter=1000).fit(table.iloc[:, :-1].values, table["label"])
print(time.process_time() - start, time.time() - clock)
EOF
both() { # COMMAND...: processor seconds, seconds on the clock
    local TIMEFORMAT='%U %S %R'
    { time "$@" >/dev/null 2>&1; } 2>&1 | awk '{ print $1 + $2, $3 }'
}
for turn in 1 2 3; do
    echo "$(both "$old" fit all.csv --label label --quiet -o old.tacit)" \
        "$(both "$new" fit all.csv --label label --quiet -o new.tacit)" "$(learners && "$python" learn.py)" |
        awk -v turn="$turn" '{
            printf "%-44s %12.3f %12.3f %9.1f\n", turn ": fit, processor s", $1, $3, $1 / $3
            printf "%-44s %12.3f %12.3f %9.1f\n", turn ": fit, s on the clock", $2, $4, $2 / $4
            if (NF == 6) {
                printf "%-44s %12.3f %12s %9.1f\n", "    pandas and scikit-learn, processor s", $5, "", $5 / $3
                printf "%-44s %12.3f %12s %9.1f\n", "    pandas and scikit-learn, s on the clock", $6, "", $6 / $4
            }
        }'
done
