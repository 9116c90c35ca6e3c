//! The layouts that chat benchmarks have in common. The pooled number never stands without its spread.

use std::collections::BTreeMap;

use epicene_core::{CellStyle, Field, Filter, Row, View};

/// Rows to be laid out, with the names that people have for groups.
pub struct Layout<'a> {
    rows: &'a [Row],
    labels: BTreeMap<String, String>,
}

impl<'a> Layout<'a> {
    pub fn new(rows: &'a [Row], labels: BTreeMap<String, String>) -> Layout<'a> {
        Layout { rows, labels }
    }

    pub fn has(&self, unit: &str, metric: &str) -> bool {
        let mut rows = self.rows.iter();
        rows.any(|row| row.unit == unit && row.metric == metric)
    }

    /// A table of values with intervals, one column for each of the metrics.
    pub fn of_metrics(
        &self,
        title: &str,
        metrics: &[&str],
        filters: impl IntoIterator<Item = Filter>,
        lines: &[Field],
    ) -> View {
        let filters = filters
            .into_iter()
            .chain([Filter::new(Field::Metric, metrics.iter().copied())]);
        View {
            title: title.to_owned(),
            filters: filters.collect(),
            lines: lines.to_vec(),
            columns: Field::Metric,
            style: CellStyle::ValueInterval,
            decimals: 3,
            labels: self.labels.clone(),
        }
    }

    /// The one table of a comparison; `None` where nothing was compared.
    pub fn of_differences(&self, metrics: &[&str]) -> Option<View> {
        let compared = self.rows.iter().any(|row| row.metric == "delta_s");
        let title = "Difference, second less first (0 = none)";
        compared.then(|| View {
            decimals: 4,
            ..self.of_metrics(title, metrics, [], &[Field::Unit])
        })
    }

    pub fn over_wordings(&self) -> Option<View> {
        self.has("all", "s").then(|| {
            self.of_metrics(
                "Stereotype rate s over all wordings (0 = none), with the range over wordings",
                &[
                    "s",
                    "framing_low",
                    "framing_high",
                    "framing_spread",
                    "mixed",
                    "refused",
                    "unreadable",
                    "s_least",
                    "s_most",
                ],
                [Filter::new(Field::Unit, ["all"])],
                &[Field::System],
            )
        })
    }
}
