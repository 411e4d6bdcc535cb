#!/bin/sh
# Builds Tacit without what can be left out: without everything, then without pages, MPI, the server and the benchmarks
# in turn, each with all the others.  All of it must link, and tests that could notice must pass.
#
#   tools/check-builds.sh BUILD_FOLDER
#
# All builds are made in one folder, one after the other: no option changes how a file is compiled except the few files
# that are about it, so after the first build little more than linking is left.  What is there afterwards is a build
# with everything, apart from the benchmarks, which whoever wants them adds.
set -eu
folder=${1:?usage: tools/check-builds.sh BUILD_FOLDER}
cd "$(dirname "$0")/.."
jobs=$(nproc 2>/dev/null || echo 2)
export TACIT_TEST_SCALE="${TACIT_TEST_SCALE:-0.1}"

# Tests of programs that are the same with and without are left to `make test`.
try() { # WHAT TESTS OPTIONS...
    what=$1 tests=$2
    shift 2
    echo "--- $what"
    # Options of the build before are not remembered.
    cmake --preset release -B "$folder" -DTACIT_TESTS=ON -DTACIT_BENCH=ON -DTACIT_WEB=ON -DTACIT_WEB_DIST= \
        -DTACIT_MPI=AUTO -DTACIT_SERVER=AUTO -DTACIT_PYTHON=ON "$@" >/dev/null
    cmake --build "$folder" --parallel "$jobs"
    ctest --test-dir "$folder" --output-on-failure --no-tests=error --parallel "$jobs" -R "$tests"
}

usage='^cli/(bad_no_|bad_serve_no_|good_help)|^checks/(man-options|readme-runs|symbols)'
try "without all of it" "$usage|^(unit|golden|fuzz|examples)/|^checks/(install|man-examples)|^cli/good_(experiment|demo)" \
    -DTACIT_BENCH=OFF -DTACIT_WEB=OFF -DTACIT_MPI=OFF -DTACIT_SERVER=OFF -DTACIT_PYTHON=OFF
try "without pages" "$usage|^server/test_server|^unit/test_(pages|experiment_report|api)|^cli/good_experiment" \
    -DTACIT_WEB=OFF
try "without MPI" "$usage|^mpi/one_prints" -DTACIT_MPI=OFF
try "without the server" "$usage|^mpi/one_prints" -DTACIT_SERVER=OFF
try "without benchmarks" "$usage|^prop/test_(literal|network|grid)$" -DTACIT_BENCH=OFF
