//! A finished run as exporters see it: who was measured on which data, and the rows of `measures.json`.

use epicene_core::{DataCard, Direction, Metric, MetricRange, SystemCard};
use serde::{Deserialize, Serialize};

use super::{ExportError, Settings};

/// A run with everything that leaves it.
#[derive(Debug, Clone)]
pub struct StoredRun {
    pub benchmark: String,
    /// The metrics of its benchmark.
    pub metrics: &'static [Metric],
    /// The version that made it.
    pub epicene: String,
    pub signature: String,
    pub data: DataCard,
    /// Where the data come from, if that is known.
    pub source_url: Option<String>,
    pub systems: Vec<SystemCard>,
    pub seed: u64,
    pub bootstrap: u64,
    pub limit: Option<usize>,
    /// How many items were asked about.
    pub items: usize,
    pub rows: Vec<StoredRow>,
    /// When the last answer came.
    pub finished: Option<When>,
    /// The items with their answers, if they may leave.
    pub samples: Option<Vec<Sample>>,
}

/// A moment in universal time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct When {
    /// Since 1970.
    pub seconds: i64,
    /// `2026-11-17T20:14:05Z`
    pub text: String,
}

impl When {
    pub(crate) fn day(&self) -> &str {
        self.text.get(..10).unwrap_or(&self.text)
    }
}

/// One number of `measures.json`. A number that is not finite is `null` there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredRow {
    pub benchmark: String,
    pub system: String,
    pub unit: String,
    pub group: String,
    pub metric: String,
    pub value: Option<f64>,
    pub low: Option<f64>,
    pub high: Option<f64>,
    pub n: Option<u64>,
    pub ideal: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub k: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deff: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub n_eff: Option<f64>,
}

/// One answer with its item and verdict.
#[derive(Debug, Clone)]
pub struct Sample {
    pub id: String,
    pub text: String,
    /// In alphabetical order.
    pub labels: Vec<(String, String)>,
    pub system: String,
    pub unit: String,
    /// The words of the answer, where it has some.
    pub answer: Option<String>,
    /// The answer as the log has it.
    pub observation: serde_json::Value,
    /// `correct`, `wrong`…; absent where the item has no right answer.
    pub outcome: Option<String>,
    pub rule: String,
    pub evidence: Vec<String>,
    pub finding: String,
}

impl Sample {
    pub(crate) fn label(&self, name: &str) -> Option<&str> {
        let mut labels = self.labels.iter();
        labels
            .find(|(own, _)| own == name)
            .map(|(_, value)| value.as_str())
    }
}

/// A row that is exported: a finite value with the range of its metric.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Chosen<'a> {
    pub row: &'a StoredRow,
    pub value: f64,
    pub metric: Option<&'static Metric>,
    /// The range and the ideal value, where the metric has both.
    pub aim: Option<(MetricRange, f64)>,
}

impl Chosen<'_> {
    pub fn direction(&self) -> Option<Direction> {
        self.aim.map(|(range, ideal)| range.direction(ideal))
    }

    pub fn direction_name(&self) -> &'static str {
        self.direction().map_or("none", Direction::name)
    }

    pub fn range(&self) -> Option<MetricRange> {
        self.metric.and_then(|metric| metric.range)
    }

    /// Percent become proportions: other tools hold accuracies to 0..1.
    pub fn scale(&self) -> f64 {
        match self.range() {
            Some(range) if range.unit == "percent" => 0.01,
            _ => 1.0,
        }
    }

    pub fn interval(&self) -> Option<(f64, f64)> {
        let ends = self.row.low.zip(self.row.high)?;
        (ends.0.is_finite() && ends.1.is_finite()).then_some(ends)
    }

    /// How far the value is from its ideal, with the image of the interval.
    pub fn distance(&self) -> Option<(f64, Option<(f64, f64)>)> {
        let ideal = self.row.ideal?;
        let image = self.interval().map(|(low, high)| {
            let (below, above) = ((low - ideal).abs(), (high - ideal).abs());
            let nearest = if low <= ideal && ideal <= high {
                0.0
            } else {
                below.min(above)
            };
            (nearest, below.max(above))
        });
        Some(((self.value - ideal).abs(), image))
    }

    /// Whether it is a benchmark's one plain accuracy, which other tools know by that name.
    pub fn is_plain_accuracy(&self) -> bool {
        self.metric.is_some_and(is_plain_accuracy)
    }
}

pub(crate) fn is_plain_accuracy(metric: &Metric) -> bool {
    let kind = metric.range.map(|range| range.kind);
    metric.headline && kind == Some("accuracy")
}

impl StoredRun {
    pub(crate) fn metric(&self, symbol: &str) -> Option<&'static Metric> {
        self.metrics.iter().find(|metric| metric.symbol == symbol)
    }

    /// The systems that are models or translators, with the names of the others in `left_out`.
    pub(crate) fn models(&self, left_out: &mut Vec<String>) -> Vec<&SystemCard> {
        let mut models = Vec::new();
        for system in &self.systems {
            if is_control(system) {
                left_out.push(format!("{}: a baseline, not a model", system.name));
            } else {
                models.push(system);
            }
        }
        models
    }

    /// The rows of one system that leave: those with an ideal value and a range, or all.
    pub(crate) fn chosen(
        &self,
        system: &SystemCard,
        settings: &Settings,
        left_out: &mut Vec<String>,
    ) -> Result<Vec<Chosen<'_>>, ExportError> {
        let mut chosen = Vec::new();
        let wanted = |filter: &Option<String>, name: &str| {
            filter.as_ref().is_none_or(|wanted| wanted == name)
        };
        for row in self.rows.iter().filter(|row| row.system == system.name) {
            if !wanted(&settings.metric, &row.metric) || !wanted(&settings.unit, &row.unit) {
                continue;
            }
            let metric = self.metric(&row.metric);
            let range = metric.and_then(|metric| metric.range);
            let aim = range.zip(row.ideal);
            let name = format!("{} {} {}", row.unit, row.group, row.metric);
            if aim.is_none() && !settings.all {
                if row.ideal.is_some() {
                    left_out.push(format!(
                        "{name}: its metric has no range (--all exports it)"
                    ));
                }
                continue;
            }
            let Some(value) = row.value.filter(|value| value.is_finite()) else {
                left_out.push(format!("{name}: no finite value"));
                continue;
            };
            if let Some(range) = range
                && !(range.min - SLACK..=range.max + SLACK).contains(&value)
            {
                return Err(ExportError::new(
                    format!(
                        "{name} is {value}, but {} lies between {} and {}",
                        row.metric, range.min, range.max
                    ),
                    "restore measures.json from a copy of the run, or run the benchmark again",
                ));
            }
            chosen.push(Chosen {
                row,
                value,
                metric,
                aim,
            });
        }
        if chosen.is_empty() {
            let what = match (&settings.metric, &settings.unit) {
                (None, None) => String::new(),
                (metric, unit) => {
                    let named: Vec<&str> = [metric, unit]
                        .into_iter()
                        .flatten()
                        .map(String::as_str)
                        .collect();
                    format!(" ({})", named.join(", "))
                }
            };
            let hint = if settings.all {
                "see `epicene report RUN --format csv` for the rows of the run"
            } else {
                "pass --all to export rows without an ideal value"
            };
            return Err(ExportError::new(
                format!("nothing to export for {}{what}", system.name),
                hint,
            ));
        }
        Ok(chosen)
    }
}

/// Rounding of sums of items.
const SLACK: f64 = 1e-9;

/// Systems whose result is known beforehand.
pub(crate) fn is_control(system: &SystemCard) -> bool {
    system.is_null() || system.source.starts_with("copy:")
}
