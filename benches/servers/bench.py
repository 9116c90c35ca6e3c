#!/usr/bin/env python3
"""Scores through a running server against the same weights run here.

    bench.py EPICENE MODEL-DIRECTORY URL [--gest gest.csv] [--questions 200]

Prints the largest and the mean difference in log10 units, questions a second, and what became of texts with characters
split over tokens and of texts that are too long. run.sh starts the servers, with their versions.
"""
import argparse
import csv
import json
import subprocess
import sys
import time

TEMPLATES = [('"{}",', "he", "she"), ('"{}", said the', "man", "woman")]
SPLIT = ["My žena is here.", "Я рад, naïve 😀 žena.", "Ünïcödé ńẃ ŷ.", "日本語の文です。", "He said: “—”…"]


def score(epicene, model, lines):
    began = time.monotonic()
    done = subprocess.run([epicene, "--quiet", "score", "--task", "next-word", "--model", model], input="".join(json.dumps(line) + "\n" for line in lines),
                          capture_output=True, text=True, encoding="utf-8")
    if done.returncode != 0:
        sys.exit(done.stderr)
    return [json.loads(line)["next-word"] for line in done.stdout.splitlines()], time.monotonic() - began, done.stderr.strip()


def questions(sentences):
    for sentence in sentences:
        for prompt, masculine, feminine in TEMPLATES:
            yield {"prompt": prompt.format(sentence), "masculine": masculine, "feminine": feminine}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("epicene")
    parser.add_argument("model")
    parser.add_argument("url")
    parser.add_argument("--gest")
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--most", type=float, help="fail where a difference is larger")
    given = parser.parse_args()
    if given.gest:
        rows = list(csv.reader(open(given.gest, encoding="utf-8")))[1:]
        sentences = [row[0] for row in rows][:given.questions // 2]
    else:
        sentences = [f"I have {adjective} thoughts about number {n}." for n in range(given.questions // 20) for adjective in
                     ("good", "bad", "few", "many", "old", "new", "deep", "my", "her", "no")]
    asked = list(questions(sentences))
    there, wall, notes = score(given.epicene, f"openai:demo@{given.url}", asked)
    here, _, _ = score(given.epicene, f"dir:{given.model}", asked)
    differences = [abs(a - b) for a, b in zip(there, here)]
    print(f"{len(asked)} questions: max {max(differences):.1e}, mean {sum(differences) / len(differences):.1e}, {len(asked) / wall:.0f} a second {notes}")
    odd = list(questions(SPLIT))
    long = list(questions(["very " * 400 + "long."]))
    there, _, notes = score(given.epicene, f"openai:demo@{given.url}", odd + long + odd)
    here, _, _ = score(given.epicene, f"dir:{given.model}", odd)
    split = [abs(a - b) for a, b in zip(there[:len(odd)], here)]
    print(f"{len(odd)} with split characters: max {max(split):.1e}; {len(long)} too long: {there[len(odd):len(odd) + len(long)]}; {notes}")
    assert there[len(odd):len(odd) + len(long)] == [None] * len(long), "a text that is too long has no score"
    # llama.cpp computes from what it still has of earlier texts, which moves the last digits.
    assert all(abs(a - b) < (given.most or 0.01) for a, b in zip(there[:len(odd)], there[-len(odd):])), "the same question, another answer"
    if given.most is not None and max(differences + split) > given.most:
        sys.exit(f"a difference is larger than {given.most}")


main()
