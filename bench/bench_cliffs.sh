#!/bin/bash
# Sizes at which cost used to jump, with two builds in one run.
#
#   bench/bench_cliffs.sh OLD_TACIT NEW_TACIT [DATA] [PART...]      with DATA, a folder of the data sets, all parts
#
# Parts: classes, opt, numbers, categories, rows, trees; with DATA also networks and evaluation.  Default: all there are,
# which takes the better part of an hour with an old build.
#
# Made-up people, seeded.  Lines of "classes": processor time per person of an audit with one thread, less that of an
# audit of one person; a build gets fewer people where 400 take longer than LIMIT seconds.  Ratio: how many times faster
# the new one is; words in place of figures are those of cliffs.sh.  The other parts are in cliffs_*.sh, which say what
# they measure.
set -euo pipefail
usage="usage: bench/bench_cliffs.sh OLD_TACIT NEW_TACIT [DATA] [classes|opt|numbers|categories|rows|trees|networks|evaluation...]"
here=$(realpath "$(dirname "$0")")
data=
if [ $# -gt 2 ] && [ -d "$3" ]; then
    data=$(realpath "$3")
fi
. "$here/cliffs.sh"
begin_builds "$usage" "$@"
shift 2
[ -z "$data" ] || shift
if [ $# = 0 ]; then
    # shellcheck disable=SC2046 # a list of words
    set -- classes opt numbers categories rows trees $([ -n "$data" ] && echo networks evaluation)
fi

people() { # CLASSES ROWS: eight attributes around a centre for each class
    awk -v classes="$1" -v rows="$2" '
        function normal() { return sqrt(-2 * log(1 - rand())) * cos(6.283185307179586 * rand()) }
        BEGIN {
            srand(5)
            for (c = 0; c < classes; c++) for (i = 0; i < 8; i++) centre[c, i] = normal()
            print "a1,a2,a3,a4,a5,a6,a7,a8,label"
            for (r = 0; r < rows; r++) {
                c = int(classes * rand())
                for (i = 0; i < 8; i++) printf "%.3f,", centre[c, i] + 0.6 * normal()
                printf "class%03d\n", c
            }
        }'
}
classes() {
    head_line "delta = 0.05, 8 sensitive: ms per person"
    for classes in 5 10 26 100; do
        people "$classes" 2000 >all.csv
        fit_model all.csv --label label
        spent=
        for build in old new; do
            spent+=" $(each "$(per_person "${!build}" model.tacit 400 $((100 / classes + 2)) --delta 0.05 --no-opt)" 0 1 1000)"
        done
        # shellcheck disable=SC2086 # two words
        line "$classes classes" $spent %.3f
    done
}

for part; do
    case $part in
    classes) classes ;;
    opt) "$here/cliffs_opt.sh" "$old" "$new" ;;
    numbers | categories | rows) "$here/cliffs_linear.sh" "$old" "$new" "$part" ;;
    trees) "$here/cliffs_trees.sh" "$old" "$new" ;;
    networks) "$here/cliffs_networks.sh" "$old" "$new" "${data:?$usage}" ;;
    evaluation) "$here/cliffs_evaluation.sh" "$old" "$new" "${data:?$usage}" ;;
    *)
        echo "$usage" >&2
        exit 2
        ;;
    esac
    echo
done
