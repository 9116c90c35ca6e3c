//! Prediction-powered means against ppi-python, stratified ones against a derivation in NumPy, agreement against
//! statsmodels and krippendorff. `tools/reference/ppi_golden.py` wrote `golden/ppi.json`.

use epicene_stats::*;
use serde::Deserialize;

#[derive(Deserialize)]
struct Golden {
    means: Vec<Mean>,
    strata: Vec<Stratified>,
    agreement: Vec<Agreement>,
}

/// Point, low, high.
type Estimated = [f64; 3];

#[derive(Deserialize)]
struct Mean {
    human: Vec<f64>,
    judged: Vec<f64>,
    others: Vec<f64>,
    level: f64,
    tuned: Estimated,
    plain: Estimated,
    labels: Estimated,
}

#[derive(Deserialize)]
struct Stratified {
    strata: Vec<Stratum>,
    lambda: f64,
    value: f64,
    variance: f64,
    dof: f64,
    interval: [f64; 2],
}

#[derive(Deserialize)]
struct Stratum {
    human: Vec<f64>,
    judged: Vec<f64>,
    wrong: Vec<f64>,
}

#[derive(Deserialize)]
struct Agreement {
    labels: Vec<Vec<u32>>,
    kappa: Option<[f64; 2]>,
    alpha: f64,
}

fn golden() -> Golden {
    serde_json::from_str(include_str!("../golden/ppi.json")).unwrap()
}

fn close(got: f64, expected: f64, what: &str) {
    let error = (got - expected).abs();
    assert!(
        error <= 1e-9 * expected.abs().max(1.0),
        "{what}: {got} for {expected}, off by {error:e}"
    );
}

#[test]
fn means_and_differences_are_those_of_ppi_python() {
    let cases = golden().means;
    assert_eq!(cases.len(), 20);
    for (number, case) in cases.iter().enumerate() {
        let pairs = case.human.iter().zip(&case.judged);
        let stratum = AuditStratum {
            labelled: pairs.map(|(human, judged)| [*human, *judged]).collect(),
            unlabelled: case.others.clone(),
            doubt: None,
        };
        let strata = [stratum];
        for (lambda, expected) in [
            (None, case.tuned),
            (Some(1.0), case.plain),
            (Some(0.0), case.labels),
        ] {
            let got = ppi_mean(&strata, lambda, Care::Published).unwrap();
            let interval = got.interval(case.level).unwrap();
            let what = format!("case {number} λ {lambda:?}");
            close(got.value, expected[0], &what);
            close(interval.low, expected[1], &what);
            close(interval.high, expected[2], &what);
        }
    }
}

#[test]
fn strata_follow_the_derivation() {
    for (number, case) in golden().strata.iter().enumerate() {
        let stratum = |stratum: &Stratum| {
            let n = stratum.human.len();
            let size = stratum.judged.len() as f64;
            let mean =
                |of: &dyn Fn(usize) -> f64| (0..stratum.judged.len()).map(of).sum::<f64>() / size;
            AuditStratum {
                labelled: stratum
                    .human
                    .iter()
                    .zip(&stratum.judged)
                    .map(|(human, judged)| [*human, *judged])
                    .collect(),
                unlabelled: stratum.judged[n..].to_vec(),
                doubt: Some(Doubt {
                    value: mean(&|at| stratum.wrong[at]),
                    square: mean(&|at| stratum.wrong[at].powi(2)),
                    product: mean(&|at| stratum.wrong[at] * stratum.judged[at]),
                }),
            }
        };
        let strata: Vec<AuditStratum> = case.strata.iter().map(stratum).collect();
        let got = ppi_mean(&strata, None, Care::Cautious).unwrap();
        let interval = got.interval(0.95).unwrap();
        for (what, got, expected) in [
            ("lambda", got.lambda, case.lambda),
            ("value", got.value, case.value),
            ("variance", got.variance, case.variance),
            ("dof", got.dof, case.dof),
            ("low", interval.low, case.interval[0]),
            ("high", interval.high, case.interval[1]),
        ] {
            close(got, expected, &format!("case {number} {what}"));
        }
    }
}

#[test]
fn agreement_is_that_of_statsmodels_and_krippendorff() {
    for case in golden().agreement {
        close(
            krippendorff_alpha(&case.labels).unwrap(),
            case.alpha,
            "alpha",
        );
        if let Some([value, error]) = case.kappa {
            let pairs: Vec<(u32, u32)> =
                case.labels.iter().map(|both| (both[0], both[1])).collect();
            let kappa = cohens_kappa(&pairs).unwrap();
            close(kappa.value, value, "kappa");
            close(kappa.standard_error, error, "standard error of kappa");
        }
    }
}

#[test]
fn what_cannot_be_estimated_is_refused() {
    assert!(ppi_mean(&[], None, Care::Cautious).is_err());
    let one = AuditStratum {
        labelled: vec![[1.0, 1.0]],
        unlabelled: vec![1.0, 0.0],
        doubt: None,
    };
    assert!(ppi_mean(&[one], None, Care::Cautious).is_err());
    assert!(cohens_kappa(&[(1, 1), (1, 1)]).is_err());
    assert!(krippendorff_alpha(&[vec![1], vec![2]]).is_err());
    assert!(krippendorff_alpha(&[vec![1, 1], vec![1, 1]]).is_err());
}

/// Everything labelled: the labels themselves, with their own spread.
#[test]
fn a_whole_population_is_its_mean() {
    let all = AuditStratum {
        labelled: vec![[1.0, 0.0], [0.0, 0.0], [1.0, 1.0], [1.0, 1.0]],
        unlabelled: Vec::new(),
        doubt: None,
    };
    let got = ppi_mean(&[all], None, Care::Cautious).unwrap();
    assert_eq!(got.value, 0.75);
    close(got.variance, 0.25 / 4.0, "variance");
}
