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
    /// What a system with a larger value is, beside one with a smaller: "more stereotyped".
    pub larger: &'static str,
    /// Whether the benchmark comes down to it: it stands on the page's summary cards, in the order of the card.
    pub headline: bool,
    /// The metric whose difference between two systems this is.
    pub difference_of: Option<&'static str>,
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
            larger: "",
            headline: false,
            difference_of: None,
        }
    }

    /// A number with an ideal, a name, and what it means to be above the ideal and below it.
    pub const fn explained(
        symbol: &'static str,
        name: &'static str,
        ideal: f64,
        [above, below]: [&'static str; 2],
    ) -> Metric {
        Metric {
            name,
            above,
            below,
            ..Metric::with_ideal(symbol, ideal)
        }
    }

    /// The same for what a benchmark comes down to.
    pub const fn headline(
        symbol: &'static str,
        name: &'static str,
        ideal: f64,
        off: [&'static str; 2],
    ) -> Metric {
        Metric {
            headline: true,
            ..Metric::explained(symbol, name, ideal, off)
        }
    }

    /// The same metric with the word for a larger value.
    pub const fn larger(self, larger: &'static str) -> Metric {
        Metric { larger, ..self }
    }

    /// The difference of a metric between two systems: 0 where they are the same.
    pub const fn difference(symbol: &'static str, of: &'static str) -> Metric {
        Metric {
            difference_of: Some(of),
            ..Metric::with_ideal(symbol, 0.0)
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
