#!/bin/sh
# Check what leaves the libraries.  A shared one exports every function that its headers declare, as tacit_*, and
# nothing else; libtacit.so also tct_* names under a version of their own, exactly those that the others need.  A static
# one has no global name outside tacit_* and tct_*.
#
#   tools/check-symbols.sh BUILD_FOLDER
set -eu

folder=${1:?usage: tools/check-symbols.sh BUILD_FOLDER}/src
headers=$(dirname "$0")/../include/tacit
of_train="fit experiment necessity"
of_import="import"
failed=0

complain() { # TITLE NAMES
    if [ -n "$2" ]; then
        echo "$1:" >&2
        echo "$2" | sed 's/^/    /' >&2
        failed=1
    fi
}

names() { # WHAT LIBRARY: names of a shared library with their versions, "defined" or "undefined"
    nm -D --"$1"-only --format=posix "$folder/$2.so" | awk '{ print $1 }' | grep -E '^(tacit|tct)_|@@' | sort -u
}

paths_of() { # NAME...
    for name in "$@"; do echo "$headers/$name.h"; done
}

# A declaration's name is the last word before the first parenthesis, or bracket of a table, that follows TACIT_API.
declared_in() { # FILE...
    cat "$@" | grep -v '^ *#' | tr '\n' ' ' | grep -o 'TACIT_API [^(;[]*[([]' | sed 's/^.*[ *]\(tacit_[a-z0-9_]*\)[([]$/\1/' |
        sort -u
}

check() { # LIBRARY HEADER...
    library=$1
    shift
    declared=$(declared_in "$@")
    all=$(nm -D --defined-only --format=posix "$folder/$library.so" | awk '$2 != "A" { print $1 }' | sort -u)
    exported=$(echo "$all" | grep -v '@@TACIT_INSIDE_' | sed 's/@.*//')
    global=$(nm -g --defined-only --format=posix "$folder/$library.a" 2>/dev/null | awk 'NF > 2 { print $1 }' | sort -u)
    if [ -z "$exported" ] || [ -z "$declared" ] || [ -z "$global" ]; then
        echo "tools/check-symbols.sh: no symbols found in $folder/$library or in its headers" >&2
        exit 1
    fi
    complain "exported from $library.so but not tacit_*" "$(echo "$exported" | grep -v '^tacit_' || true)"
    complain "exported from $library.so but not declared in its headers" \
        "$(echo "$exported" | grep -vxF "$declared" || true)"
    complain "declared in its headers but not exported from $library.so" \
        "$(echo "$declared" | grep -vxF "$exported" || true)"
    # Names with a leading double underscore are the compiler's (sanitizers, coverage); OpenMP makes a lock, named after
    # the section, for every named critical section.
    complain "global in $library.a but neither tacit_* nor tct_*" \
        "$(echo "$global" | grep -Ev '^(\.gomp_critical_user_)?(tacit_|tct_)|^__' || true)"
    [ "$failed" -ne 0 ] || echo "$library.so exports $(echo "$exported" | wc -l) names, all in its headers"
}

# shellcheck disable=SC2046,SC2086
others=$(ls "$headers"/*.h | grep -vxF "$(paths_of $of_train $of_import)")
# shellcheck disable=SC2086
check libtacit "$headers.h" $others
# shellcheck disable=SC2046,SC2086
check libtacit-train $(paths_of $of_train)
# shellcheck disable=SC2046,SC2086
check libtacit-import $(paths_of $of_import)

given=$(names defined libtacit | grep '@@TACIT_INSIDE_' | sed 's/@.*//')
taken=$(for library in libtacit-train libtacit-import; do names undefined $library; done | grep '^tct_' | sed 's/@.*//' | sort -u)
complain "exported from libtacit.so for the other libraries, which do not need it" "$(echo "$given" | grep -vxF "$taken" || true)"
complain "needed from libtacit.so by the other libraries, but not exported" "$(echo "$taken" | grep -vxF "$given" || true)"
complain "exported from libtacit.so for the other libraries but not tct_*" "$(echo "$given" | grep -v '^tct_' || true)"
[ "$failed" -ne 0 ] || echo "libtacit.so gives the others $(echo "$given" | wc -l) names from inside"
exit $failed
