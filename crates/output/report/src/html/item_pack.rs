//! The items behind the numbers, packed so that a page of thirty systems stays small: columns instead of
//! records, names once, translations of one language side by side (they resemble each other), the whole
//! deflated. Where it is still too much, translations and then items are thinned out evenly, and the page
//! says so.

use std::collections::BTreeMap;
use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use epicene_core::{Finding, Item, Span, Verdict};
use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde::Serialize;

/// Around evidence words in packed text.
pub const EVIDENCE_START: char = '\u{1}';
pub const EVIDENCE_END: char = '\u{2}';

/// Scores are shown with two decimals.
const SCALE: f64 = 100.0;

/// Items with what every system answered.
#[derive(Debug, Default)]
pub struct ItemTable {
    pub items: Vec<Item>,
    pub columns: Vec<AnswerColumn>,
    /// How many items the run has; where they were thinned out already, every so many-th is here.
    pub total: usize,
    pub every: usize,
}

/// The answers of one system in one unit.
#[derive(Debug, Default)]
pub struct AnswerColumn {
    pub system: String,
    pub unit: String,
    /// One for each item.
    pub cells: Vec<Option<AnswerCell>>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct AnswerCell {
    pub verdict: Verdict,
    pub shown: Shown,
}

/// An answer for people.
#[derive(Debug, Clone, PartialEq)]
pub enum Shown {
    /// A translation, its evidence marked.
    Text(String),
    Number(f64),
    Nothing,
}

impl Shown {
    /// A translation in which the words that decided are marked, where they stand.
    pub fn with_evidence(text: &str, evidence: &[Span]) -> Shown {
        let mut marked = String::with_capacity(text.len() + 2 * evidence.len());
        for (place, c) in (0..).zip(text.chars()) {
            if evidence
                .iter()
                .any(|span| span.start == place && span.end > place)
            {
                marked.push(EVIDENCE_START);
            }
            // Replaced one for one, so that places hold.
            marked.push(match c {
                '\n' | '\t' | '\r' => ' ',
                c if c.is_control() => '\u{fffd}',
                c => c,
            });
            if evidence
                .iter()
                .any(|span| span.end == place + 1 && span.start <= place)
            {
                marked.push(EVIDENCE_END);
            }
        }
        Shown::Text(marked)
    }
}

impl AnswerCell {
    /// What the answer shows, in words.
    pub fn words(&self) -> &'static str {
        match self.verdict.finding {
            Finding::Neuter | Finding::Common => "neutral",
            Finding::Both => "both genders named",
            Finding::Inclusive => "inclusive writing",
            Finding::Masculine
            | Finding::Feminine
            | Finding::Stereotypical
            | Finding::AntiStereotypical
            | Finding::Neutral
            | Finding::Refused
            | Finding::Unreadable
            | Finding::Undecided => self.verdict.finding.name(),
            Finding::Tie => "no preference",
            Finding::NoAnswer => "no answer",
            Finding::Unmarked | Finding::Ambiguous | Finding::NotFound | Finding::Mistranslated => {
                "unknown"
            }
        }
    }

    pub fn letter(&self) -> char {
        self.verdict.finding.letter()
    }

    /// `correct`, `wrong`, `inconclusive`, or empty.
    pub fn outcome(&self) -> &'static str {
        self.verdict.outcome.map_or("", |outcome| outcome.name())
    }
}

#[derive(Serialize)]
struct Packed<'a> {
    run: &'a str,
    benchmark: &'a str,
    /// Items of the run, and which of them are here: every `every`-th.
    total: usize,
    every: usize,
    /// Every `text_every`-th item has its translations.
    text_every: usize,
    ids: Vec<&'a str>,
    texts: Vec<&'a str>,
    labels: Vec<Coded<'a>>,
    columns: Vec<(&'a str, &'a str)>,
    /// Item by item, a letter for each column; `.` without an answer.
    verdicts: String,
    /// What each verdict says, in words.
    words: Coded<'a>,
    outcomes: Coded<'a>,
    rules: Coded<'a>,
    scale: f64,
    /// Item by item, a number for each column that has numbers.
    numbers: Vec<Option<i64>>,
    number_columns: Vec<usize>,
    answers: Vec<UnitTexts<'a>>,
}

/// Values once, then which of them every item or cell has.
#[derive(Serialize, Default)]
struct Coded<'a> {
    name: &'a str,
    values: Vec<&'a str>,
    codes: Vec<u32>,
}

impl<'a> Coded<'a> {
    fn new(name: &'a str, all: impl Iterator<Item = &'a str>) -> Coded<'a> {
        let mut places: BTreeMap<&str, u32> = BTreeMap::new();
        let mut coded = Coded {
            name,
            ..Coded::default()
        };
        for value in all {
            let next = coded.values.len() as u32;
            let code = *places.entry(value).or_insert(next);
            if code == next {
                coded.values.push(value);
            }
            coded.codes.push(code);
        }
        // Where nobody says anything there is nothing to keep.
        if coded.values.iter().all(|value| value.is_empty()) {
            coded.codes.clear();
        }
        coded
    }
}

/// The translations into one language, item by item.
#[derive(Serialize)]
struct UnitTexts<'a> {
    columns: Vec<usize>,
    texts: Vec<&'a str>,
}

/// A packed table, and how much of it is there.
#[derive(Debug)]
pub struct PackedItems {
    pub base64: String,
    pub every: usize,
    pub text_every: usize,
}

impl ItemTable {
    /// Base64 of the deflated table in at most `budget` bytes, thinned out as far as needed.
    pub fn pack(&self, run: &str, benchmark: &str, budget: usize) -> PackedItems {
        let (mut every, mut text_every) = (1, 1);
        loop {
            let json = self.as_json(run, benchmark, every, text_every);
            let base64 = packed(&json);
            if base64.len() <= budget || every > self.items.len() {
                return PackedItems {
                    base64,
                    every,
                    text_every,
                };
            }
            let times = base64.len().div_ceil(budget.max(1)).max(2);
            if self.has_texts() && text_every < 16 {
                text_every *= times
            } else {
                every *= times
            }
        }
    }

    fn has_texts(&self) -> bool {
        let cells = self
            .columns
            .iter()
            .filter_map(|column| column.cells.first());
        cells
            .flatten()
            .any(|cell| matches!(cell.shown, Shown::Text(_)))
    }

    /// Columns of one unit side by side.
    fn order(&self) -> Vec<usize> {
        let mut units: Vec<&str> = Vec::new();
        for column in &self.columns {
            if !units.contains(&column.unit.as_str()) {
                units.push(&column.unit);
            }
        }
        let mut order: Vec<usize> = (0..self.columns.len()).collect();
        order.sort_by_key(|&index| {
            units
                .iter()
                .position(|unit| *unit == self.columns[index].unit)
        });
        order
    }

    fn as_json(&self, run: &str, benchmark: &str, every: usize, text_every: usize) -> Vec<u8> {
        let order = self.order();
        let kept: Vec<usize> = (0..self.items.len()).step_by(every).collect();
        let cell = |item: usize, place: usize| self.columns[order[place]].cells.get(item)?.as_ref();
        let cells = || {
            kept.iter()
                .flat_map(|&item| (0..order.len()).map(move |place| (item, place)))
        };
        let mut names: Vec<&str> = Vec::new();
        for name in self.items.iter().flat_map(|item| item.labels.keys()) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let labels = names.iter().map(|name| {
            let values = kept
                .iter()
                .map(|&item| self.items[item].label(name).unwrap_or(""));
            Coded::new(name, values)
        });
        let number_columns: Vec<usize> = (0..order.len())
            .filter(|&place| {
                let mut cells = self.columns[order[place]].cells.iter().flatten();
                cells.any(|cell| matches!(cell.shown, Shown::Number(_)))
            })
            .collect();
        let numbers = kept
            .iter()
            .flat_map(|&item| number_columns.iter().map(move |&place| (item, place)))
            .map(|(item, place)| match cell(item, place)?.shown {
                Shown::Number(value) => Some((value * SCALE).round() as i64),
                _ => None,
            })
            .collect();
        let mut answers = Vec::new();
        let mut place = 0;
        while place < order.len() {
            let unit = &self.columns[order[place]].unit;
            let end = (place..order.len())
                .find(|&other| self.columns[order[other]].unit != *unit)
                .unwrap_or(order.len());
            let columns: Vec<usize> = (place..end).collect();
            let texts: Vec<&str> = kept
                .iter()
                .enumerate()
                .filter(|(index, _)| index % text_every == 0)
                .flat_map(|(_, &item)| columns.iter().map(move |&place| (item, place)))
                .map(
                    |(item, place)| match cell(item, place).map(|cell| &cell.shown) {
                        Some(Shown::Text(text)) => text.as_str(),
                        _ => "",
                    },
                )
                .collect();
            if texts.iter().any(|text| !text.is_empty()) {
                answers.push(UnitTexts { columns, texts });
            }
            place = end;
        }
        let packed = Packed {
            run,
            benchmark,
            total: self.total,
            every: every * self.every.max(1),
            text_every,
            ids: kept
                .iter()
                .map(|&item| self.items[item].id.as_str())
                .collect(),
            texts: kept
                .iter()
                .map(|&item| self.items[item].text.as_str())
                .collect(),
            labels: labels.collect(),
            columns: order
                .iter()
                .map(|&index| (&*self.columns[index].system, &*self.columns[index].unit))
                .collect(),
            verdicts: cells()
                .map(|(item, place)| cell(item, place).map_or('.', AnswerCell::letter))
                .collect(),
            words: Coded::new(
                "verdict",
                cells()
                    .map(|(item, place)| cell(item, place).map_or("no answer", AnswerCell::words)),
            ),
            outcomes: Coded::new(
                "outcome",
                cells().map(|(item, place)| cell(item, place).map_or("", AnswerCell::outcome)),
            ),
            rules: Coded::new(
                "rule",
                cells().map(|(item, place)| cell(item, place).map_or("", |cell| cell.verdict.rule)),
            ),
            scale: SCALE,
            numbers,
            number_columns,
            answers,
        };
        serde_json::to_vec(&packed).expect("strings and numbers can be written")
    }
}

/// As a page carries it.
pub fn packed(bytes: &[u8]) -> String {
    STANDARD.encode(deflated(bytes))
}

fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(6));
    let written = encoder.write_all(bytes);
    let finished = written.and_then(|()| encoder.finish());
    finished.expect("memory does not refuse to be written to")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evidence_is_marked_where_it_stands() {
        let text = "Ona bola doma a ja som tiež bola doma.";
        let evidence = [Span::new(19, 22), Span::new(28, 32)];
        assert_eq!(
            Shown::with_evidence(text, &evidence),
            Shown::Text("Ona bola doma a ja \u{1}som\u{2} tiež \u{1}bola\u{2} doma.".to_owned())
        );
        assert_eq!(
            Shown::with_evidence("a\u{1}b", &[]),
            Shown::Text("a\u{fffd}b".to_owned())
        );
    }

    #[test]
    fn a_table_too_large_is_thinned_out() {
        let items: Vec<Item> = (0..2000)
            .map(|n| Item::new(format!("i:{n}"), format!("text {n}")))
            .collect();
        let cell = |n: usize| AnswerCell {
            verdict: Verdict::of_preference(1.0),
            shown: Shown::Text(format!("{:x}", n.wrapping_mul(0x9e37_79b9_7f4a_7c15))),
        };
        let column = AnswerColumn {
            system: "s".to_owned(),
            unit: "lang:sk".to_owned(),
            cells: (0..2000).map(|n| Some(cell(n))).collect(),
        };
        let table = ItemTable {
            items,
            columns: vec![column],
            total: 2000,
            every: 1,
        };
        let whole = table.pack("r", "b", usize::MAX);
        assert_eq!((whole.every, whole.text_every), (1, 1));
        let packed = table.pack("r", "b", whole.base64.len() / 2);
        assert!(packed.base64.len() <= whole.base64.len() / 2);
        assert!(packed.text_every > 1, "{packed:?}");
        let tiny = table.pack("r", "b", 2000);
        assert!(tiny.base64.len() <= 2000 && tiny.every > 1);
    }
}
