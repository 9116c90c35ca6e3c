//! What must always hold, whatever the numbers.

use epicene_stats::*;
use proptest::prelude::*;

/// Runs `work` on pools of one and two threads; the results must be equal to the last bit.
fn same_on_any_pool<T: PartialEq + std::fmt::Debug + Send>(work: impl Fn() -> T + Sync) -> T {
    let on = |threads| {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap()
            .install(&work)
    };
    let alone = on(1);
    assert_eq!(alone, on(2));
    alone
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}

/// Values on a coarse grid, so that ties happen.
fn grid(len: impl Into<prop::collection::SizeRange>) -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec((-40_i32..40).prop_map(|value| f64::from(value) / 8.0), len)
}

type Pairs = (Vec<f64>, Vec<f64>);

fn pairs(len: std::ops::Range<usize>) -> impl Strategy<Value = Pairs> {
    len.prop_flat_map(|n| (grid(n), grid(n)))
}

fn shuffled_pairs(len: std::ops::Range<usize>) -> impl Strategy<Value = (Pairs, Pairs)> {
    pairs(len).prop_flat_map(|(x, y)| {
        let items: Vec<(f64, f64)> = x.iter().copied().zip(y.iter().copied()).collect();
        (
            Just((x, y)),
            Just(items)
                .prop_shuffle()
                .prop_map(|items| items.into_iter().unzip()),
        )
    })
}

fn two_by_two() -> impl Strategy<Value = [[u64; 2]; 2]> {
    prop::array::uniform2(prop::array::uniform2(1_u64..400))
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1e-300)
}

#[test]
fn thread_count_never_shows() {
    let values: Vec<f64> = (0..501).map(|i| f64::from(i * i % 37) / 7.0).collect();
    let statistic = |indices: &[u32]| {
        indices
            .iter()
            .map(|&i| values[i as usize])
            .sum::<f64>()
            .sqrt()
    };

    let resamples = same_on_any_pool(|| Resamples::draw(5, "threads", 501, 64));
    same_on_any_pool(|| bits(&resamples.means(&values).unwrap()));
    same_on_any_pool(|| bits(&bootstrap(501, 64, 5, "threads", statistic)));
    same_on_any_pool(|| bits(&jackknife(501, statistic)));
    same_on_any_pool(|| {
        two_sample_permutation_test(&values[..9], &values[9..20], 200_000, 5, "exact").unwrap()
    });
    same_on_any_pool(|| {
        two_sample_permutation_test(&values[..90], &values[90..], 2000, 5, "sampled").unwrap()
    });
    same_on_any_pool(|| paired_permutation_test(&values[..12], 5000, 5, "exact").unwrap());
    same_on_any_pool(|| paired_permutation_test(&values[..80], 2000, 5, "sampled").unwrap());
    same_on_any_pool(|| paired_bootstrap(501, 100, 5, "paired", 0.95, statistic).unwrap());
    let swapped = |swaps: &[bool]| {
        swaps
            .iter()
            .zip(&values)
            .map(|(s, v)| if *s { -v } else { *v })
            .sum::<f64>()
    };
    same_on_any_pool(|| approximate_randomisation(501, 1000, 5, "swaps", swapped, 60.0).to_bits());
}

#[test]
fn bootstrap_draws_what_resamples_hold() {
    let resamples = Resamples::draw(11, "same", 23, 10);
    assert_eq!(
        (
            resamples.len(),
            resamples.replicates(),
            resamples.is_empty()
        ),
        (23, 10, false)
    );
    let values: Vec<f64> = (0..23).map(|i| f64::from(1 << i)).collect();
    let sums = bootstrap(23, 10, 11, "same", |indices| {
        indices.iter().map(|&i| values[i as usize]).sum()
    });
    for (replicate, sum) in sums.iter().enumerate() {
        assert_eq!(
            *sum,
            resamples
                .indices(replicate)
                .iter()
                .map(|&i| values[i as usize])
                .sum::<f64>()
        );
        // Sums of powers of two are exact in any order.
        assert_eq!(*sum / 23.0, resamples.means(&values).unwrap()[replicate]);
    }
    // More replicates only add to the ones there are; another label is another draw.
    assert_eq!(
        Resamples::draw(11, "same", 23, 30).indices(9),
        resamples.indices(9)
    );
    assert_ne!(Resamples::draw(11, "other", 23, 10), resamples);
    assert_ne!(Resamples::draw(12, "same", 23, 10), resamples);
    assert!(Resamples::draw(1, "none", 0, 4).indices(3).is_empty());
}

#[test]
fn jackknife_leaves_each_item_out_once() {
    let left_out = jackknife(5, |kept| {
        10.0 - kept.iter().map(|&i| f64::from(i)).sum::<f64>()
    });
    assert_eq!(left_out, [0.0, 1.0, 2.0, 3.0, 4.0]);
}

proptest! {
    #[test]
    fn correlations_ignore_item_order((given, shuffled) in shuffled_pairs(4..40)) {
        for correlate in [pearson, spearman, kendall_tau_b] {
            match (correlate(&given.0, &given.1), correlate(&shuffled.0, &shuffled.1)) {
                (Ok(a), Ok(b)) => {
                    prop_assert!((a.r - b.r).abs() < 1e-12, "{a:?} {b:?}");
                    prop_assert!((a.p_value - b.p_value).abs() < 1e-6, "{a:?} {b:?}");
                }
                (a, b) => prop_assert_eq!(a, b),
            }
        }
    }

    #[test]
    fn correlations_mirror((x, y) in pairs(4..40)) {
        let negated: Vec<f64> = y.iter().map(|value| -value).collect();
        for correlate in [pearson, spearman, kendall_tau_b] {
            if let Ok(straight) = correlate(&x, &y) {
                let mirrored = correlate(&x, &negated).unwrap();
                let swapped = correlate(&y, &x).unwrap();
                prop_assert!((straight.r + mirrored.r).abs() < 1e-12 && (straight.r - swapped.r).abs() < 1e-12);
                prop_assert!(straight.r.abs() <= 1.0 && (0.0..=1.0).contains(&straight.p_value));
            }
        }
    }

    #[test]
    fn descriptions_ignore_item_order((given, shuffled) in shuffled_pairs(2..200)) {
        // Eighths add up exactly in any order.
        prop_assert_eq!(mean(&given.0), mean(&shuffled.0));
        prop_assert_eq!(quantile(&given.0, 0.3), quantile(&shuffled.0, 0.3));
        prop_assert_eq!(BoxStats::of(&given.0), BoxStats::of(&shuffled.0));
        prop_assert!(close(sample_sd(&given.0).unwrap() + 1.0, sample_sd(&shuffled.0).unwrap() + 1.0));
        let stats = BoxStats::of(&given.0).unwrap();
        prop_assert!(stats.low_whisker <= stats.q1 && stats.q1 <= stats.median);
        prop_assert!(stats.median <= stats.q3 && stats.q3 <= stats.high_whisker);
    }

    #[test]
    fn ranks_are_permutations(values in grid(0..60)) {
        let n = values.len() as f64;
        prop_assert_eq!(average_ranks(&values).unwrap().iter().sum::<f64>(), n * (n + 1.0) / 2.0);
        let mut ordinal = ordinal_ranks(&values).unwrap();
        ordinal.sort_unstable();
        prop_assert_eq!(ordinal, (1..=values.len()).collect::<Vec<_>>());
    }

    #[test]
    fn holm_lies_between(p_values in prop::collection::vec(0.0..=1.0, 1..40)) {
        let (b, h) = (bonferroni(&p_values).unwrap(), holm(&p_values).unwrap());
        let q = benjamini_hochberg(&p_values).unwrap();
        for i in 0..p_values.len() {
            let slack = 1e-15;
            prop_assert!(p_values[i] <= q[i] + slack && q[i] <= h[i] + slack && h[i] <= b[i] + slack && b[i] <= 1.0);
        }
    }

    #[test]
    fn tables_mirror(table in two_by_two()) {
        let [[a, b], [c, d]] = table;
        let rows_swapped = [[c, d], [a, b]];
        let transposed = [[a, c], [b, d]];
        for yates in [false, true] {
            let statistic = chi_square(&table, yates).unwrap().statistic;
            for mirrored in [rows_swapped, transposed] {
                prop_assert!((chi_square(&mirrored, yates).unwrap().statistic - statistic).abs() < 1e-9);
            }
        }
        prop_assert!(chi_square(&table, true).unwrap().statistic <= chi_square(&table, false).unwrap().statistic);
        prop_assert!((phi(table).unwrap() + phi(rows_swapped).unwrap()).abs() < 1e-12);
        prop_assert!((phi(table).unwrap().abs() - cramers_v(&table).unwrap()).abs() < 1e-7);

        let straight = odds_ratio(table, ZeroCells::Reject, 0.95).unwrap();
        let mirrored = odds_ratio(rows_swapped, ZeroCells::Reject, 0.95).unwrap();
        prop_assert!(close(straight.value, 1.0 / mirrored.value));
        prop_assert!(close(straight.interval.low, 1.0 / mirrored.interval.high));

        let straight = risk_difference((a, a + b), (c, c + d), 0.95).unwrap();
        let mirrored = risk_difference((c, c + d), (a, a + b), 0.95).unwrap();
        prop_assert!((straight.interval.low + mirrored.interval.high).abs() < 1e-12);
        prop_assert!(straight.interval.contains(straight.value));

        prop_assert_eq!(mcnemar_exact(b, c), mcnemar_exact(c, b));
        prop_assert_eq!(mcnemar_chi_square(b, c, true), mcnemar_chi_square(c, b, true));
        // At one half, the exact McNemar test is the binomial test.
        prop_assert!(close(mcnemar_exact(b, c).p_value, binomial_test(b, b + c, 0.5).unwrap()));
    }

    #[test]
    fn binomial_tests_and_intervals_mirror(
        (k, n) in (1_u64..300).prop_flat_map(|n| (0..=n, Just(n))),
        p in 0.01_f64..0.99,
    ) {
        // On a binary grid 1 - p is exact.
        let p = (p * 1024.0).round() / 1024.0;
        prop_assert!(close(binomial_test(k, n, p).unwrap(), binomial_test(n - k, n, 1.0 - p).unwrap()));
        let (w, mirrored) = (wilson(k, n, 0.95).unwrap(), wilson(n - k, n, 0.95).unwrap());
        prop_assert!((w.low + mirrored.high - 1.0).abs() < 1e-12 && w.contains(k as f64 / n as f64));
        // Both intervals are centred on p~, and Agresti–Coull's is never the shorter one.
        let coull = agresti_coull(k, n, 0.95).unwrap();
        prop_assert!(coull.interval.half_width() >= w.half_width() - 1e-12);
        prop_assert!((agresti_coull(n - k, n, 0.95).unwrap().centre + coull.centre - 1.0).abs() < 1e-12);
    }

    #[test]
    fn permutation_tests_ignore_order_and_mirror(x in grid(2..6), y in grid(2..6)) {
        let straight = two_sample_permutation_test(&x, &y, 1000, 0, "").unwrap();
        let swapped = two_sample_permutation_test(&y, &x, 1000, 0, "").unwrap();
        let reversed: Vec<f64> = x.iter().rev().copied().collect();
        prop_assert!(straight.exact);
        prop_assert_eq!(straight.p_value, swapped.p_value);
        prop_assert_eq!(straight.p_value, two_sample_permutation_test(&reversed, &y, 1000, 0, "").unwrap().p_value);
        let negated: Vec<f64> = x.iter().map(|value| -value).collect();
        prop_assert_eq!(
            paired_permutation_test(&x, 1000, 0, "").unwrap().p_value,
            paired_permutation_test(&negated, 1000, 0, "").unwrap().p_value
        );
    }
}
