#!/bin/sh
# How an audit gets faster with threads and with processes: rows per second from a CSV file to a finished JSON file.
#
#   bench/bench_scaling.sh TACIT [ROWS] [MOST]
#
# ROWS made-up people (a million unless said otherwise) in a temporary folder; 1, 2, 4, ... MOST threads or processes,
# as many as there are cores unless said otherwise.  A linear model at five deltas, and a network at two for at most 5000 of them.  Without mpirun,
# or with a Tacit that knows nothing of it, the processes are left out.
set -eu
tacit=$(cd "$(dirname "${1:?usage: bench/bench_scaling.sh TACIT [ROWS] [MOST]}")" && pwd)/$(basename "$1")
rows=${2:-1000000}
most=${3:-$(nproc)}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1

make_people() { # ROWS
    awk -v rows="$1" 'BEGIN {
        srand(1); split("clerk,cook,driver,nurse,smith", job, ","); split("own,rent,parents", home, ",")
        print "age,income,debt,savings,years,children,job,home,region,outcome"
        for (i = 0; i < rows; i++) {
            age = 20 + int(45 * rand()); income = 1000 + 40 * age * rand(); debt = 3000 * rand() * rand()
            savings = 9000 * rand() * rand(); years = int(rand() * (age - 18)); j = 1 + int(5 * rand())
            score = income / 900 - debt / 600 + savings / 3000 + years / 20 + (j == 4) + 2 * rand() - 3
            printf "%d,%.2f,%.2f,%.2f,%d,%d,%s,%s,r%d,%s\n", age, income, debt, savings, years, 4 * rand(), job[j],
                home[1 + int(3 * rand())], 4 * rand(), (score > 0 ? "yes" : "no")
        }
    }'
}

seconds() { # COMMAND...
    begin=$(date +%s.%N)
    "$@" >/dev/null
    end=$(date +%s.%N)
    echo "$begin $end" | awk '{ print $2 - $1 }'
}

tell() { # TITLE N PEOPLE SECONDS
    echo "$2 $3 $4" | awk -v title="$1" '{ printf "%-34s %3d %10d %10.2f %14.0f\n", title, $1, $2, $3, $2 / $3 }'
}

measure() { # TITLE MODEL FILE PEOPLE OPTIONS...
    title=$1 model=$2 file=$3 people=$4
    shift 4
    n=1
    while [ "$n" -le "$most" ]; do
        tell "$title, threads" $n "$people" \
            "$(seconds "$tacit" audit "$model" "$file" "$@" --threads $n --json out.json --quiet)"
        n=$((2 * n))
    done
    command -v mpirun >/dev/null 2>&1 || return 0
    mpirun -q -n 2 "$tacit" version >/dev/null 2>&1 || return 0
    n=1
    while [ "$n" -le "$most" ]; do
        tell "$title, processes" $n "$people" \
            "$(seconds mpirun -q -n $n "$tacit" audit "$model" "$file" "$@" --threads 1 --json many.json --quiet)"
        cmp out.json many.json
        n=$((2 * n))
    done
}

make_people 20000 >train.csv
make_people "$rows" >people.csv
network_rows=$((rows / 100 < 5000 ? rows / 100 : 5000))
head -n $((network_rows + 1)) people.csv >few.csv
"$tacit" fit train.csv --label outcome -o linear.tacit --quiet
"$tacit" fit train.csv --label outcome --model mlp --hidden 10,10 --epochs 20 -o network.tacit --quiet
printf '%-34s %3s %10s %10s %14s\n' "" n people seconds people/s
measure "linear, five deltas" linear.tacit people.csv "$rows" --delta 0.01,0.05,0.1,0.2,0.3 --no-opt
measure "network, two deltas" network.tacit few.csv "$network_rows" --delta 0,0.1 --no-opt
