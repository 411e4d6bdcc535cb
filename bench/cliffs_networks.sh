#!/bin/bash
# Networks at delta = 0, with two builds in one run: how many people a second of processor time, and how much is asked.
#
#   bench/cliffs_networks.sh OLD_TACIT NEW_TACIT DATA
#
# DATA holds bank/bank-full.csv and credit/UCI_Credit_Card.csv.  Ordinal codes; networks as `fit` trains them now, and by the
# plain descent of the paper (100 epochs), which old builds did: such networks are harder to decide.  Audits of the first rows
# with one thread, everything sensitive, no smallest sets, less the time of an audit of one row.  Where both programs lie in
# their source trees (SOURCE/build/release/cli/tacit), netproofs_builds.sh follows for each network: what the same questions
# cost, what stays undecided, and what proofs of five people cost.
# Exit status 77 when the data are missing.
set -euo pipefail
usage="usage: bench/cliffs_networks.sh OLD_TACIT NEW_TACIT DATA"
data=$(realpath "${3:?$usage}")
[ -r "$data/bank/bank-full.csv" ] && [ -r "$data/credit/UCI_Credit_Card.csv" ] || exit 77
here=$(realpath "$(dirname "$0")")
. "$here/cliffs.sh"
begin_builds "$usage" "$@"
limit=600
sources=("${old%/build/release/cli/tacit}" "${new%/build/release/cli/tacit}")

asked() { # what the audit written last asked for, in the mean
    [ ! -e audit.json ] || sed -n 's/,$//; s/^ *"mean_asked": //p' audit.json | sed -n 2p
}
seconds() { # TACIT FILE: leaves audit.json where it came to an end
    rm -f audit.json
    audit_cost "$1" model.tacit "$2" --delta 0 --no-opt --no-indispensable --json audit.json
}
row() { # NAME HIDDEN ROWS FILE OPTIONS...
    local name=$1 hidden=$2 rows=$3 file=$4 spent=() asked=()
    shift 4
    fit_model "$file" "$@" --encode ordinal --model mlp --hidden "$hidden"
    head -$((rows + 1)) "$file" >few.csv
    head -2 "$file" >one.csv
    for build in "$old" "$new"; do
        one=$(seconds "$build" one.csv)
        spent+=("$(rate "$(each "$(seconds "$build" few.csv)" "$one" $((rows - 1)))")")
        asked+=("$(asked)")
    done
    line "$name $hidden: people a core s" "${spent[0]}" "${spent[1]}" %.2f more
    line "    asked" "${asked[0]}" "${asked[1]}" %.3f
    if [ -d "${sources[0]}/src" ] && [ -d "${sources[1]}/src" ]; then
        "$here/netproofs_builds.sh" "${sources[@]}" "$file" model.tacit 60 2 16 5 | tail -n +2
    fi
}

bank=$data/bank/bank-full.csv credit=$data/credit/UCI_Credit_Card.csv
people_of() { # HOW OPTIONS...
    head_line "networks, delta = 0, all sensitive; $1"
    shift
    row bank 64,64 60 "$bank" --label y "$@"
    row bank 128,128 30 "$bank" --label y "$@"
    row bank 256,256 12 "$bank" --label y "$@"
    row credit 32,32 60 "$credit" --label default.payment.next.month --drop ID "$@"
    row credit 64,64 30 "$credit" --label default.payment.next.month --drop ID "$@"
}
people_of "plain descent" --paper --epochs 100
"$new" fit "$bank" --label y --encode ordinal --model mlp --hidden 4 --epochs 1 --quiet -o model.tacit
if "$old" show model.tacit >/dev/null 2>&1; then
    echo
    people_of "as trained now" --epochs 10 --l2 1
else
    echo "The old build does not read networks as they are trained now."
fi
