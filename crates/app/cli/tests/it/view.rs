//! `epicene view` as a reader, as somebody else's page, and as somebody who tries doors.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::support::browser::Browser;
use crate::support::{Rows, binary, succeed, synthetic_gest};
use serde_json::Value;

struct Viewer {
    child: Child,
    host: String,
    token: String,
}

impl Viewer {
    fn start(directory: &Path, given: &[&str]) -> Viewer {
        let mut child = Command::new(binary())
            .arg("view")
            .args(given)
            .current_dir(directory)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let rest = line.trim().strip_prefix("http://").unwrap().to_owned();
        let (host, token) = rest.split_once("/?token=").unwrap();
        Viewer {
            child,
            host: host.to_owned(),
            token: token.to_owned(),
        }
    }

    /// Status, headers and body of a request as it stands.
    fn raw(&self, request: &str) -> (u16, String, String) {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head
            .split_whitespace()
            .nth(1)
            .and_then(|code| code.parse().ok());
        (status.unwrap_or(0), head.to_lowercase(), body.to_owned())
    }

    fn get(&self, path: &str, headers: &str) -> (u16, String, String) {
        let host = &self.host;
        self.raw(&format!(
            "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{headers}\r\n"
        ))
    }

    fn cookie(&self) -> String {
        let port = self.host.rsplit(':').next().unwrap();
        format!("Cookie: epicene-view-{port}={}\r\n", self.token)
    }

    fn json(&self, path: &str) -> Value {
        let (status, _, body) = self.get(path, &self.cookie());
        assert_eq!(status, 200, "{path}: {body}");
        serde_json::from_str(&body).unwrap()
    }

    /// Waits until all the runs are read.
    fn wait(&self, runs: &str) -> Value {
        for _ in 0..300 {
            let heads = self.json(&format!("/api/runs?runs={runs}"));
            if heads["runs"]
                .as_array()
                .unwrap()
                .iter()
                .all(|run| run["ready"] == true)
            {
                return heads;
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        panic!("never ready");
    }
}

impl Drop for Viewer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn runs(path: &Path) {
    synthetic_gest(&path.join("gest.csv"), 400);
    for (out, models) in [
        ("runs/a", ["random:1", "always:he"]),
        ("runs/b", ["random:2", "random:3"]),
    ] {
        let base = ["run", "gest", "--data", "gest.csv", "--out", out];
        let models = ["--model", models[0], "--model", models[1]];
        succeed(&[&base[..], &models].concat(), path);
    }
}

/// Other origins and hosts, no token, other methods, paths that leave, parameters without end.
#[test]
fn doors_stay_shut() {
    let directory = tempfile::tempdir().unwrap();
    runs(directory.path());
    let viewer = Viewer::start(directory.path(), &["runs"]);
    let (host, token) = (&viewer.host, &viewer.token);
    assert!(host.starts_with("127.0.0.1:") && token.len() == 32);
    let cookie = viewer.cookie();

    // The token in the address becomes a cookie that no script and no other site gets.
    let (status, head, _) = viewer.get(&format!("/?token={token}"), "");
    assert_eq!(status, 303);
    assert!(
        head.contains("httponly") && head.contains("samesite=strict"),
        "{head}"
    );
    let (status, head, body) = viewer.get("/", &cookie);
    assert_eq!(status, 200);
    for wanted in [
        "content-security-policy: default-src 'none'",
        "connect-src 'self'",
        "frame-ancestors 'none'",
        "x-content-type-options: nosniff",
        "x-frame-options: deny",
        "referrer-policy: no-referrer",
        "cache-control: no-store",
        "cross-origin-resource-policy: same-origin",
    ] {
        assert!(head.contains(wanted), "{wanted} in {head}");
    }
    assert!(
        !body.contains(token.as_str()),
        "the page does not hold the token"
    );

    for (path, headers, wanted) in [
        ("/", "", 401),
        ("/api/items?run=0", "", 401),
        ("/?token=00000000000000000000000000000000", "", 401),
        (
            "/",
            &format!("{cookie}Origin: http://evil.example\r\n"),
            403,
        ),
        (
            "/api/items?run=0",
            &format!("{cookie}Origin: null\r\n"),
            403,
        ),
        (
            "/api/items?run=0",
            &format!("{cookie}Sec-Fetch-Site: cross-site\r\n"),
            403,
        ),
        ("/../../etc/passwd", &cookie, 404),
        ("/%2e%2e/%2e%2e/etc/passwd", &cookie, 404),
        ("/runs/a/manifest.json", &cookie, 404),
        ("/api/items?run=../../../etc/passwd", &cookie, 400),
        ("/api/items?run=7", &cookie, 400),
        ("/?run=99", &cookie, 400),
        ("/?run=-1", &cookie, 400),
        (
            "/api/items?run=0&from=99999999999999999999999999",
            &cookie,
            400,
        ),
        ("/api/items?run=0&path=/etc/passwd", &cookie, 400),
        ("/api/items?run=0&labels=%7B", &cookie, 400),
        (
            "/api/count?run=0&labels=%5B%22nothing%3D1%22%5D",
            &cookie,
            400,
        ),
    ] {
        viewer.wait("0,1");
        let (status, _, body) = viewer.get(path, headers);
        assert_eq!(status, wanted, "{path} {headers}: {body}");
        assert!(!body.contains("root:"), "{path}");
    }
    let (status, ..) = viewer.raw(&format!(
        "GET / HTTP/1.1\r\nHost: evil.example\r\n{cookie}Connection: close\r\n\r\n"
    ));
    assert_eq!(status, 421);
    for method in ["POST", "PUT", "DELETE", "OPTIONS"] {
        let request = format!(
            "{method} / HTTP/1.1\r\nHost: {host}\r\n{cookie}Content-Length: 0\r\nConnection: close\r\n\r\n"
        );
        assert_eq!(viewer.raw(&request).0, 405, "{method}");
    }
    let long = format!("/api/items?run=0&words={}", "x".repeat(10_000));
    assert!(matches!(viewer.get(&long, &cookie).0, 414 | 400));
    let endless = format!("/api/items?run=0&words={}", "x".repeat(2_000_000));
    assert!(
        matches!(viewer.get(&endless, &cookie).0, 0 | 400 | 414 | 431),
        "more than is read"
    );
    // It is still there, and a page is never larger than it should be.
    let page = viewer.json("/api/items?run=0&from=0&count=100000");
    assert_eq!(page["rows"].as_array().unwrap().len(), 200);
    // Nothing was written.
    let left: Vec<_> = std::fs::read_dir(directory.path().join("runs/a"))
        .unwrap()
        .collect();
    assert!(left.len() <= 6, "{left:?}");
}

/// Filters give what the rows count, and pages what the log has.
#[test]
fn items_come_page_by_page() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    runs(path);
    let viewer = Viewer::start(path, &["runs/a", "runs/b"]);
    let heads = viewer.wait("0,1");
    assert_eq!(heads["runs"][0]["total"], 400);
    let rows = Rows::parse(&succeed(&["report", "runs/a", "--format", "json"], path)).0;
    let mut checked = 0;
    for row in rows
        .iter()
        .filter(|row| row["metric"] == "q" && row["unit"] != "all")
    {
        let stereotype = row["group"]
            .as_str()
            .unwrap()
            .trim_start_matches("stereotype:")
            .to_owned();
        let system = row["system"].as_str().unwrap();
        let unit = row["unit"].as_str().unwrap();
        let found = viewer.json(&format!(
            "/api/count?run=0&system={system}&unit={unit}&labels=%5B%22stereotype%3D{stereotype}%22%5D"
        ));
        assert_eq!(found["count"], row["n"], "{row}");
        checked += 1;
    }
    assert!(checked > 60, "{checked}");
    let lines = succeed(&["items", "runs/a"], path);
    let first: Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    let page = viewer.json("/api/items?run=0&from=0&count=3");
    assert_eq!(page["rows"].as_array().unwrap().len(), 3);
    assert_eq!(page["rows"][0]["text"], first["text"]);
    assert_eq!(page["rows"][0]["cells"][0]["letter"], first["verdict"]);
    let none = viewer.json("/api/count?run=0&system=always%3Ahe&verdict=f");
    assert_eq!(none["count"], 0);
    let found = viewer.json("/api/count?run=0&words=number%2017");
    assert!(
        found["count"].as_u64() > Some(0) && found["count"].as_u64() < Some(30),
        "{found}"
    );
    let progress = viewer.json("/api/progress");
    assert_eq!(progress["runs"][0]["answered"], 400 * 8);
    assert!(
        progress["runs"][0]["words"]
            .as_str()
            .unwrap()
            .ends_with("complete")
    );
    // Runs can be chosen and compared.
    let (status, _, body) = viewer.get("/?run=0&run=1&compare=1", &viewer.cookie());
    assert_eq!(status, 200, "{body}");
    assert!(body.contains("4 systems compared") && body.contains("Every pair by g_s"));
}

/// A log that grows is followed; what it says twice is counted once; half a line is none.
#[test]
fn progress_follows_the_log_and_counts_nothing_twice() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    runs(path);
    let log = path.join("runs/a/log.jsonl");
    let whole = std::fs::read_to_string(&log).unwrap();
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    assert_eq!(lines.len(), 3200);
    let write = |parts: &[&[&str]]| std::fs::write(&log, parts.concat().concat()).unwrap();
    write(&[&lines[..3000]]);
    let viewer = Viewer::start(path, &["runs/a"]);
    viewer.wait("0");
    let shows = |answered: u64, words: &str| {
        let mut last = Value::Null;
        for _ in 0..200 {
            last = viewer.json("/api/progress")["runs"][0].clone();
            if last["answered"] == answered {
                assert_eq!(last["words"], words);
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        panic!("never {answered}: {last}");
    };
    shows(3000, "3000 of 3200 answers (93.7 %), not complete");
    // A hundred lines again, one more, and half of the next.
    let half = &lines[3001][..lines[3001].len() / 2];
    write(&[&lines[..3000], &lines[..100], &lines[3000..3001], &[half]]);
    shows(3001, "3001 of 3200 answers (93.7 %), not complete");
    let page = viewer.json("/api/items?run=0&from=399&count=1");
    assert!(page["rows"][0]["text"].is_string());
    write(&[&lines[..3000], &lines[..100], &lines[3000..]]);
    shows(3200, "3200 of 3200 answers (100 %), complete");
    // Shorter than what was read: another log, read from its beginning.
    write(&[&lines[..32]]);
    shows(32, "32 of 3200 answers (1 %), not complete");
}

/// A run that `ask` made names its system with the first answer that is told; a viewer that was there before shows it then.
#[test]
fn a_system_that_is_named_later_is_shown() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let asked = succeed(
        &[
            "ask",
            "gest",
            "--data",
            "epicene-mini",
            "--limit",
            "2",
            "--kind",
            "masked",
            "--out",
            "r",
        ],
        path,
    );
    let viewer = Viewer::start(path, &["r"]);
    let before = viewer.wait("0")["runs"][0]["columns"].to_string();
    assert!(!before.contains("random:1"), "{before}");
    std::fs::write(path.join("asked.jsonl"), asked).unwrap();
    let scored = succeed(
        &["score", "--stream", "--model", "random:1", "asked.jsonl"],
        path,
    );
    std::fs::write(path.join("answers.jsonl"), scored).unwrap();
    succeed(&["tell", "r", "answers.jsonl"], path);
    let mut shown = String::new();
    for _ in 0..200 {
        shown = viewer.json("/api/runs?runs=0")["runs"][0]["columns"].to_string();
        if shown.contains("random:1") {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("{shown}");
}

/// The same page and script, with items from the server.
#[test]
fn the_viewer_in_a_browser() {
    let directory = tempfile::tempdir().unwrap();
    runs(directory.path());
    let viewer = Viewer::start(directory.path(), &["runs"]);
    viewer.wait("0,1");
    let Some(mut browser) = Browser::launch_with_network() else {
        return;
    };
    browser.go(&format!("http://{}/?token={}", viewer.host, viewer.token));
    browser.wait_for("document.documentElement.dataset.items === 'ready'");
    browser.wait_for("document.documentElement.dataset.progress === 'ready'");
    assert_eq!(
        browser.value("location.search"),
        "",
        "the token has left the address"
    );
    let words =
        browser.value("document.querySelector('#runs [data-run=\"0\"] .words').textContent");
    assert!(
        words.as_str().unwrap().contains("3200 of 3200 answers"),
        "{words}"
    );
    // A table of runs with what each comes down to: filtered by words, sorted by any column.
    let row = browser.value("document.querySelector('#runs [data-run=\"0\"]').textContent");
    assert!(
        row.as_str().unwrap().contains("random:1, always:he"),
        "{row}"
    );
    let shown = "[...document.querySelectorAll('#runs tbody tr')].filter((row) => row.checkVisibility()).length";
    let all = browser.value(shown).as_u64().unwrap();
    let filter = |words: &str| {
        format!(
            "(() => {{ const filter = document.getElementById('run-filter'); filter.value = {words:?}; \
             filter.dispatchEvent(new Event('input')); }})()"
        )
    };
    browser.value(&filter("no such run"));
    assert_eq!(browser.value(shown), 0);
    browser.value(&filter("gest"));
    assert_eq!(browser.value(shown).as_u64(), Some(all));
    let first = "document.querySelector('#runs tbody tr').dataset.run";
    let before = browser.value(first);
    browser.value("document.querySelectorAll('#runs button.sort')[1].click()");
    let once = browser.value(first);
    browser.value("document.querySelectorAll('#runs button.sort')[1].click()");
    assert!(browser.value(first) != once || once != before);
    let count = browser.value("document.getElementById('item-count').textContent");
    assert!(
        count.as_str().unwrap().starts_with("400 of 400 items"),
        "{count}"
    );
    // From a cell to its items.
    browser.value("document.querySelector('td button.number').click()");
    browser.wait_for("document.documentElement.dataset.drilled !== undefined");
    assert!(
        browser
            .value("location.hash")
            .as_str()
            .unwrap()
            .starts_with("#items?")
    );
    assert_eq!(browser.complaints(), Vec::<String>::new());
    let own = format!("http://{}/", viewer.host);
    let asked = browser.requests();
    assert!(
        !asked.is_empty() && asked.iter().all(|url| url.starts_with(&own)),
        "{asked:?}"
    );
}
