//! Exports must name the bounds of a metric: every metric with an ideal value declares them.

use epicene_core::Metric;

use crate::shared_data::shared;

fn metrics() -> impl Iterator<Item = (&'static str, &'static Metric)> {
    let cards = epicene_bench::ALL.iter().map(|benchmark| benchmark.card());
    cards.flat_map(|card| card.metrics.iter().map(move |metric| (card.name, metric)))
}

#[test]
fn every_metric_with_an_ideal_value_has_a_range_that_contains_it() {
    let mut seen = 0;
    for (benchmark, metric) in metrics() {
        let Some(ideal) = metric.ideal.filter(|_| metric.difference_of.is_none()) else {
            assert!(metric.range.is_none(), "{benchmark} {}", metric.symbol);
            continue;
        };
        let range = metric.range;
        let range = range.unwrap_or_else(|| {
            panic!(
                "{benchmark} {}: declare its values with .within(MetricRange::…)",
                metric.symbol
            )
        });
        assert!(range.min < range.max, "{benchmark} {}", metric.symbol);
        assert!(
            (range.min..=range.max).contains(&ideal),
            "{benchmark} {}",
            metric.symbol
        );
        seen += 1;
    }
    assert!(seen > 70, "{seen}");
}

/// A benchmark has at most one number that other tools may call its accuracy.
#[test]
fn one_headline_of_a_benchmark_is_its_accuracy() {
    for benchmark in epicene_bench::ALL {
        let card = benchmark.card();
        let accuracies = card.metrics.iter().filter(|metric| {
            metric.headline && metric.range.is_some_and(|range| range.kind == "accuracy")
        });
        let symbols: Vec<&str> = accuracies.map(|metric| metric.symbol).collect();
        assert!(symbols.len() <= 1, "{}: {symbols:?}", card.name);
    }
}

/// The table of the interchange specification.
#[test]
fn ranges_are_those_of_the_specification() {
    let Some(folder) = shared("interchange") else {
        return;
    };
    let text = std::fs::read_to_string(folder.join("metric_ranges.tsv")).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    let mut seen = 0;
    for line in lines {
        let cells: Vec<&str> = line.split('\t').collect();
        let [benchmark, symbol, ideal, min, max, unit, kind] = cells[..] else {
            panic!("{line}");
        };
        let metric = metrics().find(|(name, metric)| *name == benchmark && metric.symbol == symbol);
        let (_, metric) = metric.unwrap_or_else(|| panic!("{benchmark} has no metric {symbol}"));
        let range = metric.range.unwrap();
        let number = |text: &str| match text {
            "Infinity" => f64::INFINITY,
            text => text.parse().unwrap(),
        };
        assert_eq!(metric.ideal, Some(number(ideal)), "{line}");
        assert_eq!((range.min, range.max), (number(min), number(max)), "{line}");
        assert_eq!((range.unit, range.kind), (unit, kind), "{line}");
        seen += 1;
    }
    assert!(seen > 50, "{seen}");
}
