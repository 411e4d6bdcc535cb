#!/bin/sh
# Man pages against mandoc's linter and against the program.
#
#   tools/check-man.sh lint MAN_FOLDER
#   tools/check-man.sh options MAN_FOLDER TACIT    every long option in COMMAND --help is in its page, and the reverse
#   tools/check-man.sh examples MAN_FOLDER TACIT DEMO_FOLDER    the lines that start with "$ " run
#
# Exit code 77: cannot be checked here, and why.
set -eu
what=$1
pages=$(cd "$2" && pwd)
failed=0

if ! command -v mandoc >/dev/null 2>&1; then
    echo "mandoc is not installed (tools/setup.sh test)"
    exit 77
fi

check_options() { # TACIT
    commands=$("$1" help | awk '/^Commands/ { inside = 1; next } inside && /^ *$/ { exit } inside { print $1 }')
    [ -n "$commands" ] || { echo "no commands in 'tacit help'" >&2; exit 1; }
    for command in $commands; do
        page=$pages/tacit-$command.1
        if ! [ -f "$page" ]; then
            echo "no man page: tacit-$command.1" >&2
            failed=1
            continue
        fi
        # The program: options open a line of the help.  The page: items of its option lists.
        told=$("$1" "$command" --help | sed -n 's/^  \(-., \)\{0,1\}--\([a-z0-9-]*\).*/\2/p' | sort -u)
        written=$(awk '/^\.It / { while (match($0, /Fl -[a-z0-9-]+/)) {
            print substr($0, RSTART + 4, RLENGTH - 4); $0 = substr($0, RSTART + RLENGTH) } }' "$page" | sort -u)
        for option in $told; do
            echo "$written" | grep -qx -e "$option" ||
                { echo "tacit-$command.1 lacks --$option" >&2; failed=1; }
        done
        for option in $written; do
            [ "$option" = help ] || echo "$told" | grep -qx -e "$option" ||
                { echo "tacit-$command.1 has --$option, the program has not" >&2; failed=1; }
        done
        grep -qF "tacit-$command 1" "$pages/tacit.1" || { echo "tacit.1 does not name tacit-$command" >&2; failed=1; }
    done
}

run_examples() { # TACIT DEMO_FOLDER
    PATH=$(cd "$(dirname "$1")" && pwd):$PATH
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    cp "$2"/loans.* "$folder"
    count=0
    leave_out='^$' # a program without pages cannot write any; all else is the same
    if tacit audit none none --report none.html 2>&1 | grep -q 'built without them'; then
        leave_out=' --report [^ ]*'
    fi
    for page in "$pages"/*.1; do
        sed -n 's/^\$ //p' "$page" | sed -e 's/\\e/\\/g' -e "s/$leave_out//" >"$folder/lines"
        while read -r line <&3; do
            count=$((count + 1))
            (cd "$folder" && sh -eu -c "$line" >out 2>&1 </dev/null) || {
                echo "$(basename "$page"): $line" >&2
                cat "$folder/out" >&2
                failed=1
            }
        done 3<"$folder/lines"
    done
    [ "$count" -gt 0 ] || { echo "no examples found" >&2; failed=1; }
    echo "$count examples of the man pages run"
}

case $what in
lint) mandoc -T lint -W warning "$pages"/*.1 || failed=1 ;;
options) check_options "$3" ;;
examples) run_examples "$3" "$4" ;;
*) exit 2 ;;
esac
exit "$failed"
