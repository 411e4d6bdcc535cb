#!/bin/bash
# Networks at delta = 0, with two builds in one run: how many people a second of processor time, and how much is asked.
#
#   bench/cliffs_networks.sh OLD_TACIT NEW_TACIT DATA [BENCH_NETPROOFS]
#
# DATA holds bank/bank-full.csv and credit/UCI_Credit_Card.csv.  Ordinal codes, trained by the new build; audits of the
# first rows with one thread, everything sensitive, no smallest sets, less the time of an audit of one row.  With
# BENCH_NETPROOFS, a program of the new build: what stayed undecided, and what receipts cost, |S| = 16.
# Exit status 77 when the data are missing.
set -euo pipefail
usage="usage: bench/cliffs_networks.sh OLD_TACIT NEW_TACIT DATA [BENCH_NETPROOFS]"
old=$(realpath "${1:?$usage}")
new=$(realpath "${2:?$usage}")
data=$(realpath "${3:?$usage}")
proofs=${4:+$(realpath "$4")}
[ -r "$data/bank/bank-full.csv" ] && [ -r "$data/credit/UCI_Credit_Card.csv" ] || exit 77
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cost() { # PROGRAM MODEL FILE: processor seconds of an audit at delta = 0
    local TIMEFORMAT='%U %S' few=
    case $("$1" audit --help) in *--min-people*) few="--min-people 1" ;; esac # else a file of one row is refused
    # shellcheck disable=SC2086 # two words, or none
    { time "$1" audit "$2" "$3" --delta 0 --no-opt --no-indispensable --threads 1 --json audit.json --quiet $few \
        >/dev/null 2>&1; } 2>&1 | awk '{ print $1 + $2 }'
}
asked() { # what the audit written last asked for, in the mean
    sed -n 's/,$//; s/^ *"mean_asked": //p' audit.json | sed -n 2p
}
row() { # NAME HIDDEN ROWS FILE OPTIONS...
    local name=$1 hidden=$2 rows=$3 file=$4 each=
    shift 4
    "$new" fit "$file" "$@" --encode ordinal --model mlp --hidden "$hidden" --epochs 10 --l2 1 --quiet -o model.tacit
    head -$((rows + 1)) "$file" >few.csv
    head -2 "$file" >one.csv
    for build in old new; do
        one=$(cost "${!build}" model.tacit one.csv)
        all=$(cost "${!build}" model.tacit few.csv)
        each+=" $(echo "$all $one" | awk -v n="$rows" '{ print (n - 1) / ($1 - $2) }') $(asked)"
    done
    echo "$each" | awk -v what="$name $hidden" \
        '{ printf "%-20s %10.2f %10.2f %8.2f %12.3f %10.3f\n", what, $1, $3, $3 / $1, $2, $4 }'
    [ -z "$proofs" ] || "$proofs" "$file" model.tacit --size 16 --people "$rows" --receipts | tail -n +3
}

printf '%-20s %10s %10s %8s %12s %10s\n' "people a second" old new ratio "asked: old" new
bank=$data/bank/bank-full.csv credit=$data/credit/UCI_Credit_Card.csv
row bank 64,64 60 "$bank" --label y
row bank 128,128 30 "$bank" --label y
row bank 256,256 12 "$bank" --label y
row credit 32,32 60 "$credit" --label default.payment.next.month --drop ID
row credit 64,64 30 "$credit" --label default.payment.next.month --drop ID
