#!/bin/sh
# What do rounded domains cost?  domains.sh TACIT [OTHER-TACIT]: mean number of questions at delta = 0, with domains found
# out, on every so many rows of the six data sets; with a second program side by side.
#
# The data files are looked for in the folder TACIT_DATA, by default ../shared/data beside the source tree.
set -u
top=$(cd "$(dirname "$0")/.." && pwd)
data=${TACIT_DATA:-$top/../shared/data}
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

tell() { # KEY FILE
    sed -n "s/,\$//; s/^ *\"$1\": //p" "$2" | head -n 1 | tr -d '"'
}

mean_asked() { # TACIT CSV LABEL SENSITIVE NAMES
    people=$2 label=$3 sensitive=$4 names=$5 program=$1
    set --
    [ -z "$names" ] || set -- --no-header --names "$names" --missing '?'
    "$program" fit "$people" "$@" --label "$label" --sensitive "$sensitive" --quiet -o "$scratch/model" &&
        "$program" audit "$scratch/model" "$people" "$@" --unknown missing --delta 0 --no-opt --quiet --json - |
        sed -n '/"results"/,$s/.*"mean_asked": \([0-9.]*\).*/\1/p' | head -n 1
}

set_of() { # NAME STEP SENSITIVE [NAMES]
    schema=$top/datasets/$1.json
    awk -v step="$2" -v header="$([ -n "${4:-}" ]; echo $?)" 'header && NR == 1 { print; next } NR % step == 0' \
        "$data/$1/$(tell file "$schema")" >"$scratch/people.csv"
    label=$(sed -n '/"label"/,/}/s/.*"name": "\(.*\)".*/\1/p' "$schema" | head -n 1)
    printf '%s' "$1"
    for program in $programs; do
        printf '  %s' "$(mean_asked "$program" "$scratch/people.csv" "$label" "$3" "${4:-}")"
    done
    printf '\n'
}

programs=$*
set_of bank 10 age,job,marital,balance,housing,loan
set_of adult 8 age,race,sex,education,occupation,capital-gain \
    "$(sed -n '/"names"/,/\]/p' "$top/datasets/adult.json" | tr -d '" \n' | sed 's/.*\[//; s/\].*//')"
set_of credit 8 LIMIT_BAL,SEX,EDUCATION,AGE,PAY_0,BILL_AMT1
set_of customer 2 Gender,Age,Profession,Family_Size,Spending_Score
set_of fetal 1 accelerations,uterine_contractions,abnormal_short_term_variability
set_of insurance 3 AGE,GENDER,RACE,INCOME,CREDIT_SCORE
