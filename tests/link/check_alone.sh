#!/bin/sh
# Receipts of a linear model and of a network, checked by a program that has no search in it; and not when somebody
# changed what they say.
#
#   tests/link/check_alone.sh TACIT CHECK_ALONE
set -eu
tacit=$1
alone=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

fail() { # TEXT
    echo "$1" >&2
    exit 1
}

# Each of these is in the library next to the checker; the program must have none, and must have the checker.
search='tct_(verifier|verify|certify|prove|frame|hitting|walker|plan|session|belief|law|rule)_?'
nm "$alone" >names
grep -q ' tct_check$' names || fail "no checker in $alone"
if grep -E " $search" names; then
    fail "the names above belong to the search"
fi
nm "$tacit" | grep -qE " $search" || fail "nm finds no search in the program either: this test sees nothing"

"$tacit" demo --keep demo --quiet >demo.txt
"$tacit" fit demo/loans.csv --label outcome --model mlp --epochs 5 --l2 1 --quiet -o net.tacit
for model in demo/loans.tacit net.tacit; do
    yes 1 | head -n 40 | "$tacit" ask "$model" --receipt receipt.json >ask.txt
    said=$("$alone" "$model" receipt.json) || fail "$model: $said"
    echo "$model: $said"
    case $said in
    "valid: certain, "*) ;;
    *) fail "a certain decision was expected" ;;
    esac
    sed 's/"status": "certain"/"status": "likely"/' receipt.json >changed.json
    if "$alone" "$model" changed.json; then
        fail "$model: a changed receipt was accepted"
    fi
done
