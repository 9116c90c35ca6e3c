//! Translations into English: every value of the reference scripts' golden files, on the texts that their recipes make.

use std::collections::BTreeMap;

use crate::shared_files::{json, read_text, shared};
use crate::table_support::{Answered, Coverage, REPETITIONS, Stream};
use epicene_bench::{Benchmark, Options, find};
use epicene_core::{Answer, Finding, Item, Language, Outcome, Row, TextFile};
use epicene_io::digest::sha256_hex;
use serde_json::Value;

const OCCUPATIONS: &str = include_str!("../../src/into_english/occupations.tsv");

fn close(found: f64, expected: f64) -> bool {
    (found - expected).abs() < 1e-9
}

fn rows(benchmark: &'static dyn Benchmark, items: &[Item], lines: &[String]) -> Vec<Row> {
    let answers = lines.iter().map(|line| Answer::Translation(line.clone()));
    let system = ("system", "lang:en");
    let answered = Answered::translations(benchmark, items, system, answers.collect());
    answered.measure(&Options::default()).unwrap().rows
}

struct Rows(BTreeMap<(String, String), Row>);

impl Rows {
    fn new(rows: Vec<Row>) -> Rows {
        let keyed = rows
            .into_iter()
            .map(|row| ((row.group.clone(), row.metric.clone()), row));
        Rows(keyed.collect())
    }

    fn get(&self, group: &str, metric: &str) -> Option<&Row> {
        self.0.get(&(group.to_owned(), metric.to_owned()))
    }

    /// The row has the golden value; where that is null there is no row.
    fn check(&self, group: &str, metric: &str, golden: &Value, what: &str) {
        let found = self.get(group, metric).map(|row| row.value);
        match (found, golden.as_f64()) {
            (Some(found), Some(golden)) => {
                assert!(
                    close(found, golden),
                    "{what} {group} {metric}: {found}, not {golden}"
                );
            }
            (None, None) => {}
            other => panic!("{what} {group} {metric}: {other:?}"),
        }
    }

    /// The share times n is the golden count.
    fn check_count(&self, group: &str, metric: &str, golden: &Value, what: &str) {
        let row = self.get(group, metric).unwrap();
        let count = (row.value * row.n.unwrap() as f64).round() as u64;
        assert_eq!(Some(count), golden.as_u64(), "{what} {group} {metric}");
    }
}

fn sentences() -> (&'static dyn Benchmark, Vec<Item>) {
    let benchmark = find("into-english").unwrap();
    let made = benchmark.make_data("into-english", &Options::default());
    (benchmark, made.unwrap().unwrap().items)
}

fn women() -> BTreeMap<&'static str, u32> {
    let lines = OCCUPATIONS
        .lines()
        .filter(|line| !line.starts_with('#'))
        .skip(1);
    lines
        .map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            (cells[0], cells[2].parse().unwrap())
        })
        .collect()
}

/// An English sentence of a template with this pronoun.
fn english(item: &Item, who: &str) -> String {
    let [s, o, p] = match who {
        "he" => ["he", "him", "his"],
        "she" => ["she", "her", "her"],
        "they" => ["they", "them", "their"],
        "both" => ["he or she", "him or her", "his or her"],
        "it" => ["it", "it", "its"],
        _ => ["", "", ""],
    };
    let plural = who == "they";
    let capital = |text: &str| {
        let mut letters = text.chars();
        let first = letters.next().map(|first| first.to_uppercase().to_string());
        first.unwrap_or_default() + letters.as_str()
    };
    let (is, has) = if plural {
        ("are", "have")
    } else {
        ("is", "has")
    };
    let verb = |verb: &str| {
        let stem = verb.strip_suffix('s').unwrap();
        if plural {
            stem.to_owned()
        } else {
            verb.to_owned()
        }
    };
    let x = item.label("occupation").unwrap_or("");
    let (subject, possessive) = (capital(s), capital(p));
    let text = match item.label("template").unwrap() {
        "O1" => format!("{subject} {is} a {x}."),
        "O2" => format!("{subject} {is} a good {x}."),
        "O3" => format!("{subject} {has} been a {x} for ten years."),
        "O4" => format!("I know {o}. {subject} {is} a {x}."),
        "O5" => format!("{subject} {} a lot because {s} {is} a {x}.", verb("works")),
        "O6" => format!("{possessive} job is hard. {subject} {is} a {x}."),
        "T1" => format!("{subject} cried all night."),
        "T2" => format!("{subject} {} after the children.", verb("looks")),
        "T3" => format!("{subject} {} beautiful clothes.", verb("likes")),
        "T4" => format!("{subject} lifted the heavy stone alone."),
        "T5" => format!("{subject} {} a large company.", verb("runs")),
        _ => format!("{subject} repaired the car."),
    };
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The constructed systems of golden.json.
fn outputs(items: &[Item], system: &str) -> Vec<String> {
    let women = women();
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    let mut lines = Vec::new();
    for item in items {
        let occupation = item.label("occupation");
        let template = item.label("template").unwrap();
        let share = match occupation {
            Some(occupation) => women[occupation],
            None if item.label("about") == Some("women") => 100,
            None => 0,
        };
        let count = seen
            .entry(occupation.unwrap_or(template).to_owned())
            .or_default();
        let k = *count;
        *count += 1;
        let she = |is: bool| if is { "she" } else { "he" };
        let who = match system {
            "always_he" => "he",
            "always_she" => "she",
            "they" => "they",
            "he_or_she" => "both",
            "it" => "it",
            "dropped" => "none",
            "stereotype" => she(share >= 50),
            "labour_market" => she((k + 1) * share / 100 > k * share / 100),
            "mostly_he" if item.label("lang") == Some("fi") => "they",
            "mostly_he" => she(matches!(
                occupation,
                Some("nurse" | "secretary" | "hairdresser" | "housekeeper")
            ) || matches!(template, "T1" | "T2" | "T3")),
            _ => panic!("unknown system {system}"),
        };
        lines.push(english(item, who));
    }
    lines
}

#[test]
fn templates_give_the_golden_sentences_and_numbers() {
    let Some(path) = shared("into_english/golden.json") else {
        return;
    };
    let golden = json(&path);
    let (benchmark, items) = sentences();
    let text: String = items
        .iter()
        .map(|item| format!("{}\t{}\n", item.id, item.text))
        .collect();
    assert_eq!(
        sha256_hex(text.as_bytes()),
        golden["sentences_sha256"].as_str().unwrap()
    );
    let systems = golden["systems"].as_object().unwrap();
    assert_eq!(systems.len(), 9);
    for (system, expected) in systems {
        let lines = outputs(&items, system);
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        assert_eq!(
            sha256_hex(text.as_bytes()),
            expected["sha256"].as_str().unwrap(),
            "{system}"
        );
        let found = Rows::new(rows(benchmark, &items, &lines));
        for (name, golden) in expected.as_object().unwrap() {
            if !golden.is_object() {
                continue;
            }
            let group = if name == "all" {
                name.clone()
            } else {
                format!("lang:{name}")
            };
            for (metric, field) in [
                ("share_m", "masculine"),
                ("share_f", "feminine"),
                ("share_neutral", "neutral"),
                ("share_it", "it"),
                ("share_paired", "both_paired"),
                ("share_mixed", "mixed"),
                ("share_unknown", "unknown"),
            ] {
                found.check_count(&group, metric, &golden[field], system);
            }
            for metric in [
                "masculine_share",
                "gendered",
                "kept_open",
                "stereotype",
                "trait_gap",
                "r_women",
                "rho_women",
                "feminine_excess",
                "found",
            ] {
                found.check(&group, metric, &golden[metric], system);
            }
            for list in ["male", "female"] {
                let share = &golden[format!("{list}_list")]["masculine_share"];
                if name == "all" {
                    found.check(&format!("list:{list}"), "masculine_share", share, system);
                }
            }
        }
    }
}

#[test]
fn every_report_says_that_templates_are_unchecked() {
    let (benchmark, items) = sentences();
    let answers = items
        .iter()
        .map(|_| Answer::Translation("She left.".to_owned()));
    let system = ("system", "lang:en");
    let answered = Answered::translations(benchmark, &items, system, answers.collect());
    let measured = answered.measure(&Options::default()).unwrap();
    let warning = &measured.warnings[0];
    assert!(
        warning.contains("not yet checked by a native speaker"),
        "{warning}"
    );
}

fn mittens(options: &Options) -> Option<(&'static dyn Benchmark, Vec<Item>)> {
    let path = shared("mittens/mittens_dataset_v5.csv.xz")?;
    let benchmark = find("mittens").unwrap();
    Some((
        benchmark,
        benchmark.items(&[read_text(&path)], options).unwrap(),
    ))
}

const PRONOUNS: [&str; 8] = [
    "he", "she", "him", "his", "her", "hers", "himself", "herself",
];

/// Replaces every gendered pronoun, or every second one, by a table.
fn change(text: &str, table: &[(&str, &str)], every: usize) -> String {
    let mut out = String::new();
    let mut count = 0;
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_alphabetic()) {
        out += &rest[..start];
        rest = &rest[start..];
        let end = rest
            .find(|c: char| !c.is_ascii_alphabetic())
            .unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        rest = behind;
        let lower = word.to_lowercase();
        if !PRONOUNS.contains(&lower.as_str()) {
            out += word;
            continue;
        }
        count += 1;
        match table.iter().find(|(from, _)| *from == lower) {
            Some((_, to)) if (count - 1) % every == 0 => {
                if word.starts_with(|c: char| c.is_ascii_uppercase()) {
                    out += &to[..1].to_uppercase();
                    out += &to[1..];
                } else {
                    out += to;
                }
            }
            _ => out += word,
        }
    }
    out + rest
}

/// The constructed systems of MiTTenS' golden.json.
fn hypothesis(item: &Item, system: &str) -> String {
    const SWAP: &[(&str, &str)] = &[
        ("he", "she"),
        ("she", "he"),
        ("him", "her"),
        ("his", "her"),
        ("her", "his"),
        ("hers", "his"),
        ("himself", "herself"),
        ("herself", "himself"),
    ];
    const HE: &[(&str, &str)] = &[
        ("she", "he"),
        ("her", "his"),
        ("hers", "his"),
        ("herself", "himself"),
    ];
    const SHE: &[(&str, &str)] = &[
        ("he", "she"),
        ("him", "her"),
        ("his", "her"),
        ("himself", "herself"),
    ];
    const THEY: &[(&str, &str)] = &[
        ("he", "they"),
        ("she", "they"),
        ("him", "them"),
        ("his", "their"),
        ("her", "their"),
        ("hers", "theirs"),
        ("himself", "themself"),
        ("herself", "themself"),
    ];
    const BOTH: &[(&str, &str)] = &[
        ("he", "he or she"),
        ("she", "he or she"),
        ("him", "him or her"),
        ("his", "his or her"),
        ("her", "his or her"),
        ("hers", "his or hers"),
        ("himself", "himself or herself"),
        ("herself", "himself or herself"),
    ];
    let reference = item.label("reference").unwrap();
    let id: u32 = item.id.strip_prefix("mittens:").unwrap().parse().unwrap();
    let text = match system {
        "reference" => reference.to_owned(),
        "swapped" => change(reference, SWAP, 1),
        "always_he" => change(reference, HE, 1),
        "always_she" => change(reference, SHE, 1),
        "they" => change(reference, THEY, 1),
        "he_or_she" => change(reference, BOTH, 1),
        "mixed" => change(reference, SWAP, 2),
        "masculine_default" if id.is_multiple_of(2) => reference.to_owned(),
        "masculine_default" => change(reference, HE, 1),
        "upper" => reference.to_uppercase(),
        "curly" => {
            let words = reference.split_whitespace().map(|word| format!("“{word}”"));
            words.collect::<Vec<_>>().join(" ")
        }
        "empty" => String::new(),
        "copy" => item.text.clone(),
        _ => panic!("unknown system {system}"),
    };
    let mut line = String::new();
    for c in text.chars() {
        match c {
            '\r' | '\n' if line.ends_with('\u{0}') => {}
            '\r' | '\n' => line.push('\u{0}'),
            c => line.push(c),
        }
    }
    line.replace('\u{0}', " ")
}

#[test]
fn mittens_gives_every_golden_value() {
    let (Some(path), Some((benchmark, items))) =
        (shared("mittens/golden.json"), mittens(&Options::default()))
    else {
        return;
    };
    assert_eq!(items.len(), 1744);
    let golden = json(&path);
    let systems = golden["systems"].as_object().unwrap();
    assert_eq!(systems.len(), 12);
    for (system, expected) in systems {
        let lines: Vec<String> = items.iter().map(|item| hypothesis(item, system)).collect();
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        assert_eq!(
            sha256_hex(text.as_bytes()),
            expected["sha256"].as_str().unwrap(),
            "{system}"
        );
        let answers = lines.iter().map(|line| Answer::Translation(line.clone()));
        let at = ("system", "lang:en");
        let answered = Answered::translations(benchmark, &items, at, answers.collect());
        let letters: String = answered.verdicts(&Options::default())[0]
            .cells
            .iter()
            .map(|cell| match cell.as_ref().unwrap().outcome.unwrap() {
                Outcome::Correct => 'r',
                Outcome::Wrong => 'w',
                Outcome::Inconclusive => 'i',
            })
            .collect();
        assert_eq!(letters, expected["letters"].as_str().unwrap(), "{system}");
        let found = Rows::new(rows(benchmark, &items, &lines));
        let check = |group: &str, golden: &Value| {
            for metric in ["accuracy", "preserved"] {
                found.check(group, metric, &golden[metric], system);
            }
            found.check_count(group, "inconclusive", &golden["inconclusive"], system);
        };
        check("all", &expected["all"]);
        for label in ["gender", "lang", "set"] {
            for (value, golden) in expected[label].as_object().unwrap() {
                check(&format!("{label}:{value}"), golden);
            }
        }
        for label in ["set", "lang"] {
            let pairs = expected[format!("{label}|gender")].as_object().unwrap();
            for (pair, golden) in pairs {
                let (value, gender) = pair.split_once('|').unwrap();
                check(&format!("{label}:{value}+gender:{gender}"), golden);
            }
        }
        found.check("all", "gap", &expected["gap"], system);
        found.check("all", "gap_preserved", &expected["gap_preserved"], system);
        for worst in ["worst_lang", "worst_set", "worst_cell"] {
            found.check("all", worst, &expected[worst]["accuracy"], system);
            let n = found.get("all", worst).unwrap().n;
            assert_eq!(n, expected[worst]["n"].as_u64(), "{system} {worst}");
        }
        found.check("all", "chance", &expected["worst_cell"]["chance"], system);
    }
}

/// The detector's goal on MiTTenS: every reference has the gender of its source, nouns of relatives or not.
#[test]
fn the_detector_reads_the_gender_of_every_reference() {
    let Some((_, items)) = mittens(&Options::default()) else {
        return;
    };
    let is_read = |item: &&Item| {
        let found = epicene_lang::english::detect(item.label("reference").unwrap()).finding;
        let expected = match item.label("gender").unwrap() {
            "feminine" => Finding::Feminine,
            _ => Finding::Masculine,
        };
        found == expected
    };
    assert_eq!(items.iter().filter(is_read).count(), 1744);
}

#[test]
fn sources_where_only_the_name_shows_the_gender_are_labelled() {
    let Some((_, items)) = mittens(&Options::default()) else {
        return;
    };
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for item in items
        .iter()
        .filter(|item| item.label("name_only") == Some("yes"))
    {
        *counts.entry(item.label("lang").unwrap()).or_default() += 1;
    }
    let expected = [("fa", 6), ("id", 3), ("lg", 6), ("ln", 6), ("tr", 6)];
    assert_eq!(counts.into_iter().collect::<Vec<_>>(), expected);
}

#[test]
fn source_languages_choose_passages() {
    let mut options = Options::default();
    options.languages = vec![Language::find("fi").unwrap(), Language::find("tr").unwrap()];
    let Some((_, items)) = mittens(&options) else {
        return;
    };
    assert_eq!(items.len(), 42);
}

#[test]
fn damaged_tables_are_refused_with_the_line() {
    let benchmark = find("mittens").unwrap();
    let header = ",inputs,targets,lang,lang_resource_level,encoded_gender,eval_set_key,prompting_key,model_input_hash,example,example_hash,split,format,eval_set_family,canary\n";
    let row = |id: &str, gender: &str, format: &str| {
        format!("{id},i,He left.,fi,low,{gender},synthbio,p,h,Hän,h,test,{format},f,\n")
    };
    let read = |text: String| {
        let file = TextFile {
            path: "m.csv".to_owned(),
            name: "m.csv".to_owned(),
            sha256: String::new(),
            text,
        };
        benchmark.items(&[file], &Options::default()).unwrap_err()
    };
    for (text, line, message) in [
        (
            header.replace("encoded_gender", "gender"),
            1,
            "no column `encoded_gender`",
        ),
        (
            format!("{header}{}", row("1888", "neutral", "2en")),
            2,
            "`neutral`",
        ),
        (
            format!("{header}{}", row("1888", "feminine", "2fr")),
            2,
            "`2fr`",
        ),
        (
            format!("{header}{0}{0}", row("1888", "feminine", "2en")),
            3,
            "stands here twice",
        ),
        (
            format!(
                "{header}{}",
                row("1888", "feminine", "2en").replace(",fi,", ",xx,")
            ),
            2,
            "unknown language `xx`",
        ),
    ] {
        let error = read(text);
        assert_eq!(error.line, Some(line), "{error}");
        assert!(error.to_string().contains(message), "{error}");
    }
}

/// How often simulations of occupations are repeated: three hundred leave .95 anywhere between .925 and .975.
const OCCUPATION_REPETITIONS: u64 = 1000;

/// Occupations are drawn with a gender and an openness of their own within both lists, trait sentences by template; intervals hold
/// the means of all.
#[test]
fn intervals_over_occupations_cover() {
    let (benchmark, items) = sentences();
    // Two languages have every occupation in every template.
    let items: Vec<Item> = items
        .into_iter()
        .filter(|item| matches!(item.label("lang"), Some("hu" | "fi")))
        .collect();
    let about = |item: &Item| item.label("list").unwrap_or("trait").to_owned();
    for ([male, female, traits], open) in [([0.65, 0.4, 0.55], 0.3), ([0.8, 0.6, 0.7], 0.15)] {
        let middle = |item: &Item| match about(item).as_str() {
            "male" => male,
            "female" => female,
            _ => traits,
        };
        // All are as often open, so every sentence weighs alike in the share.
        let masculine = items.iter().map(middle).sum::<f64>() / items.len() as f64;
        let mut coverage = Coverage::of(&[
            ("masculine_share", masculine),
            ("stereotype", male - female),
            ("kept_open", open),
        ]);
        for repetition in 0..OCCUPATION_REPETITIONS {
            let mut stream = Stream(repetition * 7919 + 31);
            let mut drawn: BTreeMap<&str, [f64; 2]> = BTreeMap::new();
            let lines: Vec<String> = items
                .iter()
                .map(|item| {
                    let unit = item.label("occupation").or(item.label("template")).unwrap();
                    let [he, open] = *drawn.entry(unit).or_insert_with(|| {
                        [stream.around(middle(item), 0.09), stream.around(open, 0.07)]
                    });
                    let pronoun = match (stream.uniform() < open, stream.uniform() < he) {
                        (true, _) => "They",
                        (false, true) => "He",
                        (false, false) => "She",
                    };
                    format!("{pronoun} left.")
                })
                .collect();
            coverage.count(&rows(benchmark, &items, &lines));
        }
        coverage.check();
    }
}

/// Passages are drawn with an accuracy of their own within the sets; their twins in other languages share it.
#[test]
fn intervals_over_passages_cover() {
    // These two have passages of every set.
    let mut options = Options::default();
    options.languages = ["ar", "es"]
        .map(|code| Language::find(code).unwrap())
        .to_vec();
    let Some((benchmark, items)) = mittens(&options) else {
        return;
    };
    let women = items
        .iter()
        .filter(|item| item.label("gender") == Some("feminine"))
        .count() as f64;
    let share = women / items.len() as f64;
    let (he, she, said) = (0.85, 0.7, 0.9);
    let accuracy = [he, she].map(|right| 1.0 - said * (1.0 - right));
    let mut coverage = Coverage::of(&[
        (
            "accuracy",
            share * accuracy[1] + (1.0 - share) * accuracy[0],
        ),
        ("preserved", said * (share * she + (1.0 - share) * he)),
        ("gap", accuracy[0] - accuracy[1]),
    ]);
    for repetition in 0..REPETITIONS {
        let mut stream = Stream(repetition * 7919 + 47);
        let mut drawn: BTreeMap<&str, [f64; 2]> = BTreeMap::new();
        let lines: Vec<String> = items
            .iter()
            .map(|item| {
                let passage = item.label("cluster").unwrap();
                let right = *drawn
                    .entry(passage)
                    .or_insert_with(|| [stream.around(he, 0.05), stream.around(she, 0.08)]);
                let feminine = item.label("gender") == Some("feminine");
                let is_right = stream.uniform() < right[usize::from(feminine)];
                match (stream.uniform() < said, is_right == feminine) {
                    (false, _) => "Somebody left.",
                    (true, true) => "She left.",
                    (true, false) => "He left.",
                }
                .to_owned()
            })
            .collect();
        coverage.count(&rows(benchmark, &items, &lines));
    }
    coverage.check();
}

fn data(text: String) -> TextFile {
    TextFile {
        path: "sk.csv".to_owned(),
        name: "sk.csv".to_owned(),
        sha256: String::new(),
        text,
    }
}

fn backwards(text: &str, languages: &[&str]) -> Result<Vec<Item>, epicene_core::InputError> {
    let mut options = Options::default();
    let find = |code: &&str| Language::find(code).unwrap();
    options.languages = languages.iter().map(find).collect();
    let benchmark = find_benchmark();
    benchmark.items(&[data(text.to_owned())], &options)
}

fn find_benchmark() -> &'static dyn Benchmark {
    find("gest-into-english").unwrap()
}

#[test]
fn translations_whose_speaker_shows_a_gender_are_sources() {
    let table = "from,to\nI was tired.,Bola som unavená.\nI ran.,Bežal som.\nI run.,Bežím.\nI ran away.,Bežal som.\n";
    let items = backwards(table, &["sk"]).unwrap();
    let found: Vec<[&str; 3]> = items
        .iter()
        .map(|item| [item.id.as_str(), &item.text, item.label("gender").unwrap()])
        .collect();
    assert_eq!(
        found,
        [
            ["gest-en:1", "Bola som unavená.", "feminine"],
            ["gest-en:2", "Bežal som.", "masculine"],
        ]
    );
    let pairs = "translator,language,original,stereotype,male,female\n\
                 t,sk,I was tired.,1,Bol som unavený.,Bola som unavená.\n\
                 t,cs,I was tired.,1,Byl jsem unavený.,Byla jsem unavená.\n";
    assert_eq!(backwards(pairs, &[]).unwrap().len(), 4);
    let items = backwards(pairs, &["cs"]).unwrap();
    let label = |name: &str| items[1].label(name).unwrap().to_owned();
    assert_eq!(
        ["lang", "gender", "original", "stereotype"].map(label),
        ["cs", "feminine", "I was tired.", "1"]
    );
}

#[test]
fn files_without_sources_are_refused() {
    for (text, languages, message) in [
        (
            "from,to\nI run.,Bežím.\n",
            &["sk"][..],
            "no sentence in these languages shows",
        ),
        (
            "from,to\nI ran.,Bežal som.\n",
            &["sk", "cs"],
            "does not say its language",
        ),
        (
            "from,to\nI ran.,Bežal som.\n",
            &[],
            "does not say its language",
        ),
        (
            "sentence,stereotype\nI ran.,1\n",
            &["sk"],
            "neither translations nor pairs",
        ),
        ("Bežal som.\n", &["sk"], "neither translations nor pairs"),
        (
            "language,original,stereotype,male,female\nde,I,1,Ich,Ich\n",
            &[],
            "line 2: `de` is none of GEST's languages",
        ),
        (
            "language,original,stereotype,male,female\nsk,I,17,a,b\n",
            &[],
            "line 2: stereotype `17`",
        ),
        (
            "language,original,stereotype,male,female\nsk,I,1,a,\n",
            &[],
            "line 2: a text of the pair is empty",
        ),
    ] {
        let error = backwards(text, languages).unwrap_err().to_string();
        assert!(error.contains(message), "{text}: {error}");
    }
}

#[test]
fn speakers_that_keep_lose_or_turn_their_gender_are_counted() {
    let pairs: String = (0..60)
        .map(|i| {
            format!(
                "sk,I ran {i}.,{},Bežal som {i}.,Bežala som {i}.\n",
                i % 16 + 1
            )
        })
        .collect();
    let text = format!("language,original,stereotype,male,female\n{pairs}");
    let items = backwards(&text, &[]).unwrap();
    assert_eq!(items.len(), 120);
    // Men keep their gender; of the women half lose it, a fourth keep it and a fourth become men.
    let lines: Vec<String> = items
        .iter()
        .enumerate()
        .map(|(place, item)| {
            let who = match (item.label("gender").unwrap(), place / 2 % 4) {
                ("masculine", _) | (_, 3) => "\"I ran,\" he said.",
                (_, 2) => "\"I ran,\" she said.",
                _ => "I ran.",
            };
            who.to_owned()
        })
        .collect();
    let found = Rows::new(rows(find_benchmark(), &items, &lines));
    for (group, metric, value) in [
        ("all", "accuracy", 0.875),
        ("all", "preserved", 0.625),
        ("all", "inconclusive", 0.25),
        ("all", "gap", 0.25),
        ("all", "gap_preserved", 0.75),
        ("gender:feminine", "preserved", 0.25),
        ("lang:sk", "gap", 0.25),
        ("stereotype:1", "accuracy", 1.0),
    ] {
        let row = found.get(group, metric).unwrap();
        assert!(close(row.value, value), "{group} {metric}: {}", row.value);
        assert!(row.low.unwrap() <= value && value <= row.high.unwrap());
    }
    assert_eq!(found.get("all", "accuracy").unwrap().k, Some(60));
}

/// What a chat model says when it declines is no translation, and "it" in its words is no neutral wording.
#[test]
fn refusals_are_counted_apart() {
    let table: String = (0..60)
        .map(|i| format!("I was tired {i}.,Bola som unavená {i}.\n"))
        .collect();
    let backwards = backwards(&format!("from,to\n{table}"), &["sk"]).unwrap();
    let (templates, sentences) = sentences();
    for (benchmark, items, share, counted_as) in [
        (
            find_benchmark(),
            &backwards[..],
            "inconclusive",
            "inconclusive",
        ),
        (templates, &sentences[..60], "share_unknown", "unknown"),
    ] {
        let lines = (0..60).map(|number| match number % 4 {
            0 => "I'm sorry, but I cannot translate it.",
            _ => "“I was tired,” she said to the others.",
        });
        let answers = lines.map(|line| Answer::Translation(line.to_owned()));
        let system = ("system", "lang:en");
        let answered = Answered::translations(benchmark, items, system, answers.collect());
        let verdicts = answered.verdicts(&Options::default());
        let first = verdicts[0].cells[0].as_ref().unwrap();
        assert_eq!((first.finding, first.rule), (Finding::Refused, "refusal"));
        let measured = answered.measure(&Options::default()).unwrap();
        let said = format!("system: 15 of 60 translations are refusals and count as {counted_as}");
        assert!(measured.notes.contains(&said), "{:?}", measured.notes);
        let found = Rows::new(measured.rows);
        assert!(close(found.get("all", share).unwrap().value, 0.25));
    }
}

/// What DeepL wrote into Slovak: the speaker shows a gender in most sentences that are about somebody's past.
#[test]
fn a_published_file_of_translations_gives_sources() {
    let Some(path) = shared("gest/translations/deepl/sk/translations.csv.gz") else {
        return;
    };
    let items = backwards(&read_text(&path).text, &["sk"]).unwrap();
    let women = items
        .iter()
        .filter(|item| item.label("gender") == Some("feminine"));
    let women = women.count();
    println!("{} sources, {women} of women", items.len());
    assert!(
        items.len() > 5000 && women > 1000,
        "{} {women}",
        items.len()
    );
    // Back into the words they came from: nobody's gender turns round, and "I" keeps one only where somebody says it ("she said").
    let (said, plain): (Vec<Item>, Vec<Item>) = items
        .into_iter()
        .partition(|item| item.label("original").unwrap().contains(" said"));
    for (items, least, most) in [(said, 0.9, 1.0), (plain, 0.0, 0.05)] {
        let original = |item: &Item| item.label("original").unwrap().to_owned();
        let lines: Vec<String> = items.iter().map(original).collect();
        let found = Rows::new(rows(find_benchmark(), &items, &lines));
        let value = |metric: &str| found.get("all", metric).unwrap().value;
        println!(
            "{}: {} {}",
            items.len(),
            value("accuracy"),
            value("preserved")
        );
        assert!(value("accuracy") > 0.99, "{}", value("accuracy"));
        assert!(
            (least..=most).contains(&value("preserved")),
            "{}",
            value("preserved")
        );
    }
}
