#!/bin/bash
# The same questions about people, decided by the networks of two builds: what a certified decision costs.
#
#   bench/netproofs_builds.sh OLD_SOURCE NEW_SOURCE DATA.csv MODEL [PEOPLE] [ROUNDS] [SIZE] [WRITTEN]
#
# Each source tree holds its release build (build/release/src).  bench_netproofs.c of this folder is compiled against both;
# the new build walks PEOPLE (default 60) through the questionnaire, SIZE attributes (default 16) sensitive, and both then
# decide what was asked there, in turns, ROUNDS times (default 3): for each figure the best round.  Processor time, one
# thread.  A ratio above 1: the new build is faster.  What only one build certified is among its own certified ones, but not
# among those that both did; the last question of a person is the one that the new build certified, or left.  For the first
# WRITTEN people (default 0) both also write a proof of what they certified, and check it; a build that takes longer than
# PATIENCE seconds (default 300) for these says so.
# shellcheck disable=SC2034 # old and new are read by name
set -euo pipefail
usage="usage: bench/netproofs_builds.sh OLD_SOURCE NEW_SOURCE DATA.csv MODEL [PEOPLE] [ROUNDS] [SIZE] [WRITTEN]"
here=$(dirname "$(realpath "$0")")
old=$(realpath "${1:?$usage}")
new=$(realpath "${2:?$usage}")
data=$(realpath "${3:?$usage}")
model=$(realpath "${4:?$usage}")
people=${5:-60} rounds=${6:-3} size=${7:-16} written=${8:-0} patience=${PATIENCE:-300}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

for build in old new; do
    tree=${!build} folders=()
    while read -r each; do folders+=("-I$each"); done < <(find "$tree/src" -type d)
    libraries=()
    for library in train import; do
        [ ! -r "$tree/build/release/src/libtacit-$library.a" ] || libraries+=("$tree/build/release/src/libtacit-$library.a")
    done
    "${CC:-cc}" -std=gnu17 -O3 -DNDEBUG -D_GNU_SOURCE -fopenmp -I"$tree/include" "${folders[@]}" -I"$here" \
        -o "$folder/$build" "$here/bench_netproofs.c" "$here/datasets.c" "${libraries[@]}" "$tree/build/release/src/libtacit.a" \
        -ljansson -lsodium -lz -lzstd -lprotobuf-c -llbfgs -lm
done
"$folder/new" "$data" "$model" --size "$size" --people "$people" --keep "$folder/walks" >"$folder/walked"
for ((round = 0; round < rounds; round++)); do
    for build in old new; do
        "$folder/$build" "$data" "$model" --size "$size" --people "$people" --follow "$folder/walks" \
            --each "$folder/$build.$round" >>"$folder/$build.txt"
    done
done

echo "$(basename "$model"), |S| = $size, $people people, the same questions"
for build in old new; do
    awk -v what=$build '/certified [0-9]/ { sub(/^ +/, ""); print "  " what ": " $0; exit }' "$folder/$build.txt"
done
printf '  %-30s %12s %12s %8s\n' "ms, best of $rounds" old new ratio
awk 'FNR == 1 { file++ }
    / mean +[0-9]/ { at = index($0, " mean"); name = substr($0, 3, at - 3); sub(/ +$/, "", name); split(substr($0, at), words, " ")
        for (k = 2; k <= 4; k += 2) { what = name ", " words[k - 1]; value = words[k] + 0
            if (!((what, file) in best)) { if (file == 1) order[++n] = what; best[what, file] = value }
            if (value < best[what, file]) best[what, file] = value } }
    END { for (i = 1; i <= n; i++) if (best[order[i], 2] > 0)
            printf "  %-30s %12.3f %12.3f %8.2f\n", order[i], best[order[i], 1], best[order[i], 2], best[order[i], 1] / best[order[i], 2] }' \
    "$folder/old.txt" "$folder/new.txt"
for ((round = 0; round < rounds; round++)); do
    paste "$folder/old.$round" "$folder/new.$round"
    echo
done | awk '$1 == "certified" && $3 == $1 { old += $2; new += $4; n++ }
    NF == 0 && n { if (!best || old / n < best) best = old / n; if (!now || new / n < now) now = new / n; old = new = n = 0 }
    END { if (now) printf "  %-30s %12.3f %12.3f %8.2f\n", "certified by both, mean", best, now, best / now
        else printf "  %-30s %12s %12s %8s\n", "certified by both, mean", "-", "-", "-" }'
[ "$written" -gt 0 ] || exit 0
for build in old new; do
    head -"$written" "$folder/walks" >"$folder/some"
    if timeout -k 1 "$patience" "$folder/$build" "$data" "$model" --size "$size" --people "$written" --follow "$folder/some" \
        --receipts >"$folder/$build.txt"; then
        grep -E '^  (writing|checking|its tree)' "$folder/$build.txt" | sed "s/^ /  $build:/"
    else
        echo "  $build: writing and checking $written proofs takes longer than $patience s"
    fi
done
