//! Starts the program, with limits on what it may write or hold.

use std::collections::BTreeMap;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use rustix::process::{Resource, Rlimit, setrlimit};

pub use crate::support::binary;

/// The program in a directory, with a cache of its own and no patience.
pub fn epicene(directory: &Path) -> Command {
    let mut command = if interrupts_are_ignored() {
        // What started these tests in the background ignores SIGINT, and so would all that they start.
        let mut hearing = Command::new("env");
        hearing.arg("--default-signal=INT").arg(binary());
        hearing
    } else {
        Command::new(binary())
    };
    quiet(&mut command, directory);
    command
}

fn interrupts_are_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask & 1 << 1 != 0)
}

fn quiet(command: &mut Command, directory: &Path) {
    command
        .current_dir(directory)
        .env("EPICENE_CACHE", directory.join("cache"))
        .env("HF_HUB_CACHE", directory.join("hub"))
        .env("EPICENE_HTTP_PAUSE", "0.001")
        .env_remove("HF_TOKEN")
        .env_remove("EPICENE_DATA_URL")
        .stdin(Stdio::null());
}

/// What a process may do.
#[derive(Clone, Copy, Default)]
pub struct Limits {
    /// A file that grows beyond this kills the process, in the middle of the write.
    pub file_size: Option<u64>,
    /// The same, but the write fails instead: a full disk.
    pub full_disk: bool,
    pub memory: Option<u64>,
}

/// The program under limits. They are set by this test binary, which then becomes the program.
pub fn limited(directory: &Path, limits: Limits, arguments: &[&str]) -> Command {
    let mut command = if limits.full_disk {
        // What a shell ignores stays ignored.
        let mut shell = Command::new("sh");
        shell.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\""]);
        shell.arg(std::env::current_exe().unwrap());
        shell
    } else {
        Command::new(std::env::current_exe().unwrap())
    };
    command.args([
        "--exact",
        "faults::launch::launcher",
        "--nocapture",
        "--test-threads=1",
    ]);
    quiet(&mut command, directory);
    let number = |limit: Option<u64>| limit.map_or(String::new(), |limit| limit.to_string());
    command
        .env("FAULTS_PROGRAM", binary())
        .env("FAULTS_ARGUMENTS", arguments.join("\n"))
        .env("FAULTS_FILE_SIZE", number(limits.file_size))
        .env("FAULTS_MEMORY", number(limits.memory));
    command
}

/// No test: what `limited` starts.
#[test]
fn launcher() {
    let Some(program) = std::env::var_os("FAULTS_PROGRAM") else {
        return;
    };
    let limit = |name: &str, resource: Resource| {
        if let Ok(bytes) = std::env::var(name).unwrap_or_default().parse() {
            let limit = Rlimit {
                current: Some(bytes),
                maximum: Some(bytes),
            };
            setrlimit(resource, limit).unwrap();
        }
    };
    let none = Rlimit {
        current: Some(0),
        maximum: Some(0),
    };
    setrlimit(Resource::Core, none).unwrap();
    limit("FAULTS_FILE_SIZE", Resource::Fsize);
    limit("FAULTS_MEMORY", Resource::As);
    let arguments = std::env::var("FAULTS_ARGUMENTS").unwrap();
    let failed = Command::new(program)
        .args(arguments.split('\n'))
        .env_remove("FAULTS_PROGRAM")
        .exec();
    panic!("{failed}");
}

/// How a process ended: its code, or the number of the signal that killed it, negative.
pub fn code(output: &Output) -> i32 {
    let status = output.status;
    status
        .code()
        .unwrap_or_else(|| -status.signal().unwrap_or(0))
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Runs to the end and expects success.
pub fn succeed(directory: &Path, arguments: &[&str]) -> Output {
    let output = epicene(directory).args(arguments).output().unwrap();
    assert_eq!(code(&output), 0, "{arguments:?}: {}", stderr(&output));
    output
}

/// Runs to the end and expects a refusal; returns what it says.
pub fn refuse(directory: &Path, arguments: &[&str]) -> String {
    let output = epicene(directory).args(arguments).output().unwrap();
    let said = stderr(&output);
    assert_eq!(code(&output), 2, "{arguments:?}: {said}");
    assert!(!said.contains("panicked"), "{arguments:?}: {said}");
    said
}

/// Every file below a directory with its contents; links by where they point.
pub fn tree(directory: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![directory.to_owned()];
    while let Some(place) = open.pop() {
        let Ok(listing) = std::fs::read_dir(&place) else {
            continue;
        };
        for entry in listing {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(directory).unwrap().to_owned();
            if let Ok(target) = std::fs::read_link(&path) {
                found.insert(name, target.into_os_string().into_encoded_bytes());
            } else if path.is_dir() {
                open.push(path);
            } else if path.is_file() {
                found.insert(name, std::fs::read(&path).unwrap());
            }
        }
    }
    found
}

/// A seeded stream of numbers.
pub struct Draws(pub u64);

impl Draws {
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) % bound.max(1)
    }
}

/// How many trials of each kind: a few, as many as asked for, or an hour's worth.
pub fn trials(few: u64, mut trial: impl FnMut(u64)) {
    let asked = std::env::var("EPICENE_FAULT_TRIALS").ok();
    let count = asked.and_then(|count| count.parse().ok()).unwrap_or(few);
    let soak = std::env::var("EPICENE_SOAK").as_deref() == Ok("1");
    let start = std::time::Instant::now();
    let mut number = 0;
    while number < count || (soak && start.elapsed().as_secs() < 3600) {
        trial(number);
        number += 1;
    }
    println!("{number} trials");
}
