#!/bin/bash
# Linear models of sizes at which cost used to jump, with two builds in one run.
#
#   bench/cliffs_linear.sh OLD_TACIT NEW_TACIT [PART]      PART: numbers, categories or rows; default: all
#
# Made-up people, seeded.  Times are processor seconds (user and system); a command gets LIMIT seconds (default 60), but
# for the fits of a million rows.  A build that takes longer for all people audited gets fewer of them.  With Python,
# pandas and scikit-learn at hand, their time for the same fit is told too (PYTHON=... names the interpreter), with how
# many times that of the new build it is.
set -euo pipefail
. "$(dirname "$0")/cliffs.sh"
begin_builds "usage: bench/cliffs_linear.sh OLD_TACIT NEW_TACIT [numbers|categories|rows]" "$@"
part=${3:-all}
python=${PYTHON:-python3}

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

peak() { # COMMAND...: most memory, in MB, as seen every 20 ms; ">" if it was stopped
    local pid most=0 now stopped=
    "$@" >/dev/null 2>&1 &
    pid=$!
    SECONDS=0
    while now=$(awk '/^VmHWM/ { print $2 }' "/proc/$pid/status" 2>/dev/null) && [ -n "$now" ]; do
        most=$now
        if [ $SECONDS -gt "$limit" ]; then
            stopped=">"
            kill -9 "$pid"
            break
        fi
        sleep 0.02
    done
    if wait "$pid" 2>/dev/null || [ -n "$stopped" ]; then
        awk -v most="$most" -v stopped="$stopped" 'BEGIN { printf "%s%.0f\n", stopped, most / 1024 }'
    else
        echo refused
    fi
}

many_numbers() {
    head_line "numbers, all sensitive"
    for n in 100 300 512; do
        numbers "$n" 1200 >all.csv
        fit_model all.csv --label label
        line "|S| = $n, delta = 0: ms per person" \
            "$(each "$(per_person "$old" model.tacit 200 20 --delta 0 --no-opt)" 0 1 1000)" \
            "$(each "$(per_person "$new" model.tacit 200 20 --delta 0 --no-opt)" 0 1 1000)" %.3f
        head -201 all.csv >many.csv
        for threads in 1 2; do # at the usual deltas
            line "|S| = $n, threads $threads: MB" "$(peak "$old" audit model.tacit many.csv --no-opt --threads $threads --quiet)" \
                "$(peak "$new" audit model.tacit many.csv --no-opt --threads $threads --quiet)" %.0f
        done
    done
}

# With a model that one build made of 100 levels and one that the other made: what is asked, and how many decisions fail,
# told by the new build.
promises() { # DELTA
    local told
    told=$(for model in old new; do
        "$new" audit $model.tacit all.csv --delta "$1" --no-opt --quiet --json - 2>/dev/null |
            grep -oE '"(mean_asked|observed)": *[0-9.e-]+' | sed -n 2,3p | tr -d '",' | tr '\n' ' '
    done)
    awk -v delta="$1" '{ printf "%-44s %12.3f %12.3f\n%-44s %12.4f %12.4f\n", "    asked, delta = " delta, $2, $6,
        "    failing, delta = " delta, $4, $8 }' <<<"$told"
}
wide_categories() { # CLASSES LEVELS
    local before after size=refused
    categories "$2" 20000 "$1" >all.csv
    before=$(cost "$old" fit all.csv --label label --quiet -o old.tacit)
    after=$(cost "$new" fit all.csv --label label --quiet -o new.tacit)
    line "$2 levels: fit, s" "$before" "$after" %.3f
    if learners; then
        line "    with pandas and scikit-learn, sparse, s" "$("$python" - <<'EOF'
import time
import pandas
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import OneHotEncoder
start = time.process_time()
table = pandas.read_csv("all.csv")
x = OneHotEncoder().fit_transform(table.iloc[:, :-1])
LogisticRegression(max_iter=1000).fit(x, table["label"])
print(time.process_time() - start)
EOF
        )" "$after" %.3f
    fi
    case $before in *[!0-9.]*) rm -f old.tacit ;; *) size=$(stat -c %s old.tacit) ;; esac
    line "$2 levels: model, kB" "$(each "$size" 0 1000)" "$(each "$(stat -c %s new.tacit)" 0 1000)" %.0f
    for delta in 0 0.05 0,0.05,0.1; do
        line "$2 levels, d $delta: people a core s" \
            "$(rate "$(per_person "$old" old.tacit 20000 200 --delta $delta --no-opt)")" \
            "$(rate "$(per_person "$new" new.tacit 20000 200 --delta $delta --no-opt)")" %.0f more
    done
    head -2001 all.csv >some.csv
    line "$2 levels: audit, MB" "$(peak "$old" audit old.tacit some.csv --no-opt --threads 1 --quiet)" \
        "$(peak "$new" audit new.tacit some.csv --no-opt --threads 1 --quiet)" %.0f
    if [ "$2" = 100 ] && [ -e old.tacit ]; then
        promises 0
        promises 0.05
    fi
}

both() { # COMMAND...: processor seconds, seconds on the clock; without limit
    local TIMEFORMAT='%U %S %R' times
    if times=$({ time "$@" >/dev/null 2>&1; } 2>&1); then
        awk '{ print $1 + $2, $3 }' <<<"$times"
    else
        echo refused refused
    fi
}
million_rows() {
    local before after theirs
    head_line "1,000,000 rows of 13 numbers"
    numbers 13 1000000 >all.csv
    cat >learn.py <<'EOF'
import time
import pandas
from sklearn.linear_model import LogisticRegression
start, clock = time.process_time(), time.time()
table = pandas.read_csv("all.csv")
LogisticRegression(max_iter=1000).fit(table.iloc[:, :-1].values, table["label"])
print(time.process_time() - start, time.time() - clock)
EOF
    for turn in 1 2 3; do # in turn: on a machine that does other things too, only what was measured side by side compares
        before=$(both "$old" fit all.csv --label label --quiet -o old.tacit)
        after=$(both "$new" fit all.csv --label label --quiet -o new.tacit)
        theirs=$(if learners; then "$python" learn.py; fi)
        line "$turn: fit, processor s" "${before% *}" "${after% *}" %.3f
        line "$turn: fit, s on the clock" "${before#* }" "${after#* }" %.3f
        if [ -n "$theirs" ]; then
            line "    with pandas and scikit-learn, processor s" "${theirs% *}" "${after% *}" %.3f
            line "    with pandas and scikit-learn, s on the clock" "${theirs#* }" "${after#* }" %.3f
        fi
    done
}

if [ "$part" = all ] || [ "$part" = numbers ]; then
    many_numbers
fi
if [ "$part" = all ] || [ "$part" = categories ]; then
    for classes in 2 3; do
        head_line "four categories, 20,000 rows, $classes classes"
        for levels in 100 400 1000; do
            wide_categories $classes $levels
        done
    done
fi
if [ "$part" = all ] || [ "$part" = rows ]; then
    million_rows
fi
