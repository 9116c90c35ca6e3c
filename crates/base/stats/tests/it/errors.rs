//! What is refused, and in which words.

use epicene_stats::*;

fn message<T: std::fmt::Debug>(result: Result<T, StatsError>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn messages_name_the_argument() {
    let nan = [1.0, f64::NAN, 2.0];
    for (got, expected) in [
        (message(mean(&[])), "values is empty"),
        (message(mean(&nan)), "values[1] is NaN, not a finite number"),
        (
            message(sample_sd(&[1.0])),
            "values has 1 value(s), at least 2 are needed",
        ),
        (
            message(geometric_mean(&[2.0, 0.0])),
            "values[1] is 0, not a positive number",
        ),
        (
            message(quantile(&[1.0], 1.5)),
            "probability is 1.5, outside [0, 1]",
        ),
        (
            message(average_ranks(&nan)),
            "values[1] is NaN, not a finite number",
        ),
        (
            message(pearson(&[1.0], &[1.0])),
            "x has 1 value(s), at least 2 are needed",
        ),
        (
            message(spearman(&[1.0, 2.0], &[1.0, 2.0])),
            "x has 2 value(s), at least 3 are needed",
        ),
        (
            message(pearson(&[1.0, 2.0], &[1.0])),
            "y has 1 value(s) where 2 were expected",
        ),
        (
            message(kendall_tau_b(&[1.0, 2.0, 3.0], &nan)),
            "y[1] is NaN, not a finite number",
        ),
        (
            message(pearson(&[1.0, 2.0], &[3.0, 3.0])),
            "y is constant, so its correlation with anything is undefined",
        ),
        (
            message(wilson(3, 2, 0.95)),
            "successes: 3 successes out of 2 trials",
        ),
        (
            message(agresti_coull(0, 0, 0.95)),
            "trials has 0 value(s), at least 1 are needed",
        ),
        (message(wilson(1, 2, 95.0)), "level is 95, outside (0, 1)"),
        (
            message(correlation_interval(0.5, 3, 0.95)),
            "pairs has 3 value(s), at least 4 are needed",
        ),
        (
            message(binomial_test(1, 2, f64::NAN)),
            "probability is NaN, outside [0, 1]",
        ),
        (
            message(chi_square(&[[1, 0], [2, 0]], true)),
            "column 1 of the table sums to zero, so its expected counts are zero",
        ),
        (
            message(chi_square(&[vec![1, 2], vec![3]], true)),
            "a row of the table has 1 value(s) where 2 were expected",
        ),
        (
            message(chi_square_fit(&[3.0, 4.0], &[3.0, 5.0])),
            "the chi-square test of fit is undefined: observed and expected counts have different totals",
        ),
        (
            message(chi_square_fit(&[3.0, 4.0], &[7.0, 0.0])),
            "expected[1] is 0, not a positive number",
        ),
        (
            message(odds_ratio([[1, 0], [2, 3]], ZeroCells::Reject, 0.95)),
            "the table has a zero cell, so its odds ratio has no Woolf interval",
        ),
        (
            message(mcnemar_chi_square(0, 0, true)),
            "McNemar's chi-square is undefined: there are no discordant pairs",
        ),
        (
            message(holm(&[0.1, 1.1])),
            "a p-value is 1.1, outside [0, 1]",
        ),
        (
            message(Resamples::draw(1, "a", 3, 2).means(&[1.0, 2.0])),
            "values has 2 value(s) where 3 were expected",
        ),
        (
            message(percentile_interval(&[], 0.95)),
            "replicates is empty",
        ),
        (
            message(bca_interval(9.0, &[1.0, 2.0], &[1.0, 2.0], 0.95)),
            "the BCa interval is undefined: the estimate lies outside all replicates",
        ),
        (
            message(bca_interval(1.5, &[1.0, 2.0], &[1.0, 1.0], 0.95)),
            "the BCa interval is undefined: leaving an item out never changes the statistic",
        ),
        (
            message(paired_permutation_test(&[1.0], 0, 1, "a")),
            "limit has 0 value(s), at least 1 are needed",
        ),
        (
            message(paired_bootstrap(0, 10, 1, "a", 0.95, |_| 0.0)),
            "items is empty",
        ),
    ] {
        assert_eq!(got, expected);
    }
}

#[test]
fn a_statistic_that_is_not_a_number_never_looks_significant() {
    assert_eq!(
        approximate_randomisation(5, 99, 1, "nan", |_| f64::NAN, 3.0),
        1.0
    );
    assert_eq!(
        approximate_randomisation(5, 99, 1, "nan", |_| 0.0, f64::NAN),
        1.0
    );
    assert_eq!(
        approximate_randomisation(5, 99, 1, "small", |_| 2.0, 3.0),
        0.01
    );
    assert!(paired_bootstrap(5, 10, 1, "nan", 0.95, |_| f64::NAN).is_err());
}
