#!/usr/bin/env python3
"""Whether intervals of means over wordings hold what they say, apart from epicene: the design of occupations-chat in benches/coverage.

    python3 -m venv venv && venv/bin/pip install numpy scipy
    venv/bin/python tools/reference/wordings_coverage.py [SYSTEMS]

Twenty occupations of either kind, seven wordings. s of a wording is the masculine rate of the first less that of the second; its mean
over wordings varies with the occupations (resampled within their kind, here by the bootstrap's own variance in closed form) and with the
wordings. What is of one occupation in one wording is in both and is taken off once; `twice` leaves it in. Seeded.
"""

import sys

import numpy as np
from scipy import stats

SYSTEMS = int(sys.argv[1]) if len(sys.argv) > 1 else 6000
WORDINGS, EACH, BY_ITEM, BY_WORDING = 7, 20, 1.0, 0.3
LOGIT = np.repeat([1.0, -0.5], EACH)
SIDE = np.repeat([1.0, -1.0], EACH)
rng = np.random.default_rng(20261116)
logistic = lambda x: 1 / (1 + np.exp(-x))


def answers(effects):
    """Masculine or not, occupation by wording."""
    own = BY_WORDING * rng.normal(size=WORDINGS)
    return (rng.random((2 * EACH, WORDINGS)) < logistic(LOGIT[:, None] + SIDE[:, None] * own + effects[:, None])).astype(float)


def resampled(x):
    """The variance of the difference of both kinds' means over resamples of occupations: (k-1)/k of the usual one."""
    return sum(x[side].var() / EACH for side in (slice(None, EACH), slice(EACH, None)))


def pooled(x):
    """Value, variance and degrees of freedom of the mean of s over wordings, with and without taking cells off."""
    s = x[:EACH].mean(0) - x[EACH:].mean(0)
    items, wordings = resampled(x.mean(1)), s.var(ddof=1) / WORDINGS
    apart = x - x.mean(1, keepdims=True)
    cells = sum(resampled(apart[:, w]) for w in range(WORDINGS)) / (WORDINGS * (WORDINGS - 1))
    freedom = lambda total: total**2 / (items**2 / 999 + wordings**2 / (WORDINGS - 1))
    once = max(items + wordings - cells, items, wordings)
    twice = items + wordings
    return s.mean(), {"": (once, freedom(once)), ", twice": (twice, freedom(twice))}


z = np.linspace(-8, 8, 4001)
weights = np.exp(-z * z / 2) / np.exp(-z * z / 2).sum()
rate = lambda mean: (weights * logistic(mean + np.hypot(BY_ITEM, BY_WORDING) * z)).sum()
TRUTH = rate(1.0) - rate(-0.5)
seen = {}
for _ in range(SYSTEMS):
    effects = BY_ITEM * rng.normal(size=2 * EACH)
    one, other = answers(effects), answers(effects)
    for name, x, truth in (("s", one, TRUTH), ("delta_s", other - one, 0.0)):
        value, ways = pooled(x)
        for way, (variance, dof) in ways.items():
            p = 2 * stats.t.sf(abs(value - truth) / variance**0.5, dof)
            seen.setdefault(name + way, []).append((value, variance, p >= 0.05))

print("| what | variance | estimated | held (.95) | p < .05 | systems |\n|---|---|---|---|---|---|")
for name, found in seen.items():
    values, variances, held = np.array(found, float).T
    print(f"| {name} | {values.var():.3g} | {variances.mean():.3g} | {held.mean():.3f} | {1 - held.mean():.3f} | {SYSTEMS} |")
