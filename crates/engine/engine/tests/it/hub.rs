//! Models by name, against a hub on this machine: the cache's layout, offline use, refusals.

use crate::support;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use epicene_checkpoint::{CheckpointError, Hub};
use epicene_engine::seq2seq::{Seq2Seq, Seq2SeqOptions};
use epicene_engine::{EngineOptions, LmError, ModelSpec, System};
use epicene_io::{Checksum, sha256_hex};

const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

/// Serves `/org/tiny/resolve/REVISION/FILE` from a directory; weights by redirect, as the hub does.
struct Server {
    address: String,
    requests: Arc<AtomicUsize>,
    tokens: Arc<Mutex<Vec<String>>>,
    files: Arc<Mutex<Vec<String>>>,
}

fn serve(directory: PathBuf) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let requests = Arc::new(AtomicUsize::new(0));
    let tokens = Arc::new(Mutex::new(Vec::new()));
    let files = Arc::new(Mutex::new(Vec::new()));
    let (count, seen, base) = (requests.clone(), tokens.clone(), address.clone());
    let asked = files.clone();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            count.fetch_add(1, Ordering::Relaxed);
            let file = answer(stream.unwrap(), &directory, &base, &seen);
            asked.lock().unwrap().push(file);
        }
    });
    Server {
        address,
        requests,
        tokens,
        files,
    }
}

/// The file that was asked for.
fn answer(
    mut stream: TcpStream,
    directory: &Path,
    base: &str,
    tokens: &Mutex<Vec<String>>,
) -> String {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut first = String::new();
    reader.read_line(&mut first).unwrap();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        if let Some(token) = line.to_lowercase().strip_prefix("authorization: ") {
            tokens.lock().unwrap().push(token.trim().to_owned());
        }
        if line.trim().is_empty() {
            break;
        }
    }
    let mut parts = first.split_whitespace();
    let (method, path) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""));
    let file = path.rsplit('/').next().unwrap_or("");
    let known = path.starts_with("/org/tiny/resolve/") || path.starts_with("/store/");
    let Some(bytes) = fs::read(directory.join(file)).ok().filter(|_| known) else {
        let head = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
        stream.write_all(head.as_bytes()).unwrap();
        return file.to_owned();
    };
    // As the hub has it: small files by git's hash, large ones by their SHA-256.
    let git = Checksum::Git(String::new());
    let etag = git.of(&bytes[..], bytes.len() as u64).unwrap();
    let linked = sha256_hex(&bytes);
    let etag = match file {
        "special_tokens_map.json" if directory.join("unhashed").exists() => "no-hash".to_owned(),
        _ => etag,
    };
    let about = format!("X-Repo-Commit: {COMMIT}\r\nETag: \"{etag}\"\r\nConnection: close\r\n");
    let head = if file.ends_with(".safetensors") && !path.starts_with("/store/") {
        format!(
            "HTTP/1.1 302 Found\r\n{about}X-Linked-Size: {}\r\nX-Linked-Etag: \"{linked}\"\r\nLocation: {base}/store/{file}\r\nContent-Length: 0\r\n\r\n",
            bytes.len()
        )
    } else {
        format!(
            "HTTP/1.1 200 OK\r\n{about}Content-Length: {}\r\n\r\n",
            bytes.len()
        )
    };
    stream.write_all(head.as_bytes()).unwrap();
    if method == "GET" && head.starts_with("HTTP/1.1 200") {
        let _ = stream.write_all(&bytes);
    }
    file.to_owned()
}

fn hub(server: &Server, cache: &Path) -> Hub {
    Hub {
        cache: cache.to_owned(),
        endpoint: server.address.clone(),
        token: Some("secret".to_owned()),
        offline: false,
        stamps: Some(cache.join("stamps")),
    }
}

#[test]
fn a_model_is_fetched_once_and_found_offline() {
    let server = serve(support::directory("bert"));
    let cache = tempfile::tempdir().unwrap();
    let mut hub = hub(&server, cache.path());
    let spec: ModelSpec = "hf:org/tiny".parse().unwrap();
    let model = spec
        .open_from(&hub, EngineOptions::default(), &|_| {})
        .unwrap();
    assert_eq!(model.card().name, "tiny");
    assert_eq!(model.card().source, "hf:org/tiny");
    assert_eq!(model.card().revision.as_deref(), Some(COMMIT));
    let folder = cache.path().join("models--org--tiny");
    assert_eq!(
        fs::read_to_string(folder.join("refs/main")).unwrap(),
        COMMIT
    );
    let weights = fs::read(support::directory("bert").join("model.safetensors")).unwrap();
    assert!(folder.join("blobs").join(sha256_hex(&weights)).exists());
    assert!(
        folder
            .join("snapshots")
            .join(COMMIT)
            .join("model.safetensors")
            .exists()
    );
    assert_eq!(server.tokens.lock().unwrap()[0], "bearer secret");

    let before = server.requests.load(Ordering::Relaxed);
    hub.offline = true;
    spec.open_from(&hub, EngineOptions::default(), &|_| {})
        .unwrap();
    let exact: ModelSpec = format!("hf:org/tiny@{COMMIT}").parse().unwrap();
    hub.offline = false;
    exact
        .open_from(&hub, EngineOptions::default(), &|_| {})
        .unwrap();
    assert_eq!(
        server.requests.load(Ordering::Relaxed),
        before,
        "asked again"
    );

    // A hub that cannot be reached: what was fetched before still works.
    hub.endpoint = "http://127.0.0.1:9".to_owned();
    spec.open_from(&hub, EngineOptions::default(), &|_| {})
        .unwrap();
}

#[test]
fn the_size_of_a_download_is_known_before_it() {
    let server = serve(support::directory("bert"));
    let cache = tempfile::tempdir().unwrap();
    let mut hub = hub(&server, cache.path());
    let weights = support::directory("bert").join("model.safetensors");
    let weights = fs::metadata(weights).unwrap().len();
    let size = hub.bytes_to_fetch("org/tiny", "main").unwrap();
    assert_eq!(size, Some(weights));
    let spec: ModelSpec = "hf:org/tiny".parse().unwrap();
    spec.open_from(&hub, EngineOptions::default(), &|_| {})
        .unwrap();
    assert_eq!(hub.bytes_to_fetch("org/tiny", "main").unwrap(), Some(0));
    hub.offline = true;
    let error = hub.bytes_to_fetch("org/other", "main").unwrap_err();
    assert!(
        matches!(error, CheckpointError::Offline { .. }),
        "{error:?}"
    );
}

#[cfg(unix)]
#[test]
fn damage_in_the_cache_is_found_and_files_are_hashed_once() {
    let server = serve(support::directory("bert"));
    let cache = tempfile::tempdir().unwrap();
    let mut hub = hub(&server, cache.path());
    let spec: ModelSpec = "hf:org/tiny".parse().unwrap();
    let open = |hub: &Hub| spec.open_from(hub, EngineOptions::default(), &|_| {});
    open(&hub).unwrap();
    hub.offline = true;
    let snapshot = cache
        .path()
        .join("models--org--tiny/snapshots")
        .join(COMMIT);
    let stamps = |folder: &Path| fs::read_dir(folder).unwrap().count();
    let files = fs::read_dir(&snapshot).unwrap().count();
    assert_eq!(stamps(&cache.path().join("stamps")), files);
    for (file, place) in [
        ("model.safetensors", 5000),
        ("config.json", 3),
        ("tokenizer.json", 100),
    ] {
        let blob = fs::canonicalize(snapshot.join(file)).unwrap();
        let whole = fs::read(&blob).unwrap();
        let mut damaged = whole.clone();
        damaged[place] ^= 1;
        fs::write(&blob, damaged).unwrap();
        let error = open(&hub).unwrap_err();
        assert!(
            error.to_string().contains("damaged in the cache"),
            "{file}: {error}"
        );
        assert!(
            error.to_string().contains(file) && error.hint().is_some(),
            "{error}"
        );
        fs::write(&blob, whole).unwrap();
        open(&hub).unwrap();
    }
    // What another tool put there without a hash is said on the card.
    let config = snapshot.join("config.json");
    let copy = fs::read(&config).unwrap();
    fs::remove_file(&config).unwrap();
    fs::write(&config, copy).unwrap();
    assert_eq!(open(&hub).unwrap().card().source, "hf:org/tiny,unverified");
}

#[test]
fn a_server_that_names_no_hash_is_refused() {
    let place = tempfile::tempdir().unwrap();
    for file in fs::read_dir(support::directory("bert")).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), place.path().join(file.file_name())).unwrap();
    }
    fs::write(place.path().join("special_tokens_map.json"), "{}").unwrap();
    fs::write(place.path().join("unhashed"), "").unwrap();
    let server = serve(place.path().to_owned());
    let cache = tempfile::tempdir().unwrap();
    let spec: ModelSpec = "hf:org/tiny".parse().unwrap();
    let opened = spec.open_from(
        &hub(&server, cache.path()),
        EngineOptions::default(),
        &|_| {},
    );
    let error = opened.unwrap_err().to_string();
    assert!(error.contains("`no-hash`, which is no hash"), "{error}");
}

#[test]
fn shards_are_fetched_by_their_index() {
    let server = serve(support::directory("gpt2-sharded"));
    let cache = tempfile::tempdir().unwrap();
    let spec: ModelSpec = "hf:org/tiny".parse().unwrap();
    let model = spec.open_from(
        &hub(&server, cache.path()),
        EngineOptions::default(),
        &|_| {},
    );
    assert!(model.is_ok(), "{:?}", model.err());
}

#[test]
fn what_is_not_there_is_said() {
    let server = serve(support::directory("bert"));
    let cache = tempfile::tempdir().unwrap();
    let mut hub = hub(&server, cache.path());
    let spec: ModelSpec = "hf:org/other".parse().unwrap();
    let error = spec
        .open_from(&hub, EngineOptions::default(), &|_| {})
        .unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("hf:org/other: no config.json there"),
        "{error}"
    );
    hub.offline = true;
    let error = spec
        .open_from(&hub, EngineOptions::default(), &|_| {})
        .unwrap_err();
    assert!(matches!(
        error,
        LmError::Checkpoint(CheckpointError::Offline { .. })
    ));
    let pickled = tempfile::tempdir().unwrap();
    for file in ["config.json", "tokenizer.json"] {
        fs::copy(
            support::directory("bert").join(file),
            pickled.path().join(file),
        )
        .unwrap();
    }
    fs::write(pickled.path().join("pytorch_model.bin"), b"x").unwrap();
    let server = serve(pickled.path().to_owned());
    hub.offline = false;
    hub.endpoint = server.address.clone();
    let spec: ModelSpec = "hf:org/tiny".parse().unwrap();
    let error = spec
        .open_from(&hub, EngineOptions::default(), &|_| {})
        .unwrap_err();
    assert!(
        matches!(error, LmError::Checkpoint(CheckpointError::Pickled { .. })),
        "{error}"
    );
}

/// Weights are large: a configuration that is not read is refused before any of them is asked for.
#[test]
fn what_is_not_read_is_refused_before_its_weights_are_fetched() {
    let quantised = r#"{"model_type": "bert", "quantization_config": {"quant_method": "gptq"}}"#;
    for (config, wanted, translating) in [
        (
            r#"{"model_type": "mamba"}"#,
            "`mamba` (a state-space model)",
            "`mamba`",
        ),
        (
            r#"{"model_type": "nllb-moe"}"#,
            "the largest NLLB",
            "facebook/nllb-200-3.3B is read",
        ),
        (
            r#"{"model_type": "m2m_100"}"#,
            "`m2m_100` is a translation model",
            "",
        ),
        (
            r#"{"model_type": "llama"}"#,
            "",
            "`llama` is a causal model, which translates only when",
        ),
        (
            quantised,
            "quantised weights (gptq)",
            "a masked model, which writes nothing",
        ),
    ] {
        let place = tempfile::tempdir().unwrap();
        for file in ["tokenizer.json", "model.safetensors"] {
            let from = support::directory("bert").join(file);
            fs::copy(from, place.path().join(file)).unwrap();
        }
        fs::write(place.path().join("config.json"), config).unwrap();
        let server = serve(place.path().to_owned());
        let spec: ModelSpec = "hf:org/tiny".parse().unwrap();
        let refusal = |error: LmError, wanted: &str| {
            let files = server.files.lock().unwrap();
            assert!(files.iter().all(|file| file == "config.json"), "{files:?}");
            assert!(error.to_string().contains(wanted), "{error}");
            assert!(error.hint().is_some());
        };
        if !wanted.is_empty() {
            let cache = tempfile::tempdir().unwrap();
            let hub = hub(&server, cache.path());
            let opened = spec.open_from(&hub, EngineOptions::default(), &|_| {});
            refusal(opened.unwrap_err(), wanted);
        }
        if !translating.is_empty() {
            let cache = tempfile::tempdir().unwrap();
            let hub = hub(&server, cache.path());
            let opened = Seq2Seq::load_from(&hub, &spec, Seq2SeqOptions::default(), &|_| {});
            refusal(opened.unwrap_err(), translating);
        }
    }
}

/// A translation model has other files: no `tokenizer.json`, but SentencePiece models and a vocabulary.
#[test]
fn a_translation_model_is_fetched_once_and_found_offline() {
    let place = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/seq2seq/marian");
    let server = serve(place.clone());
    let cache = tempfile::tempdir().unwrap();
    let mut hub = hub(&server, cache.path());
    let spec: ModelSpec = "hf:org/tiny".parse().unwrap();
    let model = Seq2Seq::load_from(&hub, &spec, Seq2SeqOptions::default(), &|_| {}).unwrap();
    assert_eq!(model.card().source, "hf:org/tiny");
    assert_eq!(model.card().revision.as_deref(), Some(COMMIT));
    let snapshot = cache
        .path()
        .join("models--org--tiny/snapshots")
        .join(COMMIT);
    for file in [
        "source.spm",
        "target.spm",
        "vocab.json",
        "generation_config.json",
    ] {
        assert!(snapshot.join(file).exists(), "{file}");
    }
    hub.offline = true;
    let asked = server.requests.load(Ordering::Relaxed);
    let again = Seq2Seq::load_from(&hub, &spec, Seq2SeqOptions::default(), &|_| {}).unwrap();
    assert_eq!(server.requests.load(Ordering::Relaxed), asked);
    let here = Seq2Seq::open(&place, Seq2SeqOptions::default()).unwrap();
    let wanted = here.translate(&["I was tired."], "en", "de").unwrap();
    assert_eq!(
        again.translate(&["I was tired."], "en", "de").unwrap(),
        wanted
    );
    assert_eq!(model.decoding(), here.decoding());
}
