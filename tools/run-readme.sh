#!/bin/sh
# Run what README.md shows: every block fenced as ```sh that follows a line `<!-- runs -->`, in the order of the
# page, in one empty folder, with the built program on the PATH.
#
#   tools/run-readme.sh README.md FOLDER_OF_TACIT
set -eu
page=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
PATH=$(cd "$2" && pwd):$PATH
export PATH
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

awk '/^<!-- runs -->$/ { marked = 1; next }
     marked && /^```sh$/ { inside = 1; marked = 0; next }
     inside && /^```$/ { inside = 0; next }
     inside { print }
     !/^$/ { marked = 0 }' "$page" >blocks.sh
if ! [ -s blocks.sh ]; then
    echo "no block of $page is marked to run" >&2
    exit 1
fi
# A program without pages cannot write any; all else is the same.
if tacit audit none none --report none.html 2>&1 | grep -q 'built without them'; then
    sed -i 's/ --report [^ ]*//' blocks.sh
fi
sh -eux blocks.sh </dev/null
