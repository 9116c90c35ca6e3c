#!/usr/bin/env python3
"""What arithmetic below f32 does to GEST: scores of `lm_bench --scores` beside those in f32.

    python benches/lm/rounding.py gest_1.1.csv F32.txt OTHER.txt…

A score file has one score a line, templates one after another. Prints for each file Pearson's correlation of its scores
with f32, their largest difference (log10 units), and the largest change of g_s over the templates and their mean
(published convention: e to the mean of log10 ratios of stereotypes of men, 8 to 16, less that of women, 1 to 7).
"""
import csv
import math
import sys


def read(path):
    with open(path, encoding="utf-8") as file:
        return [float(line) for line in file]


def rates(scores, stereotypes):
    """g_s of every template."""
    found = []
    for start in range(0, len(scores), len(stereotypes)):
        sums = {}
        for stereotype, score in zip(stereotypes, scores[start:start + len(stereotypes)]):
            total, count = sums.get(stereotype, (0.0, 0))
            sums[stereotype] = total + score, count + 1
        means = {stereotype: total / count for stereotype, (total, count) in sums.items()}
        men = [mean for stereotype, mean in means.items() if stereotype > 7]
        women = [mean for stereotype, mean in means.items() if stereotype <= 7]
        found.append(math.exp(sum(men) / len(men) - sum(women) / len(women)))
    return [*found, sum(found) / len(found)]


def correlation(a, b):
    mean_a, mean_b = sum(a) / len(a), sum(b) / len(b)
    products = sum((x - mean_a) * (y - mean_b) for x, y in zip(a, b))
    return products / math.sqrt(sum((x - mean_a) ** 2 for x in a) * sum((y - mean_b) ** 2 for y in b))


def main():
    data, exact, *others = sys.argv[1:]
    with open(data, encoding="utf-8") as file:
        stereotypes = [int(row["stereotype"]) for row in csv.DictReader(file)]
    exact = read(exact)
    print("g_s in f32:", " ".join(f"{rate:.4f}" for rate in rates(exact, stereotypes)))
    for path in others:
        scores = read(path)
        moved = [b - a for a, b in zip(rates(exact, stereotypes), rates(scores, stereotypes))]
        print(f"{path}: n {len(scores)}, Pearson {correlation(exact, scores):.6f}, largest difference of a score "
              f"{max(abs(a - b) for a, b in zip(exact, scores)):.4f}, largest change of g_s {max(moved, key=abs):+.5f}")


if __name__ == "__main__":
    main()
