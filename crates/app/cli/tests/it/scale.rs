//! Questions out, answers in: `ask`, `score --stream`, `tell`, `status`, and logs in segments. Whatever happens to the lines on
//! their way, the run measures as if it had asked by itself.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::Stdio;

use crate::support::{epicene, refuse, run, shared, succeed};
use epicene_bench::Options;
use epicene_core::{ModelKind, Scorer};
use serde_json::{Value, json};

/// Sentences of our own for the benchmarks that need a file.
pub(crate) fn write_data(directory: &Path) {
    let pairs = (0..40).map(|i| {
        let word = ["pracoval", "spal", "bol", "mal", "chcel"][i % 5];
        format!(
            "t,sk,I did it {i}.,{},{word} som to {i}.,{word}a som to {i}.\n",
            i % 16 + 1
        )
    });
    let pairs = format!(
        "translator,language,original,stereotype,male,female\n{}",
        pairs.collect::<String>()
    );
    fs::write(directory.join("pairs.csv"), pairs).unwrap();
    let sets = (0..120).map(|i| {
        let (gender, who) = [("f", "She"), ("m", "He")][i % 2];
        format!("{gender}\t{}\t{who} did it {i}.\n", i + 1)
    });
    fs::write(
        directory.join("sets.tsv"),
        format!("gender\tline\ttext\n{}", sets.collect::<String>()),
    )
    .unwrap();
    let crows = (0..60).map(|i| format!("{i},The nurse said {i} that she was tired.,The nurse said {i} that he was tired.,stereo,gender\n"));
    fs::write(
        directory.join("crows.csv"),
        format!(
            ",sent_more,sent_less,stereo_antistereo,bias_type\n{}",
            crows.collect::<String>()
        ),
    )
    .unwrap();
    let stereo = (0..40).map(|i| {
        let item = json!({"id": format!("s{i}"), "target": "nurse", "bias_type": "gender", "context": format!("The nurse is BLANK {i}."),
            "stereotype": format!("The nurse is kind {i}."), "anti-stereotype": format!("The nurse is rude {i}."),
            "unrelated": format!("The nurse is a lamp {i}.")});
        format!("{item}\n")
    });
    fs::write(
        directory.join("stereoset.jsonl"),
        stereo.collect::<String>(),
    )
    .unwrap();
    let verbs = succeed(&["generate", "wibemt", "--part", "verb"], directory);
    let verbs: Vec<&str> = verbs.lines().step_by(31).collect();
    fs::write(directory.join("wibemt.tsv"), verbs.join("\n") + "\n").unwrap();
}

/// What must be tried, whatever joins later.
const KNOWN: [&str; 12] = [
    "gest-masked",
    "gest-causal",
    "gest-mt",
    "gest-pairs-masked",
    "gest-chat-chat",
    "occupations-chat-chat",
    "winobias-masked",
    "mbe-masked",
    "crows-pairs-masked",
    "stereoset-masked",
    "unambiguous-mt",
    "wibemt-mt",
];

/// How a benchmark is told its data; `None` where they are not known here.
pub(crate) fn data(name: &str) -> Option<Vec<String>> {
    let words = |text: &str| Some(text.split(' ').map(str::to_owned).collect());
    match name {
        "gest" => words("gest --data epicene-mini"),
        "gest-chat" => words("gest-chat --data epicene-mini --limit 20 --orders 3"),
        "occupations-chat" => words("occupations-chat --limit 20"),
        "gest-pairs" => words("gest --pairs pairs.csv"),
        "winobias" => words("winobias --data epicene-winograd"),
        "mbe" => words("mbe --data sets.tsv"),
        "crows-pairs" => words("crows-pairs --data crows.csv"),
        "stereoset" => words("stereoset --data stereoset.jsonl"),
        "unambiguous" => words("unambiguous --size xs --limit 150"),
        "wibemt" => words("wibemt --data wibemt.tsv"),
        "winomt" => {
            let path = shared("winomt")?.join("en.tsv.gz");
            words(&format!("winomt --data {} --limit 150", path.display()))
        }
        "eurogest" => {
            let path = shared("eurogest")?.join("dataset");
            words(&format!("eurogest --data {} --limit 60", path.display()))
        }
        // A benchmark that joined later: its data lie under its name, or it is skipped.
        other => {
            let path = shared("gest")?.parent()?.join(other);
            if !path.is_dir() {
                return None;
            }
            words(&format!("{other} --data {} --limit 60", path.display()))
        }
    }
}

/// A fixed shuffling.
fn shuffled<T>(mut lines: Vec<T>, seed: u64) -> Vec<T> {
    let mut state = seed * 2 + 1;
    for place in (1..lines.len()).rev() {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        lines.swap(place, (state >> 33) as usize % (place + 1));
    }
    lines
}

fn piped(arguments: &[&str], input: &str, directory: &Path) -> (i32, String, String) {
    let output = epicene()
        .args(arguments)
        .env("EPICENE_CACHE", directory.join("cache"))
        .current_dir(directory)
        .write_stdin(input.to_owned())
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code().unwrap_or(-1),
        text(output.stdout),
        text(output.stderr),
    )
}

fn stream(system: &[&str], input: &str, directory: &Path) -> Vec<String> {
    let (code, stdout, stderr) =
        piped(&[&["score", "--stream"], system].concat(), input, directory);
    assert_eq!(code, 0, "{stderr}");
    stdout.lines().map(str::to_owned).collect()
}

fn joined(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

#[test]
fn every_benchmark_measures_the_same_from_told_answers() {
    let here = tempfile::tempdir().unwrap();
    let directory = here.path();
    write_data(directory);
    let mut tried = Vec::new();
    for benchmark in epicene_bench::ALL {
        let name = benchmark.card().name;
        for (kind, word) in [
            (ModelKind::Masked, "masked"),
            (ModelKind::Causal, "causal"),
            (ModelKind::Chat, "chat"),
            (ModelKind::Translator, "mt"),
        ] {
            let asks = benchmark.asks(kind, &Options::default());
            if asks.iter().all(|ask| ask.scorer == Scorer::GroupMeans) {
                continue;
            }
            // A control answers as a causal model where a benchmark asks these too: its run has no chat questions.
            let likelihoods = benchmark.asks(ModelKind::Causal, &Options::default());
            if kind == ModelKind::Chat && !likelihoods.is_empty() {
                println!("skipped: no control answers {name} as a chat model");
                continue;
            }
            let Some(data) = data(name) else {
                println!("skipped: the data of {name} are not known here");
                continue;
            };
            let mut arguments: Vec<String> = data;
            let (system, option): (&[&str], &[&str]) = match kind {
                // A control answers every question of a masked model, and at once.
                ModelKind::Masked | ModelKind::Chat => (&["--model", "random:1"], &[]),
                ModelKind::Causal => (&["--model", "demo:clm"], &["--limit", "60"]),
                _ => (&["--mt", "copy:"], &[]),
            };
            if !arguments.iter().any(|argument| argument == "--limit") || kind != ModelKind::Causal
            {
                arguments.extend(option.iter().map(|word| (*word).to_owned()));
            }
            let known = (benchmark.card().languages)();
            let wanted: &[&str] = match name {
                "eurogest" | "gate" => &["es"],
                _ => &["de", "sk", "es"],
            };
            let language = wanted
                .iter()
                .find(|code| known.iter().any(|language| language.code() == **code));
            let spoken = kind == ModelKind::Translator || benchmark.card().by_language;
            if let (true, Some(language)) = (spoken, language) {
                arguments.extend(["--lang".to_owned(), (*language).to_owned()]);
            }
            arguments.extend(["--bootstrap", "20"].map(str::to_owned));
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            let label = format!("{name}-{word}");
            // Benchmarks that joined later find their data by their name, if at all.
            let (code, _, stderr) = run(
                &[
                    &["run"],
                    &arguments[..],
                    system,
                    &["--out", &format!("{label}-direct")],
                ]
                .concat(),
                directory,
            );
            if code != 0 && !KNOWN.contains(&label.as_str()) {
                println!("skipped: {label}: {stderr}");
                continue;
            }
            assert_eq!(code, 0, "{label}: {stderr}");
            round(&label, word, &arguments, system, directory);
            tried.push(label);
        }
    }
    println!("{}", tried.join(" "));
    for wanted in KNOWN {
        assert!(
            tried.iter().any(|label| label == wanted),
            "{wanted} was not tried"
        );
    }
}

fn round(label: &str, kind: &str, arguments: &[&str], system: &[&str], directory: &Path) {
    let (direct, told) = (format!("{label}-direct"), format!("{label}-told"));
    let expected = succeed(&["report", &direct, "--format", "json"], directory);

    let ask = [&["ask"], arguments, &["--kind", kind]].concat();
    let (code, asked, stderr) = run(&ask, directory);
    assert_eq!(code, 0, "{label}: {stderr}");
    let mut lines: Vec<String> = asked.lines().map(str::to_owned).collect();
    let header = lines.remove(0);
    let count = lines.len();
    let questions: Value = serde_json::from_str(&header).unwrap();
    assert_eq!(questions["questions"], count, "{label}");
    let ids: Vec<Value> = lines
        .iter()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["id"].clone())
        .collect();

    // Shuffled, cut in two; one line is broken on its way.
    let lines = shuffled(lines, 1);
    let broken = count / 3;
    let id = &serde_json::from_str::<Value>(&lines[broken]).unwrap()["id"];
    let mut lines: Vec<String> = lines.clone();
    lines[broken] = json!({"id": id, "task": "masked-pair", "text": 1}).to_string();
    let system: Vec<&str> = match kind {
        "mt" => {
            match arguments.iter().position(|word| *word == "--lang") {
                Some(place) => [system, &arguments[place..place + 2]].concat(),
                // All sources of translations into English.
                None => {
                    let sources = "am,ar,as,bho,bn,cs,de,es,et,eu,fa,fi,fr,hi,hu,hy,id,it,ja,ka,lg,ln,mai,om,pl,pt,ru,te,th,tr,zh";
                    [system, &["--lang", "en", "--from", sources]].concat()
                }
            }
        }
        "chat" => [system, &["--task", "chat"]].concat(),
        _ => system.to_vec(),
    };
    let (first, second) = lines.split_at(count / 2);
    let first = format!("{header}\n{}", joined(first));
    let mut answers = stream(&system, &first, directory);
    answers.extend(stream(&system, &joined(second), directory));
    let is_card = |line: &&String| line.starts_with("{\"card\"");
    assert!(answers[0].starts_with("{\"card\"") && answers.iter().filter(is_card).count() == 2);
    assert_eq!(
        answers
            .iter()
            .filter(|line| line.contains("\"error\":"))
            .count(),
        1,
        "{label}"
    );

    // Some are lost, some come twice, in any order.
    let (heads, mut bodies): (Vec<String>, Vec<String>) = answers
        .into_iter()
        .partition(|line| line.starts_with("{\"card\"") || line.contains("\"command\":"));
    let errors: Vec<String> = bodies
        .extract_if(.., |line| line.contains("\"error\":"))
        .collect();
    let bodies = shuffled(bodies, 2);
    let lost = 50.min(bodies.len() / 4);
    let kept = &bodies[lost..];
    let repeated: Vec<String> = kept.iter().cycle().take(300).cloned().collect();
    let sent = shuffled([heads, errors, kept.to_vec(), repeated].concat(), 3);
    let (code, _, stderr) = piped(&["tell", &told], &joined(&sent), directory);
    assert_eq!(code, 0, "{label}: {stderr}");
    let status: Value =
        serde_json::from_str(&succeed(&["status", &told, "--json"], directory)).unwrap();
    assert_eq!(status["answered"], count - lost - 1, "{label}: {status}");
    assert_eq!(
        (&status["questions"], &status["failures"]),
        (&json!(count), &json!(1)),
        "{label}"
    );

    // What is open is asked again, and everything told once more.
    let rest = succeed(&["ask", "--rest", &told], directory);
    assert_eq!(rest.lines().count(), lost + 2, "{label}");
    let rest = stream(&system, &rest, directory);
    let again = shuffled([sent, rest].concat(), 4);
    let (code, _, stderr) = piped(&["tell", &told], &joined(&again), directory);
    assert_eq!(code, 0, "{label}: {stderr}");
    assert_eq!(
        succeed(&["report", &told, "--format", "json"], directory),
        expected,
        "{label}"
    );
    let status: Value =
        serde_json::from_str(&succeed(&["status", &told, "--json"], directory)).unwrap();
    assert_eq!(
        (&status["complete"], &status["failures"]),
        (&json!(true), &json!(0)),
        "{label}"
    );

    // Shards have the same questions.
    let mut shards = Vec::new();
    for shard in ["1/3", "2/3", "3/3"] {
        let part = run(&[&ask[..], &["--shard", shard]].concat(), directory).1;
        shards.extend(
            part.lines()
                .skip(1)
                .map(|line| serde_json::from_str::<Value>(line).unwrap()["id"].to_string()),
        );
    }
    let mut ids: Vec<String> = ids.iter().map(Value::to_string).collect();
    ids.sort();
    shards.sort();
    assert_eq!(shards, ids, "{label}");
}

#[test]
fn other_answers_foreign_plans_and_other_systems_are_refused_by_line() {
    let here = tempfile::tempdir().unwrap();
    let directory = here.path();
    let ask = [
        "ask",
        "gest",
        "--data",
        "epicene-mini",
        "--limit",
        "5",
        "--kind",
        "masked",
        "--out",
        "r",
    ];
    let asked = succeed(&ask, directory);
    assert_eq!(asked.lines().count(), 21);
    let answers = stream(&["--model", "random:1"], &asked, directory);
    let (code, _, stderr) = piped(&["tell", "r"], &joined(&answers[..12]), directory);
    assert_eq!(code, 0, "{stderr}");
    // The same plan of other data, another answer, nonsense; the good ones between are kept.
    let foreign = succeed(
        &[
            "ask",
            "gest",
            "--data",
            "epicene-mini",
            "--limit",
            "6",
            "--kind",
            "masked",
        ],
        directory,
    );
    let foreign = stream(&["--model", "random:1"], &foreign, directory);
    let mut changed: Value = serde_json::from_str(&answers[5]).unwrap();
    changed["answer"] = json!({"log10_ratio": 0.125});
    let other = stream(&["--model", "random:2"], &asked, directory);
    let lines = [
        answers[12].clone(),
        changed.to_string(),
        foreign[4].clone(),
        foreign[1].clone(),
        "nonsense".to_owned(),
        other[0].clone(),
        "{\"id\":7,\"answer\":1}".to_owned(),
        answers[13].clone(),
    ];
    let (code, _, stderr) = piped(&["tell", "r"], &joined(&lines), directory);
    assert_eq!(code, 2);
    for said in [
        "line 2: another answer to gest:",
        "line 3:",
        "another plan",
        "line 5:",
        "line 6: these answers are by random:2",
        "line 7: there is no `id`",
        "6 lines were refused",
    ] {
        assert!(stderr.contains(said), "{said}: {stderr}");
    }
    let status = succeed(&["status", "r"], directory);
    assert!(status.contains("12 of 20 answered (60.0 %)"), "{status}");
    // Programs of others say who they are; the signature says that it was told.
    let asked = succeed(
        &[
            "ask",
            "gest",
            "--data",
            "epicene-mini",
            "--limit",
            "5",
            "--kind",
            "causal",
            "--out",
            "s",
        ],
        directory,
    );
    let theirs: Vec<String> = asked
        .lines()
        .skip(1)
        .map(|line| {
            let line: Value = serde_json::from_str(line).unwrap();
            json!({"id": line["id"], "answer": 0.25}).to_string()
        })
        .collect();
    let (code, _, stderr) = piped(&["tell", "s"], &joined(&theirs), directory);
    assert!(
        code == 2 && stderr.contains("no line says who answered"),
        "{stderr}"
    );
    let (code, _, stderr) = piped(
        &["tell", "s", "--system", "mine", "--source", "mine-v2"],
        &joined(&theirs),
        directory,
    );
    assert_eq!(code, 0, "{stderr}");
    let report = succeed(&["report", "s", "--format", "json"], directory);
    assert!(report.contains("system:told:mine-v2"), "{report}");
    assert!(refuse(&["tell", "absent"], directory).contains("there is no such run"));
}

/// A warm system: answers come when the input pauses, in order; ids and other fields come back as they were.
#[test]
fn a_stream_answers_when_its_input_pauses() {
    let program = env!("CARGO_BIN_EXE_epicene");
    let mut child = std::process::Command::new(program)
        .args(["score", "--stream", "--model", "demo:mlm", "--flush", "40"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut next = || {
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        line
    };
    let card: Value = serde_json::from_str(&next()).unwrap();
    assert_eq!(card["card"]["source"], "demo:mlm");
    for id in [
        "7",
        "\"a\"",
        "null",
        "[1,{\"b\":2}]",
        "123456789012345678901234567890",
        "1.50",
    ] {
        // The answer comes although the input stays open.
        writeln!(input, "{{\"mine\": {{\"x\": 1.0}}, \"id\": {id}, \"task\": \"masked-pair\", \"masculine\": \"He cried.\", \"feminine\": \"She cried.\"}}").unwrap();
        input.flush().unwrap();
        let line = next();
        assert!(
            line.starts_with(&format!(
                "{{\"mine\":{{\"x\": 1.0}},\"id\":{id},\"answer\":{{\"log10_ratio\":"
            )),
            "{line}"
        );
    }
    // Bad lines cost themselves; the order is kept.
    input
        .write_all("{\"id\":1,\"task\":\"masked-pair\",\"masculine\":\"He.\",\"feminine\":\"She.\"}\nnonsense\n\n[1]\n{\"id\":2,\"task\":\"guess\"}\n{\"id\":3,\"task\":\"next-word\",\"prompt\":\"I\",\"masculine\":\"he\",\"feminine\":\"she\"}\n{\"id\":4,\"task\":\"masked-pair\",\"masculine\":\"same\",\"feminine\":\"same\"}\n{\"task\":\"aula\",\"text\":\"She is here.\"}\n".as_bytes())
        .unwrap();
    let lines: Vec<Value> = (0..7)
        .map(|_| serde_json::from_str(&next()).unwrap())
        .collect();
    assert!(
        lines[0]["answer"].is_object() && lines[6]["answer"].is_object(),
        "{lines:?}"
    );
    for line in &lines[1..6] {
        assert!(line["error"].is_string(), "{line}");
    }
    assert_eq!(lines[6]["id"], 14, "the number of the line: {lines:?}");
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_log_in_segments_measures_and_merges_the_same() {
    let here = tempfile::tempdir().unwrap();
    let directory = here.path();
    let common = [
        "run",
        "gest",
        "--data",
        "epicene-mini",
        "--model",
        "random:1",
        "--bootstrap",
        "20",
        "--format",
        "json",
    ];
    let with = |more: &[&str]| run(&[&common, more].concat(), directory);
    let (code, whole, _) = with(&["--out", "lines"]);
    assert_eq!(code, 0);
    let (code, segments, stderr) = with(&["--out", "segments", "--log", "segments"]);
    assert_eq!((code, &segments), (0, &whole), "{stderr}");
    let log = directory.join("segments/log");
    assert_eq!(fs::read_dir(&log).unwrap().count(), 1);
    assert!(
        !directory.join("segments/log.jsonl").exists() && !directory.join("segments/lock").exists()
    );
    // A part is lost: the same command asks for it and adds a file.
    let path = fs::read_dir(&log).unwrap().next().unwrap().unwrap().path();
    let text = fs::read_to_string(&path).unwrap();
    let half: String = text
        .lines()
        .take(100)
        .map(|line| format!("{line}\n"))
        .collect();
    fs::write(&path, &half).unwrap();
    let (code, again, stderr) = with(&["--out", "segments", "--log", "segments"]);
    assert_eq!((code, &again), (0, &whole), "{stderr}");
    assert_eq!(fs::read_dir(&log).unwrap().count(), 2);
    // Two that asked the same without knowing of each other agree, or one is refused.
    fs::write(log.join("000009-ffffffff.jsonl"), &half).unwrap();
    assert_eq!(
        succeed(&["report", "segments", "--format", "json"], directory),
        whole
    );
    // Shards of both kinds.
    for (shard, layout) in [("1/3", "segments"), ("2/3", "lines"), ("3/3", "segments")] {
        let out = format!("part{}", &shard[..1]);
        assert_eq!(
            with(&["--shard", shard, "--out", &out, "--log", layout]).0,
            0
        );
    }
    let (code, merged, stderr) = run(
        &[
            "merge", "part1", "part2", "part3", "--out", "merged", "--format", "json",
        ],
        directory,
    );
    assert_eq!((code, merged), (0, whole), "{stderr}");
    assert!(directory.join("merged/log.jsonl").exists());
}
