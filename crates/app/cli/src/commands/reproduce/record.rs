//! What becomes of the numbers a paper prints: one record for each, compared as strings at the printed precision. Numbers that
//! the authors' data give and the paper does not print are a list of their own.

use std::collections::BTreeMap;
use std::path::Path;

/// Why a printed number was not found, or another one was. The list is closed: a difference without a reason is a bug.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    UnseededBootstrap,
    ParsesUnpublished,
    CheckpointNeeded,
    PaperContradictsItself,
    HumanLabelsUnpublished,
    DataUnpublished,
}

impl Reason {
    pub fn name(self) -> &'static str {
        match self {
            Reason::UnseededBootstrap => "unseeded bootstrap",
            Reason::ParsesUnpublished => "parses unpublished",
            Reason::CheckpointNeeded => "checkpoint needed",
            Reason::PaperContradictsItself => "paper contradicts its own data",
            Reason::HumanLabelsUnpublished => "human labels unpublished",
            Reason::DataUnpublished => "data unpublished",
        }
    }
}

/// A number as the paper prints it: `0.84`, `3327`, `4.7K`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Printed(String);

impl Printed {
    /// A number that the paper prints with so many decimals.
    pub fn fixed(value: f64, decimals: usize) -> Printed {
        Printed(fixed(value, decimals))
    }

    /// Text of the paper, as it stands there.
    pub fn text(text: &str) -> Printed {
        Printed(text.to_owned())
    }

    /// Another number as the paper would have printed it.
    pub fn like(&self, value: f64) -> String {
        // `<0.001` says that much and no more.
        if let Some(bound) = self.0.strip_prefix('<') {
            let below = bound.parse().is_ok_and(|bound: f64| value < bound);
            return if below {
                self.0.clone()
            } else {
                Printed::text(bound).like(value)
            };
        }
        let (number, scale, unit) = match self.0.strip_suffix('K') {
            Some(number) => (number, 1000.0, "K"),
            None => (self.0.as_str(), 1.0, ""),
        };
        let decimals = number
            .split_once('.')
            .map_or(0, |(_, decimals)| decimals.len());
        fixed(value / scale, decimals) + unit
    }
}

impl std::fmt::Display for Printed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Zero has no sign in print.
fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let zero = text.bytes().all(|byte| matches!(byte, b'-' | b'0' | b'.'));
    match text.strip_prefix('-') {
        Some(unsigned) if zero => unsigned.to_owned(),
        _ => text,
    }
}

/// Our side of a printed number.
#[derive(Debug, Clone, PartialEq)]
pub enum Ours {
    Value(f64),
    /// The file that is not in the directory.
    NoFile(String),
    /// No file would help.
    Because(Reason),
}

impl Ours {
    /// The number of a row, where a run made it.
    pub fn of(value: Option<f64>) -> Ours {
        value.map_or(Ours::Because(Reason::DataUnpublished), Ours::Value)
    }
}

/// One number of a paper.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// Table, figure or section, as the paper numbers it.
    pub place: &'static str,
    pub row: String,
    pub column: String,
    pub printed: Printed,
    pub ours: Ours,
    /// Why ours may differ.
    expected: Option<Reason>,
}

impl Record {
    pub fn value(&self) -> Option<f64> {
        match self.ours {
            Ours::Value(value) => Some(value),
            Ours::NoFile(_) | Ours::Because(_) => None,
        }
    }

    /// Ours as the paper would have printed it.
    pub fn as_printed(&self) -> Option<String> {
        self.value().map(|value| self.printed.like(value))
    }

    pub fn is_equal(&self) -> bool {
        self.as_printed().as_deref() == Some(self.printed.0.as_str())
    }

    /// Why the number is not the printed one; none where it is.
    pub fn reason(&self) -> Option<String> {
        match &self.ours {
            Ours::Value(_) if self.is_equal() => None,
            Ours::Value(_) => Some(self.expected.map_or("unexplained", Reason::name).to_owned()),
            Ours::NoFile(path) => Some(format!("file missing: {path}")),
            Ours::Because(reason) => Some(reason.name().to_owned()),
        }
    }

    pub fn difference(&self) -> Option<f64> {
        let digits = self.printed.0.trim_end_matches('K');
        let printed: f64 = digits.parse().ok()?;
        let scale = if digits.len() < self.printed.0.len() {
            1000.0
        } else {
            1.0
        };
        Some(self.value()? - printed * scale)
    }
}

/// A number that the authors' data give and the paper does not print.
#[derive(Debug, Clone, PartialEq)]
pub struct Computed {
    pub place: &'static str,
    pub row: String,
    pub column: String,
    pub ours: f64,
}

/// A file that is not there, and what it costs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    pub path: String,
    pub costs: String,
}

/// What became of a paper.
#[derive(Default)]
pub struct Reproduced {
    pub records: Vec<Record>,
    pub computed: Vec<Computed>,
    pub missing: Vec<Missing>,
    pub notes: Vec<String>,
    pub commands: Vec<String>,
}

impl Reproduced {
    /// A printed number beside ours.
    pub fn record(
        &mut self,
        place: &'static str,
        (row, column): (impl Into<String>, impl Into<String>),
        printed: Printed,
        ours: Ours,
        expected: Option<Reason>,
    ) {
        self.records.push(Record {
            place,
            row: row.into(),
            column: column.into(),
            printed,
            ours,
            expected,
        });
    }

    pub fn compute(
        &mut self,
        place: &'static str,
        (row, column): (impl Into<String>, impl Into<String>),
        ours: Option<f64>,
    ) {
        let (row, column) = (row.into(), column.into());
        self.computed.extend(ours.map(|ours| Computed {
            place,
            row,
            column,
            ours,
        }));
    }

    pub fn lacks(&mut self, path: &Path, costs: impl Into<String>) {
        self.missing.push(Missing {
            path: path.display().to_string(),
            costs: costs.into(),
        });
    }

    pub fn note(&mut self, text: impl Into<String>) {
        self.notes.push(text.into());
    }

    /// Tables and figures in the order in which they were made.
    pub fn places(&self) -> Vec<&'static str> {
        let mut places = Vec::new();
        for record in &self.records {
            if !places.contains(&record.place) {
                places.push(record.place);
            }
        }
        places
    }

    pub fn count(&self, place: Option<&str>) -> Count {
        let mut count = Count::default();
        let own = |record: &&Record| place.is_none_or(|place| record.place == place);
        for record in self.records.iter().filter(own) {
            count.printed += 1;
            count.compared += usize::from(record.value().is_some());
            count.equal += usize::from(record.is_equal());
            if let Some(reason) = record.reason() {
                *count.reasons.entry(reason).or_default() += 1;
            }
        }
        count
    }
}

/// How many numbers of a place are printed, compared and equal, and why the others are not.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Count {
    pub printed: usize,
    pub compared: usize,
    pub equal: usize,
    pub reasons: BTreeMap<String, usize>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_equal_where_their_print_is() {
        for (printed, ours, as_printed) in [
            ("0.84", 0.8449, "0.84"),
            ("0.84", 0.8451, "0.85"),
            ("0.00", -0.004, "0.00"),
            ("-0.38", -0.3817, "-0.38"),
            ("1.00", 1.0031, "1.00"),
            ("3327", 3327.0, "3327"),
            ("4.7K", 4746.0, "4.7K"),
            ("7.1K", 7156.0, "7.2K"),
            ("0.5K", 482.0, "0.5K"),
            ("9.1", 9.0123, "9.0"),
            ("<0.001", 0.0002, "<0.001"),
            ("<0.001", 0.0038, "0.004"),
            // Half-way by its decimals, below by its bits: as Python rounds.
            ("2.67", 2.675, "2.67"),
        ] {
            let printed = Printed::text(printed);
            assert_eq!(printed.like(ours), as_printed, "{printed} {ours}");
        }
    }

    #[test]
    fn a_difference_has_a_reason() {
        let record = |ours: Ours, expected| Record {
            place: "Table 1",
            row: String::new(),
            column: String::new(),
            printed: Printed::fixed(0.5, 2),
            ours,
            expected,
        };
        let parses = Some(Reason::ParsesUnpublished);
        assert_eq!(record(Ours::Value(0.501), parses).reason(), None);
        let differs = record(Ours::Value(0.51), parses);
        assert_eq!(differs.reason().as_deref(), Some("parses unpublished"));
        assert_eq!(format!("{:.2}", differs.difference().unwrap()), "0.01");
        let unknown = record(Ours::Value(0.51), None);
        assert_eq!(unknown.reason().as_deref(), Some("unexplained"));
        let absent = record(Ours::NoFile("gest.csv".to_owned()), parses);
        assert_eq!(absent.reason().as_deref(), Some("file missing: gest.csv"));
        assert_eq!((absent.value(), absent.is_equal()), (None, false));
    }
}
