#!/bin/sh
# Do the documents hold together?  Links lead to files and headings that are there, the list at the head of METHOD.md is
# that of its sections, and sections, lemmas, theorems and functions that documents or comments name are there.
#
#   tools/check-docs.sh [FOLDER]      the folder of the project; usually the one that this script is in
set -eu
cd "${1:-$(dirname "$0")/..}"
documents=$(find . docs -maxdepth 1 -name "*.md" | sed "s|^[.]/||" | sort -u)
sources=$(find include src cli server -name '*.[ch]' | sort)
failed=0

complain() { # TITLE LINES
    if [ -n "$2" ]; then
        echo "documents: $1:" >&2
        echo "$2" | sed 's/^/    /' >&2
        failed=1
    fi
}

# "FILE ANCHOR" for every heading, as GitHub makes them: small letters, blanks to hyphens, no punctuation.
list_anchors() {
    # shellcheck disable=SC2046,SC2086
    awk '
        FNR == 1 { code = 0 }
        /^```/ { code = !code }
        !code && /^#+ / {
            text = tolower($0)
            sub(/^#+ +/, "", text)
            gsub(/[][!"#$%&()*+,.\/:;<=>?@\\^`{|}~\047]/, "", text)
            gsub(/’|“|”|–|—|…/, "", text)
            gsub(/ /, "-", text)
            print FILENAME, text (seen[FILENAME, text]++ ? "-" seen[FILENAME, text] - 1 : "")
        }' $documents
}

# "FILE:LINE TARGET" for every link to something of ours.
list_links() {
    # shellcheck disable=SC2046,SC2086
    awk '
        FNR == 1 { code = 0 }
        /^```/ { code = !code }
        !code {
            line = $0
            while (match(line, /\]\([^) ]+\)|(src|href)="[^"]+"/)) {
                target = substr(line, RSTART, RLENGTH)
                line = substr(line, RSTART + RLENGTH)
                gsub(/^\]\(|\)$|^(src|href)="|"$/, "", target)
                if (target !~ /^[a-z]+:/)
                    print FILENAME ":" FNR, target
            }
        }' $documents
}

anchors=$(list_anchors)
complain "links that lead nowhere" "$(list_links | while read -r place target; do
    file=${place%%:*}
    case $target in
    '#'*) to=$file ;;
    *) to=$(realpath -m --relative-to=. "$(dirname "$file")/${target%%#*}") ;;
    esac
    [ -e "$to" ] || { echo "$place: $target"; continue; }
    case $target in
    *.md'#'* | '#'*) echo "$anchors" | grep -qxF "$to ${target#*#}" || echo "$place: $target" ;;
    esac
done)"

complain "sections of METHOD.md that its list has otherwise (<: the list, >: the sections)" "$(
    listed=$(mktemp)
    trap 'rm -f "$listed"' EXIT
    sed -nE 's/^([0-9]+\.) \[(.*)\]\(#.*\)$/\1 \2/p' docs/METHOD.md >"$listed"
    sed -n 's/^## //p' docs/METHOD.md | diff "$listed" - || true)"

# shellcheck disable=SC2046,SC2086
complain "statements and sections of METHOD.md that are not there" "$(awk '
    FNR == NR {
        if (match($0, /^> \*\*(Lemma|Theorem|Proposition|Corollary) [0-9]+[a-z]?/)) {
            split(substr($0, RSTART, RLENGTH), words, " ")
            there[substr(words[2], 3) " " words[3]]
        } else if (/^## [0-9]+\./)
            there["section " ($2 + 0)]
        next
    }
    # The numbers of the paper are its own; so are those of standards.
    /[Pp]aper|RFC/ { next }
    FILENAME ~ /\.md$/ || /METHOD/ {
        line = $0
        while (match(line, /(Lemma|Theorem|Proposition|Corollary) [0-9]+[a-z]?|sections? [0-9]+( (to|and) [0-9]+)?/)) {
            found = substr(line, RSTART, RLENGTH)
            line = substr(line, RSTART + RLENGTH)
            n = split(found, words, " ")
            for (k = 2; k <= n; k += 2) {
                name = (found ~ /^section/ ? "section " : words[1] " ") words[k]
                if (!(name in there))
                    print FILENAME ":" FNR ": " name
            }
        }
    }' docs/METHOD.md $documents $sources)"

# Functions, types, constants and options of the build.  `noun_verb` stands for all of them.
list_names() {
    grep -ohE '\b((tacit|tct|srv|cli)_[a-z0-9_]+|T(ACIT|CT)_[A-Z0-9_]+)\b' "$@" | sort -u
}
complain "names that are nowhere in the code" "$(
    known=$(mktemp)
    trap 'rm -f "$known"' EXIT
    # shellcheck disable=SC2046,SC2086
    list_names $sources $(find tests bench fuzz examples python/tacit -name '*.[ch]' -o -name '*.py') CMakeLists.txt \
        */CMakeLists.txt cmake/* tools/* .ci/run >"$known"
    # shellcheck disable=SC2046,SC2086
    list_names $(echo "$documents" | grep -v CHANGELOG) | grep -vE '_noun_verb$|_$' | comm -23 - "$known")"

[ "$failed" -eq 0 ] && echo "documents: they hold together"
exit "$failed"
