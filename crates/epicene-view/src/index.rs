//! Where everything is in a run's files: the byte of every item and of every answer, and a number for every label. Made once,
//! in the background, by reading each file through; after that any page is a few reads.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use epicene_bench::Benchmark;
use epicene_core::{Item, Items};
use epicene_run::Manifest;
use serde::Deserialize;

/// No such label, no such answer.
const NO_LABEL: u16 = u16::MAX;
const NO_ANSWER: u64 = u64::MAX;
/// Labels with more values than this are text, not a choice.
const VALUES: usize = 4000;
/// Bits of an answer's place that say where in its file it is; the others say in which file.
const OFFSET_BITS: u32 = 44;

#[derive(Debug, Default)]
pub struct Index {
    items: Vec<u64>,
    /// For each column, the place of every answer.
    answers: Vec<Vec<u64>>,
    pub labels: Vec<LabelIndex>,
    logs: Vec<PathBuf>,
}

#[derive(Debug)]
pub struct LabelIndex {
    pub name: String,
    pub values: Vec<String>,
    codes: Vec<u16>,
}

/// What the index needs of a line of the log.
#[derive(Deserialize)]
struct Line<'a> {
    item: u64,
    #[serde(borrow)]
    system: Cow<'a, str>,
    #[serde(borrow)]
    unit: Cow<'a, str>,
    #[serde(borrow)]
    scorer: Cow<'a, str>,
}

impl Index {
    pub fn build(
        run: &Path,
        logs: Vec<PathBuf>,
        manifest: &Manifest,
        benchmark: Option<&dyn Benchmark>,
    ) -> io::Result<Index> {
        let mut index = Index {
            logs,
            ..Index::default()
        };
        index.read_items(&run.join("items.jsonl"), benchmark)?;
        let probes = manifest.probes();
        index.answers = vec![vec![NO_ANSWER; index.items.len()]; probes.len()];
        let mut places: BTreeMap<(String, String, String), usize> = BTreeMap::new();
        for (column, probe) in probes.iter().enumerate() {
            let system = manifest.systems[probe.system].card.name.clone();
            let key = (
                system,
                probe.unit.to_string(),
                probe.scorer.name().to_owned(),
            );
            places.insert(key, column);
        }
        for (file, path) in index.logs.clone().iter().enumerate() {
            index.read_log(file, path, &places)?;
        }
        Ok(index)
    }

    fn read_items(&mut self, path: &Path, benchmark: Option<&dyn Benchmark>) -> io::Result<()> {
        let mut labels: BTreeMap<String, (BTreeMap<String, u16>, Vec<u16>)> = BTreeMap::new();
        each_line(path, |offset, line| {
            let item = read_item(line, benchmark)?;
            let place = self.items.len();
            self.items.push(offset);
            for name in item.labels.keys() {
                let value = item.labels.get(name).unwrap_or("");
                let known = labels.entry(name.to_owned()).or_default();
                let next = known.0.len();
                if next > VALUES && !known.0.contains_key(value) {
                    continue;
                }
                let code = *known.0.entry(value.to_owned()).or_insert(next as u16);
                known.1.resize(place, NO_LABEL);
                known.1.push(code);
            }
            Ok(())
        })?;
        self.items.shrink_to_fit();
        for (name, (values, mut codes)) in labels {
            if values.len() > VALUES {
                continue;
            }
            codes.resize(self.items.len(), NO_LABEL);
            codes.shrink_to_fit();
            let mut named: Vec<(u16, String)> = values
                .into_iter()
                .map(|(value, code)| (code, value))
                .collect();
            named.sort_unstable();
            self.labels.push(LabelIndex {
                name,
                values: named.into_iter().map(|(_, value)| value).collect(),
                codes,
            });
        }
        Ok(())
    }

    fn read_log(
        &mut self,
        file: usize,
        path: &Path,
        places: &BTreeMap<(String, String, String), usize>,
    ) -> io::Result<()> {
        // Most lines follow one of the same column.
        let mut last: Option<(usize, [String; 3])> = None;
        each_line(path, |offset, line| {
            let Ok(line) = serde_json::from_slice::<Line<'_>>(line) else {
                return Ok(());
            };
            let same = last.as_ref().filter(|(_, [system, unit, scorer])| {
                *system == line.system && *unit == line.unit && *scorer == line.scorer
            });
            let column = match same {
                Some((column, _)) => *column,
                None => {
                    let key = [
                        line.system.into_owned(),
                        line.unit.into_owned(),
                        line.scorer.into_owned(),
                    ];
                    let [system, unit, scorer] = key.clone();
                    let Some(column) = places.get(&(system, unit, scorer)) else {
                        return Ok(());
                    };
                    last = Some((*column, key));
                    *column
                }
            };
            let item = usize::try_from(line.item.saturating_sub(1)).unwrap_or(usize::MAX);
            if let Some(place) = self.answers[column].get_mut(item) {
                *place = ((file as u64) << OFFSET_BITS) | offset;
            }
            Ok(())
        })
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether an item has a label with this value.
    pub fn has(&self, label: &LabelIndex, code: u16, item: usize) -> bool {
        label.codes.get(item) == Some(&code)
    }

    pub fn label(&self, name: &str, value: &str) -> Option<(&LabelIndex, u16)> {
        let label = self.labels.iter().find(|label| label.name == name)?;
        let code = label.values.iter().position(|known| known == value)?;
        Some((label, u16::try_from(code).ok()?))
    }

    pub fn is_answered(&self, item: usize, column: usize) -> bool {
        self.answers[column][item] != NO_ANSWER
    }

    /// The line of an item.
    pub fn item_line(&self, run: &Path, item: usize) -> io::Result<Vec<u8>> {
        line_at(&run.join("items.jsonl"), self.items[item])
    }

    /// The line of an answer; none where there is none.
    pub fn answer_line(&self, item: usize, column: usize) -> io::Result<Option<Vec<u8>>> {
        let place = self.answers[column][item];
        if place == NO_ANSWER {
            return Ok(None);
        }
        let file = &self.logs[usize::try_from(place >> OFFSET_BITS).unwrap_or(usize::MAX)];
        line_at(file, place & ((1 << OFFSET_BITS) - 1)).map(Some)
    }
}

/// An item with the labels that rows know it by.
pub fn read_item(line: &[u8], benchmark: Option<&dyn Benchmark>) -> io::Result<Item> {
    let mut item: Item = serde_json::from_slice(line)?;
    if let Some(benchmark) = benchmark {
        let mut alone = Items::default();
        alone.push(&item);
        for (name, value) in benchmark.facets(alone.get(0)) {
            item.labels.insert(name, &value);
        }
    }
    Ok(item)
}

/// The whole lines of a file with where each begins.
pub fn each_line(path: &Path, mut see: impl FnMut(u64, &[u8]) -> io::Result<()>) -> io::Result<()> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    let mut reader = BufReader::with_capacity(1 << 18, file);
    let mut offset = 0;
    let mut line = Vec::new();
    loop {
        line.clear();
        let bytes = epicene_io::input::read_line(&mut reader, &mut line)?;
        if bytes == 0 || line.last() != Some(&b'\n') {
            return Ok(());
        }
        see(offset, &line)?;
        offset += bytes as u64;
    }
}

fn line_at(path: &Path, offset: u64) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(offset))?;
    let mut line = Vec::new();
    let mut reader = BufReader::with_capacity(1 << 12, file);
    reader.read_until(b'\n', &mut line)?;
    Ok(line)
}
