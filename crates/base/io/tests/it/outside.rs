//! What comes from outside damaged, hostile or too large: packed files with flipped bits, tables that grow, servers that
//! repeat keys, send other encodings or ask to wait for ever, links planted in caches.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use epicene_io::download::{Downloader, Wanted};
use epicene_io::http::{Client, HttpError, Request, RetryPolicy, Secret};
use epicene_io::pool::{Endpoint, Pool};
use epicene_io::session::Session;
use epicene_io::stop::StopFlag;
use epicene_io::{Checksum, bounded, input, sha256_hex};

#[global_allocator]
static ALLOCATOR: bounded::BoundedAllocator = bounded::BoundedAllocator;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/tables")
        .join(name)
}

/// A generator of numbers that is the same every time (SplitMix64).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % limit as u64) as usize
    }
}

#[test]
fn no_flipped_bit_of_a_packed_file_changes_a_text() {
    let plain = std::fs::read_to_string(file("packed.txt")).unwrap();
    for packing in ["gz", "xz", "zst"] {
        let name = format!("packed.{packing}");
        let whole = std::fs::read(file(&name)).unwrap();
        let read = |bytes: &[u8]| input::read_text_from(&name, &name, bytes);
        assert_eq!(read(&whole).unwrap().text, plain);
        let mut numbers = Numbers(37);
        let mut refused = 0;
        for _ in 0..200 {
            let bit = numbers.below(whole.len() * 8);
            let mut flipped = whole.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            match read(&flipped) {
                // Some bits say nothing about the text: a time, a level, the system it was packed on.
                Ok(found) => assert_eq!(found.text, plain, "{name}, bit {bit}"),
                Err(_) => refused += 1,
            }
        }
        assert!(refused > 150, "{name}: {refused}");
    }
}

#[test]
fn no_flipped_bit_of_a_checked_page_changes_a_cell() {
    for name in ["checksums.parquet", "checksums.v2.parquet"] {
        let whole = std::fs::read(file(name)).unwrap();
        let read = |bytes: &[u8]| input::read_text_from(name, name, bytes);
        let plain = read(&whole).unwrap().text;
        assert_eq!(plain.lines().count(), 60);
        // The pages; behind them is the list of columns, which has no checksum.
        let length = whole.len();
        let footer = u32::from_le_bytes(whole[length - 8..length - 4].try_into().unwrap());
        let pages = length - 8 - footer as usize;
        let mut numbers = Numbers(11);
        let mut refused = 0;
        for _ in 0..200 {
            let bit = 4 * 8 + numbers.below((pages - 4) * 8);
            let mut flipped = whole.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            match read(&flipped) {
                Ok(found) => assert_eq!(found.text, plain, "{name}, bit {bit}"),
                Err(_) => refused += 1,
            }
        }
        assert!(refused > 150, "{name}: {refused}");
    }
}

#[test]
fn frames_to_skip_are_skipped_and_frames_follow_each_other() {
    let plain = std::fs::read_to_string(file("packed.txt")).unwrap();
    let frame = std::fs::read(file("packed.zst")).unwrap();
    let skip = |kind: u8, content: &[u8]| {
        let length = (content.len() as u32).to_le_bytes();
        [&[0x50 + kind, 0x2a, 0x4d, 0x18], &length[..], content].concat()
    };
    let read = |bytes: &[u8]| input::read_text_from("x.zst", "x.zst", bytes);
    for kind in 0..16 {
        let file = [
            skip(kind, b"pzstd"),
            frame.clone(),
            skip(15 - kind, &vec![7; 100_000]),
            skip(kind, b""),
            frame.clone(),
            skip(kind, b"end"),
        ];
        assert_eq!(
            read(&file.concat()).unwrap().text,
            format!("{plain}{plain}")
        );
    }
    let mut cut = [frame.clone(), skip(0, b"a long note")].concat();
    cut.truncate(cut.len() - 3);
    assert!(read(&cut).is_err());
    // A frame whose checksum is of another text.
    let mut wrong = frame.clone();
    let last = wrong.len() - 1;
    wrong[last] ^= 0x40;
    let error = read(&wrong).unwrap_err();
    assert!(error.message.contains("checksum"), "{error}");
    let two = [wrong, frame].concat();
    assert!(read(&two).is_err());
}

#[test]
fn a_small_table_with_millions_of_rows_is_refused() {
    let bomb = std::fs::read(file("bomb.parquet")).unwrap();
    assert!(bomb.len() < 8000);
    let error = input::read_text_from("bomb.parquet", "bomb.parquet", &bomb[..]).unwrap_err();
    assert!(
        error.message.contains("unpacks to more than 64 MiB"),
        "{error}"
    );
    assert!(error.hint.unwrap().contains("--max-input"));
}

/// Answers every request with these bytes; counts them.
fn server(reply: impl Fn(usize, &str) -> Vec<u8> + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for (count, stream) in listener.incoming().flatten().enumerate() {
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let (mut first, mut length) = (String::new(), 0);
            let _ = reader.read_line(&mut first);
            loop {
                let mut line = String::new();
                if reader.read_line(&mut line).unwrap_or(0) == 0 || line.trim().is_empty() {
                    break;
                }
                if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                    length = value.trim().parse().unwrap();
                }
            }
            let _ = reader.read_exact(&mut vec![0; length]);
            let _ = (&stream).write_all(&reply(count, first.trim()));
        }
    });
    url
}

fn response(status: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "HTTP/1.1 {status}\r\n{headers}Content-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}

fn policy(attempts: u32) -> RetryPolicy {
    RetryPolicy {
        attempts,
        pause: Duration::from_millis(1),
        timeout: Duration::from_secs(20),
    }
}

fn post(client: &Client, url: &str) -> Result<String, HttpError> {
    let request = |_| Request {
        url: url.to_owned(),
        headers: Vec::new(),
        body: "{}".to_owned(),
    };
    client.post(request, |text| Ok(text.to_owned()))
}

/// The longest piece of a key in a text.
fn shared(text: &str, key: &str) -> usize {
    let found = (1..=key.len()).rev().find(|length| {
        (0..=key.len() - length).any(|start| text.contains(&key[start..start + length]))
    });
    found.unwrap_or(0)
}

#[test]
fn no_message_shows_more_than_four_characters_of_a_key() {
    // No four letters of it are in any message of ours.
    let key = "sk-Q7zX0vJ9-wK3qYb5ZtG8xW1jVc6kQzR2-J4xVq7Zk0wYjXG";
    assert_eq!(key.len(), 50);
    let body: Arc<Mutex<Vec<u8>>> = Arc::default();
    let sent = body.clone();
    let url = server(move |_, _| sent.lock().unwrap().clone());
    let client = Client::new(policy(1), vec![Secret::new(key.to_owned())]);
    let bare = Client::new(policy(1), Vec::new());
    let place = Endpoint {
        base: url.clone(),
        limit: 1,
    };
    let pool = Pool::new(vec![place], policy(1), vec![Secret::new(key.to_owned())]);
    let downloader = Downloader::new(policy(1), Some(Secret::new(key.to_owned())));
    let folder = tempfile::tempdir().unwrap();
    let (part, kept) = (folder.path().join("part"), folder.path().join("kept"));
    let mut numbers = Numbers(5);
    let mut shown = 0;
    for round in 0..1000 {
        // Around the 200 characters at which messages are cut, and anywhere else.
        let before = match round % 3 {
            0 => 140 + numbers.below(70),
            1 => numbers.below(400),
            _ => numbers.below(70_000),
        };
        let filler = |count: usize| ". ".repeat(count / 2) + &".".repeat(count % 2);
        let quoted = format!("{}{key}{}", filler(before), filler(numbers.below(300)));
        let short: String = quoted.chars().skip(before.saturating_sub(500)).collect();
        let short = short.replace(' ', "/");
        *body.lock().unwrap() = match round % 7 {
            0 => response("401 No", "", quoted.as_bytes()),
            1 => response("500 No", "", quoted.as_bytes()),
            2 => response(
                "302 Found",
                &format!("Location: https://x/{short}\r\n"),
                b"",
            ),
            3 => response(
                "429 Wait",
                &format!("Retry-After: {short}\r\n"),
                quoted.as_bytes(),
            ),
            4 => response(&format!("403 {short}"), "", quoted.as_bytes()),
            5 => format!("HTTP/1.1 {short}\r\n\r\n").into_bytes(),
            _ => response("200 OK", "", format!("{quoted}\u{e9}").as_bytes()),
        };
        let refuse = |text: &str| Err::<String, String>(format!("cannot read {text}"));
        let request = |url: &str| Request {
            url: url.to_owned(),
            headers: Vec::new(),
            body: String::new(),
        };
        let keyed = format!("{url}/v1?key={key}");
        let error = match round % 5 {
            0 => client.post(|_| request(&url), refuse).unwrap_err(),
            1 => pool.post(request, refuse).unwrap_err(),
            // The key is in the address alone, and nobody says that it is one.
            2 => bare.post(|_| request(&keyed), refuse).unwrap_err(),
            3 => client.post(|_| request(&keyed), refuse).unwrap_err(),
            _ => {
                let wanted = Wanted {
                    url: &keyed,
                    length: Some(10),
                    largest: 10,
                    checksum: Some(Checksum::Sha256("0".repeat(64))),
                };
                downloader
                    .fetch(&wanted, &part, &kept, &|_| {})
                    .unwrap_err()
            }
        };
        let HttpError { url, message, .. } = &error;
        for text in [url, message] {
            assert!(shared(text, key) <= 4, "{round}: {text}");
        }
        shown += usize::from(message.contains('…'));
    }
    // The keys were there to be shown.
    assert!(shown > 300, "{shown}");
}

#[test]
fn an_answer_in_another_encoding_is_refused_with_its_place() {
    let url = server(|_, _| response("200 OK", "", b"{\"text\": \"caf\xe9\"}"));
    let error = post(&Client::new(policy(3), Vec::new()), &url).unwrap_err();
    assert_eq!(error.message, "the answer is not UTF-8 (byte 13 of 16)");
    // An error is shown all the same.
    let url = server(|_, _| response("400 Bad", "", b"caf\xe9"));
    let error = post(&Client::new(policy(3), Vec::new()), &url).unwrap_err();
    assert!(error.message.contains("400"), "{}", error.message);
}

#[test]
fn a_server_that_asks_to_wait_for_ever_is_waited_for_in_the_open() {
    let seen: Arc<Mutex<Vec<String>>> = Arc::default();
    let kept = Arc::clone(&seen);
    let show = move |reason: &str| kept.lock().unwrap().push(reason.to_owned());
    let session = Session::new(StopFlag::default(), None, Arc::new(()), show);
    let url = server(|_, _| response("429 Slow", "Retry-After: 10000000000000000000\r\n", b"busy"));
    let asked = url.clone();
    let waiter = std::thread::spawn(move || {
        let _entered = session.enter();
        post(&Client::new(policy(2), Vec::new()), &asked).unwrap_err()
    });
    let shown = |wanted: &str| {
        seen.lock()
            .unwrap()
            .iter()
            .any(|reason| reason.contains(wanted))
    };
    // Whether it is shown decides, not when: the wait itself lasts a minute.
    while !shown("asks to wait 10000000000000000000 s") {
        assert!(!waiter.is_finished(), "the wait was not shown");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(shown(&url) && shown("429"), "{:?}", seen.lock().unwrap());
}

#[cfg(unix)]
#[test]
fn a_link_planted_in_a_cache_is_not_written_through() {
    let contents = b"the weights";
    let url = server(move |_, _| response("200 OK", "", contents));
    let folder = tempfile::tempdir().unwrap();
    let victim = folder.path().join("victim");
    std::fs::write(&victim, "mine").unwrap();
    let (part, place) = (folder.path().join("x.incomplete"), folder.path().join("x"));
    let fetch = || {
        let wanted = Wanted {
            url: &url,
            length: Some(contents.len() as u64),
            largest: 100,
            checksum: Some(Checksum::Sha256(sha256_hex(contents))),
        };
        Downloader::new(policy(1), None).fetch(&wanted, &part, &place, &|_| {})
    };
    for target in [
        victim.clone(),
        folder.path().join("missing"),
        PathBuf::from("/dev/zero"),
    ] {
        std::os::unix::fs::symlink(&target, &part).unwrap();
        let fetched = fetch();
        assert_eq!(std::fs::read_to_string(&victim).unwrap(), "mine");
        assert!(!folder.path().join("missing").exists());
        fetched.unwrap();
        assert_eq!(std::fs::read(&place).unwrap(), contents);
        assert!(!place.is_symlink());
        std::fs::remove_file(&place).unwrap();
    }
    let lock = folder.path().join("x.lock");
    std::os::unix::fs::symlink(&victim, &lock).unwrap();
    let error = epicene_io::download::lock(&lock).unwrap_err();
    assert!(error.to_string().contains("symbolic link"), "{error}");
}
