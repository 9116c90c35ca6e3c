//! `epicene data`: downloads are verified by hash, continued when cut off, and never trusted.

use std::path::{Path, PathBuf};

use crate::support::server::{Manner, Server};
use crate::support::{epicene, run, shared};

struct Place {
    directory: tempfile::TempDir,
    server: Server,
}

impl Place {
    fn new(manner: Manner) -> Option<Place> {
        let gest = shared("gest")?;
        Some(Place {
            directory: tempfile::tempdir().unwrap(),
            server: Server::start(gest, manner),
        })
    }

    fn epicene(&self, arguments: &[&str]) -> (i32, String, String) {
        let output = epicene()
            .args(arguments)
            .current_dir(self.directory.path())
            .env("EPICENE_CACHE", self.directory.path().join("cache"))
            .env("EPICENE_DATA_URL", &self.server.address)
            .env("EPICENE_HTTP_PAUSE", "0.001")
            .output()
            .unwrap();
        (
            output.status.code().unwrap(),
            String::from_utf8(output.stdout).unwrap(),
            String::from_utf8(output.stderr).unwrap(),
        )
    }

    fn cached(&self, name: &str) -> PathBuf {
        self.directory.path().join("cache/gest").join(name)
    }

    fn requests(&self) -> Vec<String> {
        self.server.requests.lock().unwrap().drain(..).collect()
    }
}

fn same(one: &Path, other: &Path) -> bool {
    std::fs::read(one).unwrap() == std::fs::read(other).unwrap()
}

#[test]
fn pull_verify_path_and_use() {
    let Some(place) = Place::new(Manner::Good) else {
        return;
    };
    let (code, _, stderr) = place.epicene(&["data", "verify", "gest"]);
    assert_eq!(code, 2);
    assert!(
        stderr.contains("is not in the cache") && stderr.contains("epicene data pull gest"),
        "{stderr}"
    );

    let (code, _, stderr) = place.epicene(&["data", "pull", "gest"]);
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(place.requests(), ["gest.csv from 0", "gest_1.1.csv from 0"]);
    assert!(same(
        &place.cached("gest.csv"),
        &shared("gest/gest.csv").unwrap()
    ));

    // What is there and right is not fetched again.
    assert_eq!(place.epicene(&["data", "pull", "gest"]).0, 0);
    assert_eq!(place.requests(), Vec::<String>::new());
    assert_eq!(place.epicene(&["data", "verify", "gest"]).0, 0);
    let (_, paths, _) = place.epicene(&["data", "path", "gest"]);
    assert_eq!(paths.lines().count(), 2);

    // Both editions can be used by name, and are known by their hash.
    for (data, version) in [
        ("gest", "gest-1.0@7e306adaa291"),
        ("gest-1.1", "gest-1.1@51d14d5dc648"),
    ] {
        let command = [
            "run", "gest", "--model", "random:1", "--data", data, "--limit", "40",
        ];
        let (code, stdout, stderr) = place.epicene(&command);
        assert_eq!(code, 0, "{stderr}");
        assert!(stdout.contains(version), "{stdout}");
    }

    // A spoilt file is noticed and mended.
    std::fs::write(
        place.cached("gest.csv"),
        "sentence,stereotype\nI was changed.,1\n",
    )
    .unwrap();
    let (code, _, stderr) = place.epicene(&["data", "verify", "gest"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("gest.csv: SHA-256 is"), "{stderr}");
    assert_eq!(place.epicene(&["data", "pull", "gest"]).0, 0);
    assert!(same(
        &place.cached("gest.csv"),
        &shared("gest/gest.csv").unwrap()
    ));
}

#[test]
fn a_download_that_was_cut_off_is_continued() {
    let Some(place) = Place::new(Manner::CutsOff(1000)) else {
        return;
    };
    let (code, _, stderr) = place.epicene(&["data", "pull", "gest"]);
    assert_eq!(code, 2);
    assert!(
        stderr.contains("gest.csv") && stderr.contains("hint: the same command continues"),
        "{stderr}"
    );
    assert!(
        !place.cached("gest.csv").exists(),
        "a part has no final name"
    );
    place.requests();
    place.server.behave(Manner::Good);
    assert_eq!(place.epicene(&["data", "pull", "gest"]).0, 0);
    let requests = place.requests();
    assert!(
        requests[0].starts_with("gest.csv from ") && requests[0] != "gest.csv from 0",
        "{requests:?}"
    );
    assert!(same(
        &place.cached("gest.csv"),
        &shared("gest/gest.csv").unwrap()
    ));
}

#[test]
fn a_server_without_ranges_and_a_spoilt_part_still_end_well() {
    let Some(place) = Place::new(Manner::NoRanges) else {
        return;
    };
    std::fs::create_dir_all(place.cached("")).unwrap();
    std::fs::write(place.cached("gest.csv.part"), "sentence,ste").unwrap();
    assert_eq!(place.epicene(&["data", "pull", "gest"]).0, 0);

    // A part that is of another file, or longer than the file, is started over.
    place.server.behave(Manner::Good);
    for part in [vec![b'x'; 5000], vec![b'x'; 400_000], vec![b'x'; 214_899]] {
        std::fs::remove_file(place.cached("gest.csv")).unwrap();
        std::fs::write(place.cached("gest.csv.part"), part).unwrap();
        let (code, _, stderr) = place.epicene(&["data", "pull", "gest"]);
        assert_eq!(code, 0, "{stderr}");
        assert!(same(
            &place.cached("gest.csv"),
            &shared("gest/gest.csv").unwrap()
        ));
    }
}

#[test]
fn a_server_that_lies_is_not_believed() {
    for (manner, message) in [
        (Manner::Lies, "the download was thrown away"),
        (
            Manner::Chatters,
            "the server sends more than the 214899 bytes",
        ),
        (Manner::NotFound, "the server answered 404"),
    ] {
        let Some(place) = Place::new(manner) else {
            return;
        };
        let (code, _, stderr) = place.epicene(&["data", "pull", "gest"]);
        assert_eq!(code, 2);
        assert!(stderr.contains(message), "{stderr}");
        assert!(stderr.contains("hint:"), "{stderr}");
        assert!(!place.cached("gest.csv").exists());
    }
}

#[test]
fn offline_says_exactly_what_to_do() {
    let directory = tempfile::tempdir().unwrap();
    let output = epicene()
        .args(["data", "pull", "gest"])
        .env("EPICENE_CACHE", directory.path())
        .env("EPICENE_DATA_URL", "http://127.0.0.1:1")
        .output()
        .unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    for part in [
        "http://127.0.0.1:1/gest.csv",
        "hint:",
        "--data PATH",
        "EPICENE_DATA_URL",
    ] {
        assert!(stderr.contains(part), "{stderr}");
    }
    let (code, _, stderr) = run(&["run", "gest", "--model", "random:1"], directory.path());
    assert_eq!(code, 2);
    for part in [
        "not in the cache",
        "epicene data pull gest",
        "--data PATH",
        "--data epicene-mini",
    ] {
        assert!(stderr.contains(part), "{stderr}");
    }
}
