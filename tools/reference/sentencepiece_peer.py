#!/usr/bin/env python3
"""The native SentencePiece reader against SentencePiece itself, on invented lines full of odd characters.

    pip install sentencepiece==0.2.2 numpy==2.4.6
    cargo build -p epicene-engine --example sentence_pieces
    python tools/reference/sentencepiece_peer.py target/debug/examples/sentence_pieces [LINES]

Trains unigram and BPE models with each of SentencePiece's normalisation rules (nmt_nfkc is what OPUS-MT uses), with and
without byte fallback and symbols of the user's, and compares pieces and ids of LINES lines (seed 11).
"""
import io
import json
import os
import subprocess
import sys
import tempfile

import numpy as np
import sentencepiece as spm

sys.path.insert(0, os.path.dirname(__file__))
from tiny_seq2seq import SOURCE, TARGET  # noqa: E402

ODD = "  \t\u00a0\u3000\u2009\u200b\u00ad\ufb01\uff21\uff42…½Ωé\u0301\u0308ñßİıŞşДжяعربي日本語カナｶﾅ한국어กำ😀🏳️‍🌈▁_.,;:!?'\"()<>%€$#@&*0123456789"


def lines(count):
    generator = np.random.Generator(np.random.PCG64(11))
    words = (SOURCE + TARGET).split()
    for _ in range(count):
        parts = []
        for _ in range(generator.integers(1, 12)):
            kind = generator.random()
            if kind < 0.6:
                parts.append(str(generator.choice(words)))
            elif kind < 0.9:
                parts.append("".join(generator.choice(list(ODD), size=generator.integers(1, 6))))
            else:
                parts.append("<sep>" if generator.random() < 0.5 else "".join(chr(c) for c in generator.integers(0xA0, 0x2FFF, size=3)))
        yield "".join(part + " " * int(generator.integers(0, 3)) for part in parts).replace("\n", " ").replace("\r", " ")


def main():
    binary, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 3000
    texts = list(lines(count))
    sentences = [part.strip() + "." for part in (SOURCE + TARGET).split(". ") if part.strip()] * 3
    worst = 0
    for kind in ["unigram", "bpe"]:
        for rule in ["nmt_nfkc", "nfkc_cf", "identity"]:
            for extra in [{}, {"byte_fallback": True}, {"user_defined_symbols": ["<sep>", "ing", "日本"]},
                          {"remove_extra_whitespaces": False, "add_dummy_prefix": False}, {"split_by_whitespace": False}]:
                model = io.BytesIO()
                spm.SentencePieceTrainer.train(sentence_iterator=iter(sentences), model_writer=model, model_type=kind,
                                               normalization_rule_name=rule, vocab_size=520 if "byte_fallback" in extra else 260,
                                               hard_vocab_limit=False, minloglevel=2, num_threads=1, **extra)
                processor = spm.SentencePieceProcessor(model_proto=model.getvalue())
                with tempfile.NamedTemporaryFile(suffix=".model") as file:
                    file.write(model.getvalue())
                    file.flush()
                    found = subprocess.run([binary, file.name], input="\n".join(texts), capture_output=True, text=True, check=True)
                found = [json.loads(line) for line in found.stdout.splitlines()]
                different = 0
                for text, pieces in zip(texts, found):
                    wanted = [[piece, processor.piece_to_id(piece)] for piece in processor.encode(text, out_type=str)]
                    ids = processor.encode(text)
                    if [piece for piece, _ in pieces] != [piece for piece, _ in wanted] or [i for _, i in pieces] != ids:
                        different += 1
                        if different <= 2:
                            print("   ", repr(text), "\n    found ", pieces, "\n    wanted", wanted)
                worst += different
                print(f"{kind:8} {rule:9} {json.dumps(extra):60} {different} of {len(found)} lines differ")
    sys.exit(1 if worst else 0)


main()
