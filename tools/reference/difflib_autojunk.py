"""Opcodes of Python's difflib for long sequences in which the autojunk heuristic matters.

Writes crates/engine/engine/tests/golden/difflib_autojunk.json. The sequences come from a small generator
that the test repeats: x = (1103515245 x + 12345) mod 2^31, element = (x >> 16) mod alphabet; the second
sequence is the first with every `every`-th element replaced by the next draw, cut to `length`.
"""

import difflib
import json
import pathlib


def sequences(seed, length, alphabet, every):
    x = seed
    def draw():
        nonlocal x
        x = (1103515245 * x + 12345) % 2**31
        return (x >> 16) % alphabet
    a = [draw() for _ in range(length + 7)]
    b = [draw() if i % every == 0 else e for i, e in enumerate(a)][3:length + 3]
    return a, b


cases = []
for seed, length, alphabet, every in [
    (1, 200, 30, 5), (2, 199, 30, 5), (3, 240, 60, 3), (4, 300, 90, 7), (5, 260, 12, 4),
    (6, 205, 4, 9), (7, 400, 150, 2), (8, 220, 70, 3), (9, 230, 300, 3), (10, 500, 120, 4),
]:
    a, b = sequences(seed, length, alphabet, every)
    on = difflib.SequenceMatcher(None, a, b).get_opcodes()
    off = difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes()
    cases.append({"seed": seed, "length": length, "alphabet": alphabet, "every": every,
                  "on": on, "off": off})
path = pathlib.Path(__file__).parents[2] / "crates/engine/engine/tests/golden/difflib_autojunk.json"
path.write_text(json.dumps(cases, separators=(",", ":")).replace('},{', '},\n{') + "\n")
print(len(cases), sum(c["on"] != c["off"] for c in cases), "differ")
