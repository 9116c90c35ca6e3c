//! Models by their name on the Hugging Face hub, through the cache every other tool uses.
//!
//! The layout is the hub's own (`models--ORG--NAME/{blobs,refs,snapshots}`), so that a model fetched
//! by another tool is found and one fetched here is found by others. Its locks are the hub's own too
//! (`.locks/models--ORG--NAME/ETAG.lock`), so that processes on one cache wait for each other. Honoured:
//! `HF_HOME`, `HF_HUB_CACHE`, `HF_HUB_OFFLINE`, `HF_ENDPOINT`, `HF_TOKEN`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use epicene_io::download::{Downloader, Wanted, lock};
use epicene_io::http::{HttpError, RetryPolicy, Secret};
use epicene_io::limits::LARGEST_TEXT;
use epicene_io::quote::shown;
use epicene_io::{Checksum, regular};

use super::digest::{FileSet, is_weights};
use super::verified::{self, Checked};
use super::weight_file::unreadable;
use super::{CheckpointError, Config};

/// Weights in one file, or the index of their shards, in the order of preference.
const WEIGHTS: [(&str, &str); 2] = [
    ("model.safetensors", "model.safetensors.index.json"),
    ("pytorch_model.bin", "pytorch_model.bin.index.json"),
];

/// Where models come from and where they are kept.
#[derive(Debug, Clone)]
pub struct Hub {
    pub cache: PathBuf,
    pub endpoint: String,
    pub token: Option<String>,
    pub offline: bool,
    /// Where it is noted which files were hashed.
    pub stamps: Option<PathBuf>,
}

/// A model that lies in the cache.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    pub directory: PathBuf,
    pub commit: String,
    /// Whether every file was held against its hash.
    pub verified: bool,
}

impl Snapshot {
    /// Where the model is from, for its card. It names what could not be verified.
    pub fn source(&self, repository: &str) -> String {
        let remark = if self.verified { "" } else { ",unverified" };
        format!("hf:{repository}{remark}")
    }
}

/// How far a download is.
#[derive(Debug, Clone, Copy)]
pub struct Download<'a> {
    pub file: &'a str,
    pub done: u64,
    pub total: Option<u64>,
}

/// A file as the hub announces it.
struct Announced {
    commit: String,
    etag: String,
    size: Option<u64>,
}

impl Hub {
    pub fn from_environment() -> Hub {
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let home = variable("HF_HOME").map(PathBuf::from).unwrap_or_else(|| {
            let cache = variable("XDG_CACHE_HOME").map(PathBuf::from);
            let cache = cache.or_else(|| Some(std::env::home_dir()?.join(".cache")));
            cache.unwrap_or_default().join("huggingface")
        });
        let endpoint =
            variable("HF_ENDPOINT").unwrap_or_else(|| "https://huggingface.co".to_owned());
        let offline = variable("HF_HUB_OFFLINE")
            .unwrap_or_default()
            .to_ascii_lowercase();
        Hub {
            cache: variable("HF_HUB_CACHE").map_or_else(|| home.join("hub"), PathBuf::from),
            endpoint: endpoint.trim_end_matches('/').to_owned(),
            token: variable("HF_TOKEN"),
            offline: matches!(offline.as_str(), "1" | "true" | "yes" | "on"),
            stamps: verified::stamps_directory(),
        }
    }

    /// The files of a model, from the cache or downloaded. `revision` is a branch, a tag or a commit. What is not read here is
    /// refused by `accept`, which sees its configuration, before its weights are fetched.
    pub fn fetch_set(
        &self,
        set: FileSet,
        repository: &str,
        revision: &str,
        accept: &dyn Fn(&Config) -> Result<(), CheckpointError>,
        progress: &dyn Fn(Download<'_>),
    ) -> Result<Snapshot, CheckpointError> {
        let snapshot = self.find_set(set, repository, revision, accept, progress)?;
        let checked = verified::check(&snapshot.directory, self.stamps.as_deref())?;
        Ok(Snapshot {
            verified: checked == Checked::All,
            ..snapshot
        })
    }

    /// How many bytes of weights a model still has to be sent: 0 of one in the cache, `None` where the hub does not say.
    pub fn bytes_to_fetch(
        &self,
        repository: &str,
        revision: &str,
    ) -> Result<Option<u64>, CheckpointError> {
        let set = FileSet::LanguageModel;
        let folder = self
            .cache
            .join(format!("models--{}", repository.replace('/', "--")));
        if cached(&folder, revision, set).is_some() {
            return Ok(Some(0));
        }
        if self.offline {
            return Err(CheckpointError::Offline {
                name: format!("hf:{repository}"),
            });
        }
        let policy = RetryPolicy::from_environment().map_err(|error| CheckpointError::Hub {
            name: error.file,
            problem: error.message,
        })?;
        let remote = Remote {
            hub: self,
            set,
            repository,
            revision,
            accept: &|_| Ok(()),
            folder: &folder,
            progress: &|_| {},
            downloader: Downloader::new(policy, self.token.clone().map(Secret::new)),
            attempts: policy.attempts,
        };
        for (whole, _) in WEIGHTS {
            if let Some(announced) = remote.announced(revision, whole, policy.attempts)? {
                return Ok(announced.size);
            }
        }
        Ok(None)
    }

    fn find_set(
        &self,
        set: FileSet,
        repository: &str,
        revision: &str,
        accept: &dyn Fn(&Config) -> Result<(), CheckpointError>,
        progress: &dyn Fn(Download<'_>),
    ) -> Result<Snapshot, CheckpointError> {
        let folder = self
            .cache
            .join(format!("models--{}", repository.replace('/', "--")));
        let cached = cached(&folder, revision, set);
        if self.offline {
            return cached.ok_or_else(|| CheckpointError::Offline {
                name: format!("hf:{repository}"),
            });
        }
        // A commit never changes: what is there of it need not be asked for.
        if let Some(snapshot) = &cached
            && snapshot.commit == revision
        {
            return Ok(snapshot.clone());
        }
        let policy = RetryPolicy::from_environment().map_err(|error| CheckpointError::Hub {
            name: error.file,
            problem: error.message,
        })?;
        let remote = Remote {
            hub: self,
            set,
            repository,
            revision,
            accept,
            folder: &folder,
            progress,
            downloader: Downloader::new(policy, self.token.clone().map(Secret::new)),
            attempts: policy.attempts,
        };
        // With a copy at hand, a hub that does not answer is not waited for.
        let attempts = if cached.is_some() { 1 } else { policy.attempts };
        let announced = match remote.announced(revision, "config.json", attempts) {
            Ok(Some(announced)) => announced,
            Ok(None) => {
                return Err(remote.problem("no config.json there, or no such model or revision"));
            }
            // Without a network, what was fetched before still works.
            Err(error) => return cached.ok_or(error),
        };
        let snapshot = remote.download_all(&announced.commit)?;
        if announced.commit != revision {
            let reference = folder.join("refs").join(revision);
            let written = make_parent(&reference)
                .and_then(|()| epicene_io::write_file(&reference, announced.commit.as_bytes()));
            written.map_err(|error| unreadable(&reference.display().to_string(), &error))?;
        }
        Ok(snapshot)
    }
}

/// The snapshot of a revision, if all that is needed lies in the cache.
fn cached(folder: &Path, revision: &str, set: FileSet) -> Option<Snapshot> {
    let commit = match regular::read_to_string(&folder.join("refs").join(revision), 1 << 10) {
        Ok(commit) => commit.trim().to_owned(),
        Err(_) => revision.to_owned(),
    };
    let directory = folder.join("snapshots").join(&commit);
    let complete = directory.join("config.json").exists()
        && set
            .one_of()
            .iter()
            .any(|file| directory.join(file).exists())
        && WEIGHTS.iter().any(|(whole, index)| {
            directory.join(whole).exists()
                || shards(&directory, index)
                    .is_some_and(|shards| shards.iter().all(|shard| directory.join(shard).exists()))
        });
    complete.then_some(Snapshot {
        directory,
        commit,
        verified: false,
    })
}

/// The shards an index names; none if there is no index or it names anything but plain files.
fn shards(directory: &Path, index: &str) -> Option<Vec<String>> {
    let text = regular::read_to_string(&directory.join(index), LARGEST_TEXT).ok()?;
    let index: serde_json::Value = serde_json::from_str(&text).ok()?;
    let mut files: Vec<String> = index
        .get("weight_map")?
        .as_object()?
        .values()
        .map(|file| {
            file.as_str()
                .filter(|file| is_plain(file))
                .map(str::to_owned)
        })
        .collect::<Option<_>>()?;
    files.sort();
    files.dedup();
    Some(files)
}

fn is_plain(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\', ':'])
}

fn make_parent(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), fs::create_dir_all)
}

/// One model on the hub.
struct Remote<'a> {
    hub: &'a Hub,
    set: FileSet,
    repository: &'a str,
    revision: &'a str,
    accept: &'a dyn Fn(&Config) -> Result<(), CheckpointError>,
    folder: &'a Path,
    progress: &'a dyn Fn(Download<'_>),
    downloader: Downloader,
    attempts: u32,
}

impl Remote<'_> {
    fn problem(&self, problem: impl Into<String>) -> CheckpointError {
        let name = match self.revision {
            "main" => format!("hf:{}", self.repository),
            revision => format!("hf:{}@{revision}", self.repository),
        };
        CheckpointError::Hub {
            name,
            problem: problem.into(),
        }
    }

    fn failed(
        &self,
        HttpError {
            url,
            status,
            message,
        }: HttpError,
    ) -> CheckpointError {
        match self.problem(format!("{url}: {message}")) {
            CheckpointError::Hub { name, problem } if status.is_none() => {
                CheckpointError::HubUnreachable { name, problem }
            }
            other => other,
        }
    }

    fn url(&self, revision: &str, file: &str) -> String {
        let revision = revision.replace('/', "%2F");
        format!(
            "{}/{}/resolve/{revision}/{file}",
            self.hub.endpoint, self.repository
        )
    }

    /// What the hub says about a file; none if there is no such file.
    fn announced(
        &self,
        revision: &str,
        file: &str,
        attempts: u32,
    ) -> Result<Option<Announced>, CheckpointError> {
        let url = self.url(revision, file);
        let answer = self
            .downloader
            .head(&url, attempts)
            .map_err(|error| self.failed(error))?;
        match answer.status {
            200..=399 => {}
            404 => return Ok(None),
            401 | 403 => return Err(self.problem("the hub refuses access")),
            status => return Err(self.problem(format!("{url}: the hub answered {status}"))),
        }
        let header = |name: &str| answer.header(name);
        let etag = header("x-linked-etag").or_else(|| header("etag"));
        let etag = etag.unwrap_or_default();
        let etag = etag.trim_start_matches("W/").trim_matches('"').to_owned();
        let commit = header("x-repo-commit").unwrap_or_default();
        if !is_plain(&etag) || !is_plain(&commit) {
            return Err(self.problem(format!(
                "{url}: the answer names no commit and file version"
            )));
        }
        let size = header("x-linked-size").or_else(|| {
            // A redirect has a length of its own.
            (answer.status == 200).then(|| header("content-length"))?
        });
        Ok(Some(Announced {
            commit,
            etag,
            size: size.and_then(|size| size.parse().ok()),
        }))
    }

    fn download_all(&self, commit: &str) -> Result<Snapshot, CheckpointError> {
        let directory = self.folder.join("snapshots").join(commit);
        for file in self.set.needed() {
            if !self.file(&directory, commit, file)? {
                return Err(self.problem(format!("the model has no {file}")));
            }
        }
        self.refuse_unread(&directory)?;
        for file in self.set.optional() {
            self.file(&directory, commit, file)?;
        }
        let has = |file: &&str| directory.join(file).exists();
        if !has(&"tokenizer.json") {
            for file in self.set.older() {
                self.file(&directory, commit, file)?;
            }
        }
        if !self.set.one_of().iter().any(has) {
            return Err(self.problem("the model has no tokenizer.json, and no older vocabulary"));
        }
        for (whole, index) in WEIGHTS {
            if self.file(&directory, commit, whole)? {
                return Ok(self.snapshot(directory, commit));
            }
            if !self.file(&directory, commit, index)? {
                continue;
            }
            let shards = shards(&directory, index)
                .ok_or_else(|| self.problem(format!("{index} makes no sense")))?;
            for shard in shards {
                if !self.file(&directory, commit, &shard)? {
                    return Err(self.problem(format!("{index} names {shard}, which is missing")));
                }
            }
            return Ok(self.snapshot(directory, commit));
        }
        Err(self.problem("the model has no model.safetensors and no pytorch_model.bin"))
    }

    /// By the configuration, which is there already.
    fn refuse_unread(&self, directory: &Path) -> Result<(), CheckpointError> {
        let config = regular::read_to_string(&directory.join("config.json"), LARGEST_TEXT);
        let config = config.map_err(|error| unreadable("config.json", &error))?;
        let config = Config::parse(&config)?;
        (self.accept)(&config)
    }

    fn snapshot(&self, directory: PathBuf, commit: &str) -> Snapshot {
        Snapshot {
            directory,
            commit: commit.to_owned(),
            verified: false,
        }
    }

    /// Makes sure a file is in the snapshot; false if the model has no such file.
    fn file(&self, directory: &Path, commit: &str, file: &str) -> Result<bool, CheckpointError> {
        let place = directory.join(file);
        if place.exists() {
            return Ok(true);
        }
        let Some(announced) = self.announced(commit, file, self.attempts)? else {
            return Ok(false);
        };
        let blob = self.folder.join("blobs").join(&announced.etag);
        let io = |error: io::Error| unreadable(&place.display().to_string(), &error);
        let _held = lock(&self.lock_of(&announced.etag)).map_err(io)?;
        // A link in a blob's place would be read as that blob.
        if blob.is_symlink() {
            return Err(self.problem(format!(
                "{} is a symbolic link; a file of the cache is a regular file",
                blob.display()
            )));
        }
        if !blob.exists() {
            make_parent(&blob).map_err(io)?;
            self.download(commit, file, &announced, &blob)?;
        }
        make_parent(&place).map_err(io)?;
        link(&blob, &place, &announced.etag).map_err(io)?;
        Ok(true)
    }

    /// The lock of a blob, where `huggingface_hub` has it.
    fn lock_of(&self, etag: &str) -> PathBuf {
        let name = self.folder.file_name().unwrap_or_default();
        let locks = self.hub.cache.join(".locks").join(name);
        locks.join(format!("{etag}.lock"))
    }

    /// Into an `.incomplete` file that a later call continues, checked before it gets its name.
    fn download(
        &self,
        commit: &str,
        file: &str,
        announced: &Announced,
        blob: &Path,
    ) -> Result<(), CheckpointError> {
        let url = self.url(commit, file);
        // Weights state their size; a file without one is a text.
        let largest = match announced.size {
            Some(size) if is_weights(file) => size,
            _ => LARGEST_TEXT,
        };
        let checksum = Checksum::of_length(&announced.etag).ok_or_else(|| {
            self.problem(format!(
                "{url}: the server names the file by `{}`, which is no hash; a download could not be verified",
                shown(&announced.etag)
            ))
        })?;
        let wanted = Wanted {
            url: &url,
            length: announced.size,
            largest,
            checksum: Some(checksum),
        };
        let part = blob.with_file_name(format!("{}.incomplete", announced.etag));
        let progress = |done| {
            (self.progress)(Download {
                file,
                done,
                total: announced.size,
            });
        };
        self.downloader
            .fetch(&wanted, &part, blob, &progress)
            .map_err(|error| self.failed(error))
    }
}

/// Snapshots point at blobs; where links are not to be had, they hold copies.
fn link(blob: &Path, place: &Path, etag: &str) -> io::Result<()> {
    #[cfg(unix)]
    {
        let relative = Path::new("..").join("..").join("blobs").join(etag);
        match std::os::unix::fs::symlink(&relative, place) {
            Ok(()) => return Ok(()),
            // Somebody else was faster. A copy through their link would empty the blob itself.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                if place.exists() {
                    return Ok(());
                }
                fs::remove_file(place)?;
                return std::os::unix::fs::symlink(&relative, place);
            }
            Err(_) => {}
        }
    }
    let _ = etag;
    let mut out = epicene_io::OutputFile::create(place)?;
    io::copy(&mut fs::File::open(blob)?, &mut out)?;
    out.finish()
}
