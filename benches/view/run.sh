#!/usr/bin/env bash
# How `epicene view` opens a run of 1.8 million items: the first page, the first items, memory, filters, live progress.
# Usage: benches/view/run.sh [EPICENE] [ITEMS]   (default: target/release/epicene, 1800000)
set -euo pipefail
cd "$(dirname "$0")/../.."
epicene="$(realpath "${1:-target/release/epicene}")"
items="${2:-1800000}"
work="$(mktemp -d)"
viewer=""
trap '[ -n "$viewer" ] && kill "$viewer" 2>/dev/null; rm -rf "$work"' EXIT
cd "$work"
awk -v n="$items" 'BEGIN {
    print "sentence,stereotype" > "gest.csv"
    for (i = 0; i < n; i++) {
        printf "\"I did thing number %d, gladly, and told everybody about it.\",%d\n", i, i % 16 + 1 > "gest.csv"
        print (i % 3 ? "Bol som veľmi rád, že som to urobil." : "Bola som veľmi rada, že som to urobila.") > "sk.txt"
    }
}'
"$epicene" run gest --data gest.csv --mt one=file:sk.txt --lang sk --trust-language --out run --quiet > /dev/null
du -h run/* | sed 's/^/  /'
start=$(date +%s%N)
"$epicene" view run > address 2> /dev/null &
viewer=$!
until [ -s address ]; do sleep 0.005; done
address="$(cat address)"
base="${address%%\?*}"
token="${address##*token=}"
cookie="epicene-view-$(echo "$base" | sed 's/.*://; s,/,,g')=$token"
ask() { curl -s -o "$1" -w '%{time_total}' -b "$cookie" "$base$2"; }
echo "listening after $(( ($(date +%s%N) - start) / 1000000 )) ms"
echo "first page: $(ask page.html '') s, $(wc -c < page.html) bytes"
echo "first items: $(ask items.json 'api/items?run=0&from=0&count=60') s"
python3 -c 'import json; rows = json.load(open("items.json"))["rows"]; print("  ", len(rows), "items, answer:", rows[0]["cells"][0]["text"])'
until curl -s -b "$cookie" "${base}api/runs?runs=0" | grep -q '"ready":true'; do sleep 0.1; done
echo "everything read after $(( ($(date +%s%N) - start) / 1000000 )) ms"
echo "a page in the middle: $(ask items.json "api/items?run=0&from=$((items / 2))&count=60") s"
echo "count by stereotype: $(ask count.json 'api/count?run=0&labels=%5B%22stereotype%3D7%22%5D') s $(cat count.json)"
echo "count by verdict: $(ask count.json 'api/count?run=0&verdict=f') s $(cat count.json)"
echo "words: $(ask count.json 'api/count?run=0&words=number%20123456') s $(cat count.json)"
echo "progress: $(ask progress.json 'api/progress') s $(cat progress.json)"
head -n 1000 run/log.jsonl > again && cat again >> run/log.jsonl
sleep 3
ask progress.json 'api/progress' > /dev/null
echo "after a thousand lines again: $(cat progress.json)"
grep -E 'VmHWM|VmRSS' "/proc/$viewer/status" | sed 's/^/  /'
