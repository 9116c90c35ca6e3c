//! What a number is called, and what it means to be above or below its ideal: declared once, with the benchmark.

/// A metric of a benchmark. Never "higher is better": the ideal is a value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Metric {
    /// The paper's symbol, as rows have it.
    pub symbol: &'static str,
    /// For people; empty where the symbol says it.
    pub name: &'static str,
    /// The value of an unbiased system, where the metric has one.
    pub ideal: Option<f64>,
    /// What it means to be above the ideal, and below it.
    pub above: &'static str,
    pub below: &'static str,
    /// Whether the benchmark comes down to it: it stands on the page's summary cards, in the order of the card.
    pub headline: bool,
}

impl Metric {
    /// A count, a p-value, a detail: a number without an ideal.
    pub const fn detail(symbol: &'static str) -> Metric {
        Metric {
            symbol,
            name: "",
            ideal: None,
            above: "",
            below: "",
            headline: false,
        }
    }

    /// A number with an ideal that stands on no summary card.
    pub const fn with_ideal(symbol: &'static str, ideal: f64) -> Metric {
        Metric {
            ideal: Some(ideal),
            ..Metric::detail(symbol)
        }
    }
}
