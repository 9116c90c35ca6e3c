//! What can go wrong with a run directory, said so that somebody can act on it.

use std::io;
use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },

    #[error("`{}` is not a run directory", path.display())]
    NotARun { path: PathBuf },

    #[error("{}: this is a file; a run needs a directory", path.display())]
    NotADirectory { path: PathBuf },

    #[error("{}: is not empty and holds no run; refusing to write into it", path.display())]
    NotEmpty { path: PathBuf },

    #[error("{}: holds answers but no manifest.json; refusing to write over them", path.display())]
    LostManifest { path: PathBuf },

    #[error("{}: was changed after it was written: its checksum does not match", path.display())]
    EditedManifest { path: PathBuf },

    #[error("{}: the answers of this run are by two models: {why}", path.display())]
    Mixed { path: PathBuf, why: String },

    #[error("{}: another process is writing to this run", path.display())]
    Locked { path: PathBuf },

    #[error("{}: {message}", path.display())]
    BadManifest { path: PathBuf, message: String },

    #[error("{}: made by a newer epicene (run format {format}; this one reads {newest} and below)", path.display())]
    NewerFormat {
        path: PathBuf,
        format: u32,
        newest: u32,
    },

    #[error("two items have the id `{id}`: their answers could not be assigned")]
    RepeatedId { id: String },

    #[error("{}, line {line}: {message}", path.display())]
    BadLine {
        path: PathBuf,
        line: u64,
        message: String,
    },

    #[error("{}, line {line}: {message}", path.display())]
    BadItem {
        path: PathBuf,
        line: u64,
        message: String,
    },

    #[error("{}: there are {found} items, {written} were written", path.display())]
    OtherItems {
        path: PathBuf,
        found: usize,
        written: usize,
    },

    #[error("{}: the file was changed after it was kept with the run", path.display())]
    OtherInput { path: PathBuf },

    #[error("{}: this run was made by a different command: {}", path.display(), differences.join("; "))]
    Disagrees {
        path: PathBuf,
        differences: Vec<String>,
    },

    #[error("{}: not the links that were made for this run", path.display())]
    OtherLinks { path: PathBuf },

    #[error("bad shard `{given}`: {message}")]
    BadShard { given: String, message: String },

    #[error("cannot merge {} with {}: {}", first.display(), other.display(), differences.join("; "))]
    DifferentRuns {
        first: PathBuf,
        other: PathBuf,
        differences: Vec<String>,
    },

    #[error("{}: is one of the runs to merge; it cannot be the output too", path.display())]
    MergeIntoItself { path: PathBuf },

    #[error("{}: holds another answer to {question}", path.display())]
    OtherAnswer { path: PathBuf, question: String },

    #[error("{count} observations are in more than one of the runs, first: {first}")]
    Overlap { count: u64, first: String },

    #[error("{missing} of {expected} observations are missing, first: {first}")]
    Gap {
        missing: u64,
        expected: u64,
        first: String,
    },

    #[error("a system gave a score that is not a finite number for {item} ({system}, {unit})")]
    NotFinite {
        item: String,
        system: String,
        unit: String,
    },
}

impl RunError {
    pub(crate) fn io(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> RunError {
        let path = path.into();
        move |source| RunError::Io { path, source }
    }

    /// What to do next, in one line.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            RunError::Disagrees { .. } => Some(
                "use another --out, give --fresh to start over, or `epicene report RUN` to measure the same answers anew",
            ),
            RunError::Locked { .. } => Some("wait for it to end, or choose another --out"),
            RunError::NotEmpty { .. } | RunError::NotADirectory { .. } => {
                Some("choose another --out, or an empty directory")
            }
            RunError::LostManifest { .. } => {
                Some("restore manifest.json from a copy of the run, or choose another --out")
            }
            RunError::EditedManifest { .. } => Some(
                "restore the file from a copy of the run; to measure with other options: epicene report RUN --help",
            ),
            RunError::Mixed { .. } => {
                Some("ask one model everything: give --fresh or another --out")
            }
            RunError::Overlap { .. } => {
                Some("leave one of the runs out, or give --allow-overlap to keep the first answer")
            }
            RunError::OtherAnswer { .. } => Some(
                "the runs were changed since they were merged here; give --fresh to merge anew",
            ),
            RunError::Gap { .. } => {
                Some("add the missing shard, or give --allow-gaps to measure what is there")
            }
            RunError::BadLine { .. } => Some(
                "restore the file from a copy of the run, or give --fresh to ask everything again",
            ),
            RunError::BadItem { .. } | RunError::OtherItems { .. } => {
                Some("put the file back as it was, or give --fresh to start over")
            }
            RunError::OtherInput { .. } => {
                Some("put the file back as it was, or run anew with the changed file as --input")
            }
            RunError::BadManifest { .. } => {
                Some("give --fresh to start over; the log is kept until then")
            }
            RunError::NewerFormat { .. } => {
                Some("update epicene, or measure the run there: epicene report RUN --format json")
            }
            RunError::OtherLinks { .. } => {
                Some("make them anew: epicene align --run RUN --encoder SPEC")
            }
            RunError::RepeatedId { .. } => Some("give every item of the data an id of its own"),
            RunError::BadShard { .. } => Some("write it as I/N, for example --shard 2/8"),
            _ => None,
        }
    }
}
