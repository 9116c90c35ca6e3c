//! What must always hold of GEST's measures, whatever the scores.
#![allow(clippy::unwrap_used, clippy::panic)]

use epicene_bench::{Benchmark, MeasureOptions, gest::Gest};
use epicene_core::{Answer, Item, ModelKind, Query, Row, SystemCard};
use epicene_lm::{LanguageModel, RandomModel};
use proptest::prelude::*;

const UNITS: [&str; 2] = ["template:1", "template:2"];

/// A stereotype and the scores of one sample in both units.
type Sample = (u8, [f64; 2]);

fn card() -> SystemCard {
    SystemCard {
        name: "m".to_owned(),
        source: "test".to_owned(),
        revision: None,
        dtype: None,
        tokenizer: None,
        kind: ModelKind::Masked,
    }
}

fn item(index: usize, id: u8) -> Item {
    Item::new(format!("gest:{index}"), format!("I did thing {index}."))
        .with_label("stereotype", id.to_string())
}

fn rows(samples: &[Sample]) -> Vec<Row> {
    let probes: Vec<(usize, String)> = UNITS.iter().map(|unit| (0, (*unit).to_owned())).collect();
    let mut tally = Gest.tally(&[card()], &probes);
    for (index, (id, _)) in samples.iter().enumerate() {
        tally.item(&item(index, *id)).unwrap();
    }
    for (index, (_, scores)) in samples.iter().enumerate() {
        for (probe, score) in scores.iter().enumerate() {
            tally
                .observe(index, probe, &Answer::Log10Ratio(*score))
                .unwrap();
        }
    }
    let options = MeasureOptions {
        replicates: 50,
        ..MeasureOptions::default()
    };
    tally.measure(&options).unwrap().rows
}

fn value(rows: &[Row], unit: &str, group: &str, metric: &str) -> f64 {
    rows.iter()
        .find(|row| row.unit == unit && row.group == group && row.metric == metric)
        .unwrap()
        .value
}

/// Samples with every stereotype at least twice.
fn samples() -> impl Strategy<Value = Vec<Sample>> {
    let score = || -2.0..2.0f64;
    proptest::collection::vec((score(), score()), 32..80).prop_map(|scores| {
        let numbered = scores.into_iter().enumerate();
        numbered
            .map(|(i, (a, b))| ((i % 16) as u8 + 1, [a, b]))
            .collect()
    })
}

fn changed(samples: &[Sample], change: impl Fn(f64) -> f64) -> Vec<Sample> {
    samples
        .iter()
        .map(|(id, scores)| (*id, scores.map(&change)))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn swapping_the_genders_mirrors_every_factor(samples in samples()) {
        let (ours, theirs) = (rows(&samples), rows(&changed(&samples, |score| -score)));
        for unit in UNITS {
            for metric in ["g_s", "q_m", "q_f"] {
                let product = value(&ours, unit, "all", metric) * value(&theirs, unit, "all", metric);
                prop_assert!((product - 1.0).abs() < 1e-9);
            }
            for id in 1..=16 {
                let group = format!("stereotype:{id}");
                let ranks = value(&ours, unit, &group, "rank") + value(&theirs, unit, &group, "rank");
                prop_assert!((ranks - 17.0).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn the_order_of_the_items_changes_nothing(samples in samples(), turn in 1..31usize) {
        let mut turned = samples.clone();
        turned.rotate_left(turn);
        for (ours, theirs) in rows(&samples).iter().zip(&rows(&turned)) {
            prop_assert!((ours.value - theirs.value).abs() < 1e-9);
            // Means over templates are resampled by position; all other intervals are limits.
            if ours.unit != "all" {
                prop_assert!((ours.low.unwrap_or(0.0) - theirs.low.unwrap_or(0.0)).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn a_constant_preference_moves_q_and_never_g_s(samples in samples(), shift in -1.0..1.0f64) {
        let (ours, theirs) = (rows(&samples), rows(&changed(&samples, |score| score + shift)));
        for unit in ["template:1", "all"] {
            let ratio = value(&theirs, unit, "all", "g_s") / value(&ours, unit, "all", "g_s");
            prop_assert!((ratio - 1.0).abs() < 1e-9);
        }
        let q = |rows: &[Row]| value(rows, "template:2", "stereotype:3", "q");
        prop_assert!((q(&theirs) / q(&ours) - shift.exp()).abs() < 1e-9);
    }

    #[test]
    fn repeating_every_item_changes_no_value(samples in samples()) {
        let doubled: Vec<Sample> = samples.iter().chain(&samples).copied().collect();
        for (ours, theirs) in rows(&samples).iter().zip(&rows(&doubled)) {
            prop_assert_eq!(&ours.metric, &theirs.metric);
            prop_assert!((ours.value - theirs.value).abs() < 1e-9);
        }
    }
}

fn random_rate(seed: u64, items: &[Item]) -> Row {
    let units = Gest.units(ModelKind::Masked);
    let model = RandomModel::new(seed);
    let probes: Vec<(usize, String)> = units.iter().map(|unit| (0, unit.name.clone())).collect();
    let mut tally = Gest.tally(&[card()], &probes);
    for item in items {
        tally.item(item).unwrap();
    }
    for (index, item) in items.iter().enumerate() {
        for (probe, unit) in units.iter().enumerate() {
            let query = Query {
                index,
                item: &item.id,
                unit: &unit.name,
                question: Gest.question(item, unit, ModelKind::Masked),
            };
            let answer = &model.observe(&[query]).unwrap()[0];
            tally.observe(index, probe, answer).unwrap();
        }
    }
    let options = MeasureOptions {
        replicates: 200,
        seed,
        ..MeasureOptions::default()
    };
    let rows = tally.measure(&options).unwrap().rows;
    let rate = rows
        .iter()
        .find(|row| row.unit == "all" && row.metric == "g_s");
    rate.unwrap().clone()
}

/// The 95 % interval of g_s holds the truth of a random system in about 95 of 100 cases.
#[test]
fn random_systems_are_unbiased_within_their_interval() {
    let items: Vec<Item> = (0..800)
        .map(|index| item(index, (index % 16) as u8 + 1))
        .collect();
    let covered = (0..200)
        .filter(|&seed| !random_rate(seed, &items).excludes_ideal())
        .count();
    // Binomial with p = 0.95: 200 trials stay within 180 and 199 but for one in a thousand.
    assert!((180..=199).contains(&covered), "{covered} of 200");
}

#[test]
fn few_items_give_what_they_can_and_no_more() {
    // One stereotype about women only: no g_s, and a single sample has no interval.
    let rows = rows(&[(1, [0.5, 0.25])]);
    let q = value(&rows, "template:1", "stereotype:1", "q");
    assert!((q - 0.5f64.exp()).abs() < 1e-12);
    assert!(
        rows.iter()
            .all(|row| row.metric != "g_s" && row.metric != "q_m")
    );
    assert!(rows.iter().all(|row| row.low.is_none()));
    let empty = Gest.tally(&[card()], &[(0, "template:1".to_owned())]);
    assert!(empty.measure(&MeasureOptions::default()).is_err());
}
