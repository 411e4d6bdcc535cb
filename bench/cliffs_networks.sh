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
data=$(realpath "${3:?$usage}")
proofs=${4:+$(realpath "$4")}
[ -r "$data/bank/bank-full.csv" ] && [ -r "$data/credit/UCI_Credit_Card.csv" ] || exit 77
. "$(dirname "$0")/cliffs.sh"
begin_builds "$usage" "$@"
limit=600

asked() { # what the audit written last asked for, in the mean
    sed -n 's/,$//; s/^ *"mean_asked": //p' audit.json | sed -n 2p
}
seconds() { # TACIT FILE
    audit_cost "$1" model.tacit "$2" --delta 0 --no-opt --no-indispensable --json audit.json
}
row() { # NAME HIDDEN ROWS FILE OPTIONS...
    local name=$1 hidden=$2 rows=$3 file=$4 spent=() asked=()
    shift 4
    "$new" fit "$file" "$@" --encode ordinal --model mlp --hidden "$hidden" --epochs 10 --l2 1 --quiet -o model.tacit
    head -$((rows + 1)) "$file" >few.csv
    head -2 "$file" >one.csv
    for build in "$old" "$new"; do
        one=$(seconds "$build" one.csv)
        spent+=("$(rate "$(each "$(seconds "$build" few.csv)" "$one" $((rows - 1)))")")
        asked+=("$(asked)")
    done
    line "$name $hidden: people a core s" "${spent[0]}" "${spent[1]}" %.2f more
    line "    asked" "${asked[0]}" "${asked[1]}" %.3f
    [ -z "$proofs" ] || "$proofs" "$file" model.tacit --size 16 --people "$rows" --receipts | tail -n +3
}

head_line "networks, delta = 0, all sensitive"
bank=$data/bank/bank-full.csv credit=$data/credit/UCI_Credit_Card.csv
row bank 64,64 60 "$bank" --label y
row bank 128,128 30 "$bank" --label y
row bank 256,256 12 "$bank" --label y
row credit 32,32 60 "$credit" --label default.payment.next.month --drop ID
row credit 64,64 30 "$credit" --label default.payment.next.month --drop ID
