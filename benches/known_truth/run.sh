#!/bin/sh
# How often intervals contain the truth when detectors read real sentences: prints benches/known_truth/results.json. Seeded.
#   benches/known_truth/run.sh [RUNS [BENCHMARK or LANGUAGE, joined by +]]
# Needs the reference data (EPICENE_SHARED). Each number is also printed on standard error as soon as it is known.
cd "$(dirname "$0")/../.." || exit 1
exec nice -n 15 cargo run --quiet --locked -p epicene-pipeline --example known_truth -- "${1:-200}" ${2:+"$2"}
