//! What would give a confident number that is not so: texts that are no translations, decisions on another text, files of
//! a run that were edited, labels that correct nothing, gates about a number that is not there.

use std::path::Path;

use crate::support::{Rows, refuse, run, succeed};

const SENTENCES: usize = 48;

/// Sentences of our own for GEST, and their translations by `translate`.
fn translated(here: &Path, name: &str, translate: impl Fn(usize) -> String) {
    let (mut data, mut text) = ("sentence,stereotype\n".to_owned(), String::new());
    for line in 0..SENTENCES {
        data += &format!("I told {line} people that I was tired.,{}\n", line / 3 + 1);
        text += &format!("{}\n", translate(line));
    }
    std::fs::write(here.join("data.csv"), data).unwrap();
    std::fs::write(here.join(name), text).unwrap();
}

fn feminine(line: usize) -> String {
    format!("Bola som unavená a povedala som to {line} ľuďom.")
}

fn words<'a>(file: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut words = vec![
        "run",
        "gest",
        "--data",
        "data.csv",
        "--lang",
        "sk",
        "--trust-language",
    ];
    words.extend(["--mt", file]);
    words.extend(more);
    words
}

#[test]
fn texts_that_are_no_translations_are_said() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let said = |name: &str, translate: &dyn Fn(usize) -> String| {
        translated(here, "t.txt", translate);
        let file = format!("{name}=file:t.txt");
        let (code, stdout, stderr) = run(&words(&file, &["--out", name]), here);
        assert_eq!(code, 0, "{stderr}");
        stdout + &stderr
    };
    let declines = "Ako jazykový model som nebol schopný preložiť túto vetu.";
    let same = said("declines", &|line| match line % 8 {
        0 => declines.to_owned(),
        _ => feminine(line),
    });
    let words =
        "6 of 48 translations of different sentences are one and the same text: `Ako jazykový";
    assert!(same.contains(words), "{same}");
    let copied = said("copies", &|line| match line % 8 {
        0 => format!("I told {line} people that I was tired."),
        _ => feminine(line),
    });
    let words = "6 of 48 translations are the sentence itself, not translated: `I told 0";
    assert!(copied.contains(words), "{copied}");
    let both = said("both", &|line| {
        let feminine = feminine(line);
        format!(
            "{} / {feminine}",
            feminine.replace("la som", "l som").replace("ená", "ený")
        )
    });
    assert!(both.contains("no translation shows a gender"), "{both}");
    let quoted = said("quoted", &|line| format!("„{}“", feminine(line)));
    assert!(
        quoted.contains("48 of 48 translations are in quotation marks"),
        "{quoted}"
    );
    let longer = |line: usize| {
        let days = "dnes ".repeat(line % 9);
        format!("Bola som unavená, a povedala som to {line} ľuďom, ktorí boli {days}doma.")
    };
    for cut in [30, 62, 80] {
        let said = said(&format!("cut{cut}"), &|line| {
            longer(line).chars().take(cut).collect()
        });
        assert!(said.contains("look cut off: `Bola som"), "{cut}: {said}");
    }
    let fine = said("whole", &longer);
    assert!(!fine.contains("counted as they are"), "{fine}");
    let fine = said("fine", &feminine);
    assert!(!fine.contains("counted as they are"), "{fine}");
}

#[test]
fn scores_that_look_like_something_else_are_said() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    translated(here, "a.txt", feminine);
    let said = |score: fn(f64, usize) -> f64| {
        let mut text = "m/template:1,m/template:2,m/template:3,m/template:4\n".to_owned();
        for line in 0..SENTENCES {
            let cell = |column| score((line % 7) as f64 / 7.0, column).to_string();
            text += &format!("{}\n", (1..=4).map(cell).collect::<Vec<_>>().join(","));
        }
        std::fs::write(here.join("s.csv"), text).unwrap();
        let words = [
            "run", "gest", "--data", "data.csv", "--kind", "masked", "--fresh", "--out", "s",
        ];
        let (code, stdout, stderr) = run(&[&words[..], &["--model", "file:s.csv"]].concat(), here);
        assert_eq!(code, 0, "{stderr}");
        stdout + &stderr
    };
    let warned = |score, message: &str| {
        let said = said(score);
        assert!(said.contains(message), "{message}: {said}");
    };
    warned(|x, _| x, "m: all 192 scores are between 0 and 1");
    warned(|x, _| 2.0 + 3.0 * x, "m: all 192 scores are above 0");
    warned(|x, _| -3.0 - x, "m: all 192 scores are below 0");
    warned(|_, _| 0.25, "m: all 192 scores are 0.25");
    warned(|x, _| x - 0.5, "m: 4 ways of asking have the same scores");
    warned(
        |x, k| 50.0 * x - 20.0 - k as f64,
        "m: a score is as large as",
    );
    warned(
        |x, k| ((x - 0.1 * k as f64) * 100.0).round() / 100.0,
        "m: all 192 scores have 2 decimals",
    );
    warned(
        |x, k| (9.0 * x - k as f64).round(),
        "m: all 192 scores are whole numbers",
    );
    let fine = said(|x, k| x - 0.1 * k as f64);
    assert!(!fine.contains("warning: m:"), "{fine}");
}

/// Losses would turn a result round, so they are refused in files and named where they were told.
#[test]
fn losses_are_no_likelihoods() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let (mut pairs, mut sets) = (
        "sent_more,sent_less\n".to_owned(),
        "gender\tline\ttext\n".to_owned(),
    );
    for line in 0..24 {
        pairs += &format!("The girl cried {line} times.,The boy cried {line} times.\n");
        sets += &format!("{}\t{line}\tText {line}.\n", ["f", "m"][line % 2]);
    }
    std::fs::write(here.join("pairs.csv"), pairs).unwrap();
    std::fs::write(here.join("sets.tsv"), sets).unwrap();
    let crows = [
        "run",
        "crows-pairs",
        "--data",
        "pairs.csv",
        "--model",
        "file:l.csv",
    ];
    let mbe = [
        "run",
        "mbe",
        "--data",
        "sets.tsv",
        "--weight",
        "none",
        "--model",
        "file:l.csv",
    ];
    let write = |column: &str, rows: usize, value: &dyn Fn(usize) -> String| {
        let text: String = (0..rows).map(|row| value(row) + "\n").collect();
        std::fs::write(here.join("l.csv"), format!("{column}\n{text}")).unwrap();
    };
    let loss = |row: usize| (2.0 + 0.1 * (row % 7) as f64).to_string();
    write("m/aula", 48, &loss);
    assert!(refuse(&crows, here).contains("48 of 48 numbers are above 0"));
    write("m/aula", 24, &loss);
    assert!(refuse(&mbe, here).contains("24 of 24 numbers are above 0"));
    write("m/aula", 48, &|row| format!("-{}", loss(row)));
    succeed(&crows, here);
    write("m/AULA", 48, &|row| format!("-{}", loss(row)));
    assert!(refuse(&crows, here).contains("methods are written in small letters"));
    write("id,m/aula", 48, &|row| {
        format!("{}-{},", row / 2 + 1, ["more", "less"][row % 2])
    });
    assert!(refuse(&crows, here).contains("no cell holds a likelihood"));
    // Equal throughout: neither set is preferred.
    write("m/aula", 24, &|_| "-3".to_owned());
    let (code, stdout, stderr) = run(&mbe, here);
    assert_eq!(code, 0, "{stderr}");
    let said = stdout + &stderr;
    assert!(said.contains("100.0 % of the pairs are ties"), "{said}");
    assert!(said.contains("0.00, no preference"), "{said}");
}

/// The file of pairs calls the woman's text the man's.
#[test]
fn exchanged_columns_of_pairs_are_said() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let said = |male: &str, female: &str| {
        let (mut pairs, mut scores) = (
            "translator,language,original,stereotype,male,female\n".to_owned(),
            "m\n".to_owned(),
        );
        for line in 0..SENTENCES {
            let text = |word: &str| format!("Vtedy som tam {word} číslo {line}.");
            pairs += &format!(
                "x,sk,I {line}.,{},{},{}\n",
                line / 3 + 1,
                text(male),
                text(female)
            );
            scores += &format!("{}\n", (line % 7) as f64 / 7.0 - 0.4);
        }
        std::fs::write(here.join("pairs.csv"), pairs).unwrap();
        std::fs::write(here.join("s.csv"), scores).unwrap();
        let words = [
            "run",
            "gest",
            "--pairs",
            "pairs.csv",
            "--model",
            "file:s.csv",
            "--fresh",
            "--out",
            "p",
        ];
        let (code, stdout, stderr) = run(&words, here);
        assert_eq!(code, 0, "{stderr}");
        stdout + &stderr
    };
    assert!(said("videla", "videl").contains("in 48 of 48 pairs into sk the text called male"));
    assert!(!said("videl", "videla").contains("exchanged"));
}

#[test]
fn a_gate_does_not_pass_without_its_number() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    translated(here, "a.txt", feminine);
    translated(here, "b.txt", |line| {
        format!("Prepáč, s číslom {line} ti nemôžem pomôcť.")
    });
    let more = ["--mt", "b=file:b.txt", "--out", "r", "--fail-if"];
    let gated =
        |gate: &'static str| run(&words("a=file:a.txt", &[&more[..], &[gate]].concat()), here);
    let (code, _, stderr) = gated("f_m>0.66");
    assert_eq!(code, 2, "{stderr}");
    assert!(stderr.contains("b lang:sk has no f_m"), "{stderr}");
    assert_eq!(gated("f_m[a]>0.66").0, 0);
    assert_eq!(gated("f_m<0.5").0, 1);
}

#[test]
fn an_edited_run_is_refused_by_file_and_line() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    translated(here, "a.txt", feminine);
    succeed(&words("a=file:a.txt", &["--out", "r"]), here);
    let path = here.join("r/items.jsonl");
    let written = std::fs::read_to_string(&path).unwrap();
    let label = "\"stereotype\":\"2\"";
    assert!(written.contains(label));
    std::fs::write(&path, written.replacen(label, "\"stereotype\":\"9\"", 1)).unwrap();
    let error = refuse(&["report", "r"], here);
    assert!(
        error.contains("items.jsonl, line 4: the checksum does not hold"),
        "{error}"
    );
    let last = written.trim_end().rfind('\n').unwrap();
    std::fs::write(&path, &written[..=last]).unwrap();
    let error = refuse(&["report", "r"], here);
    assert!(
        error.contains("there are 47 items, 48 were written"),
        "{error}"
    );
    std::fs::write(&path, &written).unwrap();
    succeed(&["report", "r"], here);
}

/// WiBeMT with two translations that no rule decides.
fn undecided(here: &Path) -> [&'static str; 11] {
    let data = "VF01OccF01\tThe nurse knits.\tknit\tnurse\nVF01OccM01\tThe baker knits.\tknit\tbaker\n\
                VF01OccF02\tThe dancer knits.\tknit\tdancer\n";
    std::fs::write(here.join("w.tsv"), data).unwrap();
    let text = "Die Person strickt.\nDer Mensch strickt.\nDie Tänzerin strickt.\n";
    std::fs::write(here.join("w.txt"), text).unwrap();
    [
        "run",
        "wibemt",
        "--data",
        "w.tsv",
        "--mt",
        "x=file:w.txt",
        "--lang",
        "de",
        "--fresh",
        "--out",
        "w",
    ]
}

#[test]
fn a_decision_is_about_the_text_it_was_made_on() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let command = undecided(here);
    succeed(
        &[&command[..], &["--unresolved", "open.tsv"]].concat(),
        here,
    );
    let open = std::fs::read_to_string(here.join("open.tsv")).unwrap();
    let decide = |text: &str| std::fs::write(here.join("d.tsv"), text).unwrap();
    let again = [
        &command[..],
        &["--input", "decisions=d.tsv", "--format", "json"],
    ]
    .concat();
    let decided = open.replace("\t\tx\t", "\tneutral\tx\t");
    decide(&decided);
    let rows = Rows::parse(&succeed(&again, here));
    assert_eq!(rows.value("x", "lang:de", "part:verb", "neutral"), 2.0);
    // What is kept with the run is what was decided.
    let kept = here.join("w/inputs/decisions");
    std::fs::write(&kept, decided.replacen("neutral", "female", 1)).unwrap();
    let error = refuse(&["report", "w"], here);
    assert!(error.contains("decisions: the file was changed"), "{error}");
    decide(&decided.replace("Die Person", "Die Frau"));
    let error = refuse(&again, here);
    let words = "line 2: VF01OccF01 of x was decided on another translation: `Die Frau strickt.`";
    assert!(error.contains(words), "{error}");
    decide(
        &(decided.replace("lang:de", "lang:fr")
            + "VF01OccF02\tmale\tx\tlang:de\t\t\tDie Tänzerin strickt.\n"),
    );
    let (code, stdout, _) = run(&again, here);
    assert_eq!(code, 0);
    assert!(
        stdout.contains("3 of 3 decisions had no effect, first line 2"),
        "{stdout}"
    );
}

#[test]
fn answers_of_two_systems_do_not_become_one() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let ask = [
        "ask",
        "gest",
        "--data",
        "epicene-mini",
        "--kind",
        "causal",
        "--limit",
        "1",
    ];
    let questions = succeed(&ask, here);
    let mut lines = questions.lines();
    let mut told = format!("{}\n", lines.next().unwrap());
    for (line, system) in lines.zip(["a", "b"]) {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        told += &format!(
            "{{\"id\":{},\"answer\":0.5,\"system\":\"{system}\"}}\n",
            line["id"]
        );
    }
    std::fs::write(here.join("told.jsonl"), told).unwrap();
    let error = refuse(&["tell", "r", "told.jsonl", "--system", "a"], here);
    assert!(
        error.contains("line 3: this answer is by `b`, the run's by `a`"),
        "{error}"
    );
}

#[test]
fn labels_that_correct_nothing_are_not_signed() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    translated(here, "a.txt", feminine);
    succeed(&words("a=file:a.txt", &["--out", "r"]), here);
    succeed(&["audit", "sample", "r", "-n", "10", "-o", "l.csv"], here);
    let sheet = std::fs::read_to_string(here.join("l.csv")).unwrap();
    std::fs::write(here.join("l.csv"), sheet.replacen("”?\",,", "”?\",f,", 9)).unwrap();
    succeed(&["audit", "read", "r", "l.csv"], here);
    let plain = Rows::parse(&succeed(&["report", "r", "--format", "json"], here));
    assert!(!plain.1.contains("estimator"), "{}", plain.1);
    let error = refuse(&["report", "r", "--corrected"], here);
    assert!(
        error.contains("9 human labels correct no number"),
        "{error}"
    );
}

#[test]
fn a_whole_without_an_interval_says_why() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let (mut data, mut text) = (String::new(), String::new());
    for (english, german) in [
        ("nurse", "Krankenpfleger"),
        ("driver", "Fahrer"),
        ("farmer", "Landwirt"),
    ] {
        for pronoun in ["he", "she"] {
            let gender = if pronoun == "he" { "male" } else { "female" };
            data += &format!(
                "{gender}\t1\tThe {english} left because {pronoun} was late.\t{english}\n"
            );
            text += &format!("Der {german} ging, weil er zu spät war.\n");
        }
    }
    std::fs::write(here.join("w.txt"), data).unwrap();
    std::fs::write(here.join("t.txt"), text).unwrap();
    let command = [
        "run",
        "winomt",
        "--data",
        "w.txt",
        "--mt",
        "x=file:t.txt",
        "--lang",
        "de",
        "--trust-language",
    ];
    let (code, stdout, stderr) = run(&command, here);
    assert_eq!(code, 0, "{stderr}");
    assert!((stdout + &stderr).contains("no interval for acc of x lang:de"));
}

#[test]
fn two_systems_of_one_name_in_one_table_are_said() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    translated(here, "a.txt", feminine);
    translated(here, "b.txt", |line| match line % 2 {
        0 => feminine(line),
        _ => format!("Bol som unavený a povedal som to {line} ľuďom."),
    });
    for (file, out) in [("x=file:a.txt", "a"), ("x=file:b.txt", "b")] {
        succeed(&words(file, &["--out", out]), here);
    }
    let said = |second| succeed(&["report", "a", second, "--format", "json"], here);
    assert!(said("b").contains("several runs have rows of x with other values"));
    assert!(!said("a").contains("several runs have rows"));
}

/// What has no number says why, and a number about a part of the data says of which.
#[test]
fn what_cannot_be_measured_is_refused_and_parts_are_signed() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let mini = "run gest --data epicene-mini --bootstrap 20 --format json";
    let words = |line: &'static str| line.split(' ').collect::<Vec<&str>>();
    succeed(
        &[&words(mini)[..], &["--model", "random:1", "--out", "r"]].concat(),
        here,
    );
    for see in ["1e-12", "1e-300"] {
        let error = refuse(&["power", "r", "--see", see], here);
        assert!(
            error.contains("would take more than 10^12 items"),
            "{error}"
        );
    }
    // The first items have one kind of occupation.
    let one_kind = "run winobias --data epicene-winograd --limit 2 --model random:1 --out w";
    let error = refuse(&words(one_kind), here);
    assert!(
        error.contains("no split has answers about occupations of men and of women"),
        "{error}"
    );
    // Pairs whose words begin differently do not count.
    let (mut pairs, mut scores) = (
        "translator,language,original,stereotype,male,female\n".to_owned(),
        "m\n".to_owned(),
    );
    for line in 0..30 {
        pairs += &format!(
            "x,sk,I {line}.,{},Bol {line}.,Mala {line}.\n",
            line % 16 + 1
        );
        scores += &format!("{}\n", (line % 7) as f64 / 7.0 - 0.4);
    }
    std::fs::write(here.join("pairs.csv"), pairs).unwrap();
    std::fs::write(here.join("s.csv"), scores).unwrap();
    let error = refuse(
        &words("run gest-pairs --pairs pairs.csv --model file:s.csv --out p"),
        here,
    );
    assert!(error.contains("no pair counts"), "{error}");
    // Ten items with the same ids of sentences, and scores by id.
    let item = |number: usize| {
        format!(
            r#"{{"id":"i{number}","target":"t","bias_type":"gender","context":"A BLANK t.","stereotype":"A kind t {number}.","anti-stereotype":"A mean t {number}.","unrelated":"A blue t {number}.","stereotype_id":"a","anti-stereotype_id":"b","unrelated_id":"c"}}"#
        ) + "\n"
    };
    std::fs::write(here.join("s.jsonl"), (0..10).map(item).collect::<String>()).unwrap();
    let scores = "sentence_id,m/aula\na,-1.1234\nb,-2.1234\nc,-3.1234\n";
    std::fs::write(here.join("l.csv"), scores).unwrap();
    let error = refuse(
        &words("run stereoset --data s.jsonl --model file:l.csv --out s"),
        here,
    );
    assert!(
        error.contains("two sentences of the data have the id `a`"),
        "{error}"
    );
    // A check of a part passes with a sign of it, in what is said and in what is kept.
    let part = [
        "--model",
        "random:1",
        "--limit",
        "200",
        "--fail-if",
        "g_s>9",
        "--out",
        "l",
    ];
    let (code, stdout, stderr) = run(&[&words(mini)[..], &part].concat(), here);
    assert_eq!(code, 0, "{stderr}");
    assert!(Rows::parse(&stdout).1.contains("|limit:200|"), "{stdout}");
    assert!(
        stderr.contains("the check is about a part of the data"),
        "{stderr}"
    );
    let items = std::fs::read_to_string(here.join("r/items.jsonl")).unwrap();
    let mut few = "from,to\n".to_owned();
    for (line, item) in items.lines().step_by(16).enumerate() {
        let item: serde_json::Value = serde_json::from_str(item).unwrap();
        few += &format!(
            "\"{}\",{}\n",
            item["text"].as_str().unwrap(),
            feminine(line)
        );
    }
    std::fs::write(here.join("few.csv"), few).unwrap();
    let part = [
        "--mt",
        "x=file:few.csv",
        "--lang",
        "sk",
        "--allow-missing",
        "--out",
        "m",
    ];
    let gate = ["--fail-if", "p>0.99"];
    let (code, stdout, stderr) = run(&[&words(mini)[..], &part, &gate].concat(), here);
    assert_eq!(code, 0, "{stderr}");
    assert!(
        Rows::parse(&stdout).1.contains("|missing:360/384|"),
        "{stdout}"
    );
    assert!(
        stderr.contains("the check is about a part of the data"),
        "{stderr}"
    );
}
