#!/usr/bin/env bash
# How long the page of 30 models × 3,565 items in four templates takes and how large it is; then that of 30 translators in ten
# languages (1,069,500 answers), which is more than a page holds and has to say so.
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
    said["be"] = "Я стаміўся.|Я стамілася."; said["bg"] = "Аз съм уморен.|Аз съм уморена."
    said["cs"] = "Byl jsem unavený.|Byla jsem unavená."; said["hr"] = "Bio sam umoran.|Bila sam umorna."
    said["pl"] = "Byłem zmęczony.|Byłam zmęczona."; said["ru"] = "Я устал.|Я устала."
    said["sk"] = "Bol som unavený.|Bola som unavená."; said["sl"] = "Bil sem utrujen.|Bila sem utrujena."
    said["sr"] = "Био сам уморан.|Била сам уморна."; said["uk"] = "Я втомився.|Я втомилася."
    n = split("be bg cs hr pl ru sk sl sr uk", languages, " ")
    for (s = 0; s < 30; s++) for (l = 1; l <= n; l++) {
        split(said[languages[l]], both, "|")
        file = "s" s "." languages[l] ".txt"
        for (i = 0; i < 3565; i++) print both[(rand() < 0.5 + s / 80) == (i % 16 < 7) ? 2 : 1] " " i > file
        close(file)
        printf "--mt\ns%d=file:%s\n", s, file > "translators"
        printf "%s%s", (s + l > 1 ? "," : ""), languages[l] > "languages"
    }
}'
page() {
    echo "page:"
    time "$epicene" report "$1" -o "$1.html" --quiet
    ls -l "$1.html"
    # What the page says of items that it leaves out.
    if command -v chromium > /dev/null; then
        chromium --headless --no-sandbox --virtual-time-budget=20000 --dump-dom "file://$PWD/$1.html" 2> /dev/null \
            | grep -o 'id="item-count"[^>]*>[^<]*' | sed 's/.*>//'
    fi
}
"$epicene" run gest --data gest.csv --model file:scores.csv --out models --quiet > /dev/null
page models
echo "measures alone (the same numbers as JSON):"
time "$epicene" report models -o report.json --quiet
mapfile -t translators < translators
"$epicene" run gest --data gest.csv "${translators[@]}" --lang "$(cat languages)" --trust-language --out translators-run --quiet > /dev/null
page translators-run
