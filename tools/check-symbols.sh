#!/bin/sh
# Check what leaves the library: the shared one exports tacit_* and nothing else, and every function that
# tacit.h declares; the static one has no global name outside tacit_* and tct_*.
#
#   tools/check-symbols.sh BUILD_FOLDER
set -eu

folder=${1:?usage: tools/check-symbols.sh BUILD_FOLDER}
headers=$(dirname "$0")/../include
shared=$folder/src/libtacit.so
static=$folder/src/libtacit.a
failed=0

complain() { # TITLE NAMES
    if [ -n "$2" ]; then
        echo "$1:" >&2
        echo "$2" | sed 's/^/    /' >&2
        failed=1
    fi
}

exported=$(nm -D --defined-only --format=posix "$shared" | awk '{ print $1 }' | sort -u)
# A declaration's name is the last word before the first parenthesis that follows TACIT_API.
declared=$(cat "$headers"/tacit.h "$headers"/tacit/*.h | grep -v '^ *#' | tr '\n' ' ' | grep -o 'TACIT_API [^(;]*(' | sed 's/^.*[ *]\(tacit_[a-z0-9_]*\)($/\1/' | sort -u)
global=$(nm -g --defined-only --format=posix "$static" 2>/dev/null | awk 'NF > 2 { print $1 }' | sort -u)

if [ -z "$exported" ] || [ -z "$declared" ] || [ -z "$global" ]; then
    echo "tools/check-symbols.sh: no symbols found in $shared, $static or $headers" >&2
    exit 1
fi
complain "exported from libtacit.so but not tacit_*" "$(echo "$exported" | grep -v '^tacit_' || true)"
complain "exported from libtacit.so but not declared in tacit.h" \
    "$(echo "$exported" | grep -vxF "$declared" || true)"
complain "declared in tacit.h but not exported from libtacit.so" \
    "$(echo "$declared" | grep -vxF "$exported" || true)"
# Names with a leading double underscore are the compiler's (sanitizers, coverage); OpenMP makes a lock, named after
# the section, for every named critical section.
complain "global in libtacit.a but neither tacit_* nor tct_*" \
    "$(echo "$global" | grep -Ev '^(\.gomp_critical_user_)?(tacit_|tct_)|^__' || true)"
if [ "$failed" -eq 0 ]; then
    echo "libtacit.so exports $(echo "$exported" | wc -l) names, all tacit_* and all in tacit.h"
fi
exit $failed
