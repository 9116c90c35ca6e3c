//! The items behind the numbers, packed so that a page of thirty systems stays small: columns instead of
//! records, names once, translations of one language side by side (they resemble each other), the whole
//! deflated. Where it is still too much, translations and then items are thinned out evenly, and the page
//! says so.

use std::collections::BTreeMap;
use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use epicene_core::Item;
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
    /// How many items the run has; more than here where they were thinned out already.
    pub total: usize,
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
    /// `m`, `f`, `n` or `u`.
    pub verdict: char,
    /// `correct`, `wrong`, `inconclusive`, or empty.
    pub outcome: &'static str,
    pub rule: &'static str,
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
    /// A translation in which the words that decided are marked.
    pub fn with_evidence(text: &str, evidence: &[String]) -> Shown {
        let clean: String = text
            .chars()
            .map(|c| match c {
                '\n' | '\t' | '\r' => ' ',
                c if c.is_control() => '\u{fffd}',
                c => c,
            })
            .collect();
        let mut spans: Vec<(usize, usize)> = Vec::new();
        for word in evidence.iter().filter(|word| !word.is_empty()) {
            let free = |at: usize| {
                spans
                    .iter()
                    .all(|(start, end)| at >= *end || at + word.len() <= *start)
            };
            let found = clean
                .match_indices(word.as_str())
                .map(|(at, _)| at)
                .filter(|at| free(*at));
            let places: Vec<usize> = found.collect();
            let whole = places
                .iter()
                .find(|at| is_whole_word(&clean, **at, word.len()));
            if let Some(at) = whole.or(places.first()) {
                spans.push((*at, at + word.len()));
            }
        }
        spans.sort_unstable();
        let mut marked = String::with_capacity(clean.len() + 2 * spans.len());
        let mut done = 0;
        for (start, end) in spans {
            marked.push_str(&clean[done..start]);
            marked.push(EVIDENCE_START);
            marked.push_str(&clean[start..end]);
            marked.push(EVIDENCE_END);
            done = end;
        }
        marked.push_str(&clean[done..]);
        Shown::Text(marked)
    }
}

fn is_whole_word(text: &str, at: usize, length: usize) -> bool {
    let before = text[..at].chars().next_back();
    let after = text[at + length..].chars().next();
    let part_of_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    !part_of_word(before) && !part_of_word(after)
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
            let base64 = STANDARD.encode(deflated(&json));
            if base64.len() <= budget || every > self.items.len() {
                return PackedItems {
                    base64,
                    every,
                    text_every,
                };
            }
            let times = base64.len().div_ceil(budget.max(1)).max(2);
            match self.has_texts() && text_every < 16 {
                true => text_every *= times,
                false => every *= times,
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
            every,
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
                .map(|(item, place)| cell(item, place).map_or('.', |cell| cell.verdict))
                .collect(),
            outcomes: Coded::new(
                "outcome",
                cells().map(|(item, place)| cell(item, place).map_or("", |cell| cell.outcome)),
            ),
            rules: Coded::new(
                "rule",
                cells().map(|(item, place)| cell(item, place).map_or("", |cell| cell.rule)),
            ),
            scale: SCALE,
            numbers,
            number_columns,
            answers,
        };
        // Strings and numbers cannot fail to be written.
        serde_json::to_vec(&packed).unwrap_or_default()
    }
}

fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(7));
    // Memory does not refuse to be written to.
    let written = encoder.write_all(bytes);
    written.and_then(|()| encoder.finish()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evidence_is_marked_as_whole_words() {
        let evidence = ["bola".to_owned(), "som".to_owned()];
        assert_eq!(
            Shown::with_evidence("Nebola bola som.", &evidence),
            Shown::Text("Nebola \u{1}bola\u{2} \u{1}som\u{2}.".to_owned())
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
            verdict: 'm',
            outcome: "",
            rule: "",
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
