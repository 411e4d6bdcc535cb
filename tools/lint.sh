#!/bin/sh
# The house rules (seconds), then clang-tidy over all of our C files (minutes).
#
#   tools/lint.sh --rules         the house rules only
#   tools/lint.sh BUILD_FOLDER    both; the folder holds compile_commands.json
#
# Nine tenths of the time go to the analyzer, which follows the paths of a function until it has seen LINT_NODES states:
# 75000, or 225000 at half the speed; .ci/run is content with 20000 at twice the speed and more.
set -eu
what=${1:?usage: tools/lint.sh --rules | BUILD_FOLDER}
cd "$(dirname "$0")/.."
failed=0

complain() { # TITLE LINES
    if [ -n "$2" ]; then
        echo "lint: $1:" >&2
        echo "$2" | sed 's/^/    /' >&2
        failed=1
    fi
}

# "FILE:LINE HEADER" for everything the C files of a folder include that is not of the system.
list_includes() { # FOLDER
    find "$1" -name '*.[ch]' | sort | xargs grep -noE '^#include "[^"]+"' /dev/null | sed 's/:#include "/ /; s/"$//'
}

code=$(find include src cli server tests fuzz bench examples -name '*.[ch]' | sort)
text=$(find . -path ./.git -prune -o -path ./build -prune -o -name node_modules -prune -o -type f \
    \( -name '*.[ch]' -o -name '*.md' -o -name '*.sh' -o -name '*.txt' -o -name '*.cmake' -o -name '*.1' -o -name '*.py' \
    -o -name Makefile -o -path './.ci/*' \) -print | sort)

# shellcheck disable=SC2086
{
    complain "functions we do not use (see CONTRIBUTING.md)" \
        "$(grep -nE '\b(strcpy|strcat|sprintf|vsprintf|strtok|atoi|atof|atol|rand|srand|alloca|gets)\(' $code || true)"
    complain "unfinished work" "$(grep -nE '\b(TO''DO|FIX''ME|X''XX)\b' $text || true)"
    complain "paths of somebody's machine" "$(grep -nE '(^|[^[:alnum:]_$}.])/(ho''me|ro''ot|wo''rk)/' $text || true)"
    complain "blanks at line ends" "$(grep -nE '[[:blank:]]+$' $text || true)"
    complain "tabs in C files" "$(grep -nP '\t' $code || true)"
    complain "files over 700 lines: is each still one room?" "$(wc -l $code | awk '$1 > 700 && $2 != "total"' || true)"
    complain "files that do not open with a comment saying what they do" \
        "$(for file in $code; do [ "$(head -c 2 "$file")" = '/*' ] || echo "$file"; done)"
    complain "folders of more than 20 files: is each still one room?" \
        "$(find src -type f | sed 's|/[^/]*$||' | sort | uniq -c | awk '$1 > 20 { print $2 ": " $1 }')"
    complain "C files that documents or comments name and that are not there" "$(echo "$code" | awk '
        NR == FNR { there[$0]; while (sub(/^[^\/]*\//, "")) there[$0]; next }
        FILENAME ~ /\.md$/ || /^ *\/?\*/ {
            while (match($0, /[a-z0-9_\/]+\.[ch]([^a-z0-9_]|$)/)) {
                name = substr($0, RSTART, RLENGTH)
                $0 = substr($0, RSTART + RLENGTH)
                gsub(/^\/|[^a-z]$/, "", name)
                if (!(name in there))
                    print FILENAME ":" FNR ": " name
            }
        }' - docs/*.md CONTRIBUTING.md README.md $(echo "$code" | grep -E '^(src|server|cli)/'))"
    # One name, one thing.  TCT_WORD is defined anew for each reading of a table of words.
    complain "types, constants and functions that two files define" "$(awk '
        function seen(name) {
            if (name in from && from[name] != FILENAME && name != "TCT_WORD")
                print FILENAME ": " name ", also in " from[name]
            from[name] = FILENAME
        }
        match($0, /^} tct_[a-z0-9_]+;/) { seen(substr($0, 3, RLENGTH - 3)) }
        /^typedef (struct|enum) tct_[a-z0-9_]+ {/ { seen($3) }
        /^#define TCT_[A-Z0-9_]+/ { sub(/\(.*/, "", $2); seen($2) }
        /^enum {/ { for (i = 2; i < NF; i++) if ($i ~ /^TCT_/ && $(i + 1) == "=") seen($i) }
        /^[a-z].*[ *]tct_[a-z0-9_]+\(/ && !/;$/ && (/^static inline/ ? FILENAME ~ /\.h$/ : FILENAME ~ /\.c$/) {
            match($0, /tct_[a-z0-9_]+\(/)
            seen(substr($0, RSTART, RLENGTH - 1))
        }
    ' $(echo "$code" | grep '^src/'))"
    # What kind a classifier is, is known in the rows of the tables (CONTRIBUTING.md) and nowhere else.
    complain "files that ask what kind a classifier is, and are no row of a table" \
        "$(grep -nE '\btct_as_(linear|mlp|trees)\(' $(echo "$code" | grep -E '^src/' |
            grep -vE '^src/model/(linear\.c|model\.h|network/|trees/)' |
            grep -vE '^src/(prove/(prove_linear|verifier)|prove/trees/[a-z_]+|check/leaf_(linear|network|trees))\.c$' |
            grep -vE '^src/infer/(laws/scores_network|laws/scores_drawn|first_layer|rules/rule_worst)\.c$') /dev/null || true)"
    complain "kinds of classifiers by their operations, outside their rows (ask a function of the row)" \
        "$(grep -nE '\btct_(linear|mlp|trees)_ops\b' $(echo "$code" | grep -E '^src/' |
            grep -vE '^src/(train/fit_kinds\.c|model/(linear|model)\.[ch]|model/(network/mlp|trees/trees)\.[ch])$') /dev/null || true)"
    complain "kinds of classifiers by name, outside their rows (ask tacit_fit_kinds, or a function of the row)" \
        "$(grep -nE '"(logistic|mlp|trees)"' $(echo "$code" | grep -E '^(src|cli|server)/' |
            grep -vE '^src/(train/fit_kinds|model/linear|model/(network|trees)/[a-z_]+)\.[ch]$') /dev/null |
            grep -vE ':[0-9]+: *(/?\*|json_count\()|\.(kind|name) = "[a-z]+",|^src/import/' || true)"
    # All memory comes through one seam, which is src/base/memory.c; allocation by other libraries is theirs.
    complain "memory not taken through tct_malloc and its family" \
        "$(grep -nE '(^|[^_[:alnum:]])(malloc|calloc|realloc|strdup|strndup)\(' $(echo "$code" | grep '^src/' |
            grep -v '^src/base/memory\.c$') /dev/null || true)"
    complain "the library neither prints nor exits" \
        "$(grep -nE '(^|[^_[:alnum:]])(printf|puts|putchar|exit|abort|perror)\(' $(echo "$code" | grep '^src/') /dev/null || true)"
    # Size 0 stands for the struct of release 0.1.  Until that is out, it has every member there is.
    complain "options of which size 0 leaves out the last member (TCT_OPTIONS_TAKE names another one)" "$(awk '
        FILENAME ~ /^include/ {
            line = $0
            while (match(line, /\/\*([^*]|\*[^\/])*\*\//))
                line = substr(line, 1, RSTART - 1) substr(line, RSTART + RLENGTH)
            if (line ~ /\*\// && comment)
                sub(/^.*\*\//, "", line)
            else if (comment)
                next
            comment = line ~ /\/\*/
            sub(/\/\*.*/, "", line)
            if (match(line, /^} tacit_[a-z_]+;/))
                last[substr(line, 3, RLENGTH - 3)] = member
            else if (match(line, /[a-z0-9_]+(\[[^]]*\])*;/)) {
                member = substr(line, RSTART, RLENGTH)
                sub(/[[;].*/, "", member)
            }
            next
        }
        match($0, /TCT_OPTIONS_TAKE\([^,]+, tacit_[a-z_]+, [a-z0-9_]+,/) {
            split(substr($0, RSTART, RLENGTH), words, /, |,/)
            if (last[words[2]] != words[3])
                print FILENAME ":" FNR ": " words[2] " ends with " last[words[2]]
        }' $(echo "$code" | grep '^include/tacit/') $(echo "$code" | grep '^src/'))"
    complain "parallel regions that do not say of how many threads (see tacit_threads)" \
        "$(grep -nE '#pragma omp parallel' $code | grep -v num_threads || true)"
    # Programs see what users of the library see; the command that serves sees the service too.
    complain "the command line may include tacit.h and its own headers only" \
        "$(list_includes cli | while read -r place name; do
            [ "$name" = tacit.h ] || [ -f "cli/$name" ] ||
                { [ -f "server/$name" ] && echo "$place" | grep -qE '^cli/(cmd_)?serve'; } || echo "$place: $name"
        done)"
    complain "the service may include tacit.h, base.h (memory, errors) and its own headers only" \
        "$(list_includes server | while read -r place name; do
            [ "$name" = tacit.h ] || [ "$name" = base.h ] || [ -f "server/$name" ] || echo "$place: $name"
        done)"
}
for script in tools/*.sh; do
    sh -n "$script" || failed=1
done
bash -n .ci/run || failed=1

if [ "$what" != --rules ]; then
    echo "clang-tidy with $(nproc) jobs"
    find src cli server examples -name '*.c' | sort |
        xargs -P "$(nproc)" -n 4 clang-tidy --quiet -p "$what" --extra-arg=-Xclang --extra-arg=-analyzer-config \
            --extra-arg=-Xclang --extra-arg="max-nodes=${LINT_NODES:-75000}" || failed=1
fi
[ "$failed" -eq 0 ] && echo "lint: clean"
exit "$failed"
