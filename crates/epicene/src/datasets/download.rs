//! Downloads an edition: under a lock, into a `.part` that a later call continues, checked by its SHA-256
//! before it gets its name.

use std::path::{Path, PathBuf};

use epicene_io::Checksum;
use epicene_io::download::{Downloader, Wanted, lock};
use epicene_io::http::RetryPolicy;

use super::catalogue::Edition;
use crate::failure::Failure;
use crate::{console, outputs, signals};

/// Replaces the address of every file by `$EPICENE_DATA_URL/FILE`.
const MIRROR: &str = "EPICENE_DATA_URL";

pub fn fetch(edition: &Edition, directory: &Path) -> Result<PathBuf, Failure> {
    let path = directory.join(edition.file);
    let is_there = || Ok::<bool, Failure>(path.exists() && super::hash(&path)? == edition.sha256);
    if is_there()? {
        return Ok(path);
    }
    let url = address(edition)?;
    // Two commands at once: the second waits, and finds what the first fetched.
    let _held = lock(&directory.join(format!("{}.lock", edition.file)))
        .map_err(|error| outputs::failed(directory, &error))?;
    if is_there()? {
        return Ok(path);
    }
    let wanted = Wanted {
        url: &url,
        length: Some(edition.bytes),
        largest: edition.bytes,
        checksum: Some(Checksum::Sha256(edition.sha256.to_owned())),
    };
    let progress = console::progress(edition.bytes, edition.file);
    let part = directory.join(format!("{}.part", edition.file));
    let _finishing = signals::finishing();
    let downloader = Downloader::new(RetryPolicy::from_environment(), None);
    let fetched = downloader.fetch(&wanted, &part, &path, &|done| progress.set_position(done));
    progress.finish_and_clear();
    match fetched {
        Ok(()) => Ok(path),
        Err(error) => Err(Failure::usage(format!("{}: {}", error.url, error.message)).with_hint(
            format!(
                "the same command continues the download; offline, fetch {} elsewhere and give --data PATH, or set {MIRROR} to a mirror that has this edition",
                edition.file
            ),
        )),
    }
}

fn address(edition: &Edition) -> Result<String, Failure> {
    let Some(mirror) = std::env::var(MIRROR).ok().filter(|url| !url.is_empty()) else {
        return Ok(edition.url.to_owned());
    };
    if mirror.starts_with("https://") || mirror.starts_with("http://") {
        Ok(format!("{}/{}", mirror.trim_end_matches('/'), edition.file))
    } else {
        Err(Failure::usage(format!(
            "{MIRROR}: `{mirror}` is no http(s) address"
        )))
    }
}
