#!/bin/sh
# Turn what a terminal showed into a picture: text with colours on standard input, SVG on standard output.
#
#   tools/demo-picture.sh build/release/cli/tacit >docs/demo.svg
#
# Understands the colours that Tacit prints (bold, dim, red, green, yellow, cyan) and drops other control sequences.
set -eu
title=${1:?usage: tools/term2svg.sh TITLE [COLUMNS] <TEXT >SVG}
columns=${2:-80}

awk -v title="$title" -v columns="$columns" '
function escape(text) {
    gsub(/&/, "\\&amp;", text); gsub(/</, "\\&lt;", text); gsub(/>/, "\\&gt;", text)
    return text
}
function flush_run(text) {
    if (text == "") return
    text = escape(text)
    out = out (style == "" ? text : "<tspan class=\"" style "\">" text "</tspan>")
}
function set_style(codes, parts, n, i) {
    if (codes == "") codes = "0"
    n = split(codes, parts, ";")
    for (i = 1; i <= n; i++)
        style = parts[i] in names ? names[parts[i]] : ""
}
BEGIN {
    names["1"] = "b"; names["2"] = "d"; names["31"] = "r"; names["32"] = "g"; names["33"] = "y"; names["36"] = "c"
    step = 18; left = 16; top = 52
}
{
    sub(/\r+$/, ""); sub(/^.*\r/, "")
    line = $0; out = ""
    while (match(line, /\033\[[0-9;?]*[A-Za-z]/)) {
        flush_run(substr(line, 1, RSTART - 1))
        code = substr(line, RSTART, RLENGTH)
        if (code ~ /m$/) set_style(substr(code, 3, length(code) - 3))
        line = substr(line, RSTART + RLENGTH)
    }
    flush_run(line)
    lines[++count] = out
}
END {
    while (count && lines[count] == "") count--
    width = 2 * left + columns * 8.43; height = top + count * step + 2
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\" role=\"img\" aria-label=\"%s\">\n", \
        width, height, width, height, escape(title)
    print "<style>text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,\"DejaVu Sans Mono\",monospace;fill:#d7dde5;white-space:pre}"
    print ".b{font-weight:bold;fill:#fff}.d{fill:#8794a3}.r{fill:#ff8080}.g{fill:#7ddc8f}.y{fill:#f2cf66}.c{fill:#76d4e8}.t{fill:#8794a3;text-anchor:middle}</style>"
    printf "<rect width=\"%.0f\" height=\"%.0f\" rx=\"8\" fill=\"#161b22\"/>\n", width, height
    printf "<circle cx=\"18\" cy=\"17\" r=\"5\" fill=\"#ff6058\"/><circle cx=\"36\" cy=\"17\" r=\"5\" fill=\"#ffbd2e\"/><circle cx=\"54\" cy=\"17\" r=\"5\" fill=\"#28c941\"/>\n"
    printf "<text class=\"t\" x=\"%.0f\" y=\"22\">%s</text>\n", width / 2, escape(title)
    for (i = 1; i <= count; i++)
        if (lines[i] != "")
            printf "<text x=\"%d\" y=\"%d\" xml:space=\"preserve\">%s</text>\n", left, top + (i - 1) * step, lines[i]
    print "</svg>"
}'
