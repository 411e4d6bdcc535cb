#!/bin/sh
# Make docs/demo.svg from what `tacit demo` prints on a terminal of 80 columns.  The two bar charts are left out of
# the picture, which would be too tall with them.
#
#   tools/demo-picture.sh build/release/cli/tacit >docs/demo.svg
set -eu
tacit=$1
dots=$(printf '\342\200\246')
TERM=xterm-256color LC_ALL=C.UTF-8 script -qec "stty cols 80 rows 50; '$tacit' demo" /dev/null </dev/null |
    awk -v dots="$dots" '/How many attributes people were asked for/ { skip = 1; print "  " dots; print "" }
         /3\. One of them/ { skip = 0 }
         /Try it yourself/ { exit }
         !skip' |
    "$(dirname "$0")/term2svg.sh" 'tacit demo'
