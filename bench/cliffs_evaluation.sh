#!/bin/bash
# What the paper's whole evaluation (tools/evaluate.sh) would take, from one repetition of each data set, with two builds.
#
#   bench/cliffs_evaluation.sh OLD_TACIT NEW_TACIT DATA [DATA SETS...]
#
# Processor seconds of one repetition of `tacit experiment` with one thread, and whether both builds write the same results.
# Repetitions are independent, but not alike: a hundred times the first is an estimate, and none of a busy machine's clock.
# Words in place of figures are those of cliffs.sh; then there is no sum.
set -euo pipefail
usage="usage: bench/cliffs_evaluation.sh OLD_TACIT NEW_TACIT DATA [DATA SETS...]"
top=$(realpath "$(dirname "$0")/..")
data=$(realpath "${3:?$usage}")
. "$top/bench/cliffs.sh"
begin_builds "$usage" "$@"
limit=3600
shift 3
export tacit=$new # read by:
. "$top/tools/six_datasets.sh"
check_all_there

repetition() { # TACIT NAME RESULTS: processor seconds
    cost "$1" experiment "$data/$(data_file "$2")" --schema "$top/datasets/$2.json" -o "$folder/$3" --reps 1 --threads 1 \
        --quiet
}

if [ $# = 0 ]; then
    # shellcheck disable=SC2086 # a list of words
    set -- $names
fi
printf '%-44s %12s %12s %9s  %s\n' "one repetition, processor s" old new ratio results
for name; do
    before=$(repetition "$old" "$name" "old-$name")
    after=$(repetition "$new" "$name" "new-$name")
    same=differ
    if [[ $before$after == *[!0-9.e+-]* ]]; then
        same=-
    elif cmp -s "$folder/old-$name/results.csv" "$folder/new-$name/results.csv"; then
        same=equal
    fi
    echo "$name" "$before" "$after" "$same"
done | awk '
    function shown(x) { return x ~ /^[0-9]/ ? sprintf("%.2f", x) : x }
    function minutes(seconds, words) { return words ? "-" : sprintf("%.0f", seconds * 100 / 120) }
    { old += $2; new += $3; old_words += $2 !~ /^[0-9]/; new_words += $3 !~ /^[0-9]/
      printf "%-44s %12s %12s %9s  %s\n", $1, shown($2), shown($3), $4 == "-" ? "-" : sprintf("%.2f", $2 / $3), $4; fflush() }
    END { printf "%-44s %12s %12s\n", "100 repetitions on two cores, minutes", minutes(old, old_words), minutes(new, new_words) }'
