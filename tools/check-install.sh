#!/bin/sh
# Install into an empty folder and use it from there the two ways a stranger would: pkg-config and find_package.
# Each compiles the examples; audit and train are run on the demo's files.  Programs that do not train and do not import
# must not need, not even through other libraries, what only training, import, server or mpirun need.  Each header stands
# alone, in C99 and in C++98, without a warning.
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

# Strangers' compilers may be older than ours, and a header may be all that they take.
for header in "$prefix"/include/tacit.h "$prefix"/include/tacit/*.h; do
    $cc -std=c99 -pedantic -Wall -Wextra -Werror -fsyntax-only -x c "$header"
    if command -v c++ >"$tree/log"; then
        c++ -std=c++98 -pedantic -Wall -Wextra -Werror -fsyntax-only -x c++ "$header"
    fi
done

# The Python package finds the libraries beside it, wherever the tree lies.
package=$(find "$prefix" -type d -name tacit -path '*-packages/tacit')
if [ -n "$package" ] && command -v python3 >/dev/null; then
    env -u TACIT_LIBRARY PYTHONPATH="$(dirname "$package")" python3 -B -c 'import sys, tacit
assert tacit.__file__.startswith(sys.argv[1]), tacit.__file__
tacit.load(sys.argv[2]).audit(sys.argv[3], deltas=[0])' "$prefix" "$demo/loans.tacit" "$demo/loans.csv"
    echo "the Python package works"
fi

# What serves strangers: position-independent, nothing that is linked can be changed later, the stack watched, calls of
# the C library checked where their sizes are known; and no MPI in it.
check_hardened() { # PROGRAM
    readelf -hW "$1" | grep -q 'Type: *DYN' || { echo "not position-independent" >&2; exit 1; }
    readelf -lW "$1" | grep -q 'GNU_RELRO' || { echo "no RELRO" >&2; exit 1; }
    readelf -dW "$1" | grep -q 'FLAGS.*NOW' || { echo "RELRO is not full" >&2; exit 1; }
    readelf -lW "$1" | grep 'GNU_STACK' | grep -q 'RW ' || { echo "the stack can be executed" >&2; exit 1; }
    readelf --dyn-syms -W "$1" >"$tree/symbols"
    grep -q '__stack_chk_fail' "$tree/symbols" || { echo "no stack protector" >&2; exit 1; }
    grep -q '__[a-z]*printf_chk\|__memcpy_chk' "$tree/symbols" || { echo "calls are not fortified" >&2; exit 1; }
    echo "  $(basename "$1") is position-independent, with full RELRO, stack protector and fortified calls"
}
if ldd "$prefix/bin/tacit" | grep -E 'libmpi|libopen-'; then
    echo "tacit, which serves strangers, is loaded with MPI" >&2
    exit 1
fi
if [ "${TACIT_HARDENED:-yes}" = yes ]; then
    check_hardened "$prefix/bin/tacit"
fi

# What a program is loaded with, by what only others may need.
check_light() { # PROGRAM
    ldd "$1" >"$tree/loaded"
    grep -q 'libjansson' "$tree/loaded" # the list is one
    if grep -E 'lib(lbfgs|protobuf-c|mpi|gnutls|microhttpd|tacit-train|tacit-import)[.-]|not found' "$tree/loaded" >&2; then
        echo "$(basename "$1") needs the libraries above" >&2
        exit 1
    fi
    echo "  $(basename "$1") is loaded with: $(awk '{ print $1 }' "$tree/loaded" | sed 's|.*/||' | sort | tr '\n' ' ')"
}

run_train() { # PROGRAM
    "$1" "$demo/loans.csv" outcome "$tree/trained.tacit" >"$tree/out"
    grep -q 'people to learn from' "$tree/out" && [ -s "$tree/trained.tacit" ]
}

run_import() { # PROGRAM: it is told of a file that is not there
    "$1" && exit 1
    [ $? -eq 3 ]
}

run_audit() { # PROGRAM
    "$1" "$demo/loans.tacit" "$demo/loans.csv" >"$tree/out"
    grep -q 'fidelity 1.0000' "$tree/out"
}

echo "pkg-config"
export PKG_CONFIG_PATH="$lib/pkgconfig"
pkg-config --exists --print-errors tacit tacit-train tacit-import
cat >"$tree/import.c" <<TEXT
#include <tacit.h>
int main(void)
{
    tacit_table *table = 0;
    tacit_schema *schema = 0;
    tacit_model *model = 0;
    tacit_infer_options infer = {.label = "outcome"};
    tacit_error err = {0};
    if (tacit_table_read(&table, "$demo/loans.csv", 0, 1, &err) || tacit_schema_infer(&schema, table, &infer, &err))
        return 1;
    int missing = tacit_import(&model, "$tree/none.onnx", table, schema, 0, &err) == TACIT_E_IO;
    tacit_schema_free(schema);
    tacit_table_free(table);
    return missing ? 3 : 2;
}
TEXT
compile() { # PROGRAM SOURCE PACKAGE
    # shellcheck disable=SC2046,SC2086
    $cc -std=c17 -Wall -Wextra -Werror $flags -o "$tree/$1" "$2" $(pkg-config --cflags --libs "$3") -Wl,-rpath,"$lib"
}
compile session "$top/examples/session.c" tacit
compile audit "$top/examples/audit.c" tacit
compile columns "$top/examples/columns.c" tacit-train
compile train "$top/examples/train.c" tacit-train
compile import "$tree/import.c" tacit-import
check_light "$tree/session"
check_light "$tree/audit"
"$tree/columns" >"$tree/out"
run_audit "$tree/audit"
run_train "$tree/train"
run_import "$tree/import"

echo "pkg-config --static"
compile_static() { # PROGRAM SOURCE PACKAGE
    # shellcheck disable=SC2046,SC2086
    $cc -std=c17 $flags -o "$tree/$1" "$2" $(pkg-config --cflags "$3") \
        $(pkg-config --static --libs "$3" | sed -E "s|-l(tacit[a-z-]*)|$lib/lib\\1.a|g")
}
compile_static static_session "$top/examples/session.c" tacit
compile_static static_audit "$top/examples/audit.c" tacit
compile_static static_train "$top/examples/train.c" tacit-train
compile_static static_import "$tree/import.c" tacit-import
check_light "$tree/static_session"
check_light "$tree/static_audit"
run_audit "$tree/static_audit"
run_train "$tree/static_train"
run_import "$tree/static_import"

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
add_executable(train "$top/examples/train.c")
target_link_libraries(train PRIVATE tacit::train)
add_executable(import "$tree/import.c")
target_link_libraries(import PRIVATE tacit::import)
TEXT
cmake -S "$tree/user" -B "$tree/user/build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$cc" \
    -DCMAKE_C_FLAGS="$flags" >"$tree/log"
cmake --build "$tree/user/build" >"$tree/log"
check_light "$tree/user/build/session"
run_audit "$tree/user/build/audit"
run_train "$tree/user/build/train"
run_import "$tree/user/build/import"
echo "an installed tree works"
