#!/bin/sh
# Install into an empty folder and use it from there the two ways a stranger would: pkg-config and find_package.
# Each compiles examples/session.c and examples/audit.c, and the audit is run on the demo's files.
#
#   tools/check-install.sh BUILD_FOLDER DEMO_FOLDER CC [C_FLAGS]
set -eu
build=$1
demo=$2
cc=$3
flags=${4:-}
top=$(cd "$(dirname "$0")/.." && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT

# A prefix under a staging folder: nothing may remember where it was built or staged.
DESTDIR=$tree cmake --install "$build" --prefix /opt/tacit >"$tree/log"
prefix=$tree/opt/tacit
lib=$(dirname "$(find "$prefix" -name 'libtacit.so')")
for file in bin/tacit include/tacit.h include/tacit/audit.h share/man/man1/tacit.1 share/man/man1/tacit-audit.1; do
    [ -f "$prefix/$file" ] || { echo "not installed: $file" >&2; exit 1; }
done
[ "$(env LD_LIBRARY_PATH= "$prefix/bin/tacit" version | head -n 1)" ] || exit 1
if grep -rlF -e "$top" -e "$build" "$prefix/include" "$lib/pkgconfig" "$lib/cmake" >&2; then
    echo "the files above name a folder of this machine" >&2
    exit 1
fi

run_audit() { # PROGRAM
    "$1" "$demo/loans.tacit" "$demo/loans.csv" >"$tree/out"
    grep -q 'fidelity 1.0000' "$tree/out"
}

echo "pkg-config"
export PKG_CONFIG_PATH="$lib/pkgconfig"
pkg-config --exists --print-errors tacit
for example in session audit; do
    # shellcheck disable=SC2046,SC2086
    $cc -std=c17 -Wall -Wextra -Werror $flags -o "$tree/$example" "$top/examples/$example.c" \
        $(pkg-config --cflags --libs tacit) -Wl,-rpath,"$lib"
done
run_audit "$tree/audit"

echo "pkg-config --static"
# shellcheck disable=SC2046,SC2086
$cc -std=c17 $flags -o "$tree/static" "$top/examples/audit.c" $(pkg-config --cflags tacit) "$lib/libtacit.a" \
    $(pkg-config --static --libs-only-L --libs-only-other --libs-only-l tacit | sed 's/-ltacit\b//')
run_audit "$tree/static"

echo "find_package"
mkdir "$tree/user"
cat >"$tree/user/CMakeLists.txt" <<TEXT
cmake_minimum_required(VERSION 3.25)
project(user C)
find_package(tacit 0.1 REQUIRED)
add_executable(session "$top/examples/session.c")
add_executable(audit "$top/examples/audit.c")
target_link_libraries(session PRIVATE tacit::tacit)
target_link_libraries(audit PRIVATE tacit::tacit)
TEXT
cmake -S "$tree/user" -B "$tree/user/build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$cc" \
    -DCMAKE_C_FLAGS="$flags" >"$tree/log"
cmake --build "$tree/user/build" >"$tree/log"
run_audit "$tree/user/build/audit"
echo "an installed tree works"
