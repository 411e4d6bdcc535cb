#!/bin/sh
# Install what building Tacit needs, and only what is missing.
#
#   tools/setup.sh [build|python|test|dev]
#
# build  compiler, CMake, libraries, and Node.js for the pages (the default)
# python the same, and what the wheel is made with
# test   the same, the test library, the man page linter, a browser, and what the Python package is tested with
# dev    the same, clang with its sanitizers, fuzzer, formatter and linter, and nginx, before which servers are tested
#
# Nothing happens when everything is there: no network, no root.  On systems without apt the script says what
# is needed and checks nothing.
set -eu

build_packages="gcc libc6-dev make cmake ninja-build pkg-config liblbfgs-dev libjansson-dev libsodium-dev
    libprotobuf-c-dev protobuf-c-compiler zlib1g-dev libzstd-dev libgnutls28-dev nodejs npm"
python_packages="python3 binutils patchelf"
test_packages="libcmocka-dev libmicrohttpd-dev mandoc chromium libopenmpi-dev openmpi-bin strace zstd
    python3-venv python3-pip python3-pandas python3-sklearn python3-xgboost mypy"
dev_packages="clang clang-format clang-tidy libclang-rt-dev libomp-dev nginx yamllint"

level=${1:-build}
case $level in
build) packages=$build_packages ;;
python) packages="$build_packages $python_packages" ;;
test) packages="$build_packages $python_packages $test_packages" ;;
dev) packages="$build_packages $python_packages $test_packages $dev_packages" ;;
*)
    echo "usage: tools/setup.sh [build|python|test|dev]" >&2
    exit 2
    ;;
esac

if ! command -v dpkg-query >/dev/null 2>&1 || ! command -v apt-get >/dev/null 2>&1; then
    cat >&2 <<TEXT
tools/setup.sh knows Debian and its relatives only.  Please install, by the names your system uses:
    $packages
that is: a C17 compiler with OpenMP, CMake 3.25 or newer, Ninja, pkg-config, libLBFGS, Jansson, libsodium, zlib, libzstd,
GnuTLS, protobuf-c with its compiler, Node.js 18 or newer with npm, for "python" Python 3.9 or newer and patchelf, and for
"test" cmocka, libmicrohttpd, mandoc, Chromium, Open MPI, strace, zstd, and Python's venv, pip, pandas, scikit-learn,
XGBoost and mypy; for "dev" clang, nginx and yamllint.  Then run make with SETUP=no.
TEXT
    exit 3
fi

# Some programs are often installed without apt: found on the PATH is good enough.
on_path() { # PACKAGE
    case $1 in
    nodejs) command -v node ;;
    npm | chromium | nginx) command -v "$1" ;;
    *) false ;;
    esac >/dev/null 2>&1
}

missing=
for package in $packages; do
    if on_path "$package"; then
        continue
    fi
    state=$(dpkg-query -W -f='${db:Status-Status} ' "$package" 2>/dev/null || true)
    case " $state" in
    *" installed "*) ;;
    *) missing="$missing $package" ;;
    esac
done
if [ -z "$missing" ]; then
    exit 0
fi

as_root=
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
        echo "tools/setup.sh: not root and no sudo; please run as root: apt-get install$missing" >&2
        exit 3
    fi
    as_root="sudo"
fi
echo "tools/setup.sh: installing$missing" >&2
# Word splitting is meant: lists of package names.
# shellcheck disable=SC2086
{
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get -q update >&2
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y install --no-install-recommends $missing >&2
}
