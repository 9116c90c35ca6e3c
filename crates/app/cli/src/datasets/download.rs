//! Downloads a file of an edition: under a lock, into a `.part` that a later call continues, checked by its SHA-256, the
//! registry's or the pinned one, before it gets its name.

use std::path::{Path, PathBuf};

use epicene_io::Checksum;
use epicene_io::download::{Downloader, Wanted, lock};
use epicene_io::http::RetryPolicy;
use epicene_io::stop;

use super::catalogue::{DataFile, Edition};
use super::pins::Pins;
use crate::failure::Failure;
use crate::{console, outputs};

/// Replaces the address of every file by `$EPICENE_DATA_URL/FILE`.
const MIRROR: &str = "EPICENE_DATA_URL";

/// More is not taken of a file whose size nobody wrote down.
const LARGEST: u64 = 256 << 20;

pub fn fetch(
    edition: &Edition,
    file: &DataFile,
    directory: &Path,
    pins: &mut Pins,
) -> Result<PathBuf, Failure> {
    let path = directory.join(&file.path);
    let known = file
        .sha256
        .clone()
        .or_else(|| pins.get(&file.path).map(str::to_owned));
    let is_there = || {
        let hash = path.exists().then(|| super::hash(&path)).transpose()?;
        Ok::<bool, Failure>(hash.is_some() && hash == known)
    };
    if is_there()? {
        return Ok(path);
    }
    let url = address(edition, file)?;
    let beside = |ending: &str| directory.join(format!("{}.{ending}", file.path));
    let parent = path.parent().unwrap_or(directory);
    std::fs::create_dir_all(parent).map_err(|error| outputs::failed(parent, &error))?;
    // Two commands at once: the second waits, and finds what the first fetched.
    let _held = lock(&beside("lock")).map_err(|error| outputs::failed(directory, &error))?;
    if is_there()? {
        return Ok(path);
    }
    let wanted = Wanted {
        url: &url,
        length: file.bytes,
        largest: file.bytes.unwrap_or(LARGEST),
        checksum: known.clone().map(Checksum::Sha256),
    };
    let progress = console::progress(file.bytes.unwrap_or(0), &file.path);
    let part = beside("part");
    let _finishing = stop::stoppable();
    let downloader = Downloader::new(RetryPolicy::from_environment()?, None);
    let fetched = downloader.fetch(&wanted, &part, &path, &|done| progress.set_position(done));
    progress.finish_and_clear();
    if let Err(error) = fetched {
        return Err(Failure::system(format!("{}: {}", error.url, error.message)).with_hint(
            format!(
                "the same command continues the download; offline, fetch {} on another machine and give --data PATH, or set {MIRROR} to a mirror that has this edition",
                file.path
            ),
        ));
    }
    if known.is_none() {
        let hash = super::hash(&path)?;
        pins.pin(&file.path, &hash)?;
        console::note(format!(
            "{}: no SHA-256 is known; {hash} is trusted on first use and pinned",
            path.display()
        ));
    }
    Ok(path)
}

fn address(edition: &Edition, file: &DataFile) -> Result<String, Failure> {
    let Some(mirror) = std::env::var(MIRROR).ok().filter(|url| !url.is_empty()) else {
        return Ok(format!("{}{}", edition.base, file.path));
    };
    if mirror.starts_with("https://") || mirror.starts_with("http://") {
        Ok(format!("{}/{}", mirror.trim_end_matches('/'), file.path))
    } else {
        Err(Failure::system(format!(
            "{MIRROR}: `{mirror}` is no http(s) address"
        )))
    }
}
