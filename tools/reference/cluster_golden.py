#!/usr/bin/env python3
"""Writes crates/base/stats/tests/golden/cluster.json: cluster-robust variances, t intervals, sign flips.

    python3 -m venv venv && venv/bin/pip install numpy scipy statsmodels
    venv/bin/python tools/reference/cluster_golden.py

One stratum: statsmodels' OLS on a constant with cov_type='cluster'. Two ways: its cov_cluster_2groups, and the mean squares
of a two-way analysis of variance. Strata, the
effective number, Wilson with t and the combination of two intervals are written out in NumPy below. All inputs are drawn
with SEED, so running it again gives the same file.
"""

import json
from pathlib import Path

import numpy as np
import scipy
import statsmodels
import statsmodels.api as sm
from scipy import stats
from statsmodels.stats.sandwich_covariance import cov_cluster_2groups

SEED = 20261115
OUT = Path(__file__).resolve().parents[2] / "crates/base/stats/tests/golden/cluster.json"
rng = np.random.default_rng(SEED)


def wilson(p, n, q):
    centre = (2 * n * p + q * q) / (2 * (n + q * q))
    half = q / (2 * (n + q * q)) * np.sqrt(4 * n * p * (1 - p) + q * q)
    return [float(centre - half), float(centre + half)]


def sentences(k, size, strata, spread):
    """0/1 answers of k clusters of about `size` sentences whose rates differ."""
    groups, answers = [], []
    for cluster in range(k):
        n = int(rng.integers(max(1, size // 2), size * 2))
        rate = 1 / (1 + np.exp(-rng.normal(0.4, spread)))
        answers += list((rng.random(n) < rate).astype(float))
        groups += [cluster] * n
    return np.array(answers), np.array(groups), [cluster % strata for cluster in range(k)]


def influences(y, g, k):
    p = y.mean()
    return p, np.array([(y[g == c] - p).sum() / len(y) for c in range(k)])


def stratified(u, v, strata):
    total = 0.0
    strata = np.array(strata)
    for h in sorted(set(strata)):
        a, b = u[strata == h], v[strata == h]
        total += len(a) / (len(a) - 1) * ((a - a.mean()) * (b - b.mean())).sum()
    return float(total)


def freedom(u, strata):
    """Satterthwaite's degrees of freedom over strata."""
    strata = np.array(strata)
    parts = []
    for h in sorted(set(strata)):
        a = u[strata == h]
        parts.append((len(a) / (len(a) - 1) * ((a - a.mean()) ** 2).sum(), len(a) - 1))
    return float(sum(v for v, _ in parts) ** 2 / sum(v * v / f for v, f in parts))


def flip_of(u, delta):
    """Sign flips of what each cluster adds: its influence and an equal part of the value."""
    return flip_test(len(u) * u + delta)


def flip_test(added):
    test = stats.permutation_test(
        (added,), lambda x, axis: x.mean(axis=axis), permutation_type="samples", n_resamples=np.inf, vectorized=True
    )
    return float(test.pvalue)


ratios = []
for k, size, strata, spread in [(5, 4, 1, 1.0), (20, 12, 1, 1.5), (40, 90, 2, 2.0), (60, 3, 3, 0.3)]:
    y, g, s = sentences(k, size, strata, spread)
    z, g2, _ = sentences(k, size, strata, spread)
    p, u = influences(y, g, k)
    q, v = influences(z, g2, k)
    variance, other = stratified(u, u, s), stratified(v, v, s)
    if strata == 1:
        fit = sm.OLS(y, np.ones_like(y)).fit(cov_type="cluster", cov_kwds={"groups": g})
        # Influences sum to zero, so centring them changes nothing.
        assert abs(fit.cov_params()[0, 0] - variance) < 1e-15
        variance = float(fit.cov_params()[0, 0])
    dof = freedom(u, s)
    assert strata > 1 or abs(dof - (k - 1)) < 1e-9
    t = float(stats.t.ppf(0.975, dof))
    effective = min(p * (1 - p) / variance, len(y))
    interval = wilson(p, effective, t)
    rho = stratified(u, v, s) / np.sqrt(variance * other)
    reach = lambda a, b: np.sqrt(a * a - 2 * rho * a * b + b * b)
    # Both sides with the t of the difference.
    joint = float(stats.t.ppf(0.975, freedom(u - v, s)))
    first, second = wilson(p, effective, joint), wilson(q, min(q * (1 - q) / other, len(z)), joint)
    low = p - q - reach(p - first[0], second[1] - q)
    high = p - q + reach(first[1] - p, q - second[0])
    diff = stratified(u - v, u - v, s)
    ratios.append(
        dict(
            strata=s,
            first=[[float(y[g == c].sum()), float((g == c).sum())] for c in range(k)],
            second=[[float(z[g2 == c].sum()), float((g2 == c).sum())] for c in range(k)],
            value=float(p),
            variance=variance,
            effective_n=float(effective),
            share=interval,
            interval=[float(p - t * np.sqrt(variance)), float(p + t * np.sqrt(variance))],
            p_value=float(2 * stats.t.sf(abs(p / np.sqrt(variance)), dof)),
            correlation=float(rho),
            newcombe=[float(low), float(high)],
            difference_variance=diff,
            dof=dof,
            flip=flip_of(u - v, float(p - q)) if k <= 12 else None,
        )
    )

def crossed_case(y, r, c, row_strata, column_strata, first=None):
    """The two-way variance of the mean of y (or of the mean over `first` less that over the rest).

    Rows and columns: sums within strata, each with its k/(k-1). Cells: residuals of least squares on rows and columns, for
    each stratum of rows within each of columns, over their degrees of freedom. A stratum of one is a condition.
    """
    first = np.ones(len(y), bool) if first is None else first
    u = np.zeros(len(y))
    for side, sign in ((first, 1.0), (~first, -1.0)):
        if side.any():
            u[side] = sign * (y[side] - y[side].mean()) / side.sum()
    parts = {"rows": [], "columns": [], "cells": []}
    drawn = {}
    for name, labels, strata in (("rows", r, row_strata), ("columns", c, column_strata)):
        for h in sorted(set(strata)):
            members = sorted(label for label in set(labels) if strata[label] == h)
            drawn[name, h] = members
            if len(members) > 1:
                s = np.array([u[labels == label].sum() for label in members])
                parts[name].append((len(s) / (len(s) - 1) * ((s - s.mean()) ** 2).sum(), len(s) - 1))
    for h in sorted(set(row_strata)):
        for g in sorted(set(column_strata)):
            cells = sorted({(i, j) for i, j in zip(r, c) if row_strata[i] == h and column_strata[j] == g})
            if len(drawn["rows", h]) < 2 or len(drawn["columns", g]) < 2 or not cells:
                continue
            s = np.array([u[(r == i) & (c == j)].sum() for i, j in cells])
            own_rows, own_columns = sorted({i for i, _ in cells}), sorted({j for _, j in cells})
            design = np.array([[i == a for a in own_rows] + [j == b for b in own_columns] for i, j in cells], float)
            rest = s - design @ np.linalg.lstsq(design, s, rcond=None)[0]
            dof = len(cells) - np.linalg.matrix_rank(design)
            parts["cells"].append(((rest**2).sum() * len(cells) / dof, dof))
    total = {name: sum(v for v, _ in of) for name, of in parts.items()}
    variance = max(total["rows"] + total["columns"] - total["cells"], total["rows"], total["columns"])
    dof = variance**2 / sum(v * v / f for of in parts.values() for v, f in of)
    return dict(
        influence=[float(x) for x in u],
        rows=[int(x) for x in r],
        columns=[int(x) for x in c],
        row_strata=[int(x) for x in row_strata],
        column_strata=[int(x) for x in column_strata],
        variance=float(variance),
        dof=float(dof),
    )


crossed = []
for rows, columns, each in [(6, 7, 3), (15, 20, 2), (30, 12, 1)]:
    r = np.repeat(np.arange(rows), columns * each)
    c = np.tile(np.repeat(np.arange(columns), each), rows)
    y = rng.normal(0, 1, rows)[r] + rng.normal(0, 1, columns)[c] + rng.normal(0, 1, len(r))
    # The plain sums, without corrections for few clusters, are statsmodels'.
    fit = sm.OLS(y, np.ones_like(y)).fit()
    both = cov_cluster_2groups(fit, r, c, use_correction=False)
    u = (y - y.mean()) / len(y)
    plain = lambda labels: float(sum(u[labels == label].sum() ** 2 for label in set(labels)))
    cell = r * columns + c
    assert abs(np.ravel(both[0])[0] - (plain(r) + plain(c) - plain(cell))) < 1e-12
    case = crossed_case(y, r, c, [0] * rows, [0] * columns)
    # Every cell there: the mean squares of a two-way analysis of variance.
    means = y.reshape(rows, columns, each).mean(axis=2)
    a, b = means.mean(axis=1), means.mean(axis=0)
    inner = means - a[:, None] - b[None, :] + means.mean()
    anova = (
        a.var(ddof=1) / rows + b.var(ddof=1) / columns
        - (inner**2).sum() / ((rows - 1) * (columns - 1)) / (rows * columns)
    )
    assert abs(case["variance"] - max(anova, a.var(ddof=1) / rows, b.var(ddof=1) / columns)) < 1e-12
    crossed.append(case)

# Adjectives of two classes and none, of which a tenth of the sentences is missing: one class against none, and both classes.
r, c = np.repeat(np.arange(14), 9 * 2), np.tile(np.repeat(np.arange(9), 2), 14)
y = rng.normal(0, 1, 14)[r] + rng.normal(0, 1, 9)[c] + rng.normal(0, 1, len(r))
kept = rng.random(len(r)) < 0.9
classes = [0, 0, 0, 0, 1, 1, 1, 1, 2]
for wanted in [(0, 2), (0, 1)]:
    there = kept & np.isin(np.array(classes)[c], wanted)
    first = (np.array(classes)[c] == wanted[0])[there]
    crossed.append(crossed_case(y[there], r[there], c[there], [0] * 14, classes, first))

quantiles = [
    dict(level=level, dof=dof, quantile=float(stats.t.ppf(0.5 + level / 2, dof)))
    for level in (0.5, 0.8, 0.9, 0.95, 0.99, 0.999)
    for dof in (1, 1.7, 2, 4, 9.3, 19, 39, 120, 4000)
]

welch = []
for sizes in ([3, 9], [20, 8], [5, 6, 40]):
    samples = [rng.normal(0, 1 + i, n) for i, n in enumerate(sizes)]
    parts = [[float(s.var(ddof=1) / len(s)), len(s) - 1] for s in samples]
    entry = dict(parts=parts)
    if len(samples) == 2:
        entry["dof"] = float(stats.ttest_ind(*samples, equal_var=False).df)
    else:
        v = np.array([p[0] for p in parts])
        entry["dof"] = float(v.sum() ** 2 / sum(p[0] ** 2 / p[1] for p in parts))
    welch.append(entry)

flips = []
for k in (6, 11):
    d = rng.normal(0.4, 1, k)
    test = stats.permutation_test(
        (d,), lambda x, axis: x.mean(axis=axis), permutation_type="samples", n_resamples=np.inf, vectorized=True
    )
    flips.append(dict(differences=[float(x) for x in d], p_value=float(test.pvalue)))

# A weighted sum of means by stratum: what a cluster adds is its weighted difference over the size of its stratum.
stratum_flips = []
for sizes, weights in (([4, 6], [1.0, -1.0]), ([3, 3, 5], [0.5, 0.5, -1.0])):
    d = [rng.normal(0.3, 1, n) for n in sizes]
    added = np.concatenate([w * x / len(x) for w, x in zip(weights, d)])
    stratum_flips.append(
        dict(differences=[[float(v) for v in x] for x in d], weights=weights, p_value=flip_test(added * len(added)))
    )

OUT.write_text(
    json.dumps(
        dict(
            made_by=dict(numpy=np.__version__, scipy=scipy.__version__, statsmodels=statsmodels.__version__, seed=SEED),
            ratios=ratios,
            crossed=crossed,
            quantiles=quantiles,
            welch=welch,
            flips=flips,
            stratum_flips=stratum_flips,
        ),
        indent=1,
    )
    + "\n"
)
print(OUT, np.__version__, scipy.__version__, statsmodels.__version__)
