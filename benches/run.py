#!/usr/bin/env python3
"""All speed benchmarks that this machine can run, as JSON: benches/results.json grows by one entry for each run.

    python benches/run.py CACHE SENTENCES.txt [kernels] [lm] [mt] [gpu]

CACHE and SENTENCES.txt are those of benches/lm/run.sh. Without names all are run; one whose peers are not installed is left out
and named. PYTHON names the peers' interpreter, KERNEL_BENCH a kernel_bench that is built already, EXAMPLES the folder of built examples
that `gpu` needs. Figures of one entry were measured in one run and can be compared; those of two
entries cannot.
"""
import datetime
import importlib.metadata
import json
import os
import platform
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
PEERS = ["torch", "transformers", "onnxruntime", "ctranslate2"]


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        lines = dict(line.split(":", 1) for line in file if ":" in line)
    fields = {key.strip(): value.strip() for key, value in lines.items()}
    known = set(fields.get("flags", fields.get("Features", "")).split())
    sets = ["avx2", "avx_vnni", "avx512f", "avx512_vnni", "avx512_bf16", "amx_int8", "asimddp"]
    return fields.get("model name", platform.machine()), [one for one in sets if one in known]


def lines_of(command, **environment):
    """The lines of JSON that a command prints."""
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, **environment}, stdout=subprocess.PIPE, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def kernels(_cache, _sentences):
    built = os.environ.get("KERNEL_BENCH")
    cargo = ["cargo", "run", "--quiet", "--release", "--locked", "-p", "epicene-kernels", "--example", "kernel_bench"]
    bench = [built] if built else cargo
    return [line for older in ("avx2", "avxvnni", "") for line in lines_of(bench, EPICENE_INSTRUCTIONS=older)]


def lm(cache, sentences):
    return lines_of([os.path.join(HERE, "lm", "run.sh"), cache, sentences])


def mt(cache, _sentences):
    return lines_of([os.path.join(HERE, "mt", "run.sh"), cache])


def gpu(cache, sentences):
    examples = os.environ.get("EXAMPLES", os.path.join(ROOT, "target", "release", "examples"))
    tokenizer = os.path.join(ROOT, "crates", "engine", "engine", "tests", "seq2seq", "nllb")
    return lines_of([sys.executable, os.path.join(HERE, "gpu", "whole.py"), cache, sentences, examples, tokenizer])


ALL = {"kernels": kernels, "lm": lm, "mt": mt, "gpu": gpu}


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    cache, sentences, *names = sys.argv[1:]
    model, sets = processor()
    figures = {}
    for name in names or ALL:
        try:
            figures[name] = ALL[name](cache, sentences)
        except subprocess.CalledProcessError as error:
            print(f"{name} is left out: {error}", file=sys.stderr)
    entry = {
        "date": datetime.date.today().isoformat(),
        "machine": {"processor": model, "instructions": sets, "cores": os.cpu_count(), "load": round(os.getloadavg()[0], 1)},
        "peers": {peer: importlib.metadata.version(peer) for peer in PEERS
                  if any(one.metadata["Name"] == peer for one in importlib.metadata.distributions())},
        "figures": figures,
    }
    path = os.path.join(HERE, "results.json")
    entries = json.load(open(path, encoding="utf-8")) if os.path.exists(path) else []
    with open(path, "w", encoding="utf-8") as file:
        json.dump([*entries, entry], file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
