#!/bin/sh
# The table of docs/NETWORKS.md: networks trained with nothing said, by `tacit fit` and by scikit-learn.
#
#   bench/defaults.sh BUILD_FOLDER FOLDER [options of figures_defaults]
#
# FOLDER is for splits and scikit-learn's figures (about 300 MB, encoded rows of the data sets: remove it afterwards).
# Needs scikit-learn: apt-get install python3-sklearn.  Splits that FOLDER/sklearn.csv already knows are not trained on
# again; without any it takes scikit-learn about half an hour.
set -eu
build=${1:?usage: bench/defaults.sh BUILD_FOLDER FOLDER [options]}
folder=${2:?usage: bench/defaults.sh BUILD_FOLDER FOLDER [options]}
shift 2
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder"
if [ -n "$(ls -A "$folder" | grep -vE '^(.*\.split|sklearn\.csv)$')" ]; then
    echo "bench/defaults.sh: $folder holds other files: name a folder of its own" >&2
    exit 2
fi
"$build/bench/figures_defaults" write "$folder" "$@"
"$here/defaults_sklearn.py" "$folder"
"$build/bench/figures_defaults" compare "$folder" "$@"
