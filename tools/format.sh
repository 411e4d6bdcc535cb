#!/bin/sh
# Lay out all C files with clang-format, or with --check complain about those that are not.
set -eu
cd "$(dirname "$0")/.."
if [ "${1:-}" = --check ]; then
    mode="--dry-run --Werror"
else
    mode=-i
fi
# Golden numbers are laid out by the scripts that make them.
# shellcheck disable=SC2086
find include src cli server tests fuzz bench examples -name '*.[ch]' ! -name '*_golden.h' -print | sort | xargs clang-format --style=file $mode
