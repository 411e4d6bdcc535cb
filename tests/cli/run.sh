#!/bin/sh
# Runs one case of tests/cli: run.sh TACIT CASE.test
#
# A case is a shell script whose head says what must come out:
#   #: exit N          exit code of the script, that is of its last command
#   #: stdout ERE      some line of standard output matches; may be given again
#   #: stderr ERE      the same for standard error
#   #: no-stdout ERE   no line matches
#   #: golden          standard output is exactly CASE.out
#   #: secret TEXT     appears neither in standard output nor in standard error
#   #: files NAMES     what lies in the folder at the end, hidden files too, in the order of ls in the C locale
#   #: equal A B       the two files have the same bytes
#   #: talk            standard error may have any number of lines
# Without `talk`: exit code 2, 3 or 4 goes with exactly one line on standard error that starts with "tacit: ", and
# exit code 0 with none.  A line "tacit: FILE: N problems:" is followed by one line for each, which begins with two
# blanks.  Every case runs in an empty folder of its own.  Functions of fixtures.sh are there.
set -u
tacit=$1
case_file=$2
here=$(cd "$(dirname "$0")" && pwd)
bin=$(cd "$(dirname "$tacit")" && pwd)
case_file=$(cd "$(dirname "$case_file")" && pwd)/$(basename "$case_file")
root=$(mktemp -d) || exit 1
trap 'chmod -R u+rwx "$root"; rm -rf "$root"' EXIT
mkdir "$root/folder" "$root/tmp"
failures=0

complain() {
    printf 'FAILED %s: %s\n' "$(basename "$case_file" .test)" "$1"
    failures=$((failures + 1))
}

tell() { # KEY: values of the directive, one a line
    sed -n "s/^#: $1 //p" "$case_file"
}

has() {
    grep -q "^#: $1\$" "$case_file"
}

export LC_ALL=C.UTF-8 NO_COLOR=1 TMPDIR="$root/tmp" PATH="$bin:$PATH"
unset COLUMNS
(
    cd "$root/folder" || exit 99
    . "$here/fixtures.sh"
    . "$case_file"
) >"$root/out" 2>"$root/err" </dev/null
code=$?

[ "$code" = "$(tell exit)" ] || complain "exit code $code, expected $(tell exit)"
if ! has talk; then
    lines=$(wc -l <"$root/err")
    case $code in
    0) [ "$lines" -eq 0 ] || complain "standard error is not empty" ;;
    1) ;;
    *)
        problems=$(sed -n '1s/^tacit: .*: \([0-9][0-9]*\) problems:$/\1/p' "$root/err")
        [ "$lines" -eq $((1 + ${problems:-0})) ] && head -n 1 "$root/err" | grep -q '^tacit: ' ||
            complain "standard error is not one line 'tacit: ...', nor a list of as many problems as it says"
        [ "$(tail -n +2 "$root/err" | grep -cv '^  [^ ]')" -eq 0 ] || complain "a line of the list is not indented"
        ;;
    esac
fi
! grep -q -e Sanitizer -e 'runtime error' "$root/err" || complain "a sanitizer spoke up"
if has golden; then
    golden="${case_file%.test}.out"
    if [ "${TACIT_UPDATE_GOLDEN:-}" = 1 ]; then
        cp "$root/out" "$golden"
    fi
    diff -u "$golden" "$root/out" || complain "standard output differs from $(basename "$golden")"
fi
tell stdout >"$root/list"
while IFS= read -r pattern; do
    grep -qE -- "$pattern" "$root/out" || complain "no line of standard output matches $pattern"
done <"$root/list"
tell stderr >"$root/list"
while IFS= read -r pattern; do
    grep -qE -- "$pattern" "$root/err" || complain "no line of standard error matches $pattern"
done <"$root/list"
tell no-stdout >"$root/list"
while IFS= read -r pattern; do
    ! grep -qE -- "$pattern" "$root/out" || complain "a line of standard output matches $pattern"
done <"$root/list"
tell secret >"$root/list"
while IFS= read -r text; do
    ! grep -qF -- "$text" "$root/out" "$root/err" || complain "a value was printed: $text"
done <"$root/list"
if grep -q '^#: files' "$case_file"; then
    found=$(cd "$root/folder" && LC_ALL=C ls -A | tr '\n' ' ' | sed 's/ $//')
    [ "$found" = "$(tell files)" ] || complain "files are '$found', expected '$(tell files)'"
fi
tell equal >"$root/list"
while read -r a b; do
    cmp "$root/folder/$a" "$root/folder/$b" || complain "$a and $b differ"
done <"$root/list"
[ -z "$(ls -A "$root/tmp")" ] || complain "something was left in TMPDIR"

if [ "$failures" -ne 0 ]; then
    printf -- '--- standard output\n'
    head -c 4000 "$root/out"
    printf -- '--- standard error\n'
    head -c 2000 "$root/err"
    exit 1
fi
