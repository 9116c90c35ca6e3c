#!/usr/bin/env python3
"""Writes crates/base/stats/tests/golden/stats.json: what SciPy, NumPy and statsmodels answer.

    python3 -m venv venv && venv/bin/pip install numpy scipy statsmodels
    venv/bin/python tools/reference/stats_golden.py

The committed file was written by Python 3.11.7, numpy 2.4.6, scipy 1.17.1, statsmodels 0.15.0 (the script
prints the versions it finds, and records them in the file). All inputs are fixed or drawn with SEED, so
running it again gives the same file.
"""

import json
import math
import platform
import warnings
from pathlib import Path

import numpy as np
import scipy
import statsmodels
from scipy import stats
from scipy.stats import contingency
from statsmodels.stats.contingency_tables import Table2x2, mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

SEED = 20240601
OUT = Path(__file__).resolve().parents[2] / "crates/base/stats/tests/golden/stats.json"
rng = np.random.default_rng(SEED)


def floats(values):
    return [float(value) for value in values]


def pair(interval):
    return [float(interval[0]), float(interval[1])]


def describe():
    samples = [
        [3.0],
        [1.0, 2.0],
        [5.0, 1.0, 4.0, 4.0, 2.0],
        [0.1, 0.2, 0.3, 0.4, 100.0],
        floats(np.round(rng.lognormal(0, 2, 37), 6)),
        floats(np.round(1e6 + rng.normal(0, 1e-3, 300), 7)),
        floats(np.round(rng.standard_t(2, 101), 5) + 60.0),
    ]
    quantiles = [0.0, 0.025, 0.1, 0.25, 1 / 3, 0.5, 0.75, 0.9, 0.975, 1.0]
    cases = []
    for x in samples:
        x = np.array(x)
        q1, median, q3 = np.percentile(x, [25, 50, 75])
        reach = 1.5 * (q3 - q1)
        low, high = x[x >= q1 - reach].min(), x[x <= q3 + reach].max()
        cases.append(
            dict(
                values=floats(x),
                mean=np.mean(x),
                population_sd=np.std(x),
                sample_sd=np.std(x, ddof=1) if len(x) > 1 else None,
                geometric_mean=stats.gmean(x),
                quantiles=[[q, float(np.quantile(x, q))] for q in quantiles],
                box=floats([q1, median, q3, np.mean(x), min(low, q1), max(high, q3)]),
            )
        )
    return cases


def ranks():
    samples = [
        [],
        [7.0],
        [3, 1, 2],
        [1, 1, 1, 1],
        [2, 0, 2, -1, 0, 2, 5],
        [0.0, -0.0, math.inf, -math.inf, 0.0],
        floats(rng.integers(0, 12, 60)),
        floats(np.round(rng.normal(size=40), 4)),
    ]
    cases = []
    for x in samples:
        x = np.array(x, dtype=float)
        ordinal = np.argsort(np.argsort(x, kind="stable"), kind="stable") + 1
        # JSON has no infinity: it is written as +-1e308, which ranks the same.
        cases.append(
            dict(
                values=floats(np.nan_to_num(x, posinf=1e308, neginf=-1e308)),
                average=floats(stats.rankdata(x)),
                ordinal=[int(rank) for rank in ordinal],
            )
        )
    return cases


def proportions():
    cases = []
    counts = [(0, 1), (1, 1), (0, 10), (10, 10), (1, 10), (7, 50), (25, 50), (1782, 3565), (3560, 3565),
              (3, 1_000_000), (500_123, 1_000_000)]
    for k, n in counts:
        for level in [0.5, 0.9, 0.95, 0.99, 0.999999]:
            z = stats.norm.ppf(0.5 + level / 2)
            centre = (k + z**2 / 2) / (n + z**2)
            half = z * np.sqrt(centre * (1 - centre) / (n + z**2))
            # statsmodels takes 1 - level, which rounds too coarsely for the most extreme level.
            clipped = pair(proportion_confint(k, n, 1 - level, "agresti_coull")) if level < 0.999 else None
            cases.append(
                dict(
                    k=k, n=n, level=level, z=z, centre=centre,
                    agresti_coull=[centre - half, centre + half],
                    agresti_coull_clipped=clipped,
                    wilson=pair(stats.binomtest(k, n).proportion_ci(level, "wilson")),
                )
            )
    return cases


def bootstraps():
    def case(name, data, statistic, paired=False, levels=(0.9, 0.95, 0.99)):
        boot = stats.bootstrap(data, statistic, paired=paired, vectorized=False, n_resamples=599,
                               method="percentile", rng=np.random.default_rng(7))
        replicates = boot.bootstrap_distribution
        size = len(data[0])
        jackknife = [statistic(*[np.delete(sample, i) for sample in data]) for i in range(size)]
        intervals = []
        for level in levels:
            row = dict(level=level)
            for method in ["percentile", "basic", "BCa"]:
                result = stats.bootstrap(data, statistic, paired=paired, vectorized=False, n_resamples=0,
                                         bootstrap_result=boot, confidence_level=level, method=method)
                row[method.lower()] = pair(result.confidence_interval)
            row["normal_fit"] = pair(stats.norm.interval(level, *stats.norm.fit(replicates)))
            intervals.append(row)
        return dict(name=name, estimate=float(statistic(*data)), replicates=floats(replicates),
                    jackknife=floats(jackknife), intervals=intervals)

    x = rng.normal(size=40)
    skewed = rng.lognormal(0, 1.2, 30)
    y = 0.6 * x + rng.normal(size=40)
    binary = rng.binomial(1, 0.15, 60).astype(float)
    return [
        case("mean", (x,), np.mean),
        case("skewed standard deviation", (skewed,), np.std),
        case("mean of zeros and ones: replicates tie with the estimate", (binary,), np.mean),
        case("correlation", (x, y), lambda a, b: stats.pearsonr(a, b).statistic, paired=True),
    ]


def formula(kind, n):
    """Large samples both sides compute instead of storing: whole numbers, so exactly alike."""
    i = np.arange(n, dtype=np.int64)
    x = (i * 7919) % 10007
    if kind == "tied":
        return (x % 50).astype(float), ((i * 104729) % 53 + x % 50 // 10).astype(float)
    if kind == "related":
        return x.astype(float), (x // 20 + (i * 104729) % 2003).astype(float)
    if kind == "inverse":
        return i.astype(float), (-i).astype(float)
    if kind == "one_swap":
        y = i.copy()
        y[0], y[1] = 1, 0
        return i.astype(float), y.astype(float)
    raise ValueError(kind)


def correlations():
    stored = [
        ([1, 2], [5, 3]),
        ([1, 2, 3], [2, 1, 3]),
        ([1, 2, 3, 4], [1, 2, 3, 5]),
        ([1, 2, 3, 4, 5], [5, 4, 3, 2, 1.5]),
        ([1, 2, 2, 3, 5, 5, 5], [3, 1, 1, 2, 2, 9, 7]),
        ([12, 2, 1, 12, 2], [1, 4, 7, 1, 0]),
        ([1, 1, 1, 2], [0, 3, 1, 3]),
        ([1e200, 2e200, -3e200, 5e199], [1e-200, 3e-200, 2e-200, -1e-200]),
    ]
    for n, slope in [(10, 0.3), (33, 0.0), (33, 4.0), (34, 0.5), (34, 5.0), (100, 0.05), (100, 0.9), (300, 2.0)]:
        x = np.round(rng.normal(size=n), 4)
        stored.append((floats(x), floats(np.round(slope * x + rng.normal(size=n), 4))))
    for n, levels in [(20, 3), (50, 5), (150, 7)]:
        x = rng.integers(0, levels, n)
        stored.append((floats(x), floats(x // 2 + rng.integers(0, levels, n))))
    wanted = [dict(x=floats(x), y=floats(y)) for x, y in stored]
    wanted += [dict(formula=kind, n=n) for kind, n in
               [("tied", 2000), ("tied", 20000), ("related", 500), ("related", 20000),
                ("inverse", 170), ("inverse", 171), ("inverse", 200), ("one_swap", 40), ("one_swap", 171),
                ("one_swap", 172), ("one_swap", 3)]]
    cases = []
    for case in wanted:
        x, y = formula(case["formula"], case["n"]) if "formula" in case else (case["x"], case["y"])
        pearson = stats.pearsonr(x, y)
        case["pearson"] = pair(pearson)
        if len(x) >= 4:
            case["fisher_z"] = [[level, *pair(pearson.confidence_interval(level))] for level in (0.8, 0.95, 0.999)]
        if len(x) >= 3:
            case["spearman"] = pair(stats.spearmanr(x, y))
        case["kendall"] = pair(stats.kendalltau(x, y))
        cases.append(case)
    return cases


def tables():
    wanted = [
        [[10, 20], [20, 40]],
        [[12, 5], [3, 9]],
        [[1, 0], [0, 1]],
        [[3, 2], [2, 2]],
        [[0, 7], [9, 4]],
        [[100, 1], [1, 100]],
        [[1500, 1900], [2100, 1400]],
        [[100_000, 101_000], [99_000, 100_500]],
        [[10, 10, 20], [20, 20, 20]],
        [[5, 0, 2], [1, 8, 3], [0, 4, 9]],
        [[1, 2, 3, 4]],
        [[50, 30, 10, 5], [40, 45, 12, 8], [3, 60, 4, 90]],
        [[int(v) for v in row] for row in rng.integers(1, 60, (12, 9))],
    ]
    cases = []
    for table in wanted:
        yates = stats.chi2_contingency(table, correction=True)
        plain = stats.chi2_contingency(table, correction=False)
        case = dict(table=table, dof=int(plain.dof), yates=pair(yates), plain=pair(plain))
        if min(np.shape(table)) > 1:
            case["cramers_v"] = contingency.association(np.array(table), "cramer")
        if np.shape(table) == (2, 2):
            (a, b), (c, d) = table
            expanded = np.repeat([[0, 0], [0, 1], [1, 0], [1, 1]], [a, b, c, d], axis=0)
            case["phi"] = stats.pearsonr(expanded[:, 0].astype(float), expanded[:, 1].astype(float)).statistic
            # Not shift_zeros=True: statsmodels 0.15 documents one half added to all cells (Haldane-Anscombe) but
            # sets only the zero cells to one half.
            two = Table2x2(np.array(table) + (0.5 if 0 in (a, b, c, d) else 0.0), shift_zeros=False)
            case["odds_ratio"] = [[level, float(two.oddsratio), *pair(two.oddsratio_confint(1 - level))]
                                  for level in (0.9, 0.95)]
            case["has_zero"] = 0 in (a, b, c, d)
            case["risk_difference"] = [
                [level, a / (a + b) - c / (c + d),
                 *pair(confint_proportions_2indep(a, a + b, c, c + d, method="newcomb", alpha=1 - level))]
                for level in (0.9, 0.95)]
            case["mcnemar_exact"] = [float(v) for v in (lambda r: (r.statistic, r.pvalue))(mcnemar(table))]
            if b + c:
                for name, correction in [("mcnemar_corrected", True), ("mcnemar_plain", False)]:
                    result = mcnemar(table, exact=False, correction=correction)
                    case[name] = [float(result.statistic), float(result.pvalue)]
        cases.append(case)
    return cases


def fits():
    cases = []
    for observed, expected in [
        ([16, 18, 16, 14, 12, 12], [16, 16, 16, 16, 16, 8]),
        ([5, 5], [5, 5]),
        ([30, 0], [15, 15]),
        ([1000, 400, 10], [470, 470, 470]),
        ([0.5, 1.5, 3.0], [1.0, 1.0, 3.0]),
        (floats(rng.integers(50, 150, 300)), None),
    ]:
        if expected is None:
            expected = [float(np.mean(observed))] * len(observed)
        cases.append(dict(observed=floats(observed), expected=floats(expected),
                          result=pair(stats.chisquare(observed, expected))))
    return cases


def binomials():
    wanted = [(0, 1, 0.5), (1, 1, 0.5), (3, 15, 0.1), (5, 10, 0.5), (4, 10, 0.5), (0, 10, 0.0), (1, 10, 0.0),
              (10, 10, 1.0), (9, 10, 1.0), (2, 10, 0.2), (682, 925, 0.75), (0, 40, 0.5), (40, 40, 0.5), (7, 20, 0.31),
              (13, 20, 0.31), (100, 1000, 0.15), (200, 1000, 0.15), (1700, 3565, 0.5), (1950, 3565, 0.5), (1600, 3565, 0.5),
              (5000, 10000, 0.49), (50_900, 100_000, 0.5), (499_000, 1_000_000, 0.5),
              (500_100, 1_000_000, 0.5), (1200, 1_000_000, 0.001),
              (850, 1_000_000, 0.001), (1, 1000, 0.0001), (3, 1000, 0.0001)]
    wanted += [(int(k), 12, p) for p in (0.3, 0.5, 0.77) for k in range(13)]
    return [dict(k=k, n=n, p=p, p_value=float(stats.binomtest(k, n, p).pvalue)) for k, n, p in wanted]


def discordants():
    cases = []
    for b, c in [(0, 0), (1, 0), (5, 5), (6, 15), (15, 6), (0, 50), (100, 180), (2000, 2300), (40_000, 41_500)]:
        case = dict(b=b, c=c)
        exact = mcnemar([[3, b], [c, 4]])
        case["exact"] = [float(exact.statistic), float(exact.pvalue)]
        if b + c:
            for name, correction in [("corrected", True), ("plain", False)]:
                result = mcnemar([[3, b], [c, 4]], exact=False, correction=correction)
                case[name] = [float(result.statistic), float(result.pvalue)]
        cases.append(case)
    return cases


def permutations():
    def difference(x, y, axis):
        return np.mean(x, axis=axis) - np.mean(y, axis=axis)

    def thousandths(values):
        return np.round(np.array(values) * 1000)

    independent = []
    for x, y in [
        ([1.0, 5.0], [2.0, 3.0]),
        ([1, 2, 3], [4, 5, 6, 7]),
        ([1, 1, 2, 2], [1, 2, 2, 3, 3]),
        ([0.1, 0.2, 0.3], [0.1, 0.2, 0.3]),
        (floats(np.round(rng.normal(size=7), 3)), floats(np.round(rng.normal(1, 1, 9), 3))),
        (floats(np.round(rng.normal(100, 1, 10), 3)), floats(np.round(rng.normal(100, 1, 10), 3))),
    ]:
        # In thousandths, so that sums are exact: SciPy's tolerance for ties follows the statistic alone, and for
        # values near 100 that differ by 0.4 it takes ties apart (p 0.29458 for the true 0.29463).
        result = stats.permutation_test((thousandths(x), thousandths(y)), difference, vectorized=True,
                                        n_resamples=np.inf)
        independent.append(dict(x=floats(x), y=floats(y), statistic=float(np.mean(x) - np.mean(y)),
                                p_value=float(result.pvalue), splits=len(result.null_distribution)))
    paired = []
    for d in [
        [1.5, 2.5],
        [1, 2, 3, -1],
        [0, 0, 1, 1, -1, 2],
        floats(np.round(rng.normal(0.4, 1, 12), 3)),
        floats(np.round(rng.normal(1.2, 1, 15), 3)),
    ]:
        zeros = np.zeros(len(d))
        result = stats.permutation_test((thousandths(d), zeros), difference, vectorized=True, n_resamples=np.inf,
                                        permutation_type="samples")
        paired.append(dict(differences=floats(d), statistic=float(np.mean(d)), p_value=float(result.pvalue)))
    return dict(independent=independent, paired=paired)


def corrections():
    cases = []
    for p in [
        [],
        [0.03],
        [0.01, 0.04, 0.03, 0.02],
        [0.01, 0.01, 0.01, 0.9, 1.0, 0.0],
        [1e-12, 1e-9, 0.2, 0.2, 0.5, 0.04, 0.0499, 0.0501],
        floats(rng.uniform(size=50) ** 3),
    ]:
        row = dict(p_values=p)
        for name in ["bonferroni", "holm", "fdr_bh"]:
            row[name] = floats(multipletests(p, method=name)[1]) if p else []
        cases.append(row)
    return cases


def streams():
    """The named random streams of src/stream.rs, written a second time from their papers: FNV-1a names the
    stream, SplitMix64 (Steele et al. 2014) seeds xoshiro256++ (Blackman & Vigna 2021), Lemire (2019) draws."""
    mask = (1 << 64) - 1
    gamma = 0x9E3779B97F4A7C15

    def mix(state):
        z = (state + gamma) & mask
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        return z ^ (z >> 31)

    def fnv(label):
        value = 0xCBF29CE484222325
        for byte in label.encode():
            value = ((value ^ byte) * 0x100000001B3) & mask
        return value

    def rotate(value, by):
        return ((value << by) | (value >> (64 - by))) & mask

    def generator(state):
        s = [mix((state + i * gamma) & mask) for i in range(4)]
        while True:
            yield (rotate((s[0] + s[3]) & mask, 23) + s[0]) & mask
            t = (s[1] << 17) & mask
            s[2] ^= s[0]
            s[3] ^= s[1]
            s[1] ^= s[2]
            s[0] ^= s[3]
            s[2] ^= t
            s[3] = rotate(s[3], 45)

    def below(words, bound):
        while True:
            product = next(words) * bound
            if product & mask >= (1 << 64) % bound:
                return product >> 64

    cases = []
    for seed, label, n in [(0, "", 5), (42, "gest", 20), (2**64 - 1, "übersetzung/naïve", 3565)]:
        state = mix(mix(seed) ^ fnv(label))
        words = generator(state)
        draws = []
        for replicate in range(3):
            replicate_words = generator(state ^ mix(replicate + 1))
            draws.append([below(replicate_words, n) for _ in range(n)][:20])
        # Strings: JSON numbers are not safe beyond 2^53.
        cases.append(dict(seed=str(seed), stream=label, n=n, words=[str(next(words)) for _ in range(4)], draws=draws))
    return cases


def main():
    versions = dict(python=platform.python_version(), numpy=np.__version__, scipy=scipy.__version__,
                    statsmodels=statsmodels.__version__)
    print(versions)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        golden = dict(
            versions=versions, describe=describe(), ranks=ranks(), proportions=proportions(),
            bootstraps=bootstraps(), correlations=correlations(), tables=tables(), fits=fits(),
            binomials=binomials(), discordants=discordants(), permutations=permutations(),
            corrections=corrections(), streams=streams(),
        )
    # One line per case: a diff shows which case changed. allow_nan=False: a NaN is never a reference.
    lines = []
    for section, cases in golden.items():
        if isinstance(cases, list):
            rows = ",\n".join("  " + json.dumps(case, allow_nan=False) for case in cases)
            lines.append(f'"{section}": [\n{rows}\n]')
        else:
            lines.append(f'"{section}": {json.dumps(cases, allow_nan=False)}')
    OUT.parent.mkdir(parents=True, exist_ok=True)
    OUT.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    print(OUT, OUT.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
