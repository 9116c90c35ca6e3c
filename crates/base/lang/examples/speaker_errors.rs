//! Prints where the strict first-person detector fails: on trap sentences, treebank gold, minimal pairs and mirrored sentences.
//!
//! `cargo run --example speaker_errors -- SET [LANG]`, where SET is `traps`, `gold`, `pairs`, `mirrored`, or a file with the
//! columns language, gold (m, f, u), text and class (`document`: judged as one, `\n` ends a line). A line per failure, then right, wrong and unknown per language and class.

#![allow(clippy::print_stdout, reason = "a program that prints")]
#![allow(clippy::unwrap_used, reason = "a tool for developers")]

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::Path;

use epicene_core::Language;
use epicene_lang::Gender;
use epicene_lang::first_person::{Detector, Mode, Vote};

#[path = "../tests/it/support/first_person_gold.rs"]
mod gold;
#[path = "../../../../tests/shared_data.rs"]
mod shared_data;

/// One labelled sentence.
struct Item {
    language: String,
    class: String,
    gold: char,
    text: String,
}

/// Right, wrong, unknown although gendered, and all that are gendered.
#[derive(Default, Clone, Copy)]
struct Count {
    items: usize,
    gendered: usize,
    right: usize,
    wrong: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let set = arguments.first().ok_or("which set?")?;
    let wanted = arguments.get(1);
    let mut items = match set.as_str() {
        "traps" => traps()?,
        "gold" => treebanks()?,
        "pairs" => pairs()?,
        "mirrored" => mirrored()?,
        file => table(Path::new(file))?,
    };
    items.retain(|item| wanted.is_none_or(|wanted| *wanted == item.language));
    let mut languages: BTreeMap<String, Count> = BTreeMap::new();
    let mut classes: BTreeMap<String, Count> = BTreeMap::new();
    let mut all = Count::default();
    for item in &items {
        let language = Language::find(&item.language).ok_or("a known language")?;
        let detector = Detector::of(language, Mode::Strict).ok_or("a language of the detector")?;
        let text = item.text.replace("\\n", "\n");
        let verdict = match item.class.as_str() {
            "document" => detector.judge_document(&text, Vote::Majority).verdict,
            _ => detector.judge(&text),
        };
        let found = verdict.gender().map_or('u', Gender::letter);
        let gendered = item.gold != 'u';
        let wrong = found != 'u' && found != item.gold;
        if found != item.gold {
            let words: Vec<&str> = verdict.evidence.iter().map(|at| at.of(&text)).collect();
            println!(
                "{} {} gold {} found {} [{}: {}] {}\t{}",
                if wrong { "WRONG" } else { "miss " },
                item.language,
                item.gold,
                verdict.finding.letter(),
                verdict.rule,
                words.join(" "),
                item.class,
                item.text
            );
        }
        let all = std::iter::once(&mut all);
        let per_language = languages.entry(item.language.clone()).or_default();
        let per_class = classes.entry(item.class.clone()).or_default();
        for count in all.chain([per_language, per_class]) {
            count.items += 1;
            count.gendered += usize::from(gendered);
            count.right += usize::from(gendered && found == item.gold);
            count.wrong += usize::from(wrong);
        }
    }
    let groups = classes.iter().chain(&languages);
    println!(
        "{:<22} {:>6} {:>8} {:>7} {:>6} {:>7}",
        "", "items", "gendered", "right", "wrong", "wrong %"
    );
    for (name, count) in groups.chain([(&"all".to_owned(), &all)]) {
        let right = 100.0 * count.right as f64 / count.gendered.max(1) as f64;
        let wrong = 100.0 * count.wrong as f64 / count.items as f64;
        println!(
            "{name:<22} {:>6} {:>8} {right:>6.1}% {:>6} {wrong:>6.2}%",
            count.items, count.gendered, count.wrong
        );
    }
    Ok(())
}

fn folder(name: &str) -> Result<std::path::PathBuf, Box<dyn Error>> {
    Ok(shared_data::shared(name).ok_or("no shared data")?)
}

fn traps() -> Result<Vec<Item>, Box<dyn Error>> {
    let text = fs::read_to_string(folder("gold/traps")?.join("first_person.tsv"))?;
    let rows = text.lines().skip(1).map(|line| line.split('\t').collect());
    let item = |fields: Vec<&str>| Item {
        language: fields[1].to_owned(),
        class: fields[6].to_owned(),
        gold: fields[5].chars().next().unwrap_or('u'),
        text: fields[4].to_owned(),
    };
    Ok(rows.map(item).collect())
}

fn table(path: &Path) -> Result<Vec<Item>, Box<dyn Error>> {
    let text = fs::read_to_string(path)?;
    let rows = text.lines().filter(|line| !line.starts_with('#'));
    let item = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        Item {
            language: fields[0].to_owned(),
            class: fields.get(3).unwrap_or(&"-").to_string(),
            gold: fields[1].chars().next().unwrap_or('u'),
            text: fields[2].to_owned(),
        }
    };
    Ok(rows.map(item).collect())
}

fn treebanks() -> Result<Vec<Item>, Box<dyn Error>> {
    let folder = folder("gold/first_person")?;
    let mut items = Vec::new();
    for language in Detector::languages() {
        for row in gold::rows(&folder, language)?.unwrap_or_default() {
            items.push(Item {
                language: language.code().to_owned(),
                class: if row.first_person { "yes" } else { "no" }.to_owned(),
                gold: row.gold.map_or('u', Gender::letter),
                text: row.text,
            });
        }
    }
    Ok(items)
}

fn pairs() -> Result<Vec<Item>, Box<dyn Error>> {
    let folder = folder("eurogest/sentences")?;
    let mut items = Vec::new();
    for language in Detector::languages() {
        for pair in gold::pairs(&folder, language)?.unwrap_or_default() {
            for (text, gender) in pair.into_iter().zip(gold::GENDERS) {
                items.push(Item {
                    language: language.code().to_owned(),
                    class: "pair".to_owned(),
                    gold: gender.letter(),
                    text,
                });
            }
        }
    }
    Ok(items)
}

fn mirrored() -> Result<Vec<Item>, Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mirrored/first_person");
    let mut items = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let language = path.file_stem().unwrap_or_default().to_string_lossy();
        for line in fs::read_to_string(&path)?.lines() {
            let Some((golds, text)) = line.split_once('\t').filter(|_| !line.starts_with('#'))
            else {
                continue;
            };
            for (at, gold) in golds.chars().enumerate() {
                items.push(Item {
                    language: language.clone().into_owned(),
                    class: "-".to_owned(),
                    gold,
                    text: wording(text, at),
                });
            }
        }
    }
    Ok(items)
}

/// The masculine (0) or feminine (1) wording of a mirrored sentence.
fn wording(text: &str, at: usize) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let (choice, behind) = after.split_once('}').unwrap_or((after, ""));
        out.push_str(before);
        out.push_str(choice.split('|').nth(at).unwrap_or_default());
        rest = behind;
    }
    out + rest
}
