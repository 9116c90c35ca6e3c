#!/usr/bin/env bash
# How long a page of 30 systems × 3,565 items in four templates takes, and how large it is.
# Usage: benches/report/run.sh [EPICENE]   (default: target/release/epicene)
set -euo pipefail
cd "$(dirname "$0")/../.."
epicene="$(realpath "${1:-target/release/epicene}")"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"
awk 'BEGIN {
    print "sentence,stereotype" > "gest.csv"
    for (i = 0; i < 3565; i++) printf "\"I did thing number %d, gladly.\",%d\n", i, i % 16 + 1 > "gest.csv"
    srand(1)
    for (s = 0; s < 30; s++) for (t = 1; t <= 4; t++) printf "%sm%d/template:%d", (s + t > 1 ? "," : ""), s, t > "scores.csv"
    print "" > "scores.csv"
    for (i = 0; i < 3565; i++) {
        line = ""
        for (c = 0; c < 120; c++) line = line (c ? "," : "") sprintf("%.5f", rand() * 3 - 1)
        print line > "scores.csv"
    }
}'
"$epicene" run gest --data gest.csv --model file:scores.csv --out run --quiet > /dev/null
echo "page:"
time "$epicene" report run -o report.html --quiet
echo "measures alone (the same numbers as JSON):"
time "$epicene" report run -o report.json --quiet
ls -l report.html
