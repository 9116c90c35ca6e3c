//! One run directory as the viewer sees it: its manifest and stored measures at once; its items, answers and verdicts once the
//! background has read them, and again when there are more.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant, SystemTime};

use epicene_bench::{Benchmark, Given};
use epicene_core::Outcome;
use epicene_io::limits::LARGEST_TEXT;
use epicene_io::regular;
use epicene_pipeline::JudgedRun;
use epicene_run::{Manifest, RunDirectory};
use serde::Serialize;
use serde_json::{Value, json};

use crate::answers::Answers;
use crate::index::ItemIndex;
use crate::pages;
use crate::query::Query;
use crate::verdicts::{FILE, SPANS, STORED_FROM, Store};

/// Verdicts read in one go when a whole column is looked through.
pub const BLOCK: usize = 1 << 16;
/// Values of a label that are offered as a choice.
const CHOICES: usize = 400;
/// Bytes of a file that are read for the first page, before there is an index.
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
    manifest_stamp: Stamp,
    pub benchmark: &'static dyn Benchmark,
    /// System and unit of every column.
    pub columns: Vec<(String, String)>,
    state: RwLock<State>,
    /// The items of the last few queries.
    pub(crate) remembered: Mutex<Vec<(Query, Arc<Vec<u32>>)>>,
}

/// How far the background is.
#[derive(Default)]
enum State {
    #[default]
    Waiting,
    /// Why, and the files that were so.
    Broken(String, [Stamp; 3]),
    Ready(Ready),
}

/// What the background made: of one moment, and not changed after it.
#[derive(Clone)]
pub struct Ready {
    stamp: Stamp,
    pub items: Arc<ItemIndex>,
    pub answers: Arc<Answers>,
    pub judged: Arc<Judged>,
}

/// The verdicts on the answers that were there.
pub struct Judged {
    /// None where the run is too large to be judged here and was never measured.
    pub store: Option<Store>,
    letters: BTreeSet<char>,
    outcomes: BTreeSet<&'static str>,
    of: (u64, Stamp),
    /// When it may be made again.
    again: Instant,
}

/// How a file was: its length, and when it was written.
type Stamp = Option<(u64, Option<SystemTime>)>;

fn stamp(path: &Path) -> Stamp {
    let data = fs::metadata(path).ok()?;
    Some((data.len(), data.modified().ok()))
}

#[derive(Serialize)]
pub struct Progress {
    place: usize,
    /// None until the log was read.
    answered: Option<u64>,
    questions: u64,
    busy: bool,
    words: String,
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
        let manifest_stamp = stamp(&manifest_path);
        let text = regular::read_to_string(&manifest_path, LARGEST_TEXT)
            .map_err(|error| format!("{}: {error}", manifest_path.display()))?;
        let manifest = Manifest::parse(&text, &manifest_path).map_err(|error| error.to_string())?;
        let benchmark =
            epicene_pipeline::benchmark(&manifest.benchmark).map_err(|error| error.to_string())?;
        let column = |probe: epicene_run::Probe| {
            let system = manifest.systems[probe.system].card.name.clone();
            (system, probe.ask.unit.to_string())
        };
        let columns = manifest.probes().into_iter().map(column).collect();
        Ok(ViewedRun {
            name: pages::name(path),
            path: path.to_owned(),
            columns,
            manifest,
            manifest_stamp,
            benchmark,
            state: RwLock::default(),
            remembered: Mutex::default(),
        })
    }

    /// Whether the manifest is not the one that was read.
    pub fn manifest_changed(&self) -> bool {
        stamp(&self.path.join("manifest.json")) != self.manifest_stamp
    }

    pub fn items_path(&self) -> PathBuf {
        self.path.join("items.jsonl")
    }

    fn verdicts_path(&self) -> PathBuf {
        self.path.join(FILE)
    }

    /// Reads what was not read yet; called in the background again and again.
    pub fn prepare(&self) {
        let next = match &*self.state.read().unwrap_or_else(PoisonError::into_inner) {
            State::Broken(_, files) if *files == self.files() => return,
            State::Ready(ready) => Some(ready.clone()),
            State::Waiting | State::Broken(..) => None,
        };
        let read = match next {
            Some(ready) => self.follow(ready),
            None => self.read().map(Some),
        };
        let state = match read {
            Ok(None) => return,
            Ok(Some(ready)) => State::Ready(ready),
            Err(error) => State::Broken(error.to_string(), self.files()),
        };
        *self.state.write().unwrap_or_else(PoisonError::into_inner) = state;
        let remembered = self.remembered.lock();
        remembered.unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn files(&self) -> [Stamp; 3] {
        [
            self.items_path(),
            self.path.join("log.jsonl"),
            self.verdicts_path(),
        ]
        .map(|path| stamp(&path))
    }

    fn read(&self) -> Result<Ready, ViewError> {
        let start = Instant::now();
        let stamp = stamp(&self.items_path());
        let items = ItemIndex::build(&self.items_path(), self.benchmark)?;
        let mut answers = Answers::none(&self.manifest, items.len())?;
        answers.grow(&self.path)?;
        let judged = self.judged(items.len(), &answers, start)?;
        Ok(Ready {
            stamp,
            items: Arc::new(items),
            answers: Arc::new(answers),
            judged: Arc::new(judged),
        })
    }

    /// What is new since; none where nothing is.
    fn follow(&self, mut ready: Ready) -> Result<Option<Ready>, ViewError> {
        if stamp(&self.items_path()) != ready.stamp {
            return self.read().map(Some);
        }
        let mut changed = false;
        if ready.answers.is_behind(&self.path)? {
            let mut answers = Answers::clone(&ready.answers);
            if !answers.grow(&self.path)? {
                return self.read().map(Some);
            }
            changed = answers.count() > ready.answers.count();
            ready.answers = Arc::new(answers);
        }
        let now = (ready.answers.count(), stamp(&self.verdicts_path()));
        if ready.judged.of != now && Instant::now() > ready.judged.again {
            let judged = self.judged(ready.items.len(), &ready.answers, Instant::now())?;
            ready.judged = Arc::new(judged);
            changed = true;
        }
        Ok(changed.then_some(ready))
    }

    fn judged(&self, items: usize, answers: &Answers, start: Instant) -> Result<Judged, ViewError> {
        let columns = self.columns.len();
        let of = (answers.count(), stamp(&self.verdicts_path()));
        let store = if self.is_large(items) {
            Store::open(&self.path, items, columns)
        } else {
            self.judge()
        };
        let (mut letters, mut outcomes) = (BTreeSet::new(), BTreeSet::new());
        for column in 0..columns {
            let Some(store) = &store else { break };
            for first in (0..items).step_by(BLOCK) {
                for record in store.column(column, first, BLOCK)? {
                    letters.insert(record.letter());
                    outcomes.extend(record.outcome().map(Outcome::name));
                }
            }
        }
        // A run that grows is judged again, for a tenth of the time at most.
        let pause = (start.elapsed() * 10).max(Duration::from_secs(5));
        Ok(Judged {
            store,
            letters,
            outcomes,
            of,
            again: Instant::now() + pause,
        })
    }

    fn is_large(&self, items: usize) -> bool {
        items * self.columns.len() >= STORED_FROM
    }

    /// The verdicts of a small run, as every other command judges it; none where its log cannot be read.
    fn judge(&self) -> Option<Store> {
        let directory = RunDirectory::open(&self.path).ok()?;
        let judged = JudgedRun::open(&directory, &Given::default()).ok()?;
        Some(Store::in_memory(&judged))
    }

    pub fn ready(&self) -> Result<Ready, ViewError> {
        match &*self.state.read().unwrap_or_else(PoisonError::into_inner) {
            State::Waiting => Err(ViewError::NotReady),
            State::Broken(message, _) => Err(ViewError::Unreadable(message.clone())),
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
            Ok(Ready { judged, .. }) if judged.store.as_ref().is_some_and(Store::is_shortened) => {
                format!(
                    "Of so large a run, {SPANS} deciding words of an answer are marked at most."
                )
            }
            Ok(ready) if ready.judged.store.is_some() => String::new(),
            Ok(ready) if self.is_large(ready.items.len()) => format!(
                "Too large to read here, and there are no stored verdicts by this version: \
                 `epicene report {}` makes them.",
                self.path.display()
            ),
            Ok(_) => format!(
                "No verdicts: the answers cannot be read as they stand, and `epicene report {}` says why.",
                self.path.display()
            ),
        };
        let waiting = matches!(ready, Err(ViewError::NotReady));
        let ready = ready.ok();
        let total = self.how_many();
        let labels = ready.iter().flat_map(|ready| &ready.items.labels);
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
            "letters": ready.as_ref().map(|ready| &ready.judged.letters),
            "outcomes": ready.as_ref().map(|ready| &ready.judged.outcomes),
            "labels": labels,
            "note": note,
            "ready": !waiting,
        })
    }

    /// The number of items; by the length of their file, until they are counted.
    pub fn how_many(&self) -> usize {
        if let Ok(ready) = self.ready() {
            return ready.items.len();
        }
        let sample = first_lines(&self.items_path());
        let length = fs::metadata(self.items_path()).map_or(0, |data| data.len());
        let Ok(sample) = sample else { return 0 };
        let bytes: usize = sample.iter().map(Vec::len).sum();
        match bytes {
            0 => 0,
            bytes => (length as f64 / bytes as f64 * sample.len() as f64).round() as usize,
        }
    }

    fn questions(&self) -> u64 {
        let items = self.how_many();
        let asked = match self.manifest.shard() {
            Ok(Some(shard)) => (0..items).filter(|item| shard.has(*item)).count(),
            _ => items,
        };
        (asked * self.manifest.asked_probes().len()) as u64
    }

    /// Its answers; its questions, until they are counted.
    pub fn answers(&self) -> u64 {
        match self.ready() {
            Ok(ready) => ready.answers.count(),
            Err(_) => self.questions(),
        }
    }

    /// How far it is.
    pub fn progress(&self, place: usize) -> Progress {
        let busy = fs::File::open(self.path.join("lock"))
            .is_ok_and(|file| matches!(file.try_lock(), Err(fs::TryLockError::WouldBlock)));
        let questions = self.questions();
        let ready = self.ready();
        let answered = ready.as_ref().ok().map(|ready| ready.answers.count());
        let words = match (&ready, answered) {
            (Ok(_), Some(answered)) => {
                let percent = match questions {
                    0 => 0.0,
                    _ => (answered as f64 / questions as f64 * 1000.0).floor() / 10.0,
                };
                let state = match (busy, answered >= questions && questions > 0) {
                    (true, _) => "being asked",
                    (false, true) => "complete",
                    (false, false) => "not complete",
                };
                format!("{answered} of {questions} answers ({percent} %), {state}")
            }
            (Err(ViewError::NotReady), _) => "reading…".to_owned(),
            _ => "cannot be read".to_owned(),
        };
        Progress {
            place,
            answered,
            questions,
            busy,
            words,
        }
    }
}

/// The whole lines at the beginning of a file.
pub fn first_lines(path: &Path) -> io::Result<Vec<Vec<u8>>> {
    let mut bytes = Vec::new();
    regular::open(path)?
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
