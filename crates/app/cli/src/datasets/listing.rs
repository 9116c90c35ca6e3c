//! The registry of data sets as people and programs see it.

use super::pins::Pins;
use super::{MINI_NAME, catalogue, directory};
use crate::failure::Failure;

/// The registry as JSON: sources, revisions, licences, hashes where known, and whether the files are in the cache.
pub fn as_json() -> Result<serde_json::Value, Failure> {
    let mut listed = Vec::new();
    for dataset in catalogue::all() {
        let directory = directory(dataset)?;
        let pins = Pins::read(&directory)?;
        let editions: Vec<serde_json::Value> = dataset
            .editions
            .iter()
            .map(|edition| {
                let files = edition.files.iter().map(|file| {
                    let pinned = pins.get(&file.path);
                    serde_json::json!({
                        "path": file.path,
                        "url": format!("{}{}", edition.base, file.path),
                        "sha256": file.sha256.as_deref().or(pinned),
                        "trust": match (&file.sha256, pinned) {
                            (Some(_), _) => "registry",
                            (None, Some(_)) => "pinned",
                            (None, None) => "first-use",
                        },
                        "bytes": file.bytes,
                        "cached": directory.join(&file.path).exists(),
                    })
                });
                serde_json::json!({
                    "version": edition.version,
                    "revision": edition.revision,
                    "files": files.collect::<Vec<_>>(),
                })
            })
            .collect();
        listed.push(serde_json::json!({
            "name": dataset.name,
            "about": dataset.about,
            "licence": dataset.licence,
            "source": dataset.source,
            "cite": dataset.cite,
            "note": dataset.note,
            "editions": editions,
        }));
    }
    Ok(serde_json::Value::Array(listed))
}

pub fn listing() -> String {
    let mut lines = vec![["name", "licence", "what"].map(str::to_owned).to_vec()];
    for dataset in catalogue::all() {
        let cells = [&dataset.name, &dataset.licence, &dataset.about];
        lines.push(cells.map(String::clone).to_vec());
    }
    let mini = [
        MINI_NAME,
        "MIT OR Apache-2.0",
        "shipped: sentences of our own in GEST's design",
    ];
    lines.push(mini.map(str::to_owned).to_vec());
    for (name, about) in [
        (
            "epicene-wibemt",
            "shipped: verb sentences of our own in WiBeMT's design",
        ),
        (
            "epicene-parallel",
            "shipped: 40 sentences of our own about women and men (mbe; -de, -es, -fr, -sk)",
        ),
        (
            "epicene-winograd",
            "shipped: 32 pairs of our own in WinoBias' design (winobias, winomt)",
        ),
    ] {
        lines.push(
            [name, "MIT OR Apache-2.0", about]
                .map(str::to_owned)
                .to_vec(),
        );
    }
    epicene_report::aligned(&lines, 3)
}
