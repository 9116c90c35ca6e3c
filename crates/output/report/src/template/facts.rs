//! What a run says of itself, and the sentences and tables that both templates print of it.

use epicene_core::{DataCard, Metric, Results, Row, SystemCard};

use super::document::outside;
use crate::html::card_text::card_fields;
use crate::number::fixed;
use crate::{figures, words};

/// A measured run with its circumstances.
#[derive(Debug, Clone)]
pub struct RunFacts {
    pub benchmark: String,
    pub summary: String,
    /// The text of `epicene show`, with the figures of the detector for its languages.
    pub card: String,
    pub metrics: &'static [Metric],
    pub results: Results,
    pub data: DataCard,
    /// On record for the data; a file of one's own has none.
    pub licence: Option<String>,
    pub source: Option<String>,
    pub systems: Vec<SystemCard>,
    /// Languages that were measured, by name.
    pub languages: Vec<String>,
    pub command: Vec<String>,
    /// The version that made the run.
    pub epicene: String,
    pub started: Option<String>,
    pub finished: Option<String>,
    /// System, architecture and cores; no name.
    pub host: String,
    pub answered: (u64, u64),
    pub asked_items: usize,
    pub seed: u64,
    pub options: Vec<(String, String)>,
    /// Human labels, where annotators gave some.
    pub labels: Option<u64>,
    /// SHA-256 of `manifest.json`.
    pub manifest_sha256: String,
    pub citation: String,
}

/// What only the command of an audit says.
#[derive(Debug, Clone, Default)]
pub struct AuditFacts {
    pub check: Option<Check>,
    /// The baseline's name, and the comparison with it.
    pub comparison: Option<(String, Results)>,
}

/// A threshold that was set before the numbers were seen.
#[derive(Debug, Clone)]
pub struct Check {
    pub expression: String,
    pub passed: bool,
    /// `FAIL f_s 0.298 [0.265, 0.331] > 0.29 (nmt → Slovak)`, one for each row that decides; the first of many.
    pub lines: Vec<String>,
}

impl Check {
    /// Whether it passes, with the condition that must not be true, as Markdown.
    pub(crate) fn verdict(&self) -> String {
        let verdict = if self.passed { "passes" } else { "fails" };
        format!("The check `{}` {verdict}.", outside(&self.expression))
    }
}

impl RunFacts {
    /// A field of the benchmark's card.
    pub(super) fn field(&self, name: &str) -> Option<String> {
        let fields = card_fields(&self.card);
        let field = fields.iter().find(|field| field.name == name)?;
        Some(field.text.to_owned())
    }

    pub(super) fn metric(&self, symbol: &str) -> Option<&'static Metric> {
        self.metrics.iter().find(|metric| metric.symbol == symbol)
    }

    /// Headline numbers of all items, a row for each system and prompt variant.
    pub(super) fn headlines(&self) -> Vec<(&Row, &'static Metric)> {
        let of_system = |row: &&Row| self.systems.iter().any(|system| system.name == row.system);
        let rows = || self.results.rows.iter().filter(of_system);
        let headline = |row: &Row| {
            self.metric(&row.metric)
                .is_some_and(|metric| metric.headline)
        };
        let whole = rows().any(|row| row.group == "all" && headline(row));
        let found = rows().filter(|row| (row.group == "all") == whole || !whole);
        found
            .filter_map(|row| Some((row, self.metric(&row.metric)?)))
            .filter(|(row, metric)| metric.headline && row.value.is_finite())
            .collect()
    }

    /// Metrics with an ideal value that this run has rows of.
    pub(super) fn used_metrics(&self) -> Vec<&'static Metric> {
        let has = |metric: &&Metric| {
            let mut rows = self.results.rows.iter();
            metric.ideal.is_some() && rows.any(|row| row.metric == metric.symbol)
        };
        self.metrics.iter().filter(has).collect()
    }

    /// One sentence for every headline number of a system over all its prompt variants, or of each where none joins them.
    pub(super) fn sentences(&self) -> Vec<String> {
        let headlines = self.headlines();
        let joint = |row: &Row| {
            let mut others = headlines.iter();
            others.any(|(other, metric)| {
                other.system == row.system
                    && metric.symbol == row.metric
                    && words::is_joint(&other.unit)
            })
        };
        headlines
            .iter()
            .filter(|(row, _)| words::is_joint(&row.unit) || !joint(row))
            .map(|(row, metric)| sentence(row, metric))
            .collect()
    }

    pub(super) fn data_line(&self) -> Vec<String> {
        let data = &self.data;
        let sha256 = match data.sha256.as_str() {
            "" => "no file".to_owned(),
            sha256 => format!("`{sha256}`"),
        };
        let languages = match self.languages.as_slice() {
            [] => "see the benchmark's card".to_owned(),
            languages => languages.join(", "),
        };
        vec![
            format!("`{}`", self.benchmark),
            outside(&format!("{} {}", data.name, data.version)),
            sha256,
            self.licence
                .clone()
                .unwrap_or_else(|| "not on record".to_owned()),
            format!("{} of {}", self.asked_items, data.items),
            languages,
        ]
    }

    /// Complete, or how much is missing.
    pub(super) fn completeness(&self) -> String {
        match self.answered {
            (there, of) if there == of => format!("complete: {of} of {of} answers"),
            (there, of) => format!("incomplete: {there} of {of} answers"),
        }
    }
}

pub(super) const DATA_HEAD: [&str; 6] = [
    "Benchmark",
    "Data",
    "SHA-256",
    "Licence",
    "Items asked",
    "Languages",
];

pub(super) const RESULT_HEAD: [&str; 9] = [
    "System",
    "Prompt variant",
    "Group",
    "Metric",
    "Value",
    "95 % interval",
    "n",
    "Clusters",
    "Distance from the ideal value",
];

/// A row of a table of results.
pub(super) fn result_line(row: &Row) -> Vec<String> {
    let number = |value: f64| fixed(value, 3);
    let count =
        |count: Option<u64>| count.map_or_else(|| "–".to_owned(), |count| count.to_string());
    let distance = row.ideal.map(|ideal| number((row.value - ideal).abs()));
    vec![
        outside(&row.system),
        outside(&words::unit(&row.unit)),
        outside(&row.group),
        format!("`{}`", row.metric),
        number(row.value),
        interval(row).unwrap_or_else(|| "none".to_owned()),
        count(row.n),
        count(row.k),
        distance.unwrap_or_else(|| "no ideal value".to_owned()),
    ]
}

pub(super) fn interval(row: &Row) -> Option<String> {
    let (low, high) = row.low.zip(row.high)?;
    Some(format!("[{}, {}]", fixed(low, 3), fixed(high, 3)))
}

/// "demo:mlm: stereotype rate `g_s` 1.308 [1.240, 1.380], ideal value 1. The interval excludes the ideal value: follows …"
fn sentence(row: &Row, metric: &Metric) -> String {
    let who = outside(&words::contestant(&row.system, &row.unit));
    let name = match metric.name {
        "" => String::new(),
        name => format!("{name} "),
    };
    let value = fixed(row.value, 3);
    let Some(ideal) = row.ideal else {
        return format!("{who}: {name}`{}` {value}.", row.metric);
    };
    let group = match row.group.as_str() {
        "all" => String::new(),
        group => format!(" ({})", outside(group)),
    };
    let interval = interval(row).map_or_else(String::new, |interval| format!(" {interval}"));
    let mut text = format!(
        "{who}{group}: {name}`{}` {value}{interval}, ideal value {}.",
        row.metric,
        figures::tick_label(ideal)
    );
    let side = if row.value > ideal {
        metric.above
    } else {
        metric.below
    };
    text += &match (row.low.is_some(), row.excludes_ideal(), side) {
        (false, _, _) => {
            " There is no interval: nothing is shown about the ideal value.".to_owned()
        }
        (true, false, _) => {
            " The interval contains the ideal value: no deviation is shown.".to_owned()
        }
        (true, true, "") => " The interval excludes the ideal value.".to_owned(),
        (true, true, side) => {
            let mut letters = side.chars();
            let first = letters.next().map(|first| first.to_lowercase().to_string());
            let side = first.unwrap_or_default() + letters.as_str();
            format!(" The interval excludes the ideal value: {side}.")
        }
    };
    text
}

/// A metric for a table: what it is, its ideal value and range, and what it means to be off.
pub(super) fn metric_line(benchmark: &str, metric: &Metric) -> Vec<String> {
    let or = |text: &str, other: &str| match text {
        "" => other.to_owned(),
        text => text.to_owned(),
    };
    let range = metric.range.map_or_else(
        || "not declared".to_owned(),
        |range| format!("{} to {} ({})", range.min, end(range.max), range.unit),
    );
    vec![
        format!("`{benchmark}`"),
        format!("`{}`", metric.symbol),
        or(metric.name, "see the benchmark's card"),
        metric
            .ideal
            .map_or_else(|| "none".to_owned(), figures::tick_label),
        range,
        or(metric.above, "not described"),
        or(metric.below, "not described"),
    ]
}

fn end(max: f64) -> String {
    if max.is_infinite() {
        "infinity".to_owned()
    } else {
        max.to_string()
    }
}

pub(super) const METRIC_HEAD: [&str; 7] = [
    "Benchmark",
    "Symbol",
    "Name",
    "Ideal value",
    "Range",
    "Above the ideal value",
    "Below the ideal value",
];
