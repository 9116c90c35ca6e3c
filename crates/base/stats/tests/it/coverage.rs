//! Intervals and tests do what their level says: over seeded simulations, 95 % intervals hold the truth about
//! 95 % of the time and tests reject a true hypothesis about 5 % of the time. 2,000 simulations put the
//! standard error of such a share at 0.5 points; the bounds are four of them.

use epicene_stats::*;
use rand_core::Rng;

const SIMULATIONS: u64 = 2000;
const FOUR_ERRORS: f64 = 0.02;

/// Share of simulations for which `holds`, each with its own draw of uniform numbers.
fn share(label: &str, holds: impl Fn(u64, &mut dyn FnMut() -> f64) -> bool) -> f64 {
    let held = (0..SIMULATIONS).filter(|&simulation| {
        let mut rng = stream_rng(simulation, label);
        let mut uniform = || (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        holds(simulation, &mut uniform)
    });
    held.count() as f64 / SIMULATIONS as f64
}

fn near(share: f64, expected: f64) {
    assert!(
        (share - expected).abs() < FOUR_ERRORS,
        "{share} where about {expected} was expected"
    );
}

fn sample(n: usize, uniform: &mut dyn FnMut() -> f64) -> Vec<f64> {
    // Twelve uniforms make a good enough normal.
    (0..n)
        .map(|_| (0..12).map(|_| uniform()).sum::<f64>() - 6.0)
        .collect()
}

#[test]
fn proportion_intervals_cover() {
    for truth in [0.5, 0.3, 0.8] {
        let successes = |uniform: &mut dyn FnMut() -> f64| {
            (0..200).filter(|_| uniform() < truth).count() as u64
        };
        near(
            share("coull", |_, u| {
                agresti_coull(successes(u), 200, 0.95)
                    .unwrap()
                    .interval
                    .contains(truth)
            }),
            0.95,
        );
        near(
            share("wilson", |_, u| {
                wilson(successes(u), 200, 0.95).unwrap().contains(truth)
            }),
            0.95,
        );
    }
}

#[test]
fn bootstrap_intervals_cover() {
    let n = 80;
    let covers = |interval: fn(&[f64], &[f64]) -> Interval| {
        share("bootstrap", |seed, uniform| {
            let values = sample(n, uniform);
            let means = Resamples::draw(seed, "coverage", n, 300)
                .means(&values)
                .unwrap();
            interval(&values, &means).contains(0.0)
        })
    };
    // Resampled variances are short by (n-1)/n, so the truth is held a little less often than 95 %.
    near(
        covers(|_, means| normal_fit_interval(means, 0.95).unwrap()),
        0.945,
    );
    near(
        covers(|_, means| percentile_interval(means, 0.95).unwrap()),
        0.945,
    );
    near(
        covers(|values, means| basic_interval(mean(values).unwrap(), means, 0.95).unwrap()),
        0.945,
    );
    let bca = |values: &[f64], means: &[f64]| {
        let total: f64 = values.iter().sum();
        let jackknife: Vec<f64> = values
            .iter()
            .map(|value| (total - value) / (values.len() - 1) as f64)
            .collect();
        bca_interval(mean(values).unwrap(), means, &jackknife, 0.95).unwrap()
    };
    near(covers(bca), 0.945);
    // A narrower level covers less.
    near(
        covers(|_, means| normal_fit_interval(means, 0.8).unwrap()),
        0.795,
    );
}

#[test]
fn correlation_intervals_cover() {
    let truth = 0.6;
    let covers = share("fisher z", |_, uniform| {
        let (x, noise) = (sample(60, uniform), sample(60, uniform));
        let y: Vec<f64> = x
            .iter()
            .zip(&noise)
            .map(|(x, e)| truth * x + (1.0 - truth * truth).sqrt() * e)
            .collect();
        correlation_interval(pearson(&x, &y).unwrap().r, 60, 0.95)
            .unwrap()
            .contains(truth)
    });
    near(covers, 0.95);
}

/// How often `test`, from a seed and two samples alike to a p-value, rejects at 5 %.
fn rejects(test: impl Fn(u64, &[f64], &[f64]) -> f64) -> f64 {
    share("null", |seed, uniform| {
        test(seed, &sample(25, uniform), &sample(25, uniform)) <= 0.05
    })
}

fn differences(x: &[f64], y: &[f64]) -> Vec<f64> {
    x.iter().zip(y).map(|(x, y)| x - y).collect()
}

#[test]
fn tests_reject_the_truth_as_often_as_they_say() {
    near(rejects(|_, x, y| pearson(x, y).unwrap().p_value), 0.05);
    near(rejects(|_, x, y| spearman(x, y).unwrap().p_value), 0.05);
    near(
        rejects(|_, x, y| kendall_tau_b(x, y).unwrap().p_value),
        0.05,
    );
    near(
        rejects(|seed, x, y| {
            two_sample_permutation_test(x, y, 199, seed, "two")
                .unwrap()
                .p_value
        }),
        0.05,
    );
    near(
        rejects(|seed, x, y| {
            paired_permutation_test(&differences(x, y), 199, seed, "paired")
                .unwrap()
                .p_value
        }),
        0.05,
    );
    let randomised = |seed: u64, x: &[f64], y: &[f64]| {
        let differences = differences(x, y);
        let statistic = |swapped: &[bool]| {
            differences
                .iter()
                .zip(swapped)
                .map(|(d, s)| if *s { -d } else { *d })
                .sum()
        };
        approximate_randomisation(
            25,
            199,
            seed,
            "randomised",
            statistic,
            differences.iter().sum(),
        )
    };
    near(rejects(randomised), 0.05);
    // 25 items are few for a bootstrap, which is known to reject too often then.
    let bootstrapped = |seed: u64, x: &[f64], y: &[f64]| {
        let differences = differences(x, y);
        let total = |indices: &[u32]| indices.iter().map(|&i| differences[i as usize]).sum();
        paired_bootstrap(25, 199, seed, "bootstrapped", 0.95, total)
            .unwrap()
            .p_value
    };
    near(rejects(bootstrapped), 0.065);
}
