#!/usr/bin/env python3
"""Corpus BLEU and chrF of made-up texts by sacrebleu, for crates/bench/benchmarks/tests/it/quality.rs.

    python3 tools/reference/sacrebleu_golden.py > crates/bench/benchmarks/tests/golden/sacrebleu.json

Seeded; sacrebleu 2.6.0 with its defaults. Texts are strings of words, marks, numbers and odd white space in several scripts, so
that every rule of the 13a tokenizer and of chrF's white space is met.
"""

import json
import random

import sacrebleu
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

WORDS = ["the", "nurse", "Ärztin", "médico", "l'amie", "доктор", "врач.", "طبيب", "डॉक्टर", "3.5", "1,000", "10-12", "a.m.", "e-mail",
         "don't", "&quot;yes&quot;", "&amp;", "<skipped>", "«oui»", "“no”", "(x)", "[y]", "50%", "$5", "x/y", "…", "!", "?", ",", ".", "-",
         "U.S.", "co-op", "ñandú", "ß", "İ", "x;y", "#1", "*", "{z}", "~", "@home", "^", "_a_", "|", "3,", ".5", "5.", "...", ",,", "-5", "5-"]
BLANKS = [" ", " ", " ", "  ", "\u00a0", "\u2009", "\u3000", "\t", "\u001c"]


def text(random_, length):
    words = []
    for _ in range(length):
        words.append(random_.choice(WORDS))
        words.append(random_.choice(BLANKS))
    return "".join(words)


def changed(random_, line):
    pieces = line.split(" ")
    for place in range(len(pieces)):
        if random_.random() < 0.25:
            pieces[place] = random_.choice(WORDS)
    return " ".join(pieces)


def main():
    random_ = random.Random(20251116)
    cases = []
    for number in range(60):
        size = random_.choice([1, 1, 2, 5, 20])
        longest = random_.choice([0, 2, 4, 8, 20])
        references = [text(random_, random_.randint(0, longest)) for _ in range(size)]
        hypotheses = [changed(random_, line) if random_.random() < 0.8 else text(random_, random_.randint(0, longest))
                      for line in references]
        if number == 0:
            references, hypotheses = ["a b c d e"], ["a b c d e"]
        bleu = sacrebleu.corpus_bleu(hypotheses, [references])
        chrf = sacrebleu.corpus_chrf(hypotheses, [references])
        cases.append({"hypotheses": hypotheses, "references": references, "bleu": bleu.score, "chrf": chrf.score})
    tokenize = Tokenizer13a()
    lines = [text(random_, 12) for _ in range(40)] + ["", " ", "1.2.3", "a.b.c", "..5", "5..", "-", "1-2-3", "&lt;b&gt; &amp;amp;"]
    tokens = [{"line": line, "tokens": tokenize(line.rstrip()).split()} for line in lines]
    print(json.dumps({"sacrebleu": sacrebleu.__version__, "cases": cases, "tokens": tokens}, ensure_ascii=True))


main()
