//! Verdicts of a large run in a file beside its measures, sixteen bytes each, so that any of them can be read by its place.
//! Small runs are judged when they are looked at; a run of millions would not fit into the viewer's memory, and its judge may
//! need all of it at once. The file is made when the run is measured, from the same verdicts.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use epicene_core::{Finding, Outcome, Span, Verdict};
use epicene_io::position::read_at;
use epicene_pipeline::JudgedRun;
use serde::{Deserialize, Serialize};

/// Runs with at least this many answers have their verdicts stored.
pub const STORED_FROM: usize = 200_000;
const WIDTH: usize = 16;
/// Deciding words that are kept of one answer.
const SPANS: usize = 3;

const FINDINGS: [Finding; 17] = [
    Finding::Masculine,
    Finding::Feminine,
    Finding::Neuter,
    Finding::Common,
    Finding::Both,
    Finding::Stereotypical,
    Finding::AntiStereotypical,
    Finding::Tie,
    Finding::Unmarked,
    Finding::Ambiguous,
    Finding::NotFound,
    Finding::Mistranslated,
    Finding::Neutral,
    Finding::Refused,
    Finding::Unreadable,
    Finding::Undecided,
    Finding::NoAnswer,
];
const OUTCOMES: [Outcome; 3] = [Outcome::Correct, Outcome::Wrong, Outcome::Inconclusive];
/// No finding: not answered.
const NONE: u8 = u8::MAX;

/// The first line of the file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Head {
    format: u32,
    items: usize,
    columns: usize,
    rules: Vec<String>,
}

/// One verdict, small.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record([u8; WIDTH]);

impl Record {
    const EMPTY: Record = Record([NONE; WIDTH]);

    fn of(verdict: Option<&Verdict>, rules: &mut Vec<String>) -> Record {
        let Some(verdict) = verdict else {
            return Record::EMPTY;
        };
        let mut bytes = [NONE; WIDTH];
        let place = FINDINGS.iter().position(|known| *known == verdict.finding);
        bytes[0] = place.map_or(NONE, |place| place as u8);
        let outcome = verdict
            .outcome
            .and_then(|outcome| OUTCOMES.iter().position(|o| *o == outcome));
        bytes[1] = outcome.map_or(NONE, |place| place as u8);
        let rule = match rules.iter().position(|known| known == verdict.rule) {
            Some(rule) => rule,
            None => {
                rules.push(verdict.rule.to_owned());
                rules.len() - 1
            }
        };
        let rule = u16::try_from(rule).unwrap_or(u16::MAX);
        bytes[2..4].copy_from_slice(&rule.to_le_bytes());
        for (place, span) in verdict.evidence.iter().take(SPANS).enumerate() {
            let [Ok(start), Ok(end)] = [span.start, span.end].map(u16::try_from) else {
                continue;
            };
            let at = 4 + place * 4;
            bytes[at..at + 2].copy_from_slice(&start.to_le_bytes());
            bytes[at + 2..at + 4].copy_from_slice(&end.to_le_bytes());
        }
        Record(bytes)
    }

    pub fn finding(self) -> Option<Finding> {
        FINDINGS.get(usize::from(self.0[0])).copied()
    }

    /// `m`, `f`, `n`, `u`; a full stop without an answer.
    pub fn letter(self) -> char {
        self.finding().map_or('.', Finding::letter)
    }

    pub fn outcome(self) -> Option<Outcome> {
        OUTCOMES.get(usize::from(self.0[1])).copied()
    }

    fn rule(self) -> usize {
        usize::from(u16::from_le_bytes([self.0[2], self.0[3]]))
    }

    pub fn evidence(self) -> Vec<Span> {
        let number = |at: usize| u16::from_le_bytes([self.0[at], self.0[at + 1]]);
        let spans = (0..SPANS).map(|place| (number(4 + place * 4), number(6 + place * 4)));
        spans
            .filter(|(start, end)| start < end && *end != u16::MAX)
            .map(|(start, end)| Span::new(usize::from(start), usize::from(end)))
            .collect()
    }
}

/// The verdicts of a run as the bytes of the file: column by column.
pub fn encode(run: &JudgedRun<'_>) -> Vec<u8> {
    let (head, records) = records(run);
    let mut bytes = serde_json::to_vec(&head).expect("strings and numbers can be written");
    bytes.push(b'\n');
    bytes.extend(records.iter().flat_map(|record| record.0));
    bytes
}

fn records(run: &JudgedRun<'_>) -> (Head, Vec<Record>) {
    let mut rules = Vec::new();
    let cells = run.verdicts.iter().flat_map(|verdicts| &verdicts.cells);
    let records: Vec<Record> = cells
        .map(|cell| Record::of(cell.as_ref(), &mut rules))
        .collect();
    let head = Head {
        format: 1,
        items: run.table.items.len(),
        columns: run.verdicts.len(),
        rules,
    };
    (head, records)
}

/// Verdicts by item and column.
#[derive(Debug)]
pub struct Store {
    head: Head,
    place: Place,
}

#[derive(Debug)]
enum Place {
    Memory(Vec<Record>),
    /// The file, and where its records begin.
    File(File, u64),
}

impl Store {
    pub fn in_memory(run: &JudgedRun<'_>) -> Store {
        let (head, records) = records(run);
        Store {
            head,
            place: Place::Memory(records),
        }
    }

    /// The file of a run with so many items and columns; none where it is not there or is of another state of the run.
    pub fn open(path: &Path, items: usize, columns: usize) -> Option<Store> {
        let file = File::open(path).ok()?;
        let mut reader = BufReader::new((&file).take(1 << 20));
        let mut line = Vec::new();
        reader.read_until(b'\n', &mut line).ok()?;
        let head: Head = serde_json::from_slice(&line).ok()?;
        let start = line.len() as u64;
        let length = file.metadata().ok()?.len();
        let whole = start + (items * columns * WIDTH) as u64;
        let fits = head.format == 1 && head.items == items && head.columns == columns;
        (fits && length == whole).then_some(Store {
            head,
            place: Place::File(file, start),
        })
    }

    /// The verdicts of one column on the items from `first`, as many as there are up to `count`.
    pub fn column(
        &self,
        column: usize,
        first: usize,
        count: usize,
    ) -> std::io::Result<Vec<Record>> {
        let count = count.min(self.head.items.saturating_sub(first));
        let begin = column * self.head.items + first;
        match &self.place {
            Place::Memory(records) => Ok(records[begin..begin + count].to_vec()),
            Place::File(file, start) => {
                let mut bytes = vec![0; count * WIDTH];
                read_at(file, start + (begin * WIDTH) as u64, &mut bytes)?;
                let (records, _) = bytes.as_chunks::<WIDTH>();
                Ok(records.iter().map(|bytes| Record(*bytes)).collect())
            }
        }
    }

    pub fn rule(&self, record: Record) -> &str {
        self.head
            .rules
            .get(record.rule())
            .map_or("", String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Readers beside each other share the file, and each gets the records it asked for.
    #[test]
    fn readers_do_not_move_each_other() {
        let items = 4000;
        let head = Head {
            format: 1,
            items,
            columns: 2,
            rules: Vec::new(),
        };
        let mut bytes = serde_json::to_vec(&head).unwrap();
        bytes.push(b'\n');
        let record = |place: usize| [(place % 251) as u8; WIDTH];
        bytes.extend((0..items * 2).flat_map(record));
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), &bytes).unwrap();
        let store = Store::open(file.path(), items, 2).unwrap();
        std::thread::scope(|scope| {
            for reader in 0..4 {
                let store = &store;
                scope.spawn(move || {
                    for turn in 0..2000 {
                        let (column, first) = (turn % 2, (turn * 37 + reader * 911) % items);
                        let found = store.column(column, first, 3).unwrap();
                        for (place, found) in (column * items + first..).zip(found) {
                            assert_eq!(found.0, record(place));
                        }
                    }
                });
            }
        });
    }

    #[test]
    fn a_verdict_comes_back_from_its_bytes() {
        let mut rules = Vec::new();
        let mut verdict = Verdict::new(Finding::Feminine, "head");
        verdict.outcome = Some(Outcome::Wrong);
        verdict.evidence = [Span::new(0, 4), Span::new(9, 12)].into();
        let record = Record::of(Some(&verdict), &mut rules);
        assert_eq!(record.finding(), Some(Finding::Feminine));
        assert_eq!(record.outcome(), Some(Outcome::Wrong));
        assert_eq!(record.evidence(), verdict.evidence.to_vec());
        assert_eq!(rules, ["head"]);
        let none = Record::of(None, &mut rules);
        assert_eq!(
            (none.finding(), none.letter(), none.evidence()),
            (None, '.', Vec::new())
        );
        for finding in FINDINGS {
            let record = Record::of(Some(&Verdict::new(finding, "")), &mut rules);
            assert_eq!(record.finding(), Some(finding));
        }
    }
}
