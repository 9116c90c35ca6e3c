//! What a person at a terminal sees while a command works. The commands here would not end by themselves: each waits for input
//! or for a server, or computes for long. Whether progress is shown decides, not when.

use std::fs::{File, OpenOptions};
use std::io::Read;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::support::{binary, succeed};

/// Far more than a busy machine needs.
const PATIENCE: Duration = Duration::from_secs(300);

/// A command whose standard error is a terminal.
struct Watched {
    child: Child,
    shown: Receiver<Vec<u8>>,
    text: String,
}

impl Watched {
    fn start(arguments: &[&str], directory: &Path, stdin: Stdio) -> Watched {
        let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&terminal).unwrap();
        unlockpt(&terminal).unwrap();
        let name = ptsname(&terminal, Vec::new()).unwrap();
        let own = OpenOptions::new()
            .read(true)
            .write(true)
            .open(name.to_str().unwrap())
            .unwrap();
        let child = Command::new(binary())
            .args(arguments)
            .current_dir(directory)
            .env("EPICENE_CACHE", directory.join("cache"))
            .env("TERM", "xterm-256color")
            .env_remove("NO_COLOR")
            .stdin(stdin)
            .stdout(Stdio::null())
            .stderr(own)
            .spawn()
            .unwrap();
        let (sender, shown) = channel();
        let mut terminal = File::from(terminal);
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = terminal.read(&mut bytes) {
                if sender.send(bytes[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        Watched {
            child,
            shown,
            text: String::new(),
        }
    }

    /// Waits until the terminal shows all of this while the command still runs.
    fn wait_for(&mut self, wanted: &[&str]) {
        let begun = Instant::now();
        while !wanted.iter().all(|wanted| self.text.contains(wanted)) {
            match self.shown.recv_timeout(Duration::from_millis(100)) {
                Ok(bytes) => self.text += &String::from_utf8_lossy(&bytes),
                Err(RecvTimeoutError::Disconnected) => {
                    panic!("ended without {wanted:?}: {:?}", self.text)
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            assert!(begun.elapsed() < PATIENCE, "{wanted:?}: {:?}", self.text);
        }
        let ended = self.child.try_wait().unwrap();
        assert!(ended.is_none(), "it ended: {:?}", self.text);
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn two_systems(directory: &Path) {
    let words = "run gest --data epicene-mini --model random:1 --model random:2 --out two";
    succeed(&words.split(' ').collect::<Vec<_>>(), directory);
}

#[test]
fn a_comparison_shows_its_pairs() {
    let directory = tempfile::tempdir().unwrap();
    two_systems(directory.path());
    let arguments = ["compare", "two", "--rounds", "10000000"];
    let mut watched = Watched::start(&arguments, directory.path(), Stdio::null());
    watched.wait_for(&["comparing pairs", "0/1"]);
}

#[test]
fn a_command_without_a_bar_says_that_it_works() {
    let directory = tempfile::tempdir().unwrap();
    for arguments in [
        "gender --lang sk --speaker",
        "gender --lang de --table",
        "score --stream --model random:1",
    ] {
        let arguments: Vec<&str> = arguments.split(' ').collect();
        // The pipe stays open as long as the command is watched.
        let mut watched = Watched::start(&arguments, directory.path(), Stdio::piped());
        watched.wait_for(&[&format!("{} (", arguments[0]), "s)"]);
    }
}

/// Accepts and never answers.
#[test]
fn a_server_that_does_not_answer_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", silent.local_addr().unwrap());
    let model = format!("chat:m@{address}/v1");
    let arguments = [
        "run",
        "gest-chat",
        "--data",
        "epicene-mini",
        "--limit",
        "2",
        "--model",
        &model,
    ];
    let mut watched = Watched::start(&arguments, directory.path(), Stdio::null());
    watched.wait_for(&["waiting for", &address]);
}

#[test]
fn a_server_that_is_not_there_is_named_with_the_attempt() {
    let directory = tempfile::tempdir().unwrap();
    // A port that was free a moment ago.
    let gone = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", gone.local_addr().unwrap());
    drop(gone);
    let model = format!("chat:m@{address}/v1");
    let arguments = [
        "run",
        "gest-chat",
        "--data",
        "epicene-mini",
        "--limit",
        "2",
        "--model",
        &model,
    ];
    let mut watched = Watched::start(&arguments, directory.path(), Stdio::null());
    watched.wait_for(&[&format!("waiting for {address} (attempt 2 of ")]);
}

#[test]
fn a_pipe_gets_no_progress() {
    let directory = tempfile::tempdir().unwrap();
    two_systems(directory.path());
    let (code, _, stderr) = crate::support::run(&["compare", "two"], directory.path());
    assert_eq!(code, 0, "{stderr}");
    assert!(
        !stderr.contains(['\r', '\u{1b}']) && !stderr.contains("comparing pairs"),
        "{stderr:?}"
    );
}
