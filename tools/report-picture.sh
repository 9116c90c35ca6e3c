#!/usr/bin/env bash
# The picture of the README: the page of the demo's first run as Chromium shows it. Usage: tools/report-picture.sh [EPICENE]
set -euo pipefail
cd "$(dirname "$0")/.."
epicene="${1:-epicene}"
out="$(mktemp -d)"
trap 'rm -rf "$out"' EXIT
"$epicene" demo --out "$out/demo" --quiet > /dev/null
"$epicene" report "$out/demo/models" -o "$out/report.html" --quiet
chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --virtual-time-budget=4000 \
    --window-size=1200,900 --screenshot="$out/report.png" "file://$out/report.html" 2> /dev/null
cp "$out/report.png" docs/images/report.png
ls -l docs/images/report.png
