//! How translations speak of people whose gender they do not show: in neutral words, in inclusive writing, by naming both
//! genders, or in a way the rules cannot read. Every benchmark of translations reports the four shares.

use std::collections::BTreeMap;

use epicene_core::{CellStyle, Field, Filter, Finding, Gender, Metric, Outcome, Row, View};

use crate::options::INTERVAL;
use crate::{BenchError, Benchmark, Clusters, Judged, Measured, RowWriter, fixed_gender};

pub(crate) const NEUTRAL: Metric = Metric::detail("neutral_share");
pub(crate) const INCLUSIVE: Metric = Metric::detail("inclusive_share");
pub(crate) const BOTH: Metric = Metric::detail("both_share");
pub(crate) const UNKNOWN: Metric = Metric::detail("unknown_share");
/// Of the sources that say the gender, how many translations take it back.
pub(crate) const OVER_NEUTRAL: Metric = Metric::detail("over_neutral");

/// In the order of the table.
const SHARES: [Metric; 5] = [NEUTRAL, INCLUSIVE, BOTH, UNKNOWN, OVER_NEUTRAL];

/// A table of shares below this would be empty to a reader.
const SHOWN_FROM: f64 = 0.01;

/// The share a finding belongs to; `None` where it shows one gender, or there is no translation.
fn share_of(finding: Finding) -> Option<Metric> {
    match finding {
        Finding::Masculine | Finding::Feminine | Finding::NoAnswer => None,
        Finding::Neuter | Finding::Common | Finding::Neutral => Some(NEUTRAL),
        Finding::Inclusive => Some(INCLUSIVE),
        Finding::Both => Some(BOTH),
        _ => Some(UNKNOWN),
    }
}

/// The same results with the rows of every column of translations.
pub(crate) fn added(
    benchmark: &dyn Benchmark,
    judged: &Judged<'_>,
    mut measured: Measured,
) -> Result<Measured, BenchError> {
    // As published, results have no such rows.
    if !judged.options.get(&INTERVAL).is_clustered() {
        return Ok(measured);
    }
    // Verdicts that were given need no occupation: such sentences are counted one by one.
    let clusters = match Clusters::of(judged) {
        Ok(clusters) => Some(clusters),
        Err(BenchError::BadItem { .. }) => None,
        Err(error) => return Err(error),
    };
    for (view, verdicts) in judged.columns() {
        let cells = verdicts.cells.iter().enumerate();
        let found: Vec<(usize, Finding)> = cells
            .filter_map(|(item, verdict)| {
                view.text(item)?;
                let verdict = verdict.as_ref()?;
                let counts =
                    verdict.rule != fixed_gender::IGNORED && verdict.finding != Finding::NoAnswer;
                counts.then_some((item, verdict.finding))
            })
            .collect();
        let unit = view.column().unit.as_str();
        let mut writer = RowWriter::new(benchmark.card(), &view.system().name, unit);
        for metric in [NEUTRAL, INCLUSIVE, BOTH, UNKNOWN] {
            let own = |finding| share_of(finding).is_some_and(|own| own.symbol == metric.symbol);
            let items = found.iter().map(|(item, finding)| (*item, own(*finding)));
            let items: Vec<(usize, bool)> = items.collect();
            writer.share(clusters.as_ref(), ["all", metric.symbol], &items)?;
        }
        let is_told = |item: usize| {
            [Gender::Masculine, Gender::Feminine].iter().any(|gender| {
                let outcome = benchmark.outcome(view.items().get(item), Finding::from(*gender));
                outcome == Some(Outcome::Correct)
            })
        };
        let told = found.iter().filter(|(item, _)| is_told(*item));
        let told: Vec<(usize, bool)> = told
            .map(|(item, finding)| {
                let share = share_of(*finding);
                (
                    *item,
                    share.is_some_and(|share| share.symbol != UNKNOWN.symbol),
                )
            })
            .collect();
        writer.share(clusters.as_ref(), ["all", OVER_NEUTRAL.symbol], &told)?;
        measured.rows.extend(writer.rows);
    }
    Ok(measured)
}

/// A table of the shares, where translations avoid a gender at all.
pub(crate) fn view(rows: &[Row]) -> Option<View> {
    let avoids = |row: &Row| {
        let symbols = [NEUTRAL, INCLUSIVE, BOTH, OVER_NEUTRAL].map(|metric| metric.symbol);
        symbols.contains(&row.metric.as_str()) && row.value >= SHOWN_FROM
    };
    rows.iter().any(avoids).then(|| View {
        title: "Translations that show no gender: neutral words, inclusive writing, both genders named, unknown; \
                over_neutral: of sources that say the gender"
            .to_owned(),
        filters: vec![
            Filter::new(Field::Group, ["all"]),
            Filter::new(Field::Metric, SHARES.map(|metric| metric.symbol)),
        ],
        lines: vec![Field::System, Field::Unit],
        columns: Field::Metric,
        style: CellStyle::ValueInterval,
        decimals: 3,
        labels: BTreeMap::new(),
    })
}
