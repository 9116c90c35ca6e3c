//! The numbers of published systems by epicene's own detector, from the translations that their papers published: what a system
//! measured with that detector is ranked among. `tests/it/own_baselines.rs` recomputes the file.

use epicene_core::{Row, Unit};

use crate::{Card, RowWriter};

const FILE: &str = include_str!("../data/published/by_epicene.tsv");

struct Baseline {
    system: &'static str,
    language: &'static str,
    group: &'static str,
    metric: &'static str,
    value: f64,
}

fn of(benchmark: &str) -> impl Iterator<Item = Baseline> {
    let lines = FILE.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(move |line| {
        let cells: Vec<&'static str> = line.split('\t').collect();
        let [name, system, language, group, metric, value] = cells[..] else {
            unreachable!("the embedded table has six columns");
        };
        (name == benchmark).then(|| Baseline {
            system,
            language,
            group,
            metric,
            value: value.parse().expect("the embedded table has numbers"),
        })
    })
}

/// The baselines of a benchmark as rows; systems are named `published:NAME`.
pub(crate) fn rows(card: &'static Card) -> Vec<Row> {
    let mut rows = Vec::new();
    for baseline in of(card.name) {
        let system = format!("published:{}", baseline.system);
        let unit = Unit::into_language(baseline.language);
        let mut writer = RowWriter::new(card, &system, &unit);
        writer.push(baseline.group, baseline.metric, baseline.value);
        rows.extend(writer.rows);
    }
    rows
}

/// A metric of the whole by `system language`.
pub(crate) fn values(benchmark: &str, metric: &str) -> Vec<(String, f64)> {
    let found = of(benchmark).filter(|known| (known.group, known.metric) == ("all", metric));
    found
        .map(|known| (format!("{} {}", known.system, known.language), known.value))
        .collect()
}
