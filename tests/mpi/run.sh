#!/bin/sh
# shellcheck disable=SC2086
# Runs one case of tests/mpi: run.sh TACIT CASE
#
# Every case compares what several processes leave behind with what one does: files, standard output, complaints, exit
# code.  Exit code 77: it cannot be run here, and why.
set -u
tacit=$1
case_name=$2
here=$(cd "$(dirname "$0")/../cli" && pwd)
bin=$(cd "$(dirname "$tacit")" && pwd)
root=$(mktemp -d) || exit 1
trap 'rm -rf "$root"' EXIT
mkdir "$root/folder" "$root/tmp"
cd "$root/folder" || exit 1
export LC_ALL=C.UTF-8 NO_COLOR=1 TMPDIR="$root/tmp" PATH="$bin:$PATH"
# Open MPI: more processes than cores, and in a container as root.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
# After a complaint mpirun would give everybody a second or two to go; they have gone.
export OMPI_MCA_odls_base_sigkill_timeout=0
# On a busy machine mpirun may see that a process has ended before it takes note that it had said goodbye, and would
# then make the exit code 1.  Whoever is killed is told by other means.
export OMPI_MCA_orte_allowed_exit_without_sync=1
# LeakSanitizer would report what the MPI library keeps.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
unset COLUMNS

if ! command -v mpirun >/dev/null 2>&1; then
    echo "skipped: mpirun is not installed (tools/setup.sh test)"
    exit 77
fi
if mpirun -q -n 2 tacit version 2>&1 </dev/null | grep -q 'built without MPI'; then
    echo "skipped: this Tacit was built without MPI"
    exit 77
fi
# shellcheck source=/dev/null
. "$here/fixtures.sh"

fail() { # TEXT
    printf 'FAILED %s: %s\n' "$case_name" "$1"
    for file in ./*.err; do
        [ -s "$file" ] && printf -- '--- %s\n' "$file" && head -c 2000 "$file"
    done
    exit 1
}

# On a busy machine mpirun at times complains of itself, about processes that have gone already; that is not ours.
together() { # N COMMAND...
    n=$1 ended=0
    shift
    mpirun -q -n "$n" "$@" </dev/null 2>"$root/launched" || ended=$?
    grep -vE '^\[[^]]*:[0-9]+\] (PMIX|ORTE|OPAL) ERROR: |^\[warn\] Epoll ' "$root/launched" >&2
    return $ended
}

same() { # A B
    cmp "$1" "$2" || fail "$1 and $2 differ"
}

# An audit by one process and by 1, 2, 3 and 5: the same JSON, rows, standard output, complaint and exit code.
compare() { # ARGUMENTS OF tacit audit...
    code=0
    tacit audit "$@" --json one.json --rows one.rows >one.out 2>one.err || code=$?
    for n in 1 2 3 5; do
        many=0
        together $n tacit audit "$@" --json many.json --rows many.rows >many.out 2>many.err || many=$?
        [ "$many" = "$code" ] || fail "exit code $many of $n processes, $code of one"
        tr -d '\r' <many.out >many.plain # mpirun has a terminal in between
        same one.out many.plain
        same one.err many.err
        for kind in json rows; do
            if [ -e one.$kind ]; then
                same one.$kind many.$kind
            elif [ -e many.$kind ]; then
                fail "$n processes left many.$kind"
            fi
        done
        rm -f many.json many.rows
    done
    [ -z "$(find . -name '*.tmp')" ] || fail "a temporary file was left behind"
    [ -z "$(find "$root/tmp" -name 'tacit*')" ] || fail "something was left in TMPDIR"
    rm -f one.json one.rows
}

case_same_bytes() {
    make_model
    compare people.tacit people.csv --group job --group age:30,45 --group "job*city" --group income:4
    compare people.tacit people.csv --delta 0.05 --rule montecarlo --seed 7 --no-opt
    make_three three.csv
    tacit fit three.csv --label kind -o three.tacit --quiet
    compare three.tacit three.csv --delta 0,0.1 --threads 2
}

# Values outside their domain and missing ones, and what an imported classifier itself says about them.
case_clipped() {
    make_import outcome
    tacit import "$networks/torch_linear_binary_logit.onnx" --data people.csv --schema schema.json -o new.tacit --quiet
    awk -F, -v OFS=, 'NR > 1 && NR % 2 { $1 += 60 } NR > 1 && NR % 3 == 1 { $1 = "" } { print }' people.csv >old.csv
    compare new.tacit old.csv --delta 0,0.2
}

case_held_out() {
    make_model
    compare people.tacit people.csv --held-out --group city
    compare people.tacit people.csv --train-part
    spoil other.csv 30 1 33
    compare people.tacit other.csv --held-out
    tacit calibrate people.tacit people.csv --held-out --quiet # its people are known again by the hash
    compare people.tacit people.csv --delta 0.1
}

# A column the model does not know, with line feeds, quotes and separators in it; blank lines; CRLF.
case_quoted_line_feeds() {
    make_model
    awk -v q='"' 'NR == 1 { print "note," $0; next }
        { n = NR % 4; note = n == 0 ? "" : n == 1 ? q "two\nlines\n" q : n == 2 ? q q q "a, b" q q "\n\n" q : "plain"
          print note "," $0 (NR % 7 == 0 ? "\n" : "") (NR % 5 == 0 ? "\r" : "") }' people.csv >notes.csv
    compare people.tacit notes.csv --group job
    printf '%s' "$(cat notes.csv)" >no_last_line_feed.csv
    compare people.tacit no_last_line_feed.csv
}

case_more_processes_than_rows() {
    make_model
    head -n 3 people.csv >two.csv
    compare people.tacit two.csv
    head -n 1 people.csv >none.csv
    compare people.tacit none.csv
}

case_several_files() {
    make_model
    for i in 0 1 2; do
        awk -v i=$i 'NR == 1 || NR % 3 == i' people.csv >"$i.csv"
    done
    compare people.tacit 0.csv 1.csv 2.csv --group job
    compare people.tacit 0.csv missing.csv 2.csv
    together 2 tacit audit people.tacit 0.csv 1.csv 2.csv --partial many.part --quiet || fail "a part"
    tacit audit people.tacit 0.csv 1.csv 2.csv --partial one.part --quiet
    same one.part many.part
}

# The first bad row of the file, whoever finds it, and once.
case_bad_rows() {
    make_model
    spoil late.csv 150 2 plenty
    compare people.tacit late.csv
    awk -F, -v OFS=, 'NR == 40 || NR == 150 { $1 = "old" } NR == 100 { $0 = "1,2" } { print }' people.csv >many.csv
    compare people.tacit many.csv
    { head -n 100 people.csv && echo '30,"1500.5,clerk,oslo,yes' && tail -n 30 people.csv; } >unclosed.csv
    compare people.tacit unclosed.csv
}

case_bad_input() {
    make_model
    compare people.tacit missing.csv
    compare missing.tacit people.csv
    compare people.tacit people.csv --group jib
    compare people.tacit people.csv --delta 0.7
    together 2 tacit audit people.tacit people.csv --rows missing/rows.csv >many.out 2>many.err && fail "accepted"
    grep -q '^tacit: cannot write missing/rows.csv' many.err || fail "no word about the folder"
    together 2 tacit audit people.tacit - >many.out 2>many.err && fail "standard input accepted"
    grep -q '^tacit: standard input cannot' many.err || fail "no word about standard input"
    gzip -nc people.csv >people.csv.gz
    together 2 tacit audit people.tacit people.csv.gz >many.out 2>many.err && fail "a packed file accepted"
    grep -q 'people.csv.gz: a packed file cannot be read by several processes' many.err || fail "no word about packing"
    # one of two processes cannot read the model
    cat >one_of_two.sh <<'TEXT'
[ "$OMPI_COMM_WORLD_RANK" = 0 ] || cd /
exec tacit audit people.tacit people.csv --json many.json
TEXT
    together 2 sh one_of_two.sh >many.out 2>many.err && fail "went on without one"
    grep -q '^tacit: process 2 of 2 has given up: cannot read people.tacit' many.err || fail "no word about process 2"
    [ ! -e many.json ] || fail "a report was left behind"
}

case_gates() {
    make_model
    compare people.tacit people.csv --max-mean-asked 0.1
    compare people.tacit people.csv --min-fidelity 0.5
}

# Other commands are run by one process.
case_one_prints() {
    make_model
    together 3 tacit show people.tacit | tr -d '\r' >many.out 2>many.err
    tacit show people.tacit >one.out
    same one.out many.out
    together 2 tacit nonsense >many.out 2>many.err && fail "accepted"
    [ "$(wc -l <many.err)" = 1 ] || fail "not one complaint"
}

# mpirun gives its processes a terminal even where its own output is a file: no colours, whatever NO_COLOR says.
case_no_colours() {
    make_model
    (unset NO_COLOR && TERM=xterm together 2 tacit audit people.tacit people.csv) | tr -d '\r' >many.out
    tacit audit people.tacit people.csv >one.out
    same one.out many.out
}

# Without mpirun nothing of MPI is started.
case_left_alone() {
    make_model
    command -v strace >/dev/null 2>&1 || { echo "skipped: strace is not installed"; exit 77; }
    strace -f -e trace=socket -o trace tacit audit people.tacit people.csv --quiet || fail "audit"
    ! grep -q 'socket(' trace || fail "MPI was started"
}

# Wait until such a file is there, half a minute at most.
wait_for() { # PATTERN
    tries=0
    until [ -n "$(find . -name "$1")" ]; do
        [ $tries -lt 300 ] || fail "nothing happened"
        tries=$((tries + 1))
        sleep 0.1
    done
}

# The process of rank R tells its number in pid.R.
watched() { # N COMMAND...
    cat >watched.sh <<'TEXT'
echo $$ >"new.$OMPI_COMM_WORLD_RANK"
mv "new.$OMPI_COMM_WORLD_RANK" "pid.$OMPI_COMM_WORLD_RANK"
exec "$@"
TEXT
    n=$1
    shift
    mpirun -n "$n" sh watched.sh "$@" </dev/null
}

case_killed() {
    export OMPI_MCA_odls_base_sigkill_timeout=5 # the usual second is short for a last word on a busy machine
    make_model
    awk 'NR == 1 { print; next } { line[NR] = $0 } END {
        for (k = 0; k < 4000; k++) for (i = 2; i <= NR; i++) print line[i] }' people.csv >large.csv
    for rank in 0 1; do
        rm -f pid.*
        watched 3 tacit audit people.tacit large.csv --rule montecarlo --threads 1 --json killed.json \
            --rows killed.rows >many.out 2>many.err &
        job=$!
        wait_for "pid.$rank"
        wait_for '.tacit-*.tmp'
        kill -9 "$(cat pid.$rank)"
        wait $job && fail "exit code 0 although process $rank was killed"
        if [ -e killed.json ] || [ -e killed.rows ]; then
            fail "results were left behind"
        fi
        [ "$rank" = 0 ] || grep -q '^tacit: interrupted, or another process of this run has ended' many.err ||
            fail "no word about it"
        grep -q 'mpirun noticed that process rank '"$rank" many.err || fail "no word from mpirun"
        rm -f .tacit-*.tmp # of the first process, when it is the one that was killed
    done
}

# Split into words where it is used.
experiment="tacit experiment people.csv --label outcome --sizes 2-3 --delta 0,0.1 --hidden 16,16 --quiet"

case_experiment() {
    make_people people.csv
    $experiment --epochs 20 --reps 5 -o one 2>one.err || fail "one process"
    for n in 1 2 3; do
        together $n $experiment --epochs 20 --reps 5 -o many$n 2>many.err || fail "$n processes"
        same one/results.csv many$n/results.csv
        same one/summary.json many$n/summary.json
        [ "$(ls -A one)" = "$(ls -A many$n)" ] || fail "other files"
    done
    together 2 $experiment --epochs 20 --reps 5 -o many2 --resume 2>many.err || fail "nothing to do"
    together 2 $experiment --sizes 2-90 -o bad 2>many.err && fail "accepted"
    [ ! -e bad ] || fail "a folder was left behind"
}

case_experiment_killed() {
    unset OMPI_MCA_odls_base_sigkill_timeout
    make_people people.csv
    $experiment --epochs 100 --reps 60 -o one 2>one.err || fail "one process"
    watched 3 $experiment --epochs 100 --reps 60 -o many --threads 1 2>many.err &
    job=$!
    wait_for journal.1.jsonl
    until [ "$(wc -l <many/journal.1.jsonl)" -gt 2 ]; do sleep 0.05; done
    kill -9 "$(cat pid.1)"
    wait $job && fail "exit code 0 although a process was killed"
    [ -e many/journal.jsonl ] || fail "no journal"
    [ ! -e many/results.csv ] || fail "results were left behind"
    together 2 $experiment --epochs 100 --reps 60 -o many --resume 2>many.err || fail "cannot go on"
    same one/results.csv many/results.csv
    same one/summary.json many/summary.json
    [ "$(ls -A one)" = "$(ls -A many)" ] || fail "journals were left behind"
}

"case_$case_name"
