//! The GEST paper's English language-model section from its published scores: Tables 3, 5, 9 and 10,
//! the correlations, ranks and the comparison with WinoBias. Two judges: the numbers as printed, and
//! a NumPy/SciPy recomputation at full precision (tools/reference/gest_english.py).

use std::sync::OnceLock;

use crate::support::{Rows, shared, succeed};
use serde_json::Value;

/// One command measures all 88 model-template files.
fn measured() -> Option<&'static Rows> {
    static ROWS: OnceLock<Option<Rows>> = OnceLock::new();
    ROWS.get_or_init(|| {
        let gest = shared("gest")?;
        let path = |name: &str| gest.join(name).display().to_string();
        let directory = tempfile::tempdir().unwrap();
        let json = succeed(
            &[
                "run",
                "gest",
                "--interval",
                "published",
                "--model",
                &format!("file:{}", path("predictions/english_mlm.csv.gz")),
                "--model",
                &format!("file:{}", path("predictions/english_glm.csv.gz")),
                // In the files, but in no table, figure or average of the paper.
                "--exclude",
                "Mistral-7B-Instruct-v0.1",
                "--data",
                &path("gest.csv"),
                "--winobias",
                &path("predictions/winobias.csv"),
                "--swap-pairs",
                &path("gender-swap-annotations.txt"),
                "--format",
                "json",
                "--out",
                "run",
            ],
            directory.path(),
        );
        let stored = std::fs::read_to_string(directory.path().join("run/measures.json")).unwrap();
        assert_eq!(stored, json, "the run directory holds what was printed");
        Some(Rows::parse(&json))
    })
    .as_ref()
}

fn golden() -> Value {
    serde_json::from_str(include_str!("../golden/gest_english.json")).unwrap()
}

/// (model, unit, the paper's table entry).
fn printed() -> Vec<(String, String, Value)> {
    let published: Value = serde_json::from_str(include_str!(
        "../../../../bench/benchmarks/data/published/gest_english.json"
    ))
    .unwrap();
    let mut entries = Vec::new();
    for table in ["table9_english_mlm", "table10_english_glm"] {
        for (model, entry) in published[table].as_object().unwrap() {
            for template in entry["templates"].as_array().unwrap() {
                let unit = format!("template:{}", template["paper_template_id"]);
                if model != "Mistral-7B-Instruct-v0.1" {
                    entries.push((model.clone(), unit, template.clone()));
                }
            }
        }
    }
    assert_eq!(entries.len(), 88);
    entries
}

fn close(found: f64, expected: &Value, tolerance: f64) {
    let expected = expected.as_f64().unwrap();
    assert!(
        (found - expected).abs() <= tolerance,
        "{found} against {expected}"
    );
}

/// How far a cell of ours is from the printed one, at the two decimals the paper prints.
fn printed_distance(found: &Value, printed: &Value) -> f64 {
    let rounded = (found.as_f64().unwrap() * 100.0).round() / 100.0;
    (rounded - printed.as_f64().unwrap()).abs()
}

/// Tables 9 and 10: `lower mean upper`, two decimals.
#[test]
fn all_1408_means_equal_the_printed_decimals_and_bounds_are_within_two_hundredths() {
    let Some(rows) = measured() else { return };
    let (mut means, mut bounds) = (0, 0);
    for (model, unit, template) in printed() {
        for stereotype in template["per_stereotype"].as_array().unwrap() {
            let group = format!("stereotype:{}", stereotype["stereotype"]);
            let row = rows.row(&model, &unit, &group, "q");
            let printed = &stereotype["published"];
            assert_eq!(row["n"], stereotype["n"]);
            let distance = printed_distance(&row["value"], &printed[1]);
            assert!(distance < 1e-9, "{model} {unit} {group}");
            means += 1;
            for (bound, printed) in [(&row["low"], &printed[0]), (&row["high"], &printed[2])] {
                let distance = printed_distance(bound, printed);
                assert!(
                    distance < 0.02 + 1e-9,
                    "{model} {unit} {group}: {bound} {printed}"
                );
                bounds += 1;
            }
        }
    }
    assert_eq!((means, bounds), (1408, 2816));
}

/// The authors' own way: 1,000 drawn resamples without a seed, on their side and on ours. Two noisy
/// bounds differ by more than two hundredths in a few of 2,816 places, where the spread is widest.
#[test]
fn resampled_bounds_agree_up_to_the_noise_of_resampling() {
    let Some(gest) = shared("gest") else { return };
    let directory = tempfile::tempdir().unwrap();
    let scores = gest.join("predictions/english_glm.csv.gz");
    let json = succeed(
        &[
            "run",
            "gest",
            "--model",
            &format!("file:{}", scores.display()),
            "--data",
            &gest.join("gest.csv").display().to_string(),
            "--interval",
            "resampled",
            "--format",
            "json",
        ],
        directory.path(),
    );
    let rows = Rows::parse(&json);
    let (mut bounds, mut beyond) = (0, 0);
    for (model, unit, template) in printed() {
        if rows.0.iter().all(|row| row["system"] != model.as_str()) {
            continue;
        }
        for stereotype in template["per_stereotype"].as_array().unwrap() {
            let group = format!("stereotype:{}", stereotype["stereotype"]);
            let row = rows.row(&model, &unit, &group, "q");
            let printed = &stereotype["published"];
            // Both sides: sqrt(2) * 0.054 standard errors of the mean, in logarithms.
            let half_width =
                (row["high"].as_f64().unwrap() / row["low"].as_f64().unwrap()).ln() / 2.0;
            let noise = 2f64.sqrt() * 0.054 * half_width / 1.96;
            for (bound, printed) in [(&row["low"], &printed[0]), (&row["high"], &printed[2])] {
                let distance = printed_distance(bound, printed);
                let allowed = 0.01 + 4.5 * noise * bound.as_f64().unwrap();
                assert!(
                    distance <= allowed,
                    "{model} {unit} {group}: {bound} {printed}"
                );
                beyond += usize::from(distance > 0.02 + 1e-9);
                bounds += 1;
            }
        }
    }
    assert_eq!(bounds, 44 * 32);
    assert!(beyond <= 5, "{beyond} bounds are off by more than 0.02");
}

#[test]
fn every_unit_equals_numpy() {
    let Some(rows) = measured() else { return };
    let golden = golden();
    for (name, unit) in golden["units"].as_object().unwrap() {
        let (model, template) = name.rsplit_once('/').unwrap();
        for id in 0..16 {
            let group = format!("stereotype:{}", id + 1);
            close(
                rows.value(model, template, &group, "q"),
                &unit["q"][id],
                1e-9,
            );
            close(
                rows.value(model, template, &group, "rank"),
                &unit["rank"][id],
                0.0,
            );
        }
        for metric in ["q_f", "q_m", "g_s", "q_fam"] {
            close(
                rows.value(model, template, "all", metric),
                &unit[metric],
                1e-9,
            );
        }
    }
    for (model, rate) in golden["models"].as_object().unwrap() {
        close(rows.value(model, "all", "all", "g_s"), rate, 1e-9);
    }
}

/// The embedded baselines have six decimals: ours round to the same.
#[test]
fn per_model_stereotype_rates_equal_the_published_json() {
    let Some(rows) = measured() else { return };
    let published: Value = serde_json::from_str(include_str!(
        "../../../../bench/benchmarks/data/published/gest_english.json"
    ))
    .unwrap();
    let mut models = 0;
    for table in ["table9_english_mlm", "table10_english_glm"] {
        for (model, entry) in published[table].as_object().unwrap() {
            if model == "Mistral-7B-Instruct-v0.1" {
                continue;
            }
            let found = rows.value(model, "all", "all", "g_s");
            let rounded = (found * 1e6).round() / 1e6;
            close(rounded, &entry["g_s_mean_over_templates"], 1e-9);
            models += 1;
        }
    }
    assert_eq!(models, 33);
}

/// GEST specification, section 6.
#[test]
fn table_3_has_its_two_english_rows() {
    let Some(rows) = measured() else { return };
    for (system, metric, expected) in [
        ("all:masked", "q_m", 1.1444152738),
        ("all:masked", "q_f", 0.9990921656),
        ("all:masked", "q_fam", 0.9758599613),
        ("all:causal", "q_m", 1.1649416497),
        ("all:causal", "q_f", 0.9573645067),
        ("all:causal", "q_fam", 0.9553596709),
    ] {
        let row = rows.row(system, "all", "all", metric);
        let found = row["value"].as_f64().unwrap();
        assert!(
            (found - expected).abs() < 1e-9,
            "{system} {metric}: {found}"
        );
        assert_eq!(row["n"], 44);
    }
    assert_eq!(
        rows.row("roberta-base", "template:1", "all", "q_fam")["n"],
        166
    );
}

/// GEST specification, section 3.1.
#[test]
fn correlations_between_models_and_templates() {
    let Some(rows) = measured() else { return };
    for (metric, expected, pairs) in [
        ("r_models", 0.829579264238822, 682),
        ("r_templates", 0.8720227956334885, 88),
        ("r_models_items", 0.5022795179, 682),
        ("r_templates_items", 0.7031258789, 88),
    ] {
        let row = rows.row("all", "all", "all", metric);
        let found = row["value"].as_f64().unwrap();
        assert!((found - expected).abs() < 1e-9, "{metric}: {found}");
        assert_eq!(row["n"], pairs, "{metric}");
    }
}

#[test]
fn rank_boxes_equal_numpy() {
    let Some(rows) = measured() else { return };
    let golden = golden();
    for (index, stats) in golden["rank_box"].as_array().unwrap().iter().enumerate() {
        let group = format!("stereotype:{}", index + 1);
        for (metric, key) in [
            ("rank_q1", "q1"),
            ("rank_median", "median"),
            ("rank_q3", "q3"),
            ("rank_mean", "mean"),
        ] {
            close(rows.value("all", "all", &group, metric), &stats[key], 1e-12);
        }
    }
}

/// GEST specification, section 7: r = 0.9461558376, p = 1.0561e-05 on type 1, test.
#[test]
fn winobias_agrees_as_published() {
    let Some(rows) = measured() else { return };
    let unit = "split:type1-test";
    let r = rows.value("all", unit, "all", "r_winobias");
    let p = rows.value("all", unit, "all", "p_value");
    assert!((r - 0.9461558376).abs() < 1e-10, "{r}");
    assert_eq!(format!("{p:.4e}"), "1.0561e-5");
    for (unit, expected) in golden()["winobias"].as_object().unwrap() {
        close(
            rows.value("all", unit, "all", "r_winobias"),
            &expected[0],
            1e-12,
        );
        let p = rows.value("all", unit, "all", "p_value");
        assert!((p / expected[1].as_f64().unwrap() - 1.0).abs() < 1e-9);
    }
}

/// Table 5.
#[test]
fn first_letter_heuristic_counts() {
    let Some(rows) = measured() else { return };
    for (label, positive, negative) in [("C", 79.0, 0.0), ("G", 1.0, 19.0), ("X", 0.0, 61.0)] {
        let group = format!("label:{label}");
        let value = |metric| rows.value("first-letter", "swap-pairs", &group, metric);
        assert_eq!(
            (value("positive"), value("negative")),
            (positive, negative),
            "{label}"
        );
    }
}

#[test]
fn every_model_knows_its_place_among_the_published() {
    let Some(rows) = measured() else { return };
    let place = |model| rows.value(model, "all", "all", "more_stereotypical_than");
    assert_eq!(place("Mistral-7B-Instruct-v0.2"), 32.0);
    assert_eq!(place("pythia-70m"), 0.0);
    // 1.2683: only the seven large chat and base models above it.
    assert_eq!(place("roberta-base"), 25.0);
}

#[test]
fn the_signature_names_data_systems_and_choices() {
    let Some(rows) = measured() else { return };
    for part in [
        "gest|data:gest-1.0@7e306adaa291|",
        "|system:file:english_mlm.csv.gz@",
        "+file:english_glm.csv.gz@",
        "|units:template:1,template:2,template:3,template:4|",
        "|scorer:masked-pair,next-word|",
        "|convention:published|",
        "|interval:bootstrap-normal-limit-1000|",
        "|seed:0|",
    ] {
        assert!(rows.1.contains(part), "{part} not in {}", rows.1);
    }
    assert!(
        rows.1
            .ends_with(&format!("|epicene:{}", env!("CARGO_PKG_VERSION")))
    );
}
