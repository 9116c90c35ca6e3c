//! Every function against SciPy, NumPy and statsmodels. `tools/reference/stats_golden.py` wrote the values in
//! `golden/stats.json`. p-values agree to 1e-9 relative, however small; statistics to 1e-12 of their size.
//! Run with `--nocapture` to see the accuracy reached.

use epicene_stats::*;
use rand_core::Rng;
use serde::Deserialize;

const P_VALUE: f64 = 1e-9;
const STATISTIC: f64 = 1e-12;
const BOOTSTRAP_BOUND: f64 = 1e-10;

#[derive(Deserialize)]
struct Golden {
    describe: Vec<Describe>,
    ranks: Vec<Ranks>,
    proportions: Vec<Proportion>,
    bootstraps: Vec<Bootstrap>,
    correlations: Vec<CorrelationCase>,
    tables: Vec<TableCase>,
    fits: Vec<Fit>,
    binomials: Vec<Binomial>,
    discordants: Vec<Discordant>,
    permutations: Permutations,
    corrections: Vec<Correction>,
    streams: Vec<Stream>,
}

fn golden() -> Golden {
    serde_json::from_str(include_str!("../golden/stats.json")).unwrap()
}

/// Collects the worst disagreement of a family of functions and fails on the first beyond its tolerance.
struct Check {
    family: &'static str,
    tolerance: f64,
    worst: f64,
    count: usize,
}

impl Check {
    fn new(family: &'static str, tolerance: f64) -> Check {
        Check {
            family,
            tolerance,
            worst: 0.0,
            count: 0,
        }
    }

    /// Relative to the expected value; for tiny p-values too.
    fn relative(&mut self, got: f64, expected: f64, case: impl std::fmt::Debug) {
        let error = if got == expected {
            0.0
        } else {
            (got - expected).abs() / expected.abs()
        };
        self.note(error, got, expected, case);
    }

    /// Relative to the expected value or to one, whichever is larger.
    fn close(&mut self, got: f64, expected: f64, case: impl std::fmt::Debug) {
        self.note(
            (got - expected).abs() / expected.abs().max(1.0),
            got,
            expected,
            case,
        );
    }

    fn interval(&mut self, got: Interval, expected: [f64; 2], case: impl std::fmt::Debug) {
        self.close(got.low, expected[0], &case);
        self.close(got.high, expected[1], &case);
    }

    fn note(&mut self, error: f64, got: f64, expected: f64, case: impl std::fmt::Debug) {
        // Written so that NaN fails.
        let agrees = error <= self.tolerance;
        assert!(
            agrees,
            "{}: got {got:e}, expected {expected:e}, error {error:e}, case {case:?}",
            self.family
        );
        self.worst = self.worst.max(error);
        self.count += 1;
    }
}

impl Drop for Check {
    fn drop(&mut self) {
        println!(
            "{:32} {:4} values, worst {:.1e}",
            self.family, self.count, self.worst
        );
    }
}

#[derive(Deserialize)]
struct Describe {
    values: Vec<f64>,
    mean: f64,
    population_sd: f64,
    sample_sd: Option<f64>,
    geometric_mean: f64,
    quantiles: Vec<[f64; 2]>,
    #[serde(rename = "box")]
    box_stats: [f64; 6],
}

#[test]
fn descriptions() {
    let mut check = Check::new("describe", STATISTIC);
    for case in golden().describe {
        let x = &case.values;
        check.relative(mean(x).unwrap(), case.mean, "mean");
        check.close(
            population_sd(x).unwrap(),
            case.population_sd,
            "population sd",
        );
        assert_eq!(sample_sd(x).is_ok(), case.sample_sd.is_some());
        if let Some(expected) = case.sample_sd {
            check.close(sample_sd(x).unwrap(), expected, "sample sd");
        }
        check.relative(
            geometric_mean(x).unwrap(),
            case.geometric_mean,
            "geometric mean",
        );
        for [probability, expected] in case.quantiles {
            assert_eq!(
                quantile(x, probability).unwrap(),
                expected,
                "to the last bit"
            );
        }
        let BoxStats {
            q1,
            median,
            q3,
            mean,
            low_whisker,
            high_whisker,
        } = BoxStats::of(x).unwrap();
        for (got, expected) in [q1, median, q3, mean, low_whisker, high_whisker]
            .into_iter()
            .zip(case.box_stats)
        {
            check.relative(got, expected, "box");
        }
    }
}

#[derive(Deserialize)]
struct Ranks {
    values: Vec<f64>,
    average: Vec<f64>,
    ordinal: Vec<usize>,
}

#[test]
fn ranks() {
    for case in golden().ranks {
        assert_eq!(average_ranks(&case.values).unwrap(), case.average);
        assert_eq!(ordinal_ranks(&case.values).unwrap(), case.ordinal);
    }
}

#[derive(Deserialize)]
struct Proportion {
    k: u64,
    n: u64,
    level: f64,
    z: f64,
    centre: f64,
    agresti_coull: [f64; 2],
    agresti_coull_clipped: Option<[f64; 2]>,
    wilson: [f64; 2],
}

#[test]
fn proportions() {
    let mut check = Check::new("proportion intervals", STATISTIC);
    for case in golden().proportions {
        let Proportion { k, n, level, .. } = case;
        check.relative(normal_quantile(level).unwrap(), case.z, level);
        let got = agresti_coull(k, n, level).unwrap();
        check.close(got.centre, case.centre, (k, n, level));
        check.interval(got.interval, case.agresti_coull, (k, n, level));
        if let Some(expected) = case.agresti_coull_clipped {
            let clipped = Interval {
                low: got.interval.low.max(0.0),
                high: got.interval.high.min(1.0),
            };
            check.interval(clipped, expected, (k, n, level));
        }
        check.interval(wilson(k, n, level).unwrap(), case.wilson, (k, n, level));
    }
    assert_eq!(normal_quantile(0.95).unwrap(), 1.959963984540054);
}

#[derive(Deserialize)]
struct Bootstrap {
    name: String,
    estimate: f64,
    replicates: Vec<f64>,
    jackknife: Vec<f64>,
    intervals: Vec<BootstrapIntervals>,
}

#[derive(Deserialize)]
struct BootstrapIntervals {
    level: f64,
    percentile: [f64; 2],
    basic: [f64; 2],
    bca: [f64; 2],
    normal_fit: [f64; 2],
}

#[test]
fn bootstrap_intervals() {
    let mut check = Check::new("bootstrap intervals", BOOTSTRAP_BOUND);
    for Bootstrap {
        name,
        estimate,
        replicates,
        jackknife,
        intervals,
    } in golden().bootstraps
    {
        for expected in intervals {
            let level = expected.level;
            check.interval(
                percentile_interval(&replicates, level).unwrap(),
                expected.percentile,
                &name,
            );
            check.interval(
                basic_interval(estimate, &replicates, level).unwrap(),
                expected.basic,
                &name,
            );
            check.interval(
                bca_interval(estimate, &replicates, &jackknife, level).unwrap(),
                expected.bca,
                &name,
            );
            check.interval(
                normal_fit_interval(&replicates, level).unwrap(),
                expected.normal_fit,
                &name,
            );
        }
    }
}

#[derive(Deserialize)]
struct CorrelationCase {
    #[serde(default)]
    x: Vec<f64>,
    #[serde(default)]
    y: Vec<f64>,
    formula: Option<String>,
    n: Option<usize>,
    pearson: [f64; 2],
    fisher_z: Option<Vec<[f64; 3]>>,
    spearman: Option<[f64; 2]>,
    kendall: [f64; 2],
}

/// The large samples of `formula` in stats_golden.py.
fn formula(kind: &str, n: usize) -> (Vec<f64>, Vec<f64>) {
    let scrambled = |i: usize| i * 7919 % 10007;
    let pair = |i: usize| match kind {
        "tied" => (scrambled(i) % 50, i * 104_729 % 53 + scrambled(i) % 50 / 10),
        "related" => (scrambled(i), scrambled(i) / 20 + i * 104_729 % 2003),
        "inverse" => (i, n - i),
        "one_swap" => (i, if i < 2 { 1 - i } else { i }),
        other => panic!("no formula {other}"),
    };
    (0..n).map(pair).map(|(x, y)| (x as f64, y as f64)).unzip()
}

#[test]
fn correlations() {
    let mut coefficient = Check::new("correlation coefficients", STATISTIC);
    let mut pearson_p = Check::new("pearson p", P_VALUE);
    let mut spearman_p = Check::new("spearman p", P_VALUE);
    // Tight enough to notice a normal tail good to ten digits only (statrs' erfc).
    let mut kendall_p = Check::new("kendall p", 1e-12);
    let mut fisher_z = Check::new("fisher z interval", STATISTIC);
    for case in golden().correlations {
        let (x, y) = match &case.formula {
            Some(kind) => formula(kind, case.n.unwrap()),
            None => (case.x.clone(), case.y.clone()),
        };
        let label = (&case.formula, x.len());

        let got = pearson(&x, &y).unwrap();
        coefficient.close(got.r, case.pearson[0], label);
        // In a perfect line SciPy may round r to 1 - 1e-16, which is another p altogether.
        if 1.0 - case.pearson[0].abs() > 1e-12 || x.len() == 2 {
            pearson_p.relative(got.p_value, case.pearson[1], label);
        }
        for [level, low, high] in case.fisher_z.unwrap_or_default() {
            fisher_z.interval(
                correlation_interval(got.r, got.n, level).unwrap(),
                [low, high],
                label,
            );
        }
        assert_eq!(spearman(&x, &y).is_ok(), case.spearman.is_some());
        if let Some([r, p]) = case.spearman {
            let got = spearman(&x, &y).unwrap();
            coefficient.close(got.r, r, label);
            if 1.0 - r.abs() > 1e-12 {
                spearman_p.relative(got.p_value, p, label);
            } else {
                assert_eq!((got.r.abs(), got.p_value), (1.0, 0.0), "{label:?}");
            }
        }
        let got = kendall_tau_b(&x, &y).unwrap();
        coefficient.close(got.r, case.kendall[0], label);
        kendall_p.relative(got.p_value, case.kendall[1], label);
    }
}

#[derive(Deserialize)]
struct TableCase {
    table: Vec<Vec<u64>>,
    dof: usize,
    yates: [f64; 2],
    plain: [f64; 2],
    cramers_v: Option<f64>,
    phi: Option<f64>,
    has_zero: Option<bool>,
    #[serde(default)]
    odds_ratio: Vec<[f64; 4]>,
    #[serde(default)]
    risk_difference: Vec<[f64; 4]>,
    mcnemar_exact: Option<[f64; 2]>,
    mcnemar_corrected: Option<[f64; 2]>,
    mcnemar_plain: Option<[f64; 2]>,
}

#[test]
fn tables() {
    let mut statistic = Check::new("chi-square, V, phi", STATISTIC);
    let mut p_value = Check::new("chi-square p", P_VALUE);
    let mut effect = Check::new("odds ratio, risk difference", STATISTIC);
    for case in golden().tables {
        let table = &case.table;
        for (yates, expected) in [(true, case.yates), (false, case.plain)] {
            let got = chi_square(table, yates).unwrap();
            assert_eq!(got.dof, case.dof);
            statistic.close(got.statistic, expected[0], table);
            p_value.relative(got.p_value, expected[1], (table, got.statistic));
        }
        assert_eq!(cramers_v(table).is_ok(), case.cramers_v.is_some());
        if let Some(expected) = case.cramers_v {
            statistic.close(cramers_v(table).unwrap(), expected, table);
        }
        let Some(expected) = case.phi else { continue };
        let [[a, b], [c, d]] = [[table[0][0], table[0][1]], [table[1][0], table[1][1]]];
        statistic.close(phi([[a, b], [c, d]]).unwrap(), expected, table);
        assert_eq!(
            odds_ratio([[a, b], [c, d]], ZeroCells::Reject, 0.95).is_err(),
            case.has_zero.unwrap()
        );
        assert!(!case.odds_ratio.is_empty() && !case.risk_difference.is_empty());
        for [level, value, low, high] in case.odds_ratio {
            let got = odds_ratio([[a, b], [c, d]], ZeroCells::AddHalf, level).unwrap();
            effect.close(got.value, value, table);
            effect.interval(got.interval, [low, high], table);
        }
        for [level, value, low, high] in case.risk_difference {
            let got = risk_difference((a, a + b), (c, c + d), level).unwrap();
            effect.close(got.value, value, table);
            effect.interval(got.interval, [low, high], table);
        }
        let exact = mcnemar_exact(b, c);
        p_value.relative(exact.p_value, case.mcnemar_exact.unwrap()[1], table);
        for (continuity, expected) in [(true, case.mcnemar_corrected), (false, case.mcnemar_plain)]
        {
            let got = mcnemar_chi_square(b, c, continuity);
            assert_eq!(got.is_ok(), expected.is_some());
            if let Some([value, p]) = expected {
                statistic.close(got.clone().unwrap().statistic, value, table);
                p_value.relative(got.unwrap().p_value, p, table);
            }
        }
    }
}

#[derive(Deserialize)]
struct Fit {
    observed: Vec<f64>,
    expected: Vec<f64>,
    result: [f64; 2],
}

#[test]
fn goodness_of_fit() {
    let mut check = Check::new("chi-square fit p", P_VALUE);
    for case in golden().fits {
        let got = chi_square_fit(&case.observed, &case.expected).unwrap();
        assert_eq!(got.dof, case.observed.len() - 1);
        assert!((got.statistic - case.result[0]).abs() <= STATISTIC * case.result[0].max(1.0));
        check.relative(got.p_value, case.result[1], &case.observed);
    }
}

#[derive(Deserialize)]
struct Binomial {
    k: u64,
    n: u64,
    p: f64,
    p_value: f64,
}

#[test]
fn binomial_tests() {
    let mut check = Check::new("binomial test p", P_VALUE);
    for Binomial { k, n, p, p_value } in golden().binomials {
        check.relative(binomial_test(k, n, p).unwrap(), p_value, (k, n, p));
    }
}

#[derive(Deserialize)]
struct Discordant {
    b: u64,
    c: u64,
    exact: [f64; 2],
    corrected: Option<[f64; 2]>,
    plain: Option<[f64; 2]>,
}

#[test]
fn mcnemar_tests() {
    let mut check = Check::new("McNemar p", P_VALUE);
    for Discordant {
        b,
        c,
        exact,
        corrected,
        plain,
    } in golden().discordants
    {
        let got = mcnemar_exact(b, c);
        assert_eq!(got.statistic, exact[0]);
        check.relative(got.p_value, exact[1], (b, c));
        for (continuity, expected) in [(true, corrected), (false, plain)] {
            match (mcnemar_chi_square(b, c, continuity), expected) {
                (Ok(got), Some([statistic, p])) => {
                    assert!((got.statistic - statistic).abs() <= STATISTIC * statistic.max(1.0));
                    check.relative(got.p_value, p, (b, c, continuity));
                }
                (Err(StatsError::Degenerate { .. }), None) => {}
                (got, expected) => panic!("{got:?} where {expected:?} was expected"),
            }
        }
    }
}

#[derive(Deserialize)]
struct Permutations {
    independent: Vec<Independent>,
    paired: Vec<Paired>,
}

#[derive(Deserialize)]
struct Independent {
    x: Vec<f64>,
    y: Vec<f64>,
    statistic: f64,
    p_value: f64,
    splits: u64,
}

#[derive(Deserialize)]
struct Paired {
    differences: Vec<f64>,
    statistic: f64,
    p_value: f64,
}

#[test]
fn exact_permutation_tests() {
    let mut check = Check::new("exact permutation p", P_VALUE);
    for Independent {
        x,
        y,
        statistic,
        p_value,
        splits,
    } in golden().permutations.independent
    {
        let got = two_sample_permutation_test(&x, &y, splits, 0, "").unwrap();
        assert!(got.exact);
        assert_eq!(got.rearrangements, splits);
        assert!((got.statistic - statistic).abs() < 1e-12);
        check.relative(got.p_value, p_value, (&x, &y));
        let sampled = two_sample_permutation_test(&x, &y, splits - 1, 0, "").unwrap();
        assert!(!sampled.exact);
    }
    for Paired {
        differences,
        statistic,
        p_value,
    } in golden().permutations.paired
    {
        let patterns = 1 << differences.len();
        let got = paired_permutation_test(&differences, patterns, 0, "").unwrap();
        assert!(got.exact);
        assert_eq!(got.rearrangements, patterns);
        assert!((got.statistic - statistic).abs() < 1e-12);
        check.relative(got.p_value, p_value, &differences);
    }
}

/// Sampled p-values lie within four standard errors of the exact ones.
#[test]
fn sampled_permutation_tests_approach_exact_ones() {
    let near = |sampled: f64, exact: f64, rounds: f64| {
        (sampled - exact).abs()
            <= 4.0 * (exact.min(0.5) / rounds).sqrt() * 2_f64.sqrt() + 2.0 / rounds
    };
    for Independent {
        x,
        y,
        p_value,
        splits,
        ..
    } in golden().permutations.independent
    {
        let got = two_sample_permutation_test(&x, &y, 5000.min(splits - 1), 3, "sampled").unwrap();
        let enough = splits > 5000;
        assert!(
            !enough || near(got.p_value, p_value, 5000.0),
            "{got:?} {p_value}"
        );
    }
    for Paired {
        differences,
        p_value,
        ..
    } in golden().permutations.paired
    {
        let rounds = 3000;
        let got = paired_permutation_test(&differences, rounds, 3, "sampled").unwrap();
        assert!(
            near(got.p_value, p_value, rounds as f64),
            "{got:?} {p_value}"
        );
        // The two systems are x = difference and y = 0; swapping an item turns its sign. The distribution is
        // symmetric, so this is the same test.
        let statistic = |swapped: &[bool]| {
            differences
                .iter()
                .zip(swapped)
                .map(|(d, swap)| if *swap { -d } else { *d })
                .sum::<f64>()
        };
        let observed = differences.iter().sum();
        let p =
            approximate_randomisation(differences.len(), rounds, 3, "sampled", statistic, observed);
        assert!(near(p, p_value, rounds as f64), "{p} {p_value}");
    }
}

/// The observed arrangement counts among the sampled ones: nothing as extreme was drawn, yet p is not zero.
#[test]
fn sampled_p_values_are_never_zero() {
    let (low, high) = ([1.0; 40], [2.0; 40]);
    assert_eq!(
        two_sample_permutation_test(&low, &high, 99, 1, "never zero")
            .unwrap()
            .p_value,
        0.02
    );
    assert_eq!(
        paired_permutation_test(&high, 99, 1, "never zero")
            .unwrap()
            .p_value,
        0.02
    );
    assert_eq!(
        paired_bootstrap(40, 99, 1, "never zero", 0.95, |_| 1.0)
            .unwrap()
            .p_value,
        0.02
    );
}

#[derive(Deserialize)]
struct Correction {
    p_values: Vec<f64>,
    bonferroni: Vec<f64>,
    holm: Vec<f64>,
    fdr_bh: Vec<f64>,
}

#[test]
fn corrections() {
    let mut check = Check::new("adjusted p-values", 1e-14);
    for case in golden().corrections {
        for (got, expected) in [
            (bonferroni(&case.p_values).unwrap(), case.bonferroni),
            (holm(&case.p_values).unwrap(), case.holm),
            (benjamini_hochberg(&case.p_values).unwrap(), case.fdr_bh),
        ] {
            assert_eq!(got.len(), expected.len());
            for (got, expected) in got.into_iter().zip(expected) {
                check.relative(got, expected, &case.p_values);
            }
        }
    }
}

#[derive(Deserialize)]
struct Stream {
    seed: String,
    stream: String,
    n: usize,
    words: Vec<String>,
    draws: Vec<Vec<u32>>,
}

/// The draws are a promise: a change here changes every interval ever published with this tool.
#[test]
fn streams_never_change() {
    for Stream {
        seed,
        stream,
        n,
        words,
        draws,
    } in golden().streams
    {
        let seed = seed.parse().unwrap();
        let mut rng = stream_rng(seed, &stream);
        for word in words {
            assert_eq!(rng.next_u64(), word.parse::<u64>().unwrap());
        }
        let resamples = Resamples::draw(seed, &stream, n, draws.len());
        for (replicate, expected) in draws.iter().enumerate() {
            assert_eq!(resamples.indices(replicate)[..expected.len()], expected[..]);
        }
    }
}
