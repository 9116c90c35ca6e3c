//! Killed at any byte of any file it writes, at any request it sends and at any line it reads, and with a
//! full disk at the same places: every output is the old file or the new one, nothing else is left, and
//! the same command ends as if nothing had been.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, AtomicU64, Ordering};

use rustix::fs::{CWD, Mode, mkfifoat};
use rustix::process::{Pid, Signal, kill_process};

use super::hub::{data, hub};
use super::launch::{Draws, Limits, code, epicene, limited, stderr, succeed, tree, trials};
use super::server::{Reply, Server};

/// A command that writes, with the files it writes.
struct Scenario {
    name: &'static str,
    arguments: &'static [&'static str],
    outputs: &'static [&'static str],
}

const SCENARIOS: &[Scenario] = &[
    Scenario {
        name: "run",
        arguments: &[
            "run",
            "gest",
            "--model",
            "random:5",
            "--data",
            "big.csv",
            "--bootstrap",
            "50",
            "--out",
            "r",
        ],
        outputs: &[
            "r/measures.json",
            "r/manifest.json",
            "r/items.jsonl",
            "r/log.jsonl",
        ],
    },
    Scenario {
        name: "merge",
        arguments: &["merge", "a", "b", "--out", "m"],
        outputs: &[
            "m/measures.json",
            "m/manifest.json",
            "m/items.jsonl",
            "m/log.jsonl",
        ],
    },
    Scenario {
        name: "report page",
        arguments: &["report", "done", "-o", "x.html"],
        outputs: &["x.html"],
    },
    Scenario {
        name: "report csv",
        arguments: &["report", "done", "-o", "x.csv"],
        outputs: &["x.csv"],
    },
    Scenario {
        name: "report figures",
        arguments: &["report", "done", "--figures", "figures", "--format", "json"],
        outputs: &[
            "figures/gest-stereotypes.svg",
            "figures/gest-stereotypes.png",
        ],
    },
    Scenario {
        name: "compare",
        arguments: &[
            "compare",
            "done",
            "--systems",
            "random:5,random:6",
            "-o",
            "x.html",
        ],
        outputs: &["x.html"],
    },
    Scenario {
        name: "translate",
        arguments: &[
            "translate",
            "lines.txt",
            "--mt",
            "copy:",
            "--to",
            "sk",
            "-o",
            "x.txt",
        ],
        outputs: &["x.txt"],
    },
    Scenario {
        name: "translate, packed",
        arguments: &[
            "translate",
            "lines.txt",
            "--mt",
            "copy:",
            "--to",
            "sk",
            "--format",
            "csv",
            "-o",
            "x.csv.gz",
        ],
        outputs: &["x.csv.gz"],
    },
    Scenario {
        name: "extract",
        arguments: &[
            "extract", "--source", "en.txt", "--target", "xx.txt", "--female", "f.txt", "--male",
            "m.txt", "--counts", "n.json",
        ],
        outputs: &["f.txt", "m.txt", "n.json"],
    },
    Scenario {
        name: "wordscore",
        arguments: &[
            "wordscore",
            "--vectors",
            "v.vec",
            "--words",
            "words.txt",
            "--scatter",
            "s.csv",
            "--incomplete",
            "i.tsv",
            "--percentages",
            "p.tsv",
        ],
        outputs: &["s.csv", "i.tsv"],
    },
    Scenario {
        name: "manual",
        arguments: &["man", "--out", "man"],
        outputs: &["man/epicene.1", "man/epicene-run.1"],
    },
];

/// Everything the scenarios read.
fn prepare(here: &Path) {
    let mut sentences = String::from("sentence,stereotype\n");
    for row in 0..400 {
        sentences += &format!("I did thing number {row}.,{}\n", row % 16 + 1);
    }
    fs::write(here.join("big.csv"), &sentences).unwrap();
    let few: Vec<&str> = sentences.lines().take(65).collect();
    fs::write(here.join("few.csv"), few.join("\n") + "\n").unwrap();
    let lines: String = (0..3000)
        .map(|line| format!("I did thing number {line}.\n"))
        .collect();
    fs::write(here.join("lines.txt"), lines).unwrap();
    let (mut english, mut other) = (String::new(), String::new());
    for line in 0..2000 {
        let who = ["The woman", "The man", "The queen", "The king"][line % 4];
        english += &format!("{who} did thing number {line}.\n");
        other += &format!("{who} x {line}\n");
    }
    fs::write(here.join("en.txt"), english).unwrap();
    fs::write(here.join("xx.txt"), other).unwrap();
    let words = [
        "she", "her", "woman", "he", "his", "man", "nurse", "doctor", "cook", "judge", "clerk",
        "pilot",
    ];
    let mut vectors = String::new();
    for (place, word) in words.iter().enumerate() {
        let numbers: Vec<String> = (0..6)
            .map(|n| format!("{}", ((place * 7 + n * 3) % 11) as f64 - 5.0))
            .collect();
        vectors += &format!("{word} {}\n", numbers.join(" "));
    }
    fs::write(here.join("v.vec"), vectors).unwrap();
    fs::write(here.join("words.txt"), words[6..].join("\n")).unwrap();
    let shares: String = words[6..]
        .iter()
        .enumerate()
        .map(|(n, word)| format!("{word}\t{}\n", n * 10))
        .collect();
    fs::write(here.join("p.tsv"), shares).unwrap();
    for (out, shard) in [("a", "1/2"), ("b", "2/2")] {
        let run = [
            "run", "gest", "--model", "random:5", "--data", "few.csv", "--shard", shard, "--out",
            out,
        ];
        succeed(here, &run);
    }
    let both = [
        "run", "gest", "--model", "random:5", "--model", "random:6", "--data", "few.csv", "--out",
        "done",
    ];
    succeed(here, &both);
}

/// A copy of a directory of plain files.
fn copy(from: &Path, to: &Path) {
    for (name, bytes) in tree(from) {
        let place = to.join(name);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        fs::write(place, bytes).unwrap();
    }
}

fn without_cache(mut files: BTreeMap<PathBuf, Vec<u8>>) -> BTreeMap<PathBuf, Vec<u8>> {
    let is_varying = |name: &Path| name.ends_with("lock") || name.ends_with("times.json");
    files.retain(|name, _| !name.starts_with("cache") && !is_varying(name));
    files
}

/// Whether the lines of a log are a beginning of these.
fn is_beginning(log: &[u8], whole: &[u8]) -> bool {
    let end = log
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(0, |place| place + 1);
    whole.starts_with(&log[..end])
}

/// Old, new or absent: never half. A log may be short, but not wrong.
fn check(
    scenario: &Scenario,
    here: &Path,
    before: &BTreeMap<PathBuf, Vec<u8>>,
    whole: &BTreeMap<PathBuf, Vec<u8>>,
) {
    for (name, bytes) in without_cache(tree(here)) {
        let shown = name.display();
        let name_text = name.to_str().unwrap();
        if name_text.ends_with("log.jsonl") {
            assert!(
                is_beginning(&bytes, &whole[&name]),
                "{}: {shown}",
                scenario.name
            );
            continue;
        }
        // A manifest names its command's directory and nothing that differs here.
        let is_old = before.get(&name) == Some(&bytes);
        let is_new = whole.get(&name) == Some(&bytes);
        assert!(
            is_old || is_new,
            "{}: {shown} is neither old nor new",
            scenario.name
        );
    }
}

#[test]
fn killed_at_any_byte_or_with_a_full_disk() {
    let prepared = tempfile::tempdir().unwrap();
    prepare(prepared.path());
    let kills = AtomicU64::new(0);
    for scenario in SCENARIOS {
        let undisturbed = tempfile::tempdir().unwrap();
        copy(prepared.path(), undisturbed.path());
        succeed(undisturbed.path(), scenario.arguments);
        let whole = without_cache(tree(undisturbed.path()));
        let largest = scenario
            .outputs
            .iter()
            .map(|name| whole[Path::new(name)].len())
            .max();
        let largest = largest.unwrap() as u64;
        let mut draws = Draws(0x2545_f491_4f6c_dd1d ^ largest);
        trials(6, |trial| {
            let directory = tempfile::tempdir().unwrap();
            let here = directory.path();
            copy(prepared.path(), here);
            // Old files stand where the new ones will; a run has none.
            let fresh = trial % 3 == 0 || matches!(scenario.name, "run" | "merge");
            if !fresh {
                for name in scenario.outputs {
                    let place = here.join(name);
                    fs::create_dir_all(place.parent().unwrap()).unwrap();
                    fs::write(place, "old\n").unwrap();
                }
            }
            let before = without_cache(tree(here));
            let limits = Limits {
                file_size: Some(draws.below(largest)),
                full_disk: trial % 2 == 1,
                memory: None,
            };
            let done = limited(here, limits, scenario.arguments).output().unwrap();
            let said = stderr(&done);
            assert!(!said.contains("panicked"), "{}: {said}", scenario.name);
            match code(&done) {
                // SIGXFSZ.
                -25 => {
                    kills.fetch_add(1, Ordering::Relaxed);
                }
                2 => assert!(said.contains("error: "), "{}: {said}", scenario.name),
                0 => {}
                other => panic!("{}: {other}: {said}", scenario.name),
            }
            check(scenario, here, &before, &whole);
            succeed(here, scenario.arguments);
            assert_eq!(without_cache(tree(here)), whole, "{}", scenario.name);
        });
    }
    println!("{} killed", kills.load(Ordering::Relaxed));
}

/// A process that another thread kills when it has got so far.
struct Victim(Arc<AtomicI32>);

impl Victim {
    fn new() -> (Victim, Arc<AtomicI32>) {
        let pid = Arc::new(AtomicI32::new(0));
        (Victim(Arc::clone(&pid)), pid)
    }

    /// Kills it, as soon as it is known.
    fn kill(&self) {
        loop {
            let pid = self.0.load(Ordering::SeqCst);
            if let Some(pid) = Pid::from_raw(pid) {
                let _ = kill_process(pid, Signal::KILL);
                return;
            }
            std::thread::yield_now();
        }
    }
}

/// Starts, makes itself known to its killer, and waits; returns how it ended.
fn watched(mut command: Command, pid: &AtomicI32) -> i32 {
    let child = command
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    pid.store(i32::try_from(child.id()).unwrap(), Ordering::SeqCst);
    let done = child.wait_with_output().unwrap();
    code(&done)
}

/// A server that answers, and kills whoever sends it this request.
fn killing(
    count: u64,
    victim: Victim,
    answer: impl Fn(&super::server::Request) -> Reply + Send + Sync + 'static,
) -> Server {
    let asked = AtomicU64::new(0);
    Server::start(move |request| {
        if asked.fetch_add(1, Ordering::SeqCst) == count {
            victim.kill();
        }
        answer(request)
    })
}

#[test]
fn killed_at_any_request_a_download_poisons_nothing() {
    let arguments = [
        "run",
        "gest",
        "--model",
        "hf:org/tiny",
        "--data",
        "gest.csv",
        "--device",
        "cpu",
        "--out",
        "r",
    ];
    let run = |here: &Path, url: &str| {
        let mut command = epicene(here);
        command.args(arguments).env("HF_ENDPOINT", url);
        command
    };
    let alone = tempfile::tempdir().unwrap();
    data(alone.path());
    let good = hub(|_, reply| reply);
    let done = run(alone.path(), &good.url).output().unwrap();
    assert_eq!(code(&done), 0, "{}", stderr(&done));
    let expected = tree(&alone.path().join("hub"));
    let mut draws = Draws(3);
    trials(6, |_| {
        let directory = tempfile::tempdir().unwrap();
        let here = directory.path();
        data(here);
        let (victim, pid) = Victim::new();
        let cut = draws.below(20_000);
        let server = killing(draws.below(11), victim, move |request| {
            let base = format!("http://{}", request.header("host").unwrap());
            let mut reply = super::hub::hub_reply(request, &base);
            // Bodies come whole or in part.
            reply.length = Some(reply.body.len() as u64);
            if cut < 10_000 {
                reply.body.truncate(cut as usize);
                reply.stalls = true;
            }
            reply
        });
        let mut command = run(here, &server.url);
        command
            .env("EPICENE_HTTP_TIMEOUT", "5")
            .env("EPICENE_HTTP_ATTEMPTS", "1");
        watched(command, &pid);
        let done = run(here, &good.url).output().unwrap();
        assert_eq!(code(&done), 0, "{}", stderr(&done));
        assert_eq!(tree(&here.join("hub")), expected);
    });
}

#[test]
fn killed_at_any_request_no_answer_is_lost_or_asked_twice() {
    let mut draws = Draws(11);
    trials(6, |_| {
        let directory = tempfile::tempdir().unwrap();
        let here = directory.path();
        let lines: String = (0..300).map(|line| format!("I did {line}.\n")).collect();
        fs::write(here.join("in.txt"), &lines).unwrap();
        let (victim, pid) = Victim::new();
        let texts = Arc::new(AtomicU64::new(0));
        let count = Arc::clone(&texts);
        let server = killing(draws.below(8), victim, move |request| {
            // The dead send half a request.
            let Ok(body) = serde_json::from_slice::<serde_json::Value>(&request.body) else {
                return Reply::new(400, String::new());
            };
            let asked = body["q"].as_array().unwrap();
            // What the killed program sent may be read long after its death: only the second run counts.
            if body["api_key"] == "second" {
                count.fetch_add(asked.len() as u64, Ordering::SeqCst);
            }
            let translated: Vec<String> = asked
                .iter()
                .map(|text| format!("Bol som {}", text.as_str().unwrap()))
                .collect();
            Reply::new(
                200,
                serde_json::json!({"translatedText": translated}).to_string(),
            )
        });
        let spec = format!("libretranslate:{}", server.url);
        let arguments = [
            "translate",
            "in.txt",
            "--mt",
            &spec,
            "--to",
            "sk",
            "-o",
            "out.txt",
        ];
        let mut command = epicene(here);
        command
            .args(arguments)
            .env("LIBRETRANSLATE_API_KEY", "first");
        let killed = watched(command, &pid);
        assert!(killed == -9 || killed == 0, "{killed}");
        assert_eq!(here.join("out.txt").exists(), killed == 0);
        // Every whole line of the cache is an answer that is not asked for again.
        let is_answer = |line: &&[u8]| line.starts_with(b"{\"from\"") && line.ends_with(b"}");
        let kept: usize = tree(&here.join("cache"))
            .values()
            .map(|file| file.split(|&byte| byte == b'\n').filter(is_answer).count())
            .sum();
        let mut command = epicene(here);
        command
            .args(arguments)
            .env("LIBRETRANSLATE_API_KEY", "second");
        let done = command.output().unwrap();
        assert_eq!(code(&done), 0, "{}", stderr(&done));
        assert_eq!(texts.load(Ordering::SeqCst) + kept as u64, 300);
        let written = fs::read_to_string(here.join("out.txt")).unwrap();
        let expected: String = lines
            .lines()
            .map(|line| format!("Bol som {line}\n"))
            .collect();
        assert_eq!(written, expected);
    });
}

#[test]
fn killed_at_any_line_it_reads() {
    let mut draws = Draws(17);
    let scenarios: [(&[&str], &[&str]); 2] = [
        (
            &[
                "translate",
                "pipe",
                "--mt",
                "copy:",
                "--to",
                "sk",
                "-o",
                "x.txt",
            ],
            &["x.txt"],
        ),
        (
            &[
                "extract", "--table", "pipe", "--female", "f.txt", "--male", "m.txt", "--counts",
                "n.json",
            ],
            &["f.txt", "m.txt", "n.json"],
        ),
    ];
    for (arguments, outputs) in scenarios {
        trials(4, |_| {
            let directory = tempfile::tempdir().unwrap();
            let here = directory.path();
            for output in outputs {
                fs::write(here.join(output), "old\n").unwrap();
            }
            mkfifoat(CWD, here.join("pipe"), Mode::from_raw_mode(0o600)).unwrap();
            let before = tree_of(here, outputs);
            let mut child = epicene(here)
                .args(arguments)
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            // Opening waits for the reader; a full pipe waits for it to read.
            let mut pipe = fs::File::options()
                .write(true)
                .open(here.join("pipe"))
                .unwrap();
            for line in 0..draws.below(20_000) {
                writeln!(pipe, "The woman did {line}.\tx {line}").unwrap();
            }
            child.kill().unwrap();
            child.wait().unwrap();
            drop(pipe);
            assert_eq!(tree_of(here, outputs), before);
            let names: Vec<String> = fs::read_dir(here)
                .unwrap()
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .filter(|name| name.ends_with(".part"))
                .collect();
            assert_eq!(names, Vec::<String>::new());
        });
    }
}

fn tree_of(here: &Path, names: &[&str]) -> Vec<Vec<u8>> {
    names
        .iter()
        .map(|name| fs::read(here.join(name)).unwrap())
        .collect()
}
