//! README and docs are short, in plain English, and say what the reader can do. tools/readability.py prints the same numbers for
//! each page; tools/forbidden-phrases.txt has the phrases.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::succeed;

const README_WORDS: usize = 900;
const DOCS_WORDS: usize = 35_000;
const SENTENCE_WORDS: f64 = 20.0;
/// A full stop behind these ends no sentence.
const ABBREVIATIONS: [&str; 6] = ["al.", "e.g.", "i.e.", "vs.", "cf.", "no."];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Every page of the documentation by its path in `docs`, without the table of contents.
fn pages() -> Vec<(String, String)> {
    let docs = root().join("docs");
    let mut found = Vec::new();
    for folder in ["", "benchmarks/"] {
        for entry in fs::read_dir(docs.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if name.ends_with(".md") && name != "SUMMARY.md" {
                found.push((format!("{folder}{name}"), read(&path)));
            }
        }
    }
    found.sort();
    assert!(found.len() > 50, "{}", found.len());
    found
}

/// The bars of a table are no words.
fn words(text: &str) -> usize {
    let is_word = |word: &&str| word.chars().any(char::is_alphanumeric);
    text.split_whitespace().filter(is_word).count()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Text,
    Item,
    Heading,
    Table,
    Blank,
}

/// The lines of a page that are not code, with their numbers; code within a line is one word, targets of links are left out.
fn prose(text: &str) -> Vec<(usize, Kind, String)> {
    let (mut fenced, mut generated, mut comment) = (false, false, false);
    let mut after_blank = true;
    let mut found = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let bare = line.trim();
        let mut push = |kind, text| found.push((index + 1, kind, text));
        if bare.starts_with("```") {
            fenced = !fenced;
            push(Kind::Blank, String::new());
            continue;
        }
        if fenced {
            continue;
        }
        generated |= bare.starts_with("<!-- generated");
        generated &= !bare.starts_with("<!-- end");
        comment |= bare.starts_with("<!--");
        let indented = after_blank && line.starts_with("    ") && !is_item(bare);
        if generated || comment || indented {
            comment &= !bare.ends_with("-->");
            push(Kind::Blank, String::new());
            continue;
        }
        after_blank = bare.is_empty();
        let plain = without_code_and_targets(bare);
        if plain.is_empty() {
            push(Kind::Blank, plain);
        } else if bare.starts_with('#') {
            push(Kind::Heading, plain);
        } else if bare.starts_with('|') {
            push(Kind::Table, plain);
        } else if is_item(bare) {
            let text = plain.split_once(' ').map_or("", |(_, text)| text);
            push(Kind::Item, text.to_owned());
        } else {
            push(Kind::Text, plain);
        }
    }
    found
}

/// `- …`, `* …` or `1. …`.
fn is_item(line: &str) -> bool {
    let Some((mark, _)) = line.split_once(' ') else {
        return false;
    };
    let number = mark.strip_suffix('.').unwrap_or_default();
    ["-", "*"].contains(&mark)
        || (!number.is_empty() && number.chars().all(|digit| digit.is_ascii_digit()))
}

fn without_code_and_targets(line: &str) -> String {
    let mut plain = String::new();
    for (index, part) in line.split('`').enumerate() {
        plain += if index % 2 == 0 { part } else { "x" };
    }
    let mut out = String::new();
    let mut rest = plain.as_str();
    while let Some((before, after)) = rest.split_once("](") {
        out += before;
        out.push(']');
        rest = after.split_once(')').map_or("", |(_, rest)| rest);
    }
    out + rest
}

/// Paragraphs and items of lists.
fn paragraphs(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut open = false;
    for (_, kind, line) in prose(text) {
        match kind {
            Kind::Text if open => {
                let last = found.last_mut().expect("one is open");
                last.push(' ');
                *last += &line;
            }
            Kind::Text | Kind::Item => {
                found.push(line);
                open = true;
            }
            Kind::Heading | Kind::Table | Kind::Blank => open = false,
        }
    }
    found
}

fn sentences(text: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for paragraph in paragraphs(text) {
        let mut sentence = Vec::new();
        for word in paragraph.split_whitespace() {
            sentence.push(word.to_owned());
            let bare = word.trim_end_matches(['"', '\'', ')', '*', '_', ']', '”']);
            let ends = bare.ends_with(['.', '!', '?']);
            let low = bare.to_lowercase();
            if ends && !ABBREVIATIONS.iter().any(|known| low.ends_with(known)) {
                found.push(std::mem::take(&mut sentence));
            }
        }
        if !sentence.is_empty() {
            found.push(sentence);
        }
    }
    found
}

/// A phrase, whether its case matters, and what to write instead.
fn phrases() -> Vec<(String, bool, String)> {
    let list = read(&root().join("tools/forbidden-phrases.txt"));
    let lines = list.lines().filter(|line| !line.starts_with('#'));
    let parts = lines.filter_map(|line| line.split_once('\t'));
    let phrases: Vec<(String, bool, String)> = parts
        .map(|(phrase, instead)| match phrase.strip_prefix('=') {
            Some(phrase) => (phrase.to_owned(), true, instead.to_owned()),
            None => (phrase.to_lowercase(), false, instead.to_owned()),
        })
        .collect();
    assert!(phrases.len() > 50, "{}", phrases.len());
    phrases
}

fn has_phrase(line: &str, phrase: &str, exact: bool) -> bool {
    let line = if exact {
        line.to_owned()
    } else {
        line.to_lowercase()
    };
    let inner = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '-';
    line.match_indices(phrase).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + phrase.len()..].chars().next();
        !before.is_some_and(inner) && !after.is_some_and(inner)
    })
}

#[test]
fn readme_and_docs_are_short() {
    let readme = words(&read(&root().join("README.md")));
    assert!(readme <= README_WORDS, "README.md has {readme} words");
    let summary = words(&read(&root().join("docs/SUMMARY.md")));
    let docs: usize = pages().iter().map(|(_, text)| words(text)).sum();
    assert!(
        docs + summary <= DOCS_WORDS,
        "docs have {} words, at most {DOCS_WORDS}",
        docs + summary
    );
}

#[test]
fn sentences_are_short() {
    let mut long = Vec::new();
    let readme = ("README.md".to_owned(), read(&root().join("README.md")));
    for (name, text) in pages().into_iter().chain([readme]) {
        let found = sentences(&text);
        let total: usize = found.iter().map(Vec::len).sum();
        let average = total as f64 / found.len().max(1) as f64;
        if average > SENTENCE_WORDS {
            long.push(format!("{name}: {average:.1} words a sentence"));
        }
    }
    assert!(long.is_empty(), "{}", long.join("\n"));
}

#[test]
fn docs_have_no_forbidden_phrase() {
    let phrases = phrases();
    let mut found = Vec::new();
    let readme = ("README.md".to_owned(), read(&root().join("README.md")));
    for (name, text) in pages().into_iter().chain([readme]) {
        for (number, _, line) in prose(&text) {
            for (phrase, exact, instead) in &phrases {
                if has_phrase(&line, phrase, *exact) {
                    found.push(format!("{name}:{number}: \"{phrase}\": write {instead}"));
                }
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn every_page_opens_with_what_the_reader_can_do() {
    let mut wrong = Vec::new();
    for (name, text) in pages() {
        assert!(text.starts_with("# "), "{name} has no title");
        let first = paragraphs(&text).into_iter().next().unwrap_or_default();
        let opening = sentences(&first).into_iter().next().unwrap_or_default();
        let opening = opening.join(" ");
        if !opening.to_lowercase().contains("you can") {
            wrong.push(format!("{name}: {opening}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn phrases_and_sentences_are_found() {
    assert!(has_phrase("A judge errs.", "judge", true));
    assert!(!has_phrase("first-person-judge", "judge", true));
    assert!(!has_phrase("GATE", "gate", true));
    assert!(has_phrase("Nobody", "nobody", false));
    let page = "# T\n\nOne `two three` four. Five\nsix [seven](nobody.md)!\n\n- item one\n- item two\n\n| nobody |\n|---|\n\n```text\nnobody.\n```\n\n    nobody\n";
    let found = sentences(page);
    let lengths: Vec<usize> = found.iter().map(Vec::len).collect();
    assert_eq!(lengths, [3, 3, 2, 2], "{found:?}");
    let lines: Vec<usize> = prose(page)
        .into_iter()
        .filter(|(_, _, line)| has_phrase(line, "nobody", false))
        .map(|(number, _, _)| number)
        .collect();
    assert_eq!(lines, [9]);
    assert_eq!(words("| a | b-c | – | 3 |"), 3);
}

/// The rows of the glossary's tables below the heading that names a benchmark, by cells.
fn glossary_rows(glossary: &str, benchmark: &str) -> Option<Vec<Vec<String>>> {
    let section = glossary.split("\n## ").find(|section| {
        let heading = section.lines().next().unwrap_or_default().replace('`', "");
        heading.split(", ").any(|name| name == benchmark)
    })?;
    let rows = section.lines().filter(|line| line.starts_with('|'));
    let cells = |row: &str| {
        let inner = row.trim_matches('|').split(" | ");
        inner.map(|cell| cell.trim().to_owned()).collect()
    };
    Some(rows.map(cells).collect())
}

#[test]
fn the_glossary_has_every_metric_with_its_ideal_value() {
    let glossary = read(&root().join("docs/glossary.md"));
    let mut wrong = Vec::new();
    let mut checked = 0;
    for benchmark in epicene_bench::ALL {
        let card = benchmark.card();
        let name = card.name.trim_end_matches("-means");
        let Some(rows) = glossary_rows(&glossary, name) else {
            continue;
        };
        checked += 1;
        for metric in card.metrics {
            let Some(ideal) = metric.ideal else { continue };
            let symbol = format!("`{}`", metric.symbol);
            let fits = |row: &&Vec<String>| {
                row.len() > 2
                    && row[0].contains(&symbol)
                    && row[2].split(", ").any(|cell| cell == ideal.to_string())
            };
            let elsewhere = metric.difference_of.is_some() || metric.symbol == "ghat_s";
            if !elsewhere && !rows.iter().any(|row| fits(&row)) {
                wrong.push(format!("{name}: {symbol} with the ideal value {ideal}"));
            }
        }
    }
    assert!(checked >= 16, "{checked} benchmarks have a section");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The columns of a table that `epicene list published` prints below a title.
fn published(text: &str, title: &str, column: usize) -> Vec<f64> {
    let start = text
        .find(title)
        .unwrap_or_else(|| panic!("no table {title}"));
    let table = text[start..].lines().skip(2);
    let table = table.take_while(|line| !line.trim().is_empty() && !line.starts_with("Source"));
    let values: Vec<f64> = table
        .filter_map(|line| line.split_whitespace().nth(column)?.parse().ok())
        .collect();
    assert!(values.len() >= 8, "{title}: {values:?}");
    values
}

#[test]
fn published_ranges_of_the_glossary_are_those_of_the_program() {
    let directory = tempfile::tempdir().unwrap();
    let listed = succeed(&["list", "published"], directory.path());
    let glossary = read(&root().join("docs/glossary.md"));
    let (english, mt) = ("GEST, English language models", "GEST, machine translation");
    let slavic = "GEST, Slavic masked language models";
    let (unambiguous, winomt) = ("Unambiguous gender, Tables 3", "WinoMT (acc");
    let mut wrong = Vec::new();
    for (title, column, decimals, symbol) in [
        (english, 2, 2, "`g_s`"),
        (slavic, 2, 2, "`g_s`"),
        (mt, 2, 2, "`f_s`"),
        (mt, 3, 2, "`f_m`"),
        (unambiguous, 2, 2, "`correct`"),
        (unambiguous, 3, 2, "`wrong`"),
        (unambiguous, 4, 2, "`na`"),
        (unambiguous, 5, 2, "`delta_m`"),
        (unambiguous, 6, 2, "`delta_f`"),
        (winomt, 2, 1, "`acc`"),
        (winomt, 3, 1, "`delta_g`"),
        (winomt, 4, 1, "`delta_s`"),
    ] {
        let values = published(&listed, title, column);
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let range = format!("{low:.decimals$}–{high:.decimals$}").replace('-', "−");
        let mut rows = glossary.lines().filter(|line| line.contains(symbol));
        if !rows.any(|row| row.contains(&range)) {
            wrong.push(format!("{symbol}: {range}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn readme_counts_no_more_benchmarks_than_there_are() {
    let readme = read(&root().join("README.md"));
    let (_, after) = readme.split_once("more than ").unwrap();
    let (number, _) = after.split_once(" benchmarks").unwrap();
    let all = epicene_bench::ALL.iter();
    let own = all.filter(|benchmark| !benchmark.card().name.ends_with("-means"));
    assert!(number.parse::<usize>().unwrap() < own.count());
}
