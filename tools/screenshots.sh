#!/usr/bin/env bash
# The pictures of README and docs that programs draw, made anew: tools/screenshots.sh EPICENE [DATA]
#
# EPICENE is the program. DATA is a folder of the authors' files (gest, wibemt, unambiguous): with it the gallery of the papers' figures
# (docs/images/papers) is drawn, too. Needs Chromium and Python.
set -euo pipefail
cd "$(dirname "$0")/.."
epicene="$(realpath "${1:-target/release/epicene}")"
tools/report-picture.sh "$epicene"
tools/published_figure.py "$epicene" > docs/images/published.svg
if [ -z "${2:-}" ]; then
    exit
fi
drawn="$(mktemp -d)"
trap 'rm -rf "$drawn"' EXIT
mkdir -p docs/images/papers
for paper in gest wibemt unambiguous; do
    "$epicene" reproduce "$paper" --data "$2/$paper" --figures "$drawn/$paper" > /dev/null
done
for picture in docs/images/papers/*.svg; do
    name="$(basename "$picture" .svg)"
    cp "$drawn/${name%%-*}/figure-${name#*-}.svg" "$picture"
done
ls -l docs/images docs/images/papers
