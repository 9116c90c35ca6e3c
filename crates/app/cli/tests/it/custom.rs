//! Benchmarks as data: `epicene run custom`.

use std::path::Path;

use crate::support::{Rows, refuse, run, shared, succeed};
use serde_json::Value;

fn write(here: &Path, name: &str, text: &str) {
    std::fs::write(here.join(name), text).unwrap();
}

/// Rows of a run with the metrics, without what names the data.
fn rows(json: &str, metrics: &[&str]) -> Vec<Value> {
    let whole: Value = serde_json::from_str(json).unwrap();
    let rows = whole["rows"].as_array().unwrap().iter();
    // Published systems answered the published data: ranks among them are of built-in runs alone.
    let rows = rows.filter(|row| !row["metric"].as_str().unwrap().starts_with("more_"));
    let wanted =
        rows.filter(|row| metrics.is_empty() || metrics.contains(&row["metric"].as_str().unwrap()));
    wanted.cloned().collect()
}

fn table(here: &Path, name: &str, lines: impl IntoIterator<Item = Vec<String>>) {
    let mut table = csv::Writer::from_path(here.join(name)).unwrap();
    for line in lines {
        table.write_record(line).unwrap();
    }
    table.flush().unwrap();
}

#[test]
fn gest_is_reproduced_from_a_specification() {
    let Some(gest) = shared("gest") else { return };
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let data = gest.join("gest.csv");
    let mut sentences = csv::Reader::from_path(&data).unwrap();
    let mut lines = vec![
        ["text", "trait", "held", "named"]
            .map(str::to_owned)
            .to_vec(),
    ];
    for row in sentences.records() {
        let row = row.unwrap();
        let about = if row[1].parse::<u8>().unwrap() < 8 {
            "women"
        } else {
            "men"
        };
        lines.push(vec![
            row[0].to_owned(),
            row[1].to_owned(),
            about.to_owned(),
            format!("trait {}", &row[1]),
        ]);
    }
    table(here, "items.csv", lines);
    let spec = "name = \"gest-again\"\nmeasure = \"first-person-gender\"\nitems = \"items.csv\"\ntemplate = \"{text}\"\ngroup = \"trait\"\n";
    write(here, "same.toml", spec);
    let own = spec.replace("group = \"trait\"", "group = \"named\"");
    write(here, "own.toml", &format!("{own}about = \"held\"\n"));
    let file = gest.join("translations/deepl/sk/translations.csv.gz");
    let mt = format!("nmt=file:{}", file.display());
    let more = ["--mt", &mt, "--lang", "sk", "--format", "json", "--out"];
    let data = data.to_str().unwrap();
    let built_in = succeed(
        &[&["run", "gest", "--data", data], &more[..], &["a"]].concat(),
        here,
    );
    let again = succeed(
        &[&["run", "custom", "--spec", "same.toml"], &more[..], &["b"]].concat(),
        here,
    );
    assert_eq!(rows(&built_in, &[]), rows(&again, &[]));
    assert!(rows(&again, &[]).len() > 20);
    assert!(
        Rows::parse(&again)
            .1
            .starts_with("gest|data:gest-again-custom@"),
        "{}",
        Rows::parse(&again).1
    );
    let own = succeed(
        &[&["run", "custom", "--spec", "own.toml"], &more[..], &["c"]].concat(),
        here,
    );
    for metric in ["f_m", "f_s"] {
        let get = |json: &str| {
            let row = Rows::parse(json);
            let row = row.row("nmt", "lang:sk", "all", metric);
            ["value", "low", "high", "n"].map(|key| row[key].as_f64().unwrap())
        };
        // Groups of other names are summed in another order.
        for (built_in, own) in get(&built_in).into_iter().zip(get(&own)) {
            assert!((built_in - own).abs() < 1e-12, "{metric}: {built_in} {own}");
        }
    }
    // The other commands know nothing of where the items are from.
    succeed(&["report", "b", "-o", "b.html"], here);
    succeed(
        &["audit", "sample", "b", "-n", "40", "-o", "sheet.html"],
        here,
    );
}

#[test]
fn pairs_of_winobias_are_reproduced_from_a_specification() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let more = [
        "--model",
        "random:1",
        "--model",
        "always:he",
        "--format",
        "json",
        "--out",
    ];
    let built_in = succeed(
        &[
            &["run", "winobias", "--data", "epicene-winograd"],
            &more[..],
            &["a"],
        ]
        .concat(),
        here,
    );
    let items = succeed(&["report", "a", "--items"], here);
    let mut lines = vec![["he", "she", "part", "held"].map(str::to_owned).to_vec()];
    for line in items.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        if line["system"] == "random:1" {
            let label = |name: &str| line["labels"][name].as_str().unwrap().to_owned();
            lines.push(vec![
                line["text"].as_str().unwrap().to_owned(),
                label("she"),
                label("split"),
                label("occupation"),
            ]);
        }
    }
    assert!(lines.len() > 20);
    table(here, "pairs.csv", lines);
    let spec = "name = \"pairs\"\nmeasure = \"pair-preference\"\nitems = \"pairs.csv\"\nmasculine = \"{he}\"\nfeminine = \"{she}\"\nabout = \"held\"\n";
    write(here, "pairs.toml", &format!("{spec}group = \"part\"\n"));
    let again = succeed(
        &[
            &["run", "custom", "--spec", "pairs.toml"],
            &more[..],
            &["b"],
        ]
        .concat(),
        here,
    );
    assert_eq!(rows(&built_in, &[]), rows(&again, &[]));
    let compared = |run: &str| rows(&succeed(&["compare", run, "--format", "json"], here), &[]);
    assert_eq!(compared("a"), compared("b"));
    // Without a group all pairs are one.
    write(here, "one.toml", spec);
    let one = succeed(
        &[&["run", "custom", "--spec", "one.toml"], &more[..], &["c"]].concat(),
        here,
    );
    assert_eq!(
        Rows::parse(&one).value("always:he", "pairs", "all", "ghat_s"),
        1.0
    );
}

#[test]
fn unambiguous_xs_is_reproduced_from_a_specification() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let set = succeed(&["data", "make", "unambiguous", "--size", "xs"], here);
    let mut lines = vec![
        ["text", "labels", "gender", "who", "held"]
            .map(str::to_owned)
            .to_vec(),
    ];
    let mut german = String::new();
    for line in set.lines() {
        let cells: Vec<&str> = line.split('\t').collect();
        let who = cells[0].split(' ').nth(1).unwrap();
        let about = if cells[1].contains("_OCC_NO_M_") {
            "men"
        } else {
            "women"
        };
        lines.push(
            [cells[0], cells[1], cells[2], who, about]
                .map(str::to_owned)
                .to_vec(),
        );
        let word = match who {
            "editor" => "Die Redakteurin",
            "accountant" => "Der Buchhalter",
            "designer" => "Die Designerin",
            "writer" => "Der Schriftsteller",
            "engineer" => "Der Ingenieur",
            "physician" => "Die Ärztin",
            "plumber" => "Der Klempner",
            _ => "Das Haus",
        };
        german += &format!("{word} ist da.\n");
    }
    table(here, "items.csv", lines);
    write(here, "de.txt", &german);
    let spec = "name = \"xs\"\nmeasure = \"person-gender\"\nitems = \"items.csv\"\ntemplate = \"{text}\"\nperson = \"who\"\nexpected = \"gender\"\n";
    write(here, "xs.toml", &format!("{spec}features = \"labels\"\n"));
    write(here, "about.toml", &format!("{spec}about = \"held\"\n"));
    let more = [
        "--mt",
        "mt=file:de.txt",
        "--lang",
        "de",
        "--trust-language",
        "--format",
        "json",
        "--out",
    ];
    let built_in = succeed(
        &[&["run", "unambiguous", "--size", "xs"], &more[..], &["a"]].concat(),
        here,
    );
    let again = succeed(
        &[&["run", "custom", "--spec", "xs.toml"], &more[..], &["b"]].concat(),
        here,
    );
    assert_eq!(rows(&built_in, &[]), rows(&again, &[]));
    let about = succeed(
        &[
            &["run", "custom", "--spec", "about.toml"],
            &more[..],
            &["c"],
        ]
        .concat(),
        here,
    );
    let main = ["correct", "wrong", "na", "delta_m", "delta_f", "delta_g"];
    let of_all = |json: &str| -> Vec<Value> {
        let rows = rows(json, &main).into_iter();
        rows.filter(|row| {
            row["group"] == "all" || row["group"].as_str().unwrap().starts_with("config:")
        })
        .collect()
    };
    assert!(of_all(&about).len() > 5);
    assert_eq!(of_all(&built_in), of_all(&about));
    assert!(Rows::parse(&again).value("mt", "lang:de", "all", "correct") > 0.3);
}

#[test]
fn a_choice_is_asked_of_chat_models() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    write(
        here,
        "t.tsv",
        "trait\tkind\theld\nbrave\tcourage\tmen\nbold\tcourage\tmen\nfierce\tcourage\tmen\ngentle\tcare\twomen\nkind\tcare\twomen\nwarm\tcare\twomen\n",
    );
    write(
        here,
        "t.toml",
        "name = \"traits\"\nmeasure = \"choice\"\nitems = \"t.tsv\"\ntemplate = \"I am {trait}.\"\ngroup = \"kind\"\nabout = \"held\"\n",
    );
    let ask = [
        "run", "custom", "--spec", "t.toml", "--model", "always:a", "--format", "json",
    ];
    let json = succeed(&ask, here);
    assert!(json.contains("gest-chat|data:traits-custom@"), "{json}");
    let ask = [
        "run", "custom", "--spec", "t.toml", "--mt", "copy:", "--lang", "sk",
    ];
    refuse(&ask, here);
}

#[test]
fn broken_specifications_name_file_line_and_what_to_do() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    write(
        here,
        "t.csv",
        "word,kind,held\nbrave,courage,men\n,care,women\n",
    );
    let good = "name = \"x\"\nmeasure = \"first-person-gender\"\nitems = \"t.csv\"\ntemplate = \"I am {word}.\"\ngroup = \"kind\"\nabout = \"held\"\n";
    let cases = [
        (
            good.replace("name =", "nam ="),
            "s.toml, line 1: unknown field `nam`",
        ),
        (
            good.replace("first-person-gender", "gender"),
            "s.toml, line 2: unknown variant `gender`",
        ),
        (good.replace("{word}", "{wrd}"), "t.csv has no column `wrd`"),
        (good.replace("{word}", "{word"), "a brace is never closed"),
        (good.replace("{word}", "brave"), "names no column"),
        (
            good.replace("\"kind\"", "\"sort\""),
            "t.csv has no column `sort`",
        ),
        (good.replace("group", "person"), "there is no `group`"),
        (
            format!("{good}person = \"word\"\n"),
            "`person` has no effect on this measure",
        ),
        (
            good.replace("\"held\"", "\"kind\""),
            "t.csv, line 2: `courage` is neither men nor women",
        ),
        (good.replace("\"t.csv\"", "\"none.csv\""), "none.csv"),
        (
            good.replace("\"x\"", "\"a b\""),
            "the name has other characters",
        ),
        ("name = ".to_owned(), "s.toml, line 1"),
        ("name = traits\n".to_owned(), "text in quotation marks"),
    ];
    for (text, expected) in cases {
        write(here, "s.toml", &text);
        write(here, "sk.txt", "Som rada.\nSom rád.\n");
        let said = refuse(
            &[
                "run",
                "custom",
                "--spec",
                "s.toml",
                "--mt",
                "x=file:sk.txt",
                "--lang",
                "sk",
            ],
            here,
        );
        assert!(said.contains(expected), "{text}: {said}");
    }
    // Lines are those of the table.
    write(here, "s.toml", good);
    for (table, expected) in [
        (
            "word,kind,held\nbrave,courage,men\nbold,courage,men\ngentle,courage,women\n",
            "t.csv, line 4: `courage` is about women here and about men above",
        ),
        (
            "word,kind,held\nbrave,courage,men\nbold,courage,men\ngentle,7,women\n",
            "t.csv, line 4: the group `7` is a number",
        ),
        (
            "word,kind,held\nbrave,courage,men\ngentle,care,\n",
            "t.csv, line 3: the column of `about` is empty",
        ),
    ] {
        write(here, "t.csv", table);
        let line = "run custom --spec s.toml --mt x=file:sk.txt --lang sk";
        let said = refuse(&line.split(' ').collect::<Vec<_>>(), here);
        assert!(said.contains(expected), "{table}: {said}");
    }
    assert!(
        refuse(&["run", "custom", "--mt", "copy:", "--lang", "sk"], here)
            .contains("custom needs its specification")
    );
    let (code, _, said) = run(&["run", "gest", "--spec", "s.toml"], here);
    assert_eq!(code, 2);
    assert!(said.contains("it is an option of custom"), "{said}");
}
