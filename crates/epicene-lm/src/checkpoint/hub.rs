//! Models by their name on the Hugging Face hub, through the cache every other tool uses.
//!
//! The layout is the hub's own (`models--ORG--NAME/{blobs,refs,snapshots}`), so that a model fetched
//! by another tool is found and one fetched here is found by others. Honoured: `HF_HOME`,
//! `HF_HUB_CACHE`, `HF_HUB_OFFLINE`, `HF_ENDPOINT`, `HF_TOKEN`.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use sha2::{Digest, Sha256};
use ureq::http::Response;
use ureq::{Agent, Body};

use super::CheckpointError;
use super::digest::FileSet;
use super::safetensors::unreadable;

const INDEX: &str = "model.safetensors.index.json";
const WEIGHTS: &str = "model.safetensors";

/// Where models come from and where they are kept.
#[derive(Debug, Clone)]
pub struct Hub {
    pub cache: PathBuf,
    pub endpoint: String,
    pub token: Option<String>,
    pub offline: bool,
}

/// A model that lies in the cache.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    pub directory: PathBuf,
    pub commit: String,
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
        }
    }

    /// The files of a language model, from the cache or downloaded. `revision` is a branch, a tag or a commit.
    pub fn fetch(
        &self,
        repository: &str,
        revision: &str,
        progress: &dyn Fn(Download<'_>),
    ) -> Result<Snapshot, CheckpointError> {
        self.fetch_set(FileSet::LanguageModel, repository, revision, progress)
    }

    /// As `fetch`, for any kind of model.
    pub(crate) fn fetch_set(
        &self,
        set: FileSet,
        repository: &str,
        revision: &str,
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
        let remote = Remote {
            hub: self,
            set,
            repository,
            revision,
            folder: &folder,
            progress,
        };
        let announced = match remote.announced(revision, "config.json") {
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
            let written =
                make_parent(&reference).and_then(|()| fs::write(&reference, &announced.commit));
            written.map_err(|error| unreadable(&reference.display().to_string(), &error))?;
        }
        Ok(snapshot)
    }
}

/// The snapshot of a revision, if all that is needed lies in the cache.
fn cached(folder: &Path, revision: &str, set: FileSet) -> Option<Snapshot> {
    let commit = match fs::read_to_string(folder.join("refs").join(revision)) {
        Ok(commit) => commit.trim().to_owned(),
        Err(_) => revision.to_owned(),
    };
    let directory = folder.join("snapshots").join(&commit);
    let complete = directory.join("config.json").exists()
        && set
            .one_of()
            .iter()
            .any(|file| directory.join(file).exists())
        && (directory.join(WEIGHTS).exists()
            || shards(&directory)
                .is_some_and(|shards| shards.iter().all(|shard| directory.join(shard).exists())));
    complete.then_some(Snapshot { directory, commit })
}

/// The shards an index names; none if there is no index or it names anything but plain files.
fn shards(directory: &Path) -> Option<Vec<String>> {
    let text = fs::read_to_string(directory.join(INDEX)).ok()?;
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

fn make_parent(path: &Path) -> std::io::Result<()> {
    path.parent().map_or(Ok(()), fs::create_dir_all)
}

/// One model on the hub.
struct Remote<'a> {
    hub: &'a Hub,
    set: FileSet,
    repository: &'a str,
    revision: &'a str,
    folder: &'a Path,
    progress: &'a dyn Fn(Download<'_>),
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

    fn agent(&self, redirects: u32) -> Agent {
        Agent::config_builder()
            .timeout_connect(Some(Duration::from_secs(20)))
            .timeout_recv_response(Some(Duration::from_secs(60)))
            .max_redirects(redirects)
            .max_redirects_will_error(false)
            .http_status_as_error(false)
            .user_agent(concat!("epicene/", env!("CARGO_PKG_VERSION")))
            .build()
            .into()
    }

    fn url(&self, revision: &str, file: &str) -> String {
        let revision = revision.replace('/', "%2F");
        format!(
            "{}/{}/resolve/{revision}/{file}",
            self.hub.endpoint, self.repository
        )
    }

    /// What the hub says about a file; none if there is no such file.
    fn announced(&self, revision: &str, file: &str) -> Result<Option<Announced>, CheckpointError> {
        let url = self.url(revision, file);
        let mut request = self.agent(0).head(&url);
        if let Some(token) = &self.hub.token {
            request = request.header("Authorization", format!("Bearer {token}"));
        }
        let response = request
            .call()
            .map_err(|error| self.problem(format!("{url}: {error}")))?;
        match response.status().as_u16() {
            200..=399 => {}
            404 => return Ok(None),
            401 | 403 => return Err(self.problem("the hub refuses access")),
            status => return Err(self.problem(format!("{url}: the hub answered {status}"))),
        }
        let header = |name: &str| header(&response, name);
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
            (response.status().as_u16() == 200).then(|| header("content-length"))?
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
        for file in self.set.optional() {
            self.file(&directory, commit, file)?;
        }
        if self.file(&directory, commit, WEIGHTS)? {
            return Ok(self.snapshot(directory, commit));
        }
        if !self.file(&directory, commit, INDEX)? {
            return Err(match self.announced(commit, "pytorch_model.bin")? {
                Some(_) => CheckpointError::Pickled {
                    directory: format!("hf:{}", self.repository),
                    file: "pytorch_model.bin".to_owned(),
                },
                None => self.problem("the model has no model.safetensors"),
            });
        }
        let shards =
            shards(&directory).ok_or_else(|| self.problem(format!("{INDEX} makes no sense")))?;
        for shard in shards {
            if !self.file(&directory, commit, &shard)? {
                return Err(self.problem(format!("{INDEX} names {shard}, which is not there")));
            }
        }
        Ok(self.snapshot(directory, commit))
    }

    fn snapshot(&self, directory: PathBuf, commit: &str) -> Snapshot {
        Snapshot {
            directory,
            commit: commit.to_owned(),
        }
    }

    /// Makes sure a file is in the snapshot; false if the model has no such file.
    fn file(&self, directory: &Path, commit: &str, file: &str) -> Result<bool, CheckpointError> {
        let place = directory.join(file);
        if place.exists() {
            return Ok(true);
        }
        let Some(announced) = self.announced(commit, file)? else {
            return Ok(false);
        };
        let blob = self.folder.join("blobs").join(&announced.etag);
        let io = |error: std::io::Error| unreadable(&place.display().to_string(), &error);
        if !blob.exists() {
            make_parent(&blob).map_err(io)?;
            self.download(commit, file, &announced, &blob)?;
        }
        make_parent(&place).map_err(io)?;
        link(&blob, &place, &announced.etag).map_err(io)?;
        Ok(true)
    }

    /// Into an `.incomplete` file that a later call continues, checked before it gets its name.
    fn download(
        &self,
        commit: &str,
        file: &str,
        announced: &Announced,
        blob: &Path,
    ) -> Result<(), CheckpointError> {
        let part = blob.with_file_name(format!("{}.incomplete", announced.etag));
        let io = |error: std::io::Error| unreadable(&part.display().to_string(), &error);
        let have = fs::metadata(&part).map_or(0, |metadata| metadata.len());
        let url = self.url(commit, file);
        let mut request = self.agent(10).get(&url);
        if let Some(token) = &self.hub.token {
            request = request.header("Authorization", format!("Bearer {token}"));
        }
        if have > 0 {
            request = request.header("Range", format!("bytes={have}-"));
        }
        let response = request
            .call()
            .map_err(|error| self.problem(format!("{url}: {error}")))?;
        let mut done = match response.status().as_u16() {
            200 => 0,
            206 if have > 0 => have,
            416 => {
                // What was begun is not part of this file.
                fs::remove_file(&part).map_err(io)?;
                return Err(self.problem(format!(
                    "{file}: the download cannot be continued; try again"
                )));
            }
            status => return Err(self.problem(format!("{url}: the hub answered {status}"))),
        };
        let mut out: File = OpenOptions::new()
            .create(true)
            .write(true)
            .append(done > 0)
            .truncate(done == 0)
            .open(&part)
            .map_err(io)?;
        let mut body = response.into_body().into_reader();
        let mut buffer = vec![0; 1 << 16];
        loop {
            let count = body
                .read(&mut buffer)
                .map_err(|error| self.problem(format!("{file}: {error}; run again to continue")))?;
            if count == 0 {
                break;
            }
            out.write_all(&buffer[..count]).map_err(io)?;
            done += count as u64;
            (self.progress)(Download {
                file,
                done,
                total: announced.size,
            });
        }
        out.flush().map_err(io)?;
        drop(out);
        if let Some(size) = announced.size
            && done != size
        {
            return Err(self.problem(format!(
                "{file}: {done} bytes came, {size} were announced; run again to continue"
            )));
        }
        // Large files are named by their SHA-256.
        if announced.etag.len() == 64 && hash(&part).map_err(io)? != announced.etag {
            fs::remove_file(&part).map_err(io)?;
            return Err(self.problem(format!(
                "{file}: the SHA-256 is not the one announced; the download was thrown away"
            )));
        }
        fs::rename(&part, blob).map_err(io)
    }
}

fn header(response: &Response<Body>, name: &str) -> Option<String> {
    Some(response.headers().get(name)?.to_str().ok()?.to_owned())
}

fn hash(path: &Path) -> std::io::Result<String> {
    let mut file = File::open(path)?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(super::digest::hexadecimal(&hash.finalize())),
            count => hash.update(&buffer[..count]),
        }
    }
}

/// Snapshots point at blobs; where links are not to be had, they hold copies.
fn link(blob: &Path, place: &Path, etag: &str) -> std::io::Result<()> {
    #[cfg(unix)]
    {
        let relative = Path::new("..").join("..").join("blobs").join(etag);
        if std::os::unix::fs::symlink(relative, place).is_ok() {
            return Ok(());
        }
    }
    let _ = etag;
    fs::copy(blob, place).map(|_| ())
}
