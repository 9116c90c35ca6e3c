#!/usr/bin/env python3
"""Whether two-way variances hold what they say, apart from epicene: WiBeMT's designs of benches/coverage in NumPy.

    python3 -m venv venv && venv/bin/pip install numpy scipy
    venv/bin/python tools/reference/two_way_coverage.py [SYSTEMS]

Prints, for %TFG, thirds of the occupations and H2a to H2c: the variance of the estimate over systems, the mean of the estimated
one, the coverage of the interval (Wilson with t for the share, t for differences) and how often equal conditions are told apart.
`plain` takes the sums of squares of cells off as they are (Cameron, Gelbach & Miller), with the fewer degrees of freedom.
"""

import sys

import numpy as np
from scipy import stats

SYSTEMS = int(sys.argv[1]) if len(sys.argv) > 1 else 6000
rng = np.random.default_rng(20261116)
logistic = lambda x: 1 / (1 + np.exp(-x))


def parts(sums, strata):
    found = []
    for h in sorted(set(strata)):
        s = sums[strata == h]
        if len(s) > 1:
            found.append((((s - s.mean()) ** 2).sum() * len(s) / (len(s) - 1), len(s) - 1))
    return found


def two_way(u, row_strata, column_strata):
    rows, columns = parts(u.sum(1), row_strata), parts(u.sum(0), column_strata)
    cells = []
    for h in sorted(set(row_strata)):
        for g in sorted(set(column_strata)):
            x = u[row_strata == h][:, column_strata == g]
            dof = (x.shape[0] - 1) * (x.shape[1] - 1)
            if dof:
                rest = x - x.mean(1, keepdims=True) - x.mean(0) + x.mean()
                cells.append(((rest**2).sum() * x.size / dof, dof))
    total = lambda of: sum(v for v, _ in of)
    variance = max(total(rows) + total(columns) - total(cells), total(rows), total(columns))
    return variance, variance**2 / sum(v * v / f for v, f in rows + columns + cells)


def plain(u, row_strata, column_strata):
    rows, columns = parts(u.sum(1), row_strata), parts(u.sum(0), column_strata)
    total = lambda of: sum(v for v, _ in of)
    cells = ((u - u.mean()) ** 2).sum() * u.size / (u.size - 1)
    freedom = min(sum(f for _, f in rows), sum(f for _, f in columns))
    return max(total(rows) + total(columns) - cells, total(rows), total(columns)), freedom


def wilson(p, n, q):
    centre = (2 * n * p + q * q) / (2 * (n + q * q))
    half = q / (2 * (n + q * q)) * np.sqrt(4 * n * p * (1 - p) + q * q)
    return centre - half, centre + half


seen = {}


def look(name, value, truth, u, strata, share=False):
    for how, (variance, dof) in (("", two_way(u, *strata)), (" plain", plain(u, *strata))):
        t = stats.t.ppf(0.975, dof)
        if share:
            low, high = wilson(value, min(value * (1 - value) / variance, u.size), t)
        else:
            low, high = value - t * variance**0.5, value + t * variance**0.5
        p = 2 * stats.t.sf(abs(value - truth) / variance**0.5, dof)
        seen.setdefault(name + how, []).append((value, variance, low <= truth <= high, p < 0.05))


def contrast(y, first, second):
    """The mean over some cells less that over others, and what each cell adds."""
    u = np.zeros(y.shape)
    for cells, sign in ((first, 1), (second, -1)):
        u[cells] = sign * (y[cells] - y[cells].mean()) / cells.sum()
    return y[first].mean() - y[second].mean(), u


z = np.linspace(-8, 8, 4001)
weights = np.exp(-z * z / 2) / np.exp(-z * z / 2).sum()
third, verb = np.arange(99) % 3, np.arange(42) % 2
adjective = np.array([i % 2 for i in range(20)] + [2])
for _ in range(SYSTEMS):
    effect = -1.5 + 1.5 * rng.normal(size=(99, 1)) + 0.6 * rng.normal(size=(1, 42))
    y = (rng.random((99, 42)) < logistic(effect)).astype(float)
    truth = (weights * logistic(-1.5 + np.hypot(1.5, 0.6) * z)).sum()
    look("%TFG", y.mean(), truth, (y - y.mean()) / y.size, (np.zeros(99), verb), share=True)
    for name, other in (("F-N", 1), ("F-M", 2)):
        kept = (third == 0) | (third == other)
        side = lambda h: np.repeat((third[kept] == h)[:, None], 42, axis=1)
        value, u = contrast(y[kept], side(0), side(other))
        look(f"third:{name}", value, 0.0, u, (third[kept], verb))
    words = np.append(0.5 * rng.normal(size=20), 0)
    effect = rng.normal(size=(40, 1, 1)) + words[None, :, None] + np.array([-1, 1, -1, 1.0])
    y = (rng.random((40, 21, 4)) < logistic(effect)).mean(2)
    for name, one, other in (("H2a", 0, 2), ("H2b", 1, 2), ("H2c", 0, 1)):
        kept = (adjective == one) | (adjective == other)
        side = lambda h: np.repeat((adjective[kept] == h)[None], 40, axis=0)
        value, u = contrast(y[:, kept], side(one), side(other))
        look(name, value, 0.0, u, (np.zeros(40), adjective[kept]))

print("| what | variance | estimated | held (.95) | p < .05 | systems |\n|---|---|---|---|---|---|")
for name, found in seen.items():
    values, variances, held, rejected = np.array(found, float).T
    print(f"| {name} | {values.var():.3g} | {variances.mean():.3g} | {held.mean():.3f} | {rejected.mean():.3f} | {SYSTEMS} |")
