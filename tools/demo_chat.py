#!/usr/bin/env python3
"""Makes the stored answers of the demo's chat part: a small real chat model on every fourth sentence of epicene-mini.

    python3 tools/fetch_models.py MODELS
    python3 tools/demo_chat.py EPICENE MODELS/SmolLM2-135M-Instruct.Q4_1.gguf crates/app/cli/data/demo-chat.jsonl.gz

The model is asked by `epicene run gest-chat` on this machine (greedy, all orders of the options). Kept of each answer: item,
unit, words, why it ended, and the options' log-probabilities to four digits.
"""

import csv
import gzip
import json
import subprocess
import sys
import tempfile
from pathlib import Path

FRAMES = "choice:1,choice:3,completion:2,character:1"
EVERY = 4
NAME = "SmolLM2-135M-Instruct (stored answers)"
MINI = Path(__file__).resolve().parents[1] / "crates/bench/benchmarks/data/epicene-mini.csv"


def main(epicene, model, target):
    with tempfile.TemporaryDirectory() as scratch:
        data, run = Path(scratch) / "sentences.csv", Path(scratch) / "run"
        header, *rows = MINI.read_text(encoding="utf-8").splitlines()
        data.write_text("".join(line + "\n" for line in [header, *rows[::EVERY]]), encoding="utf-8")
        sentences = len(list(csv.reader(data.open(encoding="utf-8")))) - 1
        command = [epicene, "run", "gest-chat", "--data", data, "--model", f"gguf:{model}", "--frames", FRAMES, "--out", run]
        subprocess.run([str(part) for part in command], check=True, stdout=subprocess.DEVNULL)
        lines = [json.loads(line) for line in (run / "log.jsonl").open(encoding="utf-8")]
    pack(lines, sentences, target)


def pack(lines, sentences, target):
    kept = []
    for line in lines:
        answer = line["answer"]["chat"]
        entry = {"id": line["item"], "unit": line["unit"], "system": NAME, "text": answer["text"], "finish": answer["finish"]}
        if answer.get("options"):
            entry["options"] = [None if value is None else round(value, 4) for value in answer["options"]]
        kept.append(entry)
    kept.sort(key=lambda entry: (entry["unit"], entry["id"]))
    text = "".join(json.dumps(entry, ensure_ascii=False, separators=(",", ":")) + "\n" for entry in kept)
    # Without a time in the header: the same answers are the same bytes.
    Path(target).write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    print(f"{len(kept)} answers about {sentences} sentences, {Path(target).stat().st_size} bytes")


if __name__ == "__main__":
    main(*sys.argv[1:])
