#!/usr/bin/env python3
"""Whole processes on a GPU beside `transformers` without its loading: scores, texts, translations, and the time to a first answer.

    python benches/gpu/whole.py CACHE SENTENCES.txt EXAMPLES TOKENIZER [--rounds 3]

EXAMPLES is the folder with the built examples lm_bench, generation_bench and seq2seq_bench (cargo build --release -p epicene-engine
--examples), TOKENIZER a folder with NLLB's tokenizer (crates/engine/engine/tests/seq2seq/nllb). Checkpoints have random weights in bf16:
Llama of 8 billion and NLLB of 600 million, read from the file cache. The peer's times leave out its start and loading and are those of its
best batch. Our times are of the whole process. Prints one line of JSON per measurement.
"""
import argparse
import json
import os
import random
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
LENGTH = 26


def process(what, command):
    started = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    wall = time.perf_counter() - started
    if done.returncode:
        sys.exit(f"{' '.join(command)} ended with exit code {done.returncode}")
    print(json.dumps(dict(engine="epicene, whole process", what=what, wall_s=round(wall, 3))), flush=True)
    return done.stdout


def peer(what, script, *arguments):
    done = subprocess.run([sys.executable, os.path.join(HERE, script), *arguments], stdout=subprocess.PIPE, text=True)
    if done.returncode:
        # A batch that does not fit, say: the other batches count.
        print(f"{script} {' '.join(arguments)} ended with exit code {done.returncode}", file=sys.stderr)
    for line in done.stdout.splitlines():
        if line.startswith("{"):
            print(json.dumps(dict(what=what, **json.loads(line))), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cache")
    parser.add_argument("sentences")
    parser.add_argument("examples")
    parser.add_argument("tokenizer")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--llama", default="llama-8b", help="llama-1b where the card is small")
    arguments = parser.parse_args()
    cache, sentences = arguments.cache, arguments.sentences
    os.makedirs(cache, exist_ok=True)

    def example(name):
        return os.path.join(arguments.examples, name)

    llama, nllb = os.path.join(cache, arguments.llama), os.path.join(cache, "nllb-600m")
    if not os.path.exists(os.path.join(llama, "config.json")):
        subprocess.run([sys.executable, os.path.join(HERE, "peer.py"), cache, sentences, "--shape", arguments.llama, "--make"], check=True)
    if not os.path.exists(os.path.join(nllb, "config.json")):
        subprocess.run([sys.executable, os.path.join(HERE, "decode.py"), cache, "--shape", "nllb-600m", "--make", arguments.tokenizer], check=True)
    prompts, sources = os.path.join(cache, "prompts.txt"), os.path.join(cache, "sources.txt")
    rng = random.Random(7)
    with open(prompts, "w") as file:
        file.writelines(" ".join(str(rng.randrange(300, 8000)) for _ in range(80)) + "\n" for _ in range(1000))

    score = [example("lm_bench"), llama, sentences, "--device", "cuda", "--rounds", "1", "--limit"]
    write = [example("generation_bench"), llama, prompts, "--device", "cuda", "--max-tokens"]
    translate = [example("seq2seq_bench"), nllb, sentences, "--device", "cuda", "--beams", "5", "--from", "eng_Latn", "--to", "deu_Latn",
                 "--length", str(LENGTH), "--limit"]
    # The first start compiles the kernels and keeps them.
    process("first start, kernels compiled", [*score, "1"])
    process("first start, kernels compiled", [*translate, "1", "--write-sources", sources])
    process("sources", [*translate, "1280", "--write-sources", sources])
    for _ in range(arguments.rounds):
        process("scores", [*score, "100000"])
        process("texts", [*write, "128"])
        process("translations", [*translate, "1280"])
        process("first score", [*score, "1"])
        process("first text", [*write, "1", "--limit", "1"])
        process("first translation", [*translate, "1"])
    for tokens in ("1024", "4096", "16384", "65536"):
        peer("scores", "peer.py", cache, sentences, "--shape", arguments.llama, "--ways", "plain,batched", "--batch-tokens", tokens)
    peer("texts", "decode.py", cache, "--shape", arguments.llama, "--prompts", prompts, "--batches", "250,500,1000", "--length", "128")
    peer("translations", "decode.py", cache, "--shape", "nllb-600m", "--prompts", sources, "--batches", "160,320,640,1280", "--length", str(LENGTH))


if __name__ == "__main__":
    main()
