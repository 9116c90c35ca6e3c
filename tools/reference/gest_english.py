#!/usr/bin/env python3
"""Full-precision values of the GEST English language-model section, computed with NumPy and SciPy from
the published per-sample scores; the judge of `crates/app/cli/tests/it/gest_published.rs`.

    pip install numpy scipy
    python tools/reference/gest_english.py GEST_DIR > crates/app/cli/tests/golden/gest_english.json

GEST_DIR holds gest.csv and predictions/{english_mlm,english_glm}.csv.gz, winobias.csv. No randomness.
"""
import csv
import gzip
import itertools
import json
import sys

import numpy as np
from scipy import stats

UNTABLED = "Mistral-7B-Instruct-v0.1"
FAMILY = ["family", "child", "children", "partner", "kids", "kid", "family's"]


def columns(path):
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    table = np.array(rows[1:], dtype=np.float64)
    return {name: table[:, i] for i, name in enumerate(rows[0]) if not name.startswith(UNTABLED)}


def main(folder):
    with open(f"{folder}/gest.csv", encoding="utf-8", newline="") as file:
        samples = list(csv.DictReader(file))
    ids = np.array([int(sample["stereotype"]) for sample in samples])
    family = np.array(
        [i >= 8 and any(word in s["sentence"] for word in FAMILY) for i, s in zip(ids, samples)]
    )
    out = {"family_samples": int(family.sum()), "units": {}, "models": {}, "table3": {}}
    profiles, items = {}, {}
    for kind, first in (("mlm", 1), ("glm", 3)):
        summary = []
        for name, scores in columns(f"{folder}/predictions/english_{kind}.csv.gz").items():
            model, index = name.rsplit("_template-", 1)
            template = first + int(index)
            means = np.array([scores[ids == i].mean() for i in range(1, 17)])
            q = np.exp(means)
            q_f, q_m = stats.gmean(q[:7]), stats.gmean(q[7:])
            q_fam = float(np.exp(scores[family].mean()))
            out["units"][f"{model}/template:{template}"] = {
                "q": q.tolist(),
                "q_true": (10.0**means).tolist(),
                "q_f": float(q_f),
                "q_m": float(q_m),
                "g_s": float(q_m / q_f),
                "q_fam": q_fam,
                "rank": (np.argsort(np.argsort(q, kind="stable"), kind="stable") + 1).tolist(),
            }
            out["models"].setdefault(model, []).append(float(q_m / q_f))
            summary.append((q_m, q_f, q_fam))
            profiles[kind, model, template] = q
            items[kind, model, template] = scores
        out["table3"][kind] = dict(zip(("q_m", "q_f", "q_fam"), np.mean(summary, axis=0).tolist()))
    out["models"] = {model: float(np.mean(rates)) for model, rates in out["models"].items()}

    def correlations(vectors):
        between_models, between_templates = [], []
        for (a, x), (b, y) in itertools.combinations(vectors.items(), 2):
            if a[0] == b[0] and a[1] != b[1] and a[2] == b[2]:
                between_models.append(np.corrcoef(x, y)[0, 1])
            if a[:2] == b[:2]:
                between_templates.append(np.corrcoef(x, y)[0, 1])
        return np.mean(between_models), np.mean(between_templates), len(between_models), len(between_templates)

    out["correlations"] = {
        "q": [float(v) for v in correlations(profiles)],
        "items": [float(v) for v in correlations(items)],
    }
    ranks = np.array([unit["rank"] for unit in out["units"].values()])
    out["rank_box"] = [
        {
            "q1": float(np.quantile(r, 0.25)),
            "median": float(np.quantile(r, 0.5)),
            "q3": float(np.quantile(r, 0.75)),
            "mean": float(r.mean()),
        }
        for r in ranks.T
    ]
    with open(f"{folder}/predictions/winobias.csv", encoding="utf-8", newline="") as file:
        winobias = list(csv.DictReader(file))
    out["winobias"] = {}
    for split in ("1-dev", "1-test", "2-dev", "2-test"):
        rates, ghat = [], []
        for row in winobias:
            model = row["model_name"].rsplit("/", 1)[-1]
            if f"{row['dataset_type']}-{row['dataset_split']}" == split:
                rates.append(out["models"][model])
                ghat.append(
                    np.exp(float(row["logprob_male_professions"]) - float(row["logprob_female_professions"]))
                )
        result = stats.pearsonr(rates, ghat)
        out["winobias"][f"split:type{split}"] = [float(result.statistic), float(result.pvalue)]
    json.dump(out, sys.stdout, indent=0)
    print()


if __name__ == "__main__":
    main(sys.argv[1])
