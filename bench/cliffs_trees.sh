#!/bin/bash
# Trees that read a category of many levels, and trees of many classes, with two builds.
#
#   bench/cliffs_trees.sh OLD_TACIT NEW_TACIT
#
# Made-up people, seeded: a town, which means something or nothing, and three numbers.  Each line: people per second of
# processor time of an audit with one thread, less that of an audit of one person, and whether both builds write the same
# rows about the people that the old one gets, who are fewer.  Then 16 numbers and 100 rounds of trees for each class:
# processor seconds that ask takes before its first question, and an audit of five people; "> 60" where it took longer.
set -euo pipefail
usage="usage: bench/cliffs_trees.sh OLD_TACIT NEW_TACIT"
old=$(realpath "${1:?$usage}")
new=$(realpath "${2:?$usage}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

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
cost() { # PROGRAM FILE DELTA ROWS: processor seconds
    local TIMEFORMAT='%U %S'
    { time "$1" audit model.tacit "$2" --delta "$3" --threads 1 --min-people 1 --rows "$4" --quiet >/dev/null 2>&1; } 2>&1 |
        awk '{ print $1 + $2 }'
}
speed() { # PROGRAM PEOPLE DELTA ROWS
    head -$(($2 + 1)) all.csv >few.csv
    echo "$(cost "$1" few.csv "$3" "$4") $(cost "$1" one.csv "$3" one.rows)" |
        awk -v n="$2" '{ printf "%.1f", (n - 1) / ($1 > $2 ? $1 - $2 : 0.001) }'
}

printf '%-44s %12s %12s %9s  %s\n' "trees, people per second" old new ratio rows
for delta in 0 0.05; do
    for levels in 100 300 900; do
        for weight in 0 1.5; do
            people $levels $weight >all.csv
            head -2 all.csv >one.csv
            "$new" fit all.csv --label label --model trees --quiet -o model.tacit
            n=$([ $delta = 0 ] && echo 100 || echo $((3600 / levels + 4)))
            before=$(speed "$old" "$n" $delta old.rows)
            after=$(speed "$new" 100 $delta new.rows)
            same=$(head -$((n + 1)) new.rows | cmp -s - <(head -101 old.rows) && echo equal || echo differ)
            echo "$before $after $same" | awk -v what="$levels levels, weight $weight, delta = $delta" \
                '{ printf "%-44s %12.1f %12.1f %9.1f  %s\n", what, $1, $2, $2 / $1, $3 }'
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
seconds() { # PROGRAM ARGUMENT...: of the processor, given nothing to read; the message is about the end of the answers
    local TIMEFORMAT='%U %S' took
    took=$({ time timeout 60 "$@" </dev/null >/dev/null 2>&1 || [ $? != 124 ] || echo late >late; } 2>&1 | awk '{ print $1 + $2 }')
    [ -e late ] && took="> 60" && rm late
    echo "$took"
}
classes_line() { # CLASSES DELTA WHAT ARGUMENT...
    local classes=$1 delta=$2 what=$3
    shift 3
    echo "$(seconds "$old" "$@") / $(seconds "$new" "$@")" |
        awk -F ' / ' -v what="$what, $classes classes, delta = $delta" '
            { printf "%-44s %12s %12s %9s\n", what, $1, $2, $1 ~ />/ ? "" : sprintf("%.1f", $1 / ($2 > 0 ? $2 : 0.01)) }'
}

printf '\n%-44s %12s %12s %9s\n' "trees, processor seconds" old new ratio
for classes in 5 10 26 100; do
    centres $classes >all.csv
    head -6 all.csv >few.csv
    "$new" fit all.csv --label label --model trees --trees 100 --quiet -o model.tacit
    for delta in 0 0.05; do
        classes_line $classes $delta "first question" ask model.tacit --delta $delta
        classes_line $classes $delta "audit of five" audit model.tacit few.csv --delta $delta --threads 1 --min-people 1
    done
done
