#!/usr/bin/env bash
# Speed of the engine on a GPU beside PyTorch on the same machine, in one run.
#
#     benches/gpu/run.sh CACHE SENTENCES.txt BENCH [SHAPE…]
#
# BENCH is the built example `lm_bench` (cargo build --release -p epicene-engine --example lm_bench); it may come from another
# machine. PYTHON names an interpreter with torch and transformers. One line of JSON per measurement.
set -euo pipefail
cache=${1:?CACHE} sentences=${2:?SENTENCES.txt} bench=${3:?BENCH}
shift 3
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}
for shape in "${@:-bert-base}"; do
    "$python" "$here/peer.py" "$cache" "$sentences" --shape "$shape" --make
    "$bench" "$cache/$shape" "$sentences" --limit 100000 --threads "$(nproc)" --device cuda --rounds 3 --scores "$cache/$shape.epicene"
    "$python" "$here/peer.py" "$cache" "$sentences" --shape "$shape" --scores "$cache/$shape.peer"
done
