//! Cluster-robust variances, t intervals and sign flips against statsmodels, SciPy and a derivation in NumPy.
//! `tools/reference/cluster_golden.py` wrote `golden/cluster.json`.

use epicene_stats::*;
use serde::Deserialize;

const LEVEL: f64 = 0.95;

#[derive(Deserialize)]
struct Golden {
    ratios: Vec<Ratio>,
    crossed: Vec<Crossed>,
    quantiles: Vec<Quantile>,
    welch: Vec<Welch>,
    flips: Vec<Flip>,
    stratum_flips: Vec<StratumFlip>,
}

#[derive(Deserialize)]
struct Ratio {
    strata: Vec<u32>,
    first: Vec<[f64; 2]>,
    second: Vec<[f64; 2]>,
    value: f64,
    variance: f64,
    effective_n: f64,
    share: [f64; 2],
    interval: [f64; 2],
    p_value: f64,
    correlation: f64,
    newcombe: [f64; 2],
    difference_variance: f64,
    dof: f64,
    flip: Option<f64>,
}

#[derive(Deserialize)]
struct Crossed {
    influence: Vec<f64>,
    rows: Vec<u32>,
    columns: Vec<u32>,
    row_strata: Vec<u32>,
    column_strata: Vec<u32>,
    variance: f64,
    dof: f64,
}

#[derive(Deserialize)]
struct Quantile {
    level: f64,
    dof: f64,
    quantile: f64,
}

#[derive(Deserialize)]
struct Welch {
    parts: Vec<[f64; 2]>,
    dof: f64,
}

#[derive(Deserialize)]
struct Flip {
    differences: Vec<f64>,
    p_value: f64,
}

#[derive(Deserialize)]
struct StratumFlip {
    differences: Vec<Vec<f64>>,
    weights: Vec<f64>,
    p_value: f64,
}

fn golden() -> Golden {
    serde_json::from_str(include_str!("../golden/cluster.json")).unwrap()
}

fn close(got: f64, expected: f64, what: &str) {
    let error = (got - expected).abs() / expected.abs().max(1e-300);
    assert!(
        error <= 1e-9,
        "{what}: {got} for {expected}, off by {error:e}"
    );
}

fn ratio(counts: &[[f64; 2]], strata: &[u32]) -> Linearised {
    let clusters: Vec<Cluster> = counts
        .iter()
        .zip(strata)
        .map(|([part, whole], stratum)| Cluster {
            stratum: *stratum,
            part: *part,
            whole: *whole,
        })
        .collect();
    cluster_ratio(&clusters).unwrap()
}

#[test]
fn shares_of_clusters_agree_with_statsmodels_and_numpy() {
    for case in golden().ratios {
        let first = ratio(&case.first, &case.strata);
        let second = ratio(&case.second, &case.strata);
        close(first.value, case.value, "value");
        close(first.variance().unwrap(), case.variance, "variance");
        close(
            first.design().unwrap().effective_n,
            case.effective_n,
            "effective n",
        );
        close(first.p_value().unwrap(), case.p_value, "p");
        let correlation = first.correlation(&second).unwrap();
        close(correlation, case.correlation, "correlation");
        let paired = Linearised::combine(&[(1.0, &first), (-1.0, &second)]).unwrap();
        let joint = student_quantile(LEVEL, paired.dof().unwrap()).unwrap();
        let reach = |side: &Linearised| (side.value, side.share_reach(joint).unwrap());
        let difference = difference_interval(reach(&first), reach(&second), correlation);
        let one = first.share_interval(LEVEL).unwrap();
        let plain = first.interval(LEVEL).unwrap();
        for (got, expected, what) in [
            (one, case.share, "Wilson with t"),
            (plain, case.interval, "t interval"),
            (difference, case.newcombe, "Newcombe"),
        ] {
            close(got.low, expected[0], what);
            close(got.high, expected[1], what);
        }
        close(
            paired.variance().unwrap(),
            case.difference_variance,
            "variance of the difference",
        );
        close(first.dof().unwrap(), case.dof, "degrees of freedom");
        if let Some(expected) = case.flip {
            let test = paired.sign_flip(1 << 20, 0, "flip").unwrap();
            assert!(test.exact);
            close(test.p_value, expected, "sign flips of influences");
        }
    }
}

#[test]
fn two_ways_of_clustering_agree_with_a_two_way_analysis_of_variance() {
    for case in golden().crossed {
        let crossing = Crossing::new(
            (case.rows, case.row_strata),
            (case.columns, case.column_strata),
        );
        let layout = std::sync::Arc::new(Layout::Crossed(crossing));
        let estimate = Linearised::new(0.0, 1.0, case.influence, &layout);
        close(
            estimate.variance().unwrap(),
            case.variance,
            "two-way variance",
        );
        close(estimate.dof().unwrap(), case.dof, "two-way freedom");
    }
}

#[test]
fn student_quantiles_and_degrees_of_freedom_agree_with_scipy() {
    for case in golden().quantiles {
        let got = student_quantile(case.level, case.dof).unwrap();
        close(got, case.quantile, "t quantile");
    }
    close(
        student_quantile(LEVEL, f64::INFINITY).unwrap(),
        normal_quantile(LEVEL).unwrap(),
        "t with no end of freedom",
    );
    for case in golden().welch {
        let parts: Vec<(f64, f64)> = case.parts.iter().map(|[v, dof]| (*v, *dof)).collect();
        close(satterthwaite(&parts).unwrap(), case.dof, "Satterthwaite");
    }
}

#[test]
fn flipping_clusters_agrees_with_scipy() {
    for case in golden().flips {
        let test = paired_permutation_test(&case.differences, 1 << 20, 0, "flips").unwrap();
        assert!(test.exact);
        close(test.p_value, case.p_value, "sign flips");
    }
}

#[test]
fn clusters_that_all_agree_count_once_each() {
    let clusters: Vec<Cluster> = (0..10)
        .map(|_| Cluster {
            stratum: 0,
            part: 50.0,
            whole: 50.0,
        })
        .collect();
    let all = cluster_ratio(&clusters).unwrap();
    assert_eq!(all.design().unwrap().effective_n, 10.0);
    let interval = all.share_interval(LEVEL).unwrap();
    assert_eq!(interval.high, 1.0);
    assert!(
        interval.low < 0.75,
        "ten clusters are not five hundred sentences"
    );
}

#[test]
fn a_stratum_of_one_cluster_has_no_variance() {
    let cluster = |stratum| Cluster {
        stratum,
        part: 1.0,
        whole: 2.0,
    };
    let lone = cluster_ratio(&[cluster(0), cluster(0), cluster(1)]).unwrap();
    assert!(lone.variance().is_err());
    // One that is not there is none.
    let absent = Cluster {
        whole: 0.0,
        part: 0.0,
        stratum: 1,
    };
    let there = cluster_ratio(&[cluster(0), cluster(0), absent]).unwrap();
    assert_eq!(there.clusters(), 2);
    assert!(there.variance().is_ok());
}

#[test]
fn sums_of_means_by_stratum_flip_their_own_differences() {
    for case in golden().stratum_flips {
        let sizes = case.differences.iter().map(Vec::len);
        let strata: Vec<u32> = (0..).zip(sizes).flat_map(|(h, n)| vec![h; n]).collect();
        let layout = std::sync::Arc::new(Layout::Nested(strata.clone()));
        let flat: Vec<f64> = case.differences.concat();
        let means: Vec<Linearised> = (0..case.weights.len() as u32)
            .map(|own| {
                let sums = flat.iter().zip(&strata);
                let sums =
                    sums.map(|(value, h)| if *h == own { (*value, 1.0) } else { (0.0, 0.0) });
                Linearised::ratio(sums, &layout).unwrap()
            })
            .collect();
        let terms: Vec<(f64, &Linearised)> = case.weights.iter().copied().zip(&means).collect();
        let test = Linearised::combine(&terms)
            .unwrap()
            .sign_flip(1 << 20, 0, "flips")
            .unwrap();
        assert!(test.exact);
        close(test.p_value, case.p_value, "sign flips by stratum");
    }
}
