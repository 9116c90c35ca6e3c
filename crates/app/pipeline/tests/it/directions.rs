//! A difference is the second system less the first, in every benchmark and with either interval: what `compare` says has
//! the sign of what `measure` says of the two systems. Systems are those of the coverage study.

use crate::designs;
use std::collections::BTreeMap;

use crate::world::{Dice, Study};
use epicene_bench::options::INTERVAL;
use epicene_bench::{Given, Options};
use epicene_core::Row;

/// Samples whose differences are put together: a comparison may leave out what one system did not decide.
const SAMPLES: usize = 4;

/// `None` where the benchmark has one interval alone.
fn options(benchmark: &str, interval: &str) -> Option<Options> {
    let card = epicene_bench::find(benchmark).unwrap().card();
    let name = INTERVAL.spec.name;
    let known = card.specs().any(|spec| spec.name == name);
    if !known && interval == "published" {
        return None;
    }
    let mut given = Given::default();
    if known {
        given.values.insert(name.to_owned(), interval.to_owned());
    }
    let options = Options::resolve(card, &given, &BTreeMap::new()).unwrap();
    Some(options.drawing(20, 19))
}

/// The number of a difference, of one system.
fn of_system<'a>(rows: &'a [Row], system: &str, delta: &Row) -> Option<&'a Row> {
    let metric = delta.metric.strip_prefix("delta_")?;
    // A group with the name of the number is of the whole; the whole of MT-GenEval is its counterfactual set.
    let whole = (delta.group == metric).then_some("all");
    let groups = [Some(delta.group.as_str()), whole, Some("counterfactual")];
    groups.into_iter().flatten().find_map(|group| {
        rows.iter().find(|row| {
            row.system == system
                && row.metric == metric
                && row.group == group
                && (row.unit == delta.unit || delta.unit == "all")
        })
    })
}

/// Checks all differences of a design; how many there were.
fn direction(study: &Study, interval: &str) -> usize {
    let Some(options) = options(study.benchmark, interval) else {
        return 0;
    };
    // Differences as measured times differences as compared, of each metric.
    let mut products: BTreeMap<String, f64> = BTreeMap::new();
    for sample in 0..SAMPLES {
        let stream = format!("directions/{}/{}/{sample}", study.benchmark, study.design);
        let drawn = (study.draw)(&mut Dice::new(&stream));
        let (measured, compared) = study.judged(drawn, &options, |benchmark, judged| {
            let compared = epicene_bench::compare(benchmark, judged, 0, 1).unwrap();
            (benchmark.measure(judged).unwrap().rows, compared.rows)
        });
        let deltas = compared
            .iter()
            .filter(|row| row.metric.starts_with("delta_"));
        for delta in deltas {
            assert_eq!(delta.system, "s1 - s0", "{}", study.benchmark);
            let first = of_system(&measured, "s0", delta);
            let second = of_system(&measured, "s1", delta);
            if let (Some(first), Some(second)) = (first, second) {
                let place = format!("{} {}", delta.group, delta.metric);
                *products.entry(place).or_default() += (second.value - first.value) * delta.value;
            }
        }
    }
    for (place, product) in &products {
        assert!(
            *product >= 0.0,
            "{} {interval} {place}: compared and measured differences point apart ({product})",
            study.benchmark
        );
    }
    products.values().filter(|product| **product > 0.0).count()
}

#[test]
fn differences_are_the_second_system_less_the_first() {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for study in designs::all() {
        // The sizes do not matter here.
        let large = study.design.starts_with("200") || study.design.starts_with("20 ");
        if !study.design.ends_with("compare") || large {
            continue;
        }
        for interval in ["clustered", "published"] {
            *seen.entry(study.benchmark).or_default() += direction(&study, interval);
        }
    }
    for (benchmark, places) in seen {
        assert!(places > 0, "{benchmark}: no difference has its measures");
    }
}
