#!/bin/sh
# `tacit necessity` on the six data sets, one after the other: the tables of docs/NECESSITY.md.
#
#   tools/necessity.sh DATA OUT [OPTIONS OF tacit necessity...]
#
# DATA holds a folder per data set (datasets/README.md says where the files come from).  OUT gets NAME.json, NAME.html
# and NAME.txt (what the command prints) per data set, and seconds.txt: wall and processor seconds of each.  Standard
# output gets the seconds and the tables of sets as Markdown.
#
# TACIT in the environment names another program than build/release/cli/tacit.
set -eu
usage='usage: tools/necessity.sh DATA OUT [OPTIONS OF tacit necessity...]'
data=${1:?$usage}
out=${2:?$usage}
shift 2
top=$(cd "$(dirname "$0")/.." && pwd)
tacit=${TACIT:-$top/build/release/cli/tacit}
. "$top/tools/six_datasets.sh"

run_one() { # NAME OPTIONS...
    name=$1
    shift
    echo "== $name" >&2
    { time -p "$tacit" necessity "$data/$(data_file "$name")" --schema "$top/datasets/$name.json" \
        --json "$out/$name.json" --report "$out/$name.html" "$@" >"$out/$name.txt"; } 2>"$out/time" ||
        { cat "$out/time" >&2; exit 3; }
    awk -v name="$name" '{ t[$1] = $2 } END { printf "%s %.1f %.1f\n", name, t["real"], t["user"] + t["sys"] }' \
        "$out/time" >>"$out/seconds.txt"
    rm -f "$out/time"
}

tell_seconds() {
    printf '| data set | wall seconds | processor seconds |\n|---|---|---|\n'
    awk '{ printf "| %s | %s | %s |\n", $1, $2, $3 }' "$out/seconds.txt"
}

check_all_there
export LC_ALL=C.UTF-8 NO_COLOR=1
mkdir -p "$out"
rm -f "$out/seconds.txt"
for name in $names; do
    run_one "$name" "$@"
done
tell_seconds
for name in $names; do
    printf '\n### %s\n\n```\n' "$name"
    awk '/^Each attribute/ { exit } { lines[NR] = $0 } END {
        for (last = NR; last > 0 && (lines[last] == "" || !(last in lines)); last--);
        for (i = 1; i <= last; i++) print lines[i] }' "$out/$name.txt"
    printf '```\n'
done
