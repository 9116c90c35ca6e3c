//! Verdicts of a large run in a file beside its measures, sixteen bytes each, so that any of them can be read by its place.
//! Small runs are judged when they are looked at; a run of millions would not fit into the viewer's memory, and its judge may
//! need all of it at once. The file is made when the run is measured, from the same verdicts, and says of which state of the
//! run and by which version; of any other it is not read.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use epicene_core::{Finding, Outcome, Span, Verdict};
use epicene_io::position::read_at;
use epicene_io::regular;
use epicene_pipeline::JudgedRun;
use epicene_run::{RunDirectory, RunError, Sha256Digest, log_files};
use serde::{Deserialize, Serialize};

/// Runs with at least this many answers have their verdicts stored.
pub const STORED_FROM: usize = 200_000;
pub const FILE: &str = "verdicts.bin";
const FORMAT: u32 = 2;
const WIDTH: usize = 16;
/// Deciding words that the file keeps of one answer.
pub const SPANS: usize = 3;

const FINDINGS: [Finding; 18] = [
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
    // New ones last: stored verdicts count from the first.
    Finding::Inclusive,
];
const OUTCOMES: [Outcome; 3] = [Outcome::Correct, Outcome::Wrong, Outcome::Inconclusive];
/// No finding: not answered.
const NONE: u8 = u8::MAX;

/// The first line of the file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Head {
    format: u32,
    /// What was judged, and by which version.
    state: String,
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

    fn evidence(self) -> Vec<Span> {
        let number = |at: usize| u16::from_le_bytes([self.0[at], self.0[at + 1]]);
        let spans = (0..SPANS).map(|place| (number(4 + place * 4), number(6 + place * 4)));
        spans
            .filter(|(start, end)| start < end && *end != u16::MAX)
            .map(|(start, end)| Span::new(usize::from(start), usize::from(end)))
            .collect()
    }
}

/// Names what verdicts are made of: this version, the manifest (options, inputs, links) and how long the log is.
fn state(run: &Path) -> io::Result<String> {
    let mut digest = Sha256Digest::default();
    digest.update_field(env!("CARGO_PKG_VERSION").as_bytes());
    digest.update_field(&fs::read(run.join("manifest.json"))?);
    for file in log_files(run).map_err(io::Error::other)? {
        digest.update_field(&fs::metadata(file)?.len().to_le_bytes());
    }
    Ok(digest.short_hex())
}

/// Keeps the verdicts of a large run in its directory: column by column.
pub fn keep(directory: &RunDirectory, run: &JudgedRun<'_>) -> Result<(), RunError> {
    if run.table.items.len() * run.table.columns.len() < STORED_FROM {
        return Ok(());
    }
    let state = state(directory.path()).map_err(|source| RunError::Io {
        path: directory.path().to_owned(),
        source,
    })?;
    directory.write_verdicts(&encode(run, state))?;
    Ok(())
}

/// Keeps them where those that are there are of another state of the run or another version.
pub fn renew(directory: &RunDirectory, run: &JudgedRun<'_>) -> Result<(), RunError> {
    let (items, columns) = (run.table.items.len(), run.table.columns.len());
    match Store::open(directory.path(), items, columns) {
        Some(_) => Ok(()),
        None => keep(directory, run),
    }
}

fn encode(run: &JudgedRun<'_>, state: String) -> Vec<u8> {
    let (mut head, records) = records(run);
    head.state = state;
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
        format: FORMAT,
        state: String::new(),
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
    place: Storage,
}

#[derive(Debug)]
enum Storage {
    /// With the deciding words, all of them.
    Memory(Vec<Record>, Vec<Box<[Span]>>),
    /// The file, and where its records begin.
    File(File, u64),
}

impl Store {
    pub fn in_memory(run: &JudgedRun<'_>) -> Store {
        let (head, records) = records(run);
        let cells = run.verdicts.iter().flat_map(|verdicts| &verdicts.cells);
        let words = cells.map(|cell| {
            cell.as_ref()
                .map_or_else(Box::default, |v| v.evidence.clone())
        });
        Store {
            head,
            place: Storage::Memory(records, words.collect()),
        }
    }

    /// The file of a run with so many items and columns; none where it is not there, or is of another state of the run or
    /// another version.
    pub fn open(run: &Path, items: usize, columns: usize) -> Option<Store> {
        let file = regular::open(&run.join(FILE)).ok()?;
        let mut reader = BufReader::new((&file).take(1 << 20));
        let mut line = Vec::new();
        reader.read_until(b'\n', &mut line).ok()?;
        let head: Head = serde_json::from_slice(&line).ok()?;
        let start = line.len() as u64;
        let length = file.metadata().ok()?.len();
        let whole = start + (items * columns * WIDTH) as u64;
        let fits = head.format == FORMAT && head.items == items && head.columns == columns;
        (fits && length == whole && head.state == state(run).ok()?).then_some(Store {
            head,
            place: Storage::File(file, start),
        })
    }

    /// Whether only the first deciding words of an answer are kept.
    pub fn is_shortened(&self) -> bool {
        matches!(self.place, Storage::File(..))
    }

    /// The deciding words of an answer.
    pub fn evidence(&self, column: usize, item: usize, record: Record) -> Vec<Span> {
        match &self.place {
            Storage::Memory(_, words) => words[column * self.head.items + item].to_vec(),
            Storage::File(..) => record.evidence(),
        }
    }

    /// The verdicts of one column on the items from `first`, as many as there are up to `count`.
    pub fn column(&self, column: usize, first: usize, count: usize) -> io::Result<Vec<Record>> {
        let count = count.min(self.head.items.saturating_sub(first));
        let begin = column * self.head.items + first;
        match &self.place {
            Storage::Memory(records, _) => Ok(records[begin..begin + count].to_vec()),
            Storage::File(file, start) => {
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

    const ITEMS: usize = 4000;

    fn record(place: usize) -> [u8; WIDTH] {
        [(place % 251) as u8; WIDTH]
    }

    /// A directory with two columns of verdicts.
    fn stored() -> tempfile::TempDir {
        let run = tempfile::tempdir().unwrap();
        fs::write(run.path().join("manifest.json"), "{}").unwrap();
        fs::write(run.path().join("log.jsonl"), "{}\n").unwrap();
        let head = Head {
            format: FORMAT,
            state: state(run.path()).unwrap(),
            items: ITEMS,
            columns: 2,
            rules: Vec::new(),
        };
        let mut bytes = serde_json::to_vec(&head).unwrap();
        bytes.push(b'\n');
        bytes.extend((0..ITEMS * 2).flat_map(record));
        fs::write(run.path().join(FILE), &bytes).unwrap();
        run
    }

    /// Readers beside each other share the file, and each gets the records it asked for.
    #[test]
    fn readers_do_not_move_each_other() {
        let run = stored();
        let store = Store::open(run.path(), ITEMS, 2).unwrap();
        std::thread::scope(|scope| {
            for reader in 0..4 {
                let store = &store;
                scope.spawn(move || {
                    for turn in 0..2000 {
                        let (column, first) = (turn % 2, (turn * 37 + reader * 911) % ITEMS);
                        let found = store.column(column, first, 3).unwrap();
                        for (place, found) in (column * ITEMS + first..).zip(found) {
                            assert_eq!(found.0, record(place));
                        }
                    }
                });
            }
        });
    }

    /// Verdicts of other options, of fewer answers or by another version are not shown.
    #[test]
    fn verdicts_of_another_state_are_not_read() {
        let run = stored();
        let is_read = || Store::open(run.path(), ITEMS, 2).is_some();
        assert!(is_read());
        for (name, other) in [("manifest.json", "{\"a\":1}"), ("log.jsonl", "{}\n{}\n")] {
            let path = run.path().join(name);
            let before = fs::read(&path).unwrap();
            fs::write(&path, other).unwrap();
            assert!(!is_read(), "{name}");
            fs::write(&path, before).unwrap();
            assert!(is_read(), "{name}");
        }
        // As 0.1.0 wrote it: sizes alone.
        let path = run.path().join(FILE);
        let text = fs::read(&path).unwrap();
        let end = text.iter().position(|byte| *byte == b'\n').unwrap();
        let head = format!("{{\"format\":1,\"items\":{ITEMS},\"columns\":2,\"rules\":[]}}");
        fs::write(&path, [head.as_bytes(), &text[end..]].concat()).unwrap();
        assert!(!is_read());
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
