#!/bin/bash
# shellcheck disable=SC2034 # what is set here is used where it is read
# What the cliffs_*.sh share; they read it.  A cost is a number of seconds, or a word: ">60" when it took longer than
# LIMIT seconds (default 60), "<0.001" when the clock saw no difference, "refused" when the build could not do it.
limit=${LIMIT:-60}

begin_builds() { # USAGE OLD_TACIT NEW_TACIT: old and new; in a folder of its own from here on
    old=$(realpath "${2:?$1}")
    new=$(realpath "${3:?$1}")
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    cd "$folder" || exit
}
fit_model() { # OPTIONS...: model.tacit, made by the new build, or by the old one where that reads no files of the new one
    local each options=()
    "$new" fit "$@" --quiet -o model.tacit
    for each; do
        [ "$each" = --paper ] || options+=("$each") # before there was this option, networks were trained so anyway
    done
    if ! "$old" show model.tacit >/dev/null 2>&1 && "$old" fit "${options[@]}" --quiet -o fitted.tacit 2>/dev/null; then
        mv fitted.tacit model.tacit
    fi
}
cost() { # COMMAND...: its processor seconds
    local TIMEFORMAT='%U %S' times status
    times=$({ time timeout -k 1 "$limit" "$@" >/dev/null 2>&1; } 2>&1) && status=0 || status=$?
    case $status in
    0) awk '{ print $1 + $2 }' <<<"$times" ;;
    124 | 137) echo ">$limit" ;;
    *) echo refused ;;
    esac
}
audit_cost() { # TACIT ARGUMENTS...: of an audit with one thread, of any number of people; options that came later are left out
    local build=$1 known arguments=()
    known=$("$build" audit --help)
    shift
    [[ $known != *--min-people* ]] || arguments=(--min-people 1)
    for each; do
        [ "$each" = --no-indispensable ] && [[ $known != *--no-indispensable* ]] || arguments+=("$each")
    done
    cost "$build" audit "${arguments[@]}" --threads 1 --quiet
}
per_person() { # TACIT MODEL MANY FEW OPTIONS...: audits of MANY people of all.csv, or of FEW where these take too long
    local build=$1 model=$2 most=$3 few=$4 n spent
    shift 4
    head -2 all.csv >one.csv
    for n in "$most" "$few"; do
        head -$((n + 1)) all.csv >many.csv
        spent=$(audit_cost "$build" "$model" many.csv "$@")
        [[ $spent == ">"* ]] || break
    done
    each "$spent" "$(audit_cost "$build" "$model" one.csv "$@")" $((n - 1))
}
each() { # COST COST_OF_FEWER N [SCALE]: what each of the N more takes, times SCALE; bounds are shared out
    awk -v all="$1" -v few="$2" -v by="$3" -v scale="${4:-1}" 'BEGIN {
        by /= scale
        if (all ~ /^[<>]/) printf "%s%.3g\n", substr(all, 1, 1), substr(all, 2) / by
        else if (all few ~ /[^0-9.e+-]/) print "refused"
        else if (all <= few) printf "<%.3g\n", 0.001 / by
        else print (all - few) / by
    }'
}
rate() { # SECONDS: how many a second
    awk -v each="$1" 'BEGIN {
        if (each ~ /^[<>]/) printf "%s%.3g\n", each ~ /^>/ ? "<" : ">", 1 / substr(each, 2)
        else print each == "refused" ? each : 1 / each
    }'
}
head_line() { # WHAT
    printf '%-44s %12s %12s %9s\n' "$1" old new ratio
}
line() { # WHAT OLD NEW FORMAT [WHICH]: with how many times less the new one is, or more if WHICH is "more"
    awk -v what="$1" -v old="$2" -v new="$3" -v format="$4" -v which="${5:-less}" 'BEGIN {
        worse = which == "more" ? "<" : ">" # a bound that says how much the old one takes at least
        known = index(old, worse) == 1
        bound = known ? substr(old, 2) : old
        ratio = old new ~ /refused|-$/ || new ~ /^[<>]/ || bound ~ /^[<>]/ || !(new > 0) || !(bound > 0) ? "-" \
            : sprintf("%s%.1f", known ? ">" : "", which == "more" ? new / bound : bound / new)
        printf "%-44s %12s %12s %9s\n", what, shown(old), shown(new), ratio
    }
    function shown(x) { return x == "" ? "-" : x ~ /^[0-9.e+-]+$/ && x != "-" ? sprintf(format, x) : x }'
}
