//! The hub's cache: shared by processes, fed by servers that stall, lie and never end.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier};

use epicene_io::Checksum;

use super::launch::{code, epicene, stderr, succeed, tree, trials};
use super::server::{Reply, Request, Server};

const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

pub fn checkpoint() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../engine/engine/tests/checkpoints/bert")
}

/// The hub's answer: small files under their git SHA-1, weights under their SHA-256 and elsewhere.
pub fn hub_reply(request: &Request, base: &str) -> Reply {
    let file = request.path.rsplit('/').next().unwrap();
    let Ok(bytes) = std::fs::read(checkpoint().join(file)) else {
        return Reply::new(404, "");
    };
    if request.path.starts_with("/store/") {
        return part(request, bytes);
    }
    if !request.path.starts_with("/org/tiny/resolve/") {
        return Reply::new(404, "");
    }
    let is_large = file.ends_with(".safetensors");
    let kind = if is_large { 64 } else { 40 };
    let checksum = Checksum::of_length(&"0".repeat(kind)).unwrap();
    let etag = checksum.of(&bytes[..], bytes.len() as u64).unwrap();
    let reply = if is_large {
        Reply::new(302, "")
            .with("X-Linked-Size", bytes.len().to_string())
            .with("X-Linked-Etag", format!("\"{etag}\""))
            .with("Location", format!("{base}/store/{file}"))
    } else {
        part(request, bytes).with("ETag", format!("\"{etag}\""))
    };
    reply.with("X-Repo-Commit", COMMIT)
}

fn part(request: &Request, mut bytes: Vec<u8>) -> Reply {
    let from = request.from();
    if from == 0 {
        return Reply::new(200, bytes);
    }
    let range = format!("bytes {from}-{}/{}", bytes.len() - 1, bytes.len());
    Reply::new(206, bytes.split_off(from)).with("Content-Range", range)
}

/// A hub whose answers `change` may spoil.
pub fn hub(change: impl Fn(&Request, Reply) -> Reply + Send + Sync + 'static) -> Server {
    Server::start(move |request| {
        let base = format!("http://{}", request.header("host").unwrap());
        change(request, hub_reply(request, &base))
    })
}

pub fn data(directory: &Path) {
    let mut text = String::from("sentence,stereotype\n");
    for row in 0..6 {
        text += &format!("I did {row}.,{}\n", row % 16 + 1);
    }
    std::fs::write(directory.join("gest.csv"), text).unwrap();
}

fn shard(number: usize) -> Vec<String> {
    let shard = format!("{number}/3");
    let out = format!("part{number}");
    let model = [
        "run",
        "gest",
        "--model",
        "hf:org/tiny",
        "--data",
        "gest.csv",
    ];
    let rest = ["--device", "cpu", "--shard", &shard, "--out", &out];
    model
        .iter()
        .chain(&rest)
        .map(|part| (*part).to_owned())
        .collect()
}

/// What a cache holds after one process alone.
fn fresh_cache() -> std::collections::BTreeMap<PathBuf, Vec<u8>> {
    let directory = tempfile::tempdir().unwrap();
    data(directory.path());
    let server = hub(|_, reply| reply);
    let done = epicene(directory.path())
        .args(shard(1))
        .env("HF_ENDPOINT", &server.url)
        .output()
        .unwrap();
    assert_eq!(code(&done), 0, "{}", stderr(&done));
    tree(&directory.path().join("hub"))
}

#[test]
fn three_shards_on_a_cold_cache_leave_what_one_would() {
    let expected = fresh_cache();
    trials(5, |trial| {
        let directory = tempfile::tempdir().unwrap();
        data(directory.path());
        // All three ask for the first file before any is answered.
        let together = Arc::new(Barrier::new(3));
        let asked = AtomicUsize::new(0);
        let server = hub(move |_, reply| {
            if asked.fetch_add(1, Ordering::SeqCst) < 3 {
                together.wait();
            }
            reply
        });
        let children: Vec<_> = (1..=3)
            .map(|number| {
                epicene(directory.path())
                    .args(shard(number))
                    .env("HF_ENDPOINT", &server.url)
                    .stdout(Stdio::null())
                    .stderr(Stdio::piped())
                    .spawn()
                    .unwrap()
            })
            .collect();
        for child in children {
            let done = child.wait_with_output().unwrap();
            assert_eq!(code(&done), 0, "trial {trial}: {}", stderr(&done));
        }
        assert_eq!(
            tree(&directory.path().join("hub")),
            expected,
            "trial {trial}"
        );
        let merge = ["merge", "part1", "part2", "part3", "--out", "whole"];
        succeed(directory.path(), &merge);
    });
}

/// Part files of other contents, of any length, are not believed.
#[test]
fn stale_parts_are_started_over() {
    let expected = fresh_cache();
    let blobs: Vec<(&PathBuf, &Vec<u8>)> = expected
        .iter()
        .filter(|(path, _)| path.starts_with("models--org--tiny/blobs"))
        .collect();
    assert_eq!(blobs.len(), 5);
    for length in [1, 100, 1 << 20] {
        let directory = tempfile::tempdir().unwrap();
        data(directory.path());
        for (blob, _) in &blobs {
            let name = format!("{}.incomplete", blob.display());
            let part = directory.path().join("hub").join(name);
            std::fs::create_dir_all(part.parent().unwrap()).unwrap();
            std::fs::write(part, vec![b'x'; length]).unwrap();
        }
        let server = hub(|_, reply| reply);
        let done = epicene(directory.path())
            .args(shard(1))
            .env("HF_ENDPOINT", &server.url)
            .output()
            .unwrap();
        assert_eq!(code(&done), 0, "{length}: {}", stderr(&done));
        assert_eq!(tree(&directory.path().join("hub")), expected, "{length}");
    }
}

#[test]
fn servers_that_lie_stall_or_never_end_leave_no_file() {
    type Spoil = fn(Reply) -> Reply;
    let spoils: [(&str, Spoil, &str); 6] = [
        (
            "other bytes of the same length",
            |mut reply| {
                reply.body.fill(b' ');
                reply
            },
            "the git SHA-1 is",
        ),
        (
            "an end before the end",
            |mut reply| {
                reply.length = Some(reply.body.len() as u64);
                reply.body.truncate(reply.body.len() / 2);
                reply.body.truncate(10);
                reply
            },
            "",
        ),
        (
            "no end",
            |mut reply| {
                reply.endless = true;
                reply
            },
            "the server sends more than",
        ),
        (
            "silence",
            |mut reply| {
                reply.length = Some(reply.body.len() as u64);
                reply.body.truncate(10);
                reply.stalls = true;
                reply
            },
            "nothing came for 5 s",
        ),
        (
            "a size nobody has",
            |mut reply| {
                reply.length = Some(1 << 50);
                reply
            },
            "such a file may have",
        ),
        (
            "an error",
            |_| Reply::new(500, "oh"),
            "the server answered 500",
        ),
    ];
    for (name, spoil, message) in spoils {
        let directory = tempfile::tempdir().unwrap();
        data(directory.path());
        let server = hub(move |request, reply| {
            let spoilt = request.method == "GET" || name == "a size nobody has";
            if spoilt && request.path.ends_with("/config.json") {
                spoil(reply)
            } else {
                reply
            }
        });
        let done = epicene(directory.path())
            .args(shard(1))
            .env("HF_ENDPOINT", &server.url)
            .env("EPICENE_HTTP_TIMEOUT", "5")
            .env("EPICENE_HTTP_ATTEMPTS", "1")
            .output()
            .unwrap();
        let said = stderr(&done);
        assert_eq!(code(&done), 2, "{name}: {said}");
        assert!(said.contains(message), "{name}: {said}");
        assert!(
            said.len() < 2000 && !said.contains("panicked"),
            "{name}: {said}"
        );
        let left = tree(&directory.path().join("hub"));
        for (path, bytes) in &left {
            let shown = path.display().to_string();
            assert!(
                shown.ends_with(".incomplete") || shown.ends_with(".lock"),
                "{name}: {shown} is left"
            );
            assert!(bytes.len() < 1 << 20, "{name}: {} bytes", bytes.len());
        }
        // The same command with a good hub ends as if nothing had been.
        let server = hub(|_, reply| reply);
        let done = epicene(directory.path())
            .args(shard(1))
            .env("HF_ENDPOINT", &server.url)
            .output()
            .unwrap();
        assert_eq!(code(&done), 0, "{name}: {}", stderr(&done));
    }
}

/// The token goes to the hub and to nobody it points to.
#[test]
fn the_token_stays_with_the_hub() {
    let directory = tempfile::tempdir().unwrap();
    data(directory.path());
    let leaked = Arc::new(AtomicUsize::new(0));
    let seen = Arc::clone(&leaked);
    let elsewhere = Server::start(move |request| {
        if request
            .headers
            .iter()
            .any(|(_, value)| value.contains("hf_secret"))
        {
            seen.fetch_add(1, Ordering::SeqCst);
        }
        hub_reply(request, "")
    });
    let store = elsewhere.url.clone();
    let server = Server::start(move |request| {
        assert_eq!(request.header("authorization"), Some("Bearer hf_secret"));
        hub_reply(request, &store)
    });
    let done = epicene(directory.path())
        .args(shard(1))
        .env("HF_ENDPOINT", &server.url)
        .env("HF_TOKEN", "hf_secret")
        .output()
        .unwrap();
    assert_eq!(code(&done), 0, "{}", stderr(&done));
    assert_eq!(leaked.load(Ordering::SeqCst), 0);
}
