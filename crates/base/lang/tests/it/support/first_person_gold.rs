//! Gold for the gender of "I", and how the detector scores on it.
//!
//! Precision and recall are over sentences that have a first person singular; a gender found where gold is
//! `none` counts against precision. False positives are genders found in sentences without one. Sentences
//! whose first person is `open` are left out.

#![allow(dead_code, reason = "part of it serves the example")]

use std::error::Error;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;

use epicene_core::Language;
use epicene_lang::Gender;
use epicene_lang::first_person::{Detector, Mode};

pub const MODES: [(&str, Mode); 3] = [
    ("published", Mode::Published),
    ("extended", Mode::Extended),
    ("strict", Mode::Strict),
];

/// Sentences of a treebank and whether they show a gender of the speaker.
pub struct Row {
    pub id: String,
    pub gold: Option<Gender>,
    pub first_person: bool,
    pub text: String,
}

/// The gold of one language in `folder`, `None` where there is no file.
pub fn rows(folder: &Path, language: Language) -> Result<Option<Vec<Row>>, Box<dyn Error>> {
    let path = folder.join(format!("{language}.tsv"));
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

/// Hard sentences: our mirrored ones (`tests/mirrored/first_person`) and the traps of the reference data (`traps`).
pub fn hard(traps: &Path, language: Language) -> Result<Vec<Row>, Box<dyn Error>> {
    let gender = |letter: char| match letter {
        'm' => Some(Gender::Masculine),
        'f' => Some(Gender::Feminine),
        _ => None,
    };
    let mut rows = Vec::new();
    let mut add = |text: &str, gold: Option<Gender>| {
        rows.push(Row {
            id: String::new(),
            gold,
            first_person: true,
            text: text.to_owned(),
        });
    };
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mirrored/first_person");
    let lines = fs::read_to_string(own.join(format!("{language}.txt")))?;
    for line in lines.lines().filter(|line| !line.starts_with('#')) {
        let (wanted, text) = line.split_once('\t').ok_or("not two columns")?;
        for (text, wanted) in wordings(text).iter().zip(wanted.chars()) {
            add(text, gender(wanted));
        }
    }
    for line in fs::read_to_string(traps)?.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [_, code, _, _, text, gold, _] = fields[..] else {
            return Err("not seven columns".into());
        };
        if code == language.code() {
            add(text, gold.chars().next().and_then(gender));
        }
    }
    Ok(rows)
}

/// The masculine and the feminine wording of a line: `{müder|müde}` stands for both.
pub fn wordings(text: &str) -> [String; 2] {
    let mut both = [String::new(), String::new()];
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let (choice, behind) = after.split_once('}').expect("a closing brace");
        let (masculine, feminine) = choice.split_once('|').expect("two wordings");
        both[0].extend([before, masculine]);
        both[1].extend([before, feminine]);
        rest = behind;
    }
    both.map(|text| text + rest)
}

/// Counts on treebank sentences.
#[derive(Default, Clone, Copy)]
pub struct Score {
    pub right: usize,
    /// Genders found in sentences with a first person.
    pub found: usize,
    pub men: usize,
    pub women: usize,
    pub women_called_men: usize,
    pub men_called_women: usize,
    /// Sentences without a first person, and the genders found there.
    pub others: usize,
    pub false_positives: usize,
}

impl Score {
    pub fn of(rows: &[Row], detector: Detector) -> Score {
        let mut score = Score::default();
        for row in rows {
            score.add(row, detector.judge(&row.text).gender());
        }
        score
    }

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

    /// The cells of a line about hard sentences, behind language and mode; `all` is how many there were.
    pub fn hard_cells(&self, all: usize) -> [String; 7] {
        let gendered = self.men + self.women;
        let crossed = self.women_called_men + self.men_called_women;
        let percent = |part: usize, whole: usize| match whole {
            0 => "-".to_owned(),
            _ => format!("{:.2} %", 100.0 * part as f64 / whole as f64),
        };
        let right = match gendered {
            0 => "-".to_owned(),
            _ => format!("{:.3}", self.right as f64 / gendered as f64),
        };
        [
            right,
            percent(self.women_called_men, self.women),
            percent(self.men_called_women, self.men),
            percent(gendered - self.right - crossed, gendered),
            percent(self.found - self.right - crossed, all - gendered),
            gendered.to_string(),
            (all - gendered).to_string(),
        ]
    }

    pub fn plus(self, other: Score) -> Score {
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
}

/// The minimal pairs of one language in `folder`: masculine, feminine.
pub fn pairs(
    folder: &Path,
    language: Language,
) -> Result<Option<Vec<[String; 2]>>, Box<dyn Error>> {
    let name = language.name().to_lowercase();
    let path = folder.join(format!("{name}.csv.xz"));
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

pub const GENDERS: [Gender; 2] = [Gender::Masculine, Gender::Feminine];

/// Counts on minimal pairs.
#[derive(Default, Clone, Copy)]
pub struct PairScore {
    pub pairs: usize,
    pub right: usize,
    /// Those of `right` that were said by men.
    pub men_right: usize,
    pub women_called_men: usize,
    pub men_called_women: usize,
}

impl PairScore {
    /// Sentences in which no gender was found.
    pub fn unknown(&self) -> usize {
        2 * self.pairs - self.right - self.women_called_men - self.men_called_women
    }

    pub fn of(pairs: &[[String; 2]], detector: Detector) -> PairScore {
        let mut score = PairScore {
            pairs: pairs.len(),
            ..PairScore::default()
        };
        for (text, gold) in pairs.iter().flat_map(|pair| pair.iter().zip(GENDERS)) {
            match (detector.judge(text).gender(), gold) {
                (None, _) => {}
                (Some(found), gold) if found == gold => {
                    score.right += 1;
                    score.men_right += usize::from(gold == Gender::Masculine);
                }
                (Some(_), Gender::Feminine) => score.women_called_men += 1,
                (Some(_), Gender::Masculine) => score.men_called_women += 1,
            }
        }
        score
    }
}
