#!/usr/bin/env bash
# Speed and memory of the language-model engine beside PyTorch, in one alternating run.
#
#     benches/lm/run.sh CACHE SENTENCES.txt [ROUNDS] [SENTENCES]
#
# CACHE is a folder outside the repository; peer.py makes the checkpoints there on first use. PYTHON names an
# interpreter with torch and transformers. One line of JSON per measurement; compare cpu_ms_per_text at one thread and
# wall_ms_per_text at two.
set -euo pipefail
cache=${1:?CACHE} sentences=${2:?SENTENCES.txt} rounds=${3:-2} limit=${4:-200}
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}
cargo build --quiet --release -p epicene-lm --example lm_bench
bench=${CARGO_TARGET_DIR:-$here/../../target}/release/examples/lm_bench
for shape in bert-base xlm-roberta-base gpt2; do
    "$python" "$here/peer.py" "$cache" "$sentences" --shape $shape --make
    for _ in $(seq "$rounds"); do
        for threads in 1 2; do
            "$bench" "$cache/$shape" "$sentences" --limit "$limit" --threads $threads
            "$python" "$here/peer.py" "$cache" "$sentences" --shape $shape --limit "$limit" --threads $threads
        done
    done
done
