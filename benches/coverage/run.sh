#!/bin/sh
# How often intervals hold the true value and tests reject equal systems: benches/coverage/results.md. Seeded.
#   benches/coverage/run.sh [SYSTEMS [BENCHMARK or words of a design, joined by +]]
# The development profile optimises what counts here; how long each design took is said on standard error.
cd "$(dirname "$0")/../.." || exit 1
exec nice -n 15 cargo run --quiet --locked -p epicene-pipeline --example coverage -- "${1:-2000}" ${2:+"$2"}
