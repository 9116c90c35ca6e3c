//! What the papers have: sets of one's own, WinoBias from a run, challenge sets with their counts, the guide, and the printed numbers
//! again.

use std::fs;
use std::path::Path;

use crate::support::{refuse, run, shared, succeed};
use serde_json::Value;

fn rows(output: &str) -> Vec<Value> {
    let whole: Value = serde_json::from_str(output).unwrap();
    whole["rows"].as_array().unwrap().clone()
}

fn value(rows: &[Value], system: &str, group: &str, metric: &str) -> f64 {
    let row = rows.iter().find(|row| {
        row["system"] == system
            && row["group"] == group
            && row["metric"] == metric
            && row["unit"] == "all"
    });
    row.unwrap_or_else(|| panic!("{system} {group} {metric}"))["value"]
        .as_f64()
        .unwrap()
}

/// A line of scores for each item; models differ in how much they follow the stereotype.
fn scores(
    path: &Path,
    items: usize,
    models: &[(&str, f64)],
    male: impl Fn(usize) -> bool,
    ending: &str,
) {
    let names: Vec<String> = models
        .iter()
        .map(|(name, _)| format!("{name}{ending}"))
        .collect();
    let mut text = names.join(",") + "\n";
    for item in 0..items {
        let cells: Vec<String> = models
            .iter()
            .map(|(_, bias)| {
                let noise = ((item * 7919 + 13) % 101) as f64 / 1010.0;
                (noise + if male(item) { *bias } else { 0.0 }).to_string()
            })
            .collect();
        text += &(cells.join(",") + "\n");
    }
    fs::write(path, text).unwrap();
}

const MODELS: [(&str, f64); 3] = [("a", 0.1), ("b", 0.3), ("c", 0.6)];

#[test]
fn winobias_may_be_a_run() {
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    scores(&place.join("w.csv"), 32, &MODELS, |item| item % 3 == 0, "");
    succeed(
        &[
            "run",
            "winobias",
            "--data",
            "epicene-winograd",
            "--model",
            "file:w.csv",
            "--out",
            "wino",
        ],
        place,
    );
    scores(
        &place.join("g.csv"),
        384,
        &MODELS,
        |item| item >= 168,
        "_template-2",
    );
    let run = [
        "run",
        "gest",
        "--data",
        "epicene-mini",
        "--kind",
        "masked",
        "--model",
        "file:g.csv",
        "--format",
        "json",
    ];
    let line = [&run[..], &["--winobias", "wino", "--out", "gest"]].concat();
    let found = rows(&succeed(&line, place));
    let r = found
        .iter()
        .filter(|row| row["metric"] == "r_winobias")
        .count();
    assert!(r >= 1, "no correlation");
    let ghat = found.iter().filter(|row| row["metric"] == "ghat_s").count();
    assert_eq!(ghat % 3, 0);
    // A run of something else is refused by name, and so is a directory that is none.
    let line = [&run[..], &["--winobias", "gest", "--out", "other"]].concat();
    assert!(refuse(&line, place).contains("a run of gest"));
    let line = [&run[..], &["--winobias", ".", "--out", "other"]].concat();
    refuse(&line, place);
}

#[test]
fn stereotypes_of_ones_own_are_measured_alike() {
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    let mini = fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/benchmarks/data/epicene-mini.csv"),
    );
    fs::write(place.join("mini.csv"), mini.unwrap()).unwrap();
    scores(
        &place.join("g.csv"),
        384,
        &MODELS,
        |item| item >= 168,
        "_template-2",
    );
    let mut set = String::from("id\tabout\tname\n");
    for id in 1..=16 {
        let about = if id < 8 { "women" } else { "men" };
        set += &format!("{id}\t{about}\tGroup {id}\n");
    }
    fs::write(place.join("set.tsv"), set).unwrap();
    let run = [
        "run",
        "gest",
        "--data",
        "mini.csv",
        "--kind",
        "masked",
        "--model",
        "file:g.csv",
        "--format",
        "json",
    ];
    let plain = rows(&succeed(&[&run[..], &["--out", "plain"]].concat(), place));
    let own = rows(&succeed(
        &[&run[..], &["--stereotype-set", "set.tsv", "--out", "own"]].concat(),
        place,
    ));
    for model in ["a", "b", "c"] {
        assert_eq!(
            value(&plain, model, "all", "g_s"),
            value(&own, model, "all", "g_s")
        );
        assert_eq!(
            value(&plain, model, "stereotype:13", "q"),
            value(&own, model, "stereotype:Group 13", "q")
        );
    }
    assert!(succeed(&["report", "own"], place).contains("Group 13"));
    // What the table does not have is refused with its line.
    fs::write(
        place.join("short.tsv"),
        "id\tabout\tname\n1\twomen\tOne\n8\tmen\tEight\n",
    )
    .unwrap();
    let line = [&run[..], &["--stereotype-set", "short.tsv", "--out", "x"]].concat();
    assert!(refuse(&line, place).contains("stereotype `2` is not in the set"));
}

#[test]
fn sentences_are_checked_against_the_guide() {
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    fs::write(
        place.join("s.csv"),
        "sentence,stereotype\nI was crying.,1\nShe was crying.,1\nI am a mother.,3\n",
    )
    .unwrap();
    let (code, stdout, _) = run(&["check-sentences", "gest", "s.csv"], place);
    assert_eq!(code, 1);
    assert!(
        stdout.contains("third-person") && stdout.contains("gender-marked"),
        "{stdout}"
    );
    let statistics = ["check-sentences", "gest", "s.csv", "--statistics"];
    let (code, counted, _) = run(&statistics, place);
    assert_eq!(code, 1);
    assert!(counted.contains("3 sentences"), "{counted}");
    fs::write(place.join("t.txt"), "Plakala som.\nPlakala.\nPracujem.\n").unwrap();
    let line = [
        "check-sentences",
        "gest",
        "s.csv",
        "--translations",
        "t.txt",
        "--lang",
        "sk",
    ];
    let (_, stdout, _) = run(&line, place);
    assert!(stdout.contains("no-gender"), "{stdout}");
}

#[test]
fn challenge_sets_have_their_sizes() {
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    let count = |line: &[&str]| succeed(line, place).trim().to_owned();
    assert_eq!(count(&["generate", "wibemt", "--count"]), "4158");
    let Some(wibemt) = shared("wibemt") else {
        return;
    };
    let base = wibemt
        .join("winobias_base_3168.tsv.gz")
        .display()
        .to_string();
    assert_eq!(
        count(&[
            "generate",
            "wibemt",
            "--adjectives",
            "--winobias",
            &base,
            "--count"
        ]),
        "66528"
    );
    let Some(winomt) = shared("winomt") else {
        return;
    };
    let data = winomt.join("en_2019.tsv.gz").display().to_string();
    assert_eq!(
        count(&["generate", "winomt", "--data", &data, "--count"]),
        "3888"
    );
    for half in ["pro", "anti"] {
        assert_eq!(
            count(&[
                "generate", "winomt", "--data", &data, "--set", half, "--count"
            ]),
            "1584"
        );
    }
}

/// GEST's sixteen under names of the user's own, as a table.
fn sixteen(place: &Path) {
    let mut set = String::from("id\tabout\tname\n");
    for id in 1..=16 {
        let about = if id < 8 { "women" } else { "men" };
        set += &format!("{id}\t{about}\tGroup {id}\n");
    }
    fs::write(place.join("set.tsv"), set).unwrap();
}

fn mini() -> String {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/benchmarks/data/epicene-mini.csv");
    fs::read_to_string(path).unwrap()
}

fn find(rows: &[Value], place: [&str; 3], metric: &str) -> f64 {
    let [system, unit, group] = place;
    let row = rows.iter().find(|row| {
        row["system"] == system
            && row["unit"] == unit
            && row["group"] == group
            && row["metric"] == metric
    });
    row.unwrap_or_else(|| panic!("{place:?} {metric}"))["value"]
        .as_f64()
        .unwrap()
}

/// The same table of stereotypes in chat models and in EuroGEST.
#[test]
fn stereotypes_of_ones_own_in_every_measure() {
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    sixteen(place);
    fs::write(place.join("mini.csv"), mini()).unwrap();
    let chat = [
        "run",
        "gest-chat",
        "--data",
        "mini.csv",
        "--frames",
        "choice",
    ];
    let chat = [&chat[..], &["--model", "random:1", "--format", "json"]].concat();
    let plain = rows(&succeed(&[&chat[..], &["--out", "chat"]].concat(), place));
    let own = ["--stereotype-set", "set.tsv", "--out", "own-chat"];
    let own = rows(&succeed(&[&chat[..], &own].concat(), place));
    for metric in ["s", "n"] {
        let of = |rows: &[Value]| find(rows, ["random:1", "choice", "all"], metric);
        assert_eq!(of(&plain), of(&own), "{metric}");
    }
    let of = |rows: &[Value], group| find(rows, ["random:1", "choice", group], "m");
    assert_eq!(of(&plain, "stereotype:13"), of(&own, "stereotype:Group 13"));
    assert_eq!(
        find(&own, ["all", "all", "stereotype:Group 13"], "about_men"),
        1.0
    );
    assert!(succeed(&["report", "own-chat"], place).contains("Group 13"));

    // Sentences of no gender, framed in English.
    let mut table = String::from("GEST_ID\tSource\tStereotype_ID\tNeutral\tMasculine\tFeminine\n");
    for (id, line) in mini().lines().skip(1).enumerate() {
        let (sentence, stereotype) = line.rsplit_once(',').unwrap();
        let sentence = sentence.trim_matches('"');
        table += &format!("{id}\t{sentence}\t{stereotype}.0\t{sentence}\t\t\n");
    }
    fs::write(place.join("english.tsv"), table).unwrap();
    let euro = [
        "run",
        "eurogest",
        "--data",
        "english.tsv",
        "--model",
        "random:1",
    ];
    let euro = [&euro[..], &["--format", "json"]].concat();
    let plain = rows(&succeed(&[&euro[..], &["--out", "euro"]].concat(), place));
    let own = ["--stereotype-set", "set.tsv", "--out", "own-euro"];
    let own = rows(&succeed(&[&euro[..], &own].concat(), place));
    let of = |rows: &[Value]| find(rows, ["random:1", "lang:en", "all"], "g_s");
    assert_eq!(of(&plain), of(&own));
    let of = |rows: &[Value], group| find(rows, ["random:1", "lang:en", group], "inclination");
    assert_eq!(of(&plain, "stereotype:16"), of(&own, "stereotype:Group 16"));
    // Equal q share their ranks: a coin that always falls alike.
    let alike = [
        "run",
        "eurogest",
        "--data",
        "english.tsv",
        "--model",
        "always:he",
    ];
    let alike = rows(&succeed(
        &[&alike[..], &["--format", "json", "--out", "alike"]].concat(),
        place,
    ));
    assert_eq!(
        find(&alike, ["always:he", "lang:en", "stereotype:3"], "rank"),
        8.5
    );
    // A set that lacks a stereotype of the data is refused.
    fs::write(
        place.join("short.tsv"),
        "id\tabout\tname\n1\twomen\tOne\n8\tmen\tEight\n",
    )
    .unwrap();
    for line in [&chat, &euro] {
        let line = [&line[..], &["--stereotype-set", "short.tsv", "--out", "x"]].concat();
        assert!(refuse(&line, place).contains("is not in the set"));
    }
}

/// Score files have no model to ask: a tokenizer says which pairs differ in one token.
#[test]
fn a_tokenizer_filters_score_files() {
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    let mut pairs = String::from("translator,language,original,stereotype,male,female\n");
    let mut scores = String::from("m\n");
    for id in 1..=16 {
        // One token each; then a word of several tokens; then words with different letters.
        for (male, female) in [("man", "me"), ("woman", "women"), ("said", "the")] {
            pairs += &format!("t,sk,I {id}.,{id},that {male} was {id},that {female} was {id}\n");
            scores += &format!("{}\n", f64::from(id) / 10.0);
        }
    }
    fs::write(place.join("pairs.csv"), pairs).unwrap();
    fs::write(place.join("scores.csv"), scores).unwrap();
    let tokenizer = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../engine/engine/tests/checkpoints/bert/tokenizer.json");
    let run = [
        "run",
        "gest",
        "--pairs",
        "pairs.csv",
        "--model",
        "file:scores.csv",
        "--format",
        "json",
    ];
    let plain = rows(&succeed(&[&run[..], &["--out", "plain"]].concat(), place));
    let given = tokenizer.display().to_string();
    let line = [&run[..], &["--tokenizer", &given, "--out", "filtered"]].concat();
    let filtered = rows(&succeed(&line, place));
    assert_eq!(find(&plain, ["m", "lang:sk", "all"], "pairs"), 32.0);
    assert_eq!(find(&filtered, ["m", "lang:sk", "all"], "pairs"), 16.0);
    // Table 7 counts sentences that start alike, whatever the tokens.
    for found in [&plain, &filtered] {
        assert_eq!(
            find(found, ["all", "lang:sk", "translator:t"], "pairs_table7"),
            48.0
        );
    }
    let shown = succeed(&["report", "filtered"], place);
    assert!(
        shown.contains("Table 11") && shown.contains("Beautiful"),
        "{shown}"
    );
    let line = [&run[..], &["--tokenizer", "n=missing.json", "--out", "x"]].concat();
    refuse(&line, place);
}

#[test]
fn labels_of_people_are_a_matrix() {
    let Some(folder) = shared("winomt") else {
        return;
    };
    let place = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.join(name).display().to_string();
    let (data, mt) = (
        path("en_2019.tsv.gz"),
        path("translations/google/en-he.txt.gz"),
    );
    let (mt, people) = (
        format!("google=file:{mt}"),
        format!("human:google:he={}", path("human/google.he.tsv.gz")),
    );
    let run = [
        "run", "winomt", "--data", &data, "--mt", &mt, "--lang", "he",
    ];
    let more = [
        "--judge",
        "published",
        "--input",
        &people,
        "--format",
        "json",
    ];
    let found = rows(&succeed(&[&run[..], &more].concat(), place.path()));
    let cell = |label: &str, metric: &str| {
        find(
            &found,
            ["google", "lang:he", &format!("human:{label}")],
            metric,
        )
    };
    let labels = ["male", "female", "neutral"];
    let all: f64 = labels
        .iter()
        .flat_map(|label| {
            ["male", "female", "neutral", "unknown"].map(|metric| cell(label, metric))
        })
        .sum();
    let equal: f64 = labels.iter().map(|label| cell(label, label)).sum();
    assert_eq!((equal, all), (84.0, 98.0));
}

/// Czech and Polish have words of one gender for everybody; what a translator gives them says nothing.
#[test]
fn persons_of_a_fixed_gender_may_be_left_out() {
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    let data = "male\t1\tThe nurse helped because he had time.\tthe nurse\n\
                female\t1\tThe child cried because she was tired.\tthe child\n\
                neutral\t1\tThe lawyer left because they were late.\tthe lawyer\n\
                female\t1\tThe victim called because she was afraid.\tthe victim\n";
    fs::write(place.join("en.txt"), data).unwrap();
    let translations = "Zdravotní bratr pomohl, protože měl čas.\nDítě plakalo, protože bylo unavené.\n\
                        Právník odešel, protože měl zpoždění.\nOběť zavolala, protože se bála.\n";
    fs::write(place.join("cs.txt"), translations).unwrap();
    let run = [
        "run",
        "winomt",
        "--data",
        "en.txt",
        "--mt",
        "t=file:cs.txt",
        "--lang",
        "cs",
    ];
    let run = [&run[..], &["--trust-language", "--format", "json"]].concat();
    let plain = rows(&succeed(&[&run[..], &["--out", "plain"]].concat(), place));
    let left = rows(&succeed(
        &[&run[..], &["--ignore-fixed", "--out", "left"]].concat(),
        place,
    ));
    let n = |rows: &[Value]| {
        let accuracy = |row: &&Value| row["metric"] == "acc" && row["group"] == "all";
        rows.iter().find(accuracy).unwrap()["n"].as_u64().unwrap()
    };
    assert_eq!((n(&plain), n(&left)), (4, 1));
    assert_eq!(find(&left, ["t", "lang:cs", "all"], "ignored"), 3.0);
}

/// Prompts that name the speaker's gender tell less than the text itself: appendix G of GEST, on the published translations.
#[test]
fn prompts_are_a_poor_detector() {
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    let from_to = "from,to\nI ran.,Bežal som.\n\"The man said: \"\"I ran.\"\"\",\"Muž povedal: \"\"Bežal som.\"\"\"\n\
                   \"The woman said: \"\"I ran.\"\"\",\"Žena povedala: \"\"Bežala som.\"\"\"\n";
    fs::write(place.join("t.csv"), from_to).unwrap();
    fs::write(
        place.join("s.csv"),
        "sentence,stereotype\nI ran.,16\nI cried.,1\n",
    )
    .unwrap();
    let line = [
        "experiment",
        "inducing",
        "--data",
        "s.csv",
        "--translations",
        "t.csv",
        "--lang",
        "sk",
    ];
    let shown = succeed(&line, place);
    assert!(shown.contains("decided by prompts: 1 of 1"), "{shown}");
    fs::write(place.join("t.csv"), "from,to\nI ran.,Bežal som.\n").unwrap();
    assert!(refuse(&line, place).contains("with its prompts"));
    let Some(folder) = shared("gest") else { return };
    let path = |name: &str| folder.join(name).display().to_string();
    // Half of the sentences come out in other words; where both decide, they agree.
    for (system, decided, agreed) in [
        ("google_translate", "1738 of 3453", "1699 of 1699"),
        ("deepl", "1995 of 3453", "1929 of 1929"),
    ] {
        let file = path(&format!("translations/{system}/sk/translations.csv.gz"));
        let line = [
            "experiment",
            "inducing",
            "--data",
            &path("gest.csv"),
            "--translations",
            &file,
            "--lang",
            "sk",
        ];
        let shown = succeed(&line, place);
        assert!(
            shown.contains(&format!("decided by prompts: {decided}")),
            "{shown}"
        );
        assert!(shown.contains(&format!("both decide: {agreed}")), "{shown}");
    }
}

#[test]
fn human_against_machine_translation() {
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    let head = "id,sent_more,sent_less,stereo_antistereo,bias_type\n";
    let human = format!(
        "{head}1,He is strong.,She is strong.,,gender\n2,She was kind.,He was kind.,,gender\n"
    );
    let machine = format!(
        "{head}1,He has strength.,She has strength.,,gender\n2,He was nice.,She was nice.,,gender\n"
    );
    fs::write(place.join("ht.csv"), &human).unwrap();
    fs::write(place.join("mt.csv"), &machine).unwrap();
    let line = [
        "experiment",
        "human-machine",
        "--human",
        "ht.csv",
        "--machine",
        "mt.csv",
    ];
    let line = [&line[..], &["--model", "demo:mlm", "--out", "runs"]].concat();
    let shown = succeed(&line, place);
    let cells: Vec<&str> = shown.lines().nth(1).unwrap().split_whitespace().collect();
    assert_eq!((cells[0], cells[1]), ("demo:mlm", "2"), "{shown}");
    // The kept runs make the paper's table, with the same numbers.
    let table = succeed(&["experiment", "table4", "ht=runs/ht", "mt=runs/mt"], place);
    let again: Vec<&str> = table.lines().nth(1).unwrap().split_whitespace().collect();
    assert_eq!(&again[1..3], &cells[2..4], "{table}");
    fs::write(
        place.join("mt.csv"),
        format!("{head}1,He is.,She is.,,gender\n"),
    )
    .unwrap();
    let line = [
        "experiment",
        "human-machine",
        "--human",
        "ht.csv",
        "--machine",
        "mt.csv",
        "--model",
        "demo:mlm",
    ];
    assert!(refuse(&line, place).contains("not the same pairs"));
}

#[test]
fn tables_of_the_mbe_paper_from_runs() {
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    let mbe = [
        "run",
        "mbe",
        "--data",
        "epicene-parallel",
        "--model",
        "demo:mlm",
        "--out",
        "mbe",
    ];
    succeed(&mbe, place);
    let sizes = succeed(&["experiment", "table1", "own=mbe"], place);
    assert!(sizes.lines().nth(1).unwrap().starts_with("own"), "{sizes}");
    let scores = succeed(&["experiment", "table2", "own=mbe"], place);
    assert!(scores.contains("demo:mlm"), "{scores}");
    assert!(refuse(&["experiment", "table3", "own=mbe"], place).contains("original=RUN"));
    assert!(refuse(&["experiment", "table6", "own=mbe"], place).contains("ht=RUN"));
    // Template sets have the sizes of the paper: 644 and 154 occupations.
    for (language, pairs) in [("ja", 6440), ("ru", 1540)] {
        let made = succeed(&["experiment", "template", "--lang", language], place);
        assert_eq!(made.lines().count(), 1 + pairs);
    }
}

#[test]
fn word_scores_are_drawn() {
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    let vectors = "he 1 0 0.1\nshe 0 1 0.1\nnurse 0.1 0.9 0.2\nguard 0.9 0.2 0.1\nbaker 0.5 0.5 0.4\nteacher 0.3 0.8 0.3\n";
    fs::write(place.join("v.vec"), vectors).unwrap();
    fs::write(place.join("words.txt"), "nurse\nguard\nbaker\nteacher\n").unwrap();
    fs::write(place.join("f.txt"), "she\n").unwrap();
    fs::write(place.join("m.txt"), "he\n").unwrap();
    let line = [
        "wordscore",
        "--vectors",
        "v.vec",
        "--words",
        "words.txt",
        "--gender-words",
        "f.txt",
        "m.txt",
    ];
    succeed(&[&line[..], &["--figures", "drawn"]].concat(), place);
    for name in ["word-scores", "word-scores-women"] {
        for ending in ["svg", "png", "pdf"] {
            let path = place.join(format!("drawn/{name}.{ending}"));
            assert!(path.exists(), "{}", path.display());
        }
    }
}

/// Two annotators say blind which gender and which stereotype a sentence shows; the form's own file is filled in here.
#[test]
fn sentences_are_validated_by_annotators() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    fs::write(
        here.join("mine.csv"),
        "sentence,stereotype\nI baked a cake for the fair.,cook\nI ploughed the field alone.,farm\nI fed the hens.,farm\nI set the table.,cook\n",
    )
    .unwrap();
    fs::write(
        here.join("set.tsv"),
        "id\tabout\tname\ncook\twomen\tCooks\nfarm\tmen\tFarmers\n",
    )
    .unwrap();
    let lint = [
        "data",
        "lint",
        "gest",
        "mine.csv",
        "--stereotype-set",
        "set.tsv",
    ];
    succeed(&[&lint[..], &["--form", "forms"]].concat(), here);
    let form = fs::read_to_string(here.join("forms/1-gender.html")).unwrap();
    assert!(
        form.contains("I baked a cake for the fair.") && !form.contains("Cooks"),
        "the first form is blind"
    );
    let fill = |question: &str, annotator: &str, answer: &dyn Fn(&str) -> &'static str| {
        let sheet = fs::read_to_string(here.join(format!("forms/{question}.csv"))).unwrap();
        let filled: Vec<String> = sheet
            .lines()
            .map(|line| {
                let known = ["baked", "ploughed", "hens", "table"]
                    .into_iter()
                    .find(|word| line.contains(word));
                match (known, line.strip_suffix(",,")) {
                    (Some(word), Some(rest)) => format!("{rest},{},", answer(word)),
                    _ => line.to_owned(),
                }
            })
            .collect();
        let name = format!("{question}-{annotator}.csv");
        fs::write(here.join(&name), filled.join("\n") + "\n").unwrap();
        name
    };
    let own_gender = |word: &str| {
        if ["baked", "table"].contains(&word) {
            "f"
        } else {
            "m"
        }
    };
    let own = |word: &str| {
        if ["baked", "table"].contains(&word) {
            "Cooks"
        } else {
            "Farmers"
        }
    };
    let mut files = Vec::new();
    for annotator in ["ana", "ben"] {
        files.push(fill(
            "1-gender",
            annotator,
            &|word| match (annotator, word) {
                // Hens are women's work, says Ben.
                ("ben", "hens") => "f",
                _ => own_gender(word),
            },
        ));
        files.push(fill("2-stereotype", annotator, &own));
    }
    let labels: Vec<&str> = files
        .iter()
        .flat_map(|file| ["--labels", file.as_str()])
        .collect();
    let (code, out, said) = run(&[&lint[..], &labels].concat(), here);
    assert_eq!(code, 1, "{said}");
    assert_eq!(out.lines().count(), 1, "{out}");
    assert!(
        out.contains("line 4")
            && out.contains("gender: a man, a woman")
            && out.contains("I fed the hens."),
        "{out}"
    );
    assert!(
        said.contains("gender: 2 annotators, Cohen's κ 0.5"),
        "{said}"
    );
    assert!(said.contains("4 sentences: 1 to drop"), "{said}");
    // One annotator alone is no agreement.
    let alone = ["--labels", files[0].as_str(), "--labels", files[1].as_str()];
    let said = refuse(&[&lint[..], &alone].concat(), here);
    assert!(said.contains("has 1 annotator"), "{said}");
}

/// What is refused is refused with its statistics as well.
#[test]
fn statistics_end_as_the_check_ends() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    for (text, expected) in [
        ("sentence,stereotype\n\"She was tired.\",1\n", 1),
        (
            "sentence,stereotype\nI was tired after the long walk home.,1\n",
            0,
        ),
    ] {
        fs::write(here.join("s.csv"), text).unwrap();
        let plain = run(&["data", "lint", "gest", "s.csv"], here);
        let counted = run(&["data", "lint", "gest", "s.csv", "--statistics"], here);
        assert_eq!(
            (plain.0, counted.0),
            (expected, expected),
            "{text} {} {}",
            plain.1,
            counted.1
        );
        assert!(counted.1.contains("sentences"), "{}", counted.1);
    }
}
