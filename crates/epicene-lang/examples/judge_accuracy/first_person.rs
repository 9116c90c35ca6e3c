//! The gender of "I", on treebank sentences (`gold/first_person`) and on minimal pairs (`eurogest`).
//!
//! Precision and recall are over sentences that have a first person singular; a gender found where gold is
//! `none` counts against precision. False positives are genders found in sentences without one. Sentences
//! whose first person is `open` are left out.

use std::error::Error;
use std::fs::{self, File};
use std::io::BufReader;

use epicene_lang::Gender;
use epicene_lang::first_person::{Detector, Language, Mode};

use super::{shared, treebanks};

const MODES: [(&str, Mode); 3] = [
    ("published", Mode::Published),
    ("extended", Mode::Extended),
    ("strict", Mode::Strict),
];

pub fn run(arguments: &[&str]) -> Result<(), Box<dyn Error>> {
    match *arguments {
        [] => {
            table()?;
            labelled_table()?;
            pairs_table()
        }
        ["errors", language, mode] => errors(language.parse()?, named(mode)?),
        ["eurogest-errors", language, mode] => pair_errors(language.parse()?, named(mode)?),
        _ => Err(super::USAGE.into()),
    }
}

fn named(mode: &str) -> Result<Mode, Box<dyn Error>> {
    let found = MODES.iter().find(|(name, _)| *name == mode);
    Ok(found.ok_or(format!("no mode '{mode}'"))?.1)
}

pub struct Row {
    pub id: String,
    pub gold: Option<Gender>,
    pub first_person: bool,
    pub text: String,
}

/// The gold of one language, `None` where there is no file.
fn gold(language: Language) -> Result<Option<Vec<Row>>, Box<dyn Error>> {
    let path = shared("gold/first_person").join(format!("{language}.tsv"));
    if !path.exists() {
        return Ok(None);
    }
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut rows = Vec::new();
    for (number, line) in text.lines().enumerate().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [id, _, gold, first_person, text] = fields[..] else {
            return Err(format!("{}:{}: not five fields", path.display(), number + 1).into());
        };
        if first_person == "open" {
            continue;
        }
        rows.push(Row {
            id: id.to_owned(),
            gold: match gold {
                "m" => Some(Gender::Masculine),
                "f" => Some(Gender::Feminine),
                _ => None,
            },
            first_person: first_person == "yes",
            text: text.to_owned(),
        });
    }
    Ok(Some(rows))
}

#[derive(Default, Clone, Copy)]
struct Score {
    right: usize,
    found: usize,
    men: usize,
    women: usize,
    women_called_men: usize,
    men_called_women: usize,
    others: usize,
    false_positives: usize,
}

impl Score {
    fn add(&mut self, row: &Row, found: Option<Gender>) {
        if !row.first_person {
            self.others += 1;
            self.false_positives += usize::from(found.is_some());
            return;
        }
        match row.gold {
            Some(Gender::Masculine) => self.men += 1,
            Some(Gender::Feminine) => self.women += 1,
            None => {}
        }
        let Some(gender) = found else { return };
        self.found += 1;
        match row.gold {
            Some(gold) if gold == gender => self.right += 1,
            Some(Gender::Masculine) => self.men_called_women += 1,
            Some(Gender::Feminine) => self.women_called_men += 1,
            None => {}
        }
    }

    fn plus(self, other: Score) -> Score {
        Score {
            right: self.right + other.right,
            found: self.found + other.found,
            men: self.men + other.men,
            women: self.women + other.women,
            women_called_men: self.women_called_men + other.women_called_men,
            men_called_women: self.men_called_women + other.men_called_women,
            others: self.others + other.others,
            false_positives: self.false_positives + other.false_positives,
        }
    }

    fn print(&self, name: &str, mode: &str) {
        println!(
            "{name:<8} {mode:<10} {:>9} {:>7} {:>10} {:>9} {:>9} {:>8} {:>8}",
            ratio(self.right, self.found),
            ratio(self.right, self.men + self.women),
            share(self.false_positives, self.others),
            percent(self.women_called_men, self.women),
            percent(self.men_called_women, self.men),
            self.men + self.women,
            self.others
        );
    }
}

fn ratio(part: usize, whole: usize) -> String {
    match whole {
        0 => "-".to_owned(),
        _ => format!("{:.3}", part as f64 / whole as f64),
    }
}

fn share(part: usize, whole: usize) -> String {
    match whole {
        0 => "-".to_owned(),
        _ => format!("{:.1}", 1000.0 * part as f64 / whole as f64),
    }
}

fn percent(part: usize, whole: usize) -> String {
    match whole {
        0 => "-".to_owned(),
        _ => format!("{:.2} %", 100.0 * part as f64 / whole as f64),
    }
}

/// The languages without a published list, on labels made from the annotation of treebanks.
fn labelled_table() -> Result<(), Box<dyn Error>> {
    println!("\nTreebank sentences, labels from their annotation");
    print_head();
    for language in Language::ALL {
        let detector = Detector::new(language, Mode::Published);
        if detector.mode() != Mode::Strict {
            continue;
        }
        let Some(rows) = treebanks::gold(language)? else {
            continue;
        };
        let mut score = Score::default();
        for row in &rows {
            score.add(row, detector.judge(&row.text).gender);
        }
        score.print(language.code(), "strict");
    }
    Ok(())
}

fn table() -> Result<(), Box<dyn Error>> {
    println!("Treebank sentences");
    print_head();
    let mut pooled = [Score::default(); MODES.len()];
    for language in Language::ALL {
        let Some(rows) = gold(language)? else {
            continue;
        };
        for ((name, mode), pooled) in MODES.into_iter().zip(&mut pooled) {
            let detector = Detector::new(language, mode);
            let mut score = Score::default();
            for row in &rows {
                score.add(row, detector.judge(&row.text).gender);
            }
            score.print(language.code(), name);
            *pooled = pooled.plus(score);
        }
    }
    for ((name, _), score) in MODES.into_iter().zip(pooled) {
        score.print("all", name);
    }
    Ok(())
}

fn print_head() {
    println!(
        "{:<8} {:<10} {:>9} {:>7} {:>10} {:>9} {:>9} {:>8} {:>8}",
        "language",
        "mode",
        "precision",
        "recall",
        "false/1000",
        "f called m",
        "m called f",
        "gendered",
        "others"
    );
}

fn errors(language: Language, mode: Mode) -> Result<(), Box<dyn Error>> {
    let detector = Detector::new(language, mode);
    let rows = match gold(language)? {
        Some(rows) => Some(rows),
        None => treebanks::gold(language)?,
    };
    for row in rows.ok_or("no gold for this language")? {
        let verdict = detector.judge(&row.text);
        let wanted = row.gold.filter(|_| row.first_person);
        if verdict.gender == wanted {
            continue;
        }
        let words: Vec<&str> = verdict.evidence.iter().map(|word| &*word.text).collect();
        println!(
            "{}\t{}\t{}{}\t{}\t{}\t{}",
            row.id,
            if row.first_person { "yes" } else { "no" },
            wanted.map_or('u', Gender::letter),
            verdict.gender.map_or('u', Gender::letter),
            verdict.rule,
            words.join(" "),
            row.text
        );
    }
    Ok(())
}

/// The minimal pairs of one language: masculine, feminine.
fn pairs(language: Language) -> Result<Option<Vec<[String; 2]>>, Box<dyn Error>> {
    let name = language.name().to_lowercase();
    let path = shared("eurogest/sentences").join(format!("{name}.csv.xz"));
    if !path.exists() {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    lzma_rs::xz_decompress(&mut BufReader::new(File::open(&path)?), &mut bytes)?;
    let mut reader = csv::Reader::from_reader(&bytes[..]);
    let headers = reader.headers()?.clone();
    let place = |name: &str| {
        let found = headers.iter().position(|header| header == name);
        found.ok_or(format!("{}: no column {name}", path.display()))
    };
    let (masculine, feminine) = (place("Masculine")?, place("Feminine")?);
    let mut pairs = Vec::new();
    for record in reader.records() {
        let record = record?;
        let pair = [record[masculine].to_owned(), record[feminine].to_owned()];
        if pair.iter().all(|text| !text.trim().is_empty()) {
            pairs.push(pair);
        }
    }
    Ok(Some(pairs))
}

const GENDERS: [Gender; 2] = [Gender::Masculine, Gender::Feminine];

fn pairs_table() -> Result<(), Box<dyn Error>> {
    println!("\nMinimal pairs");
    println!(
        "{:<8} {:<10} {:>7} {:>9} {:>9} {:>9}",
        "language", "mode", "right", "f called m", "m called f", "sentences"
    );
    for language in Language::ALL {
        let Some(pairs) = pairs(language)? else {
            continue;
        };
        for (name, mode) in MODES {
            let detector = Detector::new(language, mode);
            if detector.mode() != mode {
                continue;
            }
            let (mut right, mut wrong) = (0, [0; 2]);
            for pair in &pairs {
                for (place, (text, gold)) in pair.iter().zip(GENDERS).enumerate() {
                    match detector.judge(text).gender {
                        Some(gender) if gender == gold => right += 1,
                        Some(_) => wrong[place] += 1,
                        None => {}
                    }
                }
            }
            println!(
                "{:<8} {name:<10} {:>7} {:>9} {:>9} {:>9}",
                language.code(),
                ratio(right, 2 * pairs.len()),
                percent(wrong[1], pairs.len()),
                percent(wrong[0], pairs.len()),
                2 * pairs.len()
            );
        }
    }
    Ok(())
}

fn pair_errors(language: Language, mode: Mode) -> Result<(), Box<dyn Error>> {
    let detector = Detector::new(language, mode);
    for pair in pairs(language)?.ok_or("no minimal pairs for this language")? {
        for (text, gold) in pair.iter().zip(GENDERS) {
            let verdict = detector.judge(text);
            if verdict.gender != Some(gold) {
                println!(
                    "{}{}\t{}\t{text}",
                    gold.letter(),
                    verdict.gender.map_or('u', Gender::letter),
                    verdict.rule
                );
            }
        }
    }
    Ok(())
}
