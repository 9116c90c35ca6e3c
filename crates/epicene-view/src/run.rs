//! One run directory as the viewer sees it: its manifest and stored measures at once, its items through an index that is made
//! in the background.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, RwLock};
use std::time::{Duration, Instant};

use epicene_bench::{Benchmark, Given};
use epicene_core::{Outcome, Verdict};
use epicene_pipeline::JudgedRun;
use epicene_report::{AnswerCell, Shown};
use epicene_run::{Manifest, RunDirectory, Sums, read_observation};
use serde::Serialize;
use serde_json::{Value, json};

use crate::index::{Index, each_line, read_item};
use crate::pages;
use crate::query::{Query, Window};
use crate::verdicts::{STORED_FROM, Store};

/// Verdicts read in one go when a whole column is looked through.
const BLOCK: usize = 1 << 16;
/// Values of a label that are offered as a choice.
const CHOICES: usize = 400;
/// Results of queries that are remembered.
const REMEMBERED: usize = 4;
/// Bytes of a log that are read for the first page, before there is an index.
const FIRST_BYTES: u64 = 1 << 20;

/// Directories among the given ones, or inside them, that hold runs; by their paths.
pub fn find_runs(given: &[PathBuf]) -> Vec<PathBuf> {
    let is_run = |path: &Path| path.join("manifest.json").is_file();
    let mut found = BTreeSet::new();
    let mut waiting: Vec<(PathBuf, usize)> = given.iter().map(|path| (path.clone(), 0)).collect();
    while let Some((path, depth)) = waiting.pop() {
        if is_run(&path) {
            found.insert(path);
        } else if depth < 3 {
            let entries = fs::read_dir(&path).into_iter().flatten().flatten();
            // Links are not followed: what is shown lies below what was named.
            let inside = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
            waiting.extend(inside.map(|entry| (entry.path(), depth + 1)));
        }
    }
    found.into_iter().collect()
}

pub struct ViewedRun {
    pub path: PathBuf,
    pub name: String,
    pub manifest: Manifest,
    pub benchmark: &'static dyn Benchmark,
    pub columns: Vec<(String, String)>,
    ready: RwLock<State>,
    counted: Mutex<Counted>,
    remembered: Mutex<Vec<(Query, Arc<Vec<u32>>)>>,
}

/// How far the background is.
#[derive(Default)]
enum State {
    #[default]
    Waiting,
    Broken(String),
    Ready(Arc<Ready>),
}

/// What the background made.
struct Ready {
    /// Bytes of the log when it was read, and when it may be read again.
    bytes: u64,
    again: Instant,
    index: Index,
    /// None where the run is too large to be judged here and was never measured.
    verdicts: Option<Store>,
    letters: BTreeSet<char>,
    outcomes: BTreeSet<&'static str>,
}

/// Lines of the log that were counted already, file by file.
#[derive(Default)]
struct Counted {
    files: Vec<(PathBuf, u64, u64)>,
}

#[derive(Serialize)]
pub struct Progress {
    place: usize,
    answered: u64,
    questions: u64,
    busy: bool,
    words: String,
}

#[derive(Debug, Serialize)]
pub struct ItemRow {
    id: String,
    text: String,
    labels: Vec<(String, String)>,
    cells: Vec<Cell>,
}

#[derive(Debug, Default, Serialize)]
struct Cell {
    letter: String,
    words: String,
    outcome: String,
    rule: String,
    text: Option<String>,
    number: Option<f64>,
}

/// Why something cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum ViewError {
    #[error("{0}")]
    Wrong(String),
    #[error("still reading this run; try again in a moment")]
    NotReady,
    #[error("{0}")]
    Unreadable(String),
}

impl From<io::Error> for ViewError {
    fn from(error: io::Error) -> ViewError {
        ViewError::Unreadable(error.to_string())
    }
}

impl ViewedRun {
    pub fn open(path: &Path) -> Result<ViewedRun, String> {
        let manifest_path = path.join("manifest.json");
        let text = fs::read_to_string(&manifest_path)
            .map_err(|error| format!("{}: {error}", manifest_path.display()))?;
        let manifest = Manifest::parse(&text, &manifest_path).map_err(|error| error.to_string())?;
        let benchmark =
            epicene_pipeline::benchmark(&manifest.benchmark).map_err(|error| error.to_string())?;
        let column = |probe: epicene_run::Probe| {
            let system = manifest.systems[probe.system].card.name.clone();
            (system, probe.unit.to_string())
        };
        let columns = manifest.probes().into_iter().map(column).collect();
        Ok(ViewedRun {
            name: pages::name(path),
            path: path.to_owned(),
            columns,
            manifest,
            benchmark,
            ready: RwLock::default(),
            counted: Mutex::default(),
            remembered: Mutex::default(),
        })
    }

    /// Reads everything through, if it was not or if answers have come since; called in the background again and again.
    pub fn prepare(&self) {
        if !self.is_stale() {
            return;
        }
        let state = match self.read() {
            Ok(ready) => State::Ready(Arc::new(ready)),
            Err(error) => State::Broken(error.to_string()),
        };
        *self
            .ready
            .write()
            .unwrap_or_else(|broken| broken.into_inner()) = state;
        let remembered = self.remembered.lock();
        remembered
            .unwrap_or_else(|broken| broken.into_inner())
            .clear();
    }

    fn is_stale(&self) -> bool {
        match &*self
            .ready
            .read()
            .unwrap_or_else(|broken| broken.into_inner())
        {
            State::Waiting => true,
            State::Broken(_) => false,
            State::Ready(ready) => Instant::now() > ready.again && ready.bytes != self.log_bytes(),
        }
    }

    fn log_bytes(&self) -> u64 {
        let files = self.log_files().unwrap_or_default();
        let bytes = files.iter().filter_map(|path| fs::metadata(path).ok());
        bytes.map(|data| data.len()).sum()
    }

    fn read(&self) -> Result<Ready, ViewError> {
        let start = Instant::now();
        let bytes = self.log_bytes();
        let logs = self.log_files()?;
        let index = Index::build(&self.path, logs, &self.manifest, Some(self.benchmark))?;
        let (items, columns) = (index.len(), self.columns.len());
        let verdicts = if items * columns < STORED_FROM {
            self.judged()
        } else {
            Store::open(&self.path.join("verdicts.bin"), items, columns)
        };
        let (mut letters, mut outcomes) = (BTreeSet::new(), BTreeSet::new());
        for column in 0..columns {
            let Some(store) = &verdicts else { break };
            for first in (0..items).step_by(BLOCK) {
                for record in store.column(column, first, BLOCK)? {
                    letters.insert(record.letter());
                    outcomes.extend(record.outcome().map(Outcome::name));
                }
            }
        }
        // A run that grows is read again, for a tenth of the time at most.
        let pause = (start.elapsed() * 10).max(Duration::from_secs(5));
        Ok(Ready {
            bytes,
            again: Instant::now() + pause,
            index,
            verdicts,
            letters,
            outcomes,
        })
    }

    /// The verdicts of a small run, as every other command judges it; none where its log cannot be read.
    fn judged(&self) -> Option<Store> {
        let directory = RunDirectory::open(&self.path).ok()?;
        let judged = JudgedRun::open(&directory, &Given::default()).ok()?;
        Some(Store::in_memory(&judged))
    }

    fn log_files(&self) -> io::Result<Vec<PathBuf>> {
        let lines = self.path.join("log.jsonl");
        let mut files: Vec<PathBuf> = lines.is_file().then_some(lines).into_iter().collect();
        let mut segments: Vec<PathBuf> = fs::read_dir(self.path.join("log"))
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|end| end == "jsonl"))
            .collect();
        segments.sort();
        files.extend(segments);
        Ok(files)
    }

    fn ready(&self) -> Result<Arc<Ready>, ViewError> {
        match &*self
            .ready
            .read()
            .unwrap_or_else(|broken| broken.into_inner())
        {
            State::Waiting => Err(ViewError::NotReady),
            State::Broken(message) => Err(ViewError::Unreadable(message.clone())),
            State::Ready(ready) => Ok(ready.clone()),
        }
    }

    /// What the page's script needs to know of it.
    pub fn head(&self, place: usize) -> Value {
        let ready = self.ready();
        let note = match &ready {
            Err(ViewError::NotReady) => {
                "Still reading this run: filters and the exact number come in a moment.".to_owned()
            }
            Err(error) => format!("This run cannot be read: {error}."),
            Ok(ready) if ready.verdicts.is_none() => {
                "Too large to be judged here: verdicts are shown once `epicene run` has measured it.".to_owned()
            }
            Ok(_) => String::new(),
        };
        let waiting = matches!(ready, Err(ViewError::NotReady));
        let ready = ready.ok();
        let total = match &ready {
            Some(ready) => ready.index.len(),
            None => self.about_how_many(),
        };
        let labels = ready.iter().flat_map(|ready| &ready.index.labels);
        let labels: Vec<Value> = labels
            .filter(|label| label.values.len() <= CHOICES)
            .map(|label| json!({ "name": label.name, "values": label.values }))
            .collect();
        json!({
            "place": place,
            "run": self.name,
            "benchmark": self.manifest.benchmark,
            "columns": self.columns,
            "total": total,
            "here": total,
            "letters": ready.as_ref().map(|ready| &ready.letters),
            "outcomes": ready.as_ref().map(|ready| &ready.outcomes),
            "labels": labels,
            "note": note,
            "ready": !waiting,
        })
    }

    /// The number of items by the length of their file, until they are counted.
    fn about_how_many(&self) -> usize {
        let sample = self.first_lines(&self.path.join("items.jsonl"));
        let length = fs::metadata(self.path.join("items.jsonl")).map_or(0, |data| data.len());
        let Ok(sample) = sample else { return 0 };
        let bytes: usize = sample.iter().map(Vec::len).sum();
        match bytes {
            0 => 0,
            bytes => (length as f64 / bytes as f64 * sample.len() as f64).round() as usize,
        }
    }

    fn first_lines(&self, path: &Path) -> io::Result<Vec<Vec<u8>>> {
        let mut bytes = Vec::new();
        fs::File::open(path)?
            .take(FIRST_BYTES)
            .read_to_end(&mut bytes)?;
        let whole = bytes
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |end| end + 1);
        Ok(bytes[..whole]
            .split_inclusive(|byte| *byte == b'\n')
            .map(<[u8]>::to_vec)
            .collect())
    }

    /// How far it is, by the lines of its log: only what is new is read.
    pub fn progress(&self, place: usize) -> Progress {
        let answered = self.count_answers().unwrap_or(0);
        let items = match self.ready() {
            Ok(ready) => ready.index.len(),
            Err(_) => self.about_how_many(),
        };
        let probes = self.manifest.asked_probes().len();
        let mut questions = (items * probes) as u64;
        if let Ok(Some(shard)) = self.manifest.shard() {
            questions = ((0..items).filter(|item| shard.has(*item)).count() * probes) as u64;
        }
        let busy = fs::File::open(self.path.join("lock"))
            .is_ok_and(|file| matches!(file.try_lock(), Err(fs::TryLockError::WouldBlock)));
        let percent = match questions {
            0 => 0.0,
            _ => (answered as f64 / questions as f64 * 1000.0).floor() / 10.0,
        };
        let state = match (busy, answered >= questions && questions > 0) {
            (true, _) => ", being asked",
            (false, true) => ", complete",
            (false, false) => ", not complete",
        };
        Progress {
            place,
            answered,
            questions,
            busy,
            words: format!("{answered} of {questions} answers ({percent} %){state}"),
        }
    }

    /// Lines of its log.
    pub fn answers(&self) -> u64 {
        self.count_answers().unwrap_or(0)
    }

    fn count_answers(&self) -> io::Result<u64> {
        let mut counted = self
            .counted
            .lock()
            .unwrap_or_else(|broken| broken.into_inner());
        for path in self.log_files()? {
            let at = counted.files.iter().position(|(known, ..)| *known == path);
            let at = at.unwrap_or_else(|| {
                counted.files.push((path.clone(), 0, 0));
                counted.files.len() - 1
            });
            let (_, read, lines) = &mut counted.files[at];
            let length = fs::metadata(&path)?.len();
            if length < *read {
                (*read, *lines) = (0, 0);
            }
            let mut file = fs::File::open(&path)?;
            file.seek(SeekFrom::Start(*read))?;
            let mut buffer = vec![0; 1 << 18];
            loop {
                let bytes = file.read(&mut buffer)?;
                if bytes == 0 {
                    break;
                }
                *read += bytes as u64;
                *lines += buffer[..bytes]
                    .iter()
                    .filter(|byte| **byte == b'\n')
                    .count() as u64;
            }
        }
        Ok(counted.files.iter().map(|(_, _, lines)| lines).sum())
    }

    /// How many items fit, of how many.
    pub fn count(&self, query: &Query) -> Result<(usize, usize), ViewError> {
        if query.is_open() && self.ready().is_err() {
            let about = self.about_how_many();
            return Ok((about, about));
        }
        let ready = self.ready()?;
        let fits = if query.is_open() {
            ready.index.len()
        } else {
            self.matching(query)?.len()
        };
        Ok((fits, ready.index.len()))
    }

    /// A page of the items that fit.
    pub fn items(&self, query: &Query, window: Window) -> Result<Vec<ItemRow>, ViewError> {
        let Ok(ready) = self.ready() else {
            return match self.ready() {
                Err(ViewError::NotReady) if query.is_open() => self.first_items(window),
                Err(error) => Err(error),
                Ok(_) => Err(ViewError::NotReady),
            };
        };
        let end = window.from.saturating_add(window.count);
        let places: Vec<usize> = if query.is_open() {
            (window.from..end.min(ready.index.len())).collect()
        } else {
            let all = self.matching(query)?;
            let from = window.from.min(all.len());
            let page = &all[from..end.min(all.len())];
            page.iter().map(|item| *item as usize).collect()
        };
        places
            .into_iter()
            .map(|item| self.item(&ready, item))
            .collect()
    }

    /// The first items with the answers that stand at the beginning of the log, before there is an index.
    fn first_items(&self, window: Window) -> Result<Vec<ItemRow>, ViewError> {
        let lines = self.first_lines(&self.path.join("items.jsonl"))?;
        let mut rows = Vec::new();
        for line in lines.iter().skip(window.from).take(window.count) {
            rows.push(self.row(line)?);
        }
        let sums = self.manifest.sums();
        if let Some(file) = self.log_files()?.first() {
            for line in self.first_lines(file)? {
                let Ok(observation) = read_observation(&line, sums) else {
                    continue;
                };
                let item =
                    usize::try_from(observation.item.saturating_sub(1)).unwrap_or(usize::MAX);
                let column = self.columns.iter().position(|(system, unit)| {
                    *system == observation.system && *unit == observation.unit
                });
                let row = item
                    .checked_sub(window.from)
                    .and_then(|place| rows.get_mut(place));
                if let (Some(row), Some(column)) = (row, column) {
                    row.cells[column] = Cell::of(&observation.answer, None, "");
                }
            }
        }
        Ok(rows)
    }

    fn row(&self, line: &[u8]) -> Result<ItemRow, ViewError> {
        let item = read_item(line, Some(self.benchmark))?;
        let labels = item.labels.keys().map(|name| {
            let value = item.labels.get(name).unwrap_or("");
            (name.to_owned(), value.to_owned())
        });
        Ok(ItemRow {
            labels: labels.collect(),
            cells: self.columns.iter().map(|_| Cell::none()).collect(),
            id: item.id,
            text: item.text,
        })
    }

    fn item(&self, ready: &Ready, item: usize) -> Result<ItemRow, ViewError> {
        let mut row = self.row(&ready.index.item_line(&self.path, item)?)?;
        let sums: Sums = self.manifest.sums();
        for column in 0..self.columns.len() {
            let Some(line) = ready.index.answer_line(item, column)? else {
                continue;
            };
            // A line that was changed is an error that says so, never an answer.
            let observation = read_observation(&line, sums).map_err(|message| {
                ViewError::Unreadable(format!("item {}: {message}", item + 1))
            })?;
            let record = match &ready.verdicts {
                Some(store) => store.column(column, item, 1)?.first().copied(),
                None => None,
            };
            let verdict = record.and_then(|record| {
                let mut verdict = Verdict::new(record.finding()?, "");
                verdict.outcome = record.outcome();
                verdict.evidence = record.evidence().into();
                Some(verdict)
            });
            let rule = match (&ready.verdicts, record) {
                (Some(store), Some(record)) => store.rule(record),
                _ => "",
            };
            row.cells[column] = Cell::of(&observation.answer, verdict, rule);
        }
        Ok(row)
    }

    /// The items that fit a query, in their order; the last few results are remembered.
    fn matching(&self, query: &Query) -> Result<Arc<Vec<u32>>, ViewError> {
        let remembered = || {
            self.remembered
                .lock()
                .unwrap_or_else(|broken| broken.into_inner())
        };
        if let Some((_, found)) = remembered().iter().find(|(known, _)| known == query) {
            return Ok(found.clone());
        }
        let found = Arc::new(self.search(query)?);
        let mut remembered = remembered();
        remembered.insert(0, (query.clone(), found.clone()));
        remembered.truncate(REMEMBERED);
        Ok(found)
    }

    fn chosen(&self, query: &Query, system: &str) -> Vec<usize> {
        let fits = |(_, (name, unit)): &(usize, &(String, String))| {
            (system.is_empty() || name == system) && (query.unit.is_empty() || *unit == query.unit)
        };
        self.columns
            .iter()
            .enumerate()
            .filter(fits)
            .map(|(column, _)| column)
            .collect()
    }

    fn search(&self, query: &Query) -> Result<Vec<u32>, ViewError> {
        let ready = self.ready()?;
        let index = &ready.index;
        let mut labels = Vec::new();
        for (name, value) in &query.labels {
            let found = index.label(name, value);
            labels.push(
                found.ok_or_else(|| ViewError::Wrong("no item has such a label".to_owned()))?,
            );
        }
        let own = self.chosen(query, &query.system);
        let versus = match query.versus.as_str() {
            "" => Vec::new(),
            versus => self.chosen(query, versus),
        };
        let judged = !query.verdict.is_empty() || !query.outcome.is_empty() || query.differ;
        if judged && ready.verdicts.is_none() {
            return Err(ViewError::Wrong("this run has no verdicts yet".to_owned()));
        }
        let words = match query.words.as_str() {
            "" => None,
            words => Some(self.with_words(words, &[own.clone(), versus.clone()].concat())?),
        };
        let asked = !query.system.is_empty() || !query.unit.is_empty();
        let mut found = Vec::new();
        for first in (0..index.len()).step_by(BLOCK) {
            let end = (first + BLOCK).min(index.len());
            let mut letters: Vec<Vec<crate::verdicts::Record>> = Vec::new();
            if let (true, Some(store)) = (judged, &ready.verdicts) {
                for column in 0..self.columns.len() {
                    letters.push(store.column(column, first, end - first)?);
                }
            }
            for item in first..end {
                let answered = |columns: &[usize]| {
                    columns
                        .iter()
                        .any(|column| index.is_answered(item, *column))
                };
                let record = |column: usize| letters[column][item - first];
                let wanted = |column: &usize| {
                    let record = record(*column);
                    (query.verdict.is_empty() || query.verdict.contains(record.letter()))
                        && (query.outcome.is_empty()
                            || record.outcome().is_some_and(|o| o.name() == query.outcome))
                };
                let shown = own.iter().chain(&versus);
                let fits = labels
                    .iter()
                    .all(|(label, code)| index.has(label, *code, item))
                    && (!asked || answered(&own) || (!versus.is_empty() && answered(&versus)))
                    && (versus.is_empty() || (answered(&own) && answered(&versus)))
                    && (query.verdict.is_empty() && query.outcome.is_empty()
                        || shown.clone().any(wanted))
                    && (!query.differ || self.differ(query, &own, &versus, &record))
                    && words
                        .as_ref()
                        .is_none_or(|words| words.contains(&(item as u32)));
                if fits {
                    found.push(item as u32);
                }
            }
        }
        Ok(found)
    }

    /// Whether the systems (of the unit, if one is chosen) have different verdicts.
    fn differ(
        &self,
        query: &Query,
        own: &[usize],
        versus: &[usize],
        record: &dyn Fn(usize) -> crate::verdicts::Record,
    ) -> bool {
        let every = match (versus.is_empty(), query.unit.is_empty()) {
            (false, _) => [own, versus].concat(),
            (true, false) => self.chosen(query, ""),
            (true, true) => own.to_vec(),
        };
        let letters: BTreeSet<char> = every
            .into_iter()
            .map(|column| record(column).letter())
            .collect();
        letters.len() > 1
    }

    /// Items whose id, text or answer in these columns holds the words.
    fn with_words(&self, words: &str, columns: &[usize]) -> Result<BTreeSet<u32>, ViewError> {
        let mut found = BTreeSet::new();
        let mut place = 0;
        each_line(&self.path.join("items.jsonl"), |_, line| {
            let item: epicene_core::Item = serde_json::from_slice(line)?;
            if item.text.to_lowercase().contains(words) || item.id.to_lowercase().contains(words) {
                found.insert(place);
            }
            place += 1;
            Ok(())
        })?;
        let sums = self.manifest.sums();
        for file in self.log_files()? {
            each_line(&file, |_, line| {
                let Ok(observation) = read_observation(line, sums) else {
                    return Ok(());
                };
                let of = |column: &usize| {
                    let (system, unit) = &self.columns[*column];
                    *system == observation.system && *unit == observation.unit
                };
                let text = observation.answer.text();
                let holds = text.is_some_and(|text| text.to_lowercase().contains(words));
                if holds && columns.iter().any(of) {
                    found.insert(
                        u32::try_from(observation.item.saturating_sub(1)).unwrap_or(u32::MAX),
                    );
                }
                Ok(())
            })?;
        }
        Ok(found)
    }
}

impl Cell {
    fn none() -> Cell {
        Cell {
            letter: ".".to_owned(),
            words: "no answer".to_owned(),
            ..Cell::default()
        }
    }

    fn of(answer: &epicene_core::Answer, verdict: Option<Verdict>, rule: &str) -> Cell {
        let evidence = verdict
            .as_ref()
            .map_or(&[][..], |verdict| &verdict.evidence);
        let shown = pages::shown(answer, evidence);
        let mut cell = match verdict {
            Some(verdict) => {
                let cell = AnswerCell {
                    verdict,
                    shown: Shown::Nothing,
                };
                Cell {
                    letter: cell.letter().to_string(),
                    words: cell.words().to_owned(),
                    outcome: cell.outcome().to_owned(),
                    rule: rule.to_owned(),
                    ..Cell::default()
                }
            }
            None => Cell {
                letter: "u".to_owned(),
                words: "not judged yet".to_owned(),
                ..Cell::default()
            },
        };
        match shown {
            Shown::Text(text) => cell.text = Some(text),
            Shown::Number(number) => cell.number = Some(number),
            Shown::Nothing => {}
        }
        cell
    }
}
