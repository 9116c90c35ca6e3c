//! The first screen of a report for every benchmark, with one system, two and many, in a real browser: the finding in words, the
//! figure, where it shows most and how far it can be trusted are there without scrolling far. Pictures are left in the target
//! directory for the eye.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::browser::Browser;
use crate::support::{edit_manifest, epicene, shared, succeed};

/// What each benchmark is asked with: benchmark, kind of system, arguments. Data of other authors are in `../shared/data`.
pub(crate) const ASKED: [(&str, &str, &str); 19] = [
    ("gest", "masked", "--data epicene-mini"),
    ("gest", "mt", "--data epicene-mini --lang sk"),
    ("gest-pairs", "masked", "--pairs pairs.csv"),
    ("gest-chat", "chat", "--data epicene-mini --limit 96"),
    ("occupations-chat", "chat", "--limit 60"),
    ("winobias", "masked", "--data epicene-winograd"),
    ("mbe", "masked", "--data sets.tsv"),
    ("crows-pairs", "masked", "--data crows.csv"),
    ("stereoset", "masked", "--data stereoset.jsonl"),
    ("unambiguous", "mt", "--size xs --lang de --limit 200"),
    ("wibemt", "mt", "--lang de"),
    ("winomt", "mt", "--data epicene-winograd --lang de"),
    (
        "eurogest",
        "causal",
        "--data SHARED/eurogest/sentences --lang es --limit 400",
    ),
    (
        "mtgeneval",
        "mt",
        "--data SHARED/mtgeneval --lang es --limit 400",
    ),
    ("gate", "mt", "--data SHARED/gate --lang es --limit 100"),
    ("mittens", "mt", "--data SHARED/mittens --limit 200"),
    ("into-english", "mt", "--lang fi"),
    (
        "bbq",
        "causal",
        "--data SHARED/bbq --lang en --limit 200 --prompts 1",
    ),
    ("winogender", "causal", "--data SHARED/winogender"),
];

/// The sources of translations into English.
const SOURCES: &str = "am,ar,as,bho,bn,cs,de,es,et,eu,fa,fi,fr,hi,hu,hy,id,it,ja,ka,lg,ln,mai,om,pl,pt,ru,te,th,tr,zh";

fn numbered(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(line).collect()
}

/// Data of our own for benchmarks that ship none.
pub(crate) fn files(place: &Path) {
    let put = |name: &str, text: String| std::fs::write(place.join(name), text).unwrap();
    put(
        "pairs.csv",
        "translator,language,original,stereotype,male,female\n".to_owned()
            + &numbered(64, |i| {
                format!(
                    "t,sk,I did it {i}.,{},spal som to {i}.,spala som to {i}.\n",
                    i % 16 + 1
                )
            }),
    );
    put(
        "sets.tsv",
        "gender\tline\ttext\n".to_owned()
            + &numbered(120, |i| {
                let (gender, who) = [("f", "She"), ("m", "He")][i % 2];
                format!("{gender}\t{i}1\t{who} did it {i}.\n")
            }),
    );
    put(
        "crows.csv",
        "id,sent_more,sent_less,stereo_antistereo,bias_type\n".to_owned()
            + &numbered(60, |i| {
                let kind = ["stereo", "antistereo"][i % 2];
                format!(
                    "{i},The nurse said {i} that she was tired.,The nurse said {i} that he was tired.,{kind},gender\n"
                )
            }),
    );
    put(
        "stereoset.jsonl",
        numbered(40, |i| {
            let target = ["nurse", "schoolgirl", "grandfather"][i % 3];
            format!(
                "{{\"id\":\"s{i}\",\"target\":\"{target}\",\"bias_type\":\"gender\",\"context\":\"The {target} is BLANK {i}.\",\
                 \"stereotype\":\"The {target} is kind {i}.\",\"anti-stereotype\":\"The {target} is rude {i}.\",\
                 \"unrelated\":\"The {target} is a lamp {i}.\"}}\n"
            )
        }),
    );
}

/// Standard output of a command that reads `input`.
fn piped(arguments: &[&str], place: &Path, input: &str) -> String {
    let mut command = epicene();
    let done = command
        .args(arguments)
        .current_dir(place)
        .write_stdin(input);
    let done = done.output().unwrap();
    let stderr = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{arguments:?}: {stderr}");
    String::from_utf8(done.stdout).unwrap()
}

/// A translation that shows a gender in these languages; the sentence itself would show none.
fn told(language: &str, seed: usize, place: usize) -> Option<&'static str> {
    let texts: &[&str] = match language {
        "sk" => &["Bola som unavená.", "Bol som unavený."],
        "de" => &[
            "Die Ärztin half dem Lehrer.",
            "Der Arzt half der Lehrerin.",
            "Die Krankenschwester häkelt.",
            "Der Krankenpfleger häkelt.",
        ],
        "es" => &[
            "La enfermera estaba cansada porque ella es una buena amiga.",
            "El enfermero estaba cansado porque él es un buen amigo.",
        ],
        _ => return None,
    };
    // Lines in no order that a stereotype has.
    let drawn = (place * 7919 + seed * 104_729) % 101;
    Some(texts[usize::from(drawn >= 40 + 10 * (seed % 3)) + drawn % (texts.len() / 2) * 2])
}

/// A run of a system that is no control for the program, although a control answers.
pub(crate) fn run_of(
    place: &Path,
    (benchmark, kind, words): (&str, &str, &str),
    seed: usize,
    run: &str,
) {
    let words = words.replace("SHARED", &shared("").unwrap().display().to_string());
    let words: Vec<&str> = words.split(' ').collect();
    let name = if benchmark == "gest-pairs" {
        "gest"
    } else {
        benchmark
    };
    let line = [&["export-questions", name, "--kind", kind][..], &words].concat();
    let questions = succeed(&line, place);
    let into = words.iter().position(|word| *word == "--lang");
    let into = into.filter(|_| benchmark != "into-english");
    let into = into.map_or("en", |at| words[at + 1]);
    let lines: Vec<Value> = questions
        .lines()
        .skip(1)
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    let mut answers = questions.lines().next().unwrap().to_owned() + "\n";
    if kind == "mt" && told(into, 0, 0).is_some() {
        for (index, line) in lines.iter().enumerate() {
            let answer = json!({"id": line["id"], "answer": told(into, seed, index)});
            writeln!(answers, "{answer}").unwrap();
        }
    } else {
        let model = format!("random:{seed}");
        let mut command = vec!["score", "--stream"];
        match kind {
            "mt" => command.extend(["--mt", "copy:", "--lang", into]),
            "chat" => command.extend(["--model", &model, "--task", "chat"]),
            _ => command.extend(["--model", &model]),
        }
        if kind == "mt" && into == "en" {
            command.extend(["--from", SOURCES]);
        }
        let said = piped(&command, place, &questions);
        let is_answer =
            |line: &&str| !line.starts_with("{\"card\"") && !line.contains("\"command\":");
        for line in said.lines().filter(is_answer) {
            writeln!(answers, "{line}").unwrap();
        }
    }
    std::fs::write(place.join("answers.jsonl"), answers).unwrap();
    let system = format!("model-{run}");
    succeed(
        &["import-answers", run, "answers.jsonl", "--system", &system],
        place,
    );
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().flatten() {
        if entry.path().is_dir() {
            copy(&entry.path(), &to.join(entry.file_name()));
        } else {
            std::fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }
}

/// Where the finding, the figure, the worst parts and the trust box end, in pixels from the top; null for what is not there.
const ENDS: &str = "['.finding', '.screen figure svg', '.worst', '.trust'].map((name) => \
     { const found = document.querySelector('#summary ' + name); return found && found.getBoundingClientRect().bottom + scrollY; })";

/// Words of figures that leave their picture, or lie on one another.
const CLASHES: &str = r"(() => {
  const found = [];
  for (const svg of document.querySelectorAll('#summary figure svg')) {
    if (!svg.checkVisibility()) continue;
    const frame = svg.getBoundingClientRect();
    const texts = [...svg.querySelectorAll('text')].filter((t) => t.checkVisibility() && t.textContent.trim());
    const boxes = texts.map((t) => [t.textContent, t.getBoundingClientRect()]);
    for (const [text, box] of boxes) {
      if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1)
        found.push('leaves: ' + text);
    }
    for (let i = 0; i < boxes.length; i++) for (let j = 0; j < i; j++) {
      const [a, b] = [boxes[i][1], boxes[j][1]];
      const w = Math.min(a.right, b.right) - Math.max(a.left, b.left), h = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (w > 2 && h > 3) found.push(`${boxes[i][0]} on ${boxes[j][0]}`);
    }
  }
  return found.slice(0, 5);
})()";

/// What axe-core calls serious or critical.
const SERIOUS: &str = "axe.run(document, {resultTypes: ['violations']}).then((found) => found.violations \
     .filter((one) => ['serious', 'critical'].includes(one.impact)) \
     .map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => node.html.slice(0, 120)).join(' · ')}`))";

fn pictures() -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("first-screens");
    std::fs::create_dir_all(&path).unwrap();
    path
}

#[test]
#[ignore = "copies of runs are refused, and the limits were not measured for every benchmark yet"]
fn every_benchmark_answers_on_its_first_screen() {
    let Some(_) = shared("bbq") else { return };
    let Some(mut browser) = Browser::launch() else {
        return;
    };
    let directory = tempfile::tempdir().unwrap();
    let place = directory.path();
    files(place);
    let listed = succeed(&["list", "benchmarks"], place);
    let listed: BTreeSet<&str> = listed
        .lines()
        .filter_map(|line| line.split(' ').next())
        .collect();
    let asked: BTreeSet<&str> = ASKED.iter().map(|(benchmark, ..)| *benchmark).collect();
    let left: Vec<&&str> = listed.difference(&asked).collect();
    // Runs of `custom` are of the benchmark whose measure they take, `gest-into-english` needs translations of a user's, and
    // means of WinoBias have no items of their own: it is a layout of answers.
    assert_eq!(left, [&"custom", &"gest-into-english", &"winobias-means"]);
    let only = std::env::var("EPICENE_FIRST_SCREENS").unwrap_or_default();
    // The script of axe-core, where CI has installed it.
    let axe = std::env::var("EPICENE_AXE").ok();
    let axe = axe.map(|path| std::fs::read_to_string(path).unwrap() + "; true");
    let mut wrong = Vec::new();
    for asked in ASKED
        .iter()
        .filter(|(benchmark, ..)| only.is_empty() || only.split(',').any(|o| o == *benchmark))
    {
        let name = format!("{}-{}", asked.0, asked.1);
        for seed in 1..=3 {
            run_of(place, *asked, seed, &format!("{name}-{seed}"));
        }
        let mut runs: Vec<String> = (1..=3).map(|seed| format!("{name}-{seed}")).collect();
        for number in 4..=34 {
            let run = format!("{name}-{number}");
            copy(&place.join(&runs[number % 3]), &place.join(&run));
            edit_manifest(&place.join(&run), |manifest| {
                let card = &mut manifest["systems"][0];
                let card = if card["card"].is_object() {
                    &mut card["card"]
                } else {
                    card
                };
                card["name"] = json!(format!("model-{run}"));
            });
            runs.push(run);
        }
        for systems in [1, 2, 34] {
            let page = format!("{name}-{systems}.html");
            let mut line = vec!["report"];
            line.extend(runs.iter().take(systems).map(String::as_str));
            line.extend(["-o", &page]);
            succeed(&line, place);
            for theme in ["light", "dark"] {
                browser.emulate("screen", theme);
                browser.open(&place.join(&page));
                for (width, height, most) in
                    [(1400, 900, 1400.0), (768, 1024, 2048.0), (390, 844, 1688.0)]
                {
                    if theme == "dark" && width != 1400 {
                        continue;
                    }
                    browser.resize(width, height);
                    let what = format!("{name}, {systems} systems, {width} px, {theme}");
                    let ends = browser.value(ENDS);
                    if systems != 2 || width != 768 {
                        browser.screenshot(
                            &pictures().join(format!("{name}-{systems}-{width}-{theme}.png")),
                        );
                    }
                    for (end, part) in ends
                        .as_array()
                        .unwrap()
                        .iter()
                        .zip(["finding", "figure", "worst", "trust"])
                    {
                        if end.as_f64().is_none_or(|end| end > most) {
                            wrong.push(format!("{what}: {part} ends at {end}"));
                        }
                    }
                    let clashes = browser.value(CLASHES);
                    if clashes != json!([]) {
                        wrong.push(format!("{what}: {clashes}"));
                    }
                    if let Some(axe) = &axe
                        && width == 1400
                    {
                        browser.value(axe);
                        let found = browser.value(SERIOUS);
                        if found != json!([]) {
                            wrong.push(format!("{what}: {found}"));
                        }
                    }
                    let wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth + 1";
                    if browser.value(wide) == true {
                        wrong.push(format!("{what}: the page is wider than the screen"));
                    }
                }
                browser.resize(1400, 900);
            }
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
