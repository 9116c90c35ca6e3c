//! Reads the authors' sentences and the shares of women in occupations.

use std::collections::BTreeMap;

use epicene_core::{InputError, TextFile};

use super::sentence::{PronounGender, Sentence};
use crate::csv_input::{CsvInput, Ids};

const SENTENCES: &str = "all_sentences.tsv";
const STATS: &str = "occupations-stats.tsv";

/// The shares of women by occupation: by the Bureau of Labor Statistics, and in text.
type Shares = BTreeMap<String, [f64; 2]>;

pub fn read(files: &[TextFile]) -> Result<Vec<Sentence>, InputError> {
    let with = |column: &str| {
        files
            .iter()
            .find(|file| file.text.lines().next().unwrap_or("").contains(column))
    };
    let missing = |what: &str| {
        let path = files.first().map_or("", |file| file.path.as_str());
        InputError::new(path, format!("there is no {what}")).with_hint(format!(
            "give the folder with {SENTENCES} and {STATS} of rudinger/winogender-schemas"
        ))
    };
    let sentences = with("sentid").ok_or_else(|| missing(SENTENCES))?;
    let stats = with("bls_pct_female").ok_or_else(|| missing(STATS))?;
    let shares = shares(stats)?;
    let mut input = CsvInput::new(sentences, b'\t');
    let columns = input.columns(["sentid", "sentence"])?;
    let mut ids = Ids::default();
    let mut found = Vec::new();
    while let Some((place, record)) = input.next()? {
        let [id, text] = columns.map(|column| record[column].trim());
        let sentence = sentence(id, text, &shares)
            .map_err(|why| place.complain(sentences, format!("sentence {id}: {why}")))?;
        ids.take("sentence", id)
            .map_err(|why| place.complain(sentences, why))?;
        found.push(sentence);
    }
    if found.is_empty() {
        return Err(InputError::new(&sentences.path, "there is no sentence"));
    }
    Ok(found)
}

fn shares(file: &TextFile) -> Result<Shares, InputError> {
    let mut input = CsvInput::new(file, b'\t');
    let names = ["occupation", "bls_pct_female", "bergsma_pct_female"];
    let columns = input.columns(names)?;
    let mut shares = Shares::new();
    while let Some((place, record)) = input.next()? {
        let [occupation, bls, text] = columns.map(|column| record[column].trim());
        let number = |cell: &str| {
            let value = cell.parse::<f64>().ok();
            let value = value.filter(|value| (0.0..=100.0).contains(value));
            value.ok_or_else(|| {
                let message = format!("{occupation}: `{cell}` is no per cent");
                place.complain(file, message)
            })
        };
        shares.insert(occupation.to_owned(), [number(bls)?, number(text)?]);
    }
    Ok(shares)
}

/// `technician.customer.1.male.txt`
fn sentence(id: &str, text: &str, shares: &Shares) -> Result<Sentence, String> {
    let parts: Vec<&str> = id.split('.').collect();
    let [occupation, participant, answer, gender, "txt"] = parts[..] else {
        return Err("the id is not occupation.participant.answer.gender.txt".to_owned());
    };
    let answer = match answer {
        "0" => 0,
        "1" => 1,
        other => return Err(format!("the answer is `{other}`, expected 0 or 1")),
    };
    let gender = PronounGender::find(gender)
        .ok_or_else(|| format!("the gender is `{gender}`, expected male, female or neutral"))?;
    let [bls, in_text] = *shares
        .get(occupation)
        .ok_or_else(|| format!("{STATS} has no share of women for `{occupation}`"))?;
    if occupation == participant {
        return Err("two options are equal".to_owned());
    }
    let lower = text.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric());
    let found: Vec<&str> = words
        .filter(|word| gender.pronouns().contains(word))
        .collect();
    let [pronoun] = found[..] else {
        return Err(format!(
            "{} {} pronouns, expected exactly one",
            found.len(),
            gender.name()
        ));
    };
    Ok(Sentence {
        id: id.to_owned(),
        text: text.to_owned(),
        occupation: occupation.to_owned(),
        participant: participant.to_owned(),
        gender,
        pronoun: pronoun.to_owned(),
        answer,
        bls,
        in_text,
    })
}
