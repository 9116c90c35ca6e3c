#!/usr/bin/env python3
"""Answers of chat models as GenderBench's own package reads and counts them: the golden file of `--rule genderbench`.

    pip install genderbench && pip install nltk==3.9.1   # the pinned 3.8.1 wants punkt as a pickle; its rules are the same
    pip download --no-deps llama-index-core      # carries NLTK's punkt_tab, which word_tokenize needs
    python3 tools/reference/genderbench_rule.py llama_index_core-*.whl \\
        > crates/bench/benchmarks/tests/chat/genderbench.json

The answers are our own, put together from the pieces below with seed 24: 50 items in six orders for GestProbe (300 answers),
300 profiles for GestCreativeProbe, and single profiles for the tokenizer's corners. The package's classes are called as
they are; only the download of GEST and of NLTK's data is left out, since items are given.
"""

import itertools
import json
import os
import random
import sys
import tempfile
import zipfile
from pathlib import Path

OPTIONS = ("male", "female", "neither")
LETTERS = ("(a)", "(b)", "(c)")
CHOICES = [
    "{x}", "{x}.", "{X}", "{x} because it fits best.", "The answer is {x}", "**{x}**", "I would say {x}, not {y}.",
    "{x} or {y}", "None of them.", "", "I cannot say.", "a", "{x} {x}", "Answer: {x}\n\nIt is the usual view.",
    "({z})", "{x})", "[{x}]", "I'm sorry, but I can't help with that.",
]
PIECES = [
    "He walked home.", "She walked home.", "They asked him.", "They asked her.", "his dog", "her dog", "It was hers.",
    "\"Leave him,\" she said.", "he/she", "his/her work", "He's tired.", "she'd gone", "he'll wait", "(she)", "**He**",
    "_she_", "him.", "her.", "Him!", "Her?", "him...", "her…", "he—the baker—slept", "he, she", "HE", "SHE", "himself",
    "herself", "“He,” they said.", "‘She’ was all", "'he' was all", "she' and", "him.” Then", "her.\" Then", "him.) And",
    "her;him", "his:her", "he-man", "she's", "her’s", "he’s", "him.Then", "her,2 years", "he--she", "[his]", "{her}",
    "he.\nShe", "her\nhis", "he 's", "whether", "the", "this", "history", "here",
]


def choice(random_):
    x, y = random_.sample(LETTERS, 2)
    return random_.choice(CHOICES).format(x=x, y=y, X=x.upper(), z=x.strip("()"))


def profile(random_):
    return " ".join(random_.choice(PIECES) for _ in range(random_.randint(1, 12)))


def main(wheel):
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(wheel) as archive:
            names = [name for name in archive.namelist() if "/tokenizers/punkt_tab/" in name]
            for name in names:
                target = Path(folder) / "tokenizers/punkt_tab" / name.split("/tokenizers/punkt_tab/")[1]
                if name.endswith("/"):
                    continue
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(archive.read(name))
        os.environ["GENDER_BENCH_LOG_DIR"] = folder
        import nltk
        nltk.data.path.insert(0, folder)
        nltk.download = lambda *args, **kwargs: True
        from genderbench.probes.gest.gest_probe import GestProbe
        from genderbench.probes.gest_creative.gest_creative_probe import GestCreativeProbe
        from genderbench.probing.probe import status
        from genderbench.probing.probe_item import ProbeItem
        from genderbench.probing.prompt import Prompt

        random_ = random.Random(24)
        stereotypes = list(range(1, 17)) * 4
        orders = list(itertools.permutations(OPTIONS))
        letters = dict(zip(OPTIONS, "mfn"))

        def run(probe_class, items):
            probe = probe_class(calculate_cis=False, log_strategy="no")
            probe.probe_items = [
                ProbeItem([Prompt("", {"options": order}) for order, _ in attempts], 1, {"stereotype_id": stereotype})
                for stereotype, attempts in items
            ]
            for item, (_, attempts) in zip(probe.probe_items, items):
                for attempt, (_, answer) in zip(item.attempts, attempts):
                    attempt.answer = answer
            probe.status = status.GENERATED
            probe.evaluate()
            probe.calculate_metrics()
            found = [[None if a.evaluation_undetected else a.evaluation for a in item.attempts] for item in probe.probe_items]
            return found, {name: None if value != value else value for name, value in probe.metrics.items()}

        gest = [(stereotypes[i], [(order, choice(random_)) for order in orders]) for i in range(50)]
        creative = [(stereotypes[i % 64], [(None, profile(random_))]) for i in range(300)]
        corners = [(1, [(None, piece)]) for piece in PIECES + [piece + " And so on." for piece in PIECES]]
        out = {}
        for name, probe_class, items in [
            ("gest", GestProbe, gest), ("creative", GestCreativeProbe, creative), ("corners", GestCreativeProbe, corners),
        ]:
            found, metrics = run(probe_class, items)
            out[name] = {
                "items": [
                    {
                        "stereotype": stereotype,
                        "answers": [
                            {"order": "".join(letters[o] for o in order) if order else None, "text": answer, "found": f}
                            for (order, answer), f in zip(attempts, finding)
                        ],
                    }
                    for (stereotype, attempts), finding in zip(items, found)
                ],
                "metrics": metrics,
            }
        json.dump(out, sys.stdout, ensure_ascii=False, indent=1)
        print()


if __name__ == "__main__":
    main(sys.argv[1])
