//! Where the answers of a run are in its log: one place for each question, and one bit for whether it has its answer. Only what
//! was added since is read, so that a run that grows is followed as cheaply as one that does not. A line that says an answer
//! again changes nothing.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use epicene_io::position::{read_at, write_at};
use epicene_run::{Coverage, Manifest, log_files};
use serde::Deserialize;

use crate::index::{each_line, line_at};

/// Bits of a place that say where in its file an answer is; the others say in which file.
const OFFSET_BITS: u32 = 44;
/// More questions than these have their places in a file without a name, not in memory.
const IN_MEMORY: usize = 4_000_000;
/// Places that are written to that file at once.
const BATCH: usize = 1 << 16;
const WIDTH: u64 = 8;

#[derive(Debug, Clone)]
pub struct Answers {
    columns: usize,
    items: usize,
    /// The column of a system, unit and scorer.
    named: Arc<BTreeMap<[String; 3], usize>>,
    there: Coverage,
    places: Places,
    /// The files of the log, and how far each was read.
    logs: Vec<(PathBuf, u64)>,
}

/// By the number of the question: item by item, column by column.
#[derive(Debug, Clone)]
enum Places {
    Memory(Vec<u64>),
    /// What is there never changes, so clones may share it.
    File(Arc<File>),
}

/// What is needed of a line of the log.
#[derive(Deserialize)]
struct LogLine<'a> {
    item: u64,
    #[serde(borrow)]
    system: Cow<'a, str>,
    #[serde(borrow)]
    unit: Cow<'a, str>,
    #[serde(borrow)]
    scorer: Cow<'a, str>,
}

impl Answers {
    /// Nothing read yet.
    pub fn none(manifest: &Manifest, items: usize) -> io::Result<Answers> {
        let probes = manifest.probes();
        let named = probes.iter().enumerate().map(|(column, probe)| {
            let system = manifest.systems[probe.system].card.name.clone();
            let key = [
                system,
                probe.ask.unit.to_string(),
                probe.ask.scorer.name().to_owned(),
            ];
            (key, column)
        });
        let questions = items * probes.len();
        Ok(Answers {
            columns: probes.len(),
            items,
            named: Arc::new(named.collect()),
            there: Coverage::new(questions),
            places: if questions <= IN_MEMORY {
                Places::Memory(vec![0; questions])
            } else {
                Places::File(Arc::new(tempfile::tempfile()?))
            },
            logs: Vec::new(),
        })
    }

    /// Reads what the log of the run has more than when it was read last. False where it has less: another run lies there now.
    pub fn grow(&mut self, run: &Path) -> io::Result<bool> {
        let files = log_files(run).map_err(io::Error::other)?;
        for (known, read) in &self.logs {
            let length = fs::metadata(known).map_or(0, |data| data.len());
            if length < *read {
                return Ok(false);
            }
        }
        for path in files {
            let file = match self.logs.iter().position(|(known, _)| *known == path) {
                Some(file) => file,
                None => {
                    self.logs.push((path, 0));
                    self.logs.len() - 1
                }
            };
            self.read(file)?;
        }
        Ok(true)
    }

    /// Whether the log has more, or less, than was read.
    pub fn is_behind(&self, run: &Path) -> io::Result<bool> {
        let files = log_files(run).map_err(io::Error::other)?;
        let known = |path: &PathBuf| {
            let length = fs::metadata(path).map_or(0, |data| data.len());
            self.logs
                .iter()
                .any(|(known, read)| known == path && *read == length)
        };
        Ok(files.len() != self.logs.len() || !files.iter().all(known))
    }

    fn read(&mut self, file: usize) -> io::Result<()> {
        let (path, start) = self.logs[file].clone();
        // Most lines follow one of the same column.
        let mut last: Option<(usize, [String; 3])> = None;
        let mut batch: Vec<(usize, u64)> = Vec::new();
        let end = each_line(&path, start, |offset, line| {
            let Ok(line) = serde_json::from_slice::<LogLine<'_>>(line) else {
                return Ok(());
            };
            let same = last.as_ref().filter(|(_, [system, unit, scorer])| {
                *system == line.system && *unit == line.unit && *scorer == line.scorer
            });
            let column = match same {
                Some((column, _)) => *column,
                None => {
                    let key = [line.system, line.unit, line.scorer].map(Cow::into_owned);
                    let Some(column) = self.named.get(&key).copied() else {
                        return Ok(());
                    };
                    last = Some((column, key));
                    column
                }
            };
            let item = usize::try_from(line.item).ok();
            let item = item.and_then(|item| item.checked_sub(1));
            if let Some(item) = item.filter(|item| *item < self.items) {
                let question = item * self.columns + column;
                if self.there.insert(question) {
                    batch.push((question, ((file as u64) << OFFSET_BITS) | offset));
                }
            }
            if batch.len() >= BATCH {
                self.places.keep(&mut batch)?;
            }
            Ok(())
        })?;
        self.places.keep(&mut batch)?;
        self.logs[file].1 = end;
        Ok(())
    }

    /// How many questions have their answer.
    pub fn count(&self) -> u64 {
        self.there.count()
    }

    pub fn has(&self, item: usize, column: usize) -> bool {
        self.there.has(item * self.columns + column)
    }

    /// The line of an answer; none where there is none.
    pub fn line(&self, item: usize, column: usize) -> io::Result<Option<Vec<u8>>> {
        if !self.has(item, column) {
            return Ok(None);
        }
        let place = self.places.get(item * self.columns + column)?;
        let file = usize::try_from(place >> OFFSET_BITS).unwrap_or(usize::MAX);
        let (path, _) = &self.logs[file];
        line_at(path, place & ((1 << OFFSET_BITS) - 1)).map(Some)
    }
}

impl Places {
    fn get(&self, question: usize) -> io::Result<u64> {
        match self {
            Places::Memory(places) => Ok(places[question]),
            Places::File(file) => {
                let mut bytes = [0; WIDTH as usize];
                read_at(file, question as u64 * WIDTH, &mut bytes)?;
                Ok(u64::from_le_bytes(bytes))
            }
        }
    }

    /// Takes the places of a batch, and empties it.
    fn keep(&mut self, batch: &mut Vec<(usize, u64)>) -> io::Result<()> {
        match self {
            Places::Memory(places) => {
                for (question, place) in batch.drain(..) {
                    places[question] = place;
                }
            }
            Places::File(file) => {
                // Logs are mostly in order: neighbours are written together.
                batch.sort_unstable();
                for run in batch.chunk_by(|a, b| a.0 + 1 == b.0) {
                    let bytes = run.iter().flat_map(|(_, place)| place.to_le_bytes());
                    write_at(file, run[0].0 as u64 * WIDTH, &bytes.collect::<Vec<u8>>())?;
                }
                batch.clear();
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(item: usize, unit: &str) -> String {
        format!(
            "{{\"key\":\"k\",\"item\":{item},\"system\":\"s\",\"unit\":\"{unit}\",\"scorer\":\"translate\",\"answer\":\"{item} {unit}\"}}\n"
        )
    }

    /// In memory and in a file: what is added is found, what is repeated is not counted, half a line waits for its end.
    #[test]
    fn a_log_is_followed_as_it_grows() {
        let directory = tempfile::tempdir().unwrap();
        let log = directory.path().join("log.jsonl");
        for room in [0, 1000] {
            let named = ["lang:sk", "lang:cs"].into_iter().enumerate();
            let named =
                named.map(|(column, unit)| (["s", unit, "translate"].map(str::to_owned), column));
            let mut answers = Answers {
                columns: 2,
                items: 100,
                named: Arc::new(named.collect()),
                there: Coverage::new(200),
                places: match room {
                    0 => Places::File(Arc::new(tempfile::tempfile().unwrap())),
                    _ => Places::Memory(vec![0; 200]),
                },
                logs: Vec::new(),
            };
            let mut text: String = (1..=90).rev().map(|item| line(item, "lang:sk")).collect();
            fs::write(&log, &text).unwrap();
            assert!(answers.grow(directory.path()).unwrap());
            assert_eq!(answers.count(), 90);
            // Repeated lines, lines of nobody, and half a line.
            text += &line(7, "lang:sk");
            text += &line(7, "lang:pl");
            text += &line(101, "lang:sk");
            let next = line(7, "lang:cs");
            fs::write(&log, format!("{text}{}", &next[..20])).unwrap();
            assert!(answers.grow(directory.path()).unwrap());
            assert_eq!(answers.count(), 90);
            assert!(!answers.has(6, 1) && answers.line(6, 1).unwrap().is_none());
            fs::write(&log, format!("{text}{next}")).unwrap();
            let before = answers.clone();
            assert!(answers.grow(directory.path()).unwrap());
            assert_eq!((before.count(), answers.count()), (90, 91));
            for (item, column, unit) in [(6, 0, "lang:sk"), (6, 1, "lang:cs"), (89, 0, "lang:sk")] {
                let found = answers.line(item, column).unwrap().unwrap();
                assert_eq!(String::from_utf8(found).unwrap(), line(item + 1, unit));
            }
            // A shorter log is another run's.
            fs::write(&log, line(1, "lang:sk")).unwrap();
            assert!(!answers.grow(directory.path()).unwrap());
        }
    }
}
