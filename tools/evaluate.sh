#!/bin/sh
# The whole evaluation: `tacit experiment` on the six data sets, one after the other.
#
#   tools/evaluate.sh DATA OUT [OPTIONS OF tacit experiment...]
#
# DATA holds a folder per data set (datasets/README.md says where the files come from).  OUT gets, per data set NAME,
# the folder NAME with everything that the command writes, NAME.json (its summary) and NAME.seconds (wall seconds), and
# evaluation.json with the seconds of all.  Run it again to go on after an interruption: what is finished is only
# checked, and the seconds of all runs are added up.  docs/RESULTS.md is made from OUT/*.json.
#
# TACIT in the environment names another program than build/release/cli/tacit.
set -eu
usage='usage: tools/evaluate.sh DATA OUT [OPTIONS OF tacit experiment...]'
data=${1:?$usage}
out=${2:?$usage}
shift 2
top=$(cd "$(dirname "$0")/.." && pwd)
tacit=${TACIT:-$top/build/release/cli/tacit}
. "$top/tools/six_datasets.sh"
running= # the data set that the clock runs for
begun=0

# Add what has passed to the seconds of the data set that is running, also when we are being stopped.
stop_clock() {
    if [ -n "$running" ]; then
        before=0
        [ ! -f "$out/$running.seconds" ] || before=$(cat "$out/$running.seconds")
        echo $((before + $(date +%s) - begun)) >"$out/$running.seconds"
        running=
    fi
}

# Every core, unless the options say otherwise; the last one counts.
count_threads() { # OPTIONS...
    threads=$(nproc)
    while [ $# -gt 0 ]; do
        case $1 in
            --threads) threads=${2:-$threads} ;;
            --threads=*) threads=${1#--threads=} ;;
        esac
        shift
    done
    if [ "$threads" = 0 ]; then nproc; else echo "$threads"; fi
}

run_one() { # NAME OPTIONS...
    name=$1
    shift
    file=$data/$(data_file "$name")
    finished=no
    if [ -f "$out/$name/summary.json" ] && ! [ -f "$out/$name/journal.jsonl" ]; then
        finished=yes
    fi
    if [ -d "$out/$name" ]; then
        set -- --resume "$@"
    fi
    echo "== $name" >&2
    if [ "$finished" = no ]; then
        running=$name
        begun=$(date +%s)
    fi
    "$tacit" experiment "$file" --schema "$top/datasets/$name.json" -o "$out/$name" "$@"
    stop_clock
    cp "$out/$name/summary.json" "$out/$name.json"
}

write_evaluation() { # OPTIONS...
    options=
    for word; do
        options="$options $word"
    done
    printf '{\n  "command": "%s",\n' "$(printf 'tools/evaluate.sh DATA OUT%s' "$options" | sed 's/[\\"]/\\&/g')"
    printf '  "tacit": "%s",\n' "$("$tacit" version | sed -n '1s/^tacit //p')"
    printf '  "cores": %s,\n  "threads": %s,\n  "seconds": {' "$(nproc)" "$(count_threads "$@")"
    comma=
    for name in $names; do
        # A finished folder from elsewhere has no clock of ours.
        if [ -f "$out/$name.seconds" ]; then
            printf '%s"%s": %s' "$comma" "$name" "$(cat "$out/$name.seconds")"
            comma=', '
        fi
    done
    printf '}\n}\n'
}

check_all_there
mkdir -p "$out"
trap stop_clock EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
for name in $names; do
    run_one "$name" "$@"
done
write_evaluation "$@" >"$out/evaluation.json.new"
mv "$out/evaluation.json.new" "$out/evaluation.json"
echo "finished: $out/evaluation.json" >&2
