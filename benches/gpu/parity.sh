#!/usr/bin/env bash
# Scores of all sentences on the GPU against the same checkpoints on the processor: f32 and bf16.
#
#     benches/gpu/parity.sh CACHE SENTENCES.txt BENCH [SHAPE…]
#
# BENCH is the built example `lm_bench`. Checkpoints are made with random weights, f32, in CACHE/f32.
set -euo pipefail
cache=${1:?CACHE}/f32 sentences=${2:?SENTENCES.txt} bench=${3:?BENCH}
shift 3
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}
[ $# -gt 0 ] || set -- bert-base xlm-roberta-base gpt2 llama-small
for shape in "$@"; do
    "$python" "$here/peer.py" "$cache" "$sentences" --shape "$shape" --dtype float32 --make
    common=("$cache/$shape" "$sentences" --limit 100000 --threads "$(nproc)")
    "$bench" "${common[@]}" --device cpu --scores "$cache/$shape.cpu" > /dev/null
    for dtype in f32 bf16; do
        "$bench" "${common[@]}" --device cuda --dtype $dtype --scores "$cache/$shape.$dtype" > /dev/null
        "$python" - "$shape" $dtype "$cache/$shape.cpu" "$cache/$shape.$dtype" <<'PYTHON'
import sys
import numpy as np
shape, dtype, here, there = sys.argv[1:]
a, b = np.loadtxt(here), np.loadtxt(there)
print(f"{shape} {dtype}: {len(a)} scores, largest difference {abs(a - b).max():.2e}, Pearson {np.corrcoef(a, b)[0, 1]:.6f}")
PYTHON
    done
done
