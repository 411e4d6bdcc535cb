#!/bin/sh
# The same bytes as before?  frozen.sh TACIT SESSIONS          compare with hashes.txt
#                            frozen.sh TACIT SESSIONS --write   make hashes.txt anew
#                            frozen.sh TACIT SESSIONS --keep FOLDER   compare, and leave everything there
#
# Models, audits, rows, parts, calibrations, receipts, sessions and experiments, for linear models and networks, on the
# built-in sample and on every so many rows of the six data sets.  A change that is meant to change nothing must leave
# every hash as it is; one that means to change something writes them anew, and says in its commit which and why.
#
# The data files are looked for in the folder TACIT_DATA, by default ../shared/data beside the source tree; what is
# missing is said, and the exit code is then 77.  So it is where mathematical functions give other last bits than
# where the hashes were made.
set -u
tacit=$1 sessions=$2
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
data=${TACIT_DATA:-$top/../shared/data}
mode=${3:-compare}
names= # of the columns, for a file without header
scratch=${4:-}
if [ -z "$scratch" ]; then
    scratch=$(mktemp -d) || exit 1
    trap 'rm -rf "$scratch"' EXIT
fi
mkdir -p "$scratch"
cd "$scratch" || exit 1
: >hashes.txt
missing=0

keep() { # NAME FILE: its hash under this name
    printf '%s  %s\n' "$(sha256sum <"$2" | cut -c1-64)" "$1" >>hashes.txt
}

fail() { # TEXT
    printf 'FAILED: %s\n' "$1"
    exit 1
}

run() { # COMMAND MODEL PEOPLE OPTIONS...: of the program, reading the people as they are written
    if [ -n "$names" ]; then
        "$tacit" "$@" --no-header --names "$names" --missing '?'
    else
        "$tacit" "$@"
    fi
}

# Everything about one model: audits with rows and part, other rules, sessions.
use() { # NAME MODEL PEOPLE FIRST LAST
    name=$1 model=$2 people=$3
    keep "$name model" "$model"
    run audit "$model" "$people" --quiet --threads 2 --delta 0,0.05,0.1,0.2,0.3 --json audit.json --rows rows.csv \
        --partial part.json --unknown missing >said.txt 2>&1 || fail "audit of $name: $(cat said.txt)"
    keep "$name audit" audit.json
    keep "$name rows" rows.csv
    keep "$name part" part.json
    run audit "$model" "$people" --threads 2 --rule margin --delta 0.05 --no-opt --json - --unknown missing \
        >audit.json 2>said.txt || fail "margin audit of $name: $(cat said.txt)"
    keep "$name audit by margin" audit.json
    for delta in 0 0.1; do
        "$sessions" "$model" "$people" "$4" "$5" "$delta" auto "$names" >sessions.txt || fail "sessions of $name"
        keep "$name sessions $delta" sessions.txt
    done
    "$sessions" "$model" "$people" "$4" "$4" 0.1 montecarlo "$names" >sessions.txt || fail "sessions of $name"
    keep "$name sessions montecarlo" sessions.txt
    run explain "$model" "$people" --row "$4" --json >explain.json || fail "explain of $name"
    keep "$name explain" explain.json
}

# A linear model and a network of one file.
both() { # NAME PEOPLE OPTIONS...
    set=$1 people=$2
    shift 2
    "$tacit" fit "$people" "$@" --quiet -o linear.tacit >said.txt 2>&1 || fail "fit of $set: $(cat said.txt)"
    use "$set linear" linear.tacit "$people" 1 12
    "$tacit" fit "$people" "$@" --quiet --model mlp --hidden 8,6 --paper --epochs 20 -o network.tacit >said.txt 2>&1 ||
        fail "fit of $set: $(cat said.txt)"
    use "$set network" network.tacit "$people" 1 6
}

every() { # STEP HEADER FILE: some rows of it
    awk -v step="$1" -v header="$2" 'header && NR == 1 { print; next } NR % step == 0' "$3"
}

tell() { # KEY FILE: the value of the first such key of a JSON file
    sed -n "s/,\$//; s/^ *\"$1\": //p" "$2" | head -n 1 | tr -d '"'
}

set_of() { # NAME STEP SENSITIVE [NAMES]
    schema=$top/datasets/$1.json
    file=$data/$1/$(tell file "$schema")
    if [ ! -r "$file" ]; then
        printf 'skipped: no file %s\n' "$file"
        missing=$((missing + 1))
        return
    fi
    names=${4:-}
    every "$2" "$([ -n "$names" ]; echo $?)" "$file" >"$1.csv"
    both "$1" "$1.csv" --schema "$schema" --sensitive "$3"
}

"$tacit" demo --keep sample >said.txt 2>&1 || fail "demo: $(cat said.txt)"
"$sessions" --arithmetic >arithmetic.txt || fail "arithmetic"
keep "mathematical functions" arithmetic.txt
if [ "$mode" != --write ] && ! grep -qF "$(cat hashes.txt)" "$here/hashes.txt"; then
    echo "skipped: mathematical functions give other last bits here than where the hashes were made"
    exit 77
fi
every 9 1 sample/loans.csv >loans.csv
both loans loans.csv --label outcome --public region,loan_amount,loan_term
"$tacit" calibrate network.tacit sample/loans.csv --quiet -o calibrated.tacit || fail "calibrate"
use "loans calibrated" calibrated.tacit loans.csv 1 3
"$tacit" fit loans.csv --label outcome --public region,loan_amount,loan_term --encode ordinal --quiet -o ordinal.tacit \
    >said.txt 2>&1 || fail "ordinal fit: $(cat said.txt)"
use "loans ordinal" ordinal.tacit loans.csv 1 6
"$tacit" experiment loans.csv --label outcome -o experiment --reps 2 --sizes 2,3 --delta 0,0.1 --epochs 10 --quiet \
    --threads 2 >said.txt 2>&1 || fail "experiment: $(cat said.txt)"
keep "loans experiment" experiment/results.csv
keep "loans experiment summary" experiment/summary.json
set_of bank 120 age,job,marital,balance,housing,loan
set_of adult 90 age,race,sex,education,occupation,capital-gain \
    "$(sed -n '/"names"/,/\]/p' "$top/datasets/adult.json" | tr -d '" \n' | sed 's/.*\[//; s/\].*//')"
set_of credit 90 LIMIT_BAL,SEX,EDUCATION,AGE,PAY_0,BILL_AMT1
set_of customer 25 Gender,Age,Profession,Family_Size,Spending_Score
set_of fetal 7 accelerations,uterine_contractions,abnormal_short_term_variability
set_of insurance 30 AGE,GENDER,RACE,INCOME,CREDIT_SCORE

if [ "$mode" = --write ]; then
    [ "$missing" = 0 ] || fail "hashes are written with all data sets there"
    cp hashes.txt "$here/hashes.txt"
    printf '%s hashes written\n' "$(wc -l <hashes.txt)"
    exit 0
fi
changed=$(grep -vxF -f "$here/hashes.txt" hashes.txt | cut -c67-)
if [ -n "$changed" ]; then
    printf 'other bytes than before:\n%s\n' "$changed"
    exit 1
fi
printf '%s outputs, all the same bytes as before\n' "$(wc -l <hashes.txt)"
[ "$missing" = 0 ] || exit 77
