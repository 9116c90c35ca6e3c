#!/usr/bin/env bash
# Speed and memory of the language-model engine beside PyTorch and ONNX Runtime, in one alternating run.
#
#     benches/lm/run.sh CACHE SENTENCES.txt [ROUNDS] [SENTENCES] [SHAPES] [THREADS]
#
# CACHE is a folder outside the repository; peer.py makes the checkpoints there on first use. PYTHON names an
# interpreter with torch, transformers and onnxruntime, WAYS the peers' ways. One line of JSON per measurement; compare
# cpu_ms_per_text at one thread and wall_ms_per_text at two.
# BENCH names a lm_bench that is built already.
set -euo pipefail
cache=${1:?CACHE} sentences=${2:?SENTENCES.txt} rounds=${3:-2} limit=${4:-200}
shapes=${5:-bert-base xlm-roberta-base gpt2} counts=${6:-1 2}
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}
if [ -z "${BENCH:-}" ]; then
    cargo build --quiet --release -p epicene-engine --example lm_bench
fi
bench=${BENCH:-${CARGO_TARGET_DIR:-$here/../../target}/release/examples/lm_bench}
for shape in $shapes; do
    "$python" "$here/peer.py" "$cache" "$sentences" --shape "$shape" --make
    ways=${WAYS:-authors,batched,best}
    [ -n "${WAYS:-}" ] || [ "$shape" = gpt2 ] || ways=$ways,onnx,onnx-int8
    for _ in $(seq "$rounds"); do
        for threads in $counts; do
            for dtype in f32 bf16 int8; do
                "$bench" "$cache/$shape" "$sentences" --limit "$limit" --threads "$threads" --dtype $dtype
            done
            "$python" "$here/peer.py" "$cache" "$sentences" --shape "$shape" --limit "$limit" --threads "$threads" --ways "$ways"
        done
    done
done
