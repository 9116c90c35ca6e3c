#!/usr/bin/env python3
"""Translations of two engines, token number by token number.

    python benches/gpu/compare.py OURS.txt THEIRS

OURS is what `seq2seq_bench --print` writes, THEIRS likewise or, with the ending .json, what `decode.py --ids` writes (the first token of
which is the decoder's own). Prints how many are identical, and the share of tokens that are.
"""
import json
import sys


def read(path):
    lines = open(path, encoding="utf8").read().splitlines()
    if path.endswith(".json"):
        return [json.loads(line)[1:] for line in lines]
    return [json.loads(line.split("\t")[2]) for line in lines if line.count("\t") == 2]


ours, theirs = read(sys.argv[1]), read(sys.argv[2])
assert len(ours) == len(theirs), (len(ours), len(theirs))
# A batch is filled up to its longest.
theirs = [made[: len(own)] for own, made in zip(ours, theirs)]
same = sum(own == made for own, made in zip(ours, theirs))
tokens = [a == b for own, made in zip(ours, theirs) for a, b in zip(own, made)]
print(f"{sys.argv[1]}, {sys.argv[2]}: {same} of {len(ours)} identical, {sum(tokens) / len(tokens):.3f} of the tokens")
