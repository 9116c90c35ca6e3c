#!/usr/bin/env bash
# Speed of translation beside transformers and CTranslate2, in one alternating run.
#
#     benches/mt/run.sh CACHE [ROUNDS] [SENTENCES] [THREADS]
#
# CACHE is a folder outside the repository; peer.py makes a random Marian of base shape, its CTranslate2 twin and the
# sentences there on first use. PYTHON names an interpreter with torch, transformers, sentencepiece and ctranslate2. One
# line of JSON per measurement; compare ms_per_sentence, or cpu_ms_per_sentence at one thread on a busy machine (with
# several threads the peers' threads spin while they wait).
# BENCH names a seq2seq_bench that is built already.
set -euo pipefail
cache=${1:?CACHE} rounds=${2:-2} limit=${3:-96} threads=${4:-2}
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}
export OMP_WAIT_POLICY=passive
if [ -z "${BENCH:-}" ]; then
    cargo build --quiet --release -p epicene-engine --example seq2seq_bench
fi
bench=${BENCH:-${CARGO_TARGET_DIR:-$here/../../target}/release/examples/seq2seq_bench}
mkdir -p "$cache"
"$python" "$here/peer.py" "$cache" --make --write-sentences "$cache/sentences.txt"
for _ in $(seq "$rounds"); do
    for dtype in f32 bf16 int8; do
        "$bench" "$cache/marian-base" "$cache/sentences.txt" --limit "$limit" --threads "$threads" --length 24 --dtype $dtype
    done
    for compute in float32 int8; do
        "$python" "$here/peer.py" "$cache" "$cache/sentences.txt" --engine ctranslate2 --batch 48 --limit "$limit" --threads "$threads" --compute $compute
    done
    "$python" "$here/peer.py" "$cache" "$cache/sentences.txt" --engine transformers --batch 48 --limit "$limit" --threads "$threads"
    "$python" "$here/peer.py" "$cache" "$cache/sentences.txt" --engine transformers --batch 1 --limit $((limit / 8)) --threads "$threads"
done
