#!/usr/bin/env python3
"""Writes crates/base/stats/tests/golden/ppi.json: prediction-powered means and agreement of annotators.

    python3 -m venv venv && venv/bin/pip install numpy scipy statsmodels ppi-python==0.2.3 krippendorff==0.9.0
    venv/bin/python tools/reference/ppi_golden.py

Unstratified means and differences: ppi-python. Stratified ones: the derivation of docs/audit.md, written out in NumPy
below. Agreement: statsmodels and krippendorff. All inputs are drawn with SEED, so running it again gives the same file.
"""

import json
from pathlib import Path

import krippendorff
import numpy as np
from ppi_py import ppi_mean_ci, ppi_mean_pointestimate
from scipy import stats
from statsmodels.stats.inter_rater import cohens_kappa

SEED = 20261115
OUT = Path(__file__).resolve().parents[2] / "crates/base/stats/tests/golden/ppi.json"
rng = np.random.default_rng(SEED)


def verdicts(size, rate, wrong, numbers):
    """What people would say and what a judge says that is wrong in one direction."""
    y = (rng.random(size) < rate).astype(float)
    f = np.where((y == 0) & (rng.random(size) < wrong), 1.0, y)
    if numbers:
        y, f = y + rng.normal(0, 0.3, size), f + rng.normal(0, 0.4, size)
    return y, f


def pair(point, low, high):
    return [float(np.ravel(x)[0]) for x in (point, low, high)]


means = []
for case in range(20):
    n = int(rng.integers(20, 120))
    others = int(rng.integers(100, 400))
    y, f = verdicts(n + others, rng.uniform(0.1, 0.9), rng.uniform(0.0, 0.3), case % 4 == 3)
    if case % 5 == 4:  # a difference of two systems on the same items
        y2, f2 = verdicts(n + others, rng.uniform(0.1, 0.9), rng.uniform(0.0, 0.3), False)
        y, f = y - y2, f - f2
    alpha = [0.05, 0.1][case % 2]
    entry = {"human": y[:n].tolist(), "judged": f[:n].tolist(), "others": f[n:].tolist(), "level": 1 - alpha}
    for name, lam in [("tuned", None), ("plain", 1), ("labels", 0)]:
        point = ppi_mean_pointestimate(y[:n], f[:n], f[n:], lam=lam)
        entry[name] = pair(point, *ppi_mean_ci(y[:n], f[:n], f[n:], alpha=alpha, lam=lam))
    means.append(entry)


def stratified(strata, level):
    """docs/audit.md, "The estimator": point, variance, degrees of freedom, interval."""
    N = sum(len(f) for _, _, f, _ in strata)
    labels = sum(len(y) for y, _, _, _ in strata)
    H = len(strata)
    num = den = 0.0
    for y, fl, f, _ in strata:
        n, size = len(y), len(f)
        k = (size / N) ** 2 * (1 / n - 1 / size)
        num += k * np.mean((y - y.mean()) * (fl - fl.mean()))
        den += k * (np.var(f, ddof=1) if size > 1 else 0.0)
    lam = float(np.clip(num / den * (1 - labels / N), 0, 1)) if den > 0 else 0.0
    full = lam / (1 - labels / N) if labels < N else 0.0
    means, parts = [], []
    for y, fl, f, wrong in strata:
        n, size = len(y), len(f)
        w = full * (1 - n / size)
        rest = f[n:]
        e = y - w * fl
        share = size / N
        means.append((share, e.mean() + (w * rest.mean() if len(rest) else 0.0)))
        if len(rest):
            # Two wrong and two right labels, spread over the strata and over the units of the stratum.
            q = 2 / H
            values = np.concatenate([e, wrong - w * f, f - w * f])
            weights = np.concatenate([np.ones(n), np.full(size, q / size), np.full(size, q / size)])
            total = weights.sum()
            m = (weights * values).sum() / total
            var = (weights * (values - m) ** 2).sum() / (total - 1)
            parts.append((share**2 * var / total, total - 1))
            parts.append((share**2 * w * w * np.var(rest) / len(rest), max(len(rest) - 1, 1)))
        else:
            var = np.var(e, ddof=1) if n > 1 else 0.0
            parts.append((share**2 * var / n, max(n - 1, 1)))
    point = sum(s * m for s, m in means)
    if H > 1:
        parts.append((sum(s * (m - point) ** 2 for s, m in means) / N, N - 1))
    variance = sum(v for v, _ in parts)
    dof = variance**2 / sum(v * v / d for v, d in parts)
    half = stats.t.ppf(0.5 + level / 2, dof) * np.sqrt(variance)
    return {
        "lambda": lam, "value": float(point), "variance": float(variance), "dof": float(dof),
        "interval": [float(point - half), float(point + half)],
    }


strata_cases = []
for case in range(20):
    H = int(rng.integers(1, 7))
    strata = []
    for h in range(H):
        size = int(rng.integers(3, 150))
        n = size if case % 6 == 5 and h == 0 else int(rng.integers(2, max(3, size // 3)))
        y, f = verdicts(size, rng.uniform(0.1, 0.9), rng.uniform(0.0, 0.3), case % 4 == 3)
        if case % 3 == 2:  # strata of one verdict each
            f = np.full(size, float(h % 2))
        wrong = 1 - f
        strata.append((y[:n], f[:n], f, wrong))
    expected = stratified(strata, 0.95)
    expected["strata"] = [
        {"human": y.tolist(), "judged": f.tolist(), "wrong": wrong.tolist()} for y, _, f, wrong in strata
    ]
    strata_cases.append(expected)

agreement = []
for case in range(6):
    things = int(rng.integers(20, 80))
    people = 2 if case < 3 else int(rng.integers(3, 5))
    truth = rng.integers(0, 4, things)
    said = np.array([np.where(rng.random(things) < 0.8, truth, rng.integers(0, 4, things)) for _ in range(people)])
    entry = {"labels": said.T.astype(int).tolist()}
    if people == 2:
        table = np.zeros((4, 4))
        for a, b in said.T:
            table[a, b] += 1
        result = cohens_kappa(table)
        entry["kappa"] = [float(result.kappa), float(result.std_kappa)]
        entry["alpha"] = float(krippendorff.alpha(said.astype(float), level_of_measurement="nominal"))
    else:
        gaps = said.astype(float)
        gaps[rng.random(gaps.shape) < 0.25] = np.nan
        entry["labels"] = [[int(x) for x in column if not np.isnan(x)] for column in gaps.T]
        entry["alpha"] = float(krippendorff.alpha(gaps, level_of_measurement="nominal"))
    agreement.append(entry)

OUT.write_text(json.dumps({"seed": SEED, "means": means, "strata": strata_cases, "agreement": agreement}) + "\n")
print(OUT, OUT.stat().st_size)
