#!/usr/bin/env python3
"""Trains tiny fastText models and writes what fastText itself says about words, known and unknown.

    pip install fasttext-wheel "numpy<2"
    python3 tools/reference/fasttext_tiny.py crates/systems/vectors/tests/fasttext

Writes tiny.bin (skip-gram with character n-grams), plain.bin (without), quantised.ftz (supervised, quantised: to
be refused) and vectors.json. The corpus is drawn from a word list with seed 0; fastText itself runs on one thread with its
default seed, so that the files come out the same.
"""

import json
import random
import sys
import tempfile
from pathlib import Path

import fasttext

WORDS = "he she nurse doctor Köchin größe naïve driver CEO медсестра sews builds a the man woman".split()
UNKNOWN = ["nurses", "Köche", "q", "врач", "buildings"]


def main():
    out = Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    draw = random.Random(0)
    lines = [" ".join(draw.choices(WORDS, k=8)) for _ in range(200)]
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder) / "corpus.txt"
        corpus.write_text("\n".join(lines) + "\n", encoding="utf-8")
        labelled = Path(folder) / "labelled.txt"
        labelled.write_text("".join(f"__label__{n % 2} {line}\n" for n, line in enumerate(lines)), encoding="utf-8")
        common = dict(model="skipgram", dim=6, minCount=1, epoch=2, thread=1, verbose=0)
        tiny = fasttext.train_unsupervised(str(corpus), minn=2, maxn=4, bucket=97, **common)
        plain = fasttext.train_unsupervised(str(corpus), minn=0, maxn=0, bucket=97, **common)
        tiny.save_model(str(out / "tiny.bin"))
        plain.save_model(str(out / "plain.bin"))
        quantised = fasttext.train_supervised(str(labelled), dim=4, minCount=1, minn=2, maxn=4, bucket=300, thread=1, verbose=0)
        quantised.quantize(str(labelled))
        quantised.save_model(str(out / "quantised.ftz"))
    vectors = {
        "tiny": {w: [float(x) for x in tiny.get_word_vector(w)] for w in WORDS + UNKNOWN},
        "plain": {w: [float(x) for x in plain.get_word_vector(w)] for w in WORDS},
        "unknown": UNKNOWN,
    }
    (out / "vectors.json").write_text(json.dumps(vectors, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
