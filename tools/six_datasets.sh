# Read by tools/evaluate.sh and tools/necessity.sh with `.`: the six data sets, and whether all that a run takes is there.
# $0, $top, $tacit and $data are those of the reader.  Not to be run.
names='bank adult credit insurance customer fetal'

data_file() { # NAME
    case $1 in
        bank) echo bank/bank-full.csv ;;
        adult) echo adult/adult.data ;;
        credit) echo credit/UCI_Credit_Card.csv ;;
        insurance) echo insurance/Car_Insurance_Claim.csv ;;
        customer) echo customer/Train.csv ;;
        fetal) echo fetal/fetal_health.csv ;;
    esac
}

check_all_there() {
    if ! [ -x "$tacit" ]; then
        echo "tools/${0##*/}: no program $tacit: build it (make), or name another in TACIT" >&2
        exit 2
    fi
    for name in $names; do
        if ! [ -f "$data/$(data_file "$name")" ]; then
            echo "tools/${0##*/}: missing: $data/$(data_file "$name") (datasets/README.md says where it comes from)" >&2
            exit 3
        fi
    done
}
