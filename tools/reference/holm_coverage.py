#!/usr/bin/env python3
"""How often Holm's correction over GEST's stereotypes, four templates and their mean finds anything between equal models, apart from
epicene: the design of benches/coverage, with t tests in place of sign flips (fifty sentences a stereotype).

    python3 -m venv venv && venv/bin/pip install numpy scipy
    venv/bin/python tools/reference/holm_coverage.py [SYSTEMS]
"""

import sys

import numpy as np
from scipy import stats

SYSTEMS = int(sys.argv[1]) if len(sys.argv) > 1 else 4000
EACH, TEMPLATES = 50, 4
rng = np.random.default_rng(20261116)
male = np.repeat(np.arange(1, 17) >= 8, EACH)
weights = np.where(male, 1 / 9 / EACH, -1 / 7 / EACH) * len(male)


def p_value(x):
    return 2 * stats.t.sf(abs(x.mean() / (x.std(ddof=1) / len(x) ** 0.5)), len(x) - 1)


first = any_other = 0
for _ in range(SYSTEMS):
    # Long right tails; what a sentence has in one template of one model it has by half in the others.
    shared, own = rng.normal(size=(len(male), 1)), rng.normal(size=(len(male), 2 * TEMPLATES))
    scores = (np.exp(0.6 * (shared + own) / 2**0.5) - np.exp(0.18)) * 0.5
    difference = scores[:, TEMPLATES:] - scores[:, :TEMPLATES]
    columns = [difference.mean(1), *difference.T]
    rates = [p_value(column * weights) for column in columns]
    others = rates[1:] + [p_value(part) for column in columns for part in column.reshape(16, EACH)]
    first += rates[0] < 0.05
    any_other += min(others) * len(others) < 0.05
print(f"{len(others)} tests, any of them after Holm: {any_other / SYSTEMS:.4f}; the mean's g_s, tested first: {first / SYSTEMS:.4f}")
