#!/bin/sh
# Run every fuzz target of a build folder for a number of seconds each, starting from the committed corpora.
# New inputs go to the build folder; crashes are left there too and make the script fail.
#
#   tools/fuzz.sh BUILD_FOLDER [SECONDS]
set -eu
folder=$(cd "${1:?usage: tools/fuzz.sh BUILD_FOLDER [SECONDS]}" && pwd)
seconds=${2:-60}
top=$(cd "$(dirname "$0")/.." && pwd)
found=0
for program in "$folder"/fuzz/fuzz_*; do
    [ -f "$program" ] && [ -x "$program" ] || continue
    found=1
    name=$(basename "$program")
    grown=$folder/fuzz/grown/$name
    mkdir -p "$grown"
    echo "== $name, $seconds s"
    set -- "$grown"
    corpus=$top/fuzz/corpus/$name
    if [ -d "$corpus" ]; then
        set -- "$@" "$corpus"
    fi
    (cd "$folder/fuzz" && "$program" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -verbosity=0 -print_final_stats=1 "$@")
done
if [ "$found" -eq 0 ]; then
    echo "tools/fuzz.sh: no fuzz targets in $folder/fuzz" >&2
    exit 1
fi
