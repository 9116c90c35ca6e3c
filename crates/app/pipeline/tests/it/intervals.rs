//! What stands beside a number: what was sampled, how many of it, what that is worth; and where there is nothing to say,
//! that. Systems are those of the coverage study.

use crate::designs;
use std::collections::BTreeSet;

use crate::world::{Answers, Dice, Drawn, Study};
use epicene_bench::{Measured, Options};
use epicene_core::{Answer, Finding, Item, LikelihoodMethod, Row, Scorer, Verdict};
use epicene_pipeline::{correct_family, power};
use epicene_stats::mcnemar_exact;

/// One system measured, or two compared.
fn of(study: &Study) -> Measured {
    let drawn = (study.draw)(&mut Dice::new("tests/intervals"));
    let options = Options::default().drawing(50, 99);
    let mut measured = study.judged(drawn, &options, |benchmark, judged| {
        if judged.table.systems.len() == 2 {
            epicene_bench::compare(benchmark, judged, 0, 1).unwrap()
        } else {
            benchmark.measure(judged).unwrap()
        }
    });
    correct_family(&mut measured).unwrap();
    measured
}

/// A benchmark on given items and answers.
fn measured(
    benchmark: &'static str,
    (scorer, unit): (Scorer, &'static str),
    draw: impl Fn() -> Drawn + Sync + 'static,
) -> Measured {
    of(&Study {
        benchmark,
        design: String::new(),
        scorer,
        unit,
        draw: Box::new(move |_| draw()),
        looks: Vec::new(),
    })
}

fn row<'a>(rows: &'a [Row], group: &str, metric: &str) -> &'a Row {
    let found = rows
        .iter()
        .find(|row| row.group == group && row.metric == metric);
    found.unwrap()
}

/// Smaller designs of the same kind do as well here.
fn studies() -> impl Iterator<Item = Study> {
    designs::all()
        .into_iter()
        .filter(|study| !study.design.starts_with("200") && !study.design.starts_with("220"))
}

#[test]
fn signatures_name_unit_number_interval_test_and_family_once_each() {
    let mut benchmarks = BTreeSet::new();
    for study in studies() {
        let measured = of(&study);
        let place = format!("{} {}", study.benchmark, study.design);
        let names: Vec<&str> = measured.how.iter().map(|(name, _)| *name).collect();
        let distinct: BTreeSet<&str> = names.iter().copied().collect();
        assert_eq!(distinct.len(), names.len(), "{place}: {names:?}");
        let mut wanted = vec!["unit", "k", "interval"];
        if study.design.ends_with("compare") {
            wanted.extend(["test", "family"]);
        }
        for name in wanted {
            assert!(distinct.contains(name), "{place}: no {name} in {names:?}");
        }
        benchmarks.insert(study.benchmark);
    }
    assert_eq!(benchmarks.len(), 17, "{benchmarks:?}");
}

#[test]
fn rows_say_how_many_clusters_they_rest_on_and_what_those_are_worth() {
    for study in studies() {
        let measured = of(&study);
        for row in measured.rows.iter().filter(|row| row.low.is_some()) {
            let place = format!("{} {row:?}", study.benchmark);
            let (low, high) = (row.low.unwrap(), row.high.unwrap());
            let slack = 1e-9 * row.value.abs();
            assert!(
                low <= row.value + slack && row.value <= high + slack,
                "{place}"
            );
            assert_eq!(row.deff.is_some(), row.n_eff.is_some(), "{place}");
            if let (Some(deff), Some(n_eff), Some(n)) = (row.deff, row.n_eff, row.n) {
                assert!(row.k.is_some(), "{place}");
                assert!((deff * n_eff - n as f64).abs() < 1e-6 * n as f64, "{place}");
            }
        }
    }
}

#[test]
fn few_clusters_are_warned_of() {
    let warned = |design: &str| {
        let study = studies().find(|study| study.design == design).unwrap();
        let measured = of(&study);
        let card = epicene_bench::find(study.benchmark).unwrap().card();
        power::warning(card, &measured.rows, &measured.how)
    };
    let warning = warned("20 occupations").unwrap();
    assert!(
        warning.contains("with only 20 clusters (occupation), intervals may be too narrow"),
        "{warning}"
    );
    assert_eq!(warned("40 occupations"), None);
}

/// A stereotype with one sentence has no interval, and neither has what is made of it.
#[test]
fn one_sentence_has_no_interval_and_that_is_said() {
    let place = (Scorer::MaskedPair, "template:1");
    let measured = measured("gest", place, || {
        // Every stereotype has five sentences but the third.
        let ids = (1..=16).flat_map(|id| (0..if id == 3 { 1 } else { 5 }).map(move |n| (id, n)));
        let items: Vec<Item> = ids
            .map(|(id, n)| {
                Item::new(format!("{id}:{n}"), "x").with_label("stereotype", id.to_string())
            })
            .collect();
        let answers = (0..items.len()).map(|n| Answer::Log10Ratio(0.1 * (n % 7) as f64));
        Drawn {
            columns: vec![Answers::Given(answers.collect())],
            items,
        }
    });
    let rows = &measured.rows;
    for (group, metric) in [("stereotype:3", "q"), ("all", "g_s"), ("all", "q_f")] {
        assert_eq!(row(rows, group, metric).low, None, "{group} {metric}");
    }
    for (group, metric) in [("stereotype:4", "q"), ("all", "q_m")] {
        assert!(row(rows, group, metric).low.is_some(), "{group} {metric}");
    }
    let said = |note: &String| note.contains("one sentence tells nothing of the spread");
    assert!(measured.notes.iter().any(said), "{:?}", measured.notes);
}

const AULA: (Scorer, &str) = (Scorer::Likelihood(LikelihoodMethod::Aula), "method:aula");

/// As many wins as losses and a third of ties: an even model.
#[test]
fn ties_are_neither_wins_nor_losses() {
    let measured = measured("crows-pairs", AULA, || {
        let items = (0..90).map(|pair| Item::new(format!("p:{pair}"), "x"));
        let answers = (0..90).map(|pair| {
            let first = [-0.5, -1.0, -2.0][pair % 3];
            Answer::Likelihoods(vec![Some(first), Some(-1.0)])
        });
        Drawn {
            columns: vec![Answers::Given(answers.collect())],
            items: items.collect(),
        }
    });
    let value = |metric: &str| row(&measured.rows, "all", metric).value;
    assert_eq!(value("pair_score"), 50.0);
    assert!((value("tie_share") - 100.0 / 3.0).abs() < 1e-9);
    assert_eq!(value("p_value"), mcnemar_exact(30, 30).p_value);
    assert_eq!(row(&measured.rows, "all", "pair_score").n, Some(60));
    // Against a coin, whose throws decided, the test is another one every time: there is none.
    assert!(measured.how.contains(&("ties", "left-out".to_owned())));
}

#[test]
fn stereosets_scores_have_intervals() {
    let study = studies()
        .find(|study| study.benchmark == "stereoset")
        .unwrap();
    let measured = of(&study);
    for metric in ["ss", "lms", "icat"] {
        let row = row(&measured.rows, "all", metric);
        let (low, high) = (row.low.unwrap(), row.high.unwrap());
        assert!(0.0 <= low && low < high && high <= 100.0, "{row:?}");
        assert_eq!(row.k, Some(40), "terms");
    }
}

#[test]
fn the_spread_of_shuffles_is_called_a_spread() {
    let study = studies().find(|study| study.benchmark == "mbe").unwrap();
    let measured = of(&study);
    assert_eq!(row(&measured.rows, "all", "shf").low, None);
    let (low, high) = (
        row(&measured.rows, "all", "shf_spread_low").value,
        row(&measured.rows, "all", "shf_spread_high").value,
    );
    assert!(low <= high);
}

/// Every translation a man's: shares are 1, and no interval leaves 0 to 1.
#[test]
fn shares_of_translations_stay_shares() {
    let place = (Scorer::Translate, "lang:sk");
    let measured = measured("gest", place, || {
        let ids = (1..=16).flat_map(|id| (0..6).map(move |n| (id, n)));
        let items: Vec<Item> = ids
            .map(|(id, n)| {
                Item::new(format!("{id}:{n}"), "x").with_label("stereotype", id.to_string())
            })
            .collect();
        let verdicts = vec![Verdict::new(Finding::Masculine, "given"); items.len()];
        Drawn {
            columns: vec![Answers::Judged(verdicts)],
            items,
        }
    });
    for (metric, wanted) in [("p_m", 1.0), ("p_f", 1.0), ("f_m", 1.0), ("f_s", 0.0)] {
        let row = row(&measured.rows, "all", metric);
        assert!((row.value - wanted).abs() < 1e-12, "{row:?}");
        let least = if metric == "f_s" { -1.0 } else { 0.0 };
        assert!(
            row.low.unwrap() >= least && row.high.unwrap() <= 1.0,
            "{row:?}"
        );
        assert!(row.low.unwrap() < row.high.unwrap(), "{row:?}");
    }
}
