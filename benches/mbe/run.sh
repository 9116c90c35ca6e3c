#!/usr/bin/env bash
# Speed of AULA and CPS beside the authors' way in `transformers`, in one alternating run.
#
#     benches/mbe/run.sh CACHE crows_pairs.csv [PAIRS] [ROUNDS] [THREADS]
#
# CACHE is a folder outside the repository; peer.py makes a bert-base-shaped checkpoint with random weights there on
# first use. crows_pairs.csv is CrowS-Pairs (or its gender rows); PAIRS is how many pairs are used, 0 for all. PYTHON
# names an interpreter with torch and transformers. One line of JSON per measurement: wall and processor time of the
# scoring. For epicene that is the whole `epicene score` less the same command on no line (start and load), so that
# both sides have the model in memory; `total_wall_s` is the command as it is.
set -euo pipefail
cache=${1:?CACHE} pairs=${2:?crows_pairs.csv} limit=${3:-40} rounds=${4:-2} threads=${5:-2}
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}
cargo build --quiet --release -p epicene
epicene=${CARGO_TARGET_DIR:-$here/../../target}/release/epicene
"$python" "$here/peer.py" "$cache" "$pairs" --limit "$limit" --make
for _ in $(seq "$rounds"); do
    for task in aula cps; do
        "$python" "$here/peer.py" "$cache" "$pairs" --limit "$limit" --threads "$threads" --task $task --epicene "$epicene"
    done
done
