#!/bin/sh
# How often intervals hold the true value and tests reject equal systems: the table of docs/statistics.md.
#   benches/coverage/run.sh [SYSTEMS [BENCHMARK]]
cd "$(dirname "$0")/../.." || exit 1
exec cargo run --quiet --release -p epicene-pipeline --example coverage -- "${1:-1000}" ${2:+"$2"}
