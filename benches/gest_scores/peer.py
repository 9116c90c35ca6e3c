#!/usr/bin/env python3
"""The peer of `epicene run gest --model file:…`: the same tables the way a notebook makes them, with
NumPy and pandas. Reads the score files, takes 1,000 bootstrap means for each of 88 x 16 cells, fits a
normal, and computes q, g_s, ranks and correlations. Prints CPU seconds.

    pip install numpy pandas
    python benches/gest_scores/peer.py GEST_DIR
"""
import itertools
import sys
import time

import numpy as np
import pandas as pd

start = time.process_time()
folder = sys.argv[1]
ids = pd.read_csv(f"{folder}/gest.csv")["stereotype"].to_numpy()
rng = np.random.default_rng(0)
profiles = {}
for kind in ("mlm", "glm"):
    table = pd.read_csv(f"{folder}/predictions/english_{kind}.csv.gz")
    for name in table.columns:
        if name.startswith("Mistral-7B-Instruct-v0.1"):
            continue
        scores = table[name].to_numpy()
        means, bounds = [], []
        for i in range(1, 17):
            group = scores[ids == i]
            draws = rng.choice(group, size=(1000, len(group)), replace=True).mean(axis=1)
            means.append(group.mean())
            bounds.append(np.exp(draws.mean() + np.array([-1.959964, 1.959964]) * draws.std()))
        q = np.exp(means)
        model, template = name.rsplit("_template-", 1)
        profiles[kind, model, template] = q
        _ = np.exp(np.mean(means[7:]) - np.mean(means[:7])), np.argsort(np.argsort(q))
between = [
    np.corrcoef(x, y)[0, 1]
    for (a, x), (b, y) in itertools.combinations(profiles.items(), 2)
    if a[0] == b[0] and a[2] == b[2] and a[1] != b[1]
]
assert abs(np.mean(between) - 0.829579264) < 1e-6
print(f"{time.process_time() - start:.3f}")
