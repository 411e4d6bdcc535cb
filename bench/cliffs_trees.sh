#!/bin/bash
# Trees that read a category of many levels, and trees of many classes, with two builds.
#
#   bench/cliffs_trees.sh OLD_TACIT NEW_TACIT
#
# Made-up people, seeded: a town, which means something or nothing, and three numbers.  Each line: people per second of
# processor time of an audit of 100 with one thread, less that of an audit of one person, and whether both builds write the
# same rows.  A build that takes longer than LIMIT seconds gets fewer people, and the rows of these are compared.  Then 16
# numbers and 100 rounds of trees for each class: processor seconds that ask takes before its first question, and an audit
# of five people.  Words in place of figures are those of cliffs.sh.
set -euo pipefail
. "$(dirname "$0")/cliffs.sh"
begin_builds "usage: bench/cliffs_trees.sh OLD_TACIT NEW_TACIT" "$@"

people() { # LEVELS WEIGHT: 3,000 people, of every town at least one
    awk -v levels="$1" -v weight="$2" '
        function normal() { return sqrt(-2 * log(1 - rand())) * cos(6.283185307179586 * rand()) }
        BEGIN {
            srand(7)
            for (k = 0; k < levels; k++) worth[k] = normal()
            print "town,a,b,c,label"
            for (r = 0; r < 3000; r++) {
                k = r < levels ? r : int(levels * rand())
                a = normal(); b = normal(); c = normal()
                yes = a + b + c / 2 + weight * worth[k] + 0.7 * normal() > 0
                printf "t%d,%.3f,%.3f,%.3f,%s\n", k, a, b, c, yes ? "yes" : "no"
            }
        }'
}
speed() { # TACIT FEWER DELTA ROWS: people per second; rows go into ROWS, one of them a person
    local build=$1 fewer=$2 delta=$3 rows=$4 people spent
    rm -f "$rows"
    for people in 100 "$fewer"; do
        head -$((people + 1)) all.csv >few.csv
        spent=$(audit_cost "$build" model.tacit few.csv --delta "$delta" --rows "$rows")
        [[ $spent == ">"* ]] || break
    done
    rate "$(each "$spent" "$(audit_cost "$build" model.tacit one.csv --delta "$delta" --rows one.rows)" $((people - 1)))"
}
same_rows() { # of the people who are in both files
    local lines=$(($(wc -l <old.rows) < $(wc -l <new.rows) ? $(wc -l <old.rows) : $(wc -l <new.rows)))
    cmp -s <(head -$lines old.rows) <(head -$lines new.rows)
}

head_line "trees, people per second"
for delta in 0 0.05; do
    for levels in 100 300 900; do
        for weight in 0 1.5; do
            people $levels $weight >all.csv
            head -2 all.csv >one.csv
            fit_model all.csv --label label --model trees
            n=$((3600 / levels + 4))
            line "$levels levels, weight $weight, delta = $delta" "$(speed "$old" $n $delta old.rows)" \
                "$(speed "$new" $n $delta new.rows)" %.1f more
            if [ -e old.rows ] && [ -e new.rows ]; then
                echo "    rows: $(same_rows && echo equal || echo differ)"
            fi
        done
    done
done

centres() { # CLASSES: 200 people of each, 16 numbers around a centre
    awk -v classes="$1" '
        function normal() { return sqrt(-2 * log(1 - rand())) * cos(6.283185307179586 * rand()) }
        BEGIN {
            srand(5)
            for (c = 0; c < classes; c++) for (i = 0; i < 16; i++) centre[c, i] = normal()
            for (i = 0; i < 16; i++) printf "a%d,", i
            print "label"
            for (r = 0; r < 200 * classes; r++) {
                c = r % classes
                for (i = 0; i < 16; i++) printf "%.3f,", centre[c, i] + 1.5 * normal()
                printf "class%03d\n", c
            }
        }'
}
first_question() { # TACIT DELTA: processor seconds of ask, which is given nothing to read and so ends with code 1
    # shellcheck disable=SC2016 # expanded by that shell
    if "$1" show model.tacit >/dev/null 2>&1; then
        cost sh -c '"$0" ask model.tacit --delta "$1" </dev/null || [ $? = 1 ]' "$1" "$2"
    else
        echo refused
    fi
}

echo
head_line "trees, processor seconds"
for classes in 5 10 26 100; do
    centres $classes >all.csv
    head -6 all.csv >few.csv
    fit_model all.csv --label label --model trees --trees 100
    for delta in 0 0.05; do
        line "first question, $classes classes, delta = $delta" "$(first_question "$old" $delta)" \
            "$(first_question "$new" $delta)" %.2f
        line "audit of five, $classes classes, delta = $delta" "$(audit_cost "$old" model.tacit few.csv --delta $delta)" \
            "$(audit_cost "$new" model.tacit few.csv --delta $delta)" %.2f
    done
done
