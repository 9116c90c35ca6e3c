//! Servers that die, stumble, dawdle and come back, behind one pool.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use epicene_io::http::{HttpError, Request, RetryPolicy};
use epicene_io::pool::{Endpoint, Pool};

/// Answers with the body it was sent.
struct Server {
    url: String,
    count: Arc<AtomicUsize>,
    busiest: Arc<AtomicUsize>,
    /// Connections are dropped without an answer.
    dead: Arc<AtomicBool>,
}

type Reply = (u16, String);

/// Milliseconds until an answer that nobody may wait for, and a time that is far shorter and long enough for anything else on
/// a busy machine.
const NEVER: u64 = 3_600_000;
const PATIENCE: Duration = Duration::from_secs(300);

fn start(delay: Duration, reply: impl Fn(usize, &str) -> Reply + Send + Sync + 'static) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let server = Server {
        url: format!("http://{}", listener.local_addr().unwrap()),
        count: Arc::default(),
        busiest: Arc::default(),
        dead: Arc::default(),
    };
    let (count, busiest, dead) = (
        Arc::clone(&server.count),
        Arc::clone(&server.busiest),
        Arc::clone(&server.dead),
    );
    let (busy, reply) = (Arc::new(AtomicUsize::new(0)), Arc::new(reply));
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let (count, busiest, busy) =
                (Arc::clone(&count), Arc::clone(&busiest), Arc::clone(&busy));
            let (reply, dead) = (Arc::clone(&reply), Arc::clone(&dead));
            std::thread::spawn(move || {
                if dead.load(Ordering::SeqCst) {
                    return;
                }
                let now = busy.fetch_add(1, Ordering::SeqCst) + 1;
                busiest.fetch_max(now, Ordering::SeqCst);
                let number = count.fetch_add(1, Ordering::SeqCst);
                answer(stream, delay, &dead, |body| {
                    // Before the answer is out: the next request may follow it at once.
                    busy.fetch_sub(1, Ordering::SeqCst);
                    reply(number, body)
                });
            });
        }
    });
    server
}

fn answer(
    mut stream: TcpStream,
    delay: Duration,
    dead: &AtomicBool,
    reply: impl Fn(&str) -> Reply,
) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap_or(0) == 0 || line.trim().is_empty() {
            break;
        }
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    if reader.read_exact(&mut body).is_err() {
        return;
    }
    std::thread::sleep(delay);
    if dead.load(Ordering::SeqCst) {
        return;
    }
    let (status, text) = reply(&String::from_utf8(body).unwrap());
    let _ = write!(
        stream,
        "HTTP/1.1 {status} X\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{text}",
        text.len()
    );
}

fn good(delay: u64) -> Server {
    start(Duration::from_millis(delay), |_, body| {
        (200, body.to_owned())
    })
}

fn pool(servers: &[&Server], limit: usize, attempts: u32) -> Pool {
    let place = |server: &&Server| Endpoint {
        base: server.url.clone(),
        limit,
    };
    let policy = RetryPolicy {
        attempts,
        pause: Duration::from_millis(20),
        timeout: Duration::from_secs(600),
    };
    Pool::new(servers.iter().map(place).collect(), policy, Vec::new())
}

fn ask(pool: &Pool, text: &str) -> Result<String, HttpError> {
    let request = |base: &str| Request {
        url: base.to_owned(),
        headers: Vec::new(),
        body: text.to_owned(),
    };
    pool.post(request, |answer| Ok(answer.to_owned()))
}

/// Many requests at once; every answer must be its own.
fn ask_many(pool: &Pool, count: usize) -> Result<Duration, HttpError> {
    let began = Instant::now();
    let failed = Mutex::new(None);
    std::thread::scope(|scope| {
        for number in 0..count {
            let failed = &failed;
            scope.spawn(move || match ask(pool, &number.to_string()) {
                Ok(answer) => assert_eq!(answer, number.to_string()),
                Err(error) => *failed.lock().unwrap() = Some(error),
            });
        }
    });
    match failed.into_inner().unwrap() {
        Some(error) => Err(error),
        None => Ok(began.elapsed()),
    }
}

#[test]
fn two_servers_share_the_work_within_their_limits() {
    let (one, other) = (good(5), good(5));
    let pool = pool(&[&one, &other], 3, 3);
    ask_many(&pool, 200).unwrap();
    for server in [&one, &other] {
        // How many each gets depends on how busy the machine is.
        assert!(server.count.load(Ordering::SeqCst) > 10);
        assert!(server.busiest.load(Ordering::SeqCst) <= 3);
    }
}

#[test]
fn a_slow_server_does_not_hold_a_fast_one_up() {
    let (fast, slow) = (good(10), good(NEVER));
    let both = pool(&[&slow, &fast], 8, 3);
    let together = ask_many(&both, 600).unwrap();
    // The fast server takes a second for them; whoever waits for the slow one waits longer than this.
    assert!(together < PATIENCE, "{together:?}");
    // One request finds out how slow it is.
    assert!(slow.count.load(Ordering::SeqCst) <= 2);
}

#[test]
fn when_one_dies_the_others_take_over_and_it_is_taken_back() {
    let (one, other) = (good(2), good(2));
    let pool = pool(&[&one, &other], 4, 3);
    ask_many(&pool, 40).unwrap();
    one.dead.store(true, Ordering::SeqCst);
    ask_many(&pool, 100).unwrap();
    let before = one.count.load(Ordering::SeqCst);
    one.dead.store(false, Ordering::SeqCst);
    let began = Instant::now();
    while one.count.load(Ordering::SeqCst) < before + 10 {
        ask_many(&pool, 20).unwrap();
        assert!(began.elapsed() < PATIENCE, "it was not asked again");
    }
    // All dead: an error soon, and in words.
    one.dead.store(true, Ordering::SeqCst);
    other.dead.store(true, Ordering::SeqCst);
    let error = ask_many(&pool, 20).unwrap_err();
    assert!(
        error.message.contains("none of the 2 servers answers"),
        "{}",
        error.message
    );
}

#[test]
fn stumbles_are_tried_again_and_refusals_are_not() {
    let shaky = start(Duration::ZERO, |number, body| match number % 3 {
        2 => (503, "wait".to_owned()),
        _ => (200, body.to_owned()),
    });
    ask_many(&pool(&[&shaky], 4, 12), 60).unwrap();

    let refusing = start(Duration::ZERO, |_, _| (400, "too long".to_owned()));
    let fine = good(0);
    let error = ask(&pool(&[&refusing], 4, 4), "x").unwrap_err();
    assert_eq!(
        (error.status, refusing.count.load(Ordering::SeqCst)),
        (Some(400), 1)
    );
    assert!(error.message.contains("too long"));

    // A server's own error that is the same twice is no stumble; a plain 500 may be one.
    let said = r#"{"error":{"message":"","type":"internal_server_error"}}"#;
    for (text, times) in [(said, 2), ("oops", 4)] {
        let broken = start(Duration::ZERO, move |_, _| (500, text.to_owned()));
        let error = ask(&pool(&[&broken], 4, 4), "x").unwrap_err();
        assert_eq!(
            (error.status, broken.count.load(Ordering::SeqCst)),
            (Some(500), times)
        );
    }
    assert_eq!(ask(&pool(&[&fine], 1, 1), "x").unwrap(), "x");
}

#[test]
fn an_answer_that_cannot_be_read_is_asked_for_again() {
    let garbled = start(Duration::ZERO, |number, body| match number {
        0 => (200, "<html>".to_owned()),
        _ => (200, body.to_owned()),
    });
    let pool = pool(&[&garbled], 4, 3);
    let request = |base: &str| Request {
        url: base.to_owned(),
        headers: Vec::new(),
        body: "7".to_owned(),
    };
    let read = |text: &str| text.parse::<u32>().map_err(|error| error.to_string());
    assert_eq!(pool.post(request, read).unwrap(), 7);
}

/// Lists of prompts are refused like this by servers that take none; another server would say the same, later.
#[test]
fn a_settled_refusal_does_not_wait_for_a_slow_server() {
    let said = r#"{"error":{"message":"","type":"internal_server_error"}}"#;
    let fast = start(Duration::from_millis(5), move |_, body| match body {
        "list" => (500, said.to_owned()),
        _ => (200, body.to_owned()),
    });
    let slow = good(NEVER);
    let pool = pool(&[&slow, &fast], 8, 3);
    let began = Instant::now();
    assert_eq!(ask(&pool, "x").unwrap(), "x");
    assert_eq!(ask(&pool, "list").unwrap_err().status, Some(500));
    assert_eq!(ask(&pool, "y").unwrap(), "y");
    assert!(began.elapsed() < PATIENCE, "{:?}", began.elapsed());
}
