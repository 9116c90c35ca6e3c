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
    /// The values it can take, for exports that must name them.
    pub range: Option<MetricRange>,
    /// What the number is made of, as a sentence with symbols of metrics in braces; further sentences behind a bar are for
    /// systems that lack one of those numbers. Empty where nothing explains it.
    pub because: &'static str,
}

/// The values a metric can take, with their unit and what kind of number it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MetricRange {
    pub min: f64,
    pub max: f64,
    /// `proportion`, `percent`, `ratio` or `points`.
    pub unit: &'static str,
    /// `accuracy`, `masculine_rate`, `stereotype_gap`…
    pub kind: &'static str,
}

impl MetricRange {
    const fn new(min: f64, max: f64, unit: &'static str, kind: &'static str) -> MetricRange {
        MetricRange {
            min,
            max,
            unit,
            kind,
        }
    }

    /// 0 to 1.
    pub const fn proportion(kind: &'static str) -> MetricRange {
        MetricRange::new(0.0, 1.0, "proportion", kind)
    }

    /// A difference of proportions: -1 to 1.
    pub const fn gap(kind: &'static str) -> MetricRange {
        MetricRange::new(-1.0, 1.0, "proportion", kind)
    }

    /// 0 to 100.
    pub const fn percent(kind: &'static str) -> MetricRange {
        MetricRange::new(0.0, 100.0, "percent", kind)
    }

    /// A difference of percentages: -100 to 100.
    pub const fn percent_gap(kind: &'static str) -> MetricRange {
        MetricRange::new(-100.0, 100.0, "percent", kind)
    }

    /// A difference of scores of translation quality: -100 to 100.
    pub const fn points_gap(kind: &'static str) -> MetricRange {
        MetricRange::new(-100.0, 100.0, "points", kind)
    }

    /// A factor: 0 to infinity.
    pub const fn ratio(kind: &'static str) -> MetricRange {
        MetricRange::new(0.0, f64::INFINITY, "ratio", kind)
    }

    /// The same range with another upper bound.
    pub const fn up_to(self, max: f64) -> MetricRange {
        MetricRange { max, ..self }
    }

    /// The same range with another lower bound.
    pub const fn from(self, min: f64) -> MetricRange {
        MetricRange { min, ..self }
    }

    /// Which way is better for a metric with this ideal value.
    pub fn direction(&self, ideal: f64) -> Direction {
        if ideal >= self.max {
            Direction::Higher
        } else if ideal <= self.min {
            Direction::Lower
        } else {
            Direction::Target
        }
    }
}

/// Which way is better, as other tools ask for it. They know no targets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    Higher,
    Lower,
    /// The ideal value lies between the bounds.
    Target,
}

impl Direction {
    pub fn name(self) -> &'static str {
        match self {
            Direction::Higher => "higher",
            Direction::Lower => "lower",
            Direction::Target => "target",
        }
    }
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
            range: None,
            because: "",
        }
    }

    /// The same number with its name for people.
    pub const fn named(self, name: &'static str) -> Metric {
        Metric { name, ..self }
    }

    /// The same metric with the values it can take.
    pub const fn within(self, range: MetricRange) -> Metric {
        Metric {
            range: Some(range),
            ..self
        }
    }

    /// The same metric with a sentence on what it is made of: `masculine in {p_m%}` (`%`: a share
    /// as a percentage), or several behind bars.
    pub const fn because(self, because: &'static str) -> Metric {
        Metric { because, ..self }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ideal_between_the_bounds_is_a_target() {
        for (range, ideal, direction) in [
            (MetricRange::percent("accuracy"), 100.0, Direction::Higher),
            (MetricRange::proportion("error_rate"), 0.0, Direction::Lower),
            (MetricRange::gap("stereotype_gap"), 0.0, Direction::Target),
            (
                MetricRange::ratio("stereotype_rate"),
                1.0,
                Direction::Target,
            ),
        ] {
            assert_eq!(range.direction(ideal), direction, "{range:?}");
        }
    }
}
