#!/usr/bin/env bash
# CPU time of the GEST paper's English tables from 88 score files: epicene (run store, log, signature and
# bootstrap included) against NumPy/pandas, alternating on the same machine and inputs.
#   benches/gest_scores/run.sh GEST_DIR [PYTHON]
set -euo pipefail
gest=$1 python=${2:-python3}
root=$(cd "$(dirname "$0")/../.." && pwd)
cargo build --release --manifest-path "$root/Cargo.toml" --quiet
epicene=${CARGO_TARGET_DIR:-$root/target}/release/epicene
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
TIMEFORMAT='%U %S'
for round in 1 2 3; do
  peer=$("$python" "$root/benches/gest_scores/peer.py" "$gest")
  ours=$( { time "$epicene" run gest --quiet --fresh --out "$out/run" --format json \
      --interval resampled --data "$gest/gest.csv" \
      --model "file:$gest/predictions/english_mlm.csv.gz" --model "file:$gest/predictions/english_glm.csv.gz" \
      --exclude Mistral-7B-Instruct-v0.1 --winobias "$gest/predictions/winobias.csv" >"$out/json"; } 2>&1 |
      awk '{printf "%.3f", $1 + $2}')
  awk -v r="$round" -v o="$ours" -v p="$peer" \
    'BEGIN { printf "round %d: epicene %.2f s CPU, NumPy %.2f s CPU, ratio %.1f\n", r, o, p, p / o }'
done
